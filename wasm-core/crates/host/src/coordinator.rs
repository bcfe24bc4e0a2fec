//! Coordinates the runs of a campaign: hands them out, receives their results and keeps them in a dataset that other processes may use at the
//! same time. Threads, processes or a cluster make the runs.

use std::collections::{BTreeMap, VecDeque};
use std::mem;
use std::path::Path;

use qoscope_campaign::{Campaign, Detail, Outcome, RESULTS_ID};
use qoscope_store::{Key, Record, Store, Verdict};
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
    /// The part of its result that is needed.
    pub detail: Detail,
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

/// A requested run: its key, and its ids in the campaign.
struct Request {
    key: Key,
    ids: Vec<u32>,
    detail: Detail,
}

/// A campaign whose runs are made.
///
/// After an error of its dataset it can only be closed: what was kept until then is.
pub struct Coordinator<C> {
    campaign: C,
    store: Option<Store>,
    /// Only runs of this shard, counted from 0, of so many.
    shard: Option<(u32, u32)>,
    /// Runs that are wanted, the most important first. Whenever there are none here, elsewhere or under way, the campaign requests none.
    queue: VecDeque<Request>,
    /// Runs that are wanted and that other processes were making when they were last looked at.
    elsewhere: VecDeque<Request>,
    /// Runs of other shards without a result.
    left: VecDeque<Request>,
    under_way: BTreeMap<Key, Request>,
    counts: Counts,
    told: Vec<String>,
}

impl<C: Campaign> Coordinator<C> {
    /// Of a campaign: with the dataset in the folder `out`, if any, and only for runs of a shard, counted from 0, of so many.
    ///
    /// # Errors
    /// What keeps the dataset from being read.
    pub fn new(campaign: C, out: Option<&Path>, shard: Option<(u32, u32)>) -> Result<Self, Error> {
        let mut coordinator = Self {
            campaign,
            store: out.map(Store::open).transpose()?,
            shard,
            queue: VecDeque::new(),
            elsewhere: VecDeque::new(),
            left: VecDeque::new(),
            under_way: BTreeMap::new(),
            counts: Counts::default(),
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
        coordinator.advance()?;
        Ok(coordinator)
    }

    /// The campaign: its progress and answer.
    pub fn campaign_mut(&mut self) -> &mut C {
        &mut self.campaign
    }

    /// The campaign, once the coordinator is closed.
    pub fn into_campaign(self) -> C {
        self.campaign
    }

    /// Whether no run is wanted, and none is under way, here or elsewhere. Runs of other shards do not count.
    pub fn is_done(&self) -> bool {
        self.queue.is_empty() && self.elsewhere.is_empty() && self.under_way.is_empty()
    }

    /// Runs that are wanted and that other processes are making.
    pub fn claimed_by_others(&self) -> usize {
        self.elsewhere.len()
    }

    /// What became of the runs.
    pub fn counts(&self) -> Counts {
        Counts { under_way: self.under_way.len() as u64, queued: self.queue.len() as u64, ..self.counts }
    }

    /// What a person should know of the dataset and has not been told, a sentence each.
    pub fn take_notices(&mut self) -> Vec<String> {
        let mut told = self.store.as_mut().map(Store::told).unwrap_or_default();
        told.append(&mut self.told);
        told
    }

    /// Asks the campaign for further runs once the results of all requested ones are known.
    fn advance(&mut self) -> Result<(), Error> {
        if !self.is_done() {
            return Ok(());
        }
        let mut places: BTreeMap<Key, usize> = BTreeMap::new();
        for request in self.campaign.next(usize::MAX) {
            let key = request.key.parse::<Key>().map_err(Error::Sentence)?;
            if let Some(place) = places.get(&key) {
                // Two runs of the campaign that are the same scenario.
                self.queue[*place].ids.push(request.id);
            } else {
                places.insert(key, self.queue.len());
                self.queue.push_back(Request { key, ids: vec![request.id], detail: request.detail });
            }
        }
        if let Some((shard, of)) = self.shard {
            self.store.as_mut().map_or(Ok(()), Store::look_again)?;
            let has = |request: &Request| self.store.as_ref().is_some_and(|store| store.has(request.key));
            // A known result costs nothing, whichever shard it belongs to.
            let requests = self.left.drain(..).chain(self.queue.drain(..)).collect::<Vec<_>>();
            (self.queue, self.left) =
                requests.into_iter().partition(|request| request.key.shard(of) == shard || has(request));
            self.counts.left = self.left.len() as u64;
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
        let requests = if self.queue.is_empty() { &mut self.elsewhere } else { &mut self.queue };
        let verdicts = match &mut self.store {
            Some(store) => store.claim(requests.iter().map(|request| request.key).take(room.max(AT_ONCE)), room)?,
            None => vec![Verdict::Mine; room.min(requests.len())],
        };
        let (mut jobs, mut known) = (Vec::new(), Vec::new());
        for (verdict, request) in verdicts.iter().zip(requests.drain(..verdicts.len()).collect::<Vec<_>>()) {
            match verdict {
                Verdict::Mine => {
                    let document = request.ids.first().and_then(|id| self.campaign.scenario(*id)).unwrap_or_default();
                    jobs.push(Job { key: request.key, document, detail: request.detail });
                    self.under_way.insert(request.key, request);
                }
                Verdict::Known => known.push(request),
                Verdict::UnderWay => self.elsewhere.push_back(request),
            }
        }
        self.take_known(known)?;
        Ok(jobs)
    }

    /// Takes results that the dataset has. One that is damaged is wanted again.
    fn take_known(&mut self, known: Vec<Request>) -> Result<(), Error> {
        let Some(store) = self.store.as_mut().filter(|_| !known.is_empty()) else { return Ok(()) };
        let mut known: BTreeMap<Key, Request> = known.into_iter().map(|request| (request.key, request)).collect();
        let keys: Vec<Key> = known.keys().copied().collect();
        for (key, summary) in store.summaries(&keys)? {
            if let Some(request) = known.remove(&key) {
                self.counts.known += 1;
                self.put(&request, &Outcome::Summary(&summary));
            }
        }
        known.into_values().rev().for_each(|request| self.queue.push_front(request));
        self.advance()
    }

    fn put(&mut self, request: &Request, outcome: &Outcome<'_>) {
        request.ids.iter().for_each(|id| self.campaign.put(*id, outcome.clone()));
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
        let Some(request) = self.under_way.remove(&key) else { return Ok(()) };
        let kept = self.store.as_mut().map_or(Ok(()), |store| store.put(key, record));
        // It is known here even if it could not be kept.
        self.counts.made += 1;
        self.put(&request, &Outcome::Summary(&record.summary));
        kept?;
        self.advance()
    }

    /// A run that was handed out failed for good: it is told in the table. Another process, or the next try, may fare better.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn failed(&mut self, key: Key, reason: &str) -> Result<(), Error> {
        let Some(request) = self.under_way.remove(&key) else { return Ok(()) };
        self.counts.made += 1;
        self.counts.failed += 1;
        self.put(&request, &Outcome::Failed(reason.to_owned()));
        if self.campaign.progress().done {
            // The campaign needs no further run: one that failed ended it.
            self.queue.clear();
            self.elsewhere.clear();
        }
        self.store.as_mut().map_or(Ok(()), |store| store.release(key))?;
        self.advance()
    }

    /// A run that was handed out is not made by who had it: it is wanted again, before all others.
    ///
    /// # Errors
    /// What keeps the dataset from being written.
    pub fn give_back(&mut self, key: Key) -> Result<(), Error> {
        let Some(request) = self.under_way.remove(&key) else { return Ok(()) };
        self.queue.push_front(request);
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

#[cfg(test)]
mod tests {
    use super::*;
    use qoscope_study::{Session, Study, Table};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    const K: &str = "switch.ecnThresholdPackets";

    fn session(vary: Value, seeds: u32, ask: Value) -> Session {
        let scenario = json!({
            "version": 3, "name": "two writers", "seed": 1, "durationUs": 2000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1 }, "linkGbps": 10, "baseRttUs": 100 },
            "classes": [{ "name": "High", "ratio": 3 }, { "name": "Low" }],
            "workloads": [
                { "class": "High", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
                { "class": "Low", "endpoints": { "kind": "pairs", "initiators": ["h1"], "targets": ["h2"] }, "traffic": { "kind": "backlogged" } },
            ],
        });
        let study = json!({
            "version": 2, "title": "K", "vary": [vary], "seeds": { "count": seeds },
            "measures": [{ "title": "Drops", "value": "network.drops" }], "ask": ask,
        });
        crate::session(Study::read(&study.to_string()).unwrap(), &scenario, &shelf()).unwrap()
    }

    fn shelf() -> crate::traces::Shelf {
        crate::traces::Shelf::new(Path::new(""), BTreeMap::new())
    }

    /// A sweep of thresholds under two seeds.
    fn of(values: &[u32]) -> Session {
        session(json!({ "path": K, "values": values }), 2, json!({ "kind": "sweep" }))
    }

    fn coordinator(session: Session, out: Option<&Path>) -> Coordinator<Session> {
        Coordinator::new(session, out, None).unwrap()
    }

    /// What a run gives: another number at every threshold and under every seed.
    fn record(job: &Job) -> Record {
        let scenario: Value = serde_json::from_str(&job.document).unwrap();
        let drops =
            100 * scenario["switch"]["ecnThresholdPackets"].as_u64().unwrap() + scenario["seed"].as_u64().unwrap();
        let summary = json!({ "seed": scenario["seed"], "network": { "drops": drops } });
        Record { results: RESULTS_ID.into(), engine: "1".into(), wall_ms: 0.5, scenario, summary }
    }

    fn take(coordinator: &mut Coordinator<Session>, jobs: &[Job]) {
        jobs.iter().for_each(|job| coordinator.take(job.key, &record(job)).unwrap());
    }

    /// Makes all runs, a few at a time, and closes.
    fn make_all(coordinator: &mut Coordinator<Session>) -> Table {
        while !coordinator.is_done() {
            let jobs = coordinator.hand_out(3).unwrap();
            take(coordinator, &jobs);
        }
        coordinator.close().unwrap();
        coordinator.campaign_mut().table()
    }

    /// Made, failed, known, left.
    fn counts(coordinator: &Coordinator<Session>) -> [u64; 4] {
        let Counts { made, failed, known, left, .. } = coordinator.counts();
        [made, failed, known, left]
    }

    #[test]
    fn each_run_is_handed_out_once_and_the_last_result_ends_it() {
        let mut alone = coordinator(of(&[10, 20, 30]), None);
        let (mut jobs, none) = (alone.hand_out(4).unwrap(), alone.hand_out(0).unwrap());
        assert_eq!((jobs.len(), none.len(), alone.counts().under_way, alone.counts().queued), (4, 0, 4, 2));
        jobs.extend(alone.hand_out(9).unwrap());
        assert!(alone.hand_out(9).unwrap().is_empty());
        assert_eq!(jobs.iter().map(|job| job.key).collect::<BTreeSet<_>>().len(), 6);
        // In whatever order.
        jobs.rotate_left(2);
        take(&mut alone, &jobs[..5]);
        assert!(!alone.is_done() && alone.campaign_mut().answer().is_none());
        take(&mut alone, &jobs[5..]);
        assert!(alone.is_done() && alone.campaign_mut().answer().is_some());
        assert_eq!(counts(&alone), [6, 0, 0, 0]);
        assert_eq!(alone.campaign_mut().table(), make_all(&mut coordinator(of(&[10, 20, 30]), None)));
    }

    #[test]
    fn what_the_session_wants_next_is_queued_with_the_last_result() {
        let ask = json!({ "kind": "sweep", "within": { "absolute": 0.1, "maxSeeds": 7 } });
        let mut adaptive = coordinator(session(json!({ "path": K, "values": [10] }), 4, ask), None);
        let jobs = adaptive.hand_out(9).unwrap();
        assert_eq!(jobs.len(), 4);
        take(&mut adaptive, &jobs);
        assert!(!adaptive.is_done() && adaptive.counts().queued > 0);
        make_all(&mut adaptive);
        assert_eq!(counts(&adaptive), [7, 0, 0, 0]);
    }

    #[test]
    fn what_is_known_is_not_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let table = make_all(&mut coordinator(of(&[10, 20, 30]), Some(folder.path())));
        let mut again = coordinator(of(&[20, 30, 40]), Some(folder.path()));
        let jobs = again.hand_out(9).unwrap();
        assert_eq!((jobs.len(), counts(&again)), (2, [0, 0, 4, 0]));
        take(&mut again, &jobs);
        assert!(again.is_done());
        assert_eq!(again.campaign_mut().table().points[..2], table.points[1..]);
    }

    #[test]
    fn much_that_is_known_is_taken_some_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let many = || session(json!({ "path": K, "values": [10, 20, 30] }), 100, json!({ "kind": "sweep" }));
        make_all(&mut coordinator(many(), Some(folder.path())));
        let mut again = coordinator(many(), Some(folder.path()));
        assert!(again.hand_out(2).unwrap().is_empty());
        assert_eq!((again.counts().known, again.counts().queued), (AT_ONCE as u64, 300 - AT_ONCE as u64));
        assert!(again.hand_out(2).unwrap().is_empty() && again.is_done());
    }

    #[test]
    fn two_studies_in_one_process_share_a_dataset() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = coordinator(of(&[10, 20]), Some(folder.path()));
        let mut other = coordinator(of(&[20, 30]), Some(folder.path()));
        let (first, second) = (one.hand_out(9).unwrap(), other.hand_out(9).unwrap());
        assert_eq!((first.len(), second.len(), one.claimed_by_others(), other.claimed_by_others()), (4, 2, 0, 2));
        take(&mut other, &second);
        assert!(other.hand_out(9).unwrap().is_empty() && !other.is_done(), "the first one makes the others");
        take(&mut one, &first);
        assert!(one.is_done() && other.hand_out(9).unwrap().is_empty() && other.is_done());
        assert_eq!([counts(&one), counts(&other)], [[4, 0, 0, 0], [2, 0, 2, 0]]);
        [&mut one, &mut other].into_iter().for_each(|study| study.close().unwrap());
        assert_eq!(Store::open(folder.path()).unwrap().len(), 6);
        assert_eq!(one.campaign_mut().table(), make_all(&mut coordinator(of(&[10, 20]), None)));
        assert_eq!(other.campaign_mut().table(), make_all(&mut coordinator(of(&[20, 30]), None)));
    }

    #[test]
    fn shards_make_each_run_once() {
        let folder = tempfile::tempdir().unwrap();
        let values = [10, 20, 30, 40, 50];
        let mut made = 0;
        for part in 0..3 {
            let mut shard = Coordinator::new(of(&values), Some(folder.path()), Some((part, 3))).unwrap();
            make_all(&mut shard);
            let [here, failed, known, left] = counts(&shard);
            assert_eq!((known, failed, here + known + left), (made, 0, 10), "shard {part}");
            assert!(here > 0 && shard.campaign_mut().answer().is_some() == (left == 0));
            made += here;
        }
        assert_eq!(made, 10);
        let mut whole = coordinator(of(&values), Some(folder.path()));
        assert_eq!(make_all(&mut whole), make_all(&mut coordinator(of(&values), None)));
        assert_eq!(counts(&whole), [0, 0, 10, 0]);
    }

    #[test]
    fn a_run_given_back_is_the_next_to_be_handed_out() {
        for is_kept in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let mut study = coordinator(of(&[10, 20]), is_kept.then_some(folder.path()));
            let jobs = study.hand_out(2).unwrap();
            study.give_back(jobs[1].key).unwrap();
            // Its worker was not lost after all, but told so: whoever gets the run now makes it.
            take(&mut study, &jobs[1..]);
            assert_eq!((study.counts().made, study.counts().queued), (0, 3));
            assert_eq!(study.hand_out(1).unwrap(), jobs[1..]);
            study.give_back(jobs[1].key).unwrap();
            study.give_back(jobs[1].key).unwrap();
            assert_eq!((study.hand_out(1).unwrap(), study.counts().queued), (jobs[1..].to_vec(), 2));
            // One result of each that had it: the first counts.
            take(&mut study, &jobs[1..]);
            take(&mut study, &jobs[1..]);
            study.failed(jobs[1].key, "It ran out of memory.").unwrap();
            study.give_back(jobs[1].key).unwrap();
            assert_eq!((counts(&study), study.counts().queued), ([1, 0, 0, 0], 2));
            take(&mut study, &jobs[..1]);
            assert_eq!(make_all(&mut study), make_all(&mut coordinator(of(&[10, 20]), None)));
            assert_eq!(counts(&study), [4, 0, 0, 0]);
            assert_eq!(Store::open(folder.path()).unwrap().len(), if is_kept { 4 } else { 0 });
        }
    }

    #[test]
    fn others_may_make_what_was_given_back_or_failed() {
        let folder = tempfile::tempdir().unwrap();
        let mut one = coordinator(of(&[10]), Some(folder.path()));
        let jobs = one.hand_out(2).unwrap();
        let mut other = coordinator(of(&[10]), Some(folder.path()));
        assert!(other.hand_out(2).unwrap().is_empty());
        one.give_back(jobs[0].key).unwrap();
        one.failed(jobs[1].key, "It ran out of memory.").unwrap();
        assert_eq!(other.hand_out(2).unwrap(), jobs);
        assert!(one.hand_out(2).unwrap().is_empty());
        assert_eq!((one.claimed_by_others(), other.claimed_by_others()), (1, 0));
        take(&mut other, &jobs);
        assert!(one.hand_out(2).unwrap().is_empty() && one.is_done());
        assert_eq!([counts(&one), counts(&other)], [[1, 1, 1, 0], [2, 0, 0, 0]]);
        let cell = &one.campaign_mut().table().points[0].cells[0];
        assert_eq!(cell.numbers.iter().filter(|number| number.is_some()).count(), 1);
        assert_eq!(cell.why.as_deref(), Some("It ran out of memory."));
    }

    #[test]
    fn two_points_that_are_one_scenario_are_one_run() {
        let alternative = |title: &str, k: u32| json!({ "title": title, "set": { K: k } });
        let alternatives = [alternative("A", 10), alternative("B", 20), alternative("also A", 10)];
        let vary = json!({ "title": "Which", "alternatives": alternatives });
        let mut study = coordinator(session(vary, 2, json!({ "kind": "sweep" })), None);
        let table = make_all(&mut study);
        assert_eq!(counts(&study), [4, 0, 0, 0]);
        assert_eq!(
            table.points.iter().map(|point| point.cells[0].mean).collect::<Vec<_>>(),
            [Some(1001.5), Some(2001.5), Some(1001.5)]
        );
    }

    #[test]
    fn the_result_of_another_engine_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut study = coordinator(of(&[10]), Some(folder.path()));
        let jobs = study.hand_out(1).unwrap();
        let foreign = Record { results: "0".repeat(32), engine: "9.8.7".into(), ..record(&jobs[0]) };
        let told = study.take(jobs[0].key, &foreign).unwrap_err().to_string();
        assert!(told.contains("version 9.8.7") && told.contains(qoscope_engine::VERSION), "{told}");
        assert_eq!((study.counts().made, study.counts().under_way), (0, 1));
        take(&mut study, &jobs);
        make_all(&mut study);
        assert_eq!(Store::open(folder.path()).unwrap().of_others(RESULTS_ID), 0);
    }

    #[test]
    fn the_results_of_another_engine_in_the_dataset_are_told_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let key: Key = "00f0000000000000000000000000000a".parse().unwrap();
        store.claim([key], 1).unwrap();
        let job = Job {
            key,
            document: json!({ "seed": 1, "switch": { "ecnThresholdPackets": 10 } }).to_string(),
            detail: Detail::Kept,
        };
        store.put(key, &Record { results: "0".repeat(32), ..record(&job) }).unwrap();
        store.close().unwrap();
        let mut study = coordinator(of(&[10]), Some(folder.path()));
        let told = study.take_notices();
        assert!(told.len() == 1 && told[0].starts_with("1 of the 1 runs of the dataset are of an engine"), "{told:?}");
        assert!(study.take_notices().is_empty(), "told once");
        make_all(&mut study);
        assert_eq!((counts(&study), Store::open(folder.path()).unwrap().len()), ([2, 0, 0, 0], 3));
    }

    #[test]
    fn closed_in_the_midst_it_keeps_what_was_made_and_hands_out_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut study = coordinator(of(&[10, 20]), Some(folder.path()));
        let jobs = study.hand_out(2).unwrap();
        take(&mut study, &jobs[..1]);
        study.close().unwrap();
        study.close().unwrap();
        take(&mut study, &jobs[1..]);
        assert!(study.is_done() && study.hand_out(9).unwrap().is_empty());
        assert_eq!(study.campaign_mut().table().points[0].seeds, 1);
        assert_eq!(Store::open(folder.path()).unwrap().len(), 1);
        // Nor does it hold what it had claimed.
        assert_eq!(coordinator(of(&[10, 20]), Some(folder.path())).hand_out(9).unwrap().len(), 3);
    }

    #[test]
    fn dropped_it_leaves_what_was_made_to_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let mut study = coordinator(of(&[10, 20]), Some(folder.path()));
        let jobs = study.hand_out(3).unwrap();
        take(&mut study, &jobs[..1]);
        drop(study);
        let mut next = coordinator(of(&[10, 20]), Some(folder.path()));
        make_all(&mut next);
        assert_eq!(counts(&next), [3, 0, 1, 0]);
    }

    #[test]
    fn a_run_that_is_made_is_one_that_the_session_takes() {
        let mut study = coordinator(of(&[10]), None);
        let jobs = study.hand_out(2).unwrap();
        assert!(crate::make(&jobs[0].document, Detail::Kept, &shelf(), &|| true).unwrap().is_none(), "stopped");
        for job in &jobs {
            let record = crate::make(&job.document, Detail::Kept, &shelf(), &|| false).unwrap().unwrap();
            assert_eq!(
                (record.engine.as_str(), record.scenario.to_string()),
                (qoscope_engine::VERSION, job.document.clone())
            );
            study.take(job.key, &record).unwrap();
        }
        assert!(study.campaign_mut().table().points[0].cells[0].mean.is_some());
        let refused = crate::make(r#"{ "version": 3 }"#, Detail::Kept, &shelf(), &|| false).unwrap_err();
        assert!(matches!(&refused, Error::Diagnostics(found) if found.len() > 1), "{refused}");
    }
}
