"""What a run gave."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from qoscope import _native
from qoscope._html import result_html
from qoscope._plot import plot
from qoscope._records import Record, Records, record
from qoscope._scenario import Scenario, scenario_in

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from qoscope._answers import Bottleneck, RunLayout

_READ = (
    "summary",
    "samples",
    "distributions",
    "digest",
    "engine_version",
    "scenario",
    "wall_seconds",
    "_layout",
    "_bottleneck",
)
"""What a result has."""


class Result:
    """What a run gave."""

    def __init__(self, run: _native.Simulation, folder: str = "", wall_seconds: float | None = None) -> None:
        """Of a run; what comes after does not change it."""
        self._run = run.fork()
        self._folder = folder
        self.wall_seconds = wall_seconds
        """What making it took, in seconds; `None` where it was made step by step."""

    @cached_property
    def summary(self) -> Record:
        """What the engine sums up, units in names: `summary.classes["High"].latency_us.p99`, `summary.network.drops`.

        It is what `qoscope run --format json` prints; `docs/metrics.md` lists it.
        """
        return record(self._run.summary())

    @property
    def classes(self) -> Records:
        """The classes of traffic in the summary: `classes["High"].latency_us.p99`."""
        classes = self.summary.classes
        assert isinstance(classes, Records)
        return classes

    @cached_property
    def samples(self) -> _native.Table:
        """The series as Arrow, a row for every sample: `time_us`, `queue_mean`, `goodput_gbps.High` (`docs/metrics.md`).

        `pandas.DataFrame.from_arrow`, `polars.DataFrame`, `pyarrow.table` and DuckDB read it without a copy of ours.
        """
        return self._run.samples()

    @cached_property
    def distributions(self) -> _native.Table:
        """Latencies as Arrow: `class`, `where` (`request` or `device`), `latency_us`, and `share_above`, the share of requests that took longer."""
        return self._run.latencies()

    @cached_property
    def digest(self) -> str:
        """Digest of everything that happened, 16 hexadecimal digits: the same on the page and on the command line."""
        return self._run.digest

    @cached_property
    def engine_version(self) -> str:
        """Version of the engine that made it."""
        return _native.version()

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario, with the changes that were made while it ran."""
        return scenario_in(self._folder, self._run.scenario())

    @property
    def link(self) -> str:
        """The link of the run, from `#` on: behind the address of a QoScope page it opens there."""
        return self.scenario.link

    @cached_property
    def _layout(self) -> RunLayout:
        """What of the run does not change, as the page is told it."""
        layout: RunLayout = json.loads(self._run.layout())
        return layout

    @cached_property
    def _bottleneck(self) -> Bottleneck:
        """What holds requests back at its end, as the page is told it."""
        bottleneck: Bottleneck = json.loads(self._run.bottleneck())
        return bottleneck

    def __getstate__(self) -> dict[str, object]:
        """What travels to other processes: all that there is to read, without the run that it came from."""
        return {name: getattr(self, name) for name in _READ}

    def __setstate__(self, state: dict[str, object]) -> None:
        """As it was."""
        self.__dict__.update(state)

    def plot(
        self,
        charts: Sequence[str] | str | None = None,
        *,
        ax: Axes | None = None,
        theme: str | None = None,
    ) -> Figure | Axes:
        """Draws the result with matplotlib, in the language of the page: each class has its colour, dash and marker.

        Args:
            charts: which of `throughput`, `quality`, `share`, `queue` and `latency`, from the top; otherwise all that have something to
                show: shares of what is carried where a device is the bottleneck, so that no class has a target in Gb/s.
            ax: axes to draw one chart in; it is `throughput` where none is named. Names of classes stand to their right: a figure with
                `layout="constrained"` leaves room for them.
            theme: `light` or `dark`; otherwise what goes with the background of the axes, or of those that matplotlib makes.

        Returns:
            The figure, or the axes that were given.

        Raises:
            QoScopeError: where matplotlib is not installed.
        """
        return plot(self, charts, ax, theme)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return result_html(self)

    def __repr__(self) -> str:
        """Name, classes, digest."""
        summary = self.summary
        classes = ", ".join(f"{each.name} {each.carried_gbps:.4g} Gb/s" for each in summary.classes)
        return f"<Result of {summary.scenario.name!r}: {classes}; digest {self.digest}>"
