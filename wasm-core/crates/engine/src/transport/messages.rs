//! Messages as stretches of a connection's byte stream. A connection says when each has been sent, delivered and
//! acknowledged; what it stands for it does not know.

use std::collections::VecDeque;
use std::ops::Range;

use crate::kernel::ids::{FlowId, MessageId};

/// No position: nothing is waited for.
pub const NOWHERE: u64 = u64::MAX;

/// A message to be carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whose progress is reported.
    pub id: MessageId,
    /// Its size.
    pub bytes: u64,
    /// Since when it has been wanted: now, or earlier. The deadline of its class counts from then.
    pub since_ps: u64,
}

/// What has become of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Its first byte has left the connection for the network.
    Sent,
    /// Its last byte has arrived, all before it having arrived.
    Delivered,
    /// The sending end knows that.
    Acknowledged,
}

/// A report of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageEvent {
    /// The connection.
    pub flow: FlowId,
    /// The message.
    pub message: MessageId,
    /// What has happened.
    pub progress: Progress,
    /// When.
    pub at_ps: u64,
}

/// A message on its way. There may be millions that wait, so it is kept small.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    /// Position after its last byte.
    end: u64,
    since_ps: u64,
    id: MessageId,
}

/// The oldest message of a connection, as the sending end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Oldest {
    /// Position after its last byte.
    pub end: u64,
    /// Since when it has been wanted.
    pub since_ps: u64,
}

/// The messages of one connection.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// Those whose last byte is not acknowledged, oldest first.
    queue: VecDeque<Stretch>,
    /// How many of the oldest have had their first byte sent.
    begun: usize,
    /// How many of the oldest have been delivered. Both ends of a connection may run in any order within a window, but
    /// an acknowledgement has left the receiving end in an earlier one: none is acknowledged before it is delivered.
    delivered: usize,
}

impl Messages {
    /// Appends a message that ends at `end`.
    pub fn push(&mut self, end: u64, Message { id, since_ps, .. }: Message) {
        self.queue.push_back(Stretch { end, since_ps, id });
    }

    /// Everything below `next` has been sent: passes the messages that have begun by that to `begins`. `start` is where the
    /// oldest unsent message begins. Returns where the first that is still unsent begins, [`NOWHERE`] if there is none.
    pub fn sent(&mut self, mut start: u64, next: u64, mut begins: impl FnMut(MessageId)) -> u64 {
        while start < next {
            let stretch = self.queue[self.begun];
            begins(stretch.id);
            start = stretch.end;
            self.begun += 1;
        }
        if self.begun == self.queue.len() { NOWHERE } else { start }
    }

    /// Everything below `next` has been delivered: passes the messages that are complete by that to `done`. Returns
    /// where the oldest incomplete message ends, [`NOWHERE`] if there is none.
    pub fn delivered(&mut self, next: u64, mut done: impl FnMut(MessageId)) -> u64 {
        while let Some(&Stretch { end, id, .. }) = self.queue.get(self.delivered) {
            if end > next {
                return end;
            }
            self.delivered += 1;
            done(id);
        }
        NOWHERE
    }

    /// The oldest message that has not been delivered to its last byte, and the position after that.
    pub fn incomplete(&self) -> Option<(MessageId, u64)> {
        self.queue.get(self.delivered).map(|&Stretch { end, id, .. }| (id, end))
    }

    /// The messages that end behind `position`, oldest first, each with the stretch that it takes. The first of them begins
    /// there.
    pub fn after(&self, position: u64) -> impl Iterator<Item = (MessageId, Range<u64>)> {
        let first = self.queue.partition_point(|stretch| stretch.end <= position);
        self.queue
            .range(first..)
            .scan(position, |start, &Stretch { end, id, .. }| Some((id, std::mem::replace(start, end)..end)))
    }

    /// The oldest message whose last byte is not acknowledged.
    pub fn oldest(&self) -> Option<Oldest> {
        self.queue.front().map(|&Stretch { end, since_ps, .. }| Oldest { end, since_ps })
    }

    /// Takes the oldest message if everything below `position`, to which it reaches, is acknowledged.
    pub fn acknowledged(&mut self, position: u64) -> Option<MessageId> {
        self.queue.front().filter(|oldest| oldest.end <= position)?;
        self.begun -= 1;
        self.delivered -= 1;
        self.queue.pop_front().map(|oldest| oldest.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_waits_takes_24_bytes() {
        assert_eq!(size_of::<Stretch>(), 24);
    }

    #[test]
    fn tells_of_each_message_in_order() {
        let mut messages = Messages::default();
        for (number, end, since_ps) in [(0, 100, 1), (1, 150, 2), (2, 400, 3)] {
            messages.push(end, Message { id: MessageId(number), bytes: 0, since_ps });
        }
        let mut told = Vec::new();
        assert_eq!(messages.sent(0, 120, |id| told.push(id.0)), 150);
        assert_eq!(messages.sent(150, 160, |id| told.push(id.0)), NOWHERE);
        assert_eq!(told, [0, 1, 2]);
        let after = |position| messages.after(position).map(|(id, stretch)| (id.0, stretch)).collect::<Vec<_>>();
        assert_eq!(after(100), [(1, 100..150), (2, 150..400)]);
        assert_eq!(after(400), []);
        assert_eq!(messages.delivered(149, |id| told.push(id.0)), 150);
        assert_eq!(messages.incomplete(), Some((MessageId(1), 150)));
        assert_eq!(messages.delivered(400, |id| told.push(id.0)), NOWHERE);
        assert_eq!(told, [0, 1, 2, 0, 1, 2]);
        assert_eq!(messages.incomplete(), None);
        assert_eq!(messages.acknowledged(99), None);
        let acknowledged: Vec<_> = std::iter::from_fn(|| messages.acknowledged(200)).collect();
        assert_eq!(acknowledged, [MessageId(0), MessageId(1)]);
        assert_eq!(messages.oldest(), Some(Oldest { end: 400, since_ps: 3 }));
    }
}
