"""Thousands separators in numbers of tables: blanks, hard and plain, and points."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final

from sources.cells import HARD_BLANKS
from sources.columns import Field
from sources.pastes.headers import NUMERIC

_HARD: Final = re.compile(f"[{HARD_BLANKS}]")
_APART_BY: Final = {
    blank: re.compile(rf"(?<!\w)[1-9]\d{{0,2}}(?:{blank}\d{{3}})+(?!\w)") for blank in HARD_BLANKS
}
_ALONE: Final = r"(?<![^\s|;]){}(?![^\s|;])"
_POINTED: Final = re.compile(
    _ALONE.format(r"[1-9]\d{0,2}(?:\.(?!000)\d{3}|(?:\.\d{3}){2})"), re.ASCII
)
_FRACTION: Final = re.compile(_ALONE.format(r"(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d+)"), re.ASCII)
_EITHER: Final = re.compile(_ALONE.format(r"[1-9]\d{0,2}\.000"), re.ASCII)
"""A thousand or one: the other numbers of the text tell."""
_FIGURE: Final = re.compile(_ALONE.format(r"[\d.]+"), re.ASCII)
_FEWEST: Final = 3
"""Numbers in a row: a partition's, and two figures."""

_WORD: Final = re.compile(r"\S+")
_THREE: Final = re.compile(r"\d{3}", re.ASCII)
_FIRST: Final = re.compile(r"[1-9]\d{0,2}", re.ASCII)
_NUMBER: Final = re.compile(r"-?\d{1,19}|-", re.ASCII)
_MAY_BE_APART: Final = re.compile(r"(?<!\d)\d{1,3} \d{3}(?!\d)")
_MOST_GAPS: Final = 8
"""The most places of a line where digits may belong together: the ways to join them double."""


def with_whole_numbers(text: str) -> str:
    """Return the text without hard blanks in numbers, where such a blank stands nowhere else."""
    for blank in set(_HARD.findall(text)):
        joined = _APART_BY[blank].sub(_digits, text)
        text = text if blank in joined else joined
    return text


def with_whole_thousands(text: str) -> str:
    """Return the text with "12.000" as a thousand where its tables set thousands apart by points.

    They do if another number of a row can be nothing else, and none is a fraction.
    """
    if ".000" not in text or not _EITHER.search(text) or _FRACTION.search(text):
        return text
    rows = (line for line in text.split("\n") if len(_FIGURE.findall(line)) >= _FEWEST)
    if not any(map(_POINTED.search, rows)):
        return text
    return _EITHER.sub(_digits, text)


def _digits(number: re.Match[str]) -> str:
    return "".join(filter(str.isdigit, number[0]))


def regrouped(line: str, fields: Sequence[Field], prefix: int = 0) -> str | None:
    """Return a row whose thousands are set apart by blanks with whole numbers.

    None for other lines, and where the digits may be joined in several ways that agree with the
    columns of numbers, with the wider gaps between columns, and with the lag. ``prefix`` words
    stand before the first column.

    >>> header = (Field.TOPIC, Field.PARTITION, Field.COMMITTED, Field.END, Field.LAG)
    >>> regrouped("orders 0 1 000 2 500 1 500", header)
    'orders 0 1000 2500 1500'
    """
    if not _MAY_BE_APART.search(line):
        return None
    numeric = [n for n, field in enumerate(fields) if field in NUMERIC]
    if not numeric or numeric[-1] - numeric[0] >= len(numeric):
        return None
    words = list(_WORD.finditer(line))
    first = prefix + numeric[0]
    last = first
    while last < len(words) and _NUMBER.fullmatch(words[last][0]):
        last += 1
    of_owner = len(fields) - numeric[-1] - 1
    last = min(last, len(words) - of_owner) if words[last - 1][0] == "-" else last
    wanted = [fields[n] for n in numeric]
    ways = {
        tuple(numbers)
        for numbers in _ways(words[first:last], len(wanted))
        if _agree(dict(zip(wanted, numbers, strict=True)))
    }
    if len(ways) != 1:
        return None
    before, after = ([word[0] for word in part] for part in (words[:first], words[last:]))
    return " ".join([*before, *ways.pop(), *after])


def _ways(words: Sequence[re.Match[str]], count: int) -> Iterator[list[str]]:
    """Yield every way to join words to that many numbers, at single blanks before three digits."""
    gaps = [
        n
        for n, (before, word) in enumerate(pairwise(words), 1)
        if word.start() - before.end() == 1 and _THREE.fullmatch(word[0])
    ]
    joins = len(words) - count
    if not 0 < joins <= len(gaps) <= _MOST_GAPS:
        return
    for chosen in combinations(gaps, joins):
        numbers: list[str] = []
        is_whole = True
        for n, word in enumerate(words):
            if n in chosen:
                is_whole = is_whole and (n - 1 in chosen or bool(_FIRST.fullmatch(numbers[-1])))
                numbers[-1] += word[0]
            else:
                numbers.append(word[0])
        if is_whole:
            yield numbers


def _agree(row: dict[Field, str]) -> bool:
    """Return whether the lag is what the offsets say, where all three are known."""
    figures = [row.get(field, "-") for field in (Field.COMMITTED, Field.END, Field.LAG)]
    if "-" in figures:
        return True
    committed, end, lag = map(int, figures)
    return lag in {end - committed, max(end - committed, 0)}
