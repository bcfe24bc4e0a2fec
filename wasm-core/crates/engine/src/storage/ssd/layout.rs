//! The flash array in numbers: which planes hold a logical page, and what a physical page number means.

use std::ops::Range;

use crate::kernel::convert::{index_u32, saturated_u32, whole};
use crate::storage::ssd::parameters::{Allocation, CellType, Dimension, FlashUnit, MappingTable, SsdParameters};

/// A physical page that is none.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Units of a channel that a bus can tell apart.
const UNITS_MAX: u32 = 64;

/// Sizes and tables that follow from the parameters.
///
/// Planes stand in groups that fill and erase blocks together: each for itself, the planes of a die ([`Allocation::Superpage`]), or all
/// of them ([`Allocation::Superblock`]). What a group fills is a superblock, one block of each of its planes, which is meant wherever
/// the flash translation layer speaks of a block. Its pages are numbered row by row: the first page of each plane, then the second.
///
/// A physical page number holds group, block and page, from the highest bits down. Logical pages count those of commands
/// first, then those of the mapping table if it is on flash.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) channels: u32,
    pub(super) units_per_channel: u32,
    pub(super) units: u32,
    pub(super) groups: u32,
    pub(super) planes_per_die: u32,
    /// Planes of a group.
    pub(super) stripe: u32,
    /// Blocks of a group.
    pub(super) blocks: u32,
    /// Pages of a block.
    pub(super) pages: u32,
    pub(super) page_bytes: u32,
    page_bits: u32,
    group_shift: u32,
    /// Logical pages of a group.
    pub(super) local_pages: u32,
    /// Valid pages that a group may hold where pages can go to any group.
    pub(super) valid_max: u32,
    /// Logical pages that commands address.
    pub(super) user_pages: u32,
    /// Entries in a page of the mapping table; 0 if it is all in DRAM.
    pub(super) entries_per_page: u32,
    /// Free blocks of a group that only garbage collection takes.
    pub(super) reserved: u32,
    /// Victims of a group at once.
    pub(super) victims_max: u32,
    /// Blocks of a group that commands fill at once.
    pub(super) frontiers: u32,
    /// Group of a logical page, by its number modulo the groups.
    group_of: Vec<u32>,
    /// The inverse.
    turn_of: Vec<u32>,
    /// Type of a page, by its row in the block.
    page_type: Vec<u8>,
    /// The planes of each group, in the order of the pages of a row.
    planes: Vec<u32>,
    pub(super) planes_per_unit: u32,
    /// Groups that follow each other and fill blocks in step.
    pub(super) in_step: u32,
    /// Unit of a group: looked up, as places are, where a division would take longer. Empty where groups span units.
    unit_of: Vec<u32>,
    /// Place of a unit.
    places: Vec<Place>,
}

/// Where a unit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Its channel.
    pub(super) channel: u32,
    /// Its bit in masks of the units of that.
    pub(super) bit: u64,
}

/// What of the flash is offered, as [`Layout`] has it, and what is kept back.
struct Offer {
    reserved: u32,
    frontiers: u32,
    /// Pages of a group that may be valid at once.
    usable: u32,
    local_pages: u32,
    /// Pages that commands and the mapping table share: as many in each group, or one fewer.
    pages: u32,
    user_pages: u32,
    entries_per_page: u32,
}

impl SsdParameters {
    /// Why no device can be built from these parameters, if so.
    pub fn error(&self) -> Option<&'static str> {
        let sizes = &self.geometry;
        let counts = [sizes.channels, sizes.chips_per_channel, sizes.dies_per_chip, sizes.planes_per_die];
        if counts.contains(&0) || sizes.blocks_per_plane < 4 || sizes.pages_per_block < 2 {
            return Some("every dimension needs at least one element, a plane four blocks and a block two pages");
        }
        if sizes.pages_per_block > 32_767
            || !(512..=32_768).contains(&sizes.page_bytes)
            || !sizes.page_bytes.is_multiple_of(512)
        {
            return Some("a block has at most 32767 pages, and a page 1 to 64 sectors of 512 B");
        }
        let units = counts[1].checked_mul(if self.unit == FlashUnit::Die { counts[2] } else { 1 });
        if units.is_none_or(|units| units > UNITS_MAX) || sizes.planes_per_die > 32 {
            return Some("a channel has at most 64 flash units, and a die 32 planes");
        }
        let planes = counts.iter().try_fold(1u32, |product, &count| product.checked_mul(count));
        let too_many = |planes: u32| {
            let stripe = self.stripe();
            let pages = sizes.pages_per_block.checked_mul(stripe);
            let number = |pages| bits(planes / stripe) + bits(sizes.blocks_per_plane) + bits(pages);
            planes > 60_000 || pages.is_none_or(|pages| number(pages) > 31)
        };
        if planes.is_none_or(too_many) {
            return Some("the device has too many pages");
        }
        None
    }

    /// Bytes that commands can address: what is neither over-provisioned, nor kept back for garbage collection, nor taken by the
    /// mapping table. The parameters must be without [`error`](Self::error).
    pub fn capacity_bytes(&self) -> u64 {
        u64::from(self.offer().user_pages) * u64::from(self.geometry.page_bytes)
    }

    /// Share of the flash that is kept free of data: as stated, or as much as garbage collection needs if that is more. Small drives
    /// need more than they state.
    pub fn spare_share(&self) -> f64 {
        let Offer { pages, .. } = self.offer();
        if pages == self.stated_pages() {
            return self.over_provisioning;
        }
        // In the middle of the shares that come to so many pages.
        1.0 - (f64::from(pages) + 0.5) * f64::from(self.geometry.page_bytes) / self.geometry.raw_bytes() as f64
    }

    /// Pages that over-provisioning leaves.
    fn stated_pages(&self) -> u32 {
        let bytes = whole(self.geometry.raw_bytes() as f64 * (1.0 - self.over_provisioning));
        saturated_u32(bytes / u64::from(self.geometry.page_bytes))
    }

    /// What of the flash is offered, and what is kept back.
    fn offer(&self) -> Offer {
        let (blocks, pages) = (self.geometry.blocks_per_plane, self.geometry.pages_per_block * self.stripe());
        let reserved = self.gc.reserved_blocks.max(self.gc.victims_max).clamp(1, (blocks / 4).max(1));
        let frontiers = if self.stripe() > 1 { 1 } else { self.frontiers.clamp(1, (blocks / 4).max(1)) };
        // Blocks that are not needed while all logical pages are written: those reserved, and those being filled. Were more
        // pages offered, there might be nothing to collect.
        let usable = (blocks - reserved).saturating_sub(1 + frontiers).max(1) * pages;
        let groups = self.geometry.planes() / self.stripe();
        let local_pages = self.stated_pages().div_ceil(groups).clamp(1, usable);
        let pages = self.stated_pages().clamp(1, local_pages * groups);
        let (user_pages, entries_per_page) = match self.mapping {
            MappingTable::Cached { entries_per_page, .. } if pages > 1 => {
                let entries = entries_per_page.max(1);
                let user = u64::from(pages) * u64::from(entries) / (u64::from(entries) + 1);
                (saturated_u32(user).max(1), entries)
            }
            _ => (pages, 0),
        };
        Offer { reserved, frontiers, usable, local_pages, pages, user_pages, entries_per_page }
    }

    /// Blocks of which each is filled and freed as a whole: of a plane, or of all planes that fill and erase blocks together.
    pub fn blocks(&self) -> u64 {
        u64::from(self.geometry.planes() / self.stripe()) * u64::from(self.geometry.blocks_per_plane)
    }

    /// Planes that fill and erase blocks together.
    fn stripe(&self) -> u32 {
        match self.allocation {
            Allocation::Superpage => self.geometry.planes_per_die,
            Allocation::Superblock => self.geometry.planes(),
            _ => 1,
        }
    }
}

/// Bits that tell `count` things apart.
fn bits(count: u32) -> u32 {
    u32::BITS - (count - 1).leading_zeros()
}

impl Layout {
    pub(super) fn new(parameters: &SsdParameters) -> Self {
        assert_eq!(parameters.error(), None);
        let sizes = &parameters.geometry;
        let (planes, blocks, stripe) = (sizes.planes(), sizes.blocks_per_plane, parameters.stripe());
        let (groups, pages) = (planes / stripe, sizes.pages_per_block * stripe);
        let Offer { reserved, frontiers, usable, local_pages, user_pages, entries_per_page, .. } = parameters.offer();
        let planes_per_unit = match parameters.unit {
            FlashUnit::Die => sizes.planes_per_die,
            FlashUnit::Chip => sizes.planes_per_die * sizes.dies_per_chip,
        };
        let valid_max = if parameters.allocation == Allocation::Dynamic { usable + pages - 1 } else { u32::MAX };
        let planes_in_order = plane_table(parameters);
        // The planes of a group follow each other in that order, or each is a group.
        let (group_of, group_planes) = if stripe > 1 {
            let in_turn = |group: u32| planes_in_order[(group * stripe) as usize] / stripe;
            let group_of = (0..groups).map(in_turn).collect::<Vec<_>>();
            let mut group_planes = vec![0; planes as usize];
            for (turn, &plane) in planes_in_order.iter().enumerate() {
                let place = group_of[turn / stripe as usize] as usize * stripe as usize + turn % stripe as usize;
                group_planes[place] = plane;
            }
            (group_of, group_planes)
        } else {
            (planes_in_order, (0..planes).collect())
        };
        let mut turn_of = vec![0; group_of.len()];
        for (turn, &group) in group_of.iter().enumerate() {
            turn_of[group as usize] = index_u32(turn);
        }
        let page_bits = bits(pages);
        let units = planes / planes_per_unit;
        let spans_units = stripe > planes_per_unit;
        let per_channel = units / sizes.channels;
        Self {
            channels: sizes.channels,
            units_per_channel: per_channel,
            units,
            groups,
            planes_per_die: sizes.planes_per_die,
            stripe,
            blocks,
            pages,
            page_bytes: sizes.page_bytes,
            page_bits,
            group_shift: page_bits + bits(blocks),
            local_pages,
            valid_max,
            user_pages,
            entries_per_page,
            reserved,
            victims_max: parameters.gc.victims_max.clamp(1, reserved),
            frontiers,
            group_of,
            turn_of,
            page_type: (0..sizes.pages_per_block).map(|page| page_type(parameters.flash.cells, page)).collect(),
            unit_of: if spans_units {
                Vec::new()
            } else {
                (0..groups).map(|group| group_planes[(group * stripe) as usize] / planes_per_unit).collect()
            },
            planes: group_planes,
            planes_per_unit,
            in_step: if parameters.allocation == Allocation::Dynamic { planes_per_unit } else { 1 },
            places: (0..units)
                .map(|unit| Place { channel: unit / per_channel, bit: 1 << (unit % per_channel) })
                .collect(),
        }
    }

    /// The group that a logical page belongs to.
    #[inline]
    pub(super) fn group_of(&self, logical: u32) -> u32 {
        self.group_of[(logical % self.groups) as usize]
    }

    /// The number of a logical page among those of its group.
    #[inline]
    pub(super) fn local(&self, logical: u32) -> u32 {
        logical / self.groups
    }

    /// The logical page with a number among those of a group.
    #[inline]
    pub(super) fn logical(&self, group: u32, local: u32) -> u32 {
        local * self.groups + self.turn_of[group as usize]
    }

    /// The logical page of the mapping table that holds the entry of a logical page.
    #[inline]
    pub(super) fn table_page(&self, logical: u32) -> u32 {
        self.user_pages + logical / self.entries_per_page
    }

    /// The number of a physical page.
    #[inline]
    pub(super) fn physical(&self, group: u32, block: u32, page: u32) -> u32 {
        group << self.group_shift | block << self.page_bits | page
    }

    /// The group of a physical page.
    #[inline]
    pub(super) fn group(&self, physical: u32) -> u32 {
        physical >> self.group_shift
    }

    /// The plane of a physical page, among all.
    #[inline]
    pub(super) fn plane(&self, physical: u32) -> u32 {
        if self.stripe == 1 {
            return self.group(physical);
        }
        self.planes[(self.group(physical) * self.stripe + self.page(physical) % self.stripe) as usize]
    }

    /// The unit of a physical page.
    #[inline]
    pub(super) fn unit(&self, physical: u32) -> u32 {
        match self.unit_of.get(self.group(physical) as usize) {
            Some(&unit) => unit,
            None => self.plane(physical) / self.planes_per_unit,
        }
    }

    /// The units that a group lies in.
    pub(super) fn units_of(&self, group: u32) -> Range<u32> {
        match self.unit_of.get(group as usize) {
            Some(&unit) => unit..unit + 1,
            None => 0..self.units,
        }
    }

    /// First pages of the dies of a group in a block: what is erased die by die.
    pub(super) fn first_pages(&self) -> impl ExactSizeIterator<Item = u32> + use<> {
        (0..self.stripe).step_by(self.planes_per_die as usize)
    }

    /// Planes of a die that a group holds.
    pub(super) fn planes_together(&self) -> u32 {
        self.stripe.min(self.planes_per_die)
    }

    /// Where a unit is.
    #[inline]
    pub(super) fn place(&self, unit: u32) -> Place {
        self.places[unit as usize]
    }

    /// The block of a physical page, in its group.
    #[inline]
    pub(super) fn block(&self, physical: u32) -> u32 {
        (physical >> self.page_bits) & ((1 << (self.group_shift - self.page_bits)) - 1)
    }

    /// The block of a physical page, among all.
    #[inline]
    pub(super) fn block_index(&self, physical: u32) -> usize {
        (self.group(physical) * self.blocks + self.block(physical)) as usize
    }

    /// The page of a physical page, in its block.
    #[inline]
    pub(super) fn page(&self, physical: u32) -> u32 {
        physical & ((1 << self.page_bits) - 1)
    }

    /// The row of a physical page: its number in the block of its plane. Pages of one row in different planes of a die fit one command.
    #[inline]
    pub(super) fn row(&self, physical: u32) -> u32 {
        if self.stripe == 1 { self.page(physical) } else { self.page(physical) / self.stripe }
    }

    /// Whether a physical page is the last of its row.
    #[inline]
    pub(super) fn ends_row(&self, physical: u32) -> bool {
        self.page(physical) % self.stripe == self.stripe - 1
    }

    /// The type of a physical page: 0, 1 and 2 for LSB, CSB and MSB.
    #[inline]
    pub(super) fn page_type(&self, physical: u32) -> usize {
        self.page_type[self.row(physical) as usize] as usize
    }

    /// All logical pages.
    pub(super) fn logical_pages(&self) -> u32 {
        self.local_pages * self.groups
    }
}

/// All planes in the order in which consecutive pages spread over them.
fn plane_table(parameters: &SsdParameters) -> Vec<u32> {
    use Dimension::{Channel, Die, Plane, Way};
    let sizes = &parameters.geometry;
    let order = parameters.allocation.order().unwrap_or(match parameters.allocation {
        Allocation::Superpage | Allocation::Superblock => [Plane, Channel, Way, Die],
        _ => [Channel, Way, Die, Plane],
    });
    let size = |dimension| match dimension {
        Dimension::Channel => sizes.channels,
        Dimension::Way => sizes.chips_per_channel,
        Dimension::Die => sizes.dies_per_chip,
        Dimension::Plane => sizes.planes_per_die,
    };
    let place = |turn: u32| {
        let mut rest = turn;
        let [mut channel, mut way, mut die, mut plane] = [0; 4];
        for dimension in order {
            let at = match dimension {
                Dimension::Channel => &mut channel,
                Dimension::Way => &mut way,
                Dimension::Die => &mut die,
                Dimension::Plane => &mut plane,
            };
            *at = rest % size(dimension);
            rest /= size(dimension);
        }
        ((channel * sizes.chips_per_channel + way) * sizes.dies_per_chip + die) * sizes.planes_per_die + plane
    };
    (0..sizes.planes()).map(place).collect()
}

/// The type of a page, as MQSim has it.
fn page_type(cells: CellType, page: u32) -> u8 {
    match (cells, page) {
        (CellType::Slc, _) | (CellType::Tlc, 0..6) => 0,
        (CellType::Mlc, page) if page % 2 == 0 => 0,
        // Of two types MSB is the slower one.
        (CellType::Mlc, _) => 2,
        (CellType::Tlc, 6..8) => 1,
        (CellType::Tlc, page) => [0, 1, 2][((page - 8) / 2 % 3) as usize],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::storage::ssd::parameters::Geometry;
    use crate::storage::ssd::presets::Preset;

    #[test]
    fn every_order_of_allocation_uses_every_plane() {
        let orders: BTreeSet<_> = Allocation::STATIC.iter().map(|order| format!("{:?}", order.order())).collect();
        assert_eq!(orders.len(), 24);
        for &allocation in Allocation::STATIC {
            let mut planes = plane_table(&SsdParameters { allocation, ..SsdParameters::preset(Preset::Mqsim) });
            planes.sort_unstable();
            assert!(planes.iter().copied().eq(0..128));
        }
    }

    /// Two channels of one chip with two dies of three planes, blocks of four pages.
    fn small(allocation: Allocation) -> Layout {
        let preset = SsdParameters::preset(Preset::XlFlash);
        let geometry = Geometry {
            channels: 2,
            chips_per_channel: 1,
            dies_per_chip: 2,
            planes_per_die: 3,
            blocks_per_plane: 20,
            pages_per_block: 4,
            ..preset.geometry.clone()
        };
        Layout::new(&SsdParameters { geometry, allocation, ..preset })
    }

    #[test]
    fn the_pages_of_a_superpage_lie_in_the_planes_of_one_die() {
        let layout = small(Allocation::Superpage);
        assert_eq!((layout.groups, layout.stripe, layout.pages, layout.units), (4, 3, 12, 4));
        // Consecutive logical pages go to die 0 of either channel, then to die 1.
        assert_eq!([0, 1, 2, 3, 4].map(|logical| layout.group_of(logical)), [0, 2, 1, 3, 0]);
        let pages: Vec<_> = (0..12).map(|page| layout.physical(2, 7, page)).collect();
        let of = |number: fn(&Layout, u32) -> u32| pages.iter().map(|&page| number(&layout, page)).collect::<Vec<_>>();
        assert_eq!(of(Layout::plane), [6, 7, 8, 6, 7, 8, 6, 7, 8, 6, 7, 8]);
        assert_eq!(of(Layout::row), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
        assert!(pages.iter().all(|&page| layout.unit(page) == 2 && layout.block(page) == 7));
        assert_eq!((0..12).filter(|&page| layout.ends_row(pages[page])).collect::<Vec<_>>(), [2, 5, 8, 11]);
        assert_eq!((layout.first_pages().collect::<Vec<_>>(), layout.planes_together()), (vec![0], 3));
    }

    #[test]
    fn a_superblock_goes_die_by_die_along_the_channels() {
        let layout = small(Allocation::Superblock);
        assert_eq!((layout.groups, layout.stripe, layout.pages), (1, 12, 48));
        let units: Vec<_> = (0..15).map(|page| layout.unit(layout.physical(0, 3, page))).collect();
        assert_eq!(units, [0, 0, 0, 2, 2, 2, 1, 1, 1, 3, 3, 3, 0, 0, 0]);
        assert_eq!([11, 12].map(|page| layout.row(layout.physical(0, 3, page))), [0, 1]);
        assert_eq!((layout.first_pages().collect::<Vec<_>>(), layout.planes_together()), (vec![0, 3, 6, 9], 3));
        assert_eq!(layout.units_of(0), 0..4);
    }

    #[test]
    fn consecutive_pages_go_along_the_channels_first() {
        let layout = Layout::new(&SsdParameters::preset(Preset::Mqsim));
        let units: Vec<u32> = (0..9).map(|page| layout.group_of(page) / layout.planes_per_unit).collect();
        assert_eq!(units, [0, 4, 8, 12, 16, 20, 24, 28, 1]);
    }

    #[test]
    fn numbers_come_back() {
        let layout = Layout::new(&SsdParameters::preset(Preset::TlcNvme));
        let physical = layout.physical(63, 1299, 767);
        assert_eq!((layout.group(physical), layout.block(physical), layout.page(physical)), (63, 1299, 767));
        for logical in [0, 1, 77, 12_345_678] {
            assert_eq!(layout.logical(layout.group_of(logical), layout.local(logical)), logical);
        }
    }

    #[test]
    fn pages_have_the_types_that_mqsim_gives_them() {
        let types = |cells| (0..16).map(|page| page_type(cells, page)).collect::<Vec<_>>();
        assert_eq!(types(CellType::Tlc), [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(types(CellType::Mlc)[..4], [0, 2, 0, 2]);
    }
}
