//! The modules of the engine stand on layers, and each imports only from layers below it.
//!
//! Reads every source file of the crate and looks at the paths that begin with `crate::`, wherever they stand. Paths
//! within a layer (`super::`, `crate::` of the own layer) are free.

use std::{
    fs, mem,
    path::{Path, PathBuf},
};

/// The layers, lowest first.
const LAYERS: [&str; 12] = [
    "kernel",
    "qos",
    "network",
    "transport",
    "storage",
    "access",
    "workload",
    "scenario",
    "simulation",
    "catalogue",
    "overlay",
    "planner",
];

/// A module beside the layers, and the layers it may use. Only the overlay and what stands above it may use it.
const BESIDE: (&str, [&str; 2]) = ("model", ["kernel", "qos"]);

/// The number of the layer that a module is.
fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|name| *name == module)
}

/// Whether a module may import from another.
fn allowed(from: &str, to: &str) -> bool {
    let (beside, usable) = BESIDE;
    if from == to {
        true
    } else if from == beside {
        usable.contains(&to)
    } else if to == beside {
        layer(from) >= layer("overlay")
    } else {
        matches!((layer(from), layer(to)), (Some(upper), Some(lower)) if lower < upper)
    }
}

/// The modules that a source text names in paths from `crate::`, each with its line number.
/// `use crate::{kernel::Time, network}` names two.
fn imports(source: &str) -> Vec<(usize, String)> {
    let code: Vec<&str> = source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let text = code.join("\n");
    let mut found = Vec::new();
    for (start, path) in text.match_indices("crate::") {
        let within_a_word = text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
        if within_a_word {
            continue;
        }
        let line = text[..start].matches('\n').count() + 1;
        let rest = text[start + path.len()..].trim_start();
        let heads = rest.strip_prefix('{').map_or_else(|| vec![identifier(rest)], heads);
        found.extend(heads.into_iter().map(|head| (line, head)));
    }
    found
}

/// The identifier that a text begins with.
fn identifier(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first identifier of every path in a list, which begins after its opening brace.
fn heads(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut item = String::new();
    let mut items = Vec::new();
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => items.push(mem::take(&mut item)),
            _ if depth == 0 => item.push(c),
            _ => {}
        }
    }
    items.push(item);
    items.iter().map(|item| identifier(item)).filter(|head| !head.is_empty()).collect()
}

/// The top-level module that a file, relative to `src`, belongs to.
fn module(file: &Path) -> &str {
    let first = file.iter().next().map(Path::new).and_then(Path::file_stem);
    first.and_then(|stem| stem.to_str()).expect("source files have names in UTF-8")
}

/// What a file, relative to `src`, imports and may not, in sentences.
fn violations(file: &Path, source: &str) -> Vec<String> {
    let from = module(file);
    imports(source)
        .into_iter()
        .filter(|(_, to)| !allowed(from, to))
        .map(|(line, to)| format!("{}:{line}: `{from}` may not import from `{to}`", file.display()))
        .collect()
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of the sources can be read") {
        let path = entry.expect("an entry of the folder can be read").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

#[test]
fn every_module_stands_on_a_layer_and_imports_from_below() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut diagnostics = Vec::new();
    for path in rust_files(&sources) {
        let file = path.strip_prefix(&sources).expect("the file lies in the folder");
        if file == Path::new("lib.rs") {
            continue; // declares the modules
        }
        let module = module(file);
        if layer(module).is_none() && module != BESIDE.0 {
            diagnostics.push(format!("{}: `{module}` stands on no layer", file.display()));
        }
        diagnostics.extend(violations(file, &fs::read_to_string(path.as_path()).expect("a source file can be read")));
    }
    assert!(diagnostics.is_empty(), "\n{}", diagnostics.join("\n"));
}

#[test]
fn an_import_from_above_is_named_with_both_layers() {
    let source = "use crate::kernel::Time;\n\nfn f() -> crate::transport::Window {}\n";
    let found = violations(Path::new("network/port.rs"), source);
    assert_eq!(found, ["network/port.rs:3: `network` may not import from `transport`"]);
}

#[test]
fn lists_are_read_and_comments_are_not() {
    let source = "// crate::simulation is above\nuse crate::{kernel::{Time, Rng}, workload};\n";
    assert_eq!(imports(source), [(2, "kernel".into()), (2, "workload".into())]);
    assert!(imports("use my_crate::simulation;").is_empty());
}

#[test]
fn the_models_stand_beside_the_layers() {
    assert!(allowed("model", "qos") && allowed("model", "kernel") && allowed("overlay", "model"));
    assert!(!allowed("model", "network") && !allowed("model", "scenario") && !allowed("simulation", "model"));
    assert!(allowed("overlay", "simulation") && !allowed("model", "overlay"));
    assert!(allowed("planner", "model") && allowed("planner", "overlay") && !allowed("overlay", "planner"));
}

/// The crates and those that each may use, lowest first.
const CRATES: [(&str, &[&str]); 12] = [
    ("engine", &[]),
    ("committed", &["engine"]),
    ("figures", &["engine"]),
    ("study", &["engine", "figures"]),
    ("rack", &["engine", "study"]),
    ("store", &[]),
    ("native", &["engine", "figures", "study", "rack", "store"]),
    ("wasm", &["engine"]),
    ("wasm-figures", &["engine", "figures", "study", "rack"]),
    ("fuzz", &["engine", "committed"]),
    ("cli", &["engine", "figures", "study", "rack", "store", "native"]),
    ("python", &["engine", "study", "rack", "store", "native", "cli"]),
];

#[test]
fn every_crate_uses_those_below_it_alone() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in fs::read_dir(&crates).expect("the folder of the crates can be read") {
        let folder = entry.expect("an entry of the folder can be read").path();
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let name = folder.file_name().and_then(|name| name.to_str()).expect("crates have names in UTF-8");
        let (_, usable) =
            CRATES.iter().find(|(known, _)| *known == name).unwrap_or_else(|| panic!("`{name}` has no place"));
        // There is one version of page, command line and package: that of the workspace.
        assert!(manifest.contains("\nversion.workspace = true\n"), "`{name}` has a version of its own");
        // What tests need may lie anywhere.
        let dependencies = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for used in dependencies.lines().filter_map(|line| line.strip_prefix("qoscope-")?.split(['.', ' ']).next()) {
            assert!(usable.contains(&used), "`{name}` may not use `{used}`");
        }
    }
}

/// A study decides which runs are made: it must not depend on when and where.
#[test]
fn studies_have_no_files_threads_or_clocks() {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../study/src");
    for path in rust_files(&sources) {
        let source = fs::read_to_string(&path).expect("a source file can be read");
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        for foreign in ["std::fs", "std::thread", "std::time", "std::net", "std::env", "HashMap", "HashSet"] {
            assert!(is_test || !code.contains(foreign), "{}: `{foreign}` has no place in a study", path.display());
        }
    }
}
