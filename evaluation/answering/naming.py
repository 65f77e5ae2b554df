"""What sentences call consumers, and how many things they name."""

from collections.abc import Sequence
from typing import Final

from assignors.model import Group
from evaluation.consumer_labels import called
from evaluation.wording import natural

NAMED: Final = 4
"""Members or partitions that a sentence names; the rest are counted."""


def in_natural_order(group: Group, members: Sequence[int]) -> list[str]:
    """Return the labels of these members, as people count."""
    names = called(group)
    return sorted((names[member] for member in members), key=natural)


def number_words(count: int) -> str:
    """Return a number of a sentence, in words up to ten."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else f"{count:,}"
