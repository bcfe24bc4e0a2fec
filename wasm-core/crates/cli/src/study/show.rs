//! The table and the answer of a study as a person reads them.

use std::io::{self, Write};

use qoscope_study::{Answer, Cell, FactorView, Found, MeasureView, Ranking, Role, Table};
use serde_json::Value;

use crate::table::{grouped, number, table};

/// Characters of a line of a header.
const WIDTH: usize = 16;
/// Digits that a number without an interval has.
const DIGITS: usize = 4;

/// Prints the table of a study and what it answers.
pub fn print(found: &Table, answer: Option<&Answer>, out: &mut impl Write) -> io::Result<()> {
    match answer {
        None => print_points(found, (0..found.points.len()).map(|row| (row, Vec::new())), out),
        Some(Answer::Sweep { says }) => {
            print_points(found, (0..found.points.len()).map(|row| (row, Vec::new())), out)?;
            print_sentences(says, out)
        }
        Some(Answer::Sensitivity { rankings }) => print_rankings(found, rankings, out),
        Some(Answer::Search(search)) => print_search(found, search, out),
    }
}

fn print_sentences(says: &[String], out: &mut impl Write) -> io::Result<()> {
    if !says.is_empty() {
        writeln!(out)?;
    }
    says.iter().try_for_each(|sentence| writeln!(out, "{sentence}"))
}

/// Prints some points, each with what there is to say of it.
fn print_points(
    found: &Table,
    rows: impl Iterator<Item = (usize, Vec<String>)>,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut notes: Vec<String> = Vec::new();
    let mut note = |sentence: &str| {
        let known = notes.iter().position(|note| note == sentence);
        let at = known.unwrap_or_else(|| {
            notes.push(sentence.to_owned());
            notes.len() - 1
        });
        format!("[{}]", at + 1)
    };
    let mut cells: Vec<Vec<String>> = Vec::new();
    for (row, mut says) in rows {
        let point = &found.points[row];
        let mut line: Vec<String> =
            found.factors.iter().zip(&point.values).map(|(factor, of)| value(factor, of)).collect();
        line.push(if point.refused.is_some() { "-".into() } else { grouped(u64::from(point.seeds)) });
        for cell in &point.cells {
            let without = if cell.numbers.contains(&None) { cell.why.as_deref() } else { None };
            let mark = without.filter(|_| point.refused.is_none()).map(&mut note);
            line.push([Some(estimate(cell)), mark].into_iter().flatten().collect::<Vec<_>>().join(" "));
        }
        if found.factors.iter().zip(&point.values).all(|(factor, of)| factor.present == *of) {
            says.insert(0, "as it is".into());
        }
        if let Some(refused) = &point.refused {
            says.push(format!("refused {}", note(refused)));
        }
        line.push(says.join(", "));
        cells.push(line);
    }
    let mut header: Vec<Vec<String>> =
        found.factors.iter().map(|factor| heading(&name(factor), factor.unit.as_deref())).collect();
    header.push(vec!["seeds".into()]);
    header.extend(found.measures.iter().map(|measure| heading(&measure.title, measure.unit.as_deref())));
    header.push(vec![String::new()]);
    // Units stand in the same line.
    let height = header.iter().map(Vec::len).max().unwrap_or(0);
    let header: Vec<String> = header
        .into_iter()
        .map(|lines| {
            ["".to_owned()].into_iter().cycle().take(height - lines.len()).chain(lines).collect::<Vec<_>>().join("\n")
        })
        .collect();
    write!(out, "{}", table(header.iter().map(String::as_str), 0, cells))?;
    if !notes.is_empty() {
        writeln!(out)?;
    }
    notes.iter().zip(1..).try_for_each(|(sentence, number)| writeln!(out, "[{number}] {sentence}"))
}

/// The lines of a heading, its unit in the last.
fn heading(title: &str, unit: Option<&str>) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in title.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.extend(unit.map(str::to_owned));
    lines
}

/// What a factor is called where there is little room.
fn name(factor: &FactorView) -> String {
    factor.symbol.clone().unwrap_or_else(|| factor.title.clone())
}

/// A value of a factor.
fn value(factor: &FactorView, value: &Value) -> String {
    match value {
        Value::String(word) => factor.names.get(word).unwrap_or(word).clone(),
        Value::Null => "-".into(),
        other => factor.names.get(&other.to_string()).cloned().unwrap_or_else(|| other.to_string()),
    }
}

/// A mean with its interval to either side, as finely as that is wide.
fn estimate(cell: &Cell) -> String {
    let Some(mean) = cell.mean else { return "-".into() };
    match cell.low.zip(cell.high) {
        Some((low, high)) if high > low => {
            let half = (high - low) / 2.0;
            let decimals = decimals(half, 2);
            format!("{} ± {}", number(mean, decimals), number(half, decimals))
        }
        Some(_) => format!("{} ± 0", number(mean, decimals(mean, DIGITS))),
        None => number(mean, decimals(mean, DIGITS)),
    }
}

/// Decimals that show so many digits of a number.
fn decimals(value: f64, digits: usize) -> usize {
    const MOST: usize = 9;
    let (mut decimals, mut value) = (digits.saturating_sub(1), value.abs());
    if value == 0.0 || !value.is_finite() {
        return 0;
    }
    // What rounds up to a power of ten has its digits.
    let half_unit = (0..digits).fold(0.5, |unit, _| unit / 10.0);
    while value < 1.0 - half_unit && decimals < MOST {
        value *= 10.0;
        decimals += 1;
    }
    while value >= 10.0 * (1.0 - half_unit) && decimals > 0 {
        value /= 10.0;
        decimals -= 1;
    }
    decimals
}

/// A measure with its unit.
fn titled(measure: &MeasureView) -> String {
    match &measure.unit {
        Some(unit) => format!("{} ({unit})", measure.title),
        None => measure.title.clone(),
    }
}

fn print_rankings(found: &Table, rankings: &[Ranking], out: &mut impl Write) -> io::Result<()> {
    for (index, ranking) in rankings.iter().enumerate() {
        let Some(measure) = found.measures.get(ranking.measure) else { continue };
        if index > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{}\n", titled(measure))?;
        let rows = ranking.effects.iter().map(|effect| {
            let of = |mean, low, high| estimate(&Cell { mean, low, high, numbers: Vec::new(), why: None });
            let role = match effect.role {
                Role::Raises => "raises it",
                Role::Lowers => "lowers it",
                Role::Either => "either way",
                Role::Chance => "not told from chance",
                Role::Nothing => "nothing",
            };
            vec![
                found.factors.get(effect.factor).map(|factor| factor.title.clone()).unwrap_or_default(),
                role.to_owned(),
                of(effect.mean, effect.low, effect.high),
                of(effect.signed, effect.signed_low, effect.signed_high),
                of(effect.deviation, effect.deviation_low, effect.deviation_high),
                of(effect.chance, None, None),
                effect.steps.to_string(),
            ]
        });
        let header = [
            "what varies",
            "over its range",
            "moves it by\n(µ*)",
            "with sign\n(µ)",
            "spread\n(σ)",
            "by chance",
            "steps",
        ];
        write!(out, "{}", table(header, 2, rows))?;
        print_sentences(core::slice::from_ref(&ranking.says), out)?;
    }
    Ok(())
}

/// Prints the points of a search that matter: its answer, the trade-off, the first guess, and the scenario as it is.
fn print_search(found: &Table, search: &Found, out: &mut impl Write) -> io::Result<()> {
    let is_present = |row: usize| {
        let values = &found.points[row].values;
        found.factors.iter().zip(values).all(|(factor, value)| factor.present == *value)
    };
    let mut rows = Vec::new();
    for row in 0..found.points.len() {
        let mut says = Vec::new();
        if search.point == Some(row) {
            says.push(if search.is_met { "the answer" } else { "comes nearest" }.to_owned());
        } else if search.trade_off.contains(&row) {
            says.push("trade-off".to_owned());
        }
        if search.first_guess == Some(row) {
            says.push("the model's first guess".to_owned());
        }
        if !says.is_empty() || is_present(row) {
            rows.push((row, says));
        }
    }
    // The answer first; the trade-off in the order that it has.
    let rank = |row: usize| {
        let trade_off = search.trade_off.iter().position(|of| *of == row);
        (search.point != Some(row), trade_off.unwrap_or(usize::MAX), row)
    };
    rows.sort_by_key(|(row, _)| rank(*row));
    print_points(found, rows.into_iter(), out)?;
    writeln!(out, "\n{}", search.says)?;
    for target in &search.targets {
        let binds = match (target.is_binding, search.is_met) {
            (true, true) => "; this one is nearest to its bound",
            (true, false) => "; this one fails",
            _ => "",
        };
        let mean = target.measured.as_ref().map(|mean| format!(", mean {mean}")).unwrap_or_default();
        writeln!(out, "{}: holds in {} of {} unseen seeds{mean}{binds}.", target.says, target.held, search.of)?;
    }
    for margin in &search.margins {
        let Some(factor) = found.factors.get(margin.factor) else { continue };
        if let Some((from, to)) = margin.from.zip(margin.to) {
            let unit = factor.unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let span = if from < to { format!("may be {from} to {to}{unit}") } else { "may not change".into() };
            writeln!(out, "{} {span}, the others unchanged.", factor.title)?;
        }
        for (side, why) in [("Limit below", &margin.below), ("Limit above", &margin.above)] {
            if let Some(why) = why {
                writeln!(out, "  {side}: {why}")?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(mean: f64, half: f64) -> Cell {
        Cell { mean: Some(mean), low: Some(mean - half), high: Some(mean + half), numbers: vec![Some(mean)], why: None }
    }

    #[test]
    fn a_mean_has_the_digits_that_its_interval_leaves_it() {
        let shown = [(41.2345, 0.0153), (1234.5, 26.0), (1234.5, 0.0), (0.001_234, 0.000_25), (8.0, 0.999)];
        let shown = shown.map(|(mean, half)| estimate(&cell(mean, half)));
        assert_eq!(shown, ["41.234 ± 0.015", "1234 ± 26", "1234 ± 0", "0.00123 ± 0.00025", "8.0 ± 1.0"]);
        let single = Cell { low: None, high: None, ..cell(98.7654, 0.0) };
        assert_eq!(estimate(&single), "98.77");
        assert_eq!(estimate(&Cell { mean: None, ..single }), "-");
    }

    #[test]
    fn a_heading_is_broken_between_words_and_ends_in_its_unit() {
        assert_eq!(heading("p99 latency, High priority", Some("us")), ["p99 latency,", "High priority", "us"]);
        assert_eq!(heading("K", None), ["K"]);
    }
}
