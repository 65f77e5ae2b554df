"""No two statements of a page contradict each other, whatever the group and its snapshots."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assignors.registry import STRATEGIES
from evaluation.advice import RELIABLE
from evaluation.compare import as_it_is_now, compare
from evaluation.consumer_times import consumers_now
from evaluation.diagnosis.findings import (
    CatchingUp,
    Full,
    KeepsRebalancing,
    MoreArrives,
    RecordsLost,
    Slower,
    Stopped,
    Uneven,
)
from evaluation.facts import Source
from evaluation.metrics import REAL_GAIN
from evaluation.wording import amount
from tests.advice.groups import Case, case
from tests.advice.plans import capacity_says, planned, rebalance_says, time_says
from tests.compared import compared
from ui.compare.conclusion import conclusion
from ui.facts import speed_words
from ui.incident.brief import hindrance
from ui.incident.sentences import sentence_of
from ui.untrusted import plain

_FIGURE = re.compile(r"([\d,.]+(?: [kMG])?)/s")
_SETTABLE = ("range", "roundrobin", "sticky", "cooperative-sticky")
_CUSTOM = ("lag-capped", "lag-sticky", "lag-skew")


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


def rates_of(found: Case) -> set[str]:
    """Return every rate that the case's facts hold, as sentences write them."""
    times, owners = found.times, found.group.present_owners
    reading = found.facts.reading.tolist()
    sums = [found.facts.speed.records_s, found.facts.total_arriving]
    for finding in found.findings:
        arriving = getattr(finding, "arriving", np.nan)
        sums += [arriving, *(getattr(finding, name, np.nan) for name in ("reading", "before"))]
        sums.append(arriving - getattr(finding, "reading", np.nan))
        sums += [arriving - alone for alone in (found.facts.speed.records_s, *reading)]
        others = np.delete(found.facts.arriving, list(finding.partitions))
        sums.append(float(np.nanmedian(others)) if np.isfinite(others).any() else 0.0)
        for member in range(found.group.member_count):
            held = owners == member
            sums += [float(np.nansum(rate[held])) for rate in (times.produced, times.consumed)]
    return {amount(round(rate, 1)) for rate in sums if np.isfinite(rate)}


@given(cases())
def test_every_rate_in_a_sentence_is_one_of_the_facts(found: Case) -> None:
    known = rates_of(found)

    for finding in found.findings:
        said = sentence_of(finding, found.group, found.facts)
        assert set(_FIGURE.findall(said)) <= known, said


@given(cases())
def test_the_sums_of_a_finding_are_those_of_the_time_view(found: Case) -> None:
    findings = [finding for finding in found.findings if not isinstance(finding, RecordsLost)]
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
def test_no_strategy_helps_is_said_only_with_a_cause_that_none_removes(found: Case) -> None:
    said = hindrance(found.findings, found.group)

    assert bool(said) == any(not finding.helped_by_assignment for finding in found.findings)
    causes = {type(finding) for finding in found.findings}
    if Stopped in causes and KeepsRebalancing not in causes:
        assert "stalled" in said


@given(cases())
def test_the_speed_on_every_page_is_the_same_with_the_same_source(found: Case) -> None:
    speed, plan = found.facts.speed, planned(found)

    assert plan.capacity.throughput == speed.records_s
    assert amount(round(speed.records_s, 1)) in speed_words(speed)
    assert ("guess" in speed_words(speed)) == (speed.source is Source.GUESS)
    np.testing.assert_array_equal(plan.group.offsets.rates, found.facts.arriving)


@given(cases())
def test_a_best_is_never_worse_than_a_panel_and_none_never_hides_a_better_one(found: Case) -> None:
    group = found.group
    now = as_it_is_now(group)
    settable, custom = (
        compare(group, tuple(STRATEGIES[name] for name in names)) for names in (_SETTABLE, _CUSTOM)
    )
    comparison = compared(group, settable, custom)
    advice, load = comparison.advice, comparison.load
    said = plain(conclusion(comparison))
    if now is None or not load.by_weight:
        return

    before = load.of(now)
    loads = [load.of(outcome) for outcome in settable]
    is_better = min(loads) < (1 - REAL_GAIN) * before
    is_fewer_unowned = any(o.figures.unowned < now.figures.unowned for o in settable)
    if "no strategy improves" in said:
        assert not is_better, said
    if advice.settable is not None:
        chosen = load.of(advice.settable)
        assert chosen < before or is_fewer_unowned
        assert chosen <= 1.1 * min(loads) or advice.settable.outlook is not None
    assert RELIABLE <= 1
