//! Linux hosts.

use qoscope_engine::scenario::Diagnostic;

use super::{About, Export, Mapping, Tool};
use crate::export::scene::Scene;

pub(super) const TOOL: Tool = Tool {
    about: About { id: "linux", title: "Linux hosts", holds: "transports, DSCP, soft switch, targets", version: "" },
    mappings: MAPPINGS,
    write,
};

const MAPPINGS: &[Mapping] = &[];

fn write(_: &Scene) -> Result<Export, Vec<Diagnostic>> {
    Err(vec![Diagnostic::new("", "has nothing for Linux hosts", "Choose another tool.")])
}
