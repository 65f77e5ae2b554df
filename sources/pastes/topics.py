"""``kafka-topics --describe`` and ``kcat -L [-J]``: topics and their partitions."""

import re
from typing import Final

from evaluation.wording import listed
from sources import cells
from sources.pastes.documents import name, objects_in, partition
from sources.pastes.page import Page
from sources.pastes.parsed import Parsed, TopicRow

_MOST_NAMED: Final = 4
FORMAT: Final = "kafka-topics --describe"
KCAT_FORMAT: Final = "kcat -L"
_TOPIC: Final = re.compile(r"\bTopic:\s*([\w.-]+)")
_ID: Final = re.compile(r"\bTopicId:\s*([\w-]{22})(?![\w-])")
_COUNT: Final = re.compile(r"\bPartitionCount:\s*(\d{1,6})\b")
_PARTITION: Final = re.compile(r"\bPartition:\s*(\d{1,6})\b")
_LEADERLESS: Final = re.compile(r"\b[Ll]eader:?\s+(?:none|-1)\b")
_KCAT_TOPIC: Final = re.compile(r'\btopic\s+"([^"]*)"\s+with\s+(\d{1,6})\s+partitions?:')
_KCAT_PARTITION: Final = re.compile(r"\bpartition\s+(\d{1,6}),\s+leader\s+-?\d+")


def read_topics(page: Page) -> Parsed:
    """Return the topics in the output of ``kafka-topics --describe`` or ``kcat -L``."""
    parsed = Parsed(FORMAT)
    listed = ""
    for number, line in enumerate(page.lines):
        if "Topic:" in line and (named := _TOPIC.search(line)):
            _add(parsed, number, named.group(1), line)
        elif "partition" in line and (named := _KCAT_TOPIC.search(line)):
            parsed.format = KCAT_FORMAT
            listed = named.group(1)
            parsed.topics.append(TopicRow(number, listed, int(named.group(2)), is_partition=False))
            parsed.used.add(number)
        elif listed and (partition := _KCAT_PARTITION.search(line)):
            parsed.topics.append(
                TopicRow(number, listed, int(partition.group(1)), is_partition=True)
            )
            parsed.used.add(number)
    if not parsed.topics and '"leader"' in page.text:
        _read_json(page, parsed)
    _note_leaderless(page, parsed)
    return parsed


def _note_leaderless(page: Page, parsed: Parsed) -> None:
    """Note the partitions that the lines say have no leader."""
    lines = [row for row in parsed.topics if row.is_partition]
    found = [row for row in lines if _LEADERLESS.search(page.lines[row.line])]
    if found:
        names = listed([f"{row.topic}-{row.partitions}" for row in found], most=_MOST_NAMED)
        has = "has no leader: nobody reads or writes it"
        have = "have no leader: nobody reads or writes them"
        parsed.notes.append(f"{names} {has if len(found) == 1 else have} until a replica is back.")


def _read_json(page: Page, parsed: Parsed) -> None:
    """Add the topics of ``kcat -L -J``."""
    for document in page.documents:
        before = len(parsed.topics)
        for item in objects_in(document.value):
            listed, topic = item.get("partitions"), name(item, "topic")
            for fields in listed if topic and isinstance(listed, list) else []:
                number = partition(fields.get("partition")) if isinstance(fields, dict) else None
                if number is not None:
                    row = TopicRow(document.lines.start, topic, number, is_partition=True)
                    parsed.topics.append(row)
        if len(parsed.topics) > before:
            parsed.format = KCAT_FORMAT
            parsed.used.update(document.lines)


def _add(parsed: Parsed, number: int, topic: str, line: str) -> None:
    for pattern, is_partition in ((_COUNT, False), (_PARTITION, True)):
        figure = pattern.search(line)
        if figure and cells.is_partition(figure.group(1)):
            topic_id = _ID.search(line)
            own_id = topic_id.group(1) if topic_id else None
            row = TopicRow(number, topic, int(figure.group(1)), is_partition, own_id)
            parsed.topics.append(row)
            parsed.used.add(number)
            return
