//! Which runs of a study are made here and now: hands them out, takes what became of them and keeps it, beside other processes that do the
//! same. Who makes the runs is not its business: threads of the command line, processes or a cluster.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::path::Path;

use qoscope_store::{Key, Record, Store, Verdict};
use qoscope_study::{RESULTS_ID, Ran, Session};
use serde::Serialize;

use crate::Error;

/// Runs that the dataset is asked for at once.
const AT_ONCE: usize = 256;

/// A run to be made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// What it is known by.
    pub key: Key,
    /// The scenario, as JSON.
    pub document: String,
}

/// What became of the runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Runs that were made here.
    pub made: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// Runs whose results were kept from before, or were made by other processes.
    pub known: u64,
    /// Runs of other shards that are not known.
    pub left: u64,
    /// Runs that are handed out.
    pub under_way: u64,
    /// Runs that wait to be handed out.
    pub queued: u64,
}

/// A run that is wanted: one key, and all that the session calls it.
struct Wish {
    key: Key,
    ids: Vec<u32>,
}

/// A study whose runs are made.
///
/// After an error of its dataset it can only be closed: what was kept until then is.
pub struct Coordinator {
    session: Session,
    store: Option<Store>,
    /// Only runs of this shard, counted from 0, of so many.
    shard: Option<(u32, u32)>,
    /// Runs that are wanted, the most important first. Whenever there are none here, elsewhere or under way, the session wants none.
    queue: VecDeque<Wish>,
    /// Runs that are wanted and that other processes were making when they were last looked at.
    elsewhere: VecDeque<Wish>,
    under_way: BTreeMap<Key, Wish>,
    counts: Counts,
    doing: String,
    told: Vec<String>,
}

impl Coordinator {
    /// Of a session: with the dataset in the folder `out`, if any, and only for runs of a shard, counted from 0, of so many.
    ///
    /// # Errors
    /// What keeps the dataset from being read.
    pub fn new(session: Session, out: Option<&Path>, shard: Option<(u32, u32)>) -> Result<Self, Error> {
        let mut coordinator = Self {
            session,
            store: out.map(Store::open).transpose()?,
            shard,
            queue: VecDeque::new(),
            elsewhere: VecDeque::new(),
            under_way: BTreeMap::new(),
            counts: Counts::default(),
            doing: String::new(),
            told: Vec::new(),
        };
        if let Some(store) = &coordinator.store {
            let others = store.of_others(RESULTS_ID);
            if others > 0 {
                let all = store.len();
                coordinator.told.push(format!(
                    "{others} of the {all} runs of the dataset are of an engine that gives other results: they are left alone."
                ));
            }
        }
        coordinator.go_on()?;
        Ok(coordinator)
    }

    /// The session: its table, answer and progress.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Whether no run is wanted, and none is under way, here or elsewhere. Runs of other shards do not count.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty() && self.elsewhere.is_empty() && self.under_way.is_empty()
    }

    /// Runs that are wanted and that other processes are making.
    pub fn elsewhere(&self) -> usize {
        self.elsewhere.len()
    }

    /// What became of the runs.
    pub fn counts(&self) -> Counts {
        Counts { under_way: self.under_way.len() as u64, queued: self.queue.len() as u64, ..self.counts }
    }

    /// What is being done, as a few words.
    pub fn doing(&self) -> &str {
        &self.doing
    }

    /// What a person should know of the dataset and has not been told, a sentence each.
    pub fn told(&mut self) -> Vec<String> {
        let mut told = self.store.as_mut().map(Store::told).unwrap_or_default();
        told.append(&mut self.told);
        told
    }

    /// Asks the session what comes next once all that it wanted is known.
    fn go_on(&mut self) -> Result<(), Error> {
        if !self.is_done() {
            return Ok(());
        }
        let mut places: BTreeMap<Key, usize> = BTreeMap::new();
        for wish in self.session.wanted(usize::MAX) {
            let Ok(key) = wish.key.parse::<Key>() else { continue };
            if let Some(place) = places.get(&key) {
                // Two points of the study that are the same scenario.
                self.queue[*place].ids.push(wish.id);
            } else {
                places.insert(key, self.queue.len());
                self.queue.push_back(Wish { key, ids: vec![wish.id] });
            }
        }
        self.doing = self.session.progress().doing;
        if let Some((shard, of)) = self.shard {
            self.store.as_mut().map_or(Ok(()), Store::look_again)?;
            let has = |wish: &Wish| self.store.as_ref().is_some_and(|store| store.has(wish.key));
            let all = self.queue.len();
            // What is known costs nothing, whichever shard it is of.
            self.queue.retain(|wish| wish.key.shard(of) == shard || has(wish));
            self.counts.left = (all - self.queue.len()) as u64;
        }
        Ok(())
    }

    /// Hands out as many runs as `room`, or all that there are. Takes results that the dataset has on the way, some at a time: there may be
    /// fewer runs than `room`, or none, and still some queued; whoever has room asks again.
    ///
    /// # Errors
    /// What keeps the dataset from being read or written.
    pub fn hand_out(&mut self, room: usize) -> Result<Vec<Job>, Error> {
        // What others were making comes last: some of it may be known by now, or left.
        let wishes = if self.queue.is_empty() { &mut self.elsewhere } else { &mut self.queue };
        let verdicts = match &mut self.store {
            Some(store) => store.claim(wishes.iter().map(|wish| wish.key).take(room.max(AT_ONCE)), room)?,
            None => vec![Verdict::Mine; room.min(wishes.len())],
        };
        let (mut jobs, mut known) = (Vec::new(), Vec::new());
        for (verdict, wish) in verdicts.iter().zip(wishes.drain(..verdicts.len()).collect::<Vec<_>>()) {
            match verdict {
                Verdict::Mine => {
                    let document = wish.ids.first().and_then(|id| self.session.document(*id)).unwrap_or_default();
                    jobs.push(Job { key: wish.key, document });
                    self.under_way.insert(wish.key, wish);
                }
                Verdict::Known => drop(known.push(wish)),
                Verdict::UnderWay => self.elsewhere.push_back(wish),
            }
        }
        self.take_known(known)?;
        Ok(jobs)
    }

    /// Takes results that the dataset has. One that is damaged is wanted again.
    fn take_known(&mut self, known: Vec<Wish>) -> Result<(), Error> {
        let Some(store) = self.store.as_mut().filter(|_| !known.is_empty()) else { return Ok(()) };
        let mut known: BTreeMap<Key, Wish> = known.into_iter().map(|wish| (wish.key, wish)).collect();
        let keys: Vec<Key> = known.keys().copied().collect();
        for (key, summary) in store.summaries(&keys)? {
            if let Some(wish) = known.remove(&key) {
                self.counts.known += 1;
                self.put(&wish, &Ran::Summary(&summary));
            }
        }
        known.into_values().rev().for_each(|wish| self.queue.push_front(wish));
        self.go_on()
    }

    fn put(&mut self, wish: &Wish, ran: &Ran<'_>) {
        wish.ids.iter().for_each(|id| self.session.put(*id, ran.clone()));
    }

    /// Takes the record of a run that was handed out. Another one of the same run changes nothing.
    ///
    /// # Errors
    /// That it is of an engine that gives other results: the run is under way still. Or what keeps the dataset from being written.
    pub fn take(&mut self, key: Key, record: &Record) -> Result<(), Error> {
        if record.results != RESULTS_ID {
            return Err(Error::Sentence(format!(
                "A run was made by an engine, version {}, that gives other results than this one, version {}: install \
                 the same version wherever runs are made.",
                record.engine,
                qoscope_engine::VERSION
            )));
        }
        let Some(wish) = self.under_way.remove(&key) else { return Ok(()) };
        let kept = self.store.as_mut().map_or(Ok(()), |store| store.put(key, record));
        // It is known here even if it could not be kept.
        self.counts.made += 1;
        self.put(&wish, &Ran::Summary(&record.summary));
        kept?;
        self.go_on()
    }

    /// A run that was handed out failed for good: it is told in the table. Another process, or the next try, may fare better.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn failed(&mut self, key: Key, reason: &str) -> Result<(), Error> {
        let Some(wish) = self.under_way.remove(&key) else { return Ok(()) };
        self.counts.made += 1;
        self.counts.failed += 1;
        self.put(&wish, &Ran::Failed(reason.to_owned()));
        self.store.as_mut().map_or(Ok(()), |store| store.release(key))?;
        self.go_on()
    }

    /// A run that was handed out is not made by who had it: it is wanted again, before all others.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn give_back(&mut self, key: Key) -> Result<(), Error> {
        let Some(wish) = self.under_way.remove(&key) else { return Ok(()) };
        self.queue.push_front(wish);
        Ok(self.store.as_mut().map_or(Ok(()), |store| store.release(key))?)
    }

    /// Ends: what was kept is put in its place, and no further run is handed out. Who only drops it leaves that to whoever opens the dataset
    /// next.
    ///
    /// # Errors
    /// What keeps the dataset from being written; nothing that was kept is lost.
    pub fn close(&mut self) -> Result<(), Error> {
        self.queue.clear();
        self.elsewhere.clear();
        self.under_way.clear();
        Ok(mem::take(&mut self.store).map_or(Ok(()), Store::close)?)
    }
}
