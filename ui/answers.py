"""The answer on the group on screen: composed once a run of the page, for all that it shows."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import streamlit as st

from assignors.model import Group
from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given, Knowledge, Statements, known_of
from evaluation.assuming.clients import Client
from evaluation.assuming.running import Running
from evaluation.bounds.frontier import Frontier
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.outlook import Outlook, is_large
from evaluation.judging import JudgeBy
from evaluation.kinds.stated import KindStated
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.reading import Reading
from processes import limits
from sources.asking import given_of
from ui import cache, caching, told
from ui.clients import client
from ui.scenario import Scenario

_ANSWER: Final = "answer"
_FACTS: Final = "facts"
_SIMULATED: Final = "simulated_at_first"
_FACTS_OF_ANOTHER: Final = "facts_of_another"
_HOUR_S: Final = 3600.0


@dataclass(frozen=True)
class _Cached:
    """Computes an answer's parts for all visitors, in other processes where they take long."""

    simulates: bool = True
    """Whether switches are simulated that nobody has asked for yet."""

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
        """Return what to expect of each strategy; nothing if some may not be simulated."""
        if self.simulates or cache.are_simulated(group, strategies, runs, is_noticed):
            return cache.solved(group, strategies, runs, is_noticed)
        return ()

    def frontier(self, group: Group) -> Frontier | None:
        """Return what each number of moves brings."""
        return cache.frontier(group)


_CACHED: Final = _Cached()
_SO_FAR: Final = _Cached(simulates=False)


class _Asked(NamedTuple):
    """What an answer is composed for: the same while all of it is the same."""

    reading: Reading
    group: Group
    stated: Statements
    client: Client

    def is_as(self, other: "_Asked") -> bool:
        """Return whether both ask for one answer: groups and readings by identity."""
        is_same = self.group is other.group and self.reading is other.reading
        return is_same and (self.stated, self.client.name) == (other.stated, other.client.name)


class _Known(NamedTuple):
    """The facts of the group on screen."""

    asked: _Asked
    known: Knowledge


class _Kept(NamedTuple):
    """The answer on the group on screen."""

    asked: _Asked
    shown: frozenset[Strategy]
    answer: Answer


def answer_in(current: Scenario, shown: Sequence[Strategy] = ()) -> Answer:
    """Return the answer on the group on screen, with ``shown`` strategies among its outcomes."""
    asked = _asked(current)
    kept: _Kept | None = st.session_state.get(_ANSWER)
    if kept is not None and kept.asked.is_as(asked):
        if kept.shown.issuperset(shown) and not _is_outdone(kept.answer):
            return kept.answer
        shown = (*kept.shown, *shown)
    wanted, given = tuple(dict.fromkeys(shown)), _given(asked)
    answer = answer_of(given, _CACHED, wanted, _known(asked, given))
    st.session_state[_ANSWER] = _Kept(asked, frozenset(wanted), answer)
    return answer


def answer_of_kind(current: Scenario, said: KindStated) -> Answer:
    """Return the answer on a group of another kind under the settings that are stated of it."""
    asked = _asked(current)
    given = replace(_given(asked), kind_stated=said)
    return answer_of(given, _CACHED, known=_known(asked, given))


def answer_so_far(current: Scenario, shown: Sequence[Strategy] = ()) -> Answer:
    """Return the answer in which a large group's strategies may be ``unsimulated`` as yet.

    That is where no simulation changes its verdict.
    """
    asked = _asked(current)
    # What came of a simulation may not have been kept, so it is tried once.
    tried: set[str] = st.session_state.setdefault(_SIMULATED, set())
    if is_large(asked.group) and (key := caching.digest(asked.group)) not in tried:
        given = _given(asked)
        found = answer_of(given, _SO_FAR, shown, _known(asked, given))
        is_untried = caching.digest(found.group) not in tried
        if found.unsimulated and found.is_verdict_final and is_untried:
            return found
        tried.add(key)
    return answer_in(current, shown)


def simulate_at_first(
    group: Group, strategies: Sequence[Strategy], runs: Strategy | None, *, is_noticed: bool
) -> None:
    """Draw the first of each switch that the answer so far has not."""
    cache.solved(group, strategies, runs, is_noticed)
    st.session_state.setdefault(_SIMULATED, set()).add(caching.digest(group))


def _is_outdone(answer: Answer) -> bool:
    """Return whether more restarts have been simulated than the answer rests on."""
    rough = _rough_in(answer)
    is_noticed = answer.given.stated.is_noticed
    found = cache.solved(answer.group, tuple(rough), answer.running.presumed, is_noticed)
    return any(each.strategy and each.outlook is not rough[each.strategy] for each in found)


def _rough_in(answer: Answer) -> dict[Strategy, Outlook]:
    """Return the outlooks of the answer that more simulations may change."""
    return {
        outcome.strategy: outcome.outlook
        for outcome in answer.outcomes.values()
        if outcome.strategy and outcome.outlook is not None and outcome.outlook.is_rough
    }


def answer_as_read(reading: Reading) -> Answer:
    """Return the answer on a group that is not on screen, before anybody states anything of it."""
    return answer_of(given_of(reading, client=client()), _CACHED)


def answer_instead(other: Scenario) -> Answer:
    """Return the answer on an open group that is not on screen, within ``asked_instead`` of it."""
    return answer_of(_given(_asked(other)), _CACHED)


def answer_before_visits(reading: Reading) -> Answer:
    """Return the answer on a group as it is first shown, outside any visit.

    What it rests on is kept for all who open the group. Raises StoppedError.
    """
    return answer_of(given_of(reading), _CACHED)


def refine_before_visits(answer: Answer) -> None:
    """Simulate what the page of this answer would, as long as it may. Raises StoppedError."""
    end = time.monotonic() + limits.refining_limit_s()
    runs, is_noticed = answer.running.presumed, answer.given.stated.is_noticed
    rough = [*_rough_in(answer)]
    while rough and time.monotonic() < end:
        found = [cache.refined(answer.group, each, runs, is_noticed) for each in rough]
        rough = [o.strategy for o in found if o.strategy and o.outlook and o.outlook.is_rough]


def answer_then(current: Scenario, group: Group, history: OffsetHistory) -> Answer:
    """Return the answer that the group on screen would have got earlier, as it was then."""
    given = replace(_given(_asked(current)), group=group, history=history, rebalancing=None)
    return answer_of(given, _CACHED)


def known_in(current: Scenario) -> Knowledge:
    """Return the facts of the group on screen; found once while nothing of it changes."""
    asked = _asked(current)
    return _known(asked, _given(asked))


def _known(asked: _Asked, given: Given, place: str = _FACTS) -> Knowledge:
    """Return the facts kept of what is asked about, or find them in what is given of it."""
    kept: _Known | None = st.session_state.get(place)
    if kept is not None and kept.asked.is_as(asked):
        return kept.known
    known = known_of(given)
    st.session_state[place] = _Known(asked, known)
    return known


def known_of_another(current: Scenario, group: Group) -> Knowledge:
    """Return the facts of another group in the place of the one on screen, such as a baseline."""
    asked = _asked(current)._replace(group=group)
    return _known(asked, _given(asked), _FACTS_OF_ANOTHER)


def _asked(current: Scenario) -> _Asked:
    return _Asked(current.reading, current.group, stated(), client())


def _given(asked: _Asked) -> Given:
    return given_of(asked.reading, asked.stated, asked.client, asked.group)


def stated() -> Statements:
    """Return what the visitor states of the group on screen."""
    hours = told.RETENTION.usable()
    judge_by, runs = told.JUDGE.picked(), told.RUNS.text()
    return Statements(
        arriving=told.TOTAL.usable(),
        is_spread_by_lag=told.RATES.chosen(told.SPREADS) == told.SPREADS[1],
        speed=told.SPEED.usable(),
        partition_cap=told.CAP.usable(),
        interval_s=told.INTERVAL.usable(),
        retention_s=hours * _HOUR_S if hours else None,
        runs=next((s for s in client().strategies if s.name == runs), None) if runs else None,
        is_noticed=told.is_noticed(),
        judge_by=next((by for by in JudgeBy if by.value == judge_by), None),
        horizon_min=told.HORIZON.usable(),
    )
