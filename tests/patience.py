"""How long a test waits, for a page or anything else: a hang fails it, a busy machine does not."""

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 500
"""Less than pytest's own limit, so that the failure names what was waited for."""
_IDLE_S: Final = 0.029
"""What the work of ``slowdown`` takes where nothing else runs."""


def await_(happens: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < until
        time.sleep(0.1)  # polling uses more CPU time than waiting


def slowdown() -> float:
    """Return how many times as long a busy machine's CPU takes for the same work as an idle one."""
    began = time.process_time()
    sum(number * number % 7 for number in range(400_000))
    return max((time.process_time() - began) / _IDLE_S, 1.0)
