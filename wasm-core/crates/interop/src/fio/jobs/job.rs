//! What one job asks for: operations, load and times.
//!
//! fio 3.33, `fio(1)`: "I/O TYPE", "I/O RATE", "TIME RELATED PARAMETERS"; `backend.c`: a start delay counts from the start of fio,
//! `ramp_time` comes before `runtime`; `io_u.c` (`rate_ddir`): with rates of reads and of writes these decide the mix.

use std::borrow::Cow;

use qoscope_engine::scenario::{Addresses, Interarrival, Size, Traffic, quoted};
use qoscope_engine::text::three_digits;

use super::How::{Exactly, Roughly};
use super::addresses::{Setting, addresses};
use super::options::Reader;
use super::sizes::{Sizes, sizes};
use crate::fio::asked::{Operation, Rates, mix};
use crate::fio::engines::{self, Engine};
use crate::fio::limits;
use crate::fio::options::parts;

/// What a job becomes, but for its hosts, its class and its place in time.
#[derive(Debug)]
pub(super) struct Job<'a> {
    pub(super) read_fraction: f64,
    pub(super) addresses: Addresses,
    pub(super) traffic: Traffic,
    pub(super) connections: u32,
    /// The queue depth of a job with a rate.
    pub(super) queue_depth: Option<u32>,
    pub(super) times: Times<'a>,
    /// Latency target in microseconds, and the percentile that must meet it.
    pub(super) target: Option<(f64, Option<f64>)>,
    pub(super) seed: Option<u64>,
}

/// When a job runs, in microseconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Times<'a> {
    pub(super) delay_us: u64,
    pub(super) ramp_us: u64,
    pub(super) runtime_us: Option<u64>,
    /// It waits for all before it.
    pub(super) stonewall: bool,
    /// The job that it waits for, and the line that says so.
    pub(super) wait_for: Option<(Cow<'a, str>, u32)>,
}

/// Reads a job.
pub(super) fn job<'a>(reader: &mut Reader<'a, '_>, setting: Setting) -> Job<'a> {
    refused(reader);
    let (sequential, mut reads) = operations(reader);
    let sizes = sizes(reader, reads);
    let connections = reader.number("numjobs", 1..=limits::connections());
    if let Some((clones, line)) = connections {
        let path = reader.path("connections");
        reader.ledger.add(line, path, clones.to_string());
    }
    let connections = connections.map_or(1, |(clones, _)| clones as u32);
    let (addresses, length) = addresses(reader, sequential, &sizes, setting);
    let times = times(reader);
    let requests = requests(reader, &sizes, length);
    let depth = depth(reader);
    let sources = setting.pairs.saturating_mul(u64::from(connections));
    let rate = rate(reader, &mut reads, &sizes);
    let pause = pause(reader);
    let traffic = match paced(reader, rate, pause.as_ref(), sizes.mean) {
        Some(bps) => open_loop(reader, bps, sources, requests, sizes.size),
        None => closed_loop(reader, depth, pause, requests, sizes.size),
    };
    let queue_depth = matches!(traffic, Traffic::OpenLoop { .. }).then(|| {
        if let Some((depth, line)) = depth {
            reader.ledger.add(line, "access.queueDepth", depth.to_string());
        }
        depth.map_or(1, |(depth, _)| depth)
    });
    let target = target(reader);
    let seed = seed(reader);
    Job { read_fraction: reads, addresses, traffic, connections, queue_depth, times, target, seed }
}

/// Refuses what is no workload.
fn refused(reader: &mut Reader) {
    if let Some((engine, line)) = reader.text("ioengine") {
        match Engine::of(&engine) {
            Engine::NoDrive => reader.refuse(
                line,
                "ioengine",
                format!("is {}, which sends no requests to a drive", quoted(&engine)),
                "Leave the job out, or use libaio.",
            ),
            Engine::Synchronous => {
                let path = reader.path("traffic.outstanding");
                reader.ledger.add(line, path, "one request outstanding");
            }
            Engine::Unknown => reader.ledger.nothing(line, unknown_engine(&engine)),
            Engine::Queued | Engine::Direct | Engine::Network => {
                reader.ledger.nothing(line, "The scenario says how storage is reached.")
            }
        }
    }
    for (option, hint) in [
        ("read_iolog", "Use the log as the trace of a workload instead."),
        ("merge_blktrace_file", "Use the trace as that of a workload instead."),
        ("profile", "Write the jobs themselves."),
    ] {
        if let Some(line) = reader.line(option) {
            reader.refuse(line, option, "makes of the job what a job file does not say", hint);
        }
    }
}

/// The reason why nothing follows from an engine that is none of fio's.
fn unknown_engine(engine: &str) -> String {
    let taken = "Its requests are taken for those of an engine that keeps several outstanding.";
    if engines::is_plugin(engine) {
        return format!("{} is an external engine that is not known here. {taken}", quoted(engine));
    }
    let near = Engine::closest(engine).map_or(String::new(), |near| format!(" Did you mean {near}?"));
    format!("fio has no engine {}.{near} {taken}", quoted(engine))
}

/// `rw` and the mix: whether addresses follow each other, and the part of the requests that reads.
fn operations(reader: &mut Reader) -> (bool, f64) {
    let operation = reader.settled(&["rw"], Operation::of).unwrap_or_default();
    let mut reads = operation.usual_read_share();
    if operation.is_mixed()
        && let Some(Some((option, percent))) = reader.settled(&["rwmixread", "rwmixwrite"], mix)
    {
        reads = percent as f64 / 100.0;
        let path = reader.path("readFraction");
        for line in ["rwmixread", "rwmixwrite"].map(|of| reader.line(of).filter(|_| of != option)).into_iter().flatten()
        {
            reader.ledger.nothing(line, "A line after it says the mix.");
        }
        if let Some(line) = reader.line(option) {
            reader.ledger.add(line, path, three_digits(reads));
        }
    }
    let sequential = operation.is_sequential();
    if let Some(Ok(text)) = reader.options.text("rw")
        && let Some(line) = reader.line("rw")
    {
        if operation.trims() {
            reader.refuse(
                line,
                "rw",
                format!("is {}: scenarios have reads and writes", quoted(&text)),
                "Leave the job out, or use randread, randwrite, randrw, read, write or rw.",
            );
        }
        let path = reader.path(if sequential { "addresses.pattern" } else { "readFraction" });
        let to =
            format!("{}, {} % reads", if sequential { "sequential" } else { "random" }, three_digits(100.0 * reads));
        match text.split_once(':') {
            Some((_, rest)) if !rest.is_empty() => {
                let why = if sequential {
                    "Sequential addresses leave no gaps."
                } else {
                    "Every address is drawn, also where fio goes on in order for a while."
                };
                reader.ledger.because(line, path, to, Roughly, why);
            }
            _ => reader.ledger.add(line, path, to),
        }
    }
    (sequential, reads)
}

/// `iodepth`, of an engine that can keep so many.
fn depth(reader: &mut Reader) -> Option<(u32, u32)> {
    let (depth, line) = reader.number("iodepth", 1..=limits::outstanding())?;
    let engine = reader.text("ioengine").map_or(Cow::Borrowed("psync"), |(engine, _)| engine);
    if depth > 1 && Engine::of(&engine) == Engine::Synchronous {
        let path = reader.path("traffic.outstanding");
        let why = format!(
            "{} has one request outstanding: use libaio or io_uring for more.",
            if reader.line("ioengine").is_some() { engine.as_ref() } else { "psync, fio's usual engine," }
        );
        reader.ledger.because(line, path, "1", Exactly, why);
        return None;
    }
    Some((depth as u32, line))
}

/// Requests after which each clone ends; none where time alone ends it.
fn requests(reader: &mut Reader, sizes: &Sizes, length: Option<u64>) -> Option<(u64, u32)> {
    let time_based = reader.flag("time_based");
    let is_timed = time_based.is_some_and(|(on, _)| on);
    let path = reader.path("traffic.requests");
    if let Some((_, line)) = time_based {
        let (to, why) =
            if is_timed { ("time alone ends it", "No number of requests ends the job.") } else { ("", "It is off.") };
        if is_timed { reader.ledger.add(line, path.clone(), to) } else { reader.ledger.nothing(line, why) }
    }
    let io_size = reader.extent("io_size", length.unwrap_or_default());
    let loops = reader.number("loops", 1..=limits::requests());
    let number_ios = reader.number("number_ios", 1..=u64::MAX >> 1);
    let bytes = io_size.map(|(size, line)| (size.bytes, line)).or(length.zip(reader.line("size")));
    let bytes = bytes.filter(|(bytes, _)| *bytes > 0 && !is_timed);
    let of_bytes = bytes.map(|(bytes, line)| {
        let times = loops.map_or(1, |(loops, _)| loops);
        (libm::ceil(bytes as f64 / sizes.mean).max(1.0) * times as f64, line)
    });
    for (line, of) in [(io_size.map(|(_, line)| line), "io_size"), (loops.map(|(_, line)| line), "loops")] {
        let Some(line) = line else { continue };
        match of_bytes {
            Some((requests, _)) => reader.ledger.add(line, path.clone(), counted(requests)),
            None if is_timed => reader.ledger.nothing(line, "Time alone ends the job."),
            None => reader.ledger.nothing(line, format!("{of} needs a size.")),
        }
    }
    let of_ios = number_ios.map(|(ios, line)| (ios as f64, line));
    if let Some((ios, line)) = of_ios {
        reader.ledger.add(line, path.clone(), counted(ios));
    }
    let least = [of_bytes, of_ios].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))?;
    // More than a scenario can count is more than a run comes to.
    (least.0 <= limits::requests() as f64).then_some((least.0 as u64, least.1))
}

fn counted(requests: f64) -> String {
    format!("{} requests", three_digits(requests))
}

/// A rate of each clone.
struct Rate {
    bps: f64,
    line: u32,
    /// Why it is kept roughly; `None` if exactly.
    why: Option<String>,
}

/// The rate of each clone; `None` where it has none. With rates of both kinds these decide the mix.
fn rate(reader: &mut Reader, reads: &mut f64, sizes: &Sizes) -> Option<Rate> {
    let rates = reader.settled(&["rate", "rate_iops"], Rates::of)??;
    let line = reader.line(rates.option)?;
    let means = [sizes.of_reads, sizes.of_writes];
    let iops = rates.requests(means);
    let used = [*reads > 0.0, *reads < 1.0];
    let all = |iops: [f64; 2]| 8.0 * (iops[0] * means[0] + iops[1] * means[1]);
    let (bps, why) = match [0, 1].map(|kind| iops[kind].filter(|_| used[kind])) {
        [None, None] => {
            reader.ledger.nothing(line, "It limits none of the requests that the job has.");
            return None;
        }
        [Some(of_reads), Some(of_writes)] => {
            let share = of_reads / (of_reads + of_writes);
            // Rates are whole numbers.
            let close = (share - *reads).abs() <= 0.01;
            let why = (!close).then(|| {
                format!(
                    "Rates decide the mix: {} % of the requests read, not {} %.",
                    three_digits(100.0 * share),
                    three_digits(100.0 * *reads)
                )
            });
            if !close {
                *reads = share;
            }
            (all([of_reads, of_writes]), why)
        }
        [Some(of_reads), None] if !used[1] => (all([of_reads, 0.0]), None),
        [None, Some(of_writes)] if !used[0] => (all([0.0, of_writes]), None),
        [of_reads, of_writes] => {
            let total =
                of_reads.map_or_else(|| of_writes.unwrap_or_default() / (1.0 - *reads), |of_reads| of_reads / *reads);
            let why = "It limits one kind of the requests: the other has its part of the mix, where fio lets it go as fast as it can.";
            (all([total * *reads, total * (1.0 - *reads)]), Some(why.into()))
        }
    };
    Some(Rate { bps, line, why })
}

/// Pauses of each clone (`thinktime`).
struct Pause {
    us: u64,
    line: u32,
    /// Requests from one pause to the next, and the line that says so.
    blocks: Option<(u64, u32)>,
}

impl Pause {
    fn requests(&self) -> f64 {
        self.blocks.map_or(1.0, |(blocks, _)| blocks as f64)
    }
}

fn pause(reader: &mut Reader) -> Option<Pause> {
    let think = reader.micros("thinktime", false);
    let blocks = reader.number("thinktime_blocks", 1..=u64::MAX >> 1);
    if let (None | Some((0, _)), Some((_, line))) = (think, blocks) {
        reader.ledger.nothing(line, "The job has no thinktime.");
    }
    let (us, line) = think?;
    if us == 0 {
        reader.ledger.nothing(line, "It is no pause.");
        return None;
    }
    Some(Pause { us, line, blocks })
}

/// Bits a second at which requests of each clone arrive; `None` where it has no rate, or pauses that allow fewer. After a pause fio catches
/// up with the rate, unless `rate_ignore_thinktime` is on.
fn paced(reader: &mut Reader, rate: Option<Rate>, pause: Option<&Pause>, mean_bytes: f64) -> Option<f64> {
    let Rate { bps, line, why } = rate?;
    let path = reader.path("traffic.offeredGbps");
    let to = |bps: f64| format!("{} Gb/s each", three_digits(bps / 1e9));
    let Some(pause) = pause else {
        match why {
            None => reader.ledger.add(line, path, to(bps)),
            Some(why) => reader.ledger.because(line, path, to(bps), Roughly, why),
        }
        return Some(bps);
    };
    let (iops, pause_s) = (bps / 8.0 / mean_bytes, pause.us as f64 / 1e6);
    let allowed = pause.requests() / pause_s;
    let ignored = reader.flag("rate_ignore_thinktime");
    if let Some((false, line)) = ignored {
        reader.ledger.nothing(line, "It is off.");
    }
    if let Some((true, ignores)) = ignored {
        let bps = 8.0 * mean_bytes * pause.requests() / (pause_s + pause.requests() / iops);
        let why = "Requests come at the rate between pauses, of which the mean is taken.";
        for line in
            [Some(line), Some(ignores), Some(pause.line), pause.blocks.map(|(_, line)| line)].into_iter().flatten()
        {
            reader.ledger.because(line, path.clone(), to(bps), Roughly, why);
        }
        return Some(bps);
    }
    if allowed > iops {
        let why = why.unwrap_or_else(|| "fio catches up with the rate after each pause: the mean rate is kept.".into());
        for line in [Some(line), Some(pause.line), pause.blocks.map(|(_, line)| line)].into_iter().flatten() {
            reader.ledger.because(line, path.clone(), to(bps), Roughly, why.clone());
        }
        return Some(bps);
    }
    let why = format!(
        "Pauses allow {} requests/s at most, fewer than the rate of {}: they pace the job.",
        three_digits(allowed),
        three_digits(iops)
    );
    let path = reader.path("traffic.thinkTimeUs");
    reader.ledger.because(line, path, "no rate", Roughly, why);
    None
}

fn open_loop(reader: &mut Reader, bps: f64, sources: u64, requests: Option<(u64, u32)>, size: Size) -> Traffic {
    let process = reader.word("rate_process", &["linear", "poisson"]);
    let poisson = process.as_ref().is_some_and(|(place, ..)| *place == 1);
    if let Some((.., line)) = process {
        let path = reader.path("traffic.gaps");
        reader.ledger.add(line, path, if poisson { "exponential" } else { "constant" });
    }
    Traffic::OpenLoop {
        offered_gbps: bps * sources as f64 / 1e9,
        gaps: if poisson { Interarrival::Exponential } else { Interarrival::Constant },
        requests: requests.map(|(requests, _)| requests.saturating_mul(sources).min(limits::requests())),
        size,
    }
}

fn closed_loop(
    reader: &mut Reader,
    depth: Option<(u32, u32)>,
    pause: Option<Pause>,
    requests: Option<(u64, u32)>,
    size: Size,
) -> Traffic {
    if let Some((depth, line)) = depth {
        let path = reader.path("traffic.outstanding");
        reader.ledger.add(line, path, depth.to_string());
    }
    let outstanding = depth.map_or(1, |(depth, _)| depth);
    let mut think_time_us = 0.0;
    if let Some(pause) = pause {
        let each = pause.us as f64 * f64::from(outstanding) / pause.requests();
        think_time_us = each.min(limits::think_us());
        let (path, to) = (reader.path("traffic.thinkTimeUs"), format!("{} µs", three_digits(think_time_us)));
        let why = if think_time_us < each {
            format!("A scenario takes {} s at most.", limits::think_us() / 1e6)
        } else {
            "fio pauses a whole job: each of its outstanding requests pauses for its part.".into()
        };
        if outstanding > 1 || think_time_us < each {
            reader.ledger.because(pause.line, path.clone(), to, Roughly, why);
        } else {
            reader.ledger.add(pause.line, path.clone(), to);
        }
        match pause.blocks {
            Some((1, line)) => {
                reader.ledger.because(line, path, "every request", Exactly, "A pause after every request.")
            }
            Some((blocks, line)) => reader.ledger.add(line, path, format!("{blocks} requests a pause")),
            None => {}
        }
    }
    Traffic::ClosedLoop {
        outstanding,
        requests: requests.map(|(requests, _)| requests),
        think_time_us,
        think_time_distribution: Interarrival::Constant,
        size,
    }
}

/// When it runs. What becomes of the lines depends on all jobs.
fn times<'a>(reader: &mut Reader<'a, '_>) -> Times<'a> {
    Times {
        delay_us: delay(reader).unwrap_or_default(),
        ramp_us: reader.micros("ramp_time", true).map_or(0, |(us, _)| us),
        // 0 is no limit.
        runtime_us: reader.micros("runtime", true).map(|(us, _)| us).filter(|us| *us > 0),
        stonewall: reader.flag("stonewall").is_some_and(|(on, _)| on),
        wait_for: reader.text("wait_for"),
    }
}

/// `startdelay`: a time, or a range of which fio draws one for each clone.
fn delay(reader: &mut Reader) -> Option<u64> {
    let (text, line) = reader.text("startdelay")?;
    let times = parts(&text);
    if text.contains('-')
        && !text.contains([',', ':'])
        && times[0].contains(|letter: char| letter.is_ascii_alphabetic())
    {
        let hint =
            "Write a range without units, which is of seconds: 1-5. With a unit fio reads the first as microseconds.";
        reader.refuse(line, "startdelay", format!("is {}", quoted(&text)), hint);
        return None;
    }
    let first = reader.time("startdelay", times[0], true)?;
    if let Some(second) = times.get(1).filter(|second| !second.is_empty()) {
        let second = reader.time("startdelay", second, true)?;
        if second != first {
            let path = reader.path("startUs");
            let why = "fio draws a delay of the range for each clone; all of a workload start at the first of them.";
            reader.ledger.because(line, path, "", Roughly, why);
        }
    }
    Some(first)
}

/// `latency_target` and its percentile.
fn target(reader: &mut Reader) -> Option<(f64, Option<f64>)> {
    let target = reader.micros("latency_target", false).filter(|(us, _)| *us > 0);
    let percentile = reader.text("latency_percentile").and_then(|(text, line)| {
        let number = text.trim().parse::<f64>().ok().filter(|number| (0.0..=100.0).contains(number));
        if number.is_none() {
            reader.refuse(line, "latency_percentile", format!("is {}", quoted(&text)), "Write 1 to 100.");
        }
        Some((number?, line))
    });
    if let Some((_, line)) = percentile
        && target.is_none()
    {
        reader.ledger.nothing(line, "The job has no latency_target.");
    }
    // All requests are the last that a scenario can ask for.
    target.map(|(us, _)| (us as f64, percentile.map(|(number, _)| number.clamp(1.0, 99.99))))
}

/// `randseed`, as a scenario can have it.
fn seed(reader: &mut Reader) -> Option<u64> {
    let (seed, _) = reader.number("randseed", 0..=u64::MAX >> 1)?;
    Some(seed & limits::seed())
}

/// Says what became of `filename`.
pub(super) fn say_device(reader: &mut Reader, device: &str, servers: &str) {
    let Some((text, line)) = reader.any_text("filename") else { return };
    let path = reader.path("endpoints");
    if text.len() > device.len() {
        let why = "fio goes round the devices; a workload has the server of the first.";
        reader.ledger.because(line, path, servers, Roughly, why);
    } else {
        reader.ledger.add(line, path, servers);
    }
}

/// Says what became of `name`.
pub(super) fn say_name(reader: &mut Reader, class: &str) {
    if let Some((_, line)) = reader.text("name") {
        let path = reader.path("class");
        reader.ledger.add(line, path, class);
    }
}
