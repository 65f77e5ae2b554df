"""Real texts of every kind of group at the command line: right kind, no false exact, a way on."""

import json
from collections.abc import Mapping
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, Final

import pytest

import assign
from assignors.kinds import GroupKind
from evaluation.reading import Reading
from sources.errors import SourceError
from sources.text import read_text
from tests.said import lacks

_HERE: Final = Path(__file__).parent
_OUTPUTS: Final = sorted((_HERE / "outputs").glob("*.txt"))
_KIND_OF_GROUP: Final = {
    "connect-clicks-sink": GroupKind.CONNECT_SINK,
    "connect-orders-sink": GroupKind.CONNECT_SINK,
    "flink-payments": GroupKind.OFFSETS,
    "manual-payments": GroupKind.OFFSETS,
    "shop-classic": GroupKind.STREAMS,
    "shop-streams": GroupKind.STREAMS_BROKER,
    "share-jobs": GroupKind.SHARE,
    "": GroupKind.CONNECT,  # the REST API does not name the workers' group
}
_UNTOLD: Final = {"consumer-groups-connect-orders-sink-state-verbose.txt"}
"""No client id tells here that a sink's tasks make the group."""


def _read(name: str) -> Reading:
    (reading,) = read_text((_HERE / name).read_text(encoding="utf-8"))
    return reading


def _refusal(name: str) -> str:
    with pytest.raises(SourceError) as refused:
        read_text((_HERE / name).read_text(encoding="utf-8"))
    return str(refused.value)


def _run(path: Path, *arguments: str) -> tuple[int, list[dict[str, Any]], str]:
    out, said = BytesIO(), StringIO()
    status = assign.main((*arguments, str(path)), None, out, said)
    return status, [json.loads(line) for line in out.getvalue().splitlines()], said.getvalue()


def _answer(name: str, *arguments: str) -> dict[str, Any]:
    status, (answer,), _ = _run(_HERE / name, *arguments)
    assert status == 0
    return answer


def _numbers(assignment: Mapping[str, list[list[Any]]]) -> dict[str, list[int]]:
    return {member: [number for _, number in owned] for member, owned in assignment.items()}


@pytest.mark.parametrize("path", _OUTPUTS, ids=lambda path: path.stem)
def test_every_output_of_the_tools_has_its_kind_and_no_strategy_that_cannot_run(path: Path) -> None:
    status, answers, said = _run(path, "--strategy", "range")

    try:
        readings = read_text(path.read_text(encoding="utf-8"))
    except SourceError:
        readings = ()
    if not readings:
        assert (status, answers) == (2, [])
        assert any(way in said for way in ("describe", "GET /connectors", "APPLICATION_ID"))
    for reading in readings:
        if path.name not in _UNTOLD:
            assert reading.kind is _KIND_OF_GROUP[reading.name]
    by_id = {answer["id"]: answer for answer in answers}
    for reading in readings:
        answer = by_id.get(reading.name)
        if reading.hindrance:
            assert answer is None or "certainty" not in answer
            assert (status, bool(said)) in {(1, False), (2, True)}
        else:
            assert answer is not None
            assert answer["kind"] == "connect-sink"


def test_streams_threads_are_told_before_and_after_and_an_empty_log_has_no_lag() -> None:  # P02
    reading = _read("P02.txt")

    assert reading.kind is GroupKind.STREAMS
    assert [member.split("-")[4] for member in reading.group.members] == ["103d456a"] * 2
    assert reading.group.lags.tolist() == [0, 0, 0]
    assert _run(_HERE / "P02.txt", "--strategy", "range")[:2] == (2, [])


def test_a_spring_log_tells_owners_and_strategy() -> None:  # P03
    reading = _read("P03.txt")

    assert reading.strategy == "roundrobin"
    assert list(reading.group.named(reading.group.present_owners).values()) == [
        ("orders.raw-0", "orders.raw-3"),
        ("orders.raw-1", "orders.raw-4"),
        ("orders.raw-2", "orders.raw-5"),
    ]


def test_names_that_were_cut_out_are_nobodys() -> None:  # P05
    assert "names were cut out" in _refusal("P05.txt")


def test_rpk_with_its_coordinators_partition() -> None:  # P06
    reading = _read("P06.txt")

    assert reading.group.lags.tolist() == [0]
    assert reading.strategy == "cooperative-sticky"
    assert reading.state == "Stable"


def test_owners_of_the_old_tool_are_client_ids_and_hosts() -> None:  # P08, P34, X1
    erlang, parsers, pay = _read("P08.txt"), _read("P34.txt"), _read("X1.txt")

    assert list(erlang.hosts.values()) == ["172.26.0.1"]
    assert erlang.group.lags.tolist() == [1]
    assert list(parsers.group.layout.client_ids.values()) == ["parsers-1", "parsers-2"]
    assert set(pay.group.layout.client_ids.values()) == {"rdkafka"}
    assert pay.assumed.members_unknown
    assert any(not lacks(note, "2 owners") for note in pay.notes)


def test_records_of_a_consumer_are_no_group() -> None:  # P10
    reading = _read("P10.txt")

    assert (reading.kind, reading.group.lags.sum()) == (GroupKind.OFFSETS, 7)


def test_a_share_group_among_prose() -> None:  # P11
    reading = _read("P11.txt")

    assert (reading.name, reading.kind) == ("thumb-workers", GroupKind.SHARE)
    assert reading.group.partition_count == 1
    assert reading.group.offsets.committed is None


def test_prose_below_members_is_no_member_and_counts_are_used() -> None:  # P12
    reading = _read("P12.txt")
    status, answers, said = _run(_HERE / "P12.txt", "--strategy", "range")

    assert reading.group.member_count == 2
    assert (status, answers) == (2, [])
    assert not lacks(said, "1 partition", "1 idle")
    assert "--group thumb-classic" in said


def test_a_table_without_its_topic_says_the_lag_and_how_to_name_it() -> None:  # P13
    said = _refusal("P13.txt")

    assert "17,176,098 behind" in said
    assert "Topic: orders" in said


def test_the_table_of_another_tool_below_is_left_out() -> None:  # P21
    reading = _read("P21.txt")

    assert (reading.rows, reading.group.lags.tolist()) == (1, [0])
    assert any("All" in line for _, line in reading.ignored)


def test_offsets_reset_further_down_are_noted() -> None:  # P23
    reading = _read("P23.txt")

    assert reading.group.lags.tolist() == [0, 0, 0]
    assert any(not lacks(note, "30") for note in reading.notes)


def test_a_rebalance_under_way_has_no_owners_and_predicts_those_at_its_end() -> None:  # P33
    reading = _read("P33.txt")
    answer = _answer("P33.txt", "--strategy", "range")

    assert reading.rebalancing is not None
    assert answer["id"] == "BASE_GD"
    assert _numbers(answer["assignment"]) == {
        "rdkafka-9b6c1ffb": [0, 1],
        "rdkafka-fbca5204": [2],
        "rdkafka-fd26f7de": [3],
    }
    assert reading.group.lags.sum() == 35_000


def test_lists_and_logs_without_names_are_refused_each_with_its_reason() -> None:  # P36, Q13
    assert "rhoas kafka consumer-group describe" in _refusal("P36.txt")
    assert "GET /connectors" in _refusal("Q13-log.txt")
    assert _read("Q13-members.txt").kind is GroupKind.CONNECT


def test_a_log_of_one_unnamed_consumer_tells_what_it_has_in_the_end() -> None:  # P38, Q07
    assert not lacks(_refusal("P38.txt"), "stam-1, stam", "4", "stam-7")
    assert not lacks(_refusal("Q07.txt"), "topic-6")


def test_burrows_stop_is_a_rule_about_commits() -> None:  # P32
    assert any("does not say that the consumer has stopped" in n for n in _read("P32.txt").notes)


def test_a_state_alone_says_what_to_add() -> None:  # P39
    reading = _read("P39.txt")

    assert (reading.strategy, reading.state) == ("uniform-kafka-18688", "Stable")
    assert reading.group.member_count == 3
    assert "--group NAME" in reading.lacking


def test_six_consumers_of_three_partitions_stand_on_three_hosts() -> None:  # Q16
    reading = _read("Q16.txt")

    assert (reading.group.member_count, reading.group.partition_count) == (6, 3)
    assert len(set(reading.hosts.values())) == 3


def test_predictions_start_from_the_targets_of_a_broker_side_group() -> None:  # X2
    reading = _read("X2.txt")
    answer = _answer("X2.txt", "--strategy", "uniform-kafka-18688")

    assert reading.rebalancing is not None
    assert [reading.group.partition_name(int(p)) for p in reading.rebalancing.moving] == [
        "orders-2",
        "orders-3",
    ]
    assert list(_numbers(answer["assignment"]).values()) == [[0, 1], [2, 3]]
    assert any("KAFKA-20431" in note for note in reading.notes)
