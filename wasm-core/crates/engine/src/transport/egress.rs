//! The ports of hosts, as their connections share them.
//!
//! A host's port takes data of its connections only up to a bound (like the byte queue limits of real stacks); beyond it
//! a connection waits its turn, a few packets at a time, so that connections share the port evenly, a queue builds in
//! the connection and not in the port, and a connection that its own port holds back does not grow its window.
//! Acknowledgements do not count and may overtake data. Where ports have queues by priority, each queue has such a bound.
//! A network card does not buffer what it paces: it takes the next packet of a connection over RDMA only when none waits,
//! and none while the priority is paused. Connections of an urgent sub-class go before the others that wait for the same queue:
//! a matter of the host alone, the packets of both are of one priority.

use std::collections::VecDeque;

use crate::kernel::convert::{byte, index_u32};
use crate::kernel::ids::{FlowId, LinkId};
use crate::network::forwarding::Network;
use crate::network::packet::PRIORITIES;
use crate::network::port::Bound;
use crate::transport::timer::{Timer, Timers};

/// Packets a connection sends before the next one waiting for the same port gets its turn.
pub const TURN_PACKETS: u32 = 4;

/// In place of the index of a queue.
const NONE: u32 = u32::MAX;

/// A queue of a host's own port, and the connections that wait for it.
#[derive(Clone, Debug)]
struct Queue {
    bound: Bound,
    /// Of an urgent sub-class, and the others.
    lines: [VecDeque<FlowId>; 2],
    timer_set: bool,
}

/// Places of the lines of a queue.
const URGENT: usize = 0;
const OTHERS: usize = 1;

/// The ports of all hosts.
#[derive(Clone, Debug)]
pub struct HostEgress {
    /// Data that a port may hold, in packets.
    bound_packets: u32,
    queues: Vec<Queue>,
    /// Index of a queue, by link and priority; [`NONE`] where no connection sends.
    queue_at: Vec<[u32; PRIORITIES]>,
    /// By connection: its queue.
    queue_of: Vec<u32>,
    /// By connection: the line of its queue.
    line_of: Vec<u8>,
}

impl HostEgress {
    /// No ports yet. Each may hold `bound_packets` packets of data.
    pub fn new(bound_packets: u32) -> Self {
        Self { bound_packets, queues: Vec::new(), queue_at: Vec::new(), queue_of: Vec::new(), line_of: Vec::new() }
    }

    /// The next connection sends by a port at a priority, perhaps in an urgent sub-class. The port may hold data worth `bound_ps`.
    pub fn add(&mut self, link: LinkId, priority: u8, urgent: bool, bound_ps: u64) {
        let queue = self.queue(link, priority, bound_ps);
        self.queue_of.push(queue);
        self.line_of.push(line(urgent));
    }

    /// The queue of a port at a priority.
    fn queue(&mut self, link: LinkId, priority: u8, ps: u64) -> u32 {
        if self.queue_at.len() <= link.index() {
            self.queue_at.resize(link.index() + 1, [NONE; PRIORITIES]);
        }
        let index = &mut self.queue_at[link.index()][usize::from(priority)];
        if *index == NONE {
            *index = index_u32(self.queues.len());
            let bound = Bound { link, priority, packets: self.bound_packets, ps };
            self.queues.push(Queue { bound, lines: Default::default(), timer_set: false });
        }
        *index
    }

    /// What the port of a connection takes.
    #[inline]
    pub fn bound(&self, flow: FlowId) -> &Bound {
        &self.queues[self.queue_of[flow.index()] as usize].bound
    }

    /// Whether a connection may hand over a packet now. If not, it waits for its turn.
    #[inline]
    pub fn admits(&mut self, flow: FlowId, paced: bool, now_ps: u64, network: &Network, timers: &mut Timers) -> bool {
        let index = self.queue_of[flow.index()];
        let queue = &mut self.queues[index as usize];
        let waits_for = |line: usize| !queue.lines[line].is_empty();
        let own = || usize::from(self.line_of[flow.index()]);
        let is_next = !waits_for(URGENT) && (!waits_for(OTHERS) || own() == URGENT);
        if is_next && network.takes(&queue.bound, paced, now_ps) {
            return true;
        }
        let own = own();
        queue.lines[own].push_back(flow);
        queue.set_timer(index, paced, now_ps, network, timers);
        false
    }

    /// The queue of a port at a priority, if connections use it.
    pub fn queue_at(&self, link: LinkId, priority: u8) -> Option<u32> {
        let index = self.queue_at.get(link.index())?[usize::from(priority)];
        (index != NONE).then_some(index)
    }

    /// The queue of a connection.
    pub fn queue_of(&self, flow: FlowId) -> u32 {
        self.queue_of[flow.index()]
    }

    /// A queue has drained: connections take turns until it is full again.
    pub fn on_drained(&mut self, queue: u32) {
        self.queues[queue as usize].timer_set = false;
    }

    /// The connection whose turn it is at a queue, if that takes its next packet. `paced` tells whether a connection is.
    pub fn next_turn(
        &mut self,
        index: u32,
        paced: impl FnOnce(FlowId) -> bool,
        now_ps: u64,
        network: &Network,
        timers: &mut Timers,
    ) -> Option<FlowId> {
        let queue = &mut self.queues[index as usize];
        let line = if queue.lines[URGENT].is_empty() { OTHERS } else { URGENT };
        let paced = paced(*queue.lines[line].front()?);
        if network.takes(&queue.bound, paced, now_ps) {
            return queue.lines[line].pop_front();
        }
        queue.set_timer(index, paced, now_ps, network, timers);
        None
    }

    /// The turn of a connection is over, and it has more to send: it waits for the next.
    pub fn wait_again(&mut self, flow: FlowId) {
        let line = usize::from(self.line_of[flow.index()]);
        self.queues[self.queue_of[flow.index()] as usize].lines[line].push_back(flow);
    }

    /// The packets of a connection have another priority, or sub-class, from now on.
    pub fn move_to(&mut self, flow: FlowId, priority: u8, urgent: bool) {
        let old = self.queue_of[flow.index()] as usize;
        let Bound { link, ps, .. } = self.queues[old].bound;
        let new = self.queue(link, priority, ps);
        self.queue_of[flow.index()] = new;
        let old_line = usize::from(std::mem::replace(&mut self.line_of[flow.index()], line(urgent)));
        let waiting = &mut self.queues[old].lines[old_line];
        if let Some(position) = waiting.iter().position(|&waiting| waiting == flow) {
            waiting.remove(position);
            self.wait_again(flow);
        }
    }

    /// Changes how much data ports may hold, after a change of their rate.
    pub fn set_bound(&mut self, bound_ps: impl Fn(LinkId) -> u64) {
        for queue in &mut self.queues {
            queue.bound.ps = bound_ps(queue.bound.link);
        }
    }
}

/// The line of a connection.
fn line(urgent: bool) -> u8 {
    byte(index_u32(if urgent { URGENT } else { OTHERS }))
}

impl Queue {
    /// Fires when the queue has drained far enough, unless the port tells by itself.
    fn set_timer(&mut self, index: u32, paced: bool, now_ps: u64, network: &Network, timers: &mut Timers) {
        if !self.timer_set
            && let Some(drained_ps) = network.drained_ps(&self.bound, paced, now_ps)
        {
            self.timer_set = true;
            timers.set(drained_ps, Timer::PortReady(index));
        }
    }
}
