"""How long a test waits, for a page or anything else: a hang fails it, a busy machine does not."""

import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 500
"""Less than pytest's own limit, so that the failure names what was waited for."""


def await_(happens: Callable[[], object]) -> None:
    """Wait until a condition is true."""
    until = time.monotonic() + PATIENCE_S
    while not happens():
        assert time.monotonic() < until
        time.sleep(0.1)  # polling uses more CPU time than waiting
