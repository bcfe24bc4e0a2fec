//! Named columns in Parquet files.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, GzipLevel, LogicalType, Repetition, Type as PhysicalType};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};

/// Bytes after which a page ends: what is read to have a single value.
const PAGE_BYTES: usize = 128 << 10;
/// Values after which the writer looks whether a page is full.
const BATCH: usize = 16;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers.
    Numbers,
    /// Whole numbers.
    Whole,
    /// Words, many of them the same.
    Words,
    /// Texts, each another.
    Texts,
}

/// The values of a column, row by row; none is no value.
pub enum Values {
    /// Of [`Kind::Numbers`].
    Numbers(Vec<Option<f64>>),
    /// Of [`Kind::Whole`].
    Whole(Vec<Option<i64>>),
    /// Of [`Kind::Words`] and of [`Kind::Texts`].
    Words(Vec<Option<String>>),
}

/// Writes a file of columns, `values` of each asked for in turn.
///
/// # Errors
/// What `out` refuses.
pub fn write(
    out: impl Write + Send,
    columns: &[(String, Kind)],
    values: impl FnMut(usize) -> Values,
) -> io::Result<()> {
    write_with_note(out, columns, None, values)
}

/// As [`write`], with a key and a value in the metadata of the file.
pub(crate) fn write_with_note(
    out: impl Write + Send,
    columns: &[(String, Kind)],
    note: Option<(&str, String)>,
    mut values: impl FnMut(usize) -> Values,
) -> io::Result<()> {
    let compression = Compression::GZIP(GzipLevel::try_new(4).map_err(io::Error::other)?);
    let mut properties = WriterProperties::builder()
        .set_compression(compression)
        .set_data_page_size_limit(PAGE_BYTES)
        .set_write_batch_size(BATCH)
        .set_key_value_metadata(note.map(|(key, value)| vec![KeyValue::new(key.to_owned(), value)]));
    for (name, _) in columns.iter().filter(|(_, kind)| *kind == Kind::Texts) {
        properties = properties.set_column_dictionary_enabled(ColumnPath::from(vec![name.clone()]), false);
    }
    let written = || -> Result<(), ParquetError> {
        let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("qoscope").with_fields(fields).build()?;
        let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))?;
        let mut group = file.next_row_group()?;
        for column in 0..columns.len() {
            let Some(mut writer) = group.next_column()? else { break };
            match values(column) {
                Values::Numbers(values) => {
                    let (present, levels) = parted(values);
                    writer.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
                }
                Values::Whole(values) => {
                    let (present, levels) = parted(values);
                    writer.typed::<Int64Type>().write_batch(&present, Some(&levels), None)?;
                }
                Values::Words(values) => {
                    let (present, levels) = parted(values);
                    let present: Vec<ByteArray> = present.iter().map(|word| word.as_str().into()).collect();
                    writer.typed::<ByteArrayType>().write_batch(&present, Some(&levels), None)?;
                }
            }
            writer.close()?;
        }
        group.close()?;
        file.close().map(|_| ())
    };
    written().map_err(unwrapped)
}

fn field((name, kind): &(String, Kind)) -> Result<Arc<Type>, ParquetError> {
    let (physical, logical) = match kind {
        Kind::Numbers => (PhysicalType::DOUBLE, None),
        Kind::Whole => (PhysicalType::INT64, None),
        Kind::Words | Kind::Texts => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let column = Type::primitive_type_builder(name, physical).with_logical_type(logical);
    column.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
}

/// The values that there are, and where.
fn parted<T>(values: Vec<Option<T>>) -> (Vec<T>, Vec<i16>) {
    let levels = values.iter().map(|value| i16::from(value.is_some())).collect();
    (values.into_iter().flatten().collect(), levels)
}

/// The error of the file that one of the writer or reader wraps.
pub(crate) fn unwrapped(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => error.downcast().map_or_else(io::Error::other, |error| *error),
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    #[test]
    fn columns_read_back() {
        let columns =
            [("rate, High", Kind::Numbers), ("count", Kind::Whole), ("class", Kind::Words), ("text", Kind::Texts)]
                .map(|(name, kind)| (name.to_owned(), kind));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("columns.parquet");
        let word = |text: &str| Some(text.to_owned());
        write(std::fs::File::create(&path).unwrap(), &columns, |column| match column {
            0 => Values::Numbers(vec![Some(3e-9), None]),
            1 => Values::Whole(vec![None, Some(-7)]),
            2 => Values::Words(vec![word("High"), word("High")]),
            _ => Values::Words(vec![word("ä"), None]),
        })
        .unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].get_double(0).ok(), rows[1].get_double(0).ok()), (Some(3e-9), None));
        assert_eq!((rows[0].get_long(1).ok(), rows[1].get_long(1).ok()), (None, Some(-7)));
        assert_eq!((rows[1].get_string(2).unwrap().as_str(), rows[0].get_string(3).unwrap().as_str()), ("High", "ä"));
        assert!(rows[1].get_string(3).is_err());
    }
}
