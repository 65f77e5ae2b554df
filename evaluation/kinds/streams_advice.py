"""Settings that change something for a Streams application, the most useful first."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from assignors.streams.application import StreamsApplication, StreamsSettings
from evaluation.kinds.asking import forecast
from evaluation.kinds.said import SettingAdvice
from evaluation.kinds.streams_course import (
    Application,
    balanced_s,
    probing_of,
    to_warm,
    without_copy,
)
from evaluation.kinds.view import KindView
from evaluation.wording import duration, plural

_SHORTEST_PROBING_MS: Final = 60_000
"""What Kafka Streams accepts as ``probing.rebalance.interval.ms``."""


def advice_for(view: KindView, group: Application) -> tuple[SettingAdvice, ...]:
    """Return the settings with what each brings here, which is computed, not guessed."""
    return tuple(_advice(view, group))


def _advice(view: KindView, group: Application) -> Iterator[SettingAdvice]:
    if isinstance(group, StreamsApplication):
        yield from _on_warming_up(view, group)
    yield from _on_standbys(view, group)
    if isinstance(group, StreamsApplication) and group.stateful:
        yield SettingAdvice(
            "state.dir",
            "a volume that survives restarts",
            "an instance that returns keeps its process id and its state: nothing to restore.",
        )
        yield SettingAdvice(
            "group.instance.id",
            "one an instance, with session.timeout.ms above a restart",
            "a restart within the timeout moves nothing.",
        )


def _on_warming_up(view: KindView, group: StreamsApplication) -> Iterator[SettingAdvice]:
    probing, settings = probing_of(view), group.settings
    warmups = to_warm(view)
    if probing > 1 and warmups > settings.warmups:
        fewer = probing_of(_under(view, group, settings._replace(warmups=warmups)))
        if fewer < probing:
            yield SettingAdvice(
                "max.warmup.replicas",
                f"{warmups}",
                f"{fewer} instead of {plural(probing, 'probing rebalance')}; more copies restore "
                "at a time.",
                is_for_now=True,
            )
    if probing and settings.probing_ms > _SHORTEST_PROBING_MS:
        sooner = _under(view, group, settings._replace(probing_ms=_SHORTEST_PROBING_MS))
        before_s, after_s = balanced_s(view), balanced_s(sooner)
        if after_s < before_s:
            yield SettingAdvice(
                "probing.rebalance.interval.ms",
                f"{_SHORTEST_PROBING_MS}",
                f"balanced after {duration(after_s)} instead of {duration(before_s)}.",
                is_for_now=True,
            )
    if probing:
        records = view.restore_records
        restored = "" if view.restore_s is None else f", up to {duration(view.restore_s)}"
        yield SettingAdvice(
            "acceptable.recovery.lag",
            "more than a changelog that restores fast" if records is None else f"{records}",
            "a task whose copy is less behind moves at once, and does not run while it restores"
            f"{restored}.",
        )


def _under(view: KindView, group: StreamsApplication, settings: StreamsSettings) -> KindView:
    """Return the same question under other settings."""
    other = replace(group, settings=settings)
    return replace(view, group=other, found=forecast(other, view.what_if, view.release))


def _on_standbys(view: KindView, group: Application) -> Iterator[SettingAdvice]:
    """Advise copies where there are none and an instance has left, or none stand anywhere.

    The tools show no copies of a classic application, so there only what happens tells.
    """
    stateful = sum(each.items for each in view.now.parts if each.is_stateful)
    if isinstance(group, StreamsApplication):
        setting, standbys = "num.standby.replicas", group.settings.standbys
        is_shown = group.knows_offsets or bool(view.what_if.without and without_copy(view))
    else:
        setting, standbys, is_shown = "streams.num.standby.replicas", group.standbys, True
    has_copies = any(each.copies for each in view.now.holders)
    if standbys or has_copies or not stateful or not is_shown or len(view.now.homes) == 1:
        return
    copies = "1 more copy costs" if stateful == 1 else f"{stateful:,} more copies cost"
    yield SettingAdvice(
        setting,
        "1",
        f"a lost instance is taken over without a restore; {copies} disk and traffic.",
        is_for_now=True,
        gives_standbys=True,
    )
