"""JSON whose keys are column names: the ConsumerGroupLag tool, Confluent, kafbat UI, AKHQ."""

import json

import pytest

from assignors.naming import topic_records
from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group

PARTITIONS = {
    "0": {
        "logStartOffset": 2,
        "logEndOffset": 90,
        "partition": 0,
        "currentOffset": "unknown",
        "lag": "unknown",
        "consumerId": "app-1-aa",
        "host": "/10.7.0.1",
        "clientId": "app-1",
    },
    "1": {
        "logEndOffset": 80,
        "partition": 1,
        "currentOffset": 75,
        "lag": 5,
        "consumerId": "",
        "host": "",
        "clientId": "",
    },
}
TEXT = json.dumps({"meters": PARTITIONS}, indent=2)


def test_numbers_and_the_word_unknown_may_be_mixed() -> None:
    reading = the_group(TEXT)

    assert reading.format == "ConsumerGroupLag JSON"
    assert lags(reading) == {"meters": [None, 5]}
    assert topic_records(reading.group)["meters"].begin == [2, None]
    assert owned(reading) == {"app-1-aa": ["meters-0"]}
    assert (reading.rows, reading.group.id) == (2, "")


def test_a_text_cut_off_at_its_end_is_read_as_far_as_it_goes() -> None:
    assert lags(the_group(TEXT[: TEXT.index('"1"') + 120]))["meters"][0] is None


REST = json.dumps(
    {
        "kind": "KafkaConsumerLagList",
        "data": [
            {
                "consumer_group_id": "depot",
                "topic_name": "crates",
                "partition_id": number,
                "consumer_id": f"van-{number}-aa",
                "instance_id": f"van-{number}" if number else None,
                "client_id": "van",
                "current_offset": 1,
                "log_end_offset": 10 + number,
                "lag": 9 + number,
            }
            for number in (0, 1)
        ],
    }
)
"""Confluent's REST API, version 3."""
CLI = REST.replace("consumer_group_id", "consumer_group").replace("_name", "").replace("_id", "")
"""``confluent kafka consumer group lag list --output json``."""
KAFBAT = json.dumps(
    {
        "groupId": "depot",
        "members": 3,
        "topics": 1,
        "partitionAssignor": "range",
        "coordinator": {"id": 2, "host": "broker-2"},
        "partitions": [
            {
                "topic": "crates",
                "partition": number,
                "currentOffset": 1,
                "endOffset": 10 + number,
                "consumerLag": 9 + number,
                "consumerId": f"van-{number}-aa",
                "host": "/10.3.0.1",
            }
            for number in (0, 1)
        ],
    }
)
AKHQ = json.dumps(
    {
        "id": "depot",
        "members": [
            {"id": "van-0-aa", "assignments": [{"topic": "crates", "partition": 0}]},
            {"id": "van-1-aa", "assignments": [{"topic": "crates", "partition": 1}]},
            {"id": "van-2-aa", "assignments": []},
        ],
        "offsets": [
            {"topic": "crates", "partition": n, "offset": 1, "firstOffset": 0, "lastOffset": 10 + n}
            for n in (0, 1)
        ],
        "topics": ["crates"],
    }
)


@pytest.mark.parametrize("text", [REST, CLI, KAFBAT, AKHQ], ids=["rest", "cli", "kafbat", "akhq"])
def test_the_answers_of_other_tools_are_one_object_a_partition(text: str) -> None:
    reading = the_group(text)

    assert reading.group.id == "depot"
    assert lags(reading) == {"crates": [9, 10]}
    assert topic_records(reading.group)["crates"].end == [10, 11]
    busy = {name: places for name, places in owned(reading).items() if places}
    assert busy == {"van-0-aa": ["crates-0"], "van-1-aa": ["crates-1"]}


def test_members_without_partitions_are_listed_or_counted() -> None:
    assert owned(the_group(AKHQ))["van-2-aa"] == []
    assert owned(the_group(KAFBAT))["member-3"] == []
    assert the_group(KAFBAT).strategy == "range"


def test_the_group_and_topic_may_enclose_the_partitions() -> None:
    text = json.dumps(
        {
            "group": "depot",
            "topic": "crates",
            "partitions": {"0": {"partition": 0, "committedOffset": 4, "endOffset": 9, "lag": 5}},
        }
    )

    assert (the_group(text).group.id, lags(the_group(text))) == ("depot", {"crates": [5]})


def test_keys_may_be_written_in_capitals_and_a_group_may_be_an_object() -> None:
    partitions = [{"Partition": 0, "newestOffset": 7, "consumerOffset": 3, "Lag": 4}]
    text = json.dumps(
        {"Group": {"Name": "depot"}, "Topics": [{"Name": "crates", "Partitions": partitions}]}
    )

    assert the_group(text).group.id == "depot"
    assert lags(the_group(text)) == {"crates": [4]}


def test_a_topic_may_be_an_object() -> None:
    row = {"topic": {"name": "crates"}, "partition": 0, "committedOffset": 3, "lag": 4}

    assert lags(the_group(json.dumps({"groupId": "depot", "offsets": [row]}))) == {"crates": [4]}


def test_a_topic_and_its_partition_may_be_an_object() -> None:
    row = {"topicPartition": {"topic": "crates", "partition": 0}, "offset": 3, "lag": 4}

    assert lags(the_group(json.dumps({"groupId": "depot", "lags": [row]}))) == {"crates": [4]}


def test_groups_may_be_nested_in_a_partition() -> None:
    groups = [{"group_name": "depot", "offset": 3}, {"group_name": "yard", "offset": 7}]
    parts = [{"partition": 0, "consumer_groups": groups, "earliest_offset": 1, "latest_offset": 7}]

    depot, yard = read_text(json.dumps({"topic": {"topic_name": "crates", "partitions": parts}}))

    assert (depot.group.id, lags(depot)) == ("depot", {"crates": [4]})
    assert (yard.group.id, lags(yard)) == ("yard", {"crates": [0]})


def test_records_consumed_are_no_offsets_of_a_group() -> None:
    with pytest.raises(SourceError):
        read_text('{"topic":"crates","partition":0,"offset":5,"key":"a","payload":"b"}')


def test_what_a_record_holds_is_no_partition() -> None:
    record = {"topic": "crates", "partition": 0, "offset": 5, "value": {"lag": 3, "group": "depot"}}

    with pytest.raises(SourceError):
        read_text(json.dumps(record))


def test_our_own_group_json_is_recognised_whatever_it_lacks() -> None:
    with pytest.raises(SourceError, match="topics"):
        read_text('{"id": "depot", "topics": ["crates"], "members": []}')


def test_a_lag_beside_its_owner_is_read_without_a_group() -> None:
    fields = '{{"topic":"orders","partition":{},"lag":{},"consumerId":"{}"}}'
    of_json = f"[{fields.format(0, 5, 'a')},{fields.format(1, 6, 'b')}]"
    one = "- topic: orders\n  partition: {}\n  lag: {}\n  consumerId: {}\n"
    of_yaml = one.format(0, 5, "a") + one.format(1, 6, "b")

    for text in (of_json, of_yaml):
        reading = the_group(text)

        assert lags(reading) == {"orders": [5, 6]}
        assert owned(reading) == {"a": ["orders-0"], "b": ["orders-1"]}


@pytest.mark.parametrize(
    ("end", "others"), [("", []), (',"partition":1,"la', []), (',"partition":1,"lag":12', [None])]
)
def test_json_that_the_text_cuts_off_says_so_and_its_last_digits_are_unknown(
    end: str, others: list[None]
) -> None:
    whole = '{"group":"g","topic":"orders","partition":0,"lag":5}'

    reading = the_group(f'[{whole},{{"group":"g","topic":"orders"{end}')

    assert any(note.startswith("Line 1: the text ends within") for note in reading.notes)
    assert reading.assumed.members_unknown
    assert lags(reading)["orders"] == [5, *others]
    assert not the_group(f"[{whole}]").notes
