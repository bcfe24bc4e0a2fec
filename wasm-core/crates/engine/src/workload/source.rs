//! The application behind one connection: when its next request comes and how large it is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use crate::kernel::convert::rounded;
use crate::kernel::random::Stream;
use crate::kernel::time::NEVER_PS;
use crate::workload::laws::{Interarrival, SizeLaw};
use crate::workload::replay::Replay;
use crate::workload::traces::{self, Trace};

/// How requests of a connection come about.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// By themselves, on average one in `mean_gap_ps`.
    Open {
        /// Law of the gaps.
        gaps: Interarrival,
        /// Mean gap.
        mean_gap_ps: f64,
        /// Requests the source may still issue.
        left: u64,
    },
    /// Those of a trace, at their instants.
    Replay(Replay),
    /// Always more to send, without requests.
    Backlogged,
    /// A number of requests is kept outstanding.
    Closed {
        /// How many.
        outstanding: u32,
        /// Requests the connection may still issue.
        left: u64,
        /// Pause before a request that is done is followed by the next.
        think: Think,
    },
}

/// Pause of a closed loop between the acknowledgement of a request and the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Think {
    /// Law of the pause.
    pub law: Interarrival,
    /// Its mean; 0: none.
    pub mean_ps: f64,
}

impl Default for Think {
    /// No pause.
    fn default() -> Self {
        Self { law: Interarrival::Exponential, mean_ps: 0.0 }
    }
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
        /// What it does and where, where a trace says so.
        recorded: Option<Recorded>,
    },
    /// Hand over a request at that instant.
    Think {
        /// When to ask again.
        until_ps: u64,
    },
    /// Open the tap.
    StartBacklog,
}

/// What a trace says of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Whether it reads.
    pub reads: bool,
    /// First byte that it asks for, of its volume.
    pub address: u64,
}

/// The application behind one connection.
#[derive(Clone, Debug)]
pub struct Source {
    pattern: Pattern,
    sizes: Arc<SizeLaw>,
    start_ps: u64,
    stop_ps: u64,
    /// When the timer that counts is due; others are stale.
    next_ps: u64,
    gaps_stream: Stream,
    sizes_stream: Stream,
    think_stream: Stream,
    /// Requests a closed loop may have outstanding and has not, those it pauses before not counted.
    idle: u32,
    /// When each pause of a closed loop ends.
    pauses: BinaryHeap<Reverse<u64>>,
}

impl Source {
    /// The application of connection number `connection`, asleep until `start_ps`.
    pub fn new(seed: u64, connection: u64, pattern: Pattern, sizes: Arc<SizeLaw>, start_ps: u64, stop_ps: u64) -> Self {
        let idle = if let Pattern::Closed { outstanding, .. } = pattern { outstanding } else { 0 };
        Self {
            pattern,
            sizes,
            start_ps,
            stop_ps,
            next_ps: start_ps,
            gaps_stream: Stream::new(seed, "gaps", connection),
            sizes_stream: Stream::new(seed, "sizes", connection),
            think_stream: Stream::new(seed, "think", connection),
            idle,
            pauses: BinaryHeap::new(),
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
    pub fn is_backlogged(&self) -> bool {
        matches!(self.pattern, Pattern::Backlogged)
    }

    /// Whether a source of limited requests has issued them all.
    pub fn is_spent(&self) -> bool {
        match &self.pattern {
            Pattern::Closed { left, .. } | Pattern::Open { left, .. } => *left == 0,
            Pattern::Replay(replay) => replay.is_spent(),
            Pattern::Backlogged => false,
        }
    }

    /// The timer of this source has fired.
    pub fn on_timer(&mut self, now_ps: u64) -> Action {
        if let Pattern::Closed { .. } = self.pattern {
            return self.end_pauses(now_ps);
        }
        if now_ps != self.next_ps || now_ps >= self.stop_ps {
            return Action::Rest;
        }
        match &mut self.pattern {
            Pattern::Backlogged => Action::StartBacklog,
            Pattern::Open { left: 0, .. } => Action::Rest,
            Pattern::Open { gaps, mean_gap_ps, left } => {
                *left -= 1;
                self.next_ps = after_gap(now_ps, *gaps, *mean_gap_ps, &mut self.gaps_stream);
                let bytes = self.sizes.draw(&mut self.sizes_stream);
                Action::Request { bytes, again_ps: Some(self.next_ps), recorded: None }
            }
            Pattern::Replay(replay) => {
                let (action, next_ps) = next_of(replay, now_ps);
                self.next_ps = next_ps;
                action
            }
            Pattern::Closed { .. } => Action::Rest,
        }
    }

    /// Whether the source waits for the acknowledgement of its requests.
    pub fn awaits(&self) -> bool {
        matches!(self.pattern, Pattern::Closed { .. })
    }

    /// A request that was waited for has been acknowledged.
    pub fn on_answer(&mut self, now_ps: u64) -> Action {
        if let Pattern::Closed { left: 1.., think, .. } = &self.pattern
            && think.mean_ps > 0.0
        {
            let pause_ps = rounded(think.law.draw(&mut self.think_stream) * think.mean_ps);
            let until_ps = now_ps.saturating_add(pause_ps);
            self.pauses.push(Reverse(until_ps));
            return Action::Think { until_ps };
        }
        self.idle += 1;
        if now_ps < self.stop_ps { self.issue(None) } else { Action::Rest }
    }

    /// The timer of a closed loop has fired: issues a request, unless it has ceased.
    fn end_pauses(&mut self, now_ps: u64) -> Action {
        while self.pauses.peek().is_some_and(|&Reverse(until_ps)| until_ps <= now_ps) {
            self.pauses.pop();
            self.idle += 1;
        }
        if now_ps < self.start_ps || now_ps >= self.stop_ps {
            return Action::Rest;
        }
        self.issue((self.idle > 1).then_some(now_ps))
    }

    fn issue(&mut self, again_ps: Option<u64>) -> Action {
        let Pattern::Closed { left, .. } = &mut self.pattern else { return Action::Rest };
        if *left == 0 || self.idle == 0 {
            return Action::Rest;
        }
        *left -= 1;
        self.idle -= 1;
        Action::Request { bytes: self.sizes.draw(&mut self.sizes_stream), again_ps, recorded: None }
    }

    /// Changes the law of open-loop arrivals. The time left until the next request shrinks or grows with the mean; where
    /// it was longer than can be said, a new gap is drawn.
    /// Returns when the source wants its timer now, if that has changed.
    pub fn set_arrivals(&mut self, now_ps: u64, new_gaps: Interarrival, new_mean_gap_ps: f64) -> Option<u64> {
        let Pattern::Open { gaps, mean_gap_ps, .. } = &mut self.pattern else { return None };
        let scale = new_mean_gap_ps / *mean_gap_ps;
        *gaps = new_gaps;
        *mean_gap_ps = new_mean_gap_ps;
        if scale == 1.0 || self.next_ps <= now_ps || self.start_ps > now_ps {
            return None;
        }
        self.next_ps = if self.next_ps == NEVER_PS {
            after_gap(now_ps, new_gaps, new_mean_gap_ps, &mut self.gaps_stream)
        } else {
            now_ps.saturating_add(rounded((self.next_ps - now_ps) as f64 * scale))
        };
        Some(self.next_ps)
    }

    /// Changes how fast a trace is replayed; `trace` begins as the one before does. Returns when the source wants its timer now,
    /// if that has changed.
    pub fn set_replay(&mut self, now_ps: u64, speed: f64, trace: Arc<Trace>) -> Option<u64> {
        let Pattern::Replay(replay) = &mut self.pattern else { return None };
        replay.set_speed(now_ps, speed, trace);
        if self.start_ps > now_ps {
            return None;
        }
        self.next_ps = replay.due_ps()?.max(now_ps);
        Some(self.next_ps)
    }

    /// Changes the pauses of a closed loop. What is left of those that last shrinks or grows with the mean. Returns when the
    /// source wants its timer.
    pub fn set_think_time(&mut self, now_ps: u64, new: Think) -> Vec<u64> {
        let Pattern::Closed { think, .. } = &mut self.pattern else { return Vec::new() };
        let old = std::mem::replace(think, new);
        if old.mean_ps == new.mean_ps {
            return Vec::new();
        }
        let scale = new.mean_ps / old.mean_ps;
        let rescaled = |Reverse(until_ps): Reverse<u64>| {
            now_ps.saturating_add(rounded(until_ps.saturating_sub(now_ps) as f64 * scale))
        };
        let pauses: Vec<u64> = std::mem::take(&mut self.pauses).into_iter().map(rescaled).collect();
        self.pauses = pauses.iter().copied().map(Reverse).collect();
        pauses
    }

    /// Changes when the source ceases. Returns when it wants its timer, if it had ceased and goes on.
    pub fn set_stop(&mut self, now_ps: u64, stop_ps: u64) -> Option<u64> {
        let resumes = self.stop_ps <= now_ps && now_ps < stop_ps && self.start_ps <= now_ps;
        self.stop_ps = stop_ps;
        if resumes {
            self.next_ps = self.next_ps.max(now_ps + 1);
            // What a trace asked for meanwhile was asked in vain.
            if let Pattern::Replay(replay) = &mut self.pattern {
                replay.skip_until(now_ps);
            }
            return Some(self.next_ps);
        }
        None
    }

    /// When the source ceases.
    pub fn stop_ps(&self) -> u64 {
        self.stop_ps
    }
}

/// What a replayed trace does now, and when its timer is due again.
fn next_of(replay: &mut Replay, now_ps: u64) -> (Action, u64) {
    match replay.due_ps() {
        None => (Action::Rest, NEVER_PS),
        Some(due_ps) if due_ps > now_ps => (Action::Think { until_ps: due_ps }, due_ps),
        Some(_) => {
            let Some(record) = replay.take() else { return (Action::Rest, NEVER_PS) };
            let again_ps = replay.due_ps().map(|due_ps| due_ps.max(now_ps));
            let reads = record.operation == traces::Operation::Read;
            let recorded = Some(Recorded { reads, address: record.address });
            (Action::Request { bytes: u64::from(record.bytes), again_ps, recorded }, again_ps.unwrap_or(NEVER_PS))
        }
    }
}

/// When the next request arrives, one gap from now. Gaps that last beyond all time end never.
fn after_gap(now_ps: u64, gaps: Interarrival, mean_gap_ps: f64, stream: &mut Stream) -> u64 {
    now_ps.saturating_add(rounded(gaps.draw(stream) * mean_gap_ps).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(again_ps: Option<u64>) -> Action {
        Action::Request { bytes: 1000, again_ps, recorded: None }
    }

    fn source(pattern: Pattern) -> Source {
        Source::new(1, 0, pattern, Arc::new(SizeLaw::Fixed(1000)), 10, NEVER_PS)
    }

    #[test]
    fn an_open_loop_asks_again_after_a_gap_and_ignores_stale_timers() {
        let mut open = source(Pattern::Open { gaps: Interarrival::Constant, mean_gap_ps: 100.0, left: u64::MAX });
        assert_eq!(open.on_timer(10), request(Some(110)));
        assert_eq!(open.on_timer(60), Action::Rest);
        assert_eq!(open.set_arrivals(60, Interarrival::Constant, 10.0), Some(65));
        assert_eq!(open.on_timer(65), request(Some(75)));
    }

    #[test]
    fn a_gap_beyond_all_time_ends_never_until_the_load_is_raised() {
        // 1 TB at 1 kb/s: 8e21 ps, where 64 bits end at 1.8e19.
        let mut open = source(Pattern::Open { gaps: Interarrival::Constant, mean_gap_ps: 8e21, left: u64::MAX });
        assert_eq!(open.on_timer(10), request(Some(NEVER_PS)));
        assert_eq!(open.set_arrivals(50, Interarrival::Constant, 100.0), Some(150));
    }

    #[test]
    fn a_closed_loop_keeps_its_requests_outstanding_until_they_run_out() {
        let mut closed = source(Pattern::Closed { outstanding: 2, left: 3, think: Think::default() });
        assert_eq!(closed.on_timer(10), request(Some(10)));
        assert_eq!(closed.on_timer(10), request(None));
        assert_eq!(closed.on_answer(20), request(None));
        assert_eq!(closed.on_answer(30), Action::Rest);
        assert!(closed.is_spent());
    }

    #[test]
    fn a_closed_loop_that_had_ceased_fills_up_again() {
        let mut closed = source(Pattern::Closed { outstanding: 2, left: 10, think: Think::default() });
        closed.on_timer(10);
        closed.on_timer(10);
        closed.set_stop(15, 15);
        assert_eq!(closed.on_answer(20), Action::Rest);
        assert_eq!(closed.set_stop(30, NEVER_PS), Some(31));
        assert_eq!(closed.on_timer(31), request(None));
        assert_eq!(closed.on_timer(31), Action::Rest);
        assert_eq!(closed.on_answer(40), request(None));
    }

    fn thinking(mean_ps: f64) -> Think {
        Think { law: Interarrival::Constant, mean_ps }
    }

    #[test]
    fn a_closed_loop_pauses_before_each_request_but_the_first_of_each() {
        let mut closed = source(Pattern::Closed { outstanding: 2, left: 4, think: thinking(100.0) });
        assert_eq!(closed.on_timer(10), request(Some(10)));
        assert_eq!(closed.on_timer(10), request(None));
        assert_eq!(closed.on_answer(20), Action::Think { until_ps: 120 });
        assert_eq!(closed.on_answer(20), Action::Think { until_ps: 120 });
        assert_eq!(closed.on_timer(60), Action::Rest);
        assert_eq!(closed.on_timer(120), request(Some(120)));
        assert_eq!(closed.on_timer(120), request(None));
        assert_eq!(closed.on_answer(130), Action::Rest);
    }

    #[test]
    fn pauses_follow_a_change_of_their_mean() {
        let mut closed = source(Pattern::Closed { outstanding: 1, left: 10, think: thinking(100.0) });
        closed.on_timer(10);
        assert_eq!(closed.on_answer(20), Action::Think { until_ps: 120 });
        assert_eq!(closed.set_think_time(70, thinking(200.0)), [170]);
        assert_eq!(closed.on_timer(120), Action::Rest);
        assert_eq!(closed.set_think_time(120, thinking(0.0)), [120]);
        assert_eq!(closed.on_timer(120), request(None));
        assert_eq!(closed.on_answer(130), request(None));
    }

    #[test]
    fn pauses_have_a_random_stream_of_their_own() {
        let sizes = |mean_ps| {
            let think = Think { law: Interarrival::Exponential, mean_ps };
            let pattern = Pattern::Closed { outstanding: 1, left: u64::MAX, think };
            let mut source = Source::new(1, 0, pattern, Arc::new(SizeLaw::Exponential(1e6)), 0, NEVER_PS);
            let mut action = source.on_timer(0);
            let mut sizes = Vec::new();
            for _ in 0..20 {
                action = match action {
                    Action::Request { bytes, .. } => {
                        sizes.push(bytes);
                        source.on_answer(0)
                    }
                    Action::Think { until_ps } => source.on_timer(until_ps),
                    action => panic!("{action:?}"),
                };
            }
            sizes
        };
        let (hasty, thoughtful) = (sizes(0.0), sizes(1e6));
        assert_eq!(hasty[..thoughtful.len()], thoughtful);
    }

    #[test]
    fn a_source_that_had_ceased_can_go_on() {
        let mut open = source(Pattern::Open { gaps: Interarrival::Constant, mean_gap_ps: 100.0, left: u64::MAX });
        open.set_stop(0, 5);
        assert_eq!(open.on_timer(10), Action::Rest);
        assert_eq!(open.set_stop(50, NEVER_PS), Some(51));
        assert_eq!(open.on_timer(51), request(Some(151)));
    }

    fn replay(instants: &[u64]) -> Source {
        source(Pattern::Replay(Replay::new(trace(instants), 0, 1, 1.0, 10)))
    }

    fn trace(instants: &[u64]) -> Arc<Trace> {
        let mut trace = Trace::default();
        for &at_ps in instants {
            let operation = traces::Operation::Read;
            trace.push(traces::Record { at_ps, operation, address: 4096, bytes: 1000, volume: 0 });
        }
        Arc::new(trace)
    }

    fn recorded(again_ps: Option<u64>) -> Action {
        Action::Request { bytes: 1000, again_ps, recorded: Some(Recorded { reads: true, address: 4096 }) }
    }

    #[test]
    fn a_replay_issues_its_requests_at_their_instants() {
        let mut replay = replay(&[5, 5, 90]);
        assert_eq!(replay.on_timer(10), Action::Think { until_ps: 15 });
        assert_eq!(replay.on_timer(15), recorded(Some(15)));
        assert_eq!(replay.on_timer(15), recorded(Some(100)));
        assert_eq!(replay.on_timer(50), Action::Rest);
        assert_eq!(replay.on_timer(100), recorded(None));
        assert!(replay.is_spent());
        assert_eq!(replay.on_timer(100), Action::Rest);
    }

    #[test]
    fn a_replay_follows_a_change_of_its_speed_and_passes_over_its_rest() {
        let mut replay = replay(&[0, 100, 200, 300]);
        assert_eq!(replay.on_timer(10), recorded(Some(110)));
        assert_eq!(replay.set_replay(60, 2.0, trace(&[0, 100, 200, 300])), Some(85));
        assert_eq!(replay.on_timer(110), Action::Rest);
        assert_eq!(replay.on_timer(85), recorded(Some(135)));
        replay.set_stop(90, 90);
        assert_eq!(replay.on_timer(135), Action::Rest);
        assert_eq!(replay.set_stop(150, NEVER_PS), Some(151));
        assert_eq!(replay.on_timer(151), Action::Think { until_ps: 185 });
        assert_eq!(replay.on_timer(185), recorded(None));
    }
}
