//! The fields of the document as a tree: what a form, a hint, a table of the docs and an explanation need of each.
//!
//! Read from the schema, and so from the attributes of the types in [`super::document`]: nothing is said here a second time.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::document::TransportKind;
use super::schema;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FieldForm")]
pub enum Form {
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// True or false.
    Boolean,
    /// A text, or one of some words (`options`).
    String,
    /// Fields (`fields`), or those of one of several kinds (`variants`).
    Object,
    /// A list; of objects: `items`.
    Array,
    /// Any value: that of another field.
    Any,
}

/// The part of the range that a slider covers.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Slider {
    /// Left end.
    pub low: f64,
    /// Right end.
    pub high: f64,
    /// `log` or `linear`.
    #[schemars(extend("enum" = ["log", "linear"]))]
    pub scale: String,
}

/// One of the words that a field may hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Choice {
    /// The word, as the document has it.
    pub value: String,
    /// Its name on the screen.
    pub title: String,
    /// What it means.
    pub sentence: String,
}

/// One of the kinds of object that a field may hold, told by the value of `kind`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Variant {
    /// The kind.
    #[serde(flatten)]
    pub choice: Choice,
    /// Its other fields, in the order of the screen.
    pub fields: Vec<Field>,
}

/// A field of the document.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "CatalogueField")]
pub struct Field {
    /// Its name in the object around it; empty for the elements of a list.
    pub name: String,
    /// Its path, `[]` standing for any position: `classes[].dirs.recoveryUs`.
    pub path: String,
    /// Name on the screen.
    pub title: String,
    /// What it means.
    pub sentence: String,
    /// What it holds.
    pub form: Form,
    /// Name of its type, of which there is a table in the docs; none for plain values.
    #[serde(skip)]
    pub of: Option<String>,
    /// It must be given.
    #[serde(skip_serializing_if = "is_false")]
    pub required: bool,
    /// It may be left empty, which is a value of its own.
    #[serde(skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Unit of the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Symbol in the papers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Least legal number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub minimum: Option<Value>,
    /// Greatest legal number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub maximum: Option<Value>,
    /// Most elements of the list, or letters of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// What holds where the document leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Where that comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// It may change while a run goes on.
    #[serde(skip_serializing_if = "is_false")]
    pub live: bool,
    /// The part of the range that a slider covers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slider: Option<Slider>,
    /// Transports that use it, or the object around it; all of them where it is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transports: Option<Vec<String>>,
    /// Fields that stand together on the screen, where they are not simply those of one object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Few scenarios need it: it stands folded away.
    #[serde(skip_serializing_if = "is_false")]
    pub detail: bool,
    /// It leads the object around it, and stays in sight when the others are folded away.
    #[serde(skip_serializing_if = "is_false")]
    pub lead: bool,
    /// It tells readers something, and no result depends on it: it changes without touching a run.
    #[serde(skip_serializing_if = "is_false")]
    pub annotation: bool,
    /// The words that it may hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    /// Fields of the object that it holds, in the order of the screen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Self>,
    /// The kinds of object that it may hold.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// An element of the list that it holds, where these are objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<Box<Self>>,
}

impl Field {
    /// Whether classes of a transport use it.
    pub fn is_used_by(&self, transport: TransportKind) -> bool {
        self.transports.as_ref().is_none_or(|users| users.iter().any(|user| user == transport.id()))
    }

    /// The fields below it that hold for a value: of the kind that the value is, where there are several.
    pub fn fields_of(&self, value: &Value) -> &[Self] {
        let kind = value.get("kind").and_then(Value::as_str);
        let variant = self.variants.iter().find(|variant| Some(variant.choice.value.as_str()) == kind);
        variant.map_or(&self.fields, |variant| &variant.fields)
    }

    /// Whether somebody can choose a value of it: a number, a word, or whether; not what only tells readers something.
    pub fn is_choosable(&self) -> bool {
        let is_one = matches!(self.form, Form::Number | Form::Integer | Form::Boolean)
            || (self.form == Form::String && !self.options.is_empty());
        is_one && !is_annotation(&self.path) && self.path != "version"
    }

    /// It and all fields below it, each before those below.
    pub fn all(&self) -> Vec<&Self> {
        let below = self.fields.iter().chain(self.variants.iter().flat_map(|variant| &variant.fields));
        let below = below.chain(self.items.as_deref()).flat_map(Self::all);
        std::iter::once(self).chain(below).collect()
    }
}

/// The path that the description of the document has for a field of a scenario: `[]` for any position in a list.
pub fn pattern(path: &str) -> String {
    let mut pattern = String::new();
    for part in path.split_inclusive(']') {
        match part.split_once('[') {
            Some((before, _)) => pattern.extend([before, "[]"]),
            None => pattern.push_str(part),
        }
    }
    pattern
}

/// Whether the field at a path only tells readers something, or stands in one that does: no result depends on it.
pub fn is_annotation(path: &str) -> bool {
    static ANNOTATIONS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
        document().all().into_iter().filter(|field| field.annotation).map(|field| field.path.as_str()).collect()
    });
    let is_in = |around: &&str| {
        path.strip_prefix(*around).is_some_and(|rest| matches!(rest.chars().next(), None | Some('.' | '[')))
    };
    ANNOTATIONS.iter().any(is_in)
}

/// The field at a path of a document that has every default filled in; none where the document has no such part.
pub fn at(document: &Value, path: &str) -> Option<&'static Field> {
    let (parent, name) = path.rsplit_once('.').unwrap_or(("", path));
    let mut probe = document.clone();
    super::path::set(&mut probe, path, Value::Null).ok()?;
    let pattern = pattern(parent);
    let around = self::document().all().into_iter().find(|field| field.path == pattern)?;
    let value = if parent.is_empty() { document } else { super::get_path(document, parent).unwrap_or(&Value::Null) };
    around.fields_of(value).iter().find(|field| field.name == name)
}

/// The fields whose symbol in the papers is `text`.
pub fn with_symbol(text: &str) -> Vec<&'static Field> {
    document().all().into_iter().filter(|field| field.symbol.as_deref() == Some(text)).collect()
}

/// The whole document, as one field without a name.
pub fn document() -> &'static Field {
    static DOCUMENT: LazyLock<Field> = LazyLock::new(|| read(schema(), schema(), "", "", None));
    &DOCUMENT
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Reads the field `name` at `path` from what the schema `root` states of it. `transports` use the object around it.
fn read(root: &Value, stated: &Value, name: &str, path: &str, transports: Option<&Vec<String>>) -> Field {
    let target = reference(stated);
    let form = target.and_then(|target| root.pointer(&target[1..])).unwrap_or(stated);
    // What is stated of the field itself counts before what is stated of its type.
    let key = |key: &str| stated.get(key).or_else(|| form.get(key));
    let text = |name: &str| key(name).and_then(Value::as_str).map(String::from);
    let flag = |name: &str| key(name).and_then(Value::as_bool).unwrap_or(false);
    let own: Option<Vec<String>> = key("x-transports").and_then(|names| serde_json::from_value(names.clone()).ok());
    let transports = own.as_ref().or(transports);
    let fields = |form: &Value| fields(root, form, path, transports);
    let branches = || form.get("oneOf").and_then(Value::as_array).into_iter().flatten();
    let words = branches().filter(|branch| branch.get("const").is_some());
    let kinds = branches().filter(|branch| branch.pointer("/properties/kind/const").is_some());
    let options: Vec<Choice> = words.map(|branch| choice(branch, branch.get("const"))).collect();
    let variants: Vec<Variant> = kinds
        .map(|branch| Variant {
            choice: choice(branch, branch.pointer("/properties/kind/const")),
            fields: fields(branch),
        })
        .collect();
    let items = form.get("items").filter(|items| reference(items).is_some());
    let types: Vec<&str> = match form.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).collect(),
        kind => kind.and_then(Value::as_str).into_iter().collect(),
    };
    Field {
        name: name.into(),
        path: path.into(),
        title: text("title").unwrap_or_default(),
        sentence: text("description").unwrap_or_default(),
        source: text("x-source"),
        form: match types.iter().find(|kind| **kind != "null") {
            Some(&"number") => Form::Number,
            Some(&"integer") => Form::Integer,
            Some(&"boolean") => Form::Boolean,
            Some(&"array") => Form::Array,
            Some(&"object") => Form::Object,
            Some(_) => Form::String,
            None if !options.is_empty() => Form::String,
            None if !variants.is_empty() => Form::Object,
            None => Form::Any,
        },
        of: target.and_then(|target| target.rsplit('/').next()).map(String::from),
        required: false,
        optional: types.contains(&"null") || either(stated).any(|branch| branch.get("type") == Some(&"null".into())),
        unit: text("x-unit"),
        symbol: text("x-symbol"),
        minimum: key("minimum").map(whole),
        maximum: key("maximum").map(whole),
        longest: key("maxItems").or_else(|| key("maxLength")).and_then(Value::as_u64),
        default: key("default").map(whole),
        live: flag("x-live"),
        slider: key("x-slider").and_then(|slider| {
            Some(Slider {
                low: slider.get(0)?.as_f64()?,
                high: slider.get(1)?.as_f64()?,
                scale: slider.get(2)?.as_str()?.into(),
            })
        }),
        transports: transports.cloned(),
        group: text("x-group"),
        detail: flag("x-detail"),
        lead: flag("x-lead"),
        annotation: flag("x-annotation"),
        options,
        fields: fields(form),
        variants,
        items: items.map(|items| Box::new(read(root, items, "", &format!("{path}[]"), transports))),
    }
}

/// The type that a field refers to, if it is there.
fn reference(stated: &Value) -> Option<&str> {
    stated.get("$ref").and_then(Value::as_str).or_else(|| either(stated).find_map(reference))
}

/// What a field may hold that may be empty: its type, or nothing.
fn either(stated: &Value) -> impl Iterator<Item = &Value> {
    stated.get("anyOf").and_then(Value::as_array).into_iter().flatten()
}

/// The fields of an object, but the one that tells its kind.
fn fields(root: &Value, form: &Value, path: &str, transports: Option<&Vec<String>>) -> Vec<Field> {
    let required: Vec<&str> =
        form.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = form.get("properties").and_then(Value::as_object).into_iter().flatten();
    properties
        .filter(|(_, stated)| stated.get("const").is_none())
        .map(|(name, stated)| {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            Field { required: required.contains(&name.as_str()), ..read(root, stated, name, &path, transports) }
        })
        .collect()
}

fn choice(branch: &Value, word: Option<&Value>) -> Choice {
    let text = |key: &str| branch.get(key).and_then(Value::as_str).unwrap_or_default().into();
    let value = word.and_then(Value::as_str).unwrap_or_default().into();
    Choice { value, title: text("title"), sentence: text("description") }
}

/// A value with numbers such as `3.0` written as `3`.
fn whole(value: &Value) -> Value {
    let mut value = value.clone();
    super::whole_numbers(&mut value);
    value
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn find(path: &str) -> &'static Field {
        document().all().into_iter().find(|field| field.path == path).unwrap_or_else(|| panic!("{path} is no field"))
    }

    #[test]
    fn a_field_has_what_its_attributes_say() {
        let threshold = find("switch.ecnThresholdPackets");
        assert_eq!((threshold.form, threshold.unit.as_deref()), (Form::Integer, Some("packets")));
        assert_eq!((threshold.symbol.as_deref(), threshold.live), (Some("K"), true));
        assert_eq!(threshold.default, Some(Value::from(140)));
        let recovery = find("classes[].dirs.recoveryUs");
        assert!(recovery.optional && recovery.default.is_none());
        assert!(recovery.is_used_by(TransportKind::Timely) && !recovery.is_used_by(TransportKind::Qtcp));
        let story = find("story");
        assert!(story.optional && story.form == Form::Object);
        assert_eq!(find("story.tries[].changes[].path").form, Form::String);
    }

    #[test]
    fn annotations_are_what_a_run_takes_over_from_another_scenario() {
        let plain = serde_json::json!({
            "version": 3, "name": "one", "durationUs": 100,
            "topology": { "shape": { "kind": "dumbbell", "senders": 1, "receivers": 1, "switches": 1 } },
            "classes": [{ "name": "A", "transport": "dctcp" }],
            "workloads": [{ "class": "A", "endpoints": { "kind": "pairs", "initiators": ["h0"], "targets": ["h1"] },
                "traffic": { "kind": "backlogged" } }],
        });
        let one = crate::scenario::from_value(plain.clone()).expect("it is sound");
        let mut told = plain;
        let parts = [
            ("name", Value::from("other")),
            ("description", "Another.".into()),
            ("story", serde_json::json!({ "text": "Look." })),
            ("notes", serde_json::json!([{ "text": "Here.", "atUs": 5 }])),
            ("seed", 9.into()),
            ("durationUs", 200.into()),
        ];
        for (name, value) in parts {
            told[name] = value;
        }
        told["storage"] = serde_json::json!({ "ssd": { "evidence": { "name": "Drive of lab 3", "fittedJobs": 9 } } });
        let other = crate::scenario::from_value(told).expect("it is sound");
        let [taken, one, other] = [&one.annotated_as(&other), &one, &other].map(crate::scenario::as_value);
        for field in &document().fields {
            // The evidence is all that the other has in this section.
            let from = if field.annotation || field.name == "storage" { &other } else { &one };
            assert_eq!(taken.get(&field.name), from.get(&field.name), "{}", field.name);
        }
        let paths: Vec<_> =
            document().all().into_iter().filter(|field| field.annotation).map(|field| field.path.as_str()).collect();
        assert_eq!(paths, ["name", "description", "storage.ssd.evidence", "story", "notes"]);
    }

    #[test]
    fn what_stands_in_an_annotation_is_one() {
        for path in ["name", "storage.ssd.evidence", "storage.ssd.evidence.fittedJobs", "notes[3].atUs", "story.text"] {
            assert!(is_annotation(path), "{path}");
        }
        for path in ["names", "storage.ssd", "storage.ssd.evidences", "classes[0].name", "seed"] {
            assert!(!is_annotation(path), "{path}");
        }
        assert!(!find("storage.ssd.evidence.fittedJobs").is_choosable() && find("storage.ssd.channels").is_choosable());
    }

    #[test]
    fn fields_stand_in_the_order_in_which_they_are_declared() {
        let names = |path: &str| find(path).fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>();
        assert_eq!(names("measurement"), ["warmupUs", "samplePeriodUs", "convergenceBand", "convergenceRtts"]);
        assert_eq!(names("classes[].dcqcn")[..3], ["set", "gain", "cnpIntervalUs"]);
    }

    #[test]
    fn every_kind_of_object_has_its_fields() {
        let traffic = find("workloads[].traffic");
        let kinds: Vec<&str> = traffic.variants.iter().map(|variant| variant.choice.value.as_str()).collect();
        assert_eq!(kinds, ["open-loop", "backlogged", "closed-loop", "trace", "stand-in"]);
        let names = |value: Value| traffic.fields_of(&value).iter().map(|field| field.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(serde_json::json!({ "kind": "open-loop" })), ["offeredGbps", "gaps", "requests", "size"]);
        assert!(names(serde_json::json!({ "kind": "backlogged" })).is_empty());
    }

    #[test]
    fn every_field_has_a_title_and_a_sentence() {
        for field in document().all().iter().filter(|field| !field.name.is_empty()) {
            assert!(!field.title.is_empty() && field.sentence.ends_with(['.', ')']), "{field:?}");
            for choice in &field.options {
                assert!(!choice.title.is_empty() && !choice.sentence.is_empty(), "{field:?}");
            }
        }
    }

    #[test]
    fn every_default_says_where_it_comes_from() {
        let is_plain = |field: &&Field| {
            matches!(field.form, Form::Number | Form::Integer | Form::Boolean) || !field.options.is_empty()
        };
        let defaults = document().all().into_iter().filter(|field| field.default.is_some());
        let silent: Vec<&str> =
            defaults.filter(is_plain).filter(|field| field.source.is_none()).map(|field| field.path.as_str()).collect();
        assert_eq!(silent, [""; 0]);
    }

    #[test]
    fn transports_that_a_field_names_exist() {
        let known: BTreeSet<&str> = TransportKind::ALL.iter().map(|transport| transport.id()).collect();
        for field in document().all() {
            let named = field.transports.iter().flatten();
            assert!(named.clone().all(|name| known.contains(name.as_str())), "{field:?}");
        }
    }
}
