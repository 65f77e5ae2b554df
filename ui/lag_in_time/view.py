"""The tab "Over time": time lag, catch-up and loss by partition, consumer and strategy."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import Group
from assignors.sums import whole
from charts import lag_in_time as charts
from charts.report import MOST_ROWS, Section
from evaluation.answering.ending import speeds_in
from evaluation.comparing.outcomes import Outcome
from evaluation.consumer_labels import labels_of
from evaluation.measuring.consumer_times import consumers_at, consumers_now
from evaluation.measuring.facts import Facts
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.measuring.partition_times import PartitionTimes, time_lags_over_time
from evaluation.wording import sentence
from ui import downloads, facts, form, visited, widgets
from ui.answers import known_in
from ui.choices.option import OptionChoice
from ui.lag_in_time import words
from ui.scenario import Scenario

_HOUR_S: Final = 3600.0
_MOST_BARS: Final = 12
_PARTITIONS, _CONSUMERS, _STRATEGIES = "By partition", "By consumer", "By strategy"
_ABOUT: Final = {
    "Time lag": "Age of the next record to be read",
    "Catches up": "At the present rates",
    "Loses data in": "Until retention deletes what has not been read",
    "From": "What the time lag was worked out from",
}


def conclusion_line(current: Scenario) -> None:
    """Show one line on how far behind the group is, if known."""
    known = known_in(current)
    if not known.has_flow:
        return
    said = words.conclusion(current.group, known.times)
    said = said or (words.UNDATED if known.history.is_undated else "")
    if said:
        st.markdown(f":material/schedule: {said}")


def time_view(current: Scenario, outcomes: Sequence[Outcome]) -> None:
    """Show the view, or without a history how to get one."""
    known = known_in(current)
    if not known.has_flow:
        st.info(words.HOW_TO_GET)
        return
    conclusion_line(current)
    history, times, found = known.history, known.times, known.facts
    with st.container(horizontal=True, vertical_alignment="bottom"):
        by = OptionChoice("time_by").switch("Time by", (_PARTITIONS, _CONSUMERS, _STRATEGIES))
        _ask(current, times, found if by == _STRATEGIES else None)
    if by == _PARTITIONS:
        picture(current.group, history, times)
        table, about = partitions_frame(current.group, times), "partition"
    elif by == _CONSUMERS:
        table, about = consumers_frame(current.group, times), "consumer"
    else:
        table, about = strategies_frame(current.group, times, outcomes, found), "strategy"
    shown = _in_words(table, times, is_by_partition=by == _PARTITIONS)
    widgets.table(
        shown,
        f"Time lag, catching up and loss of each {about}",
        _ABOUT,
        pinned=(str(table.columns[0]),),
        placeholder=words.NOTHING,
    )
    said = words.basis(history, times)
    if by == _STRATEGIES:
        said = f"{said} {sentence(facts.reading_words(found))}"
    st.caption(said)
    texts = 2 if by == _PARTITIONS else 1
    section = Section(
        "Over time", [visited.table(f"By {about}", shown.head(MOST_ROWS), texts), said]
    )
    visited.remember(current.group, section)
    downloads.offer(lambda: table, current.group.id, f"time-by-{about}")


def _ask(current: Scenario, times: PartitionTimes, found: Facts | None) -> None:
    """Ask for values that the snapshots lack; for a speed if there are facts to ask about."""
    facts.ask_interval(current)
    known = times.retention_s[np.isfinite(times.retention_s)]
    placeholder = f"{known.min() / _HOUR_S:,.4g}" if known.size else "unknown"
    form.ask(facts.Unmeasured, "retention_hours", blank={"retention_hours": placeholder})
    if found is not None:
        facts.ask_speed(found)


def picture(
    group: Group, history: OffsetHistory, times: PartitionTimes, key: str = "time_lag"
) -> None:
    """Show the time lag of the partitions furthest behind, over time or side by side."""
    latest = np.argsort(-np.nan_to_num(times.age_s, nan=-1.0), kind="stable")
    latest = latest[times.age_s[latest] > 0][:_MOST_BARS]
    if not latest.size:
        return
    history = history.only_timed()
    if len(history.moments) > 2:  # noqa: PLR2004 -- two points are no line
        latest = latest[: charts.MOST_LINES]
        ages = time_lags_over_time(group, history, latest, times.produced[latest])
        moments = (history.times_s * 1e6).astype("datetime64[us]")
        names = [group.partition_name(int(p)) for p in latest]
        figure = charts.time_lag_lines(moments, names, ages)
    else:
        figure = charts.time_lag_bars(
            [group.partition_name(int(p)) for p in latest],
            times.age_s[latest],
            [times.age_in_cell(int(p)) for p in latest],
            float(np.fmin.reduce(times.retention_s, initial=np.inf)),
        )
    widgets.picture(figure, key, "Time lag of the partitions that are furthest behind")


def partitions_frame(group: Group, times: PartitionTimes) -> pd.DataFrame:
    """Return a row per partition, those that lose data first and then the latest on top."""
    names = np.array([*labels_of(group), ""], dtype=object)
    table = pd.DataFrame(
        {
            "Partition": [group.partition_name(p) for p in range(group.partition_count)],
            "Consumer": names[group.present_owners],
            "Lag": times.lag,
            "Arrive/s": times.produced,
            "Read/s": times.consumed,
            "Time lag": times.age_s,
            "Catches up": times.catch_up_s,
            "Loses data in": times.loss_s,
            "From": [words.origin(times, p) for p in range(group.partition_count)],
        }
    )
    return table.sort_values(["Loses data in", "Time lag"], ascending=[True, False], kind="stable")


def consumers_frame(group: Group, times: PartitionTimes) -> pd.DataFrame:
    """Return a row per consumer, at the rates of its present partitions."""
    now = consumers_now(times, group.present_owners, group.member_count)
    table = pd.DataFrame(
        {
            "Consumer": labels_of(group),
            "Time lag": now.age_s,
            "Catches up": now.catch_up_s,
            "Loses data in": now.loss_s,
        }
    )
    return table.sort_values(["Loses data in", "Time lag"], ascending=[True, False], kind="stable")


def strategies_frame(
    group: Group, times: PartitionTimes, outcomes: Sequence[Outcome], found: Facts
) -> pd.DataFrame:
    """Return a row per strategy: its worst consumer, and how many never catch up.

    A lower bound of the speed proves neither that a consumer never catches up nor that data is
    lost: both are unknown then.
    """
    rows, speed = [], found.speed
    speeds = speeds_in(group.with_rates(found.arriving), found)
    for outcome in outcomes:
        predicted = consumers_at(times, outcome.owners, speeds, found.partition_cap)
        catch_up_s = float(np.max(predicted.catch_up_s, initial=0.0))
        never = int(np.isinf(predicted.catch_up_s).sum())
        loss_s = float(np.fmin.reduce(predicted.loss_s, initial=np.nan))
        is_unknown = speed.is_least and never > 0
        rows.append(
            {
                "Strategy": outcome.label,
                "Catches up": np.nan if is_unknown else catch_up_s,
                "Consumers that never do": None if is_unknown else never,
                "Loses data in": np.nan if speed.is_least and np.isfinite(loss_s) else loss_s,
            }
        )
    return pd.DataFrame(rows).astype({"Consumers that never do": "Int64"})


def _in_words(table: pd.DataFrame, times: PartitionTimes, *, is_by_partition: bool) -> pd.DataFrame:
    """Return the table as shown: times in words, rates with three digits."""
    shown = table.copy()
    for name in ("Time lag", "Catches up", "Loses data in"):
        if name in shown:
            shown[name] = [words.span(float(seconds)) for seconds in table[name]]
    shown["Catches up"] = shown["Catches up"].replace("0 s", "keeps up")
    if is_by_partition:
        shown["Time lag"] = [times.age_in_cell(int(p)) or words.NOTHING for p in table.index]
        shown = shown.round({"Arrive/s": 1, "Read/s": 1})
        lags = [None if np.isnan(lag) else whole(lag) for lag in table["Lag"]]
        shown["Lag"] = pd.array(lags, "Int64")
    return shown
