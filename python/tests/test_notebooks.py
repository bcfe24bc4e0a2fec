"""The committed notebooks: what stands in them is what their cells give.

`UPDATE_NOTEBOOKS=1` writes them anew, after a change of results or of a notebook.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from places import REPOSITORY

FOLDER = REPOSITORY / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
METADATA = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
MOST_BYTES = 300_000
Notebook = dict[str, Any]


def ran(path: Path) -> Notebook:
    """A notebook with what its cells give now, without what differs from run to run."""
    from nbclient import NotebookClient
    from nbformat import read

    notebook = read(path, as_version=4)
    where = {"metadata": {"path": str(FOLDER)}}
    NotebookClient(notebook, timeout=900, record_timing=False, resources=where).execute()
    for cell in notebook.cells:
        cell.metadata.clear()
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not is_passing(output)]
    notebook.metadata = METADATA
    return notebook


def is_passing(output: Notebook) -> bool:
    """Whether an output is a bar of progress or a warning, which nobody needs later."""
    return output.get("name") == "stderr" or "application/vnd.jupyter.widget-view+json" in output.get(
        "data", {}
    )


def joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def says(notebook: Notebook) -> list[list[str]]:
    """What the cells print and give, as text: pictures differ between versions of matplotlib, numbers must not."""
    return [
        [
            joined(output.get("text") or output.get("data", {}).get("text/plain", ""))
            for output in cell["outputs"]
        ]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code"
    ]


def write(notebook: Notebook, path: Path) -> None:
    for place, cell in enumerate(notebook["cells"]):
        cell["id"] = f"{path.stem}-{place}"
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 4


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_stands_with_its_outputs_and_nothing_of_whoever_ran_it(path):
    text = path.read_text(encoding="utf-8")
    notebook = json.loads(text)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert notebook["metadata"] == METADATA
    assert [cell["metadata"] for cell in notebook["cells"] if cell["metadata"]] == []
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"] == []
    assert any("image/png" in output.get("data", {}) for cell in cells for output in cell["outputs"])
    assert re.findall(r"(?:/home/|/root/|/tmp/|/work/|/Users/|[A-Z]:\\\\)\S*", text) == []
    assert len(text.encode()) < MOST_BYTES


@pytest.mark.full
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_gives_what_stands_in_it(path):
    notebook = ran(path)
    if os.environ.get("UPDATE_NOTEBOOKS"):
        write(notebook, path)
    assert says(notebook) == says(json.loads(path.read_text(encoding="utf-8")))
