//! Sizes of the requests of a workload.

use qoscope_engine::scenario::Size;
use qoscope_engine::text::grouped;

use super::How::Roughly;
use super::options::Reader;
use crate::fio::laws::{Law, Laws, OPTIONS, Weights, laws};
use crate::fio::limits;

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

/// Reads the sizes of a job, of which a part of `reads` reads.
pub(super) fn sizes(reader: &mut Reader, reads: f64) -> Sizes {
    let Laws { of: [of_reads, of_writes], option } = reader
        .settled(&[&OPTIONS[..], &["bs_unaligned"]].concat(), laws)
        .unwrap_or_else(|| Laws { of: [Law::fixed(4096), Law::fixed(4096)], option: None });
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
    say(reader, &sizes, mixed, option);
    say_unaligned(reader);
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
fn say(reader: &mut Reader, sizes: &Sizes, mixed: bool, counts: Option<&str>) {
    let path = reader.path("traffic.size");
    let to = match &sizes.size {
        Size::Fixed { bytes } => format!("{} B", grouped(*bytes)),
        Size::Uniform { minimum_blocks, maximum_blocks, block_bytes } => {
            format!("{minimum_blocks} to {maximum_blocks} blocks of {} B", grouped(*block_bytes))
        }
        Size::Choice { bytes } => {
            format!("a choice of {} B to {} B", grouped(bytes[0]), grouped(bytes[bytes.len() - 1]))
        }
        _ => String::new(),
    };
    for option in OPTIONS {
        let Some(line) = reader.line(option) else { continue };
        if let Some(other) = counts.filter(|other| *other != option) {
            reader.ledger.nothing(line, format!("The job has {other}, which overrules it."));
        } else if mixed {
            let why = "Reads and writes have one distribution of sizes, to which each gives its part.";
            reader.ledger.because(line, path.clone(), to.clone(), Roughly, why);
        } else {
            reader.ledger.add(line, path.clone(), to.clone());
        }
    }
}

/// `bs_unaligned`, which is about ranges alone.
fn say_unaligned(reader: &mut Reader) {
    let Some((on, line)) = reader.flag("bs_unaligned") else { return };
    let path = reader.path("traffic.size");
    match reader.line("bsrange") {
        None => reader.ledger.nothing(line, "It changes nothing without bsrange."),
        Some(_) => reader.ledger.add(line, path, if on { "blocks of 1 B" } else { "whole blocks" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fio::laws::listed;

    #[test]
    fn a_mix_has_the_sizes_of_both() {
        let weights = mixed(&Law::fixed(4096), &Law::fixed(65_536), 0.7);
        assert_eq!(weights, [(4096, 350), (65_536, 150)].into());
        assert_eq!(listed(&weights), Size::Choice { bytes: [vec![4096; 7], vec![65_536; 3]].concat() });
    }
}
