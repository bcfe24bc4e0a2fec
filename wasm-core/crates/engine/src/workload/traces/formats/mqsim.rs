//! MQSim and DiskSim in text: `time device address sectors type`, separated by spaces.
//!
//! A. Tavakkol et al., "MQSim", FAST 2018, `Trace_Based` flows. Address and size count sectors of 512 bytes; 0 writes, 1
//! reads. The unit of time stands in the configuration of the simulator and not in the file: nanoseconds are taken, as in the
//! traces that MQSim ships. Microseconds are a time scale of 0.001.

use super::super::fields::{Fault, sectors, whole, words};
use super::super::trace::Operation;
use super::{Line, request};

pub(super) fn parse(line: &[u8]) -> Result<Line<'_>, Fault> {
    let mut words = words(line);
    let mut next = || words.next().ok_or(Fault::Columns);
    let (time, volume, address, size, operation) = (next()?, next()?, next()?, next()?, next()?);
    if words.next().is_some() {
        return Err(Fault::Columns);
    }
    let at_ns = whole(time).ok_or(Fault::Number("time"))?;
    if whole(volume).is_none() {
        return Err(Fault::Number("device"));
    }
    let address = sectors(whole(address).ok_or(Fault::Number("address"))?, "address")?;
    let bytes = sectors(whole(size).ok_or(Fault::Number("size"))?, "size")?;
    let operation = match operation {
        b"1" => Operation::Read,
        b"0" => Operation::Write,
        _ => return Err(Fault::Word("type")),
    };
    Ok(request(at_ns, operation, address, bytes, volume))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{fault, only};
    use super::super::{Format, Request};
    use super::*;

    #[test]
    fn one_reads_and_zero_writes() {
        let expected = Request {
            at_ns: 4_096_000,
            operation: Operation::Read,
            address: 512 * 1024,
            bytes: 4096,
            volume: b"0",
            latency_ns: None,
        };
        assert_eq!(only(Format::Mqsim, "4096000 0 1024 8 1"), Line::Request(expected));
        assert_eq!(only(Format::Mqsim, "4096000\t0  1024 8 1"), Line::Request(expected));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(fault(Format::Mqsim, "4096000 0 1024 8"), Fault::Columns);
        assert_eq!(fault(Format::Mqsim, "4096000 0 1024 8 1 1"), Fault::Columns);
        assert_eq!(fault(Format::Mqsim, "4096000 0 1024 8 7"), Fault::Word("type"));
        assert_eq!(fault(Format::Mqsim, "-1 0 1024 8 1"), Fault::Number("time"));
    }
}
