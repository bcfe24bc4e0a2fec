//! Layer 4: storage devices. A flash drive or a persistent memory, with submission queues in front of it. Knows nothing of
//! networks: whoever drives a device submits commands, runs it, and takes completions.
//!
//! A device is plain data: a clone of it is a checkpoint and goes on as the original does. Results do not depend on how time
//! is cut into windows.

pub mod command;
pub mod constant;
pub mod counters;
pub mod front;
mod io;
pub mod link;
pub mod memory;
pub mod nvme;
pub mod servers;
pub mod ssd;

use std::sync::Arc;

pub use command::{Command, Completion, Doing, LEVELS, Level, Opcode, PageWork, Served, Spent};
pub use constant::Constant;
pub use counters::{Counters, Occupancy};
pub use front::{Kept, Tenancy};
pub use io::{DeviceKind, Io};
pub use link::{LinkParameters, Timing};
pub use memory::{Memory, MemoryParameters};
pub use nvme::{ADMIN_QUEUE, Arbitration, Mechanism, NvmeParameters, UNLIMITED_BURST};
pub use servers::{ClassTreatment, Placement, Policy, RANK_BYTES, Storage};
pub use ssd::parameters::{SsdLive, SsdParameters};
pub use ssd::presets::Preset;
pub use ssd::{DriveModel, Ssd};

use crate::kernel::digest::Digest;

/// What a device is made of.
#[derive(Clone, Debug)]
pub enum Media {
    /// A flash drive.
    Ssd(Arc<DriveModel>),
    /// A persistent memory.
    Memory(Arc<MemoryParameters>),
    /// A server of constant capacity that takes so many picoseconds for a command.
    Constant(u64),
}

/// A device and how its queues are served.
#[derive(Clone, Debug)]
pub struct DeviceParameters {
    /// What it is made of.
    pub media: Media,
    /// How commands are fetched.
    pub nvme: NvmeParameters,
}

/// A device.
#[derive(Clone, Debug)]
pub enum Device {
    /// A flash drive.
    Ssd(Box<Ssd>),
    /// A persistent memory.
    Memory(Box<Memory>),
    /// A server of constant capacity.
    Constant(Box<Constant>),
}

/// Calls the same method of any kind of device.
macro_rules! each {
    ($device:expr, $inner:ident => $call:expr) => {
        match $device {
            Device::Ssd($inner) => $call,
            Device::Memory($inner) => $call,
            Device::Constant($inner) => $call,
        }
    };
}

impl Device {
    /// A device in which nothing has happened yet. What is random in it follows from `seed`.
    pub fn new(parameters: &DeviceParameters, seed: u64) -> Self {
        match &parameters.media {
            Media::Ssd(model) => Self::Ssd(Box::new(Ssd::new(model, &parameters.nvme, seed))),
            Media::Memory(memory) => Self::Memory(Box::new(Memory::new(memory, &parameters.nvme, seed))),
            Media::Constant(service_ps) => Self::Constant(Box::new(Constant::new(*service_ps))),
        }
    }

    /// The host rings the doorbell for a command. `at_ps` never falls, and is never before the end of the last run.
    pub fn submit(&mut self, at_ps: u64, command: Command) {
        each!(self, device => device.submit(at_ps, command));
    }

    /// When something happens next in the device, or the host sees the next completion; [`NEVER_PS`] if it is idle.
    ///
    /// [`NEVER_PS`]: crate::kernel::time::NEVER_PS
    pub fn next_ps(&self) -> u64 {
        each!(self, device => device.next_ps())
    }

    /// Lets the device work until the host sees a completion, and takes that; but only for as long as what happens is before
    /// `before_ps`. Completions come in order, and commands may be submitted from the instant of the last one on. Adds to
    /// `events` those inside the device.
    pub fn run(&mut self, before_ps: u64, events: &mut u64) -> Option<Completion> {
        each!(self, device => device.run(before_ps, events))
    }

    /// Changes how commands are fetched, from now on. No effect on a server of constant capacity, which has no controller.
    pub fn set_nvme(&mut self, now_ps: u64, parameters: &NvmeParameters) {
        match self {
            Self::Ssd(ssd) => ssd.set_nvme(now_ps, parameters),
            Self::Memory(memory) => memory.set_nvme(now_ps, parameters),
            Self::Constant(_) => {}
        }
    }

    /// Changes the time that a server of constant capacity takes for a command. No effect on other devices.
    pub fn set_service(&mut self, service_ps: u64) {
        if let Self::Constant(server) = self {
            server.set_service(service_ps);
        }
    }

    /// Changes what may change of a flash drive, from now on. No effect on other devices.
    pub fn set_ssd(&mut self, now_ps: u64, live: &SsdLive) {
        if let Self::Ssd(ssd) = self {
            ssd.set_live(now_ps, live);
        }
    }

    /// Counts since the start.
    pub fn counters(&self) -> &Counters {
        each!(self, device => device.counters())
    }

    /// What is in the device at `now_ps`, the end of the last run.
    pub fn occupancy(&self, now_ps: u64, occupancy: &mut Occupancy) {
        each!(self, device => device.occupancy(now_ps, occupancy));
    }

    /// What flash does at an instant for the commands with a tag.
    pub fn pages_of(&self, tag: u32, found: &mut Vec<PageWork>) {
        if let Self::Ssd(ssd) = self {
            ssd.pages_of(tag, found);
        }
    }

    /// About the memory that a copy of it takes, in bytes: what it shares with others like it is not counted.
    pub fn bytes(&self) -> usize {
        each!(self, device => device.bytes())
    }

    /// Mixes the state into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        each!(self, device => device.digest(digest));
    }
}
