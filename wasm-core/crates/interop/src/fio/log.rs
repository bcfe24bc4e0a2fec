//! Logs of fio over time: latencies, rates and histograms, as `write_lat_log`, `write_bw_log`, `write_iops_log` and `write_hist_log` write
//! them. What a result sums up shows here as it went: the cache of a drive that fills, garbage collection that begins.
//!
//! J. Axboe, `fio(1)` of version 3.33, "LOG FILE FORMATS": a line is `time (ms), value, direction, block size, [offset,] priority`; where means and maxima
//! are logged both (`log_window_value=both`, 3.37), the maximum follows the value. Latencies are nanoseconds, bandwidths KiB/s. No
//! line says which, nor whether values are means or maxima (`log_max_value`): the name of the file tells the first, nothing the second.
//! The bins of histograms are those of `stat.h`: 29 groups of 64, of which neighbours were added up (`log_hist_coarseness`).

use qoscope_engine::scenario::{Diagnostic, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a log is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "LogQuantity")]
pub enum Quantity {
    /// Latency from request to submission, in microseconds.
    SubmissionLatency,
    /// Latency from submission to completion, in microseconds.
    CompletionLatency,
    /// Both together, in microseconds.
    Latency,
    /// Bytes a second.
    Bandwidth,
    /// Requests a second.
    Iops,
}

/// A log as a series over time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Log {
    /// Name of the file.
    pub file: String,
    /// What it is of.
    pub quantity: Quantity,
    /// Its reads.
    pub reads: Vec<Window>,
    /// Its writes.
    pub writes: Vec<Window>,
    /// What is to be known of it: warnings.
    #[serde(skip_deserializing)]
    pub remarks: Vec<Diagnostic>,
}

/// A log with the names of what it is of.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "FioLog")]
pub struct LogView {
    /// What it is of, in words.
    pub title: &'static str,
    /// Unit of its numbers.
    pub unit: &'static str,
    /// The log.
    #[serde(flatten)]
    pub log: Log,
}

impl From<Log> for LogView {
    fn from(log: Log) -> Self {
        Self { title: log.quantity.title(), unit: log.quantity.unit(), log }
    }
}

/// What a log says of a stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "LogWindow")]
pub struct Window {
    /// When it ends, in seconds since the first line.
    pub at_s: f64,
    /// Requests done in it, where the log says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// The mean in it; its maximum where fio ran with `log_max_value`.
    pub mean: f64,
    /// Percentile 50, of logs of single requests and histograms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50: Option<f64>,
    /// Percentile 99, likewise; of fewer than a hundred requests there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99: Option<f64>,
    /// Maximum, where the log says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
}

/// Windows that the requests of a log are gathered into, at most and, where requests are few, at least.
const MAXIMUM_WINDOWS: u64 = 500;
const MINIMUM_WINDOWS: u64 = 20;
/// Requests that a window should have on average, so that most have a 99th percentile.
const REQUESTS_OF_WINDOW: u64 = 200;
/// Requests from which on a window has a 99th percentile: of fewer it is the greatest.
const REQUESTS_OF_P99: u64 = 100;
/// Bins in a histogram of fio: `FIO_IO_U_PLAT_NR` of its `stat.h`.
const BINS: u64 = 1856;
/// Bins in a group of them: as wide as each other, and twice as wide as those of the group before.
const GROUP_BITS: u32 = 6;

/// Endings of the names of logs and what they are of; the first that fits.
const ENDINGS: [(&str, Quantity); 6] = [
    ("_slat", Quantity::SubmissionLatency),
    ("_clat_hist", Quantity::CompletionLatency),
    ("_clat", Quantity::CompletionLatency),
    ("_lat", Quantity::Latency),
    ("_bw", Quantity::Bandwidth),
    ("_iops", Quantity::Iops),
];

impl Quantity {
    /// What a file is of, by its name as fio gives it: `NAME_clat.1.log`, or `NAME_clat.log` of all jobs.
    pub fn of_name(file: &str) -> Option<Self> {
        let stem = file.strip_suffix(".log")?;
        let stem = stem.rsplit_once('.').filter(|(_, job)| job.parse::<u32>().is_ok()).map_or(stem, |(stem, _)| stem);
        ENDINGS.iter().find(|(ending, _)| stem.ends_with(ending)).map(|(_, quantity)| *quantity)
    }

    /// What screens call it.
    pub fn title(self) -> &'static str {
        match self {
            Self::SubmissionLatency => "Submission latency",
            Self::CompletionLatency => "Completion latency",
            Self::Latency => "Latency, submission included",
            Self::Bandwidth => "Bandwidth",
            Self::Iops => "IOPS",
        }
    }

    /// The unit of its values in [`Log`].
    pub fn unit(self) -> &'static str {
        match self {
            Self::SubmissionLatency | Self::CompletionLatency | Self::Latency => "µs",
            Self::Bandwidth => "B/s",
            Self::Iops => "requests/s",
        }
    }

    /// What a value of a line is in that unit.
    fn scaled(self, value: u64) -> f64 {
        match self {
            Self::SubmissionLatency | Self::CompletionLatency | Self::Latency => value as f64 / 1000.0,
            Self::Bandwidth => value as f64 * 1024.0,
            Self::Iops => value as f64,
        }
    }

    fn is_latency(self) -> bool {
        !matches!(self, Self::Bandwidth | Self::Iops)
    }
}

/// Reads a log. Its name, as fio gave it, says what it is of.
///
/// # Errors
/// That the name does not say, or the first line that is none of a log.
pub fn log(text: &str, file: &str) -> Result<Log, Vec<Diagnostic>> {
    let refused = |path: String, reason: &str, hint: &str| Err(vec![Diagnostic::new(path, reason, hint)]);
    if let Some(refusal) = super::too_long(text.len(), file) {
        return Err(vec![refusal]);
    }
    if text.contains('\0') || text.contains('\u{fffd}') {
        return refused(file.into(), "is no text", "A log that fio compressed is unpacked by fio --inflate-log=FILE.");
    }
    let Some(quantity) = Quantity::of_name(file) else {
        let hint = "Leave it the name that fio gave it: NAME_clat.1.log, _lat, _slat, _bw, _iops or _clat_hist.";
        return refused(file.into(), "does not say by its name whether it holds latencies, bandwidths or IOPS", hint);
    };
    let mut rows = Vec::new();
    let mut remarks = Vec::new();
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()).peekable();
    while let Some((number, line)) = lines.next() {
        match columns(line) {
            Some(row) if rows.first().is_none_or(|first: &Vec<u64>| first.len() == row.len()) => rows.push(row),
            // fio may have been ended while it wrote the last line.
            _ if lines.peek().is_none() && !rows.is_empty() && !text.ends_with('\n') => {
                let hint = "It was left out. Copy the whole file.";
                remarks.push(Diagnostic::warning(format!("{file}, line {number}"), "ends within a line", hint));
            }
            _ => {
                let reason = format!("is {}, which is no line of the log", quoted(line.trim()));
                let hint = "A line is time, value, direction, block size and priority, with commas between them.";
                return refused(format!("{file}, line {number}"), &reason, hint);
            }
        }
    }
    let Some(shape) = Shape::of(&rows) else {
        let reason = if rows.is_empty() { "is empty" } else { "does not have the columns of a log" };
        return refused(file.into(), reason, "Let fio write it with log_avg_msec, or log_hist_msec for histograms.");
    };
    let start_ms = rows.iter().map(|row| row[0]).min().unwrap_or_default();
    let direction = |number: u64| {
        let rows_of = rows.iter().filter(|row| row[shape.direction()] == number);
        windows(quantity, shape, rows_of.map(Vec::as_slice).collect(), start_ms)
    };
    Ok(Log { file: file.into(), quantity, reads: direction(0), writes: direction(1), remarks })
}

/// Largest number that a log is believed to hold: 13 days in nanoseconds, and of milliseconds or bytes more than there are.
const MAXIMUM_NUMBER: u64 = 1 << 50;

/// The numbers of a line.
fn columns(line: &str) -> Option<Vec<u64>> {
    let number = |text: &str| {
        let number = match text.trim().strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => text.trim().parse().ok()?,
        };
        (number <= MAXIMUM_NUMBER).then_some(number)
    };
    line.split(',').map(number).collect()
}

/// What the columns of a log are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// A line for every request.
    Requests,
    /// A line for a stretch of time.
    Means,
    /// The same with the maximum.
    MeansAndMaxima,
    /// A histogram for a stretch of time, of so many bins of fio in each of its own.
    Histograms(u64),
}

impl Shape {
    fn of(rows: &[Vec<u64>]) -> Option<Self> {
        let columns = rows.first()?.len();
        let is_direction = |column: usize| rows.iter().all(|row| row.get(column).is_some_and(|number| *number <= 2));
        if let Some(bins) = columns.checked_sub(3).filter(|bins| *bins > 8) {
            let bins = bins as u64;
            return (is_direction(1) && BINS.is_multiple_of(bins)).then_some(Self::Histograms(BINS / bins));
        }
        if (4..=7).contains(&columns) && is_direction(2) {
            // A stretch of time has no block size.
            let of_requests = rows.iter().all(|row| row[3] > 0);
            return Some(if of_requests { Self::Requests } else { Self::Means });
        }
        ((5..=8).contains(&columns) && is_direction(3)).then_some(Self::MeansAndMaxima)
    }

    /// The column that says whether a line is of reads (0), writes (1) or trims (2).
    fn direction(self) -> usize {
        match self {
            Self::Histograms(_) => 1,
            Self::Requests | Self::Means => 2,
            Self::MeansAndMaxima => 3,
        }
    }
}

/// What rows of one direction say, in order of time.
fn windows(quantity: Quantity, shape: Shape, mut rows: Vec<&[u64]>, start_ms: u64) -> Vec<Window> {
    rows.sort_by_key(|row| row[0]);
    let at_s = |ms: u64| (ms - start_ms) as f64 / 1000.0;
    let window = |row: &&[u64]| Window { at_s: at_s(row[0]), mean: quantity.scaled(row[1]), ..Window::default() };
    match shape {
        Shape::Means => rows.iter().map(window).collect(),
        Shape::MeansAndMaxima => {
            let with_maximum = |row: &&[u64]| Window { max: Some(quantity.scaled(row[2])), ..window(row) };
            rows.iter().map(with_maximum).collect()
        }
        Shape::Histograms(coarseness) => {
            let of_row = |row: &&[u64]| histogram(at_s(row[0]), &row[3..], coarseness);
            rows.iter().filter_map(of_row).collect()
        }
        Shape::Requests => {
            let Some(last) = rows.last() else { return Vec::new() };
            let most = (rows.len() as u64 / REQUESTS_OF_WINDOW).clamp(MINIMUM_WINDOWS, MAXIMUM_WINDOWS);
            let width_ms = width_ms(last[0] - start_ms + 1, most);
            let slot = |row: &&[u64]| (row[0] - start_ms) / width_ms;
            rows.chunk_by(|one, other| slot(one) == slot(other))
                .map(|rows| of_requests(quantity, at_s(start_ms + (slot(&rows[0]) + 1) * width_ms), rows, width_ms))
                .collect()
        }
    }
}

/// The width of windows of which at most so many cover a time: 1, 2 or 5 of a power of ten.
fn width_ms(span_ms: u64, most: u64) -> u64 {
    let mut power = 1;
    loop {
        if let Some(factor) = [1, 2, 5].into_iter().find(|factor| factor * power * most >= span_ms) {
            return factor * power;
        }
        power *= 10;
    }
}

/// What the requests of a window were.
fn of_requests(quantity: Quantity, at_s: f64, rows: &[&[u64]], width_ms: u64) -> Window {
    let requests = Some(rows.len() as u64);
    let a_second = |amount: f64| amount * 1000.0 / width_ms as f64;
    if !quantity.is_latency() {
        // The value of a single request is 1, or its size over its latency: rates are those of the window.
        let amount = |row: &&[u64]| if quantity == Quantity::Iops { 1.0 } else { row[3] as f64 };
        return Window { at_s, requests, mean: a_second(rows.iter().map(amount).sum()), ..Window::default() };
    }
    let mut values: Vec<u64> = rows.iter().map(|row| row[1]).collect();
    values.sort_unstable();
    let at = |percent: usize| Some(quantity.scaled(values[(values.len() * percent).div_ceil(100) - 1]));
    let mean = values.iter().map(|value| quantity.scaled(*value)).sum::<f64>() / values.len() as f64;
    let p99 = if rows.len() as u64 >= REQUESTS_OF_P99 { at(99) } else { None };
    Window { at_s, requests, mean, p50: at(50), p99, max: at(100) }
}

/// What a histogram says; none without requests.
fn histogram(at_s: f64, counts: &[u64], coarseness: u64) -> Option<Window> {
    let total: u64 = counts.iter().sum();
    let bins = || (0..).zip(counts).map(|(number, count)| (middle_us(number, coarseness), *count));
    let at = |share: f64| {
        let mut below = 0;
        bins().find(|(_, count)| {
            below += count;
            *count > 0 && below as f64 >= share * total as f64
        })
    };
    let mean = bins().map(|(us, count)| us * count as f64).sum::<f64>() / total as f64;
    let us = |share: f64| at(share).map(|(us, _)| us);
    let p99 = if total >= REQUESTS_OF_P99 { us(0.99) } else { None };
    (total > 0).then(|| Window { at_s, requests: Some(total), mean, p50: us(0.5), p99, max: us(1.0) })
}

/// The middle of a bin into which so many of fio were added up, in microseconds.
fn middle_us(number: u64, coarseness: u64) -> f64 {
    let from = lower_ns(number * coarseness);
    let to = lower_ns((number + 1) * coarseness);
    (from + to) / 2.0 / 1000.0
}

/// Where a bin of fio begins, in nanoseconds: `plat_idx_to_val` of its `stat.c`.
fn lower_ns(bin: u64) -> f64 {
    let group = bin >> GROUP_BITS;
    if group < 2 {
        return bin as f64;
    }
    // The bins of a group begin at 64 of their widths.
    let width = 1u64 << (group - 1);
    (width * ((1 << GROUP_BITS) + bin % (1 << GROUP_BITS))) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_are_those_of_fio() {
        assert_eq!(
            [0, 1, 63, 127, 128, 129, 191, 192].map(lower_ns),
            [0.0, 1.0, 63.0, 127.0, 128.0, 130.0, 254.0, 256.0]
        );
        assert_eq!(lower_ns(BINS - 1), 127.0 * f64::from(1 << 27));
        // JSON+ gives the middles of bins: 30 080 ns and 30 336 ns are neighbours in a file of this machine.
        let bin = (0..BINS).find(|bin| lower_ns(*bin) > 30_080.0).unwrap() - 1;
        assert_eq!([middle_us(bin, 1), middle_us(bin + 1, 1)], [30.08, 30.336]);
    }

    #[test]
    fn names_say_what_a_log_is_of() {
        assert_eq!(Quantity::of_name("a_clat.1.log"), Some(Quantity::CompletionLatency));
        assert_eq!(Quantity::of_name("a_clat_hist.12.log"), Some(Quantity::CompletionLatency));
        assert_eq!(Quantity::of_name("nvme_lat.log"), Some(Quantity::Latency));
        assert_eq!(Quantity::of_name("a_slat.1.log"), Some(Quantity::SubmissionLatency));
        assert_eq!(Quantity::of_name("a.b_bw.1.log"), Some(Quantity::Bandwidth));
        assert_eq!(Quantity::of_name("a_iops.log"), Some(Quantity::Iops));
        assert_eq!(Quantity::of_name("a.log"), None);
        assert_eq!(Quantity::of_name("a_clat.txt"), None);
    }

    #[test]
    fn windows_are_few_and_round() {
        let widths = [1, 500, 501, 1001, 2501, 60_000, 86_400_000].map(|span_ms| width_ms(span_ms, MAXIMUM_WINDOWS));
        assert_eq!(widths, [1, 1, 2, 5, 10, 200, 200_000]);
        assert_eq!(width_ms(1000, 20), 50);
    }

    #[test]
    fn requests_are_gathered_by_window() {
        let text: String = (0..1000).map(|ms| format!("{ms}, {}, {}, 4096, 0\n", 1000 * (ms + 1), ms % 2)).collect();
        let found = log(&text, "a_lat.1.log").unwrap();
        // Reads of 1, 3, 5 ... µs and writes of 2, 4, 6 ... µs, 500 of each, in 20 windows of 50 ms: 25 in each.
        assert_eq!((found.reads.len(), found.writes.len()), (20, 20));
        let first = Window { at_s: 0.05, requests: Some(25), mean: 25.0, p50: Some(25.0), p99: None, max: Some(49.0) };
        assert_eq!(found.reads[0], first);
        assert_eq!((found.writes[0].mean, found.writes[19].at_s), (26.0, 1.0));
        let rates = log(&text, "a_bw.1.log").unwrap();
        assert_eq!(rates.reads[0].mean, 25.0 * 4096.0 / 0.05);
        assert_eq!(log(&text, "a_iops.1.log").unwrap().reads[0].mean, 500.0);
    }

    #[test]
    fn a_hundred_requests_have_a_99th_percentile_and_fewer_have_none() {
        let text =
            |requests: u32| (1..=requests).map(|us| format!("0, {}, 0, 4096, 0\n", 1000 * us)).collect::<String>();
        let of = |requests: u32| log(&text(requests), "a_lat.1.log").unwrap().reads[0].p99;
        assert_eq!([of(99), of(100), of(200)], [None, Some(99.0), Some(198.0)]);
    }

    #[test]
    fn means_and_maxima_may_stand_side_by_side() {
        let found = log("100, 5000, 90000, 0, 0, 0\n100, 6000, 80000, 1, 0, 0\n", "a_clat.1.log").unwrap();
        assert_eq!(found.reads, [Window { mean: 5.0, max: Some(90.0), ..Window::default() }]);
        assert_eq!(found.writes[0].max, Some(80.0));
    }

    #[test]
    fn what_is_wrong_is_named_by_file_and_line() {
        let of = |text: &str, file: &str| {
            let found = log(text, file).unwrap_err();
            (found[0].path.clone(), found[0].reason.clone())
        };
        assert_eq!(of("1, 2, 0, 0, 0\n", "a.txt").0, "a.txt");
        assert_eq!(of("", "a_lat.1.log").1, "is empty");
        assert_eq!(of("1, 2, 0, 0, 0\n1, x, 0, 0, 0\n1, 2, 0, 0, 0\n", "a_lat.1.log").0, "a_lat.1.log, line 2");
        assert_eq!(of("1, 2, 0, 0, 0\n1, 2, 0\n1, 2, 0, 0, 0\n", "a_lat.1.log").0, "a_lat.1.log, line 2");
        assert_eq!(of("1, 2, 0, 0, 0\n1, -2, 0, 0, 0\n", "a_lat.1.log").0, "a_lat.1.log, line 2");
        assert_eq!(of("0xffffffffffffffff, 2, 0, 4096, 0\n", "a_lat.1.log").0, "a_lat.1.log, line 1");
        assert_eq!(of("1, 2, 7, 9, 0\n", "a_lat.1.log").1, "does not have the columns of a log");
        assert_eq!(of("1, 2\n", "a_lat.1.log").1, "does not have the columns of a log");
        assert_eq!(of("\u{fffd}\0", "a_lat.1.log.fz").1, "is no text");
        // What fio could not write to its end is read as far as it goes.
        let cut = log("1, 2, 0, 0, 0\n2, 5, 0, 0, 0\n3, 4", "a_lat.1.log").unwrap();
        assert_eq!((cut.reads.len(), cut.remarks[0].path.as_str()), (2, "a_lat.1.log, line 3"));
    }
}
