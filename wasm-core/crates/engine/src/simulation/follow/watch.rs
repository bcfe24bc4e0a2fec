//! Notes of some requests of a class: when they were issued, and what became of them.

use crate::access::{Operation, Request, Stage, Visit};
use crate::kernel::ids::{ClassId, RequestId};

/// A request that notes are taken of.
#[derive(Clone, Debug)]
pub(super) struct Noted {
    /// Its slot. Another request may have it once this one is answered.
    pub(super) id: RequestId,
    pub(super) issued_ps: u64,
    pub(super) operation: Operation,
    /// What it was when its data were where they were wanted.
    pub(super) done: Option<(Request, Option<Visit>)>,
    /// When its application was told.
    pub(super) answered_ps: Option<u64>,
}

impl Noted {
    pub(super) fn latency_ps(&self) -> Option<u64> {
        self.done.as_ref().map(|(request, _)| request.span_ps(Stage::Issued, Stage::Done))
    }
}

/// Takes notes of the requests of a class that are issued from now on.
#[derive(Clone, Debug)]
pub struct Watch {
    class: ClassId,
    operation: Option<Operation>,
    /// Requests that are let pass before.
    pub(super) skipped: u64,
    /// Requests that are noted at most.
    count: usize,
    pub(super) noted: Vec<Noted>,
    /// How many of the oldest have been answered, so that nobody looks for them.
    settled: usize,
}

impl Watch {
    /// Notes `count` requests of a class, reads or writes or both, after the first `skipped`.
    pub(super) fn new(class: ClassId, operation: Option<Operation>, skipped: u64, count: usize) -> Self {
        Self { class, operation, skipped, count, noted: Vec::new(), settled: 0 }
    }

    /// Whether all requests that are to be noted have been, and are done.
    pub(super) fn is_over(&self) -> bool {
        self.noted.len() == self.count && self.noted[self.settled..].iter().all(|noted| noted.done.is_some())
    }

    /// A request is issued.
    pub(in crate::simulation) fn on_issued(
        &mut self,
        id: RequestId,
        class: ClassId,
        operation: Operation,
        now_ps: u64,
    ) {
        if class != self.class || self.operation.is_some_and(|wanted| wanted != operation) {
            return;
        }
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.noted.len() < self.count {
            self.noted.push(Noted { id, issued_ps: now_ps, operation, done: None, answered_ps: None });
        }
    }

    /// The data of a request are where they were wanted.
    pub(in crate::simulation) fn on_done(&mut self, id: RequestId, request: &Request, visit: Option<&Visit>) {
        if let Some(noted) = self.open(id).filter(|noted| noted.issued_ps == request.at_ps(Stage::Issued)) {
            noted.done = Some((*request, visit.copied()));
        }
    }

    /// The application of a request is told of its end.
    pub(in crate::simulation) fn on_answered(&mut self, id: RequestId, now_ps: u64) {
        if let Some(noted) = self.open(id) {
            noted.answered_ps = Some(now_ps);
        }
        while self.noted.get(self.settled).is_some_and(|noted| noted.answered_ps.is_some()) {
            self.settled += 1;
        }
    }

    /// The noted request that has a slot now.
    fn open(&mut self, id: RequestId) -> Option<&mut Noted> {
        self.noted[self.settled..].iter_mut().find(|noted| noted.id == id && noted.answered_ps.is_none())
    }
}
