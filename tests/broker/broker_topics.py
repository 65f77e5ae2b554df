"""The order in which a broker visits topics: that of a hash set of their random ids."""

from collections.abc import Mapping

import numpy as np
from confluent_kafka import Uuid

from assignors.java import hash_map_order
from assignors.model import Group
from assignors.numbering import Member, Topic, assignment_of, group_of
from assignors.registry import STRATEGIES
from live.model import Place
from tests.broker.rebalances import Outcome


def predicted_by_topic_ids(outcome: Outcome, ids: Mapping[str, Uuid]) -> dict[str, set[Place]]:
    """Predict with the topics named anew, so that their names ascend as their ids are visited."""
    group = outcome.group
    names = list(group.topics)
    visited = hash_map_order(names, np.array([_hash(ids[name]) for name in names], np.uint32))
    new = {names[topic]: f"{place:03}" for place, topic in enumerate(visited)}
    old = {name: topic for topic, name in new.items()}
    renamed = _renamed(group, new)
    owners = STRATEGIES[outcome.plan.strategy].settle(renamed)
    held = assignment_of(renamed, owners)
    return {member: {(old[t], p) for t, p in places} for member, places in held.items()}


def _renamed(group: Group, new: Mapping[str, str]) -> Group:
    sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
    topics = {new[name]: Topic(partitions=size) for name, size in sizes.items()}
    members = []
    for member in group.arrival.tolist():
        wanted = np.flatnonzero(group.subscribes[group.class_of_member[member]])
        claims = group.claims[group.claim_starts[member] : group.claim_starts[member + 1]]
        owned = [
            (new[group.topics[group.topic_of_partition[p]]], int(group.number_in_topic[p]))
            for p in claims.tolist()
        ]
        members.append(
            Member(
                id=group.members[member],
                topics=[new[group.topics[topic]] for topic in wanted],
                instance_id=group.instance_ids[member],
                owned=owned,
            )
        )
    return group_of(topics, members)


def _hash(uuid: Uuid) -> int:
    """Return Kafka's `Uuid.hashCode`: both halves folded into 32 bits."""
    bits: int = uuid.get_most_significant_bits() ^ uuid.get_least_significant_bits()  # type: ignore[attr-defined]
    bits %= 1 << 64
    return (bits >> 32 ^ bits) % (1 << 32)
