//! Loads for a storage device on its own, in closed and open loop, and what they measure.

#![allow(dead_code, reason = "each test uses what it needs")]

use qoscope_engine::kernel::random::Stream;
use qoscope_engine::kernel::time::NEVER_PS;
use qoscope_engine::storage::{Command, Device, Level, Opcode};

/// Requests of one queue.
#[derive(Clone, Debug)]
pub struct Flow {
    pub queue: u32,
    pub level: Level,
    /// Requests outstanding in closed loop.
    pub depth: u32,
    /// Mean distance of requests in open loop; 0 for closed loop.
    pub gap_ns: f64,
    /// All distances are the mean.
    pub regular: bool,
    pub read_share: f64,
    pub bytes: u32,
    pub align: u32,
    pub sequential: bool,
    pub base: u64,
    pub range: u64,
    /// Requests to issue.
    pub count: u64,
    /// No request is issued later.
    pub stop_ps: u64,
}

impl Flow {
    /// Random reads over a range, one at a time.
    pub fn random(queue: u32, base: u64, range: u64, bytes: u32) -> Self {
        Self {
            queue,
            level: Level::High,
            depth: 1,
            gap_ns: 0.0,
            regular: false,
            read_share: 1.0,
            bytes,
            align: bytes,
            sequential: false,
            base: base / u64::from(bytes) * u64::from(bytes),
            range,
            count: 1000,
            stop_ps: NEVER_PS,
        }
    }
}

/// Latencies.
#[derive(Clone, Debug, Default)]
pub struct Latencies {
    sorted_ps: Vec<u64>,
}

impl Latencies {
    pub fn sorted_ps(&self) -> &[u64] {
        &self.sorted_ps
    }

    pub fn min_ps(&self) -> u64 {
        self.sorted_ps.first().copied().unwrap_or(0)
    }

    pub fn max_ps(&self) -> u64 {
        self.sorted_ps.last().copied().unwrap_or(0)
    }

    pub fn mean_us(&self) -> f64 {
        self.sorted_ps.iter().map(|&ps| ps as f64).sum::<f64>() / self.sorted_ps.len() as f64 / 1e6
    }

    pub fn quantile_us(&self, share: f64) -> f64 {
        let at = (self.sorted_ps.len() as f64 * share) as usize;
        self.sorted_ps[at.min(self.sorted_ps.len() - 1)] as f64 / 1e6
    }
}

/// What a flow has measured after the first tenth of the run.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub iops: f64,
    pub all: Latencies,
    pub reads: Latencies,
    pub writes: Latencies,
}

struct State {
    stream: Stream,
    issued: u64,
    next_ps: u64,
    /// Instant, latency, read.
    done: Vec<(u64, u64, bool)>,
}

/// Runs flows to their end. Tags are `issued << 8 | flow`.
pub fn run(device: &mut Device, flows: &[Flow], seed: u64) -> Vec<Outcome> {
    let mut states: Vec<State> = flows
        .iter()
        .enumerate()
        .map(|(number, flow)| State {
            stream: Stream::new(seed, "flow", number as u64),
            issued: 0,
            next_ps: if flow.gap_ns > 0.0 { 0 } else { NEVER_PS },
            done: Vec::new(),
        })
        .collect();
    let mut outstanding: Vec<(u64, bool)> = Vec::new();
    let mut free: Vec<u32> = Vec::new();
    let submit = |device: &mut Device,
                  states: &mut [State],
                  outstanding: &mut Vec<(u64, bool)>,
                  free: &mut Vec<u32>,
                  number: usize,
                  at_ps: u64| {
        let (flow, state) = (&flows[number], &mut states[number]);
        if state.issued >= flow.count || at_ps > flow.stop_ps {
            return;
        }
        let read = state.stream.uniform() < flow.read_share;
        let places = (flow.range - u64::from(flow.bytes)) / u64::from(flow.align) + 1;
        let place = if flow.sequential { state.issued % places } else { state.stream.integer(0, places - 1) };
        state.issued += 1;
        let slot = free.pop().unwrap_or_else(|| {
            outstanding.push((0, false));
            outstanding.len() as u32 - 1
        });
        outstanding[slot as usize] = (at_ps, read);
        let command = Command {
            tag: slot << 8 | number as u32,
            queue: flow.queue,
            queue_level: flow.level,
            level: flow.level,
            opcode: if read { Opcode::Read } else { Opcode::Write },
            address: flow.base + place * u64::from(flow.align),
            bytes: flow.bytes,
        };
        device.submit(at_ps, command);
    };
    for (number, flow) in flows.iter().enumerate() {
        if flow.gap_ns == 0.0 {
            (0..flow.depth).for_each(|_| submit(device, &mut states, &mut outstanding, &mut free, number, 1000));
        }
    }
    loop {
        let arrival_ps = states.iter().map(|state| state.next_ps).min().unwrap_or(NEVER_PS);
        if let Some(completion) = device.run(arrival_ps, &mut 0) {
            let number = (completion.tag & 0xff) as usize;
            let slot = completion.tag >> 8;
            let (at_ps, read) = outstanding[slot as usize];
            free.push(slot);
            states[number].done.push((completion.served.at_ps, completion.served.at_ps - at_ps, read));
            if flows[number].gap_ns == 0.0 {
                submit(device, &mut states, &mut outstanding, &mut free, number, completion.served.at_ps);
            }
        } else if arrival_ps == NEVER_PS {
            break;
        } else {
            let number = states.iter().position(|state| state.next_ps == arrival_ps).expect("one of them is due");
            submit(device, &mut states, &mut outstanding, &mut free, number, arrival_ps);
            let flow = &flows[number];
            let state = &mut states[number];
            let gap = if flow.regular { 1.0 } else { state.stream.exponential() };
            state.next_ps = arrival_ps + (flow.gap_ns * gap * 1000.0) as u64;
            if state.issued >= flow.count {
                state.next_ps = NEVER_PS;
            }
        }
    }
    let end_ps = states.iter().flat_map(|state| state.done.last()).map(|done| done.0).max().unwrap_or(0);
    states.into_iter().zip(flows).map(|(state, flow)| outcome(&state.done, end_ps, flow.stop_ps)).collect()
}

fn outcome(done: &[(u64, u64, bool)], end_ps: u64, stop_ps: u64) -> Outcome {
    let (begin_ps, end_ps) = (end_ps / 10, end_ps.min(stop_ps));
    let counted: Vec<_> = done.iter().filter(|done| done.0 >= begin_ps && done.0 <= end_ps).collect();
    let latencies = |wanted: &dyn Fn(bool) -> bool| {
        let mut sorted_ps: Vec<u64> = counted.iter().filter(|done| wanted(done.2)).map(|done| done.1).collect();
        sorted_ps.sort_unstable();
        Latencies { sorted_ps }
    };
    Outcome {
        iops: counted.len() as f64 / (end_ps - begin_ps) as f64 * 1e12,
        all: latencies(&|_| true),
        reads: latencies(&|read| read),
        writes: latencies(&|read| !read),
    }
}
