import numpy as np
from hypothesis import given

from assignors.model import Group
from assignors.registry import STRATEGIES
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.rebalance.observed import Observed, observed
from tests.groups import equal_groups


def group(owners: dict[str, list[int]], committed: int = 0, partitions: int = 4) -> Group:
    members = sorted(owners)
    return (
        Group.of(["t"], [partitions], members, lags=[10] * partitions)
        .claimed_by([owners[member] for member in members])
        .with_offsets(end=[committed + 10] * partitions, committed=[committed] * partitions)
    )


RANGE = STRATEGIES["range"]
BEFORE = group({"a": [0, 1], "b": [2, 3]})


def seen(
    after: Group, history: OffsetHistory | None = None, strategy: str | None = "range"
) -> Observed:
    found = observed(
        BEFORE, after, history or OffsetHistory(), STRATEGIES[strategy] if strategy else None
    )
    assert found is not None
    return found


def test_nothing_happens_without_joins_departures_or_moves() -> None:
    assert observed(BEFORE, group({"a": [0, 1], "b": [2, 3]}, 7), OffsetHistory(), RANGE) is None


def test_who_joins_is_named_and_moves_are_counted() -> None:
    found = seen(group({"a": [0, 1], "b": [2], "c": [3]}))

    assert (found.joined, found.left, found.timed_out) == (("c",), (), ())
    assert (found.moved, found.needless, found.unlike_prediction) == (1, 0, 0)


def test_needless_moves_and_other_owners_than_predicted_are_counted() -> None:
    found = seen(group({"a": [3, 2], "b": [1], "c": [0]}))

    assert (found.moved, found.needless) == (4, 3)
    assert found.unlike_prediction == 4  # range: a gets 0 and 1, b 2, c 3


def test_the_prediction_starts_from_what_members_owned() -> None:
    before = group({"a": [3], "b": [0, 1], "c": [2]})
    after = group({"a": [2, 3], "b": [0, 1]})

    found = observed(before, after, OffsetHistory(), STRATEGIES["sticky"])

    assert found is not None
    assert (found.moved, found.needless, found.unlike_prediction) == (1, 0, 0)


def test_without_a_known_strategy_nothing_is_predicted() -> None:
    assert seen(group({"a": [0, 1, 2, 3]}), strategy=None).unlike_prediction is None


def test_who_leaves_after_reading_has_left_and_who_fell_silent_timed_out() -> None:
    after = group({"a": [0, 1, 2, 3]})
    commits = [[0, 0, 0, 0], [9, 9, 0, 0]]
    silent = OffsetHistory(
        tuple(
            Moment(at_s, {"t": np.array([[0] * 4, [20] * 4, row])})
            for at_s, row in zip([100.0, 130.0], commits, strict=True)
        )
    )
    short = OffsetHistory(tuple(m._replace(at_s=k) for k, m in enumerate(silent.moments)))

    assert (seen(after, silent).timed_out, seen(after, silent).left) == (("b",), ())
    assert (seen(after, short).timed_out, seen(after, short).left) == ((), ("b",))


def test_a_topic_that_grows_is_a_rebalance() -> None:
    found = seen(group({"a": [0, 1, 4], "b": [2, 3, 5]}, partitions=6))

    assert (found.joined, found.left, found.moved) == ((), (), 0)


@given(equal_groups())
def test_what_a_strategy_does_is_what_it_was_predicted_to_do(drawn: Group) -> None:
    if not drawn.member_count:
        return
    strategy = RANGE
    after = drawn.owned_by(strategy.settle(drawn))

    found = observed(drawn, after, OffsetHistory(), strategy)

    assert found is None or found.unlike_prediction == 0
