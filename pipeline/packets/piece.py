"""A piece of a file, what was seen of it, and its rows dealt: whatever kind of file it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa

from assignors.model import BoolArray
from pipeline.packets.coding import FILE, LISTS, coded
from pipeline.packets.dealing import packets
from pipeline.packets.packet import LINES, ROWS, Packet
from pipeline.packets.screening import is_plain, without_signs
from pipeline.packets.shelves import Keep

DEALT_ROWS: Final = 1 << 20
"""So many are dealt together: fewer packets, and none of more rows than a task replays."""
_LINES: Final = pa.schema([FILE, ("line", pa.string())])


class Piece(NamedTuple):
    """What of a file begins in a range of its bytes: row groups, or lines."""

    file: int
    kind: str
    """One of ``packing.KINDS``."""
    source: str | pa.Buffer
    """Where the file is, or all of its content."""
    start: int
    stop: int


@dataclass
class Seen:
    """What there was in a piece."""

    file: int
    rows: int = 0
    """As the footer says, or lines that are not blank."""
    early: int = 0
    """Usable, but before the first day wanted."""
    lines: int = 0
    """Left to be judged."""
    problem: str = ""
    """Why the file must be read in another way; nothing of it counts here then."""
    extra: list[str] = field(default_factory=list)
    """Columns that are not telemetry's."""


SEEN_TYPES: Final = pa.schema(
    [
        FILE,
        ("rows", pa.int64()),
        ("early", pa.int64()),
        ("lines", pa.int64()),
        ("problem", pa.string()),
        ("extra", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class Wanted:
    """What a run wants of telemetry."""

    since_us: int | None
    """The first moment to use, microseconds since 1970."""
    buckets: int
    """Into how many its groups are dealt."""
    shelves: Path | None
    """The folder for what its rows become, if workers reach one without Spark."""


@dataclass
class Packer:
    """Makes packets of one piece."""

    wanted: Wanted
    seen: Seen
    keep: Keep
    waiting: list[pa.Table] = field(default_factory=list)
    """Rows to be dealt when there are enough."""

    def screened(
        self, rows: pa.Table, text: Callable[[BoolArray], pa.StringArray]
    ) -> tuple[pa.Table, list[Packet]]:
        """Return, coded, the rows that can be used as they are; and the others, to be judged.

        ``rows`` have columns of telemetry; ``text`` gives those where an array is true, as JSON.
        """
        numbers = pa.array(np.full(rows.num_rows, self.seen.file, np.int32))
        there = without_signs(coded(rows.append_column(FILE, numbers)))
        is_usable = is_plain(there)
        if LISTS in rows.column_names:  # one that holds a null came out null as a whole
            is_usable &= rows[LISTS].is_null().to_numpy() | there[LISTS].is_valid().to_numpy()
        odd = [] if is_usable.all() else [self.lines(text(~is_usable))]
        since_us = self.wanted.since_us
        if since_us is not None:
            is_early = is_usable & (there["snapshot_at"].cast(pa.int64()).to_numpy() < since_us)
            self.seen.early += int(np.count_nonzero(is_early))
            is_usable &= ~is_early
        return (there if is_usable.all() else there.filter(pa.array(is_usable))), odd

    def add(self, rows: pa.Table) -> Iterator[Packet]:
        """Take coded rows; yield packets if there are many now."""
        self.waiting.append(rows)
        if sum(table.num_rows for table in self.waiting) >= DEALT_ROWS:
            yield from self.rest()

    def rest(self) -> Iterator[Packet]:
        """Yield all rows that were taken, dealt by group."""
        if self.waiting:
            together = pa.concat_tables(self.waiting).unify_dictionaries().combine_chunks()
            self.waiting = []
            for bucket, content in packets(together, self.wanted.buckets):
                yield Packet(ROWS, self.seen.file, bucket, self.keep(content))

    def lines(self, lines: pa.StringArray) -> Packet:
        """Return rows to be judged, as JSON."""
        self.seen.lines += len(lines)
        numbers = pa.array([self.seen.file] * len(lines), pa.int32())
        content = pa.record_batch([numbers, lines], _LINES)
        return Packet(LINES, self.seen.file, None, self.keep(content))
