"""Work for a worker process in tests."""

import os
import time
from pathlib import Path

APP = """
import sys
sys.path.insert(0, {root!r})
from tests.ui.lingering import linger
from ui import workers
workers.run(linger, {folder!r})
"""
"""A page that waits for ``linger`` in a folder."""


def linger(folder: str) -> None:
    """Create a file named after this process, and run longer than any test waits."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
