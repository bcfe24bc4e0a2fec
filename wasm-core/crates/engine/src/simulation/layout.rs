//! The layout of a run: everything that a screen needs once, since it does not change while the run goes on.

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::time::to_us;
use crate::scenario::document::TransportKind;
use crate::scenario::{self, Position, Shape};
use crate::simulation::device_samples::SampledDevice;
use crate::simulation::now::now_window_ps;
use crate::simulation::{Simulation, VERSION, devices, metrics};
use crate::storage::Device;

/// Names, columns, graph and paths of a run. See `docs/architecture.md`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunLayout")]
pub struct Layout {
    /// Version of the engine.
    pub version: &'static str,
    /// Hash of the scenario.
    pub hash: String,
    /// The classes.
    pub classes: Vec<ClassLayout>,
    /// Time between two samples.
    pub sample_period_us: f64,
    /// Round trip without queues.
    pub base_rtt_us: f64,
    /// By class: round trip without queues.
    pub class_rtt_us: Vec<f64>,
    /// A class has converged while Q stays this close to 1.
    pub convergence_band: f64,
    /// End of the warm-up, which is not measured.
    pub warmup_us: f64,
    /// End of the run.
    pub duration_us: f64,
    /// Time over which figures of the present are averaged.
    pub now_us: f64,
    /// Names of the columns of a row of samples: `timeUs`, `queueMaximum`, `goodputGbps.0`.
    pub sample_columns: Vec<String>,
    /// Names of the columns of a class's row of figures: `carriedGbps`, `p99Us`.
    pub figure_columns: Vec<&'static str>,
    /// Stages of a request, in the order in which it passes them.
    pub stages: Vec<&'static str>,
    /// Names of the columns of a device in its rows; those of its units follow.
    pub device_columns: Vec<&'static str>,
    /// The storage devices.
    pub devices: Vec<DeviceLayout>,
    /// Names of the columns of a row of the connections, `rateGbps.0`: the first of the graph's.
    pub flow_columns: Vec<String>,
    /// The network.
    pub graph: Graph,
}

/// A class of traffic.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassLayout {
    /// Its name.
    pub name: String,
    /// Its transport.
    pub transport: TransportKind,
}

/// A storage device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceLayout {
    /// The host that it is in, by node.
    pub node: u32,
    /// Its name there.
    pub name: String,
    /// What it is.
    pub kind: DeviceType,
    /// Its channels.
    pub channels: usize,
    /// What works on one command at a time: dies, chips, banks of a memory.
    pub units: usize,
    /// Its rows have a column for each unit.
    pub sampled_by_unit: bool,
}

/// What a storage device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DeviceType {
    /// Flash behind a controller.
    Ssd,
    /// Memory that keeps its contents.
    PersistentMemory,
    /// A server of constant capacity.
    ConstantCapacity,
}

/// A network and its traffic.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Graph {
    /// Hosts and switches.
    pub nodes: Vec<GraphNode>,
    /// Links; a cable is two of them.
    pub links: Vec<GraphLink>,
    /// Connections that carry data.
    pub flows: Vec<GraphFlow>,
    /// Number of the link that is watched.
    pub bottleneck: u32,
}

/// A host or a switch.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GraphNode {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: GraphNodeKind,
    /// 0 host, 1 edge or leaf, 2 aggregation or spine, 3 core.
    pub tier: u8,
    /// The pod of a fat-tree, the leaf of a leaf-spine, the side of a dumbbell; -1 at the top and in a custom graph.
    pub pod: i64,
    /// Its number among the nodes.
    pub index: usize,
    /// It is a storage server.
    pub storage: bool,
    /// Its position on a drawing, to the right; absent if the document does not place it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Downwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum GraphNodeKind {
    /// A host.
    Host,
    /// A switch.
    Switch,
}

/// One direction of a cable.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct GraphLink {
    /// The sending node.
    pub from: u32,
    /// The receiving node.
    pub to: u32,
    /// Its rate.
    pub gbps: f64,
}

/// Traffic of one class from one host to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GraphFlow {
    /// Number of its class.
    pub class: u32,
    /// The sending host, by node.
    pub source: u32,
    /// The receiving host, by node.
    pub destination: u32,
    /// The links that it takes, in order.
    pub path: Vec<u32>,
}

/// The layout of a run.
pub fn layout(simulation: &Simulation) -> Layout {
    let (settings, current) = (&simulation.settings, &simulation.current);
    let classes = 0..current.classes.len();
    let class_columns =
        classes.flat_map(|class| metrics::columns(&metrics::CLASS).map(move |column| format!("{column}.{class}")));
    let flows_sampled = 0..simulation.measurement.flows_sampled();
    let flow_columns = flows_sampled
        .flat_map(|flow| metrics::columns(&metrics::CONNECTION).map(move |column| format!("{column}.{flow}")));
    let class = |class: &scenario::Class| ClassLayout { name: class.name.clone(), transport: class.transport };
    Layout {
        version: VERSION,
        hash: scenario::hash(&simulation.scenario),
        classes: current.classes.iter().map(class).collect(),
        sample_period_us: to_us(simulation.measurement.period_ps()),
        base_rtt_us: to_us(settings.base_rtt_ps),
        class_rtt_us: settings.class_rtt_ps.iter().map(|&ps| to_us(ps)).collect(),
        convergence_band: simulation.scenario.measurement.convergence_band,
        warmup_us: to_us(simulation.measurement.warmup_ps()),
        duration_us: to_us(simulation.duration_ps),
        now_us: to_us(now_window_ps(simulation, settings)),
        sample_columns: metrics::columns(&metrics::NETWORK).map(String::from).chain(class_columns).collect(),
        figure_columns: metrics::columns(&metrics::FIGURES).collect(),
        stages: metrics::STAGE_ENTRIES.iter().map(|stage| stage.id).collect(),
        device_columns: metrics::columns(&metrics::DEVICE).collect(),
        devices: simulation
            .measurement
            .devices
            .devices
            .iter()
            .map(|device| device_layout(simulation, device))
            .collect(),
        flow_columns: flow_columns.collect(),
        graph: graph(simulation),
    }
}

fn graph(simulation: &Simulation) -> Graph {
    let (plan, settings) = (&simulation.plan, &simulation.settings);
    let positions: Vec<Option<Position>> = match &simulation.scenario.topology.shape {
        Shape::Custom { nodes, .. } => nodes.iter().map(|node| node.position).collect(),
        Shape::FatTree { .. } | Shape::LeafSpine { .. } | Shape::Dumbbell { .. } => Vec::new(),
    };
    let nodes = plan.graph.nodes().iter().enumerate().map(|(index, node)| {
        let host = plan.graph.hosts().iter().position(|host| host.index() == index);
        let position = positions.get(index).copied().flatten();
        GraphNode {
            name: node.name.clone(),
            kind: if host.is_some() { GraphNodeKind::Host } else { GraphNodeKind::Switch },
            tier: node.tier,
            pod: node.pod.map_or(-1, i64::from),
            index,
            storage: host.is_some_and(|host| plan.storage[host]),
            x: position.map(|position| position.x),
            y: position.map(|position| position.y),
        }
    });
    let links = plan.graph.wires().iter().zip(&settings.links);
    let links =
        links.map(|(wire, link)| GraphLink { from: wire.from.0, to: wire.to.0, gbps: link.rate_bps as f64 / 1e9 });
    let node = |host: u32| plan.graph.hosts()[host as usize].0;
    let flows = plan.flows[..plan.data_flows].iter().map(|flow| GraphFlow {
        class: flow.class.0,
        source: node(flow.source),
        destination: node(flow.destination),
        path: flow.data.iter().map(|link| link.0).collect(),
    });
    Graph { nodes: nodes.collect(), links: links.collect(), flows: flows.collect(), bottleneck: plan.bottleneck.0 }
}

fn device_layout(simulation: &Simulation, device: &SampledDevice) -> DeviceLayout {
    let SampledDevice { node, number, channels, units, by_unit } = *device;
    DeviceLayout {
        node: node.0,
        name: devices::name(&simulation.scenario, &simulation.plan, node, number),
        kind: match &simulation.storage.devices(node)[number] {
            Device::Ssd(_) => DeviceType::Ssd,
            Device::Memory(_) => DeviceType::PersistentMemory,
            Device::Constant(_) => DeviceType::ConstantCapacity,
        },
        channels,
        units,
        sampled_by_unit: by_unit,
    }
}
