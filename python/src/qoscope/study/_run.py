"""Makes the runs of a study: what the coordinator hands out goes in batches to whoever makes runs, and comes back as it ends."""

from __future__ import annotations

import json
import math
import os
import queue
import sys
import warnings
from collections import deque
from collections.abc import Mapping
from concurrent.futures import CancelledError, Executor, Future
from typing import TYPE_CHECKING, Any

from qoscope import _native
from qoscope._errors import QoScopeError
from qoscope.study._document import Study, StudyLike
from qoscope.study._pool import Pool, pool
from qoscope.study._result import StudyResult
from qoscope.study._worker import Job, Row

if TYPE_CHECKING:
    from distributed import Client

    from qoscope._answers import StudyProgress

Places = Mapping[str, "str | os.PathLike[str]"]
"""Where traces are, by name."""

BATCH_SECONDS = 0.075
"""What a batch takes: long against handing it over, short for whoever waits for its end."""
SLOT_SECONDS = 0.015
"""What a batch takes at least for each slot: handing one over, through the scheduler of a cluster too, takes less of this process."""
MOST_RUNS = 1000
"""Runs of a batch at most: a few megabytes of scenarios and records."""
AHEAD_SECONDS = 0.5
"""Work that each slot has before it: at times this process is at something else, such as a part of the dataset that it writes."""
LONGEST = 4.0
"""A batch that has taken so many times as long as it was to take gives back the runs that it has not begun: they are longer than those before."""
LOOK_SECONDS = 0.05
"""How often the dataset is looked at where other processes make what is wanted."""
WAIT_SECONDS = 0.5
"""Longest wait for a batch at a time: workers come and go meanwhile."""


def run(
    study: StudyLike,
    client: Client | Executor | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    traces: Places | None = None,
    progress: bool = True,
    shard: str | tuple[int, int] | None = None,
) -> StudyResult:
    """Makes the runs of a study, and gives its table and answer: to the digit those of the page and of the command line.

    Which runs come next is decided as results come in, so that a search, or seeds that are added until an interval is narrow enough, go on
    while others run. Short runs are made several at a time. A run whose worker is lost is made again; one that loses three fails, with a
    sentence in its row of the table.

    Args:
        study: a `dict`, JSON text, the path of a file, the name of one in `scenarios/studies`, or a `Study`.
        client: where runs are made: processes of this machine where it is `None`, a cluster of Dask by its `distributed.Client`, or any
            `concurrent.futures.Executor`.
        out: folder of a dataset. Every result is kept there as it comes, and no run is made whose result is there, whoever made it: the command
            line reads and writes the same. Several processes may share it.
        jobs: so many batches at once; as many as the machine has cores, or the cluster threads, otherwise.
        traces: where traces are that are not beside the scenario's file, by name. Workers on other machines read them at the same paths.
        progress: shows how far it is, where `tqdm` is installed and there is somebody to see it.
        shard: makes only one part of the runs, `"3/8"` or `(3, 8)`, counted from 1, into an `out` that all parts share: for arrays of jobs.

    Raises:
        InvalidError: with everything that is wrong with the study.
        QoScopeError: the dataset cannot be read or written, or nobody is left who makes runs.
        KeyboardInterrupt: on Ctrl+C. What is made is kept in `out`.
    """
    own = study if isinstance(study, Study) else Study(study)
    part = None if shard is None else _part(shard)
    if part and out is None:
        raise ValueError("a shard needs out, the folder where the results of all shards come together")
    where = pool(client, jobs, own.title)
    try:
        return made(own, where, None if out is None else os.fspath(out), traces, progress, part)
    finally:
        where.close()


def made(
    study: Study,
    where: Pool,
    out: str | None,
    traces: Places | None,
    progress: bool,
    part: tuple[int, int] | None = None,
) -> StudyResult:
    """What a study comes to whose runs are made in a pool."""
    places = study._traces(traces)
    coordinator = study._coordinator(places, out, part)
    driver = _Driver(coordinator, where, places, progress)
    try:
        driver.drive()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(driver.farewell(out)) from None
    except QoScopeError as error:
        raise QoScopeError(f"{error} {driver.farewell(out)}") from error
    finally:
        # Whatever is raised, what is made is put in its place.
        coordinator.close()
    driver.tell()
    return StudyResult(study, coordinator, driver.told)


def _part(shard: str | tuple[int, int]) -> tuple[int, int]:
    try:
        part, of = (int(number) for number in (shard.split("/") if isinstance(shard, str) else shard))
    except ValueError:
        part, of = 0, 0
    if not 1 <= part <= of:
        raise ValueError(f'shard is "3/8" or (3, 8): part 3 of 8, counted from 1, not {shard!r}')
    return part - 1, of


class _Driver:
    """Between the coordinator and the pool."""

    def __init__(self, coordinator: _native.Study, pool: Pool, places: Any, progress: bool) -> None:
        self.coordinator = coordinator
        self.pool = pool
        self.slots = pool.slots
        """Batches that the pool works on at once, as of the last look."""
        self.places = places
        self.told: list[str] = []
        self.under_way: dict[Future[list[Row]], list[Job]] = {}
        self.ended: queue.SimpleQueue[Future[list[Row]]] = queue.SimpleQueue()
        self.again: deque[Job] = deque()
        """Runs whose workers were lost: each is a batch of its own."""
        self.losses: dict[str, int] = {}
        self.alone: Future[list[Row]] | None = None
        """A batch that nothing is to be made beside."""
        self.run_seconds: float | None = None
        self.bar = bar(None, " runs") if progress else None

    def drive(self) -> None:
        """Makes all runs that are wanted."""
        try:
            while not self.coordinator.is_done:
                is_more = self.fill()
                self.tell()
                self.show()
                if not self.coordinator.is_done:
                    self.wait(
                        0.0 if is_more else LOOK_SECONDS if self.coordinator.elsewhere else WAIT_SECONDS
                    )
        finally:
            for future in self.under_way:
                future.cancel()
            if self.bar is not None:
                if self.coordinator.is_done:
                    complete(self.bar)
                self.bar.close()

    def fill(self) -> bool:
        """Hands out what there is room for. Returns whether there is room for more."""
        if self.alone in self.under_way:
            return False
        self.slots = self.pool.slots
        room = self.depth * self.slots - len(self.under_way)
        for job in [self.again.popleft() for _ in range(len(self.again))]:
            # The last time with nothing beside it, which might take the memory that it needs.
            is_last = self.losses.get(job[0], 0) >= self.pool.MOST_LOST - 1
            if room <= 0 or (is_last and self.under_way):
                self.again.append(job)
                continue
            future = self.submit([job])
            room -= 1
            if is_last:
                self.alone, room = future, 0
        if room <= 0:
            return False
        size = self.batch_size()
        jobs = self.coordinator.hand_out(room * size)
        # What has become known left fewer: they are spread all the same.
        size = min(size, math.ceil(len(jobs) / room)) or 1
        for first in range(0, len(jobs), size):
            self.submit(jobs[first : first + size])
        return len(jobs) < room * size and self.counts()["queued"] > 0

    @property
    def depth(self) -> int:
        """Batches of each slot: the one that it works on, and those that it has before it."""
        batch = max(self.run_seconds or AHEAD_SECONDS, self.batch_seconds)
        return 1 + math.ceil(AHEAD_SECONDS / batch)

    @property
    def batch_seconds(self) -> float:
        """What a batch is to take."""
        return max(BATCH_SECONDS, SLOT_SECONDS * self.slots)

    def batch_size(self) -> int:
        """Runs of the next batches."""
        if self.run_seconds is None:
            return 1
        size = min(int(self.batch_seconds / max(self.run_seconds, 1e-6)), MOST_RUNS)
        # Towards the end ever fewer, so that all end at about the same time.
        return max(1, min(size, self.counts()["queued"] // (2 * self.slots)))

    def submit(self, jobs: list[Job]) -> Future[list[Row]]:
        """Has a batch made."""
        future = self.pool.submit(jobs, self.places, LONGEST * self.batch_seconds)
        self.under_way[future] = jobs
        future.add_done_callback(self.ended.put)
        return future

    def counts(self) -> dict[str, int]:
        """What became of the runs."""
        counts: dict[str, int] = json.loads(self.coordinator.counts())
        return counts

    def wait(self, seconds: float) -> None:
        """Waits until a batch has ended, for a time, and takes all that have."""
        try:
            self.take(self.ended.get(timeout=seconds) if seconds else self.ended.get_nowait())
            while True:
                self.take(self.ended.get_nowait())
        except queue.Empty:
            return

    def take(self, future: Future[list[Row]]) -> None:
        """Takes what became of a batch."""
        jobs = self.under_way.pop(future)
        try:
            rows = future.result()
        except (Exception, CancelledError) as error:
            self.lost(jobs, self.pool.lost(error))
            return
        for key, kind, text, _ in rows:
            if kind == "ran":
                self.coordinator.take(key, text)
            elif kind == "failed":
                self.coordinator.failed(key, text)
            else:
                self.coordinator.give_back(key)
        # Those that it had no time for.
        for key, _ in reversed(jobs[len(rows) :]):
            self.coordinator.give_back(key)
        if rows[0][1] == "refused":
            self.pool.refuse(rows[0][2])
        else:
            seconds = sum(row[3] for row in rows) / len(rows)
            # Later batches may be of longer runs.
            self.run_seconds = seconds if self.run_seconds is None else (self.run_seconds + seconds) / 2

    def lost(self, jobs: list[Job], how: str | None) -> None:
        """A batch was not made, since its worker ended so, or since it was taken away."""
        if how is None:
            for key, _ in reversed(jobs):
                self.coordinator.give_back(key)
            return
        # Each of its runs is tried again by itself: which of several was at fault nobody knows.
        for job in jobs:
            key = job[0]
            if len(jobs) == 1:
                self.losses[key] = self.losses.get(key, 0) + 1
            if self.losses.get(key, 0) < self.pool.MOST_LOST:
                self.again.append(job)
            else:
                self.coordinator.failed(
                    key,
                    f"It was tried {self.losses[key]} times by itself, and each time whoever made it was lost: the last time {how}. The usual "
                    "cause is that memory runs out: make fewer runs at once (jobs), or give workers more memory.",
                )

    def tell(self) -> None:
        """Tells whoever runs the study what there is to know of dataset and workers, once."""
        for sentence in [*self.coordinator.told(), *self.pool.told]:
            if sentence not in self.told:
                self.told.append(sentence)
                warnings.warn(sentence, stacklevel=_outside())
        self.pool.told.clear()

    def show(self) -> None:
        """Shows how far it is."""
        if self.bar is None:
            return
        counts, elsewhere = self.counts(), self.coordinator.elsewhere
        done, ahead = counts["made"] + counts["known"], counts["queued"] + counts["underWay"]
        if self.bar.total != done + ahead + elsewhere:
            # Something new is being done: a round of a search, more seeds.
            self.bar.total = done + ahead + elsewhere
            progress: StudyProgress = json.loads(self.coordinator.progress())
            self.bar.set_description(progress["doing"], refresh=False)
        elif elsewhere and not ahead:
            self.bar.set_description("Waiting for other processes", refresh=False)
        self.bar.update(done - self.bar.n)

    def farewell(self, folder: str | None) -> str:
        """What is said to who ends it."""
        counts = self.counts()
        done = counts["made"] + counts["known"]
        if folder is None:
            how = "Nothing is kept of them: with out= a study goes on where it was stopped."
        else:
            how = f"Their results are in {folder}: the same call goes on from there."
        return f"Stopped after {done} of {done + counts['queued'] + counts['underWay']} runs. {how}"


def _outside() -> int:
    """How far up whoever called this package is, for warnings."""
    level, frame = 0, sys._getframe()
    while frame.f_back and frame.f_globals["__name__"].startswith("qoscope."):
        level, frame = level + 1, frame.f_back
    return level


def complete(shown: Any) -> None:
    """Brings a bar to its end: tqdm shows one that is closed before as failed."""
    shown.total = shown.n = max(shown.n, shown.total or 0)
    shown.refresh()


def bar(total: int | None, unit: str) -> Any:
    """A bar of tqdm, if that is installed and there is somebody to see it."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ImportError:
        return None
    is_seen = (sys.stderr and sys.stderr.isatty()) or "ipykernel" in sys.modules
    return tqdm(total=total, unit=unit, leave=False) if is_seen else None
