"""What is the matter with groups at their last snapshots, and what the rule refuses them then."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from assignors.catalogue import strategies as all_strategies
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.ending import ends_s
from evaluation.answering.engine import Glance
from evaluation.answering.given import Given
from evaluation.answering.options import WhyNot
from evaluation.answering.verdicts import VerdictKind
from evaluation.answering.words import words_of
from sources.asking import given_of
from sources.fleet.snapshot import last_snapshots
from sources.fleet.tables import Fleet
from sources.fleet.totals import KEYS, latest

LOOKED_AT: Final = 50
"""The most groups to look at, those with most load at their last snapshots."""
_AT_A_GLANCE: Final = Glance()


@dataclass(frozen=True, kw_only=True)
class State:
    """A group at its last snapshot, by the answer that its own page gives."""

    kind: VerdictKind
    severity: int
    is_alarm: bool
    short: str
    """The verdict in some 45 characters."""
    action: str
    """What to do if it is an alarm; "" if nothing."""
    ends_s: float
    """When the backlog has ended under the present owners; infinite if never, NaN if unknown."""
    refused: frozenset[str]
    """The strategies that are not proposed: the backlog never ends under them, or a cause stands
    that no assignment helps."""


def states(
    fleet: Fleet, rows: pd.DataFrame, strategies: Sequence[str]
) -> dict[tuple[str, str], State]:
    """Return the states of the groups with most load, by cluster and name.

    ``rows`` are those of ``as_it_was``; groups without load are left out.
    """
    last = latest(rows)
    waiting = last[last["total_load"].fillna(0) > 0]
    first = waiting.sort_values("total_load", ascending=False, kind="stable").head(LOOKED_AT)
    if first.empty:
        return {}
    return {
        key: _state(given_of(reading), strategies)
        for key, reading in last_snapshots(fleet, first[[*KEYS, "snapshot_at"]])
    }


def refusals(found: Mapping[tuple[str, str], State]) -> frozenset[tuple[str, str, str]]:
    """Return cluster, group and strategy wherever one is refused."""
    return frozenset((*key, name) for key, state in found.items() for name in state.refused)


def _state(given: Given, strategies: Sequence[str]) -> State:
    answer = answer_of(given, _AT_A_GLANCE)
    ends = None if answer.now is None else ends_s(answer.now.owners, answer.known)
    if any(not each.helped_by_assignment for each in answer.findings):
        refused = frozenset(strategies)
    elif ends is None:
        refused = frozenset()
    else:
        refused = frozenset(name for name in strategies if _never(answer, name))
    if answer.verdict.kind is VerdictKind.NEVER_CATCHES_UP and len(refused) < len(strategies):
        answer = answer_of(given)  # restarts decide under which strategies it ends
        never = {
            option.outcome.name: option.why_not is WhyNot.NEVER_ENDS
            for option in answer.strategies
            if option.outcome is not None
        }
        refused = frozenset(name for name in strategies if never.get(name, name in refused))
    verdict, words = answer.verdict, words_of(answer)
    return State(
        kind=verdict.kind,
        severity=int(verdict.severity),
        is_alarm=verdict.is_alarm,
        short=words.short,
        action=words.action if verdict.is_alarm else "",
        ends_s=np.nan if ends is None else ends,
        refused=refused,
    )


def _never(answer: Answer, name: str) -> bool:
    strategy = all_strategies().get(name)
    if strategy is None:
        return False
    ends = ends_s(strategy.settle(answer.group), answer.known)
    return ends is not None and bool(np.isinf(ends))
