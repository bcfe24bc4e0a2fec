//! Whatever a job file says, and however long it is: it is read or refused, in bounded time, and nothing panics.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use qoscope_engine::scenario::{self, Endpoints, Scenario};
use qoscope_engine::simulation::plan::Plan;
use qoscope_interop::fio;

fn scenario(name: &str) -> Scenario {
    scenario::from_value(qoscope_committed::document(name)).expect("it is valid")
}

/// A job file of the folder `tests/fio/jobs`.
fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio/jobs").join(name);
    fs::read_to_string(path).expect("the file is there")
}

#[test]
fn large_files_and_large_networks_are_bounded() {
    let jobs: String = (0..4096).map(|number| format!("[job {number}]\nrw=randread\n")).collect();
    let onto = scenario("bench-ssd-qd32-read");
    let read = fio::workloads(&jobs, "jobs.fio", &onto).unwrap_or_else(|wrong| panic!("{wrong:?}"));
    assert_eq!((read.scenario.workloads.len(), read.scenario.classes.len(), read.became.len()), (4096, 16, 4096));
    assert!(read.remarks.iter().any(|remark| remark.contains("16 classes at most")), "{:?}", read.remarks);

    let mut onto = scenario("storage-three-classes");
    onto.topology.shape = scenario::Shape::FatTree { k: 16 };
    onto.storage.servers.clear();
    let initiators = (0..1000).map(|host| format!("h{host}")).collect();
    onto.workloads[0].endpoints = Endpoints::Pairs { initiators, targets: vec!["h1023".into()] };
    onto.workloads.truncate(1);
    onto.story = None;
    let onto = scenario::from_value(scenario::as_value(&onto)).expect("a large scenario");
    let one = fio::workloads("[High]\nrw=randread\nruntime=10us\n", "jobs.fio", &onto).expect("a thousand hosts");
    assert_eq!(Plan::new(&one.scenario).expect("a plan").applications.len(), 1000);
    let wrong = fio::workloads("[High]\nrw=randread\nnumjobs=100\n", "jobs.fio", &onto).expect_err("too many");
    assert_eq!(wrong[0].path, "jobs.fio, line 1, job \"High\"");
    assert!(wrong[0].reason.contains("1000 pairs of hosts by 100 clones"), "{}", wrong[0].reason);
}

#[test]
fn huge_numbers_are_taken_or_refused() {
    let onto = scenario("storage-three-classes");
    for options in [
        "runtime=9000000000000000000us\nramp_time=9000000000000000000us",
        "runtime=9223372036854775807us\nstartdelay=9223372036854775807us",
        "rate=9223372036854775807",
        "rate_iops=9223372036854775807\nnumjobs=1024",
        "size=8000p\nloops=1000000000",
        "number_ios=9223372036854775807",
        "thinktime=9223372036854775807us\niodepth=65536\nioengine=libaio",
        "bsrange=1-1t\nrw=randwrite",
        "bs=1t",
        "ba=9223372036854775807\nrw=randread",
        "offset=9223372036854775807",
        "randseed=9223372036854775807",
        "latency_target=9223372036854775807us",
    ] {
        match fio::workloads(&format!("[a]\n{options}\n"), "jobs.fio", &onto) {
            Ok(read) => assert!(read.scenario.duration_us <= onto.duration_us, "{options}"),
            Err(wrong) => {
                assert!(wrong.iter().all(|of| !of.path.is_empty() && !of.hint.is_empty()), "{options}: {wrong:?}")
            }
        }
    }
}

/// Lines from which files are made.
fn any_line() -> impl Strategy<Value = String> {
    let name =
        proptest::sample::select(fio::READINGS.iter().flat_map(|reading| reading.options).copied().collect::<Vec<_>>());
    let value = prop_oneof![
        "[0-9]{1,20}[kmgtp%]?(b|ib)?".boxed(),
        "[0-9]{1,4}(us|ms|s|m|h|d)?".boxed(),
        "[0-9k,:/-]{0,24}".boxed(),
        "(zipf|pareto|zoned|zoned_abs|normal)(:[0-9.]{1,4}(/[0-9]{0,3})?){0,4}".boxed(),
        proptest::sample::select(vec!["read", "write", "randrw", "randread:8", "libaio", "poisson", "1", "0", "a"])
            .prop_map(String::from)
            .boxed(),
        any::<String>().boxed(),
    ];
    prop_oneof![
        1 => "\\[(global|a|b|High|[a-z]{0,3})\\]",
        6 => (name, value).prop_map(|(name, value)| format!("{name}={value}")),
        1 => any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn no_bytes_are_too_odd(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let text = String::from_utf8_lossy(&bytes);
        let found = fio::workloads(&text, "jobs.fio", &scenario("storage-three-classes"));
        prop_assert!(found.is_ok() || found.is_err_and(|wrong| wrong.iter().all(|of| !of.hint.is_empty())));
    }

    #[test]
    fn no_lines_are_too_odd(lines in proptest::collection::vec(any_line(), 0..12)) {
        let text = format!("[a]\n{}", lines.join("\n"));
        let found = fio::workloads(&text, "jobs.fio", &scenario("storage-three-classes"));
        prop_assert!(found.is_ok() || found.is_err_and(|wrong| wrong.iter().all(|of| !of.hint.is_empty())));
    }

    #[test]
    fn no_end_is_too_early(name in proptest::sample::select(vec!["two-queue-depths.fio", "corners.fio", "database.fio", "backup.fio"]), part in 0.0..1.0) {
        let text = fixture(name);
        let end = (part * text.len() as f64) as usize;
        let found = fio::workloads(&text[..end], "jobs.fio", &scenario("storage-three-classes"));
        prop_assert!(found.is_ok() || found.is_err_and(|wrong| wrong.iter().all(|of| !of.hint.is_empty())));
    }
}
