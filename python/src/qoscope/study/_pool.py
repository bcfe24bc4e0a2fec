"""Where batches of runs are made: processes of this machine, a Dask cluster, or any other executor."""

from __future__ import annotations

import os
import re
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from time import monotonic
from typing import Any
from uuid import uuid4

from qoscope._errors import QoScopeError
from qoscope.study._processes import Processes
from qoscope.study._worker import Job, Row, TracePlaces, engine, make_batch


def cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Pool:
    """An executor, and what a study must know of it."""

    MOST_LOST = 3
    """A run that was lost so many times while it was alone in its batch is not made again."""

    def __init__(self, executor: Executor, jobs: int) -> None:
        """Of an executor that is given so many batches to work on at once."""
        self._executor = executor
        self._jobs = jobs
        self._engine = engine()
        self.told: list[str] = []
        """What a person should know of the workers."""

    @property
    def slots(self) -> int:
        """Batches that it works on at once, by now."""
        return self._jobs

    def submit(self, jobs: list[Job], traces: TracePlaces, seconds: float) -> Future[list[Row]]:
        """Makes a batch, of which no further run is begun after so many seconds."""
        return self._executor.submit(make_batch, self._engine, jobs, traces, seconds)

    def lost(self, error: BaseException) -> str | None:
        """How a worker came to its end, if that is why a batch was not made; `None` if the batch was only taken away. Raises what no other try
        would mend.
        """
        raise QoScopeError(f"No more runs are made: {str(error) or type(error).__name__}.") from error

    def refuse(self, sentence: str) -> None:
        """Gives no more batches to workers whose engine gives other results."""
        raise QoScopeError(f"{sentence}: install the same version wherever runs are made.")

    def close(self) -> None:
        """Makes no more runs of this study."""


class Local(Pool):
    """Processes of this machine."""

    def __init__(self, jobs: int) -> None:
        """So many of them."""
        super().__init__(Processes(jobs), jobs)

    def lost(self, error: BaseException) -> str | None:
        """How a process came to its end."""
        return str(error) if isinstance(error, BrokenExecutor) else super().lost(error)

    def close(self) -> None:
        """Ends the processes."""
        self._executor.shutdown(wait=False, cancel_futures=True)


class Cluster(Pool):
    """A Dask cluster."""

    # The scheduler itself tries several workers (`distributed.scheduler.allowed-failures`).
    MOST_LOST = 2

    LOOK_SECONDS = 2.0
    """How often it is asked for its workers, which come and go."""
    PATIENCE_SECONDS = 20.0
    """How long it may be without a worker before a person is told."""

    def __init__(self, client: Any, jobs: int | None, title: str) -> None:
        """By its client. On the dashboard tasks are called after the title of the study."""
        super().__init__(client.get_executor(pure=False), jobs or 0)
        self._client = client
        self._name = "-".join(re.findall("[a-z]+", title.lower())[:6]) or "study"
        self._submitted = 0
        # A key that the scheduler has seen would give what it gave then.
        self._own = uuid4().hex
        self._refused: set[str] = set()
        self._was_fit = False
        """Whether it had a worker with the engine that is here."""
        self._threads: dict[str, int] = {}
        self._looked_at = -self.LOOK_SECONDS
        self._seen_at = monotonic()

    @property
    def slots(self) -> int:
        """Threads of its workers, at least one: a cluster may be about to get workers. None where all that it has are refused."""
        if monotonic() - self._looked_at > self.LOOK_SECONDS:
            self._look()
        threads = sum(self._threads.values())
        return max(0 if self._refused else 1, min(threads, self._jobs or threads))

    def _look(self) -> None:
        self._threads = {
            address: count for address, count in self._ask().items() if address not in self._refused
        }
        self._looked_at = monotonic()
        if self._threads:
            self._seen_at = self._looked_at
        elif self._looked_at - self._seen_at > self.PATIENCE_SECONDS:
            other = "other " if self._refused else ""
            self.told.append(f"The cluster has no {other}worker: runs wait for one.")

    def _ask(self) -> dict[str, int]:
        try:
            threads: dict[str, int] = self._client.nthreads()
            return threads
        except (OSError, RuntimeError, TimeoutError, CancelledError) as error:
            raise QoScopeError(
                f"The scheduler of the cluster does not answer: {str(error) or type(error).__name__}."
            ) from error

    def submit(self, jobs: list[Job], traces: TracePlaces, seconds: float) -> Future[list[Row]]:
        """Makes a batch on any worker."""
        self._submitted += 1
        how: dict[str, Any] = {"key": f"{self._name}-{self._submitted}-{self._own}"}
        if self._refused:
            # Others, lest it waits for ever for those that end meanwhile: they refuse it once more.
            how |= {"workers": list(self._threads), "allow_other_workers": True}
        return self._executor.submit(make_batch, self._engine, jobs, traces, seconds, **how)

    def lost(self, error: BaseException) -> str | None:
        """How workers came to their end."""
        # Not imported for its name alone: whoever has a client has the package.
        if type(error).__name__ == "KilledWorker":
            died: Any = error
            return f"{died.allowed_failures + 1} workers ended one after the other, the last of them {died.last_worker.address}"
        if isinstance(error, CancelledError):
            # The connection was lost: the next look waits until it is there again.
            self._looked_at = -self.LOOK_SECONDS
            return None
        if isinstance(error, ImportError):
            raise QoScopeError(f"A worker of the cluster lacks a package: {error}.") from error
        return super().lost(error)

    def refuse(self, sentence: str) -> None:
        """Gives no more batches to workers whose engine gives other results."""
        # Whoever ends meanwhile says nothing.
        engines = self._client.run(engine, on_error="ignore")
        refused = {address for address, other in engines.items() if other[1] != self._engine[1]}
        self._was_fit |= len(refused) < len(engines)
        self._refused |= refused
        self._look()
        # Where there was another worker it may come back.
        if not self._threads and not self._was_fit:
            super().refuse(sentence)
        self.told.append(f"{sentence}: it is given no runs.")

    def close(self) -> None:
        """Cancels what is not begun."""
        # A client that has found no scheduler for too long has closed itself.
        if self._client.status != "closed":
            self._executor.shutdown(wait=False)


def pool(client: Any, jobs: int | None, title: str) -> Pool:
    """Where batches are made."""
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs is how many runs are made at once, 1 or more, not {jobs!r}")
    if client is None:
        return Local(jobs or cores())
    if isinstance(client, Executor):
        return Pool(client, jobs or getattr(client, "_max_workers", None) or cores())
    if hasattr(client, "get_executor") and not client.asynchronous:
        return Cluster(client, jobs, title)
    raise TypeError(
        f"client is a distributed.Client, not an asynchronous one, or a concurrent.futures.Executor, not {type(client).__name__}"
    )
