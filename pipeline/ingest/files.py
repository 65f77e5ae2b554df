"""Input files and their raw rows."""

import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeAlias

from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from pipeline.errors import PipelineError, steps_in
from pipeline.supervised import has_logged

SPARK_ERRORS: Final = (PySparkException, Py4JError)
"""The errors that Spark raises, depending on where it runs."""
Kind: TypeAlias = Literal["json", "csv", "parquet", "unknown"]

_KINDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("json", re.compile(r"\.(json|jsonl|ndjson)(\.\w+)?$", re.IGNORECASE)),
    ("csv", re.compile(r"\.csv(\.\w+)?$", re.IGNORECASE)),
    ("parquet", re.compile(r"\.(parquet|parq|pq)$", re.IGNORECASE)),
)
_ROW_BYTES: Final[dict[Kind, int]] = {"json": 250, "csv": 120, "parquet": 20, "unknown": 1_000}
"""Approximate size of a row in a large file: telemetry compresses well."""
_PACKED: Final = re.compile(r"\.(gz|bz2|zst|lz4|snappy|deflate)$", re.IGNORECASE)
_PACKED_SHARE: Final = 10
_NO_MEMORY: Final = "OutOfMemoryError"
_SCHEME: Final = re.compile(r"[a-z0-9]+:", re.IGNORECASE)
_GLOB_CHARACTERS: Final = re.compile(r"([\\\[\]{}*?])")


class InputFile(NamedTuple):
    """One file as Spark lists it."""

    path: str
    size: int

    @property
    def kind(self) -> Kind:
        """The format, by the file's extension."""
        return next((kind for kind, ending in _KINDS if ending.search(self.path)), "unknown")

    @property
    def pattern(self) -> str:
        r"""The path, escaped because Spark treats every path as a glob.

        >>> InputFile("a[1].json", 0).pattern
        'a\\[1\\].json'
        """
        return _GLOB_CHARACTERS.sub(r"\\\1", self.path)

    @property
    def rows(self) -> int:
        """Estimated number of rows, for planning tasks."""
        share = _PACKED_SHARE if _PACKED.search(self.path) else 1
        return self.size * share // _ROW_BYTES[self.kind]


def input_files(spark: SparkSession, paths: Sequence[str]) -> list[InputFile]:
    """List the files of these files, folders and globs, each once, ordered by name.

    Spark lists them, so any of its file systems will do; it skips names that begin with ``_`` or
    ``.``. Raises PipelineError if there are none, and like ``check_links``.
    """
    check_links(paths)
    files = {file for path in paths for file in listed(spark, path)}
    if not files:
        message = f"there is nothing to read in {', '.join(paths)}; give files, folders or globs"
        raise PipelineError(message)
    return sorted(files)


def check_links(paths: Sequence[str]) -> None:
    """Raise PipelineError if a link leads to a folder around it: Spark would follow it for ever."""
    for path in paths:
        if not _SCHEME.match(path) or path.startswith("file:"):
            for found in glob(path.removeprefix("file:")):  # noqa: PTH207 -- Path.glob takes no absolute pattern
                _check_links(Path(found), frozenset())


def _check_links(found: Path, around: frozenset[Path]) -> None:
    if not found.is_dir():
        return  # nor is a link that leads nowhere or to itself; Spark skips those
    here = found.resolve()
    if here in around:
        message = (
            f"{found} is a link to {here}, a folder around it, and would be followed for ever; "
            "remove the link, or give the files and folders beside it"
        )
        raise PipelineError(message)
    for entry in sorted(found.iterdir()):
        if not entry.name.startswith(("_", ".")):
            _check_links(entry, around | {here, *here.parents})


def listed(spark: SparkSession, path: str) -> list[InputFile]:
    """List the files of a file, folder or glob; raises PipelineError if Spark cannot."""
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", value=True)
    try:
        return [InputFile(*row) for row in reader.load(path).select("path", "length").collect()]
    except SPARK_ERRORS as error:
        message = f"{path} cannot be listed; give a file, a folder or a glob: {first_line(error)}"
        raise PipelineError(message) from error


def lines_of(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    """Return the non-blank lines of text files, as ``file`` and ``raw``."""
    lines = spark.read.text([file.pattern for file in files])
    named = lines.select(file_name(), F.col("value").alias("raw"))
    return named.where(F.trim("raw") != "")


def file_name() -> Column:
    """Return the name of the file that a row comes from; the plain path of a local one."""
    path = F.col("_metadata.file_path")
    local = F.concat(F.lit("/"), F.ltrim(F.substr(path, F.lit(len("file:/"))), F.lit("/")))
    plain = F.when(F.startswith(path, F.lit("file:/")), local).otherwise(path)
    decoded = F.url_decode(F.replace(plain, F.lit("+"), F.lit("%2B")))
    return F.when(F.contains(plain, F.lit("%")), decoded).otherwise(plain).alias("file")


def first_line(error: Exception) -> str:
    """Return Spark's message in one line, without its context and Java's class names.

    Of an error in a Python worker it is the last cause, which a traceback ends with.

    >>> first_line(OSError("Job aborted: Lost task 0 (host executor 1): java.io.IOError: full"))
    'full'
    """
    try:
        text = str(error)  # for an error of its own, Java is asked
    except (OSError, Py4JError):
        text = _NO_MEMORY
    has_java_ended = isinstance(error, (ConnectionRefusedError, Py4JNetworkError))
    if has_java_ended or _NO_MEMORY in text or has_logged(_NO_MEMORY):
        return (
            "Java ran out of memory, as it does where a packed file holds one endless line; leave "
            "such a file out, or give more memory: --conf spark.driver.memory=8g"
        )
    if raised := _RAISED.findall(text.partition(_TRACEBACK)[2]):
        return str(raised[-1])
    if unwritten := _UNWRITTEN.search(text):
        cause = (_CAUSES.findall(text) or ["see Spark's log"])[-1]
        return f"{unwritten[1]} cannot be written: {cause}"
    if steps := steps_in(text):
        return steps
    lines = (_NOISE.sub("", line).strip(": ") for line in text.splitlines())
    known = (line for line in lines if line and not line.startswith("An error occurred"))
    return next(known, type(error).__name__)


_TRACEBACK: Final = "Traceback (most recent call last):"
_RAISED: Final = re.compile(r"^(?:[a-z_]\w*\.)*[A-Z]\w*(?:Error|Exception): (.+)", re.MULTILINE)
_UNWRITTEN: Final = re.compile(r"\[TASK_WRITE_FAILED\] .* writing rows to (\S+)\. ")
_CAUSES: Final = re.compile(r"^Caused by: (?:[\w.$]+: )?(.+)", re.MULTILINE)
_NOISE: Final = re.compile(r"Job aborted.*executor [^)]*\): |\b([a-z]\w*\.)+[A-Z][\w$]*(: |$)")
