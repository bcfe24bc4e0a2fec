//! Whether a job tells something of a drive, and something that a scenario can be held against.

use qoscope_engine::scenario::{Diagnostic, quoted};

use super::options::Options;
use super::results::{Access, Pattern, Place};

/// An option that makes of a job what a scenario does not issue.
struct Unlike {
    option: &'static str,
    /// Values with which it changes nothing.
    harmless: &'static [&'static str],
    /// Why, after the value.
    why: &'static str,
    hint: &'static str,
}

const ONE_SIZE: &str = "Make one job for each block size.";
const FLUSHED: &str = "writes waited for flushes, of which scenarios have none";
const FLUSHES: &str = "Leave it out, unless the drive answers flushes at once for its memory outlasts a loss of power.";

/// Options with which a job is refused.
const REFUSED: [Unlike; 10] = [
    Unlike { option: "bssplit", harmless: &[], why: "a fit takes jobs of one block size", hint: ONE_SIZE },
    Unlike { option: "bsrange", harmless: &[], why: "a fit takes jobs of one block size", hint: ONE_SIZE },
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
        option: "zonemode",
        harmless: &["none"],
        why: "it went through zones",
        hint: "Run it without zones; scenarios have drives without them.",
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

/// Engines that send no requests to a drive.
pub(super) const WITHOUT_REQUESTS: [&str; 16] = [
    "null",
    "mmap",
    "splice",
    "cpuio",
    "exec",
    "net",
    "netsplice",
    "ftruncate",
    "filecreate",
    "filestat",
    "filedelete",
    "falloc",
    "e4defrag",
    "dev-dax",
    "libpmem",
    "pmemblk",
];
/// Engines that do not go through the kernel's block layer, or give it commands of the drive: there is no page cache.
const PAST_THE_KERNEL: [&str; 7] = ["spdk", "spdk_bdev", "io_uring_cmd", "sg", "xnvme", "libblkio", "external"];
/// Engines that go to storage over a network.
const OVER_A_NETWORK: [&str; 10] =
    ["rbd", "rados", "http", "nfs", "nbd", "libiscsi", "libhdfs", "gfapi", "gfapi_async", "rdma"];
/// Engines with one request outstanding.
pub(super) const SYNCHRONOUS: [&str; 5] = ["sync", "psync", "vsync", "pvsync", "pvsync2"];
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

/// Refuses a job that tells nothing of a drive, or nothing that a scenario can be held against; what is to be known of others goes to
/// `remarks`.
pub(super) fn is_suitable(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    let given = |unlike: &Unlike| {
        let value = options.get(unlike.option).filter(|value| !unlike.harmless.contains(value))?;
        Some(format!("is {}: {}", quoted(value), unlike.why))
    };
    for unlike in &REFUSED {
        if let Some(reason) = given(unlike) {
            return at.refused(unlike.option, reason, unlike.hint);
        }
    }
    for unlike in &REMARKED {
        remarks.extend(given(unlike).map(|reason| at.remark(unlike.option, reason, unlike.hint)));
    }
    if options.flag("lat_percentiles") == Some(true) && options.flag("clat_percentiles") == Some(false) {
        let reason = "is 1: percentiles hold submission as well, and are left out beside latencies of completion";
        remarks.push(at.remark("lat_percentiles", reason, "Leave lat_percentiles and clat_percentiles out."));
    }
    goes_to_a_drive(at, options, remarks)
}

fn goes_to_a_drive(at: &Place, options: &Options, remarks: &mut Vec<Diagnostic>) -> Result<(), Box<Diagnostic>> {
    let engine = engine(options);
    if WITHOUT_REQUESTS.contains(&engine) {
        let reason = format!("is {}: it sends no requests to a drive", quoted(engine));
        return at.refused("ioengine", reason, "Use libaio or io_uring.");
    }
    if OVER_A_NETWORK.contains(&engine) {
        let reason = format!("is {}: latencies hold a network and a server beside the drive", quoted(engine));
        remarks.push(at.remark("ioengine", reason, "Run it beside jobs on the host of the drive, or there."));
        return Ok(());
    }
    if PAST_THE_KERNEL.contains(&engine) {
        return Ok(());
    }
    let direct = options.flag("direct").or_else(|| options.flag("buffered").map(|buffered| !buffered));
    if direct != Some(true) {
        let reason = "is not set: requests went through the page cache, so that memory was measured";
        return at.refused("direct", reason, "Set direct=1 and run it again.");
    }
    let file = |what: String| {
        let reason = format!("is {what}, a file and no device: latencies hold the time of its file system");
        let hint = "Name the device, such as /dev/nvme0n1; a job that writes destroys what is on it.";
        at.remark("filename", reason, hint)
    };
    let Some(name) = options.get("filename") else {
        remarks.push(file(options.get("directory").map_or("a file that fio made".into(), quoted)));
        return Ok(());
    };
    let names = devices(name);
    if names > 1 {
        let reason = format!("names {names} devices: a fit is of one drive");
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
    } else if !(name.starts_with("/dev/") || name.starts_with(r"\\.\")) {
        remarks.push(file(quoted(name)));
    }
    Ok(())
}

/// The engine of a job; the default on Linux where fio does not say.
fn engine<'a>(options: &Options<'a>) -> &'a str {
    let engine = options.get("ioengine").unwrap_or("psync");
    // external:/usr/lib/spdk_nvme
    engine.split(':').next().unwrap_or(engine)
}

/// How many devices a filename names: colons stand between them, unless a backslash is before one.
fn devices(name: &str) -> usize {
    let bytes = name.as_bytes();
    let is_between = |at: usize| bytes[at] == b':' && (at == 0 || bytes[at - 1] != b'\\');
    1 + (0..bytes.len()).filter(|at| is_between(*at)).count()
}

/// How addresses follow each other, and whether a job reads and whether it writes.
pub(super) fn pattern(at: &Place, options: &Options) -> Result<(Pattern, [bool; 2]), Box<Diagnostic>> {
    let rw = options.get("rw").unwrap_or("read");
    let kind = rw.split([':', ',']).next().unwrap_or_default();
    Ok(match kind {
        "read" => (Pattern::Sequential, [true, false]),
        "write" => (Pattern::Sequential, [false, true]),
        "rw" | "readwrite" => (Pattern::Sequential, [true, true]),
        "randread" => (Pattern::Random, [true, false]),
        "randwrite" => (Pattern::Random, [false, true]),
        "randrw" => (Pattern::Random, [true, true]),
        _ => {
            let hint = "Leave the job out, or use randread, randwrite, randrw, read, write or rw.";
            return at.refused("rw", format!("is {}: drives are fitted to reads and writes", quoted(rw)), hint);
        }
    })
}

/// How requests reach the drive. A device of the kernel is one like another wherever its drive is, so that somebody has to say it:
/// `description` that names the protocol. SPDK's plugin names its transport in `filename`: `trtype=RDMA traddr=192.168.100.8 ns=1`
/// (spdk/spdk, `examples/nvme/fio_plugin/README.md`, commit 2209dec).
pub(super) fn access(options: &Options) -> Access {
    let words = |option: &str| options.get(option).unwrap_or_default().to_ascii_lowercase();
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
    let asked = at.whole(options, "iodepth", 1)?;
    let engine = engine(options);
    if asked == 1 || !SYNCHRONOUS.contains(&engine) {
        return Ok(asked);
    }
    let reason = format!("is {asked}, but {} has one request outstanding", quoted(engine));
    remarks.push(at.remark("iodepth", reason, "It is taken as 1. Use libaio or io_uring for more."));
    Ok(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colons_stand_between_devices_unless_escaped() {
        assert_eq!(devices("/dev/nvme0n1"), 1);
        assert_eq!(devices("/dev/nvme0n1:/dev/nvme1n1"), 2);
        assert_eq!(devices(r"/dev/disk/by-path/pci-0000\:00\:1f.2"), 1);
    }

    #[test]
    fn the_docs_name_every_option() {
        let docs = include_str!("../../../../../docs/measurements.md");
        for unlike in REFUSED.iter().chain(&REMARKED) {
            assert!(docs.contains(&format!("`{}`", unlike.option)), "{}", unlike.option);
        }
    }
}
