"""The expected orders were printed by Java 17's own HashMap and Collections.sort."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.java.hash_order import (
    coordinator_order,
    hash_map_order,
    hash_sets_order,
    partition_hashes,
)
from assignors.java.strings import is_sorted, string_hashes, string_order
from tests.groups import tried

TILDE, MAILBOX = "\uff5e", "\U0001f4ec"  # in Java the second starts with the unit D83D


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(
            [
                "consumer-1-8e4f4c3b-5a1d-4f0e-9a51-0b6f3f6c1d11",
                "consumer-2-1f0c7f6e-77aa-4a0f-8a0c-6f5d9f7b2c22",
                "consumer-3-d2b6c0aa-0f3e-4c1b-bb7e-93f1f0a53c33",
                "consumer-4-00f8a5de-3b62-41a5-8d5b-2a1e4c9d4d44",
                "consumer-5-7c1d9e2b-6e8f-4b7a-9c3d-5e2f1a0b5e55",
            ],
            [1, 4, 3, 2, 0],
            id="ids as clients make them",
        ),
        pytest.param(["BB", "x", "Aa", "C#"], [0, 2, 3, 1], id="equal hashes, as inserted"),
        pytest.param(["C#", "x", "Aa", "BB"], [0, 2, 3, 1], id="equal hashes, as inserted too"),
        pytest.param([MAILBOX, TILDE, "consumer0", "\u00e9"], [0, 3, 2, 1], id="beyond ASCII"),
        pytest.param([], [], id="nobody"),
    ],
)
def test_keys_come_in_the_order_of_a_hash_map(keys: list[str], expected: list[int]) -> None:
    assert hash_map_order(keys) == expected


_AS_DESCRIBED = np.array(
    [[11, 8, 5, 10, 21, 12, 14, 15], [2, 4, 19, 16, 9, 3, 1, 13], [22, 23, 18, 7, 6, 17, 20, 0]]
).ravel()
"""The order in which a TimelineHashMap of Kafka 4.4.0 iterates app-0, app-1, app-4, ... app-529."""


def test_a_coordinator_keeps_members_by_slot() -> None:
    names = ["W1vAZfUBXh3UzRvyoAdZkg", "psEO40u7UaPlMH_ryISbCw", "fDbTiDIcFjEb-vuo2IDigw"]
    names += ["lcCOZvVlu1Ng67B-XrZ__g", "NIs-HE_epkLrLQEJ2NifsQ", "YitZQZzvwmJlo0VhSl3mdQ"]

    assert coordinator_order(names) == [0, 1, 4, 3, 5, 2]
    assert coordinator_order(names[::-1]) == [5, 4, 1, 2, 0, 3]
    assert coordinator_order([]) == []


def test_members_of_one_slot_stay_as_the_coordinator_listed_them() -> None:
    described = [f"app-{number**2}" for number in _AS_DESCRIBED.tolist()]

    assert coordinator_order(described) == list(range(24))
    assert coordinator_order(sorted(described)) != list(range(24))


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(12, [4, 7, 2, 3, 9, 8, 5, 6, 1, 11, 0, 10], id="12 in 16 buckets"),
        pytest.param(13, [2, 3, 9, 8, 5, 6, 1, 0, 4, 7, 11, 10, 12], id="13 in 32 buckets"),
        pytest.param(
            24,
            [2, 3, 9, 8, 23, 5, 6, 1, 0, 4, 7, 13, 20, 15, 18, 14, 19, 16, 17, 11, 22, 10, 12, 21],
            id="24 in 32 buckets",
        ),
    ],
)
def test_a_map_doubles_when_more_than_three_quarters_full(count: int, expected: list[int]) -> None:
    assert hash_map_order([f"app-{number**2}" for number in range(count)]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("consumer1", 3873962747), ("\u00e9", 233), (MAILBOX, 1772623)],
)
def test_hashes_are_those_of_string_hash_code(text: str, expected: int) -> None:
    assert string_hashes([text])[0] == expected


def test_strings_sort_by_utf_16_units_not_by_characters() -> None:
    names = [TILDE, MAILBOX, "z", "a", "Z", "ab", "", "\u00e9"]

    assert string_order(names) == [6, 4, 3, 5, 2, 7, 1, 0]
    assert sorted([TILDE, MAILBOX]) == [TILDE, MAILBOX]  # Python sorts them the other way


def test_repeats_and_descents_are_not_sorted() -> None:
    assert is_sorted([])
    assert is_sorted(["Z", "a", "b"])
    assert is_sorted([MAILBOX, TILDE])
    assert not is_sorted([TILDE, MAILBOX])
    assert not is_sorted(["a", "a"])
    assert not is_sorted(["b", "a"])


ONE_HASH = ["".join(pairs) for pairs in product(("Aa", "BB"), repeat=4)]
"""Keys that share a bucket in a map of any size."""
ONE_BUCKET_OF_64 = ["k70", "k92", "k609", "k708", "k807", "k829", "k906", "k928", "k4909", "k8091"]
ONE_BUCKET_OF_64 += ["k8190", "k9081", "k9180", "k11011"]


def test_nine_keys_in_one_bucket_double_a_small_map() -> None:
    eight, nine = [*ONE_HASH[:8], "p", "a"], [*ONE_HASH[:9], "p", "a"]

    assert hash_map_order(eight) == [8, 9, *range(8)]  # with 16 buckets, p is in the first
    assert hash_map_order(nine) == [10, *range(9), 9]  # with 32, a comes first and p last


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        pytest.param(ONE_HASH[:10], [3, 0, 1, 2, 4, 5, 6, 7, 8, 9], id="equal hashes"),
        pytest.param(
            ONE_BUCKET_OF_64, [3, 0, 5, 6, 9, 12, 4, 13, 1, 2, 7, 8, 11, 10], id="split in two"
        ),
        pytest.param(
            [*ONE_HASH[4::-1], *ONE_BUCKET_OF_64[9::-1], *ONE_HASH[5:]],
            [8, 5, 9, 11, 14, 6, 7, 10, 12, 13, 15, 1, 0, 2, 3, 4, *range(16, 26)],
            id="two trees",
        ),
    ],
)
def test_a_long_bucket_of_a_large_map_is_in_the_order_of_its_tree(
    keys: list[str], expected: list[int]
) -> None:
    first, last = [f"m{number}" for number in range(30)], [f"x{number}" for number in range(10)]

    order = hash_map_order([*first, *keys, *last])

    assert [position - 30 for position in order if 30 <= position < 30 + len(keys)] == expected


def test_known_hashes_need_not_be_computed_again() -> None:
    keys = ["c3", "c1", "c2"]

    assert hash_map_order(keys, string_hashes(keys)) == hash_map_order(keys)


def test_partitions_hash_as_topic_partition_does() -> None:
    numbers = np.array([0, 7], np.uint32)

    assert partition_hashes("orders", numbers).tolist() == [3286197926, 3286198143]


def _hash_code(text: str) -> int:
    """Return ``String.hashCode`` as its documentation defines it."""
    found = 0
    for low, high in batched_bytes(text.encode("utf-16-le", "surrogatepass")):
        found = (found * 31 + low + (high << 8)) % 2**32
    return found


def batched_bytes(units: bytes) -> Iterator[tuple[int, int]]:
    return zip(units[::2], units[1::2], strict=True)


@given(
    texts=st.lists(st.text(max_size=6), max_size=6)
    | st.lists(st.text("abz09-", min_size=5, max_size=5), max_size=6)
    | st.lists(st.text(f"a{TILDE}", min_size=3, max_size=3), max_size=6)
)
@tried(300)
def test_hashes_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    assert string_hashes(texts).tolist() == [_hash_code(text) for text in texts]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [
        pytest.param([33, 17, 1, 5], [33, 17, 1, 5], id="one bucket, as put in"),
        pytest.param(range(12, 24), [*range(16, 24), *range(12, 16)], id="12 fit 16 buckets"),
        pytest.param(range(12, 25), range(12, 25), id="13 need 32"),
        pytest.param(range(20, 40), [*range(32, 40), *range(20, 32)], id="20 fit 32"),
        pytest.param([65536, 1, 65537, 0, 16], [65537, 0, 16, 65536, 1], id="above 16 bits"),
        pytest.param(range(160, 32, -16), range(160, 32, -16), id="eight in a bucket"),
        pytest.param(
            range(160, 16, -16), [160, 128, 96, 64, 32, 144, 112, 80, 48], id="nine double it"
        ),
        pytest.param(range(320, 32, -32), range(320, 32, -32), id="nine double it only once"),
        pytest.param([], [], id="none"),
    ],
)
def test_numbers_come_in_the_order_of_a_hash_set_of_java_21(
    numbers: Sequence[int], expected: Sequence[int]
) -> None:
    behind = np.array([*numbers, 1, 0], np.int32)
    starts = np.array([0, len(numbers), behind.size])

    order = hash_sets_order(starts, behind)

    assert behind[order].tolist() == [*expected, 0, 1]
