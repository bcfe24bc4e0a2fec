//! Sets of byte positions as few sorted, separate ranges: what has arrived or was acknowledged out of order.

/// Half-open ranges, sorted, neither touching nor overlapping. Empty, and without memory of its own, while nothing is
/// lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    /// Whether there are none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a range, merging it with those it meets.
    pub fn insert(&mut self, start: u64, end: u64) {
        let first = self.0.partition_point(|&(_, e)| e < start);
        let past = self.0.partition_point(|&(s, _)| s <= end);
        let merged = self.0[first..past].iter().fold((start, end), |(s, e), &(rs, re)| (s.min(rs), e.max(re)));
        self.0.splice(first..past, [merged]);
    }

    /// Removes everything below `position`.
    pub fn remove_below(&mut self, position: u64) {
        self.0.retain(|&(_, end)| end > position);
        if let Some(first) = self.0.first_mut() {
            first.0 = first.0.max(position);
        }
    }

    /// The end of the range that holds `position`, or `position` itself if none does.
    pub fn skip(&self, position: u64) -> u64 {
        self.0.iter().find(|&&(s, e)| s <= position && position < e).map_or(position, |&(_, e)| e)
    }

    /// Where the first range at or after `position` begins.
    pub fn next_start(&self, position: u64) -> Option<u64> {
        self.0.iter().map(|&(s, _)| s).find(|&s| s >= position)
    }

    /// End of the last range.
    pub fn last_end(&self) -> Option<u64> {
        self.0.last().map(|&(_, e)| e)
    }

    /// Positions held within `start..end`.
    pub fn covered(&self, start: u64, end: u64) -> u64 {
        self.0.iter().map(|&(s, e)| e.min(end).saturating_sub(s.max(start))).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn agrees_with_a_set_of_positions(
            inserts in prop::collection::vec((0u64..60, 1u64..8), 1..20),
            below in 0u64..70,
            at in 0u64..70,
        ) {
            let mut ranges = Ranges::default();
            let mut set = BTreeSet::new();
            for (start, length) in inserts {
                ranges.insert(start, start + length);
                set.extend(start..start + length);
            }
            ranges.remove_below(below);
            set.retain(|&p| p >= below);
            prop_assert_eq!(ranges.covered(0, 100), set.len() as u64);
            prop_assert_eq!(ranges.covered(10, at), set.iter().filter(|&&p| (10..at).contains(&p)).count() as u64);
            prop_assert_eq!(ranges.last_end(), set.last().map(|p| p + 1));
            prop_assert_eq!(ranges.skip(at), (at..).find(|p| !set.contains(p)).unwrap_or(at));
            prop_assert!(ranges.0.windows(2).all(|pair| pair[0].1 < pair[1].0));
        }
    }
}
