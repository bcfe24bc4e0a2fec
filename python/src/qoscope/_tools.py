"""What there is to ask of a scenario, and what can be read from files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from qoscope import _native
from qoscope._errors import Fault, InvalidError, QoScopeError, faults
from qoscope._records import Record, record
from qoscope._result import Result
from qoscope._scenario import Scenario, ScenarioLike, _source
from qoscope._simulation import Simulation, shelf

if TYPE_CHECKING:
    from qoscope._explore import Explorer

Places = Mapping[str, "str | os.PathLike[str]"]
"""Where traces are, by name."""


def run(
    scenario: ScenarioLike,
    *,
    set: Mapping[str, Any] | None = None,
    seed: int | None = None,
    duration_us: float | None = None,
    traces: Places | None = None,
) -> Result:
    """Runs a scenario to its end.

    Args:
        scenario: a `dict`, JSON text, the path of a file, a link (`#2.…`), or a `Scenario`.
        set: fields to be changed first, by path: `{"switch.ecnThresholdPackets": 40}`.
        seed: seed of every random stream; that of the scenario otherwise.
        duration_us: simulated time, in microseconds; that of the scenario otherwise.
        traces: where traces are that are not beside the scenario's file, by name.

    Raises:
        InvalidError: with everything that is wrong with the scenario.
        KeyboardInterrupt: on Ctrl+C.
    """
    fields = dict(set or {})
    if seed is not None:
        fields["seed"] = seed
    if duration_us is not None:
        fields["durationUs"] = duration_us
    simulation = Simulation(scenario, set=fields, traces=traces)
    began = perf_counter()
    simulation.run()
    return Result(simulation._run, simulation._folder, perf_counter() - began)


def explore(
    scenario: ScenarioLike,
    *,
    height: int = 640,
    autoplay: bool = False,
    hide: str | Iterable[str] = (),
    lock: bool | str | Iterable[str] = False,
    free: str | Iterable[str] = (),
) -> Explorer:
    """Shows the page in a notebook, joined to the kernel, without a network. A saved notebook keeps a picture of the run.

    Args:
        scenario: what `Scenario` takes.
        height: of the page, in pixels.
        autoplay: whether the run begins by itself.
        hide: parts to leave out: `settings`, `results`, `fabric`, `charts`.
        lock: whether readers cannot change settings, or which, by their paths.
        free: settings that readers can change all the same.

    Raises:
        InvalidError: with everything that is wrong with the scenario.
        QoScopeError: where anywidget is not installed.
    """
    try:
        from qoscope._explore import explorer
    except ImportError:
        raise QoScopeError(
            "The page is shown in notebooks by anywidget, which is not installed: pip install 'qoscope-sim[notebook]'."
        ) from None
    return explorer(scenario, height, autoplay, hide, lock, free)


def validate(scenario: ScenarioLike) -> list[Fault]:
    """Everything that is wrong with a scenario; of one that can run, what is legal but surely not meant."""
    try:
        return faults(_native.validate(_source(scenario)[0]))
    except InvalidError as refused:
        return list(refused.faults)


def explain(scenario: ScenarioLike) -> Record:
    """The value in force of every field, where it comes from, and why it has no effect where it has none."""
    return Scenario(scenario).explain()


def dtm(scenario: ScenarioLike) -> Record:
    """The curves of the discrete-time model of a scenario (paper 1, section 4)."""
    return record(_native.dtm(Scenario(scenario).to_json()))


def plan(scenario: ScenarioLike, *, traces: Places | None = None) -> Record:
    """What capacity the contracts of tenants need, in requests a second, and who can be admitted."""
    own = Scenario(scenario)
    return record(_native.plan(own.to_json(), shelf(own, traces)))


def catalogue() -> Record:
    """Everything that a scenario can say, what transports can do, and what is measured."""
    return record(_native.catalogue())


def schema() -> dict[str, Any]:
    """The JSON Schema of scenarios."""
    schema = json.loads(_native.schema())
    assert isinstance(schema, dict)
    return schema


def read_trace(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    volumes: Sequence[str] = (),
    max_requests: int | None = None,
) -> tuple[_native.Table, Record]:
    """The requests of a block trace, and what there was in its file.

    Args:
        path: the file, as text or gzip.
        format: one of those in `docs/traces.md`; told from its lines otherwise.
        volumes: only requests to these.
        max_requests: at most so many.

    Returns:
        The requests as Arrow (`time_us`, `volume`, `is_read`, `address` and `bytes`, both in bytes), and counts: lines, requests, volumes,
        lines that could not be read.
    """
    table, described = _native.read_trace(os.fspath(path), format, list(volumes), max_requests)
    return table, record(described)


def with_network(scenario: ScenarioLike, file: str | os.PathLike[str]) -> Scenario:
    """A scenario on the network of a file: an edge list, or a topology of HPCC (`docs/networks.md`)."""
    with open(file, encoding="utf-8") as open_file:
        return Scenario(_native.with_network(Scenario(scenario).to_json(), open_file.read()))


def network_file(scenario: ScenarioLike, format: str = "edges") -> str:
    """The network of a scenario as the text of a file, `edges` or `hpcc`."""
    return _native.network_file(Scenario(scenario).to_json(), format)
