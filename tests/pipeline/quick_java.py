"""Java options for tests, which end before optimised code would pay off."""

import os
import subprocess
from collections.abc import Mapping
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Final

from pipeline.java import class_archive, java_home
from tests.pipeline.processes import REPOSITORY, pipeline

_QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable"
_PREPARED_BY: Final = ("requirements.txt", "pipeline/jobs/prepare.py", "pipeline/java.py")


def java_options(cache: Path, *, prepares: bool = True) -> str:
    """Return options for little compilation and for the class archive that ``prepare`` creates.

    The archive saves half of the CPU time of Spark's start, and costs as much as eight starts: who
    starts Spark a few times (``prepares=False``) uses it where it is already there.
    """
    with (cache / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        done = cache / "prepared"
        changed = max((REPOSITORY / file).stat().st_mtime for file in _PREPARED_BY)
        is_prepared = done.exists() and done.stat().st_mtime >= changed
        if not (is_prepared or prepares):
            return _QUICK
        if not is_prepared:
            environ = {**prepared(cache), "JDK_JAVA_OPTIONS": _QUICK}
            ended = subprocess.run(  # noqa: S603 -- ourselves
                pipeline("prepare"),
                cwd=REPOSITORY,
                env=environ,
                capture_output=True,
                check=True,
                text=True,
            )
            done.write_text(ended.stderr)
    return f"{_QUICK} -XX:SharedArchiveFile={class_archive(prepared(cache))}"


def prepared(cache: Path) -> Mapping[str, str]:
    """Return the environment of a machine on which ``prepare`` has run."""
    own = {"XDG_CACHE_HOME": str(cache), "JAVA_HOME": str(java_home())}
    return {**os.environ, **own, "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}
