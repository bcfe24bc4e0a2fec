//! From the storage and access sections of the document to protocols, servers and devices.

use std::sync::Arc;

use crate::access::{AccessProtocol, Costs, SoftwareTimes, Terms};
use crate::kernel::convert::{index_u32, rounded};
use crate::kernel::digest::Digest;
use crate::kernel::ids::NodeId;
use crate::kernel::sums::total;
use crate::kernel::time::from_us;
use crate::qos::tenants::ladder::Ladder;
use crate::qos::tenants::{
    BurstTerms, Contract, Envelope, Promise, RATE_SCALE, TenantScheduler, Terms as TenantTerms, capacity,
};
use crate::scenario::document::{
    Access, BurstLadder, Class, DeviceKind, NestedClass, Nvme, Placement, Scenario, Software, USUAL_DEVICES,
};
use crate::simulation::plan::Plan;
use crate::simulation::planned::PlannedApplication;
use crate::storage::{
    self, Device, DeviceParameters, DriveModel, Level, NvmeParameters, Policy, SsdParameters, Storage, Tenancy,
};
use crate::workload::addresses::Range;

/// The terms of all protocols, by number: sizes, limits and software.
pub(super) fn terms(scenario: &Scenario) -> Vec<Terms> {
    AccessProtocol::ALL.iter().map(|&protocol| terms_of(&scenario.access, protocol)).collect()
}

fn terms_of(access: &Access, protocol: AccessProtocol) -> Terms {
    let wire = protocol.wire(access);
    if !protocol.has_target() {
        let free = Costs::default();
        return Terms { protocol: wire, host: free, target: free, serial_ps: 0, queue_depth: u32::MAX };
    }
    let times = software_times(&access.software, protocol);
    let costs = |latency_us: f64| Costs {
        latency_ps: from_us(latency_us),
        cpu_ps: from_us(times.command_work_us),
        cpu_per_kib_ps: from_us(times.kib_work_us),
    };
    Terms {
        protocol: wire,
        host: costs(times.host_latency_us),
        target: costs(times.target_latency_us),
        serial_ps: from_us(times.serial_us),
        queue_depth: access.queue_depth,
    }
}

/// Time that the software of both ends takes for a protocol: what the document says, else what is published of it.
pub fn software_times(software: &Software, protocol: AccessProtocol) -> SoftwareTimes {
    let published = protocol.software();
    SoftwareTimes {
        host_latency_us: software.host_latency_us.unwrap_or(published.host_latency_us),
        target_latency_us: software.target_latency_us.unwrap_or(published.target_latency_us),
        command_work_us: software.command_work_us.unwrap_or(published.command_work_us),
        kib_work_us: software.kib_work_us.unwrap_or(published.kib_work_us),
        serial_us: software.serial_us.unwrap_or(published.serial_us),
    }
}

/// Cores of a host where the document does not say.
const CORES: u32 = 16;

/// Cores of every host that software may use.
pub fn cores(scenario: &Scenario) -> u32 {
    scenario.access.software.cores.unwrap_or(CORES)
}

/// Level of the commands of every class: what the document says; else urgent where its packets are, and high, medium or low by
/// the rank of its ratio. Where all ratios are equal, all are medium.
pub fn levels(scenario: &Scenario) -> Vec<Level> {
    let ratios: Vec<f64> = scenario.classes.iter().map(|class| class.ratio).collect();
    let is_first = |&number: &usize| !ratios[..number].contains(&ratios[number]);
    let distinct = || (0..ratios.len()).filter(is_first).map(|number| ratios[number]);
    let ranked = |ratio: f64| match distinct().filter(|&other| other > ratio).count() {
        _ if distinct().count() == 1 => Level::Medium,
        0 => Level::High,
        1 if distinct().count() > 2 => Level::Medium,
        _ => Level::Low,
    };
    let levels = scenario.classes.iter().map(|class| match class.nvme_priority {
        Some(own) => own,
        None if scenario.priority_of(class) > 0 => Level::Urgent,
        None => ranked(class.ratio),
    });
    levels.collect()
}

/// How all servers treat and lay out requests.
pub fn policy(scenario: &Scenario) -> Policy {
    let storage = &scenario.storage;
    Policy {
        treatment: storage.treatment,
        levels: levels(scenario),
        placement: storage.placement,
        stripe_bytes: u64::from(storage.stripe_bytes),
        max_transfer_bytes: u64::from(storage.nvme.max_transfer_bytes),
    }
}

/// What a class is promised as a tenant.
pub fn contract(class: &Class) -> Contract {
    let promise = |nested: &NestedClass| Promise {
        envelope: Envelope { burst: nested.burst, rate: rounded(nested.rate_iops * RATE_SCALE as f64).max(1) },
        response_ps: from_us(nested.response_us),
    };
    Contract::new(class.contract.iter().map(promise).collect())
}

/// By class: its share of a server as a tenant. That of a contract is the capacity it needs; classes without one share what
/// they leave of `capacity` by their ratios, and where none has one all of it.
pub fn tenant_weights(scenario: &Scenario, capacity: f64) -> Vec<f64> {
    let need = |class: &Class| capacity::need(&capacity::classes(&contract(class))).capacity;
    let needed: f64 = total(scenario.classes.iter().map(need));
    let ratios = total(scenario.classes.iter().filter(|class| class.contract.is_empty()).map(|class| class.ratio));
    let left = (capacity - needed).max(MIN_SHARE * capacity);
    let weight = |class: &Class| match class.contract.is_empty() {
        true => left * class.ratio / ratios,
        false => need(class),
    };
    scenario.classes.iter().map(weight).collect()
}

/// Minimum share of a server that classes without contract get together.
const MIN_SHARE: f64 = 0.001;

/// Requests a second that a server of the scenario serves, of the first where they differ; none where not all of its devices are
/// of constant capacity.
pub fn constant_capacity(scenario: &Scenario) -> Option<f64> {
    let server = scenario.storage.servers.first()?;
    let all = !server.devices.is_empty() && server.devices.iter().all(|of| of.kind == DeviceKind::ConstantCapacity);
    all.then_some(server.devices.len() as f64 * scenario.storage.constant.capacity_iops)
}

/// Requests at a device at once, where the document does not say.
const IN_SERVICE: u32 = 32;

/// How the tenants of a host are scheduled; none where requests go straight to the devices.
pub(super) fn tenancy(scenario: &Scenario, host: &str) -> Option<Tenancy> {
    let scheduler = scenario.storage.tenants.scheduler;
    if scheduler == TenantScheduler::None {
        return None;
    }
    // What the devices serve is known of those of constant capacity only; of others it is taken to be what was promised.
    let capacity = known_capacity(scenario, host).unwrap_or(1.0);
    let mut terms = tenant_terms(scenario, capacity);
    terms.bursts.capacity = Some(ladder_capacity(scenario, host));
    Some(Tenancy { scheduler, terms, in_service: in_service(scenario, host) })
}

/// Requests a second that the devices of a host serve, or are taken to serve since that was promised; none where neither is known.
fn known_capacity(scenario: &Scenario, host: &str) -> Option<f64> {
    let served = f64::from(device_counts(scenario, host).0) * scenario.storage.constant.capacity_iops;
    let need = |class: &Class| capacity::need(&capacity::classes(&contract(class))).capacity;
    let promised = total(scenario.classes.iter().map(need));
    match (served > 0.0, promised > 0.0) {
        (true, _) => Some(served),
        (false, true) => Some(promised.max(1.0)),
        (false, false) => None,
    }
}

/// Requests a second that a device is taken to serve where neither its kind nor a promise says: of the order of an SSD's.
const DEVICE_IOPS: f64 = 100_000.0;

/// Maximum requests a second that shares may divide: promises of a microsecond may need more.
const MAX_IOPS: f64 = 100_000_000.0;

/// Requests a second of a host that the shares of its tenants add up to under the burst ladder.
pub fn ladder_capacity(scenario: &Scenario, host: &str) -> f64 {
    let usual = || f64::from(device_counts(scenario, host).1) * DEVICE_IOPS;
    let own = scenario.storage.tenants.ladder.capacity_iops;
    own.or_else(|| known_capacity(scenario, host)).unwrap_or_else(usual).min(MAX_IOPS)
}

/// What a scheduler is told of the tenants of a scenario, at a server of so many requests a second.
pub fn tenant_terms(scenario: &Scenario, capacity: f64) -> TenantTerms {
    let BurstLadder { amount, first, second, end, step_us, capacity_iops } = scenario.storage.tenants.ladder;
    let mut groups: Vec<u16> = Vec::new();
    let tenant = |class: &Class| {
        let known = groups.iter().position(|&group| group == class.vxlan_group);
        let number = known.unwrap_or_else(|| {
            groups.push(class.vxlan_group);
            groups.len() - 1
        });
        (number, class.burst_bit)
    };
    let tenants = scenario.classes.iter().map(tenant).collect();
    let ladder = Ladder { amount, first, second, end };
    TenantTerms {
        contracts: scenario.classes.iter().map(contract).collect(),
        weights: tenant_weights(scenario, capacity),
        capacity,
        bursts: BurstTerms { ladder, step_ps: from_us(step_us), capacity: capacity_iops, tenants },
    }
}

/// Devices of constant capacity of a host, and other ones.
fn device_counts(scenario: &Scenario, host: &str) -> (u32, u32) {
    let kinds = device_kinds(scenario, host);
    let constant = index_u32(kinds.iter().filter(|(_, kind)| *kind == DeviceKind::ConstantCapacity).count());
    (constant, index_u32(kinds.len()) - constant)
}

/// Requests of tenants that are at the devices of a host at once.
pub fn in_service(scenario: &Scenario, host: &str) -> u32 {
    let (constant, others) = device_counts(scenario, host);
    scenario.storage.tenants.in_service.unwrap_or(constant + IN_SERVICE * others)
}

/// Tenants that nobody schedules any more, where they once were: all requests go on as they come.
fn unscheduled(scenario: &Scenario) -> Tenancy {
    let contracts: Vec<Contract> = scenario.classes.iter().map(contract).collect();
    let weights = vec![1.0; contracts.len()];
    Tenancy {
        scheduler: TenantScheduler::None,
        terms: TenantTerms { contracts, weights, capacity: 1.0, bursts: BurstTerms::default() },
        in_service: u32::MAX,
    }
}

/// Schedules the tenants of all servers as the document says, from `now_ps` on.
pub(super) fn schedule_tenants(storage: &mut Storage, scenario: &Scenario, plan: &Plan, now_ps: u64) {
    for node in targets(scenario, plan) {
        let host = &plan.graph.nodes()[node.index()].name;
        match tenancy(scenario, host) {
            Some(tenancy) => storage.set_tenancy(node, now_ps, &tenancy),
            None if storage.is_scheduled(node) => storage.set_tenancy(node, now_ps, &unscheduled(scenario)),
            None => {}
        }
    }
}

/// Time that a server of constant capacity takes for a request.
pub(super) fn service_ps(scenario: &Scenario) -> u64 {
    capacity::service_ps(scenario.storage.constant.capacity_iops)
}

/// The controller of every device.
pub(super) fn nvme(nvme: &Nvme) -> NvmeParameters {
    NvmeParameters {
        arbitration: nvme.arbitration,
        burst: nvme.burst,
        weights: nvme.weights(),
        queue_limit: nvme.queue_commands,
        device_limit: nvme.device_commands,
    }
}

/// Every SSD.
pub fn ssd(scenario: &Scenario) -> SsdParameters {
    scenario.storage.ssd.parameters(scenario.storage.nvme.weights())
}

/// The effective spare share of the SSDs of a scenario; `None` if it has none, or they do not begin in the steady state of garbage
/// collection.
pub fn effective_spare_share(scenario: &Scenario, plan: &Plan) -> Option<f64> {
    let kinds = |host: &NodeId| device_kinds(scenario, &plan.graph.nodes()[host.index()].name);
    let has_ssd =
        || targets(scenario, plan).iter().any(|host| kinds(host).iter().any(|(_, of)| *of == DeviceKind::Ssd));
    if scenario.has_devices() && has_ssd() { ssd(scenario).effective_spare_share() } else { None }
}

/// Devices of a host, by its name: what the document lists; the usual ones where it lists none.
pub fn device_kinds<'a>(scenario: &'a Scenario, host: &str) -> Vec<(&'a str, DeviceKind)> {
    let server = scenario.storage.servers.iter().find(|server| server.host == host);
    match server {
        Some(server) if !server.devices.is_empty() => {
            server.devices.iter().map(|device| (device.name.as_str(), device.kind)).collect()
        }
        _ => USUAL_DEVICES.to_vec(),
    }
}

/// Name of device `number` of a node.
pub fn name(scenario: &Scenario, plan: &Plan, node: NodeId, number: usize) -> String {
    let host = &plan.graph.nodes()[node.index()].name;
    device_kinds(scenario, host).get(number).map_or_else(String::new, |(name, _)| (*name).into())
}

/// The storage of all hosts that are targets of requests to devices.
pub(super) fn storage(scenario: &Scenario, plan: &Plan) -> Storage {
    let mut servers = Storage::new(plan.graph.nodes().len(), policy(scenario));
    if !scenario.has_devices() {
        return servers;
    }
    let parameters = |media| DeviceParameters { media, nvme: nvme(&scenario.storage.nvme) };
    let flash = parameters(storage::Media::Ssd(Arc::new(DriveModel::new(ssd(scenario)))));
    let memory = parameters(storage::Media::Memory(Arc::new(scenario.storage.memory.parameters())));
    let constant = parameters(storage::Media::Constant(service_ps(scenario)));
    for node in targets(scenario, plan) {
        let host = &plan.graph.nodes()[node.index()].name;
        let devices = device_kinds(scenario, host).into_iter().enumerate().map(|(number, (_, kind))| {
            let mut seed = Digest::default();
            [scenario.seed, u64::from(node.0), number as u64].into_iter().for_each(|word| seed.word(word));
            let parameters = match kind {
                DeviceKind::Ssd => &flash,
                DeviceKind::PersistentMemory => &memory,
                DeviceKind::ConstantCapacity => &constant,
            };
            (Device::new(parameters, seed.value()), kind, device_bytes(scenario, kind))
        });
        servers.add(node, devices.collect());
    }
    schedule_tenants(&mut servers, scenario, plan, 0);
    servers
}

/// The hosts whose devices are used, in order.
pub fn targets(scenario: &Scenario, plan: &Plan) -> Vec<NodeId> {
    let uses = |application: &&PlannedApplication| {
        scenario.protocol_of(&scenario.workloads[application.workload]).has_target()
    };
    let nodes = plan.applications.iter().filter(uses).map(|used| plan.graph.hosts()[used.target as usize]);
    let mut nodes: Vec<NodeId> = nodes.collect();
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Addresses that an application reads and writes; none where its requests go to no device.
pub fn address_range(scenario: &Scenario, plan: &Plan, planned: &PlannedApplication) -> Option<Range> {
    let workload = &scenario.workloads[planned.workload];
    if !scenario.protocol_of(workload).has_target() {
        return None;
    }
    let host = &plan.graph.nodes()[plan.graph.hosts()[planned.target as usize].index()].name;
    let capacity = capacity_bytes(scenario, host, workload.devices);
    let start = workload.addresses.start_bytes.min(capacity.saturating_sub(1));
    let alignment = workload.addresses.alignment_bytes.unwrap_or_else(|| alignment_bytes(workload.devices));
    Some(Range {
        start,
        length: workload.addresses.length_bytes.unwrap_or(u64::MAX).min(capacity - start),
        alignment: u64::from(alignment),
        pattern: workload.addresses.pattern,
    })
}

/// What addresses are multiples of where the document does not say.
pub fn alignment_bytes(devices: DeviceKind) -> u32 {
    match devices {
        DeviceKind::Ssd => 4096,
        DeviceKind::PersistentMemory => 256,
        DeviceKind::ConstantCapacity => 512,
    }
}

/// The kind of devices of a host that requests for devices of the kind `wanted` go to: another one where it has none of this.
pub fn kind_at(scenario: &Scenario, host: &str, wanted: DeviceKind) -> DeviceKind {
    let there = device_kinds(scenario, host);
    let there_is = |kind: &DeviceKind| there.iter().any(|(_, other)| other == kind);
    let kinds = [wanted, DeviceKind::Ssd, DeviceKind::PersistentMemory, DeviceKind::ConstantCapacity];
    kinds.into_iter().find(there_is).unwrap_or(wanted)
}

/// Storage of one kind behind the port of a host: of the other kind where it has none of this.
pub fn capacity_bytes(scenario: &Scenario, host: &str, wanted: DeviceKind) -> u64 {
    let kind = kind_at(scenario, host, wanted);
    let each = device_bytes(scenario, kind);
    match scenario.storage.placement {
        // Each class has one of them.
        Placement::ByClass => each,
        _ => {
            each.saturating_mul(device_kinds(scenario, host).iter().filter(|(_, other)| *other == kind).count() as u64)
        }
    }
}

/// Bytes that a device offers.
fn device_bytes(scenario: &Scenario, kind: DeviceKind) -> u64 {
    match kind {
        DeviceKind::Ssd => ssd(scenario).capacity_bytes(),
        DeviceKind::PersistentMemory => scenario.storage.memory.parameters().capacity_bytes,
        // Addresses mean nothing to it: those of any trace fit.
        DeviceKind::ConstantCapacity => 1 << 50,
    }
}
