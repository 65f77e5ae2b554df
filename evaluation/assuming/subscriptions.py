"""Who subscribes to what, where the source tells only who owns what.

What a consumer owns is not what it subscribes to: where a topic has fewer partitions than the
group has consumers, some own none of it. So all consumers are taken to read all topics that any
of them reads, unless the owners or the consumers' ids speak against it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNOWNED, Group
from assignors.strategy import Strategy
from evaluation.assuming.assumed import Assumed, SubscriptionSource, subscriptions_matter
from evaluation.assuming.running import explaining, possible
from evaluation.comparing.outcomes import at_next_rebalance
from evaluation.consumer_labels import RANDOM_ID
from evaluation.metrics import count_per_member
from evaluation.rebalance.regroup import resubscribed
from evaluation.wording import without_uuid

_NUMBER: Final = re.compile(r"\d+")
_SEVERAL: Final = 2
_MOST_PAIRS: Final = 10_000_000
"""Distinct subscriptions times topics beyond which unequal ones are not considered."""
_Wanted = list[tuple[int, ...]]


class Inferred(NamedTuple):
    """A group with the subscriptions that its owners suggest."""

    group: Group
    source: SubscriptionSource
    why: str = ""
    """The evidence for unequal ones, in one sentence."""
    alternatives: tuple[SubscriptionSource, ...] = ()
    """What they may be instead, where that matters."""


class Otherwise(NamedTuple):
    """What a strategy brings if the subscriptions are other ones."""

    source: SubscriptionSource
    differing: int
    """Partitions that get another owner than under the assumption."""
    max_lag: int | None
    max_count: int


def inferred(group: Group, candidates: Sequence[Strategy]) -> Inferred:
    """Return a group, given with all consumers reading all topics, as its owners suggest.

    ``candidates`` are the strategies that its client can be set to. Subscriptions are taken to
    be unequal if the members' ids tell applications apart, or if none of the strategies can have
    led to the present owners with equal ones: none assigns them afresh, and they are too uneven,
    or too neatly divided by topic, to be kept ones.
    """
    if not subscriptions_matter(group):
        return Inferred(group, SubscriptionSource.ALL_READ_ALL)
    source = SubscriptionSource.ALL_READ_ALL
    if len(set(_unequal(group, _read(group)))) * len(group.topics) > _MOST_PAIRS:
        return Inferred(group, source)
    if why := _evidence(group, possible(group, candidates)):
        source = SubscriptionSource.UNEQUAL_INFERRED
        group = with_subscriptions(group, source)
    other = {SubscriptionSource.ALL_READ_ALL, SubscriptionSource.UNEQUAL_INFERRED} - {source}
    return Inferred(group, source, why, tuple(other))


def with_subscriptions(group: Group, source: SubscriptionSource) -> Group:
    """Return the group with all consumers reading all topics, or each those that it owns.

    Topics that no consumer reads stay unread. Where ids tell applications apart, the unequal
    ones are those of each application. Other sources leave the group as it is.
    """
    read = _read(group)
    if source is SubscriptionSource.ALL_READ_ALL:
        return _with(group, [read] * group.member_count)
    if source is SubscriptionSource.UNEQUAL_INFERRED:
        return _with(group, _unequal(group, read))
    return group


def otherwise(group: Group, assumed: Assumed, strategy: Strategy) -> tuple[Otherwise, ...]:
    """Return what a strategy brings under each alternative, to see how far the figures differ.

    Raises InvalidAssignmentError if the strategy breaks a rule.
    """
    here = at_next_rebalance(group, [strategy])[0].owners
    found = []
    for source in assumed.alternatives:
        there = at_next_rebalance(with_subscriptions(group, source), [strategy])[0]
        found.append(
            Otherwise(
                source,
                int(np.count_nonzero(there.owners != here)),
                there.figures.max_lag,
                there.figures.max_count,
            )
        )
    return tuple(found)


def _evidence(group: Group, candidates: Sequence[Strategy]) -> str:
    """Return why subscriptions must be unequal; "" without evidence."""
    if _by_application(group):
        return "Client ids of one kind own the partitions of each topic, as several applications do"
    if explaining(group, candidates):
        return ""
    unequal = with_subscriptions(group, SubscriptionSource.UNEQUAL_INFERRED)
    found = explaining(unequal, candidates)
    if not found or (_may_be_kept(group) and not _is_divided(group)):
        return ""
    return f"{found[0].label} assigns these owners, but not if all consumers read all topics"


def _read(group: Group) -> tuple[int, ...]:
    """Return the topics that any member subscribes to."""
    return tuple(np.flatnonzero(group.audiences.of_topic >= 0).tolist())


def _unequal(group: Group, read: tuple[int, ...]) -> _Wanted:
    return _by_application(group) or _as_owned(group, read)


def _may_be_kept(group: Group) -> bool:
    """Return whether a strategy that keeps owners may have led here: counts are even.

    Partitions whose owners are unknown may be anybody's.
    """
    counts = count_per_member(group, group.present_owners)
    unknown = int(np.count_nonzero(group.is_owner_unknown & group.is_wanted))
    return int(counts.max() - counts.min()) <= 1 + unknown


def _is_divided(group: Group) -> bool:
    """Return whether the consumers fall into sets of several that share no topic."""
    owners = group.present_owners
    held = np.flatnonzero(owners != UNOWNED)
    pairs = np.unique(
        owners[held].astype(np.int64) * len(group.topics) + group.topic_of_partition[held]
    )
    members, topics = np.divmod(pairs, max(len(group.topics), 1))
    root = np.arange(group.member_count)
    for topic in np.unique(topics).tolist():
        joined = np.isin(root, root[members[topics == topic]])
        root[joined] = root[joined].min(initial=group.member_count)
    _, sizes = np.unique(root[np.unique(members)], return_counts=True)
    return sizes.size > 1 and int(sizes.min()) >= _SEVERAL


def _as_owned(group: Group, read: tuple[int, ...]) -> _Wanted:
    """Return the topics that each member owns, or all that are read for one that owns none."""
    owned: list[set[int]] = [set() for _ in group.members]
    topic = group.topic_of_partition.tolist()
    for partition, owner in enumerate(group.present_owners.tolist()):
        if owner != UNOWNED:
            owned[owner].add(topic[partition])
    return [tuple(sorted(own)) or read for own in owned]


def _by_application(group: Group) -> _Wanted | None:
    """Return the topics of each member's application, if ids tell several apart.

    An id without its numbers names the application. Each topic must be of one of them, each
    have a topic, and one have several members: else the names are those of hosts.
    """
    ids = group.layout.client_ids
    stems = [
        _NUMBER.sub("", ids.get(m, "" if RANDOM_ID.fullmatch(m) else without_uuid(m)))
        for m in group.members
    ]
    distinct = dict.fromkeys(stems)
    if "" in distinct or len(distinct) < _SEVERAL or len(distinct) == len(stems):
        return None
    topics: dict[str, set[int]] = {stem: set() for stem in distinct}
    topic = group.topic_of_partition.tolist()
    for partition, owner in enumerate(group.present_owners.tolist()):
        if owner != UNOWNED:
            topics[stems[owner]].add(topic[partition])
    total = sum(map(len, topics.values()))
    if not all(topics.values()) or total > len(set().union(*topics.values())):
        return None
    return [tuple(sorted(topics[stem])) for stem in stems]


def _with(group: Group, wanted: _Wanted) -> Group:
    changed = resubscribed(group, wanted)
    leader = set(wanted[int(group.layout.arrival[0])]) if wanted else set()
    number = {name: topic for topic, name in enumerate(group.topics)}
    listed = [name for name in group.layout.leader_topics if number.get(name) in leader]
    listed += [group.topics[t] for t in sorted(leader) if group.topics[t] not in listed]
    return replace(
        changed,
        layout=replace(
            changed.layout, leader_topics=tuple(listed), lists_alike=len(set(wanted)) <= 1
        ),
    )
