//! The link between host and device (PCI Express): two directions, each a queue of messages.
//!
//! Down, to the device, go doorbells, commands that the device fetches and data that it fetches. Up go requests for these,
//! data read and completions. Messages wait for those before them, so the instant at which an upward message arrives is
//! known when it is sent; and what the host answers goes down in the same order. Only arrivals at the device can change an
//! order, so they alone are events. Doorbells for new commands come from outside at any time: they stand in a queue of
//! their own, and whichever of the two queues holds the earlier message is served next.

use crate::kernel::agenda::Agenda;
use crate::kernel::convert::{rounded, whole};
use crate::kernel::digest::Digest;
use crate::kernel::ring::Ring;
use crate::kernel::time::NEVER_PS;
use crate::storage::counters::Pieces;

/// How times that follow from rates are rounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// To the picosecond.
    Exact,
    /// Down to nanoseconds at each step, as MQSim computes them.
    Truncated,
}

/// A PCI Express link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkParameters {
    /// Lanes.
    pub lanes: u32,
    /// Rate of a lane in GB/s: bytes per nanosecond.
    pub lane_gbytes_per_s: f64,
    /// Bytes of a submission queue entry: 64 by the specification, 72 in MQSim.
    pub entry_bytes: u32,
    /// How times are rounded.
    pub timing: Timing,
}

/// Payload of a packet (Max_Payload_Size).
const PAYLOAD_BYTES: u64 = 128;

/// What a packet has beside its payload: transaction layer 20, data link layer 6, physical layer 2.
const OVERHEAD_BYTES: u64 = 28;

/// A request for data: a packet without payload, as MQSim counts it.
const REQUEST_BYTES: u64 = 32;

/// Bytes of a doorbell register as MQSim counts them.
const DOORBELL_BYTES: u64 = 2;

/// Bytes of a completion queue entry.
const COMPLETION_BYTES: u64 = 16;

const PS_PER_NS: u64 = 1000;

impl LinkParameters {
    /// Time on the link of a message with `bytes` of payload; the request for data has none.
    fn message_ps(&self, bytes: u64) -> u64 {
        let rest = bytes % PAYLOAD_BYTES;
        let last = if rest > 0 { rest + OVERHEAD_BYTES } else { 0 };
        let total = bytes / PAYLOAD_BYTES * (PAYLOAD_BYTES + OVERHEAD_BYTES) + last;
        self.wire_ps(if bytes == 0 { REQUEST_BYTES } else { total })
    }

    fn wire_ps(&self, bytes: u64) -> u64 {
        let rate = self.lane_gbytes_per_s;
        match self.timing {
            Timing::Exact => rounded(bytes as f64 * 1000.0 / (f64::from(self.lanes.max(1)) * rate)),
            Timing::Truncated => {
                let per_lane = bytes.div_ceil(u64::from(self.lanes.max(1)));
                whole(per_lane as f64 / rate) * PS_PER_NS
            }
        }
    }
}

/// What goes down because something has arrived at the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Answer {
    /// The doorbell of a completion queue. Nothing in the device waits for it.
    #[default]
    CompletionDoorbell,
    /// The command of a slot.
    Entry(u32),
    /// The data that the command of a slot writes.
    Data(u32),
}

/// A message that waits to go down.
#[derive(Clone, Copy, Debug, Default)]
struct Message {
    /// When the host hands it to the link.
    ready_ps: u64,
    /// Its time on the link.
    wire_ps: u64,
    answer: Answer,
}

/// What arrives at the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// The command of a slot is in its submission queue.
    Doorbell(u32),
    /// The device has read the command of a slot.
    Entry(u32),
    /// The device has the data that the command of a slot writes.
    Data(u32),
}

/// Both directions of a link.
#[derive(Clone, Debug)]
pub(super) struct Link {
    parameters: LinkParameters,
    up_free_ps: u64,
    down_free_ps: u64,
    /// Answers of the host, in the order in which they go down.
    answers: Ring<Message>,
    /// Doorbells of new commands, by slot, at the instants at which the host rings them.
    doorbells: Agenda<u32>,
    /// When the next message arrives that the device waits for.
    next_ps: u64,
    doorbell_ps: u64,
    request_ps: u64,
    entry_ps: u64,
    completion_ps: u64,
    /// The last size of data and its time.
    last: (u32, u64),
}

impl Link {
    pub(super) fn new(parameters: &LinkParameters) -> Self {
        Self {
            up_free_ps: 0,
            down_free_ps: 0,
            answers: Ring::default(),
            doorbells: Agenda::default(),
            next_ps: NEVER_PS,
            doorbell_ps: parameters.message_ps(DOORBELL_BYTES),
            request_ps: parameters.message_ps(0),
            entry_ps: parameters.message_ps(u64::from(parameters.entry_bytes.max(1))),
            completion_ps: parameters.message_ps(COMPLETION_BYTES),
            last: (0, 0),
            parameters: parameters.clone(),
        }
    }

    /// When the next arrival at the device is; [`NEVER_PS`] if nothing is on its way.
    #[inline]
    pub(super) fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// The host rings the doorbell of a new command, in a slot. Instants never fall.
    pub(super) fn ring(&mut self, at_ps: u64, slot: u32) {
        self.doorbells.push(at_ps, slot);
        self.refresh();
    }

    /// Takes the next arrival, which must exist.
    pub(super) fn take(&mut self) -> Arrival {
        loop {
            let doorbell = self.doorbells.next_ps();
            if self.answers.front().is_some_and(|answer| answer.ready_ps <= doorbell) {
                let message = self.answers.pop();
                self.down_free_ps = self.down_free_ps.max(message.ready_ps) + message.wire_ps;
                let arrival = match message.answer {
                    Answer::CompletionDoorbell => continue,
                    Answer::Entry(slot) => Arrival::Entry(slot),
                    Answer::Data(slot) => Arrival::Data(slot),
                };
                self.refresh();
                return arrival;
            }
            let (at_ps, slot) = self.doorbells.pop();
            self.down_free_ps = self.down_free_ps.max(at_ps) + self.doorbell_ps;
            self.refresh();
            return Arrival::Doorbell(slot);
        }
    }

    /// The device asks for the command of a slot.
    pub(super) fn fetch_entry(&mut self, now_ps: u64, slot: u32) {
        let ready_ps = self.send_up(now_ps, self.request_ps);
        self.answer(Message { ready_ps, wire_ps: self.entry_ps, answer: Answer::Entry(slot) });
    }

    /// The device asks for `bytes` that the command of a slot writes.
    pub(super) fn fetch_data(&mut self, now_ps: u64, slot: u32, bytes: u32) {
        let ready_ps = self.send_up(now_ps, self.request_ps);
        let wire_ps = self.data_ps(bytes);
        self.answer(Message { ready_ps, wire_ps, answer: Answer::Data(slot) });
    }

    /// The device sends `bytes` read, or none, and a completion behind it. Returns when the host sees the completion.
    pub(super) fn complete(&mut self, now_ps: u64, bytes: u32) -> u64 {
        if bytes > 0 {
            let wire_ps = self.data_ps(bytes);
            self.send_up(now_ps, wire_ps);
        }
        let ready_ps = self.send_up(now_ps, self.completion_ps);
        let wire_ps = self.doorbell_ps;
        self.answer(Message { ready_ps, wire_ps, answer: Answer::CompletionDoorbell });
        ready_ps
    }

    /// Commands and data of writes that are to go down and whose turn has come or passed.
    pub(super) fn going_down(&self, now_ps: u64) -> Pieces {
        let ready = |answer: &&Message| answer.ready_ps <= now_ps && answer.answer != Answer::CompletionDoorbell;
        Pieces::one_by_one(self.answers.iter().filter(ready).count() as u64)
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        [self.up_free_ps, self.down_free_ps, self.next_ps].into_iter().for_each(|instant| digest.word(instant));
        digest.word(u64::from(self.answers.len()) << 32 | u64::from(self.doorbells.len()));
    }

    fn data_ps(&mut self, bytes: u32) -> u64 {
        if self.last.0 != bytes {
            self.last = (bytes, self.parameters.message_ps(u64::from(bytes)));
        }
        self.last.1
    }

    /// Sends a message up. Returns when it has arrived.
    #[inline]
    fn send_up(&mut self, now_ps: u64, wire_ps: u64) -> u64 {
        self.up_free_ps = self.up_free_ps.max(now_ps) + wire_ps;
        self.up_free_ps
    }

    #[inline]
    fn answer(&mut self, message: Message) {
        self.answers.push(message);
        // Behind the doorbell of a completion nothing waits yet.
        if message.answer != Answer::CompletionDoorbell || !self.doorbells.is_empty() {
            self.refresh();
        }
    }

    /// Looks anew when the next message arrives that the device waits for. A doorbell that the host rings meanwhile may
    /// come first; then this is called again.
    #[inline]
    fn refresh(&mut self) {
        let mut free_ps = self.down_free_ps;
        let doorbell = self.doorbells.next_ps();
        let mut position = self.answers.head();
        while position != self.answers.tail() {
            let message = self.answers.at(position);
            if message.ready_ps > doorbell {
                break;
            }
            free_ps = free_ps.max(message.ready_ps) + message.wire_ps;
            if message.answer != Answer::CompletionDoorbell {
                self.next_ps = free_ps;
                return;
            }
            position = position.wrapping_add(1);
        }
        self.next_ps = if doorbell == NEVER_PS { NEVER_PS } else { free_ps.max(doorbell) + self.doorbell_ps };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// MQSim's default link.
    fn reference() -> LinkParameters {
        LinkParameters { lanes: 4, lane_gbytes_per_s: 1.0, entry_bytes: 72, timing: Timing::Truncated }
    }

    #[test]
    fn messages_take_the_times_that_mqsim_gives() {
        let ns = |bytes| reference().message_ps(bytes) / 1000;
        assert_eq!([ns(2), ns(0), ns(72), ns(16)], [8, 8, 25, 11]);
        assert_eq!([ns(4096), ns(8192), ns(16384)], [1248, 2496, 4992]);
    }

    #[test]
    fn exact_times_keep_the_fraction() {
        let link = LinkParameters { timing: Timing::Exact, ..reference() };
        assert_eq!(link.message_ps(2), 7500);
        assert_eq!(link.message_ps(4096), 1_248_000);
    }

    #[test]
    fn a_doorbell_rung_before_an_answer_is_ready_goes_first() {
        let mut link = Link::new(&reference());
        link.fetch_entry(0, 7); // ready at 8 ns, arrives at 33 ns
        assert_eq!(link.next_ps(), 33_000);
        link.ring(7_000, 8);
        assert_eq!(link.next_ps(), 15_000);
        assert_eq!(link.take(), Arrival::Doorbell(8));
        assert_eq!(link.next_ps(), 40_000);
        assert_eq!(link.take(), Arrival::Entry(7));
        assert_eq!(link.next_ps(), NEVER_PS);
    }

    #[test]
    fn the_doorbell_of_a_completion_goes_ahead_of_that_of_the_next_command() {
        let mut link = Link::new(&reference());
        let at_ps = link.complete(0, 0);
        assert_eq!((at_ps, link.next_ps()), (11_000, NEVER_PS));
        link.ring(at_ps, 8);
        assert_eq!(link.next_ps(), 11_000 + 8_000 + 8_000);
    }
}
