//! Series in files: comma-separated values, or Parquet.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{Repetition, Type as PhysicalType};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::failure::Failure;

/// Named columns of numbers, row by row. Not-a-number is no value.
pub struct Series {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows of as many numbers as there are columns.
    pub rows: Vec<f64>,
}

/// Format of a file, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
}

impl FileFormat {
    /// The format that the name of `file` asks for.
    pub fn of(file: &Path) -> Result<Self, Failure> {
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("parquet") => Ok(Self::Parquet),
            _ => Err(Failure::Input(format!(
                "--series {} has no known ending: end the name in .csv or .parquet.",
                file.display()
            ))),
        }
    }
}

impl Series {
    /// Writes the series to `file`.
    pub fn save(&self, file: &Path, format: FileFormat) -> Result<(), Failure> {
        let explain = |error: io::Error| Failure::Input(format!("{} cannot be written: {error}.", file.display()));
        let mut out = io::BufWriter::new(File::create(file).map_err(explain)?);
        match format {
            FileFormat::Csv => self.write_csv(&mut out),
            FileFormat::Parquet => self.write_parquet(&mut out).map_err(io::Error::other),
        }
        .and_then(|()| out.flush())
        .map_err(explain)
    }

    fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.rows.chunks_exact(self.columns.len().max(1))
    }

    fn write_csv(&self, out: &mut impl Write) -> io::Result<()> {
        write_csv_header(out, &self.columns)?;
        self.rows().try_for_each(|row| write_csv_row(out, row.iter().copied()))
    }

    fn write_parquet(&self, out: impl Write + Send) -> Result<(), ParquetError> {
        let field = |name: &String| {
            let column = Type::primitive_type_builder(name, PhysicalType::DOUBLE);
            column.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        };
        let fields = self.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        let schema = Type::group_type_builder("series").with_fields(fields).build()?;
        let mut file = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(WriterProperties::builder().build()))?;
        let mut group = file.next_row_group()?;
        for column in 0..self.columns.len() {
            let values = || self.rows().map(|row| row[column]);
            let present: Vec<f64> = values().filter(|value| !value.is_nan()).collect();
            let levels: Vec<i16> = values().map(|value| i16::from(!value.is_nan())).collect();
            if let Some(mut writer) = group.next_column()? {
                writer.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
                writer.close()?;
            }
        }
        group.close()?;
        file.close()?;
        Ok(())
    }
}

/// Writes the first line of comma-separated values (RFC 4180).
pub fn write_csv_header(out: &mut impl Write, columns: &[String]) -> io::Result<()> {
    let quoted = |name: &String| {
        if name.contains([',', '"', '\n', '\r']) { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.clone() }
    };
    writeln!(out, "{}", columns.iter().map(quoted).collect::<Vec<_>>().join(","))
}

/// Writes a line of numbers; no value is an empty field.
pub fn write_csv_row(out: &mut impl Write, row: impl IntoIterator<Item = f64>) -> io::Result<()> {
    for (position, value) in row.into_iter().enumerate() {
        if position > 0 {
            out.write_all(b",")?;
        }
        if !value.is_nan() {
            // Adding zero takes the sign off a zero.
            write!(out, "{}", value + 0.0)?;
        }
    }
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    fn series() -> Series {
        Series { columns: vec!["timeUs".into(), "rate, High".into()], rows: vec![0.5, 1.0, 1.5, f64::NAN, 2.5, 3e-9] }
    }

    #[test]
    fn csv_quotes_names_and_leaves_out_what_is_not_there() {
        let mut out = Vec::new();
        series().write_csv(&mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "timeUs,\"rate, High\"\n0.5,1\n1.5,\n2.5,0.000000003\n");
    }

    #[test]
    fn parquet_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("series.parquet");
        series().save(&path, FileFormat::of(&path).unwrap()).unwrap();
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let read = |row: usize, column: usize| rows[row].get_double(column).ok();
        assert_eq!(rows.len(), 3);
        assert_eq!([read(0, 0), read(0, 1), read(1, 1), read(2, 1)], [Some(0.5), Some(1.0), None, Some(3e-9)]);
    }

    #[test]
    fn the_name_says_the_format() {
        assert_eq!(FileFormat::of(Path::new("a/b.csv")).unwrap(), FileFormat::Csv);
        assert!(FileFormat::of(Path::new("csv")).is_err());
    }
}
