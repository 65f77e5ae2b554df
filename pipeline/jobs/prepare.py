"""``python -m pipeline prepare``: make Spark start in half the time on this machine.

Needed once, and again after an update of Java or Spark: a run over the sample telemetry, about
half a minute, after which Java writes the classes it has read to a file of about 200 MB in the
user's cache ($XDG_CACHE_HOME or ~/.cache). Without that file all works, and starts slower.
"""

import os
import shlex
import signal
import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Final

from pipeline.archive import Archive, quoted
from pipeline.errors import PipelineError
from pipeline.java import Java, java_found
from pipeline.packing import ROOT
from pipeline.session import local_archive

_TELEMETRY: Final = ROOT / "sample_data" / "fleet" / "telemetry"
_STRATEGY: Final = "range"
"""One is enough: Java reads the same classes for all."""
_PATIENCE_S: Final = 30


def add_arguments(_parser: ArgumentParser) -> None:
    """Add nothing: there is nothing to choose."""


def main(_arguments: Namespace) -> None:
    """Write the archive unless it is there, and say where it is."""
    signal.signal(signal.SIGTERM, _cancel)
    java = java_found()
    archive = local_archive(java)
    there = archive.found()
    if there:
        sys.stdout.write(f"prepared already: {there}\n")
        return
    _check_base(java)
    kept = _written(archive)
    sys.stdout.write(f"prepared: {kept}, {kept.stat().st_size / 1e6:.0f} MB\n")


def _cancel(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def has_base(java: Java) -> bool:
    """Tell whether this Java came with an archive of its own classes, which ours adds to."""
    command = [str(java.home / "bin" / "java"), "-Xshare:on", "-version"]
    asked = subprocess.run(command, capture_output=True, timeout=_PATIENCE_S, check=False)  # noqa: S603
    return asked.returncode == 0


def _check_base(java: Java) -> None:
    """Raise PipelineError if there is nothing to add to."""
    if not has_base(java):
        message = (
            f"{java.found} came without an archive of its own classes, to which Spark's could be "
            "added; all works as before; for a faster start install Java 17 or 21 and set JAVA_HOME"
        )
        raise PipelineError(message)


def _written(archive: Archive) -> Path:
    """Run over the sample, and return the archive that Java has left in its place."""
    if not archive.folder:
        message = "there is no cache to prepare in; set XDG_CACHE_HOME to a folder"
        raise PipelineError(message)
    try:
        archive.folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(prefix="prepare-", dir=archive.folder) as scratch:
            file = Path(scratch, "spark.jsa")
            said = _run(file, Path(scratch, "tables"))
            kept = archive.keep(file)
    except OSError as error:
        message = f"cannot prepare in {archive.folder}: {error.strerror}"
        raise PipelineError(message) from error
    if not kept:
        message = f"Java has left no whole archive in {archive.folder}; it said: {said}"
        raise PipelineError(message)
    return kept


def _run(file: Path, tables: Path) -> str:
    """Run the pipeline until its Java has ended too, and return the last line that was said.

    Java writes the archive after Python has ended. It shares the pipe that Python's words come
    through, whose end is therefore that of both.
    """
    asked = ["run", "--master", "local[2]", "--strategies", _STRATEGY]
    command = [sys.executable, "-m", "pipeline", *asked]
    command += ["--input", str(_TELEMETRY), "--output", str(tables)]
    with subprocess.Popen(  # noqa: S603 - ourselves
        command,
        cwd=ROOT,
        env=_environ(file),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # Ctrl-C reaches it through us, once
    ) as process:
        try:
            said, _ = process.communicate()
        except BaseException:
            process.terminate()
            process.communicate()
            raise
    last = said.strip().rpartition("\n")[2]
    if process.returncode:
        message = f"the run over the sample telemetry failed: {last}"
        raise PipelineError(message)
    return last


def _environ(file: Path) -> Mapping[str, str]:
    """Return an environment in which Spark's Java writes an archive when it ends.

    PYSPARK_SUBMIT_ARGS is Spark's own way to give settings to a program from outside; these
    options of Java come before, and beside, those that the session sets.
    """
    option = quoted(f"-XX:ArchiveClassesAtExit={file}")
    setting = f"spark.driver.defaultJavaOptions=-Xlog:cds*=error {option}"
    arguments = shlex.join(["--conf", setting, "pyspark-shell"])
    return os.environ | {"PYSPARK_SUBMIT_ARGS": arguments}
