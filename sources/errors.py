"""The errors of this package: input that cannot be read, said in a sentence."""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from itertools import islice
from typing import Final

_LOG: Final = logging.getLogger("sources")
_LONGEST_COMPARED: Final = 100
_MOST_COMPARED: Final = 500
"""Comparing names takes the product of their lengths, so both are bounded."""
_MOST_LISTED: Final = 30


class SourceError(ValueError):
    """Input that cannot be read; the message names the place, what was found and the way out."""


class UnexpectedError(SourceError):
    """A fault in a reader that some input brought out; nothing is wrong with the rest."""


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Turn whatever a reader raises into a SourceError; every door to the readers is in one.

    Faults of ours are logged by kind and place, never with the text that brought them out.
    """
    try:
        yield
    except SourceError:
        raise
    except Exception as error:
        kind = type(error).__name__
        frame = error.__traceback__
        while frame is not None and frame.tb_next is not None:
            frame = frame.tb_next
        place = f"{frame.tb_frame.f_code.co_name}, line {frame.tb_lineno}" if frame else "nowhere"
        _LOG.error("%s in %s while reading %s", kind, place, what)
        message = f"{what} cannot be read: our reader failed ({kind} in {place}); please report it"
        raise UnexpectedError(message) from error


def nearest(name: str, choices: Iterable[str]) -> str:
    """Return which of the choices was probably meant, or else which there are, as a way out.

    Of very many or very long choices only some are compared.

    >>> nearest("round-robin", ["range", "roundrobin"])
    "did you mean 'roundrobin'?"
    >>> nearest("best", ["range", "roundrobin"])
    'choose from range, roundrobin'
    """
    known = list(choices)
    comparable = (each for each in known if len(each) <= _LONGEST_COMPARED)
    short = name[:_LONGEST_COMPARED].lower()
    close = get_close_matches(short, islice(comparable, _MOST_COMPARED), n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    listed = ", ".join(each[:_LONGEST_COMPARED] for each in known[:_MOST_LISTED])
    more = f" and {len(known) - _MOST_LISTED:,} more" if len(known) > _MOST_LISTED else ""
    return f"choose from {listed}{more}"
