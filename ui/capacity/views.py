"""What the Consumers page shows: the plan first, then the chart, what it takes, and the details."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.strategy import Strategy
from charts.capacity import drain_curves, needs, verdict_grid
from evaluation.capacity.partitions import pods_of
from evaluation.capacity.trials import Curve
from evaluation.takes import takes_of
from evaluation.wording import duration, listed, plural
from ui import downloads, widgets
from ui.caching import cached
from ui.capacity import caveats, words
from ui.capacity.decision import HOW, Decision
from ui.capacity.findings import Findings
from ui.configuration import show_configuration
from ui.picture import verdict
from ui.untrusted import verbatim

_NEEDIEST: Final = 10
"""Partitions in the picture of what they need."""
_drain_curves: Final = cached(32)(drain_curves)
_verdict_grid: Final = cached(32)(verdict_grid)


def show_answer(decision: Decision, runs: Strategy | None) -> bool:
    """Show the plan and at most four figures; return whether how to set it lies over the page.

    ``runs`` is the group's present strategy, if it is known. Another run of the page would close
    that; the page runs again once it is closed.
    """
    pressed = verdict.show(decision.band)
    widgets.figures(decision.figures, 150)
    if pressed != HOW or decision.plan is None:
        return False
    _show_how(decision.plan.strategy, runs)
    return True


@st.dialog("How to set it", width="large", on_dismiss="rerun")
def _show_how(strategy: Strategy, runs: Strategy | None) -> None:
    show_configuration(strategy, runs)


def show_reasons(decision: Decision, findings: Findings) -> None:
    """Show what the plan rests on."""
    _note(decision.assumed)
    for sentence in (words.today(findings), *caveats.caveats(findings)):
        if sentence:
            _note(sentence)


def show_partitions(findings: Findings, threads: int) -> None:
    """Show which topics need more partitions for the plan, and what its pods are."""
    group, needed = findings.planned, findings.tried.partitions_needed
    sizes = dict(zip(group.topics, group.topic_sizes.tolist(), strict=True))
    short = {topic: n for topic, n in needed.items() if n > sizes[topic]}
    if short:
        said = listed([f"{topic} {n:,} (today {sizes[topic]:,})" for topic, n in short.items()])
        _note(f"Partitions for the arrival rate, with keys spread evenly: {said}.")
    plan = findings.plan
    if plan is None or plan.consumers is None:
        return
    if threads > 1:
        pods = pods_of(plan.consumers, group.partition_count, threads)
        _note(
            f"{plan.consumers:,} consumers in pods of {threads:,} threads are "
            f"{plural(pods.needed, 'pod')}; "
            f"beyond {plural(pods.useful, 'pod')} whole pods are idle."
        )
    _note(caveats.even_words(findings))


def show_grid(decision: Decision, findings: Findings) -> None:
    """Show every strategy at every number of consumers around the decision, and all as a file."""
    widgets.picture(
        _verdict_grid(decision.picture),
        "verdict_grid",
        "For each strategy and number of consumers: in time, late or never",
    )
    _note(
        f"✓ in time, ! late, ✗ never clears{' at that speed' if findings.is_least else ''}; blank "
        "was not tried. A frame marks the smallest number in time; today's number and the one "
        "needed are bold."
    )
    name = findings.group.id
    downloads.offer(lambda: capacity_table(findings.curves), name, "capacity", ["CSV"])


def show_needs(findings: Findings) -> None:
    """Show what the partitions that need most need, where no number of consumers ever clears it."""
    capacity, needed, reads = findings.capacity, findings.demand.needs, findings.fastest
    if capacity.partition_cap is not None:
        reads = min(reads, capacity.partition_cap)
    most = np.argsort(-needed, kind="stable")[:_NEEDIEST]
    st.subheader("What partitions need", anchor=False)
    widgets.picture(
        needs([findings.planned.partition_name(int(p)) for p in most], needed[most], reads),
        "needs",
        f"Records/s that the {most.size} partitions that need most need, beside what one consumer "
        "reads",
    )
    _note(
        "With every number of consumers and under every strategy the backlog never clears, so time "
        f"is not drawn. Bars: what must be read to clear it within {duration(capacity.allowed_s)}; "
        "orange is more than one consumer reads, and a partition has one."
    )


def show_chart(decision: Decision) -> None:
    """Show time over numbers of consumers."""
    st.subheader("Time to clear the backlog, by consumers", anchor=False)
    first, last = decision.curves.points[0], decision.curves.points[-1]
    widgets.picture(
        _drain_curves(decision.curves),
        "drain_curves",
        f"Time to clear the backlog with {first:,} to {last:,} consumers; later than allowed is "
        "tinted",
    )


def show_details(findings: Findings) -> None:
    """Show figures for every strategy, what was tried, and what is simplified."""
    widgets.table(
        strategies_table(findings),
        "Figures on capacity for each strategy",
        {
            "In time from": "The smallest number of consumers tried that is in time",
            "Always from": "From here on, every number tried is in time",
            "Plan": "From here on, every number tried is in time with the headroom",
            "Not tried below": "Numbers below it that were not tried; at 0 the minimum is exact",
            "Time today (s)": f"Seconds to clear the backlog with {findings.today:,} consumers",
            "Load today": "Of the busiest consumer; 100 % is just in time",
            "Idle today": "Consumers without a partition",
        },
        {"Time today (s)": "%.1f", "Load today": "%.0f %%"},
        placeholder="unknown" if findings.is_least else "never",
        height="content",
    )
    for sentence in (
        caveats.tried_words(findings),
        *caveats.idle_words(findings),
        caveats.SIMPLIFIED,
    ):
        _note(sentence)


def strategies_table(findings: Findings) -> pd.DataFrame:
    """Return one row a strategy: how many consumers it needs, and how it does today."""
    rows: list[dict[str, object]] = []
    for curve, least in zip(findings.curves, findings.minima, strict=True):
        plan = findings.plans[len(rows)] if findings.plans else None
        row: dict[str, object] = {
            "Strategy": curve.strategy.label,
            "Prediction": curve.strategy.certainty_for(findings.group).text,
            "Takes": takes_of(curve.strategy).value,
            "In time from": least.consumers,
            "Always from": curve.always_from,
            "Plan": None if plan is None else plan.consumers,
            "Not tried below": least.untried_below,
        }
        at = curve.at(findings.today) if findings.today else None
        if at is not None:
            row["Time today (s)"] = at.seconds if np.isfinite(at.seconds) else None
            row["Load today"] = 100 * at.load if np.isfinite(at.load) else None
            row["Idle today"] = at.idle
        rows.append(row)
    return pd.DataFrame(rows).astype(
        dict.fromkeys(("In time from", "Always from", "Plan"), "Int64")
    )


def capacity_table(curves: Sequence[Curve]) -> pd.DataFrame:
    """Return one row a strategy and number of consumers tried; seconds are inf where never."""
    return pd.concat(
        [
            pd.DataFrame(
                {
                    "strategy": curve.strategy.name,
                    "consumers": curve.consumers,
                    "seconds": curve.columns["seconds"],
                    "load": curve.columns["load"],
                    "in_time": curve.works,
                    "idle": curve.columns["idle"],
                }
            )
            for curve in curves
        ],
        ignore_index=True,
    )


def _note(sentence: str) -> None:
    """Write small, but not in the fainter colour of captions."""
    st.markdown(f":small[{verbatim(sentence)}]")
