"""Which strategy a group runs: stated, read, or inferred from its owners."""

import re
from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from assignors.catalogue import strategies
from assignors.model import NO_GENERATION, UNOWNED, Group
from assignors.strategy import Protocol, Sees, Strategy
from evaluation.consumer_labels import RANDOM_ID
from evaluation.wording import UUID, listed

_CLASSIC_ID: Final = re.compile(f".*-{UUID}", re.DOTALL)
"""A member id that a coordinator gives in a classic group: ``client.id`` or ``group.instance.id``
and a UUID."""
_DEFAULT: Final = "uniform"
"""The first of ``group.consumer.assignors``, unless it is set."""


class Origin(Enum):
    """Why we say that a group runs a strategy."""

    STATED = "you state it"
    READ = "the group reports it"
    PROTOCOL = "its ids or epochs are those of a broker-side group, whose default this is"
    INFERRED = "its owners are exactly what this strategy assigns afresh"
    UNKNOWN = "unknown"


class Running(NamedTuple):
    """The strategy that a group runs."""

    strategy: Strategy | None
    """None if unknown."""
    origin: Origin
    rivals: tuple[Strategy, ...] = ()
    """Others that explain the owners as well, if it is inferred."""
    default: Strategy | None = None
    """What the client runs unless a setting says otherwise; None while nobody owns anything."""

    @property
    def presumed(self) -> Strategy | None:
        """What predictions start from: the strategy, or the client's default if it is unknown."""
        return self.strategy or self.default

    @property
    def is_incremental(self) -> bool:
        """Whether its rebalances are cooperative, as far as that is known."""
        fitting = (self.strategy, *self.rivals) if self.strategy else ()
        return bool(fitting) and all(each.protocol is not Protocol.EAGER for each in fitting)

    @property
    def why(self) -> str:
        """The evidence, to be shown in brackets."""
        if not self.rivals:
            return self.origin.value
        others = listed([each.label for each in self.rivals])
        return f"assumed: {others} would assign the same owners afresh"


def running(
    group: Group,
    candidates: Sequence[Strategy],
    *,
    stated: Strategy | None = None,
    read: Strategy | None = None,
) -> Running:
    """Return the strategy that a group runs, as far as anything tells.

    ``candidates`` are the strategies that its client can be set to, its default first, or the
    brokers' alone where a broker is known to assign (``candidates_of``). So it does in a group
    whose member ids are a broker's, and not in a classic one.
    """
    if stated is not None:
        return Running(stated, Origin.STATED)
    if read is not None:
        return Running(read, Origin.READ)
    is_brokers = bool(candidates) and all(each.remote_assignor for each in candidates)
    of_brokers = strategies_of_brokers() if is_brokers or is_broker_side(group) else []
    may_run = of_brokers or possible(group, candidates)
    found = explaining(group, may_run)
    if found:
        first, *others = found
        is_remote = bool(first.remote_assignor)
        rivals = tuple(each for each in others if bool(each.remote_assignor) == is_remote)
        return Running(first, Origin.INFERRED, rivals)
    if of_brokers:
        return Running(of_brokers[0], Origin.PROTOCOL)
    return Running(None, Origin.UNKNOWN)


def candidates_of(settable: Sequence[Strategy], *, has_epochs: bool) -> tuple[Strategy, ...]:
    """Return the strategies that may run: the client's, or the brokers' where epochs are told."""
    return tuple(strategies_of_brokers() if has_epochs else settable)


def strategies_of_brokers() -> list[Strategy]:
    """Return the brokers' strategies, the default's newest first, whichever the client."""
    found = [each for each in reversed(tuple(strategies().values())) if each.remote_assignor]
    return sorted(found, key=lambda each: each.remote_assignor != _DEFAULT)


def is_broker_side(group: Group) -> bool:
    """Return whether the member ids are those of ``group.protocol=consumer``: random alone."""
    return bool(group.members) and all(map(RANDOM_ID.fullmatch, group.members))


def is_classic(group: Group) -> bool:
    """Return whether all member ids are of the classic protocol, which no broker assigns in.

    A group that is on its way from one protocol to the other has ids of both.
    """
    return bool(group.members) and all(map(_CLASSIC_ID.fullmatch, group.members))


def possible(group: Group, candidates: Sequence[Strategy]) -> Sequence[Strategy]:
    """Return the strategies that may run in a group with these member ids."""
    if not is_classic(group):
        return candidates
    return [each for each in candidates if not each.remote_assignor]


def misfits(group: Group, strategy: Strategy) -> int:
    """Return how many partitions have another owner than a strategy gives; 0 if it keeps owners."""
    if Sees.OWNERS in strategy.sees or not group.member_count:
        return 0
    is_owned = np.not_equal(group.present_owners, UNOWNED)
    is_other = is_owned & np.not_equal(strategy.settle(group), group.present_owners)
    return int(np.count_nonzero(is_other))


def explaining(group: Group, candidates: Sequence[Strategy]) -> list[Strategy]:
    """Return the strategies that, started afresh, give exactly the present owners.

    That a sticky strategy keeps the present owners proves nothing: it keeps any even ones.
    """
    present = group.present_owners
    is_owned = np.not_equal(present, UNOWNED)
    if group.member_count < 2 or not is_owned.any():  # noqa: PLR2004 -- one owns all, whatever runs
        return []
    afresh = group.owned_by(group.nobody(), NO_GENERATION)
    return [
        strategy
        for strategy in candidates
        if np.array_equal(strategy.settle(afresh)[is_owned], present[is_owned])
    ]
