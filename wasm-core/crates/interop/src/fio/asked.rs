//! What a job asks for, by its options: operations, rates and devices, for job files and results alike.
//!
//! fio 3.33, `fio(1)`: "I/O TYPE", "I/O RATE"; `init.c` (`add_job`).

use super::options::{Misread, Options, Read};

/// Kinds of operations by the names of fio.
const OPERATIONS: [&str; 11] = [
    "read",
    "write",
    "rw",
    "readwrite",
    "randread",
    "randwrite",
    "randrw",
    "trim",
    "randtrim",
    "trimwrite",
    "randtrimwrite",
];

/// The kind of operations of a job (`rw`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation(&'static str);

impl Default for Operation {
    fn default() -> Self {
        Self("read")
    }
}

impl Operation {
    /// The operations of a job: reads in order where it does not say.
    pub(super) fn of(options: &Options) -> Read<Self> {
        let word = options.word("rw", &OPERATIONS).transpose()?;
        Ok(word.map_or_else(Self::default, |(place, _)| Self(OPERATIONS[place])))
    }

    /// The part of the requests that reads where no mix is given.
    pub(super) fn usual_read_share(self) -> f64 {
        match self.0 {
            "read" | "randread" => 1.0,
            _ if self.is_mixed() => 0.5,
            _ => 0.0,
        }
    }

    /// Whether addresses follow each other.
    pub(super) fn is_sequential(self) -> bool {
        !self.0.starts_with("rand")
    }

    /// Whether it has trims.
    pub(super) fn trims(self) -> bool {
        self.0.contains("trim")
    }

    /// Whether it mixes reads and writes.
    pub(super) fn is_mixed(self) -> bool {
        matches!(self.0, "rw" | "readwrite" | "randrw")
    }
}

/// The option that says the mix of reads and writes, and the per cent of the requests that read: of `rwmixread` and `rwmixwrite` the later
/// one.
pub(super) fn mix(options: &Options) -> Read<Option<(&'static str, u64)>> {
    let of_reads = options.number("rwmixread", 0..=100).transpose()?;
    let of_writes = options.number("rwmixwrite", 0..=100).transpose()?.map(|percent| 100 - percent);
    let is_later = options.place("rwmixread") > options.place("rwmixwrite");
    let of_reads = of_reads.map(|percent| ("rwmixread", percent));
    let of_writes = of_writes.map(|percent| ("rwmixwrite", percent));
    Ok(if is_later { of_reads } else { of_writes.or(of_reads) })
}

/// The part of the requests that a job asks to be reads.
pub(super) fn read_share(options: &Options) -> Read<f64> {
    let operation = Operation::of(options)?;
    let mix = if operation.is_mixed() { mix(options)? } else { None };
    Ok(mix.map_or(operation.usual_read_share(), |(_, percent)| percent as f64 / 100.0))
}

/// Rates that a clone is limited to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rates {
    /// The option that says them.
    pub(super) option: &'static str,
    /// Bytes or requests a second, of reads and of writes; `None` without a limit.
    limits: [Option<u64>; 2],
}

impl Rates {
    /// The rates of a job; `None` where it has no limit.
    pub(super) fn of(options: &Options) -> Read<Option<Self>> {
        let given =
            |option: &'static str| options.pair(option, 0).map(|pair| pair.map(|limits| (option, limits))).transpose();
        let (bytes, requests) = (given("rate")?, given("rate_iops")?);
        if bytes.is_some() && requests.is_some() {
            let reason = "stands beside rate, and fio takes one of them";
            return Err(Misread::new("rate_iops", reason, "Leave one of them out."));
        }
        Ok(bytes.or(requests).map(|(option, limits)| {
            // 0 is no limit.
            Self { option, limits: limits.map(|limit| limit.filter(|limit| *limit > 0)) }
        }))
    }

    /// Reads and writes a second, where a read and a write have so many bytes.
    pub(super) fn requests(self, bytes: [f64; 2]) -> [Option<f64>; 2] {
        [0, 1].map(|kind| {
            let limit = self.limits[kind]? as f64;
            Some(if self.option == "rate" { limit / bytes[kind] } else { limit })
        })
    }
}

/// The devices or files of a job of some name, as it names them. Without `filename` fio opens a device that the job is named after.
pub(super) fn devices(options: &Options, job: &str) -> Vec<String> {
    match options.any_text("filename") {
        Some(Ok(text)) => split(&text),
        _ if is_device(job) => vec![job.into()],
        _ => Vec::new(),
    }
}

/// Whether a name is in the folder of devices, of Linux or of Windows.
pub(super) fn is_device(name: &str) -> bool {
    name.starts_with("/dev/") || name.starts_with(r"\\.\")
}

/// The names in a value: colons separate them, unless a backslash is before one.
fn split(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_separator = |at: &usize| bytes[*at] == b':' && (*at == 0 || bytes[at - 1] != b'\\');
    let mut names = Vec::new();
    let mut start = 0;
    for end in (0..bytes.len()).filter(is_separator).chain([bytes.len()]) {
        names.push(text[start..end].to_owned());
        start = end + 1;
    }
    names
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with<T>(own: Value, read: impl Fn(&Options) -> T) -> T {
        read(&Options::of_results(Some(&own), None))
    }

    #[test]
    fn colons_separate_devices_unless_escaped() {
        assert_eq!(split("/dev/nvme0n1"), ["/dev/nvme0n1"]);
        assert_eq!(split("/dev/nvme0n1:/dev/nvme1n1"), ["/dev/nvme0n1", "/dev/nvme1n1"]);
        assert_eq!(split(r"/dev/disk/by-path/pci-0000\:00\:1f.2").len(), 1);
    }

    #[test]
    fn job_named_as_device_opens_it() {
        assert_eq!(with(json!({}), |options| devices(options, "/dev/nvme8n1")), ["/dev/nvme8n1"]);
        assert_eq!(with(json!({ "filename": "/dev/sda" }), |options| devices(options, "/dev/sdb")), ["/dev/sda"]);
        assert!(with(json!({}), |options| devices(options, "reader")).is_empty());
    }

    #[test]
    fn later_of_two_mixes_counts() {
        let share = |own: Value| with(own, |options| read_share(options).unwrap());
        assert_eq!(share(json!({ "rw": "rw", "rwmixread": "100", "rwmixwrite": "0" })), 1.0);
        assert_eq!(share(json!({ "rw": "randrw", "rwmixread": "0" })), 0.0);
        assert_eq!(share(json!({ "rw": "randrw", "rwmixwrite": "30", "rwmixread": "60" })), 0.6);
        assert_eq!(share(json!({ "rw": "randrw" })), 0.5);
        assert_eq!(share(json!({ "rw": "randread", "rwmixread": "10" })), 1.0);
    }

    #[test]
    fn rates_may_limit_one_kind_alone() {
        let rates = |own: Value| with(own, |options| Rates::of(options).unwrap().unwrap().requests([4096.0, 8192.0]));
        assert_eq!(rates(json!({ "rate_iops": "12000," })), [Some(12_000.0), None]);
        assert_eq!(rates(json!({ "rate_iops": ",12000" })), [None, Some(12_000.0)]);
        assert_eq!(rates(json!({ "rate": "8k" })), [Some(2.0), Some(1.0)]);
        assert_eq!(rates(json!({ "rate_iops": "0,5" })), [None, Some(5.0)]);
    }
}
