"""Results of admin clients, as Java, Python and Go print them, and as YAML."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import json

import pytest

from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group

OWNED = {"van-0-a": ["crates-eu-0", "crates-eu-1"], "van-1-b": ["crates-eu-2"]}

JAVA = """\
(groupId=depot, isSimpleConsumerGroup=false, members=(memberId=van-0-a, groupInstanceId=null, clientId=van-0, host=/10.3.0.1, assignment=(topicPartitions=crates-eu-0,crates-eu-1)),(memberId=van-1-b, groupInstanceId=null, clientId=van-1, host=/10.3.0.2, assignment=(topicPartitions=crates-eu-2)), partitionAssignor=range, state=Stable, coordinator=broker-1:9092 (id: 1 rack: null))
"""
JAVA_4 = JAVA.replace("eu-2))", "eu-2), targetAssignment=Optional[(topicPartitions=crates-eu-0)])")
JAVA_MAP = f"{{depot=ConsumerGroupDescription{JAVA.strip()}}}"
PYTHON = """\
[GroupInformation(error_code=0, group='depot', state='Stable', protocol_type='consumer', protocol='range', members=[MemberInformation(member_id='van-0-a', client_id='van-0', client_host='/10.3.0.1', member_metadata=ConsumerProtocolMemberMetadata(version=0, subscription=['crates-eu'], user_data=b''), member_assignment=ConsumerProtocolMemberAssignment(version=0, assignment=[(topic='crates-eu', partitions=[0, 1])], user_data=b'')), MemberInformation(member_id='van-1-b', client_id='van-1', client_host='/10.3.0.2', member_assignment=ConsumerProtocolMemberAssignment(version=0, assignment=[(topic='crates-eu', partitions=[2])], user_data=b''))], authorized_operations=None)]
"""
PYTHON_DICTS = """\
{'group_id': 'depot', 'protocol': 'range', 'members': [
  {'member_id': 'van-0-a', 'assignment': [{'topic': 'crates-eu', 'partitions': [0, 1]}]},
  {'member_id': 'van-1-b', 'assignment': [{'topic': 'crates-eu', 'partitions': [2]}]}]}
"""
CONSOLE = json.dumps(
    {
        "groupId": "depot",
        "protocol": "range",
        "members": [
            {"id": "van-0-a", "assignments": [{"topicName": "crates-eu", "partitionIds": [0, 1]}]},
            {"id": "van-1-b", "assignments": [{"topicName": "crates-eu", "partitionIds": [2]}]},
        ],
    }
)


@pytest.mark.parametrize("text", [JAVA, JAVA_4, JAVA_MAP, PYTHON, PYTHON_DICTS, CONSOLE])
def test_members_are_read_with_what_they_own(text: str) -> None:
    reading = the_group(f"described:\n{text}\ndone\n")

    assert owned(reading) == OWNED
    assert (reading.group.id, reading.strategy, reading.rows) == ("depot", "range", 2)
    assert reading.ignored[0] == (1, "described:")
    assert reading.ignored[-1][1] == "done"


KAFKACTL = """\
$ kafkactl describe consumer-group depot -o yaml
group: depot
protocol: range
topics:
- name: crates-eu
  partitions:
  - partition: 0
    newestOffset: 20
    oldestOffset: 0
    consumerOffset: 16
    lag: 4
  - partition: 1
    newestOffset: 9
    oldestOffset: 0
    consumerOffset: 9
    lag: 0
members:
- clientHost: /10.3.0.1
  clientId: van-0
  assignedPartitions:
  - topic: crates-eu
    partitions: [0, 1]
"""


def test_yaml_is_read_as_json_is() -> None:
    reading = the_group(KAFKACTL)

    assert (reading.group.id, reading.strategy) == ("depot", "range")
    assert lags(reading) == {"crates-eu": [4, 0]}
    assert owned(reading) == {"van-0": ["crates-eu-0", "crates-eu-1"]}
    assert [number for number, _ in reading.ignored] == [1]


@pytest.mark.parametrize("line", ["a: &a [*a, *a]", "a: [1, 2", "a: 2026-99-99", "a: b"])
def test_yaml_that_holds_no_group_is_refused_in_a_sentence(line: str) -> None:
    with pytest.raises(SourceError, match="no consumer group found"):
        read_text(line)


def joined(member: str, assigned: dict[str, list[int]]) -> str:
    return json.dumps({"groupId": "depot", "memberId": member, "memberAssignment": assigned})


def test_of_several_generations_the_last_assignment_of_a_partition_counts() -> None:
    reading = the_group(
        "\n".join(
            [
                joined("van-0", {"crates": [0, 1], "tins": [0]}),
                joined("van-0", {"crates": [0], "tins": [0]}),
                joined("van-1", {"crates": [1], "tins": [0]}),
            ]
        )
    )

    assert owned(reading) == {"van-0": ["crates-0"], "van-1": ["crates-1", "tins-0"]}


def test_what_librdkafka_does_not_know_is_unknown() -> None:
    unknown = {"partition": 1, "committed_offset": -1001, "hi_offset": 9, "consumer_lag": -1}
    known = {"partition": 0, "committed_offset": 16, "hi_offset": 20, "consumer_lag": 4}
    nowhere = {"partition": -1, "committed_offset": -1001, "hi_offset": -1001, "consumer_lag": -1}
    partitions = {"0": known, "1": unknown, "-1": nowhere}

    reading = the_group(
        json.dumps({"topics": {"crates": {"topic": "crates", "partitions": partitions}}})
    )

    assert lags(reading) == {"crates": [4, None]}
    assert reading.notes == ()


def test_a_negative_lag_where_nothing_is_committed_is_unknown() -> None:
    text = "TOPIC   PARTITION  CURRENT-OFFSET  LAG\ncrates  0  -  -1\ncrates  1  12  -2\n"

    assert lags(the_group(text)) == {"crates": [None, -2]}


def test_committed_offsets_alone_are_refused_with_the_way_out() -> None:
    with pytest.raises(SourceError, match="line 1: committed offsets alone"):
        read_text("{TopicPartition(topic='crates', partition=5): OffsetAndMetadata(offset=2)}")


def test_each_document_of_yaml_is_read() -> None:
    document = "---\ngroup: depot\ntopic: crates\npartition: {}\noffset: 3\nlag: {}\n"

    reading = the_group(document.format(0, 4) + document.format(1, 0))

    assert lags(reading) == {"crates": [4, 0]}


def test_yaml_with_keys_that_are_no_texts_is_read_or_refused_in_a_sentence() -> None:
    rows = "- topic: orders\n  1: x\n  partition: 0\n  lag: 4\n  current_offset: 10\n"

    assert lags(the_group(rows)) == {"orders": [4]}
    with pytest.raises(SourceError, match="no consumer group found"):
        read_text("? [a, b]\n: 1\n2026-01-01: x\nkey: 1\n")
