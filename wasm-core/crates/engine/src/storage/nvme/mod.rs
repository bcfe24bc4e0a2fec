//! Submission queues of a device and the arbitration among them: from which queue the next command is fetched.
//!
//! Queues that have a command to launch stand in lists, one for all of them or one for each priority, as the arbitration has it.
//! The arbitration says which list has its turn ([`arbitrations`]); within a list queues take turns, a burst of commands each.
//! (NVM Express Base Specification 2.0, section 3.4.4.)

pub mod arbitrations;

use crate::kernel::convert::index_u32;
use crate::kernel::digest::Digest;
use crate::kernel::ring::Ring;
use crate::storage::command::{Command, LEVELS, Level};

use arbitrations::Arbiter;
pub use arbitrations::{Arbitration, Mechanism};

/// The number of the administration queue, which comes before all others where priorities count.
pub const ADMIN_QUEUE: u32 = u32::MAX;

/// Value of [`NvmeParameters::burst`] that sets no limit (Set Features, Arbitration, field AB: 111b).
pub const UNLIMITED_BURST: u32 = u32::MAX;

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
    /// Commands per round of High, Medium and Low, each at least 1.
    fn round(&self) -> [u32; 3] {
        self.weights.map(|weight| weight.max(1))
    }

    fn arbiter(&self) -> Arbiter {
        Arbiter::new(self.arbitration, self.round())
    }
}

/// Lists of queues: administration, then by level. The first has all queues where priorities do not count.
const LISTS: usize = 1 + LEVELS;

/// One submission queue.
#[derive(Clone, Debug, Default)]
struct Queue<T: Copy + Default> {
    waiting: Ring<T>,
    in_device: u32,
    /// Its own list, where priorities count.
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

impl Turns {
    /// Whether there is a command to launch.
    fn is_ready(&self) -> bool {
        !self.queues.is_empty()
    }
}

/// All submission queues of a device. A `T` stands for a command that waits there.
#[derive(Clone, Debug)]
pub(super) struct Queues<T: Copy + Default> {
    parameters: NvmeParameters,
    /// The administration queue, then queue `n` at `n + 1`.
    queues: Vec<Queue<T>>,
    lists: [Turns; LISTS],
    arbiter: Arbiter,
    in_device: u32,
    waiting: [u32; LISTS],
}

impl<T: Copy + Default> Queues<T> {
    pub(super) fn new(parameters: &NvmeParameters) -> Self {
        Self {
            parameters: parameters.clone(),
            queues: Vec::new(),
            lists: Default::default(),
            arbiter: parameters.arbiter(),
            in_device: 0,
            waiting: [0; LISTS],
        }
    }

    /// Changes the rules. Commands stay where they are; a round begins anew.
    pub(super) fn set(&mut self, parameters: &NvmeParameters) {
        self.parameters = parameters.clone();
        self.arbiter = parameters.arbiter();
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
        if self.in_device >= parameters.device_limit.max(1) && parameters.arbitration.mechanism().limits_device {
            return None;
        }
        let list = self.arbiter.choose(&self.lists)?;
        let turns = &mut self.lists[list];
        let at = *turns.queues.front()?;
        let queue = &mut self.queues[at as usize];
        let entry = queue.waiting.pop();
        queue.in_device += 1;
        self.in_device += 1;
        self.waiting[queue.class] -= 1;
        turns.launched += 1;
        self.arbiter.on_fetch(list);
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

    /// What High, Medium and Low may still launch in this round: all of it where the arbitration counts nothing.
    pub(super) fn credits(&self) -> [u32; 3] {
        self.arbiter.credits().unwrap_or_else(|| self.parameters.round())
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        digest.word(u64::from(self.in_device));
        self.waiting.iter().chain(&self.credits()).for_each(|&count| digest.word(u64::from(count)));
    }

    /// Puts a queue at the end of its list if it may launch a command and is in no list.
    #[inline]
    fn list(&mut self, at: usize) {
        let queue = &mut self.queues[at];
        if queue.listed || queue.waiting.is_empty() || queue.in_device >= self.parameters.queue_limit.max(1) {
            return;
        }
        queue.listed = true;
        let list = if self.parameters.arbitration.mechanism().by_priority { queue.class } else { 0 };
        self.lists[list].queues.push(index_u32(at));
    }

    /// Moves a queue, with all that waits in it, to another class.
    fn reclassify(&mut self, at: usize, class: usize) {
        let queue = &mut self.queues[at];
        let waiting = queue.waiting.len();
        self.waiting[queue.class] -= waiting;
        self.waiting[class] += waiting;
        let before = std::mem::replace(&mut queue.class, class);
        if queue.listed && self.parameters.arbitration.mechanism().by_priority {
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
pub(in crate::storage) mod tests {
    use super::*;

    /// A command of a queue, told by the number of that.
    pub fn push(queues: &mut Queues<u32>, queue: u32, level: Level) {
        queues.push(queue, &Command { queue, queue_level: level, ..Command::default() });
    }

    /// An arbitration that no limit disturbs.
    pub fn parameters(arbitration: Arbitration) -> NvmeParameters {
        NvmeParameters { arbitration, queue_limit: u32::MAX, device_limit: u32::MAX, ..NvmeParameters::default() }
    }

    /// The queues of the commands fetched, in order, where so many of each level wait in each queue and none leaves the device.
    pub fn order(parameters: &NvmeParameters, waiting: &[(u32, Level, u32)]) -> Vec<u32> {
        let mut queues = Queues::new(parameters);
        for &(queue, level, count) in waiting {
            (0..count).for_each(|_| push(&mut queues, queue, level));
        }
        std::iter::from_fn(|| queues.fetch()).collect()
    }

    #[test]
    fn a_mechanism_is_that_of_its_arbitration() {
        for &arbitration in Arbitration::ALL {
            let named = serde_json::to_value(arbitration).unwrap();
            assert_eq!(named, arbitration.mechanism().id);
        }
    }

    #[test]
    fn limits_hold_until_a_command_leaves() {
        let limits = NvmeParameters { queue_limit: 2, device_limit: 3, ..parameters(Arbitration::WeightedRoundRobin) };
        let mut queues = Queues::new(&limits);
        (0..10).for_each(|_| push(&mut queues, 0, Level::High));
        (0..10).for_each(|_| push(&mut queues, 1, Level::Low));
        assert_eq!([0; 4].map(|_| queues.fetch()), [Some(0), Some(0), Some(1), None]);
        assert_eq!((queues.in_device(), queues.waiting()), (3, [0, 8, 0, 9]));
        queues.leave(1);
        assert_eq!([0; 2].map(|_| queues.fetch()), [Some(1), None], "queue 0 has its two in the device");
        queues.leave(0);
        assert_eq!([0; 2].map(|_| queues.fetch()), [Some(0), None]);
    }

    #[test]
    fn limits_of_nothing_count_as_one() {
        let none = NvmeParameters { burst: 0, queue_limit: 0, device_limit: 0, ..NvmeParameters::default() };
        assert_eq!(order(&none, &[(0, Level::High, 2)]), [0]);
        let device = NvmeParameters { device_limit: 9, ..none };
        assert_eq!(order(&device, &[(0, Level::High, 2), (1, Level::High, 2)]), [0, 1]);
    }

    #[test]
    fn another_arbitration_lists_the_queues_anew() {
        let mut queues = Queues::new(&parameters(Arbitration::RoundRobin));
        [(0, Level::Low), (1, Level::Urgent)].into_iter().for_each(|(queue, level)| {
            (0..3).for_each(|_| push(&mut queues, queue, level));
        });
        assert_eq!([0; 2].map(|_| queues.fetch()), [Some(0), Some(1)]);
        queues.set(&parameters(Arbitration::WeightedRoundRobin));
        assert_eq!([0; 3].map(|_| queues.fetch()), [Some(1), Some(1), Some(0)]);
    }

    #[test]
    fn commands_for_administration_count_as_urgent() {
        let mut queues = Queues::new(&parameters(Arbitration::RoundRobin));
        push(&mut queues, ADMIN_QUEUE, Level::Low);
        push(&mut queues, 0, Level::Urgent);
        assert_eq!(queues.waiting(), [2, 0, 0, 0]);
    }
}
