"""What the library's functions take, and how they refuse anything else."""

import math
from typing import Any

import numpy as np
import pytest

from assignors import (
    FailedStrategyError,
    Group,
    InvalidArgumentError,
    InvalidNumberError,
    JudgeBy,
    Moment,
    OffsetHistory,
    Statements,
    Strategy,
    UnknownStrategyError,
    answer,
    as_data,
    compare,
    consumers_needed,
    forecast,
    lower_bound,
    read,
    strategies,
    why_not_words,
    words_of,
)

GROUP = Group.of(["t"], [4], ["a", "b"], owners=[0, 0, 1, 1], lags=[9_000, 8_000, 4_000, 3_000])


def _read(end: int, committed: int) -> Group:
    behind = GROUP.with_lags([end - committed] * 4)
    return behind.with_offsets(end=[end] * 4, committed=[committed] * 4)


EARLIER, NOW = _read(50_000, 10_000), _read(53_000, 14_000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("arriving", -5.0),
        ("arriving", math.nan),
        ("speed", 0.0),
        ("speed", -1.0),
        ("speed", "fast"),
        ("partition_cap", 0.0),
        ("interval_s", -5.0),
        ("retention_s", 0.0),
        ("horizon_min", math.inf),
    ],
)
def test_a_stated_number_out_of_bounds_is_refused_by_its_name(
    name: str,
    value: Any,  # noqa: ANN401 -- wrong on purpose
) -> None:
    with pytest.raises(InvalidNumberError, match=f"^{name} must be "):
        Statements(**{name: value})


def test_any_number_within_bounds_may_be_stated() -> None:
    stated = Statements(arriving=0.0, speed=np.int64(5), retention_s=math.inf)  # type: ignore[arg-type]

    assert answer(GROUP, stated=stated).facts.total_arriving == 0


@pytest.mark.slow
def test_what_runs_and_what_to_judge_by_may_be_named() -> None:
    named = Statements(runs="sticky", judge_by="partitions")
    objects = Statements(runs=strategies()["sticky"], judge_by=JudgeBy.PARTITIONS)

    assert as_data(answer(GROUP, stated=named)) == as_data(answer(GROUP, stated=objects))
    assert answer(GROUP, stated=named).known.measure.by is JudgeBy.PARTITIONS
    assert answer(GROUP, stated=named).running.strategy is strategies()["sticky"]


@pytest.mark.parametrize("wrong", [{"runs": 5}, {"judge_by": "lagg"}, {"judge_by": ["lag"]}])
def test_other_values_of_these_are_refused_by_the_argument_s_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError, match=f"^{next(iter(wrong))} "):
        Statements(**wrong)


def test_a_measure_that_nothing_tells_is_refused() -> None:
    by_load = Statements(judge_by=JudgeBy.WORK)

    with pytest.raises(InvalidArgumentError, match="judge_by='work' needs the arrival rate"):
        answer(GROUP, stated=by_load)


def test_a_history_may_be_a_list_of_moments() -> None:
    moments = [Moment.of(EARLIER, 0.0), Moment.of(NOW, 60.0)]

    listed, whole = answer(NOW, history=moments), answer(NOW, history=OffsetHistory(tuple(moments)))

    assert listed.facts.total_arriving == 200.0  # 3,000 records of each of 4 partitions in 60 s
    assert as_data(listed) == as_data(whole)


@pytest.mark.parametrize(
    ("moments", "refusal"),
    [
        ([Moment.of(NOW, 60.0), Moment.of(EARLIER, 0.0)], "history must be oldest first"),
        ([Moment.of(EARLIER, 60.0), Moment.of(NOW, 60.0)], "history must be oldest first"),
        ([Moment.of(EARLIER, 0.0)], "history must end with the group itself"),
        ([EARLIER, NOW], r"history\[0\] must be of type Moment, found one of type Group"),
        (5, "history must be of type OffsetHistory or Sequence, found one of type int"),
    ],
)
def test_a_history_out_of_order_or_of_something_else_is_refused(
    moments: Any,  # noqa: ANN401 -- wrong on purpose
    refusal: str,
) -> None:
    with pytest.raises(InvalidArgumentError, match=refusal):
        answer(NOW, history=moments)


def test_each_function_refuses_what_another_one_takes() -> None:
    wrong: Any = GROUP
    kind: Any = "share"
    stated: Any = {"speed": 5.0}

    with pytest.raises(InvalidArgumentError, match="group must be of type ShareGroup or"):
        forecast(wrong)
    with pytest.raises(InvalidArgumentError, match="kind must be of type GroupKind"):
        answer(GROUP, kind=kind)
    with pytest.raises(InvalidArgumentError, match="group must be of type Group"):
        answer(kind)
    with pytest.raises(InvalidArgumentError, match="group must be of type Group"):
        compare(kind)
    with pytest.raises(InvalidArgumentError, match="stated must be of type Statements"):
        answer(GROUP, stated=stated)


def test_what_another_function_takes_or_returns_is_refused_with_the_way_out() -> None:
    given: Any = read("GROUP TOPIC PARTITION LAG CONSUMER-ID\ng t 0 5 a-1\n")[0]
    text: Any = "GROUP TOPIC PARTITION LAG"
    group: Any = GROUP

    with pytest.raises(InvalidArgumentError, match=r"given\.group is one"):
        compare(given)
    for asked in (answer, compare):
        with pytest.raises(InvalidArgumentError, match=r"read\(text\)"):
            asked(text)
    with pytest.raises(InvalidArgumentError, match=r"group must be .*; read\(text\)"):
        lower_bound(text)
    with pytest.raises(InvalidArgumentError, match=r"answer\.options"):
        why_not_words(group, group)
    for told in (words_of, as_data, consumers_needed):
        with pytest.raises(InvalidArgumentError, match="answer must be of type Answer"):
            told(group)
    with pytest.raises(InvalidArgumentError, match=r"text\.decode\(\)"):
        read(text.encode())


def test_strategies_are_a_list_of_names_and_objects_wherever_they_are_asked_for() -> None:
    known: Any = answer(GROUP, stated=Statements(arriving=9.0, speed=50.0))
    number: Any = 3

    for asked in (
        lambda wanted: compare(GROUP, wanted),
        lambda w: consumers_needed(known, strategies=w),
    ):
        with pytest.raises(UnknownStrategyError, match="must be a list, found the text 'range'"):
            asked("range")
        with pytest.raises(UnknownStrategyError, match="expected a Strategy or the name of one"):
            asked([number])


def test_a_time_or_a_margin_of_another_type_is_refused() -> None:
    text: Any = "12:00"
    number: Any = 2.0

    with pytest.raises(InvalidArgumentError, match="at_s must be of type Real"):
        Moment.of(GROUP, text)
    with pytest.raises(InvalidArgumentError, match=r"margin must be .*margin=Margin\(peak="):
        consumers_needed(answer(GROUP), margin=number)


def test_an_option_is_found_by_its_strategy_or_by_its_name() -> None:
    found = answer(GROUP)

    option = found.option_for("roundrobin")

    assert option is not None
    assert option is found.option_for(strategies()["roundrobin"])
    assert found.option_for("no-such") is None


def _of_size(partitions: int, topic: str = "t") -> Group:
    whole = Group.of([topic], [partitions], ["a", "b"], lags=[39_000] * partitions)
    return whole.with_offsets(end=[53_000] * partitions, committed=[14_000] * partitions)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (EARLIER, _of_size(3)),
        (EARLIER, _of_size(5)),
        (_of_size(5), NOW),
        (_of_size(4, "u"), NOW),
    ],
)
def test_a_history_of_another_layout_is_refused(first: Group, last: Group) -> None:
    moments = [Moment.of(first, 0.0), Moment.of(last, 60.0)]

    with pytest.raises(InvalidArgumentError, match=r"^history"):
        answer(NOW, history=moments)


def test_a_topic_may_have_had_fewer_partitions() -> None:
    moments = [Moment.of(_of_size(3), 0.0), Moment.of(NOW, 60.0)]

    assert answer(NOW, history=moments).known.history.has_several


def test_a_last_moment_whose_offsets_make_other_lags_is_refused() -> None:
    moments = [Moment.of(EARLIER, 0.0), Moment.of(NOW, 60.0)]

    assert answer(GROUP.with_lags([39_000] * 4), history=moments).known.history.has_several
    with pytest.raises(InvalidArgumentError, match=r"^history must end with the group itself"):
        answer(GROUP, history=moments)


@pytest.mark.slow
def test_what_the_library_returns_is_shown_in_a_line() -> None:
    lines = "".join(f"g t {p} {p} c-{p}\n" for p in range(200))
    found = read(f"GROUP TOPIC PARTITION LAG CONSUMER-ID\n{lines}")
    told = answer(GROUP)

    history = OffsetHistory((Moment.of(EARLIER, 0.0), Moment.of(NOW, 60.0)))
    needed = consumers_needed(answer(GROUP, stated=Statements(arriving=60.0, speed=50.0)))

    shown = (found, found[0].group, told.options[0], told.verdict, told.verdict.figures, told.facts)
    assigned = compare(GROUP, ["range"])["range"]
    for each in (*shown, assigned, assigned.figures, history, history.moments[0], needed):
        assert len(repr(each)) < 200
    words = words_of(told)
    assert str(words).splitlines() == [words.headline, words.evidence, words.action]


def test_a_strategy_that_raises_is_told_by_its_name_from_the_cause() -> None:
    def divided(group: Group) -> np.ndarray[Any, np.dtype[np.int32]]:
        return group.nobody() + 1 // len(group.members[group.member_count :])

    mine = Strategy(name="mine", label="Mine", assign=divided)

    with pytest.raises(FailedStrategyError, match=r"'mine' .* ZeroDivisionError") as compared:
        compare(GROUP, ["range", mine])
    with pytest.raises(FailedStrategyError, match=r"'mine' .* ZeroDivisionError"):
        answer(GROUP, stated=Statements(runs=mine))
    known = answer(GROUP, stated=Statements(arriving=9.0, speed=50.0))
    with pytest.raises(FailedStrategyError, match=r"'mine' .* ZeroDivisionError"):
        consumers_needed(known, strategies=[mine])

    assert isinstance(compared.value.__cause__, ZeroDivisionError)
