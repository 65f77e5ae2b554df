"""Which files there are: fixed once, at the start, so that later arrivals change no count."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import unquote

from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it
from pyspark.sql.types import StructType

from pipeline.frames import frame_of
from pipeline.reading.errors import SPARK_ERRORS, ReadingError, cause

Kind = Literal["json", "csv", "parquet", "unknown"]

_KINDS: Final[tuple[tuple[Kind, re.Pattern[str]], ...]] = (
    ("json", re.compile(r"\.(json|jsonl|ndjson)(\.\w+)?$", re.IGNORECASE)),
    ("csv", re.compile(r"\.csv(\.\w+)?$", re.IGNORECASE)),
    ("parquet", re.compile(r"\.(parquet|parq|pq)$", re.IGNORECASE)),
)
PATH: Final = "_input_path"
"""The column with the encoded name of the file that a row comes from."""

START: Final = "_input_start"

_GLOB_CHARACTERS: Final = re.compile(r"([\\\[\]{}*?])")


@dataclass(frozen=True)
class InputFile:
    """One file: its number in the list, its name as Spark writes it, and what it holds."""

    number: int
    encoded: str
    """The URI, percent-encoded, as in ``_metadata.file_path``."""

    @property
    def name(self) -> str:
        """The name for people; a local file goes by its plain path."""
        return unquote(self.encoded).removeprefix("file:")

    @property
    def kind(self) -> Kind:
        """What the name's ending says that the file holds."""
        found = (kind for kind, ending in _KINDS if ending.search(self.encoded))
        return next(found, "unknown")

    @property
    def pattern(self) -> str:
        """The path for Spark to read, which takes every path for a glob."""
        return literal(unquote(self.encoded))


def literal(path: str) -> str:
    r"""Return a pattern that stands for this very path, whatever signs are in it.

    >>> literal("a[1].json")
    'a\\[1\\].json'
    """
    return _GLOB_CHARACTERS.sub(r"\\\1", path)


def input_files(spark: SparkSession, paths: Sequence[str]) -> tuple[InputFile, ...]:
    """List the files below files, folders and globs; each once, in the order of their names.

    Spark lists them, so every file system that it knows will do. What it hides is no input:
    names that begin with ``_`` or ``.``, and all below such folders (``_temporary``).
    """
    encoded = {name for path in paths for name in _listed(spark, path)}
    if not encoded:
        places = ", ".join(paths) or "no path"
        message = f"there is no file to read in {places}; give files, folders or globs"
        raise ReadingError(message)
    return tuple(InputFile(number, name) for number, name in enumerate(sorted(encoded)))


def opened(
    spark: SparkSession, files: Iterable[InputFile], *, is_lenient: bool = False
) -> DataFrame:
    """Return the lines of text files that are not blank, with ``PATH`` and ``START``.

    ``START`` is where the piece of the file begins that a task reads. Lenient reading ends at
    what is damaged and goes on with the next file; otherwise damage fails the computation.
    """
    lines = _reader(spark, is_lenient=is_lenient).format("text").schema("value STRING")
    return (
        lines.load([file.pattern for file in files])
        .select("value", _metadata("file_path", PATH), _metadata("file_block_start", START))
        .where(F.trim("value") != "")
    )


def opened_parquet(
    spark: SparkSession, files: Iterable[InputFile], schema: StructType, *, is_lenient: bool = False
) -> DataFrame:
    """Return the rows of Parquet files, with ``PATH``."""
    rows = _reader(spark, is_lenient=is_lenient).format("parquet").schema(schema)
    return rows.load([file.pattern for file in files]).select("*", _metadata("file_path", PATH))


def numbers_of(spark: SparkSession, files: Iterable[InputFile]) -> DataFrame:
    """Return ``PATH`` and the number of each file, as ``file``."""
    numbers = [(file.encoded, file.number) for file in files]
    return frame_of(spark, f"{PATH} STRING, file INT", numbers)


def without_content(spark: SparkSession, files: Sequence[InputFile]) -> set[InputFile]:
    """Return the files of which not one byte is there; Spark itself passes them over."""
    if not files:
        return set()
    found = spark.read.format("binaryFile").load([file.pattern for file in files])
    solid = found.where(F.col("length") > 0).select(_metadata("file_path", PATH)).collect()
    names = {row[PATH] for row in solid}
    return {file for file in files if file.encoded not in names}


def _reader(spark: SparkSession, *, is_lenient: bool) -> DataFrameReader:
    """Return a reader that takes no column from the names of folders."""
    return spark.read.options(recursiveFileLookup=True, ignoreCorruptFiles=is_lenient)


def _metadata(field: str, name: str) -> Column:
    """Return what Spark knows of the file that a row comes from."""
    return F.col(f"_metadata.{field}").alias(name)


def _listed(spark: SparkSession, path: str) -> list[str]:
    """Return the encoded names of the files that Spark finds at a path."""
    try:
        found = spark.read.option("recursiveFileLookup", value=True).text(path).inputFiles()
    except SPARK_ERRORS as error:
        message = f"{path} cannot be listed; give a file, a folder or a glob: {cause(error)}"
        raise ReadingError(message) from error
    return [re.sub(r"^file:/+", "file:/", name) for name in found]
