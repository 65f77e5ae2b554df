"""uniform2 (preview): every topic even, then every member, then as few moves as these allow.

Each subscriber of a topic gets a base of partitions // subscribers, and the remainder goes as
extras to distinct subscribers. Three steps decide who gets the extras, then partitions are
placed. Source: Uniform2Assignor of apache/kafka#23723, in no release.
"""

from collections import Counter
from collections.abc import Iterator
from heapq import heapify, heappop, heappush
from typing import Final

from assignors.certainty import WITHOUT_TOPIC_IDS, Certainty, Known
from assignors.model import UNOWNED, Group, Owners
from assignors.topic_ids import has_ids, ranks_by_id

PROPOSED: Final = Certainty(
    Known.LIKELY,
    "This strategy is proposed and in no release: it follows the sources, and was never compared "
    "with a broker.",
)


def uniform2(group: Group) -> Owners:
    """Balance every topic, then the counts; members go by id, topics by topic id.

    Without topic ids topics go by name and only the counts are exact. Racks are ignored.

    >>> uniform2(Group.fresh({"t1": 2, "t2": 5, "t3": 7}, ["A", "B", "C"]))
    array([0, 1, 0, 0, 1, 2, 2, 0, 0, 1, 1, 1, 2, 2], dtype=int32)
    """
    shares = _Shares(group)
    shares.keep()
    shares.hand_out()
    _Balance(shares).run()
    return shares.placed()


def of_uniform2(group: Group) -> Certainty:
    """Return how certain the result is: without topic ids, ties between topics are unknown."""
    return WITHOUT_TOPIC_IDS if group.wanted_topics.size > 1 and not has_ids(group) else PROPOSED


class _Shares:
    """Who gets an extra partition of which topic."""

    def __init__(self, group: Group) -> None:
        self._group = group
        ranks = ranks_by_id(group)
        self.topics: list[int] = sorted(group.wanted_topics.tolist(), key=ranks.__getitem__)
        self.readers = {t: group.subscribers(t).tolist() for t in self.topics}
        both = {t: divmod(int(group.topic_sizes[t]), len(self.readers[t])) for t in self.topics}
        self.base = {topic: base for topic, (base, _) in both.items()}
        self.extra = {topic: extra for topic, (_, extra) in both.items()}
        self._spans = {topic: group.topic_span(topic) for topic in self.topics}
        self.owners = {t: group.fit_owners[span].tolist() for t, span in self._spans.items()}
        self.holders: dict[int, list[int]] = {topic: [] for topic in self.topics}
        self.counts = [0] * group.member_count
        """Extras of each member."""
        self.wants: list[set[int]] = [set() for _ in range(group.member_count)]
        for topic, readers in self.readers.items():
            for member in readers:
                self.wants[member].add(topic)
        self._base_sizes = [sum(self.base[t] for t in wanted) for wanted in self.wants]
        self._cohorts: dict[frozenset[int], list[int]] = {}
        for member, wanted in enumerate(self.wants):
            self._cohorts.setdefault(frozenset(wanted), []).append(member)

    def size(self, member: int) -> int:
        """Return how many partitions a member gets over all topics."""
        return self._base_sizes[member] + self.counts[member]

    def above_base(self, topic: int) -> list[int]:
        """Return the members that own more than the base, by their first partition."""
        held = Counter(owner for owner in self.owners[topic] if owner != UNOWNED)
        return [member for member, count in held.items() if count > self.base[topic]]

    def keep(self) -> None:
        """Let members above the base keep an extra; if too many, those with fewest partitions."""
        for topic in self.topics:
            extra, owners = self.extra[topic], self.above_base(topic)
            if len(owners) > extra:
                owners.sort(key=lambda member: (self.size(member), member))
            for member in owners[:extra]:
                self._give(topic, member)

    def hand_out(self) -> None:
        """Assign the extras that nobody kept, topics with the fewest subscribers first."""
        cohorts = [_Cohort(members, self) for members in self._cohorts.values()]
        of_member = {member: n for n, each in enumerate(cohorts) for member in each.members}
        left = [t for t in self.topics if len(self.holders[t]) < self.extra[t]]
        for topic in sorted(left, key=lambda t: len(self.readers[t])):
            having = set(self.holders[topic])
            without = dict.fromkeys(sorted({of_member[m] for m in self.readers[topic]}), 0)
            for member in self.readers[topic]:
                without[of_member[member]] += member not in having
            heap = [(cohorts[n].least_size(), n) for n, count in without.items() if count]
            heapify(heap)
            for _ in range(self.extra[topic] - len(having)):
                number = heappop(heap)[1]
                member = cohorts[number].next_without(having)
                self._give(topic, member)
                cohorts[number].note(member)
                having.add(member)
                without[number] -= 1
                if without[number]:
                    heappush(heap, (cohorts[number].least_size(), number))

    def placed(self) -> Owners:
        """Let owners keep up to their share, lowest numbers first; the others take the rest."""
        owners = self._group.nobody()
        for topic in self.topics:
            left = dict.fromkeys(self.readers[topic], self.base[topic])
            for member in self.holders[topic]:
                left[member] += 1
            now, free = self.owners[topic], []
            for number, owner in enumerate(now):
                if left.get(owner, 0):
                    left[owner] -= 1
                else:
                    free.append(number)
            takers = (member for member, count in left.items() for _ in range(count))
            for number, member in zip(free, takers, strict=True):
                now[number] = member
            owners[self._spans[topic]] = now
        return owners

    def _give(self, topic: int, member: int) -> None:
        self.holders[topic].append(member)
        self.counts[member] += 1


class _Cohort:
    """Members with the same subscription, served in turn."""

    def __init__(self, members: list[int], shares: _Shares) -> None:
        self.members, self._shares = members, shares
        self._next = 0
        self._find_lowest()

    def least_size(self) -> int:
        """Return the size of its smallest member."""
        member = self.members[0]
        return self._shares.size(member) - self._shares.counts[member] + self._lowest

    def next_without(self, having: set[int]) -> int:
        """Return the next member with fewest extras and none of this topic, else any of those."""
        counts, members = self._shares.counts, self.members
        for step in range(len(members)):
            at = (self._next + step) % len(members)
            if counts[members[at]] == self._lowest and members[at] not in having:
                self._next = (at + 1) % len(members)
                return members[at]
        return min((m for m in members if m not in having), key=counts.__getitem__)

    def note(self, member: int) -> None:
        """Record that a member got one more."""
        if self._shares.counts[member] == self._lowest + 1:
            self._at_lowest -= 1
            if not self._at_lowest:
                self._find_lowest()

    def _find_lowest(self) -> None:
        counts = [self._shares.counts[member] for member in self.members]
        self._lowest = min(counts)
        self._at_lowest = counts.count(self._lowest)


class _Balance:
    """Moves extras from the largest member to the smallest while they differ by two or more."""

    def __init__(self, shares: _Shares) -> None:
        self._shares = shares
        members = range(len(shares.counts))
        self._owned: list[list[int]] = [[] for _ in members]
        """Topics of extras whose move makes their member give up a partition."""
        self._free: list[list[int]] = [[] for _ in members]
        """Topics of the other extras."""
        self._above: list[set[int]] = [set() for _ in members]
        """Topics of which a member owns more than the base: an extra saves a move."""
        for topic in shares.topics:
            if shares.extra[topic]:
                above = shares.above_base(topic)
                for member in above:
                    self._above[member].add(topic)
                for member in shares.holders[topic]:
                    (self._owned if member in above else self._free)[member].append(topic)
        self._parked: set[int] = set()
        self._givers = [self._giver_key(member) for member in members]
        heapify(self._givers)

    def run(self) -> None:
        """Move until no extra has a subscriber two or more below its member."""
        while self._givers:
            key = heappop(self._givers)
            giver = key[2]
            is_current = key == self._giver_key(giver) and giver not in self._parked
            if not is_current or not self._shares.counts[giver]:
                continue
            receiver = self._receiver(giver)
            if receiver is None:
                self._parked.add(giver)
                continue
            self._move(giver, receiver)
            self._parked.discard(receiver)
            woken = {m for m in self._parked if self._can_take_again(m, giver)}
            self._parked -= woken
            for member in (giver, receiver, *woken):
                heappush(self._givers, self._giver_key(member))

    def _giver_key(self, member: int) -> tuple[int, bool, int]:
        return -self._shares.size(member), not self._free[member], member

    def _receiver(self, giver: int) -> int | None:
        """Return the smallest member that can take an extra; ties go to one that saves a move."""
        size = self._shares.size
        most = size(giver) - 2
        takers = [m for m in range(len(self._above)) if size(m) <= most]
        takers.sort(key=lambda m: (size(m), not self._above[m], m))
        return next((m for m in takers if any(self._takeable(giver, m))), None)

    def _can_take_again(self, parked: int, giver: int) -> bool:
        is_near = self._shares.size(parked) == self._shares.size(giver) + 2
        return is_near and any(self._takeable(parked, giver))

    def _takeable(self, giver: int, receiver: int) -> Iterator[bool]:
        wants, has = self._shares.wants[receiver], {*self._owned[receiver], *self._free[receiver]}
        return (t in wants and t not in has for t in [*self._owned[giver], *self._free[giver]])

    def _move(self, giver: int, receiver: int) -> None:
        """Move the cheapest extra that the receiver can take."""
        above, wants = self._above[receiver], self._shares.wants[receiver]
        has = {*self._owned[receiver], *self._free[receiver]}
        for extras in (self._free[giver], self._owned[giver]):
            for saves in (True, False):
                for at in reversed(range(len(extras))):
                    topic = extras[at]
                    if topic in wants and topic not in has and (topic in above) is saves:
                        extras[at] = extras[-1]  # as in the source: the last one fills the gap
                        extras.pop()
                        (self._owned if saves else self._free)[receiver].append(topic)
                        holders = self._shares.holders[topic]
                        holders[holders.index(giver)] = receiver
                        self._shares.counts[giver] -= 1
                        self._shares.counts[receiver] += 1
                        return
