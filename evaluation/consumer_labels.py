"""What people call the members of a group."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from assignors.model import Group
from evaluation.wording import without_uuid, without_uuids

CONSUMER: Final = "consumer "
"""What stands before a name that alone would be misread."""
RANDOM_ID: Final = re.compile("(?:[A-Za-z0-9_-]{21}|[A-Za-z0-9+/]{21})[AQgw]")
"""A member id under ``group.protocol=consumer``: 16 random bytes, without the client id.

Base64 of 128 bits: the last of its 22 characters holds two of them. Java's clients write the
alphabet of URLs, librdkafka the plain one.
"""
_KEPT: Final = 4
"""Characters of a random id that tell members of one client id apart."""
_PREFIX: Final = "consumer-"
"""What Kafka's clients put before the group where no client id is set."""
_HOST: Final = re.compile(r"_/[0-9A-Fa-f.:%]+$")
"""What tools before 0.11 put behind the client id because there is no member id."""


def labels_of(group: Group) -> tuple[str, ...]:
    """Return a distinct label for each member, by number; see ``labels``."""
    return labels(group.members, group.layout.client_ids)


def bare_labels(group: Group) -> tuple[str, ...]:
    """Return what pictures call each member: its label without a ``consumer-`` that all share.

    It stays where the rest would be a number.
    """
    names = labels_of(group)
    short = tuple(name.removeprefix(_PREFIX) for name in names)
    is_shared = all(name.startswith(_PREFIX) for name in names)
    return short if is_shared and all(short) and not any(s[0].isdigit() for s in short) else names


def called(group: Group) -> tuple[str, ...]:
    """Return what sentences call each member: as pictures do, below "Consumer".

    Where a name without its ``consumer-`` could be read as one of the group's partitions, the noun
    stands before it.
    """
    names = bare_labels(group)
    topics = frozenset(group.topics)
    is_cut = names != labels_of(group)
    if is_cut and any(_is_partition(name, topics) for name in names):
        return tuple(f"{CONSUMER}{name}" for name in names)
    return names


def _is_partition(name: str, topics: frozenset[str]) -> bool:
    topic, dash, number = name.rpartition("-")
    return bool(dash) and number.isdigit() and topic in topics


def labels(ids: Sequence[str], client_ids: Mapping[str, str]) -> tuple[str, ...]:
    """Return a distinct label for each member id.

    The id without the UUID that Kafka appends, if that stays distinct. An id of a broker-side
    group is random through and through: there it is the client id, with the beginning of the id
    where several members share one.

    >>> ids = ["2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA"]
    >>> clients = {ids[0]: "billing", ids[1]: "billing"}
    >>> labels(ids, clients)
    ('billing 2kzJ', 'billing 9PqA')
    """
    hostless = tuple(_HOST.sub("", m) for m in ids)
    if hostless != tuple(ids) and len({*hostless}) == len(hostless):
        return hostless
    named = {m: client_ids[m] for m in ids if m in client_ids and RANDOM_ID.fullmatch(m)}
    if not named:
        return _without_most_of_uuids(ids)
    shared = Counter(named.values())
    called = {
        m: client if shared[client] == 1 else f"{client} {m[:_KEPT]}" for m, client in named.items()
    }
    distinct = tuple(called.get(m, m) for m in ids)
    return distinct if len({*distinct}) == len(distinct) else tuple(ids)


def _without_most_of_uuids(ids: Sequence[str]) -> tuple[str, ...]:
    """Return the ids without UUIDs, with the beginning of the UUID where that alone is distinct.

    >>> end = "-4a52-9a0b-51f1c2a4be07"
    >>> _without_most_of_uuids([f"app-0d3c1f0e-6a41{end}", f"app-1e4d2f1f-7b52{end}"])
    ('app 0d3c', 'app 1e4d')
    """
    short = without_uuids(ids)
    if short != tuple(ids):
        return short
    stems = tuple(map(without_uuid, ids))
    cut = tuple(
        stem if stem == name else f"{stem} {name[len(stem) :].lstrip('-')[:_KEPT]}".strip()
        for stem, name in zip(stems, ids, strict=True)
    )
    return cut if len({*cut}) == len(cut) else tuple(ids)


def labels_by_id(group: Group) -> Mapping[str, str]:
    """Return the label of each member by its id."""
    return dict(zip(group.members, labels_of(group), strict=True))
