"""A share that is replayed part by part, compared with one that is replayed at once."""

from collections.abc import Sequence
from typing import Final

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from deltalake.transaction import AddAction
from hypothesis import given
from hypothesis import strategies as st

from pipeline.horizons import Horizons
from pipeline.lake import BUCKETS, Lake
from pipeline.replay.fleet import shares
from pipeline.replay.parts import Share, parts
from pipeline.replay.task import TaskResult, TaskSettings, work
from pipeline.replay.writing import write
from tests.groups import tried
from tests.pipeline.replay.fleets import Row, at, fleets, table

NAMES: Final = ("sticky", "lag-based")


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """Return tables that every test fills anew."""
    lake = Lake(str(tmp_path_factory.mktemp("lake")))
    lake.prepare()
    return lake


def share_of(lake: Lake, *files: Sequence[Row], before: Sequence[Row] = ()) -> Share:
    """Replace telemetry by these files; return the share of all of them.

    It has the states that a replay of the rows ``before`` left.
    """
    if not before:
        return shares(lake, {"telemetry": _committed(lake, *files)}, 0)[0]
    job = TaskSettings(lake, _committed(lake, before), NAMES, 1_000_000)
    states = work(job, shares(lake, {"telemetry": job.telemetry}, 0)[0]).files["checkpoint"]
    versions = {"checkpoint": lake.commit("checkpoint", states)}
    versions["telemetry"] = _committed(lake, before, *files)
    last_us = max(row["snapshot_at"] for row in before).timestamp() * 1e6
    return shares(lake, versions, 0, Horizons(others=int(last_us)))[0]


def _committed(lake: Lake, *files: Sequence[Row]) -> int:
    written: list[AddAction] = []
    for rows in files:
        stored = table(rows).append_column("day", _days(rows))
        written += write(lake.files(), "telemetry", stored)
    return lake.commit("telemetry", written)


def _days(rows: Sequence[Row]) -> pa.Array:
    return pa.array([row["snapshot_at"].date() for row in rows], pa.date32())


def _version(lake: Lake) -> int:
    return int(lake.table("telemetry").version())


def _written(lake: Lake, result: TaskResult) -> dict[str, list[str]]:
    """Return the sorted rows of the files that a task wrote, by table."""
    return {
        name: sorted(
            repr(row)
            for file in files
            for row in pq.read_table(f"{lake.root}/{name}/{file.path}").to_pylist()
        )
        for name, files in result.files.items()
    }


@given(fleet=fleets(), most=st.integers(1, 12), data=st.data())
@tried(25)
def test_in_parts_a_share_gives_the_same_rows(
    lake: Lake, fleet: list[Row], most: int, data: st.DataObject
) -> None:
    since = data.draw(st.sampled_from([at(-1), *sorted({row["snapshot_at"] for row in fleet})]))
    before = [row for row in fleet if row["snapshot_at"] <= since]
    rows = [row for row in fleet if row["snapshot_at"] > since] or [_row(999, 0)]
    cut = data.draw(st.integers(0, len(rows)))
    share = share_of(lake, *filter(None, (rows[:cut], rows[cut:])), before=before)
    version = _version(lake)

    jobs = (TaskSettings(lake, version, NAMES, allowed) for allowed in (1_000_000, most))
    whole, in_parts = (work(job, share) for job in jobs)

    assert _written(lake, in_parts) == _written(lake, whole)
    for result in (whole, in_parts):
        dropped = {
            path: sorted(i for each in p for i in each) for path, p in result.dropped.items()
        }
        assert sum(map(len, dropped.values())) == result.rows_rejected
        assert dropped == {p: sorted(i for a in ps for i in a) for p, ps in whole.dropped.items()}
    counts = ("rows_used", "reasons", "offsets_backwards", "snapshots", "groups", "last_us")
    assert [getattr(in_parts, name) for name in counts] == [getattr(whole, name) for name in counts]


@pytest.mark.parametrize("second", [1, 3])
def test_a_part_whose_rows_are_all_rejected_passes_the_state_on(lake: Lake, second: int) -> None:
    rows = [_row(s, p) for s in (0, 2) for p in range(2)]
    share = share_of(lake, [*rows, _row(second, 50_000)])

    jobs = (TaskSettings(lake, _version(lake), NAMES, most) for most in (1_000_000, 2))
    whole, in_parts = (work(job, share) for job in jobs)

    assert whole.rows_rejected == 1
    assert _written(lake, in_parts) == _written(lake, whole)


def test_a_later_part_looks_up_the_ends_that_tell_its_lags_by_duration(lake: Lake) -> None:
    policy = {"auto_offset_reset": "by_duration:PT2M", "committed_offset": None}
    share = share_of(lake, [_row(60 * n, p) | policy for n in range(4) for p in range(5)])
    job = TaskSettings(lake, _version(lake), NAMES, 5)

    assert len(list(parts(lake.files(), share, 5))) == 4
    (*files,) = work(job, share).files["partition_lag"]

    found = [pq.read_table(f"{lake.root}/partition_lag/{file.path}") for file in files]
    lags = {(r["snapshot_at"], r["lag"]) for rows in found for r in rows.to_pylist()}
    # Two minutes before, a log ended 1,200 records earlier; before the first, nobody knows.
    assert lags == {(at(0), None), (at(60), None), (at(120), 1_200), (at(180), 1_200)}


def _row(second: int, partition: int, group: str = "g") -> Row:
    place = {"topic": "t", "partition": partition, "member_id": "c", "file": "0"}
    offsets = {"log_end_offset": 10 * second, "committed_offset": 0}
    about = {"cluster": "eu", "group_id": group, "snapshot_at": at(second)}
    return {**about, **place, **offsets}


def test_no_part_is_larger_than_allowed_and_a_large_group_comes_alone_in_order_of_time(
    lake: Lake,
) -> None:
    small = [_row(0, p, f"small-{g}") for g in range(9) for p in range(3)]
    large = [_row(second, p) for second in range(7) for p in range(4)]
    share = share_of(lake, large[::2] + small, large[1::2])

    found = list(parts(lake.files(), share, 10))

    groups = [sorted(set(part.rows["group_id"].to_pylist())) for part in found]
    assert all(part.rows.num_rows <= 10 for part in found)
    assert sorted(len(each) for each in groups) == [1, 1, 1, 1, 3, 3, 3]
    of_large = [part for part, names in zip(found, groups, strict=True) if names == ["g"]]
    assert [part.continues for part in of_large] == [True, True, True, False]
    moments = [
        moment for part in of_large for moment in sorted(set(part.rows["snapshot_at"].to_pylist()))
    ]
    assert moments == [at(second) for second in range(7)]


def test_partitions_that_numbers_imply_count_in_a_part_now_and_later(lake: Lake) -> None:
    groups = [(_row(0, 900, f"g-{g}"), _row(1, 0, f"g-{g}")) for g in range(8)]
    share = share_of(lake, [row for rows in groups for row in rows])

    found = list(parts(lake.files(), share, 4_000))

    assert [part.rows.num_rows for part in found] == [4, 4, 4, 4]


def test_partitions_that_groups_had_before_count_in_a_part(lake: Lake) -> None:
    names = [f"g-{n}" for n in range(8)]
    before = [_row(0, p, name) for name in names for p in range(901)]
    share = share_of(lake, [_row(1, 0, name) for name in names], before=before)

    found = list(parts(lake.files(), share, 4_000))

    assert [part.rows.num_rows for part in found] == [2, 2, 2, 2]


@pytest.mark.parametrize(("most", "rows"), [(90, [1, 2, 2, 1]), (30, [1] * 6)])
def test_few_rows_of_many_partitions_are_few_snapshots_a_part(
    lake: Lake, most: int, rows: list[int]
) -> None:
    before = [_row(0, p) for p in range(40)]
    share = share_of(lake, [_row(n, 0) for n in range(1, 7)], before=before)

    found = list(parts(lake.files(), share, most))

    assert [part.rows.num_rows for part in found] == rows
    assert [part.continues for part in found] == [True] * (len(rows) - 1) + [False]


def test_shares_end_where_files_do_and_a_large_group_is_one_alone(lake: Lake) -> None:
    files: list[AddAction] = []
    ranges = {(0, 255): 100_000, (256, 511): 100_000, (512, 512): 800_000, (513, 1023): 100_000}
    for ends, rows in ranges.items():
        stored = table([_row(0, 0)] * 2).append_column("day", _days([_row(0, 0)] * 2))
        place = stored.schema.get_field_index("bucket")
        stored = stored.set_column(place, "bucket", pa.array(ends, pa.int32()))
        (file,) = write(lake.files(), "telemetry", stored)
        file.stats = file.stats.replace('"numRecords": 2', f'"numRecords": {rows}')
        files.append(file)
    version = lake.commit("telemetry", files)

    found = [each.buckets for each in shares(lake, {"telemetry": version}, 2)]

    assert range(512, 513) in found
    assert {each.start for each in found} >= {0, 256, 512, 513}
    assert found[-1].stop == BUCKETS
