//! The application behind one connection: when its next request comes and how large it is.

use crate::kernel::random::Stream;
use crate::workload::laws::{GapLaw, SizeLaw};

/// How requests of a connection come about.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// By themselves, on average one in `mean_gap_ps`.
    Open {
        /// Law of the gaps.
        gaps: GapLaw,
        /// Mean gap.
        mean_gap_ps: f64,
        /// Requests the source may still issue.
        left: u64,
    },
    /// Always more to send, without requests.
    Tap,
    /// A number of requests is kept outstanding.
    Closed {
        /// How many.
        outstanding: u32,
        /// Requests the connection may still issue.
        left: u64,
    },
}

/// What a source does at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing (any more).
    Rest,
    /// Hand over one request.
    Request {
        /// Its size.
        bytes: u64,
        /// When to ask again; none: at the next answer, or never.
        again_ps: Option<u64>,
    },
    /// Open the tap.
    OpenTap,
}

/// The application behind one connection.
#[derive(Clone, Debug)]
pub struct Source {
    pattern: Pattern,
    sizes: SizeLaw,
    start_ps: u64,
    stop_ps: u64,
    /// When the timer that counts is due; others are stale.
    next_ps: u64,
    gaps_stream: Stream,
    sizes_stream: Stream,
    /// Requests a closed loop may have outstanding and has not.
    idle: u32,
}

impl Source {
    /// The application of connection number `connection`, asleep until `start_ps`.
    pub fn new(seed: u64, connection: u64, pattern: Pattern, sizes: SizeLaw, start_ps: u64, stop_ps: u64) -> Self {
        let idle = if let Pattern::Closed { outstanding, .. } = pattern { outstanding } else { 0 };
        Self {
            pattern,
            sizes,
            start_ps,
            stop_ps,
            next_ps: start_ps,
            gaps_stream: Stream::new(seed, "gaps", connection),
            sizes_stream: Stream::new(seed, "sizes", connection),
            idle,
        }
    }

    /// When the source first acts.
    pub fn start_ps(&self) -> u64 {
        self.start_ps
    }

    /// Whether requests may come at `now_ps` or after it.
    pub fn is_live(&self, now_ps: u64) -> bool {
        self.start_ps <= now_ps && now_ps < self.stop_ps && !self.is_spent()
    }

    /// Whether the source is an open tap, to be closed at its end.
    pub fn is_tap(&self) -> bool {
        self.pattern == Pattern::Tap
    }

    /// Whether a source of limited requests has issued them all.
    pub fn is_spent(&self) -> bool {
        matches!(self.pattern, Pattern::Closed { left: 0, .. } | Pattern::Open { left: 0, .. })
    }

    /// The timer of this source has fired.
    pub fn on_timer(&mut self, now_ps: u64) -> Action {
        if now_ps != self.next_ps || now_ps >= self.stop_ps {
            return Action::Rest;
        }
        match &mut self.pattern {
            Pattern::Tap => Action::OpenTap,
            Pattern::Open { left: 0, .. } => Action::Rest,
            Pattern::Open { gaps, mean_gap_ps, left } => {
                *left -= 1;
                let gap_ps = (gaps.draw(&mut self.gaps_stream) * *mean_gap_ps + 0.5) as u64;
                self.next_ps = now_ps + gap_ps.max(1);
                Action::Request { bytes: self.sizes.draw(&mut self.sizes_stream), again_ps: Some(self.next_ps) }
            }
            Pattern::Closed { .. } => self.issue((self.idle > 1).then_some(now_ps)),
        }
    }

    /// Whether the source waits for the acknowledgement of its requests.
    pub fn awaits(&self) -> bool {
        matches!(self.pattern, Pattern::Closed { .. })
    }

    /// A request that was waited for has been acknowledged.
    pub fn on_answer(&mut self, now_ps: u64) -> Action {
        self.idle += 1;
        if now_ps < self.stop_ps { self.issue(None) } else { Action::Rest }
    }

    fn issue(&mut self, again_ps: Option<u64>) -> Action {
        let Pattern::Closed { left, .. } = &mut self.pattern else { return Action::Rest };
        if *left == 0 || self.idle == 0 {
            return Action::Rest;
        }
        *left -= 1;
        self.idle -= 1;
        Action::Request { bytes: self.sizes.draw(&mut self.sizes_stream), again_ps }
    }

    /// Changes the law of open-loop arrivals. The time left until the next request shrinks or grows with the mean.
    /// Returns when the source wants its timer now, if that has changed.
    pub fn set_arrivals(&mut self, now_ps: u64, new_gaps: GapLaw, new_mean_gap_ps: f64) -> Option<u64> {
        let Pattern::Open { gaps, mean_gap_ps, .. } = &mut self.pattern else { return None };
        let scale = new_mean_gap_ps / *mean_gap_ps;
        *gaps = new_gaps;
        *mean_gap_ps = new_mean_gap_ps;
        if scale == 1.0 || self.next_ps <= now_ps || self.start_ps > now_ps {
            return None;
        }
        self.next_ps = now_ps + ((self.next_ps - now_ps) as f64 * scale + 0.5) as u64;
        Some(self.next_ps)
    }

    /// Changes when the source ceases. Returns when it wants its timer, if it had ceased and goes on.
    pub fn set_stop(&mut self, now_ps: u64, stop_ps: u64) -> Option<u64> {
        let resumes = self.stop_ps <= now_ps && now_ps < stop_ps && self.start_ps <= now_ps;
        self.stop_ps = stop_ps;
        if resumes {
            self.next_ps = self.next_ps.max(now_ps + 1);
            return Some(self.next_ps);
        }
        None
    }

    /// When the source ceases.
    pub fn stop_ps(&self) -> u64 {
        self.stop_ps
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::NEVER_PS;

    fn source(pattern: Pattern) -> Source {
        Source::new(1, 0, pattern, SizeLaw::Fixed(1000), 10, NEVER_PS)
    }

    #[test]
    fn an_open_loop_asks_again_after_a_gap_and_ignores_stale_timers() {
        let mut open = source(Pattern::Open { gaps: GapLaw::Constant, mean_gap_ps: 100.0, left: u64::MAX });
        assert_eq!(open.on_timer(10), Action::Request { bytes: 1000, again_ps: Some(110) });
        assert_eq!(open.on_timer(60), Action::Rest);
        assert_eq!(open.set_arrivals(60, GapLaw::Constant, 10.0), Some(65));
        assert_eq!(open.on_timer(65), Action::Request { bytes: 1000, again_ps: Some(75) });
    }

    #[test]
    fn a_closed_loop_keeps_its_requests_outstanding_until_they_run_out() {
        let mut closed = source(Pattern::Closed { outstanding: 2, left: 3 });
        assert_eq!(closed.on_timer(10), Action::Request { bytes: 1000, again_ps: Some(10) });
        assert_eq!(closed.on_timer(10), Action::Request { bytes: 1000, again_ps: None });
        assert_eq!(closed.on_answer(20), Action::Request { bytes: 1000, again_ps: None });
        assert_eq!(closed.on_answer(30), Action::Rest);
        assert!(closed.is_spent());
    }

    #[test]
    fn a_closed_loop_that_had_ceased_fills_up_again() {
        let mut closed = source(Pattern::Closed { outstanding: 2, left: 10 });
        closed.on_timer(10);
        closed.on_timer(10);
        closed.set_stop(15, 15);
        assert_eq!(closed.on_answer(20), Action::Rest);
        assert_eq!(closed.set_stop(30, NEVER_PS), Some(31));
        assert_eq!(closed.on_timer(31), Action::Request { bytes: 1000, again_ps: None });
        assert_eq!(closed.on_timer(31), Action::Rest);
        assert_eq!(closed.on_answer(40), Action::Request { bytes: 1000, again_ps: None });
    }

    #[test]
    fn a_source_that_had_ceased_can_go_on() {
        let mut open = source(Pattern::Open { gaps: GapLaw::Constant, mean_gap_ps: 100.0, left: u64::MAX });
        open.set_stop(0, 5);
        assert_eq!(open.on_timer(10), Action::Rest);
        assert_eq!(open.set_stop(50, NEVER_PS), Some(51));
        assert_eq!(open.on_timer(51), Action::Request { bytes: 1000, again_ps: Some(151) });
    }
}
