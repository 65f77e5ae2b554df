"""Incidents with two causes at once, and those that a single snapshot or nobody shows."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.diagnosis.concentration import concentrated
from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    CatchingUp,
    Finding,
    Full,
    KeepsRebalancing,
    LagSpread,
    NobodyReads,
    RecordsLost,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
)
from evaluation.facts import facts_of
from evaluation.offset_history import Moment, OffsetHistory, ownership, partition_times
from tests.advice.groups import Case, case
from tests.said import lacks
from ui.incident.brief import hindrance, title_of
from ui.incident.sentences import sentence_of


def causes(found: Case) -> tuple[type[Finding], ...]:
    return tuple(type(finding) for finding in found.findings)


def said(found: Case) -> list[str]:
    return [
        sentence_of(finding, found.group, found.facts, is_rest=bool(k))
        .replace("**", "")
        .replace("\\", "")
        for k, finding in enumerate(found.findings)
    ]


def test_a_record_that_fails_beside_a_hot_partition() -> None:
    # t-1 stands at 500 while c0 reads t-0; t-2 gets 900/s where c1 reads 600/s.
    found = case(
        [0, 0, 1, 2, 2],
        ([6_000, 9_000, 100_000, 0, 0], [6_000, 500, 40_000, 0, 0]),
        ([12_000, 15_000, 154_000, 600, 600], [12_000, 500, 76_000, 600, 600]),
    )

    assert causes(found) == (StuckRecord, TooHot)
    assert (
        "t-1 has been stuck at offset 500 for at least 1 min, while c0 reads its other"
        in said(found)[0]
    )
    assert "14.5 k records wait behind it" in said(found)[0]
    assert "t-2 gets 900/s (the others 55/s at the median); 600/s are read by c1" in said(found)[1]


def test_a_consumer_that_stands_beside_others_that_are_full() -> None:
    # c2 commits nothing; c0 and c1 read 200/s each where 300/s arrive for each.
    found = case(
        [0, 1, 2],
        ([90_000, 90_000, 9_000], [0, 0, 0]),
        ([108_000, 108_000, 12_000], [12_000, 12_000, 0]),
    )

    assert causes(found) == (Stopped, Full)
    assert "c2 has read nothing" in said(found)[0]
    assert "600/s arrive, 400/s are read, and the backlog grows by 200/s" in said(found)[1]
    # t-0 and t-1 get 300/s each, and one consumer reads 200/s.
    assert "No number of consumers is enough: t-0 and t-1 each get more" in said(found)[1]


def test_one_consumer_that_stops_does_not_make_the_others_slow() -> None:
    # All read 200/s in the first minute; then c0 stops and c1 to c3 read on at 200/s of 300/s.
    ends = [[90_000 + 18_000 * k] * 4 for k in range(3)]
    read = [[0] * 4, [12_000] * 4, [12_000, 24_000, 24_000, 24_000]]
    found = case([0, 1, 2, 3], *zip(ends, read, strict=True))

    assert causes(found) == (Stopped, Full)
    assert "c0 has read nothing for 1 min" in said(found)[0]


def test_slow_consumers_and_more_arriving_are_told_by_the_slower_reading() -> None:
    # 200/s each in two minutes, then 100/s each; 200/s arrive for each, then 400/s.
    ends = [[90_000] * 2, [102_000] * 2, [114_000] * 2, [138_000] * 2, [162_000] * 2]
    read = [[0] * 2, [12_000] * 2, [24_000] * 2, [30_000] * 2, [36_000] * 2]
    found = case([0, 1], *zip(ends, read, strict=True))

    assert causes(found) == (Slower,)
    assert "for 2 min: 400/s then, 200/s now, while 800/s arrive" in said(found)[0]


def test_what_nobody_owns_is_named_beside_a_hot_partition() -> None:
    # t-3 has no owner: 5,000 wait. t-0 gets 900/s where 600/s are read.
    found = case(
        [0, 1, 1, -1],
        ([100_000, 0, 0, 4_400], [40_000, 0, 0, 0]),
        ([154_000, 600, 600, 5_000], [76_000, 600, 600, 0]),
    )

    assert causes(found) == (NobodyReads, TooHot)
    assert said(found)[0].startswith(
        ":material/emergency: Nobody reads 1 partition, for at least 1 min: 5,000 records wait"
    )


def test_a_rebalancing_group_in_which_a_consumer_stands() -> None:
    # Owners change at each of three snapshots; c1 commits nothing all along.
    groups = [
        Group.of(
            ["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[0, 9_000 + k],
            end_offsets=[6_000 * k, 9_000 + k], committed_offsets=[6_000 * k, 0],
        )
        for k in range(4)
    ]  # fmt: skip
    moments = tuple(
        Moment.of(group, 60.0 * k)._replace(ownership=ownership([("t", 0, f"c{k}")]))
        for k, group in enumerate(groups)
    )
    history = OffsetHistory(moments)
    times = partition_times(groups[-1], history)
    found = Case(groups[-1], history, times, facts_of(groups[-1], history, times))

    assert causes(found) == (KeepsRebalancing, Stopped)
    assert hindrance(found.findings, found.group) == "the group keeps rebalancing"


def test_two_hot_partitions_of_many_are_both_named() -> None:
    # t-0 and t-1 get 500/s each where 300/s each are read; 18 others get 10/s.
    ends = [[60_000] * 2 + [0] * 18, [90_000] * 2 + [600] * 18]
    read = [[0] * 20, [18_000] * 2 + [600] * 18]
    found = case([0, 1] + [2] * 18, *zip(ends, read, strict=True))

    assert causes(found) == (TooHot,)
    assert "t-0 and t-1 get 1,000/s (the others 10/s at the median)" in said(found)[0]
    assert "600/s are read by c0 and c1" in said(found)[0]
    assert "One consumer reads 300/s, so a consumer for each of them alone is not" in said(found)[0]
    while_ = hindrance(found.findings, found.group).replace("\\", "")
    assert while_ == "t-0 and t-1 each get more than one consumer reads"


def test_what_shrinks_beside_a_hot_partition_is_said_to_be_other_partitions() -> None:
    # t-0 gets 450/s, of which c0 reads 270; of t-1 and t-2 c1 reads 11/s each where 10/s arrive.
    found = case(
        [0, 1, 1],
        ([60_000, 1_200, 1_200], [0, 0, 0]),
        ([87_000, 1_800, 1_800], [16_200, 660, 660]),
    )

    hot, rest = said(found)
    assert causes(found) == (TooHot, CatchingUp)
    assert "t-0 gets 450/s" in hot
    # 2 x 1,140 wait, and each shrinks by 1/s: 19 min
    assert "2 other partitions catch up in 19 min at the present rates: 2,280 records" in rest
    assert rest.endswith("Waiting is enough for them.")
    title = title_of(found.findings[1], found.group, is_rest=True)
    assert title == "The backlog of other partitions shrinks: 20/s arrive, 22/s are read."


def test_a_consumer_of_one_partition_that_is_too_much_for_it_is_not_a_matter_of_owners() -> None:
    # c0 holds t-0 alone: 300/s arrive, 200/s are read; the others get 100/s, so 3 times as much.
    found = case(
        [0, 1, 2, 3],
        ([20_000, 0, 0, 0], [0, 0, 0, 0]),
        ([38_000, 6_000, 6_000, 6_000], [12_000, 6_000, 6_000, 6_000]),
    )

    assert causes(found) == (TooHot,)
    assert lacks(said(found)[0], "One consumer reads 200/s", "not enough") == []


def test_a_backlog_that_lasts_says_what_more_consumers_bring() -> None:
    # 4 x 100,000 wait; 50/s arrive and 55/s are read of each: 99,700 / 5 = 19,940 s = 5 h 32 min.
    # Of 4 consumers instead of 2 each reads 110/s of one partition: 99,700 / 60 = 1,662 s = 27 min.
    found = case([0, 0, 1, 1], ([100_000] * 4, [0] * 4), ([103_000] * 4, [3_300] * 4))

    assert causes(found) == (CatchingUp,)
    assert "Caught up in 5 h 32 min at the present rates: 399 k records wait" in said(found)[0]
    assert "4 consumers instead of 2 would take 27 min 42 s at best." in said(found)[0]


def test_a_restart_says_when_it_is_over_if_others_show_the_speed() -> None:
    # c1 stands with 12,000 behind and 100/s arriving; c0 reads 400/s under backlog:
    # 12,000 / (400 - 100) = 40 s.
    found = case([0, 1], ([90_000, 6_000], [0, 0]), ([114_000, 12_000], [24_000, 0]))

    assert causes(found)[0] is Stopped
    assert said(found)[0].endswith("It catches up about 40 s after that, at 400/s a consumer.")


def test_a_group_without_consumers_shows_its_backlog_by_topic_and_when_it_is_deleted() -> None:
    # 300 of orders and 100 of audit wait; the oldest is 30 min old of 2 h that it is kept.
    group = Group.of(
        ["audit", "orders"], [1, 2], [], lags=[100, 200, 100],
        end_offsets=[100, 200, 100], committed_offsets=[0, 0, 0],
    )  # fmt: skip
    ages = {"audit": np.array([600.0]), "orders": np.array([1_800.0, 60.0])}
    moment = Moment.of(group, 1_000.0)._replace(age_s=ages)
    history = OffsetHistory((moment,), {"audit": np.inf, "orders": 7_200.0})
    times = partition_times(group, history)
    found = Case(group, history, times, facts_of(group, history, times))

    assert causes(found) == (NobodyReads,)
    assert said(found)[0] == (
        ":material/emergency: No consumer is active: 400 records wait (orders 300 and audit 100). "
        "The first of them are deleted in 1 h 30 min. Start the consumers, or describe it again in "
        "a minute: moving offsets prove a reader."
    )


def test_what_was_deleted_unread_is_said() -> None:
    # t-0 starts at 1,500 and is committed at 500: 1,000 records are gone.
    group = Group.of(
        ["t"], [1], ["c0"], owners=[0], lags=[8_500],
        begin_offsets=[1_500], end_offsets=[9_000], committed_offsets=[500],
    )  # fmt: skip
    history = OffsetHistory((Moment.of(group, 0.0),))
    times = partition_times(group, history)
    finding, where = diagnose(group, history, times, facts := facts_of(group, history, times))

    assert isinstance(where, LagSpread)
    assert isinstance(finding, RecordsLost)
    assert "1,000 records of **t-0** were **deleted before they were read**" in sentence_of(
        finding, group, facts
    ).replace("\\", "")


@pytest.mark.parametrize(
    ("owners", "lags", "sentence"),
    [
        # 990 of 1,000 records are in t-0.
        ([0, 1, 2], [990, 5, 5], "t-0, read by c0 (10.0.0.1), holds 99 % of the lag"),
        # c0 and c1 have 960 of 1,000, each of their partitions less than half; c2 to c4 have 40.
        (
            [0, 0, 1, 1, 2, 3, 4], [240, 240, 240, 240, 20, 10, 10],
            "c0 and c1 (10.0.0.1) have 96 % of the lag: they have stalled or get more",
        ),
        # All three have their share, and a fourth would find no partition.
        ([0, 1, 2], [300, 350, 350], "Records wait for 3 of 3 consumers: too slow for"),
    ],
)  # fmt: skip
def test_one_snapshot_says_where_the_lag_is(
    owners: list[int], lags: list[int], sentence: str
) -> None:
    members = [f"c{m}" for m in range(max(owners) + 1)]
    group = Group.of(["t"], [len(lags)], members, owners=owners, lags=lags)

    (seen,) = concentrated(group, group.counted_lags > 0)

    words = sentence_of(seen, group, facts_of(group, None, None), {"c0": "/10.0.0.1"})
    assert sentence in words.replace("**", "").replace("\\", "")


def test_a_group_without_lag_has_nothing_to_see() -> None:
    group = Group.of(["t"], [2], ["c0"], owners=[0, 0], lags=[0, 0])

    assert concentrated(group, group.counted_lags > 0) == []
