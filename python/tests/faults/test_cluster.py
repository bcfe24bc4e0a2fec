"""Faults of a cluster of Dask: workers and schedulers that die, networks that are cut, engines that differ."""

import json
import socket
from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("distributed")

from machines import Machines, kill_one
from watching import is_over, kept, made, until

from qoscope import QoScopeError

pytestmark = pytest.mark.full


@pytest.fixture
def machines(tmp_path_factory) -> Iterator[Callable[..., Machines]]:
    """Begins clusters, and ends them."""
    begun: list[Machines] = []

    def begin(*arguments, **named) -> Machines:
        begun.append(Machines(tmp_path_factory.mktemp("dask"), *arguments, **named))
        return begun[-1]

    yield begin
    for each in begun:
        each.close()


def test_workers_killed_in_the_midst_of_runs(asked, undisturbed, begun, machines, tmp_path):
    cluster = machines()
    workers = [cluster.work(name) for name in ("one", "other")]
    client = cluster.client(len(workers))
    running = begun(asked, client, out=tmp_path)
    for before in range(0, 30, 3):
        until(lambda before=before: made(tmp_path) > before or is_over(running), "more runs are made")
        kill_one(client, lambda: is_over(running))
    result = running.result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.made, result.counts.failed) == (80, 0)


def test_a_scheduler_killed_and_begun_again(asked, undisturbed, begun, machines, tmp_path):
    cluster = machines()
    cluster.work("one")
    client = cluster.client(1)
    running = begun(asked, client, out=tmp_path)
    until(lambda: made(tmp_path) > 5 or is_over(running), "some runs are made")
    cluster.scheduler.kill()
    cluster.scheduler.wait()
    cluster.schedule()
    cluster.work("other")
    result = running.result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.made, result.counts.failed) == (80, 0)


def test_a_scheduler_killed_for_good(asked, undisturbed, begun, machines, tmp_path):
    """The study ends with a sentence, and goes on elsewhere."""
    cluster = machines()
    cluster.work("one")
    client = cluster.client(1, patience=2)
    running = begun(asked, client, out=tmp_path)
    until(lambda: made(tmp_path) > 5 or is_over(running), "some runs are made")
    cluster.scheduler.kill()
    with pytest.raises(QoScopeError, match="scheduler"):
        running.result()
    known = made(tmp_path)
    result = begun(asked, jobs=2, out=tmp_path).result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.known, result.counts.made) == (known, 80 - known)


OTHER_ENGINE = """
from qoscope import _native

_native.version = lambda: "9.8.7"
_native.results_id = lambda: "0" * 32
"""


@pytest.fixture
def other_engine(tmp_path_factory) -> str:
    """What a worker loads that is to have another version of the engine."""
    preload = tmp_path_factory.mktemp("engine") / "other_engine.py"
    preload.write_text(OTHER_ENGINE)
    return str(preload)


def test_a_worker_with_another_engine_is_named_and_given_nothing(
    asked, undisturbed, begun, machines, tmp_path, other_engine
):
    cluster = machines()
    cluster.work("same")
    cluster.work("other", "--preload", other_engine)
    client = cluster.client(2)
    running = begun(asked, client, out=tmp_path)
    until(lambda: made(tmp_path) > 5 or is_over(running), "some runs are made")
    # The one that is left comes back under another address.
    kill_one(client, lambda: is_over(running))
    result = running.result()
    undisturbed(asked).check(result, tmp_path)
    told = [sentence for sentence in result.told if "9.8.7" in sentence]
    assert told and result.counts.failed == 0
    assert all(socket.gethostname() in sentence and "given no runs" in sentence for sentence in told), told


def test_workers_of_another_engine_alone_make_nothing(asked, begun, machines, tmp_path, other_engine):
    cluster = machines()
    cluster.work("other", "--preload", other_engine)
    with pytest.raises(QoScopeError, match=r"9\.8\.7.*install the same version"):
        begun(asked, cluster.client(1), out=tmp_path).result()
    assert not kept(tmp_path)


def test_a_run_that_runs_out_of_memory_fails_alone(greedy, undisturbed, begun, machines, tmp_path):
    cluster = machines()
    [cluster.work(name, "--memory-limit", "400MB") for name in ("one", "other")]
    result = begun(greedy(300), cluster.client(2), out=tmp_path).result()
    plenty = json.loads(undisturbed(greedy(3)).table)["points"]
    points = json.loads(result._coordinator.table())["points"]
    assert [point["cells"] for point in points[:3]] == [point["cells"] for point in plenty[:3]]
    assert "memory runs out" in points[3]["cells"][0]["why"]
    assert (result.counts.made, result.counts.failed, sorted(kept(tmp_path).values())) == (8, 2, [1] * 6)
