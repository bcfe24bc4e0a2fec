//! What the window controllers have in common: the events they are told of, and the choice between them.

use crate::qos::quality::{ClassShare, RateMeter};
use crate::transport::d2tcp::D2tcp;
use crate::transport::dctcp::Dctcp;
use crate::transport::qtcp::{DeficitRule, Qtcp};
use crate::transport::window::Window;

/// An acknowledgement that moved the left edge of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acknowledged {
    /// Bytes newly acknowledged.
    pub bytes: u64,
    /// The same in full packets.
    pub packets: f64,
    /// The receiver saw congestion (ECE).
    pub marked: bool,
    /// SND.UNA after this acknowledgement.
    pub unacknowledged: u64,
    /// SND.NXT.
    pub next: u64,
    /// The window was what limited the sender.
    pub window_used: bool,
}

/// Which controller a class uses, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// RFC 8257.
    Dctcp {
        /// g.
        gain: f64,
    },
    /// DCTCP with the quality factor in the cut.
    Qtcp {
        /// g.
        gain: f64,
        /// What a mark does to a window in deficit.
        deficit: DeficitRule,
    },
    /// DCTCP with the deadline of the request in the cut.
    D2tcp {
        /// g.
        gain: f64,
    },
}

/// The window controller of one connection. An enum rather than a boxed trait: it is called for every acknowledgement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Controller {
    /// RFC 8257.
    Dctcp(Dctcp),
    /// DCTCP with the quality factor in the cut.
    Qtcp(Qtcp),
    /// DCTCP with the deadline of the request in the cut.
    D2tcp(D2tcp),
}

impl Controller {
    /// A controller that has seen nothing.
    pub fn new(control: Control) -> Self {
        let (Control::Dctcp { gain } | Control::Qtcp { gain, .. } | Control::D2tcp { gain }) = control;
        Self::on(control, Dctcp::new(gain))
    }

    /// Becomes the controller described, keeping what has been learnt about marks.
    pub fn switch_to(&mut self, control: Control) {
        let (Control::Dctcp { gain } | Control::Qtcp { gain, .. } | Control::D2tcp { gain }) = control;
        let mut marks = *self.marks();
        marks.set_gain(gain);
        *self = Self::on(control, marks);
    }

    /// The controller described, on what is known about marks.
    fn on(control: Control, marks: Dctcp) -> Self {
        match control {
            Control::Dctcp { .. } => Self::Dctcp(marks),
            Control::Qtcp { deficit, .. } => Self::Qtcp(Qtcp::new(marks, deficit)),
            Control::D2tcp { .. } => Self::D2tcp(D2tcp { marks }),
        }
    }

    fn marks(&self) -> &Dctcp {
        match self {
            Self::Dctcp(dctcp) => dctcp,
            Self::Qtcp(qtcp) => &qtcp.marks,
            Self::D2tcp(d2tcp) => &d2tcp.marks,
        }
    }

    /// α.
    pub fn alpha(&self) -> f64 {
        self.marks().alpha()
    }

    /// Takes in an acknowledgement: may grow the window, and returns the factor of a cut that is due. `imminence` tells how
    /// close the request in progress is to missing its deadline with a window of so many packets.
    #[inline]
    pub fn on_acknowledged(
        &mut self,
        event: &Acknowledged,
        share: ClassShare,
        meter: &RateMeter,
        imminence: impl FnOnce(f64) -> f64,
        window: &mut Window,
    ) -> Option<f64> {
        match self {
            Self::Dctcp(dctcp) => dctcp.on_acknowledged(event, window),
            Self::Qtcp(qtcp) => qtcp.on_acknowledged(event, share, meter, window),
            Self::D2tcp(d2tcp) => d2tcp.on_acknowledged(event, imminence(window.packets), window),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Packet number `at` (from 0) of 1000 bytes is acknowledged while packets up to `next` have been sent.
    pub(crate) fn acknowledge(at: u64, next: u64, marked: bool) -> Acknowledged {
        let unacknowledged = (at + 1) * 1000;
        Acknowledged { bytes: 1000, packets: 1.0, marked, unacknowledged, next: next * 1000, window_used: true }
    }

    /// A window out of slow start.
    pub(crate) fn window(packets: u32) -> Window {
        let mut window = Window::new(packets, 2, 1000);
        window.cut(1.0);
        window
    }

    #[test]
    fn switching_keeps_alpha() {
        let mut controller = Controller::new(Control::Qtcp { gain: 0.5, deficit: DeficitRule::Cut });
        let meter = RateMeter::new(0.5, 1);
        controller.on_acknowledged(
            &acknowledge(0, 10, false),
            ClassShare::default(),
            &meter,
            |_window| 1.0,
            &mut window(10),
        );
        controller.switch_to(Control::Dctcp { gain: 0.1 });
        assert!(matches!(controller, Controller::Dctcp(_)));
        assert_eq!(controller.alpha(), 0.5);
        controller.switch_to(Control::Qtcp { gain: 0.1, deficit: DeficitRule::Cut });
        assert_eq!(controller.alpha(), 0.5);
    }
}
