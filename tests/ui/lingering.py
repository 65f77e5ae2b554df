"""What a worker process can be given to do in a test."""

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
"""A page that waits for ``linger``, which works in the folder."""


def linger(folder: str) -> None:
    """Leave a file named for this process, and take longer than any test waits."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
