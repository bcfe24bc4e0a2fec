//! A study of a hundred thousand runs: what takes time with every result must not grow with all of them.

use std::collections::BTreeMap;
use std::time::Instant;

use qoscope_campaign::{Campaign, Outcome};
use qoscope_study::{Session, Study};
use serde_json::{Value, json};

fn scenario() -> Value {
    json!({
        "version": 3, "name": "one writer", "durationUs": 2000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 } },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [{ "class": "A", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
            "traffic": { "kind": "backlogged" } }],
    })
}

fn study(points: u32, seeds: u32) -> Session {
    let range = json!({ "from": 1, "to": points, "count": points.min(1000) });
    let vary = match points / 1000 {
        0 | 1 => json!([{ "path": "switch.ecnThresholdPackets", "range": range }]),
        tens => json!([
            { "path": "switch.ecnThresholdPackets", "range": { "from": 1, "to": 1000, "count": 1000 } },
            { "path": "switch.bufferPackets", "range": { "from": 1001, "to": 2000, "count": tens } },
        ]),
    };
    let study = json!({
        "version": 2, "title": "large", "vary": vary, "seeds": { "count": seeds },
        "measures": [
            { "title": "Carried", "value": "sum(classes.carriedGbps)" },
            { "title": "Queue", "value": "network.meanQueuePackets" },
            { "title": "p99", "value": "classes['{class}'].latencyUs.p99" },
        ],
        "ask": { "kind": "sweep" },
    });
    let study = Study::read(&study.to_string()).expect("it is a study");
    Session::new(study, &scenario(), &BTreeMap::new()).expect("it can be asked of the scenario")
}

#[test]
#[expect(clippy::disallowed_methods, reason = "what it takes is told, and no result depends on it")]
fn a_hundred_thousand_results_are_taken_and_told() {
    for (points, seeds) in [(1000, 100), (10_000, 10)] {
        let began = Instant::now();
        let mut session = study(points, seeds);
        let opened = began.elapsed();
        let mut runs = 0_u32;
        loop {
            // As a driver with eight workers asks.
            let wanted = session.next(8);
            if wanted.is_empty() {
                break;
            }
            for wish in wanted {
                let number = f64::from(wish.id % 97);
                let summary = json!({
                    "classes": [{ "name": "A", "carriedGbps": number, "latencyUs": { "p99": 2.0 * number } }],
                    "network": { "meanQueuePackets": 1.5 },
                });
                session.put(wish.id, Outcome::Summary(&summary));
                runs += 1;
            }
        }
        let taken = began.elapsed();
        let table = session.table();
        let told = began.elapsed();
        assert_eq!((runs, table.points.len()), (points * seeds, points as usize));
        assert!(table.points.iter().all(|point| point.seeds == seeds && point.cells[1].mean == Some(1.5)));
        println!(
            "{points} points of {seeds} seeds: opened in {opened:?}, taken in {:?}, table in {:?}",
            taken - opened,
            told - taken
        );
    }
}
