//! From a scenario, as it is at an instant, to the parameters of the model of its bottleneck.

use crate::kernel::time::to_us;
use crate::model::dtm;
use crate::scenario::document::{self, DcqcnSet, Goal, Marking, Scenario, Traffic, TransportKind, Workload};
use crate::simulation::plan::{self, NetworkSettings, Plan};

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

/// Whether the model covers a transport.
pub(super) fn has_model(transport: TransportKind) -> bool {
    transport != TransportKind::Timely
}

impl Crossing {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut workloads: Vec<Share> = plan
            .flows_of_workload
            .iter()
            .map(|&flows| Share { class: 0, connections: f64::from(flows), crossing: 0.0 })
            .collect();
        for flow in &plan.flows {
            let share = &mut workloads[flow.workload];
            share.class = flow.class.index();
            share.crossing += f64::from(u8::from(flow.data.contains(&plan.bottleneck)));
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
        let sums = self.sums(scenario, now_us);
        let classes = sums.iter().enumerate().map(|(index, sum)| {
            let class = &scenario.classes[index];
            let own_ps = settings.class_rtt_ps[index];
            let rtt_ps = if own_ps == 0 { settings.base_rtt_ps } else { own_ps };
            let window = |packets: u32| f64::from(packets) * sum.connections.max(1.0);
            let rates = Rates::of(&class.dcqcn, self.line_bps(plan, settings, index));
            dtm::Class {
                control: match class.transport {
                    TransportKind::Qtcp => dtm::Control::Qtcp,
                    TransportKind::Dctcp | TransportKind::D2tcp | TransportKind::Timely => dtm::Control::Dctcp,
                    TransportKind::Dcqcn => dtm::Control::Dcqcn(rates.pacing(packet_bytes)),
                    TransportKind::Qrdma => dtm::Control::Qrdma(rates.pacing(packet_bytes)),
                },
                objective: match class.latency_target_us.filter(|_| aims_at_latency(class)) {
                    Some(target_us) => dtm::Objective::Latency {
                        target_s: target_us / 1e6,
                        request_packets: sum.request_packets / sum.connections.max(1.0),
                    },
                    None => dtm::Objective::Throughput { ratio: class.ratio },
                },
                baseline_s: to_us(rtt_ps.max(1)) / 2e6,
                gain: if class.transport.is_rate_based() { rates.gain } else { class.gain },
                load: match sum {
                    _ if !has_model(class.transport) => dtm::Load::Idle,
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
            drain: dtm::Drain::Fifo,
            classes: classes.collect(),
        }
    }

    fn sums(&self, scenario: &Scenario, now_us: f64) -> Vec<Sum> {
        let mut sums: Vec<Sum> = scenario.classes.iter().map(|_| Sum::default()).collect();
        for (share, workload) in self.shares(scenario) {
            let connections = share.crossing(workload, now_us);
            if connections == 0.0 {
                continue;
            }
            let sum = &mut sums[share.class];
            let running = workload.stop_us.is_none_or(|stop_us| now_us < stop_us);
            match workload.traffic {
                Traffic::OpenLoop { offered_gbps, .. } => {
                    sum.open = true;
                    sum.ceiling = f64::INFINITY;
                    let offered_pps = offered_gbps * 1e9 / 8.0 / payload_bytes(scenario);
                    sum.pps += if running { offered_pps * connections / share.connections } else { 0.0 };
                }
                Traffic::Backlogged {} if running => {
                    sum.backlogged = true;
                    sum.ceiling = f64::INFINITY;
                }
                Traffic::ClosedLoop { outstanding, requests, .. } if running || requests.is_some() => {
                    sum.backlogged |= requests.is_none();
                    sum.open |= requests.is_some();
                    sum.ceiling += connections * f64::from(outstanding) * packets_of_request(scenario, workload);
                }
                Traffic::Backlogged {} | Traffic::ClosedLoop { .. } => continue,
            }
            sum.connections += connections;
            sum.request_packets += connections * packets_of_request(scenario, workload);
        }
        sums
    }

    /// Rate of the links that the hosts of a class send by: of its first connection.
    fn line_bps(&self, plan: &Plan, settings: &NetworkSettings, class: usize) -> u64 {
        let first = plan.flows_of_class[class].first().map(|&flow| plan.flows[flow as usize].data[0]);
        settings.links[first.unwrap_or(plan.bottleneck).index()].rate_bps
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

/// Parameters of a class of DCQCN or QRDMA, those of its set with what the class states beside.
struct Rates {
    gain: f64,
    cnp_interval_us: f64,
    alpha_timer_us: f64,
    increase_timer_us: f64,
    byte_counter_bytes: f64,
    fast_recovery_steps: u32,
    additive_increase_mbps: f64,
    hyper_increase_mbps: f64,
    least_rate_mbps: f64,
    line_mbps: f64,
}

impl Rates {
    fn of(class: &document::Dcqcn, line_bps: u64) -> Self {
        let line_mbps = line_bps as f64 / 1e6;
        let set = match class.set {
            DcqcnSet::Sigcomm15 => Self {
                gain: 1.0 / 256.0,
                cnp_interval_us: 50.0,
                alpha_timer_us: 55.0,
                increase_timer_us: 55.0,
                byte_counter_bytes: 10e6,
                fast_recovery_steps: 5,
                additive_increase_mbps: 40.0,
                hyper_increase_mbps: 400.0,
                least_rate_mbps: 10.0,
                line_mbps,
            },
            DcqcnSet::Vendor => Self {
                gain: 5.0 / 1024.0,
                cnp_interval_us: 4.0,
                alpha_timer_us: 1.0,
                increase_timer_us: 300.0,
                byte_counter_bytes: f64::INFINITY,
                fast_recovery_steps: 1,
                additive_increase_mbps: 5.0,
                hyper_increase_mbps: 50.0,
                least_rate_mbps: 1.0,
                line_mbps,
            },
            DcqcnSet::Hpcc => Self {
                gain: 1.0 / 256.0,
                cnp_interval_us: 4.0,
                alpha_timer_us: 1.0,
                increase_timer_us: 300.0,
                byte_counter_bytes: f64::INFINITY,
                fast_recovery_steps: 1,
                additive_increase_mbps: line_mbps / 5000.0,
                hyper_increase_mbps: line_mbps / 500.0,
                least_rate_mbps: 1000.0,
                line_mbps,
            },
        };
        Self {
            gain: class.gain.unwrap_or(set.gain),
            cnp_interval_us: class.cnp_interval_us.unwrap_or(set.cnp_interval_us),
            alpha_timer_us: class.alpha_timer_us.unwrap_or(set.alpha_timer_us),
            increase_timer_us: class.increase_timer_us.unwrap_or(set.increase_timer_us),
            byte_counter_bytes: class.byte_counter_bytes.map_or(set.byte_counter_bytes, |bytes| bytes as f64),
            fast_recovery_steps: class.fast_recovery_steps.unwrap_or(set.fast_recovery_steps),
            additive_increase_mbps: class.additive_increase_mbps.unwrap_or(set.additive_increase_mbps),
            hyper_increase_mbps: class.hyper_increase_mbps.unwrap_or(set.hyper_increase_mbps),
            least_rate_mbps: class.least_rate_mbps.unwrap_or(set.least_rate_mbps),
            line_mbps,
        }
    }

    /// In packets of the model, which are full ones.
    fn pacing(&self, packet_bytes: f64) -> dtm::Pacing {
        let pps = |mbps: f64| mbps * 1e6 / 8.0 / packet_bytes;
        dtm::Pacing {
            interval_s: self.cnp_interval_us / 1e6,
            alpha_interval_s: self.alpha_timer_us / 1e6,
            increase_interval_s: self.increase_timer_us / 1e6,
            increase_packets: self.byte_counter_bytes / packet_bytes,
            fast_recoveries: self.fast_recovery_steps,
            additive_increase_pps: pps(self.additive_increase_mbps),
            hyper_increase_pps: pps(self.hyper_increase_mbps),
            least_pps: pps(self.least_rate_mbps),
            line_pps: pps(self.line_mbps),
        }
    }
}

/// Mean size of a request of `workload`, in packets.
fn packets_of_request(scenario: &Scenario, workload: &Workload) -> f64 {
    plan::size_law(&workload.traffic).mean_bytes() / payload_bytes(scenario)
}
