"""A slow, plain replay: loops over groups, snapshots, strategies and rows."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, Final, NamedTuple

import numpy as np

from assignors.java import strings
from assignors.lag.offsets import lag_from_offsets
from assignors.model import UNKNOWN, UNOWNED, Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.strategy import Strategy
from evaluation import metrics
from evaluation.bounds.lag import free_bound
from schemas.tables import AS_IT_WAS
from tests.pipeline.replay.fleets import Row

_KEY: Final = ("cluster", "group_id", "snapshot_at")
_MEMBER: Final = ("client_id", "host", "group_instance_id", "rack", "subscribed_topics")
_LONG_MAX: Final = 2**63 - 1
_By = dict[tuple[str, int], str]


class Expected(NamedTuple):
    """The rows of each table, in order, without ``day``."""

    partition_lag: list[Row]
    group_member: list[Row]
    member_load: list[Row]
    group_summary: list[Row]
    rejected: list[Row]


def expected(rows: Sequence[Row], strategies: Sequence[Strategy]) -> Expected:
    """Return every table, in any order of topics and members."""
    found = Expected([], [], [], [], [])
    used = _used(rows, found.rejected)
    for _, of_group in groupby(used, key=lambda row: _values(row, _KEY[:2])):
        before: _Snapshot | None = None
        owned: dict[str, _By] = {}
        for _, of_snapshot in groupby(of_group, key=lambda row: _values(row, _KEY)):
            before = _Snapshot(list(of_snapshot), before)
            found.partition_lag.extend(before.lag_rows())
            found.group_member.extend(before.member_rows())
            _judge(before, AS_IT_WAS, before.found, owned, found)
            for strategy in strategies:
                claims = owned.get(strategy.name, before.found)
                claimed = before.group.owned_by(before.numbered(claims))
                answer = before.named(strategy.settle(claimed))
                _judge(before, strategy.name, answer, owned, found)
    return found


class _Snapshot:
    """One group at one time, by names."""

    def __init__(self, rows: list[Row], before: "_Snapshot | None") -> None:
        self.before = before
        self.key = {name: rows[0][name] for name in _KEY}
        self.rows = [row for row in rows if row.get("topic") is not None]
        self.by_place = {(row["topic"], row["partition"]): row for row in self.rows}
        self.sizes: dict[str, int] = {}
        for name, partition in self.by_place:
            earlier = before.sizes.get(name, 0) if before else 0
            self.sizes[name] = max(self.sizes.get(name, earlier), partition + 1)
        self.members: dict[str, Row] = {}
        for row in rows:
            if row.get("member_id"):
                member = self.members.setdefault(row["member_id"], dict.fromkeys(_MEMBER))
                for name in _MEMBER:
                    member[name] = row.get(name) if member[name] is None else member[name]
        self.found: _By = {
            place: row["member_id"] for place, row in self.by_place.items() if row.get("member_id")
        }
        self.rates = {place: self.rate(place, "log_end_offset") for place in self.by_place}
        self.group = self._group()

    def _group(self) -> Group:
        ids = [sorted(self.members)[m] for m in strings.string_order(sorted(self.members))]
        topics = {
            name: Topic(
                partitions=size,
                lags=[self.lag((name, p)) for p in range(size)],
                rates=[self.rates.get((name, p)) for p in range(size)],
            )
            for name, size in self.sizes.items()
        }
        members = [
            Member(
                id=name,
                topics=list(topics)
                if self.members[name]["subscribed_topics"] is None
                else self.members[name]["subscribed_topics"],
                instance_id=self.members[name]["group_instance_id"],
                rack=self.members[name]["rack"],
            )
            for name in ids
        ]
        return group_of(topics, members)

    def lag(self, place: tuple[str, int]) -> int | None:
        row = self.by_place.get(place, {})
        begin, end, committed = (
            np.array([UNKNOWN if row.get(name) is None else row[name]])
            for name in ("log_start_offset", "log_end_offset", "committed_offset")
        )
        reset = row.get("auto_offset_reset") or "latest"
        if reset.startswith("by_duration:") and row.get("committed_offset") is None:
            return self.lag_by_duration(place, timedelta(seconds=int(reset[14:-1])))
        lag = int(lag_from_offsets(begin, end, committed, reset)[0])
        return None if lag == UNKNOWN else lag

    def lag_by_duration(self, place: tuple[str, int], duration: timedelta) -> int | None:
        """Return the count of records since a time, if a snapshot tells (KIP-1106)."""
        row = self.by_place[place]
        begin, end = row.get("log_start_offset"), row.get("log_end_offset")
        if end is None:
            return None
        if not duration or begin == end:
            return 0
        moment, earlier, is_same = self.key["snapshot_at"] - duration, self.before, True
        while earlier is not None:
            at, then = earlier.key["snapshot_at"], earlier.by_place.get(place, {})
            is_same &= then.get("log_end_offset") == end
            if at == moment and (then.get("log_end_offset") or end + 1) <= end:
                return int(end - max(then["log_end_offset"], begin or 0))
            if at <= moment and is_same:
                return 0
            earlier = earlier.before
        return None

    def rate(self, place: tuple[str, int], column: str) -> float | None:
        row = self.by_place[place]
        earlier = self.before.by_place.get(place, {}) if self.before else {}
        now, then = row.get(column), earlier.get(column)
        if self.before is None or now is None or then is None or now < then:
            return None
        elapsed = self.key["snapshot_at"] - self.before.key["snapshot_at"]
        return float((now - then) / elapsed.total_seconds())

    def numbered(self, owners: _By) -> Owners:
        answer = self.group.nobody()
        for partition in range(self.group.partition_count):
            owner = owners.get(self._place(partition))
            if owner in self.group.members:
                answer[partition] = self.group.members.index(owner)
        return answer

    def named(self, owners: Owners) -> _By:
        members = self.group.members
        held = np.flatnonzero(owners != UNOWNED).tolist()
        return {self._place(partition): members[owners[partition]] for partition in held}

    def _place(self, partition: int) -> tuple[str, int]:
        topic = self.group.topics[self.group.topic_of_partition[partition]]
        return topic, int(self.group.number_in_topic[partition])

    def lag_rows(self) -> list[Row]:
        given = (
            "topic", "partition", "log_start_offset", "log_end_offset", "committed_offset",
            "member_id",
        )  # fmt: skip
        return [
            {
                **self.key,
                **{name: row.get(name) for name in given},
                "auto_offset_reset": row.get("auto_offset_reset") or "latest",
                "lag": self.lag(place),
                "produce_rate": self.rates[place],
                "consume_rate": self.rate(place, "committed_offset"),
            }
            for place, row in self.by_place.items()
        ]

    def member_rows(self) -> list[Row]:
        return [
            {**self.key, "member_id": name, **self.members[name]} for name in self.group.members
        ]


def _judge(at: _Snapshot, name: str, answer: _By, owned: dict[str, _By], found: Expected) -> None:
    """Record one strategy's result at one snapshot, and the owners that follow from it."""
    group, owners = at.group, at.numbered(answer)
    about = {**at.key, "strategy": name}
    figures = metrics.figures_of(group.owned_by(at.numbered(at.found)), owners)
    previous = group.owned_by(at.numbered(owned.get(name, {})))
    best = free_bound(group)
    total, rates = figures.total_lag, [rate for rate in at.rates.values() if rate is not None]
    most = figures.max_lag
    best = None if best is None else min(best, _LONG_MAX)
    found.group_summary.append(
        {
            **about,
            "topics": len(at.sizes),
            "partitions": group.partition_count,
            "members": group.member_count,
            "total_lag": None if total is None else min(total, _LONG_MAX),
            "unknown_lags": figures.unknown_lags,
            "rate": sum(rates) if rates else None,
            "max_lag": most,
            "mean_lag": figures.mean_lag,
            "max_over_mean_lag": figures.max_over_mean_lag,
            "max_partitions": figures.max_count,
            "count_spread": figures.count_spread,
            "idle_members": figures.idle,
            "unowned": figures.unowned,
            "moved_from_present": figures.moved,
            "moved_from_previous": metrics.figures_of(previous, owners).moved,
            "best_max_lag": best,
            "above_best_lag": None if most is None or best is None or most < best else most - best,
        }
    )
    found.member_load.extend({**about, **row} for row in _loads(at, owners))
    owned[name] = answer


def _loads(at: _Snapshot, owners: Owners) -> list[Row]:
    group = at.group
    counts, unknown = metrics.count_per_member(group, owners), metrics.unknown_per_member
    rows = []
    for m, name in enumerate(group.members):
        rates = [] if group.rates is None else group.rates[owners == m].tolist()
        known = [rate for rate in rates if not np.isnan(rate)]
        is_dark = 0 < counts[m] == unknown(group, owners)[m]
        rows.append(
            {
                "member_id": name,
                "partitions": int(counts[m]),
                "lag": None if is_dark else int(metrics.lag_per_member(group, owners)[m]),
                "unknown_lags": int(unknown(group, owners)[m]),
                "topics": int(metrics.topics_per_member(group, owners)[m]),
                "rate": sum(known) if known or not counts[m] else None,
            }
        )
    return rows


def _used(rows: Sequence[Row], rejected: list[Row]) -> list[Row]:
    """Return the rows in the tables' order, without duplicates."""
    used: dict[tuple[Any, ...], Row] = {}
    for row in sorted(rows, key=_order):
        place = _values(row, (*_KEY, "topic", "partition"))
        if row.get("topic") is None:
            place = (*place, row["member_id"])
        if place in used:
            rejected.append(row)
        else:
            used[place] = row
    return list(used.values())


def _order(row: Row) -> tuple[Any, ...]:
    topic, member = row.get("topic"), row.get("member_id")
    place = (
        (1, strings.string_key(member or ""), 0)
        if topic is None
        else (0, strings.string_key(topic), row["partition"])
    )
    content = (
        "log_start_offset", "log_end_offset", "committed_offset", "member_id", "client_id", "host",
        "group_instance_id", "rack", "auto_offset_reset",
    )  # fmt: skip
    listed = row.get("subscribed_topics")
    known = [(row.get(name) is None, row.get(name) or 0) for name in content]
    return (
        *_values(row, _KEY), place, row["file"],
        [(is_null, value) for is_null, value in known],
        (listed is None, listed or []),
    )  # fmt: skip


def _values(row: Row, names: Sequence[str]) -> tuple[Any, ...]:
    return tuple(row.get(name) for name in names)
