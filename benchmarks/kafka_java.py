"""Kafka's own assignors in Java, run by the harness in ``benchmarks/java``."""

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Final, cast

import numpy as np

from assignors.model import Group
from benchmarks.competitors import Competitor, Measured, UnavailableError
from benchmarks.measuring import Cost, Repeats
from benchmarks.workloads import JAVA

_HARNESS: Final = Path(__file__).parent / "java"
_JARS: Final = _HARNESS / "target" / "dependency"
_CLASSES: Final = _HARNESS / "target" / "classes"
_STRATEGIES: Final = frozenset({"range", "roundrobin", "sticky", "cooperative-sticky"})


@contextmanager
def kafka_java(*, offline: bool = False) -> Iterator[Competitor]:
    """Yield Kafka's Java assignors, all run by one virtual machine.

    ``offline`` uses only jars in Maven's local repository. Raises UnavailableError if Java, its
    compiler, Maven or the jars are unavailable.
    """
    for program in ("java", "javac", "mvn"):
        if shutil.which(program) is None:
            message = f"Kafka's Java, for there is no {program} on the PATH"
            raise UnavailableError(message)
    if not _JARS.exists() or _JARS.stat().st_mtime < (_HARNESS / "pom.xml").stat().st_mtime:
        _fetch(offline=offline)
    jars = f"{_JARS}/*"
    sources = [str(source) for source in sorted(_HARNESS.glob("*.java"))]
    _succeed(["javac", "-cp", jars, "-d", str(_CLASSES), *sources], "the harness did not compile")
    command = ["java", "-cp", f"{jars}{os.pathsep}{_CLASSES}", "Harness"]
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        ) as machine,
    ):
        version, java = _answer(machine)
        measure = partial(_measure, machine, Path(folder))
        yield Competitor(JAVA, f"{version} on Java {java}", _STRATEGIES, measure)
        cast("IO[str]", machine.stdin).close()


def _fetch(*, offline: bool) -> None:
    """Let Maven copy the jars to a new folder, so that either all of them are present or none."""
    with TemporaryDirectory(dir=_HARNESS) as folder:
        goal = ["dependency:copy-dependencies", f"-DoutputDirectory={folder}/jars"]
        mode = ["-o"] if offline else []
        _succeed(["mvn", "-q", "-B", *mode, *goal], "Maven could not fetch kafka-clients")
        shutil.rmtree(_JARS, ignore_errors=True)
        _JARS.parent.mkdir(exist_ok=True)
        (Path(folder) / "jars").rename(_JARS)


def _succeed(command: list[str], otherwise: str) -> None:
    finished = subprocess.run(command, cwd=_HARNESS, capture_output=True, text=True, check=False)
    if finished.returncode:
        output = (finished.stdout + finished.stderr).strip().splitlines() or ["nothing"]
        message = f"Kafka's Java, for {otherwise}: {output[0]}"
        raise UnavailableError(message)


def _answer(machine: subprocess.Popen[str]) -> list[str]:
    line = cast("IO[str]", machine.stdout).readline()
    if not line:
        message = "the Java harness ended; its output is above"
        raise RuntimeError(message)
    return line.split()


def _measure(
    machine: subprocess.Popen[str], folder: Path, strategy: str, group: Group, budget: Repeats
) -> Measured:
    """Write the group to a file and let the harness run it; return median costs and owners."""
    question, answer = folder / "group", folder / "owners"
    question.write_bytes(_encoded(group))
    job = (strategy, question, answer, budget.runs, 1000 * budget.budget_s)
    print(*job, sep="\t", file=machine.stdin, flush=True)
    cpu_ms, wall_ms = map(float, _answer(machine))
    owners = np.fromfile(answer, ">i4").astype(np.int32)
    return Measured(Cost(cpu_ms / 1000, wall_ms / 1000), owners)


def _encoded(group: Group) -> bytes:
    """Encode the group for the harness: big-endian, each list preceded by its length."""
    parts = []
    for names in (group.topics, group.members):
        encoded = [name.encode() for name in names]
        parts.append(struct.pack(">i", len(names)))
        parts += [struct.pack(">H", len(name)) + name for name in encoded]
    for numbers in (
        *(
            group.topic_sizes,
            group.layout.class_starts,
            group.layout.class_topics,
            group.layout.class_of_member,
        ),
        *(group.claims.generations, group.claims.starts, group.claims.partitions),
    ):
        parts += [struct.pack(">i", numbers.size), numbers.astype(">i4").tobytes()]
    return b"".join(parts)
