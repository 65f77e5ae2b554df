"""The causes that a diagnosis can find, one class each, with exactly the figures that each has.

What all have is in ``cause.Cause``. ``partitions`` are all those whose lag the finding explains,
and no other finding explains them, too; ``RecordsLost`` and ``LogTruncated``, which are about
records that wait no more, may name them again, and ``OffsetsReset`` once their read rate since is
known. A figure has its name in verdicts beside it. Rates are in records/s, NaN where unknown;
seconds are infinite for never and NaN where unknown.
"""

from collections.abc import Iterable

from evaluation.diagnosis.findings.absence import (
    IdleConsumers,
    NobodyReads,
    NoLogEnd,
    OwnersUnknown,
    ReadOutside,
    RebalanceUnderWay,
    TakenOver,
    TopicLeft,
)
from evaluation.diagnosis.findings.cause import Cause, Look
from evaluation.diagnosis.findings.concentration import (
    LagConcentrated,
    LagSpread,
    OffByOne,
)
from evaluation.diagnosis.findings.displaced import (
    AheadOfLog,
    LogTruncated,
    OffsetsReset,
    OffsetsSkipped,
    RecordsLost,
)
from evaluation.diagnosis.findings.logged import InstanceFenced, PollTimeout
from evaluation.diagnosis.findings.overload import (
    CatchingUp,
    FewerConsumers,
    Full,
    Hot,
    MoreArrives,
    SlowConsumers,
    Slower,
    SlowTopic,
    TooHot,
    Uneven,
)
from evaluation.diagnosis.findings.placed import (
    IdleThreads,
    NoStandbys,
    NoTasks,
    NotMovedYet,
    NotShared,
    PlacedWork,
    RunsNowhere,
    WarmingUp,
    WorkClumped,
    WorkFailed,
    WorkPaused,
    WorkUnassigned,
)
from evaluation.diagnosis.findings.standing import (
    CrashLoop,
    KeepsRebalancing,
    LeftUnread,
    NeverCommits,
    Stopped,
    StuckRecord,
)

Finding = (
    NobodyReads
    | ReadOutside
    | OwnersUnknown
    | NoLogEnd
    | TopicLeft
    | RebalanceUnderWay
    | TakenOver
    | KeepsRebalancing
    | CrashLoop
    | Stopped
    | StuckRecord
    | LeftUnread
    | NeverCommits
    | InstanceFenced
    | PollTimeout
    | TooHot
    | Hot
    | Full
    | MoreArrives
    | FewerConsumers
    | Slower
    | SlowConsumers
    | SlowTopic
    | Uneven
    | CatchingUp
    | RecordsLost
    | OffsetsReset
    | LogTruncated
    | OffsetsSkipped
    | AheadOfLog
    | LagConcentrated
    | LagSpread
    | OffByOne
    | IdleConsumers
    | WorkFailed
    | WorkUnassigned
    | WorkPaused
    | NoTasks
    | WorkClumped
    | RunsNowhere
    | IdleThreads
    | NotMovedYet
    | WarmingUp
    | NoStandbys
    | NotShared
)

__all__ = [
    "AheadOfLog",
    "CatchingUp",
    "Cause",
    "CrashLoop",
    "FewerConsumers",
    "Finding",
    "Full",
    "Hot",
    "IdleConsumers",
    "IdleThreads",
    "InstanceFenced",
    "KeepsRebalancing",
    "LagConcentrated",
    "LagSpread",
    "LeftUnread",
    "LogTruncated",
    "Look",
    "MoreArrives",
    "NeverCommits",
    "NoLogEnd",
    "NoStandbys",
    "NoTasks",
    "NobodyReads",
    "NotMovedYet",
    "NotShared",
    "OffByOne",
    "OffsetsReset",
    "OffsetsSkipped",
    "OwnersUnknown",
    "PlacedWork",
    "PollTimeout",
    "ReadOutside",
    "RebalanceUnderWay",
    "RecordsLost",
    "RunsNowhere",
    "SlowConsumers",
    "SlowTopic",
    "Slower",
    "Stopped",
    "StuckRecord",
    "TakenOver",
    "TooHot",
    "TopicLeft",
    "Uneven",
    "WarmingUp",
    "WorkClumped",
    "WorkFailed",
    "WorkPaused",
    "WorkUnassigned",
    "hindering",
]


def hindering(findings: Iterable[Finding]) -> Finding | None:
    """Return the first cause that no assignment helps, beside which none is worth a switch."""
    return next((each for each in findings if each.hinders), None)
