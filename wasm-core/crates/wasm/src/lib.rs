//! The engine, with its planner and its reader of traces, behind a WebAssembly face: conversions, no logic. Times are picoseconds as JavaScript numbers, which hold
//! them exactly up to 2^53. Errors are thrown as JSON lists of diagnostics, `[{ path, reason, hint, severity }]`.

mod planner;
mod traces;

use qoscope_engine::access::Operation;
use qoscope_engine::catalogue;
use qoscope_engine::kernel::ids::ClassId;
use qoscope_engine::overlay::overlay;
use qoscope_engine::scenario::network_files::{self, Format, ReadNetwork};
use qoscope_engine::scenario::{self, Diagnostic, FieldChange, Scenario};
use qoscope_engine::simulation::checkpoints::Checkpoints;
use qoscope_engine::simulation::follow::{Follow, Wish};
use qoscope_engine::simulation::stepping::Event;
use qoscope_engine::simulation::{self, DeviceReadings, LinkLoads, OperationTails, Simulation, Summary, layout};
use qoscope_engine::workload::traces::Traces;
use wasm_bindgen::prelude::*;

use crate::traces::TraceShelf;

/// Points of a latency distribution handed to a chart.
const TAIL_POINTS: usize = 200;

/// One run.
#[wasm_bindgen]
pub struct Engine {
    simulation: Simulation,
    loads: LinkLoads,
    devices: DeviceReadings,
    checkpoints: Checkpoints,
    traces: Traces,
}

#[wasm_bindgen]
impl Engine {
    /// Builds the world of a scenario.
    ///
    /// # Errors
    /// Every diagnostic of the scenario.
    #[wasm_bindgen(constructor)]
    pub fn new(scenario_json: &str) -> Result<Engine, JsValue> {
        Self::of(scenario_json, Traces::default())
    }

    /// Builds the world of a scenario that may replay some traces.
    ///
    /// # Errors
    /// Every diagnostic of the scenario.
    #[wasm_bindgen(js_name = withTraces)]
    pub fn with_traces(scenario_json: &str, shelf: &TraceShelf) -> Result<Engine, JsValue> {
        Self::of(scenario_json, shelf.0.clone())
    }

    fn of(scenario_json: &str, traces: Traces) -> Result<Engine, JsValue> {
        let simulation = scenario::load(scenario_json)
            .and_then(|scenario| Simulation::with_traces(&scenario, &traces))
            .map_err(thrown)?;
        let (loads, devices) = (LinkLoads::default(), DeviceReadings::default());
        Ok(Self { simulation, loads, devices, checkpoints: Checkpoints::default(), traces })
    }

    /// Becomes a run of a scenario that stands no later than `until_ps`: at the latest state of the present run that has been
    /// kept, if that is one of the new run as well, otherwise at the start.
    ///
    /// # Errors
    /// Every diagnostic of the scenario; the present run goes on then.
    pub fn reload(&mut self, scenario_json: &str, until_ps: f64) -> Result<(), JsValue> {
        self.become_run(&scenario::load(scenario_json).map_err(thrown)?, until_ps)
    }

    /// As [`Self::reload`], of the present scenario with another timeline: a JSON list of changes.
    ///
    /// # Errors
    /// Every diagnostic of the scenario; the present run goes on then.
    #[wasm_bindgen(js_name = reloadTimeline)]
    pub fn reload_timeline(&mut self, timeline_json: &str, until_ps: f64) -> Result<(), JsValue> {
        let timeline = scenario::parse(timeline_json).map_err(|diagnostic| thrown(vec![diagnostic]))?;
        let scenario = scenario::with_timeline(self.simulation.scenario(), timeline).map_err(thrown)?;
        self.become_run(&scenario, until_ps)
    }

    fn become_run(&mut self, scenario: &Scenario, until_ps: f64) -> Result<(), JsValue> {
        let kept = self.checkpoints.rewind(&self.simulation, scenario, until_ps as u64);
        self.simulation = match kept {
            Some(kept) => kept,
            None => Simulation::with_traces(scenario, &self.traces).map_err(thrown)?,
        };
        (self.loads, self.devices) = (LinkLoads::default(), DeviceReadings::default());
        Ok(())
    }

    /// Takes over what a scenario tells its readers: name, description, story and notes. The run goes on. Returns the hash of its
    /// scenario.
    ///
    /// # Errors
    /// Every diagnostic of the scenario; nothing has changed then.
    pub fn annotate(&mut self, scenario_json: &str) -> Result<String, JsValue> {
        let scenario = scenario::load(scenario_json).map_err(thrown)?;
        self.simulation.annotate(&scenario);
        Ok(scenario::hash(self.simulation.scenario()))
    }

    /// Runs up to an instant or for a number of events, whichever ends first. Returns the simulated time.
    pub fn advance(&mut self, until_ps: f64, max_events: f64) -> f64 {
        self.simulation.advance(until_ps as u64, max_events as u64);
        self.checkpoints.note(&self.simulation);
        self.now_ps()
    }

    /// Runs to just after the next event and tells it: the instant, then in pairs 0 for a packet, 1 for a device, 2 for a timer,
    /// each with the place of its node, or 3 for what is of no node, with 0. Empty at the end of the run.
    #[wasm_bindgen(js_name = stepEvent)]
    pub fn step_event(&mut self) -> Vec<f64> {
        let events = self.simulation.step_event();
        self.checkpoints.note(&self.simulation);
        told(self.simulation.now_ps(), &events)
    }

    /// As [`Self::step_event`] tells it the last event before the present instant; empty if there was none.
    #[wasm_bindgen(js_name = lastEvent)]
    pub fn last_event(&mut self) -> Vec<f64> {
        let Self { simulation, checkpoints, traces, .. } = self;
        let scenario = simulation.scenario();
        let last = simulation.last_event(|ps| {
            let start = || Simulation::with_traces(scenario, traces).ok();
            let mut past = checkpoints.find(simulation, scenario, ps).or_else(start)?;
            past.run_until(ps);
            // The step back itself, and the next one, begin here.
            checkpoints.keep(&past);
            Some(past)
        });
        last.map_or_else(Vec::new, |(at_ps, events)| told(at_ps, &events))
    }

    /// Simulated time.
    #[wasm_bindgen(js_name = nowPs)]
    pub fn now_ps(&self) -> f64 {
        self.simulation.now_ps() as f64
    }

    /// Simulated time of the whole run.
    #[wasm_bindgen(js_name = durationPs)]
    pub fn duration_ps(&self) -> f64 {
        self.simulation.duration_ps() as f64
    }

    /// Links travelled by packets so far.
    #[wasm_bindgen(js_name = packetHops)]
    pub fn packet_hops(&self) -> f64 {
        self.simulation.packet_hops() as f64
    }

    /// Requests done so far.
    #[wasm_bindgen(js_name = requestsDone)]
    pub fn requests_done(&self) -> f64 {
        self.simulation.requests_done() as f64
    }

    /// Digest of everything that has happened, 16 hexadecimal digits.
    pub fn digest(&self) -> String {
        format!("{:016x}", self.simulation.digest())
    }

    /// Changes live parameters now, all of them or none: a JSON list of `{ path, value }`.
    ///
    /// # Errors
    /// Every diagnostic of the first change that is refused.
    #[wasm_bindgen(js_name = applyAll)]
    pub fn apply_all(&mut self, changes_json: &str) -> Result<(), JsValue> {
        let changes = scenario::parse(changes_json).map_err(|diagnostic| thrown(vec![diagnostic]))?;
        let changes: Vec<FieldChange> = serde_json::from_value(changes).map_err(|error| {
            thrown(vec![Diagnostic::new(
                "",
                format!("is no list of changes: {error}"),
                "Give a list of paths and values.",
            )])
        })?;
        self.simulation.apply_all(&changes).map_err(thrown)
    }

    /// How long the run will compute on, in words, where it has computed for so many seconds so far: "about 3 minutes". Nothing
    /// where that is soon, or not known yet.
    pub fn forecast(&self, seconds: f64) -> Option<String> {
        self.simulation.forecast(seconds)
    }

    /// What is legal in the scenario but surely not meant, as a JSON list of diagnostics.
    pub fn warnings(&self) -> String {
        text(&scenario::warnings(self.simulation.scenario()))
    }

    /// As [`explain`], of the parameters as they are now.
    pub fn explain(&self) -> String {
        text(&catalogue::explain_run(&self.simulation))
    }

    /// Changes of the timeline that have taken effect.
    #[wasm_bindgen(js_name = changesInForce)]
    pub fn changes_in_force(&self) -> u32 {
        self.simulation.changes_in_force() as u32
    }

    /// The changes of the run, those that are still to come included, as a JSON list.
    pub fn timeline(&self) -> String {
        text(&self.simulation.scenario().timeline)
    }

    /// As [`dtm`], of the scenario of this run.
    ///
    /// # Errors
    /// Why the model cannot say anything of it.
    pub fn model(&self) -> Result<String, JsValue> {
        overlay(self.simulation.scenario()).map(|curves| text(&curves)).map_err(thrown)
    }

    /// Names, columns, graph and paths of the run, as JSON.
    pub fn layout(&self) -> String {
        text(&layout(&self.simulation))
    }

    /// Rows of the series from row `from` on.
    pub fn samples(&self, from: u32) -> Vec<f64> {
        self.simulation.samples(from as usize).to_vec()
    }

    /// Rows of the connections from row `from` on, at the same instants.
    #[wasm_bindgen(js_name = flowSamples)]
    pub fn flow_samples(&self, from: u32) -> Vec<f64> {
        self.simulation.flow_samples(from as usize).to_vec()
    }

    /// Rows of the storage devices from row `from` on, at the same instants.
    #[wasm_bindgen(js_name = deviceSamples)]
    pub fn device_samples(&self, from: u32) -> Vec<f32> {
        self.simulation.device_samples(from as usize).to_vec()
    }

    /// What every storage device holds now and did since the last call.
    pub fn devices(&mut self) -> Vec<f32> {
        self.devices.read(&self.simulation)
    }

    /// Where the time of requests went: for every class reads, then writes, then both together; of each the mean of every stage,
    /// that over the slowest hundredth, and the number of requests.
    pub fn stages(&self) -> Vec<f32> {
        self.simulation.stages()
    }

    /// Figures of every class, one row after the other.
    pub fn figures(&self) -> Vec<f64> {
        self.simulation.figures()
    }

    /// Three numbers for each directed link: utilisation since the last call, packets in its port, and the share of the time
    /// since the last call in which a pause held it.
    pub fn links(&mut self) -> Vec<f32> {
        self.loads.read(&self.simulation)
    }

    /// Where data goes while cables are down, as JSON: a list of `[connection, links]` for those that leave their path of the
    /// layout, without links where no path is left.
    pub fn detours(&self) -> String {
        text(&self.simulation.detoured())
    }

    /// What holds requests back now, as JSON: the link that most of the traffic shares, a device, or neither.
    pub fn bottleneck(&self) -> String {
        text(&self.simulation.bottleneck())
    }

    /// When links were seen to hold each other up for ever, in microseconds, then the numbers of these links; empty as long
    /// as none do.
    pub fn deadlock(&self) -> Vec<f64> {
        let found = self.simulation.deadlock();
        found.into_iter().flat_map(|(us, links)| std::iter::once(us).chain(links.into_iter().map(f64::from))).collect()
    }

    /// Complementary distribution of the request latency of a class: pairs of microseconds and share.
    pub fn latency(&self, class: u32) -> Vec<f64> {
        pairs(self.simulation.latency_tail(class as usize, TAIL_POINTS))
    }

    /// As `latency`, of the time that requests spent in devices.
    #[wasm_bindgen(js_name = deviceLatency)]
    pub fn device_latency(&self, class: u32) -> Vec<f64> {
        pairs(self.simulation.device_latency_tail(class as usize, TAIL_POINTS))
    }

    /// How the quality factor of every class came near 1, left and returned, as JSON: a list of `{ kind, atUs, rtts }` for
    /// each class, the first 64 events.
    pub fn convergence(&self) -> String {
        let classes = 0..self.simulation.scenario().classes.len();
        text(&classes.map(|class| self.simulation.convergence(class)).collect::<Vec<_>>())
    }

    /// The result so far, as JSON.
    pub fn summary(&self) -> String {
        text(&self.simulation.summary())
    }

    /// The same with `tails`: the latency distributions of the reads and writes of each class.
    #[wasm_bindgen(js_name = summaryWithTails)]
    pub fn summary_with_tails(&self) -> String {
        #[derive(serde::Serialize)]
        struct WithTails<'a> {
            #[serde(flatten)]
            summary: &'a Summary,
            tails: Vec<OperationTails>,
        }
        text(&WithTails { summary: &self.simulation.summary(), tails: self.simulation.operation_tails(TAIL_POINTS) })
    }

    /// Begins to follow the slowest of the next `of` requests of a class, reads or writes only if `reads` says so. The run stays
    /// as it is.
    pub fn follow(&self, class: u32, reads: Option<bool>, of: u32) -> Following {
        let operation = reads.map(|reads| if reads { Operation::Read } else { Operation::Write });
        Following(Follow::new(&self.simulation, Wish { class: ClassId(class), operation, of }))
    }
}

/// An event as numbers; nothing where nothing happened.
fn told(at_ps: u64, events: &[Event]) -> Vec<f64> {
    if events.is_empty() {
        return Vec::new();
    }
    let pairs =
        events.iter().flat_map(|event| [f64::from(event.what as u8), f64::from(event.node.map_or(0, |node| node.0))]);
    std::iter::once(at_ps as f64).chain(pairs).collect()
}

/// A copy of a run in which one request is followed.
#[wasm_bindgen]
pub struct Following(Follow);

#[wasm_bindgen]
impl Following {
    /// Works for about so many events. Returns whether it is through.
    pub fn advance(&mut self, max_events: f64) -> bool {
        self.0.advance(max_events as u64)
    }

    /// Simulated time that it has come to.
    #[wasm_bindgen(js_name = nowPs)]
    pub fn now_ps(&self) -> f64 {
        self.0.now_ps() as f64
    }

    /// What became of the request, as JSON; null if there was none before the end of the run.
    pub fn journey(&self) -> String {
        text(&self.0.journey())
    }
}

/// Every error of a scenario, as a JSON list of diagnostics; an empty one if it can be run.
#[wasm_bindgen]
pub fn validate(scenario_json: &str) -> String {
    let checked = scenario::load(scenario_json).and_then(|scenario| simulation::check(&scenario));
    text(&checked.err().unwrap_or_default())
}

/// What is legal in a scenario but surely not meant, as a JSON list of diagnostics.
#[wasm_bindgen]
pub fn warnings(scenario_json: &str) -> String {
    text(&scenario::load(scenario_json).map(|scenario| scenario::warnings(&scenario)).unwrap_or_default())
}

/// A scenario of any version in the present one, as JSON: what it leaves out stays out.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn migrated(scenario_json: &str) -> Result<String, JsValue> {
    scenario::migrated(scenario_json).map_err(thrown)
}

/// The name of the scenario that a document names as its base, if it names one.
#[wasm_bindgen(js_name = baseOf)]
pub fn base_of(scenario_json: &str) -> Option<String> {
    scenario::base_of(scenario_json)
}

/// A scenario with its base expanded, as JSON; one without a base is returned unchanged. `bases_json` has documents by name.
///
/// # Errors
/// What is wrong with the base.
#[wasm_bindgen]
pub fn expanded(scenario_json: &str, bases_json: &str) -> Result<String, JsValue> {
    let one = |diagnostic| thrown(vec![diagnostic]);
    let bases = scenario::parse(bases_json).map_err(one)?;
    let names = || bases.as_object().into_iter().flat_map(|bases| bases.keys().map(String::as_str));
    let find = |name: &str| bases.get(name).cloned().ok_or_else(|| scenario::unknown_base(name, names()));
    scenario::expanded(scenario_json, &find).map_err(one)
}

/// A scenario on the network of a file, as JSON `{ scenario, summary }`: its text, and what the network has, in words.
///
/// # Errors
/// Every diagnostic of the file, or of the form of the scenario.
#[wasm_bindgen(js_name = withNetwork)]
pub fn with_network(scenario_json: &str, file: &str) -> Result<String, JsValue> {
    let network = network_files::read(file).map_err(thrown)?;
    let scenario = network_files::with_network(scenario_json, &network).map_err(thrown)?;
    Ok(text(&ReadNetwork { scenario, summary: network.to_string() }))
}

/// The network of a scenario as a file of a format, `edges` or `hpcc`.
///
/// # Errors
/// Every diagnostic of the scenario; a format that is not known.
#[wasm_bindgen(js_name = networkFile)]
pub fn network_file(scenario_json: &str, format: &str) -> Result<String, JsValue> {
    let format = Format::from_id(format).ok_or_else(|| {
        thrown(vec![Diagnostic::new("", format!("cannot be written as {format:?}"), "Choose another format.")])
    })?;
    scenario::load(scenario_json).map(|scenario| network_files::write(&scenario, format)).map_err(thrown)
}

/// Hash of the canonical form of a scenario, 16 hexadecimal digits.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn hash(scenario_json: &str) -> Result<String, JsValue> {
    scenario::load(scenario_json).map(|scenario| scenario::hash(&scenario)).map_err(thrown)
}

/// The curves of the discrete-time model of a scenario, as JSON; numbers that do not apply are null.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn dtm(scenario_json: &str) -> Result<String, JsValue> {
    scenario::load(scenario_json).and_then(|scenario| overlay(&scenario)).map(|curves| text(&curves)).map_err(thrown)
}

/// The value in force of every field of a scenario, where it comes from, and why it has no effect where it has none, as JSON.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen]
pub fn explain(scenario_json: &str) -> Result<String, JsValue> {
    let explained = scenario::load(scenario_json).and_then(|scenario| catalogue::explain(&scenario));
    explained.map(|explanation| text(&explanation)).map_err(thrown)
}

/// The JSON Schema of the scenario format.
#[wasm_bindgen]
pub fn schema() -> String {
    text(scenario::schema())
}

/// Everything that a scenario can say, what transports can do and what is measured, as JSON.
#[wasm_bindgen]
pub fn catalogue() -> String {
    text(&catalogue::catalogue())
}

/// Version of the engine.
#[wasm_bindgen]
pub fn version() -> String {
    qoscope_engine::VERSION.into()
}

fn pairs(points: Vec<(f64, f64)>) -> Vec<f64> {
    points.into_iter().flat_map(|(x, y)| [x, y]).collect()
}

fn text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("plain data has a JSON form")
}

fn thrown(diagnostics: Vec<Diagnostic>) -> JsValue {
    JsValue::from_str(&text(&diagnostics))
}
