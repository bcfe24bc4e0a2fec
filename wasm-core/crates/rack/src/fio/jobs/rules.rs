//! What becomes of each option of fio 3.33: the table of `docs/rack.md`.
//!
//! The names are those that `fio --cmdhelp=all` and `fio --enghelp=ENGINE` of version 3.33 list, with their aliases.

use qoscope_engine::scenario::closest;

use super::How;
use How::{Exactly, NotAtAll, Roughly};

/// Workloads of a scenario, at most.
pub(super) const MAXIMUM_JOBS: usize = 4096;

/// What becomes of an option, or of several for the same reason.
#[derive(Debug, PartialEq, Eq)]
pub struct Reading {
    /// Its names: the first is fio's, others mean the same. Where nothing becomes of them: options, each by its names.
    pub options: &'static [&'static str],
    /// The fields that it becomes. Empty: none.
    pub field: &'static str,
    /// How it goes over, unless a job says otherwise.
    pub how: How,
    /// Why, or by which rule, as a sentence.
    pub why: &'static str,
}

const fn row(options: &'static [&'static str], field: &'static str, how: How, why: &'static str) -> Reading {
    Reading { options, field, how, why }
}

/// What nothing becomes of.
const fn none(options: &'static [&'static str], why: &'static str) -> Reading {
    row(options, "", NotAtAll, why)
}

/// Every option of fio 3.33.
pub const READINGS: &[Reading] = &[
    row(&["name"], "workloads[].class", Exactly, "It is the name of the job, in place of that of its section."),
    row(
        &["filename"],
        "workloads[].endpoints",
        Roughly,
        "The first device that a file names is the first server of its hosts in the scenario, the second the second, and so on. Paths are not simulated.",
    ),
    row(
        &["rw", "readwrite"],
        "workloads[].readFraction, workloads[].addresses.pattern",
        Exactly,
        "Reads or writes, random or sequential.",
    ),
    row(&["rwmixread"], "workloads[].readFraction", Exactly, "Per cent of the requests that read."),
    row(&["rwmixwrite"], "workloads[].readFraction", Exactly, "The other requests read."),
    row(&["bs", "blocksize"], "workloads[].traffic.size", Exactly, "Bytes are bytes."),
    row(
        &["bsrange", "blocksize_range"],
        "workloads[].traffic.size",
        Exactly,
        "Every multiple of the least size is equally likely, as in fio.",
    ),
    row(&["bssplit"], "workloads[].traffic.size", Exactly, "Sizes with their shares."),
    row(
        &["bs_unaligned", "blocksize_unaligned"],
        "workloads[].traffic.size",
        Roughly,
        "Every number of bytes of bsrange is equally likely; fio draws the greatest more often.",
    ),
    row(
        &["ba", "blockalign"],
        "workloads[].addresses.alignmentBytes",
        Exactly,
        "Random addresses are multiples of it.",
    ),
    row(
        &["norandommap"],
        "workloads[].addresses.pattern",
        Exactly,
        "Random addresses are drawn without a map of those that were used, as in fio with this option.",
    ),
    row(
        &["random_distribution"],
        "workloads[].addresses.pattern",
        Roughly,
        "The scenario knows one hot part and a cold rest.",
    ),
    row(
        &["percentage_random"],
        "workloads[].addresses.pattern",
        Roughly,
        "All addresses are random from 50 % on, and sequential below.",
    ),
    row(
        &["size"],
        "workloads[].addresses.lengthBytes, workloads[].traffic.requests",
        Exactly,
        "The range of addresses. Without time_based a job ends when it has done as many bytes.",
    ),
    row(&["io_size", "io_limit"], "workloads[].traffic.requests", Roughly, "Bytes over the mean size of a request."),
    row(&["filesize"], "workloads[].addresses.lengthBytes", Exactly, "The range of addresses, where there is no size."),
    row(&["offset", "fileoffset"], "workloads[].addresses.startBytes", Exactly, "Bytes are bytes."),
    row(&["loops"], "workloads[].traffic.requests", Exactly, "So many times as many requests."),
    row(
        &["number_ios"],
        "workloads[].traffic.requests",
        Exactly,
        "Each clone ends after so many; of an open loop all clones together.",
    ),
    row(&["numjobs"], "workloads[].connections", Exactly, "Each clone is a connection, with a queue of its own."),
    row(
        &["iodepth"],
        "workloads[].traffic.outstanding, access.queueDepth",
        Exactly,
        "Requests that each clone keeps outstanding. With a rate it is the queue depth, which all workloads share.",
    ),
    row(
        &["ioengine"],
        "workloads[].traffic.outstanding",
        Roughly,
        "The scenario says how storage is reached. Of the engine counts whether a clone waits for each request (sync, psync, vsync, pvsync, pvsync2).",
    ),
    row(
        &["rate"],
        "workloads[].traffic.offeredGbps",
        Exactly,
        "Bytes a second of each clone, times clones and hosts: requests arrive by themselves.",
    ),
    row(
        &["rate_iops"],
        "workloads[].traffic.offeredGbps",
        Exactly,
        "Requests a second of each clone, times their mean size, clones and hosts.",
    ),
    row(&["rate_process"], "workloads[].traffic.gaps", Exactly, "Poisson arrivals, or one after the same time."),
    row(
        &["thinktime"],
        "workloads[].traffic.thinkTimeUs",
        Exactly,
        "The same pause after every request of a clone that has one outstanding.",
    ),
    row(
        &["thinktime_blocks"],
        "workloads[].traffic.thinkTimeUs",
        Roughly,
        "A pause after several requests is spread over them.",
    ),
    row(&["startdelay"], "workloads[].startUs", Exactly, "From the start of fio, which is that of the run."),
    row(
        &["stonewall", "wait_for_previous"],
        "workloads[].startUs, workloads[].stopUs",
        Roughly,
        "The job starts when those before it end by their runtime; fio waits until they are done.",
    ),
    row(
        &["wait_for"],
        "workloads[].startUs",
        Roughly,
        "The job starts when the other ends by its runtime; fio waits until it is done.",
    ),
    row(
        &["runtime", "timeout"],
        "durationUs, workloads[].stopUs",
        Exactly,
        "Behind the ramp. Times that go beyond the run of the scenario are scaled down to it, all by one factor.",
    ),
    row(&["time_based"], "workloads[].traffic.requests", Exactly, "No number of requests ends the job."),
    row(
        &["ramp_time"],
        "measurement.warmupUs",
        Exactly,
        "Before it has passed nothing is measured. A run has one warm-up.",
    ),
    row(
        &["latency_target"],
        "classes[].latencyTargetUs",
        Roughly,
        "The target of its class. fio looks for the queue depth that meets it; the simulation keeps that of the job.",
    ),
    row(
        &["latency_percentile"],
        "classes[].percentile",
        Exactly,
        "Per cent of the requests that must meet the target.",
    ),
    row(&["randseed"], "seed", Roughly, "The simulation draws other numbers from the same seed."),
    row(&["kb_base"], "", Exactly, "What k, m, g, t and p mean in the other options."),
    none(&["direct", "buffered", "atomic"], "Hosts have no page cache: every request goes to the storage."),
    none(&["bs_is_seq_rand"], "A workload has random or sequential addresses, and one distribution of sizes."),
    none(&["offset_increment", "offset_align"], "All connections of a workload share its range of addresses."),
    none(
        &[
            "iodepth_batch",
            "iodepth_batch_submit",
            "iodepth_batch_complete_min",
            "iodepth_batch_complete",
            "iodepth_batch_complete_max",
            "iodepth_low",
            "io_submit_mode",
            "serialize_overlap",
        ],
        "Requests are issued one by one, as soon as the queue depth allows.",
    ),
    none(
        &[
            "thinktime_spin",
            "thinktime_blocks_type",
            "thinktime_iotime",
            "rate_ignore_thinktime",
            "rate_cycle",
            "ratecycle",
        ],
        "The simulation pauses and paces without a processor: requests have their instants.",
    ),
    none(
        &["prio", "prioclass", "cmdprio_percentage", "cmdprio_class", "cmdprio", "cmdprio_bssplit"],
        "They order requests within Linux. Requests of a scenario have the priority of their class (classes[].nvmePriority).",
    ),
    none(
        &[
            "fsync",
            "fdatasync",
            "sync",
            "write_barrier",
            "sync_file_range",
            "end_fsync",
            "fsync_on_close",
            "readfua",
            "writefua",
        ],
        "Scenarios have no flushes.",
    ),
    none(
        &[
            "verify",
            "do_verify",
            "verify_only",
            "verify_interval",
            "verify_offset",
            "verify_pattern",
            "verify_fatal",
            "verify_dump",
            "verify_async",
            "verify_backlog",
            "verify_backlog_batch",
            "experimental_verify",
            "verify_state_load",
            "verify_state_save",
        ],
        "What was written is not read again to be verified.",
    ),
    none(&["trim_percentage", "trim_verify_zero", "trim_backlog", "trim_backlog_batch"], "Scenarios have no trims."),
    none(
        &[
            "zonemode",
            "zonesize",
            "zonecapacity",
            "zonerange",
            "zoneskip",
            "read_beyond_wp",
            "max_open_zones",
            "job_max_open_zones",
            "ignore_zone_limits",
            "zone_reset_threshold",
            "zone_reset_frequency",
        ],
        "Scenarios have drives without zones.",
    ),
    none(
        &["flow_id", "flow", "flow_sleep"],
        "Jobs do not wait for each other: rwmixread mixes reads and writes in one.",
    ),
    none(
        &[
            "rate_min",
            "ratemin",
            "rate_iops_min",
            "max_latency",
            "exitall",
            "exit_what",
            "exitall_on_error",
            "continue_on_error",
            "ignore_error",
            "steadystate",
            "ss",
            "steadystate_duration",
            "ss_dur",
            "steadystate_ramp_time",
            "ss_ramp",
        ],
        "A run ends at its time, whatever was measured.",
    ),
    none(&["latency_window", "latency_run"], "The simulation looks for no queue depth."),
    none(
        &["randrepeat", "allrandrepeat", "random_generator", "rw_sequencer"],
        "Random numbers are those of the engine, from the seed of the scenario.",
    ),
    none(
        &[
            "read_iolog",
            "read_iolog_chunked",
            "replay_no_stall",
            "replay_redirect",
            "replay_scale",
            "replay_align",
            "replay_time_scale",
            "replay_skip",
            "merge_blktrace_file",
            "merge_blktrace_scalars",
            "merge_blktrace_iters",
        ],
        "A log is the trace of a workload: a job that replays one is refused.",
    ),
    none(&["profile"], "A built-in test sets the options of jobs itself: it is refused."),
    none(
        &[
            "directory",
            "filename_format",
            "unique_filename",
            "opendir",
            "lockfile",
            "nrfiles",
            "nr_files",
            "openfiles",
            "file_service_type",
            "fallocate",
            "fadvise_hint",
            "fill_device",
            "fill_fs",
            "file_append",
            "overwrite",
            "create_serialize",
            "create_fsync",
            "create_on_open",
            "create_only",
            "allow_file_create",
            "allow_mounted_write",
            "pre_read",
            "invalidate",
            "unlink",
            "unlink_each_loop",
            "write_hint",
            "ioscheduler",
        ],
        "There are no files: requests go to the storage of a server.",
    ),
    none(
        &[
            "thread",
            "nice",
            "cpumask",
            "cpus_allowed",
            "cpus_allowed_policy",
            "numa_cpu_nodes",
            "numa_mem_policy",
            "mem",
            "iomem",
            "lockmem",
            "hugepage-size",
            "clocksource",
            "gtod_reduce",
            "gtod_cpu",
            "cgroup",
            "cgroup_nodelete",
            "cgroup_weight",
            "uid",
            "gid",
            "exec_prerun",
            "exec_postrun",
        ],
        "The processes of fio are not simulated.",
    ),
    none(
        &[
            "zero_buffers",
            "refill_buffers",
            "scramble_buffers",
            "buffer_pattern",
            "buffer_compress_percentage",
            "buffer_compress_chunk",
            "dedupe_percentage",
            "dedupe_mode",
            "dedupe_working_set_percentage",
            "dedupe_global",
        ],
        "What the bytes are changes nothing.",
    ),
    none(
        &[
            "description",
            "group_reporting",
            "new_group",
            "stats",
            "per_job_logs",
            "write_bw_log",
            "write_lat_log",
            "write_iops_log",
            "write_hist_log",
            "write_iolog",
            "bwavgtime",
            "iopsavgtime",
            "log_entries",
            "log_avg_msec",
            "log_hist_msec",
            "log_hist_coarseness",
            "log_max_value",
            "log_offset",
            "log_prio",
            "log_compression",
            "log_compression_cpus",
            "log_store_compressed",
            "log_unix_epoch",
            "log_alternate_epoch",
            "log_alternate_epoch_clock_id",
            "block_error_percentiles",
            "clat_percentiles",
            "lat_percentiles",
            "slat_percentiles",
            "percentile_list",
            "significant_figures",
            "disk_util",
            "disable_lat",
            "disable_clat",
            "disable_slat",
            "disable_bw_measurement",
            "disable_bw",
            "unified_rw_reporting",
            "error_dump",
            "unit_base",
        ],
        "It is about what fio reports.",
    ),
    none(
        &[
            "hipri",
            "hipri_percentage",
            "uncached",
            "nowait",
            "userspace_reap",
            "fixedbufs",
            "registerfiles",
            "sqthread_poll",
            "sqthread_poll_cpu",
            "nonvectored",
            "force_async",
            "cmd_type",
            "thp",
            "volume",
            "brick",
            "single-instance",
            "skip_bad",
            "sg_write_mode",
            "stream_id",
            "uri",
            "clustername",
            "pool",
            "clientname",
            "conf",
            "busy_poll",
            "touch_objects",
            "rbdname",
            "stat_type",
            "bindname",
            "verb",
            "hostname",
            "port",
            "protocol",
            "nodelay",
            "listen",
            "pingpong",
            "interface",
            "ttl",
            "window_size",
            "mss",
            "cpuload",
            "cpuchunks",
            "cpumode",
            "exit_on_io_done",
            "program",
            "arguments",
            "grace_time",
            "std_redirect",
            "donorname",
            "inplace",
        ],
        "It is an option of an I/O engine: the scenario says how storage is reached.",
    ),
];

impl Reading {
    /// The option of a name, by which it is asked for, and what is known of it.
    pub(super) fn of(name: &str) -> Option<(&'static str, &'static Self)> {
        READINGS.iter().find_map(|reading| {
            let found = reading.options.iter().find(|option| **option == name)?;
            Some((if reading.is_read() { reading.options[0] } else { found }, reading))
        })
    }

    /// Whether its value is looked at.
    pub(super) fn is_read(&self) -> bool {
        !self.field.is_empty() || self.how == Exactly
    }

    /// The option that a misspelt one was most likely meant to be.
    pub(super) fn closest(name: &str) -> Option<&'static str> {
        closest(name, READINGS.iter().flat_map(|reading| reading.options.iter().copied()))
    }
}
