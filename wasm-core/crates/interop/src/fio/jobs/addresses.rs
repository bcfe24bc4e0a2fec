//! Addresses of a job: `rw`, the distribution, and the range.
//!
//! fio 3.33, `fio(1)`, "I/O TYPE"; `lib/zipf.c`: of n blocks the k-th most frequent one has a share of k^-θ, and a Pareto
//! distribution of parameter h has a part 1 − h of the requests in a part h of the blocks; `options.c` (`zone_split_ddir`).

use qoscope_engine::scenario::{AddressPattern, Addresses, quoted};
use qoscope_engine::text::{grouped, three_digits};

use super::How::{NotAtAll, Roughly};
use super::options::Reader;
use super::sizes::Sizes;
use crate::fio::limits;
use crate::fio::options::{Extent, ExtentUnit, Options, ZoneMode};

/// What the scenario gives to a job.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Pairs of hosts that it runs between.
    pub(super) pairs: u64,
    /// Bytes of the storage that it reads and writes.
    pub(super) capacity: u64,
    /// What its addresses are multiples of where nothing says so.
    pub(super) alignment: u64,
}

/// Kinds of addresses, by the names of fio.
const DISTRIBUTIONS: [&str; 6] = ["random", "zipf", "pareto", "normal", "zoned", "zoned_abs"];
/// The hottest part of a Zipf distribution that is told from the rest.
const HOT: f64 = 0.2;

/// The addresses of a job, and how many bytes are in their range where the job limits it.
pub(super) fn addresses(
    reader: &mut Reader,
    sequential: bool,
    sizes: &Sizes,
    setting: Setting,
) -> (Addresses, Option<u64>) {
    let capacity = setting.capacity;
    let start = reader.extent("offset", capacity);
    let size = reader.extent("size", capacity);
    let file = reader.extent("filesize", capacity);
    let say = |reader: &mut Reader, field: &str, (extent, line): (Extent, u32)| {
        let (path, to) = (reader.path(field), format!("{} B", grouped(extent.bytes)));
        let why = match extent.unit {
            ExtentUnit::Bytes => return reader.ledger.add(line, path, to),
            ExtentUnit::Percent(percent) => {
                format!("{percent} % of the {} B of the server.", grouped(capacity))
            }
            ExtentUnit::Zones(zones) => format!("{zones} zones of zonesize."),
        };
        reader.ledger.because(line, path, to, super::How::Exactly, why);
    };
    if let Some(start) = start {
        say(reader, "addresses.startBytes", start);
    }
    match (size, file) {
        (Some(size), file) => {
            say(reader, "addresses.lengthBytes", size);
            if let Some((_, line)) = file {
                reader.ledger.nothing(line, "The job has a size.");
            }
        }
        (None, Some(file)) => say(reader, "addresses.lengthBytes", file),
        (None, None) => {}
    }
    let length = size.or(file).map(|(size, _)| size.bytes).filter(|bytes| *bytes > 0);
    let mut addresses = Addresses {
        pattern: if sequential { AddressPattern::Sequential } else { AddressPattern::Random },
        start_bytes: start.map_or(0, |(start, _)| start.bytes),
        length_bytes: length,
        alignment_bytes: None,
    };
    if let Some((Extent { bytes, .. }, line)) = size
        && bytes > 0
        && bytes < sizes.min
    {
        reader.refuse(
            line,
            "size",
            format!("is {bytes} bytes, less than a request has"),
            "Give a larger size, or a smaller bs.",
        );
    }
    zones_of_drive(reader, sequential);
    if !sequential {
        let blocks = length.unwrap_or(capacity).min(capacity) / sizes.min.max(1);
        if let Some(pattern) = distribution(reader, blocks.max(1), length.unwrap_or(capacity)) {
            addresses.pattern = pattern;
        }
        part_in_order(reader, &mut addresses);
        if let Some((_, line)) = reader.flag("norandommap") {
            let path = reader.path("addresses.pattern");
            reader.ledger.add(line, path, "random");
        }
    }
    let in_order = addresses.pattern == AddressPattern::Sequential;
    addresses.alignment_bytes = alignment(reader, in_order, sizes, setting.alignment);
    (addresses, length)
}

/// The mapping of the options of zones. Strides are gaps that fio makes itself, on any drive.
fn zones_of_drive(reader: &mut Reader, sequential: bool) {
    const OPTIONS: [&str; 4] = ["zonemode", "zonesize", "zonerange", "zoneskip"];
    if reader.settled(&OPTIONS, Options::zone_mode) != Some(ZoneMode::Strided) {
        return;
    }
    let why = if sequential {
        "fio leaves gaps between strides; addresses of a scenario follow each other without gaps."
    } else {
        "fio stays in a stride for a while; addresses of a scenario are drawn from the whole range."
    };
    for option in OPTIONS {
        if let Some(line) = reader.line(option) {
            reader.ledger.nothing(line, why);
        }
    }
}

/// `percentage_random`.
fn part_in_order(reader: &mut Reader, addresses: &mut Addresses) {
    let Some((percent, line)) = reader.pair("percentage_random", 0) else { return };
    let percent = percent[0].or(percent[1]).unwrap_or(100);
    if percent > 100 {
        return reader.refuse(line, "percentage_random", format!("is {percent}"), "Write 0 to 100.");
    }
    if percent < 50 {
        addresses.pattern = AddressPattern::Sequential;
    }
    let (path, to) = (reader.path("addresses.pattern"), if percent < 50 { "sequential" } else { "random" });
    if percent == 0 || percent == 100 {
        reader.ledger.because(line, path, to, super::How::Exactly, "All of them.");
    } else {
        reader.ledger.add(line, path, to);
    }
}

/// What addresses are multiples of; none where that is what they are without a word. Sequential ones follow each other without gaps.
fn alignment(reader: &mut Reader, sequential: bool, sizes: &Sizes, usual: u64) -> Option<u32> {
    let given = reader.pair("ba", 1).and_then(|(bytes, line)| Some((bytes[0].or(bytes[1])?, line)));
    let useless = given.filter(|(bytes, _)| sequential && !sizes.min.is_multiple_of(*bytes));
    if let Some((_, line)) = useless {
        reader.ledger.nothing(line, "Sequential addresses follow each other.");
    }
    let given = given.filter(|_| useless.is_none());
    let bytes = given.map_or(sizes.min, |(bytes, _)| bytes);
    let within = bytes.min(limits::alignment());
    if let Some((_, line)) = given {
        let (path, to) = (reader.path("addresses.alignmentBytes"), format!("{} B", grouped(within)));
        if bytes == within {
            reader.ledger.add(line, path, to);
        } else {
            reader.ledger.because(
                line,
                path,
                to,
                Roughly,
                format!("A scenario takes {} at most.", limits::alignment()),
            );
        }
    }
    let is_usual = if sequential { within.is_multiple_of(usual) } else { within == usual };
    (given.is_some() || !is_usual).then_some(within as u32)
}

/// `random_distribution`.
fn distribution(reader: &mut Reader, blocks: u64, length: u64) -> Option<AddressPattern> {
    let (kind, text, line) = reader.word("random_distribution", &DISTRIBUTIONS)?;
    let rest = text.split_once(':').map(|(_, rest)| rest);
    let path = reader.path("addresses.pattern");
    let pattern = match DISTRIBUTIONS[kind] {
        "zipf" | "pareto" => {
            // Behind another colon stands where the hottest block lies.
            let usual = if DISTRIBUTIONS[kind] == "zipf" { 1.1 } else { 0.2 };
            let parameter = rest.map_or(Some(usual), |rest| rest.split(':').next()?.trim().parse().ok());
            let parameter = parameter.filter(|value: &f64| *value > 0.0 && value.is_finite() && *value != 1.0);
            let pattern = match (parameter, DISTRIBUTIONS[kind]) {
                (Some(theta), "zipf") => {
                    Some(AddressPattern::HotCold { hot_part: HOT, hot_requests: zipf_share(blocks, theta) })
                }
                (Some(h), _) if h < 1.0 => {
                    Some(AddressPattern::HotCold { hot_part: h.max(1e-6), hot_requests: 1.0 - h })
                }
                _ => None,
            };
            if pattern.is_none() {
                let hint = "Write zipf: and a positive number other than 1, or pareto: and a number between 0 and 1.";
                reader.refuse(line, "random_distribution", format!("is {}", quoted(&text)), hint);
            }
            pattern?
        }
        "zoned" | "zoned_abs" => {
            zones(reader, line, rest.unwrap_or_default(), (DISTRIBUTIONS[kind] == "zoned_abs").then_some(length))?
        }
        "normal" => {
            let why = "The scenario knows no bell of addresses: all are equally likely.";
            reader.ledger.because(line, path, "random", NotAtAll, why);
            return None;
        }
        _ => {
            reader.ledger.because(line, path, "random", super::How::Exactly, "All addresses are equally likely.");
            return None;
        }
    };
    let AddressPattern::HotCold { hot_part, hot_requests } = pattern else { return Some(pattern) };
    let to =
        format!("{} % of the requests to {} %", three_digits(100.0 * hot_requests), three_digits(100.0 * hot_part));
    let zones = rest.and_then(|rest| rest.split(',').next()).map_or(0, |zones| zones.split(':').count());
    if DISTRIBUTIONS[kind].starts_with("zoned") && zones == 2 {
        reader.ledger.because(line, path, to, super::How::Exactly, "Two zones are a hot part and a cold rest.");
    } else {
        reader.ledger.add(line, path, to);
    }
    Some(pattern)
}

/// The share of the hottest part of so many blocks under Zipf's law.
fn zipf_share(blocks: u64, theta: f64) -> f64 {
    let hot = libm::ceil(blocks as f64 * HOT).max(1.0);
    (harmonic(hot, theta) / harmonic(blocks as f64, theta)).min(1.0)
}

/// The sum of k^-θ for k from 1 to n: the first terms one by one, the others by the formula of Euler and Maclaurin.
fn harmonic(n: f64, theta: f64) -> f64 {
    const ONE_BY_ONE: f64 = 1000.0;
    let term = |k: f64| libm::pow(k, -theta);
    let first = n.min(ONE_BY_ONE);
    let sum: f64 = (1..=first as u32).map(|k| term(f64::from(k))).sum();
    let integral = |k: f64| libm::pow(k, 1.0 - theta) / (1.0 - theta);
    if n > first { sum + integral(n) - integral(first) + (term(n) - term(first)) / 2.0 } else { sum }
}

/// Zones with their shares of the requests and of the range, as a hot part and a cold rest: cut where they differ most.
fn zones(reader: &mut Reader, line: u32, text: &str, absolute: Option<u64>) -> Option<AddressPattern> {
    const HINT: &str =
        "Give the shares of the requests, which add up to 100, and those of the range, such as zoned:80/20:20/80.";
    let text = text.split(',').next().unwrap_or_default();
    let mut zones: Vec<(f64, Option<f64>)> = Vec::new();
    for zone in text.split(':').filter(|zone| !zone.is_empty()) {
        let (requests, part) = zone.split_once('/').unwrap_or((zone, ""));
        let part = match (part, absolute) {
            ("" | "0", _) => Some(None),
            (part, Some(length)) => {
                reader.bytes("random_distribution", part).map(|bytes| Some(100.0 * bytes as f64 / length as f64))
            }
            (part, None) => part.parse::<u64>().ok().filter(|part| *part <= 100).map(|part| Some(part as f64)),
        };
        let (Ok(requests @ 0..=100), Some(part)) = (requests.parse::<u64>(), part) else {
            reader.refuse(line, "random_distribution", format!("has the zone {}", quoted(zone)), HINT);
            return None;
        };
        zones.push((requests as f64, part));
    }
    let requests: f64 = zones.iter().map(|(requests, _)| requests).sum();
    let given: f64 = zones.iter().filter_map(|(_, part)| *part).sum();
    if requests != 100.0 || (absolute.is_none() && given > 100.0) {
        let reason = format!("has shares of {requests} % of the requests and {given} % of the range");
        reader.refuse(line, "random_distribution", reason, HINT);
        return None;
    }
    let open = zones.iter().filter(|(_, part)| part.is_none()).count() as f64;
    let left = (100.0 - given).max(0.0) / open.max(1.0);
    let all: f64 = if absolute.is_some() { zones.iter().map(|(_, part)| part.unwrap_or(left)).sum() } else { 100.0 };
    let mut best = (0.0, 100.0, 100.0);
    let (mut to, mut of) = (0.0, 0.0);
    for (requests, part) in &zones[..zones.len().saturating_sub(1)] {
        to += requests;
        of += part.unwrap_or(left) * 100.0 / all.max(f64::MIN_POSITIVE);
        if (to - of).abs() > best.0 {
            best = ((to - of).abs(), to, of);
        }
    }
    if best.0 == 0.0 {
        let path = reader.path("addresses.pattern");
        reader.ledger.because(line, path, "random", super::How::Exactly, "All addresses are equally likely.");
        return Some(AddressPattern::Random);
    }
    Some(AddressPattern::HotCold { hot_part: (best.2 / 100.0).clamp(1e-6, 1.0), hot_requests: best.1 / 100.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_many_terms_are_those_of_all() {
        for theta in [0.5, 0.9, 1.1, 2.0] {
            let all: f64 = (1..=200_000).map(|k| libm::pow(f64::from(k), -theta)).sum();
            assert!((harmonic(200_000.0, theta) / all - 1.0).abs() < 1e-6, "{theta}");
        }
        // Of five blocks the hottest one: 1 ÷ (1 + 1/2 + 1/3 + 1/4 + 1/5) with θ next to 1.
        assert!((zipf_share(5, 1.000_001) - 60.0 / 137.0).abs() < 1e-5);
    }
}
