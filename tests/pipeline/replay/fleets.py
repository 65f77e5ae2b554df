"""Hypothesis strategies for telemetry of small fleets with all kinds of events."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import pyarrow as pa
from hypothesis import strategies as st

from pipeline.encoding import STORED
from schemas.telemetry import NOT_TOLD

Row = dict[str, Any]

SCHEMA: Final = STORED
START: Final = datetime(2026, 3, 1, 23, 58, tzinfo=UTC)
_TOPICS: Final = ("t0", "t1", "t10", "t2", "\uff5e", "\U0001f4ec")
_MEMBERS: Final = ("AaAa", "BBBB", "c1", "c10", "c2", "\uff5e", "\U0001f4ec")
_OF_BROKERS: Final = tuple(name * 21 + "A" for name in "abc")
"""Ids as brokers give them: 22 random characters."""
_MOMENTS: Final = tuple(START + timedelta(seconds=seconds) for seconds in (0, 60, 61.5, 200))
_LISTS: Final[Sequence[list[list[str] | None]]] = (
    [None],
    [None, ["t0", "t1"], ["t1"], ["nowhere", "t1"], []],
)
"""Possible subscriptions of the members of a group."""
_RESETS: Final = (None, "latest", "earliest", *(f"by_duration:PT{s}S" for s in (0, 59, 60, 100)))
_OFFSETS: Final = st.none() | st.integers(0, 50) | st.sampled_from([2**53 + 1, 2**63 - 1])


def table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows as a table; missing values are null."""
    unsaid = dict.fromkeys(SCHEMA.names) | {"bucket": 7}
    return pa.Table.from_pylist([{**unsaid, **row} for row in rows], SCHEMA)


def at(seconds: float = 0) -> datetime:
    """Return the time of a snapshot."""
    return START + timedelta(seconds=seconds)


@st.composite
def fleets(draw: st.DrawFn) -> list[Row]:
    """Draw the rows of a few groups at up to four moments, in any order."""
    keys = st.tuples(st.sampled_from(["eu", "us"]), st.sampled_from(["g1", "g2", "\u00e9"]))
    rows: list[Row] = []
    for cluster, group in draw(st.lists(keys, min_size=1, max_size=3, unique=True)):
        lists = draw(st.sampled_from(_LISTS))
        members = draw(st.sampled_from([_MEMBERS, _OF_BROKERS]))
        owners = [None, *draw(st.lists(st.sampled_from(members), max_size=4, unique=True))]
        for moment in draw(st.lists(st.sampled_from(_MOMENTS), min_size=1, unique=True)):
            about = {"cluster": cluster, "group_id": group, "snapshot_at": moment}
            rows += [{**about, **row} for row in draw(_snapshot(members, owners, lists))]
    repeated = draw(st.lists(st.sampled_from(rows), max_size=3)) if rows else []
    rows += [{**row, "file": "1"} for row in repeated]
    return draw(st.permutations(rows))


@st.composite
def _snapshot(
    draw: st.DrawFn,
    members: Sequence[str],
    owners: list[str | None],
    lists: list[list[str] | None],
) -> list[Row]:
    owner_rows = st.sampled_from(owners).flatmap(lambda owner: _member(owner, lists))
    names = draw(st.lists(st.sampled_from(_TOPICS), max_size=3, unique=True))
    places = [
        (name, partition)
        for name in names
        for partition in draw(st.sets(st.integers(0, 5), min_size=1))
    ]
    rows: list[Row] = [
        {
            "topic": name,
            "partition": partition,
            "log_start_offset": draw(st.none() | st.just(0)),
            "log_end_offset": draw(_OFFSETS),
            "committed_offset": draw(_OFFSETS),
            "auto_offset_reset": draw(st.sampled_from(_RESETS)),
            "kind": draw(st.sampled_from([None, "consumer", "streams"])),
            "ownership": draw(st.sampled_from([None, None, NOT_TOLD])),
            "file": "0",
            **draw(owner_rows),
        }
        for name, partition in places
    ]
    idle = draw(st.lists(st.sampled_from(members), max_size=2, unique=True))
    rows += [{"file": "0", **draw(_member(name, lists))} for name in idle]
    return rows


def _member(name: str | None, lists: list[list[str] | None]) -> st.SearchStrategy[Row]:
    if name is None:
        return st.just({})
    return st.fixed_dictionaries(
        {
            "member_id": st.just(name),
            "client_id": st.sampled_from([None, "client"]),
            "group_instance_id": st.sampled_from([None, None, f"i-{name[::-1]}"]),
            "rack": st.sampled_from([None, "a"]),
            "subscribed_topics": st.sampled_from(lists),
        }
    )
