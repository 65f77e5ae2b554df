"""What the viewer last looked at on the Rebalance page, for the report."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import streamlit as st

from assignors.model import Group
from evaluation.rebalance.events import Event
from ui import scenario
from ui.rebalance.words import Result, conclusion, named_event

_KEY: Final = "rebalance_last"


@dataclass(frozen=True, kw_only=True)
class StrategyFigures:
    """What the rebalance costs under one strategy, in partitions."""

    label: str
    moved: int
    needless: int | None
    """Moves beyond the fewest possible; None: the fewest possible is not known."""
    paused: int
    rounds: int


@dataclass(frozen=True, kw_only=True)
class LastResult:
    """One step of a history, as the page showed it."""

    happened: str
    """In one sentence, names included: plain text, not to be read as Markdown."""
    strategies: tuple[StrategyFigures, ...]
    """The best first."""


def last_result() -> LastResult | None:
    """Return what the page last showed of the group that is open; None if it showed nothing."""
    group, result = st.session_state.get(_KEY, (None, None))
    shown = scenario.shown()
    found: LastResult | None = result if shown and group is shown.group else None
    return found


def keep_last(group: Group, event: Event | None, results: Sequence[Result]) -> None:
    """Remember what the page shows of this group."""
    headline = conclusion(event, results).replace("**", "")
    happened = f"{named_event(event)}: " if event else ""
    rows = tuple(
        StrategyFigures(
            label=strategy.label,
            moved=found.moved,
            needless=found.needless,
            paused=found.paused,
            rounds=len(found.rounds),
        )
        for strategy, found in results
    )
    st.session_state[_KEY] = (group, LastResult(happened=happened + headline, strategies=rows))
