//! Values in numbered slots that are handed out and taken back.

/// Slots of a block.
const BLOCK: usize = 64;

/// An arena of values of `T`. A slot that is taken back is the next to be handed out. Memory grows by blocks, so that
/// nothing is ever moved and millions of values need no more than they take.
#[derive(Clone, Debug)]
pub struct Slab<T> {
    blocks: Vec<Box<[T; BLOCK]>>,
    /// Slots that were ever handed out.
    used: u32,
    free: Vec<u32>,
}

impl<T> Default for Slab<T> {
    fn default() -> Self {
        Self { blocks: Vec::new(), used: 0, free: Vec::new() }
    }
}

impl<T: Copy> Slab<T> {
    /// Puts a value into a slot. Returns its number.
    #[inline]
    pub fn insert(&mut self, value: T) -> u32 {
        if let Some(slot) = self.free.pop() {
            *self.at_mut(slot) = value;
            return slot;
        }
        self.insert_new(value)
    }

    #[cold]
    fn insert_new(&mut self, value: T) -> u32 {
        let slot = self.used;
        if slot as usize == self.blocks.len() * BLOCK {
            self.blocks.push(Box::new([value; BLOCK]));
        }
        *self.at_mut(slot) = value;
        self.used += 1;
        slot
    }

    /// Takes a slot back. Its value stays until the slot is handed out anew.
    #[inline]
    pub fn free(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// Memory that the slots take, in bytes.
    pub fn bytes(&self) -> usize {
        self.blocks.len() * BLOCK * size_of::<T>() + size_of_val(&*self.free)
    }

    /// The value in a slot.
    #[inline]
    pub fn at(&self, slot: u32) -> &T {
        &self.blocks[slot as usize / BLOCK][slot as usize % BLOCK]
    }

    /// The value in a slot.
    #[inline]
    pub fn at_mut(&mut self, slot: u32) -> &mut T {
        &mut self.blocks[slot as usize / BLOCK][slot as usize % BLOCK]
    }

    /// All slots that were ever handed out, those taken back included.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.blocks.iter().flat_map(|block| block.iter()).take(self.used as usize)
    }

    /// Slots handed out and not taken back.
    pub fn len(&self) -> usize {
        self.used as usize - self.free.len()
    }

    /// Whether no slot is handed out.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_handed_out_anew_and_keep_their_values_meanwhile() {
        let mut slab = Slab::default();
        let slots: Vec<u32> = (0..3000).map(|value| slab.insert(value)).collect();
        assert_eq!(slots, (0..3000).collect::<Vec<_>>());
        assert_eq!((*slab.at(1024), slab.len()), (1024, 3000));
        slab.free(7);
        slab.free(2048);
        assert_eq!(slab.len(), 2998);
        assert_eq!([slab.insert(-1), slab.insert(-2)], [2048, 7]);
        assert_eq!((*slab.at(7), *slab.at(2048), *slab.at(2049)), (-2, -1, 2049));
    }
}
