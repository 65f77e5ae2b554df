r"""The text of a ``client.properties`` file, by the rules of Java's ``Properties.load``."""

import re
from collections.abc import Iterator
from typing import Final

_PEM_HEAD: Final = re.compile(r"-----BEGIN [^-]+-----")
_PEM_END: Final = re.compile(r"-----END [^-]+-----")
_CONTINUED: Final = re.compile(r"\\(?:\r\n|\n|\r)[ \t]*")
_END_OF_LINE: Final = re.compile(r"\r\n|\n|\r")
_KEY: Final = re.compile(r"((?:\\.|[^\\=:\s])*)\s*[=:]?\s*", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def pairs(text: str) -> dict[str, str]:
    r"""Return the properties in the text; of a name given twice the later one counts.

    Comments begin with ``#`` or ``!``; a backslash at the end joins the next line. Unlike in
    Java, a certificate may stand there in its own lines.

    >>> pairs("a = 1\n# b=2\nlong: x \\\n   y")
    {'a': '1', 'long': 'x y'}
    """
    found = {}
    for line in _logical_lines(_with_pems_in_one_line(text.lstrip("\ufeff"))):
        match = _KEY.match(line)
        if match and match[1]:
            found[_plain(match[1])] = _plain(line[match.end() :].rstrip())
    return found


def _with_pems_in_one_line(text: str) -> str:
    r"""Write the line ends inside certificates, and between those that follow each other, as \n."""
    parts: list[str] = []
    start = 0
    while (head := _PEM_HEAD.search(text, start)) is not None:
        end = _PEM_END.search(text, head.end())
        if end is None:  # nor does any later head have an end
            break
        between = text[start : head.start()]
        is_next = bool(parts) and not between.strip()
        parts.append(_in_one_line(between) if is_next else between)
        parts.append(_in_one_line(text[head.start() : end.end()]))
        start = end.end()
    return "".join([*parts, text[start:]])


def _in_one_line(text: str) -> str:
    return _END_OF_LINE.sub(r"\\n", _CONTINUED.sub("", text))


def _logical_lines(text: str) -> Iterator[str]:
    held: list[str] = []
    for line in _END_OF_LINE.split(text):
        part = line.lstrip(" \t\f")
        if not held and part[:1] in ("#", "!", ""):
            continue
        backslashes = len(part) - len(part.rstrip("\\"))
        if backslashes % 2:
            held += filter(None, [part[:-1]])
            continue
        yield "".join([*held, part])
        held = []
    if held:
        yield "".join(held)


def _plain(text: str) -> str:
    return _ESCAPE.sub(lambda m: _unescaped(m[1]), text)


def _unescaped(code: str) -> str:
    if len(code) > 1:
        return chr(int(code[1:], 16))
    return _CONTROL.get(code, code)
