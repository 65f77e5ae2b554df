from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from sources.budget import LIMITS
from tests.groups import arrays_of, groups, tried
from ui.draft import cells, checks, edits
from ui.draft.tables import CONSUMER_COLUMNS, PARTITIONS, TOPICS, Draft, draft_of, frame


def draft() -> Draft:
    return draft_of(Group.fresh({"orders": 3, "payments": 2}, members=["c0", "c1"]))


def problems(wrong: Draft) -> list[str]:
    checked = checks.read(wrong)
    assert checked.group is None
    return [str(problem) for problem in checked.problems]


def test_a_negative_lag_is_taken_as_some_tools_print_it() -> None:
    group = checks.read(
        replace(draft(), partitions=draft().partitions.assign(lag=pd.array([-3] * 5, "Int64")))
    ).group

    assert group is not None
    assert group.lags.tolist() == [-3] * 5
    assert group.counted_lags.tolist() == [0] * 5


def test_an_owner_that_the_source_does_not_tell_stays_unknown_until_the_table_names_one() -> None:
    members = [Member("c0", ["t"], owned=[("t", 0)])]
    tables = draft_of(group_of({"t": Topic(3, owner_unknown=[False, True, True])}, members))
    named = tables.partitions.assign(owner=["c0", "c0", ""])

    same, edited = (checks.read(each).group for each in (tables, replace(tables, partitions=named)))

    assert same is not None
    assert edited is not None
    assert same.is_owner_unknown.tolist() == [False, True, True]
    assert edited.is_owner_unknown.tolist() == [False, False, True]


def test_lag_follows_from_offsets_when_asked() -> None:
    group = group_of(
        {"t": Topic(2, lags=[1, 1], begin=[0, 5], end=[10, 9], committed=[4, None])}, []
    )
    by_offsets = replace(draft_of(group), lag_from_offsets=True, auto_offset_reset="earliest")

    found = checks.read(by_offsets).group

    assert found is not None
    assert found.lags.tolist() == [6, 4]


@given(group=groups().filter(lambda group: group.partition_count), data=st.data())
@tried(25)
def test_a_typed_number_makes_the_same_group_without_reading_the_other_tables(
    group: Group, data: st.DataObject
) -> None:
    before = draft_of(group)
    known = checks.read(before).group
    assert known is not None
    p = data.draw(st.integers(0, group.partition_count - 1))
    row = edits.partition_row(group.topics[group.topic_of_partition[p]], group.number_in_topic[p])
    column = data.draw(st.sampled_from(["lag", "begin", "end", "committed", "rate"]))
    after = cells.with_cells(before, PARTITIONS, {(row, column): "7"})

    short, whole = checks.read(after, before, known).group, checks.read(after).group

    assert short is not None
    assert whole is not None
    assert short.layout is known.layout
    arrays, others = ([each.tobytes() for each in arrays_of(of)] for of in (short, whole))
    assert arrays == others
    assert {"lag": short.lags, "rate": short.offsets.rates}.get(
        column, getattr(short.offsets, column, None)
    )[p] == 7  # type: ignore[index]


def test_numbers_stay_with_their_topic_wherever_its_row_is() -> None:
    after = cells.with_row(draft(), TOPICS, {"topic": "also", "partitions": "2"})
    after = cells.with_cells(after, PARTITIONS, {("also 1", "lag"): "4", ("orders 0", "lag"): "9"})

    group = checks.read(after).group

    assert group is not None
    assert group.topics == ("also", "orders", "payments")
    assert group.counted_lags.tolist() == [0, 4, 9, 0, 0, 0, 0]


def test_a_new_owner_is_read_with_the_other_tables() -> None:
    before = draft()
    known = checks.read(before).group
    after = cells.with_cells(before, PARTITIONS, {("orders 0", "owner"): "c1"})

    group = checks.read(after, before, known).group

    assert group is not None
    assert group.present_owners.tolist() == [1, -1, -1, -1, -1]


def test_a_draft_larger_than_the_budget_is_refused_before_its_arrays_are_made() -> None:
    names = [f"c{k}" for k in range(LIMITS.members + 1)]
    many = frame(CONSUMER_COLUMNS, {"consumer": names})
    topics = tuple(f"t{k}" for k in range(200))

    found = problems(replace(draft(), consumers=many, subscriptions=dict.fromkeys(names, topics)))

    assert len(found) == 2
    assert found[0].startswith("Consumers, all rows: 100,001 consumers in all; at most 100,000 can")
    assert found[1].startswith("Subscriptions, all rows: 20,000,200 subscriptions in all; at most")


@pytest.mark.proof
@pytest.mark.slow
def test_more_racks_than_the_budget_allows_are_refused_in_a_sentence() -> None:
    racks = ",".join(f"r{k}" for k in range(200))
    wrong = replace(draft(), topics=draft().topics.assign(partitions=[999_000, 2], racks=racks))

    assert problems(wrong)[0].startswith("Group, as a whole: ")


def test_a_topic_that_shrinks_keeps_the_racks_of_the_partitions_it_has() -> None:
    topics = draft().topics.assign(partitions=[1, 2], racks=["a; b; c", ""])

    group = checks.read(replace(draft(), topics=topics)).group

    assert group is not None
    assert group.layout.racks == ("a",)
