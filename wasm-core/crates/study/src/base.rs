//! The scenario of a study, and what there is to know of it before anything runs.

use qoscope_engine::catalogue::{Explanation, FieldExplanation, explain};
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_engine::simulation;
use serde_json::Value;

use crate::document::Study;

/// Hosts of a network that is laid out to see whether a value can be suggested: that takes no time yet.
const MOST_LAID_OUT: u32 = 128;

/// Fields of a scenario and the values that they get, by path.
pub(crate) type Changes = Vec<(String, Value)>;

/// The scenario of a study with what it sets.
pub(crate) struct Base {
    /// The document as it is written.
    written: Value,
    /// The same with every default filled in.
    pub(crate) whole: Value,
    pub(crate) scenario: Scenario,
    pub(crate) explanation: Explanation,
    /// How often the engine was asked whether it takes changes.
    #[cfg(test)]
    pub(crate) asked: core::cell::Cell<u32>,
}

impl Base {
    /// Of a study and the document that it is about.
    ///
    /// # Errors
    /// What is wrong with the document, or with what the study sets in it.
    pub(crate) fn new(study: &Study, document: &Value) -> Result<Self, Vec<Diagnostic>> {
        let base = Self::of(document).map_err(|found| below("scenario", found))?;
        if study.set.is_empty() {
            return Ok(base);
        }
        let (mut changes, mut diagnostics) = (Changes::new(), Vec::new());
        for (path, value) in &study.set {
            match base.expanded(path) {
                Ok(paths) => changes.extend(paths.into_iter().map(|path| (path, value.clone()))),
                Err((reason, hint)) => diagnostics.push(Diagnostic::new(format!("set.{path}"), reason, hint)),
            }
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        Self::explained(base.changed(&changes)).map_err(|found| below("set", found))
    }

    /// Of a document by itself.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn of(document: &Value) -> Result<Self, Vec<Diagnostic>> {
        let written = scenario::migrated(&document.to_string())?;
        Self::explained(scenario::parse(&written).map_err(|diagnostic| vec![diagnostic])?)
    }

    /// It with some fields changed; none where that is refused.
    pub(crate) fn with(&self, changes: &[(String, Value)]) -> Option<Self> {
        Self::explained(self.changed(changes)).ok()
    }

    /// Whether the engine takes it with some fields changed. A large network is not laid out for it.
    pub(crate) fn accepts(&self, changes: &[(String, Value)]) -> bool {
        #[cfg(test)]
        self.asked.set(self.asked.get() + 1);
        let scenario = scenario::from_value(self.changed(changes));
        let is_small = self.explanation.network.hosts <= MOST_LAID_OUT;
        scenario.is_ok_and(|scenario| !is_small || simulation::check(&scenario).is_ok())
    }

    fn explained(written: Value) -> Result<Self, Vec<Diagnostic>> {
        let scenario = scenario::from_value(written.clone())?;
        let explanation = explain(&scenario)?;
        Ok(Self {
            written,
            whole: scenario::as_value(&scenario),
            scenario,
            explanation,
            #[cfg(test)]
            asked: Default::default(),
        })
    }

    /// The document with some fields changed.
    pub(crate) fn changed(&self, changes: &[(String, Value)]) -> Value {
        let put = |document: &Value| {
            let mut document = document.clone();
            let done =
                changes.iter().try_for_each(|(path, value)| scenario::set_path(&mut document, path, value.clone()));
            done.map(|()| document)
        };
        // A list that the document leaves out has elements all the same where that is its default.
        put(&self.written).or_else(|_| put(&self.whole)).unwrap_or_else(|_| self.written.clone())
    }

    /// The fields that a path with `[]` in it stands for, each with a path of its own.
    ///
    /// # Errors
    /// Why it stands for none, as the reason and the hint of a diagnostic.
    pub(crate) fn expanded(&self, path: &str) -> Result<Vec<String>, (String, String)> {
        let mut paths = vec![path.to_owned()];
        while paths.iter().any(|path| path.contains("[]")) {
            let mut each = Vec::new();
            for path in paths {
                let Some((list, rest)) = path.split_once("[]") else { continue };
                let count = scenario::get_path(&self.whole, list).and_then(Value::as_array).map_or(0, Vec::len);
                each.extend((0..count).map(|index| format!("{list}[{index}]{rest}")));
            }
            paths = each;
        }
        let paths: Vec<String> =
            paths.into_iter().filter(|path| scenario::fields::at(&self.whole, path).is_some()).collect();
        if paths.is_empty() { Err(unknown(path)) } else { Ok(paths) }
    }

    /// What is in force of a field.
    pub(crate) fn explained_field(&self, path: &str) -> Option<&FieldExplanation> {
        self.explanation.fields.iter().find(|field| field.path == path)
    }

    /// The value of a field that is in force: what the document says, or what follows where it says nothing. Null where there is no single one.
    pub(crate) fn in_force(&self, path: &str) -> Value {
        match self.explained_field(path) {
            Some(field) if field.varies => Value::Null,
            Some(field) => field.value.clone(),
            None => scenario::get_path(&self.whole, path).cloned().unwrap_or_default(),
        }
    }
}

/// Why a path leads to no field, and what to do.
fn unknown(path: &str) -> (String, String) {
    let pattern = scenario::fields::pattern(path);
    let fields = scenario::fields::document().all();
    let paths = || fields.iter().map(|field| field.path.as_str()).filter(|path| !path.is_empty());
    if paths().any(|known| known == pattern) {
        let hint = "Count from 0, and look at which kind of object stands there.";
        return (format!("is {}, which this scenario does not have", scenario::quoted(path)), hint.into());
    }
    if let Some(hint) = scenario::of_symbol(path) {
        return (format!("is {}, the symbol of a field, not its path", scenario::quoted(path)), hint);
    }
    let hint = match scenario::closest(&pattern, paths()).or_else(|| {
        let name = pattern.rsplit('.').next().unwrap_or_default();
        paths().find(|known| known.rsplit('.').next().is_some_and(|last| last.eq_ignore_ascii_case(name)))
    }) {
        Some(meant) => format!("Did you mean `{meant}`?"),
        None => "Give the path of a field as `qoscope explain` lists them.".into(),
    };
    (format!("is {}, which is no field of a scenario", scenario::quoted(path)), hint)
}

/// Diagnostics of a part of the study.
fn below(part: &str, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let path = |path: &str| if path.is_empty() { part.into() } else { format!("{part}.{path}") };
    found.into_iter().map(|diagnostic| Diagnostic { path: path(&diagnostic.path), ..diagnostic }).collect()
}
