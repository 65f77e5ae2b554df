"""Java's HashMap: how computeIfAbsent and the capacity change the order of iteration."""

from assignors.java.hash_order import order_of_hashes


def test_put_joins_a_bucket_at_its_end_and_compute_if_absent_at_its_front() -> None:
    assert order_of_hashes([0, 16, 32]) == [0, 1, 2]
    assert order_of_hashes([0, 16, 32], computed=True) == [2, 1, 0]


def test_compute_if_absent_doubles_one_insertion_later() -> None:
    hashes = [*range(12), 16]  # the thirteenth key

    assert order_of_hashes(hashes)[:2] == [0, 1]  # 32 buckets
    assert order_of_hashes(hashes, computed=True)[:2] == [12, 0]  # 16, until the next


def test_the_eighth_key_of_a_bucket_doubles_a_computed_map_and_the_ninth_a_put_one() -> None:
    eight = [16 * number for number in range(8)]

    assert order_of_hashes([*eight, 1])[-1] == 8
    assert order_of_hashes(eight) == list(range(8))
    assert order_of_hashes(eight, computed=True) == [6, 4, 2, 0, 7, 5, 3, 1]


def test_a_capacity_is_rounded_up_to_a_power_of_two() -> None:
    hashes = [0, 4, 1]

    assert order_of_hashes(hashes, capacity=4) == [0, 1, 2]
    assert order_of_hashes(hashes, capacity=5) == [0, 2, 1]
