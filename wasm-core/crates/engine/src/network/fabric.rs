//! All links, the paths through them, and the order in which packets arrive.
//!
//! There is no list of all events. A packet that leaves a node now reaches the next one no sooner than the *lookahead*
//! from now, the least delay of any link. So within a window of that length each node can be run on its own: what it sends
//! lands in a later window, and what it takes from a link had left the port at the other end before the window began, so
//! the queue there is not touched. A node's links stay in the cache while it runs, and its order of arrivals is a tree
//! over a few links.

use crate::kernel::digest::scramble;
use crate::kernel::ids::{FlowId, LinkId, NodeId};
use crate::kernel::time::NEVER_PS;
use crate::kernel::winner_tree::{IDLE, Leaf, WinnerTrees, key, link_of, time_of};
use crate::network::link::{Link, Offered};
use crate::network::packet::{ACK, Packet};

/// End of a path.
const END: u16 = u16::MAX;

/// Where the two paths of a connection begin in the table of paths.
#[derive(Clone, Copy, Debug)]
struct Paths {
    data: u32,
    acknowledgements: u32,
}

/// The far end of a link.
#[derive(Clone, Copy, Debug)]
struct FarEnd {
    node: u32,
    leaf: Leaf,
}

/// A packet that has reached the host it was meant for.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// When its last bit arrived and was processed.
    pub at_ps: u64,
    /// The packet.
    pub packet: Packet,
}

/// The network: links in an arena, source routes, and for every node the order of arrivals.
#[derive(Clone, Debug)]
pub struct Fabric {
    links: Vec<Link>,
    far_ends: Vec<FarEnd>,
    order: WinnerTrees,
    /// By node: nothing happens there earlier. Exact after [`Self::settle`], lowered when a packet is sent there.
    earliest_ps: Vec<u64>,
    /// Link numbers of all paths, each closed by [`END`].
    hops: Vec<u16>,
    paths: Vec<Paths>,
    packet_hops: u64,
    trace: u64,
}

impl Fabric {
    /// A network of idle links and no connections. Each link comes with the node it leads to.
    pub fn new(nodes: usize, links: Vec<(Link, NodeId)>) -> Self {
        let ends: Vec<u32> = links.iter().map(|(_, node)| node.0).collect();
        let (order, leaves) = WinnerTrees::new(nodes, &ends);
        let far_ends = ends.into_iter().zip(leaves).map(|(node, leaf)| FarEnd { node, leaf }).collect();
        Self {
            links: links.into_iter().map(|(link, _)| link).collect(),
            far_ends,
            order,
            earliest_ps: vec![NEVER_PS; nodes],
            hops: Vec::new(),
            paths: Vec::new(),
            packet_hops: 0,
            trace: 0,
        }
    }

    /// Adds a connection with the path of its data and that of its acknowledgements. Neither may be empty.
    pub fn connect(&mut self, data: &[LinkId], acknowledgements: &[LinkId]) -> FlowId {
        let flow = FlowId(self.paths.len() as u32);
        let data = self.add_path(data);
        let acknowledgements = self.add_path(acknowledgements);
        self.paths.push(Paths { data, acknowledgements });
        flow
    }

    fn add_path(&mut self, path: &[LinkId]) -> u32 {
        let start = self.hops.len() as u32;
        self.hops.extend(path.iter().map(|link| link.0 as u16));
        self.hops.push(END);
        start
    }

    #[inline]
    fn next_hop(&self, packet: &Packet) -> u16 {
        let paths = &self.paths[packet.flow as usize];
        let start = if packet.has(ACK) { paths.acknowledgements } else { paths.data };
        self.hops[start as usize + packet.hop as usize]
    }

    /// A host sends a packet on its way. An acknowledgement overtakes data that waits in the host's own port.
    #[inline]
    pub fn send(&mut self, now_ps: u64, packet: Packet) {
        let hop = self.next_hop(&packet);
        let link = &mut self.links[hop as usize];
        let offered = if packet.has(ACK) { link.offer_ahead(now_ps, packet) } else { link.offer(now_ps, packet) };
        self.schedule(hop, offered);
    }

    /// Puts a link whose ring was empty into the order of arrivals.
    #[inline(always)]
    fn schedule(&mut self, link: u16, offered: Offered) {
        if offered == Offered::First {
            let key = self.next_key(u32::from(link), 0);
            let FarEnd { node, leaf } = self.far_ends[link as usize];
            self.order.set(leaf, key);
            let earliest_ps = &mut self.earliest_ps[node as usize];
            *earliest_ps = time_of(key).min(*earliest_ps);
        }
    }

    /// Key of a link's next arrival, but never in the past: a delay that was shortened while packets were on the wire
    /// brings those in at once.
    #[inline]
    fn next_key(&self, link: u32, now_ps: u64) -> u64 {
        let next = self.links[link as usize].next_arrival_ps();
        next.map_or(IDLE, |at_ps| key(at_ps.max(now_ps), link))
    }

    /// Takes the next packet that arrives at a node before `limit_ps`.
    #[inline(always)]
    fn arrive(&mut self, node: u32, limit_ps: u64) -> Option<Delivery> {
        let top = self.order.top(node);
        let at_ps = time_of(top);
        if at_ps >= limit_ps {
            return None;
        }
        self.packet_hops += 1;
        self.trace = self.trace.wrapping_add(scramble(top));
        let link = link_of(top);
        let mut packet = self.links[link as usize].arrive();
        let next = self.next_key(link, at_ps);
        self.order.replace_top(self.far_ends[link as usize].leaf, next);
        packet.hop += 1;
        Some(Delivery { at_ps, packet })
    }

    /// Forwards all packets that arrive at a switch before `limit_ps`.
    pub fn run_switch(&mut self, node: NodeId, limit_ps: u64) {
        while let Some(Delivery { at_ps, packet }) = self.arrive(node.0, limit_ps) {
            let hop = self.next_hop(&packet);
            let offered = self.links[hop as usize].offer(at_ps, packet);
            self.schedule(hop, offered);
        }
    }

    /// Takes the next packet delivered to a host before `limit_ps`, at most [`crate::kernel::time::LAST_PS`].
    #[inline]
    pub fn next_delivery(&mut self, node: NodeId, limit_ps: u64) -> Option<Delivery> {
        loop {
            let delivery = self.arrive(node.0, limit_ps)?;
            let hop = self.next_hop(&delivery.packet);
            if hop == END {
                return Some(delivery);
            }
            // A delay line of the host itself.
            let offered = self.links[hop as usize].offer(delivery.at_ps, delivery.packet);
            self.schedule(hop, offered);
        }
    }

    /// A node has been run: states when it next has something to do, given when its next timer fires.
    #[inline]
    pub fn settle(&mut self, node: NodeId, timer_ps: u64) {
        self.earliest_ps[node.index()] = time_of(self.order.top(node.0)).min(timer_ps);
    }

    /// A timer was set at a node while that was not being run.
    pub fn expect(&mut self, node: NodeId, timer_ps: u64) {
        let earliest_ps = &mut self.earliest_ps[node.index()];
        *earliest_ps = timer_ps.min(*earliest_ps);
    }

    /// By node: nothing happens there earlier.
    #[inline]
    pub fn earliest_ps(&self) -> &[u64] {
        &self.earliest_ps
    }

    /// Least delay of the first `links` links.
    pub fn lookahead_ps(&self, links: usize) -> u64 {
        self.links[..links].iter().map(Link::delay_ps).min().unwrap_or(1)
    }

    /// A link.
    pub fn link(&self, link: LinkId) -> &Link {
        &self.links[link.index()]
    }

    /// A link, to be read with its cursors brought up to date.
    pub fn link_mut(&mut self, link: LinkId) -> &mut Link {
        &mut self.links[link.index()]
    }

    /// All links.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Changes a link, such as its delay, at `now`.
    pub fn change_link(&mut self, now_ps: u64, link: LinkId, change: impl FnOnce(&mut Link)) {
        change(&mut self.links[link.index()]);
        let key = self.next_key(link.0, now_ps);
        let FarEnd { node, leaf } = self.far_ends[link.index()];
        self.order.set(leaf, key);
        self.expect(NodeId(node), time_of(key));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::time::LAST_PS;
    use crate::network::link::QueuePolicy;

    /// Host 0, switch 1, host 2, and links 0 → 1 → 2 → 1 → 0.
    fn line() -> Fabric {
        let link = || Link::new(10_000_000_000, 1000, 52, QueuePolicy::UNBOUNDED, 1);
        let mut fabric = Fabric::new(3, [1, 2, 1, 0].map(|node| (link(), NodeId(node))).into());
        fabric.connect(&[LinkId(0), LinkId(1)], &[LinkId(2), LinkId(3)]);
        fabric
    }

    const PASSAGE_PS: u64 = 1500 * 800 + 1000;

    #[test]
    fn a_packet_follows_its_path_one_event_per_link() {
        let mut fabric = line();
        fabric.send(0, Packet { length: 1448, ..Packet::default() });
        assert_eq!(fabric.earliest_ps(), [NEVER_PS, PASSAGE_PS, NEVER_PS]);
        fabric.run_switch(NodeId(1), PASSAGE_PS + 1);
        let delivery = fabric.next_delivery(NodeId(2), LAST_PS).expect("delivered");
        assert_eq!(delivery.at_ps, 2 * PASSAGE_PS);
        assert_eq!(fabric.packet_hops(), 2);
        assert!(fabric.next_delivery(NodeId(2), LAST_PS).is_none());
    }

    #[test]
    fn stops_before_the_limit_and_goes_on_after_it() {
        let mut fabric = line();
        fabric.send(0, Packet { length: 1448, ..Packet::default() });
        fabric.run_switch(NodeId(1), PASSAGE_PS);
        assert_eq!(fabric.packet_hops(), 0);
        fabric.run_switch(NodeId(1), PASSAGE_PS + 1);
        assert_eq!(fabric.packet_hops(), 1);
    }

    #[test]
    fn shortening_a_delay_never_sends_a_packet_into_the_past() {
        let mut fabric = line();
        fabric.change_link(0, LinkId(0), |link| link.set_delay(50_000_000));
        fabric.send(0, Packet { length: 1448, ..Packet::default() });
        fabric.change_link(10_000_000, LinkId(0), |link| link.set_delay(0));
        assert_eq!(fabric.earliest_ps()[1], 10_000_000);
        fabric.run_switch(NodeId(1), LAST_PS);
        assert_eq!(fabric.earliest_ps()[2], 10_000_000 + PASSAGE_PS);
    }
}
