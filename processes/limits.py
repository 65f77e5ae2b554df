"""The operator's limits on long computations, from the environment, checked at the start."""

import math
import os
import sys
from typing import Final

TIME_LIMIT: Final = "KAFKA_ASSIGNMENTS_TIME_LIMIT"
"""Seconds that one computation may take, by default 60."""
MEMORY_LIMIT: Final = "KAFKA_ASSIGNMENTS_MEMORY_LIMIT"
"""Bytes of address space that one process may take, by default 8 GiB."""
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


def check() -> None:
    """End the process with one sentence if a setting is wrong."""
    try:
        time_limit_s()
        memory_limit()
    except InvalidSettingError as error:
        sys.exit(str(error))


def _number(variable: str, default: str, wanted: str, least: float) -> float:
    text = os.environ.get(variable, default)
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > least):
        above = f" above {least:,}" if least else " above 0"
        message = f"{variable}={text[:50]}: expected a plain number of {wanted},{above}"
        raise InvalidSettingError(message)
    return number
