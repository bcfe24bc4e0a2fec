//! Journals: what a process has claimed and what it has made, a line each.
//!
//! A line is a word, a key and, of a result, its record: `claim KEY`, `release KEY`, `result KEY {…}`. A line without an end is of a process
//! that was killed while writing it: it counts as not there.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::record::{Key, Record};

const CLAIM: &str = "claim";
const RELEASE: &str = "release";
const RESULT: &str = "result";

/// Where a record stands in a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// First byte of its record.
    pub at: u64,
    /// Bytes of it.
    pub length: usize,
}

/// A journal, as far as it has been read or written.
pub struct Journal {
    file: File,
    /// Bytes of whole lines.
    length: u64,
    /// Results of this process in it.
    pub results: usize,
    /// Runs that its process is making.
    pub claims: BTreeSet<Key>,
}

impl Journal {
    /// The journal of this process, new. Others take it for that of a dead one until it is locked: only who holds the lock of the dataset
    /// may make one.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).append(true).create_new(true).open(path)?;
        file.try_lock().map_err(io::Error::from)?;
        Ok(Self { file, length: 0, results: 0, claims: BTreeSet::new() })
    }

    /// The journal of another process.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::open(path)?, length: 0, results: 0, claims: BTreeSet::new() })
    }

    /// Whether its process has ended, asked of that of another process. Where it has, the journal is locked from now on.
    pub fn is_left(&self) -> io::Result<bool> {
        match self.file.try_lock_shared() {
            Ok(()) => Ok(true),
            Err(TryLockError::WouldBlock) => Ok(false),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Reads the lines that have come since last time. Returns the results in them.
    pub fn tail(&mut self) -> io::Result<Vec<(Key, Line)>> {
        self.file.seek(SeekFrom::Start(self.length))?;
        let mut bytes = Vec::new();
        self.file.read_to_end(&mut bytes)?;
        let mut results = Vec::new();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            // A line that is none is passed over: nothing is lost by that but what it says.
            if let Some((word, key, rest)) = parted(line) {
                match word {
                    CLAIM => drop(self.claims.insert(key)),
                    RELEASE => drop(self.claims.remove(&key)),
                    RESULT => {
                        self.claims.remove(&key);
                        let at = self.length + (line.len() - rest.len() - 1) as u64;
                        results.push((key, Line { at, length: rest.len() }));
                    }
                    _ => (),
                }
            }
            self.length += line.len() as u64;
        }
        Ok(results)
    }

    /// Says which runs this process makes.
    pub fn claim(&mut self, keys: &[Key]) -> io::Result<()> {
        let lines: Vec<String> = keys.iter().map(|key| format!("{CLAIM} {key}\n")).collect();
        self.append(&lines.concat())?;
        self.claims.extend(keys);
        Ok(())
    }

    /// Says that this process does not make a run that it claimed.
    pub fn release(&mut self, key: Key) -> io::Result<()> {
        self.append(&format!("{RELEASE} {key}\n"))?;
        self.claims.remove(&key);
        Ok(())
    }

    /// Keeps the result of a run.
    pub fn put(&mut self, key: Key, record: &Record) -> io::Result<Line> {
        let record = serde_json::to_string(record)?;
        let before = format!("{RESULT} {key} ");
        let line = Line { at: self.length + before.len() as u64, length: record.len() };
        self.append(&format!("{before}{record}\n"))?;
        self.claims.remove(&key);
        self.results += 1;
        Ok(line)
    }

    /// The record at a line; none if it is damaged.
    pub fn record(&mut self, line: Line) -> io::Result<Option<Record>> {
        self.file.seek(SeekFrom::Start(line.at))?;
        let mut bytes = vec![0; line.length];
        self.file.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes).ok())
    }

    fn append(&mut self, lines: &str) -> io::Result<()> {
        let written = self.file.write_all(lines.as_bytes());
        if written.is_err() {
            // On a full disk a part of the line may have come through: the next one must not follow it.
            self.file.set_len(self.length)?;
        } else {
            self.length += lines.len() as u64;
        }
        written
    }
}

/// The word, the key and the rest of a line, without its end.
fn parted(line: &[u8]) -> Option<(&str, Key, &str)> {
    let line = str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (word, rest) = line.split_once(' ')?;
    let (key, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    Some((word, key.parse().ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(number: u8) -> Key {
        format!("{number:032x}").parse().unwrap()
    }

    fn record(seed: u8) -> Record {
        let (scenario, summary) = (json!({ "seed": seed }), json!({ "seed": seed, "name": "ä" }));
        Record { results: "r".into(), engine: "1".into(), wall_ms: 0.5, scenario, summary }
    }

    #[test]
    fn what_one_process_writes_another_reads_while_it_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1-0.journal");
        let mut own = Journal::create(&path).unwrap();
        own.claim(&[key(1), key(2)]).unwrap();
        let mut other = Journal::open(&path).unwrap();
        assert!(other.tail().unwrap().is_empty());
        assert_eq!(other.claims, BTreeSet::from([key(1), key(2)]));
        own.put(key(2), &record(2)).unwrap();
        own.release(key(1)).unwrap();
        let made = other.tail().unwrap();
        assert_eq!((made.len(), made[0].0), (1, key(2)));
        assert_eq!(other.record(made[0].1).unwrap(), Some(record(2)));
        assert!(other.claims.is_empty() && other.tail().unwrap().is_empty());
        assert!(!other.is_left().unwrap());
        drop(own);
        assert!(other.is_left().unwrap());
    }

    #[test]
    fn a_line_that_was_cut_short_or_damaged_is_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1-0.journal");
        let mut own = Journal::create(&path).unwrap();
        own.put(key(1), &record(1)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        for cut in 0..text.len() {
            if !text.is_char_boundary(cut) {
                continue;
            }
            std::fs::write(&path, format!("{text}what is this\n{}", &text[..cut])).unwrap();
            assert_eq!(Journal::open(&path).unwrap().tail().unwrap().len(), 1, "cut at {cut}");
        }
    }
}
