//! Network cards that speak RoCE: DCQCN by the names that mlx5 gives its parameters, trust, priorities and PFC.
//!
//! Ranges of alpha, of the time between cuts and of the least rate are those of NVIDIA's DOCA SDK documentation 3.4.0, "DCQCN CC Parameters".
//! The timer, bytes and steps of increases have the widths of firmware's configuration (17, 15 and 5 bits: `tools_open_roce_cc_ecn` in
//! Mellanox/mstflint, tools_layouts/tools_open_layouts.h, 096e248). For the rates of increases no range was found but the 32 bits of the
//! driver's register (`cong_control_r_roce_ecn_rp` in torvalds/linux, include/linux/mlx5/mlx5_ifc.h).

use qoscope_engine::scenario::{Buffering, Diagnostic, TransportKind};

use super::page::{Page, number};
use super::scene::Scene;
use super::sonic::{self, PROPOSAL};
use super::{About, Command, Export, How, Kind, Mapped, Mapping, Target, Tool};

pub(super) const TOOL: Tool = Tool {
    about: About {
        id: "roce",
        title: "RoCE NICs",
        kind: Kind::Settings,
        holds: "DCQCN, priorities, PFC",
        version: "mlx5 (ConnectX-4 and later): DCQCN parameters of NVIDIA's DOCA documentation, mlnx_qos of MLNX_OFED",
    },
    mappings: MAPPINGS,
    write,
};

const GAIN: Mapping = Mapping {
    from: "classes[].dcqcn.gain",
    to: "roce_rp dce_tcp_g",
    how: How::Roughly,
    why: "The card keeps 1 − g with 10 bits of fraction.",
};
const CNP: Mapping = Mapping {
    from: "classes[].dcqcn.cnpIntervalUs",
    to: "roce_np min_time_between_cnps, roce_rp rate_reduce_monitor_period",
    how: How::Exactly,
    why: "Microseconds, as they are: the least time between two notifications, and between two cuts.",
};
const ALPHA: Mapping = Mapping {
    from: "classes[].dcqcn.alphaTimerUs",
    to: "roce_rp dce_tcp_rtt",
    how: How::Exactly,
    why: "Microseconds, as they are.",
};
const TIMER: Mapping = Mapping {
    from: "classes[].dcqcn.increaseTimerUs",
    to: "roce_rp rpg_time_reset",
    how: How::Exactly,
    why: "Microseconds, as they are.",
};
const BYTES: Mapping = Mapping {
    from: "classes[].dcqcn.byteCounterBytes",
    to: "roce_rp rpg_byte_reset",
    how: How::Exactly,
    why: "Bytes, as they are, up to 32 767; 0 where the timer alone counts.",
};
const STEPS: Mapping = Mapping {
    from: "classes[].dcqcn.fastRecoverySteps",
    to: "roce_rp rpg_threshold",
    how: How::Exactly,
    why: "Steps, as they are, up to 31.",
};
const AI: Mapping = Mapping {
    from: "classes[].dcqcn.additiveIncreaseMbps",
    to: "roce_rp rpg_ai_rate",
    how: How::Exactly,
    why: "Whole Mb/s.",
};
const HAI: Mapping = Mapping { from: "classes[].dcqcn.hyperIncreaseMbps", to: "roce_rp rpg_hai_rate", ..AI };
const LEAST: Mapping = Mapping { from: "classes[].dcqcn.minRateMbps", to: "roce_rp rpg_min_rate", ..AI };
const CLAMP: Mapping = Mapping {
    from: "classes[].dcqcn.clampTarget",
    to: "roce_rp clamp_tgt_rate",
    how: How::Exactly,
    why: "1 where every cut takes the rate before it as the target.",
};
const TRANSPORT: Mapping = Mapping {
    from: "classes[].transport",
    to: "roce_rp enable, roce_np enable",
    how: How::Exactly,
    why: "DCQCN is what these cards run.",
};
const RATIO: Mapping = Mapping {
    from: "classes[].ratio",
    to: "",
    how: How::NotAtAll,
    why: "DCQCN shares evenly: no card takes a ratio. Queues of switches weigh.",
};
const DSCP: Mapping = Mapping {
    from: "classes[].dscp",
    to: "mlnx_qos --trust dscp, --dscp2prio; traffic_class",
    how: How::Exactly,
    why: "The code point of a class, and the priority that it has there.",
};
const PRIORITY: Mapping = Mapping {
    from: "classes[].priority",
    to: "mlnx_qos --pfc, roce_np and roce_rp enable",
    how: How::Exactly,
    why: "Priorities are numbered as the queues of switches are, so that a pause names the same one at both ends.",
};
const PFC: Mapping = Mapping {
    from: "switch.buffering",
    to: "mlnx_qos --pfc",
    how: How::Exactly,
    why: "A 1 for every priority that is lossless.",
};

const MAPPINGS: &[Mapping] =
    &[TRANSPORT, GAIN, CNP, ALPHA, TIMER, BYTES, STEPS, AI, HAI, LEAST, CLAMP, RATIO, DSCP, PRIORITY, PFC];

/// Most that a card takes of microseconds between two notifications.
const MOST_CNP_US: f64 = 4095.0;
/// Most that a card takes of microseconds of a timer.
const MOST_TIMER_US: f64 = 131_071.0;
/// Most that a card takes of steps, by the 5 bits of firmware's field.
const MOST_STEPS: f64 = 31.0;
/// Most that the driver takes of Mb/s, by the 32 bits of its register. The least rate goes up to the line rate.
const MOST_MBPS: f64 = u32::MAX as f64;
/// Most that a card takes of bytes between two steps, by the 15 bits of firmware's field.
const MOST_BYTES: f64 = 32_767.0;
/// By the timer alone, in the scenario.
const NO_BYTE_COUNTER: f64 = 1e9;

fn write(scene: &Scene) -> Result<Export, Vec<Diagnostic>> {
    let scenario = scene.scenario;
    let rated: Vec<usize> =
        (0..scenario.classes.len()).filter(|class| scenario.classes[*class].transport.is_rate_based()).collect();
    let is_dcqcn = |class: &&usize| scenario.classes[**class].transport == TransportKind::Dcqcn;
    let Some(&first) = rated.iter().find(is_dcqcn) else {
        let reason = match rated.first() {
            Some(class) => format!(
                "has nothing for RoCE cards: they run DCQCN, and no class here does; {} has {}",
                scenario.classes[*class].name,
                scenario.classes[*class].transport.id().to_uppercase()
            ),
            None => "has nothing for RoCE cards: no class goes over RDMA".into(),
        };
        return Err(vec![Diagnostic::new("classes", reason, "Give a class the transport dcqcn.")]);
    };
    let mut fields = Vec::new();
    let mut remarks = Vec::new();
    let name = &scenario.classes[first].name;
    let mut page = Page::default();
    page.line("#!/bin/sh");
    page.line("# DCQCN, trust and priorities of an mlx5 card. Usage: sh roce.sh eth0");
    page.line("set -e");
    page.line("port=${1:?name the network interface, such as eth0}");
    page.line("ecn=/sys/class/net/$port/ecn");
    let places = places(scene, &rated);
    let mut priorities: Vec<u8> = places.iter().map(|place| place.priority).collect();
    priorities.sort_unstable();
    priorities.dedup();
    for priority in &priorities {
        let of = places.iter().filter(|place| place.priority == *priority);
        let names: Vec<&str> = of.map(|place| scenario.classes[place.class].name.as_str()).collect();
        let says = format!("priority {priority} of {}", names.join(", "));
        page.marked(format!("echo 1 > $ecn/roce_np/enable/{priority}"), says.clone(), Some(first));
        page.marked(format!("echo 1 > $ecn/roce_rp/enable/{priority}"), says, Some(first));
    }
    let path = format!("classes[{first}].transport");
    fields.push(TRANSPORT.of(scene, &path, "DCQCN", format!("enabled on priority {}", joined(&priorities))));

    let mut set = |side: &str, parameter: &str, value: String, says: String| {
        page.marked(format!("echo {value} > $ecn/{side}/{parameter}"), says, Some(first));
    };
    let value = |field: &str| scene.number(&format!("classes[{first}].dcqcn.{field}"));
    let mut map = |mapping: &Mapping, field: &str, unit: &str, of: f64, to: String, how: Option<(How, String)>| {
        let from = format!("{}{unit}", number(of));
        let mapped = mapping.of(scene, &format!("classes[{first}].dcqcn.{field}"), from, to);
        fields.push(match how {
            Some((how, why)) => mapped.because(how, why),
            None => mapped,
        });
    };
    if let Some(gain) = value("gain") {
        let kept = ((1.0 - gain) * 1024.0).round().clamp(0.0, 1023.0);
        let near = 1.0 - kept / 1024.0;
        let exact = (near - gain).abs() < 1e-9;
        let why = format!("The card keeps 1 − g with 10 bits of fraction: g is {}.", number(near));
        map(
            &GAIN,
            "gain",
            "",
            gain,
            format!("dce_tcp_g {kept}"),
            Some((if exact { How::Exactly } else { How::Roughly }, why)),
        );
        set("roce_rp", "dce_tcp_g", format!("{kept}"), format!("(1 − g) × 1024 = (1 − {}) × 1024", number(gain)));
    }
    let mut whole = |mapping: &Mapping, field: &str, unit: &str, most: f64, parameters: &[(&str, &str)]| {
        let Some(of) = value(field) else { return };
        let rounded = of.round().clamp(1.0, most);
        let exact = (rounded - of).abs() < 1e-9;
        let why = format!("Whole numbers from 1 to {}: {} becomes {}.", number(most), number(of), number(rounded));
        let names: Vec<&str> = parameters.iter().map(|(_, parameter)| *parameter).collect();
        map(
            mapping,
            field,
            unit,
            of,
            format!("{} {rounded}", names.join(", ")),
            (!exact).then_some((How::Roughly, why)),
        );
        for (side, parameter) in parameters {
            set(side, parameter, format!("{rounded}"), format!("{}{unit}", number(of)));
        }
    };
    whole(
        &CNP,
        "cnpIntervalUs",
        " µs",
        MOST_CNP_US,
        &[("roce_np", "min_time_between_cnps"), ("roce_rp", "rate_reduce_monitor_period")],
    );
    whole(&ALPHA, "alphaTimerUs", " µs", MOST_TIMER_US, &[("roce_rp", "dce_tcp_rtt")]);
    whole(&TIMER, "increaseTimerUs", " µs", MOST_TIMER_US, &[("roce_rp", "rpg_time_reset")]);
    whole(&STEPS, "fastRecoverySteps", " steps", MOST_STEPS, &[("roce_rp", "rpg_threshold")]);
    whole(&AI, "additiveIncreaseMbps", " Mb/s", MOST_MBPS, &[("roce_rp", "rpg_ai_rate")]);
    whole(&HAI, "hyperIncreaseMbps", " Mb/s", MOST_MBPS, &[("roce_rp", "rpg_hai_rate")]);
    whole(&LEAST, "minRateMbps", " Mb/s", MOST_MBPS, &[("roce_rp", "rpg_min_rate")]);
    if let Some(bytes) = value("byteCounterBytes") {
        if bytes >= NO_BYTE_COUNTER {
            let why = "No card counts so many bytes: 0 leaves the timer alone.".to_owned();
            map(&BYTES, "byteCounterBytes", " B", bytes, "rpg_byte_reset 0".into(), Some((How::Exactly, why)));
            set("roce_rp", "rpg_byte_reset", "0".into(), "by the timer alone".into());
        } else if bytes > MOST_BYTES {
            let why = format!("The field has 15 bits: {} B do not fit, and the card keeps what it has.", number(bytes));
            map(&BYTES, "byteCounterBytes", " B", bytes, String::new(), Some((How::NotAtAll, why)));
        } else {
            map(&BYTES, "byteCounterBytes", " B", bytes, format!("rpg_byte_reset {bytes}"), None);
            set("roce_rp", "rpg_byte_reset", format!("{bytes}"), format!("{} B", number(bytes)));
        }
    }
    if let Some(clamp) =
        scene.effective(&format!("classes[{first}].dcqcn.clampTarget")).and_then(|clamp| clamp.as_bool())
    {
        let to = u8::from(clamp);
        let path = format!("classes[{first}].dcqcn.clampTarget");
        let says = if clamp { "yes" } else { "no" };
        page.marked(format!("echo {to} > $ecn/roce_rp/clamp_tgt_rate"), format!("clamp target: {says}"), Some(first));
        fields.push(CLAMP.of(scene, &path, says, format!("clamp_tgt_rate {to}")));
    }
    quality(scene, &places, &priorities, &mut page, &mut fields);
    others(scene, &rated, first, &mut fields, &mut remarks);
    remarks
        .push("Parameters of DCQCN are those of a port: every connection on it has them, whatever its class.".into());
    remarks.push("A card may round what it is given: read the files under ecn/ after writing.".into());
    let about = format!("DCQCN of {name}, priority {}", joined(&priorities));
    let file = page.file("roce.sh", "sets the card of every host, until it starts again");
    let commands = vec![Command { on: "On every host, as root".into(), text: "sh roce.sh eth0".into() }];
    Ok(Export { target: Target::Roce, about, files: vec![file], fields, remarks, commands })
}

/// Where a class over RDMA goes on the wire.
struct Place {
    class: usize,
    /// Its priority: the number of its queue in switches.
    priority: u8,
    /// Its code point, and whether the scenario states it.
    dscp: u8,
    stated: bool,
}

/// Places of the classes over RDMA, as switches have them: a pause that a switch sends for a queue must name the priority of the card.
fn places(scene: &Scene, rated: &[usize]) -> Vec<Place> {
    let mut places = Vec::new();
    for queue in sonic::queues(scene) {
        for (class, (dscp, stated)) in queue.classes.iter().zip(&queue.dscp) {
            places.push(Place { class: *class, priority: queue.number, dscp: *dscp, stated: *stated });
        }
    }
    places.retain(|place| rated.contains(&place.class));
    places.sort_by_key(|place| place.class);
    places
}

fn joined(numbers: &[u8]) -> String {
    numbers.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

/// Trust, the priorities of code points, and PFC.
fn quality(scene: &Scene, places: &[Place], priorities: &[u8], page: &mut Page, fields: &mut Vec<Mapped>) {
    let scenario = scene.scenario;
    page.line("mlnx_qos -i \"$port\" --trust dscp");
    let mut trusted = Vec::new();
    for Place { class, priority, dscp, stated } in places {
        if !trusted.contains(dscp) {
            let says = format!("{}: DSCP {dscp}, priority {priority}", scenario.classes[*class].name);
            page.marked(format!("mlnx_qos -i \"$port\" --dscp2prio set,{dscp},{priority}"), says, Some(*class));
            trusted.push(*dscp);
        }
        let from = if *stated { dscp.to_string() } else { "none".into() };
        let of = DSCP.of(scene, &format!("classes[{class}].dscp"), from, format!("DSCP {dscp}, priority {priority}"));
        fields.push(if *stated { of } else { of.because(How::Roughly, PROPOSAL) });
        let own = scenario.classes[*class].priority;
        if own > 0 {
            let path = format!("classes[{class}].priority");
            fields.push(PRIORITY.of(scene, &path, own.to_string(), format!("priority {priority}")));
        }
    }
    if scenario.switch.buffering == Buffering::Pfc && scene.effective("switch.buffering").is_some() {
        let flags: Vec<&str> = (0..8).map(|priority| if priorities.contains(&priority) { "1" } else { "0" }).collect();
        let flags = flags.join(",");
        page.marked(
            format!("mlnx_qos -i \"$port\" --pfc {flags}"),
            format!("PFC on priority {}", joined(priorities)),
            None,
        );
        fields.push(PFC.of(scene, "switch.buffering", "PFC", format!("--pfc {flags}")));
    }
}

/// What no card takes: ratios, transports of other classes.
fn others(scene: &Scene, rated: &[usize], first: usize, fields: &mut Vec<Mapped>, remarks: &mut Vec<String>) {
    let classes = &scene.scenario.classes;
    let differ = classes.iter().any(|class| (class.ratio - classes[first].ratio).abs() > 0.0);
    for class in rated.iter().filter(|_| differ) {
        let mapped = RATIO.of(scene, &format!("classes[{class}].ratio"), number(classes[*class].ratio), "");
        fields.push(Mapped { see: Some(Target::Sonic), ..mapped });
    }
    for class in rated.iter().filter(|class| classes[**class].transport != TransportKind::Dcqcn) {
        let id = classes[*class].transport.id().to_uppercase();
        let why = format!("No card runs {id}: the classes that have it would run DCQCN.");
        let mapped =
            TRANSPORT.of(scene, &format!("classes[{class}].transport"), &id, "").because(How::NotAtAll, why.clone());
        fields.push(mapped);
        if !remarks.contains(&why) {
            remarks.push(why);
        }
    }
    let own = |class: &usize| (&classes[*class].dcqcn, classes[*class].transport);
    if rated.iter().any(|class| own(class) != own(&first)) {
        remarks.push(format!(
            "Parameters are those of {}: other classes over RDMA have others, and a port has one set.",
            classes[first].name
        ));
    }
}
