"""Lines of the log that strangers cause: one a minute, so that they cannot fill a disk."""

import logging
import time
from collections.abc import Callable
from typing import Final

_MINUTE_S: Final = 60.0


class MinuteLog:
    """Writes a warning a minute at most, and counts those it leaves out."""

    def __init__(self, log: logging.Logger, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with a line to spare."""
        self._log, self._clock = log, clock
        self._last_s = -_MINUTE_S
        self._left_out = 0

    def write(self, text: str) -> None:
        """Write a line, unless one was written within the last minute."""
        now_s = self._clock()
        if now_s - self._last_s < _MINUTE_S:
            self._left_out += 1
            return
        more = f" ({self._left_out} such lines were left out before it.)" if self._left_out else ""
        self._last_s, self._left_out = now_s, 0
        self._log.warning("%s%s", text, more)
