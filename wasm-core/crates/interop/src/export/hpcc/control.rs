//! The control of all hosts and its parameters, in config.txt.

use qoscope_engine::scenario::{DcqcnSet, TransportKind};
use qoscope_engine::text::counted;
use qoscope_engine::transport::controllers::timely::HYPER_STEPS;

use super::Writer;
use crate::export::How::{Exactly, NotAtAll, Roughly};
use crate::export::page::{Page, number};

/// Attributes of RdmaHw that have values of their own there: field, name, value, unit.
const OF_TIMELY: [(&str, &str, f64, &str); 5] = [
    ("gain", "TimelyAlpha", 0.875, ""),
    ("beta", "TimelyBeta", 0.8, ""),
    ("lowUs", "TimelyTLow", 50.0, " µs"),
    ("highUs", "TimelyTHigh", 500.0, " µs"),
    ("minRttUs", "TimelyMinRtt", 20.0, " µs"),
];

/// How the value of a field is written.
#[derive(Clone, Copy)]
enum Form {
    /// As it is.
    Plain,
    /// In whole microseconds, of which there is one at least.
    Micros,
    /// As a rate.
    Mbps,
    /// 0 or 1.
    Flag,
}

/// Parameters of DCQCN: key, field, form.
const OF_DCQCN: [(&str, &str, Form); 9] = [
    ("ALPHA_RESUME_INTERVAL", "alphaTimerUs", Form::Micros),
    ("RATE_DECREASE_INTERVAL", "cnpIntervalUs", Form::Micros),
    ("CLAMP_TARGET_RATE", "clampTarget", Form::Flag),
    ("RP_TIMER", "increaseTimerUs", Form::Micros),
    ("EWMA_GAIN", "gain", Form::Plain),
    ("FAST_RECOVERY_TIMES", "fastRecoverySteps", Form::Plain),
    ("RATE_AI", "additiveIncreaseMbps", Form::Mbps),
    ("RATE_HAI", "hyperIncreaseMbps", Form::Mbps),
    ("MIN_RATE", "minRateMbps", Form::Mbps),
];

/// A value that is written: its text, what the scenario says, and why it is not the same, if it is not.
struct Value {
    text: String,
    from: String,
    near: Option<String>,
}

impl Writer<'_, '_> {
    /// The control of all hosts, and its parameters.
    pub(super) fn control(&mut self, page: &mut Page) {
        let (mode, title) = match self.transport {
            TransportKind::Dcqcn => (1, "DCQCN"),
            TransportKind::Timely => (7, "TIMELY"),
            _ => (8, "DCTCP"),
        };
        let classes = self.classes.clone();
        page.marked(format!("CC_MODE {mode}"), title, Some(classes[0]));
        for class in &classes {
            let path = format!("classes[{class}].transport");
            if self.transport == TransportKind::Dctcp {
                let why = "DCTCP there is that of a card: a rate that begins at that of the link and grows by a packet a round trip.";
                self.ledger.because(&path, title, format!("CC_MODE {mode}"), Roughly, why);
            } else {
                self.ledger.add(&path, title, format!("CC_MODE {mode}"));
            }
        }
        match self.transport {
            TransportKind::Dcqcn => self.dcqcn(page, &classes),
            TransportKind::Timely => self.timely(page, &classes),
            _ => self.dctcp(page, &classes),
        }
        for class in classes {
            self.of_class(class);
        }
    }

    fn dcqcn(&mut self, page: &mut Page, classes: &[usize]) {
        for (key, field, form) in OF_DCQCN {
            self.parameter(page, classes, &format!("dcqcn.{field}"), &[(key, 1.0)], form);
        }
        for class in classes {
            let path = format!("classes[{class}].dcqcn.byteCounterBytes");
            let Some(bytes) = self.scene.number(&path) else { continue };
            let from = format!("{} B", number(bytes));
            // From 1e9 on the timer alone counts, here as well.
            if bytes >= 1e9 {
                self.ledger.because(&path, from, "none", Exactly, "The timer alone counts.");
            } else {
                self.ledger.add(&path, from, "");
            }
        }
    }

    fn timely(&mut self, page: &mut Page, classes: &[usize]) {
        let rates = [("RATE_AI", 1.0), ("RATE_HAI", HYPER_STEPS)];
        self.parameter(page, classes, "timely.additiveIncreaseMbps", &rates, Form::Mbps);
        self.parameter(page, classes, "timely.minRateMbps", &[("MIN_RATE", 1.0)], Form::Mbps);
        for class in classes {
            for (field, name, there, unit) in OF_TIMELY {
                let path = format!("classes[{class}].timely.{field}");
                let Some(own) = self.scene.number(&path) else { continue };
                let from = format!("{}{unit}", number(own));
                if (own - there).abs() < 1e-9 {
                    let why = format!("{name} of RdmaHw is the same.");
                    self.ledger.because(&path, from, format!("{name} {there}"), Exactly, why);
                } else {
                    let why = format!(
                        "{name} of RdmaHw is {there}{unit}, and config.txt has no key for it: change it in rdma-hw.cc."
                    );
                    self.ledger.because(&path, from, "", NotAtAll, why);
                }
            }
            let path = format!("classes[{class}].timely.patched");
            if self.scene.effective(&path).is_some_and(|patched| patched == true) {
                self.ledger.add(&path, "yes", "");
            }
        }
    }

    fn dctcp(&mut self, page: &mut Page, classes: &[usize]) {
        self.parameter(page, classes, "gain", &[("EWMA_GAIN", 1.0)], Form::Plain);
        // Of other controls, and without defaults.
        page.line("RATE_AI 0Mb/s");
        page.line("RATE_HAI 0Mb/s");
        let first = classes[0];
        let rtt_us = self.settings.class_rtt_ps[first] as f64 / 1e6;
        let bits = 8.0 * f64::from(self.payload_bytes());
        let least = f64::from(self.scene.scenario.host.minimum_window_packets);
        let rate = |packets: f64| format!("{}Mb/s", libm::round(packets * bits / rtt_us * 1000.0) / 1000.0);
        let says =
            |packets: f64| format!("{packets} × {} B in the base RTT of {} µs", self.payload_bytes(), number(rtt_us));
        page.marked(format!("MIN_RATE {}", rate(least)), says(least), Some(first));
        page.marked(format!("DCTCP_RATE_AI {}", rate(1.0)), says(1.0), Some(first));
        let host = &self.scene.scenario.host;
        let packets = |count: u32| counted(u64::from(count), "packet");
        self.ledger.add("host.initialWindowPackets", packets(host.initial_window_packets), "");
        self.ledger.add("host.maximumWindowPackets", packets(host.maximum_window_packets), "HAS_WIN 1, VAR_WIN 1");
        self.ledger.add(
            "host.minimumWindowPackets",
            packets(host.minimum_window_packets),
            format!("MIN_RATE {}", rate(least)),
        );
        self.ledger.add("host.minimumRtoUs", format!("{} µs", number(host.minimum_rto_us)), "");
    }

    /// Writes a field of the classes, by one key or several, as multiples of it: that of the first class for all.
    fn parameter(&mut self, page: &mut Page, classes: &[usize], field: &str, keys: &[(&str, f64)], form: Form) {
        let paths: Vec<String> = classes.iter().map(|class| format!("classes[{class}].{field}")).collect();
        let texts: Vec<Vec<Value>> =
            paths.iter().map(|path| keys.iter().map(|(_, times)| self.value(path, form, *times)).collect()).collect();
        for ((key, times), Value { text, from, .. }) in keys.iter().zip(&texts[0]) {
            let says = if *times == 1.0 { from.clone() } else { format!("{times} × {from}") };
            page.marked(format!("{key} {text}"), says, Some(classes[0]));
        }
        let same = classes.iter().zip(&texts).all(|(_, own)| own[0].text == texts[0][0].text);
        let to: Vec<String> =
            keys.iter().zip(&texts[0]).map(|((key, _), value)| format!("{key} {}", value.text)).collect();
        let to = to.join(", ");
        for (class, (path, own)) in classes.iter().zip(paths.iter().zip(&texts)) {
            if self.scene.effective(path).is_none() {
                continue;
            }
            let from = own[0].from.clone();
            let set = self.scene.scenario.classes[*class].dcqcn.set;
            if own[0].text != texts[0][0].text {
                let name = &self.scene.scenario.classes[classes[0]].name;
                let why = format!("One value is for all classes there: that of {name}.");
                self.ledger.because(path, from, "", NotAtAll, why);
            } else if let Some(near) = &own[0].near {
                self.ledger.because(path, from, &to, Roughly, near);
            } else if field == "dcqcn.cnpIntervalUs" && set == DcqcnSet::Hpcc {
                let why =
                    "Acknowledgements carry the marks, and the sender looks at them once in this time, here as there.";
                self.ledger.because(path, from, &to, Exactly, why);
            } else {
                self.ledger.add(path, from, &to);
            }
        }
        let remark = "Parameters of the control are those of the first class: one set of them is for all hosts there.";
        if !same && !self.remarks.iter().any(|own| own == remark) {
            self.remarks.push(remark.into());
        }
    }

    /// The value in force of a field, a multiple of it, as it is written.
    fn value(&self, path: &str, form: Form, times: f64) -> Value {
        let own = self.scene.explained(path).map(|field| field.value.clone()).unwrap_or_default();
        let value = own.as_f64().unwrap_or_default();
        match form {
            Form::Plain => Value { text: value.to_string(), from: own.to_string(), near: None },
            Form::Mbps => {
                Value { text: format!("{}Mb/s", value * times), from: format!("{} Mb/s", number(value)), near: None }
            }
            Form::Flag => {
                let set = own.as_bool().unwrap_or_default();
                Value { text: u8::from(set).to_string(), from: if set { "yes" } else { "no" }.into(), near: None }
            }
            Form::Micros => {
                let whole = libm::round(value).max(1.0);
                let near = format!("Whole microseconds, one at least: {} becomes {}.", number(value), number(whole));
                let is_near = (whole - value).abs() > 1e-9;
                Value { text: whole.to_string(), from: format!("{} µs", number(value)), near: is_near.then_some(near) }
            }
        }
    }

    /// What else is stated of a class.
    fn of_class(&mut self, class: usize) {
        let own = &self.scene.scenario.classes[class];
        let path = |field: &str| format!("classes[{class}].{field}");
        let has = |field: &str| self.scene.effective(&path(field)).is_some();
        let group = self.groups()[&self.scene.scenario.priority_of(own)];
        if own.priority > 0 && has("priority") {
            self.ledger.add(&path("priority"), own.priority.to_string(), format!("group {group}"));
        }
        if let Some(dscp) = own.dscp.filter(|_| has("dscp")) {
            self.ledger.add(&path("dscp"), dscp.to_string(), format!("group {group}"));
        }
        if has("ratio") {
            self.ledger.add(&path("ratio"), number(own.ratio), "");
        }
        if own.urgent_subclass && has("urgentSubclass") {
            self.ledger.add(&path("urgentSubclass"), "yes", "");
        }
        if let Some(us) = own.base_rtt_us {
            self.ledger.add(&path("baseRttUs"), format!("{} µs", number(us)), "");
        }
        if own.dirs.enabled && has("dirs.enabled") {
            self.ledger.add(&path("dirs.enabled"), "yes", "");
        }
    }
}
