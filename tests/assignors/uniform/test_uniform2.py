"""uniform2 against the worked example and the properties in its sources."""

import numpy as np
from hypothesis import given

from assignors.certainty import WITHOUT_TOPIC_IDS
from assignors.model import UNOWNED, Group
from assignors.naming import assignment_of
from assignors.numbering import Member, Topic, group_of
from assignors.quotas import held_by_each
from assignors.uniform.uniform2 import PROPOSED, of_uniform2, uniform2
from tests.groups import groups, tried

TOPICS = {"T1": Topic(2), "T2": Topic(5), "T3": Topic(7)}


def three(*members: str, owned: dict[str, list[tuple[str, int]]]) -> Group:
    return group_of(TOPICS, [Member(m, list(TOPICS), owned=owned.get(m, [])) for m in members])


def numbers(assignment: dict[str, list[tuple[str, int]]]) -> dict[str, list[list[int]]]:
    return {
        m: [[p for t, p in own if t == topic] for topic in TOPICS] for m, own in assignment.items()
    }


def test_the_worked_example_of_the_sources_comes_out() -> None:
    first = three("A", "B", "C", owned={})
    began = assignment_of(first, uniform2(first))
    left = three("A", "B", owned=began)

    assert numbers(began) == {
        "A": [[0], [0, 1], [0, 1]],
        "B": [[1], [2], [2, 3, 4]],
        "C": [[], [3, 4], [5, 6]],
    }
    assert numbers(assignment_of(left, uniform2(left))) == {
        "A": [[0], [0, 1, 3], [0, 1, 5]],
        "B": [[1], [2, 4], [2, 3, 4, 6]],
    }


@given(group=groups())
@tried(300)
def test_no_extra_could_go_to_a_subscriber_with_two_partitions_fewer(group: Group) -> None:
    owners = uniform2(group)
    sizes = held_by_each(owners, group.member_count)

    for partitions, readers in group.wanted_slices():
        counts = np.bincount(owners[partitions], minlength=group.member_count)[readers]
        least = (partitions.stop - partitions.start) // readers.size
        assert set(counts.tolist()) <= {least, least + 1}
        with_extra, without = readers[counts > least], readers[counts == least]
        if with_extra.size and without.size:
            assert sizes[with_extra].max() - sizes[without].min() < 2


@given(group=groups())
@tried(300)
def test_its_own_result_is_stable_and_moves_are_the_minimum_for_the_shares(group: Group) -> None:
    owners, before = uniform2(group), group.fit_owners

    assert uniform2(group.owned_by(owners)).tolist() == owners.tolist()
    for partitions, _ in group.wanted_slices():
        held, kept = before[partitions], owners[partitions]
        for member in np.unique(held[held != UNOWNED]).tolist():
            most = min(np.count_nonzero(held == member), np.count_nonzero(kept == member))
            assert np.count_nonzero((held == member) & (kept == member)) == most


def test_topics_come_by_their_ids_where_those_are_known() -> None:
    by_name = Group.fresh({"a": 1, "b": 1}, ["c0", "c1"])
    ids = {"a": "AAAAAAAAAAAAAAAAAAAAAg", "b": "AAAAAAAAAAAAAAAAAAAAAQ"}
    by_id = group_of(
        {name: Topic(1, topic_id=ids[name]) for name in ids},
        [Member(member, ["a", "b"]) for member in ("c0", "c1")],
    )

    assert uniform2(by_name).tolist() == [0, 1]
    assert uniform2(by_id).tolist() == [1, 0]
    assert (of_uniform2(by_name), of_uniform2(by_id)) == (WITHOUT_TOPIC_IDS, PROPOSED)
