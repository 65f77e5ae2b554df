"""Pasted JSON: with line breaks inside strings, missing commas, a truncated end."""

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from sources import cells

Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_OPENING: Final = re.compile(r"""\{(?=\s*(?:["}]|$))|\[(?=\s*(?:[{\["]|$))|"\w+"\s{0,9}:""")
_BARE: Final = r"""
    (?P<number>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)
    | (?P<word>true|false|null|NaN)\b
    | (?P<mark>[{}\[\]])
    """
_BARE_TOKEN: Final = re.compile(_BARE, re.VERBOSE)
_TOKEN: Final = re.compile(
    rf"""
    "(?P<text>(?:[^"\\\n]|\\.)*(?:\n[^"\\\n]*)?)"
    | (?P<open>")
    | {_BARE}
    """,
    re.VERBOSE,
)
_HALF: Final = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""An unpaired surrogate, which cannot be encoded."""
COLON: Final = re.compile(r"\s{0,9}:")
"""What follows a string that is a key."""
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None, "NaN": None}
_DEEPEST: Final = 100
_LARGEST: Final = 2.0**63
_MOST_DIGITS: Final = 1_000
MOST_BROKEN: Final = 1_000_000
"""Characters of a broken document on one line that are read."""
_MOST_RETRIES: Final = 4
"""Limit of failed strict parsing, as a multiple of the size of the text."""


class Document(NamedTuple):
    """One JSON value in a text, with its lines."""

    value: Json
    lines: range
    repeated: tuple[str, ...] = ()
    """Keys that stand twice in one of its objects; the last value of each counts."""
    is_cut: bool = False
    """Whether it is broken and its end was not read."""
    is_open: bool = False
    """Whether the text ends within it."""


def documents_in(text: str) -> list[Document]:
    """Return every JSON object or list in a text, valid or broken, in order."""
    documents: list[Document] = []
    text = _HALF.sub(r"\\ufffd", text) if "\\u" in text else text
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    done, spare = 0, _MOST_RETRIES * len(text)
    for number, line in enumerate(lines):
        opening = _OPENING.search(line, max(done - starts[number], 0))
        if opening is None or starts[number + 1] <= done:
            continue
        found = _decoded(text, starts[number] + opening.start(), spare)
        done, spare = found.end, found.spare
        if any(objects_in(found.value)):
            last = bisect_right(starts, max(done - 1, starts[number])) - 1
            lines_of_it = range(number, last + 1)
            documents.append(
                Document(found.value, lines_of_it, found.repeated, found.is_cut, found.is_open)
            )
    return documents


def objects_in(value: Json) -> list[dict[str, Json]]:
    """Return every object inside a value, outer ones first, in the order of the text."""
    objects: list[dict[str, Json]] = []
    waiting: list[Json] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            objects.append(item)
            waiting += reversed(item.values())
        elif isinstance(item, list):
            waiting += reversed(item)
    return objects


class _Decoded(NamedTuple):
    """A value, where it ends, and what is left to spend on failed strict parsing."""

    value: Json
    end: int
    spare: int
    repeated: tuple[str, ...]
    is_cut: bool = False
    is_open: bool = False


def _decoded(text: str, start: int, spare: int) -> _Decoded:
    """Return the value that starts here.

    ``spare`` limits the characters in failed strict parses, so that a text full of broken documents
    costs no more than a multiple of its size.
    """
    if text[start] in "{[" and spare > 0:
        repeated: list[str] = []
        strict = json.JSONDecoder(strict=False, object_pairs_hook=partial(_object, repeated))
        try:
            value, end = strict.raw_decode(text, start)
        except json.JSONDecodeError as error:
            is_text_open = error.msg.startswith("Unterminated")  # it read to the end
            spare -= (len(text) if is_text_open else error.pos) - start
        except (ValueError, RecursionError):  # a number of thousands of digits, or too deep
            spare -= len(text) - start
        else:
            return _Decoded(value, end, spare, tuple(dict.fromkeys(repeated)))
    stop = _end_of_broken(text, start)
    tree, end = _read_leniently(text, start, stop)
    is_unfinished = text[start] in "{[" and not tree.is_closed
    is_cut = stop < len(text) and not tree.is_closed
    return _Decoded(tree.roots, end, spare, tree.repeated, is_cut, is_unfinished and not is_cut)


def _object(repeated: list[str], pairs: list[tuple[str, Json]]) -> Json:
    """Return an object of its keys and values; add the keys that stand twice to ``repeated``."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        repeated += [key for key, count in counts.items() if count > 1]
    return fields


def _read_leniently(text: str, start: int, stop: int) -> tuple["Tree", int]:
    """Read the tokens: keys before colons, values after them, brackets. Return also the end.

    A text that starts or ends inside an object is read as far as possible; the digits at its very
    end may be the first ones of a longer number, which is unknown.
    """
    tree = Tree()
    end, last = start + 1, len(text.rstrip())
    for token in _tokens(text, start, stop):
        kind, value, end = token.lastgroup, token[token.lastgroup or 0], token.end()
        if kind == "mark":
            tree.mark(value)
            if tree.is_closed and text[start] in "{[":
                break
        elif kind == "word":
            tree.put(_WORDS[value])
        elif COLON.match(text, end):
            tree.name(value)
        else:
            tree.put(value if kind != "number" else None if end == last else _number(value))
    return tree, end


def _end_of_broken(text: str, start: int) -> int:
    """Return where reading token by token ends: with the text, or within a very long line."""
    line_end = text.find("\n", start)
    is_long = (len(text) if line_end < 0 else line_end) - start > MOST_BROKEN
    return start + MOST_BROKEN if is_long else len(text)


def _tokens(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    """Yield the tokens of a text; skip unclosed quotes.

    All later quotes of that line are escaped, or one of them would have closed it. They are skipped
    as well, because trying each would take quadratic time.
    """
    while (token := _TOKEN.search(text, start, end)) is not None:
        start = token.end()
        if token.lastgroup != "open":
            yield token
            continue
        line_end = text.find("\n", start, end)
        stop = end if line_end < 0 else line_end
        yield from _BARE_TOKEN.finditer(text, start, stop)
        start = stop


def _number(digits: str) -> int | float:
    """Return a number; those of more digits than any that is counted are infinite: unknown."""
    if len(digits) > _MOST_DIGITS:
        return math.inf
    return int(digits) if digits.removeprefix("-").isdecimal() else float(digits)


class Tree:
    """A value being read: the open objects and lists, and the pending key."""

    def __init__(self) -> None:
        self.roots: Final[list[Json]] = []
        self._open: Final[list[dict[str, Json] | list[Json]]] = [self.roots]
        self._key: str | None = None
        self._repeated: Final[dict[str, None]] = {}

    @property
    def repeated(self) -> tuple[str, ...]:
        """The keys that stand twice in one object."""
        return tuple(self._repeated)

    @property
    def is_closed(self) -> bool:
        """Whether no object or list is open."""
        return len(self._open) == 1

    @property
    def is_in_list(self) -> bool:
        """Whether the next value belongs to a list."""
        return isinstance(self._open[-1], list)

    def name(self, key: str) -> None:
        """Set the key of the next value. Outside an object it opens one."""
        if isinstance(self._open[-1], list):
            self._start({})
        self._key = key

    def put(self, value: Json) -> None:
        """Add a value; in an object, a value without a key is ignored."""
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self._key is not None:
            if self._key in holder:
                self._repeated[self._key] = None
            holder[self._key] = value
        self._key = None

    def mark(self, mark: str) -> None:
        """Open or close an object or a list; ignore unmatched brackets."""
        if mark in "{[":
            if len(self._open) < _DEEPEST:
                self._start({} if mark == "{" else [])
            return
        kind = dict if mark == "}" else list
        for depth in range(len(self._open) - 1, 0, -1):
            if isinstance(self._open[depth], kind):
                del self._open[depth:]
                break
        self._key = None

    def _start(self, value: dict[str, Json] | list[Json]) -> None:
        holder = self._open[-1]
        if isinstance(holder, dict) and self._key is None:
            self._key = f"({len(holder)})"
        self.put(value)
        self._open.append(value)


def name(fields: Mapping[str, Json], *keys: str) -> str:
    """Return the first value that is a string, stripped, else ""."""
    for key in keys:
        value = fields.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
    return ""


def number(value: Json) -> int | None:
    """Return an integer, also from strings such as "150" and "1.5e+06"; None if unknown."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        figure = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(figure) or abs(figure) >= _LARGEST - 1:
        return None
    if isinstance(value, int):
        return value
    digits = str(value).strip()
    return int(digits) if digits.removeprefix("-").isdecimal() else round(figure)


def offset(value: Json) -> int | None:
    """Return an offset; None for the -1 that some tools write instead."""
    whole = number(value)
    return None if whole is None or whole < 0 else whole


def partition(value: Json) -> int | None:
    """Return a partition number; None for any other value."""
    digits = str(value).strip() if isinstance(value, str | int) else ""
    return int(digits) if cells.is_partition(digits) else None


def below(value: Json | Mapping[str, Json], key: str) -> Mapping[str, Json]:
    """Return the object under a key; empty if absent."""
    inner = value.get(key) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, dict) else {}
