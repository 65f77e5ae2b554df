"""The one family of errors of this package: input that cannot be read, said in a sentence."""

from collections.abc import Iterable
from difflib import get_close_matches


class SourceError(ValueError):
    """Input that cannot be read; the message names the place, what was found and the way out."""


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return which of the choices was probably meant, or else all of them, as a way out.

    >>> nearest("round-robin", ["range", "roundrobin"])
    "did you mean 'roundrobin'?"
    >>> nearest("best", ["range", "roundrobin"])
    'choose from range, roundrobin'
    """
    known = list(choices)
    close = get_close_matches(name.lower(), known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"choose from {', '.join(known)}"
