"""The collector's files, compared with the pipeline's tables of the same telemetry."""

from io import BytesIO
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from assignors.kinds import GroupKind
from sources.budget import Limits
from sources.collected import read_collected
from sources.errors import SourceError
from sources.fleet.location import SAMPLE
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.snapshot import snapshot
from sources.text import read_files

TELEMETRY = Path(__file__).parents[2] / "sample_data" / "fleet" / "telemetry"


def files() -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(TELEMETRY.glob("*.parquet"))}


def written(table: pa.Table) -> bytes:
    out = BytesIO()
    pq.write_table(table, out)
    return out.getvalue()


@pytest.mark.slow
def test_groups_are_those_of_the_tables_with_the_same_history() -> None:
    found = read_files(files()).readings
    fleet = open_fleet(edition_of(str(SAMPLE)))
    rows = pq.read_table(TELEMETRY)
    assert len(found) == len(rows.select(["cluster", "group_id"]).to_pandas().drop_duplicates())
    reading = next(each for each in found if each.group.id == "fraud-scorer")

    moments = sorted(set(rows["snapshot_at"].to_pylist()))
    expected = snapshot(fleet, "payments-eu", "fraud-scorer", moments[-1])

    assert reading.group.members == expected.group.members
    assert reading.group.topics == expected.group.topics
    assert (reading.group.present_owners == expected.group.present_owners).all()
    for field in ("begin", "end", "committed"):
        own, others = (getattr(each.group.offsets, field) for each in (reading, expected))
        assert (own == others).all(), field
    assert reading.history is not None
    assert expected.history is not None
    assert reading.history.times_s.tolist() == expected.history.times_s.tolist()
    for ours, theirs in zip(reading.history.moments, expected.history.moments, strict=True):
        assert all(np.array_equal(ours.topics[name], theirs.topics[name]) for name in ours.topics)


@pytest.mark.slow
def test_the_snapshots_of_a_group_alone_stay_apart() -> None:
    rows = pq.read_table(TELEMETRY)
    alone = rows.filter(pc.equal(rows["group_id"], "fraud-scorer"))

    (reading,) = read_collected({"a.parquet": written(alone)})

    assert reading.history is not None
    assert len(reading.history.moments) == len(set(alone["snapshot_at"].to_pylist()))


def test_what_is_no_such_file_is_one_sentence() -> None:
    with pytest.raises(SourceError, match=r"a\.parquet cannot be read as a Parquet"):
        read_collected({"a.parquet": b"hello"})
    with pytest.raises(SourceError, match=r"a\.parquet has no column cluster; expected a file"):
        read_collected({"a.parquet": written(pa.table({"topic": ["t"]}))})
    with pytest.raises(SourceError, match="no consumer group"):
        read_collected({"a.parquet": written(pq.read_table(TELEMETRY).slice(0, 0))})


def test_rows_are_counted_before_they_are_read() -> None:
    with pytest.raises(SourceError, match="rows are more than the 100"):
        read_collected(files(), Limits(rows=100))


@pytest.mark.slow
def test_a_long_name_repeated_is_refused_before_memory_is_taken() -> None:
    rows = pq.read_table(TELEMETRY)
    host = pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), ["h" * 500_000])
    table = rows.set_column(rows.schema.get_field_index("host"), "host", host)
    data = written(table)
    assert len(data) < 2_000_000

    with pytest.raises(SourceError, match=r"a\.parquet: [\d,]+ unpacked bytes are more than"):
        read_collected({"a.parquet": data})


def test_a_value_out_of_range_is_named_with_its_row() -> None:
    rows = pq.read_table(TELEMETRY).slice(0, 3)
    offsets = pa.array([1, 2, -5], pa.int64())
    table = rows.set_column(
        rows.schema.get_field_index("log_end_offset"), "log_end_offset", offsets
    )

    with pytest.raises(SourceError, match=r"a\.parquet, row 3: log_end_offset is out of range"):
        read_collected({"a.parquet": written(table)})


@pytest.mark.parametrize("column", ["cluster", "group_id", "snapshot_at"])
def test_a_row_that_names_no_group_or_moment_is_refused(column: str) -> None:
    rows = pq.read_table(TELEMETRY).slice(0, 3)
    at = rows.schema.get_field_index(column)
    values = [rows[column][0].as_py(), None, rows[column][2].as_py()]
    table = rows.set_column(at, column, pa.array(values, rows.schema.field(column).type))

    with pytest.raises(SourceError, match=rf"a\.parquet, row 2: {column} is missing"):
        read_collected({"a.parquet": written(table)})


@pytest.mark.slow
def test_the_collectors_files_may_come_with_others() -> None:
    paste = b"GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG\ng t 0 5 9 4\n"

    found = read_files(files() | {"paste.txt": paste}).readings

    assert [reading.group.id for reading in found] == [
        *(reading.group.id for reading in read_files(files()).readings),
        "g",
    ]


def test_the_kind_that_the_collector_wrote_is_the_groups() -> None:
    rows = pq.read_table(TELEMETRY)
    alone = rows.filter(pc.equal(rows["group_id"], "fraud-scorer"))
    alone = alone.append_column("kind", pa.array(["streams-broker"] * alone.num_rows))

    (reading,) = read_collected({"a.parquet": written(alone)})

    assert reading.kind is GroupKind.STREAMS_BROKER


@pytest.mark.slow
def test_a_few_bytes_that_claim_millions_of_rows_are_refused_by_their_footer() -> None:
    rows = pq.read_table(TELEMETRY).slice(0, 1)
    many = pa.concat_tables([rows] * 10).take(pa.array(np.zeros(1_500_000, np.int64)))

    data = written(many)

    assert len(data) < 100_000
    with pytest.raises(SourceError, match=r"claims 1,500,000 rows in \d\d,\d{3} bytes"):
        read_collected({"a.parquet": data})
