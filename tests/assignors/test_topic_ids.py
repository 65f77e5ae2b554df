from base64 import urlsafe_b64encode

import numpy as np
import pytest

from assignors.java.hash_order import hash_map_order
from assignors.model import Group, InvalidGroupError
from assignors.naming import topic_records
from assignors.numbering import Member, Topic, group_of
from assignors.topic_ids import (
    ranks_by_id,
    ranks_in_assignments,
    ranks_in_subscription,
    uuid_hashes,
)
from assignors.uniform.kafka_18688 import uniform_kafka_18688

BUCKETS_13_AND_2 = {"a": "AAAAAAAAAAAAAAAAAAAADQ", "b": "AAAAAAAAAAAAAAAAAAAAAg"}


def group(ids: dict[str, str | None], owned: tuple[tuple[str, int], ...] = ()) -> Group:
    members = [Member("c0", list(ids), owned=owned), Member("c1", list(ids))]
    return group_of({name: Topic(2, topic_id=id_) for name, id_ in ids.items()}, members)


def test_topics_come_in_the_order_of_the_buckets_of_their_ids() -> None:
    found = group(dict(BUCKETS_13_AND_2))

    assert ranks_in_subscription(found.layout).tolist() == [1, 0]


def test_topics_come_by_name_as_long_as_an_id_is_unknown() -> None:
    found = group(BUCKETS_13_AND_2 | {"b": None})

    assert ranks_in_subscription(found.layout).tolist() == [0, 1]
    assert ranks_by_id(found.layout).tolist() == [0, 1]


def test_a_member_has_topics_of_one_bucket_in_reverse_order() -> None:
    found = group({"a": "AAAAAAAAAAAAAAAAAAAAAg", "b": "AAAAAAAAAAAAAAAAAAAAEg"})

    assert ranks_in_subscription(found.layout).tolist() == [0, 1]
    members, topics = np.array([0, 0, 1], np.int32), np.array([0, 1, 1], np.int32)
    assert ranks_in_assignments(found.layout, members, topics).tolist() == [1, 0, 0]


@pytest.mark.parametrize("step", [1, 16, 64])
def test_many_members_topics_come_as_java_iterates_each_one_s_map(step: int) -> None:
    ids = [urlsafe_b64encode((k * step).to_bytes(16)).decode().rstrip("=") for k in range(40)]
    layout = group({f"t{k:02}": id_ for k, id_ in enumerate(ids)}).layout
    held = [np.arange(40), np.arange(0, 40, 3), np.arange(5, 14)]

    members = np.repeat(np.arange(3, dtype=np.int32), [len(each) for each in held])
    found = ranks_in_assignments(layout, members, np.concatenate(held).astype(np.int32))

    subscribed = ranks_in_subscription(layout)
    for member, topics in enumerate(held):
        given = sorted(topics.tolist(), key=lambda t: -subscribed[t])
        hashes = uuid_hashes([ids[t] for t in given])
        iterated = [given[at] for at in hash_map_order([ids[t] for t in given], hashes)]
        assert topics[np.argsort(found[members == member])].tolist() == iterated


def test_ids_compare_as_signed_numbers() -> None:
    found = group({"a": "AAAAAAAAAAAAAAAAAAAAAA", "b": "gAAAAAAAAAAAAAAAAAAAAA"})

    assert ranks_by_id(found.layout).tolist() == [1, 0]


def test_the_id_decides_which_topic_a_member_gives_up() -> None:
    owned = (("a", 0), ("a", 1), ("b", 0), ("b", 1))
    first, other = group(dict(BUCKETS_13_AND_2), owned), group({"a": None, "b": None}, owned)

    assert first.named(uniform_kafka_18688(first))["c0"] == ("b-0", "b-1")
    assert other.named(uniform_kafka_18688(other))["c0"] == ("a-0", "a-1")


def test_ids_survive_the_round_trip_through_records() -> None:
    found = topic_records(group(BUCKETS_13_AND_2 | {"b": None}))

    assert [topic.topic_id for topic in found.values()] == [BUCKETS_13_AND_2["a"], None]


@pytest.mark.parametrize("text", ["", "short", "AAAAAAAAAAAAAAAAAAAAA!", "é" * 22, "A" * 30])
def test_what_is_no_id_is_refused(text: str) -> None:
    with pytest.raises(InvalidGroupError, match=r"topic .a. has the id .* TopicId"):
        group({"a": text})
