"""What a rebalance brings a group that is no consumer group: as it is, or with other members."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, NamedTuple, TypeAlias

from assignors.certainty import Certainty, Known
from assignors.connect.cluster import ConnectCluster
from assignors.placements import Placement, renamed
from assignors.share.group import ShareGroup
from assignors.streams.application import StreamsApplication
from assignors.streams.broker_group import StreamsGroup

KindGroup: TypeAlias = ShareGroup | StreamsGroup | StreamsApplication | ConnectCluster
Held: TypeAlias = Mapping[str, Sequence[str]]
"""What a member has by role, such as "active" and "standby"; partitions, tasks, connectors."""

DRAWS: Final = 20
"""Ids drawn for members that do not exist yet."""


class OtherMembers(NamedTuple):
    """Another set of members."""

    more: int = 0
    """How many join: consumers, workers, or instances with as many threads as most have."""
    without: tuple[str, ...] = ()
    """Which leave at once: by member, by process, by worker."""
    threads: int = 0
    """How many threads each instance of a Streams application starts in addition."""
    is_leader: bool = False
    """Whether the worker that leaves leads the Connect cluster."""


NO_CHANGE: Final = OtherMembers()


class UnknownMemberError(ValueError):
    """Nobody in the group has a name that is to leave it."""


class UnpredictedReleaseError(ValueError):
    """What assigns in groups of this kind gave no repeatable answers in this release of Kafka."""


class RoundCause(Enum):
    """Why a round begins."""

    CHANGE = "the change"
    GIVEN_UP = "what was given up"
    DELAY = "the delay is over"
    PROBING = "a probing rebalance"


Steps: TypeAlias = Callable[[], Sequence[Placement]]


def no_steps() -> Sequence[Placement]:
    """Tell nothing."""
    return ()


@dataclass(frozen=True)
class Stage:
    """What members have once a round is through."""

    cause: RoundCause
    at_s: float
    """Since the change."""
    held: Mapping[str, Held]
    """Copies that warm up stand apart from other copies here: "warm-up", "standby"."""
    steps: Steps = field(default=no_steps, compare=False, repr=False)
    """What led there, for whoever asks, by the names of ``held`` and of instances."""


@dataclass(frozen=True)
class Forecast:
    """Who has what, now and once the group is at rest again."""

    strategy: str
    """The name of the strategy, which tells the release."""
    certainty: Certainty
    now: Mapping[str, Held]
    then: Mapping[str, Held]
    """Without the members that left; "new-1" and so on are those that joined."""
    assumptions: tuple[str, ...] = ()
    """What the source does not tell, and what is taken for it: one sentence each."""
    rounds: int = 1
    wait_s: float = 0
    """How long work of lost members waits for them."""
    more: Mapping[str, object] = field(default_factory=dict)
    """What else is asked of groups of this kind."""
    stages: tuple[Stage, ...] = ()
    """Round by round, until the group is at rest."""
    homes: Mapping[str, str] = field(default_factory=dict)
    """The instance of each thread, now and then; empty where members are no threads."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What new threads are called beside the name of their instance."""

    @property
    def last(self) -> Stage:
        """The group at rest again."""
        return self.stages[-1]

    @property
    def as_data(self) -> dict[str, object]:
        """The fields for programs."""
        members = {
            name: {
                "now": _data(self.now.get(name, {})),
                "then": _data(self.then[name]) if name in self.then else None,
            }
            for name in dict.fromkeys([*self.now, *self.then])
        }
        return {
            "strategy": self.strategy,
            "certainty": self.certainty.as_data,
            "assumptions": list(self.assumptions),
            "members": members,
            "rounds": self.rounds,
            "wait_s": self.wait_s,
            "stages": [
                {
                    "begins_with": stage.cause.value,
                    "at_s": stage.at_s,
                    "members": {name: _data(held) for name, held in stage.held.items()},
                }
                for stage in self.stages
            ],
            **self.more,
        }


def _data(held: Held) -> dict[str, list[str]]:
    return {role: list(items) for role, items in held.items()}


def steps_of(placements: Callable[[], Sequence[Placement]], names: Mapping[str, str]) -> Steps:
    """Return steps by other names of members and instances."""
    return lambda: [renamed(each, names) for each in placements()]


def drawn_certainty(counts_of: Callable[[int], list[tuple[int, ...]]]) -> Certainty:
    """Return how certain counts are when ids of new members are drawn.

    ``counts_of`` returns the counts by role of every member for one draw.
    """
    shown = sorted(counts_of(0))
    alike = sum(sorted(counts_of(draw)) == shown for draw in range(DRAWS))
    why = (
        "The ids of members that do not exist yet are random and decide who gets what: it is "
        "certain how many members get how much."
    )
    if alike < DRAWS:
        why = (
            "The ids of members that do not exist yet are random and decide who gets what; drawn "
            f"{DRAWS} times, {alike} draws give as many members as much."
        )
    return Certainty(Known.DISTRIBUTION, why, share=None if alike == DRAWS else alike / DRAWS)


def counts(then: Mapping[str, Held]) -> list[tuple[int, ...]]:
    """Return how much every member has of each role."""
    return [tuple(len(items) for items in held.values()) for held in then.values()]


def require_known(without: Sequence[str], known: set[str]) -> None:
    """Raise UnknownMemberError if a name that is to leave is nobody's."""
    for name in without:
        if name not in known:
            listed = ", ".join(sorted(known)[:5])
            message = f"nobody is called {name!r}; there are {listed}"
            raise UnknownMemberError(message)
