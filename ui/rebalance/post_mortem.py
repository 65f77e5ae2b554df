"""What happened at the last rebalance between two snapshots of the group, as one view."""

from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from assignors.strategy import Strategy
from evaluation.answering.answer import Answer
from evaluation.rebalance.owner_changes import changes
from evaluation.rebalance.post_mortem import PostMortem, RebalanceTrigger, post_mortem
from evaluation.wording import duration, listed, plural
from ui import downloads, widgets
from ui.scenario import Scenario
from ui.untrusted import verbatim

_NAMED: Final = 4
_DID: Final = {
    RebalanceTrigger.RESTARTED: "{who} came back under {ids}",
    RebalanceTrigger.TIMED_OUT: "{who} stopped reading and {was} dropped from the group",
    RebalanceTrigger.LEFT: "{who} left",
    RebalanceTrigger.JOINED: "{who} joined",
    RebalanceTrigger.PARTITIONS: "Topics got other numbers of partitions",
    RebalanceTrigger.UNSEEN: "Nobody came or went for good",
}


class PostMortemSaid(NamedTuple):
    """A rebalance that has happened, as plain text."""

    finding: str
    evidence: str
    instead: str
    """What the class that runs, or another, would have done; "" where neither is known."""


def show(current: Scenario, answer: Answer) -> None:
    """Show the last change of owners that the group's snapshots tell; nothing without one."""
    found = changes(answer.given.group, answer.known.history)
    if not found or current.is_edited:
        return
    runs = answer.running.strategy
    strategies = answer.given.client.settable
    told = post_mortem(found[-1], strategies)
    texts = said(told, runs)
    with st.expander("What happened at the last rebalance", expanded=True):
        st.markdown(f"**{verbatim(texts.finding)}** {verbatim(texts.evidence)}")
        if texts.instead:
            st.markdown(verbatim(texts.instead))
        left, right = st.columns([3, 2], gap="medium")
        with left:
            table = moved_table(told)
            widgets.table(table, "Every partition that moved", pinned=("Partition",))
            downloads.offer(lambda: table, answer.given.name, "rebalance", ["CSV"])
        with right:
            widgets.table(
                instead_table(told, runs),
                "What each assignor would have done",
                {
                    "Moves": "Of partitions that had an owner, with the same consumers",
                    "Owners as they are": "Partitions that it gives to the consumer that has them",
                },
            )


def said(told: PostMortem, runs: Strategy | None = None) -> PostMortemSaid:
    """Return who caused a rebalance, what moved and what had to, and what else would have been."""
    seen, moved = told.change.rebalance, len(told.moved)
    who = _DID[told.trigger].format(
        who=listed(list(told.by), most=_NAMED),
        ids="new ids" if len(told.by) > 1 else "a new id",
        was="were" if len(told.by) > 1 else "was",
    )
    finding = f"{who}; {moved:,} of {plural(told.owned, 'partition')} moved."
    parts = [f"{told.lost_owner:,} lost their owner."] if told.lost_owner else []
    if seen.needless is not None and moved:
        stayed = f"{seen.needless:,} moved needlessly: counts would be as even without."
        parts.append(stayed if seen.needless else "Even counts required every one of them.")
    if told.change.between_s > 0:
        parts.append(f"The snapshots are {duration(told.change.between_s)} apart.")
    return PostMortemSaid(finding, " ".join(parts), _instead(told, runs))


def _instead(told: PostMortem, runs: Strategy | None) -> str:
    running = next((each for each in told.would_have if each.strategy == runs), None)
    best = min(told.would_have, key=lambda each: each.moved, default=None)
    fewest, sentences = len(told.moved), []
    if running is not None:
        others = told.change.after.partition_count - running.alike
        would = f"{running.strategy.label}, which runs, "
        would += f"would have moved {running.moved:,}" if others else "gives just these owners"
        has = f"{plural(others, 'partition')} {'has' if others == 1 else 'have'} another owner"
        sentences.append(f"{would}: {has} than it gives." if others else f"{would}.")
        fewest = min(fewest, running.moved)
    if best is not None and best.moved < fewest:
        sentences.append(f"{best.strategy.label} would have moved {best.moved:,}.")
    return " ".join(sentences)


def moved_table(told: PostMortem) -> pd.DataFrame:
    """Return a row for each partition that moved, those that had to first."""
    rows = sorted(told.moved, key=lambda each: not each.is_owner_gone)
    return pd.DataFrame(
        {
            "Partition": [each.partition for each in rows],
            "Was": [each.was for each in rows],
            "Now": [each.now or "nobody" for each in rows],
            "Its owner": ["left" if each.is_owner_gone else "stayed" for each in rows],
        }
    )


def instead_table(told: PostMortem, runs: Strategy | None) -> pd.DataFrame:
    """Return a row for each assignor, the fewest moves first."""
    rows = sorted(told.would_have, key=lambda each: (each.moved, each.strategy != runs))
    return pd.DataFrame(
        {
            "Strategy": [
                f"{each.strategy.label} (runs)" if each.strategy == runs else each.strategy.label
                for each in rows
            ],
            "Moves": [each.moved for each in rows],
            "Owners as they are": [each.alike for each in rows],
        }
    )
