//! NVMe arbitration.

use qoscope_engine::scenario::Diagnostic;

use super::{About, Export, Mapping, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About { id: "nvme", title: "NVMe arbitration", holds: "weights, burst", version: "" },
    mappings: MAPPINGS,
    write,
};

const MAPPINGS: &[Mapping] = &[];

fn write(_: &Scene) -> Result<Export, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new("", "has nothing for NVMe arbitration", "Choose another tool.")])
}
