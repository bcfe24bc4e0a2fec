//! What a device holds at the start, computed instead of stored: where a page lies that has not been written since, and
//! which page lies at a place.
//!
//! Let `F` be the share of the closed blocks of a group that hold at most a share `v` of their pages valid. Under uniform random writes
//! blocks lose valid pages at a rate in proportion to `v`, and as many fall below `v` as are collected there, which is the share of
//! victims that hold at most `v`, `h(F)`: `c v dF/dv = h(F)` (the mean-field limit of large blocks; Van Houdt, "A mean field model for a
//! class of garbage collection algorithms in flash-based solid state drives", SIGMETRICS 2013). The best of `d` blocks has
//! `h = 1 - (1 - F)^d`, so that of blocks ordered by `x = 1 - F`, the fullest first, one at `x` holds
//!
//! `v(x) = exp(-c I(x))`, `I(x) = integral from 0 to x of ds / (1 - s^d)`,
//!
//! and `c` follows from the share of valid pages overall. One choice is a victim at random, and `I = -ln(1 - x)`; many choices are greedy,
//! and `I = x`, as it is where blocks are collected in the order in which they were filled. Two blocks are open, one filled by commands
//! and one by garbage collection. Together they hold one and a half blocks of valid pages: each is half full in the mean, and half of
//! what is moved from a victim has been moved.
//!
//! One table of counts serves all groups. Logical pages are scattered over it by an affine permutation, and the valid pages of a closed
//! block over the block by a multiplication, so both directions take constant time.

use crate::kernel::convert::{modulo_u32, rounded, saturated_u32};
use crate::kernel::digest::scramble;
use crate::storage::ssd::gc::Thresholds;
use crate::storage::ssd::layout::Layout;
use crate::storage::ssd::parameters::{Precondition, SsdParameters, VictimPolicy, choices};

/// Blocks of a group that are open in the steady state: one filled by commands, one by garbage collection.
const OPEN: u32 = 2;

/// The contents of a group at the start.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    /// Logical pages of a group that are written: the first ones.
    pub(super) filled: u32,
    /// Closed blocks that hold them: the first ones, those with the most valid pages first.
    pub(super) blocks: u32,
    /// Valid pages of the open blocks, which follow; 0 if no block is open.
    open_pages: u32,
    /// By group: pages of these that commands have filled. Garbage collection has filled the others. Groups that
    /// fill their blocks in step have the same number; all others differ.
    by_commands: Vec<u32>,
    /// By closed block: how many valid pages those before it hold. One more than there are closed blocks.
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

impl SsdParameters {
    /// Share of the pages outside free blocks that hold no data in the steady state of garbage collection, which decides its write
    /// amplification; `None` if the drive does not begin in that state. The parameters must be without [`error`](Self::error).
    pub fn effective_spare_share(&self) -> Option<f64> {
        Contents::of(self, &Layout::new(self)).spare_share()
    }
}

impl Contents {
    /// What a device with these parameters holds.
    pub(super) fn of(parameters: &SsdParameters, layout: &Layout) -> Self {
        let live = &parameters.live;
        let free = Thresholds::new(layout, parameters, live).steady(layout, parameters.gc.trigger, live);
        Self::new(parameters.precondition, layout, free, live.victims)
    }

    /// The contents of a device whose groups have `free` free blocks besides the open ones, if so many can be free.
    pub(super) fn new(precondition: Precondition, layout: &Layout, free: u32, victims: VictimPolicy) -> Self {
        let (share, random) = match precondition {
            Precondition::Empty => (0.0, false),
            Precondition::Sequential(share) => (share, false),
            Precondition::Random(share) => (share, true),
        };
        let user = layout.user_pages / layout.groups;
        let filled = saturated_u32(rounded(f64::from(user) * share.clamp(0.0, 1.0))).min(user);
        // Whole rows of a die.
        let row = layout.planes_together();
        let rows = layout.pages / row;
        let open_rows = rows + (rows - 1) / 2;
        let open_pages = if random && rows > 1 && filled > 2 * layout.pages { open_rows * row } else { 0 };
        let closed = filled - open_pages;
        let needed = closed.div_ceil(layout.pages);
        let blocks = if open_pages > 0 { needed.max(layout.blocks.saturating_sub(free + OPEN)) } else { needed };
        let starts = match random {
            true => {
                let choices = match victims {
                    VictimPolicy::Greedy | VictimPolicy::Fifo => f64::INFINITY,
                    VictimPolicy::Choices(count) => f64::from(choices(count, layout.blocks)),
                    VictimPolicy::Random => 1.0,
                };
                steady_counts(closed, blocks, layout.pages, choices)
            }
            false => full_counts(closed, layout.pages),
        };
        let guide_shift = (closed.max(1) / (2 * blocks.max(1))).checked_ilog2().unwrap_or(0);
        let mut block = 0;
        let guide = (0..=closed >> guide_shift)
            .map(|guess| {
                while block + 1 < blocks && starts[block as usize + 1] <= guess << guide_shift {
                    block += 1;
                }
                block
            })
            .collect();
        let is_steady = open_pages > 0;
        let offset = |group| if is_steady { modulo(scramble(u64::from(group) + 1), filled) } else { 0 };
        // Neither block is full, and none is empty.
        let [min, max] = [open_rows + 1 - rows, rows.max(2) - 1];
        let by_commands = |group| row * (min + modulo(scramble(!u64::from(group / layout.in_step)), max + 1 - min));
        let multipliers = |modulus, share| if random { coprime(modulus, share) } else { (1, 1) };
        Self {
            filled,
            blocks,
            open_pages,
            by_commands: (0..layout.groups).map(by_commands).collect(),
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

    /// Share of the pages that are not in free blocks which hold no data, in the steady state; `None` if the device does not begin in it.
    pub(super) fn spare_share(&self) -> Option<f64> {
        let pages = f64::from(self.blocks) * f64::from(self.pages) + f64::from(self.open_pages);
        (self.open_pages > 0).then(|| 1.0 - f64::from(self.filled) / pages)
    }

    /// Valid pages of a closed block.
    pub(super) fn valid(&self, block: u32) -> u32 {
        self.starts[block as usize + 1] - self.starts[block as usize]
    }

    /// Pages of the open blocks of a group that are filled: by commands, and by garbage collection. `None` if no block is open.
    pub(super) fn open(&self, group: u32) -> Option<[u32; OPEN as usize]> {
        let by_commands = self.by_commands[group as usize];
        (self.open_pages > 0).then(|| [by_commands, self.open_pages - by_commands])
    }

    /// Blocks of a group that are not free.
    pub(super) fn used_blocks(&self) -> u32 {
        self.blocks + if self.open_pages > 0 { OPEN } else { 0 }
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
        if rank < self.open_pages {
            let by_commands = self.by_commands[group as usize];
            return Some(match rank.checked_sub(by_commands) {
                None => (self.blocks, rank),
                Some(page) => (self.blocks + 1, page),
            });
        }
        let rank = rank - self.open_pages;
        let mut block = self.guide[(rank >> self.guide_shift) as usize];
        while self.starts[block as usize + 1] <= rank {
            block += 1;
        }
        Some((block, multiply(rank - self.starts[block as usize], self.stride.0, self.pages)))
    }

    /// The logical page of a group at a place; none if the page there is not valid.
    #[inline]
    pub(super) fn owner(&self, group: u32, block: u32, page: u32) -> Option<u32> {
        let rank = match block.checked_sub(self.blocks) {
            None => {
                let rank = self.starts[block as usize] + multiply(page, self.stride.1, self.pages);
                (rank < self.starts[block as usize + 1]).then_some(rank + self.open_pages)?
            }
            Some(number) => {
                let [by_commands, by_gc] = self.open(group)?;
                match number {
                    0 if page < by_commands => page,
                    1 if page < by_gc => by_commands + page,
                    _ => return None,
                }
            }
        };
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

/// Running sums of valid pages in the steady state of a policy that takes the best of so many blocks.
fn steady_counts(filled: u32, blocks: u32, pages: u32, choices: f64) -> Vec<u32> {
    let capacity = f64::from(blocks) * f64::from(pages);
    let share = if blocks == 0 { 1.0 } else { f64::from(filled) / capacity };
    let below = shares_below(share, blocks, choices);
    below
        .into_iter()
        .enumerate()
        .map(
            |(block, share)| {
                if block == blocks as usize { filled } else { saturated_u32(rounded(f64::from(filled) * share)) }
            },
        )
        .scan(0, |before, sum| {
            // Rounding must not give a block more pages than it has.
            *before = sum.clamp(*before, *before + pages).min(filled);
            Some(*before)
        })
        .collect()
}

/// By block, the fullest first: the share of all valid pages that those before it hold. One more than there are blocks.
fn shares_below(share: f64, blocks: u32, choices: f64) -> Vec<f64> {
    let count = f64::from(blocks.max(1));
    let positions = (0..=blocks).map(|block| f64::from(block) / count);
    if share >= 0.999_999 {
        return positions.collect();
    }
    if choices == 1.0 {
        return positions.map(|x| 1.0 - libm::pow(1.0 - x, 1.0 / share)).collect();
    }
    if choices == f64::INFINITY {
        let oldest = oldest_valid(share);
        let log = libm::log(oldest);
        return positions.map(|x| (libm::exp(x * log) - 1.0) / (oldest - 1.0)).collect();
    }
    let mut integral = 0.0;
    let integrals: Vec<f64> = (0..blocks)
        .map(|block| {
            let step = 1.0 / (count * (1.0 - libm::pow((f64::from(block) + 0.5) / count, choices)));
            integral += step;
            integral - 0.5 * step
        })
        .collect();
    let mean = |rate: f64| integrals.iter().map(|at| libm::exp(-rate * at)).sum::<f64>() / count;
    let (mut low, mut high) = (0.0, 1e3);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if mean(middle) > share { low = middle } else { high = middle }
    }
    let mut sum = 0.0;
    std::iter::once(0.0)
        .chain(integrals.iter().map(|at| {
            sum += libm::exp(-low * at) / (share * count);
            sum
        }))
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
    use crate::storage::ssd::parameters::Geometry;
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
                let contents = Contents::new(precondition, &layout, 3, VictimPolicy::Choices(4));
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
    fn valid_pages_follow_the_mean_field_of_the_policy() {
        let layout = layout(1000, 256);
        for (victims, choices) in
            [(VictimPolicy::Greedy, f64::INFINITY), (VictimPolicy::Choices(3), 3.0), (VictimPolicy::Random, 1.0)]
        {
            let contents = Contents::new(Precondition::Random(0.8), &layout, 10, victims);
            assert_eq!((contents.blocks, contents.used_blocks()), (988, 990));
            assert_eq!((0..988).map(|block| contents.valid(block)).sum::<u32>() + contents.open_pages, contents.filled);
            let valid = |x: f64| f64::from(contents.valid((x * 988.0) as u32)) / f64::from(layout.pages);
            // Blocks lose valid pages in proportion to what they hold, and leave as they are chosen: v'/v = -c / (1 - x^d).
            let rate = |x: f64| {
                let slope = libm::log(valid(x - 0.05) / valid(x + 0.05)) / 0.1;
                slope * (1.0 - libm::pow(x, choices.min(1e3)))
            };
            let rates = [0.2, 0.5, 0.8].map(rate);
            assert!(rates.iter().all(|rate| (rate / rates[0] - 1.0).abs() < 0.1), "{victims:?}: {rates:?}");
            assert!(valid(0.0) > 0.99, "{victims:?}");
        }
        assert!((mean_field_amplification(0.8124) - 2.86).abs() < 0.01);
    }

    #[test]
    fn an_empty_device_holds_nothing() {
        let contents = Contents::new(Precondition::Empty, &layout(20, 16), 3, VictimPolicy::Greedy);
        assert_eq!((contents.used_blocks(), contents.place(0, 0), contents.owner(0, 0, 0)), (0, None, None));
    }
}
