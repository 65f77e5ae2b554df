"""Convert rows of files and records to the columns of telemetry.

Each function returns the same columns: ``file``, ``raw`` (the original row), ``broken`` (the fault
of the row as a whole; null: none), telemetry's columns in their types (null where conversion
failed), and ``texts``, the original values.
"""

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import groupby
from typing import Final, TypeVar

from py4j.protocol import Py4JNetworkError
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 -- as Spark's own documentation writes it

from pipeline.errors import PipelineError
from pipeline.ingest import values
from pipeline.ingest.checks import EXPECTED, NAMES
from pipeline.ingest.files import SPARK_ERRORS, InputFile, Kind, file_name, first_line, lines_of
from pipeline.ingest.limits import HEADER_CHARACTERS, HEADERS, NEEDED, OFFSETS
from schemas.tables import columns
from schemas.telemetry import TELEMETRY

_T = TypeVar("_T")
COLUMNS: Final = columns(TELEMETRY)
_BROKEN: Final = "_broken"
_TEXTS: Final = ", ".join(f"{name} STRING" for name in COLUMNS)
_NULL: Final = "CAST(NULL AS STRING)"
_WITHOUT_HEADER: Final = f"the file must begin with a line that names {', '.join(NEEDED)}"
_UNKNOWN: Final = "the file must be named .jsonl, .csv or .parquet"


def rows_of(
    spark: SparkSession, files: Sequence[InputFile], damaged: Mapping[InputFile, str] = {}
) -> DataFrame:
    """Return the rows of files of every kind; of a damaged one, only why it cannot be read."""
    kinds: dict[Kind, list[InputFile]] = {}
    for file in files:
        if file not in damaged:
            kinds.setdefault(file.kind, []).append(file)
    readers = {"json": _json, "csv": _csv, "parquet": _parquet, "unknown": _unknown}
    frames = [reader(spark, kinds[kind]) for kind, reader in readers.items() if kind in kinds]
    if damaged:
        frames.append(_unreadable(spark, list(damaged.items())))
    return reduce(DataFrame.unionByName, frames)


def with_rows_of(
    spark: SparkSession, files: Sequence[InputFile], do: Callable[[DataFrame], _T]
) -> _T:
    """Return what a function makes of the rows of files.

    If Spark fails because files are damaged, it is called again without their rows.
    """
    try:
        return do(rows_of(spark, files))
    except SPARK_ERRORS:
        damaged = _damaged(spark, files)
        if not damaged:
            raise
    return do(rows_of(spark, files, damaged))


def _damaged(spark: SparkSession, files: Sequence[InputFile]) -> dict[InputFile, str]:
    """Return the files that Spark cannot read to the end, and why, by halving."""
    try:
        rows_of(spark, files).write.format("noop").mode("overwrite").save()
    except Py4JNetworkError:
        raise  # Java has ended: that says nothing about the files
    except SPARK_ERRORS as error:
        if len(files) == 1:
            return {files[0]: f"the file is damaged and left out as a whole: {first_line(error)}"}
        middle = len(files) // 2
        return _damaged(spark, files[:middle]) | _damaged(spark, files[middle:])
    return {}


def rows_in_json(lines: DataFrame) -> DataFrame:
    """Return the rows in ``file`` and ``raw``, each one JSON object."""
    schema, options = f"{_TEXTS}, {_BROKEN} STRING", {"columnNameOfCorruptRecord": _BROKEN}
    parsed = lines.withColumn("text", F.from_json("raw", schema, options))
    is_object = F.ltrim("raw").startswith("{") & F.col(f"text.{_BROKEN}").isNull()
    broken = F.when(~is_object, F.lit("the line must be a JSON object"))
    texts = {name: F.col(f"text.{name}") for name in COLUMNS}
    texts |= {name: _as_written(name, texts[name]) for name in ("partition", *OFFSETS)}
    return _typed(parsed, texts, broken)


def _as_written(name: str, text: Column) -> Column:
    """Return the text of a number; Spark makes 1000.0 of JSON's 1e3, which is no whole number."""
    written = F.regexp_extract("raw", rf'"{name}"\s*:\s*([-.0-9]+[eE][-+0-9]+)', 1)
    is_rounded = F.endswith(text, F.lit(".0"))
    return F.when(is_rounded & (written != ""), written).otherwise(text)


def _json(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    return rows_in_json(lines_of(spark, files))


def _csv(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    """Return the rows of CSV files, those of one header together."""
    headers = _headers(lines_of(spark, files))
    by_name = {_plain_path(file.path): file for file in files}
    pairs = sorted((headers.get(name, ""), file) for name, file in by_name.items())
    parts = [
        _under(header, lines_of(spark, [file for _, file in some]))
        for header, some in groupby(pairs, key=lambda pair: pair[0])
    ]
    return reduce(DataFrame.unionByName, parts)


def _under(header: str, lines: DataFrame) -> DataFrame:
    """Return the rows of lines that follow this header; an empty one means that there is none."""
    if not header:
        return _typed(lines, {}, F.lit(_WITHOUT_HEADER))
    names = _fields(header)
    schema = ", ".join(f"`{name}` STRING" for name in (*names, _BROKEN))
    blanks = dict.fromkeys(("ignoreLeadingWhiteSpace", "ignoreTrailingWhiteSpace"), "true")
    options = {"columnNameOfCorruptRecord": _BROKEN, "escape": '"', **blanks}
    rows = lines.where(F.col("raw") != header)
    parsed = rows.withColumn("text", F.from_csv("raw", schema, options))
    sentence = F.lit(f"the line must have {len(names)} values, as many as the header")
    broken = F.when(F.col(f"text.{_BROKEN}").isNotNull(), sentence)
    texts = {name: F.col(f"text.`{name}`") for name in names if name in COLUMNS}
    return _typed(parsed, texts, broken)


def _headers(lines: DataFrame) -> dict[str, str]:
    """Return the header line of each file that has one."""
    names = (F.contains(F.lower("raw"), F.lit(name)) for name in NEEDED)
    is_candidate = reduce(Column.__and__, names, F.length("raw") <= HEADER_CHARACTERS)
    found = lines.where(is_candidate).distinct().collect()
    headers = {row["file"]: row["raw"] for row in found if {*NEEDED} <= {*_fields(row["raw"])}}
    if (count := len({*headers.values()})) > HEADERS:
        message = f"the CSV files have {count:,} different headers; read at most {HEADERS} in a run"
        raise PipelineError(message)
    return headers


def _fields(header: str) -> list[str]:
    """Return the distinct names in a header; repeated and empty ones are renamed.

    >>> _fields("Cluster, topic,topic,")
    ['cluster', 'topic', '_2', '_3']
    """
    names = [name.strip().lower() for name in next(csv.reader([header.lstrip("\ufeff")]))]
    return [
        f"_{place}" if not name or name in names[:place] or "`" in name else name
        for place, name in enumerate(names)
    ]


def _plain_path(path: str) -> str:
    """Return a path as ``file_name`` has it."""
    return f"/{path.removeprefix('file:').lstrip('/')}" if path.startswith("file:") else path


def _parquet(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    """Return the rows of Parquet files, those of compatible types together."""
    try:
        return _of_one_schema(spark, files)
    except SPARK_ERRORS as error:
        if len(files) == 1:
            reason = f"the file is no readable Parquet: {first_line(error)}"
            return _unreadable(spark, [(files[0], reason)])
    middle = len(files) // 2
    return _parquet(spark, files[:middle]).unionByName(_parquet(spark, files[middle:]))


def _of_one_schema(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    frame = spark.read.option("mergeSchema", value=True).parquet(*(f.pattern for f in files))
    kinds = dict(frame.dtypes)
    raw = F.to_json(F.struct(*(F.col(f"`{name}`") for name in kinds)))
    named = frame.select("*", file_name().alias("_file"), raw.alias("_raw"))
    own = {name.lower(): (F.col(f"`{name}`"), kind) for name, kind in kinds.items()}
    known = {name: own[name] for name in COLUMNS if name in own}
    as_is = {name: value for name, (value, kind) in known.items() if kind == COLUMNS[name].lower()}
    texts = {name: _text(*each) for name, each in known.items() if name not in as_is}
    aside = named.withColumns({"file": F.col("_file"), "raw": F.col("_raw")})
    return _typed(aside, texts, F.expr(_NULL), as_is)


def _text(column: Column, kind: str) -> Column:
    is_nested = kind.startswith(("array", "struct", "map"))
    if kind in {"float", "double"}:
        return values.without_exponent(column)
    return F.to_json(column) if is_nested else column.cast("string")


def _unknown(spark: SparkSession, files: Sequence[InputFile]) -> DataFrame:
    return _unreadable(spark, [(file, _UNKNOWN) for file in files])


def _unreadable(spark: SparkSession, files: Sequence[tuple[InputFile, str]]) -> DataFrame:
    """Return a row for each unreadable file, with the reason."""
    names = [(_plain_path(file.path), reason) for file, reason in files]
    frame = spark.createDataFrame(names, "file STRING, reason STRING")
    return _typed(frame.withColumn("raw", F.expr(_NULL)), {}, F.col("reason"))


def _typed(
    frame: DataFrame, texts: Mapping[str, Column], broken: Column, as_is: Mapping[str, Column] = {}
) -> DataFrame:
    """Return the module's columns; those missing from the input are null."""
    values = (texts.get(name, F.expr(_NULL)).alias(name) for name in EXPECTED)
    return frame.select(
        "file",
        "raw",
        broken.alias("broken"),
        F.struct(*values).alias("texts"),
        *(_value(name, texts.get(name), as_is.get(name)).alias(name) for name in COLUMNS),
    )


def _value(name: str, text: Column | None, as_is: Column | None) -> Column:
    """Return a column of telemetry, from a column of its type or from text."""
    value = as_is if as_is is not None else _read(name, text)
    if name in OFFSETS:
        return values.offset(value)
    if name in NAMES:
        return F.nullif(value, F.lit(""))
    return values.reset(value) if name == "auto_offset_reset" else value


def _read(name: str, text: Column | None) -> Column:
    if text is None:
        return F.lit(None).cast(COLUMNS[name])
    if name == "snapshot_at":
        return values.moment(text)
    if name == "subscribed_topics":
        return values.topics(text)
    if name in NAMES or name == "auto_offset_reset":
        return text
    return values.whole_number(text).try_cast(COLUMNS[name])
