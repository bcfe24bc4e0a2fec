//! Flows: flow.txt. A flow has a size and a start, so that requests which arrive by themselves are flows, drawn as the run draws them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;

use qoscope_engine::access::Operation;
use qoscope_engine::kernel::time::{NEVER_PS, from_us, to_us};
use qoscope_engine::scenario::{Diagnostic, Flows as Lasting, Scenario, Traffic, Workload, size_law};
use qoscope_engine::simulation::{plan, replays};
use qoscope_engine::text::counted;
use qoscope_engine::workload::applications::Operations;
use qoscope_engine::workload::replay::Replay;
use qoscope_engine::workload::source::{Action, Pattern, Source};
use qoscope_engine::workload::traces::Traces;

use super::{FIRST_SECOND, Writer};
use crate::export::File;
use crate::export::How::{NotAtAll, Roughly};
use crate::export::page::{Page, number};
use crate::export::words::listed;

/// Most flows that are written. One host has ports for 55 536 of them, from 10 000 on (`portNumder` of third.cc), so that no two
/// ever share one.
const MAX_FLOWS: usize = 50_000;
/// Most bytes of a flow, which third.cc reads into 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64;
/// The port of every flow at its destination, as in the files of that simulator: queue pairs are told apart by the port at their source.
const DESTINATION_PORT: u32 = 100;
/// The priority group of ordinary traffic, as in the files of that simulator.
const ORDINARY_GROUP: u8 = 3;

/// What becomes of a workload.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// Each request is a flow, when it arrives.
    Arrives,
    /// Each request is a flow: all of a closed loop are there at its start.
    AtStart,
    /// Each connection is a flow that lasts: it always has data.
    Lasts,
    /// Nothing, for this reason.
    LeftOut(&'static str),
}

/// A line of flow.txt.
struct Flow {
    at_ps: u64,
    source: u32,
    destination: u32,
    workload: usize,
    bytes: u64,
}

/// An application that draws its requests.
struct Drawing {
    source: Source,
    operations: Operations,
    /// The hosts of its writes, and of its reads.
    ways: [Option<(u32, u32)>; 2],
    workload: usize,
}

/// flow.txt, and how far it goes.
pub(super) struct Written {
    pub(super) file: File,
    /// How many there are.
    pub(super) count: usize,
    /// When the first begins that is not written; none where all are.
    pub(super) cut_ps: Option<u64>,
}

impl Writer<'_, '_> {
    /// The flows of the scenario.
    ///
    /// # Errors
    /// That there are none which could be written, or more that begin at once than are written.
    pub(super) fn flows(&mut self) -> Result<Written, Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        let fates: Vec<Fate> = scenario.workloads.iter().map(|workload| fate(scenario, workload)).collect();
        let hosts = self.hosts();
        let crossing: Vec<usize> = (0..fates.len()).filter(|w| hosts[*w].iter().all(|list| !list.is_empty())).collect();
        let left_out = crossing.iter().map(|w| match fates[*w] {
            Fate::LeftOut(why) => Some((*w, why)),
            Fate::Arrives | Fate::AtStart | Fate::Lasts => None,
        });
        if let Some(left_out) = left_out.collect::<Option<Vec<_>>>() {
            let refused = left_out.into_iter().map(|(w, why)| {
                let hint = "Give it requests that arrive by themselves (open loop), or data without end (backlogged).";
                Diagnostic::new(format!("workloads[{w}].traffic"), format!("becomes no flow: {why}"), hint)
            });
            return Err(refused.collect());
        }
        let (mut flows, mut drawings) = self.applications(&fates, &crossing)?;
        let at_once = flows.len() + self.at_start(&fates, &crossing);
        if at_once > MAX_FLOWS {
            let reason = format!(
                "begin with {} flows; flow.txt has at most {}",
                number(at_once as f64),
                number(MAX_FLOWS as f64)
            );
            return Err(vec![Diagnostic::new("workloads", reason, "Take fewer connections or outstanding requests.")]);
        }
        let end_ps = from_us(scenario.duration_us);
        draw(&mut drawings, end_ps, MAX_FLOWS + 1, &mut flows);
        flows.sort_by_key(|flow| flow.at_ps);
        let cut_ps = flows.get(MAX_FLOWS).map(|flow| flow.at_ps);
        flows.truncate(MAX_FLOWS);
        if flows.is_empty() {
            let hint = "Lengthen the run, or let its workloads begin earlier.";
            return Err(vec![Diagnostic::new("workloads", "have no request that begins within the run", hint)]);
        }
        if flows.iter().any(|flow| flow.bytes > MAX_BYTES) {
            let most = number(MAX_BYTES as f64);
            self.remarks.push(format!("Flows of more than {most} B are written with so many: third.cc reads 32 bits."));
        }
        for flow in &mut flows {
            flow.bytes = flow.bytes.clamp(1, MAX_BYTES);
        }
        for w in crossing {
            self.became(w, fates[w], &hosts[w]);
        }
        Ok(self.written(flows, cut_ps))
    }

    /// The flows that last, and the applications that draw theirs.
    fn applications(&self, fates: &[Fate], crossing: &[usize]) -> Result<(Vec<Flow>, Vec<Drawing>), Vec<Diagnostic>> {
        let scenario = self.scene.scenario;
        let mut ways = vec![[None; 2]; self.plan.applications.len()];
        for flow in &self.plan.flows[..self.plan.data_flows] {
            ways[flow.application.index()][usize::from(flow.back)] = Some((flow.source, flow.destination));
        }
        let mut replayed = BTreeMap::new();
        let is_drawn = |w: &&usize| matches!(scenario.workloads[**w].traffic, Traffic::StandIn { .. });
        for w in crossing.iter().filter(is_drawn) {
            replayed.insert(*w, replays::of_workload(scenario, *w, &Traces::default()).map_err(|why| vec![why])?);
        }
        let sizes: Vec<_> = scenario.workloads.iter().map(|workload| Arc::new(size_law(&workload.traffic))).collect();
        let mut positions = vec![0; fates.len()];
        let (mut flows, mut drawings) = (Vec::new(), Vec::new());
        for (planned, ways) in self.plan.applications.iter().zip(ways) {
            let w = planned.workload;
            let workload = &scenario.workloads[w];
            let position = positions[w];
            positions[w] += 1;
            let stop_ps = workload.stop_us.map_or(NEVER_PS, from_us);
            match fates[w] {
                _ if ways == [None; 2] => {}
                Fate::LeftOut(_) => {}
                Fate::Lasts => {
                    let until_ps = stop_ps.min(from_us(scenario.duration_us));
                    for (back, way) in ways.into_iter().enumerate() {
                        let Some((source, destination)) = way else { continue };
                        let lasting_ps = until_ps.saturating_sub(planned.start_ps);
                        let (count, bytes) = self.lasting(workload, back == 1, source, lasting_ps);
                        let flow = |_| Flow { at_ps: planned.start_ps, source, destination, workload: w, bytes };
                        flows.extend((0..count).filter(|_| bytes > 0).map(flow));
                    }
                }
                Fate::Arrives | Fate::AtStart => {
                    let count = self.plan.applications_of_workload[w];
                    let pattern = match (replayed.get(&w).cloned().flatten(), &workload.traffic) {
                        (Some(trace), Traffic::StandIn { time_scale, .. }) => Pattern::Replay(Replay::new(
                            trace,
                            position as usize,
                            count as usize,
                            *time_scale,
                            planned.start_ps,
                        )),
                        (_, traffic) => plan::pattern(traffic, position, count),
                    };
                    let sizes = Arc::clone(&sizes[w]);
                    let source = Source::new(scenario.seed, planned.stream, pattern, sizes, planned.start_ps, stop_ps);
                    let operations = Operations::new(scenario.seed, planned.stream, workload.read_fraction);
                    drawings.push(Drawing { source, operations, ways, workload: w });
                }
            }
        }
        Ok((flows, drawings))
    }

    /// How many flows one way of an application that lasts is, and the bytes of each: as many as the link of its host carries.
    fn lasting(&self, workload: &Workload, back: bool, source: u32, lasting_ps: u64) -> (u32, u64) {
        let payload = f64::from(self.payload_bytes());
        let port = self.plan.graph.leaving(self.plan.graph.hosts()[source as usize])[0];
        let carried = self.settings.links[port.index()].rate_bps as f64 / 8.0 * payload / f64::from(self.full_bytes())
            * (lasting_ps as f64 / 1e12);
        let Traffic::ClosedLoop { outstanding, requests, .. } = &workload.traffic else {
            return (1, libm::ceil(carried) as u64);
        };
        let reads = workload.read_fraction;
        let share = if back { reads } else { 1.0 - reads };
        let asked =
            requests.map_or(f64::INFINITY, |requests| requests as f64 * size_law(&workload.traffic).mean_bytes());
        // The way that has more data is busy all the time.
        let bytes = (asked * share).min(carried * share / reads.max(1.0 - reads));
        let count = if workload.flows == Lasting::PerRequest { workload.connections.min(*outstanding) } else { 1 };
        (count, libm::ceil(bytes / f64::from(count)) as u64)
    }

    /// Requests of closed loops that are there at the start.
    fn at_start(&self, fates: &[Fate], crossing: &[usize]) -> usize {
        let own = crossing.iter().filter(|w| fates[**w] == Fate::AtStart);
        let requests = own.map(|w| {
            let each = match self.scene.scenario.workloads[*w].traffic {
                Traffic::ClosedLoop { requests, .. } => requests.unwrap_or_default() as usize,
                _ => 0,
            };
            each.saturating_mul(self.plan.applications_of_workload[*w] as usize)
        });
        requests.fold(0, usize::saturating_add)
    }

    /// By workload: initiators and targets whose data cross the network, each once.
    fn hosts(&self) -> Vec<[Vec<String>; 2]> {
        let graph = &self.plan.graph;
        let mut hosts = vec![[BTreeSet::new(), BTreeSet::new()]; self.scene.scenario.workloads.len()];
        for flow in &self.plan.flows[..self.plan.data_flows] {
            let ends = if flow.back { [flow.destination, flow.source] } else { [flow.source, flow.destination] };
            for (set, host) in hosts[flow.workload].iter_mut().zip(ends) {
                set.insert(host);
            }
        }
        let name = |host: u32| graph.nodes()[graph.hosts()[host as usize].index()].name.clone();
        let named = |set: BTreeSet<u32>| set.into_iter().map(name).collect();
        hosts.into_iter().map(|sets| sets.map(named)).collect()
    }

    /// Tells what became of a workload.
    fn became(&mut self, w: usize, fate: Fate, [initiators, targets]: &[Vec<String>; 2]) {
        let scenario = self.scene.scenario;
        let workload = &scenario.workloads[w];
        let path = |field: &str| format!("workloads[{w}].{field}");
        let kind = kind_of(&workload.traffic);
        if let Fate::LeftOut(why) = fate {
            self.ledger.because(&path("traffic"), kind, "", NotAtAll, format!("Left out: {why}."));
            match &workload.traffic {
                Traffic::Trace { file, .. } => self.ledger.add(&path("traffic.file"), file.as_str(), ""),
                Traffic::ClosedLoop { think_time_us, .. } if *think_time_us > 0.0 => {
                    self.ledger.add(&path("traffic.thinkTimeUs"), format!("{} µs", number(*think_time_us)), "");
                }
                _ => {}
            }
            self.remarks.push(format!("Workload {} of class {} is left out: {why}.", w + 1, workload.class));
            return;
        }
        let pairs = format!("{} to {}", listed(initiators), listed(targets));
        self.ledger.add(&path("endpoints"), pairs, "source, destination");
        let per_pair = format!("{} per pair", number(f64::from(workload.connections)));
        let per_request = workload.flows == Lasting::PerRequest;
        if fate != Fate::Lasts && per_request {
            let why = "There every request begins at once, however many are under way.";
            self.ledger.because(&path("connections"), per_pair, "", NotAtAll, why);
        } else {
            self.ledger.add(&path("connections"), per_pair, "flows of each");
        }
        self.kept(w, workload, fate, per_request);
        let reads = workload.read_fraction;
        if self.scene.effective(&path("readFraction")).is_some() {
            let to = if reads <= 0.0 {
                "from initiator to target"
            } else if reads >= 1.0 {
                "from target to initiator"
            } else {
                "both ways"
            };
            let from = format!("{} % reads", number(100.0 * reads));
            if reads > 0.0 && fate != Fate::Lasts {
                let why =
                    "A read is a flow from its target that begins when it is asked for: its command takes no time.";
                self.ledger.because(&path("readFraction"), from, to, Roughly, why);
            } else {
                self.ledger.add(&path("readFraction"), from, to);
            }
        }
        let size = format!("mean {} B", number(size_law(&workload.traffic).mean_bytes()));
        match (&workload.traffic, fate) {
            (Traffic::OpenLoop { offered_gbps, gaps, requests, .. }, _) => {
                let drawn = "as drawn";
                self.ledger.add(&path("traffic.offeredGbps"), format!("{} Gb/s", number(*offered_gbps)), drawn);
                self.ledger.add(&path("traffic.gaps"), format!("{gaps:?}").to_lowercase(), drawn);
                self.ledger.add(&path("traffic.size"), size, drawn);
                self.requests(&path("traffic.requests"), *requests);
            }
            (Traffic::StandIn { of, requests, .. }, _) => {
                self.ledger.add(&path("traffic.of"), format!("{of:?}"), "as drawn");
                self.requests(&path("traffic.requests"), *requests);
            }
            (Traffic::ClosedLoop { outstanding, requests, .. }, Fate::AtStart) => {
                let each = requests.map_or(0.0, |requests| requests as f64);
                let to = format!("{} at the start of each", counted(each as u64, "flow"));
                let kept = counted(u64::from(*outstanding), "request");
                self.ledger.add(&path("traffic.outstanding"), kept, &to);
                self.ledger.add(&path("traffic.size"), size, "as drawn");
                self.requests(&path("traffic.requests"), *requests);
            }
            (Traffic::ClosedLoop { outstanding, requests, .. }, _) => {
                let why = "A connection that always has requests always has data: one flow, in which requests are not told apart.";
                self.ledger.because(&path("traffic"), kind, "flows that last", Roughly, why);
                let one = "They are one flow.";
                let kept = counted(u64::from(*outstanding), "request");
                self.ledger.because(&path("traffic.outstanding"), kept, "", NotAtAll, one);
                self.ledger.because(&path("traffic.size"), size, "", NotAtAll, one);
                if let Some(requests) = requests {
                    let from = counted(*requests, "request");
                    let why = "One flow with the bytes of all of them.";
                    self.ledger.because(&path("traffic.requests"), from, "bytes", Roughly, why);
                }
            }
            (Traffic::Backlogged {}, _) => self.ledger.add(&path("traffic"), kind, "flows that last"),
            (Traffic::Trace { .. }, _) => {}
        }
        if scenario.protocol_of(workload).has_target() {
            self.ledger.add("access.protocol", scenario.protocol_of(workload).title(), "");
        }
    }

    /// Flows and instants of a workload.
    fn kept(&mut self, w: usize, workload: &Workload, fate: Fate, per_request: bool) {
        let path = |field: &str| format!("workloads[{w}].{field}");
        if self.scene.effective(&path("flows")).is_some() {
            let (from, to) = (if per_request { "per request" } else { "persistent" }, "queue pairs");
            let follows = !matches!(&workload.traffic, Traffic::ClosedLoop { requests: Some(1), .. });
            if !per_request && fate != Fate::Lasts && follows {
                let why = "Every request is a queue pair of its own there, which begins at the rate of its link and waits for none before it.";
                self.ledger.because(&path("flows"), from, to, Roughly, why);
            } else {
                self.ledger.add(&path("flows"), from, to);
            }
        }
        let us = |us: f64| format!("{} µs", number(us));
        if workload.start_us > 0.0 {
            self.ledger.add(
                &path("startUs"),
                us(workload.start_us),
                format!("{} s", seconds(from_us(workload.start_us))),
            );
        }
        if workload.start_gap_us > 0.0 {
            self.ledger.add(&path("startGapUs"), us(workload.start_gap_us), "starts");
        }
        if let Some(stop_us) = workload.stop_us {
            let why = "A flow ends with its bytes: later where it has not had all of its link.";
            match fate {
                Fate::Lasts => self.ledger.because(&path("stopUs"), us(stop_us), "bytes", Roughly, why),
                _ => self.ledger.add(&path("stopUs"), us(stop_us), "no flow after it"),
            }
        }
    }

    fn requests(&mut self, path: &str, requests: Option<u64>) {
        if let Some(requests) = requests {
            self.ledger.add(path, counted(requests, "request"), "lines");
        }
    }

    /// The file.
    fn written(&mut self, flows: Vec<Flow>, cut_ps: Option<u64>) -> Written {
        let scenario = self.scene.scenario;
        let groups = self.groups();
        let mut page = Page::default();
        page.marked(flows.len().to_string(), counted(flows.len() as u64, "flow"), None);
        let mut seen = vec![false; scenario.workloads.len()];
        for Flow { at_ps, source, destination, workload, bytes } in &flows {
            let class = plan::class_of(scenario, &scenario.workloads[*workload].class).index();
            let group = groups[&scenario.priority_of(&scenario.classes[class])];
            let node = |host: &u32| self.plan.graph.hosts()[*host as usize].index();
            let line = format!(
                "{} {} {group} {DESTINATION_PORT} {} {}",
                node(source),
                node(destination),
                bytes,
                seconds(*at_ps)
            );
            if std::mem::replace(&mut seen[*workload], true) {
                page.line(line);
                continue;
            }
            let name = |host: &u32| &self.plan.graph.nodes()[node(host)].name;
            let says = format!(
                "{} to {}, group {group}: {} B at {} s + {} µs, the first of workload {}",
                name(source),
                name(destination),
                number(*bytes as f64),
                FIRST_SECOND,
                number(to_us(*at_ps)),
                workload + 1
            );
            page.marked(line, says, Some(class));
        }
        let about = "how many; then source, destination, priority group, port, bytes and start of each";
        Written { file: page.file("flow.txt", about), count: flows.len(), cut_ps }
    }

    /// The priority group, and so the queue, of each priority in use. Group 0 is that of pauses.
    pub(super) fn groups(&self) -> BTreeMap<u8, u8> {
        let scenario = self.scene.scenario;
        let of = |class: usize| scenario.priority_of(&scenario.classes[class]);
        let mut groups: BTreeMap<u8, u8> = self.classes.iter().map(|class| (of(*class), of(*class))).collect();
        if let [only] = groups.keys().copied().collect::<Vec<u8>>()[..] {
            return BTreeMap::from([(only, ORDINARY_GROUP)]);
        }
        if groups.contains_key(&0) {
            let is_free = |group: &u8| !groups.contains_key(group);
            let free = [ORDINARY_GROUP].into_iter().chain(1..8).find(is_free).unwrap_or(ORDINARY_GROUP);
            groups.insert(0, free);
        }
        groups
    }
}

/// What can be written of a workload.
fn fate(scenario: &Scenario, workload: &Workload) -> Fate {
    match &workload.traffic {
        Traffic::OpenLoop { .. } | Traffic::StandIn { .. } => Fate::Arrives,
        Traffic::Backlogged {} => Fate::Lasts,
        Traffic::Trace { .. } => Fate::LeftOut("the scenario names its trace, and does not hold it"),
        Traffic::ClosedLoop { outstanding, requests, think_time_us, .. } => {
            if requests.is_some_and(|requests| requests <= u64::from(*outstanding)) {
                Fate::AtStart
            } else if scenario.protocol_of(workload).has_target() {
                Fate::LeftOut("its closed loop follows the answers of devices, and no flow waits for an answer")
            } else if *think_time_us > 0.0 {
                Fate::LeftOut("its closed loop pauses after each answer, and no flow waits for an answer")
            } else {
                Fate::Lasts
            }
        }
    }
}

/// How requests come about, in words.
fn kind_of(traffic: &Traffic) -> &'static str {
    match traffic {
        Traffic::OpenLoop { .. } => "open loop",
        Traffic::ClosedLoop { .. } => "closed loop",
        Traffic::Backlogged {} => "backlogged",
        Traffic::Trace { .. } => "trace",
        Traffic::StandIn { .. } => "stand-in for a trace",
    }
}

/// Draws the requests that arrive before `end_ps`, in order of time, until there are `most`.
fn draw(drawings: &mut [Drawing], end_ps: u64, most: usize, flows: &mut Vec<Flow>) {
    let starts = drawings.iter().enumerate().map(|(at, drawing)| Reverse((drawing.source.start_ps(), at)));
    let mut due: BinaryHeap<Reverse<(u64, usize)>> = starts.collect();
    let most = flows.len() + most;
    while let Some(Reverse((at_ps, at))) = due.pop().filter(|Reverse((at_ps, _))| *at_ps < end_ps && flows.len() < most)
    {
        let Drawing { source, operations, ways, workload } = &mut drawings[at];
        let (bytes, again_ps, recorded) = match source.on_timer(at_ps) {
            Action::Request { bytes, again_ps, recorded } => (bytes, again_ps, recorded),
            Action::Think { until_ps } => {
                due.push(Reverse((until_ps, at)));
                continue;
            }
            Action::Rest | Action::StartBacklog => continue,
        };
        due.extend(again_ps.map(|again_ps| Reverse((again_ps, at))));
        let reads = recorded.map_or_else(|| operations.draw() == Operation::Read, |recorded| recorded.reads);
        if let Some((source, destination)) = ways[usize::from(reads)] {
            flows.push(Flow { at_ps, source, destination, workload: *workload, bytes });
        }
    }
}

/// An instant of the run as third.cc counts: in seconds, of which those before the first flows have none.
pub(super) fn seconds(at_ps: u64) -> String {
    const NS_PER_S: u64 = 1_000_000_000;
    let ns = at_ps / 1000;
    format!("{}.{:09}", FIRST_SECOND + ns / NS_PER_S, ns % NS_PER_S)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_written_in_seconds_from_two_on() {
        assert_eq!(seconds(0), "2.000000000");
        assert_eq!(seconds(1_234_567), "2.000001234");
        assert_eq!(seconds(3_000_000_000_000_000), "3002.000000000");
    }
}
