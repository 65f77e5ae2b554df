"""The large picture of a group as data: a row per consumer, a column per strategy, one scale.

Plain values, made by pure functions (``ui.picture.columns``) and drawn by a script in the browser
(``picture.js``), which adds nothing. Names in it are text from outside, never markup.
"""

import math
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from evaluation.severity import Severity
from evaluation.takes import Takes

HEADINGS: Final = {
    Takes.NOTHING: "",
    Takes.SETTING: "By a setting",
    Takes.BROKER: "On the broker (group.protocol=consumer)",
    Takes.JAR: "With an assignor of ours (jar)",
    Takes.EARLIER_RELEASE: "Of an earlier release",
    Takes.HANDS: "By hand",
}
"""The heading of the strategies that take this."""


@dataclass(frozen=True, kw_only=True)
class ConsumerRow:
    """A row of the picture."""

    label: str
    full_id: str
    note: str = ""
    """Where it runs, if known."""
    is_focus: bool = False
    """Whether the verdict names it."""


@dataclass(frozen=True, kw_only=True)
class Others:
    """The consumers without a row of their own, under one strategy."""

    loads: tuple[int, ...]
    """From the largest to the smallest; of many, evenly spaced ones."""
    fewest: int
    most: int
    """Partitions each of them owns."""
    unknown: int = 0
    """How many of them own partitions of unknown lag."""


@dataclass(frozen=True, kw_only=True)
class StrategyColumn:
    """What one strategy gives; tuples have an item a row."""

    key: str
    label: str
    takes: Takes
    busiest: int
    """The load of the busiest consumer, whether it has a row or not."""
    low: int | None = None
    high: int | None = None
    """5th and 95th percentile of that load after a switch; None if it is one figure."""
    change: float | None = None
    """Against the busiest consumer now, as a share: -0.25 is a quarter less."""
    was: int | None = None
    """The busiest load before the edits on screen; None without edits."""
    moves: int | None = None
    idle: int = 0
    ends_s: float | None = None
    """When the backlog ends, in seconds, infinite if never; None if unknown."""
    loads: tuple[int, ...]
    counts: tuple[int, ...]
    unknown: tuple[int, ...]
    """Partitions of unknown lag."""
    peak: int | None = None
    """The row of the busiest consumer; None if all are equally busy."""
    others: Others | None = None
    same: tuple[str, ...] = ()
    """Labels of strategies that give the same."""
    doubt: str = ""
    """How certain this is, where it is not exact."""
    why_doubted: str = ""
    is_fault: bool = False


@dataclass(frozen=True, kw_only=True)
class SideBySide:
    """The picture of a group."""

    rows: tuple[ConsumerRow, ...]
    columns: tuple[StrategyColumn, ...]
    """The present owners if there are any; then settings, brokers' assignors and ours, each best
    first."""
    top: int
    """The largest load, where the scale ends."""
    bound: int | None = None
    """What no assignment brings the busiest consumer below."""
    noun: str = "records behind"
    unit: str = "records"
    is_counts: bool = False
    """Whether the loads are numbers of partitions."""
    hidden: int = 0
    """How many consumers have no row of their own."""
    focus_word: str = ""
    """In an alarm, what the consumers in focus are: "stopped". Nothing else is coloured then."""
    is_focus_broken: bool = True
    """Whether those are red, rather than orange."""
    notes: tuple[str, ...] = field(default=())
    """Captions below the picture, one line each."""

    @property
    def most(self) -> int:
        """The largest number of partitions of a consumer under any strategy."""
        counts = (count for column in self.columns for count in column.counts)
        others = (column.others.most for column in self.columns if column.others is not None)
        return max((*counts, *others), default=0)

    @property
    def consumers(self) -> int:
        """How many consumers the group has."""
        return len(self.rows) + self.hidden


class Tone(Enum):
    """How urgent a verdict is, as its band's colour says."""

    NEUTRAL = "neutral"
    AMBER = "amber"
    RED = "red"

    @classmethod
    def of(cls, severity: Severity) -> "Tone":
        """Return the tone of a verdict this urgent."""
        return {Severity.ALARM: cls.RED, Severity.WARNING: cls.AMBER}.get(severity, cls.NEUTRAL)


@dataclass(frozen=True, kw_only=True)
class BandButton:
    """A button of the band."""

    key: str
    label: str
    is_main: bool = False
    """Whether it is the one filled button of the screen."""
    copies: str = ""
    """What it puts on the clipboard, in the browser, instead of asking the server."""
    has_link: bool = False
    """Whether what it copies ends with the link to the group."""


@dataclass(frozen=True, kw_only=True)
class VerdictBand:
    """The answer as the page's first and largest text; unescaped."""

    tone: Tone
    finding: str
    evidence: str = ""
    action: str = ""
    buttons: tuple[BandButton, ...] = ()
    is_settling: bool = False
    """Whether a switch may take the place of the action, in two lines."""

    @property
    def text(self) -> str:
        """Finding, evidence and action, as sentences of a report."""
        return " ".join(filter(None, (self.finding, self.evidence, self.action)))


@dataclass(frozen=True, kw_only=True)
class BarRow:
    """The bars of a consumer or a partition; the chart says what they are."""

    label: str
    full_id: str
    upper: float = math.nan
    """NaN where there is none."""
    lower: float
    """NaN where a figure is unknown, which is no bar and no zero."""
    upper_said: str = ""
    lower_said: str = ""
    """Beside the bars; "" where the bars say it."""
    behind: str = ""
    host: str = ""
    is_cause: bool = False


@dataclass(frozen=True, kw_only=True)
class BarChart:
    """Bars of one figure, such as arrivals, above bars of another of the same unit."""

    subject: str
    """The heading of the names: "Consumer"."""
    upper: str = "arrives/s"
    """What the upper bars are; "" if there are none."""
    lower: str = "reads/s"
    """What the lower bars are."""
    rows: tuple[BarRow, ...]
    title: str = ""
    note: str = ""
    """Beside the title: "10 busiest of 300"."""
    below: str = ""
    """One line below the bars."""
    is_alarm: bool = True
    """Whether the cause is red, as broken; else orange, as what has most."""


@dataclass(frozen=True, kw_only=True)
class TableHead:
    """The head of a column of a table."""

    label: str
    is_number: bool = False
    is_on_phone: bool = True
    """Whether there is room for it on a phone."""
    is_cause: bool = False
    """Whether its cells are coloured in the rows of a cause."""


@dataclass(frozen=True, kw_only=True)
class FactTable:
    """A small table of texts, the most urgent row first."""

    title: str
    note: str = ""
    heads: tuple[TableHead, ...]
    rows: tuple[tuple[str, ...], ...]
    causes: tuple[bool, ...]
    """Which rows belong to the cause."""
    is_alarm: bool = True
    """Whether the cause is red, as broken; else orange, as what has most."""


@dataclass(frozen=True, kw_only=True)
class StackPart:
    """A part of a stack: a share of what one consumer reads, say."""

    label: str
    value: float
    kind: str = "load"
    """Its colour: load, now, alarm, spare."""


@dataclass(frozen=True, kw_only=True)
class RateStack:
    """One bar of several parts, with what it shows above it."""

    caption: str
    parts: tuple[StackPart, ...]
    limit: float | None = None
    """Where a red line stands: what one consumer reads."""


@dataclass(frozen=True, kw_only=True)
class StackChart:
    """Stacks on one scale."""

    title: str
    note: str = ""
    stacks: tuple[RateStack, ...]
    below: str = ""


@dataclass(frozen=True, kw_only=True)
class TaskBlock:
    """A task, a copy of one, a connector, a partition."""

    label: str
    kind: str = "filled"
    """How it is drawn: outlined, filled, hatched (standby), dotted (warm-up), lost."""
    shade: int = 0
    """Which of a few shades: one a sub-topology, a connector, a topic."""
    is_new: bool = False
    said: str = ""
    """On pointing at it."""


@dataclass(frozen=True, kw_only=True)
class BlockRow:
    """A thread, a worker, a consumer."""

    home: str = ""
    """The heading of several rows, in the first of them."""
    note: str = ""
    label: str
    full_id: str
    blocks: tuple[TaskBlock, ...]
    copies: tuple[TaskBlock, ...] = ()
    figure: str = ""
    is_gone: bool = False


@dataclass(frozen=True, kw_only=True)
class BlockChart:
    """Who runs what, block by block."""

    heads: tuple[str, str, str, str, str]
    """Of homes, labels, blocks, copies, figures; a column without a head is left out."""
    rows: tuple[BlockRow, ...]
    legend: tuple[tuple[str, int, str], ...]
    """Kind, shade, text."""
    below: str = ""


@dataclass(frozen=True, kw_only=True)
class IncidentPicture:
    """What a page draws of causes or of tasks, beside them what is worst or why."""

    chart: BarChart | BlockChart
    beside: FactTable | StackChart | None = None
    ends: FactTable | None = None
    """What ends it, below what is next to it."""
    below: FactTable | None = None


@dataclass(frozen=True, kw_only=True)
class SnapshotMark:
    """One snapshot of the strip."""

    when: str
    """When it was taken or pasted: "pasted 10:02:14"."""
    behind: str


@dataclass(frozen=True, kw_only=True)
class SnapshotStrip:
    """The snapshots of a group, and the seconds between the last two."""

    marks: tuple[SnapshotMark, ...]
    seconds: float | None = None
    """Between the last two; None leaves the field blank."""
    is_asked: bool = False
    """Whether there is a field for the seconds."""
    note: str = ""
    buttons: tuple[BandButton, ...] = ()
