//! What holds for any drive and any load.

mod cache;
mod gc;

use proptest::prelude::*;

use super::*;
use crate::kernel::time::NEVER_PS;
use crate::storage::command::Level;
use crate::storage::nvme::Arbitration;
use crate::storage::ssd::layout::NOWHERE;
use crate::storage::ssd::parameters::{
    Allocation, CacheParameters, CellType, ChannelPolicy, FlashUnit, GcParameters, GcTrigger, Geometry, Precondition,
    ProgramTransfer, Scheduling, Suspension, UnwrittenRead, VictimPolicy,
};
use crate::storage::ssd::presets::Preset;

/// Long after everything is over.
const END_PS: u64 = 1_000 * 1_000_000_000_000;

fn live() -> impl Strategy<Value = SsdLive> {
    let choices = (
        prop_oneof![Just(Scheduling::Priority), Just(Scheduling::Lottery), Just(Scheduling::Fifo)],
        prop_oneof![
            Just(Suspension::None),
            Just(Suspension::Program),
            Just(Suspension::Erase),
            Just(Suspension::ProgramAndErase)
        ],
        prop_oneof![
            Just(VictimPolicy::Greedy),
            Just(VictimPolicy::Choices(0)),
            Just(VictimPolicy::Choices(2)),
            Just(VictimPolicy::Fifo),
            Just(VictimPolicy::Random)
        ],
    );
    let numbers = (
        [0u32..5, 0..5, 0..5],
        prop_oneof![Just(0), Just(1), 1_000_000u64..5_000_000_000],
        0.0..0.6f64,
        0.0..0.3f64,
        any::<bool>(),
        any::<bool>(),
    );
    (choices, numbers).prop_map(
        |(
            (scheduling, suspension, victims),
            (weights, write_age_limit_ps, begin, hard, gc_preemptible, write_cache),
        )| {
            SsdLive {
                scheduling,
                weights,
                write_age_limit_ps,
                suspension,
                victims,
                gc_threshold: begin,
                gc_hard_threshold: hard,
                gc_preemptible,
                write_cache,
            }
        },
    )
}

fn parameters() -> impl Strategy<Value = SsdParameters> {
    let geometry =
        (1..3u32, 1..3u32, 1..3u32, 1..4u32, 4..20u32, 2..10u32, prop_oneof![Just(512u32), Just(2048), Just(32_768)])
            .prop_map(|(channels, chips_per_channel, dies_per_chip, planes_per_die, blocks, pages, page_bytes)| {
                Geometry {
                    channels,
                    chips_per_channel,
                    dies_per_chip,
                    planes_per_die,
                    blocks_per_plane: blocks,
                    pages_per_block: pages,
                    page_bytes,
                }
            });
    let rules = (
        (any::<[bool; 5]>(), 0..4u8),
        0.0..0.4f64,
        prop_oneof![
            Just(Precondition::Empty),
            (0.0..1.0f64).prop_map(Precondition::Sequential),
            (0.0..1.0f64).prop_map(Precondition::Random),
            Just(Precondition::Random(1.0)),
            Just(Precondition::Sequential(1.0)),
        ],
        prop_oneof![
            Just(MappingTable::InMemory),
            (1..40u32, 1..9u32, any::<bool>()).prop_map(|(entries, entries_per_page, write_back)| {
                MappingTable::Cached { entries, entries_per_page, read_bytes: 512, write_back }
            })
        ],
    );
    let gc = (0..12u32, 0..12u32, 0..12u32, any::<[bool; 2]>(), prop_oneof![Just(0u32), Just(1), Just(5)]).prop_map(
        |(victims_max, reserved_blocks, threshold_blocks_min, flags, static_wear_threshold)| GcParameters {
            trigger: if flags[0] { GcTrigger::Deficit } else { GcTrigger::BlockFilled },
            victims_max,
            reserved_blocks,
            threshold_blocks_min,
            dynamic_wear_leveling: flags[1],
            static_wear_threshold,
        },
    );
    let cache = (prop_oneof![Just(0u64), 512..200_000u64], 0..20u32)
        .prop_map(|(capacity_bytes, gathered_pages)| CacheParameters { capacity_bytes, gathered_pages });
    (geometry, rules, gc, cache, 0..10u32, live()).prop_map(|(geometry, rules, gc, cache, frontiers, live)| {
        let (([chip, data_first, zeros, whole, slow], allocation), over_provisioning, precondition, mapping) = rules;
        let mut preset = SsdParameters::preset(if slow { Preset::Mqsim } else { Preset::XlFlash });
        preset.flash.cells = if slow { CellType::Tlc } else { CellType::Mlc };
        SsdParameters {
            geometry,
            unit: if chip { FlashUnit::Chip } else { FlashUnit::Die },
            channel_policy: if data_first { ChannelPolicy::DataOutFirst } else { ChannelPolicy::CommandsFirst },
            allocation: match allocation {
                0 => Allocation::Dynamic,
                1 => Allocation::Superpage,
                2 => Allocation::Superblock,
                _ => Allocation::Pdcw,
            },
            mapping,
            over_provisioning,
            precondition,
            unwritten_read: if zeros { UnwrittenRead::Zeros } else { UnwrittenRead::Allocates },
            program_transfer: if whole { ProgramTransfer::WholePage } else { ProgramTransfer::Written },
            cache,
            frontiers,
            gc,
            live,
            ..preset
        }
    })
}

/// What a host does: a pause before it, then a command or a change.
#[derive(Clone, Debug)]
enum Act {
    Submit(Command),
    Change(SsdLive),
    Nvme(NvmeParameters),
}

fn nvme() -> impl Strategy<Value = NvmeParameters> {
    let arbitration = prop::sample::select(Arbitration::ALL);
    (arbitration, 0..70u32, [0..5u32, 0..5, 0..5], 0..9u32, 0..40u32).prop_map(
        |(arbitration, burst, weights, queue_limit, device_limit)| NvmeParameters {
            arbitration,
            burst,
            weights,
            queue_limit,
            device_limit,
        },
    )
}

fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
    let level = || (0..4usize).prop_map(|level| Level::ALL[level]);
    let opcode = prop_oneof![
        3 => Just(Opcode::Read),
        6 => Just(Opcode::Write),
        1 => Just(Opcode::Trim),
        1 => Just(Opcode::Flush)
    ];
    let bytes = prop_oneof![3 => 0..3000u32, 3 => Just(32_768u32), 1 => 0..150_000u32];
    let command = (0..5u32, level(), level(), opcode, prop_oneof![0..200_000u64, any::<u64>()], bytes).prop_map(
        |(queue, queue_level, level, opcode, address, bytes)| Command {
            tag: 0,
            queue,
            queue_level,
            level,
            opcode,
            address,
            bytes,
        },
    );
    let act = prop_oneof![60 => command.prop_map(Act::Submit), 1 => live().prop_map(Act::Change), 1 => nvme().prop_map(Act::Nvme)];
    let pause = prop_oneof![5 => Just(0u64), 5 => 0..20_000_000u64, 1 => 0..3_000_000_000u64];
    proptest::collection::vec((pause, act), 1..400)
}

/// Lets a host act, and takes completions in windows of the given length. Returns the completions.
fn drive(ssd: &mut Ssd, acts: &[(u64, Act)], window_ps: u64) -> Vec<Completion> {
    let mut completions = Vec::new();
    let mut now_ps = 0;
    for (number, (pause_ps, act)) in acts.iter().enumerate() {
        let next_ps = now_ps + pause_ps;
        while now_ps < next_ps {
            now_ps = next_ps.min(now_ps + window_ps);
            completions.extend(std::iter::from_fn(|| ssd.run(now_ps, &mut 0)));
        }
        match act {
            Act::Submit(command) => ssd.submit(now_ps, Command { tag: number as u32, ..*command }),
            Act::Change(live) => ssd.set_live(now_ps, live),
            Act::Nvme(nvme) => ssd.set_nvme(now_ps, nvme),
        }
    }
    completions.extend(std::iter::from_fn(|| ssd.run(END_PS, &mut 0)));
    completions
}

fn digest(ssd: &Ssd) -> u64 {
    let mut digest = Digest::default();
    ssd.digest(&mut digest);
    digest.value()
}

/// What must hold of a drive that has nothing to do.
fn check_idle(ssd: &Ssd) {
    let (layout, contents) = (&ssd.model.layout, &ssd.model.contents);
    assert_eq!(ssd.next_ps(), NEVER_PS);
    assert_eq!(ssd.arena.len(), 0, "no transaction is left");
    assert!(ssd.requests.is_empty(), "no command is left");
    assert_eq!(ssd.cache.gathering() as usize, ssd.cache.len());
    let mut valid = vec![0; (layout.groups * layout.blocks) as usize];
    for logical in 0..layout.logical_pages() {
        let physical = ssd.locate(logical);
        if physical == NOWHERE {
            continue;
        }
        let (group, block, page) = (layout.group(physical), layout.block(physical), layout.page(physical));
        assert_eq!(ssd.blocks.owner(layout, contents, group, block, page), Some(logical));
        assert!(!ssd.blocks.is_pending(layout, physical));
        valid[layout.block_index(physical)] += 1;
    }
    for group in 0..layout.groups {
        let state = &ssd.blocks.groups[group as usize];
        assert_eq!((state.planned, state.victims, state.stalled.is_empty()), (0, 0, true));
        for block in 0..layout.blocks {
            let counted = ssd.blocks.valid(layout, group, block);
            assert_eq!(counted, valid[(group * layout.blocks + block) as usize], "group {group}, block {block}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_command_completes_and_pages_are_where_the_map_says(
        parameters in parameters(), nvme in nvme(), acts in acts(), window_ps in 1_000_000u64..100_000_000_000
    ) {
        prop_assert_eq!(parameters.error(), None);
        let fresh = Ssd::new(&Arc::new(DriveModel::new(parameters)), &nvme, 5);
        let mut ssd = fresh.clone();
        let completions = drive(&mut ssd, &acts, u64::MAX / 4);
        let submitted = acts.iter().filter(|(_, act)| matches!(act, Act::Submit(_))).count();
        prop_assert_eq!(completions.len(), submitted);
        prop_assert!(completions.windows(2).all(|pair| pair[0].served.at_ps <= pair[1].served.at_ps));
        let ordered = |Completion { served, .. }: &Completion| {
            served.fetched_ps <= served.started_ps && served.started_ps <= served.at_ps
        };
        prop_assert!(completions.iter().all(ordered));
        check_idle(&ssd);
        let mut windowed = fresh;
        prop_assert_eq!(&drive(&mut windowed, &acts, window_ps), &completions);
        prop_assert_eq!(digest(&windowed), digest(&ssd));
        let mut again = ssd.clone();
        let rest = |ssd: &mut Ssd| {
            (0..50u32).for_each(|tag| ssd.submit(END_PS, Command { tag, opcode: Opcode::Write, address: u64::from(tag) * 3000, bytes: 5000, ..Command::default() }));
            std::iter::from_fn(|| ssd.run(2 * END_PS, &mut 0)).collect::<Vec<_>>()
        };
        prop_assert_eq!(rest(&mut ssd), rest(&mut again));
        prop_assert_eq!(digest(&ssd), digest(&again));
    }
}

#[test]
fn a_drive_that_begins_in_its_steady_state_collects_from_the_start_as_later() {
    let mut parameters = SsdParameters::preset(Preset::TlcNvme);
    parameters.geometry = Geometry {
        channels: 2,
        chips_per_channel: 2,
        blocks_per_plane: 128,
        pages_per_block: 64,
        ..parameters.geometry
    };
    parameters.mapping = MappingTable::InMemory;
    parameters.over_provisioning = 0.2;
    parameters.precondition = Precondition::Random(1.0);
    parameters.live.gc_preemptible = true;
    parameters.live.write_cache = false;
    let mut drive = Ssd::new(&Arc::new(DriveModel::new(parameters)), &NvmeParameters::default(), 7);
    let pages = drive.capacity_bytes() / 8192;
    let mut stream = Stream::new(7, "steady", 0);
    let mut write = |drive: &mut Ssd, at_ps: u64| {
        let address = stream.integer(0, pages - 1) * 8192;
        drive.submit(at_ps, Command { opcode: Opcode::Write, address, bytes: 8192, ..Command::default() });
    };
    (0..32).for_each(|_| write(&mut drive, 0));
    // Writes that are complete after each second, from the first on.
    let per_second: Vec<u32> = (1..=12u64)
        .map(|second| {
            let mut done = 0;
            while let Some(completion) = drive.run(second * 1_000_000_000_000, &mut 0) {
                write(&mut drive, completion.served.at_ps);
                done += 1;
            }
            done
        })
        .collect();
    let later = per_second[4..].iter().sum::<u32>() / 8;
    assert!(per_second[0].abs_diff(later) < later * 3 / 100, "{per_second:?}");
    assert!(per_second.iter().all(|done| done.abs_diff(later) < later / 20), "{per_second:?}");
}

/// Writes of a page that complete in each of the first milliseconds, where hosts of three levels keep so many under way that dies
/// have more than a superpage to program, and the planes that a program took in the mean.
fn writes_per_ms(allocation: Allocation, scheduling: Scheduling) -> (Vec<u32>, f64) {
    let mut parameters = SsdParameters::preset(Preset::XlFlash);
    parameters.geometry = Geometry { channels: 2, chips_per_channel: 2, blocks_per_plane: 512, ..parameters.geometry };
    parameters.allocation = allocation;
    parameters.precondition = Precondition::Empty;
    parameters.live.scheduling = scheduling;
    parameters.live.write_cache = false;
    let mut drive = Ssd::new(&Arc::new(DriveModel::new(parameters)), &NvmeParameters::default(), 7);
    let pages = drive.capacity_bytes() / 4096;
    let mut stream = Stream::new(11, "writes of three levels", 0);
    let mut write = |drive: &mut Ssd, at_ps: u64, level: Level| {
        let address = stream.integer(0, pages - 1) * 4096;
        let command =
            Command { opcode: Opcode::Write, level, address, bytes: 4096, tag: level as u32, ..Command::default() };
        drive.submit(at_ps, command);
    };
    for _ in 0..128 {
        [Level::High, Level::Medium, Level::Low].into_iter().for_each(|level| write(&mut drive, 0, level));
    }
    let per_ms = (1..=40u64)
        .map(|ms| {
            let mut done = 0;
            while let Some(completion) = drive.run(ms * 1_000_000_000, &mut 0) {
                write(&mut drive, completion.served.at_ps, Level::ALL[completion.tag as usize]);
                done += 1;
            }
            done
        })
        .collect();
    (per_ms, drive.counters().planes_per_program().expect("pages were programmed"))
}

#[test]
fn superpages_keep_the_speed_of_a_drive_whatever_the_order_of_levels() {
    for scheduling in [Scheduling::Priority, Scheduling::Fifo] {
        let (per_ms, planes) = writes_per_ms(Allocation::Superpage, scheduling);
        let mean = |part: &[u32]| f64::from(part.iter().sum::<u32>()) / part.len() as f64;
        let (early, late) = (mean(&per_ms[1..11]), mean(&per_ms[30..]));
        assert!((late / early - 1.0).abs() < 0.03, "{scheduling:?}: {early} and then {late} a millisecond");
        // Hosts choose dies at random, so that one has less than a superpage to program now and then.
        assert!(planes > 14.0, "{scheduling:?}: {planes} of 16 planes per program");
    }
}

#[test]
fn planes_that_fill_blocks_of_their_own_drift_apart() {
    let (_, alone) = writes_per_ms(Allocation::Cwdp, Scheduling::Priority);
    let (_, together) = writes_per_ms(Allocation::Superpage, Scheduling::Priority);
    assert!(alone < 0.8 * together, "{alone} and {together} planes per program");
}

#[test]
fn a_full_write_cache_and_the_first_victim_are_dated() {
    // One plane, so that a page is programmed after the other: 64 pages of cache take 64 writes at once, and the next ones wait.
    let mut parameters = SsdParameters::preset(Preset::TlcNvme);
    parameters.geometry = Geometry {
        channels: 1,
        chips_per_channel: 1,
        dies_per_chip: 1,
        planes_per_die: 1,
        blocks_per_plane: 40,
        pages_per_block: 64,
        page_bytes: 4096,
    };
    parameters.precondition = Precondition::Sequential(1.0);
    parameters.cache = CacheParameters { capacity_bytes: 64 * 4096, gathered_pages: 0 };
    let mut ssd = Ssd::new(&Arc::new(DriveModel::new(parameters)), &NvmeParameters::default(), 7);
    let pages = ssd.capacity_bytes() / 4096;
    let dates = |ssd: &Ssd| {
        let mut now = Occupancy::default();
        ssd.occupancy(1_000_000_000_000_000, &mut now);
        [now.cache_full_ps, now.collects_ps]
    };
    let write = |ssd: &mut Ssd, number: u64, at_ps: u64| {
        let address = (number * 37 % pages) * 4096;
        ssd.submit(at_ps, Command { opcode: Opcode::Write, address, bytes: 4096, ..Command::default() });
    };
    (0..64).for_each(|number| write(&mut ssd, number, 0));
    while ssd.run(1_000_000_000, &mut 0).is_some() {}
    assert_eq!(dates(&ssd), [NEVER_PS; 2]);
    // A millisecond later one page has been programmed: of as many again, all but that one wait.
    (64..1024).for_each(|number| write(&mut ssd, number, 1_000_000_000));
    while ssd.run(4_000_000_000, &mut 0).is_some() {}
    let [full_ps, collects_ps] = dates(&ssd);
    assert!((1_000_000_000..1_100_000_000).contains(&full_ps), "{full_ps}");
    assert_eq!(collects_ps, NEVER_PS);
    while ssd.run(NEVER_PS, &mut 0).is_some() {}
    let [again_ps, collects_ps] = dates(&ssd);
    assert_eq!(again_ps, full_ps);
    assert!(collects_ps > full_ps && collects_ps != NEVER_PS);
}
