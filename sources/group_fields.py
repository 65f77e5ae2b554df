"""What group JSON has of a group as a whole: each key with its type, how it is written and read.

A further thing that is known of a group is one field of ``evaluation.reading.Reading`` and one row
here.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from msgspec import Meta

from assignors.kinds import GroupKind
from assignors.layout import Layout
from assignors.load_settings import USUAL
from assignors.model import UNKNOWN, Group
from assignors.suggestions import nearest
from evaluation.judging import JudgeBy, Measure
from evaluation.reading import Reading
from sources import assumed_json, history_json, kind_json, logged_json, rebalancing_json
from sources.assumed_json import AssumedJson
from sources.budget import Budget
from sources.errors import SourceError
from sources.history_json import HistoryJson
from sources.kind_json import AsKindJson
from sources.logged_json import LoggedJson
from sources.rebalancing_json import RebalancingJson

_Share = Annotated[float, Meta(ge=0, le=1)]
_Milliseconds = Annotated[int, Meta(ge=0, le=2**31 - 1)]
_MS_A_MINUTE: Final = 60_000
_THOUSAND: Final = 1000
_MILLION: Final = 1_000_000

_WITHOUT_LOADS: Final = {"load-sticky": "cooperative-sticky", "load-sticky-eager": "sticky"}
"""What a leader that could read no load at all assigns by instead."""


class Around(NamedTuple):
    """What reading a field may need besides."""

    sizes: Mapping[str, int]
    """The partitions of each topic that the document lists."""
    budget: Budget


class _Field(NamedTuple):
    """A key of group JSON beside topics and members."""

    key: str
    type: Any
    """What the key may hold, in bounds."""
    write: Callable[[Reading], Any]
    """What is written of a reading; None: nothing."""
    read: Callable[[Reading, Any, Around], Reading]
    """The reading with what the key holds; earlier fields are read before."""
    absent: Any = None
    """What counts where the document lacks the key or has null there; None: nothing."""


def _with_layout(reading: Reading, layout: Layout) -> Reading:
    return replace(reading, group=replace(reading.group, layout=layout))


def _with_settings(reading: Reading, **settings: int) -> Reading:
    changed = reading.group.load_settings._replace(**settings)
    return replace(reading, group=replace(reading.group, load_settings=changed))


def _if_unusual(reading: Reading, setting: float) -> float | None:
    return None if reading.group.load_settings == USUAL else setting


def _horizon_ms(reading: Reading) -> int | None:
    if reading.weighed is None:
        return None
    is_work = reading.weighed.by is JudgeBy.WORK
    return round(reading.weighed.horizon_min * _MS_A_MINUTE) if is_work else 0


def _as_weighed(reading: Reading, horizon_ms: int, _: Around) -> Reading:
    """Return a group as its leader saw it, and what that leader weighed.

    To a leader that adds what arrived, a load is unknown if either part is. One that could read no
    load at all weighed nothing.
    """
    group = reading.group
    none = np.full(group.partition_count, np.nan)
    arriving = none if group.offsets.rates is None else group.offsets.rates
    is_known = group.is_lag_known & (np.isfinite(arriving) | (horizon_ms == 0))
    if not is_known.any():
        return replace(
            reading, strategy=_WITHOUT_LOADS.get(reading.strategy or "", reading.strategy)
        )
    if not horizon_ms:
        return replace(reading, weighed=Measure(by=JudgeBy.LAG))
    lags = np.where(is_known, group.lags, UNKNOWN)
    rates = np.where(is_known, arriving, np.nan)
    return replace(
        reading,
        group=replace(group, offsets=replace(group.offsets, lags=lags, rates=rates)),
        weighed=Measure(by=JudgeBy.WORK, horizon_min=horizon_ms / _MS_A_MINUTE),
    )


def _hosts(group: Group, hosts: Mapping[str, str]) -> dict[str, str]:
    return {name: hosts[name] for name in group.members if name in hosts}


def _with_kind(reading: Reading, kept: str, _: Around) -> Reading:
    kinds = [kind.value for kind in GroupKind]
    if kept not in kinds:
        message = f"kind: found {kept!r}; {nearest(kept, kinds)}"
        raise SourceError(message)
    return replace(reading, kind=GroupKind(kept))


def _with_kind_group(reading: Reading, kept: AsKindJson, around: Around) -> Reading:
    if kept.__struct_config__.tag != reading.kind.value:
        return reading
    return replace(reading, as_kind=kind_json.kind_group_of(kept, around.budget))


def _history(reading: Reading) -> HistoryJson | None:
    kept = reading.history
    if kept is None or not (kept.moments or kept.retention_s):
        return None
    return history_json.as_json(kept)


FIELDS: Final = (
    _Field(
        "subscription_type",
        str | None,
        lambda reading: reading.group.layout.subscription_type or None,
        lambda reading, kept, _: _with_layout(
            reading, replace(reading.group.layout, subscription_type=kept)
        ),
    ),
    _Field(
        "known_to_leader",
        list[str] | None,
        lambda reading: reading.group.layout.known_to_leader,
        lambda reading, kept, _: _with_layout(
            reading, replace(reading.group.layout, known_to_leader=tuple(kept))
        ),
    ),
    _Field(
        "strategy",
        str | None,
        lambda reading: reading.strategy or None,
        lambda reading, kept, _: replace(reading, strategy=kept),
    ),
    _Field("horizon_ms", _Milliseconds | None, _horizon_ms, _as_weighed),
    _Field(
        "moves_share",
        _Share,
        lambda reading: _if_unusual(
            reading, reading.group.load_settings.moves_permille / _THOUSAND
        ),
        lambda reading, kept, _: _with_settings(reading, moves_permille=round(kept * _THOUSAND)),
    ),
    _Field(
        "tolerance",
        _Share,
        lambda reading: _if_unusual(reading, reading.group.load_settings.tolerance / _MILLION),
        lambda reading, kept, _: _with_settings(reading, tolerance=round(kept * _MILLION)),
    ),
    _Field(
        "history",
        HistoryJson | None,
        _history,
        lambda reading, kept, around: replace(
            reading, history=history_json.history_of(kept, around.sizes)
        ),
    ),
    _Field(
        "hosts",
        dict[str, str],
        lambda reading: _hosts(reading.group, reading.hosts) or None,
        lambda reading, kept, _: replace(reading, hosts=_hosts(reading.group, kept)),
    ),
    _Field(
        "assumed",
        AssumedJson | None,
        lambda reading: assumed_json.as_json(reading.assumed),
        lambda reading, kept, _: replace(
            reading, assumed=assumed_json.assumed_of(kept, reading.group, reading.strategy)
        ),
        absent=AssumedJson(),
    ),
    _Field(
        "kind",
        str,
        lambda reading: None if reading.kind is GroupKind.CONSUMER else reading.kind.value,
        _with_kind,
    ),
    _Field(
        "as_kind",
        AsKindJson | None,
        lambda reading: None if reading.as_kind is None else kind_json.as_json(reading.as_kind),
        _with_kind_group,
    ),
    _Field(
        "state",
        str | None,
        lambda reading: reading.state or None,
        lambda reading, kept, _: replace(reading, state=kept or None),
    ),
    _Field(
        "rebalancing",
        RebalancingJson | None,
        lambda reading: (
            None
            if reading.rebalancing is None
            else rebalancing_json.as_json(reading.rebalancing, reading.group)
        ),
        lambda reading, kept, _: replace(
            reading, rebalancing=rebalancing_json.rebalancing_of(kept, reading.group)
        ),
    ),
    _Field(
        "logged",
        list[LoggedJson] | None,
        lambda reading: logged_json.as_json(reading.logged) or None,
        lambda reading, kept, _: replace(reading, logged=logged_json.logged_of(kept)),
    ),
    _Field(
        "name_above",
        str | None,
        lambda reading: reading.name_above or None,
        lambda reading, kept, _: replace(reading, name_above=kept),
    ),
    _Field(
        "lacking",
        str | None,
        lambda reading: reading.lacking or None,
        lambda reading, kept, _: (
            reading if reading.group.partition_count else replace(reading, lacking=kept)
        ),
    ),
)
"""In the order in which they are read."""


def brief(reading: Reading) -> Reading:
    """Return a reading with the snapshots that give the rates, and each cause in logs once."""
    history = None if reading.history is None else history_json.brief(reading.history)
    return replace(reading, history=history, logged=logged_json.brief(reading.logged))
