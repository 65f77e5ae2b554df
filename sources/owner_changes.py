"""What became of the owners between the snapshots of a group, in a sentence each."""

from collections.abc import Iterator
from typing import Final

from assignors.kinds import GroupKind
from assignors.model import Group
from evaluation.consumer_labels import labels
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalance.owner_changes import OwnerChange, changes
from evaluation.wording import listed, plural

_MOST_NAMED: Final = 4
_MOST_CHANGES: Final = 3


def notes_on_changes(group: Group, history: OffsetHistory | None, kind: GroupKind) -> Iterator[str]:
    """Yield who came and went between snapshots, what moved, and how much of it had to.

    The last is told of consumers, whose counts of partitions are to be even.
    """
    found = () if history is None else changes(group, history)
    for change in found[-_MOST_CHANGES:]:
        yield _said(change, is_judged=kind.runs_consumer_strategies)
    if len(found) > _MOST_CHANGES:
        before = plural(len(found) - _MOST_CHANGES, "more rebalance")
        yield f"Before that, {before} changed owners."


def _said(change: OwnerChange, *, is_judged: bool) -> str:
    seen = change.rebalance
    gone = (*seen.left, *seen.timed_out)
    who = [f"{_named(seen.joined)} came"] if seen.joined else []
    who += [f"{_named(gone)} went"] if gone else []
    moved = f"{plural(seen.moved, 'partition')} moved"
    if is_judged and change.must_move is not None and seen.moved:
        had = "all had to" if change.must_move >= seen.moved else f"{change.must_move:,} had to"
        moved = f"{moved}, of which {had}"
    clauses = ", ".join([*who, moved])
    return f"Between two snapshots {clauses}."


def _named(members: tuple[str, ...]) -> str:
    return listed(labels(members, {}), most=_MOST_NAMED)
