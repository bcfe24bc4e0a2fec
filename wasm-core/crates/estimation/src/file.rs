//! A drive as a file: what was fitted to measurements, and the evidence for it.

use std::collections::BTreeMap;

use qoscope_engine::scenario::document::{Evidence, FittedValue, MeasuredFile};
use qoscope_engine::scenario::{self, Diagnostic, Scenario, quoted};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Compared, Errors, Fit, Fitted, JobOutcome, OperationOutcome, Outcome, fill, one_host};
use qoscope_interop::fio::MeasuredJob;

/// Version of the format.
const VERSION: u64 = 1;
/// Letters of a name.
const NAME_LENGTH: usize = 80;

/// A drive that was fitted.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "FitDrive")]
pub struct Drive {
    /// Version of the format.
    drive: u64,
    /// What it is called.
    pub name: String,
    /// The section `storage.ssd` of a scenario with this drive, with its evidence in short.
    pub ssd: Value,
    /// Fields beside it that the drive was fitted with, by path: `access.software.hostLatencyUs` and `targetLatencyUs`.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub beside: BTreeMap<String, Value>,
    /// What it was fitted to, and how well: as [`Drive::of`] writes it.
    #[schemars(with = "Option<DriveEvidence>")]
    pub evidence: Value,
}

/// A file that jobs were read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "FitSource")]
pub struct Source {
    /// Its name.
    pub file: String,
    /// The hash of what it contains.
    pub hash: String,
}

impl Drive {
    /// The drive that was fitted to jobs of some files; `None` if the jobs do not match a drive of the model.
    pub fn of(fit: &Fit, outcome: &Outcome, name: &str, files: &[Source]) -> Option<Self> {
        if !outcome.verdict.matches {
            return None;
        }
        let evidence = DriveEvidence {
            engine: qoscope_engine::VERSION,
            seed: outcome.seed,
            runs: outcome.runs,
            files,
            fitted: &outcome.fitted,
            errors: outcome.errors,
            held_out_errors: outcome.held_out_errors,
            jobs: outcome.jobs.iter().map(|of| Job::of(&fit.jobs()[of.job], of)).collect(),
        };
        let name: String = name.trim().chars().take(NAME_LENGTH).collect();
        let mut ssd = outcome.ssd.clone();
        ssd["evidence"] = json!(in_short(outcome, &name, files));
        Some(Self { drive: VERSION, name, ssd, beside: outcome.beside.clone(), evidence: json!(evidence) })
    }

    /// A scenario with this drive: its section `storage.ssd`, with what it holds at the start, and the times of the software that it was
    /// fitted with. The remarks name settings of the scenario under which the drive answers otherwise than in the fit.
    ///
    /// # Errors
    /// Every diagnostic of the scenario that results.
    pub fn onto(&self, scenario: &Scenario) -> Result<(Scenario, Vec<Diagnostic>), Vec<Diagnostic>> {
        let mut document = scenario::as_value(scenario);
        document["storage"]["ssd"] = self.ssd.clone();
        self.put_software(&mut document["access"]["software"]);
        let with_drive = scenario::from_value(document)?;
        let jobs = self.evidence["jobs"].as_array().into_iter().flatten();
        let outstanding =
            jobs.map(|job| job["iodepth"].as_u64().unwrap_or(1) * job["numjobs"].as_u64().unwrap_or(1)).max();
        let admitted = u64::from(with_drive.storage.nvme.device_commands);
        let remark = outstanding.filter(|outstanding| *outstanding > admitted).map(|outstanding| {
            let reason = format!(
                "is {admitted}, and the jobs of the fit had up to {outstanding} requests in the drive: at more than {admitted} it answers otherwise"
            );
            let hint = format!("Set it to {outstanding} or more to repeat those jobs.");
            Diagnostic::warning("storage.nvme.deviceCommands", reason, hint)
        });
        Ok((with_drive, remark.into_iter().collect()))
    }

    /// Reads the file of a drive.
    ///
    /// # Errors
    /// That it is none, or of a later version, or what the engine has against its values.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = scenario::parse(text).map_err(|diagnostic| vec![diagnostic])?;
        let refused = |path: &str, reason: String, hint: &str| Err(vec![Diagnostic::new(path, reason, hint)]);
        match document["drive"].as_u64() {
            Some(VERSION) => {}
            Some(later) => return refused("drive", format!("is version {later}"), "Use a QoScope that knows it."),
            None => {
                return refused("drive", "is missing: this is no file of a drive".into(), "Save a drive as a file.");
            }
        }
        let Some(name) = document["name"].as_str().map(str::trim).filter(|name| !name.is_empty()) else {
            return refused("name", "is missing".into(), "Give the drive a name.");
        };
        if name.chars().count() > NAME_LENGTH {
            return refused("name", format!("has more than {NAME_LENGTH} letters"), "Give it a shorter one.");
        }
        if !document["ssd"].is_object() {
            return refused("ssd", "is missing".into(), "It holds the fields of storage.ssd.");
        }
        let mut beside = BTreeMap::new();
        for (path, value) in document["beside"].as_object().into_iter().flatten() {
            if path != HOST && path != TARGET {
                let hint = "A drive has storage.ssd, and the times of the software of host and target.";
                return refused("beside", format!("has {}, which is none of a drive", quoted(path)), hint);
            }
            beside.insert(path.clone(), value.clone());
        }
        let mut ssd = document["ssd"].clone();
        // Files of earlier versions do not say what the drive held during the fit.
        if !document["evidence"].is_null() && ssd["precondition"].is_null() && ssd["occupancy"].is_null() {
            fill(&mut ssd, false);
        }
        let drive = Self { drive: VERSION, name: name.into(), ssd, beside, evidence: document["evidence"].clone() };
        scenario::from_value(drive.alone()).map(|_| drive)
    }

    /// A scenario of one host with this drive: what the engine has against one it has against the drive.
    fn alone(&self) -> Value {
        let mut software = json!({});
        self.put_software(&mut software);
        one_host(&self.name, &self.ssd, &software)
    }

    /// Sets the times of the software that it was fitted with.
    fn put_software(&self, software: &mut Value) {
        for (path, field) in [(HOST, "hostLatencyUs"), (TARGET, "targetLatencyUs")] {
            if let Some(us) = self.beside.get(path) {
                software[field] = us.clone();
            }
        }
    }
}

/// The evidence that a scenario keeps with the drive: `storage.ssd.evidence`.
fn in_short(outcome: &Outcome, name: &str, files: &[Source]) -> Evidence {
    let jobs = |held_out: bool| outcome.jobs.iter().filter(|job| job.held_out == held_out).count() as u32;
    let (errors, held_out) = (&outcome.errors.of, outcome.held_out_errors.as_ref().map(|errors| &errors.of));
    let file = |Source { file, hash }: &Source| MeasuredFile { file: file.clone(), hash: hash.clone() };
    let value = |of: &Fitted| FittedValue { path: of.path.into(), value: of.value, low: of.low, high: of.high };
    Evidence {
        name: name.into(),
        files: files.iter().map(file).collect(),
        fitted_jobs: jobs(false),
        held_out_jobs: jobs(true),
        mean_error_percent: errors.mean,
        p99_error_percent: errors.p99,
        held_out_mean_error_percent: held_out.and_then(|errors| errors.mean),
        held_out_p99_error_percent: held_out.and_then(|errors| errors.p99),
        values: outcome.fitted.iter().map(value).collect(),
    }
}

/// The time of the host's software.
const HOST: &str = "access.software.hostLatencyUs";
/// That of the target's.
const TARGET: &str = "access.software.targetLatencyUs";

/// What a drive was fitted to, and how well.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct DriveEvidence<'a> {
    /// Version of the engine.
    engine: &'static str,
    /// The seed of all runs.
    seed: u32,
    /// Runs made.
    runs: u32,
    /// The files that the jobs were read from.
    files: &'a [Source],
    /// Parameters that the jobs determine.
    fitted: &'a [Fitted],
    /// Mean errors of the jobs that were fitted.
    errors: Errors,
    /// Of those that were held out; null if none was.
    held_out_errors: Option<Errors>,
    /// The jobs.
    jobs: Vec<Job<'a>>,
}

/// A job as evidence.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EvidenceJob")]
struct Job<'a> {
    /// Name of its file.
    file: &'a str,
    /// Its name.
    name: &'a str,
    /// Requests outstanding of each clone.
    iodepth: u32,
    /// Clones that ran at once.
    numjobs: u32,
    /// Whether it was held out.
    held_out: bool,
    /// Its reads, measured and simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    reads: Option<Compared>,
    /// Its writes, measured and simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    writes: Option<Compared>,
    /// Digest of its run.
    digest: &'a str,
}

impl<'a> Job<'a> {
    fn of(job: &'a MeasuredJob, of: &'a JobOutcome) -> Self {
        let compared = |of: &Option<OperationOutcome>| of.as_ref().map(|of| of.compared.clone());
        Self {
            file: &job.file,
            name: &job.name,
            iodepth: job.iodepth,
            numjobs: job.numjobs,
            held_out: of.held_out,
            reads: compared(&of.reads),
            writes: compared(&of.writes),
            digest: &of.digest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(document: &Value) -> String {
        let diagnostics = Drive::read(&document.to_string()).unwrap_err();
        format!("{} {}", diagnostics[0].path, diagnostics[0].reason)
    }

    fn document() -> Value {
        json!({
            "drive": 1, "name": "Drive of lab 3",
            "ssd": { "readLsbUs": 52.5, "precondition": "sequential", "occupancy": 1 },
            "beside": { HOST: 6.5 }, "evidence": { "runs": 640 },
        })
    }

    #[test]
    fn is_the_same_when_it_is_read_again() {
        let drive = Drive::read(&document().to_string()).unwrap();
        assert_eq!(serde_json::to_value(&drive).unwrap(), document());
        assert_eq!(Drive::read(&serde_json::to_string(&drive).unwrap()), Ok(drive));
    }

    #[test]
    fn file_of_an_earlier_version_is_read_with_the_contents_of_the_fit() {
        let mut earlier = document();
        earlier["ssd"] = json!({ "readLsbUs": 52.5 });
        assert_eq!(Drive::read(&earlier.to_string()), Drive::read(&document().to_string()));
        // Without evidence nothing is known of a fit.
        earlier["evidence"] = Value::Null;
        assert_eq!(Drive::read(&earlier.to_string()).unwrap().ssd, json!({ "readLsbUs": 52.5 }));
    }

    #[test]
    fn scenario_takes_contents_and_software_of_the_drive() {
        let drive = Drive::read(&document().to_string()).unwrap();
        let before = scenario::from_value(one_host("Lab", &json!({ "occupancy": 0.3 }), &json!({}))).unwrap();
        let (after, remarks) = drive.onto(&before).unwrap();
        let after = scenario::as_value(&after);
        assert_eq!(after["storage"]["ssd"]["occupancy"].as_f64(), Some(1.0));
        assert_eq!(after["storage"]["ssd"]["readLsbUs"], json!(52.5));
        assert_eq!(after["access"]["software"]["hostLatencyUs"], json!(6.5));
        assert!(remarks.is_empty());
        let mut deep = document();
        deep["evidence"]["jobs"] = json!([{ "iodepth": 64, "numjobs": 4 }]);
        let (_, remarks) = Drive::read(&deep.to_string()).unwrap().onto(&before).unwrap();
        assert!(remarks[0].reason.contains("256 requests"), "{remarks:?}");
    }

    #[test]
    fn of_another_kind_is_refused_with_its_place() {
        let with = |field: &str, value: Value| {
            let mut document = document();
            document[field] = value;
            refusal(&document)
        };
        assert_eq!(with("drive", json!(2)), "drive is version 2");
        assert_eq!(with("drive", Value::Null), "drive is missing: this is no file of a drive");
        assert_eq!(with("name", json!(" ")), "name is missing");
        assert_eq!(with("ssd", json!(3)), "ssd is missing");
        assert!(with("beside", json!({ "seed": 3 })).starts_with("beside has"));
    }

    #[test]
    fn with_values_that_no_drive_has_is_refused_by_the_engine() {
        let mut document = document();
        document["ssd"]["readLsbUs"] = json!(-3);
        assert!(refusal(&document).starts_with("storage.ssd.readLsbUs"));
        document["ssd"] = json!({ "colour": "red" });
        assert!(refusal(&document).starts_with("storage.ssd"));
        document["ssd"] = json!({ "evidence": { "name": "Drive of lab 3", "fittedJobs": 0 } });
        assert!(refusal(&document).starts_with("storage.ssd.evidence.fittedJobs"));
    }
}
