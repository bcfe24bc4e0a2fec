//! Does what a case says, and looks at the engine while it does.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::kernel::time::{from_us, to_us};
use qoscope_engine::overlay::overlay;
use qoscope_engine::scenario::{self, Diagnostic, FieldChange, Scenario, size};
use qoscope_engine::simulation::{LinkLoads, Simulation, layout};
use serde::Serialize;

use crate::case::{Case, Step};
use crate::explained;
use crate::memory::Peak;
use crate::oracles::{self, Failure, Findings};

/// Time that a case may take whatever it does, and for each event. Generous: the machine may be busy.
const CASE_TIME: Duration = Duration::from_secs(4);
const EVENT_TIME: Duration = Duration::from_micros(40);
/// Time that a text may take to be answered, for each megabyte begun.
const MEGABYTE_TIME: Duration = Duration::from_secs(2);
/// Memory that a run may take beside the engine's own estimate, and how far that may be off.
const MEMORY_BYTES: f64 = 64e6;
const MEMORY_FACTOR: f64 = 3.0;
/// Memory of a run up to which there may be two of it at once.
const SMALL_BYTES: f64 = 500e6;
/// One case in so many is looked at for what is explained of it, over so many events of runs that take no more memory than this.
const EXPLAINED_OF: u64 = 4;
const EXPLAINED_EVENTS: u64 = 1000;
const EXPLAINED_BYTES: f64 = 100e6;
/// Events between two looks at the clock.
const SLICE_EVENTS: u64 = 20_000;

/// What became of a case.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether the engine ran it; otherwise it was refused, with sentences.
    pub ran: bool,
    /// Events of the run.
    pub events: u64,
    /// Wall time.
    pub millis: u64,
    /// What does not hold.
    pub failures: Vec<Failure>,
    /// What the WASM build must find as well.
    pub expected: Option<Expected>,
}

/// A document, and what must come of it on every target.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Expected {
    /// The document.
    pub text: String,
    /// Its diagnostics, as JSON.
    pub diagnostics: String,
    /// How far it is run, in picoseconds, and the summary then, as JSON; none if it is refused.
    pub run: Option<(u64, String)>,
}

/// Where and why the last panic happened.
static PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Keeps panics to be reported, instead of printing them.
pub fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        let text = info.payload().downcast_ref::<&str>().copied();
        let message = text.or_else(|| info.payload().downcast_ref::<String>().map(String::as_str)).unwrap_or("?");
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = Some(format!("{place}: {message}"));
        }
    }));
}

/// Checks a case.
pub fn check(case: &Case) -> Report {
    let start = now();
    let mut check = Check { findings: Findings::default(), events: 0, ran: false, expected: None, start };
    if panic::catch_unwind(AssertUnwindSafe(|| check.case(case))).is_err() {
        let found = PANIC.lock().ok().and_then(|mut last| last.take()).unwrap_or_default();
        check.findings.require(false, "panic", || found);
    }
    Report {
        ran: check.ran,
        events: check.events,
        millis: start.elapsed().as_millis() as u64,
        failures: check.findings.0,
        expected: check.expected,
    }
}

#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured from outside")]
fn now() -> Instant {
    Instant::now()
}

struct Check {
    findings: Findings,
    events: u64,
    ran: bool,
    expected: Option<Expected>,
    start: Instant,
}

impl Check {
    fn case(&mut self, case: &Case) {
        match case {
            Case::Text { text } => {
                self.load(text);
            }
            Case::Run { document, steps, events } => {
                if let Some(scenario) = self.load(&document.to_string()) {
                    self.run(&scenario, steps, *events);
                }
            }
        }
    }

    /// Loads a text, and lays out its network.
    fn load(&mut self, text: &str) -> Option<Scenario> {
        let start = now();
        let loaded = scenario::load(text);
        let (took, megabytes) = (start.elapsed(), 1 + text.len() / 1_000_000);
        self.findings.require(took <= MEGABYTE_TIME * megabytes as u32, "slow to load", || {
            format!("{took:?} for {} bytes", text.len())
        });
        let laid_out = loaded.and_then(|scenario| Simulation::new(&scenario).map(|_laid_out| scenario));
        let diagnostics = laid_out.as_ref().err().map_or(&[][..], Vec::as_slice);
        self.expected = Some(Expected { text: text.into(), diagnostics: json(&diagnostics), run: None });
        if let Err(diagnostics) = &laid_out {
            oracles::diagnostics(diagnostics, &mut self.findings);
        }
        laid_out.ok()
    }

    fn run(&mut self, scenario: &Scenario, steps: &[Step], events: u64) {
        self.ran = true;
        self.same_document(scenario);
        let memory = Peak::start();
        let Ok(mut live) = Simulation::new(scenario) else { return };
        for step in steps {
            let room = events.saturating_sub(live.events());
            self.advance(&mut live, from_us(step.until_us), step.events.min(room));
            oracles::conservation(&live, &mut self.findings);
            self.apply(&mut live, &step.changes);
        }
        let room = events.saturating_sub(live.events());
        let end_ps = live.duration_ps();
        self.advance(&mut live, end_ps, room);
        let (peak, cost) = (memory.bytes() as f64, size::cost(scenario));
        self.findings.require(
            peak <= MEMORY_BYTES + MEMORY_FACTOR * cost.memory_bytes,
            "memory above estimate",
            || format!("{:.0} MB, estimated {:.0} MB", peak / 1e6, cost.memory_bytes / 1e6),
        );
        self.events = live.events();
        oracles::conservation(&live, &mut self.findings);
        let recorded = live.scenario().clone();
        let (now_ps, summary) = (live.now_ps(), live.summary());
        oracles::summary(&recorded, &summary, &mut self.findings);
        self.views(&mut live);
        drop(live);
        self.replay(&recorded, now_ps, &summary.digest);
        let text = json(&recorded);
        self.expected = Some(Expected { text, diagnostics: "[]".into(), run: Some((now_ps, json(&summary))) });
        let _curves = overlay(scenario);
        let (took, most) = (self.start.elapsed(), CASE_TIME + EVENT_TIME * self.events as u32);
        self.findings.require(took <= most, "slow", || format!("{took:?} for {} events", self.events));
        if events.is_multiple_of(EXPLAINED_OF) && cost.memory_bytes <= EXPLAINED_BYTES {
            let random = &mut Stream::new(scenario.seed, "explained", events);
            let (_tried, wrong) = explained::false_idle(scenario, EXPLAINED_EVENTS, 1, random);
            self.findings.require(wrong.is_empty(), "said to have no effect", || wrong.join("; "));
        }
    }

    /// A scenario that is written out is read back as itself.
    fn same_document(&mut self, scenario: &Scenario) {
        let again = scenario::from_value(scenario::as_value(scenario));
        let same = again.as_ref().is_ok_and(|again| scenario::hash(again) == scenario::hash(scenario));
        self.findings.require(same, "document not read back", || format!("{:?}", again.err()));
    }

    /// Runs a slice, looking at the clock now and then.
    fn advance(&mut self, simulation: &mut Simulation, until_ps: u64, events: u64) {
        let stop_at = simulation.events().saturating_add(events);
        loop {
            let (before_ps, events_before) = (simulation.now_ps(), simulation.events());
            let room = stop_at.saturating_sub(events_before).min(SLICE_EVENTS);
            let arrived = room == 0 || simulation.advance(until_ps, room);
            let now_ps = simulation.now_ps();
            let monotone = now_ps >= before_ps && simulation.events() >= events_before;
            self.findings.require(monotone, "clock not monotone", || format!("{now_ps} after {before_ps}"));
            let in_time = now_ps <= until_ps.max(before_ps).min(simulation.duration_ps());
            self.findings.require(in_time, "clock beyond its goal", || format!("{now_ps} ps, wanted {until_ps} ps"));
            let took = self.start.elapsed();
            let late = took > CASE_TIME + EVENT_TIME * simulation.events() as u32;
            self.findings.require(!late, "slow", || format!("{took:?} for {} events", simulation.events()));
            if arrived || late || simulation.events() >= stop_at {
                return;
            }
        }
    }

    /// Changes live fields. Changes that are refused leave all as it was.
    fn apply(&mut self, simulation: &mut Simulation, changes: &[FieldChange]) {
        let before = (simulation.digest(), simulation.scenario().timeline.len());
        match simulation.apply_all(changes) {
            Ok(()) => oracles::conservation(simulation, &mut self.findings),
            Err(diagnostics) => {
                oracles::diagnostics(&diagnostics, &mut self.findings);
                let after = (simulation.digest(), simulation.scenario().timeline.len());
                self.findings.require(before == after, "refused change has effects", || format!("{changes:?}"));
            }
        }
    }

    /// What a screen asks for can be had at any time.
    fn views(&mut self, simulation: &mut Simulation) {
        let digest = simulation.digest();
        let _layout = layout(simulation);
        let shares = LinkLoads::default().read(simulation);
        let finite = shares.iter().chain([&0.0]).all(|share| share.is_finite() && *share >= 0.0);
        self.findings.require(finite, "link loads", || format!("{shares:?}"));
        let numbers = [simulation.figures(), simulation.samples(0).to_vec(), simulation.flow_samples(0).to_vec()];
        let infinite = numbers
            .iter()
            .flatten()
            .find(|number| number.is_infinite() || number.is_sign_negative() && **number <= 0.0);
        self.findings.require(infinite.is_none(), "series", || format!("{infinite:?}"));
        for class in 0..simulation.scenario().classes.len() {
            let tail = simulation.latency_tail(class, 200);
            let falling = tail.windows(2).all(|pair| pair[0].0 <= pair[1].0 && pair[0].1 >= pair[1].1);
            self.findings.require(falling, "latency tail", || format!("{tail:?}"));
        }
        self.findings.require(digest == simulation.digest(), "looking has effects", String::new);
    }

    /// The recorded scenario, run without a break and from a checkpoint on the way, comes to the same result.
    fn replay(&mut self, recorded: &Scenario, now_ps: u64, digest: &str) {
        let mut again = match Simulation::new(recorded) {
            Ok(again) => again,
            Err(diagnostics) => {
                let found = || diagnostics.iter().map(Diagnostic::to_string).collect();
                return self.findings.require(false, "recorded run refused", found);
            }
        };
        again.run_until(now_ps / 3);
        let checkpoint = (size::cost(recorded).memory_bytes < SMALL_BYTES).then(|| again.clone());
        for (rule, simulation) in [("replay differs", Some(again)), ("checkpoint differs", checkpoint)] {
            let Some(mut simulation) = simulation else { continue };
            simulation.run_until(now_ps);
            let found = format!("{:016x}", simulation.digest());
            self.findings.require(found == digest, rule, || format!("{found} for {digest} at {} us", to_us(now_ps)));
        }
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
