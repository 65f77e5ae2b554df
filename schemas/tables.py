"""The Delta tables that the pipeline writes and the dashboard reads, a folder each.

Tables with a ``day`` are partitioned by it. A table's newest version may belong to an unfinished
run: readers take the newest row of ``runs``, and every table at the version that it names.

Null means unknown, never zero. Times are UTC; ``day`` is the UTC day of ``snapshot_at``.
Strategies have the names of ``assignors.registry``; ``AS_IT_WAS`` stands for the owners in the
telemetry.
"""

import re
from collections.abc import Mapping
from typing import Final

from schemas.telemetry import TELEMETRY as _TELEMETRY

AS_IT_WAS: Final = "as-it-was"

TELEMETRY: Final = f"""
    {_TELEMETRY.strip()},
    file              STRING        COMMENT 'where the row stood, a file or a Kafka partition',
    bucket            INT           COMMENT 'hash of cluster and group_id, 0 to 1023',
    day               DATE          COMMENT ''
"""
"""Valid rows of telemetry.

All rows of a group are in one bucket, and each file holds a range of buckets.
"""

PARTITION_LAG: Final = """
    cluster           STRING    COMMENT 'cluster name',
    group_id          STRING    COMMENT 'consumer group',
    snapshot_at       TIMESTAMP COMMENT 'when the offsets were read',
    topic             STRING    COMMENT '',
    partition         INT       COMMENT '',
    log_start_offset  BIGINT    COMMENT 'null: unknown',
    log_end_offset    BIGINT    COMMENT 'null: unknown',
    committed_offset  BIGINT    COMMENT 'null: nothing committed',
    auto_offset_reset STRING    COMMENT 'latest, earliest, none or by_duration:…',
    lag               BIGINT    COMMENT 'records behind the end (KAFKA-5337); null: unknown',
    member_id         STRING    COMMENT 'the owner; null: nobody',
    produce_rate      DOUBLE    COMMENT 'records/s since the snapshot before; null: unknown',
    consume_rate      DOUBLE    COMMENT 'records/s committed since the snapshot before',
    day               DATE      COMMENT ''
"""
"""One row per cluster, group, snapshot, topic, partition."""

GROUP_MEMBER: Final = """
    cluster           STRING        COMMENT '',
    group_id          STRING        COMMENT '',
    snapshot_at       TIMESTAMP     COMMENT '',
    member_id         STRING        COMMENT '',
    client_id         STRING        COMMENT '',
    host              STRING        COMMENT '',
    group_instance_id STRING        COMMENT 'null: a dynamic member',
    rack              STRING        COMMENT 'null: unknown',
    subscribed_topics ARRAY<STRING> COMMENT 'null: all topics of the group',
    day               DATE          COMMENT ''
"""
"""One row per cluster, group, snapshot, member, including idle members."""

MEMBER_LOAD: Final = """
    cluster      STRING    COMMENT '',
    group_id     STRING    COMMENT '',
    snapshot_at  TIMESTAMP COMMENT '',
    strategy     STRING    COMMENT 'a strategy, or as-it-was',
    member_id    STRING    COMMENT '',
    partitions   INT       COMMENT 'how many it owns',
    lag          BIGINT    COMMENT 'their known lag; null: none of it is known',
    unknown_lags INT       COMMENT 'how many of them have an unknown lag',
    topics       INT       COMMENT 'in how many topics it owns a partition',
    rate         DOUBLE    COMMENT 'records/s produced to them; null: none of it is known',
    load         BIGINT    COMMENT 'their known weight, see runs; null: none of it is known',
    unknown_loads INT      COMMENT 'how many of them have an unknown weight',
    day          DATE      COMMENT ''
"""
"""One row per cluster, group, snapshot, strategy, member; all figures of idle members are 0."""

GROUP_SUMMARY: Final = """
    cluster             STRING    COMMENT '',
    group_id            STRING    COMMENT '',
    snapshot_at         TIMESTAMP COMMENT '',
    strategy            STRING    COMMENT 'a strategy, or as-it-was',
    topics              INT       COMMENT '',
    partitions          INT       COMMENT '',
    members             INT       COMMENT 'null: not told',
    total_lag           BIGINT    COMMENT 'known lag of the group; null: none is known',
    unknown_lags        INT       COMMENT 'partitions whose lag is unknown',
    rate                DOUBLE    COMMENT 'records/s produced to the group; null: unknown',
    max_lag             BIGINT    COMMENT 'of the consumer that has most',
    mean_lag            DOUBLE    COMMENT 'over all consumers, idle ones too',
    max_over_mean_lag   DOUBLE    COMMENT '1.0 is even; null where the mean is 0',
    max_partitions      INT       COMMENT 'of the consumer that has most',
    count_spread        INT       COMMENT 'most partitions of a consumer minus least',
    idle_members        INT       COMMENT 'consumers without a partition',
    unowned             INT       COMMENT 'partitions without a known owner',
    kind                STRING    COMMENT 'of the group; null: not told',
    moved_from_present  INT       COMMENT 'against the owners found; null: nobody owned anything',
    moved_from_previous INT       COMMENT 'against its own answer at the snapshot before',
    total_load          BIGINT    COMMENT 'known weight of the group; null: none is known',
    unknown_loads       INT       COMMENT 'partitions whose weight is unknown',
    max_load            BIGINT    COMMENT 'weight of the consumer that has most',
    mean_load           DOUBLE    COMMENT 'over all consumers, idle ones too',
    max_over_mean_load  DOUBLE    COMMENT '1.0 is even; null where the mean is 0',
    lower_bound         BIGINT    COMMENT 'no assignment has a smaller max_load; null: unknown',
    above_bound         BIGINT    COMMENT 'max_load - lower_bound',
    day                 DATE      COMMENT ''
"""
"""One row per cluster, group, snapshot, strategy."""

RECOMMENDATION: Final = """
    rank                 INT       COMMENT '1: where switching gains most',
    cluster              STRING    COMMENT '',
    group_id             STRING    COMMENT '',
    window_start         TIMESTAMP COMMENT 'the first snapshot judged',
    window_end           TIMESTAMP COMMENT 'the last',
    snapshots            INT       COMMENT 'how many were judged',
    partitions           INT       COMMENT 'at the last',
    members              INT       COMMENT 'at the last',
    strategy             STRING    COMMENT 'would have served best; as-it-was: nothing to gain',
    max_lag_as_it_was    DOUBLE    COMMENT 'max_lag, mean over the snapshots',
    max_lag              DOUBLE    COMMENT 'the same under the strategy',
    max_load_as_it_was   DOUBLE    COMMENT 'max_load, mean over the snapshots',
    max_load             DOUBLE    COMMENT 'the same under the strategy',
    lower_bound          DOUBLE    COMMENT 'mean over the snapshots; null: unknown',
    gain_load            DOUBLE    COMMENT 'max_load_as_it_was - max_load',
    gain_share           DOUBLE    COMMENT 'gain_load / max_load_as_it_was; null where that is 0',
    moves_as_it_was      DOUBLE    COMMENT 'partitions moved a snapshot, as it was',
    moves                DOUBLE    COMMENT 'the same under the strategy',
    max_over_mean_as_it_was DOUBLE COMMENT 'max_over_mean_load, mean over the snapshots',
    max_over_mean        DOUBLE    COMMENT 'the same under the strategy',
    idle_members         DOUBLE    COMMENT 'idle consumers as it was, mean over the snapshots',
    largest_partition_share DOUBLE COMMENT 'lower_bound / total_load: what no strategy can split',
    reason               STRING    COMMENT 'one word, see below',
    tested_strategy      STRING    COMMENT 'best in the first half of the snapshots; or null',
    promised_share       DOUBLE    COMMENT 'its gain_share there; null: none, or unknown',
    kept_share           DOUBLE    COMMENT 'its gain_share in the second half; null: unknown'
"""
"""One row per cluster and group over all snapshots of the window.

Reasons: ``gains``; nothing to gain by a switch: ``no-lag``, ``at-best`` (no assignment is better),
``none-better``; gain unknown: ``unowned`` (some partitions had no owner, so their lag counts for no
consumer), ``owners-unknown`` (the source told none), ``unknown-lag``, ``no-members``.
"""

REJECTED: Final = """
    file   STRING COMMENT 'where the row stood, a file or a Kafka partition',
    reason STRING COMMENT 'one sentence: what was expected, what was found',
    raw    STRING COMMENT 'the row as it was',
    rows   BIGINT COMMENT '1'
"""
"""One row per rejected row of telemetry."""

CHECKPOINT: Final = """
    cluster          STRING        COMMENT '',
    group_id         STRING        COMMENT '',
    snapshot_at      TIMESTAMP     COMMENT 'the last snapshot replayed of this group',
    topic            STRING        COMMENT 'null with partition: the group has no partitions',
    partition        INT           COMMENT '',
    log_end_offset   BIGINT        COMMENT 'null: unknown',
    end_since        TIMESTAMP     COMMENT 'the first snapshot since which it is the same',
    committed_offset BIGINT        COMMENT 'null: nothing committed',
    member_id        STRING        COMMENT 'the owner; null: nobody',
    owners           ARRAY<STRING> COMMENT 'the owner under each of runs.strategies, in order',
    bucket           INT           COMMENT 'as in telemetry'
"""
"""Where the replay of each group stopped, so that it can continue exactly from there.

One row per cluster, group, topic, partition of the group's last snapshot. Rows of a group's earlier
snapshots are leftovers that do not count; a stream drops them now and then.
"""

RUNS: Final = """
    run_id         STRING             COMMENT '',
    kind           STRING             COMMENT 'batch or stream',
    started_at     TIMESTAMP          COMMENT '',
    finished_at    TIMESTAMP          COMMENT '',
    versions       MAP<STRING,BIGINT> COMMENT 'table -> the version that belongs to this run',
    rows_in        BIGINT             COMMENT 'rows of input; of a stream: since its start',
    rows_used      BIGINT             COMMENT 'of those, the ones in telemetry that count',
    rows_rejected  BIGINT             COMMENT 'of those, the ones in rejected',
    rows_pending   BIGINT             COMMENT 'rows_used that wait for the watermark',
    snapshots      BIGINT             COMMENT 'of all groups',
    groups         BIGINT             COMMENT '',
    strategies     ARRAY<STRING>      COMMENT 'those replayed, in order of the registry',
    first_snapshot TIMESTAMP          COMMENT 'null: there is none',
    last_snapshot  TIMESTAMP          COMMENT 'null: there is none',
    input          STRING             COMMENT 'paths or the topic',
    quality        STRING             COMMENT 'JSON, see below',
    progress       STRING             COMMENT 'JSON: how far a stream is',
    judged_by      STRING             COMMENT 'see below; null: by an earlier release'
"""
"""One row per finished run, whose commit publishes the versions that it names.

``quality`` is an object: ``rejected`` (a list of ``reason`` and ``rows``, the most frequent first),
``offsets_backwards`` (offsets lower than at the previous snapshot), ``answers_missing`` (number of
failures of strategies at snapshots), ``failures`` (the first few of those), ``seconds`` (duration
by stage) and ``software`` (version by name).

``judged_by`` says what a partition weighs, which columns of load add up: ``lag``, ``work`` (lag and
the arrivals of 5 minutes), ``rate`` (records that arrive in a minute) or ``partitions`` (1 each).
"""

TABLES: Final[Mapping[str, str]] = {
    "telemetry": TELEMETRY,
    "rejected": REJECTED,
    "partition_lag": PARTITION_LAG,
    "group_member": GROUP_MEMBER,
    "member_load": MEMBER_LOAD,
    "group_summary": GROUP_SUMMARY,
    "recommendation": RECOMMENDATION,
    "checkpoint": CHECKPOINT,
    "runs": RUNS,
}
"""Every table by name; those with a ``day`` are partitioned by it."""

ROWS: Final[Mapping[str, str]] = {
    "telemetry": "partition of a group at a snapshot, or idle member; valid rows of the input",
    "rejected": "row of the input that is not usable, with its reason",
    "partition_lag": "cluster, group, snapshot, topic, partition",
    "group_member": "cluster, group, snapshot, member, including idle members",
    "member_load": "cluster, group, snapshot, strategy, member; of idle members all figures are 0",
    "group_summary": "cluster, group, snapshot, strategy",
    "recommendation": "cluster, group, over all snapshots of the window",
    "checkpoint": "where the replay of a group stopped; for the pipeline alone",
    "runs": "a finished run, whose commit publishes the versions that it names",
}
"""What one row of each table stands for."""


def columns(ddl: str) -> dict[str, str]:
    """Return name -> Spark type, in order.

    >>> columns("a STRING COMMENT 'x, y', b ARRAY<STRING> COMMENT ''")
    {'a': 'STRING', 'b': 'ARRAY<STRING>'}
    """
    bare = " ".join(ddl.split("'")[::2]).replace("COMMENT", " ")
    words = _BETWEEN_COLUMNS.sub(" ", bare).split()
    return dict(zip(words[::2], words[1::2], strict=True))


def comments(ddl: str) -> dict[str, str]:
    """Return name -> comment, in order; "" for a column without one.

    >>> comments("a STRING COMMENT 'x, y', b ARRAY<STRING> COMMENT ''")
    {'a': 'x, y', 'b': ''}
    """
    return dict(zip(columns(ddl), ddl.split("'")[1::2], strict=True))


_BETWEEN_COLUMNS: Final = re.compile(r",(?![^<]*>)")
