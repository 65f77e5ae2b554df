"""The real libraries of clients, built once into the user's cache."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_BUILD_TIMEOUT_S: Final = 900
_ANSWER_TIMEOUT_S: Final = 120
GO: Final = ("kafka-go-", "sarama-", "franz-go-")
"""Prefixes of the strategies implemented in Go libraries."""
LIBRDKAFKA: Final = "librdkafka-"
PYTHON: Final = ("aiokafka-", "kafka-python-")
_CLIENTS: Final = 50
"""librdkafka clients per process."""


class NoOracleError(RuntimeError):
    """A library cannot be run here; the message says why."""


def _cache(name: str) -> Path:
    root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "kafka-assignments-tests" / "oracles" / name


@cache
def go_oracle() -> list[str]:
    """Return the command of the harness of the Go libraries; the first call builds it."""
    folder = _cache("go")
    _build(["go", "build", "-o", "oracle", "."], _HERE / "go", folder)
    return [str(folder / "oracle")]


@cache
def keda_oracle() -> list[str]:
    """Return the command of the harness of KEDA's scaler; the first call takes minutes to build."""
    folder = _cache("keda")
    _build(["sh", "build.sh"], _HERE / "keda", folder)
    return [str(folder / "oracle")]


@cache
def kafkajs_oracle() -> list[str]:
    """Return the command of KafkaJS's harness; the first call fetches the package."""
    folder = _cache("kafkajs")
    _build(["npm", "install", "--no-package-lock"], _HERE / "kafkajs", folder)
    return ["node", str(folder / "main.js")]


def _build(command: list[str], sources: Path, folder: Path) -> None:
    """Build in a copy of the sources, once; one process at a time."""
    if shutil.which(command[0]) is None:
        message = f"{command[0]} is not on the PATH"
        raise NoOracleError(message)
    folder.mkdir(parents=True, exist_ok=True)
    content = "".join(path.read_text() for path in sorted(sources.iterdir()))
    built = folder / "built"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if built.is_file() and built.read_text() == content:
            return
        shutil.copytree(sources, folder, dirs_exist_ok=True)
        try:
            subprocess.run(  # noqa: S603 -- the commands above
                command, cwd=folder, check=True, capture_output=True, timeout=_BUILD_TIMEOUT_S
            )
        except (subprocess.SubprocessError, OSError) as error:
            message = f"{' '.join(command)} failed in {sources.name}: {error}"
            raise NoOracleError(message) from error
        built.write_text(content)


def are_to_be_had() -> bool:
    """Return whether the libraries can be run on this machine."""
    try:
        go_oracle()
        kafkajs_oracle()
    except NoOracleError:
        return False
    return True


def answers(
    strategy: str, groups: Iterable[dict[str, Any]], **environment: str
) -> list[dict[str, Any] | None]:
    """Return the real library's assignment of each group, given as group JSON; None if it fails.

    Raises NoOracleError if it cannot be run.
    """
    lines = [json.dumps({**group, "strategy": strategy}) for group in groups]
    if strategy.startswith(LIBRDKAFKA):
        found = _asked_in_rows([sys.executable, "-m", "tests.oracles.librdkafka"], lines)
    elif strategy.startswith(PYTHON):
        command = [sys.executable, "-m", "tests.oracles.python"]
        found = _asked(command, lines, environment)
    else:
        found = _asked(go_oracle() if strategy.startswith(GO) else kafkajs_oracle(), lines)
    return [answer["assignment"] for answer in found]


def seen_answers(strategy: str, groups: Iterable[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the distinct results of many calls of a Go library for each group."""
    lines = [json.dumps({**group, "strategy": strategy}) for group in groups]
    return [answer["seen"] for answer in _asked(go_oracle(), lines)]


def keda_answers(cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the result of KEDA's own scaler for each case; main.go documents both formats.

    Raises NoOracleError if it cannot be run.
    """
    return _asked(keda_oracle(), [json.dumps(case) for case in cases])


def _asked_in_rows(command: list[str], lines: list[str]) -> list[dict[str, Any]]:
    """Run in batches, because every group leaves a client behind; continue after a crash."""
    found: list[dict[str, Any]] = []
    while len(found) < len(lines):
        done = _run(command, lines[len(found) : len(found) + _CLIENTS])
        found += map(json.loads, done.stdout.splitlines())
        if done.returncode < 0:  # killed by a signal
            found.append({"assignment": None})
        elif done.returncode:
            raise NoOracleError(done.stderr)
    return found


def _asked(
    command: list[str], lines: list[str], environment: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    done = _run(command, lines, environment)
    if done.returncode:
        message = f"{command[0]} failed: {done.stderr}"
        raise NoOracleError(message)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _run(
    command: list[str], lines: list[str], environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 -- the harness
            command,
            input="\n".join(lines),
            cwd=_HERE.parents[1],
            env={**os.environ, **(environment or {})},
            capture_output=True,
            text=True,
            check=False,
            timeout=_ANSWER_TIMEOUT_S,
        )
    except (subprocess.SubprocessError, OSError) as error:
        message = f"{command[0]} failed: {error}"
        raise NoOracleError(message) from error
