"""The native part: what it computes is what the command line does, and nothing that it is given brings it down."""

import json
import pickle
import signal
import subprocess
import sys
import threading

import pytest

from qoscope import InvalidError, QoScopeError, _native

END = 2**64 - 1
K = "switch.ecnThresholdPackets"


def traces() -> _native.Traces:
    return _native.Traces(".", {})


def begun(document: dict) -> _native.Simulation:
    return _native.Simulation(json.dumps(document), traces())


def ended(simulation: _native.Simulation) -> str:
    assert simulation.advance(END)
    return simulation.digest


def study_of(tiny: dict, out: str | None) -> _native.Study:
    study = {
        "version": 2,
        "title": "K",
        "vary": [{"path": K, "values": [5, 20, 80]}],
        "seeds": {"count": 2},
        "measures": [{"title": "Queue", "value": "network.meanQueuePackets"}],
        "ask": {"kind": "sweep"},
    }
    return _native.Study(json.dumps(study), json.dumps(tiny), traces(), out, None)


def made(study: _native.Study) -> int:
    """Makes all runs of a study; how many there were to make."""
    runs = 0
    while not study.is_done:
        for key, scenario in study.hand_out(4):
            study.take(key, _native.make(scenario, traces()))
            runs += 1
    return runs


@pytest.mark.parametrize("name", ["three-writers", "storage-three-classes", "paper1-fig12a-dctcp"])
def test_a_run_has_the_committed_digest(name, scenarios, digests):
    assert ended(begun(json.loads(next(scenarios.glob(f"*/{name}.json")).read_text()))) == digests[name]


def test_a_fork_and_its_origin_go_on_alike(tiny):
    straight = ended(begun(tiny))
    simulation = begun(tiny)
    assert not simulation.advance(END, 100)
    assert simulation.now_ps < simulation.duration_ps
    fork = simulation.fork()
    assert [ended(fork), ended(simulation)] == [straight, straight]


def test_a_live_change_is_recorded_and_the_recording_gives_the_same_run(tiny):
    simulation = begun(tiny)
    simulation.advance(10**9)
    simulation.apply(json.dumps([{"path": K, "value": 7}]))
    digest = ended(simulation)
    assert ended(begun(json.loads(simulation.scenario()))) == digest
    assert ended(begun(tiny)) != digest
    assert json.loads(simulation.current())["switch"]["ecnThresholdPackets"] == 7


def test_a_refused_change_leaves_the_run_as_it_was(tiny):
    simulation = begun(tiny)
    with pytest.raises(InvalidError) as refused:
        simulation.apply(json.dumps([{"path": K, "value": 9}, {"path": K, "value": -1}]))
    assert refused.value.faults[0].path == K
    assert ended(simulation) == ended(begun(tiny))


def test_every_fault_is_named_with_its_path(tiny):
    tiny["durationUs"] = -1
    tiny["classes"][0]["ratio"] = "much"
    with pytest.raises(InvalidError) as refused:
        begun(tiny)
    assert {fault.path for fault in refused.value.faults} == {"durationUs", "classes[0].ratio"}
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.faults, str(again)) == (refused.value.faults, str(refused.value))
    assert isinstance(again, ValueError)


def test_samples_are_read_by_pyarrow_and_outlive_the_run(tiny):
    pyarrow = pytest.importorskip("pyarrow")
    simulation = begun(tiny)
    simulation.advance(END)
    table = simulation.samples()
    last = simulation.samples(len(table) - 1)
    del simulation
    first, second = pyarrow.table(table), pyarrow.table(table)
    assert first.equals(second)
    assert first.column_names == table.column_names
    assert first.num_rows == len(table) > len(last) == 1
    assert first["time_us"].to_pylist() == table.column("time_us")
    with pytest.raises(KeyError):
        table.column("nothing")


def test_latencies_fall(tiny):
    simulation = begun(tiny)
    simulation.advance(END)
    latencies = simulation.latencies()
    rows = list(zip(*(latencies.column(name) for name in latencies.column_names), strict=True))
    for name in {row[0] for row in rows}:
        shares = [share for (of, where, _, share) in rows if (of, where) == (name, "request")]
        assert shares == sorted(shares, reverse=True)


def test_other_threads_go_on_while_a_run_computes(scenarios):
    simulation = begun(json.loads((scenarios / "presets/three-writers.json").read_text()))
    is_through = threading.Event()
    thread = threading.Thread(target=lambda: (simulation.advance(END), is_through.set()))
    thread.start()
    counted = 0
    while not is_through.is_set():
        counted += 1
    thread.join()
    assert counted > 100


def test_ctrl_c_stops_a_run(scenarios):
    program = (
        "import json, sys; from qoscope import _native\n"
        "document = json.load(open(sys.argv[1])); document['durationUs'] = 10_000_000\n"
        "document.setdefault('measurement', {})['samplePeriodUs'] = 1000\n"
        "simulation = _native.Simulation(json.dumps(document), _native.Traces('.', {}))\n"
        "simulation.advance(10**9)\n"
        "try: print('begun', flush=True); simulation.advance(2**64 - 1)\n"
        "except KeyboardInterrupt: print('stopped', simulation.now_ps < simulation.duration_ps)\n"
    )
    arguments = [sys.executable, "-c", program, str(scenarios / "presets/three-writers.json")]
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        line = child.stdout.readline()
        assert line == "begun\n", child.stderr.read()
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=60)[0] == "stopped True\n"


@pytest.mark.parametrize(
    "nonsense", ["", "null", "[]", "3", '"three-writers"', "{", '{"version": 99}', "[" * 5000, "\0"]
)
def test_nonsense_is_refused_in_sentences(nonsense):
    for act in [
        lambda: begun_of(nonsense),
        lambda: _native.explain(nonsense),
        lambda: _native.Study(nonsense, None, traces(), None, None),
    ]:
        with pytest.raises(InvalidError) as refused:
            act()
        assert refused.value.faults
        assert all(fault.reason for fault in refused.value.faults)


def begun_of(text: str) -> _native.Simulation:
    return _native.Simulation(text, traces())


def test_a_field_is_read_as_it_is_in_force(tiny):
    assert json.loads(_native.get_path(json.dumps(tiny), "classes[1].ratio") or "") == 1
    changed = _native.set_path(json.dumps(tiny), "classes[1].ratio", "2.5")
    assert json.loads(changed)["classes"][1]["ratio"] == 2.5
    assert _native.get_path(json.dumps(tiny), "no.such[3].field") is None


def test_a_study_makes_no_run_twice(tiny, tmp_path):
    study = study_of(tiny, str(tmp_path))
    assert made(study) == 6
    study.close()
    again = study_of(tiny, str(tmp_path))
    assert made(again) == 0
    again.close()
    assert again.table() == study.table()
    assert again.answer() == study.answer() is not None
    assert json.loads(again.counts())["known"] == 6


def test_a_run_that_was_given_back_is_wanted_again_and_counts_once(tiny, tmp_path):
    study = study_of(tiny, str(tmp_path))
    [(key, scenario)] = study.hand_out(1)
    study.give_back(key)
    assert study.hand_out(1) == [(key, scenario)]
    record = _native.make(scenario, traces())
    study.take(key, record)
    study.take(key, record)
    assert made(study) == 5
    assert json.loads(study.counts())["made"] == 6
    study.close()


def test_a_record_of_another_engine_is_refused_by_name(tiny):
    study = study_of(tiny, None)
    [(key, scenario)] = study.hand_out(1)
    record = json.loads(_native.make(scenario, traces())) | {"results": "0" * 32, "engine": "9.9.9"}
    with pytest.raises(QoScopeError, match=r"9\.9\.9"):
        study.take(key, json.dumps(record))


def test_a_run_that_failed_is_told_at_its_point(tiny):
    study = study_of(tiny, None)
    for key, scenario in study.hand_out(6):
        if json.loads(scenario)["switch"]["ecnThresholdPackets"] == 20:
            study.failed(key, "Its worker ran out of memory.")
        else:
            study.take(key, _native.make(scenario, traces()))
    points = json.loads(study.table())["points"]
    assert [point["cells"][0]["why"] for point in points] == [None, "Its worker ran out of memory.", None]


def test_a_trace_that_is_not_there_is_named(tiny):
    tiny["workloads"][0]["traffic"] = {"kind": "trace", "file": "nowhere.csv"}
    with pytest.raises(QoScopeError, match=r"nowhere\.csv"):
        begun(tiny)


def test_a_trace_is_read_with_its_requests(tmp_path):
    file = tmp_path / "t.spc"
    file.write_text("0,20941264,8192,W,0.551706\n0,20939840,8192,R,0.554041\n1,3436288,15872,r,0.704155\n")
    table, told = _native.read_trace(str(file), None, [], None)
    assert table.column("bytes") == [8192, 8192, 15872]
    assert table.column("is_read") == [False, True, True]
    assert len(set(table.column("volume"))) == 2
    assert json.loads(told)["lines"] == 3
    with pytest.raises(QoScopeError, match="no format"):
        _native.read_trace(str(file), "tape", [], None)
