//! What fio measured, read from files, and the runs of a fit to it, made on every core.

use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use qoscope_engine::scenario::Diagnostic;
use qoscope_rack::Source;
use qoscope_rack::fio::{self, Results};
use qoscope_rack::fit::{Fit, Outcome, Progress, simulate};
use qoscope_study::trace_hash;

use crate::{Error, files};

/// What fio wrote into a file, and the file by its name and hash.
///
/// # Errors
/// Why the file as a whole cannot be read.
pub fn measured(path: &Path) -> Result<(Results, Source), Error> {
    let text = files::read(path)?;
    let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let hash = trace_hash(text.as_bytes()).map_err(|error| Error::Sentence(error.to_string()))?;
    Ok((fio::results(&text, &file)?, Source { file, hash }))
}

/// Makes all runs of a fit, and says what it came to. After each of them `go_on` is told how far it is: where it says no, runs that were begun are
/// finished, no other one is, and there is no outcome.
///
/// # Errors
/// That no drive could be run.
pub fn fitted(fit: &mut Fit, mut go_on: impl FnMut(Progress) -> bool) -> Result<Option<Outcome>, Error> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    loop {
        if let Some(outcome) = fit.outcome() {
            return Ok(Some(outcome?));
        }
        // A stage of the search goes on once all of its runs are known.
        let wishes = fit.wanted(usize::MAX).into_iter();
        let runs: Vec<(u32, String)> = wishes.filter_map(|wish| Some((wish.id, fit.document(wish.id)?))).collect();
        let next = AtomicUsize::new(0);
        let (done, results) = mpsc::channel();
        let wanted = thread::scope(|scope| {
            for _ in 0..cores.min(runs.len()) {
                let (done, runs, next) = (done.clone(), &runs, &next);
                scope.spawn(move || {
                    while let Some((id, document)) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let ran = simulate(document).map_err(|why| sentence(&why));
                        if done.send((*id, ran)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(done);
            // Once nobody listens any more, threads end with the run that they are at.
            results.into_iter().all(|(id, ran)| {
                fit.put(id, ran);
                go_on(fit.progress())
            })
        });
        if !wanted {
            return Ok(None);
        }
    }
}

fn sentence(why: &[Diagnostic]) -> String {
    why.first().map(ToString::to_string).unwrap_or_default()
}
