//! What is kept of a run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The key of a run: 128 bits over all that makes its result what it is. Written as 32 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(u128);

impl Key {
    /// Digits of a key.
    pub(crate) const DIGITS: usize = 32;

    /// Of so many shards the one that the run belongs to, from 0 on.
    pub const fn shard(self, of: u32) -> u32 {
        // What remains is below `of`.
        (self.0 % of as u128) as u32
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_key = text.len() == Self::DIGITS && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        let key = is_key.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        key.map(Self).ok_or_else(|| format!("{text:?} is no key: it has 32 hexadecimal digits"))
    }
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// What tells engines apart that give different results; part of the key.
    pub results: String,
    /// Version of the engine that made it.
    pub engine: String,
    /// Time that making it took, in milliseconds.
    pub wall_ms: f64,
    /// The scenario that was simulated, its seed in it.
    pub scenario: Value,
    /// What it gave: the summary as `qoscope run --format json` prints it.
    pub summary: Value,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_it_is_written() {
        let text = "00f0000000000000000000000000000a";
        let key: Key = text.parse().unwrap();
        assert_eq!(key.to_string(), text);
        assert_eq!([key.shard(3), key.shard(1)], [((0xf0_u128 << 112 | 10) % 3) as u32, 0]);
        for wrong in ["", "00f0", "+0f0000000000000000000000000000a", "00f0000000000000000000000000000g"] {
            assert!(wrong.parse::<Key>().is_err(), "{wrong}");
        }
    }
}
