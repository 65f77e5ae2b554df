"""What texts do not say is inferred by evidence or said to be unknown."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from assign import main
from evaluation.answering.actions import Action
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.words import words_of
from evaluation.assuming.assumed import SubscriptionSource
from evaluation.reading import Reading
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from sources.text import read_text
from tests.said import figures_in, lacks

HERE = Path(__file__).parent


def answers(case: str, *arguments: str) -> list[dict[str, Any]]:
    """Return what the command line writes for a case."""
    out, err = io.BytesIO(), io.StringIO()
    lines = (HERE / case).read_bytes().splitlines(keepends=True)

    status = main(arguments, iter(lines), out, err)

    assert (status, err.getvalue()) == (0, "")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def reading_of(case: str) -> Reading:
    """Return the only group of a case."""
    (reading,) = read_text((HERE / case).read_text())
    return reading


def counts(answer: dict[str, Any]) -> list[int]:
    """Return how many partitions each consumer gets."""
    return [member["partitions"] for member in answer["metrics"]["members"].values()]


def test_what_a_consumer_owns_is_not_what_it_subscribes_to() -> None:
    (answer,) = answers("X3.txt", "--strategy", "roundrobin")

    assert counts(answer) == [4, 4]
    assert answer["metrics"]["max_lag"] == 400
    assert answer["certainty"]["kind"] == "conditional"
    assert answer["certainty"]["text"] == "if all consumers read all topics"
    (otherwise,) = answer["assumed"]["otherwise"]
    assert (otherwise["max_count"], otherwise["max_lag"]) == (7, 700)


def test_stated_subscriptions_are_no_assumption() -> None:
    (answer,) = answers("X3.txt", "--strategy", "roundrobin", "--subscriptions", "owned")

    assert counts(answer) == [7, 1]
    assert answer["certainty"]["kind"] == "exact"


def test_a_topic_that_the_group_has_left_is_no_backlog() -> None:
    (answer,) = answers("X4.txt", "--strategy", "roundrobin")
    group = reading_of("X4.txt").group

    assert answer["metrics"]["total_lag"] == 30
    assert figures_in(answer["certainty"]["text"]) == ["invoices-v1"]
    assert [group.topics[topic] for topic in group.layout.wanted_topics] == ["invoices"]


def test_a_strategy_of_a_client_names_the_client() -> None:
    (answer,) = answers("Q05.json")

    assert answer["strategy"] == "librdkafka-cooperative-sticky"
    assert counts(answer) == [4] * 9
    assert answer["metrics"]["moved"] == 4
    newcomer = "rdkafka-90000000-1111-4a4a-8b8b-0123456789ab"
    assert answer["target"][newcomer] == [["topic1", k] for k in range(4)]


def test_nothing_is_predicted_for_one_of_several_consumers() -> None:
    found = answers("Q07-describe.txt")

    assert {answer["assignment"] for answer in found} == {None}
    assert {answer["certainty"]["kind"] for answer in found} == {"not_predictable"}
    group = reading_of("Q07-describe.txt").group
    assert group.is_owner_unknown.tolist() == [True] * 6 + [False]


@pytest.mark.slow
def test_owners_that_may_be_several_consumers_get_no_advice() -> None:
    answer = answer_of(given_of(reading_of("X1.txt")))
    (predicted,) = answers("X1.txt", "--strategy", "librdkafka-range")

    passing = [each.action for each in answer.options if each.why_not is None]
    assert passing == [Action.KEEP, Action.ADD_SNAPSHOT]
    assert CaveatKind.UNKNOWN_MEMBERS in {caveat.kind for caveat in answer.caveats}
    assert predicted["certainty"]["kind"] == "conditional"


def test_nobody_reads_a_group_that_the_tool_says_is_empty() -> None:
    reading = reading_of("P22.txt")

    assert not reading.group.is_owner_unknown.any()
    assert not reading.assumed.members_unknown
    assert reading.group.lags.tolist() == [0, 36_246, 18_123]


def test_a_group_without_members_that_has_read_all_raises_no_alarm() -> None:  # P23
    verdict = answer_of(given_of(reading_of("P23.txt"))).verdict

    assert verdict.kind is VerdictKind.HEALTHY


def test_owners_that_changed_between_snapshots_are_judged() -> None:  # Q06
    notes = reading_of("Q06.txt").notes

    assert not lacks(notes[-1], "c3", "6 partitions", "3")


def test_a_backlog_of_one_partition_is_not_read_faster_by_more_consumers() -> None:  # Q31
    answer = answer_of(given_of(reading_of("Q31.txt")))

    assert answer.verdict.kind is VerdictKind.CATCHING_UP
    assert 113 * 60 <= (answer.verdict.figures.ends_s or 0) <= 119 * 60
    assert "more consumers would not" in words_of(answer).evidence


def test_burrow_without_owners_tells_neither_consumers_nor_that_there_are_none() -> None:
    (answer,) = answers("P32.txt", "--strategy", "range")
    reading = reading_of("P32.txt")

    assert reading.assumed.members_unknown
    assert reading.group.is_owner_unknown.all()
    assert (answer["metrics"]["total_lag"], answer["metrics"]["unowned"]) == (1892, 0)
    assert answer["certainty"]["kind"] == "not_predictable"


@pytest.mark.parametrize(
    ("case", "members", "lags"),
    [
        ("P15.txt", 1, [486, 3122, 0, 49, 106]),
        ("P26.txt", 1, [0, 0, 0]),
        ("P29.txt", 2, [5, 400]),
    ],
)
def test_whole_tables_leave_no_owner_open(case: str, members: int, lags: list[int]) -> None:
    reading = reading_of(case)

    assert reading.group.member_count == members
    assert reading.group.lags.tolist() == lags
    assert not reading.assumed.owners_unknown
    assert reading.assumed.subscriptions is SubscriptionSource.ALL_READ_ALL


def test_a_partition_to_which_any_rebalance_gives_an_owner_sells_no_setting() -> None:
    (reading,) = read_text(
        "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"
        "g orders 0 10 20 10 c-1\ng orders 1 10 920 910 -\ng orders 2 10 20 10 c-2\n"
    )

    answer = answer_of(given_of(reading))

    assert answer.verdict.kind is VerdictKind.NOBODY_READS
    assert answer.proposal is not None
    assert answer.proposal.action is Action.START


def test_ids_give_the_client_away() -> None:
    assert reading_of("P26.txt").assumed.client == "kafka-python"
    assert reading_of("Q07-describe.txt").assumed.client == "librdkafka"
    assert reading_of("X3.txt").assumed.client == ""


_CLASSIC = """\
GROUP      TOPIC  PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG   CONSUMER-ID HOST CLIENT-ID
orders-svc orders 0         10452          10460          8     billing-1-{e} /10.0.0.1 billing-1
orders-svc orders 1         10100          10100          0     billing-1-{e} /10.0.0.1 billing-1
orders-svc orders 2         9000           19000          10000 billing-2-{e} /10.0.0.2 billing-2
orders-svc orders 3         9000           9050           50    billing-2-{e} /10.0.0.2 billing-2
orders-svc audit  0         100            700            600   audit-1-{e}   /10.0.0.3 audit-1
orders-svc audit  1         100            100            0     audit-1-{e}   /10.0.0.3 audit-1
"""
"""Applications whose owners a broker's Uniform would also give if all read all topics."""


@pytest.mark.slow
@pytest.mark.parametrize("end", ["", "-4c2e8c1a-2c1f-4f6e-9a0e-0a1b2c3d4e5f"])
def test_ids_that_name_applications_say_who_reads_what_whichever_strategy_fits(end: str) -> None:
    (reading,) = read_text(_CLASSIC.replace("-{e}", end))
    answer = answer_of(given_of(reading))
    strategies = [o.strategy for o in answer.options if o.strategy is not None]

    assert reading.assumed.subscriptions is SubscriptionSource.UNEQUAL_INFERRED
    assert answer.running.strategy is not None
    assert answer.running.strategy.remote_assignor is None
    assert {"roundrobin", "sticky"} <= {each.name for each in strategies}
