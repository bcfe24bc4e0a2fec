//! `qoscope network read`: the network of a file, alone or under a scenario.

use std::io::{self, Write};
use std::path::Path;

use qoscope_engine::scenario::{self, network_files};

use qoscope_host::files::{self, Kind};

use crate::failure::Failure;

/// Prints the network as a shape, or `scenario` on it; what it has is told on standard error.
pub fn read(file: &Path, scenario: Option<&Path>, out: &mut impl Write) -> Result<(), Failure> {
    let network = network_files::read(&files::read(file)?)?;
    eprintln!("{network}");
    match scenario {
        Some(scenario) => {
            let (_, text) = Kind::Scenario.open(scenario)?;
            let text = network_files::with_network(&text, &network)?;
            scenario::load(&text)?;
            out.write_all(text.as_bytes())?;
        }
        None => {
            serde_json::to_writer_pretty(&mut *out, &network.shape()).map_err(io::Error::from)?;
            writeln!(out)?;
        }
    }
    Ok(())
}
