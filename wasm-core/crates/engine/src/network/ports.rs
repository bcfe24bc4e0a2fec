//! Ports that tell priorities apart, share memory or can be paused: what they need beside their links.

use crate::kernel::convert::{byte, index_u32, short};
use crate::kernel::ids::LinkId;
use crate::kernel::time::NEVER_PS;
use crate::kernel::winner_tree::{IDLE, Leaf, WinnerTrees, key};
use crate::network::link::Link;
use crate::network::memory::{Charge, Ingress, Memory, MemoryPolicy};
use crate::network::packet::{ACK, CONTROL_PRIORITY, PRIORITY_LEVELS, Packet};
use crate::network::queues::{Queues, Waiting};

/// How the ports of a network treat packets that cannot be sent at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortPolicy {
    /// By node: the memory its ports share; none where every port has a buffer of its own.
    pub memories: Vec<Option<MemoryPolicy>>,
    /// By link: headroom of each priority at its far end, in bytes.
    pub headroom_bytes: Vec<u64>,
    /// Packets are marked by the queue they leave behind, not by the one they find.
    pub mark_on_departure: bool,
    /// A host is told when a queue of its port has drained to this many packets, and when it is empty.
    pub drained_packets: u32,
    /// Acknowledgements overtake data in the port of the host that sends them.
    pub acks_overtake: bool,
}

impl PortPolicy {
    /// First-in-first-out with a buffer for every port, in ports that can do more.
    pub fn plain(self) -> Self {
        Self { memories: vec![None; self.memories.len()], mark_on_departure: false, ..self }
    }
}

/// Frames of flow control since the start of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PauseCounters {
    /// Pauses sent by switches. Hosts take what they are sent and never pause.
    pub sent: u64,
    /// Pauses that have reached switches.
    pub received_by_switches: u64,
    /// Pauses that have reached hosts.
    pub received_by_hosts: u64,
}

/// The ports of all nodes.
#[derive(Clone, Debug)]
pub struct Ports {
    /// By link: what waits in the port that feeds it.
    pub queues: Vec<Queues>,
    /// By node: when the next transmission ends behind which a packet waits.
    pub services: WinnerTrees,
    leaves: Vec<Leaf>,
    /// By link: the node whose port feeds it.
    owners: Vec<u32>,
    hosts: Vec<bool>,
    /// By link: what its packets hold of the memory at its far end.
    ingresses: Vec<Ingress>,
    memories: Vec<Option<Memory>>,
    mark_on_departure: bool,
    drained_packets: u32,
    acks_overtake: bool,
    pub(super) pauses: PauseCounters,
}

/// What a node must do beside handing a packet to a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowControl {
    /// The link whose sender is meant.
    pub ingress: u16,
    /// The priority.
    pub priority: u8,
    /// Pause, or end of a pause.
    pub pauses: bool,
}

/// What became of a packet that wants to leave by a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// The port is idle: the packet can be sent at once.
    Through,
    /// It waits.
    Waits {
        /// Nothing waited that may be sent, so that nobody looks at the port when its transmission ends.
        wakes: bool,
        /// The sender is to be paused.
        flow_control: Option<FlowControl>,
    },
    /// There was no room, or the cable is down.
    Dropped,
}

impl Ports {
    /// Ports of a network in which nothing waits. `owners` and `far_ends` name the nodes at both ends of every link.
    pub fn new(owners: Vec<u32>, hosts: Vec<bool>, port_policy: &PortPolicy) -> Self {
        let (services, leaves) = WinnerTrees::new(hosts.len(), &owners);
        let memories = port_policy.memories.iter().map(|policy| policy.map(Memory::new)).collect();
        let mut ports = Self {
            queues: vec![Queues::default(); owners.len()],
            services,
            leaves,
            ingresses: vec![Ingress::default(); owners.len()],
            owners,
            hosts,
            memories,
            mark_on_departure: port_policy.mark_on_departure,
            drained_packets: port_policy.drained_packets,
            acks_overtake: port_policy.acks_overtake,
            pauses: PauseCounters::default(),
        };
        ports.set_headroom(port_policy);
        ports
    }

    /// A packet that waited in a port of another kind goes on waiting here.
    pub fn take_over(&mut self, now_ps: u64, link: &Link, number: u16, packet: Packet) {
        let (priority, bytes) = (self.queue_of(number, &packet), short(link.wire_bytes(&packet)));
        let waiting = Waiting { packet, ingress: number, bytes, charge: Charge::Nothing };
        self.queues[usize::from(number)].push(now_ps, priority, waiting);
    }

    fn set_headroom(&mut self, port_policy: &PortPolicy) {
        for (ingress, &bytes) in self.ingresses.iter_mut().zip(&port_policy.headroom_bytes) {
            ingress.set_headroom(bytes);
        }
    }

    /// Takes over other rules. Returns the pauses that end with them.
    pub fn apply_settings(&mut self, port_policy: &PortPolicy) -> Vec<FlowControl> {
        self.mark_on_departure = port_policy.mark_on_departure;
        self.drained_packets = port_policy.drained_packets;
        self.set_headroom(port_policy);
        for (memory, policy) in self.memories.iter_mut().zip(&port_policy.memories) {
            match (memory, policy) {
                (Some(memory), Some(policy)) => memory.set_policy(*policy),
                (memory, policy) => *memory = policy.map(Memory::new),
            }
        }
        let mut ended = Vec::new();
        for link in 0..short(index_u32(self.ingresses.len())) {
            // A link's packets are charged to the node at its far end, which owns the reverse link.
            let node = self.owners[usize::from(reverse(link))] as usize;
            let ingress = &mut self.ingresses[usize::from(link)];
            match &mut self.memories[node] {
                Some(memory) if memory.policy().pauses => memory.recount(ingress),
                memory => {
                    ended.extend(ingress.take_paused().map(|priority| FlowControl {
                        ingress: link,
                        priority,
                        pauses: false,
                    }));
                    match memory {
                        Some(memory) => memory.recount(ingress),
                        None => ingress.forget(),
                    }
                }
            }
        }
        self.forget_charges();
        ended
    }

    /// What waits in a node without memory is charged to none: that which it was charged to may be gone.
    fn forget_charges(&mut self) {
        let Self { owners, memories, queues, .. } = self;
        let without = owners.iter().zip(queues).filter(|&(&owner, _)| memories[owner as usize].is_none());
        for waiting in without.flat_map(|(_, queues)| queues.iter_mut()) {
            waiting.charge = Charge::Nothing;
        }
    }

    /// Whether a node is a host.
    #[inline]
    pub fn is_host(&self, node: u32) -> bool {
        self.hosts[node as usize]
    }

    /// The queue a packet waits in: its priority decides, but at a host acknowledgements may overtake data.
    #[inline]
    fn queue_of(&self, link: u16, packet: &Packet) -> u8 {
        let overtakes = self.acks_overtake && packet.has(ACK) && self.hosts[self.owners[usize::from(link)] as usize];
        if overtakes { CONTROL_PRIORITY } else { packet.priority() }
    }

    /// A packet that came by the link `ingress` wants to leave by `link`.
    #[inline]
    pub fn enqueue(&mut self, now_ps: u64, link: &mut Link, number: u16, mut packet: Packet, ingress: u16) -> Enqueued {
        if link.is_down() {
            link.drop_packet(&packet);
            return Enqueued::Dropped;
        }
        let priority = self.queue_of(number, &packet);
        let queues = &mut self.queues[usize::from(number)];
        let busy = link.busy_until_ps() > now_ps;
        let queued = queues.packets() + u32::from(busy);
        queues.observe(queued);
        if !busy && !queues.is_paused(priority) && !queues.is_ready() {
            queues.observe(queued + 1);
            link.count_joined();
            // Nothing is found, and nothing left behind.
            link.mark(&mut packet, 0);
            return Enqueued::Through;
        }
        let node = self.owners[usize::from(number)] as usize;
        let bytes = link.wire_bytes(&packet);
        let charge = match &mut self.memories[node] {
            Some(_) if packet.has(ACK) => Some(Charge::Nothing),
            Some(memory) => memory.admit(&mut self.ingresses[usize::from(ingress)], priority, bytes),
            None => fits(link, queues, now_ps, queued, priority).then_some(Charge::Nothing),
        };
        let Some(charge) = charge else {
            link.drop_packet(&packet);
            return Enqueued::Dropped;
        };
        if !self.mark_on_departure {
            link.mark(&mut packet, queues.waiting_at(priority) + u32::from(busy));
        }
        link.count_joined();
        let wakes = !queues.is_ready();
        queues.push(now_ps, priority, Waiting { packet, ingress, bytes: short(bytes), charge });
        queues.observe(queued + 1);
        if charge == Charge::Ingress
            && let Some(memory) = &self.memories[node]
            && memory.must_pause(&mut self.ingresses[usize::from(ingress)], priority)
        {
            let flow_control = Some(FlowControl { ingress, priority, pauses: true });
            return Enqueued::Waits { wakes, flow_control };
        }
        Enqueued::Waits { wakes, flow_control: None }
    }

    /// Takes the packet that a port sends next, with the pause that ends because it leaves.
    #[inline]
    pub fn dequeue(&mut self, now_ps: u64, link: &mut Link, number: u16) -> Option<(Departure, Option<FlowControl>)> {
        let queues = &mut self.queues[usize::from(number)];
        let (priority, Waiting { mut packet, ingress, bytes, charge }) = queues.pop(now_ps)?;
        let left = queues.waiting_at(priority);
        if self.mark_on_departure {
            link.mark(&mut packet, left);
        }
        let mut ended = None;
        if charge != Charge::Nothing
            && let Some(memory) = &mut self.memories[self.owners[usize::from(number)] as usize]
        {
            let from = &mut self.ingresses[usize::from(ingress)];
            memory.release(from, priority, u32::from(bytes), charge);
            let resumes = charge == Charge::Ingress && memory.may_resume(from, priority);
            ended = resumes.then_some(FlowControl { ingress, priority, pauses: false });
        }
        Some((Departure { packet, priority, drained: left == self.drained_packets || left == 0 }, ended))
    }

    /// The cable of a link has failed: what waits for it is lost, and nobody is paused over it any more. Returns the pauses
    /// of others that end because memory is free again.
    pub fn cut(&mut self, now_ps: u64, link: &mut Link, number: u16) -> Vec<FlowControl> {
        (0..PRIORITY_LEVELS).for_each(|priority| self.queues[usize::from(number)].set_paused(now_ps, priority, false));
        let _cut_off = self.ingresses[usize::from(number)].take_paused();
        let mut ended = Vec::new();
        while let Some((departure, pause)) = self.dequeue(now_ps, link, number) {
            link.count_lost(&departure.packet);
            ended.extend(pause);
        }
        ended
    }

    /// States when the port of a link next has to be looked at: when its transmission ends, if a packet may follow it.
    #[inline]
    pub fn schedule(&mut self, now_ps: u64, link: &Link, number: u16) {
        let ready = self.queues[usize::from(number)].is_ready();
        let key = if ready { key(link.busy_until_ps().max(now_ps), u32::from(number)) } else { IDLE };
        self.services.set(self.leaves[usize::from(number)], key);
    }

    /// The node whose port feeds a link.
    #[inline]
    pub fn owner(&self, link: u16) -> u32 {
        self.owners[usize::from(link)]
    }

    /// A frame of flow control has arrived by the link `number`: returns the link whose port it is for, the priority, and
    /// whether that is paused now.
    pub fn handle_pause(&mut self, now_ps: u64, number: u16, frame: &Packet) -> (u16, u8, bool) {
        let port = reverse(number);
        let pauses = frame.length > 0;
        if pauses && self.is_host(self.owner(port)) {
            self.pauses.received_by_hosts += 1;
        } else if pauses {
            self.pauses.received_by_switches += 1;
        }
        let priority = byte(frame.sequence);
        self.queues[usize::from(port)].set_paused(now_ps, priority, pauses);
        (port, priority, pauses)
    }

    /// Links that wait for each other in a circle, all held since `since_ps` or longer: none of them will ever go on.
    ///
    /// A link that is held waits for those by which the packets it has brought to the far node want to leave. Links that
    /// wait only for links that are held in turn are what is left when all others have been struck off.
    pub fn deadlock(&self, since_ps: u64) -> Vec<LinkId> {
        let stuck = |number: usize| {
            let queues = &self.queues[number];
            queues.held() != 0 && queues.paused_since_ps().is_some_and(|held_ps| held_ps <= since_ps)
        };
        let mut candidates: Vec<usize> = (0..self.queues.len()).filter(|&number| stuck(number)).collect();
        loop {
            let left: Vec<usize> = candidates
                .iter()
                .copied()
                .filter(|&number| {
                    let node = self.owners[usize::from(reverse(short(index_u32(number))))];
                    candidates.iter().any(|&next| {
                        let held = self.queues[next].held();
                        let priorities = (0..8).filter(|priority| held & (1 << priority) != 0);
                        let mut waiting = priorities.flat_map(|priority| self.queues[next].iter_at(priority));
                        self.owners[next] == node && waiting.any(|waiting| usize::from(waiting.ingress) == number)
                    })
                })
                .collect();
            if left.len() == candidates.len() {
                return left.into_iter().map(LinkId::at).collect();
            }
            candidates = left;
        }
    }
}

/// A packet about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The packet.
    pub packet: Packet,
    /// The queue it waited in.
    pub priority: u8,
    /// That queue has just drained so far that a host wants to know.
    pub drained: bool,
}

/// The other direction of the same cable: cables are laid as pairs of links.
#[inline]
pub fn reverse(link: u16) -> u16 {
    link ^ 1
}

/// Whether a port with a buffer of its own has room for a packet that finds `queued` packets.
fn fits(link: &Link, queues: &Queues, now_ps: u64, queued: u32, priority: u8) -> bool {
    let policy = link.policy();
    let ordinary = queued - queues.urgent_packets();
    let reserved = priority == 0 && ordinary + policy.urgent_packets >= policy.buffer_packets;
    let waiting_ps = || link.backlog_ps(now_ps).saturating_add(link.transmission_of_all_ps(queues.bytes()));
    queued < policy.buffer_packets && !reserved && (policy.buffer_ps == NEVER_PS || waiting_ps() <= policy.buffer_ps)
}
