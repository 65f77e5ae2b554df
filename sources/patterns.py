"""Untrusted regular expressions, matched in linear time.

RE2 matches in time proportional to the name, whatever the pattern. Its syntax is Java's but
for look-around, back references, possessive quantifiers and intersections of classes.
"""

from collections.abc import Callable
from typing import Final

import re2

from sources.errors import SourceError

SYNTAX: Final = (
    "Java's syntax as far as RE2 has it: no look-around, no back references, no possessive "
    "quantifiers, no intersections of character classes."
)
_MOST_CHARACTERS: Final = 500
_MOST_INSTRUCTIONS: Final = 1_000
"""The largest compiled pattern; matching takes time proportional to this times the characters."""
_SHOWN: Final = 40


def whole_name(pattern: str) -> Callable[[str], bool]:
    r"""Return a predicate that matches a pattern against a whole name.

    ``KafkaConsumer.subscribe(Pattern)`` matches the same way. Raises SourceError for an invalid
    pattern, and for one whose repetitions make it too large.

    >>> matches = whole_name("orders-.*")
    >>> matches("orders-eu"), matches("my-orders-eu")
    (True, False)
    """
    if len(pattern) > _MOST_CHARACTERS:
        message = f"This pattern has {len(pattern):,} characters; {_MOST_CHARACTERS} is the limit."
        raise SourceError(message)
    shown = pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…"
    options = re2.Options()
    options.log_errors = False  # patterns come from visitors and do not belong in the server's log
    try:
        compiled = re2.compile(_utf8(pattern), options)
    except re2.error as error:
        reason = error.args[0].decode(errors="replace")[: 2 * _SHOWN]
        message = f"{shown!r} is not a valid pattern ({reason}). {SYNTAX}"
        raise SourceError(message) from error
    if compiled.programsize > _MOST_INSTRUCTIONS:
        message = f"{shown!r} repeats too much: write it shorter, or use a plain text filter."
        raise SourceError(message)
    return lambda name: compiled.fullmatch(_utf8(name)) is not None


def _utf8(text: str) -> bytes:
    """Return bytes for RE2; an unpaired surrogate, which a link may contain, becomes ``?``."""
    return text.encode(errors="replace")
