//! `qoscope run`.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use qoscope_engine::VERSION;
use qoscope_engine::scenario::Scenario;
use qoscope_engine::scenario::size::KNOWN_AFTER_SECONDS;
use qoscope_engine::simulation::{OutOfReach, Simulation, Summary};
use qoscope_engine::workload::traces::Traces;
use qoscope_host::columns::Series;

use crate::RunFormat;
use crate::failure::Failure;
use crate::series::{FileFormat, save_series};
use crate::table::{duration, grouped, number, table};

/// Simulates a scenario to its end, prints the summary and writes the series.
pub fn run(
    scenario: &Scenario,
    traces: &Traces,
    file: Option<&Path>,
    format: RunFormat,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let format_of = |file| FileFormat::of(file, "--series", FileFormat::OF_SERIES).map(|format| (file, format));
    let file = file.map(format_of).transpose()?;
    let mut simulation = Simulation::with_traces(scenario, traces)?;
    let wall = timed(&mut simulation);
    if let Some((file, format)) = file {
        save_series(&Series::of(&simulation, 0), file, format)?;
    }
    let mut summary = simulation.summary();
    summary.engine.wall_seconds = Some(wall.as_secs_f64());
    summary.engine.version = Some(VERSION);
    match format {
        RunFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &summary).map_err(std::io::Error::from)?;
            writeln!(out)?;
        }
        RunFormat::Table => print(&summary, out)?,
    }
    Ok(())
}

/// Events between two looks at the clock.
const SLICE: u64 = 200_000;

/// Simulates to the end. Returns how long that takes, which is told at its beginning if it is long.
#[expect(clippy::disallowed_methods, reason = "the engine has no clock: its time is measured here, beside the result")]
fn timed(simulation: &mut Simulation) -> Duration {
    let start = Instant::now();
    let end_ps = simulation.duration_ps();
    while start.elapsed().as_secs_f64() < KNOWN_AFTER_SECONDS {
        if simulation.advance(end_ps, SLICE) {
            return start.elapsed();
        }
    }
    if let Some(time) = simulation.forecast(start.elapsed().as_secs_f64()) {
        eprintln!("This run takes {time}.");
    }
    simulation.run_until(end_ps);
    start.elapsed()
}

/// What classes carried against their targets: in Gb/s, or in shares where rates are out of reach.
fn throughput(summary: &Summary) -> String {
    let in_shares = summary.rates_out_of_reach.is_some();
    let against: &[&str] = if in_shares {
        &["share\n%", "target\n%"]
    } else {
        &["target\nGb/s", "Q\nmean", "Q\nmin", "Q\nmax", "converged\nus"]
    };
    let header = ["class", "transport", "offered\nGb/s", "carried\nGb/s"].iter().chain(against).copied();
    let rows = summary.classes.iter().map(|class| {
        let quality = &class.quality_factor;
        let mut row = vec![
            class.name.clone(),
            class.transport.describe().title.to_owned(),
            number(class.offered_gbps, 2),
            number(class.carried_gbps, 2),
        ];
        if in_shares {
            row.extend([class.carried_share, class.target_share].map(|share| number(share.map(|of| 100.0 * of), 1)));
        } else {
            row.push(number(class.target_gbps, 2));
            row.extend([quality.mean, quality.min, quality.max].map(|factor| number(factor, 3)));
            row.push(number(quality.converged_at_us, 0));
        }
        row
    });
    table(header, 2, rows)
}

/// From this share of retransmissions on the summary says what prevents them.
const WASTEFUL: f64 = 0.05;

fn print(summary: &Summary, out: &mut impl Write) -> std::io::Result<()> {
    let engine = &summary.engine;
    let wall = engine.wall_seconds.unwrap_or(f64::NAN);
    writeln!(out, "{}", summary.scenario.name)?;
    writeln!(
        out,
        "{} simulated in {:.3} s: {} packet-hops, {:.1} million per second",
        duration(summary.simulated_us),
        wall,
        grouped(engine.packet_hops),
        engine.packet_hops as f64 / wall / 1e6
    )?;
    let Summary { seed, digest, scenario, .. } = summary;
    writeln!(out, "seed {seed}, scenario {}, digest {digest}, engine {VERSION}\n", scenario.hash)?;

    writeln!(out, "{}", throughput(summary))?;
    if let Some(OutOfReach { reason, since_us, .. }) = &summary.rates_out_of_reach {
        let since = since_us.map(|us| format!(" since {}", duration(us))).unwrap_or_default();
        writeln!(out, "{reason}{since}: targets are shares of what is carried\n")?;
    }

    let latency = [
        "class",
        "requests\nissued",
        "requests\ncompleted",
        "latency us\nmean",
        "\np50",
        "\np90",
        "\np99",
        "\np99.9",
        "\nmax",
        "target\nus",
        "missed\n%",
    ];
    let rows = summary.classes.iter().map(|class| {
        let latency = &class.latency_us;
        let figures = [latency.mean, latency.p50, latency.p90, latency.p99, latency.p999, latency.max];
        let counts = [class.requests.issued, class.requests.completed].map(grouped);
        let target_us = class.deadline.as_ref().map(|deadline| deadline.target_us);
        let missed = class.deadline.as_ref().and_then(|deadline| deadline.missed_fraction);
        let cells = core::iter::once(class.name.clone()).chain(counts);
        let cells = cells.chain(figures.map(|figure| number(figure, 1)));
        cells.chain([number(target_us, 0), number(missed.map(|share| 100.0 * share), 2)]).collect()
    });
    writeln!(out, "{}", table(latency, 1, rows))?;
    let growing: Vec<&str> =
        summary.classes.iter().filter(|class| class.backlog_grows).map(|class| class.name.as_str()).collect();
    if !growing.is_empty() {
        let names = growing.join(", ");
        writeln!(
            out,
            "{names}: offered more than carried, so waits grow without bound; the latencies tell how long the run was\n"
        )?;
    }

    let notified = summary.classes.iter().filter_map(|class| Some((&class.name, class.notifications.as_ref()?)));
    let rows: Vec<Vec<String>> = notified
        .map(|(name, notifications)| {
            let late = notifications.late_fraction.map(|share| 100.0 * share);
            vec![name.clone(), grouped(notifications.received), grouped(notifications.late), number(late, 1)]
        })
        .collect();
    if !rows.is_empty() {
        writeln!(out, "{}", table(["class", "notifications\nreceived", "\nlate", "\nlate %"], 1, rows))?;
    }

    let rows: Vec<Vec<String>> = summary
        .devices
        .iter()
        .map(|device| {
            let of = [device.write_amplification, device.planes_per_read, device.planes_per_program];
            let since = [device.cache_full_us, device.collects_us].map(|us| number(us, 0));
            let cells = [format!("{} {}", device.host, device.name), grouped(device.commands)];
            cells.into_iter().chain(of.map(|figure| number(figure, 2))).chain(since).collect()
        })
        .collect();
    if !rows.is_empty() {
        let header = [
            "device",
            "commands",
            "write\namplification",
            "planes\nper read",
            "\nper program",
            "cache full\nfrom us",
            "collects\nfrom us",
        ];
        writeln!(out, "{}", table(header, 1, rows))?;
    }

    let network = &summary.network;
    let per_cent = |share: Option<f64>, of: &str| {
        share.map_or_else(|| "-".into(), |share| format!("{} %{of}", number(100.0 * share, 2)))
    };
    let mut facts = vec![
        (
            if network.is_saturated() && summary.rates_out_of_reach.is_none() { "bottleneck" } else { "main link" },
            format!("{} to {}", network.bottleneck[0], network.bottleneck[1]),
        ),
        ("utilisation", per_cent(Some(network.bottleneck_utilisation), "")),
        ("marked", per_cent(network.marked_fraction, "")),
        ("dropped", format!("{} packets", grouped(network.drops))),
        ("retransmitted", per_cent(network.retransmitted_fraction, " of packets sent")),
        ("queue, mean", format!("{} packets", number(network.mean_queue_packets, 1))),
        ("queue, longest", format!("{} packets", grouped(u64::from(network.max_queue_packets)))),
    ];
    for class in summary.classes.iter().filter(|class| class.requests.turned_away > 0) {
        let count = grouped(class.requests.turned_away);
        facts.push(("turned away", format!("{count} requests of {}: as many waited as a run can hold", class.name)));
    }
    if let (Some(sent), Some(pauses)) = (network.pause_frames, &network.pauses) {
        let (switches, hosts) = (grouped(pauses.received_by_switches), grouped(pauses.received_by_hosts));
        facts.push(("pauses", format!("{} sent; {switches} reached switches, {hosts} hosts", grouped(sent))));
        facts.push(("links paused", format!("{} in all", duration(pauses.paused_link_us))));
    }
    if let Some(deadlock) = &network.deadlock {
        let links: Vec<String> = deadlock.links.iter().map(|[from, to]| format!("{from} to {to}")).collect();
        facts.push(("deadlock", format!("at {}: {}", duration(deadlock.at_us), links.join(", "))));
    }
    facts.iter().try_for_each(|(name, value)| writeln!(out, "{name:<16}{value}"))?;
    if let Some(share) = network.retransmitted_fraction.filter(|&share| share >= WASTEFUL) {
        let percent = number(100.0 * share, 0);
        writeln!(
            out,
            "\n{percent} % of packets sent were retransmissions; priority flow control (switch.buffering: pfc) or marking \
             prevents it"
        )?;
    }
    Ok(())
}
