"""What sentences call consumers, and how many things they name."""

from collections.abc import Sequence
from typing import Final

from assignors.model import Group
from evaluation.consumer_labels import labels_of
from evaluation.wording import (
    natural,
)

NAMED: Final = 4
"""Members or partitions that a sentence names; the rest are counted."""
_PREFIX: Final = "consumer-"
"""What Kafka's clients put before the group where no client id is set."""


def in_natural_order(group: Group, members: Sequence[int]) -> list[str]:
    """Return the labels of these members, as people count."""
    names = called(group)
    return sorted((names[member] for member in members), key=natural)


def called(group: Group) -> tuple[str, ...]:
    """Return what sentences call each member: its label without a ``consumer-`` that all share."""
    labels = labels_of(group)
    shares = all(label.startswith(_PREFIX) and len(label) > len(_PREFIX) for label in labels)
    return tuple(label.removeprefix(_PREFIX) for label in labels) if shares else labels


def number_words(count: int) -> str:
    """Return a number of a sentence, in words up to ten."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else f"{count:,}"
