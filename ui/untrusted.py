"""The only way to show text from outside: pastes, files, links, clusters, the keyboard.

Streamlit interprets Markdown in labels, captions, messages, metrics and titles. All untrusted text
passes ``verbatim`` first; figures use ``charts.lettering.literal``, and the report escapes HTML
itself.
"""

import re
from typing import Final

_MARKS: Final = re.compile(r"([\\`*_~$#|<>\[\]{}!&()+.:-])")
"""Characters that Streamlit's Markdown may interpret."""
_LINK_JOINTS: Final = re.compile(
    r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?=@)|(?<=[-<])(?=[->])", re.IGNORECASE
)
"""Where Streamlit creates links, dashes and arrows even from escaped text."""
_WORD_JOINER: Final = "\u2060"
"""Invisible, of zero width, and without a line break."""
_SHOWN: Final = re.compile(rf"\\(.)|\*\*|:material/\w+: |{_WORD_JOINER}")
_BREAKS: Final = re.compile(r"[\r\n\u2028\u2029]+")


def verbatim(text: str) -> str:
    r"""Escape a text so that Markdown shows it literally, on one line.

    URLs get an invisible character where Streamlit would turn them into links.

    >>> verbatim("app_*: $1 :red[a]")
    'app\\_\\*\\: \\$1 \\:red\\[a\\]'
    >>> verbatim("www.example").replace(_WORD_JOINER, "|")
    'www|\\.example'
    """
    joined = _LINK_JOINTS.sub(_WORD_JOINER, _BREAKS.sub(" ", text))
    return _MARKS.sub(r"\\\1", joined)


def plain(markdown: str) -> str:
    r"""Return one of our sentences in Markdown as text: names as they are, no marks or icons.

    >>> plain(f":material/emergency: **{verbatim('www.a_b')}** reads *nothing*")
    'www.a_b reads *nothing*'
    """
    return _SHOWN.sub(lambda found: found[1] or "", markdown)
