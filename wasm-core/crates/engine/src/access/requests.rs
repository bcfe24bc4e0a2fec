//! The requests of a run: what each is, and when it passed each stage of its life.

use crate::kernel::ids::{ApplicationId, AssociationId, ClassId, RequestId};
use crate::kernel::slab::Slab;
use crate::kernel::time::NEVER_PS;
use crate::storage::Served;

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Data from the target to the initiator.
    Read,
    /// Data from the initiator to the target.
    Write,
}

/// Instants in the life of a request, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its application asked for it.
    Issued,
    /// Its first byte left the initiator's connection for the network: it has waited in the host's queue until then.
    Sent,
    /// The target has all that the initiator sent: the command of a read, the data of a write.
    Arrived,
    /// The first byte of the answer left the target's connection. A write through `direct` has none but acknowledgements.
    Returned,
    /// The data is where it was wanted: of a read at the initiator, of a write at the target.
    Done,
}

/// Stages of a request.
const STAGES: usize = 5;

/// Where a request goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To a host, and no further: it is a transfer.
    Host,
    /// To a device of another host: it has a [`Visit`].
    Device,
    /// To a device of its own host: it has a [`Visit`], and goes over no connection.
    OwnDevice,
}

impl Way {
    /// Whether it ends at a device.
    #[inline]
    pub fn has_device(self) -> bool {
        self != Self::Host
    }
}

/// A request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// What it asks for.
    pub operation: Operation,
    /// Its class.
    pub class: ClassId,
    /// Who asked for it.
    pub application: ApplicationId,
    /// The connections that carry it.
    pub association: AssociationId,
    /// Where it goes.
    pub way: Way,
    /// Payload to be read or written.
    pub bytes: u64,
    at_ps: [u64; STAGES],
}

impl Request {
    /// When it passed a stage; [`NEVER_PS`] if it has not.
    pub fn at_ps(&self, stage: Stage) -> u64 {
        self.at_ps[stage as usize]
    }

    /// Time from one stage to a later one, both passed.
    pub fn span_ps(&self, from: Stage, to: Stage) -> u64 {
        self.at_ps(to) - self.at_ps(from)
    }

    /// Whether its data is not yet where it was wanted.
    pub fn is_under_way(&self) -> bool {
        self.at_ps(Stage::Done) == NEVER_PS
    }
}

/// What an application asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Read or write.
    pub operation: Operation,
    /// Who asks.
    pub application: ApplicationId,
    /// Its class.
    pub class: ClassId,
    /// The connections that carry it.
    pub association: AssociationId,
    /// Where it goes.
    pub way: Way,
    /// First byte, of the storage of its target.
    pub address: u64,
    /// Payload.
    pub bytes: u64,
}

/// Requests of one application.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// Those that the application has not been told the end of. Known at the initiator.
    pub unanswered: u32,
    /// Those whose data is not where it was wanted. Of a write that is known at the target.
    pub under_way: u32,
}

/// What a request to a storage device has beside [`Request`]: where it goes, and when it was where there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// First byte that is read or written, of the storage of its target.
    pub address: u64,
    /// Of a write: bytes that have reached the target.
    pub received_bytes: u64,
    /// When its commands were put into submission queues.
    pub submitted_ps: u64,
    /// What became of them.
    pub served: Served,
    /// The rules of its protocol that it goes by from its beginning on: their number among those of
    /// [`crate::access::Access`].
    pub rules: u32,
    /// Whether the application is told, and whether the target knows that the answer has arrived: then nobody asks for it
    /// any more.
    ends: u8,
}

/// Both ends of a request are through with it.
const BOTH_ENDS: u8 = 2;

/// All requests that are not done with: the one place that knows them.
#[derive(Clone, Debug)]
pub struct Requests {
    slots: Slab<Request>,
    /// By slot, where requests go to storage devices.
    visits: Option<Slab<Visit>>,
    /// By application.
    outstanding: Vec<Outstanding>,
    issued: u64,
    done: u64,
}

impl Requests {
    /// No requests yet, of so many applications, to storage devices or not.
    pub fn new(applications: usize, to_devices: bool) -> Self {
        Self {
            slots: Slab::default(),
            visits: to_devices.then(Slab::default),
            outstanding: vec![Outstanding::default(); applications],
            issued: 0,
            done: 0,
        }
    }

    /// A request is issued.
    pub fn issue(&mut self, now_ps: u64, asked: Asked) -> RequestId {
        let Asked { operation, application, class, association, way, address, bytes } = asked;
        let mut at_ps = [NEVER_PS; STAGES];
        at_ps[Stage::Issued as usize] = now_ps;
        let outstanding = &mut self.outstanding[application.index()];
        outstanding.unanswered += 1;
        outstanding.under_way += 1;
        self.issued += 1;
        if let Some(visits) = &mut self.visits {
            // Slots of both are taken and given back together, and so have the same numbers.
            let served = Served::default();
            visits.insert(Visit { address, received_bytes: 0, submitted_ps: NEVER_PS, served, rules: 0, ends: 0 });
        }
        RequestId(self.slots.insert(Request { operation, class, application, association, way, bytes, at_ps }))
    }

    /// A request passes a stage.
    pub fn pass(&mut self, id: RequestId, stage: Stage, at_ps: u64) {
        let request = self.slots.at_mut(id.0);
        request.at_ps[stage as usize] = at_ps;
        if stage == Stage::Done {
            self.outstanding[request.application.index()].under_way -= 1;
            self.done += 1;
        }
    }

    /// A request has got the connections that will carry it.
    pub fn assign(&mut self, id: RequestId, association: AssociationId) {
        self.slots.at_mut(id.0).association = association;
    }

    /// An application is told of the end of one of its requests.
    pub fn answer(&mut self, application: ApplicationId) {
        self.outstanding[application.index()].unanswered -= 1;
    }

    /// Nobody will ask for a request any more. What it was can be read until another is issued.
    pub fn forget(&mut self, id: RequestId) {
        self.slots.free(id.0);
        if let Some(visits) = &mut self.visits {
            visits.free(id.0);
        }
    }

    /// One of the two ends of a request to a device is through with it; it is forgotten when both are.
    pub fn leave(&mut self, id: RequestId) {
        let visit = self.visit_mut(id);
        visit.ends += 1;
        if visit.ends == BOTH_ENDS {
            self.forget(id);
        }
    }

    /// Where a request to a device goes.
    pub fn visit(&self, id: RequestId) -> &Visit {
        self.visits.as_ref().expect("requests go to devices").at(id.0)
    }

    /// Where a request to a device goes, to be changed.
    pub fn visit_mut(&mut self, id: RequestId) -> &mut Visit {
        self.visits.as_mut().expect("requests go to devices").at_mut(id.0)
    }

    /// A request.
    #[inline]
    pub fn at(&self, id: RequestId) -> &Request {
        self.slots.at(id.0)
    }

    /// Requests that take memory.
    pub fn held(&self) -> usize {
        self.slots.len()
    }

    /// Requests of an application that are not at their end.
    pub fn outstanding(&self, application: ApplicationId) -> Outstanding {
        self.outstanding[application.index()]
    }

    /// Requests issued since the start of the run, and those of them that are done.
    pub fn issued_and_done(&self) -> (u64, u64) {
        (self.issued, self.done)
    }

    /// Requests that are not done.
    pub fn under_way(&self) -> impl Iterator<Item = &Request> {
        self.slots.iter().filter(|request| request.is_under_way())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_that_waits_takes_64_bytes() {
        assert_eq!(size_of::<Request>(), 64);
    }

    #[test]
    fn counts_requests_of_an_application_until_it_is_told_of_their_end() {
        let mut requests = Requests::new(2, false);
        let asked = |operation, bytes| Asked {
            operation,
            application: ApplicationId(1),
            class: ClassId(0),
            association: AssociationId(3),
            way: Way::Host,
            address: 0,
            bytes,
        };
        let first = requests.issue(5, asked(Operation::Write, 4096));
        let second = requests.issue(7, asked(Operation::Read, 512));
        requests.pass(first, Stage::Sent, 8);
        requests.pass(first, Stage::Done, 20);
        assert_eq!(requests.at(first).span_ps(Stage::Issued, Stage::Done), 15);
        assert_eq!(requests.outstanding(ApplicationId(1)), Outstanding { unanswered: 2, under_way: 1 });
        assert_eq!(requests.under_way().map(|request| request.bytes).collect::<Vec<_>>(), [512]);
        requests.answer(ApplicationId(1));
        requests.forget(first);
        assert_eq!(requests.outstanding(ApplicationId(1)), Outstanding { unanswered: 1, under_way: 1 });
        assert_eq!((requests.held(), requests.issued_and_done()), (1, (2, 1)));
        assert!(requests.at(second).is_under_way());
    }
}
