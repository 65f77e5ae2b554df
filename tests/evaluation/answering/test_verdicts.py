"""Verdicts of groups whose truth is known, read from what the tool prints."""

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from evaluation.answering.actions import Action
from evaluation.answering.answer import Answer
from evaluation.answering.as_data import as_data
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.compose import answer_of
from evaluation.answering.fields import fields_of
from evaluation.answering.given import Statements
from evaluation.answering.verdict_rows import ROWS
from evaluation.answering.why_not import WhyNot
from evaluation.answering.words import words_of
from evaluation.diagnosis.findings import hindering
from evaluation.measuring.facts import Source
from evaluation.rebalancing import Rebalancing
from evaluation.severity import Severity
from evaluation.verdict_kinds import VerdictKind
from sources.added import added
from sources.asking import given_of
from tests.advice.groups import case
from tests.answers import FirstDraws, NextRebalance
from tests.doors import texts
from tests.doors.texts import Flow
from tests.pasted import the_group


def answer(text: str) -> Answer:
    """Return the answer on the one group of a text, from first simulations."""
    return answer_of(given_of(the_group(text)), FirstDraws())


def labels(found: Answer) -> list[str]:
    """Return the consumers that the verdict names, without their UUIDs."""
    return [found.group.members[m][:8] for m in found.verdict.members]


@pytest.mark.parametrize("dated", [True, False])
def test_three_stopped_workers_are_all_named_dated_or_not(*, dated: bool) -> None:
    found = answer(texts.snapshots(texts.three_stopped(), dated=dated))

    assert found.verdict.kind is VerdictKind.STOPPED
    assert labels(found) == ["worker-2", "worker-5", "worker-6"]
    assert len(found.verdict.partitions) == 9
    assert found.verdict.figures.arrived_records == 9 * 50 * 60
    assert found.proposal is not None
    assert found.proposal.action is Action.RESTART
    assert found.proposal.members == found.verdict.members
    assert {o.why_not for o in found.strategies} == {WhyNot.CAUSE_STANDS}


def test_four_seconds_without_a_commit_restart_nobody() -> None:
    found = answer(texts.snapshots(texts.three_stopped(), dated=True, apart_s=4.0))

    assert found.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN
    assert sorted(labels(found)) == ["worker-2", "worker-5", "worker-6"]
    assert found.verdict.figures.observed_s == 4
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT
    assert "in 4 s" in words_of(found).evidence
    assert "30 s later" in words_of(found).action


def test_two_texts_of_one_moment_restart_nobody() -> None:
    found = answer(texts.snapshots(texts.three_stopped(), dated=False, apart_s=0.1))

    assert not found.verdict.is_alarm
    assert found.verdict.figures.read_between_records == 0


@pytest.mark.slow
def test_rates_by_when_texts_were_pasted_are_about() -> None:
    reading = the_group(texts.snapshots(texts.three_stopped(), dated=True))
    assert reading.history is not None
    first, last = reading.history.moments
    pasted = replace(reading.history, moments=(first, last._replace(is_pasted=True)))

    dated, about = (
        answer_of(given_of(replace(reading, history=each)), FirstDraws())
        for each in (reading.history, pasted)
    )

    assert dated.verdict.kind is about.verdict.kind is VerdictKind.STOPPED
    assert (dated.verdict.is_dated, about.verdict.is_dated) == (True, False)
    kinds = [{caveat.kind for caveat in each.caveats} for each in (dated, about)]
    assert kinds[1] - kinds[0] == {CaveatKind.UNDATED}


def pasted_apart(flows: Sequence[Flow], made_s: float, pasted_s: float) -> Answer:
    """Return the answer on two undated texts that were made and pasted so many seconds apart."""
    first, second = (
        replace(the_group(texts.describe([flow.after(seconds) for flow in flows])), pasted_s=at_s)
        for seconds, at_s in ((0.0, 1_000.0), (made_s, 1_000.0 + pasted_s))
    )
    return answer_of(given_of(added(first, second).reading), FirstDraws())


@pytest.mark.parametrize("seconds", [1.0, 4.2, 40.0, 600.0])
def test_when_texts_were_pasted_hides_nobody_who_stands(seconds: float) -> None:
    flows = [
        Flow(3, 1_000, 1_000, 250.0) if k % 4 == 3 else Flow(k % 4, 1_900, 100, 250.0, 225.0)
        for k in range(12)
    ]

    found = pasted_apart(flows, 4.0, seconds)

    assert (found.verdict.kind, labels(found)) == (VerdictKind.STOPPED, ["worker-3"])
    assert found.verdict.figures.arrived_records == 3_000
    assert not found.verdict.is_dated


@pytest.mark.parametrize(("made_s", "pasted_s"), [(60, 4.2), (30, 30), (15, 12), (30, 600)])
def test_a_group_that_keeps_up_does_so_whenever_it_was_pasted(
    made_s: float, pasted_s: float
) -> None:
    found = pasted_apart([flow._replace(lag=60) for flow in texts.healthy()], made_s, pasted_s)

    assert found.verdict.kind is VerdictKind.HEALTHY


@pytest.mark.slow
def test_two_texts_never_tell_less_than_one() -> None:
    one = answer(texts.describe(texts.hot_partition()))
    two = answer(texts.snapshots(texts.hot_partition(), dated=False))

    assert one.verdict.kind is two.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN
    assert one.verdict.partitions == two.verdict.partitions
    assert two.verdict.figures.read_between_records == 600 * 60
    assert two.verdict.figures.arrived_records == 900 * 60


def test_a_hot_partition_never_catches_up_and_no_strategy_is_proposed() -> None:
    found = answer(texts.snapshots(texts.hot_partition(), dated=True))

    assert found.verdict.kind is VerdictKind.TOO_HOT
    assert found.verdict.severity is Severity.ALARM
    assert [found.group.partition_name(p) for p in found.verdict.partitions] == ["clickstream-7"]
    assert found.verdict.figures.arriving_per_s == pytest.approx(900)
    assert found.verdict.figures.usual_per_s == pytest.approx(50)
    assert found.proposal is not None
    assert found.proposal.action is Action.SPLIT_KEYS


@pytest.mark.parametrize(
    ("flows", "kind"),
    [
        (texts.healthy, VerdictKind.HEALTHY),
        (texts.dead, VerdictKind.NO_CONSUMERS),
        (texts.full, VerdictKind.FULL),
    ],
)
def test_each_state_is_told_from_two_dated_snapshots(
    flows: Callable[[], Sequence[Flow]], kind: VerdictKind
) -> None:
    assert answer(texts.snapshots(flows(), dated=True)).verdict.kind is kind


def test_full_consumers_need_whole_partitions() -> None:
    found = answer(texts.snapshots(texts.full(), dated=True))

    assert found.proposal is not None
    assert (found.proposal.action, found.proposal.consumers) == (Action.ADD_CONSUMERS, 6)


def test_lag_in_few_hands_asks_for_a_second_snapshot_before_any_switch() -> None:
    found = answer(texts.describe(texts.uneven()))

    assert found.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT
    assert {o.why_not for o in found.strategies} == {WhyNot.CAUSE_OPEN}


def test_an_uneven_group_gets_a_second_snapshot_before_a_switch_that_costs_much() -> None:
    lags = (9_000, 8_000, 8_500, 7_500, 3_000, 2_500, 4_000, 3_500, 2_000, 1_500, 1_000, 500)
    flows = [Flow(k // 3 + 1, 50_000 + k, lag) for k, lag in enumerate(lags)]

    found = answer(texts.describe(flows))

    assert found.verdict.kind is VerdictKind.UNEVEN
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT
    assert found.few_moves is not None
    assert found.few_moves.why_not is WhyNot.ONE_SNAPSHOT
    assert found.few_moves.moves is not None
    assert found.few_moves.moves <= 3
    assert "move" not in words_of(found).action


@pytest.mark.parametrize(
    "text",
    [
        *(texts.snapshots(flows(), dated=True) for flows in texts.ALL),
        *(texts.snapshots(flows(), dated=False) for flows in texts.ALL),
        *(texts.describe(flows()) for flows in texts.ALL),
    ],
)
def test_every_answer_has_a_headline_and_is_json(text: str) -> None:
    found = answer(text)

    assert words_of(found).headline
    assert words_of(found).short
    data = json.loads(json.dumps(as_data(found)))
    assert data["verdict"]["kind"] == found.verdict.kind.value
    assert (data["proposal"] is None) == (found.proposal is None)


@pytest.mark.slow
def test_no_more_restarts_are_simulated_where_they_change_nothing() -> None:
    stopped = answer(texts.snapshots(texts.three_stopped(), dated=True))
    even = answer(texts.snapshots(texts.healthy(), dated=True))
    overloaded = answer(texts.snapshots(texts.one_overloaded(), dated=True))

    assert (stopped.weighs_strategies, stopped.hangs_on_simulations) == (False, False)
    assert (even.weighs_strategies, even.hangs_on_simulations) == (True, False)
    assert (overloaded.weighs_strategies, overloaded.hangs_on_simulations) == (True, True)


_HEAD: Final = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID\n"


def _said_of(text: str) -> tuple[Answer, str]:
    found = answer(text)
    return found, words_of(found).evidence


def test_a_partition_without_a_commit_is_no_partition_without_lag() -> None:
    found, evidence = _said_of(_HEAD + "g t 0 - 3083 - a\ng t 1 50 50 0 b\ng t 2 - 0 - c\n")

    assert found.verdict.kind is VerdictKind.LAG_UNKNOWN
    assert all(said in evidence for said in ("t-0", "3,083", "auto.offset.reset"))


def test_a_lag_of_one_on_three_partitions_tells_nothing_of_forty_others() -> None:
    rows = "".join(
        f"g t {p} {p + 5} {p + 6} 1 {who}\n" for p, who in ((3, "a"), (9, "b"), (42, "c"))
    )

    found, _ = _said_of(_HEAD + rows)

    assert found.verdict.kind is VerdictKind.OWNERS_UNKNOWN


def test_where_some_owners_are_unknown_all_that_waits_is_said() -> None:
    found, evidence = _said_of(_HEAD + "g t 0 4 104 100 a\ng t 1 4 204 200 a\ng t 4 3 53 50")

    assert found.verdict.kind is VerdictKind.OWNERS_UNKNOWN
    assert evidence.startswith("350 records wait")
    assert found.proposal is not None
    assert found.proposal.action is Action.ADD_SNAPSHOT


def test_consumers_that_a_strategy_leaves_idle_are_not_called_surplus() -> None:
    line = "INFO 1 --- [w-{}] o.s.k.KafkaMessageListenerContainer : partitions assigned: [{}]\n"

    found, _ = _said_of("".join(line.format(n, "a-0, b-0, c-0" if not n else "") for n in range(5)))

    assert found.verdict.kind is VerdictKind.IDLE
    assert len(found.verdict.members) == 4
    assert found.proposal is not None
    assert found.proposal.consumers == 3
    assert "any strategy" not in words_of(found).evidence


def test_counts_that_differ_by_two_are_not_called_even() -> None:
    text = (
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS ASSIGNMENT\n"
        "g a-1 /h a 3 t(0,1,2)\ng a-2 /h a 0 -\ng a-3 /h a 3 u(0,1,2)\n"
    )

    found, _ = _said_of(text)

    assert "even" not in words_of(found).headline


def test_two_snapshots_without_times_tell_that_nobody_reads() -> None:
    table = f"Consumer group 'g' has no active members.\n{_HEAD}g t 0 11 {{}} {{}} -\n"

    found, evidence = _said_of(table.format(11, 0) + "\n" + table.format(16, 5))

    assert found.verdict.kind is VerdictKind.NO_CONSUMERS
    assert "5 records arrived" in evidence
    assert "One snapshot" not in evidence


def test_hosts_that_were_cut_out_are_no_hosts() -> None:
    head = _HEAD.replace("\n", " HOST\n")

    reading = the_group(f"{head}g t 0 1 2 1 a ...\ng t 1 1 2 1 b /10.0.0.1\n")

    assert reading.hosts == {"b": "/10.0.0.1"}


def test_one_partition_of_the_only_consumer_that_holds_all_lag_is_not_healthy() -> None:
    flows = [Flow(1, 700_000, 900_000, 3_000.0, 1_000.0), Flow(1, 220_000, 999, 7.0, 7.0)]

    for text in (texts.describe(flows), texts.snapshots(flows, dated=False)):
        found = answer_of(given_of(the_group(text)), NextRebalance())
        assert found.verdict.kind is VerdictKind.TOO_LITTLE_KNOWN
        assert found.verdict.partitions == (0,)


@pytest.mark.slow
def test_a_verdict_rests_on_the_weaker_of_what_arrives_and_what_is_read() -> None:
    reading = the_group(texts.describe([Flow(1, 860_000, 9_000), Flow(2, 860_000, 9_000)]))
    hot = the_group(texts.snapshots(texts.hot_partition(), dated=True))
    said = Statements(arriving=400.0, speed=100.0)
    stated = answer_of(given_of(reading, said), NextRebalance())
    measured = answer_of(given_of(hot), NextRebalance())

    assert stated.verdict.rests_on is Source.STATED
    assert measured.verdict.rests_on is Source.MEASURED


def test_a_group_of_as_many_consumers_as_partitions_is_told_that_more_need_partitions() -> None:
    steady = [Flow(1, 860_000, 9_000, 10.0, 10.0), Flow(1, 860_000, 9_000, 10.0, 10.0)]

    one, two = (
        answer_of(given_of(the_group(texts.snapshots(flows, dated=True))), NextRebalance())
        for flows in (steady[:1], steady)
    )

    assert (one.verdict.kind, two.verdict.kind) == (VerdictKind.NEVER_CATCHES_UP,) * 2
    assert ["needs_partitions" in fields_of(each) for each in (one, two)] == [True, False]
    assert words_of(one).action != words_of(two).action


def test_what_was_never_committed_is_not_healthy_because_a_little_waits_elsewhere() -> None:
    def paste(end: int) -> str:
        rows = [Flow(k % 2 + 1, 200_000, 3) for k in range(4)]
        *lines, last = texts.describe([*rows, Flow(1, 0, end)]).splitlines()
        group, topic, number, _, _, _, *who = last.split()
        return "\n".join([*lines, " ".join([group, topic, number, "-", str(end), "-", *who])])

    few, many = (
        answer_of(given_of(the_group(paste(end))), NextRebalance()) for end in (20, 90_000)
    )

    assert (few.group.is_lag_known.sum(), many.group.is_lag_known.sum()) == (4, 4)
    assert few.verdict.kind is VerdictKind.HEALTHY
    assert many.verdict.kind is VerdictKind.LAG_UNKNOWN
    assert "clickstream-4" in words_of(many).headline


def test_what_waits_during_a_rebalance_is_the_lag_of_the_whole_group() -> None:
    reading = the_group(texts.describe([Flow(1, 500, 7_000), Flow(None, 500, 300)]))
    under_way = Rebalancing(now=np.array([0, -1]), target=None)

    found = answer_of(given_of(replace(reading, rebalancing=under_way)), FirstDraws())

    assert found.verdict.kind is VerdictKind.REBALANCE_UNDER_WAY
    assert found.verdict.figures.lag_records == 7_300


def test_a_verdict_that_names_no_partitions_counts_what_waits_in_the_group() -> None:
    head = _HEAD.replace("\n", " HOST CLIENT-ID\n")
    rows = "".join(f"g t {p} 100 130 30 c-{p} /h c-{p}\n" for p in range(3))

    found = answer(f"{head}{rows}g - - - - - c-3 /h c-3\n")

    assert found.verdict.kind is VerdictKind.IDLE
    assert found.verdict.figures.lag_records == 90


def test_a_group_that_keeps_rebalancing_still_has_its_lag() -> None:
    def moment(at: int) -> str:
        rows = (
            f"g t {p} {1_000 + 100 * at} {1_500 + 100 * at} 500 c-{(p + at) % 3}\n"
            for p in range(6)
        )
        return f"2026-11-27T10:{at:02}:00Z\n\n{_HEAD}{''.join(rows)}"

    found = answer("\n".join(map(moment, range(4))))

    assert found.verdict.kind is VerdictKind.KEEPS_REBALANCING
    assert (found.verdict.figures.changes, found.verdict.figures.lag_records) == (3, 3_000)


def test_a_rebalance_under_way_says_what_moves_and_no_lag_that_nobody_knows() -> None:
    head = (
        "GROUP CONSUMER-ID HOST CLIENT-ID #PARTITIONS CURRENT-EPOCH CURRENT-ASSIGNMENT "
        "TARGET-EPOCH TARGET-ASSIGNMENT\n"
    )
    rows = "g Zx9yYVNLQvS1wE0rI6Jd7A /h a 4 12 t(0,1,2,3) 13 t(0,1)\n"

    found, evidence = _said_of(f"{head}{rows}g hJp3f2VxTe2Tg0nX4rQKbA /h a 0 13 - 13 t(2,3)\n")

    assert found.verdict.kind is VerdictKind.REBALANCE_UNDER_WAY
    assert found.verdict.figures.moving_partitions == 2
    assert found.verdict.figures.lag_records is None
    assert "2 partitions" in evidence


def test_a_classic_rebalance_under_way_counts_no_moves_and_every_record_that_waits() -> None:
    rows = "".join(f"g t {p} 1000 {1_001 + 1_000 * p} {1 + 1_000 * p} -\n" for p in range(3))

    found, _ = _said_of(f"Warning: Consumer group 'g' is rebalancing.\n\n{_HEAD}{rows}")

    assert found.verdict.kind is VerdictKind.REBALANCE_UNDER_WAY
    assert found.verdict.figures.moving_partitions is None
    assert found.verdict.figures.lag_records == 3_003


def _outside(*offsets: tuple[int, int]) -> Answer:
    """Return the answer on three partitions that no member reads, two minutes apart each."""
    tables = (
        f"2026-11-27T10:{2 * at:02}:00Z\n\nConsumer group 'g' has no active members.\n\n{_HEAD}"
        + "".join(f"g t {p} {done} {end} {end - done} -\n" for p in range(3))
        for at, (done, end) in enumerate(offsets)
    )
    return answer("\n".join(tables))


def test_a_job_that_reads_far_less_than_arrives_is_an_alarm() -> None:
    found = _outside((1_000, 100_000), (1_120, 200_000))

    assert found.verdict.kind is VerdictKind.OUTSIDE_BEHIND
    assert found.verdict.severity is Severity.ALARM
    assert found.verdict.figures.ends_s == math.inf
    assert "2,497/s" in words_of(found).headline
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK


def test_a_job_between_two_checkpoints_is_not_behind() -> None:
    # It had read all, and commits all that was there a minute later; another minute's records wait.
    found = _outside((100_000, 100_000), (150_000, 200_000))

    assert found.verdict.kind is VerdictKind.READ_OUTSIDE
    assert found.verdict.figures.ends_s is None


_LOST_JSON: Final = json.dumps(
    {
        "topics": {"t": 2},
        "members": [{"id": k, "topics": ["t"], "owned": [["t", p]]} for p, k in enumerate("ab")],
        "offsets": {"t": {"begin": [900_000, 0], "end": [1_000_100, 100], "committed": [100, 95]}},
    }
)
_LOST_RPK: Final = """GROUP        orders-svc
STATE        Stable
BALANCER     range
MEMBERS      2
TOTAL-LAG    1000005

TOPIC  PARTITION  CURRENT-OFFSET  LOG-START-OFFSET  LOG-END-OFFSET  LAG      MEMBER-ID  CLIENT-ID  HOST
t      0          100             900000            1000100         1000000  a-1        a          10.1.1.1
t      1          95              0                 100             5        b-1        b          10.1.1.2
"""  # noqa: E501 -- as rpk prints it


@pytest.mark.parametrize("text", [_LOST_JSON, _LOST_RPK], ids=["offsets", "a printed lag"])
def test_records_that_were_deleted_unread_do_not_wait(text: str) -> None:
    # 899,900 of the million are gone: 100,100 wait, and 5 on the other.
    found = answer(text)

    assert found.verdict.kind is VerdictKind.RECORDS_LOST
    assert found.verdict.figures.lost_records == 899_900
    assert found.verdict.figures.lag_records == found.verdict.figures.busiest_load == 100_100
    assert found.verdict.figures.even_load == 100_105 / 2
    assert any("deleted unread" in note for note in the_group(text).notes)
    assert found.proposal is not None
    assert found.proposal.action is Action.LOOK
    assert "retention.ms" in words_of(found).action


def test_a_steady_lag_of_half_a_minute_asks_for_no_consumers() -> None:
    # 300 behind on each of four partitions, 10/s arrive in each and are read.
    found = answer(
        texts.snapshots([Flow(k % 2, 1_000, 300, 10.0, 10.0) for k in range(4)], dated=True)
    )

    assert found.verdict.kind is VerdictKind.CATCHING_UP
    assert found.known.facts.speed.is_least
    assert found.proposal is not None
    assert found.proposal.action is Action.WAIT
    assert "shrinks" not in words_of(found).headline


def test_a_job_that_keeps_pace_with_a_standing_backlog_is_not_behind() -> None:
    found = _outside((1_000, 6_000), (3_000, 8_000))

    assert found.verdict.kind is VerdictKind.READ_OUTSIDE
    assert found.verdict.figures.ends_s is None


def test_who_has_nothing_to_read_is_not_counted_among_those_behind() -> None:
    lags = (9_000, 9_000, 0, 9_000, 9_000, 0)
    rows = "".join(f"g t {p} 100 {100 + lag} {lag} c-{p % 3}\n" for p, lag in enumerate(lags))

    found = answer(_HEAD + rows)

    assert (found.verdict.kind, labels(found)) == (VerdictKind.BEHIND, ["c-0", "c-1"])
    assert words_of(found).headline.startswith("2 of 3 consumers")


def test_half_of_the_lag_in_one_of_two_partitions_bars_no_strategy() -> None:
    # An even share of 170,000 is 85,000: c-0 has 1.06 times as much.
    lags = (90_000, 80_000, 0, 0)
    rows = "".join(f"g t {p} 100 {100 + lag} {lag} c-{p % 2}\n" for p, lag in enumerate(lags))

    found = answer(_HEAD + rows)

    assert (found.verdict.kind, labels(found)) == (VerdictKind.BEHIND, ["c-0", "c-1"])
    assert WhyNot.CAUSE_OPEN not in {option.why_not for option in found.strategies}


def test_what_is_broken_comes_before_what_may_become_so() -> None:
    first, *others = VerdictKind
    urgent = [ROWS[kind].severity for kind in others if ROWS[kind].severity >= Severity.WARNING]

    assert first is VerdictKind.REBALANCE_UNDER_WAY
    assert urgent == sorted(urgent, reverse=True)


def test_offsets_that_jumped_long_ago_hide_no_consumer_that_never_catches_up() -> None:
    # 100/s arrive in each. t-0 is read at 10/s for two minutes and then set to its end; c2 reads
    # 67/s of each of its three.
    def moment(k: int) -> tuple[list[int], list[int]]:
        end = 500_000 + 6_000 * k
        jumped = 100_000 + 600 * k if k <= 2 else end - 50
        behind = 480_000 + 4_020 * k
        return [end] * 7, [jumped, end - 50, end - 50, end - 50, behind, behind, behind]

    found = case([0, 0, 1, 1, 2, 2, 2], *(moment(k) for k in range(12)))

    assert found.answer.verdict.kind is VerdictKind.NEVER_CATCHES_UP
    assert found.answer.verdict.members == (2,)
    (skipped,) = found.answer.besides
    assert (skipped.kind, skipped.partitions) == (VerdictKind.OFFSETS_SKIPPED, (0,))
    assert skipped.since_s == 8 * 60
    assert skipped.figures.skipped_records == 517_950 - 101_200
    assert hindering(found.findings) is None  # it is over: another assignment may help c2


def test_a_group_that_reads_what_arrives_keeps_up_however_even_it_is() -> None:
    # 100/s arrive in each; 50 wait in each at either moment. One snapshot alone does not tell.
    moments = [([10_000 + 6_000 * k] * 4, [9_950 + 6_000 * k] * 4) for k in range(2)]
    seen, once = case([0, 1, 0, 1], *moments).answer, case([0, 1, 0, 1], moments[1]).answer

    assert seen.verdict.kind is once.verdict.kind is VerdictKind.HEALTHY
    assert "keep_up" in fields_of(seen)
    assert "keep_up" not in fields_of(once)
