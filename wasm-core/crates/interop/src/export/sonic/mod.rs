//! SONiC: tables of `config_db.json` for marking, queues, weights, PFC and buffers.
//!
//! Names, types and ranges of fields are those of SONiC's YANG models (sonic-net/sonic-buildimage, src/sonic-yang-models), as master has them
//! with the revision 2026-06-23 of sonic-wred-profile (07a78fb). That one adds thresholds of marking apart from those of drops, which are
//! not used here: left out, marking goes by the fields of the first revision, 2021-04-01, so that older switches read the same file.

mod mappings;

use std::collections::BTreeMap;

use qoscope_engine::kernel::ids::NodeId;
use qoscope_engine::scenario::shape::switch_count;
use qoscope_engine::scenario::{Buffering, Diagnostic, Marking, Threshold, graph_of};

use super::page::{Page, identifier, number};
use super::scene::Scene;
use super::{About, Command, Export, How, Kind, Mapped, Target, Tool};
use mappings::*;

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "sonic",
        title: "SONiC switch",
        kind: Kind::Settings,
        holds: "marking, queues, weights, PFC",
        version: "SONiC's master of June 2026, by its YANG models (sonic-net/sonic-buildimage, src/sonic-yang-models), with fields of their first revisions alone",
    },
    mappings: MAPPINGS,
    write,
};

/// A field of an entry, with where its value comes from.
type Field = (String, String, Option<String>);

/// An entry of a table.
struct Entry {
    key: String,
    fields: Vec<Field>,
    says: Option<(String, Option<usize>)>,
}

/// Classes that share a queue.
pub(super) struct Queue {
    /// Its number, which is that of its traffic class, priority group and priority of PFC, too.
    pub(super) number: u8,
    /// The classes, by their numbers.
    pub(super) classes: Vec<usize>,
    /// Served strictly before those of lower numbers.
    pub(super) strict: bool,
    /// By class: its code point, and whether the scenario states it.
    pub(super) dscp: Vec<(u8, bool)>,
}

/// Traffic classes and queues of a port.
const QUEUES: u8 = 8;
/// Code points that are proposed where a scenario states none: assured forwarding (RFC 2597), the classes 3, 2, 1 and 4, low drop
/// precedence first.
const PROPOSED: [u8; 12] = [26, 18, 10, 34, 28, 20, 12, 36, 30, 22, 14, 38];
/// What is said of a proposed code point.
pub(super) const PROPOSAL: &str =
    "The scenario states none: a code point of assured forwarding (RFC 2597) is proposed, which hosts must set.";
/// Name of the profile of lossless priority groups.
const LOSSLESS_PROFILE: &str = "QOSCOPE_LOSSLESS";
/// Length of a cable per microsecond of its delay: 5 ns per metre.
const METRES_PER_US: f64 = 200.0;
/// Longest name of a profile, by its pattern.
const LONGEST_NAME: usize = 24;

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let switches = switch_count(&scenario.topology.shape);
    if scene.explanation.fields.iter().all(|field| !field.path.starts_with("switch.") || field.no_effect.is_some()) {
        let hint = "Let requests go over the network: choose another access protocol than local.";
        return Err(vec![Diagnostic::new("switch", "has nothing for a switch: nothing goes over the network", hint)]);
    }
    let queues = queues(scene);
    let mut fields = Vec::new();
    let mut remarks = Vec::new();
    let mut tables: Vec<(&str, Vec<Entry>)> = Vec::new();
    let wred = wred(scene, &mut fields, &mut tables);
    let profile = buffers(scene, &mut fields, &mut tables);
    scheduling(scene, &queues, &mut fields, &mut tables);
    maps(scene, &queues, &mut fields, &mut remarks, &mut tables);
    let ports = ports(scene);
    let pfc = scenario.switch.buffering == Buffering::Pfc;
    for_ports(&ports, &queues, wred.as_deref(), profile.as_deref(), pfc, &mut tables);
    if pfc && profile.is_none() {
        let delay_us = scene.number("topology.linkDelayUs").unwrap_or_default();
        let metres = number(delay_us * METRES_PER_US);
        remarks.push(format!("{NO_HEADROOM} Set CABLE_LENGTH of the ports to the cable: {metres} m here."));
    }
    for transport in scene.explained("classes[0].transport").into_iter().filter(|field| field.no_effect.is_none()) {
        let id = transport.value.as_str().unwrap_or_default();
        let see = scenario.classes[0].transport.is_rate_based().then_some(Target::Roce);
        fields.push(Mapped { see, ..TRANSPORT.of(scene, &transport.path, id.to_uppercase(), "") });
    }
    if let Some(delay) = scene.number("topology.linkDelayUs") {
        let metres = delay * METRES_PER_US;
        let from = format!("{} µs", number(delay));
        let why = format!("It is the length of the cable: {} m at 5 ns a metre.", number(metres));
        fields.push(DELAY.of(scene, "topology.linkDelayUs", from, "").because(How::NotAtAll, why));
    }
    remarks.push(format!(
        "Ports are called {} here: name them as your switches do.",
        if ports.len() > 1 { format!("{} to {}", ports[0], ports[ports.len() - 1]) } else { ports[0].clone() }
    ));
    if wred.is_some() {
        remarks.push("Thresholds are compared with the queue as it is in the simulation. Chips that average it need a weight of the average of 0.".into());
    }
    let each = if switches == 1 { "1 switch".into() } else { format!("{switches} switches, one file for all") };
    let commands = vec![Command { on: "On the switch".into(), text: "sudo config load qoscope.json".into() }];
    let file = json(&tables).file("qoscope.json", "loads beside your config_db.json");
    Ok(Export { target: Target::Sonic, about: each, files: vec![file], fields, remarks, commands })
}

/// Queues of the classes: those with a priority have the queue of that number; each other has one of its own as long as there are some,
/// the greatest ratio in the queue of the highest number. Queue 0 is left to other traffic.
pub(super) fn queues(scene: &Scene) -> Vec<Queue> {
    let scenario = scene.scenario;
    let mut queues: BTreeMap<u8, Queue> = BTreeMap::new();
    let mut proposed = PROPOSED.iter().filter(|code| scenario.classes.iter().all(|class| class.dscp != Some(**code)));
    let mut dscp = |class: usize| match scenario.classes[class].dscp {
        Some(code) => (code, true),
        None => (proposed.next().copied().unwrap_or(8), false),
    };
    let mut weighed: Vec<usize> = Vec::new();
    for (number, class) in scenario.classes.iter().enumerate() {
        match scenario.priority_of(class) {
            0 => weighed.push(number),
            priority => {
                let blank = || Queue { number: priority, classes: Vec::new(), strict: true, dscp: Vec::new() };
                queues.entry(priority).or_insert_with(blank).classes.push(number);
            }
        }
    }
    weighed.sort_by(|one, other| scenario.classes[*other].ratio.total_cmp(&scenario.classes[*one].ratio));
    let free: Vec<u8> = (1..QUEUES).filter(|number| !queues.contains_key(number)).collect();
    let used = weighed.len().min(free.len()).max(1);
    for (rank, class) in weighed.into_iter().enumerate() {
        let number = free.get(used - 1 - rank.min(used - 1)).copied().unwrap_or(0);
        let blank = || Queue { number, classes: Vec::new(), strict: false, dscp: Vec::new() };
        queues.entry(number).or_insert_with(blank).classes.push(class);
    }
    let mut queues: Vec<Queue> = queues.into_values().rev().collect();
    for queue in &mut queues {
        queue.dscp = queue.classes.iter().map(|class| dscp(*class)).collect();
    }
    queues
}

/// The profile of marking, if switches mark.
fn wred(scene: &Scene, fields: &mut Vec<Mapped>, tables: &mut Vec<(&'static str, Vec<Entry>)>) -> Option<String> {
    let scenario = scene.scenario;
    let switch = &scenario.switch;
    let mtu = scenario.host.mtu_bytes;
    scene.effective("switch.marking")?;
    if switch.marking == Marking::Off {
        let none = MARKING.of(scene, "switch.marking", "Off", "no profile");
        fields.push(none.because(How::Exactly, "Without a profile nothing is marked."));
        return None;
    }
    let bytes = |packets: u32| u64::from(packets) * u64::from(mtu);
    let in_bytes = |packets: u32| {
        let (packets_text, bytes) = (number(f64::from(packets)), number(bytes(packets) as f64));
        format!("{packets_text} packets × {mtu} B = {bytes} B")
    };
    let least = switch.ecn_threshold_packets;
    let name = format!("QOSCOPE_K{least}");
    let packets = |count: u32| format!("{} packets", number(f64::from(count)));
    let written = |count: u32| format!("{} B", number(bytes(count) as f64));
    fields.push(K.of(scene, "switch.ecnThresholdPackets", packets(least), written(least)));
    let (greatest, probability, says) = match switch.marking {
        Marking::Red => {
            let percent = (switch.red_maximum_probability * 100.0).round().max(1.0);
            let exact = (percent - switch.red_maximum_probability * 100.0).abs() < 1e-9;
            let of = MARKING.of(scene, "switch.marking", "RED", "a ramp from K to Kmax");
            fields.push(of.because(How::Exactly, "RED is the ramp of WRED itself."));
            let greatest = switch.red_maximum_packets;
            fields.push(RED_MAXIMUM.of(scene, "switch.redMaximumPackets", packets(greatest), written(greatest)));
            let of = RED_PROBABILITY.of(
                scene,
                "switch.redMaximumProbability",
                number(switch.red_maximum_probability),
                format!("{} %", number(percent)),
            );
            fields.push(if exact { of.because(How::Exactly, "A whole number of per cent.") } else { of });
            let says =
                [format!("Kmax {}", in_bytes(greatest)), format!("Pmax {}", number(switch.red_maximum_probability))];
            (greatest, percent, says)
        }
        _ => {
            let of = MARKING.of(scene, "switch.marking", "Step", "both thresholds K, 100 %");
            let why = "A step is a ramp of no width: both thresholds are K, and every packet above K is marked.";
            fields.push(of.because(How::Exactly, why));
            (least, 100.0, ["K the same: a step, no ramp".to_owned(), "mark every packet above K".to_owned()])
        }
    };
    let [says_greatest, says_probability] = says;
    tables.push((
        "WRED_PROFILE",
        vec![Entry {
            key: name.clone(),
            fields: vec![
                ("ecn".into(), "ecn_all".into(), None),
                ("wred_green_enable".into(), "true".into(), None),
                ("green_min_threshold".into(), bytes(least).to_string(), Some(format!("K {}", in_bytes(least)))),
                ("green_max_threshold".into(), bytes(greatest).to_string(), Some(says_greatest)),
                ("green_drop_probability".into(), format!("{probability}"), Some(says_probability)),
            ],
            says: None,
        }],
    ));
    if let Some(point) = scene.effective("switch.markingPoint").and_then(|point| point.as_str()) {
        fields.push(POINT.of(scene, "switch.markingPoint", point, ""));
    }
    Some(name)
}

/// Pool and profile of buffers if ports share memory. Returns the name of the profile that priority groups use, `None` if the
/// switch has to create it: with PFC where the scenario states no headroom.
fn buffers(scene: &Scene, fields: &mut Vec<Mapped>, tables: &mut Vec<(&'static str, Vec<Entry>)>) -> Option<String> {
    let switch = &scene.scenario.switch;
    let bytes = |value: f64| format!("{} B", number(value));
    if switch.buffering == Buffering::PerPort {
        if let Some(packets) = scene.number("switch.bufferPackets") {
            fields.push(BUFFER.of(scene, "switch.bufferPackets", format!("{} packets", number(packets)), ""));
        }
        return None;
    }
    let pfc = switch.buffering == Buffering::Pfc;
    let (said, written) = if pfc { ("PFC", "pfc_enable") } else { ("Shared", "lossy") };
    let of = BUFFERING.of(scene, "switch.buffering", said, written);
    fields.push(if pfc {
        of
    } else {
        of.because(How::Exactly, "What does not fit is dropped: no PFC is switched on.")
    });
    let pool = if pfc { "ingress_lossless_pool" } else { "ingress_lossy_pool" };
    let size = switch.shared_buffer_bytes;
    fields.push(SHARED.of(scene, "switch.sharedBufferBytes", bytes(size as f64), bytes(size as f64)));
    let dynamic = switch.threshold == Threshold::Dynamic;
    let mut pool_fields = vec![
        ("type".into(), "ingress".into(), None),
        ("mode".into(), if dynamic { "dynamic" } else { "static" }.into(), None),
        ("size".into(), size.to_string(), Some(format!("shared buffer {}", bytes(size as f64)))),
    ];
    let headroom = switch.headroom_bytes.filter(|_| pfc).map(|headroom| headroom as f64);
    if let Some(headroom) = headroom {
        let ports = ports(scene).len();
        let all = headroom * ports as f64;
        pool_fields.push((
            "xoff".into(),
            format!("{all:.0}"),
            Some(format!("headroom {} × {ports} ports", bytes(headroom))),
        ));
    }
    tables.push(("BUFFER_POOL", vec![Entry { key: pool.into(), fields: pool_fields, says: None }]));
    if pfc && headroom.is_none() {
        let ideal = scene.number("switch.headroomBytes").map_or_else(|| "none".into(), bytes);
        let of = HEADROOM.of(scene, "switch.headroomBytes", format!("{ideal}, ideal"), "");
        fields.push(of.because(How::NotAtAll, NO_HEADROOM));
        let threshold = if dynamic { &ALPHA } else { &XOFF };
        for mapping in [threshold, &GUARANTEED, &XON] {
            if let Some(value) = scene.number(mapping.from) {
                let from = if mapping.from == ALPHA.from { number(value) } else { bytes(value) };
                fields.push(mapping.of(scene, mapping.from, from, "").because(How::NotAtAll, PLATFORM_PROFILE));
            }
        }
        return None;
    }
    let name = if pfc { LOSSLESS_PROFILE } else { "QOSCOPE_LOSSY" };
    let mut profile = vec![("pool".into(), pool.into(), None)];
    let guaranteed = switch.guaranteed_bytes;
    fields.push(GUARANTEED.of(scene, "switch.guaranteedBytes", bytes(guaranteed as f64), bytes(guaranteed as f64)));
    profile.push(("size".into(), guaranteed.to_string(), Some(format!("guaranteed {}", bytes(guaranteed as f64)))));
    if let Some(headroom) = headroom {
        fields.push(HEADROOM.of(scene, "switch.headroomBytes", bytes(headroom), bytes(headroom)));
        profile.push(("xoff".into(), format!("{headroom:.0}"), Some(format!("headroom {}", bytes(headroom)))));
        let offset = switch.xon_offset_bytes;
        fields.push(XON.of(scene, "switch.xonOffsetBytes", bytes(offset as f64), bytes(offset as f64)));
        profile.push(("xon".into(), "0".into(), None));
        profile.push(("xon_offset".into(), offset.to_string(), Some(format!("XOFF − XON {}", bytes(offset as f64)))));
    }
    if dynamic {
        let power = libm::log2(switch.threshold_alpha).round().clamp(-8.0, 7.0);
        let near = libm::exp2(power);
        let of = ALPHA.of(scene, "switch.thresholdAlpha", number(switch.threshold_alpha), number(power));
        let exact = (near - switch.threshold_alpha).abs() < 1e-9;
        let why = format!("α is a power of two: {} becomes {}.", number(switch.threshold_alpha), number(near));
        fields.push(if exact { of } else { of.because(How::Roughly, why) });
        profile.push((
            "dynamic_th".into(),
            format!("{power}"),
            Some(format!("α {} = 2^{}", number(near), number(power))),
        ));
    } else {
        let xoff = switch.xoff_bytes;
        fields.push(XOFF.of(scene, "switch.xoffBytes", bytes(xoff as f64), bytes(xoff as f64)));
        profile.push(("static_th".into(), xoff.to_string(), Some(format!("XOFF {}", bytes(xoff as f64)))));
    }
    tables.push(("BUFFER_PROFILE", vec![Entry { key: name.into(), fields: profile, says: None }]));
    Some(name.into())
}

fn scheduler(scene: &Scene, queue: &Queue) -> String {
    let names: Vec<String> = queue.classes.iter().map(|class| scene.scenario.classes[*class].name.clone()).collect();
    format!("QOSCOPE_{}", identifier(&names.join("_"), LONGEST_NAME))
}

fn scheduling(scene: &Scene, queues: &[Queue], fields: &mut Vec<Mapped>, tables: &mut Vec<(&'static str, Vec<Entry>)>) {
    let classes = &scene.scenario.classes;
    let ratio = |queue: &Queue| queue.classes.iter().map(|class| classes[*class].ratio).sum::<f64>();
    let whole: f64 = queues.iter().filter(|queue| !queue.strict).map(ratio).sum();
    let mut entries = Vec::new();
    for queue in queues {
        let key = scheduler(scene, queue);
        let class = queue.classes.first().copied();
        if queue.strict {
            let says = format!("priority {}: before queues of lower numbers", queue.number);
            entries.push(Entry {
                key,
                fields: vec![("type".into(), "STRICT".into(), None)],
                says: Some((says, class)),
            });
            for class in &queue.classes {
                let path = format!("classes[{class}].priority");
                let by = if classes[*class].priority > 0 { "" } else { ", by its DSCP" };
                let (from, to) = (format!("{}{by}", queue.number), format!("queue {}", queue.number));
                fields.push(PRIORITY.of(scene, &path, from, to));
            }
            continue;
        }
        let share = 100.0 * ratio(queue) / whole;
        let weight = share.round().clamp(1.0, 100.0);
        let says = format!("{} of {} = {share:.1} %", number(ratio(queue)), number(whole));
        let weighed = vec![("type".into(), "DWRR".into(), None), ("weight".into(), format!("{weight}"), None)];
        entries.push(Entry { key, fields: weighed, says: Some((says, class)) });
        for class in &queue.classes {
            let of = RATIO.of(
                scene,
                &format!("classes[{class}].ratio"),
                number(classes[*class].ratio),
                format!("DWRR {weight}"),
            );
            let exact = (share - weight).abs() < 1e-9;
            let rounded = format!("{share:.1} % becomes the whole number {weight}. {}", RATIO.why);
            fields.push(if exact { of } else { of.because(How::Roughly, rounded) });
        }
    }
    tables.push(("SCHEDULER", entries));
}

fn maps(
    scene: &Scene,
    queues: &[Queue],
    fields: &mut Vec<Mapped>,
    remarks: &mut Vec<String>,
    tables: &mut Vec<(&'static str, Vec<Entry>)>,
) {
    let names = &scene.scenario.classes;
    let mut dscp: BTreeMap<u8, (u8, usize, bool)> = BTreeMap::new();
    for queue in queues {
        for (class, (code, stated)) in queue.classes.iter().zip(&queue.dscp) {
            dscp.entry(*code).or_insert((queue.number, *class, *stated));
            let path = format!("classes[{class}].dscp");
            let to = format!("{code} → traffic class {}", queue.number);
            let of = DSCP.of(scene, &path, if *stated { code.to_string() } else { "none".into() }, to);
            fields.push(if *stated { of } else { of.because(How::Roughly, PROPOSAL) });
        }
    }
    let proposed: Vec<&str> =
        dscp.values().filter(|(_, _, stated)| !stated).map(|(_, class, _)| names[*class].name.as_str()).collect();
    if !proposed.is_empty() {
        remarks.push(format!(
            "The scenario states no DSCP for {}: those here are proposals, which hosts must set, too.",
            proposed.join(", ")
        ));
    }
    let mut map = |table: &'static str, pairs: Vec<(String, String)>, says: Option<&str>| {
        let fields = pairs.into_iter().map(|(from, to)| (from, to, None)).collect();
        tables.push((table, vec![Entry { key: "QOSCOPE".into(), fields, says: says.map(|says| (says.into(), None)) }]));
    };
    let codes = dscp.iter().map(|(code, (queue, _, _))| (code.to_string(), queue.to_string())).collect();
    map("DSCP_TO_TC_MAP", codes, Some("DSCP to traffic class, one per class"));
    let same =
        || queues.iter().rev().map(|queue| (queue.number.to_string(), queue.number.to_string())).collect::<Vec<_>>();
    map("TC_TO_QUEUE_MAP", same(), None);
    if scene.scenario.switch.buffering == Buffering::Pfc {
        map("TC_TO_PRIORITY_GROUP_MAP", same(), None);
        map("MAP_PFC_PRIORITY_TO_QUEUE", same(), None);
    }
}

/// Names of the ports of the switch with the most links.
fn ports(scene: &Scene) -> Vec<String> {
    // Ports of four lanes are numbered by their first.
    const LANES: usize = 4;
    let graph = graph_of(&scene.scenario.topology.shape);
    let switches = (0..graph.nodes().len()).map(NodeId::at).filter(|node| !graph.is_host(*node));
    let max_ports = switches.map(|switch| graph.leaving(switch).len()).max().unwrap_or(1);
    (0..max_ports).map(|port| format!("Ethernet{}", LANES * port)).collect()
}

fn for_ports(
    ports: &[String],
    queues: &[Queue],
    wred: Option<&str>,
    profile: Option<&str>,
    pfc: bool,
    tables: &mut Vec<(&'static str, Vec<Entry>)>,
) {
    let schedulers: Vec<String> = tables
        .iter()
        .find(|(table, _)| *table == "SCHEDULER")
        .map(|(_, entries)| entries.iter().map(|entry| entry.key.clone()).collect())
        .unwrap_or_default();
    let mut numbers: Vec<String> = queues.iter().map(|queue| queue.number.to_string()).collect();
    numbers.reverse();
    let (mut of_queues, mut of_groups, mut of_ports) = (Vec::new(), Vec::new(), Vec::new());
    for port in ports {
        for (queue, scheduler) in queues.iter().zip(&schedulers) {
            let mut fields = vec![("scheduler".into(), scheduler.clone(), None)];
            fields.extend(wred.map(|profile| ("wred_profile".into(), profile.to_owned(), None)));
            of_queues.push(Entry { key: format!("{port}|{}", queue.number), fields, says: None });
            of_groups.extend(profile.map(|profile| Entry {
                key: format!("{port}|{}", queue.number),
                fields: vec![("profile".into(), profile.to_owned(), None)],
                says: None,
            }));
        }
        let mut maps: Vec<Field> =
            vec![("dscp_to_tc_map".into(), "QOSCOPE".into(), None), ("tc_to_queue_map".into(), "QOSCOPE".into(), None)];
        if pfc {
            maps.push(("tc_to_pg_map".into(), "QOSCOPE".into(), None));
            maps.push(("pfc_to_queue_map".into(), "QOSCOPE".into(), None));
            maps.push(("pfc_enable".into(), numbers.join(","), None));
        }
        of_ports.push(Entry { key: port.clone(), fields: maps, says: None });
    }
    tables.push(("QUEUE", of_queues));
    if profile.is_some() {
        tables.push(("BUFFER_PG", of_groups));
    }
    tables.push(("PORT_QOS_MAP", of_ports));
}

/// The tables as JSON: an entry with lines that come from the scenario has a line for each field, every other one line.
fn json(tables: &[(&str, Vec<Entry>)]) -> Page {
    let mut page = Page::default();
    let comma = |at: usize, of: usize| if at + 1 < of { "," } else { "" };
    let quoted = |text: &str| serde_json::to_string(text).expect("text has a JSON form");
    page.line("{");
    for (number, (table, entries)) in tables.iter().enumerate() {
        page.line(format!("  {}: {{", quoted(table)));
        for (at, entry) in entries.iter().enumerate() {
            let end = comma(at, entries.len());
            let field = |(name, value, _): &Field| format!("{}: {}", quoted(name), quoted(value));
            if entry.fields.iter().any(|(_, _, says)| says.is_some()) {
                page.line(format!("    {}: {{", quoted(&entry.key)));
                for (at, whole) in entry.fields.iter().enumerate() {
                    let line = format!("      {}{}", field(whole), comma(at, entry.fields.len()));
                    match &whole.2 {
                        Some(says) => page.marked(line, says, None),
                        None => page.line(line),
                    }
                }
                page.line(format!("    }}{end}"));
                continue;
            }
            let fields: Vec<String> = entry.fields.iter().map(field).collect();
            let line = format!("    {}: {{ {} }}{end}", quoted(&entry.key), fields.join(", "));
            match &entry.says {
                Some((says, class)) => page.marked(line, says, *class),
                None => page.line(line),
            }
        }
        page.line(format!("  }}{}", comma(number, tables.len())));
    }
    page.line("}");
    page
}
