"""Burrow's HTTP answers: ``/v3/kafka/CLUSTER/consumer/GROUP[/lag|/status]``, and v2."""

import re
from collections.abc import Iterator
from typing import Final

from sources import cells
from sources.pastes.documents import (
    Document,
    Json,
    below,
    name,
    number,
    objects_in,
    offset,
    partition,
)
from sources.pastes.page import Page
from sources.pastes.parsed import GroupKey, Parsed, Row, StateRow

FORMAT: Final = "Burrow HTTP JSON"
_GROUP_IN_URL: Final = re.compile(r"/consumer/([^/?]+)")
_EVIDENCE: Final = ("current_lag", "end", "start", "status")
_SKIPPED_KEYS: Final = frozenset({"maxlag", "request"})
"""``maxlag`` repeats a partition; ``request`` describes the call."""


def read_burrow(page: Page) -> Parsed:
    """Return the groups in Burrow's answers.

    The lag is ``current_lag``; version 2 lacks it and has the lag at the last commit.
    """
    parsed = Parsed(FORMAT)
    for document in page.documents:
        _read(document, parsed)
    return parsed


def _read(document: Document, parsed: Parsed) -> None:
    before = parsed.record_count
    line = document.lines.start
    listed = [*_partitions_in(document.value), *_detailed_in(document.value)]
    rows = [_row(line, group, fields) for group, fields in listed]
    parsed.rows += [row for row in rows if row is not None]
    objects = objects_in(document.value)
    for status in (item for item in objects if "partitions" in item and name(item, "group")):
        parsed.states.append(StateRow(line, GroupKey(name(status, "group"))))
        _note_missing(status, parsed)
    if None in rows:
        parsed.note_unreadable("a partition", [line])
    if parsed.record_count > before:
        parsed.used.update(document.lines)


def _partitions_in(value: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield every partition with the group named around it."""
    waiting: list[tuple[str, Json]] = [("", value)]
    while waiting:
        group, item = waiting.pop()
        if isinstance(item, list):
            waiting += [(group, part) for part in reversed(item)]
        if not isinstance(item, dict):
            continue
        if "topic" in item and "partition" in item and any(sign in item for sign in _EVIDENCE):
            yield group, item
            continue
        group = name(item, "group") or name(below(item, "request"), "group") or group
        waiting += [
            (group, part) for key, part in reversed(item.items()) if key not in _SKIPPED_KEYS
        ]


def _detailed_in(value: Json) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield the partitions of ``/consumer/GROUP``: lists by topic, commits oldest first."""
    for answer in objects_in(value):
        url = _GROUP_IN_URL.search(name(below(answer, "request"), "url"))
        for topic, partitions in below(answer, "topics").items() if url else ():
            for place, fields in enumerate(partitions if isinstance(partitions, list) else ()):
                if not isinstance(fields, dict) or not isinstance(fields.get("offsets"), list):
                    continue
                commits = [commit for commit in objects_in(fields["offsets"]) if "offset" in commit]
                lag = {"current_lag": fields["current-lag"]} if "current-lag" in fields else {}
                end: Json = commits[-1] if commits else {}
                whole = fields | {"topic": topic, "partition": place, "end": end} | lag
                yield url.group(1) if url else "", whole


def _row(line: int, group: str, fields: dict[str, Json]) -> Row | None:
    place = partition(fields["partition"])
    topic, end = name(fields, "topic"), below(fields, "end")
    if place is None or not topic:
        return None
    lag = fields["current_lag"] if "current_lag" in fields else end.get("lag")
    return Row(
        line,
        GroupKey(group),
        topic,
        place,
        committed=offset(end.get("offset")),
        lag=number(lag),
        member=cells.member(name(fields, "owner")),
        client=name(fields, "client_id"),
    )


def _note_missing(status: dict[str, Json], parsed: Parsed) -> None:
    listed, total = status.get("partitions"), number(status.get("partition_count"))
    count = len(listed) if isinstance(listed, list) else 0
    if total is not None and count < total:
        parsed.notes.append(
            f"Burrow lists {count} of {total} partitions of {name(status, 'group')!r}: /status "
            "leaves out healthy partitions. Paste the answer of /lag to see all."
        )
