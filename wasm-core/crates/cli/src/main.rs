//! The program `qoscope`.

use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(qoscope_cli::run(env::args_os()))
}
