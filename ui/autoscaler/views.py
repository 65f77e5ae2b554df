"""What the Autoscaler page shows: the answer first, then the picture, the reasons, every rule."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from assignors.model import LongArray
from charts.autoscaling import over_time
from charts.report import Figure, FigureRow, ReportList, Section
from evaluation.autoscaling.comparison import RuleResult, manifest
from evaluation.wording import duration, listed, plural
from ui import downloads, visited, widgets
from ui.autoscaler.findings import ScalingFindings
from ui.autoscaler.inputs import AutoscalerInputs
from ui.autoscaler.words import conclusion, explanation
from ui.caching import cached
from ui.choices.option import OptionChoice
from ui.picture import verdict
from ui.untrusted import verbatim

_ABOUT_COST: Final = "Pods count from the moment they are wanted"
_ABOUT_LATE: Final = "For how long some partition's next record was older than the target"
_ABOUT: Final = {
    "Rule": "KEDA without a number: its lagThreshold is what consumers that are 70 % busy have not "
    "committed, on average",
    "Late (min)": _ABOUT_LATE,
    "Pod-hours": _ABOUT_COST,
    "Moved": "Partitions that change their consumer",
    "Paused (min)": "Partition-minutes unread because partitions moved",
    "With pauses": "Pod-hours, and time unread as pod-hours of all pods; the best rule in time has "
    "the fewest",
    "R-score": "Records/s of the partitions that move, as a multiple of what one consumer "
    "processes, summed over all rebalances: the measure of the paper on Modified Any Fit",
    "Runs on": "A ScaledObject, a fixed number of replicas, or a controller of your own",
}
_over_time: Final = cached(16)(over_time)


def show_answer(findings: ScalingFindings) -> None:
    """Show the recommendation and four figures."""
    verdict.show(conclusion(findings))
    widgets.figures(_figures(findings), 150)


def section(findings: ScalingFindings, so_far: str = "") -> Section:
    """Return the answer for the report; ``so_far`` says what it rests on if more can be tried."""
    question, best = findings.question, findings.best
    table = rules_table(findings.ranked, question).drop(columns="Runs on")
    settings = ReportList(manifest(best.candidate, question.group))
    return Section(
        "Autoscaler",
        [
            conclusion(findings).text,
            *([so_far] if so_far else []),
            FigureRow(_figures(findings)),
            *question.at_rest,
            *explanation(findings),
            question.assumed,
            visited.table("Every rule", table),
            *([settings] if findings.advice.too_hot is None else []),
        ],
    )


def _figures(findings: ScalingFindings) -> list[Figure]:
    question, best, today = findings.question, findings.best, findings.today
    run = best.run
    late = duration(best.minutes_late * 60) if best.minutes_late else "never"
    label = "Pod-hours" if question.price is None else "Cost"
    costs, before = (
        question.cost(each.run.pod_hours).removesuffix(" pod-hours") for each in (best, today)
    )
    whose = "today" if question.group.member_count else f"{today.candidate.name}:"
    changes = int(np.count_nonzero(np.diff(run.pods)))
    return [
        Figure(label, costs, f"{whose} {before}", _ABOUT_COST),
        Figure("Late", late, f"of {question.span}", _ABOUT_LATE),
        Figure("Pods", _least_to_most(run.pods), plural(changes, "change")),
        Figure(
            "Partitions moved",
            f"{int(run.moved.sum()):,}",
            f"{duration(float(run.paused_s.sum()))} unread",
            "Partitions that change their consumer, and the partition-seconds that takes",
        ),
    ]


def _least_to_most(pods: LongArray) -> str:
    least, most = int(pods.min()), int(pods.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def show_pictures(findings: ScalingFindings) -> None:
    """Show the recommended rule beside another over time, its reasons, and every rule as a row."""
    question, best, ranked = findings.question, findings.best, findings.ranked
    names = [each.candidate.name for each in ranked if each is not best]
    usual = findings.today.candidate.name
    drawn = [best.candidate.name]
    if names:
        usual = usual if usual in names else names[0]
        drawn.append(OptionChoice("other_rule").pick("Compare with", names, usual=usual))
    runs = {each.candidate.name: each.run for each in ranked if each.candidate.name in drawn}
    widgets.picture(
        _over_time({name: runs[name] for name in drawn}, question.conditions.allowed_s),
        "over_time",
        f"Pods, time lag and lag over time: {listed(drawn)}",
    )
    _show_reasons(findings)
    rules = rules_table(ranked, question)
    widgets.table(
        rules,
        "Every rule",
        _ABOUT,
        {f"Cost ({question.currency})": "%.2f"},
        pinned=("Rule",),
        widths={"Rule": 212, "Late (min)": 95, "Pod-hours": 105, "Pods": 85, "Moved": 95},
        bars=("Late (min)", "Pod-hours", "Moved"),
        height="content",
    )
    downloads.offer(lambda: rules, question.group.id, "rules")
    st.markdown(":small[Rules that led to the same pods share a row.]")


def _show_reasons(findings: ScalingFindings) -> None:
    """Show what sets the recommended rule, how others do, and what is assumed."""
    question = findings.question
    if findings.advice.too_hot is None:
        with st.popover("How to set it", icon=":material/settings:"):
            st.code(manifest(findings.best.candidate, question.group), language="yaml")
            st.caption("Names of the deployment and of the servers are yours to fill in.")
    st.markdown("\n".join(f"- {verbatim(said)}" for said in explanation(findings)))
    st.markdown(f":small[{verbatim(question.assumed)}]")


def rules_table(ranked: Sequence[RuleResult], question: AutoscalerInputs) -> pd.DataFrame:
    """Return one row a rule, in this order."""
    cost = f"Cost ({question.currency})"
    rows = [
        {
            "Rule": candidate.name,
            "Late (min)": late,
            "Pod-hours": run.pod_hours,
            cost: run.pod_hours * (question.price or 0),
            "Pods": _least_to_most(run.pods),
            "Moved": int(run.moved.sum()),
            "Paused (min)": run.paused_s.sum() / 60,
            "With pauses": run.priced_hours,
            "R-score": run.r_score.sum(),
            "Runs on": "KEDA" if candidate.trigger else "kubectl" if candidate.pods else "own code",
        }
        for candidate, run, late in ranked
    ]
    table = pd.DataFrame(rows).round(
        {
            "Late (min)": 0,
            "Pod-hours": 1,
            cost: 2,
            "Paused (min)": 0,
            "With pauses": 1,
            "R-score": 1,
        }
    )
    return table.drop(columns=cost) if question.price is None else table
