//! `qoscope follow`.

use std::io::Write;

use qoscope_engine::access::Operation;
use qoscope_engine::kernel::ids::{ClassId, LinkId};
use qoscope_engine::kernel::time::from_us;
use qoscope_engine::scenario::{self, Scenario};
use qoscope_engine::simulation::Simulation;
use qoscope_engine::simulation::follow::{Follow, Journey, PacketTrail, Wish};
use qoscope_engine::simulation::metrics::STAGE_ENTRIES;
use qoscope_engine::workload::traces::Traces;

use crate::RunFormat;
use crate::failure::Failure;
use crate::table::{number, table};

/// Which request is followed.
#[derive(Clone, Copy, Debug)]
pub struct Chosen<'a> {
    /// Name of its class; the first class if none is named.
    pub class: Option<&'a str>,
    /// Reads or writes only.
    pub operation: Option<Operation>,
    /// When the run begins to be looked at.
    pub from_us: f64,
    /// The slowest of so many.
    pub of: u32,
}

/// Simulates a scenario up to an instant, follows a request from there, and prints its way.
pub fn follow(
    scenario: &Scenario,
    traces: &Traces,
    chosen: Chosen<'_>,
    format: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let number = match chosen.class {
        None => 0,
        Some(name) => scenario.classes.iter().position(|class| class.name == name).ok_or_else(|| {
            let names = scenario::listed(scenario.classes.iter().map(|class| class.name.as_str()));
            Failure::Input(format!("The scenario has no class {}. Its classes: {names}.", scenario::quoted(name)))
        })?,
    };
    let mut simulation = Simulation::with_traces(scenario, traces)?;
    simulation.run_until(from_us(chosen.from_us));
    let mut follow =
        Follow::new(&simulation, Wish { class: ClassId::at(number), operation: chosen.operation, of: chosen.of });
    while !follow.advance(u64::MAX) {}
    let journey = follow.journey().ok_or_else(|| {
        let name = scenario::quoted(&scenario.classes[number].name);
        let us = chosen.from_us;
        Failure::Input(format!("Class {name} issues no such request between {us} us and the end of the run."))
    })?;
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &journey).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(&simulation, &journey, out)?,
    }
    Ok(())
}

fn print(run: &Simulation, journey: &Journey, out: &mut impl Write) -> std::io::Result<()> {
    let node = |number: u32| run.plan().graph.nodes()[number as usize].name.as_str();
    let class = &run.scenario().classes[journey.class as usize].name;
    let operation = if journey.reads { "read" } else { "write" };
    let (from, to) = (node(journey.from), node(journey.to));
    writeln!(out, "{class}: {operation} of {} bytes, {from} to {to}", journey.bytes)?;
    if journey.of > 1 {
        writeln!(out, "slower than {} of {} requests of its class", journey.slower_than, journey.of)?;
    }
    let issued_us = journey.moments.issued_us;
    writeln!(out, "issued at {} us\n", number(issued_us, 3))?;

    if let Some(stages) = &journey.stages_us {
        let passed = STAGE_ENTRIES.iter().zip(stages).filter(|(_, us)| **us > 0.0);
        let rows = passed.map(|(stage, &us)| vec![stage.title.to_owned(), number(us, 3)]);
        let all = vec!["All".to_owned(), number(stages.iter().sum::<f64>(), 3)];
        writeln!(out, "{}", table(["stage", "us"], 1, rows.chain([all])))?;
    }
    // From here on times count from the hand-over of the request.
    let since = |us: Option<f64>| number(us.map(|us| us - issued_us), 3);
    let hops = |packet: &PacketTrail| -> Vec<Vec<String>> {
        let first = format!("{:?}", packet.leg).to_lowercase();
        let notes = [(packet.again, "sent again"), (packet.marked, "marked"), (packet.lost, "lost")];
        let notes: Vec<&str> = notes.into_iter().filter_map(|(is, note)| is.then_some(note)).collect();
        let row = |(place, hop): (usize, &qoscope_engine::simulation::follow::Hop)| {
            let wire = &run.plan().graph.wires()[LinkId(hop.link).index()];
            let is_first = place == 0;
            vec![
                if is_first { first.clone() } else { String::new() },
                if is_first { packet.bytes.to_string() } else { String::new() },
                format!("{} to {}", node(wire.from.0), node(wire.to.0)),
                hop.found.to_string(),
                since(Some(hop.joined_us)),
                since(hop.begins_us),
                since(hop.departs_us),
                since(hop.arrives_us),
                if is_first { notes.join(", ") } else { String::new() },
            ]
        };
        packet.hops.iter().enumerate().map(row).collect()
    };
    let header = ["packet", "bytes", "link", "found", "joined", "begins", "departs", "arrives", "notes"];
    if !journey.packets.is_empty() {
        writeln!(out, "{}", table(header, 1, journey.packets.iter().flat_map(hops)))?;
    }
    if journey.packets_left_out > 0 {
        writeln!(out, "and {} packets\n", journey.packets_left_out)?;
    }
    let pages = journey.pages.iter().map(|page| {
        let [array_begins, array_ends] = page.array_us.map_or([None; 2], |both| both.map(Some));
        let [data_begins, data_ends] = page.transfer_us.map_or([None; 2], |both| both.map(Some));
        vec![
            if page.writes { "program".to_owned() } else { "read".to_owned() },
            page.device.to_string(),
            page.unit.map_or("-".to_owned(), |unit| unit.to_string()),
            since(Some(page.waits_us)),
            since(page.command_us),
            since(array_begins),
            since(array_ends),
            since(data_begins),
            since(data_ends),
        ]
    });
    if !journey.pages.is_empty() {
        let header = ["page", "device", "unit", "waits", "command", "array", "done", "data out", "out"];
        writeln!(out, "{}", table(header, 1, pages))?;
    }
    Ok(())
}
