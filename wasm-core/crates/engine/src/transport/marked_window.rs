//! A window that follows marks: what controllers of DCTCP's kind have in common (RFC 8257 section 3.3). Each adds its
//! [`CutRule`]: when the window is cut and by how much.
//!
//! α is a moving average of the share of marked bytes, renewed once per window of data. Loss is answered as by RFC 5681: a
//! gap halves the window, a timeout takes it back to one packet.

use std::any::Any;
use std::marker::PhantomData;

use crate::transport::controller::{
    ALPHA, Ack, Allowance, CongestionControl, Listens, Loss, Metric, Metrics, Start, metrics,
};
use crate::transport::window::Window;

/// A congestion window, and what its sender knows of marks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkedWindow {
    window: Window,
    /// α, the moving average of the marked share.
    alpha: f64,
    /// WindowEnd: α is updated when acknowledgements pass it.
    window_end: u64,
    acknowledged_bytes: u64,
    marked_bytes: u64,
    /// No further cut, and no growth, until acknowledgements pass what had been sent at the last cut (CWR).
    reduced_until: u64,
}

impl MarkedWindow {
    /// A window that begins, or goes on from that of a controller of the same kind. α starts at 1 (RFC 8257 section 3.3).
    pub fn new(start: &Start) -> Self {
        let window = Window::new(start);
        let anew =
            || Self { window, alpha: 1.0, window_end: 0, acknowledged_bytes: 0, marked_bytes: 0, reduced_until: 0 };
        start.learnt().unwrap_or_else(anew)
    }

    /// α.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The window in packets.
    #[inline]
    pub fn packets(&self) -> f64 {
        self.window.packets
    }

    /// Whether the window doubles every round trip.
    #[inline]
    pub fn in_slow_start(&self) -> bool {
        self.window.in_slow_start()
    }

    /// Counts an acknowledgement into α, with `gain` as the weight of the newest window, and grows the window where that
    /// is due. Returns the factor of the cut that is due now: 1 − α/2 at the first echo of a mark in a window of data,
    /// otherwise none.
    #[inline]
    pub fn on_ack(&mut self, ack: &Ack, gain: f64) -> Option<f64> {
        self.count(ack);
        if ack.unacknowledged > self.window_end {
            self.end_window(ack.next, gain);
        }
        if ack.unacknowledged <= self.reduced_until {
            self.window.shrink(ack.packets);
            return None;
        }
        self.window.end_cut();
        if ack.marked {
            self.reduced_until = ack.next;
            return Some(1.0 - self.alpha / 2.0);
        }
        if ack.window_used {
            self.window.grow(ack.packets, ack.growth);
        }
        None
    }

    /// As [`Self::on_ack`], but outside slow start it decides once per observation window, at its end: a window in which a
    /// mark was echoed is followed by a cut that takes the next window, one without by growth.
    #[inline]
    pub fn on_ack_by_window(&mut self, ack: &Ack, gain: f64) -> Option<f64> {
        if self.window.in_slow_start() {
            return self.on_ack(ack, gain);
        }
        self.count(ack);
        if ack.unacknowledged > self.window_end {
            let marked = self.marked_bytes > 0;
            self.end_window(ack.next, gain);
            if ack.unacknowledged > self.reduced_until {
                self.window.end_cut();
                if marked {
                    self.reduced_until = ack.next;
                    return Some(1.0 - self.alpha / 2.0);
                }
            }
        }
        if ack.unacknowledged <= self.reduced_until {
            self.window.shrink(ack.packets);
        } else if ack.window_used {
            self.window.grow(ack.packets, ack.growth);
        }
        None
    }

    /// Begins to multiply the window by `factor`. While a loss is repaired the cut for that is enough.
    #[inline]
    fn cut(&mut self, factor: f64, ack: &Ack) {
        if ack.open {
            self.window.begin_cut(factor);
        }
    }

    /// Answers a loss as RFC 5681 does.
    fn on_loss(&mut self, loss: &Loss) {
        match loss {
            Loss::Gap { .. } => self.window.cut(0.5),
            Loss::Timeout { in_flight, .. } => self.window.collapse(*in_flight),
        }
    }

    #[inline]
    fn count(&mut self, ack: &Ack) {
        self.acknowledged_bytes += ack.bytes;
        if ack.marked {
            self.marked_bytes += ack.bytes;
        }
    }

    #[inline]
    fn end_window(&mut self, next: u64, gain: f64) {
        let share = self.marked_bytes as f64 / self.acknowledged_bytes as f64;
        self.alpha += gain * (share - self.alpha);
        self.window_end = next;
        self.acknowledged_bytes = 0;
        self.marked_bytes = 0;
    }
}

/// What distinguishes a controller of DCTCP's kind from the others.
pub trait CutRule: Copy + 'static {
    /// Parameters of a class.
    type Parameters: Copy + PartialEq;

    /// Counts an acknowledgement by [`MarkedWindow::on_ack`] or [`MarkedWindow::on_ack_by_window`]. Returns the factor of the
    /// cut that is due now, or `None`.
    fn due_cut(window: &mut MarkedWindow, ack: &Ack, parameters: &Self::Parameters) -> Option<f64>;
}

/// A controller of DCTCP's kind with the cut rule `R`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Marked<R> {
    window: MarkedWindow,
    rule: PhantomData<R>,
}

impl<R: CutRule> CongestionControl for Marked<R> {
    type Parameters = R::Parameters;

    const METRICS: &'static [Metric] = &[ALPHA];
    const LISTENS: Listens = Listens::TO_ACKS;

    fn new(_parameters: &R::Parameters, start: &Start) -> Self {
        Self { window: MarkedWindow::new(start), rule: PhantomData }
    }

    /// The window, so that controllers of this kind go on from each other's.
    fn learnt(&self) -> &dyn Any {
        &self.window
    }

    #[inline]
    fn allowance(&self) -> Allowance {
        Allowance::window(self.window.packets())
    }

    #[inline]
    fn in_slow_start(&self) -> bool {
        self.window.in_slow_start()
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack, parameters: &R::Parameters) {
        if let Some(factor) = R::due_cut(&mut self.window, ack, parameters) {
            self.window.cut(factor, ack);
        }
    }

    fn on_loss(&mut self, loss: &Loss, _parameters: &R::Parameters) {
        self.window.on_loss(loss);
    }

    fn metrics(&self, _now_ps: u64, _parameters: &R::Parameters) -> Metrics {
        metrics([self.window.alpha()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{LIMITS, acknowledge, going_on, meter};

    #[test]
    fn the_first_mark_halves_because_alpha_starts_at_one() {
        let mut window = MarkedWindow::new(&going_on(10.0));
        assert_eq!(window.on_ack(&acknowledge(0, 10, true, &meter()), 1.0 / 16.0), Some(0.5));
    }

    #[test]
    fn cuts_once_per_window_of_data_and_does_not_grow_meanwhile() {
        let (mut window, meter) = (MarkedWindow::new(&going_on(10.0)), meter());
        assert!(window.on_ack(&acknowledge(0, 10, true, &meter), 1.0 / 16.0).is_some());
        for at in 1..=9 {
            assert_eq!(window.on_ack(&acknowledge(at, 20, true, &meter), 1.0 / 16.0), None);
        }
        assert_eq!(window.packets(), 10.0);
        assert!(window.on_ack(&acknowledge(10, 20, true, &meter), 1.0 / 16.0).is_some());
    }

    #[test]
    fn alpha_follows_the_marked_share_once_per_window() {
        let (mut window, meter) = (MarkedWindow::new(&going_on(10.0)), meter());
        window.on_ack(&acknowledge(0, 10, false, &meter), 0.5);
        assert_eq!(window.alpha(), 0.5);
        // Half of the next ten packets are marked: 0.5 + 0.5 (0.5 − 0.5).
        (1..=10).for_each(|at| {
            window.on_ack(&acknowledge(at, 20, at % 2 == 0, &meter), 0.5);
        });
        assert_eq!(window.alpha(), 0.5);
        (11..=20).for_each(|at| {
            window.on_ack(&acknowledge(at, 30, false, &meter), 0.5);
        });
        assert_eq!(window.alpha(), 0.25);
    }

    #[test]
    fn by_window_it_decides_at_the_end_of_each_and_may_cut_in_two_that_follow() {
        let (mut window, meter) = (MarkedWindow::new(&going_on(10.0)), meter());
        // A first window of one packet, unmarked; then windows of ten, the first two with one mark each.
        assert_eq!(window.on_ack_by_window(&acknowledge(0, 10, false, &meter), 1.0), None);
        let cuts: Vec<u64> = (1..40)
            .filter(|&at| {
                let ack = acknowledge(at, at + 10, at == 5 || at == 15, &meter);
                window.on_ack_by_window(&ack, 1.0).is_some()
            })
            .collect();
        assert_eq!(cuts, [10, 20]);
    }

    #[test]
    fn a_sender_limited_by_its_application_does_not_grow() {
        let (mut window, meter) = (MarkedWindow::new(&going_on(10.0)), meter());
        window.on_ack(&Ack { window_used: false, ..acknowledge(0, 10, false, &meter) }, 1.0 / 16.0);
        assert_eq!(window.packets(), 10.0);
    }

    #[test]
    fn a_gap_halves_and_a_timeout_leaves_one_packet_in_slow_start() {
        let mut window = MarkedWindow::new(&Start::anew(0, LIMITS, 10e9));
        window.on_loss(&Loss::Gap { now_ps: 0 });
        assert_eq!((window.packets(), window.in_slow_start()), (5.0, false));
        window.on_loss(&Loss::Timeout { now_ps: 0, in_flight: 8.0 });
        assert_eq!((window.packets(), window.in_slow_start()), (1.0, true));
    }
}
