"""What tests of faults wait for, and what they count."""

import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import NamedTuple, TypeVar

import pyarrow.parquet as parquet

from qoscope.study import StudyResult

T = TypeVar("T")

PATIENCE_SECONDS = 120.0
"""After which a state that does not come is a failure, on however busy a machine."""


def until(state: Callable[[], T], what: str) -> T:
    """Waits for a state: the first answer that is not empty."""
    last = time.monotonic() + PATIENCE_SECONDS
    while not (reached := state()):
        assert time.monotonic() < last, f"waited {PATIENCE_SECONDS:.0f} s in vain until {what}"
        time.sleep(0.01)
    return reached


def is_over(running: Future[StudyResult]) -> bool:
    """Whether a study has ended: too early, where a test asks. Raises what ended it."""
    if running.done():
        running.result()
        raise AssertionError("All runs were made before the fault.")
    return False


def kept(folder: Path) -> Counter[str]:
    """How often a dataset has each run: in parts, and in journals of processes that run or were killed."""
    runs: Counter[str] = Counter()
    for part in folder.glob("runs/*.parquet"):
        runs.update(parquet.read_table(part, columns=["key"]).column("key").to_pylist())
    for journal in folder.glob("journals/*.journal"):
        # What has no end of its line is of a process that was killed while writing it.
        lines = journal.read_text().split("\n")[:-1]
        runs.update(line.split(" ", 2)[1] for line in lines if line.startswith("result "))
    return runs


def made(folder: Path) -> int:
    """Runs that a dataset has by now."""
    while True:
        try:
            return len(kept(folder))
        except FileNotFoundError:
            # A journal was taken into a part meanwhile.
            continue


class Undisturbed(NamedTuple):
    """What a study gives when nothing disturbs it."""

    table: str
    answer: str | None
    runs: int

    def check(self, result: StudyResult, folder: Path, runs: int | None = None) -> None:
        """Holds a study that was disturbed to it: the same table and answer to the last digit, and in the dataset each of its runs
        once, or of so many `runs` of several studies.
        """
        assert told(result) == (self.table, self.answer)
        times = kept(folder)
        assert (len(times), set(times.values())) == (runs or self.runs, {1})
        assert not list(folder.glob("journals/*")), "what was kept is in its place"


def told(result: StudyResult) -> tuple[str, str | None]:
    """Table and answer of a study."""
    return result._coordinator.table(), result._coordinator.answer()


ELSEWHERE = """
import json, sys
from qoscope import study

asked, folder = sys.argv[1:]
result = study.run(json.loads(asked), out=folder, jobs=2, progress=False)
print(json.dumps([[result._coordinator.table(), result._coordinator.answer()], result.counts.to_dict()]))
"""


def elsewhere(asked: dict, folder: Path, memory_bytes: int | None = None) -> subprocess.Popen[str]:
    """A study of another process, each of whose processes may have so much memory."""

    def limited() -> None:
        if memory_bytes:
            resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))

    return subprocess.Popen(
        [sys.executable, "-c", ELSEWHERE, json.dumps(asked), str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=limited,
    )


class Ended(NamedTuple):
    """What a study of another process came to."""

    told: tuple[str, str | None]
    made: int
    failed: int


def end(study: subprocess.Popen[str]) -> Ended:
    """Waits for the end of such a study."""
    output, _ = study.communicate()
    assert study.returncode == 0
    (table, answer), counts = json.loads(output)
    return Ended((table, answer), counts["made"], counts["failed"])
