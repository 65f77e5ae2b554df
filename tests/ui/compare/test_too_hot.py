"""Why the consumer of a partition that is too hot cannot keep up, counted by hand."""

from dataclasses import replace

import numpy as np
import pytest

from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.pasted import the_group
from ui.compare.too_hot import what_ends_it, why_too_hot
from ui.picture.model import RateStack, StackChart


def answered(flows: list[texts.Flow]) -> Answer:
    return answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())


def chart(flows: list[texts.Flow]) -> StackChart | None:
    return picture(answered(flows))


def picture(answer: Answer) -> StackChart | None:
    return why_too_hot(answer.group, answer.known.times, answer.verdict)


def values(stack: RateStack) -> list[tuple[int, str]]:
    return [(round(part.value), part.kind) for part in stack.parts]


@pytest.mark.slow
def test_what_its_consumer_reads_gets_and_would_read_alone() -> None:
    # worker-3 reads 600/s of 900/s, and its two others keep up at 50/s each.
    found = chart(texts.hot_partition())

    assert found is not None
    assert found.title == "Why worker-3 cannot keep up"
    reads, gets, alone = found.stacks
    assert values(reads) == [(600, "load"), (100, "now")]
    assert values(gets) == [(900, "alarm"), (100, "now")]
    assert values(alone) == [(700, "load")]
    assert (reads.limit, gets.limit, alone.limit) == (None, 700, 900)
    assert [part.label for part in gets.parts] == ["900 clickstream-7", ""]


def test_a_consumer_that_has_nothing_else_is_told_in_two_bars() -> None:
    found = chart(texts.too_hot())

    assert found is not None
    assert [values(stack) for stack in found.stacks] == [[(500, "load")], [(2_000, "alarm")]]


def test_nothing_is_drawn_where_what_its_consumer_reads_beside_it_is_unknown() -> None:
    answer = answered(texts.hot_partition())
    times = answer.known.times
    consumed = times.consumed.copy()
    consumed[6] = np.nan

    drawn = why_too_hot(answer.group, replace(times, consumed=consumed), answer.verdict)

    assert drawn is None


@pytest.mark.slow
def test_a_split_key_ends_it_at_todays_rate_and_no_assignor_does() -> None:
    # 4,838,000 records at 600/s read and 50/s arriving: 8,796 s.
    answer = answered(texts.hot_partition())
    split, faster, assignors = what_ends_it(answer).rows  # type: ignore[union-attr]

    assert answer.proposal is not None
    assert answer.proposal.caught_up_s == pytest.approx(4_838_000 / 550)
    assert "2 h 27 min" in split[1]
    assert "900/s" in faster[1]
    assert assignors[1] == "never"


@pytest.mark.parametrize("flows", [texts.healthy(), texts.three_stopped(), texts.full()])
def test_other_verdicts_have_no_such_picture_and_no_such_table(flows: list[texts.Flow]) -> None:
    answer = answered(flows)

    assert picture(answer) is None
    assert what_ends_it(answer) is None
