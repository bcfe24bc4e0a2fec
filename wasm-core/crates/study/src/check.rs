//! What is wrong with a study whose form is right, whatever its scenario is.

use std::collections::BTreeSet;

use qoscope_engine::scenario::{Diagnostic, closest, listed, quoted};
use qoscope_figures::Expression;

use crate::document::{Ask, Factor, Scale, Study, Within};

/// Least seeds of a point from which it can be decided how many more it takes.
const LEAST_PILOT: u32 = 4;

/// Diagnostics as they are found.
#[derive(Default)]
pub(crate) struct Found(pub(crate) Vec<Diagnostic>);

impl Found {
    pub(crate) fn push(&mut self, path: impl Into<String>, reason: impl Into<String>, hint: impl Into<String>) {
        self.0.push(Diagnostic::new(path, reason, hint));
    }
}

impl Study {
    /// Everything that is wrong with it, its form being right.
    pub(crate) fn check(&self) -> Vec<Diagnostic> {
        let mut found = Found::default();
        let mut titles = BTreeSet::new();
        for (index, measure) in self.measures.iter().enumerate() {
            if !titles.insert(&measure.title) {
                let reason = format!("is {}, as another one is", quoted(&measure.title));
                found.push(format!("measures[{index}].title"), reason, "Say what tells the two apart.");
            }
            // The name of a class stands in its place.
            if let Err(reason) = Expression::parse(&measure.value.replace("{class}", "class")) {
                found.push(format!("measures[{index}].value"), reason, "See docs/studies.md.");
            }
        }
        for (index, factor) in self.vary.iter().enumerate() {
            if factor.title.as_ref().is_some_and(|title| !titles.insert(title)) {
                let reason = "is that of a measure, or of something else that varies";
                found.push(format!("vary[{index}].title"), reason, "Say what tells the two apart.");
            }
            check_factor(factor, &format!("vary[{index}]"), &mut found);
        }
        let last = u64::from(self.seeds.first.unwrap_or(0)) + u64::from(self.seeds.count);
        if last > u64::from(u32::MAX) {
            found.push("seeds.first", "leaves no room for the seeds after it", "Begin lower.");
        }
        self.check_ask(&mut found);
        found.0
    }

    fn check_ask(&self, found: &mut Found) {
        match &self.ask {
            Ask::Sweep { within, bends } => {
                if self.vary.is_empty() || self.vary.len() > 3 {
                    let reason = format!("has {} entries; a sweep varies one, two or three things", self.vary.len());
                    found.push("vary", reason, "Leave out what is not asked, or ask for a sensitivity.");
                }
                if *bends > 0 && !matches!(self.vary.as_slice(), [Factor { range: Some(_), .. }]) {
                    let reason = "asks for points where a curve bends, which takes a single factor with a range";
                    found.push("ask.bends", reason, "Leave it out, or vary one thing over a range.");
                }
                within.iter().for_each(|within| self.check_within(within, found));
            }
            Ask::Sensitivity { .. } => {}
            Ask::Search { targets, .. } => {
                if self.vary.is_empty() {
                    found.push(
                        "vary",
                        "is empty: nothing may be set",
                        "Say which fields are free, and over which range.",
                    );
                }
                for (index, target) in targets.iter().enumerate() {
                    match (target.at_least, target.at_most) {
                        (None, None) => {
                            found.push(
                                format!("ask.targets[{index}]"),
                                "has no bound",
                                "Say at most or at least how much.",
                            );
                        }
                        (Some(least), Some(most)) if least > most => {
                            let reason = format!("asks for at least {least} and at most {most}");
                            found.push(format!("ask.targets[{index}]"), reason, "Swap the two.");
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    fn check_within(&self, within: &Within, found: &mut Found) {
        match (within.percent, within.absolute) {
            (Some(width), None) | (None, Some(width)) if width > 0.0 => {}
            (None, None) => found.push("ask.within", "does not say how wide", "Give `percent` or `absolute`."),
            (Some(_), Some(_)) => {
                found.push("ask.within", "gives both `percent` and `absolute`", "Keep one of the two.")
            }
            _ => found.push("ask.within", "asks for no width at all", "Give a number above 0."),
        }
        if self.seeds.count < LEAST_PILOT {
            let reason = format!("is {}, too few to tell from them how many more are needed", self.seeds.count);
            found.push("seeds.count", reason, format!("Give {LEAST_PILOT} or more, 8 as a rule."));
        }
        if within.max_seeds < self.seeds.count {
            let reason = format!("is {}, fewer than the {} that every point has", within.max_seeds, self.seeds.count);
            found.push("ask.within.maxSeeds", reason, "Raise it.");
        }
        let titles = || self.measures.iter().map(|measure| measure.title.as_str());
        for (index, name) in
            within.measures.iter().enumerate().filter(|(_, name)| !titles().any(|title| title == *name))
        {
            found.push(format!("ask.within.measures[{index}]"), no_measure(name), hint_of(name, titles()));
        }
    }
}

/// Says that a name is that of no measure.
pub(crate) fn no_measure(name: &str) -> String {
    format!("is {}, which is no measure", quoted(name))
}

/// What to do about a name that is not among those that there are.
pub(crate) fn hint_of<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match closest(name, known.clone()) {
        Some(meant) => format!("Did you mean {}?", quoted(meant)),
        None => format!("There is {}.", listed(known)),
    }
}

/// A factor says what varies in exactly one way, and which values it takes in exactly one.
fn check_factor(factor: &Factor, place: &str, found: &mut Found) {
    let ways = [factor.path.is_some(), !factor.moves.is_empty(), !factor.alternatives.is_empty()];
    let count = |ways: &[bool]| ways.iter().filter(|is_given| **is_given).count();
    if count(&ways) != 1 {
        let reason = format!("gives {} of `path`, `moves` and `alternatives`", count(&ways));
        return found.push(place, reason, "Give exactly one of them.");
    }
    let values = [!factor.values.is_empty(), factor.range.is_some()];
    match (factor.alternatives.is_empty(), count(&values)) {
        (true, 1) | (false, 0) => {}
        (true, 0) => {
            let reason = "has no values: `values` is empty or missing, and there is no `range`";
            found.push(place, reason, "Give at least one value, or a range.");
        }
        (true, _) => found.push(place, "gives both `values` and `range`", "Give exactly one of them."),
        (false, _) => found.push(place, "gives values beside its alternatives", "Leave them out."),
    }
    let mut titles = BTreeSet::new();
    for (index, alternative) in factor.alternatives.iter().enumerate() {
        if !titles.insert(&alternative.title) {
            let reason = format!("is {}, as another one is", quoted(&alternative.title));
            found.push(format!("{place}.alternatives[{index}].title"), reason, "Say what tells the two apart.");
        }
    }
    for (index, moved) in factor.moves.iter().enumerate() {
        if !(moved.times.is_finite() && moved.power.is_finite()) || moved.times == 0.0 {
            found.push(format!("{place}.moves[{index}]"), "does not follow the value", "Give `times` other than 0.");
        }
    }
    let Some(range) = &factor.range else { return };
    if range.from >= range.to {
        let reason = format!("is empty: it goes from {} to {}", range.from, range.to);
        found.push(format!("{place}.range"), reason, "Give the lower end first, and the higher one after it.");
    }
    if range.scale == Scale::Log && range.from <= 0.0 {
        let reason = format!("is {}, which no logarithmic scale has", range.from);
        found.push(format!("{place}.range.from"), reason, "Begin above 0, or take `even`.");
    }
}
