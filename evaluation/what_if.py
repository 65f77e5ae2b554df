"""What-ifs: a named change of a group, kept as the change, so that it can be asked again tomorrow.

What one can choose is the change; what happens to every choice alike is the weather. Each choice
is tried under every weather.

The same what-if applies to the group of any later snapshot: names are matched, and what no longer
applies is said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from assignors.model import UNKNOWN, FloatArray, Group
from assignors.strategy import Strategy
from evaluation.capacity.resizing import resizer
from evaluation.capacity.search import MOST_CONSUMERS
from evaluation.rebalance.regroup import with_topic_sizes
from evaluation.wording import plural

MOST: Final = 8
"""Choices below each other."""
MOST_WEATHERS: Final = 4
"""Weathers that fit side by side."""
MOST_PARTITIONS: Final = 100_000
"""Of one topic; what-ifs also come in links from strangers."""
MOST_TIMES: Final = 1_000.0


class InvalidWhatIfError(ValueError):
    """A what-if out of range; the message says what is expected and what was given."""


def _require(what: str, found: float, most: float) -> None:
    if not 0 <= found <= most:
        message = f"{what} must be 0 to {most:,g}; found {found:,g}"
        raise InvalidWhatIfError(message)


@dataclass(frozen=True)
class WhatIf:
    """A change of a group; raises InvalidWhatIfError for numbers out of range."""

    name: str = ""
    """Its name on screen; "" for what it changes, in words."""
    strategy: Strategy | None = None
    """None: the one that the group runs."""
    consumers: int = 0
    """How many more, or fewer if negative."""
    topic: str = ""
    partitions: int = 0
    """How many this topic has then, if there is one."""

    def __post_init__(self) -> None:
        _require("consumers", abs(self.consumers), MOST_CONSUMERS)
        _require("partitions of a topic", self.partitions, MOST_PARTITIONS)

    @property
    def title(self) -> str:
        """Its name, or what it changes."""
        return self.name or ", ".join(self._changes()) or "As today"

    def _changes(self) -> Iterator[str]:
        if self.consumers:
            sign, count = ("+", self.consumers) if self.consumers > 0 else ("-", -self.consumers)
            yield f"{sign}{plural(count, 'consumer')}"
        if self.topic:
            yield f"{self.topic} with {plural(self.partitions, 'partition')}"
        if self.strategy is not None:
            yield self.strategy.label


@dataclass(frozen=True)
class Weather:
    """What happens to every choice alike; raises InvalidWhatIfError for numbers out of range."""

    name: str = ""
    """Its name on screen; "" for what it changes, in words."""
    arrivals: float = 1.0
    """The arrival rate, as a multiple of today's."""
    lost: int = 0
    """How many consumers fewer, as when a host or a zone is lost."""
    speed: float = 1.0
    """What a consumer reads, as a multiple of today's: below 1 if a dependency is slow."""

    def __post_init__(self) -> None:
        _require("the multiple of arrivals", self.arrivals, MOST_TIMES)
        _require("consumers lost", self.lost, MOST_CONSUMERS)
        _require("times of what a consumer reads", self.speed, MOST_TIMES)

    @property
    def title(self) -> str:
        """Its name, or what it changes."""
        return self.name or ", ".join(self.changes) or "Today"

    @property
    def changes(self) -> tuple[str, ...]:
        """What differs from today, in a few words each.

        >>> Weather(arrivals=1.5, lost=1).changes
        ('1.5 times the arrivals', '1 consumer lost')
        """
        found = (
            f"{self.arrivals:g} times the arrivals" if self.arrivals != 1 else "",
            f"{plural(self.lost, 'consumer')} lost" if self.lost else "",
            f"consumers at {self.speed:g} times their speed" if self.speed != 1 else "",
        )
        return tuple(filter(None, found))


TODAY: Final = Weather()


class Asked(NamedTuple):
    """What somebody asks: choices, each under every weather."""

    choices: tuple[WhatIf, ...] = ()
    weathers: tuple[Weather, ...] = (TODAY,)


class Applied(NamedTuple):
    """A group after a what-if."""

    group: Group
    notes: tuple[str, ...]
    """What is assumed, and what does not apply to this group."""


def applied(
    group: Group, what_if: WhatIf, arriving: FloatArray, weather: Weather = TODAY
) -> Applied:
    """Return the group after the change; ``arriving`` (P,) are today's arrival rates, NaN unknown.

    The consumers that remain keep their claims. New partitions start empty, and arrivals of
    their topic spread evenly over all its partitions from then on; the backlog stays where it is.
    """
    changed = group.with_rates(arriving * weather.arrivals)
    notes = []
    if what_if.topic:
        changed, note = _with_partitions(changed, what_if.topic, what_if.partitions)
        notes.append(note)
    if what_if.consumers or (weather.lost and group.member_count):
        wanted = group.member_count + what_if.consumers - weather.lost
        if wanted < 1:
            notes.append(f"There are only {plural(group.member_count, 'consumer')}; one is left.")
        changed = resizer(changed, max(wanted, group.member_count, 1))(max(wanted, 1))
    return Applied(changed, tuple(notes))


def _with_partitions(group: Group, topic: str, partitions: int) -> tuple[Group, str]:
    """Return the group with a larger topic, and what that assumes or why it is not larger."""
    if topic not in group.topics:
        return group, f"There is no topic {topic} in this group."
    number = group.topics.index(topic)
    today = int(group.topic_sizes[number])
    if partitions <= today:
        return group, f"{topic} has {plural(today, 'partition')} already; Kafka can only add some."
    grown = with_topic_sizes(group, {topic: partitions}).group
    of_topic = grown.topic_of_partition == grown.topics.index(topic)
    is_new = of_topic & (grown.number_in_topic >= today)
    rates = (
        np.full(grown.partition_count, np.nan)
        if grown.offsets.rates is None
        else grown.offsets.rates.copy()
    )
    rates[of_topic] = np.nansum(rates[of_topic]) / partitions if _knows(rates[of_topic]) else np.nan
    lags = np.where(is_new & (grown.lags == UNKNOWN), 0, grown.lags)
    note = (
        f"Arrivals in {topic} spread evenly over its {partitions:,} partitions (an "
        "assumption about keys); its backlog stays where it is."
    )
    return replace(grown, offsets=replace(grown.offsets, lags=lags, rates=rates)), note


def _knows(rates: FloatArray) -> bool:
    return not bool(np.isnan(rates).all())


def titles(asked: Sequence[WhatIf] | Sequence[Weather]) -> list[str]:
    """Return the titles, each once: a repeated one gets a number."""
    seen: dict[str, int] = {}
    unique = []
    for each in asked:
        title = each.title
        seen[title] = seen.get(title, 0) + 1
        unique.append(title if seen[title] == 1 else f"{title} ({seen[title]})")
    return unique
