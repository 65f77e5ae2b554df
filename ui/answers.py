"""The answer on the group on screen: composed once a run of the page, for all that it shows."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import streamlit as st

from assignors.catalogue import strategies
from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given, Knowledge, Statements, known_of
from evaluation.bounds.frontier import Frontier
from evaluation.compare import Outcome
from evaluation.judging import JudgeBy
from evaluation.running import Running
from sources.asking import given_of
from sources.reading import Reading
from ui import cache, told
from ui.clients import client
from ui.scenario import Scenario

_KEY: Final = "answer"
_HOUR_S: Final = 3600.0
SPREADS: Final = ("a total, spread evenly", "a total, spread by lag")
"""How a stated total divides among the partitions; links contain these labels."""


class _Cached:
    """Computes an answer's parts for all visitors, in other processes where they take long."""

    def running(
        self,
        group: Group,
        candidates: tuple[Strategy, ...],
        stated: Strategy | None,
        read: Strategy | None,
    ) -> Running:
        """Return the strategy that the group runs."""
        return cache.running(group, candidates, stated, read)

    def expected(
        self,
        group: Group,
        strategies: tuple[Strategy, ...],
        runs: Strategy | None,
        *,
        is_noticed: bool,
    ) -> Sequence[Outcome]:
        """Return what to expect of each strategy."""
        return cache.solved(group, strategies, runs, is_noticed)

    def frontier(self, group: Group) -> Frontier | None:
        """Return what each number of moves brings."""
        return cache.frontier(group)


_CACHED: Final = _Cached()


class _Kept(NamedTuple):
    """The answer of this run of the page, and what it was composed for."""

    group: Group
    stated: Statements
    client: str
    shown: tuple[Strategy, ...]
    answer: Answer


def answer_in(current: Scenario, shown: Sequence[Strategy] = ()) -> Answer:
    """Return the answer on the group on screen, with ``shown`` strategies among its outcomes."""
    said, of = stated(), client()
    kept: _Kept | None = st.session_state.get(_KEY)
    if (
        kept is not None
        and kept.group is current.group
        and (kept.stated, kept.client) == (said, of.name)
        and set(shown) <= {*kept.shown}
        and not _is_pending(kept.answer)
    ):
        return kept.answer
    answer = answer_of(given_in(current), _CACHED, tuple(shown))
    st.session_state[_KEY] = _Kept(current.group, said, of.name, tuple(shown), answer)
    return answer


def _is_pending(answer: Answer) -> bool:
    """Return whether simulations that are still to come may change the answer."""
    return any(
        outcome.outlook is not None and outcome.outlook.is_rough
        for outcome in answer.outcomes.values()
    )


def answer_as_read(reading: Reading) -> Answer:
    """Return the answer on a group that is not on screen, before anybody states anything of it."""
    return answer_of(given_of(reading, client=client()), _CACHED)


def given_in(current: Scenario, group: Group | None = None) -> Given:
    """Return what the answer starts from; ``group`` is another in place of the current one."""
    return given_of(current.reading, stated(), client(), current.group if group is None else group)


def known_in(current: Scenario, group: Group | None = None) -> Knowledge:
    """Return the facts of the group on screen, or of another in its place."""
    if group is None or group is current.group:
        kept: _Kept | None = st.session_state.get(_KEY)
        if kept is not None and kept.group is current.group and kept.stated == stated():
            return kept.answer.known
    return known_of(given_in(current, group))


def stated() -> Statements:
    """Return what the visitor states of the group on screen."""
    hours = told.usable(told.RETENTION)
    judge_by = told.text(told.JUDGE)
    return Statements(
        arriving=told.total(),
        is_spread_by_lag=told.choice(told.RATES, SPREADS) == SPREADS[1],
        speed=told.usable(told.SPEED),
        partition_cap=told.usable(told.CAP),
        interval_s=told.usable(told.INTERVAL),
        retention_s=hours * _HOUR_S if hours else None,
        runs=strategies().get(told.text(told.RUNS) or ""),
        is_quick=not told.is_slow(),
        judge_by=next((by for by in JudgeBy if by.value == judge_by), None),
        horizon_min=told.usable(told.HORIZON),
    )
