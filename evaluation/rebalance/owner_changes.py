"""How owners changed between a group's snapshots, and what was read meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from assignors.model import UNKNOWN, UNOWNED, Group
from assignors.naming import member_records
from assignors.numbering import Member, Topic, group_of
from evaluation.consumer_labels import labels_of
from evaluation.measuring.offset_history import (
    BEGIN,
    COMMITTED,
    END,
    Moment,
    OffsetHistory,
    totals,
)
from evaluation.rebalance.observed import Observed, observed


@dataclass(frozen=True, kw_only=True)
class OwnerChange:
    """How owners changed between two snapshots, and what was read meanwhile."""

    rebalance: Observed
    """Who came and went, by id, and what moved."""
    stayed: tuple[str, ...]
    """Members of both snapshots."""
    renewed: tuple[str, ...]
    """Labels of consumers that came back under a new id: restarted, or timed out and joined."""
    must_move: int | None
    """The fewest moves that the members afterwards require; None if that is unknown."""
    waited: float
    """The lag at the earlier snapshot."""
    arrived: float
    """Records between the two, over partitions that both know."""
    read: float
    between_s: float
    """NaN if a time is unknown."""
    before: Group = field(compare=False, repr=False)
    after: Group = field(compare=False, repr=False)


def changes(group: Group, history: OffsetHistory) -> tuple[OwnerChange, ...]:
    """Return how owners changed from snapshot to snapshot, oldest first; () if they never did.

    Members subscribe as they do in ``group``; those that are gone, to all its topics. Snapshots
    that do not tell their owners are passed over.
    """
    return tuple(_changes(group, history))


def _changes(group: Group, history: OffsetHistory) -> Iterator[OwnerChange]:
    told = [k for k, moment in enumerate(history.moments) if moment.held is not None]
    owned = {k: history.moments[k].ownership for k in told}
    for one, other in pairwise(told):
        if owned[one] == owned[other] and _members(history, one) == _members(history, other):
            continue
        pair = history.moments[one], history.moments[other]
        before, after = (group_at(group, moment) for moment in pair)
        past = OffsetHistory(history.moments[: one + 1])
        found = observed(before, after, past, None)
        if found is not None:
            yield _change(before, after, pair, found)


def _members(history: OffsetHistory, k: int) -> tuple[str, ...]:
    held = history.moments[k].held
    return () if held is None else held.members


def _change(
    before: Group, after: Group, pair: tuple[Moment, Moment], found: Observed
) -> OwnerChange:
    stayed = set(before.members) & set(after.members)
    was, now = (
        {
            label
            for label, member in zip(labels_of(group), group.members, strict=True)
            if member not in stayed
        }
        for group in (before, after)
    )
    written, read = totals(pair)
    return OwnerChange(
        rebalance=found,
        stayed=tuple(sorted(stayed)),
        renewed=tuple(sorted(was & now)),
        must_move=None if found.needless is None else found.moved - found.needless,
        waited=float(before.counted_lags.sum()),
        arrived=float(written[1] - written[0]),
        read=float(read[1] - read[0]),
        between_s=float(pair[1].at_s - pair[0].at_s),
        before=before,
        after=after,
    )


def group_at(group: Group, moment: Moment) -> Group:
    """Return the group as it was at one of its snapshots that tells owners."""
    wanted = {member.id: member.topics for member in member_records(group)}
    topics = {
        name: Topic(
            offsets.shape[1],
            begin=_known(offsets[BEGIN].tolist()),
            end=_known(offsets[END].tolist()),
            committed=_known(offsets[COMMITTED].tolist()),
        )
        for name, offsets in moment.topics.items()
    }
    owned: dict[str, list[tuple[str, int]]] = {}
    if moment.held is not None:
        owned = {name: [] for name in moment.held.members}
        for topic, owners in moment.held.owners.items():
            for partition, owner in enumerate(owners.tolist()):
                if owner != UNOWNED:
                    owned[moment.held.members[owner]].append((topic, partition))
    members = [Member(name, wanted.get(name, (*topics,)), owned=own) for name, own in owned.items()]
    return group_of(topics, members, id=group.id, auto_offset_reset=group.offsets.reset)


def _known(offsets: list[int]) -> list[int | None]:
    return [None if each == UNKNOWN else each for each in offsets]
