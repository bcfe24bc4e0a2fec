"""Studies: the same table and answer whoever makes the runs, none of them twice, and none lost with its worker."""

import json
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import deadly
import psutil
import pytest

import qoscope
from qoscope import study
from qoscope.study import _pool, _run
from qoscope.study._processes import Processes, WorkerLost

K = "switch.ecnThresholdPackets"


@pytest.fixture
def sweep(tiny) -> dict:
    """A sweep of eight runs of a millisecond each."""
    return {
        "version": 2,
        "title": "What K costs",
        "scenario": tiny,
        "vary": [{"path": K, "values": [5, 10, 20, 40]}],
        "seeds": {"count": 2},
        "measures": [{"title": "Throughput", "value": "sum(classes.carriedGbps)", "unit": "Gb/s"}],
        "ask": {"kind": "sweep"},
    }


@pytest.fixture
def threads():
    with ThreadPoolExecutor(2) as threads:
        yield threads


def told(result: study.StudyResult) -> tuple:
    """All that a study says."""
    return result.to_dict()["table"], result.to_dict()["answer"]


def numbers(result: study.StudyResult) -> dict:
    """Runs by what became of them."""
    return result.counts.to_dict()


def test_pickled_result_equals_the_original(sweep, threads):
    result = study.run(sweep, threads, progress=False)
    copied = pickle.loads(pickle.dumps(result))
    assert copied.to_dict() == result.to_dict()
    assert copied.counts == result.counts and copied.says == result.says
    assert copied.table.columns() == result.table.columns()
    assert repr(copied) == repr(result) and copied._repr_html_() == result._repr_html_()
    # The second seed of the third point, by the number that the study had of it.
    again = qoscope.run(copied.scenario(2, 1))
    assert sum(each.carried_gbps for each in again.classes) == pytest.approx(
        result.points[2].cells[0].numbers[1]
    )


def test_runs_have_a_row_for_every_point_and_seed(sweep, threads):
    result = study.run(sweep, threads, progress=False)
    runs = result.runs
    assert len(runs) == 8
    assert runs.column_names == [K, "point", "seed", "Throughput"]
    assert runs.column(K) == [5, 5, 10, 10, 20, 20, 40, 40]
    assert runs.column("point") == [0, 0, 1, 1, 2, 2, 3, 3]
    assert runs.column("seed") == [1, 2] * 4
    assert runs.column("Throughput")[2:4] == result.points[1].cells[0].numbers.to_dict()


def test_xarray_dataset_has_dimensions_of_factors_and_seeds(sweep, threads):
    pytest.importorskip("xarray")
    dataset = study.run(sweep, threads, progress=False).to_xarray()
    assert dict(dataset.sizes) == {K: 4, "seed": 2}
    assert dataset["Throughput"].attrs["units"] == "Gb/s"


def test_answer_says_is_a_list_for_sweep_and_search(sweep, threads):
    swept = study.run(sweep, threads, progress=False)
    assert isinstance(swept.answer.says.to_dict(), list)
    search = study.search(sweep["scenario"], vary={K: [5, 40]}, targets="network.drops < 1", least=K, seeds=1)
    found = search.run(threads, progress=False)
    assert found.answer.says.to_dict() == found.says and len(found.says) == 1


def test_bar_of_a_finished_study_is_full(sweep, threads, monkeypatch):
    class Bar:
        def __init__(self):
            self.total, self.n, self.closed = None, 0, None

        def update(self, count):
            self.n += count

        def set_description(self, *_, **__):
            pass

        def refresh(self):
            pass

        def close(self):
            self.closed = (self.n, self.total)

    shown = Bar()
    monkeypatch.setattr(_run, "bar", lambda *_: shown)
    study.run(sweep, threads)
    assert shown.closed == (8, 8)


def test_wrong_arguments_are_named(tiny):
    with pytest.raises(qoscope.QoScopeError, match="seeds is \\[3, 4, 5\\]: give seeds, the number of seeds"):
        study.sweep(tiny, vary={K: [5, 40]}, seeds=[3, 4, 5])
    with pytest.raises(qoscope.QoScopeError, match="give least= or most="):
        study.search(tiny, vary={K: [5, 40]}, targets="network.drops < 1")
    with pytest.raises(qoscope.QoScopeError, match=r"A scenario is a dict, .* not NoneType None"):
        qoscope.run(None)
    with pytest.raises(qoscope.QoScopeError, match=r"A study is a dict, .* not NoneType None"):
        study.run(None)


def test_processes_and_threads_give_one_table(sweep, threads):
    by_processes = study.run(sweep, jobs=2)
    by_threads = study.run(sweep, threads)
    assert told(by_processes) == told(by_threads)
    assert numbers(by_processes) == {"made": 8, "failed": 0, "known": 0, "left": 0}
    assert by_processes.table.column(K) == [5, 10, 20, 40]
    point, cell = by_processes.points[1], by_processes.points[1].cells[0]
    assert (point.at[K], point.set[K], point.seeds, len(cell.numbers)) == (10, 10, 2, 2)
    assert point.cells["Throughput"] == cell
    assert by_processes.table.column("Throughput")[1] == cell.mean == sum(cell.numbers) / 2
    # The very run that the table has.
    run = qoscope.run(by_processes.scenario(1, 1))
    assert sum(each.carried_gbps for each in run.classes) == cell.numbers[1]
    with pytest.raises(IndexError, match="rows 0 to 3"):
        by_processes.scenario(4)


def test_a_committed_search_comes_to_the_committed_answer(scenarios):
    result = study.run(scenarios / "studies/least-k.json")
    committed = json.loads((scenarios / "results/studies.json").read_text())["searches"]["least-k"]
    assert result.answer.is_met and result.says == [committed["says"]]
    assert numbers(result) == {"made": committed["runs"], "failed": 0, "known": 0, "left": 0}
    assert result.points[result.answer.point].at[K] == committed["found"]
    assert result.to_dict()["answer"]["says"] == committed["says"]


def test_what_is_known_is_not_made_again(sweep, threads, tmp_path):
    first = study.run(sweep, threads, out=tmp_path)
    again = study.run(json.dumps(sweep), threads, out=tmp_path)
    sweep["vary"][0]["values"].append(80)
    more = study.run(sweep, threads, out=tmp_path)
    assert told(first) == told(again)
    assert [each.counts.known for each in (first, again, more)] == [0, 8, 8]
    assert [each.counts.made for each in (first, again, more)] == [8, 0, 2]


def test_seeds_are_added_as_results_come_in(sweep, threads):
    sweep["seeds"]["count"] = 4
    sweep["ask"]["within"] = {"absolute": 0.01, "maxSeeds": 6}
    adaptive = study.run(sweep, threads)
    assert max(point.seeds for point in adaptive.points) == 6
    assert adaptive.counts.made == sum(point.seeds for point in adaptive.points)


def test_shards_make_each_run_once(sweep, threads, tmp_path):
    parts = [study.run(sweep, threads, out=tmp_path, shard=shard) for shard in ("1/2", (2, 2))]
    made = [part.counts.made for part in parts]
    assert sum(made) == 8 and min(made) > 0
    assert parts[0].answer is None and parts[0].says == []
    assert parts[0].counts.left == made[1] and "left to other shards" in repr(parts[0])
    assert parts[1].answer is not None and parts[1].counts.known == made[0]


def test_what_cannot_be_asked_for_is_refused_in_a_sentence(sweep, threads, tmp_path):
    for shard in ("9/8", "0/8", "8", (1, 2, 3), "a/b"):
        with pytest.raises(ValueError, match="counted from 1"):
            study.run(sweep, shard=shard)
    with pytest.raises(ValueError, match="a shard needs out"):
        study.run(sweep, shard="1/2")
    with pytest.raises(ValueError, match="1 or more"):
        study.run(sweep, jobs=0)
    with pytest.raises(TypeError, match=r"distributed\.Client"):
        study.run(sweep, 3)
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(qoscope.QoScopeError, match="file"):
        study.run(sweep, threads, out=file)
    sweep["vary"][0]["path"] = "switch.ecnTreshold"
    sweep["measures"][0]["value"] = "drops"
    with pytest.raises(qoscope.InvalidError) as refused:
        study.run(sweep, threads)
    assert [fault.path for fault in refused.value.faults] == ["vary[0].path", "measures[0].value"]
    assert study.Study(sweep).validate() == list(refused.value.faults)


def test_an_executor_that_ends_ends_the_study_and_what_is_made_is_kept(sweep, tmp_path):
    threads = ThreadPoolExecutor(1)

    class Ending(ThreadPoolExecutor):
        calls = 0

        def submit(self, *call):
            self.calls += 1
            if self.calls == 4:
                ended: Future = Future()
                ended.set_exception(RuntimeError("it has ended"))
                return ended
            return threads.submit(*call)

    with Ending(1) as ending, pytest.raises(qoscope.QoScopeError) as told:
        study.run(sweep, ending, out=tmp_path)
    assert "it has ended. Stopped after" in str(told.value) and str(tmp_path) in str(told.value)
    again = study.run(sweep, threads, out=tmp_path)
    threads.shutdown()
    assert again.counts.known > 0 and again.counts.made + again.counts.known == 8


def test_a_worker_of_another_engine_is_refused_and_named(sweep, threads, tmp_path, monkeypatch):
    monkeypatch.setattr(_pool, "engine", lambda: ("9.9.9", "0" * 32))
    with pytest.raises(qoscope.QoScopeError) as refused:
        study.run(sweep, threads, out=tmp_path)
    sentence = str(refused.value)
    assert f"Process {os.getpid()}" in sentence and "9.9.9" in sentence and qoscope.__version__ in sentence
    monkeypatch.undo()
    # Nothing of it is kept, and nothing is held.
    assert numbers(study.run(sweep, threads, out=tmp_path))["made"] == 8


def test_a_run_that_ends_its_workers_fails_alone(sweep, monkeypatch):
    undisturbed = study.run(sweep, jobs=2)
    monkeypatch.setattr(_pool, "make_batch", deadly.deadly_batch)
    result = study.run(sweep, jobs=2)
    assert numbers(result) == {"made": 8, "failed": 2, "known": 0, "left": 0}
    for row in (0, 2, 3):
        assert result.points[row].to_dict() == undisturbed.points[row].to_dict()
    cell = result.points[1].cells[0]
    assert list(cell.numbers) == [None, None] and cell.mean is None
    assert "tried 3 times by itself" in cell.why and "SIGABRT" in cell.why and "memory" in cell.why


def test_a_process_that_ends_takes_one_call_with_it():
    before = psutil.Process().children()
    processes = Processes(2)
    try:
        calls = [processes.submit(os.getpid) for _ in range(20)]
        lost = processes.submit(deadly.ended, 3)
        calls += [processes.submit(os.getpid) for _ in range(20)]
        with pytest.raises(WorkerLost, match="exit code 3"):
            lost.result()
        # Of the two processes, and of the one that was begun anew.
        assert len({call.result() for call in calls}) <= 3
        with pytest.raises(ValueError, match="not so"):
            processes.submit(deadly.refusing, 1).result()
        running = [process for process in psutil.Process().children() if process not in before]
        assert 1 <= len(running) <= 2
    finally:
        processes.shutdown(cancel_futures=True)
    assert not any(process.is_running() for process in running)


def test_what_interpreters_say_at_their_start_is_no_answer(sweep, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("print('hello')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert study.run(sweep, jobs=1).counts.made == 8
    (tmp_path / "sitecustomize.py").write_text("import os; os._exit(9)")
    with pytest.raises(qoscope.QoScopeError, match=r"no process can be begun.*exit code 9"):
        study.run(sweep, jobs=2)


def in_half_a_millisecond(*batch):
    """Makes a batch, and says of each run that it took half a millisecond, however busy the machine is."""
    return [(key, kind, text, 0.0005) for key, kind, text, _ in _pool.make_batch(*batch)]


class Counting(_pool.Pool):
    """A pool that notes how large batches are, and bounds them as it likes."""

    def __init__(self, executor, slots, seconds):
        super().__init__(executor, slots)
        self.sizes, self.seconds = [], seconds

    def submit(self, jobs, traces, seconds):
        assert seconds >= 0.3
        self.sizes.append(len(jobs))
        return self._executor.submit(in_half_a_millisecond, self._engine, jobs, traces, self.seconds)


def test_short_runs_go_in_batches_of_which_each_slot_has_several(sweep, threads):
    sweep["seeds"]["count"] = 100
    counting = Counting(threads, 2, 1e9)
    result = _run.made(study.Study(sweep), counting, None, None, progress=False)
    assert sum(counting.sizes) == result.counts.made == 400
    # None is known to be short at first; however short they are, no slot is left without any.
    assert counting.sizes[:4] == [1] * 4
    assert 10 < max(counting.sizes) <= 100 and len(counting.sizes) < 50


def test_a_batch_is_as_long_as_it_should_be(sweep, threads):
    class Queued:
        def counts(self):
            return json.dumps({"queued": 10_000_000})

    def sizes(run_seconds, slots):
        driver = _run._Driver(Queued(), _pool.Pool(threads, slots), ("", ()), False)
        driver.run_seconds = run_seconds
        return driver.batch_size(), driver.depth

    # What takes long goes alone, and one more for each slot than it works on; what is short in batches, half a second ahead.
    assert sizes(None, 2) == sizes(60.0, 2) == sizes(60.0, 1000) == (1, 2)
    assert sizes(0.1, 2) == (1, 6)
    assert sizes(0.001, 2) == (75, 8)
    # On a large cluster a batch takes seconds, or handing them over would take all the time.
    assert sizes(0.05, 1000) == (300, 2)
    assert sizes(0.001, 1000) == (1000, 2)


def test_a_batch_that_takes_too_long_gives_back_what_it_has_not_begun(sweep, threads):
    sweep["seeds"]["count"] = 20
    hasty = Counting(threads, 2, 0.0)
    result = _run.made(study.Study(sweep), hasty, None, None, progress=False)
    # One run of each batch.
    assert result.counts.made == len(hasty.sizes) == 80 and max(hasty.sizes) > 1
    assert told(result) == told(study.run(sweep, threads))


def test_a_cluster_has_as_many_slots_as_its_workers_have_threads_by_now(monkeypatch):
    class Client:
        asynchronous = False

        def __init__(self):
            self.threads = {}

        def get_executor(self, pure):
            return self

        def nthreads(self):
            if self.threads is None:
                raise OSError("it is gone")
            return self.threads

    now = [100.0]
    monkeypatch.setattr(_pool, "monotonic", lambda: now[0])
    client = Client()
    cluster, bounded = _pool.pool(client, None, "What K costs"), _pool.pool(client, 3, "")
    # One may be about to come; after a while it is said that there is none.
    assert (cluster.slots, cluster.told) == (1, [])
    now[0] += 30
    assert cluster.slots == 1 and "no worker" in cluster.told[0]
    client.threads = {"one": 4, "other": 2}
    assert cluster.slots == 1, "it is not asked all the time"
    now[0] += 30
    assert (cluster.slots, bounded.slots) == (6, 3)
    client.threads = None
    now[0] += 30
    with pytest.raises(qoscope.QoScopeError, match="scheduler of the cluster does not answer: it is gone"):
        cluster.slots  # noqa: B018


SCRIPT = """
import sys
from qoscope import study
from qoscope.study import _run

take = _run._Driver.take
def told(self, future):
    take(self, future)
    print("taken", flush=True)
_run._Driver.take = told
# Without `if __name__ == "__main__"`.
study.run(sys.argv[1], jobs=2, out=sys.argv[2])
print("done", flush=True)
"""


@pytest.fixture
def script(sweep, tmp_path):
    """A script that runs a study, as a process of its own."""
    sweep["scenario"]["durationUs"] = 50_000
    sweep["seeds"]["count"] = 30
    (tmp_path / "script.py").write_text(SCRIPT)
    (tmp_path / "study.json").write_text(json.dumps(sweep))
    call = [sys.executable, tmp_path / "script.py", tmp_path / "study.json", tmp_path / "out"]
    environment = {**os.environ, "PYTHONPATH": str(Path(qoscope.__file__).parents[1])}
    with subprocess.Popen(
        call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_study_that_is_stopped_ends_its_workers_and_goes_on_later(script, how, tmp_path, threads):
    for _ in range(3):
        assert script.stdout.readline() == "taken\n"
    workers = psutil.Process(script.pid).children()
    assert len(workers) == 2
    script.send_signal(how)
    _, said = script.communicate(timeout=20)
    assert not psutil.wait_procs(workers, timeout=10)[1]
    if how == signal.SIGINT:
        assert "KeyboardInterrupt: Stopped after" in said and "the same call goes on from there" in said
        assert not list((tmp_path / "out/journals").iterdir())
    study_file = tmp_path / "study.json"
    result = study.run(study_file, threads, out=tmp_path / "out")
    assert result.counts.known >= 3 and result.counts.made + result.counts.known == 120
    assert result.counts.failed == 0
