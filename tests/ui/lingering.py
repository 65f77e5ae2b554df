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


READING = """
import sys
sys.path.insert(0, {root!r})
from tests.ui.lingering import linger_over
from ui import workers
workers.input_read(linger_over, {folder!r}.ljust(200_000))
"""
"""A page that reads a large paste, which a click does not interrupt."""


QUEUE = """
import sys
sys.path.insert(0, {root!r})
import streamlit as st
from tests.ui.lingering import letters, linger_over
from ui import workers
if "large" in st.query_params:
    workers.input_read(linger_over, {folder!r}.ljust(7_500_000))
st.text(workers.input_read(letters, "x" * 200_000))
"""
"""A page that reads a paste of 7.5 MB without an end, or one of 200 kB at once."""


def letters(paste: str) -> str:
    """Return how long a paste is."""
    return f"{len(paste):,} letters"


def linger_over(paste: str) -> None:
    """Linger in the folder that a paste names."""
    linger(paste.strip())


def linger(folder: str) -> None:
    """Create a file named after this process, and run longer than any test waits."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)
