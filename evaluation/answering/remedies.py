"""What could be done that changes no strategy: restart, fix, split, add, wait, look."""

from collections.abc import Mapping
from typing import Final

import numpy as np

from evaluation.answering.given import Given, Knowledge
from evaluation.answering.options import Action, Option, Takes
from evaluation.answering.verdicts import Verdict, VerdictKind
from evaluation.capacity.limits import consumers_to_keep_pace
from evaluation.facts import Source

_REMEDY: Final[Mapping[VerdictKind, Action]] = {
    VerdictKind.REBALANCE_UNDER_WAY: Action.ADD_SNAPSHOT,
    VerdictKind.NO_CONSUMERS: Action.START,
    VerdictKind.KEEPS_REBALANCING: Action.LOOK,
    VerdictKind.CRASH_LOOP: Action.LOOK,
    VerdictKind.STOPPED: Action.RESTART,
    VerdictKind.NOBODY_READS: Action.START,
    VerdictKind.STUCK_RECORD: Action.FIX_RECORD,
    VerdictKind.NOT_READ: Action.LOOK,
    VerdictKind.TOO_HOT: Action.SPLIT_KEYS,
    VerdictKind.SLOWER: Action.LOOK,
    VerdictKind.MORE_ARRIVES: Action.ADD_CONSUMERS,
    VerdictKind.FULL: Action.ADD_CONSUMERS,
    VerdictKind.NEVER_CATCHES_UP: Action.ADD_CONSUMERS,
    VerdictKind.RECORDS_LOST: Action.LOOK,
    VerdictKind.TOO_LITTLE_KNOWN: Action.ADD_SNAPSHOT,
    VerdictKind.BEHIND: Action.ADD_SNAPSHOT,
    VerdictKind.LAG_UNKNOWN: Action.ADD_SNAPSHOT,
    VerdictKind.CATCHING_UP: Action.WAIT,
    VerdictKind.IDLE: Action.REMOVE_CONSUMERS,
}
"""The one thing to do about each verdict that no assignment helps."""


def remedies(verdict: Verdict, given: Given, known: Knowledge) -> tuple[Option, ...]:
    """Return the remedy of a verdict, and waiting where the backlog ends by itself."""
    action = _REMEDY.get(verdict.kind)
    if action is None:
        return ()
    group = given.group
    consumers = None
    if action is Action.ADD_CONSUMERS:
        facts = known.facts
        rates = np.where(group.is_wanted, facts.arriving, 0.0)
        needed = consumers_to_keep_pace(rates, facts.speed.records_s, facts.partition_cap)
        is_more = needed is not None and needed > group.member_count
        consumers = needed if is_more and facts.speed.source is not Source.GUESS else None
    elif action is Action.REMOVE_CONSUMERS:
        consumers = group.member_count - len(verdict.members)
    return (
        Option(
            action=action,
            takes=Takes.NOTHING if action is Action.WAIT else Takes.HANDS,
            consumers=consumers,
            members=verdict.members,
            partitions=verdict.partitions,
            ends_s=_ends_s(action, verdict, known),
        ),
    )


def _ends_s(action: Action, verdict: Verdict, known: Knowledge) -> float | None:
    """Return when the backlog has ended after it, where the figures tell."""
    ends = verdict.figure("ends_s")
    if action is Action.RESTART:
        ends = verdict.figure("ends_after_restart_s")
    return None if ends is None or known.facts.arriving_source is None else float(np.float64(ends))
