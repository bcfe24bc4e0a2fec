//! Tests of documents and sessions.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use qoscope_campaign::{Campaign, Outcome, RunRequest, trace_hash};
use qoscope_engine::scenario;
use serde_json::{Value, json};

use super::*;

/// A small scenario that runs in no time.
pub(crate) fn two_writers() -> Value {
    json!({
        "version": 3, "name": "two writers", "seed": 5, "durationUs": 2000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 10, "baseRttUs": 100 },
        "classes": [{ "name": "High", "ratio": 3, "transport": "qtcp" }, { "name": "Low", "transport": "qtcp" }],
        "workloads": [
            { "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
            { "class": "Low", "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
        ],
    })
}

/// A sweep of K over two seeds.
pub(crate) fn of_threshold() -> Value {
    json!({
        "version": 2, "title": "K",
        "vary": [{ "path": "switch.ecnThresholdPackets", "range": { "from": 5, "to": 80, "count": 5, "scale": "log" } }],
        "seeds": { "count": 2 },
        "measures": [
            { "title": "Carried", "value": "classes['{class}'].carriedGbps", "unit": "Gb/s" },
            { "title": "Queue", "value": "network.meanQueuePackets", "unit": "packets" },
        ],
        "ask": { "kind": "sweep" },
    })
}

pub(crate) fn session(study: &Value) -> Result<Session, Vec<Diagnostic>> {
    Session::new(Study::read(&study.to_string())?, &two_writers(), &BTreeMap::new())
}

/// A summary with numbers that are given.
pub(crate) fn summary(carried: [f64; 2], queue: f64) -> Value {
    let class = |name: &str, gbps: f64| json!({ "name": name, "carriedGbps": gbps });
    json!({ "classes": [class("High", carried[0]), class("Low", carried[1])], "network": { "meanQueuePackets": queue } })
}

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema.json");
    let must_say = format!("{:#}\n", schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-study --lib schema");
}

#[test]
fn a_study_reads_as_it_is_written() {
    let study = Study::read(&of_threshold().to_string()).unwrap();
    assert_eq!(Study::read(&serde_json::to_string(&study).unwrap()), Ok(study));
}

#[test]
fn a_newer_study_is_told_as_one() {
    let mut study = of_threshold();
    study["version"] = json!(3);
    assert_eq!(Study::read(&study.to_string()).unwrap_err()[0].reason, "is 3; studies are read up to version 2");
}

#[test]
fn version_1_is_migrated() {
    let mut study = of_threshold();
    study["set"] = json!({ "classes[0].dcqcn.minRateMbps": 50 });
    study["vary"] = json!([
        { "path": "classes[].timely.minRttUs", "values": [10, 20] },
        { "title": "Floor", "moves": [{ "path": "classes[1].timely.minRateMbps" }], "values": [1, 2] },
        { "alternatives": [{ "title": "Half", "set": { "classes[0].swift.maxCut": 0.5 } }, { "title": "None" }] },
    ]);
    study["seeds"] = json!({ "within": { "percent": 5, "maxSeeds": 20 } });
    study["ask"] = json!({
        "kind": "search",
        "targets": [{ "measure": "Carried", "atLeast": 3 }],
        "prefer": [{ "of": "classes[].timely.minRttUs", "wanted": "min" }, { "of": "Carried", "wanted": "max" }],
        "maxRuns": 200,
    });
    let mut before = study.to_string();
    for (now, was) in [
        ("minRateMbps", "leastRateMbps"),
        ("minRttUs", "leastRttUs"),
        ("maxCut", "largestCut"),
        ("maxSeeds", "mostSeeds"),
        ("maxRuns", "mostRuns"),
        ("\"min\"", "\"least\""),
        ("\"max\"", "\"most\""),
        ("\"version\":2", "\"version\":1"),
    ] {
        assert!(before.contains(now), "{now}");
        before = before.replace(now, was);
    }
    let mut migrated: Value = serde_json::from_str(&before).unwrap();
    crate::upgrade(&mut migrated).unwrap();
    assert_eq!(migrated, study);
}

#[test]
fn a_sweep_runs_its_grid_seed_by_seed_and_ends_in_its_table() {
    let mut session = session(&of_threshold()).unwrap();
    let wanted = session.next(100);
    let setting = |session: &Session, request: &RunRequest| {
        let document: Value = serde_json::from_str(&session.scenario(request.id).unwrap()).unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        (number(&document["switch"]["ecnThresholdPackets"]), number(&document["seed"]))
    };
    let order: Vec<(u64, u64)> = wanted.iter().map(|request| setting(&session, request)).collect();
    assert_eq!(order, [5, 6].map(|seed| [5, 10, 20, 40, 80].map(|k| (k, seed))).concat());
    assert!(session.next(100).is_empty(), "each run is requested once");
    for (index, request) in wanted.iter().enumerate() {
        let (point, seed) = (index as f64 % 5.0, setting(&session, request).1 as f64);
        session.put(request.id, Outcome::Summary(&summary([6.0, seed], point)));
    }
    assert!(session.answer().is_some() && session.next(100).is_empty());
    let table = session.table();
    assert_eq!(
        table.points.iter().map(|point| point.values[0].clone()).collect::<Vec<_>>(),
        [5, 10, 20, 40, 80].map(Value::from)
    );
    let titles: Vec<&str> = table.measures.iter().map(|measure| measure.title.as_str()).collect();
    assert_eq!(titles, ["Carried, High", "Carried, Low", "Queue"]);
    let cell = &table.points[2].cells[1];
    assert_eq!((cell.mean, &cell.numbers), (Some(5.5), &vec![Some(5.0), Some(6.0)]));
    assert_eq!((table.factors[0].symbol.as_deref(), table.factors[0].present.clone()), (Some("K"), json!(140)));
}

/// What a study with some fields changed is refused for: path, reason and hint of every diagnostic.
fn refusals(changes: &[(&str, Value)]) -> Vec<String> {
    let mut study = of_threshold();
    for (path, value) in changes {
        scenario::set_path(&mut study, path, value.clone()).unwrap();
    }
    session(&study).err().unwrap_or_default().iter().map(ToString::to_string).collect()
}

#[test]
fn a_study_that_cannot_be_is_told_with_its_place_and_what_to_do() {
    for (path, value, refusal) in [
        (
            "vary[0].path",
            json!("switch.ecnTresholdPackets"),
            "vary[0].path: is \"switch.ecnTresholdPackets\", which is no field of a scenario. Did you mean `switch.ecnThresholdPackets`?",
        ),
        (
            "vary[0].path",
            json!("classes[2].ratio"),
            "vary[0].path: is \"classes[2].ratio\", which this scenario does not have. Count from 0, and look at which kind of object stands there.",
        ),
        ("vary[0].path", json!("name"), "vary[0].path: is `name`, on which no result depends. Vary something else."),
        (
            "vary[0].path",
            json!("storage.ssd.evidence.fittedJobs"),
            "vary[0].path: is `storage.ssd.evidence.fittedJobs`, on which no result depends. Vary something else.",
        ),
        ("vary[0].path", json!("seed"), "vary[0].path: is `seed`, which varies under every point. Set `seeds`."),
        (
            "vary[0].range.from",
            json!(80),
            "vary[0].range: is empty: it goes from 80 to 80. Give the lower end first, and the higher one after it.",
        ),
        (
            "vary[0].range.from",
            json!(0),
            "vary[0].range.from: is 0, which no logarithmic scale has. Begin above 0, or take `even`.",
        ),
        (
            "vary[0].range.to",
            json!(1e9),
            "vary[0].range.to: is 1000000000; `switch.ecnThresholdPackets` takes 1 to 100000 packets. Stay between the two.",
        ),
        (
            "vary[0]",
            json!({ "path": "switch.marking", "values": ["step", "rde"] }),
            "vary[0].values[1]: is \"rde\", which `switch.marking` does not know. Did you mean `red`?",
        ),
        (
            "vary[0]",
            json!({ "path": "switch.redMaximumPackets", "values": [200, 300] }),
            "vary[0]: has no effect here: only RED marking uses it. Mark by RED: `switch.marking` = \"red\". Or vary something else.",
        ),
        (
            "vary",
            json!([
                { "path": "classes[].ratio", "values": [1, 2] },
                { "path": "classes[1].ratio", "values": [1, 3] },
            ]),
            "vary[1]: changes `classes[1].ratio`, which \"Ratio\" changes as well. Leave one of the two out, or move both as one.",
        ),
        (
            "vary[0]",
            json!({ "alternatives": [{ "title": "A", "set": { "classes[].transport": "dctpc" } }, { "title": "B" }] }),
            "vary[0].alternatives[0].set.classes[].transport: is \"dctpc\", which `classes[0].transport` does not know. Did you mean `dctcp`?",
        ),
        (
            "measures[0].value",
            json!("classes['Hihg'].carriedGbps"),
            "measures[0].value: `classes['Hihg'].carriedGbps` leads nowhere: there is no 'Hihg', but 'High'. See docs/studies.md.",
        ),
        (
            "measures[0].value",
            json!("network.drop"),
            "measures[0].value: `network.drop` leads nowhere: there is no `drop`, but `drops`. See docs/studies.md.",
        ),
        (
            "measures[0].value",
            json!("classes.carriedGbps"),
            "measures[0].value: is a list of 2 numbers, not one: take its sum, mean, min or max. See docs/studies.md.",
        ),
        (
            "measures[0].value",
            json!("network.pauseFrames"),
            "measures[0].value: `network.pauseFrames` has no value here; say `or` and a number if that is to be expected. See docs/studies.md.",
        ),
        (
            "measures[0].value",
            json!("1 +"),
            "measures[0].value: ends where a number, a path or a function is expected. See docs/studies.md.",
        ),
        (
            "measures[0].value",
            json!("engine.wallSeconds"),
            "measures[0].value: `engine.wallSeconds` has no value here; say `or` and a number if that is to be expected. See docs/studies.md.",
        ),
        (
            "measures[1].title",
            json!("Carried"),
            "measures[1].title: is \"Carried\", as another one is. Say what tells the two apart.",
        ),
        (
            "measures[1].title",
            json!("Carried, Low"),
            "measures[1].title: makes a second measure called \"Carried, Low\". Say what tells the two apart.",
        ),
        (
            "ask",
            json!({ "kind": "search", "targets": [{ "measure": "Carried", "atLeast": 3 }], "prefer": [{ "of": "Queue", "wanted": "min" }] }),
            "ask.targets[0].measure: is \"Carried\", which is one of every class. Say of which, as in \"Carried, High\".",
        ),
        (
            "ask",
            json!({ "kind": "search", "targets": [{ "measure": "Queue", "atMost": 3 }], "prefer": [{ "of": "Quewe", "wanted": "min" }] }),
            "ask.prefer[0].of: is \"Quewe\", which is no measure and nothing that varies. Did you mean \"Queue\"?",
        ),
        (
            "set",
            json!({ "switch.ecnThresholdPackets": -1 }),
            "set.switch.ecnThresholdPackets: is -1 packets, below the least value 1 packets. Give a whole number from 1 to 100000 packets.",
        ),
        (
            "seeds",
            json!({ "first": 4_294_967_295_u32, "count": 8 }),
            "seeds.first: leaves no room for the seeds after it. Begin lower.",
        ),
    ] {
        assert_eq!(refusals(&[(path, value)]), [refusal]);
    }
}

#[test]
fn seeds_are_decided_on_by_a_pilot_of_measures_that_there_are() {
    let within = json!({ "kind": "sweep", "within": { "percent": 5, "measures": ["Carred"] } });
    assert_eq!(
        refusals(&[("ask", within)]),
        [
            "seeds.count: is 2, too few to tell from them how many more are needed. Give 4 or more, 8 as a rule.",
            "ask.within.measures[0]: is \"Carred\", which is no measure. Did you mean \"Carried\"?",
        ]
    );
}

#[test]
fn all_faults_of_a_study_are_told_at_once() {
    let told = refusals(&[
        ("vary[0].path", json!("no.such.field")),
        ("measures[0].value", json!("classes['{class}'].carried")),
        ("measures[1].value", json!("nowhere")),
    ]);
    assert_eq!(told.len(), 3, "{told:?}");
}

#[test]
fn a_billion_runs_are_refused_with_their_cost_before_they_are_counted_out() {
    let factor = |path: &str, to: f64| json!({ "path": path, "range": { "from": 1, "to": to, "count": 1000 } });
    let vary = json!([
        factor("switch.ecnThresholdPackets", 1000.0),
        factor("durationUs", 3000.0),
        factor("topology.baseRttUs", 90.0)
    ]);
    let told = refusals(&[("vary", vary), ("seeds.count", json!(1))]);
    assert_eq!(told.len(), 1);
    assert!(
        told[0].starts_with("vary: asks for 1\u{202f}000\u{202f}000\u{202f}000 runs at 1\u{202f}000\u{202f}000\u{202f}000 points, which take about "),
        "{told:?}"
    );
}

#[test]
fn what_has_an_effect_with_another_value_of_something_else_may_vary() {
    let vary = json!([
        { "path": "switch.redMaximumPackets", "values": [200, 300] },
        { "path": "switch.marking", "values": ["step", "red"] },
    ]);
    assert_eq!(refusals(&[("vary", vary)]), [""; 0]);
}

#[test]
fn a_point_that_is_refused_is_a_row_and_no_run() {
    let mut study = of_threshold();
    study["vary"] = json!([{ "path": "measurement.warmupUs", "values": [0, 500, 5000] }]);
    let mut session = session(&study).unwrap();
    let wanted = session.next(100);
    assert_eq!(wanted.len(), 4);
    let refused = session.table().points[2].refused.clone().unwrap();
    assert!(refused.contains("warmupUs"), "{refused}");
    for wish in wanted {
        session.put(wish.id, Outcome::Failed("It ran out of memory.".into()));
    }
    assert!(session.answer().is_some());
    let table = session.table();
    assert_eq!(table.points[1].cells[0].why.as_deref(), Some("It ran out of memory."));
    assert_eq!((table.points[2].seeds, table.points[2].wanted, table.points[1].seeds), (0, 0, 2));
}

#[test]
fn fields_move_together_and_alternatives_are_whole() {
    let mut study = of_threshold();
    study["vary"] = json!([
        { "title": "Spread", "values": [1, 3], "moves": [{ "path": "classes[0].ratio" }, { "path": "classes[1].ratio", "power": -1 }] },
        { "title": "Transport", "alternatives": [
            { "title": "as it is" }, { "title": "DCTCP", "set": { "classes[].transport": "dctcp" } } ] },
    ]);
    let mut session = session(&study).unwrap();
    let table = session.table();
    assert_eq!(
        table.points.iter().map(|point| point.values.clone()).collect::<Vec<_>>(),
        [
            [json!(1), json!("as it is")],
            [json!(1), json!("DCTCP")],
            [json!(3), json!("as it is")],
            [json!(3), json!("DCTCP")],
        ]
    );
    let last = &table.points[3].set;
    assert_eq!(last["classes[1].transport"], "dctcp");
    assert_eq!(last["classes[1].ratio"], 1.0 / 3.0);
    assert!(!last.contains_key("classes[0].ratio"), "3 is what the scenario has");
    assert_eq!(table.factors[1].present, "as it is");
    assert_eq!(table.factors[0].present, Value::Null);
}

#[test]
fn what_can_vary_and_be_measured_is_suggested() {
    let suggested = suggest(&two_writers()).unwrap();
    let threshold = suggested.fields.iter().find(|field| field.path == "switch.ecnThresholdPackets").unwrap();
    let range = threshold.range.clone().unwrap();
    assert!(range.from >= 1.0 && range.from < 140.0 && range.to > 140.0 && range.scale == Scale::Log, "{range:?}");
    assert!(threshold.recommended.is_some() && threshold.suggested);
    assert_eq!(suggested.fields.iter().filter(|field| field.suggested).count(), 1);
    assert_eq!((suggested.sensitivity.seeds, suggested.sensitivity.walks), (2, 12));
    assert!(suggested.fields.iter().all(|field| field.path != "switch.redMaximumPackets" && field.path != "seed"));
    let titles: Vec<&str> = suggested.measures.iter().map(|of| of.title.as_str()).collect();
    assert!(
        titles.contains(&"Total throughput") && !titles.contains(&"p99 latency") && !titles.contains(&"Pause frames"),
        "{titles:?}"
    );
    // Whatever is suggested can be asked.
    let mut study = of_threshold();
    study["measures"] = suggested.measures.iter().map(|of| json!({ "title": of.title, "value": of.value })).collect();
    assert_eq!(session(&study).err(), None);
    for field in &suggested.fields {
        study["vary"] = match &field.range {
            Some(range) => json!([{ "path": field.path, "range": range }]),
            None => {
                json!([{ "path": field.path, "values": field.options.iter().map(|of| &of.value).collect::<Vec<_>>() }])
            }
        };
        assert_eq!(session(&study).err(), None, "{}", field.path);
    }
}

/// Answers every wish with what `of` says of the document, in the order that `order` puts them in; returns how many runs that took.
fn play(session: &mut Session, of: impl Fn(&Value) -> Value, mut order: impl FnMut(&mut Vec<RunRequest>)) -> usize {
    let mut runs = 0;
    loop {
        let mut wanted = session.next(usize::MAX);
        if wanted.is_empty() {
            return runs;
        }
        runs += wanted.len();
        order(&mut wanted);
        for wish in wanted {
            let document = serde_json::from_str(&session.scenario(wish.id).unwrap()).unwrap();
            session.put(wish.id, Outcome::Summary(&of(&document)));
        }
    }
}

/// A number that looks drawn and follows from a seed and a setting.
fn noise(document: &Value) -> f64 {
    let told = format!("{} {}", document["seed"], document["switch"]["ecnThresholdPackets"]);
    let mut hash = trace_hash(told.as_bytes()).unwrap();
    hash.truncate(8);
    f64::from(u32::from_str_radix(&hash, 16).unwrap()) / f64::from(u32::MAX) - 0.5
}

/// Throughput that saturates at K = 40, and a queue that grows with K.
fn saturating(document: &Value) -> Value {
    let k = document["switch"]["ecnThresholdPackets"].as_f64().unwrap();
    summary([6.0 * (k / 40.0).min(1.0) + 0.1 * noise(document), 3.0], k + 2.0 * noise(document))
}

#[test]
fn a_search_is_answered_by_the_same_runs_whatever_order_results_come_in() {
    let mut study = of_threshold();
    study["vary"][0]["range"]["count"] = json!(60);
    study["ask"] = json!({ "kind": "search", "targets": [{ "measure": "Carried, High", "atLeast": 4.5 }],
        "prefer": [{ "of": "switch.ecnThresholdPackets", "wanted": "min" }] });
    let mut sessions = [session(&study).unwrap(), session(&study).unwrap()];
    let runs =
        [play(&mut sessions[0], saturating, |_| {}), play(&mut sessions[1], saturating, |wanted| wanted.reverse())];
    let [one, other] = sessions.each_mut().map(|session| (session.table(), session.answer(), session.progress()));
    assert_eq!((&one, runs[0]), (&other, runs[1]));
    let Some(Ok(Answer::Search(found))) = one.1 else { panic!("{:?}", one.1) };
    let value = one.0.points[found.point.unwrap()].values[0].as_f64().unwrap();
    assert!(found.is_met && (30.0..=33.0).contains(&value), "{value}: {}", found.says);
}

#[test]
fn a_sensitivity_ranks_all_that_has_an_effect_where_nothing_is_named() {
    let mut study = of_threshold();
    study["vary"] = json!([]);
    study["ask"] = json!({ "kind": "sensitivity", "walks": 6 });
    let mut session = session(&study).unwrap();
    play(&mut session, saturating, |_| {});
    let Some(Ok(Answer::Sensitivity { rankings })) = session.answer() else { panic!() };
    let table = session.table();
    let suggested = suggest(&two_writers()).unwrap().sensitivity.vary;
    let told: Vec<_> = suggested.iter().flat_map(|factor| &factor.path).collect();
    assert!(told.len() > 5 && table.factors.iter().flat_map(|factor| &factor.paths).eq(told));
    let refused = table.points.iter().filter(|point| point.refused.is_some()).count();
    let why = table.points.iter().find_map(|point| point.refused.clone());
    assert!(refused * 10 < table.points.len(), "{refused} of {}: {why:?}", table.points.len());
    let first = rankings[2].effects[0].factor;
    assert_eq!(table.factors[first].paths, ["switch.ecnThresholdPackets"], "{}", rankings[2].says);
}

#[test]
fn seeds_are_added_where_an_interval_is_wider_than_asked() {
    let mut study = of_threshold();
    study["seeds"]["count"] = json!(8);
    study["ask"] = json!({ "kind": "sweep", "within": { "absolute": 0.3, "measures": ["Queue"], "maxSeeds": 40 } });
    // Chance grows with K.
    let noisy = |document: &Value| {
        let k = document["switch"]["ecnThresholdPackets"].as_f64().unwrap();
        summary([1.0, 2.0], k + k / 10.0 * noise(document))
    };
    let mut session = session(&study).unwrap();
    play(&mut session, noisy, |_| {});
    let table = session.table();
    let seeds: Vec<u32> = table.points.iter().map(|point| point.seeds).collect();
    assert_eq!((seeds[0], seeds[4]), (8, 40), "{seeds:?}");
    assert!(seeds.is_sorted() && seeds[3] > 8, "{seeds:?}");
    for point in &table.points[..3] {
        let cell = &point.cells[2];
        assert!(cell.high.unwrap() - cell.mean.unwrap() <= 0.3 * 1.000_001);
    }
    let Some(Ok(Answer::Sweep { says })) = session.answer() else { panic!() };
    assert!(says.last().unwrap().contains("wider than asked with 40 seeds"), "{says:?}");
}

#[test]
fn points_are_added_where_the_curve_bends_and_nowhere_else() {
    let mut study = of_threshold();
    study["vary"][0]["range"] = json!({ "from": 10, "to": 90, "count": 5 });
    study["ask"] = json!({ "kind": "sweep", "bends": 6 });
    let mut session = session(&study).unwrap();
    // Straight, with a kink at 40.
    play(
        &mut session,
        |document| {
            let k = document["switch"]["ecnThresholdPackets"].as_f64().unwrap();
            summary([1.0, 2.0], if k < 40.0 { k } else { 40.0 + 5.0 * (k - 40.0) })
        },
        |_| {},
    );
    let table = session.table();
    let values: Vec<i64> = table.points.iter().map(|point| point.values[0].as_i64().unwrap()).collect();
    assert!(values.is_sorted(), "{values:?}");
    let added: Vec<i64> =
        table.points.iter().filter(|point| point.is_added).map(|point| point.values[0].as_i64().unwrap()).collect();
    assert!(!added.is_empty() && added.len() <= 6 && added.iter().all(|value| (30..=50).contains(value)), "{added:?}");
    // A straight line needs none.
    let mut straight = super::tests::session(&study).unwrap();
    play(
        &mut straight,
        |document| summary([1.0, 2.0], document["switch"]["ecnThresholdPackets"].as_f64().unwrap()),
        |_| {},
    );
    assert!(straight.table().points.iter().all(|point| !point.is_added));
}

#[test]
fn what_a_sweep_says_is_beyond_chance() {
    let mut study = of_threshold();
    study["seeds"]["count"] = json!(8);
    study["vary"][0]["range"]["to"] = json!(140);
    let mut session = session(&study).unwrap();
    play(
        &mut session,
        |document| {
            let of_seed = document["seed"].as_f64().unwrap();
            let k = document["switch"]["ecnThresholdPackets"].as_f64().unwrap();
            // The same chance at every point, which pairing takes away; and chance alone.
            summary([of_seed + k / 100.0, noise(document)], if k > 100.0 { 7.5 } else { 5.0 })
        },
        |_| {},
    );
    let Some(Ok(Answer::Sweep { says })) = session.answer() else { panic!() };
    let expected = [
        "Carried, High: lowest 8.55\u{202f}Gb/s (6.5 to 10.6) at K = 5\u{202f}packets; highest 9.9\u{202f}Gb/s (7.85 to 11.9) at K = 140\u{202f}packets. \
         The scenario as it is lies 1.35\u{202f}Gb/s (under every seed) above the lowest and is the highest.",
        "Carried, Low: no change with K beyond chance in 8 seeds (−0.177 to 0.091\u{202f}Gb/s).",
        "Queue: lowest 5\u{202f}packets at K = 5\u{202f}packets (3 other points do not differ for certain); highest 7.5\u{202f}packets at K = 140\u{202f}packets. \
         The scenario as it is lies 2.5\u{202f}packets (under every seed) above the lowest and is the highest.",
    ];
    assert_eq!(says, expected);
}

mod orders {
    //! Whatever order results come in, the same runs are made and the same table and answer come of them.

    use proptest::prelude::*;

    use super::*;

    /// Plays a session, drawing from `draws` which of the wanted runs is answered next, and whether it is answered twice or what there is so far is
    /// looked at in between. Returns the keys of its runs.
    fn played(study: &Value, of: impl Fn(&Value) -> Value, draws: &[u32]) -> (Session, BTreeSet<String>) {
        let mut session = super::session(study).unwrap();
        let (mut keys, mut draw) = (BTreeSet::new(), draws.iter().copied().cycle());
        let mut next = || draw.next().unwrap() as usize;
        let mut requested = Vec::new();
        loop {
            requested.extend(session.next(1 + next() % 40));
            if requested.is_empty() {
                return (session, keys);
            }
            let wish = requested.swap_remove(next() % requested.len());
            let document: Value = serde_json::from_str(&session.scenario(wish.id).unwrap()).unwrap();
            let result = of(&document);
            keys.insert(wish.key.clone());
            session.put(wish.id, Outcome::Summary(&result));
            match next() % 8 {
                0 => session.put(wish.id, Outcome::Summary(&summary([0.0, 0.0], 0.0))),
                1 => session.put(wish.id, Outcome::Failed("twice".into())),
                2 => drop((session.table(), session.changed(), session.progress(), session.answer())),
                _ => (),
            }
        }
    }

    fn noisy(document: &Value) -> Value {
        let k = document["switch"]["ecnThresholdPackets"].as_f64().unwrap();
        summary([(k / 40.0).min(1.0) * 6.0 + noise(document), 3.0], k + k / 20.0 * noise(document))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn the_order_of_results_does_not_matter(draws in prop::collection::vec(any::<u32>(), 1..60), kind in 0..4_usize) {
            let mut study = of_threshold();
            study["seeds"]["count"] = json!(5);
            study["ask"] = [
                json!({ "kind": "sweep" }),
                json!({ "kind": "sweep", "bends": 5, "within": { "percent": 2, "maxSeeds": 9 } }),
                json!({ "kind": "sensitivity", "walks": 4, "levels": 4 }),
                json!({ "kind": "search", "targets": [{ "measure": "Carried, High", "atLeast": 4.5 }],
                    "prefer": [{ "of": "Queue", "wanted": "min" }], "confirm": 10, "maxRuns": 150 }),
            ][kind].clone();
            if kind == 3 {
                study["vary"][0]["range"]["count"] = json!(40);
            }
            let (mut one, runs) = played(&study, noisy, &[0]);
            let (mut other, others) = played(&study, noisy, &draws);
            prop_assert_eq!(runs, others);
            prop_assert_eq!(one.table(), other.table());
            prop_assert_eq!(one.answer(), other.answer());
            prop_assert_eq!(one.progress(), other.progress());
        }

        /// A document of any kind is read or refused in a sentence.
        #[test]
        fn no_document_breaks_the_reader(text in "[\\[\\]{}\",:a-z0-9.eE+-]{0,80}", at in 0..400_usize) {
            let whole = of_threshold().to_string();
            let at = at % whole.len();
            for document in [text.clone(), format!("{}{text}{}", &whole[..at], &whole[at..])] {
                match session_of(&document) {
                    Ok(mut session) => drop(session.next(3)),
                    Err(refused) => prop_assert!(!refused.is_empty() && refused.iter().all(|of| !of.reason.is_empty())),
                }
            }
        }
    }

    fn session_of(document: &str) -> Result<Session, Vec<Diagnostic>> {
        Session::new(Study::read(document)?, &two_writers(), &BTreeMap::new())
    }

    #[test]
    fn hostile_documents_are_refused_or_run() {
        let with = |path: &str, value: Value| {
            let mut study = of_threshold();
            scenario::set_path(&mut study, path, value).unwrap();
            study.to_string()
        };
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        let parentheses = format!("{}1{}", "(".repeat(240), ")".repeat(240));
        for document in [
            deep,
            with("measures[0].value", json!("-".repeat(499))),
            with("measures[0].value", json!(parentheses)),
            with("measures[0].value", json!("classes[99999999999999999999].carriedGbps")),
            with("vary[0].range", json!({ "from": -1e308, "to": 1e308, "count": 1000 })),
            with("vary[0].range", json!({ "from": 1e-300, "to": 1e300, "count": 3, "scale": "log" })),
            with(
                "vary[0]",
                json!({ "moves": [{ "path": "switch.ecnThresholdPackets", "times": 1e300, "power": 9 }], "values": [1e40] }),
            ),
            with("vary[0].path", json!("classes[].".repeat(30))),
            with("vary[0].path", json!("[][][]")),
            with("ask", json!({ "kind": "sweep", "within": { "percent": 1e-300 } })),
            of_threshold().to_string().replace("80", "1e999"),
        ] {
            match session_of(&document) {
                Ok(mut session) => assert!(!session.next(2).is_empty(), "{document}"),
                Err(refused) => assert!(!refused.is_empty(), "{document}"),
            }
        }
    }

    #[test]
    fn names_with_quotes_are_read_by_their_place() {
        let mut scenario = two_writers();
        for (path, name) in [("classes[0].name", "it's \"High\""), ("workloads[0].class", "it's \"High\"")] {
            scenario::set_path(&mut scenario, path, json!(name)).unwrap();
        }
        let study = Study::read(&of_threshold().to_string()).unwrap();
        let mut session = Session::new(study, &scenario, &BTreeMap::new()).unwrap();
        let wish = session.next(1).remove(0);
        session.put(wish.id, Outcome::Summary(&summary([7.0, 1.0], 2.0)));
        let table = session.table();
        assert_eq!(
            (table.measures[0].title.as_str(), table.points[0].cells[0].mean),
            ("Carried, it's \"High\"", Some(7.0))
        );
    }
}

#[test]
fn a_suggested_range_is_taken_by_the_engine_and_holds_the_present_value() {
    let suggested = suggest(&two_writers()).unwrap();
    for field in suggested.fields {
        let (Some(range), Some(present)) = (field.range, field.present.as_f64()) else { continue };
        assert!(range.from <= present && present <= range.to, "{}: {range:?}, {present}", field.path);
        for end in [range.from, range.to] {
            let mut document = two_writers();
            scenario::set_path(&mut document, &field.path, factor::exact(end)).unwrap();
            let checked = scenario::from_value(document).and_then(|of| qoscope_engine::simulation::check(&of));
            assert!(checked.is_ok(), "{}: {end}", field.path);
        }
    }
}
