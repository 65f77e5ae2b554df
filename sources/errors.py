"""The errors of this package: input that cannot be read, said in a sentence."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_LOG: Final = logging.getLogger("sources")


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
