//! Distributions of the sizes of requests: `bs`, `bsrange` and `bssplit`, for job files and results alike.
//!
//! fio 3.33, `fio(1)`, "BLOCK SIZE"; `io_u.c` (`get_next_buflen`): a size of a range is the least plus a part of the greatest, rounded
//! down to a multiple of the least; `options.c` (`bssplit_ddir`): shares that are left out have what others leave, in whole per cents.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{Size, quoted};

use super::limits;
use super::options::{Misread, Options, Read};

/// fio's own block size.
const USUAL_BYTES: u64 = 4096;
/// Most sizes that fio takes (`BSSPLIT_MAX`).
const MAXIMUM_SPLIT: usize = 64;

/// Sizes with their weights.
pub(super) type Weights = BTreeMap<u64, u64>;

/// The sizes of one kind of requests.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Law {
    Listed(Weights),
    /// Every number of blocks is equally likely.
    Blocks {
        min: u64,
        max: u64,
        block: u64,
    },
}

impl Law {
    pub(super) fn fixed(bytes: u64) -> Self {
        Self::Listed([(bytes, 1)].into())
    }

    pub(super) fn mean(&self) -> f64 {
        match self {
            Self::Listed(weights) => {
                let total: u64 = weights.values().sum();
                weights.iter().map(|(bytes, weight)| *bytes as f64 * *weight as f64).sum::<f64>() / total as f64
            }
            Self::Blocks { min, max, block } => (min + max) as f64 / 2.0 * *block as f64,
        }
    }

    pub(super) fn min(&self) -> u64 {
        match self {
            Self::Listed(weights) => weights.keys().next().copied().unwrap_or(USUAL_BYTES),
            Self::Blocks { min, block, .. } => min * block,
        }
    }

    /// Sizes with their shares: those of a wide range as so many steps of equal probability.
    pub(super) fn shares(&self) -> Vec<(u64, f64)> {
        match self {
            Self::Listed(weights) => {
                let total: u64 = weights.values().sum();
                weights.iter().map(|(bytes, weight)| (*bytes, *weight as f64 / total as f64)).collect()
            }
            Self::Blocks { min, max, block } => {
                let steps = (max - min + 1).min(100);
                let at = |step: u64| min + (2 * step + 1) * (max - min + 1) / (2 * steps);
                (0..steps).map(|step| (at(step).min(*max) * block, 1.0 / steps as f64)).collect()
            }
        }
    }

    /// The same law in a document.
    pub(super) fn size(&self) -> Size {
        match self {
            Self::Blocks { min, max, block } => {
                Size::Uniform { minimum_blocks: *min, maximum_blocks: *max, block_bytes: *block }
            }
            Self::Listed(weights) => listed(weights),
        }
    }
}

/// Sizes with their weights, in a document.
pub(super) fn listed(weights: &Weights) -> Size {
    if let (1, Some(bytes)) = (weights.len(), weights.keys().next()) {
        return Size::Fixed { bytes: *bytes };
    }
    if let Some(size) = even_steps(weights) {
        return size;
    }
    let divisor = weights.values().copied().fold(0, greatest_divisor).max(1);
    let bytes = weights.iter().flat_map(|(bytes, weight)| std::iter::repeat_n(*bytes, (weight / divisor) as usize));
    Size::Choice { bytes: bytes.collect() }
}

/// Three sizes or more, equally likely, that are consecutive multiples of a block.
fn even_steps(weights: &Weights) -> Option<Size> {
    let sizes: Vec<u64> = weights.keys().copied().collect();
    let block = sizes.get(1)? - sizes[0];
    let steps = sizes.windows(2).all(|pair| pair[1] - pair[0] == block);
    let even = weights.values().all(|weight| *weight == weights[&sizes[0]]);
    let is_uniform = sizes.len() > 2 && steps && even && sizes[0].is_multiple_of(block) && block <= limits::block();
    is_uniform.then(|| Size::Uniform {
        minimum_blocks: sizes[0] / block,
        maximum_blocks: sizes[sizes.len() - 1] / block,
        block_bytes: block,
    })
}

fn greatest_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_divisor(b, a % b) }
}

impl Law {
    /// The size of every request; `None` if there are several.
    pub(super) fn only(&self) -> Option<u64> {
        match self {
            Self::Listed(weights) if weights.len() == 1 => weights.keys().next().copied(),
            Self::Blocks { min, max, block } if min == max => Some(min * block),
            _ => None,
        }
    }
}

/// The sizes of reads and of writes, and the option that says them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Laws {
    pub(super) of: [Law; 2],
    /// `bssplit`, `bsrange` or `bs`; `None` where a job says no size.
    pub(super) option: Option<&'static str>,
}

/// Options that say sizes: an earlier one overrules those after it.
pub(super) const OPTIONS: [&str; 3] = ["bssplit", "bsrange", "bs"];

/// The sizes of the requests of a job.
pub(super) fn laws(options: &Options) -> Read<Laws> {
    let (split, range, block) = (split(options)?, range(options)?, block(options)?);
    let of =
        |kind: usize| split[kind].clone().or_else(|| range[kind].clone()).unwrap_or_else(|| Law::fixed(block[kind]));
    Ok(Laws { of: [of(0), of(1)], option: OPTIONS.into_iter().find(|option| options.place(option).is_some()) })
}

/// `bs`, of reads and of writes.
fn block(options: &Options) -> Read<[u64; 2]> {
    let Some(bytes) = options.pair("bs", 1).transpose()? else { return Ok([USUAL_BYTES; 2]) };
    let bytes = bytes.map(|bytes| bytes.unwrap_or(USUAL_BYTES));
    match bytes.iter().find(|bytes| **bytes > limits::bytes()) {
        Some(bytes) => {
            let reason = format!("is {bytes} bytes, more than a request can have");
            Err(Misread::new("bs", reason, format!("Write up to {} bytes.", limits::bytes())))
        }
        None => Ok(bytes),
    }
}

/// `bsrange`, of reads and of writes.
fn range(options: &Options) -> Read<[Option<Law>; 2]> {
    let Some(text) = options.text("bsrange").transpose()? else { return Ok([None, None]) };
    let is_unaligned = options.flag("bs_unaligned").transpose()?.unwrap_or_default();
    let of = |text: &str| {
        let Some((low, high)) = text.split_once('-').or_else(|| text.split_once(':')) else {
            let hint = "Write the least and the greatest, such as 4k-64k.";
            return Err(Misread::new("bsrange", "has no range of sizes", hint));
        };
        let (low, high) = (options.bytes("bsrange", low)?, options.bytes("bsrange", high)?);
        let (low, high) = (low.min(high), low.max(high));
        if low == 0 || high > limits::bytes() {
            let reason = format!("goes from {low} to {high} bytes");
            return Err(Misread::new("bsrange", reason, format!("Write 1 to {} bytes.", limits::bytes())));
        }
        Ok(Some(if is_unaligned && low < high {
            Law::Blocks { min: low, max: high, block: 1 }
        } else {
            multiples(low, high)
        }))
    };
    let texts: Vec<&str> = text.split(',').collect();
    Ok([of(texts[0])?, of(texts.get(1).copied().unwrap_or(texts[0]))?])
}

/// The multiples of the least size up to the greatest, which has what is left.
fn multiples(low: u64, high: u64) -> Law {
    if low == high {
        return Law::fixed(low);
    }
    let (whole, rest) = (high / low, high % low);
    if (rest == 0 && low <= limits::block()) || whole >= limits::choice() {
        return Law::Blocks { min: 1, max: whole, block: low };
    }
    let divisor = greatest_divisor(low, rest);
    let mut weights: Weights = (1..=whole).map(|times| (times * low, low / divisor)).collect();
    if rest > 0 {
        weights.insert(high, rest / divisor);
    }
    // A choice lists a size as often as it weighs.
    let total: u64 = weights.values().sum();
    if total > limits::choice() {
        for weight in weights.values_mut() {
            *weight = (*weight * (limits::choice() / 2) / total).max(1);
        }
    }
    Law::Listed(weights)
}

/// `bssplit`, of reads and of writes.
fn split(options: &Options) -> Read<[Option<Law>; 2]> {
    let Some(text) = options.text("bssplit").transpose()? else { return Ok([None, None]) };
    let texts: Vec<&str> = text.trim_start().split(',').collect();
    let of = |text: &str| Ok(Some(Law::Listed(shares(options, text)?)));
    Ok([of(texts[0])?, of(texts.get(1).copied().unwrap_or(texts[0]))?])
}

/// Sizes with their shares in per cent: `4k/60:8k/40`.
fn shares(options: &Options, text: &str) -> Read<Weights> {
    let mut entries: Vec<(u64, Option<u64>)> = Vec::new();
    for entry in text.split(':').take_while(|entry| !entry.is_empty()) {
        let (size, share) = entry.split_once('/').map_or((entry, ""), |(size, share)| (size, share));
        let bytes = options.bytes("bssplit", size)?;
        let share = if share.is_empty() { Some(0) } else { share.parse::<u64>().ok().filter(|share| *share <= 100) };
        let Some(share) = share.filter(|_| (1..=limits::bytes()).contains(&bytes)) else {
            let hint = "Write sizes of 1 byte or more with 0 to 100 per cent, such as 4k/60:8k/40.";
            return Err(Misread::new("bssplit", format!("has {}", quoted(entry)), hint));
        };
        entries.push((bytes, (share > 0).then_some(share)));
    }
    let given: u64 = entries.iter().filter_map(|(_, share)| *share).sum();
    if entries.is_empty() || entries.len() > MAXIMUM_SPLIT || given > 100 {
        let reason = if given > 100 {
            format!("has shares of {given} % together")
        } else {
            format!("has {} sizes, and fio takes 1 to {MAXIMUM_SPLIT}", entries.len())
        };
        return Err(Misread::new("bssplit", reason, "Give at most 64 sizes whose shares add up to 100."));
    }
    let open = entries.iter().filter(|(_, share)| share.is_none()).count() as u64;
    let left = (100 - given).checked_div(open).unwrap_or_default();
    let mut entries: Vec<(u64, u64)> =
        entries.into_iter().map(|(bytes, share)| (bytes, share.unwrap_or(left))).collect();
    // fio goes through them from the rarest on: what is missing to a hundred is the last one's.
    entries.sort_by_key(|(_, share)| *share);
    let missing = 100 - entries.iter().map(|(_, share)| share).sum::<u64>();
    if let Some((_, share)) = entries.last_mut() {
        *share += missing;
    }
    let mut weights = Weights::new();
    for (bytes, share) in entries.into_iter().filter(|(_, share)| *share > 0) {
        *weights.entry(bytes).or_default() += share;
    }
    Ok(weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_the_multiples_of_its_least_size() {
        assert_eq!(multiples(4096, 65_536), Law::Blocks { min: 1, max: 16, block: 4096 });
        // 3000 + U × 10 000, down to multiples of 3000 and up to 10 000: three tenths each, and a tenth of the greatest.
        assert_eq!(multiples(3000, 10_000), Law::Listed([(3000, 3), (6000, 3), (9000, 3), (10_000, 1)].into()));
        assert_eq!(multiples(1 << 20, 2 << 20), Law::Listed([(1 << 20, 1), (2 << 20, 1)].into()));
        assert_eq!(multiples(512, 512), Law::fixed(512));
    }

    #[test]
    fn laws_are_written_as_short_as_they_can_be() {
        assert_eq!(Law::fixed(4096).size(), Size::Fixed { bytes: 4096 });
        let even: Weights = [(8192, 25), (12_288, 25), (16_384, 25), (20_480, 25)].into();
        assert_eq!(listed(&even), Size::Uniform { minimum_blocks: 2, maximum_blocks: 5, block_bytes: 4096 });
        assert_eq!(
            listed(&[(4096, 60), (8192, 40)].into()),
            Size::Choice { bytes: vec![4096, 4096, 4096, 8192, 8192] }
        );
    }
}
