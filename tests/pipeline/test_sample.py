import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from assignors.registry import STRATEGIES
from assignors.strategy import Protocol
from evaluation.assuming.clients import is_settable
from evaluation.comparing.outlook import Depth, outlook
from evaluation.consumer_labels import RANDOM_ID
from evaluation.judging import Measure
from evaluation.wording import UUID
from pipeline.encoding import decoded
from pipeline.jobs.options import BY_DEFAULT
from pipeline.jobs.status import latest_of
from pipeline.lake import Lake
from pipeline.recommendation import ranked, recommended
from pipeline.replay.replay import replay
from pipeline.sample import JUDGED_BY, SAMPLE, TELEMETRY, _ship
from schemas.tables import AS_IT_WAS
from sources.fleet.runs import edition_of, open_fleet
from sources.fleet.snapshot import snapshot

TABLES_FOLDER = SAMPLE / "tables"
KEY = ["cluster", "group_id", "snapshot_at", "strategy", "member_id", "topic", "partition"]


LAKE = Lake(str(TABLES_FOLDER))
BROKERS = {
    **dict.fromkeys(["audit-archiver", "churn-model", "clickstream-sessions"], "uniform"),
    **dict.fromkeys(["experiment-metrics", "invoice-renderer", "stock-levels"], "uniform"),
    **dict.fromkeys(["dunning-scheduler", "session-replay"], "server-range"),
    "wallet-balance-view": "uniform",
}
"""Groups in which a broker assigns, and by what."""


def _arrow(table: str) -> pa.Table:
    return LAKE.rows(table, latest_of(LAKE)["versions"][table])


def _shipped(table: str) -> pd.DataFrame:
    rows: pd.DataFrame = _arrow(table).to_pandas()
    return rows


def _in_order(rows: pd.DataFrame) -> pd.DataFrame:
    key = [column for column in KEY if column in rows.columns]
    return rows.sort_values(key, ignore_index=True)[sorted(rows.columns)]


@pytest.fixture(scope="module")
def replayed() -> dict[str, pd.DataFrame]:
    """The tables of a new replay of the sample telemetry, all of whose rows are usable."""
    rows = pq.read_table(TELEMETRY)
    rows = rows.append_column("file", pa.array([""] * rows.num_rows))
    rows = rows.append_column("bucket", pa.array(np.zeros(rows.num_rows, np.int32)))
    tables = replay(
        rows, [STRATEGIES[each] for each in BY_DEFAULT], measure=Measure(by=JUDGED_BY)
    ).tables
    return {name: decoded(rows).to_pandas() for name, rows in tables.items()}


@pytest.mark.parametrize("table", ["partition_lag", "group_member", "member_load", "group_summary"])
def test_the_shipped_tables_are_what_a_replay_makes_of_the_telemetry(
    table: str, replayed: dict[str, pd.DataFrame]
) -> None:
    _check_same(_shipped(table), replayed[table])


def test_the_shipped_recommendation_follows_from_the_shipped_summary() -> None:
    replayed = ranked(recommended(_arrow("group_summary"), BY_DEFAULT)).to_pandas()

    _check_same(_shipped("recommendation"), replayed)


def _check_same(shipped: pd.DataFrame, replayed: pd.DataFrame) -> None:
    """Fail with the rows that differ, and by which strategies: a changed one makes tables stale."""
    shipped, replayed = _in_order(shipped), _in_order(replayed)
    assert list(shipped.columns) == list(replayed.columns)
    assert len(shipped) == len(replayed)
    sides = {"shipped": shipped.map(_comparable), "replayed": replayed.map(_comparable)}
    missing = sides["shipped"].isna() & sides["replayed"].isna()
    differs = (sides["shipped"] != sides["replayed"]) & ~missing
    rows, columns = differs.any(axis=1), differs.columns[differs.any()]
    if not rows.any():
        return
    key = [column for column in KEY if column in shipped.columns]
    found = {name: side.loc[rows, columns] for name, side in sides.items()}
    table = pd.concat([shipped.loc[rows, key], pd.concat(found, axis=1)], axis=1)
    by = [column for column in key if column == "strategy"]
    strategies = table[by].value_counts().to_string() if by else ""
    pytest.fail(
        f"{rows.sum()} of {len(rows)} rows differ; if a strategy changed, run `make fleet`\n"
        f"{strategies}\n{table.head(20).to_string()}"
    )


def _comparable(value: object) -> object:
    """Normalise figures and times, so that they compare equal across libraries."""
    if isinstance(value, float):
        return None if pd.isna(value) else float(f"{value:.9g}")
    if value is None or value is pd.NaT:
        return None
    if isinstance(value, pd.Timestamp):
        return value.tz_localize(None)
    return tuple(value) if isinstance(value, np.ndarray) else value


@pytest.mark.proof
def test_a_replay_starts_where_restarts_end_that_the_group_does_not_notice() -> None:
    fleet = open_fleet(edition_of(str(TABLES_FOLDER)))
    first = _shipped("group_summary").sort_values("snapshot_at", kind="stable")
    first = first.drop_duplicates(["cluster", "group_id", "strategy"])
    settable = {
        name: each
        for name, each in STRATEGIES.items()
        if is_settable(each) and each.protocol is not Protocol.BROKER
    }

    outside = []
    for row in first[first["strategy"].isin([*settable])].to_dict("records"):
        moment = row["snapshot_at"].to_pydatetime()
        group = snapshot(fleet, row["cluster"], row["group_id"], moment).group
        runs = STRATEGIES[BROKERS[group_id]] if (group_id := row["group_id"]) in BROKERS else None
        drawn = outlook(group, settable[row["strategy"]], runs, is_noticed=False, depth=Depth.MORE)
        low, high = drawn.max_lags[[0, -1]]
        if not low <= row["max_lag"] <= high:
            outside.append((row["group_id"], row["strategy"], row["max_lag"], low, high))

    assert not outside


def test_every_row_of_the_sample_was_used() -> None:
    run = latest_of(LAKE)

    assert run["rows_in"] == run["rows_used"] == pq.read_table(TELEMETRY).num_rows
    assert run["strategies"] == list(BY_DEFAULT)
    assert run["started_at"] == run["finished_at"] == run["last_snapshot"]


def test_groups_in_which_a_broker_assigns_have_ids_of_its_protocol() -> None:
    members = _shipped("group_member").groupby("group_id")["member_id"]

    is_random = members.agg(lambda ids: all(map(RANDOM_ID.fullmatch, ids)))
    is_classic = members.agg(lambda ids: all(re.search(f"-{UUID}$", each) for each in ids))

    assert set(is_random[is_random].index) == set(BROKERS)
    assert (is_random != is_classic).all()


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    for name in "ab":
        _ship(LAKE, tmp_path / name)

    written = [
        {file.relative_to(tmp_path / name): file.read_bytes() for file in _files(tmp_path / name)}
        for name in "ab"
    ]

    assert written[0] == written[1]
    assert len(written[0]) == len(_files(TABLES_FOLDER))


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_the_sample_is_small_and_reveals_nothing_of_the_machine_that_created_it() -> None:
    assert sum(path.stat().st_size for path in _files(SAMPLE)) < 1_500_000
    assert str(Path.cwd()) not in repr(latest_of(LAKE))
    assert not [path for path in SAMPLE.rglob("*.json") if "file://" in path.read_text()]


def test_the_sample_shows_what_its_groups_are_there_for() -> None:
    recommendation = _shipped("recommendation")
    summary = _shipped("group_summary")
    was = summary[summary["strategy"] == AS_IT_WAS]

    def of(group: str, column: str) -> pd.Series:
        return was[was["group_id"] == group][column]

    gains = recommendation.sort_values("rank").head(5)
    assert "fraud-scorer" in set(gains["group_id"])
    assert gains["gain_share"].max() > 0.25
    assert (of("settlement-export", "idle_members") == 4).all()
    assert (of("audit-archiver", "unknown_lags") > 0).any()
    assert (of("legacy-sepa-bridge", "members") == 0).sum() == 23
    assert (of("checkout-orchestrator", "moved_from_previous") == 0).sum() > 10
