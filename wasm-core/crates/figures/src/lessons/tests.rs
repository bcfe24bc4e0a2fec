use std::path::Path;
use std::{env, fs};

#[test]
fn the_schema_that_is_kept_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lessons/schema.json");
    let must_say = format!("{:#}\n", super::schema_of_types());
    if env::var_os("UPDATE_SCHEMA").is_some() {
        return fs::write(&path, must_say).expect("the file can be written");
    }
    let kept = fs::read_to_string(&path).expect("the file can be read");
    assert!(kept == must_say, "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-figures --lib schema");
}
