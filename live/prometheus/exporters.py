"""The exporters of consumer groups' offsets: the metrics of each, what they mean, their labels.

Names and labels are those of each exporter's own source: kafka_exporter (danielqsj), kminion
(Redpanda), klag (themoah), kafka-lag-exporter (seglo, archived) and klag-exporter (softwaremill),
which kept its names, Burrow's own endpoint, and the exporters for Burrow (jirwin, shamil).
"""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple


class Meaning(Enum):
    """The meaning of a metric."""

    LAG = auto()
    AGE = auto()
    """Seconds since the next record to be read was written."""
    COMMITTED = auto()
    BEGIN = auto()
    END = auto()
    MEMBERS = auto()
    INFO = auto()
    EMPTY_MEMBERS = auto()


_OF_SPANS: Final = (Meaning.END, Meaning.BEGIN, Meaning.COMMITTED, Meaning.LAG, Meaning.MEMBERS)
"""What ``live.prometheus.spans`` makes groups of; series of other meanings are not asked for."""
CLUSTER_LABELS: Final = (
    *("cluster", "cluster_name", "kafka_cluster", "cluster_id", "kafka_cluster_id"),
    "strimzi_io_cluster",
)
"""Labels that tell clusters apart, the first that a series has; several exporters set none."""
_SUMS: Final = ("_lag_sum", "_sum_lag", "_topic_lag")


class Labels(NamedTuple):
    """The names of an exporter's labels."""

    group: str = "group"
    topic: str = "topic"
    partition: str = "partition"
    member: str = "consumer_id"
    client: str = "client_id"
    host: str = "member_host"
    """The last three are on series of groups, where the exporter tells owners at all."""


class Exporter(NamedTuple):
    """One exporter."""

    name: str
    metrics: Mapping[Meaning, tuple[str, ...]]
    labels: Labels = Labels()
    has_owners: bool = False
    """Whether its series name the owner of each partition."""

    def of_partitions(self, meaning: Meaning) -> tuple[str, ...]:
        """Return the metrics of this meaning without sums over a topic.

        >>> EXPORTERS[0].of_partitions(Meaning.LAG)
        ('kafka_consumergroup_group_lag',)
        """
        names = self.metrics.get(meaning, ())
        return tuple(name for name in names if not name.endswith(_SUMS))

    @property
    def tells_offsets(self) -> bool:
        """Whether end offsets, and committed ones or lags, are among its metrics."""
        has_reads = Meaning.COMMITTED in self.metrics or Meaning.LAG in self.metrics
        return Meaning.END in self.metrics and has_reads


EXPORTERS: Final = (
    Exporter(
        "kafka-lag-exporter",
        {
            Meaning.LAG: (
                "kafka_consumergroup_group_lag",
                "kafka_consumergroup_group_topic_sum_lag",
            ),
            Meaning.AGE: ("kafka_consumergroup_group_lag_seconds",),
            Meaning.COMMITTED: ("kafka_consumergroup_group_offset",),
            Meaning.END: ("kafka_partition_latest_offset",),
            Meaning.BEGIN: ("kafka_partition_earliest_offset",),
        },
        has_owners=True,
    ),
    Exporter(
        "klag",
        {
            Meaning.LAG: ("klag_consumer_lag", "klag_consumer_lag_sum"),
            Meaning.COMMITTED: ("klag_consumer_committed_offset",),
            Meaning.END: ("klag_partition_log_end_offset",),
            Meaning.BEGIN: ("klag_partition_log_start_offset",),
        },
        Labels(group="consumer_group"),
        has_owners=True,
    ),
    Exporter(
        "kminion",
        {
            Meaning.LAG: (
                "kminion_kafka_consumer_group_topic_partition_lag",
                "kminion_kafka_consumer_group_topic_lag",
            ),
            Meaning.END: ("kminion_kafka_topic_partition_high_water_mark",),
            Meaning.BEGIN: ("kminion_kafka_topic_partition_low_water_mark",),
            Meaning.INFO: ("kminion_kafka_consumer_group_info",),
            Meaning.MEMBERS: ("kminion_kafka_consumer_group_members",),
            Meaning.EMPTY_MEMBERS: ("kminion_kafka_consumer_group_empty_members",),
        },
        Labels(group="group_id", topic="topic_name", partition="partition_id"),
    ),
    Exporter(
        "kafka_exporter",
        {
            Meaning.LAG: ("kafka_consumergroup_lag", "kafka_consumergroup_lag_sum"),
            Meaning.COMMITTED: ("kafka_consumergroup_current_offset",),
            Meaning.END: ("kafka_topic_partition_current_offset",),
            Meaning.BEGIN: ("kafka_topic_partition_oldest_offset",),
            Meaning.MEMBERS: ("kafka_consumergroup_members",),
        },
        Labels(group="consumergroup"),
    ),
    Exporter(
        "OpenTelemetry",
        {
            Meaning.LAG: ("kafka_consumer_group_lag", "kafka_consumer_group_lag_sum"),
            Meaning.COMMITTED: ("kafka_consumer_group_offset",),
            Meaning.END: ("kafka_partition_current_offset",),
            Meaning.BEGIN: ("kafka_partition_oldest_offset",),
            Meaning.MEMBERS: ("kafka_consumer_group_members",),
        },
    ),
    Exporter(
        "Burrow",
        {
            Meaning.LAG: ("burrow_kafka_consumer_partition_lag",),
            Meaning.COMMITTED: ("burrow_kafka_consumer_current_offset",),
            Meaning.END: ("burrow_kafka_topic_partition_offset",),
        },
        Labels(group="consumer_group"),
    ),
    Exporter(
        "burrow_exporter",
        {
            Meaning.LAG: ("kafka_burrow_partition_lag",),
            Meaning.COMMITTED: ("kafka_burrow_partition_current_offset",),
            Meaning.END: ("kafka_burrow_topic_partition_offset",),
        },
    ),
    Exporter(
        "Redpanda",
        {
            Meaning.LAG: ("redpanda_kafka_consumer_group_lag_sum",),
            Meaning.COMMITTED: ("redpanda_kafka_consumer_group_committed_offset",),
            Meaning.END: ("redpanda_kafka_max_offset",),
            Meaning.MEMBERS: ("redpanda_kafka_consumer_group_consumers",),
        },
        Labels("redpanda_group", "redpanda_topic", "redpanda_partition"),
    ),
    Exporter(
        "Datadog",
        {
            Meaning.LAG: ("kafka.consumer_lag",),
            Meaning.COMMITTED: ("kafka.consumer_offset",),
            Meaning.END: ("kafka.broker_offset",),
        },
    ),
    Exporter("Confluent Cloud", {Meaning.LAG: ("confluent_kafka_server_consumer_lag_offsets",)}),
    Exporter("Amazon MSK", {Meaning.LAG: ("OffsetLag", "SumOffsetLag")}),
)
METRICS: Final = {
    metric: (meaning, exporter.name)
    for exporter in EXPORTERS
    for meaning, metrics in exporter.metrics.items()
    for metric in metrics
}
"""The meaning of each metric, and its exporter."""


def meanings_of(exporters: Sequence[Exporter]) -> dict[str, tuple[Exporter, Meaning]]:
    """Return of each metric that groups are made of whose it is, and what it means."""
    return {
        name: (exporter, meaning)
        for exporter in exporters
        if exporter.tells_offsets
        for meaning in _OF_SPANS
        for name in exporter.of_partitions(meaning)
    }
