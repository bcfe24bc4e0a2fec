//! On which hosts jobs run, against which servers, and in which class.

use std::collections::{BTreeMap, BTreeSet};

use qoscope_engine::scenario::{AccessProtocol, Diagnostic, Endpoints, Hosts, Scenario, Traffic, Workload};
use qoscope_engine::simulation::devices::capacity_bytes;
use qoscope_engine::simulation::plan::{Plan, class_of};
use qoscope_engine::storage::DeviceKind;

use crate::export::{section, slug};
use crate::fio::limits;

/// The hosts of a scenario that issue requests to storage.
pub(super) struct Places<'a> {
    scenario: &'a Scenario,
    hosts: Hosts<'a>,
    initiators: BTreeMap<u32, Initiator>,
}

#[derive(Default)]
struct Initiator {
    /// Its servers, as they come.
    targets: Vec<u32>,
    classes: BTreeSet<usize>,
}

/// Whether the storage of a workload can be read and written by jobs, whatever its traffic is.
fn reaches_storage(scenario: &Scenario, workload: &Workload) -> bool {
    workload.protocol.unwrap_or(scenario.access.protocol).has_target()
}

impl<'a> Places<'a> {
    /// The places in a scenario that has passed validation.
    ///
    /// # Errors
    /// That no host issues requests to storage, or hosts without a path between them.
    pub(super) fn new(scenario: &'a Scenario) -> Result<Self, Vec<Diagnostic>> {
        let applications = Plan::new(scenario)?.applications;
        let mut initiators: BTreeMap<u32, Initiator> = BTreeMap::new();
        // Servers are numbered as job files that are written number them: by the workloads that have jobs, and then the others.
        for with_jobs in [true, false] {
            for application in &applications {
                let workload = &scenario.workloads[application.workload];
                let has_jobs = matches!(workload.traffic, Traffic::OpenLoop { .. } | Traffic::ClosedLoop { .. });
                if has_jobs != with_jobs || !reaches_storage(scenario, workload) {
                    continue;
                }
                let initiator = initiators.entry(application.host).or_default();
                initiator.classes.insert(class_of(scenario, &workload.class).index());
                if !initiator.targets.contains(&application.target) {
                    initiator.targets.push(application.target);
                }
            }
        }
        if initiators.is_empty() {
            let hint = "Choose a protocol that reaches storage, such as nvme-tcp or local.";
            return Err(vec![Diagnostic::new(
                "access.protocol",
                "is direct: requests ask no storage that jobs could read and write",
                hint,
            )]);
        }
        Ok(Self { scenario, hosts: Hosts::of(&scenario.topology.shape), initiators })
    }

    /// Pairs of host and server of a job: of the hosts of its class, or of all where that has none; each with the server that it
    /// has in the place of the device.
    pub(super) fn pairs(&self, class: Option<usize>, device: usize) -> Vec<(u32, u32)> {
        let of_class = |initiator: &Initiator| class.is_some_and(|class| initiator.classes.contains(&class));
        let all = !self.initiators.values().any(of_class);
        let chosen = self.initiators.iter().filter(|(_, initiator)| all || of_class(initiator));
        chosen.map(|(host, initiator)| (*host, initiator.targets[device % initiator.targets.len()])).collect()
    }

    /// The name of a host.
    pub(super) fn name(&self, host: u32) -> String {
        self.hosts.name(host).unwrap_or_default()
    }

    /// The names of all hosts that issue requests.
    pub(super) fn names(&self) -> Vec<String> {
        self.initiators.keys().map(|host| self.name(*host)).collect()
    }

    /// The pairs as a document lists them: a list of equal names is one name.
    pub(super) fn endpoints(&self, pairs: &[(u32, u32)]) -> Endpoints {
        let names = |numbers: Vec<u32>| {
            let alike = numbers.iter().all(|number| *number == numbers[0]);
            let count = if alike { 1 } else { numbers.len() };
            numbers[..count].iter().map(|number| self.name(*number)).collect::<Vec<_>>()
        };
        Endpoints::Pairs {
            initiators: names(pairs.iter().map(|(initiator, _)| *initiator).collect()),
            targets: names(pairs.iter().map(|(_, target)| *target).collect()),
        }
    }

    /// How a job reaches storage, and what that is made of: as workloads of its class do, or else the first one.
    pub(super) fn way(&self, class: Option<usize>) -> (Option<AccessProtocol>, DeviceKind) {
        let of_class =
            |workload: &&Workload| class.is_some_and(|class| class_of(self.scenario, &workload.class).index() == class);
        let mut usable = self.scenario.workloads.iter().filter(|workload| reaches_storage(self.scenario, workload));
        let own = usable.clone().find(of_class).or_else(|| usable.next());
        own.map_or((None, DeviceKind::Ssd), |workload| (workload.protocol, workload.devices))
    }

    /// Bytes that the storage of a host holds.
    pub(super) fn capacity(&self, host: u32, devices: DeviceKind) -> u64 {
        capacity_bytes(self.scenario, &self.name(host), devices)
    }
}

/// Classes of jobs: those of the scenario, and new ones.
pub(super) struct Classes<'a> {
    scenario: &'a Scenario,
    /// Names of new classes, in their order.
    pub(super) new: Vec<String>,
    /// Jobs that found no room for a class of their own.
    pub(super) crowded: usize,
}

impl<'a> Classes<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        Self { scenario, new: Vec::new(), crowded: 0 }
    }

    /// The class of the scenario that a job is named after: as the writer names sections, or as files are named.
    pub(super) fn named(&self, job: &str) -> Option<usize> {
        let classes = &self.scenario.classes;
        let find = |name: &str| {
            let by = |is: &dyn Fn(&str) -> bool| classes.iter().position(|class| is(&class.name));
            by(&|class| class == name)
                .or_else(|| by(&|class| section(class) == name))
                .or_else(|| by(&|class| !slug(class).is_empty() && slug(class) == slug(name)))
        };
        find(job).or_else(|| {
            let (name, number) = job.rsplit_once('-')?;
            number.parse::<u32>().ok().and_then(|_| find(name))
        })
    }

    /// The name of the class of a job: of the scenario, or a new one.
    pub(super) fn of(&mut self, job: &str, named: Option<usize>) -> String {
        if let Some(class) = named {
            return self.scenario.classes[class].name.clone();
        }
        let name: String = job.chars().take(limits::name()).collect();
        if self.new.contains(&name) {
            return name;
        }
        if self.scenario.classes.len() + self.new.len() >= limits::classes() {
            self.crowded += 1;
            let last = self.scenario.classes.last().map(|class| &class.name);
            return self.new.last().or(last).cloned().unwrap_or_default();
        }
        self.new.push(name.clone());
        name
    }
}
