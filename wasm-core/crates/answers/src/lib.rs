//! The JSON Schema of everything that the engine answers, and of what it is asked: `answers.json`, kept as text next to this crate's sources. The types of the page
//! (`web/src/generated/answers.d.ts`) and of the Python package are generated from it.

use qoscope_campaign as campaign;
use qoscope_engine::planner;
use qoscope_engine::planner::bursts::{LadderSteps, LadderTerms};
use qoscope_engine::planner::jobs::{Findings, Question};
use qoscope_engine::planner::live::Facts;
use qoscope_engine::{catalogue, overlay, scenario, simulation};
use qoscope_estimation as estimation;
use qoscope_figures::{self as figures, lessons};
use qoscope_interop::{self as interop, fio};
use qoscope_study as study;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde_json::{Value, json};

/// The schema that the types give: a definition of every type that is part of an answer, as it is serialized.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .for_serialize()
        .with_transform(RecursiveTransform(without_null))
        .into_generator();
    macro_rules! add {
        ($($answer:ty),* $(,)?) => { $(generator.subschema_for::<$answer>();)* };
    }
    add!(
        scenario::Change,
        scenario::Diagnostic,
        scenario::FieldChange,
        scenario::network_files::ReadNetwork,
        simulation::Summary,
        simulation::Bottleneck,
        simulation::Layout,
        simulation::replays::TraceDescription,
        simulation::follow::Journey,
        catalogue::Catalogue,
        catalogue::Explanation,
        overlay::Overlay,
        planner::Plan,
        planner::Needs,
        planner::StandIns,
        Facts,
        Findings,
        LadderSteps,
        LadderTerms,
        Question,
        campaign::Progress,
        campaign::RunRequest,
        figures::Comparison,
        figures::FigureAnswer,
        figures::Record,
        lessons::Answer,
        lessons::Judgement,
        lessons::Played,
        lessons::ToldStep,
        study::Answer,
        study::Cost,
        study::StudyProgress,
        study::Suggestions,
        study::Table,
        fio::LogView,
        fio::Onto,
        fio::Results,
        estimation::Asked,
        estimation::Outcome,
        interop::About,
        estimation::Drive,
        interop::Export,
    );
    let mut definitions = generator.take_definitions(true);
    definitions.sort_keys();
    json!({ "$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions })
}

/// Removes null from properties that are left out in its place.
fn without_null(schema: &mut Schema) {
    let Some(object) = schema.as_object_mut() else { return };
    let required: Vec<Value> = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else { return };
    let optional = properties.iter_mut().filter(|(name, _)| !required.iter().any(|known| known == name.as_str()));
    for property in optional.filter_map(|(_, property)| property.as_object_mut()) {
        let null = json!({ "type": "null" });
        match (property.get("type"), property.get("anyOf")) {
            (Some(Value::Array(types)), _) if types.len() == 2 && types[1] == "null" => {
                let only = types[0].clone();
                property.insert("type".into(), only);
            }
            (_, Some(Value::Array(forms))) if forms.len() == 2 && forms[1] == null => {
                let only = forms[0].as_object().cloned().unwrap_or_default();
                property.remove("anyOf");
                property.extend(only);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::{env, fs};

    use super::schema;

    #[test]
    fn committed_schema_matches_the_types() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/answers.json");
        let expected = format!("{:#}\n", schema());
        if env::var_os("UPDATE_SCHEMA").is_some() {
            return fs::write(&path, expected).expect("the file can be written");
        }
        let committed = fs::read_to_string(&path).expect("the file can be read");
        assert!(
            committed == expected,
            "{path:?} is out of date: UPDATE_SCHEMA=1 cargo test -p qoscope-answers --lib schema"
        );
    }

    #[test]
    fn every_definition_has_a_name_of_its_own() {
        let schema = schema();
        let names = schema["$defs"].as_object().expect("definitions").keys();
        let numbered: Vec<_> = names.filter(|name| name.ends_with(|last: char| last.is_ascii_digit())).collect();
        assert!(numbered.is_empty(), "two types of one name: {numbered:?}; rename one by `schemars(rename)`");
    }
}
