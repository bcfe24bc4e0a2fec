//! All links, the paths through them, and the order in which packets arrive.

use crate::kernel::digest::scramble;
use crate::kernel::ids::{FlowId, LinkId};
use crate::kernel::winner_tree::{IDLE, WinnerTree, key, link_of, time_of};
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

/// A packet that has reached the host it was meant for.
#[derive(Clone, Copy, Debug)]
pub struct Delivery {
    /// When its last bit arrived and was processed.
    pub at_ps: u64,
    /// The packet.
    pub packet: Packet,
}

/// The network: links in an arena, source routes, and the next arrival of every link in a winner tree.
#[derive(Clone, Debug)]
pub struct Fabric {
    links: Vec<Link>,
    order: WinnerTree,
    /// Link numbers of all paths, each closed by [`END`].
    hops: Vec<u16>,
    paths: Vec<Paths>,
    packet_hops: u64,
    trace: u64,
}

impl Fabric {
    /// A network of idle links and no connections.
    pub fn new(links: Vec<Link>) -> Self {
        let order = WinnerTree::new(links.len());
        Self { links, order, hops: Vec::new(), paths: Vec::new(), packet_hops: 0, trace: 0 }
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

    /// The first link of a connection's data: the port of the sending host.
    pub fn data_port(&self, flow: FlowId) -> LinkId {
        LinkId(u32::from(self.hops[self.paths[flow.index()].data as usize]))
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
    #[inline]
    fn schedule(&mut self, link: u16, offered: Offered) {
        if offered == Offered::First {
            let key = self.next_key(u32::from(link), 0);
            self.order.set(u32::from(link), key);
        }
    }

    /// Moves packets from switch to switch until one reaches its host before `limit_ps`, and returns it. Returns none
    /// when nothing is left to do before the limit, at most [`crate::kernel::time::LAST_PS`], or when `hops_left` has run out.
    #[inline]
    pub fn next_delivery(&mut self, limit_ps: u64, hops_left: &mut u64) -> Option<Delivery> {
        loop {
            let top = self.order.top();
            let at_ps = time_of(top);
            if at_ps >= limit_ps || *hops_left == 0 {
                return None;
            }
            *hops_left -= 1;
            self.packet_hops += 1;
            self.trace = self.trace.wrapping_add(scramble(top));
            let from = link_of(top);
            let mut packet = self.links[from as usize].arrive();
            let next = self.next_key(from, at_ps);
            self.order.replace_top(from, next);
            packet.hop += 1;
            let hop = self.next_hop(&packet);
            if hop == END {
                return Some(Delivery { at_ps, packet });
            }
            let offered = self.links[hop as usize].offer(at_ps, packet);
            self.schedule(hop, offered);
        }
    }

    /// Key of a link's next arrival, but never in the past: a delay that was shortened while packets were on the wire
    /// brings those in at once.
    #[inline]
    fn next_key(&self, link: u32, now_ps: u64) -> u64 {
        let next = self.links[link as usize].next_arrival_ps();
        next.map_or(IDLE, |at_ps| key(at_ps.max(now_ps), link))
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
        self.order.set(link.0, key);
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

    fn line(links: usize) -> Fabric {
        Fabric::new((0..links).map(|_| Link::new(10_000_000_000, 1000, 52, QueuePolicy::UNBOUNDED, 1)).collect())
    }

    #[test]
    fn a_packet_follows_its_path_one_event_per_link() {
        let mut fabric = line(4);
        let flow = fabric.connect(&[LinkId(0), LinkId(1)], &[LinkId(2), LinkId(3)]);
        fabric.send(0, Packet { flow: flow.0, length: 1448, ..Packet::default() });
        let mut hops = u64::MAX;
        let delivery = fabric.next_delivery(LAST_PS, &mut hops).expect("delivered");
        assert_eq!(delivery.at_ps, 2 * (1500 * 800 + 1000));
        assert_eq!(fabric.packet_hops(), 2);
        assert!(fabric.next_delivery(LAST_PS, &mut hops).is_none());
    }

    #[test]
    fn stops_before_the_limit_and_goes_on_after_it() {
        let mut fabric = line(2);
        let flow = fabric.connect(&[LinkId(0)], &[LinkId(1)]);
        fabric.send(0, Packet { flow: flow.0, length: 1448, ..Packet::default() });
        let mut hops = u64::MAX;
        let arrival = 1500 * 800 + 1000;
        assert!(fabric.next_delivery(arrival, &mut hops).is_none());
        assert_eq!(fabric.next_delivery(arrival + 1, &mut hops).map(|d| d.at_ps), Some(arrival));
    }

    #[test]
    fn shortening_a_delay_never_sends_a_packet_into_the_past() {
        let mut fabric = line(2);
        let flow = fabric.connect(&[LinkId(0)], &[LinkId(1)]);
        fabric.change_link(0, LinkId(0), |link| link.set_delay(50_000_000));
        fabric.send(0, Packet { flow: flow.0, length: 1448, ..Packet::default() });
        fabric.change_link(10_000_000, LinkId(0), |link| link.set_delay(0));
        let mut hops = u64::MAX;
        assert_eq!(fabric.next_delivery(LAST_PS, &mut hops).map(|d| d.at_ps), Some(10_000_000));
    }
}
