"""What the replay of telemetry leaves beside its tables."""

from typing import Final

CHAIN: Final = """
    cluster          STRING        COMMENT '',
    group_id         STRING        COMMENT '',
    snapshot_at      TIMESTAMP     COMMENT 'the last snapshot replayed',
    topic            STRING        COMMENT 'null with partition: the group has no partitions',
    partition        INT           COMMENT 'those missing in the last snapshot too',
    log_end_offset   BIGINT        COMMENT 'null: unknown',
    committed_offset BIGINT        COMMENT 'null: nothing committed',
    member_id        STRING        COMMENT 'the owner found; null: nobody',
    owners           ARRAY<STRING> COMMENT 'the owner under each strategy, in their order'
"""
"""Where the replay of a group stopped, so that it can go on exactly from there.

One row per cluster, group, topic, partition of the group's last snapshot.
"""

UNUSED: Final = """
    file   INT    COMMENT 'number in the list of input files',
    reason STRING COMMENT 'one sentence: what was expected, what was found',
    raw    STRING COMMENT 'the row as JSON',
    rows   BIGINT COMMENT '1'
"""
"""Rows that could only be found unusable beside others, like ``tables.REJECTED``."""

FAILURE: Final = """
    cluster     STRING    COMMENT '',
    group_id    STRING    COMMENT '',
    snapshot_at TIMESTAMP COMMENT '',
    strategy    STRING    COMMENT '',
    reason      STRING    COMMENT 'the rule that its answer broke, or why it had none'
"""
"""One row per snapshot and strategy without an answer; it has no rows in the tables."""

COUNTED: Final = """
    name   STRING COMMENT 'what was counted',
    amount BIGINT COMMENT 'how often, in one batch'
"""
"""What a report tells that no table shows, a few rows a batch; add them up by name."""

SPAN: Final = """
    first TIMESTAMP COMMENT 'the first snapshot of a batch',
    last  TIMESTAMP COMMENT 'its last'
"""
"""One row a batch; none if it has no snapshots."""
