"""A slow host is told from a hot partition and from too few consumers."""

import numpy as np
import pytest

from assignors.model import Group
from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.diagnosis.findings import Full, Hot, Look, SlowConsumers, SlowTopic, TooHot, Uneven
from evaluation.measuring.facts import Source, Speed
from evaluation.measuring.offset_history import Moment, OffsetHistory
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.advice.groups import Case, figures
from tests.answers import NextRebalance
from tests.doors import texts
from tests.doors.texts import Flow
from tests.pasted import the_group
from tests.said import figures_in


def keeps_up(owner: int, arriving: float = 100.0) -> Flow:
    return Flow(owner, 1_000, 0, arriving, arriving)


def lags(owner: int, reading: float, arriving: float = 100.0) -> Flow:
    return Flow(owner, 1_000, 4_000, arriving, reading)


def answered(*flows: Flow) -> Answer:
    """Return the answer on two outputs of the tool, a minute apart."""
    return answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())


def test_one_consumer_that_reads_less_of_a_usual_partition_is_slow_and_its_key_is_not_hot() -> None:
    found = answered(keeps_up(0), keeps_up(1), lags(2, 20.0), keeps_up(3))

    assert found.verdict.kind is VerdictKind.SLOW_CONSUMER
    assert (found.verdict.members, found.verdict.partitions) == ((2,), (2,))
    names = ("arriving_per_s", "reading_per_s", "others_per_s", "each_per_s")
    assert figures(found.verdict, *names) == [100, 20, 100, None]
    assert found.verdict.look_at == (Look.HOST, Look.DOWNSTREAM, Look.LOG)
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK
    assert [each.action for each in found.options if each.why_not is None][1:] == [Action.LOOK]


def test_a_slow_consumer_of_several_partitions_asks_for_no_further_consumers() -> None:
    # c1 reads 150/s; three others read 300/s of as many partitions.
    found = answered(*(lags(1, 50.0) if k // 3 == 1 else keeps_up(k // 3) for k in range(12)))

    assert found.verdict.kind is VerdictKind.SLOW_CONSUMER
    assert figures(found.verdict, "reading_per_s", "others_per_s") == [150, 300]
    assert found.known.facts.speed == Speed(300, Source.MEASURED, is_least=True)
    assert Action.ADD_CONSUMERS not in {each.action for each in found.options}


def test_of_two_consumers_the_slow_one_is_named() -> None:
    found = answered(lags(0, 80.0), lags(0, 80.0), keeps_up(1), keeps_up(1))

    assert (found.verdict.kind, found.verdict.members) == (VerdictKind.SLOW_CONSUMER, (0,))


def test_a_little_less_than_others_read_is_no_slowness_where_all_are_at_their_limit() -> None:
    # 100/s arrive for each of four; worker-3 alone has no backlog.
    found = answered(lags(0, 88.0), lags(1, 99.0), lags(2, 99.0), keeps_up(3))

    assert (found.verdict.kind, found.verdict.members) == (VerdictKind.FULL, (0, 1, 2, 3))
    assert found.verdict.figures.lag_records == found.group.counted_lags.sum()
    assert figures(found.verdict, "arriving_per_s", "reading_per_s") == [400, 386]


def test_several_slow_consumers_say_what_each_reads() -> None:
    found = answered(*(lags(k, 40.0) if k < 2 else keeps_up(k) for k in range(6)))

    assert found.verdict.members == (0, 1)
    names = ("arriving_per_s", "reading_per_s", "each_per_s")
    assert figures(found.verdict, *names) == [200, 80, 40]


def test_where_most_consumers_are_slow_it_is_no_matter_of_single_hosts() -> None:
    found = answered(*(lags(k, 40.0) if k < 4 else keeps_up(k) for k in range(6)))

    assert not [each for each in found.findings if isinstance(each, SlowConsumers)]
    assert not [each for each in found.findings if isinstance(each, TooHot)]


@pytest.mark.parametrize(("arriving", "kind"), [(140.0, Uneven), (150.0, TooHot)])
def test_a_partition_is_hot_where_clearly_more_arrives_than_in_others(
    arriving: float, kind: type[Uneven | TooHot]
) -> None:
    # It reads as much as its peers.
    found = answered(*(keeps_up(k) for k in range(7)), lags(7, 100.0, arriving))

    assert [type(each) for each in found.findings] == [kind]
    assert found.verdict.is_alarm


def test_a_consumer_that_gets_much_more_than_others_read_is_overloaded_not_slow() -> None:
    # c0 reads 160/s of 240/s, c1 80/s of 80/s.
    found = answered(*(lags(0, 40.0, 60.0) for _ in range(4)), *(keeps_up(1, 20.0) for _ in "1234"))

    assert [type(each) for each in found.findings] == [Uneven]
    assert found.known.facts.speed == Speed(160, Source.MEASURED)


def test_records_of_another_topic_may_cost_more() -> None:
    # c0 alone reads topic a, 20/s of 100/s; b's two consumers read 100/s each.
    first, last = (
        Group.of(
            ["a", "b"],
            [1, 2],
            ["c0", "c1", "c2"],
            owners=[0, 1, 2],
            lags=np.subtract(ends, read),
        ).with_offsets(end=ends, committed=read)
        for ends, read in (
            ([5_000, 1_000, 1_000], [1_000] * 3),
            ([11_000, 7_000, 7_000], [2_200, 7_000, 7_000]),
        )
    )
    history = OffsetHistory((Moment.of(first, 0.0), Moment.of(last, 60.0)))

    found = Case(last, history)

    assert [type(each) for each in found.findings] == [Uneven]
    assert found.answer.verdict.kind is VerdictKind.NEVER_CATCHES_UP


def test_a_hot_partition_beside_others_is_moved_where_a_consumer_may_read_it_alone() -> None:
    # c0 reads 250/s of 450/s, 400/s of them in one partition; two others keep up with 300/s.
    flows = [lags(0, 200.0, 400.0), lags(0, 50.0, 50.0), *(keeps_up(k, 75.0) for k in (1, 2) * 4)]
    found = answered(*flows)

    hot = next(each for each in found.findings if isinstance(each, Hot))
    assert hot.partitions == (0,)
    assert not [each for each in found.findings if isinstance(each, TooHot)]
    assert found.verdict.kind is VerdictKind.NEVER_CATCHES_UP


@pytest.mark.parametrize(("arriving", "said"), [(150.0, "1.5"), (390.0, "3.9"), (2_000.0, "20")])
def test_a_hot_partition_says_how_many_times_the_usual_it_gets(arriving: float, said: str) -> None:
    found = answered(*(keeps_up(k) for k in range(11)), lags(11, 100.0, arriving))

    assert found.verdict.kind is VerdictKind.TOO_HOT
    assert said in figures_in(words_of(found).headline)


def two_topics(
    arriving: list[list[int]], reading: list[list[int]], owners: list[int] | None = None
) -> Case:
    """Return what two snapshots a minute apart show of topics a and b on c0 and c1; records/s.

    8,000 wait at first where less is read than arrives, else 10.
    """
    came, read = (60 * np.concatenate(each) for each in (arriving, reading))
    ends = np.where(read < came, 9_000, 1_010)
    groups = [
        Group.of(
            ["a", "b"], [len(each) for each in arriving], ["c0", "c1"],
            owners=owners or [0, 1] * (came.size // 2), lags=ends + came * k - 1_000 - read * k,
        ).with_offsets(end=ends + came * k, committed=1_000 + read * k)
        for k in range(2)
    ]  # fmt: skip
    return Case(
        groups[-1], OffsetHistory(tuple(Moment.of(g, 60.0 * k) for k, g in enumerate(groups)))
    )


def test_a_topic_that_falls_behind_on_consumers_with_time_for_more_of_another_is_slow() -> None:
    # b gets 40/s in each partition and 5/s are read, while each consumer reads 2 x 200/s of a.
    found = two_topics([[200] * 4, [40] * 4], [[200] * 4, [5] * 4])

    (slow,) = found.findings

    assert isinstance(slow, SlowTopic)
    assert (slow.members, slow.partitions, slow.lag) == ((0, 1), (4, 5, 6, 7), 4 * 10_100)
    assert (slow.arriving, slow.reading, slow.others) == (160, 20, 800)
    assert found.answer.verdict.kind is VerdictKind.SLOW_TOPIC
    assert "b falls behind" in found.said
    assert [each.action for each in found.answer.options if each.why_not is None][1:] == [
        Action.LOOK
    ]


@pytest.mark.parametrize(
    ("arriving", "reading"),
    [
        ([[20] * 4, [200] * 4], [[20] * 4, [80] * 4]),  # short of time: as much of each is read
        ([[200] * 4, [40] * 4], [[150] * 4, [5] * 4]),  # both are behind
    ],
)
def test_consumers_short_of_time_leave_the_busiest_topic_behind_which_is_not_slow(
    arriving: list[list[int]], reading: list[list[int]]
) -> None:
    assert two_topics(arriving, reading).causes == (Full,)


def test_a_topic_whose_records_come_in_a_burst_is_not_slow() -> None:
    # Of b, 40/s arrived in each partition for a minute, after 5/s; 5/s are read throughout.
    came, read = np.array([200] * 4 + [5] * 4), np.array([200] * 4 + [5] * 4)
    burst = np.array([200] * 4 + [40] * 4)
    ends = [np.full(8, 9_000), 9_000 + 60 * came, 9_000 + 60 * (came + burst)]
    groups = [
        Group.of(
            ["a", "b"], [4, 4], ["c0", "c1"],
            owners=[0, 1] * 4, lags=end - 8_990 - 60 * read * k,
        ).with_offsets(end=end, committed=8_990 + 60 * read * k)
        for k, end in enumerate(ends)
    ]  # fmt: skip
    moments = (Moment.of(g, 60.0 * k) for k, g in enumerate(groups))
    found = Case(groups[-1], OffsetHistory(tuple(moments)))

    assert found.facts.arriving[4:].min() > 5 * 1.05  # b falls behind
    assert SlowTopic not in found.causes


def test_a_topic_of_which_one_consumer_keeps_up_is_not_slow() -> None:
    found = two_topics([[200] * 4, [40] * 4], [[200] * 4, [5, 40, 5, 40]])

    assert SlowTopic not in found.causes


def test_a_topic_that_one_consumer_alone_reads_hides_no_slow_host() -> None:
    # c0 reads 60/s of a and 20/s of b, which it alone reads; c1 reads 100/s of a.
    found = two_topics([[100, 100], [33]], [[60, 100], [20]], [0, 1, 0])

    (slow,) = found.findings
    assert isinstance(slow, SlowConsumers)
    assert (slow.members, slow.partitions) == ((0,), (0, 2))
    assert (slow.arriving, slow.reading, slow.others) == (133, 80, 100)


def test_of_a_slow_topic_with_one_reader_among_several_the_host_may_be_slow() -> None:
    alone = two_topics([[200, 200], [40]], [[200, 200], [5]], [0, 1, 0])
    shared = two_topics([[200, 200], [40, 40]], [[200, 200], [5, 5]])

    assert alone.causes == shared.causes == (SlowTopic,)
    assert Look.HOST in alone.answer.verdict.look_at
    assert Look.HOST not in shared.answer.verdict.look_at
    assert "c0 alone reads it" in alone.said


def test_one_snapshot_says_which_topic_alone_is_behind() -> None:
    lags = [3, 3, 20_000, 20_000]
    group = Group.of(["a", "b"], [2, 2], ["c0", "c1"], owners=[0, 1, 0, 1], lags=lags)
    every = group.with_lags([9_000, 9_000, 20_000, 20_000])

    assert "on b alone" in Case(group, OffsetHistory()).said
    assert "alone" not in Case(every, OffsetHistory()).said
