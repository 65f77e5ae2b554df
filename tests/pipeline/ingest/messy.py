"""A folder of telemetry with every kind of defect."""

import datetime as dt
import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

NOON = dt.datetime(2024, 5, 1, 12, tzinfo=dt.UTC)
_HEADER = "cluster,group_id,snapshot_at,topic,partition,log_end_offset,subscribed_topics,member_id"
_ROW = {"cluster": "eu", "group_id": "orders", "snapshot_at": "2024-05-01T12:00:00Z",
        "topic": "t"}  # fmt: skip


def line(partition: object, **changes: object) -> str:
    """Return a JSON line for this partition."""
    return json.dumps({**_ROW, "partition": partition, **changes}) + "\n"


def table(partitions: pa.Array, **columns: pa.Array) -> pa.Table:
    """Return an Arrow table of these partitions."""
    names = {name: pa.array([text] * len(partitions)) for name, text in _ROW.items()}
    return pa.table({**names, "partition": partitions, **columns})


def write_text(folder: Path) -> None:
    """Write JSON Lines, valid and broken."""
    (folder / "a b.json").write_bytes(
        (line(0) + "\n  \n" + line(1)).replace("\n", "\r\n").encode("utf-8-sig")
    )
    (folder / "[1]{x}%20.jsonl").write_text(line(2) + "garbage\n" + line("x"))
    (folder / "noise.json").write_bytes(b"\xff\xfe\x00\x01\x80\n\xc3\x28")
    (folder / "empty.json").write_text("")
    (folder / "day=7").mkdir()
    (folder / "day=7" / "packed.json.gz").write_bytes(gzip.compress(line(3).encode()))
    (folder / "README.md").write_text("not telemetry")


def write_csv(folder: Path) -> None:
    """Write CSV with all kinds of headers."""
    (folder / "plain.csv").write_text(
        f"{_HEADER}\n eu, orders ,2024-05-01 12:00:00,t, 4 ,12.0,,\n"
        'eu,orders,1714564800,,,,a;b,m\n"eu","or,""ders""",1714564800,,,,"[""a""]",m\n'
        "eu,orders,1714564800,t\n",
    )
    other = (  # another order, a column more or less, a BOM and CRLF
        b"\xef\xbb\xbfpartition,topic,note,Group_ID,cluster,snapshot_at\r\n"
        b"5,t,hello,orders,eu,2024-05-01T12:00:00Z\r\n9,t,bye,,eu,2024-05-01T12:00:00Z\r\n"
    )
    (folder / "other.csv.gz").write_bytes(gzip.compress(other))
    (folder / "headless.csv").write_text("eu,orders,2024-05-01,t,4\neu,orders,2024-05-01,t,5\n")


def write_parquet(folder: Path) -> None:
    """Write Parquet with various types, and invalid files."""
    noon = {"snapshot_at": pa.array([NOON, NOON])}
    end = pa.array(["12", "x"], pa.large_string())
    pq.write_table(table(pa.array([6, 7], pa.int32()), log_end_offset=end), folder / "a.parquet")
    columns = {"log_end_offset": pa.array([12.0, None]), "extra": pa.array([1, 2])}
    pq.write_table(table(pa.array([8, 2**31]), **noon, **columns), folder / "b.parquet")
    for unit in ("ms", "ns"):
        moments = {"snapshot_at": pa.array([NOON], pa.timestamp(unit, "UTC"))}
        pq.write_table(table(pa.array(["9"]), **moments), folder / f"{unit}.PARQUET")
    coded = table(pa.array([10])).set_column(0, "cluster", pa.array(["eu"]).dictionary_encode())
    pq.write_table(coded, folder / "coded.parquet")
    pq.write_table(pa.table({"cluster": ["eu", "us"]}), folder / "foreign.parquet")
    (folder / "footless.parquet").write_bytes(b"PAR1 and no more")
    (folder / "empty.parquet").write_bytes(b"")


def write_messy(folder: Path) -> Path:
    """Write all of these, and hidden files that are not input; return the folder."""
    write_text(folder)
    write_csv(folder)
    write_parquet(folder)
    (folder / "_temporary").mkdir()
    (folder / "_temporary" / "half.json").write_text(line(99))
    (folder / ".hidden.json").write_text(line(99))
    return folder
