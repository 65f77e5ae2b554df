"""Stories of groups, as slides and report tell them."""

from functools import cache

from assignors.model import Group
from evaluation.answering.answer import Answer
from evaluation.answering.compose import answer_of
from evaluation.answering.given import Given, Statements
from evaluation.assuming.clients import JAVA, Client
from sources import samples
from sources.asking import given_of
from tests.pasted import the_group
from ui.slides.story import Story


@cache
def story_of_text(text: str, **stated: object) -> Story:
    """Return the story of the one group of a text, composed once."""
    return story_of(answer_of(given_of(the_group(text), Statements(**stated))))  # type: ignore[arg-type]


def story_of_group(group: Group, client: Client = JAVA, **stated: object) -> Story:
    """Return the story of a group that was not read from anywhere."""
    given = Given(group=group, client=client, stated=Statements(**stated))  # type: ignore[arg-type]
    return story_of(answer_of(given))


@cache
def story_of_sample(name: str) -> Story:
    """Return the story of a sample, composed once."""
    return story_of_group(samples.load(name).group)


def story_of(answer: Answer) -> Story:
    """Return the story of an answer."""
    return Story(title="orders", answer=answer)
