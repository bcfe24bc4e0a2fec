//! Which connections and applications the workloads of a scenario come to.

use crate::access::AccessProtocol;
use crate::access::{Association, Lanes};
use crate::kernel::convert::index_u32;
use crate::kernel::ids::{ApplicationId, AssociationId, ClassId, FlowId, PairId};
use crate::kernel::time::from_us;
use crate::network::graph::Graph;
use crate::network::routes::MAX_PATH;
use crate::network::routing::{Choice, Router};
use crate::scenario::document::{Flows, Routing, Scenario, Traffic, Workload};
use crate::scenario::{Diagnostic, read_share, shortened};
use crate::simulation::planned::{
    PlannedApplication, PlannedFlow, class_of, link_rate_bps, start_jitter_ps, terms_number,
};

/// Numbers of random streams from here on belong to applications without connections.
const LOCAL_STREAMS: u64 = 1 << 32;

/// In which directions the data of a workload goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    /// Writes only.
    Forth,
    /// Reads only, each asked for by a command.
    Back,
    /// Reads only, without requests: data without end.
    BackWithoutCommands,
    /// Reads and writes.
    Both,
    /// Nowhere: the storage stands in the host itself.
    Nowhere,
}

/// Which connection of an association carries nothing but commands and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Forth,
    Back,
}

/// Adds workload after workload.
pub(super) struct Wiring<'a> {
    scenario: &'a Scenario,
    graph: &'a Graph,
    router: Router<'a>,
    /// Connections that carry data.
    pub(super) flows: Vec<PlannedFlow>,
    /// Connections that carry nothing but commands or answers, and whose.
    commands: Vec<(AssociationId, Way, PlannedFlow)>,
    /// By class: its connections that carry data.
    pub(super) flows_of_class: Vec<Vec<u32>>,
    /// By workload: how many associations it has.
    pub(super) associations_of_workload: Vec<u32>,
    /// The applications.
    pub(super) applications: Vec<PlannedApplication>,
    /// By workload.
    pub(super) applications_of_workload: Vec<u32>,
    /// The connections of the applications.
    pub(super) associations: Vec<Association>,
    /// By pair: its class, and its hosts in the direction of the data.
    pairs: Vec<(ClassId, (u32, u32))>,
    /// By host: queue pairs that lead to it.
    queue_pairs: Vec<u32>,
    /// Hosts without a path between them.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Wiring<'a> {
    /// Nothing yet.
    pub(super) fn new(scenario: &'a Scenario, graph: &'a Graph) -> Self {
        Self {
            scenario,
            graph,
            router: Router::new(graph),
            flows: Vec::new(),
            commands: Vec::new(),
            flows_of_class: vec![Vec::new(); scenario.classes.len()],
            associations_of_workload: Vec::new(),
            applications: Vec::new(),
            applications_of_workload: Vec::new(),
            associations: Vec::new(),
            pairs: Vec::new(),
            queue_pairs: vec![0; graph.hosts().len()],
            diagnostics: Vec::new(),
        }
    }

    /// Adds the next workload, between `pairs` of an initiator and a target, by host number.
    pub(super) fn add(&mut self, document: &Workload, pairs: &[(u32, u32)]) {
        let workload = self.associations_of_workload.len();
        let (before, applications) = (self.associations.len(), self.applications.len());
        let (each, associations) = match document.flows {
            Flows::Lasting => (document.connections, 1),
            Flows::PerRequest => (1, document.connections),
        };
        for &pair in pairs {
            for _ in 0..each {
                let position = self.applications.len() - applications;
                self.add_application((workload, document), position, pair, associations);
            }
        }
        self.associations_of_workload.push(index_u32(self.associations.len() - before));
        self.applications_of_workload.push(index_u32(self.applications.len() - applications));
    }

    /// Adds the application at a position of a workload, on so many associations between two hosts.
    fn add_application(
        &mut self,
        (workload, document): (usize, &Workload),
        position: usize,
        (initiator, target): (u32, u32),
        associations: u32,
    ) {
        let class = class_of(self.scenario, &document.class);
        let (stream, first) = (self.flows.len(), AssociationId::at(self.associations.len()));
        for _ in 0..associations {
            let Some(association) = self.associate(workload, document, class, (initiator, target)) else {
                self.diagnostics.push(Diagnostic::new(
                    format!("workloads[{workload}].endpoints"),
                    format!(
                        "host {} has no path to host {} of at most {MAX_PATH} links",
                        self.name(initiator),
                        self.name(target)
                    ),
                    "Join their parts of the graph, or pick hosts that are joined.",
                ));
                return;
            };
            self.associations.push(association);
        }
        let exact_ps = from_us(document.start_us + position as f64 * document.start_gap_us);
        let protocol = self.scenario.protocol_of(document);
        // What has connections starts a little later, so that their packets do not keep step.
        let (stream, jitter_ps) = match self.flows.get(stream) {
            Some(flow) => {
                let line_bps = link_rate_bps(self.scenario, self.graph, flow.data[0]);
                (stream as u64, start_jitter_ps(self.scenario, line_bps, stream as u64))
            }
            None => (LOCAL_STREAMS + self.applications.len() as u64, 0),
        };
        let kind = document.devices;
        self.applications.push(PlannedApplication {
            workload,
            host: if direction(protocol, document) == Direction::BackWithoutCommands { target } else { initiator },
            start_ps: exact_ps + jitter_ps,
            lanes: Lanes {
                class,
                first,
                count: associations,
                per_request: document.flows == Flows::PerRequest,
                kind,
                terms: terms_number(protocol),
            },
            stream,
            target,
        });
    }

    /// Name of a host, as it is said.
    fn name(&self, host: u32) -> String {
        shortened(&self.graph.nodes()[self.graph.hosts()[host as usize].index()].name)
    }

    /// Adds the connections of an association; none without a path.
    fn associate(
        &mut self,
        workload: usize,
        document: &Workload,
        class: ClassId,
        (initiator, target): (u32, u32),
    ) -> Option<Association> {
        let protocol = self.scenario.protocol_of(document);
        let (direction, read_fraction) = (direction(protocol, document), read_share(document));
        let application = ApplicationId::at(self.applications.len());
        let mut connect = |source, destination, number: usize, share| {
            let choice = path_choice(self.scenario, number);
            let mut path = |from, to| self.router.path(from, to, choice).filter(|path| path.len() <= MAX_PATH);
            let data = path(source, destination)?;
            let acknowledgements = path(destination, source)?;
            // It gets its pair with its number.
            let pair = PairId(0);
            let back = source == target;
            Some(PlannedFlow {
                pair,
                class,
                workload,
                source,
                destination,
                data,
                acknowledgements,
                application,
                share,
                back,
            })
        };
        let number = self.flows.len();
        let next = FlowId::at(number);
        let data = match direction {
            Direction::Forth => vec![connect(initiator, target, number, 1.0)?],
            Direction::Back | Direction::BackWithoutCommands => vec![connect(target, initiator, number, 1.0)?],
            Direction::Both => vec![
                connect(initiator, target, number, 1.0 - read_fraction)?,
                connect(target, initiator, number + 1, read_fraction)?,
            ],
            Direction::Nowhere => Vec::new(),
        };
        // Commands, or answers, get the numbers of their connections when all that carry data have theirs.
        let this = AssociationId::at(self.associations.len());
        let (forth, back) = match direction {
            Direction::Forth if protocol.has_target() => {
                self.commands.push((this, Way::Back, connect(target, initiator, number, 0.0)?));
                (Some(next), None)
            }
            Direction::Forth | Direction::BackWithoutCommands => (Some(next), None),
            Direction::Both => (Some(next), Some(FlowId::at(number + 1))),
            Direction::Back => {
                self.commands.push((this, Way::Forth, connect(initiator, target, number, 0.0)?));
                (None, Some(next))
            }
            Direction::Nowhere => (None, None),
        };
        let queue_pairs = &mut self.queue_pairs[target as usize];
        let queue_pair = *queue_pairs;
        *queue_pairs += 1;
        let target_node = self.graph.hosts()[target as usize];
        let association = Association { forth, back, target: target_node, queue_pair };
        // Connections of a pair follow each other, those of the two directions by turns.
        let recent = data.len();
        for flow in data {
            let pair = self.pair(class, (flow.source, flow.destination), recent);
            self.flows_of_class[class.index()].push(index_u32(self.flows.len()));
            self.flows.push(PlannedFlow { pair, ..flow });
        }
        Some(association)
    }

    /// The pair of connections of a class between two hosts: one of the `recent` latest, or a new one.
    fn pair(&mut self, class: ClassId, hosts: (u32, u32), recent: usize) -> PairId {
        let known = self.pairs.iter().enumerate().rev().take(recent).find(|&(_, pair)| *pair == (class, hosts));
        let found = known.map(|(number, _)| number);
        PairId::at(found.unwrap_or_else(|| {
            self.pairs.push((class, hosts));
            self.pairs.len() - 1
        }))
    }

    /// Numbers the connections that carry nothing but commands, after all others. Returns how many others there are.
    pub(super) fn number_commands(&mut self) -> usize {
        let data_flows = self.flows.len();
        for (association, way, flow) in std::mem::take(&mut self.commands) {
            let association = &mut self.associations[association.index()];
            match way {
                Way::Forth => association.forth = Some(FlowId::at(self.flows.len())),
                Way::Back => association.back = Some(FlowId::at(self.flows.len())),
            }
            let pair = self.pair(flow.class, (flow.source, flow.destination), 1);
            self.flows.push(PlannedFlow { pair, ..flow });
        }
        data_flows
    }
}

/// How a path of a connection is picked among equal ones.
pub(super) fn path_choice(scenario: &Scenario, connection: usize) -> Choice {
    match scenario.topology.routing {
        Routing::Ecmp => Choice::Hash { seed: scenario.seed, connection: connection as u64 },
        Routing::DModK => Choice::Modulo,
    }
}

/// In which directions the data of a workload goes.
fn direction(protocol: AccessProtocol, workload: &Workload) -> Direction {
    match (read_share(workload), &workload.traffic) {
        _ if !protocol.crosses_network() => Direction::Nowhere,
        (fraction, _) if fraction <= 0.0 => Direction::Forth,
        (_, Traffic::Backlogged {}) => Direction::BackWithoutCommands,
        (fraction, _) if fraction >= 1.0 => Direction::Back,
        _ => Direction::Both,
    }
}
