"""What stands in a text beside a group's tables: topics' settings, logs of its consumers, the rest."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import math

import pytest

from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.rebalance.member_log import LogTrigger
from sources.added import added
from sources.asking import given_of
from sources.group_json import encode
from sources.text import read_text
from tests.pasted import the_group
from tests.said import lacks

TABLE = """\
GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID
till  sales 0 100 {end} {lag} a-d9cbf96f-ffff-567a-8d98-365f8946c854 /10.1.0.1 a
till  sales 1 100 {end} {lag} b-a58739dc-9e4e-5087-981f-c0edf6e76f38 /10.1.0.2 b
"""
ONE = TABLE.format(end=160, lag=60)
TWO = f"""\
Fri Nov 27 10:00:00 UTC 2026
{TABLE.format(end=700, lag=600)}
Fri Nov 27 10:01:00 UTC 2026
{TABLE.format(end=760, lag=660)}
"""
HOUR = "Dynamic configs for topic sales are:\n  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=3600000, STATIC_BROKER_CONFIG:log.retention.ms=1}\n"
LEFT = "2026-11-27 10:01:02,113 WARN [Consumer clientId=c, groupId=till] consumer poll timeout has expired. This means the time between subsequent calls to poll() was longer than the configured max.poll.interval.ms\n2026-11-27 10:01:02,118 INFO [Consumer clientId=c, groupId=till] Member c-1 sending LeaveGroup request to coordinator k:9092 (id: 1 rack: null) due to consumer poll timeout has expired.\n"
FENCED = "2026-11-27 10:01:02,113 ERROR [Consumer instanceId=pod-1, clientId=b, groupId=till] Received fatal exception: group.instance.id gets fenced (o.a.k.ConsumerCoordinator)\n"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (HOUR, 3_600),
        ("Configs for topic 'sales' are cleanup.policy=delete,retention.ms=60000\n", 60),
        ("Topic: sales\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: retention.ms=86400000,segment.bytes=1\n", 86_400),
        ("SUMMARY\n=======\nNAME        sales\n\nKEY            VALUE      SOURCE\nretention.ms   604800000  DYNAMIC_TOPIC_CONFIG\n", 604_800),
        ("retention.ms: 60000\n", 60),  # of the only topic
        (HOUR.replace("3600000", "-1"), math.inf),
        (f"{HOUR}  cleanup.policy=compact sensitive=false synonyms={{}}\n", math.inf),
        (f"{HOUR}  cleanup.policy=compact,delete sensitive=false synonyms={{}}\n", 3_600),
    ],
)  # fmt: skip
def test_how_long_a_topic_keeps_records_is_read_beside_the_table(said: str, seconds: float) -> None:
    for text in (f"{TWO}\n{said}", f"{said}\n{TWO}"):
        reading = the_group(text)

        assert reading.history is not None
        assert dict(reading.history.retention_s) == {"sales": seconds}
        assert len(reading.history.moments) == 2


@pytest.mark.parametrize("said", ["log.retention.ms=1\n", HOUR.replace("sales", "others")])
def test_retention_of_brokers_and_of_other_topics_is_not_the_groups(said: str) -> None:
    reading = the_group(f"{TWO}\n{said}")

    assert reading.history is not None
    assert not reading.history.retention_s
    assert reading.ignored


def test_retention_that_names_no_topic_is_of_none_where_the_text_has_several() -> None:
    others = ONE.replace("till ", "shop ").replace("sales", "carts")

    readings = read_text(f"{ONE}\n{others}\nretention.ms: 60000\n")

    assert [reading.group.topics for reading in readings] == [("sales",), ("carts",)]
    assert [reading.history for reading in readings] == [None, None]
    assert [[line for _, line in reading.ignored] for reading in readings] == [
        ["retention.ms: 60000"]
    ] * 2


@pytest.mark.slow
def test_records_that_retention_deletes_unread_are_told() -> None:
    # 660 wait of a partition that gets 1/s, so that the first is 11 minutes old.
    ten_minutes = the_group(f"{TWO}\n{HOUR.replace('3600000', '600000')}")
    answers = [answer_of(given_of(each)) for each in (ten_minutes, the_group(f"{TWO}\n{HOUR}"))]

    assert [each.verdict.figures.deleted_in_s for each in answers] == [0, 3_600 - 660]
    assert "being deleted unread" in words_of(answers[0]).evidence
    assert answers[0].given.ignored == ()


def test_retention_stays_in_a_group_that_is_saved() -> None:
    for text in (ONE, TWO):
        reading = the_group(f"{text}\n{HOUR}")

        (again,) = read_text(encode(reading).decode())

        assert again.history is not None
        assert dict(again.history.retention_s) == {"sales": 3_600}


def test_retention_stays_when_a_snapshot_is_added() -> None:
    both = added(the_group(f"{ONE}\n{HOUR}"), the_group(TWO)).reading

    assert both.history is not None
    assert dict(both.history.retention_s) == {"sales": 3_600}


@pytest.mark.parametrize(
    ("later", "unlimited"),
    [("", {"sales"}), (HOUR, set()), (f"{HOUR}  retention.bytes=-1\n", {"sales"})],
)
def test_what_is_told_last_of_a_topic_decides_whether_its_size_is_limited(
    later: str, unlimited: set[str]
) -> None:
    first = the_group(f"{ONE}\n{HOUR}  retention.bytes=-1\n")

    both = added(first, the_group(f"{TABLE.format(end=260, lag=160)}\n{later}")).reading

    assert both.history is not None
    assert both.history.unlimited == unlimited


@pytest.mark.parametrize(
    ("log", "consumer", "why"),
    [(LEFT, "c", LogTrigger.POLL_TIMEOUT), (FENCED, "b", LogTrigger.FENCED)],
)
def test_a_log_beside_the_table_tells_why_a_consumer_left(
    log: str, consumer: str, why: LogTrigger
) -> None:
    nameless = "\n".join(
        line.removeprefix("GROUP ").removeprefix("till ") for line in ONE.split("\n")
    )
    for text in (f"{log}\n{ONE}", f"{ONE}\n{log}", f"{log}\n{nameless}"):
        reading = the_group(text)

        assert [(each.consumer, each.trigger) for each in reading.logged] == [(consumer, why)]
        assert (reading.rows, reading.ignored, reading.group.member_count) == (2, (), 2)


def test_a_log_of_another_group_is_not_this_ones() -> None:
    reading = the_group(f"{LEFT.replace('till', 'other')}\n{ONE}")

    assert reading.logged == ()


def test_lines_that_say_something_and_are_not_used_are_counted_and_the_first_is_quoted() -> None:
    said = "max.poll.records=500\nGC pause of 40 s\nOffsets:\n$ kafka-consumer-groups.sh --describe --group till\n"

    one = the_group(f"max.poll.records=500\n{ONE}")
    two = the_group(f"{ONE}{said}")
    none = the_group(f"Offsets:\n{ONE}")

    assert lacks(one.notes[-1], "Line 1 ", "'max.poll.records=500'") == []
    assert lacks(two.notes[-1], "Lines 4, 5 ", "'max.poll.records=500'") == []
    assert not none.notes
