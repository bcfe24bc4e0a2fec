//! The runs of a figure or a lesson: batches of scenarios whose summaries make up one result.

use qoscope_campaign::Outcome;
use qoscope_engine::kernel::convert::index_u32;
use serde_json::Value;

/// Summaries of a batch, in the order of its scenarios; or the reason of the first run that failed.
pub(crate) type BatchResult = Result<Vec<Value>, String>;

/// The batches of a campaign and the results of their runs. Runs are numbered in the order of the batches.
#[derive(Debug)]
pub(crate) struct Batches {
    /// By batch, the summaries of its scenarios.
    summaries: Vec<Vec<Option<Result<Value, String>>>>,
    /// By run, its batch and its place in it.
    places: Vec<(usize, usize)>,
    requested: usize,
    known: usize,
}

impl Batches {
    /// With `sizes` scenarios in each batch.
    pub(crate) fn new(sizes: impl IntoIterator<Item = usize>) -> Self {
        let summaries: Vec<Vec<_>> = sizes.into_iter().map(|size| vec![None; size]).collect();
        let batches = summaries.iter().enumerate();
        let places = batches.flat_map(|(batch, runs)| (0..runs.len()).map(move |of| (batch, of))).collect();
        Self { summaries, places, requested: 0, known: 0 }
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

    /// Receives the result of a run. Returns the batch that it completed, with its result.
    pub(crate) fn put(&mut self, run: u32, outcome: Outcome<'_>) -> Option<(usize, BatchResult)> {
        let (batch, of) = self.place(run)?;
        let summaries = &mut self.summaries[batch];
        if summaries[of].is_some() {
            return None;
        }
        summaries[of] = Some(match outcome {
            Outcome::Summary(summary) => Ok(summary.clone()),
            Outcome::Failed(reason) => Err(reason),
        });
        self.known += 1;
        let is_complete = summaries.iter().all(Option::is_some);
        // The place stays taken, so that a second result is ignored.
        let taken = |summary: &mut Option<Result<Value, String>>| summary.replace(Ok(Value::Null));
        is_complete.then(|| (batch, summaries.iter_mut().filter_map(taken).collect()))
    }

    /// Runs whose results are known.
    pub(crate) fn known(&self) -> u64 {
        self.known as u64
    }

    /// All runs.
    pub(crate) fn wanted(&self) -> u64 {
        self.places.len() as u64
    }
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
        assert_eq!((batches.known(), batches.wanted()), (3, 3));
    }
}
