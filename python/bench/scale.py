"""What a run of a study costs beside its simulation: `python python/bench/scale.py [--runs 10000 100000] [--on processes cluster] [--format json]`.

Tiny runs are made by the processes of this machine and by the workers of a Dask cluster on it, into a dataset. CPU time is that of the kernel's accounts, so
that what else a machine does counts little. Occupied is the share of the time in which the processes that make runs were at work or waited for a core that something
else had (Linux): what is left of it they waited for work.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import math
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import psutil

from qoscope import _native, study

K = "switch.ecnThresholdPackets"


def tiny() -> dict[str, Any]:
    """A scenario of half a millisecond: two writers at one link."""
    return {
        "version": 3,
        "name": "two writers",
        "durationUs": 2000,
        "topology": {
            "shape": {"kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1},
            "linkGbps": 10,
            "baseRttUs": 100,
        },
        "classes": [{"name": "High", "ratio": 3}, {"name": "Low"}],
        "workloads": [
            {
                "class": name,
                "endpoints": {"kind": "pairs", "initiators": [host], "targets": ["h2"]},
                "traffic": {"kind": "backlogged"},
            }
            for name, host in [("High", "h0"), ("Low", "h1")]
        ],
    }


def asked(runs: int, duration_us: int) -> dict[str, Any]:
    """A sweep of so many runs: 1,000 thresholds, and as many seeds as it takes."""
    return {
        "version": 2,
        "title": "Tiny runs",
        "scenario": {**tiny(), "durationUs": duration_us},
        "vary": [{"path": K, "range": {"from": 1, "to": 1000, "count": 1000}}],
        "seeds": {"count": runs // 1000},
        "measures": [{"title": "Throughput", "value": "sum(classes.carriedGbps)", "unit": "Gb/s"}],
        "ask": {"kind": "sweep"},
    }


def simulation_seconds(duration_us: int) -> float:
    """CPU time of the simulation of such a run, by itself: the median of some."""
    traces = _native.Traces("", {})
    took = []
    for seed in range(1, 202):
        document = json.dumps({**tiny(), "durationUs": duration_us, "seed": seed})
        before = time.process_time()
        _native.make(document, traces)
        took.append(time.process_time() - before)
    return sorted(took)[len(took) // 2]


def cpu_seconds() -> float:
    """CPU time of this process, of its children that have ended and of those that run."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            times = child.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


class Occupation:
    """How the time of the processes that make runs is spent: looked at again and again, since they end with the study."""

    SECONDS = 0.5

    def __init__(self, count: int) -> None:
        """Of so many processes."""
        self._count = count
        self._over = threading.Event()
        self._looks: list[tuple[float, float]] = []
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Occupation:
        """Begins to look."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Ends."""
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        pids: list[int] = []
        while not self._over.wait(self.SECONDS):
            wanted = [self._wanted(pid) for pid in pids]
            if len(wanted) < self._count or 0.0 in wanted:
                # To list them takes time, which counts as that of the study.
                pids = [child.pid for child in psutil.Process().children(recursive=True)]
                wanted = [self._wanted(pid) for pid in pids]
            # Those that make runs: others do next to nothing. While one of them begins or has ended there is nothing to be told.
            if len(wanted) >= self._count:
                self._looks.append((time.perf_counter(), sum(sorted(wanted)[-self._count :])))

    @staticmethod
    def _wanted(pid: int) -> float:
        """Seconds that the thread of a process that makes runs, its busiest, has been on a core, or waited for one."""
        try:
            threads = Path(f"/proc/{pid}/task").iterdir()
            return max(sum(map(int, (each / "schedstat").read_text().split()[:2])) for each in threads) * 1e-9
        except (OSError, ValueError):
            return 0.0

    @property
    def share(self) -> float:
        """Between the first and the last look at which all were there."""
        looks = [look for look in self._looks if look[1] > 0]
        if len(looks) < 2:
            return math.nan
        seconds = looks[-1][0] - looks[0][0]
        return (looks[-1][1] - looks[0][1]) / seconds / self._count


def message_ms(tasks: int = 4000) -> float:
    """CPU time of a Dask scheduler for a batch, from being told of it to having told its result, in ms."""
    from distributed import Client

    file = Path(tempfile.mkdtemp()) / "scheduler.json"
    environment = {**os.environ, "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}
    programs = [("dask_scheduler", "--port", "0"), *[("dask_worker", "--nthreads", "1")] * 2]
    begun = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                f"distributed.cli.{program}",
                *options,
                "--no-dashboard",
                "--scheduler-file",
                str(file),
            ],
            env=environment,
        )
        for program, *options in programs
    ]
    try:
        with Client(scheduler_file=str(file), timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            executor = client.get_executor(pure=False)
            scheduler = psutil.Process(begun[0].pid)

            def took() -> float:
                times = scheduler.cpu_times()
                return times.user + times.system

            before = took()
            # Some at a time, as a study hands them out.
            for _ in range(tasks // 20):
                for future in [executor.submit(abs, -1) for _ in range(20)]:
                    future.result()
            return (took() - before) / tasks * 1e3
    finally:
        for process in reversed(begun):
            process.terminate()
            process.wait()


@contextlib.contextmanager
def processes() -> Iterator[None]:
    """The processes that a study begins by itself."""
    yield None


@contextlib.contextmanager
def cluster() -> Iterator[Any]:
    """A Dask cluster on this machine: a worker of one thread for each core."""
    from distributed import Client, LocalCluster

    cores = len(os.sched_getaffinity(0))
    with (
        LocalCluster(
            n_workers=cores,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as local,
        Client(local) as client,
    ):
        yield client


WHERE: dict[str, Callable[[], contextlib.AbstractContextManager[Executor | None]]] = {
    "processes": processes,
    "cluster": cluster,
}


def measure(where: str, runs: int, duration_us: int, folder: Path | None) -> dict[str, Any]:
    """Makes the runs, and says what they took."""
    cores = len(os.sched_getaffinity(0))
    with WHERE[where]() as client:
        load = os.getloadavg()[0]
        cpu, own, wall = cpu_seconds(), time.process_time(), time.perf_counter()
        with Occupation(cores) as occupation:
            result = study.run(asked(runs, duration_us), client, out=folder, progress=False)
        wall, own, cpu = time.perf_counter() - wall, time.process_time() - own, cpu_seconds() - cpu
    assert result.counts.made == runs, result.counts
    simulation = simulation_seconds(duration_us)
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) if folder else 0
    return {
        "where": where,
        "runs": runs,
        "durationUs": duration_us,
        "simulationMs": simulation * 1e3,
        "cpuMs": cpu / runs * 1e3,
        "overheadMs": (cpu / runs - simulation) * 1e3,
        "coordinatorMs": own / runs * 1e3,
        "wallSeconds": wall,
        "occupied": occupation.share,
        "bytes": size / runs,
        "loadBefore": load,
    }


def main() -> None:
    """Measures, and prints a row for each case."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, nargs="+", default=[10_000, 100_000], help="thousands")
    parser.add_argument("--on", nargs="+", choices=list(WHERE), default=list(WHERE))
    parser.add_argument("--duration-us", type=int, default=2000, help="simulated time of a run")
    parser.add_argument("--without-dataset", action="store_true")
    parser.add_argument(
        "--messages", action="store_true", help="only what a batch costs the scheduler of Dask"
    )
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    if options.messages:
        print(json.dumps({"messageMs": message_ms()}))
        return
    rows = []
    for runs in options.runs:
        if runs % 1000:
            sys.exit(f"--runs {runs}: give thousands, such as 10000.")
        for where in options.on:
            with tempfile.TemporaryDirectory() as folder:
                kept = None if options.without_dataset else Path(folder)
                rows.append(measure(where, runs, options.duration_us, kept))
                print(f"{where}: {runs} runs in {rows[-1]['wallSeconds']:.1f} s", file=sys.stderr)
    if options.format == "json":
        print(json.dumps(rows, indent=2))
        return
    print(
        f"{'on':<10}{'runs':>8}{'simulation':>12}{'overhead':>10}{'coordinator':>12}{'wall':>9}{'occupied':>10}{'bytes':>8}"
    )
    for row in rows:
        print(
            f"{row['where']:<10}{row['runs']:>8}{row['simulationMs']:>9.2f} ms{row['overheadMs']:>7.2f} ms{row['coordinatorMs']:>9.2f} ms"
            f"{row['wallSeconds']:>7.1f} s{row['occupied']:>10.0%}{row['bytes']:>8.0f}"
        )


if __name__ == "__main__":
    main()
