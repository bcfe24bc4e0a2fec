//! `qoscope export`, `workloads`, `fit` and `report`: between scenarios and real racks.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum, builder::PossibleValue};
use qoscope_campaign::Campaign;
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_engine::simulation::Simulation;
use qoscope_engine::text::{scale_of, significant};
use qoscope_engine::workload::traces::Traces;
use qoscope_estimation::{Choices, DEFAULT_NAME, Drive, Fit, Matching, Numbers, Outcome, usual_base};
use qoscope_host::{Measurements, files, measurements, with_jobs};
use qoscope_interop::fio::Onto;
use qoscope_interop::{Export, How, Studied, Target, export};
use serde_json::{Value, json};

use crate::RunFormat;
use crate::drive::DriveOptions;
use crate::failure::Failure;
use crate::series::save;
use crate::table::{number, table};

/// A target by its name on the command line.
#[derive(Clone, Copy)]
pub struct Tool(Target);

impl ValueEnum for Tool {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Tool; Target::ALL.len()] = {
            let mut all = [Tool(Target::Fio); Target::ALL.len()];
            let mut at = 0;
            while at < all.len() {
                all[at] = Tool(Target::ALL[at]);
                at += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let about = self.0.about();
        Some(PossibleValue::new(about.id).help(format!("{}: {}", about.title, about.holds)))
    }
}

/// Writes the files of a tool into a folder, or prints a single one, and reports the mapping of every field.
pub fn export_to(
    scenario: &Scenario,
    Tool(target): Tool,
    folder: Option<&Path>,
    format: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let export = export(scenario, target)?;
    if folder.is_none() && matches!(format, RunFormat::Table) && export.files.len() > 1 {
        return Err(Failure::Input(format!(
            "{} takes {} files, and standard output is one: give --out FOLDER, or --format json. The files: {}.",
            target.about().title,
            export.files.len(),
            scenario::listed(export.files.iter().map(|file| file.name.as_str()))
        )));
    }
    if let Some(folder) = folder {
        fs::create_dir_all(folder)?;
        for file in &export.files {
            save(&folder.join(&file.name), |out| out.write_all(file.text.as_bytes()))?;
        }
    }
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &export).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table if folder.is_some() => tell(&export, out)?,
        RunFormat::Table => {
            export.files.iter().try_for_each(|file| out.write_all(file.text.as_bytes()))?;
            tell(&export, &mut io::stderr())?;
        }
    }
    Ok(())
}

/// How something goes over, as tables are headed.
const HOWS: [(How, &str); 3] = [(How::Exactly, "Exactly"), (How::Roughly, "Roughly"), (How::NotAtAll, "Not at all")];

/// What became of every field, what is to be known, and what is to be typed.
fn tell(export: &Export, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}: {}\n", export.target.about().title, export.about)?;
    for (how, title) in HOWS {
        let of = export.fields.iter().filter(|field| field.how == how);
        let rows: Vec<Vec<String>> = of
            .map(|field| {
                let to = field.see.map_or_else(|| field.to.clone(), |see| format!("--to {}", see.about().id));
                vec![field.path.clone(), field.from.clone(), to, field.why.clone()]
            })
            .collect();
        if !rows.is_empty() {
            writeln!(out, "{}", table([title, "scenario", "there", "why"], 4, rows))?;
        }
    }
    export.remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))?;
    for command in &export.commands {
        writeln!(out, "\n{}:\n{}", command.on, command.text)?;
    }
    Ok(())
}

#[derive(Args)]
pub struct WorkloadsArguments {
    /// Job files of fio: what fio runs on the hosts of the scenario. Several are what different hosts run at the same time.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The scenario whose workloads the jobs replace.
    #[arg(long, value_name = "SCENARIO")]
    onto: PathBuf,
    /// Change a field of the scenario first, as in --set durationUs=60000000. May be given several times.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    sets: Vec<String>,
    /// Write the scenario into this file; it is printed otherwise.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// How to print what became of every line.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

/// Writes or prints a scenario with the workloads of job files, and tells what became of every line.
pub fn workloads(arguments: &WorkloadsArguments, out: &mut impl Write) -> Result<(), Failure> {
    let edits = crate::input::Edits { sets: &arguments.sets, ..crate::input::Edits::default() };
    let read = with_jobs(&arguments.files, &crate::input::load(&arguments.onto, &edits)?)?;
    let write = |out: &mut dyn Write, value: &Value| {
        serde_json::to_writer_pretty(&mut *out, value)?;
        writeln!(out)
    };
    let scenario = scenario::as_value(&read.scenario);
    if let Some(file) = &arguments.out {
        save(file, |out| write(out, &scenario))?;
    }
    match arguments.format {
        RunFormat::Json => write(out, &serde_json::to_value(&read).map_err(io::Error::from)?)?,
        RunFormat::Table if arguments.out.is_some() => tell_jobs(&read, arguments.files.len() > 1, out)?,
        RunFormat::Table => {
            write(out, &scenario)?;
            tell_jobs(&read, arguments.files.len() > 1, &mut io::stderr())?;
        }
    }
    Ok(())
}

/// What became of every line, and what is to be known.
fn tell_jobs(read: &Onto, several: bool, out: &mut impl Write) -> io::Result<()> {
    for (how, title) in HOWS {
        let of = read.became.iter().filter(|became| became.how == how);
        let rows: Vec<Vec<String>> = of
            .map(|became| {
                let option =
                    became.value.as_ref().map_or(became.option.clone(), |value| format!("{}={value}", became.option));
                let line = if several { format!("{}, {}", became.file, became.line) } else { became.line.to_string() };
                vec![line, option, became.path.clone(), became.to.clone(), became.why.clone()]
            })
            .collect();
        if !rows.is_empty() {
            writeln!(out, "{}", table([title, "option", "field", "there", "why"], 5, rows))?;
        }
    }
    read.remarks.iter().try_for_each(|remark| writeln!(out, "{remark}"))
}

#[derive(Args)]
pub struct FitArguments {
    /// What fio wrote: --output-format=json+ of jobs on the drive, one file or several.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What fio wrote of jobs that reached the same drive from another host, over NVMe/TCP: tells the target's software from the host's.
    #[arg(long, value_name = "FILE")]
    remote: Vec<PathBuf>,
    /// A log of write bandwidth or IOPS over time (write_bw_log, write_iops_log): tells the size of the write cache.
    #[arg(long = "log", value_name = "FILE")]
    logs: Vec<PathBuf>,
    /// The scenario whose drive is where the search begins, and what is kept where jobs tell nothing. Otherwise that of --onto, or the first
    /// preset.
    #[arg(long, value_name = "SCENARIO")]
    base: Option<PathBuf>,
    /// Put the drive into this scenario, with its contents at the start and the times of the software: --out takes the scenario.
    #[arg(long, value_name = "SCENARIO")]
    onto: Option<PathBuf>,
    /// What the drive is called.
    #[arg(long, default_value = DEFAULT_NAME)]
    name: String,
    /// Write the drive, with its evidence, into a file; with --onto, the scenario with the drive.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Match means alone, not medians and 99th percentiles.
    #[arg(long)]
    means: bool,
    /// Hold out one of so many jobs; 0: none.
    #[arg(long, value_name = "N", default_value_t = Choices::default().hold_out)]
    hold_out: u32,
    /// Make no more than so many runs: search, intervals and confirmation together.
    #[arg(long, alias = "most-runs", value_name = "N", default_value_t = Choices::default().max_runs, value_parser = clap::value_parser!(u32).range(1..))]
    max_runs: u32,
    /// The seed of all runs.
    #[arg(long, default_value_t = Choices::default().seed)]
    seed: u32,
    #[command(flatten)]
    options: DriveOptions,
    /// How to print the result.
    #[arg(long, value_enum, default_value_t = RunFormat::Table)]
    format: RunFormat,
}

/// Fits a drive to what fio measured, on every core.
///
/// # Errors
/// [`Failure::Unmet`] if the jobs match no drive of the model: nothing is written then.
pub fn fit(arguments: &FitArguments, out: &mut impl Write) -> Result<(), Failure> {
    let Measurements { jobs, logs, sources, remarks } =
        measurements(&arguments.files, &arguments.remote, &arguments.logs)?;
    grouped_by_reason(&remarks).iter().for_each(|remark| eprintln!("{remark}"));
    let load = |file: &PathBuf| crate::input::load(file, &crate::input::Edits::default());
    let onto = arguments.onto.as_ref().map(load).transpose()?;
    let base = match (&arguments.base, &onto) {
        (Some(file), _) => load(file)?,
        (None, Some(scenario)) => scenario.clone(),
        (None, None) => usual_base(),
    };
    let choices = Choices {
        hold_out: arguments.hold_out,
        matching: if arguments.means { Matching::Mean } else { Matching::Distribution },
        seed: arguments.seed,
        max_runs: arguments.max_runs,
    };
    let mut fit = arguments.options.drive(Fit::with_logs(&base, jobs, &logs, choices)?)?;
    let outcome = fit.answer().expect("a driver that was not stopped made all runs")?;
    let drive = Drive::of(&fit, &outcome, &arguments.name, &sources);
    let scenario = match (&drive, &onto) {
        (Some(drive), Some(onto)) => {
            let (scenario, remarks) = drive.onto(onto)?;
            remarks.iter().for_each(|remark| eprintln!("{remark}"));
            Some(scenario::as_value(&scenario))
        }
        _ => None,
    };
    let result = match (&scenario, &drive) {
        (Some(scenario), _) => Some(scenario.clone()),
        (None, Some(drive)) => Some(serde_json::to_value(drive).map_err(io::Error::from)?),
        (None, None) => None,
    };
    if let (Some(file), Some(result)) = (&arguments.out, &result) {
        save(file, |out| {
            serde_json::to_writer_pretty(&mut *out, result)?;
            writeln!(out)
        })?;
    }
    match arguments.format {
        RunFormat::Json => {
            let mut whole = json!({ "drive": drive, "outcome": outcome });
            if let Some(scenario) = scenario {
                whole["scenario"] = scenario;
            }
            serde_json::to_writer_pretty(&mut *out, &whole).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        // The scenario alone goes to standard output, so that it can be piped.
        RunFormat::Table if scenario.is_some() && arguments.out.is_none() => {
            serde_json::to_writer_pretty(&mut *out, &scenario).map_err(io::Error::from)?;
            writeln!(out)?;
            print(&fit, &outcome, &mut io::stderr())?;
        }
        RunFormat::Table => print(&fit, &outcome, out)?,
    }
    if drive.is_some() {
        return Ok(());
    }
    if let Some(file) = &arguments.out {
        eprintln!("{} was not written: no drive matches the jobs.", file.display());
    }
    Err(Failure::Unmet)
}

/// Remarks, each once for all jobs of a file of which the same is to be said: their paths are `FILE, job "NAME", OPTION`.
fn grouped_by_reason(remarks: &[Diagnostic]) -> Vec<Diagnostic> {
    /// File and option.
    type Place = Option<(String, String)>;
    let mut groups: Vec<(Diagnostic, Place, usize)> = Vec::new();
    for remark in remarks {
        let job = remark.path.split_once(", job \"").and_then(|(file, rest)| {
            let (_, option) = rest.rsplit_once("\", ")?;
            Some((file.to_owned(), option.to_owned()))
        });
        let is_same =
            |of: &Diagnostic| (&of.reason, &of.hint, of.severity) == (&remark.reason, &remark.hint, remark.severity);
        match groups.iter_mut().find(|(of, place, _)| job.is_some() && *place == job && is_same(of)) {
            Some((_, _, count)) => *count += 1,
            None => groups.push((remark.clone(), job, 1)),
        }
    }
    let path = |(mut remark, job, count): (Diagnostic, Place, usize)| {
        if let Some((file, option)) = job.filter(|_| count > 1) {
            remark.path = format!("{file}, {count} jobs, {option}");
        }
        remark
    };
    groups.into_iter().map(path).collect()
}

fn print(fit: &Fit, outcome: &Outcome, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{}", outcome.verdict.sentence)?;
    outcome.verdict.reasons.iter().try_for_each(|reason| writeln!(out, "{reason}"))?;
    writeln!(out)?;
    let fitted = outcome.fitted.iter().map(|of| {
        let from = of.log.as_ref().map_or(String::new(), |log| format!(", by {log}"));
        let (divisor, unit) = scale_of(of.value, of.unit);
        let [value, low, high, base] = [of.value, of.low, of.high, of.base].map(|value| significant(value / divisor));
        vec![of.title.into(), value, format!("{low} to {high}{from}"), base, unit.into(), of.path.into()]
    });
    writeln!(out, "{}", table(["fitted", "value", "interval", "preset", "unit", "field"], 1, fitted))?;
    let kept = outcome.kept.iter().map(|of| {
        let (divisor, unit) = scale_of(of.value, of.unit);
        vec![of.title.into(), significant(of.value / divisor), unit.into(), of.source.clone(), of.why.clone()]
    });
    writeln!(out, "{}", table(["not determined", "value", "unit", "from", "why"], 1, kept))?;
    let rows = outcome.jobs.iter().flat_map(|job| {
        let of = &fit.jobs()[job.job];
        let name = if job.held_out { format!("{}, held out", of.name) } else { of.name.clone() };
        [("reads", &job.reads), ("writes", &job.writes)].into_iter().filter_map(move |(kind, operations)| {
            let compared = &operations.as_ref()?.compared;
            let Numbers { mean, p50, p99, iops, .. } = compared.errors;
            let measured = compared.measured.mean;
            let numbers = [measured, compared.simulated.mean, mean, p50, p99, iops].map(|value| number(value, 1));
            Some([name.clone(), kind.to_owned()].into_iter().chain(numbers).collect())
        })
    });
    let header = ["job", "", "mean us\nmeasured", "\nsimulated", "error %\nmean", "\np50", "\np99", "\nIOPS"];
    writeln!(out, "{}", table(header, 2, rows))?;
    for (title, errors) in [("fitted", Some(&outcome.errors)), ("held out", outcome.held_out_errors.as_ref())] {
        let Some(errors) = errors else { continue };
        let Numbers { mean, p50, p99, iops, .. } = errors.of;
        let [mean, p50, p99, iops] = [mean, p50, p99, iops].map(|value| number(value, 1));
        writeln!(
            out,
            "{} jobs {title}: mean {mean} %, p50 {p50} %, p99 {p99} %, IOPS {iops} % off on average",
            errors.jobs
        )?;
    }
    writeln!(out, "{} runs under seed {}", outcome.runs, outcome.seed)
}

/// Prints the report of a scenario: of a run of it, and of a study whose results are in a file.
pub fn report(scenario: &Scenario, traces: &Traces, study: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
    let mut simulation = Simulation::with_traces(scenario, traces)?;
    if io::stderr().is_terminal() {
        eprintln!("Simulating {}", scenario::quoted(&scenario.name));
    }
    simulation.run_until(simulation.duration_ps());
    let summary = serde_json::to_value(simulation.summary()).map_err(io::Error::from)?;
    let studied: Option<Value> = match study {
        Some(file) => Some(serde_json::from_str(&files::read(file)?).map_err(|why| {
            Failure::Input(format!(
                "{} is no JSON: {why}. Write it by qoscope study run --format json.",
                file.display()
            ))
        })?),
        None => None,
    };
    let studied =
        studied.as_ref().map(|of| Studied { study: &of["study"], table: &of["table"], answer: &of["answer"] });
    out.write_all(qoscope_interop::report(scenario, Some(&summary), studied)?.as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn same_remark_on_several_jobs_is_one_line() {
        let remark =
            |job: &str, reason: &str| Diagnostic::warning(format!("a.json, job {job:?}, filename"), reason, "Look.");
        let all = [remark("x", "is odd"), remark("y, z", "is odd"), remark("x", "is even")];
        let paths: Vec<String> = grouped_by_reason(&all).into_iter().map(|of| of.path).collect();
        assert_eq!(paths, ["a.json, 2 jobs, filename", "a.json, job \"x\", filename"]);
    }
}
