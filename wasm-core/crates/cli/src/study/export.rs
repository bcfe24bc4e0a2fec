//! The table of a study in files and for other programs: a row for every point, with the interval of every measure.

use std::io::{self, Write};

use qoscope_store::columns::{self, Kind, Values};
use qoscope_study::{Answer, Cell, FactorView, Study, Table};
use serde::Serialize;
use serde_json::Value;

use crate::series::write_csv_words;

/// All that a study is and came to, as `--format json` prints it.
#[derive(Serialize)]
pub struct Report<'a> {
    /// The study.
    pub study: &'a Study,
    /// Its table.
    pub table: &'a Table,
    /// Its answer; null while runs are left to other shards.
    pub answer: Option<&'a Answer>,
}

impl Report<'_> {
    /// Writes it as JSON.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }
}

/// A number of a cell.
type Part = fn(&Cell) -> Option<f64>;

/// The columns of a table, and the value of each in every row.
fn columns(table: &Table) -> Vec<(String, Kind, Values)> {
    let of_points = |value: &dyn Fn(usize) -> Value, is_words: bool| {
        let values = (0..table.points.len()).map(value);
        if is_words {
            let word = |value: Value| match value {
                Value::Null => None,
                Value::String(word) => Some(word),
                other => Some(other.to_string()),
            };
            (Kind::Words, Values::Words(values.map(word).collect()))
        } else {
            (Kind::Numbers, Values::Numbers(values.map(|value| value.as_f64()).collect()))
        }
    };
    let mut columns = Vec::new();
    let mut add = |name: String, (kind, values): (Kind, Values)| columns.push((name, kind, values));
    for (index, factor) in table.factors.iter().enumerate() {
        add(name_of(factor), of_points(&|row| table.points[row].values[index].clone(), factor.is_words));
    }
    add("seeds".into(), of_points(&|row| table.points[row].seeds.into(), false));
    for (index, measure) in table.measures.iter().enumerate() {
        let parts: [(&str, Part); 3] =
            [("", |cell| cell.mean), (", low", |cell| cell.low), (", high", |cell| cell.high)];
        for (part, number) in parts {
            let value = |row: usize| number(&table.points[row].cells[index]).into();
            add(format!("{}{part}", measure.title), of_points(&value, false));
        }
    }
    add("refused".into(), of_points(&|row| table.points[row].refused.clone().into(), true));
    columns
}

/// The column of a factor: its path, where it is a single field.
fn name_of(factor: &FactorView) -> String {
    match factor.paths.as_slice() {
        [path] => path.clone(),
        _ => factor.title.clone(),
    }
}

/// Writes a table as comma-separated values.
pub fn write_csv(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let columns = columns(table);
    let names: Vec<String> = columns.iter().map(|(name, ..)| name.clone()).collect();
    write_csv_words(out, &names)?;
    for row in 0..table.points.len() {
        let word = |values: &Values| match values {
            // Adding zero takes the sign off a zero.
            Values::Numbers(numbers) => numbers[row].map(|number| (number + 0.0).to_string()),
            Values::Whole(numbers) => numbers[row].map(|number| number.to_string()),
            Values::Words(words) => words[row].clone(),
        };
        let words: Vec<String> = columns.iter().map(|(.., values)| word(values).unwrap_or_default()).collect();
        write_csv_words(out, &words)?;
    }
    Ok(())
}

/// Writes a table as Parquet.
pub fn write_parquet(table: &Table, out: impl Write + Send) -> io::Result<()> {
    let mut columns = columns(table);
    let named: Vec<(String, Kind)> = columns.iter().map(|(name, kind, _)| (name.clone(), *kind)).collect();
    columns::write(out, &named, |column| core::mem::replace(&mut columns[column].2, Values::Whole(Vec::new())))
}
