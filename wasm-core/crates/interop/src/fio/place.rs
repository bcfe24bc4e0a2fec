//! The place of a value: a job in a file of results.

use qoscope_engine::scenario::{Diagnostic, quoted};
use serde_json::Value;

use super::options::{Misread, Options, Read};

/// Where something is: a job of a file.
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) job: &'a str,
}

/// What to do where a number is not there, or none.
pub(super) const COPY: &str = "Take the file as fio wrote it.";

impl Place<'_> {
    pub(super) fn path(&self, field: &str) -> String {
        format!("{}, job {}, {field}", self.file, quoted(self.job))
    }

    /// The job is refused for a field.
    pub(super) fn refused<T>(&self, field: &str, reason: impl Into<String>, hint: &str) -> Result<T, Box<Diagnostic>> {
        Err(Box::new(Diagnostic::new(self.path(field), reason, hint)))
    }

    /// What is to be known of a job that is read.
    pub(super) fn remark(&self, field: &str, reason: impl Into<String>, hint: &str) -> Diagnostic {
        Diagnostic::warning(self.path(field), reason, hint)
    }

    pub(super) fn failed<T>(&self, number: i64, words: Option<&str>) -> Result<T, Box<Diagnostic>> {
        let words = words.map_or(String::new(), |words| format!(", {}", quoted(words)));
        let hint = "Mend what fio complained of, and run it again.";
        self.refused("error", format!("is {number}{words}: the job failed"), hint)
    }

    pub(super) fn shared_with<T>(&self, other: &str) -> Result<T, Box<Diagnostic>> {
        let reason = format!("is that of job {}: they ran on the device at the same time", quoted(other));
        self.refused("groupid", reason, "Give each job `stonewall`, so that it waits for those before it.")
    }

    pub(super) fn name(&self) -> &str {
        self.job
    }

    /// A value of an option, or the refusal of the job.
    pub(super) fn good<T>(&self, read: Read<T>) -> Result<T, Box<Diagnostic>> {
        read.or_else(|Misread { option, reason, hint }| self.refused(option, reason, &hint))
    }

    /// The same, of an option that may not be given.
    pub(super) fn read<T>(&self, read: Option<Read<T>>) -> Result<Option<T>, Box<Diagnostic>> {
        self.good(read.transpose())
    }

    /// A number that fio was given, of 1 to 65 535: 1 where it was not.
    pub(super) fn whole(&self, options: &Options, name: &'static str) -> Result<u32, Box<Diagnostic>> {
        Ok(self.read(options.number(name, 1..=65_535))?.map_or(1, |number| number as u32))
    }

    /// A number of the report, by the names of the objects that it stands in, such as `read.clat_ns.mean`.
    pub(super) fn number(&self, report: &Value, field: &str) -> Result<f64, Box<Diagnostic>> {
        match field.split('.').try_fold(report, |value, name| value.get(name)) {
            None => self.refused(field, "is missing", COPY),
            Some(value) => match value.as_f64() {
                Some(number) if number >= 0.0 => Ok(number),
                Some(number) => self.refused(field, format!("is {number}, which is negative"), COPY),
                None => self.refused(field, format!("is {}, which is no number", quoted(&value.to_string())), COPY),
            },
        }
    }
}
