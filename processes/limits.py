"""The operator's limits on long computations, from the environment, checked at the start."""

import math
import os
import sys
from contextlib import suppress
from typing import Final

try:
    import resource
except ImportError:  # POSIX alone has it
    resource = None  # type: ignore[assignment]

TIME_LIMIT: Final = "KAFKA_ASSIGNMENTS_TIME_LIMIT"
"""Seconds that one computation may take, by default 60."""
MEMORY_LIMIT: Final = "KAFKA_ASSIGNMENTS_MEMORY_LIMIT"
"""Bytes of address space that one process may take, by default 8 GiB."""
REFINING_LIMIT: Final = "KAFKA_ASSIGNMENTS_REFINING_LIMIT"
"""Seconds for which a page goes on to refine figures that it shows, by default 60."""
_MOST_FILES: Final = 65_536
"""Amply enough open files; more would only make closing them all slower."""
_LEAST_MEMORY: Final = 1 << 30
"""What a process needs to start and to compute anything."""


class InvalidSettingError(ValueError):
    """A variable of the environment that cannot be meant so; the message says what to set."""


def time_limit_s() -> float:
    """Return the seconds that one computation may take. Raises InvalidSettingError."""
    return _number(TIME_LIMIT, "60", "seconds, such as 60", 0)


def memory_limit() -> int:
    """Return the bytes that one process may take. Raises InvalidSettingError."""
    return int(_number(MEMORY_LIMIT, str(8 << 30), "bytes, such as 8589934592", _LEAST_MEMORY))


def refining_limit_s() -> float:
    """Return the seconds for which figures are refined; 0 keeps the first ones.

    Raises InvalidSettingError.
    """
    return _number(REFINING_LIMIT, "60", "seconds, such as 60", 0, may_be_least=True)


def check() -> None:
    """End the process with one sentence if a setting is wrong."""
    try:
        time_limit_s()
        memory_limit()
        refining_limit_s()
    except InvalidSettingError as error:
        sys.exit(str(error))


def raise_open_files() -> None:
    """Let this process open as many files as the system allows; shells often allow it 1,024."""
    if resource is not None:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
        if 0 <= soft < wanted:
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def open_files() -> int:
    """Return how many files this process may have open."""
    if resource is None:
        return _MOST_FILES
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_FILES if soft == resource.RLIM_INFINITY else soft


def _number(
    variable: str, default: str, wanted: str, least: float, *, may_be_least: bool = False
) -> float:
    text = os.environ.get(variable, default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    is_enough = number >= least if may_be_least else number > least
    if not (math.isfinite(number) and is_enough):
        bound = f"{least:,} or more" if may_be_least else f"above {least:,}"
        message = f"{variable}={text[:50]}: expected a plain number of {wanted}, {bound}"
        raise InvalidSettingError(message)
    return number
