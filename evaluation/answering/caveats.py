"""What an answer assumes or leaves out, typed and weighed: a door shows one and folds the rest."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum


class Weight(IntEnum):
    """What a caveat may change."""

    NOTE = 1
    FIGURES = 2
    """Figures of the answer."""
    PROPOSAL = 3
    """What is proposed, or the verdict."""


class CaveatKind(Enum):
    """What is assumed or left out; the value stands in JSON."""

    SUBSCRIPTIONS = "subscriptions-assumed"
    RUNNING = "running-strategy-assumed"
    MISFIT = "owners-of-another-assignment"
    """The strategy that runs would have given other owners: the source does not show all."""
    CLIENT = "client-assumed"
    UNKNOWN_LAG = "lag-unknown"
    UNKNOWN_OWNERS = "owners-unknown"
    UNKNOWN_MEMBERS = "members-unknown"
    """The source may name only some of the consumers, or one name stands for several."""
    UNDATED = "snapshots-undated"
    SPEED = "speed-guessed"
    SIMULATED = "simulated-restarts"
    """The ids of restarted consumers decide: figures are medians."""
    ROUGH = "more-simulations-pending"
    STOPS_ALL = "stops-all-consumers"
    """The proposal is eager, and what runs is not."""
    UNFOUNDED = "client-differs"
    """A strategy looks better than its client would make it."""
    UNSUBSCRIBED = "partitions-without-subscribers"
    LEFT_TOPIC = "left-topic"


@dataclass(frozen=True, eq=False, kw_only=True)
class Caveat:
    """One assumption or gap."""

    kind: CaveatKind
    weight: Weight
    figures: Mapping[str, float] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    """Strategies, topics or partitions that it is about."""
    reason: str = ""
    """The source's own words, as a certainty's."""
