"""How the figures of these notebooks look: as those of the page."""

from __future__ import annotations

from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.pyplot import close, subplots
from matplotlib.ticker import NullFormatter

from qoscope._plot import MARKERS, POINTS_PER_PX, style
from qoscope._style import LIGHT, identities, look

# For as long as the notebook lives: it ends with the kernel.
_style = style()
_style.__enter__()


def looks(names: list[str]) -> dict[str, dict[str, Any]]:
    """How lines look, by the names of what they are of: colour, dash and marker."""
    return {name: _look(identity) for name, identity in zip(names, identities(names), strict=True)}


def _look(identity: int) -> dict[str, Any]:
    own = look(identity)
    marker, fill = MARKERS[own.marker]
    dash: Any = (0, tuple(length * POINTS_PER_PX for length in own.dash)) if own.dash else "solid"
    return {
        "color": own.light,
        "linestyle": dash,
        "linewidth": 1.4,
        "marker": marker,
        "markersize": 5,
        "fillstyle": fill,
    }


def figure(width: float, height: float, columns: int = 1, **how: Any) -> tuple[Figure, Any]:
    """A figure with axes beside each other."""
    return subplots(1, columns, figsize=(width, height), layout="constrained", dpi=110, **how)


def reference(axes: Axes, text: str, *, x: float | None = None, y: float | None = None) -> None:
    """Draws a line to compare with, and says what it is."""
    how: dict[str, Any] = {"color": LIGHT.reference, "linestyle": (0, (4, 3)), "linewidth": 1, "zorder": 1.5}
    said: dict[str, Any] = {"color": LIGHT.reference, "fontsize": 8, "textcoords": "offset points"}
    if x is not None:
        axes.axvline(x, **how)
        axes.annotate(text, (x, 0), (4, 5), xycoords=axes.get_xaxis_transform(), **said)
    if y is not None:
        axes.axhline(y, **how)
        axes.annotate(text, (1, y), (-4, 4), xycoords=axes.get_yaxis_transform(), ha="right", **said)


def log_axis(axis: Axis, ticks: list[float]) -> None:
    """Makes an axis logarithmic, with numbers at these places alone."""
    getattr(axis.axes, f"set_{axis.axis_name}scale")("log")
    axis.set_ticks(ticks, [f"{tick:g}" for tick in ticks])
    axis.set_minor_formatter(NullFormatter())


def shown(own: Figure) -> Figure:
    """The figure as what a cell gives: drawn once."""
    close(own)
    return own
