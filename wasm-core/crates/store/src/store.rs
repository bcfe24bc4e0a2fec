//! The dataset as one process sees it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

use serde_json::Value;

use crate::error::Error;
use crate::journal::{Journal, Line};
use crate::part::{self, Fault};
use crate::record::{Key, Record};

const RUNS: &str = "runs";
const CLASSES: &str = "classes";
const JOURNALS: &str = "journals";
const LOCK: &str = "lock";
/// How names of journals end.
const JOURNAL: &str = ".journal";
/// Runs of a part at most.
const ROWS: usize = 1000;

/// The dataset as one process sees it.
pub struct Store {
    folder: PathBuf,
    /// Held for a moment; none where the folder can only be read.
    lock: Option<File>,
    /// Counted up in the file of the lock whenever which files there are changes: the count that they were last looked at under.
    changes: Option<u64>,
    parts: BTreeSet<Arc<str>>,
    /// Damaged ones that could not be set aside.
    damaged: BTreeSet<Arc<str>>,
    /// Of other processes, by name.
    others: BTreeMap<Arc<str>, Journal>,
    /// Of this process, with its name; none before it claims its first run.
    own: Option<(Arc<str>, Journal)>,
    places: BTreeMap<Key, Place>,
    /// Runs in parts, by what tells their engine's results.
    by_results: BTreeMap<String, usize>,
    told: Vec<String>,
    rows: usize,
}

/// Where the result of a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Place {
    Row { part: Arc<str>, row: u32 },
    Line { journal: Arc<str>, line: Line },
}

/// What is to be done for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This process is to make it: it is claimed.
    Mine,
    /// Its result is there.
    Known,
    /// It is being made: by another process, or by this one already.
    UnderWay,
}

impl Store {
    /// Opens the dataset in a folder, which is made if there is none. Results that processes left which have ended are taken in.
    ///
    /// # Errors
    /// What keeps the folder from being read.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        fs::create_dir_all(folder).map_err(|error| Error::writing(folder, &error))?;
        let lock = Self::lock_of(folder)?;
        let mut store = Self {
            folder: folder.to_owned(),
            lock,
            changes: None,
            parts: BTreeSet::new(),
            damaged: BTreeSet::new(),
            others: BTreeMap::new(),
            own: None,
            places: BTreeMap::new(),
            by_results: BTreeMap::new(),
            told: Vec::new(),
            rows: ROWS,
        };
        store.locked(|store| {
            let left = store.look()?;
            // Where there is no room to take them in, they can be read all the same.
            if let Err(error) = store.take_in(left) {
                store.told.push(error.to_string());
                return Ok(());
            }
            store.set_orphans_aside()
        })?;
        Ok(store)
    }

    /// Whether a folder has a dataset in it.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(RUNS).is_dir()
    }

    /// The file of the lock, made where there is none.
    fn lock_of(folder: &Path) -> Result<Option<File>, Error> {
        let made = [RUNS, CLASSES, JOURNALS].into_iter().try_for_each(|name| fs::create_dir_all(folder.join(name)));
        let path = folder.join(LOCK);
        let mut options = OpenOptions::new();
        match made.and_then(|()| options.read(true).write(true).create(true).truncate(false).open(&path)) {
            Ok(lock) => Ok(Some(lock)),
            Err(error) if is_refused(&error) => Ok(None),
            Err(error) => Err(Error::writing(&path, &error)),
        }
    }

    /// Does something while no other process changes which files there are, or claims runs.
    fn locked<T>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        let path = self.folder.join(LOCK);
        let failed = |error: io::Error| Error::writing(&path, &error);
        if let Some(lock) = &self.lock {
            // A signal ends the wait early.
            while let Err(error) = lock.lock() {
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(failed(error));
                }
            }
        }
        let done = act(self);
        if let Some(lock) = &self.lock {
            lock.unlock().map_err(failed)?;
        }
        done
    }

    /// Reads what other processes have written since last time. Returns the journals whose processes have ended. Under the lock.
    fn look(&mut self) -> Result<Vec<Arc<str>>, Error> {
        let changes = self.count()?;
        if self.changes.is_none() || self.changes != changes {
            self.look_at_files()?;
            self.changes = changes;
        }
        let mut left = Vec::new();
        for (name, journal) in &mut self.others {
            let failed = |error| Error::reading(&self.folder.join(JOURNALS).join(&**name), &error);
            let is_left = self.lock.is_some() && journal.is_left().map_err(failed)?;
            for (key, line) in journal.tail().map_err(failed)? {
                // A result that is in a part already is read from there.
                let place = Place::Line { journal: Arc::clone(name), line };
                self.places.entry(key).or_insert(place);
            }
            if is_left {
                journal.claims.clear();
                left.push(Arc::clone(name));
            }
        }
        Ok(left)
    }

    /// How often which files there are has changed. Zero in a new dataset.
    fn count(&mut self) -> Result<Option<u64>, Error> {
        let Some(lock) = &mut self.lock else { return Ok(None) };
        let mut bytes = Vec::new();
        let read = lock.seek(SeekFrom::Start(0)).and_then(|_| lock.read_to_end(&mut bytes));
        read.map_err(|error| Error::reading(&self.folder.join(LOCK), &error))?;
        Ok(Some(bytes.try_into().map_or(0, u64::from_le_bytes)))
    }

    /// Says that which files there are changes: before it does, so that whoever comes next looks, even if this process is killed between.
    /// Returns a number that no change had before. Under the lock.
    fn change(&mut self) -> Result<u64, Error> {
        let next = self.count()?.unwrap_or(0).wrapping_add(1);
        let lock = self.lock.as_mut().ok_or_else(|| Self::only_read(&self.folder))?;
        let written = lock.seek(SeekFrom::Start(0)).and_then(|_| lock.write_all(&next.to_le_bytes()));
        written.map_err(|error| Error::writing(&self.folder.join(LOCK), &error))?;
        // What this process changes it knows of, but of others' changes only if it had seen the last.
        if self.changes == Some(next.wrapping_sub(1)) {
            self.changes = Some(next);
        }
        Ok(next)
    }

    fn only_read(folder: &Path) -> Error {
        Error::new(format!(
            "{} can only be read, so that results could not be kept there: give another folder, or none.",
            folder.display()
        ))
    }

    /// Looks which files there are. Journals before parts: what is moved from one into the other in between is then seen, at worst twice.
    fn look_at_files(&mut self) -> Result<(), Error> {
        let journals: BTreeSet<Arc<str>> = self.names(JOURNALS, |name| name.ends_with(JOURNAL))?;
        for name in journals.iter().filter(|&name| self.own.as_ref().is_none_or(|(own, _)| own != name)) {
            if let Entry::Vacant(place) = self.others.entry(Arc::clone(name)) {
                let path = self.folder.join(JOURNALS).join(&**name);
                match Journal::open(&path) {
                    Ok(journal) => drop(place.insert(journal)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                    Err(error) => return Err(Error::reading(&path, &error)),
                }
            }
        }
        self.others.retain(|name, _| journals.contains(name));
        let is_own = |name: &Arc<str>| self.own.as_ref().is_some_and(|(own, _)| own == name);
        self.places.retain(|_, place| match place {
            Place::Line { journal, .. } => journals.contains(journal) || is_own(journal),
            Place::Row { .. } => true,
        });
        let mut parts = self.names(RUNS, part::is_name)?;
        parts.retain(|part| !self.damaged.contains(part));
        if self.parts.iter().any(|part| !parts.contains(part)) {
            // One was set aside: what it had may be in another.
            self.parts.clear();
            self.by_results.clear();
            self.places.retain(|_, place| matches!(place, Place::Line { .. }));
        }
        for part in parts {
            if !self.parts.contains(&part) {
                self.look_at_part(part)?;
            }
        }
        Ok(())
    }

    fn look_at_part(&mut self, part: Arc<str>) -> Result<(), Error> {
        let [runs, classes] = self.tables(&part);
        let read = part::read_keys(&runs).and_then(|keys| {
            // A copy that can only be read may have the runs alone.
            if self.lock.is_some() {
                part::check_classes(&runs, &classes)?;
            }
            Ok(keys)
        });
        match read {
            Ok(keys) => {
                self.parts.insert(Arc::clone(&part));
                for (row, (key, results)) in (0..).zip(keys) {
                    *self.by_results.entry(results).or_default() += 1;
                    self.places.insert(key, Place::Row { part: Arc::clone(&part), row });
                }
                Ok(())
            }
            Err(Fault::Damaged(why)) => self.set_aside(&part, &why),
            Err(Fault::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(Fault::Unreadable(error)) => Err(Error::reading(&runs, &error)),
        }
    }

    /// The files of a part: runs, and their classes.
    fn tables(&self, part: &str) -> [PathBuf; 2] {
        [RUNS, CLASSES].map(|folder| self.folder.join(folder).join(part))
    }

    /// Renames all files of a damaged part, so that readers of `*.parquet` see neither its runs nor their classes. Under the lock.
    fn set_aside(&mut self, part: &str, why: &str) -> Result<(), Error> {
        let tables = self.tables(part);
        let mut sentence = format!("{} is damaged ({why}): its runs count as not made", tables[0].display());
        if self.lock.is_some() {
            self.change()?;
            let mut names = Vec::new();
            for path in tables {
                let aside = path.with_extension("damaged");
                match fs::rename(&path, &aside) {
                    Ok(()) => names.push(aside.display().to_string()),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => (),
                    Err(error) => return Err(Error::writing(&aside, &error)),
                }
            }
            sentence = format!("{sentence}, and its files are called {} from now on", names.join(" and "));
        } else {
            self.damaged.insert(part.into());
        }
        self.told.push(format!("{sentence}."));
        Ok(())
    }

    /// Sets aside classes whose runs are missing. After the journals of ended processes have been taken in: a process may have been killed
    /// after it put the classes of a part in place. Under the lock.
    fn set_orphans_aside(&mut self) -> Result<(), Error> {
        if self.lock.is_none() {
            return Ok(());
        }
        for part in self.names(CLASSES, part::is_name)? {
            if !self.parts.contains(&part) && !self.tables(&part)[0].exists() {
                self.set_aside(&part, "the runs of its classes are missing")?;
            }
        }
        Ok(())
    }

    /// The names in a folder of the dataset that are of a kind. What else is there is none of ours.
    fn names(&self, folder: &str, is_of_kind: impl Fn(&str) -> bool) -> Result<BTreeSet<Arc<str>>, Error> {
        let path = self.folder.join(folder);
        let failed = |error: io::Error| Error::reading(&path, &error);
        let entries = match fs::read_dir(&path) {
            // A folder that can only be read need not have all of them.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            entries => entries.map_err(failed)?,
        };
        let names = entries.map(|entry| Ok(entry.map_err(failed)?.file_name().to_str().map(Arc::from)));
        let names: Vec<Option<Arc<str>>> = names.collect::<Result<_, Error>>()?;
        Ok(names.into_iter().flatten().filter(|name| is_of_kind(name)).collect())
    }

    /// Takes the results of processes that have ended into parts. Under the lock.
    fn take_in(&mut self, left: Vec<Arc<str>>) -> Result<(), Error> {
        if self.lock.is_none() {
            return Ok(());
        }
        for name in left {
            let records = self.records(&name)?;
            self.write_part(&name, &records)?;
            self.change()?;
            self.place_part(&name, &records)?;
            self.remove(&name)?;
            self.others.remove(&name);
        }
        Ok(())
    }

    /// The results that a journal has, and no part.
    fn records(&mut self, name: &Arc<str>) -> Result<Vec<(Key, Record)>, Error> {
        let lines = self.places.iter().filter_map(|(key, place)| match place {
            Place::Line { journal, line } if journal == name => Some((*key, *line)),
            _ => None,
        });
        let mut records = Vec::new();
        for (key, line) in lines.collect::<Vec<_>>() {
            records.extend(self.record(key, name, line)?.map(|record| (key, record)));
        }
        Ok(records)
    }

    /// The record at a line of a journal; one that is damaged counts as not made.
    fn record(&mut self, key: Key, name: &Arc<str>, line: Line) -> Result<Option<Record>, Error> {
        let own = self.own.as_mut().filter(|(own, _)| own == name).map(|(_, journal)| journal);
        let Some(journal) = own.or_else(|| self.others.get_mut(name)) else { return Ok(None) };
        let record = journal.record(line);
        let record = record.map_err(|error| Error::reading(&self.folder.join(JOURNALS).join(&**name), &error))?;
        if record.is_none() {
            self.places.remove(&key);
        }
        Ok(record)
    }

    /// The files of a part that is being written, beside the journal that it is made of: whoever takes that one in writes them anew.
    fn beside(&self, journal: &str) -> [(PathBuf, &'static str); 2] {
        // Classes first: where there are runs, their classes are there too.
        [CLASSES, RUNS].map(|folder| (self.folder.join(JOURNALS).join(format!("{journal}.{folder}")), folder))
    }

    fn write_part(&self, journal: &str, records: &[(Key, Record)]) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let [(classes, _), (runs, _)] = self.beside(journal);
        let written = part::write_classes(&classes, records).and_then(|()| part::write_runs(&runs, &classes, records));
        written.map_err(|error| {
            // They would fill the disk further, and nobody needs half of them.
            [&classes, &runs].into_iter().for_each(|path| drop(fs::remove_file(path)));
            Error::writing(&runs, &error)
        })
    }

    /// Renames a part that is written into place. Under the lock.
    fn place_part(&mut self, journal: &str, records: &[(Key, Record)]) -> Result<(), Error> {
        if records.is_empty() {
            return Ok(());
        }
        let [_, (runs, _)] = self.beside(journal);
        let part: Arc<str> = part::name(&runs).map_err(|error| Error::reading(&runs, &error))?.into();
        for (from, folder) in self.beside(journal) {
            let to = self.folder.join(folder).join(&*part);
            fs::rename(&from, &to).map_err(|error| Error::writing(&to, &error))?;
        }
        for (row, (key, record)) in (0..).zip(records) {
            *self.by_results.entry(record.results.clone()).or_default() += 1;
            self.places.insert(*key, Place::Row { part: Arc::clone(&part), row });
        }
        self.parts.insert(part);
        Ok(())
    }

    /// Removes a journal whose results are in a part. Under the lock.
    fn remove(&self, journal: &str) -> Result<(), Error> {
        let path = self.folder.join(JOURNALS).join(journal);
        // Of a process that was killed between writing a part and renaming it.
        self.beside(journal).into_iter().for_each(|(path, _)| drop(fs::remove_file(path)));
        fs::remove_file(&path).map_err(|error| Error::writing(&path, &error))
    }

    /// The journal of this process, made where there is none. Under the lock.
    fn make_own(&mut self) -> Result<(), Error> {
        if self.own.is_some() {
            return Ok(());
        }
        // The name is of no journal before: others may still have that one open.
        let name = format!("{}-{}{JOURNAL}", self.change()?, process::id());
        let path = self.folder.join(JOURNALS).join(&name);
        let journal = Journal::create(&path).map_err(|error| Error::writing(&path, &error))?;
        self.own = Some((name.into(), journal));
        Ok(())
    }

    /// What is to be done for each of some runs, in their order and up to the one with which as many as `most` are this process's to make.
    ///
    /// # Errors
    /// What keeps the dataset from being read or written.
    pub fn claim(&mut self, runs: impl IntoIterator<Item = Key>, most: usize) -> Result<Vec<Verdict>, Error> {
        self.locked(|store| {
            let left = store.look()?;
            store.take_in(left)?;
            let mut verdicts = Vec::new();
            let mut mine = Vec::new();
            for key in runs {
                if mine.len() == most {
                    break;
                }
                let is_known = store.places.contains_key(&key);
                let mut journals = store.others.values().chain(store.own.iter().map(|(_, own)| own));
                let is_under_way = journals.any(|journal| journal.claims.contains(&key)) || mine.contains(&key);
                verdicts.push(match (is_known, is_under_way) {
                    (true, _) => Verdict::Known,
                    (false, true) => Verdict::UnderWay,
                    (false, false) => Verdict::Mine,
                });
                mine.extend((!is_known && !is_under_way).then_some(key));
                if store.lock.is_none() && !mine.is_empty() {
                    return Err(Self::only_read(&store.folder));
                }
            }
            if !mine.is_empty() {
                store.make_own()?;
                store.written(|journal| journal.claim(&mine))?;
            }
            Ok(verdicts)
        })
    }

    /// Looks which results other processes have kept by now.
    ///
    /// # Errors
    /// What keeps the dataset from being read.
    pub fn look_again(&mut self) -> Result<(), Error> {
        self.claim([], 0).map(|_| ())
    }

    /// Writes into the journal of this process.
    fn written<T>(&mut self, write: impl FnOnce(&mut Journal) -> io::Result<T>) -> Result<T, Error> {
        let Some((name, journal)) = &mut self.own else { return Err(Error::new("A run was not claimed.")) };
        write(journal).map_err(|error| Error::writing(&self.folder.join(JOURNALS).join(&**name), &error))
    }

    /// Gives up a run that was claimed and is not made.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn release(&mut self, key: Key) -> Result<(), Error> {
        self.written(|journal| journal.release(key))
    }

    /// Keeps the result of a run that was claimed.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn put(&mut self, key: Key, record: &Record) -> Result<(), Error> {
        let line = self.written(|journal| journal.put(key, record))?;
        if let Some((name, _)) = &self.own {
            self.places.insert(key, Place::Line { journal: Arc::clone(name), line });
        }
        let is_full = self.own.as_ref().is_some_and(|(_, journal)| journal.results >= self.rows);
        if is_full { self.finish_journal(true) } else { Ok(()) }
    }

    /// Takes the results of this process into a part, and goes on with a journal of the runs that it is making still.
    fn finish_journal(&mut self, goes_on: bool) -> Result<(), Error> {
        let Some((name, journal)) = &self.own else { return Ok(()) };
        let (name, claims) = (Arc::clone(name), journal.claims.iter().copied().collect::<Vec<_>>());
        let records = self.records(&name)?;
        self.write_part(&name, &records)?;
        self.locked(|store| {
            store.change()?;
            store.place_part(&name, &records)?;
            // Locked until its results are in place and its claims in the next one.
            let own = store.own.take();
            if goes_on {
                store.make_own()?;
                store.written(|journal| journal.claim(&claims))?;
            }
            store.remove(&name)?;
            drop(own);
            Ok(())
        })
    }

    /// The summaries of some runs. One whose part is damaged has none, and counts as not made from now on.
    ///
    /// # Errors
    /// What keeps the dataset from being read.
    pub fn summaries(&mut self, keys: &[Key]) -> Result<Vec<(Key, Value)>, Error> {
        let mut rows: BTreeMap<Arc<str>, Vec<(u32, Key)>> = BTreeMap::new();
        let mut lines = Vec::new();
        for key in keys {
            match self.places.get(key) {
                Some(Place::Row { part, row }) => rows.entry(Arc::clone(part)).or_default().push((*row, *key)),
                Some(Place::Line { journal, line }) => lines.push((Arc::clone(journal), *line, *key)),
                None => (),
            }
        }
        let mut found = Vec::new();
        for (name, line, key) in lines {
            found.extend(self.record(key, &name, line)?.map(|record| (key, record.summary)));
        }
        for (part, mut rows) in rows {
            rows.sort_unstable();
            rows.dedup();
            let places: Vec<u32> = rows.iter().map(|(row, _)| *row).collect();
            let [path, _] = self.tables(&part);
            match part::read_summaries(&path, &places) {
                Ok(summaries) => found.extend(rows.into_iter().map(|(_, key)| key).zip(summaries)),
                Err(Fault::Damaged(why)) => self.locked(|store| {
                    store.set_aside(&part, &why)?;
                    store.look_at_files()
                })?,
                // Another process has found it damaged.
                Err(Fault::Unreadable(error)) if error.kind() == io::ErrorKind::NotFound => {
                    self.locked(Self::look_at_files)?;
                }
                Err(Fault::Unreadable(error)) => return Err(Error::reading(&path, &error)),
            }
        }
        Ok(found)
    }

    /// Whether the result of a run is there, as far as this process has looked.
    pub fn has(&self, key: Key) -> bool {
        self.places.contains_key(&key)
    }

    /// Runs whose results there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Runs of engines that give other results.
    pub fn of_others(&self, results: &str) -> usize {
        self.by_results.iter().filter(|(of, _)| *of != results).map(|(_, runs)| runs).sum()
    }

    /// What a person should know of the dataset and has not been told, a sentence each.
    pub fn told(&mut self) -> Vec<String> {
        core::mem::take(&mut self.told)
    }

    /// Ends: the results of this process are taken into a part. Who only drops it leaves that to whoever opens the dataset next.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn close(mut self) -> Result<(), Error> {
        self.finish_journal(false)
    }
}

/// Whether a folder can only be read.
fn is_refused(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(number: u32) -> Key {
        format!("{number:032x}").parse().unwrap()
    }

    fn keys(numbers: impl IntoIterator<Item = u32>) -> Vec<Key> {
        numbers.into_iter().map(key).collect()
    }

    fn record(seed: u32) -> Record {
        let summary = json!({
            "scenario": { "name": "Two writers", "hash": "00" },
            "seed": seed,
            "digest": format!("{seed:016x}"),
            "engine": { "events": 10, "packetHops": 8, "requests": 2 },
            "classes": [
                { "name": "High", "latencyUs": { "p99": 0.1 + f64::from(seed) }, "backlogGrows": false, "deadline": null },
                { "name": "Low", "latencyUs": { "p99": 1e-9 }, "deadline": { "targetUs": 300 } }
            ]
        });
        Record { results: "r1".into(), engine: "1".into(), wall_ms: 0.5, scenario: json!({ "seed": seed }), summary }
    }

    fn make(store: &mut Store, numbers: impl IntoIterator<Item = u32>) {
        for number in numbers {
            assert_eq!(store.claim([key(number)], 1).unwrap(), [Verdict::Mine]);
            store.put(key(number), &record(number)).unwrap();
        }
    }

    fn files(folder: &Path, of: &str) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(folder.join(of)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    /// The seeds whose summaries a dataset has.
    fn seeds(store: &mut Store, numbers: impl IntoIterator<Item = u32>) -> Vec<u64> {
        let mut found: Vec<_> = store.summaries(&keys(numbers)).unwrap();
        found.sort_by_key(|(key, _)| *key);
        let seed = |(of, summary): (Key, Value)| {
            let seed = summary["seed"].as_u64().unwrap();
            let number = u32::try_from(seed).unwrap();
            assert_eq!((of, summary), (key(number), record(number).summary));
            seed
        };
        found.into_iter().map(seed).collect()
    }

    #[test]
    fn what_was_kept_is_there_for_who_opens_it_next() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("a/b");
        assert!(!Store::is_in(&dir));
        let mut store = Store::open(&dir).unwrap();
        make(&mut store, 0..3);
        assert_eq!(seeds(&mut store, 0..4), [0, 1, 2], "while it is open");
        store.close().unwrap();
        assert!(Store::is_in(&dir) && files(&dir, JOURNALS).is_empty());
        assert_eq!([files(&dir, RUNS).len(), files(&dir, CLASSES).len()], [1, 1]);
        let mut again = Store::open(&dir).unwrap();
        assert_eq!(again.claim(keys(1..5), 1).unwrap(), [Verdict::Known, Verdict::Known, Verdict::Mine]);
        assert_eq!(again.summaries(&[key(2)]).unwrap(), [(key(2), record(2).summary)]);
        assert_eq!((again.len(), again.of_others("r1"), again.of_others("r2")), (3, 0, 3));
    }

    #[test]
    fn who_only_reads_leaves_no_trace() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..2);
        store.close().unwrap();
        let before = files(folder.path(), RUNS);
        let mut again = Store::open(folder.path()).unwrap();
        assert_eq!(again.claim(keys(0..2), 9).unwrap(), [Verdict::Known; 2]);
        again.close().unwrap();
        assert_eq!((files(folder.path(), RUNS), files(folder.path(), JOURNALS).len()), (before, 0));
    }

    #[test]
    fn two_at_once_make_no_run_twice_and_see_each_others_results() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = Store::open(folder.path()).unwrap();
        let mut other = Store::open(folder.path()).unwrap();
        one.rows = 2;
        assert_eq!(one.claim(keys(0..4), 2).unwrap(), [Verdict::Mine; 2]);
        assert_eq!(one.claim(keys(0..1), 2).unwrap(), [Verdict::UnderWay], "also for itself");
        let taken = other.claim(keys(0..4), 9).unwrap();
        assert_eq!(taken, [Verdict::UnderWay, Verdict::UnderWay, Verdict::Mine, Verdict::Mine]);
        one.put(key(0), &record(0)).unwrap();
        assert_eq!(other.claim(keys(0..2), 9).unwrap(), [Verdict::Known, Verdict::UnderWay]);
        assert_eq!(seeds(&mut other, 0..4), [0], "from the journal");
        // The second result fills a part; a claim goes on in the next journal.
        assert_eq!(one.claim(keys(4..5), 1).unwrap(), [Verdict::Mine]);
        one.put(key(1), &record(1)).unwrap();
        assert_eq!(files(folder.path(), RUNS).len(), 1);
        assert_eq!(seeds(&mut other, 0..4), [0], "before it looks");
        assert_eq!(other.claim(keys([1, 4]), 9).unwrap(), [Verdict::Known, Verdict::UnderWay]);
        assert_eq!(seeds(&mut other, 0..4), [0, 1], "from the part");
        one.release(key(4)).unwrap();
        assert_eq!(other.claim(keys([4]), 9).unwrap(), [Verdict::Mine]);
        one.close().unwrap();
        other.close().unwrap();
        assert_eq!(files(folder.path(), RUNS).len(), 1, "the other one kept nothing");
    }

    #[test]
    fn of_a_process_that_was_killed_only_claims_are_lost() {
        let folder = tempfile::tempdir().unwrap();
        let mut waiting = Store::open(folder.path()).unwrap();
        let mut killed = Store::open(folder.path()).unwrap();
        make(&mut killed, 0..3);
        killed.claim(keys([3]), 1).unwrap();
        assert_eq!(waiting.claim(keys(0..4), 9).unwrap().last(), Some(&Verdict::UnderWay));
        let (name, _) = killed.own.as_ref().unwrap();
        let journal = folder.path().join(JOURNALS).join(&**name);
        drop(killed);
        // It was killed in the middle of a line, and with a part half written.
        OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"result 0000").unwrap();
        fs::write(journal.with_extension("journal.runs"), "half").unwrap();
        assert_eq!(waiting.claim(keys([3]), 9).unwrap(), [Verdict::Mine], "its claim is void");
        assert_eq!(seeds(&mut waiting, 0..4), [0, 1, 2]);
        assert_eq!(files(folder.path(), RUNS).len(), 1, "taken in");
        assert_eq!(files(folder.path(), JOURNALS).len(), 1, "that of who waits");
        assert_eq!(seeds(&mut Store::open(folder.path()).unwrap(), 0..4), [0, 1, 2]);
    }

    #[test]
    fn killed_between_the_part_and_the_end_of_its_journal_nothing_is_there_twice() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..3);
        let (name, _) = store.own.as_ref().unwrap();
        let journal = folder.path().join(JOURNALS).join(&**name);
        let text = fs::read(&journal).unwrap();
        store.close().unwrap();
        fs::write(&journal, text).unwrap();
        let again = Store::open(folder.path()).unwrap();
        assert_eq!((again.len(), files(folder.path(), JOURNALS).len(), files(folder.path(), RUNS).len()), (3, 0, 1));
    }

    #[test]
    fn a_damaged_part_is_named_and_its_runs_are_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..3);
        store.close().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 3..5);
        store.close().unwrap();
        let part =
            files(folder.path(), RUNS).into_iter().find(|path| part::read_keys(path).is_ok_and(|k| k.len() == 3));
        let (part, whole) = (part.clone().unwrap(), fs::read(part.unwrap()).unwrap());
        // Wherever a byte is wrong: it is found at opening or at reading, or does not matter.
        for at in (0..whole.len()).step_by(7) {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x15;
            fs::write(&part, bytes).unwrap();
            let mut store = Store::open(folder.path()).unwrap();
            let found = seeds(&mut store, 0..5);
            let told = store.told();
            assert!(
                found == [0, 1, 2, 3, 4] && told.is_empty() || found == [3, 4] && told.len() == 1,
                "{at}: {found:?}"
            );
            if let [sentence] = told.as_slice() {
                assert!(sentence.contains("is damaged") && sentence.contains("called"), "{sentence}");
                assert_eq!(
                    store.claim(keys(0..5), 9).unwrap()[..4],
                    [[Verdict::Mine; 3].as_slice(), &[Verdict::Known]].concat()
                );
                assert!(!part.exists());
                // Its classes come back with it.
                let [_, classes] = store.tables(part.file_name().unwrap().to_str().unwrap());
                fs::rename(classes.with_extension("damaged"), classes).unwrap();
                fs::remove_file(part.with_extension("damaged")).unwrap();
            }
        }
        fs::write(&part, "no Parquet").unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert_eq!((store.len(), part.exists()), (2, false));
    }

    /// How many rows of classes each key has in all parts.
    fn class_rows(folder: &Path) -> BTreeMap<Key, usize> {
        let mut rows = BTreeMap::new();
        for path in files(folder, CLASSES).iter().filter(|path| path.extension().is_some_and(|of| of == "parquet")) {
            for key in part::read_texts(path, "key").unwrap_or_else(|_| panic!("{} is readable", path.display())) {
                *rows.entry(key.parse().unwrap()).or_default() += 1;
            }
        }
        rows
    }

    #[test]
    fn a_part_of_which_any_file_is_damaged_or_missing_is_set_aside_as_a_whole() {
        type Damage = fn(&Path);
        let damages: [(&str, Damage); 4] = [
            ("a byte", |path| {
                let mut bytes = fs::read(path).unwrap();
                bytes[100] ^= 1;
                fs::write(path, bytes).unwrap();
            }),
            ("the second half", |path| {
                let bytes = fs::read(path).unwrap();
                fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
            }),
            ("all bytes", |path| fs::write(path, "").unwrap()),
            ("the file", |path| fs::remove_file(path).unwrap()),
        ];
        for of in [RUNS, CLASSES] {
            for (what, damage) in damages {
                let folder = tempfile::tempdir().unwrap();
                let mut store = Store::open(folder.path()).unwrap();
                make(&mut store, 0..3);
                store.close().unwrap();
                let damaged = files(folder.path(), of).remove(0);
                let mut store = Store::open(folder.path()).unwrap();
                make(&mut store, 3..5);
                store.close().unwrap();
                damage(&damaged);
                let mut store = Store::open(folder.path()).unwrap();
                let told = store.told();
                assert!(told.len() == 1 && told[0].contains("is damaged"), "{of}: {what}: {told:?}");
                assert_eq!(seeds(&mut store, 0..5), [3, 4], "{of}: {what}");
                assert_eq!(
                    [RUNS, CLASSES].map(|of| folder.path().join(of).join(damaged.file_name().unwrap()).exists()),
                    [false; 2]
                );
                make(&mut store, 0..3);
                store.close().unwrap();
                assert_eq!(
                    class_rows(folder.path()),
                    keys(0..5).into_iter().map(|key| (key, 2)).collect(),
                    "{of}: {what}"
                );
                let mut again = Store::open(folder.path()).unwrap();
                assert_eq!((seeds(&mut again, 0..5).len(), again.told()), (5, Vec::new()), "{of}: {what}");
            }
        }
    }

    #[test]
    fn killed_between_the_classes_and_the_runs_of_a_part_nothing_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..3);
        let (name, _) = store.own.as_ref().unwrap();
        let journal = folder.path().join(JOURNALS).join(&**name);
        let text = fs::read(&journal).unwrap();
        store.close().unwrap();
        fs::write(&journal, text).unwrap();
        fs::remove_file(files(folder.path(), RUNS).remove(0)).unwrap();
        let mut again = Store::open(folder.path()).unwrap();
        assert_eq!((seeds(&mut again, 0..3), again.told()), (vec![0, 1, 2], Vec::new()));
        assert_eq!(class_rows(folder.path()), keys(0..3).into_iter().map(|key| (key, 2)).collect());
    }

    #[test]
    fn what_else_is_in_the_folder_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..1);
        store.close().unwrap();
        for foreign in ["runs/mine.parquet", "runs/part-x.parquet", "journals/notes.txt", "README"] {
            fs::write(folder.path().join(foreign), "mine").unwrap();
        }
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 1..2);
        assert!(store.told().is_empty());
        store.close().unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("runs/part-x.parquet")).unwrap(), "mine");
        assert_eq!(Store::open(folder.path()).unwrap().len(), 2);
    }

    #[test]
    fn a_folder_that_cannot_be_had_is_told_in_a_sentence() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("file"), "").unwrap();
        let error = Store::open(&folder.path().join("file")).err().unwrap().to_string();
        assert!(error.ends_with("file cannot be written: a file of that name is in the way."), "{error}");
    }

    #[test]
    fn a_folder_that_can_only_be_read_gives_what_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..2);
        store.close().unwrap();
        let mut left = Store::open(folder.path()).unwrap();
        make(&mut left, 2..3);
        drop(left);
        let mut store = Store { lock: None, ..Store::open(folder.path()).unwrap() };
        store.changes = None;
        store.places.clear();
        store.parts.clear();
        store.look().unwrap();
        assert_eq!(seeds(&mut store, 0..3), [0, 1, 2]);
        assert_eq!(store.claim(keys(0..3), 1).unwrap(), [Verdict::Known; 3]);
        let error = store.claim(keys([4]), 1).err().unwrap().to_string();
        assert!(error.contains("can only be read"), "{error}");
        let part = files(folder.path(), RUNS).remove(0);
        fs::write(&part, "damaged").unwrap();
        let found = seeds(&mut store, 0..3).len();
        assert!(found < 3 && store.told().len() == 1 && part.exists());
        assert_eq!((seeds(&mut store, 0..3).len(), store.told().len()), (found, 0), "told once");
    }

    #[test]
    fn a_full_disk_is_told_and_loses_nothing_that_was_kept() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        make(&mut store, 0..2);
        // In the way of the file that the part is written to.
        let (name, _) = store.own.as_ref().unwrap();
        let [_, (runs, _)] = store.beside(name);
        fs::create_dir(&runs).unwrap();
        let error = store.close().err().unwrap().to_string();
        assert!(error.contains("cannot be written"), "{error}");
        let mut again = Store::open(folder.path()).unwrap();
        assert_eq!((seeds(&mut again, 0..2), again.told().len()), (vec![0, 1], 1));
        fs::remove_dir(&runs).unwrap();
        let mut again = Store::open(folder.path()).unwrap();
        assert_eq!((seeds(&mut again, 0..2), files(folder.path(), RUNS).len()), (vec![0, 1], 1));
    }
}
