//! Round-trip estimation and the retransmission timeout (RFC 6298).
//!
//! There is one sample per round trip. Over TCP a packet is known by the position after it, and one that was sent twice is
//! never timed (Karn's rule). Over RDMA an answer says which packet it answers, so that copies are timed too; most of what
//! follows a lost packet is never answered, so the card keeps the times of many.

use std::collections::VecDeque;

use crate::kernel::time::PS_PER_US;

/// Smoothed round trip, its deviation, and what is being timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundTrip {
    /// Round trip of the empty network: stands for the estimate before the first sample.
    base_ps: u64,
    smoothed_ps: u64,
    deviation_ps: u64,
    /// The position after the packet that is timed over TCP; 0 while none is.
    timed: u64,
    /// When that was sent.
    timed_ps: u64,
    /// Timeouts since the last valid sample: each doubles the timeout.
    backoff: u32,
}

/// Granularity of the clock, G of RFC 6298: 1 ms as in ns-3, finer where the floor of the timeout is.
const GRANULARITY_PS: u64 = 1000 * PS_PER_US;
/// A timeout is doubled this many times at most.
const MAX_DOUBLINGS: u32 = 6;

impl RoundTrip {
    /// Nothing has been measured on a path whose round trip is `base_ps` without queues.
    pub fn new(base_ps: u64) -> Self {
        Self { base_ps, ..Self::default() }
    }

    /// Forgets all samples: a new flow begins.
    pub fn restart(&mut self) {
        *self = Self::new(self.base_ps);
    }

    /// The round trip of the empty network is another one from now on.
    pub fn set_base(&mut self, base_ps: u64) {
        self.base_ps = base_ps;
    }

    /// A packet over TCP up to position `end` leaves at `now_ps`: it is timed unless another is.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, end: u64) {
        if self.timed == 0 {
            self.timed = end;
            self.timed_ps = now_ps;
        }
    }

    /// Everything below `unacknowledged` has arrived over TCP.
    #[inline]
    pub fn on_acknowledged(&mut self, now_ps: u64, unacknowledged: u64) {
        if self.timed != 0 && unacknowledged >= self.timed {
            self.timed = 0;
            self.add(now_ps - self.timed_ps);
        }
    }

    /// Takes in a sample.
    #[inline]
    pub fn add(&mut self, sample_ps: u64) {
        self.backoff = 0;
        if self.smoothed_ps == 0 {
            self.smoothed_ps = sample_ps;
            self.deviation_ps = sample_ps / 2;
        } else {
            self.deviation_ps = (3 * self.deviation_ps + self.smoothed_ps.abs_diff(sample_ps)) / 4;
            self.smoothed_ps = (7 * self.smoothed_ps + sample_ps) / 8;
        }
    }

    /// The packet timed may be sent again, or packets are known by something else from now on.
    pub fn discard_sample(&mut self) {
        self.timed = 0;
    }

    /// A timeout has passed in vain: the next is twice as long, until there is a valid sample again (RFC 6298 sections 5.5
    /// to 5.7).
    pub fn back_off(&mut self) {
        self.backoff += 1;
    }

    /// Smoothed round trip; 0 before the first sample.
    pub fn smoothed_ps(&self) -> u64 {
        self.smoothed_ps
    }

    /// Retransmission timeout: SRTT + max(G, 4 RTTVAR), never below `min_ps`. The round trip of the empty network counts as
    /// the first sample (RFC 6298 section 2.2), as a host knows it from earlier connections (RFC 9040), and no estimate is
    /// below it.
    #[inline]
    pub fn timeout_ps(&self, min_ps: u64) -> u64 {
        let smoothed_ps = self.smoothed_ps.max(self.base_ps);
        let deviation_ps = if self.smoothed_ps == 0 { self.base_ps / 2 } else { self.deviation_ps };
        let margin_ps = (4 * deviation_ps).max(GRANULARITY_PS.min(min_ps));
        (smoothed_ps + margin_ps).max(min_ps) << self.backoff.min(MAX_DOUBLINGS)
    }
}

/// When packets of a connection over RDMA have left, from the first after the latest sample on.
#[derive(Clone, Debug, Default)]
pub struct SendTimes {
    /// Number of the first.
    first: u64,
    /// Theirs and those of the packets that followed it.
    sent_ps: Vec<u64>,
}

/// So many packets are timed, and none after them until there is a sample.
const MAX_TIMED: usize = 1024;

impl SendTimes {
    /// Packet `number` leaves; numbers follow each other.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, number: u64) {
        if self.sent_ps.is_empty() {
            self.first = number;
        }
        if self.sent_ps.len() < MAX_TIMED {
            self.sent_ps.push(now_ps);
        }
    }

    /// Packet `number` has been acknowledged or refused. Returns the sample this gives; what is timed next leaves later.
    #[inline]
    pub fn on_answered(&mut self, now_ps: u64, number: u64) -> Option<u64> {
        if self.sent_ps.is_empty() || number < self.first {
            return None;
        }
        let sent_ps = usize::try_from(number - self.first).ok().and_then(|index| self.sent_ps.get(index).copied());
        self.sent_ps.clear();
        sent_ps.map(|sent_ps| now_ps - sent_ps)
    }

    /// What is on its way is timed no longer.
    pub fn forget(&mut self) {
        self.sent_ps.clear();
    }
}

/// When packets of a connection over TCP have left that are not acknowledged, where each is timed.
#[derive(Clone, Debug, Default)]
pub struct Departures {
    /// The position after a packet, and when it left; in order.
    sent: VecDeque<(u64, u64)>,
}

impl Departures {
    /// A packet up to position `end` leaves, `again` if it has been sent before. What is acknowledged then may be either
    /// copy, so that nothing in flight is timed any longer (Karn's rule).
    pub fn on_sent(&mut self, now_ps: u64, end: u64, again: bool) {
        if again {
            self.sent.clear();
        } else {
            self.sent.push_back((end, now_ps));
        }
    }

    /// Everything below `position` has arrived. Returns the round trip of the packet that ends there.
    pub fn on_acknowledged(&mut self, now_ps: u64, position: u64) -> Option<u64> {
        let mut sample = None;
        while let Some(&(end, sent_ps)) = self.sent.front().filter(|(end, _)| *end <= position) {
            sample = (end == position).then(|| now_ps - sent_ps);
            self.sent.pop_front();
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn over_tcp_each_packet_is_timed_that_was_sent_once() {
        let mut departures = Departures::default();
        (1..=4).for_each(|at| departures.on_sent(10 * at, 100 * at, false));
        assert_eq!(departures.on_acknowledged(50, 100), Some(40));
        // The acknowledgement of the second was lost.
        assert_eq!(departures.on_acknowledged(70, 300), Some(40));
        departures.on_sent(80, 400, true);
        departures.on_sent(90, 500, false);
        assert_eq!(departures.on_acknowledged(95, 400), None);
        assert_eq!(departures.on_acknowledged(120, 500), Some(30));
    }

    const MS: u64 = 1000 * PS_PER_US;

    #[test]
    fn one_packet_is_timed_per_round_trip() {
        let mut rtt = RoundTrip::default();
        rtt.on_sent(0, 1000);
        rtt.on_sent(50, 2000);
        rtt.on_acknowledged(80, 500);
        assert_eq!(rtt.smoothed_ps(), 0);
        rtt.on_acknowledged(100, 1000);
        assert_eq!(rtt.smoothed_ps(), 100);
        rtt.on_sent(200, 3000);
        rtt.on_acknowledged(380, 3000);
        assert_eq!(rtt.smoothed_ps(), 110);
    }

    #[test]
    fn over_rdma_the_first_answer_to_a_packet_that_left_since_the_last_sample_is_one() {
        let mut times = SendTimes::default();
        (1..=5).for_each(|number| times.on_sent(10 * number, number));
        // The first two were lost, and the third is refused.
        assert_eq!(times.on_answered(100, 3), Some(70));
        assert_eq!(times.on_answered(110, 4), None);
        times.on_sent(120, 6);
        times.on_sent(130, 7);
        assert_eq!(times.on_answered(150, 5), None);
        assert_eq!(times.on_answered(200, 7), Some(70));
    }

    #[test]
    fn more_packets_than_are_timed_lead_to_a_sample_or_a_new_beginning() {
        let mut times = SendTimes::default();
        let send = |times: &mut SendTimes| (1..=3000).for_each(|number| times.on_sent(number, number));
        send(&mut times);
        assert_eq!(times.on_answered(5000, 1024), Some(5000 - 1024));
        send(&mut times);
        assert_eq!(times.on_answered(5000, 1025), None);
        times.on_sent(5001, 3001);
        assert_eq!(times.on_answered(5011, 3001), Some(10));
    }

    #[test]
    fn the_timeout_has_a_floor_and_a_margin_of_the_clock() {
        let rtt = |smoothed_ps, deviation_ps| RoundTrip { smoothed_ps, deviation_ps, ..RoundTrip::default() };
        assert_eq!(rtt(MS, MS / 2).timeout_ps(10 * MS), 10 * MS);
        assert_eq!(rtt(20 * MS, 2 * MS).timeout_ps(10 * MS), 28 * MS);
        assert_eq!(rtt(20 * MS, 0).timeout_ps(10 * MS), 21 * MS);
        assert_eq!(rtt(20 * MS, 0).timeout_ps(MS / 5), 20 * MS + MS / 5);
    }

    #[test]
    fn before_the_first_sample_the_base_round_trip_counts() {
        assert_eq!(RoundTrip::new(MS).timeout_ps(10 * MS), 10 * MS);
        assert_eq!(RoundTrip::new(100 * MS).timeout_ps(10 * MS), 300 * MS);
    }

    #[test]
    fn the_timeout_doubles_up_to_a_limit_and_until_a_valid_sample() {
        let mut rtt = RoundTrip { smoothed_ps: MS, deviation_ps: 0, ..RoundTrip::default() };
        let timeouts = [10 * MS, 20 * MS, 40 * MS];
        for expected_ps in timeouts {
            assert_eq!(rtt.timeout_ps(10 * MS), expected_ps);
            rtt.back_off();
        }
        (0..60).for_each(|_| rtt.back_off());
        assert_eq!(rtt.timeout_ps(10 * MS), 640 * MS);
        // The estimate has survived the timeouts.
        assert_eq!(rtt.smoothed_ps(), MS);
        rtt.on_sent(0, 100);
        rtt.on_acknowledged(MS, 100);
        assert_eq!(rtt.timeout_ps(10 * MS), 10 * MS);
    }
}
