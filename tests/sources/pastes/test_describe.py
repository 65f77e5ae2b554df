"""``--describe``, release by release, and the traps of its tables."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import pytest

from assignors.naming import member_records, topic_records
from sources.text import read_text
from tests.pasted import lags, owned, the_group
from tests.said import lacks

KAFKA_0_9 = """\
GROUP, TOPIC, PARTITION, CURRENT OFFSET, LOG END OFFSET, LAG, OWNER
ledger, payments, 0, 410, 425, 15, teller-1_/10.1.0.4
ledger, payments, 1, unknown, 77, unknown, teller-2_/10.1.0.5
ledger, payments, 2, 90, 90, 0, none
"""
KAFKA_0_10 = """\
GROUP                          TOPIC                          PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             OWNER
broker7.rack2.example:9092 (id: 2147483640) for group ledger.
ledger                         payments                       0          410             425             15              teller-1_/10.1.0.4
ledger                         payments                       1          unknown         77              unknown         teller-2_/10.1.0.5
"""
KAFKA_0_11 = """\
Note: This will not show information about old Zookeeper-based consumers.

TOPIC                          PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG        CONSUMER-ID                                       HOST                           CLIENT-ID
payments                       0          410             425             15         teller-1-6f1c0a52-9a0e-4e0d-8c58-1d2f3a4b5c6d/10.1.0.4                      teller-1
payments                       1          -               77              -          teller-2-0b7d9e11-7777-4c1e-9f61-aa54bb32cc10     /10.1.0.5                      teller-2
-                              -          -               -               -          teller-3-44d0b2a9-1234-4f7b-8a01-5e6f7a8b9c0d     /10.1.0.6                      teller-3
payments                       2          90              90              0          -                                                 -                              -
"""
KAFKA_2_0 = """\

TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID                                    HOST            CLIENT-ID
payments        0          410             425             15              teller-1-6f1c0a52-9a0e-4e0d-8c58-1d2f3a4b5c6d /10.1.0.4       teller-1
payments        1          -               77              -               teller-2-0b7d9e11-7777-4c1e-9f61-aa54bb32cc10 /10.1.0.5       teller-2
"""
KAFKA_3 = """\

GROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID                                    HOST            CLIENT-ID
ledger          payments        0          410             425             15              teller-1-6f1c0a52-9a0e-4e0d-8c58-1d2f3a4b5c6d /10.1.0.4       teller-1
ledger          payments        1          -               77              -               teller-2-0b7d9e11-7777-4c1e-9f61-aa54bb32cc10 /10.1.0.5       teller-2
"""
KAFKA_4_VERBOSE = """\

GROUP           TOPIC           PARTITION  LEADER-EPOCH    CURRENT-OFFSET  LOG-END-OFFSET  LAG             CONSUMER-ID            HOST            CLIENT-ID
ledger          payments        0          3               410             425             15              GbvW3x9fQ1yqk0T2mM7v5g /10.1.0.4       teller-1
ledger          payments        1          -               -               77              -               9kLmZ0aQTu2cXyPp4d8wBg /10.1.0.5       teller-2
"""
GENERATIONS = {
    "0.9": KAFKA_0_9,
    "0.10": KAFKA_0_10,
    "0.11": KAFKA_0_11,
    "2.0": KAFKA_2_0,
    "3": KAFKA_3,
    "4 verbose": KAFKA_4_VERBOSE,
}


@pytest.mark.parametrize("text", GENERATIONS.values(), ids=GENERATIONS)
def test_every_generation_gives_the_same_lags_and_owners(text: str) -> None:
    reading = the_group(text)

    assert reading.format == "kafka-consumer-groups --describe"
    assert lags(reading)["payments"][:2] == [15, None]
    assert list(owned(reading).values())[:2] == [["payments-0"], ["payments-1"]]


def test_a_lag_of_dash_is_unknown_even_where_the_end_is_known() -> None:
    reading = the_group(KAFKA_3)

    topic = topic_records(reading.group)["payments"]
    assert topic.lags == [15, None]
    assert topic.end == [425, 77]
    assert topic.committed == [410, None]


def test_the_owner_of_old_tables_is_the_member_id_as_printed() -> None:
    assert list(owned(the_group(KAFKA_0_10))) == ["teller-1_/10.1.0.4", "teller-2_/10.1.0.5"]


def test_a_stray_line_between_header_and_rows_is_listed_as_ignored() -> None:
    reading = the_group(KAFKA_0_10)

    assert reading.ignored == (
        (2, "broker7.rack2.example:9092 (id: 2147483640) for group ledger."),
    )


def test_none_as_owner_is_nobody() -> None:
    assert list(owned(the_group(KAFKA_0_9))) == ["teller-1_/10.1.0.4", "teller-2_/10.1.0.5"]


def test_a_consumer_id_that_ran_into_its_host_is_split_at_the_last_slash() -> None:
    reading = the_group(KAFKA_0_11)

    assert owned(reading)["teller-1-6f1c0a52-9a0e-4e0d-8c58-1d2f3a4b5c6d"] == ["payments-0"]


def test_a_row_of_dashes_with_a_consumer_id_is_an_idle_member_and_no_partition() -> None:
    reading = the_group(KAFKA_0_11)

    idle = member_records(reading.group)[2]
    assert idle.id == "teller-3-44d0b2a9-1234-4f7b-8a01-5e6f7a8b9c0d"
    assert (idle.owned, idle.topics) == ([], ["payments"])
    assert reading.rows == 3


def test_a_note_of_the_tool_needs_no_attention() -> None:
    assert the_group(KAFKA_0_11).ignored == ()


def test_a_static_members_instance_id_is_not_guessed() -> None:
    assert set(the_group(KAFKA_3).group.layout.instance_ids) == {None}


def test_all_groups_gives_one_reading_a_group_in_order() -> None:
    text = (
        KAFKA_3 + KAFKA_3.replace("ledger", "audit ") + "\n" + KAFKA_3.replace("ledger", "a.b_c ")
    )

    found = read_text(text)

    assert [reading.group.id for reading in found] == ["ledger", "audit", "a.b_c"]
    assert [reading.rows for reading in found] == [2, 2, 2]


def test_groups_that_alternate_below_one_header_are_separated() -> None:
    head, *rows = KAFKA_3.strip().splitlines()
    text = "\n".join([head, rows[0], rows[1].replace("ledger", "audit "), *rows])

    found = read_text(text)

    assert [(reading.group.id, reading.rows) for reading in found] == [("ledger", 3), ("audit", 1)]


def test_a_negative_lag_is_kept_as_printed_with_a_note() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 0 90 85 -5\n"

    reading = the_group(text)

    assert lags(reading) == {"t": [-5]}
    (note,) = reading.notes
    assert lacks(note, "Line 2", "negative", "counts as 0") == []


def test_a_lag_that_contradicts_the_offsets_counts_as_printed_with_a_note() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 0 2 9 7\nt 1 2 3 4\n"

    reading = the_group(text)

    assert lags(reading) == {"t": [7, 4]}
    assert lacks(reading.notes[0], "Line 3", "end offset", "committed", "(4 for 3 - 2)") == []


def test_the_same_partition_twice_counts_as_the_later_row_says_with_a_note() -> None:
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "t 0 2 9 7 a-1 /10.0.0.1 a\n"
        "t 0 4 9 5 a-1 /10.0.0.1 a\n"
    )

    reading = the_group(text)

    assert lags(reading) == {"t": [5]}
    assert owned(reading) == {"a-1": ["t-0"]}
    (note,) = reading.notes
    assert lacks(note, "Line 3 repeats", "later row counts") == []


def test_partitions_that_are_not_mentioned_have_no_known_lag() -> None:
    reading = the_group("TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 3 5 9 4\n")

    assert lags(reading) == {"t": [None, None, None, 4]}
    assert reading.rows == 1


def test_without_a_lag_column_the_lag_follows_from_the_offsets_where_both_are_known() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET\nt 0 5 9\nt 1 - 9\n"

    assert lags(the_group(text)) == {"t": [4, None]}


def test_numbers_with_separators_of_thousands_are_read() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 0 1,234,000 1,234,567 567\n"

    assert topic_records(the_group(text).group)["t"].end == [1234567]


def test_a_number_beyond_64_bits_makes_a_row_unreadable_and_noted() -> None:
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\n"
        "t 0 1 2 1\n"
        "t 1 1 99999999999999999999 5\n"
    )

    reading = the_group(text)

    assert reading.ignored == ((3, "t 1 1 99999999999999999999 5"),)
    assert reading.notes == ("Line 3 looks like a row but could not be read.",)


def test_members_keep_the_order_in_which_they_first_appear() -> None:
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "t 2 1 1 0 zeta-1 /h z\n"
        "- - - - - mid-1 /h m\n"
        "t 0 1 1 0 alpha-1 /h a\n"
    )

    assert list(owned(the_group(text))) == ["zeta-1", "mid-1", "alpha-1"]


def test_members_of_a_broker_side_group_come_in_the_coordinators_order() -> None:
    rows = [
        ("t", 0, "fDbTiDIcFjEb-vuo2IDigw"),  # the tool lists the owner of more partitions first
        ("t", 1, "fDbTiDIcFjEb-vuo2IDigw"),
        ("t", 2, "lcCOZvVlu1Ng67B-XrZ__g"),
        ("t", 3, "W1vAZfUBXh3UzRvyoAdZkg"),
    ]
    text = "\n".join(f"{t} {p} 1 2 1 {member} /10.1.0.4 app" for t, p, member in rows)
    header = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"

    members = member_records(the_group(f"{header}\n{text}").group)

    assert [member.id[:2] for member in members] == ["W1", "lc", "fD"]


def test_every_member_subscribes_to_every_topic_that_any_owns() -> None:
    text = (
        "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
        "t 0 1 1 0 a-1 /h a\n"
        "u 0 1 1 0 b-1 /h b\n"
        "- - - - - c-1 /h c\n"
    )

    found = member_records(the_group(text).group)

    assert [member.topics for member in found] == [["t", "u"]] * 3


def test_the_table_of_the_old_offset_checker_is_read_by_its_own_names() -> None:
    text = (
        "Group           Topic                          Pid Offset          logSize         Lag             Owner\n"
        "search          clicks                         0   2043            2050            7               search_node-4-0\n"
        "search          clicks                         1   2044            2044            0               none\n"
    )

    reading = the_group(text)

    assert lags(reading) == {"clicks": [7, 0]}
    assert owned(reading) == {"search_node-4-0": ["clicks-0"]}


def test_a_trailing_column_of_start_offsets_is_the_begin_offset() -> None:
    text = (
        "GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG      OWNER              LOG-START-OFFSET\n"
        "g      t      0          unknown         531             unknown  app-1_/10.9.8.7    12\n"
    )

    assert topic_records(the_group(text).group)["t"].begin == [12]


def test_columns_of_other_tools_with_blanks_in_their_names_are_read() -> None:
    text = (
        "  GROUP   TOPIC   PARTITION  LAG  LAG %  COMMITTED OFFSET  LATEST OFFSET  CONSUMER ID\n"
        "  wire    feed0   0          2    0.09   1000004           1000006        app-33bbfde8\n"
        "  wire    feed0   1          5    0.10   1000001           1000006        -\n"
    )

    reading = the_group(text)

    assert lags(reading) == {"feed0": [2, 5]}
    assert owned(reading) == {"app-33bbfde8": ["feed0-0"]}


def test_names_of_several_words_between_blanks_are_one_column_each() -> None:
    text = (
        "  CONSUMER ID   PARTITION   TOPIC    LOG END OFFSET   CURRENT OFFSET   OFFSET LAG  \n"
        " ------------- ----------- -------- ---------------- ---------------- ------------ \n"
        "  quote-1-aa            0   quotes               90               85            5  \n"
    )

    reading = the_group(text)

    assert (lags(reading), owned(reading)) == ({"quotes": [5]}, {"quote-1-aa": ["quotes-0"]})
    assert topic_records(reading.group)["quotes"].committed == [85]


def test_an_offset_of_minus_one_is_no_offset() -> None:
    reading = the_group("TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 0 -1 9 9\n")

    assert topic_records(reading.group)["t"].committed is None
    assert lags(reading) == {"t": [9]}


def test_nothing_waits_in_a_log_that_ends_at_0() -> None:
    text = "TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\nt 0 - 0 -\nt 1 - 7 -\nt 2 5 5 0\n"

    assert lags(the_group(text)) == {"t": [0, None, 0]}
