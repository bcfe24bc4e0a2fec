//! Time that software takes at both ends of an access protocol: a delay, and the work of a core.
//!
//! A command passes the software of an end twice, on its way there and on its way back, and each pass takes half of what the
//! end takes in all. Queue pairs are spread over the cores of a host; a core works on one command at a time, in the order in
//! which they come.

use crate::kernel::ids::NodeId;

/// What software takes at one end, both passes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Time that a command spends there where nothing else does.
    pub latency_ps: u64,
    /// Of a core, for each command.
    pub cpu_ps: u64,
    /// Of a core, for each KiB of data.
    pub cpu_per_kib_ps: u64,
}

impl Costs {
    /// Time of a core for one pass with so many bytes of data.
    fn work_ps(&self, data_bytes: u64) -> u64 {
        self.cpu_ps / 2 + data_bytes.saturating_mul(self.cpu_per_kib_ps) / 1024
    }

    /// Whether a pass takes no time at all.
    fn is_free(&self) -> bool {
        *self == Self::default()
    }
}

/// Time that the software of both ends takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftwareTimes {
    /// Of the initiator, for a command there and back.
    pub host_latency_us: f64,
    /// Of the target.
    pub target_latency_us: f64,
    /// Of a core at each end, for a command.
    pub command_work_us: f64,
    /// Of a core at each end, for a KiB of data.
    pub kib_work_us: f64,
    /// Of the stage of the target that serves one after the other.
    pub serial_us: f64,
}

impl SoftwareTimes {
    /// No time at all.
    pub const NONE: Self =
        Self { host_latency_us: 0.0, target_latency_us: 0.0, command_work_us: 0.0, kib_work_us: 0.0, serial_us: 0.0 };
}

/// The cores of all hosts.
#[derive(Clone, Debug)]
pub struct Processors {
    /// Of every host.
    cores: u32,
    /// By node, then core: when it is free. Grows as cores are used.
    free_ps: Vec<Vec<u64>>,
    /// By node: when the stage is free through which all commands go one after the other.
    serial_free_ps: Vec<u64>,
}

impl Processors {
    /// Idle processors of so many cores at every node.
    pub fn new(nodes: usize, cores: u32) -> Self {
        Self { cores: cores.max(1), free_ps: vec![Vec::new(); nodes], serial_free_ps: vec![0; nodes] }
    }

    /// Changes how many cores hosts have.
    pub fn set_cores(&mut self, cores: u32) {
        self.cores = cores.max(1);
    }

    /// A command of a queue pair comes to the software of a node. Returns when it has passed.
    pub fn pass(&mut self, node: NodeId, queue_pair: u32, costs: &Costs, data_bytes: u64, now_ps: u64) -> u64 {
        if costs.is_free() {
            return now_ps;
        }
        let work_ps = costs.work_ps(data_bytes);
        let core = (queue_pair % self.cores) as usize;
        let cores = &mut self.free_ps[node.index()];
        if cores.len() <= core {
            cores.resize(core + 1, 0);
        }
        let start_ps = cores[core].max(now_ps);
        cores[core] = start_ps + work_ps;
        start_ps + work_ps.max(costs.latency_ps / 2)
    }

    /// A command takes its turn in the stage of a node that serves one after the other, `work_ps` each.
    pub fn pass_serially(&mut self, node: NodeId, work_ps: u64, now_ps: u64) -> u64 {
        let free_ps = &mut self.serial_free_ps[node.index()];
        *free_ps = now_ps.max(*free_ps) + work_ps;
        *free_ps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: Costs = Costs { latency_ps: 20_000, cpu_ps: 4000, cpu_per_kib_ps: 100 };

    #[test]
    fn a_command_alone_takes_the_latency_and_many_wait_for_their_core() {
        let mut processors = Processors::new(1, 2);
        let mut pass = |queue_pair| processors.pass(NodeId(0), queue_pair, &COSTS, 0, 1000);
        assert_eq!(pass(0), 11_000);
        assert_eq!(pass(1), 11_000);
        // The third shares the core of the first, which works on that for 2 ns.
        assert_eq!(pass(2), 13_000);
    }

    #[test]
    fn data_take_the_time_of_a_core_by_their_size() {
        let mut processors = Processors::new(1, 1);
        assert_eq!(processors.pass(NodeId(0), 0, &COSTS, 1 << 20, 0), 2000 + 1024 * 100);
        assert_eq!(processors.pass(NodeId(0), 0, &Costs::default(), 1 << 20, 7), 7);
    }

    #[test]
    fn the_serial_stage_serves_one_after_the_other() {
        let mut processors = Processors::new(2, 8);
        assert_eq!(processors.pass_serially(NodeId(1), 2500, 100), 2600);
        assert_eq!(processors.pass_serially(NodeId(1), 2500, 200), 5100);
        assert_eq!(processors.pass_serially(NodeId(0), 2500, 200), 2700);
    }
}
