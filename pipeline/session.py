"""The Spark session: on this machine, on a cluster, or through Spark Connect."""

import atexit
import os
import pickle
import shlex
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from pipeline.errors import PipelineError
from pipeline.ingest.files import first_line
from pipeline.java import class_archive, java_home
from pipeline.packing import ROOT, pack
from pipeline.supervised import SUBMITTED

LOCAL: Final = "local[*]"
KAFKA: Final = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.2.0"
S3: Final = "org.apache.hadoop:hadoop-aws:3.5.0"
AZURE: Final = "org.apache.hadoop:hadoop-azure:3.5.0"
GOOGLE: Final = "org.apache.hadoop:hadoop-gcp:3.5.0"
"""Maven coordinates that match PySpark 4.2.1; change them together."""
_STORES: Final = {"s3a": S3, "abfss": AZURE, "gs": GOOGLE}
EXCLUDED: Final = ",".join(
    (
        *("org.apache.hadoop:hadoop-client-api", "org.apache.hadoop:hadoop-client-runtime"),
        *("org.apache.parquet:parquet-hadoop", "org.slf4j:slf4j-api"),
        *("org.scala-lang:scala-library", "com.fasterxml.jackson.datatype:jackson-datatype-jdk8"),
        *(f"org.apache.logging.log4j:log4j-{part}" for part in ("api", "core", "slf4j2-impl")),
        *(f"com.fasterxml.jackson.core:jackson-{p}" for p in ("core", "databind", "annotations")),
    )
)
"""Their dependencies that Spark ships in other versions; also for ``--exclude-packages``."""

ONE_THREAD: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Spark starts a Python worker per core; more threads in each would compete for the cores."""

_SESSION: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    "spark.sql.legacy.parquet.nanosAsLong": "true",  # pandas writes nanoseconds
    "spark.sql.maxConcurrentOutputFileWriters": "40",  # days, without sorting by day first
}
"""Settings of every session, including remote ones."""

_START: Final = {
    "spark.app.name": "kafka-assignments",
    "spark.log.level": "ERROR",
    "spark.ui.showConsoleProgress": "false",
    "spark.python.sql.dataFrameDebugging.enabled": "false",  # else each call to Java becomes three
    **{f"spark.executorEnv.{name}": "1" for name in ONE_THREAD},
}
"""Settings that must be known when Spark starts."""

_LOCAL: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": str(max(4, os.cpu_count() or 1)),
}
"""Settings on one machine: reachable from nowhere else, and fewer than 200 shuffle partitions."""
_COMPILES: Final = "spark.sql.codegen.wholeStage"
_FEW_ROWS: Final = 20_000
_JAVA_OPTIONS: Final = "spark.driver.defaultJavaOptions"
_COLLECTOR: Final = "-XX:+UseParallelGC"
"""Takes a tenth less CPU than G1; Java does not start if options choose two collectors."""
_COMPILE_LATER: Final = "-XX:CompileThresholdScaling=4"
"""Most of what Spark runs once is not worth compiling: takes a tenth less CPU cold."""


def open_session(
    master: str | None = None,
    remote: str | None = None,
    *,
    packages: Sequence[str] = (),
    settings: Mapping[str, str] | None = None,
) -> SparkSession:
    """Return a session on the Connect server ``remote``, else on ``master``, else here.

    ``packages`` are Maven coordinates; Spark fetches them once and keeps them in ``~/.ivy2.5.2``.
    Under ``spark-submit`` Spark is already running, with its master, jars and code. Raises
    PipelineError if Spark does not start.
    """
    own = dict(settings or {})
    if remote:
        return _with_code(_built(SparkSession.builder.remote(remote), _SESSION | own))
    if SUBMITTED in os.environ:
        return _built(SparkSession.builder, _SESSION | _START | own)
    is_here = is_local(master)
    _prepare_environment(is_local=is_here)
    jars = {"spark.jars.packages": ",".join(packages), "spark.jars.excludes": EXCLUDED}
    where = local_settings(own) if is_here else {_JAVA_OPTIONS: " ".join(_own_folder())}
    known = _SESSION | _START | where | (jars if packages else {}) | own
    session = _built(SparkSession.builder.master(master or LOCAL), known)
    return session if is_here else _with_code(session)


@contextmanager
def interpreted(spark: SparkSession, rows: int) -> Iterator[None]:
    """Let Spark interpret a query over few rows; 0 means that their number is unknown.

    Compiling its stages is a fifth of the CPU time of a stream's batch of 2,000 rows, because the
    watermark is in the code, which is therefore new with every batch.
    """
    if not 0 < rows < _FEW_ROWS:
        yield
        return
    before = spark.conf.get(_COMPILES, "true")
    spark.conf.set(_COMPILES, "false")
    try:
        yield
    finally:
        spark.conf.set(_COMPILES, str(before))


def is_local(master: str | None, remote: str | None = None) -> bool:
    """Return whether Spark runs only on this machine."""
    return not remote and (master or LOCAL).startswith("local")


def packages_for(locations: Iterable[str], *, reads_kafka: bool = False) -> list[str]:
    """Return the packages that Spark needs to reach these locations."""
    schemes = {each.partition(":")[0] for each in locations}
    stores = [package for scheme, package in _STORES.items() if scheme in schemes]
    return stores + [KAFKA] * reads_kafka


_S3A: Final = {
    "access.key": "AWS_ACCESS_KEY_ID",
    "secret.key": "AWS_SECRET_ACCESS_KEY",
    "session.token": "AWS_SESSION_TOKEN",
    "endpoint": "AWS_ENDPOINT_URL",
    "endpoint.region": "AWS_REGION",
}


def storage_options(spark: SparkSession, output: str) -> dict[str, str]:
    """Return Spark's S3 settings for ``deltalake``; without any, both use the environment."""
    if not output.startswith("s3a:"):
        return {}
    known = {
        theirs: spark.conf.get(f"spark.hadoop.fs.s3a.{ours}", None) for ours, theirs in _S3A.items()
    }
    options = {name: value for name, value in known.items() if value}
    if options.get("AWS_ENDPOINT_URL", "").startswith("http:"):
        options["AWS_ALLOW_HTTP"] = "true"
    return options


def local_settings(
    own: Mapping[str, str], environ: Mapping[str, str] = os.environ
) -> dict[str, str]:
    """Return the settings for this machine; without a garbage collector if the user chooses one."""
    names = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")
    chosen = [own.get("spark.driver.extraJavaOptions"), *map(environ.get, names)]
    options = [_COMPILE_LATER] + [_COLLECTOR] * ("GC" not in str(chosen))
    archive = class_archive(environ)
    if archive.is_file():
        options.append(shlex.quote(f"-XX:SharedArchiveFile={archive}"))
    return _LOCAL | {_JAVA_OPTIONS: " ".join([*options, *_own_folder(environ)])}


def _own_folder(environ: Mapping[str, str] = os.environ) -> list[str]:
    """Return Java's option for temporary files, which it does not take from TMPDIR.

    A supervisor sets that to a folder that is removed even after Java is killed.
    """
    folder = environ.get("TMPDIR")
    return [shlex.quote(f"-Djava.io.tmpdir={folder}")] if folder else []


def _prepare_environment(*, is_local: bool) -> None:
    """Set which Java starts, and the Python and modules of the workers."""
    os.environ["JAVA_HOME"] = str(java_home())
    if is_local:
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
        paths = [str(ROOT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
        os.environ["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(filter(None, paths)))
    else:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))


def _built(builder: SparkSession.Builder, settings: Mapping[str, str]) -> SparkSession:
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except PySparkException as error:
        message = (
            "Spark did not start. For s3a:// and Kafka its first start on a machine fetches jars "
            "from Maven Central: is that, or a mirror of it (--conf spark.jars.ivySettings=FILE), "
            f"within reach? Spark says: {first_line(error)}"
        )
        raise PipelineError(message) from error


Publish: TypeAlias = Callable[[DataFrame, int], None]
"""A function that Spark calls with each batch of a stream."""


def carried(publish: Publish) -> Publish:
    """Return a function that brings this code along to where Spark Connect calls it.

    A Connect server passes the code that it is sent to the workers of queries, not to those that
    call functions for the batches of streams.
    """
    with tempfile.TemporaryDirectory() as folder:
        code = pack(Path(folder, "pipeline.zip")).read_bytes()
    pickled = pickle.dumps(publish)

    def call(arrived: DataFrame, number: int) -> None:  # which needs nothing of ours
        if "pipeline" not in sys.modules:
            folder = tempfile.mkdtemp(prefix="kafka-assignments-")
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
            sys.path.insert(0, f"{folder}/pipeline.zip")
            Path(sys.path[0]).write_bytes(code)
        pickle.loads(pickled)(arrived, number)  # noqa: S301 -- ours

    return call


def _with_code(session: SparkSession) -> SparkSession:
    """Send this code to the workers of a cluster.

    The file stays until this process ends, because workers that start later fetch it then.
    """
    folder = tempfile.mkdtemp(prefix="kafka-assignments-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    session.addArtifacts(str(pack(Path(folder, "pipeline.zip"))), pyfile=True)
    return session
