//! Expressions that read a number from the results of runs: `sum(qtcp.flows.carriedGbps) - 2 * dctcp.network.drops`.
//!
//! A *path* begins with the name of a run, or with `reference` (in a study with a field of the summary), and follows the fields there. `[0]`, `[1..3]`,
//! `[0, 4]` and `['High']` take elements of a list, by position from 0 on (the end of a range is left out) or by their
//! `name`; a field of a list is that field of each element. `x or y` is y where x has no value; it binds closest.
//! Arithmetic with a list goes element by element; [`FUNCTIONS`] make one number of it.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::scenario::{closest, listed, shortened};
use serde_json::Value;

/// What paths begin with: the results of runs by name, for one seed, and the reference; of a measure of a study the parts of one summary.
pub type Scope<'a> = BTreeMap<&'a str, &'a Value>;

/// Makes one number of several.
type Function = fn(&[f64]) -> f64;

/// Functions of one or more numbers or lists, taken together.
const FUNCTIONS: [(&str, Function); 5] = [
    ("sum", |numbers| numbers.iter().sum()),
    ("mean", |numbers| numbers.iter().sum::<f64>() / numbers.len() as f64),
    ("min", |numbers| numbers.iter().copied().fold(f64::INFINITY, f64::min)),
    ("max", |numbers| numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)),
    ("furthest_from_1", |numbers| {
        numbers
            .iter()
            .fold(1.0, |found: f64, number| if (number - 1.0).abs() > (found - 1.0).abs() { *number } else { found })
    }),
];

/// `settled(classes, from)`: the instant in microseconds from which the mean quality factor of each class is near 1 to stay,
/// or near again, no sooner than `from`; no value for a class that does not get there.
const SETTLED: &str = "settled";

/// `missing(…)`: how many of its numbers have no value.
const MISSING: &str = "missing";

/// Parts within parts at most: what is read comes from files and links.
const MAXIMUM_DEPTH: usize = 64;

/// A parsed expression.
#[derive(Clone, Debug)]
pub struct Expression {
    root: Node,
}

#[derive(Clone, Debug)]
enum Node {
    Number(f64),
    Path(Path),
    Settled(Path, Box<Node>),
    Missing(Vec<Node>),
    Function(Function, Vec<Node>),
    Arithmetic(fn(f64, f64) -> f64, Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
}

#[derive(Clone, Debug, PartialEq)]
struct Path {
    /// As it is written.
    text: String,
    name: String,
    steps: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    Field(String),
    Elements(Vec<Selector>),
}

#[derive(Clone, Debug, PartialEq)]
enum Selector {
    Position(usize),
    Range(usize, Option<usize>),
    Name(String),
}

/// One number, or those of a list.
#[derive(Clone, Debug, PartialEq)]
enum Numbers<N> {
    One(N),
    List(Vec<N>),
}

impl<N> Numbers<N> {
    fn try_map<M>(self, map: impl Fn(N) -> Result<M, String>) -> Result<Numbers<M>, String> {
        Ok(match self {
            Self::One(number) => Numbers::One(map(number)?),
            Self::List(numbers) => Numbers::List(numbers.into_iter().map(map).collect::<Result<_, _>>()?),
        })
    }

    fn into_vec(self) -> Vec<N> {
        match self {
            Self::One(number) => vec![number],
            Self::List(numbers) => numbers,
        }
    }
}

/// Joins two element by element; one number goes with every element of a list.
fn joined<A: Copy, B: Copy, C>(
    left: Numbers<A>,
    right: Numbers<B>,
    join: impl Fn(A, B) -> C,
) -> Result<Numbers<C>, String> {
    use Numbers::{List, One};
    Ok(match (left, right) {
        (One(left), One(right)) => One(join(left, right)),
        (List(left), One(right)) => List(left.into_iter().map(|left| join(left, right)).collect()),
        (One(left), List(right)) => List(right.into_iter().map(|right| join(left, right)).collect()),
        (List(left), List(right)) if left.len() == right.len() => {
            List(left.into_iter().zip(right).map(|(left, right)| join(left, right)).collect())
        }
        (List(left), List(right)) => {
            return Err(format!("lists of {} and {} elements do not go together", left.len(), right.len()));
        }
    })
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// What is wrong with the text, as a sentence without a full stop.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let root = parser.sum()?;
        parser.space();
        if parser.at < text.len() { Err(parser.unexpected("an operator")) } else { Ok(Self { root }) }
    }

    /// The names that its paths begin with.
    pub fn names(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        self.root.collect_names(&mut names);
        names
    }

    /// Its number.
    ///
    /// # Errors
    /// Which path leads nowhere or to nothing, as a sentence without a full stop.
    pub fn number(&self, scope: &Scope) -> Result<f64, String> {
        match self.root.numbers(scope)? {
            Numbers::One(number) => Ok(number),
            Numbers::List(numbers) => {
                Err(format!("is a list of {} numbers, not one: take its sum, mean, min or max", numbers.len()))
            }
        }
    }
}

impl Node {
    fn collect_names<'a>(&'a self, names: &mut BTreeSet<&'a str>) {
        match self {
            Self::Number(_) => {}
            Self::Path(path) => {
                names.insert(&path.name);
            }
            Self::Settled(path, from) => {
                names.insert(&path.name);
                from.collect_names(names);
            }
            Self::Function(_, parts) | Self::Missing(parts) => parts.iter().for_each(|part| part.collect_names(names)),
            Self::Arithmetic(_, left, right) | Self::Or(left, right) => {
                left.collect_names(names);
                right.collect_names(names);
            }
        }
    }

    /// Its numbers, all of which must have a value.
    fn numbers(&self, scope: &Scope) -> Result<Numbers<f64>, String> {
        self.optional(scope)?.try_map(|number| {
            number.ok_or_else(|| match self {
                Self::Path(path) => {
                    format!(
                        "`{}` has no value here; say `or` and a number if that is to be expected",
                        shortened(&path.text)
                    )
                }
                _ => "has no value here; say `or` and a number if that is to be expected".into(),
            })
        })
    }

    /// Its numbers, some of which may have no value.
    fn optional(&self, scope: &Scope) -> Result<Numbers<Option<f64>>, String> {
        let some = |numbers: Numbers<f64>| numbers.try_map(|number| Ok(Some(number)));
        match self {
            Self::Number(number) => Ok(Numbers::One(Some(*number))),
            Self::Path(path) => path.elements(scope)?.try_map(|value| match value {
                Value::Null => Ok(None),
                _ => value.as_f64().map(Some).ok_or_else(|| format!("`{}` is not a number", shortened(&path.text))),
            }),
            Self::Settled(path, from) => {
                let Numbers::One(from_us) = from.numbers(scope)? else { return Err("`from` is a list".into()) };
                path.elements(scope)?.try_map(|class| {
                    settled_us(class, from_us).map_err(|what| format!("`{}` {what}", shortened(&path.text)))
                })
            }
            Self::Missing(parts) => {
                let mut count = 0;
                for part in parts {
                    count += part.optional(scope)?.into_vec().iter().filter(|number| number.is_none()).count();
                }
                Ok(Numbers::One(Some(count as f64)))
            }
            Self::Function(function, parts) => {
                let mut numbers = Vec::new();
                for part in parts {
                    numbers.extend(part.numbers(scope)?.into_vec());
                }
                Ok(Numbers::One(Some(function(&numbers))))
            }
            Self::Arithmetic(operation, left, right) => {
                some(joined(left.numbers(scope)?, right.numbers(scope)?, operation)?)
            }
            Self::Or(value, instead) => {
                some(joined(value.optional(scope)?, instead.numbers(scope)?, Option::unwrap_or)?)
            }
        }
    }
}

/// See [`SETTLED`].
fn settled_us(class: &Value, from_us: f64) -> Result<Option<f64>, String> {
    let events = class["qualityFactor"]["convergence"].as_array().ok_or("is not a class of a summary")?;
    let at_us = |event: &Value| event["atUs"].as_f64().unwrap_or(f64::NAN);
    let left = |event: &Value| event["kind"] == "left";
    let was_near = events.iter().rfind(|event| at_us(event) <= from_us).is_some_and(|event| !left(event));
    let mut after = events.iter().filter(|event| at_us(event) > from_us).peekable();
    if was_near && after.peek().is_none() {
        return Ok(Some(from_us));
    }
    Ok(after.find(|event| !left(event)).map(at_us))
}

/// Says that a path begins with nothing that there is.
fn unknown<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match closest(name, known.clone()) {
        Some(meant) => format!("`{}` cannot be read here; `{meant}` can", shortened(name)),
        None => match listed(known) {
            known if known.is_empty() => format!("`{}` cannot be read here; nothing can", shortened(name)),
            known => format!("`{}` cannot be read here; what can: {known}", shortened(name)),
        },
    }
}

impl Path {
    /// What it leads to.
    fn elements<'a>(&self, scope: &Scope<'a>) -> Result<Numbers<&'a Value>, String> {
        let root = scope.get(self.name.as_str()).ok_or_else(|| unknown(&self.name, scope.keys().copied()))?;
        let found = self.steps.iter().try_fold(Numbers::One(*root), |found, step| self.step(found, step))?;
        Ok(match found {
            Numbers::One(Value::Array(elements)) => Numbers::List(elements.iter().collect()),
            found => found,
        })
    }

    fn step<'a>(&self, found: Numbers<&'a Value>, step: &Step) -> Result<Numbers<&'a Value>, String> {
        match (step, found) {
            (Step::Field(name), Numbers::One(Value::Array(elements))) => {
                Numbers::List(elements.iter().collect()).try_map(|element| self.field(element, name))
            }
            (Step::Field(name), found) => found.try_map(|value| self.field(value, name)),
            (Step::Elements(selectors), Numbers::One(Value::Array(elements))) => self.select(elements, selectors),
            (Step::Elements(_), Numbers::List(lists)) => {
                let mut selected = Vec::new();
                for list in lists {
                    selected.extend(self.step(Numbers::One(list), step)?.into_vec());
                }
                Ok(Numbers::List(selected))
            }
            (Step::Elements(_), _) => Err(format!("`{}` takes elements of what is not a list", shortened(&self.text))),
        }
    }

    fn field<'a>(&self, value: &'a Value, name: &str) -> Result<&'a Value, String> {
        // Of what has no value no part has one.
        let found = if value.is_null() { Some(value) } else { value.get(name) };
        found.ok_or_else(|| {
            let fields = value.as_object().into_iter().flat_map(|fields| fields.keys().map(String::as_str));
            let meant = closest(name, fields).map_or_else(String::new, |meant| format!(", but `{meant}`"));
            format!("`{}` leads nowhere: there is no `{}`{meant}", shortened(&self.text), shortened(name))
        })
    }

    fn select<'a>(&self, elements: &'a [Value], selectors: &[Selector]) -> Result<Numbers<&'a Value>, String> {
        let nowhere = |what: String| format!("`{}` leads nowhere: there is no {what}", shortened(&self.text));
        let one = |selector: &Selector| match selector {
            Selector::Position(position) => elements.get(*position).ok_or_else(|| nowhere(format!("[{position}]"))),
            Selector::Name(name) => {
                let named = elements.iter().find(|element| element["name"] == name.as_str());
                named.ok_or_else(|| {
                    let names = elements.iter().filter_map(|element| element["name"].as_str());
                    let meant = closest(name, names).map_or_else(String::new, |meant| format!(", but '{meant}'"));
                    nowhere(format!("'{}'{meant}", shortened(name)))
                })
            }
            Selector::Range(..) => Err(nowhere("range here".into())),
        };
        if let [selector @ (Selector::Position(_) | Selector::Name(_))] = selectors {
            return one(selector).map(Numbers::One);
        }
        let mut selected = Vec::new();
        for selector in selectors {
            if let Selector::Range(first, end) = selector {
                let range = *first..end.unwrap_or(elements.len());
                selected.extend(
                    elements.get(range.clone()).ok_or_else(|| nowhere(format!("[{}..{}]", range.start, range.end)))?,
                );
            } else {
                selected.push(one(selector)?);
            }
        }
        Ok(Numbers::List(selected))
    }
}

/// Reads a text from left to right, by recursive descent.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Parts that it is inside of.
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Passes over a mark, if it comes next.
    fn take(&mut self, mark: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(mark);
        self.at += if found { mark.len() } else { 0 };
        found
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        if self.take(mark) { Ok(()) } else { Err(self.unexpected(&format!("`{mark}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> String {
        match self.rest() {
            "" => format!("ends where {wanted} is expected"),
            rest => format!("has `{}` where {wanted} is expected", shortened(rest)),
        }
    }

    /// The longest beginning of what is left that holds such characters.
    fn while_(&mut self, holds: impl Fn(char) -> bool) -> String {
        let length = self.rest().find(|character| !holds(character)).unwrap_or(self.rest().len());
        let found = self.rest()[..length].to_owned();
        self.at += length;
        found
    }

    fn sum(&mut self) -> Result<Node, String> {
        let mut left = self.product()?;
        loop {
            let operation = if self.take("+") {
                |left: f64, right: f64| left + right
            } else if self.take("-") {
                |left: f64, right: f64| left - right
            } else {
                return Ok(left);
            };
            left = Node::Arithmetic(operation, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Node, String> {
        let mut left = self.alternative()?;
        loop {
            let operation = if self.take("*") {
                |left: f64, right: f64| left * right
            } else if self.take("/") {
                |left: f64, right: f64| left / right
            } else {
                return Ok(left);
            };
            left = Node::Arithmetic(operation, Box::new(left), Box::new(self.alternative()?));
        }
    }

    fn alternative(&mut self) -> Result<Node, String> {
        let mut value = self.part()?;
        while self.take("or ") {
            value = Node::Or(Box::new(value), Box::new(self.part()?));
        }
        Ok(value)
    }

    fn part(&mut self) -> Result<Node, String> {
        if self.depth == MAXIMUM_DEPTH {
            return Err(format!("is nested more than {MAXIMUM_DEPTH} deep"));
        }
        self.depth += 1;
        let part = self.any_part();
        self.depth -= 1;
        part
    }

    fn any_part(&mut self) -> Result<Node, String> {
        if self.take("(") {
            let inner = self.sum()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if self.take("-") {
            return Ok(Node::Arithmetic(
                |zero, number| zero - number,
                Box::new(Node::Number(0.0)),
                Box::new(self.part()?),
            ));
        }
        self.space();
        if self.rest().starts_with(|character: char| character.is_ascii_digit()) {
            let number = self.while_(|character| character.is_ascii_digit() || character == '.');
            return number
                .parse()
                .map(Node::Number)
                .map_err(|_| format!("has `{}`, which is not a number", shortened(&number)));
        }
        let start = self.at;
        let name = self.name()?;
        if !self.take("(") {
            return self.path(start, name).map(Node::Path);
        }
        if name == SETTLED {
            self.space();
            let start = self.at;
            let root = self.name()?;
            let path = self.path(start, root)?;
            self.expect(",")?;
            let from = self.sum()?;
            self.expect(")")?;
            return Ok(Node::Settled(path, Box::new(from)));
        }
        let known = FUNCTIONS.iter().find(|(known, _)| *known == name);
        if known.is_none() && name != MISSING {
            let names: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).chain([SETTLED, MISSING]).collect();
            return Err(format!("calls `{}`; the functions are {}", shortened(&name), names.join(", ")));
        }
        let mut parts = vec![self.sum()?];
        while self.take(",") {
            parts.push(self.sum()?);
        }
        self.expect(")")?;
        Ok(match known {
            Some((_, function)) => Node::Function(*function, parts),
            None => Node::Missing(parts),
        })
    }

    fn name(&mut self) -> Result<String, String> {
        let name = self.while_(|character| character.is_ascii_alphanumeric() || character == '_');
        if name.is_empty() { Err(self.unexpected("a number, a path or a function")) } else { Ok(name) }
    }

    fn path(&mut self, start: usize, name: String) -> Result<Path, String> {
        let mut steps = Vec::new();
        loop {
            if self.rest().starts_with('.') {
                self.at += 1;
                steps.push(Step::Field(self.name()?));
            } else if self.rest().starts_with('[') {
                self.at += 1;
                steps.push(Step::Elements(self.selectors()?));
            } else {
                return Ok(Path { text: self.text[start..self.at].to_owned(), name, steps });
            }
        }
    }

    fn selectors(&mut self) -> Result<Vec<Selector>, String> {
        let mut selectors = Vec::new();
        loop {
            selectors.push(if self.take("'") {
                let name = self.while_(|character| character != '\'');
                self.expect("'")?;
                Selector::Name(name)
            } else {
                self.space();
                let first = self.position()?.ok_or_else(|| self.unexpected("a position or a name in quotes"))?;
                if self.take("..") { Selector::Range(first, self.position()?) } else { Selector::Position(first) }
            });
            if !self.take(",") {
                self.expect("]")?;
                return Ok(selectors);
            }
        }
    }

    fn position(&mut self) -> Result<Option<usize>, String> {
        let digits = self.while_(|character| character.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        digits.parse().map(Some).map_err(|_| format!("has the position {digits}, which no list has"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn evaluate(text: &str) -> Result<f64, String> {
        let convergence = |events: &[(&str, f64)]| {
            let events: Vec<Value> =
                events.iter().map(|(kind, at_us)| json!({ "kind": kind, "atUs": at_us })).collect();
            json!({ "convergence": events })
        };
        let run = json!({
            "simulatedUs": 900,
            "classes": [
                { "name": "High", "carriedGbps": 6, "qualityFactor": convergence(&[("converged", 100.0)]) },
                { "name": "QTCP 1.5", "carriedGbps": 3,
                  "qualityFactor": convergence(&[("converged", 50.0), ("left", 200.0), ("returned", 400.0)]) },
                { "name": "Low", "carriedGbps": 1, "qualityFactor": convergence(&[]) },
            ],
            "network": { "markedFraction": null, "drops": 4 },
        });
        let sweep = json!([{ "network": { "drops": 1 } }, { "network": { "drops": 2 } }]);
        let scope = Scope::from([("run", &run), ("sweep", &sweep)]);
        Expression::parse(text)?.number(&scope)
    }

    #[test]
    fn numbers_are_computed_by_the_usual_rules() {
        for (text, number) in [
            ("1 + 2 * 3 - 4 / 2", 5.0),
            ("-(1 + 2) * 0.5", -1.5),
            ("10 - 2 - 3", 5.0),
            ("max(1, 2 * 3) / min(2, 3)", 3.0),
            ("furthest_from_1(0.8, 1.1)", 0.8),
        ] {
            assert_eq!(evaluate(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn paths_follow_a_summary() {
        for (text, number) in [
            ("run.classes['High'].carriedGbps", 6.0),
            ("run.classes['QTCP 1.5'].carriedGbps / run.classes[2].carriedGbps", 3.0),
            ("sum(run.classes.carriedGbps)", 10.0),
            ("sum(run.classes[1..].carriedGbps)", 4.0),
            ("sum(run.classes[0..2].carriedGbps)", 9.0),
            ("mean(run.classes[0, 'Low'].carriedGbps)", 3.5),
            ("max(2 * run.classes.carriedGbps)", 12.0),
            ("sum(sweep.network.drops)", 3.0),
            ("sweep[1].network.drops - run.network.drops", -2.0),
        ] {
            assert_eq!(evaluate(text), Ok(number), "{text}");
        }
    }

    #[test]
    fn what_has_no_value_is_an_error_unless_another_is_given() {
        assert_eq!(evaluate("2 * run.network.markedFraction or 3"), Ok(6.0));
        assert_eq!(evaluate("missing(run.network.markedFraction.ofClass)"), Ok(1.0));
        let error = evaluate("2 * run.network.markedFraction").unwrap_err();
        assert!(error.starts_with("`run.network.markedFraction` has no value here"), "{error}");
    }

    #[test]
    fn a_class_settles_when_it_comes_near_1_to_stay() {
        for (text, number) in [
            ("settled(run.classes['High'], 0)", 100.0),
            ("settled(run.classes['High'], 150)", 150.0),
            ("settled(run.classes['QTCP 1.5'], 0)", 50.0),
            ("settled(run.classes['QTCP 1.5'], 150)", 400.0),
            ("settled(run.classes['QTCP 1.5'], 300)", 400.0),
            ("max(settled(run.classes, 0) or run.simulatedUs)", 900.0),
            ("missing(settled(run.classes, 0))", 1.0),
            ("missing(run.network.markedFraction, run.network.drops)", 1.0),
        ] {
            assert_eq!(evaluate(text), Ok(number), "{text}");
        }
        assert!(evaluate("settled(run.classes['Low'], 0)").is_err());
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        let nested = |depth: usize| evaluate(&format!("{}1{}", "(".repeat(depth), ")".repeat(depth)));
        assert_eq!(nested(MAXIMUM_DEPTH - 1), Ok(1.0));
        assert_eq!(nested(100_000), Err("is nested more than 64 deep".into()));
        assert_eq!(evaluate(&"-".repeat(100_000)), Err("is nested more than 64 deep".into()));
    }

    #[test]
    fn errors_say_where() {
        for (text, error) in [
            ("run.network.drop", "`run.network.drop` leads nowhere: there is no `drop`, but `drops`"),
            (
                "run.classes['Hihg'].carriedGbps",
                "`run.classes['Hihg'].carriedGbps` leads nowhere: there is no 'Hihg', but 'High'",
            ),
            ("rnu.network.drops", "`rnu` cannot be read here; `run` can"),
            ("other", "`other` cannot be read here; what can: `run`, `sweep`"),
            ("run.classes.carriedGbps", "is a list of 3 numbers, not one: take its sum, mean, min or max"),
            ("run.classes.name + 1", "`run.classes.name` is not a number"),
            ("sum(1", "ends where `)` is expected"),
            ("1 1", "has `1` where an operator is expected"),
            ("median(1)", "calls `median`; the functions are sum, mean, min, max, furthest_from_1, settled, missing"),
            ("run.classes.carriedGbps + sweep.network.drops", "lists of 3 and 2 elements do not go together"),
        ] {
            assert_eq!(evaluate(text), Err(error.into()), "{text}");
        }
    }
}
