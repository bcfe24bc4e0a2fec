//! The paths in force: those that the plan laid, and others while cables on them are down.
//!
//! A connection keeps the path it was given as long as that is whole, and otherwise takes one that is picked, as ever, among
//! the shortest that are left. So the paths in force depend on nothing but which cables are down. Routes follow a failure at
//! once, for what is sent from then on; what is under way goes on as it began, and is lost where it comes to a cable that is
//! down. A connection that no path is left for keeps its own, and loses all it sends.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::ids::{FlowId, LinkId};
use crate::network::forwarding::Network;
use crate::network::routes::{MAX_PATH, Way};
use crate::network::routing::Router;
use crate::scenario::document::Scenario;
use crate::simulation::plan::{LinkSettings, Plan};
use crate::simulation::planned::PlannedFlow;
use crate::simulation::wiring::path_choice;

/// Where connections go while some cables are down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detours {
    /// By connection and way: the path in its place.
    paths: BTreeMap<(FlowId, Way), Vec<LinkId>>,
    /// Connections that no path is left for, one way or the other.
    cut_off: BTreeSet<FlowId>,
}

impl Detours {
    /// Those of a network whose links are as `links` says.
    pub fn new(scenario: &Scenario, plan: &Plan, links: &[LinkSettings]) -> Self {
        let down: Vec<bool> = links.iter().map(|link| !link.up).collect();
        let mut found = Self::default();
        if !down.contains(&true) {
            return found;
        }
        let is_broken = |path: &[LinkId]| path.iter().any(|link| down[link.index()]);
        let mut router = Router::around(&plan.graph, down.clone());
        for (number, flow) in plan.flows.iter().enumerate() {
            let PlannedFlow { source, destination, .. } = *flow;
            let ways = [
                (Way::Data, &flow.data, (source, destination)),
                (Way::Acknowledgements, &flow.acknowledgements, (destination, source)),
            ];
            for (way, path, (from, to)) in ways {
                if !is_broken(path) {
                    continue;
                }
                match router.path(from, to, path_choice(scenario, number)) {
                    Some(path) if path.len() <= MAX_PATH => {
                        found.paths.insert((FlowId::at(number), way), path);
                    }
                    _ => {
                        found.cut_off.insert(FlowId::at(number));
                    }
                }
            }
        }
        found
    }

    /// The links of the data of a connection.
    #[inline]
    pub fn data<'a>(&'a self, plan: &'a Plan, flow: FlowId) -> &'a [LinkId] {
        self.path(plan, flow, Way::Data)
    }

    /// The links of the acknowledgements of a connection.
    #[inline]
    pub fn acknowledgements<'a>(&'a self, plan: &'a Plan, flow: FlowId) -> &'a [LinkId] {
        self.path(plan, flow, Way::Acknowledgements)
    }

    #[inline]
    fn path<'a>(&'a self, plan: &'a Plan, flow: FlowId, way: Way) -> &'a [LinkId] {
        let planned = &plan.flows[flow.index()];
        let own = if way == Way::Data { &planned.data } else { &planned.acknowledgements };
        if self.paths.is_empty() { own } else { self.paths.get(&(flow, way)).unwrap_or(own) }
    }

    /// Whether all connections have the paths that they were given.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.cut_off.is_empty()
    }

    /// Whether no path is left for a connection.
    pub fn cuts_off(&self, flow: FlowId) -> bool {
        self.cut_off.contains(&flow)
    }

    /// Makes `network` follow these in the place of `before`.
    pub fn apply(&self, before: &Self, plan: &Plan, network: &mut Network) {
        let touched: BTreeSet<&(FlowId, Way)> = before.paths.keys().chain(self.paths.keys()).collect();
        for &&(flow, way) in &touched {
            // Where there is no room for another path the connection keeps the one it has.
            network.reroute(flow, way, self.path(plan, flow, way));
        }
    }
}
