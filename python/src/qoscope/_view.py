"""What there is to draw of a result, as the page sees it: which targets there are, and lines that can be read."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from qoscope._style import identities

if TYPE_CHECKING:
    from qoscope._records import Record
    from qoscope._result import Result

THICKET = 18
"""Lines are a thicket when together they go up and down by more pixels than this per pixel of time, as on the page."""
HEIGHT = 136
"""Pixels of height from which on more of them do not make lines harder to read."""
SHARE = 50
"""A moving mean is over about this part of a run."""


class Curve(NamedTuple):
    """A complementary distribution of latencies."""

    us: list[float]
    share: list[float]
    """Share of requests that took longer."""
    requests: int
    """Requests that it is of."""


class Class(NamedTuple):
    """A class of a result."""

    name: str
    identity: int
    """Number of how it looks."""
    summary: Record
    target_gbps: float | None
    """What it was to carry; none where no target in Gb/s applies."""
    quality: float | None
    """Its mean quality factor, where it has a target."""


class View:
    """What there is to draw of a result."""

    def __init__(self, result: Result) -> None:
        """Of a result."""
        self.result = result
        self.summary = result.summary
        self.end_us = float(self.summary.simulated_us)
        self.times = self.column("time_us")
        layout = result._layout
        self.has_devices = bool(layout["devices"])
        self.has_network = bool(layout["graph"]["flows"]) or not self.has_devices
        self.band = float(layout["convergenceBand"])
        """How far from 1 a quality factor may be."""

    @cached_property
    def out_of_reach(self) -> str | None:
        """Why no class has a target in Gb/s: what the network would give is out of reach, as a device is the bottleneck."""
        found = self.result._bottleneck["outOfReach"]
        return str(found["reason"]) if found else None

    @cached_property
    def classes(self) -> list[Class]:
        """The classes."""
        summaries = list(self.result.classes)
        looks = identities([each.name for each in summaries])
        reach = self.out_of_reach is None
        return [
            Class(
                each.name,
                own,
                each,
                each.target_gbps if reach else None,
                each.quality_factor.mean if reach and each.quality_factor else None,
            )
            for each, own in zip(summaries, looks, strict=True)
        ]

    def column(self, name: str) -> list[float]:
        """A column of the samples, not-a-number where there is nothing."""
        return [math.nan if value is None else float(value) for value in self.result.samples.column(name)]

    def target(self, of: Class) -> list[float]:
        """What a class was to carry at each sample, in Gb/s; not-a-number where no target applies."""
        if self.out_of_reach is not None:
            return [math.nan] * len(self.times)
        # No target is written as zero.
        return [value or math.nan for value in self.column(f"target_gbps.{of.name}")]

    def curve(self, of: Class) -> Curve:
        """How long its requests took."""
        us, share = self._curves.get(of.name, ([], []))
        taken = of.summary.latency_us
        return Curve(us, share, int(taken.count) if taken else 0)

    @cached_property
    def _curves(self) -> dict[str, tuple[list[float], list[float]]]:
        table = self.result.distributions
        curves: dict[str, tuple[list[float], list[float]]] = {}
        columns = [table.column(name) for name in ("class", "where", "latency_us", "share_above")]
        for name, where, us, share in zip(*columns, strict=True):
            # A share of nothing has no place on a logarithmic axis.
            if where == "request" and isinstance(us, float) and isinstance(share, float) and share > 0:
                own = curves.setdefault(str(name), ([], []))
                own[0].append(us)
                own[1].append(share)
        return curves

    @cached_property
    def mean_us(self) -> float:
        """What moving means are over: about a fiftieth of the run, as 1, 2 or 5 of a unit."""
        about = max(self.end_us / SHARE, 1e-6)
        steps = [factor * 10.0 ** math.floor(math.log10(about)) for factor in (1, 2, 5, 10)]
        return min(steps, key=lambda step: abs(math.log(step / about)))

    def mean(self, values: Sequence[float]) -> list[float]:
        """The moving mean of a column, each over the time that ends at its sample; not-a-number where nothing is there."""
        sums = [0.0, *itertools.accumulate(value if math.isfinite(value) else 0.0 for value in values)]
        counts = [0, *itertools.accumulate(int(math.isfinite(value)) for value in values)]
        means, first = [], 0
        for last, time in enumerate(self.times, 1):
            while self.times[first] <= time - self.mean_us:
                first += 1
            count = counts[last] - counts[first]
            means.append((sums[last] - sums[first]) / count if count else math.nan)
        return means

    def mean_quality(self, of: Class) -> list[float]:
        """Quality factors as moving means; not-a-number where the class has none.

        They are of what was carried in that time: those of the samples are of single round trips, and of none in which nothing was sent.
        """
        own = self.column(f"quality_factor.{of.name}")
        carried, target = self.mean(self.column(f"goodput_gbps.{of.name}")), self.mean(self.target(of))
        return [
            wanted / had if math.isfinite(wanted) and had > 0 and math.isfinite(mean) else mean
            for wanted, had, mean in zip(target, carried, self.mean(own), strict=True)
        ]

    def shares(self) -> list[list[float]]:
        """What part of all goodput each class had, as a moving mean."""
        carried = [self.mean(self.column(f"goodput_gbps.{each.name}")) for each in self.classes]
        sums = [
            math.fsum(value for value in values if math.isfinite(value))
            for values in zip(*carried, strict=True)
        ]
        return [
            [value / whole if whole > 0 else math.nan for value, whole in zip(line, sums, strict=True)]
            for line in carried
        ]

    def is_thicket(self, lines: Sequence[Sequence[float]], span: float, width: float, height: float) -> bool:
        """Whether lines go up and down so much that only their means can be read, in a chart of a width and height whose axis goes over a span."""
        travelled = 0.0
        for line in lines:
            there = [value for value in line if math.isfinite(value)]
            travelled += sum(abs(after - before) for before, after in itertools.pairwise(there))
        return span > 0 and travelled / span * min(height, HEIGHT) / width > THICKET
