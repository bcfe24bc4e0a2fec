//! `xtask FOLDER MODULE.wasm...` writes the JavaScript glue of modules built by cargo, their TypeScript declarations and the modules
//! themselves into a folder.
//!
//! It calls wasm-bindgen as a library, so `Cargo.lock` pins the macro and the generator to one version and nothing has
//! to be installed.

use std::{env, process::ExitCode};

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, modules @ ..] = arguments.as_slice() else {
        eprintln!("usage: xtask FOLDER MODULE.wasm...");
        return ExitCode::from(2);
    };
    for module in modules {
        let written = Bindgen::new().input_path(module).web(true).and_then(|generator| {
            // The page and the scripts say where the module is; a default path would drag a second copy into the bundle.
            generator.omit_default_module_path(true).typescript(true).remove_name_section(true).generate(folder)
        });
        if let Err(error) = written {
            eprintln!("{error:#}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
