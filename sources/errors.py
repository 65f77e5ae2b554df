"""Errors of this package: input that cannot be read, in one sentence."""

import logging
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LOG: Final = logging.getLogger("sources")
UNEXPECTED: Final[Counter[str]] = Counter()
"""Number of faults in readers since the process started, by kind and place."""
NO_MEMORY: Final = (
    "{what} needs more memory than this process may take; give it more (ulimit -v), or less to read"
)
_PANIC: Final = "PanicException"
"""A panic in a Rust library; like SystemExit it is no Exception."""
_LONGEST: Final = 2_000
"""The most characters of a message."""
_CONTROLS: Final = dict.fromkeys([*range(32), *range(127, 160)], "\ufffd") | {10: " ", 13: " "}


class SourceError(ValueError):
    """Input cannot be read; the message names the place, what was found and the way out.

    The message is one printable line of bounded length.
    """

    def __init__(self, message: str) -> None:
        if len(message) > _LONGEST:  # keeps the place in front and the way out at the end
            message = f"{message[: _LONGEST // 2]}…{message[-_LONGEST // 2 :]}"
        super().__init__(message.encode(errors="replace").decode().translate(_CONTROLS))


class UnexpectedError(SourceError):
    """A bug in a reader, triggered by some input; other input is unaffected."""


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """Turn any exception of a reader into a SourceError; wraps every entry point of the readers.

    Bugs are counted, and logged by kind and place, never with the input that triggered them.
    """
    try:
        yield
    except SourceError:
        raise
    except MemoryError as error:
        raise SourceError(NO_MEMORY.format(what=what)) from error
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
