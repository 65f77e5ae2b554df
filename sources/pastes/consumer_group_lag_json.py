"""The JSON of the ConsumerGroupLag tool: topic -> partition -> its offsets and its owner."""

from collections.abc import Mapping
from typing import Final

from sources.pastes import cells
from sources.pastes.json_values import name, number, offset, partition
from sources.pastes.loose_json import Json, documents_in, objects_in
from sources.pastes.page import Page
from sources.pastes.rows import Found, GroupKey, Row

FORMAT: Final = "ConsumerGroupLag JSON"
_SIGNS: Final = frozenset({"lag", "currentOffset", "logEndOffset"})


def read_consumer_group_lag(page: Page) -> Found | None:
    """Return the group that the tool describes, None if there is none; it has no name there."""
    found = Found(FORMAT)
    for document in documents_in(page):
        before = len(found.rows)
        for item in objects_in(document.value):
            for topic, partitions in item.items():
                if isinstance(partitions, dict):
                    _read(document.lines.start, topic, partitions, found)
        if len(found.rows) > before:
            found.used.update(document.lines)
    return found if found.has_groups else None


def _read(line: int, topic: str, partitions: Mapping[str, Json], found: Found) -> None:
    for key, fields in partitions.items():
        if not isinstance(fields, dict) or len(_SIGNS & fields.keys()) < len(_SIGNS) - 1:
            continue
        place = partition(fields.get("partition", key))
        if place is None:
            found.note_unreadable("a partition", [line])
            continue
        found.rows.append(
            Row(
                line,
                GroupKey(""),
                topic,
                place,
                offset(fields.get("logStartOffset")),
                offset(fields.get("currentOffset")),
                offset(fields.get("logEndOffset")),
                number(fields.get("lag")),
                cells.member(name(fields, "consumerId")),
                host=name(fields, "host"),
                client=name(fields, "clientId"),
            )
        )
