"""Errors of this package: input that cannot be read, in one sentence."""

import logging
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LOG: Final = logging.getLogger("sources")
UNEXPECTED: Final[Counter[str]] = Counter()
"""How many faults of each kind and place readers have had since the process started."""
_PANIC: Final = "PanicException"
"""What a panic of a library written in Rust becomes; like SystemExit it is no Exception."""
_LONGEST: Final = 2_000
"""Characters of a message."""
_CONTROLS: Final = dict.fromkeys([*range(32), *range(127, 160)], "\ufffd") | {10: " ", 13: " "}


class SourceError(ValueError):
    """Input that cannot be read; the message names the place, what was found and the way out.

    It is one line that can be written anywhere, however much it quotes.
    """

    def __init__(self, message: str) -> None:
        if len(message) > _LONGEST:  # the place stands in front, the way out at the end
            message = f"{message[: _LONGEST // 2]}…{message[-_LONGEST // 2 :]}"
        super().__init__(message.encode(errors="replace").decode().translate(_CONTROLS))


class UnexpectedError(SourceError):
    """A fault in a reader that some input brought out; nothing is wrong with the rest."""


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Turn whatever a reader raises into a SourceError; every door to the readers is in one.

    Faults of ours are counted, and logged by kind and place, never with the text that brought
    them out.
    """
    try:
        yield
    except SourceError:
        raise
    except BaseException as error:
        kind = type(error).__name__
        if not isinstance(error, Exception) and kind != _PANIC:
            raise
        *_, (frame, line) = traceback.walk_tb(error.__traceback__)
        fault = f"{kind} in {frame.f_code.co_name}, line {line}"
        UNEXPECTED[fault] += 1
        _LOG.error("a reader failed: %s (%d times so far)", fault, UNEXPECTED[fault])
        message = f"{what} cannot be read: our reader failed ({fault}); please report it"
        raise UnexpectedError(message) from error
