//! What is told of a request that was followed.

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::{Operation, Part, Request, Stage, Visit};
use crate::kernel::time::{NEVER_PS, to_us};
use crate::simulation::metrics::{STAGES, stage_times_ps};

/// A request from its application and back. Times are in microseconds since the start of the run; what did not happen, or had
/// not when the run ended, is null.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Journey {
    /// Number of its class.
    pub class: u32,
    /// Whether it reads.
    pub reads: bool,
    /// Its size.
    pub bytes: u64,
    /// The host of its application, and the host that holds the data.
    pub from: u32,
    /// See `from`.
    pub to: u32,
    /// Requests of its class that were looked at, and how many of them it was slower than.
    pub of: u32,
    /// See `of`.
    pub slower_than: u32,
    /// When it was where.
    pub moments: Moments,
    /// Time in every stage, by the numbers of the stages; null unless it is done.
    pub stages_us: Option<[f64; STAGES]>,
    /// The packets that carried it, in the order in which they were sent.
    pub packets: Vec<PacketTrail>,
    /// Packets that carried it beside these.
    pub packets_left_out: u32,
    /// What flash did for it, page by page. Pages that come from DRAM, or go there, are not among them.
    pub pages: Vec<PageTrail>,
}

/// Instants in the life of a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Moments {
    /// Its application asked for it.
    pub issued_us: f64,
    /// Its first byte left the connection.
    pub sent_us: Option<f64>,
    /// The target had all that it needs.
    pub arrived_us: Option<f64>,
    /// Its commands were put into submission queues.
    pub submitted_us: Option<f64>,
    /// The device fetched the first of them.
    pub fetched_us: Option<f64>,
    /// The first access to flash, memory or DRAM began.
    pub started_us: Option<f64>,
    /// The target saw the last completion.
    pub served_us: Option<f64>,
    /// The first byte of the answer left the connection of the target.
    pub returned_us: Option<f64>,
    /// Its data were where they were wanted.
    pub done_us: Option<f64>,
    /// Its application was told.
    pub answered_us: Option<f64>,
}

impl Moments {
    /// Those of a request that is done.
    pub(super) fn of(request: &Request, visit: Option<&Visit>, answered_ps: Option<u64>) -> Self {
        let at = |stage| reached(request.at_ps(stage));
        Self {
            issued_us: to_us(request.at_ps(Stage::Issued)),
            sent_us: at(Stage::Sent),
            arrived_us: at(Stage::Arrived),
            submitted_us: visit.and_then(|visit| reached(visit.submitted_ps)),
            fetched_us: visit.and_then(|visit| reached(visit.served.fetched_ps)),
            started_us: visit.and_then(|visit| reached(visit.served.started_ps)),
            served_us: visit.and_then(|visit| reached(visit.served.at_ps)).filter(|&us| us > 0.0),
            returned_us: at(Stage::Returned),
            done_us: at(Stage::Done),
            answered_us: answered_ps.map(to_us),
        }
    }
}

/// Time of a request in every stage, if it is done.
pub(super) fn stages_us(request: &Request, visit: Option<&Visit>) -> Option<[f64; STAGES]> {
    (!request.is_under_way()).then(|| stage_times_ps(request, visit).map(to_us))
}

fn reached(ps: u64) -> Option<f64> {
    (ps != NEVER_PS).then(|| to_us(ps))
}

/// What a packet carried of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Leg {
    /// Its command, with the data that go with it.
    Command,
    /// Its data.
    Data,
    /// That the target is ready for more data.
    Ready,
    /// The answer: data and status.
    Answer,
    /// That all has arrived.
    Acknowledgement,
}

impl Leg {
    pub(super) fn of(part: Part, operation: Operation) -> Self {
        match part {
            Part::Transfer | Part::Burst => Self::Data,
            Part::Command => Self::Command,
            Part::Ready => Self::Ready,
            Part::Response if operation == Operation::Read => Self::Data,
            Part::Response => Self::Answer,
        }
    }
}

/// A packet on its way.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PacketTrail {
    /// What it carried of the request.
    pub leg: Leg,
    /// Bytes of payload.
    pub bytes: u32,
    /// What it carried had been sent before.
    pub again: bool,
    /// A switch marked it.
    pub marked: bool,
    /// It was dropped, or lost with a cable, behind its last hop.
    pub lost: bool,
    /// Time for which it was held back at the end of its way, because its class has a longer round trip.
    pub held_us: f64,
    /// The links that it took.
    pub hops: Vec<Hop>,
}

/// A packet in a port and on the wire behind it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hop {
    /// The link.
    pub link: u32,
    /// When it came to the port. Of the first port: up to the time of a packet earlier.
    pub joined_us: f64,
    /// Packets that it found there.
    pub found: u32,
    /// When its transmission began.
    pub begins_us: Option<f64>,
    /// When its last bit left.
    pub departs_us: Option<f64>,
    /// When it was at the far end.
    pub arrives_us: Option<f64>,
}

/// Work of flash on a page of a request.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageTrail {
    /// Number of the device, among all.
    pub device: u32,
    /// Number of the flash unit, in the device; null while that was not known.
    pub unit: Option<u32>,
    /// Whether the page was programmed, and not read.
    pub writes: bool,
    /// Since when it waited.
    pub waits_us: f64,
    /// When its command began to pass the channel.
    pub command_us: Option<f64>,
    /// When the array began, and ended, to work on it.
    pub array_us: Option<[f64; 2]>,
    /// When what was read passed the channel.
    pub transfer_us: Option<[f64; 2]>,
}
