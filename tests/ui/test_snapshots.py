"""When a group's snapshots were taken, as told in the incident channel, and what waited then."""

import math
from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.measuring.offset_history import Moment, OffsetHistory
from tests.doors import texts
from tests.pasted import the_group
from ui.snapshots import marks_of, taken

NOON_S = 1_795_521_600.0
"""2026-11-24 12:00:00 UTC."""


@pytest.mark.parametrize(
    ("times_s", "is_live", "expected"),
    [
        ([NOON_S], True, "Snapshot of 2026-11-24 12:00:00 UTC."),
        ([NOON_S, NOON_S + 60], False, "Snapshots of 2026-11-24 12:00:00 and 12:01:00."),
        (
            [NOON_S, NOON_S + 60, NOON_S + 86_400],
            False,
            "3 snapshots, from 2026-11-24 12:00:00 to 2026-11-25 12:00:00.",
        ),
        ([36_000.0, 36_060.0], False, "Snapshots of 10:00:00 and 10:01:00."),
        ([NOON_S, math.nan], False, ""),
    ],
)
def test_times_are_told_as_far_as_they_are_known(
    *, times_s: list[float], is_live: bool, expected: str
) -> None:
    reading = the_group(texts.describe([texts.Flow(1, 5_000, 0)]))
    moments = tuple(Moment.of(reading.group, at_s) for at_s in times_s)

    told = taken(replace(reading, history=OffsetHistory(moments), is_live=is_live))

    assert told == expected


def test_a_topic_that_the_group_has_left_is_no_lag_of_the_strip_as_of_the_header() -> None:
    told = {"a": [[0], [900], [800]], "b": [[0], [5_000], [1_000]]}
    group = Group.fresh({"a": 1, "b": 1}, members={"c-1": ["a"]})
    moments = [
        Moment(at_s=at_s, topics={name: np.array(rows, np.int64) for name, rows in told.items()})
        for at_s in (36_000.0, 36_060.0)
    ]

    assert [mark.behind for mark in marks_of(group, moments)] == ["100 behind", "100 behind"]
