"""What a study came to."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from qoscope import _native
from qoscope._records import Record, Records, record
from qoscope._scenario import Scenario, scenario_in
from qoscope.study._document import Study
from qoscope.study._html import study_html


class StudyResult:
    """What a study came to: its table, and its answer once everything is known that it takes."""

    def __init__(self, study: Study, coordinator: _native.Study, told: list[str]) -> None:
        """Of a coordinator that is closed."""
        self.study = study
        """The study."""
        self.told = tuple(told)
        """What there was to know of the dataset and of workers, a sentence each."""
        self._coordinator = coordinator

    @cached_property
    def table(self) -> _native.Table:
        """The table as Arrow, a row for every point: what varies, seeds, the mean of every measure and the ends of its 95 % interval
        (`p99 latency, High`, `…, low`, `…, high`), and why a point was refused.

        `pandas.DataFrame.from_arrow`, `polars.DataFrame`, `pyarrow.table` and DuckDB read it; `column` gives a list.
        """
        return self._coordinator.points()

    @cached_property
    def _said(self) -> dict[str, Any]:
        said: dict[str, Any] = json.loads(self._coordinator.table())
        return said

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

        Of a sweep `says`, a sentence each. Of a sensitivity `rankings`, one for each measure. Of a search `is_met`, `says`, `point`, the row
        of the table that answers, `held` of `of` unseen seeds, `margins`, and more (`docs/studies.md`).
        """
        text = self._coordinator.answer()
        if text is None:
            return None
        return record(text)

    @property
    def counts(self) -> Record:
        """Runs: `made` here, `failed` of them, `known` before or made by others, `left` to other shards."""
        counts = json.loads(self._coordinator.counts())
        return Record({name: counts[name] for name in ("made", "failed", "known", "left")})

    def scenario(self, row: int, seed: int = 0) -> Scenario:
        """The scenario of a point under its first seed, or a later one: run, it gives the very digest that the study had.

        Args:
            row: row of the table.
            seed: place of the seed, from 0 on, as in `numbers` of a cell.
        """
        text = self._coordinator.scenario_at(row, seed) if row >= 0 and seed >= 0 else None
        if text is None:
            raise IndexError(f"the table has rows 0 to {len(self.points) - 1}, and seeds count from 0")
        return scenario_in(self.study._scenario._folder if self.study._scenario else "", text)

    def to_dict(self) -> dict[str, Any]:
        """The `study`, its `table` and its `answer` as `qoscope study run --format json` prints them."""
        answer = self._coordinator.answer()
        return {
            "study": json.loads(self._coordinator.document()),
            "table": json.loads(self._coordinator.table()),
            "answer": None if answer is None else json.loads(answer),
        }

    @property
    def _facts(self) -> str:
        counts, points = self.counts, len(self.points)
        facts = [
            f"{points} point{'' if points == 1 else 's'}",
            f"{counts.made} runs made",
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
        says = self.answer.says
        return [says] if isinstance(says, str) else list(says)
