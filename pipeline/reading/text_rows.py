"""Lines of text to telemetry: a fast parse in the columns' types, a patient one where it fails."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - Spark's own name for it

from pipeline.reading import values
from pipeline.reading.typed import COLUMNS, Parsed, checked

BAD: Final = "_bad"
"""The name under which Spark's parsers leave a line that does not fit the schema."""

Parse = Callable[[Mapping[str, str]], Column]
"""Types by name, to a struct of such fields and ``BAD``."""

_CSV_TYPES: Final = {"snapshot_at": "STRING", "subscribed_topics": "STRING"}
_ALL: Final = tuple(COLUMNS)
_MORE: Final = "the line goes on after its JSON object"


def with_telemetry(lines: DataFrame, text: str = "value") -> DataFrame:
    """Replace a column of JSON objects by the columns of telemetry, ``raw`` and ``fault``.

    The other columns stay. ``fault`` is null where the row can be used; ``raw`` is the text
    where it cannot. For the values of Kafka as for the lines of files.
    """
    line = F.col(text)
    parsed = _parsed(lines, _json(line), COLUMNS | {"snapshot_at": "STRING"})
    broken = F.when(F.col("loose")[BAD].isNotNull(), F.lit("the line is not one JSON object"))
    broken = broken.when(_has_more(line), F.lit(_MORE))
    others = [name for name in lines.columns if name != text]
    return _rows(parsed, others, _ALL, broken=broken, raw=line)


def with_csv_telemetry(lines: DataFrame, header: tuple[str, ...]) -> DataFrame:
    """Replace the column ``value`` of CSV lines by telemetry, ``raw`` and ``fault``.

    ``header`` names the fields of these lines, in order; those that are not telemetry's go.
    """
    types = {name: (COLUMNS | _CSV_TYPES).get(name, "STRING") for name in header}
    parsed = _parsed(lines, _csv(F.col("value")), types)
    wrong = f"the line has not the {len(header)} values of the header"
    broken = F.when(F.col("loose")[BAD].isNotNull(), F.lit(wrong))
    others = [name for name in lines.columns if name != "value"]
    return _rows(parsed, others, header, broken=broken, raw=F.col("value"))


def _json(line: Column) -> Parse:
    """Return the parse of a line as a JSON object."""
    return lambda types: F.from_json(line, _ddl(types), {"columnNameOfCorruptRecord": BAD})


def _csv(line: Column) -> Parse:
    """Return the parse of a line of CSV; an empty field is null, quoted or not."""
    options = {
        "columnNameOfCorruptRecord": BAD,
        "escape": '"',
        "ignoreLeadingWhiteSpace": "true",
        "ignoreTrailingWhiteSpace": "true",
    }
    return lambda types: F.from_csv(line, _ddl(types), options)


def _ddl(types: Mapping[str, str]) -> str:
    """Return a schema as text, with room for a line that does not fit."""
    return ", ".join(f"`{name}` {type_}" for name, type_ in {**types, BAD: "STRING"}.items())


def _has_more(line: Column) -> Column:
    """Tell whether text follows a line's first JSON object, which Spark's parser leaves out.

    Telemetry nests nothing, so nearly every line ends at its first closing brace.
    """
    ends_early = F.instr(line, "}") < F.length(F.rtrim(line))
    in_array = F.concat(F.lit("["), line, F.lit("]"))
    return ends_early & ~F.json_array_length(in_array).eqNullSafe(F.lit(1))


def _parsed(lines: DataFrame, parse: Parse, types: Mapping[str, str]) -> DataFrame:
    """Add the structs ``fast``, and ``loose`` (all text) where ``fast`` did not fit."""
    is_unfit = F.col("fast")[BAD].isNotNull()
    loose = F.when(is_unfit, parse(dict.fromkeys(types, "STRING")))
    return lines.withColumn("fast", parse(types)).withColumn("loose", loose)


def _rows(
    parsed: DataFrame, others: list[str], names: Sequence[str], *, broken: Column, raw: Column
) -> DataFrame:
    """Return the checked rows of parsed lines that have the fields named."""
    fast, loose = F.col("fast"), F.col("loose")
    is_csv = names is not _ALL
    known = [name for name in COLUMNS if name in names]
    typed = {name: fast[name] for name in known}
    found = {name: loose[name] for name in known}
    if "snapshot_at" in typed:
        found["snapshot_at"] = fast["snapshot_at"]
        typed["snapshot_at"] = values.moment(F.trim(fast["snapshot_at"]))
    if "subscribed_topics" in typed and is_csv:
        found["subscribed_topics"] = fast["subscribed_topics"]
        typed["subscribed_topics"] = values.topics(fast["subscribed_topics"])
    return checked(parsed, others, Parsed(typed, found, raw, broken))
