"""Links of the page, which hold a whole scenario: `#2.CHECK.CONTENT`.

The content is the JSON of the scenario, deflated (RFC 1951), in base64url; its check the CRC-32 of that text, four bytes in
base64url. A link of version 3 has the state of the view behind it, which runs do not need.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import TYPE_CHECKING
from urllib.parse import unquote

from qoscope import _native
from qoscope._errors import QoScopeError

if TYPE_CHECKING:
    from qoscope._answers import Catalogue


def is_link(text: str) -> bool:
    """Whether a text is a link, or an address with one."""
    return re.match(r"\s*[^\s{#]*(?:#|%23)\d+\.", text) is not None


def write(scenario: str) -> str:
    """The link of a scenario."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    content = _base64(packer.compress(scenario.encode()) + packer.flush())
    return f"#2.{_check(content)}.{content}"


def read(link: str) -> str:
    """The scenario of a link. What mail programs put into it does no harm."""
    fragment = re.sub(r"=?\s+", "", unquote(re.split(r"#|%23", link, maxsplit=1)[-1]))
    found = re.match(r"(?:[23]\.([\w-]*)|1)\.([\w-]*)", fragment)
    if found is None and (newer := re.match(r"(\d+)\.", fragment)) and int(newer[1]) > 3:
        raise QoScopeError(
            f"The link has format {newer[1]}, which a newer QoScope has made: bring this package up to date."
        )
    if found is None:
        raise QoScopeError(
            "This is no link of a scenario that this version can read: those begin with #1., #2. or #3."
        )
    check, content = found[1], found[2]
    if check is not None and check != _check(content):
        raise _damaged()
    limit = _limit()
    unpacker = zlib.decompressobj(-15)
    try:
        packed = base64.urlsafe_b64decode(content + "=" * (-len(content) % 4))
        text = unpacker.decompress(packed, limit + 1)
        if len(text) > limit:
            raise QoScopeError(f"The link holds too much: it unpacks to more than {limit} bytes.")
        if not unpacker.eof:
            raise _damaged()
        return text.decode()
    except (ValueError, zlib.error):
        raise _damaged() from None


def _limit() -> int:
    catalogue: Catalogue = json.loads(_native.catalogue())
    return catalogue["maximumBytes"]


def _damaged() -> QoScopeError:
    return QoScopeError(
        "The link is damaged: its end is missing, or characters of it have changed. Copy the whole link again."
    )


def _check(content: str) -> str:
    return _base64(zlib.crc32(content.encode()).to_bytes(4, "big"))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
