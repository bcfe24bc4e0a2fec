//! The stages of a request, one after the other: what the matrix of "where the time goes" is made of.

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::{Operation, Request, Stage, Visit};

/// Stages of a request.
pub const STAGES: usize = 9;

/// A stage, as the catalogue has it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageEntry {
    /// Its name in summaries and exports.
    pub id: &'static str,
    /// Name on the screen.
    pub title: &'static str,
    /// What happens in it, as a sentence.
    pub sentence: &'static str,
    /// What makes it long, as a sentence.
    pub bound: &'static str,
    /// Whether only requests to devices pass it.
    pub of_device: bool,
}

/// The stages, in the order in which a request passes them.
pub const STAGE_ENTRIES: [StageEntry; STAGES] = [
    StageEntry {
        id: "hostQueue",
        title: "Host queue",
        sentence: "From the hand-over of a request to its first byte sent: queue depth, software of the host, its connection.",
        bound: "Long where more is asked for than the connection carries, or where the queue pair is full.",
        of_device: false,
    },
    StageEntry {
        id: "networkOut",
        title: "Network out",
        sentence: "From the first byte sent to the target having all it needs: the command of a read, the data of a write.",
        bound: "Long where links are full, and one round trip longer where the target asks for the data of a write.",
        of_device: false,
    },
    StageEntry {
        id: "target",
        title: "Target software",
        sentence: "From there to the submission queues of the devices: the software of the target.",
        bound: "Long where the cores of the target, or a stage that serves one after the other, are busy.",
        of_device: true,
    },
    StageEntry {
        id: "submissionQueue",
        title: "Submission queue",
        sentence: "In the submission queue, until the controller fetches the command.",
        bound: "Long where the device is full: NVMe arbitration and weights decide here.",
        of_device: true,
    },
    StageEntry {
        id: "deviceQueue",
        title: "Device queue",
        sentence: "In the device, waiting for its die, its plane or the write cache, host link included.",
        bound: "Long where other pages are before it: reads come before writes, and the queues of the dies follow the class.",
        of_device: true,
    },
    StageEntry {
        id: "garbageCollection",
        title: "Held by GC",
        sentence: "In the device, waiting behind garbage collection.",
        bound: "Long where few blocks are free: over-provisioning, the write rate and the thresholds of GC decide.",
        of_device: true,
    },
    StageEntry {
        id: "channel",
        title: "Channel",
        sentence: "Waiting for the channel of the die, and on it.",
        bound: "Long where many dies share a channel, or where its rate is low.",
        of_device: true,
    },
    StageEntry {
        id: "media",
        title: "Flash or memory",
        sentence: "In the array: the time that the cells themselves take.",
        bound: "The page read or program time of the flash, or the access time of the memory.",
        of_device: true,
    },
    StageEntry {
        id: "networkBack",
        title: "Network back",
        sentence: "From the end of the storage to the application: software of the target, the answer, software of the host.",
        bound: "Long where links towards the initiator are full, as under many reads.",
        of_device: false,
    },
];

/// Time of a request that is done in every stage. They add up to its latency.
pub fn stage_times_ps(request: &Request, visit: Option<&Visit>) -> [u64; STAGES] {
    let host_queue_ps = request.span_ps(Stage::Issued, Stage::Sent);
    let Some(visit) = visit else {
        return match request.operation {
            Operation::Write => [host_queue_ps, request.span_ps(Stage::Sent, Stage::Done), 0, 0, 0, 0, 0, 0, 0],
            Operation::Read => {
                let (out_ps, back_ps) =
                    (request.span_ps(Stage::Sent, Stage::Arrived), request.span_ps(Stage::Arrived, Stage::Done));
                [host_queue_ps, out_ps, 0, 0, 0, 0, 0, 0, back_ps]
            }
        };
    };
    let served = &visit.served;
    let spent = &served.spent;
    let inside_ps = served.at_ps - served.fetched_ps;
    // What the last page of a request spent where, never more than the request itself.
    let mut left_ps = inside_ps;
    let mut part = |ps: u64| {
        let ps = ps.min(left_ps);
        left_ps -= ps;
        ps
    };
    let media_ps = part(spent.array_ps);
    let channel_ps = part(spent.transfer_ps + spent.waited_channel_ps);
    let collection_ps = part(spent.held_by_gc_ps);
    let queue_ps = left_ps;
    [
        host_queue_ps,
        request.span_ps(Stage::Sent, Stage::Arrived),
        visit.submitted_ps - request.at_ps(Stage::Arrived),
        served.fetched_ps - visit.submitted_ps,
        queue_ps,
        collection_ps,
        channel_ps,
        media_ps,
        request.at_ps(Stage::Done) - served.at_ps,
    ]
}
