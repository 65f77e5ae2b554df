from dataclasses import replace

import pandas as pd
import pytest

from assignors.model import Group
from assignors.numbering import Topic, group_of
from sources.budget import LIMITS
from ui.group import checks
from ui.group.draft import CONSUMER_COLUMNS, Draft, draft_of, frame


def draft() -> Draft:
    return draft_of(Group.fresh({"orders": 3, "payments": 2}, members=["c0", "c1"]))


def with_cell(table: pd.DataFrame, row: int, column: str, value: object) -> pd.DataFrame:
    values = table[column].tolist()
    values[row] = value
    return table.assign(**{column: pd.Series(values, dtype="object")})


def sentences(wrong: Draft) -> list[str]:
    checked = checks.read(wrong)
    assert checked.group is None
    return [str(problem) for problem in checked.problems]


@pytest.mark.parametrize(
    ("row", "column", "value", "sentence"),
    [
        (
            0,
            "partitions",
            -5,
            "Topics, row 1 (orders), partitions: found -5; enter a whole number, 0 or more",
        ),
        (1, "partitions", 2.5, "Topics, row 2 (payments), partitions: found 2.5; enter a whole"),
        (1, "partitions", pd.NA, "Topics, row 2 (payments), partitions: found no number; enter a"),
        (
            1,
            "partitions",
            3_000_000,
            "Topics, partitions: 3,000,003 partitions in all; at most 1,0",
        ),
        (1, "topic", "orders", "Topics, row 2, topic: orders is also in row 1; enter another name"),
        (0, "topic", " ", "Topics, row 1, topic: is blank; enter a name, or delete the row"),
    ],
)
def test_a_wrong_topic_cell_is_named_with_the_way_out(
    row: int, column: str, value: object, sentence: str
) -> None:
    wrong = replace(draft(), topics=with_cell(draft().topics, row, column, value))

    found = sentences(wrong)

    assert any(line.startswith(sentence) for line in found), found


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("consumer", "c0", "Consumers, row 2, consumer: c0 is also in row 1"),
        ("consumer", None, "Consumers, row 2, consumer: is blank"),
        ("consumer", "a,b", "Consumers, row 2, consumer: a,b contains a comma"),
        (
            "throughput",
            -3.0,
            "Consumers, row 2 (c1), throughput: found -3; enter records per second",
        ),
        ("generation", 2**40, "Consumers, row 2 (c1), generation: found 1.09951e+12; enter"),
        ("generation", -7, "Consumers, row 2 (c1), generation: found -7; enter a whole number"),
    ],
)
def test_a_wrong_consumer_cell_is_named_with_the_way_out(
    column: str, value: object, sentence: str
) -> None:
    wrong = replace(draft(), consumers=with_cell(draft().consumers, 1, column, value))

    assert sentences(wrong)[0].startswith(sentence)


def test_two_consumers_with_one_static_id_are_refused() -> None:
    consumers = draft().consumers.assign(static_id=["i1", "i1"])

    found = sentences(replace(draft(), consumers=consumers))

    assert found[0].startswith("Consumers, row 2 (c1), static id: row 1 has the same static id")


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        (
            "lag",
            1.5,
            "Lags and owners, payments-0, lag: 1.5 is not valid; enter a whole number, or",
        ),
        ("lag", 1e30, "Lags and owners, payments-0, lag: 1e+30 is not valid; enter a whole number"),
        ("rate", -2.0, "Lags and owners, payments-0, rate: -2.0 is not valid; enter records per"),
        (
            "end",
            -1,
            "Lags and owners, payments-0, end offset: -1 is not valid; enter a whole number, 0",
        ),
        (
            "committed",
            -1,
            "Lags and owners, payments-0, committed offset: -1 is not valid; enter a",
        ),
        (
            "owner",
            "c7",
            "Lags and owners, payments-0, current owner: c7 is not in the Consumers table",
        ),
    ],
)
def test_a_wrong_partition_cell_is_named_with_the_way_out(
    column: str, value: object, sentence: str
) -> None:
    wrong = replace(draft(), partitions=with_cell(draft().partitions, 3, column, value))

    assert sentences(wrong)[0].startswith(sentence)


def test_many_wrong_cells_of_a_column_are_counted_not_listed() -> None:
    wrong = replace(draft(), partitions=draft().partitions.assign(owner="stranger"))

    found = sentences(wrong)

    assert len(found) == 4
    assert found[-1] == "Lags and owners, current owner: 2 more cells are wrong in the same way"


def test_a_negative_lag_is_taken_as_some_tools_print_it() -> None:
    group = checks.read(
        replace(draft(), partitions=draft().partitions.assign(lag=pd.array([-3] * 5, "Int64")))
    ).group

    assert group is not None
    assert group.lags.tolist() == [-3] * 5
    assert group.counted_lags.tolist() == [0] * 5


def test_lag_follows_from_offsets_when_asked() -> None:
    group = group_of(
        {"t": Topic(2, lags=[1, 1], begin=[0, 5], end=[10, 9], committed=[4, None])}, []
    )
    by_offsets = replace(draft_of(group), lag_from_offsets=True, auto_offset_reset="earliest")

    found = checks.read(by_offsets).group

    assert found is not None
    assert found.lags.tolist() == [6, 4]


def test_a_draft_larger_than_the_budget_is_refused_before_its_arrays_are_made() -> None:
    names = [f"c{k}" for k in range(LIMITS.members + 1)]
    many = frame(CONSUMER_COLUMNS, {"consumer": names})
    topics = tuple(f"t{k}" for k in range(200))

    found = sentences(replace(draft(), consumers=many, subscriptions=dict.fromkeys(names, topics)))

    assert len(found) == 2
    assert found[0].startswith("Consumers, all rows: 100,001 consumers in all; at most 100,000 can")
    assert found[1].startswith("Subscriptions, all rows: 20,000,200 subscriptions in all; at most")


@pytest.mark.slow
def test_more_racks_than_the_budget_allows_are_refused_in_a_sentence() -> None:
    racks = ",".join(f"r{k}" for k in range(200))
    wrong = replace(draft(), topics=draft().topics.assign(partitions=[999_000, 2], racks=racks))

    assert sentences(wrong)[0].startswith("Group, as a whole: ")


def test_a_topic_that_shrinks_keeps_the_racks_of_the_partitions_it_has() -> None:
    topics = draft().topics.assign(partitions=[1, 2], racks=["a; b; c", ""])

    group = checks.read(replace(draft(), topics=topics)).group

    assert group is not None
    assert group.racks == ("a",)
