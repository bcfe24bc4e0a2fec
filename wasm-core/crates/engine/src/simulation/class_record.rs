//! Latencies and counts of one class.

use std::borrow::Cow;

use crate::access::{Operation, Request, Stage};
use crate::kernel::breakdown::Breakdown;
use crate::kernel::histogram::LatencyHistogram;
use crate::qos::backlog::BacklogTrend;
use crate::simulation::metrics::STAGES;
use crate::storage::Kept;

/// Latencies and counts of one class since the end of the warm-up.
#[derive(Clone, Debug, Default)]
pub struct ClassRecord {
    /// Of reads and of writes: from the hand-over of a request to its last byte delivered.
    pub(super) by_operation: [LatencyHistogram; 2],
    /// The part of it on the way of the command of a read, from its first byte sent on.
    pub(super) commands: LatencyHistogram,
    /// The part of it on the way of the data: of a write from the first byte sent on, of a read from when the target has the
    /// command.
    pub network: LatencyHistogram,
    /// The part of it before the first byte is sent.
    pub host_queue: LatencyHistogram,
    /// The part of it at devices: from the submission queue to the completion.
    pub device: LatencyHistogram,
    /// Payload delivered inside of hosts before the end of the warm-up, in bytes.
    pub local_before: u64,
    /// How its contract was kept before the measured part of the run.
    pub kept_before: Kept,
    /// Where the time of reads and of writes went.
    pub stages: [Breakdown<STAGES>; 2],
    /// Requests handed over.
    pub issued: u64,
    /// Requests delivered.
    pub completed: u64,
    /// Requests turned away because too many were waiting.
    pub turned_away: u64,
    /// Of those delivered, those that took longer than the latency target.
    pub missed: u64,
    /// Sum of the throughputs of the requests, each its size over its latency, in bits per second.
    pub request_bps: u128,
    /// Bytes handed over.
    pub offered_bytes: u128,
    /// How much of what was handed over since the start of the run was not delivered at the samples.
    pub backlog: BacklogTrend,
    /// Quality factors: sum, least, greatest, number.
    pub quality: (f64, f64, f64, u64),
}

impl ClassRecord {
    pub(super) fn add_latency(&mut self, request: &Request, latency_ps: u64) {
        self.by_operation[request.operation as usize].record_ps(latency_ps);
        if request.operation == Operation::Read {
            let command_ps = request.span_ps(Stage::Sent, Stage::Arrived);
            if command_ps > 0 {
                self.commands.record_ps(command_ps);
            }
        }
    }

    /// Latency of all requests.
    pub fn latency(&self) -> Cow<'_, LatencyHistogram> {
        let [reads, writes] = &self.by_operation;
        match (reads.count(), writes.count()) {
            (_, 0) => Cow::Borrowed(reads),
            (0, _) => Cow::Borrowed(writes),
            _ => Cow::Owned(reads.with(writes)),
        }
    }

    /// Latency of reads; none if there were none.
    pub fn reads(&self) -> Option<&LatencyHistogram> {
        self.of(Operation::Read)
    }

    /// Time that commands of reads were on their way; none if there were none.
    pub fn commands(&self) -> Option<&LatencyHistogram> {
        self.reads().map(|_| &self.commands)
    }

    /// Latency of writes; none if there were none.
    pub fn writes(&self) -> Option<&LatencyHistogram> {
        self.of(Operation::Write)
    }

    fn of(&self, operation: Operation) -> Option<&LatencyHistogram> {
        Some(&self.by_operation[operation as usize]).filter(|latency| latency.count() > 0)
    }

    /// Whether the class is offered more than it carries for good: its backlog grows, or has come to what a run may hold.
    pub fn backlog_grows(&self) -> bool {
        self.turned_away > 0 || self.backlog.grows(self.offered_bytes as f64)
    }
}
