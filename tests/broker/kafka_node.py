"""A real Apache Kafka on loopback: formatted, started, killed, restarted and cleaned up by tests.

    with running_cluster(tmp_path) as kafka:      # one node; nodes=3 for three racks
        AdminClient({"bootstrap.servers": kafka.bootstrap})
        kafka.kill()                              # kill -9 of every node
        kafka.restart()                           # on the same data and ports; waits until ready

Every node is a broker; the first is the controller, too (KRaft). Node 1 is in rack-a, node 2
in rack-b, and so on.
"""

import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from confluent_kafka import Consumer, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient

from benchmarks.dashboard import HOST, free_port
from plugins.kafka_jars import classpath, java

NEVER_KILLED: Final = {"broker.session.timeout.ms": "60000"}
"""Settings of a cluster that keeps its brokers registered, however slow they are."""
_CLUSTER_ID: Final = "a2Fma2EtYXNzaWdubWVudA"
_STARTUP_S: Final = 120
_STOP_S: Final = 20
_HEAP: Final = ("-Xms64m", "-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_SETTINGS: Final = {
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": (
        "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL_PLAINTEXT:SASL_PLAINTEXT"
    ),
    "inter.broker.listener.name": "PLAINTEXT",
    "offsets.topic.num.partitions": "4",
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    "auto.create.topics.enable": "false",
    "broker.session.timeout.ms": "3000",  # how long the controller waits after a kill
    "broker.heartbeat.interval.ms": "500",
    "group.initial.rebalance.delay.ms": "300",
    "group.min.session.timeout.ms": "1000",
    "group.consumer.min.session.timeout.ms": "3000",
    "group.consumer.session.timeout.ms": "20000",
    "group.consumer.min.heartbeat.interval.ms": "200",
    "group.consumer.heartbeat.interval.ms": "300",
    "log.flush.offset.checkpoint.interval.ms": "1000",
    "num.network.threads": "2",
    "num.io.threads": "4",
    "log.cleaner.dedupe.buffer.size": "8388608",
    "log.cleaner.threads": "1",
}


@dataclass
class Node:
    """One broker process with its data and its ports."""

    number: int
    folder: Path
    port: int
    plugins: tuple[Path, ...] = ()
    """Jars that its own class path has in addition."""
    process: subprocess.Popen[bytes] | None = None
    log: IO[bytes] | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        """The address for clients."""
        return f"{HOST}:{self.port}"

    @property
    def classpath(self) -> str:
        """Kafka's jars and its own."""
        return ":".join([classpath(), *map(str, self.plugins)])

    def start(self) -> None:
        """Start the node on its existing data, without waiting until it is ready."""
        command = [java(), *_HEAP, "-cp", self.classpath, "kafka.Kafka", "server.properties"]
        self.log = (self.folder / "broker.log").open("ab")
        self.process = subprocess.Popen(  # noqa: S603 - the machine's own Java
            command, cwd=self.folder, stdout=self.log, stderr=subprocess.STDOUT
        )

    def end(self, how: signal.Signals) -> None:
        """Send the signal and wait; a node that does not stop in time is killed."""
        if self.process is not None:
            self.process.send_signal(how)
            try:
                self.process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None
        if self.log is not None:
            self.log.close()
            self.log = None

    def log_tail(self) -> str:
        """Return the end of its log, for the message of a failing test."""
        return (self.folder / "broker.log").read_text(errors="replace")[-3000:]


@dataclass
class Cluster:
    """The nodes of one cluster."""

    nodes: list[Node]

    @property
    def bootstrap(self) -> str:
        """Its bootstrap servers."""
        return ",".join(node.address for node in self.nodes)

    def start(self) -> None:
        """Start every node and wait until all of them respond."""
        for node in self.nodes:
            node.start()
        self._await_ready()

    def stop(self) -> None:
        """Stop every node cleanly; brokers first, because none stops without the controller."""
        for node in reversed(self.nodes):
            node.end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill every node, as kill -9 does."""
        for node in self.nodes:
            node.end(signal.SIGKILL)

    def restart(self) -> None:
        """Start again after `stop` or `kill`, on the same data and ports."""
        self.start()

    def pause(self) -> None:
        """Freeze every node: its port still accepts connections, but nothing answers."""
        for node in self.nodes:
            if node.process is not None:
                node.process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let frozen nodes continue."""
        for node in self.nodes:
            if node.process is not None:
                node.process.send_signal(signal.SIGCONT)

    def await_coordinators(self) -> None:
        """Wait until the offsets topic exists and has leaders, so that groups can be described."""
        for number in range(8):
            consumer = Consumer(
                {"bootstrap.servers": self.bootstrap, "group.id": f"early-{number}"}
            )
            for _ in range(60):
                try:
                    consumer.committed([TopicPartition("none", 0)], timeout=10)
                    break
                except KafkaException:
                    continue
            consumer.close()

    def _await_ready(self) -> None:
        admin = AdminClient({"bootstrap.servers": self.bootstrap, "log_level": 0})
        until = time.monotonic() + _STARTUP_S
        while time.monotonic() < until:
            for node in self.nodes:
                if node.process is not None and node.process.poll() is not None:
                    message = f"Kafka ended while starting:\n{node.log_tail()}"
                    raise RuntimeError(message)
            try:
                if len(admin.list_topics(timeout=2).brokers) == len(self.nodes):
                    return
            except KafkaException:
                time.sleep(0.2)
        message = f"Kafka was not ready after {_STARTUP_S} s:\n{self.nodes[0].log_tail()}"
        raise RuntimeError(message)


@contextmanager
def running_cluster(
    folder: Path,
    nodes: int = 1,
    settings: Mapping[str, str] | None = None,
    plugins: tuple[Path, ...] = (),
) -> Iterator[Cluster]:
    """Run a cluster in a folder, and stop it whatever the test did to it.

    `settings` are server properties that extend or override the usual ones; `plugins` are jars.
    """
    cluster = formatted_cluster(folder, nodes, settings or {}, plugins)
    with ExitStack() as ending:
        ending.callback(cluster.stop)
        ending.callback(cluster.resume)
        cluster.start()
        yield cluster


def formatted_cluster(
    folder: Path, nodes: int, settings: Mapping[str, str], plugins: tuple[Path, ...] = ()
) -> Cluster:
    """Create the nodes' folders and format their storage, without starting them."""
    controller, *ports = (free_port() for _ in range(nodes + 1))
    made = [Node(at + 1, folder / f"node-{at + 1}", port, plugins) for at, port in enumerate(ports)]
    for node in made:
        node.folder.mkdir(parents=True)
        text = {**_properties(node, controller), **_SETTINGS, **settings}
        lines = [f"{key}={value}\n" for key, value in text.items()]
        (node.folder / "server.properties").write_text("".join(lines))
    with ThreadPoolExecutor() as pool:
        list(pool.map(_format, made))
    return Cluster(made)


def _properties(node: Node, controller: int) -> dict[str, str]:
    """Return the properties that differ between nodes."""
    own = f"PLAINTEXT://{node.address}"
    is_controller = node.number == 1
    return {
        "node.id": str(node.number),
        "process.roles": "broker,controller" if is_controller else "broker",
        "controller.quorum.voters": f"1@{HOST}:{controller}",
        "listeners": f"{own},CONTROLLER://{HOST}:{controller}" if is_controller else own,
        "advertised.listeners": own,
        "broker.rack": f"rack-{'abcdefgh'[node.number - 1]}",
        "log.dirs": str(node.folder / "data"),
    }


def _format(node: Node) -> None:
    command = [java(), "-XX:TieredStopAtLevel=1", "-cp", node.classpath, "kafka.tools.StorageTool"]
    done = subprocess.run(  # noqa: S603 - the machine's own Java
        [*command, "format", "-t", _CLUSTER_ID, "-c", "server.properties"],
        cwd=node.folder,
        capture_output=True,
        text=True,
        timeout=_STARTUP_S,
        check=False,
    )
    if done.returncode != 0:
        message = f"Kafka's storage could not be formatted:\n{done.stdout}{done.stderr}"
        raise RuntimeError(message)
