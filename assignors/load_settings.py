"""What the consumers of a group set for load-sticky."""

from typing import Final, NamedTuple


class LoadSettings(NamedTuple):
    """The budget of moves, and what is even enough."""

    moves_permille: int = 100
    """Of a thousand partitions that could stay, how many may move."""
    tolerance: int = 50_000
    """Millionths of an even share that count as even."""


USUAL: Final = LoadSettings()
"""The defaults, which count where nothing else is known."""
