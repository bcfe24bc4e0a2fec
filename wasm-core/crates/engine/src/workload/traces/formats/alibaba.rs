//! Alibaba's cloud block storage: `device_id,opcode,offset,length,timestamp`, without a heading.
//!
//! J. Li et al., "An in-depth analysis of cloud block storage workloads in large-scale production", IISWC 2020, and the notes
//! with the files. The operation is R or W, offset and length are bytes, instants are microseconds since 1970.

use super::super::fields::{Columns, Fault};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    if line.starts_with(b"device_id,opcode") {
        return Ok(Line::Other);
    }
    let mut columns = Columns::by_comma(line);
    let volume = columns.next()?;
    let operation = match columns.next()? {
        b"R" => Operation::Read,
        b"W" => Operation::Write,
        _ => return Err(Fault::Word("operation")),
    };
    let (address, bytes) = (columns.whole("offset")?, columns.whole("length")?);
    let at_ns = columns.whole("time")?.checked_mul(1000).ok_or(Fault::Number("time"))?;
    columns.end()?;
    Ok(request(at_ns, operation, address, bytes, volume))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn microseconds_and_bytes() {
        let expected = Request {
            at_ns: 1_577_808_000_000_626_000,
            operation: Operation::Write,
            address: 126_703_644_672,
            bytes: 4096,
            volume: b"419",
            latency_ns: None,
        };
        assert_eq!(only(Format::Alibaba, "419,W,126703644672,4096,1577808000000626"), Line::Request(expected));
        assert_eq!(only(Format::Alibaba, "device_id,opcode,offset,length,timestamp"), Line::Other);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Alibaba, "419,D,126703644672,4096,1577808000000626"), Fault::Word("operation"));
        assert_eq!(fault(Format::Alibaba, "419,W,126703644672,4096"), Fault::Columns);
        assert_eq!(fault(Format::Alibaba, "419,W,126703644672,4096,99999999999999999"), Fault::Number("time"));
    }
}
