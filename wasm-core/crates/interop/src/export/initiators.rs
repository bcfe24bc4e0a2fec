//! Who does the same: initiators with the same jobs, which have one file.

use std::collections::BTreeMap;

use qoscope_engine::scenario::{Diagnostic, Hosts, Scenario, Workload};
use qoscope_engine::simulation::plan::Plan;

use super::words::slug;

/// A job of one initiator: the workload, the target, and the connections between them.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Job {
    /// Its workload, by its number.
    pub(super) workload: usize,
    /// Its target: the number of the host, and within a group that among the targets of an initiator.
    pub(super) target: u32,
    /// Connections to it.
    pub(super) connections: u32,
}

/// The jobs of each initiator that has any, by host number: those of the workloads that `is_meant` says.
///
/// # Errors
/// As [`Plan::new`].
pub(super) fn initiators(
    scenario: &Scenario,
    is_meant: impl Fn(&Workload) -> bool,
) -> Result<BTreeMap<u32, Vec<Job>>, Vec<Diagnostic>> {
    let mut initiators: BTreeMap<u32, Vec<Job>> = BTreeMap::new();
    for application in Plan::new(scenario)?.applications {
        let workload = &scenario.workloads[application.workload];
        if !is_meant(workload) {
            continue;
        }
        let jobs = initiators.entry(application.host).or_default();
        let is_same = |job: &&mut Job| job.workload == application.workload && job.target == application.target;
        match jobs.iter_mut().find(is_same) {
            Some(job) => job.connections += 1,
            None => jobs.push(Job { workload: application.workload, target: application.target, connections: 1 }),
        }
    }
    Ok(initiators)
}

/// Initiators that have the same jobs, but for the names of their targets.
pub(super) struct Group {
    /// Names of the initiators.
    pub(super) hosts: Vec<String>,
    /// What each of them does.
    pub(super) jobs: Vec<Job>,
    /// By number of the target among those of an initiator: its name, where it is the same for all of them.
    pub(super) targets: Vec<Option<String>>,
}

impl Group {
    /// The variable of what a target has, such as its device: numbered where there are several targets.
    pub(super) fn variable(&self, of: &str, target: usize) -> String {
        if self.targets.len() == 1 { of.into() } else { format!("{of}_{}", target + 1) }
    }

    /// The same, of every target.
    pub(super) fn variables(&self, of: &str) -> impl Iterator<Item = String> {
        (0..self.targets.len()).map(move |target| self.variable(of, target))
    }
}

/// The jobs of every initiator; those with the same are one group, in which targets are numbered as they come.
pub(super) fn groups(initiators: &BTreeMap<u32, Vec<Job>>, scenario: &Scenario) -> Vec<Group> {
    let hosts = Hosts::of(&scenario.topology.shape);
    let name = |number: u32| hosts.name(number).unwrap_or_default();
    let mut groups: Vec<Group> = Vec::new();
    for (&host, jobs) in initiators {
        let mut targets: Vec<u32> = Vec::new();
        let mut numbered = Vec::new();
        for job in jobs {
            let position = targets.iter().position(|&target| target == job.target).unwrap_or_else(|| {
                targets.push(job.target);
                targets.len() - 1
            });
            numbered.push(Job { target: position as u32, ..job.clone() });
        }
        let targets: Vec<Option<String>> = targets.into_iter().map(|target| Some(name(target))).collect();
        match groups.iter_mut().find(|group| group.jobs == numbered) {
            Some(group) => {
                group.hosts.push(name(host));
                for (known, own) in group.targets.iter_mut().zip(targets) {
                    *known = known.take().filter(|known| Some(known) == own.as_ref());
                }
            }
            None => groups.push(Group { hosts: vec![name(host)], jobs: numbered, targets }),
        }
    }
    groups
}

/// The name of the file of a group: its classes, and a number where others have the same ones.
pub(super) fn file_name(group: &Group, groups: &[Group], scenario: &Scenario) -> String {
    let classes = |group: &Group| {
        let mut names: Vec<String> = Vec::new();
        for job in &group.jobs {
            let name = slug(&scenario.workloads[job.workload].class);
            let name = if name.is_empty() { "class".into() } else { name };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join("-")
    };
    let own = classes(group);
    let same: Vec<&Group> = groups.iter().filter(|other| classes(other) == own).collect();
    let position = same.iter().position(|other| std::ptr::eq(*other, group)).unwrap_or_default();
    if same.len() == 1 { own } else { format!("{own}-{}", position + 1) }
}
