"""Lines drawn at random in every format, judged by the rules of the documents in plain Python."""

import csv
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from pipeline.horizons import Horizons
from pipeline.ingest.files import input_files
from pipeline.ingest.rows import with_rows_of
from pipeline.ingest.tables import Destination, ingest
from pipeline.lake import Lake
from schemas.tables import columns
from schemas.telemetry import TELEMETRY
from tests.pipeline.ingest.reference import EPOCH, UNITS_US, Texts, rule_or_row

_COLUMNS: Final = ("host", *(name for name in columns(TELEMETRY) if name != "host"))
"""The host tells which line it is, so it is before what makes a line too long to be kept."""
_HORIZON: Final = datetime(2026, 3, 2, tzinfo=UTC)
_LIMIT: Final = _HORIZON + timedelta(days=29)
_SAYS: Final = {
    1: f"the line must be a JSON object|the line must have {len(_COLUMNS)} values",
    2: "must be a (whole number|date and time .*|list of topics).*, found",
    3: "(cluster|group_id|snapshot_at) is missing|snapshot_at must be a date",
    4: "is missing for|are all missing|partition must be a whole number from 0",
    5: "must be 0 or more|log_end_offset must not be below",
    6: "auto_offset_reset must be",
    7: "must be at most (249|32,767) bytes",
    8: "snapshot_at must be after the watermark",
    9: "snapshot_at must not be ahead of the clock",
}
"""What the reason says, by rule."""
_JSON_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?")


class _Long(str):
    """A name that Hypothesis shows in a few characters."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{self[0]!r} * {len(self)}"


def _mostly(usual: list[str | None], rare: list[str | None]) -> st.SearchStrategy[Any]:
    return st.sampled_from([*usual * (24 * len(rare) // len(usual)), *rare])


def _written(since_us: int, how: int) -> str:
    if how < len(UNITS_US):
        return f"{int(since_us / UNITS_US[how])}"
    zone = ("", "Z", "+02:00")[how - len(UNITS_US)]
    return f"{EPOCH + timedelta(0, 0, since_us):%Y-%m-%dT%H:%M:%S.%f}{zone}"


def _moments(first: datetime, last: datetime) -> st.SearchStrategy[str]:
    ends = ((end - EPOCH) // timedelta(microseconds=1) for end in (first, last))
    return st.builds(_written, st.integers(*ends), st.integers(0, 6))


_AT: Final = st.one_of(
    st.just("2026-03-02T12:00:00Z"),
    _moments(_HORIZON - timedelta(days=1), _HORIZON + timedelta(days=30)),
    _moments(datetime(1971, 1, 1, tzinfo=UTC), datetime(2149, 1, 1, tzinfo=UTC)),
    st.sampled_from(
        ["", None, "nan", "12:30", "now", "2024", "1772452800.5", "2000-01-01", "2026-03-02 12:00"]
    ),
)
_PLACES: Final = {
    "topic": _mostly(
        ["t", _Long("\u00e9" * 124), _Long("t" * 249)],
        ["", None, _Long("t" * 250), _Long("\u00e9" * 125)],
    ),
    "partition": _mostly(
        ["0", "7", "12.0", "12.", "999999"],
        ["", None, "NaN", "1e3", "1.0e3", "1E0", "7.5", "0x7", "x", "-1", "1000000", f"{2**31}"],
    ),
    "member_id": st.sampled_from(["m", None]),
}
_OFFSETS: Final = _mostly(
    ["5", "5", "9", "9.0", None],
    ["4", "-1", "-1001", "-2", "-2.0", "NaN", "1e3", "1.0e3", "1.5", "many", f"{2**63}"],
)
_TEXTS: Final = st.fixed_dictionaries(
    {
        "cluster": _mostly(["eu", "us,1"], ["", None, _Long("n" * 32_768)]),
        "group_id": _mostly(["g", '"g"'], ["", None, _Long("\u00e9" * 16_384)]),
        "snapshot_at": _AT,
        **_PLACES,
        **dict.fromkeys(("log_start_offset", "log_end_offset", "committed_offset"), _OFFSETS),
        "rack": _mostly([None, "r"], [_Long("r" * 32_767), _Long("r" * 32_768)]),
        "auto_offset_reset": _mostly(
            [None, "latest", "EARLIEST", "None", "by_duration:PT1H", "By_Duration:p1dt1.5s"],
            ["", "sometimes", "by_duration", "by_duration:", "by_duration:1h", "by_duration:PT"],
        ),
        "subscribed_topics": _mostly(
            [None, "a; b", "a|b", '["a", "b"]', '["a", null]', "[]", "a"], ["[1", "", "[a]"]
        ),
    }
)
_LINE: Final = st.integers(0, 11).flatmap(lambda n: _TEXTS if n < 11 else st.none())
_LINES: Final = st.lists(_LINE, min_size=20, max_size=20)


def _write_json(file: Path, lines: Mapping[str, Texts | None]) -> None:
    """Write a number as one in every other line."""
    with file.open("w", encoding="utf-8") as out:
        for number, (name, texts) in enumerate(lines.items()):
            values = [
                (column, value)
                for column, value in ({"host": name, **texts} if texts else {}).items()
                if value is not None or number % 3
            ]
            shown = [
                value
                if number % 2 and value and column != "host" and _JSON_NUMBER.fullmatch(value)
                else json.dumps(value)
                for column, value in values
            ]
            pairs = (f"{json.dumps(c)}: {v}" for (c, _), v in zip(values, shown, strict=True))
            out.write(f"{{{', '.join(pairs)}}}\n" if texts else f"no object: {name}\n")


def _write_csv(file: Path, lines: Mapping[str, Texts | None]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for name, texts in lines.items():
            known = {**(texts or {}), "host": name}
            row = [known.get(column) for column in _COLUMNS]
            writer.writerow(row if texts else [name] * 3)


def _write_parquet(file: Path, lines: Mapping[str, Texts | None]) -> None:
    rows = [{**texts, "host": name} for name, texts in lines.items() if texts]
    pq.write_table(
        pa.Table.from_pylist(rows, pa.schema([(c, pa.string()) for c in _COLUMNS])), file
    )


_WRITERS: Final = {"json": _write_json, "csv": _write_csv, "parquet": _write_parquet}


@pytest.mark.proof
@settings(
    max_examples=6,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # Spark is too slow to shrink by
)
@given(drawn=st.fixed_dictionaries(dict.fromkeys(_WRITERS, _LINES)))
def test_every_line_is_used_or_rejected_by_the_first_rule_that_it_breaks(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, drawn: dict[str, list[Any]]
) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    lake, wanted = Lake(str(folder / "out")), dict[str, Any]()
    lake.prepare()
    for ending, lines in drawn.items():
        named = {f"{ending}-{number}/": texts for number, texts in enumerate(lines)}
        _WRITERS[ending](folder / f"lines.{ending}", named)
        wanted |= {
            name: rule_or_row(texts and {**texts, "host": name}, _HORIZON, _LIMIT)
            for name, texts in named.items()
            if texts or ending != "parquet"
        }
    horizon, limit = ((at - EPOCH) // timedelta(microseconds=1) for at in (_HORIZON, _LIMIT))
    destination = Destination(lake, "run", 1, horizons=Horizons(others=horizon), limit=limit)

    files = input_files(spark, [f"{folder}/lines.*"])
    with_rows_of(spark, files, lambda rows: ingest(rows, destination))

    used = {row["host"]: row for row in lake.rows("telemetry").to_pylist()}
    assert {name for name, each in wanted.items() if isinstance(each, dict)} == {*used}
    for name, row in used.items():
        assert {column: row[column] for column in wanted[name]} == wanted[name]
    rejected = lake.rows("rejected").to_pylist()
    assert len(rejected) + len(used) == len(wanted)
    for row in rejected:
        (name, *_) = re.findall(r"(?:json|csv|parquet)-\d+/", row["raw"])
        rule = wanted[name]
        assert isinstance(rule, int)
        assert re.search(_SAYS[rule], row["reason"]), (rule, row["reason"], row["raw"][:200])
