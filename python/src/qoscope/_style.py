"""How classes look, here as on the page: colour is never the only mark of a class, each has a dash and a marker as well."""

from __future__ import annotations

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


INK, DARK_INK = "#1a1a18", "#ededeb"
"""Text, and lines that are of no class."""
NOTE, DARK_NOTE = "#66665f", "#979ba1"
"""Units, axes and notes."""
REFERENCE, DARK_REFERENCE = "#4a4a45", "#bcbec1"
"""Lines to compare with: targets, K."""
HAIRLINE, DARK_HAIRLINE = "#e3e3df", "#2a2c30"
"""Grid."""
AXIS = "#87877f"
"""Axis lines."""
BAND = "#f0f0ed"
"""Bands to be within."""

LOOKS = (
    Look("#0072b2", "#00669f", "#56b4e9", "#6bbdec", (), "circle"),
    Look("#d55e00", "#ad4b00", "#e69f00", "#ebac24", (7, 2.5), "square"),
    Look("#009e73", "#00745a", "#1fa67b", "#45c9a0", (2, 2.5), "triangle"),
    Look("#b5578e", "#9c3f76", "#d77bb3", "#e59ac7", (8, 2.5, 2, 2.5), "diamond"),
    Look("#5c5c55", "#55554f", "#74777c", "#a6a9ae", (1, 4), "cross"),
    Look(INK, INK, DARK_INK, DARK_INK, (12, 3), "halfCircle"),
    Look(INK, INK, DARK_INK, DARK_INK, (5, 5), "halfSquare"),
    Look(INK, INK, DARK_INK, DARK_INK, (3, 3, 3, 8), "halfDiamond"),
)
"""The looks of classes in their order in the scenario, from the first again beyond the last: `web/src/ui/classes.ts`."""


FEW, FIRM = 5, 10
"""Requests that must have taken longer than a percentile for it to be told, and for it to be told without reserve."""


def look(place: int) -> Look:
    """How the class at a place of the scenario looks."""
    return LOOKS[place % len(LOOKS)]


def latency(us: float) -> str:
    """A latency with its unit, as it reads best: whole microseconds, from ten thousand on milliseconds with two decimals."""
    return f"{us:.0f} µs" if us < 9999.5 else f"{us / 1000:.2f} ms"


def duration(us: float) -> str:
    """A time with its unit, as it reads best."""
    value, unit = (us / 1e6, "s") if us >= 1e6 else (us / 1e3, "ms") if us >= 1e3 else (us, "µs")
    return f"{value:.3f}".rstrip("0").rstrip(".") + f" {unit}"


def number(value: float | None, decimals: int) -> str:
    """A number with a true minus; a dash where there is none."""
    return "–" if value is None else f"{value:.{decimals}f}".replace("-", "−")


def percentile(us: float | None, count: int, above: float) -> str:
    """A percentile in microseconds, as far as requests bear it out: `few` where fewer than 5 took longer, `≈` where fewer than 10 did.

    Args:
        us: the percentile.
        count: requests that it is of.
        above: share of them that took longer.
    """
    if us is None:
        return "–"
    slower = count * above
    return "few" if slower < FEW else f"{'≈' if slower < FIRM else ''}{us:.0f}"
