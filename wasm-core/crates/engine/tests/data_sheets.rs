//! Presets from data sheets do what their sheets say, as near as `docs/drives.md` says, and each of their numbers has a source.
//! `UPDATE_DOCS=1 cargo test --test behaviour data_sheets` writes the tables there anew.

use std::fmt::Write;
use std::sync::Arc;

use crate::common::{docs, run};
use qoscope_engine::access::protocols::local::SOFTWARE;
use qoscope_engine::kernel::random::Stream;
use qoscope_engine::kernel::time::{PS_PER_S, PS_PER_US, from_us};
use qoscope_engine::scenario::document::Ssd;
use qoscope_engine::storage::ssd::parameters::Precondition;
use qoscope_engine::storage::ssd::presets::data_sheet::{Basis, DataSheet, Rated, Setting, Speed};
use qoscope_engine::storage::{
    Command, Device, DeviceParameters, DriveModel, Level, Media, NvmeParameters, Opcode, Preset, SsdParameters,
};
use serde_json::{Value, json};

const PS_PER_MS: u64 = 1000 * PS_PER_US;

/// From when to when is measured: once the write cache is full and, of small writes, garbage collection in its steady state.
fn window_ps(rated: &Rated) -> (u64, u64) {
    match (rated.opcode, rated.speed, rated.sequential) {
        (_, Speed::LatencyUs(_), _) => (PS_PER_MS, 20 * PS_PER_MS),
        (Opcode::Write, _, false) => (3 * PS_PER_S, 4 * PS_PER_S),
        (Opcode::Write, _, true) => (60 * PS_PER_MS, 160 * PS_PER_MS),
        _ => (2 * PS_PER_MS, 22 * PS_PER_MS),
    }
}

/// The drive as those who measure prepare it: written once as a whole, or overwritten at random for long before small writes.
fn prepared(preset: Preset, rated: &Rated) -> Device {
    let small_writes = rated.opcode == Opcode::Write && !rated.sequential && rated.outstanding > 1;
    let precondition = if small_writes { Precondition::Random(1.0) } else { Precondition::Sequential(1.0) };
    let drive = SsdParameters { precondition, ..SsdParameters::preset(preset) };
    let nvme = NvmeParameters { device_limit: 65_535, ..NvmeParameters::default() };
    Device::new(&DeviceParameters { media: Media::Ssd(Arc::new(DriveModel::new(drive))), nvme }, 1)
}

/// What the drive does under the conditions of its sheet, in the unit of the sheet. The host takes its time for each request.
fn simulated(preset: Preset, rated: &Rated) -> f64 {
    let mut device = prepared(preset, rated);
    let places = SsdParameters::preset(preset).capacity_bytes() / u64::from(rated.bytes);
    let (mut random, mut next) = (Stream::new(1, "addresses", 0), 0);
    let mut submit = |device: &mut Device, at_ps: u64, tag: u32| {
        let place = if rated.sequential { next % places } else { random.integer(0, places - 1) };
        next += 1;
        let command = Command {
            tag,
            queue: tag % 8,
            queue_level: Level::Medium,
            level: Level::Medium,
            opcode: rated.opcode,
            address: place * u64::from(rated.bytes),
            bytes: rated.bytes,
        };
        device.submit(at_ps, command);
    };
    let host_ps = from_us(SOFTWARE.host_latency_us);
    let mut since_ps = vec![0; rated.outstanding as usize];
    (0..rated.outstanding).for_each(|tag| submit(&mut device, 0, tag));
    let (begin_ps, end_ps) = window_ps(rated);
    let (mut done, mut latency_ps) = (0u64, 0u64);
    while let Some(completion) = device.run(end_ps, &mut 0) {
        let (at_ps, tag) = (completion.served.at_ps, completion.tag);
        if at_ps >= begin_ps {
            done += 1;
            latency_ps += at_ps - since_ps[tag as usize] + host_ps;
        }
        since_ps[tag as usize] = at_ps + host_ps;
        submit(&mut device, at_ps + host_ps, tag);
    }
    let per_s = done as f64 / ((end_ps - begin_ps) as f64 / PS_PER_S as f64);
    match rated.speed {
        Speed::BytesPerS(_) => per_s * f64::from(rated.bytes),
        Speed::PerS(_) => per_s,
        Speed::LatencyUs(_) => latency_ps as f64 / done as f64 / PS_PER_US as f64,
    }
}

/// What a sheet says, as a number.
fn said(speed: Speed) -> f64 {
    match speed {
        Speed::BytesPerS(number) | Speed::PerS(number) | Speed::LatencyUs(number) => number,
    }
}

/// A speed in the unit in which sheets say it.
fn written(speed: Speed, number: f64) -> String {
    match speed {
        Speed::BytesPerS(_) => format!("{:.0} MB/s", number / 1e6),
        Speed::PerS(_) => format!("{:.1} k/s", number / 1e3),
        Speed::LatencyUs(_) => format!("{number:.1} µs"),
    }
}

fn condition(rated: &Rated) -> String {
    let pattern = if rated.sequential { "sequential" } else { "random" };
    let what = if rated.opcode == Opcode::Read { "reads" } else { "writes" };
    format!("{pattern} {what} of {} KiB, {} outstanding", rated.bytes / 1024, rated.outstanding)
}

/// How fast a drive is: as its sheet says, and as the model does.
fn speeds(preset: Preset, sheet: &DataSheet, out: &mut String) {
    // Further off than this is said, with the reason.
    const NEAR_PERCENT: f64 = 10.0;
    // By so much a distance that is said may be another: it is given in whole per cent.
    const ROUNDING_PERCENT: f64 = 1.0;
    out.push_str("| Conditions | Sheet | Simulated | Difference | Why |\n|---|---|---|---|---|\n");
    for rated in sheet.rated {
        let (number, is) = (said(rated.speed), simulated(preset, rated));
        // The zero that is added takes the sign from what is rounded to nothing.
        let percent = ((is / number - 1.0) * 1000.0).round() / 10.0 + 0.0;
        let name = format!("{}, {}", sheet.drive, condition(rated));
        match rated.off {
            None => assert!(percent.abs() <= NEAR_PERCENT, "{name}: {percent:.1} % off"),
            Some(off) => {
                assert!(off.percent.abs() > NEAR_PERCENT, "{name}: {} % off need no reason", off.percent);
                let is_as_said = (percent - off.percent).abs() <= ROUNDING_PERCENT;
                assert!(is_as_said, "{name}: {percent:.1} % off, not {} %", off.percent);
            }
        }
        let (sheet, model) = (written(rated.speed, number), written(rated.speed, is));
        let why = rated.off.map_or("", |off| off.why);
        let _ = writeln!(out, "| {} | {sheet} | {model} | {percent:+.1} % | {why} |", condition(rated));
    }
    out.push('\n');
}

/// The numbers of a drive, as a scenario would say them, with their sources.
fn numbers(preset: Preset, sheet: &DataSheet, out: &mut String) {
    let described = serde_json::to_value(Ssd::described(&SsdParameters::preset(preset))).expect("is a document");
    out.push_str("| Fields | Value | Rests on | Source |\n|---|---|---|---|\n");
    for (number, source) in sheet.numbers.iter().zip(sheet.sources) {
        let fields = number.setting.fields();
        let value = &described[fields[0]];
        assert!(!value.is_null() && fields.iter().all(|field| &described[*field] == value), "{fields:?}");
        let names: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let value = value.to_string();
        let value = value.trim_end_matches(".0").replace('"', "`");
        let _ = writeln!(out, "| {} | {value} | {} | {source} |", names.join(", "), number.basis.word());
    }
    out.push('\n');
}

#[test]
fn drives_are_as_fast_as_their_sheets_say() {
    let mut out = String::new();
    for preset in Preset::FROM_DATA_SHEETS {
        let sheet = preset.data_sheet().expect("it follows one");
        let Value::String(name) = serde_json::to_value(preset).expect("is a word") else { unreachable!() };
        let _ = writeln!(out, "\n## {} (`{name}`)\n", sheet.drive);
        for (number, document) in (1..).zip(sheet.documents) {
            let _ = writeln!(out, "{number}. {}: <{}>", document.title, document.address);
        }
        out.push('\n');
        speeds(preset, sheet, &mut out);
        numbers(preset, sheet, &mut out);
    }
    docs::hold("drives.md", &out, "data_sheets");
}

#[test]
fn every_number_of_a_sheet_has_a_source() {
    for preset in Preset::FROM_DATA_SHEETS {
        let sheet = preset.data_sheet().expect("it follows one");
        assert_eq!(sheet.numbers, preset.numbers());
        assert_eq!(sheet.numbers.len(), sheet.sources.len());
        for (number, source) in sheet.numbers.iter().zip(sheet.sources) {
            let cites = |at: usize| source.contains(&format!("[{at}")) || source.contains(&format!(", {at}]"));
            let cited = (1..=sheet.documents.len()).any(cites);
            let is_last = !cites(sheet.documents.len() + 1);
            // What is derived may rest on another number of the table.
            let must_cite = matches!(number.basis, Basis::Sheet | Basis::Published);
            assert!(is_last && (cited || !must_cite), "{}: {:?}: {source}", sheet.drive, number.setting);
        }
        for at in 1..=sheet.documents.len() {
            let used = sheet.sources.iter().any(|source| source.contains(&format!("{at}]")));
            assert!(used, "{}: no number comes from document {at}", sheet.drive);
        }
    }
}

#[test]
fn a_drive_has_what_its_sheet_says_and_else_what_our_own_has() {
    let (own, drive) = (SsdParameters::preset(Preset::TlcNvme), SsdParameters::preset(Preset::SamsungPm9a3));
    assert_eq!((drive.geometry.dies(), drive.geometry.planes_per_die, drive.geometry.page_bytes), (64, 8, 4096));
    assert_eq!((drive.flash.read_ps, drive.flash.program_ps), ([55_000_000; 3], [492_000_000; 3]));
    assert_eq!((drive.flash.erase_ps, drive.cache.capacity_bytes), (own.flash.erase_ps, own.cache.capacity_bytes));
    // Each says once what it says, and offers the bytes that it is sold by.
    for (preset, bytes) in Preset::FROM_DATA_SHEETS.into_iter().zip([
        3_840_000_000_000u64,
        4_000_000_000_000,
        7_680_000_000_000,
        800_000_000_000,
    ]) {
        let mut fields: Vec<&str> =
            preset.numbers().iter().flat_map(|number| number.setting.fields()).copied().collect();
        fields.sort_unstable();
        assert!(fields.windows(2).all(|pair| pair[0] != pair[1]), "{fields:?}");
        let drive = SsdParameters::preset(preset);
        assert_eq!(drive.error(), None);
        let offered = drive.capacity_bytes();
        assert!(offered.abs_diff(bytes) < bytes / 1000, "{preset:?}: {offered} of {bytes}");
    }
}

#[test]
fn the_setting_of_a_drive_is_the_field_that_it_names() {
    // A drive of our own, described after a setting was made of each of its fields, is the preset.
    for preset in Preset::FROM_DATA_SHEETS {
        let described = serde_json::to_value(Ssd::described(&SsdParameters::preset(preset))).expect("is a document");
        let mut ssd = json!({ "preset": "tlc-nvme" });
        for field in preset.numbers().iter().flat_map(|number| number.setting.fields()) {
            ssd[*field] = described[*field].clone();
        }
        let written: Ssd = serde_json::from_value(ssd).expect("is a section of the document");
        let weights = SsdParameters::preset(preset).live.weights;
        assert_eq!(written.parameters(weights), SsdParameters::preset(preset), "{preset:?}");
    }
    assert_eq!(Setting::GcThresholds(0.1).fields(), ["gcThreshold", "gcHardThreshold"]);
}

#[test]
fn a_drive_at_rest_takes_about_the_memory_that_is_reckoned_with() {
    for preset in Preset::FROM_DATA_SHEETS {
        let drive = SsdParameters::preset(preset);
        let blocks = drive.blocks();
        let bytes = prepared(preset, &preset.data_sheet().expect("it follows one").rated[0]).bytes() as u64;
        // Sixteen bytes a block, and what has no blocks.
        assert!(bytes < 16 * blocks + 500_000, "{preset:?}: {bytes} for {blocks} blocks");
    }
    // 64 dies that fill superpages by themselves, and one superblock over all of them.
    assert_eq!(SsdParameters::preset(Preset::IntelP4320).blocks(), 64 * 15_380);
    assert_eq!(SsdParameters::preset(Preset::SamsungPm9a3).blocks(), 31_861);
    assert_eq!(SsdParameters::preset(Preset::Mqsim).blocks(), 128 * 2048);
}

#[test]
fn servers_by_the_dozen_have_such_drives() {
    let hosts = |from: u32| -> Vec<String> { (from..from + 64).map(|host| format!("h{host}")).collect() };
    for preset in Preset::FROM_DATA_SHEETS {
        let servers: Vec<Value> = hosts(64).iter().map(|host| json!({ "host": host })).collect();
        let summary = run(&json!({
            "version": 3,
            "name": "64 drives",
            "durationUs": 1000,
            "topology": { "shape": { "kind": "dumbbell", "senders": 64, "receivers": 64 }, "linkGbps": 100 },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "storage": { "servers": servers, "ssd": { "preset": preset } },
            "access": { "protocol": "nvme-tcp" },
            "workloads": [{
                "class": "A",
                "endpoints": { "kind": "pairs", "initiators": hosts(0), "targets": hosts(64) },
                "readFraction": 0.5,
                "traffic": { "kind": "closed-loop", "outstanding": 2, "size": { "kind": "fixed", "bytes": 16384 } },
            }],
        }));
        let requests = &summary.classes[0].requests;
        assert!(requests.completed > 64, "{preset:?}: {requests:?}");
    }
}
