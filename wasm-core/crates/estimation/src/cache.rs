//! The size of a write cache, from a log over time: writes go fast until it is full, and then as fast as flash takes them.
//!
//! Before that, flash takes some all the while: of what is written until the knee the part stays in the cache by which the first rate
//! is above the second.

use super::search::Z95;
use qoscope_interop::fio::{Log, MeasuredJob, Quantity, Window};

/// The size of a write cache that a log tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CacheSize {
    pub(super) bytes: f64,
    /// Ends of its interval.
    pub(super) low: f64,
    pub(super) high: f64,
    /// The file of the log.
    pub(super) file: String,
}

/// Windows on either side of a knee.
const LEAST_WINDOWS: usize = 3;
/// The first rate is that many times the second at least: less is no knee but a drive that varies.
const LEAST_FALL: f64 = 1.25;
/// A fall is above what rates vary by by so many standard deviations.
const SURELY: f64 = 4.0;
/// After this part of a drive was written, what falls may be garbage collection.
const MOST_OF_DRIVE: f64 = 0.5;

/// The size that a log tells of a drive with so many bytes, or why it tells none. How large writes are in a log of IOPS is what the job
/// says after which the log is named.
pub(super) fn cache_size(log: &Log, jobs: &[MeasuredJob], capacity_bytes: f64) -> Result<CacheSize, String> {
    let none = |why: &str| Err(format!("{} {why}", log.file));
    let unit = match log.quantity {
        Quantity::Bandwidth => 1.0,
        Quantity::Iops => {
            let job = jobs.iter().find(|job| log.file.starts_with(&format!("{}_iops.", job.name)));
            match job {
                Some(job) => f64::from(job.write_bytes),
                None => return none("has requests a second of no job that was given: how large they are is not known"),
            }
        }
        _ => return none("is of latencies, which do not say how much was written"),
    };
    let windows = &log.writes;
    if windows.len() < 2 * LEAST_WINDOWS {
        return none("has too few windows of writes");
    }
    let rates: Vec<f64> = windows.iter().map(|window| window.mean * unit).collect();
    if rates.iter().any(|rate| *rate <= 0.0) {
        return none("has windows without writes");
    }
    let knee = (LEAST_WINDOWS..=windows.len() - LEAST_WINDOWS)
        .min_by(|one, other| spread_around(&rates, *one).total_cmp(&spread_around(&rates, *other)))
        .expect("there are windows on both sides");
    let (first, second) = (level(&rates[..knee]), level(&rates[knee..]));
    // The window in which it fills has something of both.
    let varies = libm::sqrt(spread_around(&rates, knee) / (rates.len() - 2) as f64);
    if first < LEAST_FALL * second || libm::log(first / second) < SURELY * varies {
        return none("has no knee: writes go on as they began");
    }
    let seconds = widths(windows);
    let written: f64 = rates[..knee].iter().zip(&seconds).map(|(rate, s)| rate * s).sum();
    if written > MOST_OF_DRIVE * capacity_bytes {
        return none("falls after most of the drive was written, which garbage collection does too");
    }
    let size = |written: f64, fall: f64| written * (1.0 - 1.0 / fall.max(1.0));
    let window = first * seconds[knee];
    let error = libm::exp(Z95 * varies * libm::sqrt(1.0 / knee as f64 + 1.0 / (rates.len() - knee) as f64));
    let fall = first / second;
    Ok(CacheSize {
        bytes: size(written, fall),
        low: size((written - window).max(window), fall / error),
        high: size(written + window, fall * error),
        file: log.file.clone(),
    })
}

/// The mean of rates in the logarithm.
fn level(rates: &[f64]) -> f64 {
    libm::exp(rates.iter().map(|rate| libm::log(*rate)).sum::<f64>() / rates.len() as f64)
}

/// Squares of the logarithms of rates around a level before a window and one from it on.
fn spread_around(rates: &[f64], knee: usize) -> f64 {
    let of = |rates: &[f64]| {
        let level = level(rates);
        rates.iter().map(|rate| libm::log(rate / level)).map(|off| off * off).sum::<f64>()
    };
    of(&rates[..knee]) + of(&rates[knee..])
}

/// How long each window is, in seconds; the first is as long as the one after it.
fn widths(windows: &[Window]) -> Vec<f64> {
    let between: Vec<f64> = windows.windows(2).map(|pair| pair[1].at_s - pair[0].at_s).collect();
    std::iter::once(between[0]).chain(between.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use qoscope_interop::fio::log;

    /// A log of bandwidth in windows of 100 ms: so many at one rate, and then at another, in KiB/s.
    fn of(first: usize, fast: u64, then: usize, slow: u64, file: &str) -> Log {
        let rates = std::iter::repeat_n(fast, first).chain(std::iter::repeat_n(slow, then));
        let line = |(at, rate): (usize, u64)| format!("{}, {}, 1, 0, 0\n", 100 * (at + 1), rate + (at % 2) as u64);
        log(&rates.enumerate().map(line).collect::<String>(), file).unwrap()
    }

    #[test]
    fn is_what_was_written_until_the_knee_less_what_went_on() {
        // Two seconds at 1 GiB/s, and then a quarter of it: 2 GiB, of which three quarters stayed.
        let size = cache_size(&of(20, 1 << 20, 40, 1 << 18, "fill_bw.1.log"), &[], 1e12).unwrap();
        let right = 1.5 * f64::from(1 << 30);
        assert!((size.bytes / right - 1.0).abs() < 1e-4, "{size:?}");
        // One window more or less: a twentieth.
        assert!((size.low / right - 0.95).abs() < 1e-3 && (size.high / right - 1.05).abs() < 1e-3, "{size:?}");
    }

    #[test]
    fn of_a_log_that_does_not_tell_it_is_said_why() {
        let why = |log: Log, capacity: f64| cache_size(&log, &[], capacity).unwrap_err();
        assert!(why(of(20, 1000, 20, 1000, "a_bw.1.log"), 1e12).contains("no knee"));
        assert!(why(of(20, 1000, 20, 900, "a_bw.1.log"), 1e12).contains("no knee"));
        assert!(why(of(20, 1000, 20, 2000, "a_bw.1.log"), 1e12).contains("no knee"));
        assert!(why(of(2, 1000, 2, 100, "a_bw.1.log"), 1e12).contains("too few"));
        assert!(why(of(20, 1000, 20, 0, "a_bw.1.log"), 1e12).contains("without writes"));
        assert!(why(of(20, 1000, 20, 100, "a_clat.1.log"), 1e12).contains("latencies"));
        assert!(why(of(20, 1000, 20, 100, "a_iops.1.log"), 1e12).contains("of no job"));
        assert!(why(of(20, 1 << 20, 40, 1 << 18, "a_bw.1.log"), 3e9).contains("garbage collection"));
    }
}
