//! Tencent's cloud block storage: `Timestamp,Offset,Size,IOType,VolumeID`, without a heading.
//!
//! Y. Zhang et al., "OSCA", USENIX ATC 2020; trace 27917 of SNIA. Offset and size count sectors of 512 bytes; 0 reads, 1
//! writes. Instants are whole seconds since 1970: the requests of a second are spread evenly over it in the order of the
//! file, since all of them at its beginning would be a burst that never was.

use super::super::fields::{Columns, Fault, NS_PER_S, sectors};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    let mut columns = Columns::by_comma(line);
    let at_ns = columns.whole("time")?.checked_mul(NS_PER_S).ok_or(Fault::Number("time"))?;
    let address = sectors(columns.whole("offset")?, "offset")?;
    let bytes = sectors(columns.whole("size")?, "size")?;
    let operation = match columns.next()? {
        b"0" => Operation::Read,
        b"1" => Operation::Write,
        _ => return Err(Fault::Word("type")),
    };
    let volume = columns.next()?;
    columns.end()?;
    Ok(request(at_ns, operation, address, bytes, volume))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn whole_seconds_and_sectors() {
        let expected = Request {
            at_ns: 1_538_323_200 * NS_PER_S,
            operation: Operation::Write,
            address: 12_910_952 * 512,
            bytes: 128 * 512,
            volume: b"1063",
            latency_ns: None,
        };
        assert_eq!(only(Format::Tencent, "1538323200,12910952,128,1,1063"), Line::Request(expected));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Tencent, "1538323200,12910952,128,2,1063"), Fault::Word("type"));
        assert_eq!(fault(Format::Tencent, "1538323200.5,12910952,128,1,1063"), Fault::Number("time"));
        assert_eq!(fault(Format::Tencent, "1538323200,12910952,128,1"), Fault::Columns);
        assert_eq!(fault(Format::Tencent, "99999999999,12910952,128,1,1063"), Fault::Number("time"));
    }
}
