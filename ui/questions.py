"""The questions below the picture of a group of any kind: one at a time is asked, and answered."""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from ui.choices.option import OptionChoice

_T = TypeVar("_T")
ASKED: Final = OptionChoice("view")
WHY: Final = "Why"


def answer_asked(answers: Mapping[str, Callable[[], _T]]) -> _T | None:
    """Let the visitor ask one of these questions, and show its answer; None while none is asked."""
    asked = ASKED.fold("More about this group", list(answers))
    return answers[asked]() if asked else None
