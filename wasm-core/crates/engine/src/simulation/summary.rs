//! The result of a run: the summary object that is a contract of the command line (`docs/scenario-format.md`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::access::{Operation, Request, Stage};
use crate::kernel::histogram::LatencyHistogram;
use crate::kernel::ids::{ClassId, FlowId, LinkId, NodeId};
use crate::kernel::sums::total;
use crate::kernel::time::{NEVER_PS, PS_PER_S, PS_PER_US, from_us, gbps, to_us};
use crate::qos::quality::{ClassShare, ConvergenceEvent, Turn};
use crate::scenario;
use crate::scenario::document::{Buffering, NestedClass, Note, Traffic, TransportKind};
use crate::simulation::bottleneck::SATURATED;
use crate::simulation::class_record::ClassRecord;
use crate::simulation::device_samples::SampledDevice;
use crate::simulation::devices;
use crate::simulation::metrics::{STAGE_ENTRIES, STAGES};
use crate::simulation::qos_control::aims_at_latency;
use crate::simulation::record::{PortReading, SentPackets};
use crate::simulation::{OutOfReach, Simulation};
use crate::storage::{Counters, Occupancy};

/// The whole result. A quantity that does not apply is none.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RunSummary")]
pub struct Summary {
    /// Which scenario.
    pub scenario: ScenarioName,
    /// Seed of the run.
    pub seed: u64,
    /// Simulated time, in microseconds.
    pub simulated_us: f64,
    /// Digest of all results, 16 hexadecimal digits.
    pub digest: String,
    /// What the engine did.
    pub engine: EngineFigures,
    /// By class.
    pub classes: Vec<ClassSummary>,
    /// The bottleneck port.
    pub network: NetworkSummary,
    /// Why the targets and quality factors of classes say nothing, if a device or no network decides what they get; their shares of
    /// what is carried count then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rates_out_of_reach: Option<OutOfReach>,
    /// By device; none where requests go to none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub devices: Vec<DeviceSummary>,
    /// By connection.
    pub flows: Vec<FlowSummary>,
}

/// Identity of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ScenarioName {
    /// Its name.
    pub name: String,
    /// Hash of its canonical form.
    pub hash: String,
    /// Its remarks at instants and nodes, in the order of the document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// What the engine did.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EngineFigures {
    /// Packets reaching the end of a link, and timers.
    pub events: u64,
    /// Packets reaching the end of a link.
    pub packet_hops: u64,
    /// Requests done.
    pub requests: u64,
    /// Time it took; filled in by those who have a clock.
    pub wall_seconds: Option<f64>,
    /// Its version; filled in by those who hand the summary out by itself. Results that versions share do not differ by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'static str>,
}

/// A class over the measured part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassSummary {
    /// Its name.
    pub name: String,
    /// Its transport at the end.
    pub transport: TransportKind,
    /// Payload handed over per second; none where a connection always has more.
    pub offered_gbps: Option<f64>,
    /// Payload delivered per second.
    pub carried_gbps: f64,
    /// Payload per second it should have carried: the mean over the measured part of the run of its weighted max-min share,
    /// no more than it asked for; none where it aims at a latency or has nothing to send.
    pub target_gbps: Option<f64>,
    /// Part of what all classes carried that it carried; none if they carried nothing.
    pub carried_share: Option<f64>,
    /// Part of the targets of all classes that its own is: what it should have of what is carried, whatever that is. None where it
    /// has none, and where any class aims at a latency: what that one takes is no share.
    pub target_share: Option<f64>,
    /// Its quality factor.
    pub quality_factor: QualitySummary,
    /// Its requests.
    pub requests: Requests,
    /// Whether it is offered more than it carries for good: waits then grow without bound, and its latencies tell how long
    /// the run was.
    pub backlog_grows: bool,
    /// From the hand-over of a request to its last byte delivered.
    pub latency_us: Latency,
    /// The part of it on the way of the data: of a write from the first byte sent on, of a read from when the target has the
    /// command.
    pub network_latency_us: Latency,
    /// The part of the latency of reads that the command is on its way to the target; none without reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command_latency_us: Option<Latency>,
    /// Latency of reads; none without any.
    pub reads: Option<Latency>,
    /// Latency of writes; none without any.
    pub writes: Option<Latency>,
    /// The part of it at devices: from the submission queue to the completion; none where requests go to none.
    pub device_latency_us: Option<Latency>,
    /// Where the time of its requests went, stage by stage; none without requests.
    pub stages_us: Option<Stages>,
    /// Deadlines; none for a class without one.
    pub deadline: Option<Deadline>,
    /// How its contract was kept; none for a class without one, or where no tenants are scheduled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contract: Option<ContractSummary>,
    /// Mean over its requests of size over latency: what a single transfer sees; none without requests.
    pub request_gbps: Option<f64>,
    /// Congestion notifications; none where acknowledgements carry the marks (TCP).
    pub notifications: Option<Notifications>,
    /// Retransmissions as a share of the data packets it sent; none if it sent nothing.
    pub retransmitted_fraction: Option<f64>,
}

/// Congestion notifications of a class.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    /// Received.
    pub received: u64,
    /// Of them, those that came when the flow had nothing left to send.
    pub late: u64,
    /// Their share: the "ECN ineffective ratio" of paper 3.
    pub late_fraction: Option<f64>,
}

/// The quality factor of a class.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct QualitySummary {
    /// Mean target over mean throughput, the two given beside it, at most 1000; for a class that aims at a latency the mean
    /// over its updates. None where there is no target.
    pub mean: Option<f64>,
    /// Least of the updates, and of the mean: updates see measured rates, the mean what was delivered.
    pub min: Option<f64>,
    /// Greatest of the updates, and of the mean.
    pub max: Option<f64>,
    /// When it first entered the band around 1 to stay, from the start of the run.
    pub converged_at_us: Option<f64>,
    /// Its convergence, each departure and each return: the first 64.
    pub convergence: Vec<ConvergenceSummary>,
}

/// A quality factor came near 1 to stay, or went away from it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ConvergenceEvent")]
pub struct ConvergenceSummary {
    /// Which.
    pub kind: Turn,
    /// The beginning of the round trips over which the mean of Q shows it.
    pub at_us: f64,
    /// Base round trips of the class from the event before, or from when the class first or again had something to send.
    pub rtts: f64,
}

impl From<&ConvergenceEvent> for ConvergenceSummary {
    fn from(event: &ConvergenceEvent) -> Self {
        Self { kind: event.turn, at_us: to_us(event.at_ps), rtts: event.rtts }
    }
}

/// Requests of a class.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RequestCounts")]
pub struct Requests {
    /// Handed over.
    pub issued: u64,
    /// Delivered.
    pub completed: u64,
    /// Delivered per second of the measured part of the run; none until a sample of it is complete.
    pub per_second: Option<f64>,
    /// Turned away, beside those: so many were waiting already that the run could hold no more.
    #[serde(skip_serializing_if = "is_zero")]
    pub turned_away: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// A latency distribution, in microseconds.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "LatencySummary")]
pub struct Latency {
    /// Requests counted.
    pub count: u64,
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 90th percentile.
    pub p90: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// 99.9th percentile.
    pub p999: Option<f64>,
    /// Largest.
    pub max: Option<f64>,
}

/// Mean time of requests in each stage, by the names of the stages, in microseconds.
pub type StageTimes = BTreeMap<&'static str, f64>;

/// Where the time of requests went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "StageSummaries")]
pub struct Stages {
    /// Of reads; none without any.
    pub reads: Option<StageSummary>,
    /// Of writes; none without any.
    pub writes: Option<StageSummary>,
}

/// Where the time of some requests went.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StageSummary {
    /// Over all of them.
    pub mean: StageTimes,
    /// Over the slowest hundredth of them.
    pub slowest_percent: StageTimes,
}

/// Share of the requests that are the slowest of all.
pub(super) const SLOWEST_SHARE: f64 = 0.01;

fn stages(record: &ClassRecord) -> Option<Stages> {
    let of = |operation: Operation| {
        let breakdown = &record.stages[operation as usize];
        let times = |ps: [f64; STAGES]| {
            STAGE_ENTRIES.iter().zip(ps).map(|(stage, ps)| (stage.id, ps / PS_PER_US as f64)).collect()
        };
        let (mean, slowest) = (breakdown.mean_ps()?, breakdown.slowest_ps(SLOWEST_SHARE)?);
        Some(StageSummary { mean: times(mean), slowest_percent: times(slowest) })
    };
    let stages = Stages { reads: of(Operation::Read), writes: of(Operation::Write) };
    (stages.reads.is_some() || stages.writes.is_some()).then_some(stages)
}

/// A storage device over the measured part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceSummary {
    /// Name of its host.
    pub host: String,
    /// Its name there.
    pub name: String,
    /// Commands that it has fetched.
    pub commands: u64,
    /// Flash pages programmed for each that the host wrote; none where nothing was written to flash.
    pub write_amplification: Option<f64>,
    /// Planes that a command to read flash took, the mean; none without such commands.
    pub planes_per_read: Option<f64>,
    /// Planes that a command to program flash took, the mean; none without such commands.
    pub planes_per_program: Option<f64>,
    /// When a write first waited for room in the write cache; none while none has.
    pub cache_full_us: Option<f64>,
    /// When garbage collection first began; none while it has not.
    pub collects_us: Option<f64>,
    /// Pages that garbage collection has moved.
    pub pages_moved: u64,
    /// Blocks erased.
    pub erases: u64,
    /// Programs and erases that were suspended for a read.
    pub suspensions: u64,
    /// Share of the look-ups of addresses that the cached part of the map could answer; none where all of it is cached.
    pub mapping_hit_fraction: Option<f64>,
}

/// How deadlines were met.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeadlineSummary")]
pub struct Deadline {
    /// The target.
    pub target_us: f64,
    /// Share of requests that took longer, or have been under way for longer; none without requests.
    pub missed_fraction: Option<f64>,
}

/// How the contract of a class was kept by the storage servers, over the measured part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContractSummary {
    /// Requests answered.
    pub answered: u64,
    /// By nested class.
    pub classes: Vec<NestedSummary>,
    /// Share of them that was in no nested class, so that nothing was promised for it; none without requests.
    pub overflow_fraction: Option<f64>,
}

/// A nested class of a contract. Response times are those of the storage server, from the arrival of the request there.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NestedClassSummary")]
pub struct NestedSummary {
    /// Response time promised.
    pub response_us: f64,
    /// Share of all requests that belongs to it and not to one further in; none without requests.
    pub fraction: Option<f64>,
    /// Of its requests, those answered later than promised.
    pub late: u64,
    /// Share of all requests of the class that was answered within this response time, promised or not; none without
    /// requests.
    pub within_fraction: Option<f64>,
}

/// Pauses since the end of the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PauseSummary")]
pub struct Pauses {
    /// Pauses that have reached switches.
    pub received_by_switches: u64,
    /// Pauses that have reached hosts.
    pub received_by_hosts: u64,
    /// Time links were held, summed over all of them.
    pub paused_link_us: f64,
}

/// Links that wait for each other in a circle.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeadlockSummary {
    /// When it was noticed.
    pub at_us: f64,
    /// The links, by the names of their ends.
    pub links: Vec<[String; 2]>,
}

/// The bottleneck port over the measured part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NetworkSummary {
    /// Which port: from node, to node.
    pub bottleneck: [String; 2],
    /// Share of the time it transmitted.
    pub bottleneck_utilisation: f64,
    /// Share of its packets that it marked.
    pub marked_fraction: Option<f64>,
    /// Packets it dropped.
    pub drops: u64,
    /// Packets dropped by all ports since the start of the run.
    pub drops_everywhere: u64,
    /// Retransmissions as a share of the data packets all hosts sent; none if they sent nothing.
    pub retransmitted_fraction: Option<f64>,
    /// Pauses sent by all switches; none without priority flow control.
    pub pause_frames: Option<u64>,
    /// Who was paused; none without priority flow control.
    pub pauses: Option<Pauses>,
    /// Links that hold each other up for ever; none as long as none do.
    pub deadlock: Option<DeadlockSummary>,
    /// Longest queue, the packet in transmission included.
    pub max_queue_packets: u32,
    /// Mean queue over time, the packet in transmission included.
    pub mean_queue_packets: f64,
}

impl NetworkSummary {
    /// Whether the port held requests back: it was busy next to all of the time.
    pub fn is_saturated(&self) -> bool {
        self.bottleneck_utilisation >= SATURATED
    }
}

/// A connection over the measured part of the run.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FlowSummary {
    /// Name of its class.
    pub class: String,
    /// Sending host, by host number.
    pub source: u32,
    /// Receiving host, by host number.
    pub destination: u32,
    /// Payload delivered per second.
    pub carried_gbps: f64,
    /// From its start to the delivery of its last request; none if it has no last one, or has not come to it.
    pub completion_us: Option<f64>,
    /// Mean of α over the samples.
    pub alpha: Option<f64>,
    /// Mean of the congestion window over the samples, in packets; none where packets are paced.
    pub window_packets: Option<f64>,
    /// Mean of the sending rate over the samples.
    pub rate_gbps: Option<f64>,
    /// Packets sent again since the start of the run.
    pub retransmissions: u64,
    /// Timeouts since the start of the run.
    pub timeouts: u64,
}

impl Latency {
    fn of(histogram: &LatencyHistogram) -> Self {
        let quantile = |share| histogram.quantile_us(share);
        Self {
            count: histogram.count(),
            mean: histogram.mean_us(),
            p50: quantile(0.5),
            p90: quantile(0.9),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: histogram.max_us(),
        }
    }
}

impl Simulation {
    /// The result so far, over the time since the end of the warm-up.
    pub fn summary(&self) -> Summary {
        let measured_ps = self.now_ps.saturating_sub(self.measurement.warmup_ps());
        let (network, flows) = (self.network_summary(measured_ps), self.flow_summaries(measured_ps));
        let mut classes: Vec<ClassSummary> =
            (0..self.control.classes.len()).map(|class| self.class_summary(class, measured_ps, &flows)).collect();
        self.share_out(&mut classes);
        Summary {
            scenario: ScenarioName {
                name: self.scenario.name.clone(),
                hash: scenario::hash(&self.scenario),
                notes: self.scenario.notes.clone(),
            },
            seed: self.scenario.seed,
            simulated_us: to_us(self.now_ps),
            digest: format!("{:016x}", self.digest()),
            engine: EngineFigures {
                events: self.events(),
                packet_hops: self.packet_hops(),
                requests: self.requests_done(),
                wall_seconds: None,
                version: None,
            },
            classes,
            network,
            rates_out_of_reach: self.out_of_reach(),
            devices: self.device_summaries(),
            flows,
        }
    }

    /// Fills in the shares of classes.
    fn share_out(&self, classes: &mut [ClassSummary]) {
        let carried_gbps = total(classes.iter().map(|class| class.carried_gbps));
        let target_gbps = total(classes.iter().filter_map(|class| class.target_gbps));
        let has_latency_goal = self.current.classes.iter().any(aims_at_latency);
        for class in classes {
            class.carried_share = (carried_gbps > 0.0).then(|| class.carried_gbps / carried_gbps);
            class.target_share = class.target_gbps.filter(|_| !has_latency_goal).map(|own| own / target_gbps);
        }
    }

    fn device_summaries(&self) -> Vec<DeviceSummary> {
        let summary = |(sampled, counters): (&SampledDevice, Counters)| {
            let SampledDevice { node, number, .. } = *sampled;
            let lookups = counters.mapping_hits + counters.mapping_misses;
            let mut now = Occupancy::default();
            self.storage.devices(node)[number].occupancy(self.now_ps, &mut now);
            let reached_us = |ps: u64| (ps != NEVER_PS).then(|| to_us(ps));
            DeviceSummary {
                host: self.plan.graph.nodes()[node.index()].name.clone(),
                name: devices::name(&self.scenario, &self.plan, node, number),
                commands: counters.commands.iter().sum(),
                write_amplification: Some(counters.write_amplification()).filter(|number| number.is_finite()),
                planes_per_read: counters.planes_per_read(),
                planes_per_program: counters.planes_per_program(),
                cache_full_us: reached_us(now.cache_full_ps),
                collects_us: reached_us(now.collects_ps),
                pages_moved: counters.gc_programs + counters.wear_programs,
                erases: counters.erases,
                suspensions: counters.program_suspensions + counters.erase_suspensions,
                mapping_hit_fraction: (counters.mapping_misses > 0)
                    .then(|| counters.mapping_hits as f64 / lookups as f64),
            }
        };
        self.measurement.devices.counted(&self.storage).map(summary).collect()
    }

    fn class_summary(&self, class: usize, measured_ps: u64, flows: &[FlowSummary]) -> ClassSummary {
        let (document, state, record) =
            (&self.current.classes[class], &self.control.classes[class], &self.measurement.classes[class]);
        let (sum, min, max, updates) = record.quality;
        let known = |number: f64| (updates > 0).then_some(number);
        let members = &self.plan.flows_of_class[class];
        let workloads = self.current.workloads.iter().filter(|workload| workload.class == document.name);
        let local_bytes = self.access.local_bytes(ClassId::at(class)) - record.local_before;
        let carried_gbps =
            total(members.iter().map(|&flow| flows[flow as usize].carried_gbps)) + gbps(local_bytes, measured_ps);
        let target_bits = state.target_bits_at(self.now_ps) - self.measurement.target_bits_at_warmup[class];
        // Bits in a picosecond are terabits in a second.
        let has_target = measured_ps > 0 && target_bits > 0.0;
        let target_gbps = has_target.then(|| 1e3 * target_bits / measured_ps as f64);
        let mean = if aims_at_latency(document) {
            known(sum / updates as f64)
        } else {
            target_gbps.and_then(|target_gbps| known(ClassShare::quality(target_gbps, carried_gbps)))
        };
        let endless = workloads.into_iter().any(|workload| matches!(workload.traffic, Traffic::Backlogged {}));
        ClassSummary {
            name: document.name.clone(),
            transport: document.transport,
            offered_gbps: (!endless).then(|| gbps(record.offered_bytes, measured_ps)),
            carried_gbps,
            target_gbps,
            carried_share: None,
            target_share: None,
            quality_factor: QualitySummary {
                mean,
                min: mean.map(|mean| mean.min(min)),
                max: mean.map(|mean| mean.max(max)),
                converged_at_us: state.convergence.first_ps().map(to_us),
                convergence: self.convergence(class),
            },
            requests: Requests {
                issued: record.issued,
                completed: record.completed,
                per_second: (measured_ps >= self.first_sample_ps())
                    .then(|| record.completed as f64 * PS_PER_S as f64 / measured_ps as f64),
                turned_away: record.turned_away,
            },
            backlog_grows: record.backlog_grows(),
            latency_us: Latency::of(&record.latency()),
            network_latency_us: Latency::of(&record.network),
            command_latency_us: record.commands().map(Latency::of),
            reads: record.reads().map(Latency::of),
            writes: record.writes().map(Latency::of),
            device_latency_us: (record.device.count() > 0).then(|| Latency::of(&record.device)),
            stages_us: stages(record),
            deadline: document.latency_target_us.map(|target_us| Deadline {
                target_us,
                missed_fraction: self.missed_fraction(class, from_us(target_us)),
            }),
            contract: self.contract_summary(class),
            request_gbps: (record.completed > 0).then(|| record.request_bps as f64 / record.completed as f64 / 1e9),
            notifications: document.transport.is_rate_based().then(|| self.notification_summary(class)),
            retransmitted_fraction: self.packets_since_warmup(class).retransmitted_fraction(),
        }
    }

    /// Time after the warm-up in which the first sample of the measured part is complete, or the run ends.
    fn first_sample_ps(&self) -> u64 {
        self.measurement.period_ps().min(self.duration_ps.saturating_sub(self.measurement.warmup_ps())).max(1)
    }

    /// How the contract of a class was kept since the end of the warm-up.
    fn contract_summary(&self, class: usize) -> Option<ContractSummary> {
        let contract = &self.current.classes[class].contract;
        let kept = self.storage.kept();
        let kept = kept.get(class)?.since(&self.measurement.classes[class].kept_before);
        let share = |count: u64| (kept.answered > 0).then(|| count as f64 / kept.answered as f64);
        let nested = |(number, promised): (usize, &NestedClass)| NestedSummary {
            response_us: promised.response_us,
            fraction: share(kept.by_class[number]),
            late: kept.by_class[number] - kept.in_time[number],
            within_fraction: share(kept.within[number]),
        };
        (!contract.is_empty()).then(|| ContractSummary {
            answered: kept.answered,
            classes: contract.iter().enumerate().map(nested).collect(),
            overflow_fraction: share(kept.by_class[contract.len()]),
        })
    }

    /// Share of the requests of a class, since the end of the warm-up, that took longer than `target_ps` or have been under
    /// way for longer.
    pub(super) fn missed_fraction(&self, class: usize, target_ps: u64) -> Option<f64> {
        let record = &self.measurement.classes[class];
        // What was asked for before then and is not done is late.
        let before_ps = self.now_ps.saturating_sub(target_ps);
        let late = |request: &&Request| request.class.index() == class && request.at_ps(Stage::Issued) < before_ps;
        let overdue = self.access.requests().under_way().filter(late).count() as u64;
        let total = record.completed + overdue;
        (total > 0).then(|| (record.missed + overdue) as f64 / total as f64)
    }

    /// Data packets of a class since the end of the warm-up.
    pub(super) fn packets_since_warmup(&self, class: usize) -> SentPackets {
        self.readings().packets_sent(ClassId::at(class)).since(self.measurement.packets_at_warmup[class])
    }

    fn notification_summary(&self, class: usize) -> Notifications {
        let (received, late) = self.readings().notifications(ClassId::at(class));
        let before = self.measurement.notifications_at_warmup[class];
        let (received, late) = (received - before.0, late - before.1);
        let late_fraction = (received > 0).then(|| late as f64 / received as f64);
        Notifications { received, late, late_fraction }
    }

    /// Pauses since the end of the warm-up, and how many of them were sent.
    fn pause_summary(&self) -> Option<(u64, Pauses)> {
        if self.current.switch.buffering != Buffering::Pfc {
            return None;
        }
        let (now, before) = (self.network.pauses(), self.measurement.pauses_at_warmup);
        let pauses = Pauses {
            received_by_switches: now.received_by_switches - before.received_by_switches,
            received_by_hosts: now.received_by_hosts - before.received_by_hosts,
            paused_link_us: to_us(self.network.paused_ps(self.now_ps) - self.measurement.paused_ps_at_warmup),
        };
        Some((now.sent - before.sent, pauses))
    }

    fn deadlock_summary(&self) -> Option<DeadlockSummary> {
        let deadlock = self.deadlock.as_ref()?;
        let name = |node: NodeId| self.plan.graph.nodes()[node.index()].name.clone();
        let ends = |link: &LinkId| {
            let wire = self.plan.graph.wires()[link.index()];
            [name(wire.from), name(wire.to)]
        };
        Some(DeadlockSummary { at_us: to_us(deadlock.at_ps), links: deadlock.links.iter().map(ends).collect() })
    }

    fn network_summary(&self, measured_ps: u64) -> NetworkSummary {
        let port = self.network.port(self.plan.bottleneck);
        let (now, before) = (PortReading::of(port, self.now_ps), self.measurement.port_at_warmup);
        let (pause_frames, pauses) = self.pause_summary().unzip();
        let decisions = now.counters.mark_decisions - before.counters.mark_decisions;
        let marks = now.counters.marks - before.counters.marks;
        let mean = |ps: u128| if measured_ps == 0 { 0.0 } else { ps as f64 / measured_ps as f64 };
        let wire = self.plan.graph.wires()[self.plan.bottleneck.index()];
        let classes = (0..self.control.classes.len()).map(|class| self.packets_since_warmup(class));
        let sent = classes.fold(SentPackets::default(), SentPackets::and);
        NetworkSummary {
            bottleneck: [wire.from, wire.to].map(|node| self.plan.graph.nodes()[node.index()].name.clone()),
            bottleneck_utilisation: mean(u128::from(now.busy_ps - before.busy_ps)),
            marked_fraction: (decisions > 0).then(|| marks as f64 / decisions as f64),
            drops: now.counters.all_drops() - before.counters.all_drops(),
            drops_everywhere: self.network.links().iter().map(|link| link.counters().all_drops()).sum(),
            retransmitted_fraction: sent.retransmitted_fraction(),
            pause_frames,
            pauses,
            deadlock: self.deadlock_summary(),
            max_queue_packets: self.measurement.max_queue,
            mean_queue_packets: mean(now.sojourned_ps - before.sojourned_ps),
        }
    }

    fn flow_summaries(&self, measured_ps: u64) -> Vec<FlowSummary> {
        let samples = self.measurement.samples;
        let mean = |sum: f64| (samples > 0 && !sum.is_nan()).then(|| sum / samples as f64);
        let flows = self.plan.flows.iter().zip(&self.measurement.flows).enumerate();
        flows
            .map(|(number, (planned, record))| {
                let flow = FlowId::at(number);
                let sender = self.connections.sender(flow);
                FlowSummary {
                    class: self.current.classes[planned.class.index()].name.clone(),
                    source: planned.source,
                    destination: planned.destination,
                    carried_gbps: gbps(self.readings().payload_delivered(flow) - record.delivered_before, measured_ps),
                    completion_us: record.completion_ps.map(to_us),
                    alpha: mean(record.alpha),
                    window_packets: mean(record.window),
                    rate_gbps: (record.rate.1 > 0).then(|| record.rate.0 / record.rate.1 as f64 / 1e9),
                    retransmissions: sender.retransmissions,
                    timeouts: sender.timeouts,
                }
            })
            .collect()
    }
}
