//! The schema that is kept as text says what the types say. `UPDATE_SCHEMA=1 cargo test --test behaviour schema` writes it anew.

use std::path::Path;
use std::{env, fs};

use qoscope_engine::scenario;

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/scenario/schema.json");
    let must_say = format!("{:#}\n", scenario::schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(
        kept == must_say,
        "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-engine --test behaviour schema"
    );
}
