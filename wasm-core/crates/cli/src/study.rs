//! `qoscope study`, `sweep`, `sensitivity` and `search`.

mod export;
mod show;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use qoscope_campaign::Campaign;
use qoscope_engine::scenario;
use qoscope_engine::text::{about_time, counted};
use qoscope_host::files::{self, Kind};
use qoscope_host::shorthand::{self, Wishes, Written};
use qoscope_host::traces::Shelf;
use qoscope_host::{Coordinator, Counts, cores, session, speed};
use qoscope_store::Store;
use qoscope_study::{Answer, Study, suggest};
use serde_json::{Map, Value, json};

use self::export::Report;
use crate::drive::drive;
use crate::failure::Failure;
use crate::input::assignment;
use crate::series::{FileFormat, save};
use crate::table::grouped;
use crate::traces::{shelf, tell};

/// What is done with a study.
#[derive(Subcommand)]
pub enum StudyCommand {
    /// Make the runs of a study on every core, and print its table and its answer.
    Run {
        #[command(flatten)]
        file: StudyFile,
        #[command(flatten)]
        runs: Runs,
    },
    /// Check a study on its scenario and name all its diagnostics.
    Validate {
        #[command(flatten)]
        file: StudyFile,
    },
    /// Print what a study costs, before any of it is run: points, runs, time on this machine, memory.
    Cost {
        #[command(flatten)]
        file: StudyFile,
        /// Make so many runs at once; as many as there are cores otherwise.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
        jobs: Option<u32>,
        /// How to print it.
        #[arg(long, value_enum, default_value_t = crate::RunFormat::Table)]
        format: crate::RunFormat,
    },
}

/// A study and the traces of its scenario.
#[derive(Args)]
pub struct StudyFile {
    /// The study, a JSON file or the name of one in scenarios/studies; - reads standard input. A scenario that it names is looked for in
    /// the folder above it, and beside it.
    file: PathBuf,
    /// Where a trace of the scenario is, if not beside its file: --trace web.spc=/data/web.spc.gz. May be given several times.
    #[arg(long = "trace", value_name = "NAME=PATH")]
    traces: Vec<String>,
}

/// How runs are made, and where results go.
#[derive(Args)]
pub struct Runs {
    /// Make so many runs at once; as many as there are cores otherwise.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Keep every result in this folder as it comes, and make no run whose result is there. Several processes may share it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the results that --out has: it is an error if there are none.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Make only the runs of part I of N, as in --shard 3/8: for job arrays. The others are left to the other parts.
    #[arg(long, value_name = "I/N", requires = "out", value_parser = shard)]
    shard: Option<(u32, u32)>,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    format: TableFormat,
    /// Also write the table to a file ending in .csv, .parquet or .json.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum TableFormat {
    Table,
    Json,
    Csv,
}

/// A shard, counted from 0, of so many.
fn shard(text: &str) -> Result<(u32, u32), String> {
    let numbers =
        text.split_once('/').and_then(|(part, of)| Some((part.parse::<u32>().ok()?, of.parse::<u32>().ok()?)));
    numbers
        .filter(|(part, of)| (1..=*of).contains(part))
        .map(|(part, of)| (part - 1, of))
        .ok_or_else(|| "give I/N, as in 3/8: part 3 of 8, counted from 1".to_owned())
}

/// What the commands have in common that take a study on the command line.
#[derive(Args)]
struct OnScenario {
    /// The scenario, a JSON file or the name of one in scenarios; - reads standard input.
    scenario: PathBuf,
    /// Change a field in every run, as in --set durationUs=5000. May be given several times.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
    /// Seeds of every point.
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// The first of them; that of the scenario otherwise.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Measure this: an expression over the summary, as in "classes['High'].latencyUs.p99" or "Drops=network.drops"; {class} in it stands for
    /// every class. May be given several times.
    #[arg(long = "measure", value_name = "[TITLE=]EXPR")]
    measures: Vec<String>,
    /// Where a trace of the scenario is, if not beside it: --trace web.spc=/data/web.spc.gz. May be given several times.
    #[arg(long = "trace", value_name = "NAME=PATH")]
    traces: Vec<String>,
    /// Write the study to this file, and run nothing; - is standard output.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
}

/// `qoscope sweep`.
#[derive(Args)]
pub struct SweepArguments {
    #[command(flatten)]
    on: OnScenario,
    /// Vary this: PATH=FROM:TO:COUNT, with log before COUNT for equal ratios, or PATH=VALUE,VALUE. May be given up to three times.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    vary: Vec<String>,
    /// Add seeds where a 95 % interval is wider than this to either side: in percent of the mean, as in 2%, or in the unit of the measure.
    #[arg(long, value_name = "WIDTH")]
    within: Option<String>,
    /// Add up to so many points where the curve bends.
    #[arg(long, value_name = "N")]
    bends: Option<u32>,
}

/// `qoscope sensitivity`.
#[derive(Args)]
pub struct SensitivityArguments {
    #[command(flatten)]
    on: OnScenario,
    /// Vary this, and not every field that has an effect: PATH=FROM:TO:COUNT or PATH=VALUE,VALUE. May be given several times.
    #[arg(long, value_name = "PATH=VALUES")]
    vary: Vec<String>,
    /// Walks through the fields, each of which changes every field once.
    #[arg(long, value_name = "N")]
    walks: Option<u32>,
    /// Levels of each range.
    #[arg(long, value_name = "N")]
    levels: Option<u32>,
}

/// `qoscope search`.
#[derive(Args)]
pub struct SearchArguments {
    #[command(flatten)]
    on: OnScenario,
    /// What must hold: a measure, < or > and a number, as in "classes['High'].latencyUs.p99 < 300". May be given several times.
    #[arg(long = "want", value_name = "EXPR<NUMBER", required = true)]
    wants: Vec<String>,
    /// What may be set: PATH=FROM:TO:COUNT, with log before COUNT for equal ratios, or PATH=VALUE,VALUE. May be given several times.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    free: Vec<String>,
    /// What is to be least: a free field or a measure. Of two things that are asked for, those to be least come first.
    #[arg(long, value_name = "PATH|EXPR")]
    least: Vec<String>,
    /// What is to be most: a free field or a measure.
    #[arg(long, value_name = "PATH|EXPR")]
    most: Vec<String>,
    /// Share of seeds under which each target must hold.
    #[arg(long, value_name = "SHARE")]
    confidence: Option<f64>,
    /// Unseen seeds under which the answer is confirmed.
    #[arg(long, value_name = "N")]
    confirm: Option<u32>,
    /// Most runs that the search may make.
    #[arg(long, alias = "most-runs", value_name = "N")]
    max_runs: Option<u32>,
}

/// `qoscope study`.
pub fn study(command: &StudyCommand, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        StudyCommand::Run { file, runs } => {
            let (study, document, traces) = file.read()?;
            run(study, &document, &traces, runs, out)
        }
        StudyCommand::Validate { file } => {
            let (study, document, traces) = file.read()?;
            let session = session(study, &document, &traces)?;
            let cost = session.cost();
            let title = &session.study().title;
            let about = if cost.is_usual { "about " } else { "" };
            writeln!(
                out,
                "{} is a valid study: {}, {about}{}",
                file.file.display(),
                scenario::quoted(title),
                counted(cost.runs, "run")
            )?;
            Ok(())
        }
        StudyCommand::Cost { file, jobs, format } => {
            let (study, document, traces) = file.read()?;
            cost(study, &document, &traces, threads(*jobs), *format, out)
        }
    }
}

/// `qoscope sweep`.
pub fn sweep(arguments: &SweepArguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut ask = json!({ "kind": "sweep" });
    if let Some(within) = &arguments.within {
        let (name, text) = within.strip_suffix('%').map_or(("absolute", within.as_str()), |text| ("percent", text));
        let width: f64 = text.trim().parse().map_err(|_| {
            Failure::Input(format!("--within takes a width, as in 2% or in 0.5; {} is none.", scenario::quoted(within)))
        })?;
        ask["within"] = json!({ name: width });
    }
    ask = with(ask, [("bends", arguments.bends)]);
    arguments.on.ask("--vary", &arguments.vary, ask, None, out)
}

/// `qoscope sensitivity`.
pub fn sensitivity(arguments: &SensitivityArguments, out: &mut impl Write) -> Result<(), Failure> {
    let ask = with(json!({ "kind": "sensitivity" }), [("walks", arguments.walks), ("levels", arguments.levels)]);
    arguments.on.ask("--vary", &arguments.vary, ask, None, out)
}

/// `qoscope search`.
pub fn search(arguments: &SearchArguments, out: &mut impl Write) -> Result<(), Failure> {
    let ask = with(json!({ "kind": "search" }), [("confirm", arguments.confirm), ("maxRuns", arguments.max_runs)]);
    let wishes = Wishes {
        option: "--want",
        wants: &arguments.wants,
        confidence: arguments.confidence,
        least: &arguments.least,
        most: &arguments.most,
        preference_options: ["--least", "--most"],
    };
    arguments.on.ask("--free", &arguments.free, ask, Some(&wishes), out)
}

/// What is asked, with the fields that are given.
fn with<const N: usize>(mut ask: Value, fields: [(&str, Option<u32>); N]) -> Value {
    for (name, value) in fields {
        if let Some(value) = value {
            ask[name] = value.into();
        }
    }
    ask
}

impl StudyFile {
    /// The study, the document of its scenario, and where its traces are.
    fn read(&self) -> Result<(Study, Value, Shelf), Failure> {
        let (file, text) = Kind::Study.open(&self.file)?;
        let study = Study::read(&text).map_err(|found| Kind::Study.named(found))?;
        let (document, folder) = files::scenario_of(&study, file.parent().unwrap_or(Path::new("")))?;
        Ok((study, document, shelf(&folder, &self.traces)?))
    }
}

impl OnScenario {
    /// Runs the study that the command line asks for, or writes it.
    fn ask(
        &self,
        option: &'static str,
        vary: &[String],
        ask: Value,
        wishes: Option<&Wishes<'_>>,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let (file, text) = Kind::Scenario.open(&self.scenario)?;
        let document = scenario::parse(&text).map_err(|diagnostic| vec![diagnostic])?;
        let suggested = suggest(&document)?.measures;
        let set = self.sets.iter().map(|text| assignment(text).map(|(path, value)| (path.to_owned(), value)));
        let written = Written {
            document: &document,
            set: set.collect::<Result<_, Failure>>()?,
            vary,
            option,
            measures: &self.measures,
            suggested: &suggested,
            seeds: self.seeds,
            first_seed: self.seed,
        };
        let mut study = shorthand::study(&written, ask, wishes)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        if let Some(into) = &self.write {
            study["scenario"] = reference(&file, &document, into);
            let read = Study::read(&study.to_string())?;
            session(read.clone(), &document, &shelf(folder, &self.traces)?)?;
            let text = serde_json::to_string_pretty(&read).map_err(io::Error::from)?;
            return if into == Path::new("-") {
                writeln!(out, "{text}").map_err(Failure::from)
            } else {
                save(into, |out| writeln!(out, "{text}"))
            };
        }
        run(Study::read(&study.to_string())?, &document, &shelf(folder, &self.traces)?, &self.runs, out)
    }
}

/// How a study in a file refers to a scenario: by name where the name leads to it from there, else by all of it.
fn reference(file: &Path, document: &Value, into: &Path) -> Value {
    let name = file.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
    let folder = into.parent().unwrap_or(Path::new(""));
    match files::scenario_near(folder, name) {
        Ok(found) if found == *document => name.into(),
        _ => document.clone(),
    }
}

/// Threads that make runs.
fn threads(jobs: Option<u32>) -> usize {
    jobs.map_or_else(cores, |jobs| jobs as usize)
}

/// Makes the runs of a study and prints what it comes to.
fn run(study: Study, document: &Value, traces: &Shelf, runs: &Runs, out: &mut impl Write) -> Result<(), Failure> {
    let format_of = |file| FileFormat::of(file, "--table", FileFormat::OF_TABLES).map(|format| (file, format));
    let file = runs.table.as_deref().map(format_of).transpose()?;
    if let Some(folder) = runs.out.as_deref().filter(|folder| runs.resume && !Store::is_in(folder)) {
        return Err(Failure::Input(format!(
            "{} has no results to go on with: leave out --resume to begin there.",
            folder.display()
        )));
    }
    let out_folder = runs.out.as_deref();
    let mut coordinator = Coordinator::new(session(study, document, traces)?, out_folder, runs.shard)?;
    let took = drive(&mut coordinator, traces, threads(runs.jobs), out_folder)?;
    tell_of_runs(&coordinator.counts(), took, out_folder);
    let session = coordinator.campaign_mut();
    let answer = session.answer().transpose()?;
    let table = session.table();
    if answer.is_none() {
        return Ok(());
    }
    let report = Report { study: session.study(), table: &table, answer: answer.as_ref() };
    if let Some((file, format)) = file {
        save(file, |out| match format {
            FileFormat::Csv => export::write_csv(&table, out),
            FileFormat::Parquet => export::write_parquet(&table, out),
            FileFormat::Json => report.write(out),
        })?;
    }
    match runs.format {
        TableFormat::Json => report.write(out)?,
        TableFormat::Csv => export::write_csv(&table, out)?,
        TableFormat::Table => {
            writeln!(out, "{}\n", report.study.title)?;
            show::print(&table, answer.as_ref(), out)?;
        }
    }
    match answer {
        Some(Answer::Search(found)) if found.is_stopped => Err(Failure::NotFound),
        Some(Answer::Search(found)) if !found.is_met => Err(Failure::Unmet),
        _ => Ok(()),
    }
}

/// Says on standard error what became of the runs.
fn tell_of_runs(done: &Counts, took: Duration, out: Option<&Path>) {
    let mut parts = vec![format!("{} made in {:.1} s", counted(done.made, "run"), took.as_secs_f64())];
    if let Some(folder) = out.filter(|_| done.known > 0) {
        parts.push(format!("{} known from {}", grouped(done.known), folder.display()));
    }
    if done.failed > 0 {
        parts.push(format!("{} failed", grouped(done.failed)));
    }
    eprintln!("{}.", parts.join(", "));
    if done.left > 0 {
        eprintln!(
            "{} left to the other shards. Once they are done, the same command without --shard prints the table.",
            if done.left == 1 { "1 run is".to_owned() } else { format!("{} runs are", grouped(done.left)) }
        );
    }
}

/// Prints what a study costs.
fn cost(
    study: Study,
    document: &Value,
    traces: &Shelf,
    jobs: usize,
    format: crate::RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let mut session = session(study, document, traces)?;
    let cost = session.cost();
    // Of the first run, if there is one.
    let first = session.next(1);
    let document = first.first().and_then(|request| session.scenario(request.id));
    let speed = document.map(|document| speed(&document, traces)).transpose();
    tell(traces);
    let speed = speed?;
    // No more runs at once than there are.
    let at_once = (jobs as u64).min(cost.runs.max(1));
    let seconds = speed.map(|speed| cost.events / speed / at_once as f64);
    if let crate::RunFormat::Json = format {
        let mut value = serde_json::to_value(&cost).map_err(io::Error::from)?;
        let further = [("eventsPerSecond", json!(speed)), ("jobs", json!(jobs)), ("seconds", json!(seconds))];
        value.as_object_mut().into_iter().for_each(|fields: &mut Map<String, Value>| {
            fields.extend(further.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        });
        writeln!(out, "{value:#}")?;
        return Ok(());
    }
    let runs = if cost.max_runs > cost.runs {
        let about = if cost.is_usual { "about " } else { "" };
        format!("{about}{}, {} at most", grouped(cost.runs), grouped(cost.max_runs))
    } else {
        grouped(cost.runs)
    };
    let facts = [
        ("points", grouped(cost.points)),
        ("runs", runs),
        (
            "time",
            seconds.map_or_else(
                || "none".into(),
                |seconds| format!("{} on {}", about_time(seconds), counted(at_once, "core")),
            ),
        ),
        ("memory", megabytes(cost.memory_bytes * at_once as f64)),
        ("results", format!("{} in --out", megabytes(cost.kept_bytes))),
    ];
    facts.iter().try_for_each(|(name, value)| writeln!(out, "{name:<16}{value}"))?;
    Ok(())
}

/// Bytes as a person is told them.
fn megabytes(bytes: f64) -> String {
    match bytes / 1e6 {
        few if few < 1.0 => "less than 1 MB".into(),
        some => format!("about {some:.0} MB"),
    }
}
