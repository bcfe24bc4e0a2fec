use serde_json::{Value, json};

use super::bursts::LadderTerms;
use super::jobs::{Decomposed, Question};
use super::*;
use crate::kernel::convert::rounded;
use crate::qos::tenants::{Envelope, Promise, RATE_SCALE};
use crate::scenario;
use crate::scenario::document::{Traffic, Workload};

/// Tenants on a server of constant capacity: name, stand-in, (σ, ρ, δ of the first class in ms).
fn scenario_of(capacity: f64, scheduler: &str, tenants: &[(&str, &str, (u32, f64, f64))]) -> Scenario {
    let contract = |&(burst, rate, response_ms): &(u32, f64, f64)| -> Value {
        [(1, 1000.0), (2, 10_000.0), (4, 100_000.0)]
            .map(|(factor, us)| json!({ "burst": burst * factor, "rateIops": rate, "responseUs": response_ms * us }))
            .into_iter()
            .collect()
    };
    let document = json!({
        "version": 3,
        "name": "Tenants",
        "durationUs": 20e6,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
        "host": { "startJitterUs": 0 },
        "classes": tenants.iter().map(|(name, _, terms)| json!({
            "name": name, "transport": "dctcp", "contract": contract(terms),
        })).collect::<Vec<_>>(),
        "storage": {
            "servers": [{ "host": "h0", "devices": [{ "name": "server", "kind": "constant-capacity" }] }],
            "tenants": { "scheduler": scheduler },
            "constant": { "capacityIops": capacity },
        },
        "access": {
            "protocol": "local", "queueDepth": 65535,
            "software": { "hostLatencyUs": 0, "targetLatencyUs": 0, "commandWorkUs": 0, "kibWorkUs": 0, "serialUs": 0 },
        },
        "workloads": tenants.iter().map(|(name, of, _)| json!({
            "class": name,
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h0"] },
            "traffic": { "kind": "stand-in", "of": of },
        })).collect::<Vec<_>>(),
        "measurement": { "warmupUs": 0 },
    });
    scenario::from_value(document).expect("is valid")
}

const TWO: [(&str, &str, (u32, f64, f64)); 2] =
    [("WebSearch", "web-search-1", (16, 320.0, 50.0)), ("FinTrans", "financial-1", (8, 160.0, 50.0))];

#[test]
fn the_plan_names_capacities_and_who_is_admitted() {
    let plan = plan(&scenario_of(528.0, "nested", &TWO), &Traces::default()).expect("can be planned");
    assert!((plan.need_iops - 528.0).abs() < 1e-9);
    assert_eq!(plan.tenants.iter().map(|tenant| tenant.admitted).collect::<Vec<_>>(), [Some(true); 2]);
    assert!(plan.left_iops.expect("there is capacity") < 1e-6);
    let contract = plan.tenants[0].contract.as_ref().expect("there is one");
    assert!((contract.need_iops - 352.0).abs() < 1e-9);
    assert!(contract.single_level_iops > contract.need_iops, "{contract:?}");
    let less = self::plan(&scenario_of(400.0, "nested", &TWO), &Traces::default()).expect("can be planned");
    assert_eq!(less.tenants.iter().map(|tenant| tenant.admitted).collect::<Vec<_>>(), [Some(true), Some(false)]);
    // Beside the first only 48 requests a second are left, less than the rate of the second.
    assert_eq!(less.tenants[1].tightest_response_us, None);
}

const MS: u64 = PS_PER_S / 1000;

/// Nested classes: σ, ρ in requests a second, δ in milliseconds.
fn contract_of(classes: &[(u32, u64, u64)]) -> Contract {
    let promise = |&(burst, per_s, response_ms): &(u32, u64, u64)| Promise {
        envelope: Envelope { burst, rate: per_s * RATE_SCALE },
        response_ps: response_ms * MS,
    };
    Contract::new(classes.iter().map(promise).collect())
}

fn arrivals_of<const N: usize>(tenants: [&[u64]; N]) -> Workloads {
    Rc::new(tenants.map(|arrivals| arrivals.iter().map(|at_ms| at_ms * MS).collect()).into())
}

/// The common case of the schedulers (`qos/tenants/schedulers/tests.rs`), whose orders were computed by a program of its own: nine
/// requests, each of which takes 100 ms, one after the other. From the orders follow the response times, in ms.
#[test]
fn every_request_is_judged_by_when_it_is_answered() {
    let workloads = arrivals_of([&[150, 250, 250, 250, 450], &[0, 0, 150], &[0]]);
    let terms = Terms {
        contracts: vec![contract_of(&[(2, 2, 300), (3, 4, 800)]), contract_of(&[(2, 1, 400)]), Contract::default()],
        weights: vec![3.0, 1.0, 1.0],
        capacity: 10.0,
        ..Terms::default()
    };
    // By tenant: requests that take no longer than the response times of its classes, and those of each class that do. Classes of A
    // are 0, 0, 1, 2 (overflow) and 1, of B 0, 0 and 1 (overflow).
    for (scheduler, [a_inner, a_outer, b], late) in [
        // A takes 250, 350, 450, 550 and 450; B 100, 200 and 350.
        (TenantScheduler::Fcfs, [1, 5, 3], [1, 0, 0]),
        // A 150, 150, 250, 350 and 350; B 100, 200 and 550.
        (TenantScheduler::Edf, [3, 5, 2], [0, 0, 0]),
        // A 150, 250, 350, 450 and 450; B 100, 400 and 650.
        (TenantScheduler::Wf2q, [2, 5, 2], [0, 0, 0]),
        // A 150, 150, 350, 450 and 350; B 100, 500 and 750.
        (TenantScheduler::Wf2qPlus, [2, 5, 1], [0, 0, 1]),
        // A 150, 150, 250, 450 and 350; B 100, 200 and 450.
        (TenantScheduler::PClock, [3, 5, 2], [0, 0, 0]),
        // A 150, 150, 350, 550 and 250; B 100, 500 and 750.
        (TenantScheduler::Nested, [3, 5, 1], [0, 0, 1]),
    ] {
        let Outcome { tenants, .. } = jobs::side_by_side(&workloads, scheduler, &terms);
        let share = |within: u32, of: u32| Some(f64::from(within) / f64::from(of));
        assert_eq!(tenants[0].within, [share(a_inner, 5), share(a_outer, 5)], "{scheduler:?}, A");
        assert_eq!(tenants[1].within, [share(b, 3)], "{scheduler:?}, B");
        assert_eq!((&tenants[0].late[..], &tenants[1].late[..]), (&late[..2], &late[2..]), "{scheduler:?}");
        assert!(tenants[2].within.is_empty() && tenants[2].p99_us.is_some(), "{scheduler:?}, C");
    }
}

/// First come, first served by the recursion of Lindley, on whole workloads: an answer is there a service after the arrival or after
/// the answer before it.
#[test]
fn first_come_first_served_is_lindleys_recursion() {
    let scenario = scenario_of(480.0, "fcfs", &TWO);
    let workloads = draw(&scenario, &Traces::default()).expect("has arrivals");
    let mut requests: Vec<(u64, usize)> = Vec::new();
    for (tenant, arrivals) in workloads.iter().enumerate() {
        requests.extend(arrivals.iter().map(|&at_ps| (at_ps, tenant)));
    }
    requests.sort_unstable();
    let service_ps = rounded(PS_PER_S as f64 / 480.0);
    let (mut answered_ps, mut responses_ps) = (0, [Vec::new(), Vec::new()]);
    for (at_ps, tenant) in requests {
        answered_ps = at_ps.max(answered_ps) + service_ps;
        responses_ps[tenant].push(answered_ps - at_ps);
    }
    let Outcome { tenants, .. } = jobs::side_by_side(&workloads, TenantScheduler::Fcfs, &terms(&scenario));
    for (outcome, responses_ps) in tenants.iter().zip(&mut responses_ps) {
        let within = [50, 500, 5000].map(|response_ms| {
            let count = responses_ps.iter().filter(|&&response_ps| response_ps <= response_ms * MS).count();
            Some(count as f64 / responses_ps.len() as f64)
        });
        assert_eq!(outcome.within, within);
        responses_ps.sort_unstable();
        let p99_us = to_us(responses_ps[(0.99 * responses_ps.len() as f64).ceil() as usize - 1]);
        let planned = outcome.p99_us.expect("there are requests");
        assert!((planned / p99_us - 1.0).abs() < 0.01, "{planned} for {p99_us}");
    }
}

/// Four requests at once and one a second later, of (σ, ρ) = (1, 1) within (2, 1): by the cascade of classes 0, 1, none, none and 0.
#[test]
fn answers_about_five_requests_are_those_worked_out_by_hand() {
    let workloads = arrivals_of([&[0, 0, 0, 0, 1000]]);
    let contract = contract_of(&[(1, 1, 1000), (2, 1, 9000)]);
    let classes = Job::classes(&workloads, 0, &contract, 0..2 * PS_PER_S, 2).finish();
    let decomposed = Decomposed { counts: vec![1, 1, 1, 0, 2, 0], totals: vec![2, 1, 2] };
    assert_eq!(classes, Findings::Classes(decomposed));
    let Findings::Windows(windows) = Job::windows(&workloads, 0, vec![500 * MS, 1500 * MS]).finish() else {
        panic!("are windows")
    };
    assert_eq!(windows.iter().map(|of| (of.window_us, of.most)).collect::<Vec<_>>(), [(500e3, 4), (1.5e6, 5)]);
    // Four within a second each need four a second.
    let Findings::Single(Some(single)) = Job::single(&workloads, 0, &contract).finish() else {
        panic!("is a capacity")
    };
    assert!((4.0..4.001).contains(&single), "{single}");
    assert_eq!(Job::single(&workloads, 0, &Contract::default()).finish(), Findings::Single(None));
}

/// The planner's server and the simulation of the same scenario are the same world.
#[test]
fn the_simulation_serves_tenants_as_the_plan_says() {
    let plan = plan(&scenario_of(480.0, "none", &TWO), &Traces::default()).expect("can be planned");
    for (number, &scheduler) in TenantScheduler::ALL.iter().enumerate() {
        let scenario = scenario_of(480.0, scheduler.id(), &TWO);
        assert_eq!(plan.outcomes[number].scheduler, scheduler);
        let mut simulation = crate::simulation::Simulation::new(&scenario).expect("can be laid out");
        simulation.run_until(u64::MAX);
        let summary = simulation.summary();
        for (class, planned) in summary.classes.iter().zip(&plan.outcomes[number].tenants) {
            let kept = class.contract.as_ref().expect("tenants are scheduled");
            for (nested, within) in kept.classes.iter().zip(&planned.within) {
                let (ours, planned) = (nested.within_fraction.expect("requests"), within.expect("requests"));
                // The run ends before its last requests are answered.
                assert!((ours - planned).abs() < 0.02, "{scheduler:?}, {}: {ours}, planned {planned}", class.name);
            }
        }
    }
}

#[test]
fn what_follows_answers_cannot_be_planned() {
    let mut document = scenario::as_value(&scenario_of(528.0, "nested", &TWO));
    document["workloads"][1]["traffic"] =
        json!({ "kind": "closed-loop", "outstanding": 4, "size": { "kind": "fixed", "bytes": 4096 } });
    let scenario = scenario::from_value(document).expect("is valid");
    let diagnostics = plan(&scenario, &Traces::default()).expect_err("a closed loop has no arrivals");
    assert_eq!(diagnostics.len(), 1);
    assert_eq!(diagnostics[0].path, "workloads[1].traffic.kind");
}

#[test]
fn a_suggested_contract_holds_the_shares_wished_for() {
    let plan = plan(&scenario_of(2000.0, "nested", &TWO), &Traces::default()).expect("can be planned");
    for tenant in &plan.tenants {
        let mut within = 0.0;
        let Suggestion { fractions, contract } = &tenant.suggestion;
        for (class, wished) in contract.classes.iter().zip(fractions) {
            within += class.fraction.expect("there are requests");
            assert!(within >= wished - 1e-6, "{}: {within} of {wished}", tenant.name);
        }
        assert!(contract.need_iops < contract.single_level_iops, "{}", tenant.name);
    }
}

fn live() -> Planner {
    Planner::new(scenario_of(528.0, "nested", &TWO), Traces::default()).expect("can be planned")
}

fn classes(tenant: usize, from_us: f64, to_us: f64, bins: usize) -> Question {
    Question::Classes { tenant, from_us, to_us, bins }
}

#[test]
fn a_question_that_is_answered_in_pieces_has_the_same_answer() {
    let planner = live();
    let questions = [
        classes(1, 3e6, 4e6, 50),
        Question::Windows { tenant: 0 },
        Question::Single { tenant: 1 },
        Question::Suggestion { tenant: 0 },
        Question::Outcome { scheduler: TenantScheduler::PClock },
    ];
    for question in questions {
        let at_once = planner.begin(&question).expect("is known").finish();
        for budget in [1, 777, 100_000] {
            let mut job = planner.begin(&question).expect("is known");
            let mut before = 0.0;
            while !job.advance(budget) {
                assert!(job.findings().is_none() && (before..1.0).contains(&job.progress()), "{question:?}");
                before = job.progress();
            }
            assert_eq!((job.findings(), job.progress()), (Some(&at_once), 1.0), "{question:?} by {budget}");
        }
    }
}

#[test]
fn the_answers_are_those_of_the_plan() {
    let planner = live();
    let plan = plan(&scenario_of(528.0, "nested", &TWO), &Traces::default()).expect("can be planned");
    let answer = |question: &Question| planner.begin(question).expect("is known").finish();
    for (tenant, planned) in plan.tenants.iter().enumerate() {
        let contract = planned.contract.as_ref().expect("there is one");
        assert_eq!(answer(&Question::Single { tenant }), Findings::Single(Some(contract.single_level_iops)));
        assert_eq!(answer(&Question::Suggestion { tenant }), Findings::Suggestion(planned.suggestion.clone()));
        let Findings::Classes(decomposed) = answer(&classes(tenant, 5e6, 7e6, 100)) else { panic!("are classes") };
        let all: u64 = decomposed.totals.iter().sum();
        assert_eq!(all, planned.workload.requests);
        let fraction = |number: usize| decomposed.totals[number] as f64 / all as f64;
        for (number, class) in contract.classes.iter().enumerate() {
            assert_eq!(class.fraction, Some(fraction(number)));
        }
        let counted: u64 = decomposed.counts.iter().map(|&count| u64::from(count)).sum();
        assert!(counted > 0 && counted < all, "{counted} of {all}");
    }
    for outcome in plan.outcomes {
        let question = Question::Outcome { scheduler: outcome.scheduler };
        assert_eq!(answer(&question), Findings::Outcome(outcome.tenants));
    }
}

#[test]
fn arrivals_are_drawn_again_only_for_other_workloads() {
    let mut planner = live();
    let facts = planner.facts();
    let mut contracts = scenario_of(400.0, "fcfs", &TWO);
    contracts.classes[0].contract.truncate(1);
    assert_eq!(planner.set(contracts, &Traces::default()), Ok(false));
    assert_eq!(planner.facts(), facts);
    assert_eq!(planner.needs().capacity_iops, Some(400.0));
    let mut other = scenario_of(400.0, "fcfs", &TWO);
    other.seed += 1;
    assert_eq!(planner.set(other, &Traces::default()), Ok(true));
    assert_ne!(planner.facts(), facts);
    let mut refused = scenario_of(400.0, "fcfs", &TWO);
    refused.workloads[1].traffic = crate::scenario::document::Traffic::Backlogged {};
    let diagnostics = planner.set(refused, &Traces::default()).expect_err("has no arrivals");
    assert_eq!(diagnostics[0].path, "workloads[1].traffic.kind");
}

#[test]
fn what_makes_no_sense_is_no_question() {
    let planner = live();
    for question in [
        Question::Windows { tenant: 2 },
        Question::Single { tenant: usize::MAX },
        Question::Suggestion { tenant: 9 },
        Question::Outcome { scheduler: TenantScheduler::None },
    ] {
        assert!(planner.begin(&question).is_none(), "{question:?}");
    }
    for (from_us, to_us, bins) in [(f64::NAN, f64::INFINITY, 0), (9.0, 3.0, 7), (-1e300, 1e300, usize::MAX)] {
        let findings = planner.begin(&classes(0, from_us, to_us, bins)).expect("is known").finish();
        assert!(matches!(findings, Findings::Classes(decomposed) if decomposed.totals.len() == 4));
        assert!(planner.begin(&classes(7, from_us, to_us, bins)).is_none());
    }
}

/// What a tenant asks for it sends or has waiting, by the ladder and by the bucket; nobody sends more than was allowed.
#[test]
fn steps_of_the_ladder_are_conserved() {
    let planner = live();
    let terms = |step_us: f64| LadderTerms { amount: 10.0, first: 5, second: 10, end: 30, step_us, groups: vec![0, 1] };
    for tenant in [0, 1] {
        let steps = planner.ladder(&terms(100_000.0), tenant, 0.0, 20e6).expect("there are 200");
        assert_eq!(steps.asked.len(), 200);
        let asked: f64 = steps.asked.iter().sum();
        for (sent, waiting) in [(&steps.sent, &steps.backlog), (&steps.sent_by_bucket, &steps.backlog_by_bucket)] {
            let done: f64 = sent.iter().sum();
            assert!((done + waiting[199] - asked).abs() < 1e-6, "{done} and {} of {asked}", waiting[199]);
        }
        let over = |step: usize| steps.sent[step] > steps.share + steps.allowance[step] + 1e-6;
        assert!(!(0..200).any(over));
        // A later stretch is told of as it was.
        let later = planner.ladder(&terms(100_000.0), tenant, 5e6, 6e6).expect("there are 10");
        assert_eq!(later.sent, steps.sent[50..60]);
    }
    for step_us in [1.0, -1.0, 0.0, f64::NAN, f64::INFINITY] {
        assert_eq!(planner.ladder(&terms(step_us), 0, 0.0, 20e6), None, "steps of {step_us} us");
    }
    // No further than the run, and one step where one is longer than that.
    assert_eq!(planner.ladder(&terms(1e5), 0, 19e6, 1e30).expect("there are 10").asked.len(), 10);
    assert_eq!(planner.ladder(&terms(1e10), 0, 0.0, 1e30).expect("there is one").asked.len(), 1);
    assert_eq!(planner.ladder(&LadderTerms { groups: Vec::new(), ..terms(1e5) }, 0, 0.0, 1e6), None);
}

#[test]
fn open_loops_stand_in_for_what_follows_answers_at_the_rates_that_are_carried() {
    let mut scenario = scenario_of(528.0, "nested", &TWO);
    let closed =
        json!({ "kind": "closed-loop", "outstanding": 4, "requests": 9, "size": { "kind": "fixed", "bytes": 4096 } });
    scenario.workloads[0].traffic = serde_json::from_value(closed).expect("is traffic");
    scenario.workloads.push(Workload { traffic: Traffic::Backlogged {}, ..scenario.workloads[0].clone() });
    assert!(plan(&scenario, &Traces::default()).is_err());
    let found = stand_ins(&scenario, &[3.0, 1.0]);
    // WebSearch carries 3 Gb/s by two workloads; what stands in for FinTrans arrives by itself already.
    let told: Vec<_> =
        found.iter().map(|found| (found.path.as_str(), found.class.as_str(), found.offered_gbps)).collect();
    assert_eq!(told, [("workloads[0].traffic", "WebSearch", 1.5), ("workloads[2].traffic", "WebSearch", 1.5)]);
    let sizes: Vec<f64> = found.iter().map(|found| scenario::size_law(&found.traffic).mean_bytes()).collect();
    assert_eq!(sizes, [4096.0, 131_072.0]);
    let changed = with_stand_ins(&scenario, &found);
    let planned = plan(&changed, &Traces::default()).expect("can be planned");
    // 1.5 Gb/s in requests of 4096 bytes and of 128 KiB.
    let expected = 1.5e9 / 8.0 * (1.0 / 4096.0 + 1.0 / 131_072.0);
    assert!((planned.tenants[0].workload.rate_iops / expected - 1.0).abs() < 0.02);
    assert!(stand_ins(&scenario, &[0.0, 1.0]).is_empty(), "nothing stands in for what carries nothing");
    assert!(stand_ins(&changed, &[3.0, 1.0]).is_empty());
}
