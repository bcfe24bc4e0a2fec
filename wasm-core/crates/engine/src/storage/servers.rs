//! Storage servers: the devices behind the port of a host, and how requests are laid out over them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::convert::{index, index_u32, saturated_u32};
use crate::kernel::digest::Digest;
use crate::kernel::ids::{ClassId, NodeId, RequestId};
use crate::kernel::slab::Slab;
use crate::kernel::time::NEVER_PS;
use crate::kernel::tournament::Tournament;
use crate::storage::front::{Front, Tenancy};
use crate::storage::io::{DeviceKind, Io};
use crate::storage::{Command, Device, Kept, Level, Opcode, PageWork, Served};

/// What servers and devices know of the classes of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ClassTreatment {
    /// Nothing: all requests are alike (paper 1, scenario 1).
    #[schemars(title = "Agnostic")]
    Agnostic,
    /// Arbitration between submission queues follows the class, the queues of the dies do not (paper 1, scenario 2).
    #[schemars(title = "Protocol only")]
    Protocol,
    /// Arbitration and the queues of the dies follow the class (paper 1, scenario 3).
    #[default]
    #[schemars(title = "Coordinated")]
    Coordinated,
    /// Storage ranks by itself, the other way round: the highest class is served last (paper 1, fig. 16a).
    #[schemars(title = "Uncoordinated, inverted")]
    Inverted,
    /// Storage ranks by itself: requests up to 16 KiB come first, those above 128 KiB last.
    #[schemars(title = "Uncoordinated, by size")]
    BySize,
}

/// Largest request that storage which ranks by size takes for one of high priority, and for one of medium priority.
pub const RANK_BYTES: [u64; 2] = [16 * 1024, 128 * 1024];

/// How the addresses of a server are laid out over its devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Stripe after stripe, device after device.
    #[default]
    #[schemars(title = "Striping")]
    Striping,
    /// Each stripe on a device that its number hashes to.
    #[schemars(title = "Hashing")]
    Hashing,
    /// The first addresses on the first device, and so on.
    #[schemars(title = "Ranges")]
    Ranges,
    /// Every class on a device of its own, as far as there are enough.
    #[schemars(title = "By class")]
    ByClass,
}

/// How the storage of all servers works.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// How classes are treated.
    pub treatment: ClassTreatment,
    /// By class: its level.
    pub levels: Vec<Level>,
    /// How addresses are laid out.
    pub placement: Placement,
    /// Bytes that follow each other on one device where addresses are striped or hashed.
    pub stripe_bytes: u64,
    /// Longest transfer of one command.
    pub max_transfer_bytes: u64,
}

impl Policy {
    /// Level of a request of so many bytes in the arbitration between submission queues, and in the queues behind. `own` is that of
    /// its class.
    pub fn levels(&self, bytes: u64, own: Level) -> (Level, Level) {
        match self.treatment {
            ClassTreatment::Agnostic => (Level::Medium, Level::Medium),
            ClassTreatment::Protocol => (own, Level::Medium),
            ClassTreatment::Coordinated => (own, own),
            ClassTreatment::Inverted => {
                let inverted = match own {
                    Level::Urgent => Level::Urgent,
                    Level::High => Level::Low,
                    Level::Medium => Level::Medium,
                    Level::Low => Level::High,
                };
                (inverted, inverted)
            }
            ClassTreatment::BySize => {
                let rank = match bytes {
                    bytes if bytes <= RANK_BYTES[0] => Level::High,
                    bytes if bytes <= RANK_BYTES[1] => Level::Medium,
                    _ => Level::Low,
                };
                (rank, rank)
            }
        }
    }

    /// Which of `count` devices, of `capacity` bytes each, holds a byte, its address there, and how many bytes follow it on the same device.
    fn locate(&self, count: u64, class: ClassId, position: u64, capacity: u64) -> (usize, u64, u64) {
        let nth = |number: u64| index(number % count);
        let stripe = self.stripe_bytes;
        match self.placement {
            _ if count == 1 => (0, position, u64::MAX),
            Placement::Striping => {
                let (chunk, offset) = (position / stripe, position % stripe);
                (nth(chunk), chunk / count * stripe + offset, stripe - offset)
            }
            Placement::Hashing => {
                let (chunk, offset) = (position / stripe, position % stripe);
                let mut digest = Digest::default();
                digest.word(chunk);
                (nth(digest.value()), position, stripe - offset)
            }
            Placement::Ranges => {
                let (chunk, offset) = (position / capacity, position % capacity);
                (nth(chunk), offset, capacity - offset)
            }
            Placement::ByClass => (nth(u64::from(class.0)), position, u64::MAX),
        }
    }
}

/// A request at a server.
#[derive(Clone, Copy, Debug)]
struct Pending {
    request: RequestId,
    commands: u32,
    served: Served,
    /// What the scheduler of tenants knows it by; none where it came before there was one.
    held: Option<u32>,
}

/// The devices of a host, and what stands before them.
#[derive(Clone, Debug)]
struct Server {
    devices: Vec<Device>,
    /// By device: when something next happens there. Then when the scheduler of tenants next lets a request on by itself.
    events: Tournament,
    /// By device: bytes that it holds.
    capacities: Vec<u64>,
    /// By kind: the numbers of its devices.
    by_kind: [Vec<u32>; DeviceKind::COUNT],
    pending: Slab<Pending>,
    /// The scheduler of tenants, where they have one.
    front: Option<Box<Front>>,
}

/// All storage servers.
#[derive(Clone, Debug)]
pub struct Storage {
    policy: Policy,
    /// By node.
    servers: Vec<Option<Box<Server>>>,
    next_ps: Vec<u64>,
    events: u64,
}

impl Storage {
    /// No servers yet, in a network of so many nodes.
    pub fn new(nodes: usize, policy: Policy) -> Self {
        Self { policy, servers: vec![None; nodes], next_ps: vec![NEVER_PS; nodes], events: 0 }
    }

    /// Puts devices behind the port of a host, each of a kind and with so many bytes.
    pub fn add(&mut self, node: NodeId, devices: Vec<(Device, DeviceKind, u64)>) {
        let mut by_kind: [Vec<u32>; DeviceKind::COUNT] = Default::default();
        for (number, (_, kind, _)) in devices.iter().enumerate() {
            by_kind[*kind as usize].push(index_u32(number));
        }
        let (events, pending) = (Tournament::new(devices.len() + 1), Slab::default());
        let (devices, capacities) = devices.into_iter().map(|(device, _, capacity)| (device, capacity.max(1))).unzip();
        let server = Server { devices, events, capacities, by_kind, pending, front: None };
        self.servers[node.index()] = Some(Box::new(server));
    }

    /// Changes how storage works. What it has taken keeps the level that it had.
    pub fn set_policy(&mut self, policy: Policy) {
        self.policy = policy;
    }

    /// Puts a scheduler of tenants before the devices of a node, or changes it, from `now_ps` on. Without one requests go
    /// straight to the devices; one that requests have met is not taken away while they wait, it lets all of them on.
    pub fn set_tenancy(&mut self, node: NodeId, now_ps: u64, tenancy: &Tenancy) {
        let Some(server) = self.servers[node.index()].as_mut() else { return };
        match &mut server.front {
            Some(front) => front.set(now_ps, tenancy),
            None => server.front = Some(Box::new(Front::new(tenancy))),
        }
        server.pass_on(&self.policy, now_ps);
        self.next_ps[node.index()] = server.next_ps();
    }

    /// Whether a scheduler of tenants stands before the devices of a node.
    pub fn is_scheduled(&self, node: NodeId) -> bool {
        self.servers[node.index()].as_ref().is_some_and(|server| server.front.is_some())
    }

    /// Requests that wait before the devices of a node because these hold as many as may be there at once.
    pub fn held_by_devices(&self, node: NodeId) -> u32 {
        let front = self.servers[node.index()].as_ref().and_then(|server| server.front.as_ref());
        front.map_or(0, |front| front.held_by_devices())
    }

    /// Whether requests for devices of a kind go to device `number` of a node, among others.
    pub fn serves(&self, node: NodeId, number: usize, kind: DeviceKind) -> bool {
        self.servers[node.index()].as_ref().is_some_and(|server| {
            server.by_kind[server.kind_for(kind) as usize].iter().any(|&device| device as usize == number)
        })
    }

    /// How the promises of every tenant were kept at the servers of all nodes; empty where no tenants are scheduled.
    pub fn kept(&self) -> Vec<Kept> {
        let mut kept: Vec<Kept> = Vec::new();
        for front in self.servers.iter().flatten().filter_map(|server| server.front.as_ref()) {
            kept.resize(front.kept().len(), Kept::default());
            kept.iter_mut().zip(front.kept()).for_each(|(all, here)| *all = all.and(here));
        }
        kept
    }

    /// Hands every device to `change`.
    pub fn change_devices(&mut self, mut change: impl FnMut(&mut Device)) {
        for (server, next_ps) in self.servers.iter_mut().zip(&mut self.next_ps) {
            if let Some(server) = server {
                server.devices.iter_mut().for_each(&mut change);
                (0..server.devices.len()).for_each(|number| server.refresh(number));
                *next_ps = server.next_ps();
            }
        }
    }

    /// When something next happens at the storage of a node.
    #[inline]
    pub fn next_ps(&self, node: NodeId) -> u64 {
        self.next_ps[node.index()]
    }

    /// The devices of a node, none where it is no storage server.
    pub fn devices(&self, node: NodeId) -> &[Device] {
        self.servers[node.index()].as_ref().map_or(&[], |server| &server.devices)
    }

    /// About the memory that a copy of all devices and what is under way at them takes, in bytes.
    pub fn bytes(&self) -> usize {
        let pending = self.servers.iter().flatten().map(|server| server.pending.bytes());
        pending.sum::<usize>() + self.all_devices().map(|(_, _, device)| device.bytes()).sum::<usize>()
    }

    /// Every device, with its node and its number there.
    pub fn all_devices(&self) -> impl Iterator<Item = (NodeId, usize, &Device)> {
        let servers = self.servers.iter().enumerate().filter_map(|(node, server)| Some((node, server.as_ref()?)));
        servers.flat_map(|(node, server)| {
            server.devices.iter().enumerate().map(move |(number, device)| (NodeId::at(node), number, device))
        })
    }

    /// Events inside all devices, and completions taken, since the start.
    #[inline]
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Requests that are at the storage of any server.
    pub fn requests(&self) -> usize {
        let at =
            |server: &Server| server.pending.len() + server.front.as_ref().map_or(0, |front| front.waiting() as usize);
        self.servers.iter().flatten().map(|server| at(server)).sum()
    }

    /// A request reaches the storage of a node.
    pub fn submit(&mut self, node: NodeId, now_ps: u64, io: &Io) {
        let server = self.servers[node.index()].as_mut().expect("targets of a protocol with devices have some");
        server.submit(&self.policy, now_ps, io);
        self.next_ps[node.index()] = server.next_ps();
    }

    /// What flash does for a request at a node, each time with the number of the device.
    pub fn pages_of(&self, node: NodeId, request: RequestId) -> Vec<(usize, PageWork)> {
        let mut found = Vec::new();
        let Some(server) = &self.servers[node.index()] else { return found };
        let is_its = |pending: &&Pending| pending.commands > 0 && pending.request == request;
        let Some((tag, _)) = (0..).zip(server.pending.iter()).find(|(_, pending)| is_its(pending)) else {
            return found;
        };
        for (number, device) in server.devices.iter().enumerate() {
            let mut pages = Vec::new();
            device.pages_of(tag, &mut pages);
            found.extend(pages.into_iter().map(|work| (number, work)));
        }
        found
    }

    /// Lets the devices of a node work until a request is served, and takes that; but only for as long as what happens is
    /// before `before_ps`.
    pub fn run(&mut self, node: NodeId, before_ps: u64) -> Option<(RequestId, Served)> {
        let server = self.servers[node.index()].as_mut()?;
        let served = server.run(&self.policy, before_ps, &mut self.events);
        self.next_ps[node.index()] = server.next_ps();
        served
    }

    /// Mixes the state of all devices into a digest.
    pub fn digest(&self, digest: &mut Digest) {
        self.all_devices().for_each(|(_, _, device)| device.digest(digest));
        self.servers.iter().flatten().filter_map(|server| server.front.as_ref()).for_each(|front| front.digest(digest));
    }
}

impl Server {
    /// The kind of the devices that hold the storage of a request: its own, or the first there is if there is none of it.
    fn kind_for(&self, wanted: DeviceKind) -> DeviceKind {
        let there_is = |kind: &DeviceKind| !self.by_kind[*kind as usize].is_empty();
        [wanted, DeviceKind::Ssd, DeviceKind::PersistentMemory, DeviceKind::ConstantCapacity]
            .into_iter()
            .find(there_is)
            .unwrap_or(wanted)
    }

    fn submit(&mut self, policy: &Policy, now_ps: u64, io: &Io) {
        match &mut self.front {
            Some(front) => {
                front.arrive(now_ps, io);
                self.pass_on(policy, now_ps);
            }
            None => self.issue(policy, now_ps, io, policy.levels[io.class.index()], None),
        }
    }

    /// Lets requests that the scheduler of tenants chooses on to the devices, while it may. Where deadlines are those of nested
    /// classes, the devices rank by these, too.
    fn pass_on(&mut self, policy: &Policy, now_ps: u64) {
        while let Some((held, io, nested)) = self.front.as_mut().and_then(|front| front.next(now_ps)) {
            let level = match nested {
                None => policy.levels[io.class.index()],
                Some(0) => Level::High,
                Some(1) => Level::Medium,
                Some(_) => Level::Low,
            };
            self.issue(policy, now_ps, &io, level, Some(held));
        }
        if let Some(front) = &self.front {
            self.events.set(self.devices.len(), front.next_ps());
        }
    }

    /// Commands of a request go to the devices.
    fn issue(&mut self, policy: &Policy, now_ps: u64, io: &Io, own: Level, held: Option<u32>) {
        let (queue_level, level) = policy.levels(io.bytes, own);
        let tag = self.pending.insert(Pending { request: io.request, commands: 0, served: Served::default(), held });
        let kind = self.kind_for(io.kind);
        // What serves requests and not bytes serves a request at one go.
        let at_one_go = kind == DeviceKind::ConstantCapacity;
        let opcode = if io.writes { Opcode::Write } else { Opcode::Read };
        let (mut position, end) = (io.address, io.address + io.bytes);
        let mut commands = 0;
        while position < end {
            let candidates = &self.by_kind[kind as usize];
            let first = self.capacities[candidates[0] as usize];
            let (nth, address, contiguous) = policy.locate(candidates.len() as u64, io.class, position, first);
            let number = candidates[nth] as usize;
            let capacity = self.capacities[number];
            let address = address % capacity;
            let longest = contiguous.min(policy.max_transfer_bytes).min(capacity - address);
            let bytes = if at_one_go { end - position } else { longest.min(end - position) };
            position += bytes;
            let bytes = saturated_u32(bytes);
            self.devices[number]
                .submit(now_ps, Command { tag, queue: io.queue_pair, queue_level, level, opcode, address, bytes });
            self.refresh(number);
            commands += 1;
        }
        self.pending.at_mut(tag).commands = commands;
    }

    /// A device may do something else next.
    fn refresh(&mut self, number: usize) {
        self.events.set(number, self.devices[number].next_ps());
    }

    /// When something next happens at any device.
    fn next_ps(&self) -> u64 {
        self.events.next().0
    }

    fn run(&mut self, policy: &Policy, before_ps: u64, events: &mut u64) -> Option<(RequestId, Served)> {
        loop {
            let (at_ps, number) = self.events.next();
            if at_ps >= before_ps {
                return None;
            }
            // A device may run ahead of the others only as far as it cannot miss what follows from a completion of theirs.
            self.events.set(number, NEVER_PS);
            if number == self.devices.len() {
                *events += 1;
                self.pass_on(policy, at_ps);
                continue;
            }
            let others_ps = self.events.next().0;
            let completion = self.devices[number].run(others_ps.max(at_ps + 1).min(before_ps), events);
            self.refresh(number);
            let Some(completion) = completion else { continue };
            *events += 1;
            let pending = self.pending.at_mut(completion.tag);
            pending.commands -= 1;
            pending.served.add(&completion.served);
            if pending.commands == 0 {
                let Pending { request, served, held, .. } = *pending;
                self.pending.free(completion.tag);
                if let (Some(front), Some(held)) = (&mut self.front, held) {
                    front.on_served(served.at_ps, held);
                    self.pass_on(policy, served.at_ps);
                }
                return Some((request, served));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(treatment: ClassTreatment, placement: Placement) -> Policy {
        let levels = vec![Level::High, Level::Low];
        Policy { treatment, levels, placement, stripe_bytes: 100, max_transfer_bytes: 1 << 20 }
    }

    fn at(placement: Placement, position: u64) -> (usize, u64, u64) {
        policy(ClassTreatment::default(), placement).locate(3, ClassId(1), position, 1000)
    }

    #[test]
    fn stripes_follow_each_other_from_device_to_device() {
        assert_eq!(at(Placement::Striping, 0), (0, 0, 100));
        assert_eq!(at(Placement::Striping, 150), (1, 50, 50));
        assert_eq!(at(Placement::Striping, 310), (0, 110, 90));
    }

    #[test]
    fn ranges_fill_one_device_after_the_other_and_classes_have_their_own() {
        assert_eq!(at(Placement::Ranges, 2100), (2, 100, 900));
        assert_eq!(at(Placement::ByClass, 2100), (1, 2100, u64::MAX));
    }

    #[test]
    fn every_device_gets_its_part_of_hashed_chunks() {
        let mut counts = [0; 3];
        for chunk in 0..3000 {
            counts[at(Placement::Hashing, chunk * 100).0] += 1;
        }
        assert!(counts.iter().all(|count| (900..1100).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_treatment_of_classes_says_which_levels_a_command_has() {
        let levels = |treatment| policy(treatment, Placement::Ranges).levels(200_000, Level::High);
        assert_eq!(levels(ClassTreatment::Agnostic), (Level::Medium, Level::Medium));
        assert_eq!(levels(ClassTreatment::Protocol), (Level::High, Level::Medium));
        assert_eq!(levels(ClassTreatment::Coordinated), (Level::High, Level::High));
        assert_eq!(levels(ClassTreatment::Inverted), (Level::Low, Level::Low));
        assert_eq!(levels(ClassTreatment::BySize), (Level::Low, Level::Low));
    }
}
