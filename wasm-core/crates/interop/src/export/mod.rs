//! What other tools take: one file or several for each of them, with what became of every field.

mod fio;
mod hpcc;
mod initiators;
mod ledger;
mod linux;
mod mqsim;
mod nvme;
mod page;
mod roce;
mod scene;
mod sonic;
mod words;

use qoscope_engine::catalogue::Source;
use qoscope_engine::scenario::{Diagnostic, Scenario};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use fio::section;
use scene::Scene;
pub(crate) use words::{listed, slug};

/// Tools that take settings of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ExportTarget")]
pub enum Target {
    /// Job files of fio.
    Fio,
    /// The arbitration of NVMe controllers.
    Nvme,
    /// Switches that run SONiC.
    Sonic,
    /// Network cards that speak RoCE.
    Roce,
    /// Hosts that run Linux: their network stack, their storage, and as switches.
    Linux,
    /// The simulator of HPCC, an extension of ns-3.
    Hpcc,
    /// The simulator MQSim.
    Mqsim,
}

/// How a field goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum How {
    /// As it is, in other units at most.
    Exactly,
    /// As near as the tool comes to it.
    Roughly,
    /// The tool has nothing for it.
    NotAtAll,
}

/// What becomes of a field of scenarios in the files of a tool: a line of the table in `docs/rack.md`.
#[derive(Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The field, or the fields: `switch.ecnThresholdPackets`, `classes[].ratio`, `classes[].dcqcn.*`.
    pub from: &'static str,
    /// What it is there, by its name: `WRED_PROFILE green_min_threshold, green_max_threshold`. Empty: nothing.
    pub to: &'static str,
    /// How it goes over.
    pub how: How,
    /// Why, or by which rule, as a sentence.
    pub why: &'static str,
}

/// A line of such a table.
const fn row(from: &'static str, to: &'static str, how: How, why: &'static str) -> Mapping {
    Mapping { from, to, how, why }
}

/// What became of a field of one scenario.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "MappedField")]
pub struct Mapped {
    /// What the field is called: `ECN threshold`.
    pub title: String,
    /// Its symbol, where it has one: `K`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Its path in the scenario; that of the first where it is several.
    pub path: String,
    /// What the scenario says, with its unit: `35 packets`.
    pub from: String,
    /// What was written: `52 500 B`. Empty: nothing.
    pub to: String,
    /// How it went over.
    pub how: How,
    /// Why, or by which rule, as a sentence. Of this scenario where numbers say more: `A weight is a whole number: 16.7 becomes 17.`
    pub why: String,
    /// Where it goes, if not here: the target that takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub see: Option<Target>,
}

/// A file for the tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ExportFile")]
pub struct File {
    /// Its name.
    pub name: String,
    /// What it is for, as the end of `read.fio: ...`.
    pub about: String,
    /// Its text.
    pub text: String,
    /// Lines that come from the scenario.
    pub marks: Vec<Mark>,
}

/// A line that comes from the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "LineMark")]
pub struct Mark {
    /// Its number, from 1.
    pub line: u32,
    /// Where its value comes from: `35 packets × 1500 B = 52 500 B`.
    pub says: String,
    /// The class that it is of, by its number, if it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<usize>,
}

/// What is to be typed where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ExportCommand")]
pub struct Command {
    /// On which machine: `On the switch`.
    pub on: String,
    /// The command, a line or several.
    pub text: String,
}

/// What a tool takes of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Export {
    /// For which tool.
    pub target: Target,
    /// How much it is for, in a few words: `20 switches, one file for all`.
    pub about: String,
    /// Its files.
    pub files: Vec<File>,
    /// What became of every field that has an effect in the scenario and that the target knows of.
    pub fields: Vec<Mapped>,
    /// What must be known before the files are used, as sentences.
    pub remarks: Vec<String>,
    /// What is to be typed.
    pub commands: Vec<Command>,
}

/// What a target is to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "ExportKind")]
pub enum Kind {
    /// A tool of real machines: what is written is to be typed, and stands in the report.
    Settings,
    /// A simulator: what is written is for a second opinion, and no setting of anything.
    Simulator,
}

/// A target as pages, commands and docs show it.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ExportAbout")]
pub struct About {
    /// Its name on the command line.
    pub id: &'static str,
    /// Its title: `SONiC switch`.
    pub title: &'static str,
    /// What it is to people.
    pub kind: Kind,
    /// What is in it: `marking, queues, weights`.
    pub holds: &'static str,
    /// The version of the tool that the files are written for, with its source.
    pub version: &'static str,
}

/// What a module for one tool has.
pub(crate) struct Tool {
    about: About,
    mappings: &'static [Mapping],
    write: fn(&Scene) -> Result<Export, Vec<Diagnostic>>,
}

impl Target {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 7] = [Self::Fio, Self::Nvme, Self::Sonic, Self::Roce, Self::Linux, Self::Hpcc, Self::Mqsim];

    /// The target of a name.
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.about().id == id)
    }

    /// What pages, commands and docs say of it.
    pub fn about(self) -> &'static About {
        &self.tool().about
    }

    /// What becomes of the fields of scenarios: the table of `docs/rack.md`.
    pub fn mappings(self) -> &'static [Mapping] {
        self.tool().mappings
    }

    fn tool(self) -> &'static Tool {
        match self {
            Self::Fio => &fio::TOOL,
            Self::Nvme => &nvme::TOOL,
            Self::Sonic => &sonic::TOOL,
            Self::Roce => &roce::TOOL,
            Self::Linux => &linux::TOOL,
            Self::Hpcc => &hpcc::TOOL,
            Self::Mqsim => &mqsim::TOOL,
        }
    }
}

/// Writes what a tool takes of a scenario that has passed validation. A value that only the model supplies is never exact.
///
/// # Errors
/// That the scenario has nothing for this tool, and why; or what the engine's `explain` says.
pub fn export(scenario: &Scenario, target: Target) -> Result<Export, Vec<Diagnostic>> {
    let scene = Scene::new(scenario)?;
    let mut export = (target.tool().write)(&scene)?;
    for mapped in export.fields.iter_mut().filter(|mapped| mapped.how == How::Exactly) {
        let explained = scene.explained(&mapped.path).filter(|explained| explained.source == Source::Derived);
        if let Some(from) = explained.and_then(|explained| explained.from.as_ref()) {
            mapped.how = How::Roughly;
            mapped.why = format!("The scenario states none: it is {from}. {}", mapped.why);
        }
    }
    Ok(export)
}
