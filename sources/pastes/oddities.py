"""Notes on rows that contradict each other or themselves."""

from collections.abc import Iterable, Iterator

from sources.pastes.owners import unnamed_count
from sources.pastes.parsed import Parts, Row, at_lines


def oddities(parts: Parts) -> Iterator[str]:
    """Yield a sentence on every kind of oddity in what a text says of one group."""
    yield from _on_repeats(parts.rows)
    yield from _on_lags(parts.rows)
    count = unnamed_count(parts)
    if count:
        names = "member-1 stands" if count == 1 else f"member-1 to member-{count} stand"
        yield f"the text says how many consumers there are but names none: {names} for them"


def _on_repeats(rows: Iterable[Row]) -> Iterator[str]:
    seen: set[tuple[str, int]] = set()
    repeats = []
    for row in rows:
        place = (row.topic, row.partition)
        if place in seen:
            repeats.append(row.line)
        seen.add(place)
    if repeats:
        yield f"{at_lines(repeats)}: the partition stands above already; the later row counts"


def _on_lags(rows: Iterable[Row]) -> Iterator[str]:
    negative: list[int] = []
    differing: list[Row] = []
    for row in rows:
        if row.lag is None:
            continue
        if row.lag < 0:
            negative.append(row.line)
        if row.end is not None and row.committed is not None:
            behind = row.end - row.committed
            if row.lag not in (behind, max(behind, 0)):
                differing.append(row)
    if negative:
        yield f"{at_lines(negative)}: a negative lag, kept as printed; strategies count it as 0"
    if differing:
        first = differing[0]
        yield (
            f"{at_lines(row.line for row in differing)}: the lag printed is not the end offset "
            f"minus the committed one ({first.lag} for {first.end} - {first.committed}); "
            "the lag as printed counts"
        )
