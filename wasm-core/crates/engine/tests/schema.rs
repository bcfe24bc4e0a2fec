//! The schema that is kept as text says what the types say. `UPDATE_SCHEMA=1 cargo test --test schema` writes it anew.

use std::path::Path;
use std::{env, fs};

use qoscope_engine::scenario;

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenario/schema.json");
    let of_types = format!("{:#}\n", scenario::schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        fs::write(&path, of_types).expect("the schema can be written");
        return;
    }
    let kept = fs::read_to_string(&path).expect("the schema can be read");
    assert!(kept == of_types, "schema.json is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-engine --test schema");
}
