"""Scenarios: documents that describe a run, read and changed by the names of their fields."""

from __future__ import annotations

import copy
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from qoscope import _links, _native
from qoscope._errors import Fault, InvalidError, QoScopeError, faults
from qoscope._html import record_html, scenario_html
from qoscope._names import camel, document, in_document, plain, snake
from qoscope._records import Record, answer, near, record

if TYPE_CHECKING:
    from qoscope._answers import JobsOnto, ScenarioExplanation


class Part:
    """A part of a scenario: an object or a list of its document.

    Fields are read and set by attribute, in Python's way of writing (`switch.ecn_threshold_packets`) or the document's. What the document
    leaves out reads as what is in force. What is set is judged by the engine at once; a value that it refuses leaves all as it was.
    """

    def __init__(self, scenario: Scenario, path: str) -> None:
        """The part of a scenario at a path."""
        self.__dict__.update(_scenario=scenario, _path=path)

    _scenario: Scenario
    _path: str

    def _below(self, place: int | str) -> str:
        if isinstance(place, int):
            return f"{self._path}[{place}]"
        return f"{self._path}.{place}" if self._path else place

    def _value(self) -> Any:
        return self._scenario._in_force(self._path)

    def _field(self, name: str) -> str:
        """The name of a field in the document."""
        fields = self._fields()
        for own in (name, camel(name)):
            if own in fields:
                return own
        if isinstance(self._value(), list):
            raise AttributeError(
                f"{self._path} is a list, without {name!r}: elements are read by their place or name, and a list is set as a whole"
            )
        where = f"in {self._path}" if self._path else "in a scenario"
        raise AttributeError(f"there is no field {name!r} {where}{near(name, map(snake, fields))}")

    def _fields(self) -> list[str]:
        value = self._value()
        known = _fields_at(self._path)
        return [*known, *(name for name in value if name not in known)] if isinstance(value, dict) else known

    def __getattr__(self, name: str) -> Any:
        """The value in force of a field, a part of the scenario where it has fields or elements of its own."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self._scenario._at(self._below(self._field(name)))

    def __setattr__(self, name: str, value: object) -> None:
        """Sets a field, if the engine takes the value."""
        self._scenario.set({self._below(self._field(name)): value})

    def _place(self, place: int | str) -> int | str:
        value = self._value()
        if not isinstance(value, list):
            return self._field(place) if isinstance(place, str) else place
        if isinstance(place, str):
            names = [each.get("name") for each in value if isinstance(each, dict)]
            if place not in names:
                raise KeyError(f"there is no {place!r} in {self._path}{near(place, filter(None, names))}")
            return names.index(place)
        if not -len(value) <= place < len(value):
            raise IndexError(f"{self._path} has {len(value)} elements")
        return place % len(value)

    def __getitem__(self, place: int | str) -> Any:
        """An element, by its place or its name: `classes["High"]`; or a field."""
        return self._scenario._at(self._below(self._place(place)))

    def __setitem__(self, place: int | str, value: object) -> None:
        """Sets an element or a field, if the engine takes the value."""
        self._scenario.set({self._below(self._place(place)): value})

    def __iter__(self) -> Iterator[Any]:
        """The elements of a list, or the names of fields."""
        value = self._value()
        return (
            (self[place] for place in range(len(value)))
            if isinstance(value, list)
            else map(snake, self._fields())
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self._value())

    def __dir__(self) -> list[str]:
        """Names of fields, for completion."""
        return [*super().__dir__(), *map(snake, self._fields())]

    def __eq__(self, other: object) -> bool:
        """Whether all that is in force there is the same."""
        return bool(self._value() == plain(other))

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> Any:
        """What is in force there, as the document has it."""
        return copy.deepcopy(self._value())

    def _repr_html_(self) -> str:
        """In a notebook."""
        return record_html(answer(self._value()))

    def __repr__(self) -> str:
        """The path and what is in force there."""
        return f"<{self._path}: {json.dumps(self._value())}>"


class Scenario(Part):
    """A scenario: everything that makes up a run. `docs/scenario-format.md` lists its fields."""

    _document: dict[str, Any]
    _whole: dict[str, Any]
    _derived: dict[str, Any] | None
    _folder: str

    def __init__(self, source: ScenarioLike, *, set: Mapping[str, Any] | None = None) -> None:
        """Of a document, a file, a link, or another scenario.

        Args:
            source: a `dict`, JSON text, the path of a file, the name of one in a folder `scenarios`, a link (`#2.…` or an address with one).
            set: fields to be changed, by path: `{"switch.ecnThresholdPackets": 40}`.

        Raises:
            InvalidError: with everything that is wrong with it.
        """
        super().__init__(self, "")
        text, folder = _source(source)
        self.__dict__["_folder"] = folder
        self._become(_native.migrated(text))
        if set:
            self.set(set)

    def _become(self, text: str) -> None:
        found = faults(_native.validate(text))
        if any(fault.severity == "error" for fault in found):
            raise InvalidError(tuple(found))
        self.__dict__.update(
            _document=json.loads(text), _whole=json.loads(_native.whole(text)), _derived=None
        )

    def _in_force(self, path: str) -> Any:
        value: Any = self._whole
        for step in _steps(path):
            value = value.get(step) if isinstance(value, dict) else value[step]
        return value

    def _at(self, path: str) -> Any:
        value = self._in_force(path)
        if value is None:
            return self._from_others(path)
        return Part(self, path) if isinstance(value, (dict, list)) else value

    def _from_others(self, path: str) -> Any:
        """The value of a field that is left out and follows from others."""
        if self._derived is None:
            explanation: ScenarioExplanation = json.loads(_native.explain(self.to_json()))
            self.__dict__["_derived"] = {field["path"]: field["value"] for field in explanation["fields"]}
        assert self._derived is not None
        return self._derived.get(path)

    def set(self, fields: Mapping[str, Any]) -> Scenario:
        """Sets fields by path, all of them or none: `set({"classes[0].name": "Top", "workloads[0].class": "Top"})`. Returns the scenario.

        Paths may be written as Python writes names (`switch.ecn_threshold_packets`) or as the document does.

        Raises:
            InvalidError: with everything that is wrong with it then; nothing has changed.
        """
        text = json.dumps(self._document)
        for name, value in fields.items():
            path = in_document(name)
            text = _native.set_path(text, path, document(value, path))
        self._become(text)
        return self

    def copy(self, **fields: Any) -> Scenario:
        """Another one with the same fields, some of the outermost set: `copy(seed=7)`."""
        other = Scenario(self)
        return other.set({self._field(name): value for name, value in fields.items()}) if fields else other

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Scenario:
        """Another one with the same fields."""
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """By its document."""
        return (scenario_in, (self._folder, self.to_json()))

    def with_fio_jobs(self, *files: str | os.PathLike[str]) -> Scenario:
        """Another one, with the jobs of fio's job files as its workloads. `qoscope.read_fio_jobs` says what became of every line.

        Raises:
            InvalidError: with everything that is wrong with the files, by line, job and option.
        """
        made: JobsOnto = json.loads(
            _native.with_fio_jobs(self.to_json(), [os.fspath(file) for file in files])
        )
        return scenario_in(self._folder, json.dumps(made["scenario"]))

    def with_drive(self, drive: Record | str | os.PathLike[str]) -> Scenario:
        """A copy with a fitted drive: its `storage.ssd`, what it holds at the start, and the times of the software of host and target.

        Warns of settings of the scenario under which the drive answers otherwise than in the fit.

        Args:
            drive: what `qoscope.read_drive` or `qoscope.fit` returns, or the path of the file of a drive.

        Raises:
            InvalidError: with what the engine has against the drive in this scenario.
        """
        if isinstance(drive, Record):
            document = drive.to_dict()
            text = json.dumps(document.get("drive") if "outcome" in document else document)
        else:
            text = Path(drive).read_text(encoding="utf-8")
        made = json.loads(_native.with_drive(self.to_json(), text))
        for remark in made["remarks"]:
            warnings.warn(f"{remark['path']}: {remark['reason']}. {remark['hint']}", stacklevel=2)
        return scenario_in(self._folder, json.dumps(made["scenario"]))

    def to_dict(self) -> dict[str, Any]:
        """The document, without what it leaves out."""
        return copy.deepcopy(self._document)

    def to_json(self, indent: int | None = None) -> str:
        """The document as JSON text."""
        return json.dumps(self._document, indent=indent)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file."""
        Path(path).write_text(self.to_json(indent=2) + "\n", encoding="utf-8")

    @property
    def link(self) -> str:
        """The link of the scenario, from `#` on: behind the address of a QoScope page it opens there."""
        return _links.write(self.to_json())

    @property
    def hash(self) -> str:
        """Hash of the canonical form, 16 hexadecimal digits: what the page shows, too."""
        return _native.hash(self.to_json())

    def warnings(self) -> list[Fault]:
        """What is legal but surely not meant."""
        return faults(_native.validate(self.to_json()))

    def explain(self) -> Record:
        """The value in force of every field, where it comes from, and why it has no effect where it has none."""
        return record(_native.explain(self.to_json()))

    def __eq__(self, other: object) -> bool:
        """Whether all that is in force is the same, names and texts included."""
        return isinstance(other, Scenario) and self._whole == other._whole

    __hash__ = None

    def _repr_html_(self) -> str:
        """In a notebook."""
        return scenario_html(self)

    def __repr__(self) -> str:
        """Its name, and what it has."""
        classes = ", ".join(f"{each['name']} {each['transport']}" for each in self._whole["classes"])
        duration = f"{self._whole['durationUs'] / 1000:g} ms"
        return f"<Scenario {self._whole['name']!r}: {classes}; {duration}, seed {self._whole['seed']}, hash {self.hash}>"


ScenarioLike: TypeAlias = Scenario | Mapping[str, Any] | str | os.PathLike[str]
"""What a scenario is read from."""


def scenario_in(folder: str, text: str) -> Scenario:
    """The scenario of a text whose traces are in a folder."""
    scenario = Scenario(text)
    scenario.__dict__["_folder"] = folder
    return scenario


def _source(source: ScenarioLike) -> tuple[str, str]:
    """The text of a scenario, and the folder that its traces are beside."""
    if isinstance(source, Scenario):
        return source.to_json(), source._folder
    if isinstance(source, Mapping):
        return _native.expanded(document(source), ""), ""
    if isinstance(source, str):
        if source.lstrip().startswith("{"):
            return _native.expanded(source, ""), ""
        if _links.is_link(source):
            return _links.read(source), ""
    text, folder = read_file("scenario", source, "scenarios")
    return _native.expanded(text, str(folder)), str(folder)


def read_file(what: str, source: str | os.PathLike[str], folder: str) -> tuple[str, Path]:
    """The text of a file, or of the one of that name in a folder, and the folder that it is in; `what` it should be is told where there is none."""
    if not isinstance(source, (str, os.PathLike)):
        raise QoScopeError(
            f"A {what} is a dict, JSON text, the path of a file, a name or a {what.capitalize()}, not {type(source).__name__} {source!r}."
        )
    path = Path(source)
    named = Path(folder) / f"{path}.json"
    folders = [] if path.exists() else _native.folders_of_scenarios(folder)
    file = next((file for each in folders if (file := each / f"{path}.json").is_file()), path)
    try:
        return file.read_text(encoding="utf-8-sig"), file.parent
    except FileNotFoundError:
        raise QoScopeError(
            f"There is no {what} {str(source)!r}: neither a file of that name nor {named}."
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise QoScopeError(f"{file} cannot be read: {error}.") from None


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    for part in path.split(".") if path else []:
        name, *places = part.split("[")
        steps += [name, *(int(place.rstrip("]")) for place in places)]
    return steps


@cache
def _fields_at(path: str) -> list[str]:
    """The fields that the format has at a path, whichever alternative stands there."""
    schema = json.loads(_native.schema())
    places = [schema]
    for step in _steps(path):
        spread = [each for place in places for each in _spread(schema, place)]
        places = [
            each["items"] if isinstance(step, int) else each["properties"][step]
            for each in spread
            if _has(each, step)
        ]
    fields = [
        name for place in places for each in _spread(schema, place) for name in each.get("properties", {})
    ]
    return list(dict.fromkeys(fields))


def _has(place: dict[str, Any], step: str | int) -> bool:
    return (
        isinstance(place.get("items"), dict) if isinstance(step, int) else step in place.get("properties", {})
    )


def _spread(schema: dict[str, Any], place: Any) -> Iterator[dict[str, Any]]:
    """A place of the schema with what it refers to."""
    if not isinstance(place, dict):
        return
    yield place
    if "$ref" in place:
        yield from _spread(schema, schema["$defs"][place["$ref"].rsplit("/", 1)[-1]])
    for kind in ("allOf", "anyOf", "oneOf"):
        for each in place.get(kind, ()):
            yield from _spread(schema, each)
