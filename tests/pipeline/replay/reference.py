"""Every table recomputed with pandas from docs/pipeline.md, "What every cell means".

Only the strategies' answers come from the product. Numbers are Python's, so nothing overflows.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from assignors.model import UNOWNED, Group, Owners
from assignors.numbering import Member, Topic, group_of
from assignors.strategy import Strategy
from schemas.tables import AS_IT_WAS, TELEMETRY, columns
from schemas.telemetry import NOT_TOLD
from tests.pipeline.replay.fleets import Row

_KEY: Final = ["cluster", "group_id", "snapshot_at"]
_OFFSETS: Final = ("log_start_offset", "log_end_offset", "committed_offset")
_MEMBER: Final = ("client_id", "host", "group_instance_id", "rack", "subscribed_topics")
_DECIDING: Final = (
    *("file", *_OFFSETS, "member_id", *_MEMBER[:4], "auto_offset_reset", _MEMBER[4], "kind"),
    "ownership",
)
_OF_OWNERS: Final = (
    *("max_lag", "mean_lag", "max_over_mean_lag", "max_partitions", "count_spread"),
    *("idle_members", "moved_from_present", "moved_from_previous"),
    *("max_load", "mean_load", "max_over_mean_load", "above_bound"),
)
_BROKER_ID: Final = re.compile("(?:[A-Za-z0-9_-]{21}|[A-Za-z0-9+/]{21})[AQgw]")
_LONG_MAX: Final = 2**63 - 1
_Partition: TypeAlias = tuple[str, int]
_By: TypeAlias = dict[_Partition, str]


class Expected(NamedTuple):
    """The rows of each table, in order, without ``day``."""

    partition_lag: list[Row]
    group_member: list[Row]
    member_load: list[Row]
    group_summary: list[Row]
    rejected: list[Row]


def expected(
    rows: Sequence[Row], strategies: Sequence[Strategy], judged_by: str = "lag"
) -> Expected:
    """Return every table, in any order of topics and members."""
    found = Expected([], [], [], [], [])
    known = [dict.fromkeys(columns(TELEMETRY)) | row for row in rows]
    telemetry = pd.DataFrame(known, columns=[*columns(TELEMETRY)], dtype=object)
    telemetry = _kept(telemetry, found.rejected)
    for _, of_group in telemetry.groupby(_KEY[:2], sort=False):
        before: _Snapshot | None = None
        owned: dict[str, _By] = {}
        for _, of_snapshot in of_group.groupby(_KEY[2]):
            before = _Snapshot(of_snapshot, before, judged_by)
            found.partition_lag.extend(before.lag_rows())
            found.group_member.extend(before.member_rows())
            claims = owned or before.starts(strategies)
            answers = {AS_IT_WAS: before.found} | {
                each.name: before.answer(each, claims[each.name]) for each in strategies
            }
            for name, owners in answers.items():
                about = {**before.key, "strategy": name}
                previous = owned.get(name, {})
                kind = {"kind": of_snapshot["kind"].iloc[0]}
                is_known = name != AS_IT_WAS or of_snapshot["ownership"].iloc[0] != NOT_TOLD
                summary = before.summary(owners, previous)
                if of_snapshot["ownership"].iloc[0] == NOT_TOLD:
                    summary["members"] = summary["members"] or None
                unknown = {} if is_known else dict.fromkeys(_OF_OWNERS)
                found.group_summary.append(about | kind | summary | unknown)
                found.member_load.extend(about | row for row in before.loads(owners) if is_known)
            owned = answers
    return found


def _kept(telemetry: pd.DataFrame, rejected: list[Row]) -> pd.DataFrame:
    """Return the rows in order, each once, without snapshots with an absurd partition."""
    rank = [
        (
            *(row[name] for name in _KEY),
            (0, java_key(row["topic"]), row["partition"])
            if row["topic"]
            else (1, java_key(row["member_id"]), 0),
            *((row[name] is None, _text(row[name])) for name in _DECIDING),
        )
        for row in _records(telemetry)
    ]
    order = sorted(range(len(rank)), key=rank.__getitem__)
    telemetry = telemetry.iloc[order]
    key = pd.Series([rank[number][:4] for number in order], telemetry.index, dtype=object)
    is_repeated = key.duplicated()
    rejected.extend(_records(telemetry[is_repeated]))
    telemetry = telemetry[~is_repeated]
    topics = telemetry[telemetry["topic"].notna()].groupby([*_KEY, "topic"])["partition"]
    count, missing = topics.count(), topics.max() + 1 - topics.count()
    in_all, missing_in_all = (each.groupby(level=_KEY).sum() for each in (count, missing))
    absurd = {key[:3] for key in missing.index[missing > 1_000 + 9 * count]}
    absurd |= {*missing_in_all.index[missing_in_all > 10_000 + 9 * in_all]}
    keys = [tuple(row[name] for name in _KEY) for row in _records(telemetry)]
    is_absurd = np.array([key in absurd for key in keys], bool)
    rejected.extend(_records(telemetry[is_absurd]))
    return telemetry[~is_absurd]


def _records(frame: pd.DataFrame) -> list[Row]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def java_key(name: str | None) -> bytes:
    """Return a name's key in the order of ``String.compareTo``: by UTF-16 code units."""
    return (name or "").encode("utf-16-be")


def _text(value: Any) -> Any:  # noqa: ANN401 -- a cell
    if isinstance(value, list):
        return [each.encode() for each in value]
    return value.encode() if isinstance(value, str) else value or 0


class _Snapshot:
    """One group at one time, by names."""

    def __init__(self, rows: pd.DataFrame, before: "_Snapshot | None", judged_by: str) -> None:
        self.key = _records(rows[_KEY])[0]
        self.before = before
        about = _records(rows[rows["topic"].notna()])
        self.by_partition: dict[_Partition, Row] = {
            (row["topic"], row["partition"]): row for row in about
        }
        self.sizes: dict[str, int] = {
            str(topic): max(numbers.max() + 1, before.sizes.get(str(topic), 0) if before else 0)
            for topic, numbers in rows.groupby("topic", sort=False)["partition"]
        }
        self.members: dict[str, Row] = {
            str(name): {c: next(iter(own[c].dropna()), None) for c in _MEMBER}
            for name, own in rows.groupby("member_id", sort=False)
        }
        self.found: _By = {
            partition: row["member_id"]
            for partition, row in self.by_partition.items()
            if row["member_id"]
        }
        self.partitions = [(topic, p) for topic, size in self.sizes.items() for p in range(size)]
        self.lag = {partition: self._lag(partition) for partition in self.partitions}
        self.rate = {
            partition: self._rate(partition, "log_end_offset") for partition in self.partitions
        }
        self.weight = {
            partition: self._weighed(partition, judged_by) for partition in self.partitions
        }
        self.ids = sorted(self.members, key=java_key)
        self.wants: dict[str, list[str]] = {
            name: about["subscribed_topics"]
            if about["subscribed_topics"] is not None
            else [*self.sizes]
            for name, about in self.members.items()
        }

    def _lag(self, partition: _Partition) -> int | None:
        row = self.by_partition.get(partition)
        if row is None or row["log_end_offset"] is None:
            return None
        start, end, committed = (row[name] for name in _OFFSETS)
        reset = row["auto_offset_reset"] or "latest"
        if committed is not None:
            return int(max(end - committed, 0))
        if reset.startswith("by_duration:PT"):
            return self._lag_since(partition, timedelta(seconds=int(reset[14:-1])))
        if reset == "latest":
            return 0
        return None if start is None else int(max(end - start, 0))

    def _lag_since(self, partition: _Partition, duration: timedelta) -> int | None:
        start, end = (self.by_partition[partition][name] for name in _OFFSETS[:2])
        if not duration or start == end:
            return 0
        moment, earlier, is_same = self.key["snapshot_at"] - duration, self.before, True
        while earlier is not None:
            at, then = (
                earlier.key["snapshot_at"],
                earlier.by_partition.get(partition, {}).get(_OFFSETS[1]),
            )
            is_same &= then == end
            if at == moment and then is not None and then <= end:
                return int(end - max(then, start or 0))
            if at <= moment and is_same:
                return 0
            earlier = earlier.before
        return None

    def _weighed(self, partition: _Partition, judged_by: str) -> int | None:
        """Return what strategies balance and columns of load add up."""
        lag, rate = self.lag[partition], self.rate[partition]
        if judged_by == "partitions":
            return 1
        if judged_by == "rate":
            return None if rate is None else min(round(rate * 60), 2**62)
        if judged_by == "lag" or rate is None:
            return lag
        return min((lag or 0) + min(round(rate * 60 * 5), 2**62), _LONG_MAX)

    def _rate(self, partition: _Partition, column: str) -> float | None:
        now, then = (
            at.by_partition.get(partition, {}).get(column) if at else None
            for at in (self, self.before)
        )
        if self.before is None or now is None or then is None or now < then:
            return None
        elapsed = self.key["snapshot_at"] - self.before.key["snapshot_at"]
        return float((now - then) / elapsed.total_seconds())

    def lag_rows(self) -> Iterator[Row]:
        given = ("topic", "partition", *_OFFSETS, "member_id")
        for partition, row in self.by_partition.items():
            yield {
                **self.key,
                **{name: row[name] for name in given},
                "auto_offset_reset": row["auto_offset_reset"] or "latest",
                "lag": self.lag[partition],
                "produce_rate": self.rate[partition],
                "consume_rate": self._rate(partition, "committed_offset"),
            }

    def member_rows(self) -> Iterator[Row]:
        for name, about in self.members.items():
            yield {**self.key, "member_id": name, **about}

    def starts(self, strategies: Sequence[Strategy]) -> dict[str, _By]:
        """Return each strategy's claims at the group's first snapshot."""
        is_broker_side = bool(self.ids) and all(_BROKER_ID.fullmatch(name) for name in self.ids)
        return {
            each.name: self.found if is_broker_side or each.remote_assignor else {}
            for each in strategies
        }

    def answer(self, strategy: Strategy, claims: _By) -> _By:
        """Return a strategy's owners; the only thing that is not recomputed here."""
        topics = {
            name: Topic(partitions=size, lags=[self.weight[name, p] for p in range(size)])
            for name, size in self.sizes.items()
        }
        members = [
            Member(
                id=name,
                topics=self.wants[name],
                instance_id=self.members[name]["group_instance_id"],
            )
            for name in self.ids
        ]
        group = group_of(topics, members)
        answer = strategy.settle(group.owned_by(_numbered(group, claims)))
        return {
            _partition_of(group, p): group.members[m]
            for p, m in enumerate(answer.tolist())
            if m != UNOWNED
        }

    def _of_members(self, owners: _By) -> pd.DataFrame:
        """Return what each member owns: partitions, topics, known lags and rates."""
        held = pd.DataFrame(
            [
                (
                    *partition,
                    owner,
                    self.lag[partition],
                    self.weight[partition],
                    self.rate[partition],
                )
                for partition, owner in owners.items()
            ],
            columns=["topic", "partition", "member", "lag", "load", "rate"],
            dtype=object,
        ).groupby("member")
        return pd.DataFrame(
            {
                "partitions": held.size(),
                "topics": held["topic"].nunique(),
                "lags": held["lag"].agg(lambda lags: [*lags.dropna()]),
                "loads": held["load"].agg(lambda loads: [*loads.dropna()]),
                "rates": held["rate"].agg(lambda rates: [*rates.dropna()]),
            }
        )

    def loads(self, owners: _By) -> Iterator[Row]:
        held = self._of_members(owners).to_dict("index")
        idle: Row = {"partitions": 0, "topics": 0, "lags": [0], "loads": [0], "rates": [0.0]}
        for name in self.ids:
            own = held.get(name, idle)
            yield {
                "member_id": name,
                "partitions": own["partitions"],
                "lag": _sum(own["lags"]),
                "unknown_lags": own["partitions"] - len(own["lags"]) if name in held else 0,
                "topics": own["topics"],
                "rate": sum(own["rates"]) if own["rates"] else None,
                "load": _sum(own["loads"]),
                "unknown_loads": own["partitions"] - len(own["loads"]) if name in held else 0,
            }

    def summary(self, owners: _By, previous: _By) -> Row:
        counts = pd.Series(list(owners.values()), dtype=object).value_counts()
        counts = counts.reindex(self.ids, fill_value=0)
        rates = _known(self.rate.values())
        most, mean, over_mean = self._spread(owners, "lag", self.lag)
        heaviest, mean_load, over_mean_load = self._spread(owners, "load", self.weight)
        bound = self.bound()
        still = {
            partition: owner
            for partition, owner in previous.items()
            if owner in self.members and partition in self.lag
        }
        return {
            "topics": len(self.sizes),
            "partitions": len(self.partitions),
            "members": len(self.ids),
            "total_lag": _sum(_known(self.lag.values())),
            "unknown_lags": len(self.partitions) - len(_known(self.lag.values())),
            "rate": sum(rates) if rates else None,
            "max_lag": most,
            "mean_lag": mean,
            "max_over_mean_lag": over_mean,
            "max_partitions": int(counts.max()) if self.ids else 0,
            "count_spread": int(counts.max() - counts.min()) if self.ids else 0,
            "idle_members": int((counts == 0).sum()),
            "unowned": len(self.partitions) - len(owners),
            "moved_from_present": _moved(self.found, owners),
            "moved_from_previous": _moved(still, owners),
            "total_load": _sum(_known(self.weight.values())),
            "unknown_loads": len(self.partitions) - len(_known(self.weight.values())),
            "max_load": heaviest,
            "mean_load": mean_load,
            "max_over_mean_load": over_mean_load,
            "lower_bound": bound,
            "above_bound": _above(heaviest, bound),
        }

    def _spread(
        self, owners: _By, column: str, of: dict[_Partition, int | None]
    ) -> tuple[int | None, float | None, float | None]:
        """Return the largest sum of a member, the mean, and their ratio."""
        sums = [row[column] or 0 for row in self.loads(owners)]
        if not self.ids or not _known(of[partition] for partition in owners or self.partitions):
            return None, None, None
        mean = sum(map(float, sums)) / len(sums)
        return max(sums), mean, max(sums) / mean if mean else None

    def bound(self) -> int | None:
        """Return the lower bound on the largest load of any assignment."""
        readers = {
            topic: {name for name in self.ids if topic in self.wants[name]} for topic in self.sizes
        }
        wanted = [topic for topic in self.sizes if readers[topic]]
        if not _known(self.weight[topic, p] for topic, p in self.partitions if topic in wanted):
            return None
        everybody = {name for topic in {t for ts in self.wants.values() for t in ts}
                     for name in self.ids if topic in self.wants[name]}  # fmt: skip
        sets = [s for size in range(1, len(wanted) + 1) for s in combinations(wanted, size)]
        share = {s: -(-self._weight(s) // len(_union(readers, s))) for s in sets}
        most = max(share.values())
        if len(everybody) == 1:
            return min(most, _LONG_MAX)
        bounds = [most, self._crowded(wanted, len(everybody))]
        if share[tuple(wanted)] < most:
            deciding = [s for s in sets if share[s] == most]
            bounds += [self._crowded(s, len(_union(readers, s))) for s in deciding]
        return min(max(bounds), _LONG_MAX)

    def _weight(self, topics: Iterable[str]) -> int:
        return sum(self.weight[topic, p] or 0 for topic in topics for p in range(self.sizes[topic]))

    def _crowded(self, topics: Iterable[str], members: int) -> int:
        lags = [self.weight[topic, p] or 0 for topic in topics for p in range(self.sizes[topic])]
        lags.sort(reverse=True)
        ends = enumerate(range(0, len(lags), members))
        return max(sum(lags[end - j : end + 1]) for j, end in ends)


def _above(most: int | None, bound: int | None) -> int | None:
    return None if most is None or bound is None or most < bound else most - bound


def _union(readers: dict[str, set[str]], topics: Iterable[str]) -> set[str]:
    return {name for topic in topics for name in readers[topic]}


def _known(values: Iterable[Any]) -> list[Any]:
    return [value for value in values if value is not None]


def _sum(lags: Sequence[int]) -> int | None:
    return min(sum(lags), _LONG_MAX) if lags else None


def _moved(before: _By, owners: _By) -> int | None:
    return (
        sum(owners.get(partition) != owner for partition, owner in before.items())
        if before
        else None
    )


def _numbered(group: Group, owners: _By) -> Owners:
    answer = group.nobody()
    for partition in range(group.partition_count):
        owner = owners.get(_partition_of(group, partition))
        if owner in group.members:
            answer[partition] = group.members.index(owner)
    return answer


def _partition_of(group: Group, number: int) -> _Partition:
    topic = group.topics[group.topic_of_partition[number]]
    return topic, int(group.number_in_topic[number])
