"""The way from one strategy to another: rolling restarts, consumer by consumer.

A switch restarts every consumer, once or twice. A consumer without a static id leaves, the group
rebalances, the consumer comes back under a new id, and the group rebalances again. One with a
static id is back within its session and keeps its partitions (KIP-345). Which strategy assigns
meanwhile, and which owners it knows of, follows from what the consumers list:

- Classic groups run the strategy that all list and most prefer. A sticky strategy that is eager
  knows what it assigned itself, of consumers that have not restarted since; a cooperative one
  what consumers own that list nothing eager (KIP-429).
- As long as one consumer speaks the broker-side protocol, the broker assigns, and knows what all
  consumers that are here own, whatever assigned it; so do sticky strategies that follow it
  (KIP-848). It gives away what a consumer that leaves had at once, so that nobody is back before.

P partitions, M consumers, numbered as in the group before the switch.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np

from assignors.clients.registry import DEFAULTS
from assignors.java import strings
from assignors.model import (
    NO_GENERATION,
    NO_RACK,
    UNOWNED,
    BoolArray,
    Claims,
    Group,
    IntArray,
    Owners,
)
from assignors.rules import checked_answer
from assignors.strategy import Promise, Protocol, Sees, Strategy
from assignors.topic_ids import has_ids
from evaluation.moves import is_moved
from evaluation.rebalance.draws import SEED
from evaluation.rebalance.new_ids import NewIds
from evaluation.rebalance.switching import rolling_restarts

_JAVA: Final = "java"
MOST_WAVES: Final = 24
"""A rolling restart of more consumers restarts several at once."""
_FEWEST_WAVES: Final = 4
"""As Kubernetes restarts a Deployment: a quarter of its pods at once."""
_WORK: Final = 1_000_000
"""Partitions that the waves of one restart handle at most: beyond 40,000 there are fewer waves."""
_Listed: TypeAlias = tuple[Strategy, ...]
"""The strategies of one consumer's settings, preferred first."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WayStep:
    """One consumer leaves or is back, and the rebalance that follows."""

    consumers: tuple[int, ...]
    """Those that leave or are back: one, in a large group several."""
    is_back: bool
    restart: int
    """Which rolling restart, from 1."""
    strategy: Strategy
    """What assigns now."""
    before: Owners
    """(P,) at the start of the rebalance."""
    owners: Owners
    """(P,) at its end."""
    stops: BoolArray
    """(M,) consumers that stop reading everything for the rebalance."""

    @property
    def moved(self) -> int:
        """Partitions that another consumer reads than before."""
        return int(np.count_nonzero(is_moved(self.before, self.owners)))

    @property
    def pauses(self) -> BoolArray:
        """(P,) which partitions nobody reads for the time of the rebalance."""
        stopped = self.stops.copy()
        stopped[list(self.consumers)] = True  # those that are back have not read since they left
        is_stopped: BoolArray = np.append(stopped, True)[self.before]
        return is_stopped | is_moved(self.before, self.owners)

    @property
    def paused(self) -> int:
        """How many partitions those are."""
        return int(np.count_nonzero(self.pauses))


def waves_of(group: Group) -> int:
    """Return in how many waves a rolling restart of a group with members goes."""
    affordable = max(_WORK // max(group.partition_count, 1), _FEWEST_WAVES)
    return min(group.member_count, MOST_WAVES, affordable)


def played(
    group: Group, before: Strategy | None, after: Strategy, *, is_noticed: bool = True
) -> tuple[WayStep, ...]:
    """Return one play of a switch, the same for equal groups, to step through."""
    return tuple(Way(group, before, after, SEED, is_noticed=is_noticed).steps())


def knows_topic_ids(group: Group) -> bool:
    """Return whether the order in which a broker visits the topics is known."""
    return has_ids(group.layout) or group.layout.wanted_topics.size < 2  # noqa: PLR2004 -- one has no order


def has_racks(group: Group) -> bool:
    """Return whether consumers are in racks, which sticky strategies move partitions for."""
    return bool((group.layout.member_racks != NO_RACK).any())


def restarts_of(before: Strategy, after: Strategy) -> tuple[_Listed, ...]:
    """Return what every consumer lists after each rolling restart of a switch."""
    times = rolling_restarts(before, after)
    return (((after, before),) if times > 1 else ()) + (((after,),) if times else ())


class Way:
    """One play of a switch, with its own chance."""

    def __init__(  # noqa: PLR0913 -- what is switched, and what is left to chance
        self,
        group: Group,
        before: Strategy | None,
        after: Strategy,
        seed: int,
        *,
        is_noticed: bool = True,
        order: Sequence[int] = (),
    ) -> None:
        """Start before the first restart, with the present owners.

        ``before`` is what the group runs; if unknown, the default of the client that has ``after``
        is assumed, Java's where it is no client's own.
        ``is_noticed``: whether a restart lasts until a classic group has rebalanced without the
        consumer; a broker always notices.
        ``order``: consumers in the order of their new ids, if not left to chance.
        """
        self._chance = random.Random(seed)  # noqa: S311 -- no secret
        self._new_ids = NewIds(group, self._chance, order)
        before = before or DEFAULTS[after.client or _JAVA]
        self._before, self._after, self._is_noticed = before, after, is_noticed
        is_broker_side = Protocol.BROKER in {after.protocol, before.protocol}
        if is_broker_side and not knows_topic_ids(group):
            group = replace(
                group, layout=replace(group.layout, topic_ids=self._new_ids.of_topics(group))
            )
        self._group = group
        self._ids = list(group.members)
        self._is_here = np.ones(group.member_count, np.bool_)
        self._lists: list[_Listed] = [(before,)] * group.member_count
        self._held = _standing(group, before)
        self._knows = {before.name: self._held}
        """What each strategy remembers of its last assignment, (P,)."""
        self._runs = before
        self.waits = np.zeros(group.partition_count, np.int64)
        """(P,) how often each partition has waited for its own consumer to be back."""

    def steps(self) -> Iterator[WayStep]:
        """Play everything, from the first restart to the last.

        Nothing rebalances if all consumers are static and leave a broker: they keep its owners.
        """
        for restart, listed in enumerate(restarts_of(self._before, self._after), 1):
            yield from self._restart(restart, listed)

    def end(self) -> Owners:
        """Return the owners (P,) at the end; nothing is played that cannot change them."""
        afresh, restarts = self._decisive()
        if afresh:
            self._start_afresh(afresh)
        for restart, listed in restarts:
            for _ in self._restart(restart, listed):
                pass  # only what the last step leaves counts
        return self._held

    @property
    def rebalances(self) -> int:
        """How many rebalances ``end`` plays, at most."""
        afresh, restarts = self._decisive()
        afresh_twice = self._is_noticed and Sees.OWNERS in self._after.sees
        twice = self._is_noticed or Protocol.BROKER in {self._before.protocol, self._after.protocol}
        of_restarts = len(restarts) * waves_of(self._group) * (1 + twice)
        return max(bool(afresh) * (1 + afresh_twice) + of_restarts, 1)

    @property
    def starts_afresh(self) -> bool:
        """Whether the end depends on the last start alone: no restart is played for it."""
        return not self._decisive()[1]

    def _decisive(self) -> tuple[_Listed, tuple[tuple[int, _Listed], ...]]:
        """Return what decides the end: a start afresh, if any, and then the restarts to play."""
        before, after = self._before, self._after
        restarts = tuple(enumerate(restarts_of(before, after), 1))
        protocols = {after.protocol, before.protocol}
        leaves_broker = before.protocol is Protocol.BROKER is not after.protocol
        if leaves_broker and any(self._group.layout.instance_ids):
            return (), restarts
        if Sees.OWNERS not in after.sees:
            return (after,), ()
        if protocols == {Protocol.COOPERATIVE} or Protocol.BROKER in protocols:
            return (), restarts
        return (after, before), restarts[1:] if self._may_second_restart_move_load() else ()

    def _may_second_restart_move_load(self) -> bool:
        """Return whether consumers that come back may get others than they left.

        Under a strategy that leaves even assignments alone, one that is back in time finds its own
        partitions free and the others full, if all have equally many: of 3 partitions of two
        consumers, the other may take one of the two of whoever restarts.
        """
        group = self._group
        if self._is_noticed:
            return group.member_count > 1
        is_sticky = Promise.STABLE in self._after.promises and group.layout.has_equal_subscriptions
        is_sticky &= not has_racks(group)
        # Of several that restart together, each may get others' partitions.
        is_alone = group.member_count == waves_of(group)
        is_even = group.layout.wanted.size % max(group.member_count, 1) == 0
        return not (is_sticky and is_alone and is_even)

    def _start_afresh(self, listed: _Listed) -> None:
        """Go to where all consumers list the new strategy: ids are new, nothing is known.

        If the group rebalances without the last consumer, that is before it is back.
        """
        group = self._group
        self._lists = [listed] * group.member_count
        self._ids = [self._new_ids.of_member(m, listed[0]) for m in range(group.member_count)]
        self._knows = {}
        self._held = group.nobody()
        last = self._chance.randrange(group.member_count)
        leaves = group.member_count > 1 and not group.layout.instance_ids[last]
        if leaves and self._is_noticed and Sees.OWNERS in self._after.sees:
            self._is_here[last] = False
            self._rebalance()
            self._is_here[last] = True
        self._rebalance()

    def _restart(self, restart: int, listed: _Listed) -> Iterator[WayStep]:
        """Restart every consumer: one by one, in a large group several at once."""
        order = np.arange(self._group.member_count, dtype=np.int32)
        self._chance.shuffle(order)  # type: ignore[arg-type] # an array is a mutable sequence
        for wave in np.array_split(order, waves_of(self._group)):
            is_static = all(self._group.layout.instance_ids[m] for m in wave.tolist())
            before = self._held
            self._is_here[wave] = is_static
            if not is_static and wave.size < order.size and self._notices():
                before = self._without(before, wave)
                yield self._step(wave, restart, before, is_back=False)
                before = self._held
            else:
                self.waits += np.isin(before, wave)
            self._come_back(wave, listed, is_static=is_static)
            if is_static and not self._is_new(self._chosen()):
                # The coordinator hands known static consumers what they had.
                if self._runs.name in self._knows:
                    self._knows[self._runs.name] = self._held
                continue
            yield self._step(wave, restart, before, is_back=True)

    def _notices(self) -> bool:
        """Return whether the group rebalances without the consumers that are away."""
        return self._is_noticed or self._chosen().protocol is Protocol.BROKER

    def _is_new(self, chosen: Strategy) -> bool:
        """Return whether a static consumer's return makes the group rebalance under this strategy.

        A group whose last consumer leaves the broker's protocol keeps the broker's owners.
        """
        leaves_broker = self._runs.protocol is Protocol.BROKER is not chosen.protocol
        return chosen is not self._runs and not leaves_broker

    def _come_back(self, wave: IntArray, listed: _Listed, *, is_static: bool) -> None:
        self._is_here[wave] = True
        for consumer in wave.tolist():
            self._lists[consumer] = listed
            self._ids[consumer] = self._new_ids.of_member(consumer, listed[0])
        if not is_static:
            self._held = self._without(self._held, wave)
        self._knows = {name: self._without(owned, wave) for name, owned in self._knows.items()}

    def _without(self, owners: Owners, consumers: IntArray) -> Owners:
        stays = np.ones(self._group.member_count, np.bool_)
        stays[consumers] = False
        return _picked(owners, stays)

    def _step(self, wave: IntArray, restart: int, before: Owners, *, is_back: bool) -> WayStep:
        stops = self._rebalance()
        return WayStep(
            consumers=tuple(wave.tolist()),
            is_back=is_back,
            restart=restart,
            strategy=self._runs,
            before=before,
            owners=self._held,
            stops=stops,
        )

    def _chosen(self) -> Strategy:
        """Return the strategy that assigns among the consumers that are here."""
        if len(set(map(id, self._lists))) == 1:
            return self._lists[0][0]
        lists = [listed for listed, here in zip(self._lists, self._is_here, strict=True) if here]
        distinct = _distinct(lists)
        brokers = [listed[0] for listed in lists if listed[0].protocol is Protocol.BROKER]
        if brokers:
            # Ties go to the new one; the coordinator's own order of ties is that of a hash map.
            votes = Counter(each.name for each in brokers)
            return max(brokers, key=lambda each: (votes[each.name], each is self._after))
        common = [each for each in lists[0] if all(each in listed for listed in distinct)]
        votes = Counter(next(s for s in listed if s in common).name for listed in lists)
        return max(common, key=lambda each: votes[each.name])

    def _rebalance(self) -> BoolArray:
        """Let the chosen strategy assign; return the consumers that stop everything, (M,)."""
        strategy = self._runs = self._chosen()
        incremental = {id(each) for each in _distinct(self._lists) if _is_incremental(each)}
        is_coop = np.array([id(listed) in incremental for listed in self._lists])
        if strategy.protocol is Protocol.BROKER:
            claimed = self._held
            is_coop[:] = True
        elif strategy.protocol is Protocol.COOPERATIVE:
            claimed = np.where(np.append(is_coop, False)[self._held], self._held, UNOWNED)
        else:
            claimed = self._knows.get(strategy.name, self._group.nobody())
        here = np.flatnonzero(self._is_here).astype(np.int32)
        order = here[strings.string_order([self._ids[m] for m in here.tolist()])]
        group = self._seated(order, _picked(claimed, self._is_here))
        owners = checked_answer(group, strategy)
        self._held = np.append(order, UNOWNED).astype(np.int32)[owners]
        if strategy.protocol is Protocol.BROKER:
            self._remember_as_classic()
        elif strategy.protocol is Protocol.EAGER and Sees.OWNERS in strategy.sees:
            self._knows[strategy.name] = self._held
        stops: BoolArray = self._is_here & ~is_coop
        return stops

    def _remember_as_classic(self) -> None:
        """Let classic consumers that a broker serves hand their shares to their own strategies."""
        for strategy in (listed[0] for listed in _distinct(self._lists)):
            if strategy.protocol is Protocol.EAGER and Sees.OWNERS in strategy.sees:
                is_its = np.array([listed[0] is strategy for listed in self._lists])
                self._knows[strategy.name] = _picked(self._held, is_its & self._is_here)

    def _seated(self, order: IntArray, claimed: Owners) -> Group:
        """Return the group of these consumers, in this order, with these claims (P,)."""
        group, number = self._group, np.full(self._group.member_count + 1, UNOWNED, np.int32)
        number[order] = np.arange(order.size)
        owners, generations = number[claimed], np.full(order.size + 1, NO_GENERATION, np.int64)
        generations[owners] = 1
        self._chance.shuffle(listed := list(range(order.size)))
        layout = group.layout.seating(
            order,
            tuple([self._ids[m] for m in order.tolist()]),
            np.array(listed, np.int32),
            group.layout.leader_topics if group.layout.lists_alike else (),
        )
        offsets, throughput = group.offsets, group.offsets.throughput
        if throughput is not None:
            offsets = replace(offsets, throughput=throughput[order])
        claims = Claims.of_owners(owners, generations[:-1], owners.size)
        return replace(group, layout=layout, claims=claims, offsets=offsets)


def _standing(group: Group, before: Strategy) -> Owners:
    """Return the owners (P,) that the first restart finds.

    A broker assigns at once what nobody owns, without waiting for a consumer to come or go.
    """
    present = group.present_owners
    if before.protocol is not Protocol.BROKER:
        return present
    is_settled = np.array_equal(group.layout.fit(present), present) and not np.any(
        group.is_wanted & (present == UNOWNED)
    )
    return present if is_settled else checked_answer(group, before)


def _distinct(lists: Sequence[_Listed]) -> Sequence[_Listed]:
    """Return each list once: consumers that restarted together share theirs."""
    return list({id(listed): listed for listed in lists}.values())


def _is_incremental(listed: Sequence[Strategy]) -> bool:
    return all(each.protocol is not Protocol.EAGER for each in listed)


def _picked(owners: Owners, is_here: BoolArray) -> Owners:
    return np.where(np.append(is_here, False)[owners], owners, np.int32(UNOWNED))
