"""A verdict at a glance that is called final is that of the whole answer."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.answering.compose import answer_of
from evaluation.measuring.offset_history import Moment, OffsetHistory
from sources.asking import given_of
from sources.live_groups import reading_of, reread
from tests.watching.simulated import SimulatedGroup
from watching.answers import at_a_glance

_RATES = st.sampled_from([0, 1, 60, 600, 6_000])


@st.composite
def _histories(draw: st.DrawFn) -> tuple[SimulatedGroup, list[tuple[list[int], list[int]]]]:
    """Draw a group, and how many records arrive on and are read of each partition, poll by poll."""
    partitions = draw(st.integers(1, 6))
    consumers = tuple("abcd"[: draw(st.integers(0, 4))])
    each = st.lists(_RATES, min_size=partitions, max_size=partitions)
    steps = draw(st.lists(st.tuples(each, each), min_size=1, max_size=4))
    if draw(st.booleans()):
        steps = [(arrived, arrived) for arrived, _ in steps]  # it keeps up
    return SimulatedGroup("g", partitions=partitions, consumers=consumers), steps


@pytest.mark.proof
@given(drawn=_histories())
@settings(max_examples=40, deadline=None)
def test_a_final_verdict_is_that_of_the_whole_answer(
    drawn: tuple[SimulatedGroup, list[tuple[list[int], list[int]]]],
) -> None:
    group, steps = drawn
    moments: list[Moment] = []
    then, reading = None, None
    for number, (arrived, read) in enumerate(steps):
        for partition, (more, less) in enumerate(zip(arrived, read, strict=True)):
            group.ends[partition] += more
            group.committed[partition] = min(
                group.committed[partition] + less, group.ends[partition]
            )
        now = group.read()
        reading = reading_of(now) if then is None or reading is None else reread(reading, then, now)
        then = now
        moments.append(Moment.of(reading.group, 60.0 * number))
    assert reading is not None
    asked = given_of(replace(reading, history=OffsetHistory(tuple(moments))))

    glanced = at_a_glance(asked)

    if glanced.is_verdict_final:
        assert glanced.verdict.kind is answer_of(asked).verdict.kind


@pytest.mark.parametrize(
    ("group", "more", "final"),
    [
        (SimulatedGroup("even"), (), True),
        (SimulatedGroup("empty", consumers=()), (), True),
        (SimulatedGroup("odd count", partitions=3), (), True),
        (SimulatedGroup("alone", consumers=("a",)), (0, 2), True),
        (SimulatedGroup("one consumer has both busy partitions"), (0, 2), False),
        (SimulatedGroup("each consumer has a busy partition"), (0, 1), True),
    ],
    ids=lambda each: each.name if isinstance(each, SimulatedGroup) else "",
)
def test_simulations_matter_only_where_a_better_spread_is_possible(
    group: SimulatedGroup, more: tuple[int, ...], final: bool
) -> None:
    moments = []
    for number in range(4):
        group.pass_(60.0)
        for partition in more:
            group.ends[partition] += 30_000
            group.committed[partition] = group.ends[partition]
        reading = reading_of(group.read())
        moments.append(Moment.of(reading.group, 60.0 * number))

    glanced = at_a_glance(given_of(replace(reading, history=OffsetHistory(tuple(moments)))))

    assert glanced.is_verdict_final is final
