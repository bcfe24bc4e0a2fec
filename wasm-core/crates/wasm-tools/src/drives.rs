//! Measurements of drives and files of fitted drives, as JSON.

use qoscope_estimation::Drive;
use qoscope_estimation::{Asked, Choices};
use qoscope_interop::fio;
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

/// The file of a drive, as JSON.
///
/// # Errors
/// What is wrong with it.
#[wasm_bindgen(js_name = readDrive)]
pub fn read_drive(content: &str) -> Result<String, JsValue> {
    Drive::read(content).map(|drive| text(&drive)).map_err(thrown)
}
