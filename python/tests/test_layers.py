"""The modules of the package stand on layers, import others' packages only where that is said, and state no rule of the engine."""

import ast
import sys
from collections.abc import Iterator

import pytest
from places import REPOSITORY

import qoscope

SOURCES = REPOSITORY / "python/src/qoscope"

LAYERS = [
    ["_native", "_answers", "_errors", "_style"],
    ["_command", "_names", "_links", "_page", "_view"],
    ["_html", "_plot"],
    ["_records"],
    ["_scenario"],
    ["_result"],
    ["_simulation"],
    ["_tools", "_explore", "_rack"],
    ["study._worker", "study._html"],
    ["study._processes"],
    ["study._pool"],
    ["study._document"],
    ["study._result", "study._ask"],
    ["study._run"],
    ["study._optuna"],
    ["study.__init__"],
    ["__init__"],
]
"""What a module imports when it is itself imported stands on a layer before its own."""

PACKAGES = {
    "_explore": {"IPython", "anywidget", "traitlets"},
    "_plot": {"matplotlib"},
    "_result": {"matplotlib"},
    "study._document": {"distributed"},
    "study._optuna": {"distributed", "optuna"},
    "study._result": {"xarray"},
    "study._run": {"distributed", "tqdm"},
}
"""What others made, and who asks for it. Where it is not installed all else works."""

ON_DEMAND = {"_explore"}
"""Modules that are imported by those who ask for what others made: they may begin with it."""

DRAWING = "sizes and marks of drawings"
ROOM = "how much a text or a table has room for"
READING = "how numbers are written"
WORK = "how work is handed out"

NO_RULES = {
    "_explore SLICE": "how long a picture may take",
    "_explore STILL_SECONDS": "how long a picture may take",
    "_explore height": DRAWING,
    "_html COLUMN": DRAWING,
    "_html COLUMNS": ROOM,
    "_html FEWER": ROOM,
    "_html LONG_US": READING,
    "_html ROWS": ROOM,
    "_html WORD": ROOM,
    "_html chart(height=)": DRAWING,
    "_html chart(width=)": DRAWING,
    "_html log_ticks(count=)": DRAWING,
    "_html marker(size=)": DRAWING,
    "_html round_ticks(count=)": DRAWING,
    "_plot (PALE, PALEST)": DRAWING,
    "_plot FACTORS": DRAWING,
    "_plot LINE_HEIGHT": DRAWING,
    "_plot POINTS_PER_PX": DRAWING,
    "_records SHOWN": ROOM,
    "_simulation PS_PER_US": "units",
    "_simulation _END": "the end of all times",
    "_style (FEW, FIRM)": DRAWING,
    "_style LOOKS": DRAWING,
    "_style MARKED": "names of percentiles",
    "_style PERCENTILES": "names of percentiles",
    "_style RESERVED": "looks that names have on the page",
    "_tools explore(height=)": DRAWING,
    "_view HEIGHT": DRAWING,
    "_view SHARE": DRAWING,
    "_view THICKET": DRAWING,
    "study._html CHARTS": ROOM,
    "study._html DIGITS": READING,
    "study._html LINES": ROOM,
    "study._html MOST_DECIMALS": READING,
    "study._optuna MISSING": "how Optuna is told that a value is missing",
    "study._optuna optuna(trials=)": "how long Optuna is to go on: samplers of others have no rule of ours",
    "study._pool MOST_LOST": WORK,
    "study._pool PATIENCE_SECONDS": WORK,
    "study._processes MOST_BEGUN": WORK,
    "study._processes MOST_KILLED": WORK,
    "study._run AHEAD_SECONDS": WORK,
    "study._run BATCH_SECONDS": WORK,
    "study._run LONGEST": WORK,
    "study._run LOOK_SECONDS": WORK,
    "study._run MOST_RUNS": WORK,
    "study._run SLOT_SECONDS": WORK,
    "study._run WAIT_SECONDS": WORK,
}
"""Numbers that are no rule of the engine, each with what it is instead. A limit, a default or a threshold of the model does not belong here."""


def modules() -> dict[str, ast.Module]:
    """The syntax of every module, by its name in the package."""
    return {
        ".".join(path.relative_to(SOURCES).with_suffix("").parts): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(SOURCES.rglob("*.py"))
    }


def imported(node: ast.AST) -> list[str]:
    """The modules that a statement imports: those of the package by their names in it."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module in ("qoscope", "qoscope.study"):
        names = [f"{node.module}.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [node.module or "."]
    else:
        return []
    return [
        "study.__init__"
        if name == "qoscope.study"
        else name.removeprefix("qoscope.")
        if name.startswith("qoscope.")
        else f"{name.partition('.')[0]} of others"
        for name in names
    ]


def is_for_types(node: ast.AST) -> bool:
    """Whether a statement is `if TYPE_CHECKING`, which never happens."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def at_once(body: list[ast.stmt]) -> Iterator[str]:
    """What is imported while a module is."""
    for node in body:
        if not is_for_types(node):
            yield from imported(node)
        for block in ("body", "orelse", "finalbody") if isinstance(node, (ast.If, ast.Try)) else ():
            if not is_for_types(node):
                yield from at_once(getattr(node, block, []))


def of_others(names: Iterator[str]) -> set[str]:
    """The packages among them that are neither Python's nor this one."""
    found = {name.removesuffix(" of others") for name in names if name.endswith(" of others")}
    return found - sys.stdlib_module_names


def from_above(module: str, tree: ast.Module) -> list[str]:
    """What a module imports and may not, in sentences."""
    height = {name: place for place, layer in enumerate(LAYERS) for name in layer}
    return [
        f"`{module}` may not import from `{name}`"
        for name in at_once(tree.body)
        if name in height and height[name] >= height.get(module, -1)
    ]


def numbers(node: ast.AST | None) -> list[float]:
    """The numbers in an expression that are more than counts and places."""
    constants = [part.value for part in ast.walk(node or ast.Pass()) if isinstance(part, ast.Constant)]
    return [
        value
        for value in constants
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value not in (0, 1, 2)
    ]


def stated(tree: ast.Module) -> Iterator[str]:
    """What a module states with numbers: its constants, those of its classes, and what parameters are by default."""
    for scope in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]:
        for node in scope.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and numbers(node.value):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                yield ast.unparse(target)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            positional = [*node.args.posonlyargs, *node.args.args]
            defaults = [
                *zip(positional[::-1], node.args.defaults[::-1], strict=False),
                *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
            ]
            yield from (f"{node.name}({argument.arg}=)" for argument, default in defaults if numbers(default))


def sentences(value: object) -> Iterator[str]:
    """Every sentence in a document. Titles may be on charts as well, as on the page."""
    if isinstance(value, str) and value.endswith("."):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from sentences(part)
    elif isinstance(value, list):
        for part in value:
            yield from sentences(part)


def test_every_module_stands_on_a_layer_and_imports_from_below():
    named = {name for layer in LAYERS for name in layer} - {"_native"}
    assert named == set(modules()), "a module that is new has no layer, or one that is gone has"
    assert [sentence for module, tree in modules().items() for sentence in from_above(module, tree)] == []


def test_what_others_made_is_imported_where_that_is_said_and_only_when_it_is_needed():
    found = {
        module: of_others(name for node in ast.walk(tree) for name in imported(node))
        for module, tree in modules().items()
    }
    assert {module: packages for module, packages in found.items() if packages} == PACKAGES
    first = {module for module, tree in modules().items() if of_others(at_once(tree.body))}
    assert first == ON_DEMAND


def test_the_rules_of_the_engine_stand_in_the_engine():
    found = {f"{module} {name}" for module, tree in modules().items() for name in stated(tree)}
    assert found - set(NO_RULES) == set(), "a number here is named with what else it is"
    assert set(NO_RULES) - found == set(), "excepted by a name that is gone"


def test_sentences_of_the_engine_stand_in_the_engine():
    engine = {text for document in (qoscope.catalogue(), qoscope.schema()) for text in sentences(document)}
    assert len(engine) > 500
    repeated = {
        (module, node.value)
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in engine
    }
    assert repeated == set()


def test_an_import_from_above_is_named_with_both_modules():
    tree = ast.parse(
        "try:\n    from qoscope._tools import run\nexcept ImportError:\n    from qoscope import study\n"
    )
    above = ["`_links` may not import from `_tools`"]
    assert from_above("_links", tree) == above
    late = "def f():\n    from qoscope._tools import run\nif TYPE_CHECKING:\n    from qoscope import _tools\n"
    assert from_above("_links", ast.parse(late)) == []


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("MAX = 5_000", ["MAX"]),
        ("RANGE: tuple[float, float] = (0.001, 1600)", ["RANGE"]),
        ("SHAPE = {'kind': 'fat-tree', 'k': 4}", ["SHAPE"]),
        ("class A:\n    limit = -3", ["limit"]),
        ("def f(a, b=8, *, c=0.95): ...", ["f(b=)", "f(c=)"]),
        ("FIRST = 0\nKIND = 'nvme-64'\nPAIR = (1, 2)\nYES = True\ndef half(x, by=2): return x / 4", []),
    ],
)
def test_numbers_are_found_in_whatever_form_they_are_stated(source, names):
    assert list(stated(ast.parse(source))) == names
