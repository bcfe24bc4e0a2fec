//! MSR Cambridge: `Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime`, without a heading.
//!
//! D. Narayanan, A. Donnelly, A. Rowstron, "Write off-loading", FAST 2008, and the notes that SNIA has with the files.
//! Instants and response times are Windows file times, ticks of 100 ns since 1601; offset and size are bytes. The volume is
//! host and disk, `hm_1`, as the files are called.

use super::super::fields::{Columns, Fault, whole};
use super::super::trace::Operation;
use super::{Line, request};

/// Nanoseconds in a tick of a Windows file time.
const TICK_NS: u64 = 100;

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    let mut columns = Columns::by_comma(line);
    let ticks = columns.whole("time")?;
    let start = columns.taken(line);
    columns.next()?;
    columns.whole("disk")?;
    let volume = line[start..columns.taken(line) - 1].trim_ascii();
    let operation = match columns.next()? {
        b"Read" | b"read" => Operation::Read,
        b"Write" | b"write" => Operation::Write,
        _ => return Err(Fault::Word("type")),
    };
    let (address, bytes) = (columns.whole("offset")?, columns.whole("size")?);
    let response = columns.next()?;
    columns.end()?;
    let at_ns = ticks.checked_mul(TICK_NS).ok_or(Fault::Number("time"))?;
    let line = request(at_ns, operation, address, bytes, volume);
    // The request is replayed by its instant: a response time that is none costs no request.
    let latency_ns = whole(response).and_then(|ticks| ticks.checked_mul(TICK_NS));
    Ok(latency_ns.map_or(line, |latency_ns| line.lasting(latency_ns)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn ticks_of_100_ns_and_bytes() {
        let expected = Request {
            at_ns: 12_816_637_200_306_162_900,
            operation: Operation::Read,
            address: 383_496_192,
            bytes: 32_768,
            volume: b"hm,1",
            latency_ns: Some(41_300),
        };
        let line = "128166372003061629,hm,1,Read,383496192,32768,413";
        assert_eq!(only(Format::Msr, line), Line::Request(expected));
    }

    #[test]
    fn a_response_time_that_is_none_costs_no_request() {
        for response in ["", "-1", "x", "99999999999999999999"] {
            let line = format!("128166372003061629,hm,1,Read,0,512,{response}");
            assert!(matches!(only(Format::Msr, &line), Line::Request(Request { latency_ns: None, .. })), "{response}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Msr, "128166372003061629,hm,1,Read,383496192,32768"), Fault::Columns);
        assert_eq!(fault(Format::Msr, "128166372003061629,hm,1,Read,383496192,32768,413,9"), Fault::Columns);
        assert_eq!(fault(Format::Msr, "128166372003061629,hm,1,Erase,383496192,32768,413"), Fault::Word("type"));
        assert_eq!(fault(Format::Msr, "1e17,hm,1,Read,383496192,32768,413"), Fault::Number("time"));
        assert_eq!(fault(Format::Msr, "18446744073709551615,hm,1,Read,0,512,413"), Fault::Number("time"));
    }
}
