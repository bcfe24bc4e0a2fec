use serde_json::json;

use super::*;
use crate::kernel::time::PS_PER_US;
use crate::scenario::{self, Scenario};

const NANOSECOND_US: f64 = 1e-3;

fn run_of(document: serde_json::Value) -> Simulation {
    Simulation::new(&scenario::from_value(document).expect("is valid")).expect("can be laid out")
}

fn committed(name: &str) -> Simulation {
    Simulation::new(&scenario::from_value(qoscope_committed::document(name)).expect("is valid"))
        .expect("can be laid out")
}

fn followed(run: &Simulation, class: u32, of: u32) -> Option<Journey> {
    let mut follow = Follow::new(run, Wish { class: ClassId(class), operation: None, of });
    while !follow.advance(10_000) {}
    follow.journey()
}

/// Two hosts at 10 Gb/s over two links of 5 us; one request after the other.
fn exchange(read_fraction: f64, bytes: u64) -> Simulation {
    run_of(json!({
        "version": 3,
        "name": "Exchange",
        "durationUs": 1000,
        "topology": {
            "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 },
            "linkGbps": 10,
            "linkDelayUs": 5,
            "frameOverheadBytes": 0,
        },
        "host": { "startJitterUs": 0, "delayedAckPackets": 1, "headerBytes": 52, "mtuBytes": 1500 },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
            "readFraction": read_fraction,
            "traffic": { "kind": "closed-loop", "outstanding": 1, "size": { "kind": "fixed", "bytes": bytes } },
        }],
    }))
}

#[test]
fn a_write_is_found_on_every_link_of_its_way_and_back() {
    let journey = followed(&exchange(0.0, 2896), 0, 1).expect("requests are issued");
    let packet_us = 1500.0 * 8.0 / 10e3;
    let ack_us = 52.0 * 8.0 / 10e3;
    let legs: Vec<Leg> = journey.packets.iter().map(|packet| packet.leg).collect();
    assert_eq!(legs, [Leg::Data, Leg::Data, Leg::Acknowledgement]);
    let begins: Vec<Vec<f64>> = journey
        .packets
        .iter()
        .map(|packet| packet.hops.iter().map(|hop| hop.begins_us.expect("it was sent")).collect())
        .collect();
    let expected = [
        [0.0, packet_us + 5.0],
        [packet_us, 2.0 * packet_us + 5.0],
        [3.0 * packet_us + 10.0, 3.0 * packet_us + 15.0 + ack_us],
    ];
    for (begins, expected) in begins.iter().zip(expected) {
        assert!(begins.iter().zip(expected).all(|(us, expected)| (us - expected).abs() < NANOSECOND_US), "{begins:?}");
    }
    let done_us = 3.0 * packet_us + 10.0;
    assert!((journey.moments.done_us.expect("it is done") - done_us).abs() < NANOSECOND_US);
    let answered_us = done_us + 10.0 + 2.0 * ack_us;
    assert!((journey.moments.answered_us.expect("it is answered") - answered_us).abs() < NANOSECOND_US);
    assert_eq!((journey.from, journey.to), (journey.from, 1));
}

/// Rates that change, and delays that grow, while packets of a request are under way: what has joined keeps its departure,
/// what is on the wire feels the new delay.
#[test]
fn packets_are_found_where_they_are_while_links_change() {
    let unchanged = exchange(0.0, 8688).scenario().clone();
    let changes = [
        ("topology.linkGbps", 100.0),
        ("topology.linkGbps", 5.0),
        ("topology.linkGbps", 0.5),
        ("topology.linkDelayUs", 40.0),
    ];
    for (path, value) in changes {
        for tenth_us in (1..180).step_by(7) {
            let at_us = 0.1 * f64::from(tenth_us);
            let timeline = serde_json::from_value(json!([{ "atUs": at_us, "path": path, "value": value }]));
            let scenario = Scenario { timeline: timeline.expect("is a timeline"), ..unchanged.clone() };
            let run = Simulation::new(&scenario).expect("it can be laid out");
            let what = format!("{path} becomes {value} at {at_us} us");
            let journey = followed(&run, 0, 1).unwrap_or_else(|| panic!("{what}"));
            check(&run, &journey, &what);
            assert_eq!(journey.packets.iter().filter(|packet| packet.leg == Leg::Data).count(), 6, "{what}");
        }
    }
}

#[test]
fn following_leaves_the_run_as_it_is() {
    let mut run = committed("three-writers");
    run.run_until(2000 * PS_PER_US);
    let (before, scenario) = (run.digest(), run.scenario().clone());
    assert!(followed(&run, 0, 5).is_some());
    assert_eq!((run.digest(), run.scenario()), (before, &scenario));
}

#[test]
fn the_slowest_of_some_takes_longer_than_the_others() {
    let mut run = committed("paper5-random-read-nvme-tcp");
    run.run_until(500 * PS_PER_US);
    let latency = |journey: &Journey| journey.stages_us.expect("it is done").iter().sum::<f64>();
    let slowest = followed(&run, 0, 60).expect("requests are issued");
    assert_eq!((slowest.of, slowest.slower_than), (60, 59));
    // The first is one of them, and so are those that come after it.
    for of in [1, 2, 5, 20] {
        assert!(latency(&followed(&run, 0, of).expect("requests are issued")) <= latency(&slowest));
    }
}

#[test]
fn a_class_that_issues_nothing_more_has_nobody_to_follow() {
    let mut run = exchange(0.0, 1000);
    run.run_until(u64::MAX);
    assert_eq!(followed(&run, 0, 3), None);
    let reads = Wish { class: ClassId(0), operation: Some(Operation::Read), of: 1 };
    let mut follow = Follow::new(&exchange(0.0, 1000), reads);
    while !follow.advance(1000) {}
    assert_eq!(follow.journey(), None);
}

/// What holds of every way: packets go from link to link without a gap, the moments are in order, and the stages agree with
/// what was seen.
fn check(run: &Simulation, journey: &Journey, what: &str) {
    let Moments { issued_us, sent_us, arrived_us, submitted_us, fetched_us, started_us, .. } = journey.moments;
    let Moments { served_us, returned_us, done_us, answered_us, .. } = journey.moments;
    let moments = [sent_us, arrived_us, submitted_us, fetched_us, started_us, served_us, returned_us, done_us];
    let passed: Vec<f64> = std::iter::once(issued_us).chain(moments.into_iter().flatten()).collect();
    assert!(passed.is_sorted(), "{what}: {journey:#?}");
    let done_us = done_us.unwrap_or_else(|| panic!("{what}: it is not done, {journey:#?}"));
    let stages = journey.stages_us.expect("it is done");
    assert!((stages.iter().sum::<f64>() - (done_us - issued_us)).abs() < NANOSECOND_US, "{what}");
    let wires = run.plan().graph.wires();
    for packet in &journey.packets {
        for pair in packet.hops.windows(2) {
            assert_eq!(wires[pair[0].link as usize].to, wires[pair[1].link as usize].from, "{what}: {packet:#?}");
            assert_eq!(pair[0].arrives_us, Some(pair[1].joined_us), "{what}: {packet:#?}");
        }
        for hop in &packet.hops {
            let times = [Some(hop.joined_us), hop.begins_us, hop.departs_us, hop.arrives_us];
            assert!(times.into_iter().flatten().is_sorted(), "{what}: {packet:#?}");
            assert!(hop.joined_us >= issued_us - NANOSECOND_US, "{what}: {packet:#?}");
        }
    }
    // What is done was delivered by a packet at that instant, or by the device of the own host.
    let arrives = |packet: &PacketTrail| packet.hops.last().and_then(|hop| Some(hop.arrives_us? + packet.held_us));
    let towards = if journey.reads { journey.from } else { journey.to };
    let data = journey.packets.iter().filter(|packet| packet.leg == Leg::Data && !packet.lost);
    let data = data.filter(|packet| packet.hops.last().is_some_and(|hop| wires[hop.link as usize].to.0 == towards));
    let last_us = data.filter_map(arrives).filter(|&us| us <= done_us + NANOSECOND_US).fold(f64::NAN, f64::max);
    if served_us.is_none() && journey.packets_left_out == 0 {
        assert!((last_us - done_us).abs() < NANOSECOND_US, "{what}: {last_us} for {done_us}, {journey:#?}");
    }
    assert!(answered_us.is_none_or(|us| us >= done_us), "{what}");
    for page in &journey.pages {
        let [fetched_us, served_us] = [fetched_us, served_us].map(|us| us.expect("it is served"));
        let [array_begins, array_ends] = page.array_us.unwrap_or_else(|| panic!("{what}: {page:#?}"));
        let out_us = page.transfer_us.map_or(array_ends, |[_, ends]| ends);
        let times =
            [fetched_us, page.waits_us, page.command_us.unwrap_or(page.waits_us), array_begins, array_ends, out_us];
        assert!(times.is_sorted(), "{what}: {page:#?}");
        assert!(out_us <= served_us + NANOSECOND_US, "{what}: {page:#?}");
        assert!(page.writes || page.transfer_us.is_some(), "{what}: {page:#?}");
    }
}

#[test]
fn what_is_found_agrees_with_what_the_run_measures() {
    let scenarios = [
        ("three-writers", 2000),
        ("paper5-random-read-nvme-tcp", 300),
        ("paper5-random-write-iscsi", 300),
        ("nvmeof-write-r2t", 0),
        ("nvmeof-write-in-capsule", 0),
        ("paper1-fig20-read-priority", 2000),
        ("bench-ssd-mix-gc", 200),
        ("incast-128-swift", 20),
        ("pfc-deadlock", 0),
        ("paper3-fig5a-dirs", 500),
    ];
    let mut checked = 0;
    for (name, from_us) in scenarios {
        let mut run = committed(name);
        run.run_until(from_us * PS_PER_US);
        for class in 0..run.scenario().classes.len() {
            for of in [1, 20] {
                let what = format!("{name}, class {class}, slowest of {of}");
                match followed(&run, index_u32(class), of) {
                    Some(journey) if journey.moments.done_us.is_some() => {
                        check(&run, &journey, &what);
                        checked += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(checked >= 20, "only {checked} requests were followed to their end");
}

/// A retransmission timeout below the round trip: the same acknowledgement is on its way twice.
#[test]
fn a_copy_of_an_acknowledgement_is_another_packet() {
    let backlogged = json!({ "kind": "backlogged" });
    let open = json!({
        "kind": "open-loop",
        "size": { "kind": "uniform", "minimumBlocks": 17, "maximumBlocks": 47 },
        "offeredGbps": 10,
    });
    let mut run = run_of(json!({
        "version": 3,
        "name": "Equal acknowledgements",
        "durationUs": 15_600,
        "topology": { "linkGbps": 10, "shape": { "kind": "dumbbell", "senders": 3, "receivers": 1 } },
        "host": { "mtuBytes": 65_000, "minimumRtoUs": 1000 },
        "classes": [{ "name": "A" }],
        "workloads": [
            { "class": "A", "endpoints": { "kind": "permutation" }, "traffic": open, "connections": 2, "flows": "per-request" },
            { "class": "A", "endpoints": { "kind": "permutation" }, "traffic": backlogged },
        ],
    }));
    run.run_until(3743 * PS_PER_US);
    let journey = followed(&run, 0, 2).expect("requests are issued");
    check(&run, &journey, "equal acknowledgements");
    let acks = journey.packets.iter().filter(|packet| packet.leg == Leg::Acknowledgement);
    assert!(acks.clone().count() > 0 && acks.into_iter().all(|packet| packet.hops.len() <= 3), "{journey:#?}");
}

/// A host that is offered three times what its link carries: requests wait in its connection for longer than the run lasts.
#[test]
fn a_request_that_waits_to_the_end_of_the_run_takes_few_looks() {
    let mut run = run_of(json!({
        "version": 3,
        "name": "Overloaded host",
        "durationUs": 30_000,
        "topology": { "linkGbps": 10, "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
        "classes": [{ "name": "A", "transport": "dctcp" }],
        "workloads": [{
            "class": "A",
            "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
            "traffic": { "kind": "open-loop", "size": { "kind": "fixed", "bytes": 4096 }, "offeredGbps": 30 },
        }],
    }));
    run.run_until(15_000 * PS_PER_US);
    let wish = Wish { class: ClassId(0), operation: None, of: 5 };
    let mut follow = Follow::new(&run, wish);
    while !follow.advance(10_000) {}
    let journey = follow.journey().expect("requests are issued");
    assert_eq!((journey.moments.sent_us, journey.moments.done_us), (None, None));
    let State::Trail(trail) = follow.state else { panic!("a request was chosen") };
    // One look in every window would be 30,000.
    assert!(trail.looks < 1000, "{}", trail.looks);
}
