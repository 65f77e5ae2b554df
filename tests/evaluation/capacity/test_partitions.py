"""Numbers of consumers that partitions divide among nearly evenly, checked by hand."""

import pytest

from evaluation.capacity.partitions import useful_counts


def test_126_partitions_have_22_useful_numbers_of_consumers() -> None:
    found = useful_counts(126)

    assert found == [*range(1, 12), 12, 13, 14, 16, 18, 21, 26, 32, 42, 63, 126]


@pytest.mark.parametrize(
    ("partitions", "expected"),
    [(0, []), (1, [1]), (7, [1, 2, 3, 4, 7]), (10, [1, 2, 3, 4, 5, 10])],
)
def test_few_partitions(partitions: int, expected: list[int]) -> None:
    assert useful_counts(partitions) == expected


def test_every_number_between_leaves_the_fullest_as_full() -> None:
    for partitions in range(1, 200):
        useful = set(useful_counts(partitions))
        for consumers in range(2, partitions + 1):
            fullest, before = -(-partitions // consumers), -(-partitions // (consumers - 1))
            assert (fullest < before) == (consumers in useful)
