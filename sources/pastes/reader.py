"""From a paste to consumer groups: every format is tried in order."""

from collections.abc import Callable
from typing import Final

from sources.budget import LIMITS, Limits
from sources.errors import SourceError
from sources.pastes.burrow import read_burrow
from sources.pastes.consumer_group_lag_json import read_consumer_group_lag
from sources.pastes.grouping import readings, topics_reading
from sources.pastes.kafka_tables import read_kafka_tables
from sources.pastes.page import Page
from sources.pastes.parsed import Parsed
from sources.pastes.prometheus import read_prometheus, read_prometheus_json
from sources.pastes.rpk import read_rpk
from sources.pastes.topics import read_topics
from sources.reading import Reading

FORMATS: Final[tuple[Callable[[Page], Parsed | None], ...]] = (
    read_rpk,
    read_kafka_tables,
    read_burrow,
    read_prometheus_json,
    read_consumer_group_lag,
    read_prometheus,
)
"""The first parser that finds a group wins; lines it did not use are listed as ignored."""


def read_paste(text: str, limits: Limits = LIMITS) -> tuple[Reading, ...]:
    """Return the consumer groups that a pasted text holds, in order of appearance.

    Raises SourceError if there is none, or if they exceed the limits.
    """
    page = Page(text, limits)
    for read in FORMATS:
        parsed = read(page)
        if parsed is not None and parsed.has_groups:
            return readings(page, parsed)
    topics = read_topics(page)
    if topics.topics:
        return (topics_reading(page, topics),)
    message = (
        "no consumer group found: expected the output of kafka-consumer-groups --describe, "
        "rpk group describe, Burrow or a Prometheus lag exporter; paste the table with its "
        "header line"
    )
    raise SourceError(message)
