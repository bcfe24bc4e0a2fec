"""How classes look and numbers are written, here as on the page: colour is never the only mark of a class, each has a dash and a marker as well."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple


class Look(NamedTuple):
    """How a class looks."""

    light: str
    """Colour of its lines and markers on white."""
    label: str
    """Colour of its name on white."""
    dark: str
    """Colour of its lines and markers on black."""
    dark_label: str
    """Colour of its name on black."""
    dash: tuple[float, ...]
    """Dash pattern, in pixels of a line of 1.75; empty for a solid line."""
    marker: str
    """Name of its marker."""


class Theme(NamedTuple):
    """Colours of what is of no class."""

    background: str
    ink: str
    """Text, and lines that are of no class."""
    note: str
    """Units, axes and notes."""
    reference: str
    """Lines to compare with: targets, K."""
    hairline: str
    """Grid."""
    axis: str
    """Axis lines."""
    band: str
    """Bands to be within."""


LIGHT = Theme("#ffffff", "#1a1a18", "#66665f", "#4a4a45", "#e3e3df", "#87877f", "#f0f0ed")
DARK = Theme("#121314", "#ededeb", "#979ba1", "#bcbec1", "#2a2c30", "#7a7e85", "#212326")

INK, NOTE, REFERENCE, HAIRLINE = LIGHT.ink, LIGHT.note, LIGHT.reference, LIGHT.hairline

LOOKS = (
    Look("#0072b2", "#00669f", "#56b4e9", "#6bbdec", (), "circle"),
    Look("#d55e00", "#ad4b00", "#e69f00", "#ebac24", (7, 2.5), "square"),
    Look("#009e73", "#00745a", "#1fa67b", "#45c9a0", (2, 2.5), "triangle"),
    Look("#b5578e", "#9c3f76", "#d77bb3", "#e59ac7", (8, 2.5, 2, 2.5), "diamond"),
    Look("#5c5c55", "#55554f", "#74777c", "#a6a9ae", (1, 4), "cross"),
    Look(LIGHT.ink, LIGHT.ink, DARK.ink, DARK.ink, (12, 3), "halfCircle"),
    Look(LIGHT.ink, LIGHT.ink, DARK.ink, DARK.ink, (5, 5), "halfSquare"),
    Look(LIGHT.ink, LIGHT.ink, DARK.ink, DARK.ink, (3, 3, 3, 8), "halfDiamond"),
)
"""The looks of classes by their identities, which `identities` gives: those of `web/src/ui/classes.ts`."""

RESERVED = {"high": 0, "medium": 1, "low": 2, "pm": 3, "best effort": 4}
"""Names that always carry the same identity, wherever they stand in a scenario."""

FEW, FIRM = 5, 10
"""Requests that must have taken longer than a percentile for it to be told, and for it to be told without reserve."""
PERCENTILES = {0.5: "p50", 0.1: "p90", 0.01: "p99", 0.001: "p99.9", 0.0001: "p99.99"}
"""Shares of requests that took longer, and the percentiles that they are."""
MARKED = {0.5: "p50", 0.01: "p99", 0.001: "p999"}
"""Percentiles that are told of each class, by the share that took longer: their names in summaries."""


def identities(names: Sequence[str]) -> list[int]:
    """Numbers of the identities of classes, in their order, as on the page: a well-known name has its own, others the first that is free from their place on."""
    found: list[int | None] = []
    for name in names:
        own = RESERVED.get(name.strip().lower())
        found.append(None if own in found else own)
    for place, own in enumerate(found):
        if own is None:
            after = [(place + offset) % len(LOOKS) for offset in range(len(LOOKS))]
            found[place] = next((each for each in after if each not in found), after[0])
    return [own for own in found if own is not None]


def of_no_class(order: int) -> int:
    """The identity of what is of no class, by its order among such: ink, as hue belongs to classes, with dash and marker of their own."""
    return -1 - order


def look(identity: int) -> Look:
    """How the class with an identity looks, or what is of none."""
    if identity >= 0:
        return LOOKS[identity % len(LOOKS)]
    own = LOOKS[(-1 - identity) % len(LOOKS)]
    return Look(LIGHT.ink, LIGHT.ink, DARK.ink, DARK.ink, own.dash, own.marker)


def latency(us: float) -> str:
    """A latency with its unit, as it reads best: microseconds, from ten thousand on milliseconds with two decimals."""
    return f"{microseconds(us)} µs" if us < 9999.5 else f"{us / 1000:.2f} ms"


def microseconds(us: float) -> str:
    """Whole microseconds, from a hundred down with three digits: media that take less than ten are told apart by decimals."""
    return f"{us:.0f}" if us >= 99.5 or us <= 0 else f"{us:.{min(2 - math.floor(math.log10(us)), 3)}f}"


def duration(us: float) -> str:
    """A time with its unit, as it reads best."""
    value, unit = (us / 1e6, "s") if us >= 1e6 else (us / 1e3, "ms") if us >= 1e3 else (us, "µs")
    return f"{value:.3f}".rstrip("0").rstrip(".") + f" {unit}"


def number(value: float | None, decimals: int) -> str:
    """A number with a true minus; a dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.{decimals}f}".replace("-", "−")


def gbps(value: float | None) -> str:
    """A rate in Gb/s: one decimal, three where one would say nothing."""
    return number(value, 3 if value is not None and 0.0005 <= value < 0.095 else 1)


def quality(value: float | None) -> str:
    """A quality factor; beyond 99 a class is starved, and by how much says nothing more."""
    return "> 99" if value is not None and value > 99 else number(value, 2)


def percent(share: float | None) -> str:
    """A share in percent: one decimal below 10 % and above 90 %."""
    if share is None or not math.isfinite(share):
        return "–"
    return f"{100 * share:.{0 if 0.1 <= share <= 0.9 or share == 0 else 1}f} %"


def percentile(
    us: float | None, count: int, above: float, write: Callable[[float], str] = microseconds
) -> str:
    """A percentile as far as requests bear it out: `few` where fewer than 5 took longer, `≈` where fewer than 10 did.

    Args:
        us: the percentile, in microseconds.
        count: requests that it is of.
        above: share of them that took longer.
        write: how a latency is written.
    """
    if us is None:
        return "–"
    slower = count * above
    return "few" if slower < FEW else f"{'≈' if slower < FIRM else ''}{write(us)}"
