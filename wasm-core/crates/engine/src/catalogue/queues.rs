//! The submission queues of a device: which level the commands of a class have there, and what weighs it.

use schemars::JsonSchema;
use serde::Serialize;

use super::choice;
use crate::scenario::document::Scenario;
use crate::simulation::devices;
use crate::storage::{ClassTreatment, Level, Policy, RANK_BYTES};

/// Levels of submission queues, and what arbitration aims at between them.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "SubmissionQueues")]
pub struct Queues {
    /// Levels that commands have, the most urgent first.
    pub levels: Vec<QueueLevel>,
    /// By class: its part of the service that weights aim at, those of a level sharing its weight. None where they aim at nothing
    /// for classes.
    pub class_weights: Option<Vec<f64>>,
}

/// A level of submission queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct QueueLevel {
    /// Which.
    pub level: Level,
    /// What goes there, in words.
    pub title: String,
    /// Numbers of the classes whose commands go there; none where storage ranks commands by size.
    pub classes: Vec<usize>,
    /// Commands in a round of weighted round robin; none where arbitration weighs nothing.
    pub weight: Option<u32>,
}

impl Queues {
    /// Those of the devices of a scenario, sorted by the rule that servers go by.
    pub(super) fn of(scenario: &Scenario) -> Self {
        let policy = devices::policy(scenario);
        let levels: Vec<QueueLevel> =
            Level::ALL.into_iter().filter_map(|level| queue_level(scenario, &policy, level)).collect();
        let weight_of = |class: usize| {
            let own = levels.iter().find(|level| level.classes.contains(&class))?;
            Some(f64::from(own.weight?) / own.classes.len() as f64)
        };
        let knows_classes = !matches!(policy.treatment, ClassTreatment::Agnostic | ClassTreatment::BySize);
        let class_weights = knows_classes.then(|| (0..scenario.classes.len()).map(weight_of).collect()).flatten();
        Self { levels, class_weights }
    }
}

/// A level with what goes there; none if nothing does.
fn queue_level(scenario: &Scenario, policy: &Policy, level: Level) -> Option<QueueLevel> {
    let [high, medium, low] = scenario.storage.nvme.weights();
    let weight = match level {
        Level::Urgent => None,
        Level::High => Some(high),
        Level::Medium => Some(medium),
        Level::Low => Some(low),
    };
    let weight = weight.filter(|_| scenario.storage.nvme.arbitration.mechanism().weighs);
    let by_size = policy.treatment == ClassTreatment::BySize;
    let goes_there = |bytes: u64, own: Level| policy.levels(bytes, own).0 == level;
    let of_class = |(_, own): &(usize, &Level)| !by_size && goes_there(0, **own);
    let classes: Vec<usize> = policy.levels.iter().enumerate().filter(of_class).map(|(class, _)| class).collect();
    let kib = |bytes: u64| format!("{} KiB", bytes / 1024);
    let title = match policy.treatment {
        ClassTreatment::BySize => match RANK_BYTES.into_iter().find(|&bytes| goes_there(bytes, level)) {
            Some(bytes) => format!("Up to {}", kib(bytes)),
            None if goes_there(u64::MAX, level) => format!("Over {}", kib(RANK_BYTES[1])),
            None => return None,
        },
        _ if classes.is_empty() => return None,
        ClassTreatment::Agnostic => "All classes".into(),
        ClassTreatment::Protocol | ClassTreatment::Coordinated | ClassTreatment::Inverted => {
            choice("classes[].nvmePriority", level.id()).title.clone()
        }
    };
    Some(QueueLevel { level, title, classes, weight })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::scenario::{from_value, set_path};

    /// Queues of three writers, of ratios 3, 2 and 1, with other fields.
    fn queues(fields: &[(&str, Value)]) -> Queues {
        let writers = &qoscope_committed::text("three-writers");
        let mut document = serde_json::from_str(writers).unwrap();
        fields.iter().for_each(|(path, value)| set_path(&mut document, path, value.clone()).unwrap());
        Queues::of(&from_value(document).unwrap())
    }

    fn treated(treatment: &str, fields: &[(&str, Value)]) -> Queues {
        let storage = [("storage", json!({ "treatment": treatment }))];
        queues(&[&storage, fields].concat())
    }

    fn brief(queues: &Queues) -> Vec<(&str, Vec<usize>, Option<u32>)> {
        queues.levels.iter().map(|of| (of.level.id(), of.classes.clone(), of.weight)).collect()
    }

    #[test]
    fn levels_follow_the_classes_where_storage_does() {
        let high = treated("coordinated", &[]);
        assert_eq!(brief(&high), [("high", vec![0], Some(3)), ("medium", vec![1], Some(2)), ("low", vec![2], Some(1))]);
        assert_eq!(high.class_weights, Some(vec![3.0, 2.0, 1.0]));
        let both = treated("coordinated", &[("classes[2].nvmePriority", json!("high"))]);
        assert_eq!(brief(&both), [("high", vec![0, 2], Some(3)), ("medium", vec![1], Some(2))]);
        assert_eq!(both.class_weights, Some(vec![1.5, 2.0, 1.5]));
    }

    #[test]
    fn levels_are_turned_round_where_storage_ranks_the_other_way() {
        let inverted = treated("inverted", &[]);
        assert_eq!(
            brief(&inverted),
            [("high", vec![2], Some(3)), ("medium", vec![1], Some(2)), ("low", vec![0], Some(1))]
        );
        assert_eq!(inverted.class_weights, Some(vec![1.0, 2.0, 3.0]));
    }

    #[test]
    fn nothing_is_weighed_for_classes_where_storage_does_not_know_them() {
        let agnostic = treated("agnostic", &[]);
        assert_eq!(brief(&agnostic), [("medium", vec![0, 1, 2], Some(2))]);
        let by_size = treated("by-size", &[]);
        let titles: Vec<&str> = by_size.levels.iter().map(|of| of.title.as_str()).collect();
        assert_eq!(titles, ["Up to 16 KiB", "Up to 128 KiB", "Over 128 KiB"]);
        assert!(by_size.levels.iter().all(|of| of.classes.is_empty()));
        assert_eq!((agnostic.class_weights, by_size.class_weights), (None, None));
    }

    #[test]
    fn urgent_queues_have_no_weight_and_neither_has_plain_round_robin() {
        let urgent = treated("protocol", &[("classes[0].nvmePriority", json!("urgent"))]);
        assert_eq!(brief(&urgent)[0], ("urgent", vec![0], None));
        assert_eq!((urgent.levels[0].title.as_str(), urgent.class_weights), ("Urgent", None));
        let even = treated("coordinated", &[("storage.nvme.arbitration", json!("round-robin"))]);
        assert!(even.levels.iter().all(|of| of.weight.is_none()) && even.class_weights.is_none());
    }
}
