"""Run strategies on one group, hold each answer to the rules, and put figures to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from assignors.model import Group, Owners
from assignors.registry import STRATEGIES
from assignors.rules import check
from evaluation.metrics import Figures, figures

NOW: Final = "now"
"""The name of the outcome that shows the present owners."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outcome:
    """Who would own what under one strategy, and what that comes to."""

    name: str
    """The strategy's name, or ``NOW``."""
    label: str
    """What the screen calls it."""
    owners: Owners
    figures: Figures


def compare(group: Group, names: Sequence[str]) -> list[Outcome]:
    """Return where the group ends up under each named strategy, in the order of the names.

    Cooperative strategies are shown at their target, after the last round. Raises
    InvalidAssignmentError if a strategy breaks a rule, so that no picture shows it.
    """
    return [_settled(group, name) for name in names]


def as_it_is_now(group: Group) -> Outcome | None:
    """Return the present owners as an outcome; None if nobody owns anything.

    They are what was found, so they are not held to the rules: partitions may be unowned.
    """
    if not group.has_claims:
        return None
    owners = group.present_owners
    return Outcome(name=NOW, label="as it is now", owners=owners, figures=figures(group, owners))


def _settled(group: Group, name: str) -> Outcome:
    strategy = STRATEGIES[name]
    owners = check(group, strategy.settle(group))
    return Outcome(name=name, label=strategy.label, owners=owners, figures=figures(group, owners))
