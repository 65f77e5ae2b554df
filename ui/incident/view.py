"""Why the group on screen is behind, above what a page answers."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from evaluation.diagnosis.diagnose import diagnose
from evaluation.diagnosis.findings import (
    CatchingUp,
    Finding,
    IdleConsumers,
    LagConcentrated,
    LagSpread,
    NobodyReads,
    OffByOne,
    OwnersUnknown,
    RebalanceUnderWay,
    TopicLeft,
)
from evaluation.offset_history import OffsetHistory
from ui import facts
from ui.incident.sentences import sentence_of
from ui.lag_in_time.view import conclusion_line
from ui.scenario import Scenario

_HOW: Final = "One snapshot does not tell why: run it again in a minute and paste that, too."
_HOW_EXACTLY: Final = (
    "The second output is added to the first, by when you paste it; `date` before each says it "
    "exactly."
)
_OPEN: Final = (LagConcentrated, LagSpread, OffByOne, OwnersUnknown, IdleConsumers)
"""Findings that leave open why records wait, or that are no reason."""


def findings_in(current: Scenario) -> tuple[Finding, ...]:
    """Return why the group on screen is behind, as far as its snapshots tell."""
    history = facts.history_of(current) or OffsetHistory()
    group = current.group
    times = facts.times_in(group, history)
    found = diagnose(
        group,
        history,
        times,
        facts.facts_in(current),
        rebalancing=None if current.is_edited else current.reading.rebalancing,
    )
    if current.is_edited or current.origin:  # what nobody owns there, the next rebalance gives away
        found = tuple(f for f in found if not _may_be_given_away(f))
    if not _has_second(current) and (current.origin or group.offsets.end is None):
        found = tuple(f for f in found if not isinstance(f, _OPEN))
    return found


def causes(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return the findings that say why records wait, without those that leave it open."""
    return tuple(finding for finding in findings if not isinstance(finding, _OPEN))


def sentences(current: Scenario, findings: Sequence[Finding]) -> list[str]:
    """Return a sentence for each finding, as Markdown."""
    found, group, hosts = facts.facts_in(current), current.group, current.reading.hosts
    return [
        sentence_of(finding, group, found, hosts, is_rest=bool(k))
        for k, finding in enumerate(findings)
    ]


def show(current: Scenario, findings: Sequence[Finding]) -> None:
    """Show a sentence for each finding, and how to get a second snapshot if that may tell more."""
    said = sentences(current, findings)
    if _lacks_a_second(current) and not causes(findings):
        how = f":small[{_HOW}]"
        said[:1] = [f"{said[0]} {how}" if said else how]  # one line leaves room for the pictures
        st.markdown(said[0], help=_HOW_EXACTLY)
        said = said[1:]
    for each in said:
        st.markdown(each)


def show_with_time(current: Scenario) -> None:
    """Show on another page why the group is behind, and for how long."""
    findings = causes(findings_in(current))
    for said in sentences(current, findings):
        st.markdown(said)
    if not any(isinstance(finding, CatchingUp) for finding in findings):
        conclusion_line(current)


def _lacks_a_second(current: Scenario) -> bool:
    """Return whether a single pasted or uploaded snapshot leaves the reason open."""
    has_offsets = current.group.offsets.end is not None
    is_open = not _has_second(current) and has_offsets and not current.origin
    return is_open and bool(current.group.counted_lags.any())


def _has_second(current: Scenario) -> bool:
    history = current.reading.history
    return history is not None and history.has_several


def _may_be_given_away(finding: Finding) -> bool:
    match finding:
        case NobodyReads():
            return not finding.is_group_empty
        case TopicLeft() | RebalanceUnderWay():
            return True
        case _:
            return False
