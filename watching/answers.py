"""The answer on each group: at a glance at every poll, in full where that may say something else.

Nearly every verdict follows from offsets, owners and members alone. Simulated restarts decide only
whether a group that is otherwise well could be spread better, and they take a hundred times as
long; so each poll spends at most a part of its interval on them, on the groups that have waited
longest.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.answering.given import Given
from evaluation.verdict_kinds import VerdictKind
from processes.calls import StoppedError, call

_GLANCE: Final = Glance()


def at_a_glance(given: Given) -> Answer:
    """Return the answer without simulations; its verdict may be final."""
    return answer_of(given, _GLANCE)


class _TimeIsUpError(Exception):
    """The time for full answers of one poll is used up."""


@dataclass
class FullAnswers:
    """Verdicts of full answers, refreshed in turn."""

    _of: dict[str, tuple[VerdictKind, VerdictKind]] = field(default_factory=dict)
    """By group, the verdict at a glance for which it was found, and the full one."""
    _asked: dict[str, float] = field(default_factory=dict)
    waiting: int = 0
    """Groups whose full verdict is not known yet."""

    def kind_of(self, group: str, kind: VerdictKind, *, is_final: bool) -> VerdictKind:
        """Return the verdict of an answer at a glance, or the full one that was found for it."""
        glanced, full = self._of.get(group, (None, kind))
        return full if glanced is kind and not is_final else kind

    def refresh(
        self,
        kinds: Mapping[str, VerdictKind],
        given: Callable[[str], Given],
        most_s: float,
        check: Callable[[], object],
    ) -> None:
        """Answer in full on the groups that have waited longest, as long as the time lasts."""
        self._of = {name: found for name, found in self._of.items() if name in kinds}
        self._asked = {name: at for name, at in self._asked.items() if name in kinds}
        until = time.monotonic() + most_s
        for name in sorted(kinds, key=lambda name: self._asked.get(name, -np.inf)):
            if time.monotonic() >= until:
                break
            self._asked[name] = time.monotonic()
            answer = in_full(given(name), until, check)
            if answer is not None:
                self._of[name] = (kinds[name], answer.verdict.kind)
        self.waiting = sum(
            self._of.get(name, (None,))[0] is not kind for name, kind in kinds.items()
        )


def in_full(given: Given, until: float, check: Callable[[], object]) -> Answer | None:
    """Return the whole answer from a process of its own; None if it takes too long."""

    def look() -> None:
        check()
        if time.monotonic() >= until:
            raise _TimeIsUpError

    try:
        answer: Answer = call(answer_of, given, checks=(look,))
    except (_TimeIsUpError, StoppedError):
        return None
    return answer
