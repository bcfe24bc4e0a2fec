//! The tables of `docs/validation.md` are those of the runs: each section has the tables of its figures between two marks.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::sync::Mutex;

use libtest_mimic::Failed;
use qoscope_engine::figures::{Figure, Row, Verdict};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/validation.md");

/// The table of a figure begins with its id between these.
const BEFORE_ID: &str = "<!-- figure ";
const AFTER_ID: &str = " -->\n";

/// Tables are written one at a time, and not while another is read.
static WRITING: Mutex<()> = Mutex::new(());

/// The document, cut at a section.
struct Cut {
    before: String,
    /// The blocks of the section by the key that orders them, and the id of each.
    blocks: BTreeMap<Vec<Part>, (String, String)>,
    after: String,
}

/// Ids are ordered as a person reads them: fig. 9 before fig. 10.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Number(u32),
    Letter(char),
}

fn order(id: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    for letter in id.chars() {
        match (letter.to_digit(10), parts.last_mut()) {
            (Some(digit), Some(Part::Number(number))) => *number = number.saturating_mul(10).saturating_add(digit),
            (Some(digit), _) => parts.push(Part::Number(digit)),
            (None, _) => parts.push(Part::Letter(letter)),
        }
    }
    parts
}

fn read() -> Result<String, Failed> {
    Ok(fs::read_to_string(DOCUMENT)?)
}

fn marks(section: &str) -> [String; 2] {
    ["begin", "end"].map(|which| format!("<!-- {section}: {which} -->\n"))
}

impl Cut {
    fn at(text: &str, section: &str) -> Result<Self, Failed> {
        let [begin, end] = marks(section);
        let parts = text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
        let (before, (held, after)) = parts.ok_or_else(|| {
            format!("docs/validation.md has no section {section:?}: give it the lines {begin:?} and {end:?}")
        })?;
        let blocks = held.split(BEFORE_ID).skip(1).filter_map(|block| {
            let (id, content) = block.split_once(AFTER_ID)?;
            Some((order(id), (id.to_owned(), content.to_owned())))
        });
        Ok(Self { before: format!("{before}{begin}"), blocks: blocks.collect(), after: format!("{end}{after}") })
    }

    fn text(self) -> String {
        let blocks = self.blocks.into_values().map(|(id, content)| format!("{BEFORE_ID}{id}{AFTER_ID}{content}"));
        format!("{}\n{}{}", self.before, blocks.collect::<String>(), self.after)
    }
}

/// What stands of a figure in the document.
fn block(figure: &Figure, rows: &[Row]) -> String {
    let Figure { source, title, claim, .. } = figure;
    format!("\n**{source}: {title}.** {claim}\n\n{}\n", table(rows))
}

/// The rows as a table.
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

/// Writes what stands of a figure in the document.
pub fn update(figure: &Figure, rows: &[Row]) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut cut = Cut::at(&read()?, &figure.section)?;
    cut.blocks.insert(order(&figure.id), (figure.id.clone(), block(figure, rows)));
    Ok(fs::write(DOCUMENT, cut.text())?)
}

/// Fails where the document says something else of a figure.
pub fn check(figure: &Figure, rows: &[Row]) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let written = Cut::at(&read()?, &figure.section)?.blocks.remove(&order(&figure.id));
    if written.is_some_and(|(_, content)| content == block(figure, rows)) {
        return Ok(());
    }
    Err("docs/validation.md is out of date: UPDATE_DOCS=1 cargo test --test validation".into())
}

/// Fails where the document has the table of a figure that there is not, or lacks the section of a cause.
pub fn check_whole(figures: &[Figure]) -> Result<(), Failed> {
    let text = read()?;
    let mut diagnostics = Vec::new();
    for block in text.split(BEFORE_ID).skip(1) {
        let id = block.split_once(AFTER_ID).map_or(block, |(id, _)| id);
        if !figures.iter().any(|figure| figure.id == id) {
            diagnostics.push(format!("there is no figure {id}: take its table out"));
        }
    }
    for cause in figures.iter().flat_map(|figure| &figure.deviations).map(|deviation| &deviation.cause) {
        if !text.lines().any(|line| line.strip_prefix("### ") == Some(cause)) {
            diagnostics.push(format!("there is no section {cause:?} that explains a deviation"));
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics.join("\n").into()) }
}
