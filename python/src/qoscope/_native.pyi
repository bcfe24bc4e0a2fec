"""The engine: documents and answers pass as JSON text, times as picoseconds, series as Arrow.

What is refused raises `qoscope.InvalidError` with every fault. What takes long lets other threads run, and stops on Ctrl+C.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

def command(arguments: list[str]) -> int:
    """Runs a command line, whose first argument is the program's name, and returns its exit code. Does not check for Ctrl+C."""

def version() -> str: ...
def results_id() -> str: ...
def schema() -> str: ...
def study_schema() -> str: ...
def catalogue() -> str: ...
def validate(scenario: str) -> str:
    """Every fault of a scenario, then what is legal but surely not meant: a JSON list of `{path, reason, hint, severity}`."""

def migrated(scenario: str) -> str: ...
def expanded(scenario: str, folder: str) -> str:
    """The scenario with its `base` expanded; without a base, the text unchanged. Bases are searched near `folder`."""

def folders_of_scenarios(folder: str) -> list[Path]:
    """A folder, then the folders in it that may have scenarios."""

def file_near(folder: str, name: str) -> Path | None:
    """The file of a scenario that a document in `folder` names; `None` if there is none."""

def canonical(scenario: str) -> str:
    """The scenario with every default left out that need not be said, as the page writes it."""

def whole(scenario: str) -> str:
    """The scenario with every default filled in: what is in force."""

def set_path(scenario: str, path: str, value: str) -> str:
    """The document with another value at a path; the value is JSON. The form is checked, the whole is not."""

def get_path(scenario: str, path: str) -> str | None:
    """The value in force at a path, as JSON, whether the document says it or not."""

def hash(scenario: str) -> str: ...
def explain(scenario: str) -> str: ...
def dtm(scenario: str) -> str: ...
def plan(scenario: str, traces: Traces) -> str: ...
def suggest(scenario: str) -> str: ...
def export_targets() -> str:
    """What tools take settings of a scenario: a JSON list of `{id, title, holds, version}`."""

def export(scenario: str, target: str) -> str: ...
def report(scenario: str, summary: str | None, study: str | None) -> str:
    """Markdown. The study is JSON `{study, table, answer}`."""

def read_fio(path: str) -> str: ...
def with_fio_jobs(scenario: str, paths: list[str]) -> str:
    """JSON `{scenario, became, remarks}`."""

def read_drive(path: str) -> str: ...
def with_drive(scenario: str, drive: str) -> str:
    """JSON `{scenario, remarks}` of a scenario with a drive."""

def fit(scenario: str | None, files: list[list[str]], name: str | None, choices: str) -> str:
    """JSON `{drive, outcome, remarks}`. The choices are JSON `{holdOut, meansAlone, seed, maxRuns}`, all of them optional. Lets other threads run; stops on
    Ctrl+C."""

def with_network(scenario: str, file: str) -> str: ...
def network_file(scenario: str, format: str) -> str: ...

@final
class Table:
    """Named columns of equal length. pandas, polars, pyarrow and DuckDB read it by the Arrow PyCapsule interface."""

    def __new__(cls, columns: Sequence[tuple[str, str, Sequence[float | int | str | bool | None]]]) -> Table:
        """Of columns: name, `numbers`, `whole`, `flags` or `words`, and values."""

    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def column(self, name: str) -> list[float | int | str | bool | None]: ...
    def columns(self) -> list[tuple[str, str, list[float | int | str | bool | None]]]:
        """The columns, as the constructor takes them."""

    def to_pandas(self) -> Any:
        """A `pandas.DataFrame`, with pandas 2 and newer. Raises `QoScopeError` if pandas is not installed."""

    def to_polars(self) -> Any:
        """A `polars.DataFrame`. Raises `QoScopeError` if polars is not installed."""

    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class Traces:
    """Where traces are: beside a scenario, or at paths of their own. Each is read when it is first needed."""

    def __new__(cls, folder: str, places: dict[str, str]) -> Traces: ...

def read_trace(
    path: str, format: str | None, volumes: list[str], max_requests: int | None
) -> tuple[Table, str]:
    """The requests of a trace (time_us, volume, is_read, address, bytes), and what there was in it, as JSON."""

@final
class Simulation:
    """A run."""

    def __new__(cls, scenario: str, traces: Traces) -> Simulation: ...
    def advance(self, until_ps: int, max_events: int | None = None) -> bool:
        """Runs up to an instant or for a number of events. Returns whether it stands at that instant. Lets other threads run; raises
        KeyboardInterrupt on Ctrl+C, and stands where it had come to."""

    @property
    def now_ps(self) -> int: ...
    @property
    def duration_ps(self) -> int: ...
    @property
    def packet_hops(self) -> int: ...
    @property
    def events(self) -> int: ...
    @property
    def digest(self) -> str: ...
    def apply(self, changes: str) -> None:
        """Changes live fields now, all of them or none: a JSON list of `{path, value}`."""

    def scenario(self) -> str:
        """The scenario with its recorded changes: run anew it gives this run."""

    def current(self) -> str:
        """The scenario as it is now, changes taken in."""

    def fork(self) -> Simulation:
        """Another run that stands where this one does."""

    def summary(self) -> str: ...
    def layout(self) -> str: ...
    def bottleneck(self) -> str: ...
    def convergence(self) -> str: ...
    def explain(self) -> str: ...
    def samples(self, first: int = 0) -> Table:
        """Rows of the series from one on: time_us and `quantity.class`, named after the classes as in files of the command line."""

    def latencies(self) -> Table:
        """Complementary distributions: class, where (`request` or `device`), latency_us, share_above."""

def shorthand(scenario: str, request: str) -> str:
    """The document of a study that is written in shorthand, as on the command line, without its scenario. The request is JSON: `vary`
    (`PATH=VALUES`), `set` (values by path), `measures` (`TITLE=EXPR`; those of a first study where there are none), `seeds`, `firstSeed`, `ask`, and for a
    search `wishes` {want (`EXPR < NUMBER`), confidence, least, most}."""

@final
class Study:
    """A study, its dataset, and which runs are wanted next: the same coordinator that the command line has."""

    def __new__(
        cls, study: str, scenario: str | None, traces: Traces, out: str | None, shard: tuple[int, int] | None
    ) -> Study: ...
    def document(self) -> str: ...
    def cost(self) -> str: ...
    def hand_out(self, room: int) -> list[tuple[str, str]]:
        """Up to so many runs to be made now, as (key, scenario): claimed, so that no other process makes them. Results that the dataset has are taken
        on the way."""

    def take(self, key: str, record: str) -> None:
        """The record of a run, as `make` gave it."""

    def failed(self, key: str, sentence: str) -> None:
        """The run failed for good: its point says so."""

    def give_back(self, key: str) -> None:
        """The run was not made: it is wanted again."""

    @property
    def is_done(self) -> bool:
        """No run is wanted, and none is under way, here or elsewhere."""

    @property
    def elsewhere(self) -> int:
        """Runs that are wanted and that other processes are making."""

    def counts(self) -> str:
        """JSON {made, failed, known, left, underWay, queued}."""

    def progress(self) -> str: ...
    def told(self) -> list[str]:
        """What a person should know of the dataset and has not been told."""

    def table(self) -> str: ...
    def points(self) -> Table:
        """The table, a row for each point and measure: the columns of the command line's `--table`."""

    def answer(self) -> str | None: ...
    def close(self) -> None:
        """What was kept is put in its place. A study that is only dropped leaves that to whoever opens the dataset next."""

def make(scenario: str, traces: Traces) -> str:
    """Makes a run of a study: its record as JSON. Lets other threads run; stops on Ctrl+C. A scenario that cannot run raises InvalidError."""
