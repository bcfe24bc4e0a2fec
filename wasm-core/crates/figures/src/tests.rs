use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

use super::*;
use serde_json::json;

fn figure(quantity: Value) -> Result<Figure, Vec<String>> {
    let document = json!({
        "id": "paper9-fig1",
        "title": "A figure",
        "source": "Paper 9, fig. 1",
        "section": "paper 9",
        "claim": "High is ahead.",
        "reference": { "totalGbps": 10 },
        "runs": [
            { "name": "qtcp", "scenario": "three-writers", "seeds": 2 },
            { "name": "dctcp", "scenario": "three-writers", "seeds": 2 },
        ],
        "models": [{ "name": "model", "kind": "overlay", "scenario": "three-writers" }],
        "quantities": [quantity],
    });
    Figure::read(&document.to_string()).map_err(|diagnostics| {
        diagnostics.into_iter().map(|diagnostic| format!("{} {}", diagnostic.path, diagnostic.reason)).collect()
    })
}

fn quantity(value: &str, published: Value) -> Value {
    json!({ "label": "total", "unit": "Gb/s", "value": value, "published": published })
}

fn row(quantity: Value) -> Row {
    let seeds = |numbers: [f64; 2]| numbers.map(|number| Arc::new(json!({ "total": number }))).to_vec();
    let results = Results {
        runs: BTreeMap::from([("qtcp".into(), seeds([9.0, 11.0])), ("dctcp".into(), seeds([18.0, 22.0]))]),
        models: BTreeMap::from([("model".into(), Arc::new(json!({ "total": 10 })))]),
    };
    figure(quantity).unwrap().rows(&results).unwrap().remove(0)
}

#[test]
fn a_quantity_is_a_mean_over_seeds() {
    let row = row(quantity("qtcp.total", json!({ "kind": "reference", "value": "reference.totalGbps", "within": 13 })));
    assert_eq!((row.ours.mean, row.quantity.as_str(), row.reference.as_str()), (10.0, "total, Gb/s", "10"));
    assert_eq!(row.verdict(), Verdict::Reproduced);
}

#[test]
fn runs_are_paired_by_seed() {
    let row = row(quantity("dctcp.total - 2 * qtcp.total + 1", json!({ "kind": "order", "words": "more" })));
    assert_eq!(row.ours, Estimate { mean: 1.0, half_width: Some(0.0) });
}

#[test]
fn what_no_seed_changes_is_exact() {
    let row = row(quantity("model.total", json!({ "kind": "range", "low": 9, "high": 10 })));
    assert_eq!(row.ours, Estimate::exact(10.0));
}

#[test]
fn a_percentage_is_that_of_the_means() {
    let mut quantity = quantity("qtcp.total", json!({ "kind": "number", "value": 50, "within": 0 }));
    quantity["percentBelow"] = json!("dctcp.total");
    assert_eq!(row(quantity).ours, Estimate { mean: 50.0, half_width: Some(0.0) });
}

#[test]
fn seeds_that_are_cut_off_make_a_lower_bound() {
    let mut quantity = quantity("qtcp.total", json!({ "kind": "number", "value": 10, "within": 20 }));
    quantity["censored"] = json!("qtcp.total - 9");
    let row = row(quantity);
    assert_eq!((row.censored, row.verdict()), (Some((1, 2)), Verdict::Missed));
}

#[test]
fn what_follows_from_a_formula_says_so() {
    let formula = json!({ "kind": "arithmetic", "value": 10, "within": 0, "formula": "a lemma" });
    let row = row(quantity("model.total", formula));
    assert_eq!((row.reference.as_str(), row.verdict()), ("10 by a lemma", Verdict::ArithmeticAgrees));
}

#[test]
fn a_control_deviates_from_nothing() {
    let control = json!({ "kind": "control", "shows": "what the network adds" });
    let text = json!({
        "id": "paper9-fig1", "title": "A figure", "source": "Paper 9", "section": "paper 9", "claim": "None.",
        "runs": [{ "name": "qtcp", "scenario": "three-writers", "seeds": 2 }],
        "quantities": [quantity("qtcp.total", control)],
        "deviations": [{ "cause": "Some cause", "rows": [{ "label": "total", "ours": 1, "within": 1 }] }],
    });
    let reason = Figure::read(&text.to_string()).unwrap_err().remove(0).reason;
    assert_eq!(reason, "is the row \"total\", a control, which deviates from nothing");
}

#[test]
fn a_control_may_state_where_it_lies() {
    for (ends, verdict) in [
        (json!({ "low": 0 }), Verdict::StatementHolds),
        (json!({ "high": 0 }), Verdict::Missed),
        (json!({ "low": -20, "high": 20 }), Verdict::StatementHolds),
    ] {
        let mut control = json!({ "kind": "control", "shows": "what the network adds" });
        control.as_object_mut().unwrap().extend(ends.as_object().unwrap().clone());
        assert_eq!(row(quantity("model.total", control)).verdict(), verdict, "{ends}");
    }
}

#[test]
fn a_comparison_has_runs_that_there_are() {
    let text = json!({
        "id": "paper9-fig1", "title": "A figure", "source": "Paper 9", "section": "paper 9", "claim": "None.",
        "runs": [
            { "name": "qtcp", "scenario": "three-writers", "seeds": 2 },
            { "name": "swept", "scenario": "three-writers", "seeds": 2, "sweep": { "path": "seed", "values": [1] } },
        ],
        "comparisons": [{ "title": "Side by side", "runs": [
            { "run": "qtcp", "title": "QTCP" },
            { "run": "swept", "title": "swept" },
            { "run": "dctcp", "title": "DCTCP" },
        ] }],
        "quantities": [quantity("qtcp.total", json!({ "kind": "order", "words": "more" }))],
    });
    let refused = Figure::read(&text.to_string()).unwrap_err();
    let reasons: Vec<_> = refused.iter().map(|found| (found.path.as_str(), found.reason.as_str())).collect();
    let path = "comparisons[0].runs";
    assert_eq!(reasons, [(path, "has `swept`, which is no single run"), (path, "has `dctcp`, which is no single run")]);
}

#[test]
fn what_cannot_be_meant_is_refused_with_its_place() {
    let order = json!({ "kind": "order", "words": "more" });
    for (quantity, diagnostic) in [
        (quantity("qtpc.total", order.clone()), "quantities[0].value reads `qtpc` (total)"),
        (
            quantity("qtcp.total +", order),
            "quantities[0].value ends where a number, a path or a function is expected (total)",
        ),
        (
            quantity("qtcp.total", json!({ "kind": "order", "words": "43 % fewer" })),
            "quantities[0].published has words with a number in them, \"43 % fewer\" (total)",
        ),
        (
            quantity("qtcp.total", json!({ "kind": "number", "value": 5 })),
            "quantities[0].published needs either `within` or `withinPercent` (total)",
        ),
        (
            quantity("qtcp.total", json!({ "kind": "number", "vaule": 5, "value": 5, "within": 1 })),
            "quantities[0].published.vaule is not a field of the format",
        ),
    ] {
        assert_eq!(figure(quantity), Err(vec![diagnostic.to_owned()]));
    }
}

#[test]
fn runs_that_are_paired_have_the_same_number_of_seeds() {
    let text = json!({
        "id": "paper9-fig1", "title": "A figure", "source": "Paper 9", "section": "paper 9", "claim": "None.",
        "runs": [
            { "name": "qtcp", "scenario": "three-writers", "seeds": 2 },
            { "name": "dctcp", "scenario": "three-writers", "seeds": 3 },
        ],
        "quantities": [quantity("qtcp.total - dctcp.total", json!({ "kind": "order", "words": "more" }))],
    });
    let reason = Figure::read(&text.to_string()).unwrap_err().remove(0).reason;
    assert_eq!(reason, "reads `qtcp` and `dctcp`, which have different numbers of seeds (total)");
}

#[test]
fn a_plot_is_checked_with_its_figure_and_no_part_of_its_digest() {
    let document = |plot: Value| {
        json!({
            "id": "paper9-fig1", "title": "A figure", "source": "Paper 9", "section": "paper 9", "claim": "None.",
            "plot": plot, "quantities": [quantity("1", json!({ "kind": "order", "words": "more" }))],
        })
        .to_string()
    };
    let bars = |value: &str| {
        json!({ "kind": "bars", "y": { "title": "Carried" }, "groups": ["one"], "series": [
            { "each": [{ "class": ["High", "Low"] }], "title": "{class}", "values": [value] },
        ] })
    };
    let digest = |plot: Value| Figure::read(&document(plot)).unwrap().digest(&Results::default());
    assert_eq!(digest(bars("1")), digest(Value::Null));
    let found = Figure::read(&document(bars("qtcp.total"))).unwrap_err();
    let paths: Vec<&str> = found.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(paths, ["plot.series[0].values", "plot.series[1].values"]);
}

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/schema.json");
    let must_say = format!("{:#}\n", schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-figures --lib schema");
}

/// Every text of a document replaced by a long one: the refusals quote a short part of it, and no form of Rust.
#[test]
fn refusals_of_damaged_documents_are_short_sentences() {
    fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::String(_) => found.push(at.to_owned()),
            Value::Array(elements) => {
                elements.iter().enumerate().for_each(|(index, value)| texts(value, &format!("{at}/{index}"), found));
            }
            Value::Object(fields) => {
                fields.iter().for_each(|(name, value)| texts(value, &format!("{at}/{name}"), found))
            }
            _ => (),
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios");
    let long = "x".repeat(3000);
    let mut refused = 0;
    for file in ["figures/paper2-fig12", "lessons/lossless"] {
        let document: Value =
            serde_json::from_str(&fs::read_to_string(folder.join(format!("{file}.json"))).unwrap()).unwrap();
        let mut found = Vec::new();
        texts(&document, "", &mut found);
        for (number, pointer) in found.iter().enumerate() {
            let mut damaged = document.clone();
            *damaged.pointer_mut(pointer).unwrap() =
                if number % 2 == 0 { long.as_str().into() } else { format!("{{{long}}}").into() };
            let read = match file.starts_with("figures") {
                true => Figure::read(&damaged.to_string()).map(drop),
                false => lessons::Lesson::read(&damaged.to_string()).map(drop),
            };
            for diagnostic in read.err().into_iter().flatten() {
                let sentence = diagnostic.to_string();
                assert!(!sentence.contains(&long[..100]), "{file}{pointer}: {sentence}");
                assert!(!sentence.contains("Some(") && !sentence.contains("None"), "{file}{pointer}: {sentence}");
                refused += 1;
            }
        }
    }
    assert!(refused > 50, "{refused}");
}

#[test]
fn a_deviation_of_no_row_is_named_by_its_case_and_label() {
    let mut document: Value = serde_json::from_str(
        &fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../scenarios/figures/paper2-fig12.json"))
            .unwrap(),
    )
    .unwrap();
    let rows = json!([{ "case": "paper2-fig12-interval10", "label": "High: nothing", "ours": 1, "within": 1 }]);
    document["deviations"] = json!([{ "cause": "Chance", "rows": rows }]);
    let found = Figure::read(&document.to_string()).unwrap_err();
    assert_eq!(found[0].path, "deviations[0].rows[0]");
    assert_eq!(
        found[0].reason,
        "is \"High: nothing\" of the case \"paper2-fig12-interval10\", and no quantity has this label and case"
    );
}
