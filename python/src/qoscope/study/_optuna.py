"""Searches by the samplers of Optuna, whose trials are runs of a study."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any, NamedTuple

from qoscope import _native
from qoscope._errors import QoScopeError
from qoscope._names import plain
from qoscope.study._document import Study, StudyLike
from qoscope.study._pool import pool
from qoscope.study._run import Places, bar, made
from qoscope.study._worker import shelf

if TYPE_CHECKING:
    import optuna as library
    from distributed import Client

    from qoscope._answers import StudyCell, StudyPoint, StudyTable

MISSING = 1e12
"""By how much a target is missed where a run gave no number: by more than any number misses it."""
AT_ONCE: int = json.loads(_native.study_schema())["$defs"]["Factor"]["properties"]["alternatives"]["maxItems"]
"""Trials that are evaluated together at most: the alternatives that a study may have."""


def optuna(
    study: StudyLike,
    client: Client | Executor | None = None,
    *,
    trials: int = 100,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    traces: Places | None = None,
    at_once: int | None = None,
    sampler: library.samplers.BaseSampler | None = None,
    into: library.study.Study | None = None,
    progress: bool = True,
) -> library.study.Study:
    """Searches by a sampler of Optuna: what `search` asks, for those who prefer its samplers, pictures and dashboard.

    A trial makes a run under each seed of the study, the same for all trials, so that two trials differ by their settings and not by other
    arrivals. What is preferred are its values, by their means; what must hold are its constraints. Unlike the answer of `search`, the best trial
    is not confirmed on seeds that it was not chosen by, and looks better than it is.

    >>> from qoscope import study
    >>> trials = study.optuna("promise-to-high", trials=150, out="results")  # doctest: +SKIP
    >>> trials.best_trials[0].params, trials.best_trials[0].user_attrs  # doctest: +SKIP

    Args:
        study: a study that asks a search.
        client: where runs are made, as of `run`.
        trials: so many of them.
        out: folder of a dataset, as of `run`: no run is made twice.
        jobs: so many batches of runs at once, as of `run`.
        traces: where traces are, as of `run`.
        at_once: trials that are evaluated together; as many as keep all workers busy otherwise. The fewer, the more the sampler knows.
        sampler: one of Optuna; TPE otherwise.
        into: a study of Optuna to go on with, perhaps in a storage of its own; one in memory otherwise.
        progress: shows how many trials are made.

    Returns:
        The study of Optuna. `constraints` of a trial say by how much each target is missed, as a share of its bound: what is not above 0 holds.
        `user_attrs` have the mean of every measure by its title, and `why` there is none where the engine refuses the trial.

    Raises:
        QoScopeError: the study asks no search, or Optuna is not installed.
        InvalidError: with everything that is wrong with the study.
    """
    library = _library()
    with Objective(study, client, out=out, jobs=jobs, traces=traces) as objective:
        if into is None:
            # The same trials every time, as far as the sampler goes.
            own = sampler or library.samplers.TPESampler(seed=0)
            into = library.create_study(
                directions=objective.directions, sampler=own, study_name=objective.study.title
            )
        elif sampler is not None:
            into.sampler = sampler
        together = min(at_once or objective.at_once, AT_ONCE)
        shown = bar(trials, " trials") if progress else None
        try:
            for first in range(0, trials, together):
                asked = [into.ask() for _ in range(min(together, trials - first))]
                for trial, outcome in zip(asked, objective.outcomes(asked), strict=True):
                    if outcome.values is None:
                        into.tell(trial, state=library.trial.TrialState.PRUNED)
                    else:
                        into.tell(trial, list(outcome.values))
                if shown is not None:
                    shown.update(len(asked))
        finally:
            if shown is not None:
                shown.close()
    return into


class Outcome(NamedTuple):
    """What a trial came to."""

    values: tuple[float, ...] | None
    """What is preferred; `None` where there is none."""
    why: str | None
    """Why there is none."""


class Objective:
    """The objective of a search for Optuna: `optuna_study.optimize(objective, n_trials=100)`.

    It keeps its workers until it is closed, best by `with`.
    """

    def __init__(
        self,
        study: StudyLike,
        client: Client | Executor | None = None,
        *,
        out: str | os.PathLike[str] | None = None,
        jobs: int | None = None,
        traces: Places | None = None,
    ) -> None:
        """Of a study that asks a search, as `optuna` takes it."""
        _library()
        self.study = study if isinstance(study, Study) else Study(study)
        self._traces, self._out = traces, None if out is None else os.fspath(out)
        self._places = self.study._traces(traces)
        # All that is wrong with it is told here.
        whole: StudyTable = json.loads(self.study._coordinator(self._places, None, None).table())
        self._ask = self.study["ask"]
        if self._ask["kind"] != "search":
            raise QoScopeError(
                f"{self.study.title!r} asks a {self._ask['kind']}: trials need the targets and preferences of a search."
            )
        self._axes = [
            _Axis(self.study, self._places, factor, said["title"])
            for factor, said in zip(self.study["vary"], whole["factors"], strict=True)
        ]
        self._measures = [measure["title"] for measure in whole["measures"]]
        self.directions = [
            "minimize" if each["wanted"] == "min" else "maximize" for each in self._ask["prefer"]
        ]
        """Directions of the values, for `optuna.create_study`."""
        self._pool = pool(client, jobs, self.study.title)

    def __enter__(self) -> Objective:
        """Itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Ends the workers."""
        self.close()

    def close(self) -> None:
        """Ends the workers."""
        self._pool.close()

    @property
    def at_once(self) -> int:
        """Trials that keep all workers busy."""
        seeds: int = self.study.get("seeds", {}).get("count") or _default("Seeds", "count")
        return max(1, math.ceil(self._pool.slots / seeds))

    def __call__(self, trial: library.trial.Trial) -> float | tuple[float, ...]:
        """The values of a trial."""
        values, why = self.outcomes([trial])[0]
        if values is None:
            raise _library().TrialPruned(why)
        return values[0] if len(values) == 1 else values

    def outcomes(self, trials: Sequence[library.trial.Trial]) -> list[Outcome]:
        """What some trials come to, whose runs are made together; means of measures and constraints are put down with each."""
        points = [[axis.suggested(trial) for axis in self._axes] for trial in trials]
        titles = [f"Trial {trial.number}" for trial in trials]
        sets = [{path: value for place in point for path, value in place.fields.items()} for point in points]
        document = self.study.to_dict() | {
            "vary": [
                {
                    "title": "Trial",
                    "alternatives": [
                        {"title": title, "set": fields} for title, fields in zip(titles, sets, strict=True)
                    ],
                }
            ],
            "ask": {"kind": "sweep"},
        }
        sweep = Study(document, scenario=self.study._scenario)
        result = made(sweep, self._pool, self._out, self._traces, progress=False)
        told = result._said["points"]
        return [
            self._outcome(trial, point, row) for trial, point, row in zip(trials, points, told, strict=True)
        ]

    def _outcome(self, trial: library.trial.Trial, point: list[_Place], row: StudyPoint) -> Outcome:
        cells = dict(zip(self._measures, row["cells"], strict=True))
        for title, measured in cells.items():
            trial.set_user_attr(title, measured["mean"])
        for target in self._ask["targets"]:
            for name, missed in _missed(target, cells[target["measure"]]):
                trial.set_constraint(name, missed)
        values = []
        for preference in self._ask["prefer"]:
            of = preference["of"]
            cell = cells.get(of)
            value = cell["mean"] if cell else self._placed(point, of)
            if value is None:
                why = row["refused"] or (cell and cell["why"]) or f"{of} has no value"
                trial.set_user_attr("why", why)
                return Outcome(None, why)
            values.append(float(value))
        if row["refused"]:
            trial.set_user_attr("why", row["refused"])
            return Outcome(None, row["refused"])
        return Outcome(tuple(values), None)

    def _placed(self, point: list[_Place], of: str) -> Any:
        """The value of something that varies."""
        return next(place.value for axis, place in zip(self._axes, point, strict=True) if of in axis.names)


class _Place(NamedTuple):
    """A value of something that varies."""

    value: Any
    fields: dict[str, Any]
    """The fields that it changes, by path."""


class _Axis:
    """Something that varies, as the engine reads it: what each value changes is for it to say."""

    def __init__(self, study: Study, places: Any, factor: dict[str, Any], title: str) -> None:
        self._study, self._traces, self._factor = study, places, factor
        self.names = {title, factor.get("path"), factor.get("title")}
        self._name = factor.get("title") or factor.get("path") or title
        self._places = self._read(factor)
        values = [place.value for place in self._places]
        self._is_range = factor.get("range") is not None and not any(
            isinstance(value, (str, bool)) or value is None for value in values
        )
        self._is_whole = all(isinstance(value, int) for value in values)

    def _read(self, factor: dict[str, Any]) -> list[_Place]:
        document = self._study.to_dict() | {"vary": [factor], "ask": {"kind": "sweep"}}
        scenario = self._study._scenario.to_json() if self._study._scenario else None
        alone = _native.Study(json.dumps(document), scenario, shelf(self._traces), None, None)
        table: StudyTable = json.loads(alone.table())
        return [_Place(point["values"][0], point["set"]) for point in table["points"]]

    def suggested(self, trial: library.trial.Trial) -> _Place:
        """The value that a trial tries."""
        if not self._is_range:
            values = [place.value for place in self._places]
            return self._places[values.index(trial.suggest_categorical(self._name, values))]
        low, high = self._places[0].value, self._places[-1].value
        low, high = min(low, high), max(low, high)
        is_log = self._factor["range"].get("scale") == "log"
        value = (
            trial.suggest_int(self._name, low, high, log=is_log)
            if self._is_whole
            else trial.suggest_float(self._name, low, high, log=is_log)
        )
        single = {name: of for name, of in self._factor.items() if name != "range"} | {
            "values": [plain(value)]
        }
        return self._read(single)[0]


def _missed(target: dict[str, Any], cell: StudyCell) -> Iterator[tuple[str, float]]:
    """By how much a target is missed under the seeds that count, as a share of each of its bounds."""
    confidence = target.get("confidence") or _default("Target", "confidence")
    numbers = cell["numbers"]
    for bound, sign in (("atMost", 1), ("atLeast", -1)):
        value = target.get(bound)
        if value is None:
            continue
        misses = sorted(
            MISSING if number is None else sign * (number - value) / (abs(value) or 1.0) for number in numbers
        )
        # It must hold in so many of them: the worst of these counts.
        counts = math.ceil(confidence * len(misses) - 1e-9)
        yield f"{target['measure']} {bound} {value:g}", misses[counts - 1] if misses else MISSING


def _default(of: str, field: str) -> Any:
    """What a field of studies is where it is left out."""
    return json.loads(_native.study_schema())["$defs"][of]["properties"][field]["default"]


def _library() -> Any:
    try:
        import optuna as library
    except ImportError:
        raise QoScopeError("Optuna is not installed: pip install 'qoscope-sim[optuna]'.") from None
    return library
