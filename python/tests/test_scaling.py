"""The arithmetic of docs/scaling.md: its tables are those of python/bench/limits.py, from what was measured."""

import importlib.util

import pytest
from places import REPOSITORY


@pytest.fixture(scope="module")
def limits():
    spec = importlib.util.spec_from_file_location("limits", REPOSITORY / "python/bench/limits.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tables_of_the_page_are_those_of_the_measurements(limits):
    page = limits.PAGE.read_text()
    assert limits.written(page) == page, "write them anew: python python/bench/limits.py --write"


def test_the_overhead_of_a_run_is_below_5_ms(limits):
    rows = limits.measured()["scale"]
    assert {(row["where"], row["runs"]) for row in rows} == {
        (where, runs) for where in ("processes", "cluster") for runs in (10_000, 100_000)
    }
    assert all(0 < row["overheadMs"] < 5 for row in rows)


def test_what_limits_a_study(limits):
    cost = {"runMs": 0.5, "batchMs": 2.0, "workerMs": 0.0, "messageMs": 2.0}
    # Of 1,000 cores batches of 15 s, and of 1,000 runs at most.
    assert [limits.batch_runs(seconds, 1000) for seconds in (0.001, 1, 20)] == [1000, 15, 1]
    # Of a batch of five runs each is 0.5 + 2 / 5 ms to the coordinator.
    rates = limits.limits(3, 1000, cost)
    assert rates == pytest.approx({"workers": 1000 / 3, "coordinator": 1e3 / 0.9, "scheduler": 2500})
    assert limits.kept_busy(3, 1000, cost) == 1000
    # Of runs of a tenth as long there are ten times as many, for the coordinator nearly as dear each.
    rates = limits.limits(0.1, 1000, cost)
    assert rates == pytest.approx(
        {"workers": 10_000, "coordinator": 1e3 / (0.5 + 2 / 150), "scheduler": 75_000}
    )
    assert limits.kept_busy(0.1, 1000, cost) == 194
