"""Differences between a group and its baseline, in a few words."""

from collections.abc import Iterator

import numpy as np

from assignors.model import Group
from evaluation.metrics import total_lag
from evaluation.wording import plural


def size_of(group: Group) -> str:
    """Return ``3 consumers, 2 topics, 12 partitions``."""
    counts = (group.member_count, "consumer"), (len(group.topics), "topic")
    return ", ".join(plural(*each) for each in (*counts, (group.partition_count, "partition")))


def changes_between(before: Group, after: Group) -> tuple[str, ...]:
    """Return phrases such as ``10 more consumers``; none if nothing relevant differs."""
    return tuple(_changes(before, after))


def _changes(before: Group, after: Group) -> Iterator[str]:
    counts = (
        ("consumer", before.member_count, after.member_count),
        ("topic", len(before.topics), len(after.topics)),
        ("partition", before.partition_count, after.partition_count),
    )
    for noun, was, now in counts:
        if was != now:
            yield plural(abs(now - was), f"{'more' if now > was else 'fewer'} {noun}")
    if before.partition_count == after.partition_count:
        yield from _same_partitions(before, after)
    elif total_lag(before) != total_lag(after):
        yield "other lag"
    if before.members == after.members and before.topics == after.topics:
        yield from _same_members(before, after)
    elif before.member_count == after.member_count and before.members != after.members:
        yield "other consumers"


def _same_partitions(before: Group, after: Group) -> Iterator[str]:
    changed = int(np.count_nonzero(before.lags != after.lags))
    if changed:
        yield plural(changed, "changed lag")
    if before.members != after.members:
        return
    owners = int(np.count_nonzero(before.present_owners != after.present_owners))
    if owners:
        yield plural(owners, "changed owner")


def _same_members(before: Group, after: Group) -> Iterator[str]:
    wanted_before = before.subscribes[before.class_of_member]
    wanted_after = after.subscribes[after.class_of_member]
    changed = int(np.count_nonzero((wanted_before != wanted_after).any(axis=1)))
    if changed:
        yield plural(changed, "changed subscription")
    if before.instance_ids != after.instance_ids:
        yield "other static ids"
    if before.member_racks.tolist() != after.member_racks.tolist():
        yield "other racks"
