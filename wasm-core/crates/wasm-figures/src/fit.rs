//! A drive fitted to what fio measured of it. Its runs are made elsewhere; what they come to is JSON, as [`simulate_job`] gives it.

use qoscope_engine::scenario;
use qoscope_rack::fio;
use qoscope_rack::fit::{self, Asked, Choices};
use qoscope_rack::{Drive, Source};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use crate::{text, thrown};

/// What fio wrote into a file, as JSON: jobs that can be used, and remarks on the others.
///
/// # Errors
/// Why the file as a whole cannot be read.
#[wasm_bindgen(js_name = readFio)]
pub fn read_fio(content: &str, file: &str) -> Result<String, JsValue> {
    fio::results(content, file).map(|results| text(&results)).map_err(thrown)
}

/// A log that fio wrote over time, as JSON: its reads and writes by windows, what to call it, its unit, and remarks.
///
/// # Errors
/// That its name does not say what it is of, or which line is none of a log.
#[wasm_bindgen(js_name = readFioLog)]
pub fn read_fio_log(content: &str, file: &str) -> Result<String, JsValue> {
    fio::log(content, file).map(|log| text(&fio::LogView::from(log))).map_err(thrown)
}

/// How a drive is fitted if nobody says otherwise, as JSON: `{ holdOut, meansAlone, seed, maxRuns }`.
#[wasm_bindgen(js_name = fitChoices)]
pub fn fit_choices() -> String {
    text(&Asked::from(Choices::default()))
}

/// A fit under way.
#[wasm_bindgen(js_name = DriveFit)]
pub struct DriveFit(fit::Fit);

#[wasm_bindgen(js_class = DriveFit)]
impl DriveFit {
    /// Of the scenario whose drive it begins with, a list of jobs, a list of logs as [`read_fio_log`] gives them, and choices, all as JSON.
    ///
    /// # Errors
    /// Every diagnostic of the scenario, or why the jobs cannot be fitted.
    #[wasm_bindgen(constructor)]
    pub fn new(base_json: &str, jobs_json: &str, logs_json: &str, choices_json: &str) -> Result<DriveFit, JsValue> {
        let base = scenario::load(base_json).map_err(thrown)?;
        let asked: Asked = read(choices_json)?;
        let (jobs, logs): (_, Vec<fio::Log>) = (asked.placed(read(jobs_json)?), read(logs_json)?);
        fit::Fit::with_logs(&base, jobs, &logs, asked.choices()).map(Self).map_err(thrown)
    }

    /// By job: whether it is held out, as JSON.
    #[wasm_bindgen(js_name = heldOut)]
    pub fn held_out(&self) -> String {
        text(&(0..self.0.jobs().len()).map(|job| self.0.is_held_out(job)).collect::<Vec<_>>())
    }

    /// Runs that are wanted and were not given out, at most so many, as a JSON list of `{ id, job }`.
    pub fn wanted(&mut self, most: u32) -> String {
        text(&self.0.wanted(most as usize))
    }

    /// What a run simulates, for [`simulate_job`].
    pub fn document(&self, id: u32) -> Option<String> {
        self.0.document(id)
    }

    /// Takes what a run came to.
    ///
    /// # Errors
    /// That it is not what [`simulate_job`] gives.
    pub fn put(&mut self, id: u32, simulated_json: &str) -> Result<(), JsValue> {
        self.0.put(id, Ok(read(simulated_json)?));
        Ok(())
    }

    /// Notes that a run failed, and why.
    pub fn failed(&mut self, id: u32, sentence: String) {
        self.0.put(id, Err(sentence));
    }

    /// How far it is, as JSON.
    pub fn progress(&self) -> String {
        text(&self.0.progress())
    }

    /// What it came to, as JSON; none before it is done.
    ///
    /// # Errors
    /// That no drive could be run.
    pub fn outcome(&self) -> Result<Option<String>, JsValue> {
        let outcome = self.0.outcome().transpose().map_err(|diagnostic| thrown(vec![diagnostic]))?;
        Ok(outcome.map(|outcome| text(&outcome)))
    }

    /// The drive that it came to under a name, as its file has it; with the files of the jobs, a JSON list of `{ file, hash }`. `None`
    /// before it is done, and if the jobs do not match a drive of the model.
    ///
    /// # Errors
    /// That no drive could be run.
    pub fn drive(&self, name: &str, files_json: &str) -> Result<Option<String>, JsValue> {
        let files: Vec<Source> = read(files_json)?;
        let outcome = self.0.outcome().transpose().map_err(|diagnostic| thrown(vec![diagnostic]))?;
        Ok(outcome.and_then(|outcome| Drive::of(&self.0, &outcome, name, &files)).map(|drive| text(&drive)))
    }
}

/// The file of a drive, as JSON.
///
/// # Errors
/// What is wrong with it.
#[wasm_bindgen(js_name = readDrive)]
pub fn read_drive(content: &str) -> Result<String, JsValue> {
    Drive::read(content).map(|drive| text(&drive)).map_err(thrown)
}

/// Simulates a job on a drive: what it came to, as JSON.
///
/// # Errors
/// Every diagnostic of the scenario.
#[wasm_bindgen(js_name = simulateJob)]
pub fn simulate_job(document: &str) -> Result<String, JsValue> {
    fit::simulate(document).map(|simulated| text(&simulated)).map_err(thrown)
}

fn read<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, JsValue> {
    qoscope_rack::read(json).map_err(thrown)
}
