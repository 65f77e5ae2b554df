"""What sentences call consumers: short, distinct, and never to be mistaken for a partition."""

from typing import Final

import pytest

from assignors.model import Group
from evaluation.consumer_labels import called
from sources.text import read_text

_UUIDS: Final = (
    "1d8e1212-1a48-5ce4-ba2e-2b38c30ec4b7",
    "21e359be-0936-532c-a321-d4fba0a3813a",
)
_OTHERS: Final = tuple(
    f"{some}{uuid[4:]}" for some, uuid in zip(("aaaa", "bbbb"), _UUIDS, strict=True)
)


def group(*ids: str) -> Group:
    return Group.fresh({"orders": 4}, ids)


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (("consumer-pay-1", "consumer-pay-2"), ("pay-1", "pay-2")),
        (("consumer-1", "consumer-2"), ("consumer-1", "consumer-2")),
        (("consumer-orders-1", "consumer-orders-3"), ("consumer orders-1", "consumer orders-3")),
        (("consumer-2", "consumer-pay-1"), ("consumer-2", "consumer-pay-1")),
    ],
)
def test_the_word_consumer_is_dropped_unless_a_number_would_be_left_and_a_noun_before_a_partition(
    ids: tuple[str, str], expected: tuple[str, str]
) -> None:
    assert called(group(*map("-".join, zip(ids, _UUIDS, strict=True)))) == expected
    assert called(group(*ids)) == expected


def test_an_owner_of_an_old_tool_is_called_by_its_client_id() -> None:
    assert called(group("consumer-1_/10.0.0.1", "consumer-2_/10.0.0.2")) == (
        "consumer-1",
        "consumer-2",
    )
    alike = ("consumer-1_/10.0.0.1", "consumer-1_/10.0.0.2")
    assert called(group(*alike)) == alike


def test_consumers_of_one_client_id_that_came_are_told_apart() -> None:
    head = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
    texts = [
        f"2026-11-27T10:0{minute}:00Z\n{head}"
        + "".join(
            f"pay orders {p} {1_000 + minute} 2000 {1_000 - minute} consumer-pay-1-{uuid} /h c\n"
            for p, uuid in enumerate(uuids)
        )
        for minute, uuids in enumerate((_UUIDS, _OTHERS))
    ]

    (reading,) = read_text("\n".join(texts))

    (note,) = (note for note in reading.notes if "came" in note)
    assert all(each in note for each in ("consumer-pay-1 1d8e", "consumer-pay-1 21e3"))
    assert all(each in note for each in ("consumer-pay-1 aaaa", "consumer-pay-1 bbbb"))
