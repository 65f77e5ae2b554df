"""The JSON decoder's errors in plain words: path, expectation and value."""

import re
from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from sources.errors import SourceError

_WORDS: Final = {
    "int": "an int",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_SHOWN: Final = 40
"""The most characters of the value to quote."""


def malformed(error: msgspec.DecodeError, data: bytes) -> str:
    """Return a sentence for text that is not JSON, with line, column and the text there."""
    reason = str(error).removeprefix("JSON is malformed: ")
    position = re.search(r"\(byte (\d+)\)", reason)
    if position is None:
        line = data.rstrip().count(b"\n") + 1
        return f"this is not valid JSON: the text ends, in line {line}, before the JSON does"
    reason = reason[: position.start()].strip()
    return f"this is not valid JSON: {reason} at {position_of(data, int(position[1]))}"


def position_of(data: bytes, position: int) -> str:
    r"""Return line, column (from 1, in characters) and the text there.

    >>> position_of(b'{"a": 1,\n "b": NaN}', 15)
    "line 2, column 7, 'NaN}'"
    """
    start = data.rfind(b"\n", 0, position) + 1
    line = data.count(b"\n", 0, position) + 1
    column = len(data[start:position].decode(errors="replace")) + 1
    there = data[position : position + _SHOWN].decode(errors="replace").partition("\n")[0]
    return f"line {line}, column {column}, {there[:20]!r}"


def in_utf_8(text: str | bytes) -> bytes:
    """Return JSON in UTF-8. Raises SourceError for bytes that are not, with their place."""
    if isinstance(text, str):
        return text.encode(errors="replace")
    try:
        text.decode()
    except UnicodeDecodeError as error:
        position = position_of(text, error.start)
        message = f"this is not valid JSON: not UTF-8 text at {position}; save it as UTF-8"
        raise SourceError(message) from error
    return text


def invalid(
    error: msgspec.ValidationError, data: bytes, objection_to: Callable[[object], str | None]
) -> str:
    """Return a sentence for JSON that is not what was expected.

    The decoder writes ``topics[...]`` for an entry of a dictionary. ``objection_to``, its message
    for a document or None if that is valid, finds the key.
    """
    what, _, path = str(error).partition(" - at ")
    steps = re.findall(r"\[\.\.\.\]|\[\d+\]|[^.\[\]]+", path.strip("`").removeprefix("$"))
    try:
        value: object = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError):  # broken further on as well
        path = "".join(step if step.startswith("[") else f".{step}" for step in steps)
        path = path.partition("[...]")[0].removeprefix(".")
        return f"{path or 'the text'}: {expected(what)}"
    path = ""
    for step in steps:
        key = _guilty(value, path, str(error), objection_to) if step == "[...]" else step
        value = _within(value, key)
        path += key if key.startswith("[") else f".{key}"
    return _sentence(path.removeprefix("."), what, value)


def _guilty(
    value: object, path: str, objection: str, objection_to: Callable[[object], str | None]
) -> str:
    """Return the key whose entry alone causes the same message."""
    if isinstance(value, dict):
        for key, part in value.items():
            if objection_to({path.removeprefix("."): {key: part}}) == objection:
                return str(key)
    return "[...]"


def _within(value: object, key: str) -> object:
    """Return a part of the document, or None; only the last value of a repeated key is present."""
    if isinstance(value, dict):
        return value.get(key)
    number = key.strip("[]")
    if isinstance(value, list) and number.isdigit() and int(number) < len(value):
        return value[int(number)]
    return None


def _sentence(path: str, what: str, value: object) -> str:
    missing = re.search(r"missing required field `(.*)`", what)
    if missing is not None:
        keys = ", ".join(value) if isinstance(value, dict) else ""
        where = f"{path}.{missing[1]}" if path else missing[1]
        found_keys = f"only {keys[: 2 * _SHOWN]}" if keys else "nothing"
        return f"{where}: this field is required; found {found_keys}"
    return f"{path or 'the text'}: {expected(what)}, found {_shown(value)}"


def expected(what: str) -> str:
    """Rephrase the decoder's message.

    >>> expected("Expected `int | null`, got `str`")
    'expected an int or null'
    """
    plain = re.sub(r", got `.*`$", "", what)
    plain = re.sub(r"`([^`]*)`", lambda named: " or ".join(_words(named[1])), plain)
    return f"{plain[:1].lower()}{plain[1:]}"


def _words(types: str) -> Iterator[str]:
    return (_WORDS.get(name, name) for name in types.split(" | "))


def _shown(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
