//! When jobs run: one file is a start of fio on its hosts.

use std::collections::BTreeMap;

use super::job::Times;

/// When a job runs, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) start: f64,
    /// When it is measured from.
    pub(super) measured: f64,
    pub(super) end: f64,
}

/// When the jobs of a file run, each with its name. `slot` is the time of jobs that no time ends.
pub(super) fn spans(jobs: &[(&str, &Times)], slot: f64) -> Vec<Span> {
    let longest = jobs.iter().filter_map(|(_, times)| times.runtime_us.map(|run| run as f64 + times.ramp_us as f64));
    let slot = longest
        .fold(None, |longest: Option<f64>, run| Some(longest.map_or(run, |other| other.max(run))))
        .unwrap_or(slot);
    let mut spans: Vec<Span> = Vec::new();
    let mut ends: BTreeMap<&str, f64> = BTreeMap::new();
    let mut begin = 0.0;
    for group in groups(jobs) {
        let mut own: Vec<(f64, Option<f64>)> = Vec::new();
        for (name, times) in group {
            let waited = times.wait_for.as_ref().and_then(|(name, _)| ends.get(&**name)).copied().unwrap_or_default();
            let start = waited.max(begin).max(times.delay_us as f64);
            let end = times.runtime_us.map(|run| start + times.ramp_us as f64 + run as f64);
            ends.insert(name, end.unwrap_or(start + slot));
            own.push((start, end));
        }
        let last = own
            .iter()
            .filter_map(|(_, end)| *end)
            .fold(None, |last: Option<f64>, end| Some(last.map_or(end, |other| other.max(end))));
        let last = last.unwrap_or(begin + slot);
        for ((_, times), (start, end)) in group.iter().zip(&own) {
            let end = end.unwrap_or(if last > *start { last } else { start + slot });
            spans.push(Span { start: *start, measured: start + times.ramp_us as f64, end });
        }
        begin = spans.iter().map(|span| span.end).fold(begin, f64::max);
    }
    spans
}

/// Jobs that run together: a stonewall begins another group.
pub(super) fn groups<'a, 'b>(
    jobs: &'b [(&'a str, &'a Times<'a>)],
) -> impl Iterator<Item = &'b [(&'a str, &'a Times<'a>)]> {
    jobs.chunk_by(|_, (_, next)| !next.stonewall)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(run: Option<u64>) -> Times<'static> {
        Times { runtime_us: run, ..Times::default() }
    }

    fn ends(jobs: &[Times], slot: f64) -> Vec<(f64, f64)> {
        let named: Vec<(&str, &Times)> = jobs.iter().map(|times| ("a", times)).collect();
        spans(&named, slot).into_iter().map(|span| (span.start, span.end)).collect()
    }

    #[test]
    fn a_stonewall_waits_for_all_before_it() {
        let wall = Times { stonewall: true, ..times(Some(5)) };
        let ramp = Times { ramp_us: 3, ..times(Some(10)) };
        assert_eq!(
            ends(&[ramp, times(Some(4)), wall.clone(), times(Some(2))], 0.0),
            [(0.0, 13.0), (0.0, 4.0), (13.0, 18.0), (13.0, 15.0)]
        );
        let late = Times { delay_us: 30, ..times(Some(1)) };
        assert_eq!(ends(&[wall, late], 0.0), [(0.0, 5.0), (30.0, 31.0)]);
    }

    #[test]
    fn what_no_time_ends_has_the_time_of_its_group_or_a_slot() {
        let wall = Times { stonewall: true, ..times(None) };
        assert_eq!(ends(&[times(None), wall.clone()], 50.0), [(0.0, 50.0), (50.0, 100.0)]);
        assert_eq!(ends(&[times(Some(20)), times(None), wall], 50.0), [(0.0, 20.0), (0.0, 20.0), (20.0, 40.0)]);
    }

    #[test]
    fn a_job_waits_for_the_one_that_it_names() {
        let waits = Times { wait_for: Some(("a".into(), 1)), ..times(Some(1)) };
        let (one, other) = (times(Some(7)), times(Some(9)));
        let spans = spans(&[("a", &one), ("b", &other), ("c", &waits)], 0.0);
        assert_eq!((spans[2].start, spans[2].end), (7.0, 8.0));
    }
}
