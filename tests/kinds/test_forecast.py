"""What the next rebalance brings groups of other kinds: forecasts from pastes, and by assign.py."""

import io
import json
from typing import Any, Final

import pytest

import assign
from assignors.certainty import EXACT, Known
from assignors.connect.cluster import ConnectCluster
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import KindGroup, OtherMembers, UnknownMemberError
from evaluation.kinds.orders import orders_of
from sources.errors import SourceError
from sources.text import read_text

_ONE, _TWO = "2r8Li13RSKGZO5Me7Rpvyg", "4PXkVOfVTrGGJ4oEqNPFMA"
"""Ids that share a bucket."""
_SHARE: Final = f"""\
GROUP      CONSUMER-ID            HOST       CLIENT-ID #PARTITIONS MEMBER-EPOCH ASSIGNMENT
share-jobs {_ONE} /127.0.0.1 worker-1  5           3            events:0,3,5,7;jobs:1
share-jobs {_TWO} /127.0.0.1 worker-2  6           3            events:1,2,4,6;jobs:0,2
"""
_IDS: Final = """
Topic: events  TopicId: BC4-C-yeccUePPwxJ3FQyQ PartitionCount: 8 ReplicationFactor: 1 Configs:
Topic: jobs  TopicId: HDQl5oQn5WMjWcIaGctU0Q PartitionCount: 3 ReplicationFactor: 1 Configs:
"""
_P, _Q = "4e8cdd43-28ad-41a8-a789-76b7d8f491b6", "96911d8b-c098-43cf-9e61-9a921179ab1c"
_STREAMS: Final = f"""\
GROUP MEMBER PROCESS CLIENT-ID ASSIGNMENTS
shop  1bz7mLOaSEi0kYMB2EbAkA {_P} shop-{_P}-StreamThread-1-consumer ACTIVE: 0:[1,5]; 1:[3]; 2:[3]; STANDBY: 1:[0]; 2:[0];
shop  HG5dR4q_SJSGVN7lrZIMSA {_Q} shop-{_Q}-StreamThread-2-consumer ACTIVE: 0:[0,4]; 1:[2]; 2:[2]; STANDBY: 1:[1]; 2:[1];
shop  RoCY_1PaRJy0uJeEsJcHUA {_P} shop-{_P}-StreamThread-2-consumer ACTIVE: 0:[3]; 1:[1]; 2:[1]; STANDBY: 1:[2]; 2:[2];
shop  f6OXaEOPSJm4CpXrif17pA {_Q} shop-{_Q}-StreamThread-1-consumer ACTIVE: 0:[2]; 1:[0]; 2:[0]; STANDBY: 1:[3]; 2:[3];
"""  # noqa: E501 -- as the tool prints it
_TOPOLOGY: Final = """
Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0 (topics: [orders])
      --> KSTREAM-KEY-SELECT-1
    Processor: KSTREAM-KEY-SELECT-1 (stores: [])
      <-- KSTREAM-SOURCE-0
  Sub-topology: 1
    Source: KSTREAM-SOURCE-2 (topics: [by-letter-repartition])
      --> KSTREAM-AGGREGATE-3
    Processor: KSTREAM-AGGREGATE-3 (stores: [counts])
      <-- KSTREAM-SOURCE-2
"""


def _rest(**workers_of_tasks: list[str]) -> str:
    """Return an answer of Connect's REST API: connector to the workers of itself and its tasks."""
    return json.dumps(
        {
            name: {
                "status": {
                    "name": name,
                    "connector": {"state": "RUNNING", "worker_id": itself},
                    "tasks": [
                        {"id": at, "state": "RUNNING" if worker else "UNASSIGNED"}
                        | {"worker_id": worker or "10.0.0.9:8083"}
                        for at, worker in enumerate(tasks)
                    ],
                    "type": "sink",
                },
                "info": {"name": name, "config": {"tasks.max": "4"}},
            }
            for name, (itself, *tasks) in workers_of_tasks.items()
        }
    )


_CLASSIC: Final = f"""\
GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT TARGET-EPOCH
shop shop-{_P}-StreamThread-1-consumer-5f270dc2-57af-4d8e-a91c-b6f2f8dda2f0 /127.0.0.1 shop-{_P}-StreamThread-1-consumer 6 - orders:0,1,2;shop-by-letter-repartition:0,1,2 -
shop shop-{_P}-StreamThread-2-consumer-91b1089d-c970-4b51-9e49-f54c3677565f /127.0.0.1 shop-{_P}-StreamThread-2-consumer 6 - orders:3,4,5;shop-by-letter-repartition:3,4,5 -
"""  # noqa: E501 -- as the tool prints it
_A, _B = "10.0.0.1:8083", "10.0.0.2:8083"


def _group(text: str) -> KindGroup:
    (reading,) = read_text(text)
    assert reading.as_kind is not None
    return reading.as_kind


def _run(text: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    out, errors = io.BytesIO(), io.StringIO()
    status = assign.main(arguments, text.encode().splitlines(keepends=True), out, errors)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], errors.getvalue()


def test_a_share_group_is_read_with_all_members_of_a_partition_and_the_topic_ids() -> None:
    group = _group(_SHARE + _IDS)

    assert isinstance(group, ShareGroup)
    assert group.topics["events"] == (8, "BC4-C-yeccUePPwxJ3FQyQ")
    assert [len(each.held) for each in group.members] == [5, 6]
    assert group.has_ids


def test_a_group_at_rest_stays_and_tells_in_which_order_its_broker_visits_members() -> None:
    found = forecast(_group(_SHARE), release=(4, 4))

    assert len(orders_of([_ONE, _TWO]).positions) == 2
    assert found.then == found.now
    assert found.certainty == EXACT


def test_one_consumer_more_takes_its_share_and_every_partition_keeps_a_reader() -> None:
    found = forecast(_group(_SHARE), OtherMembers(more=1))

    assert sorted(len(held["reads"]) for held in found.then.values()) == [3, 4, 4]
    assert found.certainty.known is Known.DISTRIBUTION
    assert found.as_data["readers"] == {
        f"{topic}-{number}": {"now": 1, "then": 1}
        for topic, size in (("events", 8), ("jobs", 3))
        for number in range(size)
    }


def test_many_more_consumers_share_partitions() -> None:
    found = forecast(_group(_SHARE), OtherMembers(more=20))

    readers = found.as_data["readers"]
    assert isinstance(readers, dict)
    assert {each["then"] for each in readers.values()} == {2}


def test_what_the_table_does_not_say_is_a_condition() -> None:
    found = forecast(_group(_SHARE.replace(";jobs:1", "")))

    assert found.certainty.text.endswith(
        "if all consumers read all topics and brokers run Kafka 4.2 or newer"
    )


def test_a_consumer_that_leaves_leaves_all_to_the_other() -> None:
    found = forecast(_group(_SHARE), OtherMembers(without=(_ONE,)))

    assert list(found.then) == [_TWO]
    assert len(found.then[_TWO]["reads"]) == 11


def test_the_release_decides_how_a_share_group_is_assigned() -> None:
    everything = forecast(_group(_SHARE), release=(4, 0))
    preview = forecast(_group(_SHARE + _IDS), release=(4, 1))

    assert {len(held["reads"]) for held in everything.then.values()} == {11}
    assert preview.strategy == "simple-4.1"


def test_threads_are_read_with_their_instances_tasks_and_copies() -> None:
    group = _group(_STREAMS)

    assert isinstance(group, StreamsGroup)
    assert [(each.partitions, each.is_stateful) for each in group.subtopologies] == [
        (6, False),
        (4, True),
        (4, True),
    ]
    assert group.standbys == 1
    assert {each.process for each in group.members} == {_P, _Q}


def test_a_command_below_the_threads_is_no_thread() -> None:
    command = "$ kafka-streams-groups.sh --bootstrap-server b:9092 --describe --group shop --offsets\n"
    offsets = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET OFFSET-LAG\nshop orders 0 1 3 2\n"

    (reading,) = read_text(_STREAMS + command + offsets + _TOPOLOGY)

    assert isinstance(reading.as_kind, StreamsGroup)
    assert len(reading.as_kind.members) == 4
    assert reading.group.lags.tolist() == [2]


def test_a_number_that_asks_for_too_many_tasks_is_refused() -> None:
    with pytest.raises(SourceError, match="partitions are more than"):
        read_text(_STREAMS.replace("0:[1,5]", "0:[1,999999999]"))


def test_a_topology_below_a_streams_group_tells_which_tasks_have_state() -> None:
    without_copies = _STREAMS.replace("STANDBY: ", "IGNORED: ")
    unknown, told = _group(without_copies), _group(without_copies + _TOPOLOGY)

    assert isinstance(unknown, StreamsGroup)
    assert isinstance(told, StreamsGroup)
    assert [each.is_stateful for each in unknown.subtopologies] == [True, True, True]
    assert [each.is_stateful for each in told.subtopologies] == [False, True, True]
    assert read_text(without_copies + _TOPOLOGY)[0].ignored == ()


def test_one_instance_more_has_as_many_threads_and_a_part_of_the_tasks() -> None:
    found = forecast(_group(_STREAMS), OtherMembers(more=1))

    assert [name for name in found.then if name.startswith("new")] == [
        "new-1 thread 1",
        "new-1 thread 2",
    ]
    assert max(len(held["active"]) for held in found.then.values()) == 3
    assert sum(len(held["active"]) for held in found.then.values()) == 14
    assert found.certainty.known is Known.DISTRIBUTION


def test_the_loss_of_an_instance_is_one_of_several_without_offsets() -> None:
    newest = forecast(_group(_STREAMS), OtherMembers(without=(_Q,)))
    older = forecast(_group(_STREAMS), OtherMembers(without=(_Q,)), release=(4, 3))
    unlike = forecast(_group(_STREAMS), OtherMembers(without=(_Q,)))

    assert unlike.certainty.condition.endswith("Kafka 4.4 or newer")
    assert len(newest.then) == 2
    assert newest.certainty.known is Known.ONE_OF_SEVERAL
    assert older.strategy == "streams-sticky-4.3"
    assert older.certainty == EXACT.on("if streams.num.standby.replicas is 1")


def test_a_classic_application_is_read_where_its_topology_stands_below() -> None:
    group = _group(_CLASSIC + _TOPOLOGY)

    assert isinstance(group, StreamsApplication)
    assert [(each.sources, each.is_stateful) for each in group.subtopologies] == [
        (["orders"], False),
        (["shop-by-letter-repartition"], True),
    ]
    assert [(each.process, len(each.threads)) for each in group.instances] == [(_P, 2)]
    assert group.knows_processes
    assert read_text(_CLASSIC)[0].as_kind is None
    assert read_text(_CLASSIC + _TOPOLOGY)[0].ignored == ()


def test_client_ids_that_are_set_hide_the_order_of_instances() -> None:
    group = _group(_CLASSIC.replace(f"shop-{_P}", "kiosk") + _TOPOLOGY)

    assert isinstance(group, StreamsApplication)
    assert not group.knows_processes


def test_one_instance_more_runs_stateless_tasks_at_once_and_warms_the_others_up() -> None:
    found = forecast(_group(_CLASSIC + _TOPOLOGY), OtherMembers(more=1))

    data = found.as_data
    at_once, warming_up = data["at_once"], data["warming_up"]
    assert isinstance(at_once, dict)
    assert isinstance(warming_up, dict)
    new = [name for name in found.then if name.startswith("new-1")]
    assert len(new) == 2
    assert {task[0] for name in new for task in at_once[name]["active"]} == {"0"}
    assert sum(len(tasks) for tasks in warming_up.values()) == 2
    assert data["probing_rebalances"] == 2
    assert sorted(len(held["active"]) for held in found.then.values()) == [3, 3, 3, 3]
    assert sum(task[0] == "1" for name in new for task in found.then[name]["active"]) == 3


def test_workers_are_read_with_connectors_and_tasks() -> None:
    group = _group(_rest(sink=[_A, _A, _B], source=[_B, _A]))

    assert isinstance(group, ConnectCluster)
    assert group.configured == {"sink": 2, "source": 1}
    assert {each.id: [work.name for work in each.holds] for each in group.workers} == {
        f"connect-{_A}": ["sink", "sink-0", "source-0"],
        f"connect-{_B}": ["sink-1", "source"],
    }


def test_a_lost_worker_is_waited_for_before_its_work_moves() -> None:
    found = forecast(_group(_rest(sink=[_A, _A, _B], source=[_B, _A])), OtherMembers(without=(_B,)))

    assert found.wait_s == 300
    assert found.then == {
        _A: {"connectors": ["sink", "source"], "tasks": ["sink-0", "sink-1", "source-0"]}
    }
    assert found.certainty == EXACT.on("if these are all workers, and up")


def test_who_leads_decides_only_when_work_moves_where_both_ways_end_alike() -> None:
    workers = {"a": [_A, _A], "b": [_B, _B], "c": ["10.0.0.3:8083", "10.0.0.3:8083"]}
    found = forecast(_group(_rest(**workers)), OtherMembers(without=(_B,)))

    assert found.certainty == EXACT.on("if these are all workers, and up")
    assert any("leading worker" in each for each in found.assumptions)


def test_tasks_that_wait_for_a_lost_worker_move_after_the_delay() -> None:
    found = forecast(_group(_rest(sink=[_A, _A, _B, ""])))

    assert found.wait_s == 300
    assert sum(len(held["tasks"]) for held in found.then.values()) == 3


def test_a_worker_more_gets_an_even_part_in_two_rounds() -> None:
    found = forecast(
        _group(_rest(sink=[_A, _A, _B, _A], source=[_B, _A, _B])), OtherMembers(more=1)
    )

    assert found.rounds == 2
    assert {name: len(held["tasks"]) for name, held in found.then.items()} == {
        _A: 2,
        _B: 2,
        "new-1": 1,
    }


@pytest.mark.parametrize("text", [_SHARE, _STREAMS, _rest(sink=[_A, _A])])
def test_nobody_leaves_who_is_not_there(text: str) -> None:
    with pytest.raises(UnknownMemberError, match="nobody is called 'x'"):
        forecast(_group(text), OtherMembers(without=("x",)))


@pytest.mark.parametrize(
    ("text", "kind", "strategy"),
    [
        (_SHARE, "share", "simple"),
        (_STREAMS, "streams-broker", "streams-sticky"),
        (_rest(sink=[_A, _A, _B]), "connect", "connect-incremental"),
    ],
)
def test_the_command_line_tells_who_has_what_now_and_then(
    text: str, kind: str, strategy: str
) -> None:
    status, (answer,), _ = _run(text)

    assert status == 0
    assert (answer["kind"], answer["strategy"]) == (kind, strategy)
    assert all(set(member) == {"now", "then"} for member in answer["members"].values())
    assert answer["certainty"]["kind"] in {"exact", "conditional", "one_of_several"}


def test_the_command_line_asks_what_if() -> None:
    _, (more,), _ = _run(_SHARE, "--more", "+1")
    _, (fewer,), _ = _run(_SHARE, "--without", _ONE, "--release", "4.2.1")
    status, _, said = _run(_SHARE, "--without", "nobody")

    assert more["members"]["new-1"]["now"] == {}
    assert fewer["members"][_ONE]["then"] is None
    assert (status, "nobody is called 'nobody'" in said) == (2, True)


def test_strategies_of_consumer_groups_are_still_refused() -> None:
    status, answers, said = _run(_SHARE, "--strategy", "range")

    assert (status, answers) == (2, [])
    assert "share group" in said


@pytest.mark.parametrize(
    "arguments", [("--more", "x"), ("--more", "-1"), ("--release", "new"), ("--more", "1001")]
)
def test_what_cannot_be_asked_is_refused(arguments: tuple[str, str]) -> None:
    status, _, said = _run(_SHARE, *arguments)

    assert status == 2
    assert "expected" in said
