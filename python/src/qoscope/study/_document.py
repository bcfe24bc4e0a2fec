"""Documents of studies."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from qoscope import _native
from qoscope._errors import Fault, InvalidError, QoScopeError
from qoscope._names import plain
from qoscope._records import Record, record
from qoscope._scenario import Scenario, ScenarioLike, read_file, scenario_in
from qoscope.study._worker import TracePlaces, shelf

if TYPE_CHECKING:
    from distributed import Client

    from qoscope.study._result import StudyResult


class Study(Mapping[str, Any]):
    """A study: a question about a scenario, as a document that page and command line read as well. `docs/studies.md` lists its fields."""

    def __init__(self, source: StudyLike, *, scenario: ScenarioLike | None = None) -> None:
        """Of a document.

        Args:
            source: a `dict`, JSON text, the path of a file, the name of one in `scenarios/studies`, or another study.
            scenario: the scenario, for a study that names none.

        Raises:
            QoScopeError: it cannot be read, or its scenario cannot be found. What else is wrong `validate` and `run` tell.
        """
        text, folder = _source(source)
        try:
            document = json.loads(text)
        except json.JSONDecodeError as error:
            raise QoScopeError(f"The study is no JSON: {error}.") from None
        if not isinstance(document, dict):
            raise QoScopeError("A study is a JSON object: docs/studies.md has some.")
        self._document: dict[str, Any] = document
        self._scenario: Scenario | None
        if isinstance(source, Study) and scenario is None:
            self._scenario = source._scenario
        elif scenario is not None:
            self._scenario = Scenario(scenario)
        else:
            self._scenario = _scenario(document.get("scenario"), folder)

    def __getitem__(self, name: str) -> Any:
        """A field of the document."""
        return self._document[name]

    def __iter__(self) -> Iterator[str]:
        """The fields that the document has."""
        return iter(self._document)

    def __len__(self) -> int:
        """How many they are."""
        return len(self._document)

    @property
    def title(self) -> str:
        """What is asked, in a few words."""
        return str(self._document.get("title", "study"))

    @property
    def scenario(self) -> Scenario | None:
        """The scenario, without what the study changes in it."""
        return self._scenario.copy() if self._scenario else None

    def to_dict(self) -> dict[str, Any]:
        """The document."""
        copied: dict[str, Any] = json.loads(self.to_json())
        return copied

    def to_json(self, indent: int | None = None) -> str:
        """The document as JSON text."""
        return json.dumps(self._document, indent=indent, allow_nan=False)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file, which page and command line read."""
        Path(path).write_text(self.to_json(indent=2) + "\n", encoding="utf-8")

    def validate(self, *, traces: Mapping[str, str | os.PathLike[str]] | None = None) -> list[Fault]:
        """Everything that is wrong with it; nothing if it can be run."""
        try:
            self._coordinator(self._traces(traces), None, None)
        except InvalidError as refused:
            return list(refused.faults)
        return []

    def cost(self, *, traces: Mapping[str, str | os.PathLike[str]] | None = None) -> Record:
        """What it costs, before any of it is run: `points`, `runs` that are made in any case (of a search, what it usually
        takes: `is_usual`) and `max_runs`, `events` of all `runs`, `memory_bytes` of one run, `kept_bytes` of all results in a dataset.
        """
        return record(self._coordinator(self._traces(traces), None, None).cost())

    def run(
        self,
        client: Client | Executor | None = None,
        *,
        out: str | os.PathLike[str] | None = None,
        jobs: int | None = None,
        traces: Mapping[str, str | os.PathLike[str]] | None = None,
        progress: bool = True,
        shard: str | tuple[int, int] | None = None,
    ) -> StudyResult:
        """Makes its runs: `qoscope.study.run`."""
        from qoscope.study._run import run

        return run(self, client, out=out, jobs=jobs, traces=traces, progress=progress, shard=shard)

    def _traces(self, traces: Mapping[str, str | os.PathLike[str]] | None) -> TracePlaces:
        """Where traces are, for whoever makes runs."""
        folder = self._scenario._folder if self._scenario else ""
        elsewhere = tuple(sorted((name, os.path.abspath(path)) for name, path in (traces or {}).items()))
        return os.path.abspath(folder), elsewhere

    def _coordinator(
        self, traces: TracePlaces, out: str | None, shard: tuple[int, int] | None
    ) -> _native.Study:
        scenario = self._scenario.to_json() if self._scenario else None
        return _native.Study(self.to_json(), scenario, shelf(traces), out, shard)

    def __repr__(self) -> str:
        """What is asked, and of what."""
        ask = self._document.get("ask")
        kind = ask.get("kind", "study") if isinstance(ask, dict) else "study"
        of = f" of {self._scenario.name!r}" if self._scenario else ""
        return f"<Study {self.title!r}: {kind}{of}>"


StudyLike: TypeAlias = Study | Mapping[str, Any] | str | os.PathLike[str]
"""What a study is read from."""


def _source(source: StudyLike) -> tuple[str, Path | None]:
    """The text of a study, and the folder of its file."""
    if isinstance(source, Mapping):
        return json.dumps(plain(dict(source)), allow_nan=False), None
    if isinstance(source, str) and source.lstrip().startswith("{"):
        return source, None
    return read_file("study", source, "scenarios/studies")


def _scenario(said: Any, folder: Path | None) -> Scenario | None:
    """The scenario that a study has or names, which is looked for in the folder above its file, and beside it."""
    if isinstance(said, dict):
        return scenario_in(str(folder or ""), json.dumps(said))
    if not isinstance(said, str):
        return None
    if folder is None:
        return Scenario(said)
    file = _native.file_near(str(folder), said)
    if file is None:
        above, own = folder / ".." / f"{said}.json", folder / f"{said}.json"
        raise QoScopeError(f"There is no scenario {said!r}: neither {above} nor {own}.")
    return Scenario(file)
