"""Why no group can be read from a text, and the way out."""

import re
from typing import Final, NoReturn

from sources.errors import SourceError
from sources.pastes.headers import TableKind, header_in
from sources.pastes.page import Page

_INSTEAD: Final = "paste kafka-consumer-groups --describe"
_LINES: Final = {
    r"onsumer group '[^']*' does not exist": "the group does not exist on that cluster; "
    "kafka-consumer-groups --list names its groups",
    r"onsumer group '[^']*' has no active members": "the group has no active members, and no table "
    "follows; paste its offsets too",
    r"\bPARTITION\s+CURRENT-OFFSET\b.*\sCLIENT-ID\s+\w": "header and rows are on one line; paste "
    "them with their line breaks",
    r"^\W*GROUP\s+TOPIC\s+PARTITION\s+(?:LEADER-EPOCH\s+)?START-OFFSET(?:\s+LAG)?\W*$": "a "
    "share group assigns no partition to a single consumer; paste a consumer group",
    r"(?i)^\W*(?:partition|current.offset|log.end.offset)\W*$": "each cell is on its own line; "
    "paste one row per line",
    r"^\W*GROUP\s+TOPIC\s+PARTITION\s+NEW-OFFSET\b": "these are offsets to reset to, without lags; "
    f"{_INSTEAD}",
    r"^\W*GROUP\s.*\b(?:ASSIGNMENTS\W*$|MEMBER\s.*\bPROCESS\s)": "a streams group assigns "
    "tasks, not partitions; paste the output of kafka-streams-groups --describe --offsets",
    r"^\W*GROUP\s+(?:TYPE|STATE|PROTOCOL)\b": "this is a list of groups, without partitions; "
    f"{_INSTEAD} --group NAME",
    r"^\W*[\w.-]+:\d+:\d+\W*$": f"these are offsets of topics, without a group; {_INSTEAD}",
    r"\[GroupCoordinator \d+\]": f"a broker's log does not say who owns what; {_INSTEAD}",
    r"\|ASSIGN\||^\[sarama\]|\bSetting newly assigned partitions\b|TopicPartition\{topic="
    r"|\bpartitions assigned: \[": "this log does not name the consumers that own partitions; "
    f"{_INSTEAD}",
    r"\bkafka\.consumer:\S*(?:client-id|type)=": "consumers' MBeans cannot be read; paste what "
    "a Prometheus exporter makes of them, or kafka-consumer-groups --describe",
    r'"(?:MetricDataResults|Datapoints|MetricName)"': "CloudWatch does not state group, topic, "
    f"partition and lag together; {_INSTEAD}",
    r'"availableTags"': "this metric is a sum over partitions; paste /actuator/prometheus",
    r"(?i)^\W*topic[-_. ]?partition[\s|,;]+[\w -]*(?:lag|offset)\b": "topic and partition share "
    "a column; split 'orders-0' into two columns, TOPIC and PARTITION",
    r"\bOffsetAndMetadata[({]|\bpartition: \d+, offset: '": "committed offsets alone show no lag "
    f"and no owner; {_INSTEAD}",
    r"^\W*Error: |\bTimeoutException\b|AuthorizationException\b|\bOutOfMemoryError\b"
    r"|\bfailed authentication\b": "the tool failed before it printed a group; run it again and "
    "paste its table",
}
"""Patterns of lines, with the way out."""
_REASONS: Final = tuple((re.compile(pattern), reason) for pattern, reason in _LINES.items())
_FEWEST_NUMBERS: Final = 2
"""In a row of a table."""
_LONGEST: Final = 4_000
"""The most characters of a line to match."""


def refuse(page: Page) -> NoReturn:
    """Raise SourceError with the first line that explains why there is no group."""
    for number, line in enumerate(page.lines, 1):
        header = header_in(line)
        if header and header.kind == TableKind.ONE_TOPIC:
            message = (
                f"line {number}: the table does not name its topic; put a line such as "
                "'Topic: orders' above it"
            )
            raise SourceError(message)
        for pattern, reason in _REASONS:
            if pattern.search(line[:_LONGEST]):
                message = f"line {number}: {reason}"
                raise SourceError(message)
    _refuse_row(page)
    message = (
        "no consumer group found: expected the output of kafka-consumer-groups --describe, "
        "rpk group describe, Burrow or a Prometheus lag exporter; paste the table with its "
        "header line"
    )
    raise SourceError(message)


def _refuse_row(page: Page) -> None:
    """Raise SourceError with the first row below a header that does not fit its columns."""
    head, width = 0, 0
    for number, line in enumerate(page.lines, 1):
        header = header_in(line)
        if header is not None:
            head, width = number, len(header.columns)
        elif width and sum(map(str.isdecimal, words := line[:_LONGEST].split())) >= _FEWEST_NUMBERS:
            message = (
                f"line {number}: {len(words)} words do not fit the {width} columns that line "
                f"{head} names; paste header and rows as the tool prints them"
            )
            raise SourceError(message)
