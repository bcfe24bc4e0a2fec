//! A flash drive behind a PCI Express link.

pub mod parameters;
pub mod presets;

use std::sync::Arc;

use crate::kernel::convert::index;
use crate::kernel::digest::Digest;
use crate::kernel::ring::Ring;
use crate::kernel::time::{NEVER_PS, PS_PER_US};
use crate::kernel::timers::Timers;
use crate::storage::command::{Command, Completion, Opcode};
use crate::storage::counters::{Counters, Occupancy};
use crate::storage::link::{Arrival, Link};
use crate::storage::nvme::{NvmeParameters, Queues};
use parameters::{SsdLive, SsdParameters};

/// A command in the device.
#[derive(Clone, Copy, Debug, Default)]
struct Request {
    command: Command,
    fetched_ps: u64,
    started_ps: u64,
}

/// A flash drive.
#[derive(Clone, Debug)]
pub struct Ssd {
    parameters: Arc<SsdParameters>,
    live: SsdLive,
    queues: Queues,
    link: Link,
    requests: Vec<Request>,
    free_slots: Vec<u32>,
    done: Ring<Completion>,
    unit_free_ps: Vec<u64>,
    ends: Timers<u32>,
    counters: Counters,
}

impl Ssd {
    /// A drive in which nothing has happened since it was preconditioned.
    pub fn new(parameters: &Arc<SsdParameters>, nvme: &NvmeParameters, _seed: u64) -> Self {
        Self {
            live: parameters.live.clone(),
            queues: Queues::new(nvme),
            link: Link::new(&parameters.link),
            requests: Vec::new(),
            free_slots: Vec::new(),
            done: Ring::default(),
            unit_free_ps: vec![0; parameters.geometry.dies().max(1) as usize],
            ends: Timers::default(),
            counters: Counters::default(),
            parameters: Arc::clone(parameters),
        }
    }

    pub(super) fn submit(&mut self, at_ps: u64, command: Command) {
        self.link.ring(at_ps, command);
    }

    pub(super) fn next_ps(&self) -> u64 {
        let due = self.done.front().map_or(NEVER_PS, |completion| completion.at_ps);
        self.link.next_ps().min(self.ends.next_ps()).min(due)
    }

    pub(super) fn run_until(&mut self, end_ps: u64) {
        loop {
            let now_ps = self.link.next_ps().min(self.ends.next_ps());
            if now_ps >= end_ps {
                break;
            }
            if self.ends.next_ps() <= now_ps {
                if let Some((_, slot)) = self.ends.pop() {
                    self.complete(now_ps, slot);
                }
                continue;
            }
            match self.link.take() {
                Arrival::Doorbell(command) => {
                    self.queues.push(command);
                    self.fetch(now_ps);
                }
                Arrival::Entry(slot) => {
                    let command = self.requests[slot as usize].command;
                    if command.opcode == Opcode::Write {
                        self.link.fetch_data(now_ps, slot, command.bytes);
                    } else {
                        self.begin(now_ps, slot);
                    }
                }
                Arrival::Data(slot) => self.begin(now_ps, slot),
            }
        }
    }

    pub(super) fn next_completion(&mut self, before_ps: u64) -> Option<Completion> {
        let due = self.done.front().is_some_and(|completion| completion.at_ps < before_ps);
        due.then(|| self.done.pop())
    }

    pub(super) fn set_nvme(&mut self, parameters: &NvmeParameters) {
        self.queues.set(parameters);
    }

    pub(super) fn set_live(&mut self, live: &SsdLive) {
        self.live = live.clone();
    }

    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(super) fn occupancy(&self, _now_ps: u64, occupancy: &mut Occupancy) {
        occupancy.begin(&self.queues);
    }

    pub(super) fn digest(&self, digest: &mut Digest) {
        self.queues.digest(digest);
        self.link.digest(digest);
        self.counters.digest(digest);
    }

    fn fetch(&mut self, now_ps: u64) {
        while let Some(command) = self.queues.fetch() {
            self.counters.commands[command.level as usize] += 1;
            let request = Request { command, fetched_ps: now_ps, started_ps: NEVER_PS };
            let slot = self.free_slots.pop().unwrap_or_else(|| {
                self.requests.push(request);
                crate::kernel::convert::index_u32(self.requests.len() - 1)
            });
            self.requests[slot as usize] = request;
            self.link.fetch_entry(now_ps, slot);
        }
    }

    fn begin(&mut self, now_ps: u64, slot: u32) {
        let request = &mut self.requests[slot as usize];
        let page = request.command.address / u64::from(self.parameters.geometry.page_bytes);
        let unit = index(page % self.unit_free_ps.len() as u64);
        let array_ps = match request.command.opcode {
            Opcode::Read => self.parameters.flash.read_ps[0],
            Opcode::Write if self.live.write_cache => 2 * PS_PER_US,
            Opcode::Write => self.parameters.flash.program_ps[0],
            Opcode::Flush | Opcode::Trim => PS_PER_US,
        };
        request.started_ps = self.unit_free_ps[unit].max(now_ps);
        self.unit_free_ps[unit] = request.started_ps + array_ps;
        self.ends.set(self.unit_free_ps[unit], slot);
    }

    fn complete(&mut self, now_ps: u64, slot: u32) {
        let request = self.requests[slot as usize];
        let read = request.command.opcode == Opcode::Read;
        let at_ps = self.link.complete(now_ps, if read { request.command.bytes } else { 0 });
        let Request { command, fetched_ps, started_ps } = request;
        self.done.push(Completion { tag: command.tag, fetched_ps, started_ps, at_ps, ..Completion::default() });
        self.free_slots.push(slot);
        self.queues.leave(command.queue);
        self.fetch(now_ps);
    }
}
