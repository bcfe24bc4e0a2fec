//! A number with bounds.

use super::document::Statement;
use super::text::{shown, with_unit};
use crate::expression::{Expression, Scope};
use qoscope_engine::text::exact;

impl Statement {
    /// Its number.
    ///
    /// # Errors
    /// Why there is none, as a sentence without a full stop.
    pub(super) fn number(&self, scope: &Scope) -> Result<f64, String> {
        Expression::parse(&self.value)?.number(scope)
    }

    /// Whether it holds of a number.
    pub(super) fn holds(&self, number: f64) -> bool {
        self.min.is_none_or(|min| number >= min) && self.max.is_none_or(|max| number <= max)
    }

    /// A number as it shows numbers.
    pub(super) fn shown(&self, number: f64) -> String {
        with_unit(&shown(number, self.decimals), self.unit.as_deref())
    }

    /// Where the number is to lie, in words.
    pub(super) fn wanted(&self) -> String {
        // Bounds are written as they are, and not as measured numbers are.
        let with_unit = |text: String| with_unit(&text, self.unit.as_deref());
        match (self.min, self.max) {
            (Some(min), Some(max)) if min == max => with_unit(exact(min)),
            (Some(min), Some(max)) => with_unit(format!("{} to {}", exact(min), exact(max))),
            (Some(min), None) => format!("at least {}", with_unit(exact(min))),
            (None, Some(max)) => format!("at most {}", with_unit(exact(max))),
            (None, None) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_holds_between_its_bounds() {
        let of = |min, max| Statement {
            says: None,
            value: "1".into(),
            min,
            max,
            unit: Some("Gb/s".into()),
            decimals: Some(1),
        };
        for (statement, holds, wanted) in [
            (of(Some(0.5), None), [false, true, true, true], "at least 0.5\u{202f}Gb/s"),
            (of(None, Some(12_000.0)), [true, true, true, false], "at most 12\u{202f}000\u{202f}Gb/s"),
            (of(Some(2.0), Some(2.0)), [false, false, true, false], "2\u{202f}Gb/s"),
            (of(Some(0.5), Some(2.0)), [false, true, true, false], "0.5 to 2\u{202f}Gb/s"),
        ] {
            assert_eq!([0.4, 0.5, 2.0, 12_000.1].map(|number| statement.holds(number)), holds, "{wanted}");
            assert_eq!(statement.wanted(), wanted);
        }
        assert_eq!(of(None, None).shown(-3.25), "−3.3\u{202f}Gb/s");
    }
}
