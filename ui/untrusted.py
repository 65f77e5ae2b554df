"""The only way to show text from outside: pastes, files, links, clusters, the keyboard.

Streamlit interprets Markdown in labels, captions, messages, metrics and titles. All untrusted text
passes ``verbatim`` first; figures use ``charts.lettering.literal``, and the report escapes HTML
itself.
"""

import re
from typing import Final

_MARKS: Final = re.compile(r"([\\`*_~$#|<>\[\]{}!&()+.:-])")
"""Characters that Streamlit's Markdown may interpret."""
_LINK_JOINTS: Final = re.compile(r"(?<=:)(?=//|material/)|(?<=www)(?=\.)|(?=@)", re.IGNORECASE)
"""Where Streamlit creates links and icons even from escaped text."""
_WORD_JOINER: Final = "\u2060"
"""Invisible, of zero width, and without a line break; it would be copied."""
_IN_ADDRESS: Final = r"[\w./:?=%&+,;~@#-]"
_CODE: Final = re.compile(
    rf"(?<!\S)(--|<?->|<-|[<>~]=|(?>{_IN_ADDRESS}*?(?:://|:material/|www\.|@)){_IN_ADDRESS}*[\w/])"
    r"(?=[.,;:]?(?:\s|$))",
    re.IGNORECASE,
)
"""What Streamlit would make a dash, an arrow or a link of, if nothing in it ends a code span.

The first joint is as good as a later one, and the atomic group tries no other: a long name takes
time that grows with its length, not with its square."""
_SHOWN: Final = re.compile(rf"\\(.)|\*\*|`|:material/\w+: |{_WORD_JOINER}")
_BREAKS: Final = re.compile(r"[\r\n\u2028\u2029]+")


def verbatim(text: str) -> str:
    r"""Escape a text so that Markdown shows it literally, on one line.

    What Streamlit changes even if escaped is shown as code, so that a command is copied as it must
    be typed; an address among other marks gets an invisible character instead.

    >>> verbatim("app_*: $1 :red[a]")
    'app\\_\\*\\: \\$1 \\:red\\[a\\]'
    >>> verbatim("kubectl exec web -- ls --all")
    'kubectl exec web `--` ls \\-\\-all'
    >>> verbatim("at http://web:90."), verbatim("<www.web>").replace(_WORD_JOINER, "|")
    ('at `http://web:90`\\.', '\\<www|\\.web\\>')
    """
    parts = _CODE.split(_BREAKS.sub(" ", text))
    parts[1::2] = [f"`{code}`" for code in parts[1::2]]
    parts[::2] = [
        _MARKS.sub(r"\\\1", _LINK_JOINTS.sub(_WORD_JOINER, other)) for other in parts[::2]
    ]
    return "".join(parts)


def plain(markdown: str) -> str:
    r"""Return one of our sentences in Markdown as text: names as they are, no marks or icons.

    >>> plain(f":material/emergency: **{verbatim('www.a_b')}** reads *nothing*")
    'www.a_b reads *nothing*'
    """
    return _SHOWN.sub(lambda found: found[1] or "", markdown)
