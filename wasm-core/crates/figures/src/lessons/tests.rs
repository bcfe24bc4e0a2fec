use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use std::{env, fs};

use proptest::prelude::*;
use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::{Value, json};

use super::*;
use crate::Outcome;

/// The whole lesson that `docs/lessons.md` shows: what it says works there, does.
static EXAMPLE: LazyLock<Value> = LazyLock::new(|| {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/lessons.md");
    let text = fs::read_to_string(path).expect("the document is there");
    let json = text.split("```json\n").nth(1).and_then(|rest| rest.split("```").next());
    serde_json::from_str(json.expect("it shows a lesson")).expect("that is JSON")
});

/// The steps of the example.
const CHOICE: usize = 1;
const NUMBER: usize = 2;
const CURVE: usize = 3;
const EXPLORE: usize = 5;
const CHALLENGE: usize = 6;

/// The example with a value put somewhere; null takes a field out.
fn with(changes: &[(&str, Value)]) -> String {
    let mut lesson = EXAMPLE.clone();
    for (path, value) in changes {
        scenario::set_path(&mut lesson, path, value.clone()).expect("the example has that place");
    }
    lesson.to_string()
}

fn example() -> Lesson {
    Lesson::read(&EXAMPLE.to_string()).expect("the example is right")
}

fn no_files(name: &str) -> Result<Value, String> {
    Err(format!("there is no scenario `{name}`"))
}

fn told(diagnostics: &[Diagnostic]) -> Vec<String> {
    diagnostics.iter().map(|found| format!("{} {}", found.path, found.reason)).collect()
}

/// What is wrong with the example after one change, by itself.
fn refused(path: &str, value: Value) -> Vec<String> {
    Lesson::read(&with(&[(path, value)])).map_err(|found| told(&found)).err().unwrap_or_default()
}

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lessons/schema.json");
    let must_say = format!("{:#}\n", schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-figures --lib schema");
}

#[test]
fn a_lesson_reads_as_it_is_written() {
    let lesson = example();
    assert_eq!(Lesson::read(&serde_json::to_string(&lesson).unwrap()), Ok(lesson.clone()));
    assert_eq!(lesson.check_scenarios(&no_files), []);
    assert_eq!(lesson.scenario_names(), Vec::<&str>::new());
}

#[test]
fn a_step_needs_its_run_and_what_it_speaks_of() {
    let lesson = example();
    let needs: Vec<Vec<&str>> = (0..lesson.steps.len()).map(|step| lesson.needs(step)).collect();
    assert_eq!(
        needs,
        [
            vec!["usual"],
            vec!["tiny", "usual"],
            vec!["usual"],
            vec!["usual", "all"],
            vec!["usual", "tiny"],
            vec!["usual"],
            vec!["tiny"]
        ]
    );
    assert!(lesson.needs(99).is_empty());
}

#[test]
fn a_run_begins_from_the_one_that_it_names() {
    let lesson = example();
    let threshold = |run: &str, further: &[(&str, Value)]| {
        let further: BTreeMap<String, Value> =
            further.iter().map(|(path, value)| ((*path).to_owned(), value.clone())).collect();
        let made = lesson.scenarios(lesson.run(run).unwrap(), &no_files, Some(7), &further).unwrap();
        made.iter().map(|one| (one["switch"]["ecnThresholdPackets"].clone(), one["seed"].clone())).collect::<Vec<_>>()
    };
    assert_eq!(threshold("tiny", &[]), [(json!(1), json!(7))]);
    assert_eq!(threshold("tiny", &[("switch.ecnThresholdPackets", json!(12))]), [(json!(12), json!(7))]);
    assert_eq!(threshold("all", &[]).len(), 4);
    let reasons = refused("runs[0].scenario", json!("tiny"));
    assert_eq!(reasons, ["runs[0].scenario is `tiny`, a run that is not before it"]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let bound = json!({ "value": "usual.network.drops" });
    let range = json!([{ "min": 50, "max": 40, "text": "Why?" }]);
    for (path, value, expected) in [
        ("id", json!("../x"), "id is not the name of a file"),
        ("runs[1].name", json!("usual"), "runs[1].name is `usual` a second time"),
        ("runs[1].name", json!("K = 1"), "runs[1].name is \"K = 1\", which no expression can call"),
        ("steps[0].run", json!("slow"), "steps[0].run names `slow`, which is no run"),
        ("steps[4].runs", json!(["tiny", "all"]), "steps[4].runs names `all`, which is several runs"),
        ("steps[5].run", json!("all"), "steps[5].run is `all`, which is several runs"),
        ("steps[0].show", json!(["Fabric"]), "steps[0].show has \"Fabric\""),
        ("steps[0].show", json!(["picture"]), "steps[0].show has `picture`, and the step has no `plot`"),
        ("steps[0].text", json!("It holds 28."), "steps[0].text has the number `28`, which nothing holds"),
        ("steps[0].text", json!("{slow.x}"), "steps[0].text reads `slow`, which is no run and no model"),
        (
            "steps[0].asserts[0].says",
            json!("About 28 wait"),
            "steps[0].asserts[0].says has the number `28`, which nothing holds",
        ),
        ("steps[0].asserts[0]", bound.clone(), "steps[0].asserts[0] has no bound"),
        (
            "steps[0].asserts[0].value",
            json!("usual."),
            "steps[0].asserts[0].value ends where a number, a path or a function is expected",
        ),
        ("steps[0].kind", json!("prdict"), "steps[0].kind is \"prdict\", which is not known here"),
        ("steps[0].loook", json!(1), "steps[0].loook is not a field of the format"),
        (
            "steps[1].question.options[0].right",
            json!(true),
            "steps[1].question.options does not have exactly one that is right",
        ),
        ("steps[1].question.options[0].feedback", Value::Null, "steps[1].question.options[0].feedback is missing"),
        ("steps[1].question.options[0].when", bound, "steps[1].question.options[0].when has no bound"),
        ("steps[2].question.within", json!(1), "steps[2].question needs either `within` or `withinPercent`"),
        ("steps[2].question.scale.min", json!(0), "steps[2].question.scale is logarithmic and begins at 0 or below"),
        ("steps[2].question.expected.max", json!(2000), "steps[2].question.expected does not lie on the scale"),
        ("steps[2].question.feedback", range, "steps[2].question.feedback[0] has its `min` above its `max`"),
        ("steps[2].question.feedback", json!([]), "steps[2].question.feedback is empty"),
        ("steps[3].question.points[1].x", json!(1), "steps[3].question.points are not in order of `x`"),
        (
            "steps[3].question.feedback[0].values",
            json!([1, 2, 3]),
            "steps[3].question.feedback[0].values has 3 values for 4 points",
        ),
        (
            "steps[3].question.feedback[0].values",
            json!([1, 2, 3, 0]),
            "steps[3].question.feedback[0].values leaves the axis",
        ),
        ("steps[5].controls[0].min", json!(400), "steps[5].controls[0] has its `min` not below its `max`"),
        (
            "steps[6].solution",
            json!({ "switch.bufferPackets": 10 }),
            "steps[6].solution sets `switch.bufferPackets`, which no control frees",
        ),
        ("steps[6].solution", json!({}), "steps[6].solution changes nothing"),
        (
            "steps[6].wrong[0].set",
            json!({ "switch.ecnThresholdPackets": 500 }),
            "steps[6].wrong[0].set sets `switch.ecnThresholdPackets` to 500, where its control does not go",
        ),
        ("steps[6].wrong", json!([]), "steps[6].wrong is empty"),
        ("picture.series[0].values", json!(["slow.x", "1"]), "picture.series[0].values reads `slow`"),
    ] {
        assert!(refused(path, value.clone()).contains(&expected.to_owned()), "{path}: {:?}", refused(path, value));
    }
}

#[test]
fn a_fault_is_told_once() {
    assert_eq!(refused("steps[4].runs", json!(["tiny", "slow"])), ["steps[4].runs names `slow`, which is no run"]);
    assert_eq!(refused("steps[0].run", json!("slow")), ["steps[0].run names `slow`, which is no run"]);
}

#[test]
fn every_fault_is_told_at_once() {
    let faults = Lesson::read(&with(&[
        ("steps[0].text", json!("It holds 28, not {slow.x}.")),
        ("steps[2].question.expected.min", json!(0)),
    ]));
    let expected = [
        "steps[0].text has the number `28`, which nothing holds",
        "steps[0].text reads `slow`, which is no run and no model",
        "steps[2].question.expected does not lie on the scale",
    ];
    assert_eq!(told(&faults.unwrap_err()), expected);
}

#[test]
fn curves_are_for_the_panels_of_a_step() {
    let tail = json!({ "kind": "tail", "series": [{ "title": "a", "class": "Writers", "run": "usual" }] });
    let read = |changes: &[(&str, Value)]| Lesson::read(&with(changes)).map(drop).map_err(|found| told(&found));
    assert_eq!(read(&[("picture", tail.clone())]), Ok(()));
    let shown = [("steps[0].plot", tail), ("steps[0].show", json!(["picture"]))];
    assert_eq!(
        read(&shown),
        Err(vec!["steps[0].plot has curves of a run, which the panels of the step show".to_owned()])
    );
}

#[test]
fn scenarios_and_controls_are_tried() {
    for (path, value, expected) in [
        (
            "runs[1].set",
            json!({ "switch.ecnThresholdPackets": -1 }),
            "runs[1] cannot be run: `switch.ecnThresholdPackets` is -1 packets, below the least value 1 packets.",
        ),
        ("runs[0].scenario", json!("none"), "runs[0] cannot be run: there is no scenario `none`"),
        (
            "steps[5].controls[0]",
            json!({ "path": "switch.kTreshold" }),
            "steps[5].controls[0].path is `switch.kTreshold`, which is no setting of the run",
        ),
        (
            "steps[5].controls[0]",
            json!({ "path": "classes[1].ratio" }),
            "steps[5].controls[0].path is `classes[1].ratio`, which is no setting of the run",
        ),
        (
            "steps[5].controls[0]",
            json!({ "path": "name" }),
            "steps[5].controls[0].path is `name`, which is no setting of the run",
        ),
        (
            "steps[5].controls[0].min",
            json!(0),
            "steps[5].controls[0].min is 0, which `switch.ecnThresholdPackets` does not take",
        ),
        (
            "steps[5].controls[0]",
            json!({ "path": "switch.marking", "min": 1 }),
            "steps[5].controls[0].min is given, and `switch.marking` is no number",
        ),
        (
            "steps[6].solution",
            json!({ "switch.ecnThresholdPackets": "ten" }),
            "steps[6].solution is refused: `switch.ecnThresholdPackets` is \"ten\", not a whole number.",
        ),
    ] {
        let lesson = Lesson::read(&with(&[(path, value)])).expect("by itself it is right");
        let found = told(&lesson.check_scenarios(&no_files));
        assert!(found.iter().any(|found| found.starts_with(expected)), "{path}: {found:?}");
    }
    for path in ["switch.marking", "classes[0].transport", "workloads[0].startGapUs", "topology.linkGbps"] {
        let lesson = Lesson::read(&with(&[("steps[5].controls", json!([{ "path": path }]))])).unwrap();
        assert_eq!(lesson.check_scenarios(&no_files), [], "{path}");
    }
}

/// A result as far as the example reads it.
fn result(carried_gbps: f64, mean_queue: f64, max_queue: u32) -> Value {
    json!({
        "classes": [{ "carriedGbps": carried_gbps }],
        "network": { "meanQueuePackets": mean_queue, "maxQueuePackets": max_queue },
        "settings": { "topology": { "linkGbps": 10 }, "switch": { "ecnThresholdPackets": 30 } },
    })
}

/// What a run of the example gives, further fields being changed.
fn usual(run: &str, threshold: Option<u64>) -> Value {
    match (run, threshold) {
        ("usual", None) => result(9.64, 28.0, 34),
        ("tiny", None) => result(6.4, 1.0, 3),
        ("tiny", Some(10)) => result(9.6, 9.3, 14),
        ("tiny", Some(_)) => result(9.64, 57.0, 64),
        ("all", _) => json!([1.0, 9.3, 28.0, 94.0].map(|queue| result(9.0, queue, 100))),
        other => panic!("the example has no {other:?}"),
    }
}

/// The example played, or another lesson like it, with other results; what does not hold.
fn failures(lesson: &Lesson, results: impl Fn(&str, u32, Option<u64>) -> Value) -> Vec<String> {
    let outcome = |need: &Need<'_>| -> Outcome {
        let Need::Run { run, seed, set } = need else { panic!("the example has no model") };
        let threshold = set.and_then(|set| set["switch.ecnThresholdPackets"].as_u64());
        Ok(Arc::new(results(&run.name, *seed, threshold)))
    };
    let outcomes = lesson.needed(2).iter().map(outcome).collect();
    let played = lesson.play(2, outcomes);
    let lines = played.steps.iter().flat_map(|step| &step.lines);
    let wrong: Vec<String> = lines
        .flat_map(|line| line.seen.iter().filter(|seen| !seen.holds).map(move |seen| (line, seen)))
        .map(|(line, seen)| format!("{} {}: {} under {}", line.held.title(), line.says, seen.text, seen.seed))
        .collect();
    assert_eq!(played.holds(), wrong.is_empty());
    wrong
}

#[test]
fn the_example_holds() {
    assert_eq!(failures(&example(), |run, _, threshold| usual(run, threshold)), Vec::<String>::new());
}

#[test]
fn a_play_finds_what_does_not_hold_under_one_of_the_seeds() {
    let second = |one: &'static str, of: Option<u64>, instead: Value| {
        failures(&example(), move |run, seed, threshold| {
            if (run, seed, threshold) == (one, 2, of) { instead.clone() } else { usual(run, threshold) }
        })
    };
    let wrong = second("usual", None, result(9.64, 36.0, 34));
    assert_eq!(wrong, ["asserts The queue stays near K: 36\u{202f}packets under 2"]);
    // An option that is wrong holds, and the right one does not.
    let wrong = second("tiny", None, result(9.5, 1.0, 3));
    assert_eq!(
        wrong,
        [
            "wrong answer As much as before: 0.985 under 2",
            "right answer A good deal less: 0.985 under 2",
            // And the challenge is met as it begins.
            "start misses a goal : met 9.5\u{202f}Gb/s, met 1\u{202f}packet under 2",
        ]
    );
    // A number that leaves what is expected, and comes near to a wrong reading: 130 is 30 % more than 100.
    let wrong = second("usual", None, result(9.64, 28.0, 77));
    assert_eq!(
        wrong,
        [
            "right answer How long does the queue get at most?: 77\u{202f}packets under 2",
            "wrong answer 100 to 1000\u{202f}packets: 77\u{202f}packets under 2",
        ]
    );
    // A flat curve is right of a flat curve.
    let wrong = second("all", None, json!([90.0, 95.0, 100.0, 105.0].map(|queue| result(9.0, queue, 100))));
    assert_eq!(wrong, ["wrong answer Always as long: then marks would not reach the senders.: 5\u{202f}% under 2"]);
    let wrong = second("all", None, json!([1.0, 9.3, 28.0, 2000.0].map(|queue| result(9.0, queue, 100))));
    assert!(wrong[0].starts_with("right answer Draw the mean queue over K.: 2000 leaves the axis"), "{wrong:?}");
    let wrong = second("tiny", Some(10), result(9.4, 9.3, 14));
    assert_eq!(wrong, ["solution The link is full: 9.4\u{202f}Gb/s under 2"]);
    let wrong = second("tiny", Some(60), result(9.6, 14.0, 20));
    assert_eq!(
        wrong,
        [
            "wrong attempt misses a goal switch.ecnThresholdPackets = 60: met 9.6\u{202f}Gb/s, met 14\u{202f}packets under 2"
        ]
    );
}

#[test]
fn a_number_told_must_have_a_value() {
    let lesson = Lesson::read(&with(&[("steps[0].text", json!("{usual.network.drops} are lost."))])).unwrap();
    let wrong = failures(&lesson, |run, _, threshold| usual(run, threshold));
    let why = "`usual.network.drops` leads nowhere: there is no `drops`";
    assert_eq!(wrong, [1, 2].map(|seed| format!("tells usual.network.drops: {why} under {seed}")));
}

#[test]
fn a_run_that_cannot_be_made_is_told() {
    let lesson = example();
    let outcomes = lesson.needed(1).iter().map(|_| Err("it is too long".into())).collect();
    let played = lesson.play(1, outcomes);
    assert!(!played.holds());
    assert_eq!(played.failures[0], "`usual` gives nothing: it is too long");
}

fn results() -> LessonResults {
    ["usual", "tiny", "all"].into_iter().map(|run| (run.to_owned(), Arc::new(usual(run, None)))).collect()
}

fn judged(step: usize, answer: &Answer) -> Judgement {
    example().judge(step, answer, &results()).expect("the results are there")
}

#[test]
fn a_choice_is_judged_by_the_run() {
    let happened = Happened::Choice { option: 1, text: "A good deal less".into() };
    let of = |option| judged(CHOICE, &Answer::Choice { option });
    let right = Judgement { right: true, distance: None, happened: happened.clone(), feedback: None };
    assert_eq!(of(1), right);
    let wrong = of(2);
    assert_eq!((wrong.right, wrong.happened), (false, happened));
    assert_eq!(wrong.feedback.as_deref(), Some("A mark makes a sender slower; it does not stop it."));
    assert!(!judged(CHOICE, &Answer::Unknown).right);
    assert_eq!(of(9).feedback, None);

    // Should another option be so in the learner's own run, that one is right.
    let mut own = results();
    own.insert("tiny".into(), Arc::new(result(9.6, 1.0, 3)));
    let lucky = example().judge(CHOICE, &Answer::Choice { option: 0 }, &own).unwrap();
    assert_eq!((lucky.right, lucky.feedback), (true, None));
}

#[test]
fn a_run_that_shows_none_of_the_options_says_so_and_counts_what_is_taught() {
    let mut lesson = example();
    let Act::Predict { question: Question::Choice { options, .. }, .. } = &mut lesson.steps[CHOICE].act else {
        panic!("the step asks for a choice");
    };
    options.iter_mut().for_each(|option| (option.when.min, option.when.max) = (Some(1e9), None));
    let of = |option| lesson.judge(CHOICE, &Answer::Choice { option }, &results()).unwrap();
    assert_eq!(of(1).happened, Happened::None { text: "This run shows none of these.".into() });
    assert_eq!((of(1).right, of(2).right), (true, false));
}

#[test]
fn a_number_is_right_within_its_tolerance() {
    // The queue reaches 34; 30 % of that are 10.2.
    for (value, right, distance, feedback) in [
        (34.0, true, "exactly so", None),
        (44.0, true, "10\u{202f}packets too high", None),
        (44.3, false, "10.3\u{202f}packets too high", None),
        (23.7, false, "10.3\u{202f}packets too low", None),
        (10.0, false, "24\u{202f}packets too low", Some("Marks come back")),
        (150.0, false, "116\u{202f}packets too high", Some("That is what")),
    ] {
        let judged = judged(NUMBER, &Answer::Number { value });
        assert_eq!((judged.right, judged.distance.as_deref()), (right, Some(distance)), "{value}");
        assert_eq!(judged.happened, Happened::Number { value: 34.0, text: "34\u{202f}packets".into() });
        let begins = judged.feedback.map(|text| text.split_whitespace().take(3).collect::<Vec<_>>().join(" "));
        assert_eq!(begins.as_deref(), feedback, "{value}");
    }
}

#[test]
fn a_curve_is_judged_by_its_mean_distance() {
    // On a logarithmic axis: the curve has 1, 9.3, 28 and 94, and may be off by 60 %.
    for (values, right, distance, feedback) in [
        ([1.0, 9.3, 28.0, 94.0], true, "1.00", false),
        // Twice as much everywhere, and half as much at one half of the points, are off by a factor of 2.
        ([2.0, 18.6, 56.0, 188.0], false, "2.00", false),
        ([2.0, 4.65, 56.0, 47.0], false, "2.00", false),
        // Twice as much at half of the points: by the root of 2.
        ([2.0, 9.3, 28.0, 188.0], true, "1.41", false),
        ([100.0, 100.0, 100.0, 100.0], false, "7.99", true),
    ] {
        let judged = judged(CURVE, &Answer::Curve { values: values.to_vec() });
        assert_eq!(judged.right, right, "{values:?}");
        assert_eq!(judged.distance, Some(format!("off by a factor of {distance} on average")));
        assert_eq!(judged.feedback.is_some(), feedback, "{values:?}");
    }

    // On a linear one, in the unit of y.
    let mut linear = EXAMPLE.clone();
    linear["steps"][CURVE]["question"]["y"] = json!({ "title": "Mean queue", "min": 0, "max": 200 });
    linear["steps"][CURVE]["question"]["withinPercent"] = json!(5);
    let linear = Lesson::read(&linear.to_string()).unwrap();
    let of = |values: [f64; 4]| {
        let judged = linear.judge(CURVE, &Answer::Curve { values: values.to_vec() }, &results()).unwrap();
        (judged.right, judged.distance.unwrap())
    };
    // 40 packets too many at one of four points are 10 on average: 5 % of 200.
    assert_eq!(of([1.0, 9.3, 68.0, 94.0]), (true, "10 off on average".into()));
    assert_eq!(of([1.0, 9.3, 68.0, 100.0]), (false, "11.5 off on average".into()));
    // What is drawn beyond the axis lies at its end.
    assert_eq!(of([1.0, 9.3, 28.0, 1e9]), (false, "26.5 off on average".into()));
}

#[test]
fn an_answer_of_another_kind_is_no_answer() {
    let lesson = example();
    let curve = Answer::Curve { values: vec![1.0] };
    for (step, answer, reason) in [
        (0, &Answer::Unknown, "the step asks nothing"),
        (CHOICE, &curve, "the answer is of another kind than the question"),
        (CURVE, &curve, "the curve has 1 points, and 4 are asked for"),
        (99, &curve, "the step asks nothing"),
    ] {
        assert_eq!(lesson.judge(step, answer, &results()).unwrap_err(), reason);
    }
    let reason = lesson.judge(NUMBER, &Answer::Unknown, &LessonResults::new()).unwrap_err();
    assert_eq!(reason, "`usual` cannot be read here; nothing can");
}

#[test]
fn a_step_is_told_with_what_there_is() {
    let lesson = example();
    let before = lesson.told(0, &LessonResults::new(), None);
    assert!(before.text.ends_with("With K at … the queue holds … packets on average."), "{}", before.text);
    assert_eq!((before.asserts[0].text.as_str(), before.asserts[0].holds), ("…", None));
    let after = lesson.told(0, &results(), None);
    assert!(after.text.ends_with("With K at 30 the queue holds 28.0 packets on average."), "{}", after.text);
    let ToldStatement { says, wanted, value, text, holds } = &after.asserts[0];
    assert_eq!((says.as_str(), wanted.as_str()), ("The queue stays near K", "20 to 35\u{202f}packets"));
    assert_eq!((*value, text.as_str(), *holds), (Some(28.0), "28\u{202f}packets", Some(true)));

    let challenge = lesson.told(CHALLENGE, &results(), None);
    assert_eq!(challenge.goals.iter().map(|goal| goal.holds).collect::<Vec<_>>(), [Some(false), Some(true)]);
    assert_eq!(challenge.wrong, ["The link is full, and every packet waits behind 1 others."]);
    assert_eq!(lesson.told(EXPLORE, &results(), None).look.len(), 1);
    assert_eq!(lesson.told(99, &results(), None), ToldStep::default());
}

#[test]
fn a_plot_of_a_step_is_drawn_once_its_runs_are_there() {
    let lesson = Lesson::read(&with(&[
        ("steps[0].plot", EXAMPLE["picture"].clone()),
        ("steps[0].show", json!(["picture", "queue"])),
    ]));
    let lesson = lesson.unwrap();
    assert_eq!(lesson.needs(0), ["usual", "tiny"]);
    let mut results = results();
    let picture = lesson.told(0, &results, None).picture.expect("it can be drawn");
    assert_eq!(picture.series[0].points, [(0.0, 6.4), (1.0, 9.64)]);
    results.remove("tiny");
    assert_eq!(lesson.told(0, &results, None).picture, None);
}

#[test]
fn a_session_runs_with_the_scenario_in_force() {
    let mut session = Session::new(&EXAMPLE.to_string()).unwrap();
    assert_eq!(session.check(), []);
    let further = BTreeMap::from([("switch.ecnThresholdPackets".to_owned(), json!(10))]);
    let scenarios = session.scenarios("tiny", Some(3), &further).unwrap();
    assert_eq!(scenarios[0]["seed"], 3);
    let summary = result(9.6, 9.3, 14);
    session.put("tiny", vec![summary], scenarios).unwrap();
    // The default of a field, and what follows from others, are told as well.
    let mtu = session.results()["tiny"]["settings"]["host"]["mtuBytes"].clone();
    let rtt = session.results()["tiny"]["settings"]["topology"]["baseRttUs"].as_f64();
    assert_eq!((mtu, rtt), (json!(1500), Some(6.4896)));
    let goals = session.told(CHALLENGE).goals;
    assert!(goals.iter().all(|goal| goal.holds == Some(true)), "{goals:?}");
    assert_eq!(session.compute("tiny").unwrap_err(), "there is no model `tiny`");
    assert_eq!(session.scenarios("slow", None, &further).unwrap_err(), "there is no run `slow`");
}

/// A session at the challenge, with the result of the lesson's own settings.
fn at_the_challenge() -> (Session, Value) {
    let text = json!("K is {tiny.settings.switch.ecnThresholdPackets}.");
    let mut session = Session::new(&with(&[(&format!("steps[{CHALLENGE}].text"), text)])).unwrap();
    let scenario = session.scenarios("tiny", None, &BTreeMap::new()).unwrap().remove(0);
    session.put("tiny", vec![result(6.4, 1.0, 3)], vec![scenario.clone()]).unwrap();
    (session, scenario)
}

#[test]
fn text_of_a_task_keeps_the_initial_settings() {
    let (mut session, mut scenario) = at_the_challenge();
    let before = session.told(CHALLENGE).text;
    scenario["switch"]["ecnThresholdPackets"] = json!(10);
    session.try_out(CHALLENGE, result(9.6, 9.3, 14), scenario).unwrap();
    let told = session.told(CHALLENGE);
    assert_eq!(told.text, before);
    assert!(told.goals.iter().all(|goal| goal.holds == Some(true)), "{:?}", told.goals);
    session.forget_try();
    assert_eq!(session.told(CHALLENGE).goals[0].holds, Some(false));
}

#[test]
fn goals_have_no_value_before_the_first_measured_sample() {
    let (mut session, mut scenario) = at_the_challenge();
    scenario["measurement"] = json!({ "warmupUs": 4000, "samplePeriodUs": 500 });
    for (simulated_us, text, holds) in [
        (0.0, "after 4\u{202f}ms", None),
        (4000.0, "after 4\u{202f}ms", None),
        (4499.0, "after 4\u{202f}ms", None),
        (4500.0, "9.6\u{202f}Gb/s", Some(true)),
    ] {
        let mut summary = result(9.6, 9.3, 14);
        summary["simulatedUs"] = json!(simulated_us);
        session.try_out(CHALLENGE, summary, scenario.clone()).unwrap();
        let goal = &session.told(CHALLENGE).goals[0];
        assert_eq!((goal.text.as_str(), goal.holds), (text, holds), "at {simulated_us} µs");
    }
}

#[test]
fn a_model_may_be_laid_over_a_run() {
    let models = json!([{ "kind": "equations", "name": "model", "linkGbps": 10, "packetBytes": 1538, "rttUs": 100,
        "thresholdPackets": 30, "ratios": [1, 1], "gain": 0.0625, "initial": "threshold" },
        { "kind": "plan", "name": "planned", "scenario": "none" }]);
    let mut session =
        Session::new(&with(&[("models", models), ("steps[0].text", json!("{model.classes[0].convergedSlot or 0}"))]))
            .unwrap();
    assert_eq!(told(&session.check()), ["models[1].scenario cannot be read: there is no scenario `none`"]);
    assert_eq!(session.lesson().scenario_names(), ["none"]);
    assert_eq!(session.told(0).text, "…");
    session.compute("model").unwrap();
    assert_ne!(session.told(0).text, "…");
}

#[test]
fn a_name_gives_a_seed() {
    // Known to those who wrote theirs down.
    assert_eq!(seed_of("Ada Lovelace"), seed_of("  ada  LOVELACE "));
    let names = ["Ada", "Adb", "Bea", "Ada L", "Zoë", ""];
    let seeds: std::collections::BTreeSet<u32> = names.into_iter().map(seed_of).collect();
    assert_eq!(seeds.len(), names.len());
    assert!(seeds.iter().all(|seed| (1..=1_000_000).contains(seed)));
}

/// A text with some bytes replaced, taken out or put in.
fn damaged(text: &str, blows: &[(usize, u8, u8)]) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for (place, kind, byte) in blows {
        let at = place % bytes.len();
        match kind % 3 {
            0 => bytes[at] = *byte,
            1 => drop(bytes.remove(at)),
            _ => bytes.insert(at, *byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The places of a document, each as a pointer.
fn places(value: &Value, here: &str, found: &mut Vec<String>) {
    found.push(here.to_owned());
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            places(value, &format!("{here}/{}", name.replace('~', "~0").replace('/', "~1")), found);
        }),
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(at, value)| places(value, &format!("{here}/{at}"), found));
        }
        _ => (),
    }
}

/// Everything that is done with a lesson short of simulating it.
fn used(text: &str) {
    let Ok(lesson) = Lesson::read(text) else { return };
    let _found = lesson.check_scenarios(&no_files);
    let results = results();
    for step in 0..=lesson.steps.len() {
        let _needs = lesson.needs(step);
        let _told = lesson.told(step, &results, None);
        for answer in [Answer::Unknown, Answer::Choice { option: 7 }, Answer::Number { value: f64::NAN }] {
            let _judged = lesson.judge(step, &answer, &results);
        }
    }
    let made: BTreeMap<String, Arc<Value>> = results;
    let outcome = |need: &Need<'_>| made.get(need.name()).cloned().ok_or_else(String::new);
    let outcomes: Vec<Outcome> = lesson.needed(2).iter().map(outcome).collect();
    let _picture = lesson.picture(2, &outcomes, &no_files);
    let _played = lesson.play(2, outcomes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_damaged_text_is_refused_or_read(blows in prop::collection::vec((any::<usize>(), any::<u8>(), any::<u8>()), 1..5)) {
        used(&damaged(&EXAMPLE.to_string(), &blows));
    }

    #[test]
    fn a_lesson_with_another_value_somewhere_is_refused_or_read(
        place in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        value in prop::sample::select(vec![
            json!(null), json!(0), json!(-1.5), json!(1e308), json!(""), json!("{"), json!("{usual.classes} 3"), json!("all"),
            json!("usual.flows[3] / 0"), json!([]), json!({}), json!([[]]), json!(true),
        ]),
    ) {
        let mut lesson = EXAMPLE.clone();
        let mut found = Vec::new();
        places(&lesson, "", &mut found);
        *lesson.pointer_mut(&found[place.index(found.len())]).unwrap() = value;
        used(&lesson.to_string());
        // And a part in the place of another.
        let mut lesson = EXAMPLE.clone();
        let part = lesson.pointer(&found[other.index(found.len())]).unwrap().clone();
        *lesson.pointer_mut(&found[place.index(found.len())]).unwrap() = part;
        used(&lesson.to_string());
    }
}
