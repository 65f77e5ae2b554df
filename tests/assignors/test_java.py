"""The expected orders were printed once by Java 17's own HashMap and Collections.sort."""

import pytest

from assignors.java import hash_map_order, is_sorted, string_hash, string_order

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
    assert string_hash(text) == expected


def test_strings_sort_by_utf_16_units_not_by_characters() -> None:
    names = [TILDE, MAILBOX, "z", "a", "Z", "ab", "", "\u00e9"]

    assert string_order(names) == [6, 4, 3, 5, 2, 7, 1, 0]
    assert sorted([TILDE, MAILBOX]) == [TILDE, MAILBOX]  # Python itself has them the other way


def test_repeats_and_descents_are_not_sorted() -> None:
    assert is_sorted([])
    assert is_sorted(["Z", "a", "b"])
    assert is_sorted([MAILBOX, TILDE])
    assert not is_sorted([TILDE, MAILBOX])
    assert not is_sorted(["a", "a"])
    assert not is_sorted(["b", "a"])
