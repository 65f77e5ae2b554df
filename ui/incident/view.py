"""Why the group on screen is behind, above what a page answers."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from evaluation.incident import Cause, Finding, diagnose, glance
from evaluation.offset_history import OffsetHistory
from ui import facts
from ui.incident.sentences import glance_words, sentence_of
from ui.lag_in_time.view import conclusion_line
from ui.scenario import Scenario

_HOW: Final = "One snapshot does not tell why: paste two, a minute apart."
_HOW_EXACTLY: Final = (
    "Run the same command again in a minute and paste both outputs, one below the other, with "
    "`date` before each."
)


def findings_in(current: Scenario) -> tuple[Finding, ...]:
    """Return why the group on screen is behind, as far as its snapshots tell."""
    history = facts.history_of(current) or OffsetHistory()
    group = current.group
    times = facts.times_in(group, history)
    found = diagnose(group, history, times, facts.facts_in(current))
    if current.is_edited or current.origin:  # what nobody owns there, the next rebalance gives away
        found = tuple(f for f in found if f.cause is not Cause.NOBODY or not group.member_count)
    return found


def sentences(current: Scenario, findings: Sequence[Finding]) -> list[str]:
    """Return a sentence for each cause, as Markdown."""
    found, group, hosts = facts.facts_in(current), current.group, current.reading.hosts
    return [sentence_of(finding, group, found, hosts) for finding in findings]


def show(current: Scenario, findings: Sequence[Finding]) -> None:
    """Show a sentence for each cause, or how to get a second snapshot."""
    for said in sentences(current, findings):
        st.markdown(said)
    if not findings and _lacks_a_second(current):
        seen = glance(current.group)
        words = glance_words(seen, current.group, current.reading.hosts) if seen else ""
        lead = f":material/emergency: {words} " if words else ""
        st.markdown(
            f"{lead}:small[{_HOW}]", help=_HOW_EXACTLY
        )  # one line, to leave the pictures on the first screen


def show_with_time(current: Scenario) -> None:
    """Show on another page why the group is behind, and for how long."""
    findings = findings_in(current)
    for said in sentences(current, findings):
        st.markdown(said)
    if not any(finding.cause is Cause.CATCHING_UP for finding in findings):
        conclusion_line(current)


def _lacks_a_second(current: Scenario) -> bool:
    """Return whether a single pasted or uploaded snapshot leaves the reason open."""
    history = current.reading.history
    is_single = history is None or not history.has_several
    has_offsets = current.group.offsets.end is not None
    return (
        is_single and has_offsets and not current.origin and bool(current.group.counted_lags.any())
    )
