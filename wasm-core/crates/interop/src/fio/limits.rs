//! What a scenario can have at most, as its schema says.

use qoscope_engine::scenario::schema;
use serde_json::Value;

/// Workloads.
pub(super) fn jobs() -> usize {
    of("", "workloads", "maxItems") as usize
}

/// Classes.
pub(super) fn classes() -> usize {
    of("", "classes", "maxItems") as usize
}

/// Letters in the name of a class.
pub(super) fn name() -> usize {
    of("Class", "name", "maxLength") as usize
}

/// The length of a run, in microseconds.
pub(super) fn run_us() -> f64 {
    of("", "durationUs", "maximum") as f64
}

/// The seed.
pub(super) fn seed() -> u64 {
    of("", "seed", "maximum")
}

/// Connections between two hosts.
pub(super) fn connections() -> u64 {
    of("Workload", "connections", "maximum")
}

/// Requests that a connection keeps outstanding.
pub(super) fn outstanding() -> u64 {
    of("Traffic", "outstanding", "maximum")
}

/// A pause, in microseconds.
pub(super) fn think_us() -> f64 {
    of("Traffic", "thinkTimeUs", "maximum") as f64
}

/// Requests after which traffic ends.
pub(super) fn requests() -> u64 {
    of("Traffic", "requests", "maximum")
}

/// Bytes of a request.
pub(super) fn bytes() -> u64 {
    of("Size", "bytes", "maximum")
}

/// Sizes of a choice.
pub(super) fn choice() -> u64 {
    of("Size", "bytes", "maxItems")
}

/// Bytes of a block.
pub(super) fn block() -> u64 {
    of("Size", "blockBytes", "maximum")
}

/// What addresses are multiples of.
pub(super) fn alignment() -> u64 {
    of("Addresses", "alignmentBytes", "maximum")
}

/// The bound of a field of a definition, or of the document itself.
fn of(definition: &str, field: &str, bound: &str) -> u64 {
    let whole = if definition.is_empty() { &schema()["properties"] } else { &schema()["$defs"][definition] };
    let found = if definition.is_empty() { whole[field].get(bound) } else { within(whole, field, bound) };
    found.and_then(Value::as_f64).unwrap_or_else(|| panic!("{definition}.{field} has no {bound}")) as u64
}

/// The bound of a field, in whichever alternative has one.
fn within<'a>(definition: &'a Value, field: &str, bound: &str) -> Option<&'a Value> {
    let own = definition.get("properties").and_then(|fields| fields.get(field)?.get(bound));
    let alternatives = definition.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    own.or_else(|| alternatives.into_iter().find_map(|one| within(one, field, bound)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_in_the_schema() {
        assert_eq!((jobs(), classes(), name(), seed()), (4096, 16, 40, (1 << 53) - 1));
        assert_eq!((connections(), outstanding(), requests()), (1024, 65_536, 1_000_000_000));
        assert_eq!((bytes(), choice(), block(), alignment()), (1_000_000_000_000, 1000, 1_000_000, 1 << 30));
        assert_eq!((run_us(), think_us()), (200_000_000.0, 10_000_000.0));
    }
}
