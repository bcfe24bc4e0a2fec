//! What the classes should carry: one truth for their control and for what is reported.
//!
//! Targets are weighted max-min shares over the paths of all connections that ask for something (see [`crate::qos::shares`]).
//! A connection asks for no more than its application offers, unless its class is in arrears, and no more than its largest
//! window allows over an empty round trip. They are renewed when the connections that ask, or parameters, have changed.
//!
//! Shares are of the wire. What acknowledgements take of the links on their way, and headers where requests are too small
//! to fill packets, is not there to be shared: it is found from a first filling, and taken off before the second.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::ids::{ClassId, FlowId};
use crate::kernel::sums::total;
use crate::kernel::time::{NEVER_PS, PS_PER_S, from_us, to_us};
use crate::qos::shares::{Demand, Filling};
use crate::scenario::document::{Class, Flows, Scenario, Traffic, Workload};
use crate::scenario::{offered_gbps, read_share, size_law};
use crate::simulation::plan::{self, NetworkSettings, Plan};
use crate::simulation::planned::class_of;
use crate::simulation::qos_control::{BPS_PER_BYTE_PER_PS, QosControl, Scene, WAYS, aims_at_latency, ways};

/// Part of a link that is left to the classes of throughput whatever those of latency or of higher priority need.
const MIN_SHARE: f64 = 0.05;
/// Round trips of its load and requests for each connection that a class may have waiting without being in arrears.
const USUAL_RTTS: f64 = 100.0;
const USUAL_REQUESTS: f64 = 8.0;
/// How often the ways of loops that read and write are held to their mix: what one way does not take goes to other classes,
/// whose loops may then be held back elsewhere.
const LOOP_ROUNDS: usize = 4;
/// Links of all paths together beyond which targets are renewed no more often than samples are taken.
const MANY_HOPS: usize = 2000;

/// When the targets are to be renewed, and from what.
#[derive(Clone, Debug, Default)]
pub(super) struct Targets {
    /// Something has changed since they were.
    pub(super) stale: bool,
    /// Not before this, in a large network.
    next_ps: u64,
    /// Whether the network is large.
    large: bool,
    /// What does not change while the parameters do not.
    constants: Constants,
    /// By link: what the classes looked at have left of it.
    left_bps: Vec<f64>,
    filling: Filling,
    /// By link: what acknowledgements of the connections of one priority take of it.
    acks_bps: Vec<f64>,
    /// By connection of one priority: its rate.
    rates_bps: Vec<f64>,
    /// By share, of each class for both ways: its target, and what it would have if it asked for more.
    found_bps: Vec<(f64, f64)>,
}

/// What targets are made from and only a change of parameters changes.
#[derive(Clone, Debug, Default)]
struct Constants {
    /// By link: payload per second that it can carry; at the bottleneck what the scenario says is shared there.
    capacities_bps: Vec<f64>,
    /// What the scenario says is shared at the bottleneck, acknowledgements being left out of that.
    stated: Option<usize>,
    /// By workload: what the application of each of its connections asks for at most, infinite where that is all there is.
    offers_bps: Vec<f64>,
    /// By workload: whether it is a loop that reads and writes, in which the slower way holds back the other one.
    mixed_loops: Vec<bool>,
    /// By workload: what its connections take of the wire beside their data.
    costs: Vec<WireCosts>,
    /// By class: what the largest window allows a connection over an empty round trip; infinite where it has no window.
    windows_bps: Vec<f64>,
    /// By class.
    ratios: Vec<f64>,
    /// The priorities of all classes, the highest first.
    priorities: Vec<u8>,
}

impl Targets {
    /// Of a run that begins.
    pub(super) fn new(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Self {
        Self {
            large: plan.flows.iter().map(|flow| flow.data.len()).sum::<usize>() > MANY_HOPS,
            constants: Constants::new(scenario, plan, settings),
            ..Self::default()
        }
    }

    /// When they are to be renewed; [`NEVER_PS`] while nothing has changed.
    pub(super) fn due_ps(&self) -> u64 {
        if self.stale { self.next_ps } else { NEVER_PS }
    }

    /// Takes over changed parameters.
    pub(super) fn set_parameters(&mut self, scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) {
        self.constants = Constants::new(scenario, plan, settings);
    }
}

impl Constants {
    fn new(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Self {
        let links = settings.links.iter().enumerate();
        let capacity_bps = |(number, link)| match number == plan.bottleneck.index() {
            true => plan::capacity_bps(scenario, link),
            false => plan::payload_bps(scenario, link),
        };
        let workloads = scenario.workloads.iter().zip(&plan.associations_of_workload).zip(&plan.recorded_bps);
        let offer_bps = |((workload, &associations), &recorded_bps): ((&Workload, &u32), &f64)| match workload.traffic {
            Traffic::Trace { time_scale, .. } => recorded_bps * time_scale / f64::from(associations),
            _ => offer_bps(scenario, plan, settings, workload, associations),
        };
        let stack = &scenario.host;
        let window_bits = f64::from(stack.maximum_window_packets) * f64::from(plan::segment_bytes(stack)) * 8.0;
        let classes = scenario.classes.iter().zip(&settings.class_rtt_ps);
        let window_bps = |(class, &rtt_ps): (&Class, &u64)| match class.transport.is_rate_based() {
            true => f64::INFINITY,
            false => window_bits * PS_PER_S as f64 / rtt_ps as f64,
        };
        let priorities: BTreeSet<u8> = scenario.classes.iter().map(|class| scenario.priority_of(class)).collect();
        Self {
            capacities_bps: links.map(capacity_bps).collect(),
            stated: scenario.qos.capacity_gbps.map(|_| plan.bottleneck.index()),
            offers_bps: workloads.map(offer_bps).collect(),
            mixed_loops: scenario.workloads.iter().map(is_mixed_loop).collect(),
            costs: scenario.workloads.iter().map(|workload| WireCosts::new(scenario, workload)).collect(),
            windows_bps: classes.map(window_bps).collect(),
            ratios: scenario.classes.iter().map(|class| class.ratio).collect(),
            priorities: priorities.into_iter().rev().collect(),
        }
    }
}

/// What a connection takes of the wire beside its data, as parts of these: in the payload of full packets that could go
/// over the wire instead.
#[derive(Clone, Copy, Debug, Default)]
struct WireCosts {
    /// Of a full link, acknowledgements the other way.
    acks: f64,
    /// Of requests that come one by one: headers, commands and answers beyond full packets, and the acknowledgements of what
    /// comes back.
    alone: f64,
    /// Of those requests, acknowledgements the other way, and what comes back.
    alone_acks: f64,
}

impl WireCosts {
    fn new(scenario: &Scenario, workload: &Workload) -> Self {
        let host = &scenario.host;
        let segment = f64::from(plan::segment_bytes(host));
        let header = f64::from(plan::overhead_bytes(scenario));
        let full = segment + header;
        let class = &scenario.classes[class_of(scenario, &workload.class).index()];
        let per_ack = if class.transport.is_rate_based() { 1.0 } else { f64::from(host.delayed_ack_packets) };
        let acks = header / (per_ack * full);
        let bytes = size_law(&workload.traffic).mean_bytes();
        if bytes < 1.0 {
            return Self { acks, alone: 0.0, alone_acks: acks };
        }
        // One packet the other way, be it a command, a request for data or an answer, and what a message needs of packets.
        let protocol = scenario.protocol_of(workload);
        let answered = protocol.has_target() || read_share(workload) > 0.0;
        let packets = (bytes / segment).ceil();
        let back = if answered { header + f64::from(scenario.access.command_bytes) } else { 0.0 };
        let acked_back = if answered { header } else { 0.0 };
        let command = if protocol.has_target() { f64::from(scenario.access.command_bytes) } else { 0.0 };
        let wire = bytes + command + packets * header + acked_back;
        let ideal = bytes * full / segment;
        Self {
            acks,
            alone: (wire / ideal - 1.0).max(0.0),
            alone_acks: ((packets / per_ack).ceil() * header + back) / ideal,
        }
    }
}

/// Whether the next request of a workload, be it a read or a write, waits for one that may be of the other kind.
fn is_mixed_loop(workload: &Workload) -> bool {
    let reads = read_share(workload);
    matches!(workload.traffic, Traffic::ClosedLoop { .. }) && 0.0 < reads && reads < 1.0
}

/// What is asked for at most on each of the associations of a workload, infinite where that is all there is.
fn offer_bps(
    scenario: &Scenario,
    plan: &Plan,
    settings: &NetworkSettings,
    workload: &Workload,
    associations: u32,
) -> f64 {
    match &workload.traffic {
        traffic @ (Traffic::OpenLoop { .. } | Traffic::StandIn { .. }) => {
            offered_gbps(traffic).unwrap_or_default() * 1e9 / f64::from(associations.max(1))
        }

        Traffic::Backlogged {} | Traffic::Trace { .. } => f64::INFINITY,
        Traffic::ClosedLoop { outstanding, think_time_us, .. } => {
            // One request after the other in an empty network: round trip, its time on the link, pause.
            let class = class_of(scenario, &workload.class);
            let bits = size_law(&workload.traffic).mean_bytes() * 8.0;
            let line_bps = plan.line_bps(class, &settings.links);
            let rtt_ps = settings.class_rtt_ps[class.index()] + from_us(*think_time_us);
            // Connections among which the requests of one loop are spread.
            let connections = if workload.flows == Flows::PerRequest { workload.connections } else { 1 };
            let loops = f64::from(*outstanding) / f64::from(connections);
            loops * bits / (rtt_ps as f64 / PS_PER_S as f64 + bits / line_bps)
        }
    }
}

/// By class: bytes that wait in an ordinary run of its requests.
pub(super) fn usual_bytes(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Vec<f64> {
    let mut bytes = vec![0.0; scenario.classes.len()];
    for (workload, &associations) in scenario.workloads.iter().zip(&plan.associations_of_workload) {
        let class = class_of(scenario, &workload.class).index();
        let requests = f64::from(associations) * size_law(&workload.traffic).mean_bytes();
        let load = offered_gbps(&workload.traffic).unwrap_or_default() * 125.0;
        bytes[class] += USUAL_REQUESTS * requests + USUAL_RTTS * load * to_us(settings.class_rtt_ps[class]);
    }
    bytes
}

/// Holds the ways of loops that read and write to the mix of their requests: `held` gets what each connection asks for where the
/// one of its loop that `rates_bps` hold back most decides. Returns whether there is such a loop.
fn hold_loops(
    constants: &Constants,
    plan: &Plan,
    flows: &[FlowId],
    rates_bps: &[f64],
    demands: &[Demand],
    held: &mut [Demand],
) -> bool {
    // Requests of an application go round between it and one target.
    let of_loop = |flow: FlowId| {
        let flow = &plan.flows[flow.index()];
        let target = if flow.back { flow.source } else { flow.destination };
        (constants.mixed_loops[flow.workload] && flow.share > 0.0).then_some((flow.application, target))
    };
    // What each loop comes to: the slowest of its ways counts, of those that are not themselves held to it.
    let of_way = |flow: FlowId, rate_bps: f64| rate_bps / plan.flows[flow.index()].share;
    let mut loops_bps = BTreeMap::new();
    for (((&flow, &rate_bps), demand), held) in flows.iter().zip(rates_bps).zip(demands).zip(&*held) {
        let follows = held.limit < demand.limit && rate_bps >= held.limit;
        if let Some(number) = of_loop(flow).filter(|_| !follows) {
            let loop_bps = loops_bps.entry(number).or_insert(f64::INFINITY);
            *loop_bps = of_way(flow, rate_bps).min(*loop_bps);
        }
    }
    for (((&flow, &rate_bps), demand), held) in flows.iter().zip(rates_bps).zip(demands).zip(held) {
        let Some(&loop_bps) = of_loop(flow).and_then(|number| loops_bps.get(&number)) else { continue };
        // The way that decides takes more, should others leave it more.
        let follows = of_way(flow, rate_bps) > loop_bps || held.limit < demand.limit && rate_bps >= held.limit;
        held.limit = if follows { loop_bps * plan.flows[flow.index()].share } else { demand.limit };
    }
    !loops_bps.is_empty()
}

impl QosControl {
    /// Renews the targets if something has changed, at the end of the updates of an instant.
    pub(in crate::simulation) fn renew_targets(&mut self, scene: &Scene) {
        if self.targets.due_ps() <= scene.now_ps {
            self.set_targets(scene);
        }
    }

    /// Renews what every class should carry.
    pub(in crate::simulation) fn set_targets(&mut self, scene: &Scene) {
        let plan = scene.plan;
        let mut targets = std::mem::take(&mut self.targets);
        let Targets { constants, left_bps, filling, acks_bps, rates_bps, found_bps, .. } = &mut targets;
        left_bps.clone_from(&constants.capacities_bps);
        self.leave_to_latency(scene, constants, left_bps);
        if scene.scenario.qos.adapt_to_interference {
            left_bps.iter_mut().for_each(|left| *left *= self.interference.part());
        }
        found_bps.clear();
        found_bps.resize(self.shares.len(), (0.0, 0.0));
        for &priority in &constants.priorities {
            let at_level = |class: &usize| scene.scenario.priority_of(&scene.scenario.classes[*class]) == priority;
            let level = || self.sharing(scene.scenario).map(|(class, _)| class).filter(at_level);
            let flows = level().flat_map(|class| &plan.flows_of_class[class]).map(|&flow| FlowId(flow));
            let flows: Vec<FlowId> = flows.filter(|&flow| scene.asks(flow)).collect();
            let cost = |flow: FlowId| &constants.costs[plan.flows[flow.index()].workload];
            let demand = |&flow: &FlowId| Demand {
                class: plan.flows[flow.index()].class.index(),
                links: scene.data(flow),
                limit: self.limit_bps(flow, scene, constants) * (1.0 + cost(flow).alone),
            };
            let demands: Vec<Demand> = flows.iter().map(demand).collect();
            // A connection that has all it asks for sends requests that come one by one.
            let net_bps = |number: usize, rate: f64| match rate >= demands[number].limit {
                true => rate / (1.0 + cost(flows[number]).alone),
                false => rate,
            };
            rates_bps.clear();
            rates_bps.extend_from_slice(filling.fill(left_bps, &constants.ratios, &demands));
            acks_bps.clear();
            acks_bps.resize(left_bps.len(), 0.0);
            for (number, (&flow, &rate)) in flows.iter().zip(&*rates_bps).enumerate() {
                let part = if rate >= demands[number].limit { cost(flow).alone_acks } else { cost(flow).acks };
                let bps = part * net_bps(number, rate);
                scene.detours.acknowledgements(plan, flow).iter().for_each(|link| acks_bps[link.index()] += bps);
            }
            for (link, (left, &acks)) in left_bps.iter_mut().zip(&*acks_bps).enumerate() {
                if acks > 0.0 && constants.stated != Some(link) {
                    *left = (*left - acks).max(MIN_SHARE * constants.capacities_bps[link]);
                }
            }
            rates_bps.clear();
            rates_bps.extend_from_slice(filling.fill(left_bps, &constants.ratios, &demands));
            let mut held = demands.clone();
            for _ in 0..LOOP_ROUNDS {
                if !hold_loops(constants, plan, &flows, rates_bps, &demands, &mut held) {
                    break;
                }
                rates_bps.clear();
                rates_bps.extend_from_slice(filling.fill(left_bps, &constants.ratios, &held));
            }
            for class in level() {
                let members = || held.iter().zip(&*rates_bps).filter(|(demand, _)| demand.class == class);
                let content = members().any(|(demand, &rate)| rate >= demand.limit);
                for (number, (flow, &rate)) in flows.iter().zip(&*rates_bps).enumerate() {
                    if demands[number].class == class {
                        let found = &mut found_bps[plan.flows[flow.index()].share_number() as usize];
                        let net_bps = net_bps(number, rate);
                        *found = (found.0 + net_bps, found.1 + net_bps);
                    }
                }
                if !content || !scene.scenario.classes[class].transport.follows_quality() {
                    continue;
                }
                // What it would get if it asked for more.
                let asking = held.iter().map(|demand| match demand.class == class {
                    true => Demand { limit: f64::INFINITY, ..*demand },
                    false => *demand,
                });
                let rates = filling.fill(left_bps, &constants.ratios, &asking.collect::<Vec<_>>());
                ways(ClassId::at(class)).for_each(|share| found_bps[share].1 = 0.0);
                for (flow, (demand, &rate)) in flows.iter().zip(demands.iter().zip(rates)) {
                    if demand.class == class {
                        found_bps[plan.flows[flow.index()].share_number() as usize].1 += rate;
                    }
                }
            }
            for (demand, rate) in demands.iter().zip(&*rates_bps) {
                for link in demand.links.iter().map(|link| link.index()) {
                    left_bps[link] = (left_bps[link] - rate).max(MIN_SHARE * constants.capacities_bps[link]);
                }
            }
        }
        for (share, &(_, ceiling_bps)) in self.shares.iter_mut().zip(&*found_bps) {
            share.target = ceiling_bps / BPS_PER_BYTE_PER_PS;
        }
        for (state, found_bps) in self.classes.iter_mut().zip(found_bps.chunks_exact(WAYS)) {
            state.set_target(total(found_bps.iter().map(|(target_bps, _)| *target_bps)), scene.now_ps);
        }
        targets.stale = false;
        targets.next_ps = if targets.large { scene.now_ps + scene.sample_period_ps } else { 0 };
        self.targets = targets;
    }

    /// Classes that aim at latencies come strictly first (paper 1 section 3.1.1): while one of them has something to send and
    /// is slower than it should be, the others have next to nothing to aim at where it goes; otherwise what it leaves.
    fn leave_to_latency(&self, scene: &Scene, constants: &Constants, left_bps: &mut [f64]) {
        for (class, (document, state)) in scene.scenario.classes.iter().zip(&self.classes).enumerate() {
            if !aims_at_latency(document) {
                continue;
            }
            let shares = &self.shares[ways(ClassId::at(class))];
            let in_deficit = state.busy && shares[0].of_latency.is_some_and(|factor| factor > 1.0);
            let flows = &scene.plan.flows_of_class[class];
            let carried = total(shares.iter().map(|share| share.carried));
            let part_bps = carried * BPS_PER_BYTE_PER_PS / flows.len() as f64;
            for flow in flows.iter().map(|&flow| FlowId(flow)) {
                let cost = &constants.costs[scene.plan.flows[flow.index()].workload];
                for link in scene.data(flow).iter().map(|link| link.index()) {
                    let taken_bps = if in_deficit { left_bps[link] } else { part_bps * (1.0 + cost.alone) };
                    left_bps[link] = (left_bps[link] - taken_bps).max(MIN_SHARE * constants.capacities_bps[link]);
                }
            }
        }
    }

    /// What a connection asks for at most.
    fn limit_bps(&self, flow: FlowId, scene: &Scene, constants: &Constants) -> f64 {
        let planned = &scene.plan.flows[flow.index()];
        let class = planned.class.index();
        let window_bps = constants.windows_bps[class];
        let drains = !scene.is_live(flow);
        if drains || self.classes[class].in_arrears {
            return window_bps;
        }
        (planned.share * constants.offers_bps[planned.workload]).min(window_bps)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::network::graph::host_name;
    use crate::scenario;
    use crate::simulation::{ClassSummary, Simulation, Summary};

    /// Four senders and four receivers behind two switches; links of 10 Gb/s, of which 9.64 are payload.
    fn document(trunk_gbps: u32, classes: Value, workloads: &[(&str, &[u32], &[u32], Value)]) -> Value {
        let hosts = |numbers: &[u32]| numbers.iter().map(|number| host_name(*number)).collect::<Vec<_>>();
        let workload = |(class, initiators, targets, traffic): &(&str, &[u32], &[u32], Value)| {
            json!({
                "class": class,
                "endpoints": { "kind": "pairs", "initiators": hosts(initiators), "targets": hosts(targets) },
                "traffic": traffic,
            })
        };
        json!({
            "version": 3,
            "host": { "startJitterUs": 0 },
            "name": "Targets",
            "durationUs": 10_000,
            "topology": {
                "shape": { "kind": "dumbbell", "senders": 4, "receivers": 4, "trunkGbps": trunk_gbps },
                "linkGbps": 10
            },
            "classes": classes,
            "workloads": workloads.iter().map(workload).collect::<Vec<_>>(),
        })
    }

    fn run(document: Value) -> Summary {
        let mut simulation = Simulation::new(&scenario::from_value(document).unwrap()).unwrap();
        simulation.run_until(simulation.duration_ps());
        simulation.summary()
    }

    fn three_two_one() -> Value {
        json!([{ "name": "A", "ratio": 3 }, { "name": "B", "ratio": 2 }, { "name": "C", "ratio": 1 }])
    }

    fn backlogged() -> Value {
        json!({ "kind": "backlogged" })
    }

    fn open_loop(offered_gbps: f64) -> Value {
        let size = json!({ "kind": "fixed", "bytes": 5000 });
        json!({ "kind": "open-loop", "offeredGbps": offered_gbps, "gaps": "constant", "size": size })
    }

    const PAYLOAD: f64 = 10.0 * 1448.0 / 1502.0;

    #[track_caller]
    fn assert_targets(summary: &Summary, wanted: &[f64], relative: f64) {
        let found: Vec<f64> = summary.classes.iter().map(|class| class.target_gbps.unwrap_or(0.0)).collect();
        let near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= relative * wanted);
        assert!(near, "{found:?}, wanted {wanted:?}");
    }

    /// Q says what the figures beside it say.
    #[track_caller]
    fn assert_consistent(class: &ClassSummary) {
        let expected = class.target_gbps.unwrap() / class.carried_gbps;
        assert!((class.quality_factor.mean.unwrap() / expected - 1.0).abs() < 1e-9, "{class:?}");
    }

    #[test]
    fn backlogged_classes_share_one_bottleneck_by_their_ratios_and_what_is_said_to_be_its_capacity() {
        let all =
            [("A", &[0][..], &[4][..], backlogged()), ("B", &[1], &[5], backlogged()), ("C", &[2], &[6], backlogged())];
        let mut document = document(10, three_two_one(), &all);
        let summary = run(document.clone());
        assert_targets(&summary, &[PAYLOAD / 2.0, PAYLOAD / 3.0, PAYLOAD / 6.0], 1e-9);
        summary.classes.iter().for_each(assert_consistent);
        document["qos"] = json!({ "capacityGbps": 6 });
        assert_targets(&run(document), &[3.0, 2.0, 1.0], 1e-9);
    }

    #[test]
    fn a_class_that_asks_for_little_has_that_as_its_target_and_leaves_the_rest() {
        let all = [
            ("A", &[0][..], &[4][..], open_loop(1.0)),
            ("B", &[1], &[5], backlogged()),
            ("C", &[2], &[6], backlogged()),
        ];
        let summary = run(document(10, three_two_one(), &all));
        assert_targets(&summary, &[1.0, (PAYLOAD - 1.0) * 2.0 / 3.0, (PAYLOAD - 1.0) / 3.0], 0.02);
        assert!((0.9..1.1).contains(&summary.classes[0].quality_factor.mean.unwrap()), "{summary:?}");
        summary.classes.iter().for_each(assert_consistent);
    }

    #[test]
    fn its_bursts_are_not_held_to_their_mean() {
        let all = [("A", &[0][..], &[4][..], open_loop(1.0)), ("B", &[1], &[5], backlogged())];
        let classes = json!([{ "name": "A", "ratio": 3 }, { "name": "B", "ratio": 1 }]);
        let mut simulation = Simulation::new(&scenario::from_value(document(10, classes, &all)).unwrap()).unwrap();
        simulation.run_until(simulation.duration_ps());
        let may_carry_gbps = simulation.control.shares[0].target * BPS_PER_BYTE_PER_PS / 1e9;
        assert!((may_carry_gbps / (0.75 * PAYLOAD) - 1.0).abs() < 1e-9, "{may_carry_gbps}");
    }

    #[test]
    fn an_incast_has_the_link_it_fills() {
        let all = [("A", &[0, 1, 2, 3][..], &[4][..], backlogged())];
        let summary = run(document(100, json!([{ "name": "A", "transport": "dctcp" }]), &all));
        assert_targets(&summary, &[PAYLOAD], 1e-9);
        assert!((0.98..1.03).contains(&summary.classes[0].quality_factor.mean.unwrap()), "{summary:?}");
    }

    #[test]
    fn connections_without_a_common_bottleneck_have_what_each_of_theirs_offers() {
        let all = [("A", &[0, 1, 2][..], &[4, 5, 6][..], backlogged()), ("B", &[3], &[6], backlogged())];
        let classes = json!([{ "name": "A", "ratio": 1 }, { "name": "B", "ratio": 1 }]);
        assert_targets(&run(document(100, classes, &all)), &[2.5 * PAYLOAD, 0.5 * PAYLOAD], 1e-9);
    }

    #[test]
    fn headers_of_small_requests_are_not_there_to_be_shared() {
        let mut small = open_loop(1.0);
        small["size"]["bytes"] = json!(128);
        let all = [("A", &[0][..], &[4][..], small), ("B", &[1], &[4], backlogged())];
        let classes = json!([{ "name": "A", "priority": 1, "transport": "dcqcn" }, { "name": "B", "ratio": 9 }]);
        let wire_bytes = 128.0 + 54.0;
        let taken = wire_bytes / 128.0 * 1448.0 / 1502.0;
        assert_targets(&run(document(100, classes, &all)), &[1.0, PAYLOAD - taken], 1e-6);
    }

    #[test]
    fn acknowledgements_are_taken_off_links_that_are_full_both_ways() {
        let all = [("A", &[0][..], &[4][..], backlogged()), ("B", &[4], &[0], backlogged())];
        let classes = json!([{ "name": "A", "transport": "dctcp" }, { "name": "B", "transport": "dctcp" }]);
        let summary = run(document(10, classes, &all));
        let left = PAYLOAD * (1.0 - 54.0 / (2.0 * 1502.0));
        assert_targets(&summary, &[left, left], 1e-6);
        let near = |class: &ClassSummary| (class.carried_gbps / left - 1.0).abs() < 0.02;
        assert!(summary.classes.iter().all(near), "{summary:?}");
    }

    #[test]
    fn a_class_that_reads_and_writes_has_a_target_for_each_way() {
        let all = [("A", &[0][..], &[4][..], open_loop(20.0)), ("B", &[1], &[5], open_loop(20.0))];
        let mut document = document(10, json!([{ "name": "A", "ratio": 3 }, { "name": "B", "ratio": 1 }]), &all);
        for workload in document["workloads"].as_array_mut().unwrap() {
            workload["readFraction"] = json!(0.5);
        }
        let mut simulation = Simulation::new(&scenario::from_value(document).unwrap()).unwrap();
        simulation.run_until(simulation.duration_ps());
        let targets: Vec<f64> = simulation.control.shares.iter().map(|share| share.target).collect();
        for way in [0, 1] {
            assert!((targets[way] / targets[2 + way] / 3.0 - 1.0).abs() < 0.02, "{targets:?}");
        }
        assert!((targets[0] / targets[1] - 1.0).abs() < 0.02, "{targets:?}");
    }

    #[test]
    fn a_loop_that_reads_and_writes_keeps_its_mix_where_one_way_is_full() {
        let closed = json!({ "kind": "closed-loop", "outstanding": 64, "size": { "kind": "fixed", "bytes": 65_536 } });
        let all = [("A", &[0][..], &[4][..], closed.clone()), ("B", &[1], &[4], closed)];
        let mut document = document(10, json!([{ "name": "A", "ratio": 2 }, { "name": "B", "ratio": 1 }]), &all);
        for workload in document["workloads"].as_array_mut().unwrap() {
            workload["readFraction"] = json!(0.3);
        }
        let summary = run(document);
        // Writes fill the link to the target, less acknowledgements of the reads; three reads go with seven writes.
        let per_packet = 54.0 / (2.0 * 1502.0);
        let writes = PAYLOAD / (1.0 + per_packet * 3.0 / 7.0);
        let all_gbps = writes / 0.7;
        assert_targets(&summary, &[all_gbps * 2.0 / 3.0, all_gbps / 3.0], 0.02);
        // With targets for both ways full the sum would be twice the link.
        assert!(summary.classes.iter().map(|class| class.carried_gbps).sum::<f64>() < 1.02 * all_gbps, "{summary:?}");
    }

    #[test]
    fn a_higher_priority_comes_first() {
        let all = [("A", &[0][..], &[4][..], open_loop(4.0)), ("B", &[1], &[4], backlogged())];
        let classes = json!([{ "name": "A", "priority": 1, "ratio": 1 }, { "name": "B", "ratio": 9 }]);
        assert_targets(&run(document(100, classes, &all)), &[4.0, PAYLOAD - 4.0], 0.02);
    }

    #[test]
    fn a_class_with_nothing_to_send_has_no_target_and_no_quality_factor() {
        let all = [("A", &[0][..], &[4][..], backlogged())];
        let summary = run(document(10, three_two_one(), &all));
        assert_eq!((summary.classes[1].target_gbps, summary.classes[1].quality_factor.mean), (None, None));
    }

    #[test]
    fn before_the_end_of_the_warmup_no_class_has_a_target() {
        let all = [("A", &[0][..], &[4][..], backlogged())];
        let scenario = scenario::from_value(document(10, json!([{ "name": "A" }]), &all)).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_until(PS_PER_S / 1_000_000);
        assert_eq!(simulation.summary().classes[0].target_gbps, None);
        simulation.run_until(simulation.duration_ps());
        assert!(simulation.summary().classes[0].target_gbps.is_some());
    }

    #[test]
    fn the_quality_factor_of_flows_that_last_for_a_request_is_that_of_what_their_class_carries() {
        let scenario = scenario::from_value(qoscope_committed::document("paper3-fig5a-dcqcn")).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        let mut factors: Vec<f64> = (100..400)
            .map(|step| {
                simulation.run_until(step * PS_PER_S / 10_000);
                simulation.control.classes[0].quality.unwrap_or(f64::NAN)
            })
            .collect();
        factors.sort_unstable_by(f64::total_cmp);
        let (median, mean) = (factors[factors.len() / 2], simulation.summary().classes[0].quality_factor.mean.unwrap());
        assert!((median / mean - 1.0).abs() < 0.1, "{median}, {mean} in all");
    }

    #[test]
    fn in_a_large_network_targets_do_not_depend_on_where_a_run_is_looked_at() {
        let scenario = scenario::from_value(qoscope_committed::document("paper3-fig5b-dcqcn")).unwrap();
        let mut whole = Simulation::new(&scenario).unwrap();
        assert!(whole.control.targets.large);
        let end_ps = 3 * PS_PER_S / 10_000;
        whole.run_until(end_ps);
        let mut sliced = Simulation::new(&scenario).unwrap();
        (1..=7).for_each(|slice| sliced.run_until(slice * end_ps / 7));
        assert_eq!(whole.summary().classes[0].target_gbps, sliced.summary().classes[0].target_gbps);
        assert_eq!(whole.digest(), sliced.digest());
    }

    #[test]
    fn classes_that_are_deadlocked_are_in_the_largest_deficit() {
        let scenario = scenario::from_value(qoscope_committed::document("pfc-deadlock")).unwrap();
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_until(simulation.duration_ps());
        for class in &simulation.summary().classes {
            let Some(target_gbps) = class.target_gbps else { continue };
            let quality = class.quality_factor.mean.unwrap();
            assert!(quality > 100.0 || class.carried_gbps > target_gbps / 100.0, "{class:?}");
        }
    }

    #[test]
    fn connections_that_start_together_start_a_little_apart_unless_told_not_to() {
        let starts = |jitter_us: Option<f64>| {
            let all = [("A", &[0, 1, 2, 3][..], &[4][..], backlogged())];
            let mut document = document(100, json!([{ "name": "A" }]), &all);
            document["workloads"][0]["startUs"] = json!(100);
            let mut scenario = scenario::from_value(document).unwrap();
            scenario.host.start_jitter_us = jitter_us;
            let simulation = Simulation::new(&scenario).unwrap();
            simulation.plan.applications.iter().map(|application| application.start_ps).collect::<Vec<u64>>()
        };
        assert_eq!(starts(Some(0.0)), [100_000_000; 4]);
        let apart: std::collections::BTreeSet<u64> = starts(None).into_iter().collect();
        // Ten packets of 1502 bytes at 10 Gb/s.
        assert!(apart.len() == 4 && apart.iter().all(|start| (100_000_000..=112_016_000).contains(start)), "{apart:?}");
    }
}
