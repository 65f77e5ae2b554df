"""Every strategy's owners at every snapshot of a batch, each step owning the last."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.model import (
    UNKNOWN,
    UNOWNED,
    BoolArray,
    Group,
    InvalidGroupError,
    LongArray,
    Owners,
)
from assignors.registry import Sees, Strategy
from assignors.rules import InvalidAssignmentError, check, check_each
from evaluation.bounds.lag import free_bound, free_bounds
from pipeline.replay.layout import NONE, Layout, holds_for_all
from pipeline.replay.membership import Membership, carried
from pipeline.replay.offsets import Offsets
from pipeline.replay.questions import Questions

LONG_MAX: Final = int(np.iinfo(np.int64).max)
_MOST_AT_ONCE: Final = 1 << 16
"""Answers of more owners than this are checked one by one, which takes less memory."""
EXPLAINED: Final = (InvalidAssignmentError, InvalidGroupError)
"""What a strategy may fail with for a reason that can be told; anything else is our bug."""


class Failure(NamedTuple):
    """A strategy that has no answer at a snapshot; its owners stay as they were."""

    unit: int
    strategy: str
    reason: str


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """The owners, numbered within each snapshot, and the best that was possible."""

    found: Owners
    """(P,) as telemetry shows them."""
    owners: tuple[Owners, ...]
    """(P,) for each strategy."""
    best_max_lag: LongArray
    """(U,) no assignment has a smaller largest lag; ``UNKNOWN`` if nothing can be said."""
    is_answered: BoolArray
    """(strategies, U) whether the strategy had an answer."""
    failures: tuple[Failure, ...]


def answers_of(
    questions: Questions,
    layout: Layout,
    membership: Membership,
    offsets: Offsets,
    strategies: Sequence[Strategy],
) -> Answers:
    """Ask every strategy at every snapshot, in order of time within each group.

    At a group's first snapshot the claims are the owners found; later they are what the
    strategy itself answered before, of the partitions and members that still exist. A
    strategy is not asked again while nothing it sees has changed.
    """
    replay = _Replay(questions, layout, membership, offsets, strategies)
    for unit in np.flatnonzero(~layout.is_chain).tolist():
        replay.go_through(unit)
    return Answers(
        found=replay.found,
        owners=tuple(replay.owners),
        best_max_lag=replay.best,
        is_answered=replay.is_answered,
        failures=tuple(replay.failures),
    )


class _Replay:
    """The owners so far, snapshot after snapshot."""

    def __init__(
        self,
        questions: Questions,
        layout: Layout,
        membership: Membership,
        offsets: Offsets,
        strategies: Sequence[Strategy],
    ) -> None:
        self.questions, self.strategies = questions, strategies
        self.sees_owners = [Sees.OWNERS in strategy.sees for strategy in strategies]
        self.sees_lag = [Sees.LAG in strategy.sees for strategy in strategies]
        self.follows: list[bool] = layout.follows.tolist()
        self.partitions: list[int] = layout.unit_starts.tolist()
        self.members: list[int] = membership.starts.tolist()
        self.before, self.member_after = layout.before, membership.after
        is_same = layout.has_same_partitions & membership.is_as_before
        is_same[1:] &= ~layout.is_chain[:-1]
        self.is_same: list[bool] = is_same.tolist()
        self.has_same_lags: list[bool] = (is_same & _has_same_lags(layout, offsets)).tolist()
        shift = membership.starts[layout.unit_of_partition]
        is_nobodys = membership.owner == NONE
        self.found = np.where(is_nobodys, UNOWNED, membership.owner - shift).astype(np.int32)
        self.owners = _chain_owners(layout, membership, len(strategies))
        """(strategies, P)"""
        self.claims: list[Owners] = [self.found[:0]] * len(strategies)
        self.best = _plain_bounds(layout, membership, offsets)
        self.is_answered = np.ones((len(strategies), layout.unit_count), np.bool_)
        self.failures: list[Failure] = []
        self.like: Group | None = None

    def go_through(self, unit: int) -> None:
        """Let every strategy answer at one snapshot."""
        if self.members[unit] == self.members[unit + 1]:
            return  # nobody can own anything, and no bound holds
        span = slice(self.partitions[unit], self.partitions[unit + 1])
        asked = _Asked(self.questions, unit, self.like if self.is_same[unit] else None)
        if self.has_same_lags[unit]:
            self.best[unit] = self.best[unit - 1]
        elif self.best[unit] == UNKNOWN:
            bound = free_bound(asked.group())
            self.best[unit] = UNKNOWN if bound is None else min(bound, LONG_MAX)
        changed = self._changed(unit, span)
        if changed:
            self._ask(changed, unit, asked)
        self.like = asked.latest

    def _changed(self, unit: int, span: slice) -> list[int]:
        """Return the strategies that must be asked; let the others answer as before."""
        every = range(len(self.strategies))
        if not self.follows[unit]:
            self.claims = [self.found[span]] * len(every)
            return list(every)
        changed = []
        for number in every:
            owners = self.owners[number]
            if self._is_unchanged(number, unit):
                owners[span] = owners[self.partitions[unit - 1] : span.start]
            else:
                changed.append(number)
        return changed

    def _is_unchanged(self, number: int, unit: int) -> bool:
        """Tell whether a strategy sees what it saw at the snapshot before; note what it claims."""
        is_same = self.has_same_lags[unit] if self.sees_lag[number] else self.is_same[unit]
        if is_same:
            is_same = bool(self.is_answered[number, unit - 1])
        if self.sees_owners[number]:
            claims = self._claims(number, unit)
            is_same = is_same and np.array_equal(claims, self.claims[number])
            self.claims[number] = claims
        return is_same

    def _ask(self, numbers: list[int], unit: int, asked: "_Asked") -> None:
        """Let these strategies answer, and hold their answers to the rules."""
        span = slice(self.partitions[unit], self.partitions[unit + 1])
        found: dict[int, Owners] = {}
        reasons: dict[int, str] = {}
        for number in numbers:
            group = asked.group(self.claims[number] if self.sees_owners[number] else None)
            try:
                found[number] = self.strategies[number].settle(group)
            except EXPLAINED as error:
                reasons[number] = str(error)
        together = _checked_together(asked.group(), list(found.values()))
        if together is not None:
            self.owners[list(found), span] = together
        else:
            reasons |= self._note_one_by_one(found, span, asked.group())
        for number in sorted(reasons):
            self.is_answered[number, unit] = False
            name = self.strategies[number].name
            self.failures.append(Failure(unit, name, reasons[number]))
            self.owners[number, span] = self._claims(number, unit)

    def _note_one_by_one(
        self, found: dict[int, Owners], span: slice, group: Group
    ) -> dict[int, str]:
        """Note the answers that obey the rules; return why the others do not."""
        reasons = {}
        for number, owners in found.items():
            try:
                self.owners[number, span] = check(group, owners)
            except InvalidAssignmentError as error:
                reasons[number] = str(error)
        return reasons

    def _claims(self, number: int, unit: int) -> Owners:
        """Return what a strategy's members own when it is asked at a snapshot."""
        span = slice(self.partitions[unit], self.partitions[unit + 1])
        if not self.follows[unit]:
            return self.found[span]
        if self.is_same[unit]:
            before: Owners = self.owners[number, self.partitions[unit - 1] : span.start]
            return before
        return carried(
            self.owners[number],
            self.before[span],
            self.member_after,
            (self.members[unit - 1], self.members[unit]),
        )


class _Asked:
    """The group of one snapshot with whatever claims a strategy's members have."""

    def __init__(self, questions: Questions, unit: int, like: Group | None) -> None:
        self._questions, self._unit, self._like = questions, unit, like
        self._groups: dict[bytes | None, Group] = {}
        self._last: tuple[Owners, Group] | None = None

    @property
    def latest(self) -> Group | None:
        """The group as it was last built, now or at a snapshot that was like this one."""
        return self._groups.get(None, self._like)

    def group(self, claims: Owners | None = None) -> Group:
        """Return the group; strategies that own the same are asked about the same one."""
        if claims is None:
            if None not in self._groups:
                self._groups[None] = self._built()
            return self._groups[None]
        if self._last is None or self._last[0] is not claims:
            key = claims.tobytes()
            if key not in self._groups:
                self._groups[key] = self.group().owned_by(claims)
            self._last = claims, self._groups[key]
        return self._last[1]

    def _built(self) -> Group:
        if self._like is None:
            return self._questions.group(self._unit)
        return self._questions.with_lags(self._unit, self._like)


def _checked_together(group: Group, answers: list[Owners]) -> Owners | None:
    """Return the answers as one array if they are small and one look shows that all obey."""
    are_alike = all(each.shape == answers[0].shape for each in answers)
    if not answers or not are_alike or len(answers) * answers[0].size > _MOST_AT_ONCE:
        return None
    together: Owners = np.array(answers)
    try:
        check_each(group, together)
    except InvalidAssignmentError:
        return None
    return together


def _plain_bounds(layout: Layout, membership: Membership, offsets: Offsets) -> LongArray:
    """(U,) the least possible largest lag where nobody lists topics, else ``UNKNOWN``."""
    is_listed = membership.list_of_member != NONE
    listed = np.bincount(membership.unit[is_listed], minlength=layout.unit_count)
    members = np.where(listed == 0, np.diff(membership.starts), 0)
    return free_bounds(offsets.lag, layout.unit_starts, members)


def _has_same_lags(layout: Layout, offsets: Offsets) -> BoolArray:
    """(U,) whether every partition lags as much as at the snapshot before."""
    is_same = offsets.lag == offsets.lag[layout.before] if offsets.lag.size else offsets.lag == 0
    return holds_for_all(is_same, layout.unit_starts)


def _chain_owners(layout: Layout, membership: Membership, count: int) -> Owners:
    """Return for each strategy nobody as owner, but for whom the chain names."""
    owners = np.full((count, layout.partition_count), UNOWNED, np.int32)
    if count and membership.chain_owners.size:
        places, rows = _chain_places(layout)
        first = membership.starts[layout.unit_of_partition[places]]
        for each, named in zip(owners, membership.chain_owners.reshape(-1, count).T, strict=True):
            each[places] = np.where(named[rows] == NONE, UNOWNED, named[rows] - first)
    return owners


def _chain_places(layout: Layout) -> tuple[LongArray, LongArray]:
    """Return the partitions that rows of the chain are about, and which of its rows those are."""
    is_chain = layout.is_chain[layout.unit_of_row[layout.partition_rows]]
    rows = layout.rows[layout.partition_rows[is_chain]]
    return layout.partition_of_row[is_chain], rows - layout.first_chain_row
