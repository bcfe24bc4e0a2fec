//! From bytes to a trace.

use std::collections::HashMap;
use std::fmt;

use super::fields::{Fault, MAXIMUM_REQUEST_BYTES, MAXIMUM_SPAN_NS};
use super::formats::{Completed, Detection, Format, Line, Memory, Request};
use super::order::{Seconds, Window};
use super::statistics::{BadLine, Counts, Recorded, Statistics, VolumeStatistics};
use super::trace::{Operation, Record, Trace};
use crate::kernel::convert::{index, index_u32, saturated_u32};

/// Bad lines that are passed over before their share counts.
pub const MAXIMUM_BAD_LINES: u64 = 100;
/// From that number on, one line in so many may be bad.
const BAD_LINE_IN: u64 = 100;
/// Bad lines of which number, reason and text are kept.
const KEPT_BAD_LINES: usize = 10;
/// Letters of a bad line that are kept.
const KEPT_LETTERS: usize = 80;
/// Bytes of the longest line.
const MAXIMUM_LINE_BYTES: usize = 4096;
/// Lines from which the format is told, and bytes that they may take.
const HEAD_LINES: usize = 32;
const HEAD_BYTES: usize = HEAD_LINES * MAXIMUM_LINE_BYTES;
/// Volumes that are told apart.
const MAXIMUM_VOLUMES: usize = 65_536;
/// Volumes of which latencies are kept apart: each takes up to 160 kB.
const MAXIMUM_RECORDED_VOLUMES: usize = 256;
/// Number of what is of none of these.
const BEYOND: u32 = u32::MAX;
/// Picoseconds in a nanosecond.
const PS_PER_NS: u64 = 1000;

/// Which requests are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Of which volumes, by name; of all where there are none.
    pub volumes: Vec<String>,
    /// From which instant of the trace on.
    pub from_ps: u64,
    /// Up to which instant of the trace.
    pub until_ps: u64,
    /// How many at most.
    pub max_requests: usize,
}

impl Default for Selection {
    /// All of them.
    fn default() -> Self {
        Self { volumes: Vec::new(), from_ps: 0, until_ps: u64::MAX, max_requests: usize::MAX }
    }
}

/// Why a trace cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// It is packed.
    Compressed,
    /// Its lines are of no known format. With the first of them.
    UnknownFormat(String),
    /// Its lines are of either format.
    Ambiguous(Format, Format),
    /// Too many of its lines are bad: how many, of how many, and the first.
    BadLines(Format, u64, u64, BadLine),
    /// It has no request; with what it has instead, if that is known.
    Empty(Format, Option<&'static str>),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Compressed => write!(f, "The trace is compressed with gzip. Unpack it first."),
            Self::UnknownFormat(line) if line.is_empty() => write!(f, "The trace is empty."),
            Self::UnknownFormat(line) => {
                write!(f, "The trace is of no known format. State its format if you know it. It begins with: {line}")
            }
            Self::Ambiguous(one, other) => {
                write!(f, "The trace could be of the format {} or {}. State which.", one.id(), other.id())
            }
            Self::BadLines(format, bad, lines, first) => {
                write!(f, "{bad} of the first {lines} lines cannot be read as the format {}. {first}", format.id())
            }
            Self::Empty(_, Some(instead)) => write!(f, "The trace {instead}."),
            Self::Empty(format, None) => write!(f, "The trace has no request of the format {}.", format.id()),
        }
    }
}

/// Reads a trace piece by piece. A piece may end anywhere.
#[derive(Clone, Debug)]
pub struct TraceReader {
    stated: Option<Format>,
    selection: Selection,
    /// What has come before the format is known; none afterwards.
    head: Option<Vec<u8>>,
    head_lines: usize,
    lines: Lines,
    /// The line that has come in part.
    partial: Vec<u8>,
    /// Whether that is longer than any line may be: its rest is passed over.
    overlong: bool,
}

/// What becomes of lines once their format is known.
#[derive(Clone, Debug)]
struct Lines {
    format: Format,
    memory: Memory,
    statistics: Statistics,
    volumes: HashMap<Box<[u8]>, u32>,
    /// The volume of the request before, which most often is that of the next.
    last_volume: (Vec<u8>, u32),
    /// Instant of the first request that was read.
    first_ns: Option<u64>,
    seconds: Seconds<Record>,
    window: Window<Record>,
    kept: Kept,
}

/// What is kept.
#[derive(Clone, Debug)]
struct Kept {
    selection: Selection,
    /// By number of a volume.
    selected: Vec<bool>,
    /// Instant of the first request in order.
    origin_ns: Option<u64>,
    last_ps: u64,
    complete: bool,
    trace: Trace,
}

impl TraceReader {
    /// Nothing has come yet of a trace of which the format is stated, or told from its first lines.
    pub fn new(stated: Option<Format>, selection: Selection) -> Self {
        Self {
            stated,
            selection: selection.clone(),
            head: Some(Vec::new()),
            head_lines: 0,
            lines: Lines::new(Format::Spc, selection),
            partial: Vec::new(),
            overlong: false,
        }
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// The format cannot be told, or too many lines are bad.
    pub fn feed(&mut self, piece: &[u8]) -> Result<(), ReadError> {
        let Some(head) = &mut self.head else { return self.take(piece) };
        // Of a large piece the beginning is enough.
        let (first, rest) = piece.split_at(piece.len().min(HEAD_BYTES.saturating_sub(head.len())));
        head.extend_from_slice(first);
        self.head_lines += memchr::memchr_iter(b'\n', first).count();
        if head.len() < HEAD_BYTES && self.head_lines < HEAD_LINES {
            return Ok(());
        }
        self.open()?;
        self.take(rest)
    }

    /// Lines read so far.
    pub fn lines_read(&self) -> u64 {
        self.lines.statistics.lines
    }

    /// Requests kept so far.
    pub fn requests_kept(&self) -> usize {
        self.lines.kept.trace.len()
    }

    /// Whether nothing that is still to come would be kept.
    pub fn is_satisfied(&self) -> bool {
        let kept = &self.lines.kept;
        kept.last_ps >= kept.selection.until_ps || kept.trace.len() >= kept.selection.max_requests
    }

    /// The end has come: what was kept, and what there was.
    ///
    /// # Errors
    /// As [`Self::feed`], or there is no request.
    pub fn finish(mut self) -> Result<(Trace, Statistics), ReadError> {
        if self.head.is_some() {
            self.open()?;
        }
        // The last line need not end.
        if !self.partial.is_empty() || self.overlong {
            self.take(b"\n")?;
        }
        self.lines.finish()
    }

    /// Finds the format, and takes what has come before it was known.
    fn open(&mut self) -> Result<(), ReadError> {
        let head = self.head.take().unwrap_or_default();
        if head.starts_with(&[0x1f, 0x8b]) {
            return Err(ReadError::Compressed);
        }
        let text = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head);
        let format = match self.stated {
            Some(format) => format,
            None => detect(text)?,
        };
        self.lines = Lines::new(format, self.selection.clone());
        self.take(text)
    }

    /// Takes a piece once the format is known.
    fn take(&mut self, piece: &[u8]) -> Result<(), ReadError> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', piece) {
            let line = &piece[start..end];
            start = end + 1;
            if self.partial.is_empty() && !self.overlong {
                self.lines.line(line)?;
                continue;
            }
            self.extend(line);
            let partial = std::mem::take(&mut self.partial);
            if std::mem::take(&mut self.overlong) {
                self.lines.overlong(&partial)?;
            } else {
                self.lines.line(&partial)?;
            }
            self.partial = partial;
            self.partial.clear();
        }
        self.extend(&piece[start..]);
        Ok(())
    }

    /// Adds to the line that has come in part.
    fn extend(&mut self, part: &[u8]) {
        let room = MAXIMUM_LINE_BYTES - self.partial.len();
        self.overlong |= part.len() > room;
        self.partial.extend_from_slice(&part[..part.len().min(room)]);
    }
}

impl Lines {
    fn new(format: Format, selection: Selection) -> Self {
        Self {
            format,
            memory: Memory::default(),
            statistics: Statistics { format: format.id(), ..Statistics::default() },
            volumes: HashMap::new(),
            last_volume: (Vec::new(), BEYOND),
            first_ns: None,
            seconds: Seconds::new(),
            window: Window::new(),
            kept: Kept {
                selection,
                selected: Vec::new(),
                origin_ns: None,
                last_ps: 0,
                complete: true,
                trace: Trace::default(),
            },
        }
    }

    /// Takes a line.
    fn line(&mut self, line: &[u8]) -> Result<(), ReadError> {
        self.statistics.lines += 1;
        let line = line.trim_ascii();
        if line.len() > MAXIMUM_LINE_BYTES {
            return self.bad(Fault::TooLong, line);
        }
        if line.is_empty() || line[0] == b'#' {
            return Ok(());
        }
        let parsed = self.format.parse(line, &mut self.memory);
        match parsed.and_then(|parsed| self.parsed(parsed)) {
            Ok(()) => Ok(()),
            Err(fault) => self.bad(fault, line),
        }
    }

    /// Takes what a line says.
    fn parsed(&mut self, line: Line<'_>) -> Result<(), Fault> {
        match line {
            Line::Other => Ok(()),
            Line::Skipped => {
                self.statistics.skipped += 1;
                Ok(())
            }
            Line::Request(request) => self.request(request),
            Line::Completed(Completed { at_ns, latency_ns, reads, volume }) => {
                let volume = self.volume(volume);
                self.record(at_ns, latency_ns, reads, volume);
                Ok(())
            }
        }
    }

    fn request(&mut self, request: Request<'_>) -> Result<(), Fault> {
        let Request { at_ns, operation, address, bytes, volume, latency_ns } = request;
        // A trim moves no data, whatever its length.
        if bytes > MAXIMUM_REQUEST_BYTES && operation != Operation::Trim {
            return Err(Fault::TooLarge);
        }
        address.checked_add(bytes).ok_or(Fault::Address)?;
        if at_ns.abs_diff(*self.first_ns.get_or_insert(at_ns)) > MAXIMUM_SPAN_NS {
            return Err(Fault::TooFar);
        }
        let volume = self.volume(volume);
        let record = Record { at_ps: 0, operation, address, bytes: saturated_u32(bytes), volume };
        self.statistics.counts.add(&record);
        match self.statistics.volumes.get_mut(volume as usize) {
            Some(of_volume) => of_volume.counts.add(&record),
            None => self.statistics.beyond += 1,
        }
        if let Some(latency_ns) = latency_ns.filter(|_| operation != Operation::Trim) {
            self.record(at_ns, latency_ns, operation == Operation::Read, volume);
        }
        let Self { window, kept, seconds, .. } = self;
        let mut release = |at_ns, record| {
            if let Some((at_ns, record)) = window.push(at_ns, record) {
                kept.take(at_ns, record);
            }
        };
        if self.format.has_whole_seconds() {
            seconds.push(at_ns, record, release);
        } else {
            release(at_ns, record);
        }
        Ok(())
    }

    /// Counts how long a request took that came at an instant, if it is of what was selected.
    fn record(&mut self, at_ns: u64, latency_ns: u64, reads: bool, volume: u32) {
        let at_ps = at_ns.saturating_sub(self.first_ns.unwrap_or(at_ns)).saturating_mul(PS_PER_NS);
        if !self.kept.selects(volume, at_ps) {
            return;
        }
        let number = index(u64::from(volume));
        self.statistics.recorded.add(reads, latency_ns);
        if number < MAXIMUM_RECORDED_VOLUMES
            && let Some(of_volume) = self.statistics.volumes.get_mut(number)
        {
            of_volume.recorded.add(reads, latency_ns);
        }
    }

    /// The number of a volume by its name in a line.
    fn volume(&mut self, name: &[u8]) -> u32 {
        if self.last_volume.0 == name && self.last_volume.1 != BEYOND {
            return self.last_volume.1;
        }
        let number = match self.volumes.get(name) {
            Some(&number) => number,
            None => self.add_volume(name),
        };
        let (last, last_number) = &mut self.last_volume;
        last.clear();
        last.extend_from_slice(name);
        *last_number = number;
        number
    }

    #[cold]
    fn add_volume(&mut self, name: &[u8]) -> u32 {
        let number = self.volumes.len();
        if number == MAXIMUM_VOLUMES {
            return BEYOND;
        }
        let said = self.format.volume_name(name);
        self.kept.add_volume(said.clone());
        self.statistics.volumes.push(VolumeStatistics {
            name: said,
            counts: Counts::default(),
            recorded: Recorded::default(),
        });
        self.volumes.insert(name.into(), index_u32(number));
        index_u32(number)
    }

    /// A line that was cut off, since it was too long.
    fn overlong(&mut self, beginning: &[u8]) -> Result<(), ReadError> {
        self.statistics.lines += 1;
        self.bad(Fault::TooLong, beginning)
    }

    #[cold]
    fn bad(&mut self, fault: Fault, line: &[u8]) -> Result<(), ReadError> {
        let statistics = &mut self.statistics;
        statistics.bad += 1;
        if statistics.bad_lines.len() < KEPT_BAD_LINES {
            let bad = BadLine { number: statistics.lines, reason: fault.reason(), text: shortened(line) };
            statistics.bad_lines.push(bad);
        }
        if statistics.bad > MAXIMUM_BAD_LINES && statistics.bad * BAD_LINE_IN > statistics.lines {
            let first = statistics.bad_lines[0].clone();
            return Err(ReadError::BadLines(self.format, statistics.bad, statistics.lines, first));
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(Trace, Statistics), ReadError> {
        let Self { seconds, window, kept, .. } = &mut self;
        seconds.flush(|at_ns, record| {
            if let Some((at_ns, record)) = window.push(at_ns, record) {
                kept.take(at_ns, record);
            }
        });
        while let Some((at_ns, record)) = window.pop() {
            kept.take(at_ns, record);
        }
        let mut statistics = self.statistics;
        if statistics.counts.requests() == 0 {
            return Err(match statistics.bad_lines.first() {
                Some(first) => ReadError::BadLines(self.format, statistics.bad, statistics.lines, first.clone()),
                None => ReadError::Empty(self.format, self.memory.without_requests()),
            });
        }
        (statistics.reordered, statistics.late) = (self.window.reordered, self.window.late);
        (statistics.span_ps, statistics.complete) = (self.kept.last_ps, self.kept.complete);
        statistics.kept = self.kept.trace.len() as u64;
        statistics.remarks = self.memory.remarks();
        Ok((self.kept.trace, statistics))
    }
}

impl Kept {
    fn add_volume(&mut self, name: String) {
        let names = &self.selection.volumes;
        self.selected.push(names.is_empty() || names.contains(&name));
        self.trace.add_volume(name);
    }

    /// Whether a request of a volume at an instant is wanted.
    fn selects(&self, volume: u32, at_ps: u64) -> bool {
        let selection = &self.selection;
        let is_selected = match self.selected.get(volume as usize) {
            Some(&selected) => selected,
            None => selection.volumes.is_empty(),
        };
        is_selected && (selection.from_ps..selection.until_ps).contains(&at_ps)
    }

    /// Takes the next request in order.
    fn take(&mut self, at_ns: u64, record: Record) {
        let origin_ns = *self.origin_ns.get_or_insert(at_ns);
        let at_ps = (at_ns - origin_ns) * PS_PER_NS;
        self.last_ps = at_ps;
        if !self.selects(record.volume, at_ps) {
            return;
        }
        if self.trace.len() >= self.selection.max_requests {
            self.complete = false;
            return;
        }
        self.trace.push(Record { at_ps, ..record });
    }
}

/// The format of a text that begins so.
fn detect(head: &[u8]) -> Result<Format, ReadError> {
    let is_said = |line: &&[u8]| !line.is_empty() && line[0] != b'#' && line.len() <= MAXIMUM_LINE_BYTES;
    let lines = head.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(is_said);
    // What has come last may be half a line.
    let lines = lines.take(HEAD_LINES);
    Format::of_lines(lines.clone()).map_err(|found| match found {
        Detection::Unknown => ReadError::UnknownFormat(lines.clone().next().map(shortened).unwrap_or_default()),
        Detection::Ambiguous(one, other) => ReadError::Ambiguous(one, other),
    })
}

/// The beginning of a line, as it can be shown.
fn shortened(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(4 * KEPT_LETTERS)]);
    let mut letters = text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter });
    let mut shown: String = letters.by_ref().take(KEPT_LETTERS).collect();
    if letters.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests;
