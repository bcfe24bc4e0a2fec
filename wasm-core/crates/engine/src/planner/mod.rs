//! What capacity the contracts of a scenario need, who can be admitted, and how its tenants fare side by side under every
//! scheduler (paper 4): closed forms of [`crate::qos::tenants::capacity`] and [`crate::model::decomposition`], beside the
//! constant-capacity server of [`crate::model::server`].
//!
//! [`plan`] answers all at once; [`Planner`] is asked again and again while a person changes contracts, and answers what takes
//! long a piece at a time. Stands on top of the layers, as it reads a scenario. The simulation of the same scenario is the check
//! on it.

pub mod arrivals;
pub mod bursts;
pub mod jobs;
pub mod live;
mod stand_in;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use schemars::JsonSchema;
use serde::Serialize;

use crate::kernel::sums::total;
use crate::kernel::time::{PS_PER_S, to_us};
use crate::model::decomposition;
use crate::qos::tenants::capacity::{self, Binding, Need};
use crate::qos::tenants::{Contract, TenantScheduler, Terms};
use crate::scenario::Diagnostic;
use crate::scenario::document::Scenario;
use crate::simulation::devices;
use crate::workload::traces::Traces;
use jobs::{Findings, Job, Workloads};

pub use live::{Needs, Planner, TenantNeeds};
pub use stand_in::{StandInLoop, StandIns, stand_ins, with_stand_ins};

/// Windows at which burstiness is told, in picoseconds: 1 ms to 10 s.
const WINDOWS_PS: [u64; 5] = [PS_PER_S / 1000, PS_PER_S / 100, PS_PER_S / 10, PS_PER_S, 10 * PS_PER_S];
/// Windows in which the parts of a workload are told.
const PART_WINDOW_PS: u64 = PS_PER_S / 10;
/// Points of a distribution of response times.
const TAIL_POINTS: usize = 200;
/// Shares of requests, and the response times within which they are answered, that a contract is suggested for where a class
/// has none (paper 4, section 3).
const WISHES: [(f64, f64); 3] = [(0.9, 5000.0), (0.99, 50_000.0), (0.999, 500_000.0)];

/// The plan of a scenario. Capacities and rates are in requests a second.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CapacityPlan")]
pub struct Plan {
    /// Capacity of a server; none where its devices have no constant capacity.
    pub capacity_iops: Option<f64>,
    /// Capacity that all contracts together need.
    pub need_iops: f64,
    /// What those who are admitted leave of the capacity.
    pub left_iops: Option<f64>,
    /// By class.
    pub tenants: Vec<TenantPlan>,
    /// How tenants fare on a server of constant capacity under every scheduler: one of the capacity above, else of what they need.
    pub outcomes: Vec<Outcome>,
}

/// The plan of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantPlan {
    /// Name of its class.
    pub name: String,
    /// Its workload.
    pub workload: WorkloadPlan,
    /// What its contract needs; none without one.
    pub contract: Option<ContractPlan>,
    /// Whether it is admitted beside those before it; none without capacity or contract.
    pub admitted: Option<bool>,
    /// The tightest response time of its innermost class, the others in proportion, beside those admitted before it.
    pub tightest_response_us: Option<f64>,
    /// The contract that its workload suggests.
    pub suggestion: Suggestion,
}

/// How a workload arrives.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkloadPlan {
    /// Requests.
    pub requests: u64,
    /// Mean rate.
    pub rate_iops: f64,
    /// Burstiness at growing scales.
    pub burstiness: Vec<Burstiness>,
}

/// Burstiness at one scale.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Burstiness {
    /// Length of the windows.
    pub window_us: f64,
    /// Most requests in any window.
    pub most: u64,
    /// Variance over mean of the requests in a window, 1 for a Poisson process; none where windows are too few.
    pub dispersion: Option<f64>,
}

/// What a contract needs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContractPlan {
    /// κ, the capacity that it needs.
    pub need_iops: f64,
    /// What binds it, in a few words.
    pub binding: String,
    /// Its nested classes, the innermost first.
    pub classes: Vec<ClassPlan>,
    /// Share of the requests that is in none of them.
    pub overflow_fraction: Option<f64>,
    /// Capacity with which every request is answered within the first response time: a promise of a single level.
    pub single_level_iops: f64,
}

/// A nested class.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClassPlan {
    /// σ, in requests.
    pub burst: f64,
    /// ρ.
    pub rate_iops: f64,
    /// δ.
    pub response_us: f64,
    /// Its term of the lemma: the capacity that it asks for at its response time.
    pub term_iops: f64,
    /// Share of the requests that belongs to it and to none further in; none without requests.
    pub fraction: Option<f64>,
    /// Most of these in any tenth of a second.
    pub most: u64,
}

/// A contract that a workload suggests.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SuggestedContract")]
pub struct Suggestion {
    /// By class: the share of requests wished for.
    pub fractions: Vec<f64>,
    /// The contract.
    pub contract: ContractPlan,
}

/// How tenants fare under a scheduler.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SchedulerOutcome")]
pub struct Outcome {
    /// The scheduler.
    pub scheduler: TenantScheduler,
    /// By class.
    pub tenants: Vec<TenantOutcome>,
}

/// How a tenant fares.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantOutcome {
    /// By nested class: share of all its requests that is answered within its response time; none without requests.
    pub within: Vec<Option<f64>>,
    /// By nested class: requests of it that are answered later.
    pub late: Vec<u64>,
    /// 99th percentile of its response times; none without requests.
    pub p99_us: Option<f64>,
    /// The distribution: pairs of a response time in microseconds and the share that took longer.
    pub tail: Vec<(f64, f64)>,
}

/// The plan of a scenario.
///
/// # Errors
/// A workload has no arrivals of its own, or its trace is not there.
pub fn plan(scenario: &Scenario, traces: &Traces) -> Result<Plan, Vec<Diagnostic>> {
    let workloads = draw(scenario, traces)?;
    let Needs { capacity_iops, need_iops, left_iops, tenants: needs } = Needs::of(scenario);
    let contracts: Vec<Contract> = scenario.classes.iter().map(devices::contract).collect();
    let tenant = |(number, needs): (usize, TenantNeeds)| {
        let (arrivals, contract) = (&workloads[number], &contracts[number]);
        let contract = match Job::single(&workloads, number, contract).finish() {
            Findings::Single(Some(single)) => Some(contract_plan(arrivals, contract, single)),
            _ => None,
        };
        let Findings::Suggestion(suggestion) = Job::suggestion(&workloads, number).finish() else {
            unreachable!("a job finds what it was asked for")
        };
        TenantPlan {
            name: scenario.classes[number].name.clone(),
            workload: workload(arrivals, scenario.duration_us),
            contract,
            admitted: needs.admitted,
            tightest_response_us: needs.tightest_response_us,
            suggestion,
        }
    };
    let tenants = needs.into_iter().enumerate().map(tenant).collect();
    let terms = terms(scenario);
    let outcomes = if terms.capacity > 0.0 {
        TenantScheduler::ALL.iter().map(|&scheduler| jobs::side_by_side(&workloads, scheduler, &terms)).collect()
    } else {
        Vec::new()
    };
    Ok(Plan { capacity_iops, need_iops, left_iops, tenants, outcomes })
}

/// Arrivals of all tenants of a scenario.
///
/// # Errors
/// A workload has no arrivals of its own, or its trace is not there.
fn draw(scenario: &Scenario, traces: &Traces) -> Result<Workloads, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let drawn = (0..scenario.classes.len()).map(|class| {
        arrivals::of_class(scenario, class, traces).unwrap_or_else(|found| {
            diagnostics.extend(found);
            Vec::new()
        })
    });
    let workloads = Rc::new(drawn.collect());
    if diagnostics.is_empty() { Ok(workloads) } else { Err(diagnostics) }
}

/// What schedulers are told of the tenants of a scenario: on its server, else on one that does just what contracts need.
fn terms(scenario: &Scenario) -> Terms {
    let contracts = scenario.classes.iter().map(devices::contract);
    let needed = || total(contracts.map(|contract| capacity::need(&capacity::classes(&contract)).capacity));
    devices::tenant_terms(scenario, devices::constant_capacity(scenario).unwrap_or_else(needed))
}

fn workload(arrivals: &[u64], duration_us: f64) -> WorkloadPlan {
    WorkloadPlan {
        requests: arrivals.len() as u64,
        rate_iops: arrivals.len() as f64 / (duration_us / 1e6),
        burstiness: WINDOWS_PS.map(|window_ps| burstiness(arrivals, window_ps)).into(),
    }
}

fn burstiness(arrivals: &[u64], window_ps: u64) -> Burstiness {
    Burstiness {
        window_us: to_us(window_ps),
        most: decomposition::envelope(arrivals, &[window_ps])[0],
        dispersion: decomposition::dispersion(arrivals, window_ps),
    }
}

/// What a contract needs for a workload, `single_level_iops` being known.
fn contract_plan(arrivals: &[u64], contract: &Contract, single_level_iops: f64) -> ContractPlan {
    let classes = capacity::classes(contract);
    let Need { capacity: need_iops, binding, terms } = capacity::need(&classes);
    let parts = decomposition::parts(arrivals, contract, PART_WINDOW_PS);
    let share = |count: u64| (!arrivals.is_empty()).then(|| count as f64 / arrivals.len() as f64);
    let nested = classes.iter().zip(&terms).zip(&parts);
    ContractPlan {
        need_iops,
        binding: binding_words(binding),
        classes: nested
            .map(|((class, &term_iops), part)| ClassPlan {
                burst: class.burst,
                rate_iops: class.rate,
                response_us: class.response_s * 1e6,
                term_iops,
                fraction: share(part.requests),
                most: part.most,
            })
            .collect(),
        overflow_fraction: parts.last().and_then(|part| share(part.requests)),
        single_level_iops,
    }
}

fn binding_words(binding: Binding) -> String {
    match binding {
        Binding::Rate => "the rate of the outermost class".into(),
        Binding::Burst { class } => format!("the burst of class {}, due at its response time", class + 1),
        Binding::Gap { class } => {
            format!(
                "the burst of class {} and what follows it up to the response time of class {}",
                class + 1,
                class + 2
            )
        }
    }
}
