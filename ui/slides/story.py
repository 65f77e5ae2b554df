"""What is known of a group on the slides and the report's first page, and what follows from it.

Every figure comes from the outcomes, the facts and the findings that the other pages show; texts
are plain, and names in them are those of the group.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from assignors.model import FloatArray, Group
from evaluation.advice import Advice
from evaluation.clients import Client
from evaluation.compare import Outcome
from evaluation.comparison import Comparison
from evaluation.configuration import Configuration, configuration
from evaluation.diagnosis.findings import CatchingUp, Finding, hindering
from evaluation.ending import end_s, ending_s, proposal, seconds_to_end
from evaluation.facts import Facts, Source
from evaluation.load import Load
from evaluation.rebalance.lost import Lost
from evaluation.rebalance.switching import way_in_words
from evaluation.wording import duration, plural
from ui.compare.conclusion import not_looked_at, unknown_loads
from ui.facts import arrival_words, speed_words
from ui.incident.brief import aid_of, hindrance_of
from ui.untrusted import plain

_NAMED: Final = 3


@dataclass(frozen=True, eq=False, kw_only=True)
class Story:
    """Everything that the slides draw on."""

    title: str
    comparison: Comparison
    """Of a group that nobody owns yet, what each setting would give."""
    client: Client
    findings: Sequence[Finding]
    facts: Facts
    cost: Lost | None
    """Of the switch to what is proposed; None if there is none, or from an unknown strategy."""
    basis: str
    price: tuple[float | None, str] = (None, "")
    """What a consumer costs an hour, if stated, and the currency."""

    @property
    def group(self) -> Group:
        """With the weights that it is judged by."""
        return self.comparison.group

    @property
    def advice(self) -> Advice:
        """What to set, and what a custom assignor would add."""
        return self.comparison.advice

    @property
    def load(self) -> Load:
        """What decides."""
        return self.comparison.load

    @property
    def is_fresh(self) -> bool:
        """Whether nobody owns a partition yet, so that nothing has to be switched."""
        return self.advice.now is None

    @property
    def hindering(self) -> Finding | None:
        """The first cause that no strategy helps; None if one may help."""
        return hindering(self.findings)

    @property
    def hindrance(self) -> str:
        """Why no strategy helps now, to stand behind "while"; "" if one may."""
        found = self.hindering
        return "" if found is None else plain(hindrance_of(found, self.group))

    @property
    def proposed(self) -> Outcome | None:
        """What the slides propose; None if nothing helps."""
        return None if self.hindering else proposal(self.group, self.advice, self.facts)

    @property
    def way(self) -> str:
        """What leads to the proposal."""
        if self.cost is not None:
            return way_in_words(self.cost.restarts)
        takes_switch = self.proposed is not None and self.proposed.outlook is not None
        return way_in_words(None if takes_switch else 0)

    @property
    def takes(self) -> str:
        """What the proposal takes, in a sentence."""
        moved = None if self.proposed is None else self.proposed.figures.moved
        if self.is_fresh:
            return "Nothing has to move: the group starts with it."
        what = self.way if self.is_to_be_had else "an assignor of your own"
        if moved is None:
            return f"It takes {what}."
        verb = "changes" if moved == 1 else "change"
        partitions = plural(self.group.partition_count, "partition")
        return f"It takes {what}; {moved:,} of {partitions} {verb} hands."

    @property
    def guide(self) -> Configuration:
        """How to bring the group to the proposal; without steps and notes if there is none."""
        strategy = None if self.proposed is None else self.proposed.strategy
        if strategy is None:
            return Configuration((), ())
        return configuration(strategy, self.client, self.comparison.runs)

    @property
    def is_to_be_had(self) -> bool:
        """Whether settings, or plug-ins of this project, bring the group to the proposal."""
        wanted = None if self.proposed is None else self.proposed.strategy
        is_running = wanted is not None and wanted == self.comparison.runs
        return is_running or bool(self.guide.steps)


def we_should(story: Story) -> str:
    """Return the proposal in one sentence that begins with "We should"."""
    advice, proposed, load = story.advice, story.proposed, story.load
    if story.hindering is not None:
        aid = plain(aid_of(story.hindering, story.group))
        return f"We should {aid}; no strategy helps while {story.hindrance}."
    if proposed is None:
        return _nothing(story)
    reached = load.said(proposed)
    unowned = 0 if advice.now is None else advice.now.figures.unowned - proposed.figures.unowned
    if unowned > 0:
        gives = f"give {plural(unowned, 'partition')} an owner, as {proposed.label} would"
        return f"We should {gives}: the busiest consumer then has {reached}."
    kind = "the custom assignor " if proposed is advice.custom else ""
    if advice.now is None:
        return f"We should use {kind}{proposed.label}: the busiest consumer starts with {reached}."
    had, has = (load.of(outcome) for outcome in (advice.now, proposed))
    less = f", {1 - has / had:.0%} less".replace("%", " %") if had > has else ""
    said = f"We should use {kind}{proposed.label}: the busiest consumer falls to {reached}{less}"
    is_endless = np.isinf(ending_s(story.group, proposed, story.facts) or 0.0)
    return f"{said}{', though the backlog does not end by that alone' if is_endless else ''}."


def _nothing(story: Story) -> str:
    """Return why nothing is proposed, and what else to do."""
    group, advice, runs = story.group, story.advice, story.comparison.runs
    for finding in story.findings:
        if isinstance(finding, CatchingUp) and np.isfinite(finding.over_s):
            return f"We should wait: the backlog is over in {duration(finding.over_s)}."
    hot = story.comparison.deciding_partition
    waits = hot is not None and bool(story.group.counted_lags[hot])  # else all of it is read
    if hot is not None and waits and advice.now is not None and advice.unreliable is None:
        name = group.partition_name(hot)
        what = f"spread what goes into {name} over more partitions"
        if story.facts.arriving_source is None:  # it may stand, rather than get much
            what = f"find out why {name} is behind"
        return f"We should {what}: it alone decides, whatever the strategy."
    what = f"keep {runs.label}" if runs else "keep the strategy that runs"
    if advice.custom is not None:
        own, reached = advice.custom.label, story.load.said(advice.custom)
        return (
            f"We should {what}: no setting is reliably better, and the custom {own} gains too "
            f"little for its effort, {reached}."
        )
    because = not_looked_at(advice) if advice.unreliable is not None else ""
    said = f"We should {what}: no other is reliably better"
    return f"{said}, for {because}." if because else f"{said}."


def costs(story: Story) -> Iterator[str]:
    """Yield what the proposal costs and risks, a sentence each; nothing without a proposal."""
    proposed, cost = story.proposed, story.cost
    if proposed is None:
        return
    yield story.takes
    if cost is not None:
        each = cost.partition_seconds.middle / max(story.group.partition_count, 1)
        yield f"Reading pauses {duration(each)} a partition, on average."
    yield from filter(None, (unknown_loads(story.comparison), risk_of(story)))
    yield from times_in_words(story)


def risk_of(story: Story) -> str:
    """Return what may come out otherwise than proposed; "" if nothing."""
    proposed = story.proposed
    span = "" if proposed is None else story.load.span_said(proposed)
    if not span:
        return ""
    return (
        "The risk: the ids that consumers get when they restart decide; in nine futures of "
        f"ten the busiest consumer has {span} {story.load.unit}."
    )


class Clearing(NamedTuple):
    """How long consumers take to read their backlog; (M,) seconds each, infinite if never."""

    now: FloatArray | None
    """None where nobody owns a partition yet."""
    then: FloatArray
    is_guess: bool
    rests_on: str
    """The speed and the arrivals that this rests on."""


def clearing(story: Story) -> Clearing | None:
    """Return the times with today's owners and with those proposed; None without a backlog."""
    group, facts = story.group, story.facts
    if not group.counted_lags.any() or story.proposed is None:
        return None
    arriving = group.with_rates(facts.arriving)
    now, then = story.advice.now, story.proposed
    today = None if now is None else seconds_to_end(arriving, now.owners, facts)
    if now is not None and np.isinf(end_s(arriving, now.owners, facts)):  # nobody's never ends
        today = np.full(group.member_count, np.inf)
    return Clearing(
        today,
        seconds_to_end(arriving, then.owners, facts),
        facts.speed.source is Source.GUESS or facts.arriving_source in {None, Source.GUESS},
        f"{speed_words(facts.speed, is_asked=False)} and {_arrivals(group, facts)}",
    )


def _arrivals(group: Group, facts: Facts) -> str:
    if facts.arriving_source is None:
        return "nothing more arrives (what does is unknown)"
    return arrival_words(group, facts)


def times_in_words(story: Story) -> Iterator[str]:
    """Say when the backlog is cleared now and then, and what that rests on."""
    found = clearing(story)
    if found is None:
        return
    then, lead = float(found.then.max(initial=0.0)), "If" if found.is_guess else "As"
    now = None if found.now is None else float(found.now.max())
    if np.isinf(then) and now is not None and np.isinf(now):
        said = "the backlog never ends, neither then nor with today's owners"
    else:
        since = "" if now is None else "from then on "
        today = "" if now is None else f", with today's owners {_within(now)}"
        said = f"{since}the backlog is {_cleared(then)}{today}"
    yield f"{lead} {found.rests_on}: {said}."
    if np.isinf(then):
        yield "Some consumer gets more than it reads: other owners alone do not end the backlog."


def _cleared(seconds: float) -> str:
    return "never cleared" if np.isinf(seconds) else f"cleared {_within(seconds)}"


def _within(seconds: float) -> str:
    return "never" if np.isinf(seconds) else f"in {duration(seconds)}"
