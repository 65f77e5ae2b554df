"""A whole group in a link: group JSON, compressed, in characters that URLs do not escape.

``z1.`` and then base64url of zlib of group JSON. Anybody can make a link, so its length, its
size unpacked and the group in it are all limited.
"""

import base64
import binascii
import re
import zlib
from typing import Final

from assignors.model import Group
from evaluation.reading import Reading
from sources import group_json
from sources.budget import LINK_LIMITS, Budget
from sources.errors import SourceError, guarded

MOST_CHARACTERS: Final = 8_000
"""The most characters of a link that browsers, proxies and chat programs accept."""
MOST_LETTERS: Final = 100_000
"""The most characters of all names in a link, each counted once: figures repeat them."""
_VERSION: Final = "z1."
_TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
_LETTERS: Final = re.compile(r"[A-Za-z0-9_-]*")
_WAY_OUT: Final = "ask for the group as a file, or copy the link once more"


def encode(of: Reading | Group) -> str | None:
    """Return the group as the text of a link, None if it is too large.

    The history goes along whole if it is short enough, else as the two snapshots that give the
    present rates.

    >>> group = Group.fresh({"t": 2}, members=["c0"])
    >>> text = encode(group)
    >>> decode(text or "").group.members
    ('c0',)
    """
    group = of.group if isinstance(of, Reading) else of
    if group.partition_count > LINK_LIMITS.partitions:
        return None
    return packed(group_json.encode(of)) or packed(group_json.encode(of, is_brief=True))


def packed(data: bytes) -> str | None:
    """Return JSON as the text of a link, None if it is too large."""
    if len(data) > LINK_LIMITS.bytes or _letters(data) > MOST_LETTERS:
        return None
    letters = base64.urlsafe_b64encode(zlib.compress(data, level=9)).decode().rstrip("=")
    text = f"{_VERSION}{letters}"
    return text if len(text) <= MOST_CHARACTERS else None


def decode(text: str) -> Reading:
    """Read the group in the text of a link.

    Raises SourceError for a link that is cut off, changed, too long or foreign, and for a
    group that breaks the schema or the limits.
    """
    with guarded("this link"):
        return group_json.decode(unpacked(text), Budget(LINK_LIMITS))


def unpacked(text: str) -> bytes:
    """Return the JSON in the text of a link; raises SourceError as ``decode`` does."""
    if not text.startswith(_VERSION):
        message = (
            f"this link does not hold a group of this version: it should start with {_VERSION!r}"
        )
        raise SourceError(message)
    if len(text) > MOST_CHARACTERS:
        message = f"this link has {len(text):,} characters, at most {MOST_CHARACTERS:,} can be read"
        raise SourceError(message)
    data = _unpacked(text.removeprefix(_VERSION))
    if (letters := _letters(data)) > MOST_LETTERS:
        message = (
            f"the names in this link have {letters:,} characters, at most {MOST_LETTERS:,} "
            "can be read; ask for the group as a file"
        )
        raise SourceError(message)
    return data


def _letters(data: bytes) -> int:
    """Count the bytes of the distinct texts in JSON."""
    return sum(map(len, set(_TEXT.findall(data))))


def _unpacked(text: str) -> bytes:
    broken = f"this link is broken or was changed; {_WAY_OUT}"
    if not _LETTERS.fullmatch(text):  # Python's decoder would skip invalid ones
        raise SourceError(broken)
    stream = zlib.decompressobj()
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        data = stream.decompress(packed, LINK_LIMITS.bytes)
    except (binascii.Error, zlib.error) as error:
        raise SourceError(broken) from error
    if stream.unconsumed_tail:
        message = f"this link unpacks to more than {LINK_LIMITS.bytes:,} bytes; {_WAY_OUT}"
        raise SourceError(message)
    if not stream.eof or stream.unused_data:
        message = f"this link was cut off or extended; {_WAY_OUT}"
        raise SourceError(message)
    return data
