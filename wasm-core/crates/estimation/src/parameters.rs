//! The parameters of a drive that measurements may determine.
//!
//! Each is a positive number that stands for one or several fields of a scenario, and is searched for in its logarithm.

use qoscope_engine::access::AccessProtocol;
use qoscope_engine::kernel::time::to_us;
use qoscope_engine::scenario::{self, Scenario};
use qoscope_engine::storage::ssd::parameters::{CellType, Suspension};
use serde_json::{Value, json};

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// Time of the host's software for a request.
    Host,
    /// Time of the target's software for a request that comes over a network.
    Target,
    /// Mean time to read a page: those of all page types grow together.
    Read,
    /// How much longer it takes to read the slowest type of pages than the fastest.
    Spread,
    /// Mean time to program a page.
    Program,
    /// Dies that can work at once.
    Dies,
    /// Transfers of a channel.
    Channel,
    /// The link to the host.
    Link,
    /// Bytes of the write cache.
    Cache,
    /// Share of the flash that is kept free.
    OverProvisioning,
}

/// What is said of a parameter.
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) symbol: Option<&'static str>,
    pub(super) unit: &'static str,
    /// The field of the scenario, the first where it is several.
    pub(super) path: &'static str,
    /// Jobs that determine it, as the end of "Needs ...".
    pub(super) needs: &'static str,
}

/// A drive as a fit sees it: the section `storage.ssd` with everything said, and the time of the host's software.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DriveParameters {
    pub(super) ssd: Value,
    pub(super) host_us: f64,
    /// Time of the target's software for a request that comes over a network.
    pub(super) target_us: f64,
    /// The section as the scenario has it.
    given: Value,
    /// What is the preset's in any case.
    pub(super) form: Form,
}

/// What a fit leaves as it is, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Form {
    /// Planes of a die.
    pub(super) planes: f64,
    /// Bytes of a page.
    pub(super) page_bytes: f64,
    /// Lanes of the link.
    pub(super) lanes: f64,
    /// Bytes that DRAM takes in a microsecond.
    pub(super) dram: f64,
    /// What a read waits for that finds its die programming, where programs are suspended, in microseconds.
    pub(super) suspend_us: Option<f64>,
    /// Bytes of a die.
    die_bytes: f64,
    /// Rate of the network between the host and another that has the drive.
    pub(super) link_gbps: f64,
    /// Whether pages are of several types, as those of cells of several bits.
    pub(super) has_page_types: bool,
    channels: u32,
    dies_per_chip: u32,
    has_cache: bool,
}

/// Chips on a channel, and channels, as the document allows them.
const MAX_CHIPS: u32 = 64;
pub(super) const MAX_CHANNELS: u32 = 64;

impl DriveParameters {
    /// That of a scenario, with every parameter of its preset written out that a fit may change.
    pub(super) fn of(base: &Scenario, host_us: f64) -> Self {
        let device = base.storage.ssd.parameters(base.storage.nvme.weights());
        let described = serde_json::to_value(scenario::Ssd::described(&device)).unwrap_or_default();
        // What its values rested on says nothing of those to come.
        let given = scenario::Ssd { evidence: None, ..base.storage.ssd.clone() };
        let given = serde_json::to_value(given).unwrap_or_default();
        let mut ssd = given.clone();
        for parameter in Parameter::ALL {
            for field in parameter.fields() {
                ssd[*field] = described[*field].clone();
            }
        }
        ssd["writeCache"] = device.live.write_cache.into();
        let geometry = &device.geometry;
        let suspends = matches!(device.live.suspension, Suspension::Program | Suspension::ProgramAndErase);
        let form = Form {
            planes: geometry.planes_per_die.into(),
            page_bytes: geometry.page_bytes.into(),
            lanes: device.link.lanes.into(),
            dram: device.dram.mt_per_s * f64::from(device.dram.width_bytes),
            suspend_us: suspends.then(|| to_us(device.flash.suspend_program_ps)),
            die_bytes: geometry.raw_bytes() as f64 / f64::from(geometry.dies()),
            link_gbps: base.topology.link_gbps,
            has_page_types: device.flash.cells != CellType::Slc,
            channels: geometry.channels,
            dies_per_chip: geometry.dies_per_chip,
            has_cache: device.live.write_cache,
        };
        let target_us =
            base.access.software.target_latency_us.unwrap_or(AccessProtocol::NvmeTcp.software().target_latency_us);
        Self { ssd, host_us, target_us, given, form }
    }

    /// Channels.
    pub(super) fn channels(&self) -> u32 {
        self.number("channels") as u32
    }

    /// Whether writes are complete when they are in DRAM.
    pub(super) fn has_cache(&self) -> bool {
        self.ssd["writeCache"] == true
    }

    /// The same drive with another number of channels, as many dies as near as it can have, and writes that wait for flash or do not.
    pub(super) fn shaped(&self, channels: u32, has_cache: bool) -> Self {
        let mut drive = self.clone();
        drive.ssd["writeCache"] = has_cache.into();
        if channels == self.channels() {
            return drive;
        }
        drive.ssd["channels"] = channels.into();
        drive.with(Parameter::Dies, self.get(Parameter::Dies))
    }

    /// Bytes that it offers.
    pub(super) fn capacity_bytes(&self) -> f64 {
        self.get(Parameter::Dies) * self.form.die_bytes * (1.0 - self.get(Parameter::OverProvisioning))
    }

    /// The section `storage.ssd`: the fields of some parameters, every field whose value is not that of `base`, and otherwise the fields
    /// that the scenario has.
    pub(super) fn section(&self, parameters: &[Parameter], base: &Self) -> Value {
        let mut ssd = self.given.clone();
        let all = Parameter::ALL.into_iter().flat_map(|of| of.fields().iter().map(move |field| (Some(of), *field)));
        for (parameter, field) in all.chain([(None, "writeCache")]) {
            if parameter.is_some_and(|of| parameters.contains(&of)) || self.ssd[field] != base.ssd[field] {
                ssd[field] = self.ssd[field].clone();
            }
        }
        ssd
    }

    fn number(&self, field: &str) -> f64 {
        self.ssd[field].as_f64().unwrap_or_default()
    }

    /// The value of a parameter.
    pub(super) fn get(&self, parameter: Parameter) -> f64 {
        let fields = parameter.fields();
        match parameter {
            Parameter::Host => self.host_us,
            Parameter::Target => self.target_us,
            Parameter::Dies => fields.iter().map(|field| self.number(field)).product(),
            Parameter::Spread => self.number(fields[2]) / self.number(fields[0]),
            _ => fields.iter().map(|field| self.number(field)).sum::<f64>() / fields.len() as f64,
        }
    }

    /// A value of a parameter as its field has it: for that of how page types spread the time of the slowest.
    pub(super) fn shown(&self, parameter: Parameter, value: f64) -> f64 {
        if parameter == Parameter::Spread { 2.0 * self.get(Parameter::Read) * value / (1.0 + value) } else { value }
    }

    /// The factor by which the slowest type of pages takes longer to read than the mean.
    pub(super) fn slowest_over_mean(&self) -> f64 {
        self.shown(Parameter::Spread, self.get(Parameter::Spread)) / self.get(Parameter::Read)
    }

    /// Bytes per second that the link to the host carries.
    pub(super) fn link_bytes_per_s(&self) -> f64 {
        self.get(Parameter::Link) * self.form.lanes * 1e9
    }

    /// In how many ways it is of another form than the one that a fit began with.
    pub(super) fn other_forms(&self) -> u32 {
        u32::from(self.channels() != self.form.channels) + u32::from(self.has_cache() != self.form.has_cache)
    }

    /// The same drive with a parameter changed by a factor, at least by as much as there is.
    pub(super) fn stepped(&self, parameter: Parameter, factor: f64) -> Self {
        let value = self.get(parameter) * factor;
        let (least, greatest) = parameter.range();
        let drive = self.with(parameter, value.clamp(least, greatest));
        if parameter != Parameter::Dies || drive != *self {
            return drive;
        }
        let channels = f64::from(self.channels());
        self.with(parameter, self.get(parameter) + if factor > 1.0 { channels } else { -channels })
    }

    /// The same drive with another value of a parameter, as near as its fields come to it.
    pub(super) fn with(&self, parameter: Parameter, value: f64) -> Self {
        let mut drive = self.clone();
        match parameter {
            Parameter::Host => drive.host_us = value,
            Parameter::Target => drive.target_us = value,
            Parameter::Dies => {
                // Dies of a channel, in chips of the preset's kind if their number allows it.
                let dies = (value / f64::from(self.channels())).round().max(1.0) as u32;
                let kind = self.form.dies_per_chip;
                let of_kind = dies.is_multiple_of(kind) || dies > MAX_CHIPS;
                let (chips, each) = if of_kind { (dies / kind, kind) } else { (dies, 1) };
                drive.ssd["chipsPerChannel"] = json!(chips.clamp(1, MAX_CHIPS));
                drive.ssd["diesPerChip"] = json!(each);
            }
            Parameter::Spread => {
                let mean = self.get(Parameter::Read);
                let lsb = 2.0 * mean / (1.0 + value);
                let fields = Parameter::Read.fields();
                for (field, us) in fields.iter().zip([lsb, mean, value * lsb]) {
                    drive.ssd[*field] = json!(us);
                }
            }
            Parameter::Cache => drive.ssd["cacheBytes"] = json!(value.max(4096.0).round() as u64),
            _ => {
                let factor = value / self.get(parameter);
                for field in parameter.fields() {
                    drive.ssd[*field] = json!(self.number(field) * factor);
                }
            }
        }
        drive
    }
}

impl Parameter {
    pub(super) const ALL: [Self; 10] = [
        Self::Host,
        Self::Target,
        Self::Read,
        Self::Spread,
        Self::Program,
        Self::Dies,
        Self::Channel,
        Self::Link,
        Self::Cache,
        Self::OverProvisioning,
    ];

    /// Its fields in `storage.ssd`.
    fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Host | Self::Target => &[],
            Self::Read | Self::Spread => &["readLsbUs", "readCsbUs", "readMsbUs"],
            Self::Program => &["programLsbUs", "programCsbUs", "programMsbUs"],
            Self::Dies => &["channels", "chipsPerChannel", "diesPerChip"],
            Self::Channel => &["channelMtPerS"],
            Self::Link => &["pcieLaneGbytesPerS"],
            Self::Cache => &["cacheBytes"],
            Self::OverProvisioning => &["overProvisioning"],
        }
    }

    /// Its least and its greatest value.
    pub(super) fn range(self) -> (f64, f64) {
        match self {
            Self::Host | Self::Target => (0.1, 1000.0),
            Self::Read => (0.5, 5000.0),
            Self::Spread => (1.0, 10.0),
            Self::Program => (1.0, 50_000.0),
            Self::Dies => (1.0, 4096.0),
            Self::Channel => (10.0, 20_000.0),
            Self::Link => (0.05, 50.0),
            Self::Cache => (65_536.0, 17_179_869_184.0),
            Self::OverProvisioning => (0.02, 0.7),
        }
    }

    /// The changes by which its effect is measured, as factors: large enough to be seen and to change a whole number; near the end to
    /// both sides, as an effect may be a jump.
    pub(super) fn steps(self, fine: bool) -> &'static [f64] {
        match (self, fine) {
            (Self::Dies | Self::Cache, false) => &[1.3],
            (_, false) => &[1.15],
            (Self::Dies | Self::Cache, true) => &[1.15, 1.0 / 1.15],
            (_, true) => &[1.08, 1.0 / 1.08],
        }
    }

    pub(super) fn words(self) -> Words {
        let (title, symbol, unit, path, needs) = match self {
            Self::Host => (
                "Host software",
                None,
                "us",
                "access.software.hostLatencyUs",
                "writes into the cache, or reads, at queue depth 1 beside larger ones",
            ),
            Self::Target => (
                "Target software",
                None,
                "us",
                "access.software.targetLatencyUs",
                "the same jobs on the host of the drive and over NVMe/TCP or NVMe/RDMA: with one of both, host and target are one",
            ),
            Self::Read => (
                "Page read",
                Some("t_R"),
                "us",
                "storage.ssd.readLsbUs",
                "random reads of a page or less at queue depth 1",
            ),
            Self::Spread => (
                "Slowest page read",
                Some("t_R"),
                "us",
                "storage.ssd.readMsbUs",
                "percentiles of random reads of a page or less at queue depth 1",
            ),
            Self::Program => (
                "Page program",
                Some("t_PROG"),
                "us",
                "storage.ssd.programLsbUs",
                "writes for longer than the cache takes them",
            ),
            Self::Dies => (
                "Effective parallelism",
                None,
                "dies",
                "storage.ssd.chipsPerChannel",
                "random reads at a queue depth of the number of dies or more",
            ),
            Self::Channel => (
                "Channel rate",
                None,
                "MT/s",
                "storage.ssd.channelMtPerS",
                "reads of 64 KiB or more at several queue depths",
            ),
            Self::Link => (
                "PCIe lane",
                None,
                "GB/s",
                "storage.ssd.pcieLaneGbytesPerS",
                "sequential reads at a rate near that of the link",
            ),
            Self::Cache => (
                "Cache size",
                None,
                "bytes",
                "storage.ssd.cacheBytes",
                "a log of write bandwidth (write_bw_log) of a job that goes on until the cache is full, from an idle drive on",
            ),
            Self::OverProvisioning => (
                "Over-provisioning",
                None,
                "",
                "storage.ssd.overProvisioning",
                "random writes of more than the whole drive, so that garbage collection is in its steady state",
            ),
        };
        Words { title, symbol, unit, path, needs }
    }
}
