"""Synonyms of column names, in pastes and CSV."""

from enum import StrEnum
from typing import Final


class Field(StrEnum):
    """The meaning of a column, whatever its name in a tool."""

    GROUP = "group"
    TOPIC = "topic"
    PARTITION = "partition"
    PARTITIONS = "partitions"
    BEGIN = "begin"
    COMMITTED = "committed"
    END = "end"
    LAG = "lag"
    EPOCH = "epoch"
    GROUP_EPOCH = "group_epoch"
    TARGET_EPOCH = "target_epoch"
    TARGET = "target"
    PROCESS = "process"
    MEMBER = "consumer"
    INSTANCE = "static_id"
    HOST = "host"
    CLIENT = "client"
    RACK = "rack"
    REPLICA_RACKS = "replica_racks"
    COUNT = "count"
    ASSIGNMENT = "assignment"
    COORDINATOR = "coordinator"
    STRATEGY = "strategy"
    STATE = "state"
    OTHER = "other"


_NAMES: Final = {
    Field.GROUP: "GROUP GROUP-ID GROUP-NAME CONSUMER-GROUP CONSUMER-GROUP-ID",
    Field.TOPIC: "TOPIC TOPIC-NAME",
    Field.PARTITION: "PARTITION PARTITION-ID PID",
    Field.PARTITIONS: "PARTITIONS PARTITION-COUNT NUM-PARTITIONS",
    Field.BEGIN: "BEGIN BEGIN-OFFSET LOG-START-OFFSET LOG-BEGINNING-OFFSET START-OFFSET "
    "BEGINNING-OFFSET OLDEST-OFFSET EARLIEST-OFFSET FIRST-OFFSET LOW-WATERMARK LO-OFFSET START",
    Field.COMMITTED: "COMMITTED CURRENT-OFFSET COMMITTED-OFFSET GROUP-OFFSET CONSUMER-OFFSET "
    "OFFSET CURRENT",
    Field.END: "END LOG-END-OFFSET END-OFFSET LATEST-OFFSET LATEST LAST-OFFSET NEWEST-OFFSET "
    "HIGH-WATERMARK HIGH-WATER-MARK HI-OFFSET LOG-SIZE",
    Field.LAG: "LAG CURRENT-LAG CONSUMER-LAG OFFSET-LAG LAG-RECORDS RECORDS-LAG MESSAGES-BEHIND "
    "VALUE VALUE#A",
    Field.EPOCH: "LEADER-EPOCH CURRENT-EPOCH MEMBER-EPOCH",
    Field.GROUP_EPOCH: "GROUP-EPOCH",
    Field.TARGET_EPOCH: "TARGET-EPOCH TARGET-ASSIGNMENT-EPOCH ASSIGNMENT-EPOCH",
    Field.TARGET: "TARGET-ASSIGNMENT",
    Field.PROCESS: "PROCESS",
    Field.MEMBER: "CONSUMER MEMBER CONSUMER-ID MEMBER-ID OWNER ASSIGNED-MEMBER "
    "CONSUMER-INSTANCE-OWNER",
    Field.INSTANCE: "GROUP-INSTANCE-ID INSTANCE-ID STATIC-ID STATIC-MEMBER",
    Field.HOST: "HOST CONSUMER-HOST CLIENT-HOST MEMBER-HOST",
    Field.CLIENT: "CLIENT-ID CLIENT",
    Field.RACK: "RACK CONSUMER-RACK CLIENT-RACK MEMBER-RACK",
    Field.REPLICA_RACKS: "REPLICA-RACKS RACKS PARTITION-RACKS",
    Field.COUNT: "#PARTITIONS #MEMBERS",
    Field.ASSIGNMENT: "ASSIGNMENT CURRENT-ASSIGNMENT ASSIGNED-PARTITIONS",
    Field.COORDINATOR: "COORDINATOR COORDINATOR-(ID)",
    Field.STRATEGY: "ASSIGNMENT-STRATEGY PARTITION-ASSIGNOR GROUP-PROTOCOL PROTOCOL BALANCER",
    Field.STATE: "STATE",
    Field.OTHER: "LAG-% UPGRADED METADATA ERROR LAST-COMMIT LEAD ASSIGNOR ASSIGNMENTS "
    "TOPOLOGY-EPOCH MEMBER-PROTOCOL",
}
"""Names by preference: of two columns with the same meaning, the earlier name counts."""
_IGNORED: Final = str.maketrans("", "", "-_. \t")
_RANKED: Final = {
    name.translate(_IGNORED): (rank, field)
    for field, names in _NAMES.items()
    for rank, name in enumerate(names.split())
}
_BEGINNINGS: Final = frozenset(name[:end] for name in _RANKED for end in range(1, len(name) + 1))


def begins_name(word: str) -> bool:
    """Return whether a column name begins with a word in capitals.

    >>> begins_name("LOG"), begins_name("LOGGED")
    (True, False)
    """
    return word.translate(_IGNORED) in _BEGINNINGS


def field_of(name: str) -> Field | None:
    """Return the meaning of a column name, None if unknown.

    Case, blanks, dots, hyphens and underscores do not matter.

    >>> field_of("Log End Offset")
    <Field.END: 'end'>
    """
    ranked = _RANKED.get(name.upper().translate(_IGNORED))
    return None if ranked is None else ranked[1]


def rank_of(name: str) -> int:
    """Return the position of a known name in its field's list."""
    return _RANKED[name.upper().translate(_IGNORED)][0]
