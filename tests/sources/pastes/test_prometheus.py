"""Metrics of lag exporters, as text and as Prometheus' HTTP API returns them."""
# ruff: noqa: E501 -- pastes keep the width of the tool that printed them

import json
import math

import pytest

from assignors.naming import topic_records
from evaluation.answering.compose import answer_of
from evaluation.answering.given import known_of
from evaluation.answering.words import words_of
from sources.asking import given_of
from sources.group_json import decode, encode
from sources.text import read_text
from tests.pasted import lags, owned, the_group

NOTE_ON_SUM = (
    "Line 1: the lag is a sum over all partitions of the topic; it is read as partition 0."
)
LAG_EXPORTER = """\
# HELP kafka_consumergroup_group_lag Group offset lag of a partition
# TYPE kafka_consumergroup_group_lag gauge
kafka_consumergroup_group_lag{cluster_name="dev",group="loader",topic="rows",partition="0",member_host="/10.5.0.1",consumer_id="load-1-aa",client_id="load-1",} 12.0
kafka_consumergroup_group_lag{cluster_name="dev",group="loader",topic="rows",partition="1",member_host="/10.5.0.2",consumer_id="load-2-bb",client_id="load-2",} NaN
kafka_consumergroup_group_lag{cluster_name="dev", group="loader", topic="rows", partition="2", member_host="unknown", consumer_id="unknown", client_id="unknown"} 1.5e+06
kafka_consumergroup_group_offset{cluster_name="dev",group="loader",topic="rows",partition="0",member_host="/10.5.0.1",consumer_id="load-1-aa",client_id="load-1",} 88.0
kafka_partition_latest_offset{cluster_name="dev",topic="rows",partition="0",} 100.0
kafka_partition_earliest_offset{cluster_name="dev",topic="rows",partition="0",} 3.0
"""
KMINION = """\
kminion_kafka_consumer_group_members{group_id="loader"} 3
kminion_kafka_consumer_group_empty_members{group_id="loader"} 2
kminion_kafka_consumer_group_topic_partition_lag{group_id="loader",partition_id="1",topic_name="rows"} 41
kminion_kafka_consumer_group_topic_lag{group_id="loader",topic_name="rows"} 41
"""
KAFKA_EXPORTER = """\
kafka_consumergroup_current_offset{consumergroup="loader",partition="0",topic="rows"} -1
kafka_consumergroup_lag{consumergroup="loader",partition="0",topic="rows"} 7
kafka_consumergroup_lag{consumergroup="loader",partition="1",topic="rows"} -2
kafka_consumergroup_lag_sum{consumergroup="loader",topic="rows"} 5
kafka_consumergroup_members{consumergroup="loader"} 2
"""


def test_kafka_lag_exporter_names_owners_and_unknown_ones_are_none() -> None:
    reading = the_group(LAG_EXPORTER)

    assert reading.format == "Prometheus text (kafka-lag-exporter)"
    assert owned(reading) == {"load-1-aa": ["rows-0"], "load-2-bb": ["rows-1"]}
    assert (reading.rows, reading.ignored) == (3, ())


def test_values_are_numbers_of_any_spelling_and_nan_is_unknown() -> None:
    assert lags(the_group(LAG_EXPORTER)) == {"rows": [12, None, 1_500_000]}


def test_offsets_of_other_metrics_join_the_lag() -> None:
    topic = topic_records(the_group(LAG_EXPORTER).group)["rows"]

    assert (topic.begin, topic.committed, topic.end) == (
        [3, None, None],
        [88, None, None],
        [100, None, None],
    )


def test_kminion_counts_members() -> None:
    reading = the_group(KMINION)

    assert reading.format == "Prometheus text (kminion)"
    assert list(owned(reading)) == ["member-1", "member-2", "member-3"]
    assert reading.rows == 1


def test_kminions_information_on_a_group_tells_its_strategy_and_its_size() -> None:
    text = (
        'kminion_kafka_consumer_group_info{coordinator_id="0",group_id="loader",member_count="2",'
        'protocol="range",protocol_type="consumer",state="Stable"} 1\n'
        'kminion_kafka_consumer_group_topic_partition_lag{group_id="loader",partition_id="0",'
        'topic_name="rows"} 3\n'
    )

    reading = the_group(text)

    assert (reading.strategy, reading.group.member_count) == ("range", 2)
    assert reading.ignored == ()


def test_a_sum_beside_its_partitions_is_listed_as_ignored() -> None:
    reading = the_group(KMINION)

    assert lags(reading) == {"rows": [None, 41]}
    assert [number for number, _ in reading.ignored] == [4]


def test_kafka_exporter_gives_no_owners_and_keeps_negative_lag() -> None:
    reading = the_group(KAFKA_EXPORTER)

    assert reading.format == "Prometheus text (kafka_exporter)"
    assert lags(reading) == {"rows": [7, -2]}
    assert topic_records(reading.group)["rows"].committed is None
    assert list(owned(reading)) == ["member-1", "member-2"]


def test_a_sum_alone_is_read_as_partition_0_with_a_note() -> None:
    reading = the_group('kafka_consumergroup_lag_sum{consumergroup="loader",topic="rows"} 5\n')

    assert lags(reading) == {"rows": [5]}
    assert reading.notes == (NOTE_ON_SUM,)


@pytest.mark.parametrize(
    "line",
    [
        'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0"} 3 1700000000000',
        '  kafka_consumergroup_lag{ consumergroup="g" , topic="t" , partition="0" }   3',
        '[kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0"} | 3]',
        'kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0"} => 3 @[1700000000]',
        '{consumergroup="g", topic="t", partition="0"}  3',
        'kafka_burrow_partition_lag{cluster="c",group="g",topic="t",partition="0"} 3',
        'kafka-1 | kafka_consumergroup_lag{consumergroup="g",topic="t",partition="0",note="a } b, \\"c\\""} 3',
    ],
)
def test_a_metric_is_read_however_it_was_copied(line: str) -> None:
    reading = the_group(line)

    assert (reading.group.id, lags(reading)) == ("g", {"t": [3]})


def test_groups_are_distinguished_by_their_label() -> None:
    found = read_text(KAFKA_EXPORTER + KAFKA_EXPORTER.replace("loader", "mailer"))

    assert [(reading.group.id, reading.rows) for reading in found] == [("loader", 2), ("mailer", 2)]


def test_a_metric_of_lag_without_a_readable_value_is_noted() -> None:
    text = KAFKA_EXPORTER + 'kafka_consumergroup_lag{consumergroup="loader",topic="rows"} > 5\n'

    reading = the_group(text)

    assert reading.ignored[-1][0] == 6
    assert "Line 6 looks like a lag metric but could not be read." in reading.notes


def _series(value: object, **labels: str) -> dict[str, object]:
    key = "values" if isinstance(value, list) and isinstance(value[0], list) else "value"
    return {"metric": {"__name__": "kafka_consumergroup_lag", **labels}, key: value}


RESULTS = [
    _series([1700000000, "150"], consumergroup="loader", topic="rows", partition="0"),
    _series([1700000000.5, "NaN"], consumergroup="loader", topic="rows", partition="1"),
]
ANSWER = {"status": "success", "data": {"resultType": "vector", "result": RESULTS}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ANSWER),
        json.dumps(ANSWER, indent=2),
        json.dumps(RESULTS),
        json.dumps(ANSWER)[:-3],
        "\n".join(json.dumps(result) for result in RESULTS),
    ],
)
def test_values_in_json_are_texts_and_nan_is_unknown(text: str) -> None:
    reading = the_group(text)

    assert reading.format == "Prometheus HTTP JSON"
    assert lags(reading) == {"rows": [150, None]}


@pytest.mark.parametrize("time", ["true", "1e400", "-5", "null", '"10"', "9" * 30])
def test_a_time_that_is_none_of_a_range_is_not_known(time: str) -> None:
    labels = '{"consumergroup": "g", "topic": "t", "partition": "0"}'

    (reading,) = read_text(
        f'{{"data": {{"result": [{{"metric": {labels}, "values": [[{time}, "5"], [7, "6"]]}}]}}}}'
    )

    assert reading.history is not None
    assert all(math.isnan(moment.at_s) for moment in reading.history.moments)


def test_of_a_range_the_last_value_counts() -> None:
    series = _series(
        [[1700000000, "9"], [1700000060, "4"]], consumergroup="g", topic="t", partition="0"
    )

    assert lags(the_group(json.dumps([series]))) == {"t": [4]}


def test_a_query_that_summed_partitions_away_is_read_as_partition_0() -> None:
    series = _series([1700000000, "150"], consumergroup="g", topic="t")

    reading = the_group(json.dumps([series]))

    assert (lags(reading), reading.rows) == ({"t": [150]}, 1)
    assert reading.notes == (NOTE_ON_SUM,)


OTHERS = {
    "OpenTelemetry": """\
kafka_consumer_group_lag{group="loader",topic="rows",partition="0"} 12
kafka_consumer_group_offset{group="loader",topic="rows",partition="0"} 88
kafka_partition_current_offset{topic="rows",partition="0"} 100
""",
    "Burrow": """\
burrow_kafka_consumer_partition_lag{consumer_group="loader",topic="rows",partition="0"} 12
burrow_kafka_consumer_current_offset{consumer_group="loader",topic="rows",partition="0"} 88
burrow_kafka_topic_partition_offset{topic="rows",partition="0"} 100
""",
    "Redpanda": """\
redpanda_kafka_consumer_group_committed_offset{redpanda_group="loader",redpanda_topic="rows",redpanda_partition="0"} 88
redpanda_kafka_max_offset{redpanda_namespace="kafka",redpanda_topic="rows",redpanda_partition="0"} 100
""",
}


@pytest.mark.parametrize("exporter", OTHERS)
def test_every_exporter_has_its_own_names_for_the_same_figures(exporter: str) -> None:
    reading = the_group(OTHERS[exporter])
    topic = topic_records(reading.group)["rows"]

    assert (reading.group.id, reading.format) == ("loader", f"Prometheus text ({exporter})")
    assert (topic.lags, topic.committed, topic.end) == ([12], [88], [100])
    assert reading.ignored == ()


@pytest.mark.parametrize(
    "line",
    [
        'confluent_kafka_server_consumer_lag_offsets{consumer_group_id="loader",topic="rows",partition="0"} 12.0',
        'kafka_consumer_group_ConsumerLagMetrics_Value{groupId="loader",name="OffsetLag",topic="rows",partition="0"} 12.0',
    ],
)
def test_services_of_cloud_providers_measure_lag_alone(line: str) -> None:
    others = line.replace('"OffsetLag"', '"MaxOffsetLag"').replace("12.0", "99.0")
    reading = the_group(f"{line}\n{others}" if others.count("Max") else line)

    assert (reading.group.id, lags(reading)) == ("loader", {"rows": [12]})


def test_consumers_that_measure_themselves_own_what_they_measure() -> None:
    metric = 'kafka_consumer_fetch_manager_records_lag{{client_id="load-{0}",partition="{0}",topic="rows",}} {1}'
    reading = the_group("\n".join(metric.format(n, lag) for n, lag in enumerate(["4.0", "NaN"])))

    assert lags(reading) == {"rows": [4, None]}
    assert owned(reading) == {"load-0": ["rows-0"], "load-1": ["rows-1"]}
    assert reading.group.id == ""


def _datadog(partition: int, *points: list[float], key: str = "points") -> dict[str, object]:
    return {
        "metric": "kafka.consumer_lag",
        "tags": ["consumer_group:loader", f"partition:{partition}", "topic:rows"],
        key: list(points),
    }


@pytest.mark.parametrize("key", ["points", "pointlist"])
def test_datadog_has_labels_as_tags(key: str) -> None:
    parts = [_datadog(0, [1700000000, 4.0], key=key), _datadog(1, [1700000000, 0.0], key=key)]

    reading = the_group(json.dumps({"series": parts}))

    assert (reading.format, reading.group.id) == ("Datadog JSON", "loader")
    assert lags(reading) == {"rows": [4, 0]}


def test_datadogs_times_are_milliseconds() -> None:
    points = [[1700000000000.0, 9.0], [1700000060000.0, 4.0]]

    reading = the_group(json.dumps(_datadog(0, *points, key="pointlist")))

    assert lags(reading) == {"rows": [4]}
    assert reading.history is not None
    assert [moment.at_s for moment in reading.history.moments] == [1700000000, 1700000060]


def test_groups_of_one_name_in_several_clusters_stay_apart() -> None:
    line = 'kafka_consumergroup_lag{{cluster="{}",consumergroup="loader",topic="rows",partition="0"}} {}\n'

    east, west = read_text(line.format("east", 4) + line.format("west", 7))

    assert (lags(east), lags(west)) == ({"rows": [4]}, {"rows": [7]})
    assert [each.name for each in (east, west)] == ["loader (east)", "loader (west)"]
    assert [each.notes[0] for each in (east, west)] == [
        "This group is of the cluster 'east'.",
        "This group is of the cluster 'west'.",
    ]


GRAFANA_CSV = """\
"Time","{consumergroup=""loader"", partition=""0"", topic=""rows""}","{consumergroup=""loader"", partition=""1"", topic=""rows""}"
2026-03-01 10:00:00,9,2
2026-03-01 10:00:15,4,0
"""


def test_a_column_of_grafanas_is_a_series() -> None:
    reading = the_group(GRAFANA_CSV)

    assert (reading.group.id, lags(reading)) == ("loader", {"rows": [4, 0]})
    assert reading.ignored == ()


@pytest.mark.parametrize("value", ["1e12", "1e13", "5000000000000000000", "+Inf"])
def test_whatever_an_exporter_tells_can_be_saved_and_opened(value: str) -> None:
    of = 'group="g",topic="t",partition="0"} '
    names = ("kafka_consumergroup_group_lag{", "kafka_consumergroup_group_lag_seconds{")
    times = (1_795_773_600_000, 1_795_773_660_000)
    reading = the_group("".join(f"{name}{of}{value} {t}\n" for t in times for name in names))

    saved = decode(encode(reading))

    assert lags(saved) == lags(reading)


def _with_ages() -> str:
    owner = 'member_host="/10.5.0.1",consumer_id="load-1-aa",client_id="load-1"'
    of = f'{{group="loader",topic="rows",partition="%d",{owner}}}'
    return "".join(
        f"kafka_consumergroup_group_lag{of % p} {lag}\n"
        f"kafka_consumergroup_group_lag_seconds{of % p} {seconds}\n"
        f'kafka_partition_latest_offset{{topic="rows",partition="{p}"}} 1000\n'
        for p, (lag, seconds) in enumerate([(0, 0), (300, 21_600), (5, "NaN")])
    )


@pytest.mark.parametrize("repeats", [1, 2])
def test_the_time_lags_of_an_exporter_are_read(repeats: int) -> None:
    reading = the_group(_with_ages() * repeats)

    told = "2 snapshots of the group with the same offsets: they count as one."
    assert (told in reading.notes) == (repeats == 2)
    assert reading.history is not None
    (moment,) = reading.history.moments
    assert moment.age_s is not None
    assert moment.age_s["rows"].tolist()[:2] == [0, 21_600]
    assert math.isnan(moment.age_s["rows"][2])
    assert reading.ignored == ()
    assert known_of(given_of(reading)).times.age_s[1] == 21_600
    assert the_group(LAG_EXPORTER).history is None


def test_what_was_deleted_unread_follows_from_water_marks_and_lag() -> None:
    of = '{partition_id="%d",topic_name="rows"}'
    text = "".join(
        f'kminion_kafka_consumer_group_topic_partition_lag{{group_id="loader",{(of % p)[1:]} {lag}\n'
        f"kminion_kafka_topic_partition_high_water_mark{of % p} {high}\n"
        f"kminion_kafka_topic_partition_low_water_mark{of % p} {low}\n"
        for p, (lag, high, low) in enumerate([(0, 1_000, 0), (50_000, 150_000, 120_000)])
    )

    reading = the_group(text)

    assert known_of(given_of(reading)).facts.lost[1] == 20_000
    assert lags(reading) == {"rows": [0, 30_000]}


def test_a_lag_that_grows_is_named_where_no_offsets_tell_rates() -> None:
    series = [
        {
            "metric": {
                "__name__": "kafka_consumergroup_lag",
                "consumergroup": "loader",
                "topic": "rows",
                "partition": str(p),
            },
            "values": [[1_795_773_600 + 60 * k, str(100 + k * by)] for k in range(4)],
        }
        for p, by in enumerate((6_000, 0))
    ]
    text = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}})

    reading = the_group(text)
    saved = decode(encode(reading))

    for each in (reading, saved):
        found = answer_of(given_of(each))
        assert found.verdict.figures.growth_per_s == 100
        evidence = words_of(found).evidence
        assert "rows-0 grew by 100/s" in evidence
        assert "rows-1" not in evidence
