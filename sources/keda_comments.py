"""Comments of a ScaledObject that its values contradict."""

import re
from collections.abc import Iterator
from typing import Final

_LINE: Final = re.compile(r"""^[ -]*(\w+) *: *["']?(\d{1,9})["']? *(?:#(.*))?$""")
_COMMENT: Final = re.compile(r"^ *#(.*)$")
_NUMBER: Final = re.compile(
    r"(?<![\w.,:/-])(\d{1,3}(?:,\d{3})+|\d{1,9})(?![.,:/-]?\d) ?"
    r"(k\b|thousand\b|s\b|sec\w*|m\b|min(?:ute)?s?\b|h\b|hours?\b|%)?",
    re.IGNORECASE,
)
_KEYS: Final = frozenset(
    {"lagThreshold", "activationLagThreshold", "pollingInterval", "cooldownPeriod"}
    | {"minReplicaCount", "maxReplicaCount", "idleReplicaCount"}
    | {"stabilizationWindowSeconds", "periodSeconds"}
)
_ASIDE: Final = re.compile(
    r"default|was\b|before|e\.g|example|instead of|KEDA|https?:", re.IGNORECASE
)
"""A number beside these words is not said to be the value."""
_PER_PARTITION: Final = re.compile(r"\b(?:per|each|every|a|one) partition\b", re.IGNORECASE)
_UNITS: Final = {"k": 1_000, "t": 1_000, "m": 60, "h": 3_600}
_MOST: Final = 5


def false_comments(text: str) -> Iterator[str]:
    """Yield a sentence on each comment, at or above a value, whose numbers are all others.

    Units of time and ``k`` are converted. A comment that speaks of a default, of an earlier value
    or of an example is left alone.
    """
    above, found = "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if comment := _COMMENT.match(line):
            above = f"{above} {comment[1]}"
            continue
        stated = _LINE.match(line)
        if stated and stated[1] in _KEYS and found < _MOST:
            for said in _contradictions(stated[1], int(stated[2]), f"{above} {stated[3] or ''}"):
                yield f"Line {number}: {said}"
                found += 1
        above = ""


def _contradictions(key: str, value: int, comment: str) -> Iterator[str]:
    if _ASIDE.search(comment):
        return
    numbers = [(each[0].strip(), _in_units(*each.groups())) for each in _NUMBER.finditer(comment)]
    if numbers and value not in [number for _, number in numbers]:
        yield f"{key} is {value:,}, not {numbers[0][0]} as its comment says."
    if key == "lagThreshold" and _PER_PARTITION.search(comment):
        yield (
            f"{key} is not for each partition, as its comment says: KEDA divides the total lag "
            "by it."
        )


def _in_units(digits: str, unit: str | None) -> int:
    return int(digits.replace(",", "")) * _UNITS.get((unit or "s")[0].lower(), 1)
