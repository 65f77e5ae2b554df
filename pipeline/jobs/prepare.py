"""Make later starts on this machine faster: keep Spark's classes as Java has loaded them.

The archive takes 180 MB of the user's cache. Repeat this after an update of Spark or Java.
"""

import os
import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path
from tempfile import TemporaryDirectory

from assignors.registry import STRATEGIES
from pipeline.generating.fleet import Request, generate
from pipeline.java import class_archive, java_home
from pipeline.jobs.opening import tables_on_spark
from pipeline.progress import Progress
from pipeline.runs import Run
from pipeline.session import LOCAL


def add_arguments(_parser: ArgumentParser) -> None:
    """Add no options."""


def main(options: Namespace) -> None:
    """Run over a small fleet; Java writes the loaded classes when it ends."""
    os.environ["JAVA_HOME"] = str(java_home())
    archive, progress = class_archive(), Progress(6)
    archive.unlink(missing_ok=True)
    archive.parent.mkdir(parents=True, exist_ok=True)
    written = archive.with_suffix(f".{os.getpid()}")
    keep = shlex.quote(f"-XX:ArchiveClassesAtExit={written}")
    options.master, options.remote, options.event_log = LOCAL, None, None
    options.conf = [("spark.driver.extraJavaOptions", keep)]
    with TemporaryDirectory() as folder:
        options.output = f"{folder}/tables"
        generate(Request(groups=20), Path(folder, "telemetry"))
        with tables_on_spark(options, progress) as (spark, lake):
            Run(spark, lake, tuple(STRATEGIES), progress).batch([f"{folder}/telemetry"])
            java = vars(spark.sparkContext._gateway)["proc"]  # noqa: SLF001 -- nothing public
            spark.stop()  # else PySpark's accumulator server reports the end of Java as an error
    with progress.stage("keeping Spark's classes"):
        java.stdin.close()  # which ends it
        java.wait()
    if not written.is_file():
        progress.report("this Java cannot keep classes, so Spark starts no faster than before")
        return
    written.replace(archive)
    progress.report(f"{archive.stat().st_size / 1e6:.0f} MB in {archive}")
