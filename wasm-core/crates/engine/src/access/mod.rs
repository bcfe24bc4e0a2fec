//! Layer 5: turns requests into messages on connections, and messages that have arrived into requests that are done.
//!
//! A request through `direct` is a transfer: a write is one message with its data, and its application is answered when the
//! last byte is acknowledged; a read is a small command one way and a message with the data the other, and is answered when
//! the last byte of that arrives. Over the other protocols ([`Protocol`]) a request goes on to a device of its target: the
//! command brings data or the target asks for them, the storage of the target serves it, and the answer brings data and
//! status. Initiator and target share nothing but what messages have carried between them: each side of a request acts when
//! a message reaches it, so that within a window hosts may run in any order.

mod protocol;
pub mod protocols;
mod requests;
mod software;

use std::collections::VecDeque;

use crate::kernel::ids::{ApplicationId, AssociationId, ClassId, FlowId, MessageId, NodeId, RequestId};
use crate::kernel::timers::Timers;
use crate::network::forwarding::Network;
use crate::storage::{DeviceKind, Io, Served, Storage};
use crate::transport::connections::Connections;
use crate::transport::messages::{Message, MessageEvent, Progress};
use crate::transport::timer;

pub use protocol::{Pdu, Protocol};
pub use protocols::AccessProtocol;
pub use requests::{Asked, Operation, Outstanding, Request, Requests, Stage, Visit, Way};
pub use software::{Costs, Processors, SoftwareTimes};

/// The connections that carry the requests of an application, one for each direction that is needed; none where its host
/// holds the storage itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Association {
    /// From the initiator to the target: commands, and the data of writes.
    pub forth: Option<FlowId>,
    /// From the target to the initiator: answers, and the data of reads.
    pub back: Option<FlowId>,
    /// The host with the storage.
    pub target: NodeId,
    /// Number of its queue pair among those of the target.
    pub queue_pair: u32,
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
    /// The kind of devices that it goes to.
    pub kind: DeviceKind,
    /// The terms of its protocol, by number.
    pub terms: u32,
}

/// A protocol, and what its ends take and allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// What goes over the wire.
    pub protocol: Protocol,
    /// Software of the initiator.
    pub host: Costs,
    /// Software of the target.
    pub target: Costs,
    /// Time of the stage of the target through which all commands go one after the other.
    pub serial_ps: u64,
    /// Commands that a queue pair may have outstanding; others wait in the queue of the host.
    pub queue_depth: u32,
}

/// The queue of requests of an application at its host.
#[derive(Clone, Debug, Default)]
struct Queue {
    waiting: VecDeque<RequestId>,
    /// Where every request needs an association of its own: those without.
    idle: Vec<AssociationId>,
    /// Commands outstanding.
    outstanding: u32,
}

/// What acts at a host at an instant.
pub struct AtHost<'a> {
    /// The instant.
    pub now_ps: u64,
    /// The host.
    pub node: NodeId,
    /// All connections.
    pub connections: &'a mut Connections,
    /// All links.
    pub network: &'a mut Network,
    /// Timers of the connections of the host.
    pub timers: &'a mut timer::Timers,
    /// The storage of all servers, of which the host may touch its own.
    pub storage: &'a mut Storage,
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
pub enum Part {
    /// The data of a write through `direct`.
    Transfer,
    /// The command of a request, and the data that go with it.
    Command,
    /// The target asks for data of a write.
    Ready,
    /// Data that the target has asked for.
    Burst,
    /// The data of a read, and the status.
    Response,
}

impl Part {
    const ALL: [Self; 5] = [Self::Transfer, Self::Command, Self::Ready, Self::Burst, Self::Response];

    fn of(self, request: RequestId) -> MessageId {
        MessageId(request.0 << 3 | self as u32)
    }

    /// The part that a message is, and of which request.
    pub fn from(message: MessageId) -> (Self, RequestId) {
        (Self::ALL[(message.0 & 7) as usize], RequestId(message.0 >> 3))
    }
}

/// A pass of a command through the software of an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Pass {
    /// Of the initiator, on its way to the target.
    Submit,
    /// Of the target, on its way to the storage.
    Serve,
    /// Of the target, on its way back.
    Respond,
    /// Of the initiator, on its way to the application.
    Complete,
}

/// A pass that is under way. Those of an instant end in the order in which they began, whatever slots their requests have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnderWay {
    began: u64,
    pass: Pass,
    request: RequestId,
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
    terms: Vec<Terms>,
    /// The rules of protocols that requests to devices go by, those of earlier terms included: what is under way keeps its own.
    rules: Vec<Protocol>,
    /// By terms: the number of the rules that requests begin with.
    rules_of_terms: Vec<u32>,
    /// By application.
    queues: Vec<Queue>,
    processors: Processors,
    /// By node: passes through its software that are under way, and how many have begun.
    passes: Vec<(Timers<UnderWay>, u64)>,
    /// By connection: bytes delivered that were no data of requests.
    overhead_delivered: Vec<u64>,
    /// By class: data of requests done that went over no connection.
    local_bytes: Vec<u64>,
}

/// What access is made of.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// By application.
    pub lanes: Vec<Lanes>,
    /// The connections of the applications.
    pub associations: Vec<Association>,
    /// The protocols in use.
    pub terms: Vec<Terms>,
    /// Number of connections.
    pub connections: usize,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of classes.
    pub classes: usize,
    /// Cores of every host that software may use.
    pub cores: u32,
}

/// The numbers of the protocols of all terms among `rules`, to which those are added that are not there yet.
fn numbers_of_rules(rules: &mut Vec<Protocol>, terms: &[Terms]) -> Vec<u32> {
    let number = |terms: &Terms| {
        let known = rules.iter().position(|known| *known == terms.protocol).unwrap_or_else(|| {
            rules.push(terms.protocol);
            rules.len() - 1
        });
        u32::try_from(known).expect("as many as there are changes")
    };
    terms.iter().map(number).collect()
}

impl Access {
    /// Applications that have issued nothing.
    pub fn new(layout: Layout) -> Self {
        let Layout { lanes, associations, terms, connections, nodes, classes, cores } = layout;
        let queue = |lanes: &Lanes| {
            let all = (lanes.first.0..lanes.first.0 + lanes.count).rev().map(AssociationId);
            let idle = if lanes.per_request { all.collect() } else { Vec::new() };
            Queue { idle, ..Queue::default() }
        };
        let to_devices = lanes.iter().any(|lanes| terms[lanes.terms as usize].protocol.has_target);
        let mut rules = Vec::new();
        Self {
            rules_of_terms: numbers_of_rules(&mut rules, &terms),
            rules,
            requests: Requests::new(lanes.len(), to_devices),
            queues: lanes.iter().map(queue).collect(),
            associations,
            lanes,
            terms,
            processors: Processors::new(nodes, cores),
            passes: vec![(Timers::default(), 0); nodes],
            overhead_delivered: vec![0; connections],
            local_bytes: vec![0; classes],
        }
    }

    /// Changes what the ends of every protocol take and allow, and the cores of every host. Requests that have begun keep the
    /// rules of their protocol; software takes the new times from its next pass on.
    pub fn set_terms(&mut self, terms: Vec<Terms>, cores: u32) {
        self.rules_of_terms = numbers_of_rules(&mut self.rules, &terms);
        self.terms = terms;
        self.processors.set_cores(cores);
    }

    /// The requests.
    pub fn requests(&self) -> &Requests {
        &self.requests
    }

    /// Whether requests of an application wait at its host until earlier ones are answered.
    pub fn waits_at_host(&self, application: ApplicationId) -> bool {
        !self.queues[application.index()].waiting.is_empty()
    }

    /// How the requests of an application travel.
    pub fn lanes(&self, application: ApplicationId) -> &Lanes {
        &self.lanes[application.index()]
    }

    /// When a pass through the software of a node next ends.
    #[inline]
    pub fn next_ps(&self, node: NodeId) -> u64 {
        self.passes[node.index()].0.next_ps()
    }

    /// Data of requests of a class that are done and went over no connection, in bytes.
    pub fn local_bytes(&self, class: ClassId) -> u64 {
        self.local_bytes[class.index()]
    }

    /// Bytes of requests' data that a connection has delivered: what has arrived of its stream, less headers, commands and
    /// answers, of which the last may have come in part.
    pub fn payload_delivered(&self, connections: &Connections, flow: FlowId) -> u64 {
        let arrived = connections.receiver(flow).next;
        let in_part = connections.incomplete(flow).map_or(0, |(message, end)| {
            let pdu = self.pdu(message);
            // Headers come first.
            (arrived - (end - pdu.wire_bytes)).min(pdu.wire_bytes - pdu.data_bytes)
        });
        arrived - in_part - self.overhead_delivered[flow.index()]
    }

    /// What a message is made of.
    fn pdu(&self, message: MessageId) -> Pdu {
        let (part, id) = Part::from(message);
        let request = self.requests.at(id);
        let protocol = self.rules(id);
        match part {
            Part::Transfer | Part::Command => protocol.command(request.operation, request.bytes),
            Part::Ready => Pdu { wire_bytes: u64::from(protocol.ready_bytes), data_bytes: 0 },
            Part::Burst => protocol.burst(self.next_burst_bytes(id)),
            Part::Response => protocol.response(request.operation, request.bytes),
        }
    }

    /// Data of a write that the target asks for next.
    fn next_burst_bytes(&self, id: RequestId) -> u64 {
        let request = self.requests.at(id);
        let missing = request.bytes - self.requests.visit(id).received_bytes;
        missing.min(self.rules(id).burst_bytes)
    }

    /// The rules of its protocol that a request goes by. Those of transfers never change.
    fn rules(&self, id: RequestId) -> &Protocol {
        let request = self.requests.at(id);
        match request.way.has_device() {
            true => &self.rules[self.requests.visit(id).rules as usize],
            false => &self.terms(request.application).protocol,
        }
    }

    fn terms(&self, application: ApplicationId) -> &Terms {
        &self.terms[self.lanes[application.index()].terms as usize]
    }

    /// Where a request goes, if it goes to a device.
    pub fn visit(&self, id: RequestId) -> Option<&Visit> {
        self.requests.at(id).way.has_device().then(|| self.requests.visit(id))
    }

    /// The connections that carry a request: as far as they are known, while it waits for some of its own.
    pub fn association(&self, request: &Request) -> Association {
        self.associations[request.association.index()]
    }

    /// The connection that carries the data of a request, if any does.
    pub fn data_flow(&self, request: &Request) -> Option<FlowId> {
        let association = self.associations[request.association.index()];
        match request.operation {
            Operation::Write => association.forth,
            Operation::Read => association.back.or(association.forth),
        }
    }

    /// An application asks for a read or a write of `bytes` from `address` on, at its own host.
    pub fn issue(
        &mut self,
        application: ApplicationId,
        operation: Operation,
        (address, bytes): (u64, u64),
        host: &mut AtHost,
    ) -> RequestId {
        let Lanes { class, first, per_request, .. } = self.lanes[application.index()];
        let way = if !self.terms(application).protocol.has_target {
            Way::Host
        } else if self.associations[first.index()].forth.is_some() {
            Way::Device
        } else {
            Way::OwnDevice
        };
        let asked = Asked { operation, application, class, association: first, way, address, bytes };
        let request = self.requests.issue(host.now_ps, asked);
        let queue = &mut self.queues[application.index()];
        if !per_request {
            queue.waiting.push_back(request);
            self.begin_waiting(application, host);
            return request;
        }
        match queue.idle.pop() {
            Some(idle) => self.begin_on(idle, request, host),
            None => queue.waiting.push_back(request),
        }
        request
    }

    /// A request begins as a new flow on an association that is idle.
    fn begin_on(&mut self, association: AssociationId, request: RequestId, host: &mut AtHost) {
        self.requests.assign(request, association);
        if let Some(forth) = self.associations[association.index()].forth {
            host.begin_flow(forth);
        }
        self.begin(request, host);
    }

    /// A request enters the software of its initiator.
    fn begin(&mut self, id: RequestId, host: &mut AtHost) {
        let request = self.requests.at(id);
        if request.way.has_device() {
            let terms = self.lanes[request.application.index()].terms;
            self.requests.visit_mut(id).rules = self.rules_of_terms[terms as usize];
            // The application is told later, if that comes at once: a device never answers in no time.
            let outcome = self.pass(Pass::Submit, id, host);
            debug_assert_eq!(outcome, Outcome::default());
        } else {
            self.send_command(id, host);
        }
    }

    /// A command enters the software of an end. What takes no time is done with at once.
    fn pass(&mut self, pass: Pass, id: RequestId, host: &mut AtHost) -> Outcome {
        let request = self.requests.at(id);
        let terms = &self.terms[self.lanes[request.application.index()].terms as usize];
        let association = &self.associations[request.association.index()];
        let (costs, brings_data) = match pass {
            Pass::Submit => (&terms.host, request.operation == Operation::Write),
            Pass::Complete => (&terms.host, request.operation == Operation::Read),
            Pass::Serve => (&terms.target, request.operation == Operation::Write),
            Pass::Respond => (&terms.target, request.operation == Operation::Read),
        };
        let data_bytes = if brings_data { request.bytes } else { 0 };
        let mut until_ps = self.processors.pass(host.node, association.queue_pair, costs, data_bytes, host.now_ps);
        if pass == Pass::Serve && terms.serial_ps > 0 {
            until_ps = self.processors.pass_serially(host.node, terms.serial_ps, until_ps);
        }
        if until_ps <= host.now_ps {
            return self.end_pass(pass, id, host);
        }
        let (timers, begun) = &mut self.passes[host.node.index()];
        timers.set(until_ps, UnderWay { began: *begun, pass, request: id });
        *begun += 1;
        Outcome::default()
    }

    /// The next pass through the software of a node has come to its end.
    pub fn fire(&mut self, host: &mut AtHost) -> Outcome {
        match self.passes[host.node.index()].0.pop() {
            Some((_, UnderWay { pass, request, .. })) => self.end_pass(pass, request, host),
            None => Outcome::default(),
        }
    }

    fn end_pass(&mut self, pass: Pass, id: RequestId, host: &mut AtHost) -> Outcome {
        match pass {
            Pass::Submit if self.requests.at(id).way == Way::OwnDevice => {
                self.requests.pass(id, Stage::Sent, host.now_ps);
                self.requests.pass(id, Stage::Arrived, host.now_ps);
                self.submit(id, host);
            }
            Pass::Submit => self.send_command(id, host),
            Pass::Serve => self.submit(id, host),
            Pass::Respond => self.send_response(id, host),
            Pass::Complete => return self.complete(id, host),
        }
        Outcome::default()
    }

    /// Hands the initiator's part of a request to its connection.
    fn send_command(&mut self, id: RequestId, host: &mut AtHost) {
        let request = self.requests.at(id);
        let is_transfer = !request.way.has_device() && request.operation == Operation::Write;
        let flow = self.associations[request.association.index()].forth;
        self.send(if is_transfer { Part::Transfer } else { Part::Command }, id, flow, host);
    }

    /// The target answers.
    fn send_response(&mut self, id: RequestId, host: &mut AtHost) {
        let request = self.requests.at(id);
        let association = self.associations[request.association.index()];
        let flow = association.back.or(association.forth);
        if let (Some(flow), true) = (flow, self.lanes[request.application.index()].per_request) {
            host.begin_flow(flow);
        }
        self.send(Part::Response, id, flow, host);
    }

    fn send(&mut self, part: Part, id: RequestId, flow: Option<FlowId>, host: &mut AtHost) {
        let message = part.of(id);
        let (bytes, since_ps) = (self.pdu(message).wire_bytes, self.requests.at(id).at_ps(Stage::Issued));
        let flow = flow.expect("a request that is not local has connections");
        host.write(flow, Message { id: message, bytes, since_ps });
    }

    /// A message has made progress, as seen at the host where that happened.
    pub fn on_event(&mut self, event: MessageEvent, host: &mut AtHost) -> Outcome {
        let (part, id) = Part::from(event.message);
        match event.progress {
            Progress::Sent => {
                match part {
                    Part::Transfer | Part::Command => self.requests.pass(id, Stage::Sent, event.at_ps),
                    Part::Response => self.requests.pass(id, Stage::Returned, event.at_ps),
                    Part::Ready | Part::Burst => (),
                }
                Outcome::default()
            }
            Progress::Delivered => {
                let pdu = self.pdu(event.message);
                self.overhead_delivered[event.flow.index()] += pdu.wire_bytes - pdu.data_bytes;
                match part {
                    Part::Transfer => self.on_transfer(id, event.at_ps),
                    Part::Command => self.on_command(id, event.at_ps, host),
                    Part::Ready => self.on_ready(id, host),
                    Part::Burst => self.on_data(id, pdu.data_bytes, event.at_ps, host),
                    Part::Response => self.on_response(id, event.at_ps, host),
                }
            }
            Progress::Acknowledged => self.on_acknowledged(part, id, host),
        }
    }

    /// A command has reached its target.
    fn on_command(&mut self, id: RequestId, at_ps: u64, host: &mut AtHost) -> Outcome {
        let request = self.requests.at(id);
        if request.way.has_device() {
            let unasked = match request.operation {
                Operation::Read => request.bytes,
                Operation::Write => self.rules(id).unasked_bytes(request.bytes),
            };
            return self.on_data(id, unasked, at_ps, host);
        }
        self.requests.pass(id, Stage::Arrived, at_ps);
        self.send_response(id, host);
        Outcome::default()
    }

    /// The data of a write through `direct` have arrived.
    fn on_transfer(&mut self, id: RequestId, at_ps: u64) -> Outcome {
        self.requests.pass(id, Stage::Arrived, at_ps);
        self.requests.pass(id, Stage::Done, at_ps);
        Outcome { done: Some(id), answered: None }
    }

    /// Data of a write have reached the target: it asks for more, or has all.
    fn on_data(&mut self, id: RequestId, data_bytes: u64, at_ps: u64, host: &mut AtHost) -> Outcome {
        let request = self.requests.at(id);
        let (bytes, association) = (request.bytes, request.association);
        let visit = self.requests.visit_mut(id);
        visit.received_bytes += data_bytes;
        if visit.received_bytes < bytes {
            let back = self.associations[association.index()].back;
            self.send(Part::Ready, id, back, host);
            return Outcome::default();
        }
        self.requests.pass(id, Stage::Arrived, at_ps);
        self.pass(Pass::Serve, id, host)
    }

    /// The initiator may send more data of a write.
    fn on_ready(&mut self, id: RequestId, host: &mut AtHost) -> Outcome {
        let flow = self.associations[self.requests.at(id).association.index()].forth;
        self.send(Part::Burst, id, flow, host);
        Outcome::default()
    }

    /// The storage of the target gets a request.
    fn submit(&mut self, id: RequestId, host: &mut AtHost) {
        self.requests.visit_mut(id).submitted_ps = host.now_ps;
        let request = self.requests.at(id);
        let io = Io {
            request: id,
            class: request.class,
            queue_pair: self.associations[request.association.index()].queue_pair,
            kind: self.lanes[request.application.index()].kind,
            writes: request.operation == Operation::Write,
            address: self.requests.visit(id).address,
            bytes: request.bytes,
        };
        host.storage.submit(host.node, host.now_ps, &io);
    }

    /// The storage has served a request.
    pub fn on_served(&mut self, id: RequestId, served: Served, host: &mut AtHost) -> Outcome {
        self.requests.visit_mut(id).served = served;
        if self.requests.at(id).way == Way::OwnDevice {
            // The host's software has both passes, and nothing goes over a wire.
            self.requests.pass(id, Stage::Returned, host.now_ps);
            return self.pass(Pass::Complete, id, host);
        }
        self.pass(Pass::Respond, id, host)
    }

    /// The answer has reached the initiator.
    fn on_response(&mut self, id: RequestId, at_ps: u64, host: &mut AtHost) -> Outcome {
        if self.requests.at(id).way.has_device() {
            return self.pass(Pass::Complete, id, host);
        }
        self.requests.pass(id, Stage::Done, at_ps);
        self.answer(id, host);
        Outcome { done: Some(id), answered: Some(id) }
    }

    /// A request to a device is at its end.
    fn complete(&mut self, id: RequestId, host: &mut AtHost) -> Outcome {
        self.requests.pass(id, Stage::Done, host.now_ps);
        self.answer(id, host);
        let Request { class, bytes, way, .. } = *self.requests.at(id);
        if way == Way::OwnDevice {
            // Nobody else is to be through with it.
            self.local_bytes[class.index()] += bytes;
            self.requests.forget(id);
        } else {
            self.requests.leave(id);
        }
        Outcome { done: Some(id), answered: Some(id) }
    }

    /// The sending end of a message knows that it has arrived.
    fn on_acknowledged(&mut self, part: Part, id: RequestId, host: &mut AtHost) -> Outcome {
        match part {
            Part::Transfer => {
                self.answer(id, host);
                self.requests.forget(id);
                return Outcome { done: None, answered: Some(id) };
            }
            // The slot may be that of another request by now: what follows may have overtaken this acknowledgement.
            Part::Command | Part::Ready | Part::Burst => {}
            Part::Response if self.requests.at(id).way.has_device() => self.requests.leave(id),
            Part::Response => self.requests.forget(id),
        }
        Outcome::default()
    }

    /// A request is at its end: others that wait may begin.
    fn answer(&mut self, id: RequestId, host: &mut AtHost) {
        let Request { application, association, .. } = *self.requests.at(id);
        self.requests.answer(application);
        let queue = &mut self.queues[application.index()];
        if self.lanes[application.index()].per_request {
            match queue.waiting.pop_front() {
                Some(next) => self.begin_on(association, next, host),
                None => queue.idle.push(association),
            }
            return;
        }
        queue.outstanding -= 1;
        self.begin_waiting(application, host);
    }

    /// Begins requests from the queue of an application while its queue depth allows more.
    fn begin_waiting(&mut self, application: ApplicationId, host: &mut AtHost) {
        let depth = self.terms(application).queue_depth;
        loop {
            let queue = &mut self.queues[application.index()];
            if queue.outstanding >= depth {
                return;
            }
            let Some(next) = queue.waiting.pop_front() else { return };
            queue.outstanding += 1;
            self.begin(next, host);
        }
    }
}
