"""Which strategy would have served each group best over the window, ranked by what it gains.

A snapshot is judged where the largest lag is known under every strategy, and where the group
had an owner for every partition that a strategy can place: a partition that nobody reads
weighs on no consumer, so that its group would look better than it is. A group without any
such snapshot is judged on the others, but what it would gain stays unknown.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812 - as Spark's own documentation writes it

from schemas.tables import AS_IT_WAS, REAL_GAIN, RECOMMENDATION, columns

_GROUP: Final = ("cluster", "group_id")
_EXACT: Final = "DECIMAL(38, 0)"
"""Sums of lags fit, and come out the same in whatever order they are taken."""
_FIGURES: Final = ("max_lag", "moves", "max_over_mean")
"""What is told of the strategy and, beside it, of the group as it was."""


def recommended(summary: DataFrame, order: Sequence[str]) -> DataFrame:
    """Return one RECOMMENDATION row a group of ``group_summary``.

    Ties go to the strategy that moves less, then to the first in ``order``.
    """
    return (
        summary.transform(_with_verdict)
        .transform(partial(_averaged, order=order))
        .transform(_best_beside_present)
        .transform(_with_gain)
        .transform(_ranked)
    )


def _with_verdict(summary: DataFrame) -> DataFrame:
    """Add ``is_judged`` to the snapshots, and ``is_comparable`` to the groups."""
    whole = Window.unboundedPreceding, Window.unboundedFollowing
    snapshot = Window.partitionBy(*_GROUP, "snapshot_at").rowsBetween(*whole)
    group = Window.partitionBy(*_GROUP).rowsBetween(*whole)
    present_unowned = F.max(F.when(_is_present(), F.col("unowned")))
    is_owned = present_unowned.over(snapshot) <= F.min("unowned").over(snapshot)
    is_known = F.count("max_lag").over(snapshot) == F.count(F.lit(1)).over(snapshot)
    return (
        summary.repartition(*_GROUP)
        .withColumn("is_known", is_known)
        .withColumn("is_owned", is_known & is_owned)
        .withColumn("is_comparable", F.bool_or("is_owned").over(group))
        .withColumn("is_judged", F.col("is_known") & (F.col("is_owned") | ~F.col("is_comparable")))
    )


def _averaged(judged: DataFrame, order: Sequence[str]) -> DataFrame:
    """Return one row a group and strategy: its figures over the snapshots."""
    at = F.col("snapshot_at")
    place = F.array_position(F.array(*map(F.lit, order)), F.col("strategy"))
    return judged.groupBy(*_GROUP, "strategy").agg(
        F.coalesce(F.min(_if_judged("snapshot_at")), F.min(at)).alias("window_start"),
        F.coalesce(F.max(_if_judged("snapshot_at")), F.max(at)).alias("window_end"),
        F.count_if("is_judged").cast("INT").alias("snapshots"),
        F.max_by("partitions", at).alias("partitions"),
        F.max_by("members", at).alias("members"),
        F.max("members").alias("most_members"),
        F.bool_or("is_comparable").alias("is_comparable"),
        F.sum(_if_judged("max_lag").cast(_EXACT)).alias("summed_lag"),
        F.min_by("moved_from_present", at).alias("first_moves"),
        F.first(place).alias("place"),
        _mean_lag("max_lag").alias("max_lag"),
        _mean_lag("best_max_lag").alias("best_max_lag"),
        _mean_lag("total_lag").alias("total_lag"),
        F.avg("moved_from_previous").alias("moves"),
        _mean(_if_judged("max_over_mean_lag")).alias("max_over_mean"),
        F.avg("idle_members").alias("idle_members"),
    )


def _best_beside_present(averages: DataFrame) -> DataFrame:
    """Return one row a group: ``best``, null if none is known, and ``present``."""
    figures = F.struct("strategy", *_FIGURES)
    merit = F.struct(
        "summed_lag", F.coalesce("moves", "first_moves", F.lit(0.0)), "first_moves", "place"
    )
    is_answer = ~_is_present() & F.col("summed_lag").isNotNull()
    return averages.groupBy(*_GROUP).agg(
        F.min_by(F.when(is_answer, figures), F.when(is_answer, merit)).alias("best"),
        F.first(F.when(_is_present(), F.struct("*")), ignorenulls=True).alias("present"),
    )


def _with_gain(groups: DataFrame) -> DataFrame:
    """Say what the best strategy gains; without a real gain, keep what there is."""
    before, after = F.col("present.max_lag"), F.col("best.max_lag")
    is_real = (before - after >= 1) & (before - after >= REAL_GAIN * before)
    switches = F.coalesce(
        F.col("best").isNotNull() & (is_real | ~F.col("present.is_comparable")),
        F.lit(False),  # noqa: FBT003 - Spark names no such argument
    )
    chosen = F.when(switches, F.col("best")).otherwise(F.struct("present.strategy", *_present()))
    return (
        groups.withColumn("chosen", chosen)
        .select("present.*", "chosen")
        .withColumnsRenamed({name: f"{name}_as_it_was" for name in _FIGURES})
        .drop("strategy")
        .select("*", "chosen.*")
    )


def _ranked(groups: DataFrame) -> DataFrame:
    """Add the gain, the reason and the rank: most to gain first, unknown gains last."""
    before = F.col("max_lag_as_it_was")
    gain = F.when(F.col("is_comparable"), before - F.col("max_lag"))
    by_gain = (F.desc_nulls_last("gain_lag"), F.desc_nulls_last(before), *_GROUP)
    order = Window.partitionBy(F.lit(0)).orderBy(*by_gain)  # one row a group: all fit in a task
    share = F.try_divide("best_max_lag", "total_lag")
    return (
        groups.withColumn("gain_lag", gain)
        .withColumn("gain_share", F.try_divide("gain_lag", before))
        .withColumn("largest_partition_share", share)
        .withColumn("reason", _reason())
        .withColumn("rank", F.row_number().over(order))
        .select(*(F.col(name).cast(type_) for name, type_ in columns(RECOMMENDATION).items()))
    )


def _reason() -> Column:
    """Return one word: why this strategy, or why none."""
    before = F.col("max_lag_as_it_was")
    return (
        F.when(F.col("most_members") == 0, "no-members")
        .when(before.isNull(), "unknown-lag")
        .when(~F.col("is_comparable"), "unowned")
        .when(F.col("strategy") != AS_IT_WAS, "gains")
        .when(before == 0, "no-lag")
        .when(before == F.col("best_max_lag"), "at-best")
        .otherwise("none-better")
    )


def _is_present() -> Column:
    return F.col("strategy") == AS_IT_WAS


def _present() -> list[str]:
    return [f"present.{name}" for name in _FIGURES]


def _if_judged(name: str) -> Column:
    return F.when(F.col("is_judged"), F.col(name))


def _mean_lag(name: str) -> Column:
    """Average over the judged snapshots; unknown as soon as one is."""
    value = _if_judged(name)
    total = F.sum(value.cast(_EXACT)).cast("DOUBLE")
    return F.when(F.count(value) == F.count_if("is_judged"), F.try_divide(total, F.count(value)))


def _mean(value: Column) -> Column:
    """Average in ascending order: in any order of the rows, to the last digit the same."""
    found = F.array_sort(F.collect_list(value))
    total = F.aggregate(found, F.lit(0.0), lambda so_far, each: so_far + each)
    return F.try_divide(total, F.size(found))
