//! A trace in memory.

use crate::kernel::digest::Digest;

use super::fields::MAXIMUM_REQUEST_BYTES;

/// What a request of a trace does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Says that what is stored is not needed any more. It moves no data.
    Trim,
}

/// A request of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it was issued, in picoseconds since the first request of the trace.
    pub at_ps: u64,
    /// What it does.
    pub operation: Operation,
    /// Where on its volume, in bytes.
    pub address: u64,
    /// How many bytes, at most [`MAXIMUM_REQUEST_BYTES`].
    pub bytes: u32,
    /// Number of its volume among those of the trace.
    pub volume: u32,
}

/// A request as it is kept: 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed {
    at_ps: u64,
    address: u64,
    /// Its bytes, of 2^30 at most less one, with the operation in the two bits above.
    size: u32,
    volume: u32,
}

const _: () = assert!(size_of::<Packed>() == RECORD_BYTES && MAXIMUM_REQUEST_BYTES == SIZE_LIMIT as u64);

/// Memory of a request.
pub const RECORD_BYTES: usize = 24;
const SIZE_BITS: u32 = 30;
const SIZE_LIMIT: u32 = 1 << SIZE_BITS;

impl Packed {
    fn new(record: Record) -> Self {
        let operation: u32 = match record.operation {
            Operation::Read => 0,
            Operation::Write => 1,
            Operation::Trim => 2,
        };
        let size = record.bytes.clamp(1, SIZE_LIMIT) - 1;
        Self {
            at_ps: record.at_ps,
            address: record.address,
            size: size | operation << SIZE_BITS,
            volume: record.volume,
        }
    }

    fn record(self) -> Record {
        let operation = match self.size >> SIZE_BITS {
            0 => Operation::Read,
            1 => Operation::Write,
            _ => Operation::Trim,
        };
        let bytes = (self.size & (SIZE_LIMIT - 1)) + 1;
        Record { at_ps: self.at_ps, operation, address: self.address, bytes, volume: self.volume }
    }

    fn words(self) -> [u64; 3] {
        [self.at_ps, self.address, u64::from(self.size) << 32 | u64::from(self.volume)]
    }
}

/// What was kept of a trace, in order of time.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    records: Vec<Packed>,
    volumes: Vec<String>,
    digest: Digest,
}

impl Trace {
    /// Adds a request, which comes no sooner than the one before it.
    pub fn push(&mut self, record: Record) {
        let packed = Packed::new(record);
        debug_assert!(self.records.last().is_none_or(|last| last.at_ps <= packed.at_ps));
        packed.words().into_iter().for_each(|word| self.digest.word(word));
        self.records.push(packed);
    }

    /// Adds a volume, and gives its number.
    pub(super) fn add_volume(&mut self, name: String) {
        name.bytes().for_each(|byte| self.digest.word(u64::from(byte)));
        self.volumes.push(name);
    }

    /// Number of requests.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// A request by its number; none behind the last.
    pub fn get(&self, number: usize) -> Option<Record> {
        self.records.get(number).map(|packed| packed.record())
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Record> {
        self.records.iter().map(|packed| packed.record())
    }

    /// Number of the first request at `at_ps` or after it.
    pub fn position(&self, at_ps: u64) -> usize {
        self.records.partition_point(|packed| packed.at_ps < at_ps)
    }

    /// Names of the volumes, by number.
    pub fn volumes(&self) -> &[String] {
        &self.volumes
    }

    /// The number of the volume of that name.
    pub fn volume(&self, name: &str) -> Option<u32> {
        (0u32..).zip(&self.volumes).find(|(_, volume)| *volume == name).map(|(number, _)| number)
    }

    /// Identity of all that the trace holds.
    pub fn digest(&self) -> u64 {
        self.digest.value()
    }

    /// Memory that the requests take.
    pub fn memory_bytes(&self) -> usize {
        self.records.capacity() * RECORD_BYTES
    }

    /// The trace as bytes, to be handed from one memory to another.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(64 + self.records.len() * RECORD_BYTES);
        bytes.extend_from_slice(&(self.volumes.len() as u64).to_le_bytes());
        for name in &self.volumes {
            bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
            bytes.extend_from_slice(name.as_bytes());
        }
        for packed in &self.records {
            packed.words().into_iter().for_each(|word| bytes.extend_from_slice(&word.to_le_bytes()));
        }
        bytes
    }

    /// The trace that [`Self::to_bytes`] made into `bytes`; none if it did not.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut trace = Self::default();
        for _ in 0..take_word(&mut bytes)? {
            let length = usize::try_from(take_word(&mut bytes)?).ok()?;
            let (name, rest) = bytes.split_at_checked(length)?;
            trace.add_volume(str::from_utf8(name).ok()?.into());
            bytes = rest;
        }
        trace.records.reserve_exact(bytes.len() / RECORD_BYTES);
        let mut before_ps = 0;
        while !bytes.is_empty() {
            let (at_ps, address, sizes) = (take_word(&mut bytes)?, take_word(&mut bytes)?, take_word(&mut bytes)?);
            if at_ps < before_ps {
                return None;
            }
            before_ps = at_ps;
            let (size, volume) = (u32::try_from(sizes >> 32).ok()?, u32::try_from(sizes & u64::from(u32::MAX)).ok()?);
            trace.push(Packed { at_ps, address, size, volume }.record());
        }
        Some(trace)
    }
}

/// Takes eight bytes off the front.
fn take_word(bytes: &mut &[u8]) -> Option<u64> {
    let (word, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(u64::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(at_ps: u64, bytes: u32, operation: Operation) -> Record {
        Record { at_ps, operation, address: 7 << 40, bytes, volume: 1 }
    }

    fn trace() -> Trace {
        let mut trace = Trace::default();
        trace.add_volume("a".into());
        trace.add_volume("hm_1".into());
        for (number, operation) in [Operation::Read, Operation::Write, Operation::Trim].into_iter().enumerate() {
            trace.push(record(100 * number as u64, [1, 4096, SIZE_LIMIT][number], operation));
        }
        trace
    }

    #[test]
    fn what_is_kept_comes_back() {
        let trace = trace();
        let found: Vec<Record> = trace.iter().collect();
        assert_eq!(found[0], record(0, 1, Operation::Read));
        assert_eq!(found[1], record(100, 4096, Operation::Write));
        assert_eq!(found[2], record(200, SIZE_LIMIT, Operation::Trim));
        assert_eq!((trace.position(100), trace.position(101), trace.position(999)), (1, 2, 3));
        assert_eq!((trace.volume("hm_1"), trace.volume("b")), (Some(1), None));
    }

    #[test]
    fn it_is_the_same_behind_its_bytes() {
        let trace = trace();
        let bytes = trace.to_bytes();
        let again = Trace::from_bytes(&bytes).unwrap();
        assert_eq!((again.digest(), again.len(), again.volumes()), (trace.digest(), 3, trace.volumes()));
        for cut in [1, 8, 20, bytes.len() - 1] {
            assert!(Trace::from_bytes(&bytes[..cut]).is_none(), "{cut}");
        }
    }

    #[test]
    fn the_digest_tells_traces_apart() {
        let mut other = trace();
        other.push(record(300, 1, Operation::Read));
        assert_ne!(other.digest(), trace().digest());
    }
}
