//! Parameters of the discrete-time model.

use crate::qos::rules::{DeficitRule, GrowthSlot};

/// A bottleneck and the classes that share it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters {
    /// Packets that the bottleneck carries per second, C.
    pub capacity_pps: f64,
    /// Packets per second that the shares C_i add up to: C, unless the control is told another capacity.
    pub target_pps: f64,
    /// Queue length K at which marking begins.
    pub threshold_packets: f64,
    /// How packets beyond the threshold are marked.
    pub marking: Marking,
    /// Queue length beyond which packets are lost. The papers assume that none are: infinity.
    pub buffer_packets: f64,
    /// When a slot counts as congested.
    pub cut: CutRule,
    /// What a congested slot does to a QTCP class with Q > 1.
    pub deficit: DeficitRule,
    /// Time in which a QTCP class grows by one packet.
    pub growth: GrowthSlot,
    /// How the queue drains.
    pub drain: Drain,
    /// The classes, in the order of the results.
    pub classes: Vec<Class>,
}

/// How packets beyond the threshold are marked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Marking {
    /// Every packet (paper 1 eqs. 7-8).
    Step,
    /// With a probability that grows from 0 at the threshold to `probability` at `maximum_packets`, and 1 from there on.
    /// Not in the papers: the marked share is that of the places in the queue, as for the step.
    Red {
        /// Length from which every packet is marked.
        maximum_packets: f64,
        /// Probability just below that length.
        probability: f64,
    },
    /// None: windows grow until the buffer overflows.
    Off,
}

/// When a class cuts its window. The papers use both and agree on neither's detail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CutRule {
    /// When a mark was seen in the slot (paper 1 eq. 5 read as "ECN seen", RFC 8257).
    MarkSeen,
    /// While alpha exceeds this epsilon (paper 1 eq. 12, paper 2 eq. 13), whose value they do not state: the window is
    /// still cut for tens of slots after the last mark.
    AlphaAbove(f64),
}

/// How the shared queue drains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drain {
    /// First in, first out: the link always carries C while packets wait, and each class loses packets in proportion to
    /// its part of the queue.
    Fifo,
    /// As printed: each class drains at its own share C_i whatever the others do (paper 1 eq. 14, paper 2 eq. 15).
    /// Capacity that a class leaves unused is lost.
    Published,
}

/// Queue at the start (paper 2, after eq. 15).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// K packets, the same number of every class.
    #[default]
    Threshold,
    /// One packet of every class.
    OnePacket,
}

/// A class of connections.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Congestion control.
    pub control: Control,
    /// What the class aims at.
    pub objective: Objective,
    /// Delay d of one direction without queueing: half the empty round trip.
    pub baseline_s: f64,
    /// Gain of alpha, g or gamma (paper 1 eqs. 3 and 11).
    pub gain: f64,
    /// What there is to send.
    pub load: Load,
    /// Number of connections. The papers' classes are one connection each. Here the window of a class is the sum over its
    /// connections: a QTCP class grows by one packet per round trip as a whole, a DCTCP class by one for each of them.
    pub connections: f64,
    /// Floor of the computed window.
    pub minimum_window_packets: f64,
    /// Ceiling of the computed window.
    pub maximum_window_packets: f64,
    /// Window of a class that starts while the model runs.
    pub initial_window_packets: f64,
    /// Weight of the past in the measurement behind Q, gamma of paper 1 eqs. 1-2. The DTM of the papers has 0.
    pub smoothing: f64,
    /// Own slots over which a Q is measured; it holds until the next. The DTM of the papers has 1.
    pub update_interval_slots: u32,
}

impl Class {
    /// One backlogged QTCP connection with the papers' constants.
    pub fn qtcp(ratio: f64, baseline_s: f64) -> Self {
        Self {
            control: Control::Qtcp,
            objective: Objective::Throughput { ratio },
            baseline_s,
            gain: 0.0625,
            load: Load::Backlogged,
            connections: 1.0,
            minimum_window_packets: 1.0,
            maximum_window_packets: f64::INFINITY,
            initial_window_packets: 10.0,
            smoothing: 0.0,
            update_interval_slots: 1,
        }
    }

    /// Time between two decisions of the class: its round trip, or the interval of its timer.
    pub(super) fn own_slot_s(&self, rtt_s: f64) -> f64 {
        match self.control {
            Control::Dctcp | Control::Qtcp => rtt_s,
            Control::Dcqcn(pacing) | Control::Qrdma(pacing) => pacing.interval_s,
        }
    }

    /// What C_i(0) is proportional to: the ratio, or the inverse of the desired latency (paper 2, after eq. 15).
    pub(super) fn wish(&self) -> f64 {
        match self.objective {
            Objective::Throughput { ratio } => ratio,
            Objective::Latency { target_s, .. } => 1.0 / target_s,
        }
    }

    /// Weight of the class in the shares.
    pub(super) fn ratio(&self) -> f64 {
        match self.objective {
            Objective::Throughput { ratio } => ratio,
            Objective::Latency { .. } => 0.0,
        }
    }
}

/// What a class aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// A share of the bottleneck, relative to the other classes.
    Throughput {
        /// r.
        ratio: f64,
    },
    /// A latency.
    Latency {
        /// L_t: base delay and queueing, one way; with requests, until their last packet has arrived.
        target_s: f64,
        /// Packets of a request. 0: the latency of single packets, as the papers have it.
        request_packets: f64,
    },
}

/// Congestion control of a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Control {
    /// Window, cut by alpha (paper 1 eq. 4, RFC 8257).
    Dctcp,
    /// Window, cut by alpha and Q (paper 1 eq. 5).
    Qtcp,
    /// Rate, cut by alpha.
    Dcqcn(Pacing),
    /// Rate, cut by alpha and Q (paper 1 eq. 6).
    Qrdma(Pacing),
}

/// Constants of a rate control. Rates are those of one connection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pacing {
    /// Time between two decisions, N: no more than one notification comes back in it.
    pub interval_s: f64,
    /// Time without a notification after which alpha falls.
    pub alpha_interval_s: f64,
    /// Time between two steps of recovery by the timer.
    pub increase_interval_s: f64,
    /// Packets sent between two steps of recovery by the counter, B. Infinite where there is no counter.
    pub increase_packets: f64,
    /// Steps of recovery before the rate grows beyond what it was before the cut, F.
    pub fast_recoveries: u32,
    /// Growth from then on, R_AI.
    pub additive_increase_pps: f64,
    /// Growth once timer and counter have both made more steps than F, or the timer alone where there is no counter: R_HAI.
    pub hyper_increase_pps: f64,
    /// Floor of the rate.
    pub min_pps: f64,
    /// Rate of a new connection, and ceiling: that of the link of its host.
    pub line_pps: f64,
}

/// What there is to send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// Nothing, and nothing wanted: the class takes no part.
    Idle,
    /// Always enough to fill the window.
    Backlogged,
    /// Packets that arrive at a rate and wait (paper 1 eqs. 15-17).
    Open {
        /// Mean arrivals per second. 0 once they have ceased: what waits is still sent.
        pps: f64,
    },
}

impl Load {
    /// Whether packets keep coming.
    pub(super) fn flows(self) -> bool {
        match self {
            Self::Idle => false,
            Self::Backlogged => true,
            Self::Open { pps } => pps > 0.0,
        }
    }

    pub(super) fn rate_pps(self) -> f64 {
        if let Self::Open { pps } = self { pps } else { 0.0 }
    }

    /// W' of paper 1 eq. 17.
    pub(super) fn limit(self, window: f64, untransmitted: f64) -> f64 {
        if let Self::Open { .. } = self { window.min(untransmitted) } else { window }
    }
}

impl Parameters {
    /// Classes at a bottleneck as in the papers: step marking at K, no loss, work-conserving FIFO, cuts on marks seen.
    pub fn new(capacity_pps: f64, threshold_packets: f64, classes: Vec<Class>) -> Self {
        Self {
            capacity_pps,
            target_pps: capacity_pps,
            threshold_packets,
            marking: Marking::Step,
            buffer_packets: f64::INFINITY,
            cut: CutRule::MarkSeen,
            deficit: DeficitRule::Cut,
            growth: GrowthSlot::OwnRtt,
            drain: Drain::Fifo,
            classes,
        }
    }

    /// Share of the packets that are marked when the queue has `queue` packets: p (paper 1 eq. 8, paper 2 eq. 9).
    pub fn mark_probability(&self, queue: f64) -> f64 {
        let threshold = self.threshold_packets;
        if queue < threshold {
            return 0.0;
        }
        match self.marking {
            Marking::Off => 0.0,
            Marking::Step => 1.0 - (threshold - 1.0) / queue,
            Marking::Red { maximum_packets, probability } => {
                let top = queue.min(maximum_packets);
                let slope = probability / (maximum_packets - threshold).max(f64::MIN_POSITIVE);
                let rising = slope * (top - threshold) * (top - threshold) / 2.0;
                (rising + (queue - top)) / queue
            }
        }
    }
}
