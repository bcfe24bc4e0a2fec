//! What varies, laid on a scenario: the values of a factor, and the fields that each of them changes.

use std::collections::BTreeMap;

use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::scenario::fields::{self, Field, Form};
use qoscope_engine::scenario::{self, Diagnostic, closest, quoted};
use serde_json::{Value, json};

use crate::base::{Base, Changes};
use crate::document::{Factor, Range, Scale};
use crate::plan::Axis;
use crate::table::FactorView;

/// Significant digits of the values between the ends of a range.
const DIGITS: usize = 6;

/// A factor laid on a scenario.
pub(crate) struct Varied {
    /// What the table says of it.
    pub(crate) view: FactorView,
    /// What planners see of it.
    pub(crate) axis: Axis,
    /// Its value at each place, as the table has it.
    pub(crate) values: Vec<Value>,
    /// The places of the values that the study gives; others lie between them.
    pub(crate) own: Vec<u32>,
    change: Change,
}

/// What a value changes.
enum Change {
    /// Fields that follow it.
    Fields(Vec<Moved>),
    /// Those of the alternative at each place.
    Alternatives(Vec<Changes>),
}

/// A field that follows the value of a factor: `times` × value ^ `power`.
struct Moved {
    path: String,
    field: &'static Field,
    times: f64,
    power: f64,
}

impl Moved {
    fn value(&self, of: &Value) -> Value {
        match of.as_f64().filter(|_| is_number(self.field)) {
            Some(number) => self.number(number),
            None => of.clone(),
        }
    }

    fn number(&self, of: f64) -> Value {
        let power = if self.power == 1.0 { of } else { libm::pow(of, self.power) };
        let number = self.times * power;
        exact(if self.field.form == Form::Integer { libm::round(number) } else { number })
    }

    /// It is the value itself.
    fn is_plain(&self) -> bool {
        self.times == 1.0 && self.power == 1.0
    }
}

impl Varied {
    /// Lays a factor, found at `place` of the study, on a scenario. Between two values of a range `between` more can be told apart.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn new(factor: &Factor, place: &str, base: &Base, between: u32) -> Result<Self, Vec<Diagnostic>> {
        if factor.alternatives.is_empty() {
            Self::of_fields(factor, place, base, between)
        } else {
            Self::of_alternatives(factor, place, base)
        }
    }

    /// The fields that a place changes, and their values.
    pub(crate) fn changes(&self, place: u32) -> Changes {
        match &self.change {
            Change::Fields(fields) => {
                let value = &self.values[place as usize];
                fields.iter().map(|moved| (moved.path.clone(), moved.value(value))).collect()
            }
            Change::Alternatives(alternatives) => alternatives[place as usize].clone(),
        }
    }

    /// Whether its values are those of fields.
    pub(crate) const fn follows_fields(&self) -> bool {
        matches!(self.change, Change::Fields(_))
    }

    fn of_alternatives(factor: &Factor, place: &str, base: &Base) -> Result<Self, Vec<Diagnostic>> {
        let (mut diagnostics, mut alternatives, mut paths) = (Vec::new(), Vec::new(), Vec::new());
        for (index, alternative) in factor.alternatives.iter().enumerate() {
            let mut changes = Changes::new();
            for (path, value) in &alternative.set {
                match base.expanded(path) {
                    Ok(found) => {
                        let fields = found.iter().filter_map(|path| Some((path, fields::at(&base.whole, path)?)));
                        let mut misfits = fields.filter_map(|(path, field)| unfitting(value, path, field));
                        if let Some((reason, hint)) = misfits.next() {
                            let path = format!("{place}.alternatives[{index}].set.{path}");
                            diagnostics.push(Diagnostic::new(path, reason, hint));
                        }
                        changes.extend(found.iter().map(|path| (path.clone(), value.clone())));
                        paths.extend(found);
                    }
                    Err((reason, hint)) => {
                        diagnostics.push(Diagnostic::new(format!("{place}.alternatives[{index}].set"), reason, hint));
                    }
                }
            }
            alternatives.push(changes);
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        paths.sort();
        paths.dedup();
        let titles: Vec<&String> = factor.alternatives.iter().map(|alternative| &alternative.title).collect();
        let is_present = |changes: &Changes| changes.iter().all(|(path, value)| same(&base.in_force(path), value));
        // What others change stays as the scenario has it: an alternative is the present one if its own changes hold and those of no other do more.
        let present = alternatives.iter().position(is_present).filter(|&found| {
            alternatives.iter().all(|changes| changes.len() <= alternatives[found].len() || !is_present(changes))
        });
        let view = FactorView {
            title: factor.title.clone().unwrap_or_else(|| "Alternatives".into()),
            symbol: None,
            unit: None,
            paths,
            is_words: true,
            names: titles.iter().map(|title| ((*title).clone(), (*title).clone())).collect(),
            scale: Scale::Even,
            present: present.map_or(Value::Null, |found| titles[found].as_str().into()),
            recommended: None,
        };
        let values: Vec<Value> = titles.into_iter().map(|title| title.as_str().into()).collect();
        let own = (0..index_u32(values.len())).collect();
        Ok(Self { axis: word_axis(&values, present), view, values, own, change: Change::Alternatives(alternatives) })
    }

    fn of_fields(factor: &Factor, place: &str, base: &Base, between: u32) -> Result<Self, Vec<Diagnostic>> {
        let mut diagnostics = Vec::new();
        let moved = moved(factor, place, base, &mut diagnostics);
        let Some(first) = moved.first().filter(|_| diagnostics.is_empty()) else { return Err(diagnostics) };
        let is_words = !is_number(first.field);
        for other in moved.iter().filter(|other| is_number(other.field) == is_words) {
            let reason = format!("moves `{}`, a number, with `{}`, which is none", first.path, other.path);
            diagnostics.push(Diagnostic::new(format!("{place}.moves"), reason, "Give `alternatives` instead."));
        }
        let values = match &factor.range {
            Some(range) if is_words => {
                let reason = format!("is of `{}`, which is no number", first.path);
                diagnostics.push(Diagnostic::new(format!("{place}.range"), reason, "Give `values`."));
                Vec::new()
            }
            Some(range) => numbers(range, between).into_iter().map(exact).collect(),
            None => factor.values.clone(),
        };
        if diagnostics.is_empty() {
            check_values(factor, &values, &moved, place, &mut diagnostics);
        }
        if !diagnostics.is_empty() {
            return Err(diagnostics);
        }
        let (values, places) = distinct(values, &moved);
        let mut own: Vec<u32> = places.into_iter().step_by(between as usize + 1).collect();
        own.sort_unstable();
        own.dedup();
        let present = present(&moved, base);
        let whole_field = factor.path.is_some().then_some(first);
        let recommended = whole_field.and_then(|moved| base.explained_field(&moved.path)?.recommended.as_ref());
        let scale = factor.range.as_ref().map_or_else(|| scale_of(&values, first.field), |range| range.scale);
        let view = FactorView {
            title: factor.title.clone().unwrap_or_else(|| title(&moved, base)),
            symbol: whole_field.and_then(|moved| moved.field.symbol.clone()),
            unit: first.field.unit.clone().filter(|_| first.is_plain()),
            paths: moved.iter().map(|moved| moved.path.clone()).collect(),
            is_words,
            names: if is_words { names(first.field, &values) } else { BTreeMap::new() },
            scale,
            present: present.clone(),
            recommended: recommended.map(|found| (found.band.0 as f64, found.band.1 as f64)),
        };
        let axis = if is_words {
            word_axis(&values, values.iter().position(|value| same(value, &present)))
        } else {
            let numbers: Vec<f64> = values.iter().filter_map(Value::as_f64).collect();
            let wanted =
                recommended.map(|found| found.value.as_f64().unwrap_or((found.band.0 + found.band.1) as f64 / 2.0));
            Axis {
                present: present.as_f64().and_then(|number| nearest(&numbers, number, scale)),
                recommended: wanted.and_then(|number| nearest(&numbers, number, scale)),
                values: numbers,
                scale,
                is_words: false,
            }
        };
        Ok(Self { view, axis, values, own, change: Change::Fields(moved) })
    }
}

/// The fields that follow a factor.
fn moved(factor: &Factor, place: &str, base: &Base, diagnostics: &mut Vec<Diagnostic>) -> Vec<Moved> {
    let single = factor.path.iter().map(|path| (format!("{place}.path"), path, 1.0, 1.0));
    let several = factor.moves.iter().enumerate();
    let several = several.map(|(index, of)| (format!("{place}.moves[{index}].path"), &of.path, of.times, of.power));
    let mut found = Vec::new();
    for (place, path, times, power) in single.chain(several) {
        match base.expanded(path) {
            Err((reason, hint)) => diagnostics.push(Diagnostic::new(place, reason, hint)),
            Ok(paths) => {
                for path in paths {
                    let Some(field) = fields::at(&base.whole, &path) else { continue };
                    if let Some((reason, hint)) = unfit(field) {
                        diagnostics.push(Diagnostic::new(&place, reason, hint));
                        break;
                    }
                    found.push(Moved { path, field, times, power });
                }
            }
        }
    }
    found
}

/// Why a field cannot vary.
fn unfit(field: &Field) -> Option<(String, &'static str)> {
    let path = &field.path;
    match path.as_str() {
        "seed" => Some((format!("is `{path}`, which varies under every point"), "Set `seeds`.")),
        "version" => Some((format!("is `{path}`, which says how to read the document"), "Vary something else.")),
        _ if fields::is_annotation(path) => {
            Some((format!("is `{path}`, on which no result depends"), "Vary something else."))
        }
        _ => None,
    }
}

/// What is wrong with the values of a factor.
fn check_values(factor: &Factor, values: &[Value], moved: &[Moved], place: &str, diagnostics: &mut Vec<Diagnostic>) {
    let is_range = factor.range.is_some();
    let ends = [0, values.len().saturating_sub(1)];
    for (index, value) in values.iter().enumerate().filter(|(index, _)| !is_range || ends.contains(index)) {
        let at = match (is_range, index) {
            (true, 0) => format!("{place}.range.from"),
            (true, _) => format!("{place}.range.to"),
            (false, _) => format!("{place}.values[{index}]"),
        };
        if let Some((reason, hint)) = moved.iter().find_map(|moved| misfit(value, moved)) {
            diagnostics.push(Diagnostic::new(at, reason, hint));
        }
    }
}

/// Why a field cannot take the value of a factor.
fn misfit(value: &Value, moved: &Moved) -> Option<(String, String)> {
    let Moved { path, field, .. } = moved;
    let shown = || value.as_str().map_or_else(|| scenario::shortened(&value.to_string()), quoted);
    if is_number(field) {
        let Some(number) = value.as_f64() else {
            let hint = "Give numbers; what is empty goes into `alternatives`.";
            return Some((format!("is {}, and `{path}` is a number", shown()), hint.into()));
        };
        let put = moved.number(number).as_f64().filter(|put| put.is_finite());
        let beyond = |bound: &Option<Value>, is_beyond: fn(f64, f64) -> bool| {
            let bound = bound.as_ref().and_then(Value::as_f64);
            put.is_none_or(|put| bound.is_some_and(|bound| is_beyond(put, bound)))
        };
        if beyond(&field.minimum, |put, least| put < least) || beyond(&field.maximum, |put, most| put > most) {
            let sets =
                if moved.is_plain() { String::new() } else { format!(", which makes `{path}` {}", number_or(put)) };
            let [low, high] =
                [&field.minimum, &field.maximum].map(|end| end.as_ref().map_or("any".into(), Value::to_string));
            let unit = field.unit.as_ref().map_or_else(String::new, |unit| format!(" {unit}"));
            return Some((
                format!("is {}{sets}; `{path}` takes {low} to {high}{unit}", shown()),
                "Stay between the two.".into(),
            ));
        }
    } else if !field.options.is_empty() {
        let words = || field.options.iter().map(|option| option.value.as_str());
        let word = value.as_str().unwrap_or_default();
        if !words().any(|known| known == word) {
            let hint = match closest(word, words()) {
                Some(meant) => format!("Did you mean `{meant}`?"),
                None => format!("It takes {}.", words().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")),
            };
            return Some((format!("is {}, which `{path}` does not know", shown()), hint));
        }
    } else if field.form == Form::Boolean && !value.is_boolean() {
        return Some((format!("is {}, and `{path}` is true or false", shown()), "Give true or false.".into()));
    }
    None
}

/// Why a field that holds a number or a word cannot be set to a value.
fn unfitting(value: &Value, path: &str, field: &'static Field) -> Option<(String, String)> {
    if let Some((reason, hint)) = unfit(field) {
        return Some((reason, hint.into()));
    }
    let is_empty = value.is_null() && field.optional;
    let moved = Moved { path: path.into(), field, times: 1.0, power: 1.0 };
    if is_empty || !field.is_choosable() { None } else { misfit(value, &moved) }
}

fn number_or(number: Option<f64>) -> String {
    number.map_or_else(|| "no number".into(), |number| exact(number).to_string())
}

/// The numbers of a range, with `between` more between every two.
fn numbers(range: &Range, between: u32) -> Vec<f64> {
    let last = (range.count - 1) * (between + 1);
    let at = |place: u32| {
        let part = f64::from(place) / f64::from(last);
        match (place, range.scale) {
            (0, _) => range.from,
            (place, _) if place == last => range.to,
            (_, Scale::Even) => rounded(range.from + (range.to - range.from) * part),
            (_, Scale::Log) => rounded(range.from * libm::pow(range.to / range.from, part)),
        }
    };
    (0..=last).map(at).collect()
}

/// A number with few enough digits to be read.
fn rounded(number: f64) -> f64 {
    format!("{number:.*e}", DIGITS - 1).parse().unwrap_or(number)
}

/// A number as a document writes it.
pub(crate) fn exact(number: f64) -> Value {
    let mut value = json!(number);
    scenario::whole_numbers(&mut value);
    value
}

/// The values that set the fields to something that none before does, of fields of whole numbers what they are set to; and the place among them of
/// each value.
fn distinct(values: Vec<Value>, moved: &[Moved]) -> (Vec<Value>, Vec<u32>) {
    let is_whole = moved.iter().all(|moved| moved.is_plain() && moved.field.form == Form::Integer);
    let mut places: BTreeMap<String, u32> = BTreeMap::new();
    let (mut found, mut at) = (Vec::new(), Vec::new());
    for value in values {
        let put: Vec<Value> = moved.iter().map(|moved| moved.value(&value)).collect();
        let place = *places.entry(Value::from(put.clone()).to_string()).or_insert_with(|| {
            found.push(if is_whole { put.into_iter().next().unwrap_or_default() } else { value });
            index_u32(found.len() - 1)
        });
        at.push(place);
    }
    (found, at)
}

/// The value that a scenario has of a factor; null where its fields have several, or none.
fn present(moved: &[Moved], base: &Base) -> Value {
    let implied = |moved: &Moved| {
        let here = base.in_force(&moved.path);
        match here.as_f64().filter(|_| !moved.is_plain()) {
            Some(_) if moved.power == 0.0 || moved.times == 0.0 => None,
            Some(number) => Some(exact(rounded(libm::pow(number / moved.times, 1.0 / moved.power)))),
            None => Some(here),
        }
    };
    let first = moved.iter().find_map(implied).unwrap_or_default();
    let holds = |moved: &Moved| match base.in_force(&moved.path).as_f64() {
        Some(number) => moved.value(&first).as_f64().is_some_and(|put| (put - number).abs() <= 1e-4 * number.abs()),
        None => same(&base.in_force(&moved.path), &first),
    };
    if moved.iter().all(holds) { first } else { Value::Null }
}

/// The place of the value nearest to a number.
fn nearest(values: &[f64], number: f64, scale: Scale) -> Option<u32> {
    let on_scale = |value: f64| if scale == Scale::Log { libm::log(value) } else { value };
    let distance = |value: f64| (on_scale(value) - on_scale(number)).abs();
    let nearest = (0..values.len()).min_by(|&one, &other| distance(values[one]).total_cmp(&distance(values[other])));
    nearest.and_then(|place| u32::try_from(place).ok())
}

/// How the axis of listed values lies: as the slider of the field, where all of them are above zero.
fn scale_of(values: &[Value], field: &Field) -> Scale {
    let is_log = field.slider.as_ref().is_some_and(|slider| slider.scale == "log");
    let positive = values.iter().all(|value| value.as_f64().is_some_and(|number| number > 0.0));
    if is_log && positive { Scale::Log } else { Scale::Even }
}

fn word_axis(values: &[Value], present: Option<usize>) -> Axis {
    Axis {
        values: (0..values.len()).map(|place| place as f64).collect(),
        scale: Scale::Even,
        is_words: true,
        present: present.and_then(|place| u32::try_from(place).ok()),
        recommended: None,
    }
}

/// What words are called on the screen.
fn names(field: &Field, values: &[Value]) -> BTreeMap<String, String> {
    let name = |value: &Value| {
        let text = word(value);
        let option = field.options.iter().find(|option| option.value == text);
        let title = match (option, value) {
            (Some(option), _) => option.title.clone(),
            (None, Value::Bool(is_on)) => switched(*is_on).into(),
            (None, _) => text.clone(),
        };
        (text, title)
    };
    values.iter().map(name).collect()
}

/// What true and false are called.
pub(crate) const fn switched(is_on: bool) -> &'static str {
    if is_on { "On" } else { "Off" }
}

/// A value that is no number, as a text.
pub(crate) fn word(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// What a factor is called that has no title of its own.
fn title(moved: &[Moved], base: &Base) -> String {
    match moved {
        [one] => title_at(&one.path, one.field, base),
        several => several.first().map(|moved| moved.field.title.clone()).unwrap_or_default(),
    }
}

/// What a field is called on the screen, and of which class, workload or tenant it is.
pub(crate) fn title_at(path: &str, field: &Field, base: &Base) -> String {
    let Some((list, rest)) = path.split_once('[') else { return field.title.clone() };
    let index = rest.split(']').next().unwrap_or_default();
    let name = scenario::get_path(&base.whole, &format!("{list}[{index}].name")).and_then(Value::as_str);
    let number = index.parse().map_or(0, |index: usize| index + 1);
    let of = name.map_or_else(|| format!("{} {number}", list.trim_end_matches('s')), str::to_owned);
    format!("{}, {of}", field.title)
}

pub(crate) fn is_number(field: &Field) -> bool {
    matches!(field.form, Form::Number | Form::Integer)
}

/// Whether two values are the same to a document.
fn same(one: &Value, other: &Value) -> bool {
    match (one.as_f64(), other.as_f64()) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}
