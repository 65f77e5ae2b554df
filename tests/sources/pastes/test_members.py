"""``--members``, with and without ``--verbose``, alone and beside the table of offsets."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import pytest

from assignors.naming import member_records
from evaluation.answering.engine import running_in
from evaluation.assuming.running import Origin
from sources.asking import given_of
from sources.cells import partitions_in
from sources.group_json import decode, encode
from sources.text import read_text
from tests.pasted import lags, owned, the_group
from tests.said import lacks

VERBOSE = """\

GROUP   CONSUMER-ID    HOST          CLIENT-ID  #PARTITIONS  ASSIGNMENT
kiosk   screen-1-aa    /10.2.0.11    screen-1   3            ads(0,2), news(1)
kiosk   screen-2-bb    /10.2.0.12    screen-2   0            -
kiosk   screen-3-cc    /10.2.0.13    screen-3   2            ads(1),news(0)
"""
KAFKA_4 = """\

GROUP   CONSUMER-ID            GROUP-INSTANCE-ID HOST         CLIENT-ID  #PARTITIONS     CURRENT-EPOCH   CURRENT-ASSIGNMENT   TARGET-EPOCH    TARGET-ASSIGNMENT
kiosk   GbvW3x9fQ1yqk0T2mM7v5g screen-a          /10.2.0.11   screen-1   3               4               ads:0,2;news:1       5               ads:0
kiosk   9kLmZ0aQTu2cXyPp4d8wBg                   /10.2.0.12   screen-2   0               5               -                    5               ads:2
kiosk   Zz8mZ0aQTu2cXyPp4d8wCh screen-c          /10.2.0.13   screen-3   2               5               ads:1;news:0         5               ads:1;news:0
"""
OFFSETS = """\

GROUP   TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST        CLIENT-ID
kiosk   ads    0          10              14              4    screen-1-aa  /10.2.0.11  screen-1
kiosk   ads    1          10              15              5    screen-3-cc  /10.2.0.13  screen-3
kiosk   news   1          10              16              6    screen-1-aa  /10.2.0.11  screen-1
"""


def test_a_list_of_partitions_names_the_owners() -> None:
    reading = the_group(VERBOSE)

    assert reading.format == "kafka-consumer-groups --describe --members --verbose"
    assert owned(reading) == {
        "screen-1-aa": ["ads-0", "ads-2", "news-1"],
        "screen-2-bb": [],
        "screen-3-cc": ["ads-1", "news-0"],
    }
    assert (reading.rows, reading.ignored) == (3, ())
    assert lags(reading) == {"ads": [None] * 3, "news": [None] * 2}


def test_predictions_start_from_targets_and_what_moves_is_a_rebalance_under_way() -> None:
    reading = the_group(KAFKA_4)

    assert list(owned(reading).values()) == [["ads-0"], ["ads-2"], ["ads-1", "news-0"]]
    under_way, group = reading.rebalancing, reading.group
    assert under_way is not None
    assert under_way.now is not None
    assert list(group.named(under_way.now).values()) == [
        (),
        ("ads-0", "ads-2", "news-1"),
        ("ads-1", "news-0"),
    ]
    assert [group.partition_name(int(p)) for p in under_way.moving] == ["ads-2", "news-1"]
    assert list(under_way.member_epochs.values()) == [4, 5, 5]
    assert any("KAFKA-20431" in note for note in reading.notes)


def test_members_that_hold_their_targets_are_in_no_rebalance() -> None:
    text = KAFKA_4.replace(
        "4               ads:0,2;news:1       5", "5               ads:0,2       5"
    )

    reading = the_group(
        text.replace("ads:0\n", "ads:0,2\n").replace(
            "-                    5               ads:2", "-                    5               -"
        )
    )

    assert reading.rebalancing is None
    assert list(owned(reading).values()) == [["ads-0", "ads-2"], [], ["ads-1", "news-0"]]


def test_a_group_instance_id_makes_a_member_static_and_a_blank_one_does_not() -> None:
    found = member_records(the_group(KAFKA_4).group)

    assert [member.instance_id for member in found] == ["screen-a", None, "screen-c"]
    assert found[1].id == "9kLmZ0aQTu2cXyPp4d8wBg"


def test_without_verbose_members_have_counts_and_no_partitions() -> None:
    text = "\n".join(line[: VERBOSE.index("ASSIGNMENT") - 1] for line in VERBOSE.splitlines())

    reading = the_group(text)

    assert reading.format == "kafka-consumer-groups --describe --members"
    assert owned(reading) == {"screen-1-aa": [], "screen-2-bb": [], "screen-3-cc": []}


def test_a_count_that_differs_from_its_list_is_noted_and_the_list_counts() -> None:
    reading = the_group(VERBOSE.replace("3            ads(0,2)", "1            ads(0,2)"))

    assert owned(reading)["screen-1-aa"] == ["ads-0", "ads-2", "news-1"]
    _, note = reading.notes
    assert lacks(note, "Line 3", "#PARTITIONS", "the assignment counts") == []


def test_a_list_with_partitions_left_out_is_noted() -> None:
    reading = the_group(VERBOSE.replace("ads(0,2), news(1)", "ads(0,2,...)"))

    assert owned(reading)["screen-1-aa"] == ["ads-0", "ads-2"]
    assert any(not lacks(note, "Line 3", "cannot be read") for note in reading.notes)


def test_tables_of_offsets_and_of_members_are_taken_together() -> None:
    reading = the_group(OFFSETS + VERBOSE)

    assert reading.format == "kafka-consumer-groups --describe"
    assert reading.rows == 3
    assert owned(reading) == {
        "screen-1-aa": ["ads-0", "news-1", "ads-2"],
        "screen-3-cc": ["ads-1", "news-0"],
        "screen-2-bb": [],
    }
    assert lags(reading) == {"ads": [4, 5, None], "news": [None, 6]}


def test_owners_in_rows_of_offsets_count_before_lists() -> None:
    moved = OFFSETS.replace(
        "5    screen-3-cc  /10.2.0.13  screen-3", "5    screen-2-bb  /10.2.0.12  screen-2"
    )

    reading = the_group(moved + VERBOSE)

    assert owned(reading)["screen-2-bb"] == ["ads-1"]
    assert owned(reading)["screen-3-cc"] == ["news-0"]


def test_a_table_that_does_not_name_its_group_joins_the_one_that_is_named() -> None:
    nameless = "\n".join(line[8:] for line in VERBOSE.splitlines())

    reading = the_group(OFFSETS + nameless)

    assert reading.group.id == "kiosk"
    assert reading.group.member_count == 3


def test_of_several_named_groups_a_command_tells_which_a_nameless_table_belongs_to() -> None:
    nameless = "\n".join(line[8:] for line in VERBOSE.splitlines())
    other = OFFSETS.replace("kiosk", "lobby")
    text = f"{other}{OFFSETS}\n$ kcg --describe --group kiosk --members --verbose\n{nameless}\n"

    found = read_text(text)

    assert [(reading.group.id, reading.group.member_count) for reading in found] == [
        ("lobby", 2),
        ("kiosk", 3),
    ]


def test_nameless_tables_below_commands_for_different_groups_stay_apart() -> None:
    nameless = "\n".join(line[8:] for line in OFFSETS.splitlines())
    text = f"$ kcg --describe --group one\n{nameless}\n$ kcg --describe --group=two\n{nameless}\n"

    found = read_text(text)

    assert [(reading.group.id, reading.name) for reading in found] == [("", "one"), ("", "two")]
    assert [reading.rows for reading in found] == [3, 3]


def test_a_wrapped_list_of_partitions_is_joined() -> None:
    text = VERBOSE.replace("ads(0,2), news(1)", "ads(0,2),\n     news(1)")

    assert owned(the_group(text))["screen-1-aa"] == ["ads-0", "ads-2", "news-1"]


def test_a_consumer_id_that_ran_into_its_host_is_split() -> None:
    text = VERBOSE.replace("screen-1-aa    /10", "screen-1-aa/10")

    assert "screen-1-aa" in owned(the_group(text))


def test_a_member_on_several_lines_is_one_member() -> None:
    text = VERBOSE + "kiosk   screen-1-aa    /10.2.0.11    screen-1   1            ads(3)\n"

    reading = the_group(text)

    assert reading.group.member_count == 3
    assert owned(reading)["screen-1-aa"] == ["ads-0", "ads-2", "news-1", "ads-3"]


def test_both_forms_of_an_assignment_are_read_the_same_way() -> None:
    expected = ((("a.b_c", 0), ("a.b_c", 10), ("d", 1)), False)

    assert partitions_in("a.b_c(0,10), d(1)") == expected
    assert partitions_in("a.b_c(0, 10),d(1)") == expected
    assert partitions_in("a.b_c:0,10;d:1") == expected
    assert partitions_in("-") == ((), False)
    assert partitions_in("a.b_c(0,1") == ((("a.b_c", 0), ("a.b_c", 1)), True)


def test_the_header_of_a_group_without_consumers_is_not_left_over() -> None:
    text = (
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\n"
        "idle-group reader-1-8f2c /10.0.0.1 reader-1 2\n\n"
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS\n\n"
    )

    assert the_group(text).ignored == ()


@pytest.mark.slow
def test_a_table_of_members_wrapped_at_any_width_keeps_its_assignments() -> None:
    text = KAFKA_4.replace("                   /10", " static-b          /10")
    for width in range(100, 150):
        wrapped = "\n".join(
            line[at : at + width] for line in text.split("\n") for at in range(0, len(line), width)
        )

        assert owned(the_group(wrapped)) == owned(the_group(text)), width


def test_a_blank_instance_id_is_found_however_columns_are_separated() -> None:
    for sign in (" ", "\t", " | "):
        text = "\n".join(sign.join(line.split()) for line in KAFKA_4.splitlines())

        found = member_records(the_group(text).group)

        assert [member.instance_id for member in found] == ["screen-a", None, "screen-c"], sign
        assert [len(member.owned) for member in found] == [1, 1, 2], sign


def test_the_time_below_a_table_is_no_member() -> None:
    reading = the_group(f"{VERBOSE}\nMon Nov 23 01:33:11 UTC 2026\ntotal 12 345 99 3\n")

    assert list(owned(reading)) == ["screen-1-aa", "screen-2-bb", "screen-3-cc"]


def test_a_line_of_watch_between_two_runs_is_no_member() -> None:
    table = (
        "GROUP  CONSUMER-ID  HOST       CLIENT-ID  #PARTITIONS  ASSIGNMENT\n"
        "depot  van-0        /10.3.0.1  van        1            crates(0)\n"
    )

    reading = the_group(f"{table}\nEvery 60.0s: kcg.sh   b1: Mon Nov  3 10:01:00 2025\n\n{table}")

    assert reading.group.members == ("van-0",)


def test_epochs_tell_that_the_broker_assigns_whatever_the_ids() -> None:
    reading = the_group(KAFKA_4.replace("Zz8mZ0aQTu2cXyPp4d8wCh", "an-id-of-ones-own     "))

    saved = decode(encode(reading))

    for each in (reading, saved):
        found = running_in(given_of(each))
        assert found.strategy is not None
        assert found.strategy.remote_assignor == "uniform"
        assert found.origin in {Origin.PROTOCOL, Origin.INFERRED}
    assert running_in(given_of(the_group(VERBOSE))).origin is Origin.UNKNOWN
