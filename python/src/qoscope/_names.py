"""Names of the document and of results, which are written as JavaScript does, as Python writes them."""

from __future__ import annotations

import re
from typing import Any


def snake(name: str) -> str:
    """`ecnThresholdPackets` as `ecn_threshold_packets`; the class at the end of a column's name stays as it is."""
    quantity, dot, of = name.partition(".")
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", quantity).lower() + dot + of


def camel(name: str) -> str:
    """`ecn_threshold_packets` as `ecnThresholdPackets`; a name that is written so already stays."""
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def plain(value: Any) -> Any:
    """What JSON can say, of records and scenarios as well: `dict`, `list`, numbers, words."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    # Numbers of numpy.
    return value.item() if hasattr(value, "item") else value
