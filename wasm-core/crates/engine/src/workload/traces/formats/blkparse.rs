//! What blkparse prints of a trace of the Linux block layer: `8,0 1 42 0.000120000 3142 Q R 303567 + 8 [fio]`.
//!
//! J. Axboe, `blkparse(1)`, its default output: device, processor, number, seconds, process, action, kind, first sector, `+`,
//! sectors of 512 bytes. A request is issued when it is queued, action Q. A trace that was recorded or filtered without Q
//! (`blktrace -a issue -a complete`) has D, the dispatch to the driver: until the first Q, requests are issued at D. The time from D to C,
//! the completion, is the time of the device: D2C of `btt(1)`. All other actions (G, I, M and so on) and the sums at the end are ignored.
//! The kind has R to read, W to write, D to discard (a trim); flushes without data are left out.

use super::super::fields::{Fault, seconds_ns, sectors, whole, words};
use super::super::trace::Operation;
use super::{Completed, Line, Memory, request};

/// Requests that devices may have at once and are told apart.
const MAXIMUM_AT_DEVICE: usize = 65_536;

pub(super) fn parse<'a>(line: &'a [u8], memory: &mut Memory) -> Result<Line<'a>, Fault> {
    if is_sum(line) {
        return Ok(Line::Other);
    }
    let mut words = words(line);
    let mut next = || words.next().ok_or(Fault::Columns);
    let volume = next()?;
    let Some(device) = device(volume) else { return Err(Fault::Word("device")) };
    let (processor, number) = (next()?, next()?);
    if whole(processor).is_none() || whole(number).is_none() {
        return Err(Fault::Number("processor and number"));
    }
    let at_ns = seconds_ns(next()?).ok_or(Fault::Number("time"))?;
    let (_process, action, kind) = (next()?, next()?, next()?);
    if !matches!(action, b"Q" | b"D" | b"C") {
        return Ok(Line::Other);
    }
    // Flushes have no sector, and requests of other commands (PC) may have none.
    let first = next().ok().and_then(whole);
    if action == b"C" {
        memory.has_completions = true;
        let done = first.and_then(|first| completed(at_ns, (device, first), kind, volume, memory));
        return Ok(done.map_or(Line::Other, Line::Completed));
    }
    if action == b"D" {
        if let Some(first) = first {
            dispatched(at_ns, (device, first), kind, memory);
        }
        if memory.has_queued {
            return Ok(Line::Other);
        }
    }
    memory.has_queued |= action == b"Q";
    let operation = if kind.contains(&b'D') {
        Operation::Trim
    } else if kind.contains(&b'R') {
        Operation::Read
    } else if kind.contains(&b'W') {
        Operation::Write
    } else {
        return Ok(Line::Skipped);
    };
    let Some(first) = first else { return Ok(Line::Skipped) };
    if next()? != b"+" {
        return Err(Fault::Columns);
    }
    let count = whole(next()?).ok_or(Fault::Number("size"))?;
    memory.issued_at_dispatch += u64::from(action == b"D");
    Ok(request(at_ns, operation, sectors(first, "sector")?, sectors(count, "size")?, volume))
}

/// Whether a kind moves data to read (true) or to write; `None` for discards and flushes.
fn moves_data(kind: &[u8]) -> Option<bool> {
    let reads = kind.contains(&b'R');
    (!kind.contains(&b'D') && (reads || kind.contains(&b'W'))).then_some(reads)
}

/// Records when the driver got a request.
fn dispatched(at_ns: u64, (device, first): (u64, u64), kind: &[u8], memory: &mut Memory) {
    let Some(reads) = moves_data(kind) else { return };
    let waiting = &mut memory.at_device_ns;
    // Completions that were lost while it was recorded must not add up.
    if waiting.len() >= MAXIMUM_AT_DEVICE {
        waiting.clear();
    }
    waiting.insert((device, first, reads), at_ns);
}

/// The completion of a request that was dispatched.
fn completed<'a>(
    at_ns: u64,
    (device, first): (u64, u64),
    kind: &[u8],
    volume: &'a [u8],
    memory: &mut Memory,
) -> Option<Completed<'a>> {
    let reads = moves_data(kind)?;
    let since_ns = memory.at_device_ns.remove(&(device, first, reads))?;
    Some(Completed { at_ns: since_ns, latency_ns: at_ns.saturating_sub(since_ns), reads, volume })
}

/// The number of a device, `8,0`; none where a word is none.
fn device(word: &[u8]) -> Option<u64> {
    let comma = word.iter().position(|&byte| byte == b',')?;
    let (major, minor) = (whole(&word[..comma])?, whole(&word[comma + 1..])?);
    Some(major.checked_shl(32)? | minor)
}

/// Whether a line is one of the sums that stand behind the requests.
fn is_sum(line: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 13] = [
        b"CPU",
        b"Total (",
        b"Throughput (R/W)",
        b"Events (",
        b"Skips:",
        b"Reads Queued",
        b"Read Dispatches",
        b"Reads Requeued",
        b"Reads Completed",
        b"Read Merges",
        b"Read depth",
        b"PC Reads",
        b"IO unplugs",
    ];
    BEGINNINGS.iter().any(|beginning| line.starts_with(beginning)) || line.starts_with(b"Timer unplugs")
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    const QUEUED: &str = "8,0    1       42     0.000120000  3142  Q   R 303567 + 8 [fio]";

    #[test]
    fn a_request_is_issued_where_it_is_queued() {
        let expected = Request {
            at_ns: 120_000,
            operation: Operation::Read,
            address: 303_567 * 512,
            bytes: 4096,
            volume: b"8,0",
            latency_ns: None,
        };
        assert_eq!(only(Format::Blkparse, QUEUED), Line::Request(expected));
        for action in ["G", "I", "C", "P", "m", "U"] {
            assert_eq!(only(Format::Blkparse, &QUEUED.replace(" Q ", &format!(" {action} "))), Line::Other);
        }
    }

    #[test]
    fn request_without_queued_action_is_issued_at_dispatch() {
        let mut memory = Memory::default();
        let mut issued = |line: String| match Format::Blkparse.parse(line.as_bytes(), &mut memory) {
            Ok(Line::Request(request)) => Some((request.at_ns, request.operation, request.bytes)),
            _ => None,
        };
        let line = |action: &str, kind: &str| {
            QUEUED.replace(" Q ", &format!(" {action} ")).replace(" R ", &format!(" {kind} "))
        };
        assert_eq!(issued(line("D", "R")), Some((120_000, Operation::Read, 4096)));
        assert_eq!(issued(line("D", "DS")), Some((120_000, Operation::Trim, 4096)));
        assert_eq!(issued(line("C", "R")), None);
        assert_eq!(issued(line("Q", "WS")), Some((120_000, Operation::Write, 4096)));
        assert_eq!(issued(line("D", "WS")), None, "the same request was issued at Q");
        assert_eq!(memory.issued_at_dispatch, 2);
    }

    #[test]
    fn what_a_device_took_is_from_d_to_c_of_the_same_sectors() {
        let mut memory = Memory::default();
        let line = |at: &str, action: &str, rest: &str| format!("8,0 1 42 {at} 3142 {action} {rest}");
        let lines = [
            line("0.000100", "Q", "R 100 + 8 [fio]"),
            line("0.000110", "D", "R 100 + 8 [fio]"),
            line("0.000120", "D", "WS 100 + 8 [fio]"),
            line("0.000130", "D", "DS 900 + 8 [fio]"),
            line("0.000190", "C", "R 100 + 8 [0]"),
            line("0.000220", "C", "WS 100 + 8 [0]"),
            line("0.000230", "C", "R 100 + 8 [0]"),
            line("0.000240", "C", "DS 900 + 8 [0]"),
            line("0.000250", "C", "R 500 + 8 [0]"),
            line("0.000260", "D", "FN [fio]"),
        ];
        let mut found = Vec::new();
        for line in &lines {
            if let Line::Completed(done) = Format::Blkparse.parse(line.as_bytes(), &mut memory).unwrap() {
                found.push((done.reads, done.at_ns, done.latency_ns));
            }
        }
        assert_eq!(found, [(true, 110_000, 80_000), (false, 120_000, 100_000)]);
    }

    #[test]
    fn kinds_tell_reads_writes_and_discards_apart() {
        for (kind, operation) in
            [("RA", Operation::Read), ("WS", Operation::Write), ("FWFSM", Operation::Write), ("DS", Operation::Trim)]
        {
            let line = QUEUED.replace(" R ", &format!(" {kind} "));
            let Ok(Line::Request(found)) =
                Format::Blkparse.parse(line.as_bytes(), &mut super::super::Memory::default())
            else {
                panic!("{kind}")
            };
            assert_eq!(found.operation, operation);
        }
        assert_eq!(only(Format::Blkparse, "8,0 1 43 0.00013 3142 Q F [fio]"), Line::Skipped);
        assert_eq!(only(Format::Blkparse, "8,0 1 43 0.00013 3142 Q FWS [fio]"), Line::Skipped);
    }

    #[test]
    fn sums_are_passed_over_and_what_is_wrong_is_named() {
        assert_eq!(only(Format::Blkparse, "CPU0 (8,0):"), Line::Other);
        assert_eq!(only(Format::Blkparse, "Reads Queued:           1,        4KiB"), Line::Other);
        assert_eq!(fault(Format::Blkparse, "nonsense"), Fault::Word("device"));
        assert_eq!(fault(Format::Blkparse, "8,0 1 42 x 3142 Q R 1 + 8"), Fault::Number("time"));
        assert_eq!(fault(Format::Blkparse, "8,0 1 42 0.1 3142 Q R 1 - 8"), Fault::Columns);
    }
}
