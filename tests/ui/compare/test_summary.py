"""The figures above the strategies."""

import pytest

from assignors.model import Group
from evaluation.compare import compare
from tests.compared import compared
from tests.named import named
from ui.compare.summary import four

NO_PARTITIONS = Group.fresh({}, ["a", "b"])
UNWANTED = Group.fresh({"t": 2, "u": 0}, {"a": ["u"]})


@pytest.mark.parametrize("group", [NO_PARTITIONS, UNWANTED])
def test_where_nothing_can_be_assigned_nothing_is_said_of_gains(group: Group) -> None:
    found = compared(group, compare(group, named("range")), compare(group, named("fair")))

    setting, custom = four(found, group)[2:]

    for figure in (setting, custom):
        assert (figure.value, figure.note, figure.about) == ("none", "nothing to assign", "")
