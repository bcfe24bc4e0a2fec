"""Between scenarios and real racks: what tools measured comes in, what they take goes out."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qoscope import _native
from qoscope._errors import Fault, InvalidError
from qoscope._records import Record, Records, read, record
from qoscope._result import Result
from qoscope._scenario import Scenario, ScenarioLike

if TYPE_CHECKING:
    from qoscope.study import StudyResult

File = str | os.PathLike[str]
"""The path of a file."""


class Export(Record):
    """What a tool takes of a scenario: `files`, `fields`, what became of each, `remarks` and `commands`."""

    def save(self, folder: File) -> list[Path]:
        """Writes its files into a folder, which is made if there is none. Returns their paths."""
        into = Path(folder)
        into.mkdir(parents=True, exist_ok=True)
        paths = []
        for file in self.files:
            paths.append(into / file.name)
            paths[-1].write_text(file.text, encoding="utf-8", newline="")
        return paths


class FittedDrive(Record):
    """A drive that was fitted: `drive`, `outcome`, and `remarks` on jobs that were not used, or with care.

    `outcome.verdict` says whether the jobs match a drive of the model. If they do not, `drive` is `None`.
    """

    def save(self, file: File) -> None:
        """Writes the drive, with its evidence, into a file that the page and `qoscope.read_drive` read.

        Raises:
            InvalidError: where the jobs do not match a drive of the model, with the reasons.
        """
        if self.drive is None:
            verdict = self.outcome.verdict
            fault = Fault("", str(verdict.sentence).removesuffix("."), " ".join(verdict.reasons), "error")
            raise InvalidError((fault,))
        text = json.dumps(self.to_dict()["drive"], indent=2, ensure_ascii=False)
        Path(file).write_text(text + "\n", encoding="utf-8")


def export_targets() -> Records:
    """The tools that take settings of a scenario: `id`, `title`, `kind`, `holds`, and the `version` that files are written for."""
    targets = read(_native.export_targets())
    assert isinstance(targets, Records)
    return targets


def export(scenario: ScenarioLike, to: str) -> Export:
    """What another tool takes of a scenario, and what became of every field: exactly, roughly or not at all.

    Args:
        scenario: what `Scenario` takes.
        to: the `id` of one of `export_targets()`: `"sonic"`.

    Raises:
        InvalidError: where the scenario has nothing for this tool, with what would change it.
    """
    return Export(json.loads(_native.export(Scenario(scenario).to_json(), to)))


def report(of: ScenarioLike | Result, study: StudyResult | None = None) -> str:
    """What we recommend, and why, as Markdown: a page to hand on.

    Args:
        of: the result of a run, or a scenario, of which it says that it was not run.
        study: a study of the scenario, whose answer is part of the reasons.
    """
    scenario = of.scenario if isinstance(of, Result) else Scenario(of)
    summary = json.dumps(of.summary.to_dict()) if isinstance(of, Result) else None
    studied = json.dumps(study.to_dict()) if study is not None and study.answer is not None else None
    return _native.report(scenario.to_json(), summary, studied)


def read_fio(file: File) -> Record:
    """What fio measured, from the file of `--output-format=json+`: `jobs` that can be used, and `remarks`, each with its place, why, and what to do.

    Raises:
        InvalidError: where the file as a whole cannot be read.
    """
    return record(_native.read_fio(os.fspath(file)))


class FioJobs(Record):
    """Job files of fio as the workloads of a scenario: `became`, what became of every line, and `remarks`."""

    @property
    def scenario(self) -> Scenario:
        """The scenario with the workloads of the files."""
        return Scenario(self.to_dict()["scenario"])


def read_fio_jobs(files: File | Sequence[File], onto: ScenarioLike) -> FioJobs:
    """Puts the jobs of fio's job files onto a scenario, as its workloads, and says of every line what became of it: exactly, roughly or not at all.

    Args:
        files: the job file, or several: what different hosts run at the same time.
        onto: the scenario whose workloads the jobs replace. A job that is named after one of its classes runs on the hosts of that class, others on
            all hosts that issue requests, in a class of their own.

    Raises:
        InvalidError: with everything that is wrong with the files, by line, job and option.
    """
    paths = [files] if isinstance(files, (str, os.PathLike)) else files
    return FioJobs(
        json.loads(_native.with_fio_jobs(Scenario(onto).to_json(), [os.fspath(path) for path in paths]))
    )


def read_drive(file: File) -> Record:
    """The file of a drive: `name`, `ssd`, the fields of `storage.ssd`, `beside`, fields by path, and `evidence`."""
    return record(_native.read_drive(os.fspath(file)))


def fit(
    files: File | Sequence[File],
    base: ScenarioLike | None = None,
    *,
    name: str | None = None,
    remote: File | Sequence[File] = (),
    logs: File | Sequence[File] = (),
    hold_out: int | None = None,
    means_alone: bool | None = None,
    seed: int | None = None,
    max_runs: int | None = None,
    most_runs: int | None = None,
) -> FittedDrive:
    """Fits a drive to what fio measured of it, on every core.

    Args:
        files: what fio wrote, one file or several.
        base: the scenario whose drive is where the search begins, and what is kept where jobs tell nothing; the first preset otherwise.
        name: the name of the drive; without one, the default of the engine.
        remote: what fio wrote of jobs that reached the same drive from another host, over NVMe/TCP: tells the target's software from the host's.
        logs: logs of write bandwidth or IOPS over time, which tell the size of the write cache.
        hold_out: one of so many jobs is not fitted, to say what to expect of others; 0 for none.
        means_alone: whether means are matched alone, not medians and 99th percentiles.
        seed: the seed of all runs.
        max_runs: no more runs are made: search, intervals and confirmation together.
        most_runs: the earlier name of `max_runs`.

    Raises:
        InvalidError: where no job can be used, with why of each.
        KeyboardInterrupt: on Ctrl+C.
    """
    choices = {
        "holdOut": hold_out,
        "meansAlone": means_alone,
        "seed": seed,
        "maxRuns": most_runs if max_runs is None else max_runs,
    }
    paths = [
        [os.fspath(path) for path in ([of] if isinstance(of, (str, os.PathLike)) else of)]
        for of in (files, remote, logs)
    ]
    made = _native.fit(None if base is None else Scenario(base).to_json(), paths, name, json.dumps(choices))
    return FittedDrive(json.loads(made))
