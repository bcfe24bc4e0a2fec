//! The formats of traces: what each is called, how its lines are told from others, and what they say.

mod alibaba;
mod blkparse;
mod fio;
mod mqsim;
mod msr;
mod spc;
mod systor;
mod tencent;

use std::collections::HashMap;

use super::fields::Fault;
use super::trace::Operation;

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// A request.
    Request(Request<'a>),
    /// Something that belongs to the format and is no request: a heading, a comment, a pause.
    Other,
    /// A request that is left out: without data, without an answer, or of a kind that moves none.
    Skipped,
    /// That a request of another line is done.
    Completed(Completed<'a>),
}

/// A request as a line has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
    /// When it was issued, in nanoseconds since an instant of the format's choice.
    pub at_ns: u64,
    /// What it does.
    pub operation: Operation,
    /// Where on its volume.
    pub address: u64,
    /// How much.
    pub bytes: u64,
    /// The volume, as the line names it.
    pub volume: &'a [u8],
    /// How long it took when the trace was recorded, in nanoseconds; none where the line does not say.
    pub latency_ns: Option<u64>,
}

/// That a request is done whose line came before, in formats that say it in a line of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completed<'a> {
    /// When the device had it, in nanoseconds as [`Request::at_ns`].
    pub at_ns: u64,
    /// How long the device took, in nanoseconds.
    pub latency_ns: u64,
    /// Whether it read; else it wrote.
    pub reads: bool,
    /// The volume, as the line names it.
    pub volume: &'a [u8],
}

/// What a format remembers from one line to the next.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// Time that the pauses of a fio log of version 2 have added up to.
    waited_ns: u64,
    /// Version of a fio log, once its first line has said it.
    fio_version: u8,
    /// When devices were given what they have not done yet, by device, first sector and whether it reads.
    at_device_ns: HashMap<(u64, u64, bool), u64>,
    /// Whether a trace of blkparse has had an action Q.
    has_queued: bool,
    /// Whether it has had an action C.
    has_completions: bool,
    /// Requests issued at their dispatch (D), since no Q came before them.
    issued_at_dispatch: u64,
}

impl Memory {
    /// What a person should know about how the requests of a trace were read.
    pub(super) fn remarks(&self) -> Vec<String> {
        let dispatched = (self.issued_at_dispatch > 0).then(|| {
            format!(
                "Requests issued at dispatch (action D), since no Q precedes them: {}. Their time in the queue of the host is missing.",
                self.issued_at_dispatch
            )
        });
        dispatched.into_iter().collect()
    }

    /// What a trace without requests has instead, as the end of the sentence "The trace ...".
    pub(super) fn without_requests(&self) -> Option<&'static str> {
        self.has_completions.then_some(
            "has completions (action C), but neither Q nor D: record `blktrace -a queue` or `-a issue` as well",
        )
    }
}

/// The formats that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The I/O format of the Storage Performance Council.
    Spc,
    /// Traces of Microsoft Research, Cambridge.
    Msr,
    /// Traces of virtual desktops, SYSTOR '17.
    Systor,
    /// Tencent's cloud block storage.
    Tencent,
    /// Alibaba's cloud block storage.
    Alibaba,
    /// MQSim and DiskSim.
    Mqsim,
    /// Logs of fio, versions 2 and 3.
    Fio,
    /// The text that blkparse prints.
    Blkparse,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 8] =
        [Self::Spc, Self::Msr, Self::Systor, Self::Tencent, Self::Alibaba, Self::Mqsim, Self::Fio, Self::Blkparse];

    /// Its name in documents and on the command line.
    pub fn id(self) -> &'static str {
        match self {
            Self::Spc => "spc",
            Self::Msr => "msr",
            Self::Systor => "systor",
            Self::Tencent => "tencent",
            Self::Alibaba => "alibaba",
            Self::Mqsim => "mqsim",
            Self::Fio => "fio",
            Self::Blkparse => "blkparse",
        }
    }

    /// The format of that name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.id() == id)
    }

    /// What the line means. It has neither a line end nor spaces around it.
    pub(super) fn parse<'a>(self, line: &'a [u8], memory: &mut Memory) -> Result<Line<'a>, Fault> {
        match self {
            Self::Spc => spc::parse(line),
            Self::Msr => msr::parse(line),
            Self::Systor => systor::parse(line),
            Self::Tencent => tencent::parse(line),
            Self::Alibaba => alibaba::parse(line),
            Self::Mqsim => mqsim::parse(line),
            Self::Fio => fio::parse(line, memory),
            Self::Blkparse => blkparse::parse(line, memory),
        }
    }

    /// The name of a volume, as lines have it, for a person.
    pub(super) fn volume_name(self, bytes: &[u8]) -> String {
        let name = String::from_utf8_lossy(bytes).into_owned();
        if self == Self::Msr { name.replace(',', "_") } else { name }
    }

    /// Whether instants are whole seconds, so that the requests of one are spread over it.
    pub(super) fn has_whole_seconds(self) -> bool {
        self == Self::Tencent
    }

    /// The format of which these lines are. The one whose rules more than half of them keep.
    pub(super) fn of_lines<'a>(lines: impl Iterator<Item = &'a [u8]> + Clone) -> Result<Self, Detection> {
        let count = lines.clone().count();
        let fits = |format: Self| {
            let mut memory = Memory::default();
            lines.clone().filter(|line| format.parse(line, &mut memory).is_ok()).count()
        };
        decide(Self::ALL.map(|format| (format, fits(format))), count)
    }
}

/// Why the format of a file is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detection {
    /// The lines are of no known format.
    Unknown,
    /// They are of either.
    Ambiguous(Format, Format),
}

/// The only format that more than half of so many lines fit.
fn decide(fits: [(Format, usize); Format::ALL.len()], lines: usize) -> Result<Format, Detection> {
    let mut fitting = fits.into_iter().filter(|&(_, fit)| 2 * fit > lines).map(|(format, _)| format);
    match (fitting.next(), fitting.next()) {
        (Some(format), None) => Ok(format),
        (Some(one), Some(other)) => Err(Detection::Ambiguous(one, other)),
        (None, _) => Err(Detection::Unknown),
    }
}

/// A request, or a line left out because it asks for nothing.
fn request(at_ns: u64, operation: Operation, address: u64, bytes: u64, volume: &[u8]) -> Line<'_> {
    if bytes == 0 {
        return Line::Skipped;
    }
    Line::Request(Request { at_ns, operation, address, bytes, volume, latency_ns: None })
}

impl<'a> Line<'a> {
    /// The same, with how long the request took.
    fn lasting(self, latency_ns: u64) -> Self {
        match self {
            Self::Request(request) => Self::Request(Request { latency_ns: Some(latency_ns), ..request }),
            other => other,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The request of a line that stands alone.
    pub fn only(format: Format, line: &str) -> Line<'_> {
        format.parse(line.as_bytes(), &mut Memory::default()).unwrap()
    }

    /// What is wrong with a line that stands alone.
    pub fn fault(format: Format, line: &str) -> Fault {
        format.parse(line.as_bytes(), &mut Memory::default()).unwrap_err()
    }

    #[test]
    fn names_are_found_again() {
        for format in Format::ALL {
            assert_eq!(Format::from_id(format.id()), Some(format));
        }
        assert_eq!(Format::from_id("auto"), None);
    }

    #[test]
    fn one_format_must_fit_more_than_half_of_the_lines() {
        let none = Format::ALL.map(|format| (format, 0));
        assert_eq!(decide(none, 0), Err(Detection::Unknown));
        let mut fits = none;
        fits[1].1 = 5;
        assert_eq!(decide(fits, 10), Err(Detection::Unknown));
        fits[1].1 = 6;
        assert_eq!(decide(fits, 10), Ok(Format::Msr));
        fits[3].1 = 10;
        assert_eq!(decide(fits, 10), Err(Detection::Ambiguous(Format::Msr, Format::Tencent)));
    }
}
