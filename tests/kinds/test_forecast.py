"""What the next rebalance brings groups of other kinds: forecasts from pastes, and by assign.py."""

import io
import json
from typing import Any

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
from tests.kinds.texts import (
    CLASSIC,
    IDS,
    ONE,
    SHARE,
    STREAMS,
    TOPOLOGY,
    TWO,
    A,
    B,
    P,
    Q,
    rest,
)
from tests.said import lacks


def _group(text: str) -> KindGroup:
    (reading,) = read_text(text)
    assert reading.as_kind is not None
    return reading.as_kind


def _run(text: str, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    out, errors = io.BytesIO(), io.StringIO()
    status = assign.main(arguments, text.encode().splitlines(keepends=True), out, errors)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], errors.getvalue()


def test_a_share_group_is_read_with_all_members_of_a_partition_and_the_topic_ids() -> None:
    group = _group(SHARE + IDS)

    assert isinstance(group, ShareGroup)
    assert group.topics["events"] == (8, "BC4-C-yeccUePPwxJ3FQyQ")
    assert [len(each.held) for each in group.members] == [5, 6]
    assert group.has_ids


def test_a_group_at_rest_stays_and_tells_in_which_order_its_broker_visits_members() -> None:
    found = forecast(_group(SHARE), release=(4, 4))

    assert len(orders_of([ONE, TWO]).positions) == 2
    assert found.then == found.now
    assert found.certainty == EXACT


def test_one_consumer_more_takes_its_share_and_every_partition_keeps_a_reader() -> None:
    found = forecast(_group(SHARE), OtherMembers(more=1))

    assert sorted(len(held["reads"]) for held in found.then.values()) == [3, 4, 4]
    assert found.certainty.known is Known.DISTRIBUTION
    assert found.as_data["readers"] == {
        f"{topic}-{number}": {"now": 1, "then": 1}
        for topic, size in (("events", 8), ("jobs", 3))
        for number in range(size)
    }


def test_many_more_consumers_share_partitions() -> None:
    found = forecast(_group(SHARE), OtherMembers(more=20))

    readers = found.as_data["readers"]
    assert isinstance(readers, dict)
    assert {each["then"] for each in readers.values()} == {2}


def test_what_the_table_does_not_say_is_a_condition() -> None:
    found = forecast(_group(SHARE.replace(";jobs:1", "")))

    assert not lacks(found.certainty.text, "4.2")


def test_a_consumer_that_leaves_leaves_all_to_the_other() -> None:
    found = forecast(_group(SHARE), OtherMembers(without=(ONE,)))

    assert list(found.then) == [TWO]
    assert len(found.then[TWO]["reads"]) == 11


def test_the_release_decides_how_a_share_group_is_assigned() -> None:
    everything = forecast(_group(SHARE), release=(4, 0))
    preview = forecast(_group(SHARE + IDS), release=(4, 1))

    assert {len(held["reads"]) for held in everything.then.values()} == {11}
    assert preview.strategy == "simple-4.1"


def test_threads_are_read_with_their_instances_tasks_and_copies() -> None:
    group = _group(STREAMS)

    assert isinstance(group, StreamsGroup)
    assert [(each.partitions, each.is_stateful) for each in group.subtopologies] == [
        (6, False),
        (4, True),
        (4, True),
    ]
    assert group.standbys == 1
    assert {each.process for each in group.members} == {P, Q}


def test_a_command_below_the_threads_is_no_thread() -> None:
    command = (
        "$ kafka-streams-groups.sh --bootstrap-server b:9092 --describe --group shop --offsets\n"
    )
    offsets = (
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET OFFSET-LAG\nshop orders 0 1 3 2\n"
    )

    (reading,) = read_text(STREAMS + command + offsets + TOPOLOGY)

    assert isinstance(reading.as_kind, StreamsGroup)
    assert len(reading.as_kind.members) == 4
    assert reading.group.lags.tolist() == [2]


def test_a_number_that_asks_for_too_many_tasks_is_refused() -> None:
    with pytest.raises(SourceError, match="partitions are more than"):
        read_text(STREAMS.replace("0:[1,5]", "0:[1,999999999]"))


def test_a_topology_below_a_streams_group_tells_which_tasks_have_state() -> None:
    without_copies = STREAMS.replace("STANDBY: ", "IGNORED: ")
    unknown, told = _group(without_copies), _group(without_copies + TOPOLOGY)

    assert isinstance(unknown, StreamsGroup)
    assert isinstance(told, StreamsGroup)
    assert [each.is_stateful for each in unknown.subtopologies] == [True, True, True]
    assert [each.is_stateful for each in told.subtopologies] == [False, True, True]
    assert read_text(without_copies + TOPOLOGY)[0].ignored == ()


def test_one_instance_more_has_as_many_threads_and_a_part_of_the_tasks() -> None:
    found = forecast(_group(STREAMS), OtherMembers(more=1))

    assert [name for name in found.then if name.startswith("new")] == [
        "new-1 thread 1",
        "new-1 thread 2",
    ]
    assert max(len(held["active"]) for held in found.then.values()) == 3
    assert sum(len(held["active"]) for held in found.then.values()) == 14
    assert found.certainty.known is Known.DISTRIBUTION


def test_the_loss_of_an_instance_is_one_of_several_without_offsets() -> None:
    newest = forecast(_group(STREAMS), OtherMembers(without=(Q,)))
    older = forecast(_group(STREAMS), OtherMembers(without=(Q,)), release=(4, 3))
    unlike = forecast(_group(STREAMS), OtherMembers(without=(Q,)))

    assert not lacks(unlike.certainty.condition, "4.4")
    assert len(newest.then) == 2
    assert newest.certainty.known is Known.ONE_OF_SEVERAL
    assert older.strategy == "streams-sticky-4.3"
    assert older.certainty == EXACT.on("if streams.num.standby.replicas is 1")


def test_a_classic_application_is_read_where_its_topology_stands_below() -> None:
    group = _group(CLASSIC + TOPOLOGY)

    assert isinstance(group, StreamsApplication)
    assert [(each.sources, each.is_stateful) for each in group.subtopologies] == [
        (["orders"], False),
        (["shop-by-letter-repartition"], True),
    ]
    assert [(each.process, len(each.threads)) for each in group.instances] == [(P, 2)]
    assert group.knows_processes
    assert read_text(CLASSIC)[0].as_kind is None
    assert read_text(CLASSIC + TOPOLOGY)[0].ignored == ()


def test_client_ids_that_are_set_hide_the_order_of_instances() -> None:
    group = _group(CLASSIC.replace(f"shop-{P}", "kiosk") + TOPOLOGY)

    assert isinstance(group, StreamsApplication)
    assert not group.knows_processes


def test_one_instance_more_runs_stateless_tasks_at_once_and_warms_the_others_up() -> None:
    found = forecast(_group(CLASSIC + TOPOLOGY), OtherMembers(more=1))

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
    group = _group(rest(sink=[A, A, B], source=[B, A]))

    assert isinstance(group, ConnectCluster)
    assert group.configured == {"sink": 2, "source": 1}
    assert {each.id: [work.name for work in each.holds] for each in group.workers} == {
        f"connect-{A}": ["sink", "sink-0", "source-0"],
        f"connect-{B}": ["sink-1", "source"],
    }


def test_a_lost_worker_is_waited_for_before_its_work_moves() -> None:
    found = forecast(_group(rest(sink=[A, A, B], source=[B, A])), OtherMembers(without=(B,)))

    assert found.wait_s == 300
    assert found.then == {
        A: {"connectors": ["sink", "source"], "tasks": ["sink-0", "sink-1", "source-0"]}
    }
    assert found.certainty == EXACT.on("if these are all workers, and up")


def test_who_leads_decides_only_when_work_moves_where_both_ways_end_alike() -> None:
    workers = {"a": [A, A], "b": [B, B], "c": ["10.0.0.3:8083", "10.0.0.3:8083"]}
    found = forecast(_group(rest(**workers)), OtherMembers(without=(B,)))

    assert found.certainty == EXACT.on("if these are all workers, and up")
    assert any("leading worker" in each for each in found.assumptions)


def test_tasks_that_wait_for_a_lost_worker_move_after_the_delay() -> None:
    found = forecast(_group(rest(sink=[A, A, B, ""])))

    assert found.wait_s == 300
    assert sum(len(held["tasks"]) for held in found.then.values()) == 3


def test_a_worker_more_gets_an_even_part_in_two_rounds() -> None:
    found = forecast(_group(rest(sink=[A, A, B, A], source=[B, A, B])), OtherMembers(more=1))

    assert found.rounds == 2
    assert {name: len(held["tasks"]) for name, held in found.then.items()} == {
        A: 2,
        B: 2,
        "new-1": 1,
    }


@pytest.mark.parametrize("text", [SHARE, STREAMS, rest(sink=[A, A])])
def test_nobody_leaves_who_is_not_there(text: str) -> None:
    with pytest.raises(UnknownMemberError, match="nobody is called 'x'"):
        forecast(_group(text), OtherMembers(without=("x",)))


@pytest.mark.parametrize(
    ("text", "kind", "strategy"),
    [
        (SHARE, "share", "simple"),
        (STREAMS, "streams-broker", "streams-sticky"),
        (rest(sink=[A, A, B]), "connect", "connect-incremental"),
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
    _, (more,), _ = _run(SHARE, "--more", "+1")
    _, (fewer,), _ = _run(SHARE, "--without", ONE, "--release", "4.2.1")
    status, _, said = _run(SHARE, "--without", "nobody")

    assert more["members"]["new-1"]["now"] == {}
    assert fewer["members"][ONE]["then"] is None
    assert (status, not lacks(said, "nobody", "'nobody'")) == (2, True)


def test_strategies_of_consumer_groups_are_still_refused() -> None:
    status, answers, said = _run(SHARE, "--strategy", "range")

    assert (status, answers) == (2, [])
    assert "share group" in said


@pytest.mark.parametrize(
    "arguments", [("--more", "x"), ("--more", "-1"), ("--release", "new"), ("--more", "1001")]
)
def test_what_cannot_be_asked_is_refused(arguments: tuple[str, str]) -> None:
    status, _, said = _run(SHARE, *arguments)

    assert status == 2
    assert "expected" in said


@pytest.mark.slow
def test_the_command_line_says_what_it_means_and_takes_settings() -> None:
    text = CLASSIC + TOPOLOGY
    _, (usual,), _ = _run(text, "--more", "1")
    _, (set_,), _ = _run(
        text,
        *("--more", "1", "--set", "max.warmup.replicas=3"),
        *("--set", "probing.rebalance.interval.ms=60000"),
    )
    _, (threads,), _ = _run(text, "--threads", "2")

    assert not lacks(usual["evidence"], "2 probing", "20 min")
    assert not lacks(set_["evidence"], "1 probing", "1 min")
    assert [stage["at_s"] for stage in set_["stages"]] == [0, 0, 60, 60]
    assert usual["advice"][0]["setting"] == "max.warmup.replicas"
    assert sum("StreamThread" in name for name in threads["members"]) == 4


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("max.warmup.replicas=2", "no setting of this kind"),
        ("x", "expected NAME=VALUE"),
        ("scheduled.rebalance.max.delay.ms=-5", "must be 0 s or more"),
    ],
)
def test_settings_that_cannot_be_are_refused(setting: str, said: str) -> None:
    status, _, error = _run(rest(sink=[A, A, B]), "--set", setting)

    assert status == 2
    assert said in error


def test_a_worker_has_no_threads() -> None:
    assert "threads" in _run(rest(sink=[A, A, B]), "--threads", "1")[2]
