//! Swift in whole networks: delay near its target, even shares, and more flows than packets fit.

use crate::common::{hosts, run};
use qoscope_engine::simulation::Summary;
use serde_json::{Value, json};

/// Rate of every link, in bits per microsecond.
const LINK: f64 = 10e3;
/// Bits of a full packet on the wire.
const PACKET: f64 = 1500.0 * 8.0;
/// Round trip over one switch with empty queues, in microseconds: two links of 1 us each way, a packet sent twice, and an
/// acknowledgement that takes next to no time.
const EMPTY_US: f64 = 4.0 + 2.0 * PACKET / LINK;

/// Hosts that send without pause to one, through one switch.
fn backlogged(senders: u32, connections: u32) -> Value {
    json!({
        "version": 3,
        "host": { "startJitterUs": 0 },
        "name": "Swift",
        "durationUs": 60_000,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": senders, "receivers": 1, "switches": 1 },
            "linkGbps": 10,
            "linkDelayUs": 1,
        },
        "classes": [{ "name": "A", "transport": "swift" }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": hosts(0..senders), "targets": hosts([senders]) },
            "connections": connections,
            "traffic": { "kind": "backlogged" },
        }],
        "measurement": { "warmupUs": 20_000 },
    })
}

/// Jain's index of what flows carry: 1 if all carry the same.
fn fairness(summary: &Summary) -> f64 {
    let carried = || summary.flows.iter().map(|flow| flow.carried_gbps);
    let (sum, squares) = (carried().sum::<f64>(), carried().map(|gbps| gbps * gbps).sum::<f64>());
    sum * sum / (squares * summary.flows.len() as f64)
}

/// Mean round trip, and the target of a flow that has its even share of it as a window, in microseconds.
fn delay_and_target_us(summary: &Summary) -> (f64, f64) {
    let delay_us = EMPTY_US + summary.network.mean_queue_packets * PACKET / LINK;
    let window: f64 = delay_us * LINK / PACKET / summary.flows.len() as f64;
    // By default 100 us of flow scaling from 0.1 to 100 packets, on 25 us and 1 us for the switch.
    let scaling = (1.0 / window.sqrt() - 0.1) / (1.0 / 0.1f64.sqrt() - 0.1);
    (delay_us, EMPTY_US + 25.0 + 1.0 + 100.0 * scaling.clamp(0.0, 1.0))
}

#[test]
fn flows_keep_the_delay_near_the_target_and_share_a_full_link_evenly() {
    for (senders, connections) in [(4, 2), (16, 1), (16, 4)] {
        let summary = run(&backlogged(senders, connections));
        let (delay_us, target_us) = delay_and_target_us(&summary);
        let flows = summary.flows.len();
        assert!((0.85..1.15).contains(&(delay_us / target_us)), "{flows} flows: {delay_us} us, target {target_us} us");
        assert!(fairness(&summary) > 0.99, "{flows} flows: {}", fairness(&summary));
        // 9.64 of 10 Gb/s are payload.
        assert!(summary.classes[0].carried_gbps > 9.6, "{flows} flows: {} Gb/s", summary.classes[0].carried_gbps);
    }
}

#[test]
fn hundreds_of_flows_with_windows_below_a_packet_fit_into_one_port() {
    let mut document = backlogged(16, 25);
    // Little more than the first packet of each.
    document["switch"] = json!({ "marking": "off", "bufferPackets": 500 });
    document["host"] = json!({ "startJitterUs": 0, "initialWindowPackets": 1 });
    let summary = run(&document);
    let (delay_us, target_us) = delay_and_target_us(&summary);
    assert_eq!(summary.flows.iter().map(|flow| flow.retransmissions).sum::<u64>(), 0);
    // Steps of one packet are coarse where windows are a quarter of one on average: many are smaller, and aim at a longer
    // delay. None aims at more than all that flow scaling adds.
    assert!((target_us..EMPTY_US + 126.0).contains(&delay_us), "{delay_us} us, target {target_us} us");
    // Each sends some eighty packets in the time measured, one every half a millisecond.
    assert!(fairness(&summary) > 0.9, "{}", fairness(&summary));
    assert!(summary.classes[0].carried_gbps > 9.6, "{} Gb/s", summary.classes[0].carried_gbps);
}
