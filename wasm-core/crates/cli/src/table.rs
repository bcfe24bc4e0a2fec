//! Tables of numbers that line up.

use comfy_table::{CellAlignment, Table, presets};
pub use qoscope_engine::text::{duration, grouped};

/// A plain table: a two-line header, the first `left` columns to the left, the numbers to the right.
pub fn table<'a>(
    header: impl IntoIterator<Item = &'a str>,
    left: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_style(comfy_table::TableComponent::HeaderLines, '-');
    table.set_header(header);
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_cell_alignment(if index < left { CellAlignment::Left } else { CellAlignment::Right });
        column.set_padding(if index == 0 { (0, 1) } else { (1, 1) });
    }
    let text = table.to_string();
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// A number with so many decimals; a dash where there is none. What rounds to zero has no sign.
pub fn number(value: impl Into<Option<f64>>, decimals: usize) -> String {
    match value.into() {
        Some(value) if value.is_finite() => {
            let text = format!("{value:.decimals$}");
            let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
            if is_zero { text.trim_start_matches('-').to_owned() } else { text }
        }
        _ => "-".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(48.2167, 2), "48.22");
        assert_eq!(number(None, 2), "-");
        assert_eq!([number(-0.0, 2), number(-0.004, 2), number(-0.005_1, 2)], ["0.00", "0.00", "-0.01"]);
        assert_eq!(number(f64::NAN, 2), "-");
    }

    #[test]
    fn columns_line_up() {
        let text = table(
            ["class", "carried\nGb/s"],
            1,
            [vec!["High".into(), "48.22".into()], vec!["Low".into(), "7.00".into()]],
        );
        assert_eq!(text, "class  carried\n          Gb/s\n---------------\nHigh     48.22\nLow       7.00\n");
    }
}
