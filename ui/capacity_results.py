"""What the Capacity page shows: the answer, figures per strategy, rules of thumb, the curve."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from charts.capacity import drain_curves
from evaluation.capacity import InvalidCapacityError, known_rates
from evaluation.metrics import exact_total
from evaluation.scaling_rules import Advice, flink, keda
from evaluation.sweep import Curve
from ui import cache
from ui.capacity_inputs import Question
from ui.capacity_words import Findings, assumptions, conclusion, earliest, idle_words
from ui.rebalance.words import named
from ui.words import amount, duration


def find(question: Question, names: tuple[str, ...]) -> Findings:
    """Try every number of consumers, with a bar that tells how far it is."""
    bar = st.empty()
    every = max(question.most // 50, 1)

    def tell(tried: int) -> None:
        if tried % every == 0:
            said = f"Tried {tried:,} of {question.most:,} numbers of consumers…"
            bar.progress(tried / question.most, said)

    swept = cache.swept(question.group, question.capacity, names, question.most, tell)
    bar.empty()
    limits = cache.limits_of(question.group, question.capacity)
    return Findings(group=question.group, capacity=question.capacity, curves=swept, limits=limits)


def headline(found: Findings, rates: str) -> None:
    """Show the answer in a sentence, and the figures it rests on."""
    st.markdown(conclusion(found))
    group, best = found.group, earliest(found.curves)
    fewest, enough = found.limits.fewest, found.limits.enough
    is_known = bool(group.is_lag_known.any())
    with st.grid(4, min_column_width=150):
        _metric(
            "To read",
            amount(exact_total(group.counted_lags) if is_known else None),
            f"+ {amount(float(known_rates(group).sum()))} a second",
            "Known lag of all partitions, in records, and what is produced meanwhile",
        )
        _metric(
            "Proved minimum",
            "none" if fewest is None else f"{fewest:,}",
            _how_sharp(fewest, enough),
            "No assignment does with fewer consumers: Martello and Toth's lower bound L2. A "
            "partition with rate r and lag L needs r + (L + r D) / (T - D) records per second, D "
            "being the pause and T the time allowed; a consumer holds no more than its "
            "throughput. Best fit decreasing finds an assignment that is enough.",
        )
        _metric(
            "Works first at",
            f"{best.first:,}" if best and best.first is not None else f"none to {found.most:,}",
            best.label if best else "of those chosen",
            "The smallest number of consumers with which a strategy is done in time",
        )
        if found.today:
            fastest = min(found.curves, key=lambda curve: curve.at(found.today).seconds)
            _metric(
                "Time today",
                duration(fastest.at(found.today).seconds),
                f"at best, {fastest.label}",
                f"Until no consumer has any backlog with the {found.today:,} there are, the pause "
                "included",
            )
    for sentence in filter(None, [rates, *assumptions(found), idle_words(found)]):
        st.caption(f":material/info: {sentence}")


def strategy_table(found: Findings) -> None:
    """Show one row a strategy."""
    rows = []
    for curve in found.curves:
        row: dict[str, object] = {
            "Strategy": curve.label,
            "Works first at": curve.first,
            "Always from": curve.always_from,
        }
        if found.today:
            at = curve.at(found.today)
            row["Time today (s)"] = at.seconds if np.isfinite(at.seconds) else None
            row["Load today"] = 100 * at.load if np.isfinite(at.load) else None
            row["Idle today"] = at.idle
        rows.append(row)
    table = pd.DataFrame(rows)
    table = table.astype(dict.fromkeys(("Works first at", "Always from"), "Int64"))
    number = st.column_config.NumberColumn
    st.dataframe(
        table,
        hide_index=True,
        column_config={
            "Strategy": st.column_config.TextColumn(pinned=True),
            "Works first at": number(help="The smallest number of consumers that is in time"),
            "Always from": number(
                help=f"From here to {found.most:,}, the last number tried, all are in time"
            ),
            "Time today (s)": number(
                format="%.1f",
                help=f"Seconds until the backlog is gone with the {found.today:,} there are",
            ),
            "Load today": number(
                format="%.0f %%",
                help="Of the consumer worst off; 100 % is just in time",
            ),
            "Idle today": number(help="Consumers without a partition"),
        },
        placeholder="never",
        alt="One row of figures on capacity for each strategy",
    )


def rules_table(found: Findings) -> None:
    """Show what KEDA and Flink would ask for, and whether it is in time."""
    st.subheader("Rules of thumb beside it")
    threshold = st.number_input(
        "KEDA's lag threshold (records)",
        value=10.0,
        key="lag_threshold",
        bind="query-params",
        help="`lagThreshold` of the Kafka scaler; 10 is its default",
        width=260,
    )
    try:
        advice = {
            "KEDA: total lag / threshold": keda(found.group, threshold),
            "Flink: (rate + lag / time allowed) / throughput": flink(found.group, found.capacity),
        }
    except InvalidCapacityError as error:
        st.error(f"{error}.", icon=":material/error:")
        return
    st.table(
        pd.DataFrame(
            [
                {
                    "Rule": rule,
                    "Consumers": _capped(asked),
                    "In time under": _in_time(found.curves, asked.consumers),
                }
                for rule, asked in advice.items()
            ]
        ),
        hide_index=True,
        alt="How many consumers KEDA and Flink would ask for",
    )
    st.caption("Both look at totals and stop at one consumer a partition; neither sees a hot one.")


def picture(found: Findings) -> None:
    """Show consumers against time for every strategy, and the same as a file."""
    st.subheader("Consumers and time")
    st.plotly_chart(
        drain_curves(found.curves, found.capacity.allowed_s, found.limits.fewest, found.today),
        key="drain_curves",
        alt=f"Time until the backlog is gone with 1 to {found.most:,} consumers, a line for "
        "each strategy",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Strategies that agree everywhere share a line; where one is missing, never.")
        st.download_button(
            "CSV",
            lambda: capacity_table(found.curves).to_csv(index=False).encode(),
            file_name=f"{found.group.id or 'group'}-capacity.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )


def capacity_table(curves: Sequence[Curve]) -> pd.DataFrame:
    """Return one row a strategy and number of consumers; seconds are inf where it never ends."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "strategy": curve.name,
                    "consumers": curve.consumers,
                    "seconds": curve.seconds,
                    "is_exact": curve.is_exact,
                    "load": curve.loads,
                    "in_time": curve.works,
                    "idle": curve.idle,
                }
            )
            for curve in curves
        ],
        ignore_index=True,
    )


def _metric(label: str, value: str, below: str, about: str) -> None:
    st.metric(label, value, below, delta_color="off", delta_arrow="off", border=True, help=about)


def _how_sharp(fewest: int | None, enough: int | None) -> str:
    if enough is None:
        return "is enough" if fewest is None else "at least"
    return f"{enough:,} can be enough"


def _capped(asked: Advice) -> str:
    if asked.uncapped == asked.consumers:
        return f"{asked.consumers:,}"
    return f"{asked.consumers:,}, capped from {asked.uncapped:,}"


def _in_time(curves: Sequence[Curve], consumers: int) -> str:
    if consumers > int(curves[0].consumers[-1]):
        return "not tried with so many"
    done = [curve.label for curve in curves if curve.works[consumers - 1]]
    if len(done) == len(curves):
        return "all strategies chosen"
    return named(done) if done else "none of them"
