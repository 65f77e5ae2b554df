"""How the groups of a scope stand: their ranking by the rule of advice, and their last states."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from assignors.catalogue import strategies
from evaluation.assuming.clients import is_settable
from sources.fleet.kinds import without
from sources.fleet.ranking import settings_first
from sources.fleet.scope import Scope
from sources.fleet.states import State, refusals
from sources.fleet.tables import Fleet
from ui.fleet import cache


@dataclass(frozen=True, eq=False, kw_only=True)
class Standing:
    """The groups of a scope, each told once for all views."""

    ranked: pd.DataFrame
    """By the best strategy of any, what a setting brings deciding the order."""
    by_setting: pd.DataFrame | None
    """The same groups by what a setting brings; None where none is among the candidates."""
    states: Mapping[tuple[str, str], State]
    """What is the matter with those with most load at their last snapshots."""
    others: pd.DataFrame
    """Groups that are not ranked, with their kind: no strategy of consumer groups assigns there."""


def settable_among(names: Sequence[str]) -> list[str]:
    """Return the strategies that a setting selects, without custom assignors."""
    return [name for name in names if name in strategies() and is_settable(strategies()[name])]


def standing(fleet: Fleet, scope: Scope) -> Standing:
    """Return how the groups stand; the parts that take long are cached for all visitors."""
    others = cache.other_kinds(fleet, scope)
    states = cache.states(fleet, scope)
    refused = refusals(states)
    ranked = without(cache.held_ranking(fleet, scope, refused), others)
    of_settings = scope.among(settable_among(fleet.run["strategies"] or ()))
    by_setting = None
    if of_settings.strategies:
        by_setting = without(cache.held_ranking(fleet, of_settings, refused), others)
        ranked = settings_first(ranked, by_setting)
    return Standing(ranked=ranked, by_setting=by_setting, states=states, others=others)
