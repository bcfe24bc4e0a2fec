//! What is to come, in an order that is known when it is noted.

use super::ring::Ring;
use super::time::NEVER_PS;

/// Entries that fall due one after the other: instants never fall from one to the next.
#[derive(Clone, Debug)]
pub struct Agenda<T> {
    entries: Ring<(u64, T)>,
    /// Kept beside the entries, since it is asked for at every event.
    next_ps: u64,
}

impl<T: Copy + Default> Default for Agenda<T> {
    fn default() -> Self {
        Self { entries: Ring::default(), next_ps: NEVER_PS }
    }
}

impl<T: Copy + Default> Agenda<T> {
    /// When the first entry is due; [`NEVER_PS`] if there is none.
    #[inline]
    pub fn next_ps(&self) -> u64 {
        self.next_ps
    }

    /// Notes what is due no earlier than all that was noted before.
    #[inline]
    pub fn push(&mut self, at_ps: u64, entry: T) {
        self.entries.push((at_ps, entry));
        self.next_ps = self.next_ps.min(at_ps);
    }

    /// Takes the first entry, which must exist, and its instant.
    #[inline]
    pub fn pop(&mut self) -> (u64, T) {
        let first = self.entries.pop();
        self.next_ps = self.entries.front().map_or(NEVER_PS, |(at_ps, _)| *at_ps);
        first
    }

    /// Number of entries.
    pub fn len(&self) -> u32 {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_when_the_first_is_due() {
        let mut agenda = Agenda::default();
        [(3, 'a'), (3, 'b'), (7, 'c')].into_iter().for_each(|(at_ps, entry)| agenda.push(at_ps, entry));
        assert_eq!((agenda.next_ps(), agenda.len()), (3, 3));
        assert_eq!([agenda.pop(), agenda.pop()], [(3, 'a'), (3, 'b')]);
        assert_eq!((agenda.next_ps(), agenda.pop()), (7, (7, 'c')));
        assert!(agenda.is_empty() && agenda.next_ps() == NEVER_PS);
    }
}
