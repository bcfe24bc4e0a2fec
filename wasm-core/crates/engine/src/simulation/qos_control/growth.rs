//! How fast a class grows: as the papers' classes do, which are one connection each.
//!
//! A class grows by one packet per round trip, and its connections that meet in a switch port share that packet: each
//! grows by 1/n. With the common slot growth is also that of the class with the longest round trip. Hosts that coordinate would
//! know both; they are renewed once per round trip. Rates are not shared so: QRDMA recovers as DCQCN does.

use crate::kernel::ids::{ClassId, FlowId};
use crate::scenario::document::{GrowthSlot, Scenario};
use crate::simulation::qos_control::{QosControl, Scene};

impl QosControl {
    /// Renews the part of the growth of a class that falls to each of its connections.
    pub(in crate::simulation) fn share_growth(&mut self, class: ClassId, scene: &mut Scene) {
        let plan = scene.plan;
        let flows = &plan.flows_of_class[class.index()];
        let transport = scene.scenario.classes[class.index()].transport;
        if !transport.describe().shares_growth {
            flows.iter().for_each(|&flow| scene.connections.set_growth(FlowId(flow), 1.0));
            return;
        }
        let whole = self.part_of_slot(class, scene.scenario);
        if let [only] = flows[..] {
            scene.connections.set_growth(FlowId(only), whole);
            return;
        }
        // The ports of hosts do not mark: connections meet in those of switches.
        let detours = scene.detours;
        let ports = |flow: u32| detours.data(plan, FlowId(flow))[1..].iter().map(|link| link.index());
        self.meeting.resize(plan.graph.wires().len(), 0);
        for &flow in flows.iter().filter(|&&flow| scene.connections.is_unfinished(FlowId(flow))) {
            ports(flow).for_each(|port| self.meeting[port] += 1);
        }
        for &flow in flows {
            let sharing = ports(flow).map(|port| self.meeting[port]).max().unwrap_or(1).max(1);
            scene.connections.set_growth(FlowId(flow), whole / f64::from(sharing));
        }
        flows.iter().flat_map(|&flow| ports(flow)).for_each(|port| self.meeting[port] = 0);
    }

    /// The part of the slot of growth that a round trip of a class is.
    fn part_of_slot(&self, class: ClassId, scenario: &Scenario) -> f64 {
        if scenario.qos.growth_slot == GrowthSlot::OwnRtt {
            return 1.0;
        }
        let classes = scenario.classes.iter().zip(&self.classes);
        let growing = classes.filter(|(class, state)| class.transport.describe().shares_growth && state.active);
        let own_ps = self.classes[class.index()].rtt_ps.max(1);
        let longest_ps = growing.map(|(_, state)| state.rtt_ps).max().unwrap_or(0).max(own_ps);
        own_ps as f64 / longest_ps as f64
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::scenario;
    use crate::simulation::Simulation;

    /// Two classes of QTCP over a leaf and a spine: High has connections from hosts 0 to 3 to host 4, and one from 0 to 5;
    /// Low has one from 1 to 6 with a round trip four times as long.
    fn simulation(qos: Value, transport: &str) -> Simulation {
        let workload = |class: &str, initiators: &[&str], target: &str| {
            json!({
                "class": class,
                "endpoints": { "kind": "pairs", "initiators": initiators, "targets": [target] },
                "traffic": { "kind": "backlogged" },
            })
        };
        let document = json!({
            "version": 3,
            "host": { "startJitterUs": 0 },
            "name": "Growth",
            "durationUs": 2000,
            "topology": {
                "shape": { "kind": "leaf-spine", "leaves": 2, "spines": 1, "hostsPerLeaf": 4, "uplinkGbps": 100 },
                "linkGbps": 10
            },
            "qos": qos,
            "classes": [
                { "name": "High", "transport": transport },
                { "name": "Low", "transport": transport, "baseRttUs": 400 }
            ],
            "workloads": [
                workload("High", &["h4", "h1", "h2", "h3"], "h0"),
                workload("High", &["h4"], "h5"),
                workload("Low", &["h6"], "h7"),
            ],
        });
        Simulation::new(&scenario::from_value(document).unwrap()).unwrap()
    }

    fn growths(simulation: &Simulation) -> Vec<f64> {
        let flows = 0..simulation.connections.len() as u32;
        flows.map(|flow| simulation.connections.sender(FlowId(flow)).growth).collect()
    }

    #[test]
    fn connections_of_a_class_share_its_growth_where_they_meet() {
        let mut qtcp = simulation(json!({}), "qtcp");
        qtcp.run_until(qtcp.duration_ps());
        assert_eq!(growths(&qtcp), [0.25, 0.25, 0.25, 0.25, 1.0, 1.0]);
    }

    #[test]
    fn other_transports_grow_by_connection_also_after_a_switch() {
        let mut simulation = simulation(json!({}), "qtcp");
        simulation.run_until(simulation.duration_ps() / 2);
        simulation.apply("classes[0].transport", json!("dctcp")).unwrap();
        assert_eq!(growths(&simulation), [1.0; 6]);
        simulation.run_until(simulation.duration_ps());
        assert_eq!(growths(&simulation), [1.0; 6]);
    }

    #[test]
    fn in_a_common_slot_growth_is_that_of_the_longest_round_trip() {
        let mut simulation = simulation(json!({ "growthSlot": "longest-rtt" }), "qtcp");
        simulation.run_until(simulation.duration_ps());
        let [high, low] =
            [&simulation.control.classes[0], &simulation.control.classes[1]].map(|class| class.rtt_ps as f64);
        let growths = growths(&simulation);
        assert!(growths[4] < 1.0 && growths[5] == 1.0, "{growths:?}");
        // The longest round trip may have been renewed since.
        assert!((growths[4] / (high / low) - 1.0).abs() < 0.05, "{growths:?} {high} {low}");
        assert_eq!(growths[0], growths[4] / 4.0);
    }
}
