//! Makes the runs of a campaign on threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use qoscope_campaign::Campaign;
use qoscope_store::{Key, Record};
use rayon::ThreadPoolBuilder;

use crate::traces::Shelf;
use crate::{Coordinator, Error, Job, make};

/// Time between two looks at the watcher, and at a dataset whose other processes make runs that are needed.
const LOOK: Duration = Duration::from_millis(50);

/// Threads that make runs if no number is given: one for each core.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Makes all runs that a coordinator hands out, on `jobs` threads. `watch` is called after every result, and at least every 50 ms; if it returns
/// `false`, runs in progress are abandoned. Returns whether all runs were made.
///
/// # Errors
/// What keeps the dataset from being read or written, or threads from being started.
pub fn drive<C: Campaign>(
    coordinator: &mut Coordinator<C>,
    traces: &Shelf,
    jobs: usize,
    mut watch: impl FnMut(&mut Coordinator<C>) -> bool,
) -> Result<bool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    let pool = pool.map_err(|error| Error::Sentence(format!("The threads could not be started: {error}.")))?;
    let (sender, results) = mpsc::channel::<(Key, Result<Option<Record>, Error>)>();
    let stop = AtomicBool::new(false);
    // Two runs for each thread: one in progress, and the next one, so that no thread waits for this loop.
    let limit = 2 * jobs as u64;
    pool.in_place_scope(|scope| {
        let mut make_all = || {
            while !coordinator.is_done() {
                if !watch(coordinator) {
                    return Ok(false);
                }
                let room = limit.saturating_sub(coordinator.counts().under_way);
                for Job { key, document, detail } in
                    coordinator.hand_out(usize::try_from(room).unwrap_or(usize::MAX))?
                {
                    let (sender, stop) = (sender.clone(), &stop);
                    scope.spawn(move |_| {
                        let is_stopped = || stop.load(Ordering::Relaxed);
                        // Without a receiver the campaign was stopped.
                        let _sent = sender.send((key, make(&document, detail, traces, &is_stopped)));
                    });
                }
                let counts = coordinator.counts();
                let has_more = counts.queued > 0 && counts.under_way < limit;
                if !has_more && counts.under_way == 0 && coordinator.claimed_by_others() == 0 {
                    continue;
                }
                match results.recv_timeout(if has_more { Duration::ZERO } else { LOOK }) {
                    Ok((key, Ok(Some(record)))) => coordinator.take(key, &record)?,
                    Ok((key, Ok(None))) => coordinator.give_back(key)?,
                    Ok((key, Err(error))) => coordinator.failed(key, &error.to_string())?,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => (),
                }
            }
            watch(coordinator);
            Ok(true)
        };
        let made = make_all();
        stop.store(true, Ordering::Relaxed);
        made
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::path::Path;

    use qoscope_figures::Repeats;
    use serde_json::{Value, json};

    use super::*;

    fn scenario(traffic: Value) -> Value {
        json!({
            "version": 3, "name": "one writer", "durationUs": 200,
            "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1 } },
            "classes": [{ "name": "High" }],
            "workloads": [{
                "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] }, "traffic": traffic,
            }],
        })
    }

    fn repeats(traffic: &Value) -> Repeats {
        Repeats::new(vec![scenario(traffic.clone())], vec![1, 2, 3], &BTreeMap::new()).unwrap()
    }

    fn coordinator(traffic: &Value, out: Option<&Path>) -> Coordinator<Repeats> {
        Coordinator::new(repeats(traffic), out, None).unwrap()
    }

    fn shelf() -> Shelf {
        Shelf::new(Path::new(""), BTreeMap::new())
    }

    #[test]
    fn kept_results_are_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let traffic = json!({ "kind": "backlogged" });
        let answers = [3, 0].map(|made| {
            let mut coordinator = coordinator(&traffic, Some(folder.path()));
            assert!(drive(&mut coordinator, &shelf(), 2, |_| true).unwrap());
            assert_eq!((coordinator.counts().made, coordinator.counts().known), (made, 3 - made));
            coordinator.close().unwrap();
            coordinator.into_campaign().answer().unwrap().unwrap()
        });
        assert_eq!(answers[0], answers[1]);
        assert!(answers[0].classes[0].measures.throughput.values[0].is_some_and(|gbps| gbps > 0.0));
    }

    #[test]
    fn stopped_drive_keeps_results_and_gives_runs_back() {
        let traffic = json!({ "kind": "backlogged" });
        let mut coordinator = coordinator(&traffic, None);
        let is_complete = drive(&mut coordinator, &shelf(), 1, |coordinator| coordinator.counts().made == 0).unwrap();
        assert!(!is_complete && coordinator.counts().made == 1);
        assert!(coordinator.into_campaign().answer().is_none());
    }

    #[test]
    fn failed_run_ends_a_comparison_without_further_runs() {
        let traffic = json!({ "kind": "trace", "file": "missing.csv" });
        let mut coordinator = coordinator(&traffic, None);
        assert!(drive(&mut coordinator, &shelf(), 1, |_| true).unwrap());
        // One run for the thread and one that it need not wait for.
        assert!(coordinator.counts().made <= 2, "{:?}", coordinator.counts());
        let faults = coordinator.into_campaign().answer().unwrap().unwrap_err();
        assert!(faults[0].reason.contains("missing.csv"), "{faults:?}");
    }
}
