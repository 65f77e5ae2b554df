"""The differences between two groups, in a few words."""

import pytest
from hypothesis import given

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from evaluation.comparing.changes import changes_between, since
from tests.groups import groups, tried

TOPICS = {"t": Topic(2, lags=[5, 7]), "u": Topic(1, lags=[9])}
MEMBERS = [
    Member("a", ["t", "u"], instance_id="i", rack="r", owned=[("t", 0)], generation=1),
    Member("b", ["t"], owned=[("t", 1)], generation=1),
]


def group(topics: dict[str, Topic] | None = None, members: list[Member] | None = None) -> Group:
    return group_of(TOPICS | (topics or {}), MEMBERS if members is None else members)


@tried(50)
@given(groups())
def test_a_group_does_not_differ_from_itself(same: Group) -> None:
    assert changes_between(same, same) == ()


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (group(members=[*MEMBERS, Member("c", ["t"])]), "1 more consumer"),
        (group(members=MEMBERS[:1]), "1 fewer consumer"),
        (group({"v": Topic(0)}), "1 more topic"),
        (group({"t": Topic(4, lags=[5, 7, 0, 0])}), "2 more partitions"),
        (group({"t": Topic(4, lags=[5, 7, 1, 0])}), "other lag"),
        (group({"u": Topic(1, lags=[10])}), "1 changed lag"),
        (group({"u": Topic(1, lags=[None])}), "1 changed lag"),
        (group({"t": Topic(2, lags=[6, 8])}), "2 changed lags"),
        (
            group(members=[MEMBERS[0], Member("b", ["t"], owned=[], generation=1)]),
            "1 changed owner",
        ),
        (
            group(members=[MEMBERS[0], Member("b", ["u"], owned=[("t", 1)], generation=1)]),
            "1 changed subscription",
        ),
        (group(members=[MEMBERS[0], Member("c", ["t"])]), "other consumers"),
        (
            group(members=[MEMBERS[0], MEMBERS[1]._replace(instance_id="j")]),
            "other static ids",
        ),
        (group(members=[MEMBERS[0], MEMBERS[1]._replace(rack="s")]), "other racks"),
    ],
)
def test_each_kind_of_change_is_described(after: Group, said: str) -> None:
    assert said in changes_between(group(), after)


def test_what_has_changed_since_another_day_is_named() -> None:
    before = Group.of(["gone", "orders"], [1, 24], ["a", "b"], lags=[0] * 24 + [900])
    after = Group.of(["new", "orders"], [2, 48], ["a", "b", "c"], lags=[0] * 49 + [70])

    assert since(before, after) == (
        "1 topic is new: new.",
        "1 topic is gone: gone.",
        "orders has 48 partitions; it had 24.",
        "3 consumers; there were 2.",
        "70 records wait; it was 900.",
    )


def test_the_same_group_with_restarted_consumers_has_other_ids_and_nothing_else() -> None:
    before = Group.of(["t"], [2], ["a", "b"], lags=[1, 2])
    after = Group.of(["t"], [2], ["a", "c"], lags=[2, 1])

    assert since(before, after) == ("1 of 2 consumers have other ids.",)
    assert since(before, before) == ()
