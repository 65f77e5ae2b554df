"""What an answer assumes or leaves out, typed and weighed: a door shows one and folds the rest."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum, IntEnum
from typing import Final


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
    SEVERAL_CLIENTS = "several-clients"
    """Ids give away different clients in one group: whichever leads assigns."""
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
    AS_LISTED = "as-rest-lists"
    """Connect's REST API goes on listing what a dead worker ran."""
    COPIES_UNSEEN = "copies-unseen"
    """No tool prints standbys of Streams on the classic protocol."""


@dataclass(frozen=True, kw_only=True)
class CaveatFigures:
    """What a caveat tells in numbers; None where that is unknown, or where it does not apply."""

    partitions: float | None = None
    of_partitions: float | None = None
    """How many there are in all."""
    lag_records: float | None = None
    records_per_s: float | None = None
    simulations: float | None = None

    def known(self) -> dict[str, float]:
        """Return those that are known, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True, eq=False, kw_only=True)
class Caveat:
    """One assumption or gap."""

    kind: CaveatKind
    weight: Weight
    figures: CaveatFigures = field(default_factory=CaveatFigures)
    names: tuple[str, ...] = ()
    """Strategies, topics or partitions that it is about."""
    reason: str = ""
    """The source's own words, as a certainty's."""


CAVEATS: Final[Mapping[CaveatKind, str]] = {
    CaveatKind.SUBSCRIPTIONS: "Assumes that {subscriptions}.",
    CaveatKind.RUNNING: "{running}",
    CaveatKind.MISFIT: (
        "{names} would give {counted} another owner: a rebalance is due, or racks, static ids or "
        "subscriptions that this text does not show decide."
    ),
    CaveatKind.CLIENT: "Assumes {client} clients: {reason}.",
    CaveatKind.SEVERAL_CLIENTS: (
        "{names} share the group: whichever of them leads assigns in its own way, and only "
        "strategies that all of them have can run. {client} is assumed to lead."
    ),
    CaveatKind.UNKNOWN_LAG: "Lag is unknown for {partitions} of {of_partitions} partitions.",
    CaveatKind.UNKNOWN_OWNERS: "The owners of {counted} are not in this text.",
    CaveatKind.UNKNOWN_MEMBERS: "Assumes that there are no other consumers.",
    CaveatKind.UNDATED: "{rates_are} until the seconds between the snapshots are known.",
    CaveatKind.SPEED: "Assumes that one consumer reads {records_per_s}/s (a guess).",
    CaveatKind.SIMULATED: "Medians of up to {simulations} simulated restarts.",
    CaveatKind.ROUGH: "More simulations are running.",
    CaveatKind.STOPS_ALL: "{names} is eager: every rebalance then stops all consumers.",
    CaveatKind.UNFOUNDED: "{names} is not recommended, although its figure is lower: {reason}",
    CaveatKind.UNSUBSCRIBED: "No consumer subscribes to {counted}.",
    CaveatKind.LEFT_TOPIC: (
        "Left out: {names}, which no active consumer reads{waiting}. "
        "If the group has left {it}, delete its offsets with kafka-consumer-groups.sh "
        "--bootstrap-server HOST:9092 --delete-offsets --group {group}{topics}."
    ),
    CaveatKind.AS_LISTED: (
        "Connect's REST API still lists what a dead worker ran as running, and leaves out workers "
        "that run nothing."
    ),
    CaveatKind.COPIES_UNSEEN: "No tool prints an application's standbys and warm-ups.",
}
"""What is said of each."""
