"""A Streams application on the classic protocol: its instances come, go and return."""

import struct
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice, product
from pathlib import Path
from typing import Final
from uuid import uuid4

from assignors.streams.application import (
    ClassicSubtopology,
    Instance,
    StreamsApplication,
    StreamsSettings,
    StreamsThread,
)
from assignors.streams.tasks import Task, task_named
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import NO_CHANGE, Forecast, Held, OtherMembers
from live.cluster import connect
from live.errors import LiveError
from live.member_bytes import streams_order
from live.model import GroupReading
from live.properties import Properties
from live.reading import read_group
from sources.live_kinds import application_of
from tests.broker.kind_events import Seen, by_home, settled
from tests.broker.kind_members import KindMembers

KIND: Final = "Streams, classic"
PROCESS_FILE: Final = "kafka-streams-process-metadata"
TASKS: Final = frozenset(f"{sub}_{number}" for sub in (0, 1) for number in range(4))
_THREADS: Final = 2
_ROLES: Final = ("active", "standby")
_NEVER, _AT_ONCE = 2**63 - 1, 0
_UUID: Final = 37
"""Signs that follow a consumer's client id in its member id."""
_MOST_WAYS: Final = 256


@dataclass(frozen=True)
class AtRest:
    """An application between two rounds."""

    told: StreamsApplication
    """As a live reading tells it."""
    application: StreamsApplication
    """With the changelogs' ends and all that lies on disks."""
    held: Mapping[str, Held]
    """What its threads have, standbys too."""
    is_probing: bool
    """Whether a probing rebalance is to follow."""


@dataclass
class ClassicGroup:
    """An application with its instances on this machine, and what its rebalances brought."""

    servers: str
    members: KindMembers
    app: str
    recovery_lag: int = 10_000
    seen: list[Seen] = field(default_factory=list)
    homes: dict[str, str] = field(default_factory=dict)
    """The process id of each instance by its name, chosen before it starts."""
    now: AtRest | None = None

    def join(self, name: str, event: str = "join") -> None:
        """Forecast what one more instance brings, start it, and compare."""
        process = self.homes.setdefault(name, str(uuid4()))
        new = Instance(process, self._new_threads(name))
        self._compare(event, [new], NO_CHANGE, lambda: self._start(name))

    def leave(self, name: str, event: str, act: Callable[[str], None]) -> None:
        """Forecast what one instance less brings, end or kill it, and compare."""
        gone = OtherMembers(without=(self.homes[name],))
        self._compare(event, [], gone, lambda: act(f"{self.app}-{name}"))

    def probe(self) -> None:
        """Forecast where probing rebalances lead, wait for them, and compare.

        None follows where copies were restored before the rounds at once were through.
        """
        if self.now is not None and self.now.is_probing:
            self._compare("probing rebalances", [], NO_CHANGE, lambda: None, is_last=True)

    def _compare(
        self,
        event: str,
        joins: list[Instance],
        what_if: OtherMembers,
        act: Callable[[], None],
        *,
        is_last: bool = False,
    ) -> None:
        told, known = (
            replace(each, instances=[*each.instances, *joins]) for each in self._before()
        )
        found = forecast(told, what_if)
        held = {} if self.now is None else self.now.held
        answers = _answers(known, what_if, held, is_last=is_last)
        act()
        processes = {each.process for each in known.instances} - set(what_if.without)
        self.now = settled(lambda: self._read(processes, is_last=is_last), f"{self.app}, {event}")
        homes = {_short(name): home for name, home in found.homes.items()}
        then = {_short(name): each for name, each in found.then.items()}
        real = {_short(name): each for name, each in self.now.held.items()}
        is_then = by_home(homes, then, _ROLES) == by_home(homes, real, _ROLES)
        kept = by_home(homes, real, _ROLES)
        is_right = any(by_home(homes, each, _ROLES) == kept for each in answers)
        self.seen.append(
            Seen(
                KIND,
                event,
                self.app,
                is_as_stated=is_then or self.now.is_probing,
                is_right=is_right,
                is_right_by_thread=real in answers,
                is_sole=len(answers) == 1,
                detail="" if is_right else f"expected {answers[0]}, found {real}",
            )
        )

    def _before(self) -> tuple[StreamsApplication, StreamsApplication]:
        """Return the application as read, and as known; at first, as its topology says."""
        settings = StreamsSettings(standbys=1, recovery_lag=self.recovery_lag, probing_ms=60_000)
        if self.now is not None:
            told, known = self.now.told, self.now.application
            return replace(told, settings=settings), replace(known, settings=settings)
        repartition = f"{self.app}-counts-repartition"
        empty = StreamsApplication(
            {"orders": 4, repartition: 4},
            [
                ClassicSubtopology(0, ["orders"], is_stateful=False),
                ClassicSubtopology(1, [repartition], is_stateful=True),
            ],
            [],
            settings=settings,
        )
        return replace(empty, knows_offsets=False), empty

    def _new_threads(self, name: str) -> list[StreamsThread]:
        """Return the threads of an instance that is to start, with the state on its disk."""
        prefix = f"{self.app}-{self.homes[name]}-StreamThread-"
        names = [f"{prefix}{number + 1}-consumer" for number in range(_THREADS)]
        first, *others = map(StreamsThread, names)
        return [first._replace(offset_sums=on_disk(self._folder(name) / self.app)), *others]

    def _folder(self, name: str) -> Path:
        return self.members.folder / self.app / name

    def _start(self, name: str) -> None:
        """Start an instance, on the disk that it had if there is one."""
        home = self._folder(name) / self.app
        if not home.exists():
            home.mkdir(parents=True)
            (home / PROCESS_FILE).write_text(f'{{"processId":"{self.homes[name]}"}}')
        settings = {
            "bootstrap.servers": self.servers,
            "application.id": self.app,
            "state.dir": str(self._folder(name)),
            "num.stream.threads": str(_THREADS),
            "num.standby.replicas": "1",
            "acceptable.recovery.lag": str(self.recovery_lag),
            "probing.rebalance.interval.ms": "60000",
            "statestore.cache.max.bytes": "0",
            "commit.interval.ms": "500",
            "session.timeout.ms": "10000",
            "heartbeat.interval.ms": "1000",
        }
        self.members.start(f"{self.app}-{name}", "streams", "orders", settings)

    def _read(self, processes: set[str], *, is_last: bool) -> AtRest | None:
        """Return the application once it has these instances and nothing is to follow at once."""
        with connect(Properties({"bootstrap.servers": self.servers})) as cluster:
            try:
                group = read_group(cluster, self.app)
            except LiveError:
                return None
        bare = application_of(group)
        if group.description.state != "Stable" or bare is None:
            return None
        held = dict(_held(group))
        active = [task for each in held.values() for task in each["active"]]
        follows = {_follows_ms(each.assignment) for each in group.description.members}
        is_probing = bool(follows - {_NEVER})
        if (
            {each.process for each in bare.instances} != processes
            or sorted(active) != sorted(TASKS)
            or _AT_ONCE in follows
            or (is_last and is_probing)
        ):
            return None
        if not bare.is_as_reported:  # the changelog's ends were not read
            return None
        instances = [self._with_disk(each) for each in bare.instances]
        return AtRest(bare, replace(bare, instances=instances), held, is_probing)

    def _with_disk(self, instance: Instance) -> Instance:
        """Return the instance with state that its disk has and its last report did not name.

        A directory that another thread has just let go is not in the report of that round.
        """
        name = next(each for each, of in self.homes.items() if of == instance.process)
        first, *others = instance.threads
        sums = on_disk(self._folder(name) / self.app)
        left = {task: sums[task] for task in set(sums) - instance.states}
        return instance._replace(
            threads=[first._replace(offset_sums={**first.offset_sums, **left}), *others]
        )


def on_disk(folder: Path) -> dict[Task, int]:
    """Return the offsets in the checkpoints of an instance's tasks, each of one store."""
    return {
        task_named(file.parent.name): int(line.split()[-1])
        for file in sorted(folder.glob("*_*/.checkpoint*"))
        for line in file.read_text().splitlines()[2:]
    }


def _answers(
    asked: StreamsApplication,
    what_if: OtherMembers,
    held: Mapping[str, Held],
    *,
    is_last: bool,
) -> list[Mapping[str, Held]]:
    """Return what threads may get, as whichever of them reports state that was left behind."""
    found: list[Mapping[str, Held]] = []
    for each in islice(_reported(asked, held), _MOST_WAYS):
        told = _told(forecast(each, what_if), is_last=is_last)
        if told not in found:
            found.append(told)
    return found


def _told(found: Forecast, *, is_last: bool) -> Mapping[str, Held]:
    """Return who has what after the rounds at once, or after the last probing rebalance."""
    at_once = found.more["at_once"]
    assert isinstance(at_once, dict)
    return {_short(name): held for name, held in (found.then if is_last else at_once).items()}


def _reported(asked: StreamsApplication, held: Mapping[str, Held]) -> Iterator[StreamsApplication]:
    """Yield the application with each way in which state left behind may be reported.

    By any thread of its instance, whichever locks its directory first; by none, as long as the
    thread that ran the task has not let it go.
    """
    places = [
        (at, task)
        for at, instance in enumerate(asked.instances)
        for task in sorted(_left(instance, held))
    ]
    for choice in product(range(_THREADS + 1), repeat=len(places)):
        instances = list(asked.instances)
        for (at, task), thread in zip(places, choice, strict=True):
            instances[at] = _told_by(instances[at], task, thread)
        yield replace(asked, instances=instances)


def _left(instance: Instance, held: Mapping[str, Held]) -> set[Task]:
    """Return the tasks whose state an instance has on its disk, and none of its threads has."""
    names = [
        name
        for each in instance.threads
        for role in _ROLES
        for name in held.get(each.id, {}).get(role, ())
    ]
    return {task for each in instance.threads for task in each.offset_sums} - {
        task_named(name) for name in names
    }


def _told_by(instance: Instance, task: Task, teller: int) -> Instance:
    """Return the instance with one of its threads reporting the state of a task, or none."""
    value = next(e.offset_sums[task] for e in instance.threads if task in e.offset_sums)
    threads = []
    for at, each in enumerate(instance.threads):
        sums = {other: kept for other, kept in each.offset_sums.items() if other != task}
        threads.append(each._replace(offset_sums=sums | ({task: value} if at == teller else {})))
    return instance._replace(threads=threads)


def _held(group: GroupReading) -> Iterator[tuple[str, Held]]:
    """Yield what each thread was assigned."""
    for member in group.description.members:
        if order := streams_order(member.assignment):
            active, standby = ({Task(*each) for each in of} for of in (order.active, order.standby))
            yield (
                member.id,
                {
                    "active": [each.name for each in sorted(active)],
                    "standby": [each.name for each in sorted(standby)],
                },
            )


def _follows_ms(assignment: bytes) -> int:
    """Return when a thread is to begin the next round: the last 8 bytes of what it was sent."""
    return int(struct.unpack(">q", assignment[-8:])[0]) if assignment else _AT_ONCE


def _short(member: str) -> str:
    """Return a thread's client id, which is known before it starts."""
    return member if member.endswith("-consumer") else member[:-_UUID]
