"""``rpk group describe``, as printed by all its versions."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

from assignors.naming import topic_records
from sources.text import read_text
from tests.pasted import lags, owned, the_group

EMPTY = """\
GROUP        archive
COORDINATOR  1
STATE        Empty
BALANCER
MEMBERS      0
TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG     MEMBER-ID  CLIENT-ID  HOST
scans  0          4               1400            1396
scans  1          -               1500            1500
"""
STABLE = """\
GROUP        archive
COORDINATOR  0
STATE        Stable
BALANCER     cooperative-sticky
MEMBERS      2
TOTAL-LAG    9

TOPIC  PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG  MEMBER-ID    CLIENT-ID  HOST
scans  0          40              5                 44              4    kgo-aa-11    kgo        172.18.0.5
scans  1          50              -                 55              5    kgo-bb-22    kgo        172.18.0.6
scans  2          -               0                 60              60
"""


def test_where_nothing_is_committed_the_whole_log_is_the_lag_as_printed() -> None:
    reading = the_group(EMPTY)

    assert reading.format == "rpk group describe"
    assert lags(reading) == {"scans": [1396, 1500]}
    assert topic_records(reading.group)["scans"].committed == [4, None]
    assert (reading.group.id, reading.rows) == ("archive", 2)
    assert (reading.group.members, reading.notes, reading.ignored) == ((), (), ())


def test_blank_member_columns_mean_no_owner_and_filled_ones_name_it() -> None:
    reading = the_group(STABLE)

    assert owned(reading) == {"kgo-aa-11": ["scans-0"], "kgo-bb-22": ["scans-1"]}
    assert topic_records(reading.group)["scans"].begin == [5, None, 0]


def test_the_balancer_is_the_strategy() -> None:
    assert the_group(STABLE).strategy == "cooperative-sticky"


def test_members_without_partitions_are_counted_but_not_named() -> None:
    reading = the_group(STABLE.replace("MEMBERS      2", "MEMBERS      4"))

    assert owned(reading) == {
        "kgo-aa-11": ["scans-0"], "kgo-bb-22": ["scans-1"], "member-3": [], "member-4": [],
    }  # fmt: skip
    (note,) = reading.notes
    assert (
        note
        == "The text counts 2 more consumers than it names; they appear as member-3 to member-4."
    )


def test_fewer_members_counted_than_named_add_no_member() -> None:
    reading = the_group(STABLE.replace("MEMBERS      2", "MEMBERS      1"))

    assert (len(reading.group.members), reading.notes) == (2, ())


def test_the_coordinator_may_be_a_node_and_a_partition() -> None:
    text = STABLE.replace("COORDINATOR ", "COORDINATOR-NODE  0\nCOORDINATOR-PARTITION ")

    assert (the_group(text).group.id, the_group(text).ignored) == ("archive", ())


def test_several_groups_are_separated_by_their_blocks() -> None:
    text = STABLE + "\n" + EMPTY.replace("archive", "backup")

    found = read_text(text)

    assert [(reading.group.id, reading.rows) for reading in found] == [
        ("archive", 3),
        ("backup", 2),
    ]


def test_a_block_without_a_table_is_a_group_of_unnamed_members() -> None:
    reading = the_group("\n".join(STABLE.splitlines()[:6]))

    assert list(owned(reading)) == ["member-1", "member-2"]


def test_lags_per_topic_are_read_as_one_partition_each_with_a_note() -> None:
    text = "\n".join(STABLE.splitlines()[:7]) + "\nTOPIC    LAG\nscans    9\nprints   2\n"

    reading = the_group(text)

    assert lags(reading) == {"prints": [2], "scans": [9]}
    assert any("one lag per topic" in note for note in reading.notes)


def test_marks_of_a_document_around_it_are_listed_as_ignored() -> None:
    text = f"[source,bash]\n----\nrpk group describe archive\n----\n{EMPTY}----\n"

    reading = the_group(text)

    assert [number for number, _ in reading.ignored] == [1, 3]
    assert reading.rows == 2


def test_a_member_id_without_the_columns_after_it_still_owns() -> None:
    text = EMPTY.replace("1396", "1396    kgo-aa-11")

    assert owned(the_group(text)) == {"kgo-aa-11": ["scans-0"]}


def test_an_instance_id_may_be_blank() -> None:
    text = STABLE.replace("MEMBER-ID    CLIENT-ID", "MEMBER-ID    INSTANCE-ID  CLIENT-ID").replace(
        "    kgo        ", "                 kgo        /"
    )

    assert list(owned(the_group(text))) == ["kgo-aa-11", "kgo-bb-22"]


KAF = """\
Group ID:       archive
State:          Stable
Protocol:       range
Protocol Type:  consumer
Offsets:
    scans:
        Partition  Group Offset  High Watermark  Lag  Metadata
        ---------  ------------  --------------  ---  --------
        0          40            44              4
        1          50            55              5
        Total      90                            9
Members:
    reader-1:
        Host:  /172.18.0.5
        Assignments:
          Topic  Partitions
          -----  ----------
          scans  [0 1]
        Metadata:
    reader-2:
        Host:         /172.18.0.6
        Assignments:  [Not available]
"""


def test_kaf_lists_members_below_its_tables() -> None:
    reading = the_group(KAF)

    assert (reading.format, reading.group.id) == ("kaf group describe", "archive")
    assert (lags(reading), reading.strategy) == ({"scans": [4, 5]}, "range")
    assert owned(reading) == {"reader-1": ["scans-0", "scans-1"], "reader-2": []}
    assert not {line.strip() for _, line in reading.ignored} & {"reader-1:", "reader-2:"}
    assert reading.notes == ()


def test_members_of_one_client_id_are_distinguished_by_host_and_number() -> None:
    twin = "    reader-1:\n        Host:  /172.18.0.5\n"
    reading = the_group(KAF.replace("reader-2", "reader-1") + twin)

    assert list(owned(reading)) == [
        "reader-1 /172.18.0.5", "reader-1 /172.18.0.6", "reader-1 /172.18.0.5 2",
    ]  # fmt: skip


KAFKACTL = """\
TOPIC  PARTITION  NEWEST_OFFSET  OLDEST_OFFSET  CONSUMER_OFFSET  LEAD  LAG
scans  0          44             0              40               40    4
scans  1          55             0              50               50    5

CLIENT_HOST   CLIENT_ID  TOPIC   ASSIGNED_PARTITIONS
172.18.0.5    reader-1   prints  0,1
172.18.0.5    reader-1   scans   1
172.18.0.6    reader-2   scans   0
"""


def test_kafkactl_lists_a_member_once_for_each_topic() -> None:
    reading = the_group(KAFKACTL)

    assert lags(reading) == {"prints": [None, None], "scans": [4, 5]}
    assert owned(reading) == {
        "reader-1": ["prints-0", "prints-1", "scans-1"],
        "reader-2": ["scans-0"],
    }


def test_a_topic_listed_again_is_another_members() -> None:
    reading = the_group(KAFKACTL.replace("18.0.6    reader-2", "18.0.5    reader-1"))

    assert list(owned(reading)) == ["reader-1 172.18.0.5", "reader-1 172.18.0.5 2"]
