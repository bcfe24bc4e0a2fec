"""Figures of results, in the language of the page, where matplotlib is installed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, NamedTuple

from qoscope._errors import QoScopeError
from qoscope._style import (
    DARK,
    FEW,
    FIRM,
    LIGHT,
    MARKED,
    PERCENTILES,
    Theme,
    duration,
    gbps,
    latency,
    look,
    percent,
    percentile,
    quality,
)
from qoscope._view import Class, View

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
FACTORS = ((1.0, 1.5, 2.0, 3.0, 5.0, 7.0), (1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))
"""Factors of ticks of latency, by how many decades there are."""
BEYOND = 2
"""How far beyond lines that are means samples are shown."""
PALE, PALEST = 0.25, 0.05
"""Opacity of samples behind their means, and where they are many in a pixel."""
LINE_HEIGHT = 0.16
"""Inches from one name of a class to the next."""
LITERALLY: dict[str, Any] = {"parse_math": False, "usetex": False}
"""Names that people gave are written as they are, with what is special to TeX."""


def plot(
    result: Result, charts: Sequence[str] | str | None, ax: Axes | None, theme: str | None
) -> Figure | Axes:
    """The figure of a result, or a chart of it in axes that there are: see `Result.plot`."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise QoScopeError(
            "Figures are drawn by matplotlib, which is not installed: pip install 'qoscope-sim[plot]'."
        ) from None
    behind = mpl.rcParams["axes.facecolor"] if ax is None else _behind(ax)
    own = _theme(theme, behind)
    view = View(result)
    if ax is not None:
        names = _names(view, charts if charts is not None else "throughput")
        if len(names) != 1:
            raise ValueError("axes hold one chart: name it, as in plot('latency', ax=ax)")
        with style(own):
            chart = Chart(ax, view, own)
            chart.dress()
            _settle([(ax, CHARTS[names[0]](chart))])
        return ax
    return _figure(view, _names(view, charts), own)


def style(theme: Theme = LIGHT) -> AbstractContextManager[None]:
    """What matplotlib is to draw with, while a figure is made."""
    import matplotlib as mpl

    return mpl.rc_context(
        {
            "font.size": 9,
            "text.color": theme.ink,
            "axes.edgecolor": theme.axis,
            "axes.labelcolor": theme.note,
            "axes.labelsize": 8,
            "axes.titlecolor": theme.ink,
            "axes.titlelocation": "left",
            "axes.titlesize": 9,
            "axes.titleweight": "bold",
            "axes.spines.left": False,
            "axes.spines.right": False,
            "axes.spines.top": False,
            "axes.grid": True,
            "axes.grid.axis": "y",
            "axes.axisbelow": True,
            "grid.color": theme.hairline,
            "grid.linestyle": "-",
            "grid.linewidth": POINTS_PER_PX,
            "xtick.color": theme.axis,
            "xtick.labelcolor": theme.note,
            "xtick.labelsize": 8,
            "ytick.color": theme.axis,
            "ytick.labelcolor": theme.note,
            "ytick.labelsize": 8,
            "ytick.major.size": 0,
            "ytick.minor.size": 0,
            "xtick.minor.size": 0,
            "lines.dash_capstyle": "butt",
            "lines.scale_dashes": False,
            "axes.facecolor": theme.background,
            "text.usetex": False,
        }
    )


def _behind(ax: Axes) -> Any:
    """The colour that axes are drawn on."""
    from matplotlib.colors import to_rgba

    own = ax.get_facecolor()
    return own if to_rgba(own)[3] > 0 else ax.figure.get_facecolor()


def _theme(name: str | None, behind: Any) -> Theme:
    from matplotlib.colors import to_rgba

    if name is None:
        red, green, blue, alpha = to_rgba(behind)
        return DARK if alpha > 0 and 0.3 * red + 0.6 * green + 0.1 * blue < 0.5 else LIGHT
    if name not in ("light", "dark"):
        raise ValueError(f"there is no theme {name!r}: it is 'light' or 'dark'")
    return DARK if name == "dark" else LIGHT


def _names(view: View, charts: Sequence[str] | str | None) -> list[str]:
    if charts is None:
        return [name for name in CHARTS if _has(view, name)]
    names = [charts] if isinstance(charts, str) else list(charts)
    unknown = [name for name in names if name not in CHARTS]
    if unknown or not names:
        raise ValueError(
            f"there is no chart {', '.join(map(repr, unknown)) or 'without a name'}: there are {', '.join(CHARTS)}"
        )
    return list(dict.fromkeys(names))


def _has(view: View, name: str) -> bool:
    """Whether a chart has something to show: where a device is the bottleneck it is shares that classes have, not rates."""
    if name == "quality":
        return any(each.quality is not None for each in view.classes)
    if name == "share":
        return view.out_of_reach is not None and len(view.classes) > 1
    if name == "queue":
        return view.has_network
    return name != "latency" or any(view.curve(each).us for each in view.classes)


def _figure(view: View, names: Sequence[str], theme: Theme) -> Figure:
    import matplotlib.pyplot as plt

    over_time = [name for name in names if name != "latency"]
    both = bool(over_time) and "latency" in names
    mosaic: Any = [[name, "latency"] if both else [name] for name in over_time] or [["latency"]]
    # Where pyplot chooses its backend, that sets what holds for all figures: not within our style, which ends.
    figure: Figure = plt.figure(
        figsize=(10 if both else 6.4, _height(view, len(over_time), "latency" in names)),
        dpi=110,
        facecolor=theme.background,
        layout="constrained",
    )
    try:
        with style(theme):
            axes = figure.subplot_mosaic(mosaic, width_ratios=[1.45, 1] if both else None)
            result = view.result
            figure.suptitle(
                f"{result.scenario.name}: seed {result.summary.seed}, digest {result.digest}, engine {result.engine_version}",
                x=0.01,
                ha="left",
                fontsize=8,
                color=theme.note,
                **LITERALLY,
            )
            labels = [(axes[name], CHARTS[name](Chart(axes[name], view, theme))) for name in names]
            for name in over_time[:-1]:
                axes[name].sharex(axes[over_time[-1]])
                axes[name].tick_params(labelbottom=False)
                axes[name].set_xlabel("")
            _settle(labels)
    finally:
        # A notebook shows what a cell returns; what a window is to show stays open for plt.show().
        if getattr(figure.canvas, "required_interactive_framework", None) is None:
            plt.close(figure)
    return figure


def _height(view: View, over_time: int, has_tail: bool) -> float:
    """Height of a figure, in inches: names of classes fit beside each chart over time, and below that of latencies."""
    lines = sum(2 if each.summary.deadline else 1 for each in view.classes) if has_tail else 0
    charts = over_time * max(1.6, LINE_HEIGHT * len(view.classes) + 0.6)
    return max(0.4 + 1.1 * LINE_HEIGHT * lines + charts, 3.2)


class Label(NamedTuple):
    """What is written beside axes, at the height of a value."""

    at: float
    text: str
    colour: str


class Chart(NamedTuple):
    """Axes that a chart is drawn in."""

    ax: Axes
    view: View
    theme: Theme

    def dress(self) -> None:
        """Gives axes that somebody made the look of ours."""
        ax, theme = self.ax, self.theme
        ax.spines[["left", "right", "top"]].set_visible(False)
        ax.spines["bottom"].set_color(theme.axis)
        ax.tick_params(axis="x", color=theme.axis, labelcolor=theme.note, labelsize=8)
        ax.tick_params(axis="y", length=0, labelcolor=theme.note, labelsize=8)
        ax.xaxis.label.set(color=theme.note, size=8)
        ax.grid(axis="y", color=theme.hairline, linestyle="-", linewidth=POINTS_PER_PX)
        ax.grid(visible=False, axis="x")
        ax.set_axisbelow(True)

    def mark(self, of: Class) -> str:
        """Colour of the lines and markers of a class."""
        own = look(of.identity)
        return own.dark if self.theme is DARK else own.light

    def label(self, of: Class, at: float, value: str) -> Label:
        """The name of a class with a value, beside the axes."""
        own = look(of.identity)
        return Label(at, f"{of.name} {value}", own.dark_label if self.theme is DARK else own.label)

    def titled(self, title: str, of: str) -> None:
        """Writes what is shown and its unit above the axes."""
        named = self.ax.set_title(title)
        note = self.ax.annotate(
            of,
            (1, 0),
            (8, 0),
            xycoords=named,
            textcoords="offset points",
            va="bottom",
            fontsize=8,
            color=self.theme.note,
            annotation_clip=False,
            **LITERALLY,
        )
        # A note that is longer than its axes does not make them smaller.
        note.set_in_layout(False)

    def up_to(self, most: float) -> None:
        """Lets the axis of amounts go from 0 to a value; where others share it, further if they do."""
        others = [
            ax for ax in self.ax.get_shared_y_axes().get_siblings(self.ax) if ax is not self.ax and ax.lines
        ]
        self.ax.set_ylim(0, max([most * 1.05 or 1, *(ax.get_ylim()[1] for ax in others)]))

    def time(self) -> tuple[list[float], float]:
        """Prepares the axis of time. Returns times of the samples in its unit, and what a microsecond is in it."""
        end = self.view.end_us
        unit, scale = ("s", 1e-6) if end >= 1e6 else ("ms", 1e-3) if end >= 1e3 else ("µs", 1.0)
        self.ax.set_xlim(0, end * scale or 1)
        self.ax.set_xlabel(f"Simulated time, {unit}")
        return [time * scale for time in self.view.times], scale

    def lines(
        self,
        times: Sequence[float],
        lines: Sequence[list[float]],
        span: float,
        means: Callable[[], Sequence[list[float]]],
    ) -> tuple[Sequence[list[float]], str]:
        """Draws a line for each class; where they are a thicket their moving means, before them as they are.

        Args:
            times: of the samples, in the unit of the axis.
            lines: values of the samples.
            span: what the axis goes over.
            means: their moving means.

        Returns:
            The lines that carry the markers, and what must be said of them.
        """
        box = self.ax.get_window_extent()
        is_thicket = self.view.is_thicket(lines, span, box.width, box.height)
        shown = means() if is_thicket else lines
        alpha = max(PALE * min(2 * box.width / max(len(times), 1), 1), PALEST)
        for of, line, own in zip(self.view.classes, lines, shown, strict=True):
            if is_thicket:
                self.ax.plot(
                    times, line, color=self.mark(of), linewidth=0.5, alpha=alpha, label=f"_{of.name}"
                )
            self.class_line(of, times, own)
        return shown, f"mean over {duration(self.view.mean_us)}, pale: samples; " if is_thicket else ""

    def class_line(self, of: Class, x: Sequence[float], y: Sequence[float]) -> None:
        """Draws a line of a class, its markers spread over the axis where those of others are not."""
        there = [place for place, value in enumerate(y) if math.isfinite(value)]
        if not there:
            return
        end = self.ax.get_xlim()[1]
        starts = 0.04 + 0.16 * (of.identity * 0.382 % 1)
        wanted = [end * (starts + 0.16 * step) for step in range(7)]
        nearest = {
            there[min(bisect_left([x[place] for place in there], at), len(there) - 1)] for at in wanted
        }
        self.ax.plot(x, y, label=of.name, markevery=sorted(nearest), **self.how(of))

    def how(self, of: Class) -> dict[str, Any]:
        """How the line of a class is drawn."""
        own = look(of.identity)
        marker, fill = MARKERS[own.marker]
        colour = self.mark(of)
        return {
            "color": colour,
            "linewidth": 1.75 * POINTS_PER_PX,
            "linestyle": (0, tuple(length * POINTS_PER_PX for length in own.dash)) if own.dash else "solid",
            "marker": marker,
            "fillstyle": fill,
            "markerfacecoloralt": self.theme.background,
            "markersize": 4.8,
            "markeredgecolor": self.theme.background if fill == "full" and marker != "x" else colour,
            "markeredgewidth": 0.9,
        }

    def reference(self, x: Sequence[float], y: Sequence[float], **how: Any) -> None:
        """Draws a line to compare with."""
        dash = (0, (4 * POINTS_PER_PX, 3 * POINTS_PER_PX))
        drawn: dict[str, Any] = {
            "color": self.theme.reference,
            "linewidth": POINTS_PER_PX,
            "linestyle": dash,
            "zorder": 1.5,
        }
        self.ax.plot(x, y, **drawn, **how)

    def says(self, sentence: str) -> list[Label]:
        """Writes in empty axes why they are so."""
        self.ax.text(
            0.5,
            0.5,
            sentence,
            transform=self.ax.transAxes,
            ha="center",
            va="center",
            fontsize=8,
            color=self.theme.note,
        )
        self.ax.set_yticks([])
        return []


def throughput(chart: Chart) -> list[Label]:
    """What each class carried, and what it was to carry."""
    times, _ = chart.time()
    view = chart.view
    carried = [view.column(f"goodput_gbps.{each.name}") for each in view.classes]
    targets = [view.target(each) for each in view.classes]
    most = _most([*carried, *targets])
    chart.up_to(most)
    shown, note = chart.lines(times, carried, most, lambda: [view.mean(line) for line in carried])
    # Fine samples are of single packets, which go at the rate of the link.
    chart.up_to(min(most, BEYOND * _most([*shown, *targets])))
    labels = []
    for each, line, target in zip(view.classes, shown, targets, strict=True):
        wanted, mean = _last(target), each.summary.carried_gbps
        if wanted is not None:
            chart.reference(times, target, drawstyle="steps-pre")
        of = f" of {gbps(each.target_gbps)}" if each.target_gbps is not None else ""
        at = next((value for value in (wanted, _last(line), mean) if value is not None), 0.0)
        labels.append(chart.label(each, at, gbps(mean) + of))
    about = (
        "dashed: target"
        if _most(targets)
        else f"no targets: {view.out_of_reach}"
        if view.out_of_reach
        else "no targets"
    )
    chart.titled("Throughput", f"Gb/s of payload; {note}{about}")
    return labels


def quality_factor(chart: Chart) -> list[Label]:
    """Quality factors: how far each class is from its target."""
    times, _ = chart.time()
    view, ax = chart.view, chart.ax
    if all(each.quality is None for each in view.classes):
        chart.titled("Quality factor Q", "target ÷ achieved")
        why = (
            f"No class has a target in Gb/s: {view.out_of_reach}."
            if view.out_of_reach
            else "Q needs a target, and no class has one."
        )
        return chart.says(why)
    ax.axhspan(1 - view.band, 1 + view.band, color=chart.theme.band, zorder=0.5)
    ax.set_yscale("log", base=2)
    ax.set_ylim(0.5, 2)
    ax.set_yticks([0.5, 0.7, 1, 1.4, 2], ["0.5", "0.7", "1", "1.4", "2"])
    ax.minorticks_off()
    chart.reference([0, ax.get_xlim()[1]], [1, 1])
    factors = [view.column(f"quality_factor.{each.name}") for each in view.classes]
    shown, note = chart.lines(
        times,
        [_on_scale(line) for line in factors],
        1.5,
        lambda: [_on_scale(view.mean_quality(each)) for each in view.classes],
    )
    note = note or f"band: ±{100 * view.band:g} %"
    if any(value > 2 or value < 0.5 for line in factors for value in line):
        ax.set_yticks([0.5, 0.7, 1, 1.4, 2], ["≤ 0.5", "0.7", "1", "1.4", "≥ 2"])
    chart.titled("Quality factor Q", f"target ÷ achieved; {note.removesuffix('; ')}")
    labels = []
    for each, line in zip(view.classes, shown, strict=True):
        at = _last(line)
        if at is not None:
            labels.append(chart.label(each, at, quality(each.quality)))
    return labels


def _on_scale(factors: Iterable[float]) -> list[float]:
    """Half and twice the target are equally wrong; what is beyond them is at the edge."""
    return [min(max(factor, 0.5), 2) for factor in factors]


def share(chart: Chart) -> list[Label]:
    """What part of all goodput each class had, and was to have."""
    times, _ = chart.time()
    view = chart.view
    labels = []
    parts = [[100 * value for value in line] for line in view.shares()]
    chart.up_to(_most(parts) or 100)
    for each, line in zip(view.classes, parts, strict=True):
        chart.class_line(each, times, line)
        wanted, had = each.summary.target_share, each.summary.carried_share
        if wanted is not None:
            chart.reference([0, chart.ax.get_xlim()[1]], [100 * wanted] * 2)
        at = 100 * wanted if wanted is not None else _last(line)
        of = f" of {percent(wanted)}" if wanted is not None else ""
        if at is not None:
            labels.append(chart.label(each, at, percent(had) + of))
    chart.titled("Share", f"% of all goodput; mean over {duration(view.mean_us)}; dashed: target")
    return labels


def queue(chart: Chart) -> list[Label]:
    """The queue of the bottleneck port, and K."""
    times, scale = chart.time()
    view, ax, ink = chart.view, chart.ax, chart.theme.ink
    mean, most = view.column("queue_mean"), view.column("queue_maximum")
    least = view.column("queue_minimum")
    ax.fill_between(times, least, most, step="pre", color=ink, alpha=0.12, linewidth=0)
    ax.plot(times, mean, color=ink, linewidth=POINTS_PER_PX, label="mean")
    top = _most([most])
    labels = []
    scenario = view.result.scenario
    if scenario.switch.marking != "off":
        instants, thresholds = _over_time(
            view, "switch.ecnThresholdPackets", scenario.switch.ecn_threshold_packets
        )
        ends = [at * scale for at in [*instants, view.end_us]]
        chart.reference(ends, [*thresholds, thresholds[-1]], drawstyle="steps-post", label="K")
        labels.append(Label(thresholds[-1], f"K {thresholds[-1]:g}", chart.theme.reference))
        top = max(top, *thresholds)
    chart.up_to(top)
    port = " to ".join(view.summary.network.bottleneck or [])
    chart.titled("Bottleneck queue", f"packets{', ' + port if port else ''}; line: mean, grey: least to most")
    return labels


def tail(chart: Chart) -> list[Label]:
    """Complementary distribution of the latency of requests."""
    from matplotlib.lines import Line2D
    from matplotlib.ticker import LogLocator, NullFormatter

    view, ax = chart.view, chart.ax
    chart.titled("Request latency", "dotted: fewer than 10 took longer")
    ax.set_xscale("log")
    ax.set_yscale("log")
    told: list[tuple[Any, str]] = []
    aims: list[tuple[Class, float]] = []
    ends: list[float] = []
    lowest = 0.5
    for each in view.classes:
        us, shares, count = view.curve(each)
        if not us or not count:
            continue
        how = chart.how(each)
        plain = how | {"marker": ""}
        # What fewer than ten requests are beyond is no tail yet.
        firm = sum(share * count >= FIRM for share in shares)
        ax.plot(us[:firm], shares[:firm], label=each.name, **plain)
        dotted = plain | {"linewidth": POINTS_PER_PX, "linestyle": (0, (0.75, 1.5))}
        ax.plot(us[max(firm - 1, 0) :], shares[max(firm - 1, 0) :], label=f"_{each.name}", **dotted)
        lowest = min(lowest, *shares)
        # The fastest few say little and would push the interesting part to the right.
        ends += [us[next((place for place, share in enumerate(shares) if share <= 0.995), 0)], us[-1]]
        taken = each.summary.latency_us
        for above, name in MARKED.items():
            if count * above >= FEW:
                hollow = (
                    {"fillstyle": "none", "markeredgecolor": chart.mark(each)} if count * above < FIRM else {}
                )
                ax.plot(
                    taken[name], above, label=f"_{name} {each.name}", **(how | {"markersize": 5.4} | hollow)
                )
        texts = [
            f"{PERCENTILES[above]} {percentile(taken[name], count, above, latency)}"
            for above, name in MARKED.items()
        ]
        deadline = each.summary.deadline
        if deadline:
            aims.append((each, deadline.target_us))
            texts.append(f"\n{percent(deadline.missed_fraction)} over {duration(deadline.target_us)}")
        told.append((Line2D([], [], **how), f"{each.name}   " + ", ".join(texts).replace(", \n", "\n")))
    if not told:
        return chart.says("No request has been completed.")
    for each, target in aims:
        if min(ends) / 100 <= target <= max(ends) * 100:
            ends.append(target)
            chart.reference([target, target], [1e-9, 1], label=f"_target {each.name}")
            ax.plot(target, 1, clip_on=False, zorder=3, **(chart.how(each) | {"markersize": 4.2}))
    ax.set_xlim(min(ends) / 1.15, max(ends) * 1.15)
    ax.set_ylim(max(lowest / 1.5, 5e-6), 1)
    shown = [above for above in PERCENTILES if above >= ax.get_ylim()[0]]
    ax.set_yticks(shown, [PERCENTILES[above] for above in shown])
    ax.minorticks_off()
    decades = math.log10(max(ends) / min(ends))
    ax.xaxis.set_major_locator(LogLocator(subs=FACTORS[min(int(decades), len(FACTORS) - 1)], numticks=12))
    ax.xaxis.set_minor_formatter(NullFormatter())
    ax.xaxis.set_major_formatter(lambda us, _: duration(us))
    legend = ax.legend(
        [handle for handle, _ in told],
        ["line"] * len(told),
        frameon=False,
        fontsize=8,
        loc="upper left",
        bbox_to_anchor=(-0.02, -0.08),
        borderpad=0.2,
        handlelength=2.6,
    )
    for text, (_, written) in zip(legend.get_texts(), told, strict=True):
        text.set(text=written, color=chart.theme.ink, **LITERALLY)
    return []


def _last(values: Sequence[float]) -> float | None:
    """The last value that there is."""
    return next((value for value in reversed(values) if math.isfinite(value)), None)


def _most(lines: Iterable[Iterable[float]]) -> float:
    return max((value for line in lines for value in line if math.isfinite(value)), default=0.0)


def _over_time(view: View, path: str, first: float) -> tuple[list[float], list[float]]:
    """Instants, in microseconds, at which a field has had new values, and the values."""
    instants, values = [0.0], [float(first)]
    for change in view.result.scenario.to_dict().get("timeline", []):
        if change["path"] == path and change["atUs"] <= view.end_us:
            instants.append(float(change["atUs"]))
            values.append(float(change["value"]))
    return instants, values


def _settle(labels: Sequence[tuple[Axes, Sequence[Label]]]) -> None:
    """Writes labels beside their axes, each at the height of its line and none upon another."""
    written = []
    for ax, own in labels:
        low, high = ax.get_ylim()
        for label in sorted(own):
            text = ax.annotate(
                label.text,
                (1, min(max(label.at, low), high)),
                (6, 0),
                xycoords=("axes fraction", "data"),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=label.colour,
                annotation_clip=False,
                **LITERALLY,
            )
            written.append((ax, text))
    # Once it is known how high the axes are.
    labels[0][0].figure.canvas.figure.draw_without_rendering()
    for ax, _ in labels:
        texts = [text for of, text in written if of is ax]
        at = [float(ax.transData.transform((0, text.xy[1]))[1]) for text in texts]
        box = ax.get_window_extent()
        pitch = LINE_HEIGHT * ax.figure.dpi
        for text, place, wanted in zip(texts, _apart(at, pitch, box.y0, box.y1), at, strict=True):
            text.set_position((6, (place - wanted) * 72 / ax.figure.dpi))


def _apart(wanted: Sequence[float], pitch: float, low: float, high: float) -> list[float]:
    """Places near those that are wanted, in their order, none nearer to the next than a pitch, within an interval where they fit."""
    groups: list[tuple[list[float], int]] = []
    for value in wanted:
        own, size = [value], 1
        while groups and _start(own, size, pitch, low, high) < (
            _start(*groups[-1], pitch, low, high) + groups[-1][1] * pitch
        ):
            before, count = groups.pop()
            own, size = before + own, count + size
        groups.append((own, size))
    return [
        _start(own, size, pitch, low, high) + place * pitch for own, size in groups for place in range(size)
    ]


def _start(wanted: Sequence[float], size: int, pitch: float, low: float, high: float) -> float:
    """Where the lowest of a group begins whose middle is that of what is wanted."""
    start = sum(wanted) / size - pitch * (size - 1) / 2
    return max(min(start, high - pitch * (size - 1)), low) if high - low >= pitch * (size - 1) else start


CHARTS: dict[str, Callable[[Chart], list[Label]]] = {
    "throughput": throughput,
    "quality": quality_factor,
    "share": share,
    "queue": queue,
    "latency": tail,
}
"""The charts of a result, by name."""
