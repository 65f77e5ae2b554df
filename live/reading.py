"""Whole groups, with members, topics and offsets: one, or all of a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from live.changelogs import read_changelogs
from live.cluster import Cluster
from live.errors import (
    ConnectWorkersError,
    LiveError,
    NewerKindError,
    UnknownGroupError,
    UnknownTopicError,
    UnreachableError,
    value_of,
)
from live.groups import (
    STREAMS,
    describe_groups,
    is_listed,
    list_groups,
    with_bytes,
    with_subscriptions,
    workers_of,
)
from live.model import GroupDescription, GroupReading, LiveTopic, NamedPartition, Unread
from live.offsets import batches, committed_offsets, read_topics

_BATCH: Final = 100
_PARTITIONS_CACHED: Final = 200_000
"""Partitions of topics kept for later groups that share them; about twenty megabytes."""


def read_group(cluster: Cluster, group_id: str) -> GroupReading:
    """Return everything about one group.

    Raises UnknownGroupError, DeniedError (which right on what), UnreachableError when a
    broker stops meanwhile, or another LiveError.
    """
    cluster.read_options.progress("group", 0, 1)
    described = describe_groups(cluster, [group_id])[group_id]
    if isinstance(described, ConnectWorkersError) and (workers := workers_of(cluster, group_id)):
        cluster.read_options.progress("group", 1, 1)
        return GroupReading(description=workers, topics={}, committed={})
    group = value_of(described)
    committed = value_of(committed_offsets(cluster, [group_id])[group_id])
    if group.state == "Dead" and not committed:
        if is_listed(cluster, group_id):
            message = (
                f"{group_id!r} is a share group or a streams group (KIP-1071), so no strategy of "
                "consumer groups applies; paste what kafka-share-groups or kafka-streams-groups "
                f"--describe --group {group_id} prints"
            )
            raise NewerKindError(message)
        message = (
            f"{cluster.servers} knows no group {group_id!r}; list the groups to see which there "
            "are, and whether this user may see it."
        )
        raise UnknownGroupError(message)
    group = with_subscriptions(cluster, group)
    if group.assignor == STREAMS:
        group = with_bytes(cluster, group)
    cluster.read_options.progress("group", 1, 1)
    found = _reading(group, committed, read_topics(cluster, _topics_of(group, committed)))
    if group.assignor == STREAMS and group.members:
        return replace(found, changelogs=read_changelogs(cluster, group_id))
    return found


def read_groups(
    cluster: Cluster,
    ids: Sequence[str] | None = None,
    known: Mapping[str, LiveTopic] = MappingProxyType({}),
) -> Iterator[GroupReading | Unread]:
    """Yield all groups, or those named; a group that failed comes with the reason.

    Reads a hundred groups at a time, so memory grows with the largest hundred groups and not with
    their number. Members' partitions are known, but not their subscriptions. A topic is read once
    for all groups near one another, so the end offsets of a group may be some seconds older than
    its commits. Topics that are ``known`` from a poll before are not described again, and their
    begin offsets only read where a group has not read past the end of then: nothing else can be
    lost.

    Raises UnreachableError or LoginError when the cluster stops answering; groups
    yielded before are whole.
    """
    names = [g.id for g in list_groups(cluster).groups] if ids is None else list(ids)
    cache: dict[str, LiveTopic | LiveError] = {}
    done = 0
    for batch in batches(names, _BATCH):
        cluster.read_options.progress("groups", done, len(names))
        yield from _read_batch(cluster, batch, cache, known)
        _evict(cache)
        done += len(batch)
    cluster.read_options.progress("groups", len(names), len(names))


def _read_batch(
    cluster: Cluster,
    names: Sequence[str],
    topics: dict[str, LiveTopic | LiveError],
    before: Mapping[str, LiveTopic],
) -> Iterator[GroupReading | Unread]:
    """Yield the groups; add the topics read for them to the cache."""
    groups = describe_groups(cluster, names)
    _raise_if_none_answered(groups)
    known = {name: each for name, each in groups.items() if not isinstance(each, LiveError)}
    commits = committed_offsets(cluster, known)  # of others most likely refused too; see BROKE_OFF
    _raise_if_none_answered(commits)
    wanted: set[str] = set()
    late: set[str] = set()
    grown: set[str] = set()
    for name, description in known.items():
        committed = commits[name]
        if not isinstance(committed, LiveError):
            wanted |= _topics_of(description, committed)
            late |= _late(committed, before)
            grown |= _grown(description, before)
    wanted -= topics.keys()
    same = {name: before[name] for name in wanted - grown if name in before}
    topics |= read_topics(cluster, wanted, same, late)
    for name, group in groups.items():
        try:
            yield _reading(value_of(group), value_of(commits.get(name, {})), topics)
        except LiveError as error:
            yield Unread(name, str(error))


def _late(committed: Mapping[NamedPartition, int], known: Mapping[str, LiveTopic]) -> set[str]:
    """Return the known topics on which a group has not read all that they had then."""
    return {
        topic
        for (topic, p), offset in committed.items()
        if topic in known and p < known[topic].partitions and offset < (known[topic].end[p] or 0)
    }


def _grown(group: GroupDescription, known: Mapping[str, LiveTopic]) -> set[str]:
    """Return the known topics of which a member owns a partition that they did not have then."""
    return {
        topic
        for member in group.members
        for topic, p in (*member.owned, *(member.target or ()))
        if topic in known and p >= known[topic].partitions
    }


def _raise_if_none_answered(responses: Mapping[str, object]) -> None:
    """Raise if no group was answered for: the cluster is gone, not the groups."""
    unreachable = [each for each in responses.values() if isinstance(each, UnreachableError)]
    if unreachable and len(unreachable) == len(responses):
        raise unreachable[0]


def _evict(topics: dict[str, LiveTopic | LiveError]) -> None:
    """Remove the topics that were read first, until the others fit."""
    sizes = {n: each.partitions if isinstance(each, LiveTopic) else 1 for n, each in topics.items()}
    excess = sum(sizes.values()) - _PARTITIONS_CACHED
    for name, size in sizes.items():
        if excess <= 0:
            return
        del topics[name]
        excess -= size


def _topics_of(group: GroupDescription, committed: Mapping[NamedPartition, int]) -> set[str]:
    return group.topics | {topic for topic, _ in committed}


def _reading(
    description: GroupDescription,
    commits: Mapping[NamedPartition, int],
    topics: Mapping[str, LiveTopic | LiveError],
) -> GroupReading:
    """Combine the responses; raise the first topic's that is an error."""
    names = sorted(_topics_of(description, commits))
    missing = {name for name in names if isinstance(topics[name], UnknownTopicError)}
    return GroupReading(
        description=description,
        topics={name: value_of(topics[name]) for name in names if name not in missing},
        committed=commits,
        missing_topics=tuple(sorted(missing)),
    )
