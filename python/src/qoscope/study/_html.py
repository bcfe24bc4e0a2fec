"""How the result of a study looks in a notebook: its answer, what varies against what is measured, and the table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from qoscope._html import ROWS, Axis, Line, chart, class_name, shown
from qoscope._style import HAIRLINE, INK, NOTE, identities, of_no_class

if TYPE_CHECKING:
    from qoscope.study._result import StudyResult

CHARTS = 4
"""Charts that are shown at most."""
LINES = 8
"""Lines of a chart at most."""
DIGITS = 4
"""Digits of a number without an interval."""
MOST_DECIMALS = 6
"""Decimals of a number at most."""
ROLES = {
    "raises": "raises",
    "lowers": "lowers",
    "either": "either way",
    "chance": "not told from chance",
    "nothing": "nothing",
}
"""What a field does, in words."""

Table = Mapping[str, Any]


def study_html(result: StudyResult) -> str:
    """The result of a study."""
    table = result._said
    # As the classes look in the scenario, of which only some may be measured.
    scenario = result.study._scenario
    names = [each["name"] for each in scenario.to_dict().get("classes", [])] if scenario else []
    looks = dict(zip(names, identities(names), strict=True))
    answer = result.answer.to_dict() if result.answer is not None else {}
    says = "".join(f'<p style="color:inherit">{escape(sentence)}</p>' for sentence in result.says)
    parts = [f"<h4>{escape(result.study.title)}</h4><p>{escape(result._facts)}</p>"]
    if answer.get("kind") == "sensitivity":
        parts += [_ranking(table, ranking) for ranking in answer["rankings"]]
    elif answer.get("kind") == "search":
        # Of two things that vary a search looks at no grid.
        parts += [says, _found(table, answer), _curves(table, looks) if len(table["factors"]) == 1 else ""]
    else:
        parts += [_curves(table, looks), says, _points(table, enumerate(table["points"]))]
    return shown("".join(parts))


def _name(factor: Mapping[str, Any]) -> str:
    return str(factor["symbol"] or factor["title"])


def _unit(of: Mapping[str, Any]) -> str:
    return f", {_symbol(of['unit'])}" if of["unit"] else ""


def _symbol(unit: str | None) -> str:
    """A unit as it is written."""
    return "µs" if unit == "us" else unit or ""


def _value(factor: Mapping[str, Any], value: Any) -> str:
    """A value of what varies."""
    if value is None:
        return "–"
    word = (
        str(value).lower()
        if isinstance(value, bool)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )
    return str(factor["names"].get(word, word))


def _decimals(value: float, digits: int) -> int:
    """Decimals that show so many digits of a number."""
    return min(max(digits - 1 - math.floor(math.log10(abs(value))), 0), MOST_DECIMALS) if value else 0


def _estimate(cell: Mapping[str, Any]) -> str:
    """A mean with its interval to either side, as finely as that is wide."""
    mean, low, high = cell["mean"], cell["low"], cell["high"]
    if mean is None:
        return "–"
    half = (high - low) / 2 if low is not None and high is not None else 0.0
    half = half if half > 0.5 * 10**-MOST_DECIMALS else 0.0
    decimals = _decimals(half, 2) if half else _decimals(mean, DIGITS)
    text = f"{mean:.{decimals}f}" + (f" ± {half:.{decimals}f}" if half else "")
    return text.replace("-", "−")


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    heads = "".join(f'<th scope="col">{each}</th>' for each in head)
    cells = "".join(
        f'<tr><th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in others) + "</tr>"
        for first, *others in rows[:ROWS]
    )
    more = (
        f"<p>and {len(rows) - ROWS} more rows: <code>.table</code> has all.</p>" if len(rows) > ROWS else ""
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{cells}</tbody></table>{more}"


def _points(table: Table, rows: Iterable[tuple[int | str, Any]]) -> str:
    """Points of the table, each with what it is called if it has a name."""
    factors, measures = table["factors"], table["measures"]
    head = [
        *(escape(_name(factor) + _unit(factor)) for factor in factors),
        "seeds",
        *(escape(measure["title"] + _unit(measure)) for measure in measures),
    ]
    reasons: list[str] = []

    def note(why: str) -> str:
        if why not in reasons:
            reasons.append(why)
        return f" [{reasons.index(why) + 1}]"

    told = []
    is_named = False
    for name, point in rows:
        cells = []
        for cell in point["cells"]:
            lacks = cell["why"] and (None in cell["numbers"]) and not point["refused"]
            cells.append(_estimate(cell) + (note(cell["why"]) if lacks else ""))
        values = [
            escape(_value(factor, value)) for factor, value in zip(factors, point["values"], strict=True)
        ]
        seeds = f"refused{note(point['refused'])}" if point["refused"] else str(point["seeds"])
        is_named = isinstance(name, str)
        told.append([*([escape(name)] if isinstance(name, str) else []), *values, seeds, *cells])
    notes = "".join(f"<p>[{place}] {escape(why)}</p>" for place, why in enumerate(reasons, 1))
    return _rows(["", *head] if is_named else head, told) + notes


def _found(table: Table, answer: Mapping[str, Any]) -> str:
    """How targets fare at the answer of a search, and how far each setting may move."""
    targets = [
        [escape(each["says"]), each["measured"] or "–", f"{each['held']} of {answer['of']}"]
        for each in answer["targets"]
    ]
    parts = [_rows(["Target", "Mean", "Unseen seeds that hold"], targets)] if targets else []
    named: dict[int, str] = {}
    for row, name in (
        (answer["point"], "answer" if answer["isMet"] else "nearest"),
        *(
            (row, "trade-off, confirmed" if row in answer["confirmed"] else "trade-off")
            for row in answer["tradeOff"]
        ),
        (answer["firstGuess"], "what theory recommends"),
    ):
        if row is not None:
            named.setdefault(row, name)
    if named:
        parts.append(_points(table, [(name, table["points"][row]) for row, name in named.items()]))
    moves, whys = [], []
    for margin in answer["margins"]:
        factor = table["factors"][margin["factor"]]
        if margin["from"] is not None:
            moves.append(
                [
                    escape(factor["title"] + _unit(factor)),
                    *(_value(factor, margin[end]) for end in ("from", "to")),
                ]
            )
        whys += [f"<p>{escape(margin[end])}</p>" for end in ("below", "above") if margin[end]]
    if moves:
        parts.append(_rows(["May move alone", "from", "to"], moves))
    return "".join([*parts, *whys])


def _curves(table: Table, looks: Mapping[str, int]) -> str:
    """Each measure along the first factor, if that is of numbers: a line for each class, or for each value of a second factor."""
    factors = table["factors"]
    points = [point for point in table["points"] if not point["refused"]]
    if (
        not 1 <= len(factors) <= 2
        or factors[0]["isWords"]
        or len({str(point["values"][0]) for point in points}) < 2
    ):
        return ""
    charts = []
    if len(factors) == 1:
        groups: dict[str, list[int]] = {}
        for place, measure in enumerate(table["measures"]):
            groups.setdefault(measure["group"], []).append(place)
        for title, places in list(groups.items())[:CHARTS]:
            names = [table["measures"][place]["class"] for place in places]
            lines = [(name, points, place) for name, place in zip(names, places, strict=True)]
            shown_as = [looks.get(name, of_no_class(order)) for order, name in enumerate(names)]
            charts.append(_curve(table, title, lines[:LINES], shown_as))
    else:
        values = list(dict.fromkeys(str(point["values"][1]) for point in points))[:LINES]
        for place, measure in enumerate(table["measures"][:CHARTS]):
            of_value = {
                value: [point for point in points if str(point["values"][1]) == value] for value in values
            }
            lines = [
                (f"{_name(factors[1])} {_value(factors[1], own[0]['values'][1])}", own, place)
                for own in of_value.values()
            ]
            charts.append(
                _curve(table, measure["title"], lines, [of_no_class(order) for order in range(len(lines))])
            )
    return "".join(charts)


def _curve(
    table: Table, title: str, own: Sequence[tuple[str | None, Sequence[Any], int]], looks: Sequence[int]
) -> str:
    """A chart of a measure, its lines with the looks of some identities."""
    factor, measure = table["factors"][0], table["measures"][own[0][2]]
    lines = []
    for identity, (_, points, of) in zip(looks, own, strict=False):
        rows = sorted(
            ((point["values"][0], point["cells"][of]) for point in points), key=lambda row: float(row[0])
        )
        of_cells = {
            part: [math.nan if cell[part] is None else float(cell[part]) for _, cell in rows]
            for part in ("mean", "low", "high")
        }
        x = [float(value) for value, _ in rows]
        lines.append(Line(x, of_cells["mean"], identity, of_cells["low"], of_cells["high"]))
    told = [
        value
        for line in lines
        for values in (line.y, line.low, line.high)
        for value in values
        if math.isfinite(value)
    ]
    if not told:
        return ""
    x = [value for line in lines for value in line.x]
    ends = (min(x), max(x))
    is_log = factor["scale"] == "log" and ends[0] > 0
    middle = math.sqrt(ends[0] * ends[1]) if is_log else sum(ends) / 2
    nearest = min(x, key=lambda value: abs(math.log(value / middle) if is_log else value - middle))
    ticks = [(value, _value(factor, value)) for value in sorted({ends[0], nearest, ends[1]})]
    legend = "".join(
        " " + class_name(identity, name)
        for identity, (name, _, _) in zip(looks, own, strict=False)
        if name is not None
    )
    says = f"{title} against {factor['title']}: " + ", ".join(
        f"{name + ' ' if name else ''}{line.y[0]:.4g} to {line.y[-1]:.4g}"
        for (name, _, _), line in zip(own, lines, strict=True)
        if math.isfinite(line.y[0]) and math.isfinite(line.y[-1])
    )
    unit = ", ".join(
        part for part in (_symbol(measure["unit"]), f"against {_name(factor)}{_unit(factor)}") if part
    )
    low, high, marks = _between(min(told), max(told))
    axis = Axis(low, high, [(mark, f"{mark:g}") for mark in marks])
    return chart(title, unit, says, lines, Axis(*ends, ticks, log=is_log), axis, legend=legend)


def _between(low: float, high: float) -> tuple[float, float, list[float]]:
    """Ends and ticks of an axis that values lie on: round ones, few."""
    if low == high:
        low, high = (low - abs(low) / 10, high + abs(high) / 10) if low else (-1.0, 1.0)
    if 0 < low < high / 2:
        low = 0.0
    step = 10 ** math.floor(math.log10((high - low) / 2))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= 4)
    first, last = math.floor(low / step), math.ceil(high / step)
    # Without the error of adding up.
    marks = [round(place * step, 12) for place in range(first, last + 1)]
    return marks[0], marks[-1], marks


def _ranking(table: Table, ranking: Mapping[str, Any]) -> str:
    """What moves a measure, most first: mean sizes of effects with their intervals."""
    measure = table["measures"][ranking["measure"]]
    most = max((each["high"] or each["mean"] or 0.0 for each in ranking["effects"]), default=0.0) or 1.0
    rows = []
    for each in ranking["effects"]:
        factor = table["factors"][each["factor"]]
        cell = {"mean": each["mean"], "low": each["low"], "high": each["high"]}
        rows.append(
            [
                escape(_name(factor) if factor["symbol"] else factor["title"]),
                _bar(each, most),
                _estimate(cell),
                ROLES[each["role"]],
            ]
        )
    head = ["Varies", "", escape(f"moves it by{_unit(measure)}"), "how"]
    return f"<h4>{escape(measure['title'])}</h4><p>{escape(ranking['says'])}</p>{_rows(head, rows)}"


def _bar(effect: Mapping[str, Any], most: float) -> str:
    """A mean with its interval and with what chance does."""
    width = 160

    def px(value: float) -> float:
        return 4 + value / most * (width - 8)

    if effect["mean"] is None:
        return ""
    parts = f'<path d="M4,8H{width - 4}" stroke="var(--q-line,{HAIRLINE})"/>'
    if effect["low"] is not None and effect["high"] is not None:
        parts += f'<path d="M{px(effect["low"]):.1f},8H{px(effect["high"]):.1f}" stroke="var(--q-note,{NOTE})" stroke-width="2"/>'
    parts += f'<circle cx="{px(effect["mean"]):.1f}" cy="8" r="3.5" fill="var(--q-ink,{INK})"/>'
    if effect["chance"]:
        parts += f'<path d="M{px(min(effect["chance"], most)):.1f},2v12" stroke="var(--q-note,{NOTE})" stroke-dasharray="2 2"/>'
    return f'<svg width="{width}" height="16" aria-hidden="true">{parts}</svg>'
