//! Makes random documents mean something: names that refer to each other, hosts that exist, a run of a bearable length.
//!
//! What is wrong beside that the engine itself says: its diagnostics lead to fields that are left out or drawn again.

use std::panic;

use qoscope_engine::kernel::ids::NodeId;
use qoscope_engine::scenario::{self, Diagnostic, Hosts, Scenario, Shape, Timely, get_path, set_path, size};
use qoscope_engine::simulation::plan::Plan;
use serde_json::{Value, json};

use crate::generate::Generator;
use crate::schema::{Form, walk};

/// How often a document is mended before it is left as it is.
const ROUNDS: usize = 12;
/// Packet-hops that a run is made to take, more or less.
const PACKET_HOPS: (f64, f64) = (300.0, 300_000.0);

impl<'a> Generator<'a> {
    /// A scenario, most often a valid one.
    pub fn scenario(&mut self) -> Value {
        let mut document = self.value(self.root);
        document["timeline"] = Value::Null;
        drop_nulls(&mut document);
        self.connect(&mut document);
        if let Some(scenario) = self.mend(&mut document) {
            self.set_length(&mut document, &scenario);
            if self.chance(0.1) {
                document["topology"]["failedLinks"] = self.cables(&document);
            }
            self.mend(&mut document);
        }
        if self.chance(0.6) {
            document["timeline"] = self.timeline(&document);
            self.mend(&mut document);
        }
        document
    }

    /// Follows the diagnostics of the engine until there are none. Returns the scenario then.
    fn mend(&mut self, document: &mut Value) -> Option<Scenario> {
        for _ in 0..ROUNDS {
            // A panic is for the check of the case to find.
            match panic::catch_unwind(|| laid_out(document)).ok()? {
                Ok(scenario) => return Some(scenario),
                Err(diagnostics) => {
                    // From the last on, so that entries can be taken out of lists.
                    diagnostics.iter().rev().for_each(|diagnostic| self.follow(document, diagnostic));
                    self.connect(document);
                }
            }
        }
        None
    }

    /// Leaves out the field of a diagnostic, or draws it again.
    fn follow(&mut self, document: &mut Value, diagnostic: &Diagnostic) {
        let path = diagnostic.path.as_str();
        if let Some(entry) =
            path.strip_prefix("timeline[").and_then(|rest| rest.split(']').next()?.parse::<usize>().ok())
        {
            let entries = document["timeline"].as_array_mut().filter(|entries| entry < entries.len());
            entries.map(|entries| entries.remove(entry));
            return;
        }
        if path.is_empty() || path == "workloads" || path == "durationUs" || path.starts_with("topology.shape") {
            return self.reduce(document);
        }
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        let present = get_path(document, path).is_some_and(|value| !value.is_null());
        if present && !self.is_required(document, path) {
            let fields = if parent.is_empty() { Some(document) } else { get_mut(document, parent) };
            fields.and_then(Value::as_object_mut).map(|fields| fields.remove(name));
        } else if let Some(stated) = self.stated(document, path) {
            let mut value = self.value(stated);
            drop_nulls(&mut value);
            let _unreachable = set_path(document, path, value);
        }
    }

    /// Makes a document smaller that asks for too much.
    fn reduce(&mut self, document: &mut Value) {
        document["topology"]["shape"] =
            json!({ "kind": "dumbbell", "senders": 1 + self.index(6), "receivers": 1 + self.index(3) });
        document["durationUs"] = json!(1000);
        for workload in elements(document, "workloads") {
            workload["connections"] = json!(1);
            if workload["traffic"].get("size").is_some() {
                workload["traffic"]["size"] = json!({ "kind": "fixed", "bytes": 10_000 });
            }
        }
        let fields = document.as_object_mut();
        fields.into_iter().for_each(|fields| fields.retain(|name, _| !["host", "switch"].contains(&name.as_str())));
    }

    /// The description of the field at `path`.
    fn stated(&self, document: &Value, path: &str) -> Option<&'a Value> {
        let mut found = None;
        walk(self.root, self.root, document, "", &mut |at, stated, _| {
            if at == path {
                found = Some(stated);
            }
        });
        found
    }

    fn is_required(&self, document: &Value, path: &str) -> bool {
        let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
        let stated = if parent.is_empty() { Some(self.root) } else { self.stated(document, parent) };
        let holder = get_path(document, parent).unwrap_or(document);
        stated.is_none_or(|stated| match Form::of(self.root, stated).0 {
            Form::Object(object) => object.requires(name),
            Form::Kinds(kinds) => {
                kinds.iter().any(|kind| holder["kind"] == kind.fields["kind"]["const"] && kind.requires(name))
            }
            _ => true,
        })
    }

    /// Makes the names in a document refer to what is there.
    fn connect(&mut self, document: &mut Value) {
        document["version"] = self.root["properties"]["version"]["maximum"].clone();
        let names = self.name(elements(document, "classes"));
        elements(document, "classes").iter_mut().filter_map(|class| class.get_mut("contract")).for_each(nest);
        elements(document, "classes").iter_mut().filter_map(|class| class.get_mut("timely")).for_each(order_thresholds);
        for workload in elements(document, "workloads") {
            if !names.iter().any(|name| workload["class"] == **name) {
                workload["class"] = json!(self.pick(&names));
            }
        }
        document.pointer_mut("/switch/dscpMap").into_iter().for_each(tell_apart);
        self.shape(&mut document["topology"]["shape"]);
        // Names drawn at random are of no node; some of the network's cables fail later.
        if let Some(topology) = document["topology"].as_object_mut() {
            topology.remove("failedLinks");
        }
        let shape = serde_json::from_value::<Shape>(document["topology"]["shape"].clone());
        let shape = shape.unwrap_or(Shape::FatTree { k: 2 });
        let hosts = Hosts::of(&shape);
        let hosts: Vec<String> = (0..hosts.count()).filter_map(|number| hosts.name(number)).collect();
        self.storage(document, &hosts);
        let protocol = document.pointer("/access/protocol").cloned().unwrap_or_default();
        for workload in elements(document, "workloads") {
            self.endpoints(&mut workload["endpoints"], &hosts);
            // Backlogged traffic has no requests, and goes directly whatever the protocol.
            let has_requests = workload["traffic"]["kind"] != "backlogged";
            if has_requests && *workload.get("protocol").unwrap_or(&protocol) == "local" {
                let own = json!([self.pick(&hosts)]);
                workload["endpoints"] = json!({ "kind": "pairs", "initiators": own, "targets": own });
            }
            workload["traffic"].get_mut("size").into_iter().for_each(order_sizes);
            // There are no files beside a case, so most traces become stand-ins; the others are refused with a sentence.
            let traffic = &mut workload["traffic"];
            if traffic["kind"] == "trace" && !self.chance(0.05) {
                *traffic = json!({ "kind": "stand-in", "of": "exchange", "timeScale": traffic["timeScale"] });
                drop_nulls(traffic);
            }
        }
        self.story(document);
        for note in document.pointer_mut("/notes").and_then(Value::as_array_mut).into_iter().flatten() {
            if note.get("atUs").is_none() && note.get("node").is_none() {
                note["node"] = json!(self.pick(&hosts));
            }
        }
    }

    /// Storage servers that are hosts, each once, with devices of different names.
    fn storage(&mut self, document: &mut Value, hosts: &[String]) {
        let Some(servers) = document.pointer_mut("/storage/servers").and_then(Value::as_array_mut) else { return };
        servers.truncate(hosts.len());
        let first = self.index(hosts.len());
        for (place, server) in servers.iter_mut().enumerate() {
            server["host"] = json!(hosts[(first + place) % hosts.len()]);
            self.name(elements(server, "devices"));
        }
    }

    /// A story whose claims are of classes, and whose tries change fields, that are there.
    fn story(&mut self, document: &mut Value) {
        let classes: Vec<Value> = elements(document, "classes").iter().map(|class| class["name"].clone()).collect();
        for claim in document.pointer_mut("/story/claims").and_then(Value::as_array_mut).into_iter().flatten() {
            if claim.get("class").is_some() {
                claim["class"] = self.pick(&classes).clone();
            }
        }
        let Some(mut tries) = document.pointer_mut("/story/tries").map(Value::take) else { return };
        let changes = tries.as_array_mut().into_iter().flatten().flat_map(|offered| elements(offered, "changes"));
        for change in changes {
            let (path, value) = self.change(document);
            *change = json!({ "path": path, "value": value });
        }
        document["story"]["tries"] = tries;
    }

    /// Gives objects that have a name one of their own, and returns all of them.
    fn name(&mut self, objects: &mut [Value]) -> Vec<String> {
        let mut names = Vec::new();
        for object in objects {
            let mut name = object["name"].as_str().unwrap_or("a").to_owned();
            while names.contains(&name) {
                name = self.text(1, 8);
            }
            object["name"] = json!(name);
            names.push(name);
        }
        names
    }

    /// Ports in pairs; a graph of one piece, whose hosts have one link each.
    fn shape(&mut self, shape: &mut Value) {
        if let Some(k) = shape.get("k").and_then(Value::as_u64) {
            // Most trees are small: one of k = 32 has 8192 hosts.
            let most = if self.chance(0.02) { 32 } else { 8 };
            shape["k"] = json!((k + k % 2).min(most));
        }
        if shape["kind"] != "custom" {
            return;
        }
        let names = self.name(elements(shape, "nodes"));
        let nodes = elements(shape, "nodes");
        let mut roles: Vec<bool> = nodes.iter().map(|node| node["role"] == "host").collect();
        for (position, role) in roles.iter_mut().enumerate() {
            // Two hosts and a switch at the least.
            *role = position < 2 || (position > 2 && *role);
            nodes[position]["role"] = json!(if *role { "host" } else { "switch" });
        }
        let of_role = |host: bool| (0..names.len()).filter(|&node| roles[node] == host).collect::<Vec<_>>();
        let (hosts, switches) = (of_role(true), of_role(false));
        if switches.is_empty() {
            // Two hosts alone cannot be linked.
            *shape = json!({ "kind": "dumbbell", "senders": 1, "receivers": 1 });
            return;
        }
        let mut ends: Vec<(usize, usize)> = hosts.iter().map(|&host| (host, *self.pick(&switches))).collect();
        for (position, &switch) in switches.iter().enumerate().skip(1) {
            ends.push((switch, switches[self.index(position)]));
        }
        let drawn = elements(shape, "links").to_vec();
        while switches.len() > 1 && ends.len() < drawn.len() {
            let (from, to) = (self.index(switches.len()), self.index(switches.len() - 1));
            ends.push((switches[from], switches[if to < from { to } else { to + 1 }]));
        }
        let links = ends.into_iter().enumerate().map(|(position, (from, to))| {
            let mut link = drawn.get(position).cloned().unwrap_or_else(|| json!({}));
            (link["from"], link["to"]) = (json!(names[from]), json!(names[to]));
            link
        });
        shape["links"] = links.collect();
    }

    /// Hosts that exist, none of which is its own target.
    fn endpoints(&mut self, endpoints: &mut Value, hosts: &[String]) {
        let others = hosts.len().max(2) as u64 - 1;
        match endpoints["kind"].as_str() {
            Some("incast") => {
                endpoints["target"] = json!(self.pick(hosts));
                endpoints["initiators"] = json!(1 + endpoints["initiators"].as_u64().unwrap_or(0) % others);
            }
            Some("random") => endpoints["pairs"] = json!(1 + endpoints["pairs"].as_u64().unwrap_or(0) % others),
            Some("pairs") => {
                let length = |field: &str| endpoints[field].as_array().map_or(1, Vec::len).max(1);
                let (initiators, targets) = (length("initiators"), length("targets"));
                let pairs = if self.chance(0.5) { 1 } else { initiators.min(targets) };
                let targets: Vec<usize> = (0..pairs).map(|_| self.index(hosts.len())).collect();
                let apart = |(index, host): (usize, usize)| {
                    let is_target = host == targets[index.min(pairs - 1)];
                    (host + usize::from(is_target)) % hosts.len()
                };
                let initiators = (0..if pairs > 1 { pairs } else { initiators }).map(|_| self.index(hosts.len()));
                let initiators: Vec<usize> = initiators.enumerate().map(apart).collect();
                let names =
                    |numbers: Vec<usize>| numbers.into_iter().map(|host| hosts[host].clone()).collect::<Value>();
                (endpoints["initiators"], endpoints["targets"]) = (names(initiators), names(targets));
            }
            _ => (),
        }
    }

    /// Gives the run a length that takes about as many packet-hops as a case should, and keeps its instants where they were
    /// in it.
    fn set_length(&mut self, document: &mut Value, scenario: &Scenario) {
        // Where little goes over the network, the work of devices counts.
        let cost = size::cost(scenario);
        let hops_per_us = cost.packet_hops.max(cost.work / 4.0) / scenario.duration_us;
        let hops = self.log_uniform(PACKET_HOPS.0, PACKET_HOPS.1);
        let length_us = libm::round((hops / hops_per_us).clamp(10.0, 1e8));
        if self.chance(0.1) || !length_us.is_finite() {
            return;
        }
        document["durationUs"] = json!(length_us);
        for (path, share) in self.instants(document) {
            let _unreachable = set_path(document, &path, json!(libm::round(share * length_us * 1000.0) / 1000.0));
        }
    }

    /// The instants of a document, by path, each drawn anew as a share of the run. An instant is what may be as large as the
    /// duration.
    fn instants(&mut self, document: &Value) -> Vec<(String, f64)> {
        let latest = &self.root["properties"]["durationUs"]["maximum"];
        let mut paths = Vec::new();
        walk(self.root, self.root, document, "", &mut |path, stated, value| {
            if path != "durationUs" && value.is_number() && stated.get("maximum") == Some(latest) {
                paths.push(path.to_owned());
            }
        });
        let mut share = |_: &String| if self.chance(0.25) { 0.0 } else { self.random.uniform() * 1.05 };
        let shares: Vec<f64> = paths.iter().map(&mut share).collect();
        paths.into_iter().zip(shares).collect()
    }

    /// Changes of live fields throughout the run.
    fn timeline(&mut self, document: &Value) -> Value {
        let length_us = document["durationUs"].as_f64().unwrap_or(0.0);
        let count = 1 + self.log_uniform(1.0, 20.0) as usize;
        let mut instants: Vec<f64> = (0..count).map(|_| libm::round(self.random.uniform() * length_us)).collect();
        instants.sort_by(f64::total_cmp);
        let entry = |at_us| {
            let (path, value) = self.change(document);
            json!({ "atUs": at_us, "path": path, "value": value })
        };
        instants.into_iter().map(entry).collect()
    }

    /// A change of a live field of a document.
    pub fn change(&mut self, document: &Value) -> (String, Value) {
        let mut live = Vec::new();
        walk(self.root, self.root, document, "", &mut |path, stated, _| {
            if stated.get("x-live") == Some(&Value::Bool(true)) {
                live.push((path.to_owned(), stated));
            }
        });
        // Sections first: the many fields of classes must not push the others aside.
        let section = |path: &str| path.split(['.', '[']).next().unwrap_or_default().to_owned();
        let mut sections: Vec<String> = live.iter().map(|(path, _)| section(path)).collect();
        sections.dedup();
        let chosen = self.pick(&sections).clone();
        live.retain(|(path, _)| section(path) == chosen);
        let (path, stated) = self.pick(&live).clone();
        let value = if path == "topology.failedLinks" { self.cables(document) } else { self.value(stated) };
        (path, value)
    }

    /// Some cables of the network of a document; now and then one that it does not have.
    pub fn cables(&mut self, document: &Value) -> Value {
        let plan = laid_out(document).ok().and_then(|scenario| Plan::new(&scenario).ok());
        let Some(graph) = plan.map(|plan| plan.graph) else { return json!([]) };
        let count = self.index(4);
        let wires: Vec<_> = (0..count).map(|_| *self.pick(graph.wires())).collect();
        let mut name = |node: NodeId| match self.chance(0.02) {
            true => json!("nowhere"),
            false => json!(graph.nodes()[node.index()].name),
        };
        wires.into_iter().map(|wire| json!({ "from": name(wire.from), "to": name(wire.to) })).collect()
    }
}

/// The scenario of a document whose network can be laid out.
fn laid_out(document: &Value) -> Result<Scenario, Vec<Diagnostic>> {
    let scenario = scenario::from_value(document.clone())?;
    Plan::new(&scenario).and_then(|plan| plan.settings(&scenario)).map(|_settings| scenario)
}

/// The elements of a list of the document; none if there is no list.
fn elements<'v>(document: &'v mut Value, field: &str) -> &'v mut [Value] {
    document.get_mut(field).and_then(Value::as_array_mut).map_or(&mut [], Vec::as_mut_slice)
}

/// The value at a path, to be changed.
fn get_mut<'v>(document: &'v mut Value, path: &str) -> Option<&'v mut Value> {
    let pointer: String = path.split(['.', '[']).map(|step| format!("/{}", step.trim_end_matches(']'))).collect();
    document.pointer_mut(&pointer)
}

/// Leaves out fields that are null, as a person would.
fn drop_nulls(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|_, value| !value.is_null());
            fields.values_mut().for_each(drop_nulls);
        }
        Value::Array(elements) => elements.iter_mut().for_each(drop_nulls),
        _ => (),
    }
}

/// Lowers the lower threshold of TIMELY where it is above the upper one.
fn order_thresholds(timely: &mut Value) {
    let high_us = timely.get("highUs").and_then(Value::as_f64).unwrap_or(Timely::default().high_us);
    if timely.get("lowUs").and_then(Value::as_f64).is_some_and(|low_us| low_us > high_us) {
        timely["lowUs"] = json!(high_us);
    }
}

/// Puts the nested classes of a contract in order: none of their numbers falls outwards.
fn nest(contract: &mut Value) {
    let Some(classes) = contract.as_array_mut() else { return };
    for field in ["burst", "rateIops", "responseUs"] {
        let mut numbers: Vec<f64> = classes.iter().filter_map(|class| class[field].as_f64()).collect();
        numbers.sort_by(f64::total_cmp);
        for (class, number) in classes.iter_mut().zip(numbers) {
            class[field] = if field == "burst" { json!(number as u64) } else { json!(number) };
        }
    }
}

/// Leaves every DSCP of a map one priority.
fn tell_apart(map: &mut Value) {
    let mut known = Vec::new();
    map.as_array_mut().into_iter().for_each(|map| {
        map.retain(|mapped| {
            let is_new = !known.contains(&mapped["dscp"]);
            known.push(mapped["dscp"].clone());
            is_new
        });
    });
}

/// Puts the bounds and points of a size distribution in order.
fn order_sizes(size: &mut Value) {
    let bounds = [&size["minimumBlocks"], &size["maximumBlocks"]].map(Value::as_u64);
    if let [Some(min), Some(max)] = bounds
        && min > max
    {
        (size["minimumBlocks"], size["maximumBlocks"]) = (json!(max), json!(min));
    }
    if let Some(points) = size.get_mut("points").and_then(Value::as_array_mut) {
        let column = |points: &[Value], n: usize| {
            let mut numbers: Vec<f64> = points.iter().filter_map(|point| point.get(n)?.as_f64()).collect();
            numbers.sort_by(f64::total_cmp);
            numbers
        };
        let (bytes, shares) = (column(points, 0), column(points, 1));
        let largest = shares.last().copied().unwrap_or(1.0).max(1e-9);
        *points = bytes.iter().zip(&shares).map(|(bytes, share)| json!([bytes, 100.0 * share / largest])).collect();
        if let Some(last) = points.last_mut() {
            *last = json!([bytes.last().copied().unwrap_or(1.0).max(1.0), 100]);
        }
    }
    if let Some(bytes) = size.get_mut("bytes").and_then(Value::as_array_mut) {
        bytes.iter_mut().for_each(|bytes| *bytes = json!(bytes.as_u64().unwrap_or(1).max(1)));
    }
}
