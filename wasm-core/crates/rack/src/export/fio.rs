//! fio job files.

use qoscope_engine::scenario::Diagnostic;

use super::{About, Export, Mapping, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About { id: "fio", title: "fio job files", holds: "workloads as jobs", version: "" },
    mappings: MAPPINGS,
    write,
};

const MAPPINGS: &[Mapping] = &[];

fn write(_: &Scene) -> Result<Export, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new("", "has nothing for fio job files", "Choose another tool.")])
}
