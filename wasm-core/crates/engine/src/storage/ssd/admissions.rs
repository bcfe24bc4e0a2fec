//! Commands that wait for room in the write cache, by level: Urgent is strictly first, and High, Medium and Low share the room
//! that becomes free by weights, in pages.

use crate::kernel::ring::Ring;
use crate::storage::command::{LEVELS, Level};
use crate::storage::ssd::parameters::Scheduling;

/// The first of the levels that share by weight.
const WEIGHTED: usize = Level::High as usize;

/// The queue of every level.
#[derive(Clone, Debug, Default)]
pub(super) struct Admissions {
    waiting: [Ring<u32>; LEVELS],
    /// Pages that a level may still have in this round; a command may be longer than what is left, which the next rounds pay.
    credits: [i64; LEVELS - WEIGHTED],
}

impl Admissions {
    /// The command of a slot begins to wait. Drives that do not know levels, and MQSim's, keep the order of arrival.
    pub(super) fn push(&mut self, slot: u32, level: Level, scheduling: Scheduling) {
        let level = if scheduling == Scheduling::Priority { level } else { Level::Urgent };
        self.waiting[level as usize].push(slot);
    }

    /// The command whose turn it is, and its level.
    #[inline]
    pub(super) fn next(&mut self, weights: &[u32; 3]) -> Option<(usize, u32)> {
        let mut backlogged = (0..LEVELS).filter(|&level| !self.waiting[level].is_empty());
        let first = backlogged.next()?;
        let level = if first < WEIGHTED || backlogged.next().is_none() { first } else { self.by_weight(weights) };
        self.waiting[level].front().map(|&slot| (level, slot))
    }

    /// Commands that wait.
    pub(super) fn len(&self) -> u64 {
        self.waiting.iter().map(|level| u64::from(level.len())).sum()
    }

    /// It goes into the cache, with so many pages.
    pub(super) fn pop(&mut self, level: usize, pages: u64) {
        self.waiting[level].pop();
        if level < WEIGHTED {
            return;
        }
        self.credits[level - WEIGHTED] -= i64::try_from(pages).unwrap_or(i64::MAX);
        if self.waiting[level].is_empty() {
            // What it has or owes is forgotten with its queue.
            self.credits[level - WEIGHTED] = 0;
        }
    }

    /// Of several levels with something to send the one whose turn it is.
    fn by_weight(&mut self, weights: &[u32; 3]) -> usize {
        loop {
            let mut shared = (WEIGHTED..LEVELS).filter(|&level| !self.waiting[level].is_empty());
            if let Some(level) = shared.clone().find(|level| self.credits[level - WEIGHTED] > 0) {
                return level;
            }
            shared.all(|level| {
                self.credits[level - WEIGHTED] += i64::from(weights[level - WEIGHTED].max(1));
                true
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: [u32; 3] = [3, 2, 1];

    /// Pages of each level among the first commands that are let in, each level with commands of so many pages.
    fn shares(pages: [u32; 3], scheduling: Scheduling) -> [u32; 3] {
        let mut admissions = Admissions::default();
        for round in 0..1000 {
            for (number, level) in [Level::Low, Level::Medium, Level::High].into_iter().enumerate() {
                admissions.push(3 * round + 2 - number as u32, level, scheduling);
            }
        }
        let mut taken = [0; 3];
        for _ in 0..600 {
            let (level, slot) = admissions.next(&WEIGHTS).unwrap();
            let class = slot as usize % 3;
            taken[class] += pages[class];
            admissions.pop(level, u64::from(pages[class]));
        }
        taken
    }

    #[test]
    fn levels_share_room_by_weights_whatever_the_length_of_their_commands() {
        for pages in [[1, 1, 1], [15, 11, 5], [1, 1, 64]] {
            let [high, medium, low] = shares(pages, Scheduling::Priority).map(f64::from);
            assert!((high / low / 3.0 - 1.0).abs() < 0.1, "{pages:?}: {high} {low}");
            assert!((medium / low / 2.0 - 1.0).abs() < 0.1, "{pages:?}: {medium} {low}");
        }
    }

    #[test]
    fn drives_without_levels_keep_the_order_of_arrival() {
        assert_eq!(shares([1, 1, 1], Scheduling::Fifo), [200, 200, 200]);
    }

    #[test]
    fn an_urgent_command_goes_first() {
        let mut admissions = Admissions::default();
        admissions.push(7, Level::High, Scheduling::Priority);
        admissions.push(8, Level::Urgent, Scheduling::Priority);
        assert_eq!(admissions.next(&WEIGHTS), Some((0, 8)));
    }
}
