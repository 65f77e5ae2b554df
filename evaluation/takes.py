"""How one gets what changes a group: by a setting, on the broker, with a jar."""

from enum import Enum

from assignors.strategy import Strategy, StrategyKind
from evaluation.assuming.clients import is_settable


class Takes(Enum):
    """How one gets it, what is easier first; the value is what users read."""

    NOTHING = "nothing"
    SETTING = "setting"
    """A property of the consumers."""
    BROKER = "broker"
    """``group.protocol=consumer``."""
    JAR = "jar"
    """An assignor of ours, or code of one's own, on every consumer."""
    EARLIER_RELEASE = "earlier release"
    """Of a client, as no setting of today's selects it."""
    HANDS = "hands"
    """Somebody does it."""


def takes_of(strategy: Strategy | None) -> Takes:
    """Return how one gets a strategy; None stands for the present owners."""
    if strategy is None:
        return Takes.NOTHING
    if strategy.kind is StrategyKind.CUSTOM:
        return Takes.JAR
    if not is_settable(strategy):
        return Takes.EARLIER_RELEASE
    return Takes.BROKER if strategy.remote_assignor else Takes.SETTING
