"""Groups of a server of metrics, as the page lists and opens them."""

import time

import pytest

from assignors.naming import topic_records
from live.access import access_to
from sources.errors import SourceError
from sources.metrics import Metrics, list_groups, metrics_at, read_group
from tests.metrics.stub import Table, prometheus


def table(now: int) -> dict[str, dict[int, float | None]]:
    """Return ten minutes of a group of two partitions that reads 60 records a minute of one."""
    times = [now - 60 * n for n in range(10, -1, -1)]
    of = 'consumergroup="g",topic="t"'
    return {
        f'kafka_consumergroup_current_offset{{{of},partition="0"}}': {
            at: 60 * k for k, at in enumerate(times)
        },
        f'kafka_consumergroup_current_offset{{{of},partition="1"}}': dict.fromkeys(times, 5),
        'kafka_consumergroup_members{consumergroup="g"}': dict.fromkeys(times, 2),
        'kafka_topic_partition_current_offset{topic="t",partition="0"}': {
            at: 1000 + 120 * k for k, at in enumerate(times)
        },
        'kafka_topic_partition_current_offset{topic="t",partition="1"}': dict.fromkeys(times, 9),
    }


@pytest.fixture
def now() -> int:
    """The last full minute."""
    return int(time.time()) // 60 * 60


def test_groups_are_listed_by_name(now: int) -> None:
    with prometheus(table(now)) as url:
        listed = list_groups(Metrics(url))

    assert [group.id for group in listed.groups] == ["g"]


def test_a_group_opens_with_its_past_and_unknown_owners(now: int) -> None:
    with prometheus(table(now)) as url:
        reading = read_group(Metrics(url), "g")

    topic = topic_records(reading.group)["t"]
    assert (topic.end, topic.committed) == ([2200, 9], [600, 5])
    assert reading.group.member_count == 2
    assert reading.group.is_owner_unknown.all()
    assert reading.history is not None
    assert len(reading.history.moments) == 11
    assert reading.history.moments[-1].at_s - reading.history.moments[0].at_s == 600


def test_the_newest_snapshot_alone_is_one_moment(now: int) -> None:
    with prometheus(table(now)) as url:
        reading = read_group(Metrics(url), "g", is_newest_alone=True)

    assert reading.history is not None
    assert [moment.at_s for moment in reading.history.moments] == [now]


def test_a_group_without_samples_is_a_sentence(now: int) -> None:
    with prometheus(table(now - 86_400)) as url, pytest.raises(SourceError, match="no offsets"):
        read_group(Metrics(url), "g")


def test_a_visitor_reaches_listed_servers_alone() -> None:
    metrics = metrics_at("http://10.0.0.1:9090", "", "", access_to(["prom:9090"]))

    with pytest.raises(SourceError, match="may not connect"):
        list_groups(metrics)


def test_a_token_is_sent_and_never_told(now: int) -> None:
    asked: list[dict[str, str]] = []

    with prometheus(table(now), asked) as url:
        metrics = metrics_at(url, "", "canary")
        list_groups(metrics)

    assert {each["authorization"] for each in asked} == {"Bearer canary"}
    assert "canary" not in repr(metrics)


def test_where_owners_are_named_a_partition_without_one_is_nobodys(now: int) -> None:
    of = 'cluster_name="dev",group="g",topic="t"'
    owner = 'consumer_id="c-1-aa",client_id="c-1",member_host="/10.0.0.1"'
    table: Table = {
        f'kafka_consumergroup_group_offset{{{of},partition="0",{owner}}}': {now: 5},
        f'kafka_consumergroup_group_offset{{{of},partition="1"}}': {now: 6},
        'kafka_partition_latest_offset{cluster_name="dev",topic="t",partition="0"}': {now: 8},
        'kafka_partition_latest_offset{cluster_name="dev",topic="t",partition="1"}': {now: 8},
    }

    with prometheus(table) as url:
        reading = read_group(Metrics(url), "g")

    assert reading.group.members == ("c-1-aa",)
    assert reading.group.present_owners.tolist() == [0, -1]
    assert not reading.group.is_owner_unknown.any()
