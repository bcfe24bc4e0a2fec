//! The access protocols, one file each: the only place that lists them.
//!
//! An entry of [`protocols`] registers a protocol: what it is in a sentence, its names, its file, and what it is where that
//! differs from [`ACROSS_THE_NETWORK`]. From the entries come [`AccessProtocol`], here and in the scenario document, and what each
//! is. See `CONTRIBUTING.md`, "Adding an access protocol".

pub mod direct;
pub mod iscsi;
pub mod local;
pub mod nvme_rdma;
pub mod nvme_tcp;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::SoftwareTimes;

/// Hands the entries to the macro named. The order is that of the screen.
macro_rules! protocols {
    ($then:ident) => {
        $then! {
            /// Transfers between hosts, without storage: a write sends its data and is done when they are acknowledged; a read sends a
            /// command, and the target its data.
            Direct "direct" "Direct" = direct, Way { has_target: false, ..ACROSS_THE_NETWORK };
            /// Capsules and data over the connections of the class (NVM Express TCP Transport Specification). The target asks for the
            /// data of writes that do not fit their capsule.
            NvmeTcp "nvme-tcp" "NVMe/TCP" = nvme_tcp, ACROSS_THE_NETWORK;
            /// Commands are sent, the target reads and writes the memory of the initiator (NVM Express RDMA Transport Specification).
            NvmeRdma "nvme-rdma" "NVMe/RDMA" = nvme_rdma, ACROSS_THE_NETWORK;
            /// SCSI commands over one session, served one after the other by the target's software (RFC 7143).
            Iscsi "iscsi" "iSCSI" = iscsi, ACROSS_THE_NETWORK;
            /// The devices stand in the host itself: nothing goes over the network. Initiators are their own targets.
            Local "local" "Local" = local, Way { crosses_network: false, ..ACROSS_THE_NETWORK };
        }
    };
}
pub(crate) use protocols;

/// Where the requests of a protocol go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Way {
    has_target: bool,
    crosses_network: bool,
}

/// To the devices of another host.
const ACROSS_THE_NETWORK: Way = Way { has_target: true, crosses_network: true };

macro_rules! kinds {
    ($($(#[doc = $sentence:literal])+ $kind:ident $id:literal $title:literal = $module:ident, $way:expr;)+) => {
        /// Protocols between initiator and target.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub enum AccessProtocol {
            $(
                $(#[doc = $sentence])+
                #[serde(rename = $id)]
                #[schemars(title = $title)]
                $kind,
            )+
        }

        impl AccessProtocol {
            /// Every protocol, in the order of their entries.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// Its name on the screen.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$kind => $title,)+
                }
            }

            /// Time that software takes for its commands, as published.
            pub fn software(self) -> SoftwareTimes {
                match self {
                    $(Self::$kind => $module::SOFTWARE,)+
                }
            }

            fn way(self) -> Way {
                match self {
                    $(Self::$kind => $way,)+
                }
            }
        }
    };
}
protocols!(kinds);

impl AccessProtocol {
    /// Whether requests go to devices.
    pub fn has_target(self) -> bool {
        self.way().has_target
    }

    /// Whether requests go over the network. Otherwise initiators are their own targets.
    pub fn crosses_network(self) -> bool {
        self.way().crosses_network
    }
}
