"""Faults of a cluster of Dask: workers and schedulers that die, networks that are cut, engines that differ."""

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Sequence

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


BRIDGE, SUBNET = "qoscope", "10.222.22"
GIVEN_UP = {"DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "12s"}
"""How long a connection lasts that brings nothing: 30 s where nobody says otherwise, 11 s at least."""


def ip(command: str) -> None:
    """Changes the networks of this machine."""
    subprocess.run(["ip", *command.split()], check=True)


@pytest.fixture
def network(machines) -> Iterator[Callable[[int], tuple[Machines, list[Sequence[str]]]]]:
    """A cluster on a network of its own, and the way into each of so many other machines, which are network namespaces."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("Only root can make network namespaces, with `ip` of iproute2.")
    undo: list[str] = []

    def begin(count: int) -> tuple[Machines, list[Sequence[str]]]:
        ip(f"link add {BRIDGE} type bridge")
        undo.append(f"link del {BRIDGE}")
        ip(f"addr add {SUBNET}.1/24 dev {BRIDGE}")
        ip(f"link set {BRIDGE} up")
        for number in range(count):
            name = f"{BRIDGE}-{number}"
            ip(f"netns add {name}")
            undo.append(f"netns del {name}")
            ip(f"link add {name} type veth peer name eth0 netns {name}")
            ip(f"link set {name} master {BRIDGE} up")
            ip(f"-n {name} addr add {SUBNET}.{number + 2}/24 dev eth0")
            ip(f"-n {name} link set eth0 up")
            ip(f"-n {name} link set lo up")
        within = [("ip", "netns", "exec", f"{BRIDGE}-{number}") for number in range(count)]
        return machines(f"{SUBNET}.1", GIVEN_UP), within

    yield begin
    for command in reversed(undo):
        ip(command)


def test_a_worker_cut_off(asked, undisturbed, begun, network, tmp_path):
    """For a moment, in which its connection lasts; then for so long that it is given up, though it makes runs all the while."""
    cluster, within = network(2)
    _, worker = [cluster.work(f"machine-{number}", within=machine) for number, machine in enumerate(within)]
    client = cluster.client(2)
    cut = f"{BRIDGE}-1"
    lost = next(worker for worker in client.processing() if f"{SUBNET}.3:" in worker)
    running = begun(asked, client, out=tmp_path)

    def goes_on() -> None:
        before = made(tmp_path)
        until(lambda: made(tmp_path) > before + 4 or is_over(running), "runs are made")

    goes_on()
    ip(f"link set {cut} down")
    goes_on()
    ip(f"link set {cut} up")
    goes_on()
    assert lost in client.processing()
    until(lambda: client.processing()[lost] or is_over(running), "it has runs to make")
    ip(f"link set {cut} down")
    until(lambda: lost not in client.processing() or is_over(running), "it is given up")
    ip(f"link set {cut} up")
    result = running.result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.made, result.counts.failed) == (80, 0)
    # It has ended with its connection: whoever began it begins it again.
    until(lambda: worker.poll() is not None, "the worker has ended")
    cluster.work("machine-1", within=within[1])
    until(lambda: any(f"{SUBNET}.3:" in back for back in client.processing()), "it is back")
