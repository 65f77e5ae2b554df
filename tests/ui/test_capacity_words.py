from assignors.model import Group
from evaluation.capacity import Capacity
from evaluation.sweep import curves, limits, sweep
from ui.capacity_words import Findings, assumptions, conclusion, idle_words

NAMES = ("range", "roundrobin")


def findings(group: Group, *, throughput: float, most: int = 8) -> Findings:
    capacity = Capacity(throughput=throughput, allowed_s=10)
    sizes = range(1, max(most, group.member_count) + 1)
    found = curves(NAMES, sweep(group, NAMES, capacity, sizes))
    return Findings(group=group, capacity=capacity, curves=found, limits=limits(group, capacity))


def hot_first(members: int = 2) -> Group:
    """Return two topics of three partitions, the first of each with lag 100, the others 10."""
    return Group.fresh(
        dict.fromkeys("tu", 3),
        [f"c{m}" for m in range(members)],
        {topic: [100, 10, 10] for topic in "tu"},
    )


def test_the_fewest_consumers_are_named_with_their_strategies_and_the_proof() -> None:
    said = conclusion(findings(hot_first(), throughput=13))

    assert said.startswith("**2 consumers** can be enough, under Round robin; no assignment does")
    assert "with fewer. More can be worse: Round robin works with 2, but always only" in said
    assert "Today's 2 are enough under Round robin only; else it takes up to 16.9 s" in said


def test_strategies_that_are_all_late_are_told_from_what_no_assignment_could_do() -> None:
    said = conclusion(findings(hot_first(), throughput=10, most=3))

    assert "**None of the strategies chosen is done in time** with any number from 1 to 3" in said
    assert "does with fewer than 3 consumers, and one by load alone would do with 3." in said
    assert "Today's 2 are too few under all strategies chosen" in said


def test_a_partition_that_is_too_much_for_anybody_ends_the_question() -> None:
    said = conclusion(findings(hot_first(), throughput=8))

    assert "**No number of consumers is enough**: t-0 alone needs 12.5 s" in said
    assert "1 more partition is too slow as well." in said


def test_a_group_that_keeps_up_anyway_needs_one_consumer() -> None:
    said = conclusion(findings(hot_first(), throughput=1000))

    assert said.startswith("**1 consumer** can be enough, under Range and Round robin; no")
    assert "More can be worse" not in said


def test_without_consumers_there_is_no_today() -> None:
    found = findings(hot_first(0), throughput=1000)

    assert "Today" not in conclusion(found)
    assert not idle_words(found)


def test_mixed_subscriptions_and_what_is_left_out_are_said() -> None:
    wanted = {"c0": ["t"], "c1": ["t"], "c2": ["t", "u"]}
    group = Group.fresh({"t": 2, "u": 1}, wanted, {"t": [1, 1], "u": [1]})

    said = assumptions(findings(group, throughput=1))

    assert any("everybody subscribes to what most do" in sentence for sentence in said)
    assert "1 partition of topics that nobody then reads is left out." in said


def test_consumers_with_a_throughput_of_their_own_are_counted() -> None:
    group = Group.of(["t"], [2], ["a", "b"], lags=[1, 1], throughput=[5.0, float("nan")])

    said = assumptions(findings(group, throughput=1))

    assert "1 consumer of the group keep the throughput they state." in said
