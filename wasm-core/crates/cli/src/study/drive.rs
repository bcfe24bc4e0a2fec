//! Makes the runs of a study: on several threads, keeping every result as it comes, beside other processes that do the same.

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use qoscope_engine::scenario;
use qoscope_engine::simulation::Simulation;
use qoscope_store::{Key, Record, Store, Verdict};
use qoscope_study::{RESULTS_ID, Ran, Session, kept};
use serde_json::Value;

use crate::failure::Failure;
use crate::traces::Shelf;

/// Events of a run between two looks whether it is still wanted.
const SLICE: u64 = 200_000;
/// Results that are read of the dataset at once.
const AT_ONCE: usize = 256;
/// How often the dataset is looked at where other processes make what is wanted.
const LOOK: Duration = Duration::from_millis(50);
/// How often what is shown of the progress changes.
const SHOW: Duration = Duration::from_millis(100);

/// How runs are made.
pub struct Options {
    /// Threads.
    pub jobs: usize,
    /// Where results are kept.
    pub out: Option<PathBuf>,
    /// Only runs of this shard, counted from 0, of so many.
    pub shard: Option<(u32, u32)>,
}

/// What became of the runs.
#[derive(Debug, Default)]
pub struct Done {
    /// Runs that were made here.
    pub made: u64,
    /// Of them, those that failed.
    pub failed: u64,
    /// Runs whose results were kept from before, or were made by other processes.
    pub known: u64,
    /// Runs of other shards that are not known.
    pub left: u64,
    /// How long it took.
    pub took: Duration,
}

/// A run that is wanted: one key, and all that the session calls it.
struct Wish {
    key: Key,
    ids: Vec<u32>,
}

/// A run to be made.
struct Job {
    key: Key,
    document: String,
}

/// What the threads tell.
enum Event {
    Ran(Key, Box<Result<Record, String>>),
    Stop,
}

/// Makes the runs that a session wants, until it wants none or none of this shard.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
pub fn drive(session: &mut Session, traces: &Shelf, options: &Options) -> Result<Done, Failure> {
    let began = Instant::now();
    let store =
        options.out.as_deref().map(Store::open).transpose().map_err(|error| Failure::Input(error.to_string()))?;
    let (tell, events) = mpsc::channel();
    let (give, jobs) = mpsc::channel();
    let (jobs, stop) = (Mutex::new(jobs), AtomicBool::new(false));
    on_interrupt(tell.clone());
    let done = thread::scope(|scope| {
        for _ in 0..options.jobs {
            let tell = tell.clone();
            scope.spawn(|| work(&jobs, tell, traces, &stop));
        }
        let mut coordinator = Coordinator {
            session,
            options,
            store,
            give,
            events,
            queue: VecDeque::new(),
            elsewhere: VecDeque::new(),
            under_way: BTreeMap::new(),
            done: Done::default(),
            bar: bar(),
        };
        let made = coordinator.make();
        coordinator.bar.finish_and_clear();
        stop.store(true, Ordering::Relaxed);
        let Coordinator { store, done, .. } = coordinator;
        // What was kept is put in its place even if the last of it could not be kept.
        let closed = store.map_or(Ok(()), |store| store.close().map_err(not_kept));
        made.and(closed).map(|()| done)
    })?;
    Ok(Done { took: began.elapsed(), ..done })
}

/// What Ctrl+C and a request to end do: the first is told, the second ends at once.
fn on_interrupt(tell: Sender<Event>) {
    let is_told = AtomicBool::new(false);
    let handled = ctrlc::set_handler(move || {
        if is_told.swap(true, Ordering::Relaxed) || tell.send(Event::Stop).is_err() {
            process::exit(130);
        }
    });
    // Where the system has no signals they end the process as they do any other; the dataset is made for that.
    drop(handled);
}

fn bar() -> ProgressBar {
    // It draws nothing where standard error is no terminal.
    let bar = ProgressBar::no_length();
    let style = ProgressStyle::with_template("{msg} {bar:30} {pos} of {len} runs, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(SHOW);
    bar
}

fn not_kept(error: qoscope_store::Error) -> Failure {
    Failure::NotKept(error.to_string())
}

/// Makes one run after the other.
fn work(jobs: &Mutex<Receiver<Job>>, tell: Sender<Event>, traces: &Shelf, stop: &AtomicBool) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { key, document }) = job else { return };
        let Some(ran) = run(&document, traces, stop) else { return };
        if tell.send(Event::Ran(key, Box::new(ran))).is_err() {
            return;
        }
    }
}

/// Makes a run; none if it is no longer wanted.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
fn run(document: &str, traces: &Shelf, stop: &AtomicBool) -> Option<Result<Record, String>> {
    let began = Instant::now();
    let (scenario, mut simulation) = match begun(document, traces) {
        Ok(begun) => begun,
        Err(reason) => return Some(Err(reason)),
    };
    loop {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        if simulation.advance(u64::MAX, SLICE) {
            break;
        }
    }
    let record = |summary: Value| Record {
        results: RESULTS_ID.into(),
        engine: env!("CARGO_PKG_VERSION").into(),
        wall_ms: began.elapsed().as_secs_f64() * 1e3,
        scenario,
        summary: kept(&summary),
    };
    Some(serde_json::to_value(simulation.summary()).map(record).map_err(|error| error.to_string()))
}

/// A scenario and its simulation, at its beginning.
fn begun(document: &str, traces: &Shelf) -> Result<(Value, Simulation), String> {
    let document = scenario::parse(document).map_err(|diagnostic| diagnostic.to_string())?;
    let refused = |found: Vec<_>| Failure::from(found).to_string();
    let scenario = scenario::from_value(document.clone()).map_err(refused)?;
    let traces = traces.of(&scenario).map_err(|failure| failure.to_string())?;
    Ok((document, Simulation::with_traces(&scenario, &traces).map_err(refused)?))
}

/// Events per second that the engine manages on the first run that a session wants, over a moment; none where it wants none.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
pub fn speed(session: &mut Session, traces: &Shelf) -> Result<Option<f64>, Failure> {
    const MOMENT: Duration = Duration::from_millis(300);
    let Some(document) = session.wanted(1).first().and_then(|wish| session.document(wish.id)) else { return Ok(None) };
    let (_, mut simulation) = begun(&document, traces).map_err(Failure::Input)?;
    let began = Instant::now();
    while began.elapsed() < MOMENT && !simulation.advance(u64::MAX, SLICE) {}
    Ok(Some(simulation.events() as f64 / began.elapsed().as_secs_f64()))
}

/// Hands out runs and takes results, on one thread.
struct Coordinator<'a> {
    session: &'a mut Session,
    options: &'a Options,
    store: Option<Store>,
    give: Sender<Job>,
    events: Receiver<Event>,
    /// Runs that are wanted, the most important first.
    queue: VecDeque<Wish>,
    /// Of them, those that other processes were making when they were last looked at.
    elsewhere: VecDeque<Wish>,
    /// Runs that were handed out.
    under_way: BTreeMap<Key, Wish>,
    done: Done,
    bar: ProgressBar,
}

impl Coordinator<'_> {
    fn make(&mut self) -> Result<(), Failure> {
        self.tell_of_dataset();
        loop {
            if self.queue.is_empty() && self.elsewhere.is_empty() && self.under_way.is_empty() && !self.want()? {
                return Ok(());
            }
            // One more for every thread than it works on: it need not wait for this one.
            let room = (2 * self.options.jobs).saturating_sub(self.under_way.len());
            if room > 0 {
                self.hand_out(room)?;
            }
            self.show();
            let event = if self.elsewhere.is_empty() {
                if self.under_way.is_empty() {
                    continue;
                }
                self.events.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                self.events.recv_timeout(LOOK)
            };
            match event {
                Ok(Event::Ran(key, ran)) => self.take(key, *ran)?,
                Ok(Event::Stop) => return Err(Failure::Stopped(self.farewell())),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("all threads have ended").into()),
            }
        }
    }

    /// Says what there is to know of the dataset.
    fn tell_of_dataset(&mut self) {
        let Some(store) = &mut self.store else { return };
        let mut told = store.told();
        let others = store.of_others(RESULTS_ID);
        if others > 0 {
            told.push(format!(
                "{others} of the {} runs of the dataset are of an engine that gives other results: they are left alone.",
                store.len()
            ));
        }
        self.bar.suspend(|| told.iter().for_each(|sentence| eprintln!("{sentence}")));
    }

    /// Asks the session which runs it wants. Says whether any of them is of this shard.
    fn want(&mut self) -> Result<bool, Failure> {
        let mut ids: BTreeMap<Key, usize> = BTreeMap::new();
        for wish in self.session.wanted(usize::MAX) {
            let Ok(key) = wish.key.parse::<Key>() else { continue };
            if let Some(place) = ids.get(&key) {
                // Two points of the study that are the same scenario.
                self.queue[*place].ids.push(wish.id);
            } else {
                ids.insert(key, self.queue.len());
                self.queue.push_back(Wish { key, ids: vec![wish.id] });
            }
        }
        let doing = self.session.progress().doing;
        self.bar.set_message(doing);
        if let Some((shard, of)) = self.options.shard {
            self.store.as_mut().map_or(Ok(()), Store::look_again).map_err(not_kept)?;
            let has = |wish: &Wish| self.store.as_ref().is_some_and(|store| store.has(wish.key));
            let all = self.queue.len();
            // What is known costs nothing, whichever shard it is of.
            self.queue.retain(|wish| wish.key.shard(of) == shard || has(wish));
            self.done.left = (all - self.queue.len()) as u64;
        }
        Ok(!self.queue.is_empty())
    }

    /// Hands out as many runs as `room`, or all that are left. Takes the results that the dataset has on the way.
    fn hand_out(&mut self, room: usize) -> Result<(), Failure> {
        let Some(store) = &mut self.store else {
            for wish in (0..room).map_while(|_| self.queue.pop_front()).collect::<Vec<_>>() {
                self.give(wish);
            }
            return Ok(());
        };
        // What others were making comes last: some of it may be known by now, or left.
        let is_again = self.queue.is_empty();
        let wishes = if is_again { &mut self.elsewhere } else { &mut self.queue };
        let verdicts = store.claim(wishes.iter().map(|wish| wish.key), room).map_err(not_kept)?;
        let (mut mine, mut known) = (Vec::new(), Vec::new());
        for verdict in verdicts {
            let wishes = if is_again { &mut self.elsewhere } else { &mut self.queue };
            let Some(wish) = wishes.pop_front() else { break };
            match verdict {
                Verdict::Mine => mine.push(wish),
                Verdict::Known => known.push(wish),
                Verdict::UnderWay => self.elsewhere.push_back(wish),
            }
        }
        mine.into_iter().for_each(|wish| self.give(wish));
        self.take_known(known)
    }

    fn give(&mut self, wish: Wish) {
        let document = wish.ids.first().and_then(|id| self.session.document(*id)).unwrap_or_default();
        // There is a thread to take it as long as nobody stops them.
        drop(self.give.send(Job { key: wish.key, document }));
        self.under_way.insert(wish.key, wish);
    }

    /// Takes results that the dataset has. One that is damaged is wanted again.
    fn take_known(&mut self, known: Vec<Wish>) -> Result<(), Failure> {
        if known.is_empty() {
            return Ok(());
        }
        let mut known: BTreeMap<Key, Wish> = known.into_iter().map(|wish| (wish.key, wish)).collect();
        let keys: Vec<Key> = known.keys().copied().collect();
        for keys in keys.chunks(AT_ONCE) {
            let Some(store) = &mut self.store else { break };
            for (key, summary) in store.summaries(keys).map_err(not_kept)? {
                if let Some(wish) = known.remove(&key) {
                    self.done.known += 1;
                    wish.ids.iter().for_each(|id| self.session.put(*id, Ran::Summary(&summary)));
                }
            }
            self.show();
        }
        if !known.is_empty() {
            self.tell_of_dataset();
            known.into_values().rev().for_each(|wish| self.queue.push_front(wish));
        }
        self.bar.reset_eta();
        Ok(())
    }

    /// Takes what a thread has made.
    fn take(&mut self, key: Key, ran: Result<Record, String>) -> Result<(), Failure> {
        let Some(wish) = self.under_way.remove(&key) else { return Ok(()) };
        self.done.made += 1;
        match ran {
            Ok(record) => {
                if let Some(store) = &mut self.store {
                    store.put(key, &record).map_err(not_kept)?;
                }
                wish.ids.iter().for_each(|id| self.session.put(*id, Ran::Summary(&record.summary)));
            }
            // It is told in the table. Another process, or the next try, may fare better.
            Err(reason) => {
                self.done.failed += 1;
                if let Some(store) = &mut self.store {
                    store.release(key).map_err(not_kept)?;
                }
                wish.ids.iter().for_each(|id| self.session.put(*id, Ran::Failed(reason.clone())));
            }
        }
        Ok(())
    }

    fn show(&self) {
        let done = self.done.made + self.done.known;
        let open = self.queue.len() + self.elsewhere.len() + self.under_way.len();
        self.bar.set_length(done + open as u64);
        self.bar.set_position(done);
        if self.queue.is_empty() && self.under_way.is_empty() && !self.elsewhere.is_empty() {
            self.bar.set_message("Waiting for other processes");
        }
    }

    /// What is said to who ends it.
    fn farewell(&self) -> String {
        let done = self.done.made + self.done.known;
        let open = self.queue.len() + self.elsewhere.len() + self.under_way.len();
        let how = match &self.options.out {
            Some(folder) => {
                format!("Their results are in {}: the same command goes on from there.", folder.display())
            }
            None => "Nothing is kept of them: with --out DIR a study goes on where it was stopped.".into(),
        };
        format!("Stopped after {done} of {} runs. {how}", done + open as u64)
    }
}
