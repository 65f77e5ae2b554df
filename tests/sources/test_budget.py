import pytest

from assignors.numbering import Member, Topic
from sources.budget import LIMITS, Budget, Limits, limits_of
from sources.errors import SourceError


def test_what_is_at_the_limit_passes_and_one_more_does_not() -> None:
    limits = Limits(partitions=5)

    limits.check("partitions", 5)
    with pytest.raises(SourceError, match=r"^topics: 6 partitions are more than the 5 that can be"):
        limits.check("partitions", 6, "topics")


def test_a_budget_holds_for_all_groups_of_an_input_together() -> None:
    budget = Budget(Limits(partitions=5, groups=9))
    budget.take("partitions", 3)
    budget.take("groups", 9)

    with pytest.raises(SourceError, match=r"--limit partitions=N raises the limit"):
        budget.take("partitions", 3)


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(members=1), "2 consumers are more than the 1 "),
        (Limits(subscriptions=2), "3 topics"),
        (Limits(classes=3), "4 pairs of subscription and topic"),
        (Limits(racks=2), "6 pairs of rack and partition"),
    ],
)
def test_a_group_is_counted_before_it_is_built(limits: Limits, words: str) -> None:
    topics = {"t": Topic(3, racks=[["a"], [], ["a", ""]]), "u": Topic(0)}
    members = [Member("c0", ["t", "u"], rack="a"), Member("c1", ["t"])]

    with pytest.raises(SourceError, match=words):
        Budget(limits).group_of(topics, members)


def test_a_contradiction_in_a_group_is_an_error_of_the_source() -> None:
    with pytest.raises(SourceError, match="member 'c0' is repeated"):
        Budget().group_of({}, [Member("c0"), Member("c0")])


def test_the_command_line_changes_single_limits() -> None:
    assert limits_of(["partitions=7", "groups=0"]) == Limits(partitions=7, groups=0)
    assert limits_of([]) == LIMITS


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("partition=3", "no limit 'partition'; did you mean 'partitions'?"),
        ("partitions", "--limit partitions: expected a whole number, found ''"),
        ("partitions=-3", "found '-3'"),
        ("partitions=1" + "0" * 18, "found '1000"),
    ],
)
def test_an_invalid_limit_is_refused(setting: str, words: str) -> None:
    with pytest.raises(SourceError) as error:
        limits_of([setting])

    assert words in str(error.value)
