"""What sentences call consumers, and how many things they name."""

from collections.abc import Sequence
from typing import Final

from assignors.model import Group
from evaluation.consumer_labels import CONSUMER, called
from evaluation.wording import listed, natural

NAMED: Final = 4
"""Members or partitions that a sentence names; the rest are counted."""


def in_natural_order(group: Group, members: Sequence[int]) -> list[str]:
    """Return the labels of these members, as people count."""
    names = called(group)
    return sorted((names[member] for member in members), key=natural)


def listed_members(names: Sequence[str]) -> str:
    """Join labels of members in a sentence; the noun before them is said once.

    >>> listed_members(["consumer orders-4"]), listed_members(["consumer a-1", "consumer a-2"])
    ('consumer orders-4', 'consumers a-1 and a-2')
    """
    if len(names) < 2 or not all(name.startswith(CONSUMER) for name in names):  # noqa: PLR2004 -- one has no plural
        return listed(names, NAMED)
    bare = listed([name.removeprefix(CONSUMER) for name in names], NAMED)
    return f"{CONSUMER.rstrip()}s {bare}"


def number_words(count: int) -> str:
    """Return a number of a sentence, in words up to ten."""
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[count] if count < len(words) else f"{count:,}"
