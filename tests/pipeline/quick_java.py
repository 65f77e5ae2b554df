"""Options for every Java of these tests: a test is over before a slow start would pay."""

import os
import subprocess
import sys
from fcntl import LOCK_EX, flock
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable"
_JOB: Final = """
import sys
from pipeline.session import open_session
session = open_session("local[1]")
rows = session.range(5).mapInArrow(lambda batches: batches, "id BIGINT")
rows.write.parquet(sys.argv[1])
session.read.parquet(sys.argv[1]).groupBy().count().collect()
session.stop()
"""


def java_options(folder: Path) -> str:
    """Return options that compile little and map Spark's classes from an archive in the folder.

    With the archive Spark starts in 60 % of the processor time. It is made once for an
    installation of Spark; a Java that it does not fit ignores it.
    """
    archive = folder / "spark.jsa"
    spark = find_spec("pyspark")
    assert spark is not None
    jars = Path(spark.origin or "").parent / "jars"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not archive.exists() or archive.stat().st_mtime < jars.stat().st_mtime:
            _make(archive, folder / f"rows-{os.getpid()}")
    return f"{_QUICK} -XX:SharedArchiveFile={archive}"


def _make(archive: Path, rows: Path) -> None:
    archive.unlink(missing_ok=True)
    environ = os.environ | {"JDK_JAVA_OPTIONS": f"{_QUICK} -XX:ArchiveClassesAtExit={archive}"}
    command = [sys.executable, "-c", _JOB, str(rows)]
    subprocess.run(command, env=environ, capture_output=True, check=True)  # noqa: S603 -- ourselves
    archive.touch()  # Java ends a little after Python: where it failed, none tries again
