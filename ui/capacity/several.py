"""The plans of the groups that this visitor has open, and what they come to in all."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assignors.model import Group
from evaluation.answering.answer import Answer
from evaluation.capacity.planning import ConsumerPlan, Margin, PlanKind, cost_a_month
from evaluation.reading import Reading
from evaluation.stated import InvalidNumberError
from evaluation.wording import duration, percent
from sources.plans_of_groups import MOST_GROUPS
from ui import answers, downloads, open_groups, scenario, told, widgets
from ui.capacity import inputs, words
from ui.capacity.findings import Findings, with_fewest_consumers
from ui.capacity.inputs import CapacityInputs
from ui.capacity.work import CapacityTrials, switch_start
from ui.kind_gate import hindrance_of
from ui.scenario import Scenario
from ui.strategy_choice import chosen_strategies
from ui.untrusted import verbatim

_KEY: Final = "plans_of_groups"
_CLOSE: Final = "close_group"
TOTAL: Final = "Total"
_UNKNOWN: Final = "its need is unknown"


class AskedOfAll(NamedTuple):
    """What is asked of every group of a table."""

    allowed_s: float
    margin: Margin
    lost: str
    """What the plan must survive the loss of."""
    price: float | None
    currency: str


class PlannedGroup(NamedTuple):
    """The plan of one open group, and what it was made for."""

    reading: Reading
    group: Group
    """As it was on screen."""
    title: str
    plan: ConsumerPlan | None
    """None where what the group needs is unknown, or nothing can be read."""
    decided_by: str
    is_speed_least: bool
    """Whether its consumers kept up, so that they may read more than was measured."""
    stated: Mapping[str, str]
    """What was stated of this group."""
    asked: AskedOfAll

    @property
    def today(self) -> int:
        """The consumers today."""
        return self.group.member_count

    @property
    def planned(self) -> int:
        """The consumers planned; today's where no number is."""
        return self.today if self.plan is None else self.plan.consumers or self.today


def remember(current: Scenario, question: CapacityInputs, findings: Findings) -> None:
    """Keep the plan of the group on screen, in place of an earlier one."""
    if findings.plan is not None:
        on_screen = replace(current, told=told.values())
        _keep(_row(on_screen, findings, _asked(question)))


def offer(current: Scenario) -> Sequence[Scenario]:
    """Show each other open group, to return to or to close; return them, the latest first."""
    others = [each for each in scenario.recent() if each.reading is not current.reading]
    if others:
        st.subheader("Groups of this session", anchor=False)
        _chips(others)
    return others


def show(current: Scenario, question: CapacityInputs, progress: DeltaGenerator) -> None:
    """Show each other open group, and one table that adds up the plans of all of them.

    Those that are not planned for the same question are planned, ``progress`` showing how far
    that is.
    """
    others = offer(current)
    if not others:
        return
    asked = _asked(question)
    open_now = (*others[::-1], replace(current, told=told.values()))
    for each in others[::-1]:
        is_meant = not each.origin or any(row.reading is each.reading for row in _kept())
        if is_meant and not any(_is_of(row, each, asked) for row in _kept()):
            _keep(_planned(each, asked, progress))
    meant = [row for row in _kept() if any(_is_of(row, each, asked) for each in open_now)]
    if len(meant) > 1:
        rows = table(meant)
        widgets.table(rows, "The plan of each open group, and their total", pinned=("Group",))
        with st.container(horizontal=True):
            downloads.offer(lambda: rows, "groups", "plan", ["CSV"])
            in_plan = {id(row.reading): place for place, row in enumerate(meant)}
            of_plan = [each for each in open_now if id(each.reading) in in_plan]
            of_plan.sort(key=lambda each: (each is not open_now[-1], in_plan[id(each.reading)]))
            open_groups.link_and_file(of_plan[:MOST_GROUPS])


def _chips(others: Sequence[Scenario]) -> None:
    """Show a button for each group that returns to it, and a menu that closes one."""
    with st.container(horizontal=True, vertical_alignment="center"):
        for number, each in enumerate(others):
            st.button(
                verbatim(each.title),
                key=f"open_group_{number}",
                on_click=scenario.reopen,
                args=(each,),
                help="Plan this group; what was stated of it returns with it",
            )
        names = [f"{number}. {each.title}" for number, each in enumerate(others, start=1)]

        def close() -> None:
            if (name := st.session_state[_CLOSE]) in names:
                scenario.close(others[names.index(name)])

        st.menu_button("Close", names, key=_CLOSE, on_click=close, type="tertiary")


def _planned(other: Scenario, asked: AskedOfAll, progress: DeltaGenerator) -> PlannedGroup:
    """Plan a group that is not on screen, as its own visit would."""
    findings = None
    with scenario.asked_instead(other), suppress(InvalidNumberError):
        if _has_a_plan(other):
            found = answers.answer_instead(other)
            question = inputs.question_in(other, found.known)
            if question is not None:
                findings = _findings_of(other, found, question, progress)
        return _row(other, findings, asked)
    return _row(other, None, asked)


def _has_a_plan(other: Scenario) -> bool:
    """Return whether a strategy assigns in the group, and there is something to read."""
    if other.reading.as_kind is not None or hindrance_of(other):
        return False
    group = other.group
    return bool(group.partition_count) and not (group.member_count and not group.is_wanted.any())


def _findings_of(
    other: Scenario, found: Answer, question: CapacityInputs, progress: DeltaGenerator
) -> Findings:
    chosen = with_fewest_consumers(chosen_strategies(other, found))
    start = switch_start(found.group, found.running.presumed, chosen)
    proposal = None if found.proposal is None else found.proposal.strategy
    work = CapacityTrials(question, chosen, start, proposal)
    work.search(progress)
    return work.findings()


def _row(of: Scenario, findings: Findings | None, asked: AskedOfAll) -> PlannedGroup:
    return PlannedGroup(
        reading=of.reading,
        group=of.group,
        title=of.title,
        plan=None if findings is None else findings.plan,
        decided_by=_UNKNOWN if findings is None else words.decided_by(findings),
        is_speed_least=findings is not None and findings.is_least,
        stated=told.of_group(of.told),
        asked=asked,
    )


def _asked(question: CapacityInputs) -> AskedOfAll:
    lost = told.SURVIVE.chosen(told.LOSSES)
    allowed_s = question.capacity.allowed_s
    return AskedOfAll(allowed_s, question.margin, lost, question.price, question.currency)


def _is_of(row: PlannedGroup, each: Scenario, asked: AskedOfAll) -> bool:
    """Return whether a plan was made for this group, what is stated of it, and the question."""
    is_same = row.reading is each.reading and row.group is each.group
    return is_same and (row.stated, row.asked) == (told.of_group(each.told), asked)


def _keep(row: PlannedGroup) -> None:
    """Keep a plan in the place of the group's earlier one, else at the end."""
    kept = list(_kept())
    place = next((k for k, each in enumerate(kept) if each.reading is row.reading), len(kept))
    kept[place : place + 1] = [row]
    st.session_state[_KEY] = tuple(kept[-MOST_GROUPS * 2 :])


def table(planned: Sequence[PlannedGroup]) -> pd.DataFrame:
    """Return one row per group and their total; a group without a number stays as it is today."""
    price, currency = planned[0].asked.price, planned[0].asked.currency
    numbers: list[int | None] = [None if p.plan is None else p.plan.consumers for p in planned]
    columns = {
        "Group": [each.title for each in planned],
        "Today": [each.today for each in planned],
        "Plan": pd.array(numbers, "Int64"),
        "With": [each.plan.strategy.label if each.plan else "-" for each in planned],
        "Backlog cleared in": [
            duration(each.plan.ends_s) if each.plan else "-" for each in planned
        ],
        "Headroom": [headroom(each.plan) for each in planned],
        "Decided by": [each.decided_by for each in planned],
        "Rests on": [_rests_on(each) for each in planned],
    }
    rows = pd.DataFrame(columns)
    total: dict[str, object] = {
        "Group": TOTAL,
        "Today": sum(each.today for each in planned),
        "Plan": sum(each.planned for each in planned),
    }
    if price is not None:
        costs = [_more_a_month(each, price) for each in planned]
        rows[f"{currency} a month"] = costs
        total[f"{currency} a month"] = sum(costs)
    for name in ("With", "Backlog cleared in", "Headroom", "Decided by", "Rests on"):
        total[name] = ""
    return pd.concat([rows, pd.DataFrame([total]).astype({"Plan": "Int64"})], ignore_index=True)


def _rests_on(each: PlannedGroup) -> str:
    """Return the weakest source of what the plan rests on, in words."""
    if each.plan is None:
        return "-"
    source = each.plan.rests_on.value
    return f"{source}; at least this speed" if each.is_speed_least else source


def headroom(plan: ConsumerPlan | None) -> str:
    """Return by how much more may arrive, as far as the plan answers for it."""
    if plan is None or plan.kind is not PlanKind.CONSUMERS:
        return "-"
    wanted = percent(plan.headroom)
    return f"less than {wanted}" if plan.is_headroom_decisive else wanted


def _more_a_month(each: PlannedGroup, price: float) -> float:
    return cost_a_month(each.planned - each.today, price)


def _kept() -> tuple[PlannedGroup, ...]:
    found: tuple[PlannedGroup, ...] = st.session_state.get(_KEY, ())
    return found
