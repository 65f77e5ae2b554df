"""Client properties, parsed like Java's ``Properties.load``; secrets are never shown."""

import re
from collections import UserDict
from collections.abc import Iterator
from typing import Final

_SECRET_WORDS: Final = ("password", "secret", "token", "jaas", "credential")
_SECRET_VALUES: Final = (
    "ssl.key.pem",
    "ssl.certificate.pem",
    "sasl.oauthbearer.config",
    "sasl.oauthbearer.extensions",
)
_MASK: Final = "********"
_SHORTEST_MASKED: Final = 3
"""A secret of one or two characters would mask half of every sentence."""

_PEM: Final = r"-----BEGIN [^-]+-----(?:[^-]++|-(?!----))*+-----END [^-]+-----"
_PEMS: Final = re.compile(rf"{_PEM}(?:\s*{_PEM})*")
_CONTINUED: Final = re.compile(r"\\(?:\r\n|\n|\r)[ \t]*")
_END_OF_LINE: Final = re.compile(r"\r\n|\n|\r")
_KEY: Final = re.compile(r"((?:\\.|[^\\=:\s])*)\s*[=:]?\s*", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_CONTROL: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


class Properties(UserDict[str, str]):
    """Properties by librdkafka's names; secrets are masked when printed.

    Only ``live`` reads the values, to pass them to the client.
    """

    def __repr__(self) -> str:
        """Return the properties with every secret masked."""
        shown = {name: _MASK if is_secret(name) else value for name, value in self.items()}
        return f"Properties({shown})"

    def __reduce__(self) -> str:
        """Refuse to be pickled."""
        message = "properties hold secrets and are not written anywhere"
        raise TypeError(message)

    @property
    def servers(self) -> str:
        """The bootstrap servers, as given."""
        return self.get("bootstrap.servers", "")

    def scrub(self, text: str) -> str:
        """Return the text with every secret of these properties masked."""
        for name, value in self.items():
            if is_secret(name) and len(value) >= _SHORTEST_MASKED:
                text = text.replace(value, _MASK)
        return text


def is_secret(name: str) -> bool:
    """Return whether a property's value must not be shown."""
    plain = name.lower()
    return plain in _SECRET_VALUES or any(word in plain for word in _SECRET_WORDS)


def parse_properties(text: str) -> dict[str, str]:
    r"""Return the properties in the text; the last of repeated names counts.

    Comments begin with ``#`` or ``!``; a backslash at the end joins the next line. Unlike in
    Java, a certificate may stand there in its own lines.

    >>> parse_properties("a = 1\n# b=2\nlong: x \\\n   y")
    {'a': '1', 'long': 'x y'}
    """
    properties = {}
    for line in _logical_lines(_PEMS.sub(_in_one_line, text.lstrip("\ufeff"))):
        match = _KEY.match(line)
        if match and match[1]:
            properties[_plain(match[1])] = _plain(line[match.end() :].rstrip())
    return properties


def _in_one_line(pems: re.Match[str]) -> str:
    r"""Write line ends inside certificates, and between adjacent ones, as \n."""
    return _END_OF_LINE.sub(r"\\n", _CONTINUED.sub("", pems[0]))


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
