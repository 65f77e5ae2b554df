import pytest

from assignors.model import UNKNOWN, Group
from assignors.naming import member_records, topic_records
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from sources import samples
from ui.draft import checks
from ui.draft.tables import draft_of


def whole_group() -> Group:
    """A group with a value in every field."""
    return group_of(
        {
            "orders": Topic(
                3,
                racks=[["a", "b"], ["b"], ["c"]],
                lags=[10, None, -5],
                begin=[0, 0, 0],
                end=[10, 2**60, 9],
                committed=[0, None, 14],
                rates=[1.5, None, 2.0],
                topic_id="aB3dE5fG7hJ9kL1mN3pQ5r",
            ),
            "payments": Topic(2, lags=[7, 0]),
        },
        [
            Member("c1", ["orders", "payments"], owned=[("orders", 0)], generation=4),
            Member("c0", ["orders"], instance_id="i0", rack="a", owned=[("orders", 2)]),
            Member("c2", [], owned=[("payments", 1), ("orders", 0)], generation=4, throughput=9.5),
        ],
        id="orders-eu",
        auto_offset_reset="earliest",
    )


def test_a_group_is_unchanged_by_the_round_trip_through_the_tables() -> None:
    group = whole_group()

    again = checks.read(draft_of(group))

    assert again.problems == ()
    assert again.group is not None
    assert topic_records(again.group) == topic_records(group)
    assert {m.id: (m._replace(owned=sorted(m.owned))) for m in member_records(again.group)} == {
        m.id: m._replace(owned=sorted(m.owned)) for m in member_records(group)
    }
    assert (again.group.id, again.group.offsets.reset) == ("orders-eu", "earliest")


def test_an_unknown_lag_is_a_blank_cell_and_not_zero() -> None:
    draft = draft_of(whole_group())

    again = checks.read(draft).group

    assert draft.partitions["lag"].isna().tolist() == [False, True, False, False, False]
    assert again is not None
    assert again.lags.tolist() == [10, UNKNOWN, -5, 7, 0]


def test_replica_racks_are_written_as_their_shortest_repeating_part() -> None:
    racks = [["a", "b"], ["b", "c"], ["a", "c"]] * 4
    group = group_of({"t": Topic(12, racks=racks)}, [])

    draft = draft_of(group)

    assert draft.topics["racks"].tolist() == ["a,b; b,c; a,c"]


def test_a_partition_claimed_twice_names_both_claimants() -> None:
    draft = draft_of(whole_group())

    assert draft.partitions["owner"].tolist() == ["c1, c2", "", "c0", "", "c2"]


@pytest.mark.parametrize("sample", [sample.id for sample in samples.SAMPLES])
def test_an_example_answers_the_same_after_going_through_the_tables(sample: str) -> None:
    group = samples.load(sample).group

    again = checks.read(draft_of(group)).group

    assert again is not None
    for strategy in STRATEGIES.values():
        assert strategy.assign(again).tolist() == strategy.assign(group).tolist(), strategy.name
