"""Figures of results, in the language of the page, where matplotlib is installed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from qoscope._errors import QoScopeError
from qoscope._style import (
    AXIS,
    BAND,
    FEW,
    FIRM,
    HAIRLINE,
    INK,
    NOTE,
    REFERENCE,
    duration,
    latency,
    look,
    number,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qoscope._result import Result

POINTS_PER_PX = 0.75
"""The page counts in pixels of 1/96 inch."""
MARKERS = {
    "circle": ("o", "full"),
    "square": ("s", "full"),
    "triangle": ("^", "full"),
    "diamond": ("D", "full"),
    "cross": ("x", "full"),
    "halfCircle": ("o", "left"),
    "halfSquare": ("s", "left"),
    "halfDiamond": ("D", "left"),
}
"""Markers of classes as matplotlib has them, and how they are filled."""
PERCENTILES = {0.5: "p50", 0.1: "p90", 0.01: "p99", 0.001: "p99.9", 0.0001: "p99.99"}
"""Shares of requests above, and the percentiles that they are."""


def style() -> AbstractContextManager[None]:
    """What matplotlib is to draw with, while a figure is made."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise QoScopeError(
            "Figures are drawn by matplotlib, which is not installed: pip install 'qoscope-sim[plot]'."
        ) from None
    return mpl.rc_context(
        {
            "font.size": 9,
            "text.color": INK,
            "axes.edgecolor": AXIS,
            "axes.labelcolor": NOTE,
            "axes.titlelocation": "left",
            "axes.titlesize": 9,
            "axes.titleweight": "bold",
            "axes.spines.left": False,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.grid": True,
            "axes.grid.axis": "y",
            "axes.axisbelow": True,
            "grid.color": HAIRLINE,
            "grid.linewidth": POINTS_PER_PX,
            "xtick.color": AXIS,
            "xtick.labelcolor": NOTE,
            "ytick.color": AXIS,
            "ytick.labelcolor": NOTE,
            "ytick.major.size": 0,
            "ytick.minor.size": 0,
            "xtick.minor.size": 0,
            "lines.dash_capstyle": "butt",
            "lines.scale_dashes": False,
            "figure.facecolor": "white",
            "axes.facecolor": "white",
            "figure.dpi": 110,
        }
    )


def plot(result: Result, charts: Sequence[str] | str | None, ax: Axes | None) -> Figure | Axes:
    """The figure of a result, or a chart of it in axes that there are: see `Result.plot`."""
    with style():
        import matplotlib.pyplot as plt

        if ax is not None:
            names = _names(charts if charts is not None else "throughput")
            if len(names) != 1:
                raise ValueError("axes hold one chart: name it, as in plot('latency', ax=ax)")
            CHARTS[names[0]](ax, result)
            return ax
        names = _names(charts if charts is not None else list(CHARTS))
        over_time = [name for name in names if name != "latency"]
        both = bool(over_time) and "latency" in names
        mosaic: Any = [[name, "latency"] if both else [name] for name in over_time] or [["latency"]]
        height = 1.2 + 1.55 * max(1, len(over_time))
        figure: Figure
        figure, axes = plt.subplot_mosaic(
            mosaic,
            figsize=(10 if both else 6.4, height if over_time else 3.6),
            width_ratios=[1.45, 1] if both else None,
            layout="constrained",
        )
        for name in names:
            CHARTS[name](axes[name], result)
        for name in over_time:
            axes[name].sharex(axes[over_time[-1]])
            if name != over_time[-1]:
                axes[name].tick_params(labelbottom=False)
                axes[name].set_xlabel("")
        figure.suptitle(
            f"{result.scenario.name}: seed {result.summary.seed}, digest {result.digest}, engine {result.engine_version}",
            x=0.01,
            ha="left",
            fontsize=8,
            color=NOTE,
        )
        plt.close(figure)
        return figure


def _names(charts: Sequence[str] | str) -> list[str]:
    names = [charts] if isinstance(charts, str) else list(charts)
    unknown = [name for name in names if name not in CHARTS]
    if unknown or not names:
        raise ValueError(f"there is no chart {', '.join(map(repr, unknown))}: there are {', '.join(CHARTS)}")
    return list(dict.fromkeys(names))


def _titled(ax: Axes, title: str, of: str) -> None:
    named = ax.set_title(title)
    note = ax.annotate(
        of,
        (1, 0),
        (8, 0),
        xycoords=named,
        textcoords="offset points",
        fontsize=8,
        color=NOTE,
        annotation_clip=False,
    )
    # A note that is longer than its axes does not make them smaller.
    note.set_in_layout(False)


def _time(ax: Axes, result: Result) -> tuple[list[float], float]:
    """Times of the samples in the unit of the axis, and what a microsecond is in it."""
    end_us = result.summary.simulated_us
    unit, scale = ("s", 1e-6) if end_us >= 1e6 else ("ms", 1e-3) if end_us >= 1e3 else ("µs", 1.0)
    ax.set_xlim(0, end_us * scale)
    ax.set_xlabel(f"Simulated time, {unit}")
    return [time * scale for time in _column(result, "time_us")], scale


def _column(result: Result, name: str) -> list[float]:
    """A column of the samples, not-a-number where there is nothing."""
    return [math.nan if value is None else float(value) for value in result.samples.column(name)]


def _class_line(ax: Axes, place: int, name: str, x: Iterable[float], y: Iterable[float]) -> None:
    x, y = list(x), list(y)
    if not any(map(math.isfinite, y)):
        return
    own = look(place)
    marker, fill = MARKERS[own.marker]
    dash: Any = (0, tuple(length * POINTS_PER_PX for length in own.dash)) if own.dash else "solid"
    ax.plot(
        x,
        y,
        color=own.light,
        linewidth=1.75 * POINTS_PER_PX,
        linestyle=dash,
        marker=marker,
        fillstyle=fill,
        markersize=4.8,
        markeredgecolor=own.light if marker == "x" else "white",
        markeredgewidth=0.9,
        markevery=(0.04 + 0.035 * (place % 4), 0.16),
        label=name,
    )


def _gutter(ax: Axes, entries: Sequence[tuple[float, str, str]]) -> None:
    """Names beside the axes, each at the height of its line and none upon another."""
    ax.figure.canvas.draw()
    low, high = ax.get_ylim()
    at = ax.transData
    top = float(ax.transAxes.transform((0, 1))[1])
    pitch = 12.5 * ax.figure.dpi / 72
    placed: list[list[Any]] = sorted(
        [float(at.transform((0, min(max(y, low), high)))[1]), text, colour]
        for y, text, colour in entries
        if math.isfinite(y)
    )
    for _ in range(40):
        for below, above in itertools.pairwise(placed):
            overlap = pitch - (above[0] - below[0])
            if overlap > 0:
                below[0] -= overlap / 2
                above[0] += overlap / 2
        if placed and placed[-1][0] > top:
            placed[-1][0] = top
    for y, text, colour in placed:
        height = float(ax.transAxes.inverted().transform((0, y))[1])
        ax.annotate(
            text,
            (1, height),
            (6, 0),
            xycoords="axes fraction",
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=colour,
            annotation_clip=False,
        )


def _reference(ax: Axes, x: Sequence[float], y: Sequence[float], **how: Any) -> None:
    ax.plot(
        x,
        y,
        color=REFERENCE,
        linewidth=POINTS_PER_PX,
        linestyle=(0, (4 * POINTS_PER_PX, 3 * POINTS_PER_PX)),
        zorder=1.5,
        **how,
    )


def throughput(ax: Axes, result: Result) -> None:
    """What each class carried, and what it was to carry."""
    times, _ = _time(ax, result)
    labels = []
    for place, each in enumerate(result.classes):
        carried = _column(result, f"goodput_gbps.{each.name}")
        target = _column(result, f"target_gbps.{each.name}")
        if any(map(math.isfinite, target)):
            _reference(ax, times, target, drawstyle="steps-pre")
        _class_line(ax, place, each.name, times, carried)
        labels.append((_last(carried), f"{each.name} {number(each.carried_gbps, 1)}", look(place).label))
    _titled(ax, "Throughput", "Gb/s of payload; dashed: target; beside: mean")
    ax.set_ylim(bottom=0)
    _gutter(ax, labels)


def quality(ax: Axes, result: Result) -> None:
    """Quality factors: how far each class is from its target."""
    times, _ = _time(ax, result)
    band = result.scenario.measurement.convergence_band
    ax.axhspan(1 - band, 1 + band, color=BAND, zorder=0.5)
    labels = []
    for place, each in enumerate(result.classes):
        factors = _column(result, f"quality_factor.{each.name}")
        # Beyond the axis it runs along the edge.
        _class_line(ax, place, each.name, times, [min(max(factor, 0.5), 2) for factor in factors])
        mean = each.quality_factor.mean
        at = min(max(_last(factors), 0.5), 2)
        labels.append((at, f"{each.name} {number(mean, 2)}", look(place).label))
    ax.set_yscale("log", base=2)
    ax.set_ylim(0.5, 2)
    ax.set_yticks([0.5, 0.7, 1, 1.4, 2], ["0.5", "0.7", "1", "1.4", "2"])
    ax.minorticks_off()
    _reference(ax, [0, ax.get_xlim()[1]], [1, 1])
    _titled(ax, "Quality factor Q", f"target ÷ achieved; band: 1 ± {band:g}; beside: mean")
    _gutter(ax, labels)


def queue(ax: Axes, result: Result) -> None:
    """The queue of the bottleneck port, and K."""
    times, scale = _time(ax, result)
    mean = _column(result, "queue_mean")
    ax.fill_between(
        times,
        _column(result, "queue_minimum"),
        _column(result, "queue_maximum"),
        step="pre",
        color=INK,
        alpha=0.12,
        linewidth=0,
    )
    ax.plot(times, mean, color=INK, linewidth=POINTS_PER_PX)
    labels = [(_last(mean), "mean", INK)]
    switch = result.scenario.switch
    if switch.marking != "off":
        instants, thresholds = _over_time(result, "switch.ecnThresholdPackets", switch.ecn_threshold_packets)
        end = result.summary.simulated_us
        _reference(
            ax,
            [at * scale for at in [*instants, end]],
            [*thresholds, thresholds[-1]],
            drawstyle="steps-post",
        )
        labels.append((thresholds[-1], f"K = {thresholds[-1]:g}", REFERENCE))
    host = " to ".join(result.summary.network.bottleneck or [])
    _titled(ax, "Bottleneck queue", f"packets, {host}; grey: least to most")
    ax.set_ylim(bottom=0)
    _gutter(ax, labels)


def tail(ax: Axes, result: Result) -> None:
    """Complementary distribution of the latency of requests."""
    table = result.distributions
    columns = [table.column(name) for name in ("class", "where", "latency_us", "share_above")]
    rows = list(zip(*columns, strict=True))
    lowest = 0.5
    for place, each in enumerate(result.classes):
        own = [(us, share) for name, where, us, share in rows if name == each.name and where == "request"]
        count = each.latency_us.count if each.latency_us else 0
        if not own or not count:
            continue
        # What fewer than ten requests are beyond is no tail yet.
        firm = [point for point in own if point[1] * count >= FIRM]
        loose = own[max(0, len(firm) - 1) :]
        colour = look(place).light
        dash: Any = (
            (0, tuple(length * POINTS_PER_PX for length in look(place).dash)) if look(place).dash else "solid"
        )
        if firm:
            x, y = zip(*firm, strict=True)
            ax.plot(x, y, color=colour, linewidth=1.75 * POINTS_PER_PX, linestyle=dash)
        if loose:
            x, y = (
                zip(*[point for point in loose if point[1] > 0], strict=True) if loose[0][1] > 0 else ((), ())
            )
            ax.plot(x, y, color=colour, linewidth=POINTS_PER_PX, linestyle=(0, (0.75, 1.5)))
            lowest = min([lowest, *y])
        marker, fill = MARKERS[look(place).marker]
        for share, title in ((0.5, "p50"), (0.01, "p99"), (0.001, "p999")):
            if count * share >= FEW:
                ax.plot(
                    getattr(each.latency_us, title),
                    share,
                    marker=marker,
                    markersize=5.2,
                    fillstyle=fill if count * share >= FIRM else "none",
                    color=colour,
                    markeredgecolor=colour if marker == "x" or count * share < FIRM else "white",
                    markeredgewidth=0.9,
                )
        ax.plot(
            [],
            [],
            color=colour,
            linewidth=1.75 * POINTS_PER_PX,
            linestyle=dash,
            marker=marker,
            fillstyle=fill,
            markeredgecolor=colour if marker == "x" else "white",
            label=f"{each.name}   p50 {latency(each.latency_us.p50)}"
            + (f", p99 {latency(each.latency_us.p99)}" if count * 0.01 >= FEW else ""),
        )
    ax.set_xscale("log")
    ax.set_yscale("log")
    ax.set_ylim(max(lowest / 1.5, 5e-6), 1)
    shown = [share for share in PERCENTILES if share >= ax.get_ylim()[0]]
    ax.set_yticks(shown, [PERCENTILES[share] for share in shown])
    ax.minorticks_off()
    ax.xaxis.set_major_locator(_decades())
    ax.xaxis.set_major_formatter(lambda us, _: duration(us))
    ax.tick_params(axis="x", labelsize=8)
    _titled(ax, "Request latency", "dotted: fewer than 10 took longer")
    if ax.get_legend_handles_labels()[0]:
        ax.legend(
            frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(-0.02, -0.06), handlelength=2.6
        )


def _decades() -> Any:
    from matplotlib.ticker import LogLocator

    return LogLocator(subs=(1.0, 2.0, 5.0), numticks=12)


def _last(values: Sequence[float]) -> float:
    """The last value that there is."""
    return next((value for value in reversed(values) if math.isfinite(value)), math.nan)


def _over_time(result: Result, path: str, first: float) -> tuple[list[float], list[float]]:
    """Instants, in microseconds, at which a field has had new values, and the values."""
    instants, values = [0.0], [float(first)]
    for change in result.scenario.to_dict().get("timeline", []):
        if change["path"] == path and change["atUs"] <= result.summary.simulated_us:
            instants.append(float(change["atUs"]))
            values.append(float(change["value"]))
    return instants, values


CHARTS: dict[str, Callable[[Axes, Result], None]] = {
    "throughput": throughput,
    "quality": quality,
    "queue": queue,
    "latency": tail,
}
"""The charts of a result, by name."""
