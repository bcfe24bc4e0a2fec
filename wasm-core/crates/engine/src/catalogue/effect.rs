//! Why a field has no effect in a scenario, and the change that would give it one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::title;
use crate::access::AccessProtocol;
use crate::qos::tenants::TenantScheduler;
use crate::scenario::document::{
    Buffering, Class, ClassTreatment, DeviceKind, Endpoints, Flows, Goal, Interarrival, Marking, Placement, Routing,
    Scenario, Shape, Size, Threshold, Traffic, Victims, Workload,
};
use crate::scenario::fields::Field;
use crate::scenario::read_share;
use crate::simulation::aims_at_latency;
use crate::storage::Arbitration;
use crate::storage::ssd::parameters as device;

/// Why a field has no effect on packets, requests and devices.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoEffect {
    /// The reason, as the end of the sentence "No effect: ...".
    pub reason: String,
    /// The field moves what the run is measured by: targets, quality factors or the digest.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub moves_target: bool,
    /// The change that would give it one, where one change does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remedy: Option<Remedy>,
}

/// A change, and what a button for it is called.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Remedy {
    /// What it does.
    pub label: String,
    /// The field that changes.
    pub path: String,
    /// Its new value.
    pub value: Value,
}

impl NoEffect {
    fn because(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), moves_target: false, remedy: None }
    }

    fn unless(self, label: impl Into<String>, path: impl Into<String>, value: impl Into<Value>) -> Self {
        Self { remedy: Some(Remedy { label: label.into(), path: path.into(), value: value.into() }), ..self }
    }
}

/// The rules, applied to one scenario.
pub(super) struct Rules<'a> {
    scenario: &'a Scenario,
    /// By the path of a field: the rules that speak of it.
    by_field: BTreeMap<&'static str, Vec<&'static Rule>>,
}

/// What is said of some fields.
struct Rule {
    /// The fields; of a section all of its fields.
    fields: &'static [&'static str],
    /// Why they have no effect, in the class of this number where they are fields of a class.
    no_effect: fn(&Scenario, usize) -> Option<NoEffect>,
}

impl<'a> Rules<'a> {
    /// The rules for a scenario.
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let mut by_field: BTreeMap<_, Vec<&Rule>> = BTreeMap::new();
        for rule in RULES {
            for field in rule.fields {
                by_field.entry(*field).or_default().push(rule);
            }
        }
        Self { scenario, by_field }
    }

    /// Why a field has no effect, in the element `index` of its list; none where it has. The first rule that objects counts.
    pub(super) fn no_effect(&self, field: &Field, index: Option<usize>) -> Option<NoEffect> {
        let found = self.first_objection(field, index.unwrap_or_default())?;
        let applies = !field.path.starts_with("storage.") || self.scenario.has_devices();
        Some(NoEffect { moves_target: applies && MEASURES.contains(&field.path.as_str()), ..found })
    }

    fn first_objection(&self, field: &Field, index: usize) -> Option<NoEffect> {
        let is_of_class = field.path.starts_with("classes[]");
        if is_of_class && let Some(foreign) = foreign(field, &self.scenario.classes[index]) {
            return Some(foreign);
        }
        if let Some(unread) = unread(field, self.scenario) {
            return Some(unread);
        }
        let section = field.path.rsplit_once('.').map_or("", |(section, _)| section);
        let rules = [section, &field.path].into_iter().filter_map(|path| self.by_field.get(path)).flatten();
        rules.into_iter().find_map(|rule| (rule.no_effect)(self.scenario, index))
    }
}

/// Fields from which targets, quality factors and the digest are computed, also where no class or queue follows them.
const MEASURES: [&str; 15] = [
    "access.commandBytes",
    "classes[].baseRttUs",
    "classes[].dirs.enabled",
    "classes[].rateSmoothing",
    "classes[].ratio",
    "classes[].updateIntervalRtts",
    "host.initialWindowPackets",
    "host.maximumWindowPackets",
    "qos.adaptToInterference",
    "qos.interferenceIntervalRtts",
    "qos.interferenceTolerance",
    "storage.nvme.highWeight",
    "storage.nvme.lowWeight",
    "storage.nvme.mediumWeight",
    "switch.ecnThresholdPackets",
];

/// The transport of a class does not know the field.
fn foreign(field: &Field, class: &Class) -> Option<NoEffect> {
    let is_foreign = !field.is_used_by(class.transport);
    is_foreign.then(|| NoEffect::because(format!("{} does not use it", title(class.transport))))
}

/// No protocol in use reads the field.
fn unread(field: &Field, scenario: &Scenario) -> Option<NoEffect> {
    let name = field.path.strip_prefix("access.")?.split('.').next()?;
    let reads = |protocol: &AccessProtocol| protocol.fields().contains(&name);
    let titles: Vec<&str> = AccessProtocol::ALL.iter().filter(|&own| reads(own)).map(|own| own.title()).collect();
    let idle = !titles.is_empty() && !scenario.uses_protocol(|protocol| reads(&protocol));
    idle.then(|| NoEffect::because(format!("nothing uses {}", titles.join(" or "))))
}

const RULES: &[Rule] = &[
    Rule { fields: &["switch.ecnThresholdPackets"], no_effect: threshold_is_followed },
    Rule {
        fields: &["switch.redMaximumPackets", "switch.redMaximumProbability"],
        no_effect: |scenario, _| {
            let other = scenario.switch.marking != Marking::Red;
            other.then(|| NoEffect::because("only RED marking uses it").unless("Mark by RED", "switch.marking", "red"))
        },
    },
    Rule { fields: &["switch.markingPoint"], no_effect: |scenario, _| marking_is_off(scenario) },
    Rule {
        fields: &["switch.bufferPackets", "switch.bufferBytes"],
        no_effect: |scenario, _| {
            let shared = scenario.switch.buffering != Buffering::PerPort;
            shared.then(|| {
                NoEffect::because("the ports of a switch share its memory").unless(
                    "Give every port its own",
                    "switch.buffering",
                    "per-port",
                )
            })
        },
    },
    Rule {
        fields: &["switch.xonOffsetBytes", "switch.headroomBytes"],
        no_effect: |scenario, _| {
            let silent = scenario.switch.buffering != Buffering::Pfc;
            silent.then(|| {
                NoEffect::because("switches send no pause frames").unless(
                    "Send pause frames",
                    "switch.buffering",
                    "pfc",
                )
            })
        },
    },
    Rule {
        fields: &[
            "switch.sharedBufferBytes",
            "switch.threshold",
            "switch.thresholdAlpha",
            "switch.xoffBytes",
            "switch.guaranteedBytes",
        ],
        no_effect: |scenario, _| {
            let separate = scenario.switch.buffering == Buffering::PerPort;
            separate.then(|| {
                NoEffect::because("every port has a buffer of its own").unless(
                    "Share the memory",
                    "switch.buffering",
                    "shared",
                )
            })
        },
    },
    Rule {
        fields: &["switch.thresholdAlpha"],
        no_effect: |scenario, _| {
            let fixed = scenario.switch.threshold != Threshold::Dynamic;
            fixed.then(|| {
                NoEffect::because("the threshold is a number of bytes").unless(
                    "Follow the free memory",
                    "switch.threshold",
                    "dynamic",
                )
            })
        },
    },
    Rule {
        fields: &["switch.xoffBytes"],
        no_effect: |scenario, _| {
            let moves = scenario.switch.threshold != Threshold::Static;
            moves.then(|| {
                NoEffect::because("the threshold follows the free memory").unless(
                    "Fix it in bytes",
                    "switch.threshold",
                    "static",
                )
            })
        },
    },
    Rule { fields: &["classes[].ratio"], no_effect: shares_count },
    Rule {
        fields: &["classes[].percentile"],
        no_effect: |scenario, index| {
            let class = &scenario.classes[index];
            let reason = NoEffect::because("the goal is a throughput share, not a latency");
            let remedied = class.latency_target_us.is_some();
            (class.goal != Goal::Latency).then(|| match remedied {
                true => reason.unless("Aim at its tail latency", format!("classes[{index}].goal"), "latency"),
                false => reason,
            })
        },
    },
    Rule {
        fields: &["classes[].gain", "classes[].dcqcn"],
        no_effect: |scenario, _| {
            let silent = marking_is_off(scenario)?;
            Some(NoEffect { reason: "nothing is marked, so there is no share to follow".into(), ..silent })
        },
    },
    Rule { fields: &["classes[].dirs"], no_effect: flows_begin },
    Rule {
        fields: &[
            "classes[].dirs.lateIntervalUs",
            "classes[].dirs.recoveryUs",
            "classes[].dirs.resetUs",
            "classes[].dirs.periodUs",
        ],
        no_effect: |scenario, index| {
            (!scenario.classes[index].dirs.enabled).then(|| {
                let path = format!("classes[{index}].dirs.enabled");
                NoEffect::because("initial rates are those of the link").unless("Turn DIRS on", path, true)
            })
        },
    },
    Rule {
        fields: &["classes[].dirs.lateIntervalUs", "classes[].dirs.recoveryUs", "classes[].dirs.resetUs"],
        no_effect: |scenario, index| {
            let deaf = !scenario.classes[index].transport.follows_marks();
            deaf.then(|| NoEffect::because("no notifications come that could move the virtual flow"))
        },
    },
    Rule {
        fields: &["qos.interferenceTolerance", "qos.interferenceIntervalRtts"],
        no_effect: |scenario, _| {
            (!scenario.qos.adapt_to_interference).then(|| {
                NoEffect::because("classes do not look for interference").unless(
                    "Adapt to it",
                    "qos.adaptToInterference",
                    true,
                )
            })
        },
    },
    Rule {
        fields: &["qos.adaptToInterference", "qos.interferenceTolerance", "qos.interferenceIntervalRtts"],
        no_effect: |scenario, _| any_follows_quality(scenario),
    },
    Rule {
        fields: &["qos.growthSlot", "qos.markInDeficit"],
        no_effect: |scenario, _| {
            let nobody = scenario.classes.iter().all(|class| !class.transport.describe().shares_growth);
            nobody.then(|| NoEffect::because("no class runs QTCP"))
        },
    },
    Rule {
        fields: &["host.initialWindowPackets", "host.maximumWindowPackets", "host.minimumWindowPackets"],
        no_effect: |scenario, _| {
            let paced = scenario.classes.iter().all(|class| class.transport.is_rate_based());
            paced.then(|| NoEffect::because("every class is paced at a rate and has no window"))
        },
    },
    Rule { fields: STORAGE_FIELDS, no_effect: |scenario, _| no_devices(scenario) },
    Rule {
        fields: &["classes[].nvmePriority"],
        no_effect: |scenario, _| no_devices(scenario).or_else(|| blind(scenario)),
    },
    Rule {
        fields: &["storage.tenants.inService", "classes[].contract", "classes[].contract[]"],
        no_effect: |scenario, _| {
            let unscheduled = scenario.storage.tenants.scheduler == TenantScheduler::None;
            no_devices(scenario).or_else(|| {
                let because = || NoEffect::because("requests go straight to the devices");
                unscheduled.then(|| scheduled(because(), Some(TenantScheduler::SUGGESTED)))
            })
        },
    },
    Rule {
        fields: &["storage.tenants.ladder", "classes[].vxlanGroup", "classes[].burstBit"],
        no_effect: |scenario, _| {
            let uses_ladder = scenario.storage.tenants.scheduler.profile().uses_ladder;
            no_devices(scenario).or_else(|| {
                let because = || NoEffect::because("the scheduler of tenants knows no bursts");
                (!uses_ladder).then(|| scheduled(because(), TenantScheduler::find(|profile| profile.uses_ladder)))
            })
        },
    },
    Rule {
        fields: &["classes[].dscp"],
        no_effect: |scenario, index| {
            let class = &scenario.classes[index];
            let unmapped = || {
                let reason = NoEffect::because("switches map no DSCP to a priority");
                match class.dscp {
                    Some(dscp) => reason.unless(
                        format!("Map DSCP {dscp} to priority {URGENT_PRIORITY}"),
                        "switch.dscpMap",
                        json!([{ "dscp": dscp, "priority": URGENT_PRIORITY }]),
                    ),
                    None => reason,
                }
            };
            (class.priority > 0)
                .then(|| {
                    NoEffect::because("the class states a priority of its own").unless(
                        "Take that of its DSCP",
                        format!("classes[{index}].priority"),
                        0,
                    )
                })
                .or_else(|| scenario.switch.dscp_map.is_empty().then(unmapped))
        },
    },
    Rule {
        fields: &["storage.constant.capacityIops"],
        no_effect: |scenario, _| {
            let mut devices = scenario.storage.servers.iter().flat_map(|server| &server.devices);
            let nobody = devices.all(|device| device.kind != DeviceKind::ConstantCapacity);
            nobody.then(|| NoEffect::because("no server has a device of constant capacity"))
        },
    },
    Rule {
        fields: &["storage.nvme.highWeight"],
        no_effect: |scenario, _| weight_is_idle(scenario, scenario.storage.ssd.high_pages),
    },
    Rule {
        fields: &["storage.nvme.mediumWeight"],
        no_effect: |scenario, _| weight_is_idle(scenario, scenario.storage.ssd.medium_pages),
    },
    Rule {
        fields: &["storage.nvme.lowWeight"],
        no_effect: |scenario, _| weight_is_idle(scenario, scenario.storage.ssd.low_pages),
    },
    Rule {
        fields: &["storage.nvme.deviceCommands"],
        no_effect: |scenario, _| {
            let limits = scenario.storage.nvme.arbitration.mechanism().limits_device;
            (!limits).then(|| NoEffect::because("every queue fetches by itself, up to its own limit"))
        },
    },
    Rule {
        fields: &["storage.stripeBytes"],
        no_effect: |scenario, _| {
            let whole = !matches!(scenario.storage.placement, Placement::Striping | Placement::Hashing);
            whole.then(|| NoEffect::because("addresses are not divided into stripes"))
        },
    },
    Rule {
        fields: &["storage.ssd.gcChoices"],
        no_effect: |scenario, _| {
            let other = scenario.storage.ssd.gc_victims.is_some_and(|victims| victims != Victims::Choices);
            other.then(|| {
                NoEffect::because("the victim is not the best of some").unless(
                    "Choose the best of some",
                    "storage.ssd.gcVictims",
                    "choices",
                )
            })
        },
    },
    Rule {
        fields: &["storage.ssd.mappingCacheBytes"],
        no_effect: |scenario, _| {
            let whole = scenario.storage.ssd.parameters([1; 3]).mapping == device::MappingTable::InMemory;
            whole.then(|| {
                NoEffect::because("all of the mapping table is in DRAM").unless(
                    "Cache a part of it",
                    "storage.ssd.mapping",
                    "cached",
                )
            })
        },
    },
    Rule {
        fields: &["storage.ssd.occupancy"],
        no_effect: |scenario, _| {
            let empty = scenario.storage.ssd.parameters([1; 3]).precondition == device::Precondition::Empty;
            empty.then(|| {
                NoEffect::because("the device is empty at the start").unless(
                    "Begin in the steady state",
                    "storage.ssd.precondition",
                    "random",
                )
            })
        },
    },
    Rule {
        fields: &["access.commandBytes"],
        no_effect: |scenario, _| {
            let reads_directly =
                |workload: &Workload| !scenario.protocol_of(workload).has_target() && read_share(workload) > 0.0;
            // Targets of shares leave room for commands, of other protocols too.
            let in_targets = scenario.has_devices() && any_follows_quality(scenario).is_none();
            let used = in_targets || scenario.workloads.iter().any(reads_directly);
            (!used).then(|| NoEffect::because("nothing reads over the protocol Direct"))
        },
    },
    Rule {
        fields: &["access.software.targetLatencyUs"],
        no_effect: |scenario, _| {
            let used = scenario.uses_protocol(|protocol| protocol.has_target() && protocol.crosses_network());
            (!used).then(|| NoEffect::because("nothing uses a protocol with a target across the network"))
        },
    },
    Rule { fields: &["access.software", "access.queueDepth"], no_effect: |scenario, _| no_devices(scenario) },
    Rule {
        fields: &["workloads[].devices", "workloads[].addresses", "workloads[].addresses.pattern"],
        no_effect: |scenario, index| {
            let direct = !scenario.protocol_of(&scenario.workloads[index]).has_target();
            direct.then(|| NoEffect::because("its requests go to no device"))
        },
    },
    Rule {
        fields: &["workloads[].protocol"],
        no_effect: |scenario, index| {
            let endless = matches!(scenario.workloads[index].traffic, Traffic::Backlogged {});
            endless.then(|| NoEffect::because("data without end have no requests that could go to a device"))
        },
    },
    Rule {
        fields: &["workloads[].addresses.pattern"],
        no_effect: |scenario, index| {
            let recorded = matches!(scenario.workloads[index].traffic, Traffic::Trace { .. } | Traffic::StandIn { .. });
            recorded.then(|| NoEffect::because("the trace says which addresses are read and written"))
        },
    },
    Rule {
        fields: &["workloads[].readFraction"],
        no_effect: |scenario, index| match scenario.workloads[index].traffic {
            Traffic::Trace { .. } => Some(NoEffect::because("the trace says which requests read")),
            Traffic::StandIn { .. } => Some(NoEffect::because("reads are those of the published trace")),
            Traffic::OpenLoop { .. } | Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => None,
        },
    },
    Rule {
        fields: &["seed"],
        no_effect: |scenario, _| (!draws(scenario)).then(|| NoEffect::because("nothing in this scenario is random")),
    },
];

/// A priority above that of ordinary traffic, as a remedy offers it.
const URGENT_PRIORITY: u8 = 5;

/// Fields that matter where requests go to devices.
const STORAGE_FIELDS: &[&str] = &[
    "storage.treatment",
    "storage.tenants.scheduler",
    "storage.placement",
    "storage.stripeBytes",
    "storage.nvme",
    "storage.ssd",
    "storage.memory",
];

/// No effect, unless tenants are scheduled by another scheduler.
fn scheduled(no_effect: NoEffect, scheduler: Option<TenantScheduler>) -> NoEffect {
    let Some(scheduler) = scheduler else { return no_effect };
    no_effect.unless(format!("Schedule tenants by {}", scheduler.title()), "storage.tenants.scheduler", scheduler.id())
}

fn no_devices(scenario: &Scenario) -> Option<NoEffect> {
    (!scenario.has_devices()).then(|| {
        NoEffect::because("requests end at the hosts, they go to no devices").unless(
            "Go on to the devices",
            "access.protocol",
            "nvme-tcp",
        )
    })
}

/// Storage does not follow the classes.
fn blind(scenario: &Scenario) -> Option<NoEffect> {
    let blind = matches!(scenario.storage.treatment, ClassTreatment::Agnostic | ClassTreatment::BySize);
    blind.then(|| {
        NoEffect::because("storage does not look at the class").unless(
            "Carry the class to the devices",
            "storage.treatment",
            "coordinated",
        )
    })
}

/// The weight of a level matters to queues that are weighed, and to dies that have no `pages` of their own for it.
fn weight_is_idle(scenario: &Scenario, pages: Option<u32>) -> Option<NoEffect> {
    let treatment = scenario.storage.treatment;
    if treatment == ClassTreatment::Agnostic {
        return blind(scenario);
    }
    let by_queues = scenario.storage.nvme.arbitration.mechanism().weighs;
    // The dies serve all commands at one level where only the protocol knows the class.
    let by_dies = pages.is_none() && treatment != ClassTreatment::Protocol;
    (!by_queues && !by_dies).then(|| {
        NoEffect::because("arbitration does not weigh priorities").unless(
            "Weigh the queues",
            "storage.nvme.arbitration",
            json!(Arbitration::WeightedRoundRobin),
        )
    })
}

fn marking_is_off(scenario: &Scenario) -> Option<NoEffect> {
    let off = scenario.switch.marking == Marking::Off;
    off.then(|| NoEffect::because("marking is off").unless("Mark at K", "switch.marking", "step"))
}

/// K matters where a class follows marks. One above the buffer is never reached, but another one would be.
fn threshold_is_followed(scenario: &Scenario, _: usize) -> Option<NoEffect> {
    let nobody_looks = scenario.classes.iter().all(|class| !class.transport.follows_marks());
    marking_is_off(scenario)
        .or_else(|| nobody_looks.then(|| NoEffect::because("every class follows the RTT, none ECN marks")))
}

/// A ratio matters where classes follow their shares, which depend on the ratios of all, and where it ranks commands or tenants
/// at devices.
fn shares_count(scenario: &Scenario, index: usize) -> Option<NoEffect> {
    let class = &scenario.classes[index];
    let follows_share = |class: &Class| class.transport.follows_quality() && !aims_at_latency(class);
    let shares = scenario.classes.iter().any(follows_share) && !aims_at_latency(class);
    let ranks = |class: &Class| class.nvme_priority.is_none() && scenario.priority_of(class) == 0;
    let commands = blind(scenario).is_none() && scenario.classes.iter().any(ranks);
    let tenants = scenario.storage.tenants.scheduler.profile().uses_weights && class.contract.is_empty();
    if shares || (no_devices(scenario).is_none() && (commands || tenants)) {
        return None;
    }
    if class.transport.follows_deadlines() {
        return Some(NoEffect::because(format!("{} follows deadlines, not shares", title(class.transport))));
    }
    if !class.transport.follows_quality() {
        return Some(NoEffect::because(format!("{} ignores class ratios", title(class.transport))));
    }
    (class.goal == Goal::Latency).then(|| {
        NoEffect::because("the goal is a tail latency").unless(
            "Aim at its throughput share",
            format!("classes[{index}].goal"),
            "throughput",
        )
    })
}

/// Initial rates matter where flows begin anew.
fn flows_begin(scenario: &Scenario, index: usize) -> Option<NoEffect> {
    let of_class = || scenario.workloads.iter().enumerate().filter(|(_, of)| of.class == scenario.classes[index].name);
    if of_class().any(|(_, workload)| workload.flows == Flows::PerRequest) {
        return None;
    }
    let reason = NoEffect::because("no flow of the class begins anew; its connections last");
    let with_requests = of_class().find(|(_, workload)| !matches!(workload.traffic, Traffic::Backlogged {}));
    Some(match with_requests {
        Some((number, _)) => {
            reason.unless("Begin a flow per request", format!("workloads[{number}].flows"), json!("per-request"))
        }
        None => reason,
    })
}

fn any_follows_quality(scenario: &Scenario) -> Option<NoEffect> {
    let nobody = scenario.classes.iter().all(|class| !class.transport.follows_quality());
    nobody.then(|| NoEffect::because("no class follows a quality factor, as QTCP and QRDMA do"))
}

/// Whether anything is drawn from the seed: starts, gaps, sizes, pauses, endpoints, paths or marks.
fn draws(scenario: &Scenario) -> bool {
    let random_size = |size: &Size| match size {
        Size::Fixed { .. } => false,
        Size::Choice { bytes } => bytes.len() > 1,
        Size::Uniform { .. } | Size::Published { .. } | Size::Exponential { .. } | Size::Empirical { .. } => true,
    };
    let random_traffic = |traffic: &Traffic| match traffic {
        Traffic::Backlogged {} | Traffic::Trace { .. } => false,
        Traffic::StandIn { .. } => true,
        Traffic::OpenLoop { gaps, size, .. } => *gaps != Interarrival::Constant || random_size(size),
        Traffic::ClosedLoop { think_time_us, think_time_distribution, size, .. } => {
            random_size(size) || (*think_time_us > 0.0 && *think_time_distribution != Interarrival::Constant)
        }
    };
    let starts = scenario.host.start_jitter_us != Some(0.0);
    let paths = scenario.topology.routing == Routing::Ecmp
        && !matches!(scenario.topology.shape, Shape::Dumbbell { .. } | Shape::LeafSpine { spines: 1, .. });
    let endpoints = |endpoints: &Endpoints| !matches!(endpoints, Endpoints::Pairs { .. });
    starts
        || paths
        || scenario.switch.marking == Marking::Red
        || scenario.has_devices()
        || scenario.workloads.iter().any(|workload| endpoints(&workload.endpoints) || random_traffic(&workload.traffic))
}
