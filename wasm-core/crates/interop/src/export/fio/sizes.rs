//! Sizes of requests as fio takes them.

use std::collections::BTreeMap;

use qoscope_engine::workload::laws::SizeLaw;

/// Most sizes that fio takes (`BSSPLIT_MAX`).
pub(super) const MAX_SIZES: usize = 64;
/// Parts of equal probability that a law of more sizes is written in.
const PARTS: u32 = 50;
/// What direct I/O is a multiple of, on any device.
const SECTOR_BYTES: u64 = 512;

/// Sizes in bytes with their shares in per cent, which make a hundred.
pub(super) struct Sizes {
    /// Each with its share.
    pub(super) parts: Vec<(u64, u32)>,
    /// Whether they are those of the law, with its shares.
    pub(super) exact: bool,
}

impl Sizes {
    /// Those of a law.
    pub(super) fn of(law: &SizeLaw) -> Self {
        match law {
            SizeLaw::Fixed(bytes) => Self::alike(&[*bytes]),
            SizeLaw::Blocks { minimum, maximum, block_bytes } if (maximum - minimum) < MAX_SIZES as u64 => {
                Self::alike(&(*minimum..=*maximum).map(|blocks| blocks * block_bytes).collect::<Vec<_>>())
            }
            SizeLaw::Choice(sizes) if sizes.len() <= MAX_SIZES => Self::alike(sizes),
            _ => Self::in_parts(law),
        }
    }

    /// Sizes that are equally likely, each as often as it is given.
    fn alike(sizes: &[u64]) -> Self {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        for &bytes in sizes {
            *counts.entry(in_sectors(bytes)).or_default() += 1;
        }
        let even = counts.values().all(|count| (100 * count).is_multiple_of(sizes.len()));
        let exact = even && sizes.iter().all(|&bytes| in_sectors(bytes) == bytes);
        // Each is given the whole per cents that those up to it have together, but for those before it.
        let (mut before, mut given) = (0, 0);
        let parts = counts.into_iter().map(|(bytes, count)| {
            before += count;
            let up_to = ((200 * before + sizes.len()) / (2 * sizes.len())) as u32;
            let share = up_to - given;
            given = up_to;
            (bytes, share)
        });
        Self { parts: parts.filter(|&(_, share)| share > 0).collect(), exact }
    }

    /// Parts of equal probability, each with its mean.
    fn in_parts(law: &SizeLaw) -> Self {
        /// Points of a part over which the mean is taken.
        const POINTS: u32 = 100;
        // Sizes stay whole blocks where they are: a drive of 4 KiB sectors takes nothing else.
        let grain = match law {
            SizeLaw::Blocks { block_bytes, .. } if block_bytes.is_multiple_of(SECTOR_BYTES) => *block_bytes,
            _ => SECTOR_BYTES,
        };
        let mut parts: Vec<(u64, u32)> = Vec::new();
        for part in 0..PARTS {
            let at = |point: u32| (f64::from(part * POINTS + point) + 0.5) / f64::from(PARTS * POINTS);
            let mean = (0..POINTS).map(|point| quantile(law, at(point))).sum::<f64>() / f64::from(POINTS);
            let bytes = rounded_to(grain, libm::round(mean) as u64);
            match parts.last_mut() {
                Some((last, share)) if *last == bytes => *share += 100 / PARTS,
                _ => parts.push((bytes, 100 / PARTS)),
            }
        }
        Self { parts, exact: false }
    }

    /// The mean of them.
    pub(super) fn mean_bytes(&self) -> f64 {
        self.parts.iter().map(|&(bytes, share)| bytes as f64 * f64::from(share)).sum::<f64>() / 100.0
    }

    /// The line of a job.
    pub(super) fn line(&self) -> String {
        match self.parts.as_slice() {
            [(bytes, _)] => format!("bs={bytes}"),
            parts => {
                let parts: Vec<String> = parts.iter().map(|(bytes, share)| format!("{bytes}/{share}")).collect();
                format!("bssplit={}", parts.join(":"))
            }
        }
    }
}

/// The nearest size of whole sectors, one at least.
fn in_sectors(bytes: u64) -> u64 {
    rounded_to(SECTOR_BYTES, bytes)
}

/// The nearest multiple of `grain`, once at least.
fn rounded_to(grain: u64, bytes: u64) -> u64 {
    ((bytes + grain / 2) / grain).max(1) * grain
}

/// The size that a part `share` of the requests does not exceed.
fn quantile(law: &SizeLaw, share: f64) -> f64 {
    match law {
        SizeLaw::Fixed(bytes) => *bytes as f64,
        SizeLaw::Blocks { minimum, maximum, block_bytes } => {
            let blocks = (maximum - minimum + 1) as f64;
            (*minimum as f64 + libm::floor(share * blocks)) * *block_bytes as f64
        }
        SizeLaw::Exponential(mean) => -mean * libm::log1p(-share),
        SizeLaw::Choice(sizes) => {
            let mut sorted = sizes.clone();
            sorted.sort_unstable();
            sorted[libm::floor(share * sorted.len() as f64) as usize] as f64
        }
        SizeLaw::Empirical(points) => {
            let per_cent = 100.0 * share;
            let above = points.iter().position(|&(_, up_to)| up_to >= per_cent).unwrap_or(points.len() - 1);
            let (bytes, up_to) = points[above];
            let Some(&(before, from)) = above.checked_sub(1).and_then(|before| points.get(before)) else {
                return bytes;
            };
            if up_to > from { before + (bytes - before) * (per_cent - from) / (up_to - from) } else { bytes }
        }
    }
}
