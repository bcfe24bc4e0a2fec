//! The table of a study in files and for other programs: a row for every point, with the interval of every measure.

use std::io::{self, Write};

use qoscope_host::columns::of_table;
use qoscope_store::columns::{self, Kind, Values};
use qoscope_study::{Answer, Study, Table};
use serde::Serialize;

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

/// Writes a table as comma-separated values.
pub fn write_csv(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let columns = of_table(table);
    let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
    write_csv_words(out, &names)?;
    for row in 0..table.points.len() {
        let word = |values: &Values| match values {
            // Adding zero takes the sign off a zero.
            Values::Numbers(numbers) => numbers[row].map(|number| (number + 0.0).to_string()),
            Values::Whole(numbers) => numbers[row].map(|number| number.to_string()),
            Values::Words(words) => words[row].clone(),
        };
        let words: Vec<String> = columns.iter().map(|column| word(&column.values).unwrap_or_default()).collect();
        write_csv_words(out, &words)?;
    }
    Ok(())
}

/// Writes a table as Parquet.
pub fn write_parquet(table: &Table, out: impl Write + Send) -> io::Result<()> {
    let mut columns = of_table(table);
    let named: Vec<(String, Kind)> = columns.iter().map(|column| (column.name.clone(), column.kind)).collect();
    columns::write(out, &named, |column| core::mem::replace(&mut columns[column].values, Values::Whole(Vec::new())))
}
