//! Figures of a class: one number each, of the run so far or of the present.

use super::samples::{
    ALPHA, GOODPUT, MISSED_FRACTION, NOTIFICATIONS, OFFERED, QUALITY_FACTOR, RATE, RTT, TARGET, WINDOW,
};
use super::{Metric, PLAIN, Quantity};
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::ids::ClassId;
use crate::kernel::time::{PS_PER_US, from_us, to_us};
use crate::qos::quality::ConvergenceEvent;
use crate::simulation::Simulation;
use crate::simulation::class_record::ClassRecord;
use crate::simulation::qos_control::ClassState;

/// What the figures of a class are read from.
pub struct Figures<'a> {
    simulation: &'a Simulation,
    class: usize,
    state: &'a ClassState,
    record: &'a ClassRecord,
    /// Reports of congestion received, and of them those that came too late.
    notifications: (u64, u64),
}

impl<'a> Figures<'a> {
    /// Those of one class of a run.
    pub(in crate::simulation) fn of(simulation: &'a Simulation, class: usize) -> Self {
        let (state, record) = (&simulation.control.classes[class], &simulation.measurement.classes[class]);
        Self {
            simulation,
            class,
            state,
            record,
            notifications: simulation.readings().notifications(ClassId::at(class)),
        }
    }

    fn converged(&self, number: fn(&ConvergenceEvent) -> f64) -> f64 {
        self.state.convergence.current().map_or(f64::NAN, |event| number(&event))
    }

    fn target_us(&self) -> Option<f64> {
        self.simulation.current.classes[self.class].latency_target_us
    }

    /// Mean of a quantity over the samples of "now".
    fn recent(&self, quantity: &Quantity) -> f64 {
        self.simulation.recent(self.class, quantity)
    }
}

/// Reads a figure of a class.
pub type OfRun = fn(&Figures<'_>) -> f64;

/// Figures of a class, in the order of the columns.
pub const FIGURES: [Metric<OfRun>; 32] = [
    Metric { quantity: &CARRIED, read: |of| of.recent(&GOODPUT) },
    Metric { quantity: &OFFERED, read: |of| of.recent(&OFFERED) },
    Metric { quantity: &TARGET, read: |of| of.recent(&TARGET) },
    Metric {
        quantity: &QUALITY_FACTOR,
        read: |of| of.state.quality.map_or(f64::NAN, |_| of.simulation.recent_quality(of.class)),
    },
    Metric { quantity: &REQUESTS_ISSUED, read: |of| of.record.issued as f64 },
    Metric { quantity: &REQUESTS_COMPLETED, read: |of| of.record.completed as f64 },
    Metric { quantity: &LATENCY_MEAN, read: |of| mean(&of.record.latency()) },
    Metric { quantity: &LATENCY_P50, read: |of| quantile(&of.record.latency(), 0.5) },
    Metric { quantity: &LATENCY_P90, read: |of| quantile(&of.record.latency(), 0.9) },
    Metric { quantity: &LATENCY_P99, read: |of| quantile(&of.record.latency(), 0.99) },
    Metric { quantity: &LATENCY_P999, read: |of| quantile(&of.record.latency(), 0.999) },
    Metric { quantity: &LATENCY_P9999, read: |of| quantile(&of.record.latency(), 0.9999) },
    Metric { quantity: &LATENCY_MAXIMUM, read: |of| of.record.latency().max_us().unwrap_or(f64::NAN) },
    Metric { quantity: &HOST_QUEUE_MEAN, read: |of| mean(&of.record.host_queue) },
    Metric { quantity: &HOST_QUEUE_P99, read: |of| quantile(&of.record.host_queue, 0.99) },
    Metric { quantity: &COMMAND_MEAN, read: |of| of.record.commands().map_or(f64::NAN, mean) },
    Metric { quantity: &COMMAND_P99, read: |of| of.record.commands().map_or(f64::NAN, |times| quantile(times, 0.99)) },
    Metric { quantity: &NETWORK_MEAN, read: |of| mean(&of.record.network) },
    Metric { quantity: &NETWORK_P99, read: |of| quantile(&of.record.network, 0.99) },
    Metric { quantity: &CONVERGED_AT, read: |of| of.converged(|event| to_us(event.at_ps)) },
    Metric { quantity: &CONVERGED_RTTS, read: |of| of.converged(|event| event.rtts) },
    Metric { quantity: &RTT, read: |of| of.simulation.class_rtt_us(ClassId::at(of.class)) },
    Metric { quantity: &ALPHA, read: |of| of.recent(&ALPHA) },
    Metric { quantity: &WINDOW, read: |of| of.recent(&WINDOW) },
    Metric { quantity: &RATE, read: |of| of.recent(&RATE) },
    Metric { quantity: &LATENCY_TARGET, read: |of| of.target_us().unwrap_or(f64::NAN) },
    Metric {
        quantity: &MISSED_FRACTION,
        read: |of| {
            of.target_us().and_then(|us| of.simulation.missed_fraction(of.class, from_us(us))).unwrap_or(f64::NAN)
        },
    },
    Metric { quantity: &TAIL, read: |of| of.state.tail.tail_ps().map_or(f64::NAN, |ps| ps / PS_PER_US as f64) },
    Metric { quantity: &NOTIFICATIONS, read: |of| of.notifications.0 as f64 },
    Metric { quantity: &LATE_FRACTION, read: |of| of.notifications.1 as f64 / of.notifications.0 as f64 },
    Metric {
        quantity: &RETRANSMITTED_FRACTION,
        read: |of| of.simulation.packets_since_warmup(of.class).retransmitted_fraction().unwrap_or(f64::NAN),
    },
    Metric { quantity: &BACKLOG_GROWS, read: |of| f64::from(u8::from(of.record.backlog_grows())) },
];

fn mean(histogram: &LatencyHistogram) -> f64 {
    histogram.mean_us().unwrap_or(f64::NAN)
}

fn quantile(histogram: &LatencyHistogram, share: f64) -> f64 {
    histogram.quantile_us(share).unwrap_or(f64::NAN)
}

/// A latency since the end of the warm-up.
const fn latency(id: &'static str, title: &'static str, sentence: &'static str) -> Quantity {
    Quantity { id, title, sentence, unit: "us", ..PLAIN }
}

const CARRIED: Quantity = Quantity {
    id: "carriedGbps",
    title: "Carried",
    unit: "Gb/s",
    sentence: "Payload delivered to applications, over the last samples.",
    ..PLAIN
};
const REQUESTS_ISSUED: Quantity = Quantity {
    id: "requestsIssued",
    title: "Requests issued",
    sentence: "Requests handed over since the end of the warm-up.",
    ..PLAIN
};
const REQUESTS_COMPLETED: Quantity = Quantity {
    id: "requestsCompleted",
    title: "Requests completed",
    sentence: "Requests delivered since the end of the warm-up.",
    ..PLAIN
};
const LATENCY_MEAN: Quantity =
    latency("meanUs", "Mean latency", "From the hand-over of a request to its last byte delivered: the mean.");
const LATENCY_P50: Quantity = latency("p50Us", "Median latency", "Latency that half of the requests stay within.");
const LATENCY_P90: Quantity = latency("p90Us", "p90 latency", "Latency that 90 % of the requests stay within.");
const LATENCY_P99: Quantity = latency("p99Us", "p99 latency", "Latency that 99 % of the requests stay within.");
const LATENCY_P999: Quantity = latency("p999Us", "p99.9 latency", "Latency that 99.9 % of the requests stay within.");
const LATENCY_P9999: Quantity =
    latency("p9999Us", "p99.99 latency", "Latency that 99.99 % of the requests stay within.");
const LATENCY_MAXIMUM: Quantity = latency("maxUs", "Longest latency", "Latency of the slowest request.");
const HOST_QUEUE_MEAN: Quantity =
    latency("hostQueueMeanUs", "Host queue, mean", "From the hand-over of a request to its first byte sent: the mean.");
const HOST_QUEUE_P99: Quantity = latency(
    "hostQueueP99Us",
    "Host queue, p99",
    "From the hand-over of a request to its first byte sent: what 99 % stay within.",
);
const COMMAND_MEAN: Quantity = latency(
    "commandMeanUs",
    "Command, mean",
    "From the first byte of the command of a read sent to its target having it: the mean.",
);
const COMMAND_P99: Quantity = latency(
    "commandP99Us",
    "Command, p99",
    "From the first byte of the command of a read sent to its target having it: what 99 % stay within.",
);
const NETWORK_MEAN: Quantity = latency(
    "networkMeanUs",
    "Network, mean",
    "From the first byte of a write sent, or the target having the command of a read, to the last byte delivered: the mean.",
);
const NETWORK_P99: Quantity = latency(
    "networkP99Us",
    "Network, p99",
    "From the first byte of a write sent, or the target having the command of a read, to the last byte delivered: what 99 % \
     stay within.",
);
const CONVERGED_AT: Quantity =
    latency("convergedAtUs", "Converged at", "When the quality factor came near 1 to stay; none while it has not.");
const CONVERGED_RTTS: Quantity = Quantity {
    id: "convergedRtts",
    title: "Convergence time",
    unit: "RTT",
    sentence: "Round trips that the quality factor took to come near 1.",
    ..PLAIN
};
const LATENCY_TARGET: Quantity =
    latency("latencyTargetUs", "Latency target", "The latency target of the class, as it is now.");
const TAIL: Quantity = latency(
    "tailUs",
    "Tail latency",
    "Smoothed percentile of the latency that the class compares with its target (paper 1 eq. 2).",
);
const LATE_FRACTION: Quantity = Quantity {
    id: "lateFraction",
    title: "Late notifications",
    sentence: "Share of the notifications that came after the last packet of their flow was sent.",
    ..PLAIN
};
const RETRANSMITTED_FRACTION: Quantity = Quantity {
    id: "retransmittedFraction",
    title: "Retransmissions",
    sentence: "Share of the data packets that had been sent before.",
    ..PLAIN
};
const BACKLOG_GROWS: Quantity = Quantity {
    id: "backlogGrows",
    title: "Overloaded",
    sentence: "1 where the class is offered more than it carries for good: its backlog grows.",
    ..PLAIN
};
