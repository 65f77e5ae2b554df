"""A Connect cluster: its workers come, go and return."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.client import HTTPConnection
from json import dumps
from typing import Final

from assignors.connect.cluster import ConnectCluster, Worker
from benchmarks.dashboard import HOST, free_port
from evaluation.kinds.asking import forecast
from evaluation.kinds.forecast import OtherMembers
from live.cluster import connect
from live.errors import LiveError
from live.member_bytes import worker_state
from live.properties import Properties
from live.reading import read_group
from sources.live_kinds import cluster_of
from tests.broker.kind_events import PATIENCE_S, Seen, counts_of, settled
from tests.broker.kind_members import KindMembers

KIND: Final = "Connect"
CONNECTORS: Final = {"numbers": 4, "zeros": 3}
"""Connectors and their tasks."""
MAX_DELAY_MS: Final = 4_000
_PREFIX: Final = "connect-"


@dataclass
class ConnectWorkers:
    """A cluster with its workers on this machine, and what its rebalances brought."""

    servers: str
    members: KindMembers
    group: str
    seen: list[Seen] = field(default_factory=list)
    ports: dict[str, int] = field(default_factory=dict)
    now: ConnectCluster | None = None
    leader: str = ""
    """The leading worker's id."""

    def begin(self, *names: str) -> None:
        """Start the first workers and configure the connectors."""
        for name in names:
            self._start(name)
        for connector, tasks in CONNECTORS.items():
            _configure(self.ports[names[0]], connector, tasks)
        self._settle(set(names), "start")

    def join(self, name: str, event: str = "join") -> None:
        """Forecast what one more worker brings, start it, and compare."""
        self._compare(event, OtherMembers(more=1), {name}, lambda: self._start(name))

    def leave(self, name: str, event: str, act: Callable[[str], None]) -> None:
        """Forecast what one worker less brings, end or kill it, and compare."""
        worker = self._worker(name)
        gone = OtherMembers(
            without=(worker.removeprefix(_PREFIX),), is_leader=worker == self.leader
        )
        self._compare(event, gone, set(), lambda: act(f"{self.group}-{name}"))

    @property
    def following(self) -> str:
        """The name of the first worker that does not lead."""
        return next(name for name in self.ports if self._worker(name) not in {"", self.leader})

    @property
    def leading(self) -> str:
        """The name of the worker that leads."""
        return next(name for name in self.ports if self._worker(name) == self.leader)

    def _compare(
        self, event: str, what_if: OtherMembers, more: set[str], act: Callable[[], None]
    ) -> None:
        assert self.now is not None
        before, found = self.now, forecast(self.now, what_if)
        gone = tuple(f"{_PREFIX}{each}" for each in what_if.without)
        names = {name for name in self.ports if self._worker(name) not in {"", *gone}} | more
        act()
        after = self._settle(names, event)
        held = forecast(after).now
        new = {each.id for each in after.workers} - {each.id for each in before.workers}
        known = replace(before, workers=[*before.workers, *(Worker(each) for each in sorted(new))])
        then = forecast(known, what_if._replace(more=0)).then
        self.seen.append(
            Seen(
                KIND,
                event,
                self.group,
                is_as_stated=counts_of(found.then) == counts_of(held),
                is_right=then == held,
                is_right_by_thread=then == held,
                is_sole=True,
                detail="" if then == held else f"{then} / {held}",
            )
        )

    def _settle(self, names: set[str], event: str) -> ConnectCluster:
        ports = {f":{self.ports[name]}-" for name in names if name in self.ports}
        self.now, self.leader = settled(lambda: self._read(ports), f"{self.group}, {event}")
        return self.now

    def _worker(self, name: str) -> str:
        """Return a worker's member id; "" if it is none now."""
        port, workers = f":{self.ports.get(name)}-", self.now.workers if self.now else ()
        return next((each.id for each in workers if port in each.id), "")

    def _read(self, ports: set[str]) -> tuple[ConnectCluster, str] | None:
        """Return the cluster once it has these workers, all work is placed and none waits."""
        with connect(Properties({"bootstrap.servers": self.servers})) as cluster:
            try:
                group = read_group(cluster, self.group)
            except LiveError:
                return None
        if group.description.state != "Stable":
            return None
        found = cluster_of(group)
        if found is None or {_port(each.id) for each in found.workers} != ports:
            return None
        work = sorted(each for worker in found.workers for each in worker.holds)
        if work != sorted(replace(found, configured=CONNECTORS).work):
            return None
        first = group.description.members[0]
        state = worker_state(first.metadata, first.assignment)
        return None if state is None else (found, state.leader)

    def _start(self, name: str) -> None:
        port = self.ports.setdefault(name, free_port())
        converter = "org.apache.kafka.connect.json.JsonConverter"
        storage = {
            f"{what}.storage.{key}": value
            for what in ("offset", "config", "status")
            for key, value in (("topic", f"{self.group}-{what}"), ("replication.factor", "1"))
        }
        settings = storage | {
            "bootstrap.servers": self.servers,
            "group.id": self.group,
            "key.converter": converter,
            "value.converter": converter,
            "offset.storage.partitions": "1",
            "status.storage.partitions": "1",
            "listeners": f"http://{HOST}:{port}",
            "rest.advertised.host.name": HOST,
            "session.timeout.ms": "10000",
            "heartbeat.interval.ms": "1000",
            "scheduled.rebalance.max.delay.ms": str(MAX_DELAY_MS),
        }
        self.members.start_worker(f"{self.group}-{name}", settings)


def _port(worker: str) -> str:
    """Return where a worker listens, by its id."""
    return f":{worker.split(':', 1)[1].split('-', 1)[0]}-"


def _configure(port: int, name: str, tasks: int) -> None:
    """Create a connector, once the worker answers."""
    body = dumps({"connector.class": "NumbersSource", "tasks.max": str(tasks)})
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        connection = HTTPConnection(HOST, port, timeout=20)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("PUT", f"/connectors/{name}/config", body, headers)
            if connection.getresponse().status in {200, 201}:
                return
        except OSError:
            pass
        finally:
            connection.close()
        time.sleep(0.5)
    message = "no worker took the connector"
    raise AssertionError(message)
