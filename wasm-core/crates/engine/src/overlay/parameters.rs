//! From a scenario, as it is at an instant, to the parameters of the model of its bottleneck.

use crate::kernel::time::to_us;
use crate::model::dtm;
use crate::scenario::document::{self, Goal, Marking, Scenario, Traffic, Workload};
use crate::scenario::{offered_gbps, size_law};
use crate::simulation::plan::{self, NetworkSettings, Plan};
use crate::transport::controllers::{Control, Model, dcqcn};

use super::payload_bytes;

/// Which connections cross the bottleneck.
pub(super) struct Crossing {
    /// By workload.
    workloads: Vec<Share>,
}

struct Share {
    class: usize,
    connections: f64,
    crossing: f64,
}

impl Share {
    /// Connections that have started at `now_us`.
    fn started(&self, workload: &Workload, now_us: f64) -> f64 {
        if now_us < workload.start_us {
            0.0
        } else if workload.start_gap_us == 0.0 {
            self.connections
        } else {
            (libm::floor((now_us - workload.start_us) / workload.start_gap_us) + 1.0).min(self.connections)
        }
    }

    /// Those of them that cross the bottleneck, any being as likely to as any other.
    fn crossing(&self, workload: &Workload, now_us: f64) -> f64 {
        self.crossing * self.started(workload, now_us) / self.connections
    }
}

/// What the workloads of a class come to.
#[derive(Default)]
struct Sum {
    connections: f64,
    backlogged: bool,
    open: bool,
    pps: f64,
    /// Packets the class may have on the way, as closed loops allow.
    ceiling: f64,
    /// Sum over the connections of the mean size of their requests, in packets.
    request_packets: f64,
}

impl Crossing {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut workloads: Vec<Share> = plan
            .associations_of_workload
            .iter()
            .map(|&associations| Share { class: 0, connections: f64::from(associations), crossing: 0.0 })
            .collect();
        for flow in &plan.flows[..plan.data_flows] {
            let share = &mut workloads[flow.workload];
            share.class = flow.class.index();
            share.crossing += if flow.data.contains(&plan.bottleneck) { flow.share } else { 0.0 };
        }
        Self { workloads }
    }

    /// The workloads with connections across the bottleneck.
    fn shares<'a>(&'a self, scenario: &'a Scenario) -> impl Iterator<Item = (&'a Share, &'a Workload)> {
        self.workloads.iter().zip(&scenario.workloads).filter(|(share, _)| share.crossing > 0.0)
    }

    /// The parameters of the model of the bottleneck at `now_us`.
    ///
    /// The model counts full packets: the capacity is that of the link with headers and framing, loads are payload.
    pub(super) fn parameters(
        &self,
        scenario: &Scenario,
        plan: &Plan,
        settings: &NetworkSettings,
        now_us: f64,
    ) -> dtm::Parameters {
        let link = &settings.links[plan.bottleneck.index()];
        let payload_bits = payload_bytes(scenario) * 8.0;
        let packet_bytes = f64::from(scenario.host.mtu_bytes + scenario.topology.frame_overhead_bytes);
        let switch = &scenario.switch;
        let buffer_bytes = switch.buffer_bytes.map_or(f64::INFINITY, |bytes| bytes as f64);
        let sums = self.sums(scenario, settings, now_us);
        let classes = sums.iter().enumerate().map(|(index, sum)| {
            let class = &scenario.classes[index];
            let own_ps = settings.class_rtt_ps[index];
            let rtt_ps = if own_ps == 0 { settings.base_rtt_ps } else { own_ps };
            let window = |packets: u32| f64::from(packets) * sum.connections.max(1.0);
            let line_bps = self.line_bps(plan, settings, index);
            let control = class.control(&scenario.qos, line_bps, rtt_ps);
            let model = class.transport.describe().model;
            dtm::Class {
                control: model_control(model, &control, packet_bytes),
                objective: match class.latency_target_us.filter(|_| aims_at_latency(class)) {
                    Some(target_us) => dtm::Objective::Latency {
                        target_s: target_us / 1e6,
                        request_packets: sum.request_packets / sum.connections.max(1.0),
                    },
                    None => dtm::Objective::Throughput { ratio: class.ratio },
                },
                baseline_s: to_us(rtt_ps.max(1)) / 2e6,
                gain: rates(&control).map_or(class.gain, |rates| rates.gain),
                load: match sum {
                    _ if model.is_none() => dtm::Load::Idle,
                    Sum { backlogged: true, .. } => dtm::Load::Backlogged,
                    Sum { open: true, pps, .. } => dtm::Load::Open { pps: *pps },
                    _ => dtm::Load::Idle,
                },
                connections: sum.connections,
                minimum_window_packets: window(scenario.host.minimum_window_packets).min(sum.ceiling),
                maximum_window_packets: window(scenario.host.maximum_window_packets).min(sum.ceiling),
                initial_window_packets: window(scenario.host.initial_window_packets).min(sum.ceiling),
                smoothing: class.rate_smoothing,
                update_interval_slots: class.update_interval_rtts,
            }
        });
        dtm::Parameters {
            capacity_pps: link.rate_bps as f64 / 8.0 / packet_bytes,
            target_pps: plan::capacity_bps(scenario, link) / payload_bits,
            threshold_packets: f64::from(switch.ecn_threshold_packets),
            marking: match switch.marking {
                Marking::Step => dtm::Marking::Step,
                Marking::Red => dtm::Marking::Red {
                    maximum_packets: f64::from(switch.red_maximum_packets),
                    probability: switch.red_maximum_probability,
                },
                Marking::Off => dtm::Marking::Off,
            },
            buffer_packets: f64::from(switch.buffer_packets).min(buffer_bytes / packet_bytes),
            cut: dtm::CutRule::MarkSeen,
            deficit: scenario.qos.mark_in_deficit,
            growth: scenario.qos.growth_slot,
            drain: dtm::Drain::Fifo,
            classes: classes.collect(),
        }
    }

    fn sums(&self, scenario: &Scenario, settings: &NetworkSettings, now_us: f64) -> Vec<Sum> {
        let mut sums: Vec<Sum> = scenario.classes.iter().map(|_| Sum::default()).collect();
        for (share, workload) in self.shares(scenario) {
            let connections = share.crossing(workload, now_us);
            if connections == 0.0 {
                continue;
            }
            let sum = &mut sums[share.class];
            let running = workload.stop_us.is_none_or(|stop_us| now_us < stop_us);
            match workload.traffic {
                Traffic::OpenLoop { .. } | Traffic::StandIn { .. } | Traffic::Trace { .. } => {
                    // What a trace brings is known once it has been read, which a model does not.
                    let offered_gbps = offered_gbps(&workload.traffic).unwrap_or_default();
                    sum.open = true;
                    sum.ceiling = f64::INFINITY;
                    let offered_pps = offered_gbps * 1e9 / 8.0 / payload_bytes(scenario);
                    sum.pps += if running { offered_pps * connections / share.connections } else { 0.0 };
                }
                Traffic::Backlogged {} if running => {
                    sum.backlogged = true;
                    sum.ceiling = f64::INFINITY;
                }
                Traffic::ClosedLoop { outstanding, requests, think_time_us, .. } if running || requests.is_some() => {
                    let window = connections * f64::from(outstanding) * packets_of_request(scenario, workload);
                    sum.ceiling += window;
                    if requests.is_some() || think_time_us > 0.0 {
                        sum.open = true;
                    } else {
                        sum.backlogged = true;
                    }
                    // With pauses: what the loops ask for in an empty network.
                    if requests.is_none() && think_time_us > 0.0 {
                        let rtt_us = to_us(settings.class_rtt_ps[share.class]);
                        sum.pps += window * 1e6 / (think_time_us + rtt_us);
                    }
                }
                Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => continue,
            }
            sum.connections += connections;
            sum.request_packets += connections * packets_of_request(scenario, workload);
        }
        sums
    }

    /// Rate of the links that the hosts of a class send by: of its first connection.
    fn line_bps(&self, plan: &Plan, settings: &NetworkSettings, class: usize) -> f64 {
        let first = plan.flows_of_class[class].first().map(|&flow| plan.flows[flow as usize].data[0]);
        settings.links[first.unwrap_or(plan.bottleneck).index()].rate_bps as f64
    }

    /// Hands to the model the closed loops of a known number of requests that start after `before_us` and up to `now_us`.
    pub(super) fn hand_over(&self, scenario: &Scenario, before_us: f64, now_us: f64, model: &mut dtm::Model) {
        for (share, workload) in self.shares(scenario) {
            if let Traffic::ClosedLoop { requests: Some(requests), .. } = workload.traffic {
                let connections = share.crossing(workload, now_us) - share.crossing(workload, before_us);
                model.hand_over(share.class, connections * requests as f64 * packets_of_request(scenario, workload));
            }
        }
    }

    /// The next instant after `now_us` at which a connection starts or a workload stops.
    pub(super) fn next_start_or_stop_us(&self, scenario: &Scenario, now_us: f64) -> f64 {
        let next = |(share, workload): (&Share, &Workload)| {
            let started = share.started(workload, now_us);
            let start_us = workload.start_us + started * workload.start_gap_us;
            let start_us = if started < share.connections { start_us } else { f64::INFINITY };
            let stop_us = workload.stop_us.filter(|stop_us| *stop_us > now_us).unwrap_or(f64::INFINITY);
            start_us.min(stop_us)
        };
        self.shares(scenario).map(next).fold(f64::INFINITY, f64::min)
    }
}

/// Whether a latency, not a share, is what the class follows.
fn aims_at_latency(class: &document::Class) -> bool {
    class.transport.follows_quality() && class.goal == Goal::Latency
}

/// The parameters of a rate that follows notifications; none for any other controller.
fn rates(control: &Control) -> Option<&dcqcn::Parameters> {
    match control {
        Control::Dcqcn(rates) | Control::Qrdma(rates) => Some(rates),
        _ => None,
    }
}

/// What the model computes for a controller. A class without a model has no load, so any will do for it.
fn model_control(model: Option<Model>, control: &Control, packet_bytes: f64) -> dtm::Control {
    match (model, rates(control).map(|rates| pacing(rates, packet_bytes))) {
        (Some(Model::Qtcp), _) => dtm::Control::Qtcp,
        (Some(Model::Dcqcn), Some(pacing)) => dtm::Control::Dcqcn(pacing),
        (Some(Model::Qrdma), Some(pacing)) => dtm::Control::Qrdma(pacing),
        _ => dtm::Control::Dctcp,
    }
}

/// A rate that follows notifications in packets of the model, which are full ones.
fn pacing(rates: &dcqcn::Parameters, packet_bytes: f64) -> dtm::Pacing {
    let pps = |bps: f64| bps / 8.0 / packet_bytes;
    let seconds = |ps: u64| to_us(ps) / 1e6;
    let counter = (rates.byte_counter_bytes != dcqcn::NO_BYTE_COUNTER).then_some(rates.byte_counter_bytes as f64);
    dtm::Pacing {
        interval_s: seconds(rates.decrease_interval_ps),
        alpha_interval_s: seconds(rates.alpha_timer_ps),
        increase_interval_s: seconds(rates.increase_timer_ps),
        increase_packets: counter.unwrap_or(f64::INFINITY) / packet_bytes,
        fast_recoveries: rates.fast_recovery_steps,
        additive_increase_pps: pps(rates.additive_increase_bps),
        hyper_increase_pps: pps(rates.hyper_increase_bps),
        min_pps: pps(rates.min_rate_bps),
        line_pps: pps(rates.line_bps),
    }
}

/// Mean size of a request of `workload`, in packets.
fn packets_of_request(scenario: &Scenario, workload: &Workload) -> f64 {
    size_law(&workload.traffic).mean_bytes() / payload_bytes(scenario)
}
