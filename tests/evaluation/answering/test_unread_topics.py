"""A topic that no consumer reads: missing consumers, or a topic that the group has left."""

from typing import Final, cast

import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.diagnosis.findings import OffByOne, TopicLeft
from evaluation.reading import Reading
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.group_json import decode, encode
from tests.answers import NextRebalance
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
    return answer_of(given_of(reading), NextRebalance())


def test_one_snapshot_cannot_tell_a_left_topic_from_missing_consumers() -> None:
    found = answer(the_group(describe(1_000, 0)))

    assert found.verdict.kind is VerdictKind.TOPIC_UNREAD
    assert found.verdict.severity is Severity.WARNING
    assert found.verdict.figures.lag_records == 80_000
    assert found.proposal is not None
    assert found.proposal.action is Action.START
    assert "audit" in words_of(found).headline


def test_records_that_go_on_arriving_where_nobody_reads_are_told() -> None:
    found = answer(dated(3_000))

    assert found.verdict.kind is VerdictKind.TOPIC_UNREAD
    assert found.verdict.figures.arrived_records == 6_000
    assert [found.group.partition_name(each) for each in found.verdict.partitions] == [
        "audit-0",
        "audit-1",
    ]
    facts = cast("dict[str, object]", as_data(found)["facts"])  # in no total
    assert (facts["partitions"], facts["topics"], facts["arriving_per_s"]) == (2, 1, 33.333)
    assert CaveatKind.LEFT_TOPIC not in {each.kind for each in found.caveats}


def test_a_topic_in_which_nothing_arrives_is_no_more_than_a_caveat() -> None:
    found = answer(dated(0))

    assert found.verdict.severity is not Severity.WARNING
    (left,) = (each for each in found.caveats if each.kind is CaveatKind.LEFT_TOPIC)
    assert (left.names, left.figures.known()) == (("audit",), {"lag_records": 80_000})


def test_every_door_gives_the_same_answer_on_a_topic_without_consumers() -> None:
    pasted = dated(3_000)

    saved = decode(encode(pasted))

    assert as_data(answer(saved)) == as_data(answer(pasted))
    assert not [note for note in pasted.notes if "audit" in note]


def test_only_a_topic_that_is_called_left_has_the_command_that_deletes_its_offsets() -> None:
    told = {arrived: words_of(answer(dated(arrived))).caveats for arrived in (0, 3_000)}

    assert [caveat for caveat in told[0] if "--delete-offsets --group shop --topic audit" in caveat]
    assert not [caveat for caveat in told[3_000] if "audit" in caveat]


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
    assert found.verdict.figures.lag_records is None  # auto.offset.reset decides


def test_a_topic_that_was_left_does_not_hide_that_nothing_waits_elsewhere() -> None:
    text = "\n".join(
        f"2026-11-27T10:0{minute}:00Z\n"
        + describe(read, 0).replace(f"{read + 20} 20", f"{read + 1} 1")
        for minute, read in enumerate((1_000, 2_000))
    )

    found = answer(the_group(text))

    assert {type(each) for each in found.findings} == {TopicLeft, OffByOne}
    assert found.verdict.kind is VerdictKind.HEALTHY
    assert found.verdict.figures.lag_records == 2
