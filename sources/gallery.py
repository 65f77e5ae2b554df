"""The gallery of ``sample_data/gallery.json``: one surprise per card, with live figures.

The file has texts without figures: ``{range[idle]}`` is replaced by the strategy's figure when
the page is shown, so a text cannot become outdated. A card's claims are what its text assumes;
tests check them against the strategies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import msgspec

from assignors.model import Group
from assignors.registry import STRATEGIES
from assignors.strategy import Strategy
from evaluation import metrics
from evaluation.bounds.lag import lower_bound
from evaluation.rebalance.simulation import Rebalance, simulate_history, simulate_rebalance
from sources import samples
from sources.histories import GUIDES, Guide

_FILE: Final = Path(__file__).parent.parent / "sample_data" / "gallery.json"

Amounts: TypeAlias = Mapping[str, int | float | None]
"""Figures by name: those of ``metrics.Figures`` and of a rebalance."""


class Claim(NamedTuple):
    """One thing that must hold for a card to be true."""

    strategy: str
    figure: str
    relation: str
    """``==``, ``<`` or ``>``."""
    other: str | int
    """Another strategy, to compare the same figure with, or a number."""


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One example with its surprise; texts name figures as ``{strategy[figure]}``."""

    id: str
    """Of the sample, and of the guided history if there is one."""
    surprise: str
    happens: str
    why: str
    instead: str
    strategies: tuple[str, ...]
    """The strategies to show, the surprising one first."""
    figure: str
    """The figure to draw."""
    claims: tuple[Claim, ...]
    history: int | None = None
    """The step of the guided history with the figures; None: the sample itself has them."""

    @property
    def guide(self) -> Guide | None:
        """The guided history to replay, if there is one."""
        return next((guide for guide in GUIDES if guide.id == self.id), None)


class FilledCard(NamedTuple):
    """A card with its figures filled in."""

    title: str
    """Of the example."""
    surprise: str
    happens: str
    why: str
    instead: str
    amounts: Mapping[str, Amounts]
    """By strategy of the card; ``group`` has the amounts that depend on none."""


CARDS: Final[Sequence[Card]] = msgspec.json.decode(_FILE.read_bytes(), type=tuple[Card, ...])
"""Every card, in display order."""


def filled(card: Card) -> FilledCard:
    """Run a card's strategies on its example, and return the card with their figures."""
    group = samples.load(card.id).group
    of_strategies = {
        name: _amounts(_rebalance(card, group, STRATEGIES[name])) for name in card.strategies
    }
    amounts: dict[str, Amounts] = {"group": _of_group(group), **of_strategies}
    title = next(sample.title for sample in samples.SAMPLES if sample.id == card.id)
    surprise, happens, why, instead = (
        text.format_map(amounts) for text in (card.surprise, card.happens, card.why, card.instead)
    )
    return FilledCard(title, surprise, happens, why, instead, amounts)


def _rebalance(card: Card, group: Group, strategy: Strategy) -> Rebalance:
    if card.history is None or card.guide is None:
        return simulate_rebalance(group, strategy)
    steps = simulate_history(card.guide.reading.group, card.guide.events, strategy)
    return steps[card.history].rebalance


def _amounts(outcome: Rebalance) -> Amounts:
    topics = metrics.topics_per_member(outcome.group, outcome.after)
    return asdict(metrics.figures_of(outcome.group, outcome.after)) | {
        "moved": outcome.moved,
        "fewest": outcome.fewest,
        "paused": outcome.paused,
        "rounds": len(outcome.rounds),
        "least_topics": int(topics.min(initial=len(outcome.group.topics))),
    }


def _of_group(group: Group) -> Amounts:
    return {
        "members": group.member_count,
        "topics": len(group.topics),
        "partitions": group.partition_count,
        "bound": lower_bound(group),
    }
