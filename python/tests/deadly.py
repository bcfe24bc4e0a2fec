"""Batches that go wrong, to be made in place of `make_batch`: other processes import them from here."""

import os

from qoscope.study._worker import make_batch

DEADLY = '"ecnThresholdPackets":10}'
"""A run of this setting ends whoever makes it."""


def deadly_batch(expect, jobs, *how):
    """Ends its process where a run is deadly, as the system does where memory runs out."""
    if any(DEADLY in document for _, document in jobs):
        os.abort()
    return make_batch(expect, jobs, *how)


def ended(code: int) -> None:
    """Ends its process."""
    os._exit(code)


def refusing(_: object) -> None:
    """Raises what is to arrive where it was called from."""
    raise ValueError("not so")
