"""The metrics of consumer group exporters, by meaning."""

from enum import Enum, auto
from typing import Final


class Meaning(Enum):
    """The meaning of a metric."""

    LAG = auto()
    COMMITTED = auto()
    BEGIN = auto()
    END = auto()
    MEMBERS = auto()
    INFO = auto()
    EMPTY_MEMBERS = auto()


_EXPORTERS: Final[dict[str, dict[Meaning, str]]] = {
    "kafka-lag-exporter": {
        Meaning.LAG: "kafka_consumergroup_group_lag kafka_consumergroup_group_topic_sum_lag",
        Meaning.COMMITTED: "kafka_consumergroup_group_offset",
        Meaning.END: "kafka_partition_latest_offset",
        Meaning.BEGIN: "kafka_partition_earliest_offset",
    },
    "kminion": {
        Meaning.LAG: "kminion_kafka_consumer_group_topic_partition_lag "
        "kminion_kafka_consumer_group_topic_lag",
        Meaning.END: "kminion_kafka_topic_partition_high_water_mark",
        Meaning.BEGIN: "kminion_kafka_topic_partition_low_water_mark",
        Meaning.INFO: "kminion_kafka_consumer_group_info",
        Meaning.MEMBERS: "kminion_kafka_consumer_group_members",
        Meaning.EMPTY_MEMBERS: "kminion_kafka_consumer_group_empty_members",
    },
    "kafka_exporter": {
        Meaning.LAG: "kafka_consumergroup_lag kafka_consumergroup_lag_sum",
        Meaning.COMMITTED: "kafka_consumergroup_current_offset",
        Meaning.END: "kafka_topic_partition_current_offset",
        Meaning.BEGIN: "kafka_topic_partition_oldest_offset",
        Meaning.MEMBERS: "kafka_consumergroup_members",
    },
    "OpenTelemetry": {
        Meaning.LAG: "kafka_consumer_group_lag kafka_consumer_group_lag_sum",
        Meaning.COMMITTED: "kafka_consumer_group_offset",
        Meaning.END: "kafka_partition_current_offset",
        Meaning.BEGIN: "kafka_partition_oldest_offset",
        Meaning.MEMBERS: "kafka_consumer_group_members",
    },
    "burrow_exporter": {
        Meaning.LAG: "burrow_kafka_consumer_partition_lag kafka_burrow_partition_lag",
        Meaning.COMMITTED: "burrow_kafka_consumer_current_offset "
        "kafka_burrow_partition_current_offset",
        Meaning.END: "burrow_kafka_topic_partition_offset kafka_burrow_topic_partition_offset",
    },
    "Redpanda": {
        Meaning.LAG: "redpanda_kafka_consumer_group_lag_sum",
        Meaning.COMMITTED: "redpanda_kafka_consumer_group_committed_offset",
        Meaning.END: "redpanda_kafka_max_offset",
        Meaning.MEMBERS: "redpanda_kafka_consumer_group_consumers",
    },
    "Datadog": {
        Meaning.LAG: "kafka.consumer_lag",
        Meaning.COMMITTED: "kafka.consumer_offset",
        Meaning.END: "kafka.broker_offset",
    },
    "Confluent Cloud": {Meaning.LAG: "confluent_kafka_server_consumer_lag_offsets"},
    "Amazon MSK": {Meaning.LAG: "OffsetLag SumOffsetLag"},
}
METRICS: Final = {
    metric: (figure, exporter)
    for exporter, figures in _EXPORTERS.items()
    for figure, metrics in figures.items()
    for metric in metrics.split()
}
"""The meaning of each metric, and its exporter."""
