import datetime as dt
import json

import pytest
from pyspark.sql import Row, SparkSession

from pipeline.reading import with_telemetry

_NOON = dt.datetime(2024, 5, 1, 12)  # noqa: DTZ001 - as Spark hands UTC over

_ROW = {"cluster": "eu", "group_id": "orders", "snapshot_at": "2024-05-01T12:00:00Z",
        "topic": "t", "partition": 3}  # fmt: skip


def line(**changes: object) -> str:
    return json.dumps({**_ROW, **changes}, ensure_ascii=False)


_LONG = "x" * 40_000
_LONGER_THAN_KEPT = "x" * 65_537

_MOMENT = "snapshot_at must be a date and time of the years 2000 to 2099 (ISO 8601, or since 1970)"
_PARTITION = "partition must be a whole number from 0 to 999,999"

REJECTED = {
    # no JSON object
    "garbage": "the line is not one JSON object",
    '{"cluster": "eu", "group_id"': "the line is not one JSON object",
    "[" + line() + "]": "the line is not one JSON object",
    "null": "the line is not one JSON object",
    "7": "the line is not one JSON object",
    "x" * 65_536: "the line is not one JSON object",
    # two rows that a lost line end has glued together, and text after a row
    line() + line(): "the line goes on after its JSON object",
    line() + " x": "the line goes on after its JSON object",
    # wrong types
    line(log_end_offset="abc"): "log_end_offset must be a whole number, found abc",
    line(log_end_offset=1.5): "log_end_offset must be a whole number, found 1.5",
    line(committed_offset=2**63): f"committed_offset must be a whole number, found {2**63}",
    line(committed_offset=[1]): "committed_offset must be a whole number, found [1]",
    line(log_start_offset=True): "log_start_offset must be a whole number, found true",
    line(partition="p"): f"{_PARTITION}, found p",
    line(snapshot_at="soon"): f"{_MOMENT}, found soon",
    line(snapshot_at="now"): f"{_MOMENT}, found now",
    line(snapshot_at="12:30"): f"{_MOMENT}, found 12:30",
    line(snapshot_at="2024-13-01"): f"{_MOMENT}, found 2024-13-01",
    line(snapshot_at=17): f"{_MOMENT}, found 17",
    line(snapshot_at=-1): f"{_MOMENT}, found -1",
    line(snapshot_at=4_102_444_800): f"{_MOMENT}, found 4102444800",
    line(snapshot_at="1970-01-01"): f"{_MOMENT}, found 1970-01-01 00:00:00",
    line(snapshot_at="2100-01-01"): f"{_MOMENT}, found 2100-01-01 00:00:00",
    # missing
    "{}": "cluster is missing",
    line(cluster=None): "cluster is missing",
    line(group_id=""): "group_id is missing",
    line(snapshot_at=None): "snapshot_at is missing",
    line(topic=None): "topic is missing for partition, found 3",
    line(partition=None): "partition is missing for topic, found t",
    line(topic=None, partition=None): "topic, partition and member_id are all missing",
    # impossible
    line(partition=-1): f"{_PARTITION}, found -1",
    line(partition=1_000_000): f"{_PARTITION}, found 1000000",
    line(partition=2_000_000_000): f"{_PARTITION}, found 2000000000",
    line(partition=3_000_000_000): f"{_PARTITION}, found 3000000000",
    line(log_end_offset=-7): "log_end_offset must be 0 or more, found -7",
    line(log_start_offset=9, log_end_offset=8): (
        "log_end_offset must not be below log_start_offset 9, found 8"
    ),
    line(auto_offset_reset="smallest"): (
        "auto_offset_reset must be latest, earliest or none, found smallest"
    ),
    line(member_id=_LONG): f"member_id must be at most 32,767 bytes, found {'x' * 80}…",
    line(rack=_LONG): f"rack must be at most 32,767 bytes, found {'x' * 80}…",
    line(host="ä" * 20_000): f"host must be at most 32,767 bytes, found {'ä' * 80}…",
    line(topic="t" * 250): f"topic must be at most 249 bytes, found {'t' * 80}…",
}

USED: dict[str, tuple[str, object]] = {
    line(log_end_offset="12"): ("log_end_offset", 12),
    line(log_end_offset=12.0): ("log_end_offset", 12),
    line(log_end_offset=" "): ("log_end_offset", None),
    line(log_end_offset=2**63 - 1): ("log_end_offset", 2**63 - 1),
    line(log_end_offset="NaN"): ("log_end_offset", None),
    line(committed_offset=0): ("committed_offset", 0),
    line(committed_offset=-1): ("committed_offset", None),
    line(committed_offset=-1001): ("committed_offset", None),
    line(committed_offset="-1"): ("committed_offset", None),
    line(log_start_offset=8, log_end_offset=8): ("log_end_offset", 8),
    line(partition="7"): ("partition", 7),
    line(partition=999_999): ("partition", 999_999),
    line(member_id=""): ("member_id", None),
    line(member_id="x" * 32_767): ("partition", 3),
    line(topic="t" * 249): ("topic", "t" * 249),
    line(auto_offset_reset="EARLIEST"): ("auto_offset_reset", "earliest"),
    line(auto_offset_reset=""): ("auto_offset_reset", None),
    line(more={"deep": [1]}): ("partition", 3),
    line(host="{}"): ("host", "{}"),
    line() + "  ": ("partition", 3),
    # times: with a zone, without (UTC), and epoch numbers of any unit
    line(snapshot_at="2024-05-01T14:00:00+02:00"): ("snapshot_at", _NOON),
    line(snapshot_at="2024-05-01T14:00:00.000+0200"): ("snapshot_at", _NOON),
    line(snapshot_at="2024-05-01 12:00"): ("snapshot_at", _NOON),
    line(snapshot_at=1714564800): ("snapshot_at", _NOON),
    line(snapshot_at=1714564800.0): ("snapshot_at", _NOON),
    line(snapshot_at=1714564800000.0): ("snapshot_at", _NOON),
    line(snapshot_at="1714564800000"): ("snapshot_at", _NOON),
    line(snapshot_at=1714564800000000): ("snapshot_at", _NOON),
    line(snapshot_at=1714564800000000999): ("snapshot_at", _NOON),
    line(snapshot_at=" 2024-05-01T12:00:00Z"): ("snapshot_at", _NOON),
    line(snapshot_at=946_684_800): ("snapshot_at", _NOON.replace(2000, 1, 1, 0)),
    line(snapshot_at=4_102_444_799): ("snapshot_at", _NOON.replace(2099, 12, 31, 23, 59, 59)),
    # members without partitions
    line(topic=None, partition=None, member_id="m"): ("member_id", "m"),
    line(subscribed_topics=["a", None, "b"]): ("subscribed_topics", ["a", "b"]),
    line(subscribed_topics=[]): ("subscribed_topics", []),
    line(subscribed_topics="a; b|c;"): ("subscribed_topics", ["a", "b", "c"]),
    line(subscribed_topics=' ["a","b",null]'): ("subscribed_topics", ["a", "b"]),
}  # fmt: skip


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> dict[str, Row]:
    """Return every line above as it was read, all in one go."""
    lines = [*REJECTED, *USED, line(), _LONGER_THAN_KEPT]
    frame = spark.createDataFrame([(text, text) for text in lines], "key STRING, value STRING")
    return {row["key"]: row for row in with_telemetry(frame).collect()}


@pytest.mark.parametrize("text", REJECTED, ids=lambda text: text[:60])
def test_a_line_that_cannot_be_used_says_why_and_keeps_its_text(
    rows: dict[str, Row], text: str
) -> None:
    found = rows[text]

    assert (found["fault"], found["raw"]) == (REJECTED[text], text)


@pytest.mark.parametrize("text", USED, ids=lambda text: text[-60:])
def test_a_line_is_used_when_what_it_means_is_clear(rows: dict[str, Row], text: str) -> None:
    name, value = USED[text]

    found = rows[text]

    assert (found["fault"], found["raw"], found[name]) == (None, None, value)


def test_of_a_line_without_end_the_beginning_is_kept(rows: dict[str, Row]) -> None:
    assert rows[_LONGER_THAN_KEPT]["raw"] == "x" * 65_536 + "…"


def test_columns_that_are_not_there_are_unknown(rows: dict[str, Row]) -> None:
    found = rows[line()].asDict()

    known = {name: value for name, value in found.items() if value is not None}
    assert known == {**_ROW, "snapshot_at": _NOON, "key": line()}
