//! The modules of the engine stand on layers, and each imports only from layers below it.
//!
//! Reads every source file of the crate and looks at the paths that begin with `crate::`, wherever they stand. Paths
//! within a layer (`super::`, `crate::` of the own layer) are free.

use std::collections::{BTreeMap, BTreeSet};
use std::{
    fs, mem,
    path::{Path, PathBuf},
};

/// The layers, lowest first.
const LAYERS: [&str; 13] = [
    "text",
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
const CRATES: [(&str, &[&str]); 15] = [
    ("engine", &[]),
    ("committed", &["engine"]),
    ("campaign", &["engine"]),
    ("figures", &["engine", "campaign"]),
    ("study", &["engine", "campaign", "figures"]),
    ("interop", &["engine"]),
    ("estimation", &["engine", "campaign", "interop"]),
    ("answers", &["engine", "campaign", "figures", "study", "interop", "estimation"]),
    ("store", &[]),
    ("host", &["engine", "campaign", "figures", "study", "interop", "estimation", "store"]),
    ("wasm", &["engine"]),
    ("wasm-tools", &["engine", "campaign", "figures", "study", "interop", "estimation"]),
    ("fuzz", &["engine", "committed"]),
    ("cli", &["engine", "campaign", "figures", "study", "interop", "estimation", "store", "host"]),
    ("python", &["engine", "campaign", "study", "interop", "estimation", "store", "host", "cli"]),
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

/// A module by its path in the crate: `["network", "port"]`; the root of the crate has none.
type Module = Vec<String>;

/// The source of every module of a crate, without its tests.
fn modules(sources: &Path) -> BTreeMap<Module, String> {
    let mut modules = BTreeMap::new();
    for path in rust_files(sources) {
        let file = path.strip_prefix(sources).expect("the file lies in the folder").with_extension("");
        let mut module: Module = file.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let source = fs::read_to_string(&path).expect("a source file can be read");
        let of_tests = ["#[cfg(test)]\nmod ", "#[cfg(test)]\npub(crate) mod "];
        let end = of_tests.iter().filter_map(|start| source.find(start)).min();
        let lines: Vec<&str> = source[..end.unwrap_or(source.len())]
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .collect();
        modules.insert(module, lines.join("\n"));
    }
    modules
}

/// Every path that a `use` declaration lists, without new names: `a::{b, c::d as e}` lists `a::b` and `a::c::d`.
fn expand(prefix: &str, declaration: &str, paths: &mut Vec<String>) {
    let mut depth = 0;
    for item in declaration.split(|c: char| {
        depth += match c {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    }) {
        match item.trim().split_once('{') {
            Some((head, list)) => {
                let list = list.trim_end().strip_suffix('}').unwrap_or(list);
                expand(&format!("{prefix}{}", head.trim()), list, paths);
            }
            None => paths.extend(item.split_whitespace().next().map(|path| format!("{prefix}{path}"))),
        }
    }
}

/// The paths in the code of a module that begin with `crate::`, `super::`, `self::` or the name of a child.
fn paths(code: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut rest = String::new();
    for statement in code.split_inclusive(';') {
        let used =
            statement.rfind("use ").filter(|&at| statement[..at].chars().next_back().is_none_or(char::is_whitespace));
        match used {
            Some(at) => {
                rest.push_str(&statement[..at]);
                expand("", statement[at + 4..].trim_end_matches(';'), &mut paths);
            }
            None => rest.push_str(statement),
        }
    }
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    paths.extend(rest.split(|c| !is_path(c)).filter(|word| word.contains("::")).map(String::from));
    paths
}

/// The module that a path in `from` names, with the name of the item in it.
fn target(modules: &BTreeMap<Module, String>, from: &Module, path: &str) -> Option<(Module, Option<String>)> {
    let mut parts = path.split("::").filter(|part| !part.is_empty()).peekable();
    let mut module = match *parts.peek()? {
        "crate" => {
            parts.next();
            Module::new()
        }
        "self" | "super" => from.clone(),
        child if modules.contains_key(&[from.as_slice(), &[child.to_owned()]].concat()) => from.clone(),
        _ => return None,
    };
    while let Some(up) = parts.next_if(|part| ["self", "super"].contains(part)) {
        if up == "super" {
            module.pop();
        }
    }
    for part in parts {
        module.push(part.into());
        if !modules.contains_key(&module) {
            return Some((module[..module.len() - 1].to_vec(), module.pop()));
        }
    }
    Some((module, None))
}

/// The modules that each module imports from. An item that a module re-exports counts as imported from where it is defined. A module
/// and the modules in it may use each other.
fn arrows(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let named: BTreeMap<&Module, Vec<(Module, Option<String>)>> = modules
        .iter()
        .map(|(from, code)| (from, paths(code).iter().filter_map(|path| target(modules, from, path)).collect()))
        .collect();
    let defined = |mut at: Module, item: &Option<String>| {
        while let Some((inner, _)) = named
            .get(&at)
            .into_iter()
            .flatten()
            .find(|(inner, other)| item.is_some() && other == item && *inner != at && inner.starts_with(&at))
        {
            at.clone_from(inner);
        }
        at
    };
    named
        .iter()
        .map(|(&from, to)| {
            let to = to.iter().map(|(to, item)| defined(to.clone(), item));
            (from.clone(), to.filter(|to| !to.starts_with(from) && !from.starts_with(to)).collect())
        })
        .collect()
}

/// The modules that import from each other, directly or through others, in sentences.
fn circles(arrows: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let reachable = |from: &Module| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(module) = open.pop() {
            open.extend(arrows.get(module).into_iter().flatten().filter(|to| reached.insert((*to).clone())));
        }
        reached
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> = arrows.keys().map(|from| (from, reachable(from))).collect();
    let mut found = BTreeSet::new();
    for (from, to) in &reached {
        let circle: Vec<String> =
            to.iter().filter(|to| reached[to].contains(*from)).map(|module| module.join("::")).collect();
        if !circle.is_empty() {
            found.insert(format!("`{}` import from each other", circle.join("`, `")));
        }
    }
    found.into_iter().collect()
}

#[test]
fn no_crate_has_modules_that_import_from_each_other() {
    for (name, _) in CRATES {
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src");
        let found = circles(&arrows(&modules(&sources)));
        assert!(found.is_empty(), "{name}: {}", found.join("\n"));
    }
}

#[test]
fn circles_are_found_through_lists_and_re_exports() {
    let source = |path: &[&str], code: &str| -> (Module, String) {
        (path.iter().map(|part| (*part).to_owned()).collect(), code.to_owned())
    };
    let found = |sources: [(Module, String); 4]| circles(&arrows(&BTreeMap::from(sources)));
    let root = || source(&[], "mod a;\nmod b;\nmod c;\npub use b::{One, Two};\n");
    let [a, b] = [
        source(&["a"], "use crate::{Two,\n c::Three as Four};\n"),
        source(&["b"], "pub struct One;\npub struct Two(super::c::Three);\n"),
    ];
    let open = source(&["c"], "use super::Five;\npub struct Three;\n");
    assert!(found([root(), a.clone(), b.clone(), open]).is_empty());
    let closed = source(&["c"], "use crate::One;\n");
    assert_eq!(found([root(), a, b, closed]), ["`b`, `c` import from each other"]);
}
