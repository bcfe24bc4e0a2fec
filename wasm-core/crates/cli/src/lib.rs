//! The command `qoscope`: scenarios in, tables, JSON, CSV and Parquet out. A program of the system and the Python package run it.
//!
//! Thin: it reads files and the clock for the engine, which does neither, and prints what the engine finds. Exit codes:
//!
//! | code | meaning |
//! |---|---|
//! | 0 | success |
//! | 1 | an output could not be written, or a lesson or a figure does not hold |
//! | 2 | bad input: every diagnostic is on standard error |
//! | 3 | no settings meet the targets, or the jobs match no drive of the model |
//! | 4 | a search ended before it looked at all settings, without an answer |
//! | 130 | stopped by Ctrl+C |

mod drive;
mod dtm;
mod explain;
mod failure;
mod figure;
mod follow;
mod input;
mod lesson;
mod network;
mod plan;
mod rack;
mod run;
mod series;
mod study;
mod table;
mod traces;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};
use qoscope_engine::access::Operation;
use qoscope_engine::catalogue;
use qoscope_engine::scenario::{self, network_files};
use qoscope_engine::simulation;
use qoscope_engine::simulation::follow::MAX_REQUESTS;
use qoscope_engine::workload::traces::{Format, Traces};
use qoscope_host::files::Kind;

use crate::drive::DriveOptions;
use crate::failure::Failure;
use crate::follow::Chosen;
use crate::input::Edits;

/// Explores quality of service in networked storage: packet simulation and discrete-time model of a scenario.
#[derive(Parser)]
#[command(name = "qoscope", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scenario packet by packet.
    Run(RunArguments),
    /// Follow one request through ports, wires, target and device, and back: the slowest of some, or the next.
    Follow(FollowArguments),
    /// Compute the discrete-time model of a scenario.
    Dtm(DtmArguments),
    /// Plan capacity for the contracts of a scenario: what they need, who can be admitted, how tenants fare under every
    /// scheduler, and the contracts that their workloads suggest.
    Plan(PlanArguments),
    /// Play a lesson under several seeds: what it asserts, its right and wrong answers and its solutions, each held or not.
    Lesson {
        /// The lesson, a JSON file or the name of one in scenarios/lessons; scenarios that it names are looked for in the folder
        /// above it, and next to it.
        file: PathBuf,
        /// The number of seeds to play it under, starting at 1.
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
        seeds: u32,
        #[command(flatten)]
        options: DriveOptions,
        /// How to print the result.
        #[arg(long, value_enum, default_value_t = RunFormat::Table)]
        format: RunFormat,
    },
    /// Run a figure again with all its seeds, on every core: its table, the verdict on each row, and the digest of its results.
    Figure {
        /// The figure, a JSON file or the name of one in scenarios/figures; scenarios that it names are looked for in the folder above
        /// it, and beside it.
        file: PathBuf,
        /// Run at most this many seeds, at least two. Fewer seeds give wider intervals.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
        seeds: Option<u32>,
        #[command(flatten)]
        options: DriveOptions,
        /// How to print the result.
        #[arg(long, value_enum, default_value_t = RunFormat::Table)]
        format: RunFormat,
    },
    /// Ask how a scenario depends on its settings, what matters in it, or what settings meet targets: run, check or price a study.
    #[command(subcommand)]
    Study(study::StudyCommand),
    /// Vary up to three fields of a scenario: each measure with its 95 % interval at every point.
    Sweep(study::SweepArguments),
    /// Rank the fields of a scenario by how far they move its measures.
    Sensitivity(study::SensitivityArguments),
    /// Find settings that meet targets, and of those the best. Exit code 3 where none do.
    Search(study::SearchArguments),
    /// Check a scenario and name all its diagnostics.
    Validate {
        /// The scenario, a JSON file or the name of one in scenarios; - reads standard input.
        file: PathBuf,
    },
    /// Print the value in force of every field of a scenario, where it comes from, and why it has no effect where it has none.
    Explain(ExplainArguments),
    /// Read a block trace and print what it holds: format, requests, volumes, bad lines.
    Trace(TraceArguments),
    /// Read the network of a file, or write that of a scenario into one: edge lists and the topology files of HPCC.
    #[command(subcommand)]
    Network(NetworkCommand),
    /// Export the settings of a scenario to other tools, and report for every field whether it is exported exactly, roughly or not at
    /// all.
    Export {
        #[command(flatten)]
        source: Source,
        /// The tool.
        #[arg(long, value_enum)]
        to: rack::Tool,
        /// Write the files into this folder. Without it a single file is printed.
        #[arg(long, value_name = "FOLDER")]
        out: Option<PathBuf>,
        /// How to print what became of every field.
        #[arg(long, value_enum, default_value_t = RunFormat::Table)]
        format: RunFormat,
    },
    /// Put the jobs of fio's job files onto a scenario, as its workloads, and say of every line what became of it.
    Workloads(rack::WorkloadsArguments),
    /// Fit a drive to what fio measured of it: parameters with intervals, errors of every job, and of jobs that were held out.
    Fit(rack::FitArguments),
    /// Print what we recommend, and why: a page in Markdown to hand on, of a scenario, a run of it, and a study.
    Report {
        #[command(flatten)]
        traced: TracedSource,
        /// Results of a study of the scenario, as study run --format json writes them.
        #[arg(long, value_name = "FILE")]
        study: Option<PathBuf>,
    },
    /// Print a scenario in the present version of the format.
    Migrate {
        /// The scenario, a JSON file or the name of one in scenarios; - reads standard input.
        file: PathBuf,
    },
    /// Print the JSON Schema of a format.
    Schema {
        /// Of which documents.
        #[arg(long, value_enum, default_value_t = Document::Scenario)]
        of: Document,
    },
    /// Print everything that scenarios can say, transports can do and runs measure, as JSON.
    Catalogue,
}

/// The scenario and what the command line changes in it.
#[derive(Args)]
struct Source {
    /// The scenario, a JSON file or the name of one in scenarios; - reads standard input.
    file: PathBuf,
    /// Change a field, as in --set switch.ecnThresholdPackets=40. May be given several times.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
    /// Change the seed.
    #[arg(long)]
    seed: Option<u64>,
    /// Change the simulated time, in microseconds.
    #[arg(long, value_name = "N")]
    duration_us: Option<f64>,
}

/// A scenario and the traces that it names.
#[derive(Args)]
struct TracedSource {
    #[command(flatten)]
    source: Source,
    /// Where a trace of the scenario is, if not beside it: --trace web.spc=/data/web.spc.gz. May be given several times.
    #[arg(long = "trace", value_name = "NAME=PATH")]
    traces: Vec<String>,
}

#[derive(Args)]
struct RunArguments {
    #[command(flatten)]
    traced: TracedSource,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
    /// Also write the sampled series to a file ending in .csv or .parquet.
    #[arg(long, value_name = "FILE")]
    series: Option<PathBuf>,
}

#[derive(Args)]
struct FollowArguments {
    #[command(flatten)]
    traced: TracedSource,
    /// Class of the request; the first class otherwise.
    #[arg(long, value_name = "NAME")]
    class: Option<String>,
    /// Only reads, or only writes.
    #[arg(long, value_enum)]
    only: Option<Only>,
    /// Look at requests from this instant on, in microseconds.
    #[arg(long, value_name = "N", default_value_t = 0.0, value_parser = instant, allow_negative_numbers = true)]
    from_us: f64,
    /// Follow the slowest of so many requests.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_REQUESTS)))]
    slowest_of: u32,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum Only {
    Reads,
    Writes,
}

/// An instant on the command line.
fn instant(text: &str) -> Result<f64, String> {
    let us = text.parse::<f64>().ok().filter(|us| (0.0..=1e12).contains(us));
    us.ok_or_else(|| "give microseconds since the start of the run, 0 or more".to_owned())
}

#[derive(Args)]
struct PlanArguments {
    #[command(flatten)]
    traced: TracedSource,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

#[derive(Args)]
struct TraceArguments {
    /// The trace, plain or gzip.
    file: PathBuf,
    /// Format of its lines: spc, msr, systor, tencent, alibaba, mqsim, fio, blkparse. Told from the first lines otherwise.
    #[arg(long, value_name = "FORMAT", value_parser = trace_format)]
    trace_format: Option<Format>,
    /// List only this volume. May be given several times.
    #[arg(long = "volume", value_name = "NAME")]
    volumes: Vec<String>,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

#[derive(Subcommand)]
enum NetworkCommand {
    /// Read a file and print its network as a shape of a scenario, or a scenario on it.
    Read {
        /// The file, of either format; - reads standard input.
        file: PathBuf,
        /// Print this scenario on the network: hosts that it lacks are replaced by hosts of the network.
        #[arg(long, value_name = "SCENARIO")]
        into: Option<PathBuf>,
    },
    /// Write the network of a scenario.
    Write {
        #[command(flatten)]
        source: Source,
        /// Format of the file: edges, an edge list; hpcc, the topology file of the simulator of HPCC.
        #[arg(long, value_name = "FORMAT", value_parser = network_format)]
        to: network_files::Format,
    },
}

/// The format of a name on the command line.
fn network_format(name: &str) -> Result<network_files::Format, String> {
    network_files::Format::from_id(name).ok_or_else(|| {
        let known: Vec<&str> = network_files::Format::ALL.into_iter().map(network_files::Format::id).collect();
        format!("known are {}", known.join(", "))
    })
}

/// The format of a name on the command line.
fn trace_format(name: &str) -> Result<Format, String> {
    Format::from_id(name).ok_or_else(|| {
        let known: Vec<&str> = Format::ALL.into_iter().map(Format::id).collect();
        format!("known are {}", known.join(", "))
    })
}

#[derive(Args)]
struct ExplainArguments {
    #[command(flatten)]
    source: Source,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

#[derive(Args)]
struct DtmArguments {
    #[command(flatten)]
    source: Source,
    /// How to print the result. JSON holds the decimated curves of a chart, CSV every slot.
    #[arg(long, value_enum, default_value_t = DtmFormat::Table)]
    format: DtmFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum Document {
    Scenario,
    Figure,
    Lesson,
    Study,
}

#[derive(Clone, Copy, ValueEnum)]
enum RunFormat {
    Table,
    Json,
}

#[derive(Clone, Copy, ValueEnum)]
enum DtmFormat {
    Table,
    Json,
    Csv,
}

impl Source {
    fn load(&self) -> Result<scenario::Scenario, Failure> {
        let edits = Edits { sets: &self.sets, seed: self.seed, duration_us: self.duration_us };
        input::load(&self.file, &edits)
    }
}

impl TracedSource {
    /// The traces that the scenario names: beside its file, or where the command line says.
    fn traces(&self, scenario: &scenario::Scenario) -> Result<Traces, Failure> {
        let file = Kind::Scenario.find(&self.source.file)?;
        let shelf = traces::shelf(file.parent().unwrap_or(Path::new("")), &self.traces)?;
        let traces = shelf.of(scenario)?;
        traces::tell(&shelf);
        Ok(traces)
    }
}

/// Runs the command of a command line, whose first argument is the program's name, and gives the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        // Help and version are such errors too, with the exit code 0.
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let mut out = io::BufWriter::new(io::stdout().lock());
    let done = execute(&arguments.command, &mut out).and_then(|()| out.flush().map_err(Failure::from));
    match done {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    }
}

fn execute(command: &Command, out: &mut impl Write) -> Result<(), Failure> {
    match command {
        Command::Run(arguments) => {
            let scenario = arguments.traced.source.load()?;
            scenario::warnings(&scenario).iter().for_each(|warning| eprintln!("{warning}"));
            let traces = arguments.traced.traces(&scenario)?;
            run::run(&scenario, &traces, arguments.series.as_deref(), arguments.format, out)
        }
        Command::Follow(arguments) => {
            let scenario = arguments.traced.source.load()?;
            let traces = arguments.traced.traces(&scenario)?;
            let operation = arguments.only.map(|only| match only {
                Only::Reads => Operation::Read,
                Only::Writes => Operation::Write,
            });
            let FollowArguments { from_us, slowest_of: of, .. } = *arguments;
            let chosen = Chosen { class: arguments.class.as_deref(), operation, from_us, of };
            follow::follow(&scenario, &traces, chosen, arguments.format, out)
        }
        Command::Trace(arguments) => {
            traces::describe(&arguments.file, arguments.trace_format, &arguments.volumes, arguments.format, out)
        }
        Command::Network(NetworkCommand::Read { file, into }) => network::read(file, into.as_deref(), out),
        Command::Network(NetworkCommand::Write { source, to }) => {
            out.write_all(network_files::write(&source.load()?, *to).as_bytes())?;
            Ok(())
        }
        Command::Plan(arguments) => {
            let scenario = arguments.traced.source.load()?;
            let traces = arguments.traced.traces(&scenario)?;
            plan::plan(&scenario, &traces, arguments.format, out)
        }
        Command::Explain(arguments) => explain::explain(&arguments.source.load()?, arguments.format, out),
        Command::Dtm(arguments) => dtm::dtm(&arguments.source.load()?, arguments.format, out),
        Command::Lesson { file, seeds, options, format } => lesson::lesson(file, *seeds, options, *format, out),
        Command::Figure { file, seeds, options, format } => figure::figure(file, *seeds, options, *format, out),
        Command::Study(command) => study::study(command, out),
        Command::Sweep(arguments) => study::sweep(arguments, out),
        Command::Sensitivity(arguments) => study::sensitivity(arguments, out),
        Command::Search(arguments) => study::search(arguments, out),
        Command::Export { source, to, out: folder, format } => {
            rack::export_to(&source.load()?, *to, folder.as_deref(), *format, out)
        }
        Command::Workloads(arguments) => rack::workloads(arguments, out),
        Command::Fit(arguments) => rack::fit(arguments, out),
        Command::Report { traced, study } => {
            let scenario = traced.source.load()?;
            let traces = traced.traces(&scenario)?;
            rack::report(&scenario, &traces, study.as_deref(), out)
        }
        Command::Validate { file } => {
            let scenario = input::load(file, &Edits::default())?;
            simulation::check(&scenario)?.iter().for_each(|warning| eprintln!("{warning}"));
            writeln!(
                out,
                "{} is a valid scenario: {}, {}",
                file.display(),
                scenario::quoted(&scenario.name),
                scenario::hash(&scenario)
            )?;
            Ok(())
        }
        Command::Migrate { file } => {
            let (_, text) = Kind::Scenario.open(file)?;
            out.write_all(scenario::migrated(&text)?.as_bytes())?;
            Ok(())
        }
        Command::Schema { of } => {
            match of {
                Document::Scenario => writeln!(out, "{:#}", scenario::schema())?,
                Document::Figure => writeln!(out, "{:#}", qoscope_figures::schema())?,
                Document::Study => writeln!(out, "{:#}", qoscope_study::schema())?,
                Document::Lesson => writeln!(out, "{:#}", qoscope_figures::lessons::schema())?,
            }
            Ok(())
        }
        Command::Catalogue => {
            serde_json::to_writer_pretty(&mut *out, &catalogue::catalogue()).map_err(io::Error::from)?;
            writeln!(out)?;
            Ok(())
        }
    }
}
