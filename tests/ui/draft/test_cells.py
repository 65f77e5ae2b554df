"""What is typed into a cell: it takes effect, or stays as typed beside its last valid value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from sources.budget import LIMITS
from ui.draft import cells, checks
from ui.draft.edits import partition_row
from ui.draft.tables import CONSUMERS, PARTITIONS, TOPICS, Draft, TableCell, draft_of


def draft() -> Draft:
    return draft_of(Group.fresh({"orders": 3, "payments": 2}, members=["c0", "c1"]))


def sentences(found: Draft) -> list[str]:
    return [str(problem) for problem in checks.read(found).problems]


@pytest.mark.parametrize(
    ("row", "column", "text", "sentence"),
    [
        ("0", "partitions", "-5", "Topics, orders, partitions: found -5; enter a whole number"),
        ("1", "partitions", "2.5", "Topics, payments, partitions: found 2.5; enter a whole"),
        ("1", "partitions", "", "Topics, payments, partitions: found no number; enter a whole"),
        ("1", "partitions", "3000000", "Topics, payments, partitions: found 3000000; enter a"),
        ("1", "topic", "orders", "Topics, payments, topic: orders is already in the table; enter"),
        ("0", "topic", " ", "Topics, orders, topic: the name is blank; enter one, or delete the"),
    ],
)
def test_a_wrong_topic_cell_is_named_with_the_way_out(
    row: str, column: str, text: str, sentence: str
) -> None:
    (found,) = sentences(cells.with_cells(draft(), TOPICS, {(row, column): text}))

    assert found.startswith(sentence)


@pytest.mark.parametrize(
    ("column", "text", "sentence"),
    [
        ("consumer", "c0", "Consumers, c1, consumer: c0 is already in the table"),
        ("consumer", "", "Consumers, c1, consumer: the name is blank"),
        ("consumer", "a,b", "Consumers, c1, consumer: a,b contains a comma; remove it (c1 counts"),
        ("generation", str(2**40), "Consumers, c1, generation: found 1099511627776; enter a"),
        ("generation", "-7", "Consumers, c1, generation: found -7; enter a whole number, or leave"),
    ],
)
def test_a_wrong_consumer_cell_is_named_with_the_way_out(
    column: str, text: str, sentence: str
) -> None:
    (found,) = sentences(cells.with_cells(draft(), CONSUMERS, {("1", column): text}))

    assert found.startswith(sentence)


def test_two_consumers_cannot_have_one_static_id() -> None:
    both = {("0", "static_id"): "i1", ("1", "static_id"): "i1"}

    found = cells.with_cells(draft(), CONSUMERS, both)

    assert len(sentences(found)) == 2
    assert "static id: i1 is already in the table; enter another one (blank" in sentences(found)[0]


@pytest.mark.parametrize(
    ("column", "text", "sentence"),
    [
        ("lag", "1.5", "Lags and owners, payments-0, lag: found 1.5; enter a whole number, or"),
        ("lag", "1e30", "Lags and owners, payments-0, lag: found 1e30; enter a whole number"),
        ("end", "-1", "Lags and owners, payments-0, end offset: found -1; enter a whole number, 0"),
        ("committed", "-1", "Lags and owners, payments-0, committed offset: found -1; enter a"),
        ("owner", "c7", "Lags and owners, payments-0, current owner: c7 is not in the Consumers"),
    ],
)
def test_a_wrong_partition_cell_is_named_with_the_way_out(
    column: str, text: str, sentence: str
) -> None:
    row = partition_row("payments", 0)

    (found,) = sentences(cells.with_cells(draft(), PARTITIONS, {(row, column): text}))

    assert found.startswith(sentence)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234,567", 1_234_567),
        ("1.234.567", 1_234_567),
        ("1 234 567", 1_234_567),
        ("1\u202f234", 1_234),
        ("1'234", 1_234),
        ("1_234", 1_234),
        ("7.0", 7),
        (" 7 ", 7),
    ],
)
def test_separators_between_thousands_are_read(text: str, number: int) -> None:
    assert cells.whole_number(text) == number


@pytest.mark.parametrize("text", ["1,23", "1.234", "1,234.5", "12,34,567", "0x10", "\u0663", "30k"])
def test_a_number_that_could_mean_two_things_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=text[:1]):
        cells.whole_number(text)


def test_a_renamed_topic_keeps_what_was_typed_into_its_partitions() -> None:
    wrong = cells.with_cells(draft(), PARTITIONS, {(partition_row("orders", 1), "lag"): "abc"})

    renamed = cells.with_cells(wrong, TOPICS, {("0", "topic"): "sales"})
    gone = cells.without_rows(renamed, TOPICS, ["0"])

    assert dict(renamed.unread) == {TableCell(PARTITIONS, partition_row("sales", 1), "lag"): "abc"}
    assert not gone.unread


def test_a_new_row_under_a_taken_name_is_marked_and_gets_a_free_one() -> None:
    found = cells.with_row(draft(), TOPICS, {"topic": "orders", "partitions": "x"})

    assert found.topics["topic"].tolist() == ["orders", "payments", "orders-2"]
    assert found.topics["partitions"].tolist() == [3, 2, 1]
    assert sorted(found.unread.values()) == ["orders", "x"]


def test_a_group_that_becomes_too_large_is_refused_and_the_typed_count_stays() -> None:
    half = str(LIMITS.partitions // 2 + 1)

    found = cells.with_cells(
        draft(), TOPICS, {("0", "partitions"): half, ("1", "partitions"): half}
    )

    assert checks.read(found).group is None
    assert sentences(found)[0].startswith("Topics, partitions: 1,000,002 partitions in all; at")


NAMES = st.sampled_from(["a", "b", "c", "", "d,e"])
TEXTS = st.one_of(NAMES, st.sampled_from(["7", "-1", "abc", "1,000"]))


@given(
    st.lists(
        st.tuples(
            st.sampled_from([TOPICS, CONSUMERS]),
            st.sampled_from(["0", "1", "2", "9"]),
            st.sampled_from(["topic", "consumer", "partitions", "static_id", "racks"]),
            TEXTS,
        ),
        max_size=12,
    )
)
def test_whatever_is_typed_there_is_a_group_and_nothing_typed_is_lost(
    typed: list[tuple[str, str, str, str]],
) -> None:
    found = draft_of(
        group_of(
            {"x": Topic(2), "y": Topic(1), "z": Topic(1)},
            [Member(name, ["x", "y", "z"], owned=[]) for name in ("c0", "c1", "c2")],
        )
    )
    shown: dict[TableCell, str] = {}

    for table, row, column, text in typed:
        found = cells.with_cells(found, table, {(row, column): text})
        rows = found.topics if table == TOPICS else found.consumers
        if column in rows and int(row) in rows.index:
            shown[TableCell(table, row, column)] = text

    assert checks.read(found).group is not None
    for place, text in shown.items():
        in_force = cells.in_force(found, place)
        assert found.unread.get(place, in_force) in {text, text.replace(",", "")}
