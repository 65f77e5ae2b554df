"""The deck about the group on screen, and its files to take along."""

from datetime import UTC, datetime

from charts.deck.model import Deck
from ui import cache, price, told
from ui.answers import answer_in
from ui.scenario import Scenario
from ui.slides.deck import deck_of
from ui.slides.offer import offer_deck
from ui.slides.story import Story


def take_along(current: Scenario, story: Story) -> None:
    """Offer the slides as files; they are made without a session, so the story is told before."""
    offer_deck(lambda: _deck(story), current.group.id or current.title)


def story_of(current: Scenario) -> Story:
    """Return the story of the group on screen: its answer, as every page has it."""
    answer = answer_in(current)
    runs, option, cost = answer.running.strategy, answer.proposal, None
    is_drawn = option is not None and option.outcome is not None and option.outcome.outlook
    if option is not None and is_drawn and option.strategy and runs:
        switch, facts = (runs, option.strategy), answer.known.facts
        cost = cache.lost(answer.group, *switch, facts.arriving, is_noticed=told.is_slow())
    return Story(title=current.title, answer=answer, cost=cost, price=price.readable())


def deck_on_screen(current: Scenario) -> Deck:
    """Return the slides about the group on screen."""
    return _deck(story_of(current))


def _deck(story: Story) -> Deck:
    return deck_of(story, f"{datetime.now(UTC):%d %B %Y}")
