//! What the three kinds of planners have in common: the grid of a study, the results known of it, and what a planner says to them.

use crate::document::Scale;
use crate::table::Standing;

/// A point of the grid: the place of its value among those of each factor.
pub type Place = Vec<u32>;

/// The values of a factor as planners see them.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// The value at each place; the place itself where values are words or alternatives.
    pub values: Vec<f64>,
    /// How they lie.
    pub scale: Scale,
    /// They are words or alternatives, which have no order.
    pub is_words: bool,
    /// The place of the value that the scenario has, or of the nearest one; none where it is none of them (a word).
    pub present: Option<u32>,
    /// The place nearest to what theory recommends.
    pub recommended: Option<u32>,
}

/// The result of a run: a number of every measure, `None` if it has no value there; or why there is no run.
pub type RunValues<'a> = Result<&'a [Option<f64>], &'a str>;

/// The results that there are.
pub trait Known {
    /// What the run at a place gave under a seed, counted from the first one of the study as 0; none while it is not known.
    fn outcome(&self, place: &[u32], seed: u32) -> Option<RunValues<'_>>;

    /// Why the engine refuses a place, where it does: no run is made there, and planners wish for none.
    fn refused(&self, _place: &[u32]) -> Option<&str> {
        None
    }
}

/// A run that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wish {
    /// Where.
    pub place: Place,
    /// Its seed, counted from the first one of the study as 0.
    pub seed: u32,
}

/// What a planner says to what is known: a function of the study and of what is known alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Said<A> {
    /// The runs that are wanted and not known, the most important first. None where there is an answer.
    pub wishes: Vec<Wish>,
    /// All places that it has come to, in the order in which it did: the points of the table.
    pub places: Vec<Place>,
    /// What it thinks of each of them; empty for kinds that think nothing.
    pub standings: Vec<Standing>,
    /// What is being done, in a few words.
    pub doing: String,
    /// The answer.
    pub answer: Option<A>,
}
