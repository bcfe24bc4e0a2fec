//! Texts of a lesson, and the numbers in them.
//!
//! A number stands as `{expression}`, or `{expression : decimals}`, and is read from the results; without decimals it has
//! three significant digits. A digit outside of braces is refused, unless it belongs to a name: it is a number that nothing
//! would hold. A number that the author stands for is an expression, too: `{95}`.

use qoscope_engine::scenario::shortened;
use qoscope_engine::text;

use crate::expression::{Expression, Scope};

/// What stands for a number while its result is not there.
pub const NOT_YET: &str = "…";
/// What stands for a number that has no value.
pub const NO_VALUE: &str = "–";

/// Words after which a number is a name: `Paper 1`, `lesson 2`, `RFC 3168`.
const NAMED: [&str; 20] = [
    "paper", "papers", "lesson", "lessons", "section", "fig", "figure", "figures", "step", "steps", "table", "chapter",
    "equation", "eq", "lemma", "theorem", "rfc", "ieee", "nvme", "pcie",
];

/// Endings of a number that tells a place in an order: `99th`.
const ORDINAL: [&str; 4] = ["st", "nd", "rd", "th"];

/// Signs that end a word: `K=10` has a number.
const APART: &str = "=<>≤≥≈~()[]×+,;";

/// A number in a text.
#[derive(Clone, Debug)]
pub(super) struct Told<'a> {
    /// As it is written, without the decimals.
    pub source: &'a str,
    pub expression: Expression,
    pub decimals: Option<u32>,
}

#[derive(Clone, Debug)]
enum Piece<'a> {
    Words(&'a str),
    Number(Told<'a>),
}

/// What is wrong with a text, and what to do about it.
type Fault = (String, &'static str);

/// A text in its pieces.
#[derive(Clone, Debug)]
pub(super) struct Text<'a>(Vec<Piece<'a>>);

impl<'a> Text<'a> {
    /// Reads a text.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn parse(text: &'a str) -> Result<Self, Vec<Fault>> {
        let (text, faults) = Self::read(text);
        if faults.is_empty() { Ok(text) } else { Err(faults) }
    }

    /// Reads a text as far as that can be done, and says everything that is wrong with it.
    pub fn read(text: &'a str) -> (Self, Vec<Fault>) {
        let (mut pieces, mut faults) = (Vec::new(), Vec::new());
        let mut rest = text;
        while let Some((words, after)) = rest.split_once('{') {
            pieces.push(Piece::Words(words));
            let Some((inside, after)) = after.split_once('}') else {
                faults.push(("has a `{` that no `}` closes".into(), "Close it behind the expression."));
                rest = "";
                break;
            };
            match number(inside) {
                Ok(told) => pieces.push(Piece::Number(told)),
                Err(reason) => faults.push((
                    format!("has `{{{}}}`, which {reason}", shortened(inside)),
                    "See the expressions in docs/lessons.md.",
                )),
            }
            rest = after;
        }
        if rest.contains('}') {
            faults.push(("has a `}` that closes nothing".into(), "Open it before the expression, or take it out."));
        }
        pieces.push(Piece::Words(rest));
        let text = Self(pieces);
        if let Some(bare) = text.bare_number() {
            let reason = format!("has the number `{}`, which nothing holds", shortened(bare));
            faults.push((reason, "Write it as an expression in braces, as in {run.network.drops} or {95}."));
        }
        (text, faults)
    }

    /// The first number that is no expression.
    fn bare_number(&self) -> Option<&'a str> {
        // What stands right before a piece may be a name that goes on in it.
        let mut before = "";
        for piece in &self.0 {
            let Piece::Words(words) = piece else { continue };
            for word in words.split(|letter: char| letter.is_whitespace() || APART.contains(letter)) {
                let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
                if is_number(word) && !is_named_by(before) {
                    return Some(word);
                }
                // "figures 3 and 4", "sections 2, 3"
                if !is_number(word) && !matches!(word, "" | "and" | "or" | "to") {
                    before = word;
                }
            }
        }
        None
    }

    /// The numbers in it.
    pub fn numbers(&self) -> impl Iterator<Item = &Told<'a>> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Words(_) => None,
            Piece::Number(told) => Some(told),
        })
    }

    /// The text with the numbers that no result is needed for; others as they are written.
    pub fn readable(&self) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => (*words).to_owned(),
            Piece::Number(told) if told.expression.names().is_empty() => {
                shown_in(&Scope::new(), &told.expression, told.decimals)
            }
            Piece::Number(told) => format!("{{{}}}", told.source),
        };
        self.0.iter().map(piece).collect()
    }

    /// The text with its numbers.
    pub fn filled(&self, scope: &Scope) -> String {
        let piece = |piece: &Piece| match piece {
            Piece::Words(words) => (*words).to_owned(),
            Piece::Number(Told { expression, decimals, .. }) => shown_in(scope, expression, *decimals),
        };
        self.0.iter().map(piece).collect()
    }
}

fn is_named_by(word: &str) -> bool {
    NAMED.contains(&word.trim_end_matches('.').to_lowercase().as_str())
}

/// Whether a word is a number and no name: it begins with a digit, and is no place in an order.
fn is_number(word: &str) -> bool {
    let end = word.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    word.starts_with(|letter: char| letter.is_ascii_digit()) && !ORDINAL.contains(&end)
}

/// The inside of a pair of braces.
fn number(inside: &str) -> Result<Told<'_>, String> {
    // A colon in the name of a class, `['a: b']`, is not followed by a number alone.
    let split = inside.rsplit_once(':').and_then(|(source, decimals)| Some((source, decimals.trim().parse().ok()?)));
    let (source, decimals) = split.map_or((inside, None), |(source, decimals)| (source, Some(decimals)));
    if decimals.is_some_and(|decimals: u32| decimals > 6) {
        return Err("asks for more than six decimals".into());
    }
    let source = source.trim();
    Ok(Told { source, expression: Expression::parse(source)?, decimals })
}

/// The number of an expression as it is shown, or what stands for it.
pub(super) fn shown_in(scope: &Scope, expression: &Expression, decimals: Option<u32>) -> String {
    if !expression.names().iter().all(|name| scope.contains_key(name)) {
        return NOT_YET.into();
    }
    match expression.number(scope) {
        Ok(number) if number.is_finite() => shown(number, decimals),
        _ => NO_VALUE.into(),
    }
}

/// A number as the screen shows it: with `decimals`, or with three significant digits.
pub fn shown(number: f64, decimals: Option<u32>) -> String {
    decimals.map_or_else(|| text::measured(number), |decimals| text::fixed(number, decimals as usize))
}

/// A number with its unit.
pub(super) fn with_unit(text: &str, unit: Option<&str>) -> String {
    text::with_unit(text, unit.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_have_three_significant_digits() {
        for (number, text) in [
            (0.0, "0"),
            (40.0, "40"),
            (48.2167, "48.2"),
            (9.996, "10.0"),
            (9.9, "9.90"),
            (412.4, "412"),
            (1234.5, "1235"),
            (12_345.6, "12\u{202f}346"),
            (1_234_567.0, "1\u{202f}234\u{202f}567"),
            (0.001_234, "0.00123"),
            (-2.5, "−2.50"),
            (-1e-12, "0"),
            (0.999_9, "1.00"),
        ] {
            assert_eq!(shown(number, None), text, "{number}");
        }
        assert_eq!(shown(48.2167, Some(0)), "48");
        assert_eq!(shown(-0.004, Some(2)), "0.00");
        assert_eq!(shown(23_456.789, Some(1)), "23\u{202f}456.8");
    }

    #[test]
    fn a_text_is_filled_with_what_there_is() {
        let run = json!({ "classes": [{ "name": "a: 1", "p99": 412.37 }], "drops": null });
        let scope = Scope::from([("qtcp", &run)]);
        for (text, filled) in [
            ("no number", "no number"),
            ("p99 is {qtcp.classes['a: 1'].p99} us", "p99 is 412 us"),
            ("{ qtcp.classes[0].p99 : 1 } us", "412.4 us"),
            ("twice {2 * qtcp.classes[0].p99:0}, of {95}", "twice 825, of 95"),
            ("{dctcp.drops} and {qtcp.drops}", "… and –"),
        ] {
            assert_eq!(Text::parse(text).unwrap().filled(&scope), filled);
        }
    }

    #[test]
    fn what_needs_no_result_is_readable_without_one() {
        let text = Text::parse("more than {90 + 5 : 1} of {run.settings.topology.linkGbps : 0} Gb/s").unwrap();
        assert_eq!(text.readable(), "more than 95.0 of {run.settings.topology.linkGbps} Gb/s");
    }

    #[test]
    fn a_bare_number_is_refused_and_a_name_is_none() {
        for (text, bare) in [
            ("The queue holds 10 packets.", "10"),
            ("(10us)", "10us"),
            ("K=10", "10"),
            ("a ratio of 3:2:1", "3:2:1"),
            ("-4", "4"),
            ("1.5 times {2}", "1.5"),
            ("10-15 minutes", "10-15"),
            ("p99 of 3", "3"),
        ] {
            let (reason, _) = Text::parse(text).unwrap_err().remove(0);
            assert_eq!(reason, format!("has the number `{}`, which nothing holds", shortened(bare)), "{text}");
        }
        for text in [
            "M/D/1 and p99, the 99th and 99.9th percentile of D2TCP on h0",
            "Paper 1, section 3.2, and fig. 12a",
            "RFC 3168; lessons 2 and 3",
            "p99.9",
            "{95} Gb/s",
        ] {
            assert!(Text::parse(text).is_ok(), "{text}: {:?}", Text::parse(text).err());
        }
    }

    #[test]
    fn every_fault_of_a_text_is_told() {
        let faults = Text::parse("{a +} is 3, {b : 9} {c").unwrap_err();
        let reasons: Vec<_> = faults.iter().map(|(reason, _)| reason.as_str()).collect();
        assert_eq!(
            reasons,
            [
                "has `{a +}`, which ends where a number, a path or a function is expected",
                "has `{b : 9}`, which asks for more than six decimals",
                "has a `{` that no `}` closes",
                "has the number `3`, which nothing holds",
            ]
        );
        assert_eq!(Text::parse("a } b").unwrap_err()[0].0, "has a `}` that closes nothing");
    }

    #[test]
    fn units_agree_with_their_number() {
        for (text, unit, shown) in [
            ("1", "packets", "1\u{202f}packet"),
            ("2", "packets", "2\u{202f}packets"),
            ("1", "packet times", "1\u{202f}packet time"),
            ("1", "µs", "1\u{202f}µs"),
            ("1.0", "packets", "1.0\u{202f}packets"),
            ("130\u{202f}000", "1/s", "130\u{202f}000/s"),
        ] {
            assert_eq!(with_unit(text, Some(unit)), shown);
        }
    }
}
