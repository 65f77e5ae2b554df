"""Kafka's Java classes, called through the pipes of one process: see java/Harness.java."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final, cast

from plugins.build import BROKERS, CONSUMERS
from plugins.kafka_jars import classpath, java, logger

_SOURCES: Final = (Path(__file__).parent / "java", *CONSUMERS.sources, *BROKERS.sources[:1])
_LOGGING: Final = tuple(
    f"-Dorg.slf4j.simpleLogger.{name}"
    for name in ("defaultLogLevel=off", "log.kafkaassignments=info")
)
_TIMEOUT_S: Final = 120


class HarnessError(RuntimeError):
    """An error that a Java class raised instead of returning a result."""


@dataclass
class Harness:
    """The harness process; it handles one command at a time."""

    process: subprocess.Popen[str]
    log: Path
    """Its standard error, and what the assignors of ``plugins/`` log."""
    _lock: Lock = field(default_factory=Lock)

    def ask(self, do: str, **command: Any) -> Mapping[str, Any]:  # noqa: ANN401 - it is JSON
        """Return the result of a command. Raises HarnessError."""
        with self._lock:
            stdin, stdout = (
                cast("IO[str]", self.process.stdin),
                cast("IO[str]", self.process.stdout),
            )
            stdin.write(json.dumps({"do": do, **command}) + "\n")
            stdin.flush()
            answer: dict[str, Any] = json.loads(stdout.readline() or '{"error": "it ended"}')
        if set(answer) == {"error"}:
            raise HarnessError(answer["error"])
        return answer

    @property
    def java(self) -> int:
        """The feature version of the Java that runs the harness."""
        return int(self.ask("java")["version"])


def compiled(folder: Path) -> str:
    """Compile the Java sources into a folder; return the class path to run them on."""
    jars = [str(jar) for jar in sorted(Path(classpath()).parent.glob("*.jar"))]
    compiler = next(jar for jar in jars if Path(jar).name.startswith("ecj-"))
    paths = ":".join([str(folder), *jars])
    compiling = [java(), "-jar", compiler, "-17", "-nowarn", "-d", str(folder), "-cp", paths]
    subprocess.run(  # noqa: S603 - the machine's own Java
        [*compiling, *map(str, _SOURCES)], check=True, timeout=_TIMEOUT_S
    )
    return paths


@contextmanager
def running_harness(paths: str, log: Path, run_by: str) -> Iterator[Harness]:
    """Run the compiled harness on a Java; its standard error goes to a file."""
    command = [run_by, "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *_LOGGING]
    command += ["-cp", f"{paths}:{logger()}"]
    with (
        log.open("w") as stderr,
        subprocess.Popen(  # noqa: S603
            [*command, "Harness"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
        ) as process,
    ):
        try:
            yield Harness(process, log)
        finally:
            process.kill()
