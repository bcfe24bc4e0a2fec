//! The schema, its rules and the catalogue that are kept as text say what the types say. `UPDATE_SCHEMA=1 cargo test --test
//! schema` writes them anew.

use std::path::Path;
use std::{env, fs};

use qoscope_engine::{catalogue, scenario};

/// Compares a file of the sources with what it must say, or writes it.
fn check(file: &str, must_say: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(file);
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{file} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-engine --test schema");
}

#[test]
fn the_schema_and_its_rules_that_are_kept_are_those_of_the_types() {
    check("scenario/schema.json", &format!("{:#}\n", scenario::schema_of_types()));
    // Nobody reads it, and every page fetches it.
    check("scenario/rules.json", &format!("{}\n", scenario::rules_of_types()));
}

#[test]
fn the_catalogue_that_is_kept_is_that_of_the_engine() {
    let catalogue = serde_json::to_string_pretty(&catalogue::catalogue()).expect("it is plain data");
    check("catalogue/catalogue.json", &format!("{catalogue}\n"));
}
