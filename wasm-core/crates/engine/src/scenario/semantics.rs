//! What a schema cannot say: names that refer to each other, hosts that exist, limits of the machine.

use std::collections::{BTreeMap, BTreeSet};

use super::diagnostics::{Diagnostic, Diagnostics, alternatives, closest, quoted};
use super::document::{
    Class, Endpoints, Flows, Goal, LinkSpec, Marking, NestedClass, Node, NodeKind, Scenario, Shape, Size, Ssd,
    StorageServer, Switch, Traffic, TransportKind, Workload,
};
use super::hosts::Hosts;
use super::laws::{MAXIMUM_REPLAYED, expected_draws, size_law};
use super::shape;
use crate::text::{counted, roughly};

/// Largest request, in bytes.
const MAXIMUM_REQUEST_BYTES: u64 = 1_000_000_000_000;
/// Largest mean of requests to devices, in bytes.
const MAXIMUM_DEVICE_REQUEST_BYTES: f64 = 1e9;

/// Collects the diagnostics of a document whose form is right.
pub(super) fn check(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    let hosts = Hosts::of(&scenario.topology.shape);
    shape(&scenario.topology.shape, diagnostics);
    diagnostics.extend(switch(&scenario.switch));
    host(scenario, diagnostics);
    classes(scenario, diagnostics);
    storage(&scenario.storage.servers, &hosts, diagnostics);
    ssd(&scenario.storage.ssd, diagnostics);
    for (index, entry) in scenario.workloads.iter().enumerate() {
        workload(scenario, index, entry, &hosts, diagnostics);
    }
    measurement(scenario, diagnostics);
    for (index, claim) in scenario.story.iter().flat_map(|story| &story.claims).enumerate() {
        if let Some(class) = &claim.class {
            known_class(scenario, &format!("story.claims[{index}]"), class, diagnostics);
        }
    }
    for (index, note) in scenario.notes.iter().enumerate() {
        if note.at_us.is_none() && note.node.is_none() {
            diagnostics.push(Diagnostic::new(
                format!("notes[{index}]"),
                "has neither an instant nor a node",
                "Give `atUs`, `node` or both; what is said of the whole belongs into `description` or `story`.",
            ));
        }
    }
}

/// Diagnostics of the switch section. Also checked after every change of a live field.
pub(super) fn switch(switch: &Switch) -> Option<Diagnostic> {
    let (least, most) = (switch.ecn_threshold_packets, switch.red_maximum_packets);
    let map = &switch.dscp_map;
    let again = map.iter().enumerate().find_map(|(index, mapped)| {
        let first = map[..index].iter().position(|other| other.dscp == mapped.dscp)?;
        Some(Diagnostic::new(
            format!("switch.dscpMap[{index}].dscp"),
            format!("is {} again; dscpMap[{first}] has a priority for that", mapped.dscp),
            "Give every DSCP one priority.",
        ))
    });
    let crossed = || {
        (switch.marking == Marking::Red && most < least).then(|| {
            Diagnostic::new(
                "switch.redMaximumPackets",
                format!("is {most} packets, below the ECN threshold {least} at which marking begins"),
                format!("Give at least {least} packets, or lower `switch.ecnThresholdPackets`."),
            )
        })
    };
    again.or_else(crossed)
}

/// Diagnostics of the times of the workload at `index`. Also checked after every change of a live field.
pub(super) fn times(index: usize, workload: &Workload) -> Option<Diagnostic> {
    let (start, stop) = (workload.start_us, workload.stop_us?);
    (stop <= start).then(|| {
        Diagnostic::new(
            format!("workloads[{index}].stopUs"),
            format!("is {stop} us, not after the start at {start} us"),
            "Give a later time, or leave it out to go on to the end of the run.",
        )
    })
}

/// Diagnostics of the graph.
pub(super) fn shape(shape: &Shape, diagnostics: &mut Diagnostics) {
    let hosts = shape::host_count(shape);
    match shape {
        Shape::FatTree { k } if k % 2 != 0 => diagnostics.push(Diagnostic::new(
            "topology.shape.k",
            format!("is {k}, an odd number"),
            format!("Give an even number of ports, such as {} or {}: half of them go up, half down.", k - 1, k + 1),
        )),
        Shape::Custom { nodes, links } => graph(nodes, links, diagnostics),
        _ => (),
    }
    if hosts < 2 {
        let hint = "Make the network larger: a sender and a receiver are needed.";
        diagnostics.push(Diagnostic::new("topology.shape", format!("has {}", counted(u64::from(hosts), "host")), hint));
    }
    let links = shape::link_count(shape);
    if links > shape::MAXIMUM_LINKS {
        diagnostics.push(Diagnostic::new(
            "topology.shape",
            format!("has {links} links, counting both directions; at most {} can be simulated", shape::MAXIMUM_LINKS),
            "Make the network smaller.",
        ));
    }
}

/// Diagnostics of the storage servers.
fn storage(servers: &[StorageServer], hosts: &Hosts<'_>, diagnostics: &mut Diagnostics) {
    let mut first = BTreeMap::new();
    for (index, server) in servers.iter().enumerate() {
        known_host(|| format!("storage.servers[{index}].host"), &server.host, hosts, diagnostics);
        if let Some(first) = first.insert(server.host.as_str(), index) {
            diagnostics.push(Diagnostic::new(
                format!("storage.servers[{index}].host"),
                format!("is {} again; servers[{first}] is that host", quoted(&server.host)),
                "List the devices of a host in one place.",
            ));
        }
        for (place, device) in server.devices.iter().enumerate() {
            if let Some(first) = server.devices[..place].iter().position(|other| other.name == device.name) {
                diagnostics.push(Diagnostic::new(
                    format!("storage.servers[{index}].devices[{place}].name"),
                    format!("is {} again; devices[{first}] has that name", quoted(&device.name)),
                    "Give every device of a server a name of its own.",
                ));
            }
        }
    }
}

/// Most flash units (dies, or chips where each takes one command) and planes of an SSD.
const MAXIMUM_UNITS: u64 = 4096;
const MAXIMUM_PLANES: u64 = 16_384;

/// Diagnostics of the SSDs.
fn ssd(ssd: &Ssd, diagnostics: &mut Diagnostics) {
    let parameters = ssd.parameters([1; 3]);
    if let Some(reason) = parameters.error() {
        let hint = "Change the sizes of the device, or leave them to the preset.";
        return diagnostics.push(Diagnostic::new("storage.ssd", format!("describes no device: {reason}"), hint));
    }
    let geometry = parameters.geometry;
    let chips = u64::from(geometry.channels) * u64::from(geometry.chips_per_channel);
    let dies = chips * u64::from(geometry.dies_per_chip);
    let planes = dies * u64::from(geometry.planes_per_die);
    if dies > MAXIMUM_UNITS || planes > MAXIMUM_PLANES {
        diagnostics.push(Diagnostic::new(
            "storage.ssd.channels",
            format!(
                "makes an SSD of {dies} dies and {planes} planes; at most {MAXIMUM_UNITS} and {MAXIMUM_PLANES} can be \
                 simulated"
            ),
            "Give fewer channels, chips per channel, dies per chip or planes per die.",
        ));
    }
}

/// Diagnostics of a custom graph.
fn graph(nodes: &[Node], links: &[LinkSpec], diagnostics: &mut Diagnostics) {
    let mut numbers = BTreeMap::new();
    for (index, node) in nodes.iter().enumerate() {
        if let Some(first) = numbers.get(node.name.as_str()) {
            diagnostics.push(Diagnostic::new(
                format!("topology.shape.nodes[{index}].name"),
                format!("is {} again; nodes[{first}] has that name", quoted(&node.name)),
                "Give every node a name of its own.",
            ));
        } else {
            numbers.insert(node.name.as_str(), index);
        }
    }
    let mut neighbours = vec![Vec::new(); nodes.len()];
    for (index, link) in links.iter().enumerate() {
        let mut end = |field: &str, name: &str| {
            let number = numbers.get(name).copied();
            if number.is_none() && !diagnostics.skip() {
                let hint = closest(name, numbers.keys().copied())
                    .map_or("Name one of the nodes.".into(), |meant| format!("Did you mean {}?", quoted(meant)));
                let path = format!("topology.shape.links[{index}].{field}");
                diagnostics.push(Diagnostic::new(path, format!("is {}; no node has that name", quoted(name)), hint));
            }
            number
        };
        let (Some(from), Some(to)) = (end("from", &link.from), end("to", &link.to)) else { continue };
        let is_host = |number: usize| nodes[number].role == NodeKind::Host;
        let path = format!("topology.shape.links[{index}]");
        if from == to {
            diagnostics.push(Diagnostic::new(
                path,
                format!("joins {} to itself", quoted(&link.from)),
                "Name two different nodes.",
            ));
        } else if is_host(from) && is_host(to) {
            let reason = format!("joins two hosts, {} and {}", quoted(&link.from), quoted(&link.to));
            diagnostics.push(Diagnostic::new(path, reason, "Put a switch between them."));
        } else {
            neighbours[from].push(to);
            neighbours[to].push(from);
        }
    }
    let hosts: Vec<usize> = (0..nodes.len()).filter(|&number| nodes[number].role == NodeKind::Host).collect();
    for &host in hosts.iter().filter(|&&host| neighbours[host].len() != 1) {
        diagnostics.push(Diagnostic::new(
            format!("topology.shape.nodes[{host}]"),
            format!(
                "is the host {} with {}",
                quoted(&nodes[host].name),
                counted(neighbours[host].len() as u64, "link")
            ),
            "Give every host exactly one link to a switch.",
        ));
    }
    let Some(&first) = hosts.first() else { return };
    let reached = component(first, &neighbours);
    for &host in hosts.iter().filter(|&&host| neighbours[host].len() == 1 && !reached.contains(&host)) {
        diagnostics.push(Diagnostic::new(
            format!("topology.shape.nodes[{host}]"),
            format!(
                "is the host {}, which cannot be reached from {}",
                quoted(&nodes[host].name),
                quoted(&nodes[first].name)
            ),
            "Link the parts of the network.",
        ));
    }
}

/// The nodes that can be reached from `start`.
fn component(start: usize, neighbours: &[Vec<usize>]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(node) = open.pop() {
        open.extend(neighbours[node].iter().filter(|&&next| reached.insert(next)));
    }
    reached
}

fn host(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    let (least, most) = (scenario.host.minimum_window_packets, scenario.host.maximum_window_packets);
    if least > most {
        diagnostics.push(Diagnostic::new(
            "host.minimumWindowPackets",
            format!("is {least} packets, above the largest window of {most}"),
            format!("Give at most {most} packets, or raise `host.maximumWindowPackets`."),
        ));
    }
}

fn classes(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    for (index, class) in scenario.classes.iter().enumerate() {
        if let Some(first) = scenario.classes[..index].iter().position(|other| other.name == class.name) {
            diagnostics.push(Diagnostic::new(
                format!("classes[{index}].name"),
                format!("is {} again; classes[{first}] has that name", quoted(&class.name)),
                "Give every class a name of its own.",
            ));
        }
        diagnostics.extend(self::class(index, class));
    }
}

/// Diagnostics of the class at `index`. Also checked after every change of a live field.
pub(super) fn class(index: usize, class: &Class) -> Option<Diagnostic> {
    if class.goal == Goal::Latency && class.transport.follows_quality() && class.latency_target_us.is_none() {
        return Some(Diagnostic::new(
            format!("classes[{index}].latencyTargetUs"),
            format!("is empty, but {} aims at a latency", quoted(&class.name)),
            "Give the tail latency wanted, or choose throughput as its goal.",
        ));
    }
    let path = format!("classes[{index}]");
    let contradiction = TransportKind::ALL.iter().find_map(|kind| kind.check(&class.sections(), &path));
    contradiction.or_else(|| contract(index, &class.contract))
}

/// The first nested class of the class at `index` that does not hold those further in.
fn contract(index: usize, contract: &[NestedClass]) -> Option<Diagnostic> {
    contract.windows(2).enumerate().find_map(|(place, pair)| {
        let (inner, outer) = (&pair[0], &pair[1]);
        let fallen = [
            ("burst", f64::from(inner.burst), f64::from(outer.burst), "requests"),
            ("rateIops", inner.rate_iops, outer.rate_iops, "IOPS"),
            ("responseUs", inner.response_us, outer.response_us, "us"),
        ];
        let (field, least, given, unit) = fallen.into_iter().find(|(_, least, given, _)| given < least)?;
        Some(Diagnostic::new(
            format!("classes[{index}].contract[{}].{field}", place + 1),
            format!("is {given} {unit}, below the {least} {unit} of the nested class before it"),
            format!("Give at least {least} {unit}: a nested class holds those before it."),
        ))
    })
}

/// What is said of a class has the name of one.
fn known_class(scenario: &Scenario, path: &str, class: &str, diagnostics: &mut Diagnostics) {
    let names = || scenario.classes.iter().map(|class| class.name.as_str());
    if names().any(|name| name == class) {
        return;
    }
    let hint = match closest(class, names()) {
        Some(meant) => format!("Did you mean {}?", quoted(meant)),
        None => format!("Use {}.", alternatives(names())),
    };
    diagnostics.push(Diagnostic::new(
        format!("{path}.class"),
        format!("is {}; no class has that name", quoted(class)),
        hint,
    ));
}

fn workload(scenario: &Scenario, index: usize, workload: &Workload, hosts: &Hosts<'_>, diagnostics: &mut Diagnostics) {
    let path = format!("workloads[{index}]");
    known_class(scenario, &path, &workload.class, diagnostics);
    match &workload.endpoints {
        Endpoints::Pairs { initiators, targets } => {
            let local = !scenario.protocol_of(workload).crosses_network();
            pairs(&format!("{path}.endpoints"), (initiators, targets), local, hosts, diagnostics);
        }
        Endpoints::Incast { target, initiators } => {
            known_host(|| format!("{path}.endpoints.target"), target, hosts, diagnostics);
            if *initiators >= hosts.count() {
                diagnostics.push(Diagnostic::new(
                    format!("{path}.endpoints.initiators"),
                    format!(
                        "is {initiators}, but the network has {} beside the target",
                        counted(u64::from(hosts.count().saturating_sub(1)), "host")
                    ),
                    "Give fewer initiators, or make the network larger.",
                ));
            }
        }
        Endpoints::Permutation {} | Endpoints::Random { .. } => (),
    }
    if !scenario.protocol_of(workload).crosses_network() && !matches!(workload.endpoints, Endpoints::Pairs { .. }) {
        diagnostics.push(Diagnostic::new(
            format!("{path}.endpoints.kind"),
            "names hosts that use each other, but the protocol is local",
            "Choose `pairs` and make every host its own target, or choose another protocol.",
        ));
    }
    if workload.flows == Flows::PerRequest && matches!(workload.traffic, Traffic::Backlogged {}) {
        diagnostics.push(Diagnostic::new(
            format!("{path}.flows"),
            "asks for a flow per request, but backlogged traffic has no requests",
            "Choose lasting flows, or traffic with requests.",
        ));
    }
    if let Traffic::OpenLoop { size, .. } | Traffic::ClosedLoop { size, .. } = &workload.traffic {
        request_size(&format!("{path}.traffic.size"), size, diagnostics);
        let mean_bytes = size_law(&workload.traffic).mean_bytes();
        if scenario.protocol_of(workload).has_target() && mean_bytes > MAXIMUM_DEVICE_REQUEST_BYTES {
            diagnostics.push(Diagnostic::new(
                format!("{path}.traffic.size"),
                format!("makes requests of {mean_bytes:.0} bytes on average; those to devices may have {MAXIMUM_DEVICE_REQUEST_BYTES}"),
                "Make requests smaller, or choose the protocol `direct`.",
            ));
        }
    }
    diagnostics.extend(reads(index, workload));
    diagnostics.extend(draws(index, workload, scenario.duration_us));
    diagnostics.extend(times(index, workload));
}

/// Diagnostics of how much the workload at `index` draws before the run.
pub(super) fn draws(index: usize, workload: &Workload, duration_us: f64) -> Option<Diagnostic> {
    let drawn = expected_draws(&workload.traffic, duration_us)?;
    (drawn > MAXIMUM_REPLAYED as f64).then(|| {
        Diagnostic::new(
            format!("workloads[{index}].traffic.timeScale"),
            format!("makes {} requests; at most {} are replayed", roughly(drawn), roughly(MAXIMUM_REPLAYED as f64)),
            "Give a smaller one, limit the requests, or shorten the run.",
        )
    })
}

/// Diagnostics of what the workload at `index` reads.
fn reads(index: usize, workload: &Workload) -> Option<Diagnostic> {
    let fraction = workload.read_fraction;
    if matches!(workload.traffic, Traffic::Backlogged {}) && fraction != 0.0 && fraction != 1.0 {
        return Some(Diagnostic::new(
            format!("workloads[{index}].readFraction"),
            format!("is {fraction}, but backlogged traffic has no requests, some of which could read"),
            "Give 0, for data that flow to the target, or 1, for data that flow from it; or choose traffic with requests.",
        ));
    }
    None
}

/// Diagnostics of pairs of hosts. Where storage is `local`, every host must be its own target; else none may be.
fn pairs(
    path: &str,
    (initiators, targets): (&[String], &[String]),
    local: bool,
    hosts: &Hosts<'_>,
    diagnostics: &mut Diagnostics,
) {
    for (field, names) in [("initiators", initiators), ("targets", targets)] {
        for (index, name) in names.iter().enumerate() {
            known_host(|| format!("{path}.{field}[{index}]"), name, hosts, diagnostics);
        }
    }
    if initiators.len() != targets.len() && initiators.len() != 1 && targets.len() != 1 {
        diagnostics.push(Diagnostic::new(
            format!("{path}.targets"),
            format!(
                "has {} for {}",
                counted(targets.len() as u64, "host"),
                counted(initiators.len() as u64, "initiator")
            ),
            "Give both lists the same length, or one of them a single host.",
        ));
        return;
    }
    for index in 0..initiators.len().max(targets.len()) {
        let initiator = &initiators[index.min(initiators.len() - 1)];
        let target = &targets[index.min(targets.len() - 1)];
        if (initiator == target) == local || diagnostics.skip() {
            continue;
        }
        let (field, place) = if targets.len() == 1 { ("initiators", index) } else { ("targets", index) };
        let path = format!("{path}.{field}[{place}]");
        diagnostics.push(if local {
            let reason = format!("sends {} to {}, but the protocol is local", quoted(initiator), quoted(target));
            Diagnostic::new(path, reason, "Make every host its own target, or choose another protocol.")
        } else {
            let reason = format!("makes {} its own target", quoted(initiator));
            Diagnostic::new(path, reason, "Choose two different hosts, or the protocol `local`.")
        });
    }
}

fn request_size(path: &str, size: &Size, diagnostics: &mut Diagnostics) {
    match size {
        Size::Fixed { .. } | Size::Published { .. } | Size::Exponential { .. } => (),
        Size::Choice { bytes } => {
            for (index, &bytes) in bytes.iter().enumerate() {
                if !(1..=MAXIMUM_REQUEST_BYTES).contains(&bytes) {
                    let path = format!("{path}.bytes[{index}]");
                    diagnostics.push(Diagnostic::new(
                        path,
                        format!("is {bytes} bytes"),
                        "Give a size from 1 byte to 1 TB.",
                    ));
                }
            }
        }
        Size::Uniform { minimum_blocks, maximum_blocks, block_bytes } => {
            if minimum_blocks > maximum_blocks {
                diagnostics.push(Diagnostic::new(
                    format!("{path}.minimumBlocks"),
                    format!("is {minimum_blocks}, above the most blocks, {maximum_blocks}"),
                    "Exchange the two numbers, or raise `maximumBlocks`.",
                ));
            }
            if maximum_blocks.saturating_mul(*block_bytes) > MAXIMUM_REQUEST_BYTES {
                diagnostics.push(Diagnostic::new(
                    format!("{path}.maximumBlocks"),
                    format!("is {maximum_blocks} blocks of {block_bytes} bytes, more than 1 TB"),
                    "Make the requests smaller.",
                ));
            }
        }
        Size::Empirical { points } => empirical(path, points, diagnostics),
    }
}

fn empirical(path: &str, points: &[(f64, f64)], diagnostics: &mut Diagnostics) {
    for (index, &(bytes, share)) in points.iter().enumerate() {
        let path = format!("{path}.points[{index}]");
        if !(0.0..=MAXIMUM_REQUEST_BYTES as f64).contains(&bytes) {
            diagnostics.push(Diagnostic::new(
                format!("{path}[0]"),
                format!("is {bytes} bytes"),
                "Give a size from 0 bytes to 1 TB.",
            ));
        }
        if !(0.0..=100.0).contains(&share) {
            diagnostics.push(Diagnostic::new(
                format!("{path}[1]"),
                format!("is {share} %"),
                "Give a share from 0 to 100 per cent.",
            ));
        }
        let Some(&(bytes_before, share_before)) = index.checked_sub(1).map(|before| &points[before]) else { continue };
        if bytes < bytes_before || share < share_before || (bytes, share) == (bytes_before, share_before) {
            diagnostics.push(Diagnostic::new(
                path,
                format!("is {bytes} bytes at {share} %, after {bytes_before} bytes at {share_before} %"),
                "Put the points in order: neither sizes nor shares may fall, and no point may come twice.",
            ));
        }
    }
    if let Some(&(bytes, share)) = points.last() {
        if share != 100.0 {
            diagnostics.push(Diagnostic::new(
                format!("{path}.points[{}][1]", points.len() - 1),
                format!("is {share} % at the last point"),
                "End at 100 %: no request is larger than the last size.",
            ));
        } else if bytes < 1.0 {
            let path = format!("{path}.points[{}][0]", points.len() - 1);
            diagnostics.push(Diagnostic::new(
                path,
                "makes every request empty",
                "Give a last size of at least 1 byte.",
            ));
        }
    }
}

fn measurement(scenario: &Scenario, diagnostics: &mut Diagnostics) {
    if let Some(warmup) = scenario.measurement.warmup_us.filter(|warmup| *warmup >= scenario.duration_us) {
        diagnostics.push(Diagnostic::new(
            "measurement.warmupUs",
            format!("is {warmup} us, which leaves nothing of a run of {} us to measure", scenario.duration_us),
            "Give a shorter warm-up, or leave it out for a fifth of the run.",
        ));
    }
}

fn known_host(path: impl FnOnce() -> String, name: &str, hosts: &Hosts<'_>, diagnostics: &mut Diagnostics) {
    if hosts.number(name).is_some() || diagnostics.skip() {
        return;
    }
    let last = hosts.count().saturating_sub(1);
    let range = hosts.name(0).zip(hosts.name(last)).filter(|_| hosts.given().next().is_none());
    let (known, hint) = match (range, closest(name, hosts.given())) {
        (Some((first, last)), _) => (
            format!(
                "the network has {}, {} to {}",
                counted(u64::from(hosts.count()), "host"),
                quoted(&first),
                quoted(&last)
            ),
            format!("Give a name from {} to {}.", quoted(&first), quoted(&last)),
        ),
        (None, Some(meant)) => ("no host has that name".into(), format!("Did you mean {}?", quoted(meant))),
        (None, None) => ("no host has that name".into(), "Name one of the hosts of the network.".into()),
    };
    diagnostics.push(Diagnostic::new(path(), format!("is {}; {known}", quoted(name)), hint));
}
