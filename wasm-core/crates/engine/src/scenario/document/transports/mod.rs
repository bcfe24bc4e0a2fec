//! Transports in the document: their names, which come from their registration
//! ([`crate::transport::controllers`]), and the sections of their parameters, one file each.

mod dcqcn;
mod dirs;
mod marks;
mod swift;
mod timely;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Qos;
use crate::scenario::diagnostics::Diagnostic;
use crate::transport::controllers::{self, Carrier, Control, TRANSPORTS, Transport, transports};

pub use dcqcn::{Dcqcn, DcqcnSet};
pub use dirs::Dirs;
pub use swift::Swift;
pub use timely::Timely;

/// The part of a class that controllers read.
#[derive(Clone, Copy, Debug)]
pub struct Sections<'a> {
    /// Weight of the newest window in the moving average of marks.
    pub gain: f64,
    /// Of DCQCN and QRDMA.
    pub dcqcn: &'a Dcqcn,
    /// Of Swift.
    pub swift: &'a Swift,
    /// Of TIMELY.
    pub timely: &'a Timely,
}

/// What the parameters of a controller depend on in addition to its class.
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
    /// Reason of the default of `dirs.recoveryUs`: the timer that [`Control::recovery_ps`] returns.
    const RECOVERY_TIMER: &'static str = "";

    /// The parameters of a class.
    fn from_class(class: &Sections, at: &Surroundings) -> Self;

    /// Values in force of the fields of its section that a document may leave empty.
    fn in_force(_class: &Sections, _at: &Surroundings) -> Vec<ValueInForce> {
        Vec::new()
    }

    /// The first contradiction between fields of its section. `path` is that of the class.
    fn check(_class: &Sections, _path: &str) -> Option<Diagnostic> {
        None
    }
}

/// The value in force of a field of a class.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueInForce {
    /// Path of the field in its class, such as `timely.beta`.
    pub field: &'static str,
    /// The value.
    pub value: Value,
    /// Where the value comes from if the document does not give it.
    pub basis: Basis,
}

/// Where a value comes from that the document does not give.
#[derive(Clone, Debug, PartialEq)]
pub enum Basis {
    /// The end of the sentence "It is ...".
    Phrase(&'static str),
    /// From the preset that a field of the class names.
    Preset {
        /// Path of that field in its class.
        field: &'static str,
        /// Its value.
        id: String,
    },
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
            pub fn control(self, class: &Sections, qos: &Qos, line_bps: f64, rtt_ps: u64) -> Control {
                let at = Surroundings { transport: self, qos, line_bps, rtt_ps };
                match self {
                    $(Self::$kind => Control::$kind(FromClass::from_class(class, &at)),)+
                }
            }

            /// Values in force of the fields of its section in `class`, whichever transport the class has.
            pub fn in_force(self, class: &Sections, qos: &Qos, line_bps: f64, rtt_ps: u64) -> Vec<ValueInForce> {
                let at = Surroundings { transport: self, qos, line_bps, rtt_ps };
                match self {
                    $(Self::$kind => controllers::$module::Parameters::in_force(class, &at),)+
                }
            }

            /// The first contradiction between fields of its section in the class at `path`, whichever transport the class
            /// has.
            pub fn check(self, class: &Sections, path: &str) -> Option<Diagnostic> {
                match self {
                    $(Self::$kind => controllers::$module::Parameters::check(class, path),)+
                }
            }

            /// Name of the timer that recovers rates, the default of `dirs.recoveryUs`; empty if there is none.
            pub fn recovery_timer(self) -> &'static str {
                match self {
                    $(Self::$kind => controllers::$module::Parameters::RECOVERY_TIMER,)+
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
