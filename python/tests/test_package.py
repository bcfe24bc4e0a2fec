"""The package as a whole: what it imports, its layers, its documentation."""

import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pdoc
import pdoc.render
import pytest
from places import REPOSITORY

import qoscope


def test_importing_it_imports_nothing_of_others():
    code = "import sys; before = set(sys.modules); import qoscope; print(*set(sys.modules) - before)"
    said = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], check=True, capture_output=True, text=True
    )
    others = (
        {name.partition(".")[0] for name in said.stdout.split()}
        - set(sys.stdlib_module_names)
        - {"__mp_main__"}
    )
    assert others == {"qoscope"}


def test_every_public_name_is_documented_without_a_warning(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        pdoc.render.configure(show_source=False)
        pdoc.pdoc("qoscope", output_directory=tmp_path)
    for module, names in [("qoscope", qoscope.__all__), ("qoscope/study", qoscope.study.__all__)]:
        page = (tmp_path / f"{module}.html").read_text()
        assert [name for name in names if f'id="{name}"' not in page and name != "study"] == []


@pytest.mark.parametrize("file", ["README.md", "python/README.md"])
def test_the_lines_that_a_reader_meets_first_run(file, monkeypatch, capsys):
    blocks = re.findall(r"```python\n(.*?)```", (REPOSITORY / file).read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 1
    monkeypatch.chdir(REPOSITORY)
    exec(compile(blocks[0], file, "exec"), {"__name__": "__main__"})
    assert re.search(r" [0-9a-f]{16}\n", capsys.readouterr().out)


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the installed command `qoscope`."""
    program = Path(sys.executable).parent / "qoscope"
    return subprocess.run([program, *arguments], cwd=REPOSITORY, capture_output=True, text=True)


def test_the_command_gives_the_digest_of_the_package():
    ran = command("run", "three-writers", "--duration-us", "2000", "--format", "json")
    result = qoscope.run(REPOSITORY / "scenarios/presets/three-writers.json", duration_us=2_000)
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["digest"] == result.digest
    assert command("--version").stdout == f"qoscope {qoscope.__version__}\n"


def test_the_command_has_the_exit_codes_of_the_program():
    refused = command("validate", "no-such-scenario")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no-such-scenario" in refused.stderr
    assert command("abacus").returncode == 2
