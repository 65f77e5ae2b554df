"""The replays of the Autoscaler page, with a cache."""

import hashlib
import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from evaluation.autoscaling.comparison import (
    Candidate,
    RuleResult,
    compare_rules,
    most_rules,
    run_candidate,
)
from evaluation.autoscaling.replay import Conditions, ScalingRun
from evaluation.wording import plural
from ui import caching
from ui.autoscaler.findings import ScalingFindings
from ui.autoscaler.inputs import AutoscalerInputs
from ui.progress import PageProgress
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
            f"{caching.digest(question.group)} {digest.hexdigest()} {workload.step_s} "
            f"{question.conditions}"
        )
        self._tried = _tried(self._key)
        self._most = most_rules(question.group, workload, question.conditions, question.own)
        self.progress = PageProgress(self._key)

    def findings(self) -> ScalingFindings | None:
        """Return what is known so far; None before the first replay."""
        results = tuple(self._tried.results.values())
        return ScalingFindings(self._question, results) if results else None

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
        found = self.findings()
        return "" if found is None else found.best.candidate.name

    def _tries(self, enough: int) -> Iterator[str]:
        """Replay until there are enough results; yield before each how far the work is."""
        question, results = self._question, self._tried.results

        def play(candidate: Candidate) -> ScalingRun:
            if candidate.name in results:
                return results[candidate.name].run
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
                run = _run(self._question, rule.candidate, replace(conditions, speed=speed))
                minutes = run.minutes_late(conditions.allowed_s)
                kept[rule.candidate.name] = RuleResult(rule.candidate, run, minutes)
            late[speed] = kept[rule.candidate.name].minutes_late
        return late


def _run(question: AutoscalerInputs, candidate: Candidate, conditions: Conditions) -> ScalingRun:
    arguments = (question.group, question.workload, candidate, conditions)
    is_long = question.workload.rates.size > _LONG
    return run_or_stop(run_candidate, *arguments) if is_long else run_candidate(*arguments)


@dataclass
class _Tried:
    """The results of one question so far, by the name of the rule."""

    results: dict[str, RuleResult] = field(default_factory=dict)
    is_complete: bool = False


@st.cache_resource(max_entries=64, show_spinner=False)
def _tried(key: str) -> _Tried:  # noqa: ARG001 -- the cache's
    return _Tried()
