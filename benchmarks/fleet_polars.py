"""What a user would write instead of the pipeline: polars and numpy, one process.

The same tables for range, round robin and the owners found, for groups whose members all
subscribe to everything: ``python -m benchmarks.fleet_polars INPUT OUTPUT``. Written to be
as quick as it can be made: strategies are arithmetic on whole columns, no group is looped
over, rows are sorted once and joined by position.
"""

import sys
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import polars as pl

_PARTITION: Final = ["cluster", "group_id", "topic", "partition"]
_UNIT: Final = ["cluster", "group_id", "snapshot_at"]
_Array: TypeAlias = npt.NDArray[np.int64]
STRATEGIES: Final = ("range", "roundrobin")


def main(source: str, target: str) -> None:
    """Read a folder of Parquet telemetry; write a folder of Parquet tables."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    rows = with_lag_and_rates(pl.read_parquet(f"{source}/*.parquet"))
    members = crew(rows)
    rows = placed(rows, members)
    partition_lag(rows).write_parquet(folder / "partition_lag.parquet")
    members.drop("unit", "place").write_parquet(folder / "group_member.parquet")
    owners = owners_of(rows, members)
    bound = best_max_lag(rows, members)
    loads = {name: member_load(rows, members, owner) for name, owner in owners.items()}
    pl.concat(
        load.with_columns(strategy=pl.lit(name)).drop("unit", "place")
        for name, load in loads.items()
    ).write_parquet(folder / "member_load.parquet")
    pl.concat(
        group_summary(rows, members, name, owners, loads[name], bound) for name in owners
    ).write_parquet(folder / "group_summary.parquet")


def with_lag_and_rates(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows by group, partition and time, with lag and rates."""
    rows = rows.sort([*_PARTITION, "snapshot_at"])
    is_again = pl.all_horizontal(pl.col(n).eq_missing(pl.col(n).shift()) for n in _PARTITION)
    seconds = pl.col("snapshot_at").diff().dt.total_microseconds() / 1e6
    uncommitted = (
        pl.when(pl.col("auto_offset_reset").fill_null("latest") == "latest")
        .then(pl.col("log_end_offset"))
        .otherwise(pl.col("log_start_offset"))
    )
    start = pl.coalesce("committed_offset", uncommitted)

    def rate(offset: str) -> pl.Expr:
        grown = pl.col(offset).diff()
        return pl.when(is_again & (grown >= 0) & (seconds > 0)).then(grown / seconds)

    return rows.with_columns(
        lag=(pl.col("log_end_offset") - start).clip(lower_bound=0),
        produce_rate=rate("log_end_offset"),
        consume_rate=rate("committed_offset"),
        is_again=is_again,
        day=pl.col("snapshot_at").dt.date(),
    )


def crew(rows: pl.DataFrame) -> pl.DataFrame:
    """Return each snapshot's members, by id, with their place in it."""
    told = ["client_id", "host", "group_instance_id", "rack", "subscribed_topics", "day"]
    found = (
        rows.lazy()
        .filter(pl.col("member_id").is_not_null())
        .group_by([*_UNIT, "member_id"])
        .agg(pl.col(told).first())
        .sort([*_UNIT, "member_id"])
        .collect()
    )
    unit = found.select(unit=pl.struct(_UNIT).rle_id())["unit"].cast(pl.Int64).to_numpy()
    first = np.flatnonzero(np.diff(unit, prepend=-1))
    place = np.arange(unit.size) - first[unit]
    return found.with_columns(unit=pl.Series(unit), place=pl.Series(place))


def placed(rows: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Add each row's snapshot, its owner's row in the crew, and its index in the group."""
    units = members.select([*_UNIT, "unit"]).unique(maintain_order=True)
    known = rows.filter(pl.col("topic").is_not_null())
    numbered = members.select([*_UNIT, "member_id"]).with_row_index("found")
    return (
        known.join(units, on=_UNIT, how="left", maintain_order="left")
        .join(numbered, on=[*_UNIT, "member_id"], how="left", maintain_order="left")
        .with_columns(
            pl.int_range(pl.len()).over("unit").alias("index"),
            pl.len().over(["unit", "topic"]).alias("topic_size"),
        )
    )


def partition_lag(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the table of that name."""
    offsets = ["log_start_offset", "log_end_offset", "committed_offset", "auto_offset_reset"]
    found = ["lag", "member_id", "produce_rate", "consume_rate", "day"]
    return rows.select([*_UNIT, "topic", "partition", *offsets, *found])


def owners_of(rows: pl.DataFrame, members: pl.DataFrame) -> dict[str, _Array]:
    """Return each strategy's owners, as rows of the crew; -1: nobody."""
    unit = rows["unit"].to_numpy()
    sizes = np.bincount(members["unit"].to_numpy())
    first, count = (np.cumsum(sizes) - sizes)[unit], sizes[unit]
    number, size = rows["partition"].to_numpy(), rows["topic_size"].to_numpy()
    least, extra = np.divmod(size, count)
    wide = extra * (least + 1)
    beyond = extra + (number - wide) // np.maximum(least, 1)
    return {
        "as-it-was": rows["found"].cast(pl.Int64).fill_null(-1).to_numpy(),
        "range": first + np.where(number < wide, number // (least + 1), beyond),
        "roundrobin": first + rows["index"].to_numpy() % count,
    }


def member_load(rows: pl.DataFrame, members: pl.DataFrame, owner: _Array) -> pl.DataFrame:
    """Return what each member of the crew has under these owners."""
    owned = rows.select(
        "lag",
        "produce_rate",
        # Of all snapshots: an owner is a member at one of them.
        topic=pl.struct("cluster", "group_id", "topic").rle_id(),
        owner=pl.Series(owner),
    ).filter(pl.col("owner") >= 0)
    sums = (
        owned.lazy()
        .group_by("owner", "topic")
        .agg(
            pl.len().alias("partitions"),
            pl.col("lag").sum(),
            pl.col("lag").null_count().alias("unknown_lags"),
            pl.col("produce_rate").sum().alias("rate"),
            pl.col("produce_rate").count().alias("known"),
        )
        .group_by("owner")
        .agg(pl.all().exclude("topic").sum(), pl.len().alias("topics"))
        .collect()
    )
    shown = [*_UNIT, "member_id", "day", "unit", "place"]
    figures = ["partitions", "lag", "unknown_lags", "topics", "rate", "known"]
    is_unknown = (pl.col("partitions") > 0) & (pl.col("unknown_lags") == pl.col("partitions"))
    return (
        members.select(shown)
        .with_row_index("owner")
        .with_columns(pl.col("owner").cast(pl.Int64))
        .join(sums, on="owner", how="left", maintain_order="left")
        .with_columns(pl.col(figures).fill_null(0))
        .with_columns(
            lag=pl.when(~is_unknown).then("lag"),
            rate=pl.when((pl.col("known") > 0) | (pl.col("partitions") == 0)).then("rate"),
        )
        .drop("owner", "known")
    )


def best_max_lag(rows: pl.DataFrame, members: pl.DataFrame) -> pl.Series:
    """Return for each snapshot what no assignment gets below."""
    count = pl.Series(np.bincount(members["unit"].to_numpy()))
    lags = (
        rows.select("unit", pl.col("lag").fill_null(0))
        .sort(["unit", "lag"], descending=[False, True])
        .with_columns(
            pl.int_range(pl.len()).over("unit").alias("rank"), sums=pl.col("lag").cum_sum()
        )
        .with_columns(members=count.gather(rows["unit"].sort()))
    )
    # Of the first j * members + 1 partitions one consumer has j + 1, at least the last ones.
    extra = lags["rank"].to_numpy() // lags["members"].to_numpy()
    sums, at = lags["sums"].to_numpy(), np.arange(len(lags))
    least = sums - np.where(at > extra, sums[np.maximum(at - extra - 1, 0)], 0)
    forced = np.where(lags["rank"].to_numpy() % lags["members"].to_numpy() == 0, least, 0)
    found = (
        lags.with_columns(forced=pl.Series(forced))
        .group_by("unit", maintain_order=True)
        .agg(pl.col("lag").sum(), pl.col("forced").max(), pl.col("members").first())
    )
    share = -(-found["lag"].to_numpy() // found["members"].to_numpy())
    return pl.Series(np.maximum(share, found["forced"].to_numpy()))


def group_summary(  # noqa: PLR0913, PLR0917 -- the tables it is made of
    rows: pl.DataFrame,
    members: pl.DataFrame,
    name: str,
    owners: dict[str, _Array],
    load: pl.DataFrame,
    bound: pl.Series,
) -> pl.DataFrame:
    """Return the table of that name, of one strategy."""
    owner, present = owners[name], owners["as-it-was"]
    moves = rows.select(
        "unit",
        "topic",
        "lag",
        "produce_rate",
        unowned=pl.Series(owner < 0),
        from_present=pl.Series((present >= 0) & (present != owner)),
        from_previous=pl.Series(_moved_in_time(rows, members, owner)),
    )
    totals = moves.group_by("unit", maintain_order=True).agg(
        pl.col("topic").n_unique().alias("topics"),
        pl.len().alias("partitions"),
        pl.col("lag").sum().alias("total_lag"),
        pl.col("lag").null_count().alias("unknown_lags"),
        pl.col("produce_rate").sum().alias("rate"),
        pl.col("unowned", "from_present", "from_previous").sum(),
    )
    figures = load.group_by("unit", maintain_order=True).agg(
        pl.col([*_UNIT, "day"]).first(),
        pl.len().alias("members"),
        pl.col("lag").max().alias("max_lag"),
        pl.col("lag").sum().truediv(pl.len()).alias("mean_lag"),
        pl.col("partitions").max().alias("max_partitions"),
        (pl.col("partitions").max() - pl.col("partitions").min()).alias("count_spread"),
        (pl.col("partitions") == 0).sum().alias("idle_members"),
    )
    return figures.join(totals, on="unit", maintain_order="left").with_columns(
        pl.lit(name).alias("strategy"),
        (pl.col("max_lag") / pl.col("mean_lag")).alias("max_over_mean_lag"),
        best_max_lag=bound,
        above_best_lag=pl.col("max_lag") - bound,
    )


def _moved_in_time(
    rows: pl.DataFrame, members: pl.DataFrame, owner: _Array
) -> npt.NDArray[np.bool_]:
    """Tell which partitions have another owner than at the snapshot before, still there."""
    # A member's number over all snapshots of its group.
    number = members.select(n=pl.struct("cluster", "group_id", "member_id").rank("dense"))
    who = np.append(number["n"].to_numpy().astype(np.int64), -1)[owner]
    before = np.roll(who, 1)
    moved: npt.NDArray[np.bool_] = rows["is_again"].to_numpy() & (before >= 0) & (before != who)
    return moved


if __name__ == "__main__":
    main(*sys.argv[1:])
