//! Garbage collection against theory, and that it lets commands go on.

use proptest::prelude::*;

use super::*;

/// A host that keeps a number of random writes of a page outstanding.
struct Writer {
    stream: Stream,
    page_bytes: u32,
    pages: u64,
}

impl Writer {
    fn new(drive: &mut Ssd, seed: u64, outstanding: u32) -> Self {
        let page_bytes = drive.model.layout.page_bytes;
        let pages = drive.capacity_bytes() / u64::from(page_bytes);
        let mut host = Self { stream: Stream::new(seed, "random writes", 0), page_bytes, pages };
        (0..outstanding).for_each(|_| host.write(drive, 0));
        host
    }

    fn write(&mut self, drive: &mut Ssd, at_ps: u64) {
        let address = self.stream.integer(0, self.pages - 1) * u64::from(self.page_bytes);
        let write = Command { opcode: Opcode::Write, address, bytes: self.page_bytes, ..Command::default() };
        drive.submit(at_ps, write);
    }

    /// Write amplification of the next writes.
    fn amplification(&mut self, drive: &mut Ssd, writes: u64) -> f64 {
        let before = drive.counters().clone();
        for _ in 0..writes {
            let completion = drive.run(NEVER_PS, &mut 0).expect("a write is under way");
            self.write(drive, completion.served.at_ps);
        }
        drive.counters().since(&before).write_amplification()
    }
}

/// A drive of one die of one plane, a fifth of which is not offered, without a write cache.
fn one_plane(preset: Preset, blocks_per_plane: u32, pages_per_block: u32) -> SsdParameters {
    let mut drive = SsdParameters::preset(preset);
    drive.geometry = Geometry {
        channels: 1,
        chips_per_channel: 1,
        dies_per_chip: 1,
        planes_per_die: 1,
        blocks_per_plane,
        pages_per_block,
        page_bytes: 4096,
    };
    drive.mapping = MappingTable::InMemory;
    drive.over_provisioning = 0.2;
    drive.precondition = Precondition::Random(1.0);
    drive.live.victims = VictimPolicy::Greedy;
    drive.live.write_cache = false;
    drive
}

/// The same drive with flash a hundred times as fast, so that many writes fit the time that a drive can count.
fn fast(mut drive: SsdParameters) -> SsdParameters {
    let flash = &mut drive.flash;
    flash.read_ps = flash.read_ps.map(|ps| ps / 100);
    flash.program_ps = flash.program_ps.map(|ps| ps / 100);
    flash.erase_ps /= 100;
    drive
}

fn new(parameters: SsdParameters) -> Ssd {
    Ssd::new(&Arc::new(DriveModel::new(parameters)), &NvmeParameters::default(), 7)
}

/// Write amplification of d choices where a share of the pages of blocks is valid, in the limit of many blocks (Van Houdt, "A mean field
/// model for a class of garbage collection algorithms in flash-based solid state drives", SIGMETRICS 2013), for `pages` in a block.
///
/// Let `y(j)` be the share of blocks that have at most `j` valid pages; then a victim has at most `j` with probability
/// `v(j) = 1 - (1 - y(j))^d`. Blocks with `j` valid pages lose one at a rate that is proportional to `j`, and as many as fall below `j`
/// are collected there: `c j (y(j) - y(j - 1)) = v(j - 1)`. The factor `c` follows from the share of valid pages.
fn mean_field(share: f64, pages: u32, choices: f64) -> f64 {
    let halve = |mut low: f64, mut high: f64, is_above: &dyn Fn(f64) -> bool| {
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if is_above(middle) { high = middle } else { low = middle }
        }
        0.5 * (low + high)
    };
    let victims_at_most = |blocks: f64| 1.0 - libm::pow(1.0 - blocks, choices);
    // Valid pages of blocks and of victims, in the mean.
    let means = |factor: f64| {
        let (mut at_most, mut blocks, mut victims) = (1.0f64, 0.0, 0.0);
        for valid in (1..=pages).rev().map(f64::from) {
            let rate = factor * valid;
            let below = halve(0.0, at_most, &|y| rate * y + victims_at_most(y) > rate * at_most);
            blocks += valid * (at_most - below);
            victims += valid * (victims_at_most(at_most) - victims_at_most(below));
            at_most = below;
        }
        (blocks, victims)
    };
    let pages = f64::from(pages);
    // The sooner blocks lose pages, the fewer are valid.
    let factor = halve(1e-6, 1e3, &|factor| means(factor).0 < share * pages);
    pages / (pages - means(factor).1)
}

#[test]
fn the_mean_field_of_one_choice_is_that_of_random_victims() {
    // A victim at random has as many valid pages as blocks have in the mean.
    assert!((mean_field(0.8, 128, 1.0) - 5.0).abs() < 1e-6);
    // Where the fewest are always found, blocks have 2, 3 or 4 of four valid pages, as long as they take to lose one, 1/2, 1/3 and 1/4:
    // 3 in 13/12 of 16 are valid while victims have one.
    let share = 3.0 / (13.0 / 12.0 * 4.0);
    assert!((mean_field(share, 4, 1e9) - 4.0 / 3.0).abs() < 1e-3);
}

#[test]
fn write_amplification_is_that_of_mean_field_theory() {
    for (victims, choices) in [
        (VictimPolicy::Greedy, 1e9),
        (VictimPolicy::Choices(10), 10.0),
        (VictimPolicy::Choices(4), 4.0),
        (VictimPolicy::Choices(2), 2.0),
        (VictimPolicy::Random, 1.0),
        (VictimPolicy::Fifo, 0.0),
    ] {
        let mut parameters = fast(one_plane(Preset::TlcNvme, 512, 128));
        parameters.live.victims = victims;
        let mut drive = new(parameters);
        let mut host = Writer::new(&mut drive, 7, 32);
        let ours = host.amplification(&mut drive, 150_000);
        let layout = &drive.model.layout;
        // Two blocks are being filled, each half full in the mean, and one to two are free, so that victims can be moved.
        let blocks = f64::from(layout.blocks) - 1.0 - 1.5;
        let share = f64::from(layout.local_pages) / (blocks * f64::from(layout.pages));
        // Blocks that are collected in turn lose pages as theirs are overwritten, whatever the size of a block.
        let theory = if victims == VictimPolicy::Fifo {
            precondition::mean_field_amplification(share)
        } else {
            mean_field(share, layout.pages, choices)
        };
        assert!((ours / theory - 1.0).abs() < 0.015, "{victims:?}: {ours}, in theory {theory}");
    }
}

#[test]
fn a_drive_of_mqsims_rules_begins_in_its_steady_state() {
    // Free blocks fall to the ten that writes must leave, from a threshold of 51.
    let mut drive = new(fast(one_plane(Preset::Mqsim, 1024, 64)));
    let mut host = Writer::new(&mut drive, 7, 32);
    let [first, _, later] = [(); 3].map(|()| host.amplification(&mut drive, 40_000));
    assert!((first / later - 1.0).abs() < 0.02, "{first} and then {later}");
    let share = 0.8 * 1024.0 / (1024.0 - 10.5 - 1.0);
    assert!((later / mean_field(share, 64, 1e9) - 1.0).abs() < 0.015, "{later}");
}

/// Planes of a program while random writes of a page keep garbage collection of a drive at work, four planes a die.
fn planes_per_program(allocation: Allocation, unit: FlashUnit) -> f64 {
    let mut parameters = one_plane(Preset::TlcNvme, 64, 64);
    let dies = if unit == FlashUnit::Chip { 2 } else { 1 };
    parameters.geometry =
        Geometry { channels: 2, chips_per_channel: 2, dies_per_chip: dies, planes_per_die: 4, ..parameters.geometry };
    (parameters.allocation, parameters.unit) = (allocation, unit);
    let mut drive = new(parameters);
    let mut host = Writer::new(&mut drive, 3, 256);
    host.amplification(&mut drive, 40_000);
    let before = drive.counters().clone();
    host.amplification(&mut drive, 40_000);
    drive.counters().since(&before).planes_per_program().expect("pages were programmed")
}

/// The flash translation layer of one group in steps of a page, without time: blocks of pages, one filled by commands and one by garbage
/// collection, which keeps a number of blocks free. Knows nothing of the drive, whose write amplification it is to confirm.
struct Translation {
    pages: usize,
    /// Pages of each block in the order in which they were written.
    blocks: Vec<Vec<usize>>,
    /// Where each logical page is: block and page.
    places: Vec<(usize, usize)>,
    valid: Vec<usize>,
    free: Vec<usize>,
    /// Full blocks in the order in which they were filled.
    full: Vec<usize>,
    open: [usize; 2],
    keep_free: usize,
    programs: u64,
}

impl Translation {
    fn new(blocks: u32, pages: u32, logical: u32, keep_free: u32) -> Self {
        let mut model = Self {
            pages: pages as usize,
            blocks: vec![Vec::new(); blocks as usize],
            places: vec![(usize::MAX, 0); logical as usize],
            valid: vec![0; blocks as usize],
            free: (2..blocks as usize).collect(),
            full: Vec::new(),
            open: [0, 1],
            keep_free: keep_free as usize,
            programs: 0,
        };
        (0..logical as usize).for_each(|page| model.program(page, 0));
        model
    }

    fn program(&mut self, page: usize, writer: usize) {
        if self.blocks[self.open[writer]].len() == self.pages {
            self.full.push(self.open[writer]);
            self.open[writer] = self.free.pop().expect("a block is free");
        }
        let block = self.open[writer];
        let (before, _) = std::mem::replace(&mut self.places[page], (block, self.blocks[block].len()));
        if before != usize::MAX {
            self.valid[before] -= 1;
        }
        self.blocks[block].push(page);
        self.valid[block] += 1;
        self.programs += 1;
    }

    fn write(&mut self, page: usize, victims: VictimPolicy, random: &mut Stream) {
        self.program(page, 0);
        while self.free.len() < self.keep_free {
            let draw = |random: &mut Stream| random.integer(0, self.full.len() as u64 - 1) as usize;
            let chosen = match victims {
                VictimPolicy::Fifo => 0,
                VictimPolicy::Random => draw(random),
                VictimPolicy::Choices(count) => {
                    (0..count).map(|_| draw(random)).min_by_key(|&at| self.valid[self.full[at]]).unwrap()
                }
                VictimPolicy::Greedy => (0..self.full.len()).min_by_key(|&at| self.valid[self.full[at]]).unwrap(),
            };
            let victim = self.full.remove(chosen);
            for (number, page) in std::mem::take(&mut self.blocks[victim]).into_iter().enumerate() {
                if self.places[page] == (victim, number) {
                    self.program(page, 1);
                }
            }
            self.free.push(victim);
        }
    }

    /// Write amplification of uniform random writes after so many rounds of them over all pages, over one more.
    fn amplification(mut self, victims: VictimPolicy, rounds: u64) -> f64 {
        let mut random = Stream::new(3, "translation", 0);
        let count = self.places.len() as u64;
        for _ in 0..rounds * count {
            self.write(random.integer(0, count - 1) as usize, victims, &mut random);
        }
        let before = self.programs;
        for _ in 0..count {
            self.write(random.integer(0, count - 1) as usize, victims, &mut random);
        }
        (self.programs - before) as f64 / count as f64
    }
}

#[test]
fn preconditioned_drive_starts_in_its_steady_state() {
    const SEEDS: u64 = 4;
    const POLICIES: [VictimPolicy; 4] =
        [VictimPolicy::Greedy, VictimPolicy::Choices(3), VictimPolicy::Fifo, VictimPolicy::Random];
    for allocation in [Allocation::Superpage, Allocation::Superblock, Allocation::Cwdp, Allocation::Dynamic] {
        for victims in POLICIES {
            let mut parameters = fast(one_plane(Preset::TlcNvme, 400, 16));
            parameters.geometry = Geometry { channels: 2, planes_per_die: 2, ..parameters.geometry };
            parameters.allocation = allocation;
            parameters.live.victims = victims;
            let fresh = new(parameters);
            let (layout, contents) = (&fresh.model.layout, &fresh.model.contents);
            let free = layout.blocks - contents.used_blocks();
            let model =
                Translation::new(layout.blocks, layout.pages, layout.local_pages, free).amplification(victims, 4);
            // A round is one write for each page of the drive in the mean. Several runs, since victims that are drawn hold anything from
            // none to all of their pages.
            let round = u64::from(layout.user_pages);
            let [mut first, mut round_one, mut late] = [0.0; 3];
            for seed in 1..=SEEDS {
                let mut drive = fresh.clone();
                let mut host = Writer::new(&mut drive, seed, 64);
                let mut mean = |writes: u64| host.amplification(&mut drive, writes) / SEEDS as f64;
                let begin = mean(round / 3);
                first += begin;
                round_one += (begin + 2.0 * mean(round - round / 3)) / 3.0;
                mean(2 * round);
                late += mean(2 * round);
            }
            let is_within = |value: f64, of: f64, share: f64| {
                assert!((value / of - 1.0).abs() < share, "{allocation:?}, {victims:?}: {value}, not {of}");
            };
            is_within(first, late, 0.05);
            is_within(round_one, late, 0.03);
            is_within(round_one, model, 0.04);
        }
    }
}

#[test]
fn garbage_collection_fills_rows_before_it_programs_them() {
    for allocation in [Allocation::Superpage, Allocation::Superblock] {
        for unit in [FlashUnit::Die, FlashUnit::Chip] {
            // The last row of a victim may be short.
            let planes = planes_per_program(allocation, unit);
            assert!(planes > 3.75, "{allocation:?}, {unit:?}: {planes} of 4 planes");
        }
    }
}

/// A small drive that writes fill, as far as one is filled: where less than a tenth is spare, a victim may give back next to nothing,
/// and no order of commands makes up for that.
fn small_drives() -> impl Strategy<Value = SsdParameters> {
    let sizes = (1..3u32, 1..3u32, 1..5u32, 60..200u32, 16..100u32);
    let rules = (
        0.1..0.3f64,
        0.5..1.0f64,
        prop_oneof![Just(64u64 << 10), Just(1 << 20), Just(32 << 20)],
        any::<bool>(),
        prop_oneof![Just(Suspension::None), Just(Suspension::ProgramAndErase)],
        prop_oneof![Just(VictimPolicy::Greedy), Just(VictimPolicy::Fifo)],
        prop_oneof![Just(Allocation::Superpage), Just(Allocation::Superblock), Just(Allocation::Cwdp)],
    );
    (sizes, rules).prop_map(|((channels, chips, planes, blocks, pages), rules)| {
        let (over_provisioning, filled, capacity_bytes, write_cache, suspension, victims, allocation) = rules;
        let mut drive = SsdParameters::preset(Preset::TlcNvme);
        drive.geometry = Geometry {
            channels,
            chips_per_channel: chips,
            dies_per_chip: 1,
            planes_per_die: planes,
            blocks_per_plane: blocks,
            pages_per_block: pages,
            page_bytes: 4096,
        };
        drive.allocation = allocation;
        drive.over_provisioning = over_provisioning;
        drive.precondition = Precondition::Random(filled);
        drive.cache.capacity_bytes = capacity_bytes;
        drive.live = SsdLive { write_cache, suspension, victims, ..drive.live };
        drive
    })
}

/// The longest that a write of eight pages waits, of which four are under way at any time, and a read of one page, of which one
/// is, over so long. What is under way at the end counts as far as it has waited. And the time that flash works for a page of a
/// write, in the third of the run where that is dearest: programs and erases, its own and those of garbage collection.
fn max_waits_ps(drive: &mut Ssd, end_ps: u64) -> ([u64; 2], f64) {
    const WRITES: u32 = 4;
    let page_bytes = drive.model.layout.page_bytes;
    let pages = drive.capacity_bytes() / u64::from(page_bytes);
    let mut stream = Stream::new(3, "waits", 0);
    let mut since_ps = [0; WRITES as usize + 1];
    let mut submit = |drive: &mut Ssd, tag: u32, at_ps: u64| {
        let (opcode, count) = if tag == WRITES { (Opcode::Read, 1) } else { (Opcode::Write, 8) };
        let address = stream.integer(0, pages - u64::from(count)) * u64::from(page_bytes);
        let bytes = count * page_bytes;
        drive.submit(at_ps, Command { tag, queue: tag % 3, opcode, address, bytes, ..Command::default() });
    };
    (0..=WRITES).for_each(|tag| submit(drive, tag, 0));
    let mut longest_ps = [0; 2];
    let mut note = |tag: u32, waited_ps: u64| {
        let longest_ps: &mut u64 = &mut longest_ps[usize::from(tag == WRITES)];
        *longest_ps = waited_ps.max(*longest_ps);
    };
    let mut dearest_ps = 0.0f64;
    for third in 1..=3 {
        let before = drive.counters().clone();
        while let Some(Completion { tag, served }) = drive.run(third * end_ps / 3, &mut 0) {
            note(tag, served.at_ps - since_ps[tag as usize]);
            since_ps[tag as usize] = served.at_ps;
            submit(drive, tag, served.at_ps);
        }
        let (did, flash) = (drive.counters().since(&before), &drive.model.parameters.flash);
        let erased_ps = (did.erases * flash.erase_ps) as f64 / did.user_programs.max(1) as f64;
        dearest_ps = dearest_ps.max(did.write_amplification() * flash.program_ps[0] as f64 + erased_ps);
    }
    (0..=WRITES).for_each(|tag| note(tag, end_ps - since_ps[tag as usize]));
    (longest_ps, dearest_ps)
}

const MS: u64 = 1_000_000_000;

#[test]
fn garbage_collection_does_not_stop_writes_and_reads_of_a_small_drive() {
    // One die of 52 MB, all else as preset: the write cache holds more than half of what can be written before blocks run short.
    let mut parameters = one_plane(Preset::TlcNvme, 200, 64);
    let SsdParameters { live, over_provisioning, precondition, .. } = SsdParameters::preset(Preset::TlcNvme);
    parameters = SsdParameters { live, over_provisioning, precondition, ..parameters };
    let ([write_ps, read_ps], _) = max_waits_ps(&mut new(parameters), 16_000 * MS);
    // Without pace a victim after the other is collected for the blocks that the cache waits for: 12.9 s, and 5.1 s for reads.
    assert!(write_ps < 200 * MS && read_ps < 10 * MS, "{} and {} ms", write_ps / MS, read_ps / MS);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn commands_wait_for_their_own_writes_and_little_more(parameters in small_drives()) {
        let flash = parameters.flash.clone();
        let pages = parameters.geometry.pages_per_block * parameters.geometry.planes();
        let ([write_ps, read_ps], page_ps) = max_waits_ps(&mut new(parameters), 3_000 * MS);
        // Were all of the 32 pages before it on one die and three times as dear as in the mean, since victims that come in turn may be almost full, and a
        // block in the middle of being collected.
        let collection_ps = f64::from(2 * pages) * flash.program_ps[0] as f64;
        let max_ps = 1.1 * (96.0 * page_ps + collection_ps);
        prop_assert!((write_ps as f64) < max_ps, "a write waited {} ms of {}", write_ps / MS, max_ps / MS as f64);
        // A read waits for an erase that cannot be suspended any more, and some commands that take turns with it.
        prop_assert!(read_ps < 3 * flash.erase_ps, "a read waited {} ms", read_ps / MS);
    }
}
