"""What tests share."""

import copy
import json
from pathlib import Path

import pytest
from places import REPOSITORY

TINY = {
    "version": 3,
    "name": "two writers",
    "seed": 1,
    "durationUs": 2000,
    "topology": {
        "shape": {"kind": "dumbbell", "senders": 2, "receivers": 1, "switches": 1},
        "linkGbps": 10,
        "baseRttUs": 100,
    },
    "classes": [{"name": "High", "ratio": 3}, {"name": "Low"}],
    "workloads": [
        {
            "class": name,
            "endpoints": {"kind": "pairs", "initiators": [host], "targets": ["h2"]},
            "traffic": {"kind": "backlogged"},
        }
        for name, host in [("High", "h0"), ("Low", "h1")]
    ],
}


@pytest.fixture
def tiny() -> dict:
    """A scenario that runs in a millisecond."""
    return copy.deepcopy(TINY)


@pytest.fixture(scope="session")
def scenarios() -> Path:
    """The committed scenarios."""
    return REPOSITORY / "scenarios"


@pytest.fixture(scope="session")
def digests() -> dict:
    """The committed digests of scenarios, by name."""
    file = REPOSITORY / "wasm-core/crates/figures/tests/digests.json"
    return json.loads(file.read_text())["scenarios"]
