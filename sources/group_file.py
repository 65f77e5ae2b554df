"""A group from a file, and each field of it as a whole: how group JSON writes and reads it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from assignors.kinds import GroupKind
from assignors.load_settings import USUAL
from assignors.model import UNKNOWN, Group
from evaluation.assuming.assumed import NOTHING, Assumed
from evaluation.judging import JudgeBy, Measure
from evaluation.kinds.forecast import KindGroup
from evaluation.measuring.offset_history import OffsetHistory
from evaluation.rebalancing import Rebalancing
from sources import assumed_json, history_json, kind_json, rebalancing_json
from sources.budget import Budget
from sources.history_json import HistoryJson
from sources.kind_json import AsKindJson

_MS_A_MINUTE: Final = 60_000
_THOUSAND: Final = 1000
_MILLION: Final = 1_000_000

_WITHOUT_LOADS: Final = {"load-sticky": "cooperative-sticky", "load-sticky-eager": "sticky"}
"""What a leader that could read no load at all assigns by instead."""


class GroupFile(NamedTuple):
    """A group from a file, with what else the file has of it."""

    group: Group
    strategy: str | None = None
    history: OffsetHistory | None = None
    hosts: Mapping[str, str] = {}
    """The host of each member whose host is known."""
    weighed: Measure | None = None
    """What the leader that logged the group weighed."""
    kind: GroupKind = GroupKind.CONSUMER
    assumed: Assumed = NOTHING
    """What the source of the group left open."""
    as_kind: KindGroup | None = None
    """The group as the assignors of its kind see it."""
    state: str | None = None
    """As Kafka's tools write it; None if unknown."""
    rebalancing: Rebalancing | None = None
    """The rebalance that was under way."""
    lacking: str = ""
    """What the source of a group without partitions does not tell."""


class Around(NamedTuple):
    """What reading a field may need besides."""

    sizes: Mapping[str, int]
    """The partitions of each topic that the document lists."""
    budget: Budget


class _Field(NamedTuple):
    """A field of the file as a whole: what is written of it (None: nothing), and how it is read."""

    key: str
    write: Callable[[GroupFile], Any]
    read: Callable[[GroupFile, Any, Around], GroupFile]
    """Called with None where the document does not have it; earlier fields are read before."""


def _with_subscription_type(file: GroupFile, value: str | None, _: Around) -> GroupFile:
    layout = replace(file.group.layout, subscription_type=value)
    return file._replace(group=replace(file.group, layout=layout)) if value else file


def _with_known_topics(file: GroupFile, value: list[str] | None, _: Around) -> GroupFile:
    if value is None:
        return file
    layout = replace(file.group.layout, known_to_leader=tuple(value))
    return file._replace(group=replace(file.group, layout=layout))


def _with_settings(file: GroupFile, **settings: int) -> GroupFile:
    changed = file.group.load_settings._replace(**settings)
    return file._replace(group=replace(file.group, load_settings=changed))


def _horizon_ms(file: GroupFile) -> int | None:
    if file.weighed is None:
        return None
    is_work = file.weighed.by is JudgeBy.WORK
    return round(file.weighed.horizon_min * _MS_A_MINUTE) if is_work else 0


def _as_weighed(file: GroupFile, horizon_ms: int | None, _: Around) -> GroupFile:
    """Return a group as its leader saw it, and what that leader weighed.

    To a leader that adds what arrived, a load is unknown if either part is. One that could read no
    load at all weighed nothing.
    """
    if horizon_ms is None:
        return file
    group = file.group
    none = np.full(group.partition_count, np.nan)
    arriving = none if group.offsets.rates is None else group.offsets.rates
    is_known = group.is_lag_known & (np.isfinite(arriving) | (horizon_ms == 0))
    if not is_known.any():
        return file._replace(strategy=_WITHOUT_LOADS.get(file.strategy or "", file.strategy))
    if not horizon_ms:
        return file._replace(weighed=Measure(by=JudgeBy.LAG))
    lags = np.where(is_known, group.lags, UNKNOWN)
    rates = np.where(is_known, arriving, np.nan)
    return file._replace(
        group=replace(group, offsets=replace(group.offsets, lags=lags, rates=rates)),
        weighed=Measure(by=JudgeBy.WORK, horizon_min=horizon_ms / _MS_A_MINUTE),
    )


def _with_history(file: GroupFile, kept: HistoryJson | None, around: Around) -> GroupFile:
    if kept is None:
        return file
    return file._replace(history=history_json.history_of(kept, around.sizes))


def _with_kind_group(file: GroupFile, kept: AsKindJson | None, around: Around) -> GroupFile:
    if kept is None or kept.__struct_config__.tag != file.kind.value:
        return file
    return file._replace(as_kind=kind_json.kind_group_of(kept, around.budget))


FIELDS: Final = (
    _Field(
        "subscription_type",
        lambda file: file.group.layout.subscription_type or None,
        _with_subscription_type,
    ),
    _Field(
        "known_to_leader",
        lambda file: file.group.layout.known_to_leader,
        _with_known_topics,
    ),
    _Field(
        "strategy",
        lambda file: file.strategy or None,
        lambda file, kept, _: file._replace(strategy=kept),
    ),
    _Field("horizon_ms", _horizon_ms, _as_weighed),
    _Field(
        "moves_share",
        lambda file: _if_unusual(file, file.group.load_settings.moves_permille / _THOUSAND),
        lambda file, kept, _: (
            file if kept is None else _with_settings(file, moves_permille=round(kept * _THOUSAND))
        ),
    ),
    _Field(
        "tolerance",
        lambda file: _if_unusual(file, file.group.load_settings.tolerance / _MILLION),
        lambda file, kept, _: (
            file if kept is None else _with_settings(file, tolerance=round(kept * _MILLION))
        ),
    ),
    _Field(
        "history",
        lambda file: (
            history_json.as_json(file.history)
            if file.history is not None and (file.history.moments or file.history.retention_s)
            else None
        ),
        _with_history,
    ),
    _Field(
        "hosts",
        lambda file: _hosts(file.group, file.hosts) or None,
        lambda file, kept, _: file._replace(hosts=_hosts(file.group, kept or {})),
    ),
    _Field(
        "assumed",
        lambda file: assumed_json.as_json(file.assumed),
        lambda file, kept, _: file._replace(
            assumed=assumed_json.assumed_of(kept, file.group, file.strategy)
        ),
    ),
    _Field(
        "kind",
        lambda file: None if file.kind is GroupKind.CONSUMER else file.kind.value,
        lambda file, kept, _: file if kept is None else file._replace(kind=GroupKind(kept)),
    ),
    _Field(
        "as_kind",
        lambda file: None if file.as_kind is None else kind_json.as_json(file.as_kind),
        _with_kind_group,
    ),
    _Field(
        "state",
        lambda file: file.state or None,
        lambda file, kept, _: file._replace(state=kept or None),
    ),
    _Field(
        "rebalancing",
        lambda file: (
            None
            if file.rebalancing is None
            else rebalancing_json.as_json(file.rebalancing, file.group)
        ),
        lambda file, kept, _: (
            file
            if kept is None
            else file._replace(rebalancing=rebalancing_json.rebalancing_of(kept, file.group))
        ),
    ),
    _Field(
        "lacking",
        lambda file: file.lacking or None,
        lambda file, kept, _: (
            file if file.group.partition_count else file._replace(lacking=kept or "")
        ),
    ),
)
"""Every other field, in the order in which they are read."""


def _if_unusual(file: GroupFile, setting: float) -> float | None:
    return None if file.group.load_settings == USUAL else setting


def _hosts(group: Group, hosts: Mapping[str, str]) -> dict[str, str]:
    return {name: hosts[name] for name in group.members if name in hosts}
