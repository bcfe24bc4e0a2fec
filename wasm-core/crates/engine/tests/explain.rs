//! What is explained of a scenario is what a run of it uses; and what is said to have no effect has none.

use std::collections::BTreeSet;

use qoscope_engine::catalogue::{Explanation, FieldExplanation, Recommended, Source, explain, explain_run};
use qoscope_engine::kernel::ids::ClassId;
use qoscope_engine::kernel::time::to_us;
use qoscope_engine::scenario;
use qoscope_engine::scenario::document::Scenario;
use qoscope_engine::scenario::fields;
use qoscope_engine::simulation::{Simulation, metrics};
use qoscope_engine::transport::controllers::Control;
use qoscope_engine::transport::controllers::dcqcn::NO_BYTE_COUNTER;
use serde_json::{Value, json};

fn committed() -> Vec<(String, Scenario)> {
    let sound = |document| scenario::from_value(document).expect("committed scenarios are sound");
    qoscope_committed::all().into_iter().map(|(name, document)| (name, sound(document))).collect()
}

fn three_writers() -> Value {
    qoscope_committed::document("three-writers")
}

/// The three writers with some fields changed.
fn with(changes: &[(&str, Value)]) -> Scenario {
    let mut document = three_writers();
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap();
    }
    scenario::from_value(document).expect("the changed scenario is sound")
}

fn of<'a>(explanation: &'a Explanation, path: &str) -> &'a FieldExplanation {
    explanation.fields.iter().find(|field| field.path == path).unwrap_or_else(|| panic!("{path} is not explained"))
}

fn reason(scenario: &Scenario, path: &str) -> Option<String> {
    of(&explain(scenario).unwrap(), path).no_effect.as_ref().map(|no_effect| no_effect.reason.clone())
}

fn assert_number(name: &str, explanation: &Explanation, path: &str, used: f64) {
    let explained = of(explanation, path).value.as_f64();
    let is_close = explained.is_some_and(|explained| (explained - used).abs() <= 1e-6 + 1e-9 * used.abs());
    assert!(is_close, "{name}, {path}: explained {explained:?}, used {used}");
}

#[test]
fn the_value_explained_is_the_value_used() {
    for (name, scenario) in committed() {
        let simulation = Simulation::new(&scenario).expect("the network can be laid out");
        let explanation = explain(&scenario).unwrap();
        assert_eq!(explanation, explain_run(&simulation), "{name}");
        let (plan, settings) = (simulation.plan(), simulation.settings());
        let check = |path: &str, used: f64| assert_number(&name, &explanation, path, used);
        check("topology.baseRttUs", to_us(settings.base_rtt_ps));
        for (index, class) in scenario.classes.iter().enumerate() {
            let used = plan.class_settings(&scenario, ClassId::at(index), settings);
            let check = |field: &str, used: f64| check(&format!("classes[{index}].{field}"), used);
            check("baseRttUs", to_us(used.base_rtt_ps));
            match used.control {
                Control::Dcqcn(used) | Control::Qrdma(used) => {
                    check("dcqcn.gain", used.gain);
                    check("dcqcn.cnpIntervalUs", to_us(used.decrease_interval_ps));
                    check("dcqcn.alphaTimerUs", to_us(used.alpha_timer_ps));
                    check("dcqcn.increaseTimerUs", to_us(used.increase_timer_ps));
                    check("dcqcn.fastRecoverySteps", f64::from(used.fast_recovery_steps));
                    check("dcqcn.additiveIncreaseMbps", used.additive_increase_bps / 1e6);
                    check("dcqcn.hyperIncreaseMbps", used.hyper_increase_bps / 1e6);
                    check("dcqcn.minRateMbps", used.min_rate_bps / 1e6);
                    let clamps = &of(&explanation, &format!("classes[{index}].dcqcn.clampTarget")).value;
                    assert_eq!(clamps, &json!(used.clamp_target), "{name}");
                    let counter = &of(&explanation, &format!("classes[{index}].dcqcn.byteCounterBytes")).value;
                    assert_eq!(counter.as_u64().unwrap_or(NO_BYTE_COUNTER), used.byte_counter_bytes, "{name}");
                }
                Control::Timely(used) => {
                    check("timely.gain", used.gain);
                    check("timely.beta", used.beta);
                    check("timely.additiveIncreaseMbps", used.additive_increase_bps / 1e6);
                    check("timely.lowUs", to_us(used.low_ps));
                    check("timely.highUs", to_us(used.high_ps));
                    check("timely.minRttUs", to_us(used.min_rtt_ps));
                    check("timely.minRateMbps", used.min_rate_bps / 1e6);
                }
                _ => {}
            }
            if let Some(policy) = used.initial_rates {
                let used = policy.parameters();
                check("dirs.lateIntervalUs", to_us(used.late_interval_ps));
                check("dirs.recoveryUs", to_us(used.recovery_ps));
                check("dirs.resetUs", to_us(used.reset_ps));
                check("dirs.periodUs", to_us(used.period_ps));
            }
            assert_eq!(used.deadline_ps.map(to_us), class.latency_target_us, "{name}");
        }
    }
}

#[test]
fn every_field_of_a_scenario_is_explained_once() {
    for (name, scenario) in committed() {
        let explanation = explain(&scenario).unwrap();
        let paths: BTreeSet<&str> = explanation.fields.iter().map(|field| field.path.as_str()).collect();
        assert_eq!(paths.len(), explanation.fields.len(), "{name}");
        let document = scenario::as_value(&scenario);
        // Of what nobody tells readers nothing is in force.
        let is_untold = |field: &&fields::Field| {
            let value = scenario::get_path(&document, &field.path);
            field.annotation && !field.fields.is_empty() && value.is_none_or(Value::is_null)
        };
        let untold: Vec<String> =
            fields::document().all().into_iter().filter(is_untold).map(|field| format!("{}.", field.path)).collect();
        for field in fields::document().all() {
            if untold.iter().any(|above| field.path.starts_with(above.as_str())) {
                continue;
            }
            // Lists but those of classes and workloads are data, as explain says.
            let settings = field.path.replace("classes[]", "classes").replace("workloads[]", "workloads");
            let inside_of_data = settings.contains("[]") || field.path.starts_with("topology.shape");
            let choices = [".traffic.", ".endpoints.", ".addresses.pattern."];
            let inside_of_choice = choices.iter().any(|choice| field.path.contains(choice));
            let holds_fields = !field.fields.is_empty() || !field.variants.is_empty() || field.items.is_some();
            if field.path.is_empty() || inside_of_data || inside_of_choice || holds_fields {
                continue;
            }
            let path = field.path.replace("[]", "[0]");
            assert!(paths.contains(path.as_str()), "{name}: {path}");
        }
    }
}

#[test]
fn an_empty_recovery_timer_is_that_of_the_transport() {
    let recovery = |transport: &str, set: &str| {
        let scenario = with(&[("classes[1].transport", json!(transport)), ("classes[1].dcqcn", json!({ "set": set }))]);
        let field = of(&explain(&scenario).unwrap(), "classes[1].dirs.recoveryUs").clone();
        (field.value, field.source, field.from)
    };
    let derived = |us: u32, from: &str| (json!(us), Source::Derived, Some(from.into()));
    assert_eq!(recovery("timely", "sigcomm15"), derived(500, "the high threshold of TIMELY"));
    assert_eq!(recovery("dcqcn", "sigcomm15"), derived(55, "the increase timer of DCQCN"));
    assert_eq!(recovery("dcqcn", "vendor"), derived(300, "the increase timer of DCQCN"));
}

#[test]
fn a_preset_goes_by_the_link_of_its_own_class() {
    let increase = |trunk: f64, line: f64| {
        let shape = json!({ "kind": "dumbbell", "senders": 8, "receivers": 8, "trunkGbps": trunk });
        let scenario = with(&[
            ("topology.shape", shape),
            ("topology.linkGbps", json!(line)),
            ("classes[0].transport", json!("dcqcn")),
            ("classes[0].dcqcn", json!({ "set": "hpcc" })),
        ]);
        of(&explain(&scenario).unwrap(), "classes[0].dcqcn.additiveIncreaseMbps").value.as_f64()
    };
    assert_eq!(increase(100.0, 25.0), increase(25.0, 25.0));
    assert_ne!(increase(25.0, 100.0), increase(25.0, 25.0));
}

#[test]
fn a_drive_by_its_data_sheet_says_what_its_numbers_rest_on() {
    let from = |preset: &str, field: &str| {
        let document = with(&[("storage", json!({ "ssd": { "preset": preset } }))]);
        let explanation = explain(&document).unwrap();
        of(&explanation, &format!("storage.ssd.{field}")).from.clone().expect("the preset says it")
    };
    assert_eq!(from("tlc-nvme", "pcieLanes"), "that of the preset");
    assert_eq!(from("samsung-pm9a3", "pcieLanes"), "that of the preset, by the data sheet of the drive");
    assert_eq!(from("samsung-pm9a3", "channelMtPerS"), "that of the preset, as published of its flash or controller");
    assert_eq!(from("samsung-pm9a3", "readMsbUs"), "that of the preset, derived from the data sheet of the drive");
    assert_eq!(from("samsung-pm9a3", "channels"), "that of the preset, assumed as no source says it");
    // Nothing is said of it, so that it is that of our own drive.
    assert_eq!(from("samsung-pm9a3", "eraseUs"), "that of the preset");
}

#[test]
fn what_stays_empty_is_explained_whatever_it_is() {
    let explanation = explain(&with(&[])).unwrap();
    for field in fields::document().all().into_iter().filter(|field| field.optional) {
        let path = field.path.replace("[]", "[0]");
        if let Some(explained) = explanation.fields.iter().find(|field| field.path == path)
            && explained.source != Source::Given
        {
            assert!(explained.from.is_some(), "{path} is empty, and nothing says what holds");
        }
    }
}

#[test]
fn reasons_name_what_takes_the_effect_away() {
    let plain = with(&[("classes[1].transport", json!("dctcp")), ("classes[2].transport", json!("d2tcp"))]);
    let said = |path: &str| reason(&plain, path);
    // Shares of the class that follows them are what the ratios of the others leave.
    assert_eq!([0, 1, 2].map(|class| said(&format!("classes[{class}].ratio"))), [None, None, None]);
    let blind = with(&[
        ("classes[0].transport", json!("dctcp")),
        ("classes[1].transport", json!("dctcp")),
        ("classes[2].transport", json!("d2tcp")),
    ]);
    assert_eq!(reason(&blind, "classes[1].ratio").as_deref(), Some("DCTCP ignores class ratios"));
    assert_eq!(reason(&blind, "classes[2].ratio").as_deref(), Some("D2TCP follows deadlines, not shares"));
    assert_eq!(said("classes[1].rateSmoothing").as_deref(), Some("DCTCP does not use it"));
    assert_eq!(said("classes[0].dcqcn.gain").as_deref(), Some("QTCP does not use it"));
    assert_eq!(said("switch.headroomBytes").as_deref(), Some("switches send no pause frames"));
    let deadline = of(&explain(&plain).unwrap(), "classes[2].latencyTargetUs").clone();
    assert_eq!(deadline.value, Value::Null);
    assert!(deadline.from.unwrap().contains("D2TCP does what DCTCP does"));
}

#[test]
fn a_seed_has_no_effect_only_where_nothing_is_drawn() {
    let backlogged = |jitter: Value| {
        let mut changes: Vec<(String, Value)> =
            (0..3).map(|n| (format!("workloads[{n}].traffic"), json!({ "kind": "backlogged" }))).collect();
        changes.push(("host.startJitterUs".into(), jitter));
        changes.push(("topology.shape".into(), json!({ "kind": "dumbbell", "senders": 8, "receivers": 8 })));
        let changes: Vec<(&str, Value)> = changes.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
        reason(&with(&changes), "seed")
    };
    assert_eq!(backlogged(Value::Null), None);
    assert_eq!(backlogged(json!(0)).as_deref(), Some("nothing in this scenario is random"));
}

/// What becomes of the packets and requests of a run. Q is left out: of a class that does not follow it, it is measured all
/// the same, at the interval and with the smoothing that the document says.
fn outcome(mut scenario: Scenario) -> Option<Vec<Value>> {
    scenario.duration_us = scenario.duration_us.min(300.0);
    scenario.timeline.clear();
    let mut simulation = Simulation::new(&scenario).ok()?;
    simulation.run_until(u64::MAX);
    let summary = serde_json::to_value(simulation.summary()).unwrap();
    let of_class = |class: &Value| ["carriedGbps", "requests", "latencyUs"].map(|key| class[key].clone());
    let classes = summary["classes"].as_array().into_iter().flatten().flat_map(of_class);
    Some(classes.chain([summary["network"].clone()]).collect())
}

#[test]
fn what_is_said_to_have_no_effect_has_none() {
    let mut tried = 0;
    for (name, scenario) in committed().into_iter().filter(|(name, _)| !name.contains("k16")).step_by(9) {
        let document = scenario::as_value(&scenario);
        let before = outcome(scenario.clone()).unwrap();
        let explanation = explain(&scenario).unwrap();
        let idle = explanation.fields.iter().filter(|field| field.no_effect.is_some());
        for field in idle {
            let form =
                fields::document().all().into_iter().find(|form| form.path == fields::pattern(&field.path)).unwrap();
            let Some(other) = another(form, &field.value) else { continue };
            let mut changed = document.clone();
            scenario::set_path(&mut changed, &field.path, other.clone()).unwrap();
            let Some(after) = scenario::from_value(changed).ok().and_then(outcome) else { continue };
            assert!(before == after, "{name}: {} = {other} has an effect, but {:?}", field.path, field.no_effect);
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried} fields tried");
}

/// Another legal value of a field.
fn another(form: &fields::Field, value: &Value) -> Option<Value> {
    if let Some(found) = value.as_bool() {
        return Some(json!(!found));
    }
    let choices = form.options.iter().map(|option| json!(option.value));
    let ends = form.slider.iter().flat_map(|slider| [slider.low, slider.high]);
    let limits = [&form.minimum, &form.maximum].into_iter().flatten().filter_map(Value::as_f64);
    let whole = form.form == fields::Form::Integer;
    let numbers = ends.chain(limits).map(|number| if whole { json!(number as u64) } else { json!(number) });
    choices.chain(numbers).find(|other| other != value && !other.is_null())
}

#[test]
fn a_class_without_a_window_has_none_to_measure() {
    let rdma: Vec<(String, Value)> = (0..3).map(|n| (format!("classes[{n}].transport"), json!("timely"))).collect();
    let rdma: Vec<(&str, Value)> = rdma.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    let explanation = explain(&with(&rdma)).unwrap();
    let of_network = |id: &&str| !metrics::columns(&metrics::DEVICE).any(|device| device == *id);
    let missing: Vec<&str> = explanation.metrics.iter().map(|missing| missing.id).filter(of_network).collect();
    assert_eq!(missing, ["alpha", "windowPackets", "notifications", "pauseFrames", "pausedLinks"]);
}

/// Two closed loops of reads at a local drive of one die, behind fetch windows.
fn two_readers(changes: &[(&str, Value)]) -> Scenario {
    let loop_of = |class: &str| {
        json!({ "class": class, "readFraction": 1,
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h0"] },
            "traffic": { "kind": "closed-loop", "outstanding": 64, "size": { "kind": "fixed", "bytes": 4096 } } })
    };
    let mut document = json!({
        "version": 3, "name": "two readers", "durationUs": 20000,
        "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 } },
        "classes": [{ "name": "A", "transport": "dctcp" }, { "name": "B", "transport": "dctcp", "nvmePriority": "low" }],
        "storage": { "servers": [{ "host": "h0" }], "nvme": { "arbitration": "fetch-window" },
            "ssd": { "channels": 1, "chipsPerChannel": 1, "precondition": "sequential", "occupancy": 1 } },
        "access": { "protocol": "local" },
        "workloads": [loop_of("A"), loop_of("B")],
    });
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap();
    }
    scenario::from_value(document).expect("the changed scenario is sound")
}

fn outcome_of(scenario: &Scenario) -> u64 {
    let mut simulation = Simulation::new(scenario).expect("it can be laid out");
    simulation.run_until(simulation.duration_ps());
    simulation.outcome_digest()
}

#[test]
fn ratios_rank_commands_and_weights_rank_pages_of_whatever_transport() {
    // The rank of the ratio is the level of A's commands, over which only DCTCP carries them.
    let ratio = |ratio: u32| two_readers(&[("classes[0].ratio", json!(ratio))]);
    assert_eq!(reason(&ratio(1), "classes[0].ratio"), None);
    assert_ne!(outcome_of(&ratio(1)), outcome_of(&ratio(3)));
    // Dies take the weights of arbitration where they have none of their own, though fetch windows do not look at them.
    let high = |weight: u32| {
        two_readers(&[("classes[0].nvmePriority", json!("high")), ("storage.nvme.highWeight", json!(weight))])
    };
    assert_eq!(reason(&high(3), "storage.nvme.highWeight"), None);
    assert_ne!(outcome_of(&high(3)), outcome_of(&high(12)));
    let own = |weight: u32| {
        two_readers(&[
            ("classes[0].nvmePriority", json!("high")),
            ("storage.nvme.highWeight", json!(weight)),
            ("storage.ssd.highPages", json!(3)),
        ])
    };
    assert_eq!(reason(&own(3), "storage.nvme.highWeight").as_deref(), Some("arbitration does not weigh priorities"));
    assert_eq!(outcome_of(&own(3)), outcome_of(&own(12)));
}

#[test]
fn the_reserve_of_urgent_packets_is_taken_from_all_others() {
    let reserve = |packets: u32| {
        with(&[
            ("switch.buffering", json!("shared")),
            ("switch.sharedBufferBytes", json!(200_000)),
            ("switch.marking", json!("off")),
            ("switch.urgentReservePackets", json!(packets)),
            ("durationUs", json!(2000)),
        ])
    };
    assert_eq!(reason(&reserve(0), "switch.urgentReservePackets"), None);
    assert_ne!(outcome_of(&reserve(0)), outcome_of(&reserve(2)));
}

/// Dies of 16 superblocks of 66 pages: two are reserved for garbage collection and two are being filled, so that twelve are offered
/// by each of 32 dies, and not the 14.88 that 7 % leave.
#[test]
fn a_small_drive_is_as_large_as_garbage_collection_lets_it_be() {
    let small = |more: &[(&str, Value)]| {
        let ssd = [("blocksPerPlane", 16), ("pagesPerBlock", 33), ("pageBytes", 4096)];
        let ssd = ssd.map(|(name, count)| (format!("storage.ssd.{name}"), json!(count)));
        let changes: Vec<_> = ssd.iter().map(|(path, count)| (path.as_str(), count.clone())).collect();
        let whole = ("storage.ssd.channels", json!(8));
        let chips = ("storage.ssd.chipsPerChannel", json!(4));
        two_readers(&[&changes[..], &[whole, chips], more].concat())
    };
    let bytes = 12 * 66 * 32 * 4096;
    let fields = explain(&small(&[])).unwrap().fields;
    let value = |path: &str| &fields.iter().find(|field| field.path == path).unwrap().value;
    assert_eq!(value("workloads[0].addresses.lengthBytes"), &json!(bytes));
    let spare = value("storage.ssd.overProvisioning").as_f64().unwrap();
    assert!((spare - 0.25).abs() < 0.001, "{spare}");
    let written = small(&[
        ("storage.ssd.overProvisioning", json!(spare)),
        ("workloads[0].addresses", json!({ "lengthBytes": bytes })),
        ("workloads[1].addresses", json!({ "lengthBytes": bytes })),
    ]);
    assert_eq!(outcome_of(&written), outcome_of(&small(&[])));
}

fn recommended<'a>(explanation: &'a Explanation, path: &str) -> Option<&'a Recommended> {
    explanation.fields.iter().find(|field| field.path == path)?.recommended.as_ref()
}

#[test]
fn a_headroom_that_loses_packets_is_told_to_follow_the_network() {
    let given = |headroom: Option<u64>| {
        let mut document = qoscope_committed::document("bench-incast-16-pfc");
        scenario::set_path(&mut document, "durationUs", json!(1500)).unwrap();
        scenario::set_path(&mut document, "topology.baseRttUs", json!(60)).unwrap();
        scenario::set_path(&mut document, "switch.sharedBufferBytes", json!(12_000_000)).unwrap();
        if let Some(bytes) = headroom {
            scenario::set_path(&mut document, "switch.headroomBytes", json!(bytes)).unwrap();
        }
        scenario::from_value(document).unwrap()
    };
    let dropped = |scenario: &Scenario| {
        let mut run = Simulation::new(scenario).unwrap();
        run.run_until(run.duration_ps());
        run.summary().network.drops
    };
    // What the delays of the cables alone require; hosts and switches hold packets up as well.
    let short = given(Some(28_214));
    let explanation = explain(&short).unwrap();
    let told = recommended(&explanation, "switch.headroomBytes").unwrap();
    let needed = told.band.0;
    assert!(needed > 100_000 && told.value.is_null(), "{told:?}");
    assert!(dropped(&short) > 0);
    // As much as that, or an empty field, loses nothing, and nothing is recommended of it.
    for enough in [given(Some(needed)), given(None)] {
        assert_eq!(recommended(&explain(&enough).unwrap(), "switch.headroomBytes"), None);
        assert_eq!(dropped(&enough), 0);
    }
}

#[test]
fn weights_are_recommended_where_they_are_not_as_the_ratios_are() {
    let weights = |weights: [u32; 3], more: &[(&str, Value)]| {
        let names = ["highWeight", "mediumWeight", "lowWeight"].map(|name| format!("storage.nvme.{name}"));
        let stated: Vec<_> = names.iter().zip(weights).map(|(path, weight)| (path.as_str(), json!(weight))).collect();
        let classes = [("classes[0].ratio", json!(3)), ("classes[0].nvmePriority", json!("high"))];
        let explanation = explain(&two_readers(&[&classes[..], &stated, more].concat())).unwrap();
        names.map(|path| recommended(&explanation, &path).map(|told| told.value.clone()))
    };
    // Classes of the ratios 3 and 1 are High and Low: Medium is nobody's.
    assert_eq!(weights([3, 2, 1], &[]), [None, None, None]);
    assert_eq!(weights([9, 2, 3], &[]), [None, None, None]);
    assert_eq!(weights([4, 4, 4], &[]), [Some(json!(3)), None, Some(json!(1))]);
    assert_eq!(weights([4, 4, 4], &[("storage.treatment", json!("agnostic"))]), [None, None, None]);
}

/// Backlogged senders of some transports that share a link, with changes.
fn senders(transports: &[&str], changes: &[(&str, Value)]) -> Scenario {
    let names =
        transports.iter().enumerate().map(|(n, transport)| json!({ "name": format!("C{n}"), "transport": transport }));
    let workloads = (0..transports.len()).map(|n| {
        let to = transports.len();
        json!({
            "class": format!("C{n}"), "traffic": { "kind": "backlogged" },
            "endpoints": { "kind": "pairs", "initiators": [format!("h{n}")], "targets": [format!("h{to}")] }
        })
    });
    let shape = json!({ "kind": "dumbbell", "senders": transports.len(), "receivers": 1 });
    let mut document = json!({
        "version": 3, "name": "Senders", "durationUs": 1000,
        "topology": { "shape": shape, "linkGbps": 25, "linkDelayUs": 0.2, "baseRttUs": 5 },
        "classes": names.collect::<Vec<_>>(), "workloads": workloads.collect::<Vec<_>>()
    });
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).unwrap();
    }
    scenario::from_value(document).unwrap()
}

#[test]
fn recommended_threshold_exceeds_a_seventh_of_what_the_marking_port_holds() {
    let of = |scenario: &Scenario| recommended(&explain(scenario).unwrap(), "switch.ecnThresholdPackets").cloned();
    for transport in ["dctcp", "d2tcp", "qtcp"] {
        let found = of(&senders(&[transport], &[])).unwrap();
        // 25 Gb/s for 5 us are 10.4 packets of 1500 bytes: 1.49 and 2.6 packets.
        assert_eq!((found.band, found.value), ((2, 3), json!(2)));
        assert_eq!(found.because, "1/7 of the 10.4 packets that 25 Gb/s × 5 µs hold is 1.49, 1/4 is 2.6");
    }
    // The trunk marks, not the ports of faster hosts.
    let shape = json!({ "kind": "dumbbell", "senders": 2, "receivers": 1, "trunkGbps": 10 });
    let changes = [("topology.linkGbps", json!(40)), ("topology.baseRttUs", json!(84)), ("topology.shape", shape)];
    let found = of(&senders(&["dctcp", "dctcp"], &changes)).unwrap();
    assert_eq!(found.band, (11, 18), "{}", found.because);
    assert!(found.because.contains("10 Gb/s × 84 µs"), "{}", found.because);
}

#[test]
fn threshold_is_recommended_to_windows_that_follow_marks_of_a_step() {
    let is_recommended = |transports: &[&str], marking: &str| {
        let scenario = senders(transports, &[("switch.marking", json!(marking))]);
        recommended(&explain(&scenario).unwrap(), "switch.ecnThresholdPackets").is_some()
    };
    assert!(is_recommended(&["dctcp"], "step") && is_recommended(&["dcqcn", "dctcp"], "step"));
    for transport in ["dcqcn", "timely", "swift"] {
        assert!(!is_recommended(&[transport], "step"), "{transport}");
    }
    assert!(!is_recommended(&["dctcp"], "red") && !is_recommended(&["dctcp"], "off"));
}

/// A class that no share controls is measured by one all the same.
#[test]
fn a_field_that_moves_only_targets_is_told_apart_from_one_without_effect() {
    let explained = |changes: &[(&str, Value)], path: &str| {
        let scenario = with(changes);
        let explanation = explain(&scenario).unwrap();
        let no_effect = of(&explanation, path).no_effect.clone();
        no_effect.map(|no_effect| no_effect.moves_target)
    };
    let all = |transport: &str| [0, 1, 2].map(|class| (format!("classes[{class}].transport"), json!(transport)));
    let swift = all("swift");
    let swift: Vec<(&str, Value)> = swift.iter().map(|(path, value)| (path.as_str(), value.clone())).collect();
    assert_eq!(explained(&swift, "classes[0].rateSmoothing"), Some(true));
    assert_eq!(explained(&swift, "classes[0].updateIntervalRtts"), Some(true));
    assert_eq!(explained(&swift, "classes[0].ratio"), Some(true));
    assert_eq!(explained(&swift, "access.commandBytes"), Some(true));
    assert_eq!(explained(&swift, "qos.growthSlot"), Some(false));
    let unmarked = [("switch.marking", json!("off")), ("switch.markingPoint", json!("departure"))];
    assert_eq!(explained(&unmarked, "switch.markingPoint"), Some(false));
    assert_eq!(explained(&[], "classes[0].ratio"), None);
}

#[test]
fn the_marking_point_changes_nothing_while_marking_is_off() {
    let digest = |point: &str| {
        let scenario = with(&[
            ("switch.marking", json!("off")),
            ("switch.buffering", json!("shared")),
            ("switch.markingPoint", json!(point)),
            ("durationUs", json!(200)),
        ]);
        let mut simulation = Simulation::new(&scenario).unwrap();
        simulation.run_until(u64::MAX);
        simulation.digest()
    };
    assert_eq!(digest("arrival"), digest("departure"));
}

/// Of 256 blocks of a plane, writes leave 11 free: one more than the ten that MQSim reserves. Two are open, and three quarters full in
/// the mean: the data of 80 % of the blocks lie in 244.5.
#[test]
fn effective_spare_share_is_that_of_blocks_which_are_not_free() {
    let text = include_str!("../../../../scenarios/bench/bench-ssd-mix-gc.json");
    let share = |changes: &[(&str, Value)]| {
        let mut document = serde_json::from_str(text).unwrap();
        for (path, value) in changes {
            scenario::set_path(&mut document, path, value.clone()).unwrap();
        }
        explain(&scenario::from_value(document).unwrap()).unwrap().effective_spare_share
    };
    let steady = share(&[]).unwrap();
    assert!((steady - (1.0 - 0.8 * 256.0 / 244.5)).abs() < 1e-4, "{steady}");
    assert_eq!(share(&[("storage.ssd.precondition", json!("empty"))]), None);
    let memory = json!([{ "host": "h0", "devices": [{ "name": "memory", "kind": "persistent-memory" }] }]);
    assert_eq!(share(&[("storage.servers", memory)]), None);
}
