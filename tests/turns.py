"""Turns of phrase that must not come back, each with what to write instead.

They are English word by word and yet no engineer's: each was found in a text that users read, and
each made somebody read a sentence twice. docs/glossary.md has the terms to use.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple


class Turn(NamedTuple):
    """A turn of phrase and better ones."""

    pattern: re.Pattern[str]
    instead: str


class FoundTurn(NamedTuple):
    """A turn in a text."""

    line: int
    phrase: str
    instead: str


_BY_PATTERN: Final = {
    r"nine (?:of|in) ten|nine futures": "the 5th-95th percentile; in at least 9 of 10",
    r"draws? of (?:many|one)\b|up to \d+ draws": "one of N simulated restarts; up to N simulations",
    r"middle of (?:the|up to|several|its) (?:\d+ )?(?:draws|plays|futures)": "the median",
    r"comes? on top\b": "is not included; the real total is higher",
    r"records? due in\b|\bwork due\b": "load; records to read in the next ...",
    r"(?:is|are|nearly) read up\b": "has caught up; has nearly caught up",
    r"nothing tells|if anything tells": "is unknown; if it is known",
    r"what (?:a switch|the way|one move|moves) (?:brings?|would|takes)": "the effect, or cost, of",
    r"the way there\b": "the switch; the rolling restart",
    r"stops? only what moves": "is cooperative; pauses only partitions that move",
    r"changes? hands": "move",
    r"left out, better as|as its picture looks": "is not recommended, although its figure is lower",
    r"(?:is|not yet) over in\b": "clears in",
    r"waits? for nobody": "no consumer reads it",
    r"for want of\b": "because there is no ...",
    r"(?:row|line|file|object) a (?:partition|snapshot|group|line|member|consumer)\b": "per",
    r"stands? (?:beside|below|in its place|after the)\b": "is next to; is below; is shown after",
}
TURNS: Final = tuple(
    Turn(re.compile(rf"\b(?:{pattern})", re.IGNORECASE), instead)
    for pattern, instead in _BY_PATTERN.items()
)


def turns_in(text: str) -> Iterator[FoundTurn]:
    """Yield the turns in a text, also across the end of a line.

    >>> [(turn.line, turn.phrase) for turn in turns_in("It stands\\nbeside the other.")]
    [(1, 'stands beside')]
    """
    for turn in TURNS:
        for found in turn.pattern.finditer(re.sub(r"\s", " ", text)):
            line = text.count("\n", 0, found.start()) + 1
            yield FoundTurn(line, found[0], turn.instead)


def turns_in_strings(module: Path) -> Iterator[FoundTurn]:
    """Yield the turns in the strings of a module: labels, messages and docstrings."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for turn in turns_in(re.sub(r"\n +", "\n", node.value)):
                yield turn._replace(line=node.lineno + turn.line - 1)
