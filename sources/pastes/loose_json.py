"""JSON as people paste it: with line breaks inside strings, commas missing, the end cut off."""

import json
import re
from bisect import bisect_right
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from sources.pastes.page import Page

Json: TypeAlias = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

_STRICT: Final = json.JSONDecoder(strict=False)
_OPENING: Final = re.compile(r"""\{(?=\s*(?:["}]|$))|\[(?=\s*(?:[{\["]|$))|"\w+"\s{0,9}:""")
_TOKEN: Final = re.compile(
    r"""
    "(?P<text>(?:[^"\\\n]|\\.)*(?:\n[^"\\\n]*)?)"
    | (?P<number>-?\d{1,19}(?:\.\d{1,19})?(?:[eE][-+]?\d{1,3})?)
    | (?P<word>true|false|null|NaN)\b
    | (?P<mark>[{}\[\]])
    """,
    re.VERBOSE,
)
_COLON: Final = re.compile(r"\s{0,9}:")
_WORDS: Final[dict[str, Json]] = {"true": True, "false": False, "null": None, "NaN": None}
_DEEPEST: Final = 100


class Document(NamedTuple):
    """One JSON value in a text and the lines it stands on."""

    value: Json
    lines: range


def documents_in(page: Page) -> list[Document]:
    """Return every JSON object or list in a text, whole or broken, in order."""
    found: list[Document] = []
    starts = [0, *accumulate(len(line) + 1 for line in page.lines)]
    done = 0
    for number, line in enumerate(page.lines):
        opening = _OPENING.search(line, max(done - starts[number], 0))
        if opening is None or starts[number + 1] <= done:
            continue
        value, done = _decoded(page.text, starts[number] + opening.start())
        if any(objects_in(value)):
            last = bisect_right(starts, max(done - 1, starts[number])) - 1
            found.append(Document(value, range(number, last + 1)))
    return found


def objects_in(value: Json) -> list[dict[str, Json]]:
    """Return every object inside a value, outer ones first, in the order of the text."""
    found: list[dict[str, Json]] = []
    waiting: list[Json] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            found.append(item)
            waiting += reversed(item.values())
        elif isinstance(item, list):
            waiting += reversed(item)
    return found


def _decoded(text: str, start: int) -> tuple[Json, int]:
    """Return the value that starts here, and where it ends."""
    if text[start] in "{[":
        try:
            value, end = _STRICT.raw_decode(text, start)
        except (ValueError, RecursionError):
            return _decoded_loosely(text, start)
        return value, end
    return _decoded_loosely(text, start)


def _decoded_loosely(text: str, start: int) -> tuple[Json, int]:
    """Read what is there: keys before colons, values after them, brackets where they stand.

    A text that starts inside an object or ends inside one is read as far as it goes.
    """
    tree = _Tree()
    end = start + 1
    for token in _TOKEN.finditer(text, start):
        end = token.end()
        if token["mark"]:
            tree.mark(token["mark"])
            if tree.is_closed and text[start] in "{[":
                break
        elif token["word"]:
            tree.put(_WORDS[token["word"]])
        elif _COLON.match(text, end):
            tree.name(token["number"] or token["text"] or "")
        else:
            tree.put(_number(token["number"]) if token["number"] else token["text"])
    return tree.roots, end


def _number(digits: str) -> int | float:
    return int(digits) if digits.removeprefix("-").isdecimal() else float(digits)


class _Tree:
    """A value being read: the objects and lists that are open, and the key that waits."""

    def __init__(self) -> None:
        self.roots: Final[list[Json]] = []
        self._open: Final[list[dict[str, Json] | list[Json]]] = [self.roots]
        self._key: str | None = None

    @property
    def is_closed(self) -> bool:
        """Whether nothing is open any more."""
        return len(self._open) == 1

    def name(self, key: str) -> None:
        """Take a key; the value comes next. Outside an object it opens one."""
        if isinstance(self._open[-1], list):
            self._start({})
        self._key = key

    def put(self, value: Json) -> None:
        """Take a value; in an object without a key it is no part of it."""
        holder = self._open[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif self._key is not None:
            holder[self._key] = value
        self._key = None

    def mark(self, mark: str) -> None:
        """Open or close an object or a list; a bracket that closes nothing is passed over."""
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
