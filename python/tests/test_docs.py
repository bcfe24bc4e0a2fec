"""The examples in docs/python.md do what they say."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path

import matplotlib
import pytest
from places import REPOSITORY

PAGE = REPOSITORY / "docs" / "python.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The blocks of Python in a page, each with the line before it."""
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start(1)), found[1]


def failures(text: str, name: str) -> list[str]:
    """What goes wrong when the blocks of a page are run one after the other."""
    said: list[str] = []
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for line, block in blocks(text):
        if ">>>" in block:
            test = doctest.DocTestParser().get_doctest(block, names, name, name, line)
            runner.run(test, out=said.append, clear_globs=False)
            names.update(test.globs)
        else:
            exec(compile("\n" * line + block, name, "exec"), names)
    return said


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenarios: Path) -> Path:
    """A writable folder with the scenarios and fio results of a simulated drive."""
    (tmp_path / "scenarios").symlink_to(scenarios, target_is_directory=True)
    measured = REPOSITORY / "wasm-core/crates/interop/tests/fio/drive.json"
    (tmp_path / "lab3.json").write_bytes(measured.read_bytes())
    monkeypatch.chdir(tmp_path)
    matplotlib.use("agg")
    return tmp_path


def test_examples_in_the_documentation(root):
    assert failures(PAGE.read_text(), "docs/python.md") == []


def test_an_example_that_shows_something_else_is_found():
    assert failures("```python\n>>> 6 * 7\n41\n\n```\n", "page")
    with pytest.raises(ZeroDivisionError):
        failures("```python\n1 / 0\n```\n", "page")


def test_files_that_the_documentation_names_are_there():
    linked = re.findall(r"\]\(([^)#:]+)", PAGE.read_text())
    assert linked
    assert [name for name in linked if not (PAGE.parent / name).exists()] == []
