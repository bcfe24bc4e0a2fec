//! A congestion window in slow start below its threshold and growing by one packet per round trip above it (RFC 5681), or
//! by the part of one that falls to a connection whose class grows as a whole.
//!
//! A cut because of marks is spread over the round trip that follows, in proportion to what is acknowledged meanwhile
//! (as proportional rate reduction does, RFC 6937): cutting at once would silence the sender for a part of the round
//! trip and send the rest in a burst. A cut because of loss takes effect at once.

use crate::transport::controller::Start;

/// A congestion window in packets, kept between a floor and a ceiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// cwnd.
    pub packets: f64,
    /// ssthresh.
    threshold: f64,
    min: f64,
    max: f64,
    /// Packets the window shrinks by for each packet acknowledged, until it is down to the threshold.
    shrinkage: f64,
}

impl Window {
    /// The window of a new flow, in slow start, or one that goes on from a size, out of it.
    pub fn new(start: &Start) -> Self {
        let (min, max) = (f64::from(start.limits.min), f64::from(start.limits.max));
        let (packets, threshold) = match start.packets.map(|packets| packets.clamp(min, max)) {
            Some(packets) => (packets, packets),
            None => (f64::from(start.limits.initial), f64::INFINITY),
        };
        Self { packets, threshold, min, max, shrinkage: 0.0 }
    }

    /// Whether the window doubles every round trip.
    pub fn in_slow_start(&self) -> bool {
        self.packets < self.threshold
    }

    /// Grows by the acknowledgement of `acknowledged` packets; above the threshold by `growth` packets per round trip.
    #[inline]
    pub fn grow(&mut self, acknowledged: f64, growth: f64) {
        let growth = if self.in_slow_start() { acknowledged } else { growth * acknowledged / self.packets };
        self.packets = (self.packets + growth).min(self.max);
    }

    /// Multiplies the window by `factor` at once and leaves slow start.
    pub fn cut(&mut self, factor: f64) {
        self.packets = (self.packets * factor).max(self.min);
        self.threshold = self.packets;
        self.shrinkage = 0.0;
    }

    /// Begins to multiply the window by `factor`, over as many packets as it holds, and leaves slow start.
    #[inline]
    pub fn begin_cut(&mut self, factor: f64) {
        self.threshold = (self.packets * factor).max(self.min);
        self.shrinkage = ((self.packets - self.threshold) / self.packets).max(0.0);
    }

    /// Goes on with a cut by the acknowledgement of `acknowledged` packets.
    #[inline]
    pub fn shrink(&mut self, acknowledged: f64) {
        if self.packets > self.threshold {
            self.packets = (self.packets - acknowledged * self.shrinkage).max(self.threshold);
        }
    }

    /// Brings a cut that was begun to its end.
    #[inline]
    pub fn end_cut(&mut self) {
        if self.shrinkage > 0.0 {
            self.packets = self.packets.min(self.threshold);
            self.shrinkage = 0.0;
        }
    }

    /// After a timeout: one packet, slow start up to half of what was in flight (RFC 5681 section 3.1).
    pub fn collapse(&mut self, in_flight: f64) {
        self.threshold = (in_flight / 2.0).max(2.0);
        self.packets = 1.0;
        self.shrinkage = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::WindowLimits;

    fn slow_start(initial: u32, min: u32, max: u32) -> Window {
        Window::new(&Start::anew(0, WindowLimits { initial, min, max }, 10e9))
    }

    #[test]
    fn doubles_in_slow_start_and_adds_one_per_round_trip_after_a_cut() {
        let mut window = slow_start(10, 2, 1000);
        (0..10).for_each(|_| window.grow(1.0, 1.0));
        assert_eq!(window.packets, 20.0);
        window.cut(0.5);
        (0..10).for_each(|_| window.grow(1.0, 1.0));
        assert!((window.packets - 11.0).abs() < 0.05);
    }

    #[test]
    fn a_part_of_the_growth_counts_above_the_threshold_only() {
        let mut window = slow_start(10, 2, 1000);
        (0..10).for_each(|_| window.grow(1.0, 0.25));
        assert_eq!(window.packets, 20.0);
        window.cut(0.5);
        (0..10).for_each(|_| window.grow(1.0, 0.25));
        assert!((window.packets - 10.25).abs() < 0.01);
    }

    #[test]
    fn a_cut_that_is_begun_is_done_after_a_window_of_acknowledgements() {
        let mut window = slow_start(100, 2, 1000);
        window.begin_cut(0.8);
        (0..50).for_each(|_| window.shrink(1.0));
        assert!((window.packets - 90.0).abs() < 1e-9);
        (0..60).for_each(|_| window.shrink(1.0));
        window.end_cut();
        assert!((window.packets - 80.0).abs() < 1e-9);
        assert!(!window.in_slow_start());
    }

    #[test]
    fn stays_between_floor_and_ceiling() {
        let mut window = slow_start(10, 2, 12);
        (0..10).for_each(|_| window.grow(1.0, 1.0));
        assert_eq!(window.packets, 12.0);
        (0..10).for_each(|_| window.cut(0.5));
        assert_eq!(window.packets, 2.0);
    }

    #[test]
    fn one_that_goes_on_is_out_of_slow_start_and_within_its_bounds() {
        let limits = WindowLimits { initial: 10, min: 2, max: 12 };
        let sizes = [1.0, 5.0, 50.0].map(|packets| {
            let window = Window::new(&Start { packets: Some(packets), ..Start::anew(0, limits, 10e9) });
            assert!(!window.in_slow_start());
            window.packets
        });
        assert_eq!(sizes, [2.0, 5.0, 12.0]);
    }
}
