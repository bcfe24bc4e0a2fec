//! `qoscope dtm`.

use std::io::{self, Write};

use qoscope_engine::model::dtm::Model;
use qoscope_engine::overlay::{self, Overlay};
use qoscope_engine::scenario::Scenario;

use crate::DtmFormat;
use crate::failure::Failure;
use crate::series::{write_csv_row, write_csv_words};
use crate::table::{duration, number, table};

/// Classes times slots computed for CSV at most: some seconds.
const CSV_CLASS_SLOTS: u64 = 50_000_000;
/// Rows of the course in the table.
const ROWS: usize = 20;

/// Computes the discrete-time model of a scenario and prints it.
pub fn dtm(scenario: &Scenario, format: DtmFormat, out: &mut impl Write) -> Result<(), Failure> {
    match format {
        DtmFormat::Table => print(scenario, &overlay::overlay(scenario)?, out)?,
        DtmFormat::Json => {
            serde_json::to_writer(&mut *out, &overlay::overlay(scenario)?).map_err(io::Error::from)?;
            writeln!(out)?;
        }
        DtmFormat::Csv => every_slot(scenario, out)?,
    }
    Ok(())
}

/// Every slot of the model, one line each.
fn every_slot(scenario: &Scenario, out: &mut impl Write) -> Result<(), Failure> {
    const CLASS_COLUMNS: [&str; 6] =
        ["throughputGbps", "qualityFactor", "alpha", "windowPackets", "rttUs", "queuePackets"];
    let mut columns = ["slot", "timeUs", "markedFraction", "queuePackets"].map(String::from).to_vec();
    for class in &scenario.classes {
        columns.extend(CLASS_COLUMNS.map(|column| format!("{column}.{}", class.name)));
    }
    write_csv_words(out, &columns)?;
    let gigabits = overlay::payload_bytes(scenario) * 8e-9;
    let mut written = Ok(());
    overlay::trace(scenario, CSV_CLASS_SLOTS, |model: &Model, _| {
        let slot = [model.slot() as f64, model.start_s() * 1e6, model.mark_probability(), model.queue_packets()];
        let classes = model.classes().iter().flat_map(|state| {
            let throughput_gbps = state.throughput_pps * gigabits;
            [throughput_gbps, state.quality, state.alpha, state.window_packets, state.rtt_s * 1e6, state.queue_packets]
        });
        if written.is_ok() {
            written = write_csv_row(out, slot.into_iter().chain(classes));
        }
    })?;
    Ok(written?)
}

fn print(scenario: &Scenario, overlay: &Overlay, out: &mut impl Write) -> io::Result<()> {
    let points = overlay.time_us.len();
    let end_us = overlay.time_us.last().copied().unwrap_or_default();
    writeln!(out, "{}", scenario.name)?;
    writeln!(out, "Discrete-time model of the bottleneck, {} followed\n", duration(end_us))?;

    let settled = points / 2;
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let header = ["class", "ratio", "throughput\nGb/s, 2nd half", "Q\n2nd half", "converged\nslot", "converged\nus"];
    let rows = overlay.classes.iter().zip(&scenario.classes).map(|(curves, class)| {
        vec![
            class.name.clone(),
            number(class.ratio, 1),
            number(mean(&curves.throughput_gbps[settled..]), 2),
            number(mean(&curves.quality_factor[settled..]), 3),
            curves.converged_slot.map_or_else(|| "-".into(), |slot| slot.to_string()),
            number(curves.converged_at_us, 0),
        ]
    });
    writeln!(out, "{}", table(header, 1, rows))?;

    let names = scenario.classes.iter().flat_map(|class| [format!("{}\nGb/s", class.name), "\nQ".into()]);
    let header: Vec<String> = ["time\nus", "queue\npackets"].map(String::from).into_iter().chain(names).collect();
    let rows = (0..ROWS.min(points)).map(|row| {
        let point = if points <= ROWS { row } else { row * (points - 1) / (ROWS - 1) };
        let own = [number(overlay.time_us[point], 0), number(overlay.queue_packets[point], 0)];
        let classes = overlay
            .classes
            .iter()
            .flat_map(|curves| [number(curves.throughput_gbps[point], 2), number(curves.quality_factor[point], 3)]);
        own.into_iter().chain(classes).collect()
    });
    write!(out, "{}", table(header.iter().map(String::as_str), 0, rows))
}
