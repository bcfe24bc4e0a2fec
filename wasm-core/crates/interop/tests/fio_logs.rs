//! Logs that a real fio wrote are read as they are. `fio/make.sh` made the files.

use std::path::Path;

use qoscope_engine::workload::traces::{Selection, TraceReader};
use qoscope_interop::fio::{Log, Quantity, Window, log, results};

fn read(file: &str) -> Log {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let found = log(&text, file).unwrap_or_else(|found| panic!("{found:?}"));
    assert!(found.remarks.is_empty(), "{:?}", found.remarks);
    found
}

fn requests(windows: &[Window]) -> u64 {
    windows.iter().filter_map(|window| window.requests).sum()
}

fn mean(windows: &[Window]) -> f64 {
    windows.iter().map(|window| window.mean * window.requests.unwrap() as f64).sum::<f64>() / requests(windows) as f64
}

#[test]
fn every_request_is_counted() {
    let latencies = read("every_clat.1.log");
    assert_eq!(latencies.quantity, Quantity::CompletionLatency);
    let text = include_str!("fio/every_clat.1.log");
    let values = |direction: &str| -> Vec<f64> {
        let columns = text.lines().map(|line| line.split(", ").collect::<Vec<_>>());
        columns.filter(|columns| columns[2] == direction).map(|columns| columns[1].parse().unwrap()).collect()
    };
    for (windows, direction) in [(&latencies.reads, "0"), (&latencies.writes, "1")] {
        let values = values(direction);
        assert!(values.len() > 50);
        assert_eq!(requests(windows), values.len() as u64);
        let expected = values.iter().sum::<f64>() / values.len() as f64 / 1000.0;
        assert!((mean(windows) - expected).abs() < 1e-9 * expected);
        assert!(windows.is_sorted_by(|one, other| one.at_s < other.at_s));
    }
    // 500 requests a second in each direction were asked for, of 4 KiB.
    for (file, of_a_request) in [("every_iops.1.log", 1.0), ("every_bw.1.log", 4096.0)] {
        let rates = read(file).reads;
        let span_s = rates.last().unwrap().at_s;
        let width_s =
            rates.iter().map(|window| window.requests.unwrap() as f64 * of_a_request / window.mean).next().unwrap();
        let done: f64 = rates.iter().map(|window| window.mean * width_s).sum();
        assert!((done / span_s / of_a_request - 500.0).abs() < 100.0, "{file}: {}", done / span_s);
    }
}

#[test]
fn means_of_windows_stay_as_fio_wrote_them() {
    let text = include_str!("fio/mean_clat.1.log");
    let found = read("mean_clat.1.log");
    assert_eq!(found.reads.len() + found.writes.len(), text.lines().count());
    let first: Vec<u64> = text.lines().next().unwrap().split(", ").map(|column| column.parse().unwrap()).collect();
    let of_first = if first[2] == 0 { &found.reads[0] } else { &found.writes[0] };
    assert_eq!(*of_first, Window { at_s: 0.0, mean: first[1] as f64 / 1000.0, ..Window::default() });
    // KiB/s in the file.
    let of_bandwidth = include_str!("fio/mean_bw.1.log").lines().next().unwrap().split(", ").nth(1).unwrap();
    let bandwidth = read("mean_bw.1.log");
    let found = bandwidth.reads.iter().chain(&bandwidth.writes).find(|window| window.at_s == 0.0).unwrap();
    assert_eq!(found.mean, of_bandwidth.parse::<f64>().unwrap() * 1024.0);
}

#[test]
fn offsets_priorities_and_the_epoch_of_unix_change_nothing() {
    let found = read("max_clat.1.log");
    let all = || found.reads.iter().chain(&found.writes);
    assert!(all().all(|window| (0.0..1.0).contains(&window.at_s)));
    assert!(all().count() >= 10);
}

#[test]
fn histograms_hold_the_latencies_of_the_same_run() {
    let histograms = read("mean_clat_hist.1.log");
    let results = results(include_str!("fio/mean.json"), "mean.json").unwrap();
    let job = &results.jobs[0];
    for (windows, operations) in [(&histograms.reads, &job.reads), (&histograms.writes, &job.writes)] {
        let operations = operations.as_ref().unwrap();
        // fio does not write the window in which it ends.
        let (done, logged) = (operations.requests, requests(windows));
        assert!(logged <= done && logged * 10 >= done * 7, "{logged} of {done}");
        // Eight bins of fio in one, which is 1/8 wide at most: its middle is 1/16 off at most.
        let latency = &operations.latency_us;
        let of_all = latency.mean * done as f64;
        let of_logged = mean(windows) * logged as f64;
        assert!((0.5..1.0625).contains(&(of_logged / of_all)), "{of_logged} {of_all}");
        for window in windows {
            assert!(window.p50 <= window.max);
            let enough = window.requests >= Some(100);
            assert_eq!(window.p99.is_some(), enough, "{window:?}");
            assert!(!enough || (window.p50 <= window.p99 && window.p99 <= window.max));
        }
        let slowest = windows.iter().filter_map(|window| window.max).fold(0.0, f64::max);
        assert!(slowest <= latency.max * 1.0625, "{slowest} {}", latency.max);
    }
}

#[test]
fn the_log_of_requests_that_fio_wrote_is_a_trace() {
    let mut reader = TraceReader::new(None, Selection::default());
    reader.feed(include_bytes!("fio/v3.iolog")).unwrap();
    let (trace, statistics) = reader.finish().unwrap();
    assert_eq!((statistics.format, statistics.bad, trace.len()), ("fio", 0, 40));
    let text = include_str!("fio/v3.iolog");
    let reads = text.lines().filter(|line| line.contains(" read ")).count() as u64;
    assert_eq!((statistics.counts.reads, statistics.counts.writes), (reads, 40 - reads));
    assert!(trace.iter().all(|record| record.bytes == 4096));
}
