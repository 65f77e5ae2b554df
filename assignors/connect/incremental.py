"""Incremental cooperative assignment of Connect: ``connect.protocol`` compatible or sessioned.

Source: KIP-415, ``IncrementalCooperativeAssignor`` of Connect's workers; 3.7.2 to 4.4.0 agree.
"""

from collections import Counter, deque
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import cycle

from assignors.connect.cluster import (
    ConnectCluster,
    ConnectorTask,
    ConnectRound,
    Leader,
    as_reported,
    in_order,
)
from assignors.java.strings import string_key
from assignors.placements import PlacementTrace


class ConnectRule(Enum):
    """Why a worker gets or loses work."""

    CREATED = (
        "Nobody runs it: of workers with the fewest {sort}, {count:,} each, this one is next by id."
    )
    LOST = (
        "Its worker did not return in time: of workers with the fewest {sort}, {count:,} each, "
        "this one is next by id."
    )
    LOST_TO_EMPTY = (
        "Its worker did not return in time: it goes to a worker that had nothing, with {count:,} "
        "{sort} by now."
    )
    KEPT = (
        "It runs here, and the worker has no more than an even share of all {sort}: {count:,} of "
        "{total:,}, with {workers:,} to share them."
    )
    KEPT_MEANWHILE = (
        "It runs here, with {count:,} of {total:,} {sort}; while the leader waits, {delay_s:,g} s, "
        "nothing is evened out."
    )
    WAITS = "Its worker left: for {delay_s:,g} s nobody gets it, so that the worker may return."
    DELETED = "It is configured no longer."
    DUPLICATE = "Two workers run it: both stop, and the next round places it."
    IN_TURN = (
        "Eager: {workers:,} workers in a circle, by id, get all connectors, then all tasks; this "
        "is number {number:,} of {total:,}."
    )
    OVER_SHARE = (
        "The worker has more than an even share of all {sort}, {count:,} of {total:,} with "
        "{workers:,} to share them, and stops the first that it reports; the next round places it."
    )


def incremental(cluster: ConnectCluster) -> ConnectRound:
    """Play one round: keep, revoke what is too much, place what nobody runs.

    Counts of connectors and of tasks become even over the workers, whatever the work is: nothing
    weighs it, and the tasks of one connector may clump. What a worker must stop is placed by the
    round that follows. What a lost worker ran waits for it, unless a new leader plays the round.
    """
    return _Round(cluster).played()


class _Round:
    """One round as it is played."""

    def __init__(self, cluster: ConnectCluster) -> None:
        self._cluster = cluster
        self._next = {each.id: list(each.holds) for each in cluster.workers_in_order}
        self._revoked: dict[str, set[ConnectorTask]] = {each: set() for each in self._next}
        self._trace = PlacementTrace()
        self._totals = Counter(each.is_connector for each in cluster.work)
        self._counts = Counter(
            (worker, each.is_connector) for worker, held in self._next.items() for each in held
        )
        leader = cluster.leader
        self._delay, self._scheduled = leader.delay_ms, leader.scheduled_ms
        self._candidates = list(leader.candidates)
        self._has_revoked, self._successive = leader.has_revoked, leader.successive
        self._previous = self._remembered()

    def played(self) -> ConnectRound:
        cluster = self._cluster
        reported = [each for worker in cluster.workers for each in worker.holds]
        held, configured = frozenset(reported), frozenset(cluster.work)
        deleted = self._previous - configured
        lost = self._previous - held - deleted
        created = configured - self._previous - held
        duplicates = {each for each in held if reported.count(each) > 1}
        self._revoke(deleted, ConnectRule.DELETED)
        self._revoke(duplicates - deleted, ConnectRule.DUPLICATE)
        as_new = self._handle(lost)
        if self._delay == 0:
            self._balance()
        else:
            self._has_revoked = False
        for is_connector in (True, False):
            self._place(created, as_new, is_connector=is_connector)
        self._tell_of_the_rest(lost)
        return self._answer(lost)

    def _remembered(self) -> frozenset[ConnectorTask]:
        """Return what the leader takes for assigned before this round."""
        leader, cluster = self._cluster.leader, self._cluster
        held = frozenset(each for worker in cluster.workers for each in worker.holds)
        if leader.generation != cluster.completed_generation:
            previous: frozenset[ConnectorTask] = frozenset()
        else:
            previous = leader.previous
        return held if leader.revoked & held else previous

    def _handle(self, lost: frozenset[ConnectorTask]) -> frozenset[ConnectorTask]:
        """Let lost work wait or give it away; return what is to be placed as if it were new."""
        cluster = self._cluster
        if not lost and not self._has_revoked:
            self._reset_delay()
            return frozenset()
        is_complete = cluster.leader.members <= set(self._next)
        if (self._scheduled == 0 and is_complete) or cluster.max_delay_ms == 0:
            return lost
        if self._scheduled and cluster.now_ms >= self._scheduled:
            here = [each for each in self._candidates if each in self._next]
            if here:
                for work in _sorts(lost):
                    for worker, each in zip(cycle(here), work, strict=False):
                        self._give(worker, each, ConnectRule.LOST_TO_EMPTY)
            self._reset_delay()
            self._has_revoked = False
            return frozenset() if here else lost
        empty = [worker for worker, work in self._next.items() if not work]
        self._candidates += [each for each in empty if each not in self._candidates]
        self._delay = self._scheduled - cluster.now_ms if self._scheduled else cluster.max_delay_ms
        self._scheduled = cluster.now_ms + self._delay
        return frozenset()

    def _reset_delay(self) -> None:
        self._delay = self._scheduled = 0
        self._candidates = []

    def _balance(self) -> None:
        """Revoke what is above even counts, unless the last round did so."""
        excess = self._excess()
        cluster = self._cluster
        if not excess:
            if self._has_revoked:
                self._has_revoked, self._successive = False, 0
            return
        if self._has_revoked:
            self._successive += 1
            self._delay = min(40**self._successive, cluster.max_delay_ms)
            if self._delay:
                self._scheduled = cluster.now_ms + self._delay
                return
        self._has_revoked = True
        for worker, work in excess:
            self._take(worker, work, ConnectRule.OVER_SHARE)

    def _excess(self) -> list[tuple[str, list[ConnectorTask]]]:
        """Return what each worker has too much, of connectors and of tasks."""
        if not any(self._next.values()):
            return []
        found: list[tuple[str, list[ConnectorTask]]] = []
        for is_connector in (True, False):
            wanted = [each for each in self._cluster.work if each.is_connector == is_connector]
            held = {
                worker: [each for each in work if each.is_connector == is_connector]
                for worker, work in self._next.items()
            }
            low, extra = divmod(len(wanted), len(held))
            counts = [len(work) for work in held.values()]
            if counts.count(low + 1) == extra and counts.count(low) == len(held) - extra:
                continue
            for worker, work in held.items():
                if len(work) > low:
                    keeps = low + 1 if extra > 0 else low
                    extra -= 1
                    if len(work) > keeps:
                        found.append((worker, work[: len(work) - keeps]))
        return found

    def _place(
        self,
        created: frozenset[ConnectorTask],
        lost: frozenset[ConnectorTask],
        *,
        is_connector: bool,
    ) -> None:
        """Give one each along the workers that share the lowest count, until all is given.

        What is new comes first, then what was lost, each in order.
        """
        work = deque(
            (each, rule)
            for rule, source in ((ConnectRule.CREATED, created), (ConnectRule.LOST, lost))
            for each in in_order(source)
            if each.is_connector == is_connector
        )
        counts = {
            worker: sum(each.is_connector == is_connector for each in held)
            for worker, held in self._next.items()
        }
        workers = sorted(counts, key=lambda worker: (counts[worker], string_key(worker)))
        while work and workers:
            least = counts[workers[0]]
            for worker in [each for each in workers if counts[each] == least][: len(work)]:
                self._give(worker, *work.popleft())
                counts[worker] += 1

    def _revoke(self, work: Iterable[ConnectorTask], rule: ConnectRule) -> None:
        gone = set(work)
        for worker, held in self._next.items():
            self._take(worker, [each for each in held if each in gone], rule)

    def _take(self, worker: str, work: Sequence[ConnectorTask], rule: ConnectRule) -> None:
        for each in work:
            self._next[worker].remove(each)
            self._revoked[worker].add(each)
            self._trace.taken(worker, each.name, rule, self._figures(worker, each))
        for each in work:  # the sentence is about all that it had
            self._counts[worker, each.is_connector] -= 1

    def _give(self, worker: str, each: ConnectorTask, rule: ConnectRule) -> None:
        self._trace.given(worker, each.name, rule, self._figures(worker, each))
        self._next[worker].append(each)
        self._counts[worker, each.is_connector] += 1

    def _tell_of_the_rest(self, lost: frozenset[ConnectorTask]) -> None:
        """Tell what stays where it runs, and what waits for its worker."""
        rule = ConnectRule.KEPT_MEANWHILE if self._delay else ConnectRule.KEPT
        for worker in self._cluster.workers:
            here = set(self._next[worker.id])
            for each in worker.holds:
                if each in here:
                    self._trace.kept(worker.id, each.name, rule, self._figures(worker.id, each))
        given = {each for work in self._next.values() for each in work}
        for each in in_order(lost - given):
            self._trace.waits(each.name, ConnectRule.WAITS, {"delay_s": self._delay / 1000})

    def _figures(self, worker: str, work: ConnectorTask) -> dict[str, int | float | str]:
        return {
            "sort": "connectors" if work.is_connector else "tasks",
            "count": self._counts[worker, work.is_connector],
            "total": self._totals[work.is_connector],
            "workers": len(self._next),
            "delay_s": self._delay / 1000,
        }

    def _answer(self, lost: frozenset[ConnectorTask]) -> ConnectRound:
        cluster = self._cluster
        held = {each.id: set(each.holds) for each in cluster.workers}
        assigned = {
            worker: [each for each in work if each not in held[worker]]
            for worker, work in self._next.items()
        }
        kept = {
            worker: [each for each in work if each in held[worker]]
            for worker, work in self._next.items()
        }
        revoked = frozenset[ConnectorTask]().union(*self._revoked.values())
        given = frozenset(each for work in self._next.values() for each in work)
        leader = Leader(
            generation=cluster.generation,
            previous=(given - revoked) | lost,
            revoked=revoked,
            members=frozenset(self._next),
            delay_ms=self._delay,
            scheduled_ms=self._scheduled,
            candidates=tuple(self._candidates),
            has_revoked=self._has_revoked,
            successive=self._successive,
        )
        return ConnectRound(
            assigned,
            {worker: frozenset(work) for worker, work in self._revoked.items()},
            {worker: as_reported([*assigned[worker], *kept[worker]]) for worker in assigned},
            leader,
            self._trace.placements,
        )


def _sorts(work: Iterable[ConnectorTask]) -> list[list[ConnectorTask]]:
    """Return connectors, then tasks, each in order."""
    work = list(work)
    return [in_order(each for each in work if each.is_connector == sort) for sort in (True, False)]
