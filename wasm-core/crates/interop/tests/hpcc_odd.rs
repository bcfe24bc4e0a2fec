//! Scenarios as nobody should have them, written for the simulator of HPCC: third.cc reads the files, or the scenario is refused.

mod third_cc;

use proptest::option;
use proptest::prelude::*;
use qoscope_engine::scenario;
use qoscope_interop::{Target, export};
use serde_json::{Value, json};

/// Three hosts, a transport that is there, and all the rest drawn.
fn odd() -> impl Strategy<Value = Value> {
    let size = prop_oneof![
        (1..1_000_000_000_000_u64).prop_map(|bytes| json!({ "kind": "fixed", "bytes": bytes })),
        (1.0..1e7_f64).prop_map(|mean| json!({ "kind": "exponential", "meanBytes": mean })),
        Just(json!({ "kind": "published", "distribution": "web-search" })),
    ];
    let open = (size.clone(), 0.001..10_000.0_f64, option::of(1..3000_u64)).prop_map(|(size, gbps, requests)| {
        json!({ "kind": "open-loop", "offeredGbps": gbps, "size": size, "requests": requests })
    });
    let closed = (size, 1..200_u32, option::of(1..1000_u64), 0..2_u32).prop_map(|(size, outstanding, requests, think)| {
        json!({ "kind": "closed-loop", "outstanding": outstanding, "size": size, "requests": requests, "thinkTimeUs": think })
    });
    let traffic = prop_oneof![Just(json!({ "kind": "backlogged" })), open, closed];
    let flows = prop_oneof![Just("lasting"), Just("per-request")];
    let workload = (traffic, flows, 0.0..=1.0_f64, 0.0..2000.0_f64, option::of(1.0..3000.0_f64), 1..9_u32);
    let workload = workload.prop_map(|(traffic, flows, reads, start, stop, connections)| {
        json!({
            "class": "A", "traffic": without_nulls(traffic), "flows": flows, "readFraction": reads, "startUs": start,
            "stopUs": stop.map(|stop| start + stop), "connections": connections,
            "endpoints": { "kind": "pairs", "initiators": ["h0", "h1"], "targets": ["h2"] }
        })
    });
    let transport = prop_oneof![Just("dcqcn"), Just("timely"), Just("dctcp")];
    let class = (transport, 0.0001..1.0_f64, 0.1..1000.0_f64, 0.1..1e5_f64, option::of(1..8_u8)).prop_map(
        |(transport, gain, timer, rate, priority)| {
            json!({
                "name": "A", "transport": transport, "gain": gain, "priority": priority.unwrap_or(0),
                "dcqcn": { "gain": gain, "alphaTimerUs": timer, "cnpIntervalUs": timer / 3.0 + 0.1, "additiveIncreaseMbps": rate },
                "timely": { "additiveIncreaseMbps": rate, "minRateMbps": rate }
            })
        },
    );
    let buffering = prop_oneof![Just("per-port"), Just("shared"), Just("pfc")];
    let marking = prop_oneof![Just("off"), Just("step"), Just("red")];
    let switch = (buffering, marking, 1..100_000_u32, 1..100_000_u32, 0.0..=1.0_f64, 1..1_000_000_u32).prop_map(
        |(buffering, marking, least, more, probability, packets)| {
            json!({
                "buffering": buffering, "marking": marking, "ecnThresholdPackets": least,
                "redMaximumPackets": (least + more).min(100_000).max(least), "redMaximumProbability": probability,
                "bufferPackets": packets, "sharedBufferBytes": u64::from(packets) * 4000
            })
        },
    );
    let delay = || prop_oneof![Just(0.0), 0.0..10.0_f64, 0.0..1e5_f64];
    let link = || prop_oneof![Just(0.57), 0.001..1.0_f64, 1.0..1600.0_f64];
    let topology =
        (link(), option::of(link()), delay(), delay(), delay()).prop_map(|(gbps, trunk, own, host, switch)| {
            json!({
                "shape": without_nulls(json!({ "kind": "dumbbell", "senders": 2, "receivers": 1, "trunkGbps": trunk })),
                "linkGbps": gbps, "linkDelayUs": own, "hostDelayUs": host, "switchDelayUs": switch
            })
        });
    let host =
        (256..65_000_u32, 20..200_u32).prop_map(|(mtu, header)| json!({ "mtuBytes": mtu, "headerBytes": header }));
    (topology, switch, host, class, workload, 1.0..5000.0_f64).prop_map(|(topology, switch, host, class, workload, duration)| {
        json!({
            "version": 3, "name": "Odd", "durationUs": duration, "topology": topology, "switch": switch, "host": host,
            "classes": [class], "workloads": [without_nulls(workload)], "measurement": { "warmupUs": 0 }
        })
    })
}

fn without_nulls(mut value: Value) -> Value {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, field| !field.is_null());
    }
    value
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn odd_scenarios_are_written_or_refused(document in odd()) {
        // What the engine refuses is nobody's scenario.
        let Ok(scenario) = scenario::from_value(document) else { return Ok(()) };
        match export(&scenario, Target::Hpcc) {
            Ok(export) => {
                let texts = export.files.iter().map(|file| file.text.as_str()).collect::<Vec<_>>();
                let texts: [&str; 4] = texts.try_into().expect("four files");
                third_cc::read(texts).map_err(TestCaseError::fail)?;
            }
            Err(why) => prop_assert!(why.iter().all(|why| !why.reason.is_empty() && !why.hint.is_empty())),
        }
    }
}
