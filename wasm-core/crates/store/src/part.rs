//! Parts of the dataset.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use blake2::{Blake2b128, Digest};
use parquet::column::reader::ColumnReader;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, RowGroupReader, SerializedFileReader};
use serde_json::Value;

use crate::columns::{self, Kind, Values};
use crate::record::{Key, Record};

/// How a name of a part begins, and how it ends.
const NAME: (&str, &str) = ("part-", ".parquet");

/// Bytes of a part that are read at once to tell its name.
const PIECE_BYTES: usize = 1 << 18;

/// Why a part gives nothing.
pub enum Fault {
    /// The system refuses to read it.
    Unreadable(io::Error),
    /// It is not what was written.
    Damaged(String),
}

impl From<ParquetError> for Fault {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::External(_) => {
                let error = columns::unwrapped(error);
                // The system names its errors by number. One without is of the packing, of what was read.
                if error.raw_os_error().is_some() { Self::Unreadable(error) } else { Self::Damaged(error.to_string()) }
            }
            other => Self::Damaged(other.to_string()),
        }
    }
}

/// The hash of what is in a file, in hexadecimal digits.
pub fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(path)?, Blake2b128::new());
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        match file.read(&mut piece)? {
            0 => break,
            length => hash.update(&piece[..length]),
        }
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The name of a part: the hash of the file of its runs.
pub fn name(runs: &Path) -> io::Result<String> {
    Ok(format!("{}{}{}", NAME.0, hash(runs)?, NAME.1))
}

/// Whether a file is called as parts are.
pub fn is_name(name: &str) -> bool {
    let digits = name.strip_prefix(NAME.0).and_then(|rest| rest.strip_suffix(NAME.1));
    digits.is_some_and(|digits| digits.parse::<Key>().is_ok())
}

/// What a column of runs has of one of them.
enum Cell {
    /// A word at a place in its summary.
    Word(&'static str),
    /// A whole number there.
    Whole(&'static str),
    /// What was told with it.
    Text(fn(&Key, &Record) -> String),
    /// A number that was.
    Number(fn(&Record) -> f64),
}

/// The columns of runs, in their order.
fn of_runs() -> [(&'static str, Kind, Cell); 13] {
    [
        (KEY, Kind::Texts, Cell::Text(|key, _| key.to_string())),
        (RESULTS, Kind::Words, Cell::Text(|_, record| record.results.clone())),
        ("engine", Kind::Words, Cell::Text(|_, record| record.engine.clone())),
        ("name", Kind::Words, Cell::Word("/scenario/name")),
        ("hash", Kind::Words, Cell::Word("/scenario/hash")),
        ("seed", Kind::Whole, Cell::Whole("/seed")),
        ("digest", Kind::Words, Cell::Word("/digest")),
        ("events", Kind::Whole, Cell::Whole("/engine/events")),
        ("packetHops", Kind::Whole, Cell::Whole("/engine/packetHops")),
        ("requests", Kind::Whole, Cell::Whole("/engine/requests")),
        ("wallMs", Kind::Numbers, Cell::Number(|record| record.wall_ms)),
        ("scenario", Kind::Texts, Cell::Text(|_, record| record.scenario.to_string())),
        (SUMMARY, Kind::Texts, Cell::Text(|_, record| record.summary.to_string())),
    ]
}

const KEY: &str = "key";
const RESULTS: &str = "results";
const SUMMARY: &str = "summary";

/// Metadata of the file of runs: the hash of the file of their classes.
const CLASSES_HASH: &str = "qoscope.classes";

/// Writes the runs of a part to a file. It notes the hash of the file of their classes, which has been written.
pub fn write_runs(path: &Path, classes: &Path, records: &[(Key, Record)]) -> io::Result<()> {
    let note = Some((CLASSES_HASH, hash(classes)?));
    let cells = of_runs();
    let named: Vec<_> = cells.iter().map(|(name, kind, _)| ((*name).to_owned(), *kind)).collect();
    let values = |column: usize| match &cells[column].2 {
        Cell::Word(pointer) => {
            let word = |record: &Record| record.summary.pointer(pointer)?.as_str().map(String::from);
            Values::Words(records.iter().map(|(_, record)| word(record)).collect())
        }
        Cell::Text(text) => Values::Words(records.iter().map(|(key, record)| Some(text(key, record))).collect()),
        Cell::Whole(pointer) => {
            let number = |record: &Record| record.summary.pointer(pointer)?.as_i64();
            Values::Whole(records.iter().map(|(_, record)| number(record)).collect())
        }
        Cell::Number(number) => Values::Numbers(records.iter().map(|(_, record)| Some(number(record))).collect()),
    };
    write(path, &named, note, values)
}

/// Writes the classes of the runs of a part to a file: a row for every class, a column for every word and number of it.
pub fn write_classes(path: &Path, records: &[(Key, Record)]) -> io::Result<()> {
    let classes = |(key, record): &(Key, Record)| -> Vec<(Key, BTreeMap<String, Value>)> {
        let classes = record.summary["classes"].as_array().into_iter().flatten();
        classes.map(|class| (*key, leaves(class))).collect()
    };
    let rows: Vec<_> = records.iter().flat_map(classes).collect();
    let mut kinds = BTreeMap::new();
    for (name, value) in rows.iter().flat_map(|(_, leaves)| leaves) {
        kinds.insert(name.as_str(), if value.is_string() { Kind::Words } else { Kind::Numbers });
    }
    let named: Vec<_> = core::iter::once((KEY.to_owned(), Kind::Texts))
        .chain(kinds.into_iter().map(|(name, kind)| (name.to_owned(), kind)))
        .collect();
    write(path, &named, None, |column| {
        let (name, kind) = &named[column];
        match kind {
            Kind::Texts => Values::Words(rows.iter().map(|(key, _)| Some(key.to_string())).collect()),
            Kind::Words => {
                let word = |leaves: &BTreeMap<String, Value>| leaves.get(name)?.as_str().map(String::from);
                Values::Words(rows.iter().map(|(_, leaves)| word(leaves)).collect())
            }
            Kind::Numbers | Kind::Whole => {
                let number = |leaves: &BTreeMap<String, Value>| leaves.get(name)?.as_f64();
                Values::Numbers(rows.iter().map(|(_, leaves)| number(leaves)).collect())
            }
        }
    })
}

/// The words and numbers of an object and of the objects in it, by path: `latencyUs.p99`.
fn leaves(value: &Value) -> BTreeMap<String, Value> {
    fn gather(value: &Value, path: &str, into: &mut BTreeMap<String, Value>) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            match value {
                Value::Object(_) => gather(value, &path, into),
                Value::Number(_) | Value::String(_) => drop(into.insert(path, value.clone())),
                Value::Bool(is) => drop(into.insert(path, Value::from(u8::from(*is)))),
                Value::Null | Value::Array(_) => (),
            }
        }
    }
    let mut into = BTreeMap::new();
    gather(value, "", &mut into);
    into
}

fn write(
    path: &Path,
    named: &[(String, Kind)],
    note: Option<(&str, String)>,
    values: impl FnMut(usize) -> Values,
) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    columns::write_with_note(&mut out, named, note, values)?;
    out.flush()?;
    // It is renamed into place when it is on the disk, not before.
    out.get_ref().sync_all()
}

/// The runs of a part, row by row: their keys, and what tells their engine's results.
pub fn read_keys(path: &Path) -> Result<Vec<(Key, String)>, Fault> {
    // The reader of Parquet does not withstand whatever may stand in a damaged file.
    let name = name(path).map_err(Fault::Unreadable)?;
    if path.file_name().is_none_or(|called| called != name.as_str()) {
        return Err(Fault::Damaged("it is not what was written".into()));
    }
    let keys = read_column(path, KEY, None)?;
    let results = read_column(path, RESULTS, None)?;
    if keys.len() != results.len() {
        return Err(Fault::Damaged("its columns are of different lengths".into()));
    }
    let keyed = keys.into_iter().zip(results).map(|(key, results)| Ok((key.parse().map_err(Fault::Damaged)?, results)));
    keyed.collect()
}

/// Checks the file of the classes of a part against what the file of its runs notes. Parts of older versions have no note: of them
/// the file must exist.
pub fn check_classes(runs: &Path, classes: &Path) -> Result<(), Fault> {
    let found = match hash(classes) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Fault::Damaged("the classes of its runs are missing".into()));
        }
        Err(error) => return Err(Fault::Unreadable(error)),
    };
    let file = SerializedFileReader::new(File::open(runs).map_err(Fault::Unreadable)?)?;
    let notes = file.metadata().file_metadata().key_value_metadata().into_iter().flatten();
    let noted = notes.filter(|note| note.key == CLASSES_HASH).find_map(|note| note.value.as_ref());
    match noted {
        Some(noted) if *noted != found => {
            Err(Fault::Damaged("the classes of its runs are not what was written".into()))
        }
        _ => Ok(()),
    }
}

/// The summaries of some rows of a part, which are given in ascending order.
pub fn read_summaries(path: &Path, rows: &[u32]) -> Result<Vec<Value>, Fault> {
    let texts = read_column(path, SUMMARY, Some(rows))?;
    if texts.len() != rows.len() {
        return Err(Fault::Damaged("it has fewer rows than it says".into()));
    }
    let read = |text: String| serde_json::from_str(&text).map_err(|error| Fault::Damaged(error.to_string()));
    texts.into_iter().map(read).collect()
}

/// A whole column of texts of a file of a part.
#[cfg(test)]
pub fn read_texts(path: &Path, name: &str) -> Result<Vec<String>, Fault> {
    read_column(path, name, None)
}

/// A column of texts: some of its rows in ascending order, or all.
fn read_column(path: &Path, name: &str, rows: Option<&[u32]>) -> Result<Vec<String>, Fault> {
    let file = SerializedFileReader::new(File::open(path).map_err(Fault::Unreadable)?)?;
    let schema = file.metadata().file_metadata().schema_descr();
    let column = (0..schema.num_columns()).find(|&column| schema.column(column).name() == name);
    let column = column.ok_or_else(|| Fault::Damaged(format!("it has no column `{name}`")))?;
    let mut texts = Vec::new();
    let mut first = 0;
    for group in 0..file.num_row_groups() {
        let group = file.get_row_group(group)?;
        let length = u32::try_from(group.metadata().num_rows()).map_err(|error| Fault::Damaged(error.to_string()))?;
        match rows {
            None => read_rows(&*group, column, [(0, length as usize)], &mut texts)?,
            Some(rows) => {
                let here = rows.iter().filter(|row| (first..first + length).contains(row));
                // Rows that follow each other are read together.
                let mut spans: Vec<(usize, usize)> = Vec::new();
                for row in here.map(|row| (row - first) as usize) {
                    match spans.last_mut() {
                        Some((from, rows)) if *from + *rows == row => *rows += 1,
                        _ => spans.push((row, 1)),
                    }
                }
                if !spans.is_empty() {
                    read_rows(&*group, column, spans, &mut texts)?;
                }
            }
        }
        first += length;
    }
    Ok(texts)
}

/// Reads spans (first row, rows) of a column in a group. Pages without any are passed over, still packed.
fn read_rows(
    group: &dyn RowGroupReader,
    column: usize,
    spans: impl IntoIterator<Item = (usize, usize)>,
    texts: &mut Vec<String>,
) -> Result<(), Fault> {
    let ColumnReader::ByteArrayColumnReader(mut reader) = group.get_column_reader(column)? else {
        return Err(Fault::Damaged("its columns are of other types".into()));
    };
    let mut at = 0;
    for (first, rows) in spans {
        reader.skip_records(first - at)?;
        let (mut values, mut levels): (Vec<ByteArray>, Vec<i16>) = Default::default();
        reader.read_records(rows, Some(&mut levels), None, &mut values)?;
        for value in values {
            texts.push(value.as_utf8()?.to_owned());
        }
        at = first + rows;
    }
    Ok(())
}
