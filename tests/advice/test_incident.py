"""Who is behind, why, what to do and when it is over: each case worked out by hand.

Snapshots are a minute apart; ``case(owners, (ends, committed), (ends, committed), ...)``.
"""

from dataclasses import replace

import numpy as np
import pytest

from assignors.model import Group
from evaluation.diagnosis.findings import (
    CatchingUp,
    Finding,
    Full,
    Hot,
    KeepsRebalancing,
    LagSpread,
    MoreArrives,
    NobodyReads,
    Slower,
    Stopped,
    StuckRecord,
    TooHot,
    Uneven,
)
from evaluation.facts import facts_of
from evaluation.offset_history import Moment, OffsetHistory, ownership, partition_times
from tests.advice.groups import Case, case
from tests.said import lacks
from ui.facts import rests_on, speed_words
from ui.incident.brief import hindrance
from ui.incident.sentences import sentence_of


def causes(found: Case) -> tuple[type[Finding], ...]:
    return tuple(type(finding) for finding in found.findings)


def said(found: Case, number: int = 0, **hosts: str) -> str:
    text = sentence_of(found.findings[number], found.group, found.facts, hosts)
    return text.replace("**", "").replace("\\", "").replace("\u2060", "")


def hindered(found: Case) -> str:
    return hindrance(found.findings, found.group).replace("\\", "")


def test_a_group_that_keeps_up_has_no_incident() -> None:
    assert case([0, 1], ([600, 600], [600, 600]), ([1_200, 900], [1_200, 900])).findings == ()


def test_one_snapshot_tells_no_cause_but_where_the_lag_is() -> None:
    found = case([0, 1], ([600, 600], [0, 0]))

    assert found.findings == (LagSpread(members=(0, 1), partitions=(0, 1), lag=1_200, active=2),)


def test_nobody_reads_a_group_without_consumers() -> None:
    # 6,000 + 4,000 records wait; no second snapshot is needed to say so.
    found = case([], ([9_000, 4_000], [3_000, 0]), members=0)

    assert causes(found) == (NobodyReads,)
    assert "No consumer is active: 10.0 k records wait (t 10.0 k). Start" in said(found)
    assert hindered(found) == ""


def test_a_consumer_that_commits_nothing_stands_still() -> None:
    # c1 holds t-1, committed 100 twice, while 6,000 arrive in 60 s: 100/s; 12,000 - 100 wait.
    found = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100]))

    assert causes(found) == (Stopped,)
    assert said(found, c1="/10.0.0.2") == (
        ":material/emergency: c1 (10.0.0.2) has read nothing for at least 1 min while 100/s arrive "
        "for it: 11.9 k records wait. Restart it: no strategy helps a stalled consumer."
    )
    assert hindered(found) == "c1 has stalled"


def test_a_consumer_of_a_broker_side_group_goes_by_its_client_id_and_host() -> None:
    # As above, but the ids are a broker's, 16 random bytes; both clients are called "billing".
    found = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100]))
    ids = ("2kzJX4zKR8uIyDgSLzmQyA", "9PqAbcTtR1mXyDgSLzmQyA")
    clients = dict.fromkeys(ids, "billing")
    layout = replace(found.group.layout, members=ids, client_ids=clients)
    named = found._replace(group=replace(found.group, layout=layout))

    at = {ids[1]: "/10.0.0.2"}
    told = sentence_of(named.findings[0], named.group, named.facts, at).replace("\\", "")
    assert "**billing 9PqA** (10.0.0.2) **has read nothing** for at" in told
    assert hindered(named) == "billing 9PqA has stalled"


def test_a_client_id_that_the_consumers_name_does_not_tell_stands_beside_its_host() -> None:
    found = case([0, 1], ([6_000, 6_000], [6_000, 100]), ([9_000, 12_000], [9_000, 100]))
    layout = replace(found.group.layout, client_ids={"c0": "billing", "c1": "billing"})
    named = found._replace(group=replace(found.group, layout=layout))

    assert "c1 (billing at 10.0.0.2) has read nothing for at" in said(named, c1="/10.0.0.2")
    assert "c1 (billing) has read nothing for at" in said(named)


def test_three_of_four_consumers_stand_still_since_the_second_snapshot() -> None:
    # c1 to c3 read 600 in the first minute and nothing in the next two: since 2 minutes.
    ends = [[6_000 + 600 * k] * 4 for k in range(4)]
    read = [[6_000, 0, 0, 0], [6_600, 600, 600, 600], [7_200, 600, 600, 600]]
    read.append([7_800, 600, 600, 600])
    found = case([0, 1, 2, 3], *zip(ends, read, strict=True))

    assert causes(found) == (Stopped,)
    assert "c1, c2 and c3 have read nothing for 2 min while " in said(found)


def test_an_offset_that_stands_while_its_consumer_reads_on_is_a_record_that_fails() -> None:
    # c0 holds t-0 and t-1: t-0 stands at 81,220, t-1 goes from 500 to 6,500 of 6,900.
    found = case([0, 0], ([90_000, 900], [81_220, 500]), ([93_000, 6_900], [81_220, 6_500]))

    assert causes(found)[0] is StuckRecord
    assert (
        "t-0 has been stuck at offset 81,220 for at least 1 min, while c0 reads its other"
        in said(found)
    )
    assert "No strategy helps" in said(found)
    assert hindered(found) == "t-0 is stuck at one offset"


def test_a_partition_that_gets_more_than_a_consumer_reads_needs_a_faster_one() -> None:
    # t-0: 54,000 arrive and 36,000 are read in 60 s: 900/s and 600/s. The others get 10/s.
    found = case(
        [0, 1, 1, 1],
        ([100_000, 0, 0, 0], [40_000, 0, 0, 0]),
        ([154_000, 600, 600, 600], [76_000, 600, 600, 600]),
    )

    assert causes(found) == (TooHot,)
    assert "t-0 gets 900/s (the others 10/s at the median); 600/s are read by c0." in said(found)
    assert lacks(said(found), "One consumer reads 600/s", "not enough") == []
    assert hindered(found) == "t-0 gets more than one consumer reads"


def test_what_a_hot_partition_would_still_grow_by_alone_on_a_consumer_is_said() -> None:
    # t-0 gets 900/s; c0 reads 860/s of it and 20/s of t-1, 880/s in all: 900 - 880 = 20/s.
    found = case(
        [0, 0, 1, 1],
        ([100_000, 60_000, 0, 0], [40_000, 20_000, 0, 0]),
        ([154_000, 61_200, 600, 600], [91_600, 21_200, 600, 600]),
    )

    (hot,) = (said(found, k) for k, cause in enumerate(causes(found)) if cause is TooHot)
    figures = "t-0 gets 900/s ... 10/s at the median ... 860/s ... c0 ... One consumer reads 880/s"
    assert not lacks(hot, figures, "alone is not enough ... 20/s, under every strategy ... 40/s")
    assert not lacks(hot, "faster consumers ... more partitions ... not another strategy")


@pytest.mark.parametrize(
    ("arriving", "cause", "sentence"),
    [
        (1_000, TooHot, "Its consumer reads 950/s in all, the median one 100/s, so a"),
        (1_000, TooHot, "not enough: it would still grow by 50/s, under every strategy"),
        (940, Hot, "Alone on a consumer it would catch up in"),
    ],
)  # fmt: skip
def test_a_hot_partition_is_held_against_its_own_consumer_where_that_is_the_fastest(
    arriving: int, cause: type[Finding], sentence: str
) -> None:
    # c0 reads 900/s of t-0 and 50/s of t-1; c1 to c3 have a backlog and read 100/s of 110/s.
    ends = [200_000 + 60 * arriving, 93_000, *[96_600] * 3]
    found = case(
        [0, 0, 1, 2, 3],
        ([200_000, 90_000, 90_000, 90_000, 90_000], [0] * 5),
        (ends, [54_000, 3_000, *[6_000] * 3]),
    )

    hot = said(found, causes(found).index(cause))

    assert "One consumer reads 100/s" not in hot
    assert sentence in hot
    assert "the fastest 950" in speed_words(found.facts.speed)
    assert any("though one was seen to read 950" in each for each in rests_on(found.facts))


def test_a_hot_partition_that_fits_on_a_consumer_of_its_own_is_isolated() -> None:
    # c0 reads 300/s of t-0 and 300/s of t-1: 600/s. t-0 gets 500/s and has 78,000 behind it; alone
    # it is read at 600/s: 78,000 / 100 = 780 s.
    found = case(
        [0, 0, 1, 1],
        ([100_000, 60_000, 0, 0], [34_000, 0, 0, 0]),
        ([130_000, 60_600, 600, 600], [52_000, 18_000, 600, 600]),
    )

    assert Hot in causes(found)
    hot = said(found, causes(found).index(Hot))
    assert lacks(hot, "Alone", "catch up in 13 min") == []
    assert hindered(found) == ""


def test_only_the_hot_partition_that_gets_more_than_one_consumer_reads_is_beyond_help() -> None:
    # c0 reads 600/s of t-0, which gets 900/s; c1 330/s of t-1, which gets 300/s.
    # 10,800 are left: at the median, 465/s, over in 10,800 / (465 - 300) = 65 s. Others get 10/s.
    found = case(
        [0, 1] + [2] * 18,
        ([100_000, 12_600] + [0] * 18, [40_000, 0] + [0] * 18),
        ([154_000, 30_600] + [600] * 18, [76_000, 19_800] + [600] * 18),
    )

    assert causes(found) == (TooHot, Hot)
    assert lacks(said(found, 0), "t-0 gets 900/s", "it alone is not enough", "grow by 300/s") == []
    assert "t-1" not in said(found, 0)
    assert (
        lacks(said(found, 1), "t-1 gets 300/s", "Alone on a consumer", "catch up in 1 min 5 s")
        == []
    )
    assert hindered(found) == "t-0 gets more than one consumer reads"


def test_all_consumers_busy_and_more_arriving_takes_more_consumers() -> None:
    # Each of two consumers reads 12,000 / 60 = 200/s from its two partitions, 300/s arrive for
    # each: 600/s in all. Three consumers of 200/s would be enough for that, but no two partitions
    # of 150/s fit on one: four.
    found = case(
        [0, 0, 1, 1],
        ([50_000] * 4, [0] * 4),
        ([59_000] * 4, [6_000] * 4),
    )

    assert causes(found) == (Full,)
    assert (
        "Every consumer is busy: 600/s arrive, 400/s are read, and the backlog grows by 200/s. "
        "About 4 consumers at 200/s each could keep pace, and clearing the backlog may take more; "
        "there are 2 now."
    ) in said(found)
    assert hindered(found) == "more arrives than all consumers read"


def test_where_one_partition_gets_more_than_a_consumer_reads_no_number_is_enough() -> None:
    # One partition gets 900/s where its consumer reads 200/s: five consumers, one partition.
    found = case([0], ([100_000], [0]), ([154_000], [12_000]))

    (full,) = found.findings
    assert isinstance(full, Full)
    assert (full.needed, full.too_heavy) == (None, (0,))
    assert "No number of consumers is enough: t-0 gets more" in said(found)
    assert hindered(found) == "more arrives than all consumers read"


def test_consumers_that_all_read_half_as_fast_wait_for_something_else() -> None:
    # 200/s each in the first two minutes, 100/s in the last; 200/s arrive for each throughout.
    ends = [[50_000 + 12_000 * k] * 2 for k in range(3)]
    read = [[0, 0], [12_000, 12_000], [18_000, 18_000]]
    found = case([0, 1], *zip(ends, read, strict=True))

    assert causes(found) == (Slower,)
    assert lacks(said(found), "slowly", "1 min", "400/s", "200/s now", "400/s arrive") == []
    assert "slowly" in hindered(found)


def test_twice_as_much_arriving_is_told_from_slow_consumers() -> None:
    # 200/s each are read throughout; 200/s arrive for each in the first minute, then 600/s.
    ends = [[50_000] * 2, [62_000] * 2, [98_000] * 2]
    read = [[0, 0], [12_000, 12_000], [24_000, 24_000]]
    found = case([0, 1], *zip(ends, read, strict=True))

    assert causes(found) == (MoreArrives,)
    assert (
        "More arrives than before for 1 min, 400/s then: 1,200/s arrive, 400/s are read, and the "
        "backlog grows by 800/s. No number of consumers is enough: t-0 and t-1 each get more than "
        "one reads."
    ) in said(found)


def test_some_busy_consumers_beside_idle_ones_are_a_matter_of_owners() -> None:
    # c0 holds three partitions with 100/s each and reads 200/s; c1 to c3 keep up with 100/s each.
    found = case(
        [0, 0, 0, 1, 2, 3],
        ([20_000, 20_000, 20_000, 0, 0, 0], [0, 0, 0, 0, 0, 0]),
        ([26_000, 26_000, 26_000, 6_000, 6_000, 6_000], [4_000, 4_000, 4_000, 6_000, 6_000, 6_000]),
    )

    assert causes(found) == (Uneven,)
    assert (
        "c0 has more to read than it can (300/s arrive, 200/s are read, and the backlog grows by "
        "100/s), while others keep up"
    ) in said(found)
    assert hindered(found) == ""


def test_a_backlog_that_shrinks_is_over_when_it_is_read() -> None:
    # 30,000 wait at first; 100/s arrive and 200/s are read: 24,000 / 100 = 240 s are left.
    found = case([0], ([30_000], [0]), ([36_000], [12_000]))

    assert causes(found) == (CatchingUp,)
    assert "Caught up in 4 min at the present rates: 24.0 k records wait" in said(found)
    assert hindered(found) == ""


def test_a_still_consumer_and_a_hot_partition_are_both_named() -> None:
    # c1 stands; t-0 of c0 gets 900/s where 600/s are read.
    found = case(
        [0, 1, 2, 2],
        ([100_000, 5_000, 0, 0], [40_000, 0, 0, 0]),
        ([154_000, 5_600, 600, 600], [76_000, 0, 600, 600]),
    )

    assert causes(found) == (Stopped, TooHot)
    assert "c1" in said(found, 0)
    assert "t-0" in said(found, 1)


def test_owners_that_change_at_every_snapshot_are_a_group_that_never_settles() -> None:
    ends, read = [20_000, 20_000], [0, 0]
    group = Group.of(
        ["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[20_000] * 2,
        end_offsets=ends, committed_offsets=read,
    )  # fmt: skip
    moments = tuple(
        Moment.of(group, 60.0 * k)._replace(ownership=ownership([("t", 0, f"c{k}")]))
        for k in range(4)
    )
    history = OffsetHistory(moments)
    times = partition_times(group, history)
    found = Case(group, history, times, facts_of(group, history, times))

    assert causes(found)[0] is KeepsRebalancing
    assert "owners changed 3 times in 3 min" in said(found)
    assert hindered(found) == "the group keeps rebalancing"


@pytest.mark.parametrize("members", [2, 3, 8])
def test_an_idle_consumer_is_not_one_that_stands_still(members: int) -> None:
    found = case([0], ([30_000], [0]), ([36_000], [12_000]), members=members)

    assert Stopped not in causes(found)
    assert np.isnan(found.facts.reading[1:]).all()
