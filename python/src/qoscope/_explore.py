"""The page in a notebook, joined to the kernel: what a reader changes is there, and what the kernel changes is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

import anywidget
import traitlets
from IPython.display import publish_display_data

from qoscope import _page
from qoscope._errors import Fault, InvalidError
from qoscope._html import STILL, simulation_html
from qoscope._names import plain
from qoscope._scenario import Scenario, ScenarioLike
from qoscope._simulation import Simulation

STILL_SECONDS = 1.5
"""Time that the picture of a saved notebook may take to be made."""
SLICE = 100_000
"""Events of it between two looks at the clock."""


class Explorer(anywidget.AnyWidget):
    """The page as a widget: `play`, `pause`, `restart`, `set`, and what there is to observe.

    A reader's changes come back a moment after they are made, in the next cell: `scenario`, `time_us`, `phase`, `refused` are traits,
    so `observe` calls a function at each of them.
    """

    _esm = Path(__file__).parent / "_explore.js"

    scenario = traitlets.Instance(Scenario)
    """The scenario that is shown, with the changes that were made while it ran. Another one that is set is opened."""
    time_us = traitlets.Float(0.0).tag(sync=True)
    """Simulated time, in microseconds, four times a second."""
    phase = traitlets.Unicode("").tag(sync=True)
    """`loading`, `running`, `paused`, `ended` or `stopped`; empty until the page is there."""
    refused: Any = traitlets.List().tag(sync=True)
    """Faults of the last change that was refused in the page: `path`, `reason`, `hint`."""
    height = traitlets.Int(640).tag(sync=True)
    """Height of the page, in pixels."""

    _id = traitlets.Unicode().tag(sync=True)
    _link = traitlets.Unicode().tag(sync=True)
    _told = traitlets.Unicode().tag(sync=True)
    _autoplay = traitlets.Bool(False).tag(sync=True)
    _in_lab = traitlets.Unicode().tag(sync=True)
    _served = traitlets.Unicode().tag(sync=True)
    _hide = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    _lock = traitlets.Unicode(None, allow_none=True).tag(sync=True)
    _free = traitlets.Unicode(None, allow_none=True).tag(sync=True)

    def __init__(self, scenario: Scenario, **fields: Any) -> None:
        """Of a scenario; `explore` makes it."""
        super().__init__(scenario=scenario, _link=scenario.link, _in_lab=_page.in_lab(), **fields)
        self._id = str(self.model_id)
        self._is_told = False
        self.on_msg(self._asked)

    def _asked(self, _: object, message: Any, __: object) -> None:
        if message == {"qoscope": "serve"}:
            self._served = _page.served()

    @traitlets.observe("_told")
    def _take(self, change: Mapping[str, Any]) -> None:
        self._is_told = True
        try:
            self.scenario = Scenario(change["new"])
        finally:
            self._is_told = False

    @traitlets.observe("scenario")
    def _open(self, change: Mapping[str, Any]) -> None:
        if not isinstance(change["old"], Scenario):
            return
        # Shown anew, in another cell, it begins with what is shown now.
        self._link = change["new"].link
        if not self._is_told:
            self.send({"qoscope": "open", "link": self._link})

    @property
    def is_there(self) -> bool:
        """Whether the page has answered."""
        return self.phase != ""

    def set(self, path: str, value: Any) -> None:
        """Changes a field, by its path: a live one at the present instant of the run, another by running again.

        Raises:
            InvalidError: what the engine refuses; nothing has changed.
        """
        changed = self._with(path, plain(value, path))
        if not self.is_there:
            self.scenario = changed
            return
        self.send({"qoscope": "set", "path": path, "value": plain(value, path)})
        # What the page makes of it, to the picosecond, it tells by itself.
        self._is_told = True
        try:
            self.scenario = changed
        finally:
            self._is_told = False

    def _with(self, path: str, value: Any) -> Scenario:
        """The scenario with a change as the page makes it."""
        if self.time_us > 0:
            timeline = self.scenario.to_dict().get("timeline", [])
            at = max([self.time_us, *(change["atUs"] for change in timeline)])
            try:
                return self.scenario.copy().set(
                    {"timeline": [*timeline, {"atUs": at, "path": path, "value": value}]}
                )
            except InvalidError:
                # It is no live field, or the value is none for it: the next line tells them apart.
                pass
        return self.scenario.copy().set({path: value})

    def play(self) -> None:
        """Lets time run, from the start again where it has come to the end."""
        self._autoplay = True
        self.send({"qoscope": "play"})

    def pause(self) -> None:
        """Stops time."""
        self._autoplay = False
        self.send({"qoscope": "pause"})

    def restart(self) -> None:
        """Begins again at the start."""
        self.send({"qoscope": "restart"})

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Faults of the last change that was refused in the page."""
        return tuple(
            Fault(each["path"], each["reason"], each["hint"], each.get("severity", "error"))
            for each in self.refused
        )

    def _ipython_display_(self, **_: Any) -> None:
        """Shows the page, and for those who will read the notebook without a kernel a picture of the run."""
        display: Any = publish_display_data
        shown: Any = self._repr_mimebundle_()
        display(*shown)
        display({"text/html": still(self.scenario, self._id), "text/plain": repr(self.scenario)})


def still(scenario: Scenario, name: str) -> str:
    """The run of a scenario as HTML, as far as it comes in a moment; a page that is there hides it by the name."""
    simulation = Simulation(scenario)
    until = monotonic() + STILL_SECONDS
    while not simulation.is_ended and monotonic() < until:
        simulation.step(events=SLICE)
    return f'<div class="{STILL}-{name}">{simulation_html(simulation)}</div>'


def explorer(
    scenario: ScenarioLike,
    height: int,
    autoplay: bool,
    hide: Iterable[str],
    lock: bool | Iterable[str],
    free: Iterable[str],
) -> Explorer:
    """The widget of `explore`."""

    def said(names: Iterable[str]) -> str | None:
        return ",".join(names) or None

    return Explorer(
        Scenario(scenario),
        height=height,
        _autoplay=autoplay,
        _hide=said(hide),
        # Named without fields it locks all of them.
        _lock=("" if lock else None) if isinstance(lock, bool) else said(lock),
        _free=said(free),
    )
