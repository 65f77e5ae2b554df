"""The conclusion in every case, word for word."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from assignors.clients.registry import OTHER_CLIENTS
from assignors.model import Group
from assignors.numbering import Member, Topic, group_of
from assignors.registry import STRATEGIES
from evaluation.advice import advise
from evaluation.clients import JAVA
from evaluation.compare import Outcome, as_it_is_now, compare
from evaluation.comparison import Comparison
from evaluation.judging import LAG, JudgeBy, Measure
from evaluation.outlook import Outlook
from evaluation.running import Origin, Running
from tests.charts.outcomes import outcome
from tests.compared import compared
from tests.hostile.names import NAMES
from tests.named import named
from tests.said import lacks
from ui.compare.conclusion import conclusion
from ui.untrusted import plain


def said(group: Group) -> str:
    """Return the conclusion about a group as displayed."""
    found = compared(group, compare(group, JAVA.settable), compare(group, JAVA.custom))
    return conclusion(found).replace("**", "").replace("\\-", "-")


def owned(lags: Sequence[int | None], owners: Sequence[Sequence[int]]) -> Group:
    """Return a group of one topic; ``owners`` lists the partitions of each consumer."""
    members = [
        Member(f"c{m}", ["t"], owned=[("t", p) for p in partitions], generation=1)
        for m, partitions in enumerate(owners)
    ]
    return group_of({"t": Topic(len(lags), lags=lags)}, members)


@pytest.mark.parametrize(
    ("group", "gist"),
    [
        (
            Group.fresh({}, ["a"]),
            "no partitions: add a topic under Edit",
        ),
        (
            Group.fresh({"t": 2}, [], lags={"t": [1, 0]}),
            "no consumers ... 1 record waits in 2 partitions",
        ),
        (
            Group.fresh({"t": 1}, []),
            "no consumers ... unknown in 1 partition",
        ),
        (
            Group.fresh({"t": 1}, [], lags={"t": [0]}),
            "no consumers ... no records wait in 1 partition",
        ),
        (
            Group.fresh({"t": 1}, {"a": []}),
            "No consumer subscribes ... nothing to assign",
        ),
    ],
    ids=["no partitions", "a record waits", "unknown backlog", "no backlog", "nobody subscribes"],
)
def test_a_group_with_nothing_to_assign_says_why(group: Group, gist: str) -> None:
    assert not lacks(said(group), gist)


def test_without_a_known_lag_counts_decide() -> None:
    sentence = said(owned([None] * 4, [[0, 1, 2, 3], []]))

    parts = ("No lag", "counts decide", "4 partitions now", "Cooperative sticky", "down to 2 (2")
    assert lacks(sentence, *parts) == []


def test_without_any_lag_counts_decide() -> None:
    assert said(owned([0, 0], [[0], [1]])) == (
        "There is no lag, so partition counts decide: the busiest consumer has 1 partition now, "
        "and no strategy improves on that by 1 % or more."
    )


def test_known_lags_of_zero_beside_unknown_ones_are_not_no_lag() -> None:
    assert said(owned([0, None], [[0], [1]])).startswith("No known lag is above zero, so ")


def test_one_partition_that_decides_is_named_letter_by_letter() -> None:
    name = NAMES[0]
    group = group_of(
        {name: Topic(2, lags=[900, 10])},
        [Member("a", [name], owned=[(name, 0)]), Member("b", [name])],
    )

    sentence = said(group)

    assert sentence.endswith("holds alone.")
    assert "[click](" not in sentence


def test_an_assignment_that_cannot_improve_is_reported_as_such() -> None:
    assert said(owned([900, 10], [[0], [1]])) == (
        "The busiest consumer is 900 records behind now, and no strategy improves on that by 1 % "
        "or more. Best possible: 900, which partition t-0 holds alone."
    )


def test_without_owners_the_first_ones_are_proposed() -> None:
    sentence = said(Group.fresh({"t": 4}, ["a", "b"], lags={"t": [40, 30, 20, 10]}))

    assert sentence == (
        "Nobody owns a partition yet; Cooperative sticky would leave the busiest consumer with "
        "60 records, the custom Load-sticky 50 records. Best possible: 50."
    )


def test_both_recommendations_are_shown_with_their_moves() -> None:
    sentence = said(owned([100, 90, 80, 10], [[0, 1, 2, 3], []]))

    assert sentence.startswith("The busiest consumer is 280 records behind now; ")
    assert " would bring that down to " in sentence
    assert "partitions move)" in sentence


def test_where_only_a_custom_assignor_helps_it_says_so() -> None:
    # 100 + 80 = 180 now; range pairs 100 with 90, round robin and sticky with 80; best is 100 + 70.
    sentence = said(owned([100, 90, 80, 70], [[0, 2], [1, 3]]))

    assert sentence.startswith(
        "The busiest consumer is 180 records behind now. No setting is reliably better: Kafka's "
        "strategies do not look at lag. The custom assignor "
    )


def chances(loads: Sequence[int]) -> Outcome:
    """Return an outcome of Sticky with these loads of the busiest consumer after a switch."""
    group = owned([60, 50, 50, 40], [[0, 1], [2, 3]])  # 110 now
    lags = np.array(loads)
    found = outcome(group, [0, 0, 1, 1], "sticky")
    drawn = Outlook(owners=found.owners, max_loads=lags, max_lags=lags, max_counts=lags, moves=lags)
    return replace(found, figures=replace(found.figures, max_load=loads[5]), outlook=drawn)


def judged_of(outcomes: Sequence[Outcome], measure: Measure = LAG) -> str:
    """Return the conclusion where a setting has these outcomes, and no custom assignor is known."""
    group = owned([60, 50, 50, 40], [[0, 1], [2, 3]])
    return plain(conclusion(compared(group, outcomes, (), measure)))


def test_the_nearest_is_named_with_its_odds_where_no_setting_is_reliably_better() -> None:
    # four of ten futures are better than 110 by 1 % or more: 109 is not
    assert judged_of([chances([100] * 4 + [109] + [120] * 5)]) == (
        "The busiest consumer is 110 records behind now. No setting is reliably better: Kafka's "
        "strategies do not look at lag; the nearest, Sticky, is better in 4 of 10 restarts. "
        "Lower bound: 100."
    )


def test_odds_are_never_rounded_up_to_those_that_are_recommended() -> None:
    assert "is better in 8 of 10 restarts" in judged_of([chances([100] * 89 + [120] * 11)])
    assert "is better in fewer than 1 of 10 restarts" in judged_of([chances([100] + [120] * 19)])


def test_the_reason_is_what_strategies_do_not_look_at_and_left_out_where_one_does() -> None:
    work, counts = (Measure(by=by) for by in (JudgeBy.WORK, JudgeBy.PARTITIONS))
    found = chances([100] * 4 + [120] * 6)
    looks = replace(found, strategy=STRATEGIES["lag-sticky"])
    foreign = replace(found, strategy=OTHER_CLIENTS["sarama-sticky"])

    assert "reliably better: Kafka's strategies do not look at load; " in judged_of([found], work)
    assert "reliably better: this client's strategies do not look at lag; " in judged_of([foreign])
    assert found.outlook is not None
    drawn = replace(found.outlook, max_counts=np.array([1] * 4 + [3] * 6))
    assert "is reliably better; the nearest, " in judged_of([replace(found, outlook=drawn)], counts)
    assert "is reliably better; the nearest, " in judged_of([looks])


def test_a_custom_assignor_that_is_only_sometimes_better_is_not_denied() -> None:
    group = owned([60, 50, 50, 40], [[0, 1], [2, 3]])
    custom = replace(chances([100] * 4 + [120] * 6), strategy=STRATEGIES["lag-sticky"])

    found = compared(group, [as_sticky(group)], [custom])

    said = plain(conclusion(found))
    assert "the nearest, the custom Load-sticky, is better in 4 of 10 restarts" in said


def as_sticky(group: Group) -> Outcome:
    """Return that sticky changes nothing."""
    return outcome(group, [0, 0, 1, 1], "sticky")


def test_lag_as_it_stands_is_no_reason_to_give_up_incremental_rebalances() -> None:
    # c0 has 100 of 110 records; sticky would leave 60 and 50.
    group = owned([50, 50, 10], [[0, 1], [2]])
    eager, cooperative = (outcome(group, [0, 1, 0], n) for n in ("sticky", "cooperative-sticky"))
    runs = Running(STRATEGIES["cooperative-sticky"], Origin.READ)
    now = as_it_is_now(group)

    def advised(*settable: Outcome, measure: Measure = LAG) -> Comparison:
        advice = advise(group, now, settable, (), measure, is_incremental=runs.is_incremental)
        return Comparison(group=group, running=runs, advice=advice)

    alone = advised(eager)
    assert alone.advice.recommended == ()
    assert "no setting with cooperative rebalances" in conclusion(alone)
    assert advised(eager, cooperative).advice.settable is cooperative
    # What is withheld is no setting here, so nothing is said of those that stop everybody.
    settings = (STRATEGIES["cooperative-sticky"],)
    unsure = replace(alone.advice, unreliable=cooperative, settings=settings)
    assert "No setting is reliably better" in conclusion(replace(alone, advice=unsure))
    # What arrives, too, lasts: then the eager one is advised, with what it costs.
    assert advised(eager, measure=Measure(by=JudgeBy.WORK)).advice.settable is eager


def test_a_strategy_that_is_assumed_keeps_nothing_from_being_advised() -> None:
    sticky, cooperative = STRATEGIES["sticky"], STRATEGIES["cooperative-sticky"]

    assert Running(cooperative, Origin.READ).is_incremental
    assert not Running(cooperative, Origin.INFERRED, (sticky,)).is_incremental
    assert not Running(sticky, Origin.READ).is_incremental
    assert not Running(None, Origin.UNKNOWN).is_incremental


def test_a_partition_without_an_owner_is_assigned_where_the_load_stays_the_same() -> None:
    sentence = said(owned([50, 50, 10], [[0], [1]]))

    parts = ("50 records behind now", "Cooperative sticky", "every partition an owner", "60")
    assert lacks(sentence, *parts) == []


def test_an_unchanged_load_is_not_described_as_reduced() -> None:
    assert "bring that down" not in said(owned([50, 50, None], [[0], [1]]))


def test_a_load_with_unpredictable_owners_is_described_as_approximate() -> None:
    group = group_of(
        {"t": Topic(3, lags=[90, 80, 1]), "u": Topic(3, lags=[70, 60, 1])},
        [Member("a", ["t", "u"], owned=[(t, p) for t in "tu" for p in range(3)], generation=1)]
        + [Member(name, ["t", "u"]) for name in "bc"],
    )

    sure, unsure = (
        conclusion(compared(group, compare(group, named(name))))
        for name in ("roundrobin", "uniform-kafka-18688")
    )

    assert "bring that down to **" in sure
    assert "bring that down to about **" in unsure
