"""Streams' two older task assignors: legacy sticky, and what stands in when offsets are unknown.

Sources: ``LegacyStickyTaskAssignor``, the default before 2.6 (``internal.task.assignor.class``),
and ``FallbackPriorTaskAssignor``, which the leader uses while it cannot read the changelogs' ends.
"""

from collections.abc import Iterable, Sequence
from enum import Enum

from assignors.java.hash_order import order_of_hashes
from assignors.java.uuids import uuid_hash
from assignors.placements import PlacementTrace
from assignors.streams.application import StreamsApplication
from assignors.streams.high_availability import in_hash_order
from assignors.streams.placing import InstanceLoad, TaskRole
from assignors.streams.tasks import Task


class LegacyRule(Enum):
    """Why an instance gets a task or a copy."""

    RAN = "It ran the task and is below its share of tasks: {active:,} of {share:,}."
    RAN_BEFORE = "It ran the task; while offsets cannot be read, nothing is evened out."
    COPY = "It has a copy of the task and is below its share of tasks: {active:,} of {share:,}."
    CHOSEN = (
        "Nobody who ran the task or has a copy had room: this one has {count:,} on {threads:,} "
        "threads, the least that pairs the task with new ones if any does."
    )
    STANDBY = (
        "Standby {number:,} of {standbys:,}: of instances without the task, this ran it or has a "
        "copy, or has the least load, {count:,} on {threads:,} threads."
    )


def legacy_sticky(
    application: StreamsApplication, trace: PlacementTrace | None = None
) -> tuple[list[InstanceLoad], bool]:
    """Keep tasks with who ran them up to an even share, and bring new pairs of tasks together."""
    return _Deal(application, trace, is_prior=False).done(), False


def fallback_prior(
    application: StreamsApplication, trace: PlacementTrace | None = None
) -> tuple[list[InstanceLoad], bool]:
    """Keep every task with who ran it, however many it has, and probe again later."""
    return _Deal(application, trace, is_prior=True).done(), True


class _Deal:
    """Who has what so far, and which tasks already share an instance."""

    def __init__(
        self, application: StreamsApplication, trace: PlacementTrace | None, *, is_prior: bool
    ) -> None:
        self._application = application
        self._is_prior = is_prior
        self._instances = [InstanceLoad(each, trace) for each in application.instances_in_order]
        self._pairs: set[frozenset[Task]] = set()
        tasks = len(application.tasks)
        self._all_pairs = tasks * (tasks - 1) // 2
        self._ran: dict[Task, InstanceLoad] = {}
        self._copies: dict[Task, list[InstanceLoad]] = {}
        for placed, each in zip(self._instances, application.instances_in_order, strict=True):
            self._ran |= dict.fromkeys(each.ran, placed)
            for task in each.copies:
                self._copies.setdefault(task, []).append(placed)

    def done(self) -> list[InstanceLoad]:
        if self._instances:
            self._place_active()
            self._place_standbys()
        return self._instances

    def _place_active(self) -> None:
        tasks = in_hash_order(self._application.tasks)
        share = len(tasks) // sum(each.threads for each in self._instances)
        left = []
        for task in tasks:
            place = self._ran.get(task)
            if place and (self._is_prior or len(place.active) < share * place.threads):
                rule = LegacyRule.RAN_BEFORE if self._is_prior else LegacyRule.RAN
                self._give(task, place, TaskRole.ACTIVE, rule, share=share * place.threads)
            else:
                left.append(task)
        rest = []
        for task in in_hash_order(left):
            holders = _in_set_order(self._copies.get(task, ()))
            place = next((e for e in holders if len(e.active) < share * e.threads), None)
            if place:
                share_here = share * place.threads
                self._give(task, place, TaskRole.ACTIVE, LegacyRule.COPY, share=share_here)
            else:
                rest.append(task)
        for task in sorted(rest):
            place = self._chosen(task, _in_set_order(self._instances))
            self._give(task, place, TaskRole.ACTIVE, LegacyRule.CHOSEN)

    def _place_standbys(self) -> None:
        for task in self._application.stateful:
            standbys = self._application.settings.standbys
            for at in range(standbys):
                free = _in_set_order(each for each in self._instances if task not in each)
                if not free:
                    break
                place = self._chosen(task, free)
                rule = LegacyRule.STANDBY
                self._give(task, place, TaskRole.STANDBY, rule, number=at + 1, standbys=standbys)

    def _give(
        self, task: Task, place: InstanceLoad, role: TaskRole, rule: LegacyRule, **figures: int
    ) -> None:
        self._pairs |= {frozenset((task, other)) for other in place.active | place.standby}
        place.get(task, role, rule, **figures)

    def _chosen(self, task: Task, among: Sequence[InstanceLoad]) -> InstanceLoad:
        """Return who ran the task, else who has a copy, unless full while others have room."""
        if len(among) == 1:
            return among[0]
        holder = self._least_holder(task, among)
        former = self._ran.get(task)
        former = former if former in among else holder
        if former and not self._should_spare(former):
            return former
        if former and holder and not self._should_spare(holder):
            return holder
        return self._least(task, among)

    def _least_holder(self, task: Task, among: Sequence[InstanceLoad]) -> InstanceLoad | None:
        holders = _in_set_order(each for each in self._copies.get(task, ()) if each in among)
        return self._least(task, holders) if holders else None

    def _should_spare(self, place: InstanceLoad) -> bool:
        """Return whether it has a task for each thread, and another has more room."""
        return place.count >= place.threads and any(
            _has_more_room(each, place) for each in self._instances
        )

    def _least(self, task: Task, among: Sequence[InstanceLoad]) -> InstanceLoad:
        """Return the first without tasks, else the least loaded, those with new pairs first."""
        for only_new in (True, False):
            least: InstanceLoad | None = None
            for each in among:
                if not each.count:
                    return each
                if (least is None or _has_more_room(each, least)) and (
                    not only_new or self._has_new_pair(task, each)
                ):
                    least = each
            if least:
                return least
        return among[0]

    def _has_new_pair(self, task: Task, place: InstanceLoad) -> bool:
        """Return whether two tasks would share an instance that have not yet."""
        return len(self._pairs) < self._all_pairs and any(
            frozenset((task, other)) not in self._pairs for other in place.active | place.standby
        )


def _has_more_room(place: InstanceLoad, other: InstanceLoad) -> bool:
    return (place.load, -place.threads) < (other.load, -other.threads)


def _in_set_order(instances: Iterable[InstanceLoad]) -> list[InstanceLoad]:
    """Return instances as a ``HashSet`` of their ids iterates them, inserted in this order."""
    listed = list(instances)
    order = order_of_hashes([uuid_hash(each.process) for each in listed])
    return [listed[at] for at in order]
