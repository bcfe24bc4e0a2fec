//! A planner that is asked again and again: it keeps what it knows of the workloads of a scenario while contracts and capacities
//! change.

use schemars::JsonSchema;
use serde::Serialize;

use super::bursts::{self, LadderSteps, LadderTerms};
use super::jobs::{Job, Question, Workloads};
use super::{binding_words, draw, terms};
use crate::kernel::sums::total;
use crate::kernel::time::{PS_PER_S, from_us, to_us};
use crate::qos::tenants::capacity::{self, Class, Need};
use crate::qos::tenants::{Contract, TenantScheduler};
use crate::scenario::Diagnostic;
use crate::scenario::document::{Class as TrafficClass, Scenario};
use crate::simulation::devices;
use crate::workload::traces::Traces;

/// What the contracts of a scenario need, by the lemma alone. Capacities and rates are in requests a second.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CapacityNeeds")]
pub struct Needs {
    /// Capacity of a server; none where its devices have no constant capacity.
    pub capacity_iops: Option<f64>,
    /// Capacity that all contracts together need.
    pub need_iops: f64,
    /// What those who are admitted leave of the capacity.
    pub left_iops: Option<f64>,
    /// By class.
    pub tenants: Vec<TenantNeeds>,
}

/// What the contract of a tenant needs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenantNeeds {
    /// κ; none without a contract.
    pub need_iops: Option<f64>,
    /// What binds it, in a few words.
    pub binding: Option<String>,
    /// By nested class: the capacity that it asks for at its response time.
    pub terms_iops: Vec<f64>,
    /// Whether it is admitted beside those before it; none without capacity or contract.
    pub admitted: Option<bool>,
    /// The tightest response time of its innermost class, the others in proportion, beside those admitted before it.
    pub tightest_response_us: Option<f64>,
}

impl Needs {
    /// What the contracts of a scenario need.
    pub fn of(scenario: &Scenario) -> Self {
        let contracts: Vec<Contract> = scenario.classes.iter().map(devices::contract).collect();
        let classes: Vec<Vec<Class>> = contracts.iter().map(capacity::classes).collect();
        let needs: Vec<Need> = classes.iter().map(|classes| capacity::need(classes)).collect();
        let capacities: Vec<f64> = needs.iter().map(|need| need.capacity).collect();
        let capacity_iops = devices::constant_capacity(scenario);
        let admission = capacity_iops.map(|capacity| capacity::admit(&capacities, capacity));
        let mut left = capacity_iops;
        let mut tenants = Vec::with_capacity(needs.len());
        for (number, Need { capacity, binding, terms }) in needs.into_iter().enumerate() {
            let promised = !classes[number].is_empty();
            let admitted = admission.as_ref().filter(|_| promised).map(|admission| admission.admitted[number]);
            let tightest_s = left.filter(|_| promised).and_then(|left| capacity::tightest(&classes[number], left));
            left = left.map(|left| if admitted == Some(true) { left - capacity } else { left });
            tenants.push(TenantNeeds {
                need_iops: promised.then_some(capacity),
                binding: promised.then(|| binding_words(binding)),
                terms_iops: terms,
                admitted,
                tightest_response_us: tightest_s.map(|seconds| seconds * 1e6),
            });
        }
        let need_iops = total(capacities.iter().copied());
        Self { capacity_iops, need_iops, left_iops: admission.map(|admission| admission.left), tenants }
    }
}

/// What is known of a tenant.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PlannedTenant")]
pub struct Facts {
    /// Name of its class.
    pub name: String,
    /// Requests.
    pub requests: u64,
    /// Mean rate over the run.
    pub rate_iops: f64,
    /// When the last of them comes.
    pub last_us: f64,
}

/// Windows of a picture of bursts: so many in every decade, from a tenth of a millisecond on.
const WINDOWS_A_DECADE: u32 = 6;
const MIN_WINDOW_PS: u64 = PS_PER_S / 10_000;

/// A scenario, the arrivals of its tenants, and what has been asked about them.
pub struct Planner {
    scenario: Scenario,
    workloads: Workloads,
    traces: Traces,
}

impl Planner {
    /// A planner for a scenario.
    ///
    /// # Errors
    /// A workload has no arrivals of its own, or its trace is not there.
    pub fn new(scenario: Scenario, traces: Traces) -> Result<Self, Vec<Diagnostic>> {
        let workloads = draw(&scenario, &traces)?;
        Ok(Self { scenario, workloads, traces })
    }

    /// Plans for another scenario. Arrivals are drawn again only where that has others. Returns whether it has.
    ///
    /// # Errors
    /// As for a new one; the scenario before stays.
    pub fn set(&mut self, scenario: Scenario, traces: &Traces) -> Result<bool, Vec<Diagnostic>> {
        let names = |scenario: &Scenario| scenario.classes.iter().map(|class| class.name.clone()).collect::<Vec<_>>();
        let before = &self.scenario;
        let alike = scenario.workloads == before.workloads
            && names(&scenario) == names(before)
            && (scenario.seed, scenario.duration_us) == (before.seed, before.duration_us)
            && traces.are_those(&self.traces);
        if !alike {
            self.workloads = draw(&scenario, traces)?;
            self.traces = traces.clone();
        }
        self.scenario = scenario;
        Ok(!alike)
    }

    /// By tenant: what is known of it.
    pub fn facts(&self) -> Vec<Facts> {
        let seconds = self.scenario.duration_us / 1e6;
        let fact = |(class, arrivals): (&TrafficClass, &Vec<u64>)| Facts {
            name: class.name.clone(),
            requests: arrivals.len() as u64,
            rate_iops: arrivals.len() as f64 / seconds,
            last_us: arrivals.last().map_or(0.0, |&at_ps| to_us(at_ps)),
        };
        self.scenario.classes.iter().zip(self.workloads.iter()).map(fact).collect()
    }

    /// What the contracts need.
    pub fn needs(&self) -> Needs {
        Needs::of(&self.scenario)
    }

    /// Begins to answer a question; none where there is no such tenant or scheduler.
    pub fn begin(&self, question: &Question) -> Option<Job> {
        let known = |tenant: usize| (tenant < self.workloads.len()).then_some(tenant);
        Some(match question {
            Question::Classes { tenant, from_us, to_us, bins } => {
                let contract = devices::contract(&self.scenario.classes[known(*tenant)?]);
                let time_ps = instant_ps(*from_us)..instant_ps(*to_us);
                Job::classes(&self.workloads, *tenant, &contract, time_ps, *bins)
            }
            Question::Windows { tenant } => Job::windows(&self.workloads, known(*tenant)?, self.windows_ps()),
            Question::Suggestion { tenant } => Job::suggestion(&self.workloads, known(*tenant)?),
            Question::Single { tenant } => {
                let contract = devices::contract(&self.scenario.classes[known(*tenant)?]);
                Job::single(&self.workloads, *tenant, &contract)
            }
            Question::Outcome { scheduler: TenantScheduler::None } => return None,
            Question::Outcome { scheduler } => Job::outcome(&self.workloads, *scheduler, &terms(&self.scenario)),
        })
    }

    fn windows_ps(&self) -> Vec<u64> {
        let longest_ps = from_us(self.scenario.duration_us);
        let window = |number: u32| {
            let decades = f64::from(number) / f64::from(WINDOWS_A_DECADE);
            from_us(to_us(MIN_WINDOW_PS) * libm::pow(10.0, decades))
        };
        let shorter = (0..).map(window).take_while(|&window_ps| window_ps < longest_ps);
        shorter.chain([longest_ps]).collect()
    }

    /// What a tenant does step by step under a ladder for bursts, between two instants; none where there is no such tenant, or
    /// too many steps.
    pub fn ladder(&self, ladder: &LadderTerms, tenant: usize, from_us: f64, to_us: f64) -> Option<LadderSteps> {
        let terms = terms(&self.scenario);
        let of_all = total(terms.weights.iter().copied());
        let shares: Vec<f64> = terms.weights.iter().map(|weight| weight / of_all * terms.capacity).collect();
        let end_ps = instant_ps(to_us).min(instant_ps(self.scenario.duration_us));
        bursts::ladder(ladder, &self.workloads, &shares, tenant, instant_ps(from_us)..end_ps)
    }
}

/// An instant from outside.
fn instant_ps(us: f64) -> u64 {
    if us.is_finite() && us > 0.0 { from_us(us) } else { 0 }
}
