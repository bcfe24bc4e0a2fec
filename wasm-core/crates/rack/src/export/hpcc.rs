//! ns-3 / HPCC.

use qoscope_engine::scenario::Diagnostic;

use super::{About, Export, Mapping, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About { id: "hpcc", title: "ns-3 / HPCC", holds: "topology, flows, K", version: "" },
    mappings: MAPPINGS,
    write,
};

const MAPPINGS: &[Mapping] = &[];

fn write(_: &Scene) -> Result<Export, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new("", "has nothing for ns-3 / HPCC", "Choose another tool.")])
}
