"""Remove artefacts of copying: escape sequences, quote marks, frames, markup."""

import html
import re
from typing import Final

from sources.cells import APOSTROPHES
from sources.pastes.separators import with_whole_numbers, with_whole_thousands

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*\x07?|[@-Z\\-_])")
_ENTITIES: Final = re.compile(r"&(?:gt|lt|amp|quot|nbsp|apos|#\d{1,4}|#x[0-9a-fA-F]{1,4});")
_TAGS: Final = re.compile(
    r"</?(?:pre|code|br|p|div|span|table|thead|tbody|tr|td|th|a|b|i|em|strong|font)\b[^<>\n]{0,500}>"
)
_HTML_ROW: Final = re.compile(r"<tr\b[^<>]{0,200}>(?:[^<]|<(?!/?tr\b)){0,9999}</tr>")
_HTML_CELL_END: Final = re.compile(r"</t[dh]>\s*(?=<t[dh])")
_QUOTES: Final = re.compile(r"^[ \t]{0,20}>[> \t]{0,20}", re.MULTILINE)
_BLANKS: Final = (
    "\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""Unicode's whitespace except for the space, the tab and the line break."""
_LOOKALIKES: Final = str.maketrans(
    dict.fromkeys(_BLANKS, " ")
    | dict.fromkeys("\xad\u061c\ufeff\u200b\u200c\u200d\u200e\u200f\u2060\x00", "")
    | dict.fromkeys("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069", "")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u2502\u2503\u2506\u250a\u2551\uff5c", "|")
    | dict.fromkeys("\u201c\u201d", '"')
    | dict.fromkeys(APOSTROPHES, "'")
)
_ASCII_LOOKALIKES: Final = re.compile(r"[\x00\x0b\x0c\x1c-\x1f]")
_TICKED: Final = re.compile(r"^([ \t]*)`([^`\n]+)`[ \t]*$", re.MULTILINE)
_ESCAPED_TABLE: Final = re.compile(r"\bPARTITION[ A-Z-]{1,400}\\n")
_LISTED_TABLE: Final = re.compile(r'"[^"\n]{0,99}\bPARTITION[ A-Z-]{1,400}", ?"')
"""The header of a table whose lines are texts in a list."""
_ESCAPED_BREAK: Final = re.compile(r"\\n|\"[:,] ?\[?\"")
"""A line break, or the start of the next string."""
_LINK: Final = re.compile(r"\[([^\[\]\n]{1,300})\]\((?:https?:|/)[^()\s]{0,500}\)")
"""A Markdown link."""
_FOREIGN_DIGIT: Final = re.compile(r"(?![0-9])\d")
_LOGGED: Final = re.compile(r'\{"(?:log|message|msg)":"((?:[^"\\]|\\[tn]){0,9999})"')
_CONTAINER: Final = re.compile(r"(?:\[pod/[^\]\s]{1,300}\]|[\w.-]{1,99}\s{0,99}\|) ")
"""What Docker Compose and kubectl write before each line of a container."""
_FEWEST_LINES: Final = 3
_FEWEST_BLANKS: Final = 4
"""In a line of a table that is quoted."""


def with_line_breaks(source: str) -> str:
    """Return the verbatim text, with line breaks restored in tables on one line of JSON or HTML."""
    text = source.replace("\r\n", "\n").replace("\r", "\n").replace("</tr><", "</tr>\n<")
    if ("\\n" in text and _ESCAPED_TABLE.search(text)) or _LISTED_TABLE.search(text):
        text = _ESCAPED_BREAK.sub("\n", text)
    return text


def as_read(word: str) -> str:
    """Return a word without what ``cleaned`` removes from it, and with what it replaces.

    >>> as_read("pay\u2011\uff11\u200b")
    'pay-1'
    """
    return _in_ascii_digits(_ESCAPES.sub("", word.translate(_LOOKALIKES)))


def _in_ascii_digits(text: str) -> str:
    return _FOREIGN_DIGIT.sub(lambda digit: str(int(digit[0])), text)


def cleaned(text: str) -> list[str]:
    """Return the lines of a text without artefacts of copying."""
    if not text.isascii() or _ASCII_LOOKALIKES.search(text):
        text = with_whole_numbers(text)
        text = _in_ascii_digits(text.translate(_LOOKALIKES))
    if "\x1b" in text:
        text = _ESCAPES.sub("", text)
    text = with_whole_thousands(text)
    if "<" in text:
        text = _TAGS.sub(" ", _HTML_ROW.sub(_row_in_one_line, text))
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if "&" in text:
        text = _ENTITIES.sub(lambda match: _one_line(html.unescape(match.group())), text)
    if ">" in text:
        text = _QUOTES.sub("", text)
    if "`" in text:
        text = _TICKED.sub(r"\1\2", text)
    lines = _without_container(text.split("\n"))
    if "|" in text:
        lines = list(map(_without_borders, lines))
    if '"' in text or "'" in text:
        lines = list(map(_unquoted, lines))
    return lines


def _without_container(lines: list[str]) -> list[str]:
    """Return the lines without the container's name, if each begins with the same one.

    >>> _without_container(["a-1  | GROUP  pay", "a-1  |", "a-1  | STATE  Stable"])
    ['GROUP  pay', '', 'STATE  Stable']
    """
    found = _CONTAINER.match(next(filter(str.strip, lines), ""))
    if found is None:
        return lines
    prefix, said = found[0].rstrip(), [line for line in lines if line.strip()]
    is_cell = any(not line.startswith(prefix) or "|" in line[len(prefix) :] for line in said)
    if len(said) < _FEWEST_LINES or is_cell:
        return lines
    return [line[len(found[0]) :] for line in lines]


def _without_borders(line: str) -> str:
    """Return a line without a frame; rows of a table have more such characters inside."""
    inner = line.strip().removeprefix("|").removesuffix("|")
    return line if "|" in inner else line.replace("|", " ")


def _row_in_one_line(row: re.Match[str]) -> str:
    """Return a row of an HTML table with tabs between cells, followed by its line breaks."""
    cells_apart = _HTML_CELL_END.sub("\t", row[0])
    return " ".join(re.split(r"[ \n]+", cells_apart)) + "\n" * row[0].count("\n")


def _unquoted(line: str) -> str:
    """Decode a line in JSON, such as lists of lines in automation and logs of containers."""
    inner = line.strip().removesuffix(",").removeprefix("- ")
    if (logged := _LOGGED.match(inner)) and ("  " in logged[1] or "\\t" in logged[1]):
        return logged[1].replace("\\t", "\t").replace("\\n", "")
    quote = inner[:1]
    is_text = quote == inner[-1:] and quote in {'"', "'"} and inner.count(quote) == 2  # noqa: PLR2004 -- a pair
    is_row = "\t" in inner or "  " in inner or inner.count(" ") >= _FEWEST_BLANKS
    return inner[1:-1] if is_text and is_row else line


def _one_line(character: str) -> str:
    return " " if character.isspace() or not character.isprintable() else character
