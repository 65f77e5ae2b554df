"""What-ifs on small groups, worked out by hand."""

import numpy as np
import pytest

from assignors.catalogue import strategy_called
from assignors.model import Group
from evaluation.what_if import InvalidWhatIfError, Weather, WhatIf, applied, titles

GROUP = Group.of(["t"], [2], ["a", "b"], owners=[0, 1], lags=[30, 10])
ARRIVING = np.array([6.0, 2.0])


def test_nothing_changes_without_a_change() -> None:
    group, notes = applied(GROUP, WhatIf(), ARRIVING)

    assert group.members == GROUP.members
    assert group.lags.tolist() == [30, 10]
    assert notes == ()


def test_more_consumers_join_without_claims_and_the_others_keep_theirs() -> None:
    group, _ = applied(GROUP, WhatIf(consumers=2), ARRIVING)

    assert group.member_count == 4
    assert group.present_owners.tolist() == [group.members.index("a"), group.members.index("b")]


def test_fewer_consumers_leave_their_partitions_unowned() -> None:
    group, _ = applied(GROUP, WhatIf(consumers=-1), ARRIVING)

    assert group.members == ("a",)
    assert group.present_owners.tolist() == [0, -1]


def test_the_last_consumer_stays_and_that_is_said() -> None:
    group, notes = applied(GROUP, WhatIf(consumers=-5), ARRIVING)

    assert group.member_count == 1
    assert notes == ("There are only 2 consumers; one is left.",)


def test_new_partitions_are_empty_and_share_what_arrives() -> None:
    # 6 + 2 records/s over four partitions are 2 each; the 40 that wait stay where they are
    group, notes = applied(GROUP, WhatIf(topic="t", partitions=4), ARRIVING)

    assert group.lags.tolist() == [30, 10, 0, 0]
    assert group.offsets.rates is not None
    assert group.offsets.rates.tolist() == [2, 2, 2, 2]
    assert "an assumption" in notes[0]


def test_unknown_arrivals_stay_unknown_in_a_larger_topic() -> None:
    group, _ = applied(GROUP, WhatIf(topic="t", partitions=4), np.full(2, np.nan))

    assert group.offsets.rates is not None
    assert np.isnan(group.offsets.rates).all()


@pytest.mark.parametrize(
    ("what_if", "said"),
    [
        (WhatIf(topic="gone", partitions=9), "There is no topic gone in this group."),
        (WhatIf(topic="t", partitions=2), "t has 2 partitions already; Kafka can only add some."),
    ],
)
def test_what_no_longer_applies_is_said_and_changes_nothing(what_if: WhatIf, said: str) -> None:
    group, notes = applied(GROUP, what_if, ARRIVING)

    assert notes == (said,)
    assert group.partition_count == 2


def test_more_may_arrive() -> None:
    group, _ = applied(GROUP, WhatIf(), ARRIVING, Weather(arrivals=1.5))

    assert group.offsets.rates is not None
    assert group.offsets.rates.tolist() == [9, 3]


def test_a_what_if_is_named_for_what_it_changes_and_twice_the_same_is_told_apart() -> None:
    more = WhatIf(consumers=10, strategy=strategy_called("sticky"))

    shown = titles([WhatIf(), more, more, WhatIf(name="plan B", consumers=1)])

    assert shown == ["As today", "+10 consumers, Sticky", "+10 consumers, Sticky (2)", "plan B"]


def test_lost_consumers_are_missing_from_every_choice() -> None:
    for more, left in ((0, 1), (1, 2), (3, 4)):
        group, _ = applied(GROUP, WhatIf(consumers=more), ARRIVING, Weather(lost=1))

        assert group.member_count == left


def test_where_nobody_reads_nobody_is_lost() -> None:
    nobody = Group.of(["t"], [2], [], lags=[30, 10])

    group, notes = applied(nobody, WhatIf(), ARRIVING, Weather(lost=1))

    assert group.member_count == 0
    assert notes == ()


@pytest.mark.parametrize(
    "numbers", [{"arrivals": -0.5}, {"arrivals": 1e9}, {"lost": -1}, {"speed": -1.0}]
)
def test_weather_out_of_range_is_refused(numbers: dict[str, float]) -> None:
    with pytest.raises(InvalidWhatIfError, match="must be 0 to"):
        Weather(**numbers)  # type: ignore[arg-type] # one number each


@pytest.mark.parametrize("numbers", [{"consumers": 10_001}, {"partitions": -1}])
def test_numbers_out_of_range_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(InvalidWhatIfError, match="must be 0 to"):
        WhatIf(**numbers)  # type: ignore[arg-type] # one number each
