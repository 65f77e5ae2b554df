"""What kind of group a paste shows, and refusals that name it with the next command."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import pytest

from assignors.connect.cluster import ConnectCluster
from assignors.kinds import GroupKind
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group

DESCRIBE = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
SHARE = """\
GROUP           TOPIC           PARTITION  LEADER-EPOCH  START-OFFSET  LAG
share-jobs      jobs            0          0             79            3
share-jobs      jobs            1          0             155           -
worker 1: 5264 records
"""
SHARE_MEMBERS = """\
GROUP           CONSUMER-ID            HOST            CLIENT-ID       #PARTITIONS  {epoch}ASSIGNMENT
share-jobs      2r8Li13RSKGZO5Me7Rpvyg /127.0.0.1      worker-1        3            {one}events:0,3;jobs:1
share-jobs      4PXkVOfVTrGGJ4oEqNPFMA /127.0.0.1      worker-2        2            {one}events:1;jobs:0
"""
STREAMS_MEMBERS = """\
GROUP           MEMBER                 PROCESS                              CLIENT-ID                        ASSIGNMENTS
shop-streams    1bz7mLOaSEi0kYMB2EbAkA 4e8cdd43-28ad-41a8-a789-76b7d8f491b6 shop-4e8c-StreamThread-1-consumer ACTIVE: 0:[1,5]; 1:[3]; STANDBY: 1:[0]; {target}
shop-streams    HG5dR4q_SJSGVN7lrZIMSA 96911d8b-c098-43cf-9e61-9a921179ab1c shop-9691-StreamThread-2-consumer ACTIVE: 0:[0]; STANDBY: 1:[1]; 2:[1]; {target}
"""
SPARKS = "spark-kafka-source-1b2c3d4e-1111-4a4a-8b8b-0123456789ab--77-executor"
CONNECTORS = (
    '{"orders-sink":{"status":{"name":"orders-sink","connector":{"state":"RUNNING",'
    '"worker_id":"a:1"},"tasks":[{"id":0,"state":"RUNNING","worker_id":"a:1"},{"id":1,'
    '"state":"UNASSIGNED","worker_id":"b:1"}],"type":"sink"},"info":{"config":{}}}}'
)


def member(group: str, topic: str, client: str) -> str:
    uuid = "0a1b2c3d-1111-4a4a-8b8b-0123456789ab"
    return f"{DESCRIBE}{group} {topic} 0 5 9 4 {client}-{uuid} /10.0.0.1 {client}\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (member("pay", "orders", "pay-1"), GroupKind.CONSUMER),
        (member("shop", "orders", "shop-1a-StreamThread-1-consumer"), GroupKind.STREAMS),
        (member("shop", "shop-by-letter-repartition", "renamed"), GroupKind.STREAMS),
        (member("other", "shop-by-letter-repartition", "mirror"), GroupKind.CONSUMER),
        (member("connect-s", "orders", "connector-consumer-s-0"), GroupKind.CONNECT_SINK),
        (SHARE, GroupKind.SHARE),
        (SHARE_MEMBERS.format(epoch="", one=""), GroupKind.SHARE),
        (SHARE_MEMBERS.format(epoch="MEMBER-EPOCH  ", one="3             "), GroupKind.SHARE),
        (STREAMS_MEMBERS.format(target=""), GroupKind.STREAMS_BROKER),
        ("GROUP TOPIC PARTITION OFFSET-LAG\nshop clicks 2 0\n", GroupKind.STREAMS_BROKER),
        (
            "GROUP COORDINATOR (ID) ASSIGNOR STATE #MEMBERS\nshop 127.0.0.1:29192 (1) sticky Stable 4\n",
            GroupKind.STREAMS_BROKER,
        ),
        (
            "GROUP COORDINATOR (ID) ASSIGNMENT-STRATEGY STATE #MEMBERS\nshop 127.0.0.1:29192 (1) stream Stable 4\n",
            GroupKind.STREAMS,
        ),
        (
            "$ kafka-share-groups.sh --describe --group g --state\nGROUP COORDINATOR (ID) STATE #MEMBERS\ng 127.0.0.1:29192 (1) Stable 2\n",
            GroupKind.SHARE,
        ),
        (
            "$ kafka-streams-groups.sh --describe --group g --state\nGROUP COORDINATOR (ID) STATE #MEMBERS\ng 127.0.0.1:29192 (1) Stable 2\n",
            GroupKind.STREAMS_BROKER,
        ),
        (
            f"Consumer group 'flink' has no active members.\n\n{DESCRIBE}flink payments 0 5 9 4 - - -\n",
            GroupKind.OFFSETS,
        ),
        (
            f"Consumer group 'flink' has no active members.\n\n{DESCRIBE}flink payments 0 5 9 4 app-1 /10.0.0.1 app\n",
            GroupKind.CONSUMER,  # it names the last owner, so consumers were here
        ),
        (
            "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\nc connect-1-0a1b2c3d-1111-4a4a-8b8b-0123456789ab /10.0.0.1 connect-1 0 -\n",
            GroupKind.CONNECT,
        ),
        (
            "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\nc app-1 /10.0.0.1 app 2 orders(0,1)\n",
            GroupKind.CONSUMER,  # the same header, but cells of consumer groups up to 3.9
        ),
        (CONNECTORS, GroupKind.CONNECT),
        (member(SPARKS, "orders", "consumer-1"), GroupKind.SPARK),
        (
            f"Consumer group '{SPARKS}' has no active members.\n\n{DESCRIBE}{SPARKS} orders 0 - 9 - - - -\n",
            GroupKind.SPARK,
        ),
        (member("spark-executor-pay", "orders", "consumer-1"), GroupKind.SPARK),
        (member("spark-kafka-source-pay", "orders", "consumer-1"), GroupKind.CONSUMER),
    ],
)
def test_each_kind_is_told_by_what_only_it_has(text: str, kind: GroupKind) -> None:
    assert the_group(text).kind is kind


def test_a_list_of_groups_above_a_table_tells_the_kind_that_ids_hide() -> None:
    listed = "GROUP  TYPE     PROTOCOL\npay    Classic  connect\n\n"

    assert the_group(listed + member("pay", "orders", "pay-1")).kind is GroupKind.CONNECT


def test_a_share_group_has_lags_and_no_committed_offsets_and_prose_is_no_row() -> None:
    reading = the_group(SHARE)

    assert lags(reading) == {"jobs": [3, None]}
    assert reading.group.offsets.begin is None
    assert reading.group.offsets.committed is None
    assert [text for _, text in reading.ignored] == ["worker 1: 5264 records"]


def test_threads_and_numbers_of_tasks_are_read_and_tasks_are_no_partitions() -> None:
    reading = the_group(STREAMS_MEMBERS.format(target=""))

    assert reading.group.member_count == 2
    assert reading.group.partition_count == 0
    assert "2 threads of 2 processes run 4 active tasks and 3 standby tasks." in reading.notes
    assert reading.rebalancing is None


def test_a_thread_whose_target_differs_is_in_a_rebalance() -> None:
    reading = the_group(STREAMS_MEMBERS.format(target="TARGET-ACTIVE: 0:[0]; "))

    assert reading.rebalancing is not None


def test_connects_rest_api_tells_who_runs_which_task_and_which_waits() -> None:
    reading = the_group(CONNECTORS)

    assert owned(reading) == {"a:1": ["orders-sink-0"]}
    assert reading.group.partition_count == 2
    assert isinstance(reading.as_kind, ConnectCluster)
    held = {task.name for worker in reading.as_kind.workers for task in worker.holds}
    assert held == {"orders-sink", "orders-sink-0"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Error: GroupId connect-cluster is not a consumer group (connect).",
            ("Connect cluster's workers", "GET /connectors?expand=status"),
        ),
        (
            "Error: GroupIdNotFoundException: Group jobs is not a consumer group.",
            ("share group or a streams group", "kafka-streams-groups --describe --group jobs"),
        ),
        (
            "[2021-02-07 10:00:00,123] INFO [Worker clientId=connect-1, groupId=cc] Joined group",
            ("'cc' is the group of a Connect cluster's workers", "GET /connectors"),
        ),
        ('{"version":"4.4.0","commit":"11","kafka_cluster_id":"a2"}', ("GET /connectors",)),
        (
            "Topologies:\n   Sub-topology: 0\n    Source: S-0 (topics: [orders])",
            ("topology of a Kafka Streams application", "--group APPLICATION_ID"),
        ),
        (
            "Consumer group ID    Active members    Partitions with lag    State\n---\ng1   2   0   Empty",
            ("list of groups", "rhoas kafka consumer-group describe --id NAME"),
        ),
        ("BROKER  GROUP  STATE\n0       pay    Stable", ("list of groups", "rpk group describe")),
        (
            "$ kafka-share-groups.sh --list --state\nGROUP           STATE\njobs      Stable",
            ("list of groups", "kafka-share-groups --describe --group NAME"),
        ),
        (
            "GROUP   TYPE     PROTOCOL\nshop    Streams  streams\npay     Classic  consumer",
            ("'shop' is a streams group", "kafka-streams-groups --describe --group shop"),
        ),
        (
            "  {... Assignment(partitions=[cards-0,1,2]),\n   ... Assignment(partitions=[users-0])}",
            ("names were cut out",),
        ),
        (
            "% COOPERATIVE rebalance: 2 new partition(s) assigned: [stam[0]@unset stam[1]@unset]",
            ("does not name the consumers",),
        ),
        (
            "10:00 INFO [Consumer clientId=app-1, groupId=pay] Discovered group coordinator k:9092",
            ("has no assignment", "Finished assignment for group"),
        ),
        (
            "Error: org.apache.kafka.common.errors.UnsupportedVersionException: no DescribeGroups",
            ("another release", "kafka-consumer-groups of the brokers' release"),
        ),
        (
            "PARTITION  START-OFFSET  LAG\n0          382500        12\n1          244500        30\n",
            ("does not name its topic (42 behind, on 2 of 2 partitions)", "Topic: orders"),
        ),
        (
            "| Time | Partition | CURRENT-OFFSET | LOG-END-OFFSET | LAG |\n|--|--|--|--|--|\n| T+0s | 0 | 5 | 9 | 4 |\n",
            ("does not name its topic (4 behind, on 1 of 1 partition)",),
        ),
        (
            "GROUP TOPIC CURRENT-OFFSET LOG-END-OFFSET LAG\npay orders 5 9 4\n",
            ("no column for the partition",),
        ),
    ],
)
def test_what_has_nobodys_partitions_is_refused_with_its_own_reason_and_next_command(
    text: str, said: tuple[str, ...]
) -> None:
    with pytest.raises(SourceError) as refused:
        read_text(text)

    assert [each for each in said if each not in str(refused.value)] == []


@pytest.mark.parametrize(
    ("state", "kind", "is_open"),
    [("Stable", GroupKind.SHARE, True), ("NotReady", GroupKind.STREAMS_BROKER, False)],
)
def test_a_table_of_states_without_its_command_may_be_of_two_kinds(
    state: str, kind: GroupKind, is_open: bool
) -> None:
    (reading,) = read_text(f"GROUP COORDINATOR (ID) STATE #MEMBERS\npics b1:9092 (1) {state} 4\n")

    assert reading.kind is kind
    assert any("Kafka 4.1 to 4.3" in note for note in reading.notes) == is_open


def test_under_an_id_of_sparks_nothing_is_an_alarm_as_it_commits_nothing() -> None:
    text = f"Consumer group '{SPARKS}' has no active members.\n\n{DESCRIBE}{SPARKS} orders 0 - 900 - - - -\n"

    found = answer_of(given_of(the_group(text)))

    assert found.verdict.kind is VerdictKind.NOT_A_CONSUMER_GROUP
    assert found.verdict.severity is Severity.UNKNOWN
    assert found.proposal is None
    assert "inputRowsPerSecond" in words_of(found).action


def test_a_streams_group_that_is_not_ready_does_not_rebalance() -> None:
    text = (
        "GROUP COORDINATOR (ID) STATE GROUP-EPOCH TARGET-ASSIGNMENT-EPOCH #MEMBERS\n"
        "wc    b:9092 (1)       {}    3           3                       2\n"
    )
    waiting, assigning = (the_group(text.format(state)) for state in ("NotReady", "Assigning"))

    assert (waiting.kind, waiting.state) == (GroupKind.STREAMS_BROKER, "NotReady")
    assert waiting.rebalancing is None
    assert "not ready" in waiting.notes[0]
    assert assigning.rebalancing is not None
    assert answer_of(given_of(waiting)).verdict.kind is VerdictKind.NOT_A_CONSUMER_GROUP
