from dataclasses import replace

import pandas as pd
import pytest

from assignors.model import Group
from assignors.numbering import Topic, group_of
from ui.group import checks
from ui.group.draft import Draft, draft_of


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
        (0, "partitions", -5, "Topics, row 1, partitions: says -5; give a whole number, 0 or more"),
        (1, "partitions", 2.5, "Topics, row 2, partitions: says 2.5; give a whole number, 0 or"),
        (1, "partitions", pd.NA, "Topics, row 2, partitions: is blank; give a whole number, 0"),
        (1, "partitions", 3_000_000, "Topics, row 2, partitions: 3,000,000 is more than 2,000,"),
        (1, "topic", "orders", "Topics, row 2, topic: 'orders' stands in row 1 already; each"),
        (0, "topic", " ", "Topics, row 1, topic: is blank; give a name, or delete the row"),
        (0, "racks", "a;b;c;d", "Topics, row 1, replica racks: 4 partitions are listed, the to"),
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
        ("consumer", "c0", "Consumers, row 2, consumer: 'c0' stands in row 1 already"),
        ("consumer", None, "Consumers, row 2, consumer: is blank"),
        ("consumer", "a,b", "Consumers, row 2, consumer: 'a,b' holds a comma"),
        ("generation", -7, "Consumers, row 2, generation: says -7; give a whole number"),
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

    assert found[0].startswith("Consumers, row 2, static id: 'i1' stands in row 1 too")


@pytest.mark.parametrize(
    ("column", "value", "sentence"),
    [
        ("lag", 1.5, "Partitions, payments-0, lag: says 1.5; give a whole number"),
        ("committed", -1, "Partitions, payments-0, committed: says -1; give a whole number"),
        ("owner", "c7", "Partitions, payments-0, owner: says c7; no such consumer"),
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
    assert found[-1] == "Partitions, owner: 2 more cells are wrong too"


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
