"""Two writers of one output: the second starts over from what the first has published."""

import random
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from pipeline.errors import PipelineError

_ATTEMPTS: Final = 30
_LONGEST_PAUSE_S: Final = 2.0
"""Pauses differ, so that two writers do not meet again and again."""
_T = TypeVar("_T")


class ConflictError(PipelineError):
    """Another writer committed to a table at the same time."""


def started_over(attempt: Callable[[], _T]) -> _T:
    """Return an attempt's result; on a conflict, start over from what is published by then.

    Raises ConflictError if every one of several attempts meets another writer.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(ConflictError):
            return attempt()
        time.sleep(random.uniform(0, _LONGEST_PAUSE_S))  # noqa: S311 -- no secret
    return attempt()
