"""What the engine answers, to be read by names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, overload

from qoscope._html import record_html
from qoscope._names import snake

SHOWN = 12
"""How many of a list its representation shows."""


class Record(Mapping[str, Any]):
    """Named values of an answer, by attribute or by item: `summary.network.drops`, `summary["network"]["drops"]`.

    Names are those of the documentation in Python's way of writing, units in them: `latencyUs` is `latency_us`. Both are understood.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Of what JSON has."""
        self.__dict__["_values"] = values
        self.__dict__["_names"] = {snake(name): name for name in values}

    _values: Mapping[str, Any]
    _names: dict[str, str]

    def __getitem__(self, name: str) -> Any:
        """The value of a name."""
        own = self._names.get(name, name)
        if own not in self._values:
            raise KeyError(self._missing(name))
        return answer(self._values[own])

    def __getattr__(self, name: str) -> Any:
        """The value of a name."""
        if name.startswith("__") or "_values" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(self._missing(name)) from None

    def __setattr__(self, name: str, value: object) -> None:
        """Results do not change."""
        raise AttributeError(f"{name} is part of a result, which does not change")

    def _missing(self, name: str) -> str:
        return f"there is no {name!r}{near(name, self._names)}"

    def __iter__(self) -> Iterator[str]:
        """The names."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)

    def __dir__(self) -> list[str]:
        """The names, for completion."""
        return [*super().__dir__(), *self._names]

    def _repr_html_(self) -> str:
        """In a notebook."""
        return record_html(self)

    def __repr__(self) -> str:
        """Its names and values, those that are long left out."""
        shown = (f"{name}={_short(self._values[own])}" for name, own in self._names.items())
        return f"{type(self).__name__}({', '.join(shown)})"

    def __eq__(self, other: object) -> bool:
        """Whether all values are the same."""
        return isinstance(other, Record) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        """By its values."""
        return (type(self), (dict(self._values),))

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it, with the names of the documentation."""
        copied = json.loads(json.dumps(self._values))
        assert isinstance(copied, dict)
        return copied


class Records(Sequence[Any]):
    """Several of them, by their place, or by their `name` or `path` where they have one: `summary.classes["High"]`."""

    def __init__(self, values: Sequence[Any]) -> None:
        """Of what JSON has."""
        self._values = values

    @overload
    def __getitem__(self, place: int | str) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> Records: ...
    def __getitem__(self, place: int | str | slice) -> Any:
        """The one at a place, or of a name."""
        if isinstance(place, slice):
            return Records(self._values[place])
        if not isinstance(place, str):
            return answer(self._values[place])
        names = self.names
        if place not in names:
            raise KeyError(f"there is no {place!r}{near(place, names)}")
        return answer(next(value for value in self._values if _name(value) == place))

    def __getattr__(self, name: str) -> Any:
        """None: elements have places and names, no attributes."""
        if name.startswith("_"):
            raise AttributeError(name)
        like = repr(self.names[0]) if self.names else "0"
        raise AttributeError(
            f"there is no {name!r} in a list: elements are read by their place or name, as [{like}]"
        )

    def __len__(self) -> int:
        """How many there are."""
        return len(self._values)

    @property
    def names(self) -> list[str]:
        """The names, or else the paths, of those that have one."""
        return [name for name in map(_name, self._values) if name is not None]

    def __eq__(self, other: object) -> bool:
        """Whether all values are the same."""
        return isinstance(other, Records) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]

    def _repr_html_(self) -> str:
        """In a notebook."""
        return record_html(self)

    def __repr__(self) -> str:
        """The names, or the values; the first of many."""
        shown = [repr(each) for each in self.names] or [_short(value) for value in self._values]
        more = [f"… {len(shown) - SHOWN} more"] if len(shown) > SHOWN else []
        return f"Records([{', '.join(shown[:SHOWN] + more)}])"

    def to_dict(self) -> list[Any]:
        """As JSON has it."""
        copied = json.loads(json.dumps(list(self._values)))
        assert isinstance(copied, list)
        return copied


def near(name: str, names: Iterable[str]) -> str:
    """The end of a sentence about a name that is not there: those that are like it, or some of those there are."""
    all_names = list(names)
    alike = get_close_matches(name, all_names, 3, 0.6)
    if alike:
        return f": did you mean {' or '.join(map(repr, alike))}?"
    more = ", …" if len(all_names) > SHOWN else ""
    return f" among {', '.join(all_names[:SHOWN])}{more}"


def answer(value: Any) -> Any:
    """What JSON has, to be read by names."""
    if isinstance(value, Mapping):
        return Record(value)
    return Records(value) if isinstance(value, list) else value


def read(text: str) -> Any:
    """An answer of the engine."""
    return answer(json.loads(text))


def record(text: str) -> Record:
    """An answer of the engine that has names."""
    answered = read(text)
    assert isinstance(answered, Record)
    return answered


def _name(value: Any) -> str | None:
    if not isinstance(value, Mapping):
        return None
    name = value.get("name", value.get("path"))
    return name if isinstance(name, str) else None


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return f"[{len(value)}]"
    return f"{value:.6g}" if isinstance(value, float) else repr(value)
