"""The single way to show text from outside: pastes, files, links, clusters, the keyboard.

Streamlit reads Markdown in labels, captions, messages, metrics and titles. Whatever a
stranger may have written passes ``verbatim`` before it gets there; figures have
``charts.lettering.literal``, and the report escapes HTML itself.
"""

import re
from typing import Final

_MARKS: Final = re.compile(r"([\\`*_~$#|<>\[\]{}!&()+.:-])")
"""Characters that Streamlit's Markdown may interpret."""
_LINK_JOINTS: Final = re.compile(
    r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?=@)|(?<=[-<])(?=[->])", re.IGNORECASE
)
"""Where Streamlit makes links, dashes and arrows even of escaped text."""
_WORD_JOINER: Final = "\u2060"
"""Invisible, without width, and no place to break a line."""
_BREAKS: Final = re.compile(r"[\r\n\u2028\u2029]+")


def verbatim(text: str) -> str:
    r"""Return a text so that Markdown shows it letter by letter, on one line.

    Addresses get an invisible character where Streamlit would make a link of them.

    >>> verbatim("app_*: $1 :red[a]")
    'app\\_\\*\\: \\$1 \\:red\\[a\\]'
    >>> verbatim("www.example").replace(_WORD_JOINER, "|")
    'www|\\.example'
    """
    joined = _LINK_JOINTS.sub(_WORD_JOINER, _BREAKS.sub(" ", text))
    return _MARKS.sub(r"\\\1", joined)
