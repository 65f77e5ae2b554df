"""What a group becomes after a switch: its owners after the restart that a switch takes.

To switch its strategy a group restarts. Claims are lost with the processes, and every consumer
comes back under a new member id: the client's own part stays, the rest is random. So the owners
after a switch are a distribution, drawn here. A switch between client strategies ends where the
new strategy starts afresh: its first rebalance finds no claims, and a consumer that is back
before the group rebalances without it finds its number of partitions free. Measured on brokers
by tests/broker.

P partitions, M members, D draws.
"""

import random
import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from assignors.java import strings
from assignors.model import NO_GENERATION, UNOWNED, Group, IntArray, LongArray, Owners
from assignors.rules import check
from assignors.strategy import Protocol, Sees, Strategy
from assignors.topic_ids import has_ids
from evaluation.metrics import count_per_member, lag_per_member
from evaluation.predicates import is_moved

FEWEST_DRAWS: Final = 24
MOST_DRAWS: Final = 512
_MOST_OWNERS: Final = 400_000
"""Large groups get fewer draws: draws times partitions stay below this."""
_FEWEST_OF_LARGE: Final = 12
_FEWEST_OF_ALIKE: Final = 3
"""Draws of a group whose consumers differ in nothing but their ids."""
_CLOSE: Final = 0.02
"""Draws end when the median is certain to this share."""
_RANGE: Final = (0.05, 0.95)
_RANDOM_PART: Final = re.compile(r"-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_DEFAULT_CLIENT: Final = re.compile(r"consumer-.*-\d+")
"""Java numbers the consumers of a process; which consumer gets which number is chance."""
_SEED: Final = 5337


class Draw(NamedTuple):
    """One possible result of a switch."""

    owners: Owners
    """(P,) in the numbering of the members before the restart."""
    max_lag: int
    max_count: int
    moved: int
    """Partitions whose consumer changes; 0 if nobody owned anything."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Outlook:
    """The results that a switch may have, drawn."""

    owners: Owners
    """(P,) of the draw whose busiest consumer has the median lag, or partitions."""
    max_lags: LongArray
    """(D,) the busiest consumer's lag, ascending."""
    max_counts: LongArray
    """(D,) the largest number of partitions of a consumer, ascending."""
    moves: LongArray
    """(D,) how many partitions change their consumer, ascending."""

    @property
    def draws(self) -> int:
        """D."""
        return self.moves.size

    @property
    def moved(self) -> int:
        """The median of the moves."""
        return int(self.moves[self.draws // 2])

    def span(self, *, by_lag: bool) -> tuple[int, int]:
        """Return the 5th and the 95th percentile of the busiest consumer's load."""
        loads = self.max_lags if by_lag else self.max_counts
        low, high = (int(loads[round(share * (self.draws - 1))]) for share in _RANGE)
        return low, high

    def share_below(self, load: float, *, by_lag: bool) -> float:
        """Return the share of the draws with less load on the busiest consumer."""
        return float(np.mean((self.max_lags if by_lag else self.max_counts) < load))


def outlook(group: Group, strategy: Strategy) -> Outlook:
    """Draw the owners after the group's switch to a strategy; the same for equal groups.

    A group needs a member. Raises InvalidAssignmentError if the strategy breaks a rule.
    """
    restart = _Restart(group, strategy, random.Random(_SEED))  # noqa: S311 -- no secret
    most = max(min(MOST_DRAWS, _MOST_OWNERS // max(group.partition_count, 1)), _FEWEST_OF_LARGE)
    fewest = min(FEWEST_DRAWS, most)
    if restart.makes_members_alike:
        fewest = _FEWEST_OF_ALIKE
    draws: list[Draw] = []
    while len(draws) < most:
        draws.append(restart.draw())
        if len(draws) >= fewest and len(draws) % fewest == 0 and _is_settled(draws):
            break
    draws.sort(key=lambda draw: draw[1:])
    columns = np.sort(np.array([draw[1:] for draw in draws], np.int64), axis=0)
    return Outlook(
        owners=draws[len(draws) // 2].owners,
        max_lags=columns[:, 0],
        max_counts=columns[:, 1],
        moves=columns[:, 2],
    )


def _is_settled(draws: Sequence[Draw]) -> bool:
    """Return whether more draws would hardly move the median (its 95 % interval, by ranks)."""
    loads = sorted(draw.max_lag or draw.max_count for draw in draws)
    middle, reach = len(loads) / 2, len(loads) ** 0.5
    low, high = loads[max(int(middle - reach), 0)], loads[min(int(middle + reach), len(loads) - 1)]
    return high - low <= _CLOSE * (low + high)


class _Restart:
    """Draws of a group after all its consumers have restarted."""

    def __init__(self, group: Group, strategy: Strategy, chance: random.Random) -> None:
        self._group, self._strategy, self._chance = group, strategy, chance
        self._is_broker_side = strategy.protocol is Protocol.BROKER
        self._without_claims = group.owned_by(group.nobody(), NO_GENERATION)
        self._own_parts = [_RANDOM_PART.sub("", name) for name in group.members]
        self._numbered = [
            m for m, name in enumerate(self._own_parts) if _DEFAULT_CLIENT.fullmatch(name)
        ]

    @property
    def makes_members_alike(self) -> bool:
        """Whether members differ in nothing that the strategy sees but their new ids."""
        group, sees = self._group, self._strategy.sees
        differ_by_rack = Sees.RACKS in sees and np.unique(group.member_racks).size > 1
        is_static = Sees.STATIC_IDS in sees and any(group.instance_ids)
        needs_topic_ids = self._is_broker_side and not self._knows_topic_ids
        return group.has_equal_subscriptions and not (
            differ_by_rack or is_static or needs_topic_ids
        )

    @property
    def _knows_topic_ids(self) -> bool:
        return has_ids(self._group) or self._group.wanted_topics.size < 2  # noqa: PLR2004 -- two

    def draw(self) -> Draw:
        """Return the owners under newly drawn ids."""
        after, order = self._restarted()
        owners = check(after, self._strategy.settle(after))
        # UNOWNED, -1, picks the last entry.
        return self._measured(np.append(order, np.int32(UNOWNED))[owners])

    def _measured(self, owners: Owners) -> Draw:
        group = self._group
        moved = np.count_nonzero(is_moved(group.present_owners, owners))
        lags, counts = lag_per_member(group, owners), count_per_member(group, owners)
        return Draw(owners, int(lags.max()), int(counts.max()), int(moved))

    def _restarted(self) -> tuple[Group, IntArray]:
        """Return the group under new ids, and the old number of each new member (M,)."""
        group = self._without_claims
        names = self._new_ids()
        order = np.array(strings.string_order(names), np.int32)
        self._chance.shuffle(listed := list(range(group.member_count)))
        after = replace(
            group,
            members=tuple(names[m] for m in order),
            class_of_member=group.class_of_member[order],
            arrival=np.array(listed, np.int32),
            instance_ids=tuple(group.instance_ids[m] for m in order),
            member_racks=group.member_racks[order],
            throughput=None if group.throughput is None else group.throughput[order],
            leader_topics=group.leader_topics if group.lists_alike else (),
            topic_ids=group.topic_ids if self._keeps_topic_ids else self._topic_ids(),
        )
        return after, order

    @property
    def _keeps_topic_ids(self) -> bool:
        return not self._is_broker_side or self._knows_topic_ids

    def _topic_ids(self) -> tuple[str, ...]:
        known = self._group.topic_ids or (None,) * len(self._group.topics)
        return tuple(name or self._short_id() for name in known)

    def _new_ids(self) -> list[str]:
        """Return a new id for each member, in the order before the restart."""
        if self._is_broker_side:
            return [self._short_id() for _ in self._own_parts]
        own = list(self._own_parts)
        numbers = [own[m] for m in self._numbered]
        self._chance.shuffle(numbers)
        for m, name in zip(self._numbered, numbers, strict=True):
            own[m] = name
        return [f"{name}-{self._uuid()}" for name in own]

    def _uuid(self) -> UUID:
        return UUID(int=self._chance.getrandbits(128), version=4)

    def _short_id(self) -> str:
        """Return an id as Kafka's own ``Uuid`` prints it."""
        return urlsafe_b64encode(self._uuid().bytes).decode().rstrip("=")
