"""How long a test waits for a page: a hang fails it, a busy machine does not."""

from typing import Final

PATIENCE_S: Final = 500
"""Less than pytest's own limit, so that the failure names the page."""
