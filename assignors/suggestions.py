"""What was probably meant by a name that is not known."""

from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

_LONGEST_COMPARED: Final = 100
_MOST_COMPARED: Final = 500
"""Comparing names takes time proportional to the product of their lengths, so both are bounded."""
_MOST_CHOICES: Final = 30


def nearest(name: str, choices: Iterable[str]) -> str:
    """Suggest the choice that was probably meant, or else list the choices.

    Of very many or very long choices only some are compared.

    >>> nearest("round-robin", ["range", "roundrobin"])
    "did you mean 'roundrobin'?"
    >>> nearest("best", ["range", "roundrobin"])
    'choose from range, roundrobin'
    """
    known = list(choices)
    if not known:
        return "there is none at all"
    comparable = (each for each in known if len(each) <= _LONGEST_COMPARED)
    short = name[:_LONGEST_COMPARED].lower()
    close = get_close_matches(short, islice(comparable, _MOST_COMPARED), n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(each[:_LONGEST_COMPARED] for each in known[:_MOST_CHOICES])
    more = f" and {len(known) - _MOST_CHOICES:,} more" if len(known) > _MOST_CHOICES else ""
    return f"choose from {shown}{more}"
