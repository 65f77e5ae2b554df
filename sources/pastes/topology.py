"""``Topology#describe()``: which sub-topologies have stores, and which topics they read."""

import re
from typing import Final, NamedTuple

from sources.pastes.page import Page

_SUBTOPOLOGY: Final = re.compile(r"\s*Sub-topology: (\d+)\b")
_TOPICS: Final = re.compile(r"\s*Source: \S+ \(topics: \[([^\]]*)\]\)")
_STORES: Final = re.compile(r"\s*Processor: \S+ \(stores: \[([^\]]*)\]\)")

_SIGN: Final = "opolog"
"""In every description of a topology."""
_PARTS: Final = ("Source:", "Processor:", "Sink:", "-->", "<--", "Sub-topology:")


class DescribedSubtopology(NamedTuple):
    """A part of a topology."""

    topics: tuple[str, ...]
    stores: tuple[str, ...]


def topology_in(page: Page) -> dict[int, DescribedSubtopology]:
    r"""Return the sub-topologies of a description by number; none without one.

    >>> from sources.budget import LIMITS
    >>> text = "Sub-topology: 0\n  Source: s (topics: [a, b])\n  Processor: p (stores: [counts])"
    >>> topology_in(Page(text, LIMITS))
    {0: DescribedSubtopology(topics=('a', 'b'), stores=('counts',))}
    """
    found: dict[int, DescribedSubtopology] = {}
    number = None
    for line in page.lines:
        if named := _SUBTOPOLOGY.match(line):
            number = int(named[1])
            found.setdefault(number, DescribedSubtopology((), ()))
        if number is None:
            continue
        each = found[number]
        if topics := _TOPICS.match(line):
            found[number] = each._replace(topics=(*each.topics, *_names(topics[1])))
        elif stores := _STORES.match(line):
            found[number] = each._replace(stores=(*each.stores, *_names(stores[1])))
    return found


def topology_lines(page: Page) -> set[int]:
    """Return the numbers of the lines that describe a topology."""
    lines: set[int] = set()
    if not any(_SIGN in line for line in page.lines):
        return lines
    is_inside = False
    for number, line in enumerate(page.lines):
        if line.strip().startswith(("Topologies:", "Topology:")) or _SUBTOPOLOGY.match(line):
            is_inside = True
        elif is_inside and line.strip() and not line.strip().startswith(_PARTS):
            is_inside = False
        if is_inside:
            lines.add(number)
    return lines


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for each in text.split(",") if (name := each.strip()))
