"""The order in which a broker visits topics: by their random ids, where known.

With equal subscriptions it iterates Java's hash sets and maps of ids bucket by bucket; ids
within a bucket keep insertion order. Sources: UniformHomogeneousAssignmentBuilder, TopicIds and
UniformHeterogeneousAssignmentBuilder of the group coordinator, Kafka 4.4.
"""

from base64 import urlsafe_b64decode
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from assignors import ragged
from assignors.java.hash_order import (
    FEWEST_BUCKETS,
    bucket_of,
    buckets_of_maps,
    hash_map_order,
)
from assignors.memo import memo
from assignors.model import Layout, LongArray


@lru_cache(maxsize=10_000)  # asked of each member, in each of many draws
def halves(topic_id: str) -> tuple[int, int]:
    """Return the upper and the lower 64 bits of an id as Java's signed ``long``.

    >>> halves("AAAAAAAAAAEAAAAAAAAAAg"), halves("_____________________w")
    ((1, 2), (-1, -1))
    """
    data = urlsafe_b64decode(f"{topic_id}==")
    upper, lower = (int.from_bytes(data[at : at + 8], signed=True) for at in (0, 8))
    return upper, lower


def uuid_hashes(topic_ids: Sequence[str]) -> npt.NDArray[np.uint32]:
    """Return ``Uuid.hashCode`` of each id: both halves folded into 32 bits."""
    pairs = np.array([halves(topic_id) for topic_id in topic_ids], np.int64).reshape(-1, 2)
    bits = (pairs[:, 0] ^ pairs[:, 1]).view(np.uint64)
    return (bits >> np.uint64(32) ^ bits).astype(np.uint32)


@memo
def has_ids(layout: Layout) -> bool:
    """Return whether the ids of all topics with partitions and subscribers are known."""
    return bool(layout.topic_ids) and all(
        layout.topic_ids[topic] is not None for topic in layout.wanted_topics.tolist()
    )


def ids_share_buckets(layout: Layout) -> bool:
    """Return whether two subscribed topics share one of the 16 buckets of a small map."""
    hashes = uuid_hashes([layout.topic_ids[topic] or "" for topic in layout.wanted_topics.tolist()])
    return np.unique(bucket_of(hashes, FEWEST_BUCKETS)).size < hashes.size


@memo
def ranks_in_subscription(layout: Layout) -> LongArray:
    """Return the rank of each topic in a broker's iteration of the subscribed ids; (T,).

    For members with equal subscriptions. Topic numbers if ids are unknown.
    """
    if not has_ids(layout):
        return np.arange(len(layout.topics))
    wanted = set(layout.wanted_topics.tolist())
    # Ids are inserted in the iteration order of the subscribed names, without unknown topics.
    return _ranks(layout, [topic for topic in hash_map_order(layout.topics) if topic in wanted])


def ranks_in_assignments(
    layout: Layout, members: npt.NDArray[np.int32], topics: npt.NDArray[np.int32]
) -> LongArray:
    """Return the rank of each topic among its member's in a broker's iteration of an assignment.

    ``members`` (N,) ascend; ``topics`` (N,) are distinct for each. Ids that share a bucket come in
    the reverse of the order in which the member was assigned them, which is assumed to be that of
    the subscription. Topic numbers if ids are unknown.
    """
    if not has_ids(layout):
        return topics.astype(np.int64)
    starts = np.append(np.flatnonzero(ragged.changes(members)), members.size)
    sizes = np.diff(starts)
    inserted = np.lexsort((-ranks_in_subscription(layout)[topics], members))
    hashes, place = _hashes(layout)[topics[inserted]], ragged.place_in_row(sizes)
    buckets, is_crowded = buckets_of_maps(starts, place, hashes)
    order = inserted[np.lexsort((bucket_of(hashes, buckets.repeat(sizes)), members))]
    ranks = np.empty(members.size, np.int64)
    ranks[order] = place
    for row in np.flatnonzero(is_crowded):
        first, end = starts[row], starts[row + 1]
        given = topics[inserted[first:end]].tolist()
        ranks[first:end] = _ranks(layout, given)[topics[first:end]]
    return ranks


def ranks_by_id(layout: Layout) -> LongArray:
    """Return the rank of each topic in ``Uuid.compareTo`` order; (T,). Topic numbers if unknown."""
    if not has_ids(layout):
        return np.arange(len(layout.topics))
    keys = {topic: halves(layout.topic_ids[topic] or "") for topic in layout.wanted_topics.tolist()}
    return _as_ranks(layout, sorted(keys, key=keys.__getitem__))


@memo
def _hashes(layout: Layout) -> npt.NDArray[np.uint32]:
    """Return the hash of each topic's id (T,), of whatever where it is unknown."""
    return uuid_hashes([id_ or "" for id_ in layout.topic_ids])


def _ranks(layout: Layout, topics: list[int]) -> LongArray:
    """Return the rank of each topic in a hash map into which ids are inserted in this order."""
    ids = [layout.topic_ids[topic] or "" for topic in topics]
    return _as_ranks(layout, [topics[at] for at in hash_map_order(ids, uuid_hashes(ids))])


def _as_ranks(layout: Layout, topics: list[int]) -> LongArray:
    ranks = np.full(len(layout.topics), len(topics), np.int64)
    ranks[topics] = np.arange(len(topics))
    return ranks
