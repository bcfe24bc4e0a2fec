"""Studies: the same table and answer whoever makes the runs, and none of them twice."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

import qoscope
from qoscope import study

K = "switch.ecnThresholdPackets"


@pytest.fixture
def sweep(tiny) -> dict:
    """A sweep of eight runs of a millisecond each."""
    return {
        "version": 1,
        "title": "What K costs",
        "scenario": tiny,
        "vary": [{"path": K, "values": [5, 10, 20, 40]}],
        "seeds": {"count": 2},
        "measures": [{"title": "Throughput", "value": "sum(classes.carriedGbps)", "unit": "Gb/s"}],
        "ask": {"kind": "sweep"},
    }


def told(result: study.StudyResult) -> tuple:
    """All that a study says."""
    return result._coordinator.table(), result._coordinator.answer()


def test_processes_and_threads_give_one_table(sweep):
    by_processes = study.run(sweep, jobs=2, progress=False)
    with ThreadPoolExecutor(2) as threads:
        by_threads = study.run(sweep, threads, progress=False)
    assert told(by_processes) == told(by_threads)
    assert by_processes.counts.to_dict() == {"made": 8, "failed": 0, "known": 0, "left": 0}
    assert by_processes.table.column(K) == [5, 10, 20, 40]
    point, cell = by_processes.points[1], by_processes.points[1].cells[0]
    assert (point.set[K], point.seeds, len(cell.numbers)) == (10, 2, 2)
    assert by_processes.table.column("Throughput")[1] == cell.mean == sum(cell.numbers) / 2
    # The very run that the table has.
    run = qoscope.run(by_processes.scenario(1, 1))
    assert sum(each.carried_gbps for each in run.classes) == cell.numbers[1]


def test_what_is_known_is_not_made_again(sweep, tmp_path):
    with ThreadPoolExecutor(2) as threads:
        first = study.run(sweep, threads, out=tmp_path, progress=False)
        again = study.run(json.dumps(sweep), threads, out=tmp_path, progress=False)
        sweep["vary"][0]["values"].append(80)
        more = study.run(sweep, threads, out=tmp_path, progress=False)
    assert told(first) == told(again)
    assert [each.counts.known for each in (first, again, more)] == [0, 8, 8]
    assert [each.counts.made for each in (first, again, more)] == [8, 0, 2]
