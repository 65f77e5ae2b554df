"""A topic that no consumer reads: missing consumers, or a topic that the group has left."""

import json
from typing import Final

import pytest

from evaluation.answering.answer import Answer
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.options import Action
from evaluation.answering.verdicts import VerdictKind
from evaluation.answering.words import words_of
from evaluation.severity import Severity
from sources.asking import given_of
from sources.group_json import decode, encode, file_of, reading_of
from sources.reading import Reading
from tests.pasted import the_group

pytestmark = pytest.mark.slow
_HEAD: Final = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
)
_UP: Final = "b-{0}-c76abf43-6fa8-4dca-ac0a-e4e2f729b4c{0} /10.0.0.{0} b-{0}"


def describe(read: int, arrived: int) -> str:
    """Return two read partitions of billing, and two of audit that nobody owns."""
    rows = [f"shop billing {k} {read} {read + 20} 20 {_UP.format(k)}" for k in range(2)]
    rows += [f"shop audit {k} 100 {40_100 + arrived} {40_000 + arrived} - - -" for k in range(2)]
    return _HEAD + "\n".join(rows) + "\n"


def dated(arrived: int) -> Reading:
    """Return the same twice, a minute apart."""
    return the_group(
        f"2026-11-27T10:00:00Z\n{describe(1_000, 0)}\n"
        f"2026-11-27T10:01:00Z\n{describe(2_000, arrived)}"
    )


def answer(reading: Reading) -> Answer:
    return answer_of(given_of(reading))


def test_one_snapshot_cannot_tell_a_left_topic_from_missing_consumers() -> None:
    found = answer(the_group(describe(1_000, 0)))

    assert found.verdict.kind is VerdictKind.TOPIC_UNREAD
    assert found.verdict.severity is Severity.WARNING
    assert found.verdict.figure("lag_records") == 80_000
    assert found.proposal is not None
    assert found.proposal.action is Action.START
    assert "audit" in words_of(found).headline


def test_records_that_go_on_arriving_where_nobody_reads_are_told() -> None:
    found = answer(dated(3_000))

    assert found.verdict.kind is VerdictKind.TOPIC_UNREAD
    assert found.verdict.figure("arrived_records") == 6_000
    assert found.group.topics == ("billing",)  # in no total, and in no prediction
    assert CaveatKind.LEFT_TOPIC not in {each.kind for each in found.caveats}


def test_a_topic_in_which_nothing_arrives_is_no_more_than_a_caveat() -> None:
    found = answer(dated(0))

    assert found.verdict.severity is not Severity.WARNING
    (left,) = (each for each in found.caveats if each.kind is CaveatKind.LEFT_TOPIC)
    assert (left.names, left.figures) == (("audit",), {"lag_records": 80_000})


def test_a_saved_group_keeps_what_was_left_out() -> None:
    read = dated(3_000)

    again = reading_of(decode(encode(file_of(read, read.group))))

    assert again.assumed.topics_left == read.assumed.topics_left
    assert answer(again).verdict.kind is VerdictKind.TOPIC_UNREAD


def test_a_group_that_an_earlier_release_saved_names_what_was_left_out() -> None:
    read = dated(3_000)
    data = json.loads(encode(file_of(read, read.group)))
    data["assumed"]["topics_left"] = ["audit"]

    again = reading_of(decode(json.dumps(data)))

    assert [topic.name for topic in again.assumed.topics_left] == ["audit"]
    assert answer(again).verdict.kind is VerdictKind.TOPIC_UNREAD
    assert answer(again).verdict.figure("lag_records") is None  # not 0, and not billing's


def test_added_partitions_that_nobody_owns_yet_are_not_said_to_be_fine() -> None:
    def rows(end: int) -> str:
        read = [f"shop billing {k} {end - 20} {end} 20 {_UP.format(k)}" for k in range(2)]
        return "\n".join(read)

    added = "\n".join(f"shop billing {k} - 200 - - - -" for k in (2, 3))
    text = (
        f"2026-11-27T10:00:00Z\n{_HEAD}{rows(1_000)}\n\n"
        f"2026-11-27T10:01:00Z\n{_HEAD}{rows(2_000)}\n{added}\n"
    )

    found = answer(the_group(text))

    assert found.verdict.kind is VerdictKind.NOBODY_READS
    assert [found.group.partition_name(each) for each in found.verdict.partitions] == [
        "billing-2",
        "billing-3",
    ]
    assert found.verdict.figure("lag_records") is None  # auto.offset.reset decides
