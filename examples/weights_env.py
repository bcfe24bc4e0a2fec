"""A Gymnasium environment: hold promised shares of a drive by its NVMe weights, while applications change the size of their requests.

Weighted round robin counts commands; what was promised are shares of bytes. Whoever issues larger requests gets more than promised, until
somebody moves the weights. An episode is a run of `qoscope.Simulation`, a step is a millisecond of it.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np

import qoscope

PROMISED = {"High": 3, "Medium": 2, "Low": 1}
"""Shares of the bytes read, in proportion."""
SIZES_KIB = (4, 8, 16)
"""Sizes of requests, of which every class draws one for each phase."""
PHASES, PHASE_US, STEP_US = 6, 10_000, 1_000
LOW_WEIGHT = 4
"""Commands of Low in each round; those of High and Medium are set."""
WEIGHTS = (1, 64)
"""Least and largest weight that is set."""
QUEUE = 64
"""Requests that each class keeps outstanding."""

Sizes = list[dict[str, int]]
"""Size of the requests of each class, in KiB, phase by phase."""


def draw_sizes(seed: int) -> Sizes:
    """The sizes of an episode."""
    draw = random.Random(seed)
    return [{name: draw.choice(SIZES_KIB) for name in PROMISED} for _ in range(PHASES)]


def scenario(sizes: Sizes, seed: int) -> dict[str, Any]:
    """Three hosts that read from one drive, each with another size in each phase."""
    hosts = {name: f"h{place}" for place, name in enumerate(PROMISED)}
    no_software = dict.fromkeys(
        ["hostLatencyUs", "targetLatencyUs", "commandWorkUs", "kibWorkUs", "serialUs"], 0
    )
    return {
        "version": 3,
        "name": "Shares of a drive whose readers change",
        "seed": seed,
        "durationUs": PHASES * PHASE_US,
        "topology": {
            "shape": {"kind": "dumbbell", "senders": 3, "receivers": 1, "switches": 1},
            "linkGbps": 100,
            "baseRttUs": 20,
        },
        "classes": [
            {"name": name, "ratio": ratio, "transport": "dctcp", "nvmePriority": name.lower()}
            for name, ratio in PROMISED.items()
        ],
        "storage": {
            "servers": [{"host": "h3"}],
            "treatment": "protocol",
            "nvme": {
                "highWeight": LOW_WEIGHT * PROMISED["High"],
                "mediumWeight": LOW_WEIGHT * PROMISED["Medium"],
                "lowWeight": LOW_WEIGHT * PROMISED["Low"],
                # As many as the drive has dies to keep busy: the others wait where weights decide.
                "deviceCommands": 32,
            },
        },
        "access": {"protocol": "nvme-tcp", "software": no_software},
        "workloads": [
            {
                "class": name,
                "endpoints": {"kind": "pairs", "initiators": [hosts[name]], "targets": ["h3"]},
                "readFraction": 1,
                "startUs": phase * PHASE_US,
                "stopUs": (phase + 1) * PHASE_US,
                "traffic": {
                    "kind": "closed-loop",
                    "outstanding": QUEUE,
                    "size": {"kind": "fixed", "bytes": kib * 1024},
                },
            }
            for phase, own in enumerate(sizes)
            for name, kib in own.items()
        ],
        "measurement": {"warmupUs": 0, "samplePeriodUs": STEP_US},
    }


class WeightsEnv(gymnasium.Env[np.ndarray, np.ndarray]):
    """Sees how far each class is from its promised share, and sets the weights of High and Medium.

    - **Observation**: binary logarithm of reached by promised share in the last step, of High, Medium and Low (1: twice as much as promised).
    - **Action**: by how many octaves the weights of High and Medium change against Low's, each from -1 (half) to 1 (twice).
    - **Reward**: minus the part of the throughput of the step that went to a class beyond its promise: 0 is the promise kept.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (as Gymnasium declares it)
    observation_space = gymnasium.spaces.Box(-4, 4, (len(PROMISED),), np.float32)
    action_space = gymnasium.spaces.Box(-1, 1, (2,), np.float32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode: the seed says which sizes come, and when requests do."""
        super().reset(seed=seed)
        own = int(self.np_random.integers(2**31)) if seed is None else seed
        self.sizes = draw_sizes(own)
        self.simulation = qoscope.Simulation(scenario(self.sizes, own))
        self.octaves = np.log2([PROMISED["High"], PROMISED["Medium"]])
        return self._look()

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Sets the weights, and goes on by a millisecond."""
        self.set(self.octaves + np.clip(action, -1, 1))
        seen, info = self._look()
        return seen, -info["misplaced"], self.simulation.is_ended, False, info

    def set(self, octaves: np.ndarray) -> None:
        """Sets the weights of High and Medium, given as binary logarithms of their ratio to Low's."""
        low, high = np.log2(np.array(WEIGHTS) / LOW_WEIGHT)
        self.octaves = np.clip(octaves, low, high)
        weights = np.rint(LOW_WEIGHT * 2**self.octaves).astype(int)
        self.simulation.set(
            {
                "storage.nvme.highWeight": int(weights[0]),
                "storage.nvme.mediumWeight": int(weights[1]),
            }
        )

    def fork(self) -> WeightsEnv:
        """Another environment at the same instant: what is tried there leaves this one as it is."""
        other = WeightsEnv()
        other.sizes, other.octaves = self.sizes, self.octaves
        other.simulation = self.simulation.fork()
        return other

    def _look(self) -> tuple[np.ndarray, dict[str, Any]]:
        sample = next(iter(self.simulation))
        carried = np.array([sample[f"goodput_gbps.{name}"] for name in PROMISED], float)
        promised = np.array([*PROMISED.values()]) / sum(PROMISED.values())
        reached = carried / max(carried.sum(), 1e-9)
        seen = np.clip(np.log2(np.maximum(reached, 1e-9) / promised), -4, 4).astype(np.float32)
        info = {
            "time_us": self.simulation.time_us,
            "misplaced": float(np.maximum(reached - promised, 0).sum()),
            "carried_gbps": float(carried.sum()),
            **{f"share, {name}": float(share) for name, share in zip(PROMISED, reached, strict=True)},
        }
        return seen, info
