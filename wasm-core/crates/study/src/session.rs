//! A study in progress: the runs that it needs, given the known results, its table and its answer.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;

use qoscope_campaign::{Campaign, Detail, Keys, Outcome, Progress, RunRequest};
use qoscope_engine::kernel::convert::index_u32;
use qoscope_engine::scenario::{self, Diagnostic};
use qoscope_engine::simulation;
use qoscope_figures::lessons::with_settings;
use serde_json::Value;

use crate::answer;
use crate::base::Changes;
use crate::cost;
use crate::document::{Ask, Preference, Study, Target, Within};
use crate::interval::Width;
use crate::measure::{SETTINGS, scope};
use crate::plan::{Known, Place, RunValues, Said, Wish};
use crate::question::{Question, factor_named};
use crate::search::{self, Aim, Bound, FoundPlan, Names, Quantity, Search, Searcher};
use crate::sensitivity::{self, Screening};
use crate::sweep::{Asked, Sweep, SweepSaid};
use crate::table::{Answer, Cell, Cost, Point, Ranking, Standing, StudyProgress, Table};

/// A study with the results that have come.
pub struct Session {
    study: Study,
    question: Question,
    traces: BTreeMap<String, String>,
    /// At hand but while it is asked.
    plan: Option<Plan>,
    points: Vec<Visited>,
    by_place: BTreeMap<Place, u32>,
    runs: Vec<Run>,
    /// Runs that are needed and not known, by their rank.
    open: BTreeMap<u32, u32>,
    /// Rank of the first run that has not been requested.
    unrequested: u32,
    said: Told,
    /// Points that have changed since they were last told; none where the whole table is to be told.
    changed: Option<BTreeSet<u32>>,
}

/// The planner of the study.
enum Plan {
    Sweep(Sweep),
    Sensitivity(Screening),
    Search(Box<(Search, Searcher)>),
}

impl Plan {
    fn new(study: &Study, question: &Question) -> Self {
        let (axes, measures, seeds) = (question.axes(), question.gauges.len(), study.seeds.count);
        match &study.ask {
            Ask::Sweep { within, bends } => {
                let of_within = |within: &Within| Asked {
                    width: match (within.percent, within.absolute) {
                        (Some(percent), _) => Width::Percent(percent),
                        (None, width) => Width::Absolute(width.unwrap_or(f64::INFINITY)),
                    },
                    measures: match within.measures.as_slice() {
                        [] => (0..measures).collect(),
                        titles => titles.iter().flat_map(|title| question.measures_called(title)).collect(),
                    },
                    most: within.max_seeds,
                };
                let own = question.varied.iter().map(|varied| varied.own.clone()).collect();
                Self::Sweep(Sweep { axes, own, measures, seeds, within: within.as_ref().map(of_within), bends: *bends })
            }
            Ask::Sensitivity { walks, .. } => Self::Sensitivity(Screening { axes, measures, walks: *walks, seeds }),
            Ask::Search { targets, prefer, confirm, max_runs } => {
                let measure = |title: &str| question.measures_called(title).first().copied();
                let bound = |target: &Target| {
                    let Target { at_most, at_least, confidence, .. } = *target;
                    Some(Bound { measure: measure(&target.measure)?, at_most, at_least, confidence })
                };
                let aim = |preference: &Preference| {
                    let factor = || factor_named(study, &question.varied, &preference.of).map(Quantity::Factor);
                    let of = measure(&preference.of).map(Quantity::Measure).or_else(factor)?;
                    Some(Aim { of, wanted: preference.wanted })
                };
                let search = Search {
                    axes,
                    measures,
                    targets: targets.iter().filter_map(bound).collect(),
                    prefer: prefer.iter().filter_map(aim).collect(),
                    seeds,
                    confirm: *confirm,
                    max_runs: *max_runs,
                };
                Self::Search(Box::new((search.clone(), Searcher::new(search))))
            }
        }
    }
}

/// What a planner said.
struct Planned {
    said: Said<Planning>,
    /// Seeds that are wanted of each place; empty: those that have been.
    seeds: Vec<u32>,
}

impl Planned {
    fn of<A>(said: Said<A>, seeds: Vec<u32>, planning: impl Fn(A) -> Planning) -> Self {
        let Said { wishes, places, standings, doing, answer } = said;
        Self { said: Said { wishes, places, standings, doing, answer: answer.map(planning) }, seeds }
    }
}

/// An answer in the planner's terms.
enum Planning {
    Table,
    Rankings(Vec<Ranking>),
    Found(Box<FoundPlan>),
}

/// What the planner said last.
#[derive(Default)]
struct Told {
    /// The points of the table.
    points: Vec<u32>,
    doing: String,
    candidates: Vec<Standing>,
    answer: Option<Answer>,
}

/// A point that the planner has come to.
struct Visited {
    place: Place,
    changes: Changes,
    /// Why the engine refuses it, or what its runs are known by.
    keys: Result<Keys, String>,
    /// The run under each seed.
    runs: Vec<Option<u32>>,
    /// Seeds that are wanted.
    wanted: u32,
    /// Its row in the table.
    row: Option<usize>,
    /// Of each measure the first seed without a value, and why.
    without: Vec<Option<(u32, String)>>,
}

/// A run.
struct Run {
    point: u32,
    seed: u32,
    /// Its place among those that were wanted when it was wanted.
    rank: u32,
    /// Of every measure the number; or why it failed.
    result: Option<Result<Box<[Option<f64>]>, String>>,
}

impl Known for Session {
    fn refused(&self, place: &[u32]) -> Option<&str> {
        self.points[*self.by_place.get(place)? as usize].keys.as_ref().err().map(String::as_str)
    }

    fn outcome(&self, place: &[u32], seed: u32) -> Option<RunValues<'_>> {
        let point = &self.points[*self.by_place.get(place)? as usize];
        if let Err(refused) = &point.keys {
            return Some(Err(refused));
        }
        let run = (*point.runs.get(seed as usize)?)?;
        let result = self.runs[run as usize].result.as_ref()?;
        Some(result.as_deref().map_err(String::as_str))
    }
}

impl Session {
    /// Of a study and the document of its scenario, with the content of traces by name ([`crate::trace_hash`]).
    ///
    /// # Errors
    /// Everything that is wrong with the study on this scenario, at once.
    pub fn new(study: Study, document: &Value, traces: &BTreeMap<String, String>) -> Result<Self, Vec<Diagnostic>> {
        let question = Question::new(&study, document)?;
        let plan = Plan::new(&study, &question);
        Ok(Self {
            study,
            question,
            traces: traces.clone(),
            plan: Some(plan),
            points: Vec::new(),
            by_place: BTreeMap::new(),
            runs: Vec::new(),
            open: BTreeMap::new(),
            unrequested: 0,
            said: Told::default(),
            changed: None,
        })
    }

    /// The study.
    pub fn study(&self) -> &Study {
        &self.study
    }

    /// What it costs.
    pub fn cost(&self) -> Cost {
        cost::cost(&self.study, &self.question)
    }

    /// The scenario at a point of the table under a seed, counted from the first one as 0, as JSON; none where there is no such point.
    pub fn scenario_at(&mut self, row: usize, seed: u32) -> Option<String> {
        self.settle();
        let point = *self.said.points.get(row)?;
        Some(self.document_at(&self.points[point as usize], seed).to_string())
    }

    fn document_at(&self, point: &Visited, seed: u32) -> Value {
        let mut document = self.question.base.changed(&point.changes);
        document["seed"] = self.question.first_seed.saturating_add(seed).into();
        document
    }

    /// The numbers of a summary. Why there is none is kept with the point.
    fn read(&mut self, summary: &Value, point: u32, seed: u32) -> Result<Box<[Option<f64>]>, String> {
        let visited = &self.points[point as usize];
        let needs_settings = self.question.gauges.iter().any(|gauge| gauge.expression.names().contains(SETTINGS));
        let with_settings =
            needs_settings.then(|| with_settings(summary.clone(), self.document_at(visited, seed))).transpose()?;
        let scope = scope(with_settings.as_ref().unwrap_or(summary));
        let numbers: Vec<Result<f64, String>> = self.question.gauges.iter().map(|gauge| gauge.read(&scope)).collect();
        let without = &mut self.points[point as usize].without;
        for (number, without) in numbers.iter().zip(without) {
            if let Err(reason) = number
                && without.as_ref().is_none_or(|(first, _)| seed < *first)
            {
                *without = Some((seed, reason.clone()));
            }
        }
        Ok(numbers.into_iter().map(Result::ok).collect())
    }

    /// The table as far as results reach.
    pub fn table(&mut self) -> Table {
        self.settle();
        self.changed = Some(BTreeSet::new());
        self.table_so_far()
    }

    fn table_so_far(&self) -> Table {
        Table {
            factors: self.question.varied.iter().map(|varied| varied.view.clone()).collect(),
            measures: self.question.gauges.iter().map(|gauge| gauge.view.clone()).collect(),
            first_seed: self.question.first_seed,
            points: self.said.points.iter().map(|point| self.point(*point)).collect(),
        }
    }

    /// The points that have changed since the table or its changes were last told, each with its row; none where the whole table is to be taken
    /// anew.
    pub fn changed(&mut self) -> Option<Vec<(usize, Point)>> {
        self.settle();
        let changed = mem::take(self.changed.as_mut()?);
        let row = |point: u32| Some((self.points[point as usize].row?, self.point(point)));
        Some(changed.into_iter().filter_map(row).collect())
    }

    fn point(&self, point: u32) -> Point {
        let visited = &self.points[point as usize];
        let values = visited
            .place
            .iter()
            .zip(&self.question.varied)
            .map(|(place, varied)| varied.values[*place as usize].clone());
        let result = |run: &Option<u32>| run.and_then(|id| self.runs[id as usize].result.as_ref());
        let results: Vec<Option<&Result<_, String>>> = visited.runs.iter().map(result).collect();
        let known = results.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let failed = results.iter().flatten().find_map(|result| result.as_ref().err());
        let cell = |measure: usize| {
            let number =
                |result: &Option<&Result<Box<[Option<f64>]>, String>>| result.and_then(|of| of.as_ref().ok()?[measure]);
            let without = visited.without[measure].as_ref().map(|(_, reason)| reason);
            Cell::of(results[..known].iter().map(number).collect(), self.pilot(), without.or(failed))
        };
        Point {
            values: values.collect(),
            set: visited
                .changes
                .iter()
                .filter(|(path, value)| self.question.base.in_force(path) != *value)
                .cloned()
                .collect(),
            refused: visited.keys.as_ref().err().cloned(),
            seeds: index_u32(results.iter().flatten().count()),
            wanted: visited.wanted,
            is_added: self.is_added(&visited.place),
            cells: (0..self.question.gauges.len()).map(cell).collect(),
        }
    }

    /// Seeds of a point from which it was decided how many there are.
    fn pilot(&self) -> Option<u32> {
        matches!(self.study.ask, Ask::Sweep { within: Some(_), .. }).then_some(self.study.seeds.count)
    }

    /// Whether a place lies between those of the study.
    fn is_added(&self, place: &[u32]) -> bool {
        place.iter().zip(&self.question.varied).any(|(value, varied)| varied.own.binary_search(value).is_err())
    }

    /// The progress, with the present state of the points of a search.
    pub fn study_progress(&mut self) -> StudyProgress {
        StudyProgress { progress: self.progress(), candidates: self.said.candidates.clone() }
    }

    /// Asks the planner, until it wants runs or has the answer. It is asked anew once all runs that it wanted are known, so that the order in
    /// which they came does not matter.
    fn settle(&mut self) {
        while self.open.is_empty() && self.said.answer.is_none() {
            let visited = self.points.len();
            let Some(mut plan) = self.plan.take() else { return };
            let planned = match &mut plan {
                Plan::Sweep(sweep) => {
                    let SweepSaid { said, seeds } = sweep.next(self);
                    Planned::of(said, seeds, |()| Planning::Table)
                }
                Plan::Sensitivity(screening) => {
                    Planned::of(sensitivity::next(screening, self), Vec::new(), Planning::Rankings)
                }
                Plan::Search(search) => {
                    Planned::of(search.1.next(self), Vec::new(), |found| Planning::Found(Box::new(found)))
                }
            };
            self.plan = Some(plan);
            self.take(planned);
            let is_stuck = self.open.is_empty() && self.said.answer.is_none() && visited == self.points.len();
            debug_assert!(!is_stuck, "the planner wants what is known");
            if is_stuck {
                return;
            }
            // The planner did not know yet which of the points that it has come to are refused.
            if self.points[visited..].iter().any(|point| point.keys.is_err()) {
                self.open.clear();
            }
            self.unrequested = 0;
        }
    }

    /// Notes what the planner said.
    fn take(&mut self, Planned { said, seeds }: Planned) {
        let points: Vec<u32> = said.places.into_iter().map(|place| self.visit(place)).collect();
        for (rank, Wish { place, seed }) in said.wishes.into_iter().enumerate() {
            let point = self.visit(place);
            if self.points[point as usize].keys.is_ok() {
                let id = self.run(point, seed);
                if self.runs[id as usize].result.is_none() {
                    self.runs[id as usize].rank = index_u32(rank);
                    self.open.insert(index_u32(rank), id);
                }
            }
        }
        let wanted = |point: &Visited, row: usize| match seeds.get(row) {
            _ if point.keys.is_err() => 0,
            Some(seeds) => *seeds,
            None => index_u32(point.runs.iter().flatten().count()),
        };
        let is_same = points == self.said.points
            && points.iter().enumerate().all(|(row, point)| {
                let point = &self.points[*point as usize];
                point.wanted == wanted(point, row)
            });
        if !is_same {
            self.points.iter_mut().for_each(|point| point.row = None);
            for (row, point) in points.iter().enumerate() {
                let point = &mut self.points[*point as usize];
                point.wanted = wanted(point, row);
                point.row = Some(row);
            }
            self.changed = None;
        }
        self.said.points = points;
        self.said.doing = said.doing;
        self.said.candidates = said.standings;
        self.said.answer = said.answer.map(|planning| self.answered(planning));
    }

    /// What the study answers, all that it takes being known.
    fn answered(&self, planning: Planning) -> Answer {
        let table = self.table_so_far();
        let value = |factor: usize, place: u32| self.question.varied[factor].values[place as usize].clone();
        let names = Names { factors: &table.factors, measures: &table.measures, value: &value };
        let places: Vec<Place> =
            self.said.points.iter().map(|point| self.points[*point as usize].place.clone()).collect();
        match (planning, &self.plan) {
            (Planning::Found(found), Some(Plan::Search(search))) => {
                Answer::Search(Box::new(search::found(&found, &search.0, &names, &places)))
            }
            (Planning::Rankings(mut rankings), _) => {
                sensitivity::say(&mut rankings, &names);
                Answer::Sensitivity { rankings }
            }
            (_, Some(Plan::Sweep(sweep))) => {
                Answer::Sweep { says: answer::of_sweep(&table, &names, &places, sweep.within.as_ref()) }
            }
            _ => Answer::Sweep { says: Vec::new() },
        }
    }

    /// The point at a place, which the engine looks at when it is first come to.
    fn visit(&mut self, place: Place) -> u32 {
        if let Some(known) = self.by_place.get(&place) {
            return *known;
        }
        let changes = self.question.changes(&place);
        let keys = scenario::from_value(self.question.base.changed(&changes))
            .and_then(|scenario| simulation::check(&scenario).map(|_warnings| Keys::new(&scenario, &self.traces)))
            .map_err(|refused| refusal(&refused));
        let point = index_u32(self.points.len());
        let without = vec![None; self.question.gauges.len()];
        self.by_place.insert(place.clone(), point);
        self.points.push(Visited { place, changes, keys, runs: Vec::new(), wanted: 0, row: None, without });
        point
    }

    /// The run at a point under a seed.
    fn run(&mut self, point: u32, seed: u32) -> u32 {
        let runs = &mut self.points[point as usize].runs;
        if runs.len() <= seed as usize {
            runs.resize(seed as usize + 1, None);
        }
        *runs[seed as usize].get_or_insert_with(|| {
            self.runs.push(Run { point, seed, rank: 0, result: None });
            index_u32(self.runs.len() - 1)
        })
    }
}

/// Why the engine refuses a point, in a sentence or two.
fn refusal(diagnostics: &[Diagnostic]) -> String {
    diagnostics.first().map(qoscope_figures::sentence).unwrap_or_default()
}

impl Campaign for Session {
    type Answer = Answer;

    fn next(&mut self, max: usize) -> Vec<RunRequest> {
        self.settle();
        let open: Vec<(u32, u32)> =
            self.open.range(self.unrequested..).take(max).map(|(rank, id)| (*rank, *id)).collect();
        if let Some((rank, _)) = open.last() {
            self.unrequested = rank + 1;
        }
        let request = |(_, id): (u32, u32)| {
            let run = &self.runs[id as usize];
            let keys = self.points[run.point as usize].keys.as_ref();
            let seed = self.question.first_seed + run.seed;
            let key = keys.map(|keys| keys.of(seed.into(), Detail::Kept)).unwrap_or_default();
            RunRequest { id, key, detail: Detail::Kept }
        };
        open.into_iter().map(request).collect()
    }

    fn scenario(&self, id: u32) -> Option<String> {
        let run = self.runs.get(id as usize)?;
        Some(self.document_at(&self.points[run.point as usize], run.seed).to_string())
    }

    fn put(&mut self, id: u32, outcome: Outcome<'_>) {
        let Some(run) = self.runs.get(id as usize).filter(|run| run.result.is_none()) else { return };
        let (point, seed) = (run.point, run.seed);
        let result = match outcome {
            Outcome::Failed(reason) => Err(reason),
            Outcome::Summary(summary) => self.read(summary, point, seed),
        };
        let run = &mut self.runs[id as usize];
        run.result = Some(result);
        self.open.remove(&run.rank);
        if let Some(changed) = &mut self.changed {
            changed.insert(point);
        }
    }

    fn progress(&mut self) -> Progress {
        self.settle();
        Progress {
            known: self.runs.iter().filter(|run| run.result.is_some()).count() as u64,
            wanted: self.said.points.iter().map(|point| u64::from(self.points[*point as usize].wanted)).sum(),
            is_limit: false,
            done: self.said.answer.is_some(),
            doing: self.said.doing.clone(),
        }
    }

    fn answer(&mut self) -> Option<Result<Answer, Vec<Diagnostic>>> {
        self.settle();
        self.said.answer.clone().map(Ok)
    }
}
