//! The report of the first scenario: everything that somebody who was not there needs, and nothing by hand.

use qoscope_engine::scenario::{self, Scenario};
use qoscope_engine::simulation::{Simulation, VERSION};
use qoscope_interop::{Kind, Studied, Target, export, report};
use serde_json::{Value, json};

fn first() -> Scenario {
    scenario::from_value(qoscope_committed::document("storage-three-classes")).expect("a valid scenario")
}

/// The summary of a run, as the command line prints it.
fn run(scenario: &Scenario, us: u64) -> Value {
    let mut simulation = Simulation::new(scenario).expect("a scenario that can be laid out");
    simulation.run_until(us * 1_000_000);
    serde_json::to_value(simulation.summary()).expect("plain data")
}

/// The lines of a part of the report.
fn part<'a>(text: &'a str, title: &str) -> Vec<&'a str> {
    let (_, rest) = text.split_once(&format!("## {title}\n\n")).unwrap_or_else(|| panic!("no part {title}: {text}"));
    rest.lines().take_while(|line| !line.starts_with("## ")).collect()
}

#[test]
fn it_names_what_was_simulated_and_what_came_of_it() {
    let scenario = first();
    let summary = run(&scenario, 20_000);
    let text = report(&scenario, Some(&summary), None).expect("a report");
    assert!(text.starts_with(&format!("# What we recommend, and why: {}\n", scenario.name)));
    assert!(part(&text, "Network")[0].contains("16 hosts, 20 switches"));

    let classes = part(&text, "Classes and targets");
    assert_eq!(classes.iter().filter(|line| line.starts_with("| **")).count(), scenario.classes.len());
    let p99 = summary["classes"][0]["latencyUs"]["p99"].as_f64().expect("a figure");
    assert!(classes[2].contains(&format!("{p99:.0}\u{202f}µs")), "{}", classes[2]);

    let settings = part(&text, "Settings");
    assert!(
        settings.iter().any(|line| line.starts_with("| Switch: ECN threshold K | 35\u{202f}packets |")),
        "{settings:#?}"
    );
    assert!(part(&text, "Why")[0].contains("theory recommends 30 to 52"));

    let simulated = part(&text, "What was simulated").join("\n");
    for told in ["Seed 10", VERSION, summary["digest"].as_str().unwrap(), summary["scenario"]["hash"].as_str().unwrap()]
    {
        assert!(simulated.contains(told), "{told} in {simulated}");
    }
    assert!(part(&text, "What was not").join("\n").contains("One seed"));
}

#[test]
fn a_run_that_goes_on_and_settings_alone_say_so() {
    let scenario = first();
    let half = report(&scenario, Some(&run(&scenario, 1000)), None).expect("a report");
    assert!(half.contains("had not come to its end"), "{half}");
    let alone = report(&scenario, None, None).expect("a report");
    assert!(alone.contains("Nothing was simulated") && !alone.contains("## What was simulated"), "{alone}");
    assert!(!alone.contains("| p50 |"));
}

#[test]
fn simulators_are_no_settings_to_type() {
    let scenario = first();
    let simulators: Vec<Target> =
        Target::ALL.into_iter().filter(|target| target.about().kind == Kind::Simulator).collect();
    assert!(simulators.iter().any(|target| export(&scenario, *target).is_ok()), "one takes the scenario");
    let text = report(&scenario, None, None).expect("a report");
    for target in simulators {
        assert!(!text.contains(target.about().title), "{target:?}: {text}");
    }
    assert!(part(&text, "What to type").join("\n").contains(Target::Sonic.about().title));
}

#[test]
fn a_study_brings_its_sentences_seeds_and_intervals() {
    let study = json!({ "title": "K of the rack" });
    let table = json!({ "firstSeed": 3, "points": [{ "seeds": 5 }, { "seeds": 8 }] });
    let answers = [
        json!({ "kind": "sweep", "says": ["p99 is least at K 28."] }),
        json!({ "kind": "sensitivity", "rankings": [{ "says": "p99 is least at K 28." }] }),
        json!({ "kind": "search", "says": "p99 is least at K 28." }),
    ];
    for answer in &answers {
        let studied = Studied { study: &study, table: &table, answer };
        let text = report(&first(), None, Some(studied)).expect("a report");
        assert!(text.contains("- K of the rack: p99 is least at K 28."), "{text}");
        assert!(text.contains("13 runs at 2 points, with 5 to 8 seeds each from 3 on"), "{text}");
        assert!(!text.contains("One seed") && !text.contains("Nothing was simulated"));
    }
}

#[test]
fn what_a_search_found_stands_with_its_targets() {
    let study = json!({ "title": "K of the rack" });
    let table = json!({
        "firstSeed": 1,
        "points": [{ "seeds": 5, "set": {} }, { "seeds": 40, "set": { "switch.ecnThresholdPackets": 28, "classes[0].ratio": 4 } }],
    });
    let mut answer = json!({
        "kind": "search", "says": "K 28 does.", "isMet": true, "point": 1, "of": 40,
        "targets": [{ "says": "p99 latency, High at most 300 us in 95 % of seeds", "held": 39,
            "cell": { "mean": 281.25, "low": 279.0, "high": 283.5 } }],
    });
    let written = |answer: &Value| {
        let studied = Studied { study: &study, table: &table, answer };
        report(&first(), None, Some(studied)).expect("a report")
    };
    let text = written(&answer);
    let found = part(&text, "What to change");
    assert!(found.contains(&"| Switch: ECN threshold K | 35\u{202f}packets | 28\u{202f}packets |"), "{found:#?}");
    assert!(found.iter().any(|line| line.starts_with("| High: ") && line.ends_with("| 3 | 4 |")), "{found:#?}");
    let target = found.iter().find(|line| line.starts_with("| p99 latency, High")).expect("the target");
    assert!(target.contains("281 (279 to 284)") && target.ends_with("| 39 of 40 |"), "{target}");

    // What is set up, and typed, has the values that the search found.
    let settings = part(&text, "Settings");
    let k = settings.iter().find(|line| line.starts_with("| Switch: ECN threshold K | 28")).expect("K as found");
    assert!(k.contains("SONiC switch: 42\u{202f}000 B"), "{k}");
    assert!(settings.iter().any(|line| line.starts_with("| High: ") && line.contains("| 4 |")), "{settings:#?}");
    let typed = part(&text, "What to type").join("\n");
    let sets = "--set switch.ecnThresholdPackets=28 --set 'classes[0].ratio=4' --to sonic";
    assert!(typed.contains(sets), "{typed}");

    answer["isMet"] = false.into();
    answer["point"] = 0.into();
    let nearest = written(&answer);
    assert_eq!(part(&nearest, "What comes nearest")[0], "Nothing: the scenario as it is.");
    let typed = part(&nearest, "What to type");
    assert!(typed[0].starts_with("No setting of the study meets its targets"), "{typed:#?}");
    assert!(!typed.join("\n").contains("--set"), "{typed:#?}");
}
