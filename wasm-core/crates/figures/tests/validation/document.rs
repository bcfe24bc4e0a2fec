//! The tables of `docs/validation.md` are those of the runs: each section has the tables of its figures between two marks.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::sync::Mutex;

use libtest_mimic::Failed;
use qoscope_figures::{Figure, RowView, Tally, table};

const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/validation.md");

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../README.md");

/// The table of a figure begins with its id between these.
const BEFORE_ID: &str = "<!-- figure ";
const AFTER_ID: &str = " -->\n";

/// The commit of the last full run stands between these.
const BEFORE_COMMIT: &str = "Every seed was last run at commit `";
const AFTER_COMMIT: &str = "`";
/// Stands behind it where the run had changes that were committed with its tables.
const WITH_CHANGES: &str = ", with the changes that this line was committed with";

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
fn block(figure: &Figure, rows: &[RowView]) -> String {
    let Figure { source, title, claim, .. } = figure;
    format!("\n**{source}: {title}.** {claim}\n\n{}\n", table(rows))
}

/// Writes what stands of a figure in the document.
pub fn update(figure: &Figure, rows: &[RowView]) -> Result<(), Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let mut cut = Cut::at(&read()?, &figure.section)?;
    cut.blocks.insert(order(&figure.id), (figure.id.clone(), block(figure, rows)));
    Ok(fs::write(DOCUMENT, cut.text())?)
}

/// What the document says of a figure; nothing where it has no table of it.
pub fn of(figure: &Figure) -> Result<Option<String>, Failed> {
    let _writing = WRITING.lock().expect("nothing panics while it writes");
    let written = Cut::at(&read()?, &figure.section)?.blocks.remove(&order(&figure.id));
    Ok(written.map(|(_, content)| content))
}

/// Fails where the document says something else of a figure.
pub fn check(figure: &Figure, rows: &[RowView]) -> Result<(), Failed> {
    if of(figure)?.is_some_and(|content| content == block(figure, rows)) {
        return Ok(());
    }
    let renew = "UPDATE_DOCS=1 cargo test --test validation";
    Err(format!("docs/validation.md is out of date: {renew} {}\n\nall results:\n{}", figure.id, table(rows)).into())
}

/// What git answers, where there is git and it does.
fn git(parameters: &[&str]) -> Option<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");
    let output = Command::new("git").args(["-C", folder]).args(parameters).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Writes at which commit every seed has been run, where git knows it.
pub fn write_commit() {
    let Some(commit) = git(&["rev-parse", "HEAD"]) else { return };
    let changed = git(&["status", "--porcelain", "--", "wasm-core", "scenarios"]).is_none_or(|files| !files.is_empty());
    let text = read().expect("the document is there");
    let line = text
        .lines()
        .find(|line| line.starts_with(BEFORE_COMMIT))
        .expect("the document has a line of the last full run");
    let with = if changed { WITH_CHANGES } else { "" };
    let text = text.replace(line, &format!("{BEFORE_COMMIT}{commit}{AFTER_COMMIT}{with}."));
    fs::write(DOCUMENT, text).expect("the document can be written");
}

/// Fails where the document does not say at which commit every seed was last run, or names one that this is not built upon. What
/// git does not know, as in a clone without history, it cannot say.
pub fn check_commit() -> Result<(), Failed> {
    let text = read()?;
    let named = text.split_once(BEFORE_COMMIT).and_then(|(_, rest)| rest.split_once(AFTER_COMMIT));
    let commit = named.map_or("", |(commit, _)| commit);
    if commit.len() != 40 || !commit.bytes().all(|letter| letter.is_ascii_hexdigit()) {
        return Err(format!("docs/validation.md names no commit after {BEFORE_COMMIT:?}").into());
    }
    let is_there = git(&["cat-file", "-e", commit]).is_some();
    if is_there && git(&["merge-base", "--is-ancestor", commit, "HEAD"]).is_none() {
        return Err(format!("docs/validation.md names {commit}, which is no ancestor of what is checked out").into());
    }
    Ok(())
}

/// The sections of the document that explain deviations, by their headings, as Markdown.
pub fn causes(figures: &[Figure]) -> Result<BTreeMap<String, String>, Failed> {
    let text = read()?;
    let sections = text.split("\n### ").skip(1).filter_map(|section| section.split_once('\n'));
    let named: BTreeSet<&String> =
        figures.iter().flat_map(|figure| &figure.deviations).map(|deviation| &deviation.cause).collect();
    let causes = sections.filter(|(heading, _)| named.contains(&(*heading).to_owned())).map(|(heading, rest)| {
        let content = rest.split("\n## ").next().unwrap_or_default();
        (heading.to_owned(), content.trim().to_owned())
    });
    Ok(causes.collect())
}

/// Fails where the document has the table of a figure that there is not, lacks the section of a cause, or has other counts than the
/// README says.
pub fn check_whole(figures: &[Figure], tallies: &[Tally]) -> Result<(), Failed> {
    let text = read()?;
    let mut diagnostics = Vec::new();
    let tally = Tally::sentence(tallies);
    if !fs::read_to_string(README)?.contains(&tally) {
        diagnostics.push(format!("README.md has other counts than docs/validation.md: write {tally:?}"));
    }
    for block in text.split(BEFORE_ID).skip(1) {
        let id = block.split_once(AFTER_ID).map_or(block, |(id, _)| id);
        if !figures.iter().any(|figure| figure.id == id) {
            diagnostics.push(format!("there is no figure {id}: take its table out"));
        }
    }
    let causes = causes(figures)?;
    for cause in figures.iter().flat_map(|figure| &figure.deviations).map(|deviation| &deviation.cause) {
        if !causes.contains_key(cause) {
            diagnostics.push(format!("there is no section {cause:?} that explains a deviation"));
        }
    }
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics.join("\n").into()) }
}
