//! What a job takes on a drive in the mean, by formulas: a closed queueing network of the host's software, the link, channels and dies.
//!
//! A mean value analysis (M. Reiser and S. Lavenberg, Mean-Value Analysis of Closed Multichain Queuing Networks, JACM 27(2), 1980) with
//! the approximation of P. Schweitzer: a request finds at a station what others of its number have there in the mean. Times of flash are
//! all but constant, so that of what is in service half is left. Good to a tenth or two of what the simulation gives, thousands of times
//! as fast: it says where a search begins.

use super::parameters::{DriveParameters, Form, Parameter};
use qoscope_interop::fio::{MeasuredJob, Pattern};

/// What a job asks of a drive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Load {
    /// Requests outstanding.
    pub(super) outstanding: f64,
    /// Queue pairs: each has a core of the host.
    pub(super) queue_pairs: f64,
    pub(super) bytes: f64,
    pub(super) read_share: f64,
    pub(super) is_random: bool,
    /// Whether it comes over a network.
    pub(super) is_remote: bool,
    /// Time of a request in the mean, as measured, in microseconds.
    pub(super) measured_us: f64,
}

impl Load {
    /// That of a job; with Little's law, how many requests were outstanding in truth.
    pub(super) fn of(job: &MeasuredJob) -> Self {
        let rates = job.operations().map(|(_, of)| (of.iops, of.iops * of.latency_us.mean));
        let (iops, outstanding) = rates.fold((0.0, 0.0), |(iops, all), (of, busy)| (iops + of, all + busy));
        let asked = f64::from(job.iodepth) * f64::from(job.numjobs);
        let measured_us = outstanding / iops;
        Self {
            outstanding: if job.rate.is_some() { (outstanding / 1e6).clamp(1.0, asked) } else { asked },
            queue_pairs: f64::from(job.numjobs),
            bytes: f64::from(job.block_bytes()),
            read_share: job.read_share,
            is_random: job.pattern == Pattern::Random,
            is_remote: !job.access.is_local(),
            measured_us,
        }
    }
}

/// Of a request: the command, doorbells, the interrupt, on the link and in the drive.
const PROTOCOL_US: f64 = 0.5;
/// Of a request over a network beside the time of its bytes on the wire: delays there and back.
const NETWORK_US: f64 = 5.0;
/// Work of a core of the host for a request: that of the engine for local ones.
const WORK_US: f64 = 1.0;
/// Command and address on a channel.
const COMMAND_US: f64 = 0.3;
/// Bytes on PCI Express for each of payload.
const FRAMING: f64 = 156.0 / 128.0;
/// Rounds of the approximation.
const ROUNDS: usize = 40;

/// A drive by the numbers of the formulas, times in microseconds and rates in bytes per microsecond.
#[derive(Clone, Debug)]
pub(super) struct Model {
    host_us: f64,
    target_us: f64,
    read_us: f64,
    program_us: f64,
    dies: f64,
    channels: f64,
    channel: f64,
    lane: f64,
    cache_bytes: f64,
    has_cache: bool,
    form: Form,
}

/// A kind of requests on the way to flash.
struct Way {
    /// Commands to dies that one becomes.
    commands: f64,
    /// Time of a command in the array of its die.
    array_us: f64,
    /// Time of a command on its channel.
    channel_us: f64,
    /// Time of a command's data on the link.
    link_us: f64,
}

impl Model {
    /// That of a drive.
    pub(super) fn of(drive: &DriveParameters) -> Self {
        Self {
            host_us: drive.host_us,
            target_us: drive.target_us,
            read_us: drive.get(Parameter::Read),
            program_us: drive.get(Parameter::Program),
            dies: drive.get(Parameter::Dies),
            channels: f64::from(drive.channels()),
            channel: drive.get(Parameter::Channel),
            lane: drive.get(Parameter::Link),
            cache_bytes: drive.get(Parameter::Cache),
            has_cache: drive.has_cache(),
            form: drive.form,
        }
    }

    fn place(&mut self, parameter: Parameter) -> &mut f64 {
        match parameter {
            Parameter::Host => &mut self.host_us,
            Parameter::Target => &mut self.target_us,
            Parameter::Read => &mut self.read_us,
            Parameter::Program => &mut self.program_us,
            Parameter::Dies => &mut self.dies,
            Parameter::Channel => &mut self.channel,
            Parameter::Link => &mut self.lane,
            Parameter::Cache | Parameter::OverProvisioning | Parameter::Spread => &mut self.cache_bytes,
        }
    }

    /// The value of a parameter.
    pub(super) fn get(&self, parameter: Parameter) -> f64 {
        *self.clone().place(parameter)
    }

    /// Sets it.
    pub(super) fn set(&mut self, parameter: Parameter, value: f64) {
        *self.place(parameter) = value;
    }

    /// Bytes of payload that the link carries in a microsecond.
    fn link(&self) -> f64 {
        self.lane * self.form.lanes * 1000.0 / FRAMING
    }

    /// Time of a request of a job in the mean, of reads and writes together, in microseconds.
    pub(super) fn latency_us(&self, load: &Load) -> f64 {
        let n = load.outstanding;
        let wire_us = load.bytes / (self.form.link_gbps * 125.0);
        let over_us = if load.is_remote { self.target_us + NETWORK_US + 2.0 * wire_us } else { 0.0 };
        let alone_us = self.host_us + PROTOCOL_US + over_us;
        let least_us = (n * WORK_US / load.queue_pairs).max(if load.is_remote { n * wire_us } else { 0.0 });
        let reads = self.read_way(load);
        if load.read_share >= 1.0 {
            return self.network(n, alone_us, &reads).max(least_us);
        }
        let on_flash_us = self.flash_us_of_write(load);
        let writes_us = if self.has_cache {
            alone_us + load.bytes / self.link() + load.bytes / self.form.dram + PROTOCOL_US
        } else {
            self.network(n, alone_us + load.bytes / self.link(), &self.write_way(load))
        };
        // Dies and channels have to carry it all, whatever a cache says.
        let share = load.read_share;
        let write = self.write_way(load);
        let die_us = share * reads.commands * (reads.array_us + reads.channel_us) + (1.0 - share) * on_flash_us;
        let channel_us = share * reads.commands * reads.channel_us + (1.0 - share) * write.commands * write.channel_us;
        let link_us = load.bytes / self.link() * share.max(1.0 - share);
        let busy = (die_us / self.dies / self.spread(load)).max(channel_us / self.channels).max(link_us);
        let at_least_us = (n * busy).max(least_us);
        if share <= 0.0 {
            return writes_us.max(at_least_us);
        }
        let rate = |mean_us: f64| n / mean_us.max(at_least_us);
        let reads_us = self.network(n * share, alone_us, &reads);
        let mean_us = share * reads_us + (1.0 - share) * writes_us;
        // Reads find dies that program.
        let programming = (rate(mean_us) * (1.0 - share) * on_flash_us / self.dies).min(0.95);
        let wait_us = self.form.suspend_us.unwrap_or(self.program_us / 2.0);
        (mean_us + share * programming * wait_us).max(at_least_us)
    }

    fn read_way(&self, load: &Load) -> Way {
        let (commands, bytes) = self.commands(load);
        Way {
            commands,
            array_us: self.read_us,
            channel_us: COMMAND_US + bytes.min(load.bytes) / self.channel,
            link_us: load.bytes / commands / self.link(),
        }
    }

    /// Of a write that goes to flash as it comes.
    fn write_way(&self, load: &Load) -> Way {
        let (commands, bytes) = self.commands(load);
        Way {
            commands,
            array_us: self.program_us + self.update_us(load),
            channel_us: COMMAND_US + bytes / self.channel,
            link_us: 0.0,
        }
    }

    /// Commands that a request becomes, and bytes of the pages of each: pages go over dies, one each as long as there are dies.
    fn commands(&self, load: &Load) -> (f64, f64) {
        let pages = libm::ceil(load.bytes / self.form.page_bytes);
        let commands = pages.min(self.dies.max(1.0));
        (commands, pages / commands * self.form.page_bytes)
    }

    /// A write of a part of a page reads the rest first.
    fn update_us(&self, load: &Load) -> f64 {
        let is_part = load.bytes < self.form.page_bytes && load.is_random;
        if is_part { self.read_us + COMMAND_US + (self.form.page_bytes - load.bytes) / self.channel } else { 0.0 }
    }

    /// Time of dies for a write where pages of several are programmed together.
    fn flash_us_of_write(&self, load: &Load) -> f64 {
        let parts = load.bytes / self.form.page_bytes;
        let pages = if load.is_random { parts.ceil() } else { parts };
        pages * (self.program_us / self.form.planes + self.form.page_bytes / self.channel + self.update_us(load))
    }

    /// The share of dies that have something to program where as many writes wait as the cache, or the job, holds.
    fn spread(&self, load: &Load) -> f64 {
        let held =
            if self.has_cache { self.cache_bytes / load.bytes.min(self.form.page_bytes) } else { load.outstanding };
        if load.read_share > 0.0 { 1.0 } else { held / (held + self.dies - 1.0) }
    }

    /// The mean of requests in a closed network of `n`, which also spend a time where none waits for another.
    fn network(&self, n: f64, delay_us: f64, way: &Way) -> f64 {
        let Way { commands, array_us, channel_us, link_us } = *way;
        // Commands of a request go over channels side by side, and its data over the link when all are there.
        let rounds = libm::ceil(commands / self.channels);
        let transfer_us = rounds * channel_us + commands * link_us;
        let alone_us = delay_us + array_us + transfer_us;
        let die_us = array_us + channel_us;
        let busy_us = (die_us / self.dies).max(channel_us / self.channels).max(link_us) * commands;
        let customers = n.max(1.0) * commands;
        let others = (customers - commands) / customers;
        let mut waits = [0.0; 3];
        let mut mean_us = alone_us;
        for _ in 0..ROUNDS {
            let rate = customers / mean_us;
            let mut next = [0.0; 3];
            // The channel and the link delay a die that has something to send.
            let service = [die_us + waits[1], channel_us, link_us];
            for (station, of) in [self.dies, self.channels, 1.0].into_iter().enumerate() {
                let used = (rate * service[station] / of).min(1.0);
                let there = rate * (service[station] + waits[station]) / of * others;
                next[station] = (service[station] * (there - used * others / 2.0)).max(0.0);
            }
            for (wait, next) in waits.iter_mut().zip(next) {
                *wait = (*wait + next) / 2.0;
            }
            mean_us = (alone_us + waits[0] + waits[1] + waits[2]).max(n * busy_us);
        }
        mean_us
    }
}
