//! The schema of the scenario document, read as what each field may hold.
//!
//! The generator knows no field by heart: one that is added to the document is found here.

use serde_json::{Map, Value};

/// What a field may hold.
pub enum Form<'a> {
    /// A number.
    Number(Range),
    /// One of some words.
    Choice(Vec<&'a Value>),
    /// Fields by name.
    Object(Object<'a>),
    /// One of several objects, told apart by a field with a constant.
    Kinds(Vec<Object<'a>>),
    /// Elements of one form, after those that have forms of their own.
    List {
        /// Forms of the leading elements.
        leading: &'a [Value],
        /// Form of all others.
        items: Option<&'a Value>,
        /// Fewest elements.
        min: usize,
        /// Most elements.
        max: usize,
    },
    /// A text of so many characters.
    Text {
        /// Fewest characters.
        min: usize,
        /// Most characters.
        max: usize,
    },
    /// True or false.
    Flag,
    /// Nothing is said about it.
    Anything,
}

/// The numbers that a field may hold.
#[derive(Clone, Copy)]
pub struct Range {
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
    /// Whole numbers only.
    pub whole: bool,
    /// The part of the range that a slider covers, and whether its scale is logarithmic.
    pub slider: Option<(f64, f64, bool)>,
}

/// An object of the format.
pub struct Object<'a> {
    /// Its fields.
    pub fields: &'a Map<String, Value>,
    required: &'a [Value],
}

impl<'a> Object<'a> {
    fn of(form: &'a Value) -> Option<Self> {
        let fields = form.get("properties")?.as_object()?;
        Some(Self { fields, required: list(form, "required") })
    }

    /// Whether the field `name` may not be left out.
    pub fn requires(&self, name: &str) -> bool {
        self.required.iter().any(|required| required == name)
    }

    /// Whether `value` is of this kind: every constant of the fields is met.
    fn is_kind_of(&self, value: &Value) -> bool {
        self.fields.iter().all(|(name, schema)| schema.get("const").is_none_or(|word| value.get(name) == Some(word)))
    }
}

impl<'a> Form<'a> {
    /// The form of the field that `stated` describes, and whether it may be null. `root` holds the definitions.
    pub fn of(root: &'a Value, stated: &'a Value) -> (Self, bool) {
        let branches = list(stated, "anyOf");
        if let Some(some) = branches.iter().find(|branch| !allows(branch, "null")) {
            let nullable = branches.iter().any(|branch| allows(branch, "null"));
            return (Self::of(root, some).0, nullable);
        }
        if let Some(target) = stated.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix('#')) {
            return Self::of(root, root.pointer(target).unwrap_or(&Value::Null));
        }
        (Self::plain(stated), allows(stated, "null"))
    }

    fn plain(form: &'a Value) -> Self {
        let branches = list(form, "oneOf");
        let kinds: Vec<Object<'a>> = branches.iter().filter_map(Object::of).collect();
        if !kinds.is_empty() {
            return Self::Kinds(kinds);
        }
        if !branches.is_empty() {
            return Self::Choice(branches.iter().filter_map(|branch| branch.get("const")).collect());
        }
        if !list(form, "enum").is_empty() {
            return Self::Choice(list(form, "enum").iter().collect());
        }
        let size =
            |key: &str, otherwise: usize| form.get(key).and_then(Value::as_u64).map_or(otherwise, |n| n as usize);
        if let Some(object) = Object::of(form) {
            Self::Object(object)
        } else if allows(form, "array") {
            let leading = list(form, "prefixItems");
            let (min, max) = (size("minItems", leading.len()), size("maxItems", 1000));
            Self::List { leading, items: form.get("items"), min, max }
        } else if allows(form, "integer") || allows(form, "number") {
            Self::Number(Range::of(form))
        } else if allows(form, "string") {
            Self::Text { min: size("minLength", 0), max: size("maxLength", 100) }
        } else if allows(form, "boolean") {
            Self::Flag
        } else {
            Self::Anything
        }
    }
}

impl Range {
    fn of(form: &Value) -> Self {
        /// What a field without a largest value is given.
        const LARGE: f64 = 4e9;
        let number = |key: &str| form.get(key).and_then(Value::as_f64);
        let slider = form.get("x-slider").and_then(|slider| {
            Some((slider.get(0)?.as_f64()?, slider.get(1)?.as_f64()?, slider.get(2)?.as_str()? == "log"))
        });
        let (min, max) = (number("minimum").unwrap_or(0.0), number("maximum").unwrap_or(LARGE));
        Self { min, max, whole: allows(form, "integer"), slider }
    }
}

/// Calls `visit` with every field that `value`, described by `stated`, has or may have: its path, its description and its
/// value, null where it is absent. Fields come before what is in them.
pub fn walk<'a>(
    root: &'a Value,
    stated: &'a Value,
    value: &Value,
    path: &str,
    visit: &mut impl FnMut(&str, &'a Value, &Value),
) {
    if !path.is_empty() {
        visit(path, stated, value);
    }
    let mut into = |object: &Object<'a>| {
        for (name, schema) in object.fields {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            walk(root, schema, value.get(name).unwrap_or(&Value::Null), &path, visit);
        }
    };
    match Form::of(root, stated).0 {
        Form::Object(object) => into(&object),
        Form::Kinds(kinds) => kinds.iter().filter(|kind| kind.is_kind_of(value)).for_each(into),
        Form::List { leading, items, .. } => {
            let schemas = leading.iter().map(Some).chain(core::iter::repeat(items));
            for (index, (element, schema)) in value.as_array().into_iter().flatten().zip(schemas).enumerate() {
                if let Some(schema) = schema {
                    walk(root, schema, element, &format!("{path}[{index}]"), visit);
                }
            }
        }
        _ => (),
    }
}

/// Whether `form` allows values of the JSON type `kind`.
fn allows(form: &Value, kind: &str) -> bool {
    match form.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(|allowed| allowed == kind),
        Some(allowed) => allowed == kind,
        None => false,
    }
}

fn list<'a>(form: &'a Value, key: &str) -> &'a [Value] {
    form.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
