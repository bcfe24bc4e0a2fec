//! The memory that the ports of a switch share, and when it makes the switch pause a sender (PFC, IEEE 802.1Qbb).
//!
//! Memory is charged to the port by which a packet came in, at its priority: first to what is guaranteed to that pair,
//! then to the shared part while the pair has less of it than its threshold, then to the headroom. A pair at its threshold
//! pauses its sender; the headroom takes what is still on its way. Without flow control there is no headroom and the packet
//! is dropped. The rules are those of the switch in the simulator of HPCC (SIGCOMM 2019).

use crate::kernel::convert::{saturated, whole};
use crate::network::packet::{PRIORITIES, PRIORITY_LEVELS};

/// One in the fixed-point arithmetic of thresholds.
const ONE_Q16: u64 = 1 << 16;

/// How much of the shared part one port and priority may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threshold {
    /// A multiple of the free memory, in units of 2^-16 (α).
    Dynamic(u64),
    /// Bytes.
    Static(u64),
}

impl Threshold {
    /// A multiple of the free memory.
    pub fn dynamic(alpha: f64) -> Self {
        Self::Dynamic(whole(alpha * ONE_Q16 as f64))
    }
}

/// The rules of a switch's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryPolicy {
    /// Memory beside what is guaranteed, kept as headroom or reserved for urgent packets, in bytes.
    pub shared_bytes: u64,
    /// Memory that only packets with a priority above 0 may use, in bytes.
    pub urgent_bytes: u64,
    /// Guaranteed to each port and priority, in bytes.
    pub guaranteed_bytes: u64,
    /// When a port and priority has enough.
    pub threshold: Threshold,
    /// How far below the threshold a sender that was paused may go on, in bytes.
    pub xon_offset_bytes: u64,
    /// Senders are paused; otherwise packets are dropped.
    pub pauses: bool,
}

/// What one incoming port holds of the memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ingress {
    /// By priority: guaranteed and shared bytes in use.
    used: [u64; PRIORITIES],
    /// By priority: headroom in use.
    headroom_used: [u64; PRIORITIES],
    /// Headroom of each priority.
    headroom_bytes: u64,
    /// Bits of the priorities whose sender is paused.
    pub paused: u8,
}

impl Ingress {
    /// Changes the headroom that each priority has.
    pub fn set_headroom(&mut self, bytes: u64) {
        self.headroom_bytes = bytes;
    }

    /// The priorities whose sender is paused, which from now on count as going on.
    pub fn take_paused(&mut self) -> impl Iterator<Item = u8> + use<> {
        let paused = std::mem::take(&mut self.paused);
        (0..PRIORITY_LEVELS).filter(move |priority| paused & (1 << priority) != 0)
    }

    /// Holds nothing any more.
    pub fn forget(&mut self) {
        *self = Self { headroom_bytes: self.headroom_bytes, ..Self::default() };
    }
}

/// What a packet was charged to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charge {
    /// Nothing: it is not counted.
    #[default]
    Nothing,
    /// The memory reserved for urgent packets.
    Urgent,
    /// Its port and priority.
    Ingress,
}

/// The memory of one switch.
#[derive(Clone, Debug)]
pub struct Memory {
    policy: MemoryPolicy,
    shared_used: u64,
    urgent_used: u64,
}

impl Memory {
    /// Empty memory.
    pub fn new(policy: MemoryPolicy) -> Self {
        Self { policy, shared_used: 0, urgent_used: 0 }
    }

    /// The rules.
    pub fn policy(&self) -> &MemoryPolicy {
        &self.policy
    }

    /// Changes the rules. What is held stays; the ports it is charged to must be told by [`Self::recount`].
    pub fn set_policy(&mut self, policy: MemoryPolicy) {
        self.policy = policy;
        self.shared_used = 0;
    }

    /// Adds what a port holds to the sums, after a change of the rules.
    pub fn recount(&mut self, ingress: &Ingress) {
        self.shared_used += ingress.used.iter().map(|&used| self.shared_part(used)).sum::<u64>();
    }

    /// Bytes of the shared part that one port and priority may take now.
    #[inline]
    fn threshold(&self) -> u64 {
        match self.policy.threshold {
            Threshold::Dynamic(alpha_q16) => {
                let free = self.policy.shared_bytes.saturating_sub(self.shared_used);
                saturated((u128::from(free) * u128::from(alpha_q16)) >> 16)
            }
            Threshold::Static(bytes) => bytes,
        }
    }

    /// Bytes of the shared part in `used`.
    #[inline]
    fn shared_part(&self, used: u64) -> u64 {
        used.saturating_sub(self.policy.guaranteed_bytes)
    }

    /// Finds room for a packet of `bytes` that came in at `priority`; none if it must be dropped.
    #[inline]
    pub fn admit(&mut self, ingress: &mut Ingress, priority: u8, bytes: u32) -> Option<Charge> {
        let bytes = u64::from(bytes);
        if priority > 0 && self.urgent_used + bytes <= self.policy.urgent_bytes {
            self.urgent_used += bytes;
            return Some(Charge::Urgent);
        }
        let pair = priority as usize;
        let (before, after) = (ingress.used[pair], ingress.used[pair] + bytes);
        let (shared_before, shared_after) = (self.shared_part(before), self.shared_part(after));
        let fits = self.shared_used + (shared_after - shared_before) <= self.policy.shared_bytes;
        if shared_after == 0 || (shared_after <= self.threshold() && fits && ingress.headroom_used[pair] == 0) {
            ingress.used[pair] = after;
            self.shared_used += shared_after - shared_before;
            return Some(Charge::Ingress);
        }
        if self.policy.pauses && ingress.headroom_used[pair] + bytes <= ingress.headroom_bytes {
            ingress.headroom_used[pair] += bytes;
            return Some(Charge::Ingress);
        }
        None
    }

    /// Whether the sender of a port and priority must be paused now; remembered as done.
    #[inline]
    pub fn must_pause(&self, ingress: &mut Ingress, priority: u8) -> bool {
        let (pair, bit) = (priority as usize, 1 << priority);
        if !self.policy.pauses || ingress.paused & bit != 0 {
            return false;
        }
        let full = ingress.headroom_used[pair] > 0 || self.shared_part(ingress.used[pair]) >= self.threshold();
        ingress.paused |= if full { bit } else { 0 };
        full
    }

    /// A packet has left: returns what it was charged.
    #[inline]
    pub fn release(&mut self, ingress: &mut Ingress, priority: u8, bytes: u32, charge: Charge) {
        let bytes = u64::from(bytes);
        match charge {
            Charge::Nothing => {}
            Charge::Urgent => self.urgent_used -= bytes,
            Charge::Ingress => {
                let pair = priority as usize;
                let from_headroom = bytes.min(ingress.headroom_used[pair]);
                ingress.headroom_used[pair] -= from_headroom;
                let before = ingress.used[pair];
                ingress.used[pair] = before - (bytes - from_headroom);
                self.shared_used -= self.shared_part(before) - self.shared_part(ingress.used[pair]);
            }
        }
    }

    /// Whether the sender of a port and priority that was paused may go on now; remembered as done.
    #[inline]
    pub fn may_resume(&self, ingress: &mut Ingress, priority: u8) -> bool {
        let (pair, bit) = (priority as usize, 1 << priority);
        if ingress.paused & bit == 0 {
            return false;
        }
        let shared = self.shared_part(ingress.used[pair]);
        let drained = shared == 0 || shared + self.policy.xon_offset_bytes <= self.threshold();
        let resumes = !self.policy.pauses || (ingress.headroom_used[pair] == 0 && drained);
        ingress.paused &= if resumes { !bit } else { !0 };
        resumes
    }

    /// Bytes in use that are charged to the shared part or to the reserve for urgent packets.
    #[cfg(test)]
    fn used_bytes(&self) -> u64 {
        self.shared_used + self.urgent_used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> MemoryPolicy {
        MemoryPolicy {
            shared_bytes: 10_000,
            urgent_bytes: 0,
            guaranteed_bytes: 1000,
            threshold: Threshold::dynamic(1.0),
            xon_offset_bytes: 500,
            pauses: true,
        }
    }

    fn ingress(headroom: u64) -> Ingress {
        Ingress { headroom_bytes: headroom, ..Ingress::default() }
    }

    #[test]
    fn charges_the_guarantee_then_the_shared_part_then_the_headroom() {
        let (mut memory, mut port) = (Memory::new(policy()), ingress(2000));
        assert_eq!(memory.admit(&mut port, 3, 1000), Some(Charge::Ingress));
        assert_eq!(memory.used_bytes(), 0);
        // With alpha 1 a pair may take as much as is left free: 5000 of 10 000.
        for _ in 0..5 {
            assert!(!memory.must_pause(&mut port, 3));
            assert_eq!(memory.admit(&mut port, 3, 1000), Some(Charge::Ingress));
        }
        assert_eq!(memory.used_bytes(), 5000);
        assert!(memory.must_pause(&mut port, 3));
        assert!(!memory.must_pause(&mut port, 3), "told once");
        assert_eq!(memory.admit(&mut port, 3, 1500), Some(Charge::Ingress));
        assert_eq!(memory.admit(&mut port, 3, 1500), None, "the headroom is full");
        assert_eq!(memory.used_bytes(), 5000);
    }

    #[test]
    fn a_paused_sender_goes_on_below_the_threshold_less_the_hysteresis() {
        let (mut memory, mut port) = (Memory::new(policy()), ingress(2000));
        (0..7).for_each(|_| {
            memory.admit(&mut port, 0, 1000);
        });
        assert!(memory.must_pause(&mut port, 0));
        let mut left = 7;
        while !memory.may_resume(&mut port, 0) {
            memory.release(&mut port, 0, 1000, Charge::Ingress);
            left -= 1;
        }
        // One in the headroom; then 5000 shared against 5000 free, 4000 against 6000 less 500.
        assert_eq!(left, 5);
        (0..left).for_each(|_| memory.release(&mut port, 0, 1000, Charge::Ingress));
        assert_eq!((memory.used_bytes(), port.used, port.headroom_used), (0, [0; 8], [0; 8]));
    }

    #[test]
    fn without_flow_control_what_is_beyond_the_threshold_is_dropped() {
        let static_threshold = MemoryPolicy { pauses: false, threshold: Threshold::Static(2000), ..policy() };
        let (mut memory, mut port) = (Memory::new(static_threshold), ingress(2000));
        let admitted = (0..5).filter(|_| memory.admit(&mut port, 0, 1000).is_some()).count();
        assert_eq!(admitted, 3);
        assert!(!memory.must_pause(&mut port, 0));
    }

    #[test]
    fn the_reserve_serves_urgent_packets_alone() {
        let (mut memory, mut port) = (Memory::new(MemoryPolicy { urgent_bytes: 1000, ..policy() }), ingress(0));
        assert_eq!(memory.admit(&mut port, 0, 600), Some(Charge::Ingress));
        assert_eq!(memory.admit(&mut port, 5, 600), Some(Charge::Urgent));
        assert_eq!(memory.admit(&mut port, 5, 600), Some(Charge::Ingress));
        memory.release(&mut port, 5, 600, Charge::Urgent);
        assert_eq!(memory.admit(&mut port, 5, 900), Some(Charge::Urgent));
    }
}
