"""What strategies answer for many groups at once is what they answer one by one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from hypothesis import given

from assignors.model import Owners
from assignors.plain_groups import PlainGroups
from assignors.registry import STRATEGIES, Sees, Strategy
from pipeline.replay import at_once
from pipeline.replay.replay import WRITTEN, Replayed, replay
from tests.groups import tried
from tests.pipeline.replay.fleets import Row, at, fleets, table

ALL: Final = tuple(STRATEGIES.values())
ALONE: Final = tuple(replace(strategy, assign_many=None) for strategy in ALL)
_LAG_STICKY: Final = STRATEGIES["lag-sticky"]


def _fleet(groups: int = 12, moments: int = 4) -> list[Row]:
    """Return groups that stay, grow, lose a member and catch up, moment after moment."""
    random = np.random.default_rng(20160411)
    rows: list[Row] = []
    for group in range(groups):
        topics, members = 1 + group % 3, 1 + group % 4
        for moment in range(moments):
            left = members - (moment > 1 and group % 5 == 4 and members > 1)
            about = {"cluster": "eu", "group_id": f"g{group:02}", "snapshot_at": at(60 * moment)}
            rows += [
                {
                    **about,
                    "topic": f"t{topic}",
                    "partition": partition,
                    "log_end_offset": 1000,
                    "committed_offset": 1000 - int(random.lognormal(3, 2)) % 999,
                    "member_id": f"c{(topic + partition) % left}",
                    "file": "0",
                }
                for topic in range(topics)
                for partition in range(2 + group % 7 + (moment > 2))
            ]
    return rows


def _same(one: Replayed, other: Replayed) -> bool:
    tables = (one.tables[name].equals(other.tables[name]) for name in WRITTEN)
    return one.checkpoint.equals(other.checkpoint) and all(tables)


@given(fleet=fleets())
@tried(120)
def test_it_leaves_the_tables_of_a_replay_one_by_one(fleet: list[Row]) -> None:
    assert _same(replay(table(fleet), ALL), replay(table(fleet), ALONE))


@given(fleet=fleets())
@tried(60)
def test_so_it_does_where_a_chain_goes_on(fleet: list[Row]) -> None:
    moments = sorted({row["snapshot_at"] for row in fleet})
    cut = moments[len(moments) // 2] if moments else at()
    first = table([row for row in fleet if row["snapshot_at"] < cut])
    then = table([row for row in fleet if row["snapshot_at"] >= cut])

    found = [replay(then, each, replay(first, each).checkpoint) for each in (ALL, ALONE)]

    assert _same(*found)


@pytest.mark.parametrize("together", [1, 5, 10_000])
def test_so_it_does_however_many_are_asked_together(together: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(at_once, "_MOST_AT_ONCE", together)
        found = replay(table(_fleet()), ALL)

    assert _same(found, replay(table(_fleet()), ALONE))


def _asked_at_once(rows: Sequence[Row], like: Strategy) -> int:
    """Return how many snapshots a strategy like this one is asked about at once."""
    asked = []

    def noting(groups: PlainGroups, owners: Owners) -> Owners:
        asked.append(groups.members.size)
        assert like.assign_many is not None
        return like.assign_many(groups, owners)

    replay(table(rows), [replace(like, assign_many=noting)])
    return sum(asked)


@pytest.mark.parametrize("name", ["range", "lag-skew", "lag-sticky"])
def test_all_snapshots_of_plain_groups_are_asked_at_once(name: str) -> None:
    assert _asked_at_once(_fleet(12, 4), STRATEGIES[name]) == 48


@pytest.mark.parametrize(
    ("changed", "sticky", "ranged"),
    [
        pytest.param({"group_instance_id": "i"}, 1, 0, id="static"),
        pytest.param({"subscribed_topics": ["t0"]}, 1, 1, id="all there is, listed"),
        pytest.param({"subscribed_topics": ["t0", "t1"]}, 0, 0, id="more than there is"),
        pytest.param({"subscribed_topics": ["t1"]}, 0, 0, id="something else"),
        pytest.param({"subscribed_topics": []}, 0, 0, id="nothing"),
    ],
)
def test_only_plain_groups_are(changed: Row, sticky: int, ranged: int) -> None:
    rows = [{**row, **changed} for row in _fleet(1, 1)]

    found = [_asked_at_once(rows, STRATEGIES[name]) for name in ("lag-sticky", "range")]

    assert found == [sticky, ranged]
    assert _same(replay(table(rows), ALL), replay(table(rows), ALONE))


def test_a_plain_snapshot_after_one_that_is_not_goes_on_from_its_answer() -> None:
    topics = ["nowhere", "t0", "t1", "t2"]
    rows = [
        {**row, "subscribed_topics": topics if row["snapshot_at"] == at() else None}
        for row in _fleet()
    ]

    assert _asked_at_once(rows, _LAG_STICKY) == 0
    assert _asked_at_once(rows, STRATEGIES["lag-skew"]) == 36
    assert _same(replay(table(rows), ALL), replay(table(rows), ALONE))


def test_members_of_which_only_some_list_their_topics_are_asked_about_alone() -> None:
    rows = _fleet(4, 1)[-5 * 1 :]
    listed = [{**row, "subscribed_topics": ["t0"] if row["member_id"] == "c0" else None}
              for row in rows]  # fmt: skip

    assert _asked_at_once(listed, _LAG_STICKY) == 0
    assert _same(replay(table(listed), ALL), replay(table(listed), ALONE))


def test_an_answer_that_names_no_member_is_asked_for_alone() -> None:
    def strangers(groups: PlainGroups, _: Owners) -> Owners:
        answer = np.zeros(groups.lags.size, np.int32)
        answer[groups.starts[1]] = groups.members[1]  # one too high, in the second group
        return answer

    like = replace(_LAG_STICKY, assign_many=strangers, sees=frozenset({Sees.LAG}))
    rows = _fleet(4, 1)

    found = replay(table(rows), [like]).checkpoint.to_pylist()

    alone = replay(table(rows), [replace(like, assign_many=None)]).checkpoint.to_pylist()
    second = [row["owners"] for row in found if row["group_id"] == "g01"]
    assert second == [row["owners"] for row in alone if row["group_id"] == "g01"]
    assert {name for row in found if row["group_id"] == "g02" for name in row["owners"]} == {"c0"}
