//! DCTCP (RFC 8257 section 3.3): the window is cut in proportion to the share of marked bytes.

use crate::transport::controller::Acknowledged;
use crate::transport::window::Window;

/// Sender state of DCTCP.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dctcp {
    /// g, the weight of the newest window in alpha.
    gain: f64,
    /// α, the moving average of the marked share.
    alpha: f64,
    /// WindowEnd: alpha is updated when acknowledgements pass it.
    window_end: u64,
    acknowledged_bytes: u64,
    marked_bytes: u64,
    /// No further cut, and no growth, until acknowledgements pass what had been sent at the last cut (CWR).
    reduced_until: u64,
}

impl Dctcp {
    /// A controller that has seen nothing; alpha starts at 1 (RFC 8257 section 3.3).
    pub fn new(gain: f64) -> Self {
        Self { gain, alpha: 1.0, window_end: 0, acknowledged_bytes: 0, marked_bytes: 0, reduced_until: 0 }
    }

    /// α.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Changes g.
    pub fn set_gain(&mut self, gain: f64) {
        self.gain = gain;
    }

    /// Counts an acknowledgement into alpha, grows the window where that is due, and returns the factor of the cut that
    /// is due now: 1 − α/2 at the first echo of a mark in a window of data, otherwise none.
    #[inline]
    pub fn on_acknowledged(&mut self, event: &Acknowledged, window: &mut Window) -> Option<f64> {
        self.count(event);
        if event.unacknowledged > self.window_end {
            self.end_window(event.next);
        }
        if event.unacknowledged <= self.reduced_until {
            window.shrink(event.packets);
            return None;
        }
        window.end_cut();
        if event.marked {
            self.reduced_until = event.next;
            return Some(1.0 - self.alpha / 2.0);
        }
        if event.window_used {
            window.grow(event.packets);
        }
        None
    }

    /// As [`Self::on_acknowledged`], but outside slow start it decides once per observation window, at its end: a window
    /// in which a mark was echoed is followed by a cut that takes the next window, one without by growth.
    #[inline]
    pub fn on_acknowledged_by_window(&mut self, event: &Acknowledged, window: &mut Window) -> Option<f64> {
        if window.in_slow_start() {
            return self.on_acknowledged(event, window);
        }
        self.count(event);
        if event.unacknowledged > self.window_end {
            let marked = self.marked_bytes > 0;
            self.end_window(event.next);
            if event.unacknowledged > self.reduced_until {
                window.end_cut();
                if marked {
                    self.reduced_until = event.next;
                    return Some(1.0 - self.alpha / 2.0);
                }
            }
        }
        if event.unacknowledged <= self.reduced_until {
            window.shrink(event.packets);
        } else if event.window_used {
            window.grow(event.packets);
        }
        None
    }

    #[inline]
    fn count(&mut self, event: &Acknowledged) {
        self.acknowledged_bytes += event.bytes;
        if event.marked {
            self.marked_bytes += event.bytes;
        }
    }

    #[inline]
    fn end_window(&mut self, next: u64) {
        let share = self.marked_bytes as f64 / self.acknowledged_bytes as f64;
        self.alpha += self.gain * (share - self.alpha);
        self.window_end = next;
        self.acknowledged_bytes = 0;
        self.marked_bytes = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::controller::tests::{acknowledge, window};

    #[test]
    fn the_first_mark_halves_because_alpha_starts_at_one() {
        let (mut dctcp, mut window) = (Dctcp::new(1.0 / 16.0), window(10));
        assert_eq!(dctcp.on_acknowledged(&acknowledge(0, 10, true), &mut window), Some(0.5));
    }

    #[test]
    fn cuts_once_per_window_of_data_and_does_not_grow_meanwhile() {
        let (mut dctcp, mut window) = (Dctcp::new(1.0 / 16.0), window(10));
        assert!(dctcp.on_acknowledged(&acknowledge(0, 10, true), &mut window).is_some());
        for at in 1..=9 {
            assert_eq!(dctcp.on_acknowledged(&acknowledge(at, 20, true), &mut window), None);
        }
        assert_eq!(window.packets, 10.0);
        assert!(dctcp.on_acknowledged(&acknowledge(10, 20, true), &mut window).is_some());
    }

    #[test]
    fn alpha_follows_the_marked_share_once_per_window() {
        let (mut dctcp, mut window) = (Dctcp::new(0.5), window(10));
        dctcp.on_acknowledged(&acknowledge(0, 10, false), &mut window);
        assert_eq!(dctcp.alpha(), 0.5);
        // Half of the next ten packets are marked: 0.5 + 0.5 (0.5 − 0.5).
        (1..=10).for_each(|at| {
            dctcp.on_acknowledged(&acknowledge(at, 20, at % 2 == 0), &mut window);
        });
        assert_eq!(dctcp.alpha(), 0.5);
        (11..=20).for_each(|at| {
            dctcp.on_acknowledged(&acknowledge(at, 30, false), &mut window);
        });
        assert_eq!(dctcp.alpha(), 0.25);
    }

    #[test]
    fn by_window_it_decides_at_the_end_of_each_and_may_cut_in_two_that_follow() {
        let (mut dctcp, mut window) = (Dctcp::new(1.0), window(10));
        // A first window of one packet, unmarked; then windows of ten, the first two with one mark each.
        assert_eq!(dctcp.on_acknowledged_by_window(&acknowledge(0, 10, false), &mut window), None);
        let cuts: Vec<u64> = (1..40)
            .filter(|&at| {
                let event = acknowledge(at, at + 10, at == 5 || at == 15);
                dctcp.on_acknowledged_by_window(&event, &mut window).is_some()
            })
            .collect();
        assert_eq!(cuts, [10, 20]);
    }

    #[test]
    fn a_sender_limited_by_its_application_does_not_grow() {
        let (mut dctcp, mut window) = (Dctcp::new(1.0 / 16.0), window(10));
        let event = Acknowledged { window_used: false, ..acknowledge(0, 10, false) };
        dctcp.on_acknowledged(&event, &mut window);
        assert_eq!(window.packets, 10.0);
    }
}
