//! Tables that documents have from the engine, between two marks.

use std::path::Path;
use std::{env, fs};

const BEGIN: &str = "<!-- Tables made by the engine: begin -->\n";
const END: &str = "<!-- Tables made by the engine: end -->\n";

/// The document `docs/name` has these tables; with `UPDATE_DOCS` set they are written into it. `test` names what writes them.
pub fn hold(name: &str, tables: &str, test: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs").join(name);
    let document = fs::read_to_string(&path).unwrap();
    let (before, rest) = document.split_once(BEGIN).expect("the document has a place for the tables");
    let (found, after) = rest.split_once(END).expect("the place for the tables ends");
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{tables}{END}{after}")).unwrap();
    } else {
        assert!(found == tables, "docs/{name} is out of date: UPDATE_DOCS=1 cargo test --test behaviour {test}");
    }
}
