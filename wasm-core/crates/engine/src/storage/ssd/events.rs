//! The order of events inside a drive: by leaf of a tournament, the bus of a channel, its units, the next channel.

use crate::storage::ssd::layout::Layout;

/// Whose event it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The bus of a channel.
    Bus(u32),
    /// A unit.
    Unit(u32),
}

/// By leaf: whose events it holds.
pub(super) fn targets(layout: &Layout) -> Vec<Target> {
    let of_channel = |channel: u32| {
        let units = channel * layout.units_per_channel..(channel + 1) * layout.units_per_channel;
        std::iter::once(Target::Bus(channel)).chain(units.map(Target::Unit))
    };
    (0..layout.channels).flat_map(of_channel).collect()
}
