"""No two statements of a page contradict each other, whatever the group and its snapshots."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.answering.actions import Action
from evaluation.answering.compose import answer_of
from evaluation.answering.why_not import WhyNot
from evaluation.answering.words import cause_words
from evaluation.comparing.worth import WORTH
from evaluation.diagnosis.findings import (
    AheadOfLog,
    CatchingUp,
    Full,
    IdleConsumers,
    KeepsRebalancing,
    LogTruncated,
    MoreArrives,
    OffsetsReset,
    OffsetsSkipped,
    RecordsLost,
    Slower,
    Stopped,
    Uneven,
)
from evaluation.measuring.consumer_times import consumers_now
from evaluation.measuring.facts import Source
from evaluation.verdict_kinds import VerdictKind
from evaluation.wording import rate_amount
from tests.advice.groups import Case, case
from tests.advice.plans import capacity_says, planned, rebalance_says, time_says
from tests.answers import NextRebalance
from ui.facts import speed_words

_FIGURE = re.compile(r"([\d,.]+(?: [kMG])?)/s")


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Draw up to four consumers of up to six partitions, seen two to four times."""
    members = draw(st.integers(1, 4))
    partitions = draw(st.integers(1, 6))
    owners = draw(st.lists(st.integers(-1, members - 1), min_size=partitions, max_size=partitions))
    count = st.integers(0, 5_000).map(lambda steps: 12 * steps)
    end = draw(st.lists(count, min_size=partitions, max_size=partitions))
    read = [draw(st.integers(0, last)) for last in end]
    moments = [(list(end), list(read))]
    for _ in range(draw(st.integers(1, 3))):
        end = [last + draw(count) for last in end]
        read = [draw(st.integers(was, last)) for was, last in zip(read, end, strict=True)]
        moments.append((list(end), list(read)))
    return case(owners, *moments, members=members)


_RATES = ("arriving", "reading", "before", "usual", "alone", "each", "others")
"""Of a finding, where it has them."""


def rates_of(found: Case) -> set[str]:
    """Return every rate that the case's facts hold, as sentences write them."""
    times, owners = found.times, found.group.present_owners
    sums = [found.facts.speed.records_s, found.facts.total_arriving]
    for finding in found.findings:
        rates = [getattr(finding, name, np.nan) for name in _RATES]
        sums += [*rates, rates[0] - rates[1]]
    named = [*found.answer.verdict.members]
    sums += [found.facts.reading[named].sum()]
    sums += [np.nansum(found.facts.arriving[np.isin(owners, named)])]
    for member in range(found.group.member_count):
        held = owners == member
        sums += [float(np.nansum(rate[held])) for rate in (times.produced, times.consumed)]
    return {rate_amount(rate) for rate in sums if np.isfinite(rate)}


@given(cases())
def test_every_rate_in_a_sentence_is_one_of_the_facts(found: Case) -> None:
    known, answer = rates_of(found), found.answer

    for headline, evidence in (cause_words(each, answer) for each in answer.causes):
        assert set(_FIGURE.findall(f"{headline} {evidence}")) <= known, evidence
    assert set(_FIGURE.findall(found.said)) <= known, found.said


@given(cases())
def test_the_sums_of_a_finding_are_those_of_the_time_view(found: Case) -> None:
    without = KeepsRebalancing | IdleConsumers | RecordsLost | OffsetsReset | OffsetsSkipped
    without |= (
        LogTruncated | AheadOfLog
    )  # which tell what happened, and stand beside a cause of lag
    findings = [finding for finding in found.findings if not isinstance(finding, without)]
    explained = [p for finding in findings for p in finding.partitions]

    assert len(explained) == len({*explained})
    for finding in findings:
        assert finding.lag == np.nansum(found.times.lag[list(finding.partitions)])


@given(cases())
def test_a_consumer_that_never_catches_up_is_never_cleared(found: Case) -> None:
    hot = found.facts.arriving >= found.facts.speed.records_s
    is_measured = found.facts.speed.source is Source.MEASURED and not found.facts.speed.is_least
    has_backlog = np.nan_to_num(found.times.lag) > 0
    is_owned = found.group.is_wanted

    said = capacity_says(found)

    if is_measured and (hot & has_backlog & is_owned).any():
        assert said.startswith("No number of consumers helps"), said
        assert bool(found.facts.speed.most_seen) == ("If every consumer reads" in said), said
    if "never catch" in said.partition(". ")[0]:
        assert "clear" not in said.partition(". ")[0]
    if found.facts.speed.is_least:
        assert "never" not in said, said
    if found.facts.speed.source is Source.GUESS:
        assert "guess" in said or planned(found).plan is not None, said


@given(cases(), st.sampled_from([None, 100.0, 900.0]))
def test_time_capacity_and_rebalance_name_one_time(found: Case, cap: float | None) -> None:
    found = found.capped(cap)
    now = planned(found).now
    if now is None:  # nothing waits and nothing arrives, or somebody's partition has no owner
        return

    times = [time_says(found), rebalance_says(found), now.seconds]

    if np.isfinite(times).all():
        assert times == pytest.approx([times[0]] * 3)
    else:
        assert np.isinf(times[1:]).all()


@given(cases())
def test_over_by_itself_is_only_said_of_what_the_time_view_sees_catch_up(found: Case) -> None:
    for finding in found.findings:
        if isinstance(finding, CatchingUp) and np.isfinite(finding.over_s):
            catch_up = found.times.catch_up_s[list(finding.partitions)]
            assert finding.over_s == np.nanmax(catch_up)
            assert finding.reading >= finding.arriving
        if isinstance(finding, Full | MoreArrives | Slower | Uneven):
            now = consumers_now(found.times, found.group.present_owners, found.group.member_count)
            assert finding.arriving > finding.reading
            assert np.isfinite(now.catch_up_s).sum() <= found.group.member_count


@given(cases())
def test_a_cause_that_no_assignment_helps_leaves_no_strategy_to_propose(found: Case) -> None:
    answer = answer_of(found.given, NextRebalance())
    reasons = {option.why_not for option in answer.strategies}
    is_hindered = any(finding.hinders for finding in answer.findings)

    assert (WhyNot.CAUSE_STANDS in reasons) == (is_hindered and bool(answer.strategies))
    if is_hindered:
        assert answer.proposal is None or answer.proposal.strategy is None
    if Stopped in found.causes and KeepsRebalancing not in found.causes:
        assert VerdictKind.STOPPED in {each.kind for each in answer.causes}


@given(cases())
def test_the_speed_on_every_page_is_the_same_with_the_same_source(found: Case) -> None:
    speed, plan = found.facts.speed, planned(found)

    assert plan.capacity.throughput == speed.records_s
    assert rate_amount(speed.records_s) in speed_words(speed)
    assert ("guess" in speed_words(speed)) == (speed.source is Source.GUESS)
    np.testing.assert_array_equal(plan.group.offsets.rates, found.facts.arriving)


@given(cases())
def test_nothing_proposed_is_worse_than_today_and_none_never_hides_a_better_one(
    found: Case,
) -> None:
    answer = answer_of(found.given, NextRebalance())
    if answer.now is None or not answer.load.by_weight:
        return

    before, proposal = answer.load.of(answer.now), answer.proposal
    passing = [option for option in answer.strategies if option.why_not is None]
    assert bool(passing) == (proposal is not None and proposal.action is Action.SWITCH)
    if passing and proposal is not None and proposal.outcome is not None:
        chosen, unowned = answer.load.of(proposal.outcome), proposal.outcome.figures.unowned
        ends_it = answer.keep is not None and answer.keep.ends_s == np.inf
        assert chosen <= (1 - WORTH) * before or unowned < answer.now.figures.unowned or ends_it
