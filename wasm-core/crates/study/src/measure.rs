//! What is measured, written out for the classes of a scenario.

use qoscope_campaign::keeps_flows;
use qoscope_engine::scenario::Diagnostic;
use qoscope_figures::{Expression, Scope};
use serde_json::Value;

use crate::document::Measure;
use crate::table::MeasureView;

/// What stands for the name of each class in a measure.
const CLASS: &str = "{class}";
/// What the scenario in force is called in expressions.
pub(crate) const SETTINGS: &str = "settings";

/// A measure, or one class of it.
pub(crate) struct Gauge {
    pub(crate) view: MeasureView,
    pub(crate) expression: Expression,
}

impl Gauge {
    /// All measures of a study for some classes, in order.
    ///
    /// # Errors
    /// Which expressions cannot be read.
    pub(crate) fn all(measures: &[Measure], classes: &[&str]) -> Result<Vec<(usize, Self)>, Vec<Diagnostic>> {
        let (mut gauges, mut diagnostics) = (Vec::new(), Vec::new());
        for (index, measure) in measures.iter().enumerate() {
            for (value, class) in written_out(&measure.value, classes) {
                match Expression::parse(&value) {
                    Ok(expression) => {
                        let title = match class {
                            Some(class) => format!("{}, {class}", measure.title),
                            None => measure.title.clone(),
                        };
                        let class = class.map(str::to_owned);
                        let view =
                            MeasureView { title, group: measure.title.clone(), class, unit: measure.unit.clone() };
                        gauges.push((index, Self { view, expression }));
                    }
                    Err(reason) => {
                        diagnostics.push(Diagnostic::new(
                            format!("measures[{index}].value"),
                            reason,
                            "See docs/studies.md.",
                        ));
                        break;
                    }
                }
            }
        }
        if diagnostics.is_empty() { Ok(gauges) } else { Err(diagnostics) }
    }

    /// Its number in a scope, which is a number indeed.
    ///
    /// # Errors
    /// Why there is none, as a sentence without a full stop.
    pub(crate) fn read(&self, scope: &Scope) -> Result<f64, String> {
        match self.expression.number(scope)? {
            number if number.is_finite() => Ok(number),
            _ => Err("has no value here: it divides by 0".into()),
        }
    }
}

/// A measure for each class, or once where it names none.
fn written_out<'a>(value: &str, classes: &[&'a str]) -> Vec<(String, Option<&'a str>)> {
    if !value.contains(CLASS) {
        return vec![(value.to_owned(), None)];
    }
    let of = |(index, class): (usize, &&'a str)| {
        // A name with a quote in it cannot stand between quotes; its position can.
        let selector = if class.contains('\'') { index.to_string() } else { format!("'{class}'") };
        (value.replace(&format!("'{CLASS}'"), &selector).replace(CLASS, class), Some(*class))
    };
    classes.iter().enumerate().map(of).collect()
}

/// What expressions read of a summary: its fields by name, as far as they are kept of any run.
pub(crate) fn scope(summary: &Value) -> Scope<'_> {
    let keeps_flows = keeps_flows(summary);
    let fields = summary.as_object().into_iter().flatten();
    fields
        .filter(|(name, _)| name.as_str() != "flows" || keeps_flows)
        .map(|(name, value)| (name.as_str(), value))
        .collect()
}
