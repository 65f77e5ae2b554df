"""Packets hold the rows that reading row by row finds usable, whatever the files hold."""

import datetime as dt
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from pipeline import packed as packing
from pipeline import pieces
from pipeline.carried import MOST_IN_HAND, InHand
from pipeline.early import Asked
from pipeline.packed import Packed, packed_telemetry
from pipeline.packets import lines
from pipeline.replay.coding import coded, decoded
from pipeline.packets.packing import packed
from pipeline.packets.piece import Piece, Wanted
from pipeline.packets.shelves import keeper, taken
from pipeline.reading import Telemetry
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.reading.judging import judged, rejected, tally, usable
from tests.pipeline.reading.messy import NOON, write_messy

_SCHEMA = arrow_schema(TELEMETRY)
_PLAIN: dict[str, Any] = {
    "cluster": "eu",
    "group_id": "orders",
    "snapshot_at": NOON,
    "topic": "t",
    "partition": 0,
    "log_start_offset": 1,
    "log_end_offset": 5,
    "member_id": "c",
}
_ODD: dict[str, list[Any]] = {
    "cluster": [None, "", "x" * 32_768],
    "group_id": [None, "", "x" * 32_767],
    "snapshot_at": [
        None,
        *(dt.datetime(year, 1, 1, tzinfo=dt.UTC) for year in (1999, 2000, 2099, 2100)),
        dt.datetime(1999, 12, 31, 23, 59, 59, 999_999, dt.UTC),
        dt.datetime(2099, 12, 31, 23, 59, 59, 999_999, dt.UTC),
    ],
    "topic": [None, "", "x" * 249, "x" * 250, "ä" * 125],
    "partition": [None, -1, 999_999, 1_000_000],
    "log_start_offset": [None, -1, -1001, -2, 0, 5, 6],
    "log_end_offset": [None, -1, -1001, 0, 1, 2**63 - 1],
    "committed_offset": [-1, -1001, -2, 0, 2**63 - 1],
    "member_id": [None, "", "x" * 32_768],
    "client_id": ["", "x", "x" * 32_768],
    "host": ["", "x"],
    "group_instance_id": ["", "x" * 32_768],
    "rack": ["", "r"],
    "auto_offset_reset": ["", "latest", "Earliest", "none", "never"],
    "subscribed_topics": [[], ["a", "b"], ["a", None], [""]],
}


def _rows(found: Packed) -> Counter[str]:
    packets = found.packets.table().to_batches()
    held = (batch for some in packets for _, batch in taken(some))
    tables = (decoded(coded(pa.Table.from_batches([batch]))) for batch in held)
    return Counter(repr(row) for table in tables for row in table.to_pylist())


def _judged_rows(found: Telemetry) -> Counter[str]:
    rows = pa.table(usable(found).toArrow()).cast(_SCHEMA.append(pa.field("file", pa.int32())))
    return Counter(repr(row) for row in rows.to_pylist())


def _rejected(found: DataFrame) -> Counter[tuple[str, str, int | None]]:
    return Counter((row["file"], row["reason"], row["rows"]) for row in found.collect())


def _same(spark: SparkSession, folder: Path, since: dt.date | None = None) -> Packed:
    """Check that both ways of reading tell the same; return what one tells."""
    paths = [str(folder)]
    read = judged(spark, paths, since)
    by_row = replace(read, checked=read.checked.persist())
    shelves = folder.with_name(f"{folder.name}-shelves")
    found = packed_telemetry(spark, Asked(paths, since, shelves))
    assert _rows(found) == _judged_rows(by_row)
    assert _rejected(found.rejected(found.unused())) == _rejected(rejected(by_row))
    assert found.rows_in == by_row.rows_in
    assert found.rows_early == tally(by_row)["before_since"]
    assert Counter(found.notes) == Counter(by_row.notes)
    return found


def _all_odd() -> Iterator[dict[str, Any]]:
    """Yield a plain row, rows with one odd value, and rows with two."""
    odd = [{name: value} for name, values in _ODD.items() for value in values]
    yield _PLAIN
    yield from ({**_PLAIN, **each} for each in odd)
    names = ("topic", "partition", "member_id", "log_start_offset", "log_end_offset")
    some = [each for each in odd if next(iter(each)) in names]
    yield from ({**_PLAIN, **one, **other} for one, other in product(some, some))


def test_any_folder_is_read_as_if_row_by_row(spark: SparkSession, tmp_path: Path) -> None:
    found = _same(spark, write_messy(tmp_path))

    assert any(name.endswith("empty.json has no rows") for name in found.notes)


def test_odd_rows_are_judged_and_plain_ones_are_not(spark: SparkSession, tmp_path: Path) -> None:
    rows = list(_all_odd())
    pq.write_table(pa.Table.from_pylist(rows, _SCHEMA), tmp_path / "odd.parquet")

    found = _same(spark, tmp_path)

    count = found.judged.checked.count()
    assert found.judged.rows_in == 0  # no file had to be read row by row
    assert 0 < count < len(rows)


def _write_text(file: Path, text: str, kind: str) -> None:
    """Write lines as they are, or as Windows has them, zipped."""
    if kind == "crlf.gz":
        content = text.replace("\n", "\r\n").encode("utf-8-sig")
        Path(f"{file}.gz").write_bytes(gzip.compress(content))
    else:
        file.write_text(text)


def _cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have files of text read in pieces of few lines, and these a few bytes at a time."""
    monkeypatch.setattr(pieces, "_SHORT_BYTES", 100)
    monkeypatch.setattr(lines, "_CHUNK_BYTES", 300)


def _odd_lines() -> Iterator[str]:
    """Yield lines of JSON: a plain one, each odd value, and all that a line can be instead."""
    plain = {**_PLAIN, "snapshot_at": "2026-03-01T00:00:00Z"}
    values = {
        **{name: [*odd, 1.0, "7", True, {}, 2**63] for name, odd in _ODD.items()},
        "snapshot_at": [*_MOMENTS, None, 1.5, True],
        "log_end_offset": [
            *_ODD["log_end_offset"],
            1e3,
            2**53 + 1.0,
            "12.0",
            "x",
            [],
            -(2**63) - 1,
        ],
        "subscribed_topics": [[], ["a", "b"], ["a", None], [""], "a;b", '["a"]', [1], {}],
        "host": ["\u2028", "\x00", "ä" * 9, 7],
        "note": ["x", None, [1, {"a": "}"}], "}"],
    }
    yield json.dumps(plain)
    for name, some in values.items():
        yield from (json.dumps({**plain, name: value}) for value in some)
    line = json.dumps(plain)
    for old, new in _SLIPS:
        assert old in line
        yield line.replace(old, new, 1)


_MOMENTS = [
    *(f"2026-03-01{rest}" for rest in ("", "T10:11:12", " 10:11:12.5", "T10:11:12.123456789Z")),
    *(
        f"2026-03-01T10:11:12{zone}"
        for zone in ("+01:00", "-17:59", "+18:00", "+19:00", "+01", "z")
    ),
    *(
        f"2026-{rest}Z"
        for rest in ("02-30T10:00:00", "03-01T24:00:00", "03-01T23:59:60", "1-1T1:1:1")
    ),
    *("1999-12-31T23:59:59Z", "2100-01-01T00:00:00Z", " 2026-03-01T00:00:00Z ", "", "now"),
    *(1_772_323_200 * 10**power for power in (0, 3, 6, 9, 12)),
    *(946_684_799, 946_684_800, 4_102_444_799, 4_102_444_800, "1772323200", -1),
]
_SLIPS = [
    ("{", " \t{"),
    ("{", "[{"),
    ("{", "{,"),
    ("}", ""),
    ("}", "} "),
    ("}", "} x"),
    ("}", ', "host": "a", "host": "b"}'),
    ("}", ', "host": "a", "host": null}'),
    ("}", ', "Host": "c"}'),
    ("}", ', "host": "\\ud800"}'),
    ("}", ', "host": "\\u0041\\n"}'),
    ("}", ', "note": NaN}'),
    ('"eu"', "'eu'"),
    ('"eu"', '"e\tu"'),
    ('"cluster"', "cluster"),
    ('"partition": 0', '"partition": 01'),
    ('"partition": 0', '"partition": -0'),
    ('"partition": 0', '"partition": 2147483648'),
]


@pytest.mark.parametrize("kind", ["lines", "crlf.gz", "in pieces"])
def test_lines_of_json_are_judged_alike(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    text = "\n".join([*_odd_lines(), "", "  ", "\t", "garbage", "{}", "[]", "null", "{" * 3000])
    _write_text(tmp_path / "a.json", text, kind)
    if kind == "in pieces":
        _cut_short(monkeypatch)

    found = _same(spark, tmp_path)

    assert found.judged.rows_in == 0  # no file had to be read row by row


_HEADER = "cluster,group_id,snapshot_at,topic,partition,log_end_offset,subscribed_topics,member_id,"
_FIELDS = {
    0: ["", "e,u", '"eu"', '"e,u"', '"e""u"', 'e"u', '"eu', '"eu" ', " eu", "eu ", "NaN", "ä"],
    2: [*map(str, _MOMENTS), "1772323200.0", "1.7723232E9"],
    4: [
        "",
        "00",
        "-0",
        "0.0",
        "7.0",
        "7.",
        "+7",
        "1e3",
        "999999",
        "1000000",
        "-1",
        "x",
        " 7",
        "1_0",
    ],
    5: ["", "5.0", "-1", "-1001", "-2", "9007199254740993.0", str(2**63 - 1), str(2**63), "nan"],
    6: ["a;b", "a|b", "a ; b", '"[""a"",""b""]"', '"[""a"",null]"', "[]", "a;;b", ";", "a b", '""'],
    8: ["\t", "\x00", "\u00a0", "\\", "\\,", "'", "#", "x" * 3000, f'"{"x" * 200_000}"'],
}


def _csv_lines() -> Iterator[str]:
    """Yield a plain line, lines with one odd field, and lines that are odd as a whole."""
    plain = ["eu", "orders", "2026-03-01T00:00:00Z", "t", "0", "5", "", "c", ""]
    for place, texts in _FIELDS.items():
        yield from (",".join([*plain[:place], text, *plain[place + 1 :]]) for text in texts)
    yield from (",".join(plain), ",".join(plain[:-1]), ",".join([*plain, ""]), _HEADER, ",,,,,,,,")
    yield from ("#", '"', ",".join([*plain[:3], "", "", "", *plain[6:]]))


def _is_plain_csv(file: Path) -> bool:
    piece = Piece(0, "csv", str(file), 0, file.stat().st_size)
    *_, seen = packed(piece, Wanted(None, 1, None), keeper(None))
    [row] = pa.ipc.open_stream(seen.kept.message).read_all().to_pylist()
    return not row["problem"]


@pytest.mark.parametrize("kind", ["whole", "crlf.gz", "in pieces"])
def test_plain_lines_of_csv_are_what_spark_makes_of_them(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    one, plain = tmp_path / "one.csv", [_HEADER]
    for line in _csv_lines():
        one.write_text(f"{_HEADER}\n{line}\n")
        plain += [line] if _is_plain_csv(one) else []
    one.unlink()
    assert 30 < len(plain) < len(list(_csv_lines()))
    text = "\n".join([*plain, "", "  "])
    _write_text(tmp_path / "a.csv", text, kind)
    if kind == "in pieces":
        _cut_short(monkeypatch)

    found = _same(spark, tmp_path)

    assert found.judged.rows_in == 0  # no file had to be read row by row


@pytest.mark.parametrize("row", ["eu,orders,2026-03-01,t,x,5,,c,", "eu,orders"])
def test_a_file_of_csv_with_an_odd_line_is_judged_whole(
    spark: SparkSession, tmp_path: Path, row: str
) -> None:
    plain = "eu,orders,2026-03-01T00:00:00Z,t,0,5,,c,"
    (tmp_path / "a.csv").write_text(f"{_HEADER}\n{plain}\n{row}\n")

    found = packed_telemetry(spark, Asked([str(tmp_path)]))

    assert _rows(found).total() == 1
    assert found.judged.rows_in == found.rows_in == 2


@pytest.mark.parametrize("shelves", [None, "shelves"], ids=["in Spark", "in hand"])
def test_of_a_file_that_is_judged_whole_no_packet_stays(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shelves: str | None
) -> None:
    _cut_short(monkeypatch)  # the pieces before the odd line are packed
    lines = [f"eu,orders,2026-03-01T00:00:00Z,t,{number},5,,c," for number in range(200)]
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.csv").write_text("\n".join([_HEADER, *lines, "eu,orders"]))

    found = packed_telemetry(
        spark, Asked([str(source)], shelves=tmp_path / shelves if shelves else None)
    )

    assert _rows(found).total() == 200
    assert found.judged.rows_in == found.rows_in == 201


@pytest.mark.parametrize("content", [b"\xff{}\n", b"{}\r{}\n", b'{"cluster":"\xff"}\n'])
def test_text_in_which_spark_might_see_other_lines_is_left_to_it(
    spark: SparkSession, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "a.json").write_bytes(content)

    found = packed_telemetry(spark, Asked([str(tmp_path)]))

    assert found.judged.rows_in == found.rows_in == content.count(b"{}") + content.count(b'":"')


def test_since_counts_the_same_days(spark: SparkSession, tmp_path: Path) -> None:
    moments = [NOON - dt.timedelta(hours=hours) for hours in (0, 11, 12, 13, 40)]
    rows = [{**_PLAIN, "snapshot_at": each, "host": host} for each in moments for host in ("", "h")]
    pq.write_table(pa.Table.from_pylist(rows, _SCHEMA), tmp_path / "days.parquet")

    found = _same(spark, tmp_path, NOON.date())

    assert found.rows_early == 4


@pytest.mark.parametrize("most_in_hand", [0, MOST_IN_HAND], ids=["in Spark", "in hand"])
def test_packets_lie_on_the_shelves_if_there_are_any(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_in_hand: int
) -> None:
    monkeypatch.setattr(packing, "MOST_IN_HAND", most_in_hand)
    source = tmp_path / "telemetry"
    source.mkdir()
    pq.write_table(pa.Table.from_pylist([_PLAIN], _SCHEMA), source / "plain.parquet")
    (source / "line.json").write_text(
        '{"cluster": "eu", "group_id": "g", "snapshot_at": "2026-01-01T00:00:00Z",'
        ' "topic": "t", "partition": 0, "log_end_offset": 1}'
    )

    lying = packed_telemetry(spark, Asked([str(source)], None, tmp_path / "shelves"))
    carried = packed_telemetry(spark, Asked([str(source)]))

    assert isinstance(lying.packets, InHand) == (most_in_hand > 0)
    assert _rows(lying) == _rows(carried)
    assert _rows(lying).total() == 2
    assert lying.packets.table()["message"].null_count == 2
    assert carried.packets.table()["message"].null_count == 0


def test_a_file_in_pieces_is_read_once(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [{**_PLAIN, "partition": number, "rack": str(number)} for number in range(5000)]
    pq.write_table(
        pa.Table.from_pylist(rows, _SCHEMA), tmp_path / "long.parquet", row_group_size=300
    )
    monkeypatch.setattr(pieces, "_PIECE_BYTES", 4_000)
    assert (tmp_path / "long.parquet").stat().st_size > 5 * 4_000

    _same(spark, tmp_path)


def test_damage_in_one_piece_costs_no_row_of_another_file(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = pa.Table.from_pylist([{**_PLAIN, "partition": n} for n in range(2000)], _SCHEMA)
    for name in ("a", "b"):
        pq.write_table(rows, tmp_path / f"{name}.parquet", compression="zstd")
    data = bytearray((tmp_path / "b.parquet").read_bytes())
    data[200:260] = bytes(60)
    (tmp_path / "b.parquet").write_bytes(data)

    found = packed_telemetry(spark, Asked([str(tmp_path)]))

    assert _rows(found).total() >= 2000
    assert [lost.file.name for lost in found.judged.lost] == [str(tmp_path / "b.parquet")]
    lost = sum(row["rows"] or 0 for row in found.rejected(found.unused()).collect())
    assert _rows(found).total() + lost == found.rows_in


def test_columns_left_out_are_said_and_kept_in_what_is_rejected(
    spark: SparkSession, tmp_path: Path
) -> None:
    rows = pa.Table.from_pylist([_PLAIN, {**_PLAIN, "partition": -5}], _SCHEMA)
    extra = rows.append_column("note", pa.array(["x", "y"]))
    pq.write_table(extra, tmp_path / "extra.parquet")

    found = _same(spark, tmp_path)

    assert '"note":"y"' in found.rejected(found.unused()).collect()[0]["raw"]


def test_files_out_of_reach_of_workers_come_whole(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a b", "[1]%20"):
        pq.write_table(
            pa.Table.from_pylist([{**_PLAIN, "rack": name}], _SCHEMA), tmp_path / f"{name}.parquet"
        )
    row = json.dumps({**_PLAIN, "snapshot_at": NOON.isoformat(), "rack": "json"})
    (tmp_path / "lines.jsonl").write_text(f"{row}\n")
    (tmp_path / "lines.json.gz").write_bytes(gzip.compress(row.encode()))
    near = _rows(packed_telemetry(spark, Asked([str(tmp_path)])))
    assert near.total() == 4
    monkeypatch.setattr(pieces, "_size_on_disk", lambda _file: None)  # as of s3a:// and hdfs://

    far = packed_telemetry(spark, Asked([str(tmp_path)]))

    assert _rows(far) == near
    assert far.judged.is_empty
