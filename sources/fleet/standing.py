"""How the groups of a scope stand: ranked by the rule of advice, and what is proposed to each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from evaluation.answering.actions import Action
from evaluation.answering.of_fleet import Advice
from evaluation.answering.pool import settable_among
from evaluation.severity import Severity
from schemas.tables import AS_IT_WAS
from sources.errors import guarded
from sources.fleet.kinds import other_kinds, without
from sources.fleet.ranking import PROPOSED, ranked, window_rows
from sources.fleet.scope import Scope
from sources.fleet.states import Key, State, refusals, states
from sources.fleet.tables import Fleet


@dataclass(frozen=True, eq=False, kw_only=True)
class Standing:
    """The groups of a scope, each told once for all views."""

    ranked: pd.DataFrame
    """As ``sources.fleet.ranking.ranking``: what a setting brings decides the order."""
    states: Mapping[Key, State]
    """What is the matter with those with most load at their last snapshots."""
    others: pd.DataFrame
    """Groups that are not ranked, with their kind: no strategy of consumer groups assigns there."""
    has_settings: bool
    """Whether a setting selects any of the candidates."""
    is_checked: bool = True
    """Whether anybody has looked at last snapshots; otherwise ``states`` is empty as yet."""

    def advice(self, row: "pd.Series[Any]") -> Advice:
        """Return what is proposed to a ranked group.

        To one in trouble, what its own page proposes; to another one, what serves it best over the
        window, if its own page does not refuse it, or what tells more of it.
        """
        state = self.states.get((str(row["cluster"]), str(row["group_id"])))
        if state is not None and state.is_alarm:
            return own_advice(state)
        name, gain = str(row[PROPOSED]), row["gain_load"]
        is_proposed = name != AS_IT_WAS and bool(gain > 0)
        if not is_proposed:
            return own_advice(state)
        return Advice(action=Action.SWITCH, strategy=name, is_checked=state is not None)


def own_advice(state: State | None) -> Advice:
    """Return what a group's own page proposes if something is the matter, or too little known."""
    if state is None:
        return Advice(is_checked=False)
    if state.is_alarm or state.verdict.severity is Severity.UNKNOWN:
        return Advice(action=state.action, strategy=state.strategy)
    return Advice()


@guarded("the tables")
def standing(
    fleet: Fleet, rows: pd.DataFrame, scope: Scope, *, is_checked: bool = True
) -> Standing:
    """Return how the groups stand; ``rows`` are those of ``as_it_was`` in the scope.

    ``is_checked``: whether to look at last snapshots, which takes nearly all of the time.
    """
    others, window = other_kinds(fleet, rows), window_rows(fleet, scope)
    names = scope.strategies or tuple(fleet.run["strategies"] or ())
    found = states(fleet, rows, window, names) if is_checked else {}
    return Standing(
        ranked=without(ranked(window, refusals(found)), others),
        states=found,
        others=others,
        has_settings=bool(settable_among(names)),
        is_checked=is_checked,
    )
