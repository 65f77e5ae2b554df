"""Lines of keys and values, as logs and monitoring systems write them."""

import pytest

from assignors.naming import topic_records
from sources.errors import SourceError
from sources.text import read_text
from tests.pasted import lags, owned, the_group

LINES = {
    "logfmt": 'ts=2026-03-01T10:00:00Z level=info group=depot topic="crates" partition={} lag={}',
    "InfluxDB": "burrow_partition,cluster=c,group=depot,partition={},topic=crates lag={}i 17",
    "InfluxDB, one field": "kafka_lag,group=depot,topic=crates,partition={} gauge={} 1700000000",
    "DogStatsD": "kafka.consumer_lag:{1}|g|#consumer_group:depot,topic:crates,partition:{0}",
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_a_line_states_one_partition(line: str) -> None:
    reading = the_group(f"{line.format(0, 4)}\n{line.format(1, 0)}\n")

    assert (reading.group.id, lags(reading)) == ("depot", {"crates": [4, 0]})
    assert reading.ignored == ()


def test_offsets_and_owners_are_read_where_they_are_stated() -> None:
    line = "topic=crates partition=0 group=depot owner=/10.4.0.1 offset=16 end_offset=20"

    reading = the_group(line)

    assert (lags(reading), owned(reading)) == ({"crates": [4]}, {"/10.4.0.1": ["crates-0"]})
    assert topic_records(reading.group)["crates"].committed == [16]


@pytest.mark.parametrize(
    "line",
    [
        "topic=crates partition=0 lag=4",
        "group=depot topic=crates partition=0 offset=16",
        "group=depot topic=crates partition=x lag=4",
    ],
)
def test_a_line_without_group_or_lag_is_no_partition(line: str) -> None:
    with pytest.raises(SourceError):
        read_text(line)
