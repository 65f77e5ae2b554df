"""The ranking of groups, compared with the same rules written plainly, group by group."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import UNKNOWN
from evaluation.comparing.ranking import Pool, Scores, rank_order, scores
from evaluation.comparing.window import PRESENT, SnapshotFigures

STRATEGIES = 4
JARS, EAGER = (False, False, True, False), (False, True, True, False)
REFUSED = {(0, 1), (1, 3), (2, 2), (9, 1)}
"""Groups and strategies; the last is none of the groups."""


@dataclass(frozen=True)
class Entry:
    group: int
    at: int
    strategy: int
    max_load: int
    unowned: int
    moves: float
    members: int


@st.composite
def entries(draw: st.DrawFn) -> list[Entry]:
    """Draw few distinct figures, so that many are equal; strategies may lack a result."""
    found = []
    for group in range(draw(st.integers(1, 3))):
        for at in range(draw(st.integers(1, 4))):
            for strategy in range(STRATEGIES):
                if strategy == PRESENT or draw(st.integers(0, 5)):
                    lag = draw(st.sampled_from([UNKNOWN, 0, 100, 100, 105, 106, 300, 2**62]))
                    unowned = draw(st.sampled_from([0, 0, 0, 1]))
                    moves = draw(st.sampled_from([math.nan, 0.0, 2.0]))
                    members = draw(st.integers(0, 1))
                    found.append(Entry(group, at, strategy, lag, unowned, moves, members))
    return draw(st.permutations(found))


def figures(rows: Sequence[Entry]) -> SnapshotFigures:
    longs: dict[str, Any] = {
        name: np.array([getattr(row, name) for row in rows], np.int64)
        for name in ("group", "at", "strategy", "max_load", "unowned", "members")
    }
    moves = np.array([row.moves for row in rows], np.float64)
    return SnapshotFigures(
        **longs,
        max_lag=longs["max_load"] // 2,
        total_load=np.maximum(longs["max_load"], 0),
        lower_bound=np.minimum(longs["max_load"], 100),
        partitions=longs["members"],
        idle_members=moves,
        max_over_mean_load=moves,
        moved_from_present=moves,
        moved_from_previous=moves,
    )


def pool(refused: Iterable[tuple[int, int]] = (), size: int = STRATEGIES) -> Pool:
    return Pool(
        takes_jar=np.array(JARS[:size]),
        stops_all=np.array(EAGER[:size]),
        refused=np.array(sorted(refused), np.int64).reshape(-1, 2).T,
    )


def judged(rows: Sequence[Entry]) -> tuple[set[int], bool]:
    """Return the snapshots of one group that count, and whether a gain can be known."""
    times = {row.at for row in rows}
    known = {at for at in times if all(r.max_load != UNKNOWN for r in rows if r.at == at)}
    owned = set()
    for at in known:
        unowned = {row.strategy: row.unowned for row in rows if row.at == at}
        if unowned[PRESENT] <= min(unowned.values()):
            owned.add(at)
    return (owned, True) if owned else (known, False)


def expected(
    rows: Sequence[Entry], refused: set[tuple[int, int]] = REFUSED, *, jars_last: bool = False
) -> tuple[int, Fraction | None, bool]:
    """Return one group's strategy, its mean of the largest lag, and whether the gain is known."""
    group = rows[0].group
    times, is_comparable = judged(rows)
    loads = {
        k: [r.max_load for r in rows if r.strategy == k and r.at in times]
        for k in range(STRATEGIES)
    }
    means = {
        k: Fraction(sum(each), len(times))
        for k, each in loads.items()
        if times and len(each) == len(times)
    }
    today = means.get(PRESENT)
    others = {k: mean for k, mean in means.items() if k != PRESENT and (group, k) not in refused}
    if today is None:
        return PRESENT, today, is_comparable
    passing = {k for k, mean in others.items() if today - mean >= max(Fraction(1), today / 20)}
    if not is_comparable:
        passing = {*others}
    if jars_last:
        passing = {k for k in passing if not JARS[k]} or passing
    if not passing:
        return PRESENT, today, is_comparable
    least = min(others[k] for k in passing)
    near = [k for k in passing if others[k] <= least + today / 20]
    chosen = min(near, key=lambda k: (*moved(rows, k), EAGER[k], others[k], k))
    return chosen, means[chosen], is_comparable


def moved(rows: Sequence[Entry], strategy: int) -> tuple[float, float]:
    first = min(row.at for row in rows)
    own = [row for row in rows if row.strategy == strategy]
    at_first = next((r.moves for r in own if r.at == first), math.nan)
    known = sorted(row.moves for row in own if not math.isnan(row.moves))
    mean = sum(known) / len(known) if known else at_first
    return (0.0 if math.isnan(mean) else mean, -1.0 if math.isnan(at_first) else at_first)


@given(entries())
def test_groups_are_judged_by_the_rules(rows: list[Entry]) -> None:
    found = scores(figures(rows), pool(REFUSED))

    assert found.group.tolist() == sorted({row.group for row in rows})
    for place, group in enumerate(found.group.tolist()):
        own = [row for row in rows if row.group == group]
        strategy, lag, is_comparable = expected(own)
        assert found.strategy[place] == strategy
        proposed, least, _ = expected(own, jars_last=True)
        assert found.proposed[place] == proposed
        assert same(found.proposed_load[place], least)
        assert same(found.max_load[place], lag)
        assert math.isnan(found.gain_load[place]) == (lag is None or not is_comparable)
        assert found.snapshots[place] == len(judged(own)[0])
        would_gain = is_comparable and expected(own, set())[0] != PRESENT
        has_members = any(row.members > 0 for row in own if row.strategy == PRESENT)
        assert (found.reason[place] == "refused") == (
            would_gain and strategy == PRESENT and has_members
        )


@given(entries(), st.randoms())
def test_neither_the_order_of_entries_nor_other_groups_make_a_difference(
    rows: list[Entry], random: Random
) -> None:
    shuffled = random.sample(rows, len(rows))

    together = scores(figures(shuffled), pool())

    for place, group in enumerate(together.group.tolist()):
        alone = scores(figures([row for row in rows if row.group == group]), pool())
        for name in Scores.__dataclass_fields__:
            np.testing.assert_array_equal(getattr(together, name)[[place]], getattr(alone, name))


def test_groups_rank_by_gain_then_lag_then_the_tie_breaks_and_unknown_gains_last() -> None:
    gain = np.array([1.0, math.nan, 5.0, 5.0, 5.0, math.nan])
    lag = np.array([9.0, 9.0, 6.0, 7.0, 6.0, math.nan])
    name = np.array([0, 0, 5, 0, 4, 0])

    assert rank_order((gain, lag), (name,)).tolist() == [3, 4, 2, 0, 1, 5]


def same(found: float, lag: Fraction | None) -> bool:
    return math.isnan(found) if lag is None else math.isclose(found, float(lag), rel_tol=1e-15)


def test_nothing_in_nothing_out() -> None:
    assert scores(figures([]), pool()).group.size == 0


def history(group: int, *lags: tuple[int, int]) -> list[Entry]:
    """Return a group's snapshots: the largest lag as it was, and under strategy 1."""
    return [
        Entry(group, at, strategy, lag, 0, 0.0, 1)
        for at, pair in enumerate(lags)
        for strategy, lag in enumerate(pair)
    ]


def test_what_the_first_half_advised_is_judged_on_the_second() -> None:
    kept = history(0, (100, 60), (100, 60), (200, 150), (200, 150))
    lost = history(1, (100, 60), (100, 60), (100, 130), (100, 130))

    found = scores(figures([*kept, *lost]), pool(size=2))

    assert found.tested_strategy.tolist() == [1, 1]
    assert found.promised_share.tolist() == [0.4, 0.4]
    assert found.kept_share.tolist() == [0.25, -0.3]


def test_nothing_is_judged_where_nothing_was_promised_or_only_one_snapshot_is_there() -> None:
    idle, single = history(0, (100, 100), (100, 50)), history(1, (100, 50))

    found = scores(figures([*idle, *single]), pool(size=2))

    assert found.tested_strategy.tolist() == [PRESENT, -1]
    assert np.isnan([found.promised_share, found.kept_share]).all()


def test_an_unknown_promise_is_neither_kept_nor_broken() -> None:
    rows = history(0, (100, 60), (100, 60))
    unread = [replace(row, unowned=1) if (row.at, row.strategy) == (0, PRESENT) else row
              for row in rows]  # fmt: skip

    found = scores(figures(unread), pool(size=2))

    assert found.tested_strategy.tolist() == [1]
    assert np.isnan([found.promised_share, found.kept_share]).all()


@given(entries())
def test_each_half_is_judged_as_if_it_were_alone(rows: list[Entry]) -> None:
    found = scores(figures(rows), pool())

    tested = found.tested_strategy.tolist()
    for group, strategy in zip(found.group.tolist(), tested, strict=True):
        moments = sorted({row.at for row in rows if row.group == group})
        early = moments[: -(-len(moments) // 2)]
        first = [row for row in rows if row.group == group and row.at in early]
        alone = scores(figures(first), pool())
        assert strategy == (alone.strategy.item() if len(moments) > 1 else -1)
        promised = found.promised_share[found.group == group]
        if len(moments) > 1 and strategy != PRESENT:
            assert np.array_equal(promised, alone.gain_share, equal_nan=True)
        else:
            assert np.isnan(promised).all()
