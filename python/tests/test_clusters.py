"""Commands of docs/clusters.md, executed as they stand there."""

import re
import shutil
import socket
import subprocess
import sys
from contextlib import contextmanager

import pytest
from places import REPOSITORY

from qoscope import study

pytest.importorskip("distributed")
pytestmark = pytest.mark.full

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(heading: str, language: str) -> list[str]:
    """The blocks of a language in a section of the page."""
    text = (REPOSITORY / "docs/clusters.md").read_text()
    section = re.split(r"^## ", text.split(f"\n## {heading}\n")[1], flags=re.MULTILINE)[0]
    found = [code for of, code in BLOCK.findall(section) if of == language]
    assert found, f"docs/clusters.md has no block of {language} under {heading}"
    return found


@contextmanager
def begun(command: str, folder):
    """A command `dask …` of the page, until it is ended."""
    _, program, *options = command.split()
    process = subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{program}", *options, "--no-dashboard"], cwd=folder
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def test_one_machine(tmp_path):
    shutil.copytree(REPOSITORY / "scenarios/studies", tmp_path / "scenarios/studies")
    shutil.copy(REPOSITORY / "scenarios/presets/three-writers.json", tmp_path / "scenarios")
    (code,) = blocks("One machine", "python")
    script = 'if __name__ == "__main__":\n' + re.sub("^(?=.)", "    ", code, flags=re.MULTILINE)
    (tmp_path / "one_machine.py").write_text(script)
    ran = subprocess.run([sys.executable, "one_machine.py"], cwd=tmp_path, text=True, capture_output=True)
    assert ran.returncode == 0, ran.stderr
    assert "112 runs made" in ran.stdout, ran.stdout


def test_the_job_script_of_slurm(monkeypatch, capsys):
    pytest.importorskip("dask_jobqueue")
    names: dict = {}
    code, ask = blocks("SLURM", "python")
    exec(code, names)
    try:
        script = capsys.readouterr().out
        for line in ("#SBATCH -p compute", "#SBATCH --cpus-per-task=64", "#SBATCH -t 01:00:00"):
            assert line in script, script
        assert "source ~/qoscope/bin/activate\n" in script
        assert "--nworkers 64" in script and "--nthreads 1 " in script, script
        compile(ask, "docs/clusters.md", "exec")
    finally:
        names["cluster"].close()


def test_tls(tiny, tmp_path, monkeypatch):
    certificates, commands = blocks("TLS", "sh")
    (connect,) = blocks("TLS", "python")
    monkeypatch.chdir(tmp_path)
    subprocess.run(["sh", "-e", "-c", certificates], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])

    def here(text: str) -> str:
        return text.replace("node1", "127.0.0.1").replace("8786", port)

    scheduler, worker = here(commands).strip().split("\n")
    sweep = study.sweep(
        tiny, vary={"switch.ecnThresholdPackets": [5, 10]}, measures=["network.drops"], seeds=2
    )
    with begun(scheduler, tmp_path), begun(worker, tmp_path):
        names: dict = {}
        exec(here(connect), names)
        with names["client"] as client:
            client.wait_for_workers(1, timeout=60)
            result = study.run(sweep, client, progress=False)
            assert all(worker.startswith("tls://") for worker in client.nthreads())
    assert result.counts.made == 4
    assert result.to_dict()["table"] == study.run(sweep, jobs=1, progress=False).to_dict()["table"]
