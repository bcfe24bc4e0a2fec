"""Studies: sweeps, sensitivities and searches, on every core or on a cluster.

>>> from qoscope import study
>>> result = study.sweep("three-writers", vary={"switch.ecn_threshold_packets": [20, 160]}, seeds=2).run(progress=False)
>>> len(result.points), result.counts.made
(2, 4)
"""

from qoscope.study._ask import alternatives, even, log, moves, search, sensitivity, sweep
from qoscope.study._document import Study, StudyLike
from qoscope.study._optuna import Objective, optuna
from qoscope.study._result import StudyResult
from qoscope.study._run import run

__all__ = [
    "Objective",
    "Study",
    "StudyLike",
    "StudyResult",
    "alternatives",
    "even",
    "log",
    "moves",
    "optuna",
    "run",
    "search",
    "sensitivity",
    "sweep",
]
