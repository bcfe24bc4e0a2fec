"""The result of a study."""

from __future__ import annotations

import copy
import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qoscope import _native
from qoscope._errors import QoScopeError
from qoscope._records import Record, Records
from qoscope._scenario import Scenario
from qoscope.study._document import Study
from qoscope.study._html import study_html

if TYPE_CHECKING:
    from qoscope._answers import StudyTable

_READ = ("study", "told", "table", "counts", "_written")
"""What a result has."""


class StudyResult:
    """The table of a study, and its answer once every run that it needs is known. It pickles."""

    def __init__(self, study: Study, coordinator: _native.Study, told: list[str]) -> None:
        """Of a coordinator that is closed."""
        self.study = study
        """The study."""
        self.told = tuple(told)
        """Notices about the dataset and about workers, a sentence each."""
        self._coordinator = coordinator

    @cached_property
    def table(self) -> _native.Table:
        """The table as Arrow, a row for every point: what varies, seeds, the mean of every measure and the ends of its 95 % interval
        (`p99 latency, High`, `…, low`, `…, high`), and why a point was refused.

        `to_pandas` and `to_polars` give frames, `column` a list; `pyarrow.table` and DuckDB read it.
        """
        return self._coordinator.points()

    @cached_property
    def runs(self) -> _native.Table:
        """A table with a row for every point and seed: what varies, `point`, the row of `table`, `seed`, and every measure."""
        factors = self.table.columns()[: len(self._said["factors"])]
        measures = [measure["title"] for measure in self._said["measures"]]
        rows = [
            (point, place)
            for point, found in enumerate(self._said["points"])
            for place in range(max((len(cell["numbers"]) for cell in found["cells"]), default=0))
        ]
        first, points = self._said["firstSeed"], self._said["points"]
        numbers = [
            [_at(points[point]["cells"][measure]["numbers"], place) for point, place in rows]
            for measure in range(len(measures))
        ]
        return _native.Table(
            [
                *((name, kind, [values[point] for point, _ in rows]) for name, kind, values in factors),
                ("point", "whole", [point for point, _ in rows]),
                ("seed", "whole", [first + place for _, place in rows]),
                *((title, "numbers", values) for title, values in zip(measures, numbers, strict=True)),
            ]
        )

    def to_xarray(self) -> Any:
        """The runs as an `xarray.Dataset`: a dimension for everything that varies and one for seeds, a variable for every measure, with
        its unit. Points that were not run are missing values.

        Raises:
            QoScopeError: xarray or pandas is not installed.
        """
        try:
            import xarray
        except ImportError:
            raise QoScopeError("xarray is not installed: pip install xarray") from None
        names = [name for name, _, _ in self.table.columns()[: len(self._said["factors"])]]
        frame = self.runs.to_pandas().drop(columns="point").set_index([*names, "seed"])
        dataset = xarray.Dataset.from_dataframe(frame)
        for measure in self._said["measures"]:
            dataset[measure["title"]].attrs["units"] = measure["unit"] or ""
        for name, factor in zip(names, self._said["factors"], strict=True):
            dataset[name].attrs |= {"long_name": factor["title"], "units": factor["unit"] or ""}
        return dataset

    @cached_property
    def _written(self) -> dict[str, Any]:
        """Study, table and answer as JSON has them."""
        answer = self._coordinator.answer()
        return {
            "study": json.loads(self._coordinator.document()),
            "table": json.loads(self._coordinator.table()),
            "answer": None if answer is None else json.loads(answer),
        }

    @property
    def _said(self) -> StudyTable:
        table: StudyTable = self._written["table"]
        return table

    def __getstate__(self) -> dict[str, object]:
        """All that there is to read, without the coordinator."""
        return {name: getattr(self, name) for name in _READ}

    def __setstate__(self, state: dict[str, object]) -> None:
        """The result with that state."""
        self.__dict__.update(state)

    @cached_property
    def points(self) -> Records:
        """The points, in the order of the table.

        Each has `at`, the value of everything that varies, by the column of the table (`at["switch.ecnThresholdPackets"]`), `set`, the fields that
        differ from the scenario, `refused`, why the engine refuses it, `seeds`, and `cells`: of every measure, by its title, `mean`, the ends of
        its 95 % interval `low` and `high`, and `numbers`, what each seed gave.
        """
        columns = self.table.column_names
        titles = [measure["title"] for measure in self._said["measures"]]
        return Records(
            [
                {
                    "at": dict(zip(columns, point["values"], strict=False)),
                    **{name: value for name, value in point.items() if name not in ("values", "cells")},
                    "cells": [
                        {"name": title, **cell} for title, cell in zip(titles, point["cells"], strict=True)
                    ],
                }
                for point in self._said["points"]
            ]
        )

    @property
    def factors(self) -> Records:
        """What varies, in the order of columns: `title`, `unit`, `paths`, `present`, the value that the scenario has."""
        return Records(self._said["factors"])

    @property
    def measures(self) -> Records:
        """What is measured, in the order of columns and cells: `title`, `unit`."""
        return Records(self._said["measures"])

    @cached_property
    def answer(self) -> Record | None:
        """The answer; `None` where runs are left to other shards.

        Of a sweep `says`, a list of sentences. Of a sensitivity `rankings`, one for each measure. Of a search `is_met`,
        `says`, `point`, the row of the table that answers, `held` of `of` unseen seeds, `margins`, and more (`docs/studies.md`).
        """
        written = self._written["answer"]
        if written is None:
            return None
        # The engine gives a single sentence alone.
        says = written.get("says")
        return Record({**written, "says": [says]} if isinstance(says, str) else written)

    @cached_property
    def counts(self) -> Record:
        """Runs: `made` here, `failed` of them, `known` before or made by others, `left` to other shards."""
        counts = json.loads(self._coordinator.counts())
        return Record({name: counts[name] for name in ("made", "failed", "known", "left")})

    def scenario(self, row: int, seed: int = 0) -> Scenario:
        """The scenario of a point under its first seed, or a later one: run, it gives the digest that the study had.

        Args:
            row: row of the table.
            seed: place of the seed, from 0 on, as in `numbers` of a cell.

        Raises:
            InvalidError: the point is refused, with every reason.
        """
        points = self._said["points"]
        if not (0 <= row < len(points) and seed >= 0):
            raise IndexError(f"the table has rows 0 to {len(points) - 1}, and seeds count from 0")
        base = self.study._scenario
        assert base is not None, "a study that was run has a scenario"
        changes = {**self.study.get("set", {}), **points[row]["set"], "seed": self._said["firstSeed"] + seed}
        return base.copy().set(changes)

    def to_dict(self) -> dict[str, Any]:
        """The `study`, its `table` and its `answer` as `qoscope study run --format json` prints them."""
        return copy.deepcopy(self._written)

    @property
    def _facts(self) -> str:
        counts, points = self.counts, len(self.points)
        facts = [
            f"{points} point{'' if points == 1 else 's'}",
            f"{counts.made} run{'' if counts.made == 1 else 's'} made",
            f"{counts.known} known",
        ]
        facts += [f"{counts.failed} failed"] if counts.failed else []
        facts += [f"{counts.left} left to other shards"] if counts.left else []
        return ", ".join(facts)

    def __repr__(self) -> str:
        """What was asked, and what was answered."""
        return "\n".join([f"<StudyResult {self.study.title!r}: {self._facts}>", *self.says])

    def _repr_html_(self) -> str:
        """In a notebook."""
        return study_html(self)

    @property
    def says(self) -> list[str]:
        """The answer in sentences."""
        if self.answer is None:
            return []
        if "rankings" in self.answer:
            return [ranking.says for ranking in self.answer.rankings]
        return list(self.answer.says)


def _at(numbers: list[Any], place: int) -> Any:
    return numbers[place] if place < len(numbers) else None
