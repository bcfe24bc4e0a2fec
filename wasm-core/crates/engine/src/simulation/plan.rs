//! From a scenario to what is built: the graph, the connections with their paths, and the settings of every link.

use std::collections::{BTreeMap, BTreeSet};

use crate::access::Association;
use crate::kernel::convert::{index_u32, saturated, saturated_u32, short, whole};
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId};
use crate::kernel::random::Stream;
use crate::kernel::time::{PS_PER_S, PS_PER_US, bps_from_gbps, from_us, to_us, transmission_ps};
use crate::network::graph::Graph;
use crate::network::link::{FLOW_CONTROL_BYTES, QueuePolicy};
use crate::network::memory::{MemoryPolicy, Threshold};
use crate::network::ports::{PortPolicy, reverse};
use crate::scenario::document::{
    self, AckPriority, Buffering, Cable, Endpoints, Host, Marking, MarkingPoint, Scenario, Switch, Traffic,
};
use crate::scenario::{Diagnostic, Hosts, closest, graph_of, offered_gbps, quoted, shortened, size_law, storage_hosts};
use crate::simulation::control;
use crate::simulation::planned::{PlannedApplication, PlannedFlow, link_rate_bps, max_start_jitter_ps};
use crate::simulation::wiring::Wiring;
use crate::transport::controller::WindowLimits;
use crate::transport::settings::{ClassSettings, StackParameters};
use crate::workload::replay::Replay;
use crate::workload::source::{Pattern, Think};

pub use crate::simulation::planned::class_of;

/// Round trip of a network that nobody uses, since all storage is local: what is measured once in some round trips has some.
const NO_CONNECTION_RTT_PS: u64 = 100 * PS_PER_US;
/// Times a round trip passes the boundary of a host.
const HOST_PASSAGES: u64 = 4;

/// What does not change in a run, however its parameters do.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The network.
    pub graph: Graph,
    /// By host number: drawn as a storage server.
    pub storage: Vec<bool>,
    /// The connections: first those that carry data, then those that carry nothing but commands.
    pub flows: Vec<PlannedFlow>,
    /// How many of them carry data.
    pub data_flows: usize,
    /// Connections of each class that carry data.
    pub flows_of_class: Vec<Vec<u32>>,
    /// Number of associations of each workload.
    pub associations_of_workload: Vec<u32>,
    /// The applications.
    pub applications: Vec<PlannedApplication>,
    /// Number of applications of each workload: one for each connection, or for each pair of hosts where every request is a
    /// flow of its own.
    pub applications_of_workload: Vec<u32>,
    /// The connections of the applications, by twos where requests need both directions.
    pub associations: Vec<Association>,
    /// By workload: bits a second of the trace that it replays, at time scale 1; infinite where that is not known.
    pub recorded_bps: Vec<f64>,
    /// The link most in demand: its port is the bottleneck of the summary.
    pub bottleneck: LinkId,
}

/// Settings of one link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkSettings {
    /// Bits per second.
    pub rate_bps: u64,
    /// Propagation, and processing at both ends.
    pub delay_ps: u64,
    /// Its cable is not down.
    pub up: bool,
    /// Marking and buffer.
    pub policy: QueuePolicy,
}

/// Settings of all links, and the delays that give classes a round trip of their own.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSettings {
    /// By link number.
    pub links: Vec<LinkSettings>,
    /// By connection: one-way delay added at the receiving host, to reach the round trip its class asks for.
    pub flow_delays_ps: Vec<u64>,
    /// Time a host spends on a packet, raised where the round trip asked for needs it.
    pub host_delay_ps: u64,
    /// Longest round trip without queues, over all connections.
    pub base_rtt_ps: u64,
    /// By class: longest round trip without queues, over its connections.
    pub class_rtt_ps: Vec<u64>,
    /// How ports treat packets that cannot be sent at once; none where every port is first-in-first-out with a buffer of
    /// its own.
    pub port_policy: Option<PortPolicy>,
}

impl Plan {
    /// Lays out a scenario that has passed validation.
    ///
    /// # Errors
    /// Hosts without a path between them.
    pub fn new(scenario: &Scenario) -> Result<Self, Vec<Diagnostic>> {
        let graph = graph_of(&scenario.topology.shape);
        let hosts = Hosts::of(&scenario.topology.shape);
        let storage = storage_hosts(scenario, &hosts);
        let mut wiring = Wiring::new(scenario, &graph);
        for (w, workload) in scenario.workloads.iter().enumerate() {
            wiring.add(workload, &pairs(&workload.endpoints, &hosts, scenario.seed, w as u64));
        }
        let data_flows = wiring.number_commands();
        let Wiring { flows, flows_of_class, associations_of_workload, applications, .. } = wiring;
        let Wiring { applications_of_workload, associations, diagnostics, .. } = wiring;
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let mut plan = Self {
            graph,
            storage,
            flows,
            data_flows,
            flows_of_class,
            associations_of_workload,
            applications,
            applications_of_workload,
            associations,
            recorded_bps: vec![f64::INFINITY; scenario.workloads.len()],
            bottleneck: LinkId(0),
        };
        plan.bottleneck = plan.most_demanded(scenario, |_| true).unwrap_or(LinkId(0));
        Ok(plan)
    }

    /// Whether the requests of the application of a connection begin as new flows.
    pub fn is_per_request(&self, flow: FlowId) -> bool {
        self.applications[self.flows[flow.index()].application.index()].lanes.per_request
    }

    /// The sending host of a connection.
    pub fn source_node(&self, flow: FlowId) -> NodeId {
        self.graph.hosts()[self.flows[flow.index()].source as usize]
    }

    /// What a class asks of its connections.
    pub fn class_settings(&self, scenario: &Scenario, class: ClassId, settings: &NetworkSettings) -> ClassSettings {
        let line_bps = self.line_bps(class, &settings.links);
        let rtt_ps = settings.class_rtt_ps[class.index()];
        control::class_settings(scenario, class, line_bps, rtt_ps)
    }

    /// Rate at which the hosts of a class send, in bits per second: that of the slowest of their ports.
    pub fn line_bps(&self, class: ClassId, links: &[LinkSettings]) -> f64 {
        let flows = self.flows_of_class[class.index()].iter().map(|&flow| &self.flows[flow as usize]);
        let rates = flows.map(|flow| links[flow.data[0].index()].rate_bps);
        rates.min().unwrap_or_else(|| links.iter().map(|link| link.rate_bps).max().unwrap_or(1)) as f64
    }

    /// The port of a switch that data of some classes ask most of, relative to its rate: where their packets are marked first.
    pub fn most_demanded_port(&self, scenario: &Scenario, of: impl Fn(ClassId) -> bool) -> Option<LinkId> {
        let flows = self.flows[..self.data_flows].iter().filter(|flow| of(flow.class));
        let crossed: BTreeSet<LinkId> = flows.flat_map(|flow| flow.data.iter().copied()).collect();
        let is_port = |link: LinkId| !self.graph.is_host(self.graph.wires()[link.index()].from);
        self.most_demanded(scenario, |link| is_port(link) && crossed.contains(&link))
    }

    /// Of the candidates the link whose demand is the largest multiple of its rate; among equals the one met first on the way.
    fn most_demanded(&self, scenario: &Scenario, is_candidate: impl Fn(LinkId) -> bool) -> Option<LinkId> {
        let rate = |link: LinkId| link_rate_bps(scenario, &self.graph, link) as f64;
        let mut senders = vec![0u32; self.graph.wires().len()];
        let flows = &self.flows[..self.data_flows];
        for flow in flows {
            senders[flow.data[0].index()] += 1;
        }
        let mut demand = vec![0.0; self.graph.wires().len()];
        let mut position = vec![usize::MAX; self.graph.wires().len()];
        for flow in flows {
            let port = flow.data[0];
            let wanted = match &scenario.workloads[flow.workload].traffic {
                traffic @ (Traffic::OpenLoop { .. } | Traffic::StandIn { .. }) => {
                    let offered_gbps = offered_gbps(traffic).unwrap_or_default();
                    flow.share * offered_gbps * 1e9 / f64::from(self.associations_of_workload[flow.workload])
                }
                Traffic::Backlogged {} | Traffic::ClosedLoop { .. } | Traffic::Trace { .. } => {
                    rate(port) / f64::from(senders[port.index()])
                }
            };
            for (hop, link) in flow.data.iter().enumerate() {
                demand[link.index()] += wanted;
                position[link.index()] = position[link.index()].min(hop);
            }
        }
        let links = (0..demand.len()).map(LinkId::at).filter(|&link| is_candidate(link));
        let load = |link: LinkId| demand[link.index()] / rate(link);
        links.reduce(|best, link| {
            let nearly_equal = (load(link) - load(best)).abs() <= 1e-9 * load(best);
            let better =
                if nearly_equal { position[link.index()] < position[best.index()] } else { load(link) > load(best) };
            if better { link } else { best }
        })
    }

    /// The settings that the parameters of a scenario give to every link.
    ///
    /// # Errors
    /// A round trip is asked for that is shorter than the network allows, or a cable is down that does not exist.
    pub fn settings(&self, scenario: &Scenario) -> Result<NetworkSettings, Vec<Diagnostic>> {
        let topology = &scenario.topology;
        let (host_ps, switch_ps) = (from_us(topology.host_delay_us), from_us(topology.switch_delay_us));
        let mut diagnostics = Vec::new();
        let down = self.links_down(&topology.failed_links, &mut diagnostics);
        let mut links: Vec<LinkSettings> = (0..self.graph.wires().len())
            .map(|link| {
                let wire = &self.graph.wires()[link];
                let sending_host = self.graph.is_host(wire.from);
                let receiving_ps = if self.graph.is_host(wire.to) { host_ps } else { switch_ps };
                let rate_bps = link_rate_bps(scenario, &self.graph, LinkId::at(link));
                let propagation_ps = wire.delay_ps.unwrap_or_else(|| from_us(topology.link_delay_us));
                let up = !down.contains(&LinkId::at(link));
                LinkSettings {
                    rate_bps,
                    delay_ps: propagation_ps + receiving_ps + if sending_host { host_ps } else { 0 },
                    up,
                    policy: match sending_host {
                        _ if !up => QueuePolicy::CLOSED,
                        true => QueuePolicy::UNBOUNDED,
                        false => policy(&scenario.switch, rate_bps),
                    },
                }
            })
            .collect();
        let longest = |links: &[LinkSettings], flows: &mut dyn Iterator<Item = &PlannedFlow>| {
            flows.map(|flow| unloaded_rtt_ps(scenario, flow, links)).max().unwrap_or(0)
        };
        let mut base_rtt_ps = match self.flows.is_empty() {
            true => NO_CONNECTION_RTT_PS,
            false => longest(&links, &mut self.flows.iter()),
        };
        let mut host_delay_ps = host_ps;
        if let Some(wanted_us) = topology.base_rtt_us {
            let wanted_ps = from_us(wanted_us);
            if wanted_ps < base_rtt_ps {
                diagnostics.push(too_short("topology.baseRttUs".into(), wanted_us, base_rtt_ps, "the network"));
            }
            let extra_ps = wanted_ps.saturating_sub(base_rtt_ps) / HOST_PASSAGES;
            for (link, wire) in links.iter_mut().zip(self.graph.wires()) {
                let passages = u64::from(self.graph.is_host(wire.from)) + u64::from(self.graph.is_host(wire.to));
                link.delay_ps += passages * extra_ps;
            }
            host_delay_ps += extra_ps;
            base_rtt_ps = base_rtt_ps.max(wanted_ps);
        }
        let mut class_rtt_ps = Vec::new();
        for (c, class) in scenario.classes.iter().enumerate() {
            let mut members = self.flows_of_class[c].iter().map(|&flow| &self.flows[flow as usize]);
            let own_ps = longest(&links, &mut members);
            let wanted_ps = class.base_rtt_us.map(from_us);
            if wanted_ps.is_some_and(|wanted_ps| wanted_ps < own_ps) {
                let path = format!("classes[{c}].baseRttUs");
                diagnostics.push(too_short(
                    path,
                    class.base_rtt_us.unwrap_or_default(),
                    own_ps,
                    "the network on its paths",
                ));
            }
            // A class without connections has that of the network.
            let own_ps = if self.flows_of_class[c].is_empty() { base_rtt_ps } else { own_ps };
            class_rtt_ps.push(wanted_ps.unwrap_or(own_ps).max(1));
        }
        let flow_delays_ps = self.flows.iter().map(|flow| match scenario.classes[flow.class.index()].base_rtt_us {
            Some(_) => class_rtt_ps[flow.class.index()].saturating_sub(unloaded_rtt_ps(scenario, flow, &links)) / 2,
            None => 0,
        });
        let flow_delays_ps = flow_delays_ps.collect();
        let port_policy = self.port_policy(scenario, &links).unwrap_or_else(|diagnostic| {
            diagnostics.push(diagnostic);
            None
        });
        if diagnostics.is_empty() {
            Ok(NetworkSettings { links, flow_delays_ps, host_delay_ps, base_rtt_ps, class_rtt_ps, port_policy })
        } else {
            Err(diagnostics)
        }
    }

    /// The links of the cables that are down, both directions of each.
    fn links_down(&self, cables: &[Cable], diagnostics: &mut Vec<Diagnostic>) -> BTreeSet<LinkId> {
        let mut down = BTreeSet::new();
        if cables.is_empty() {
            return down;
        }
        let nodes = self.graph.nodes().iter().enumerate();
        let nodes: BTreeMap<&str, NodeId> = nodes.map(|(id, node)| (node.name.as_str(), NodeId::at(id))).collect();
        for (index, cable) in cables.iter().enumerate() {
            let path = format!("topology.failedLinks[{index}]");
            let [from, to] = [&cable.from, &cable.to].map(|name| nodes.get(name.as_str()).copied());
            let [Some(from), Some(to)] = [from, to] else {
                let name = if from.is_none() { &cable.from } else { &cable.to };
                let hint = match closest(name, nodes.keys().copied()) {
                    Some(meant) => format!("Did you mean `{meant}`?"),
                    None => "Name two nodes of the network that a cable joins.".into(),
                };
                let reason = format!("names {}, which is no node of the network", quoted(name));
                diagnostics.push(Diagnostic::new(path, reason, hint));
                continue;
            };
            let between = self.graph.leaving(from).iter().filter(|link| self.graph.wires()[link.index()].to == to);
            let before = down.len();
            down.extend(between.flat_map(|link| [*link, LinkId(u32::from(reverse(short(link.0))))]));
            if down.len() == before {
                let joined = self.graph.leaving(from).iter().any(|link| self.graph.wires()[link.index()].to == to);
                let [from, to] = [&cable.from, &cable.to].map(|name| quoted(name));
                diagnostics.push(match joined {
                    true => Diagnostic::new(path, format!("is {from} to {to} again"), "List every cable once."),
                    false => {
                        let hint = "Name two nodes that a cable joins.";
                        Diagnostic::new(path, format!("is {from} to {to}, which no cable joins"), hint)
                    }
                });
            }
        }
        down
    }

    /// Headroom of the port of a switch that needs most, for each priority.
    pub fn max_headroom_bytes(&self, scenario: &Scenario, settings: &NetworkSettings) -> u64 {
        scenario.switch.headroom_bytes.unwrap_or_else(|| self.needed_headroom_bytes(scenario, settings))
    }

    /// Headroom that the port of a switch which needs most requires, for each priority, whatever the scenario says.
    pub fn needed_headroom_bytes(&self, scenario: &Scenario, settings: &NetworkSettings) -> u64 {
        let into_switch = |link: &usize| !self.graph.is_host(self.graph.wires()[*link].to);
        let links = (0..settings.links.len()).filter(into_switch);
        links.map(|link| needed_headroom_bytes(scenario, &settings.links, link)).max().unwrap_or(0)
    }

    /// Longest delay of the start of a connection behind what its workload says.
    pub fn max_start_jitter_ps(&self, scenario: &Scenario) -> u64 {
        let lines = self.flows.iter().map(|flow| link_rate_bps(scenario, &self.graph, flow.data[0]));
        let slowest_bps = lines.min().unwrap_or_else(|| bps_from_gbps(scenario.topology.link_gbps));
        max_start_jitter_ps(scenario, slowest_bps)
    }

    /// Whether the links of all hosts that send have the same rate.
    pub fn has_one_line_rate(&self, scenario: &Scenario) -> bool {
        let mut lines = self.flows.iter().map(|flow| link_rate_bps(scenario, &self.graph, flow.data[0]));
        lines.next().is_none_or(|first| lines.all(|other| other == first))
    }

    /// Whether all connections of a class have the base RTT of the class.
    pub fn has_one_base_rtt(&self, class: ClassId, scenario: &Scenario, settings: &NetworkSettings) -> bool {
        let mut flows = self.flows_of_class[class.index()].iter().map(|&flow| &self.flows[flow as usize]);
        flows.all(|flow| unloaded_rtt_ps(scenario, flow, &settings.links) == settings.class_rtt_ps[class.index()])
    }

    /// Rules of the ports, if a first-in-first-out queue with a buffer of its own does not serve.
    fn port_policy(&self, scenario: &Scenario, links: &[LinkSettings]) -> Result<Option<PortPolicy>, Diagnostic> {
        let switch = &scenario.switch;
        let ordinary = scenario.classes.iter().all(|class| scenario.priority_of(class) == 0);
        let on_arrival = switch.marking_point == MarkingPoint::Arrival || switch.marking == Marking::Off;
        if ordinary && switch.buffering == Buffering::PerPort && on_arrival {
            return Ok(None);
        }
        let wires = self.graph.wires();
        let headroom_bytes: Vec<u64> = (0..wires.len()).map(|link| headroom_bytes(scenario, links, link)).collect();
        let priorities: BTreeSet<u8> = scenario.classes.iter().map(|class| scenario.priority_of(class)).collect();
        let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
        let mut memories = vec![None; self.graph.nodes().len()];
        for (node, memory) in memories.iter_mut().enumerate() {
            let node = NodeId::at(node);
            if switch.buffering == Buffering::PerPort || self.graph.is_host(node) {
                continue;
            }
            let incoming = (0..wires.len()).filter(|&link| wires[link].to == node);
            let (mut ports, mut headroom) = (0, 0);
            for link in incoming {
                ports += 1;
                headroom += headroom_bytes[link];
            }
            let pairs = priorities.len() as u64;
            let urgent_bytes = ports * u64::from(switch.urgent_reserve_packets) * full_bytes;
            let headroom = if switch.buffering == Buffering::Pfc { headroom * pairs } else { 0 };
            let kept = ports * pairs * switch.guaranteed_bytes + headroom + urgent_bytes;
            if kept + full_bytes > switch.shared_buffer_bytes {
                let name = shortened(&self.graph.nodes()[node.index()].name);
                let reason = format!(
                    "is {} bytes, but switch {name} keeps {kept} for its {ports} ports: {headroom} as headroom, {urgent_bytes} \
                     for urgent packets, the rest guaranteed",
                    switch.shared_buffer_bytes
                );
                let hint = format!("Give more than {} bytes, or keep less.", kept + full_bytes);
                return Err(Diagnostic::new("switch.sharedBufferBytes", reason, hint));
            }
            *memory = Some(MemoryPolicy {
                shared_bytes: switch.shared_buffer_bytes - kept,
                urgent_bytes,
                guaranteed_bytes: switch.guaranteed_bytes,
                threshold: match switch.threshold {
                    document::Threshold::Dynamic => Threshold::dynamic(switch.threshold_alpha),
                    document::Threshold::Static => Threshold::Static(switch.xoff_bytes),
                },
                xon_offset_bytes: switch.xon_offset_bytes,
                pauses: switch.buffering == Buffering::Pfc,
            });
        }
        Ok(Some(PortPolicy {
            memories,
            headroom_bytes,
            mark_on_departure: !on_arrival,
            drained_packets: scenario.host.queue_packets / 2,
            acks_overtake: acks_overtake(scenario),
        }))
    }
}

/// Headroom for each priority at the far end of a link: what the scenario says, or what is needed there.
fn headroom_bytes(scenario: &Scenario, links: &[LinkSettings], link: usize) -> u64 {
    scenario.switch.headroom_bytes.unwrap_or_else(|| needed_headroom_bytes(scenario, links, link))
}

/// What may still arrive for each priority at the far end of a link after it has decided to pause the sender. The pause waits for a full packet on
/// its way back, travels, the sender finishes the packet it has begun, and what is on the wire arrives (IEEE 802.1Qbb
/// annex O). The packet that brought the decision counts as well.
fn needed_headroom_bytes(scenario: &Scenario, links: &[LinkSettings], link: usize) -> u64 {
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let (forth, back) = (&links[link], &links[usize::from(reverse(short(index_u32(link))))]);
    let answer_ps = transmission_ps(full_bytes + u64::from(FLOW_CONTROL_BYTES), back.rate_bps);
    let under_way_ps = answer_ps + back.delay_ps + forth.delay_ps;
    let under_way_bytes = (u128::from(under_way_ps) * u128::from(forth.rate_bps)).div_ceil(u128::from(8 * PS_PER_S));
    saturated(under_way_bytes).saturating_add(2 * full_bytes)
}

fn too_short(path: String, wanted_us: f64, min_ps: u64, what: &str) -> Diagnostic {
    let min_us = to_us(min_ps);
    Diagnostic::new(
        path,
        format!("is {wanted_us} us, but {what} alone takes {min_us:.3} us there and back"),
        format!("Ask for {min_us:.3} us or more, or shorten the delays of links, switches and hosts."),
    )
}

/// The number of a host whose name validation has found.
fn known(hosts: &Hosts<'_>, name: &str) -> u32 {
    hosts.number(name).expect("validation has found every host that is named")
}

/// Initiator and target of every pair of hosts, by host number.
fn pairs(endpoints: &Endpoints, hosts: &Hosts<'_>, seed: u64, workload: u64) -> Vec<(u32, u32)> {
    match endpoints {
        Endpoints::Pairs { initiators, targets } => {
            let numbers = |names: &[String]| names.iter().map(|name| known(hosts, name)).collect::<Vec<u32>>();
            let (initiators, targets) = (numbers(initiators), numbers(targets));
            let nth = |list: &[u32], n: usize| if list.len() == 1 { list[0] } else { list[n] };
            (0..initiators.len().max(targets.len())).map(|n| (nth(&initiators, n), nth(&targets, n))).collect()
        }
        Endpoints::Permutation {} => {
            let mut order: Vec<u32> = (0..hosts.count()).collect();
            Stream::new(seed, "permutation", workload).shuffle(&mut order);
            // Neighbours in a random order, as one cycle: nobody sends to itself.
            let mut pairs: Vec<(u32, u32)> =
                (0..order.len()).map(|n| (order[n], order[(n + 1) % order.len()])).collect();
            pairs.sort_unstable();
            pairs
        }
        Endpoints::Incast { target, initiators } => {
            let target = known(hosts, target);
            let mut others: Vec<u32> = (0..hosts.count()).filter(|&host| host != target).collect();
            Stream::new(seed, "incast", workload).shuffle(&mut others);
            others.truncate(*initiators as usize);
            others.sort_unstable();
            others.into_iter().map(|initiator| (initiator, target)).collect()
        }
        Endpoints::Random { pairs } => {
            let mut stream = Stream::new(seed, "pairs", workload);
            let mut pair = || {
                let initiator = saturated_u32(stream.integer(0, u64::from(hosts.count()) - 1));
                let other = saturated_u32(stream.integer(0, u64::from(hosts.count()) - 2));
                (initiator, other + u32::from(other >= initiator))
            };
            (0..*pairs).map(|_| pair()).collect()
        }
    }
}

fn policy(switch: &Switch, rate_bps: u64) -> QueuePolicy {
    let k = switch.ecn_threshold_packets;
    let (mark_from, mark_always_at) = match switch.marking {
        Marking::Step => (k, k),
        Marking::Red => (k, switch.red_maximum_packets),
        Marking::Off => (u32::MAX, u32::MAX),
    };
    QueuePolicy {
        mark_from,
        mark_always_at,
        mark_probability: saturated_u32(whole(switch.red_maximum_probability * f64::from(u32::MAX))),
        buffer_packets: switch.buffer_packets,
        urgent_packets: switch.urgent_reserve_packets,
        buffer_ps: switch.buffer_bytes.map_or(u64::MAX, |bytes| transmission_ps(bytes, rate_bps)),
    }
}

/// Whether acknowledgements overtake data that waits in the port of the host that sends them.
pub fn acks_overtake(scenario: &Scenario) -> bool {
    scenario.host.ack_priority == AckPriority::BeforeData
}

/// Bytes every packet has beside its payload.
pub fn overhead_bytes(scenario: &Scenario) -> u32 {
    scenario.host.header_bytes + scenario.topology.frame_overhead_bytes
}

/// A full data packet out, its acknowledgement back, all queues empty.
fn unloaded_rtt_ps(scenario: &Scenario, flow: &PlannedFlow, links: &[LinkSettings]) -> u64 {
    let full_bytes = u64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    let ack_bytes = u64::from(overhead_bytes(scenario));
    let along = |path: &[LinkId], bytes: u64| -> u64 {
        let links = path.iter().map(|link| &links[link.index()]);
        links.map(|link| link.delay_ps + transmission_ps(bytes, link.rate_bps)).sum()
    };
    along(&flow.data, full_bytes) + along(&flow.acknowledgements, ack_bytes)
}

/// Data that the port of a host may hold, as time to send it.
pub fn port_bound_ps(scenario: &Scenario, settings: &LinkSettings) -> u64 {
    let full_bytes = scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes;
    transmission_ps(u64::from(full_bytes) * u64::from(scenario.host.queue_packets), settings.rate_bps)
}

/// Payload per second that the bottleneck can carry: its rate less headers, unless the scenario says otherwise.
pub fn capacity_bps(scenario: &Scenario, bottleneck: &LinkSettings) -> f64 {
    scenario.qos.capacity_gbps.map_or_else(|| payload_bps(scenario, bottleneck), |gbps| gbps * 1e9)
}

/// Payload per second that a link can carry: its rate less headers.
pub fn payload_bps(scenario: &Scenario, link: &LinkSettings) -> f64 {
    let payload = f64::from(segment_bytes(&scenario.host));
    let full = f64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
    link.rate_bps as f64 * payload / full
}

/// Largest payload of a packet.
pub fn segment_bytes(host: &Host) -> u32 {
    host.mtu_bytes - host.header_bytes
}

/// The parameters of the hosts' stacks.
pub fn stack(host: &Host) -> StackParameters {
    StackParameters {
        segment_bytes: segment_bytes(host),
        window: WindowLimits {
            initial: host.initial_window_packets,
            min: host.minimum_window_packets,
            max: host.maximum_window_packets,
        },
        min_rto_ps: from_us(host.minimum_rto_us),
        delayed_ack_packets: host.delayed_ack_packets,
        delayed_ack_ps: from_us(host.delayed_ack_timeout_us),
    }
}

/// How requests of an application of a workload come about: number `number` of `sources` that share the load.
pub fn pattern(traffic: &Traffic, number: u32, sources: u32) -> Pattern {
    match traffic {
        Traffic::OpenLoop { gaps, requests, .. } => {
            let sources_u64 = u64::from(sources);
            let share = |requests: u64| requests / sources_u64 + u64::from(u64::from(number) < requests % sources_u64);
            let left = requests.map_or(u64::MAX, share);
            Pattern::Open { gaps: *gaps, mean_gap_ps: mean_gap_ps(traffic, sources), left }
        }
        Traffic::Backlogged {} => Pattern::Backlogged,
        // Its requests are given to it when it has been read or drawn.
        Traffic::Trace { .. } | Traffic::StandIn { .. } => Pattern::Replay(Replay::default()),
        Traffic::ClosedLoop { outstanding, requests, .. } => {
            let left = requests.unwrap_or(u64::MAX);
            let think = think_time(traffic);
            Pattern::Closed { outstanding: saturated_u32(u64::from(*outstanding).min(left)), left, think }
        }
    }
}

/// Mean gap between requests of one of the applications of an open-loop workload; infinite for other workloads.
pub fn mean_gap_ps(traffic: &Traffic, sources: u32) -> f64 {
    let Traffic::OpenLoop { offered_gbps, .. } = traffic else { return f64::INFINITY };
    size_law(traffic).mean_bytes() * 8000.0 / (offered_gbps / f64::from(sources))
}

/// Pause of a closed-loop workload between the acknowledgement of a request and the next one; none for other workloads.
pub fn think_time(traffic: &Traffic) -> Think {
    let Traffic::ClosedLoop { think_time_us, think_time_distribution, .. } = traffic else { return Think::default() };
    Think { law: *think_time_distribution, mean_ps: from_us(*think_time_us) as f64 }
}
