"""Watch a live group: a snapshot every few seconds, and every rebalance between them.

It stops when the visitor turns it off or leaves the form or the page. Each snapshot is read over a
new connection with the same restrictions as any other reading.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from math import inf
from time import monotonic
from typing import Final

import pandas as pd
import streamlit as st

from evaluation.answering.given import known_of
from evaluation.measuring.offset_history import OffsetHistory, thinned
from evaluation.reading import Reading
from evaluation.rebalance.observed import Observed, observed
from evaluation.wording import plural, sentence, without_uuid
from sources.asking import given_of
from sources.errors import SourceError
from ui import downloads, scenario, widgets
from ui.answers import stated
from ui.clients import client
from ui.lag_in_time import words
from ui.lag_in_time.view import picture
from ui.untrusted import verbatim

_WATCH: Final = "watch"
_INTERVALS_S: Final = (2, 5, 10, 30, 60)
_MOST_EVENTS: Final = 1_000
_EARLY: Final = 0.8
"""The share of the interval after which a run counts as the next tick."""
_PARTITIONS_PER_S: Final = 1_000
"""The page of a large group takes longer to compute, so it follows less often."""


@dataclass
class _Watch:
    """One visitor's observation of one group."""

    of: tuple[str, str]
    """The cluster and the group."""
    reading: Reading | None = None
    """The newest reading, with the history so far."""
    stable: Reading | None = None
    """The newest reading of a stable group."""
    followed: Reading | None = None
    """The reading that the whole page shows."""
    read_at: float = -inf
    """When the newest snapshot was asked for, on the monotonic clock."""
    followed_at: float = -inf
    events: deque[tuple[float, Observed]] = field(
        default_factory=lambda: deque(maxlen=_MOST_EVENTS)
    )

    def add(self, reading: Reading) -> None:
        """Add the next snapshot; record the rebalances since the group was last stable.

        One that is not later than the last is dropped: between the two there are no rates.
        """
        history = reading.history or OffsetHistory()
        before = () if self.reading is None else (self.reading.history or OffsetHistory()).moments
        if before and history.moments and history.moments[0].at_s <= before[-1].at_s:
            return
        size = reading.group.partition_count
        moments = tuple(thinned((*before, *history.moments), size, is_latest_kept=True))
        self.reading = replace(reading, history=replace(history, moments=moments), is_watched=True)
        if reading.rebalancing is not None:
            return
        if self.stable is not None:
            was = self.stable
            name = reading.strategy or was.strategy
            strategy = client().strategy_called(name) if name else None
            event = observed(was.group, reading.group, was.history or OffsetHistory(), strategy)
            if event is not None:
                self.events.append((moments[-1].at_s, event))
        self.stable = self.reading


def choose_interval() -> float:
    """Ask for the seconds between snapshots."""
    return float(
        st.selectbox(
            "Every",
            _INTERVALS_S,
            index=1,
            format_func="every {} s".format,
            key="watch_interval",
            label_visibility="collapsed",
            width=130,
        )
    )


def watch(of: tuple[str, str], read: Callable[[], Reading], interval_s: float) -> None:
    """Show the group as it changes; ``read`` returns the next snapshot."""
    watched = st.session_state.get(_WATCH)
    if not isinstance(watched, _Watch) or watched.of != of:
        watched = st.session_state[_WATCH] = _Watch(of)
    st.fragment(_tick, run_every=interval_s)(watched, read, interval_s)


def _tick(seen: _Watch, read: Callable[[], Reading], interval_s: float) -> None:
    """Take a snapshot if it is time, and let the whole page follow; show what the page shows.

    A run of the whole page, which following causes, comes through here too: it takes none.
    """
    if monotonic() - seen.read_at >= _EARLY * interval_s:
        seen.read_at = monotonic()
        try:
            seen.add(read())
        except SourceError as error:
            st.warning(verbatim(sentence(str(error))), icon=":material/error:")
    if _is_to_follow(seen, interval_s):
        _follow(seen)
        st.rerun(scope="app")
    shown = seen.followed if _is_following(seen) else seen.reading
    if shown is None:
        return
    known = known_of(given_of(shown, stated()))
    history, times = known.history, known.times
    state = " A rebalance is in progress." if shown.rebalancing else ""
    now = datetime.fromtimestamp(history.times_s[-1], UTC)
    said = "" if _is_following(seen) else f" {words.conclusion(shown.group, times)}"
    st.markdown(
        f":material/schedule: **{verbatim(seen.of[1])}**, live.{state}{said} "
        f":small[{now:%H:%M:%S} UTC, {plural(len(history.moments), 'snapshot')}, "
        f"{plural(len(seen.events), 'rebalance')}]"
    )
    if not _is_following(seen):
        _offer_to_follow(seen)
    # What it shows is not the answer, which is to stand on the first screen.
    with st.expander("Over time, and rebalances seen", key="watched"):
        picture(shown.group, history, times, "watched_time_lag")
        _events(seen)


def _is_following(seen: _Watch) -> bool:
    """Return whether the page shows the watched group as it was read."""
    current = scenario.shown()
    return current is not None and current.reading is seen.followed and not current.is_edited


def _is_to_follow(seen: _Watch, interval_s: float) -> bool:
    """Return whether the page should show the newest snapshot: at once, then as often as it can.

    What the visitor opened or edited meanwhile stays until the next click on Follow.
    """
    if seen.reading is None or seen.reading is seen.followed:
        return False
    if seen.followed is None:
        return True
    rest_s = max(_EARLY * interval_s, seen.reading.group.partition_count / _PARTITIONS_PER_S)
    return _is_following(seen) and monotonic() - seen.followed_at >= rest_s


def _follow(seen: _Watch) -> None:
    """Put the newest snapshot on the page."""
    if seen.reading is None:
        return
    if _is_following(seen):
        scenario.follow(seen.reading)
    else:
        scenario.show(seen.of[1], seen.reading)
    seen.followed, seen.followed_at = seen.reading, monotonic()


def _offer_to_follow(seen: _Watch) -> None:
    """Offer to show the watched group again, in place of what the visitor opened or edited."""
    is_clicked = st.button(
        "Follow",
        icon=":material/balance:",
        key="watch_open",
        help="Show the watched group on the page again, in place of what you opened or edited",
    )
    if is_clicked:
        _follow(seen)
        st.rerun(scope="app")


def _events(seen: _Watch) -> None:
    """Show the rebalances, the latest first, with downloads."""
    table = events_frame(list(seen.events))
    if not len(table):
        st.caption("No rebalance so far.")
        return
    needless = int(table["needless"].fillna(0).sum())
    st.markdown(
        f"**{plural(len(table), 'rebalance')}**, {plural(int(table['moved'].sum()), 'move')}, "
        f"{needless:,} of them needless"
    )
    widgets.table(
        table.iloc[::-1],
        "Every rebalance that was seen",
        labels={name: f"{name[0].upper()}{name[1:]}" for name in map(str, table.columns)},
        about={
            "timed out": "Gone without a commit for 10 s although records waited",
            "needless": "Moves beyond the fewest that make counts even",
            "unlike prediction": "Partitions whose owner is not the one predicted",
        },
        pinned=("time (UTC)",),
        placeholder=words.NOTHING,
    )
    downloads.offer(lambda: table, seen.of[1], "rebalances")


def events_frame(events: list[tuple[float, Observed]]) -> pd.DataFrame:
    """Return a row per rebalance, as shown and downloaded."""
    rows = [
        {
            "time (UTC)": datetime.fromtimestamp(at_s, UTC).strftime("%Y-%m-%d %H:%M:%S"),
            "joined": ", ".join(map(without_uuid, seen.joined)),
            "left": ", ".join(map(without_uuid, seen.left)),
            "timed out": ", ".join(map(without_uuid, seen.timed_out)),
            "moved": seen.moved,
            "needless": seen.needless,
            "unlike prediction": seen.unlike_prediction,
        }
        for at_s, seen in events
    ]
    return pd.DataFrame(rows).astype(
        dict.fromkeys(("needless", "unlike prediction") if rows else (), "Int64")
    )
