"""The plans of the groups that this visitor has open, and what they come to in all."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import pandas as pd
import streamlit as st

from evaluation.capacity.draining import Capacity
from evaluation.capacity.planning import HOURS_A_MONTH, ConsumerPlan, Margin, PlanKind
from evaluation.wording import duration, percent
from sources.reading import Reading
from ui import downloads, scenario, widgets
from ui.capacity import words
from ui.capacity.findings import Findings
from ui.capacity.inputs import CapacityInputs
from ui.scenario import Scenario
from ui.untrusted import plain

_KEY: Final = "plans_of_groups"
TOTAL: Final = "Total"


class PlannedGroup(NamedTuple):
    """The plan of one open group, and what it was made for."""

    reading: Reading
    title: str
    plan: ConsumerPlan
    decided_by: str
    asked: tuple[float, Margin, float | None, str]
    """Seconds allowed, margin, price and currency: one for all groups of a table."""

    @property
    def planned(self) -> int:
        """The consumers planned; today's where no number is."""
        return self.plan.today if self.plan.consumers is None else self.plan.consumers


def remember(current: Scenario, question: CapacityInputs, findings: Findings) -> None:
    """Keep the plan of the group on screen, in place of an earlier one."""
    plan = findings.plan
    if plan is None:
        return
    capacity: Capacity = question.capacity
    asked = (capacity.allowed_s, question.margin, question.price, question.currency)
    row = PlannedGroup(current.reading, current.title, plan, words.decided_by(findings), asked)
    others = [each for each in _kept() if each.reading is not current.reading]
    st.session_state[_KEY] = (*others, row)


def show(current: Scenario) -> None:
    """Show a button for each other open group, and a table of all that are planned alike."""
    others = [each for each in scenario.recent() if each.reading is not current.reading]
    if not others:
        return
    open_now = {id(each.reading) for each in others} | {id(current.reading)}
    kept = [each for each in _kept() if id(each.reading) in open_now]
    mine = next((each for each in kept if each.reading is current.reading), None)
    alike = [each for each in kept if mine is not None and each.asked == mine.asked]
    st.subheader("Groups of this session", anchor=False)
    with st.container(horizontal=True):
        for number, each in enumerate(others):
            st.button(
                plain(each.title),
                key=f"open_group_{number}",
                on_click=scenario.show,
                args=(each.title, each.reading, each.origin),
                help="Plan this group; what was stated of it returns with it",
            )
    if len(alike) > 1:
        rows = table(alike)
        widgets.table(rows, "The plan of each open group, and their total", pinned=("Group",))
        downloads.offer(lambda: rows, "groups", "plan", ["CSV"])


def table(planned: Sequence[PlannedGroup]) -> pd.DataFrame:
    """Return one row per group and their total; a group without a number stays as it is today."""
    price, currency = planned[0].asked[2:]
    columns = {
        "Group": [each.title for each in planned],
        "Today": [each.plan.today for each in planned],
        "Plan": pd.array([each.plan.consumers for each in planned], "Int64"),
        "With": [each.plan.strategy.label for each in planned],
        "Backlog cleared in": [duration(each.plan.ends_s) for each in planned],
        "Headroom": [headroom(each.plan) for each in planned],
        "Decided by": [each.decided_by for each in planned],
    }
    rows = pd.DataFrame(columns)
    total: dict[str, object] = {
        "Group": TOTAL,
        "Today": sum(each.plan.today for each in planned),
        "Plan": sum(each.planned for each in planned),
    }
    if price is not None:
        costs = [_more_a_month(each, price) for each in planned]
        rows[f"{currency} a month"] = costs
        total[f"{currency} a month"] = sum(costs)
    for name in ("With", "Backlog cleared in", "Headroom", "Decided by"):
        total[name] = ""
    return pd.concat([rows, pd.DataFrame([total]).astype({"Plan": "Int64"})], ignore_index=True)


def headroom(plan: ConsumerPlan) -> str:
    """Return by how much more may arrive, as far as the plan answers for it."""
    if plan.kind is not PlanKind.CONSUMERS:
        return "-"
    wanted = percent(plan.headroom)
    return f"less than {wanted}" if plan.is_headroom_decisive else wanted


def _more_a_month(each: PlannedGroup, price: float) -> float:
    return (each.planned - each.plan.today) * price * HOURS_A_MONTH


def _kept() -> tuple[PlannedGroup, ...]:
    found: tuple[PlannedGroup, ...] = st.session_state.get(_KEY, ())
    return found
