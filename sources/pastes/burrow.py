"""The two moments in Burrow's answers: of each partition the first and the last commit it keeps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from sources.pastes.documents import Json, below, number
from sources.pastes.parsed import GroupKey, Row

_APART: Final = 0.1
"""Commits are of one moment if they lie this share of the time between the two apart, at most."""


class Commits(NamedTuple):
    """A partition at its first and at its last commit, each dated."""

    first: Row
    last: Row


def commits_of(row: Row, value: Mapping[str, Json]) -> Commits | None:
    """Return both commits of a partition's object; None if it does not tell both in full.

    Old releases have a ``max_offset`` beside them, which contradicts the lag.
    """
    dated = []
    for key in ("start", "end"):
        commit = below(value, key)
        offset, lag, at_ms = (number(commit.get(each)) for each in ("offset", "lag", "timestamp"))
        if offset is None or lag is None or at_ms is None or "max_offset" in commit:
            return None
        if min(offset, lag) < 0:
            return None
        dated.append(row._replace(committed=offset, end=offset + lag, lag=lag, at_s=at_ms / 1_000))
    first, last = dated
    return Commits(first, last._replace(lag=row.lag, is_lag_later=True))


def by_moment(rows: Sequence[Row], commits: Mapping[Row, Commits]) -> Iterator[Row]:
    """Yield the rows, those of a group whose partitions commit together as two snapshots.

    A partition that has not been committed for longer than others is at no common moment: then
    there is one snapshot, that of the last commits.
    """
    groups: dict[GroupKey, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.group, []).append(row)
    for own in groups.values():
        both = [commits[row] for row in own if row in commits]
        is_once = len({(row.topic, row.partition) for row in own}) == len(own) == len(both)
        yield from _snapshots(both) if is_once and _are_together(both) else own


def _are_together(commits: Sequence[Commits]) -> bool:
    starts, ends = ([each[k].at_s for each in commits] for k in (0, 1))
    most = _APART * (min(ends) - max(starts))
    return 0 < most >= max(max(starts) - min(starts), max(ends) - min(ends))


def _snapshots(commits: Sequence[Commits]) -> Iterator[Row]:
    line = min(each.first.line for each in commits)
    at_s = [max(each[k].at_s for each in commits) for k in (0, 1)]
    yield from (each.first._replace(line=line, at_s=at_s[0]) for each in commits)
    yield from (each.last._replace(snapshot=1, at_s=at_s[1]) for each in commits)
