//! When the requests of a class arrive, without a simulation of what becomes of them.

use crate::kernel::convert::{index, rounded};
use crate::kernel::random::Stream;
use crate::kernel::time::from_us;
use crate::scenario::document::{Scenario, Traffic, Workload};
use crate::scenario::{Diagnostic, offered_gbps, size_law};
use crate::simulation::replays;
use crate::workload::traces::Traces;

/// Requests of a class that are planned with at most.
pub const MAX_REQUESTS: usize = 10_000_000;

/// The instants at which the requests of class number `class` arrive, in picoseconds and in order: as many as there are before
/// the end of the run, but no more than [`MAX_REQUESTS`].
///
/// # Errors
/// A workload of the class has no arrivals of its own, or its trace is not there.
pub fn of_class(scenario: &Scenario, class: usize, traces: &Traces) -> Result<Vec<u64>, Vec<Diagnostic>> {
    let mut all: Vec<Vec<u64>> = Vec::new();
    let mut diagnostics = Vec::new();
    let name = &scenario.classes[class].name;
    for (number, workload) in scenario.workloads.iter().enumerate().filter(|(_, workload)| workload.class == *name) {
        match of_workload(scenario, number, workload, traces) {
            Ok(arrivals) => all.push(arrivals),
            Err(diagnostic) => diagnostics.push(diagnostic),
        }
    }
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let several = all.len() > 1;
    let mut arrivals: Vec<u64> = if several { all.concat() } else { all.pop().unwrap_or_default() };
    if several {
        arrivals.sort_unstable();
    }
    arrivals.truncate(MAX_REQUESTS);
    Ok(arrivals)
}

fn of_workload(
    scenario: &Scenario,
    number: usize,
    workload: &Workload,
    traces: &Traces,
) -> Result<Vec<u64>, Diagnostic> {
    let (start_ps, end_us) = (from_us(workload.start_us), workload.stop_us.unwrap_or(f64::INFINITY));
    let end_ps = from_us(end_us.min(scenario.duration_us));
    let limit = |requests: Option<u64>| index(requests.unwrap_or(u64::MAX).min(MAX_REQUESTS as u64));
    let in_run = |instants: &mut dyn Iterator<Item = u64>, limit: usize| -> Vec<u64> {
        instants.map(|at_ps| start_ps.saturating_add(at_ps)).take_while(|&at_ps| at_ps < end_ps).take(limit).collect()
    };
    match &workload.traffic {
        Traffic::StandIn { of, time_scale, requests } => {
            let recorded = of.arrivals(scenario.seed, number as u64);
            Ok(in_run(&mut recorded.map(|at_ps| rounded(at_ps as f64 / time_scale)), limit(*requests)))
        }
        Traffic::Trace { time_scale, requests, .. } => {
            let trace = replays::of_workload(scenario, number, traces)?.unwrap_or_default();
            let recorded = trace.iter().map(|record| record.at_ps);
            Ok(in_run(&mut recorded.map(|at_ps| rounded(at_ps as f64 / time_scale)), limit(*requests)))
        }
        Traffic::OpenLoop { gaps, requests, .. } => {
            let bits = 8.0 * size_law(&workload.traffic).mean_bytes();
            let mean_gap_ps = 1000.0 * bits / offered_gbps(&workload.traffic).unwrap_or(f64::MIN_POSITIVE);
            let mut stream = Stream::new(scenario.seed, "planned gaps", number as u64);
            let mut now_ps = 0_u64;
            let mut drawn = std::iter::from_fn(|| {
                let at_ps = now_ps;
                now_ps = now_ps.saturating_add(rounded(gaps.draw(&mut stream) * mean_gap_ps).max(1));
                Some(at_ps)
            });
            Ok(in_run(&mut drawn, limit(*requests)))
        }
        Traffic::ClosedLoop { .. } | Traffic::Backlogged {} => Err(Diagnostic::new(
            format!("workloads[{number}].traffic.kind"),
            "follows the answers of the server, so that it has no arrivals to plan for",
            "Choose requests that arrive by themselves: open loop, a trace, or a stand-in for one.",
        )),
    }
}
