"""A study to be disturbed, and what it gives undisturbed."""

import copy
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from watching import Undisturbed, told

from qoscope import study
from qoscope.study import StudyResult


@pytest.fixture
def asked(tiny: dict) -> dict:
    """A sweep of 80 runs of some tens of milliseconds."""
    scenario = copy.deepcopy(tiny)
    scenario["durationUs"] = 200_000
    for workload in scenario["workloads"]:
        size = {"kind": "uniform", "minimumBlocks": 1, "maximumBlocks": 31}
        workload["traffic"] = {"kind": "closed-loop", "outstanding": 16, "size": size}
    return {
        "version": 2,
        "title": "What K costs",
        "scenario": scenario,
        "vary": [{"path": "switch.ecnThresholdPackets", "range": {"from": 5, "to": 100, "count": 20}}],
        "seeds": {"count": 4},
        "measures": [
            {"title": "p99", "value": "classes['High'].latencyUs.p99", "unit": "us"},
            {"title": "Queue", "value": "network.meanQueuePackets", "unit": "packets"},
        ],
        "ask": {"kind": "sweep"},
    }


@pytest.fixture
def greedy(asked: dict) -> Callable[[float], dict]:
    """A sweep of offered loads up to a given one; of 300 Gb/s at a link of 10 the backlog takes more than 1 GB."""

    def of(most: float) -> dict:
        greedy = copy.deepcopy(asked)
        greedy["scenario"]["durationUs"] = 60_000
        for workload in greedy["scenario"]["workloads"]:
            size = {"kind": "fixed", "bytes": 512}
            workload["traffic"] = {"kind": "open-loop", "offeredGbps": 1, "size": size}
        greedy["vary"] = [{"path": "workloads[].traffic.offeredGbps", "values": [1, 1.5, 2, most]}]
        greedy["seeds"]["count"] = 2
        return greedy

    return of


@pytest.fixture(scope="session")
def undisturbed() -> Callable[[dict], Undisturbed]:
    """What a study gives when nothing disturbs it: its table and answer, and the keys of its runs."""
    known: list[tuple[dict, Undisturbed]] = []

    def of(asked: dict) -> Undisturbed:
        for before, gave in known:
            if before == asked:
                return gave
        with ThreadPoolExecutor(2) as threads:
            result = study.run(asked, threads, progress=False)
        known.append((copy.deepcopy(asked), Undisturbed(*told(result), result.counts.made)))
        return known[-1][1]

    return of


@pytest.fixture
def begun() -> Iterator[Callable[..., Future[StudyResult]]]:
    """Begins a study beside the test, which disturbs it meanwhile."""
    with ThreadPoolExecutor(4) as threads:
        yield lambda *asked, **how: threads.submit(study.run, *asked, progress=False, **how)
