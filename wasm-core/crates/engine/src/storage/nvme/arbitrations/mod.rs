//! How a controller chooses the submission queue to fetch from, one file each: the only place that lists them.
//!
//! An entry of [`arbitrations`] registers an arbitration: what it is in a sentence, its names, its rule, and what sets it apart
//! from [`ROUND_ROBIN`]. From the entries come [`Arbitration`], which the scenario document has too, [`Arbiter`] and
//! [`MECHANISMS`]. See `CONTRIBUTING.md`, "Adding an arbitration".

mod fetch_window;
mod round_robin;
mod strict_priority;
mod weighted_round_robin;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{LISTS, Turns};

/// What an arbitration is and looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mechanism {
    /// Its name in the document.
    pub id: &'static str,
    /// Queues stand in a list for each priority; otherwise all of them in one.
    pub by_priority: bool,
    /// It goes by the weights of High, Medium and Low.
    pub weighs: bool,
    /// The limit on commands in the device applies.
    pub limits_device: bool,
}

/// What round robin is, and what others are where they do not say otherwise.
const ROUND_ROBIN: Mechanism = Mechanism { id: "", by_priority: false, weighs: false, limits_device: true };

/// The rule of an arbitration: which list has its turn. Within a list queues take turns, a burst of commands each.
trait Rule {
    /// At the start of a round. `weights` are those of High, Medium and Low, each at least 1.
    fn new(weights: [u32; 3]) -> Self;

    /// The list whose first queue launches the next command: the first that has one, unless an arbitration has another rule.
    fn choose(&mut self, lists: &[Turns; LISTS]) -> Option<usize> {
        (0..LISTS).find(|&list| lists[list].is_ready())
    }

    /// A command was fetched from a queue of `list`.
    fn on_fetch(&mut self, _list: usize) {}

    /// Commands that High, Medium and Low may still launch in this round; none where nothing is counted.
    fn credits(&self) -> Option<[u32; 3]> {
        None
    }
}

macro_rules! arbitrations {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident::$rule:ident, $what:expr;)+) => {
        /// How a controller chooses between submission queues.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum Arbitration {
            $(
                $(#[doc = $sentence])+
                #[serde(rename = $id)]
                #[schemars(title = $title)]
                $kind,
            )+
        }

        impl Arbitration {
            /// Every arbitration, in the order of the screen.
            pub const ALL: &[Self] = &[$(Self::$kind),+];
        }

        /// What each arbitration is, in the same order.
        const MECHANISMS: &[Mechanism] = &[$(Mechanism { id: $id, ..$what }),+];

        /// An arbitration at work.
        #[derive(Clone, Copy, Debug)]
        pub(super) enum Arbiter {
            $($(#[doc = $sentence])+ $kind($module::$rule),)+
        }

        impl Arbiter {
            pub(super) fn new(arbitration: Arbitration, weights: [u32; 3]) -> Self {
                match arbitration {
                    $(Arbitration::$kind => Self::$kind(Rule::new(weights)),)+
                }
            }

            /// The list whose first queue launches the next command.
            #[inline]
            pub(super) fn choose(&mut self, lists: &[Turns; LISTS]) -> Option<usize> {
                match self {
                    $(Self::$kind(rule) => rule.choose(lists),)+
                }
            }

            /// A command was fetched from a queue of `list`.
            #[inline]
            pub(super) fn on_fetch(&mut self, list: usize) {
                match self {
                    $(Self::$kind(rule) => rule.on_fetch(list),)+
                }
            }

            /// Commands that High, Medium and Low may still launch in this round; none where nothing is counted.
            pub(super) fn credits(&self) -> Option<[u32; 3]> {
                match self {
                    $(Self::$kind(rule) => rule.credits(),)+
                }
            }
        }
    };
}

arbitrations! {
    /// In turn, whatever their priority.
    RoundRobin "round-robin" "Round robin" = round_robin::RoundRobin, ROUND_ROBIN;
    /// Urgent queues first; then so many commands of high, medium and low priority in each round as their weights say.
    WeightedRoundRobin "weighted-round-robin" "Weighted round robin" = weighted_round_robin::WeightedRoundRobin,
        Mechanism { by_priority: true, weighs: true, ..ROUND_ROBIN };
    /// Urgent queues first, then high, medium and low ones: each only while none before it has a command. Not in the specification's
    /// list: what it leaves to vendors.
    StrictPriority "strict-priority" "Strict priority" = strict_priority::StrictPriority,
        Mechanism { by_priority: true, ..ROUND_ROBIN };
    /// Every queue by itself, up to its own limit of commands in the device, as MQSim does.
    FetchWindow "fetch-window" "Fetch window" = fetch_window::FetchWindow,
        Mechanism { limits_device: false, ..ROUND_ROBIN };
}

impl Arbitration {
    /// What it is and looks at.
    #[inline]
    pub fn mechanism(self) -> &'static Mechanism {
        &MECHANISMS[self as usize]
    }
}
