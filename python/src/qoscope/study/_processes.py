"""Processes of this machine that make runs."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from multiprocessing.spawn import get_executable
from typing import Any, TypeVar

from qoscope.study._worker import READY

T = TypeVar("T")

MOST_BEGUN = 3
"""Processes that are begun, one after the other, before it is said that none can be."""
MOST_KILLED = 20
"""Of those that are killed meanwhile, so many."""


class WorkerLost(BrokenExecutor):
    """The process that made a call has ended."""


class Processes(Executor):
    """An executor of processes, of which one that ends takes with it no more than the call that it was at.

    `ProcessPoolExecutor` breaks as a whole then, and runs the script that began it anew in each process.
    """

    def __init__(self, count: int) -> None:
        """Of so many processes; each is begun when it is first needed."""
        # A thread waits for each process.
        self._threads = ThreadPoolExecutor(count, thread_name_prefix="qoscope-study")
        self._own = threading.local()
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_closed = False

    def submit(self, function: Callable[..., T], /, *arguments: Any, **named: Any) -> Future[T]:
        """Calls a function of a module in one of the processes."""
        return self._threads.submit(self._call, function, arguments)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends all processes; those that are at a call only without `wait`."""
        if wait and not cancel_futures:
            self._threads.shutdown()
        with self._lock:
            self._is_closed = True
            running = list(self._running)
        for process in running:
            process.kill()
        self._threads.shutdown(cancel_futures=True)
        for process in running:
            process.communicate()

    def _call(self, function: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        process: subprocess.Popen[bytes] = getattr(self._own, "process", None) or self._begun()
        assert process.stdin and process.stdout
        try:
            pickle.dump((function, arguments), process.stdin)
            process.stdin.flush()
            is_made, answer = pickle.load(process.stdout)
        except (OSError, EOFError, pickle.UnpicklingError):
            self._own.process = None
            raise WorkerLost(self._end(process)) from None
        if not is_made:
            raise answer
        made: T = answer
        return made

    def _begun(self) -> subprocess.Popen[bytes]:
        # What is importable here is importable there.
        code = f"import sys; sys.path[:] = {sys.path!r}; from qoscope.study._worker import serve; serve()"
        ended = killed = 0
        while ended < MOST_BEGUN and killed < MOST_KILLED:
            with self._lock:
                if self._is_closed:
                    raise WorkerLost("it was ended")
                process = subprocess.Popen(
                    [get_executable(), "-c", code],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    # Ctrl+C in a terminal is not for them.
                    start_new_session=True,
                )
                self._running.add(process)
            assert process.stdout
            # What interpreters say at their start is not for here.
            if any(line.endswith(READY) for line in process.stdout):
                self._own.process = process
                return process
            how = self._end(process)
            # Who kills processes does so at their start, too: that says nothing of the next one.
            if process.returncode < 0:
                killed += 1
            else:
                ended += 1
        raise RuntimeError(f"no process can be begun that makes them: {how}, and standard error says why")

    def _end(self, process: subprocess.Popen[bytes]) -> str:
        """Ends a process that is of no more use. Returns how it came to its end."""
        process.kill()
        process.communicate()
        with self._lock:
            self._running.discard(process)
        return _ended(process.returncode)


def _ended(code: int) -> str:
    if code >= 0:
        return f"it ended with exit code {code}"
    try:
        return f"it was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"it was ended by signal {-code}"
