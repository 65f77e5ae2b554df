"""A group that was saved, shared or planned with is answered as the text it was read from."""

import math
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given

from evaluation.answering.as_data import as_data
from evaluation.answering.compose import answer_of
from evaluation.answering.engine import Glance
from evaluation.reading import Reading
from evaluation.rebalance.member_log import LoggedRebalance
from evaluation.verdict_kinds import VerdictKind
from sources import group_json
from sources.asking import given_of
from sources.group_document import GroupDocument
from sources.text import read_text
from tests.doors import texts
from tests.doors.drawn import texts_of_groups
from tests.groups import tried

_ROOT: Final = Path(__file__).resolve().parents[2]
_MOST_PARTITIONS: Final = 3_000
_HEADER: Final = (
    "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID"
)
_REBALANCING: Final = f"""Warning: Consumer group 'pay' is rebalancing.

{_HEADER}
pay    orders  0          1000            2000            1000 -            -     -
pay    orders  1          1000            2000            1000 -            -     -
"""
_COUNTED: Final = """GROUP  COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS
pay    b:9092 (1)        range                Stable  4
"""
_LOG: Final = f"""10:01:02 [Consumer instanceId=pod-1, clientId=b, groupId=till] {{}}
10:01:02 [Consumer instanceId=pod-2, clientId=c, groupId=till] Revoking \
previously assigned partitions sales-0, sales-1
10:01:04 [Consumer instanceId=pod-2, clientId=c, groupId=till] Adding \
newly assigned partitions: sales-1

{_HEADER}
till sales 0 100 100 0 b-d9cbf96f-ffff-567a-8d98-365f8946c854 /10.1.0.1 b
till sales 1 100 100 0 c-a58739dc-9e4e-5087-981f-c0edf6e76f38 /10.1.0.2 c
"""


def _dated(*snapshots: str) -> str:
    """Return one snapshot a minute, each of the rows of a topic's partitions."""
    stamps = (f"2026-11-27T10:{minute:02}:00Z\n{_HEADER}" for minute in range(len(snapshots)))
    return "\n\n".join(f"{at}\n{rows}" for at, rows in zip(stamps, snapshots, strict=True))


_OF_KINDS: Final[Mapping[VerdictKind, str]] = {
    VerdictKind.POLL_TIMEOUT: _LOG.format("consumer poll timeout has expired"),
    VerdictKind.INSTANCE_FENCED: _LOG.format("fatal: group.instance.id gets fenced"),
    VerdictKind.REBALANCE_UNDER_WAY: _REBALANCING,
    VerdictKind.AHEAD_OF_LOG: "group,topic,partition,lag,member\ng,t,0,-49880,a\ng,t,1,700,b\n",
    VerdictKind.RECORDS_LOST: f"{_HEADER.replace('CURRENT', 'LOG-START-OFFSET CURRENT')}\n"
    "pay orders 0 1500 1000 3500 2000 c0-id /h c0\npay orders 1 1500 3400 3500 100 c1-id /h c1\n",
    VerdictKind.NEVER_COMMITS: _dated(
        *(f"pay orders 0 - {end} - c0-1 /10.0.0.1 c0" for end in (5_000, 11_000, 17_000))
    ),
    VerdictKind.OFFSETS_SKIPPED: _dated(
        "g t 0 1000 500000 499000 c-1 /10.0.0.1 c",
        "g t 0 1600 500600 499000 c-1 /10.0.0.1 c",
        "g t 0 501000 501200 200 c-1 /10.0.0.1 c",
    ),
    VerdictKind.KEEPS_REBALANCING: "\n\n".join(
        f"$ kafka-consumer-groups.sh --describe --group g\n{_HEADER}\n"
        f"g t 0 {k} 600 {600 - k} {name}-1 /10.0.0.1 {name}"
        for k, name in enumerate("abcde")
    ),
    VerdictKind.READ_OUTSIDE: _dated("g t 0 1000 6000 5000 - - -", "g t 0 3000 8000 5000 - - -"),
    VerdictKind.OUTSIDE_BEHIND: _dated(
        "g t 0 1000 100000 99000 - - -", "g t 0 1120 200000 198880 - - -"
    ),
}
_NO_GROUPS: Final = {"events.json", "gallery.json", "index.json", "simulation.json"} | {
    f"{name}.txt" for name in ("P05", "P13", "P36", "P38", "Q07", "Q13-log")
}
"""Lists of samples, and cases that are refused."""
_FILES: Final = sorted(
    path
    for folder in ("sample_data", "sample_data/kinds", "tests/cases")
    for path in (_ROOT / folder).iterdir()
    if path.suffix in {".txt", ".json"} and path.name not in _NO_GROUPS
)
_TEXTS: Final[Mapping[str, str]] = {
    "counted": _COUNTED,
    "long-name": _COUNTED.replace("pay ", "p" * 2_000 + " "),
    "reconciling": _COUNTED.replace("Stable", "Reconciling"),
    **{kind.value: text for kind, text in _OF_KINDS.items()},
    **texts.PASTES,
    **{path.name: path.read_text("utf-8") for path in _FILES},
}


def _read(text: str) -> tuple[Reading, ...]:
    """Return the groups of a text, but for those too large."""
    found = read_text(text)
    assert found
    return tuple(each for each in found if each.group.partition_count <= _MOST_PARTITIONS)


def _told(reading: Reading) -> dict[str, object]:
    return as_data(answer_of(given_of(reading), Glance()))


def _logged(reading: Reading) -> list[LoggedRebalance]:
    """Return what logs tell, so that it can be compared: no unknown time is equal to another."""
    return [
        replace(each, stopped_s=-1.0) if math.isnan(each.stopped_s) else each
        for each in reading.logged
    ]


def _saved(reading: Reading, *, is_brief: bool = False) -> Reading:
    return group_json.decode(group_json.encode(reading, is_brief=is_brief))


@pytest.mark.parametrize("name", _TEXTS)
def test_a_saved_group_has_the_answer_of_its_text(name: str) -> None:
    for reading in _read(_TEXTS[name]):
        saved = _saved(reading)

        assert _told(saved) == _told(reading)
        assert saved.state == reading.state
        assert _logged(saved) == _logged(reading)


@pytest.mark.slow
@given(texts_of_groups())
@tried(60)
def test_whatever_its_snapshots_a_saved_group_has_the_answer_of_its_text(text: str) -> None:
    (reading,) = _read(text)

    assert _told(_saved(reading)) == _told(reading)


@pytest.mark.parametrize("kind", _OF_KINDS)
def test_a_saved_group_has_the_verdict_of_its_kind(kind: VerdictKind) -> None:
    (reading,) = _read(_OF_KINDS[kind])

    assert answer_of(given_of(_saved(reading)), Glance()).verdict.kind is kind


def test_a_brief_group_has_each_cause_in_logs_once() -> None:
    (reading,) = _read(_OF_KINDS[VerdictKind.POLL_TIMEOUT])
    often = replace(reading, logged=reading.logged * 9)

    brief = _saved(often, is_brief=True)

    assert len({(each.consumer, each.trigger) for each in reading.logged}) == 2
    assert _logged(brief) == _logged(reading)


def test_all_that_a_source_tells_is_a_key_of_group_json_or_how_it_was_read() -> None:
    how = {"format", "rows", "ignored", "notes", "is_live", "is_watched", "taken_s", "pasted_s"}

    known = {each.name for each in fields(Reading)} - how

    kept = {*GroupDocument.__struct_fields__}
    assert known - kept == {"group", "weighed"}  # by its topics and members; by horizon_ms


def test_an_edited_group_is_no_longer_in_that_rebalance() -> None:
    (reading,) = read_text(_REBALANCING)

    edited = reading.with_group(reading.group.with_lags([5, 5]))

    assert reading.rebalancing is not None
    assert (edited.rebalancing, edited.state) == (None, None)
