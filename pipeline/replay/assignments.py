"""Every strategy's owners at every snapshot of a batch, each rebalance starting from the last."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, UNOWNED, Group, InvalidGroupError, LongArray, Owners
from assignors.rules import InvalidAssignmentError, check
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.assuming.running import is_broker_side
from evaluation.bounds.lag import lower_bound
from pipeline.replay.groups import Groups
from pipeline.replay.layout import NONE, BatchLayout, holds_for_all
from pipeline.replay.membership import Membership, previous_owners
from pipeline.replay.offsets import BatchOffsets

LONG_MAX: Final = int(np.iinfo(np.int64).max)
EXPLAINED: Final = (InvalidAssignmentError, InvalidGroupError)
"""Errors of a strategy that users see; any other exception is a bug."""


class Failure(NamedTuple):
    """A strategy that failed at a snapshot; its owners stay unchanged."""

    snapshot: int
    strategy: str
    reason: str


class Assignments:
    """The owners, numbered within each snapshot, and the lower bounds.

    Every strategy assigns every snapshot, in order of time within each group, as if the group had
    run it since its first snapshot: there it starts from what the way of a switch leaves, later
    from its own previous owners, as far as partitions and members still exist. A strategy is not
    called again while nothing it sees has changed.
    """

    def __init__(
        self,
        groups: Groups,
        layout: BatchLayout,
        membership: Membership,
        offsets: BatchOffsets,
        strategies: Sequence[Strategy],
    ) -> None:
        self._groups, self._strategies = groups, strategies
        self._follows: list[bool] = layout.follows.tolist()
        self._partitions: list[int] = layout.snapshot_starts.tolist()
        self._members: list[int] = membership.starts.tolist()
        self._before, self._member_after = layout.before, membership.after
        is_same = layout.has_same_partitions & membership.is_as_before
        is_same[1:] &= ~layout.is_checkpoint[:-1]
        seen = offsets.lag if offsets.weight is None else offsets.weight
        has_same = seen == np.append(seen, UNKNOWN)[layout.before]
        is_same_too = is_same & holds_for_all(has_same, layout.snapshot_starts)
        self._is_same: list[bool] = is_same.tolist()
        """Per snapshot: whether all but lag, weights and owners equal the previous one."""
        self._has_same_weights: list[bool] = is_same_too.tolist()
        self._claims_before: list[Owners] = [np.zeros(0, np.int32)] * len(strategies)
        self._group: Group | None = None
        self._leaves_broker = False
        """Whether a broker assigns in the group of the present snapshot, its first."""
        first_member = membership.starts[layout.snapshot_of_partition]
        self.present = _within(membership.owner, first_member)
        """(P,) the owners in telemetry."""
        self.owners = _checkpoint_owners(layout, membership, len(strategies))
        """(strategies, P)"""
        self.lower_bound = np.full(layout.snapshot_count, UNKNOWN, np.int64)
        """(S,) of the largest load of any assignment, or ``UNKNOWN``."""
        self.is_answered = np.ones((len(strategies), layout.snapshot_count), np.bool_)
        """(strategies, S) whether the strategy succeeded."""
        self.failures: list[Failure] = []
        for snapshot in np.flatnonzero(~layout.is_checkpoint).tolist():
            self._assign_all(snapshot)

    def _assign_all(self, snapshot: int) -> None:
        """Assign one snapshot by every strategy."""
        if self._members[snapshot] == self._members[snapshot + 1]:
            return  # nobody can own anything, and no bound holds
        group = self._group_at(snapshot)
        if self._has_same_weights[snapshot]:
            self.lower_bound[snapshot] = self.lower_bound[snapshot - 1]
        else:
            bound = lower_bound(group)
            self.lower_bound[snapshot] = UNKNOWN if bound is None else min(bound, LONG_MAX)
        span = slice(self._partitions[snapshot], self._partitions[snapshot + 1])
        self._leaves_broker = not self._follows[snapshot] and is_broker_side(group)
        group_of_claims: dict[bytes, Group] = {}
        for number, strategy in enumerate(self._strategies):
            claims = self._claims(number, snapshot) if Sees.OWNERS in strategy.sees else None
            if self._is_unchanged(number, snapshot, claims):
                before = slice(self._partitions[snapshot - 1], span.start)
                self.owners[number, span] = self.owners[number, before]
                continue
            claiming = group
            if claims is not None:
                self._claims_before[number] = claims
                key = claims.tobytes()  # strategies with the same owners share memoized results
                if key not in group_of_claims:
                    group_of_claims[key] = group.owned_by(claims)
                claiming = group_of_claims[key]
            try:
                self.owners[number, span] = check(group, strategy.settle(claiming))
            except EXPLAINED as error:
                self.is_answered[number, snapshot] = False
                self.failures.append(Failure(snapshot, strategy.name, str(error)))
                self.owners[number, span] = self._claims(number, snapshot)

    def _group_at(self, snapshot: int) -> Group:
        """Return the group at a snapshot; memoized results stay valid if weights are equal."""
        if not self._is_same[snapshot] or self._group is None:
            self._group = self._groups.group(snapshot)
        elif not self._has_same_weights[snapshot]:
            self._group = self._groups.with_lags(snapshot, self._group)
        return self._group

    def _is_unchanged(self, number: int, snapshot: int, claims: Owners | None) -> bool:
        """Return whether a strategy's input is as at the previous snapshot, where it succeeded."""
        sees_lag = Sees.LAG in self._strategies[number].sees
        is_same = self._has_same_weights[snapshot] if sees_lag else self._is_same[snapshot]
        return bool(
            is_same
            and self.is_answered[number, snapshot - 1]
            and (claims is None or np.array_equal(claims, self._claims_before[number]))
        )

    def _claims(self, number: int, snapshot: int) -> Owners:
        """Return the claims from which a strategy assigns a snapshot."""
        span = slice(self._partitions[snapshot], self._partitions[snapshot + 1])
        if not self._follows[snapshot]:
            # A broker takes over and hands over what consumers own; else a restart forgets it.
            is_of_broker = self._strategies[number].protocol is Protocol.BROKER
            is_known = is_of_broker or self._leaves_broker
            return self.present[span] if is_known else np.full_like(self.present[span], UNOWNED)
        if self._is_same[snapshot]:
            before: Owners = self.owners[number, self._partitions[snapshot - 1] : span.start]
            return before
        first = (self._members[snapshot - 1], self._members[snapshot])
        return previous_owners(self.owners[number], self._before[span], self._member_after, first)


def _within(member: LongArray, first_member: LongArray) -> Owners:
    """Return members of the batch as numbers within their snapshot."""
    return np.where(member == NONE, UNOWNED, member - first_member).astype(np.int32)


def _checkpoint_owners(layout: BatchLayout, membership: Membership, count: int) -> Owners:
    """(strategies, P) the owners in the checkpoint."""
    owners = np.full((count, layout.partition_count), UNOWNED, np.int32)
    row = layout.rows[layout.partition_rows] - layout.new_rows
    places, row = layout.partition_of_row[row >= 0], row[row >= 0]
    if count and places.size:
        first = membership.starts[layout.snapshot_of_partition[places]]
        for number, named in enumerate(membership.checkpoint_owners.reshape(-1, count).T):
            owners[number, places] = _within(named[row], first)
    return owners
