//! Results as named columns: the sampled series of a run, the table of a study.

use qoscope_engine::simulation::{Simulation, layout};
use qoscope_store::columns::{Kind, Values};
use qoscope_study::{Cell, FactorView, Table};
use serde_json::Value;

/// Named columns of numbers, row by row. Not-a-number is no value.
pub struct Series {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows of as many numbers as there are columns.
    pub rows: Vec<f64>,
}

impl Series {
    /// The samples of a run from one on, columns named after the classes: `carriedGbps.High`.
    pub fn of(simulation: &Simulation, first: usize) -> Self {
        let names = layout(simulation);
        let class = |index: &str| Some(&names.classes.get(index.parse::<usize>().ok()?)?.name);
        let named = |column: &str| {
            let split = column.split_once('.').and_then(|(quantity, index)| Some((quantity, class(index)?)));
            split.map_or_else(|| column.to_owned(), |(quantity, class)| format!("{quantity}.{class}"))
        };
        let columns = names.sample_columns.iter().map(|column| named(column)).collect();
        Self { columns, rows: simulation.samples(first).to_vec() }
    }

    /// The rows.
    pub fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.columns.len().max(1))
    }

    /// The values of a column.
    pub fn column(&self, column: usize) -> Vec<Option<f64>> {
        self.rows().map(|row| (!row[column].is_nan()).then_some(row[column])).collect()
    }
}

/// A column of a table.
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Its values.
    pub values: Values,
}

/// A number of a cell.
type Part = fn(&Cell) -> Option<f64>;

/// The table of a study, a row for every point: what varies, seeds, every measure with its interval, why a point is refused.
pub fn of_table(table: &Table) -> Vec<Column> {
    let of_points = |name: String, value: &dyn Fn(usize) -> Value, is_words: bool| {
        let values = (0..table.points.len()).map(value);
        if is_words {
            let word = |value: Value| match value {
                Value::Null => None,
                Value::String(word) => Some(word),
                other => Some(other.to_string()),
            };
            Column { name, kind: Kind::Words, values: Values::Words(values.map(word).collect()) }
        } else {
            let numbers = values.map(|value| value.as_f64()).collect();
            Column { name, kind: Kind::Numbers, values: Values::Numbers(numbers) }
        }
    };
    let mut columns = Vec::new();
    for (index, factor) in table.factors.iter().enumerate() {
        let value = |row: usize| table.points[row].values[index].clone();
        columns.push(of_points(name_of(factor), &value, factor.is_words));
    }
    columns.push(of_points("seeds".into(), &|row| table.points[row].seeds.into(), false));
    for (index, measure) in table.measures.iter().enumerate() {
        let parts: [(&str, Part); 3] =
            [("", |cell| cell.mean), (", low", |cell| cell.low), (", high", |cell| cell.high)];
        for (part, number) in parts {
            let value = |row: usize| number(&table.points[row].cells[index]).into();
            columns.push(of_points(format!("{}{part}", measure.title), &value, false));
        }
    }
    columns.push(of_points("refused".into(), &|row| table.points[row].refused.clone().into(), true));
    columns
}

/// The column of a factor: its path, where it is a single field.
fn name_of(factor: &FactorView) -> String {
    match factor.paths.as_slice() {
        [path] => path.clone(),
        _ => factor.title.clone(),
    }
}
