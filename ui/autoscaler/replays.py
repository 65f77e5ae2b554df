"""The replays of the Autoscaler page: the answer, the picture and the table."""

import hashlib
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import LongArray
from charts.autoscaling import over_time
from charts.report import Figure, FigureRow, ReportList, Section
from evaluation.autoscaling.comparison import (
    Candidate,
    RuleResult,
    best_settable,
    compare_rules,
    manifest,
    most_rules,
    results_to_show,
    run_candidate,
)
from evaluation.autoscaling.replay import Conditions, ScalingRun
from evaluation.capacity.draining import TOLERANCE
from evaluation.wording import amount, duration, listed, plural
from ui import cache, visited, widgets
from ui.autoscaler.inputs import AutoscalerInputs
from ui.capacity.inputs import again
from ui.progress import PageProgress
from ui.untrusted import verbatim
from ui.workers import run_or_stop

_LONG: Final = 10_000
"""Partitions times steps from which a replay runs in a process of its own: what takes 0.1 s,
for which all other visitors would wait."""
_FIRST: Final = 2
"""Rules behind the first answer, beside the user's own: today's number and the first of KEDA."""


class Replays:
    """The replays of one question; what was replayed stays, for all viewers."""

    def __init__(self, question: AutoscalerInputs) -> None:
        """Resume the question where it was left, by any visitor."""
        self._question = question
        workload = question.workload
        digest = hashlib.blake2b(digest_size=16)
        for array in (workload.rates, workload.lags, workload.stuck):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(pickle.dumps(question.own))
        self._key = (
            f"{cache.digest(question.group)} {digest.hexdigest()} {workload.step_s} "
            f"{question.conditions}"
        )
        self._tried = _tried(self._key)
        self._most = most_rules(question.group, workload, question.conditions, question.own)
        self.progress = PageProgress(self._key)

    @property
    def results(self) -> list[RuleResult]:
        """What was replayed, today's number first."""
        return list(self._tried.results.values())

    @property
    def is_complete(self) -> bool:
        """Whether every rule was replayed."""
        return self._tried.is_complete

    @property
    def so_far(self) -> str:
        """On how many rules the answer rests."""
        return f"{len(self._tried.results):,} of at most {plural(self._most, 'rule')} tried so far."

    def begin(self, area: DeltaGenerator) -> None:
        """Replay enough rules for a first answer, with progress in the area."""
        enough = _FIRST + (self._question.own is not None)
        if len(self._tried.results) < enough:
            self.progress.run(self._tries(enough), area, self._most, "{}")

    def go_on(self, area: DeltaGenerator) -> None:
        """Replay the other rules; run the page again when another is best, and after the last."""
        shown = self._best()

        def tries() -> Iterator[str]:
            for said in self._tries(self._most + 1):
                yield said
                if self._best() != shown:
                    st.rerun()

        self.progress.run(tries(), area, self._most, "{}")
        if self.is_complete:
            st.rerun()

    def _best(self) -> str:
        return recommended(self._question, self.results).candidate.name

    def _tries(self, enough: int) -> Iterator[str]:
        """Replay until there are enough results; yield before each how far the work is."""
        question, results = self._question, self._tried.results

        def play(candidate: Candidate) -> ScalingRun:
            if candidate.name in results:
                return results[candidate.name].outcome
            return _run(question, candidate, question.conditions)

        yield self.so_far
        asked = (question.group, question.workload, question.conditions)
        for result in compare_rules(*asked, play, question.own):
            results.setdefault(result.candidate.name, result)
            if len(results) >= enough:
                return
            yield self.so_far
        self._tried.is_complete = True

    def late_at_half_and_twice(self, rule: RuleResult) -> dict[float, float]:
        """Return for how many minutes a rule would be late at half and twice the speed."""
        late, conditions = {}, self._question.conditions
        for speed in (conditions.speed / 2, 2 * conditions.speed):
            kept = _tried(f"{self._key} at {speed}").results
            if rule.candidate.name not in kept:
                outcome = _run(self._question, rule.candidate, replace(conditions, speed=speed))
                minutes = outcome.minutes_late(conditions.allowed_s)
                kept[rule.candidate.name] = RuleResult(rule.candidate, outcome, minutes)
            late[speed] = kept[rule.candidate.name].minutes_late
        return late


def _run(question: AutoscalerInputs, candidate: Candidate, conditions: Conditions) -> ScalingRun:
    arguments = (question.group, question.workload, candidate, conditions)
    is_long = question.workload.rates.size > _LONG
    return run_or_stop(run_candidate, *arguments) if is_long else run_candidate(*arguments)


def at_other_speeds(rule: RuleResult, late: Mapping[float, float]) -> str:
    """Return how late the recommended rule would be at other speeds, in minutes by records/s."""
    said = [
        f"at {amount(round(speed, 1))}/s it would "
        + (f"be late for {duration(minutes * 60)}" if minutes else "never be late")
        for speed, minutes in late.items()
    ]
    return f"The speed is a guess. Of {rule.candidate.name}: {', '.join(said)}."


@dataclass
class _Tried:
    """The results of one question so far, by the name of the rule."""

    results: dict[str, RuleResult] = field(default_factory=dict)
    is_complete: bool = False


@st.cache_resource(max_entries=64, show_spinner=False)
def _tried(key: str) -> _Tried:  # noqa: ARG001 -- the cache's
    return _Tried()


def recommended(question: AutoscalerInputs, results: Sequence[RuleResult]) -> RuleResult:
    """Return the rule that the page recommends."""
    return best_settable(results, question.conditions.allowed_s)


def show_answer(question: AutoscalerInputs, results: Sequence[RuleResult]) -> None:
    """Show the recommendation and four figures."""
    st.title(verbatim(conclusion(question, results)), anchor=False)
    widgets.figures(_figures(question, recommended(question, results), results[0]), 150)


def section(question: AutoscalerInputs, work: Replays) -> Section:
    """Return the answer for the report."""
    results = work.results
    best = recommended(question, results)
    hot = _too_hot(question, best)
    table = rules_table(results_to_show(results), question).drop(columns="Runs on")
    return Section(
        "Autoscaler",
        [
            conclusion(question, results),
            *([] if work.is_complete else [work.so_far]),
            FigureRow(_figures(question, best, results[0])),
            *_explanation(question, results),
            question.assumed,
            visited.table("Every rule", table),
            *([] if hot else [ReportList(manifest(best.candidate, question.group))]),
        ],
    )


def conclusion(question: AutoscalerInputs, results: Sequence[RuleResult]) -> str:
    """Return the answer in a sentence or two, on the conditions that it rests on."""
    said = _answer(question, results)
    rests_on, is_word = question.rests_on, said.startswith(("No ", "Stay"))
    if question.still and not said.startswith("No number"):
        rests_on = (*rests_on, again(question.still))
    if not rests_on:
        return said
    return f"If {listed(rests_on)}, {said[0].lower() if is_word else said[0]}{said[1:]}"


def _answer(question: AutoscalerInputs, results: Sequence[RuleResult]) -> str:
    best, today = recommended(question, results), results[0]
    target, name = duration(question.conditions.allowed_s), best.candidate.name
    costs = f"for {question.cost(best.outcome.pod_hours)} in {question.span}"
    kept = f"never more than {target} behind, {costs}"
    pods = plural(today.candidate.pods or 0, "pod")
    now = f"Today's {pods}" if question.group.member_count else pods
    then = question.cost(today.outcome.pod_hours)
    if today.minutes_late:
        then = f"late for {duration(today.minutes_late * 60)}"
    beside = "" if best.candidate is today.candidate else f" {now}: {then}."
    if best.minutes_late:
        if hot := _too_hot(question, best):
            return f"No number of pods keeps up: {hot}."
        after_s = _in_time_after_s(question, best)
        late = f"late for {duration(best.minutes_late * 60)}, {costs}"
        kept = late if after_s is None else f"in time after {duration(after_s)}, then {kept}"
        return f"No rule tried that can be set is always within {target}; {name}: {kept}.{beside}"
    if not beside:
        name = f"Stay with today's {pods}" if question.group.member_count else pods
    return f"{name}: {kept}.{beside}"


def _in_time_after_s(question: AutoscalerInputs, result: RuleResult) -> float | None:
    """Return when a rule has read the backlog of the start; None if it is late again later."""
    outcome = result.outcome
    is_late = outcome.time_lag_s > question.conditions.allowed_s * (1 + TOLERANCE)
    late = int(np.count_nonzero(is_late))
    return late * outcome.step_s if is_late[:late].all() and late < is_late.size else None


def _too_hot(question: AutoscalerInputs, best: RuleResult) -> str:
    """Return which partition gets more than one consumer reads, for good; "" if none does.

    "" too if the best rule is in time all the same.
    """
    rates = question.workload.rates
    if not rates.size or not best.minutes_late:
        return ""
    mean, most = rates.mean(axis=0), question.conditions.partition_speed
    hottest = int(np.argmax(mean))
    is_never_read = mean[hottest] == most and question.workload.lags[hottest] > 0
    if mean[hottest] <= most and not is_never_read:
        return ""
    name = question.group.partition_name(hottest)
    reads = (
        f"and one consumer reads {amount(round(most, 1))}"
        if most == question.conditions.speed
        else f"of which at most {amount(round(most, 1))} can be read"
    )
    return f"{name} alone gets {amount(round(float(mean[hottest]), 1))} records/s, {reads}"


def _explanation(question: AutoscalerInputs, results: Sequence[RuleResult]) -> Iterator[str]:
    """Yield what a controller of one's own would save, and what no rule can help."""
    best, other = recommended(question, results), results_to_show(results)[0]
    group, conditions, workload = question.group, question.conditions, question.workload
    if not other.candidate.is_settable:
        rule = f"A controller of your own, by the rule “{other.candidate.name}”"
        yield f"{rule}, would need {_taken(question, other)}."
    if _too_hot(question, best):
        yield f"The figures are of {best.candidate.name}; that partition falls behind anyway."
    for each in results:
        if each.candidate.is_own:
            yield from each.candidate.notes
            if each is not best:
                yield f"Your ScaledObject would need {_taken(question, each)}."
    if all(each.outcome.time_lag_s[0] > conditions.allowed_s for each in results):
        yield "Under every rule it begins late: the backlog at the start is older than the target."
    hot = workload.rates.max(axis=0) > conditions.partition_speed
    if best.minutes_late and hot.any():
        name = group.partition_name(int(np.argmax(workload.rates.max(axis=0))))
        yield (
            f"At its peak {name} alone gets more than can be read of it: no number of pods "
            "helps, since a partition has one consumer. Spread its keys or make consumers faster."
        )
    if workload.stuck.any():
        name = group.partition_name(int(np.argmax(workload.stuck)))
        yield (
            f"No consumer gets past the next record of {name}; the figures leave it out, the rules "
            "see it."
        )


def _taken(question: AutoscalerInputs, result: RuleResult) -> str:
    late = duration(result.minutes_late * 60)
    then = f"be late for {late}" if result.minutes_late else "be in time"
    return f"{question.cost(result.outcome.pod_hours)} and {then}"


def _figures(question: AutoscalerInputs, best: RuleResult, today: RuleResult) -> list[Figure]:
    outcome = best.outcome
    late = duration(best.minutes_late * 60) if best.minutes_late else "never"
    label = "Pod-hours" if question.price is None else "Cost"
    costs, before = (
        question.cost(each.outcome.pod_hours).removesuffix(" pod-hours") for each in (best, today)
    )
    whose = "today" if question.group.member_count else f"{today.candidate.name}:"
    changes = int(np.count_nonzero(np.diff(outcome.pods)))
    return [
        Figure(label, costs, f"{whose} {before}", _ABOUT_COST),
        Figure("Late", late, f"of {question.span}", _ABOUT_LATE),
        Figure("Pods", _least_to_most(outcome.pods), plural(changes, "change")),
        Figure(
            "Partitions moved",
            f"{int(outcome.moved.sum()):,}",
            f"{duration(float(outcome.paused_s.sum()))} unread",
            "Partitions that change their consumer, and the partition-seconds that takes",
        ),
    ]


def _least_to_most(pods: LongArray) -> str:
    least, most = int(pods.min()), int(pods.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def show_pictures(question: AutoscalerInputs, results: Sequence[RuleResult]) -> None:
    """Show the recommended rule beside another over time, its reasons, and every rule as a row."""
    best, ranked = recommended(question, results), results_to_show(results)
    names = [each.candidate.name for each in ranked if each is not best]
    usual = results[0].candidate.name
    chosen = st.selectbox(
        "Compare with", names, index=names.index(usual) if usual in names else 0, key="other_rule"
    )
    pair = [best, *(each for each in ranked if each.candidate.name == chosen)]
    widgets.picture(
        over_time(
            {each.candidate.name: each.outcome for each in pair}, question.conditions.allowed_s
        ),
        "over_time",
        f"Pods, time lag and lag over time: {best.candidate.name}, and {chosen}",
    )
    _show_reasons(question, results)
    widgets.table(
        rules_table(ranked, question),
        "Every rule",
        _ABOUT,
        {f"Cost ({question.currency})": "%.2f"},
        pinned=("Rule",),
        widths={"Rule": 212, "Late (min)": 95, "Pod-hours": 105, "Moved": 105},
        bars=("Late (min)", "Pod-hours", "Moved"),
        height="content",
    )
    st.markdown(":small[Rules that led to the same pods share a row.]")


def _show_reasons(question: AutoscalerInputs, results: Sequence[RuleResult]) -> None:
    """Show what sets the recommended rule, how others do, and what is assumed."""
    best = recommended(question, results)
    if not _too_hot(question, best):
        with st.popover("How to set it", icon=":material/settings:"):
            st.code(manifest(best.candidate, question.group), language="yaml")
            st.caption("Names of the deployment and of the servers are yours to fill in.")
    st.markdown("\n".join(f"- {verbatim(said)}" for said in _explanation(question, results)))
    st.markdown(f":small[{verbatim(question.assumed)}]")


def rules_table(ranked: Sequence[RuleResult], question: AutoscalerInputs) -> pd.DataFrame:
    """Return one row a rule, in this order."""
    cost = f"Cost ({question.currency})"
    rows = [
        {
            "Rule": candidate.name,
            "Late (min)": late,
            "Pod-hours": outcome.pod_hours,
            cost: outcome.pod_hours * (question.price or 0),
            "Pods": _least_to_most(outcome.pods),
            "Moved": int(outcome.moved.sum()),
            "Paused (min)": outcome.paused_s.sum() / 60,
            "R-score": outcome.r_score.sum(),
            "Runs on": "KEDA" if candidate.trigger else "kubectl" if candidate.pods else "own code",
        }
        for candidate, outcome, late in ranked
    ]
    table = pd.DataFrame(rows).round(
        {"Late (min)": 0, "Pod-hours": 1, cost: 2, "Paused (min)": 0, "R-score": 1}
    )
    return table.drop(columns=cost) if question.price is None else table


_ABOUT_COST: Final = "Pods count from the moment they are wanted"
_ABOUT_LATE: Final = "For how long some partition's next record was older than the target"
_ABOUT: Final = {
    "Rule": "KEDA without a number: its lagThreshold is what consumers that are 70 % busy have not "
    "committed, on average",
    "Late (min)": _ABOUT_LATE,
    "Pod-hours": _ABOUT_COST,
    "Moved": "Partitions that change their consumer",
    "Paused (min)": "Partition-minutes unread because partitions moved",
    "R-score": "Records/s of the partitions that move, as a multiple of what one consumer "
    "processes, summed over all rebalances: the measure of the paper on Modified Any Fit",
    "Runs on": "A ScaledObject, a fixed number of replicas, or a controller of your own",
}
