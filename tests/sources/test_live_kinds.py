"""Bytes of live members, written here as Streams and Connect write them, and what they tell.

The figures are those of a real cluster of Kafka 4.4.0, read as bytes and decoded there.
"""

import struct
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from uuid import UUID

import pytest

from assignors.certainty import EXACT, Known
from assignors.connect.cluster import ConnectCluster
from assignors.kinds import GroupKind
from assignors.streams.application import RUNNING, StreamsApplication
from assignors.streams.tasks import task_named
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import OtherMembers
from live.member_bytes import streams_order, streams_report, worker_state
from live.model import GroupDescription, GroupReading, LiveMember, LiveTopic
from sources.errors import SourceError
from sources.live_groups import reading_of

P, Q = "52acd0c1-5fc4-41d8-84db-326aa1141cea", "3453e118-5dd9-468e-8e11-64bec9edba22"
REPARTITION = "shop-by-letter-repartition"
THREADS = {
    f"shop-{P}-StreamThread-1-consumer-a": (
        P,
        {"2_1": 184, "2_3": -2, "1_1": -2},
        [
            ("clicks", 3, "2_3"),
            ("customers", 3, "2_3"),
            ("orders", 1, "0_1"),
            ("orders", 5, "0_5"),
            (REPARTITION, 1, "1_1"),
        ],
        ["1_0", "2_2"],
    ),
    f"shop-{Q}-StreamThread-1-consumer-b": (
        Q,
        {"2_0": 239, "1_0": -2, "1_1": 649, "2_2": -2},
        [
            ("clicks", 2, "2_2"),
            ("customers", 2, "2_2"),
            ("orders", 0, "0_0"),
            (REPARTITION, 0, "1_0"),
        ],
        ["1_1", "2_3"],
    ),
}
LEADER, OTHER = "connect-127.0.0.1:28081-ad473b88", "connect-127.0.0.1:28083-a48208c8"


def _text(text: str) -> bytes:
    return struct.pack(">h", len(text.encode())) + text.encode()


def _blob(data: bytes) -> bytes:
    return struct.pack(">i", len(data)) + data


def _task(name: str, version: int) -> bytes:
    task = task_named(name)
    return struct.pack(">ii", *task) + (struct.pack(">i", 0) if version >= 10 else b"")


def _metadata(process: str, sums: dict[str, int], version: int = 11) -> bytes:
    data = struct.pack(">ii", version, version) + UUID(process).bytes + _blob(b"")
    data += struct.pack(">i", len(sums))
    for name, value in sums.items():
        task = task_named(name)
        if version >= 10:
            data += struct.pack(">iiq", *task, value) + struct.pack(">h", -1)
        else:
            data += struct.pack(">iiiq", task.subtopology, 1, task.partition, value)
    if version >= 11:
        data += struct.pack(">bii", 5, 0, 1) + _blob(b"zone") + _blob(b"a")
    return struct.pack(">hi", 3, 1) + _text("orders") + _blob(data)


def _assignment(reads: list[tuple[str, int, str]], copies: list[str], version: int = 11) -> bytes:
    data = struct.pack(">hi", 3, len(reads))
    for topic, number, _ in reads:
        data += _text(topic) + struct.pack(">ii", 1, number)
    inner = struct.pack(">iii", version, version, len(reads))
    inner += b"".join(_task(name, version) for _, _, name in reads)
    inner += struct.pack(">i", len(copies))
    for name in copies:
        inner += (
            _task(name, version) + struct.pack(">i", 1) + _text("orders") + struct.pack(">i", 0)
        )
    return data + _blob(inner)


def _work(assigned: dict[str, list[int]], delay_ms: int = 0) -> bytes:
    data = struct.pack(">hh", 2, 0) + _text(LEADER) + _text("http://a") + struct.pack(">q", 16)
    for listed in (assigned, {}):
        data += struct.pack(">i", len(listed))
        for name, numbers in listed.items():
            data += _text(name) + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers)
    return data + struct.pack(">i", delay_ms)


def _worker(
    name: str, new: dict[str, list[int]], held: dict[str, list[int]], delay_ms: int = 0
) -> LiveMember:
    metadata = struct.pack(">h", 2) + _text("http://a") + struct.pack(">q", 16) + _blob(_work(held))
    return LiveMember(
        id=name, client_id="", host="10.0.0.1", metadata=metadata, assignment=_work(new, delay_ms)
    )


def _topic(name: str, begin: int, ends: tuple[int, ...]) -> LiveTopic:
    return LiveTopic(name, ((),) * len(ends), begin=(begin,) * len(ends), end=ends)


def streams_group(
    version: int = 11, changelogs: Mapping[str, LiveTopic] = MappingProxyType({})
) -> GroupReading:
    members = tuple(
        LiveMember(
            id=name,
            client_id=name.rpartition("-")[0],
            host="10.0.0.1",
            owned=tuple(sorted((topic, number) for topic, number, _ in reads)),
            subscription=tuple(sorted({"orders", "clicks", "customers", REPARTITION})),
            metadata=_metadata(process, sums, version),
            assignment=_assignment(reads, copies, version),
        )
        for name, (process, sums, reads, copies) in THREADS.items()
    )
    sizes = {"orders": 6, "clicks": 4, "customers": 4, REPARTITION: 4}
    return GroupReading(
        description=GroupDescription(
            id="shop", state="Stable", protocol="classic", assignor="stream", members=members
        ),
        topics={
            name: LiveTopic(name, ((),) * size, begin=(0,) * size, end=(9,) * size)
            for name, size in sizes.items()
        },
        committed={},
        changelogs=changelogs,
    )


@pytest.mark.parametrize("version", [9, 10, 11])
def test_a_live_streams_application_tells_processes_tasks_state_and_topology(version: int) -> None:
    reading = reading_of(streams_group(version))

    application = reading.as_kind
    assert reading.kind is GroupKind.STREAMS
    assert isinstance(application, StreamsApplication)
    assert [(s.id, s.sources, s.is_stateful) for s in application.subtopologies] == [
        (0, ["orders"], False),
        (1, [REPARTITION], True),
        (2, ["clicks", "customers"], True),
    ]
    first = next(each for each in application.instances if each.process == P)
    assert [task.name for task in sorted(first.threads[0].owned)] == ["0_1", "0_5", "1_1", "2_3"]
    assert first.threads[0].offset_sums[task_named("2_1")] == 184
    assert first.threads[0].offset_sums[task_named("1_1")] == RUNNING
    assert application.settings.standbys == 1
    assert (
        first.threads[0].offset_sums[task_named("1_0")]
        == application.end_offsets[task_named("1_0")]
    )
    assert first.tags == ({"zone": "a"} if version == 11 else {})
    assert forecast(application, OtherMembers(without=(Q,))).certainty.known is Known.COUNTS_ONLY


COUNTS = _topic("shop-counts-changelog", 100, (1_100, 2_100, 3_100, 4_100))
JOINED = _topic("shop-customers-store-changelog", 0, (50_000, 60_000, 70_000, 80_000))


def test_an_end_belongs_where_the_repartition_topic_of_its_name_is_read() -> None:
    whole = streams_group()
    topics = {name: each for name, each in whole.topics.items() if name != "clicks"}
    topics |= {"clicks": _topic("clicks", 0, (9,) * 5)}  # so that 2 has five tasks, 1 has four
    by_letter, other = _topic("", 0, (1_000,) * 4), _topic("", 0, (7_000,) * 5)
    changelogs = {"by-letter": by_letter, "any": other}

    application = reading_of(replace(whole, topics=topics, changelogs=changelogs)).as_kind

    assert isinstance(application, StreamsApplication)
    assert application.is_as_reported
    assert application.end_offsets[task_named("1_3")] == 1_000
    assert application.end_offsets[task_named("2_4")] == 7_000


def test_without_every_end_state_elsewhere_is_taken_for_far_behind() -> None:
    unknown = LiveTopic("", ((),) * 4, begin=(0,) * 4, end=(5, 5, 5, None))

    for changelogs in ({"by-letter": COUNTS}, {"by-letter": unknown}):
        application = reading_of(streams_group(changelogs=changelogs)).as_kind

        assert isinstance(application, StreamsApplication)
        assert not application.knows_offsets
        assert application.restores == {}


@pytest.mark.parametrize("data", [b"", b"\0\1", b"\0\3\0\0\0\0\0\0\0\0", b"\xff" * 40])
def test_other_bytes_tell_nothing(data: bytes) -> None:
    assert streams_report(data) is None
    assert streams_order(data) is None
    assert worker_state(data, data) is None


def _workers(*members: LiveMember) -> GroupReading:
    return GroupReading(
        description=GroupDescription(
            id="connect-cluster", state="Stable", protocol="connect", assignor="sessioned",
            members=members,
        ),
        topics={},
        committed={},
    )  # fmt: skip


def test_live_workers_hold_their_work_in_the_order_of_reports_and_are_predicted_exactly() -> None:
    reading = reading_of(
        _workers(
            _worker(LEADER, {"sink": [-1], "clicks": [0]}, {"numbers": [-1], "sink": [0, 1, 3]}),
            _worker(OTHER, {"clicks": [1]}, {"clicks": [-1], "numbers": [0, 1], "sink": [2]}),
        )
    )

    cluster = reading.as_kind
    assert isinstance(cluster, ConnectCluster)
    assert cluster.configured == {"clicks": 2, "numbers": 2, "sink": 4}
    assert [each.name for each in cluster.workers[0].holds] == [
        "sink", "numbers", "sink-0", "sink-1", "sink-3", "clicks-0",
    ]  # fmt: skip
    assert reading.group.named(reading.group.present_owners)[OTHER] == (
        "clicks-1", "numbers-0", "numbers-1", "sink-2",
    )  # fmt: skip
    found = forecast(cluster)
    assert (found.certainty, found.then) == (EXACT, found.now)


def test_workers_that_wait_for_a_lost_one_are_sent_to_rest() -> None:
    with pytest.raises(SourceError, match="GET /connectors"):
        reading_of(_workers(_worker(LEADER, {}, {"sink": [0]}, delay_ms=20_000)))
