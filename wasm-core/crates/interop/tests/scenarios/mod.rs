//! Scenarios that exports are tried on: those that come with the project, and variations of them.

use qoscope_engine::scenario::{self, Scenario};

/// A scenario that comes with the project.
pub fn scenario(name: &str) -> Scenario {
    scenario::from_value(qoscope_committed::document(name)).expect("scenarios that come with the project are valid")
}

/// Every scenario that comes with the project, by name, and [`VARIED`].
pub fn all() -> Vec<(String, Scenario)> {
    let names = qoscope_committed::names();
    let mut all: Vec<(String, Scenario)> = names.into_iter().map(|name| (name.clone(), scenario(&name))).collect();
    for (name, changes) in VARIED {
        let mut document = scenario::as_value(&scenario(name));
        for (path, value) in changes {
            let value = serde_json::from_str(value).expect("values are JSON");
            scenario::set_path(&mut document, path, value).expect("the path leads somewhere");
        }
        let varied = scenario::from_value(document).expect("variations are valid");
        all.push((format!("{name} with {}", changes[0].0), varied));
    }
    all
}

/// What no scenario of the project has, and a person may set: a scenario, and its changes.
const VARIED: [(&str, &[(&str, &str)]); 16] = [
    (
        "storage-three-classes",
        &[
            ("classes[0].latencyTargetUs", "500"),
            ("workloads[0].connections", "2"),
            ("workloads[0].startGapUs", "10"),
            ("workloads[1].traffic", r#"{ "kind": "trace", "file": "lab.trace" }"#),
            ("workloads[2].traffic", r#"{ "kind": "stand-in", "of": "financial-1" }"#),
        ],
    ),
    (
        "nvme-wrr-321",
        &[
            ("workloads[1].traffic", r#"{ "kind": "backlogged" }"#),
            ("workloads[2].flows", r#""per-request""#),
            ("workloads[2].addresses.pattern", r#"{ "kind": "hot-cold", "hotPart": 0.1, "hotRequests": 0.9 }"#),
        ],
    ),
    ("three-writers", &[("switch.buffering", "\"shared\""), ("switch.threshold", "\"static\"")]),
    ("rdma-sub-classes", &[("classes[0].priority", "5"), ("classes[1].ratio", "2")]),
    ("rdma-sub-classes", &[("classes[0].dcqcn.byteCounterBytes", "30000"), ("classes[0].dcqcn.gain", "0.005")]),
    (
        "paper1-fig20-read-priority",
        &[
            ("switch.bufferBytes", "5000000"),
            ("switch.urgentReservePackets", "100"),
            ("switch.markingPoint", "\"departure\""),
        ],
    ),
    (
        "three-writers",
        &[
            ("classes[0].transport", "\"swift\""),
            ("classes[1].transport", "\"dctcp\""),
            ("classes[1].gain", "0.05"),
            ("host.delayedAckPackets", "1"),
            ("host.minimumRtoUs", "200"),
            ("host.headerBytes", "40"),
            ("host.mtuBytes", "65000"),
            ("topology.baseRttUs", "null"),
            ("switch.marking", "\"red\""),
        ],
    ),
    (
        "three-writers",
        &[
            ("host.minimumWindowPackets", "1"),
            ("host.delayedAckPackets", "4"),
            ("host.headerBytes", "64"),
            ("host.ackPriority", "\"in-order\""),
            ("switch.ecnThresholdPackets", "100000"),
            ("host.mtuBytes", "16000"),
            ("topology.baseRttUs", "null"),
            ("classes[0].ratio", "1000"),
            ("classes[2].ratio", "0.001"),
            ("classes[0].name", "\"\\\"; $(reboot) `id`\\n高\""),
            ("workloads[0].class", "\"\\\"; $(reboot) `id`\\n高\""),
            ("story.claims[1].class", "\"\\\"; $(reboot) `id`\\n高\""),
        ],
    ),
    (
        "three-writers",
        &[
            ("switch.marking", "\"red\""),
            ("switch.redMaximumProbability", "0.00001"),
            ("switch.redMaximumPackets", "100000"),
            ("switch.bufferPackets", "1000000"),
            ("host.mtuBytes", "9000"),
            ("topology.baseRttUs", "null"),
        ],
    ),
    (
        "storage-three-classes",
        &[
            ("access.queueDepth", "4"),
            ("access.headerDigest", "true"),
            ("access.dataDigest", "true"),
            ("access.successWithData", "true"),
            ("workloads[0].protocol", "\"iscsi\""),
            ("workloads[1].protocol", "\"nvme-rdma\""),
            ("access.inCapsuleBytes", "65536"),
            ("access.iscsi.firstBurstBytes", "500000"),
            ("switch.marking", "\"off\""),
        ],
    ),
    (
        "storage-three-classes",
        &[("access.queueDepth", "65535"), ("topology.linkGbps", "0.001"), ("topology.baseRttUs", "null")],
    ),
    (
        "bench-fat-tree-k4",
        &[
            ("topology.failedLinks", r#"[{ "from": "e0.0", "to": "a0.0" }]"#),
            (
                "timeline",
                r#"[{ "atUs": 1000, "path": "topology.failedLinks",
                      "value": [{ "from": "e0.0", "to": "a0.0" }, { "from": "a1.0", "to": "c0" }] }]"#,
            ),
            ("switch.bufferBytes", "600000"),
        ],
    ),
    (
        "incast-128-timely",
        &[
            ("classes[0].timely.patched", "true"),
            ("classes[0].priority", "5"),
            ("workloads[0].stopUs", "30000"),
            ("topology.hostDelayUs", "2"),
            ("topology.switchDelayUs", "1"),
            ("switch.threshold", "\"static\""),
            ("switch.urgentReservePackets", "4"),
        ],
    ),
    ("traces-bursts-and-poisson", &[("workloads[0].traffic", r#"{ "kind": "trace", "file": "lab.trace" }"#)]),
    (
        "paper5-read-while-write-iscsi",
        &[
            ("storage.placement", "\"striping\""),
            ("storage.tenants.scheduler", "\"pclock\""),
            ("storage.nvme.maxTransferBytes", "4096"),
            ("storage.ssd.mapping", "\"cached\""),
            ("storage.ssd.gcVictims", "\"choices\""),
            (
                "workloads[0].traffic",
                r#"{ "kind": "trace", "file": "lab.trace", "format": "mqsim", "volume": "0", "skipUs": 10, "timeScale": 2, "requests": 100 }"#,
            ),
            ("workloads[1].traffic.requests", "1000"),
            ("workloads[2].startUs", "100"),
            ("workloads[2].stopUs", "20000"),
            ("workloads[3].traffic.gaps", "\"constant\""),
        ],
    ),
    (
        "paper5-random-read-local",
        &[
            ("storage.servers[0].devices[1].kind", "\"persistent-memory\""),
            ("workloads[1].devices", "\"persistent-memory\""),
            ("workloads[1].addresses.startBytes", "0"),
        ],
    ),
];
