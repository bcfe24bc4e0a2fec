//! What becomes of the pages of one command, for whoever follows it. The drive itself never looks here.

use crate::storage::command::{Doing, PageWork};
use crate::storage::counters::Pieces;
use crate::storage::ssd::Ssd;
use crate::storage::ssd::arena::{For, Kind, NONE, Transaction};
use crate::storage::ssd::layout::NOWHERE;
use crate::storage::ssd::times::transfer_ps;
use crate::storage::ssd::translation::Translations;
use crate::storage::ssd::units::{Job, Status};

impl Ssd {
    /// What the flash does for the commands with a tag. Pages that come from DRAM, or go there, are not among them.
    pub(in crate::storage) fn pages_of(&self, tag: u32, found: &mut Vec<PageWork>) {
        let slots = (0..).zip(self.requests.iter()).filter(|(_, request)| request.command.tag == tag);
        for (slot, _) in slots {
            found.extend(self.arena.of_request(slot).map(|(number, transaction)| self.work(number, transaction)));
        }
    }

    /// Pages of commands that wait for flash, and those that flash or channels work on. What the write cache sends to flash keeps no
    /// command waiting, but for want of room.
    pub(super) fn pages(&self) -> Pieces {
        let is_for_command = |number: u32| matches!(self.arena.at(number).whom, For::Request(_));
        let in_array = self.units.iter().filter(|unit| matches!(unit.status, Status::Reading | Status::Programming));
        let in_array = in_array.filter_map(|unit| unit.job.as_ref()).flat_map(|job| self.transactions_of(job));
        let on_channel = self.buses.iter().map(|bus| bus.data_of).filter(|&number| number != NONE);
        let served = in_array.chain(on_channel).filter(|&number| is_for_command(number)).count();
        let unplaced = self.arena.of_requests().filter(|page| page.physical == NOWHERE).count();
        // One of those that wait for a page of the mapping table has it read.
        let translated = unplaced.min(self.translations.as_ref().map_or(0, Translations::reads));
        let at_work = served + translated;
        Pieces { waiting: (self.arena.of_requests().count() - at_work) as u64, at_work: at_work as u64 }
    }

    fn work(&self, number: u32, transaction: &Transaction) -> PageWork {
        let Transaction { kind, logical, physical, since_ps, .. } = *transaction;
        let unit = (physical != NOWHERE).then(|| self.model.layout.unit(physical));
        let doing = unit.map_or(Doing::Waits { since_ps }, |unit| self.doing(unit, number, transaction));
        PageWork { page: logical, unit, writes: kind == Kind::Write, doing }
    }

    fn doing(&self, unit: u32, number: u32, transaction: &Transaction) -> Doing {
        let bus = &self.buses[self.model.layout.place(unit).channel as usize];
        if bus.data_of == number {
            let data_ps = transfer_ps(transaction.bytes, self.model.channel_ps_per_mib);
            return Doing::Transfer { from_ps: bus.free_ps - data_ps, to_ps: bus.free_ps };
        }
        let unit = &self.units[unit as usize];
        let jobs = [unit.job.as_ref(), unit.suspended.as_ref()];
        match jobs.into_iter().flatten().find(|job| self.has(job, number)) {
            Some(job) if job.status == Status::DataOut || unit.status == Status::DataOut => {
                Doing::WaitsForChannel { since_ps: transaction.since_ps }
            }
            Some(job) => {
                let from_ps = job.array_begins_ps - transaction.spent.transfer_ps.min(job.array_begins_ps);
                Doing::Array { from_ps, begins_ps: job.array_begins_ps, ends_ps: job.ends_ps }
            }
            None => Doing::Waits { since_ps: transaction.since_ps },
        }
    }

    /// Whether a transaction is one of a command to a unit.
    fn has(&self, job: &Job, number: u32) -> bool {
        self.transactions_of(job).any(|own| own == number)
    }

    /// The transactions of a command to a unit.
    fn transactions_of(&self, job: &Job) -> impl Iterator<Item = u32> {
        let known = |number: u32| Some(number).filter(|&number| number != NONE);
        std::iter::successors(known(job.first), move |&number| known(self.arena.at(number).next))
    }
}
