//! What a connection has beside its stream when its packets keep a distance: when the last one left, and what is timed.

use crate::kernel::ids::FlowId;
use crate::kernel::time::NEVER_PS;
use crate::transport::rtt::{Departures, SendTimes};
use crate::transport::timer::{Timer, Timers};

/// Pacing of one connection.
#[derive(Clone, Debug)]
pub struct Pace {
    /// When the last packet left, or was due to by the distances before it.
    left_ps: u64,
    /// A timer is running that will look whether the next one may leave.
    pub timer_set: bool,
    /// When the earliest timer fires that will look at the controller; [`NEVER_PS`] if none runs.
    pub controller_timer_ps: u64,
    /// Reports of congestion since the start of the run that came when nothing was left to send.
    pub late: u64,
    /// When packets have left, over RDMA.
    pub times: SendTimes,
    /// The same over TCP, where every packet is timed.
    pub departures: Departures,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            left_ps: 0,
            timer_set: false,
            controller_timer_ps: NEVER_PS,
            late: 0,
            times: SendTimes::default(),
            departures: Departures::default(),
        }
    }
}

impl Pace {
    /// A new flow begins, with nothing learnt.
    pub fn begin_flow(&mut self, now_ps: u64) {
        self.left_ps = now_ps;
        self.times.forget();
    }

    /// Whether the next packet may leave now, `gap_ps` after the last; if not, a timer is set for when it may.
    #[inline]
    pub fn may_send(&mut self, flow: FlowId, gap_ps: u64, now_ps: u64, timers: &mut Timers) -> bool {
        let next_ps = self.left_ps + gap_ps;
        if next_ps <= now_ps {
            return true;
        }
        if !self.timer_set {
            self.timer_set = true;
            timers.set(next_ps, Timer::Pace(flow.0));
        }
        false
    }

    /// A packet has left that was to keep `gap_ps` from the one before.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, gap_ps: u64) {
        self.left_ps = (self.left_ps + gap_ps).max(now_ps);
    }
}
