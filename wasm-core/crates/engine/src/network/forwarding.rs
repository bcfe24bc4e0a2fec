//! All links, the paths through them, and the order in which packets arrive.
//!
//! There is no list of all events. A packet that leaves a node now reaches the next one no sooner than the *lookahead*
//! from now, the minimum delay of any link. So within a window of that length each node can be run on its own: what it sends
//! lands in a later window, and what it takes from a link had left the port at the other end before the window began, so
//! the queue there is not touched. A node's links stay in the cache while it runs, and its order of arrivals is a tree
//! over a few links.
//!
//! Where ports tell priorities apart, share memory or can be paused, the end of a transmission behind which packets wait is
//! an event of its own, at the node that sends; see [`crate::network::ports`]. Networks without such ports never look there.

use crate::kernel::convert::{index_u32, short};
use crate::kernel::digest::scramble;
use crate::kernel::ids::{FlowId, LinkId, NodeId};
use crate::kernel::time::NEVER_PS;
use crate::kernel::winner_tree::{IDLE, Leaf, Root, WinnerTrees, key, link_of, time_of};
use crate::network::delays::HeldPackets;
use crate::network::link::{FarEnd, Link, Offered, QueueRange};
use crate::network::packet::{ACK, Delivery, FLOW_CONTROL, Packet};
use crate::network::port::{Bound, Port};
use crate::network::ports::{Enqueued, FlowControl, PauseCounters, PortPolicy, Ports, reverse};
use crate::network::routes::{Routes, Way};

/// A queue of a host's port has drained, or its pause has ended, so that its connections may send more. Only ports with
/// queues by priority tell.
#[derive(Clone, Copy, Debug)]
pub struct Drained {
    /// When.
    pub at_ps: u64,
    /// The port.
    pub link: LinkId,
    /// The queue.
    pub priority: u8,
}

/// The network: links in an arena, source routes, and for every node the order of arrivals.
#[derive(Clone, Debug)]
pub struct Network {
    links: Vec<Link>,
    order: WinnerTrees,
    /// By node: nothing happens there earlier. Exact after [`Self::refresh_next_event`], lowered when a packet is sent there.
    earliest_ps: Vec<u64>,
    routes: Routes,
    /// By connection: how long its packets are held at the host they are meant for.
    delays_ps: Vec<u64>,
    /// By node: what is held there.
    held: Vec<HeldPackets>,
    /// Some connection has, or has had, such a delay: without any, hosts need not look.
    delays: bool,
    /// Acknowledgements overtake data that waits in the port of the host that sends them.
    acks_overtake: bool,
    /// Where ports have queues by priority.
    ports: Option<Box<Ports>>,
    packet_hops: u64,
    trace: u64,
}

impl Network {
    /// A network of idle links and no connections. Each link comes with the node it leads to. `acks_overtake` says whether
    /// acknowledgements overtake data that waits in the port of the host that sends them.
    pub fn new(nodes: usize, links: Vec<(Link, NodeId)>, acks_overtake: bool) -> Self {
        let ends: Vec<u32> = links.iter().map(|(_, node)| node.0).collect();
        let (order, leaves) = WinnerTrees::new(nodes, &ends);
        let at_far_end = |((mut link, node), leaf): ((Link, NodeId), Leaf)| {
            link.far_end = FarEnd { node, leaf };
            link
        };
        Self {
            links: links.into_iter().zip(leaves).map(at_far_end).collect(),
            order,
            earliest_ps: vec![NEVER_PS; nodes],
            routes: Routes::default(),
            delays_ps: Vec::new(),
            held: vec![HeldPackets::default(); nodes],
            delays: false,
            acks_overtake,
            ports: None,
            packet_hops: 0,
            trace: 0,
        }
    }

    /// Adds a connection with the path of its data and that of its acknowledgements. Neither may be empty.
    pub fn connect(&mut self, data: &[LinkId], acknowledgements: &[LinkId]) -> FlowId {
        self.delays_ps.push(0);
        self.routes.add(data, acknowledgements)
    }

    /// What a connection sends from now on takes another path. Returns whether it does, see [`Routes::change`].
    pub fn reroute(&mut self, flow: FlowId, way: Way, path: &[LinkId]) -> bool {
        self.routes.change(flow, way, path)
    }

    /// The cable of a link fails: what is in its port and on the wire is lost. Its policy must become
    /// [`QueuePolicy::CLOSED`](crate::network::link::QueuePolicy::CLOSED) at the same instant.
    pub fn cut(&mut self, now_ps: u64, link: LinkId) {
        let number = short(link.0);
        if let Some(ports) = &mut self.ports {
            let ended = ports.cut(now_ps, &mut self.links[link.index()], number);
            ports.schedule(now_ps, &self.links[link.index()], number);
            for flow_control in ended {
                self.control(now_ps, flow_control);
            }
        }
        self.links[link.index()].cut(now_ps);
    }

    /// From `now_ps` on the packets of every connection are held for another time at the host they are meant for. Those held
    /// already feel it, too.
    pub fn set_delays(&mut self, now_ps: u64, delays_ps: &[u64]) {
        if self.delays_ps == delays_ps {
            return;
        }
        self.delays_ps.copy_from_slice(delays_ps);
        self.delays = true;
        for node in 0..self.held.len() {
            self.held[node].change(now_ps, |flow| delays_ps[flow as usize]);
            self.earliest_ps[node] = self.earliest_ps[node].min(self.held[node].next_ps());
        }
    }

    /// Time for which the packets of a connection are held back at the host that they are meant for.
    pub fn delay_ps(&self, flow: FlowId) -> u64 {
        self.delays_ps[flow.index()]
    }

    /// Packets held back at their hosts.
    pub fn held(&self) -> impl Iterator<Item = &Packet> {
        self.held.iter().flat_map(HeldPackets::iter)
    }

    /// A host sends a packet on its way.
    #[inline]
    pub fn send(&mut self, now_ps: u64, mut packet: Packet) {
        if self.routes.have_changed() {
            packet.hop = self.routes.first(&packet);
        }
        let hop = self.routes.next(&packet);
        if self.ports.is_some() {
            return self.forward(now_ps, packet, hop, hop);
        }
        let link = &mut self.links[hop as usize];
        let overtakes = packet.has(ACK) && self.acks_overtake;
        let offered = if overtakes { link.offer_ahead(now_ps, packet) } else { link.offer(now_ps, packet) };
        self.schedule(hop, offered);
    }

    /// Puts a link whose ring was empty into the order of arrivals.
    #[inline(always)]
    fn schedule(&mut self, link: u16, offered: Offered) {
        if offered == Offered::First {
            let (key, FarEnd { node, leaf }) = next_key(&self.links[usize::from(link)], u32::from(link), 0);
            self.order.set(leaf, key);
            self.lower_next_event(node, time_of(key));
        }
    }

    /// Takes the next packet that arrives at a node before `limit_ps`.
    #[inline(always)]
    fn arrive(&mut self, at: Root, limit_ps: u64) -> Option<Delivery> {
        let top = self.order.top(at);
        if time_of(top) >= limit_ps {
            return None;
        }
        self.packet_hops += 1;
        Some(self.take(top))
    }

    /// Takes the packet whose arrival is the next at its node, given the key of that.
    #[inline(always)]
    fn take(&mut self, top: u64) -> Delivery {
        let at_ps = time_of(top);
        self.trace = self.trace.wrapping_add(scramble(top));
        let number = link_of(top);
        let link = &mut self.links[number as usize];
        let mut packet = link.arrive();
        let (next, FarEnd { leaf, .. }) = next_key(link, number, at_ps);
        self.order.replace_top(leaf, next);
        packet.hop += 1;
        Delivery { at_ps, packet }
    }

    /// Forwards all packets that arrive at a switch before `limit_ps`.
    pub fn run_switch(&mut self, node: NodeId, limit_ps: u64) {
        if self.ports.is_some() {
            return self.run_switch_with_queues(node, limit_ps);
        }
        let root = self.order.root(node);
        while let Some(Delivery { at_ps, packet }) = self.arrive(root, limit_ps) {
            let hop = self.routes.next(&packet);
            let offered = self.links[hop as usize].offer(at_ps, packet);
            self.schedule(hop, offered);
        }
    }

    #[inline(never)]
    fn run_switch_with_queues(&mut self, node: NodeId, limit_ps: u64) {
        while let Some((Delivery { at_ps, packet }, ingress)) = self.next_at_ports(node, limit_ps, &mut None) {
            self.forward(at_ps, packet, self.routes.next(&packet), ingress);
        }
    }

    /// Whether packets wait nowhere but on links: ports tell no priorities apart, and hosts hold nothing back.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.ports.is_none() && !self.delays
    }

    /// In a plain network: takes the next packet that is delivered at a host before `limit_ps`, at most
    /// [`crate::kernel::time::LAST_PS`].
    #[inline(always)]
    pub fn next_arrival(&mut self, node: NodeId, limit_ps: u64) -> Option<Delivery> {
        self.arrive(self.order.root(node), limit_ps)
    }

    /// In any network: as [`Self::next_arrival`]. Stops as well when a queue of the host's port has drained, which `drained`
    /// then tells. At one instant packets that arrive go before those that were held.
    #[inline]
    pub fn next_delivery(&mut self, node: NodeId, limit_ps: u64, drained: &mut Option<Drained>) -> Option<Delivery> {
        if self.ports.is_some() {
            self.next_at_host_with_queues(node, limit_ps, drained)
        } else {
            self.next_delayed(node, limit_ps)
        }
    }

    fn next_delayed(&mut self, node: NodeId, limit_ps: u64) -> Option<Delivery> {
        if !self.delays {
            return self.next_arrival(node, limit_ps);
        }
        loop {
            let due_ps = self.held[node.index()].next_ps();
            match self.arrive(self.order.root(node), limit_ps.min(due_ps.saturating_add(1))) {
                Some(delivery) if self.delays_ps[delivery.packet.flow as usize] == 0 => return Some(delivery),
                Some(delivery) => self.hold(node, delivery),
                None if due_ps < limit_ps => return self.held[node.index()].take(),
                None => return None,
            }
        }
    }

    #[inline]
    fn next_at_host_with_queues(
        &mut self,
        node: NodeId,
        limit_ps: u64,
        drained: &mut Option<Drained>,
    ) -> Option<Delivery> {
        loop {
            let due_ps = self.held[node.index()].next_ps();
            match self.next_at_ports(node, limit_ps.min(due_ps.saturating_add(1)), drained) {
                _ if drained.is_some() => return None,
                Some((delivery, _)) if self.delays_ps[delivery.packet.flow as usize] == 0 => return Some(delivery),
                Some((delivery, _)) => self.hold(node, delivery),
                None if due_ps < limit_ps => return self.held[node.index()].take(),
                None => return None,
            }
        }
    }

    #[cold]
    fn hold(&mut self, node: NodeId, delivery: Delivery) {
        let delay_ps = self.delays_ps[delivery.packet.flow as usize];
        self.held[node.index()].hold(delivery, delay_ps);
    }

    /// Sends what waits in the ports of a node and handles frames of flow control, up to the next packet that arrives before
    /// `limit_ps`. Returns that and the link it came by. At one instant transmissions end before packets arrive. At a host
    /// it stops as well when a queue has drained or its pause has ended, which `drained` then tells.
    #[inline]
    fn next_at_ports(&mut self, node: NodeId, limit_ps: u64, drained: &mut Option<Drained>) -> Option<(Delivery, u16)> {
        let (arrivals, services) = (self.order.root(node), self.ports.as_ref()?.services.root(node));
        loop {
            let (top, service) = (self.order.top(arrivals), self.ports.as_ref()?.services.top(services));
            if time_of(top).min(time_of(service)) >= limit_ps {
                return None;
            }
            if time_of(service) <= time_of(top) {
                let (at_ps, number) = (time_of(service), short(link_of(service)));
                if let Some(priority) = self.serve(at_ps, number) {
                    *drained = Some(Drained { at_ps, link: LinkId(u32::from(number)), priority });
                    return None;
                }
                continue;
            }
            let delivery = self.take(top);
            if delivery.packet.flow == FLOW_CONTROL {
                let resumed = self.handle_pause(delivery.at_ps, short(link_of(top)), &delivery.packet);
                if resumed.is_some() {
                    *drained = resumed;
                    return None;
                }
                continue;
            }
            self.packet_hops += 1;
            return Some((delivery, short(link_of(top))));
        }
    }

    /// A transmission has ended: sends the next packet. Returns the queue of a host that has drained.
    #[inline]
    fn serve(&mut self, now_ps: u64, number: u16) -> Option<u8> {
        let ports = self.ports.as_mut()?;
        let link = &mut self.links[usize::from(number)];
        let (departure, ended) = ports.dequeue(now_ps, link, number)?;
        if let Some(flow_control) = ended {
            self.control(now_ps, flow_control);
        }
        let offered = self.links[usize::from(number)].begin(now_ps, departure.packet);
        self.schedule(number, offered);
        let ports = self.ports.as_mut()?;
        ports.schedule(now_ps, &self.links[usize::from(number)], number);
        (departure.drained && ports.is_host(ports.owner(number))).then_some(departure.priority)
    }

    /// A packet that came by the link `ingress` leaves by the link `hop`, at once or after those before it.
    #[inline(never)]
    fn forward(&mut self, now_ps: u64, packet: Packet, hop: u16, ingress: u16) {
        let Some(ports) = self.ports.as_mut() else { return };
        let link = &mut self.links[usize::from(hop)];
        match ports.enqueue(now_ps, link, hop, packet, ingress) {
            Enqueued::Through => {
                let offered = link.begin(now_ps, packet);
                self.schedule(hop, offered);
            }
            Enqueued::Waits { wakes, flow_control } => {
                if wakes {
                    ports.schedule(now_ps, link, hop);
                }
                if let Some(flow_control) = flow_control {
                    self.control(now_ps, flow_control);
                }
            }
            Enqueued::Dropped => {}
        }
    }

    /// Tells the sender of a link to pause a priority or to go on.
    fn control(&mut self, now_ps: u64, FlowControl { ingress, priority, pauses }: FlowControl) {
        let back = reverse(ingress);
        if self.links[usize::from(back)].is_down() {
            return;
        }
        let offered = self.links[usize::from(back)].begin_flow_control(now_ps, Packet::flow_control(priority, pauses));
        self.schedule(back, offered);
        if let Some(ports) = &mut self.ports {
            ports.pauses.sent += u64::from(pauses);
            // What waits there now waits for the frame as well.
            ports.schedule(now_ps, &self.links[usize::from(back)], back);
        }
    }

    /// Holds a queue, or lets it go on. Returns the queue of a host whose pause has ended.
    fn handle_pause(&mut self, at_ps: u64, number: u16, frame: &Packet) -> Option<Drained> {
        let ports = self.ports.as_mut()?;
        let (port, priority, paused) = ports.handle_pause(at_ps, number, frame);
        ports.schedule(at_ps, &self.links[usize::from(port)], port);
        let resumes = !paused && ports.is_host(ports.owner(port));
        resumes.then_some(Drained { at_ps, link: LinkId(u32::from(port)), priority })
    }

    /// Gives the ports queues by priority, shared memory and flow control, or changes their rules, at `now`. `owners` names
    /// the nodes whose ports feed the links of cables, `hosts` tells which nodes are hosts.
    pub fn set_port_policy(&mut self, now_ps: u64, owners: &[u32], hosts: &[bool], port_policy: &PortPolicy) {
        if let Some(ports) = &mut self.ports {
            for ended in ports.apply_settings(port_policy) {
                self.control(now_ps, ended);
                let node = NodeId(self.ports.as_ref().map_or(0, |ports| ports.owner(reverse(ended.ingress))));
                self.wake(node, NEVER_PS);
            }
            return;
        }
        let mut ports = Box::new(Ports::new(owners.to_vec(), hosts.to_vec(), port_policy));
        for (number, link) in (0..short(index_u32(owners.len()))).zip(&mut self.links) {
            for packet in link.take_back(now_ps) {
                ports.take_over(now_ps, link, number, packet);
            }
            ports.schedule(now_ps, link, number);
        }
        self.ports = Some(ports);
        for (number, &owner) in owners.iter().enumerate() {
            self.change_link(now_ps, LinkId::at(number), |_link| {});
            self.wake(NodeId(owner), NEVER_PS);
        }
    }

    /// Something was queued, or a timer was set, at a node while that was not being run.
    pub fn wake(&mut self, node: NodeId, timer_ps: u64) {
        let service_ps = self.ports.as_ref().map_or(NEVER_PS, |ports| time_of(ports.services.top_of(node)));
        self.lower_next_event(node, service_ps.min(timer_ps));
    }

    /// The port that feeds a link, to be read.
    pub fn port(&self, link: LinkId) -> Port<'_> {
        let queues = self.ports.as_ref().and_then(|ports| ports.queues.get(link.index()));
        Port { link: &self.links[link.index()], queues }
    }

    /// Whether the port of a host takes another packet of a connection. One that is paced waits in the connection and not
    /// in the port: the port takes its next packet when none waits and no pause holds it.
    #[inline]
    pub fn takes(&self, bound: &Bound, paced: bool, now_ps: u64) -> bool {
        if let Some(ports) = &self.ports {
            let queues = &ports.queues[bound.link.index()];
            let waiting = queues.waiting_at(bound.priority);
            return if paced { waiting == 0 && !queues.is_paused(bound.priority) } else { waiting < bound.packets };
        }
        let backlog_ps = self.links[bound.link.index()].backlog_ps(now_ps);
        if paced { backlog_ps <= bound.packet_ps() } else { backlog_ps < bound.ps }
    }

    /// When the port of a host will have drained so far that it is worth while to give it more: to half of what it may
    /// hold, or to the packet in transmission if what comes next is paced. None where the port tells by itself, with
    /// [`Drained`].
    pub fn drained_ps(&self, bound: &Bound, paced: bool, now_ps: u64) -> Option<u64> {
        if self.ports.is_some() {
            return None;
        }
        let left_ps = if paced { bound.packet_ps() } else { bound.ps / 2 };
        let backlog_ps = self.links[bound.link.index()].backlog_ps(now_ps);
        Some(now_ps + backlog_ps.saturating_sub(left_ps).max(1))
    }

    /// Longest and shortest queue of a port since the last call.
    pub fn take_queue_range(&mut self, now_ps: u64, link: LinkId) -> QueueRange {
        let packets = self.port(link).queue_packets(now_ps);
        match &mut self.ports {
            Some(ports) => ports.queues[link.index()].take_range(packets),
            None => self.links[link.index()].take_queue_range(now_ps),
        }
    }

    /// Frames of flow control so far.
    pub fn pauses(&self) -> PauseCounters {
        self.ports.as_ref().map_or(PauseCounters::default(), |ports| ports.pauses)
    }

    /// Time that all links together have been held by pauses.
    pub fn paused_ps(&self, now_ps: u64) -> u64 {
        let queues = self.ports.iter().flat_map(|ports| &ports.queues);
        queues.map(|queues| queues.paused_ps(now_ps)).sum()
    }

    /// Links that have held each other up since `since_ps` or longer and will never go on.
    pub fn deadlock(&self, since_ps: u64) -> Vec<LinkId> {
        self.ports.as_ref().map_or_else(Vec::new, |ports| ports.deadlock(since_ps))
    }

    /// A node has been run: states when it next has something to do, given when its next timer fires.
    #[inline]
    pub fn refresh_next_event(&mut self, node: NodeId, timer_ps: u64) {
        self.earliest_ps[node.index()] = self.next_event_ps(node).min(timer_ps);
    }

    /// When a packet next reaches a node, or the end of a transmission there.
    #[inline]
    pub fn next_event_ps(&self, node: NodeId) -> u64 {
        let service_ps = self.ports.as_ref().map_or(NEVER_PS, |ports| time_of(ports.services.top_of(node)));
        let held_ps = if self.delays { self.held[node.index()].next_ps() } else { NEVER_PS };
        time_of(self.order.top_of(node)).min(service_ps).min(held_ps)
    }

    /// A timer was set at a node while that was not being run.
    pub fn lower_next_event(&mut self, node: NodeId, timer_ps: u64) {
        let earliest_ps = &mut self.earliest_ps[node.index()];
        *earliest_ps = timer_ps.min(*earliest_ps);
    }

    /// By node: nothing happens there earlier.
    #[inline]
    pub fn earliest_ps(&self) -> &[u64] {
        &self.earliest_ps
    }

    /// Minimum delay of all links.
    pub fn lookahead_ps(&self) -> u64 {
        self.links.iter().map(Link::delay_ps).min().unwrap_or(1)
    }

    /// A link.
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// All links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Changes a link, such as its delay, at `now`.
    pub fn change_link(&mut self, now_ps: u64, link: LinkId, change: impl FnOnce(&mut Link)) {
        change(&mut self.links[link.index()]);
        let (key, FarEnd { node, leaf }) = next_key(&self.links[link.index()], link.0, now_ps);
        self.order.set(leaf, key);
        self.lower_next_event(node, time_of(key));
    }

    /// Links travelled by packets since the start of the run.
    pub fn packet_hops(&self) -> u64 {
        self.packet_hops
    }

    /// Sum of the scrambled (instant, link) of every arrival: equal only if every packet arrived everywhere at the same
    /// instants.
    pub fn trace(&self) -> u64 {
        self.trace
    }
}

/// Key of a link's next arrival, and where it goes. Never in the past: a delay that was shortened while packets were on the
/// wire brings those in at once.
#[inline(always)]
fn next_key(link: &Link, number: u32, now_ps: u64) -> (u64, FarEnd) {
    let next = link.next_arrival_ps();
    (next.map_or(IDLE, |at_ps| key(at_ps.max(now_ps), number)), link.far_end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::LAST_PS;
    use crate::network::link::QueuePolicy;

    /// Host 0, switch 1, host 2, and links 0 → 1 → 2 → 1 → 0.
    fn line() -> Network {
        let link = || Link::new(10_000_000_000, 1000, 52, QueuePolicy::UNBOUNDED, 1);
        let mut network = Network::new(3, [1, 2, 1, 0].map(|node| (link(), NodeId(node))).into(), true);
        network.connect(&[LinkId(0), LinkId(1)], &[LinkId(2), LinkId(3)]);
        network
    }

    const PASSAGE_PS: u64 = 1500 * 800 + 1000;

    #[test]
    fn a_packet_follows_its_path_one_event_per_link() {
        let mut network = line();
        network.send(0, Packet { length: 1448, ..Packet::default() });
        assert_eq!(network.earliest_ps(), [NEVER_PS, PASSAGE_PS, NEVER_PS]);
        network.run_switch(NodeId(1), PASSAGE_PS + 1);
        let delivery = network.next_arrival(NodeId(2), LAST_PS);
        assert_eq!(delivery.map(|delivery| delivery.at_ps), Some(2 * PASSAGE_PS));
        assert_eq!(network.packet_hops(), 2);
        assert!(network.next_arrival(NodeId(2), LAST_PS).is_none());
    }

    #[test]
    fn stops_before_the_limit_and_goes_on_after_it() {
        let mut network = line();
        network.send(0, Packet { length: 1448, ..Packet::default() });
        network.run_switch(NodeId(1), PASSAGE_PS);
        assert_eq!(network.packet_hops(), 0);
        network.run_switch(NodeId(1), PASSAGE_PS + 1);
        assert_eq!(network.packet_hops(), 1);
    }

    #[test]
    fn shortening_a_delay_never_sends_a_packet_into_the_past() {
        let mut network = line();
        network.change_link(0, LinkId(0), |link| link.set_delay(50_000_000));
        network.send(0, Packet { length: 1448, ..Packet::default() });
        network.change_link(10_000_000, LinkId(0), |link| link.set_delay(0));
        assert_eq!(network.earliest_ps()[1], 10_000_000);
        network.run_switch(NodeId(1), LAST_PS);
        assert_eq!(network.earliest_ps()[2], 10_000_000 + PASSAGE_PS);
    }
}
