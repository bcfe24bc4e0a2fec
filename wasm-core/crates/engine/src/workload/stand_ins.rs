//! Stand-ins for published traces, which may not be shipped: requests drawn so that their rate, reads, sizes and burstiness
//! are like those published. They are no recordings, and are named as stand-ins wherever they appear.
//!
//! **Arrivals.** A Markov-modulated Poisson process: some requests come by themselves, and each of four on-off sources brings a
//! share, all of it within the tenth of the time that it is on. Their time constants are 10 ms, 100 ms, 1 s and 10 s, so counts
//! vary more than those of a Poisson process at all these scales (A. Andersen, B. Nielsen, "A Markovian approach for modeling
//! packet traffic with long-range dependence", IEEE JSAC 16(5), 1998). With λ requests a second, the index of dispersion of
//! counts over T is 1 + Σ 2 w² λ τ (1-p)/p [1 - (1 - e^(-T/τ)) τ/T], with w and p the shares of requests and of time of a source,
//! and τ its time constant. The shares of WebSearch, Financial and Exchange are small enough that the token buckets which paper 4
//! found for these traces (section 3) hold the parts of them that it reports: 92 % and more in the first, next to none beyond the
//! second. That a promise for every single request needs several times the capacity of these buckets (its fig. 4) is due to few
//! requests: a thousandth of them comes in surges, many at once.
//!
//! **Sizes** are a table that has the published mean, and **reads** the published share. **Addresses** go on where the request
//! before ended, or begin anew: in the hot tenth of the volume, or anywhere.
//!
//! What was published of each workload, and what is assumed, stands beside it, and in `docs/traces.md`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::kernel::convert::{rounded, whole};
use crate::kernel::random::Stream;
use crate::kernel::sums::total;
use crate::kernel::time::PS_PER_S;
use crate::workload::traces::{Operation, Record, Trace};

/// Published traces that there are stand-ins for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StandIn {
    // WebSearch1 of the UMass repository: 1 055 448 requests in 52 min, 99.98 % reads of 15.5 KB.
    /// Search engine, UMass: 335 requests a second, nearly all reads, 15.5 KB.
    #[schemars(title = "WebSearch1")]
    #[serde(rename = "web-search-1")]
    WebSearch1,
    // WebSearch2 of the UMass repository: 4 579 809 requests in 4.3 h, 99.98 % reads of 15.5 KB.
    /// Search engine, UMass: 297 requests a second, nearly all reads, 15.5 KB.
    #[schemars(title = "WebSearch2")]
    #[serde(rename = "web-search-2")]
    WebSearch2,
    // Financial1 of the UMass repository (FinTrans of paper 4): 5 334 987 requests in 12.1 h, 23 % reads, 3.4 KB.
    /// Bank, UMass: 122 requests a second, 23 % reads, 3.4 KB.
    #[schemars(title = "Financial1")]
    #[serde(rename = "financial-1")]
    Financial1,
    // Financial2 of the UMass repository (OLTP of paper 4): 3 699 194 requests in 11.4 h, 82 % reads, 2.4 KB.
    /// Bank, UMass: 90 requests a second, 82 % reads, 2.4 KB.
    #[schemars(title = "Financial2")]
    #[serde(rename = "financial-2")]
    Financial2,
    // Exchange server of Microsoft: some thousand requests a second; reads and sizes are assumed.
    /// Mail server, Microsoft: 3000 requests a second. Reads and sizes are assumed.
    #[schemars(title = "Exchange")]
    Exchange,
    // All 36 volumes of MSR Cambridge: 4.3e8 requests in a week; reads and sizes are assumed.
    /// Servers of a research laboratory, MSR Cambridge: 711 requests a second on 36 volumes. Reads and sizes are assumed.
    #[schemars(title = "MSR Cambridge")]
    Msr,
    // Virtual desktops of SYSTOR '17: mostly reads, sizes over a wide range; rate and means are assumed.
    /// Virtual desktops, SYSTOR '17: mostly reads of all sizes. Rate and means are assumed.
    #[schemars(title = "SYSTOR ’17")]
    Systor,
    // Tencent: sizes after the two figures of paper 3, 51 % below 124 KB and 89 % below 457 KB; rate and reads are assumed.
    /// Cloud, Tencent: 51 % of sizes below 124 KB, 89 % below 457 KB. Rate and reads are assumed.
    #[schemars(title = "Tencent")]
    Tencent,
    // Alibaba, all 1000 volumes: 2.02e10 requests in 31 days, 25 % reads; 75 % of reads up to 32 KB, of writes up to 16 KB.
    /// Cloud, Alibaba: 7540 requests a second on 1000 volumes, 75 % writes, mostly small.
    #[schemars(title = "Alibaba")]
    Alibaba,
}

/// A size in bytes, and its weight.
type Sizes = &'static [(u32, f64)];

/// What the requests of a stand-in are like.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Mean number of requests a second.
    pub requests_per_s: f64,
    /// Share of the requests that read.
    pub read_fraction: f64,
    /// Sizes of reads. Weights add up to 1.
    pub reads: Sizes,
    /// Sizes of writes.
    pub writes: Sizes,
    /// Share of the requests that go on where the one before ended.
    pub sequential: f64,
    /// Share of the others that go to the hot part.
    pub hot: f64,
    /// Size of the volume.
    pub volume_bytes: u64,
    /// Share of the requests that each of the on-off sources brings.
    pub bursts: [f64; SCALES_S.len()],
    /// Share of the requests that comes in surges, and how many come at once.
    pub surges: (f64, u32),
}

const KIB: u32 = 1024;
const GIB: u64 = 1 << 30;

/// Mean 15.5 KB, in pages of 8 KiB.
const WEB_SEARCH: Sizes = &[(8 * KIB, 0.55), (16 * KIB, 0.19), (24 * KIB, 0.078), (32 * KIB, 0.182)];
/// Mean 3.4 KB.
const FINANCIAL_1: Sizes =
    &[(512, 0.26), (KIB, 0.08), (2 * KIB, 0.12), (4 * KIB, 0.41), (8 * KIB, 0.11), (16 * KIB, 0.02)];
/// Mean 2.4 KB.
const FINANCIAL_2: Sizes =
    &[(512, 0.41), (KIB, 0.1), (2 * KIB, 0.14), (4 * KIB, 0.28), (8 * KIB, 0.06), (16 * KIB, 0.01)];
/// Mean 12 KB: pages of 8 KiB, some together.
const EXCHANGE: Sizes = &[(8 * KIB, 0.78), (16 * KIB, 0.12), (32 * KIB, 0.09), (64 * KIB, 0.01)];
/// Mean 25 KB of reads and 10 KB of writes.
const MSR_READS: Sizes = &[(4 * KIB, 0.36), (8 * KIB, 0.1), (16 * KIB, 0.1), (32 * KIB, 0.24), (64 * KIB, 0.2)];
const MSR_WRITES: Sizes = &[(4 * KIB, 0.7), (8 * KIB, 0.14), (16 * KIB, 0.06), (32 * KIB, 0.05), (64 * KIB, 0.05)];
/// Mean 29 KB, from one sector to half a mebibyte.
const SYSTOR: Sizes = &[
    (512, 0.06),
    (4 * KIB, 0.38),
    (8 * KIB, 0.12),
    (16 * KIB, 0.14),
    (32 * KIB, 0.17),
    (64 * KIB, 0.09),
    (256 * KIB, 0.03),
    (512 * KIB, 0.01),
];
/// 51 % below 124 KB and 89 % below 457 KB.
const TENCENT: Sizes = &[
    (4 * KIB, 0.13),
    (16 * KIB, 0.14),
    (64 * KIB, 0.24),
    (128 * KIB, 0.12),
    (256 * KIB, 0.16),
    (384 * KIB, 0.1),
    (512 * KIB, 0.06),
    (1024 * KIB, 0.05),
];
/// 75 % up to 32 KB.
const ALIBABA_READS: Sizes =
    &[(4 * KIB, 0.35), (8 * KIB, 0.1), (16 * KIB, 0.2), (32_000, 0.1), (64 * KIB, 0.15), (128 * KIB, 0.1)];
/// 75 % up to 16 KB.
const ALIBABA_WRITES: Sizes =
    &[(4 * KIB, 0.5), (8 * KIB, 0.15), (16_000, 0.1), (32 * KIB, 0.12), (64 * KIB, 0.08), (128 * KIB, 0.05)];

impl StandIn {
    /// What its requests are like.
    pub fn profile(self) -> Profile {
        let uniform = |requests_per_s, read_fraction, sizes| Profile {
            requests_per_s,
            read_fraction,
            reads: sizes,
            writes: sizes,
            sequential: 0.2,
            hot: 0.6,
            volume_bytes: 128 * GIB,
            bursts: [0.2; SCALES_S.len()],
            surges: (0.0, 1),
        };
        let web_search = |requests_per_s| Profile {
            sequential: 0.05,
            hot: 0.4,
            bursts: [0.02; SCALES_S.len()],
            surges: (0.001, 20),
            ..uniform(requests_per_s, 0.9998, WEB_SEARCH)
        };
        let financial = |requests_per_s, read_fraction, sizes| Profile {
            hot: 0.8,
            volume_bytes: 16 * GIB,
            bursts: [0.25, 0.1, 0.05, 0.05],
            surges: (0.001, 12),
            ..uniform(requests_per_s, read_fraction, sizes)
        };
        match self {
            Self::WebSearch1 => web_search(335.0),
            Self::WebSearch2 => web_search(297.0),
            Self::Financial1 => financial(122.0, 0.23, FINANCIAL_1),
            Self::Financial2 => financial(90.0, 0.82, FINANCIAL_2),
            Self::Exchange => {
                Profile { bursts: [0.15, 0.08, 0.03, 0.02], surges: (0.001, 120), ..uniform(3000.0, 0.6, EXCHANGE) }
            }
            Self::Msr => Profile { writes: MSR_WRITES, sequential: 0.3, ..uniform(711.0, 0.7, MSR_READS) },
            Self::Systor => uniform(1000.0, 0.75, SYSTOR),
            Self::Tencent => Profile { sequential: 0.4, ..uniform(500.0, 0.3, TENCENT) },
            Self::Alibaba => {
                Profile { writes: ALIBABA_WRITES, volume_bytes: 512 * GIB, ..uniform(7540.0, 0.25, ALIBABA_READS) }
            }
        }
    }

    /// Its requests before `until_ps`, at most so many. A longer stretch begins with the same requests.
    pub fn trace(self, seed: u64, number: u64, until_ps: u64, max_requests: usize) -> Trace {
        let profile = self.profile();
        let mut requests = Requests {
            profile,
            stream: Stream::new(seed, "stand-in requests", number),
            next_address: profile.volume_bytes / 2,
        };
        let mut trace = Trace::default();
        let arrivals = self.arrivals(seed, number).take_while(|&at_ps| at_ps < until_ps);
        arrivals.take(max_requests).for_each(|at_ps| trace.push(requests.next(at_ps)));
        trace
    }

    /// The instants of its requests, without end: those of [`Self::trace`], in no memory.
    pub fn arrivals(self, seed: u64, number: u64) -> Arrivals {
        Arrivals::new(self.profile(), Stream::new(seed, "stand-in arrivals", number))
    }
}

impl Profile {
    /// Mean size.
    pub fn mean_bytes(&self) -> f64 {
        self.read_fraction * mean(self.reads) + (1.0 - self.read_fraction) * mean(self.writes)
    }
}

fn mean(sizes: Sizes) -> f64 {
    sizes.iter().map(|&(bytes, weight)| f64::from(bytes) * weight).sum()
}

/// Time constants of the on-off sources, in seconds.
const SCALES_S: [f64; 4] = [0.01, 0.1, 1.0, 10.0];
/// Share of the time in which each of them is on.
const ON: f64 = 0.1;

/// When requests arrive, in picoseconds, in order and without end.
#[derive(Clone, Debug)]
pub struct Arrivals {
    stream: Stream,
    requests_per_s: f64,
    bursts: [f64; SCALES_S.len()],
    /// Requests of a surge, and how probable it is that a request brings one.
    surge: u32,
    surge_probability: f64,
    /// Requests of the present surge that are still to come.
    surging: u32,
    on: [bool; SCALES_S.len()],
    now_ps: u64,
}

impl Arrivals {
    fn new(profile: Profile, mut stream: Stream) -> Self {
        let on = SCALES_S.map(|_| stream.uniform() < ON);
        let (share, surge) = profile.surges;
        // Requests beside those that surges bring.
        let alone = 1.0 - share * (1.0 - 1.0 / f64::from(surge));
        Self {
            stream,
            requests_per_s: profile.requests_per_s * alone,
            bursts: profile.bursts,
            surge,
            surge_probability: share / f64::from(surge) / alone,
            surging: 0,
            on,
            now_ps: 0,
        }
    }

    /// Switches a second of a source as it stands: its correlation dies down with its time constant.
    fn switch_rate(&self, source: usize) -> f64 {
        let share = if self.on[source] { 1.0 - ON } else { ON };
        share / SCALES_S[source]
    }
}

impl Iterator for Arrivals {
    type Item = u64;

    /// The instant of the next request. What comes first, a request or a switch of a source, is drawn until it is a request.
    fn next(&mut self) -> Option<u64> {
        if self.surging > 0 {
            self.surging -= 1;
            return Some(self.now_ps);
        }
        let base = 1.0 - total(self.bursts);
        loop {
            let on = self.on.iter().zip(self.bursts).filter(|(on, _)| **on);
            let bursts = total(on.map(|(_, share)| share)) / ON;
            let arrival_rate = self.requests_per_s * (base + bursts);
            let switches: f64 = (0..SCALES_S.len()).map(|source| self.switch_rate(source)).sum();
            let gap_s = self.stream.exponential() / (arrival_rate + switches);
            self.now_ps = self.now_ps.saturating_add(rounded(gap_s * PS_PER_S as f64).max(1));
            let mut which = self.stream.uniform() * (arrival_rate + switches) - arrival_rate;
            if which < 0.0 {
                if self.surge_probability > 0.0 && self.stream.uniform() < self.surge_probability {
                    self.surging = self.surge - 1;
                }
                return Some(self.now_ps);
            }
            for source in 0..SCALES_S.len() {
                let rate = self.switch_rate(source);
                if which < rate {
                    self.on[source] = !self.on[source];
                    break;
                }
                which -= rate;
            }
        }
    }
}

/// What requests ask for.
#[derive(Debug)]
struct Requests {
    profile: Profile,
    stream: Stream,
    next_address: u64,
}

/// Addresses are multiples of this.
const ALIGNMENT_BYTES: u64 = 4096;
/// The hot part of a volume is one in so many.
const HOT_PART: u64 = 10;

impl Requests {
    fn next(&mut self, at_ps: u64) -> Record {
        let profile = self.profile;
        let reads = self.stream.uniform() < profile.read_fraction;
        let (operation, sizes) =
            if reads { (Operation::Read, profile.reads) } else { (Operation::Write, profile.writes) };
        let bytes = self.size(sizes);
        let place = self.stream.uniform();
        let address = if place < profile.sequential {
            self.next_address
        } else {
            let hot = place < profile.sequential + (1.0 - profile.sequential) * profile.hot;
            let range = if hot { profile.volume_bytes / HOT_PART } else { profile.volume_bytes };
            let pages = (range / ALIGNMENT_BYTES) as f64;
            whole(self.stream.uniform() * pages) * ALIGNMENT_BYTES
        };
        let end = address + u64::from(bytes);
        self.next_address = if end + GIB > profile.volume_bytes { 0 } else { end };
        Record { at_ps, operation, address, bytes, volume: 0 }
    }

    fn size(&mut self, sizes: Sizes) -> u32 {
        let mut drawn = self.stream.uniform();
        for &(bytes, weight) in sizes {
            if drawn < weight {
                return bytes;
            }
            drawn -= weight;
        }
        sizes[sizes.len() - 1].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::convert::index;

    const ALL: [StandIn; 9] = [
        StandIn::WebSearch1,
        StandIn::WebSearch2,
        StandIn::Financial1,
        StandIn::Financial2,
        StandIn::Exchange,
        StandIn::Msr,
        StandIn::Systor,
        StandIn::Tencent,
        StandIn::Alibaba,
    ];

    /// A stretch of about `requests` requests.
    fn drawn(stand_in: StandIn, requests: f64) -> (Trace, f64) {
        let seconds = requests / stand_in.profile().requests_per_s;
        let trace = stand_in.trace(7, 0, rounded(seconds * PS_PER_S as f64), usize::MAX);
        (trace, seconds)
    }

    /// Variance over mean of the counts of stretches of `window_s` seconds.
    fn dispersion(trace: &Trace, seconds: f64, window_s: f64) -> f64 {
        let mut counts = vec![0.0; crate::kernel::convert::whole_index(seconds / window_s)];
        for record in trace.iter() {
            let window = index(whole(record.at_ps as f64 / (window_s * PS_PER_S as f64)));
            if let Some(count) = counts.get_mut(window) {
                *count += 1.0;
            }
        }
        let mean = counts.iter().sum::<f64>() / counts.len() as f64;
        counts.iter().map(|count| (count - mean) * (count - mean)).sum::<f64>() / counts.len() as f64 / mean
    }

    /// What the sources should add up to.
    fn expected_dispersion(profile: Profile, window_s: f64) -> f64 {
        let (share, surge) = profile.surges;
        let surges = share * f64::from(surge - 1);
        let of = |(scale_s, share): (f64, f64)| {
            let steps = window_s / scale_s;
            let decay = 1.0 - (1.0 - libm::exp(-steps)) / steps;
            2.0 * share * share * profile.requests_per_s * scale_s * (1.0 - ON) / ON * decay
        };
        1.0 + surges + SCALES_S.into_iter().zip(profile.bursts).map(of).sum::<f64>()
    }

    #[test]
    fn rates_reads_and_sizes_are_those_published() {
        for stand_in in ALL {
            let profile = stand_in.profile();
            // Long against the slowest source, so that its turns do not count.
            let (trace, seconds) = drawn(stand_in, (20_000.0 * profile.requests_per_s).clamp(4e5, 3e6));
            let requests = trace.len() as f64;
            let slack = if seconds > 5000.0 { 0.08 } else { 0.35 };
            let rate = requests / seconds;
            assert!((rate / profile.requests_per_s - 1.0).abs() < slack, "{stand_in:?}: {rate} requests a second");
            let reads = trace.iter().filter(|record| record.operation == Operation::Read).count() as f64 / requests;
            assert!((reads - profile.read_fraction).abs() < 0.005, "{stand_in:?}: {reads} reads");
            let mean = trace.iter().map(|record| f64::from(record.bytes)).sum::<f64>() / requests;
            assert!((mean / profile.mean_bytes() - 1.0).abs() < 0.02, "{stand_in:?}: {mean} bytes");
        }
    }

    #[test]
    fn means_are_those_of_the_publications() {
        for (stand_in, mean_bytes) in [
            (StandIn::WebSearch1, 15_500.0),
            (StandIn::WebSearch2, 15_500.0),
            (StandIn::Financial1, 3400.0),
            (StandIn::Financial2, 2400.0),
        ] {
            let ours = stand_in.profile().mean_bytes();
            assert!((ours / mean_bytes - 1.0).abs() < 0.015, "{stand_in:?}: {ours}");
        }
    }

    #[test]
    fn weights_add_up_and_published_quantiles_hold() {
        for stand_in in ALL {
            let profile = stand_in.profile();
            for sizes in [profile.reads, profile.writes] {
                let sum: f64 = sizes.iter().map(|&(_, weight)| weight).sum();
                assert!((sum - 1.0).abs() < 1e-9, "{stand_in:?}: {sum}");
            }
        }
        let up_to = |sizes: Sizes, limit: u32| -> f64 {
            sizes.iter().filter(|&&(bytes, _)| bytes <= limit).map(|&(_, weight)| weight).sum()
        };
        assert!((up_to(ALIBABA_READS, 32_000) - 0.75).abs() < 1e-9);
        assert!((up_to(ALIBABA_WRITES, 16_000) - 0.75).abs() < 1e-9);
        assert!((up_to(TENCENT, 124_000) - 0.51).abs() < 1e-9 && (up_to(TENCENT, 457_000) - 0.89).abs() < 1e-9);
    }

    #[test]
    fn counts_vary_more_than_those_of_a_poisson_process_at_every_scale() {
        for stand_in in [StandIn::WebSearch2, StandIn::Financial2, StandIn::Exchange] {
            let rate = stand_in.profile().requests_per_s;
            let (trace, seconds) = drawn(stand_in, (10_000.0 * rate).min(4e6));
            let mut before = 1.0;
            for window_s in [0.01, 0.1, 1.0, 10.0] {
                let (found, expected) =
                    (dispersion(&trace, seconds, window_s), expected_dispersion(stand_in.profile(), window_s));
                assert!(found > before, "{stand_in:?}: {found} over {window_s} s, {before} over less");
                assert!(
                    (0.6..1.5).contains(&(found / expected)),
                    "{stand_in:?}: {found} of {expected} over {window_s} s"
                );
                before = found;
            }
        }
    }

    #[test]
    fn addresses_are_skewed_and_in_part_sequential() {
        let (trace, _) = drawn(StandIn::Financial1, 100_000.0);
        let profile = StandIn::Financial1.profile();
        let records: Vec<Record> = trace.iter().collect();
        let follows =
            records.windows(2).filter(|pair| pair[1].address == pair[0].address + u64::from(pair[0].bytes)).count();
        let sequential = follows as f64 / records.len() as f64;
        assert!((sequential - profile.sequential).abs() < 0.02, "{sequential}");
        let hot = records.iter().filter(|record| record.address < profile.volume_bytes / HOT_PART).count();
        assert!(hot as f64 / records.len() as f64 > 0.6);
        assert!(records.iter().all(|record| record.address + u64::from(record.bytes) <= profile.volume_bytes + GIB));
    }

    #[test]
    fn a_longer_stretch_begins_with_the_same_requests() {
        let short = StandIn::Tencent.trace(1, 3, PS_PER_S, usize::MAX);
        let long = StandIn::Tencent.trace(1, 3, 2 * PS_PER_S, usize::MAX);
        assert!(long.len() > short.len());
        assert!(short.iter().zip(long.iter()).all(|(one, other)| one == other));
        assert_ne!(StandIn::Tencent.trace(2, 3, PS_PER_S, usize::MAX).digest(), short.digest());
        assert_eq!(StandIn::Tencent.trace(1, 3, u64::MAX, 10).len(), 10);
    }
}
