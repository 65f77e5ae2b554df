import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from assignors.single_member import unless_single_member
from benchmarks.measuring import anew
from tests.groups import tried


def _refused(group: Group) -> Owners:
    message = f"asked about {group.member_count} members"
    raise AssertionError(message)


def test_a_single_member_owns_everything_without_running_the_strategy() -> None:
    group = Group.fresh({"t": 2, "u": 1}, ["c0"])

    assert unless_single_member(_refused)(group).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(Group.fresh({"t": 2, "u": 1}, {"c0": ["t"]}), id="leaves a topic out"),
        pytest.param(Group.fresh({"t": 2}, ["c0", "c1"]), id="not alone"),
        pytest.param(Group.fresh({"t": 2}, []), id="nobody there"),
    ],
)
def test_every_other_group_goes_to_the_strategy(group: Group) -> None:
    with pytest.raises(AssertionError, match="asked about"):
        unless_single_member(_refused)(group)


@given(
    sizes=st.lists(st.integers(0, 5), max_size=3),
    owned=st.lists(st.tuples(st.sampled_from(["t0", "t1"]), st.integers(0, 4)), max_size=6),
    is_static=st.booleans(),
    lags=st.lists(st.integers(0, 9), min_size=15, max_size=15),
)
@tried(150)
def test_every_strategy_would_have_answered_the_same(
    sizes: list[int], owned: list[tuple[str, int]], is_static: bool, lags: list[int]
) -> None:
    topics = {f"t{t}": Topic(size, lags=lags[:size]) for t, size in enumerate(sizes)}
    member = Member(
        "c0", list(topics), instance_id="i" if is_static else None, owned=owned, generation=1
    )
    group = group_of(topics, [member])

    for name, strategy in STRATEGIES.items():
        if name in ("lag-capped", "lag-skew"):  # functions with one more argument
            found = STRATEGIES["lag-skew"].settle.func.__wrapped__(anew(group), skew=2)  # type: ignore[attr-defined]
        else:
            found = strategy.settle.__wrapped__(anew(group))  # type: ignore[attr-defined]
        assert found.tolist() == np.zeros(group.partition_count).tolist()
