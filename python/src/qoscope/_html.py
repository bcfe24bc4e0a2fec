"""How results, scenarios and records look in a notebook: HTML with small pictures, without scripts, legible on light and dark.

What is written is complete in itself, so that a notebook that was saved reads without a kernel.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from qoscope._names import snake
from qoscope._style import (
    DARK_HAIRLINE,
    DARK_INK,
    DARK_NOTE,
    DARK_REFERENCE,
    FEW,
    HAIRLINE,
    INK,
    LOOKS,
    NOTE,
    REFERENCE,
    duration,
    latency,
    look,
    number,
    percentile,
)

if TYPE_CHECKING:
    from qoscope._result import Result
    from qoscope._scenario import Scenario
    from qoscope._simulation import Simulation

STILL = "qoscope-still"
"""Begin of the class of pictures that stand in for the page where it is not."""
ROWS = 40
"""Rows of a record that are shown."""
DEPTH = 2
"""How deep records within a record are shown."""

_LIGHT = {"ink": INK, "note": NOTE, "ref": REFERENCE, "line": HAIRLINE} | {
    name: colour
    for place, own in enumerate(LOOKS)
    for name, colour in ((f"m{place}", own.light), (f"t{place}", own.label))
}
_DARK = {"ink": DARK_INK, "note": DARK_NOTE, "ref": DARK_REFERENCE, "line": DARK_HAIRLINE} | {
    name: colour
    for place, own in enumerate(LOOKS)
    for name, colour in ((f"m{place}", own.dark), (f"t{place}", own.dark_label))
}


def _tokens(colours: Mapping[str, str]) -> str:
    return ";".join(f"--q-{name}:{colour}" for name, colour in colours.items())


STYLE = f"""<style>
.qoscope{{{_tokens(_LIGHT)};font:12px/16px system-ui,sans-serif;color:var(--q-ink);font-variant-numeric:tabular-nums}}
[data-jp-theme-light="false"] .qoscope,.vscode-dark .qoscope{{{_tokens(_DARK)}}}
.qoscope h4{{font:600 13px/20px system-ui,sans-serif;margin:4px 0 0;color:inherit}}
.qoscope p{{margin:2px 0 6px;color:var(--q-note)}}
.qoscope table{{border-collapse:collapse;margin:4px 0 8px;font-size:12px;color:inherit}}
.qoscope th,.qoscope td{{text-align:right!important;padding:2px 10px 2px 0;border-top:1px solid var(--q-line);background:none;vertical-align:top}}
.qoscope th:first-child,.qoscope td:first-child{{text-align:left!important}}
.qoscope thead th{{font-weight:400;color:var(--q-note);border:0}}
.qoscope tbody tr{{background:none!important}}
.qoscope tbody th{{font-weight:400}}
.qoscope.words td{{text-align:left!important}}
.qoscope figure{{display:inline-block;margin:0 20px 4px 0;vertical-align:top}}
.qoscope figcaption{{font-weight:600;max-width:330px}}
.qoscope figcaption span{{font-weight:400;color:var(--q-note)}}
.qoscope svg{{display:block;overflow:visible}}
.qoscope svg text{{font:11px system-ui,sans-serif;fill:var(--q-note)}}
.qoscope code{{font-size:11px;background:none;color:inherit;padding:0}}
</style>"""
"""Styles of all that is shown, within elements of the class `qoscope` alone."""


def shown(inside: str, kind: str = "") -> str:
    """A whole piece of HTML for a notebook."""
    return f'{STYLE}<div class="qoscope{" " + kind if kind else ""}">{inside}</div>'


def colour(place: int) -> str:
    """Colour of lines and markers of the class at a place of the scenario, in attributes of SVG."""
    return f"var(--q-m{place % len(LOOKS)},{look(place).light})"


def marker(place: int, x: float, y: float, size: float = 3.2) -> str:
    """The marker of the class at a place of the scenario, around a point."""
    own, fill = look(place).marker, colour(place)
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


def class_name(place: int, name: str) -> str:
    """The name of a class with its marker."""
    return (
        f'<svg width="12" height="10" style="display:inline-block" aria-hidden="true">{marker(place, 5, 5)}</svg>'
        f'<span style="color:var(--q-t{place % len(LOOKS)},{look(place).label})">{escape(name)}</span>'
    )


class Line(NamedTuple):
    """A line of a chart."""

    x: Sequence[float]
    y: Sequence[float]
    """Values; not-a-number where there are none."""
    place: int | None = None
    """Place of the class that it is of; none for a line to compare with."""
    low: Sequence[float] = ()
    """Lower ends of the intervals of values, if they have any."""
    high: Sequence[float] = ()
    """Upper ends."""


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
    left, right, top, bottom = 34, width - 8, 6, height - 18

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
        points = [
            (px(at), py(value)) for at, value in zip(line.x, line.y, strict=True) if math.isfinite(value)
        ]
        if not points:
            continue
        path = "M" + "L".join(f"{at:.1f},{value:.1f}" for at, value in _thinned(points, right - left))
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
        for share in (0.3, 0.7):
            at, value = points[int((len(points) - 1) * min(share + 0.06 * line.place, 1))]
            parts.append(marker(line.place, at, value))
    return (
        f"<figure><figcaption>{escape(title)} <span>{escape(of)}</span>{legend}</figcaption>"
        f'<svg width="{width}" height="{height}" role="img" aria-label="{escape(says)}">{"".join(parts)}</svg></figure>'
    )


def _thinned(points: Sequence[tuple[float, float]], width: float) -> list[tuple[float, float]]:
    """Points of a line of which no more are kept than can be seen: of each pixel the first, the least and the most."""
    if len(points) <= 2 * width:
        return list(points)
    columns: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        columns.setdefault(int(point[0]), []).append(point)
    kept = []
    for column in columns.values():
        chosen = {min(column, key=lambda point: point[1]), max(column, key=lambda point: point[1]), column[0]}
        kept += sorted(chosen)
    return kept


def round_ticks(high: float, count: int = 3) -> list[float]:
    """Round values from 0 up to a value."""
    if not (high > 0 and math.isfinite(high)):
        return [0.0]
    step = 10 ** math.floor(math.log10(high / count))
    step *= next(factor for factor in (1, 2, 5, 10) if high / (step * factor) <= count)
    return [step * place for place in range(int(high / step) + 1)]


def _floats(values: Iterable[Any]) -> list[float]:
    return [math.nan if value is None else float(value) for value in values]


def result_html(result: Result) -> str:
    """A result: what the classes carried and how long requests took, as a table and two pictures."""
    summary, samples = result.summary, result.samples
    rows = []
    for place, each in enumerate(summary.classes):
        taken = each.latency_us
        count = taken.count if taken else 0
        tails = [
            (taken.p50 if taken else None, 0.5),
            (taken.p99 if taken else None, 0.01),
            (taken.p999 if taken else None, 0.001),
        ]
        quality = each.quality_factor.mean if each.quality_factor else None
        cells = [
            number(each.carried_gbps, 2),
            number(each.target_gbps, 2),
            number(quality, 2),
            *(percentile(us, count, above) for us, above in tails),
            f"{each.requests.completed}" if each.requests else "–",
        ]
        rows.append(
            f'<tr><th scope="row">{class_name(place, each.name)}</th>'
            + "".join(f"<td>{cell}</td>" for cell in cells)
            + "</tr>"
        )
    few = any(">few<" in row or "≈" in row for row in rows)
    heads = ["Class", "Carried, Gb/s", "Target", "Q", "p50, µs", "p99", "p99.9", "Requests"]
    table = (
        "<table><thead><tr>"
        + "".join(f'<th scope="col">{head}</th>' for head in heads)
        + f"</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        + ("<p>few: fewer than 5 requests took longer; ≈: fewer than 10.</p>" if few else "")
    )
    times = _floats(samples.column("time_us"))
    end = summary.simulated_us
    over_time = Axis(0, end, [(0, "0"), (end, duration(end))])
    carried = [_floats(samples.column(f"goodput_gbps.{each.name}")) for each in summary.classes]
    targets = [_floats(samples.column(f"target_gbps.{each.name}")) for each in summary.classes]
    most = max(
        (value for line in [*carried, *targets] for value in line if math.isfinite(value)), default=0.0
    )
    ticks = round_ticks(most)
    lines = [Line(times, line) for line in targets] + [
        Line(times, line, place) for place, line in enumerate(carried)
    ]
    sentence = ", ".join(f"{each.name} {number(each.carried_gbps, 1)} Gb/s" for each in summary.classes)
    pictures = chart(
        "Throughput",
        "Gb/s; dashed: target",
        f"Throughput over time; on average {sentence}",
        lines,
        over_time,
        Axis(0, max(most, 1e-9), [(tick, f"{tick:g}") for tick in ticks]),
    )
    pictures += _tail(result)
    name = summary.scenario.name
    facts = (
        f"{duration(summary.simulated_us)} simulated, seed {summary.seed}, digest <code>{result.digest}</code>, "
        f"engine {escape(result.engine_version)}"
    )
    return shown(f"<h4>{escape(name)}</h4><p>{facts}</p>{pictures}{table}")


def _tail(result: Result) -> str:
    table = result.distributions
    columns = [table.column(name) for name in ("class", "where", "latency_us", "share_above")]
    counts = {each.name: each.latency_us.count if each.latency_us else 0 for each in result.classes}
    own: dict[str, tuple[list[float], list[float]]] = {}
    for name, where, us, share in zip(*columns, strict=True):
        if where == "request" and isinstance(us, float) and isinstance(share, float):
            # A share that fewer than five requests make up says nothing.
            if share * counts[name] < FEW:
                continue

            x, y = own.setdefault(str(name), ([], []))
            x.append(us)
            y.append(share)
    if not own:
        return ""
    least = min(min(x) for x, _ in own.values())
    most = max(max(x) for x, _ in own.values())
    lowest = max(min(min(y) for _, y in own.values()), 1e-5)
    low, high = max(least, most / 1e4), max(most, least * 1.01)
    titles = [(0.5, "p50"), (0.1, "p90"), (0.01, "p99"), (0.001, "p99.9"), (0.0001, "p99.99")]
    middle = math.sqrt(low * high)
    return chart(
        "Request latency",
        "share that took longer",
        "Complementary distributions of the latency of requests, of each class",
        [Line(*own[each.name], place) for place, each in enumerate(result.classes) if each.name in own],
        Axis(low, high, [(low, latency(low)), (middle, latency(middle)), (high, latency(high))], log=True),
        Axis(lowest, 1, [(share, title) for share, title in titles if share >= lowest], log=True),
        width=280,
    )


def scenario_html(scenario: Scenario) -> str:
    """A scenario: its classes, who reads and writes what, and what is in force of the switches."""
    whole = scenario.to_dict() | {"classes": scenario.classes.to_dict()}
    rows = "".join(
        f'<tr><th scope="row">{class_name(place, each["name"])}</th><td>{escape(str(each["transport"]))}</td>'
        f"<td>{each['ratio']:g}</td><td>{_aim(each)}</td>"
        f"<td>{sum(load.get('class') == each['name'] for load in whole['workloads'])}</td></tr>"
        for place, each in enumerate(whole["classes"])
    )
    shape = scenario.topology.shape.to_dict()
    network = ", ".join(
        f"{snake(name).replace('_', ' ')} {value}" for name, value in shape.items() if isinstance(value, int)
    )
    facts = [
        f"{shape['kind']}{' of ' + network if network else ''}",
        f"links of {scenario.topology.link_gbps:g} Gb/s",
        f"K = {scenario.switch.ecn_threshold_packets} packets"
        if scenario.switch.marking != "off"
        else "no marking",
        f"{duration(scenario.duration_us)}",
        f"seed {scenario.seed}",
    ]
    heads = ["Class", "Transport", "Ratio", "Aims at", "Workloads"]
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    said = f"<p>{escape(scenario.description)}</p>" if scenario.description else ""
    return shown(
        f"<h4>{escape(scenario.name)}</h4>{said}<p>{escape(', '.join(facts))}; hash <code>{scenario.hash}</code></p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
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
        '<svg width="200" height="8" aria-hidden="true"><rect width="200" height="4" y="2" rx="2" fill="var(--q-line,#e3e3df)"/>'
        f'<rect width="{200 * done:.0f}" height="4" y="2" rx="2" fill="var(--q-ink,#1a1a18)"/></svg>'
    )
    stands = (
        f"{duration(simulation.time_us)} of {duration(simulation.duration_us)}, {simulation.events} events"
    )
    return shown(f"<h4>{escape(simulation.scenario.name)}</h4><p>{stands}</p>{bar}") + (
        result_html(simulation.result()) if len(simulation.samples) else ""
    )


def record_html(record: Mapping[str, Any] | Sequence[Any]) -> str:
    """Named values as a table, with those within them."""
    return shown(_nested(record, DEPTH), "words")


def _nested(value: Any, depth: int) -> str:
    items: list[tuple[str, Any]]
    if isinstance(value, Mapping):
        items = list(value.items())
    elif isinstance(value, Sequence) and not isinstance(value, str):
        items = [(_title(each, place), each) for place, each in enumerate(value)]
    else:
        return f"{value:.6g}" if isinstance(value, float) else "–" if value is None else escape(str(value))
    if isinstance(value, Sequence) and not any(
        isinstance(each, (Mapping, Sequence)) and not isinstance(each, str) for each in value
    ):
        return ", ".join(_nested(each, depth) for each in list(value)[:ROWS]) or "none"
    if depth < 0 or not items:
        return f"{len(items)} {'value' if len(items) == 1 else 'values'}" if items else "none"
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{_nested(each, depth - 1)}</td></tr>'
        for name, each in items[:ROWS]
    )
    more = f"<p>and {len(items) - ROWS} more</p>" if len(items) > ROWS else ""
    return f"<table><tbody>{rows}</tbody></table>{more}"


def _title(value: Any, place: int) -> str:
    if isinstance(value, Mapping):
        for name in ("name", "path", "title"):
            if isinstance(value.get(name), str):
                return str(value[name])
    return str(place)
