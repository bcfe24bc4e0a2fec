//! What a device holds at the start, computed instead of stored: where a page lies that has not been written since, and
//! which page lies at a place.
//!
//! Under uniform random writes and greedy garbage collection the blocks of a group, ordered by age x from 0 (just filled) to
//! 1 (next to be collected), hold `a^x` of their pages valid, where `u = (a - 1) / ln a` is the share of valid pages overall
//! (the mean-field limit; Van Houdt, "A mean field model for a class of garbage collection algorithms in flash-based solid
//! state drives", SIGMETRICS 2013). One table of counts serves all groups. Logical pages are scattered over it by an affine
//! permutation, and the valid pages of a block over the block by a multiplication, so both directions take constant time.

use crate::kernel::convert::{modulo_u32, rounded, saturated_u32};
use crate::kernel::digest::scramble;
use crate::storage::ssd::layout::Layout;
use crate::storage::ssd::parameters::Precondition;

/// Blocks of a group that are being filled in the steady state: one by commands, one by garbage collection.
const FRONTIERS: u32 = 2;

/// The contents of a group at the start.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// Logical pages of a group that are written: the first ones.
    pub(super) filled: u32,
    /// Blocks that hold them: the first ones, the most recently filled first.
    pub(super) blocks: u32,
    /// Blocks behind those that are being filled: in the steady state [`FRONTIERS`].
    pub(super) being_filled: u32,
    /// By block: how many valid pages those before it hold. One more than there are blocks.
    starts: Vec<u32>,
    /// A guess of the block that holds a rank, by the upper bits of the rank.
    guide: Vec<u32>,
    guide_shift: u32,
    /// Multiplier of the permutation of logical pages, and its inverse.
    spread: (u32, u32),
    /// Multiplier of the pages of a block, and its inverse.
    stride: (u32, u32),
    pages: u32,
    random: bool,
    /// By group: what tells the groups apart, so that equal logical pages do not lie at equal places.
    offsets: Vec<u32>,
}

impl Contents {
    /// The contents of a device whose groups keep `free` blocks free if they can, beside those that they are filling.
    pub(super) fn new(precondition: Precondition, layout: &Layout, free: u32) -> Self {
        let (share, random) = match precondition {
            Precondition::Empty => (0.0, false),
            Precondition::Sequential(share) => (share, false),
            Precondition::Random(share) => (share, true),
        };
        let user = layout.user_pages / layout.groups;
        let filled = saturated_u32(rounded(f64::from(user) * share.clamp(0.0, 1.0))).min(user);
        let needed = filled.div_ceil(layout.pages);
        let is_steady = random && filled > 0;
        let blocks = if is_steady { needed.max(layout.blocks.saturating_sub(free + FRONTIERS)) } else { needed };
        let being_filled = if is_steady { FRONTIERS.min(layout.blocks - blocks) } else { 0 };
        let starts =
            if random { steady_counts(filled, blocks, layout.pages) } else { full_counts(filled, layout.pages) };
        let guide_shift = (filled.max(1) / (2 * blocks.max(1))).checked_ilog2().unwrap_or(0);
        let mut block = 0;
        let guide = (0..=filled >> guide_shift)
            .map(|guess| {
                while block + 1 < blocks && starts[block as usize + 1] <= guess << guide_shift {
                    block += 1;
                }
                block
            })
            .collect();
        let offset = |group| if is_steady { modulo(scramble(u64::from(group) + 1), filled) } else { 0 };
        let multipliers = |modulus, share| if random { coprime(modulus, share) } else { (1, 1) };
        Self {
            filled,
            blocks,
            being_filled,
            starts,
            guide,
            guide_shift,
            spread: multipliers(filled.max(1), 0.618_033_988_749_895),
            stride: multipliers(layout.pages, 0.381_966_011_250_105),
            pages: layout.pages,
            random,
            offsets: (0..layout.groups).map(offset).collect(),
        }
    }

    /// Valid pages of a block.
    pub(super) fn valid(&self, block: u32) -> u32 {
        self.starts[block as usize + 1] - self.starts[block as usize]
    }

    /// The place of a block among those of its group in the order in which they were filled.
    pub(super) fn age(&self, block: u32) -> u32 {
        if self.random { self.blocks - 1 - block } else { block }
    }

    /// Block and page of a logical page of a group; none if it was not written.
    #[inline]
    pub(super) fn place(&self, group: u32, local: u32) -> Option<(u32, u32)> {
        if local >= self.filled {
            return None;
        }
        let spread = multiply(local, self.spread.0, self.filled) + self.offsets[group as usize];
        let rank = if spread >= self.filled { spread - self.filled } else { spread };
        let mut block = self.guide[(rank >> self.guide_shift) as usize];
        while self.starts[block as usize + 1] <= rank {
            block += 1;
        }
        Some((block, multiply(rank - self.starts[block as usize], self.stride.0, self.pages)))
    }

    /// The logical page of a group at a place; none if the page there is not valid.
    #[inline]
    pub(super) fn owner(&self, group: u32, block: u32, page: u32) -> Option<u32> {
        if block >= self.blocks {
            return None;
        }
        let number = multiply(page, self.stride.1, self.pages);
        let rank = self.starts[block as usize] + number;
        if rank >= self.starts[block as usize + 1] {
            return None;
        }
        let offset = self.offsets[group as usize];
        let spread = if rank >= offset { rank - offset } else { rank + self.filled - offset };
        Some(multiply(spread, self.spread.1, self.filled))
    }
}

#[inline]
fn modulo(word: u64, modulus: u32) -> u32 {
    modulo_u32(word % u64::from(modulus))
}

#[inline]
fn multiply(number: u32, by: u32, modulus: u32) -> u32 {
    modulo(u64::from(number) * u64::from(by), modulus)
}

/// A number near `share` of the modulus that has no factor in common with it, and its inverse.
fn coprime(modulus: u32, share: f64) -> (u32, u32) {
    if modulus < 3 {
        return (1, 1);
    }
    let guess = saturated_u32(rounded(f64::from(modulus) * share)).max(1);
    let factor = (guess..modulus).chain(1..guess).find(|&factor| divisor(factor, modulus) == 1).unwrap_or(1);
    (factor, inverse(factor, modulus))
}

fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
}

/// The inverse of a number modulo another without common factor (extended Euclid).
fn inverse(number: u32, modulus: u32) -> u32 {
    let (mut rest, mut next) = (i64::from(modulus), i64::from(number));
    let (mut factor, mut next_factor) = (0i64, 1i64);
    while next != 0 {
        let quotient = rest / next;
        (rest, next) = (next, rest - quotient * next);
        (factor, next_factor) = (next_factor, factor - quotient * next_factor);
    }
    saturated_u32(factor.rem_euclid(i64::from(modulus)).unsigned_abs())
}

/// Running sums of valid pages where blocks are full one after the other.
fn full_counts(filled: u32, pages: u32) -> Vec<u32> {
    (0..=filled.div_ceil(pages)).map(|block| (block * pages).min(filled)).collect()
}

/// Running sums of valid pages in the steady state.
fn steady_counts(filled: u32, blocks: u32, pages: u32) -> Vec<u32> {
    let capacity = f64::from(blocks) * f64::from(pages);
    let share = if blocks == 0 { 1.0 } else { f64::from(filled) / capacity };
    let oldest = oldest_valid(share);
    let log = libm::log(oldest);
    // Valid pages of the blocks up to age x, as a share of those of all blocks.
    let below = |x: f64| if oldest > 0.999_999 { x } else { (libm::exp(x * log) - 1.0) / (oldest - 1.0) };
    (0..=blocks)
        .map(|block| match block {
            _ if block == blocks => filled,
            _ => saturated_u32(rounded(f64::from(filled) * below(f64::from(block) / f64::from(blocks.max(1))))),
        })
        .scan(0, |before, sum| {
            // Rounding must not give a block more pages than it has.
            *before = sum.clamp(*before, *before + pages).min(filled);
            Some(*before)
        })
        .collect()
}

/// The share `a` of valid pages in the oldest block where `u = (a - 1) / ln a` are valid overall.
fn oldest_valid(share: f64) -> f64 {
    let (mut low, mut high) = (1e-12, 1.0 - 1e-12);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if (middle - 1.0) / libm::log(middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The share of valid pages in the oldest block, by the share of valid pages overall: write amplification is 1 / (1 - a).
#[cfg(test)]
pub(super) fn mean_field_amplification(share: f64) -> f64 {
    1.0 / (1.0 - oldest_valid(share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::ssd::parameters::{Geometry, SsdParameters};
    use crate::storage::ssd::presets::Preset;

    fn layout(blocks: u32, pages: u32) -> Layout {
        let preset = SsdParameters::preset(Preset::TlcNvme);
        let geometry = Geometry { blocks_per_plane: blocks, pages_per_block: pages, ..preset.geometry.clone() };
        Layout::new(&SsdParameters { geometry, ..preset })
    }

    #[test]
    fn places_and_owners_are_inverse_to_each_other() {
        for (blocks, pages) in [(20, 7), (40, 64), (100, 192)] {
            let layout = layout(blocks, pages);
            for precondition in [Precondition::Random(1.0), Precondition::Random(0.4), Precondition::Sequential(0.7)] {
                let contents = Contents::new(precondition, &layout, 3);
                let mut found = 0;
                for group in [0, 5] {
                    for block in 0..blocks {
                        for page in 0..layout.pages {
                            if let Some(local) = contents.owner(group, block, page) {
                                assert_eq!(contents.place(group, local), Some((block, page)));
                                found += 1;
                            }
                        }
                    }
                }
                assert_eq!(found, 2 * contents.filled);
                assert!((0..contents.blocks).all(|block| contents.valid(block) <= layout.pages));
            }
        }
    }

    #[test]
    fn valid_pages_fall_with_age_as_the_mean_field_says() {
        let layout = layout(1000, 256);
        let contents = Contents::new(Precondition::Random(1.0), &layout, 10);
        let oldest = f64::from(contents.valid(contents.blocks - 1)) / f64::from(layout.pages);
        let share = f64::from(contents.filled) / f64::from(contents.blocks * layout.pages);
        assert!((oldest - oldest_valid(share)).abs() < 0.01);
        assert!(f64::from(contents.valid(0)) >= 0.99 * f64::from(layout.pages));
        assert!((mean_field_amplification(0.8124) - 2.86).abs() < 0.01);
    }

    #[test]
    fn an_empty_device_holds_nothing() {
        let contents = Contents::new(Precondition::Empty, &layout(20, 16), 3);
        assert_eq!((contents.blocks, contents.place(0, 0), contents.owner(0, 0, 0)), (0, None, None));
    }
}
