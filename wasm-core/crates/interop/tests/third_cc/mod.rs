//! What scratch/third.cc of the simulator of HPCC makes of its four input files (alibaba-edu/High-Precision-Congestion-Control, folder
//! simulation, commit d6f9400): words between blanks, read one after the other into the types that it has for them. What it would pass
//! over, as a key that it does not know, and what it would stop at, as an assertion, are faults here.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// How the value of a key is read.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    U32,
    U64,
    Double,
    Text,
    /// A double that is handed to `MicroSeconds (uint64_t)`: what is no whole number is cut off, and 0 is an endless loop.
    Micros,
    /// A `DataRate`.
    Rate,
    /// Microseconds and two nodes.
    Down,
    /// A number of pairs, each of a rate and a number of this kind.
    MapU32,
    MapDouble,
}

/// Every key of config.txt.
const KEYS: [(&str, Kind); 50] = [
    ("ENABLE_QCN", Kind::U32),
    ("USE_DYNAMIC_PFC_THRESHOLD", Kind::U32),
    ("CLAMP_TARGET_RATE", Kind::U32),
    ("PAUSE_TIME", Kind::Double),
    ("DATA_RATE", Kind::Text),
    ("LINK_DELAY", Kind::Text),
    ("PACKET_PAYLOAD_SIZE", Kind::U32),
    ("L2_CHUNK_SIZE", Kind::U32),
    ("L2_ACK_INTERVAL", Kind::U32),
    ("L2_BACK_TO_ZERO", Kind::U32),
    ("TOPOLOGY_FILE", Kind::Text),
    ("FLOW_FILE", Kind::Text),
    ("TRACE_FILE", Kind::Text),
    ("TRACE_OUTPUT_FILE", Kind::Text),
    ("SIMULATOR_STOP_TIME", Kind::Double),
    ("ALPHA_RESUME_INTERVAL", Kind::Micros),
    ("RP_TIMER", Kind::Micros),
    ("EWMA_GAIN", Kind::Double),
    ("FAST_RECOVERY_TIMES", Kind::U32),
    ("RATE_AI", Kind::Rate),
    ("RATE_HAI", Kind::Rate),
    ("ERROR_RATE_PER_LINK", Kind::Double),
    ("CC_MODE", Kind::U32),
    ("RATE_DECREASE_INTERVAL", Kind::Micros),
    ("MIN_RATE", Kind::Rate),
    ("FCT_OUTPUT_FILE", Kind::Text),
    ("HAS_WIN", Kind::U32),
    ("GLOBAL_T", Kind::U32),
    ("MI_THRESH", Kind::U32),
    ("VAR_WIN", Kind::U32),
    ("FAST_REACT", Kind::U32),
    ("U_TARGET", Kind::Double),
    ("INT_MULTI", Kind::U32),
    ("RATE_BOUND", Kind::U32),
    ("ACK_HIGH_PRIO", Kind::U32),
    ("DCTCP_RATE_AI", Kind::Rate),
    ("PFC_OUTPUT_FILE", Kind::Text),
    ("LINK_DOWN", Kind::Down),
    ("ENABLE_TRACE", Kind::U32),
    ("KMAX_MAP", Kind::MapU32),
    ("KMIN_MAP", Kind::MapU32),
    ("PMAX_MAP", Kind::MapDouble),
    ("BUFFER_SIZE", Kind::U32),
    ("QLEN_MON_FILE", Kind::Text),
    ("QLEN_MON_START", Kind::U64),
    ("QLEN_MON_END", Kind::U64),
    ("MULTI_RATE", Kind::U32),
    ("SAMPLE_FEEDBACK", Kind::U32),
    ("PINT_LOG_BASE", Kind::Double),
    ("PINT_PROB", Kind::Double),
];

/// Keys without a default that would do: files (a file without a name cannot be opened), steps of rates, what acknowledges, marks and
/// ends.
const NEEDED: [&str; 14] = [
    "TOPOLOGY_FILE",
    "FLOW_FILE",
    "TRACE_FILE",
    "TRACE_OUTPUT_FILE",
    "QLEN_MON_FILE",
    "SIMULATOR_STOP_TIME",
    "CC_MODE",
    "RATE_AI",
    "RATE_HAI",
    "L2_ACK_INTERVAL",
    "L2_CHUNK_SIZE",
    "KMAX_MAP",
    "KMIN_MAP",
    "PMAX_MAP",
];

/// Ports of a switch (`SwitchMmu::pCnt`, of which one is none).
const MAX_PORTS: usize = 256;
/// Ports of the flows of a host, from 10 000 on.
const MAX_FLOWS_OF_HOST: usize = 65_536 - 10_000;
/// `SwitchMmu::reserve`.
const RESERVE: u64 = 4096;

/// A link as it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    pub ends: [usize; 2],
    pub bps: u64,
    pub delay_ns: u64,
}

/// A flow as it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    pub source: usize,
    pub destination: usize,
    pub group: u32,
    pub bytes: u64,
    /// Nanoseconds, the first 2 s included.
    pub start_ns: u64,
}

/// A run as the four files have it.
#[derive(Debug)]
pub struct Run {
    /// By key: the words of its value.
    pub config: BTreeMap<String, Vec<String>>,
    /// By node.
    pub is_switch: Vec<bool>,
    pub links: Vec<Link>,
    pub flows: Vec<Flow>,
}

/// The words of a file.
struct Words<'a> {
    file: &'static str,
    words: std::str::SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    fn new(file: &'static str, text: &'a str) -> Self {
        Self { file, words: text.split_ascii_whitespace() }
    }

    fn word(&mut self, what: &str) -> Result<&'a str, String> {
        self.words.next().ok_or_else(|| format!("{}: ends where {what} stands", self.file))
    }

    fn next<T: FromStr>(&mut self, what: &str) -> Result<T, String> {
        let word = self.word(what)?;
        word.parse().map_err(|_| format!("{}: {word:?} is no {what}", self.file))
    }

    fn end(mut self) -> Result<(), String> {
        self.words.next().map_or(Ok(()), |word| Err(format!("{}: {word:?} is behind its end", self.file)))
    }
}

/// `DataRate (std::string)`: digits and a point, then a unit; what is no whole number of bits is cut off.
fn rate(word: &str) -> Result<u64, String> {
    let at =
        word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').ok_or(format!("{word:?} has no unit"))?;
    let number: f64 = word[..at].parse().map_err(|_| format!("{word:?} is no rate"))?;
    let times = match &word[at..] {
        "bps" | "b/s" => 1.0,
        "kbps" | "kb/s" | "Kbps" | "Kb/s" => 1e3,
        "Mbps" | "Mb/s" => 1e6,
        "Gbps" | "Gb/s" => 1e9,
        unit => return Err(format!("{unit:?} is no unit of rates")),
    };
    Ok((number * times) as u64)
}

/// `Time (std::string)`, in whole nanoseconds.
fn nanoseconds(word: &str) -> Result<u64, String> {
    let at =
        word.find(|letter: char| !letter.is_ascii_digit() && letter != '.').ok_or(format!("{word:?} has no unit"))?;
    let number: f64 = word[..at].parse().map_err(|_| format!("{word:?} is no time"))?;
    let times = match &word[at..] {
        "s" => 1e9,
        "ms" => 1e6,
        "us" => 1e3,
        "ns" => 1.0,
        unit => return Err(format!("{unit:?} is no unit of time")),
    };
    Ok((number * times) as u64)
}

fn config(text: &str) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut words = Words::new("config.txt", text);
    let mut config = BTreeMap::new();
    while let Ok(key) = words.word("a key") {
        let (_, kind) = KEYS.into_iter().find(|(name, _)| *name == key).ok_or(format!("config.txt: no key {key}"))?;
        let mut value = Vec::new();
        match kind {
            Kind::U32 => value.push(words.next::<u32>(key)?.to_string()),
            Kind::U64 => value.push(words.next::<u64>(key)?.to_string()),
            Kind::Text => value.push(words.word(key)?.to_owned()),
            Kind::Double => value.push(words.next::<f64>(key)?.to_string()),
            Kind::Rate => value.push(rate(words.word(key)?)?.to_string()),
            Kind::Micros => {
                let micros: f64 = words.next(key)?;
                if micros < 1.0 || micros.fract() != 0.0 {
                    return Err(format!("config.txt: {key} {micros} is no whole number of microseconds"));
                }
                value.push(micros.to_string());
            }
            Kind::Down => {
                value.push(words.next::<u64>(key)?.to_string());
                value.extend([words.next::<u32>(key)?.to_string(), words.next::<u32>(key)?.to_string()]);
            }
            Kind::MapU32 | Kind::MapDouble => {
                for _ in 0..words.next::<usize>(key)? {
                    value.push(words.next::<u64>("a rate in bit/s")?.to_string());
                    value.push(match kind {
                        Kind::MapU32 => words.next::<u32>(key)?.to_string(),
                        _ => words.next::<f64>(key)?.to_string(),
                    });
                }
            }
        }
        if config.insert(key.to_owned(), value).is_some() {
            return Err(format!("config.txt: {key} twice"));
        }
    }
    let mode = config.get("CC_MODE").map_or("", |mode| mode[0].as_str());
    let of_mode: &[&str] = match mode {
        // The default of the gain is 1 / 16 in whole numbers, which is 0; the timer has none.
        "1" => &["EWMA_GAIN", "RP_TIMER"],
        "7" => &[],
        "8" => &["EWMA_GAIN", "DCTCP_RATE_AI", "HAS_WIN"],
        other => return Err(format!("config.txt: no control {other:?} of this project")),
    };
    match NEEDED.iter().chain(of_mode).find(|key| !config.contains_key(**key)) {
        Some(key) => Err(format!("config.txt: {key} is missing")),
        None => Ok(config),
    }
}

/// Nodes, by whether they are switches, and links.
fn topology(text: &str) -> Result<(Vec<bool>, Vec<Link>), String> {
    let mut words = Words::new("topology.txt", text);
    let (nodes, switches, links) = (words.next("number")?, words.next("number")?, words.next::<usize>("number")?);
    let mut is_switch = vec![false; nodes];
    for _ in 0..switches {
        let switch: usize = words.next("switch")?;
        if std::mem::replace(is_switch.get_mut(switch).ok_or("topology.txt: a switch that is no node")?, true) {
            return Err(format!("topology.txt: switch {switch} twice"));
        }
    }
    let (mut read, mut pairs) = (Vec::new(), BTreeSet::new());
    for _ in 0..links {
        let ends: [usize; 2] = [words.next("node")?, words.next("node")?];
        let (bps, delay_ns) = (rate(words.word("rate")?)?, nanoseconds(words.word("delay")?)?);
        if words.next::<f64>("error rate")? != 0.0 || bps == 0 || ends.iter().any(|end| *end >= nodes) {
            return Err(format!("topology.txt: a link that loses, stands still or leads nowhere: {ends:?}"));
        }
        if !pairs.insert([ends[0].min(ends[1]), ends[0].max(ends[1])]) {
            return Err(format!("topology.txt: {ends:?} twice, of which one would be used"));
        }
        read.push(Link { ends, bps, delay_ns });
    }
    for (node, is_switch) in is_switch.iter().enumerate() {
        let ports = read.iter().filter(|link| link.ends.contains(&node)).count();
        if if *is_switch { ports > MAX_PORTS } else { ports != 1 } {
            return Err(format!("topology.txt: node {node} has {ports} links"));
        }
    }
    words.end()?;
    Ok((is_switch, read))
}

/// By node: the number of the part of the network that it is in, without a link.
fn parts(nodes: usize, links: &[Link], but: Option<[usize; 2]>) -> Vec<usize> {
    let is_whole = |link: &&Link| but.is_none_or(|but| link.ends != but && link.ends != [but[1], but[0]]);
    let mut parts: Vec<usize> = (0..nodes).collect();
    // Every round hands the smallest number on by a link.
    let mut changes = true;
    while std::mem::replace(&mut changes, false) {
        for link in links.iter().filter(is_whole) {
            let least = parts[link.ends[0]].min(parts[link.ends[1]]);
            for end in link.ends {
                changes |= std::mem::replace(&mut parts[end], least) != least;
            }
        }
    }
    parts
}

fn flows(text: &str, is_switch: &[bool]) -> Result<Vec<Flow>, String> {
    let mut words = Words::new("flow.txt", text);
    let mut flows: Vec<Flow> = Vec::new();
    let mut of_host: BTreeMap<usize, usize> = BTreeMap::new();
    for _ in 0..words.next::<u32>("number of flows")? {
        let (source, destination, group) = (words.next("source")?, words.next("destination")?, words.next("group")?);
        let _port: u16 = words.next("port")?;
        let bytes: u32 = words.next("32-bit number of bytes")?;
        let start: f64 = words.next("start")?;
        // To whole nanoseconds; the words have no more digits.
        let flow = Flow { source, destination, group, bytes: bytes.into(), start_ns: (start * 1e9).round() as u64 };
        if [source, destination].iter().any(|node: &usize| is_switch.get(*node) != Some(&false))
            || source == destination
        {
            return Err(format!("flow.txt: {source} to {destination} are not two hosts"));
        }
        if bytes == 0 || !(1..8).contains(&group) || start < 2.0 {
            return Err(format!("flow.txt: bytes, group or start of {flow:?}"));
        }
        if flows.last().is_some_and(|before| before.start_ns > flow.start_ns) {
            return Err(format!("flow.txt: {start} s is earlier than the flow before it"));
        }
        *of_host.entry(source).or_default() += 1;
        flows.push(flow);
    }
    if of_host.values().any(|flows| *flows > MAX_FLOWS_OF_HOST) {
        return Err("flow.txt: a host has more flows than ports".into());
    }
    words.end()?;
    if flows.is_empty() { Err("flow.txt: no flow".into()) } else { Ok(flows) }
}

/// Reads the files of a run.
///
/// # Errors
/// The first fault.
pub fn read([config_text, topology_text, flow_text, trace_text]: [&str; 4]) -> Result<Run, String> {
    let config = config(config_text)?;
    let (is_switch, links) = topology(topology_text)?;
    let flows = flows(flow_text, &is_switch)?;
    let mut trace = Words::new("trace.txt", trace_text);
    for _ in 0..trace.next::<u32>("number of nodes")? {
        trace.next::<u32>("node")?;
    }
    trace.end()?;
    let run = Run { config, is_switch, links, flows };
    run.check()?;
    Ok(run)
}

impl Run {
    /// The value of a key of one word, as a number.
    pub fn number(&self, key: &str) -> f64 {
        self.config[key][0].parse().unwrap_or(f64::NAN)
    }

    /// The values of a map, by rate.
    pub fn map(&self, key: &str) -> BTreeMap<u64, f64> {
        let number = |word: &String| word.parse::<f64>().unwrap_or(f64::NAN);
        self.config[key].chunks(2).map(|pair| (pair[0].parse().unwrap_or_default(), number(&pair[1]))).collect()
    }

    /// The two nodes of the link that fails.
    pub fn fails(&self) -> Option<[usize; 2]> {
        let node = |at: usize| self.config["LINK_DOWN"][at].parse().unwrap_or(usize::MAX);
        let is_set = self.config.get("LINK_DOWN").is_some_and(|down| down[0] != "0");
        is_set.then(|| [node(1), node(2)])
    }

    /// What holds of the files together.
    fn check(&self) -> Result<(), String> {
        let [most, least, probability] = ["KMAX_MAP", "KMIN_MAP", "PMAX_MAP"].map(|key| self.map(key));
        for link in &self.links {
            let [Some(most), Some(least), Some(probability)] =
                [&most, &least, &probability].map(|map| map.get(&link.bps).copied())
            else {
                return Err(format!("config.txt: no thresholds for {} bit/s", link.bps));
            };
            if least > most || !(0.0..=1.0).contains(&probability) || most * 1000.0 > f64::from(u32::MAX) {
                return Err(format!("config.txt: thresholds {least} and {most} kB, {probability}"));
            }
        }
        // SwitchMmu has the bytes of its memory in 32 bits, and must have some left.
        let memory = self.number("BUFFER_SIZE") * 1024.0 * 1024.0;
        for switch in (0..self.is_switch.len()).filter(|node| self.is_switch[*node]) {
            let own = self.links.iter().filter(|link| link.ends.contains(&switch));
            let headroom = |link: &Link| u128::from(link.bps) * u128::from(link.delay_ns) / 8 / 1_000_000_000 * 3;
            let kept: u128 = own.map(|link| headroom(link) + u128::from(RESERVE)).sum();
            if memory > f64::from(u32::MAX) || kept as f64 >= memory {
                return Err(format!("config.txt: switch {switch} keeps {kept} of {memory} bytes"));
            }
        }
        for but in [None, self.fails()] {
            let parts = parts(self.is_switch.len(), &self.links, but);
            if let Some(flow) = self.flows.iter().find(|flow| parts[flow.source] != parts[flow.destination]) {
                return Err(format!("flow.txt: {flow:?} has no path"));
            }
        }
        if self
            .fails()
            .is_some_and(|ends| !self.links.iter().any(|link| ends.iter().all(|end| link.ends.contains(end))))
        {
            return Err("config.txt: LINK_DOWN names no link".into());
        }
        let last = self.flows.last().map_or(0.0, |flow| flow.start_ns as f64 / 1e9);
        if self.number("SIMULATOR_STOP_TIME") <= last {
            return Err("config.txt: ends before the last flow begins".into());
        }
        Ok(())
    }
}
