"""A rebalance under way in a paste: epochs, what members hold, and what they are to hold."""

from collections.abc import Sequence
from dataclasses import replace

from assignors.model import Group
from evaluation.rebalancing import Rebalancing, owners_by_name
from live.model import NamedPartition
from sources.pastes.kinds import is_under_way
from sources.pastes.parsed import GroupRecords, MemberRow, Row


def with_targets(records: GroupRecords) -> GroupRecords:
    """Return the records with members that own their targets, where the text tells these.

    Broker-side assignors start from targets. Rows of partitions that a target has name its member.
    """
    told = {row.member: row for row in records.members if row.target is not None}
    if not told or not is_under_way(records):
        return records
    owner_of: dict[NamedPartition, MemberRow] = {
        named: row for row in told.values() for named in row.target or ()
    }
    members = [
        row if row.target is None else row._replace(assignment=row.target, partitions=None)
        for row in records.members
    ]
    rows = [_owned_by(row, owner_of.get((row.topic, row.partition)), told) for row in records.rows]
    newest = records.all[-1]._replace(rows=rows, members=members)
    return replace(records, all=[*records.all[:-1], newest])


def _owned_by(row: Row, owner: MemberRow | None, told: dict[str, MemberRow]) -> Row:
    if owner is not None:
        return row._replace(
            member=owner.member, instance=owner.instance, host=owner.host, client=owner.client
        )
    return row._replace(member="", instance="", host="", client="") if row.member in told else row


def rebalancing_in(records: GroupRecords, group: Group) -> Rebalancing | None:
    """Return the rebalance that these records show, as they were read; None without one."""
    if not is_under_way(records):
        return None
    has_targets = any(row.target is not None for row in records.members)
    return Rebalancing(
        group_epoch=_newest([row.group_epoch for row in records.states]),
        target_epoch=_newest(
            [row.target_epoch for row in records.states]
            + [row.target_epoch for row in records.members]
        ),
        member_epochs={row.member: row.epoch for row in records.members if row.epoch is not None},
        now=owners_by_name(group, _held(records)),
        target=group.present_owners if has_targets else None,
    )


def _held(records: GroupRecords) -> dict[str, list[NamedPartition]]:
    held: dict[str, list[NamedPartition]] = {}
    for member in records.members:
        held.setdefault(member.member, []).extend(member.assignment)
    for row in records.rows:
        if row.member:
            held.setdefault(row.member, []).append((row.topic, row.partition))
    return held


def _newest(epochs: Sequence[int | None]) -> int | None:
    return max((epoch for epoch in epochs if epoch is not None), default=None)
