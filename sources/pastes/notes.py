"""Notes on what one group's rows contradict, leave out, or say of the past."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby, pairwise

from sources.pastes.owners import unnamed_count
from sources.pastes.parsed import Parts, Row, at_lines

_MOST_TOPICS = 3
_MOST_RANGES = 6
_MOST_OWNERS = 3


def notes_on_rows(parts: Parts, sizes: Mapping[str, int], listed: Mapping[str, int]) -> list[str]:
    """Return the notes on the rows of a group.

    ``sizes`` has every topic of the group; ``listed`` the topics of which the text lists
    every partition.
    """
    return [
        *_on_repeats(parts.rows),
        *_on_lags(parts.rows),
        *_on_placeholders(parts),
        *_on_gaps(parts, {name: size for name, size in sizes.items() if name not in listed}),
        *_on_last_owners(parts.last_owners),
    ]


def _on_repeats(rows: Iterable[Row]) -> Iterator[str]:
    seen: set[tuple[str, int]] = set()
    repeats = []
    for row in rows:
        partition = (row.topic, row.partition)
        if partition in seen:
            repeats.append(row.line)
        seen.add(partition)
    if repeats:
        verb = "repeats" if len(repeats) == 1 else "repeat"
        yield f"{at_lines(repeats)} {verb} a partition from above; the later row counts."


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
        yield f"{at_lines(negative)}: the lag is negative; it is kept and counts as 0."
    if differing:
        first = differing[0]
        yield (
            f"{at_lines(row.line for row in differing)}: the lag is not the end offset minus the "
            f"committed offset ({first.lag} for {first.end} - {first.committed}); the lag as "
            "printed counts."
        )


def _on_placeholders(parts: Parts) -> Iterator[str]:
    count = unnamed_count(parts)
    if count == 1:
        yield "The text counts 1 consumer but does not name it; it appears as member-1."
    elif count:
        yield (
            f"The text counts {count} consumers but names none; they appear as member-1 to "
            f"member-{count}."
        )


def _on_gaps(parts: Parts, sizes: Mapping[str, int]) -> Iterator[str]:
    """Yield a note on partitions that follow only from the higher numbers of others."""
    shown: dict[str, set[int]] = {name: set() for name in sizes}
    places = [(row.topic, row.partition) for row in parts.rows]
    places += (place for member in parts.members for place in member.assignment)
    for topic, partition in places:
        if topic in shown:
            shown[topic].add(partition)
    missing = [
        (name, ranges) for name, size in sizes.items() if (ranges := _gaps(shown[name], size))
    ]
    for name, ranges in missing[:_MOST_TOPICS]:
        count = sum(len(each) for each in ranges)
        listed = ", ".join(map(_named, ranges[:_MOST_RANGES]))
        listed += f" and {len(ranges) - _MOST_RANGES} more ranges" * (len(ranges) > _MOST_RANGES)
        yield (
            f"Partition {listed} of {name!r} does not appear in the text; it is added with unknown "
            "lag and no owner."
            if count == 1
            else f"Partitions {listed} of {name!r} do not appear in the text; they are added with "
            "unknown lag and no owner."
        )
    others = len(missing) - _MOST_TOPICS
    if others > 0:
        yield f"Partitions of {others} more topics are added in the same way."


def _gaps(numbers: set[int], size: int) -> list[range]:
    """Return the runs of numbers below ``size`` that are missing.

    >>> _gaps({0, 4}, 6)
    [range(1, 4), range(5, 6)]
    """
    borders = [-1, *sorted(numbers), size]
    return [range(a + 1, b) for a, b in pairwise(borders) if b - a > 1]


def _named(numbers: range) -> str:
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def _on_last_owners(owned: Mapping[str, Iterable[tuple[str, int]]]) -> Iterator[str]:
    if not owned:
        return
    named = [f"{owner} ({_partitions(places)})" for owner, places in owned.items()][:_MOST_OWNERS]
    more = f" and {len(owned) - _MOST_OWNERS} more" if len(owned) > _MOST_OWNERS else ""
    yield f"The group has no active members. Its last owners were {', '.join(named)}{more}."


def _partitions(places: Iterable[tuple[str, int]]) -> str:
    by_topic = groupby(sorted(places), key=lambda place: place[0])
    texts = []
    for topic, group in by_topic:
        numbers = {number for _, number in group}
        runs = sorted({n for n in numbers if n - 1 not in numbers})
        ends = sorted({n for n in numbers if n + 1 not in numbers})
        ranges = [_named(range(a, b + 1)) for a, b in zip(runs, ends, strict=True)]
        more = ", …" if len(ranges) > _MOST_RANGES else ""
        texts.append(f"{topic}: {', '.join(ranges[:_MOST_RANGES])}{more}")
    more = ", …" if len(texts) > _MOST_TOPICS else ""
    return "; ".join(texts[:_MOST_TOPICS]) + more
