//! The run that goes with a request, and what it finds of it.

use std::ops::Range;

use crate::access::{Association, Operation, Part, Request, Stage, Visit};
use crate::kernel::convert::{index_u32, modulo_u32};
use crate::kernel::ids::{FlowId, LinkId, NodeId, RequestId};
use crate::kernel::time::{PS_PER_US, from_us, to_us};
use crate::network::packet::{ACK, CE, CNP_OR_NACK, Packet};
use crate::network::port::{Port, Sighting};
use crate::simulation::Simulation;
use crate::simulation::follow::journey::{Hop, Journey, Leg, Moments, PacketTrail, PageTrail, stages_us};
use crate::simulation::follow::watch::{Noted, Watch};
use crate::storage::{Doing, PageWork};

/// Longest window between two looks.
const MAX_STEP_PS: u64 = PS_PER_US / 2;
/// Packets that are told of.
const MAX_PACKETS: usize = 1000;
/// Looks without a change after which the trail leaps.
const IDLE_LOOKS: u32 = 64;
/// Shortest leap.
const MIN_LEAP_PS: u64 = IDLE_LOOKS as u64 * MAX_STEP_PS;

/// A stretch of the stream of a connection that carries a part of the request.
#[derive(Clone, Debug)]
struct Stretch {
    flow: FlowId,
    part: Part,
    range: Range<u64>,
}

impl Stretch {
    /// Where in the stretch a position of a packet lies, which tells only the lowest 32 bits; negative before it.
    fn offset(&self, sequence: u32) -> i64 {
        let from_start = sequence.wrapping_sub(modulo_u32(self.range.start));
        i64::from(from_start.cast_signed())
    }

    fn length(&self) -> i64 {
        i64::try_from(self.range.end - self.range.start).unwrap_or(i64::MAX)
    }

    /// Whether a packet carries some of it.
    fn is_in(&self, packet: &Packet) -> bool {
        let offset = self.offset(packet.sequence);
        !packet.has(ACK) && offset < self.length() && offset + i64::from(packet.length) > 0
    }

    /// Whether a packet acknowledges all of it.
    fn is_acknowledged_by(&self, packet: &Packet) -> bool {
        packet.has(ACK) && !packet.has(CNP_OR_NACK) && self.offset(packet.sequence) >= self.length()
    }
}

/// What tells packets of a connection apart: acknowledgement or not, and two numbers of it. Acknowledgements may have the same.
type Key = (FlowId, bool, u32, u32);

/// A packet that is told of, and where it was seen last.
#[derive(Clone, Debug)]
struct Followed {
    key: Key,
    trail: PacketTrail,
    /// Its place on its path.
    hop: u8,
    seen_ps: u64,
}

impl Followed {
    /// Whether a packet with the same key, seen on a link now, is this one on its way and not a copy of it. `leaves_host`: the link is
    /// that of the host that sent it; `before_ps`: when the ports were looked at last.
    fn is(&self, link: LinkId, leaves_host: bool, sighting: &Sighting, (before_ps, now_ps): (u64, u64)) -> bool {
        let Some(hop) = self.trail.hops.last() else { return true };
        if hop.link != link.0 {
            return !leaves_host && sighting.packet.hop > self.hop;
        }
        // Of two in one port the first is the older one.
        let is_first = self.seen_ps < now_ps;
        // A transmission that has begun is not moved.
        let began_us = hop.begins_us.filter(|&us| us <= to_us(before_ps));
        is_first && began_us.is_none_or(|us| sighting.times.is_some_and(|times| to_us(times.begins_ps) == us))
    }
}

/// How far a connection is with a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sending {
    Waits,
    /// Packets of it may be sent, or sent again: how many packets the connection has sent.
    Open(u64),
    Acknowledged,
}

/// What changes while a request gets on, except for its packets and pages.
#[derive(Clone, Debug, PartialEq)]
struct Progress {
    request: Option<(Request, Option<Visit>)>,
    answered: bool,
    sending: Vec<Sending>,
}

/// A run in which one request is followed.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    run: Simulation,
    issued_ps: u64,
    operation: Operation,
    /// Requests that were looked at, and those of them that were faster.
    rank: [u32; 2],
    stretches: Vec<Stretch>,
    /// Its connections, each with the position up to which its messages are known.
    known: Vec<(FlowId, u64)>,
    packets: Vec<Followed>,
    /// Connections with packets that are not told of: the number of the newest, and how many there were.
    left_out: Vec<(FlowId, u32, u32)>,
    pages: Vec<((usize, u32), PageTrail)>,
    /// A packet or a page was seen elsewhere than before.
    moved: bool,
    /// Packets and pages that the last look saw.
    seen: [usize; 2],
    /// Looks since anything changed.
    idle: u32,
    /// How far the next leap goes.
    leap_ps: u64,
    #[cfg(test)]
    pub(super) looks: u32,
}

impl Trail {
    /// Follows the one request that `watch` notes, which will be issued at `issued_ps`.
    pub(super) fn new(mut run: Simulation, watch: Watch, issued_ps: u64, operation: Operation, rank: [u32; 2]) -> Self {
        run.watch = Some(Box::new(watch));
        Self {
            run,
            issued_ps,
            operation,
            rank,
            stretches: Vec::new(),
            known: Vec::new(),
            packets: Vec::new(),
            left_out: Vec::new(),
            pages: Vec::new(),
            moved: false,
            seen: [0; 2],
            idle: 0,
            leap_ps: MIN_LEAP_PS,
            #[cfg(test)]
            looks: 0,
        }
    }

    pub(super) fn now_ps(&self) -> u64 {
        self.run.now_ps
    }

    /// See [`super::Follow::advance`].
    pub(super) fn advance(&mut self, max_events: u64) -> bool {
        let stop_at = self.run.events().saturating_add(max_events);
        if self.run.now_ps < self.issued_ps && !self.run.advance(self.issued_ps, max_events) {
            return false;
        }
        while self.run.events() < stop_at {
            if self.is_over() {
                return true;
            }
            if self.idle >= IDLE_LOOKS {
                self.leap(stop_at - self.run.events());
                continue;
            }
            let (before_ps, before, seen) = (self.run.now_ps, self.progress(), self.seen);
            self.run.window_ps = self.run.window_ps.min(self.step_ps());
            self.run.advance(u64::MAX, 1);
            self.look(before_ps);
            let is_idle = !self.moved && self.seen == seen && self.progress() == before;
            self.idle = if is_idle { self.idle + 1 } else { 0 };
        }
        false
    }

    /// Goes on without a look for up to `max_events`, as the request waits. If it turns out that the request got on, the leap is
    /// undone, and the next one is half as far: looks find where it does.
    fn leap(&mut self, max_events: u64) {
        let (before, progress) = (self.clone(), self.progress());
        let until_ps = self.run.now_ps.saturating_add(self.leap_ps);
        self.run.set_window();
        self.run.advance(until_ps, max_events);
        self.look(before.run.now_ps);
        if !self.moved && self.seen == before.seen && self.progress() == progress {
            self.leap_ps = self.leap_ps.saturating_mul(2);
            return;
        }
        let leap_ps = self.leap_ps / 2;
        *self = before;
        if leap_ps < MIN_LEAP_PS {
            self.idle = 0;
        }
        self.leap_ps = leap_ps.max(MIN_LEAP_PS);
    }

    fn progress(&self) -> Progress {
        let visit = |id, request: &Request| request.way.has_device().then(|| *self.run.access.requests().visit(id));
        let sending = |stretch: &Stretch| {
            let sender = self.run.connections.sender(stretch.flow);
            if sender.unacknowledged >= stretch.range.end {
                Sending::Acknowledged
            } else if sender.next <= stretch.range.start {
                Sending::Waits
            } else {
                Sending::Open(sender.packets)
            }
        };
        Progress {
            request: self.request().map(|(id, request)| (*request, visit(id, request))),
            answered: self.noted().is_some_and(|noted| noted.answered_ps.is_some()),
            sending: self.stretches.iter().map(sending).collect(),
        }
    }

    fn is_over(&self) -> bool {
        self.run.now_ps >= self.run.duration_ps || self.noted().is_some_and(|noted| noted.answered_ps.is_some())
    }

    fn noted(&self) -> Option<&Noted> {
        self.run.watch.as_ref()?.noted.first()
    }

    /// The request, while it has its slot.
    fn request(&self) -> Option<(RequestId, &Request)> {
        let noted = self.noted().filter(|noted| noted.answered_ps.is_none())?;
        Some((noted.id, self.run.access.requests().at(noted.id)))
    }

    /// Time of a full packet at the port of the host that sends, so that no look misses one there.
    fn step_ps(&self) -> u64 {
        let links = self.request().map(|(_, request)| self.run.access.association(request)).and_then(|it| it.forth);
        let first = links.and_then(|flow| self.run.detours.data(&self.run.plan, flow).first().copied());
        let packet_ps = first.map_or(MAX_STEP_PS, |link| {
            self.run.network.port(link).transmission_ps(self.run.connections.segment_bytes())
        });
        packet_ps.clamp(1, MAX_STEP_PS)
    }

    /// Looks for the request where it may be. `before_ps` is when that was done last.
    fn look(&mut self, before_ps: u64) {
        self.moved = false;
        self.seen = [0; 2];
        #[cfg(test)]
        {
            self.looks += 1;
        }
        let Some((id, request)) = self.request() else { return };
        let Association { forth, back, target, .. } = self.run.access.association(request);
        let in_device = request.way.has_device() && request.at_ps(Stage::Returned) > self.run.now_ps;
        let flows: Vec<FlowId> = [forth, back].into_iter().flatten().collect();
        for &flow in &flows {
            self.find_stretches(flow, id);
        }
        self.find_packets(&flows, before_ps);
        if in_device {
            let found = self.run.storage.pages_of(target, id);
            self.seen[1] = found.len();
            found.into_iter().for_each(|(number, work)| self.on_page(target, number, &work));
        }
    }

    fn find_stretches(&mut self, flow: FlowId, id: RequestId) {
        let known = self.known.iter().position(|(of, _)| *of == flow).unwrap_or_else(|| {
            self.known.push((flow, 0));
            self.known.len() - 1
        });
        let position = self.known[known].1;
        let messages = self.run.connections.messages_after(flow, position);
        let parts = messages.map(|(message, range)| (Part::from(message), range));
        let stretch = |((part, request), range)| (request == id).then_some(Stretch { flow, part, range });
        self.stretches.extend(parts.filter_map(stretch));
        self.known[known].1 = self.run.connections.sender(flow).end;
    }

    fn find_packets(&mut self, flows: &[FlowId], before_ps: u64) {
        if self.stretches.is_empty() {
            return;
        }
        let paths = flows.iter().flat_map(|&flow| {
            let (run, plan) = (&self.run, &self.run.plan);
            [run.detours.data(plan, flow), run.detours.acknowledgements(plan, flow)].concat()
        });
        // Packets may still be on a path that is no longer taken.
        let left = self.packets.iter().filter_map(|packet| packet.trail.hops.last()).map(|hop| LinkId(hop.link));
        let mut links: Vec<LinkId> = Vec::new();
        for link in paths.chain(left) {
            if !links.contains(&link) {
                links.push(link);
            }
        }
        let mut found = Vec::new();
        for link in links {
            let port = self.run.network.port(link);
            for (place, sighting) in port.sightings(self.run.now_ps).enumerate() {
                if let Some(stretch) = self.stretch_of(&sighting.packet) {
                    found.push((link, place, self.leg(stretch, &sighting.packet), sighting));
                }
            }
        }
        self.seen[0] = found.len();
        for (link, place, leg, sighting) in found {
            let packet = self.packet(leg, &sighting.packet);
            packet.into_iter().for_each(|packet| self.on_packet(packet, (link, place), &sighting, before_ps));
        }
    }

    /// The part of the request that a packet has to do with: carries, or, where nothing else ends it, acknowledges.
    fn stretch_of(&self, packet: &Packet) -> Option<&Stretch> {
        let flow = FlowId(packet.flow);
        let concerns = |stretch: &&Stretch| {
            stretch.flow == flow
                && (stretch.is_in(packet) || (stretch.part == Part::Transfer && stretch.is_acknowledged_by(packet)))
        };
        self.stretches.iter().find(concerns)
    }

    fn leg(&self, stretch: &Stretch, packet: &Packet) -> Leg {
        if packet.has(ACK) { Leg::Acknowledgement } else { Leg::of(stretch.part, self.operation) }
    }

    /// The number of a packet among those that are told of; none for one that is not.
    fn packet(&mut self, leg: Leg, packet: &Packet) -> Option<usize> {
        let is_ack = leg == Leg::Acknowledgement;
        let flow = FlowId(packet.flow);
        let key = match is_ack {
            true => (flow, true, packet.sequence, packet.sack),
            false => (flow, false, packet.sack, packet.sequence),
        };
        // Of the acknowledgements the first tells.
        let is_later_ack = || is_ack && self.packets.iter().any(|known| (known.key.0, known.key.1) == (flow, true));
        // Those in flight are among the last.
        match self.packets.iter().rposition(|known| known.key == key) {
            Some(number) => Some(number),
            None if is_later_ack() => None,
            None if self.packets.len() >= MAX_PACKETS => {
                self.leave_out(flow, packet.sack);
                None
            }
            None => Some(self.begin_packet(key, leg, packet)),
        }
    }

    /// A packet is at a place of a port and its wire.
    fn on_packet(&mut self, number: usize, (link, place): (LinkId, usize), sighting: &Sighting, before_ps: u64) {
        let now_ps = self.run.now_ps;
        let leaves_host = self.run.plan.graph.is_host(self.run.plan.graph.wires()[link.index()].from);
        let followed = &mut self.packets[number];
        if !followed.is(link, leaves_host, sighting, (before_ps, now_ps)) {
            return;
        }
        (followed.hop, followed.seen_ps) = (sighting.packet.hop, now_ps);
        let trail = &mut followed.trail;
        let last = trail.hops.last().cloned();
        trail.marked |= sighting.packet.has(CE);
        if trail.hops.last().is_none_or(|hop| hop.link != link.0) {
            let begins_ps = sighting.times.map(|times| times.begins_ps);
            if let Some(arrives_us) = trail.hops.last_mut().and_then(|hop| hop.arrives_us.as_mut()) {
                // A delay that was shortened meanwhile has brought it in sooner than was to be expected.
                *arrives_us = arrives_us.min(to_us(begins_ps.map_or(now_ps, |begins_ps| begins_ps.min(now_ps))));
            }
            let arrived_ps = trail.hops.last().and_then(|hop| hop.arrives_us).map(from_us);
            let found = ahead(&self.run.network.port(link), place, sighting, (arrived_ps.unwrap_or(before_ps), now_ps));
            let joined_ps = match (arrived_ps, begins_ps) {
                // Switches hand packets on at once, and idle ports send at once.
                (Some(arrived_ps), _) => arrived_ps,
                (None, Some(begins_ps)) if found == 0 => begins_ps,
                (None, _) => before_ps,
            };
            let (joined_us, begins_us, departs_us, arrives_us) = (to_us(joined_ps), None, None, None);
            trail.hops.push(Hop { link: link.0, joined_us, found, begins_us, departs_us, arrives_us });
        }
        if let (Some(hop), Some(times)) = (trail.hops.last_mut(), sighting.times) {
            hop.begins_us = Some(to_us(times.begins_ps));
            hop.departs_us = Some(to_us(times.departs_ps));
            hop.arrives_us = Some(to_us(times.arrives_ps));
        }
        self.moved |= trail.hops.last() != last.as_ref();
    }

    fn begin_packet(&mut self, key: Key, leg: Leg, packet: &Packet) -> usize {
        let (flow, is_ack, _, sequence) = key;
        let same = |(of, ack, _, other): &Key| (*of, *ack, *other) == (flow, is_ack, sequence);
        let again = !is_ack && self.packets.iter().any(|known| same(&known.key));
        let held_us = to_us(self.run.network.delay_ps(flow));
        let bytes = packet.payload_bytes();
        let hops = Vec::with_capacity(8);
        let trail = PacketTrail { leg, bytes, again, marked: false, lost: false, held_us, hops };
        self.packets.push(Followed { key, trail, hop: 0, seen_ps: 0 });
        self.packets.len() - 1
    }

    /// Counts a packet that is not told of, by the number that its connection gave it.
    fn leave_out(&mut self, flow: FlowId, number: u32) {
        self.moved = true;
        match self.left_out.iter_mut().find(|(of, ..)| *of == flow) {
            Some((_, newest, count)) => {
                let is_newer = number.wrapping_sub(*newest).cast_signed() > 0;
                (*newest, *count) = if is_newer { (number, *count + 1) } else { (*newest, *count) };
            }
            None => self.left_out.push((flow, number, 1)),
        }
    }

    fn on_page(&mut self, node: NodeId, number: usize, work: &PageWork) {
        let devices = &self.run.measurement.devices.devices;
        let place = devices.iter().position(|device| (device.node, device.number) == (node, number));
        let Some(device) = place else { return };
        let key = (device, work.page);
        let at = self.pages.iter().position(|(of, trail)| *of == key && trail.writes == work.writes);
        let since_ps = match work.doing {
            Doing::Waits { since_ps } | Doing::WaitsForChannel { since_ps } => since_ps,
            Doing::Array { from_ps, .. } | Doing::Transfer { from_ps, .. } => from_ps,
        };
        let at = at.unwrap_or_else(|| {
            self.moved = true;
            let (device, waits_us) = (index_u32(device), to_us(since_ps));
            let trail = PageTrail {
                device,
                unit: None,
                writes: work.writes,
                waits_us,
                command_us: None,
                array_us: None,
                transfer_us: None,
            };
            self.pages.push((key, trail));
            self.pages.len() - 1
        });
        let trail = &mut self.pages[at].1;
        let before = trail.clone();
        trail.unit = work.unit.or(trail.unit);
        match work.doing {
            Doing::Waits { .. } | Doing::WaitsForChannel { .. } => {}
            Doing::Array { from_ps, begins_ps, ends_ps } => {
                trail.command_us.get_or_insert(to_us(from_ps));
                let began_us = trail.array_us.map_or(to_us(begins_ps), |[began_us, _]| began_us);
                trail.array_us = Some([began_us, to_us(ends_ps)]);
            }
            Doing::Transfer { from_ps, to_ps } => trail.transfer_us = Some([from_ps, to_ps].map(to_us)),
        }
        self.moved |= *trail != before;
    }

    /// What became of the request, as far as it has come.
    pub(super) fn journey(&self) -> Option<Journey> {
        let noted = self.noted()?;
        let now = || {
            let request = self.run.access.requests().at(noted.id);
            (*request, request.way.has_device().then(|| *self.run.access.requests().visit(noted.id)))
        };
        let (request, visit) = noted.done.unwrap_or_else(now);
        let Association { target, .. } = self.run.access.association(&request);
        let [of, slower_than] = self.rank;
        Some(Journey {
            class: request.class.0,
            reads: request.operation == Operation::Read,
            bytes: request.bytes,
            from: self.run.applications.node(request.application).0,
            to: target.0,
            of,
            slower_than,
            moments: Moments::of(&request, visit.as_ref(), noted.answered_ps),
            stages_us: stages_us(&request, visit.as_ref()),
            packets: self.packets.iter().map(|followed| self.finished(followed)).collect(),
            packets_left_out: self.left_out.iter().map(|(_, _, count)| count).sum(),
            pages: self.pages.iter().map(|(_, page)| page.clone()).collect(),
        })
    }

    /// A packet whose end is known: it is lost if it should have gone on and did not.
    fn finished(&self, Followed { key: (flow, is_ack, ..), trail: packet, .. }: &Followed) -> PacketTrail {
        let planned = &self.run.plan.flows[flow.index()];
        let goal = self.run.plan.graph.hosts()[if *is_ack { planned.source } else { planned.destination } as usize];
        let is_behind = |hop: &Hop| {
            let far_end = self.run.plan.graph.wires()[hop.link as usize].to;
            far_end != goal && hop.arrives_us.is_some_and(|us| us < to_us(self.run.now_ps))
        };
        PacketTrail { lost: packet.hops.last().is_some_and(is_behind), ..packet.clone() }
    }
}

/// Packets that one found in its port, given its place among all that are seen there now.
fn ahead(port: &Port, place: usize, sighting: &Sighting, (joined_ps, now_ps): (u64, u64)) -> u32 {
    let still_there = |other: &Sighting| match (other.times, sighting.times) {
        (Some(times), _) => times.departs_ps > joined_ps,
        (None, Some(_)) => false,
        (None, None) => other.packet.priority() >= sighting.packet.priority(),
    };
    index_u32(port.sightings(now_ps).take(place).filter(still_there).count())
}
