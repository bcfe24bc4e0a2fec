use serde_json::{Value, json};

use super::*;
use crate::scenario;
use crate::simulation::Simulation;
use crate::workload::traces::{Selection, TraceReader};

/// Two pairs of hosts at 10 Gb/s, with this traffic on so many connections.
fn scenario(traffic: &Value, connections: u32) -> Scenario {
    let document = json!({
        "version": 3,
        "name": "Replay",
        "durationUs": 5000,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 },
            "linkGbps": 10,
            "linkDelayUs": 1,
        },
        "host": { "startJitterUs": 0 },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
            "connections": connections,
            "traffic": traffic,
        }],
        "measurement": { "warmupUs": 0 },
    });
    scenario::from_value(document).expect("is valid")
}

/// Ten requests a millisecond for ten milliseconds, one in five of which reads, on two volumes by turns.
fn traces() -> Traces {
    let mut reader = TraceReader::new(None, Selection::default());
    for number in 0..100 {
        let operation = if number % 5 == 0 { 'r' } else { 'w' };
        let at_s = f64::from(number) * 1e-4;
        reader.feed(format!("{},{},4096,{operation},{at_s:.6}\n", number % 2, 8 * number).as_bytes()).unwrap();
    }
    let mut traces = Traces::default();
    traces.insert("a.spc", reader.finish().unwrap().0);
    traces
}

fn trace(more: &Value) -> Value {
    let mut traffic = json!({ "kind": "trace", "file": "a.spc" });
    for (name, value) in more.as_object().expect("is an object") {
        traffic[name] = value.clone();
    }
    traffic
}

fn ended(scenario: &Scenario) -> Simulation {
    let mut simulation = Simulation::with_traces(scenario, &traces()).expect("can be laid out");
    simulation.run_until(u64::MAX);
    simulation
}

fn issued(simulation: &Simulation) -> u64 {
    simulation.summary().classes[0].requests.issued
}

#[test]
fn a_run_issues_what_the_trace_has_in_its_time() {
    let all = ended(&scenario(&trace(&json!({})), 1));
    assert_eq!(issued(&all), 50);
    let class = &all.summary().classes[0];
    assert_eq!(class.requests.completed, 50);
    assert!(class.reads.is_some() && class.writes.is_some());
    assert!(all.conservation_report().requests.balances());
    for (more, expected) in [
        (json!({ "timeScale": 2 }), 100),
        (json!({ "timeScale": 0.5 }), 25),
        (json!({ "volume": "1" }), 25),
        (json!({ "skipUs": 9000 }), 10),
        (json!({ "requests": 7 }), 7),
    ] {
        assert_eq!(issued(&ended(&scenario(&trace(&more), 1))), expected, "{more}");
    }
}

#[test]
fn connections_share_the_requests() {
    assert_eq!(issued(&ended(&scenario(&trace(&json!({})), 3))), 50);
}

#[test]
fn a_trace_that_is_missing_or_lacks_what_is_asked_for_is_a_diagnostic() {
    let refused = |traffic: &Value, traces: &Traces| {
        let found = Simulation::with_traces(&scenario(traffic, 1), traces).expect_err("is refused");
        (found[0].path.clone(), found[0].reason.clone())
    };
    let (path, reason) = refused(&trace(&json!({})), &Traces::default());
    assert_eq!(path, "workloads[0].traffic.file");
    assert_eq!(reason, "names the trace \"a.spc\", which has not been read");
    let (path, _) = refused(&trace(&json!({ "volume": "9" })), &traces());
    assert_eq!(path, "workloads[0].traffic.volume");
    let (path, reason) = refused(&trace(&json!({ "skipUs": 1e9 })), &traces());
    assert_eq!(path, "workloads[0].traffic.file");
    assert!(reason.starts_with("has no reads and writes"), "{reason}");
}

#[test]
fn a_stand_in_that_draws_too_much_is_refused_before_it_is_drawn() {
    let mut document = scenario::as_value(&scenario(&json!({ "kind": "stand-in", "of": "exchange" }), 1));
    document["workloads"][0]["traffic"]["timeScale"] = json!(1e6);
    let refused = scenario::from_value(document).expect_err("15 million requests");
    assert_eq!(refused[0].path, "workloads[0].traffic.timeScale");
    assert_eq!(refused[0].reason, "makes 15 million requests; at most 8 million are replayed");
}

#[test]
fn nor_can_it_be_made_to_draw_too_much_while_it_runs() {
    let scenario = scenario(&json!({ "kind": "stand-in", "of": "exchange" }), 1);
    let mut live = Simulation::new(&scenario).expect("can be laid out");
    let refused = live.apply("workloads[0].traffic.timeScale", json!(1e9)).expect_err("15 billion requests");
    assert_eq!(refused[0].path, "workloads[0].traffic.timeScale");
}

#[test]
fn a_trace_replayed_faster_while_it_runs_replays_as_recorded() {
    let scenario = scenario(&json!({ "kind": "stand-in", "of": "web-search-2", "timeScale": 1000 }), 2);
    let mut live = Simulation::new(&scenario).expect("can be laid out");
    live.run_until(1_000_000_000);
    live.apply("workloads[0].traffic.timeScale", json!(5000)).expect("is live");
    live.run_until(u64::MAX);
    let mut replay = Simulation::new(live.scenario()).expect("can be laid out");
    replay.run_until(u64::MAX);
    assert_eq!(replay.digest(), live.digest());
    let mut slow = Simulation::new(&scenario).expect("can be laid out");
    slow.run_until(u64::MAX);
    assert!(issued(&live) > 2 * issued(&slow), "{} and {}", issued(&live), issued(&slow));
}

#[test]
fn what_a_run_needs_of_a_trace_follows_its_speed() {
    let scenario = scenario(&trace(&json!({ "timeScale": 3, "skipUs": 100, "volume": "1" })), 1);
    let needs = trace_needs(&scenario);
    let expected = TraceNeed {
        workload: 0,
        file: "a.spc".into(),
        volume: Some("1".into()),
        from_ps: 100_000_000,
        until_ps: 15_100_000_000,
    };
    assert_eq!(needs, [expected]);
}
