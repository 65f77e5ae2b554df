"""The lines of a Java consumer's log, whole again where a terminal or a mail wrapped them."""

import re
from collections.abc import Sequence
from typing import Final

SIGN: Final = "[Consumer "
_BEGINS: Final = re.compile(
    r"\W{0,2}(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d?:\d\d:\d\d|\d\d?[-/. ]\w{2,9}[-/. ]\d{4}"
    r"|(?:[A-Z][a-z]{2},? )?[A-Z][a-z]{2} {1,2}\d)"
    r"|\s{0,9}\[pod/\S{1,300}\]|\S{1,300}\s{0,99}\|\s"
)
"""The time of a log's line, or the container that it comes from."""
_TRACE: Final = re.compile(r"\s{1,8}(?:at |\.\.\. \d)|Caused by: ")
"""A line of a stack trace is whole."""
_NARROWEST: Final = 40


def whole_lines(lines: Sequence[str]) -> list[str]:
    """Return as many lines, each with the rest of it that was wrapped; those rests are blank.

    A rest has no time of its own, and its first word had no place left: the width is that of the
    longest line. Where every line that goes on is full, words may have been cut in two.
    """
    text = "".join(lines)
    if SIGN.rstrip() not in text:
        return [*lines]
    begins = [bool(_BEGINS.match(line)) and len(line) >= _NARROWEST for line in lines]
    may_go_on = [False] * len(lines)
    for k in range(1, len(lines)):
        is_rest = bool(lines[k]) and not (begins[k] or _TRACE.match(lines[k]))
        may_go_on[k] = is_rest and (begins[k - 1] or may_go_on[k - 1])
    width = max((len(lines[k - 1]) for k in range(1, len(lines)) if may_go_on[k]), default=0)
    rests = [k for k, may in enumerate(may_go_on) if may and _is_full(lines, k - 1, width)]
    if len(rests) == 1:  # no evidence of a width
        return [*lines]
    is_cut = all(len(lines[k - 1]) >= width - 1 for k in rests)  # a blank at its end is not seen
    whole, at, last = [*lines], 0, 0
    for k in rests:
        at = at if last == k - 1 else k - 1
        last = k
        joint = "" if is_cut and len(lines[k - 1]) == width else " "
        whole[at] += joint + lines[k]
        whole[k] = ""
    return whole


def _is_full(lines: Sequence[str], k: int, width: int) -> bool:
    """Return whether the first word of the next line had no place left on this one."""
    return len(lines[k]) + 1 + len(lines[k + 1].split(" ", 1)[0]) > width
