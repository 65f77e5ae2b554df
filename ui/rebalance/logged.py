"""What happened at the last rebalance, by the log of a consumer or of several, as one view."""

from collections.abc import Sequence
from typing import Final

import pandas as pd
import streamlit as st

from evaluation.rebalance.member_log import LoggedRebalance, LogTrigger
from evaluation.wording import duration, listed, plural
from ui import downloads, widgets
from ui.rebalance.post_mortem import PostMortemSaid
from ui.scenario import Scenario
from ui.untrusted import verbatim

_NAMED: Final = 4
_DID: Final = {
    LogTrigger.POLL_TIMEOUT: "{who} left: more than max.poll.interval.ms between two polls",
    LogTrigger.FENCED: "{who} was shut out: another consumer has its group.instance.id",
    LogTrigger.DROPPED: "{who} dropped out: no heartbeat within session.timeout.ms",
    LogTrigger.CLOSED: "{who} left: closed or unsubscribed",
    LogTrigger.STARTED: "{who} joined",
    LogTrigger.TOPICS: "Topics or subscriptions of {who} changed",
    LogTrigger.COORDINATOR: "{who} lost the coordinator of the group",
    LogTrigger.OTHERS: "Another consumer than {who} caused the rebalance",
    LogTrigger.UNTOLD: "The log of {who} lacks the cause of the rebalance",
}
"""By whom each is told first: those that a consumer knows of itself."""
_DO: Final = {
    LogTrigger.POLL_TIMEOUT: "Lower max.poll.records, or raise max.poll.interval.ms above what a "
    "batch takes.",
    LogTrigger.FENCED: "Give each consumer a group.instance.id of its own.",
    LogTrigger.DROPPED: "Look for pauses of its process: garbage collection, CPU limits, network.",
    LogTrigger.OTHERS: "The logs of the other consumers, or of the coordinator, name it.",
}


def show(current: Scenario) -> None:
    """Show what the group's logs tell of its last rebalance; nothing without one."""
    logged = current.reading.logged
    if not logged:
        return
    texts = said(logged)
    with st.expander("What happened at the last rebalance", expanded=True):
        st.markdown(f"**{verbatim(texts.finding)}** {verbatim(texts.evidence)}")
        if texts.instead:
            st.markdown(verbatim(texts.instead))
        table = logged_table(logged)
        widgets.table(
            table,
            "Every rebalance in the log",
            {
                "Needless": "Given up and straight back: stopped for nothing",
                "Gone": "To another consumer, or to nobody; one log does not tell which",
            },
            pinned=("Consumer",),
        )
        downloads.offer(lambda: table, current.reading.name, "logged-rebalances", ["CSV"])


def last_of(logged: Sequence[LoggedRebalance]) -> list[LoggedRebalance]:
    """Return the last rebalance as each of its consumers logged it, those that caused it first."""
    last = max(logged, key=lambda each: -1 if each.generation is None else each.generation)
    own = [each for each in logged if each is last or each.generation == last.generation]
    if last.generation is None:
        own = [logged[-1]]
    order = list(_DID)
    return sorted(own, key=lambda each: order.index(each.trigger))


def said(logged: Sequence[LoggedRebalance]) -> PostMortemSaid:
    """Return who caused the last rebalance, what had to stop for nothing, and what to do."""
    last = last_of(logged)
    trigger = last[0].trigger
    who = listed([each.consumer for each in last if each.trigger is trigger], most=_NAMED)
    given_up = sum(len(each.given_up) for each in last)
    back = sum(len(each.back) for each in last)
    gone, came = (sum(len(getattr(each, of)) for each in last) for of in ("gone", "came"))
    stopped = max((each.stopped_s for each in last if each.back), default=0.0)
    evidence = [f"{plural(given_up, 'partition')} given up"] if given_up else []
    if back:
        lasted = f" for {duration(stopped)}" if stopped > 0 else ""
        evidence.append(f"{back:,} of them came straight back, stopped{lasted} for nothing")
    evidence += [f"{gone:,} went elsewhere"] if gone else []
    evidence += [f"{came:,} came"] if came else []
    advice = [_DO.get(trigger, "")]
    if back and "cooperative" not in last[0].strategy:
        advice.append(f"Cooperative sticky lets a consumer read on: those {back:,} never stop.")
    every = len({(each.generation, each.at) for each in logged})
    if every > 1:
        caused = sum(each.trigger.is_own for each in logged)
        advice.append(
            f"The log has {plural(every, 'rebalance')}, {caused:,} by its own "
            f"{'consumer' if len({each.consumer for each in logged}) == 1 else 'consumers'}."
        )
    told = ", ".join(evidence)
    return PostMortemSaid(
        finding=f"{_DID[trigger].format(who=who)}.",
        evidence=f"{told}." if told else "No partition changed its owner here.",
        instead=" ".join(filter(None, advice)),
    )


def logged_table(logged: Sequence[LoggedRebalance]) -> pd.DataFrame:
    """Return a row for each rebalance of each consumer, in the order of the log."""
    return pd.DataFrame(
        {
            "Consumer": [each.consumer for each in logged],
            "Over at": [each.at for each in logged],
            "Generation": pd.array([each.generation for each in logged], "Int64"),
            "Cause": [each.trigger.value for each in logged],
            "Given up": [len(each.given_up) for each in logged],
            "Needless": [len(each.back) for each in logged],
            "Gone": [len(each.gone) for each in logged],
            "Came": [len(each.came) for each in logged],
            "Owns": [each.owned for each in logged],
        }
    )
