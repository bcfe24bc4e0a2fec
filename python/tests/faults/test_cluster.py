"""Faults of a cluster of Dask: workers and schedulers that die, networks that are cut, engines that differ."""

from collections.abc import Callable, Iterator

import pytest

pytest.importorskip("distributed")

from machines import Machines, kill_one
from watching import is_over, made, until

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
