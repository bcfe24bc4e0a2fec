//! What the fio of a real machine writes is read whole, and what cannot be used is refused with file, job and field. `fio/make.sh`
//! made the files.

use std::path::Path;

use proptest::prelude::*;
use qoscope_engine::scenario::{Diagnostic, Severity};
use qoscope_interop::fio::{Latency, MeasuredJob, Pattern, Rate, Results, log, results};

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fio").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read(file: &str) -> Results {
    results(&text(file), file).unwrap_or_else(|found| panic!("{found:?}"))
}

/// The job of a file that holds one.
fn only(file: &str) -> MeasuredJob {
    let mut found = read(file);
    assert_eq!(found.jobs.len(), 1, "{:?}", found.remarks);
    found.jobs.remove(0)
}

/// Paths and reasons of what was said of a file, errors or warnings.
fn said(results: &Results, severity: Severity) -> Vec<(&str, &str)> {
    let of = results.remarks.iter().filter(|diagnostic| diagnostic.severity == severity);
    of.map(|diagnostic| (diagnostic.path.as_str(), diagnostic.reason.as_str())).collect()
}

/// Why the only job of a file is refused.
fn refused(file: &str) -> (String, String) {
    refusal(&read(file))
}

fn refusal(results: &Results) -> (String, String) {
    assert!(results.jobs.is_empty(), "{:?}", results.jobs);
    let found = said(results, Severity::Error);
    assert_eq!(found.len(), 1, "{found:?}");
    (found[0].0.into(), found[0].1.into())
}

/// What is wrong with a text as a whole.
fn whole(text: &str) -> Diagnostic {
    let mut found = results(text, "a.json").unwrap_err();
    assert_eq!((found.len(), found[0].path.as_str()), (1, "a.json"));
    found.remove(0)
}

#[test]
fn jobs_of_a_calibration_are_read_whole() {
    let found = read("calibrate.json");
    assert_eq!(found.version, "fio-3.33");
    let names: Vec<&str> = found.jobs.iter().map(|job| job.name.as_str()).collect();
    assert_eq!(names, ["read QD 1", "read QD 16", "write QD 1", "mix QD 4"]);
    let shapes = found.jobs.iter().map(|job| (job.pattern, job.read_bytes, job.write_bytes, job.iodepth, job.numjobs));
    let random = |bytes, iodepth| (Pattern::Random, bytes, bytes, iodepth, 1);
    assert_eq!(shapes.collect::<Vec<_>>(), [random(4096, 1), random(4096, 16), random(4096, 1), random(16_384, 4)]);
    for job in &found.jobs {
        assert_eq!(job.device.as_deref(), Some("/dev/loop0"));
        assert!((0.39..0.45).contains(&job.runtime_s), "{}", job.runtime_s);
        for operations in [&job.reads, &job.writes].into_iter().flatten() {
            let latency = &operations.latency_us;
            let binned: u64 = latency.bins.iter().map(|(_, count)| count).sum();
            assert_eq!(binned, operations.requests, "{}", job.name);
            assert_eq!(latency.percentiles.len(), 17);
            // What fio counted in bins has the mean that it added up, but for the width of its bins, of 1/64.
            let of_bins = latency.bins.iter().map(|(us, count)| us * *count as f64).sum::<f64>() / binned as f64;
            assert!((of_bins / latency.mean - 1.0).abs() < 0.02, "{of_bins} {}", latency.mean);
            // The percentiles of fio are those of its bins.
            for (percent, us) in &latency.percentiles {
                let bins_alone = Latency { percentiles: Vec::new(), ..latency.clone() };
                assert_eq!(bins_alone.percentile(*percent), Some(*us), "{percent} of {}", job.name);
            }
            assert!((operations.bytes_per_s / (operations.iops * f64::from(job.read_bytes)) - 1.0).abs() < 0.01);
        }
    }
    assert!(found.jobs[0].writes.is_none() && found.jobs[2].reads.is_none());
    let mix = &found.jobs[3];
    assert!((mix.read_share - 0.7).abs() < 0.02, "{}", mix.read_share);
    // A loop device is no drive; the first job ended a little after 1000 requests, as its remark says.
    let warnings = said(&found, Severity::Warning);
    assert_eq!(warnings.iter().filter(|(path, _)| path.ends_with("filename")).count(), 4, "{warnings:?}");
    assert!(said(&found, Severity::Error).is_empty());
}

#[test]
fn clones_are_one_job_whether_reported_apart_or_together() {
    let (apart, together) = (only("clones.json"), only("group.json"));
    for job in [&apart, &together] {
        assert_eq!((job.numjobs, job.iodepth), (3, 2));
        let reads = job.reads.as_ref().unwrap();
        assert_eq!(reads.requests, 600);
        assert_eq!(reads.latency_us.bins.iter().map(|(_, count)| count).sum::<u64>(), 600);
        assert_eq!(reads.latency_us.percentiles.len(), 17);
    }
    // Clones of as many requests each: the mean of their means, and the rates of the clones added up.
    let document: serde_json::Value = serde_json::from_str(&text("clones.json")).unwrap();
    let of_clones =
        |field: fn(&serde_json::Value) -> f64| document["jobs"].as_array().unwrap().iter().map(field).sum::<f64>();
    let reads = apart.reads.unwrap();
    let mean = of_clones(|job| job["read"]["clat_ns"]["mean"].as_f64().unwrap()) / 3000.0;
    assert!((reads.latency_us.mean - mean).abs() < 1e-9);
    assert!((reads.iops - of_clones(|job| job["read"]["iops"].as_f64().unwrap())).abs() < 1e-6);
}

#[test]
fn rates_sizes_and_percentiles_are_those_that_were_asked_for() {
    let job = only("rate.json");
    assert_eq!(job.rate, Some(Rate { reads: 1500.0, writes: 500.0, poisson: true }));
    assert_eq!((job.read_bytes, job.write_bytes), (4096, 16_384));
    let percents: Vec<f64> = job.reads.unwrap().latency_us.percentiles.iter().map(|(percent, _)| *percent).collect();
    assert_eq!(percents, [50.0, 90.0, 99.0]);
    let job = only("plain.json");
    assert_eq!((job.pattern, job.read_bytes, job.iodepth), (Pattern::Sequential, 131_072, 4));
}

#[test]
fn what_measured_no_drive_is_refused_or_said() {
    assert_eq!(
        refused("cached.json"),
        (
            "cached.json, job \"cached\", direct".into(),
            "is not set: requests went through the page cache, so that memory was measured".into()
        )
    );
    assert_eq!(refused("null.json").0, "null.json, job \"null\", ioengine");
    let file = read("file.json");
    assert_eq!(file.jobs.len(), 1);
    assert!(said(&file, Severity::Warning).contains(&(
        "file.json, job \"file\", filename",
        "is \"drive.file\", a file and no device: latencies hold the time of its file system"
    )));
}

#[test]
fn what_a_scenario_cannot_issue_is_refused() {
    for (file, field) in [
        ("split.json", "bssplit"),
        ("trim.json", "rw"),
        ("mixed.json", "unified_rw_reporting"),
        ("without.json", "read.clat_ns"),
    ] {
        let job = file.trim_end_matches(".json");
        assert_eq!(refused(file).0, format!("{file}, job \"{job}\", {field}"));
    }
    // With an option that changes nothing it is read.
    let harmless = text("calibrate.json").replace("\"rwmixread\" : \"70\"", "\"thinktime\" : \"0\"");
    assert_eq!(results(&harmless, "calibrate.json").unwrap().jobs.len(), 4);
}

/// The jobs of a calibration, each changed.
fn changed(change: impl Fn(&mut serde_json::Value)) -> Results {
    let mut document: serde_json::Value = serde_json::from_str(&text("calibrate.json")).unwrap();
    document["jobs"].as_array_mut().unwrap().iter_mut().for_each(change);
    results(&document.to_string(), "a.json").unwrap()
}

/// The first job of a calibration, random reads, with other options.
fn with_options(options: &[(&str, &str)]) -> Results {
    let mut document: serde_json::Value = serde_json::from_str(&text("calibrate.json")).unwrap();
    document["jobs"].as_array_mut().unwrap().truncate(1);
    // The device counts the requests of the jobs that are left out.
    document.as_object_mut().unwrap().remove("disk_util");
    for (option, value) in options {
        document["jobs"][0]["job options"][option] = (*value).into();
    }
    results(&document.to_string(), "a.json").unwrap()
}

#[test]
fn versions_without_n_and_bytes_are_read() {
    for (file, version) in [("fio-3.1.json", "fio-3.1"), ("fio-3.16.json", "fio-3.16")] {
        let found = read(file);
        assert_eq!((found.version.as_str(), found.jobs.len()), (version, 1), "{:?}", found.remarks);
        let reads = found.jobs[0].reads.as_ref().unwrap();
        assert_eq!((reads.requests, reads.latency_us.bins.iter().map(|(_, count)| count).sum::<u64>()), (152, 152));
        assert!((reads.bytes_per_s / (reads.iops * 4096.0) - 1.0).abs() < 1e-3, "{}", reads.bytes_per_s);
    }
    // The same numbers with and without N.
    let without = |bins: bool| {
        changed(|job| {
            for kind in ["read", "write", "trim"] {
                let clat = job[kind]["clat_ns"].as_object_mut().unwrap();
                clat.remove("N");
                if !bins {
                    clat.remove("bins");
                }
            }
        })
    };
    let apart = |results: &Results| -> Vec<Option<f64>> {
        results.jobs.iter().map(|job| Some(job.reads.as_ref()?.latency_us.mean)).collect()
    };
    assert_eq!(apart(&without(true)), apart(&read("calibrate.json")));
    assert_eq!(apart(&without(false)), apart(&read("calibrate.json")));
}

#[test]
fn mix_of_one_kind_alone_is_read() {
    for options in [
        [("rw", "randrw"), ("rwmixread", "100"), ("rwmixwrite", "0")],
        [("rw", "rw"), ("rwmixwrite", "30"), ("rwmixread", "100")],
    ] {
        let found = with_options(&options);
        assert_eq!((found.jobs.len(), found.jobs[0].read_share), (1, 1.0), "{:?}", found.remarks);
    }
    // Half of the requests were to be writes, and none was.
    assert_eq!(refusal(&with_options(&[("rw", "randrw")])).0, "a.json, job \"read QD 1\", write.total_ios");
    // No read was asked for, and there were some.
    assert_eq!(
        refusal(&with_options(&[("rw", "randrw"), ("rwmixread", "0")])).0,
        "a.json, job \"read QD 1\", read.total_ios"
    );
}

#[test]
fn rates_of_one_kind_and_ranges_of_one_size_are_read() {
    let rate = |text: &str| with_options(&[("rate_iops", text)]).jobs[0].rate.map(|rate| rate.reads);
    assert_eq!(
        [rate("12000,"), rate("12000"), rate("12k,5"), rate(",12000")],
        [Some(12_000.0), Some(12_000.0), Some(12_288.0), None]
    );
    for (option, value) in
        [("bsrange", "4k-4k"), ("bssplit", "4k/100"), ("bs", "4Ki"), ("bs", "4k,64k"), ("bsrange", "4k-4k,8k-64k")]
    {
        let found = with_options(&[(option, value)]);
        assert_eq!(found.jobs[0].read_bytes, 4096, "{option}={value}: {:?}", found.remarks);
    }
    for (option, value) in [("bsrange", "4k-8k"), ("bssplit", "4k/60:8k/40")] {
        let (path, reason) = refusal(&with_options(&[(option, value)]));
        assert_eq!(path, format!("a.json, job \"read QD 1\", {option}"));
        assert!(reason.contains("several block sizes"), "{reason}");
    }
}

#[test]
fn job_named_as_device_measures_it() {
    let named = |names: [&str; 4]| {
        let mut document: serde_json::Value = serde_json::from_str(&text("calibrate.json")).unwrap();
        document["global options"].as_object_mut().unwrap().remove("filename");
        for (index, name) in names.into_iter().enumerate() {
            document["jobs"][index]["jobname"] = name.into();
            document["jobs"][index]["groupid"] = 0.into();
        }
        results(&document.to_string(), "a.json").unwrap()
    };
    let four = named(["/dev/nvme0n1", "/dev/nvme1n1", "/dev/nvme2n1", "/dev/nvme3n1"]);
    assert_eq!((four.jobs.len(), four.jobs[0].device.as_deref()), (4, Some("/dev/nvme0n1")), "{:?}", four.remarks);
    assert!(!four.remarks.iter().any(|remark| remark.path.ends_with("filename")), "{:?}", four.remarks);
    let two = named(["/dev/nvme0n1", "/dev/nvme0n1", "/dev/nvme2n1", "/dev/nvme3n1"]);
    assert_eq!(two.jobs.len(), 2, "those on one device were at once: {:?}", two.remarks);
}

#[test]
fn engines_are_known_by_name_and_path() {
    let spdk = "trtype=PCIe traddr=0000.5e.00.0 ns=1";
    for engine in ["spdk", "/opt/spdk/build/fio/spdk_nvme", "external:/opt/spdk/build/fio/spdk_bdev"] {
        let found = with_options(&[("ioengine", engine), ("filename", spdk), ("direct", "0")]);
        assert_eq!((found.jobs.len(), said(&found, Severity::Warning).len()), (1, 0), "{engine}: {:?}", found.remarks);
    }
    for engine in ["cpp_null", "dircreate", "rdma", "external:engines/cpp_null.so"] {
        assert_eq!(refusal(&with_options(&[("ioengine", engine)])).0, "a.json, job \"read QD 1\", ioengine");
    }
    let found = with_options(&[("ioengine", "external:/opt/lab/ours.so"), ("direct", "0")]);
    assert!(said(&found, Severity::Warning)[0].1.contains("not known here"), "{:?}", found.remarks);
}

#[test]
fn zones_and_strides_are_refused() {
    for (options, field) in [
        (&[("zonemode", "strided"), ("zonesize", "256m")][..], "zonemode"),
        (&[("zonesize", "256m"), ("zoneskip", "2g")][..], "zonesize"),
        (&[("zonemode", "zbd")][..], "zonemode"),
    ] {
        assert_eq!(refusal(&with_options(options)).0, format!("a.json, job \"read QD 1\", {field}"));
    }
    assert_eq!(
        with_options(&[("zonemode", "none"), ("thinktime", "0us"), ("percentage_random", "100,100")]).jobs.len(),
        1
    );
}

#[test]
fn requests_done_at_submission_are_no_time_of_the_drive() {
    let submitted = |slat_ns: f64| {
        changed(|job| {
            for kind in ["read", "write"] {
                job[kind]["slat_ns"]["mean"] = (slat_ns * job[kind]["clat_ns"]["mean"].as_f64().unwrap()).into();
            }
        })
    };
    assert_eq!(submitted(0.9).jobs.len(), 4);
    let half = submitted(1.1);
    assert_eq!(half.jobs.len(), 4);
    assert!(half.remarks.iter().any(|remark| remark.path.ends_with("slat_ns")), "{:?}", half.remarks);
    let most = submitted(286.0);
    assert!(most.jobs.is_empty());
    assert!(said(&most, Severity::Error)[0].1.starts_with("99.7 % of the time of a request was in its submission"));
}

#[test]
fn lists_and_wrapped_results_are_read() {
    let (plain, rate) = (text("plain.json"), text("rate.json"));
    for list in [
        format!("[{plain},{rate}]"),
        format!("[\n{plain},\n{rate}\n]\n"),
        format!("{{\"results\": {{\"one\": {plain}, \"other\": [{rate}]}}}}"),
        format!("[{plain}]\n[{rate}]"),
    ] {
        assert_eq!(results(&list, "a.json").unwrap().jobs.len(), 2, "{}", &list[..20]);
    }
    assert!(whole("[{\"jobs\": []}]").reason.contains("not of fio"));
    assert!(whole(&format!("[{plain},{{\"fio")).reason.starts_with("ends within the JSON"));
    // fio prints the states of its jobs in brackets too.
    assert_eq!(results(&format!("[r(1)][100.0%]\n{plain}"), "a.json").unwrap().jobs.len(), 1);
}

#[test]
fn text_in_utf_16_is_named() {
    let wide: String = text("plain.json").chars().flat_map(|letter| [letter, '\0']).collect();
    assert!(whole(&wide).reason.contains("UTF-16") && whole(&wide).hint.contains("UTF-8"));
}

#[test]
fn results_of_many_megabytes_are_read() {
    let mut document: serde_json::Value = serde_json::from_str(&text("plain.json")).unwrap();
    document["notes"] = " ".repeat(17 << 20).into();
    assert_eq!(results(&document.to_string(), "a.json").unwrap().jobs.len(), 1);
    let refusal = whole(&" ".repeat(qoscope_interop::fio::MAXIMUM_BYTES + 1)).reason;
    assert_eq!(refusal, "has 64.0 MiB; at most 64 MiB are read");
}

#[test]
fn a_failed_job_is_refused_in_the_words_of_the_system() {
    let found = refused("full.json");
    assert_eq!(
        found,
        ("full.json, job \"full\", error".into(), "is 28, \"No space left on device\": the job failed".into())
    );
    // Without fio's notes before the JSON its number is left.
    let text = text("full.json");
    let json = &text[text.find('{').unwrap()..];
    assert_eq!(refusal(&results(json, "full.json").unwrap()).1, "is 28: the job failed");
}

#[test]
fn jobs_that_ran_at_once_are_refused_by_name() {
    let found = read("together.json");
    assert!(found.jobs.is_empty());
    let errors = said(&found, Severity::Error);
    assert_eq!(errors.len(), 2);
    assert_eq!(errors[0].0, "together.json, job \"reader\", groupid");
    assert!(errors[0].1.contains("\"writer\""), "{}", errors[0].1);
}

#[test]
fn a_device_that_was_busy_with_others_is_said() {
    let own = text("calibrate.json");
    assert!(!said(&read("calibrate.json"), Severity::Warning).iter().any(|(path, _)| path.ends_with("disk_util")));
    let document: serde_json::Value = serde_json::from_str(&own).unwrap();
    let counted = document["disk_util"][0]["read_ios"].as_u64().unwrap();
    let busy = own.replace(&format!("\"read_ios\" : {counted}"), &format!("\"read_ios\" : {}", 2 * counted));
    let found = results(&busy, "a.json").unwrap();
    let warnings = said(&found, Severity::Warning);
    let (_, reason) = warnings.iter().find(|(path, _)| *path == "a.json, disk_util").expect("a remark");
    assert!(reason.contains("of no job here"), "{reason}");
}

#[test]
fn depths_that_were_not_reached_are_said() {
    let found = read("note.json");
    assert_eq!(found.jobs[0].iodepth, 1, "psync has one request outstanding");
    assert!(said(&found, Severity::Warning).iter().any(|(path, _)| *path == "note.json, job \"note\", iodepth"));
    // Sixteen were asked for, and by IOPS × latency there were; had it been 64, the host would not have kept up.
    let deep = text("calibrate.json").replace("\"iodepth\" : \"16\"", "\"iodepth\" : \"64\"");
    let found = results(&deep, "a.json").unwrap();
    let warnings = said(&found, Severity::Warning);
    let of_depth: Vec<_> = warnings.iter().filter(|(path, _)| path.ends_with("iodepth")).collect();
    assert_eq!(of_depth.len(), 1, "{of_depth:?}");
    assert!(of_depth[0].1.starts_with("asks for 64 requests outstanding, but 15."), "{}", of_depth[0].1);
}

#[test]
fn percentiles_of_another_latency_are_left_out() {
    let found = read("total.json");
    assert!(found.jobs[0].reads.as_ref().unwrap().latency_us.percentiles.is_empty());
    assert!(said(&found, Severity::Warning).iter().any(|(path, _)| path.ends_with("lat_percentiles")));
}

#[test]
fn the_last_state_of_a_run_counts() {
    let found = read("status.txt");
    assert_eq!(found.jobs.len(), 1);
    assert!(found.jobs[0].runtime_s > 1.9, "{}", found.jobs[0].runtime_s);
    assert!(
        said(&found, Severity::Warning)
            .iter()
            .any(|(path, reason)| *path == "status.txt" && reason.contains("--status-interval"))
    );
    // Two runs in one file are two.
    let two = format!("{}{}", text("plain.json"), text("rate.json"));
    assert_eq!(results(&two, "a.json").unwrap().jobs.len(), 2);
    let later = text("plain.json").replace("\"timestamp_ms\" : 1", "\"timestamp_ms\" : 2");
    assert_eq!(results(&format!("{}{later}", text("plain.json")), "a.json").unwrap().jobs.len(), 2);
}

#[test]
fn notes_around_the_json_do_no_harm() {
    assert_eq!(only("both.txt").name, "both");
    let windows = format!("\u{feff}{}", text("plain.json").replace('\n', "\r\n"));
    assert_eq!(results(&windows, "plain.json").unwrap().jobs, read("plain.json").jobs);
    let ended = format!("\nfio: terminating on signal 2\n{}", text("plain.json"));
    let found = results(&ended, "a.json").unwrap();
    assert_eq!(found.jobs.len(), 1);
    assert!(said(&found, Severity::Warning).contains(&("a.json", "was ended by a signal before its time")));
}

#[test]
fn files_that_cannot_be_read_say_what_they_are() {
    assert!(whole(&text("terse.txt")).reason.contains("terse"));
    assert!(whole(&text("normal.txt")).reason.contains("for people"));
    assert!(whole(&text("client.txt")).reason.contains("--client"));
    assert_eq!(whole(" \n").reason, "is empty");
    assert_eq!(whole("hello").reason, "has no JSON");
    assert!(whole("\u{fffd}\u{fffd}h\0e\0l\0l\0o\0").reason.contains("UTF-16"));
    assert!(whole("{\"jobs\": []}").reason.contains("not of fio"));
    assert_eq!(whole("{\"fio version\": \"fio-3.33\", \"jobs\": []}").reason, "has no jobs");
    let plain = text("plain.json");
    for version in ["fio-2.16", "fio-4.0", "3.33", "fio-3x", ""] {
        let other = plain.replace("fio-3.33", version);
        assert!(whole(&other).reason.contains("results of fio 3 are read"), "{version}");
    }
    for version in ["fio-3.1", "fio-3.33-dirty", "fio-3.33-12-g0a1b2c3"] {
        assert_eq!(results(&plain.replace("fio-3.33", version), "a.json").unwrap().version, version);
    }
}

#[test]
fn a_file_that_is_cut_off_anywhere_says_so() {
    let plain = text("plain.json");
    let end = plain.trim_end().len();
    for cut in (1..end).step_by(97) {
        let reason = whole(&plain[..cut]).reason;
        let lines = plain[..cut].lines().count();
        assert_eq!(reason, format!("ends within the JSON, in line {lines}"), "{cut}");
    }
    assert!(whole(&format!("a note\n{}", &plain[..700])).reason.starts_with("ends within the JSON"));
    let broken = plain.replacen("\"error\" : 0", "\"error\" : ?", 1);
    let line = plain[..plain.find("\"error\"").unwrap()].lines().count();
    assert!(whole(&format!("one\ntwo\n{broken}")).reason.starts_with(&format!("is no JSON in line {}", line + 2)));
}

#[test]
fn every_number_that_is_damaged_is_named() {
    let file = "calibrate.json";
    let document: serde_json::Value = serde_json::from_str(&text(file)).unwrap();
    let fields = [
        "total_ios",
        "iops",
        "bw_bytes",
        "runtime",
        "clat_ns.N",
        "clat_ns.mean",
        "clat_ns.stddev",
        "clat_ns.min",
        "clat_ns.max",
    ];
    for field in fields {
        let pointer = format!("/jobs/1/read/{}", field.replace('.', "/"));
        for (value, says) in [
            (serde_json::json!("much"), "no number"),
            (serde_json::json!(-1), "negative"),
            (serde_json::Value::Null, "no number"),
        ] {
            let mut damaged = document.clone();
            *damaged.pointer_mut(&pointer).unwrap() = value;
            let found = results(&damaged.to_string(), file).unwrap();
            assert_eq!(found.jobs.len(), 3, "{field}");
            let errors = said(&found, Severity::Error);
            assert_eq!(errors[0].0, format!("calibrate.json, job \"read QD 16\", read.{field}"));
            assert!(errors[0].1.contains(says), "{field}: {}", errors[0].1);
        }
    }
    for (pointer, value, field) in [
        ("/jobs/1/read/clat_ns/bins", serde_json::json!({"5": 1}), "read.clat_ns.bins"),
        ("/jobs/1/read/clat_ns/bins", serde_json::json!({"five": 1}), "read.clat_ns.bins"),
        ("/jobs/1/read/clat_ns/percentile", serde_json::json!({"150": 1}), "read.clat_ns.percentile"),
        ("/jobs/1/write/total_ios", serde_json::json!(7), "write.clat_ns"),
        ("/jobs/1/job options/iodepth", serde_json::json!("many"), "iodepth"),
        ("/jobs/1/job options/bs", serde_json::json!("1"), "bs"),
        ("/jobs/1/job options/bs", serde_json::json!("4 parsecs"), "bs"),
        ("/jobs/1/job options/rw", serde_json::json!("randwrite"), "read.total_ios"),
        ("/global options/filename", serde_json::json!("/dev/nvme0n1:/dev/nvme1n1"), "filename"),
        ("/global options/filename", serde_json::json!("/dev/shm/file"), "filename"),
    ] {
        let mut damaged = document.clone();
        *damaged.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
        let found = results(&damaged.to_string(), file).unwrap();
        let errors = said(&found, Severity::Error);
        let path = format!("calibrate.json, job \"read QD 16\", {field}");
        assert!(errors.iter().any(|(found, _)| *found == path), "{pointer}: {errors:?}");
    }
}

/// What damage does to a text: bytes from a place on are replaced.
fn damaged(text: &str, damage: &[(prop::sample::Index, usize, String)]) -> String {
    let mut text = text.to_owned();
    for (place, length, by) in damage {
        let starts: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        if starts.is_empty() {
            break;
        }
        let at = place.index(starts.len());
        let end = starts.get(at + length).copied().unwrap_or(text.len());
        text.replace_range(starts[at]..end, by);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn damaged_files_are_read_or_refused_with_their_name(
        file in prop::sample::select(vec!["plain.json", "rate.json", "full.json", "status.txt", "group.json"]),
        damage in prop::collection::vec(
            (any::<prop::sample::Index>(), 0..40_usize, "[-0-9a-z{}\\[\\]\",:\n.]{0,8}"), 1..4),
    ) {
        match results(&damaged(&text(file), &damage), file) {
            Ok(found) => prop_assert!(found.remarks.iter().all(|remark| remark.path.starts_with(file))),
            Err(found) => prop_assert!(!found.is_empty() && found.iter().all(|diagnostic| diagnostic.path == file)),
        }
    }

    #[test]
    fn damaged_logs_are_read_or_refused_with_their_name(
        file in prop::sample::select(vec!["every_clat.1.log", "mean_bw.1.log", "mean_clat_hist.1.log", "max_clat.1.log"]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), 0..40_usize, "[-0-9x, \n]{0,22}"), 1..4),
    ) {
        if let Err(found) = log(&damaged(&text(file), &damage), file) {
            prop_assert!(found.iter().all(|diagnostic| diagnostic.path.starts_with(file)));
        }
    }
}
