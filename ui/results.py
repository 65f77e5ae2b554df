"""What a comparison shows: the answer, figures, reasons, charts, and the assignment itself."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import UNKNOWN, UNOWNED, Group
from assignors.registry import STRATEGIES
from charts.bars import MAX_BARS, count_bars, lag_bars
from charts.heatmaps import consumer_by_strategy, consumer_by_topic
from evaluation.bounds import deciding_partition
from evaluation.compare import NOW, Outcome
from evaluation.reasons import why
from ui import downloads
from ui.answer import answer
from ui.explain import explain_view
from ui.figures import consumers_table
from ui.optimum import optimum_view
from ui.words import above, amount, plural

_HISTORICAL: Final = ("sticky-kafka-12464", "sticky-kafka-9987", "server-range")
_SHOWN_ROWS: Final = 5_000
_VIEWS: Final = ("Bars", "Heatmaps", "Consumers", "Assignment", "Optimum", "Explain")


def choose_strategies() -> tuple[str, ...]:
    """Show the strategies to choose from and return the chosen ones, in display order."""
    chosen = st.pills(
        "Strategies",
        list(STRATEGIES),
        selection_mode="multi",
        default=[name for name in STRATEGIES if name not in _HISTORICAL],
        format_func=lambda name: STRATEGIES[name].label,
        key="strategies",
        bind="query-params",
        wrap=True,
    )
    return tuple(name for name in STRATEGIES if name in chosen)


def headline(group: Group, outcomes: Sequence[Outcome], bound: int | None) -> None:
    """Show the size of the group, the bound, and who comes closest to it."""
    candidates = [o for o in outcomes if o.name != NOW and o.figures.max_lag is not None]
    now = next((o for o in outcomes if o.name == NOW), None)
    best = min(candidates, key=lambda o: o.figures.max_lag or 0, default=None)
    unknown = int(np.count_nonzero(~group.is_lag_known))
    total = candidates[0].figures.total_lag if candidates else None
    with st.grid(4, min_column_width=150):
        st.metric(
            "Total lag",
            amount(total),
            f"{plural(unknown, 'partition')} unknown" if unknown else "all known",
            delta_color="off",
            delta_arrow="off",
            border=True,
            help="Sum of all known lags, in records",
        )
        st.metric(
            "Best possible",
            amount(bound),
            _what_decides(group),
            delta_color="off",
            delta_arrow="off",
            border=True,
            help="No strategy brings the fullest consumer below this: "
            "max(ceil(total lag / consumers), largest partition). Where one partition decides, "
            "more consumers do not help either.",
        )
        if now:
            _max_lag_metric("Fullest now", now, bound)
        if best:
            _max_lag_metric("Fullest at best", best, bound)
    st.markdown(answer(outcomes, bound))


def reasons(group: Group, outcomes: Sequence[Outcome]) -> None:
    """Show one sentence a strategy on why it comes out so."""
    st.markdown("\n".join(f"- {_introduced(why(group, o), o)}" for o in outcomes))


def views(group: Group, outcomes: Sequence[Outcome], bound: int | None) -> None:
    """Show the chosen view of the outcomes."""
    view = st.segmented_control(
        "View",
        _VIEWS,
        default="Bars",
        required=True,
        key="view",
        bind="query-params",
        label_visibility="collapsed",
    )
    if view == "Bars":
        _bars(group, outcomes, bound)
    elif view == "Heatmaps":
        _heatmaps(group, outcomes)
    elif view == "Consumers":
        consumers_table(group, outcomes)
    elif view == "Optimum":
        optimum_view(group, outcomes)
    elif view == "Explain":
        explain_view(group)
    else:
        _assignment(group, outcomes)


def _bars(group: Group, outcomes: Sequence[Outcome], bound: int | None) -> None:
    if _is_any_lag_known(outcomes):
        st.subheader("Lag per consumer")
        st.plotly_chart(
            lag_bars(group, outcomes, bound),
            key="lag_bars",
            alt="Lag of every consumer, one panel for each strategy, same axes",
        )
    st.subheader("Partitions per consumer")
    st.plotly_chart(
        count_bars(group, outcomes),
        key="count_bars",
        alt="Partitions of every consumer, one panel for each strategy, same axes",
    )
    if group.member_count > MAX_BARS:
        st.caption("Each bar stands for several consumers in a row and shows the fullest of them.")
    st.caption(
        "Consumers from left to right by id, as the protocol sorts them. Hatched, or a cross: "
        "some of its partitions have an unknown lag, which comes on top."
    )


def _heatmaps(group: Group, outcomes: Sequence[Outcome]) -> None:
    quantity = "Partitions"
    if _is_any_lag_known(outcomes):
        quantity = st.segmented_control(
            "Colour shows",
            ("Lag", quantity),
            default="Lag",
            required=True,
            key="colour",
            bind="query-params",
        )
    is_lag = quantity == "Lag"
    st.subheader("Consumer by strategy")
    st.plotly_chart(
        consumer_by_strategy(group, outcomes, lag=is_lag),
        key="by_strategy",
        alt=f"{quantity} of every consumer under every strategy",
    )
    st.subheader("Consumer by topic")
    st.plotly_chart(
        consumer_by_topic(group, outcomes, lag=is_lag),
        key="by_topic",
        alt=f"{quantity} of every consumer in every topic, one panel for each strategy",
    )


def _is_any_lag_known(outcomes: Sequence[Outcome]) -> bool:
    """Return whether a picture of lag would show anything."""
    return any(outcome.figures.max_lag is not None for outcome in outcomes)


def _assignment(group: Group, outcomes: Sequence[Outcome]) -> None:
    table = assignment_table(group, outcomes)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sought = st.text_input(
            "Search", key="search", bind="query-params", placeholder="topic or consumer", width=320
        )
        is_wanted = _matching(table, sought)
        downloads.offer(lambda: table[is_wanted], group.id or "group", "assignment")
    found = table[is_wanted]
    st.dataframe(
        found.head(_SHOWN_ROWS),
        hide_index=True,
        column_config={
            "topic": st.column_config.TextColumn("Topic", pinned=True),
            "partition": st.column_config.NumberColumn("Partition", pinned=True),
            "lag": st.column_config.NumberColumn("Lag", format="localized"),
        },
        placeholder="unknown",
        alt="Owner of every partition under every strategy",
    )
    if len(found) > _SHOWN_ROWS:
        st.caption(f"The first {_SHOWN_ROWS:,} of {len(found):,} rows; the files hold them all.")


def assignment_table(group: Group, outcomes: Sequence[Outcome]) -> pd.DataFrame:
    """Return one row a partition: topic, number, lag, and its owner under each strategy."""
    names = np.array([*group.members, ""], dtype=object)  # the last one: nobody
    unknown = group.lags == UNKNOWN
    columns: dict[str, object] = {
        "topic": np.array([*group.topics, ""], dtype=object)[group.topic_of_partition],
        "partition": group.number_in_topic,
        "lag": pd.arrays.IntegerArray(np.where(unknown, 0, group.lags), unknown),
    }
    for outcome in outcomes:
        assert UNOWNED == -1  # noqa: S101 -- the index below counts on it
        columns[outcome.label] = names[outcome.owners]
    return pd.DataFrame(columns)


def _matching(table: pd.DataFrame, sought: str) -> "pd.Series[bool]":
    """Return which rows hold the text in the topic, `topic-partition`, or an owner."""
    if not sought:
        return pd.Series(data=True, index=table.index)
    found = (table["topic"] + "-" + table["partition"].astype(str)).str.contains(
        sought, case=False, regex=False
    )
    for column in table.columns[3:]:
        found |= table[column].str.contains(sought, case=False, regex=False)
    return found


def _what_decides(group: Group) -> str:
    partition = deciding_partition(group)
    if partition is None:
        return "an even share"
    return f"{group.partition_name(partition)} alone"


def _max_lag_metric(label: str, outcome: Outcome, bound: int | None) -> None:
    most = outcome.figures.max_lag
    st.metric(
        label,
        amount(most),
        f"{above(most, bound)} best",
        delta_color="off",
        delta_arrow="off",
        border=True,
        help="Lag of the consumer that has most",
    )


def _introduced(sentence: str, outcome: Outcome) -> str:
    """Set the strategy's name in bold where the sentence begins with it, else in front."""
    for name in (outcome.name, outcome.label):
        if sentence.casefold().startswith(name.casefold()):
            label = f"{outcome.label[0].upper()}{outcome.label[1:]}"
            return f"**{label}**{sentence[len(name) :]}"
    return f"**{outcome.label}**: {sentence}"
