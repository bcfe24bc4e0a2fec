//! Whether a job tells something of a drive, and something that a scenario can be held against.

use std::borrow::Cow;

use qoscope_engine::scenario::{Diagnostic, quoted};

use super::asked::{Operation, devices, is_device, read_share};
use super::engines::Engine;
use super::job_types::{Access, Pattern};
use super::options::{Options, ZoneMode, parts};
use super::place::Place;

/// An option that makes of a job what a scenario does not issue.
struct Unlike {
    option: &'static str,
    /// Values with which it changes nothing.
    harmless: &'static [&'static str],
    /// Why, after the value.
    why: &'static str,
    hint: &'static str,
}

const FLUSHED: &str = "writes waited for flushes, of which scenarios have none";
const FLUSHES: &str = "Leave it out, unless the drive answers flushes at once for its memory outlasts a loss of power.";

/// Options with which a job is refused.
const REFUSED: [Unlike; 7] = [
    Unlike {
        option: "unified_rw_reporting",
        harmless: &["0", "none", "both"],
        why: "reads and writes were counted as one",
        hint: "Leave it out, and run it again.",
    },
    Unlike {
        option: "verify",
        harmless: &["0"],
        why: "what was written was read again to be verified",
        hint: "Leave it out, and run it again.",
    },
    Unlike {
        option: "thinktime",
        harmless: &["0"],
        why: "fio paused between requests",
        hint: "Use rate_iops to ask for less than the drive can do.",
    },
    Unlike {
        option: "latency_target",
        harmless: &["0"],
        why: "fio changed the requests outstanding while it measured",
        hint: "Give one iodepth instead.",
    },
    Unlike {
        option: "read_iolog",
        harmless: &[],
        why: "it replayed a log",
        hint: "Use the log as the trace of a workload instead.",
    },
    Unlike {
        option: "percentage_random",
        harmless: &["100"],
        why: "a part of the addresses was in order",
        hint: "Make one job at random and one in order.",
    },
    Unlike {
        option: "flow",
        harmless: &["0"],
        why: "it waited for another job",
        hint: "Make one job with rwmixread instead.",
    },
];

/// Options with which it is read all the same.
const REMARKED: [Unlike; 4] = [
    Unlike { option: "fsync", harmless: &["0"], why: FLUSHED, hint: FLUSHES },
    Unlike { option: "fdatasync", harmless: &["0"], why: FLUSHED, hint: FLUSHES },
    Unlike { option: "sync", harmless: &["0", "none"], why: FLUSHED, hint: FLUSHES },
    Unlike {
        option: "random_distribution",
        harmless: &["random"],
        why: "some addresses came more often than others",
        hint: "A fit takes all to be equally likely. Leave it out where caches of the drive matter.",
    },
];

/// Block devices that are no drives, by how their names begin.
const NO_DRIVES: [(&str, &str); 5] = [
    ("/dev/loop", "a loop device, a file behind a block device"),
    ("/dev/ram", "a disk in memory"),
    ("/dev/zram", "a compressed disk in memory"),
    ("/dev/pmem", "persistent memory"),
    ("/dev/nullb", "a device without medium"),
];
/// What stands in `/dev` and is no block device, by how it begins.
const NO_DEVICES: [&str; 5] = ["/dev/shm/", "/dev/null", "/dev/zero", "/dev/full", "/dev/stdout"];

/// Refuses a job that measures no drive, or has requests that no scenario issues; what is to be known of others goes to `remarks`.
pub(super) fn is_suitable(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    let given = |unlike: &Unlike| {
        let value = options.any_text(unlike.option)?.ok()?;
        (!unlike.harmless.contains(&plain(&value))).then(|| format!("is {}: {}", quoted(&value), unlike.why))
    };
    for unlike in &REFUSED {
        if let Some(reason) = given(unlike) {
            return at.refused(unlike.option, reason, unlike.hint);
        }
    }
    let zones = match at.good(options.zone_mode())? {
        ZoneMode::None => None,
        ZoneMode::Strided => Some(("skips parts of the addresses", "Leave out zonemode, zonesize and zoneskip.")),
        ZoneMode::Zbd => Some(("goes through zones", "Run it without zones; scenarios have drives without them.")),
    };
    if let Some((what, hint)) = zones {
        let option = if options.place("zonemode").is_some() { "zonemode" } else { "zonesize" };
        return at.refused(option, format!("{what}, which no request of a scenario does"), hint);
    }
    for unlike in &REMARKED {
        remarks.extend(given(unlike).map(|reason| at.remark(unlike.option, reason, unlike.hint)));
    }
    if options.is_on("lat_percentiles") && matches!(options.flag("clat_percentiles"), Some(Ok(false))) {
        let reason = "is 1: percentiles hold submission as well, and are left out beside latencies of completion";
        remarks.push(at.remark("lat_percentiles", reason, "Leave lat_percentiles and clat_percentiles out."));
    }
    goes_to_a_drive(at, options, remarks)
}

/// A value as it is compared: one of several equal parts, and 0 without its unit.
fn plain(value: &str) -> &str {
    let parts = parts(value.trim());
    let one = if parts.iter().all(|part| *part == parts[0]) { parts[0] } else { value };
    let digits = one.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    if !digits.is_empty() && digits.bytes().all(|digit| digit == b'0') { "0" } else { one }
}

fn goes_to_a_drive(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    let name = engine(options);
    match Engine::of(&name) {
        Engine::NoDrive => {
            let reason = format!("is {}: it sends no requests to a drive", quoted(&name));
            return at.refused("ioengine", reason, "Use libaio or io_uring.");
        }
        Engine::Network => {
            let reason = format!("is {}: latencies hold a network and a server beside the drive", quoted(&name));
            remarks.push(at.remark("ioengine", reason, "Run it beside jobs on the host of the drive, or there."));
            return Ok(());
        }
        Engine::Unknown => {
            let reason = format!("is {}, an engine that is not known here", quoted(&name));
            remarks.push(at.remark("ioengine", reason, "Make sure that its requests go to the drive alone."));
            return Ok(());
        }
        Engine::Direct => return Ok(()),
        Engine::Synchronous | Engine::Queued => {}
    }
    let is_buffered = at.read(options.flag("buffered"))?.map(|buffered| !buffered);
    if at.read(options.flag("direct"))?.or(is_buffered) != Some(true) {
        let reason = "is not set: requests went through the page cache, so that memory was measured";
        return at.refused("direct", reason, "Set direct=1 and run it again.");
    }
    let file = |what: String| {
        let reason = format!("is {what}, a file and no device: latencies hold the time of its file system");
        let hint = "Name the device, such as /dev/nvme0n1; a job that writes destroys what is on it.";
        at.remark("filename", reason, hint)
    };
    let devices = devices(options, at.name());
    let Some(name) = devices.first() else {
        let folder = options.any_text("directory").and_then(Result::ok);
        remarks.push(file(folder.map_or("a file that fio made".into(), |folder| quoted(&folder))));
        return Ok(());
    };
    if devices.len() > 1 {
        let reason = format!("names {} devices: a fit is of one drive", devices.len());
        return at.refused("filename", reason, "Make one job for each device.");
    }
    if NO_DEVICES.iter().any(|beginning| name.starts_with(beginning)) {
        return at.refused(
            "filename",
            format!("is {}, which is no drive", quoted(name)),
            "Name the device of a drive.",
        );
    }
    if let Some((_, what)) = NO_DRIVES.iter().find(|(beginning, _)| name.starts_with(beginning)) {
        let reason = format!("is {}, {what}: latencies are not those of a drive alone", quoted(name));
        remarks.push(at.remark("filename", reason, "Name the device of a drive, such as /dev/nvme0n1."));
    } else if !is_device(name) {
        remarks.push(file(quoted(name)));
    }
    Ok(())
}

/// The engine of a job; the default on Linux where fio does not say.
fn engine<'a>(options: &Options<'a>) -> Cow<'a, str> {
    options.any_text("ioengine").and_then(Result::ok).unwrap_or("psync".into())
}

/// How addresses follow each other, and whether a job reads and whether it writes.
pub(super) fn pattern(at: &Place, options: &Options) -> Result<(Pattern, f64), Box<Diagnostic>> {
    let operation = at.good(Operation::of(options))?;
    if operation.trims() {
        let rw = options.any_text("rw").and_then(Result::ok).unwrap_or_default();
        let hint = "Leave the job out, or use randread, randwrite, randrw, read, write or rw.";
        return at.refused("rw", format!("is {}: drives are fitted to reads and writes", quoted(&rw)), hint);
    }
    let pattern = if operation.is_sequential() { Pattern::Sequential } else { Pattern::Random };
    Ok((pattern, at.good(read_share(options))?))
}

/// How requests reach the drive. A device of the kernel is one like another wherever its drive is, so that somebody has to say it:
/// `description` that names the protocol. SPDK's plugin names its transport in `filename`: `trtype=RDMA traddr=192.168.100.8 ns=1`
/// (spdk/spdk, `examples/nvme/fio_plugin/README.md`, commit 2209dec).
pub(super) fn access(options: &Options) -> Access {
    let words =
        |option: &'static str| options.any_text(option).and_then(Result::ok).unwrap_or_default().to_ascii_lowercase();
    let (file, description) = (words("filename"), words("description"));
    let is_named = |transport: &str, protocol: &str| {
        let other = protocol.replace('-', "/");
        file.split_whitespace().any(|key| key.strip_prefix("trtype=") == Some(transport))
            || description.contains(protocol)
            || description.contains(&other)
    };
    [("tcp", Access::NvmeTcp), ("rdma", Access::NvmeRdma)]
        .into_iter()
        .find(|(transport, access)| is_named(transport, access.id()))
        .map_or(Access::Local, |(_, access)| access)
}

/// Requests outstanding of each clone.
pub(super) fn iodepth(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<u32, Box<Diagnostic>> {
    let asked = at.whole(options, "iodepth")?;
    let engine = engine(options);
    if asked == 1 || Engine::of(&engine) != Engine::Synchronous {
        return Ok(asked);
    }
    let reason = format!("is {asked}, but {} has one request outstanding", quoted(&engine));
    remarks.push(at.remark("iodepth", reason, "It is taken as 1. Use libaio or io_uring for more."));
    Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_change_nothing_are_compared_without_units() {
        assert_eq!(["0", "0us", "00s", "0,0"].map(plain), ["0"; 4]);
        assert_eq!(["100,100", "none", "10us"].map(plain), ["100", "none", "10us"]);
    }

    #[test]
    fn the_docs_name_every_option() {
        let docs = include_str!("../../../../../docs/measurements.md");
        for unlike in REFUSED.iter().chain(&REMARKED) {
            assert!(docs.contains(&format!("`{}`", unlike.option)), "{}", unlike.option);
        }
    }
}
