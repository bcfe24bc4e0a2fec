//! Job files of fio as workloads of a scenario: the way back of [`crate::export`].
//!
//! fio 3.33. A file is what fio runs on every host that its jobs have: a job becomes a workload, a clone of it a connection. What the
//! scenario cannot express is said, line by line.

mod addresses;
mod ini;
mod job;
mod ledger;
mod options;
mod places;
mod schedule;
mod settings;
mod sizes;

use std::rc::Rc;

use qoscope_engine::scenario::size::MAXIMUM_FLOWS;
use qoscope_engine::scenario::{self, Diagnostic, Flows, Scenario, Workload, quoted};
use qoscope_engine::simulation::devices::alignment_bytes;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::asked;
use super::options::{Options, Set};
use crate::How;
use addresses::Setting;
use ini::{Section, Wrong, sections};
use job::Job;
use ledger::Ledger;
use options::{Reader, entries};
use places::{Classes, Places};

/// A job file, by its name.
#[derive(Clone, Copy, Debug)]
pub struct JobFile<'a> {
    /// Its name, for diagnostics.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A scenario with the workloads of job files.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "JobsOnto")]
pub struct Onto {
    /// The scenario.
    #[serde(serialize_with = "document")]
    #[schemars(with = "serde_json::Value")]
    pub scenario: Scenario,
    /// What became of every option, in the order of the files.
    pub became: Vec<Became>,
    /// What must be known before it is run, as sentences.
    pub remarks: Vec<String>,
}

/// What became of a line of a job file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "JobOption")]
pub struct Became {
    /// Name of the file.
    pub file: String,
    /// Number of the line, from 1.
    pub line: u32,
    /// The section that it stands in.
    pub section: String,
    /// The option, by the name that fio has for it.
    pub option: String,
    /// Its value; none where it stands alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The field that it became, in the first workload that it is for. Empty: none.
    pub path: String,
    /// What was written there. Empty: nothing.
    pub to: String,
    /// How it went over.
    pub how: How,
    /// Why, or by which rule, as a sentence.
    pub why: String,
}

fn document<S: Serializer>(scenario: &Scenario, serializer: S) -> Result<S::Ok, S::Error> {
    scenario::as_value(scenario).serialize(serializer)
}

/// A scenario with the workloads of a job file in place of its own.
///
/// # Errors
/// As [`workloads_of`].
pub fn workloads(text: &str, name: &str, onto: &Scenario) -> Result<Onto, Vec<Diagnostic>> {
    workloads_of(&[JobFile { name, text }], onto)
}

/// A scenario with the workloads of job files in place of its own: each file is what fio runs on the hosts that its jobs have, all at
/// the same time.
///
/// # Errors
/// What is wrong with the files, by file, line, job and option; that the scenario has no storage; or what is wrong with the
/// scenario that they make.
pub fn workloads_of(files: &[JobFile], onto: &Scenario) -> Result<Onto, Vec<Diagnostic>> {
    let places = Places::new(onto)?;
    let mut classes = Classes::new(onto);
    let (mut read, mut wrong): (Vec<ReadFile>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    for file in files {
        let first = read.iter().map(|file| file.jobs.len()).sum();
        match read_file(file, first, &places, &mut classes) {
            Ok(file) => read.push(file),
            Err(diagnostics) => wrong.extend(diagnostics),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    if read.is_empty() {
        return Err(vec![Diagnostic::new("", "There is no job file", "Give one, such as jobs.fio.")]);
    }
    let mut scenario = onto.clone();
    scenario.workloads = read.iter().flat_map(|file| &file.jobs).map(|job| job.workload.clone()).collect();
    let remarks = settings::settle(&mut scenario, &mut read, &places, &classes);
    let checked = scenario::from_value(scenario::as_value(&scenario)).map_err(|wrong| in_files(wrong, &read))?;
    let became = read.into_iter().flat_map(|file| file.ledger.became(&file.sections, file.name)).collect();
    Ok(Onto { scenario: checked, became, remarks })
}

/// A file that was read.
struct ReadFile<'a> {
    name: &'a str,
    sections: Vec<Section<'a>>,
    jobs: Vec<Placed<'a>>,
    ledger: Ledger,
}

/// A job, and what it becomes but for its place in time.
struct Placed<'a> {
    name: String,
    /// Number of the line of its section.
    line: u32,
    job: Job<'a>,
    workload: Workload,
    /// The lines that set some of its options.
    lines: settings::Lines,
}

/// Reads a file, whose first job becomes workload number `first`.
fn read_file<'a>(
    file: &JobFile<'a>,
    first: usize,
    places: &Places,
    classes: &mut Classes,
) -> Result<ReadFile<'a>, Vec<Diagnostic>> {
    let mut wrong = Wrong::new(file.name);
    let sections = sections(file.text, &mut wrong);
    let (mut jobs, mut ledger, mut devices) = (Vec::<Placed>::new(), Ledger::default(), Vec::<String>::new());
    let mut global = Rc::new(Set::default());
    let mut connections = 0;
    for section in &sections {
        if section.is_global() {
            global = Rc::new(global.extended(&entries(section)));
            continue;
        }
        let options = Options::new(global.of_job(&entries(section)), global.clone());
        let workload = first + jobs.len();
        let mut reader = Reader::new((section.name, workload), options, &mut ledger, &mut wrong);
        let name = reader.text("name").map_or(section.name.into(), |(name, _)| name.into_owned());
        let device = asked::devices(&reader.options, &name).into_iter().next().unwrap_or_default();
        let number = devices.iter().position(|known| *known == device).unwrap_or_else(|| {
            devices.push(device.clone());
            devices.len() - 1
        });
        let named = classes.named(&name);
        let (class, pairs) = (classes.of(&name, named), places.pairs(named, number));
        let (protocol, kind) = places.way(named);
        job::say_device(&mut reader, &device, &said(&pairs, places));
        job::say_name(&mut reader, &class);
        let capacity = places.capacity(pairs[0].1, kind);
        let setting = Setting { pairs: pairs.len() as u64, capacity, alignment: u64::from(alignment_bytes(kind)) };
        let job = job::job(&mut reader, setting);
        if let Some((other, line)) = &job.times.wait_for
            && !jobs.iter().any(|job| job.name == **other)
        {
            reader.refuse(
                *line,
                "wait_for",
                format!("is {}; no job before it has that name", quoted(other)),
                "Name a job that stands before it.",
            );
        }
        let lines = settings::Lines::of(&reader);
        reader.finish();
        connections += setting.pairs * u64::from(job.connections);
        if connections > MAXIMUM_FLOWS {
            let reason = format!(
                "makes more than {MAXIMUM_FLOWS} connections, with those before it: {} pairs of hosts by {} clones",
                setting.pairs, job.connections
            );
            wrong.push(
                &format!("line {}, job {}", section.line, quoted(&name)),
                reason,
                "Give fewer clones (numjobs), fewer jobs or fewer hosts.",
            );
            break;
        }
        let workload = Workload {
            class,
            endpoints: places.endpoints(&pairs),
            connections: job.connections,
            flows: Flows::Lasting,
            start_us: 0.0,
            stop_us: None,
            start_gap_us: 0.0,
            read_fraction: job.read_fraction,
            protocol,
            devices: kind,
            addresses: job.addresses.clone(),
            traffic: job.traffic.clone(),
        };
        jobs.push(Placed { name, line: section.line, job, workload, lines });
    }
    if wrong.is_empty() { Ok(ReadFile { name: file.name, sections, jobs, ledger }) } else { Err(wrong.into_vec()) }
}

/// The hosts of some pairs, and their servers, in a few words.
fn said(pairs: &[(u32, u32)], places: &Places) -> String {
    let listed = |numbers: &mut dyn Iterator<Item = u32>| {
        let mut names: Vec<String> = Vec::new();
        for name in numbers.map(|number| places.name(number)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        crate::export::listed(&names)
    };
    format!("{} to {}", listed(&mut pairs.iter().map(|pair| pair.0)), listed(&mut pairs.iter().map(|pair| pair.1)))
}

/// Diagnostics of the scenario that files make, at the jobs that they come from.
fn in_files(wrong: Vec<Diagnostic>, files: &[ReadFile]) -> Vec<Diagnostic> {
    let jobs: Vec<(&str, &Placed)> =
        files.iter().flat_map(|file| file.jobs.iter().map(|job| (file.name, job))).collect();
    let placed = |diagnostic: Diagnostic| {
        let place = diagnostic.path.strip_prefix("workloads[").and_then(|rest| {
            let (number, field) = rest.split_once(']')?;
            Some((jobs.get(number.parse::<usize>().ok()?)?, field.trim_start_matches('.')))
        });
        let path =
            place.map(|((file, job), field)| format!("{file}, line {}, job {}, {field}", job.line, quoted(&job.name)));
        Diagnostic { path: path.unwrap_or_else(|| diagnostic.path.clone()), ..diagnostic }
    };
    wrong.into_iter().map(placed).collect()
}
