//! `qoscope-fuzz`: random scenarios and damaged documents against the engine, with rules that must hold of every result.
//!
//! Driven by `scripts/fuzz.mjs`, which starts it again where a case ends the process, compares the WASM build, makes what
//! failed smaller and keeps it. Each case is one line of JSON on standard output.

mod case;
mod check;
mod damage;
mod explained;
mod generate;
mod memory;
mod oracles;
mod repair;
mod schema;
#[cfg(test)]
mod tests;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use qoscope_engine::scenario;
use serde::Serialize;
use serde_json::Value;

use crate::case::Case;
use crate::check::{Report, check, keep_panics};

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// Random scenarios and damaged documents against the engine.
#[derive(Parser)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check cases of a seed, without end.
    Run {
        /// The seed: the same seed and number are the same case.
        #[arg(long)]
        seed: u64,
        /// Number of the first case.
        #[arg(long)]
        first: u64,
        /// From one case to the next.
        #[arg(long, default_value_t = 1)]
        step: u64,
    },
    /// Print a case of a seed.
    Show {
        /// The seed.
        #[arg(long)]
        seed: u64,
        /// Number of the case.
        #[arg(long)]
        first: u64,
    },
    /// Check the case of a file: one that the fuzzer has written, a scenario, or any text.
    Check {
        /// The file.
        file: PathBuf,
    },
}

/// A line of the output.
#[derive(Serialize)]
struct Line<'a> {
    number: u64,
    /// The case, where it failed.
    case: Option<&'a Case>,
    #[serde(flatten)]
    report: &'a Report,
}

fn main() -> io::Result<ExitCode> {
    keep_panics();
    let schema = scenario::schema();
    match Arguments::parse().command {
        Command::Run { seed, first, step } => {
            let committed = committed();
            for number in (first..).step_by(step as usize) {
                let case = Case::draw(schema, &committed, seed, number);
                print(number, &case, &check(&case))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Command::Show { seed, first } => {
            let case = Case::draw(schema, &committed(), seed, first);
            println!("{}", serde_json::to_string_pretty(&case)?);
            Ok(ExitCode::SUCCESS)
        }
        Command::Check { file } => {
            let case = Case::read(&String::from_utf8_lossy(&fs::read(file)?))?;
            let report = check(&case);
            print(0, &case, &report)?;
            Ok(if report.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
    }
}

fn print(number: u64, case: &Case, report: &Report) -> io::Result<()> {
    let case = (!report.failures.is_empty()).then_some(case);
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &Line { number, case, report })?;
    writeln!(out)
}

/// The scenarios that some cases begin with, in the order of their names.
fn committed() -> Vec<Value> {
    qoscope_committed::all().into_iter().map(|(_, document)| document).collect()
}
