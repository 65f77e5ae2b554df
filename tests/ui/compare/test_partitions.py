"""The table of partitions: the causes of an alarm, then those furthest behind."""

from evaluation.answering.compose import answer_of
from evaluation.verdict_kinds import VerdictKind
from sources.asking import given_of
from tests.answers import NextRebalance
from tests.doors import texts
from tests.pasted import the_group
from ui.compare.partitions import partitions_frame
from ui.compare.worst import Causes


def test_what_has_stopped_comes_before_what_is_further_behind_and_catches_up() -> None:
    flows = [
        texts.Flow(1, 900_000, 40, 50.0, 50.0),
        texts.Flow(2, 900_000, 900_000, 50.0, 5_000.0),
        texts.Flow(3, 900_000, 9_000, 50.0),
    ]
    answer = answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())
    verdict, times = answer.verdict, answer.known.times

    def order(causes: Causes) -> list[int]:
        frame = partitions_frame(answer.group, [*answer.outcomes.values()], times, {}, causes)
        return list(frame["partition"])

    assert verdict.kind is VerdictKind.STOPPED
    assert order(Causes(verdict.members, verdict.partitions)) == [2, 1, 0]
    assert order(Causes()) == [1, 2, 0]
