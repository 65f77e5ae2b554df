"""What two snapshots tell without a clock: what stood still, and what happened to the owners."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.measuring.movement import moved
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.rebalance.owner_changes import changes


def snapshot(members: list[str], owners: list[int], ends: list[int], read: list[int]) -> Group:
    return Group.of(
        ["t"], [len(ends)], members, owners=owners, lags=np.subtract(ends, read)
    ).with_offsets(end=ends, committed=read)


def history(*groups: Group, at_s: tuple[float, ...] | None = None) -> OffsetHistory:
    times = at_s or (np.nan,) * len(groups)
    return OffsetHistory(
        tuple(Moment.of(group, when) for group, when in zip(groups, times, strict=True))
    )


def test_undated_snapshots_tell_which_offsets_stood_still_while_records_arrived() -> None:
    before = snapshot(["a", "b"], [0, 0, 1, 1], [500, 500, 500, 90], [400, 500, 500, 90])
    after = snapshot(["a", "b"], [0, 0, 1, 1], [740, 740, 740, 90], [400, 500, 735, 90])

    found = moved(after, history(before, after))

    assert found is not None
    assert found.arrived.tolist() == [240, 240, 240, 0]
    assert found.read.tolist() == [0, 0, 235, 0]
    # The second had read everything at first, the last has nothing to read.
    assert found.waited.tolist() == [100, 0, 0, 0]


def test_one_snapshot_tells_nothing_of_movement() -> None:
    alone = snapshot(["a"], [0], [5], [1])

    assert moved(alone, history(alone)) is None
    assert moved(alone, OffsetHistory()) is None


def test_owners_that_stay_are_no_change() -> None:
    before = snapshot(["a", "b"], [0, 1], [5, 5], [1, 1])
    after = snapshot(["a", "b"], [0, 1], [9, 9], [3, 3])

    assert changes(after, history(before, after)) == ()


def test_a_join_says_who_came_what_moved_and_what_had_to() -> None:
    before = snapshot(["a", "b"], [0, 0, 0, 1, 1, 1], [9] * 6, [5] * 6)
    after = snapshot(["a", "b", "c"], [0, 1, 2, 1, 2, 0], [19] * 6, [10] * 6)

    (found,) = changes(after, history(before, after, at_s=(100.0, 160.0)))

    assert found.rebalance.joined == ("c",)
    assert found.rebalance.left == ()
    assert found.stayed == ("a", "b")
    # t-1, t-2, t-4 and t-5 changed owner; giving c a third of six takes two.
    assert (found.rebalance.moved, found.must_move) == (4, 2)
    assert (found.waited, found.arrived, found.read, found.between_s) == (24, 60, 30, 60)


_FIRST = [f"app-{k}-0d1d3cc6-1111-4444-8888-00000000000{k}" for k in (1, 2)]
_THEN = [f"app-{k}-9c9d3cc6-2222-4444-8888-00000000000{k}" for k in (1, 2)]


@pytest.mark.parametrize(("committed", "read"), [([400, 400], 0), ([400, 430], 30)])
def test_consumers_that_all_came_back_under_new_ids_are_renewed(
    committed: list[int], read: int
) -> None:
    before = snapshot(_FIRST, [0, 1], [500, 500], [400, 400])
    after = snapshot(_THEN, [0, 1], [560, 560], committed)

    (found,) = changes(after, history(before, after))

    assert (found.waited, found.arrived, found.read) == (200, 120, read)
    assert found.stayed == ()
    assert found.renewed == ("app-1", "app-2")
    assert set(found.rebalance.joined) == set(_THEN)
    assert set(found.rebalance.left) == set(_FIRST)


def test_a_consumer_that_came_back_under_a_new_id_beside_others_is_renewed_alone() -> None:
    before = snapshot(_FIRST, [0, 1], [500, 500], [400, 400])
    after = snapshot([_FIRST[0], _THEN[1]], [0, 1], [560, 560], [400, 400])

    (found,) = changes(after, history(before, after))

    assert found.renewed == ("app-2",)
    assert found.stayed == (_FIRST[0],)
