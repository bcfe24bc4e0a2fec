"""Names of the document and of results, which are written as JavaScript does, as Python writes them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from qoscope._errors import Fault, InvalidError


def snake(name: str) -> str:
    """`ecnThresholdPackets` as `ecn_threshold_packets`; the class at the end of a column's name stays as it is."""
    quantity, dot, of = name.partition(".")
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", quantity).lower() + dot + of


def camel(name: str) -> str:
    """`ecn_threshold_packets` as `ecnThresholdPackets`; a name that is written so already stays."""
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)


def in_document(text: str) -> str:
    """A path or an expression with names as the document writes them; what is in quotes stays."""
    parts = re.split(r"('[^']*'|\"[^\"]*\")", text)
    return "".join(
        part if place % 2 else re.sub(r"[A-Za-z]\w*", lambda name: camel(name.group()), part)
        for place, part in enumerate(parts)
    )


def plain(value: Any, path: str = "") -> Any:
    """What JSON can say, of records and scenarios as well: `dict`, `list`, numbers, words.

    Raises:
        InvalidError: names the place of a value that JSON cannot say.
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, Mapping):
        return {
            str(name): plain(each, f"{path}.{name}" if path else str(name)) for name, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [plain(each, f"{path}[{place}]") for place, each in enumerate(value)]
    # Numbers and arrays of numpy.
    if hasattr(value, "tolist"):
        return plain(value.tolist(), path)
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and isfinite(value)):
        return value
    reason = f"is {value!r}, a {type(value).__name__}, which a document cannot say"
    raise InvalidError((Fault(path, reason, "Give a finite number, a word, a list or a dict", "error"),))


def document(value: Any, path: str = "") -> str:
    """The JSON text of a value."""
    return json.dumps(plain(value, path))
