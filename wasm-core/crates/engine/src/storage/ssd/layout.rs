//! The flash array in numbers: which plane holds a logical page, and what a physical page number means.

use crate::kernel::convert::{index_u32, saturated_u32, whole};
use crate::storage::ssd::parameters::{Allocation, CWDP, CellType, Dimension, MappingTable, SsdParameters, Unit};

/// A physical page that is none.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Units of a channel that a bus can tell apart.
const UNITS_MAX: u32 = 64;

/// Sizes and tables that follow from the parameters.
///
/// A physical page number holds plane, block and page, from the highest bits down. Logical pages count those of commands
/// first, then those of the mapping table if it is on flash.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub(super) channels: u32,
    pub(super) units_per_channel: u32,
    pub(super) units: u32,
    pub(super) planes: u32,
    pub(super) planes_per_die: u32,
    pub(super) planes_per_unit: u32,
    /// Blocks of a plane.
    pub(super) blocks: u32,
    /// Pages of a block.
    pub(super) pages: u32,
    pub(super) page_bytes: u32,
    page_bits: u32,
    plane_shift: u32,
    /// Logical pages of a plane.
    pub(super) local_pages: u32,
    /// Valid pages that a plane may hold where pages can go to any plane.
    pub(super) valid_max: u32,
    /// Logical pages that commands address.
    pub(super) user_pages: u32,
    /// Entries in a page of the mapping table; 0 if it is all in DRAM.
    pub(super) entries_per_page: u32,
    /// Free blocks of a plane that only garbage collection takes.
    pub(super) reserved: u32,
    /// Victims of a plane at once.
    pub(super) victims_max: u32,
    /// Blocks of a plane that commands fill at once.
    pub(super) frontiers: u32,
    /// Plane of a logical page, by its number modulo the planes.
    plane_of: Vec<u32>,
    /// The inverse.
    turn_of: Vec<u32>,
    /// Type of a page, by its number in the block.
    pub(super) page_type: Vec<u8>,
    /// Unit of a plane: looked up, as places are, where a division would take longer.
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
        let units = counts[1].checked_mul(if self.unit == Unit::Die { counts[2] } else { 1 });
        if units.is_none_or(|units| units > UNITS_MAX) || sizes.planes_per_die > 32 {
            return Some("a channel has at most 64 flash units, and a die 32 planes");
        }
        let planes = counts.iter().try_fold(1u32, |product, &count| product.checked_mul(count));
        let bits = bits(sizes.pages_per_block) + bits(sizes.blocks_per_plane);
        if planes.is_none_or(|planes| planes > 60_000 || bits + self::bits(planes) > 31) {
            return Some("the device has too many pages");
        }
        None
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
        let (planes, blocks, pages) = (sizes.planes(), sizes.blocks_per_plane, sizes.pages_per_block);
        let planes_per_unit = match parameters.unit {
            Unit::Die => sizes.planes_per_die,
            Unit::Chip => sizes.planes_per_die * sizes.dies_per_chip,
        };
        let gc = &parameters.gc;
        let reserved = gc.reserved_blocks.max(gc.victims_max).clamp(1, (blocks / 4).max(1));
        let frontiers = parameters.frontiers.clamp(1, (blocks / 4).max(1));
        // Blocks that are not needed while all logical pages are written: those reserved, and those being filled. Were more
        // pages offered, there might be nothing to collect.
        let usable = (blocks - reserved).saturating_sub(1 + frontiers).max(1) * pages;
        let raw = blocks * pages;
        let offered = saturated_u32(whole(f64::from(raw) * (1.0 - parameters.over_provisioning)));
        let local_pages = offered.clamp(1, usable);
        let valid_max = if parameters.allocation == Allocation::Dynamic { usable + pages - 1 } else { u32::MAX };
        let logical_pages = local_pages * planes;
        let (user_pages, entries_per_page) = match parameters.mapping {
            MappingTable::Cached { entries_per_page, .. } if logical_pages > 1 => {
                let entries = entries_per_page.max(1);
                let user = u64::from(logical_pages) * u64::from(entries) / (u64::from(entries) + 1);
                (saturated_u32(user).max(1), entries)
            }
            _ => (logical_pages, 0),
        };
        let plane_of = plane_table(parameters);
        let mut turn_of = vec![0; plane_of.len()];
        for (turn, &plane) in plane_of.iter().enumerate() {
            turn_of[plane as usize] = index_u32(turn);
        }
        let page_bits = bits(pages);
        let units = planes / planes_per_unit;
        let per_channel = units / sizes.channels;
        Self {
            channels: sizes.channels,
            units_per_channel: per_channel,
            units,
            planes,
            planes_per_die: sizes.planes_per_die,
            planes_per_unit,
            blocks,
            pages,
            page_bytes: sizes.page_bytes,
            page_bits,
            plane_shift: page_bits + bits(blocks),
            local_pages,
            valid_max,
            user_pages,
            entries_per_page,
            reserved,
            victims_max: gc.victims_max.clamp(1, reserved),
            frontiers,
            plane_of,
            turn_of,
            page_type: (0..pages).map(|page| page_type(parameters.flash.cells, page)).collect(),
            unit_of: (0..planes).map(|plane| plane / planes_per_unit).collect(),
            places: (0..units)
                .map(|unit| Place { channel: unit / per_channel, bit: 1 << (unit % per_channel) })
                .collect(),
        }
    }

    /// The plane that a logical page belongs to.
    #[inline]
    pub(super) fn plane_of(&self, logical: u32) -> u32 {
        self.plane_of[(logical % self.planes) as usize]
    }

    /// The number of a logical page among those of its plane.
    #[inline]
    pub(super) fn local(&self, logical: u32) -> u32 {
        logical / self.planes
    }

    /// The logical page with a number among those of a plane.
    #[inline]
    pub(super) fn logical(&self, plane: u32, local: u32) -> u32 {
        local * self.planes + self.turn_of[plane as usize]
    }

    /// The logical page of the mapping table that holds the entry of a logical page.
    #[inline]
    pub(super) fn table_page(&self, logical: u32) -> u32 {
        self.user_pages + logical / self.entries_per_page
    }

    /// The number of a physical page.
    #[inline]
    pub(super) fn physical(&self, plane: u32, block: u32, page: u32) -> u32 {
        plane << self.plane_shift | block << self.page_bits | page
    }

    /// The plane of a physical page.
    #[inline]
    pub(super) fn plane(&self, physical: u32) -> u32 {
        physical >> self.plane_shift
    }

    /// The unit of a physical page.
    #[inline]
    pub(super) fn unit(&self, physical: u32) -> u32 {
        self.unit_of[self.plane(physical) as usize]
    }

    /// Where a unit is.
    #[inline]
    pub(super) fn place(&self, unit: u32) -> Place {
        self.places[unit as usize]
    }

    /// The block of a physical page, in its plane.
    #[inline]
    pub(super) fn block(&self, physical: u32) -> u32 {
        (physical >> self.page_bits) & ((1 << (self.plane_shift - self.page_bits)) - 1)
    }

    /// The block of a physical page, among all.
    #[inline]
    pub(super) fn block_index(&self, physical: u32) -> usize {
        (self.plane(physical) * self.blocks + self.block(physical)) as usize
    }

    /// The page of a physical page, in its block.
    #[inline]
    pub(super) fn page(&self, physical: u32) -> u32 {
        physical & ((1 << self.page_bits) - 1)
    }

    /// All logical pages.
    pub(super) fn logical_pages(&self) -> u32 {
        self.local_pages * self.planes
    }
}

/// The plane of each logical page, by its number modulo the planes.
fn plane_table(parameters: &SsdParameters) -> Vec<u32> {
    let sizes = &parameters.geometry;
    let order = match parameters.allocation {
        Allocation::Static(order) => order,
        Allocation::Dynamic => match CWDP {
            Allocation::Static(order) => order,
            Allocation::Dynamic => unreachable!(),
        },
    };
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
    use super::*;
    use crate::storage::ssd::presets::Preset;

    #[test]
    fn every_order_of_allocation_uses_every_plane() {
        let dimensions = [Dimension::Channel, Dimension::Way, Dimension::Die, Dimension::Plane];
        let mut orders = 0;
        for code in 0..256usize {
            let order = [code % 4, code / 4 % 4, code / 16 % 4, code / 64].map(|at| dimensions[at]);
            if !dimensions.iter().all(|dimension| order.contains(dimension)) {
                continue;
            }
            orders += 1;
            let allocation = Allocation::Static(order);
            let mut planes = plane_table(&SsdParameters { allocation, ..SsdParameters::preset(Preset::Mqsim) });
            planes.sort_unstable();
            assert!(planes.iter().copied().eq(0..128));
        }
        assert_eq!(orders, 24);
    }

    #[test]
    fn consecutive_pages_go_along_the_channels_first() {
        let layout = Layout::new(&SsdParameters::preset(Preset::Mqsim));
        let units: Vec<u32> = (0..9).map(|page| layout.plane_of(page) / layout.planes_per_unit).collect();
        assert_eq!(units, [0, 4, 8, 12, 16, 20, 24, 28, 1]);
    }

    #[test]
    fn numbers_come_back() {
        let layout = Layout::new(&SsdParameters::preset(Preset::TlcNvme));
        let physical = layout.physical(63, 1299, 767);
        assert_eq!((layout.plane(physical), layout.block(physical), layout.page(physical)), (63, 1299, 767));
        for logical in [0, 1, 77, 12_345_678] {
            assert_eq!(layout.logical(layout.plane_of(logical), layout.local(logical)), logical);
        }
    }

    #[test]
    fn pages_have_the_types_that_mqsim_gives_them() {
        let types = |cells| (0..16).map(|page| page_type(cells, page)).collect::<Vec<_>>();
        assert_eq!(types(CellType::Tlc), [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(types(CellType::Mlc)[..4], [0, 2, 0, 2]);
    }
}
