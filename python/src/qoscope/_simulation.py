"""Runs that are driven step by step."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from qoscope import _native
from qoscope._html import simulation_html
from qoscope._names import in_document, plain
from qoscope._records import Record, read, record
from qoscope._result import Result
from qoscope._scenario import Scenario, ScenarioLike, scenario_in

if TYPE_CHECKING:
    from qoscope._answers import RunLayout

PS_PER_US = 1_000_000
"""Picoseconds of a microsecond: the engine counts in them."""

_END = 2**64 - 1


def shelf(scenario: Scenario, traces: Mapping[str, str | os.PathLike[str]] | None) -> _native.Traces:
    """Where the traces of a scenario are."""
    places = {name: os.fspath(path) for name, path in (traces or {}).items()}
    return _native.Traces(scenario._folder, places)


def rows(table: _native.Table) -> Iterator[dict[str, Any]]:
    """The rows of a table, each by the names of its columns."""
    names = table.column_names
    for values in zip(*(table.column(name) for name in names), strict=True):
        yield dict(zip(names, values, strict=True))


class Checkpoint:
    """An instant of a run, to which it can return. Kept by the simulation's `restore` and `fork`."""

    def __init__(self, run: _native.Simulation) -> None:
        """Of a run that nobody else goes on with."""
        self._run = run

    @property
    def time_us(self) -> float:
        """Simulated time of it, in microseconds."""
        return self._run.now_ps / PS_PER_US

    def __repr__(self) -> str:
        """Its time."""
        return f"<Checkpoint at {self.time_us:g} us>"


class Simulation:
    """A run of a scenario that can be driven: step by step, with fields changed while it goes on.

    Every change is recorded: `scenario` is a scenario whose run is this one, digest and all.
    """

    def __init__(
        self,
        scenario: ScenarioLike,
        *,
        set: Mapping[str, Any] | None = None,
        traces: Mapping[str, str | os.PathLike[str]] | None = None,
    ) -> None:
        """At the start of a scenario.

        Args:
            scenario: what `Scenario` takes.
            set: fields to be changed first, by path.
            traces: where traces are that are not beside the scenario's file, by name.

        Raises:
            InvalidError: with everything that is wrong with the scenario.
        """
        own = Scenario(scenario, set=set)
        self._folder = own._folder
        self._run = _native.Simulation(own.to_json(), shelf(own, traces))

    @classmethod
    def _of(cls, run: _native.Simulation, folder: str) -> Simulation:
        simulation = cls.__new__(cls)
        simulation._folder, simulation._run = folder, run
        return simulation

    @property
    def time_us(self) -> float:
        """Simulated time, in microseconds."""
        return self._run.now_ps / PS_PER_US

    @property
    def duration_us(self) -> float:
        """Simulated time of the whole run, in microseconds."""
        return self._run.duration_ps / PS_PER_US

    @property
    def is_ended(self) -> bool:
        """Whether the run has come to its end."""
        return self._run.now_ps >= self._run.duration_ps

    @property
    def digest(self) -> str:
        """Digest of everything that has happened, 16 hexadecimal digits: the same on the page and on the command line."""
        return self._run.digest

    @property
    def events(self) -> int:
        """Events so far."""
        return self._run.events

    @property
    def packet_hops(self) -> int:
        """Links travelled by packets so far."""
        return self._run.packet_hops

    @property
    def scenario(self) -> Scenario:
        """The scenario with the changes that were made, as its timeline: run anew it gives this run."""
        return scenario_in(self._folder, self._run.scenario())

    @property
    def current(self) -> Scenario:
        """The scenario with its fields as they are now."""
        return scenario_in(self._folder, self._run.current())

    @property
    def summary(self) -> Record:
        """What the engine sums up so far: `summary.classes["High"].latency_us.p99`. `docs/metrics.md` lists it."""
        return record(self._run.summary())

    @property
    def samples(self) -> _native.Table:
        """The series so far, as Arrow: a row for every sample."""
        return self._run.samples()

    @property
    def bottleneck(self) -> Any:
        """What holds requests back now: the link that most of the traffic shares, a device, or nothing."""
        return read(self._run.bottleneck())

    def run_until(self, time_us: float) -> Simulation:
        """Runs up to an instant, in microseconds, or to the end. Returns itself."""
        if not time_us >= 0:
            raise ValueError(f"a run goes up to an instant of 0 us or later, not {time_us!r}")
        self._run.advance(min(round(min(time_us, _END / PS_PER_US) * PS_PER_US), _END))
        return self

    def step(self, *, us: float | None = None, events: int | None = None) -> Simulation:
        """Goes on by some microseconds, or until so many events have passed, those of their instant included. Returns itself."""
        if (us is None) == (events is None):
            raise TypeError("a step is either of some microseconds (us) or of a number of events")
        if us is not None:
            if not us >= 0:
                raise ValueError(f"a step goes forwards, not by {us!r} us: `restore` goes back")
            return self.run_until(self.time_us + us)
        self._run.advance(_END, events)
        return self

    def run(self) -> Simulation:
        """Runs to the end. Returns itself."""
        self._run.advance(_END)
        return self

    def set(self, path: str | Mapping[str, Any], value: Any = None) -> Simulation:
        """Changes a live field now, by its path, or several at once by a mapping: all of them or none. Returns itself.

        Raises:
            InvalidError: what the engine refuses; the run is as it was.
        """
        said = path if isinstance(path, Mapping) else {path: value}
        changes = {in_document(each): to for each, to in said.items()}
        self._run.apply(
            json.dumps([{"path": each, "value": plain(to, each)} for each, to in changes.items()])
        )
        return self

    def checkpoint(self) -> Checkpoint:
        """The present instant, to return to."""
        return Checkpoint(self._run.fork())

    def restore(self, checkpoint: Checkpoint) -> Simulation:
        """Returns to an instant of it. Returns itself."""
        self._run = checkpoint._run.fork()
        return self

    def fork(self, checkpoint: Checkpoint | None = None) -> Simulation:
        """Another run that stands where this one does, or did: what is changed in one leaves the other as it is."""
        return self._of((checkpoint._run if checkpoint else self._run).fork(), self._folder)

    def __iter__(self) -> Iterator[dict[str, float | None]]:
        """Goes on from sample to sample and hands each out, by the names of its columns (`time_us`, `goodput_gbps.High`)."""
        layout: RunLayout = json.loads(self._run.layout())
        period_ps = round(layout["samplePeriodUs"] * PS_PER_US)
        known = len(self._run.samples())
        while not self.is_ended:
            self._run.advance(min((self._run.now_ps // period_ps + 1) * period_ps, self._run.duration_ps))
            fresh = self._run.samples(known)
            known += len(fresh)
            yield from rows(fresh)

    def result(self) -> Result:
        """What there is so far, as a run that has ended gives it."""
        return Result(self._run, self._folder)

    def _repr_html_(self) -> str:
        """In a notebook."""
        return simulation_html(self)

    def __repr__(self) -> str:
        """Where it stands."""
        return f"<Simulation at {self.time_us:g} of {self.duration_us:g} us, digest {self.digest}>"
