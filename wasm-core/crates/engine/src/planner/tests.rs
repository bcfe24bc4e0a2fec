use serde_json::{Value, json};

use super::*;
use crate::scenario;

/// Tenants on a server of constant capacity: name, stand-in, (σ, ρ, δ of the first class in ms).
fn scenario_of(capacity: f64, scheduler: &str, tenants: &[(&str, &str, (u32, f64, f64))]) -> Scenario {
    let contract = |&(burst, rate, response_ms): &(u32, f64, f64)| -> Value {
        [(1, 1000.0), (2, 10_000.0), (4, 100_000.0)]
            .map(|(factor, us)| json!({ "burst": burst * factor, "rateIops": rate, "responseUs": response_ms * us }))
            .into_iter()
            .collect()
    };
    let document = json!({
        "version": 2,
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

/// The planner's server and the simulation of the same scenario are the same world.
#[test]
fn the_simulation_serves_tenants_as_the_plan_says() {
    for (number, scheduler) in ["fcfs", "edf", "wf2q", "wf2q-plus", "pclock", "nested"].into_iter().enumerate() {
        let scenario = scenario_of(480.0, scheduler, &TWO);
        let plan = plan(&scenario, &Traces::default()).expect("can be planned");
        assert_eq!(plan.outcomes[number].scheduler, scheduler);
        let mut simulation = crate::simulation::Simulation::new(&scenario).expect("can be laid out");
        simulation.run_until(u64::MAX);
        let summary = simulation.summary();
        for (class, planned) in summary.classes.iter().zip(&plan.outcomes[number].tenants) {
            let kept = class.contract.as_ref().expect("tenants are scheduled");
            for (nested, within) in kept.classes.iter().zip(&planned.within) {
                let (ours, planned) = (nested.within_fraction.expect("requests"), within.expect("requests"));
                // The run ends before its last requests are answered.
                assert!((ours - planned).abs() < 0.02, "{scheduler}, {}: {ours}, planned {planned}", class.name);
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
