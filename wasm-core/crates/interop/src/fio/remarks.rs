//! Remarks of several jobs and files, each once.

use qoscope_engine::scenario::Diagnostic;
use qoscope_engine::text::listed_at_most;

/// Names that a remark lists; further ones are counted.
const MAXIMUM_NAMES: usize = 4;

/// Where a remark is: a file, a job in it if there is one, and a field.
struct Position<'a> {
    file: &'a str,
    job: Option<&'a str>,
    field: &'a str,
}

impl<'a> Position<'a> {
    /// The parts of a path as a reader of fio's files writes it: `lab.json, job "read QD 1", filename`.
    fn of(path: &'a str) -> Self {
        let Some((place, field)) = path.rsplit_once(", ") else { return Self { file: path, job: None, field: "" } };
        let (file, job) = place.split_once(", job ").map_or((place, None), |(file, job)| (file, Some(job)));
        Self { file, job, field }
    }
}

/// Remarks of which those that are equal but for their file and job are one.
pub fn merged(remarks: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_equal = |one: &Diagnostic, other: &Diagnostic| {
        (&one.reason, &one.hint, one.severity) == (&other.reason, &other.hint, other.severity)
            && Position::of(&one.path).field == Position::of(&other.path).field
    };
    let mut groups: Vec<Vec<Diagnostic>> = Vec::new();
    for remark in remarks {
        match groups.iter_mut().find(|group| is_equal(&group[0], &remark)) {
            Some(group) => group.push(remark),
            None => groups.push(vec![remark]),
        }
    }
    groups.into_iter().map(one).collect()
}

/// The remark of a group of equal ones.
fn one(mut group: Vec<Diagnostic>) -> Diagnostic {
    let positions: Vec<Position> = group.iter().map(|remark| Position::of(&remark.path)).collect();
    let mut files: Vec<&str> = positions.iter().map(|position| position.file).collect();
    files.dedup();
    let jobs: Vec<&str> = positions.iter().filter_map(|position| position.job).collect();
    let path = match (files.len(), jobs.len()) {
        (_, 0) | (1, 1) if group.len() == 1 => None,
        (1, 2..) => {
            Some(format!("{}, jobs {}, {}", files[0], listed_at_most(&jobs, MAXIMUM_NAMES), positions[0].field))
        }
        _ => Some(
            [&listed_at_most(&files, MAXIMUM_NAMES), positions[0].field]
                .into_iter()
                .filter(|part| !part.is_empty())
                .fold(
                    String::new(),
                    |path, part| if path.is_empty() { part.into() } else { format!("{path}, {part}") },
                ),
        ),
    };
    let path = path.unwrap_or_else(|| group[0].path.clone());
    Diagnostic { path, ..group.swap_remove(0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remark(path: &str) -> Diagnostic {
        Diagnostic::warning(path, "is a file", "Name the device.")
    }

    fn paths(of: &[&str]) -> Vec<String> {
        merged(of.iter().map(|path| remark(path)).collect()).into_iter().map(|remark| remark.path).collect()
    }

    #[test]
    fn equal_remarks_of_jobs_are_one() {
        let jobs = ["a.json, job \"r1\", filename", "a.json, job \"r4\", filename", "a.json, job \"r4\", iodepth"];
        assert_eq!(paths(&jobs), ["a.json, jobs \"r1\" and \"r4\", filename", "a.json, job \"r4\", iodepth"]);
        let eight: Vec<String> = (1..=8).map(|number| format!("a.json, job \"r{number}\", filename")).collect();
        let eight: Vec<&str> = eight.iter().map(String::as_str).collect();
        assert_eq!(paths(&eight), ["a.json, jobs \"r1\", \"r2\", \"r3\" and 5 more, filename"]);
    }

    #[test]
    fn equal_remarks_of_files_are_one() {
        let files =
            ["qd1.json, job \"r\", filename", "qd4.json, job \"r\", filename", "qd16.json, job \"r\", filename"];
        assert_eq!(paths(&files), ["qd1.json, qd4.json and qd16.json, filename"]);
        assert_eq!(paths(&["a.json", "b.json", "c.json, disk_util"]), ["a.json and b.json", "c.json, disk_util"]);
    }

    #[test]
    fn other_reasons_stay_apart() {
        let other = Diagnostic::warning("b.json, job \"r\", filename", "is a loop device", "Name the device.");
        let both = vec![remark("a.json, job \"r\", filename"), other];
        assert_eq!(merged(both.clone()), both);
    }
}
