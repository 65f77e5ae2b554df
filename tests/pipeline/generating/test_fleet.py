from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from pipeline.generating.fleet import Request, _blocks, generate
from pipeline.generating.traits import group_name, uniform
from schemas.arrow import arrow_schema
from schemas.telemetry import TELEMETRY
from tests.pipeline.generating.conftest import FLEET, telemetry_of

KEY = ["cluster", "group_id", "snapshot_at", "topic", "partition"]


def test_files_have_the_columns_and_types_of_the_schema(tmp_path: Path) -> None:
    generate(Request(groups=5, snapshots=2), tmp_path)

    (file,) = tmp_path.iterdir()

    assert pq.read_schema(file).equals(arrow_schema(TELEMETRY))


def test_the_same_request_gives_the_same_bytes_and_another_seed_others(tmp_path: Path) -> None:
    request = Request(groups=20, snapshots=3)

    for name, each in (("a", request), ("b", request), ("c", replace(request, seed=1))):
        generate(each, tmp_path / name)

    a, b, c = ((tmp_path / name / "telemetry-00000.parquet").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_about_as_many_rows_come_as_were_requested(tmp_path: Path) -> None:
    rows = telemetry_of(Request(groups=200, rows=50_000, snapshots=5), tmp_path)

    partitions = rows["topic"].notna().sum()

    assert 49_000 < partitions < 53_000


def test_generate_returns_the_number_of_rows_written(tmp_path: Path) -> None:
    request = Request(groups=40, snapshots=4)

    count = generate(request, tmp_path)

    assert count == pq.read_table(tmp_path).num_rows


def test_most_groups_are_small_and_a_few_are_huge(fleet: pd.DataFrame) -> None:
    first = fleet[fleet["snapshot_at"] == fleet["snapshot_at"].min()]

    sizes = first.groupby("group_id")["partition"].count()

    assert sizes.median() < 0.6 * sizes.mean()
    assert sizes.max() > 10 * sizes.mean()


def test_every_group_and_cluster_is_there_at_every_snapshot(fleet: pd.DataFrame) -> None:
    seen = fleet.groupby("snapshot_at").agg({"group_id": "nunique", "cluster": "nunique"})

    assert len(seen) == FLEET.snapshots
    assert set(seen["group_id"]) == {FLEET.groups}
    assert set(seen["cluster"]) == {3}


def test_snapshots_are_the_interval_apart_from_the_start_on(fleet: pd.DataFrame) -> None:
    times = np.sort(fleet["snapshot_at"].unique())

    assert times[0] == pd.Timestamp(datetime(2026, 3, 2, tzinfo=UTC))
    assert set(np.diff(times)) == {timedelta(hours=1)}


def test_no_partition_comes_twice_in_a_snapshot(fleet: pd.DataFrame) -> None:
    partitions = fleet[fleet["topic"].notna()]

    assert not partitions.duplicated(KEY).any()


def test_a_topic_has_all_its_partitions_from_zero_on(fleet: pd.DataFrame) -> None:
    partitions = fleet.groupby(["group_id", "snapshot_at", "topic"])["partition"]

    numbers = partitions.agg(["min", "max", "count"])

    assert (numbers["min"] == 0).all()
    assert (numbers["max"] == numbers["count"] - 1).all()


def test_a_topic_belongs_to_one_group(fleet: pd.DataFrame) -> None:
    pairs = fleet[["topic", "group_id"]].dropna().drop_duplicates()

    assert not pairs.duplicated("topic").any()


def test_group_names_are_distinct() -> None:
    names = [group_name(number) for number in range(5000)]

    assert len(set(names)) == len(names)


def test_the_uniform_shape_has_exactly_the_requested_size(tmp_path: Path) -> None:
    request = Request(shape="uniform", groups=7, rows=7 * 30 * 4, snapshots=4, members=3)

    rows = telemetry_of(request, tmp_path)

    per_snapshot = rows.groupby(["group_id", "snapshot_at"]).agg(
        {"partition": "count", "member_id": "nunique"}
    )
    assert len(rows) == request.rows
    assert set(per_snapshot["partition"]) == {30}
    assert set(per_snapshot["member_id"]) == {3}


def test_blocks_are_whole_groups_of_about_a_million_rows() -> None:
    traits = uniform(5, 5 * 450_000, 10, np.random.default_rng(0))

    assert _blocks(traits, snapshots=1) == [0, 2, 4, 5]
    assert _blocks(traits, snapshots=3) == [0, 1, 2, 3, 4, 5]


def test_every_block_is_a_file_of_its_own(tmp_path: Path) -> None:
    request = Request(shape="uniform", groups=2, rows=1_200_000, snapshots=1, members=2)

    generate(request, tmp_path)

    groups = [
        pq.read_table(file, columns=["group_id"])["group_id"].unique().to_pylist()
        for file in sorted(tmp_path.iterdir())
    ]
    assert groups == [[group_name(0)], [group_name(1)]]


def test_a_file_that_cannot_be_completed_leaves_nothing_behind(tmp_path: Path) -> None:
    in_its_way = tmp_path / "telemetry-00000.parquet"
    in_its_way.mkdir()

    with pytest.raises(OSError, match="telemetry-00000"):
        generate(Request(groups=2, snapshots=1), tmp_path)

    assert list(tmp_path.iterdir()) == [in_its_way]
