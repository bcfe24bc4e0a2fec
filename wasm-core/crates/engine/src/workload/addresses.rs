//! Which addresses of the storage of its target an application reads and writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::random::Stream;

/// How one address follows from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum AddressPattern {
    /// All addresses of the range equally likely.
    #[default]
    #[schemars(title = "Random")]
    Random,
    /// One request behind the other, from the start again at the end. Every application begins at a place of its own.
    #[schemars(title = "Sequential")]
    Sequential,
    /// Most requests go to a part of the range.
    #[schemars(title = "Hot and cold")]
    HotCold {
        /// Part of the range that is hot.
        #[schemars(title = "Hot part", range(min = 0.000_001, max = 1.0))]
        hot_part: f64,
        /// Share of the requests that go there.
        #[schemars(title = "Requests to it", range(min = 0.0, max = 1.0))]
        hot_requests: f64,
    },
}

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// First address, in bytes.
    pub start: u64,
    /// Length, in bytes.
    pub length: u64,
    /// Addresses are multiples of this, counted from the first.
    pub alignment: u64,
    /// How one address follows from another.
    pub pattern: AddressPattern,
}

/// The addresses of an application.
#[derive(Clone, Debug)]
pub struct Addresses {
    /// None where requests go to no device.
    range: Option<Range>,
    next: u64,
    stream: Stream,
}

impl Addresses {
    /// Those of application number `number`, at position `position` of `applications` that share the range: each begins its
    /// sequence at a place of its own.
    pub fn new(seed: u64, number: u64, range: Option<Range>, (position, applications): (u64, u64)) -> Self {
        let next = range.map_or(0, |range| {
            let part = u128::from(range.length) * u128::from(position) / u128::from(applications.max(1));
            let part = u64::try_from(part).unwrap_or(0);
            part - part % range.alignment
        });
        Self { range, next, stream: Stream::new(seed, "addresses", number) }
    }

    /// The address of a request of so many bytes that a trace has at `address`: aligned, and modulo the range where that is
    /// smaller than the volume of the trace.
    pub fn recorded(&self, address: u64, bytes: u64) -> u64 {
        let Some(Range { start, length, alignment, .. }) = self.range else { return 0 };
        let positions = length.saturating_sub(bytes) / alignment + 1;
        start + address / alignment % positions * alignment
    }

    /// The address of the next request, of so many bytes.
    pub fn draw(&mut self, bytes: u64) -> u64 {
        let Some(Range { start, length, alignment, pattern }) = self.range else { return 0 };
        // Positions at which a request of this size fits, at least one.
        let positions = |length: u64| length.saturating_sub(bytes) / alignment + 1;
        let stream = &mut self.stream;
        let mut among = |first: u64, positions: u64| first + stream.integer(0, positions - 1);
        let position = match pattern {
            AddressPattern::Random => among(0, positions(length)),
            AddressPattern::Sequential => {
                let at = if self.next.saturating_add(bytes) > length { 0 } else { self.next };
                self.next = at + bytes.next_multiple_of(alignment);
                return start + at;
            }
            AddressPattern::HotCold { hot_part, hot_requests } => {
                let all = positions(length);
                let hot = crate::kernel::convert::whole(all as f64 * hot_part).clamp(1, all);
                if self.stream.uniform() < hot_requests || hot == all {
                    self.stream.integer(0, hot - 1)
                } else {
                    self.stream.integer(hot, all - 1)
                }
            }
        };
        start + position * alignment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pattern: AddressPattern, count: usize) -> Vec<u64> {
        let range = Range { start: 1 << 20, length: 64 * 4096, alignment: 4096, pattern };
        let mut addresses = Addresses::new(1, 0, Some(range), (1, 2));
        (0..count).map(|_| (addresses.draw(8192) - (1 << 20)) / 4096).collect()
    }

    #[test]
    fn random_addresses_are_aligned_and_stay_inside() {
        let drawn = drawn(AddressPattern::Random, 10_000);
        assert_eq!(drawn.iter().max(), Some(&62));
        assert_eq!(drawn.iter().min(), Some(&0));
    }

    #[test]
    fn a_sequence_goes_round_from_a_place_of_its_own() {
        assert_eq!(drawn(AddressPattern::Sequential, 18)[..3], [32, 34, 36]);
        assert_eq!(drawn(AddressPattern::Sequential, 18)[15..], [62, 0, 2]);
    }

    #[test]
    fn most_requests_go_to_the_hot_part() {
        let pattern = AddressPattern::HotCold { hot_part: 0.25, hot_requests: 0.9 };
        let hot = drawn(pattern, 10_000).into_iter().filter(|&position| position < 15).count();
        assert!((8850..9150).contains(&hot), "{hot} of 10000");
    }

    #[test]
    fn recorded_addresses_go_round_in_the_range() {
        let range = Range { start: 1 << 20, length: 64 * 4096, alignment: 4096, pattern: AddressPattern::Random };
        let addresses = Addresses::new(1, 0, Some(range), (0, 1));
        let position = |address: u64| (addresses.recorded(address, 4096) - (1 << 20)) / 4096;
        assert_eq!([0, 4096, 5000, 63 * 4096, 64 * 4096, 65 * 4096].map(position), [0, 1, 1, 63, 0, 1]);
        assert_eq!(Addresses::new(1, 0, None, (0, 1)).recorded(4096, 512), 0);
    }

    #[test]
    fn a_request_larger_than_the_range_begins_at_its_start() {
        let range = Range { start: 512, length: 4096, alignment: 512, pattern: AddressPattern::Random };
        assert_eq!(Addresses::new(1, 0, Some(range), (0, 1)).draw(1 << 20), 512);
        assert_eq!(Addresses::new(1, 0, None, (0, 1)).draw(1 << 20), 0);
    }
}
