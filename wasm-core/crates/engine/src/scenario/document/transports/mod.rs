//! Transports in the document: their names, which come from their registration
//! ([`crate::transport::controllers`]), and the sections of their parameters, one file each.

mod dcqcn;
mod dirs;
mod marks;
mod swift;
mod timely;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Class, Qos};
use crate::transport::controllers::{Carrier, Control, TRANSPORTS, Transport, transports};

pub use dcqcn::{Dcqcn, DcqcnSet};
pub use dirs::Dirs;
pub use swift::Swift;
pub use timely::Timely;

/// What the parameters of a controller depend on beside its class.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// The transport whose controller it is.
    pub transport: TransportKind,
    /// The section of the document on quality of service.
    pub qos: &'a Qos,
    /// Rate of the hosts' links, in bits per second.
    pub line_bps: f64,
    /// Longest round trip of the class while queues are empty.
    pub rtt_ps: u64,
}

/// Parameters of a controller, which the sections of a class describe.
trait FromClass {
    fn from_class(class: &Class, at: &Surroundings) -> Self;
}

macro_rules! kinds {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident::$state:ident, $what:expr;)+) => {
        /// Congestion control of a connection.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum TransportKind {
            $(
                $(#[doc = $sentence])+
                #[serde(rename = $id)]
                #[schemars(title = $title)]
                $kind,
            )+
        }

        impl TransportKind {
            /// Every transport, in the order of their registration.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Its name in the document.
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$kind => $id,)+
                }
            }

            /// The controller of the connections of `class`.
            pub fn control(self, class: &Class, qos: &Qos, line_bps: f64, rtt_ps: u64) -> Control {
                let at = Surroundings { transport: self, qos, line_bps, rtt_ps };
                match self {
                    $(Self::$kind => Control::$kind(FromClass::from_class(class, &at)),)+
                }
            }
        }
    };
}
transports!(kinds);

impl Default for TransportKind {
    /// The one registered first.
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl TransportKind {
    /// What it is and can do.
    pub fn describe(self) -> &'static Transport {
        &TRANSPORTS[self as usize]
    }

    /// Whether packets are paced at a rate, over RDMA, instead of being let out by a window.
    pub fn is_rate_based(self) -> bool {
        self.describe().carrier == Carrier::Rdma
    }

    /// Whether it learns of congestion from ECN marks, of which it keeps an average, and not from the round trip.
    pub fn follows_marks(self) -> bool {
        self.describe().follows_marks
    }

    /// Whether the class follows the deadlines of its requests.
    pub fn follows_deadlines(self) -> bool {
        self.describe().follows_deadlines
    }

    /// Whether the class follows a quality factor.
    pub fn follows_quality(self) -> bool {
        self.describe().follows_quality
    }
}
