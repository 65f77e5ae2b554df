"""The other answers that a client may give where it has several, in words."""

from typing import Final

import numpy as np

from assignors.model import UNOWNED, Group, Owners
from assignors.strategy import Strategy
from evaluation.wording import listed, plural

_SHOWN: Final = 3
"""The most other answers to put into words; the rest are counted."""
_NAMED: Final = 4
"""The most partitions of each to name."""


def other_answers(group: Group, strategy: Strategy, shown: Owners) -> list[str]:
    """Return how each other possible answer differs from the one shown: () where none is known.

    The last one counts those that are not worded.
    """
    possible = strategy.possible(group) if strategy.possible else ()
    others = [owners for owners in possible if (owners != shown).any()]
    said = [_difference(group, owners, shown) for owners in others[:_SHOWN]]
    if len(others) > _SHOWN:
        said.append(
            f"{plural(len(others) - _SHOWN, 'other answer')}; assign.py --all-answers prints all"
        )
    return said


def _difference(group: Group, owners: Owners, shown: Owners) -> str:
    changed = np.flatnonzero((owners != shown) & (owners != UNOWNED)).tolist()
    moves = [f"{group.partition_name(p)} to {group.members[owners[p]]}" for p in changed]
    return listed(moves, _NAMED)
