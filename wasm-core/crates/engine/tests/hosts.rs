//! Hosts of networks: their names, racks and pods, and which of them store. The page is tested by the same table
//! (`web/src/scenario/topology.test.ts`), since it places hosts while a shape is edited.

use qoscope_engine::kernel::ids::NodeId;
use qoscope_engine::scenario::{self, Hosts, Shape, StorageServer, graph_of, storage_hosts};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    shape: serde_json::Value,
    #[serde(default)]
    servers: Vec<String>,
    hosts: Vec<String>,
    storage: Vec<String>,
    pods: Option<Vec<u32>>,
    racks: Option<Vec<usize>>,
}

#[test]
fn hosts_are_those_of_the_shared_table() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../tests/hosts.json");
    let text = std::fs::read_to_string(file).expect("the table can be read");
    let cases: Vec<Case> = serde_json::from_str(&text).expect("the table is JSON");
    for Case { shape, servers, hosts, storage, pods, racks } in cases {
        let shape: Shape = serde_json::from_value(shape).expect("the table has valid shapes");
        let graph = graph_of(&shape);
        let name = |host: &NodeId| graph.nodes()[host.index()].name.clone();
        assert_eq!(graph.hosts().iter().map(name).collect::<Vec<_>>(), hosts, "{shape:?}");
        if let (Some(pods), Some(racks)) = (pods, racks) {
            let own: Vec<_> = graph.hosts().iter().map(|host| graph.nodes()[host.index()].pod.unwrap_or(0)).collect();
            assert_eq!(own, pods, "{shape:?}");
            let mut switches = Vec::new();
            let rack = |host: &NodeId| {
                let wire = graph.wires().iter().find(|wire| wire.from == *host).expect("every host has a cable");
                let known = switches.iter().position(|switch| *switch == wire.to);
                known.unwrap_or_else(|| {
                    switches.push(wire.to);
                    switches.len() - 1
                })
            };
            assert_eq!(graph.hosts().iter().map(rack).collect::<Vec<_>>(), racks, "{shape:?}");
        }
        let mut scenario =
            scenario::from_value(qoscope_committed::document("three-writers")).expect("the preset is valid");
        scenario.topology.shape = shape;
        scenario.storage.servers =
            servers.into_iter().map(|host| StorageServer { host, devices: Vec::new() }).collect();
        let own = storage_hosts(&scenario, &Hosts::of(&scenario.topology.shape));
        let stores: Vec<_> = hosts.iter().zip(own).filter(|(_, stores)| *stores).map(|(host, _)| host).collect();
        assert_eq!(stores, storage.iter().collect::<Vec<_>>(), "{:?}", scenario.topology.shape);
    }
}
