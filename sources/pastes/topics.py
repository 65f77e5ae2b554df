"""``kafka-topics --describe`` and ``kcat -L [-J]``: topics and their partitions."""

import re
from typing import Final

from sources.pastes import cells
from sources.pastes.json_values import name, partition
from sources.pastes.loose_json import documents_in, objects_in
from sources.pastes.page import Page
from sources.pastes.rows import Found, TopicRow

FORMAT: Final = "kafka-topics --describe"
KCAT_FORMAT: Final = "kcat -L"
_TOPIC: Final = re.compile(r"\bTopic:\s*([\w.-]+)")
_COUNT: Final = re.compile(r"\bPartitionCount:\s*(\d{1,6})\b")
_PARTITION: Final = re.compile(r"\bPartition:\s*(\d{1,6})\b")
_KCAT_TOPIC: Final = re.compile(r'\btopic "([^"]*)" with (\d{1,6}) partitions?:')
_KCAT_PARTITION: Final = re.compile(r"\bpartition (\d{1,6}), leader -?\d+")


def read_topics(page: Page) -> Found:
    """Return the topics that ``kafka-topics --describe`` or ``kcat -L`` printed."""
    found = Found(FORMAT)
    listed = ""
    for number, line in enumerate(page.lines):
        if "Topic:" in line and (named := _TOPIC.search(line)):
            _add(found, number, named.group(1), line)
        elif "partition" in line and (named := _KCAT_TOPIC.search(line)):
            found.format = KCAT_FORMAT
            listed = named.group(1)
            found.topics.append(TopicRow(number, listed, int(named.group(2)), is_partition=False))
            found.used.add(number)
        elif listed and (partition := _KCAT_PARTITION.search(line)):
            found.topics.append(
                TopicRow(number, listed, int(partition.group(1)), is_partition=True)
            )
            found.used.add(number)
    if not found.topics and '"leader"' in page.text:
        _read_json(page, found)
    return found


def _read_json(page: Page, found: Found) -> None:
    """Add what ``kcat -L -J`` printed."""
    for document in documents_in(page):
        before = len(found.topics)
        for item in objects_in(document.value):
            listed, topic = item.get("partitions"), name(item, "topic")
            for fields in listed if topic and isinstance(listed, list) else []:
                place = partition(fields.get("partition")) if isinstance(fields, dict) else None
                if place is not None:
                    row = TopicRow(document.lines.start, topic, place, is_partition=True)
                    found.topics.append(row)
        if len(found.topics) > before:
            found.format = KCAT_FORMAT
            found.used.update(document.lines)


def _add(found: Found, number: int, topic: str, line: str) -> None:
    for pattern, is_partition in ((_COUNT, False), (_PARTITION, True)):
        figure = pattern.search(line)
        if figure and cells.is_partition(figure.group(1)):
            row = TopicRow(number, topic, int(figure.group(1)), is_partition)
            found.topics.append(row)
            found.used.add(number)
            return
