"""What is wrong with the names and numbers that ``Group.fresh`` gets, in one sentence each."""

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from typing import Final

from assignors.arrays import UNKNOWN
from assignors.suggestions import nearest

_LARGEST: Final = 2**63 - 1


def contradictions(
    topics: Mapping[str, int],
    members: Sequence[str] | Mapping[str, Sequence[str]],
    lags: Mapping[str, Sequence[int | None]] | None,
    owned: Mapping[str, Sequence[tuple[str, int]]] | None,
) -> Iterator[str]:
    """Yield what contradicts itself, with the place and the way out."""
    if not isinstance(topics, Mapping):
        yield f"topics must be a mapping of names to partition counts, found {topics!r}"
    for name, count in topics.items():
        if not isinstance(count, Integral):
            yield f"topic {name!r} has {count!r} partitions; give a whole number"
        elif count < 0:
            yield f"topic {name!r} has {count} partitions; give 0 or more"
    yield from _of_members(topics, members)
    if lags is not None:
        yield from _of_lags(topics, lags)
    if owned is not None:
        yield from _of_owned(topics, members, owned)


def _of_members(
    topics: Mapping[str, int], members: Sequence[str] | Mapping[str, Sequence[str]]
) -> Iterator[str]:
    if isinstance(members, str):
        yield f"members must be a list of ids, found the text {members!r}"
    for member in members:
        if not isinstance(member, str):
            yield f"the ids of members must be texts, found {member!r}"
    if len(set(members)) < len(members):
        twice = next(each for each in members if list(members).count(each) > 1)
        yield f"member {twice!r} is repeated; give each member its own id"
    for member, wanted in members.items() if isinstance(members, Mapping) else ():
        if isinstance(wanted, str):
            yield f"the topics of member {member!r} must be a list, found the text {wanted!r}"
        for name in wanted:
            if name not in topics:
                yield f"member {member!r} subscribes to {name!r}; {nearest(name, topics)}"


def _of_owned(
    topics: Mapping[str, int],
    members: Sequence[str] | Mapping[str, Sequence[str]],
    owned: Mapping[str, Sequence[tuple[str, int]]],
) -> Iterator[str]:
    owners: dict[tuple[str, int], str] = {}
    if not isinstance(owned, Mapping):
        yield f"owned must be a mapping of member ids to partitions, found {owned!r}"
    for member, partitions in owned.items():
        if member not in members:
            yield f"{member!r} owns partitions; {nearest(member, list(members))}"
        for each in partitions:
            if not _is_pair(each):
                yield f"member {member!r} owns {each!r}; give pairs such as ('orders', 0)"
            topic, partition = each
            if topic not in topics:
                yield f"member {member!r} owns partitions of {topic!r}; {nearest(topic, topics)}"
            elif not 0 <= partition < topics[topic]:
                yield f"member {member!r} owns {topic}-{partition}; there are {topics[topic]} of it"
            first = owners.setdefault((topic, partition), member)
            if first != member:
                yield f"{topic}-{partition} is owned by {first!r} and {member!r}; give it one owner"


def _is_pair(partition: object) -> bool:
    """Return whether this is a topic's name and a number."""
    match partition:
        case tuple((str(), Integral())):
            return True
    return False


def _of_lags(topics: Mapping[str, int], lags: Mapping[str, Sequence[int | None]]) -> Iterator[str]:
    for name in lags:
        if name not in topics:
            yield f"there are lags of topic {name!r}; {nearest(name, topics)}"
    for name, count in topics.items():
        if name not in lags:
            yield f"there are no lags of topic {name!r}; give {count}, None where unknown"
        elif len(lags[name]) != count:
            yield f"topic {name!r} lists {len(lags[name])} lags for {count} partitions"
        for partition, lag in enumerate(lags.get(name, ())):
            if lag is None:
                continue
            if not isinstance(lag, Integral) or not UNKNOWN <= lag <= _LARGEST:
                yield (
                    f"{name}-{partition} has the lag {lag!r}; give a whole number below 2^63, or "
                    "None where unknown"
                )
