"""What an answer says of what it rests on."""

import pytest

from assignors.catalogue import strategy_called
from evaluation.answering.answer import Answer
from evaluation.answering.caveats import Caveat, CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given
from evaluation.answering.words import words_of
from evaluation.assuming.clients import CLIENTS, JAVA
from evaluation.verdict_kinds import VerdictKind
from sources import samples
from sources.asking import given_of
from tests.answers import FirstDraws, NextRebalance
from tests.doors import texts
from tests.pasted import the_group

pytestmark = pytest.mark.slow
_HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"


def caveat(answer: Answer, kind: CaveatKind) -> Caveat | None:
    return next((each for each in answer.caveats if each.kind is kind), None)


def test_an_answer_says_how_many_simulations_it_rests_on_and_whether_more_may_change_it() -> None:
    given = Given(group=samples.load("orders").group, client=CLIENTS["franz-go"])
    whole, rough = answer_of(given), answer_of(given, FirstDraws())

    at_first, at_last = (caveat(each, CaveatKind.SIMULATED) for each in (rough, whole))
    assert at_first is not None
    assert at_last is not None
    most = max(o.outlook.draws for o in whole.outcomes.values() if o.outlook is not None)
    assert (at_first.figures.simulations or 0) < most == at_last.figures.simulations
    assert caveat(rough, CaveatKind.ROUGH) is not None
    assert caveat(whole, CaveatKind.ROUGH) is None
    assert f"{most:,}" in " ".join(words_of(whole).caveats)


def test_a_job_that_reads_outside_the_group_rests_on_no_guessed_speed() -> None:
    flows = [texts.Flow(None, 100_000, 3_000, 300.0, 310.0) for _ in range(2)]

    answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))))

    assert answer.verdict.kind is VerdictKind.READ_OUTSIDE
    assert answer.verdict.figures.ends_s is not None
    assert caveat(answer, CaveatKind.SPEED) is None


def test_a_stated_client_is_not_said_to_be_assumed() -> None:
    text = texts.describe(texts.uneven()).replace("worker-", "rdkafka-")
    reading = the_group(text)
    assert reading.assumed.client == "librdkafka"

    found, stated = (
        answer_of(given_of(reading, client=client), NextRebalance()) for client in (None, JAVA)
    )

    assert caveat(found, CaveatKind.CLIENT) is not None
    assert caveat(stated, CaveatKind.CLIENT) is None


@pytest.mark.parametrize(
    ("client", "default"),
    [
        ("java", "range"),
        ("kafkajs", "kafkajs-roundrobin"),
        ("franz-go", "franz-go-cooperative-sticky"),
    ],
)
def test_where_nothing_tells_what_runs_the_clients_own_default_is_assumed(
    client: str, default: str
) -> None:
    flows = [texts.Flow(owner, 100_000, 3_000) for owner in (1, 2, 2, 1, 1, 1)]
    reading = the_group(texts.describe(flows))

    found = answer_of(given_of(reading, client=CLIENTS[client]), FirstDraws())

    assumed, label = caveat(found, CaveatKind.RUNNING), strategy_called(default).label
    assert found.running.strategy is None
    assert assumed is not None
    assert assumed.names == (default,)
    assert f"{label}, the client's default, is assumed." in " ".join(words_of(found).caveats)
    assert f"running assignor unknown, {label} assumed" in words_of(found).assumes


_TWO_OF_THREE_OWN = """\
GROUP  TOPIC  PARTITION  CURRENT-OFFSET  LOG-END-OFFSET  LAG  CONSUMER-ID  HOST        CLIENT-ID
pay    in     0          100             800             700  one-1        /10.0.0.1   one
pay    in     1          200             200             0    one-1        /10.0.0.1   one
pay    in     2          100             900             800  two-1        /10.0.0.2   two
pay    in     3          100             800             700  two-1        /10.0.0.2   two

GROUP  CONSUMER-ID  HOST        CLIENT-ID  #PARTITIONS  ASSIGNMENT
pay    one-1        /10.0.0.1   one        2            in(0,1)
pay    two-1        /10.0.0.2   two        2            in(2,3)
pay    zoe-1        /10.0.0.3   zoe        0            -

GROUP  COORDINATOR (ID)  ASSIGNMENT-STRATEGY  STATE   #MEMBERS
pay    b:9092 (1)        range                Stable  3
"""
"""Range would give the third consumer a partition, if it reads the topic and no rack differs."""


@pytest.mark.parametrize("named", ["range", "cooperative-sticky"])
def test_owners_that_what_runs_would_not_give_are_told(named: str) -> None:
    text = _TWO_OF_THREE_OWN.replace("range ", f"{named} ")

    answer = answer_of(given_of(the_group(text)), NextRebalance())

    found = caveat(answer, CaveatKind.MISFIT)
    if named == "cooperative-sticky":  # it keeps owners
        assert found is None
    else:
        assert found is not None
        assert (found.names, found.figures.known()) == (("range",), {"partitions": 1.0})
        assert words_of(answer).caveats[0].startswith("Range would give 1 partition")


def test_clients_of_different_libraries_in_one_group_are_told() -> None:
    def answer_on(*ids: str) -> Answer:
        rows = "".join(f"pay t {p} 0 9 9 {each} /h {each}\n" for p, each in enumerate(ids))
        return answer_of(given_of(the_group(f"{_HEAD}{rows}")), NextRebalance())

    mixed = caveat(answer_on("rdkafka-a", "consumer-pay-1"), CaveatKind.SEVERAL_CLIENTS)

    assert mixed is not None
    assert mixed.names == ("java", "librdkafka")
    alike = answer_on("rdkafka-a", "rdkafka-b")
    assert caveat(alike, CaveatKind.SEVERAL_CLIENTS) is None
