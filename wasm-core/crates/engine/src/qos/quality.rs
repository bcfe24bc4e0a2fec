//! The quality factor of a class and its convergence.
//!
//! Q_i is target throughput over achieved throughput (paper 1 eq. 1; paper 2 prints the inverse, see `docs/models.md`):
//! above 1 the class gets too little, below 1 it has slack. The achieved throughput is smoothed, λ' = (1 − γ)λ + γλ'.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::sums::total;

/// What the connections of a class know of its share. Rates are in bytes per picosecond.
///
/// The sum over the connections is published once per update of the class, as hosts that coordinate would; a connection
/// adds what has changed of its own rate since. A class of one connection thus always sees the present.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClassShare {
    /// λ_t: what the class may carry before it has more than its share. For a class that asks for less than its share that
    /// is what it would get if it asked for more, so that a burst of requests is not held to their mean.
    pub target: f64,
    /// λ': what its connections carried together when that was last published.
    pub carried: f64,
    /// Q of a class that aims at a latency (see [`crate::qos::tail`]); none for one that aims at throughput.
    pub of_latency: Option<f64>,
}

impl ClassShare {
    /// Q of a class that should get `target` and carries `carried`, at most [`MAX_QUALITY`].
    pub fn quality(target: f64, carried: f64) -> f64 {
        if carried > 0.0 { (target / carried).min(MAX_QUALITY) } else { MAX_QUALITY }
    }

    /// The quality factor as the connection of `meter` sees it.
    #[inline]
    pub fn quality_for(&self, meter: &RateMeter) -> f64 {
        if let Some(factor) = self.of_latency {
            return factor;
        }
        if self.target <= 0.0 {
            // It has only just begun: nothing is known yet of what it should carry.
            return 1.0;
        }
        Self::quality(self.target, self.carried - meter.published + meter.carried())
    }
}

/// Largest Q: that of a class that should carry something and carries next to nothing at all.
pub const MAX_QUALITY: f64 = 1e3;

/// Measures the throughput of a connection, round trip by round trip: a round lasts until what had been sent when it
/// began is acknowledged, so it holds one window (paper 2: λ = W / R).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateMeter {
    /// γ, the weight of the past.
    smoothing: f64,
    /// Rounds averaged in one measurement.
    rounds: u32,
    rounds_done: u32,
    round_end: u64,
    began_ps: u64,
    began_at: u64,
    /// λ', in bytes per picosecond; none before the first measurement.
    carried: Option<f64>,
    /// λ' as it was when the rate of the class was last published.
    published: f64,
}

impl RateMeter {
    /// A meter that knows nothing. `smoothing` is γ; a measurement is made every `rounds` round trips.
    pub fn new(smoothing: f64, rounds: u32) -> Self {
        Self {
            smoothing,
            rounds,
            rounds_done: 0,
            round_end: 0,
            began_ps: 0,
            began_at: 0,
            carried: None,
            published: 0.0,
        }
    }

    /// Changes γ and the length of a measurement.
    pub fn set(&mut self, smoothing: f64, rounds: u32) {
        self.smoothing = smoothing;
        self.rounds = rounds;
    }

    /// Forgets its measurements: a new flow begins at position `began_at`.
    pub fn restart(&mut self, now_ps: u64, began_at: u64) {
        self.carried = None;
        self.rounds_done = 0;
        self.round_end = began_at;
        (self.began_ps, self.began_at) = (now_ps, began_at);
    }

    /// The first packet leaves at `now_ps`.
    pub fn begin(&mut self, now_ps: u64) {
        self.began_ps = now_ps;
    }

    /// Everything below `unacknowledged` has arrived, everything below `next` has been sent.
    #[inline]
    pub fn on_acknowledged(&mut self, now_ps: u64, unacknowledged: u64, next: u64) {
        if unacknowledged > self.round_end {
            self.end_round(now_ps, unacknowledged, next);
        }
    }

    fn end_round(&mut self, now_ps: u64, unacknowledged: u64, next: u64) {
        self.round_end = next;
        self.rounds_done += 1;
        if self.rounds_done < self.rounds || now_ps == self.began_ps {
            return;
        }
        let latest = (unacknowledged - self.began_at) as f64 / (now_ps - self.began_ps) as f64;
        let past = self.carried.unwrap_or(latest);
        self.carried = Some((1.0 - self.smoothing) * latest + self.smoothing * past);
        self.rounds_done = 0;
        self.began_ps = now_ps;
        self.began_at = unacknowledged;
    }

    /// λ', in bytes per picosecond; 0 before the first measurement.
    pub fn carried(&self) -> f64 {
        self.carried.unwrap_or(0.0)
    }

    /// Tells the class what the connection carries; none before the first measurement. A round that has gone on for longer
    /// than `patience_ps` counts as if one more packet were acknowledged now: the connection is slow or held up.
    pub fn publish(&mut self, now_ps: u64, unacknowledged: u64, packet_bytes: u32, patience_ps: u64) -> Option<f64> {
        let elapsed_ps = now_ps.saturating_sub(self.began_ps);
        let known = if elapsed_ps > patience_ps {
            let bytes = unacknowledged.saturating_sub(self.began_at) + u64::from(packet_bytes);
            let present = bytes as f64 / elapsed_ps as f64;
            Some(self.carried.map_or(present, |carried| carried.min(present)))
        } else {
            self.carried
        };
        self.published = known.unwrap_or(0.0);
        known
    }

    /// The connection has nothing to send: its next measurement begins when it has.
    pub fn rest(&mut self, now_ps: u64, unacknowledged: u64) {
        self.restart(now_ps, unacknowledged);
        self.published = 0.0;
    }
}

/// What became of the distance of a quality factor from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConvergenceTurn")]
pub enum Turn {
    /// It has come to stay near 1 for the first time.
    Converged,
    /// It has gone away from 1.
    Left,
    /// It has come back.
    Returned,
}

/// A turn of a class, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvergenceEvent {
    /// What happened.
    pub turn: Turn,
    /// The beginning of the round trips over which the mean shows it.
    pub at_ps: u64,
    /// Base round trips of the class from the event before, or from when the class first or again had something to send.
    pub rtts: f64,
}

/// Watches for the moment a quality factor has come to stay near 1.
///
/// A single round trip says little: window and queue swing within each. What counts is the mean of Q over the last so
/// many round trips. A class has converged when that lies within the band, since the beginning of those round trips; it
/// has left again when the mean lies outside twice the band, since the beginning of those.
#[derive(Clone, Debug)]
pub struct Convergence {
    band: f64,
    /// Round trips averaged.
    rtts: f64,
    /// Updates of the last so many round trips: when, over how many round trips, which Q.
    recent: VecDeque<(u64, f64, f64)>,
    /// What is counted from.
    since_ps: Option<u64>,
    first_ps: Option<u64>,
    current: Option<ConvergenceEvent>,
    events: Vec<ConvergenceEvent>,
}

/// Multiple of the band beyond which a converged class has left it.
const LEAVE: f64 = 2.0;
/// Events remembered of a class: the first so many.
pub const MAX_EVENTS: usize = 64;

impl Convergence {
    /// Watches for a mean within `band` of 1 over `rtts` round trips.
    pub fn new(band: f64, rtts: u32) -> Self {
        Self {
            band,
            rtts: f64::from(rtts),
            recent: VecDeque::new(),
            since_ps: None,
            first_ps: None,
            current: None,
            events: Vec::new(),
        }
    }

    /// Takes in an update of Q that covered `rtts` round trips ending at `now_ps`; the class had something to send from
    /// `from_ps` on, and its empty round trip is `base_rtt_ps`.
    pub fn update(&mut self, from_ps: u64, now_ps: u64, factor: f64, rtts: f64, base_rtt_ps: u64) {
        let since_ps = *self.since_ps.get_or_insert(from_ps);
        self.recent.push_back((now_ps, rtts, factor));
        let mut covered: f64 = total(self.recent.iter().map(|&(_, rtts, _)| rtts));
        while let Some(&(_, oldest, _)) = self.recent.front()
            && covered - oldest >= self.rtts
        {
            covered -= oldest;
            self.recent.pop_front();
        }
        if covered < self.rtts {
            return;
        }
        let mean = total(self.recent.iter().map(|&(_, rtts, factor)| rtts * factor)) / covered;
        let distance = (mean - 1.0).abs();
        let at_ps = self.recent.front().map_or(now_ps, |&(at_ps, ..)| at_ps);
        let event = |turn| {
            let rtts = at_ps.saturating_sub(since_ps) as f64 / base_rtt_ps.max(1) as f64;
            ConvergenceEvent { turn, at_ps, rtts }
        };
        if distance > LEAVE * self.band && self.current.is_some() {
            self.current = None;
            self.note(event(Turn::Left));
        } else if distance <= self.band && self.current.is_none() {
            let turn = if self.first_ps.is_none() { Turn::Converged } else { Turn::Returned };
            self.first_ps = self.first_ps.or(Some(at_ps));
            self.current = Some(event(turn));
            self.note(event(turn));
        }
    }

    fn note(&mut self, event: ConvergenceEvent) {
        self.since_ps = Some(event.at_ps);
        if self.events.len() < MAX_EVENTS {
            self.events.push(event);
        }
    }

    /// The class has fallen silent: nothing is known any more.
    pub fn leave(&mut self) {
        self.recent.clear();
        self.since_ps = None;
        self.current = None;
    }

    /// When Q first came to stay near 1, in the whole run.
    pub fn first_ps(&self) -> Option<u64> {
        self.first_ps
    }

    /// How Q came to be near 1 as it is now, if it is.
    pub fn current(&self) -> Option<ConvergenceEvent> {
        self.current
    }

    /// The first turns of the class, [`MAX_EVENTS`] at most.
    pub fn events(&self) -> &[ConvergenceEvent] {
        &self.events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: u64 = 1_000_000;

    #[test]
    fn a_round_measures_a_window_over_a_round_trip() {
        let mut meter = RateMeter::new(0.5, 1);
        meter.begin(0);
        // The first packet of ten comes back after 1 us, the tenth with it: 10 000 bytes outstanding per round.
        meter.on_acknowledged(US, 1000, 11_000);
        assert_eq!(meter.carried() * US as f64, 1000.0);
        meter.on_acknowledged(2 * US - 1, 11_000, 21_000);
        assert_eq!(meter.carried() * US as f64, 1000.0);
        meter.on_acknowledged(2 * US, 12_000, 22_000);
        assert_eq!(meter.carried() * US as f64, 0.5 * 11_000.0 + 0.5 * 1000.0);
    }

    #[test]
    fn several_rounds_make_one_measurement() {
        let mut meter = RateMeter::new(0.0, 3);
        meter.begin(0);
        let carried: Vec<f64> = (1..=6)
            .map(|round| {
                meter.on_acknowledged(round * US, round * round * 1000, round * round * 1000);
                meter.carried() * US as f64
            })
            .collect();
        assert_eq!(carried, [0.0, 0.0, 3000.0, 3000.0, 3000.0, 9000.0]);
    }

    #[test]
    fn a_connection_adds_the_news_of_its_own_rate_to_what_was_published() {
        let mut meter = RateMeter::new(0.0, 1);
        meter.begin(0);
        meter.on_acknowledged(US, 1000, 2000);
        let carried = meter.publish(US, 1000, 1000, 10 * US).unwrap() + 1000.0 / US as f64;
        let share = ClassShare { target: 2000.0 / US as f64, carried, of_latency: None };
        assert_eq!(share.quality_for(&meter), 1.0);
        meter.on_acknowledged(2 * US, 4000, 8000);
        assert_eq!(share.quality_for(&meter), 0.5);
    }

    #[test]
    fn a_connection_that_is_held_up_publishes_less_and_less() {
        let mut meter = RateMeter::new(0.0, 1);
        meter.begin(0);
        assert_eq!(meter.publish(US, 0, 1000, 4 * US), None);
        meter.on_acknowledged(US, 1000, 2000);
        assert_eq!(meter.publish(5 * US, 1000, 1000, 4 * US), Some(1000.0 / US as f64));
        assert_eq!(meter.publish(11 * US, 1000, 1000, 4 * US), Some(100.0 / US as f64));
        meter.rest(20 * US, 2000);
        assert_eq!(meter.publish(21 * US, 2000, 1000, 4 * US), None);
    }

    #[test]
    fn nothing_carried_is_a_large_deficit_not_a_division_by_zero() {
        assert_eq!(ClassShare::quality(1.0, 0.0), MAX_QUALITY);
        assert_eq!(ClassShare::quality(1.0, 1e-9), MAX_QUALITY);
    }

    #[test]
    fn converges_on_the_mean_of_the_last_round_trips_and_leaves_beyond_twice_the_band() {
        let mut convergence = Convergence::new(0.05, 3);
        let since = [None, None, None, Some(1), Some(1), Some(1), None, None, None, Some(7)];
        for (n, factor) in [1.5, 1.08, 0.94, 1.0, 1.0, 1.2, 1.2, 1.0, 1.0, 1.0].into_iter().enumerate() {
            convergence.update(0, n as u64, factor, 1.0, 2);
            assert_eq!(convergence.current().map(|event| event.at_ps), since[n], "update {n}");
        }
        assert_eq!(convergence.first_ps(), Some(1));
        let event = |turn, at_ps, rtts| ConvergenceEvent { turn, at_ps, rtts };
        let expected = [event(Turn::Converged, 1, 0.5), event(Turn::Left, 4, 1.5), event(Turn::Returned, 7, 1.5)];
        assert_eq!(convergence.events(), expected);
    }
}
