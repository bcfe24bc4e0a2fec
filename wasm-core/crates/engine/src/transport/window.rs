//! The congestion window: slow start below the threshold, one packet per round trip above it (RFC 5681).

/// A congestion window in packets, kept between a floor and a ceiling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// cwnd.
    pub packets: f64,
    /// ssthresh.
    threshold: f64,
    smallest: f64,
    largest: f64,
}

impl Window {
    /// A window in slow start.
    pub fn new(initial: u32, smallest: u32, largest: u32) -> Self {
        Self {
            packets: f64::from(initial),
            threshold: f64::INFINITY,
            smallest: f64::from(smallest),
            largest: f64::from(largest),
        }
    }

    /// Whether the window doubles every round trip.
    pub fn in_slow_start(&self) -> bool {
        self.packets < self.threshold
    }

    /// Grows by the acknowledgement of `acknowledged` packets.
    #[inline]
    pub fn grow(&mut self, acknowledged: f64) {
        let growth = if self.in_slow_start() { acknowledged } else { acknowledged / self.packets };
        self.packets = (self.packets + growth).min(self.largest);
    }

    /// Multiplies the window by `factor` and leaves slow start.
    #[inline]
    pub fn cut(&mut self, factor: f64) {
        self.packets = (self.packets * factor).max(self.smallest);
        self.threshold = self.packets;
    }

    /// After a timeout: one packet, slow start up to half of what was in flight (RFC 5681 section 3.1).
    pub fn collapse(&mut self, in_flight: f64) {
        self.threshold = (in_flight / 2.0).max(2.0);
        self.packets = 1.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_in_slow_start_and_adds_one_per_round_trip_after_a_cut() {
        let mut window = Window::new(10, 2, 1000);
        (0..10).for_each(|_| window.grow(1.0));
        assert_eq!(window.packets, 20.0);
        window.cut(0.5);
        (0..10).for_each(|_| window.grow(1.0));
        assert!((window.packets - 11.0).abs() < 0.05);
    }

    #[test]
    fn stays_between_floor_and_ceiling() {
        let mut window = Window::new(10, 2, 12);
        (0..10).for_each(|_| window.grow(1.0));
        assert_eq!(window.packets, 12.0);
        (0..10).for_each(|_| window.cut(0.5));
        assert_eq!(window.packets, 2.0);
    }
}
