//! Values in force that the document does not say as such: what is left empty, and what the simulation limits or raises.
//!
//! Each comes from the function that the simulation takes it from: what is explained is what is used.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{choice, field, number, title};
use crate::access::AccessProtocol;
use crate::kernel::ids::{ClassId, NodeId};
use crate::kernel::time::to_us;
use crate::scenario::document::{Basis, Scenario, Shape, Ssd, Traffic, TransportKind, ValueInForce};
use crate::scenario::whole_numbers;
use crate::simulation::devices;
use crate::simulation::measurement;
use crate::simulation::plan::{self, NetworkSettings, Plan};

/// A value in force, and where it comes from where the document does not say it: the end of the sentence "It is ...".
#[derive(Debug)]
pub(super) struct InForce {
    pub(super) value: Value,
    pub(super) from: String,
    /// There are several, and this is one of them.
    pub(super) varies: bool,
}

/// Values in force by path.
pub(super) type Values = BTreeMap<String, InForce>;

/// All of a scenario that has been laid out.
pub(super) fn values(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings) -> Values {
    let mut found = Found(Values::new());
    topology(scenario, plan, settings, &mut found);
    found.put(
        "switch.bufferBytes",
        scenario.switch.buffer_bytes.map(Value::from),
        "none, so that only packets are counted",
    );
    let headroom_bytes = plan.max_headroom_bytes(scenario, settings);
    let from =
        "what the rate and delay of the cable and one full packet at either end require, at the port that needs most";
    found.put("switch.headroomBytes", Value::from(headroom_bytes), from);
    // Every cable has its own.
    found.varies("switch.headroomBytes", false);
    let jitter_ps = plan.max_start_jitter_ps(scenario);
    found.put_us("host.startJitterUs", jitter_ps, "the time of ten full packets on the slowest link of a sender");
    found.varies("host.startJitterUs", plan.has_one_line_rate(scenario));
    let bottleneck = &settings.links[plan.bottleneck.index()];
    let capacity_bps = plan::capacity_bps(scenario, bottleneck);
    found.put("qos.capacityGbps", number(capacity_bps / 1e9), "the rate of the bottleneck link less headers");
    // What acknowledgements take is left out of a capacity that is not stated, and changes with the traffic.
    found.varies("qos.capacityGbps", false);
    for index in 0..scenario.classes.len() {
        class(scenario, ClassId::at(index), plan, settings, &mut found);
    }
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let path = format!("workloads[{index}]");
        let stop_us = workload.stop_us.unwrap_or(scenario.duration_us);
        match workload.start_us < stop_us {
            true => found.put(format!("{path}.stopUs"), number(stop_us), "the end of the run"),
            false => {
                found.put(format!("{path}.stopUs"), Value::Null, "none, since it would start after the end of the run")
            }
        }
        if let Traffic::Trace { volume, .. } = &workload.traffic {
            found.put(
                format!("{path}.traffic.volume"),
                volume.clone().map(Value::from),
                "none, so that all are replayed",
            );
        }
        if let Traffic::OpenLoop { requests, .. }
        | Traffic::ClosedLoop { requests, .. }
        | Traffic::Trace { requests, .. }
        | Traffic::StandIn { requests, .. } = &workload.traffic
        {
            found.put(
                format!("{path}.traffic.requests"),
                requests.map(Value::from),
                "none, so that it does not end by itself",
            );
        }
    }
    storage(scenario, plan, &mut found);
    found.put_us("measurement.warmupUs", measurement::warmup_ps(scenario), "a fifth of the run");
    let period_ps = measurement::period_ps(scenario, settings);
    let from = "two round trips with the queue at K, within a hundred and twenty to a thousand samples of the run";
    found.put_us("measurement.samplePeriodUs", period_ps, from);
    found.0
}

/// Values of devices and of what leads to them.
fn storage(scenario: &Scenario, plan: &Plan, found: &mut Found) {
    for (index, (class, level)) in scenario.classes.iter().zip(devices::levels(scenario)).enumerate() {
        let from = if scenario.priority_of(class) > 0 {
            "that of its packets, which are urgent"
        } else {
            "the rank of its ratio"
        };
        found.put(format!("classes[{index}].nvmePriority"), level.id(), from);
    }
    let server = scenario.storage.servers.first().map_or("", |server| &server.host);
    let from = "one for each device of constant capacity and 32 for each other one of the first server";
    found.put("storage.tenants.inService", devices::in_service(scenario, server), from);
    let capacity = |node: &NodeId| devices::ladder_capacity(scenario, &plan.graph.nodes()[node.index()].name);
    let capacities: Vec<f64> = devices::targets(scenario, plan).iter().map(capacity).collect();
    let path = "storage.tenants.ladder.capacityIops";
    match capacities.first() {
        Some(&first) => {
            let from = "the constant capacity of its devices, else what contracts need, else 100 000 for each device";
            found.put(path, number(first), from);
            found.varies(path, capacities.iter().all(|&other| other == first));
        }
        None => found.put(path, Value::Null, "none, since requests go to no device"),
    }
    let protocols = scenario.workloads.iter().map(|workload| scenario.protocol_of(workload));
    let protocols: Vec<AccessProtocol> = protocols.filter(|protocol| protocol.has_target()).collect();
    let protocol = match protocols.first() {
        Some(first) if !protocols.contains(&scenario.access.protocol) => *first,
        _ => scenario.access.protocol,
    };
    let times_of = |protocol| devices::software_times(&scenario.access.software, protocol);
    let times = times_of(protocol);
    let alike = protocols.iter().all(|&other| times_of(other) == times);
    let from = "what is published of the protocol in use";
    let mut put = |name: &str, us: f64| {
        let path = format!("access.software.{name}");
        found.put(path.as_str(), number(us), from);
        found.varies(&path, alike);
    };
    put("hostLatencyUs", times.host_latency_us);
    put("targetLatencyUs", times.target_latency_us);
    put("commandWorkUs", times.command_work_us);
    put("kibWorkUs", times.kib_work_us);
    put("serialUs", times.serial_us);
    found.put("access.software.cores", devices::cores(scenario), "a server of today");
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let path = |name: &str| format!("workloads[{index}].{name}");
        let protocol = field_value(&scenario.access.protocol);
        found.put(path("protocol"), workload.protocol.as_ref().map_or(protocol, field_value), "that of the scenario");
        let own = workload.addresses.alignment_bytes;
        let alignment = own.unwrap_or_else(|| devices::alignment_bytes(workload.devices));
        found.put(path("addresses.alignmentBytes"), alignment, "the usual one of such devices");
        let range = plan.applications.iter().find(|application| application.workload == index);
        let range = range.and_then(|application| devices::address_range(scenario, plan, application));
        match range {
            Some(range) => found.put(path("addresses.lengthBytes"), range.length, "all of the storage of the target"),
            None => found.put(path("addresses.lengthBytes"), Value::Null, "none, since its requests go to no device"),
        }
    }
    ssd(scenario, found);
    let memory = scenario.storage.memory.parameters();
    let from = "that of a module of Intel Optane DC";
    let mut put = |name: &str, value: Value| found.put(format!("storage.memory.{name}"), value, from);
    let us = |ps: u64| number(to_us(ps));
    put("capacityBytes", memory.capacity_bytes.into());
    put("readUs", us(memory.read_base_ps));
    put("writeUs", us(memory.write_base_ps));
    put("granuleBytes", memory.granule_bytes.into());
    put("granuleReadUs", us(memory.read_granule_ps));
    put("granuleWriteUs", us(memory.write_granule_ps));
    put("banks", memory.banks.into());
    put("readGbytesPerS", number(memory.read_bytes_per_s as f64 / 1e9));
    put("writeGbytesPerS", number(memory.write_bytes_per_s as f64 / 1e9));
    put("spreadUs", us(memory.spread_ps));
}

/// Values of the SSDs: what the document says, else the preset, which knows of drives by data sheets what each number rests on.
fn ssd(scenario: &Scenario, found: &mut Found) {
    let numbers = scenario.storage.ssd.preset.numbers();
    let parameters = devices::ssd(scenario);
    let spare = parameters.spare_share();
    let described = field_value(&Ssd::described(&parameters));
    let told = field("storage.ssd").fields.iter().filter(|field| field.name != "preset" && !field.annotation);
    for name in told.map(|field| field.name.as_str()) {
        let value = described.get(name).cloned().unwrap_or_default();
        if name == "overProvisioning" && spare > parameters.over_provisioning {
            let from = "what garbage collection must have free of so few blocks";
            found.put("storage.ssd.overProvisioning", number(spare), from);
            continue;
        }
        let from = match name {
            "highPages" | "mediumPages" | "lowPages" => "the weight of NVMe arbitration",
            "mappingCacheBytes" if value.is_null() => "none, so that all of the table is in DRAM",
            _ => numbers
                .iter()
                .find(|number| number.setting.fields().contains(&name))
                .map_or("that of the preset", |number| number.basis.phrase()),
        };
        found.put(format!("storage.ssd.{name}"), value, from);
    }
}

/// A choice, as the document writes it.
fn field_value(choice: &impl serde::Serialize) -> Value {
    serde_json::to_value(choice).unwrap_or_default()
}

/// Collects values.
struct Found(Values);

impl Found {
    fn put(&mut self, path: impl Into<String>, value: impl Into<Value>, from: impl Into<String>) {
        self.0.insert(path.into(), InForce { value: value.into(), from: from.into(), varies: false });
    }

    /// There are several values, of which one was put, unless `same`.
    fn varies(&mut self, path: &str, same: bool) {
        self.0.entry(path.into()).and_modify(|found| found.varies = !same);
    }

    fn put_us(&mut self, path: impl Into<String>, ps: u64, from: impl Into<String>) {
        self.put(path, number(to_us(ps)), from);
    }
}

fn topology(scenario: &Scenario, plan: &Plan, settings: &NetworkSettings, found: &mut Found) {
    let topology = &scenario.topology;
    let links = |gbps: &Option<f64>| number(gbps.unwrap_or(topology.link_gbps));
    match &topology.shape {
        Shape::LeafSpine { uplink_gbps, .. } => {
            found.put("topology.shape.uplinkGbps", links(uplink_gbps), "the link rate");
        }
        Shape::Dumbbell { trunk_gbps, .. } => found.put("topology.shape.trunkGbps", links(trunk_gbps), "the link rate"),
        Shape::FatTree { .. } | Shape::Custom { .. } => (),
    }
    found.put_us("topology.hostDelayUs", settings.host_delay_ps, "the host delay, raised to reach the base RTT");
    found.put_us(
        "topology.baseRttUs",
        settings.base_rtt_ps,
        "what links, switches and hosts add up to on the longest path in use",
    );
    let from = match &topology.shape {
        Shape::Dumbbell { .. } => "the receivers",
        Shape::FatTree { .. } | Shape::LeafSpine { .. } => "the second half of the hosts",
        Shape::Custom { .. } => "none",
    };
    let storage = plan.graph.hosts().iter().zip(&plan.storage).filter(|(_, is_storage)| **is_storage);
    let servers = storage.map(|(host, _)| json!({ "host": plan.graph.nodes()[host.index()].name }));
    found.put("storage.servers", servers.collect::<Vec<_>>(), from);
}

fn class(scenario: &Scenario, id: ClassId, plan: &Plan, settings: &NetworkSettings, found: &mut Found) {
    let class = &scenario.classes[id.index()];
    let path = |name: &str| format!("classes[{}].{name}", id.index());
    found.put(path("dscp"), class.dscp.map(Value::from), "none, so that no map gives its packets a priority");
    if let Some(dscp) = class.dscp.filter(|_| class.priority == 0) {
        let from = format!("that of DSCP {dscp} in the map of the switches");
        found.put(path("priority"), scenario.priority_of(class), from);
    }
    let (line_bps, rtt_ps) = (plan.line_bps(id, &settings.links), settings.class_rtt_ps[id.index()]);
    let without_deadline = if class.transport.follows_deadlines() {
        let (own, blind) = (title(class.transport), title(TransportKind::Dctcp));
        format!("none, so that transfers have no deadline, and {own} does what {blind} does")
    } else {
        "none, so that no request has a deadline".into()
    };
    found.put(path("latencyTargetUs"), class.latency_target_us.map(number), without_deadline);
    found.put_us(path("baseRttUs"), rtt_ps, "that of the network on its longest path");
    found.varies(&path("baseRttUs"), plan.has_one_base_rtt(id, scenario, settings));

    for kind in TransportKind::ALL {
        for ValueInForce { field, mut value, basis } in
            kind.in_force(&class.sections(), &scenario.qos, line_bps, rtt_ps)
        {
            let from = match basis {
                Basis::Phrase(phrase) => phrase.into(),
                Basis::Preset { field, id } => {
                    format!("that of the preset {}", choice(&format!("classes[].{field}"), &id).title)
                }
            };
            whole_numbers(&mut value);
            found.put(path(field), value, from);
        }
    }

    let dirs = class.dirs.parameters(&class.control(&scenario.qos, line_bps, rtt_ps));
    let mut put = |name: &str, ps: Option<u64>, from: &str| {
        let from = if ps.is_some() { from } else { "none, since there is no rate that could recover" };
        found.put(path(name), ps.map(|ps| number(to_us(ps))), from);
    };
    put("dirs.recoveryUs", dirs.map(|dirs| dirs.recovery_ps), class.transport.recovery_timer());
    put("dirs.resetUs", dirs.map(|dirs| dirs.reset_ps), "five times the recovery timer");
}
