"""What the Autoscaler page asks for: a workload, a target, and what a pod takes and costs."""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.catalogue import strategies
from assignors.model import UNKNOWN, Group
from assignors.strategy import Sees, Strategy
from evaluation.assuming.clients import JAVA
from evaluation.autoscaling.comparison import Candidate
from evaluation.autoscaling.replay import Conditions
from evaluation.autoscaling.workloads import Profile, Workload, day, from_snapshots
from evaluation.capacity.draining import known_rates
from evaluation.capacity.resizing import as_planned
from evaluation.measuring.facts import Facts, Source
from evaluation.measuring.offset_history import (
    COMMITTED,
    END,
    OffsetHistory,
    history_offsets,
)
from evaluation.stated import require, stated
from evaluation.wording import amount, duration, rate_amount, sentence
from sources.scaled_object import MOST_CHARACTERS, read_scaled_object
from ui import facts, form, judging, price, told, widgets
from ui.answers import answer_in, known_in
from ui.autoscaler import resting
from ui.choices.option import OptionChoice
from ui.clients import client
from ui.picture import places
from ui.scenario import Scenario

_HEADING: Final = "Assumptions"
TITLE: Final = "Which autoscaler does this group need?"
_RECORDED: Final = "as recorded"
_SHORTEST_S: Final = 1800.0
"""A recorded history worth replaying."""
_STEP_S: Final = 60.0
_MOST_RATE: Final = 1e12
_MOST_HOURS: Final = 720.0
_GOES: Final = {
    Profile.STEADY: "arrivals stay as they are",
    Profile.DIURNAL: "arrivals follow day and night",
    Profile.BURST: "arrivals come in bursts",
    Profile.SKEWED: "one key turns hot",
    Profile.STUCK: "one partition gets stuck",
}
_MOST_CELLS: Final = 5_000_000
"""Partitions times steps that are kept in memory; larger groups are replayed in longer steps."""


@dataclass(frozen=True, eq=False, kw_only=True)
class AutoscalerInputs:
    """What the visitor asks."""

    group: Group
    workload: Workload
    conditions: Conditions
    own: Candidate | None
    """The ScaledObject that the group has, if it was pasted."""
    at_rest: tuple[str, ...] = ()
    """Where that comes to rest, and the steps, as sentences."""
    price: float | None
    """Of a pod for an hour, if it is stated."""
    currency: str
    rests_on: tuple[str, ...] = ()
    """What the answer rests on that nobody has measured or stated, to stand behind "If"."""
    still: int = 0
    """How many of today's consumers read nothing while records wait for them."""
    assumed: str
    is_guess: bool = False
    """Whether the speed of a consumer is a guess, so that others should be shown beside it."""

    @property
    def span(self) -> str:
        """How long the replay is."""
        return f"{self.workload.steps * self.workload.step_s / 3600:,.3g} h"

    def cost(self, pod_hours: float) -> str:
        """Return what pod-hours come to, in money if a price is stated."""
        if self.price is None:
            return f"{amount(round(pod_hours, 1))} pod-hours"
        return f"{self.currency} {pod_hours * self.price:,.2f}".strip()


@dataclass(frozen=True, kw_only=True)
class _Length:
    """How much of a day is replayed."""

    hours: float = field(default=24.0, metadata=stated("the time to replay", "Hours", "To replay."))


class _Asked(NamedTuple):
    """What was chosen and entered, unchecked."""

    recorded: OffsetHistory | None
    """What to replay, unless it is a ``profile``."""
    profile: str
    strategy: Strategy
    scaled_object: str
    """The text that was pasted."""


class _Checked(NamedTuple):
    """What that says, within its bounds."""

    workload: Workload
    conditions: Conditions
    own: Candidate | None
    price: float | None
    currency: str


def ask(current: Scenario, above: DeltaGenerator) -> AutoscalerInputs | None:
    """Show the inputs; return what they say, or None after saying ``above`` them what is wrong."""
    # Every field is drawn before any is checked: a field that is not drawn loses its value.
    with st.container(key=places.FIELDS):
        asked = _ask(current)
    group, found = current.group, known_in(current).facts
    try:
        checked = _checked(current, asked)
    except ValueError as error:
        with above:
            st.title(TITLE, anchor=False)
            widgets.refusal(error)
        return None
    at_rest = resting.said_of(current, checked.own, checked.conditions.threads)
    if asked.recorded is None and found.arriving_source is None:
        with above:
            resting.show(at_rest)
            facts.say_what_is_missing("which autoscaler this group needs", group, found, _HEADING)
        return None
    goes = () if asked.recorded else (_GOES[Profile(asked.profile)],)
    return AutoscalerInputs(
        group=group,
        workload=checked.workload,
        conditions=checked.conditions,
        own=checked.own,
        at_rest=at_rest,
        price=checked.price,
        currency=checked.currency,
        rests_on=(*facts.rests_on(found), *goes),
        still=int(np.count_nonzero(found.is_still)),
        is_guess=found.speed.source is Source.GUESS,
        assumed=_assumed(group, found, asked, checked),
    )


def _ask(current: Scenario) -> _Asked:
    """Show every field."""
    st.subheader(_HEADING, anchor=False)
    group, known = current.group, known_in(current)
    history, found = known.history, known.facts
    is_recorded = history.span_s >= _SHORTEST_S
    profiles = [profile.value for profile in Profile]
    profile = OptionChoice("workload").pick(
        "Workload",
        [_RECORDED, *profiles] if is_recorded else profiles,
        usual=_RECORDED if is_recorded else Profile.DIURNAL.value,
        about="How the produce rates go through the day; they keep their mean.",
    )
    recorded = history if profile == _RECORDED else None
    facts.ask_speed(found)
    form.ask(Conditions)
    strategy = _ask_strategy(answer_in(current).running.strategy)
    _ask_measure(current, strategy)
    price.ask()
    written = st.text_area(
        "Your ScaledObject",
        key="scaled_object",
        height=90,
        max_chars=MOST_CHARACTERS,
        placeholder="spec: ...",
        help="Paste its YAML to see what the group has now beside what it could have.",
    )
    if recorded is None:
        form.ask(_Length)
        facts.ask_interval(current)
        facts.ask_arriving(group, found)
    return _Asked(recorded, profile, strategy, written)


def _checked(current: Scenario, asked: _Asked) -> _Checked:
    """Return what the fields say; raises ValueError."""
    group, known = current.group, known_in(current)
    found, recorded = known.facts, asked.recorded
    total = told.TOTAL.number() or 0.0
    require("the total produce rate", total, "records/s", least=0, most=_MOST_RATE)
    arriving = group.with_rates(found.arriving)
    workload = _recorded(group, recorded) if recorded else _day(arriving, asked.profile)
    conditions = form.read(
        Conditions,
        speed=facts.speed_entered(found),
        partition_cap=found.partition_cap,
        strategy=asked.strategy,
        measure=known.measure,
    )
    cost, currency = price.stated()
    written = asked.scaled_object
    own = read_scaled_object(written, group) if written.strip() else None
    return _Checked(workload, conditions, own, cost, currency)


def _assumed(group: Group, found: Facts, asked: _Asked, checked: _Checked) -> str:
    """Return the inputs in a sentence."""
    workload, conditions = checked.workload, checked.conditions
    arrives = f"{facts.arrival_words(group, found)}, {asked.profile}"
    if asked.recorded is not None:
        mean = float(workload.rates.sum(axis=1).mean())
        arrives = f"{rate_amount(mean)} records/s arrive on average, as recorded"
    return sentence(
        f"{facts.reading_words(found)}; {arrives}; {_weighs(conditions)}"
        f"a pod starts within {duration(conditions.pod_start_s)}; offsets are committed every "
        f"{duration(conditions.commit_s)}. It begins with today's backlog and is replayed in "
        f"steps of {duration(workload.step_s)}"
    )


def _ask_strategy(runs: Strategy | None) -> Strategy:
    """Ask for the strategy; the one that ``runs`` comes first."""
    of, names = client(), [strategy.name for strategy in client().strategies]
    usual = Conditions.strategy.name if of is JAVA else names[0]
    key = "scaled_strategy" if of is JAVA else f"{of.name}_scaled_strategy"
    if runs is not None and runs.name in names:
        usual = runs.name
        key = f"broker_{key}" if runs.remote_assignor else key
    return strategies()[
        OptionChoice(key).pick(
            "Strategy",
            names,
            lambda name: strategies()[name].label,
            about="Assigns the partitions, unless the rule does.",
            usual=usual,
        )
    ]


def _ask_measure(current: Scenario, strategy: Strategy) -> None:
    """Ask what a strategy by lag weighs; say that the others weigh nothing."""
    if Sees.LAG in strategy.sees:
        judging.ask(current)
    else:
        st.caption(
            f"Rules are judged by time. {strategy.label} looks at neither lag nor arrivals, so "
            "what other pages judge by changes nothing here."
        )


def _weighs(conditions: Conditions) -> str:
    if Sees.LAG not in conditions.strategy.sees:
        return ""
    return f"{conditions.strategy.label} weighs {conditions.measure.noun}; "


def _day(group: Group, profile: str) -> Workload:
    """Return a day of the group from its backlog of now; raises InvalidNumberError."""
    hours, most = form.read(_Length).hours, min(float(_most_steps(group)), _MOST_HOURS)
    what = "the time to replay a group of this size"
    require(what, hours, "hours", least=_STEP_S / 3600, most=most)
    is_wanted = as_planned(group).is_wanted
    rates = np.where(is_wanted, known_rates(group), 0.0)
    lags = np.where(is_wanted, group.counted_lags, 0)
    total = float(rates.sum())
    require("the total produce rate", total, "records/s", least=0, most=_MOST_RATE)
    step_s = step_for(group, hours * 3600)
    return day(rates, lags, Profile(profile), step_s=step_s, hours=hours)


def step_for(group: Group, span_s: float) -> float:
    """Return the seconds of a step: whole minutes, as few as memory and time allow."""
    return _STEP_S * max(math.ceil(span_s / _STEP_S / _most_steps(group)), 1)


def _most_steps(group: Group) -> int:
    return max(_MOST_CELLS // max(group.partition_count, 1), 1)


def _recorded(group: Group, history: OffsetHistory) -> Workload:
    """Return what arrived while the history was recorded; raises InvalidNumberError."""
    history = history.only_timed()
    offsets = history_offsets(group, history.moments)
    known = np.where(offsets == UNKNOWN, np.nan, offsets.astype(np.float64))
    lags = np.maximum(known[0, END] - known[0, COMMITTED], 0.0)
    step_s = step_for(group, history.span_s)
    return from_snapshots(history.times_s, known[:, END], lags, step_s=step_s)
