//! What becomes of the fields of scenarios in job files of fio.

use How::{Exactly, NotAtAll, Roughly};

use crate::export::{How, Mapping, row};

pub(super) const MAPPINGS: &[Mapping] = &[
    row(
        "classes[].name",
        "[section]",
        Exactly,
        "A job is named after its class, its workload's number added where a class has several.",
    ),
    row(
        "workloads[].endpoints",
        "a file for each kind of initiator; filename",
        Exactly,
        "Hosts that do the same have one file. A target is a device of theirs, whose path is yours to give.",
    ),
    row(
        "workloads[].connections",
        "numjobs",
        Exactly,
        "Each connection is a clone of the job, with a queue of its own.",
    ),
    row("workloads[].readFraction", "rw, rwmixread", Exactly, "Per cent of the requests that read."),
    row(
        "workloads[].addresses.pattern",
        "rw, norandommap, random_distribution",
        Exactly,
        "Random addresses are drawn without a map of those that were used, as here.",
    ),
    row("workloads[].addresses.startBytes", "offset", Exactly, "Bytes are bytes."),
    row("workloads[].addresses.lengthBytes", "size", Exactly, "Bytes are bytes."),
    row(
        "workloads[].addresses.alignmentBytes",
        "blockalign",
        Exactly,
        "Random addresses are multiples of it; sequential ones follow each other.",
    ),
    row("workloads[].traffic.size", "bs, bssplit", Exactly, "Sizes with their shares."),
    row("workloads[].traffic.outstanding", "iodepth", Exactly, "Each clone keeps so many requests in flight."),
    row(
        "workloads[].traffic.thinkTimeUs",
        "thinktime, numjobs",
        Exactly,
        "fio pauses a whole job: each of the outstanding requests is a clone with a queue depth of 1, which pauses by itself.",
    ),
    row("workloads[].traffic.thinkTimeDistribution", "", NotAtAll, "fio pauses for the same time always."),
    row(
        "workloads[].traffic.offeredGbps",
        "rate_iops, rate",
        Exactly,
        "Offered bits a second over the bits of a mean request, shared by all clones.",
    ),
    row("workloads[].traffic.gaps", "rate_process", Exactly, "Poisson arrivals, or one after the same time."),
    row("workloads[].traffic.requests", "number_ios", Exactly, "Each clone ends after its part of them."),
    row(
        "workloads[].traffic.file",
        "",
        NotAtAll,
        "fio replays logs of its own and blktrace's (read_iolog), no other trace.",
    ),
    row("workloads[].traffic.of", "", NotAtAll, "Requests of a stand-in are drawn; fio replays logs of its own."),
    row("workloads[].traffic", "", NotAtAll, "Data without end are no requests."),
    row(
        "workloads[].flows",
        "",
        NotAtAll,
        "fio asks a device; whether its requests share a connection is for the driver.",
    ),
    row("workloads[].startUs", "startdelay", Exactly, "Microseconds are microseconds."),
    row("workloads[].startGapUs", "", NotAtAll, "Clones start together."),
    row("workloads[].stopUs", "runtime", Exactly, "From the start, or from the end of the ramp, to the stop."),
    row(
        "durationUs",
        "runtime",
        Exactly,
        "What is left of it after the warm-up; time_based, so that a job goes round its addresses until then.",
    ),
    row("measurement.warmupUs", "ramp_time", Exactly, "fio measures nothing before it has passed."),
    row(
        "access.queueDepth",
        "iodepth",
        Roughly,
        "Requests of an open loop that find so many in flight wait. fio counts latency from when it submits them, so that this wait is not in it.",
    ),
    row("access.protocol", "", NotAtAll, "fio reads and writes what is connected."),
    row(
        "classes[].latencyTargetUs",
        "latency_target",
        Roughly,
        "Not in the jobs, which keep the load of the scenario: in files beside them fio looks for the queue depth that meets it.",
    ),
    row("classes[].percentile", "latency_percentile", Exactly, "Per cent of the requests that must meet the target."),
    row("classes[].nvmePriority", "", NotAtAll, "Linux has one priority of NVMe queues."),
    row("seed", "randseed", Roughly, "fio draws other numbers from the same seed."),
];
