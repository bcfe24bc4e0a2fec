//! Requests as stretches of a connection's byte stream: when each was queued, first sent and delivered.

use std::collections::VecDeque;

/// No position: nothing is waited for.
pub const NOWHERE: u64 = u64::MAX;

/// A request handed to a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its size.
    pub bytes: u64,
    /// When the application asked for it: now, or earlier where it has waited for a connection.
    pub queued_ps: u64,
    /// The application waits for its acknowledgement.
    pub awaited: bool,
}

/// A request on its way. There may be millions that wait, so it is kept small.
#[derive(Clone, Copy, Debug)]
struct Message {
    /// Position after its last byte.
    end: u64,
    queued_ps: u64,
    first_sent_ps: u64,
}

/// A request on its way, as the sending end sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Position after its last byte.
    pub end: u64,
    /// When the application asked for it.
    pub queued_ps: u64,
    /// The application waits for its acknowledgement.
    pub awaited: bool,
}

/// A request that has been delivered to the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The connection.
    pub flow: u32,
    /// Its size.
    pub bytes: u64,
    /// When the request was handed to the connection.
    pub queued_ps: u64,
    /// When its first byte left the connection for the network.
    pub first_sent_ps: u64,
    /// When its last byte arrived, all before it having arrived.
    pub delivered_ps: u64,
}

/// The requests of one connection.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    /// Those whose last byte is not acknowledged, oldest first.
    queue: VecDeque<Message>,
    /// How many of the oldest have had their first byte sent.
    begun: usize,
    /// How many of the oldest have been delivered. Both ends of a connection may run in any order within a window, but
    /// an acknowledgement has left the receiving end in an earlier one: none is acknowledged before it is delivered.
    delivered: usize,
    /// Where the last one delivered ends.
    delivered_end: u64,
    /// The application waits for their acknowledgements.
    awaited: bool,
}

impl Messages {
    /// Appends a request that ends at `end`. Either all requests of a connection are waited for, or none.
    pub fn push(&mut self, end: u64, request: Request) {
        self.queue.push_back(Message { end, queued_ps: request.queued_ps, first_sent_ps: 0 });
        self.awaited = request.awaited;
    }

    /// Everything below `next` has been sent. `start` is where the oldest unsent request begins. Returns where the first
    /// request that is still unsent begins, [`NOWHERE`] if there is none.
    pub fn sent(&mut self, mut start: u64, next: u64, now_ps: u64) -> u64 {
        while start < next {
            let message = &mut self.queue[self.begun];
            message.first_sent_ps = now_ps;
            start = message.end;
            self.begun += 1;
        }
        if self.begun == self.queue.len() { NOWHERE } else { start }
    }

    /// Everything below `next` has been delivered: passes the requests that are complete by that to `done`. Returns
    /// where the oldest incomplete request ends, [`NOWHERE`] if there is none.
    pub fn delivered(&mut self, flow: u32, next: u64, now_ps: u64, done: &mut Vec<Completion>) -> u64 {
        while let Some(&Message { end, queued_ps, first_sent_ps }) = self.queue.get(self.delivered) {
            if end > next {
                return end;
            }
            let bytes = end - self.delivered_end;
            (self.delivered, self.delivered_end) = (self.delivered + 1, end);
            done.push(Completion { flow, bytes, queued_ps, first_sent_ps, delivered_ps: now_ps });
        }
        NOWHERE
    }

    /// The oldest request whose last byte is not acknowledged.
    pub fn oldest_pending(&self) -> Option<Pending> {
        let &Message { end, queued_ps, .. } = self.queue.front()?;
        Some(Pending { end, queued_ps, awaited: self.awaited })
    }

    /// Takes the oldest request if everything below `position`, to which it reaches, is acknowledged.
    pub fn acknowledged(&mut self, position: u64) -> Option<Pending> {
        let oldest = self.oldest_pending().filter(|oldest| oldest.end <= position)?;
        self.queue.pop_front();
        self.begun -= 1;
        self.delivered -= 1;
        Some(oldest)
    }

    /// Requests not yet acknowledged.
    pub fn pending(&self) -> usize {
        self.queue.len()
    }

    /// Requests not yet delivered that were asked for before an instant.
    pub fn undelivered_before(&self, before_ps: u64) -> usize {
        self.queue.partition_point(|message| message.queued_ps < before_ps).saturating_sub(self.delivered)
    }

    /// Requests not yet delivered.
    pub fn outstanding(&self) -> usize {
        self.queue.len() - self.delivered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_waits_takes_24_bytes() {
        assert_eq!(size_of::<Message>(), 24);
    }

    #[test]
    fn times_each_request_from_queue_to_last_byte() {
        let mut messages = Messages::default();
        for (end, bytes, queued_ps) in [(100, 100, 1), (150, 50, 2), (400, 250, 3)] {
            messages.push(end, Request { bytes, queued_ps, awaited: true });
        }
        assert_eq!(messages.sent(0, 120, 10), 150);
        assert_eq!(messages.sent(150, 160, 20), NOWHERE);
        let mut done = Vec::new();
        assert_eq!(messages.delivered(7, 149, 30, &mut done), 150);
        assert_eq!([1, 2, 3, 4].map(|ps| messages.undelivered_before(ps)), [0, 0, 1, 2]);
        assert_eq!((messages.outstanding(), messages.pending()), (2, 3));
        assert_eq!(messages.delivered(7, 400, 40, &mut done), NOWHERE);
        let times: Vec<_> = done.iter().map(|c| (c.queued_ps, c.first_sent_ps, c.delivered_ps)).collect();
        assert_eq!(times, [(1, 10, 30), (2, 10, 40), (3, 20, 40)]);
        assert_eq!(messages.acknowledged(99), None);
        let acknowledged: Vec<_> = std::iter::from_fn(|| messages.acknowledged(200)).collect();
        assert_eq!(
            acknowledged.iter().map(|p| (p.end, p.queued_ps, p.awaited)).collect::<Vec<_>>(),
            [(100, 1, true), (150, 2, true)]
        );
        assert_eq!(messages.oldest_pending().map(|pending| pending.end), Some(400));
    }
}
