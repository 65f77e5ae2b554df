"""Members of groups that are no consumer groups, each a Java process of its own, for proofs."""

import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO, Final, cast

from plugins.kafka_jars import classpath, connect, java, logger, streams

_SOURCES: Final = Path(__file__).parent / "java_kinds"
_WORKER: Final = "org.apache.kafka.connect.cli.ConnectDistributed"
_SMALL: Final = ("-Xmx160m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_QUIET: Final = ("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",)
_TIMEOUT_S: Final = 120
_END: Final = ".\n"


@dataclass
class KindMembers:
    """Running processes by name; all end with the test."""

    folder: Path
    paths: str
    running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)

    def start(self, name: str, kind: str, topics: str, settings: Mapping[str, str]) -> None:
        """Start an instance or a consumer."""
        words = [f"{key}={value}" for key, value in settings.items()]
        self._run(name, self.paths, "KindMember", kind, topics, *words)

    def start_worker(self, name: str, settings: Mapping[str, str]) -> None:
        """Start a worker of a Connect cluster."""
        file = self.folder / f"{name}.properties"
        file.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
        self._run(name, f"{self.folder}:{connect()}:{logger()}", _WORKER, str(file))

    def _run(self, name: str, paths: str, *words: str) -> None:
        command = [java(), *_SMALL, *_QUIET, "-cp", paths, *words]
        log = (self.folder / f"{name}.log").open("wb")
        self.running[name] = subprocess.Popen(command, stdout=log, stderr=log)  # noqa: S603
        log.close()

    def kill(self, name: str) -> None:
        """Kill a member as kill -9 does."""
        process = self.running.pop(name)
        process.kill()
        process.wait()

    def end(self, name: str) -> None:
        """Let a member leave its group and end."""
        process = self.running.pop(name)
        process.send_signal(signal.SIGTERM)
        process.wait(_TIMEOUT_S)

    def log_of(self, name: str) -> str:
        """Return the end of a member's log."""
        return (self.folder / f"{name}.log").read_text(errors="replace")[-2000:]


@contextmanager
def kind_members(folder: Path) -> Iterator[KindMembers]:
    """Compile the class, and end whatever is left running."""
    jars = sorted(Path(classpath()).parent.glob("*.jar"))
    compiler = next(str(jar) for jar in jars if jar.name.startswith("ecj-"))
    paths = ":".join([str(folder), classpath(), streams(), logger()])
    folders = (classpath(), streams(), connect())
    every = ":".join(str(jar) for each in folders for jar in Path(each).parent.glob("*.jar"))
    command = [java(), "-jar", compiler, "-17", "-nowarn", "-d", str(folder), "-cp", every]
    subprocess.run([*command, *map(str, _SOURCES.glob("*.java"))], check=True, timeout=_TIMEOUT_S)  # noqa: S603
    members = KindMembers(folder, paths)
    try:
        yield members
    finally:
        for name in list(members.running):
            members.kill(name)


class Teller:
    """Kafka's tools in one process: see java_kinds/KindTeller.java."""

    def __init__(self, members: KindMembers, servers: str) -> None:
        command = [java(), *_SMALL, "-cp", members.paths, "KindTeller", servers]
        log = (members.folder / "teller.log").open("wb")
        self.process = subprocess.Popen(  # noqa: S603
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        )
        log.close()
        self._lock = Lock()

    def ask(self, what: str, group: str) -> str:
        """Return what a tool prints on a group."""
        with self._lock:
            stdin = cast("IO[str]", self.process.stdin)
            stdin.write(f"{what} {group}\n")
            stdin.flush()
            return "".join(iter(cast("IO[str]", self.process.stdout).readline, _END))


@contextmanager
def running_teller(members: KindMembers, servers: str) -> Iterator[Teller]:
    """Start the tools, and end them."""
    teller = Teller(members, servers)
    try:
        yield teller
    finally:
        with teller.process as process:  # which closes its pipes
            process.kill()
