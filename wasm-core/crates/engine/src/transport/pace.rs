//! What a connection over RDMA has beside its stream: the rate at which it sends, and when it may send next.

use crate::kernel::convert::whole;
use crate::kernel::ids::FlowId;
use crate::kernel::time::{NEVER_PS, PS_PER_S};
use crate::transport::rate::{RateControl, RateController};
use crate::transport::rtt::SendTimes;
use crate::transport::timer::{Timer, Timers};

/// Pacing of one connection.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Sets the rate.
    pub controller: RateController,
    /// The next packet leaves no earlier.
    pub next_ps: u64,
    /// A timer is running that will look at `next_ps`.
    pub timer_set: bool,
    /// When the earliest timer fires that will look at the controller; [`NEVER_PS`] if none runs.
    pub rate_timer_ps: u64,
    /// Reports of congestion since the start of the run that came when nothing was left to send.
    pub late: u64,
    /// When packets have left.
    pub times: SendTimes,
}

impl Pace {
    /// A connection that has sent nothing and starts at `initial_bps`.
    pub fn new(control: &RateControl, initial_bps: f64, now_ps: u64) -> Self {
        Self {
            controller: RateController::new(control, initial_bps, now_ps),
            next_ps: 0,
            timer_set: false,
            rate_timer_ps: NEVER_PS,
            late: 0,
            times: SendTimes::default(),
        }
    }

    /// A new flow begins at `initial_bps`, with nothing learnt.
    pub fn begin_flow(&mut self, control: &RateControl, initial_bps: f64, now_ps: u64) {
        self.controller = RateController::new(control, initial_bps, now_ps);
        self.next_ps = now_ps;
        self.times.forget();
    }

    /// Whether the next packet may leave now; if not, a timer is set for when it may.
    #[inline]
    pub fn may_send(&mut self, flow: FlowId, now_ps: u64, timers: &mut Timers) -> bool {
        if self.next_ps <= now_ps {
            return true;
        }
        if !self.timer_set {
            self.timer_set = true;
            timers.set(self.next_ps, Timer::Pace(flow.0));
        }
        false
    }

    /// Packet `number` has left, of `bytes` on the wire.
    #[inline]
    pub fn on_sent(&mut self, now_ps: u64, number: u64, bytes: u32, control: &RateControl) {
        self.times.on_sent(now_ps, number);
        let gap_ps = f64::from(bytes) * 8.0 * PS_PER_S as f64 / self.controller.rate_bps();
        self.next_ps = self.next_ps.max(now_ps) + whole(gap_ps);
        self.controller.on_sent(now_ps, u64::from(bytes), control);
    }
}
