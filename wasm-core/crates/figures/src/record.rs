//! What the last full run of all figures gave, as the page has it (`scenarios/results/figures.json`).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Figure, Picture, RowOutcome, RowView};

/// The whole file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FigureResults")]
pub struct Record {
    /// By id.
    pub figures: BTreeMap<String, FigureRecord>,
    /// By paper, in the order of the figures.
    pub tally: Vec<Tally>,
    /// Why rows are not reproduced: sections of `docs/validation.md` by their headings, as Markdown.
    pub causes: BTreeMap<String, String>,
}

/// What a figure gave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FigureResult")]
pub struct FigureRecord {
    /// The rows of its table.
    pub rows: Vec<RowView>,
    /// What its plot shows.
    pub picture: Option<Picture>,
    /// Digest of the plot that the picture was made from.
    pub plot: String,
    /// Events of all its runs.
    pub events: u64,
    /// Digest of the results of all seeds, [`Figure::digest`].
    pub digest: String,
}

/// What became of the rows of a paper.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tally {
    /// The paper, or the simulator.
    pub paper: String,
    /// Published numbers and ranges that are met.
    pub reproduced: usize,
    /// Published words that hold.
    pub in_order: usize,
    /// What was published and is not met.
    pub not: usize,
    /// Checks of arithmetic.
    pub arithmetic: usize,
    /// Controls of our own.
    pub controls: usize,
}

impl Figure {
    /// The paper that it is of, or the simulator: its source as far as a comma or a bracket.
    pub fn paper(&self) -> &str {
        self.source.split([',', '(']).next().unwrap_or_default().trim_end()
    }
}

impl Tally {
    /// By paper, in the order of the figures, of their rows.
    pub fn of<'a>(figures: impl IntoIterator<Item = (&'a Figure, &'a [RowView])>) -> Vec<Self> {
        let mut tallies: Vec<Self> = Vec::new();
        for (figure, rows) in figures {
            let known = tallies.iter().position(|tally| tally.paper == figure.paper()).unwrap_or_else(|| {
                tallies.push(Self { paper: figure.paper().into(), ..Self::default() });
                tallies.len() - 1
            });
            let tally = &mut tallies[known];
            for row in rows {
                *match row.outcome {
                    RowOutcome::Reproduced => &mut tally.reproduced,
                    RowOutcome::InOrder => &mut tally.in_order,
                    RowOutcome::Arithmetic => &mut tally.arithmetic,
                    RowOutcome::Control => &mut tally.controls,
                    RowOutcome::NotReproduced | RowOutcome::Missed => &mut tally.not,
                } += 1;
            }
        }
        tallies
    }

    /// All papers together, as the README says it.
    pub fn sentence(tallies: &[Self]) -> String {
        let sum = |read: fn(&Self) -> usize| tallies.iter().map(read).sum::<usize>();
        let (reproduced, in_order, not) = (sum(|of| of.reproduced), sum(|of| of.in_order), sum(|of| of.not));
        let all = reproduced + in_order + not;
        format!(
            "Of {all} rows that were published, {reproduced} are reproduced, {in_order} in their order, and {not} are not"
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn rows_are_counted_by_paper() {
        let figure = |source: &str| {
            let document = json!({
                "id": "figure", "title": "A figure", "source": source, "section": "paper 9", "claim": "None.", "runs": [],
                "quantities": [{ "label": "one", "value": "1", "published": { "kind": "order", "words": "more" } }],
            });
            Figure::read(&document.to_string()).unwrap()
        };
        let row = |outcome: RowOutcome| {
            let rows = figure("Paper 9").rows(&crate::Results::default()).unwrap();
            RowView { outcome, ..rows[0].view() }
        };
        let figures = ["Paper 1, fig. 8", "ns-3 (commit 1), A1", "Paper 1, section 4.3.3"].map(figure);
        let rows = [
            vec![row(RowOutcome::Reproduced), row(RowOutcome::InOrder), row(RowOutcome::Control)],
            vec![row(RowOutcome::Arithmetic), row(RowOutcome::Missed)],
            vec![row(RowOutcome::NotReproduced), row(RowOutcome::Reproduced)],
        ];
        let tallies = Tally::of(figures.iter().zip(rows.iter().map(Vec::as_slice)));
        let of = |paper: &str| Tally { paper: paper.into(), ..Tally::default() };
        let expected = [
            Tally { reproduced: 2, in_order: 1, not: 1, controls: 1, ..of("Paper 1") },
            Tally { not: 1, arithmetic: 1, ..of("ns-3") },
        ];
        assert_eq!(tallies, expected);
        let sentence = "Of 5 rows that were published, 2 are reproduced, 1 in their order, and 2 are not";
        assert_eq!(Tally::sentence(&tallies), sentence);
    }
}
