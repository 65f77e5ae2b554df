"""The alternative to the pipeline that a user would write: polars and numpy, one process.

It writes the same tables for range, round robin and the recorded owners, for groups whose members
all subscribe to everything: ``python -m benchmarks.fleet_polars INPUT OUTPUT``. It is written for
speed: strategies are arithmetic on whole columns, without loops over groups; rows are sorted once
and joined by position.
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
_LONGEST: Final = 32_767
"""Maximum number of bytes of a string in Kafka's protocol."""


def main(source: str, target: str) -> None:
    """Read a folder of Parquet telemetry and write a folder of Parquet tables."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    rows, rejected = judged(pl.read_parquet(f"{source}/*.parquet"))
    rejected.write_parquet(folder / "rejected.parquet")
    rows = with_lag_and_rates(coded(rows))
    members = members_of(rows)
    rows = placed(rows, members)
    partition_lag(rows).write_parquet(folder / "partition_lag.parquet")
    members.drop("unit", "place", "member").write_parquet(folder / "group_member.parquet")
    owners = owners_of(rows, members)
    bound = lower_bound(rows, members)
    loads = {name: member_load(rows, members, owner) for name, owner in owners.items()}
    pl.concat(
        load.with_columns(strategy=pl.lit(name)).drop("unit", "place")
        for name, load in loads.items()
    ).write_parquet(folder / "member_load.parquet")
    summary = pl.concat(
        group_summary(rows, members, name, owners, loads[name], bound) for name in owners
    )
    summary.write_parquet(folder / "group_summary.parquet")
    recommendation(summary).write_parquet(folder / "recommendation.parquet")


def judged(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the usable rows and the rejected ones."""
    names = ["cluster", "group_id", "topic", "member_id", "client_id", "host"]
    names += ["group_instance_id", "rack"]
    start, end = pl.col("log_start_offset"), pl.col("log_end_offset")
    faults = [
        pl.col("cluster", "group_id", "snapshot_at").is_null(),
        pl.col("topic").is_null() != pl.col("partition").is_null(),
        pl.col("topic").is_null() & pl.col("member_id").is_null(),
        pl.col(names).str.len_bytes() > _LONGEST,
        pl.col(names).str.len_bytes() == 0,
        pl.col("partition", "log_start_offset", "log_end_offset", "committed_offset") < 0,
        end < start,
        ~pl.col("auto_offset_reset").is_in(["latest", "earliest", "none"]),
    ]
    is_bad = rows.select(pl.any_horizontal(*faults).fill_null(value=False).alias("bad"))["bad"]
    return (rows.filter(~is_bad), rows.filter(is_bad)) if is_bad.any() else (rows, rows[:0])


def recommendation(summary: pl.DataFrame) -> pl.DataFrame:
    """Return each group's strategy with the smallest mean of the largest lag, ranked."""
    means = summary.group_by("cluster", "group_id", "strategy").agg(
        pl.col("max_load", "max_over_mean_load", "from_previous", "lower_bound").mean(),
        pl.len().alias("snapshots"),
    )
    best = means.sort("max_load", "from_previous").unique(["cluster", "group_id"], keep="first")
    present = means.filter(pl.col("strategy") == "as-it-was")
    both = present.join(best, on=["cluster", "group_id"], suffix="_best")
    gain = (pl.col("max_load") - pl.col("max_lag_best")).alias("gain_load")
    return both.with_columns(gain).sort("gain_load", descending=True)


def coded(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows by group, partition and time, with numeric codes for names.

    Names are hashed once and the distinct ones ranked; rows are then sorted by one integer each,
    which is many times faster than sorting by five text columns.
    """
    numbers = {name: _ranks(rows[name]) for name in ("cluster", "group_id", "topic", "member_id")}
    time = rows["snapshot_at"].to_physical().to_numpy()
    numbers["snapshot_at"] = np.searchsorted(np.unique(time), time)
    numbers["partition"] = rows["partition"].fill_null(-1).to_numpy().astype(np.int64)
    key = _packed([numbers[name] for name in (*_PARTITION, "snapshot_at")])
    unit = _packed([numbers[name] for name in _UNIT])
    order = np.argsort(key, kind="stable")
    group = _packed([numbers["cluster"], numbers["group_id"]])[order]
    topic = numbers["topic"][order]
    return rows[order].with_columns(
        unit=pl.Series(np.unique(unit[order], return_inverse=True)[1]),
        member=pl.Series(numbers["member_id"][order]),
        topic_number=pl.Series(_runs(group, topic)),
        is_again=pl.Series(np.diff(_runs(group, topic, numbers["partition"][order]), prepend=-1))
        == 0,
    )


def _ranks(names: pl.Series) -> _Array:
    """Return each name's rank among the sorted names; null is -1."""
    kinds = pl.Enum(names.drop_nulls().unique().sort())
    ranks: _Array = names.cast(kinds).to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
    return ranks


def _packed(columns: list[_Array]) -> _Array:
    """Return one integer per row that sorts like the columns, lexicographically."""
    packed = np.zeros(columns[0].size, np.int64)
    for column in columns:
        packed = packed * (int(column.max()) + 2) + column + 1
    return packed


def _runs(*columns: _Array) -> _Array:
    """Return the number of the run of equal values that each row belongs to."""
    changes = np.zeros(columns[0].size, np.bool_)
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return np.cumsum(changes)


def with_lag_and_rates(rows: pl.DataFrame) -> pl.DataFrame:
    """Add lag and rates, which follow from offsets."""
    seconds = pl.col("snapshot_at").diff().dt.total_microseconds() / 1e6
    uncommitted = (
        pl.when(pl.col("auto_offset_reset").fill_null("latest") == "latest")
        .then(pl.col("log_end_offset"))
        .otherwise(pl.col("log_start_offset"))
    )
    start = pl.coalesce("committed_offset", uncommitted)

    def rate(offset: str) -> pl.Expr:
        grown = pl.col(offset).diff()
        return pl.when(pl.col("is_again") & (grown >= 0) & (seconds > 0)).then(grown / seconds)

    return rows.with_columns(
        lag=(pl.col("log_end_offset") - start).clip(lower_bound=0),
        produce_rate=rate("log_end_offset"),
        consume_rate=rate("committed_offset"),
        day=pl.col("snapshot_at").dt.date(),
    )


def members_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the members of each snapshot, ordered by id, with their position in it."""
    described = ["client_id", "host", "group_instance_id", "rack", "subscribed_topics", "day"]
    unit, member = rows["unit"].to_numpy(), rows["member"].to_numpy()
    _, first = np.unique(_packed([unit, member]), return_index=True)
    first = first[member[first] >= 0]
    first_rows = rows[[*_UNIT, "member_id", *described, "unit", "member"]][first]
    starts = np.flatnonzero(np.diff(unit[first], prepend=-1))
    place = np.arange(first.size) - starts[np.cumsum(np.diff(unit[first], prepend=-1) > 0) - 1]
    return first_rows.with_columns(place=pl.Series(place))


def placed(rows: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Add the owner's row number among the members and its index in the group; drop idle rows."""
    known = rows.filter(pl.col("topic").is_not_null())
    unit, member = known["unit"].to_numpy(), known["member"].to_numpy()
    span = int(members["member"].to_numpy().max()) + 1
    there = members["unit"].to_numpy() * span + members["member"].to_numpy()
    present_owner = np.where(member >= 0, np.searchsorted(there, unit * span + member), -1)
    # The rows of a snapshot are in partition order, interleaved with rows of other snapshots.
    order = np.argsort(unit, kind="stable")
    starts = np.flatnonzero(np.diff(unit[order], prepend=-1))
    index = np.empty(unit.size, np.int64)
    index[order] = np.arange(unit.size) - np.repeat(starts, np.diff(starts, append=unit.size))
    pair = _packed([unit, known["topic_number"].to_numpy()])
    _, topic, sizes = np.unique(pair, return_inverse=True, return_counts=True)
    return known.with_columns(
        present_owner=pl.Series(present_owner),
        index=pl.Series(index),
        topic_size=pl.Series(sizes[topic]),
    )


def partition_lag(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the ``partition_lag`` table."""
    offsets = ["log_start_offset", "log_end_offset", "committed_offset", "auto_offset_reset"]
    derived = ["lag", "member_id", "produce_rate", "consume_rate", "day"]
    return rows.select([*_UNIT, "topic", "partition", *offsets, *derived])


def owners_of(rows: pl.DataFrame, members: pl.DataFrame) -> dict[str, _Array]:
    """Return each strategy's owners, as row numbers of the members; -1 for no owner."""
    unit = rows["unit"].to_numpy()
    sizes = np.bincount(members["unit"].to_numpy())
    first, count = (np.cumsum(sizes) - sizes)[unit], sizes[unit]
    number, size = rows["partition"].to_numpy(), rows["topic_size"].to_numpy()
    least, extra = np.divmod(size, count)
    wide = extra * (least + 1)
    beyond = extra + (number - wide) // np.maximum(least, 1)
    return {
        "as-it-was": rows["present_owner"].to_numpy(),
        "range": first + np.where(number < wide, number // (least + 1), beyond),
        "roundrobin": first + rows["index"].to_numpy() % count,
    }


def member_load(rows: pl.DataFrame, members: pl.DataFrame, owner: _Array) -> pl.DataFrame:
    """Return the load of each member under these owners."""
    owned = rows.select(
        "lag",
        "produce_rate",
        # Over all snapshots, because an owner need only be a member in one of them.
        topic="topic_number",
        owner=pl.Series(owner),
    ).filter(pl.col("owner") >= 0)
    sums = (
        owned.lazy()
        .group_by("owner", "topic")
        .agg(
            pl.len().alias("partitions"),
            pl.col("lag").sum(),
            pl.col("lag").null_count().alias("unknown_loads"),
            pl.col("produce_rate").sum().alias("rate"),
            pl.col("produce_rate").count().alias("known"),
        )
        .group_by("owner")
        .agg(pl.all().exclude("topic").sum(), pl.len().alias("topics"))
        .collect()
    )
    shown = [*_UNIT, "member_id", "day", "unit", "place"]
    figures = ["partitions", "lag", "unknown_loads", "topics", "rate", "known"]
    is_unknown = (pl.col("partitions") > 0) & (pl.col("unknown_loads") == pl.col("partitions"))
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


def lower_bound(rows: pl.DataFrame, members: pl.DataFrame) -> pl.Series:
    """Return each snapshot's lower bound on the largest lag."""
    count = pl.Series(np.bincount(members["unit"].to_numpy()))
    lags = (
        rows.select("unit", pl.col("lag").fill_null(0))
        .sort(["unit", "lag"], descending=[False, True])
        .with_columns(
            pl.int_range(pl.len()).over("unit").alias("rank"), sums=pl.col("lag").cum_sum()
        )
        .with_columns(members=count.gather(rows["unit"].sort()))
    )
    # Of the first j * members + 1 partitions, one consumer has j + 1, at least the smallest.
    extra = lags["rank"].to_numpy() // lags["members"].to_numpy()
    sums, at = lags["sums"].to_numpy(), np.arange(len(lags))
    least = sums - np.where(at > extra, sums[np.maximum(at - extra - 1, 0)], 0)
    forced = np.where(lags["rank"].to_numpy() % lags["members"].to_numpy() == 0, least, 0)
    bounds = (
        lags.with_columns(forced=pl.Series(forced))
        .group_by("unit", maintain_order=True)
        .agg(pl.col("lag").sum(), pl.col("forced").max(), pl.col("members").first())
    )
    share = -(-bounds["lag"].to_numpy() // bounds["members"].to_numpy())
    return pl.Series(np.maximum(share, bounds["forced"].to_numpy()))


def group_summary(  # noqa: PLR0913, PLR0917 -- the tables it is made of
    rows: pl.DataFrame,
    members: pl.DataFrame,
    name: str,
    owners: dict[str, _Array],
    load: pl.DataFrame,
    bound: pl.Series,
) -> pl.DataFrame:
    """Return the ``group_summary`` table for one strategy."""
    owner, present = owners[name], owners["as-it-was"]
    moves = rows.select(
        "unit",
        "topic_number",
        "lag",
        "produce_rate",
        unowned=pl.Series(owner < 0),
        from_present=pl.Series((present >= 0) & (present != owner)),
        from_previous=pl.Series(_moved_in_time(rows, members, owner)),
    )
    totals = moves.group_by("unit", maintain_order=True).agg(
        pl.col("topic_number").n_unique().alias("topics"),
        pl.len().alias("partitions"),
        pl.col("lag").sum().alias("total_load"),
        pl.col("lag").null_count().alias("unknown_loads"),
        pl.col("produce_rate").sum().alias("rate"),
        pl.col("unowned", "from_present", "from_previous").sum(),
    )
    figures = load.group_by("unit", maintain_order=True).agg(
        pl.col([*_UNIT, "day"]).first(),
        pl.len().alias("members"),
        pl.col("lag").max().alias("max_load"),
        pl.col("lag").sum().truediv(pl.len()).alias("mean_load"),
        pl.col("partitions").max().alias("max_partitions"),
        (pl.col("partitions").max() - pl.col("partitions").min()).alias("count_spread"),
        (pl.col("partitions") == 0).sum().alias("idle_members"),
    )
    return figures.join(totals, on="unit", maintain_order="left").with_columns(
        pl.lit(name).alias("strategy"),
        (pl.col("max_load") / pl.col("mean_load")).alias("max_over_mean_load"),
        lower_bound=bound,
        above_bound=pl.col("max_load") - bound,
    )


def _moved_in_time(
    rows: pl.DataFrame, members: pl.DataFrame, owner: _Array
) -> npt.NDArray[np.bool_]:
    """Flag partitions that had another owner in the previous snapshot."""
    who = np.append(members["member"].to_numpy(), -1)[owner]
    before = np.roll(who, 1)
    moved: npt.NDArray[np.bool_] = rows["is_again"].to_numpy() & (before >= 0) & (before != who)
    return moved


if __name__ == "__main__":
    main(*sys.argv[1:])
