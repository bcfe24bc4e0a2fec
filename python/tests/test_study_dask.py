"""Studies on a cluster of Dask: two workers of one thread, each a process."""

import logging
import os

import pytest
from distributed import Client, LocalCluster

import qoscope
from qoscope import study
from qoscope.study import _pool

K = "switch.ecnThresholdPackets"


@pytest.fixture(scope="module")
def client():
    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture
def sweep(tiny) -> dict:
    return study.sweep(
        tiny,
        vary={K: [5, 10, 20, 40]},
        measures=["sum(classes.carried_gbps)"],
        seeds=30,
        title="What K costs",
    ).to_dict()


def told(result: study.StudyResult) -> tuple:
    return result.to_dict()["table"], result.to_dict()["answer"]


def test_a_cluster_gives_the_table_of_processes_and_none_of_its_runs_is_made_again(sweep, client, tmp_path):
    here = study.run(sweep, jobs=2)
    there = study.run(sweep, client, out=tmp_path)
    assert told(here) == told(there) and there.counts.made == 120
    assert study.run(sweep, out=tmp_path).counts.known == 120
    # Tasks are named after the study on the dashboard.
    assert "what-k-costs" in client.run_on_scheduler(
        lambda dask_scheduler: list(dask_scheduler.task_prefixes)
    )


def other_engine(version: str, results: str) -> None:
    """Makes the engine of a worker another one."""
    from qoscope import _native

    _native.version, _native.results_id = lambda: version, lambda: results


def test_a_worker_of_another_engine_is_given_no_runs_and_named(sweep, client):
    own = _pool.engine()
    pids = client.run(os.getpid)
    address = next(iter(pids))
    client.run(other_engine, "9.9.9", "0" * 32, workers=[address])
    try:
        with pytest.warns(UserWarning, match="9\\.9\\.9") as warned:
            result = study.run(sweep, client)
        assert warned[0].filename == __file__
        assert result.counts.made == 120 and result.counts.failed == 0
        assert len(result.told) == 1 and f"Process {pids[address]}" in result.told[0]
        client.run(other_engine, "9.9.9", "0" * 32)
        with pytest.raises(qoscope.QoScopeError, match="install the same version wherever runs are made"):
            study.run(sweep, client)
    finally:
        client.run(other_engine, *own)
