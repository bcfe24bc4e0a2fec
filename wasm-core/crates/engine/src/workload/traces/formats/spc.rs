//! SPC: `ASU,LBA,size,opcode,timestamp[,...]`, as the traces WebSearch and Financial of the UMass repository have it.
//!
//! Storage Performance Council, "SPC trace file format specification", revision 1.0.1. The application storage unit (ASU)
//! is the volume, the address counts blocks of 512 bytes, the size counts bytes, the operation is r or w in either case, the
//! instant is decimal seconds from the start of the trace. Further columns are optional and not read.

use super::super::fields::{Columns, Fault, seconds_ns, sectors};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    let mut columns = Columns::by_comma(line);
    let volume = columns.next()?;
    let address = sectors(columns.whole("address")?, "address")?;
    let bytes = columns.whole("size")?;
    let operation = match columns.next()? {
        b"r" | b"R" => Operation::Read,
        b"w" | b"W" => Operation::Write,
        _ => return Err(Fault::Word("operation")),
    };
    let at_ns = seconds_ns(columns.next()?).ok_or(Fault::Number("time"))?;
    Ok(request(at_ns, operation, address, bytes, volume))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn blocks_of_512_bytes_hold_sizes_in_bytes() {
        let expected = Request {
            at_ns: 26_214_000,
            operation: Operation::Write,
            address: 303_567 * 512,
            bytes: 3584,
            volume: b"0",
            latency_ns: None,
        };
        assert_eq!(only(Format::Spc, "0,303567,3584,w,0.026214"), Line::Request(expected));
        let with_more = only(Format::Spc, "0,303567,3584,W,0.026214,17,x");
        assert_eq!(with_more, Line::Request(expected));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Spc, "0,303567,3584,w"), Fault::Columns);
        assert_eq!(fault(Format::Spc, "0,303567,3584,x,0.1"), Fault::Word("operation"));
        assert_eq!(fault(Format::Spc, "0,-1,3584,w,0.1"), Fault::Number("address"));
        assert_eq!(fault(Format::Spc, "0,1,3584,w,NaN"), Fault::Number("time"));
        assert_eq!(fault(Format::Spc, "0,99999999999999999,512,w,0.1"), Fault::Number("address"));
        assert_eq!(only(Format::Spc, "0,1,0,w,0.1"), Line::Skipped);
    }
}
