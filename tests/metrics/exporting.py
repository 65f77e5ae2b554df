"""Telemetry as the exporters of a cluster would have told it, as samples and as OpenMetrics."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

Row = Mapping[str, Any]


class Told(NamedTuple):
    """One sample of an exporter."""

    metric: str
    labels: tuple[tuple[str, str], ...]
    at_s: int
    value: int | float

    @property
    def series(self) -> str:
        """The sample's series, as Prometheus writes it."""
        return (
            f"{self.metric}{{{','.join(f'{name}={_quoted(text)}' for name, text in self.labels)}}}"
        )


_OWNER: Final = {"consumer_id": "member_id", "client_id": "client_id", "member_host": "host"}


def kafka_exporter(rows: Iterable[Row]) -> Iterator[Told]:
    """Yield what kafka_exporter tells: -1 where nothing is committed, and counts of members."""
    members: dict[tuple[str, str, int], set[str]] = {}
    for row in rows:
        at_s, cluster = int(row["snapshot_at"].timestamp()), ("cluster", row["cluster"])
        group = ("consumergroup", row["group_id"])
        own = members.setdefault((row["cluster"], row["group_id"], at_s), set())
        if row["member_id"] is not None:
            own.add(row["member_id"])
        if row["topic"] is None:
            continue
        place = (("topic", row["topic"]), ("partition", str(row["partition"])))
        committed = -1 if row["committed_offset"] is None else row["committed_offset"]
        labels = (cluster, group, *place)
        yield Told("kafka_consumergroup_current_offset", labels, at_s, committed)
        for metric, column in (
            ("kafka_topic_partition_current_offset", "log_end_offset"),
            ("kafka_topic_partition_oldest_offset", "log_start_offset"),
        ):
            if row[column] is not None:
                yield Told(metric, (cluster, *place), at_s, row[column])
    for (cluster_name, group_id, at_s), ids in members.items():
        counted = (("cluster", cluster_name), ("consumergroup", group_id))
        yield Told("kafka_consumergroup_members", counted, at_s, len(ids))


def lag_exporter(rows: Iterable[Row]) -> Iterator[Told]:
    """Yield what kafka-lag-exporter tells, with owners; where nothing is committed, nothing."""
    for row in rows:
        if row["topic"] is None:
            continue
        at_s, cluster = int(row["snapshot_at"].timestamp()), ("cluster_name", row["cluster"])
        place = (("topic", row["topic"]), ("partition", str(row["partition"])))
        if row["committed_offset"] is not None:
            owner = [(name, row[column]) for name, column in _OWNER.items() if row[column]]
            labels = (cluster, ("group", row["group_id"]), *place, *owner)
            yield Told("kafka_consumergroup_group_offset", labels, at_s, row["committed_offset"])
        for metric, column in (
            ("kafka_partition_latest_offset", "log_end_offset"),
            ("kafka_partition_earliest_offset", "log_start_offset"),
        ):
            if row[column] is not None:
                yield Told(metric, (cluster, *place), at_s, row[column])


def openmetrics(told: Iterable[Told]) -> Iterator[str]:
    """Yield the lines of a file for ``promtool tsdb create-blocks-from openmetrics``."""
    kept = {(each.series, each.at_s): each for each in told}
    before = ""
    for (series, at_s), each in sorted(kept.items(), key=lambda item: (item[1].metric, item[0])):
        if each.metric != before:
            yield f"# TYPE {each.metric} gauge\n"
            before = each.metric
        yield f"{series} {each.value} {at_s}\n"
    yield "# EOF\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
