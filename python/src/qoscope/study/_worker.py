"""What is done where runs are made: in other processes, on other machines."""

from __future__ import annotations

import math
import os
import pickle
import queue
import signal
import socket
import sys
import threading
from functools import lru_cache
from time import perf_counter
from typing import Any

from qoscope import _native

Engine = tuple[str, str]
"""Version of an engine, and what tells engines apart that give other results."""
Job = tuple[str, str]
"""Key of a run, and its scenario as JSON."""
Row = tuple[str, str, str, float]
"""Key of a run, what became of it (`ran`, `failed`, `refused`), its record or why there is none, and what it took in seconds."""
READY = b"qoscope: ready\n"
"""What a process says that is ready for calls."""
TracePlaces = tuple[str, tuple[tuple[str, str], ...]]
"""The folder that traces are in, and those that are elsewhere."""


def engine() -> Engine:
    """The engine that is here."""
    return _native.version(), _native.results_id()


@lru_cache(maxsize=8)
def shelf(places: TracePlaces) -> _native.Traces:
    """Traces, each of which is read once by a process."""
    folder, elsewhere = places
    return _native.Traces(folder, dict(elsewhere))


def make_batch(expect: Engine, jobs: list[Job], traces: TracePlaces, seconds: float = math.inf) -> list[Row]:
    """Makes some runs, if the engine here gives the results that are expected; begins none after so many seconds but the first. Raises nothing:
    what fails is a row, too.
    """
    own = engine()
    if own[1] != expect[1]:
        sentence = (
            f"Process {os.getpid()} on {socket.gethostname()} has version {own[0]} of the engine, which gives other results than "
            f"version {expect[0]} here"
        )
        return [(key, "refused", sentence, 0.0) for key, _ in jobs]
    began = perf_counter()
    rows: list[Row] = []
    for key, document in jobs:
        if rows and perf_counter() - began > seconds:
            break
        rows.append(_made(key, document, traces))
    return rows


def _made(key: str, document: str, traces: TracePlaces) -> Row:
    began = perf_counter()
    try:
        kind, text = "ran", _native.make(document, shelf(traces))
    except (KeyboardInterrupt, SystemExit):
        raise
    except MemoryError:
        kind, text = "failed", "It ran out of memory."
    except BaseException as error:  # A panic of the engine is no Exception.
        kind, text = "failed", str(error)
    return key, kind, text, perf_counter() - began


def serve() -> None:
    """Answers calls on standard input, until whoever makes them ends."""
    # Ctrl+C reaches every process of a terminal: whoever makes the calls decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    answers.write(READY)
    answers.flush()
    calls: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def read() -> None:
        try:
            while True:
                calls.put(pickle.load(sys.stdin.buffer))
        except (EOFError, OSError):
            # Nobody waits for what is being made.
            os._exit(0)

    threading.Thread(target=read, daemon=True).start()
    while True:
        function, arguments = calls.get()
        try:
            answer = True, function(*arguments)
        except BaseException as error:
            answer = False, error
        pickle.dump(answer, answers)
        answers.flush()
