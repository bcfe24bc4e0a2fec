//! The table of a figure, as Markdown.

use std::fmt::Write;

use crate::{Row, Verdict};

/// The rows as a table. The verdict of a row that is not reproduced links to the heading that explains it.
pub fn table(rows: &[Row]) -> String {
    let mut table = String::from(
        "| case | quantity | reference | ours | band | distance | verdict |\n|---|---|---|---|---|---|---|\n",
    );
    let mut last = "";
    for row in rows {
        let case = if row.case == last { "" } else { &row.case };
        let verdict = row.verdict();
        let link = match &verdict {
            Verdict::NotReproduced(cause) => format!(": [{cause}](#{})", cause.to_lowercase().replace(' ', "-")),
            _ => String::new(),
        };
        let (ours, band, distance) = (row.shown_ours(), row.shown_band(), row.shown_distance());
        let (quantity, reference) = (&row.quantity, &row.reference);
        writeln!(table, "| {case} | {quantity} | {reference} | {ours} | {band} | {distance} | {verdict}{link} |")
            .expect("a string takes any text");
        last = &row.case;
    }
    table
}
