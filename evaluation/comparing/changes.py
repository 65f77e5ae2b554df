"""Differences between a group and its baseline, in a few words."""

from collections.abc import Iterator

import numpy as np

from assignors.model import Group
from evaluation.metrics import total_lag
from evaluation.wording import amount, listed, plural


def size_of(group: Group) -> str:
    """Return ``3 consumers, 2 topics, 12 partitions``; consumers that are not told are unknown."""
    is_unknown = not group.member_count and bool(group.is_owner_unknown.any())
    consumers = "consumers unknown" if is_unknown else plural(group.member_count, "consumer")
    rest = (len(group.topics), "topic"), (group.partition_count, "partition")
    return ", ".join([consumers, *(plural(*each) for each in rest)])


def changes_between(before: Group, after: Group) -> tuple[str, ...]:
    """Return phrases such as ``10 more consumers``; none if nothing relevant differs."""
    return tuple(_changes(before, after))


def since(before: Group, after: Group) -> tuple[str, ...]:
    """Return what has changed between two days of one group, by name: sentences, plain text."""
    return tuple(_since(before, after))


def _since(before: Group, after: Group) -> Iterator[str]:
    was, now = (
        dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
        for group in (before, after)
    )
    for said, names in (
        ("new", [name for name in now if name not in was]),
        ("gone", [name for name in was if name not in now]),
    ):
        if names:
            verb = "is" if len(names) == 1 else "are"
            yield f"{plural(len(names), 'topic')} {verb} {said}: {listed(names)}."
    for name in (name for name in was if now.get(name, was[name]) != was[name]):
        yield f"{name} has {plural(now[name], 'partition')}; it had {was[name]:,}."
    if before.member_count != after.member_count:
        yield f"{plural(after.member_count, 'consumer')}; there were {before.member_count:,}."
    elif before.members != after.members:
        renewed = len({*after.members} - {*before.members})
        yield f"{renewed:,} of {plural(after.member_count, 'consumer')} have other ids."
    waited, waits = (total_lag(group).known for group in (before, after))
    if waited != waits:
        yield f"{amount(waits)} records wait; it was {amount(waited)}."


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
    wanted_before = before.subscribes[before.layout.class_of_member]
    wanted_after = after.subscribes[after.layout.class_of_member]
    changed = int(np.count_nonzero((wanted_before != wanted_after).any(axis=1)))
    if changed:
        yield plural(changed, "changed subscription")
    if before.layout.instance_ids != after.layout.instance_ids:
        yield "other static ids"
    if before.layout.member_racks.tolist() != after.layout.member_racks.tolist():
        yield "other racks"
