"""Clients' real libraries, built once into the user's cache and asked about groups."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
_BUILD_TIMEOUT_S: Final = 900
_ANSWER_TIMEOUT_S: Final = 120
GO: Final = ("kafka-go-", "sarama-", "franz-go-")
"""How the names of strategies begin that Go's libraries answer."""
LIBRDKAFKA: Final = "librdkafka-"
_CLIENTS: Final = 50
"""So many clients of librdkafka share a process."""


class NoOracleError(RuntimeError):
    """Why a library cannot be asked here."""


def _cache(name: str) -> Path:
    root = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    return root / "kafka-assignments-tests" / "oracles" / name


@cache
def go_oracle() -> list[str]:
    """Return the command of the harness of Go's libraries; the first call builds it."""
    folder = _cache("go")
    _build(["go", "build", "-o", "oracle", "."], _HERE / "go", folder)
    return [str(folder / "oracle")]


@cache
def keda_oracle() -> list[str]:
    """Return the command of the harness of KEDA's scaler; the first call builds it, for minutes."""
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
    """Build in a copy of the sources, unless that was done; one process at a time."""
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
    """Tell whether the libraries can be asked on this machine."""
    try:
        go_oracle()
        kafkajs_oracle()
    except NoOracleError:
        return False
    return True


def answers(strategy: str, groups: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the real library's assignment of each group, given as group JSON.

    Raises NoOracleError where it cannot be asked.
    """
    lines = [json.dumps({**group, "strategy": strategy}) for group in groups]
    return [answer["assignment"] for answer in _answers(strategy, lines)]


def keda_answers(cases: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what KEDA's own scaler says of each case; main.go shows the form of both.

    Raises NoOracleError where it cannot be asked.
    """
    return _asked(keda_oracle(), [json.dumps(case) for case in cases])


def _answers(strategy: str, lines: list[str]) -> list[dict[str, Any]]:
    if strategy.startswith(GO):
        return _asked(go_oracle(), lines)
    if strategy.startswith(LIBRDKAFKA):  # every group leaves a client behind
        command = [sys.executable, "-m", "tests.oracles.librdkafka"]
        rows = [lines[start : start + _CLIENTS] for start in range(0, len(lines), _CLIENTS)]
        return [answer for row in rows for answer in _asked(command, row)]
    return _asked(kafkajs_oracle(), lines)


def _asked(command: list[str], lines: list[str]) -> list[dict[str, Any]]:
    try:
        done = subprocess.run(  # noqa: S603 -- the harness
            command,
            input="\n".join(lines),
            cwd=_HERE.parents[1],
            capture_output=True,
            text=True,
            check=True,
            timeout=_ANSWER_TIMEOUT_S,
        )
    except (subprocess.SubprocessError, OSError) as error:
        message = f"{command[0]} failed: {getattr(error, 'stderr', '') or error}"
        raise NoOracleError(message) from error
    return [json.loads(line) for line in done.stdout.splitlines()]
