//! A scenario on another network.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Network;
use crate::scenario::document::{AccessProtocol, Cable, Endpoints, LinkSpec, Scenario};
use crate::scenario::hosts::{Hosts, storage_hosts};
use crate::scenario::{Diagnostic, check_form, from_checked, parse, schema, upgrade, write};

/// The path of changes that take cables down, of which another network knows nothing.
const FAILED_LINKS: &str = "topology.failedLinks";

/// A scenario on the network of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReadNetwork {
    /// The scenario, as JSON text.
    pub scenario: String,
    /// What the network has, in words.
    pub summary: String,
}

/// The text of a scenario, put on a network. Hosts that it names and the network lacks become hosts of it: those that issue
/// requests from the front, targets and storage servers from the back.
///
/// # Errors
/// Every diagnostic of the form of the scenario. What it means on the new network is for whoever loads it.
pub fn with_network(json: &str, network: &Network) -> Result<String, Vec<Diagnostic>> {
    let mut document = parse(json).map_err(|diagnostic| vec![diagnostic])?;
    upgrade(&mut document)?;
    let diagnostics = check_form(schema(), &document);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let read = |document: Value| from_checked(document).map_err(|diagnostic| vec![diagnostic]);
    let scenario = read(document.clone())?;
    put_on(&mut document, &scenario, network);
    Ok(write::written(&document, &read(document.clone())?))
}

/// Changes what `document`, which has been read as `scenario`, says of hosts and cables.
fn put_on(document: &mut Value, scenario: &Scenario, network: &Network) {
    let hosts: Vec<&str> = network.hosts().collect();
    let servers = server_hosts(scenario);
    let places = Places::new(scenario, &servers, &hosts);
    document["topology"]["shape"] = network.shape();
    for (index, workload) in scenario.workloads.iter().enumerate() {
        let is_local = scenario.protocol_of(workload) == AccessProtocol::Local;
        let endpoints = &mut document["workloads"][index]["endpoints"];
        match &workload.endpoints {
            Endpoints::Pairs { initiators, targets } => {
                let [initiators, targets] =
                    [initiators, targets].map(|names| names.iter().map(|name| places.of(name)).collect::<Vec<_>>());
                let (initiators, targets) =
                    if is_local { (initiators.clone(), initiators) } else { apart(&initiators, &targets, &hosts) };
                endpoints["initiators"] = initiators.into();
                endpoints["targets"] = targets.into();
            }
            Endpoints::Incast { initiators, target } => {
                endpoints["target"] = places.of(target).into();
                endpoints["initiators"] = (*initiators as usize).min(hosts.len() - 1).into();
            }
            Endpoints::Permutation {} | Endpoints::Random { .. } => (),
        }
    }
    put_servers(document, &servers, &places);
    let is_there = |cable: &Cable| {
        let joins = |link: &LinkSpec, a: &str, b: &str| link.from == a && link.to == b;
        network.links.iter().any(|link| joins(link, &cable.from, &cable.to) || joins(link, &cable.to, &cable.from))
    };
    let failed: Vec<bool> = scenario.topology.failed_links.iter().map(is_there).collect();
    retain(&mut document["topology"], "failedLinks", |index, _| failed[index]);
    retain(document, "timeline", |_, change| change["path"] != FAILED_LINKS);
}

/// Keeps some elements of a list, and the list where any is left.
fn retain(object: &mut Value, name: &str, keeps: impl Fn(usize, &Value) -> bool) {
    let Some(list) = object.get_mut(name).and_then(Value::as_array_mut) else { return };
    let mut index = 0;
    list.retain(|element| {
        index += 1;
        keeps(index - 1, element)
    });
    if list.is_empty() {
        object.as_object_mut().and_then(|fields| fields.remove(name));
    }
}

/// Lists the storage servers at their new hosts. Where two come to share one, the first stays.
fn put_servers(document: &mut Value, servers: &[String], places: &Places<'_>) {
    let listed = document.pointer("/storage/servers").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut hosts = BTreeSet::new();
    let mut moved = Vec::new();
    for (index, server) in servers.iter().enumerate() {
        let host = places.of(server);
        if hosts.insert(host) {
            let mut server = listed.get(index).cloned().unwrap_or_else(|| serde_json::json!({}));
            server["host"] = host.into();
            moved.push(server);
        }
    }
    if !moved.is_empty() {
        if !document["storage"].is_object() {
            document["storage"] = serde_json::json!({});
        }
        document["storage"]["servers"] = moved.into();
    }
}

/// Hosts of the storage servers of the list; without one the targets among the hosts that the shape makes servers of.
fn server_hosts(scenario: &Scenario) -> Vec<String> {
    let listed = &scenario.storage.servers;
    if !listed.is_empty() {
        return listed.iter().map(|server| server.host.clone()).collect();
    }
    let hosts = Hosts::of(&scenario.topology.shape);
    let storage = storage_hosts(scenario, &hosts);
    let targets: BTreeSet<u32> = targets(scenario).into_iter().filter_map(|name| hosts.number(name)).collect();
    targets.into_iter().filter(|&host| storage[host as usize]).filter_map(|host| hosts.name(host)).collect()
}

/// Targets that workloads name.
fn targets(scenario: &Scenario) -> Vec<&str> {
    let named = scenario.workloads.iter().flat_map(|workload| match &workload.endpoints {
        Endpoints::Pairs { targets, .. } => targets.as_slice(),
        Endpoints::Incast { target, .. } => std::slice::from_ref(target),
        Endpoints::Permutation {} | Endpoints::Random { .. } => &[],
    });
    named.map(String::as_str).collect()
}

/// Where the hosts are that a scenario names.
struct Places<'a> {
    moved: BTreeMap<&'a str, &'a str>,
}

impl<'a> Places<'a> {
    fn new(scenario: &'a Scenario, servers: &'a [String], hosts: &[&'a str]) -> Self {
        let known: BTreeSet<&str> = hosts.iter().copied().collect();
        let mut seen = BTreeSet::new();
        let mut missing = |name: &&'a str| !known.contains(name) && seen.insert(*name);
        let servers = servers.iter().map(String::as_str);
        let back: Vec<&str> = targets(scenario).into_iter().chain(servers).filter(&mut missing).collect();
        let initiators = scenario.workloads.iter().flat_map(|workload| match &workload.endpoints {
            Endpoints::Pairs { initiators, .. } => initiators.as_slice(),
            Endpoints::Incast { .. } | Endpoints::Permutation {} | Endpoints::Random { .. } => &[],
        });
        let front: Vec<&str> = initiators.map(String::as_str).filter(&mut missing).collect();
        // Initiators have at least the front half, so that nobody becomes its own target.
        let (front_hosts, back_hosts) = hosts.split_at(hosts.len() - back.len().min(hosts.len().div_ceil(2)));
        let back = back.into_iter().zip(back_hosts.iter().rev().copied().cycle());
        Self { moved: back.chain(front.into_iter().zip(front_hosts.iter().copied().cycle())).collect() }
    }

    fn of<'b>(&'b self, name: &'b str) -> &'b str {
        self.moved.get(name).copied().unwrap_or(name)
    }
}

/// Nobody is its own target: an initiator that came to share the host of its target takes the next one.
fn apart<'a>(initiators: &[&'a str], targets: &[&'a str], hosts: &[&'a str]) -> (Vec<&'a str>, Vec<&'a str>) {
    let nth = |list: &[&'a str], index: usize| list.get(index).or(list.last()).copied().unwrap_or_default();
    let pairs = (0..initiators.len().max(targets.len())).map(|index| (nth(initiators, index), nth(targets, index)));
    if pairs.clone().all(|(initiator, target)| initiator != target) {
        return (initiators.to_vec(), targets.to_vec());
    }
    let next = |host: &str| {
        let number = hosts.iter().position(|name| *name == host).unwrap_or_default();
        hosts[(number + 1) % hosts.len()]
    };
    pairs.map(|(initiator, target)| (if initiator == target { next(initiator) } else { initiator }, target)).unzip()
}
