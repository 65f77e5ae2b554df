import numpy as np
import pytest

from assignors.model import Group
from assignors.once import once, once_for_any_claims


@pytest.fixture
def group() -> Group:
    return Group.of(["t"], [3], ["A", "B"], owners=[0, 0, 1])


def test_a_result_is_worked_out_once_for_each_group(group: Group) -> None:
    asked = []

    @once
    def claimed(group: Group) -> int:
        asked.append(group)
        return int(group.claims.size)

    found = claimed(group), claimed(group), claimed(group.owned_by(group.nobody()))

    assert found == (3, 3, 0)
    assert len(asked) == 2


def test_what_does_not_depend_on_claims_is_worked_out_once_for_all_owners(group: Group) -> None:
    asked = []

    @once_for_any_claims
    def partitions(group: Group) -> int:
        asked.append(group)
        return group.partition_count

    after = group.owned_by(group.nobody())
    found = partitions(after), partitions(group), partitions(after.owned_by(after.nobody()))

    assert found == (3, 3, 3)
    assert len(asked) == 1


def test_a_group_with_other_owners_shares_properties_but_for_claims(group: Group) -> None:
    after = group.owned_by(np.array([1, 1, 1], np.int32))

    assert group.audiences is after.audiences
    assert group.topic_of_partition is after.topic_of_partition
    assert group.present_owners.tolist() == [0, 0, 1]
    assert after.present_owners.tolist() == [1, 1, 1]


def test_what_is_kept_for_others_is_read_only(group: Group) -> None:
    @once
    def ones(group: Group) -> tuple[np.ndarray, int]:
        return np.ones(group.partition_count), 1

    kept = [ones(group)[0], group.wanted, group.fit_owners, group.present_owners]

    assert not any(array.flags.writeable for array in kept)
