"""What is assumed of a group whose source leaves something open."""

import pytest

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
