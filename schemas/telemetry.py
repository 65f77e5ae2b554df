"""The pipeline's input: offsets of consumer groups, one row per partition and snapshot."""

from typing import Final

TELEMETRY: Final = """
    cluster           STRING        COMMENT 'cluster name',
    group_id          STRING        COMMENT 'consumer group',
    snapshot_at       TIMESTAMP     COMMENT 'when the offsets were read, UTC; one value a snapshot',
    topic             STRING        COMMENT 'null with partition: a consumer without partitions',
    partition         INT           COMMENT 'null with topic',
    log_start_offset  BIGINT        COMMENT 'null: unknown',
    log_end_offset    BIGINT        COMMENT 'null: unknown',
    committed_offset  BIGINT        COMMENT 'null: nothing committed',
    member_id         STRING        COMMENT 'the present owner; null: nobody',
    client_id         STRING        COMMENT 'of the owner, like the next three',
    host              STRING        COMMENT '',
    group_instance_id STRING        COMMENT 'null: a dynamic member',
    rack              STRING        COMMENT 'null: unknown',
    auto_offset_reset STRING        COMMENT 'latest, earliest, none or by_duration:PT1H',
    subscribed_topics ARRAY<STRING> COMMENT 'of the owner; null: all topics of the group',
    kind              STRING        COMMENT 'of the group, as assign.py writes it; null: not told',
    ownership         STRING        COMMENT 'not-told: who owns what is unknown; null: it is told'
"""
"""One row per partition of a group at a snapshot, and per idle member."""
NOT_TOLD: Final = "not-told"
"""The ``ownership`` of every row of a snapshot whose source tells no owners, as most metrics."""
