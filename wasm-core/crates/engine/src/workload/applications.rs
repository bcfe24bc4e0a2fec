//! The applications of a run: each issues the requests of a workload from one host to another.

use std::sync::Arc;

use crate::access::Operation;
use crate::kernel::ids::{ApplicationId, NodeId};
use crate::kernel::random::Stream;
use crate::kernel::time::NEVER_PS;
use crate::kernel::timers::Timers;
use crate::workload::addresses::Addresses;
use crate::workload::laws::Interarrival;
use crate::workload::source::{Action, Source, Think};
use crate::workload::traces::Trace;

/// What an application wants done now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Issue a request.
    Issue {
        /// What it asks for.
        operation: Operation,
        /// First byte that it asks for, of the storage of its target.
        address: u64,
        /// Its size.
        bytes: u64,
    },
    /// Always have more to send from now on.
    StartBacklog,
    /// Have no more to send.
    StopBacklog,
}

/// Which requests of an application are reads.
#[derive(Clone, Debug)]
pub struct Operations {
    read_fraction: f64,
    stream: Stream,
}

impl Operations {
    /// Of application number `number`, which reads with probability `read_fraction`.
    pub fn new(seed: u64, number: u64, read_fraction: f64) -> Self {
        Self { read_fraction, stream: Stream::new(seed, "operations", number) }
    }

    /// What its next request does.
    pub fn draw(&mut self) -> Operation {
        if self.read_fraction > 0.0 && self.stream.uniform() < self.read_fraction {
            Operation::Read
        } else {
            Operation::Write
        }
    }
}

/// An application.
#[derive(Clone, Debug)]
struct Application {
    source: Source,
    operations: Operations,
    addresses: Addresses,
    /// Its host.
    node: NodeId,
}

/// All applications, and when they next act.
#[derive(Clone, Debug)]
pub struct Applications {
    applications: Vec<Application>,
    /// By node.
    timers: Vec<Timers<ApplicationId>>,
}

impl Applications {
    /// No applications yet, in a network of so many nodes.
    pub fn new(nodes: usize) -> Self {
        Self { applications: Vec::new(), timers: vec![Timers::default(); nodes] }
    }

    /// Adds an application, asleep until its source starts.
    pub fn add(&mut self, source: Source, operations: Operations, addresses: Addresses, node: NodeId) {
        let application = ApplicationId::at(self.applications.len());
        let timers = &mut self.timers[node.index()];
        timers.set(source.start_ps(), application);
        if source.stop_ps() != NEVER_PS {
            timers.set(source.stop_ps(), application);
        }
        self.applications.push(Application { source, operations, addresses, node });
    }

    /// Number of applications.
    pub fn len(&self) -> usize {
        self.applications.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.applications.is_empty()
    }

    /// The host of an application.
    pub fn node(&self, application: ApplicationId) -> NodeId {
        self.applications[application.index()].node
    }

    /// How its requests come about.
    pub fn source(&self, application: ApplicationId) -> &Source {
        &self.applications[application.index()].source
    }

    /// When an application at a node next acts by itself.
    #[inline]
    pub fn next_ps(&self, node: NodeId) -> u64 {
        self.timers[node.index()].next_ps()
    }

    /// Takes the application at a node that acts next, and when.
    pub fn pop(&mut self, node: NodeId) -> Option<(u64, ApplicationId)> {
        self.timers[node.index()].pop()
    }

    /// The timer of an application has fired; it may be stale.
    pub fn on_timer(&mut self, application: ApplicationId, now_ps: u64) -> Option<Step> {
        let source = &mut self.applications[application.index()].source;
        if source.is_backlogged() && now_ps >= source.stop_ps() {
            return Some(Step::StopBacklog);
        }
        let action = source.on_timer(now_ps);
        self.take(application, action)
    }

    /// A request of an application is at its end.
    pub fn on_answer(&mut self, application: ApplicationId, now_ps: u64) -> Option<Step> {
        let source = &mut self.applications[application.index()].source;
        if !source.awaits() {
            return None;
        }
        let action = source.on_answer(now_ps);
        self.take(application, action)
    }

    fn take(&mut self, application: ApplicationId, action: Action) -> Option<Step> {
        match action {
            Action::Rest => None,
            Action::StartBacklog => Some(Step::StartBacklog),
            Action::Think { until_ps } => {
                self.wake(application, until_ps);
                None
            }
            Action::Request { bytes, again_ps, recorded } => {
                if let Some(again_ps) = again_ps {
                    self.wake(application, again_ps);
                }
                let Application { operations, addresses, .. } = &mut self.applications[application.index()];
                let (operation, address) = match recorded {
                    Some(recorded) => {
                        let operation = if recorded.reads { Operation::Read } else { Operation::Write };
                        (operation, addresses.recorded(recorded.address, bytes))
                    }
                    None => (operations.draw(), addresses.draw(bytes)),
                };
                Some(Step::Issue { operation, address, bytes })
            }
        }
    }

    fn wake(&mut self, application: ApplicationId, at_ps: u64) {
        let node = self.node(application);
        self.timers[node.index()].set(at_ps, application);
    }

    /// Changes the law of open-loop arrivals.
    pub fn set_arrivals(&mut self, application: ApplicationId, now_ps: u64, gaps: Interarrival, mean_gap_ps: f64) {
        if let Some(due_ps) = self.applications[application.index()].source.set_arrivals(now_ps, gaps, mean_gap_ps) {
            self.wake(application, due_ps);
        }
    }

    /// Changes how fast a trace is replayed; `trace` begins as the one before does.
    pub fn set_replay(&mut self, application: ApplicationId, now_ps: u64, speed: f64, trace: Arc<Trace>) {
        if let Some(due_ps) = self.applications[application.index()].source.set_replay(now_ps, speed, trace) {
            self.wake(application, due_ps);
        }
    }

    /// Changes the pauses of a closed loop.
    pub fn set_think_time(&mut self, application: ApplicationId, now_ps: u64, think: Think) {
        for until_ps in self.applications[application.index()].source.set_think_time(now_ps, think) {
            self.wake(application, until_ps);
        }
    }

    /// Changes when an application ceases.
    pub fn set_stop(&mut self, application: ApplicationId, now_ps: u64, stop_ps: u64) {
        if let Some(due_ps) = self.applications[application.index()].source.set_stop(now_ps, stop_ps) {
            self.wake(application, due_ps);
        }
        if stop_ps != NEVER_PS {
            self.wake(application, stop_ps.max(now_ps));
        }
    }
}
