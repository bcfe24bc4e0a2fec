//! Drives a campaign on threads: shows its progress, and ends on Ctrl+C with a sentence on how to continue.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use qoscope_campaign::Campaign;
use qoscope_host::traces::Shelf;
use qoscope_host::{Coordinator, Error, cores};

use crate::failure::Failure;

/// Time between two updates of the progress bar.
const SHOW: Duration = Duration::from_millis(100);

/// How the runs of a figure, a lesson or a fit are made.
#[derive(Args)]
pub struct DriveOptions {
    /// Make N runs at once; by default one for each core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Keep the result of every run in this folder, and make no run whose result is there. Several processes may share it.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl DriveOptions {
    /// Makes all runs of a campaign of scenarios without traces. Returns the campaign.
    pub fn drive<C: Campaign>(&self, campaign: C) -> Result<C, Failure> {
        let traces = Shelf::new(Path::new(""), [].into());
        let mut coordinator = Coordinator::new(campaign, self.keep.as_deref(), None)?;
        let jobs = self.jobs.map_or_else(cores, |jobs| jobs as usize);
        drive(&mut coordinator, &traces, jobs, self.keep.as_deref())?;
        Ok(coordinator.into_campaign())
    }
}

/// Makes the runs that a coordinator hands out on `jobs` threads; `out` is the folder of its dataset. Returns the time that this took.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: time is measured here, next to the result")]
pub fn drive<C: Campaign>(
    coordinator: &mut Coordinator<C>,
    traces: &Shelf,
    jobs: usize,
    out: Option<&Path>,
) -> Result<Duration, Failure> {
    let began = Instant::now();
    let (is_interrupted, bar) = (on_interrupt(), bar());
    let mut shown = None;
    let made = qoscope_host::drive(coordinator, traces, jobs, |coordinator| {
        notify(coordinator, traces, &bar);
        if shown.is_none_or(|shown: Instant| shown.elapsed() >= SHOW) {
            show(coordinator, &bar);
            shown = Some(Instant::now());
        }
        !is_interrupted.load(Ordering::Relaxed)
    });
    notify(coordinator, traces, &bar);
    bar.finish_and_clear();
    let farewell = farewell(coordinator, out);
    // Results are put in their place even if the last of them could not be kept.
    let closed = coordinator.close().map_err(not_kept);
    let is_complete = made.map_err(not_kept)?;
    closed?;
    if is_complete { Ok(began.elapsed()) } else { Err(Failure::Stopped(farewell)) }
}

/// Set by the first Ctrl+C or request to end; the second one ends the process.
fn on_interrupt() -> Arc<AtomicBool> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_interrupted);
    let handled = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
    });
    // On a system without signals an interrupt ends the process, which a dataset withstands.
    drop(handled);
    is_interrupted
}

fn bar() -> ProgressBar {
    // It draws nothing if standard error is no terminal.
    let bar = ProgressBar::no_length();
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len} runs, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(SHOW);
    bar
}

fn not_kept(error: Error) -> Failure {
    Failure::NotKept(error.to_string())
}

/// Prints notices of the dataset and of traces.
fn notify<C: Campaign>(coordinator: &mut Coordinator<C>, traces: &Shelf, bar: &ProgressBar) {
    let (dataset, traces) = (coordinator.take_notices(), traces.told());
    if !(dataset.is_empty() && traces.is_empty()) {
        bar.suspend(|| dataset.iter().chain(&traces).for_each(|line| eprintln!("{line}")));
    }
}

/// Runs whose results are known, and all runs that are known of.
fn runs<C: Campaign>(coordinator: &Coordinator<C>) -> (u64, u64) {
    let counts = coordinator.counts();
    let done = counts.made + counts.known;
    (done, done + counts.queued + counts.under_way + coordinator.claimed_by_others() as u64)
}

fn show<C: Campaign>(coordinator: &mut Coordinator<C>, bar: &ProgressBar) {
    let ((done, all), counts) = (runs(coordinator), coordinator.counts());
    let progress = coordinator.campaign_mut().progress();
    bar.set_length(if progress.is_limit { progress.wanted } else { all });
    bar.set_position(done);
    let waits = counts.queued + counts.under_way == 0 && coordinator.claimed_by_others() > 0;
    bar.set_message(if waits { "Waiting for other processes".into() } else { progress.doing });
}

/// The sentence for a campaign that was stopped.
fn farewell<C: Campaign>(coordinator: &Coordinator<C>, out: Option<&Path>) -> String {
    let (done, all) = runs(coordinator);
    let how = match out {
        Some(folder) => format!("Their results are in {}: the same command continues from there.", folder.display()),
        None => {
            "Their results are not kept: with a folder for results the same command continues where it was stopped."
                .into()
        }
    };
    format!("Stopped after {done} of {all} runs. {how}")
}
