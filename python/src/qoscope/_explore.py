"""The page in a notebook, joined to the kernel: what a reader changes is there, and what the kernel changes is shown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any

import anywidget
import traitlets
from IPython.display import publish_display_data

from qoscope import _page
from qoscope._errors import InvalidError, QoScopeError, faults
from qoscope._html import STILL, simulation_html
from qoscope._names import in_document, plain
from qoscope._scenario import Scenario, ScenarioLike, scenario_in
from qoscope._simulation import Simulation

STILL_SECONDS = 1.5
"""Time that the picture of a saved notebook may take to be made."""
SLICE = 100_000
"""Events of it between two looks at the clock."""


class Shown(Scenario):
    """The scenario that a page shows, as it was when it was asked for."""

    def set(self, fields: Mapping[str, Any]) -> Scenario:
        """Refuses: nobody would see it.

        Raises:
            QoScopeError: always.
        """
        raise QoScopeError(
            "This is what the page shows: change it there by .set(path, value), or give .scenario a changed .copy() of it."
        )


class Explorer(anywidget.AnyWidget):
    """The page as a widget: `play`, `pause`, `restart`, `set`, and what there is to observe.

    A reader's changes come back a moment after they are made, in the next cell: `scenario`, `time_us`, `phase`, `refused` are traits,
    so `observe` calls a function at each of them.
    """

    _esm = Path(__file__).parent / "_explore.js"

    scenario: Any = traitlets.Any()
    """The scenario that is shown, with the changes that were made while it ran. Another one that it is given, whatever `Scenario` takes, is opened."""
    time_us = traitlets.Float(0.0).tag(sync=True)
    """Simulated time, in microseconds, four times a second."""
    phase = traitlets.Unicode("").tag(sync=True)
    """`loading`, `running`, `paused`, `ended` or `stopped`; empty while no page is there."""
    refused: Any = traitlets.Tuple()
    """Faults of the last change that was refused in the page."""
    height = traitlets.Int(640).tag(sync=True)
    """Height of the page, in pixels."""

    _id = traitlets.Unicode().tag(sync=True)
    _in_lab = traitlets.Unicode().tag(sync=True)
    _served = traitlets.Unicode().tag(sync=True)
    _query = traitlets.Dict().tag(sync=True)
    _autoplay = traitlets.Bool(False).tag(sync=True)
    _link = traitlets.Unicode().tag(sync=True)

    def __init__(self, scenario: ScenarioLike, **fields: Any) -> None:
        """Of a scenario; `explore` makes it."""
        self._known = Scenario(scenario)
        # The server is there before it is needed: while cells run the kernel hears nothing.
        super().__init__(scenario=self._known, _in_lab=_page.IN_LAB, _served=_page.served(), **fields)
        self._id = str(self.model_id)
        self.on_msg(self._hear)

    @traitlets.validate("scenario")
    def _shown(self, proposal: Mapping[str, Any]) -> Shown:
        return Shown(proposal["value"])

    @traitlets.observe("scenario")
    def _open(self, change: Mapping[str, Any]) -> None:
        # Where it is shown anew, in another cell, it begins with what is shown now.
        self._link = change["new"].link
        if change["new"] != self._known:
            self._known = change["new"]
            self.send({"qoscope": "open", "link": self._link})

    def _take(self, scenario: Scenario) -> None:
        """Takes over what the page shows already, or will."""
        self._known = scenario
        self.scenario = scenario

    def _hear(self, _: object, message: Mapping[str, Any], __: object) -> None:
        """What the page tells."""
        if message["qoscope"] == "scenario":
            try:
                self._take(scenario_in(self.scenario._folder, json.dumps(message["scenario"])))
            except InvalidError:
                # The engine in the page refuses it as well: the page goes back, and tells that next.
                pass
        elif message["qoscope"] == "refused":
            self.refused = tuple(faults(json.dumps(message["diagnostics"])))

    @property
    def is_there(self) -> bool:
        """Whether the page has answered."""
        return self.phase != ""

    def set(self, path: str, value: Any) -> None:
        """Changes a field, by its path: a live one at the present instant of the run, another by running again.

        Raises:
            InvalidError: what the engine refuses; nothing has changed.
        """
        path = in_document(path)
        own = plain(value, path)
        changed = self._with(path, own)
        if not self.is_there:
            self.scenario = changed
            return
        self.send({"qoscope": "set", "path": path, "value": own})
        # What the page makes of it, to the picosecond, it tells by itself.
        self._take(changed)

    def _with(self, path: str, value: Any) -> Scenario:
        """The scenario with a change as the page makes it."""
        scenario = Scenario(self.scenario)
        if self.time_us > 0 and self.phase in ("running", "paused"):
            own = {"atUs": self.time_us, "path": path, "value": value}
            timeline = [*self.scenario.to_dict().get("timeline", []), own]
            timeline.sort(key=lambda change: change["atUs"])
            try:
                return scenario.set({"timeline": timeline})
            except InvalidError:
                # It is no live field, or the value is none for it: the next line tells them apart.
                pass
        return scenario.set({path: value})

    def play(self) -> None:
        """Lets time run, from the start again where it has come to the end. A page that is out of sight waits until it is seen."""
        self._autoplay = True
        self.send({"qoscope": "play"})

    def pause(self) -> None:
        """Stops time."""
        self._autoplay = False
        self.send({"qoscope": "pause"})

    def restart(self) -> None:
        """Begins again at the start."""
        self.send({"qoscope": "restart"})

    def _ipython_display_(self, **_: Any) -> None:
        """Shows the page, and for those who will read the notebook without a kernel a picture of the run."""
        display: Any = publish_display_data
        bundle: Any = self._repr_mimebundle_()
        shown, metadata = bundle
        # Where no widget can be shown nothing stands in its place but the picture.
        del shown["text/plain"]
        display(shown, metadata)
        display({"text/html": still(self.scenario, self._id), "text/plain": repr(self)})

    def __repr__(self) -> str:
        """What it shows."""
        return f"<Explorer of {self.scenario!r}>"


def still(scenario: Scenario, name: str) -> str:
    """The run of a scenario as HTML, as far as it comes in a moment; a page that is there hides it by the name."""
    try:
        simulation = Simulation(scenario)
        until = monotonic() + STILL_SECONDS
        while not simulation.is_ended and monotonic() < until:
            simulation.step(events=SLICE)
        picture = simulation_html(simulation)
    except QoScopeError as error:
        # A trace is not there: the page says so too, and runs once it is chosen.
        picture = f"<p>{escape(str(error))}</p>"
    own = f"{STILL}-{name}"
    # JupyterLab writes that it finds no widget where a notebook is opened without its kernel: the picture is there for that.
    lost = ".jp-OutputArea-child:has(.jupyter-widgets:not(:has(*)))"
    hide = f"<style>{lost}:has(+.jp-OutputArea-child .{own}){{display:none}}</style>"
    return f'<div class="{own}">{hide}{picture}</div>'


def explorer(
    scenario: ScenarioLike,
    height: int,
    autoplay: bool,
    hide: str | Iterable[str],
    lock: bool | str | Iterable[str],
    free: str | Iterable[str],
) -> Explorer:
    """The widget of `explore`."""

    def said(names: str | Iterable[str]) -> str:
        return names if isinstance(names, str) else ",".join(names)

    # Named without fields, `lock` locks all of them.
    query = {"hide": said(hide), "lock": "" if isinstance(lock, bool) else said(lock), "free": said(free)}
    kept = {name: names for name, names in query.items() if names or (name == "lock" and lock is True)}
    return Explorer(scenario, height=height, _autoplay=autoplay, _query=kept)
