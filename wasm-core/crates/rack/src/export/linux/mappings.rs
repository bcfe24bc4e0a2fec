//! What becomes of the fields of scenarios on Linux.

use How::{Exactly, NotAtAll, Roughly};

use crate::export::{How, Mapping};

const fn row(from: &'static str, to: &'static str, how: How, why: &'static str) -> Mapping {
    Mapping { from, to, how, why }
}

pub(super) const MAPPINGS: &[Mapping] = &[
    row(
        "classes[].transport",
        "net.ipv4.tcp_congestion_control, net.ipv4.tcp_ecn; ip route: congctl dctcp, features ecn",
        Exactly,
        "Linux has DCTCP as a module, tcp_dctcp. QTCP and D2TCP come to DCTCP, Swift to nothing; RDMA is with the card.",
    ),
    row(
        "classes[].gain",
        "tcp_dctcp: dctcp_shift_g",
        Exactly,
        "g is two to the power of −dctcp_shift_g, which goes up to 10. A host has one gain.",
    ),
    row("classes[].latencyTargetUs", "", NotAtAll, "DCTCP knows no deadlines."),
    row("host.mtuBytes", "ip link: mtu", Exactly, "Bytes, as they are."),
    row(
        "host.headerBytes",
        "net.ipv4.tcp_timestamps",
        Exactly,
        "IP and TCP have 40 bytes of headers over IPv4 and 60 over IPv6, and 12 more with timestamps.",
    ),
    row("host.initialWindowPackets", "ip route: initcwnd", Exactly, "Packets, as they are."),
    row(
        "host.maximumWindowPackets",
        "ip route: cwnd lock",
        Exactly,
        "Packets, as they are. Buffers of sockets (net.ipv4.tcp_wmem, tcp_rmem) must have room for them.",
    ),
    row("host.minimumWindowPackets", "", NotAtAll, "DCTCP of Linux keeps two packets, and no setting changes that."),
    row(
        "host.minimumRtoUs",
        "ip route: rto_min",
        Exactly,
        "Whole milliseconds, 1 at least. The timer of the kernel is no finer than its tick (CONFIG_HZ).",
    ),
    row(
        "host.delayedAckPackets",
        "ip route: quickack",
        Exactly,
        "Linux acknowledges every second full packet, or every packet with quickack 1.",
    ),
    row(
        "host.delayedAckTimeoutUs",
        "",
        NotAtAll,
        "Linux waits 40 ms or longer (TCP_DELACK_MIN), and no setting changes that.",
    ),
    row(
        "host.queuePackets",
        "byte_queue_limits: limit_max",
        Roughly,
        "Packets become bytes of full packets: queuePackets × host.mtuBytes. A card has several queues, each with its own limit.",
    ),
    row(
        "host.ackPriority",
        "",
        NotAtAll,
        "Linux sends acknowledgements in order with data, unless a filter of tc picks them.",
    ),
    row(
        "classes[].dscp",
        "nft: ip dscp set; nvme connect --tos",
        Exactly,
        "The code point of a class: by the port of its applications, and of NVMe-oF by the connection, which the target answers with the same.",
    ),
    row(
        "classes[].priority",
        "tc: ets strict",
        Exactly,
        "A priority above 0 is a band, served strictly before those of lower ones. Filters know its packets by their DSCP.",
    ),
    row(
        "classes[].ratio",
        "tc: ets quanta",
        Roughly,
        "Bytes of a turn: ratio ÷ least ratio × host.mtuBytes. Hosts keep the ratios in the simulation; turns of bands keep them in the switch.",
    ),
    row(
        "switch.marking",
        "tc: red ecn nodrop",
        Roughly,
        "RED marks by an average of the queue over about two packets, the shortest that tc takes; nodrop: what knows no ECN is not dropped for it.",
    ),
    row(
        "switch.ecnThresholdPackets",
        "tc red: min, max",
        Roughly,
        "Packets become bytes of full packets: K × host.mtuBytes. A step has a max one byte above. RED does not count the packets that the card has. fq_codel's ce_threshold is a time, which would be K packets at one rate alone.",
    ),
    row(
        "switch.redMaximumPackets",
        "tc red: max",
        Roughly,
        "Packets become bytes of full packets: Kmax × host.mtuBytes.",
    ),
    row(
        "switch.redMaximumProbability",
        "tc red: probability",
        Roughly,
        "Pmax ÷ (2 − Pmax): RED of Linux spaces its marks, 1 to 1/p packets apart, so that it marks about twice as many as a coin of the same p.",
    ),
    row("switch.markingPoint", "tc red", Exactly, "RED looks at the queue as a packet joins it."),
    row(
        "topology.linkGbps",
        "tc red: bandwidth",
        Roughly,
        "By it RED lets its average fall while the queue is empty. tc takes up to 34 Gb/s.",
    ),
    row(
        "switch.bufferPackets",
        "tc: limit",
        Roughly,
        "Packets become bytes of full packets: bufferPackets × host.mtuBytes; smaller packets take less. Each band has as much.",
    ),
    row("switch.bufferBytes", "tc: limit", Exactly, "Bytes, as they are."),
    row(
        "switch.urgentReservePackets",
        "tc: limit",
        Roughly,
        "Bands of classes with a priority of 0 have so many full packets less.",
    ),
    row("switch.buffering", "", NotAtAll, "Ports of a Linux switch share no memory, and it sends no pause frames."),
    row(
        "switch.sharedBufferBytes",
        "tc: limit",
        Roughly,
        "Each band of a port may take all of it, where ports of the simulation share it.",
    ),
    row("switch.thresholdAlpha", "", NotAtAll, "A limit is a number of bytes."),
    row("switch.xoffBytes", "", NotAtAll, "No port pauses, or drops for, the port that a packet came by."),
    row("switch.headroomBytes", "", NotAtAll, "Without pauses there is nothing to wait out."),
    row("switch.xonOffsetBytes", "", NotAtAll, "Without pauses there is nothing to end."),
    row("switch.guaranteedBytes", "", NotAtAll, "Nothing is kept for a port and priority."),
    row("access.protocol", "nvme connect -t; iscsiadm", Exactly, "NVMe/TCP, NVMe/RDMA and iSCSI, as they are."),
    row(
        "workloads[].endpoints",
        "a file for each kind of initiator; traddr, nqn",
        Exactly,
        "Hosts that connect alike have one file. A target has a subsystem for each class, so that each has connections of its own.",
    ),
    row(
        "workloads[].connections",
        "nvme connect --nr-io-queues; node.session.nr_sessions",
        Roughly,
        "An I/O queue or a session each, with a connection of its own. NVMe-oF has at most one for each core, and a request takes that of the core that asks.",
    ),
    row("workloads[].flows", "", NotAtAll, "Connections to storage last."),
    row(
        "access.queueDepth",
        "nvme connect --queue-size; node.session.queue_depth, cmds_max",
        Roughly,
        "Entries of an I/O queue, 16 to 1024, of which Linux keeps one or two; commands of an iSCSI device, up to 1024.",
    ),
    row(
        "access.inCapsuleBytes",
        "nvmet port: param_inline_data_size",
        Exactly,
        "Bytes, as they are; over RDMA up to 16 384.",
    ),
    row("access.dataPduBytes", "", NotAtAll, "Linux's target says how much it takes, and no setting changes that."),
    row(
        "access.successWithData",
        "nvme connect --disable-sqflow",
        Exactly,
        "Linux's target leaves out the response of a read where the flow control of submission queues is off.",
    ),
    row("access.headerDigest", "nvme connect --hdr-digest; HeaderDigest", Exactly, "CRC32C, or none."),
    row("access.dataDigest", "nvme connect --data-digest; DataDigest", Exactly, "CRC32C, or none."),
    row("access.iscsi.initialR2t", "InitialR2T", Exactly, "Yes or No, at both ends."),
    row("access.iscsi.immediateData", "ImmediateData", Exactly, "Yes or No, at both ends."),
    row(
        "access.iscsi.firstBurstBytes",
        "FirstBurstLength",
        Exactly,
        "Bytes, as they are; RFC 7143: no more than MaxBurstLength.",
    ),
    row("access.iscsi.maxBurstBytes", "MaxBurstLength", Exactly, "Bytes, as they are."),
    row("access.iscsi.dataSegmentBytes", "MaxRecvDataSegmentLength", Exactly, "Bytes, as they are, at both ends."),
    row(
        "storage.servers[].devices",
        "nvmet namespaces; LUNs",
        Exactly,
        "A namespace or a LUN each. Their paths are yours to give.",
    ),
];
