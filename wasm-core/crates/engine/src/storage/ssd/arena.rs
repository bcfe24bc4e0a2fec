//! Page transactions and the lists that they stand in.

use crate::kernel::convert::index_u32;
use crate::storage::command::Spent;

/// No transaction.
pub(super) const NONE: u32 = u32::MAX;

/// What a transaction does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Reads a page for a command.
    #[default]
    Read,
    /// Reads the rest of a page of which a part is written, then writes it.
    UpdateRead,
    /// Writes a page for a command or for the write cache.
    Write,
    /// Reads a page of the mapping table to translate.
    TableRead,
    /// Reads a page of the mapping table to change it.
    TableUpdate,
    /// Writes a page of the mapping table.
    TableWrite,
    /// Reads a page to move it.
    GcRead,
    /// Writes a page that is moved.
    GcWrite,
    /// Erases a block.
    Erase,
}

/// Whom a transaction is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum For {
    /// Nobody waits.
    #[default]
    Nobody,
    /// The command of a slot.
    Request(u32),
    /// An entry of the write cache.
    Cache(u32),
    /// A victim of garbage collection.
    Victim(u32),
}

/// Work on one page, or on one block.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Transaction {
    /// The next in its list.
    pub(super) next: u32,
    pub(super) kind: Kind,
    pub(super) level: u8,
    /// It covers the whole page.
    pub(super) whole: bool,
    /// Frontier of its queue.
    pub(super) frontier: u32,
    pub(super) whom: For,
    pub(super) logical: u32,
    pub(super) physical: u32,
    /// What goes over the channel.
    pub(super) bytes: u32,
    /// When it began to wait: for its unit, for a block, for the channel.
    pub(super) since_ps: u64,
    /// What its unit had worked for garbage collection then.
    pub(super) gc_mark_ps: u64,
    pub(super) spent: Spent,
}

/// A first-in-first-out list of transactions.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) head: u32,
    tail: u32,
}

impl Default for List {
    fn default() -> Self {
        Self { head: NONE, tail: NONE }
    }
}

impl List {
    pub(super) fn is_empty(self) -> bool {
        self.head == NONE
    }
}

/// All transactions under way.
#[derive(Clone, Debug, Default)]
pub(super) struct Arena {
    transactions: Vec<Transaction>,
    free: Vec<u32>,
}

impl Arena {
    /// Memory that they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.transactions) + size_of_val(&*self.free)
    }

    #[inline]
    pub(super) fn insert(&mut self, transaction: Transaction) -> u32 {
        match self.free.pop() {
            Some(number) => {
                self.transactions[number as usize] = transaction;
                number
            }
            None => {
                self.transactions.push(transaction);
                index_u32(self.transactions.len() - 1)
            }
        }
    }

    #[inline]
    pub(super) fn free(&mut self, number: u32) {
        self.transactions[number as usize].whom = For::Nobody;
        self.free.push(number);
    }

    /// Transactions for the command of a slot, with their numbers.
    pub(super) fn of_request(&self, slot: u32) -> impl Iterator<Item = (u32, &Transaction)> {
        (0..).zip(&self.transactions).filter(move |(_, transaction)| transaction.whom == For::Request(slot))
    }

    /// Transactions for commands.
    pub(super) fn of_requests(&self) -> impl Iterator<Item = &Transaction> {
        self.transactions.iter().filter(|transaction| matches!(transaction.whom, For::Request(_)))
    }

    /// Transactions under way.
    pub(super) fn len(&self) -> usize {
        self.transactions.len() - self.free.len()
    }

    #[inline]
    pub(super) fn at(&self, number: u32) -> &Transaction {
        &self.transactions[number as usize]
    }

    #[inline]
    pub(super) fn at_mut(&mut self, number: u32) -> &mut Transaction {
        &mut self.transactions[number as usize]
    }

    #[inline]
    pub(super) fn push(&mut self, list: &mut List, number: u32) {
        self.transactions[number as usize].next = NONE;
        if list.head == NONE {
            list.head = number;
        } else {
            self.transactions[list.tail as usize].next = number;
        }
        list.tail = number;
    }

    #[inline]
    pub(super) fn pop(&self, list: &mut List) -> Option<u32> {
        let first = list.head;
        if first == NONE {
            return None;
        }
        list.head = self.transactions[first as usize].next;
        Some(first)
    }

    /// The transactions of a list, the first first.
    pub(super) fn iter(&self, list: &List) -> impl Iterator<Item = u32> {
        let mut next = list.head;
        std::iter::from_fn(move || {
            let number = (next != NONE).then_some(next)?;
            next = self.at(number).next;
            Some(number)
        })
    }

    /// Takes the transaction behind `before`, or the first one, out of a list.
    pub(super) fn remove_behind(&mut self, list: &mut List, before: Option<u32>) -> u32 {
        let removed = before.map_or(list.head, |before| self.at(before).next);
        let next = self.at(removed).next;
        match before {
            Some(before) => self.at_mut(before).next = next,
            None => list.head = next,
        }
        if list.tail == removed {
            list.tail = before.unwrap_or(NONE);
        }
        removed
    }
}
