//! A first-in-first-out ring with stable positions, growing by doubling.

/// A queue whose entries are addressed by their running number, so that several cursors can walk it.
///
/// Positions count all entries ever pushed, modulo 2^32; they stay valid when the ring grows.
#[derive(Clone, Debug)]
pub struct Ring<T> {
    slots: Vec<T>,
    mask: u32,
    head: u32,
    tail: u32,
}

const FIRST_CAPACITY: u32 = 16;

impl<T: Copy + Default> Default for Ring<T> {
    fn default() -> Self {
        Self { slots: vec![T::default(); FIRST_CAPACITY as usize], mask: FIRST_CAPACITY - 1, head: 0, tail: 0 }
    }
}

impl<T: Copy + Default> Ring<T> {
    /// Number of entries.
    #[inline]
    pub fn len(&self) -> u32 {
        self.tail.wrapping_sub(self.head)
    }

    /// Whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.head == self.tail
    }

    /// Position of the oldest entry.
    #[inline]
    pub fn head(&self) -> u32 {
        self.head
    }

    /// Position the next pushed entry will have.
    #[inline]
    pub fn tail(&self) -> u32 {
        self.tail
    }

    /// The entry at `position`, which must lie between head and tail.
    #[inline]
    pub fn at(&self, position: u32) -> &T {
        &self.slots[(position & self.mask) as usize]
    }

    /// The entry at `position`, which must lie between head and tail, to be changed.
    #[inline]
    pub fn at_mut(&mut self, position: u32) -> &mut T {
        &mut self.slots[(position & self.mask) as usize]
    }

    /// The oldest entry.
    #[inline]
    pub fn front(&self) -> Option<&T> {
        (!self.is_empty()).then(|| self.at(self.head))
    }

    /// Appends an entry. Grows only when the ring is full: in steady state nothing is allocated.
    #[inline]
    pub fn push(&mut self, entry: T) {
        if self.len() > self.mask {
            self.grow();
        }
        self.slots[(self.tail & self.mask) as usize] = entry;
        self.tail = self.tail.wrapping_add(1);
    }

    /// Removes the oldest entry, which must exist.
    #[inline]
    pub fn pop(&mut self) -> T {
        debug_assert!(!self.is_empty());
        let entry = self.slots[(self.head & self.mask) as usize];
        self.head = self.head.wrapping_add(1);
        entry
    }

    /// Removes the youngest entry, which must exist.
    pub fn pop_back(&mut self) {
        debug_assert!(!self.is_empty());
        self.tail = self.tail.wrapping_sub(1);
    }

    /// The entries, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).map(|offset| self.at(self.head.wrapping_add(offset)))
    }

    /// Puts an entry before the one at `position`, moving that and all younger ones up by one.
    pub fn insert(&mut self, position: u32, entry: T) {
        self.push(entry);
        let mut at = self.tail.wrapping_sub(1);
        while at != position {
            let below = at.wrapping_sub(1);
            *self.at_mut(at) = *self.at(below);
            at = below;
        }
        *self.at_mut(position) = entry;
    }

    #[cold]
    fn grow(&mut self) {
        let mask = self.mask * 2 + 1;
        let mut slots = vec![T::default(); mask as usize + 1];
        let mut position = self.head;
        while position != self.tail {
            slots[(position & mask) as usize] = *self.at(position);
            position = position.wrapping_add(1);
        }
        self.slots = slots;
        self.mask = mask;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_through_growth_and_wrap() {
        let mut ring = Ring { head: u32::MAX - 5, tail: u32::MAX - 5, ..Ring::default() };
        let mut next = 0u32;
        for round in 0..50u32 {
            (0..7).for_each(|i| ring.push(round * 7 + i));
            (0..5).for_each(|_| {
                assert_eq!(ring.pop(), next);
                next += 1;
            });
        }
        assert_eq!(ring.len(), 100);
        assert_eq!(*ring.front().expect("not empty"), next);
    }

    #[test]
    fn inserts_in_the_middle() {
        let mut ring = Ring::default();
        (0..20).filter(|&i| i != 4).for_each(|i| ring.push(i));
        ring.insert(ring.head() + 4, 4);
        for expected in 0..20 {
            assert_eq!(ring.pop(), expected);
        }
        assert!(ring.is_empty());
    }
}
