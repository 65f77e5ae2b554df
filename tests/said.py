"""What a sentence says: its figures and names in order, whatever words stand between them."""

import re
from collections.abc import Mapping
from pathlib import Path

_WITH_DIGITS = re.compile(r"[-\w]*\d[-\w,.:]*")


def sections(file: Path) -> Mapping[str, str]:
    """Return the sections of a file of sentences by their headings, which stand in brackets."""
    found = {}
    for section in file.read_text().strip().split("\n\n"):
        head, _, text = section.partition("\n")
        found[head.strip("[]")] = text
    return found


def figures_in(sentence: str) -> list[str]:
    """Return the figures of a sentence, and the names that have a digit, in order.

    >>> figures_in("Pass 2: c4 holds 4,000, c1 2.5 k, so t-0 moves to c1.")
    ['2', 'c4', '4,000', 'c1', '2.5', 't-0', 'c1']
    """
    return [found.rstrip(",.:-") for found in _WITH_DIGITS.findall(sentence)]


def lacks(sentence: str, *parts: str) -> list[str]:
    """Return the parts that the sentence does not have behind those before them.

    A part that begins or ends with a digit is no part of a longer number or name.

    >>> lacks("9 of 12 partitions move", "9", "12", "move"), lacks("9 of 12 move", "12 ... 9")
    ([], ['9'])
    >>> lacks("19 of 12.5 c1s", "9"), lacks("19 of 12.5 c1s", "12"), lacks("19 of 12.5 c1s", "c1")
    (['9'], ['12'], ['c1'])
    """
    missing, at = [], 0
    for part in " ... ".join(parts).split(" ... "):
        found = re.compile(_bounded(part)).search(sentence, at)
        if found is None:
            missing.append(part)
        else:
            at = found.end()
    return missing


def _bounded(part: str) -> str:
    before = r"(?<!\w)(?<!\d[,.])" if part[:1].isdigit() else ""
    after = r"(?!\w)(?![,.]\d)" if part[-1:].isdigit() else ""
    return before + re.escape(part) + after
