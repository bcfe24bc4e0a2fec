//! RoCE NICs.

use qoscope_engine::scenario::Diagnostic;

use super::{About, Export, Mapping, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About { id: "roce", title: "RoCE NICs", holds: "DCQCN, priorities, PFC", version: "" },
    mappings: MAPPINGS,
    write,
};

const MAPPINGS: &[Mapping] = &[];

fn write(_: &Scene) -> Result<Export, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new("", "has nothing for RoCE NICs", "Choose another tool.")])
}
