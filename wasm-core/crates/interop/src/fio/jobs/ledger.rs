//! What became of the lines of a file, gathered while its jobs are read: a line of `[global]` is of several jobs and one entry.

use qoscope_engine::text::three_digits;
use std::collections::BTreeMap;

use super::ini::{Line, Section};
use super::{Became, How};

/// Values that are listed of a line; further ones are counted.
const MAXIMUM_LISTED: usize = 6;

/// What became of lines, by their numbers.
#[derive(Default)]
pub(super) struct Ledger {
    outcomes: BTreeMap<u32, Outcome>,
}

#[derive(Default)]
struct Outcome {
    path: String,
    to: Vec<String>,
    further: usize,
    /// How it went over where it went over worst, and why; none where all went as the table says.
    worst: Option<(How, String)>,
    /// It went over somewhere.
    went: bool,
    /// It is of no use in some job.
    useless: bool,
}

impl Ledger {
    /// A line became the field at `path`, as its row of the table says.
    pub(super) fn add(&mut self, line: u32, path: impl Into<String>, to: impl Into<String>) {
        self.outcome(line, path.into(), to.into());
    }

    /// A line became the field at `path` in a way of its own.
    pub(super) fn because(
        &mut self,
        line: u32,
        path: impl Into<String>,
        to: impl Into<String>,
        how: How,
        why: impl Into<String>,
    ) {
        let outcome = self.outcome(line, path.into(), to.into());
        if outcome.worst.as_ref().is_none_or(|(worst, _)| how > *worst) {
            outcome.worst = Some((how, why.into()));
        }
    }

    /// Nothing became of a line in a job.
    pub(super) fn nothing(&mut self, line: u32, why: impl Into<String>) {
        self.because(line, "", "", How::NotAtAll, why);
    }

    /// A line is of no use in a job, which says nothing of others.
    pub(super) fn useless(&mut self, line: u32) {
        self.outcomes.entry(line).or_default().useless = true;
    }

    fn outcome(&mut self, line: u32, path: String, to: String) -> &mut Outcome {
        let outcome = self.outcomes.entry(line).or_default();
        if outcome.path.is_empty() {
            outcome.path = path;
        }
        outcome.went |= !to.is_empty();
        if !to.is_empty() && !outcome.to.contains(&to) {
            if outcome.to.len() < MAXIMUM_LISTED { outcome.to.push(to) } else { outcome.further += 1 }
        }
        outcome
    }

    /// What became of every line of the file, in its order.
    pub(super) fn became(mut self, sections: &[Section], file: &str) -> Vec<Became> {
        let lines = sections.iter().flat_map(|section| section.options.iter().map(move |line| (section, line)));
        lines.map(|(section, line)| entry(file, section, line, self.outcomes.remove(&line.number))).collect()
    }
}

fn entry(file: &str, section: &Section, line: &Line, outcome: Option<Outcome>) -> Became {
    let became = Became {
        file: file.into(),
        line: line.number,
        section: section.name.into(),
        option: line.option.into(),
        value: line.value.map(|value| value.trim().into()),
        path: String::new(),
        to: String::new(),
        how: line.reading.how,
        why: line.reading.why.into(),
    };
    match outcome {
        None if line.reading.is_read() => Became {
            how: How::NotAtAll,
            why: "Every job that it is for sets it anew behind this line.".into(),
            ..became
        },
        None => became,
        Some(Outcome { worst: None, went: false, useless: true, .. }) => {
            Became { how: How::NotAtAll, why: "It changes nothing in jobs of this kind.".into(), ..became }
        }
        Some(Outcome { path, mut to, further, worst, went, .. }) => {
            if further > 0 {
                to.push(format!("{} more", three_digits(further as f64)));
            }
            let (how, why) = match worst {
                // What went over for some jobs is there.
                Some((How::NotAtAll, why)) if went => (How::Roughly, why),
                Some((how, why)) => (how, why),
                None => (became.how, became.why.clone()),
            };
            Became { path, to: to.join(", "), how, why, ..became }
        }
    }
}
