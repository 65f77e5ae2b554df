"""The metrics of consumer group exporters, by meaning."""

from enum import Enum, auto
from typing import Final


class Figure(Enum):
    """The meaning of a metric."""

    LAG = auto()
    COMMITTED = auto()
    BEGIN = auto()
    END = auto()
    MEMBERS = auto()
    INFO = auto()
    EMPTY_MEMBERS = auto()


_EXPORTERS: Final[dict[str, dict[Figure, str]]] = {
    "kafka-lag-exporter": {
        Figure.LAG: "kafka_consumergroup_group_lag kafka_consumergroup_group_topic_sum_lag",
        Figure.COMMITTED: "kafka_consumergroup_group_offset",
        Figure.END: "kafka_partition_latest_offset",
        Figure.BEGIN: "kafka_partition_earliest_offset",
    },
    "kminion": {
        Figure.LAG: "kminion_kafka_consumer_group_topic_partition_lag "
        "kminion_kafka_consumer_group_topic_lag",
        Figure.END: "kminion_kafka_topic_partition_high_water_mark",
        Figure.BEGIN: "kminion_kafka_topic_partition_low_water_mark",
        Figure.INFO: "kminion_kafka_consumer_group_info",
        Figure.MEMBERS: "kminion_kafka_consumer_group_members",
        Figure.EMPTY_MEMBERS: "kminion_kafka_consumer_group_empty_members",
    },
    "kafka_exporter": {
        Figure.LAG: "kafka_consumergroup_lag kafka_consumergroup_lag_sum",
        Figure.COMMITTED: "kafka_consumergroup_current_offset",
        Figure.END: "kafka_topic_partition_current_offset",
        Figure.BEGIN: "kafka_topic_partition_oldest_offset",
        Figure.MEMBERS: "kafka_consumergroup_members",
    },
    "OpenTelemetry": {
        Figure.LAG: "kafka_consumer_group_lag kafka_consumer_group_lag_sum",
        Figure.COMMITTED: "kafka_consumer_group_offset",
        Figure.END: "kafka_partition_current_offset",
        Figure.BEGIN: "kafka_partition_oldest_offset",
        Figure.MEMBERS: "kafka_consumer_group_members",
    },
    "burrow_exporter": {
        Figure.LAG: "burrow_kafka_consumer_partition_lag kafka_burrow_partition_lag",
        Figure.COMMITTED: "burrow_kafka_consumer_current_offset "
        "kafka_burrow_partition_current_offset",
        Figure.END: "burrow_kafka_topic_partition_offset kafka_burrow_topic_partition_offset",
    },
    "Redpanda": {
        Figure.LAG: "redpanda_kafka_consumer_group_lag_sum",
        Figure.COMMITTED: "redpanda_kafka_consumer_group_committed_offset",
        Figure.END: "redpanda_kafka_max_offset",
        Figure.MEMBERS: "redpanda_kafka_consumer_group_consumers",
    },
    "Datadog": {
        Figure.LAG: "kafka.consumer_lag",
        Figure.COMMITTED: "kafka.consumer_offset",
        Figure.END: "kafka.broker_offset",
    },
    "Confluent Cloud": {Figure.LAG: "confluent_kafka_server_consumer_lag_offsets"},
    "Amazon MSK": {Figure.LAG: "OffsetLag SumOffsetLag"},
}
METRICS: Final = {
    metric: (figure, exporter)
    for exporter, figures in _EXPORTERS.items()
    for figure, metrics in figures.items()
    for metric in metrics.split()
}
"""The meaning of each metric, and its exporter."""
