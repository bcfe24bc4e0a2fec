"""How results, scenarios and records look in a notebook: HTML with small pictures, without scripts, legible on light and dark.

What is written is complete in itself, so that a notebook that was saved reads without a kernel.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from qoscope import _native
from qoscope._names import snake
from qoscope._style import (
    FEW,
    HAIRLINE,
    INK,
    LOOKS,
    MARKED,
    NOTE,
    PERCENTILES,
    REFERENCE,
    duration,
    gbps,
    identities,
    latency,
    look,
    microseconds,
    percent,
    percentile,
    quality,
)
from qoscope._view import View

if TYPE_CHECKING:
    from qoscope._answers import Catalogue
    from qoscope._result import Result
    from qoscope._scenario import Scenario
    from qoscope._simulation import Simulation

STILL = "qoscope-still"
"""Begin of the class of pictures that stand in for the page where it is not."""
ROWS = 40
"""Rows of a table that are shown."""
FEWER = 20
"""Of a list within a record."""
DEPTH = 2
"""How deep records within a record are shown."""
LONG_US = 9999.5
"""Latency from which on milliseconds read better."""
WORD = 40
"""Length of words that fit into a column."""
COLUMNS = 8
"""Records of the same kind that are shown side by side."""

DARK_PAGES = (
    '[data-jp-theme-light="false"]',
    ".vscode-dark",
    ".vscode-high-contrast:not(.vscode-high-contrast-light)",
    'html[theme="dark"]',
    '[data-theme="dark"]',
)
"""What pages that show notebooks say of themselves when they are dark: JupyterLab and nbconvert, VS Code, Colab, Sphinx."""


COLOURED = [own for own in LOOKS if own.light != INK]


def _marks(colours: Iterable[str]) -> str:
    return ";".join(f"--q-m{identity}:{colour}" for identity, colour in enumerate(colours))


# Text is of the colour that the page has for it, also where nobody knows whether that is dark; names of classes lean towards it.
STYLE = f"""<style>
.qoscope{{{_marks(own.light for own in COLOURED)};--q-ink:currentColor;--q-note:color-mix(in srgb,currentColor 70%,transparent);
--q-ref:color-mix(in srgb,currentColor 80%,transparent);--q-line:color-mix(in srgb,currentColor 16%,transparent);
font:12px/16px system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-x:auto}}
.qoscope>div{{margin:0 0 8px}}
{",".join(f"{page} .qoscope" for page in DARK_PAGES)}{{{_marks(own.dark for own in COLOURED)}}}
.qoscope h4{{font:600 13px/20px system-ui,sans-serif;margin:4px 0 0;color:inherit}}
.qoscope p,.qoscope summary{{margin:2px 0 6px;color:var(--q-note);max-width:80em}}
.qoscope table{{border-collapse:collapse;margin:4px 0 8px;font-size:12px;color:inherit;border:0}}
.qoscope th,.qoscope td{{text-align:right!important;padding:2px 12px 2px 0;border:0;border-top:1px solid var(--q-line);background:none;vertical-align:top;white-space:nowrap}}
.qoscope th:first-child,.qoscope td:first-child,.qoscope.words td,.qoscope.words th{{text-align:left!important}}
.qoscope td.words,.qoscope th.words{{text-align:left!important}}
.qoscope thead th{{font-weight:400;color:var(--q-note);border:0}}
.qoscope tbody tr,.qoscope tbody tr:hover{{background:none!important}}
.qoscope tbody th{{font-weight:400}}
.qoscope.words td{{white-space:normal;max-width:60em;overflow-wrap:anywhere}}
.qoscope td>table{{margin:0}}
.qoscope td>table>tbody>tr:first-child>*{{border-top:0}}
.qoscope figure{{display:inline-block;margin:0 20px 4px 0;vertical-align:top}}
.qoscope figcaption{{font-weight:600;max-width:330px}}
.qoscope figcaption span{{font-weight:400;color:var(--q-note)}}
.qoscope figcaption>span[style]{{color:inherit}}
.qoscope svg{{display:block;overflow:visible}}
.qoscope svg text{{font:11px system-ui,sans-serif;fill:var(--q-note)}}
.qoscope code{{font-size:11px;background:none;color:inherit;padding:0;overflow-wrap:anywhere}}
</style>"""
"""Styles of all that is shown, within elements of the class `qoscope` alone."""


def shown(inside: str, kind: str = "") -> str:
    """A whole piece of HTML for a notebook."""
    return f'{STYLE}<div class="qoscope{" " + kind if kind else ""}">{inside}</div>'


def colour(identity: int) -> str:
    """Colour of lines and markers of an identity, in attributes of SVG."""
    own = look(identity).light
    return "currentColor" if own == INK else f"var(--q-m{identity % len(LOOKS)},{own})"


def marker(identity: int, x: float, y: float, size: float = 3.2) -> str:
    """The marker of the class with an identity, around a point."""
    own, fill = look(identity).marker, colour(identity)
    s = size
    if "ircle" in own:
        path = f"M{x - s:.1f},{y:.1f}a{s},{s} 0 1 0 {2 * s},0a{s},{s} 0 1 0 {-2 * s},0z"
    elif "quare" in own:
        path = f"M{x - s:.1f},{y - s:.1f}h{2 * s}v{2 * s}h{-2 * s}z"
    elif "iamond" in own:
        path = f"M{x - s:.1f},{y:.1f}l{s},{-s}l{s},{s}l{-s},{s}z"
    elif own == "triangle":
        path = f"M{x - s:.1f},{y + s:.1f}l{s},{-2 * s}l{s},{2 * s}z"
    else:
        return f'<path d="M{x - s:.1f},{y - s:.1f}l{2 * s},{2 * s}m0,{-2 * s}l{-2 * s},{2 * s}" stroke="{fill}" stroke-width="1.5"/>'
    half = f' fill-opacity="0.35" stroke="{fill}"' if own.startswith("half") else ""
    return f'<path d="{path}" fill="{fill}"{half}/>'


def class_name(identity: int, name: str) -> str:
    """The name of a class with its line and marker."""
    dash = " ".join(f"{length:g}" for length in look(identity).dash)
    line = f'<path d="M0,5H26" stroke="{colour(identity)}" stroke-width="1.75" stroke-dasharray="{dash}"/>'
    return (
        '<span style="white-space:nowrap">'
        f'<svg width="26" height="10" style="display:inline-block;margin-right:6px" aria-hidden="true">{line}{marker(identity, 13, 5)}</svg>'
        f'<span style="color:color-mix(in srgb,{colour(identity)} 72%,currentColor)">{escape(name)}</span></span>'
    )


class Line(NamedTuple):
    """A line of a chart."""

    x: Sequence[float]
    y: Sequence[float]
    """Values; not-a-number where there are none."""
    place: int | None = None
    """Identity of the class that it is of, or `of_no_class`; none for a line to compare with."""
    low: Sequence[float] = ()
    """Lower ends of the intervals of values, if they have any."""
    high: Sequence[float] = ()
    """Upper ends."""
    marks: Sequence[tuple[float, float]] | None = None
    """Points of it that carry its marker; otherwise two, spread over the axis."""


class Axis(NamedTuple):
    """An axis of a chart."""

    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    """Values and what is written beside them."""
    log: bool = False

    def at(self, value: float) -> float:
        """Where a value is, from 0 to 1."""
        low, high = (math.log(self.low), math.log(self.high)) if self.log else (self.low, self.high)
        own = math.log(max(value, 1e-300)) if self.log else value
        return min(max((own - low) / ((high - low) or 1), 0), 1)


def chart(
    title: str,
    of: str,
    says: str,
    lines: Iterable[Line],
    x: Axis,
    y: Axis,
    width: int = 330,
    height: int = 118,
    legend: str = "",
) -> str:
    """A small chart as a figure with a caption.

    Args:
        title: what is shown.
        of: its unit, and what else a reader must know.
        says: what the picture shows, for those who cannot see it.
        lines: from the back to the front.
        x: the axis to the right.
        y: the axis upwards.
        width: in pixels.
        height: in pixels.
        legend: what lines stand for, as HTML.
    """
    left = max(34, 8 + math.ceil(6.4 * max((len(text) for _, text in y.ticks), default=0)))
    right, top, bottom = width - 8, 6, height - 18

    def px(value: float) -> float:
        return left + x.at(value) * (right - left)

    def py(value: float) -> float:
        return bottom - y.at(value) * (bottom - top)

    parts = []
    for value, text in y.ticks:
        parts.append(
            f'<path d="M{left},{py(value):.1f}H{right}" stroke="var(--q-line,{HAIRLINE})"/>'
            f'<text x="{left - 5}" y="{py(value) + 4:.1f}" text-anchor="end">{escape(text)}</text>'
        )
    parts.append(f'<path d="M{left},{bottom}H{right}" stroke="var(--q-note,{NOTE})"/>')
    for value, text in x.ticks:
        at = px(value)
        anchor = "end" if at > right - 14 else "start" if at < left + 8 else "middle"
        parts.append(f'<text x="{at:.1f}" y="{bottom + 14}" text-anchor="{anchor}">{escape(text)}</text>')
    for line in lines:
        path = _path(line, px, py)
        if not path:
            continue
        if line.place is None:
            parts.append(
                f'<path d="{path}" fill="none" stroke="var(--q-ref,{REFERENCE})" stroke-dasharray="4 3"/>'
            )
            continue
        dash = " ".join(f"{length:g}" for length in look(line.place).dash)
        parts.append(
            f'<path d="{path}" fill="none" stroke="{colour(line.place)}" stroke-width="1.5"'
            + (f' stroke-dasharray="{dash}"' if dash else "")
            + "/>"
        )
        for at, low, high in zip(line.x, line.low, line.high, strict=False):
            if math.isfinite(low) and math.isfinite(high):
                parts.append(
                    f'<path d="M{px(at):.1f},{py(low):.1f}V{py(high):.1f}" stroke="{colour(line.place)}"/>'
                )
        marks = _spread(line, px, left, right) if line.marks is None else line.marks
        parts += [marker(line.place, px(at), py(value)) for at, value in marks]
    return (
        f"<figure><figcaption>{escape(title)} <span>{escape(of)}</span>{legend}</figcaption>"
        f'<svg width="{width}" height="{height}" role="img" aria-label="{escape(says)}">{"".join(parts)}</svg></figure>'
    )


def _path(line: Line, px: Callable[[float], float], py: Callable[[float], float]) -> str:
    """A line as an SVG path, with gaps where it has no values; straight parts are one stroke."""
    strokes: list[list[tuple[float, float]]] = [[]]
    for at, value in zip(line.x, line.y, strict=True):
        if math.isfinite(value):
            strokes[-1].append((px(at), py(value)))
        elif strokes[-1]:
            strokes.append([])
    parts = []
    for points in strokes:
        before: tuple[int, int] | None = None
        # Tenths of pixels, as whole numbers, so that what is relative does not drift.
        tenths = [(round(10 * x), round(10 * y)) for x, y in _thinned(points)]
        for place, (x, y) in enumerate(tenths):
            if before is None:
                parts.append(f"M{x / 10:g},{y / 10:g}")
            elif 0 < place < len(tenths) - 1 and before[1] == y == tenths[place + 1][1]:
                continue
            else:
                parts.append(f"l{(x - before[0]) / 10:g},{(y - before[1]) / 10:g}")
            before = (x, y)
        if len(tenths) == 1:
            # A single value is seen as well.
            parts.append("h1")
    return "".join(parts)


COLUMN = 1.5
"""Pixels of which no more is drawn than the first value, the least and the most."""


def _thinned(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Points of a line of which no more are kept than can be seen."""
    columns: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        columns.setdefault(int(point[0] / COLUMN), []).append(point)
    kept: list[tuple[float, float]] = []
    for column in columns.values():
        if len(column) <= 2:
            kept += column
        else:
            ends = (min(column, key=lambda point: point[1]), max(column, key=lambda point: point[1]))
            # Two of the same place would be one point too many.
            kept += sorted({column[0], *ends}, key=column.index)
    return kept if kept[-1:] == list(points[-1:]) else [*kept, points[-1]]


def _spread(line: Line, px: Callable[[float], float], left: float, right: float) -> list[tuple[float, float]]:
    """Two points of a line that carry its marker, elsewhere than those of other lines."""
    there = [(at, value) for at, value in zip(line.x, line.y, strict=True) if math.isfinite(value)]
    shares = [first + 0.06 * ((line.place or 0) % len(LOOKS)) for first in (0.15, 0.55)]
    return [
        min(there, key=lambda point: abs(px(point[0]) - left - share * (right - left))) for share in shares
    ]


def round_ticks(high: float, count: int = 4) -> list[float]:
    """Round values from 0 up to a value."""
    if not (high > 0 and math.isfinite(high)):
        return [0.0]
    step = 10 ** math.floor(math.log10(high / count))
    step *= next(factor for factor in (1, 2, 5, 10) if high / (step * factor) <= count)
    return [step * place for place in range(int(high / step) + 1)]


def log_ticks(low: float, high: float, count: int = 4) -> list[float]:
    """Round values on a logarithmic axis, at most so many: 1, 2 and 5 of each decade, or whole decades where those are too many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for factors, step in (((1, 2, 5), 1), ((1, 3), 1), ((1,), 1), ((1,), 2), ((1,), 3), ((1,), 6)):
        found = [
            factor * 10.0**decade
            for decade in range(first, last + 1, step)
            for factor in factors
            if low * 0.999 <= factor * 10.0**decade <= high * 1.001
        ]
        if len(found) <= count:
            break
    return found


def result_html(result: Result) -> str:
    """A result: what the classes carried and how long requests took, as a table and two pictures."""
    facts = (
        f"{duration(result.summary.simulated_us)} simulated, seed {result.summary.seed}, digest <code>{result.digest}</code>, "
        f"engine {escape(result.engine_version)}"
    )
    link = f"<details><summary>Link of the run</summary><code>{escape(result.link)}</code></details>"
    return shown(f"<h4>{escape(result.scenario.name)}</h4><p>{facts}</p>{_measured(result)}{link}")


def _measured(result: Result) -> str:
    view = View(result)
    return f"{_throughput(view)}{_tail(view)}{_classes(view)}"


def _classes(view: View) -> str:
    """What classes carried against what they were to, and how long their requests took."""
    in_shares = view.out_of_reach is not None and any(
        each.summary.target_share is not None for each in view.classes
    )
    has_targets = any(each.target_gbps is not None for each in view.classes)
    has_quality = any(each.quality is not None for each in view.classes)
    has_deadlines = any(each.summary.deadline for each in view.classes)
    heads = ["Class", "Carried, Gb/s"]
    heads += ["Share", "Target"] if in_shares else ["Target"] if has_targets else []
    heads += ["Q"] if has_quality else []
    # Where some take long, each says its unit.
    taken = [each.summary.latency_us for each in view.classes]
    is_long = any(
        own.count * above >= FEW and own[name] >= LONG_US
        for own in taken
        if own
        for above, name in MARKED.items()
    )
    write = latency if is_long else microseconds
    heads += ["p50" if is_long else "p50, µs", "p99", "p99.9", "Requests"]
    heads += ["Over latency target"] if has_deadlines else []
    rows = []
    for each in view.classes:
        summary, own = each.summary, each.summary.latency_us
        cells = [gbps(summary.carried_gbps)]
        if in_shares:
            cells += [percent(summary.carried_share), percent(summary.target_share)]
        elif has_targets:
            cells.append(gbps(each.target_gbps))
        if has_quality:
            cells.append(quality(each.quality))
        cells += [
            percentile(own[name] if own else None, own.count if own else 0, above, write)
            for above, name in MARKED.items()
        ]
        cells.append(str(summary.requests.completed) if summary.requests else "–")
        if has_deadlines:
            deadline = summary.deadline
            cells.append(
                f"{percent(deadline.missed_fraction)} over {duration(deadline.target_us)}"
                if deadline
                else "–"
            )
        rows.append([class_name(each.identity, each.name), *cells])
    marks = {cell for row in rows for cell in row}
    notes = (
        [f"{escape(view.out_of_reach)}: targets are shares of what it carries."]
        if in_shares and view.out_of_reach
        else []
    )
    notes += ["few: fewer than 5 requests took longer."] if "few" in marks else []
    notes += ["≈: fewer than 10 did."] if any(cell.startswith("≈") for cell in marks) else []
    head = "".join(f'<th scope="col">{title}</th>' for title in heads)
    body = "".join(
        f'<tr><th scope="row">{name}</th>' + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
        for name, *cells in rows
    )
    said = f"<p>{' '.join(notes)}</p>" if notes else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}"


def _throughput(view: View) -> str:
    carried = [view.column(f"goodput_gbps.{each.name}") for each in view.classes]
    targets = [view.target(each) for each in view.classes]
    most = _most([*carried, *targets])
    if most is None:
        return ""
    is_thicket = view.is_thicket(carried, most, 288, 94)
    shown = [view.mean(line) for line in carried] if is_thicket else carried
    most = _most([*shown, *targets]) or 0.0
    lines = [Line(view.times, line) for line in targets]
    lines += [Line(view.times, line, each.identity) for each, line in zip(view.classes, shown, strict=True)]
    says = ", ".join(
        f"{each.name} {gbps(each.summary.carried_gbps)}"
        + (f" of {gbps(each.target_gbps)}" if each.target_gbps is not None else "")
        for each in view.classes
    )
    of = ["Gb/s"]
    of += [f"mean over {duration(view.mean_us)}"] if is_thicket else []
    of += ["dashed: target"] if any(each.target_gbps is not None for each in view.classes) else []
    return chart(
        "Throughput",
        "; ".join(of),
        f"Throughput over time; on average {says} Gb/s",
        lines,
        Axis(0, view.end_us or 1, [(0, "0"), (view.end_us, duration(view.end_us))]),
        Axis(0, most or 1, [(tick, f"{tick:g}") for tick in round_ticks(most)]),
    )


def _most(lines: Iterable[Iterable[float]]) -> float | None:
    return max((value for line in lines for value in line if math.isfinite(value)), default=None)


def _tail(view: View) -> str:
    """Complementary distributions, as far as five requests took longer: beyond, a share says nothing."""
    lines, said = [], []
    for each in view.classes:
        us, share, count = view.curve(each)
        known = sum(above * count >= FEW for above in share)
        if not known:
            continue
        taken = each.summary.latency_us
        marks = [(float(taken[name]), above) for above, name in MARKED.items() if count * above >= FEW]
        lines.append(Line(us[:known], share[:known], each.identity, marks=marks))
        said.append(
            f"{each.name} "
            + ", ".join(
                f"{PERCENTILES[above]} {percentile(taken[name], count, above, latency)}"
                for above, name in MARKED.items()
            )
        )
    if not lines:
        return ""
    least, most = min(line.x[0] for line in lines), max(line.x[-1] for line in lines)
    lowest = max(min(line.y[-1] for line in lines) / 1.3, 1e-5)
    most = max(most, least * 1.5)
    titles = [(above, title) for above, title in PERCENTILES.items() if above >= lowest]
    return chart(
        "Request latency",
        "share that took longer",
        f"Complementary distributions of the latency of requests: {'; '.join(said)}",
        lines,
        Axis(least, most, [(tick, duration(tick)) for tick in log_ticks(least, most)], log=True),
        Axis(lowest, 1, titles, log=True),
        width=290,
    )


def scenario_html(scenario: Scenario) -> str:
    """A scenario: its classes, who reads and writes what, and what is in force of the switches."""
    classes, workloads = scenario.classes.to_dict(), scenario.workloads.to_dict()
    catalogue: Catalogue = json.loads(_native.catalogue())
    transports = {each["value"]: each["title"] for each in catalogue["transports"]}
    looks = identities([each["name"] for each in classes])
    rows = "".join(
        f'<tr><th scope="row">{class_name(identity, each["name"])}</th>'
        f'<td class="words">{escape(transports.get(each["transport"], each["transport"]))}</td><td>{each["ratio"]:g}</td>'
        f'<td class="words">{_aim(each)}</td>'
        f"<td>{sum(load.get('class') == each['name'] for load in workloads)}</td></tr>"
        for identity, each in zip(looks, classes, strict=True)
    )
    shape = scenario.topology.shape.to_dict()
    sizes = [
        f"{snake(name).replace('_', ' ')} {value}" for name, value in shape.items() if isinstance(value, int)
    ]
    marking = (
        f"K {scenario.switch.ecn_threshold_packets:g} packets"
        if scenario.switch.marking != "off"
        else "no marking"
    )
    servers = len((scenario.to_dict().get("storage") or {}).get("servers") or [])
    facts = [
        " ".join([str(shape["kind"]), *([f"({', '.join(sizes)})"] if sizes else [])]),
        f"links of {scenario.topology.link_gbps:g} Gb/s",
        marking,
        *([f"{servers} storage server{'s' if servers > 1 else ''}"] if servers else []),
        duration(scenario.duration_us),
        f"seed {scenario.seed}",
    ]
    heads = {"Class": "", "Transport": "words", "Ratio": "", "Aims at": "words", "Workloads": ""}
    head = "".join(f'<th scope="col" class="{kind}">{title}</th>' for title, kind in heads.items())
    said = f"<p>{escape(scenario.description)}</p>" if scenario.description else ""
    return shown(
        f"<h4>{escape(scenario.name)}</h4>{said}<p>{escape(', '.join(facts))}; hash <code>{scenario.hash}</code></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
        f"<details><summary>Link of the scenario</summary><code>{escape(scenario.link)}</code></details>"
    )


def _aim(each: Mapping[str, Any]) -> str:
    target = each.get("latencyTargetUs")
    if each.get("goal") == "latency" and target is not None:
        return f"p{each['percentile']:g} of {latency(target)}"
    return "its share" if target is None else f"its share; deadline {latency(target)}"


def simulation_html(simulation: Simulation) -> str:
    """A run that is under way: where it stands, and what there is so far."""
    done = simulation.time_us / simulation.duration_us
    bar = (
        f'<svg width="200" height="8" aria-hidden="true"><rect width="200" height="4" y="2" rx="2" fill="var(--q-line,{HAIRLINE})"/>'
        f'<rect width="{200 * done:.0f}" height="4" y="2" rx="2" fill="currentColor"/></svg>'
    )
    stands = (
        f"{duration(simulation.time_us)} of {duration(simulation.duration_us)}, {simulation.events} events, "
        f"digest <code>{simulation.digest}</code>"
    )
    so_far = _measured(simulation.result()) if len(simulation.samples) else ""
    return shown(f"<h4>{escape(simulation.scenario.name)}</h4><p>{stands}</p><div>{bar}</div>{so_far}")


def record_html(record: Mapping[str, Any] | Sequence[Any]) -> str:
    """Named values as a table, with those within them."""
    return shown(_nested(record, DEPTH), "words")


def _nested(value: Any, depth: int) -> str:
    if isinstance(value, str) or not isinstance(value, (Mapping, Sequence)):
        return _plain(value)
    if isinstance(value, Sequence):
        if not any(_is_deep(each) for each in value):
            more = [f"and {len(value) - ROWS} more"] if len(value) > ROWS else []
            return ", ".join([*map(_plain, value[:ROWS]), *more]) or "none"
        if depth >= 0 and 1 < len(value) <= COLUMNS and _are_alike(value):
            return _side_by_side(value)
    items: list[tuple[str, Any]] = (
        list(value.items())
        if isinstance(value, Mapping)
        else [(_title(each, place), each) for place, each in enumerate(value)]
    )
    rows_shown = FEWER if isinstance(value, Sequence) and depth < DEPTH else ROWS
    if depth < 0 or not items:
        return f"{len(items)} {'value' if len(items) == 1 else 'values'}" if items else "none"
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{_nested(each, depth - 1)}</td></tr>'
        for name, each in items[:rows_shown]
    )
    more_rows = f"<p>and {len(items) - rows_shown} more</p>" if len(items) > rows_shown else ""
    return f"<table><tbody>{rows}</tbody></table>{more_rows}"


def _side_by_side(records: Sequence[Mapping[str, Any]]) -> str:
    """Records of the same kind, a column each: a row is what is behind the record, as in `latency_us.p99`."""
    columns = [dict(_leaves(record)) for record in records]
    is_named = all("name" in record for record in records)
    names = [str(record["name"]) if is_named else str(place) for place, record in enumerate(records)]
    paths = [
        path
        for path in dict.fromkeys(path for column in columns for path in column)
        if path != "name" or not is_named
    ]
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    rows = "".join(
        f'<tr><th scope="row">{escape(path)}</th>'
        + "".join(f"<td>{column.get(path, '–')}</td>" for column in columns)
        + "</tr>"
        for path in paths[: 2 * ROWS]
    )
    more = f"<p>and {len(paths) - 2 * ROWS} more</p>" if len(paths) > 2 * ROWS else ""
    return f'<table><thead><tr><th scope="col"></th>{head}</tr></thead><tbody>{rows}</tbody></table>{more}'


def _are_alike(records: Sequence[Any]) -> bool:
    """Whether records have the same names and short values, so that they read well side by side."""
    if not all(isinstance(record, Mapping) and list(record) == list(records[0]) for record in records):
        return False
    return all(
        len(value) <= WORD for record in records for value in record.values() if isinstance(value, str)
    )


def _leaves(record: Mapping[str, Any], before: str = "", depth: int = 1) -> Iterator[tuple[str, str]]:
    """What a record has, by path."""
    for name, value in record.items():
        if isinstance(value, Mapping) and depth and value:
            yield from _leaves(value, f"{before}{name}.", depth - 1)
        else:
            yield before + name, _nested(value, -1)


def _is_deep(value: Any) -> bool:
    return isinstance(value, (Mapping, Sequence)) and not isinstance(value, str)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}" if isinstance(value, float) else "–" if value is None else escape(str(value))


def _title(value: Any, place: int) -> str:
    if isinstance(value, Mapping):
        for name in ("name", "path", "title"):
            if isinstance(value.get(name), str):
                return str(value[name])
    return str(place)
