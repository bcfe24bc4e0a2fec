//! The table of a figure, as Markdown.

use std::fmt::Write;

use crate::RowView;

/// The rows as a table. The verdict of a row that is not reproduced links to the heading that explains it.
pub fn table(rows: &[RowView]) -> String {
    let mut table = String::from(
        "| case | quantity | reference | ours | band | distance | verdict |\n|---|---|---|---|---|---|---|\n",
    );
    let mut last = "";
    for RowView { case, quantity, reference, ours, band, distance, verdict, cause, .. } in rows {
        let shown = if case == last { "" } else { case };
        let link = cause
            .as_ref()
            .map_or_else(String::new, |cause| format!(": [{cause}](#{})", cause.to_lowercase().replace(' ', "-")));
        writeln!(table, "| {shown} | {quantity} | {reference} | {ours} | {band} | {distance} | {verdict}{link} |")
            .expect("a string takes any text");
        last = case;
    }
    table
}
