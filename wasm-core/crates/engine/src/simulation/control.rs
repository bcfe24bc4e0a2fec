//! From the transport sections of a class to the parameters of its controllers.

use crate::kernel::time::from_us;
use crate::scenario::document::{self, Class, DcqcnSet, MarkInDeficit, Qos, TransportKind};
use crate::transport::connections::ClassSettings;
use crate::transport::controller::Control;
use crate::transport::qtcp::DeficitRule;
use crate::transport::rate::RateControl;
use crate::transport::{dcqcn, dirs, timely};

/// What a class asks of its connections, whose hosts send at `line_bps` and whose empty round trip is `rtt_ps`.
pub(super) fn class_settings(class: &Class, qos: &Qos, line_bps: f64, rtt_ps: u64) -> ClassSettings {
    let gain = class.gain;
    let deficit = match qos.mark_in_deficit {
        MarkInDeficit::Cut => DeficitRule::Cut,
        MarkInDeficit::Hold => DeficitRule::Hold,
    };
    let rate = rate_control(class, line_bps, rtt_ps);
    ClassSettings {
        paced: class.transport.is_rate_based(),
        base_rtt_ps: rtt_ps,
        window: match class.transport {
            TransportKind::Qtcp => Control::Qtcp { gain, deficit },
            TransportKind::D2tcp => Control::D2tcp { gain },
            TransportKind::Dctcp | TransportKind::Dcqcn | TransportKind::Qrdma | TransportKind::Timely => {
                Control::Dctcp { gain }
            }
        },
        rate,
        initial_rates: class.dirs.enabled.then(|| dirs::Policy::new(&rate, initial_rates(class, &rate))),
        priority: class.priority,
        deadline_ps: class.latency_target_us.map(from_us),
        rate_smoothing: class.rate_smoothing,
        rate_rounds: class.update_interval_rtts,
    }
}

/// The rate controller of a class whose hosts send at `line_bps`; that of DCQCN for classes that use none.
pub fn rate_control(class: &Class, line_bps: f64, rtt_ps: u64) -> RateControl {
    match class.transport {
        TransportKind::Timely => RateControl::Timely(timely(&class.timely, line_bps, rtt_ps)),
        TransportKind::Qrdma => RateControl::Qrdma(dcqcn(&class.dcqcn, line_bps)),
        _ => RateControl::Dcqcn(dcqcn(&class.dcqcn, line_bps)),
    }
}

/// A byte counter of this many bytes or more is none: the timer alone leads from phase to phase.
const LARGEST_BYTE_COUNTER: u64 = 1_000_000_000;

/// Parameters of DCQCN: those of the set, where the document does not say otherwise.
pub fn dcqcn(document: &document::Dcqcn, line_bps: f64) -> dcqcn::Parameters {
    let set = match document.set {
        DcqcnSet::Sigcomm15 => dcqcn::Parameters::sigcomm15(line_bps),
        DcqcnSet::Vendor => dcqcn::Parameters::vendor(line_bps),
        DcqcnSet::Hpcc => dcqcn::Parameters::hpcc(line_bps),
    };
    let bps = |mbps: f64| mbps * 1e6;
    dcqcn::Parameters {
        gain: document.gain.unwrap_or(set.gain),
        decrease_interval_ps: document.cnp_interval_us.map_or(set.decrease_interval_ps, from_us),
        alpha_timer_ps: document.alpha_timer_us.map_or(set.alpha_timer_ps, from_us),
        increase_timer_ps: document.increase_timer_us.map_or(set.increase_timer_ps, from_us),
        byte_counter_bytes: match document.byte_counter_bytes {
            Some(bytes) if bytes >= LARGEST_BYTE_COUNTER => dcqcn::NO_BYTE_COUNTER,
            Some(bytes) => bytes,
            None => set.byte_counter_bytes,
        },
        fast_recovery_steps: document.fast_recovery_steps.unwrap_or(set.fast_recovery_steps),
        additive_increase_bps: document.additive_increase_mbps.map_or(set.additive_increase_bps, bps),
        hyper_increase_bps: document.hyper_increase_mbps.map_or(set.hyper_increase_bps, bps),
        min_rate_bps: document.least_rate_mbps.map_or(set.min_rate_bps, bps).min(line_bps),
        clamp_target: document.clamp_target.unwrap_or(set.clamp_target),
        ..set
    }
}

/// Parameters of TIMELY for a class whose hosts send at `line_bps` and whose empty round trip is `rtt_ps`.
pub fn timely(document: &document::Timely, line_bps: f64, rtt_ps: u64) -> timely::Parameters {
    timely::Parameters {
        gain: document.gain,
        beta: document.beta.unwrap_or(if document.patched { timely::PATCHED_BETA } else { timely::BETA }),
        additive_increase_bps: document.additive_increase_mbps * 1e6,
        low_ps: from_us(document.low_us),
        high_ps: from_us(document.high_us),
        min_rtt_ps: document.least_rtt_us.map_or(rtt_ps, from_us).max(1),
        min_rate_bps: (document.least_rate_mbps * 1e6).min(line_bps),
        line_bps,
        patched: document.patched,
    }
}

/// Multiple of the recovery timer after which a virtual flow is reset, where the document does not say (paper 3 asks only
/// that it be longer).
const RESET_RECOVERIES: u64 = 5;

/// Parameters of DIRS for a class with the rate controller `rate`.
pub fn initial_rates(class: &Class, rate: &RateControl) -> dirs::Parameters {
    let recovery_ps = class.dirs.recovery_us.map(from_us).unwrap_or_else(|| match rate {
        RateControl::Dcqcn(parameters) | RateControl::Qrdma(parameters) => parameters.increase_timer_ps,
        RateControl::Timely(parameters) => parameters.high_ps,
    });
    dirs::Parameters {
        late_interval_ps: from_us(class.dirs.late_interval_us),
        recovery_ps,
        reset_ps: class.dirs.reset_us.map_or(RESET_RECOVERIES * recovery_ps, from_us),
        period_ps: from_us(class.dirs.period_us),
    }
}
