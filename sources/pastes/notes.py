"""Notes on contradictions, gaps and past owners in one group's rows."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, pairwise
from typing import Final

from assignors.kinds import GroupKind
from evaluation.wording import plural
from sources.pastes.owners import names_in, placeholder_names, unnamed_count
from sources.pastes.page import Page, is_command
from sources.pastes.parsed import GroupRecords, Row, at_lines, contradicts_offsets

_TOOLS = {
    GroupKind.SHARE: "kafka-share-groups",
    GroupKind.STREAMS_BROKER: "kafka-streams-groups",
}
_TIMEOUT: Final = "errors.TimeoutException"
_MOST_TOPICS = 3
_MOST_RANGES = 6
_MOST_OWNERS = 3
_FEWEST_WORDS: Final = 4
"""Of a sentence."""
_SETTING: Final = re.compile(r"\b[a-z]+(?:[._-][a-z]+)+\s?[=:]\s?\S")
_MOST_QUOTED: Final = 100
"""Characters of a line."""


def notes_on_rows(
    records: GroupRecords, sizes: Mapping[str, int], listed: Mapping[str, int]
) -> list[str]:
    """Return the notes on the rows of a group.

    ``sizes`` has every topic of the group; ``listed`` the topics whose partitions are all in the
    text.
    """
    return [
        *_on_repeats(records.rows),
        *_on_lags(records.rows),
        *_on_placeholders(records),
        *_on_gaps(records, {name: size for name, size in sizes.items() if name not in listed}),
        *_on_last_owners(records.last_owners),
    ]


def notes_on_timeouts(page: Page) -> Iterator[str]:
    """Yield that the tool waited in vain, so that the text may lack what it had yet to print."""
    lines = [number for number, line in enumerate(page.lines) if _TIMEOUT in line]
    if lines:
        yield (
            f"{at_lines(lines)}: the tool reached no broker, or not the group's coordinator, in "
            "time (TimeoutException), so that rows may be missing; run it again with a longer "
            "--timeout, and see whether all brokers are up."
        )


def notes_on_unused(ignored: Sequence[tuple[int, str]]) -> Iterator[str]:
    """Yield how many lines said something that was not understood, and the first of them.

    The call of a tool says nothing that is missed, and no heading does.
    """
    unused = [(number - 1, line.strip()) for number, line in ignored if _says_something(line)]
    if not unused:
        return
    numbers, (first, *_) = [number for number, _ in unused], [line for _, line in unused]
    quoted = first if len(first) <= _MOST_QUOTED else f"{first[:_MOST_QUOTED]}…"
    was = "was not used" if len(unused) == 1 else "were not used, the first of them"
    yield f"{at_lines(numbers)} {was}: {quoted!r}"


def _says_something(line: str) -> bool:
    """Return whether a line is a setting or has the words of a sentence, such as a log's.

    >>> [_says_something(line) for line in ("max.poll.records: 50", "c0 has left us", "Offsets:")]
    [True, True, False]
    """
    words = sum(any(map(str.isalpha, word)) for word in line.split())
    is_noted = is_command(line) or _TIMEOUT in line
    return not is_noted and (words >= _FEWEST_WORDS or bool(_SETTING.search(line)))


def tool_of(kind: GroupKind) -> str:
    """Return Kafka's tool that describes groups of a kind."""
    return _TOOLS.get(kind, "kafka-consumer-groups")


def lacking_in(name: str, records: GroupRecords, kind: GroupKind) -> str:
    """Return what a text without any partition tells, and the command that tells the rest."""
    counts = [row.partitions for row in records.members if row.partitions is not None]
    members = max(len(names_in(records)), *(row.members or 0 for row in records.states), 0)
    told = plural(members, "consumer")
    if counts:
        told += f" and {plural(sum(counts), 'partition')}"
        idle = members - sum(counts)
        if 0 < idle < members:  # where none owns any, partitions may be about to be assigned
            told += f" ({idle:,} idle under any strategy)"
    group = f"--group {name}" if name and not name.startswith("<") else "--group NAME"
    counted = f"counts {told}, but names" if members else "names"
    return (
        f"the text {counted} no partition; add what "
        f"{tool_of(kind)} --describe {group} prints, which has topics and lags"
    )


def _on_repeats(rows: Iterable[Row]) -> Iterator[str]:
    owner: dict[tuple[str, int], str] = {}
    repeats, contradicting = list[int](), list[int]()
    for row in rows:
        before = owner.get((row.topic, row.partition))
        if before and row.member and row.member != before:
            contradicting.append(row.line)
        elif before is not None:
            repeats.append(row.line)
        owner[(row.topic, row.partition)] = row.member or before or ""
    if contradicting:
        verb = "names" if len(contradicting) == 1 else "name"
        yield (
            f"{at_lines(contradicting)} {verb} another owner of a partition than a row above: its "
            "owner is unknown. Describe the group again."
        )
    if repeats:
        verb = "repeats" if len(repeats) == 1 else "repeat"
        yield f"{at_lines(repeats)} {verb} a partition from above; the later row counts."


def _on_lags(rows: Iterable[Row]) -> Iterator[str]:
    rows = list(rows)
    negative = [row.line for row in rows if (row.lag or 0) < 0]
    is_lost = [r.committed is not None and (r.begin or 0) > r.committed for r in rows]
    deleted = [row.line for row, is_some in zip(rows, is_lost, strict=True) if is_some]
    kept = (row for row, is_some in zip(rows, is_lost, strict=True) if not is_some)
    differing = list(filter(contradicts_offsets, kept))
    if negative:
        yield f"{at_lines(negative)}: the lag is negative; it is kept and counts as 0."
    if deleted:
        yield f"{at_lines(deleted)}: records deleted unread do not count as lag."
    if differing:
        first = differing[0]
        yield (
            f"{at_lines(row.line for row in differing)}: the lag is not the end offset minus the "
            f"committed offset ({first.lag} for {first.end} - {first.committed}); the lag as "
            "printed counts."
        )


def _on_placeholders(records: GroupRecords) -> Iterator[str]:
    count, named = unnamed_count(records), names_in(records)
    names = placeholder_names(named, count)
    if not names:
        return
    shown = names[0] if count == 1 else f"{names[0]} to {names[-1]}"
    they = "it appears" if count == 1 else "they appear"
    if named:
        yield f"The text counts {plural(count, 'more consumer')} than it names; {they} as {shown}."
    elif count == 1:
        yield f"The text counts 1 consumer but does not name it; {they} as {shown}."
    else:
        yield f"The text counts {count} consumers but names none; {they} as {shown}."


def _on_gaps(records: GroupRecords, sizes: Mapping[str, int]) -> Iterator[str]:
    """Yield notes on partitions that only higher partition numbers imply."""
    owned = ((*member.assignment, *(member.target or ())) for member in records.members)
    listed = [(row.topic, row.partition) for row in records.rows]
    shown = _by_topic(chain(listed, *owned, *records.last_owners.values()))
    gaps = {name: _gaps(shown.get(name, set()), size) for name, size in sizes.items()}
    missing = [(name, ranges) for name, ranges in gaps.items() if ranges]
    where = "text" if len(records.all) == 1 else "newest snapshot"
    for name, ranges in missing[:_MOST_TOPICS]:
        noun = "Partition" if sum(map(len, ranges)) == 1 else "Partitions"
        yield (
            f"{noun} {_listed(ranges)} of {name!r}: not in the {where}, added with unknown "
            "lag and owner."
        )
    if len(missing) > _MOST_TOPICS:
        yield f"Partitions of {len(missing) - _MOST_TOPICS} more topics were added in the same way."


def _on_last_owners(owned: Mapping[str, Iterable[tuple[str, int]]]) -> Iterator[str]:
    if not owned:
        return
    named = [f"{owner} ({_partitions(held)})" for owner, held in owned.items()][:_MOST_OWNERS]
    more = f" and {len(owned) - _MOST_OWNERS} more" if len(owned) > _MOST_OWNERS else ""
    yield f"The group has no active members. Its last owners were {', '.join(named)}{more}."


def _partitions(named: Iterable[tuple[str, int]]) -> str:
    by_topic = sorted(_by_topic(named).items())
    texts = [f"{topic}: {_listed(_runs(numbers))}" for topic, numbers in by_topic[:_MOST_TOPICS]]
    return "; ".join(texts) + ("; …" if len(by_topic) > _MOST_TOPICS else "")


def _by_topic(named: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    numbers: dict[str, set[int]] = {}
    for topic, number in named:
        numbers.setdefault(topic, set()).add(number)
    return numbers


def _gaps(numbers: set[int], size: int) -> list[range]:
    """Return the runs of numbers below ``size`` that are missing.

    >>> _gaps({0, 4}, 6)
    [range(1, 4), range(5, 6)]
    """
    borders = [-1, *sorted(numbers), size]
    return [range(a + 1, b) for a, b in pairwise(borders) if b - a > 1]


def _runs(numbers: set[int]) -> list[range]:
    """Return the runs of consecutive numbers.

    >>> _runs({0, 1, 4})
    [range(0, 2), range(4, 5)]
    """
    pairs = groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0])
    runs = [[number for _, number in run] for _, run in pairs]
    return [range(run[0], run[-1] + 1) for run in runs]


def _listed(ranges: list[range]) -> str:
    names = [str(r[0]) if len(r) == 1 else f"{r[0]}-{r[-1]}" for r in ranges[:_MOST_RANGES]]
    return ", ".join(names) + (", …" if len(ranges) > _MOST_RANGES else "")
