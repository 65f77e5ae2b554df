"""Helpers for tests that read one pasted group and check it by name."""

from assignors.naming import member_records, topic_records
from evaluation.reading import Reading
from sources.text import read_text


def the_group(text: str) -> Reading:
    """Read a text that contains exactly one group."""
    (reading,) = read_text(text)
    return reading


def lags(reading: Reading) -> dict[str, list[int | None]]:
    """Return every topic's lags; None where unknown."""
    return {
        name: list(topic.lags or [None] * topic.partitions)
        for name, topic in topic_records(reading.group).items()
    }


def owned(reading: Reading) -> dict[str, list[str]]:
    """Return each member's partitions as "topic-3", members in order of arrival."""
    return {
        member.id: [f"{topic}-{partition}" for topic, partition in member.owned]
        for member in member_records(reading.group)
    }
