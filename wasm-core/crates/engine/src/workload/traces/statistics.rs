//! What a trace holds, counted while it is read.

use std::fmt;

use crate::kernel::histogram::LatencyHistogram;

use super::trace::{Operation, Record};

/// A line that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub number: u64,
    /// What is wrong with it, as the end of the sentence "Line 17 ...".
    pub reason: String,
    /// Its beginning.
    pub text: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Line {} {}: {}", self.number, self.reason, self.text)
    }
}

/// Requests and bytes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Reads.
    pub reads: u64,
    /// Writes.
    pub writes: u64,
    /// Trims.
    pub trims: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Bytes written.
    pub written_bytes: u64,
    /// The first byte behind all that was read and written.
    pub end_address: u64,
}

impl Counts {
    /// Counts a request.
    pub fn add(&mut self, record: &Record) {
        let bytes = u64::from(record.bytes);
        match record.operation {
            Operation::Read => {
                self.reads += 1;
                self.read_bytes = self.read_bytes.saturating_add(bytes);
            }
            Operation::Write => {
                self.writes += 1;
                self.written_bytes = self.written_bytes.saturating_add(bytes);
            }
            Operation::Trim => {
                self.trims += 1;
                return;
            }
        }
        self.end_address = self.end_address.max(record.address.saturating_add(bytes));
    }

    /// Requests of all kinds.
    pub fn requests(&self) -> u64 {
        self.reads + self.writes + self.trims
    }

    /// Bytes read and written.
    pub fn bytes(&self) -> u64 {
        self.read_bytes.saturating_add(self.written_bytes)
    }

    /// Share of the reads among reads and writes; none without either.
    pub fn read_fraction(&self) -> Option<f64> {
        let moving = self.reads + self.writes;
        (moving > 0).then(|| self.reads as f64 / moving as f64)
    }

    /// Mean size of reads and writes; none without either.
    pub fn mean_bytes(&self) -> Option<f64> {
        let moving = self.reads + self.writes;
        (moving > 0).then(|| self.bytes() as f64 / moving as f64)
    }
}

/// How long requests took when a trace was recorded, where its format says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Reads.
    pub reads: LatencyHistogram,
    /// Writes.
    pub writes: LatencyHistogram,
}

impl Recorded {
    /// Counts one.
    pub fn add(&mut self, reads: bool, latency_ns: u64) {
        let histogram = if reads { &mut self.reads } else { &mut self.writes };
        histogram.record_ps(latency_ns.saturating_mul(1000));
    }
}

/// What was asked of one volume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VolumeStatistics {
    /// Its name in the trace.
    pub name: String,
    /// Its requests.
    pub counts: Counts,
    /// How long they took; of no more than the first 256 volumes.
    pub recorded: Recorded,
}

/// What a trace holds, of all volumes, whether kept or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Its format, by name.
    pub format: &'static str,
    /// Lines read.
    pub lines: u64,
    /// Its requests.
    pub counts: Counts,
    /// How long those that were selected took.
    pub recorded: Recorded,
    /// Requests that were left out: without data, without an answer, or of a kind that moves none.
    pub skipped: u64,
    /// Lines that could not be read.
    pub bad: u64,
    /// The first of them.
    pub bad_lines: Vec<BadLine>,
    /// How the requests were read, where the format leaves a choice, as sentences.
    pub remarks: Vec<String>,
    /// Requests that came behind a later one.
    pub reordered: u64,
    /// Of these, those too late to be put in order: they are taken to have come when the one before them did.
    pub late: u64,
    /// Time from the first request to the last.
    pub span_ps: u64,
    /// The volumes, in the order in which they were met.
    pub volumes: Vec<VolumeStatistics>,
    /// Requests of volumes beyond the number that is told apart.
    pub beyond: u64,
    /// Requests that were selected and kept.
    pub kept: u64,
    /// Whether every request that was selected has been kept.
    pub complete: bool,
}

impl Statistics {
    /// Puts the volumes with most requests first, those with equally many by name.
    pub fn busiest_first(&mut self) {
        let requests = |volume: &VolumeStatistics| volume.counts.requests();
        self.volumes
            .sort_unstable_by(|one, other| requests(other).cmp(&requests(one)).then_with(|| one.name.cmp(&other.name)));
    }
}
