"""A paste as the tables of a fleet have it: its snapshots, and who owned what."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from assignors.model import UNKNOWN, UNOWNED
from evaluation.measuring.offset_history import BEGIN, COMMITTED, END, Moment
from evaluation.reading import Reading
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.snapshot import snapshot
from tests.fleets import write

_CLUSTER: Final = "prod"
_NOW: Final = datetime(2026, 3, 3, tzinfo=UTC)


def through_tables(reading: Reading, folder: Path) -> Reading:
    """Return a group as its last snapshot opens from tables that were written of it."""
    fleet = open_fleet(edition_of(written(reading, folder)))
    return snapshot(fleet, _CLUSTER, reading.group.id, _at([*_moments(reading)][-1]))


def written(reading: Reading, folder: Path) -> str:
    """Write the tables of a group; return their place."""
    moments = [*_moments(reading)]
    tables = {
        "partition_lag": [row for moment in moments for row in _partitions(reading, moment)],
        "group_member": [row for moment in moments for row in _members(reading, moment)],
    }
    return write(folder, tables)


def _moments(reading: Reading) -> Iterator[Moment]:
    if reading.history is None:
        yield Moment.of(reading.group, _NOW.timestamp())
    else:
        yield from reading.history.moments


def _at(moment: Moment) -> datetime:
    return datetime.fromtimestamp(moment.at_s, UTC)


def _partitions(reading: Reading, moment: Moment) -> Iterator[dict[str, Any]]:
    group = reading.group
    for t, topic in enumerate(group.topics):
        span, rows = group.topic_span(t), moment.topics[topic]
        for number, owner in enumerate(group.present_owners[span].tolist()):
            begin, end, committed = (
                None if rows[row, number] == UNKNOWN else int(rows[row, number])
                for row in (BEGIN, END, COMMITTED)
            )
            yield {
                "cluster": _CLUSTER,
                "group_id": group.id,
                "snapshot_at": _at(moment),
                "topic": topic,
                "partition": number,
                "log_start_offset": begin,
                "log_end_offset": end,
                "committed_offset": committed,
                "lag": None if end is None or committed is None else end - committed,
                "member_id": None if owner == UNOWNED else group.members[owner],
            }


def _members(reading: Reading, moment: Moment) -> Iterator[dict[str, Any]]:
    for member in reading.group.members:
        yield {
            "cluster": _CLUSTER,
            "group_id": reading.group.id,
            "snapshot_at": _at(moment),
            "member_id": member,
            "client_id": reading.group.layout.client_ids.get(member),
            "host": reading.hosts.get(member),
        }
