"""End-to-end quality of service in networked storage, simulated packet by packet.

>>> import qoscope
>>> result = qoscope.run("three-writers", set={"switch.ecnThresholdPackets": 40})
>>> result.classes["High"].latency_us.p99
214.143
"""

from qoscope import _native, study
from qoscope._errors import Fault, InvalidError, QoScopeError
from qoscope._rack import (
    Export,
    FioJobs,
    FittedDrive,
    export,
    export_targets,
    fit,
    read_drive,
    read_fio,
    read_fio_jobs,
    report,
)
from qoscope._records import Record, Records
from qoscope._result import Result
from qoscope._scenario import Part, Scenario, ScenarioLike
from qoscope._simulation import Checkpoint, Simulation
from qoscope._tools import (
    catalogue,
    dtm,
    explain,
    explore,
    network_file,
    plan,
    read_trace,
    run,
    schema,
    validate,
    with_network,
)

__version__ = _native.version()
"""Version of the engine, and of page and command line."""

__all__ = [
    "Checkpoint",
    "Export",
    "Fault",
    "FioJobs",
    "FittedDrive",
    "InvalidError",
    "Part",
    "QoScopeError",
    "Record",
    "Records",
    "Result",
    "Scenario",
    "ScenarioLike",
    "Simulation",
    "__version__",
    "catalogue",
    "dtm",
    "explain",
    "explore",
    "export",
    "export_targets",
    "fit",
    "network_file",
    "plan",
    "read_drive",
    "read_fio",
    "read_fio_jobs",
    "read_trace",
    "report",
    "run",
    "schema",
    "study",
    "validate",
    "with_network",
]
