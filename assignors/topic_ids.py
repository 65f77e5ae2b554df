"""The order in which a broker visits topics: by their random ids, where known.

With equal subscriptions it iterates Java's hash sets and maps of ids bucket by bucket; ids
within a bucket keep insertion order. Sources: UniformHomogeneousAssignmentBuilder, TopicIds and
UniformHeterogeneousAssignmentBuilder of the group coordinator, Kafka 4.4.
"""

from base64 import urlsafe_b64decode
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assignors.java.hash_order import FEWEST_BUCKETS, bucket_of, hash_map_order
from assignors.memo import claimless_memo
from assignors.model import Group, LongArray


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


def has_ids(group: Group) -> bool:
    """Return whether the ids of all topics with partitions and subscribers are known."""
    return bool(group.topic_ids) and all(
        group.topic_ids[topic] is not None for topic in group.wanted_topics.tolist()
    )


def ids_share_buckets(group: Group) -> bool:
    """Return whether two subscribed topics share one of the 16 buckets of a small map."""
    hashes = uuid_hashes([group.topic_ids[topic] or "" for topic in group.wanted_topics.tolist()])
    return np.unique(bucket_of(hashes, FEWEST_BUCKETS)).size < hashes.size


@claimless_memo
def ranks_in_subscription(group: Group) -> LongArray:
    """Return the rank of each topic in a broker's iteration of the subscribed ids; (T,).

    For members with equal subscriptions. Topic numbers if ids are unknown.
    """
    if not has_ids(group):
        return np.arange(len(group.topics))
    wanted = set(group.wanted_topics.tolist())
    # Ids are inserted in the iteration order of the subscribed names, without unknown topics.
    return _ranks(group, [topic for topic in hash_map_order(group.topics) if topic in wanted])


def ranks_in_assignment(group: Group, topics: LongArray) -> LongArray:
    """Return the rank of each of one member's topics in a broker's iteration; (T,).

    Ids that share a bucket come in the reverse of the order in which the member was assigned
    them, which is assumed to be that of the subscription. Topic numbers if ids are unknown.
    """
    if not has_ids(group):
        return np.arange(len(group.topics))
    given = topics[np.argsort(ranks_in_subscription(group)[topics], kind="stable")]
    return _ranks(group, given[::-1].tolist())


def ranks_by_id(group: Group) -> LongArray:
    """Return the rank of each topic in ``Uuid.compareTo`` order; (T,). Topic numbers if unknown."""
    if not has_ids(group):
        return np.arange(len(group.topics))
    keys = {topic: halves(group.topic_ids[topic] or "") for topic in group.wanted_topics.tolist()}
    return _as_ranks(group, sorted(keys, key=keys.__getitem__))


def _ranks(group: Group, topics: list[int]) -> LongArray:
    """Return the rank of each topic in a hash map into which ids are inserted in this order."""
    ids = [group.topic_ids[topic] or "" for topic in topics]
    return _as_ranks(group, [topics[at] for at in hash_map_order(ids, uuid_hashes(ids))])


def _as_ranks(group: Group, topics: list[int]) -> LongArray:
    ranks = np.full(len(group.topics), len(topics), np.int64)
    ranks[topics] = np.arange(len(topics))
    return ranks
