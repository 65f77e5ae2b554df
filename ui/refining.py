"""More simulations of switches, once the first figures are shown."""

import time
from collections.abc import Iterator, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.compose import held_back
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.outlook import is_large
from processes import limits
from processes.calls import StoppedError
from ui import cache, caching
from ui.answers import simulate_at_first
from ui.progress import PageProgress

_DRAWING: Final = "Simulating more switches to {}…"


def settled(answer: Answer, shown: Sequence[Outcome] = ()) -> "tuple[Answer, Refining | None]":
    """Return the answer as far as it may be given, and what more simulations it waits for.

    ``shown`` are the outcomes to simulate first. A switch is held back while simulations may change
    it; what is stopped, or may not be simulated further, stands as it is. Where they change digits
    alone, the answer is final at once, and a large group's first figures are its last.
    """
    hangs = answer.hangs_on_simulations
    if not hangs and (is_large(answer.group) or not answer.weighs_strategies):
        return answer, None
    refining = Refining(
        answer.group,
        answer.running.presumed,
        (*shown, *answer.outcomes.values()),
        is_noticed=answer.given.stated.is_noticed,
        unsimulated=answer.unsimulated,
    )
    return (held_back(answer) if hangs and refining.is_due else answer), refining


class Refining:
    """The simulations that would make the figures on screen more certain."""

    def __init__(
        self,
        group: Group,
        runs: Strategy | None,
        outcomes: Sequence[Outcome],
        *,
        is_noticed: bool,
        unsimulated: Sequence[Strategy] = (),
    ) -> None:
        """Look for what was drawn roughly among the outcomes, in this order; or not at all yet."""
        self._unsimulated = unsimulated
        strategies = dict.fromkeys(o.strategy for o in outcomes if o.strategy)
        self._group, self._runs, self._is_noticed = group, runs, is_noticed
        self._rough = cache.refinable(group, tuple(strategies), runs, is_noticed)
        self.progress = PageProgress(f"draws {caching.digest(group)} {runs and runs.name}")

    @property
    def is_due(self) -> bool:
        """Whether ``go_on`` draws."""
        return self._is_open and not self.progress.is_stopped

    @property
    def _is_open(self) -> bool:
        return bool(self._unsimulated or (self._rough and limits.refining_limit_s()))

    def go_on(self, area: DeltaGenerator) -> None:
        """Draw, with progress in the area; then run the page again with the better figures."""
        if not self._is_open:
            return
        if self.progress.is_stopped:
            self.progress.stopped_notice(area)
            return
        tries = self._first() if self._unsimulated else self._draws()
        self.progress.run(tries, area, len(self._unsimulated or self._rough), _DRAWING)
        st.rerun()

    def _first(self) -> Iterator[str]:
        yield self._unsimulated[0].label
        wanted = self._group, self._unsimulated, self._runs
        simulate_at_first(*wanted, is_noticed=self._is_noticed)

    def _draws(self) -> Iterator[str]:
        rough = self._rough
        end = time.monotonic() + limits.refining_limit_s()
        while rough:
            for strategy in rough:
                if time.monotonic() >= end:
                    self.progress.stop()
                    return
                yield strategy.label
                try:
                    cache.refined(self._group, strategy, self._runs, self._is_noticed)
                except StoppedError:  # the server is busy, or it takes too long: what stands stays
                    self.progress.stop()
                    return
            rough = cache.refinable(self._group, rough, self._runs, self._is_noticed)
