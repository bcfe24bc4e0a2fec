//! What becomes of fields, gathered while files are written: a field of several classes or workloads is one entry.

use qoscope_engine::scenario::fields;

use super::scene::Scene;
use super::words::each_once;
use super::{How, Mapped, Mapping, Target};

/// What became of the fields of a scenario.
pub(crate) struct Ledger<'a, 'b> {
    scene: &'a Scene<'b>,
    mappings: &'static [Mapping],
    entries: Vec<Entry>,
}

struct Entry {
    row: &'static Mapping,
    path: String,
    from: Vec<String>,
    to: Vec<String>,
    /// How it went over where it went over worst, and why.
    worst: Option<(How, String)>,
    see: Option<Target>,
}

impl Entry {
    /// What it stands for went over so in one place.
    fn went(&mut self, how: How, why: String) {
        if self.worst.as_ref().is_none_or(|(worst, _)| how > *worst) {
            self.worst = Some((how, why));
        }
    }
}

impl<'a, 'b> Ledger<'a, 'b> {
    pub(crate) fn new(scene: &'a Scene<'b>, mappings: &'static [Mapping]) -> Self {
        Self { scene, mappings, entries: Vec::new() }
    }

    /// The field at `path` went over as its row of the table says.
    pub(crate) fn add(&mut self, path: &str, from: impl Into<String>, to: impl Into<String>) {
        let entry = self.entry(path, from.into(), to.into());
        let Mapping { how, why, .. } = *entry.row;
        entry.went(how, why.into());
    }

    /// The field at `path` went over in a way of this scenario.
    pub(crate) fn because(
        &mut self,
        path: &str,
        from: impl Into<String>,
        to: impl Into<String>,
        how: How,
        why: impl Into<String>,
    ) {
        self.entry(path, from.into(), to.into()).went(how, why.into());
    }

    /// The field at `path` is for another target.
    pub(crate) fn elsewhere(&mut self, path: &str, from: impl Into<String>, see: Target) {
        self.entry(path, from.into(), String::new()).see = Some(see);
    }

    fn entry(&mut self, path: &str, from: String, to: String) -> &mut Entry {
        let pattern = fields::pattern(path);
        let position = self.entries.iter().position(|entry| entry.row.from == pattern).unwrap_or_else(|| {
            let row = self.mappings.iter().find(|row| row.from == pattern);
            let row = row.unwrap_or_else(|| panic!("the table has no row for {pattern}"));
            let entry = Entry { row, path: path.into(), from: Vec::new(), to: Vec::new(), worst: None, see: None };
            self.entries.push(entry);
            self.entries.len() - 1
        });
        let entry = &mut self.entries[position];
        entry.from.push(from);
        entry.to.push(to);
        entry
    }

    /// What became of them, in the order of the table.
    pub(crate) fn fields(self) -> Vec<Mapped> {
        let Self { scene, mappings, mut entries } = self;
        entries.sort_by_key(|entry| mappings.iter().position(|row| row.from == entry.row.from));
        let mapped = entries.into_iter().map(|entry| {
            let mapped = entry.row.of(scene, &entry.path, each_once(&entry.from), each_once(&entry.to));
            let mapped = Mapped { see: entry.see, ..mapped };
            match entry.worst {
                // What went over in part is there.
                Some((How::NotAtAll, why)) if !mapped.to.is_empty() => mapped.because(How::Roughly, why),
                Some((how, why)) => mapped.because(how, why),
                None => mapped,
            }
        });
        mapped.collect()
    }
}
