"""What tools take of a scenario, the report of a run, and drives that are fitted to what fio measured."""

import json

import pytest
from places import REPOSITORY

import qoscope

FIO = REPOSITORY / "wasm-core/crates/interop/tests/fio"
GOLDEN = REPOSITORY / "wasm-core/crates/interop/tests/golden"


def a_drive() -> dict:
    """A scenario with a drive at its host."""
    return {
        "version": 3,
        "name": "bench",
        "durationUs": 1000,
        "topology": {"shape": {"kind": "dumbbell", "senders": 1, "receivers": 1}},
        "classes": [{"name": "fio", "transport": "dctcp"}],
        "access": {"protocol": "local"},
        "workloads": [
            {
                "class": "fio",
                "endpoints": {"kind": "pairs", "initiators": ["h0"], "targets": ["h0"]},
                "traffic": {
                    "kind": "closed-loop",
                    "outstanding": 1,
                    "size": {"kind": "fixed", "bytes": 4096},
                },
            }
        ],
    }


def test_files_of_a_tool_are_those_that_were_approved(tmp_path):
    exported = qoscope.export("three-writers", to="sonic")
    paths = exported.save(tmp_path / "switch")
    approved = {path.name: path.read_text() for path in (GOLDEN / "sonic/three-writers").iterdir()}
    assert {path.name: path.read_text() for path in paths}.items() <= approved.items()
    assert {field.how for field in exported.fields} <= {"exactly", "roughly", "not-at-all"}
    assert isinstance(exported, qoscope.Export)


def test_the_tools_are_named_where_one_is_unknown():
    with pytest.raises(qoscope.QoScopeError, match="sonic") as refused:
        qoscope.export("three-writers", to="abacus")
    assert all(target.id in str(refused.value) for target in qoscope.export_targets())


def test_a_tool_that_a_scenario_has_nothing_for_says_so(tiny):
    with pytest.raises(qoscope.InvalidError) as refused:
        qoscope.export(tiny, to="nvme")
    assert refused.value.faults[0].hint


def test_a_report_names_what_makes_its_run_again(tiny):
    result = qoscope.run(tiny, seed=7)
    report = qoscope.report(result)
    assert report.startswith(f"# What we recommend, and why: {tiny['name']}")
    for named in (result.digest, result.engine_version, result.scenario.hash):
        assert named in report, named
    assert result.digest not in qoscope.report(tiny)


def test_a_report_has_what_a_study_answered(tiny):
    asked = qoscope.study.sweep(tiny, vary={"switch.ecnThresholdPackets": [20, 200]}, seeds=2)
    answered = asked.run(progress=False)
    report = qoscope.report(qoscope.run(tiny), study=answered)
    assert answered.says
    assert all(sentence in report for sentence in answered.says)


def test_jobs_of_fio_are_read_with_remarks_on_the_others():
    read = qoscope.read_fio(FIO / "calibrate.json")
    assert read.jobs.names == ["read QD 1", "read QD 16", "write QD 1", "mix QD 4"]
    assert read.jobs["read QD 16"].iodepth == 16
    with pytest.raises(qoscope.QoScopeError, match="no such file"):
        qoscope.read_fio(FIO / "nothing.json")


def test_jobs_become_the_workloads_of_a_scenario():
    read = qoscope.read_fio_jobs(FIO / "jobs/two-queue-depths.fio", onto="storage-three-classes")
    assert isinstance(read, qoscope.FioJobs)
    assert [workload.traffic.outstanding for workload in read.scenario.workloads] == [4, 32]
    assert [line.how for line in read.became if line.option == "iodepth"] == ["exactly", "exactly"]
    assert any("norandommap" in remark for remark in read.remarks)
    alone = qoscope.Scenario("storage-three-classes").with_fio_jobs(FIO / "jobs/two-queue-depths.fio")
    assert alone == read.scenario
    assert qoscope.run(alone, duration_us=500).classes["long"].carried_gbps > 0


def test_files_of_several_hosts_run_at_the_same_time(tmp_path):
    exported = qoscope.export("storage-three-classes", to="fio")
    files = [path for path in exported.save(tmp_path) if not path.stem.endswith("-latency")]
    again = qoscope.Scenario("storage-three-classes").with_fio_jobs(*files)
    assert len(files) > 1
    assert [workload["class"] for workload in again.to_dict()["workloads"]] == ["High", "Medium", "Low"]


def test_what_is_wrong_with_a_job_file_is_named(tmp_path):
    (tmp_path / "wrong.fio").write_text("[a]\nbs=1.5k\nrw=trim\n")
    with pytest.raises(qoscope.InvalidError) as refused:
        qoscope.read_fio_jobs(tmp_path / "wrong.fio", onto="storage-three-classes")
    assert [fault.path for fault in refused.value.faults] == [
        'wrong.fio, line 3, job "a", rw',
        'wrong.fio, line 2, job "a", bs',
    ]


def test_a_drive_is_fitted_and_read_again(tmp_path):
    fitted = qoscope.fit(FIO / "drive.json", name="Loop", hold_out=0, means_alone=True, most_runs=100)
    assert fitted.outcome.verdict.matches
    assert fitted.drive.name == "Loop"
    assert fitted.drive.evidence.files[0].file == "drive.json"
    assert len(fitted.outcome.jobs) == 4
    assert fitted.outcome.runs <= 100
    fitted.save(tmp_path / "drive.json")
    again = qoscope.read_drive(tmp_path / "drive.json")
    assert again == fitted.drive
    qoscope.Scenario(a_drive(), set={"storage.ssd": again.to_dict()["ssd"]})


def test_jobs_that_match_no_drive_give_none(tmp_path):
    fitted = qoscope.fit(FIO / "calibrate.json", a_drive(), hold_out=0, means_alone=True, max_runs=20)
    assert fitted.drive is None
    with pytest.raises(qoscope.InvalidError, match="do not match a drive of the model"):
        fitted.save(tmp_path / "drive.json")
    assert not (tmp_path / "drive.json").exists()


def test_a_fit_without_a_job_says_why_of_each(tmp_path):
    document = json.loads((FIO / "calibrate.json").read_text())
    for job in document["jobs"]:
        job["error"] = 5
    (tmp_path / "failed.json").write_text(json.dumps(document))
    with pytest.raises(qoscope.InvalidError) as refused:
        qoscope.fit([tmp_path / "failed.json"], a_drive(), name="None")
    (fault,) = refused.value.faults
    assert fault.path.startswith("failed.json, ")
    assert all(f'"{job["jobname"]}"' in fault.path for job in document["jobs"])
