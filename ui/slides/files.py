"""The deck about the group on screen, and its files to take along."""

from datetime import UTC, datetime

from charts.deck.model import Deck
from ui import cache, price, told
from ui.answers import answer_in
from ui.refining import Refining, settled
from ui.scenario import Scenario
from ui.slides.deck import deck_of
from ui.slides.offer import offer_deck
from ui.slides.story import Story


def take_along(current: Scenario, story: Story) -> None:
    """Offer the slides as files; they are made without a session, so the story is told before."""
    offer_deck(lambda: deck_today(story), current.group.id or current.title)


def story_of(current: Scenario) -> tuple[Story, Refining | None]:
    """Return the story of the group on screen, and the simulations that its proposal waits for.

    Its answer is the one that every page has.
    """
    answer, refining = settled(answer_in(current))
    runs, option, cost = answer.running.strategy, answer.proposal, None
    is_drawn = option is not None and option.outcome is not None and option.outcome.outlook
    if option is not None and is_drawn and option.strategy and runs:
        switch, facts = (runs, option.strategy), answer.known.facts
        cost = cache.lost(answer.group, *switch, facts.arriving, is_noticed=told.is_noticed())
    story = Story(title=current.title, answer=answer, cost=cost, price=price.readable())
    return story, refining


def deck_today(story: Story) -> Deck:
    """Return the slides of a story, with today's date."""
    return deck_of(story, f"{datetime.now(UTC):%d %B %Y}")
