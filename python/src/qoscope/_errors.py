"""What is raised."""

from __future__ import annotations

import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """Something wrong at one place of a document."""

    path: str
    """The field, as in `classes[0].ratio`; empty where it is the whole document."""
    reason: str
    """What is wrong there."""
    hint: str
    """What to do about it."""
    severity: str
    """`error`, or `warning` of what is legal but surely not meant."""

    def __str__(self) -> str:
        where = f"{self.path}: " if self.path else ""
        return f"{where}{self.reason}. {self.hint}"


class QoScopeError(Exception):
    """What cannot be done, in a sentence."""

    @classmethod
    def _from_sentence(cls, sentence: str) -> QoScopeError:
        return cls(sentence)


class InvalidError(QoScopeError, ValueError):
    """A document that is refused, with everything that is wrong with it."""

    faults: tuple[Fault, ...]
    """Every fault, in the order of the document."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        """Of faults."""
        super().__init__(faults)
        self.faults = faults

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)

    @classmethod
    def _from_json(cls, text: str) -> InvalidError:
        return cls(tuple(faults(text)))


def faults(text: str) -> list[Fault]:
    """The diagnostics of the engine."""
    return [Fault(each["path"], each["reason"], each["hint"], each["severity"]) for each in json.loads(text)]
