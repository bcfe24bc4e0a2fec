//! The runs of a figure or a lesson: batches of scenarios whose summaries make up one result.

use qoscope_campaign::{Detail, Outcome, Progress};
use qoscope_engine::kernel::convert::index_u32;
use serde::Serialize;
use serde_json::Value;

/// Summaries of a batch, in the order of its scenarios; or the reason of the first run that failed.
pub(crate) type BatchResult = Result<Vec<Value>, String>;

/// The batches of a campaign and the results of their runs. Runs are numbered in the order of the batches.
#[derive(Debug)]
pub(crate) struct Batches {
    /// By batch, the summaries of its scenarios; `Err` for a run that failed.
    results: Vec<Vec<Option<Result<Value, ()>>>>,
    /// By run, its batch and its place in it.
    places: Vec<(usize, usize)>,
    requested: usize,
    known: usize,
}

impl Batches {
    /// With `sizes` scenarios in each batch.
    pub(crate) fn new(sizes: impl IntoIterator<Item = usize>) -> Self {
        let results: Vec<Vec<_>> = sizes.into_iter().map(|size| vec![None; size]).collect();
        let batches = results.iter().enumerate();
        let places = batches.flat_map(|(batch, runs)| (0..runs.len()).map(move |of| (batch, of))).collect();
        Self { results, places, requested: 0, known: 0 }
    }

    /// At most `max` runs that were not requested before.
    pub(crate) fn next(&mut self, max: usize) -> std::ops::Range<u32> {
        let first = self.requested;
        self.requested = first.saturating_add(max).min(self.places.len());
        index_u32(first)..index_u32(self.requested)
    }

    /// The batch of a run and its place in it.
    pub(crate) fn place(&self, run: u32) -> Option<(usize, usize)> {
        self.places.get(run as usize).copied()
    }

    /// Receives the result of a run. Returns its batch with the result of the batch, once: when the last summary arrives, or when the
    /// first of its runs fails.
    pub(crate) fn put(&mut self, run: u32, outcome: Outcome<'_>) -> Option<(usize, BatchResult)> {
        let (batch, of) = self.place(run)?;
        let results = &mut self.results[batch];
        if results[of].is_some() {
            return None;
        }
        self.known += 1;
        let has_failed = results.contains(&Some(Err(())));
        let summary = match outcome {
            Outcome::Summary(summary) => summary.clone(),
            Outcome::Failed(reason) => {
                results[of] = Some(Err(()));
                return (!has_failed).then_some((batch, Err(reason)));
            }
        };
        results[of] = Some(Ok(summary));
        let is_complete = !has_failed && results.iter().all(Option::is_some);
        // The place stays taken, so that a second result is ignored.
        let taken = |result: &mut Option<Result<Value, ()>>| result.replace(Ok(Value::Null))?.ok();
        is_complete.then(|| (batch, Ok(results.iter_mut().filter_map(taken).collect())))
    }

    /// Whether the results of all runs are known.
    pub(crate) fn is_complete(&self) -> bool {
        self.known == self.places.len()
    }

    /// The progress of their campaign, which a failed run may have ended.
    pub(crate) fn progress(&self, is_ended: bool) -> Progress {
        let (known, wanted) = (self.known as u64, self.places.len() as u64);
        Progress { known, wanted, done: is_ended || self.is_complete(), ..Progress::default() }
    }
}

/// The detail of results that a figure or a lesson reads: every connection only if one of its texts names them.
pub(crate) fn detail_of(document: &impl Serialize) -> Detail {
    let reads_flows = serde_json::to_string(document).is_ok_and(|text| text.contains("flows"));
    if reads_flows { Detail::Flows } else { Detail::Kept }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn last_result_of_a_batch_completes_it() {
        let mut batches = Batches::new([1, 2]);
        assert_eq!((batches.next(2), batches.next(5), batches.next(5)), (0..2, 2..3, 3..3));
        assert_eq!((batches.place(2), batches.place(3)), (Some((1, 1)), None));
        assert_eq!(batches.put(2, Outcome::Summary(&json!("c"))), None);
        assert_eq!(batches.put(2, Outcome::Failed("twice".into())), None);
        assert_eq!(batches.put(0, Outcome::Failed("stopped".into())), Some((0, Err("stopped".into()))));
        assert_eq!(batches.put(1, Outcome::Summary(&json!("b"))), Some((1, Ok(vec![json!("b"), json!("c")]))));
        assert_eq!(batches.put(1, Outcome::Summary(&json!("b"))), None);
        let progress = batches.progress(false);
        assert_eq!((progress.known, progress.wanted, progress.done), (3, 3, true));
    }

    #[test]
    fn failed_run_decides_its_batch_at_once_and_only_once() {
        let mut batches = Batches::new([3]);
        assert_eq!(batches.put(1, Outcome::Failed("stopped".into())), Some((0, Err("stopped".into()))));
        assert_eq!(batches.put(0, Outcome::Failed("later".into())), None);
        assert_eq!(batches.put(2, Outcome::Summary(&json!("c"))), None);
        assert!(batches.is_complete());
    }
}
