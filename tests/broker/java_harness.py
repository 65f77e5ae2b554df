"""Kafka's own Java classes, asked over the pipes of one process: see java/Harness.java."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO, Any, Final, cast

from tests.broker.kafka_jars import classpath, java

_SOURCES: Final = Path(__file__).parent / "java"
_PATIENCE_S: Final = 120


class HarnessError(RuntimeError):
    """What a Java class answered in place of a result."""


@dataclass
class Harness:
    """The process; one command and its answer at a time."""

    process: subprocess.Popen[str]
    _lock: Lock = field(default_factory=Lock)

    def ask(self, do: str, **command: Any) -> Mapping[str, Any]:  # noqa: ANN401 - it is JSON
        """Return the answer to one command. Raises HarnessError."""
        with self._lock:
            said, heard = cast("IO[str]", self.process.stdin), cast("IO[str]", self.process.stdout)
            said.write(json.dumps({"do": do, **command}) + "\n")
            said.flush()
            answer: dict[str, Any] = json.loads(heard.readline() or '{"error": "it ended"}')
        if set(answer) == {"error"}:
            raise HarnessError(answer["error"])
        return answer


@contextmanager
def running_harness(folder: Path) -> Iterator[Harness]:
    """Compile the Java sources into a folder and run them."""
    jars = [str(jar) for jar in sorted(Path(classpath()).parent.glob("*.jar"))]
    compiler = next(jar for jar in jars if Path(jar).name.startswith("ecj-"))
    paths = ":".join([str(folder), *jars])
    compiling = [java(), "-jar", compiler, "-17", "-nowarn", "-d", str(folder), "-cp", paths]
    subprocess.run(  # noqa: S603 - the machine's own Java
        [*compiling, str(_SOURCES)], check=True, timeout=_PATIENCE_S
    )
    command = [java(), "-Xmx400m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", paths]
    with (
        (folder / "harness.log").open("w") as log,
        subprocess.Popen(  # noqa: S603
            [*command, "Harness"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            yield Harness(process)
        finally:
            process.kill()
