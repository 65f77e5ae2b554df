"""A pasted text as lines: as they came, to quote, and cleaned of what copying leaves behind."""

import html
import re
from functools import cached_property
from typing import Final

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*\x07?|[@-Z\\-_])")
_ENTITIES: Final = re.compile(r"&(?:gt|lt|amp|quot|nbsp|apos|#\d{1,4}|#x[0-9a-fA-F]{1,4});")
_TAGS: Final = re.compile(r"</?(?:pre|code|br|p|div|span|td|tr|th|b|font)\b[^<>\n]{0,200}>")
_QUOTES: Final = re.compile(r"^[ \t]{0,20}>[> \t]{0,20}", re.MULTILINE)
_LOOKALIKES: Final = str.maketrans(
    dict.fromkeys("\xa0\u2002\u2003\u2007\u2009\u202f\u3000", " ")
    | dict.fromkeys("\ufeff\u200b\u200c\u200d\u2060\x00", "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2502\u2503\u2551\uff5c", "|")
    | dict.fromkeys("\u201c\u201d", '"')
)
_FENCE: Final = re.compile(r"\W*(?:```|~~~)\s*\w*\s*|\W*\{(?:code|noformat|quote)[^{}]*\}\W*")
_COMMENTARY: Final = re.compile(
    r"\W*(?:Note: This will (?:only|not) show information about"
    r"|(?:Warning: )?Consumer group '.*' (?:has no active members|is rebalancing)"
    r"|HELP \w+ |TYPE \w+ \w+\s*$)"
)


class Page:
    """The lines of one text; lines are numbered from 0 here and from 1 towards users."""

    def __init__(self, text: str) -> None:
        unified = text.replace("\r\n", "\n").replace("\r", "\n")
        self.raw: Final[list[str]] = unified.split("\n")
        self.lines: Final[list[str]] = _cleaned(unified)

    @cached_property
    def text(self) -> str:
        """The cleaned lines as one text."""
        return "\n".join(self.lines)

    def ignored(self, used: set[int]) -> tuple[tuple[int, str], ...]:
        """Return number and text of every line that was not used and says something."""
        return tuple(
            (number + 1, self.raw[number].rstrip())
            for number, line in enumerate(self.lines)
            if number not in used and not is_decoration(line) and not _COMMENTARY.match(line)
        )


def is_decoration(line: str) -> bool:
    """Tell whether a line is blank, a rule, a fence or an elision: no word and no number."""
    return _is_wordless(line) or _FENCE.fullmatch(line) is not None


def _is_wordless(line: str) -> bool:
    return not any(map(str.isalnum, line))


def _cleaned(text: str) -> list[str]:
    if not text.isascii():
        text = text.translate(_LOOKALIKES)
    elif "\x00" in text:
        text = text.replace("\x00", "")
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    if "<" in text:
        text = _TAGS.sub(" ", text)
    if "&" in text:
        text = _ENTITIES.sub(lambda found: _one_line(html.unescape(found.group())), text)
    if ">" in text:
        text = _QUOTES.sub("", text)
    lines = text.split("\n")
    return list(map(_unquoted, lines)) if '"' in text else lines


def _unquoted(line: str) -> str:
    """Take a line out of a JSON list of lines, as automation prints the output of commands."""
    inner = line.strip().removesuffix(",")
    is_text = inner[:1] == inner[-1:] == '"' and inner.count('"') == 2  # noqa: PLR2004 -- a pair
    return inner[1:-1] if is_text and "  " in inner else line


def _one_line(character: str) -> str:
    return " " if character.isspace() or not character.isprintable() else character
