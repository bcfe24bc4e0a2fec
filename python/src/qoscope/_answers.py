"""Names of the types in ``_answers.pyi`` for tools that evaluate annotations at run time, such as pdoc."""

from typing import Any


def __getattr__(name: str) -> object:
    """Stand for every type by ``Any``: only type checkers know the fields."""
    if not name[0].isupper():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return Any
