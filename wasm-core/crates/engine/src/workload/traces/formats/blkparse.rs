//! What blkparse prints of a trace of the Linux block layer: `8,0 1 42 0.000120000 3142 Q R 303567 + 8 [fio]`.
//!
//! J. Axboe, `blkparse(1)`, its default output: device, processor, number, seconds, process, action, kind, first sector, `+`,
//! sectors of 512 bytes. A request is issued where it is queued, action Q; all others (G, I, D, C and so on) follow from it and
//! are passed over, and so are the sums at the end. The kind has R to read, W to write, D to discard (a trim); flushes without
//! data are left out.

use super::super::fields::{Fault, seconds_ns, sectors, whole, words};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    if is_sum(line) {
        return Ok(Line::Other);
    }
    let mut words = words(line);
    let mut next = || words.next().ok_or(Fault::Columns);
    let volume = next()?;
    if !is_device(volume) {
        return Err(Fault::Word("device"));
    }
    let (processor, number) = (next()?, next()?);
    if whole(processor).is_none() || whole(number).is_none() {
        return Err(Fault::Number("processor and number"));
    }
    let at_ns = seconds_ns(next()?).ok_or(Fault::Number("time"))?;
    let (_process, action, kind) = (next()?, next()?, next()?);
    if action != b"Q" {
        return Ok(Line::Other);
    }
    let operation = if kind.contains(&b'D') {
        Operation::Trim
    } else if kind.contains(&b'R') {
        Operation::Read
    } else if kind.contains(&b'W') {
        Operation::Write
    } else {
        return Ok(Line::Skipped);
    };
    let Ok(first) = next() else { return Ok(Line::Skipped) };
    let Some(first) = whole(first) else { return Ok(Line::Skipped) };
    if next()? != b"+" {
        return Err(Fault::Columns);
    }
    let count = whole(next()?).ok_or(Fault::Number("size"))?;
    Ok(request(at_ns, operation, sectors(first, "sector")?, sectors(count, "size")?, volume))
}

/// Whether a word is the number of a device, `8,0`.
fn is_device(word: &[u8]) -> bool {
    let comma = word.iter().position(|&byte| byte == b',');
    comma.is_some_and(|comma| whole(&word[..comma]).is_some() && whole(&word[comma + 1..]).is_some())
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
        let expected =
            Request { at_ns: 120_000, operation: Operation::Read, address: 303_567 * 512, bytes: 4096, volume: b"8,0" };
        assert_eq!(only(Format::Blkparse, QUEUED), Line::Request(expected));
        for action in ["G", "I", "D", "C", "P", "m", "U"] {
            let line = QUEUED.replace(" Q ", &format!(" {action} "));
            assert_eq!(Format::Blkparse.parse(line.as_bytes(), &mut super::super::Memory::default()), Ok(Line::Other));
        }
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
