//! The congestion controllers, one file each, and the transports made of them: the only place that lists them.
//!
//! An entry of [`transports`] registers a transport: what it is in a sentence, its name, its controller, and what it can do
//! where that differs from [`TCP`] or [`RDMA`]. From the entries come [`Controller`], [`Control`] and [`TRANSPORTS`] here,
//! and the transports of the scenario document. See `CONTRIBUTING.md`, "Adding a congestion controller".

pub mod d2tcp;
pub mod dcqcn;
pub mod dctcp;
pub mod qtcp;
pub mod swift;
pub mod timely;

use std::any::Any;

use crate::transport::controller::{
    Ack, Allowance, Cnp, CongestionControl, Listens, Loss, Metric, Metrics, Reports, Sent, Start,
};

/// Hands the entries to the macro named. The order is that of the screen; the first is the default of the document.
macro_rules! transports {
    ($then:ident) => {
        $then! {
            /// QTCP in throughput mode: DCTCP whose cut also follows the quality factor (paper 1 eq. 5, paper 2 eq. 7).
            Qtcp "qtcp" "QTCP" = qtcp::Qtcp,
                Transport { follows_quality: true, shares_growth: true, model: Some(Model::Qtcp), ..TCP };
            /// Data Center TCP (RFC 8257): the cut follows the share of marked packets. Blind to classes.
            Dctcp "dctcp" "DCTCP" = dctcp::Dctcp,
                Transport { model: Some(Model::Dctcp), ..TCP };
            /// Deadline-aware DCTCP: the cut is gentler the closer a transfer is to missing its deadline (SIGCOMM 2012).
            D2tcp "d2tcp" "D2TCP" = d2tcp::D2tcp,
                Transport { follows_deadlines: true, model: Some(Model::Dctcp), ..TCP };
            /// A window that keeps the round trip near a target, and paces packets where less than one fits (SIGCOMM 2020).
            Swift "swift" "Swift" = swift::Swift,
                Transport { follows_marks: false, times_packets: true, ..TCP };
            /// Rates for RDMA that fall with congestion notifications and recover in three phases (SIGCOMM 2015).
            Dcqcn "dcqcn" "DCQCN" = dcqcn::Dcqcn,
                Transport { model: Some(Model::Dcqcn), ..RDMA };
            /// DCQCN whose cut also follows the quality factor (paper 1 eq. 6).
            Qrdma "qrdma" "QRDMA" = dcqcn::Dcqcn,
                Transport { follows_quality: true, model: Some(Model::Qrdma), ..RDMA };
            /// Rates for RDMA that follow the gradient of the round trip (SIGCOMM 2015).
            Timely "timely" "TIMELY" = timely::Timely,
                Transport { follows_marks: false, ..RDMA };
        }
    };
}
pub(crate) use transports;

/// What carries the packets of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// A byte stream over TCP, let out by a window.
    Tcp,
    /// Messages over RDMA (RoCEv2), paced at a rate.
    Rdma,
}

/// The discrete-time model of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// A window that follows marks.
    Dctcp,
    /// A window that follows marks and the quality factor.
    Qtcp,
    /// A rate that follows notifications.
    Dcqcn,
    /// A rate that follows notifications and the quality factor.
    Qrdma,
}

/// What a transport is and can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transport {
    /// Its name in the document.
    pub id: &'static str,
    /// Its name, as the papers write it.
    pub title: &'static str,
    /// What carries its packets.
    pub carrier: Carrier,
    /// It follows the marks of switches: echoes, or notification packets over RDMA.
    pub follows_marks: bool,
    /// It follows the quality factor of its class, and so a ratio or a latency target.
    pub follows_quality: bool,
    /// It follows the deadlines of requests.
    pub follows_deadlines: bool,
    /// The connections of a class share one packet of growth per round trip where they meet.
    pub shares_growth: bool,
    /// It measures the round trip of every packet, so every packet is acknowledged at once. Over TCP only.
    pub times_packets: bool,
    /// A new flow may begin at a rate known from others (DIRS).
    pub initial_rates: bool,
    /// Its discrete-time model; none if there is none.
    pub model: Option<Model>,
    /// What its controller can be watched by.
    pub metrics: &'static [Metric],
}

/// What transports over TCP have in common.
const TCP: Transport = Transport {
    id: "",
    title: "",
    carrier: Carrier::Tcp,
    follows_marks: true,
    follows_quality: false,
    follows_deadlines: false,
    shares_growth: false,
    times_packets: false,
    initial_rates: false,
    model: None,
    metrics: &[],
};

/// What transports over RDMA have in common.
const RDMA: Transport = Transport { carrier: Carrier::Rdma, initial_rates: true, ..TCP };

macro_rules! controllers {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident::$state:ident, $what:expr;)+) => {
        /// Which controller a class uses, with its parameters.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Control {
            $($(#[doc = $sentence])+ $kind($module::Parameters),)+
        }

        /// The controller of one connection. An enum rather than a boxed trait: it is called for every packet.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Controller {
            $($(#[doc = $sentence])+ $kind($module::$state),)+
        }

        /// Every transport, in the order of their entries.
        pub const TRANSPORTS: &[Transport] =
            &[$(Transport { id: $id, title: $title, metrics: $module::$state::METRICS, ..$what }),+];

        impl Control {
            /// What a receiver reports of marks over RDMA; nothing if the controller does not listen to them.
            #[inline]
            pub fn reports(&self) -> Option<Reports> {
                match self {
                    $(Self::$kind(parameters) => $module::$state::reports(parameters),)+
                }
            }

            /// As [`CongestionControl::recovery_ps`].
            pub fn recovery_ps(&self) -> Option<u64> {
                match self {
                    $(Self::$kind(parameters) => $module::$state::recovery_ps(parameters),)+
                }
            }

            /// The control of DIRS's virtual flow.
            pub fn of_virtual_flow(&self, recovery_ps: u64) -> Self {
                match self {
                    $(Self::$kind(parameters) => {
                        Self::$kind($module::$state::of_virtual_flow(parameters, recovery_ps))
                    })+
                }
            }
        }

        impl Controller {
            /// A controller that begins.
            pub fn new(control: &Control, start: &Start) -> Self {
                match control {
                    $(Control::$kind(parameters) => Self::$kind($module::$state::new(parameters, start)),)+
                }
            }

            /// What it listens to.
            pub fn listens(&self) -> Listens {
                match self {
                    $(Self::$kind(_) => $module::$state::LISTENS,)+
                }
            }

            fn learnt(&self) -> &dyn Any {
                match self {
                    $(Self::$kind(state) => state.learnt(),)+
                }
            }

            /// What it allows now.
            #[inline]
            pub fn allowance(&self) -> Allowance {
                match self {
                    $(Self::$kind(state) => state.allowance(),)+
                }
            }

            /// Whether a window is in slow start.
            #[inline]
            pub fn in_slow_start(&self) -> bool {
                match self {
                    $(Self::$kind(state) => state.in_slow_start(),)+
                }
            }

            /// A packet has left.
            #[inline]
            pub fn on_sent(&mut self, sent: &Sent, control: &Control) {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.on_sent(sent, parameters),)+
                    _ => {}
                }
            }

            /// An acknowledgement has come, which `ack` describes. A function, so that no controller pays for what only
            /// another one asks for.
            #[inline(always)]
            pub fn on_ack<'a>(&mut self, ack: impl Fn() -> Ack<'a>, control: &Control) {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.on_ack(&ack(), parameters),)+
                    _ => {}
                }
            }

            /// Packets are lost.
            pub fn on_loss(&mut self, loss: &Loss, control: &Control) {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.on_loss(loss, parameters),)+
                    _ => {}
                }
            }

            /// Congestion is reported over RDMA.
            pub fn on_cnp(&mut self, cnp: &Cnp, control: &Control) {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.on_cnp(cnp, parameters),)+
                    _ => {}
                }
            }

            /// Does what is due at or before `now_ps`. `quality` is Q of the class.
            pub fn on_timer(&mut self, now_ps: u64, quality: f64, control: &Control) {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.on_timer(now_ps, quality, parameters),)+
                    _ => {}
                }
            }

            /// When [`Self::on_timer`] has something to do next, or never.
            #[inline]
            pub fn next_ps(&self) -> u64 {
                match self {
                    $(Self::$kind(state) => state.next_ps(),)+
                }
            }

            /// Values of the metrics of its transport.
            pub fn metrics(&self, now_ps: u64, control: &Control) -> Metrics {
                match (self, control) {
                    $((Self::$kind(state), Control::$kind(parameters)) => state.metrics(now_ps, parameters),)+
                    _ => crate::transport::controller::metrics([]),
                }
            }
        }
    };
}
transports!(controllers);

impl Controller {
    /// Becomes the controller described: on what it has learnt itself where that is of use, and else on the window or the
    /// rate that `start` gives.
    pub fn switch_to(&mut self, control: &Control, start: &Start) {
        *self = Self::new(control, &start.with(self.learnt()));
    }

    /// The sending rate, in bits per second, if the controller sets one.
    #[inline]
    pub fn rate_bps(&self) -> Option<f64> {
        self.allowance().rate_bps
    }

    /// The congestion window, in packets, if the controller sets one.
    #[inline]
    pub fn window_packets(&self) -> Option<f64> {
        self.allowance().window_packets()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::PS_PER_US as US;
    use crate::transport::controller::WindowLimits;
    use crate::transport::controller::tests::{LIMITS, acknowledge, going_on, meter};

    const LINE_BPS: f64 = 40e9;

    fn dcqcn() -> dcqcn::Parameters {
        dcqcn::Parameters::sigcomm15(LINE_BPS)
    }

    fn qrdma() -> Control {
        Control::Qrdma(dcqcn::Parameters { quality_aware: true, ..dcqcn() })
    }

    fn timely() -> Control {
        Control::Timely(timely::Parameters::sigcomm15(LINE_BPS, 20 * US))
    }

    fn at(now_ps: u64) -> Start<'static> {
        Start::anew(now_ps, WindowLimits::default(), LINE_BPS)
    }

    /// α, which all but TIMELY name first.
    fn alpha(controller: &Controller, now_ps: u64, control: &Control) -> f64 {
        controller.metrics(now_ps, control)[0]
    }

    #[test]
    fn a_controller_stays_small_since_every_connection_holds_one() {
        assert!(size_of::<Controller>() <= 96, "{} bytes", size_of::<Controller>());
    }

    #[test]
    fn names_of_transports_and_of_their_metrics_are_unique() {
        let names: std::collections::BTreeSet<_> = TRANSPORTS.iter().map(|transport| transport.id).collect();
        assert_eq!(names.len(), TRANSPORTS.len());
        for transport in TRANSPORTS {
            let metrics: std::collections::BTreeSet<_> = transport.metrics.iter().map(|metric| metric.name).collect();
            assert_eq!(metrics.len(), transport.metrics.len(), "{}", transport.title);
        }
    }

    #[test]
    fn quality_counts_for_qrdma_only_and_only_below_one() {
        for (control, quality, expected_bps) in
            [(Control::Dcqcn(dcqcn()), 0.8, 20e9), (qrdma(), 0.8, 16e9), (qrdma(), 1.2, 20e9), (timely(), 0.8, 40e9)]
        {
            let mut controller = Controller::new(&control, &at(0));
            controller.on_cnp(&Cnp { now_ps: 0, quality }, &control);
            assert_eq!(controller.rate_bps(), Some(expected_bps), "{control:?}");
        }
    }

    #[test]
    fn quality_counts_in_cuts_that_wait_for_a_timer() {
        let parameters = dcqcn::Parameters { gain: 1e-12, quality_aware: true, ..dcqcn::Parameters::hpcc(LINE_BPS) };
        let control = Control::Qrdma(parameters);
        let mut controller = Controller::new(&control, &at(0));
        controller.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &control);
        controller.on_timer(controller.next_ps(), 0.5, &control);
        assert!((controller.rate_bps().unwrap() / 10e9 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn windows_that_follow_marks_hand_over_window_and_alpha() {
        let control = Control::Qtcp(qtcp::Parameters { gain: 0.5, deficit: crate::qos::rules::DeficitRule::Cut });
        let mut controller = Controller::new(&control, &going_on(10.0));
        let meter = meter();
        controller.on_ack(|| acknowledge(0, 10, false, &meter), &control);
        assert_eq!(alpha(&controller, 0, &control), 0.5);
        let dctcp = Control::Dctcp(dctcp::Parameters { gain: 0.1 });
        controller.switch_to(&dctcp, &Start::anew(0, LIMITS, LINE_BPS));
        assert!(matches!(controller, Controller::Dctcp(_)));
        assert_eq!((alpha(&controller, 0, &dctcp), controller.window_packets()), (0.5, Some(10.1)));
    }

    #[test]
    fn rates_are_handed_over_and_alpha_where_it_means_the_same() {
        let dcqcn = Control::Dcqcn(dcqcn());
        let mut controller = Controller::new(&dcqcn, &at(0));
        controller.on_cnp(&Cnp { now_ps: 0, quality: 1.0 }, &dcqcn);
        let before = alpha(&controller, 500 * US, &dcqcn);
        assert!(before < 1.0);
        controller.switch_to(&qrdma(), &at(US));
        assert_eq!((controller.rate_bps(), alpha(&controller, 500 * US, &qrdma())), (Some(20e9), before));
        let on = |now_ps| Start { bps: Some(20e9), ..at(now_ps) };
        controller.switch_to(&timely(), &on(2 * US));
        assert_eq!((controller.rate_bps(), controller.next_ps()), (Some(20e9), u64::MAX));
        // Back again it knows nothing of marks, and recovers.
        controller.switch_to(&dcqcn, &on(3 * US));
        assert_eq!((controller.rate_bps(), alpha(&controller, 500 * US, &dcqcn)), (Some(20e9), 1.0));
        assert_eq!(controller.next_ps(), 58 * US);
    }

    #[test]
    fn only_those_who_want_marks_ask_for_them() {
        assert_eq!(Control::Dcqcn(dcqcn()).reports(), Some(Reports::Notifications { interval_ps: 50 * US }));
        assert_eq!(Control::Dcqcn(dcqcn::Parameters::hpcc(LINE_BPS)).reports(), Some(Reports::Echo));
        assert_eq!(timely().reports(), None);
    }
}
