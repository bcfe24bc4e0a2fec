//! Series in files: comma-separated values, or Parquet.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use qoscope_host::columns::Series;
use qoscope_store::columns::{self, Kind, Values};

use crate::failure::Failure;

/// Format of a file, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// JSON.
    Json,
}

impl FileFormat {
    /// Those of series.
    pub const OF_SERIES: &[Self] = &[Self::Csv, Self::Parquet];
    /// Those of tables.
    pub const OF_TABLES: &[Self] = &[Self::Csv, Self::Parquet, Self::Json];

    const fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Json => "json",
        }
    }

    /// Which of some formats the name of `file` asks for, which an option gives.
    pub fn of(file: &Path, option: &str, among: &[Self]) -> Result<Self, Failure> {
        let ending = file.extension().and_then(|extension| extension.to_str());
        among.iter().copied().find(|format| Some(format.ending()) == ending).ok_or_else(|| {
            let endings: Vec<String> = among.iter().map(|format| format!(".{}", format.ending())).collect();
            let (file, endings) = (file.display(), endings.join(" or "));
            Failure::Input(format!("{option} {file} has no known ending: end the name in {endings}."))
        })
    }
}

/// Writes a file.
pub fn save(file: &Path, write: impl FnOnce(&mut io::BufWriter<File>) -> io::Result<()>) -> Result<(), Failure> {
    let written = || {
        let mut out = io::BufWriter::new(File::create(file)?);
        write(&mut out)?;
        out.flush()
    };
    written().map_err(|error: io::Error| Failure::Input(format!("{} cannot be written: {error}.", file.display())))
}

/// Writes a series to `file`.
pub fn save_series(series: &Series, file: &Path, format: FileFormat) -> Result<(), Failure> {
    save(file, |out| match format {
        FileFormat::Parquet => write_parquet(series, out),
        _ => write_csv(series, out),
    })
}

fn write_csv(series: &Series, out: &mut impl Write) -> io::Result<()> {
    write_csv_words(out, &series.columns)?;
    series.rows().try_for_each(|row| write_csv_row(out, row.iter().copied()))
}

fn write_parquet(series: &Series, out: impl Write + Send) -> io::Result<()> {
    let columns: Vec<(String, Kind)> = series.columns.iter().map(|name| (name.clone(), Kind::Numbers)).collect();
    columns::write(out, &columns, |column| Values::Numbers(series.column(column)))
}

/// Writes a line of words as comma-separated values (RFC 4180).
pub fn write_csv_words(out: &mut impl Write, words: &[String]) -> io::Result<()> {
    let quoted = |word: &String| {
        if word.contains([',', '"', '\n', '\r']) { format!("\"{}\"", word.replace('"', "\"\"")) } else { word.clone() }
    };
    writeln!(out, "{}", words.iter().map(quoted).collect::<Vec<_>>().join(","))
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
        write_csv(&series(), &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "timeUs,\"rate, High\"\n0.5,1\n1.5,\n2.5,0.000000003\n");
    }

    #[test]
    fn parquet_reads_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("series.parquet");
        let format = FileFormat::of(&path, "--series", FileFormat::OF_SERIES).unwrap();
        save_series(&series(), &path, format).unwrap();
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        let read = |row: usize, column: usize| rows[row].get_double(column).ok();
        assert_eq!(rows.len(), 3);
        assert_eq!([read(0, 0), read(0, 1), read(1, 1), read(2, 1)], [Some(0.5), Some(1.0), None, Some(3e-9)]);
    }

    #[test]
    fn the_name_says_the_format() {
        let of = |file: &str, among| FileFormat::of(Path::new(file), "--table", among);
        assert_eq!(of("a/b.csv", FileFormat::OF_SERIES).unwrap(), FileFormat::Csv);
        assert_eq!(of("b.json", FileFormat::OF_TABLES).unwrap(), FileFormat::Json);
        assert!(of("csv", FileFormat::OF_SERIES).is_err());
        let told = of("b.json", FileFormat::OF_SERIES).unwrap_err().to_string();
        assert_eq!(told, "--table b.json has no known ending: end the name in .csv or .parquet.");
    }
}
