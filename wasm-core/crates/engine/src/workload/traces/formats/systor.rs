//! SYSTOR '17: `Timestamp,Response,IOType,LUN,Offset,Size`, with a heading in every file.
//!
//! C. Lee et al., "Understanding storage traffic characteristics on enterprise virtual desktop infrastructure", SYSTOR 2017,
//! and the notes with the files. Instants and response times are decimal seconds since 1970, offset and size are bytes, the
//! type is R or W. A row without a type had no answer: it is left out, and counted.

use super::super::fields::{Columns, Fault, seconds_ns};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    if line.starts_with(b"Timestamp,Response") {
        return Ok(Line::Other);
    }
    let mut columns = Columns::by_comma(line);
    let at_ns = seconds_ns(columns.next()?).ok_or(Fault::Number("time"))?;
    let response = columns.next()?;
    let operation = match columns.next()? {
        b"R" => Some(Operation::Read),
        b"W" => Some(Operation::Write),
        b"" => None,
        _ => return Err(Fault::Word("type")),
    };
    let volume = columns.next()?;
    let Some(operation) = operation else {
        columns.next()?;
        columns.next()?;
        return columns.end().map(|()| Line::Skipped);
    };
    let (address, bytes) = (columns.whole("offset")?, columns.whole("size")?);
    columns.end()?;
    let line = request(at_ns, operation, address, bytes, volume);
    Ok(seconds_ns(response).map_or(line, |latency_ns| line.lasting(latency_ns)))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn seconds_since_1970_and_bytes() {
        let expected = Request {
            at_ns: 1_456_329_600_123_456_789,
            operation: Operation::Read,
            address: 4096,
            bytes: 8192,
            volume: b"2",
            latency_ns: Some(200_000),
        };
        assert_eq!(only(Format::Systor, "1456329600.123456789,0.000200,R,2,4096,8192"), Line::Request(expected));
    }

    #[test]
    fn headings_are_passed_over_and_rows_without_a_type_left_out() {
        assert_eq!(only(Format::Systor, "Timestamp,Response,IOType,LUN,Offset,Size"), Line::Other);
        assert_eq!(only(Format::Systor, "1456329600.123456789,,,2,,"), Line::Skipped);
        assert_eq!(only(Format::Systor, "1456329600.123456789,0.1,,2,4096,8192"), Line::Skipped);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Systor, "1456329600.1,0.1,X,2,4096,8192"), Fault::Word("type"));
        assert_eq!(fault(Format::Systor, "1456329600.1,0.1,R,2,4096"), Fault::Columns);
        assert_eq!(fault(Format::Systor, "1456329600.1,0.1,R,2,4096,-1"), Fault::Number("size"));
    }
}
