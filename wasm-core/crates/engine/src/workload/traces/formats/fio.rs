//! Logs of fio (`write_iolog`), versions 2 and 3.
//!
//! J. Axboe, fio, "Trace file format v2" and "v3" of its manual. The first line is `fio version 2 iolog` or `fio version 3
//! iolog`. A line is `file action [offset length]`, in version 3 behind an instant in microseconds since the start; `add`,
//! `open` and `close` name files, `read`, `write` and `trim` are requests in bytes, `sync` and `datasync` move no data and are
//! left out.
//!
//! Version 2 has no instants but `wait` lines. The manual says that a wait lasts so many microseconds from the one before it,
//! while some releases of fio take the number for milliseconds since the start. The manual is followed: waits add up. What
//! stands between two of them is issued at one instant.

use super::super::fields::{Fault, whole, words};
use super::super::trace::Operation;
use super::{Line, Memory, request};

pub(super) fn parse<'a>(line: &'a [u8], memory: &mut Memory) -> Result<Line<'a>, Fault> {
    if line.starts_with(b"fio version ") {
        memory.fio_version = match line {
            b"fio version 2 iolog" => 2,
            b"fio version 3 iolog" => 3,
            _ => return Err(Fault::Word("version of fio's log")),
        };
        return Ok(Line::Other);
    }
    let mut words = words(line);
    let mut next = || words.next().ok_or(Fault::Columns);
    let at_ns = match memory.fio_version {
        2 => memory.waited_ns,
        3 => whole(next()?).and_then(|us| us.checked_mul(1000)).ok_or(Fault::Number("time"))?,
        _ => return Err(Fault::Word("first line: it does not say the version of fio's log")),
    };
    let (volume, action) = (next()?, next()?);
    let operation = match action {
        b"read" => Operation::Read,
        b"write" => Operation::Write,
        b"trim" => Operation::Trim,
        b"add" | b"open" | b"close" => return Ok(Line::Other),
        b"sync" | b"datasync" => return Ok(Line::Skipped),
        b"wait" if memory.fio_version == 2 => {
            let us = whole(next()?).ok_or(Fault::Number("wait"))?;
            let waited_ns = us.checked_mul(1000).and_then(|ns| memory.waited_ns.checked_add(ns));
            memory.waited_ns = waited_ns.ok_or(Fault::Number("wait"))?;
            return Ok(Line::Other);
        }
        _ => return Err(Fault::Word("action")),
    };
    let address = whole(next()?).ok_or(Fault::Number("offset"))?;
    let bytes = whole(next()?).ok_or(Fault::Number("length"))?;
    if words.next().is_some() {
        return Err(Fault::Columns);
    }
    Ok(request(at_ns, operation, address, bytes, volume))
}

#[cfg(test)]
mod tests {
    use super::super::{Format, Request};
    use super::*;

    fn lines(text: &str) -> Vec<Result<Line<'_>, Fault>> {
        let mut memory = Memory::default();
        text.lines().map(|line| Format::Fio.parse(line.as_bytes(), &mut memory)).collect()
    }

    fn read(at_ns: u64, address: u64) -> Result<Line<'static>, Fault> {
        Ok(Line::Request(Request {
            at_ns,
            operation: Operation::Read,
            address,
            bytes: 4096,
            volume: b"/dev/sdb",
            latency_ns: None,
        }))
    }

    #[test]
    fn waits_of_version_2_add_up() {
        let found = lines(
            "fio version 2 iolog\n/dev/sdb add\n/dev/sdb open\n/dev/sdb read 0 4096\n/dev/sdb wait 150 0\n\
             /dev/sdb read 4096 4096\n/dev/sdb wait 50\n/dev/sdb sync 0 0\n/dev/sdb read 8192 4096\n/dev/sdb close",
        );
        let other = Ok(Line::Other);
        let expected = [
            other,
            other,
            other,
            read(0, 0),
            other,
            read(150_000, 4096),
            other,
            Ok(Line::Skipped),
            read(200_000, 8192),
            other,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn instants_of_version_3_are_microseconds() {
        let found = lines("fio version 3 iolog\n0 /dev/sdb add\n26 /dev/sdb read 0 4096\n30 /dev/sdb trim 512 1024");
        assert_eq!(found[2], read(26_000, 0));
        let trim = Request {
            at_ns: 30_000,
            operation: Operation::Trim,
            address: 512,
            bytes: 1024,
            volume: b"/dev/sdb",
            latency_ns: None,
        };
        assert_eq!(found[3], Ok(Line::Request(trim)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(lines("fio version 4 iolog"), [Err(Fault::Word("version of fio's log"))]);
        assert!(matches!(lines("/dev/sdb read 0 4096")[0], Err(Fault::Word(_))));
        assert_eq!(lines("fio version 3 iolog\n5 /dev/sdb wait 7")[1], Err(Fault::Word("action")));
        assert_eq!(lines("fio version 2 iolog\n/dev/sdb read 0")[1], Err(Fault::Columns));
        assert_eq!(lines("fio version 2 iolog\n/dev/sdb wait 99999999999999999999")[1], Err(Fault::Number("wait")));
    }
}
