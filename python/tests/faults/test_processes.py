"""Faults of one machine: processes that end, disks that fill, memory that runs out."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from watching import elsewhere, end, is_over, kept, made, told, until

from qoscope import QoScopeError

WORKER = "qoscope.study._worker"


def workers() -> list[psutil.Process]:
    """Processes of this one that make runs, and have begun one."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if WORKER in " ".join(process.cmdline()) and process.status() == psutil.STATUS_RUNNING:
                found.append(process)
        except psutil.NoSuchProcess:
            continue
    return found


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.full)])
def test_workers_killed_in_the_midst_of_runs(asked, undisturbed, begun, tmp_path, kills):
    asked["vary"][0]["range"]["count"] = 2 * kills
    running = begun(asked, jobs=2, out=tmp_path)
    for before in range(0, 2 * kills, 2):
        # Some runs later, another one.
        until(lambda before=before: made(tmp_path) > before or is_over(running), "more runs are made")
        until(lambda: workers() or is_over(running), "a run is being made")[-1].kill()
    result = running.result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.made, result.counts.failed) == (8 * kills, 0)


@pytest.mark.full
def test_a_study_killed_in_the_midst_goes_on(asked, undisturbed, begun, tmp_path):
    """The process that coordinates is killed, and can put nothing in its place."""
    known = 0
    for _ in range(3):
        beside = elsewhere(asked, tmp_path)
        until(lambda known=known: made(tmp_path) > known + 3, "some runs are made")
        assert beside.poll() is None, "all runs were made before the fault"
        beside.kill()
        beside.wait()
        known = made(tmp_path)
    result = begun(asked, jobs=2, out=tmp_path).result()
    undisturbed(asked).check(result, tmp_path)
    assert (result.counts.known, result.counts.made) == (known, 80 - known)


@pytest.mark.full
def test_studies_into_one_dataset_at_once(asked, undisturbed, begun, tmp_path):
    """Two of them are one and the same, in two processes; the third has runs of its own as well."""
    third = {**asked, "vary": [{"path": "switch.ecnThresholdPackets", "values": [95, 100, 105]}]}
    beside = elsewhere(asked, tmp_path)
    until(lambda: made(tmp_path), "the other process makes runs")
    here = [begun(each, jobs=2, out=tmp_path) for each in (asked, third)]
    results = [running.result() for running in here]
    other = end(beside)
    undisturbed(asked).check(results[0], tmp_path, 84)
    assert other.told == told(results[0])
    assert told(results[1]) == undisturbed(third)[:2]
    shares = [other.made, *(result.counts.made for result in results)]
    assert (sum(shares), min(shares) > 0) == (84, True), shares


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A disk of a size, which may be given another one later."""
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("Only root can mount a small disk.")
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "qoscope", folder], check=True)

    def sized(size: str) -> Path:
        subprocess.run(["mount", "-o", f"remount,size={size}", folder], check=True)
        return folder

    yield sized
    subprocess.run(["umount", folder], check=True)


@pytest.mark.full
@pytest.mark.parametrize("size", ["32k", "128k", "256k"])
def test_a_full_disk_ends_the_study_and_loses_nothing(asked, undisturbed, begun, disk, size):
    folder = disk(size) / "results"
    known = 0
    # The second call fares no better, and nothing is lost by it.
    for _ in range(2):
        with pytest.raises(QoScopeError, match=f"{folder}.*the disk is full"):
            begun(asked, jobs=2, out=folder).result()
        assert known <= made(folder) < 80
        known = made(folder)
    disk("16m")
    result = begun(asked, jobs=2, out=folder).result()
    undisturbed(asked).check(result, folder)
    assert (result.counts.known, result.counts.made) == (known, 80 - known)


@pytest.mark.full
def test_a_run_that_runs_out_of_memory_fails_alone(greedy, undisturbed, tmp_path):
    beside = end(elsewhere(greedy(300), tmp_path, memory_bytes=500_000_000))
    assert (beside.made, beside.failed) == (8, 2)
    points = json.loads(beside.told[0])["points"]
    plenty = json.loads(undisturbed(greedy(3))[0])["points"]
    assert [point["cells"] for point in points[:3]] == [point["cells"] for point in plenty[:3]]
    assert "memory runs out" in points[3]["cells"][0]["why"]
    assert set(kept(tmp_path).values()) == {1} and len(kept(tmp_path)) == 6
