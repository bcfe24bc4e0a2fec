"""What limits a study on many cores, by arithmetic from what `scale.py` measured: `python python/bench/limits.py` prints the tables of docs/scaling.md.

`--write` writes them there. What was measured stands in `measured.json`, and how runs are batched in `qoscope.study`: nothing here is a number of its own.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

from qoscope.study._run import BATCH_SECONDS, MOST_RUNS, SLOT_SECONDS

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "scaling.md"
RUNS = 1_000_000
CORES = 1000
RUN_SECONDS = (0.001, 0.01, 0.1, 1.0, 10.0)


def measured() -> dict[str, Any]:
    """What was measured, and where."""
    found: dict[str, Any] = json.loads((HERE / "measured.json").read_text())
    return found


def batch_runs(run_seconds: float, cores: int) -> int:
    """Runs of a batch, as a study sizes them in its midst."""
    return max(1, min(MOST_RUNS, int(max(BATCH_SECONDS, SLOT_SECONDS * cores) / run_seconds)))


def limits(run_seconds: float, cores: int, cost: dict[str, float]) -> dict[str, float]:
    """Runs a second that each part allows."""
    batch = batch_runs(run_seconds, cores)
    return {
        "workers": cores / (run_seconds + cost["workerMs"] / 1e3),
        "coordinator": 1e3 / (cost["runMs"] + cost["batchMs"] / batch),
        "scheduler": batch * 1e3 / cost["messageMs"],
    }


def costs() -> dict[str, float]:
    """CPU time in ms: where the study is called, of a run and of a batch; of a run for who makes it, beside its simulation; of a batch for the
    scheduler. The first two solve `coordinatorMs = run + batch / runs in a batch` of the longest row by a cluster and of that with longer runs. The
    scheduler is in the same process there, and what it does while it waits counts as well: they are bounds from above.
    """
    found = measured()
    rows = found["scale"]
    short = max((row for row in rows if row["where"] == "cluster"), key=lambda row: row["runs"])
    longer = next(row for row in found["occupied"] if row["where"] == "cluster")
    per_run = [1 / batch_runs(row["simulationMs"] / 1e3, found["cores"]) for row in (short, longer)]
    batch = (longer["coordinatorMs"] - short["coordinatorMs"]) / (per_run[1] - per_run[0])
    return {
        "runMs": short["coordinatorMs"] - batch * per_run[0],
        "batchMs": batch,
        "workerMs": max(row["overheadMs"] - row["coordinatorMs"] for row in rows),
        "messageMs": found["messageMs"],
        "bytes": max(row["bytes"] for row in [*rows, *found["occupied"]]),
    }


def kept_busy(run_seconds: float, cores: int, cost: dict[str, float]) -> int:
    """How many cores of a cluster such runs keep busy."""
    rates = limits(run_seconds, cores, cost)
    return int(cores * min(rates.values()) / rates["workers"])


def seconds(duration: float) -> str:
    """A duration for people."""
    if duration < 1:
        return f"{duration * 1e3:.0f} ms"
    return f"{duration:.0f} s" if duration < 120 else f"{duration / 60:.0f} min"


def table_measured() -> str:
    """What was measured."""
    lines = [
        "| made by | runs | simulation of one | overhead of one | of it where the study is called | a result kept | wall | load |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in measured()["scale"]:
        lines.append(
            f"| {row['where']} | {row['runs']:,} | {row['simulationMs']:.2f} ms | {row['overheadMs']:.2f} ms | {row['coordinatorMs']:.2f} ms "
            f"| {row['bytes']:.0f} bytes | {row['wallSeconds']:.0f} s | {row['loadBefore']:.0f} |"
        )
    return "\n".join(lines)


def table_occupied() -> str:
    """How much of the time makers of runs had one."""
    lines = ["| made by | runs | simulation of one | occupied | load |", "|---|---|---|---|---|"]
    for row in measured()["occupied"]:
        lines.append(
            f"| {row['where']} | {row['runs']:,} | {row['simulationMs']:.1f} ms | {row['occupied']:.0%} | {row['loadBefore']:.0f} |"
        )
    return "\n".join(lines)


def table_limits() -> str:
    """What limits many runs on many cores."""
    cost = costs()
    lines = [
        f"| a run takes | runs in a batch | workers | coordinator | scheduler, in batches | scheduler, run by run | limited by | all of it | cores kept busy, of {CORES:,} |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for run_seconds in RUN_SECONDS:
        rates = limits(run_seconds, CORES, cost)
        least = min(rates, key=lambda part: rates[part])
        one = 1e3 / cost["messageMs"]
        lines.append(
            f"| {seconds(run_seconds)} | {batch_runs(run_seconds, CORES):,} | {rates['workers']:,.0f}/s | {rates['coordinator']:,.0f}/s | {rates['scheduler']:,.0f}/s "
            f"| {one:,.0f}/s | {least} | {seconds(RUNS / rates[least])} | {kept_busy(run_seconds, CORES, cost):,} |"
        )
    lines.append("")
    lines.append(
        f"Where the study is called a run takes {cost['runMs']:.2f} ms and a batch {cost['batchMs']:.1f} ms at most, the scheduler {cost['messageMs']:.2f} ms for a "
        f"batch, and who makes a run {cost['workerMs']:.2f} ms beside its simulation. The dataset takes {cost['bytes'] * RUNS / 1e6:,.0f} MB at most."
    )
    return "\n".join(lines)


TABLES = {"measured": table_measured, "occupied": table_occupied, "limits": table_limits}


def written(page: str) -> str:
    """The page with its tables written anew."""
    for name, table in TABLES.items():
        pattern = rf"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)"
        page, times = re.subn(pattern, lambda m, t=table: f"{m[1]}\n{t()}\n\n{m[2]}", page, flags=re.DOTALL)
        assert times == 1, f"docs/scaling.md has no place for {name}"
    return page


def main() -> None:
    """Prints the tables, or writes them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="writes them into docs/scaling.md")
    if parser.parse_args().write:
        PAGE.write_text(written(PAGE.read_text()))
    else:
        print("\n\n".join(table() for table in TABLES.values()))


if __name__ == "__main__":
    main()
