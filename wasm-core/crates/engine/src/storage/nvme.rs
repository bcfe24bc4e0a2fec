//! Submission queues of a device and the arbitration among them: from which queue the next command is fetched.
//!
//! NVM Express Base Specification 2.0, section 3.4.4: round robin, or weighted round robin with an urgent class. Under the
//! latter the administration queue comes first, then the queues of the urgent class, then the classes High, Medium and Low,
//! which share by weights: in each round a class launches as many commands as its weight, and what it did not use is lost
//! when the round ends. Within a class queues take turns, a burst of commands each.

use crate::kernel::convert::index_u32;
use crate::kernel::digest::Digest;
use crate::kernel::ring::Ring;
use crate::storage::command::{Command, LEVELS, Level};

/// The number of the administration queue, which comes before all others under weighted round robin.
pub const ADMIN_QUEUE: u32 = u32::MAX;

/// Value of [`NvmeParameters::burst`] that sets no limit (Set Features, Arbitration, field AB: 111b).
pub const UNLIMITED_BURST: u32 = u32::MAX;

/// How a device chooses the queue to fetch from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arbitration {
    /// All queues take turns, whatever their class.
    RoundRobin,
    /// Weighted round robin with an urgent class.
    WeightedRoundRobin,
    /// No arbitration, as in MQSim: each queue fetches on its own while it has fewer commands in the device than
    /// [`NvmeParameters::queue_limit`]. The limit of the device has no effect.
    FetchWindow,
}

/// How commands are fetched. All of it may change during a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NvmeParameters {
    /// How the queue is chosen.
    pub arbitration: Arbitration,
    /// Commands that a queue may launch at a turn; 0 counts as 1, [`UNLIMITED_BURST`] sets no limit. Set Features holds the
    /// binary logarithm (AB), so that a controller knows powers of two up to 64 alone.
    pub burst: u32,
    /// Commands per round of High, Medium and Low; 0 counts as 1. Set Features holds them less one (HPW, MPW, LPW).
    pub weights: [u32; 3],
    /// Commands of one queue that may be in the device at once; 0 counts as 1.
    pub queue_limit: u32,
    /// Commands that may be in the device at once; 0 counts as 1.
    pub device_limit: u32,
}

impl Default for NvmeParameters {
    fn default() -> Self {
        Self {
            arbitration: Arbitration::RoundRobin,
            burst: 1,
            weights: [3, 2, 1],
            queue_limit: 1024,
            device_limit: 128,
        }
    }
}

impl NvmeParameters {
    fn weight(&self, class: usize) -> u32 {
        self.weights[class].max(1)
    }
}

/// Lists of queues: administration, then by level.
const LISTS: usize = 1 + LEVELS;

/// The first of the lists that share by weight: High.
const WEIGHTED: usize = 2;

/// One submission queue.
#[derive(Clone, Debug, Default)]
struct Queue<T: Copy + Default> {
    waiting: Ring<T>,
    in_device: u32,
    /// Its own list, under weighted round robin.
    class: usize,
    /// It stands in a list: it has a command that may be fetched.
    listed: bool,
}

/// Queues that take turns.
#[derive(Clone, Debug, Default)]
struct Turns {
    /// Those that may launch a command, in the order of their turns.
    queues: Ring<u32>,
    /// Commands that the first of them has launched at its turn.
    launched: u32,
}

/// All submission queues of a device. A `T` stands for a command that waits there.
#[derive(Clone, Debug)]
pub(super) struct Queues<T: Copy + Default> {
    parameters: NvmeParameters,
    /// The administration queue, then queue `n` at `n + 1`.
    queues: Vec<Queue<T>>,
    lists: [Turns; LISTS],
    /// Commands that High, Medium and Low may still launch in this round.
    credits: [u32; 3],
    in_device: u32,
    waiting: [u32; LISTS],
}

impl<T: Copy + Default> Queues<T> {
    pub(super) fn new(parameters: &NvmeParameters) -> Self {
        Self {
            parameters: parameters.clone(),
            queues: Vec::new(),
            lists: Default::default(),
            credits: [0, 1, 2].map(|class| parameters.weight(class)),
            in_device: 0,
            waiting: [0; LISTS],
        }
    }

    /// Changes the rules. Commands stay where they are; a round begins anew.
    pub(super) fn set(&mut self, parameters: &NvmeParameters) {
        self.parameters = parameters.clone();
        self.credits = [0, 1, 2].map(|class| parameters.weight(class));
        self.lists = Default::default();
        for at in 0..self.queues.len() {
            self.queues[at].listed = false;
            self.list(at);
        }
    }

    /// A command is in its queue, to be fetched as `entry`.
    pub(super) fn push(&mut self, entry: T, command: &Command) {
        let (at, class) = match command.queue {
            ADMIN_QUEUE => (0, 0),
            queue => (queue as usize + 1, 1 + command.queue_level as usize),
        };
        if at >= self.queues.len() {
            self.queues.resize_with(at + 1, Queue::default);
        }
        if self.queues[at].class != class {
            self.reclassify(at, class);
        }
        self.waiting[class] += 1;
        self.queues[at].waiting.push(entry);
        self.list(at);
    }

    /// The next command to fetch; none while nothing waits or limits are reached.
    #[inline]
    pub(super) fn fetch(&mut self) -> Option<T> {
        let parameters = &self.parameters;
        if self.in_device >= parameters.device_limit.max(1) && parameters.arbitration != Arbitration::FetchWindow {
            return None;
        }
        let list = self.choose()?;
        let turns = &mut self.lists[list];
        let at = *turns.queues.front()?;
        let queue = &mut self.queues[at as usize];
        let entry = queue.waiting.pop();
        queue.in_device += 1;
        self.in_device += 1;
        self.waiting[queue.class] -= 1;
        turns.launched += 1;
        if list >= WEIGHTED {
            self.credits[list - WEIGHTED] -= 1;
        }
        let goes_on = !queue.waiting.is_empty() && queue.in_device < self.parameters.queue_limit.max(1);
        queue.listed = goes_on;
        if !goes_on || turns.launched >= self.parameters.burst.max(1) {
            turns.launched = 0;
            turns.queues.pop();
            if goes_on {
                turns.queues.push(at);
            }
        }
        Some(entry)
    }

    /// A command that was fetched from `queue` has left the device.
    #[inline]
    pub(super) fn leave(&mut self, queue: u32) {
        let at = if queue == ADMIN_QUEUE { 0 } else { queue as usize + 1 };
        self.queues[at].in_device -= 1;
        self.in_device -= 1;
        self.list(at);
    }

    /// Commands fetched and not left.
    pub(super) fn in_device(&self) -> u32 {
        self.in_device
    }

    /// Commands that wait to be fetched, by level; those for administration count as urgent.
    pub(super) fn waiting(&self) -> [u32; LEVELS] {
        let mut waiting = [0; LEVELS];
        waiting.copy_from_slice(&self.waiting[1..]);
        waiting[Level::Urgent as usize] += self.waiting[0];
        waiting
    }

    /// What High, Medium and Low may still launch in this round.
    pub(super) fn credits(&self) -> [u32; 3] {
        self.credits
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(self.in_device));
        self.waiting.iter().chain(&self.credits).for_each(|&count| digest.word(u64::from(count)));
    }

    /// The list whose turn it is.
    fn choose(&mut self) -> Option<usize> {
        if self.parameters.arbitration != Arbitration::WeightedRoundRobin {
            return (!self.lists[0].queues.is_empty()).then_some(0);
        }
        if let Some(strict) = (0..WEIGHTED).find(|&list| !self.lists[list].queues.is_empty()) {
            return Some(strict);
        }
        let backlogged = |list: &usize| !self.lists[*list].queues.is_empty();
        let mut weighted = (WEIGHTED..LISTS).filter(backlogged);
        let first = weighted.clone().next()?;
        if let Some(with_credit) = weighted.find(|list| self.credits[list - WEIGHTED] > 0) {
            return Some(with_credit);
        }
        self.credits = [0, 1, 2].map(|class| self.parameters.weight(class));
        Some(first)
    }

    /// Puts a queue at the end of its list if it may launch a command and is in no list.
    #[inline]
    fn list(&mut self, at: usize) {
        let queue = &mut self.queues[at];
        if queue.listed || queue.waiting.is_empty() || queue.in_device >= self.parameters.queue_limit.max(1) {
            return;
        }
        queue.listed = true;
        let list = if self.parameters.arbitration == Arbitration::WeightedRoundRobin { queue.class } else { 0 };
        self.lists[list].queues.push(index_u32(at));
    }

    /// Moves a queue, with all that waits in it, to another class.
    fn reclassify(&mut self, at: usize, class: usize) {
        let queue = &mut self.queues[at];
        let waiting = queue.waiting.len();
        self.waiting[queue.class] -= waiting;
        self.waiting[class] += waiting;
        let before = std::mem::replace(&mut queue.class, class);
        if queue.listed && self.parameters.arbitration == Arbitration::WeightedRoundRobin {
            queue.listed = false;
            let turns = &mut self.lists[before];
            if turns.queues.front() == Some(&index_u32(at)) {
                turns.launched = 0;
            }
            for _ in 0..turns.queues.len() {
                let other = turns.queues.pop();
                if other as usize != at {
                    turns.queues.push(other);
                }
            }
            self.list(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command of a queue, told by the number of that.
    fn push(queues: &mut Queues<u32>, queue: u32, level: Level) {
        queues.push(queue, &Command { queue, queue_level: level, ..Command::default() });
    }

    fn weighted() -> NvmeParameters {
        NvmeParameters { arbitration: Arbitration::WeightedRoundRobin, ..NvmeParameters::default() }
    }

    /// Commands of each queue among the first `count` fetched from backlogged queues.
    fn shares(parameters: &NvmeParameters, levels: &[Level], count: u32) -> Vec<u32> {
        let mut queues = Queues::new(parameters);
        for (number, &level) in levels.iter().enumerate() {
            (0..count).for_each(|_| push(&mut queues, index_u32(number), level));
        }
        let mut shares = vec![0; levels.len()];
        for _ in 0..count {
            let fetched = queues.fetch().expect("queues are backlogged");
            shares[fetched as usize] += 1;
            queues.leave(fetched);
        }
        shares
    }

    #[test]
    fn backlogged_classes_share_exactly_by_their_weights() {
        let levels = [Level::High, Level::Medium, Level::Low];
        assert_eq!(shares(&weighted(), &levels, 6000), [3000, 2000, 1000]);
        let burst = NvmeParameters { burst: UNLIMITED_BURST, ..weighted() };
        assert_eq!(shares(&burst, &levels, 6000), [3000, 2000, 1000]);
    }

    #[test]
    fn an_urgent_class_starves_the_others_and_administration_comes_before_it() {
        assert_eq!(shares(&weighted(), &[Level::Low, Level::Urgent], 100), [0, 100]);
        let mut queues = Queues::new(&weighted());
        push(&mut queues, 0, Level::Urgent);
        push(&mut queues, ADMIN_QUEUE, Level::Low);
        assert_eq!(queues.fetch(), Some(ADMIN_QUEUE));
    }

    #[test]
    fn queues_of_a_class_take_turns_by_bursts() {
        let order = |burst| {
            let mut queues = Queues::new(&NvmeParameters { burst, ..weighted() });
            (0..4).for_each(|_| (0..2).for_each(|number| push(&mut queues, number, Level::High)));
            (0..8).map(|_| queues.fetch().expect("waits")).collect::<Vec<u32>>()
        };
        assert_eq!(order(1), [0, 1, 0, 1, 0, 1, 0, 1]);
        assert_eq!(order(2), [0, 0, 1, 1, 0, 0, 1, 1]);
        // No power of two, and what it says all the same.
        assert_eq!(order(3), [0, 0, 0, 1, 1, 1, 0, 1]);
    }

    #[test]
    fn credits_of_an_empty_class_are_lost() {
        let mut queues = Queues::new(&weighted());
        (0..60).for_each(|_| push(&mut queues, 2, Level::Low));
        (0..30).for_each(|_| assert_eq!(queues.fetch(), Some(2)));
        (0..12).for_each(|_| push(&mut queues, 0, Level::High));
        let high = (0..8).filter(|_| queues.fetch() == Some(0)).count();
        assert_eq!(high, 7, "three in this round, three in the next, then Low");
    }

    #[test]
    fn limits_hold_and_new_weights_act_at_once() {
        let mut queues = Queues::new(&NvmeParameters { queue_limit: 2, device_limit: 3, ..weighted() });
        (0..10).for_each(|_| push(&mut queues, 0, Level::High));
        (0..10).for_each(|_| push(&mut queues, 1, Level::Low));
        let order: Vec<u32> = std::iter::from_fn(|| queues.fetch()).collect();
        assert_eq!(order, [0, 0, 1]);
        queues.set(&NvmeParameters { weights: [1, 1, 8], ..weighted() });
        let low = (0..9).filter(|_| queues.fetch() == Some(1)).count();
        assert_eq!(low, 8);
    }

    #[test]
    fn a_queue_that_changes_its_class_takes_what_waits_along() {
        let mut queues = Queues::new(&weighted());
        push(&mut queues, 0, Level::Low);
        push(&mut queues, 1, Level::High);
        push(&mut queues, 0, Level::Urgent);
        assert_eq!(queues.waiting(), [2, 1, 0, 0]);
        let order: Vec<u32> = std::iter::from_fn(|| queues.fetch()).collect();
        assert_eq!(order, [0, 0, 1]);
    }

    #[test]
    fn without_arbitration_each_queue_has_its_own_window() {
        let window = NvmeParameters {
            arbitration: Arbitration::FetchWindow,
            queue_limit: 2,
            device_limit: 1,
            ..NvmeParameters::default()
        };
        let mut queues = Queues::new(&window);
        (0..3).for_each(|_| (0..2).for_each(|number| push(&mut queues, number, Level::High)));
        assert_eq!(std::iter::from_fn(|| queues.fetch()).count(), 4);
    }
}
