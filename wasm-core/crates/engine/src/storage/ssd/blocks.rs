//! Blocks of the groups: which are free, which are being filled, how many valid pages each holds and whose they are.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::kernel::convert::{index, index_u32};
use crate::kernel::digest::Digest;
use crate::kernel::random::Stream;
use crate::storage::ssd::arena::{List, Transaction};
use crate::storage::ssd::layout::Layout;
use crate::storage::ssd::parameters::{VictimPolicy, choices};
use crate::storage::ssd::precondition::Contents;

/// Set in the count of valid pages of a block that cannot be collected: it is free, being filled or being collected.
const HELD: u32 = 1 << 31;

/// Set in the owner of a page whose program has not ended.
const PENDING: u32 = 1 << 31;

/// The owner of a page that has none.
const NOBODY: u32 = PENDING - 1;

/// The reverse map of a block that has not been opened since the start: it follows from the contents at the start.
const ORIGINAL: u32 = u32::MAX;

/// A block that is being filled. No block while `page` is the number of pages of one.
#[derive(Clone, Copy, Debug)]
struct Frontier {
    block: u32,
    page: u32,
}

/// What writes a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// Commands and the mapping table, by the number of the frontier.
    User(u32),
    /// Garbage collection.
    Gc,
}

/// One group.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Blocks filled by commands, then the one filled by garbage collection.
    frontiers: Vec<Frontier>,
    /// Blocks that have been free since the start: those from here on.
    unopened: u32,
    /// Free blocks that have been used, by wear and order.
    freed: BinaryHeap<Reverse<(u16, u32, u32)>>,
    pub(super) free: u32,
    /// Valid pages.
    valid: u32,
    /// Blocks being collected.
    pub(super) victims: u32,
    /// Pages that these will still write.
    pub(super) planned: u32,
    /// Pages that these will still read.
    pub(super) to_read: u32,
    /// Writes that wait for a free block.
    pub(super) stalled: List,
    /// Blocks filled, and blocks freed, so far: their order.
    filled: u32,
    freed_count: u32,
    /// Erases of the block that has the most.
    pub(super) erases_max: u16,
    /// A block is being emptied to level wear: its data, which change seldom, go to worn blocks.
    pub(super) levels_wear: bool,
    /// Free blocks are at or below the hard threshold.
    pub(super) urgent: bool,
}

/// All blocks.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    pub(super) groups: Vec<Group>,
    /// By block: valid pages, with [`HELD`].
    valid: Vec<u32>,
    erases: Vec<u16>,
    /// By block: when it was filled, as a count of blocks of its group.
    age: Vec<u32>,
    /// By block: where its reverse map begins in `owners`, in blocks; or [`ORIGINAL`].
    chunk: Vec<u32>,
    /// Reverse maps: the logical page of each page, with [`PENDING`].
    owners: Vec<u32>,
    /// By reverse map: pages whose program has not ended.
    pending: Vec<u32>,
    free_chunks: Vec<u32>,
    least_worn_first: bool,
}

impl Blocks {
    pub(super) fn new(layout: &Layout, contents: &Contents, least_worn_first: bool) -> Self {
        let mut blocks = Self {
            groups: Vec::new(),
            valid: Vec::new(),
            erases: vec![0; (layout.groups * layout.blocks) as usize],
            age: Vec::new(),
            chunk: vec![ORIGINAL; (layout.groups * layout.blocks) as usize],
            owners: Vec::new(),
            pending: Vec::new(),
            free_chunks: Vec::new(),
            least_worn_first,
        };
        let closed = 0..contents.blocks;
        let rest = layout.blocks - contents.blocks;
        let mut valid: Vec<u32> = closed.clone().map(|block| contents.valid(block)).collect();
        let mut age: Vec<u32> = closed.map(|block| contents.age(block)).collect();
        valid.extend((0..rest).map(|_| HELD));
        age.extend((0..rest).map(|_| 0));
        for number in 0..layout.groups {
            let base = blocks.valid.len();
            let mut frontiers = vec![Frontier { block: 0, page: layout.pages }; layout.frontiers as usize + 1];
            blocks.valid.extend_from_slice(&valid);
            blocks.age.extend_from_slice(&age);
            if let Some([by_commands, by_gc]) = contents.open(number) {
                let [user, gc] = [contents.blocks, contents.blocks + 1];
                frontiers[0] = Frontier { block: user, page: by_commands };
                frontiers[layout.frontiers as usize] = Frontier { block: gc, page: by_gc };
                blocks.valid[base + user as usize] |= by_commands;
                blocks.valid[base + gc as usize] |= by_gc;
            }
            blocks.groups.push(Group {
                frontiers,
                unopened: contents.used_blocks(),
                freed: BinaryHeap::new(),
                free: layout.blocks - contents.used_blocks(),
                valid: contents.filled,
                victims: 0,
                planned: 0,
                to_read: 0,
                stalled: List::default(),
                filled: contents.blocks,
                freed_count: 0,
                erases_max: 0,
                levels_wear: false,
                urgent: false,
            });
        }
        blocks
    }

    /// Memory that they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let of_group = |group: &Group| {
            size_of::<Group>()
                + size_of_val(&*group.frontiers)
                + group.freed.len() * size_of::<Reverse<(u16, u32, u32)>>()
        };
        let numbers = [&self.valid, &self.age, &self.chunk, &self.owners, &self.pending, &self.free_chunks];
        numbers.iter().map(|numbers| size_of_val(&***numbers)).sum::<usize>()
            + size_of_val(&*self.erases)
            + self.groups.iter().map(of_group).sum::<usize>()
    }

    /// Whether a writer finds a page in a group without breaking into what garbage collection needs.
    pub(super) fn has_room(&self, layout: &Layout, group: u32, writer: Writer) -> bool {
        let state = &self.groups[group as usize];
        let number = frontier_number(layout, writer);
        if state.valid >= layout.valid_max && writer != Writer::Gc {
            return false;
        }
        if state.frontiers[number].page < layout.pages {
            return true;
        }
        match writer {
            Writer::Gc => state.free > 0,
            Writer::User(_) => state.free > layout.reserved && self.room_for_gc(layout, group, 1) >= state.planned,
        }
    }

    /// Pages that garbage collection of a group could write if `taken` of its free blocks were not there.
    pub(super) fn room_for_gc(&self, layout: &Layout, group: u32, taken: u32) -> u32 {
        let state = &self.groups[group as usize];
        let frontier = &state.frontiers[layout.frontiers as usize];
        layout.pages - frontier.page + state.free.saturating_sub(taken) * layout.pages
    }

    /// Pages that are left in the row that garbage collection of a group fills, or in the next row if that is full.
    pub(super) fn left_in_gc_row(&self, layout: &Layout, group: u32) -> u32 {
        layout.stripe - self.groups[group as usize].frontiers[layout.frontiers as usize].page % layout.stripe
    }

    /// Takes the next page for a writer, who has found that there is room, and notes whose it is. Returns its number, and
    /// whether a block was opened for it.
    pub(super) fn take(
        &mut self,
        layout: &Layout,
        contents: &Contents,
        group: u32,
        writer: Writer,
        logical: u32,
        written: bool,
    ) -> (u32, bool) {
        let number = frontier_number(layout, writer);
        let opens = self.groups[group as usize].frontiers[number].page >= layout.pages;
        if opens {
            let block = self.open(layout, group, writer);
            self.groups[group as usize].frontiers[number] = Frontier { block, page: 0 };
        }
        let frontier = &mut self.groups[group as usize].frontiers[number];
        let Frontier { block, page } = *frontier;
        frontier.page += 1;
        let at = (group * layout.blocks + block) as usize;
        if self.chunk[at] == ORIGINAL {
            // The block was open at the start.
            self.begin_chunk(layout, at);
            let begin = self.chunk[at] as usize * layout.pages as usize;
            for page in 0..page {
                let owner = contents.owner(group, block, page);
                self.owners[begin + page as usize] = owner.map_or(NOBODY, |local| layout.logical(group, local));
            }
        }
        let chunk = self.chunk[at] as usize;
        self.valid[at] += 1;
        self.groups[group as usize].valid += 1;
        self.owners[chunk * layout.pages as usize + page as usize] = logical | if written { 0 } else { PENDING };
        self.pending[chunk] += u32::from(!written);
        if page + 1 == layout.pages {
            self.fill(layout, group, at);
        }
        (layout.physical(group, block, page), opens)
    }

    /// The program of a page has ended. Returns whether its block can be collected now.
    pub(super) fn programmed(&mut self, layout: &Layout, physical: u32) -> bool {
        let at = layout.block_index(physical);
        let chunk = self.chunk[at] as usize;
        self.owners[chunk * layout.pages as usize + layout.page(physical) as usize] &= !PENDING;
        self.pending[chunk] -= 1;
        self.release_if_done(layout, layout.group(physical), at)
    }

    /// Whether the program of a page has not ended.
    #[inline]
    pub(super) fn is_pending(&self, layout: &Layout, physical: u32) -> bool {
        let chunk = self.chunk[layout.block_index(physical)];
        chunk != ORIGINAL
            && self.owners[chunk as usize * layout.pages as usize + layout.page(physical) as usize] & PENDING != 0
    }

    /// The data of a page are not needed any more.
    #[inline]
    pub(super) fn invalidate(&mut self, layout: &Layout, physical: u32) {
        self.valid[layout.block_index(physical)] -= 1;
        self.groups[layout.group(physical) as usize].valid -= 1;
    }

    /// The logical page that was written to a page, valid or not; none if none was.
    pub(super) fn owner(&self, layout: &Layout, contents: &Contents, group: u32, block: u32, page: u32) -> Option<u32> {
        match self.chunk[(group * layout.blocks + block) as usize] {
            ORIGINAL => contents.owner(group, block, page).map(|local| layout.logical(group, local)),
            chunk => {
                let owner = self.owners[chunk as usize * layout.pages as usize + page as usize] & !PENDING;
                (owner != NOBODY).then_some(owner)
            }
        }
    }

    /// Whether the page that a transaction reads holds what it is to read.
    pub(super) fn holds(&self, layout: &Layout, contents: &Contents, transaction: &Transaction) -> bool {
        let Transaction { physical, logical, .. } = *transaction;
        let owner = self.owner(layout, contents, layout.group(physical), layout.block(physical), layout.page(physical));
        owner == Some(logical) && !self.is_pending(layout, physical)
    }

    /// Valid pages of a block.
    pub(super) fn valid(&self, layout: &Layout, group: u32, block: u32) -> u32 {
        self.valid[(group * layout.blocks + block) as usize] & !HELD
    }

    /// A block is being collected from now on.
    pub(super) fn hold(&mut self, layout: &Layout, group: u32, block: u32) {
        self.valid[(group * layout.blocks + block) as usize] |= HELD;
    }

    /// A block has been erased, and is free.
    pub(super) fn erased(&mut self, layout: &Layout, group: u32, block: u32) {
        let at = (group * layout.blocks + block) as usize;
        debug_assert_eq!(self.valid[at], HELD, "a block that holds valid pages is not erased");
        self.erases[at] = self.erases[at].saturating_add(1);
        if self.chunk[at] != ORIGINAL {
            debug_assert_eq!(self.pending[self.chunk[at] as usize], 0);
            self.free_chunks.push(self.chunk[at]);
        }
        let wear = if self.least_worn_first { self.erases[at] } else { 0 };
        let state = &mut self.groups[group as usize];
        state.erases_max = state.erases_max.max(self.erases[at]);
        state.freed_count += 1;
        state.freed.push(Reverse((wear, state.freed_count, block)));
        state.free += 1;
    }

    /// The block of a group to collect next; none where no block has a page to gain.
    pub(super) fn victim(&self, layout: &Layout, group: u32, policy: VictimPolicy, random: &mut Stream) -> Option<u32> {
        let base = (group * layout.blocks) as usize;
        let valid = &self.valid[base..base + layout.blocks as usize];
        let full = layout.pages;
        let useful = |block: &usize| valid[*block] < full;
        let collectable = |block: &usize| valid[*block] & HELD == 0;
        let draw = |random: &mut Stream| index(random.integer(0, u64::from(layout.blocks) - 1));
        let chosen = match policy {
            VictimPolicy::Greedy => None,
            VictimPolicy::Choices(count) => {
                let count = choices(count, layout.blocks);
                // Blocks that are free or being filled are drawn anew, a bounded number of times.
                let candidates = (0..4 * count).map(|_| draw(random)).filter(collectable);
                let best = candidates.take(count as usize).min_by_key(|&block| (valid[block], block));
                best.filter(useful)
            }
            VictimPolicy::Fifo => (0..valid.len()).filter(useful).min_by_key(|&block| self.age[base + block]),
            // Full blocks too, of which nothing is gained, as long as another has a page to gain.
            VictimPolicy::Random => {
                greedy(valid).filter(useful).and_then(|_| (0..64).map(|_| draw(random)).find(collectable))
            }
        };
        chosen.or_else(|| greedy(valid).filter(useful)).map(index_u32)
    }

    /// The block of a group with the fewest erases that could be collected, and how many these are.
    pub(super) fn least_worn(&self, layout: &Layout, group: u32) -> Option<(u32, u16)> {
        let base = (group * layout.blocks) as usize;
        (0..layout.blocks)
            .filter(|&block| self.valid[base + block as usize] & HELD == 0)
            .min_by_key(|&block| (self.erases[base + block as usize], block))
            .map(|block| (block, self.erases[base + block as usize]))
    }

    /// Erases of the block that has the fewest, and of the one that has the most.
    pub(super) fn erases_min_max(&self) -> (u16, u16) {
        let erases = || self.erases.iter().copied();
        (erases().min().unwrap_or(0), erases().max().unwrap_or(0))
    }

    /// Erases of a group so far.
    pub(super) fn erases_of(&self, group: u32) -> u32 {
        self.groups[group as usize].freed_count
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        for group in &self.groups {
            digest.word(u64::from(group.free) << 32 | u64::from(group.planned));
            digest.word(u64::from(group.filled) << 32 | u64::from(group.freed_count));
        }
    }

    /// Takes the free block that is due.
    fn open(&mut self, layout: &Layout, group: u32, writer: Writer) -> u32 {
        let state = &mut self.groups[group as usize];
        state.free -= 1;
        let block = if state.levels_wear && writer == Writer::Gc && !state.freed.is_empty() {
            let mut freed = std::mem::take(&mut state.freed).into_vec();
            let worn = (0..freed.len()).min_by_key(|&at| freed[at]).expect("there is one"); // entries are reversed
            let Reverse((_, _, block)) = freed.swap_remove(worn);
            state.freed = BinaryHeap::from(freed);
            block
        } else if state.unopened < layout.blocks {
            state.unopened += 1;
            state.unopened - 1
        } else {
            let Reverse((_, _, block)) = state.freed.pop().expect("a free block is in the list of free blocks");
            block
        };
        let at = (group * layout.blocks + block) as usize;
        self.valid[at] = HELD;
        self.begin_chunk(layout, at);
        block
    }

    /// Gives a block an empty reverse map.
    fn begin_chunk(&mut self, layout: &Layout, at: usize) {
        self.chunk[at] = self.free_chunks.pop().unwrap_or_else(|| {
            self.pending.push(0);
            self.owners.resize(self.owners.len() + layout.pages as usize, NOBODY);
            index_u32(self.pending.len() - 1)
        });
        let begin = self.chunk[at] as usize * layout.pages as usize;
        self.owners[begin..begin + layout.pages as usize].fill(NOBODY);
    }

    /// The last page of a block has been taken.
    fn fill(&mut self, layout: &Layout, group: u32, at: usize) {
        let state = &mut self.groups[group as usize];
        self.age[at] = state.filled;
        state.filled += 1;
        self.release_if_done(layout, group, at);
    }

    /// Lets a block be collected if it is full and all of its programs have ended.
    fn release_if_done(&mut self, layout: &Layout, group: u32, at: usize) -> bool {
        let block = index_u32(at) - group * layout.blocks;
        let open = |frontier: &Frontier| frontier.block == block && frontier.page < layout.pages;
        let done =
            self.pending[self.chunk[at] as usize] == 0 && !self.groups[group as usize].frontiers.iter().any(open);
        if done {
            self.valid[at] &= !HELD;
        }
        done
    }
}

fn frontier_number(layout: &Layout, writer: Writer) -> usize {
    match writer {
        Writer::User(number) => (number % layout.frontiers) as usize,
        Writer::Gc => layout.frontiers as usize,
    }
}

/// The block with the fewest valid pages.
fn greedy(valid: &[u32]) -> Option<usize> {
    let fewest = valid.iter().copied().min()?;
    valid.iter().position(|&count| count == fewest)
}
