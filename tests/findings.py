"""One finding of every kind, about a group of at least two consumers and two partitions."""

from typing import Final

from evaluation.diagnosis.findings import (
    AheadOfLog,
    CatchingUp,
    CrashLoop,
    FewerConsumers,
    Finding,
    Full,
    Hot,
    IdleConsumers,
    IdleThreads,
    InstanceFenced,
    KeepsRebalancing,
    LagConcentrated,
    LagSpread,
    LeftUnread,
    LogTruncated,
    MoreArrives,
    NeverCommits,
    NobodyReads,
    NoLogEnd,
    NoStandbys,
    NoTasks,
    NotMovedYet,
    NotShared,
    OffByOne,
    OffsetsReset,
    OffsetsSkipped,
    OwnersUnknown,
    PollTimeout,
    ReadOutside,
    RebalanceUnderWay,
    RecordsLost,
    RunsNowhere,
    SlowConsumers,
    Slower,
    SlowTopic,
    Stopped,
    StuckRecord,
    TakenOver,
    TooHot,
    TopicLeft,
    Uneven,
    WarmingUp,
    WorkClumped,
    WorkFailed,
    WorkPaused,
    WorkUnassigned,
)

NOBODY: Final = NobodyReads(
    partitions=(0,), lag=40, arriving=9, since_s=60, is_older=True, is_of_group=False, gone=None,
    deleted_s=float("nan"),
)  # fmt: skip
STOPPED: Final = Stopped(
    members=(1,),
    partitions=(0, 1),
    lag=80,
    arriving=9,
    arrived=540,
    restarts=0,
    since_s=120,
    is_older=False,
)
FULL: Final = Full(members=(0, 1), partitions=(0, 1), lag=80, arriving=100, reading=60, needed=4)
TOO_HOT: Final = TooHot(
    members=(0,), partitions=(1,), lag=40, arriving=900, reading=3, alone=600, usual=10
)
HOT: Final = Hot(
    members=(0,), partitions=(1,), lag=40, arriving=9, reading=3, usual=1, over_alone_s=60
)
CATCHING_UP: Final = CatchingUp(
    members=(0,), partitions=(0,), lag=90, arriving=3, reading=9, over_s=120.0
)
EVERY: Final[tuple[Finding, ...]] = (
    NOBODY,
    ReadOutside(partitions=(0,), lag=40, arriving=9, reading=9, behind_s=4.5, over_s=0),
    OwnersUnknown(partitions=(0,), lag=40, arriving=9, reading=9, behind_s=4.5, over_s=0),
    NoLogEnd(members=(1,), partitions=(0,)),
    TopicLeft(topics=("t",), partitions=(0,), lag=40, arrived=9),
    TakenOver(
        members=(0,), partitions=(0,), lag=40, arriving=9, reading=3, over_s=float("nan"),
        since_s=20,
    ),
    RebalanceUnderWay(members=(0, 1), partitions=(0,), lag=40, moving=1),
    KeepsRebalancing(changes=3, since_s=180, keeps_up=False),
    CrashLoop(members=(0, 1), partitions=(0,), lag=40, arriving=9, since_s=60, is_older=True),
    STOPPED,
    StuckRecord(
        members=(1,), partitions=(0,), lag=40, arriving=9, offset=500, since_s=60, is_older=True,
        owners=2, killed=None,
    ),
    LeftUnread(members=(1,), partitions=(0, 1), lag=40, arriving=9, since_s=60, is_older=True),
    NeverCommits(members=(1,), partitions=(0,), arriving=9, since_s=120, is_older=True),
    InstanceFenced(consumers=("a",)),
    PollTimeout(consumers=("b",)),
    TOO_HOT,
    HOT,
    FULL,
    MoreArrives(
        members=(0, 1), partitions=(0,), lag=40, arriving=9, reading=3, before=4, since_s=60,
        needed=None, cleared=float("nan"),
    ),
    FewerConsumers(
        members=(0, 1), partitions=(0,), lag=40, arriving=9, reading=3, before=9, gone=2, needed=4,
        since_s=60,
    ),
    Slower(
        members=(0, 1), partitions=(0,), lag=40, arriving=9, reading=3, before=9, since_s=60
    ),
    SlowConsumers(
        members=(1,), partitions=(0,), lag=40, arriving=9, reading=3, each=float("nan"), others=9
    ),
    SlowTopic(members=(1,), partitions=(0,), lag=40, arriving=9, reading=3, others=20),
    Uneven(members=(1,), partitions=(0,), lag=40, arriving=9, reading=3, needed=None),
    CATCHING_UP,
    RecordsLost(members=(1,), partitions=(0,), lag=40, lost=100),
    OffsetsReset(
        members=(0, 1), partitions=(0, 1), lag=80, arriving=9, reading=19, over_s=8, by=70
    ),
    OffsetsSkipped(members=(1,), partitions=(0,), lag=4, arriving=9, by=60_000, before=9),
    LogTruncated(members=(1,), partitions=(0,), arriving=9, lost=500),
    AheadOfLog(members=(1,), partitions=(0,), arriving=9, by=700),
    LagConcentrated(members=(1,), partitions=(0,), lag=40, share=0.9),
    LagSpread(members=(1, 0), partitions=(0, 1), lag=40, active=2),
    OffByOne(members=(0, 1), partitions=(0, 1), lag=2),
    IdleConsumers(members=(1,), surplus=1),
    WorkFailed(work=("sink-0",), told="ConnectException: disk full"),
    WorkUnassigned(work=("sink-1",)),
    WorkPaused(work=("sink-0", "sink-1")),
    NoTasks(work=("sink",)),
    WorkClumped(work=("sink-0", "sink-1"), told="10.0.0.1:8083"),
    RunsNowhere(work=("1_0",)),
    IdleThreads(members=(1,)),
    NotMovedYet(members=(1,)),
    WarmingUp(),
    NoStandbys(work=("1_0",)),
    NotShared(work=("orders-0",)),
)  # fmt: skip
