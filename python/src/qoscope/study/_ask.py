"""Studies as they are asked in Python. They become documents; what these may say is the engine's to judge."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeAlias

from qoscope import _native
from qoscope._errors import QoScopeError
from qoscope._names import camel, in_document, plain
from qoscope._scenario import Scenario, ScenarioLike
from qoscope.study._document import Study

if TYPE_CHECKING:
    from qoscope._answers import Suggestions

Factors: TypeAlias = Mapping[str, Any] | Iterable[str]
"""What varies: by path a list of values, `log` or `even`; by title `moves` or `alternatives`; or paths alone, over the ranges that the
engine suggests.
"""
Measures: TypeAlias = Mapping[str, "str | tuple[str, str]"] | Iterable[str]
"""What is measured: by title an expression, or an expression and its unit; or expressions, or titles of measures that the engine suggests.
"""


def even(first: float, last: float, count: int) -> dict[str, Any]:
    """So many values from one to another, at equal distances."""
    return {"from": plain(first), "to": plain(last), "count": count}


def log(first: float, last: float, count: int) -> dict[str, Any]:
    """So many values from one to another, at equal ratios."""
    return even(first, last, count) | {"scale": "log"}


def moves(paths: Mapping[str, float], values: Any) -> dict[str, Any]:
    """Fields that move together: each is set to so many times the value.

    >>> load = moves({"workloads[0].traffic.offered_gbps": 3, "workloads[1].traffic.offered_gbps": 2}, [1, 2, 3])
    """
    return {
        "moves": [{"path": in_document(path), "times": times} for path, times in paths.items()],
        **_values(values),
    }


def alternatives(sets: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Whole alternatives, by title, each with the fields that it changes.

    >>> buffers = alternatives({"as it is": {}, "shallow": {"switch.buffer_packets": 100}})
    """
    return {"alternatives": [{"title": title, "set": _set(fields)} for title, fields in sets.items()]}


def sweep(
    scenario: ScenarioLike,
    *,
    vary: Factors,
    measures: Measures | None = None,
    seeds: int | None = None,
    first_seed: int | None = None,
    within: Mapping[str, Any] | None = None,
    bends: int | None = None,
    set: Mapping[str, Any] | None = None,
    title: str | None = None,
    text: str | None = None,
) -> Study:
    """A study of how measures depend on one to three things that vary.

    >>> import qoscope
    >>> k = {"switch.ecn_threshold_packets": qoscope.study.log(5, 400, 14)}
    >>> study = qoscope.study.sweep("three-writers", vary=k, seeds=8)
    >>> study.cost()["runs"]
    112

    Paths and expressions may be written as Python writes names (`classes['High'].latency_us.p99`) or as the document does.

    Args:
        scenario: what `Scenario` takes.
        vary: what varies: `{"switch.ecn_threshold_packets": [10, 20, 40]}`, values by `log` and `even`, `moves` or `alternatives` by title, or a
            list of paths, over suggested ranges.
        measures: `{"p99": ("classes['High'].latency_us.p99", "us")}`, or a list of expressions; `{class}` in one makes one of every class. Those
            that the engine suggests first where there are none.
        seeds: so many seeds of every point.
        first_seed: the first of them; that of the scenario otherwise.
        within: adds seeds where a 95 % interval is wider than this to either side, `{"percent": 2}` or `{"absolute": 0.5}`, up to `max_seeds`.
        bends: adds up to so many points where the curve bends.
        set: fields to be changed in every run, by path.
        title: what is asked, in a few words.
        text: what a reader should know of it.
    """
    ask = _given(kind="sweep", within=within and _camel(within), bends=bends)
    asked = _Asked(scenario, vary, measures)
    return asked.study(ask, set, seeds, first_seed, title, text)


def sensitivity(
    scenario: ScenarioLike,
    *,
    vary: Factors | None = None,
    measures: Measures | None = None,
    walks: int | None = None,
    levels: int | None = None,
    seeds: int | None = None,
    first_seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    title: str | None = None,
    text: str | None = None,
) -> Study:
    """A study of which fields move a measure and which do nothing, by elementary effects (Morris, 1991).

    >>> import qoscope
    >>> study = qoscope.study.sensitivity("three-writers", measures=["Total throughput"])
    >>> result = study.run()  # doctest: +SKIP

    Args:
        scenario: what `Scenario` takes.
        vary: as of a `sweep`; all fields that have an effect, over suggested ranges, where it is left out.
        measures: as of a `sweep`.
        walks: walks through the fields, each of which changes every field once.
        levels: levels of each range.
        seeds: so many seeds of every point.
        first_seed: the first of them; that of the scenario otherwise.
        set: fields to be changed in every run, by path.
        title: what is asked, in a few words.
        text: what a reader should know of it.
    """
    ask = _given(kind="sensitivity", walks=walks, levels=levels)
    asked = _Asked(scenario, () if vary is None else vary, measures)
    return asked.study(ask, set, seeds, first_seed, title, text)


def search(
    scenario: ScenarioLike,
    *,
    vary: Factors,
    targets: str | Sequence[str],
    least: str | Sequence[str] = (),
    most: str | Sequence[str] = (),
    measures: Measures | None = None,
    confidence: float | None = None,
    confirm: int | None = None,
    max_runs: int | None = None,
    seeds: int | None = None,
    first_seed: int | None = None,
    set: Mapping[str, Any] | None = None,
    title: str | None = None,
    text: str | None = None,
) -> Study:
    """A study of which settings meet targets, and which of those is best: the same search as on the page.

    >>> import qoscope
    >>> study = qoscope.study.search(
    ...     "three-writers",
    ...     vary={"switch.ecn_threshold_packets": qoscope.study.log(5, 400, 14), "classes[0].ratio": qoscope.study.even(1, 6, 21)},
    ...     targets=["classes['High'].latency_us.p99 < 210", "sum(classes.carried_gbps) > 96"],
    ...     most="classes['Low'].carried_gbps",
    ... )
    >>> study.run().answer.says  # doctest: +SKIP

    Args:
        scenario: what `Scenario` takes.
        vary: what is free, as of a `sweep`.
        targets: what must hold: a measure by expression or title (`p99 latency, High`), `<` or `>`, and a number in its unit; both bounds are
            included. `{class}` in an expression asks it of every class.
        least: what is to be least: something that varies, by path or title, or a measure. Of two things those to be least come first.
        most: what is to be most.
        measures: as of a `sweep`, further ones beside those that targets and preferences name.
        confidence: share of seeds under which each target must hold.
        confirm: unseen seeds under which the answer is confirmed.
        max_runs: most runs that the search may make.
        seeds: so many seeds of every point, at most, before it is confirmed.
        first_seed: the first of them; that of the scenario otherwise.
        set: fields to be changed in every run, by path.
        title: what is asked, in a few words.
        text: what a reader should know of it.
    """
    if not least and not most:
        raise QoScopeError(
            "A search needs a preference: give least= or most=, a field that varies or a measure."
        )
    asked = _Asked(scenario, vary, measures)
    wishes = _given(
        want=asked.said(targets), confidence=confidence, least=asked.said(least), most=asked.said(most)
    )
    ask = _given(kind="search", confirm=confirm, maxRuns=max_runs)
    return asked.study(ask, set, seeds, first_seed, title, text, wishes)


class _Asked:
    """What is asked of a scenario."""

    def __init__(self, scenario: ScenarioLike, vary: Factors, measures: Measures | None) -> None:
        self.scenario = Scenario(scenario)
        self.suggested: Suggestions = json.loads(_native.suggest(self.scenario.to_json()))
        if isinstance(vary, str):
            vary = [vary]
        named = vary.items() if isinstance(vary, Mapping) else ((path, None) for path in vary)
        self.vary = [self.factor(name, values) for name, values in named]
        self.measures: list[str] = []
        self.units: dict[str, str] = {}
        self.titles = [factor["title"] for factor in self.vary if "title" in factor]
        if isinstance(measures, Mapping):
            for title, said in measures.items():
                value, unit = (said, None) if isinstance(said, str) else said
                self.measures.append(f"{title}={in_document(value)}")
                self.titles.append(title)
                if unit is not None:
                    self.units[title] = unit
        elif measures is not None:
            self.measures = self.said(measures)

    def factor(self, name: str, values: Any) -> dict[str, Any]:
        """Something that varies."""
        if isinstance(values, Mapping) and ("moves" in values or "alternatives" in values):
            return {"title": name, **values}
        path = in_document(name)
        if values is not None:
            return {"path": path, **_values(values)}
        known = next((field for field in self.suggested["fields"] if field["path"] == path), None)
        if known is None:
            paths = ", ".join(field["path"] for field in self.suggested["fields"])
            raise QoScopeError(
                f"No range is suggested for {name!r}: give its values. There are ranges for {paths}."
            )
        return {"path": path, **_values(known["range"] or [each["value"] for each in known["options"]])}

    def said(self, texts: str | Iterable[str]) -> list[str]:
        """Expressions and paths as the document writes them; what begins with a title that was given here stays."""
        return [
            text if any(text.startswith(title) for title in self.titles) else in_document(text)
            for text in ([texts] if isinstance(texts, str) else texts)
        ]

    def study(
        self,
        ask: dict[str, Any],
        fields: Mapping[str, Any] | None,
        seeds: int | None,
        first_seed: int | None,
        title: str | None,
        text: str | None,
        wishes: dict[str, Any] | None = None,
    ) -> Study:
        """The study."""
        for name, value in (("seeds", seeds), ("first_seed", first_seed)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, Integral)):
                raise QoScopeError(
                    f"{name} is {value!r}: give seeds, the number of seeds of every point, and first_seed, the first of them."
                )
        request = _given(
            # By name alone: what each takes is put in its place below.
            vary=[f"{factor.get('title') or factor['path']}=[]" for factor in self.vary],
            set=_set(fields or {}),
            measures=self.measures,
            seeds=seeds,
            firstSeed=first_seed,
            ask=ask,
            wishes=wishes,
        )
        written = json.loads(_native.shorthand(self.scenario.to_json(), json.dumps(request, allow_nan=False)))
        for measure in written["measures"]:
            if measure["title"] in self.units:
                measure["unit"] = self.units[measure["title"]]
        own = _given(title=title, text=text, scenario=self.scenario.to_dict(), vary=self.vary or None)
        return Study({**written, **own}, scenario=self.scenario)


def _given(**fields: Any) -> dict[str, Any]:
    """The fields that are given."""
    return {name: value for name, value in fields.items() if value is not None}


def _camel(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {camel(name): plain(value) for name, value in fields.items()}


def _set(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {in_document(path): plain(value) for path, value in fields.items()}


def _values(values: Any) -> dict[str, Any]:
    """A range, or values one by one."""
    if isinstance(values, Mapping):
        return {"range": dict(values)}
    is_one = isinstance(values, str) or not isinstance(values, Iterable)
    return {"values": [plain(each) for each in ([values] if is_one else values)]}
