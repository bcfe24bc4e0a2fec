//! How a drive is fitted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use qoscope_interop::fio::{Access, MeasuredJob};

/// What a fitted drive is called where nobody says.
pub const DEFAULT_NAME: &str = "Measured drive";

/// What latencies are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Matching {
    /// Means alone.
    Mean,
    /// Means, medians and 99th percentiles.
    #[default]
    Distribution,
}

/// How a drive is fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choices {
    /// One of so many jobs is held out; 0: none. Of fewer jobs than that none is.
    pub hold_out: u32,
    /// What is matched.
    pub matching: Matching,
    /// The seed of all runs.
    pub seed: u32,
    /// The maximum number of runs: of the search, of the intervals and of the confirmation together.
    pub max_runs: u32,
}

impl Default for Choices {
    fn default() -> Self {
        Self { hold_out: 4, matching: Matching::Distribution, seed: 42, max_runs: 2000 }
    }
}

/// [`Choices`] as far as somebody makes them, as JSON has them: `{ holdOut, meansAlone, seed, maxRuns, remote }`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[schemars(rename = "FitChoices")]
pub struct Asked {
    /// One of so many jobs is held out; 0: none.
    #[schemars(with = "u32")]
    hold_out: Option<u32>,
    /// Means are matched, and no percentiles.
    #[schemars(with = "bool")]
    means_alone: Option<bool>,
    /// The seed of all runs.
    #[schemars(with = "u32")]
    seed: Option<u32>,
    /// The maximum number of runs.
    #[serde(alias = "mostRuns")]
    #[schemars(with = "u32")]
    max_runs: Option<u32>,
    /// Files of jobs that reached the drive from another host, over NVMe/TCP.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remote: Vec<String>,
}

impl Asked {
    /// The choices; those that nobody made are the usual ones.
    pub fn choices(&self) -> Choices {
        let usual = Choices::default();
        let matching = |alone| if alone { Matching::Mean } else { Matching::Distribution };
        Choices {
            hold_out: self.hold_out.unwrap_or(usual.hold_out),
            matching: self.means_alone.map_or(usual.matching, matching),
            seed: self.seed.unwrap_or(usual.seed),
            max_runs: self.max_runs.unwrap_or(usual.max_runs),
        }
    }
}

impl Asked {
    /// Jobs with how they reached the drive, as far as somebody said.
    pub fn placed(&self, mut jobs: Vec<MeasuredJob>) -> Vec<MeasuredJob> {
        let is_said = |job: &&mut MeasuredJob| job.access.is_local() && self.remote.contains(&job.file);
        jobs.iter_mut().filter(is_said).for_each(|job| job.access = Access::NvmeTcp);
        jobs
    }
}

impl From<Choices> for Asked {
    fn from(Choices { hold_out, matching, seed, max_runs }: Choices) -> Self {
        let means_alone = matching == Matching::Mean;
        Self {
            hold_out: Some(hold_out),
            means_alone: Some(means_alone),
            seed: Some(seed),
            max_runs: Some(max_runs),
            remote: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asks_for_is_usual() {
        let asked: Asked = qoscope_interop::read(r#"{ "meansAlone": true, "seed": 3 }"#).unwrap();
        assert_eq!(asked.choices(), Choices { matching: Matching::Mean, seed: 3, ..Choices::default() });
        assert_eq!(Asked::from(Choices::default()).choices(), Choices::default());
        let earlier: Asked = qoscope_interop::read(r#"{ "mostRuns": 90 }"#).unwrap();
        assert_eq!(earlier.choices().max_runs, 90);
        let refused = qoscope_interop::read::<Asked>(r#"{ "seeds": 3 }"#).unwrap_err();
        assert!(refused[0].reason.contains("seeds"), "{refused:?}");
    }
}
