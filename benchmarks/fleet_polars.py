"""What a user would write instead of the pipeline: polars, one process.

The same tables for range, round robin and the recorded owners, for groups whose members all
subscribe to everything: ``python -m benchmarks.fleet_polars INPUT OUTPUT``. Written to be quick:
names are numbers that sort alike, rows are sorted once, strategies are arithmetic on whole
columns, no group is looped over.
"""

import sys
from pathlib import Path
from typing import Final

import polars as pl
from polars import selectors

STRATEGIES: Final = ("range", "roundrobin")
_PRESENT: Final = "as-it-was"
_NAMES: Final = ["cluster", "group_id", "topic", "member_id"]
_PARTITION: Final = ["cluster", "group_id", "topic", "partition"]
_UNIT: Final = ["cluster", "group_id", "snapshot_at"]
_OF_MEMBER: Final = ["client_id", "host", "group_instance_id", "rack", "subscribed_topics"]
_LONGEST: Final = 32_767
"""Bytes of a string in Kafka's protocol."""


def main(source: str, target: str) -> None:
    """Read a folder of Parquet telemetry; write a folder of Parquet tables."""
    folder = Path(target)
    folder.mkdir(parents=True, exist_ok=True)
    rows, rejected = judged(pl.read_parquet(f"{source}/*.parquet"))
    rows = with_lag_and_rates(coded(rows))
    members = members_of(rows)
    rows = with_owners(rows, members)
    loads = {name: member_load(rows, members, name) for name in (_PRESENT, *STRATEGIES)}
    bound = best_max_lag(rows)
    summary = pl.concat(group_summary(rows, members, load, bound) for load in loads.values())
    tables = {
        "rejected": rejected,
        "partition_lag": partition_lag(rows),
        "group_member": members.drop("unit", "place", "member"),
        "member_load": pl.concat(loads.values()).drop("unit", "place"),
        "group_summary": summary,
        "recommendation": recommendation(summary),
    }
    for name, table in tables.items():
        table.with_columns(selectors.enum().cast(pl.String)).write_parquet(
            folder / f"{name}.parquet"
        )


def judged(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the rows that can be used, and the others."""
    names = [*_NAMES, "client_id", "host", "group_instance_id", "rack"]
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


def coded(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the rows partition by partition, through time, with the number of each snapshot."""
    rows = rows.cast({name: pl.Enum(rows[name].drop_nulls().unique().sort()) for name in _NAMES})
    units = rows.select(_UNIT).unique().sort(_UNIT).with_row_index("unit")
    same = pl.col(_PARTITION).eq_missing(pl.col(_PARTITION).shift())
    return (
        rows.sort([*_PARTITION, "snapshot_at"])
        .join(units, on=_UNIT, maintain_order="left")
        .with_columns(is_again=pl.all_horizontal(same), day=pl.col("snapshot_at").dt.date())
    )


def with_lag_and_rates(rows: pl.DataFrame) -> pl.DataFrame:
    """Add what follows from offsets."""
    seconds = pl.col("snapshot_at").diff().dt.total_microseconds() / 1e6
    uncommitted = (
        pl.when(pl.col("auto_offset_reset").fill_null("latest") == "latest")
        .then("log_end_offset")
        .otherwise("log_start_offset")
    )
    start = pl.coalesce("committed_offset", uncommitted)

    def rate(offset: str) -> pl.Expr:
        grown = pl.col(offset).diff()
        return pl.when(pl.col("is_again") & (grown >= 0) & (seconds > 0)).then(grown / seconds)

    return rows.with_columns(
        lag=(pl.col("log_end_offset") - start).clip(lower_bound=0),
        produce_rate=rate("log_end_offset"),
        consume_rate=rate("committed_offset"),
    )


def members_of(rows: pl.DataFrame) -> pl.DataFrame:
    """Return each snapshot's members, by id, numbered on and within it."""
    return (
        rows.filter(pl.col("member_id").is_not_null())
        .unique(["unit", "member_id"], keep="first")
        .select(*_UNIT, "member_id", *_OF_MEMBER, "day", "unit")
        .sort("unit", "member_id")
        .with_columns(place=pl.int_range(pl.len()).over("unit"))
        .with_row_index("member")
    )


def with_owners(rows: pl.DataFrame, members: pl.DataFrame) -> pl.DataFrame:
    """Add the owner's number under each strategy, null: nobody; idle members' rows go."""
    of_unit = members.group_by("unit").agg(first=pl.col("member").min(), count=pl.len())
    partition = pl.col("partition").cast(pl.Int64)
    size, count = pl.len().over("unit", "topic").cast(pl.Int64), pl.col("count").cast(pl.Int64)
    least, extra = size // count, size % count
    wide = extra * (least + 1)
    beyond = extra + (partition - wide) // least.clip(lower_bound=1)
    cut = pl.when(partition < wide).then(partition // (least + 1)).otherwise(beyond)
    return (
        rows.drop(_OF_MEMBER)
        .filter(pl.col("topic").is_not_null())
        .join(of_unit, on="unit", how="left", maintain_order="left")
        .join(
            members.select("unit", "member_id", pl.col("member").alias(_PRESENT)),
            on=["unit", "member_id"],
            how="left",
            maintain_order="left",
        )
        .with_columns(
            (pl.col("first") + cut).alias("range"),
            (pl.col("first") + pl.int_range(pl.len()).over("unit") % count).alias("roundrobin"),
        )
    )


def partition_lag(rows: pl.DataFrame) -> pl.DataFrame:
    """Return the table of that name."""
    offsets = ["log_start_offset", "log_end_offset", "committed_offset", "auto_offset_reset"]
    derived = ["lag", "member_id", "produce_rate", "consume_rate", "day"]
    return rows.select([*_UNIT, "topic", "partition", *offsets, *derived])


def member_load(rows: pl.DataFrame, members: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return what each member has under a strategy."""
    sums = (
        rows.lazy()
        .filter(pl.col(name).is_not_null())
        .group_by(pl.col(name).alias("member"), "topic")
        .agg(
            pl.len().alias("partitions"),
            pl.col("lag").sum(),
            pl.col("lag").null_count().alias("unknown_lags"),
            pl.col("produce_rate").sum().alias("rate"),
            pl.col("produce_rate").count().alias("known"),
        )
        .group_by("member")
        .agg(pl.all().exclude("topic").sum(), pl.len().alias("topics"))
        .collect()
    )
    is_unknown = (pl.col("partitions") > 0) & (pl.col("unknown_lags") == pl.col("partitions"))
    return (
        members.select("member", *_UNIT, "member_id", "day", "unit", "place")
        .join(sums, on="member", how="left", maintain_order="left")
        .with_columns(pl.col(sums.columns[1:]).fill_null(0))
        .with_columns(
            lag=pl.when(~is_unknown).then("lag"),
            rate=pl.when((pl.col("known") > 0) | (pl.col("partitions") == 0)).then("rate"),
            strategy=pl.lit(name),
        )
        .drop("member", "known")
    )


def best_max_lag(rows: pl.DataFrame) -> pl.DataFrame:
    """Return for each snapshot what no assignment gets below."""
    at, rank, count = pl.int_range(pl.len()), pl.int_range(pl.len()).over("unit"), pl.col("count")
    # Of the first j * count + 1 partitions one consumer has j + 1, at least the last ones.
    first = at - rank // count - 1
    sums = pl.col("lag").cum_sum()
    before = pl.when(first >= 0).then(sums.gather(first.clip(lower_bound=0))).otherwise(0)
    return (
        rows.select("unit", pl.col("lag").fill_null(0), pl.col("count").cast(pl.Int64))
        .sort(["unit", "lag"], descending=[False, True])
        .with_columns(forced=pl.when(rank % count == 0).then(sums - before).otherwise(0))
        .group_by("unit")
        .agg(
            best_max_lag=pl.max_horizontal(
                -(-pl.col("lag").sum() // pl.col("count").first()), pl.col("forced").max()
            )
        )
    )


def group_summary(
    rows: pl.DataFrame, members: pl.DataFrame, load: pl.DataFrame, bound: pl.DataFrame
) -> pl.DataFrame:
    """Return the table of that name, of the strategy of this load."""
    name = load["strategy"][0]
    owner, present, who = pl.col(name), pl.col(_PRESENT), pl.col("who")
    before = who.shift()
    totals = (
        rows.with_columns(who=members["member_id"].gather(rows[name]))
        .with_columns(
            unowned=owner.is_null(),
            from_present=present.is_not_null() & present.ne_missing(owner),
            from_previous=pl.col("is_again") & before.is_not_null() & before.ne_missing(who),
        )
        .group_by("unit")
        .agg(
            pl.col("topic").n_unique().alias("topics"),
            pl.len().alias("partitions"),
            pl.col("lag").sum().alias("total_lag"),
            pl.col("lag").null_count().alias("unknown_lags"),
            pl.col("produce_rate").sum().alias("rate"),
            pl.col("unowned", "from_present", "from_previous").sum(),
        )
    )
    figures = load.group_by("unit").agg(
        pl.col([*_UNIT, "day", "strategy"]).first(),
        pl.len().alias("members"),
        pl.col("lag").max().alias("max_lag"),
        pl.col("lag").sum().truediv(pl.len()).alias("mean_lag"),
        pl.col("partitions").max().alias("max_partitions"),
        (pl.col("partitions").max() - pl.col("partitions").min()).alias("count_spread"),
        (pl.col("partitions") == 0).sum().alias("idle_members"),
    )
    return (
        figures.join(totals, on="unit")
        .join(bound, on="unit")
        .with_columns(
            (pl.col("max_lag") / pl.col("mean_lag")).alias("max_over_mean_lag"),
            (pl.col("max_lag") - pl.col("best_max_lag")).alias("above_best_lag"),
        )
    )


def recommendation(summary: pl.DataFrame) -> pl.DataFrame:
    """Return each group's strategy with the smallest mean of the largest lag, ranked."""
    means = summary.group_by("cluster", "group_id", "strategy").agg(
        pl.col("max_lag", "max_over_mean_lag", "from_previous", "best_max_lag").mean(),
        pl.len().alias("snapshots"),
    )
    best = means.sort("max_lag", "from_previous").unique(["cluster", "group_id"], keep="first")
    present = means.filter(pl.col("strategy") == _PRESENT)
    both = present.join(best, on=["cluster", "group_id"], suffix="_best")
    gain = (pl.col("max_lag") - pl.col("max_lag_best")).alias("gain_lag")
    return both.with_columns(gain).sort("gain_lag", descending=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
