//! A study laid on its scenario: what varies, what is measured and what is asked, with everything checked that can be before anything runs.

use std::collections::BTreeSet;

use qoscope_engine::catalogue::NoEffect;
use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::scenario::{self, Diagnostic};
use serde_json::Value;

use crate::base::{Base, Changes};
use crate::check::{Found, hint_of, no_measure};
use crate::document::{Ask, Factor, Study};
use crate::factor::Varied;
use crate::limits::{self, bends};
use crate::measure::{Gauge, SETTINGS, scope};
use crate::plan::Axis;
use crate::suggest;
use crate::template;

/// Other settings under which a factor or a measure is looked at that has no effect or no value in the scenario as it is.
const MOST_LOOKED_AT: usize = 64;
/// Points that may be told apart between two of a range: three halvings.
const BETWEEN: u32 = 7;

/// A study laid on its scenario.
pub(crate) struct Question {
    pub(crate) base: Base,
    pub(crate) varied: Vec<Varied>,
    pub(crate) gauges: Vec<Gauge>,
    /// The seed that is counted as 0.
    pub(crate) first_seed: u32,
}

impl Question {
    /// Lays a study on the document of its scenario.
    ///
    /// # Errors
    /// Everything that is wrong with it there, at once.
    pub(crate) fn new(study: &Study, document: &Value) -> Result<Self, Vec<Diagnostic>> {
        let base = Base::new(study, document)?;
        let mut found = Found::default();
        let factors = match &study.ask {
            Ask::Sensitivity { .. } if study.vary.is_empty() => suggest::all_that_matter(&base),
            Ask::Sensitivity { levels, .. } => study.vary.iter().map(|factor| cut(factor, *levels)).collect(),
            _ => study.vary.clone(),
        };
        let between = if bends(&study.ask) > 0 { BETWEEN } else { 0 };
        let mut varied = Vec::new();
        for (index, factor) in factors.iter().enumerate() {
            match Varied::new(factor, &format!("vary[{index}]"), &base, between) {
                Ok(of) => varied.push(of),
                Err(diagnostics) => found.0.extend(diagnostics),
            }
        }
        if varied.is_empty() && found.0.is_empty() {
            found.push("vary", "is empty, and nothing of this scenario can vary", "Say what varies.");
        }
        let is_laid = varied.len() == factors.len();
        if is_laid {
            tell_apart(&mut varied);
            check_fields(&varied, &mut found);
            check_effects(&base, &varied, &mut found);
        }
        let contexts = || contexts(&varied, None);
        let gauges = gauges(study, &base, contexts, &mut found);
        check_names(study, &gauges, is_laid.then_some(varied.as_slice()), &mut found);
        if is_laid {
            limits::check(study, &base, &varied, &mut found);
        }
        if !found.0.is_empty() {
            return Err(found.0);
        }
        let first_seed = study.seeds.first.unwrap_or_else(|| u32::try_from(base.scenario.seed).unwrap_or(1));
        Ok(Self { base, varied, gauges, first_seed })
    }

    /// What a point changes.
    pub(crate) fn changes(&self, place: &[u32]) -> Changes {
        place.iter().zip(&self.varied).flat_map(|(value, varied)| varied.changes(*value)).collect()
    }

    /// What planners see of what varies.
    pub(crate) fn axes(&self) -> Vec<Axis> {
        self.varied.iter().map(|varied| varied.axis.clone()).collect()
    }

    /// The measures of a title, or those of every class that it has in the study.
    pub(crate) fn measures_called(&self, title: &str) -> Vec<usize> {
        let is_called = |gauge: &Gauge| gauge.view.title == title || gauge.view.group == title;
        self.gauges.iter().enumerate().filter(|(_, gauge)| is_called(gauge)).map(|(place, _)| place).collect()
    }

    /// The number of values of each factor.
    pub(crate) fn counts(&self) -> Vec<u32> {
        self.varied.iter().map(|varied| index_u32(varied.values.len())).collect()
    }
}

/// A factor with so many levels: words keep all of theirs.
fn cut(factor: &Factor, levels: u32) -> Factor {
    let mut cut = factor.clone();
    if let Some(range) = &mut cut.range {
        range.count = levels;
    }
    let (count, levels) = (factor.values.len(), levels as usize);
    if count > levels && factor.values.iter().all(Value::is_number) {
        cut.values = (0..levels).map(|level| factor.values[level * (count - 1) / (levels - 1)].clone()).collect();
    }
    cut
}

/// Gives factors of the same title their paths beside it.
fn tell_apart(varied: &mut [Varied]) {
    let titles: Vec<String> = varied.iter().map(|of| of.view.title.clone()).collect();
    for of in varied {
        if titles.iter().filter(|title| **title == of.view.title).count() > 1
            && let Some(path) = of.view.paths.first()
        {
            of.view.title = format!("{} ({path})", of.view.title);
        }
    }
}

/// No two factors change the same field.
fn check_fields(varied: &[Varied], found: &mut Found) {
    let holds = |one: &str, other: &str| {
        other.strip_prefix(one).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    for (index, of) in varied.iter().enumerate() {
        let earlier =
            varied[..index].iter().flat_map(|other| other.view.paths.iter().map(move |path| (path, &other.view.title)));
        let mut clashes = earlier.filter_map(|(path, title)| {
            let own = of.view.paths.iter().find(|own| holds(own, path) || holds(path, own))?;
            Some((own, title))
        });
        if let Some((path, title)) = clashes.next() {
            let reason = format!("changes `{path}`, which {} changes as well", scenario::quoted(title));
            found.push(format!("vary[{index}]"), reason, "Leave one of the two out, or move both as one.");
        }
    }
}

/// What the values of factors that are words or alternatives change, one at a time, of all factors but one.
fn contexts<'a>(varied: &'a [Varied], but: Option<usize>) -> impl Iterator<Item = Changes> + 'a {
    let others = varied.iter().enumerate().filter(move |(index, _)| Some(*index) != but);
    let places = others.flat_map(|(_, of)| {
        let last = index_u32(of.values.len() - 1);
        // Of numbers the ends: 0 often switches something off.
        let places = if of.view.is_words { (0..=last).collect() } else { vec![0, last] };
        places.into_iter().map(move |place| of.changes(place))
    });
    places.take(MOST_LOOKED_AT)
}

/// Everything that varies has an effect, in the scenario as it is or with a value of something else that varies.
fn check_effects(base: &Base, varied: &[Varied], found: &mut Found) {
    for (index, of) in varied.iter().enumerate().filter(|(_, of)| of.follows_fields()) {
        let idle = |base: &Base| {
            let fields =
                of.view.paths.iter().map(|path| base.explained_field(path).and_then(|field| field.no_effect.as_ref()));
            fields.collect::<Option<Vec<&NoEffect>>>().and_then(|reasons| reasons.first().copied().cloned())
        };
        let Some(NoEffect { reason, remedy, .. }) = idle(base) else { continue };
        let mut others = contexts(varied, Some(index)).filter_map(|changes| base.with(&changes));
        if others.any(|other| idle(&other).is_none()) {
            continue;
        }
        let hint = match remedy {
            Some(remedy) => format!("{}: `{}` = {}. Or vary something else.", remedy.label, remedy.path, remedy.value),
            None => "Vary something else.".into(),
        };
        found.push(format!("vary[{index}]"), format!("has no effect here: {reason}"), hint);
    }
}

/// The measures of a study on its scenario. One that leads nowhere there may lead somewhere with a value of what varies.
fn gauges<I: Iterator<Item = Changes>>(
    study: &Study,
    base: &Base,
    contexts: impl Fn() -> I,
    found: &mut Found,
) -> Vec<Gauge> {
    let classes: Vec<&str> = base.scenario.classes.iter().map(|class| class.name.as_str()).collect();
    let gauges = match Gauge::all(&study.measures, &classes) {
        Ok(gauges) => gauges,
        Err(diagnostics) => {
            found.0.extend(diagnostics);
            return Vec::new();
        }
    };
    let own = template::of(&base.scenario);
    let mut refused = BTreeSet::new();
    for (index, gauge) in &gauges {
        let Err(reason) = leads(gauge, base, &own) else { continue };
        let mut others = contexts().filter_map(|changes| base.with(&changes));
        let elsewhere = others.any(|other| leads(gauge, &other, &template::of(&other.scenario)).is_ok());
        if !elsewhere && refused.insert(*index) {
            found.push(format!("measures[{index}].value"), reason, "See docs/studies.md.");
        }
    }
    let mut titles = BTreeSet::new();
    for (index, gauge) in &gauges {
        if !titles.insert(&gauge.view.title) {
            let reason = format!("makes a second measure called {}", scenario::quoted(&gauge.view.title));
            found.push(format!("measures[{index}].title"), reason, "Say what tells the two apart.");
        }
    }
    gauges.into_iter().map(|(_, gauge)| gauge).collect()
}

/// Whether a measure leads to a number in the summary of a scenario. That it divides by what is 0 before the run says nothing.
fn leads(gauge: &Gauge, base: &Base, summary: &Result<Value, Vec<Diagnostic>>) -> Result<(), String> {
    let summary = summary.as_ref().map_err(|refused| qoscope_figures::sentences(refused))?;
    let mut scope = scope(summary);
    scope.insert(SETTINGS, &base.whole);
    gauge.expression.number(&scope).map(|_number| ())
}

/// What is asked names measures and factors that there are.
fn check_names(study: &Study, gauges: &[Gauge], varied: Option<&[Varied]>, found: &mut Found) {
    let Ask::Search { targets, prefer, .. } = &study.ask else { return };
    let titles = || gauges.iter().map(|gauge| gauge.view.title.as_str());
    let of_classes = |name: &str| gauges.iter().find(|gauge| gauge.view.group == name && gauge.view.class.is_some());
    let said = |name: &str| match of_classes(name) {
        Some(gauge) => (
            format!("is {}, which is one of every class", scenario::quoted(name)),
            format!("Say of which, as in {}.", scenario::quoted(&gauge.view.title)),
        ),
        None => (no_measure(name), hint_of(name, titles())),
    };
    for (index, target) in
        targets.iter().enumerate().filter(|(_, target)| !titles().any(|title| title == target.measure))
    {
        let (reason, hint) = said(&target.measure);
        found.push(format!("ask.targets[{index}].measure"), reason, hint);
    }
    let Some(varied) = varied else { return };
    for (index, preference) in prefer.iter().enumerate() {
        let name = preference.of.as_str();
        match (titles().any(|title| title == name), factor_named(study, varied, name)) {
            (false, None) => {
                let (reason, hint) = said(name);
                let reason = reason.replace("is no measure", "is no measure and nothing that varies");
                found.push(format!("ask.prefer[{index}].of"), reason, hint);
            }
            (false, Some(factor)) if varied[factor].view.is_words => {
                let reason = format!("is {}, whose values have no order", scenario::quoted(name));
                found.push(format!("ask.prefer[{index}].of"), reason, "Name a measure, or something with numbers.");
            }
            _ => {}
        }
    }
}

/// The factor that a name stands for: its title or its path.
pub(crate) fn factor_named(study: &Study, varied: &[Varied], name: &str) -> Option<usize> {
    let by_title = varied.iter().position(|of| of.view.title == name);
    by_title.or_else(|| study.vary.iter().position(|factor| factor.path.as_deref() == Some(name)))
}
