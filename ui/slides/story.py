"""The story of a group for a room: its answer, in words, with what its proposal costs.

Slides, PowerPoint and report tell it; what it says is the answer's, see ``evaluation.answering``.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from assignors.model import Group
from charts.report import Figure
from evaluation.answering.answer import Answer
from evaluation.answering.caveats import CaveatKind
from evaluation.answering.fields.verdict import oldest_said
from evaluation.answering.options import Option
from evaluation.answering.presenting import Presented, presented
from evaluation.answering.words import Words, caveat_words, words_of
from evaluation.capacity.planning import cost_a_month
from evaluation.comparing.load import Load
from evaluation.comparing.outcomes import Outcome
from evaluation.comparing.worth import WORTH
from evaluation.configuration import configuration
from evaluation.metrics import total_lag
from evaluation.rebalance.lost import Lost
from evaluation.settings_steps import Configuration
from evaluation.wording import amount, duration, percent, plural

_TILES: Final = 4


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """What slides and report tell of a group."""

    title: str
    answer: Answer
    cost: Lost | None = None
    """Of the switch to what is proposed; None if there is none, or from an unknown strategy."""
    price: tuple[float | None, str] = (None, "")
    """What a consumer costs an hour, if stated, and the currency."""

    @property
    def group(self) -> Group:
        """With the weights that it is judged by."""
        return self.answer.group

    @property
    def load(self) -> Load:
        """What decides."""
        return self.answer.load

    @cached_property
    def words(self) -> Words:
        """The answer's own sentences."""
        return words_of(self.answer)

    @cached_property
    def beside(self) -> Presented:
        """What a room is told beside them."""
        return presented(self.answer)

    @property
    def is_fresh(self) -> bool:
        """Whether nobody owns a partition yet, so that nothing has to be switched."""
        return self.answer.now is None

    @property
    def switch(self) -> Option | None:
        """The proposal, if it changes owners."""
        option = self.answer.proposal
        return option if option is not None and option.outcome is not None else None

    @property
    def proposed(self) -> Outcome | None:
        """What the owners would be."""
        return None if self.switch is None else self.switch.outcome

    @property
    def consumers_then(self) -> int | None:
        """The number of consumers that is proposed; None if it is today's."""
        return None if self.answer.proposal is None else self.answer.proposal.consumers

    @property
    def guide(self) -> Configuration:
        """How to bring the group to the proposal; without steps and notes if there is none."""
        switch, answer = self.switch, self.answer
        if switch is None or switch.strategy is None:
            return Configuration((), ())
        given = answer.given
        return configuration(switch.strategy, given.client, answer.running.strategy, given.kind)

    def looks_alike(self, now: Outcome, then: Outcome) -> bool:
        """Return whether nobody could tell the pictures of two outcomes apart."""
        today, later = (self.load.per_member(self.group, each.owners) for each in (now, then))
        most = max(int(today.max(initial=0)), int(later.max(initial=0)))
        return bool((np.abs(today - later) <= WORTH * most).all())


def basis_of(story: Story) -> str:
    """Return what the story takes for granted, for the foot of a page."""
    assumed = [*story.words.assumes]
    return f"Assumes: {', '.join(assumed)}." if assumed else ""


def simulated(story: Story) -> str:
    """Return how many simulations a switch rests on: whether more are running is no news."""
    answer = story.answer
    return " ".join(
        caveat_words(each, answer) for each in answer.caveats if each.kind is CaveatKind.SIMULATED
    )


def first_tiles(story: Story) -> tuple[Figure, ...]:
    """Return the figures that the finding needs: what waits, what is proposed, what it takes."""
    answer, verdict = story.answer, story.answer.verdict
    total, short = total_lag(answer.given.group), story.beside.short
    lagging = int(np.count_nonzero(answer.given.group.counted_lags))
    partitions = plural(answer.group.partition_count, "partition")
    note = "no lag is known" if total.known is None else f"in {lagging:,} of {partitions}"
    found = [Figure("Records that wait", amount(total.known), note)]
    if oldest := oldest_said(answer):
        found.append(Figure("The oldest waits for", oldest, ""))
    for value, label, note in (
        (verdict.figures.deleted_in_s, "The first are deleted in", "unless they are read"),
        (verdict.figures.ends_s, "The backlog clears in", "as things are"),
    ):
        if value:
            found.append(Figure(label, duration(value), note))
    if short:
        found.append(Figure("Proposal", f"{short[0].upper()}{short[1:]}", _gain(story)))
    if story.switch is not None and not story.is_fresh:
        moves = story.switch.moves
        found.append(Figure("Partitions that move", amount(moves), f"of {partitions}"))
    return tuple(found[:_TILES])


def _gain(story: Story) -> str:
    option = story.answer.proposal
    if option is None or not option.gain or option.gain < 0:
        return ""
    return f"takes {percent(option.gain)} off the busiest"


def cost_tiles(story: Story) -> tuple[Figure, ...]:
    """Return what the proposal costs, and when the backlog has ended."""
    group, switch, cost = story.group, story.switch, story.cost
    found = []
    if switch is not None and switch.ends_s is not None:
        keep = story.answer.keep
        today = "" if keep is None or keep.ends_s is None else f"today: {duration(keep.ends_s)}"
        found.append(Figure("Time to clear the backlog", duration(switch.ends_s), today))
    if switch is not None and not story.is_fresh and switch.moves is not None:
        found.append(
            Figure("Partitions that move", f"{switch.moves:,}", f"of {group.partition_count:,}")
        )
    if cost is not None:
        each = cost.partition_seconds.middle / max(group.partition_count, 1)
        found.append(Figure("Reading pauses", duration(each), "a partition, on average"))
    members = group.member_count if story.consumers_then is None else story.consumers_then
    today = f"today {group.member_count:,}" if story.consumers_then is not None else "none is added"
    found.append(Figure("Consumers", f"{members:,}", today))
    price, currency = story.price
    if price is not None:
        now, then = (cost_a_month(each, price) for each in (group.member_count, members))
        note = "as today" if now == then else f"today {now:,.0f}"
        found.append(Figure("Cost a month", f"{currency} {then:,.0f}".strip(), note))
    return tuple(found)
