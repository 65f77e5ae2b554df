"""Groups as a whole: members, topics and offsets, one group or all of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from live.cluster import Cluster
from live.errors import LiveError, UnknownGroupError, UnreachableError
from live.groups import describe_groups, list_groups, subscriptions_of, with_subscriptions
from live.model import GroupDescription, GroupReading, Place, Topic, Unread
from live.offsets import absent, committed_offsets, read_topics

_GROUPS_AT_ONCE: Final = 100
_PARTITIONS_KEPT: Final = 200_000
"""Of topics read for earlier groups, since groups share them; about twenty megabytes."""


def read_group(cluster: Cluster, group_id: str) -> GroupReading:
    """Return everything about one group.

    Raises UnknownGroupError, DeniedError (which right on what), UnreachableError when a
    broker stops meanwhile, or another LiveError.
    """
    cluster.read_options.progress("group", 0, 1)
    ((_, found),) = describe_groups(cluster, [group_id])
    if isinstance(found, LiveError):
        raise found
    ((_, committed),) = committed_offsets(cluster, [group_id])
    if isinstance(committed, LiveError):
        raise committed
    if found.state == "Dead" and not committed:
        message = (
            f"{cluster.servers} knows no group {group_id!r}; list the groups to see which there "
            "are, and whether this user may see it."
        )
        raise UnknownGroupError(message)
    group = with_subscriptions(found, subscriptions_of(cluster, found))
    cluster.read_options.progress("group", 1, 1)
    return _reading(group, committed, read_topics(cluster, _topics(group, committed)))


def read_groups(
    cluster: Cluster, ids: Sequence[str] | None = None
) -> Iterator[GroupReading | Unread]:
    """Yield all groups, or those named, each with the sentence why not where it failed.

    A hundred groups at a time, so memory grows with the largest hundred groups and not
    with their number. Of members only what they own is known, not what they subscribe
    to. A topic is read once for all groups near one another, so the end offsets of a
    group may be some seconds older than its commits.

    Raises UnreachableError or LoginError when the cluster stops answering; groups
    yielded before are whole.
    """
    names = [g.id for g in list_groups(cluster).groups] if ids is None else list(ids)
    kept = _Kept()
    for first in range(0, len(names), _GROUPS_AT_ONCE):
        cluster.read_options.progress("groups", first, len(names))
        yield from _read_some(cluster, names[first : first + _GROUPS_AT_ONCE], kept)
    cluster.read_options.progress("groups", len(names), len(names))


class _Kept:
    """Topics read lately: the latest ones, as many as memory is meant to hold."""

    def __init__(self) -> None:
        self._topics: dict[str, Topic | LiveError] = {}

    def read(self, cluster: Cluster, names: Iterable[str]) -> Mapping[str, Topic | LiveError]:
        """Return these topics, reading what is not kept."""
        wanted = set(names)
        missing = wanted - self._topics.keys()
        if missing:
            self._topics |= read_topics(cluster, missing)
        found = {name: self._topics[name] for name in wanted}
        self._forget()
        return found

    def _forget(self) -> None:
        sizes = [t.partitions if isinstance(t, Topic) else 1 for t in self._topics.values()]
        excess, count = sum(sizes) - _PARTITIONS_KEPT, 0
        while excess > 0:
            excess -= sizes[count]
            count += 1
        for name in list(islice(self._topics, count)):
            del self._topics[name]


def _read_some(
    cluster: Cluster, names: Sequence[str], kept: _Kept
) -> Iterator[GroupReading | Unread]:
    groups = dict(describe_groups(cluster, names))
    commits = dict(committed_offsets(cluster, list(groups)))
    _stop_if_all_silent(groups, commits)
    wanted = {
        topic for name, group in groups.items() for topic in _topics_if_read(group, commits[name])
    }
    topics = kept.read(cluster, wanted)
    for name, group in groups.items():
        try:
            yield _whole(group, commits[name], topics)
        except LiveError as error:
            yield Unread(name, str(error))


def _stop_if_all_silent(*answers: Mapping[str, object]) -> None:
    """Raise when no group at all was answered for: the cluster is gone, not the groups."""
    for each in answers:
        if each and all(isinstance(value, UnreachableError) for value in each.values()):
            raise next(value for value in each.values() if isinstance(value, UnreachableError))


def _topics_if_read(
    group: GroupDescription | LiveError, committed: Mapping[Place, int] | LiveError
) -> set[str]:
    if isinstance(group, LiveError) or isinstance(committed, LiveError):
        return set()
    return _topics(group, committed)


def _whole(
    group: GroupDescription | LiveError,
    committed: Mapping[Place, int] | LiveError,
    topics: Mapping[str, Topic | LiveError],
) -> GroupReading:
    if isinstance(group, LiveError):
        raise group
    if isinstance(committed, LiveError):
        raise committed
    return _reading(group, committed, {name: topics[name] for name in _topics(group, committed)})


def _topics(group: GroupDescription, committed: Mapping[Place, int]) -> set[str]:
    return group.topics | {topic for topic, _ in committed}


def _reading(
    group: GroupDescription,
    committed: Mapping[Place, int],
    topics: Mapping[str, Topic | LiveError],
) -> GroupReading:
    missing = absent(topics)
    for name, topic in topics.items():
        if isinstance(topic, LiveError) and name not in missing:
            raise topic
    return GroupReading(
        description=group,
        topics={name: topic for name, topic in sorted(topics.items()) if isinstance(topic, Topic)},
        committed=committed,
        missing_topics=missing,
    )
