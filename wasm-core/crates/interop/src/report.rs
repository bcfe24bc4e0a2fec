//! A report to hand on: what we recommend, and why. Markdown, of about a page.

use qoscope_engine::catalogue::{self, Explanation, FieldExplanation, Source};
use qoscope_engine::scenario::fields::{self, Field, Form};
use qoscope_engine::scenario::{self, Diagnostic, Scenario};
use qoscope_engine::simulation::VERSION;
use qoscope_engine::text::{exact, grouped, three_digits, with_unit};
use serde_json::Value;

use crate::export::{Export, How, Kind, Target, export};

/// A study of the scenario and what it came to, each as the crate `study` prints it.
#[derive(Clone, Copy, Debug)]
pub struct Studied<'a> {
    /// The study.
    pub study: &'a Value,
    /// Its table.
    pub table: &'a Value,
    /// Its answer.
    pub answer: &'a Value,
}

/// What we recommend, and why: network, classes, targets and settings of a scenario, what was simulated of it and what was not, and what is to be
/// typed. With what came of it where the summary of a run of it is given, or a study.
///
/// # Errors
/// As [`catalogue::explain`].
pub fn report(
    scenario: &Scenario,
    summary: Option<&Value>,
    study: Option<Studied<'_>>,
) -> Result<String, Vec<Diagnostic>> {
    let changes = study.map(recommended).unwrap_or_default();
    let with_changes = changed(scenario, &changes)?;
    let report = Report::new(scenario, Vec::new(), summary, study)?;
    // What is set up has the values that the study recommends.
    let set_up = Report::new(&with_changes, changes, summary, study)?;
    let parts = [
        report.head(),
        report.network(),
        report.classes(),
        set_up.settings(),
        report.found(),
        report.why(),
        report.simulated(),
        report.not_simulated(),
        set_up.commands(),
    ];
    Ok(format!("{}\n", parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n")))
}

/// The point that answers a search, or that comes nearest.
fn point_of(Studied { table, answer, .. }: Studied<'_>) -> Option<&Value> {
    table["points"].get(usize::try_from(answer["point"].as_u64()?).ok()?)
}

/// The fields that a study recommends to change, with their values: none unless a search found settings that meet its targets.
fn recommended(study: Studied<'_>) -> Vec<(String, Value)> {
    let point = point_of(study).filter(|_| study.answer["isMet"] == true);
    let fields = point.and_then(|point| point["set"].as_object()).into_iter().flatten();
    fields.map(|(path, value)| (path.clone(), value.clone())).collect()
}

/// A scenario with some fields changed.
fn changed(scenario: &Scenario, changes: &[(String, Value)]) -> Result<Scenario, Vec<Diagnostic>> {
    let mut document = scenario::as_value(scenario);
    for (path, value) in changes {
        scenario::set_path(&mut document, path, value.clone()).map_err(|found| vec![found])?;
    }
    scenario::from_value(document)
}

struct Report<'a> {
    scenario: &'a Scenario,
    /// Fields that differ from the scenario of the report, with their values.
    changes: Vec<(String, Value)>,
    document: Value,
    explanation: Explanation,
    exports: Vec<Export>,
    summary: Option<&'a Value>,
    study: Option<Studied<'a>>,
}

impl<'a> Report<'a> {
    fn new(
        scenario: &'a Scenario,
        changes: Vec<(String, Value)>,
        summary: Option<&'a Value>,
        study: Option<Studied<'a>>,
    ) -> Result<Self, Vec<Diagnostic>> {
        let to_type = Target::ALL.into_iter().filter(|target| target.about().kind == Kind::Settings);
        let exports = to_type.filter_map(|target| export(scenario, target).ok()).collect();
        let (document, explanation) = (scenario::as_value(scenario), catalogue::explain(scenario)?);
        Ok(Self { scenario, changes, document, explanation, exports, summary, study })
    }

    fn head(&self) -> Option<String> {
        let Scenario { name, description, .. } = self.scenario;
        let about = if description.is_empty() { String::new() } else { format!("\n\n{description}") };
        Some(format!("# What we recommend, and why: {name}{about}"))
    }

    /// Nodes, links, and what else is stated of the network.
    fn network(&self) -> Option<String> {
        let size = self.explanation.network;
        let of = |path: &str| self.field_with_value(path).map(|(field, value)| format!("{} {value}", field.title));
        let paths = ["topology.linkGbps", "topology.linkDelayUs", "topology.baseRttUs"];
        let stated: Vec<String> = paths.iter().filter_map(|path| of(path)).collect();
        let nodes = format!("{} hosts, {} switches", size.hosts, size.switches);
        Some(format!("## Network\n\n{}.", [vec![nodes], stated].concat().join("; ")))
    }

    /// A row for each class: what is asked of it, and what came of it.
    fn classes(&self) -> Option<String> {
        let mut columns = vec!["Class", "Ratio", "Latency target", "Transport"];
        if self.summary.is_some() {
            columns.extend(["Carried", "Share (target)", "p50", "p99", "Missed"]);
        }
        let rows = (0..self.scenario.classes.len()).map(|at| {
            let told = |name: &str| self.field_with_value(&format!("classes[{at}].{name}")).map(|(_, value)| value);
            let or_none = |text: Option<String>| text.unwrap_or_else(|| "–".into());
            let mut row = vec![
                format!("**{}**", self.scenario.classes[at].name),
                or_none(told("ratio")),
                or_none(told("latencyTargetUs")),
                or_none(told("transport")),
            ];
            if let Some(class) = self.summary.and_then(|summary| summary["classes"].get(at)) {
                row.extend(measured(class));
            }
            row
        });
        let names = self.scenario.classes.iter().map(|class| &class.name);
        let workloads = names.filter_map(|name| self.workloads(name).map(|told| format!("{name}: {told}")));
        let parts = [table(&columns, rows), list(workloads.collect())];
        Some(format!("## Classes and targets\n\n{}", parts.join("\n\n").trim_end()))
    }

    /// What is stated of the workloads of a class.
    fn workloads(&self, class: &str) -> Option<String> {
        let own = self.scenario.workloads.iter().enumerate().filter(|(_, workload)| workload.class == class);
        let told = own.map(|(at, _)| {
            let prefix = format!("workloads[{at}].");
            let fields =
                self.stated().filter(|field| field.path.starts_with(&prefix) && !field.path.ends_with(".class"));
            fields
                .filter_map(|field| self.named(field))
                .map(|(name, value)| format!("{name} {value}"))
                .collect::<Vec<_>>()
        });
        let told: Vec<String> = told.map(|fields| fields.join(", ")).filter(|text| !text.is_empty()).collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    /// The settings that are not at their defaults, or of which theory recommends something; after them those at their defaults that
    /// tools take as well.
    fn settings(&self) -> Option<String> {
        let told = |path: &str| {
            let above = [
                "workloads[",
                "seed",
                "durationUs",
                "version",
                "topology.linkGbps",
                "topology.linkDelayUs",
                "topology.baseRttUs",
            ];
            let own = ["ratio", "latencyTargetUs", "transport", "name"].map(|name| format!("].{name}"));
            above.iter().any(|start| path.starts_with(start))
                || (path.starts_with("classes[") && own.iter().any(|end| path.ends_with(end)))
        };
        let is_changed = |field: &FieldExplanation| self.changes.iter().any(|(path, _)| *path == field.path);
        let is_taken = |field: &FieldExplanation| self.takers(&field.path).next().is_some();
        let fields = self.explanation.fields.iter();
        let of_interest: Vec<_> =
            fields.filter(|field| is_changed(field) || field.no_effect.is_none() && !told(&field.path)).collect();
        let is_usual = |field: &FieldExplanation| {
            field.source == Source::Default && field.recommended.is_none() && !is_changed(field)
        };
        let usual = of_interest.iter().filter(|field| is_usual(field) && is_taken(field));
        let usual: Vec<String> =
            usual.filter_map(|field| self.named(field)).map(|(name, value)| format!("{name} {value}")).collect();
        // What follows from other fields is of interest to those who type it.
        let is_listed = |field: &FieldExplanation| {
            field.source != Source::Derived || is_taken(field) || field.recommended.is_some() || is_changed(field)
        };
        let rows: Vec<Vec<String>> = of_interest
            .into_iter()
            .filter(|field| !is_usual(field) && is_listed(field))
            .filter_map(|field| {
                let (name, value) = self.named(field)?;
                let takers: Vec<String> = self.takers(&field.path).collect();
                Some(vec![name, value, if takers.is_empty() { "–".into() } else { takers.join("; ") }])
            })
            .collect();
        let mut parts = Vec::new();
        if !self.changes.is_empty() {
            parts.push("These are the settings that the study recommends.".into());
        }
        if !rows.is_empty() {
            parts.push(table(&["Setting", "Value", "As tools take it"], rows));
        }
        if !usual.is_empty() {
            parts.push(format!("As usual, and in the files for the tools: {}.", usual.join("; ")));
        }
        (!parts.is_empty()).then(|| format!("## Settings\n\n{}", parts.join("\n\n")))
    }

    /// What the tools make of a field: `SONiC switch: 52 500 B`.
    fn takers(&self, path: &str) -> impl Iterator<Item = String> {
        self.exports.iter().flat_map(move |export| {
            let own = export.fields.iter().filter(move |field| field.path == path && field.how != How::NotAtAll);
            own.map(|field| {
                let about = if field.how == How::Roughly { "roughly " } else { "" };
                format!("{}: {about}{}", export.target.about().title, field.to)
            })
        })
    }

    /// What a search found: the settings that it changes, or that come nearest, and how each target fares there.
    fn found(&self) -> Option<String> {
        let Studied { answer, .. } = self.study?;
        let point = point_of(self.study?)?;
        let title = if answer["isMet"] == true { "What to change" } else { "What comes nearest" };
        let changed = point["set"].as_object()?.iter().filter_map(|(path, value)| {
            let explained = self.explanation.fields.iter().find(|field| field.path == *path)?;
            let (field, or_none) = (self.field(path)?, |text: Option<String>| text.unwrap_or_else(|| "–".into()));
            Some(vec![self.name(path, field), or_none(shown(field, &explained.value)), or_none(shown(field, value))])
        });
        let changed: Vec<Vec<String>> = changed.collect();
        let settings = if changed.is_empty() {
            "Nothing: the scenario as it is.".into()
        } else {
            table(&["Setting", "Now", "Set to"], changed)
        };
        let targets = answer["targets"].as_array().into_iter().flatten().map(|target| {
            let cell = &target["cell"];
            let [mean, low, high] = ["mean", "low", "high"].map(|name| cell[name].as_f64().map(three_digits));
            let interval = low.zip(high).map_or(String::new(), |(low, high)| format!(" ({low} to {high})"));
            // Studies say it with the digits that tell it from the bound.
            let measured = target["measured"].as_str().map(String::from).or_else(|| mean.map(|mean| mean + &interval));
            let held = format!("{} of {}", target["held"], answer["of"]);
            let says = target["says"].as_str().unwrap_or_default().to_owned();
            vec![says, measured.unwrap_or_else(|| "–".into()), held]
        });
        let targets = table(&["Target", "Mean (95\u{2009}%)", "Unseen seeds under which it holds"], targets);
        Some(format!("## {title}\n\n{settings}\n\n{targets}"))
    }

    /// What theory, the run and the study say for it.
    fn why(&self) -> Option<String> {
        let mut says: Vec<String> = Vec::new();
        for field in &self.explanation.fields {
            let Some(recommended) = &field.recommended else { continue };
            let Some((name, value)) = self.named(field) else { continue };
            let (low, high) = recommended.band;
            let unit = self.field(&field.path).and_then(|of| of.unit.clone()).unwrap_or_default();
            let [low, high] = [low, high].map(grouped);
            let band = if low == high { low } else { format!("{low} to {high}") };
            says.push(format!(
                "{name} is {value}; theory recommends {}: {}.",
                with_unit(&band, &unit),
                recommended.because
            ));
        }
        if let Some(summary) = self.summary {
            says.extend(held_back(summary));
        }
        if let Some(Studied { study, answer, .. }) = self.study {
            let title = study["title"].as_str().unwrap_or("A study");
            says.extend(said(answer).into_iter().map(|sentence| format!("{title}: {sentence}")));
        }
        (!says.is_empty()).then(|| format!("## Why\n\n{}", list(says)))
    }

    /// What can be repeated to the last bit, and how sure it is.
    fn simulated(&self) -> Option<String> {
        let mut says = Vec::new();
        if let Some(summary) = self.summary {
            let us = |value: &Value| with_unit(&three_digits(value.as_f64().unwrap_or_default() / 1000.0), "ms");
            let of = with_unit(&three_digits(self.scenario.duration_us / 1000.0), "ms");
            let warm_up = self.field_with_value("measurement.warmupUs").map(|(_, value)| value).unwrap_or_default();
            let count = |name: &str| grouped(summary["engine"][name].as_u64().unwrap_or_default());
            says.push(format!(
                "{} of {of} were simulated, packet by packet: {} events, {} requests. Figures are of what follows the first {warm_up}.",
                us(&summary["simulatedUs"]),
                count("events"),
                count("requests"),
            ));
            says.push(format!(
                "Seed {}; QoScope engine {VERSION}; scenario hash {}; digest `{}`: the same scenario gives the same result, bit for bit.",
                summary["seed"],
                summary["scenario"]["hash"].as_str().unwrap_or_default(),
                summary["digest"].as_str().unwrap_or_default(),
            ));
        }
        if let Some(Studied { table, .. }) = self.study {
            let points = table["points"].as_array().map_or(&[][..], Vec::as_slice);
            let seeds = |point: &Value| point["seeds"].as_u64().unwrap_or_default();
            let runs: u64 = points.iter().map(seeds).sum();
            let (least, most) =
                points.iter().map(seeds).fold((u64::MAX, 0), |(least, most), own| (least.min(own), most.max(own)));
            let each = if least < most { format!("{least} to {most}") } else { most.to_string() };
            says.push(format!(
                "The study made {} runs at {} points, with {each} seeds each from {} on; intervals are of 95\u{202f}%.",
                grouped(runs),
                grouped(points.len() as u64),
                table["firstSeed"],
            ));
        }
        (!says.is_empty()).then(|| format!("## What was simulated\n\n{}", list(says)))
    }

    /// What nobody should read out of it.
    fn not_simulated(&self) -> Option<String> {
        let mut says = Vec::new();
        match self.summary {
            None if self.study.is_none() => says.push("Nothing was simulated: these are the settings alone.".into()),
            None => {}
            Some(summary) => {
                let simulated = summary["simulatedUs"].as_f64().unwrap_or_default();
                if simulated < self.scenario.duration_us {
                    says.push("The run had not come to its end.".into());
                }
                if self.study.is_none() {
                    says.push("One seed: how far results differ from seed to seed was not looked at.".into());
                }
            }
        }
        if !self.scenario.timeline.is_empty() {
            says.push(format!(
                "Settings are those at the start; {} changes follow during the run.",
                self.scenario.timeline.len()
            ));
        }
        says.extend(
            scenario::warnings(self.scenario)
                .into_iter()
                .map(|warning| format!("`{}` {}. {}", warning.path, warning.reason, warning.hint)),
        );
        says.push(
            "The model is what docs/models.md says, and nothing beside it: no processors but as times of software, no failures but those in the scenario, no drive but as its parameters."
                .into(),
        );
        Some(format!("## What was not\n\n{}", list(says)))
    }

    /// What is to be typed where, and what the tools do not take.
    fn commands(&self) -> Option<String> {
        let told = self.exports.iter().map(|export| {
            let about = export.target.about();
            let files: Vec<String> = export.files.iter().map(|file| format!("`{}`", file.name)).collect();
            let mut parts = vec![format!("**{}**: {}", about.title, files.join(", "))];
            let sets: String =
                self.changes.iter().map(|(path, value)| format!(" --set {}", quoted(path, value))).collect();
            let mut typed = vec![format!("qoscope export scenario.json{sets} --to {} --out {0}", about.id)];
            for command in &export.commands {
                typed.push(format!("# {}", command.on));
                typed.push(command.text.clone());
            }
            parts.push(format!("```sh\n{}\n```", typed.join("\n")));
            if !export.remarks.is_empty() {
                parts.push(export.remarks.join(" "));
            }
            parts.join("\n\n")
        });
        let is_unmet = self.study.is_some_and(|study| study.answer["isMet"] == false);
        let note = is_unmet.then(|| {
            "No setting of the study meets its targets: these files have the settings of the scenario as it is.".into()
        });
        let told: Vec<String> = note.into_iter().chain(told).collect();
        (!self.exports.is_empty()).then(|| format!("## What to type\n\n{}", told.join("\n\n")))
    }

    fn stated(&self) -> impl Iterator<Item = &FieldExplanation> {
        self.explanation.fields.iter().filter(|field| field.source == Source::Given && field.no_effect.is_none())
    }

    fn field(&self, path: &str) -> Option<&'static Field> {
        fields::at(&self.document, path)
    }

    /// A field that has an effect, and its value in force.
    fn field_with_value(&self, path: &str) -> Option<(&'static Field, String)> {
        let explained = self.explanation.fields.iter().find(|field| field.path == path && field.no_effect.is_none())?;
        let field = self.field(path)?;
        Some((field, shown(field, &explained.value)?))
    }

    /// The name of a setting, after that of its class or of what it stands in, and its value in force; none of what only tells readers something.
    fn named(&self, explained: &FieldExplanation) -> Option<(String, String)> {
        if fields::is_annotation(&explained.path) {
            return None;
        }
        let field = self.field(&explained.path)?;
        Some((self.name(&explained.path, field), shown(field, &explained.value)?))
    }

    /// The name of a field, after that of its class or of what it stands in.
    fn name(&self, path: &str, field: &Field) -> String {
        // Where the symbol is in the title it need not stand after it.
        let symbol = field.symbol.as_ref().filter(|symbol| !field.title.contains(symbol.as_str()));
        let symbol = symbol.map_or(String::new(), |symbol| format!(" {symbol}"));
        let of = self.owner(path).map_or(String::new(), |owner| format!("{owner}: "));
        format!("{of}{}{symbol}", field.title)
    }

    /// What a field is of: its class, or what it stands in. What stands directly in a workload or its traffic needs no word.
    fn owner(&self, path: &str) -> Option<String> {
        if let Some((at, _)) = path.strip_prefix("classes[").and_then(|rest| rest.split_once(']')) {
            return Some(self.scenario.classes.get(at.parse::<usize>().ok()?)?.name.clone());
        }
        let (parent, _) = path.rsplit_once('.')?;
        let is_plain = path.starts_with("workloads[") && path.split('.').count() < 4;
        self.field(parent).filter(|_| !is_plain).map(|parent| parent.title.clone())
    }
}

/// A value with its unit, in the words of the screen; none of what is no value by itself.
fn shown(field: &Field, value: &Value) -> Option<String> {
    match (value, &field.form) {
        (Value::Number(value), _) => {
            let text = if value.is_f64() {
                three_digits(value.as_f64()?)
            } else {
                value.as_f64().map_or_else(|| value.to_string(), exact)
            };
            Some(with_unit(&text, field.unit.as_deref().unwrap_or_default()))
        }
        (Value::String(word), Form::String) => {
            let choice = field.options.iter().find(|choice| choice.value == *word);
            Some(choice.map_or_else(|| word.clone(), |choice| choice.title.clone()))
        }
        (Value::Bool(on), _) => Some(if *on { "on" } else { "off" }.into()),
        _ => None,
    }
}

/// A change of a field as a shell reads it.
fn quoted(path: &str, value: &Value) -> String {
    let text = format!("{path}={}", value.as_str().map_or_else(|| value.to_string(), String::from));
    let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || ".=-_".contains(letter));
    if is_plain { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// What came of a class.
fn measured(class: &Value) -> [String; 5] {
    let or_none = |value: Option<String>| value.unwrap_or_else(|| "–".into());
    let percent = |value: &Value| value.as_f64().map(|share| with_unit(&three_digits(100.0 * share), "%"));
    let latency = |name: &str| class["latencyUs"][name].as_f64().map(|us| with_unit(&three_digits(us), "us"));
    let share = percent(&class["carriedShare"]);
    let target = percent(&class["targetShare"]).map_or(String::new(), |target| format!(" ({target})"));
    [
        or_none(class["carriedGbps"].as_f64().map(|gbps| with_unit(&three_digits(gbps), "Gb/s"))),
        or_none(share.map(|share| share + &target)),
        or_none(latency("p50")),
        or_none(latency("p99")),
        or_none(percent(&class["deadline"]["missedFraction"])),
    ]
}

/// What held the traffic back.
fn held_back(summary: &Value) -> Vec<String> {
    let network = &summary["network"];
    let ends = network["bottleneck"].as_array().filter(|ends| ends.len() == 2);
    let link = ends.and_then(|ends| {
        let utilisation = network["bottleneckUtilisation"].as_f64()?;
        let [from, to] = [&ends[0], &ends[1]].map(|end| end.as_str().unwrap_or_default());
        Some(format!(
            "The link that most of the traffic shares, {from} to {to}, was busy {} of the time; its queue held {} packets in the mean and {} at most.",
            with_unit(&three_digits(100.0 * utilisation), "%"),
            three_digits(network["meanQueuePackets"].as_f64().unwrap_or_default()),
            network["maxQueuePackets"],
        ))
    });
    let reason = summary["ratesOutOfReach"]["reason"].as_str();
    let out_of_reach =
        reason.map(|reason| format!("{reason}: rates in Gb/s are out of reach, and shares are of what is carried."));
    link.into_iter().chain(out_of_reach).collect()
}

/// The sentences of an answer, of whatever kind.
fn said(answer: &Value) -> Vec<String> {
    let own = |value: &Value| match value {
        Value::String(sentence) => vec![sentence.clone()],
        Value::Array(all) => all.iter().filter_map(|one| one.as_str().map(String::from)).collect(),
        _ => Vec::new(),
    };
    let rankings = answer["rankings"].as_array().into_iter().flatten().flat_map(|ranking| own(&ranking["says"]));
    own(&answer["says"]).into_iter().chain(rankings).collect()
}

fn list(items: Vec<String>) -> String {
    items.into_iter().map(|item| format!("- {item}")).collect::<Vec<_>>().join("\n")
}

fn table(columns: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let line = |cells: &[String]| {
        format!("| {} |", cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>().join(" | "))
    };
    let head = line(&columns.iter().map(ToString::to_string).collect::<Vec<_>>());
    let rule = format!("|{}", "---|".repeat(columns.len()));
    [head, rule].into_iter().chain(rows.into_iter().map(|row| line(&row))).collect::<Vec<_>>().join("\n")
}
