//! What becomes of the fields of scenarios in tables of SONiC.

use crate::export::{How, Mapping};

pub(super) const K: Mapping = Mapping {
    from: "switch.ecnThresholdPackets",
    to: "WRED_PROFILE: green_min_threshold, green_max_threshold",
    how: How::Exactly,
    why: "Packets become bytes of full packets: K × host.mtuBytes.",
};
pub(super) const MARKING: Mapping = Mapping {
    from: "switch.marking",
    to: "WRED_PROFILE: ecn, green_drop_probability",
    how: How::Exactly,
    why: "RED is the ramp of WRED itself. A step is a ramp of no width: both thresholds are K, and every packet above K is marked.",
};
pub(super) const RED_MAXIMUM: Mapping = Mapping {
    from: "switch.redMaximumPackets",
    to: "WRED_PROFILE: green_max_threshold",
    how: How::Exactly,
    why: "Packets become bytes of full packets: Kmax × host.mtuBytes.",
};
pub(super) const RED_PROBABILITY: Mapping = Mapping {
    from: "switch.redMaximumProbability",
    to: "WRED_PROFILE: green_drop_probability",
    how: How::Roughly,
    why: "A probability is a whole number of per cent, 1 at least.",
};
pub(super) const RATIO: Mapping = Mapping {
    from: "classes[].ratio",
    to: "SCHEDULER: weight",
    how: How::Roughly,
    why: "Weights are whole numbers that add up to about 100. Hosts keep the ratios in the simulation; weights of queues keep them in the switch.",
};
pub(super) const DSCP: Mapping = Mapping {
    from: "classes[].dscp",
    to: "DSCP_TO_TC_MAP",
    how: How::Exactly,
    why: "The code point of a class goes to its traffic class.",
};
pub(super) const PRIORITY: Mapping = Mapping {
    from: "classes[].priority",
    to: "TC_TO_QUEUE_MAP, SCHEDULER: STRICT",
    how: How::Exactly,
    why: "A priority above 0 is a traffic class and a queue of the same number, served strictly before the others.",
};
pub(super) const BUFFERING: Mapping = Mapping {
    from: "switch.buffering",
    to: "PORT_QOS_MAP: pfc_enable; BUFFER_PG",
    how: How::Exactly,
    why: "With PFC every queue in use is lossless.",
};
pub(super) const SHARED: Mapping = Mapping {
    from: "switch.sharedBufferBytes",
    to: "BUFFER_POOL: size",
    how: How::Roughly,
    why: "Switches divide their memory in cells and keep some of it for themselves.",
};
pub(super) const ALPHA: Mapping = Mapping {
    from: "switch.thresholdAlpha",
    to: "BUFFER_PROFILE: dynamic_th",
    how: How::Exactly,
    why: "α is two to the power of dynamic_th.",
};
pub(super) const XOFF: Mapping = Mapping {
    from: "switch.xoffBytes",
    to: "BUFFER_PROFILE: static_th",
    how: How::Exactly,
    why: "Bytes, as they are.",
};
pub(super) const HEADROOM: Mapping = Mapping {
    from: "switch.headroomBytes",
    to: "BUFFER_PROFILE: xoff",
    how: How::Roughly,
    why: "Bytes. On a switch the headroom must also hold what arrives while the peer responds to a pause (IEEE 802.3 clause 31B.3.7), \
          the delays of interfaces, and the rounding of packets to cells: the simulation has none of them. Compare the number with \
          the platform's pg_profile_lookup.ini.",
};
/// Why a switch gets its headroom from its own table.
pub(super) const NO_HEADROOM: &str = "The scenario states no headroom, and that of the simulation is ideal: too little for a switch. Left out, SONiC takes the profile \
     of lossless groups from the platform's pg_profile_lookup.ini, by port speed and cable length.";
/// Why the other fields of a lossless profile are left out with it.
pub(super) const PLATFORM_PROFILE: &str = "Without a stated headroom the platform's pg_profile_lookup.ini has the whole profile of lossless groups. \
     State switch.headroomBytes to write a profile.";
pub(super) const XON: Mapping = Mapping {
    from: "switch.xonOffsetBytes",
    to: "BUFFER_PROFILE: xon_offset",
    how: How::Exactly,
    why: "Bytes, as they are.",
};
pub(super) const GUARANTEED: Mapping = Mapping {
    from: "switch.guaranteedBytes",
    to: "BUFFER_PROFILE: size",
    how: How::Exactly,
    why: "Bytes, as they are: what a port and priority have for themselves.",
};
pub(super) const BUFFER: Mapping = Mapping {
    from: "switch.bufferPackets",
    to: "",
    how: How::NotAtAll,
    why: "SONiC's switches share their memory; a buffer of each port's own has no field.",
};
pub(super) const POINT: Mapping = Mapping {
    from: "switch.markingPoint",
    to: "",
    how: How::NotAtAll,
    why: "Whether a chip compares as packets join the queue or leave it is its own.",
};
pub(super) const TRANSPORT: Mapping =
    Mapping { from: "classes[].transport", to: "", how: How::NotAtAll, why: "Congestion control is with the hosts." };
pub(super) const DELAY: Mapping = Mapping {
    from: "topology.linkDelayUs",
    to: "",
    how: How::NotAtAll,
    why: "It is the length of the cable, at 5 ns a metre.",
};

pub(super) const MAPPINGS: &[Mapping] = &[
    K,
    MARKING,
    RED_MAXIMUM,
    RED_PROBABILITY,
    POINT,
    RATIO,
    DSCP,
    PRIORITY,
    BUFFERING,
    SHARED,
    ALPHA,
    XOFF,
    HEADROOM,
    XON,
    GUARANTEED,
    BUFFER,
    TRANSPORT,
    DELAY,
];
