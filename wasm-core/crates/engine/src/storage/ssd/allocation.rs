//! Where a logical page is written, and which blocks are filled and erased together.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use Dimension::{Channel, Die, Plane, Way};

/// A dimension of the array along which consecutive pages spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// C: channels.
    Channel,
    /// W (way): chips of a channel.
    Way,
    /// D: dies of a chip.
    Die,
    /// P: planes of a die.
    Plane,
}

macro_rules! allocations {
    ($($(#[doc = $sentence:literal])+ $order:ident $title:literal $dimensions:expr;)+) => {
        /// How free blocks are found for what is written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Allocation {
            // The same page of a block of each plane of a die. The die follows from the number of the logical page (channel, way,
            // die); the page is chosen when the die begins to program, in the order in which the levels have their turn. What a
            // command leaves of a superpage the next one takes, so planes stay in step under any load.
            /// The planes of a die are programmed together: consecutive pages go over dies, and each goes to the superpage that its die fills.
            #[schemars(title = "Superpage of a die")]
            Superpage,
            // A block of every plane of the device, filled in the order of arrival: a superpage of one die, then of the next.
            /// All planes are programmed in one order and freed together: pages go to the next place of a superblock across all dies, as they come.
            #[schemars(title = "Superblock of all dies")]
            Superblock,
            // In a plane that follows from the number of the page. Every plane fills blocks of its own, so that frontiers of planes
            // drift apart and pages seldom fit one command.
            $(
                $(#[doc = $sentence])+
                #[schemars(title = $title)]
                $order,
            )+
            /// Every page goes to the die with the fewest programs waiting.
            #[schemars(title = "Dynamic")]
            Dynamic,
        }

        impl Allocation {
            /// Every static order.
            pub const STATIC: &[Self] = &[$(Self::$order),+];

            /// The dimensions along which a static order spreads consecutive pages, the first first; none of others.
            pub fn order(self) -> Option<[Dimension; 4]> {
                match self {
                    $(Self::$order => Some($dimensions),)+
                    Self::Superpage | Self::Superblock | Self::Dynamic => None,
                }
            }
        }
    };
}

allocations! {
    /// Each plane for itself, as in MQSim and so the other static ones. Consecutive pages go over channels, then ways, dies and planes.
    Cwdp "Static, CWDP" [Channel, Way, Die, Plane];
    /// Consecutive pages go over channels, then ways, planes and dies.
    Cwpd "Static, CWPD" [Channel, Way, Plane, Die];
    /// Consecutive pages go over channels, then dies, ways and planes.
    Cdwp "Static, CDWP" [Channel, Die, Way, Plane];
    /// Consecutive pages go over channels, then dies, planes and ways.
    Cdpw "Static, CDPW" [Channel, Die, Plane, Way];
    /// Consecutive pages go over channels, then planes, ways and dies.
    Cpwd "Static, CPWD" [Channel, Plane, Way, Die];
    /// Consecutive pages go over channels, then planes, dies and ways.
    Cpdw "Static, CPDW" [Channel, Plane, Die, Way];
    /// Consecutive pages go over ways, then channels, dies and planes.
    Wcdp "Static, WCDP" [Way, Channel, Die, Plane];
    /// Consecutive pages go over ways, then channels, planes and dies.
    Wcpd "Static, WCPD" [Way, Channel, Plane, Die];
    /// Consecutive pages go over ways, then dies, channels and planes.
    Wdcp "Static, WDCP" [Way, Die, Channel, Plane];
    /// Consecutive pages go over ways, then dies, planes and channels.
    Wdpc "Static, WDPC" [Way, Die, Plane, Channel];
    /// Consecutive pages go over ways, then planes, channels and dies.
    Wpcd "Static, WPCD" [Way, Plane, Channel, Die];
    /// Consecutive pages go over ways, then planes, dies and channels.
    Wpdc "Static, WPDC" [Way, Plane, Die, Channel];
    /// Consecutive pages go over dies, then channels, ways and planes.
    Dcwp "Static, DCWP" [Die, Channel, Way, Plane];
    /// Consecutive pages go over dies, then channels, planes and ways.
    Dcpw "Static, DCPW" [Die, Channel, Plane, Way];
    /// Consecutive pages go over dies, then ways, channels and planes.
    Dwcp "Static, DWCP" [Die, Way, Channel, Plane];
    /// Consecutive pages go over dies, then ways, planes and channels.
    Dwpc "Static, DWPC" [Die, Way, Plane, Channel];
    /// Consecutive pages go over dies, then planes, channels and ways.
    Dpcw "Static, DPCW" [Die, Plane, Channel, Way];
    /// Consecutive pages go over dies, then planes, ways and channels.
    Dpwc "Static, DPWC" [Die, Plane, Way, Channel];
    /// Consecutive pages go over planes, then channels, ways and dies.
    Pcwd "Static, PCWD" [Plane, Channel, Way, Die];
    /// Consecutive pages go over planes, then channels, dies and ways.
    Pcdw "Static, PCDW" [Plane, Channel, Die, Way];
    /// Consecutive pages go over planes, then ways, channels and dies.
    Pwcd "Static, PWCD" [Plane, Way, Channel, Die];
    /// Consecutive pages go over planes, then ways, dies and channels.
    Pwdc "Static, PWDC" [Plane, Way, Die, Channel];
    /// Consecutive pages go over planes, then dies, channels and ways.
    Pdcw "Static, PDCW" [Plane, Die, Channel, Way];
    /// Consecutive pages go over planes, then dies, ways and channels.
    Pdwc "Static, PDWC" [Plane, Die, Way, Channel];
}
