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
    // One more for every thread than it works on: it need not wait for this one.
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
