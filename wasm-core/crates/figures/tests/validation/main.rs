//! Holds the figures of `scenarios/figures/` against what was published, and every committed scenario against what it gave before.
//!
//! A run gives the same result every time, so what it gave is kept as digests (`tests/digests.json`). By default each set-up is run
//! once, under the seed of its scenario's file; a figure whose digest is another one is run under all of its seeds, as all are
//! with `FULL=1`. That fails where a verdict is no longer what it was, and where `docs/validation.md` says something else than the
//! runs do.
//!
//! What the runs gave is also kept for the page (`scenarios/results/figures.json`): rows as the document has them, and the pictures of
//! the plots.
//!
//! Every figure and every scenario is a test of its own, by its name: `cargo test --test validation paper1-fig8`.
//! `UPDATE_DIGESTS=1` writes the digests, those of a figure once its table holds under all of its seeds; `UPDATE_DOCS=1` runs every
//! seed and writes the tables, the results for the page and the digests of the figures.

mod digests;
mod document;
mod plots;
mod record;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, thread};

use libtest_mimic::{Arguments, Failed, Trial};
use qoscope_figures::{Figure, Outcomes, Picture, Results, Row, RowView, Run, Seeds, table};
use serde_json::Value;

const SCENARIOS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenarios");

/// What reads the document of a scenario, by its name.
type Reader = fn(&str) -> Result<Value, String>;

/// The results that have been made.
static OUTCOMES: LazyLock<Outcomes<Reader>> = LazyLock::new(|| Outcomes::new(scenario));

/// Whether the tests were asked for something, by a variable of the environment.
fn asked(variable: &str) -> bool {
    env::var_os(variable).is_some()
}

/// Reads the document of a scenario.
fn scenario(name: &str) -> Result<Value, String> {
    qoscope_committed::find(name)
}

/// Reads the figure of a file, whose name is its id.
fn figure(name: &str) -> Result<Figure, Failed> {
    let figure = Figure::read(&fs::read_to_string(format!("{SCENARIOS}/figures/{name}.json"))?).map_err(|found| {
        let lines = found.iter().map(|found| format!("\n{} {}. {}", found.path, found.reason, found.hint));
        format!("scenarios/figures/{name}.json:{}", lines.collect::<String>())
    })?;
    if figure.id == name {
        Ok(figure)
    } else {
        Err(format!("{name} is named otherwise than its id, {}", figure.id).into())
    }
}

/// The names of the files in a folder, without their ending, in order.
fn names(folder: &str) -> Vec<String> {
    let entries =
        fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a readable entry").path());
    let name = |file: &Path| file.file_stem().expect("a named file").to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.filter(|path| path.is_file()).map(|file| name(&file)).collect();
    names.sort();
    names
}

/// What the runs and models of a figure give, several made at a time.
fn results(figure: &Figure, seeds: Seeds) -> Result<Results, Failed> {
    let needed = figure.needs(seeds);
    let next = AtomicUsize::new(0);
    let workers = thread::available_parallelism().map_or(1, NonZero::get).min(needed.len());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((run, seed)) = needed.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _ = OUTCOMES.of_run(run, *seed); // kept for when it is asked for below
                }
            });
        }
    });
    Ok(OUTCOMES.of(figure, seeds)?)
}

/// Fails with all that is wrong with the rows of a figure at once.
fn check(rows: &[Row]) -> Result<(), Failed> {
    let diagnostics: Vec<String> = rows.iter().filter_map(Row::diagnostic).collect();
    if diagnostics.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n\nall results:\n{}", diagnostics.join("\n"), table(&views(rows))).into())
}

fn views(rows: &[Row]) -> Vec<RowView> {
    rows.iter().map(Row::view).collect()
}

/// What the plot of a figure shows of its results, and of runs that are made for their curves.
fn picture(figure: &Figure, results: &Results) -> Result<Option<Picture>, Failed> {
    let mut made = BTreeMap::new();
    let mut finished = |name: &str| {
        if let Some(run) = made.get(name) {
            return Ok(Rc::clone(run));
        }
        let run = figure.runs.iter().find(|run| run.name == name).ok_or("there is no such run")?;
        let run = Rc::new(run.finished(&scenario(&run.scenario)?)?);
        made.insert(name.to_owned(), Rc::clone(&run));
        Ok(run)
    };
    Ok(figure.picture(results, &mut finished)?)
}

/// Holds a figure against its digest, and where that is another one, or all seeds are asked for, against what was published.
fn validate(figure: &Figure) -> Result<(), Failed> {
    let once = results(figure, Seeds::OfFile)?;
    let is_known = || Ok::<_, Failed>(digests::is_known(figure, &digests::of_figure(figure, &once)?));
    if !asked("FULL") && !asked("UPDATE_DOCS") && is_known()? {
        return record::check_as_documented(figure);
    }
    let all = results(figure, Seeds::All)?;
    let rows = figure.rows(&all)?;
    let now = record::now(figure, &all, picture(figure, &all)?)?;
    if asked("UPDATE_DOCS") {
        document::update(figure, &now.rows)?;
        record::update(figure, &now)?;
    }
    check(&rows)?;
    document::check(figure, &now.rows)?;
    record::check(figure, &now)?;
    digests::hold_figure(figure, digests::of_figure(figure, &once)?)
}

/// Holds a scenario as it stands against the digest that it gave before.
fn hold(scenario: String) -> Result<(), Failed> {
    let summary = OUTCOMES.of_run(&Run::of(&scenario), None)?;
    digests::hold_scenario(scenario, summary["digest"].as_str().ok_or("a summary has a digest")?.to_owned())
}

fn main() -> ExitCode {
    let scenarios = qoscope_committed::names();
    let figures: Vec<(String, Result<Figure, Failed>)> =
        names(&format!("{SCENARIOS}/figures")).into_iter().map(|name| (name.clone(), figure(&name))).collect();
    let readable: Vec<Figure> = figures.iter().filter_map(|(_, figure)| figure.as_ref().ok().cloned()).collect();
    let ids: Vec<String> = figures.iter().map(|(name, _)| name.clone()).collect();
    let known = scenarios.clone();
    let [recorded, plotted, written] = [readable.clone(), readable.clone(), readable.clone()];
    let mut trials = vec![
        Trial::test("the_document_holds_the_figures_there_are", move || {
            document::check_whole(&readable, &record::tally(&readable))
        }),
        Trial::test("the_results_for_the_page_are_those_of_the_document", move || record::check_whole(&recorded)),
        Trial::test("every_figure_has_a_plot_of_what_was_published", move || plots::check(&plotted)),
        Trial::test("the_document_names_the_commit_of_the_last_full_run", document::check_commit),
        Trial::test("the_digests_are_of_what_there_is", move || digests::check_whole(&known, &ids)),
    ];
    trials.extend(figures.into_iter().map(|(name, figure)| Trial::test(name, move || validate(&figure?))));
    trials
        .extend(scenarios.into_iter().map(|name| Trial::test(name.clone(), move || hold(name)).with_kind("scenario")));
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    if asked("UPDATE_DOCS") {
        record::write_whole(&written).expect("the results can be written");
    }
    if asked("UPDATE_DOCS") && conclusion.num_filtered_out == 0 && !conclusion.has_failed() {
        document::write_commit();
    }
    conclusion.exit_code()
}
