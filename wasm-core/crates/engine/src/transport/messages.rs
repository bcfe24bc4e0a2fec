//! Requests as stretches of a connection's byte stream: when each was queued, first sent and delivered.

use std::collections::VecDeque;

/// No position: nothing is waited for.
pub const NOWHERE: u64 = u64::MAX;

/// A request on its way.
#[derive(Clone, Copy, Debug)]
struct Message {
    /// Position after its last byte.
    end: u64,
    queued_ps: u64,
    first_sent_ps: u64,
}

/// A request that has been delivered to the last byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The connection.
    pub flow: u32,
    /// When the request was handed to the connection.
    pub queued_ps: u64,
    /// When its first byte left the connection for the network.
    pub first_sent_ps: u64,
    /// When its last byte arrived, all before it having arrived.
    pub delivered_ps: u64,
}

/// The requests of one connection, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Messages {
    queue: VecDeque<Message>,
    /// How many of the oldest have had their first byte sent.
    begun: usize,
    /// Where requests end whose application waits for their acknowledgement, oldest first.
    awaited: VecDeque<u64>,
}

impl Messages {
    /// Appends a request that ends at `end`.
    pub fn push(&mut self, end: u64, now_ps: u64) {
        self.queue.push_back(Message { end, queued_ps: now_ps, first_sent_ps: 0 });
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
        while let Some(&Message { end, queued_ps, first_sent_ps }) = self.queue.front() {
            if end > next {
                return end;
            }
            self.queue.pop_front();
            self.begun -= 1;
            done.push(Completion { flow, queued_ps, first_sent_ps, delivered_ps: now_ps });
        }
        NOWHERE
    }

    /// The application waits until everything below `end` is acknowledged.
    pub fn wait_for(&mut self, end: u64) {
        self.awaited.push_back(end);
    }

    /// Everything below `position` is acknowledged. Returns the number of requests that were waited for and are done,
    /// and where the next one ends.
    pub fn acknowledged(&mut self, position: u64) -> (u32, u64) {
        let mut done = 0;
        while let Some(&end) = self.awaited.front() {
            if end > position {
                return (done, end);
            }
            self.awaited.pop_front();
            done += 1;
        }
        (done, NOWHERE)
    }

    /// Requests not yet delivered.
    pub fn outstanding(&self) -> usize {
        self.queue.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_each_request_from_queue_to_last_byte() {
        let mut messages = Messages::default();
        messages.push(100, 1);
        messages.push(150, 2);
        messages.push(400, 3);
        assert_eq!(messages.sent(0, 120, 10), 150);
        assert_eq!(messages.sent(150, 160, 20), NOWHERE);
        let mut done = Vec::new();
        assert_eq!(messages.delivered(7, 149, 30, &mut done), 150);
        assert_eq!(messages.delivered(7, 400, 40, &mut done), NOWHERE);
        let times: Vec<_> = done.iter().map(|c| (c.queued_ps, c.first_sent_ps, c.delivered_ps)).collect();
        assert_eq!(times, [(1, 10, 30), (2, 10, 40), (3, 20, 40)]);
    }
}
