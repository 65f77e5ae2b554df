"""The JSON of the ConsumerGroupLag tool: topic -> partition -> its offsets and its owner."""

from collections.abc import Mapping
from typing import Final

from sources import cells
from sources.pastes.documents import (
    Json,
    name,
    number,
    objects_in,
    offset,
    partition,
)
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, Row

FORMAT: Final = "ConsumerGroupLag JSON"
_EVIDENCE: Final = frozenset({"lag", "currentOffset", "logEndOffset"})


def read_consumer_group_lag(page: Page) -> Parsed:
    """Return the group that the tool describes, which the text does not name."""
    parsed = Parsed(FORMAT)
    for document in page.documents:
        before = len(parsed.rows)
        for item in objects_in(document.value):
            for topic, partitions in item.items():
                if isinstance(partitions, dict):
                    _read(document.lines.start, topic, partitions, parsed)
        if len(parsed.rows) > before:
            parsed.used.update(document.lines)
    return parsed


def _read(line: int, topic: str, partitions: Mapping[str, Json], parsed: Parsed) -> None:
    for key, fields in partitions.items():
        if not isinstance(fields, dict) or len(_EVIDENCE & fields.keys()) < len(_EVIDENCE) - 1:
            continue
        place = partition(fields.get("partition", key))
        if place is None:
            parsed.note_unreadable("a partition", [line])
            continue
        parsed.rows.append(
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
