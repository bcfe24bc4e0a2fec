"""Clusters of Dask, of processes as `dask scheduler` and `dask worker` begin them."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from distributed import Client
from watching import until

QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical"}
"""Dask tells at length of every worker that it loses."""


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Machines:
    """A scheduler and its workers."""

    def __init__(self, folder: Path, host: str = "127.0.0.1", configuration: Mapping[str, str] | None = None):
        self.folder = folder
        self.address = f"tcp://{host}:{free_port()}"
        self.environment = {**os.environ, **QUIET, **(configuration or {})}
        self.processes: list[subprocess.Popen[bytes]] = []
        self.clients: list[Client] = []
        self.scheduler = self.schedule()

    def schedule(self) -> subprocess.Popen[bytes]:
        """Begins the scheduler."""
        _, host, port = self.address.replace("//", "").split(":")
        self.scheduler = self._begin("dask_scheduler", "--host", host, "--port", port, "--no-dashboard")
        return self.scheduler

    def work(self, name: str, *options: str, within: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        """Begins a worker of one thread, with a nanny who begins it anew when it dies."""
        options = ("--name", name, "--nthreads", "1", "--local-directory", str(self.folder), *options)
        return self._begin("dask_worker", self.address, "--no-dashboard", *options, within=within)

    def _begin(self, program: str, *options: str, within: Sequence[str] = ()) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*within, sys.executable, "-m", f"distributed.cli.{program}", *options],
            env=self.environment,
            start_new_session=True,
        )
        self.processes.append(process)
        return process

    def client(self, workers: int, patience: int = 60) -> Client:
        """A client, once there are so many workers. A scheduler that it has lost it seeks for so many seconds."""
        client = Client(self.address, timeout=60, set_as_default=False)
        client._timeout = patience
        self.clients.append(client)
        client.wait_for_workers(workers, timeout=60)
        return client

    def close(self) -> None:
        """Ends all of it."""
        for client in self.clients:
            with suppress(Exception):
                client.close(timeout=2)
        for process in self.processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def kill_one(client: Client, is_over: Callable[[], Any]) -> None:
    """Kills a worker that is making runs."""

    def busy() -> tuple[str, int] | None:
        is_over()
        for address, tasks in client.processing().items():
            if tasks:
                pids = client.run(os.getpid, workers=[address], on_error="ignore")
                if address in pids:
                    return address, pids[address]
        return None

    address, pid = until(busy, "a worker makes runs")
    os.kill(pid, signal.SIGKILL)
    until(lambda: address not in client.processing(), "the scheduler has lost it")
