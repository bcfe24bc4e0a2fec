//! Sizes of requests: `bs`, `bsrange` and `bssplit`.
//!
//! fio 3.33, `fio(1)`, "BLOCK SIZE"; `io_u.c` (`get_next_buflen`): a size of a range is the least plus a part of the greatest, rounded
//! down to a multiple of the least; `options.c` (`bssplit_ddir`): shares that are left out have what others leave, in whole per cents.

use std::collections::BTreeMap;

use qoscope_engine::scenario::Size;

use super::How::Roughly;
use super::limits;
use super::options::Reader;
use crate::words::grouped;

/// fio's own block size.
const USUAL_BYTES: u64 = 4096;
/// Most sizes that fio takes (`BSSPLIT_MAX`).
const MAXIMUM_SPLIT: usize = 64;

/// Sizes with their weights.
type Weights = BTreeMap<u64, u64>;

/// The sizes of a job.
pub(super) struct Sizes {
    /// As the document has them.
    pub(super) size: Size,
    /// Mean of all, of reads and of writes, in bytes.
    pub(super) mean: f64,
    pub(super) of_reads: f64,
    pub(super) of_writes: f64,
    /// The least size, which random addresses are multiples of.
    pub(super) min: u64,
}

/// The sizes of one kind of requests.
#[derive(Clone, Debug, PartialEq)]
enum Law {
    Listed(Weights),
    /// Every number of blocks is equally likely.
    Blocks {
        min: u64,
        max: u64,
        block: u64,
    },
}

impl Law {
    fn fixed(bytes: u64) -> Self {
        Self::Listed([(bytes, 1)].into())
    }

    fn mean(&self) -> f64 {
        match self {
            Self::Listed(weights) => {
                let total: u64 = weights.values().sum();
                weights.iter().map(|(bytes, weight)| *bytes as f64 * *weight as f64).sum::<f64>() / total as f64
            }
            Self::Blocks { min, max, block } => (min + max) as f64 / 2.0 * *block as f64,
        }
    }

    fn min(&self) -> u64 {
        match self {
            Self::Listed(weights) => weights.keys().next().copied().unwrap_or(USUAL_BYTES),
            Self::Blocks { min, block, .. } => min * block,
        }
    }

    /// Sizes with their shares: those of a wide range as so many steps of equal probability.
    fn shares(&self) -> Vec<(u64, f64)> {
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
    fn size(&self) -> Size {
        match self {
            Self::Blocks { min, max, block } => {
                Size::Uniform { minimum_blocks: *min, maximum_blocks: *max, block_bytes: *block }
            }
            Self::Listed(weights) => listed(weights),
        }
    }
}

/// Sizes with their weights, in a document.
fn listed(weights: &Weights) -> Size {
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

/// Reads the sizes of a job, of which a part of `reads` reads.
pub(super) fn sizes(reader: &mut Reader, reads: f64) -> Sizes {
    let split = split(reader);
    let range = range(reader);
    let block = block(reader);
    let law =
        |kind: usize| split[kind].clone().or_else(|| range[kind].clone()).unwrap_or_else(|| Law::fixed(block[kind]));
    let (of_reads, of_writes) = (law(0), law(1));
    let (size, mean, min, mixed) = if reads >= 1.0 || of_reads == of_writes {
        (of_reads.size(), of_reads.mean(), of_reads.min(), false)
    } else if reads <= 0.0 {
        (of_writes.size(), of_writes.mean(), of_writes.min(), false)
    } else {
        let weights = mixed(&of_reads, &of_writes, reads);
        let law = Law::Listed(weights);
        (law.size(), law.mean(), law.min(), true)
    };
    let sizes = Sizes { size, mean, of_reads: of_reads.mean(), of_writes: of_writes.mean(), min };
    say(reader, &sizes, mixed, [split.iter().any(Option::is_some), range.iter().any(Option::is_some)]);
    sizes
}

/// Reads and writes of different sizes, as one distribution.
fn mixed(of_reads: &Law, of_writes: &Law, reads: f64) -> Weights {
    let mut weights = Weights::new();
    for (law, share) in [(of_reads, reads), (of_writes, 1.0 - reads)] {
        for (bytes, part) in law.shares() {
            let weight = libm::round(limits::choice() as f64 / 2.0 * part * share) as u64;
            *weights.entry(bytes).or_default() += weight.max(1);
        }
    }
    weights
}

/// Says what became of the options of sizes.
fn say(reader: &mut Reader, sizes: &Sizes, mixed: bool, [split, range]: [bool; 2]) {
    let path = reader.path("traffic.size");
    let to = match &sizes.size {
        Size::Fixed { bytes } => format!("{} B", grouped(&bytes.to_string())),
        Size::Uniform { minimum_blocks, maximum_blocks, block_bytes } => {
            format!("{minimum_blocks} to {maximum_blocks} blocks of {} B", grouped(&block_bytes.to_string()))
        }
        Size::Choice { bytes } => format!(
            "a choice of {} B to {} B",
            grouped(&bytes[0].to_string()),
            grouped(&bytes[bytes.len() - 1].to_string())
        ),
        _ => String::new(),
    };
    for (option, stands, overruled) in [
        ("bssplit", split, ""),
        ("bsrange", range && !split, "bssplit"),
        ("bs", !split && !range, "bsrange or bssplit"),
    ] {
        let Some(line) = reader.line(option) else { continue };
        if !stands {
            reader.ledger.nothing(line, format!("The job has {overruled}, which says more."));
        } else if mixed {
            let why = "Reads and writes have one distribution of sizes, to which each gives its part.";
            reader.ledger.because(line, path.clone(), to.clone(), Roughly, why);
        } else {
            reader.ledger.add(line, path.clone(), to.clone());
        }
    }
}

/// `bs`, of reads and of writes.
fn block(reader: &mut Reader) -> [u64; 2] {
    let Some((bytes, line)) = reader.pair("bs", 1) else { return [USUAL_BYTES; 2] };
    let bytes = bytes.map(|bytes| bytes.unwrap_or(USUAL_BYTES));
    if bytes.iter().any(|bytes| *bytes > limits::bytes()) {
        reader.refuse(line, "bs", "is more than a request can have", format!("Write up to {} bytes.", limits::bytes()));
        return [USUAL_BYTES; 2];
    }
    bytes
}

/// `bsrange`, of reads and of writes.
fn range(reader: &mut Reader) -> [Option<Law>; 2] {
    let unaligned = reader.flag("bs_unaligned");
    let Some((text, line)) = reader.text("bsrange") else {
        if let Some((_, line)) = unaligned {
            reader.ledger.nothing(line, "It changes nothing without bsrange.");
        }
        return [None, None];
    };
    let texts: Vec<&str> = text.split(',').collect();
    let texts = [texts[0], texts.get(1).copied().unwrap_or(texts[0])];
    let mut laws = [None, None];
    for (law, text) in laws.iter_mut().zip(texts) {
        let Some((low, high)) = text.split_once('-').or_else(|| text.split_once(':')) else {
            reader.refuse(
                line,
                "bsrange",
                "has no range of sizes",
                "Write the least and the greatest, such as 4k-64k.",
            );
            break;
        };
        let (Some(low), Some(high)) = (reader.bytes("bsrange", line, low), reader.bytes("bsrange", line, high)) else {
            break;
        };
        let (low, high) = (low.min(high), low.max(high));
        if low == 0 || high > limits::bytes() {
            reader.refuse(
                line,
                "bsrange",
                format!("goes from {low} to {high} bytes"),
                format!("Write 1 to {} bytes.", limits::bytes()),
            );
            break;
        }
        *law = Some(if unaligned.is_some_and(|(on, _)| on) {
            Law::Blocks { min: low, max: high, block: 1 }
        } else {
            multiples(low, high)
        });
    }
    if let Some((on, line)) = unaligned {
        let path = reader.path("traffic.size");
        if on { reader.ledger.add(line, path, "blocks of 1 B") } else { reader.ledger.add(line, path, "whole blocks") }
    }
    laws
}

/// The multiples of the least size up to the greatest, which has what is left.
fn multiples(low: u64, high: u64) -> Law {
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
fn split(reader: &mut Reader) -> [Option<Law>; 2] {
    let Some((text, line)) = reader.text("bssplit") else { return [None, None] };
    let texts: Vec<&str> = text.trim_start().split(',').collect();
    let texts = [texts[0], texts.get(1).copied().unwrap_or(texts[0])];
    let mut laws = [None, None];
    for (law, text) in laws.iter_mut().zip(texts) {
        *law = shares(reader, line, text).map(Law::Listed);
    }
    laws
}

/// Sizes with their shares in per cent: `4k/60:8k/40`.
fn shares(reader: &mut Reader, line: u32, text: &str) -> Option<Weights> {
    let mut entries: Vec<(u64, Option<u64>)> = Vec::new();
    for entry in text.split(':').take_while(|entry| !entry.is_empty()) {
        let (size, share) = entry.split_once('/').map_or((entry, ""), |(size, share)| (size, share));
        let bytes = reader.bytes("bssplit", line, size)?;
        let share = if share.is_empty() { Some(0) } else { share.parse::<u64>().ok().filter(|share| *share <= 100) };
        let Some(share) = share.filter(|_| (1..=limits::bytes()).contains(&bytes)) else {
            reader.refuse(
                line,
                "bssplit",
                format!("has {entry:?}"),
                "Write sizes of 1 byte or more with 0 to 100 per cent, such as 4k/60:8k/40.",
            );
            return None;
        };
        entries.push((bytes, (share > 0).then_some(share)));
    }
    let given: u64 = entries.iter().filter_map(|(_, share)| *share).sum();
    if entries.len() > MAXIMUM_SPLIT || given > 100 {
        let reason = if given > 100 {
            format!("has shares of {given} % together")
        } else {
            format!("has {} sizes, and fio takes {MAXIMUM_SPLIT}", entries.len())
        };
        reader.refuse(line, "bssplit", reason, "Give at most 64 sizes whose shares add up to 100.");
        return None;
    }
    let open = entries.iter().filter(|(_, share)| share.is_none()).count() as u64;
    let left = (100 - given).checked_div(open).unwrap_or_default();
    let mut entries: Vec<(u64, u64)> =
        entries.into_iter().map(|(bytes, share)| (bytes, share.unwrap_or(left))).collect();
    // fio goes through them from the rarest on: what is missing to a hundred is the last one's.
    entries.sort_by_key(|(_, share)| *share);
    let missing = 100 - entries.iter().map(|(_, share)| share).sum::<u64>();
    entries.last_mut()?.1 += missing;
    let mut weights = Weights::new();
    for (bytes, share) in entries.into_iter().filter(|(_, share)| *share > 0) {
        *weights.entry(bytes).or_default() += share;
    }
    Some(weights)
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
        assert_eq!(
            multiples(512, 512).size(),
            Size::Uniform { minimum_blocks: 1, maximum_blocks: 1, block_bytes: 512 }
        );
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

    #[test]
    fn a_mix_has_the_sizes_of_both() {
        let weights = mixed(&Law::fixed(4096), &Law::fixed(65_536), 0.7);
        assert_eq!(weights, [(4096, 350), (65_536, 150)].into());
        assert_eq!(listed(&weights), Size::Choice { bytes: [vec![4096; 7], vec![65_536; 3]].concat() });
    }
}
