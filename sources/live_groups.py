"""Turn a group of a cluster into a ``Reading``."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from assignors.kinds import STREAMS_ASSIGNOR, GroupKind, kind_by_ids, kind_by_name, kind_described
from assignors.model import UNKNOWN, Group, LongArray
from assignors.numbering import Member, Topic
from assignors.offsets import waiting
from evaluation.reading import Reading
from evaluation.rebalancing import STEADY, TARGETS_SHOWN, UNDER_WAY, Rebalancing, owners_by_name
from evaluation.wording import listed
from live.groups import WORKERS
from live.model import GroupDescription, GroupListing, GroupReading, LiveMember, LiveTopic
from sources.assuming import REPORTED, assume
from sources.budget import Budget
from sources.errors import SourceError
from sources.live_kinds import application_of, cluster_of
from sources.notes import notes_on
from sources.rows import lag_of

_NAMED: Final = 4


def reading_of(live_group: GroupReading, auto_offset_reset: str | None = None) -> Reading:
    """Return the group with notes on assumptions.

    Without a committed offset the lag depends on ``auto.offset.reset``, which consumers do not
    report: unless it is given, that lag is unknown. Subscriptions that are not reported are
    inferred from the owners, of now or after the rebalance under way.
    Raises SourceError for a group beyond the limits of every input.
    """
    description, budget = live_group.description, Budget()
    if description.protocol == WORKERS:
        return _workers(live_group, budget)
    budget.take_partitions({t.name: t.partitions for t in live_group.topics.values()})
    topics = {t.name: _topic(t, live_group, auto_offset_reset) for t in live_group.topics.values()}
    read = _read(description, tuple(topics))
    group = budget.group_of(
        topics,
        [_member(member, read) for member in description.members],
        id=live_group.id,
        auto_offset_reset=auto_offset_reset or "latest",
    )
    strategy = REPORTED.get(description.protocol, {}).get(description.assignor.lower())
    group, assumed = assume(
        group,
        strategy,
        lists_members=True,
        knows_racks=True,
        are_listed=all(member.subscription is not None for member in description.members),
    )
    under_way = _rebalancing(description, group)
    if under_way is not None:
        assumed = replace(assumed, misfits=0)
    return Reading(
        group=group,
        format=f"a live group ({description.protocol} protocol, {description.state})",
        rows=group.partition_count,
        notes=(*_assumed(live_group, auto_offset_reset), *notes_on(group)),
        is_live=True,
        kind=(kind := kind_of(live_group)),
        as_kind=application_of(live_group) if kind is GroupKind.STREAMS else None,
        hosts={member.id: member.host for member in description.members if member.host},
        state=None if description.state == "Unknown" else description.state,
        rebalancing=under_way,
        strategy=strategy,
        assumed=assumed,
    )


def reread(reading: Reading, then: GroupReading, now: GroupReading) -> Reading:
    """Return ``reading_of(now)``, given what that returned of the group ``then``.

    Where only offsets moved, members, owners and what is assumed of them stay as they are, notes
    included, in a tenth of the time.
    """
    if not _differ_by_offsets(then, now):
        return reading_of(now)
    topics = [now.topics[name] for name in reading.group.topics if name in now.topics]
    committed = [
        now.committed.get((topic.name, p)) for topic in topics for p in range(topic.partitions)
    ]
    begin = [each for topic in topics for each in topic.begin]
    end = [each for topic in topics for each in topic.end]
    offsets = replace(
        reading.group.offsets,
        lags=waiting(*map(_numbers, (list(map(lag_of, end, committed)), begin, end))),
        begin=_if_known(begin),
        end=_if_known(end),
        committed=_if_known(committed),
    )
    return replace(reading, group=replace(reading.group, offsets=offsets))


def _differ_by_offsets(then: GroupReading, now: GroupReading) -> bool:
    """Return whether nothing but offsets may differ between two readings of a consumer group."""
    return (
        then.description == now.description
        and now.description.protocol != WORKERS
        and bool(then.committed) == bool(now.committed)
        and then.missing_topics == now.missing_topics
        and then.topics.keys() == now.topics.keys()
        and all(
            topic.racks == now.topics[name].racks and topic.id == now.topics[name].id
            for name, topic in then.topics.items()
        )
    )


def _if_known(offsets: list[int | None]) -> LongArray | None:
    return None if all(each is None for each in offsets) else _numbers(offsets)


def _numbers(offsets: list[int | None]) -> LongArray:
    return np.array([UNKNOWN if each is None else each for each in offsets], np.int64)


def _workers(live_group: GroupReading, budget: Budget) -> Reading:
    """Return the workers of a Connect cluster: a connector stands for a topic, a task for its part.

    Raises SourceError where nothing can be told, with what tells it.
    """
    description, cluster = live_group.description, cluster_of(live_group)
    if cluster is None:
        message = (
            f"the workers of {live_group.id!r} rebalance, or wait for one that is lost: read "
            "again, or ask a worker's REST port for GET /connectors?expand=status&expand=info and "
            "paste the answer, which names what waits"
        )
        raise SourceError(message)
    budget.take_partitions(cluster.configured)
    group = budget.group_of(
        {name: Topic(partitions=count) for name, count in cluster.configured.items()},
        [
            Member(
                id=each.id,
                topics=list(cluster.configured),
                owned=[
                    (work.connector, work.number) for work in each.holds if not work.is_connector
                ],
            )
            for each in cluster.workers
        ],
        id=live_group.id,
    )
    return Reading(
        group=group,
        format=f"a live group (Connect's workers, {description.state})",
        rows=group.partition_count,
        is_live=True,
        kind=GroupKind.CONNECT,
        as_kind=cluster,
        hosts={member.id: member.host for member in description.members if member.host},
        state=description.state,
    )


def kind_of(live_group: GroupReading) -> GroupKind:
    """Return the kind of a group as its coordinator, and the ids of its members, tell it."""
    return kind_described(live_group.description, has_commits=bool(live_group.committed))


def kind_listed(group: GroupListing) -> GroupKind | None:
    """Return the kind of a group in a cluster's list; None where the brokers leave it open.

    The client lists share groups and streams groups of the broker alike, as Dead.
    """
    if (named := kind_by_name(group.id)) is not None:
        return named
    if group.protocol_type == "connect":
        return GroupKind.CONNECT
    if group.assignor == STREAMS_ASSIGNOR:
        return GroupKind.STREAMS
    if group.protocol_type == "" and group.protocol != "consumer" and not group.client_ids:
        return GroupKind.OFFSETS if group.state == "Empty" else None
    is_told = group.protocol_type is not None or group.protocol == "consumer"
    return kind_by_ids(group.client_ids) or (GroupKind.CONSUMER if is_told else None)


def label_of(group: GroupListing) -> str:
    """Return a group of a cluster's list in one line, with its kind if it is no consumer group.

    >>> label_of(GroupListing("jobs", "Dead", "unknown", ""))
    'jobs · share or streams group'
    """
    kind, words = kind_listed(group), [group.id, group.state, group.protocol]
    if kind is None and group.protocol_type is not None:
        words[1:] = ["share or streams group"]
    elif kind not in {None, GroupKind.CONSUMER}:
        words.append(kind.label)
    return " · ".join(words)


def _topic(topic: LiveTopic, live_group: GroupReading, auto_offset_reset: str | None) -> Topic:
    committed = [live_group.committed.get((topic.name, p)) for p in range(topic.partitions)]
    return Topic(
        partitions=topic.partitions,
        racks=topic.racks if any(topic.racks) else None,
        lags=None if auto_offset_reset else list(map(lag_of, topic.end, committed)),
        begin=_if_any(topic.begin),
        end=_if_any(topic.end),
        committed=_if_any(committed),
        topic_id=topic.id,
    )


def _if_any(values: Sequence[int | None]) -> Sequence[int | None] | None:
    return None if all(value is None for value in values) else values


def _read(description: GroupDescription, topics: tuple[str, ...]) -> tuple[str, ...]:
    """Return the topics that any member lists, owns or will own; all of them if there are none."""
    members = description.members
    read = {topic for m in members for topic, _ in (*m.owned, *(m.target or ()))}
    read.update(topic for member in members for topic in member.subscription or ())
    return tuple(topic for topic in topics if topic in read) or topics


def _member(member: LiveMember, read: tuple[str, ...]) -> Member:
    return Member(
        id=member.id,
        topics=read if member.subscription is None else list(member.subscription),
        instance_id=member.instance_id,
        rack=member.rack,
        owned=member.owned if member.target is None else member.target,
        client_id=member.client_id or None,
    )


def _assumed(live_group: GroupReading, auto_offset_reset: str | None) -> Iterator[str]:
    description = live_group.description
    if not live_group.topics:
        yield (
            "The cluster shows no topics for this group: it has committed nothing, or the user "
            "lacks the DESCRIBE permission on its topics."
        )
    if not description.members:
        yield f"The group is {description.state} and has no consumers: add some to assign to."
    elif any(member.subscription is None for member in description.members):
        yield ("The cluster does not report subscriptions: they are inferred from who owns what.")
    exist = {(t.name, p) for t in live_group.topics.values() for p in range(t.partitions)}
    uncommitted = len(exist - live_group.committed.keys())
    if uncommitted and auto_offset_reset is None:
        yield (
            f"On {uncommitted} of {len(exist)} partitions nothing is committed; their lag depends "
            "on the consumers' auto.offset.reset and is unknown unless the properties set it."
        )
    if live_group.missing_topics:
        missing = listed(live_group.missing_topics, most=_NAMED)
        yield f"Topics that no longer exist were left out: {missing}."
    if _is_moving(description):
        yield TARGETS_SHOWN
    elif description.state not in {*STEADY, "Unknown"}:
        yield UNDER_WAY.format(state=f" ({description.state})")


def _rebalancing(description: GroupDescription, group: Group) -> Rebalancing | None:
    if description.state in {*STEADY, "Unknown"} and not _is_moving(description):
        return None
    members = description.members
    now = {member.id: member.owned for member in members}
    targets = {member.id: member.target for member in members if member.target is not None}
    return Rebalancing(
        now=owners_by_name(group, now),
        target=owners_by_name(group, now | targets) if targets else None,
    )


def _is_moving(description: GroupDescription) -> bool:
    return any(
        member.target is not None and set(member.target) != set(member.owned)
        for member in description.members
    )
