//! Makes the runs of a study on several threads, shows how far they are, and ends on Ctrl+C with a sentence on how to go on.

use std::io;
use std::path::Path;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use qoscope_native::traces::Shelf;
use qoscope_native::{Coordinator, Error, Job, make};
use qoscope_store::{Key, Record};

use crate::failure::Failure;

/// How often the dataset is looked at where other processes make what is wanted.
const LOOK: Duration = Duration::from_millis(50);
/// How often what is shown of the progress changes.
const SHOW: Duration = Duration::from_millis(100);

/// What the threads tell.
enum Event {
    Ran(Key, Box<Result<Record, Error>>),
    Stop,
}

/// Makes the runs that are wanted on `jobs` threads, and keeps them in `out`. Returns how long it took.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
pub fn drive(
    coordinator: &mut Coordinator,
    traces: &Shelf,
    jobs: usize,
    out: Option<&Path>,
) -> Result<Duration, Failure> {
    let began = Instant::now();
    let (tell, events) = mpsc::channel();
    let (give, given) = mpsc::channel();
    let (given, stop) = (Mutex::new(given), AtomicBool::new(false));
    on_interrupt(tell.clone());
    let made = thread::scope(|scope| {
        for _ in 0..jobs {
            let tell = tell.clone();
            scope.spawn(|| work(&given, tell, traces, &stop));
        }
        // With it the channel to the threads ends.
        let driver = Driver { coordinator, traces, jobs, out, give, events, bar: bar() };
        let made = driver.run();
        stop.store(true, Ordering::Relaxed);
        made
    });
    // What was kept is put in its place even if the last of it could not be kept.
    let closed = coordinator.close().map_err(not_kept);
    made.and(closed).map(|()| began.elapsed())
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

fn not_kept(error: Error) -> Failure {
    Failure::NotKept(error.to_string())
}

/// Makes one run after the other.
fn work(given: &Mutex<Receiver<Job>>, tell: Sender<Event>, traces: &Shelf, stop: &AtomicBool) {
    loop {
        let job = given.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { key, document }) = job else { return };
        let Some(ran) = make(&document, traces, &|| stop.load(Ordering::Relaxed)).transpose() else { return };
        if tell.send(Event::Ran(key, Box::new(ran))).is_err() {
            return;
        }
    }
}

/// Between the coordinator and the threads.
struct Driver<'a> {
    coordinator: &'a mut Coordinator,
    traces: &'a Shelf,
    jobs: usize,
    out: Option<&'a Path>,
    give: Sender<Job>,
    events: Receiver<Event>,
    bar: ProgressBar,
}

impl Driver<'_> {
    fn run(mut self) -> Result<(), Failure> {
        let made = self.make();
        self.tell();
        self.bar.finish_and_clear();
        made
    }

    fn make(&mut self) -> Result<(), Failure> {
        // One more for every thread than it works on: it need not wait for this one.
        let most = 2 * self.jobs as u64;
        while !self.coordinator.is_done() {
            self.tell();
            let before = self.coordinator.counts();
            let room = usize::try_from(most.saturating_sub(before.under_way)).unwrap_or(usize::MAX);
            for job in self.coordinator.hand_out(room).map_err(not_kept)? {
                // There is a thread to take it as long as nobody stops them.
                drop(self.give.send(job));
            }
            let counts = self.coordinator.counts();
            if counts.known > before.known {
                self.bar.reset_eta();
            }
            self.show();
            let event = if counts.queued > 0 && counts.under_way < most {
                // There is more to hand out.
                self.events.recv_timeout(Duration::ZERO)
            } else if self.coordinator.elsewhere() > 0 {
                self.events.recv_timeout(LOOK)
            } else if counts.under_way > 0 {
                self.events.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                continue;
            };
            match event {
                Ok(Event::Ran(key, ran)) => match *ran {
                    Ok(record) => self.coordinator.take(key, &record),
                    Err(error) => self.coordinator.failed(key, &error.to_string()),
                }
                .map_err(not_kept)?,
                Ok(Event::Stop) => return Err(Failure::Stopped(self.farewell())),
                Err(RecvTimeoutError::Timeout) => (),
                Err(RecvTimeoutError::Disconnected) => return Err(io::Error::other("all threads have ended").into()),
            }
        }
        Ok(())
    }

    /// Says what there is to know of the dataset and of traces.
    fn tell(&mut self) {
        let (dataset, traces) = (self.coordinator.told(), self.traces.told());
        if !(dataset.is_empty() && traces.is_empty()) {
            self.bar.suspend(|| dataset.iter().chain(&traces).for_each(|line| eprintln!("{line}")));
        }
    }

    /// Runs whose results there are, and all that are known of.
    fn progress(&self) -> (u64, u64) {
        let counts = self.coordinator.counts();
        let done = counts.made + counts.known;
        (done, done + counts.queued + counts.under_way + self.coordinator.elsewhere() as u64)
    }

    fn show(&self) {
        let counts = self.coordinator.counts();
        let (done, all) = self.progress();
        self.bar.set_length(all);
        self.bar.set_position(done);
        let waits = counts.queued + counts.under_way == 0 && self.coordinator.elsewhere() > 0;
        let doing = if waits { "Waiting for other processes" } else { self.coordinator.doing() };
        self.bar.set_message(doing.to_owned());
    }

    /// What is said to who ends it.
    fn farewell(&self) -> String {
        let (done, all) = self.progress();
        let how = match self.out {
            Some(folder) => {
                format!("Their results are in {}: the same command goes on from there.", folder.display())
            }
            None => "Nothing is kept of them: with --out DIR a study goes on where it was stopped.".into(),
        };
        format!("Stopped after {done} of {all} runs. {how}")
    }
}
