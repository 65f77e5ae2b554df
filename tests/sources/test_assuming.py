"""What is assumed of a group whose source leaves something open."""

import numpy as np
import pytest

from assignors.catalogue import strategies
from assignors.certainty import EXACT, Known
from assignors.model import Group
from sources.assuming import assume


@pytest.mark.parametrize("knows_racks", [False, True])
def test_racks_are_unknown_unless_the_source_tells_them(*, knows_racks: bool) -> None:
    group = Group.fresh({"t": 2}, ["a", "b"])

    _, assumed = assume(group, knows_racks=knows_racks)

    assert assumed.racks_unknown is not knows_racks


@pytest.mark.parametrize("lists_members", [False, True])
def test_a_group_without_consumers_may_have_some_unless_the_source_lists_them(
    *, lists_members: bool
) -> None:
    group = Group.of(["t"], [2], [])

    _, assumed = assume(group, lists_members=lists_members)

    assert assumed.members_unknown is not lists_members


@pytest.mark.parametrize(
    ("owners", "strategy", "misfits"),
    [
        ([0, 0, 1, 1], "range", 1),  # range gives c0 two, c1 and c2 one each
        ([0, 0, 1, 2], "range", 0),
        ([0, 0, 1, 1], "sticky", 0),  # it keeps owners
        ([0, 0, 1, 1], None, 0),
    ],
)
def test_owners_that_the_named_strategy_does_not_give_show_that_something_is_missing(
    owners: list[int], strategy: str | None, misfits: int
) -> None:
    group = Group.fresh({"t": 4}, ["c0", "c1", "c2"]).owned_by(np.array(owners))

    _, assumed = assume(group, strategy, lists_members=True)

    assert assumed.misfits == misfits
    certainty = assumed.qualified(EXACT, group, strategies()["roundrobin"])
    assert certainty.known is (Known.CONDITIONAL if misfits else Known.EXACT)
