//! Layer 5: turns requests into messages on connections, and messages that have arrived into requests that are done.
//!
//! There is one way so far, `direct`. A write is one message with its data, and its application is answered when the
//! last byte is acknowledged. A read is a small command one way and a message with the data the other, and is answered when
//! the last byte of that arrives. Initiator and target share nothing but what messages have carried between them: each
//! side of a request acts when a message reaches it, so that within a window hosts may run in any order.

mod requests;

use std::collections::VecDeque;

use crate::kernel::ids::{ApplicationId, AssociationId, ClassId, FlowId, MessageId, RequestId};
use crate::network::forwarding::Network;
use crate::transport::connections::Connections;
use crate::transport::messages::{Message, MessageEvent, Progress};
use crate::transport::timer::Timers;

pub use requests::{Operation, Outstanding, Request, Requests, Stage};

/// The connections that carry the requests of an application, one for each direction that is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Association {
    /// From the initiator to the target: data of writes, commands of reads.
    pub forth: FlowId,
    /// From the target to the initiator: data of reads.
    pub back: Option<FlowId>,
}

/// How the requests of an application travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lanes {
    /// Their class.
    pub class: ClassId,
    /// The first of its associations.
    pub first: AssociationId,
    /// How many it has. More than one take turns: every request begins as a new flow on one that is idle.
    pub count: u32,
    /// Every request begins as a new flow, and waits in the host's queue while none is idle.
    pub per_request: bool,
}

/// The queue of requests of an application at its host, where each needs an association of its own.
#[derive(Clone, Debug, Default)]
struct Queue {
    waiting: VecDeque<RequestId>,
    idle: Vec<AssociationId>,
}

/// What acts at a host at an instant.
pub struct AtHost<'a> {
    /// The instant.
    pub now_ps: u64,
    /// All connections.
    pub connections: &'a mut Connections,
    /// All links.
    pub network: &'a mut Network,
    /// Timers of the connections of the host.
    pub timers: &'a mut Timers,
}

impl AtHost<'_> {
    fn write(&mut self, flow: FlowId, message: Message) {
        self.connections.write(flow, message, self.now_ps, self.network, self.timers);
    }

    fn begin_flow(&mut self, flow: FlowId) {
        self.connections.begin_flow(flow, self.now_ps, self.timers);
    }
}

/// What a message on a connection stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The data of a request.
    Data(RequestId),
    /// The command of a read.
    Command(RequestId),
}

impl Part {
    fn id(self) -> MessageId {
        match self {
            Self::Data(request) => MessageId(request.0 << 1),
            Self::Command(request) => MessageId(request.0 << 1 | 1),
        }
    }

    fn of(message: MessageId) -> Self {
        let request = RequestId(message.0 >> 1);
        if message.0 & 1 == 0 { Self::Data(request) } else { Self::Command(request) }
    }
}

/// What an event means to a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Its data has come to where it was wanted.
    pub done: Option<RequestId>,
    /// Its application is told of its end.
    pub answered: Option<RequestId>,
}

/// Requests on their way.
#[derive(Clone, Debug)]
pub struct Access {
    requests: Requests,
    associations: Vec<Association>,
    /// By application.
    lanes: Vec<Lanes>,
    /// By application.
    queues: Vec<Queue>,
    /// Size of a command.
    command_bytes: u32,
    /// By connection: commands delivered.
    commands_delivered: Vec<u64>,
}

impl Access {
    /// Applications that have issued nothing, on as many connections. A command is `command_bytes` long.
    pub fn new(lanes: Vec<Lanes>, associations: Vec<Association>, command_bytes: u32, connections: usize) -> Self {
        let queue = |lanes: &Lanes| {
            let all = (lanes.first.0..lanes.first.0 + lanes.count).rev().map(AssociationId);
            let idle = if lanes.per_request { all.collect() } else { Vec::new() };
            Queue { waiting: VecDeque::new(), idle }
        };
        Self {
            requests: Requests::new(lanes.len()),
            queues: lanes.iter().map(queue).collect(),
            associations,
            lanes,
            command_bytes,
            commands_delivered: vec![0; connections],
        }
    }

    /// The requests.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Bytes of requests' data that a connection has delivered: what has arrived of its stream, less the commands in it, of
    /// which the last may have come in part.
    pub fn payload_delivered(&self, connections: &Connections, flow: FlowId) -> u64 {
        let command_bytes = u64::from(self.command_bytes);
        let arrived = connections.receiver(flow).next;
        let in_part = match connections.incomplete(flow) {
            Some((message, end)) if matches!(Part::of(message), Part::Command(_)) => arrived - (end - command_bytes),
            _ => 0,
        };
        arrived - in_part - self.commands_delivered[flow.index()] * command_bytes
    }

    /// The connection that carries the data of a request.
    pub fn data_flow(&self, request: &Request) -> FlowId {
        let association = self.associations[request.association.index()];
        match request.operation {
            Operation::Write => association.forth,
            Operation::Read => association.back.unwrap_or(association.forth),
        }
    }

    /// An application asks for a read or a write of `bytes`, at its own host.
    pub fn issue(&mut self, application: ApplicationId, operation: Operation, bytes: u64, host: &mut AtHost) {
        let Lanes { class, first, per_request, .. } = self.lanes[application.index()];
        let request = self.requests.issue(host.now_ps, operation, (application, class, first), bytes);
        if !per_request {
            return self.begin(request, host);
        }
        match self.queues[application.index()].idle.pop() {
            Some(idle) => self.begin_on(idle, request, host),
            None => self.queues[application.index()].waiting.push_back(request),
        }
    }

    /// A request begins as a new flow on an association that is idle.
    fn begin_on(&mut self, association: AssociationId, request: RequestId, host: &mut AtHost) {
        self.requests.assign(request, association);
        host.begin_flow(self.associations[association.index()].forth);
        self.begin(request, host);
    }

    /// Hands the initiator's part of a request to its connection.
    fn begin(&mut self, id: RequestId, host: &mut AtHost) {
        let request = self.requests.at(id);
        let (part, bytes) = match request.operation {
            Operation::Write => (Part::Data(id), request.bytes),
            Operation::Read => (Part::Command(id), u64::from(self.command_bytes)),
        };
        let forth = self.associations[request.association.index()].forth;
        host.write(forth, Message { id: part.id(), bytes, since_ps: request.at_ps(Stage::Issued) });
    }

    /// A message has made progress, as seen at the host where that happened.
    pub fn on_event(&mut self, event: MessageEvent, host: &mut AtHost) -> Outcome {
        match (Part::of(event.message), event.progress) {
            (Part::Command(request), Progress::Sent) => self.requests.pass(request, Stage::Sent, event.at_ps),
            (Part::Command(request), Progress::Delivered) => self.on_command(request, event, host),
            // The slot may be that of another request by now: the data may have overtaken this acknowledgement.
            (Part::Command(_), Progress::Acknowledged) => {}
            (Part::Data(request), progress) => return self.on_data(request, progress, event.at_ps, host),
        }
        Outcome::default()
    }

    /// The command of a read has reached its target, which answers with the data.
    fn on_command(&mut self, id: RequestId, event: MessageEvent, host: &mut AtHost) {
        self.commands_delivered[event.flow.index()] += 1;
        self.requests.pass(id, Stage::Arrived, event.at_ps);
        let request = self.requests.at(id);
        let (bytes, since_ps) = (request.bytes, request.at_ps(Stage::Issued));
        let flow = self.data_flow(request);
        if self.lanes[request.application.index()].per_request {
            host.begin_flow(flow);
        }
        host.write(flow, Message { id: Part::Data(id).id(), bytes, since_ps });
    }

    fn on_data(&mut self, id: RequestId, progress: Progress, at_ps: u64, host: &mut AtHost) -> Outcome {
        match (self.requests.at(id).operation, progress) {
            (Operation::Write, Progress::Sent) => self.requests.pass(id, Stage::Sent, at_ps),
            (Operation::Write, Progress::Delivered) => {
                self.requests.pass(id, Stage::Arrived, at_ps);
                self.requests.pass(id, Stage::Done, at_ps);
                return Outcome { done: Some(id), answered: None };
            }
            (Operation::Write, Progress::Acknowledged) => {
                self.answer(id, host);
                self.requests.forget(id);
                return Outcome { done: None, answered: Some(id) };
            }
            (Operation::Read, Progress::Sent) => self.requests.pass(id, Stage::Returned, at_ps),
            (Operation::Read, Progress::Delivered) => {
                self.requests.pass(id, Stage::Done, at_ps);
                self.answer(id, host);
                return Outcome { done: Some(id), answered: Some(id) };
            }
            (Operation::Read, Progress::Acknowledged) => self.requests.forget(id),
        }
        Outcome::default()
    }

    /// A request is at its end: where requests wait for its association, the next one begins there.
    fn answer(&mut self, id: RequestId, host: &mut AtHost) {
        self.requests.answer(id);
        let Request { application, association, .. } = *self.requests.at(id);
        if !self.lanes[application.index()].per_request {
            return;
        }
        match self.queues[application.index()].waiting.pop_front() {
            Some(next) => self.begin_on(association, next, host),
            None => self.queues[application.index()].idle.push(association),
        }
    }
}
