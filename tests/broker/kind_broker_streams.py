"""A Streams group of the broker (KIP-1071): its instances come, go and return."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import uuid4

from assignors.streams.broker_group import StreamsGroup, StreamsMember
from assignors.streams.strategies import STICKY
from assignors.streams.tasks import MemberTasks, Subtopology, Task, task_named
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import NO_CHANGE, OtherMembers
from evaluation.kinds.orders import orders_of
from sources.errors import SourceError
from sources.text import read_text
from tests.broker.kind_classic import PROCESS_FILE, TASKS, on_disk
from tests.broker.kind_events import Seen, counts_of, settled
from tests.broker.kind_members import KindMembers, Teller

KIND: Final = "Streams, KIP-1071"
RELEASE: Final = (4, 4)
_THREADS: Final = 1
"""So that an instance that comes or goes is one change, however slow the machine."""


@dataclass
class BrokerGroup:
    """A group with its instances on this machine, and what its rebalances brought."""

    servers: str
    members: KindMembers
    teller: Teller
    app: str
    topology: str
    """As the application prints it."""
    seen: list[Seen] = field(default_factory=list)
    homes: dict[str, str] = field(default_factory=dict)
    now: StreamsGroup | None = None

    def join(self, name: str, event: str = "join") -> None:
        """Forecast what one more instance brings, start it, and compare."""
        process = self.homes.setdefault(name, str(uuid4()))
        self._compare(event, OtherMembers(more=1), process, lambda: self._start(name))

    def leave(self, name: str, event: str, act: Callable[[str], None]) -> None:
        """Forecast what one instance less brings, end or kill it, and compare."""
        gone = OtherMembers(without=(self.homes[name],))
        self._compare(event, gone, "", lambda: act(f"{self.app}-{name}"))

    def _compare(
        self, event: str, what_if: OtherMembers, joins: str, act: Callable[[], None]
    ) -> None:
        before = self._before()
        found = forecast(before, what_if, RELEASE) if before.members else None
        gone = set(what_if.without)
        processes = ({each.process for each in before.members} | {joins}) - gone - {""}
        told = self._with_offsets(before)
        sums = self._on_disk(joins)
        act()
        after = settled(lambda: self._read(processes), f"{self.app}, {event}")
        here = {each.id for each in before.members}
        stay = [each for each in told.members if each.process not in gone]
        new = [each for each in after.members if each.id not in here]
        answers: list[Mapping[str, MemberTasks]] = []
        for reported in (sums, {}):
            joined = [each._replace(offsets=reported) for each in map(_bare, new)]
            for answer in _answers(replace(told, members=[*stay, *joined])):
                if answer not in answers:
                    answers.append(answer)
        real = {each.id: MemberTasks(each.active, each.standby) for each in after.members}
        held, is_right = forecast(after, NO_CHANGE, RELEASE).now, real in answers
        self.now = after
        self.seen.append(
            Seen(
                KIND,
                event,
                self.app,
                is_as_stated=found is None or counts_of(found.then) == counts_of(held),
                is_right=is_right,
                is_right_by_thread=is_right,
                is_sole=len(answers) == 1,
                detail="" if is_right else f"expected {answers[0]}, found {real}",
            )
        )

    def _before(self) -> StreamsGroup:
        """Return the group as read, with its setting; before its first instance, its topology."""
        if self.now is not None:
            return replace(self.now, standbys=1)
        subs = [Subtopology(at, 4, is_stateful=bool(at)) for at in (0, 1)]
        return StreamsGroup(subs, [], 1)

    def _with_offsets(self, group: StreamsGroup) -> StreamsGroup:
        """Return the group with the offsets that its members reported to the broker."""
        offsets: dict[str, dict[Task, int]] = {}
        for line in self.teller.ask("offsets", self.app).splitlines() if group.members else ():
            member, _, listed = line.partition(" ")
            pairs = (each.split("=") for each in listed.split(",") if each)
            offsets[member] = {task_named(name): int(value) for name, value in pairs}
        members = [each._replace(offsets=offsets.get(each.id, {})) for each in group.members]
        return replace(group, members=members)

    def _on_disk(self, process: str) -> dict[Task, int]:
        """Return the offsets in the checkpoints of an instance that is to start."""
        name = next((each for each, of in self.homes.items() if of == process), "")
        return on_disk(self.members.folder / self.app / name / self.app) if name else {}

    def _start(self, name: str) -> None:
        folder = self.members.folder / self.app / name
        if not folder.exists():
            (folder / self.app).mkdir(parents=True)
            text = f'{{"processId":"{self.homes[name]}"}}'
            (folder / self.app / PROCESS_FILE).write_text(text)
        settings = {
            "bootstrap.servers": self.servers,
            "application.id": self.app,
            "state.dir": str(folder),
            "num.stream.threads": str(_THREADS),
            "group.protocol": "streams",
            "statestore.cache.max.bytes": "0",
            "commit.interval.ms": "500",
        }
        self.members.start(f"{self.app}-{name}", "streams", "orders", settings)

    def _read(self, processes: set[str]) -> StreamsGroup | None:
        """Return the group once it has these instances and its members have their targets."""
        try:
            text = self.teller.ask("streams", self.app)
            (reading,) = read_text(f"{text}\n\n{self.topology}")
        except (SourceError, ValueError):
            return None
        group = reading.as_kind
        if not isinstance(group, StreamsGroup) or reading.rebalancing is not None:
            return None
        active = sorted(task.name for each in group.members for task in each.active)
        copies = sorted(task.name for each in group.members for task in each.standby)
        stateful = sorted(name for name in TASKS if name.startswith("1")) * (len(processes) > 1)
        is_all = active == sorted(TASKS) and copies == stateful
        is_whole = len(group.members) == _THREADS * len(processes)
        is_here = {each.process for each in group.members} == processes
        return group if is_all and is_whole and is_here else None


def _bare(member: StreamsMember) -> StreamsMember:
    """Return a member as it joins."""
    return StreamsMember(member.id, member.process)


def _answers(group: StreamsGroup) -> Iterator[Mapping[str, MemberTasks]]:
    """Yield the target for each order in which the broker's map may hold the members."""
    for order in orders_of([each.id for each in group.members]).positions:
        members = [group.members[at] for at in order]
        yield STICKY.assign(replace(group, members=members)).members
