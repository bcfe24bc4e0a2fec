//! Names of jobs that are told apart: many scripts give all jobs one name.

use std::collections::BTreeMap;

use super::{MeasuredJob, Pattern};

/// Jobs of which those of one name have what they differ by in it: pattern, size, queue depth, else the file, else a number.
pub fn with_distinct_names(mut jobs: Vec<MeasuredJob>) -> Vec<MeasuredJob> {
    let mut of_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, job) in jobs.iter().enumerate() {
        of_name.entry(job.name.clone()).or_default().push(index);
    }
    for (name, group) in of_name.into_iter().filter(|(_, group)| group.len() > 1) {
        let parts: [fn(&MeasuredJob) -> String; 4] = [operation, size, depth, |job| job.file.clone()];
        let mut labels = vec![Vec::new(); group.len()];
        for of in parts {
            if (1..labels.len()).all(|index| !labels[..index].contains(&labels[index])) {
                break;
            }
            let texts: Vec<String> = group.iter().map(|index| of(&jobs[*index])).collect();
            if texts.iter().any(|text| *text != texts[0]) {
                labels.iter_mut().zip(texts).for_each(|(label, text)| label.push(text));
            }
        }
        for number in 1..labels.len() {
            let before = labels[..number].iter().filter(|label| **label == labels[number]).count();
            if before > 0 {
                labels[number].push(format!("number {}", before + 1));
            }
        }
        for (index, label) in group.into_iter().zip(labels) {
            if !label.is_empty() {
                jobs[index].name = format!("{name} ({})", label.join(", "));
            }
        }
    }
    jobs
}

/// Its operations, as fio names them.
fn operation(job: &MeasuredJob) -> String {
    let order = if job.pattern == Pattern::Random { "rand" } else { "" };
    match (&job.reads, &job.writes) {
        (Some(_), Some(_)) => format!("{order}rw, {:.0} % reads", 100.0 * job.read_share),
        (Some(_), None) => format!("{order}read"),
        _ => format!("{order}write"),
    }
}

/// The bytes of its requests.
fn size(job: &MeasuredJob) -> String {
    let text =
        |bytes: u32| if bytes.is_multiple_of(1024) { format!("{} KiB", bytes / 1024) } else { format!("{bytes} B") };
    match (&job.reads, &job.writes) {
        (Some(_), Some(_)) if job.read_bytes != job.write_bytes => {
            format!("{} and {}", text(job.read_bytes), text(job.write_bytes))
        }
        (Some(_), _) => text(job.read_bytes),
        _ => text(job.write_bytes),
    }
}

/// Its queue depth, and how many clones have it.
fn depth(job: &MeasuredJob) -> String {
    let clones = if job.numjobs > 1 { format!(" × {}", job.numjobs) } else { String::new() };
    format!("QD {}{clones}", job.iodepth)
}

#[cfg(test)]
mod tests {
    use super::super::{Latency, Operations};
    use super::*;

    fn job(file: &str, name: &str, iodepth: u32, read_bytes: u32) -> MeasuredJob {
        let reads = Operations { requests: 1, iops: 1.0, bytes_per_s: 1.0, latency_us: Latency::default() };
        MeasuredJob {
            file: file.into(),
            name: name.into(),
            device: None,
            access: super::super::Access::Local,
            pattern: Pattern::Random,
            read_share: 1.0,
            read_bytes,
            write_bytes: read_bytes,
            iodepth,
            numjobs: 1,
            rate: None,
            range_bytes: None,
            runtime_s: 1.0,
            reads: Some(reads),
            writes: None,
        }
    }

    fn names(jobs: Vec<MeasuredJob>) -> Vec<String> {
        with_distinct_names(jobs).into_iter().map(|job| job.name).collect()
    }

    #[test]
    fn jobs_of_one_name_have_what_they_differ_by() {
        let jobs =
            vec![job("a.json", "bench", 1, 4096), job("b.json", "bench", 32, 4096), job("c.json", "other", 1, 512)];
        assert_eq!(names(jobs), ["bench (QD 1)", "bench (QD 32)", "other"]);
        let jobs = vec![job("a.json", "bench", 1, 4096), job("a.json", "bench", 1, 65_536)];
        assert_eq!(names(jobs), ["bench (4 KiB)", "bench (64 KiB)"]);
        let jobs = vec![job("a.json", "bench", 1, 4096), job("b.json", "bench", 1, 4096)];
        assert_eq!(names(jobs), ["bench (a.json)", "bench (b.json)"]);
        let jobs = vec![job("a.json", "bench", 1, 4096), job("a.json", "bench", 1, 4096)];
        assert_eq!(names(jobs), ["bench", "bench (number 2)"]);
    }
}
