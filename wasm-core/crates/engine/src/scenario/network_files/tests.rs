use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::scenario::tests::minimal;
use crate::scenario::{as_value, from_value, load};

fn network(text: &str) -> Network {
    read(text).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"))
}

/// Every diagnostic of a file, as a person reads it.
fn told(text: &str) -> Vec<String> {
    read(text).expect_err("the file has a fault").iter().map(ToString::to_string).collect()
}

fn link(from: &str, to: &str, gbps: impl Into<Option<f64>>, delay_us: impl Into<Option<f64>>) -> LinkSpec {
    LinkSpec { from: from.into(), to: to.into(), gbps: gbps.into(), delay_us: delay_us.into() }
}

fn roles(network: &Network) -> Vec<(&str, NodeKind)> {
    network.nodes.iter().map(|node| (node.name.as_str(), node.role)).collect()
}

#[test]
fn an_edge_list_has_hosts_where_nodes_have_one_link_unless_it_says_so() {
    let found = network("# two hosts\nfrom,to,gbps\na, s1, 25, 2\nb\ts1\ns1 s2 100Gbps 500ns\nswitch s2\n");
    use NodeKind::{Host, Switch};
    assert_eq!(roles(&found), [("a", Host), ("b", Host), ("s2", Switch), ("s1", Switch)]);
    assert_eq!(found.links, [link("a", "s1", 25.0, 2.0), link("b", "s1", None, None), link("s1", "s2", 100.0, 0.5)]);
    assert_eq!(found.to_string(), "2 hosts, 2 switches, 3 links.");
}

#[test]
fn a_topology_of_hpcc_has_counts_switches_and_links_with_units() {
    let text = "4 2 3\n2\n3\n0 2 100Gbps 1us 0.000000\n1 3 25000Mbps 0.001ms 0\n2 3 400Gbps 1000ns 0\n";
    let found = network(text);
    use NodeKind::{Host, Switch};
    assert_eq!(roles(&found), [("h0", Host), ("h1", Host), ("s2", Switch), ("s3", Switch)]);
    assert_eq!(found.links, [link("h0", "s2", 100.0, 1.0), link("h1", "s3", 25.0, 1.0), link("s2", "s3", 400.0, 1.0)]);
}

#[test]
fn hpcc_numbers_without_unit_are_bits_per_second_and_seconds() {
    let found = network("3 1 2\n2\n0 2 25000000000.0 0.000001 0\n1 2 1e11 1us 0\n");
    assert_eq!(found.links, [link("h0", "s2", 25.0, 1.0), link("h1", "s2", 100.0, 1.0)]);
}

#[test]
fn hpcc_header_of_powertcp_has_a_number_of_top_of_rack_switches() {
    let found = network(
        "6 2 2 5\n4 5\n0 4 25Gbps 1us 0\n1 4 25Gbps 1us 0\n2 5 25Gbps 1us 0\n3 5 25Gbps 1us 0\n4 5 100Gbps 1us 0\n",
    );
    assert_eq!(found.to_string(), "4 hosts, 2 switches, 5 links.");
    assert_eq!(found.links[4], link("s4", "s5", 100.0, 1.0));
}

#[test]
fn edge_list_of_numbered_nodes_is_no_hpcc_file() {
    for text in ["1 3 25\n2 3 25\n", "0 4 25 1\n1 4 25 1\n", "5 3 25\n2 3 25\n"] {
        assert_eq!(network(text).to_string(), "2 hosts, 1 switches, 2 links.", "{text:?}");
    }
}

#[test]
fn simai_header_is_refused_by_name() {
    let text = "5 2 1 2 6 H100\n2\n3 4\n0 2 2880Gbps 0.000025ms 0\n1 2 2880Gbps 0.000025ms 0\n0 3 400Gbps 0.0005ms 0\n";
    let sentences = told(text);
    assert_eq!(sentences.len(), 1);
    assert!(sentences[0].starts_with("line 1: is the first line of a topology of SimAI (astra-sim)"), "{sentences:?}");
}

#[test]
fn dual_homed_hosts_are_one_diagnostic_with_the_lines_of_second_links() {
    let link = |host: usize, switch: usize| format!("{host} {switch} 25Gbps 1us 0\n");
    let of = |hosts: usize| {
        let links: String = (0..hosts).map(|host| link(host, hosts) + &link(host, hosts + 1)).collect();
        told(&format!("{} 2 {}\n{hosts} {}\n{links}", hosts + 2, 2 * hosts, hosts + 1))
    };
    let hint = "A host has one link here: keep one of its links, or put a switch between the host and its links.";
    assert_eq!(of(2), [format!("line 4: gives the host \"h0\" a second link, as does line 6 of \"h1\". {hint}")]);
    assert_eq!(
        of(320),
        [format!(
            "line 4: gives the host \"h0\" a second link, as does line 6 of \"h1\", line 8 of \"h2\", line 10 of \"h3\" and 316 more \
             lines. {hint}"
        )]
    );
}

#[test]
fn parallel_links_of_hpcc_are_one_of_the_sum_of_their_rates() {
    let of = |second: &str| {
        read(&format!("4 2 4\n2 3\n0 2 25Gbps 1us 0\n1 3 25Gbps 1us 0\n2 3 100Gbps 1us 0\n{second} 0\n"))
    };
    let found = of("3 2 40Gbps 1us").unwrap();
    assert_eq!(found.links[2], link("s2", "s3", 140.0, 1.0));
    assert_eq!(
        found.to_string(),
        "2 hosts, 2 switches, 3 links. 2 parallel links of \"s2\" and \"s3\" (line 5) are one of 140 Gb/s."
    );
    let refused = of("3 2 40Gbps 2us").unwrap_err();
    assert!(refused[0].reason.contains("which line 5 links already"), "links of two delays: {refused:?}");
}

#[test]
fn files_may_end_lines_as_any_system_does_and_begin_with_a_byte_order_mark() {
    let plain = network("a s 10\nb s\nc s\n");
    for text in ["\u{feff}a s 10\r\nb s\r\nc s\r\n", "a s 10\rb s\rc s", "\n\n a,s;10 # one\nb s\nc s"] {
        assert_eq!(network(text), plain, "{text:?}");
    }
    assert_eq!(told("a s\r\nb s\r\n\r\nc")[0], format!("line 4: names \"c\" alone. {LINK}"));
}

#[test]
fn amounts_are_the_decimals_that_are_written() {
    let of = |rate: &str, delay: &str| {
        let found = network(&format!("a s {rate} {delay}\nb s\n")).links[0].clone();
        (found.gbps, found.delay_us)
    };
    // 0.57 times 1000 is no longer 570 where it is computed with numbers of 64 bits.
    assert_eq!(of("2.5e1", "0.57ms"), (Some(25.0), Some(570.0)));
    assert_eq!(of("1e9bps", "20ps"), (Some(1.0), Some(0.000_02)));
    assert_eq!(of("40gb/s", "3\u{b5}s"), (Some(40.0), Some(3.0)));
    assert_eq!(of("1.5G", "0.01s"), (Some(1.5), Some(10_000.0)));
    // Bytes, and a terabit.
    assert_eq!(of("12.5GBps", "1us"), (Some(100.0), Some(1.0)));
    assert_eq!(of("1.6Tb/s", "1us").0, Some(1600.0));
}

#[test]
fn what_is_wrong_is_said_with_its_line_and_what_to_do() {
    let expected = [
        ("", "network: has no links. "),
        ("a s\nb s 1Pbps", "line 2: has \"1Pbps\" where a rate stands. "),
        ("a s\nb s 100GB", "line 2: has \"100GB\" where a rate stands. "),
        ("a s\nb s 1ps", "line 2: has \"1ps\" where a rate stands. "),
        ("a s\nb s NaN", "line 2: has \"NaN\" where a rate stands. "),
        ("a s\nb s 1e999", "line 2: has \"1e999\" where a rate stands. "),
        ("a s\nb s 1e99999999999", "line 2: has \"1e99999999999\" where a rate stands. "),
        ("a s\nb s 1 2 3", "line 2: has more than four words. "),
        ("a s\nb s -3", "line 2, rate: is -3 Gb/s, below the least value 0.001 Gb/s. Give "),
        ("a s\nb s 1 1e9", "line 2, delay: is 1000000000 us, above the greatest value 100000 us. Give "),
        ("a s\nb s\ns s", "line 3: joins \"s\" to itself. "),
        ("a s\nb s\ns a", "line 3: links \"s\" and \"a\", which line 1 links already. Two nodes have one link here: "),
        ("a s\nb", "line 2: names \"b\" alone. "),
        ("a b", "line 1: joins two hosts, \"a\" and \"b\". Put a switch between them."),
        ("a s\n\"b c s", "line 2: does not close the quotes of \"b c s\". "),
        ("a s\n\"b\\x\" s", "line 2: has a name that is none in JSON: "),
        ("host a at 3 x\na s\nb s", "line 1: has \"3 x\" where a place stands. "),
        ("host a at 3 inf\na s\nb s", "line 1: has \"3 inf\" where a place stands. "),
        ("host a at 3 2e6\na s\nb s", "line 1, position: is 2000000, above the greatest value 1000000. "),
        ("a \"\"\nb \"\"", "line 1, name: is empty. "),
        ("host x\na s\nb t\ns t\nx s\nx t", "line 6: gives the host \"x\" a second link. "),
        ("5 2 1\n2\n0 2 1 1", "line 1: says 2 switches, and the next lines name "),
        ("5 2 1 1 4\n2\n0 2 1 1", "line 1: has 5 numbers. Begin with the numbers of nodes, switches and links."),
        ("a s\nb s\nc t\nd t\n", "line 3: is the host \"c\", which cannot be reached from \"a\". Link the parts"),
        ("3 1 2\n9\n0 2 1Gbps 1us 0", "line 2: has \"9\" where the number of a node stands. "),
        ("3 1 2\n2\n0 2 1Gbps 1us 0", "line 1: says 2 links, and the file has 1. "),
        ("3 2 2\n2 2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0", "line 1: says 2 switches, and the next lines name 1. "),
        ("3 1 2\n2\n0 2 1Gbps 1us 0\n1 2 1 x 0", "line 4: has \"x\" where a delay stands. "),
        ("999999999 1 2\n2\n0 2 1 1\n1 2 1 1", "line 1: says 999999999 nodes, which 2 links cannot join. "),
        ("9 999999999 2\n2\n0 2 1 1\n1 2 1 1", "line 1: says 999999999 switches, and the next lines name 3. "),
    ];
    for (text, start) in expected {
        let told = told(text);
        assert!(told.iter().any(|sentence| sentence.starts_with(start)), "{text:?}: {told:#?}");
    }
    let name = "n".repeat(50);
    assert_eq!(told(&format!("{name} s\nb s"))[0], "line 1, name: has 50 characters. Give 1 to 40 characters.");
}

#[test]
fn all_faults_of_a_file_are_told_at_once() {
    assert_eq!(
        told("a s\nb\nc s fast\nd s 1 slow"),
        [
            format!("line 2: names \"b\" alone. {LINK}"),
            "line 3: has \"fast\" where a rate stands. Write one such as 100Gbps.".into(),
            "line 4: has \"slow\" where a delay stands. Write one such as 1us.".into(),
        ]
    );
}

#[test]
fn a_network_too_large_is_refused() {
    let links = MAXIMUM_LINKS as usize / 2 + 1;
    let many: String = (0..links).map(|number| format!("h{number} s\n")).collect();
    assert_eq!(
        told(&many),
        ["line 32768: has one of 32768 links; at most 32767 can be simulated. Make the network smaller."]
    );
    let many: String = (0..8192).map(|number| format!("h{number} s\n")).collect();
    assert_eq!(told(&many), ["network, nodes: has 8193 entries. Give 2 to 8192 entries."]);
    let long = "a s\n".repeat(1_250_001);
    assert!(told(&long)[0].starts_with("network: has 5000004 bytes; at most 5000000 are read. "));
}

#[test]
fn names_are_kept_in_quotes_and_so_is_where_nodes_stand() {
    let list = "# sheet\nhost \"host\" at -20 40.5\n\"rack, one\" \"host\" 25 1 # its own\nb \"rack, one\"\n";
    let found = network(list);
    assert_eq!(
        found.nodes[0],
        Node { name: "host".into(), role: NodeKind::Host, position: Some(Position { x: -20.0, y: 40.5 }) }
    );
    assert_eq!(found.links[0], link("rack, one", "host", 25.0, 1.0));
    let again = network(&edges::write(&found, |link| (link.gbps.unwrap_or(100.0), link.delay_us.unwrap_or(1.0))));
    assert_eq!(again.nodes, found.nodes);
    assert_eq!(again.links[1], link("b", "rack, one", 100.0, 1.0));
}

/// A scenario on a network, with two workloads that go to its last host.
fn scenario(network: &Network) -> Scenario {
    let mut document = minimal();
    let hosts: Vec<&str> = network.hosts().collect();
    document["topology"]["shape"] = network.shape();
    for workload in 0..2 {
        document["workloads"][workload]["endpoints"] =
            json!({ "kind": "pairs", "initiators": [hosts[0]], "targets": [hosts[hosts.len() - 1]] });
    }
    from_value(document).unwrap_or_else(|diagnostics| panic!("{diagnostics:?}"))
}

#[test]
fn networks_of_generators_are_written_with_the_rates_in_force() {
    let scenario = |shape: Value| {
        let mut document = minimal();
        document["topology"]["shape"] = shape;
        from_value(document).unwrap()
    };
    let dumbbell = scenario(json!({ "kind": "dumbbell", "senders": 2, "receivers": 1, "trunkGbps": 40 }));
    let text = "# from to Gb/s us\nleft right 40 1\nh0 left 10 1\nh1 left 10 1\nh2 right 10 1\n";
    // The right switch has two links, so that nothing need be said of it.
    assert_eq!(write(&dumbbell, Format::Edges), text);
    let text = "5 2 4\n3 4\n3 4 40Gbps 1us 0.000000\n0 3 10Gbps 1us 0.000000\n1 3 10Gbps 1us 0.000000\n2 4 10Gbps 1us 0.000000\n";
    assert_eq!(write(&dumbbell, Format::Hpcc), text);
    let tree = scenario(json!({ "kind": "fat-tree", "k": 4 }));
    for format in Format::ALL {
        assert_eq!(network(&write(&tree, format)).to_string(), "16 hosts, 20 switches, 48 links.");
    }
}

#[test]
fn a_scenario_keeps_the_hosts_that_there_are_and_gives_others_a_place() {
    let found = network("a s1\nb s1\nc s2\nd s2\ns1 s2\n");
    let writers = qoscope_committed::text("three-writers");
    let text = with_network(&writers, &found).unwrap();
    let next = load(&text).unwrap();
    let endpoints: Vec<Value> = next.workloads.iter().map(|workload| as_json(&workload.endpoints)).collect();
    let pairs = |from: &str| json!({ "kind": "pairs", "initiators": [from], "targets": ["d"] });
    assert_eq!(endpoints, [pairs("a"), pairs("b"), pairs("c")]);
    // The shape made a server of its receiver, which nobody listed.
    assert_eq!(next.storage.servers.iter().map(|server| server.host.as_str()).collect::<Vec<_>>(), ["d"]);
    assert_eq!(with_network(&text, &found).unwrap(), text, "on its own network it stays as it is");
    // What the document leaves out stays out.
    let document: Value = serde_json::from_str(&text).unwrap();
    assert!(document.get("access").is_none() && as_value(&next).get("access").is_some());
}

fn as_json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn cables_that_a_network_lacks_are_forgotten() {
    let found = network("a s1\nb s1\nc s2\nd s2\ns1 s2\n");
    let mut document = as_value(&scenario(&network("a s1\nd s2\ns1 s2\ns1 s3\ns3 s2\n")));
    document["topology"]["failedLinks"] = json!([{ "from": "s2", "to": "s1" }, { "from": "s3", "to": "s1" }]);
    document["timeline"] = json!([
        { "atUs": 10, "path": "topology.failedLinks", "value": [] },
        { "atUs": 20, "path": "switch.ecnThresholdPackets", "value": 30 }
    ]);
    let next = load(&with_network(&document.to_string(), &found).unwrap()).unwrap();
    assert_eq!(as_json(&next.topology.failed_links), json!([{ "from": "s2", "to": "s1" }]));
    assert_eq!(next.timeline.iter().map(|change| change.at_us).collect::<Vec<_>>(), [20.0]);
}

#[test]
fn nobody_becomes_its_own_target_but_where_storage_is_local() {
    let found = network("a s1\nb s1\nc s2\nd s2\ns1 s2\n");
    let mut seen = 0;
    for (name, document) in qoscope_committed::all() {
        seen += 1;
        let text = with_network(&document.to_string(), &found).unwrap();
        let next: Scenario = super::super::from_checked(serde_json::from_str(&text).unwrap()).unwrap();
        for workload in &next.workloads {
            let local = next.protocol_of(workload) == crate::scenario::AccessProtocol::Local;
            match &workload.endpoints {
                crate::scenario::Endpoints::Incast { initiators, .. } => assert!(*initiators < 4),
                crate::scenario::Endpoints::Pairs { initiators, targets } => {
                    for index in 0..initiators.len().max(targets.len()) {
                        let nth = |list: &[String]| list[if list.len() == 1 { 0 } else { index }].clone();
                        assert_eq!(nth(initiators) == nth(targets), local, "{}", name);
                    }
                }
                _ => (),
            }
        }
    }
    assert!(seen > 5);
}

/// Networks as they may be drawn: switches in a line, and hosts on them, with names of every sort.
fn networks() -> impl Strategy<Value = Network> {
    let name = prop_oneof!["[a-z]{1,4}", "host|switch|from|SRC", "[ ,;#\"\\\\\r\n\t\u{e4}\u{85}-]{1,5}"];
    let amount = |from: u32, to: u32| proptest::option::of((from..to).prop_map(|n| f64::from(n) / 8.0));
    let hosts = proptest::collection::vec((any::<usize>(), amount(1, 9999), amount(0, 9999), any::<bool>()), 2..12);
    (1..6_usize, hosts, proptest::collection::vec(name, 20)).prop_map(|(count, hosts, names)| {
        // Told apart by their numbers.
        let host = |number: usize| format!("{}h{number}", names[number]);
        let switch = |number: usize| format!("{}w{number}", names[12 + number]);
        let position = |is: bool, at: usize| is.then_some(Position { x: at as f64 / 3.0, y: -7.5 });
        let node = |name, role, position| Node { name, role, position };
        let nodes = hosts.iter().enumerate().map(|(n, host_of)| node(host(n), NodeKind::Host, position(host_of.3, n)));
        let switches = (0..count).map(|n| node(switch(n), NodeKind::Switch, None));
        let links = hosts.iter().enumerate().map(|(n, of)| link(&host(n), &switch(of.0 % count), of.1, of.2));
        let trunks = (1..count).map(|n| link(&switch(n - 1), &switch(n), None, None));
        Network { nodes: nodes.chain(switches).collect(), links: links.chain(trunks).collect(), remarks: Vec::new() }
    })
}

/// Rates and delays with those of the scenario where a link has none.
fn amounts(network: &Network) -> Vec<(f64, f64)> {
    network.links.iter().map(|link| (link.gbps.unwrap_or(10.0), link.delay_us.unwrap_or(1.0))).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same_network(drawn in networks()) {
        let scenario = scenario(&drawn);
        let again = network(&write(&scenario, Format::Edges));
        let set = |network: &Network| network.nodes.iter().map(|node| format!("{node:?}")).collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&again), set(&drawn));
        prop_assert_eq!(amounts(&again), amounts(&drawn));
        let again = network(&write(&scenario, Format::Hpcc));
        let roles = |network: &Network| network.nodes.iter().map(|node| node.role).collect::<Vec<_>>();
        prop_assert_eq!(roles(&again), roles(&drawn));
        prop_assert_eq!(amounts(&again), amounts(&drawn));
    }

    #[test]
    fn damaged_files_are_read_or_refused(
        drawn in networks(), hpcc in any::<bool>(), at in any::<prop::sample::Index>(), length in 0..40_usize, put in "\\PC{0,12}|[0-9 \n\r\"\\\\#eE.+-]{0,12}",
    ) {
        let text: Vec<char> = write(&scenario(&drawn), if hpcc { Format::Hpcc } else { Format::Edges }).chars().collect();
        let at = at.index(text.len());
        let rest = &text[(at + length).min(text.len())..];
        let damaged: String = text[..at].iter().copied().chain(put.chars()).chain(rest.iter().copied()).collect();
        match read(&damaged) {
            // What is read, a scenario may have.
            Ok(found) => drop(self::scenario(&found)),
            Err(diagnostics) => prop_assert!(diagnostics.iter().all(|found| !found.reason.is_empty() && !found.hint.is_empty())),
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(?s).{0,300}") {
        prop_assert!(read(&text).is_ok_and(|found| found.links.len() > 1) || !told(&text).is_empty());
    }
}
