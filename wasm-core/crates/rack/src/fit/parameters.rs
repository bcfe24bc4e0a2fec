//! The parameters of a drive that measurements may determine.
//!
//! Each is a positive number that stands for one or several fields of a scenario, and is searched for in its logarithm.

use qoscope_engine::scenario::{self, Scenario};
use serde_json::{Value, json};

/// A parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// Time of the host's software for a request.
    Host,
    /// Mean time to read a page: those of all page types grow together.
    Read,
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
    /// Jobs that determine it, as the end of "It takes ...".
    pub(super) takes: &'static str,
}

/// A drive as a fit sees it: the section `storage.ssd` with everything said, and the time of the host's software.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Drive {
    pub(super) ssd: Value,
    pub(super) host_us: f64,
    /// The section as the scenario has it.
    given: Value,
    /// Bytes of a die.
    die_bytes: f64,
    /// Bytes that a die programs at once.
    pub(super) program_bytes: f64,
}

impl Drive {
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
        let geometry = &device.geometry;
        let program_bytes = f64::from(geometry.planes_per_die * geometry.page_bytes);
        let die_bytes = geometry.raw_bytes() as f64 / f64::from(geometry.dies());
        Self { ssd, host_us, given, die_bytes, program_bytes }
    }

    /// Bytes that it offers.
    pub(super) fn capacity_bytes(&self) -> f64 {
        self.get(Parameter::Dies) * self.die_bytes * (1.0 - self.get(Parameter::OverProvisioning))
    }

    /// The section `storage.ssd` that says what some parameters are, and else what the scenario says.
    pub(super) fn saying(&self, parameters: &[Parameter]) -> Value {
        let mut ssd = self.given.clone();
        for field in parameters.iter().flat_map(|parameter| parameter.fields()) {
            ssd[*field] = self.ssd[*field].clone();
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
            Parameter::Dies => fields.iter().map(|field| self.number(field)).product(),
            _ => fields.iter().map(|field| self.number(field)).sum::<f64>() / fields.len() as f64,
        }
    }

    /// The same drive with another value of a parameter, as near as its fields come to it.
    pub(super) fn with(&self, parameter: Parameter, value: f64) -> Self {
        let mut drive = self.clone();
        match parameter {
            Parameter::Host => drive.host_us = value,
            Parameter::Dies => {
                let (channels, chips) = arrays(value / self.number("diesPerChip"), self.number("channels"));
                drive.ssd["channels"] = channels.into();
                drive.ssd["chipsPerChannel"] = chips.into();
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

/// Channels and chips on each that come nearest to so many chips, with few channels more or less than there are.
fn arrays(chips: f64, channels: f64) -> (u32, u32) {
    const MOST: f64 = 64.0;
    let mut best = (f64::INFINITY, (1, 1));
    for more in [0.0, 1.0, -1.0, 2.0, -2.0] {
        let channels = (channels + more).clamp(1.0, MOST);
        let each = (chips / channels).round().clamp(1.0, MOST);
        let off = libm::fabs(libm::log(channels * each / chips));
        // Another number of channels has to be worth it.
        if off < best.0 - 0.01 {
            best = (off, (channels as u32, each as u32));
        }
    }
    best.1
}

impl Parameter {
    pub(super) const ALL: [Self; 8] = [
        Self::Host,
        Self::Read,
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
            Self::Host => &[],
            Self::Read => &["readLsbUs", "readCsbUs", "readMsbUs"],
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
            Self::Host => (0.1, 1000.0),
            Self::Read => (0.5, 5000.0),
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
        let (title, symbol, unit, path, takes) = match self {
            Self::Host => (
                "Host software",
                None,
                "us",
                "access.software.hostLatencyUs",
                "writes into the cache, or reads, at queue depth 1 beside larger ones",
            ),
            Self::Read => (
                "Page read",
                Some("t_R"),
                "us",
                "storage.ssd.readLsbUs",
                "random reads of a page or less at queue depth 1",
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
                "a log of write bandwidth from an idle drive on",
            ),
            Self::OverProvisioning => (
                "Over-provisioning",
                None,
                "",
                "storage.ssd.overProvisioning",
                "random writes of more than the whole drive, so that garbage collection is in its steady state",
            ),
        };
        Words { title, symbol, unit, path, takes }
    }
}
