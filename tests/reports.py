"""Reports on a group, as the Group page generates them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from assignors.model import Group
from charts.report import Section
from evaluation.assuming.clients import JAVA, Client
from tests.stories import story_of_group
from ui.compare.report import Content, report_html
from ui.slides.story import Story


def report_on(
    group: Group,
    *,
    edits: str = "",
    others: Sequence[Section] = (),
    client: Client = JAVA,
    title: str = "Orders",
) -> str:
    """Return the report of 3 February 2026 on a group."""
    story = replace(story_of_group(group, client), title=title)
    return report_of(story, edits=edits, others=others)


def report_of(
    story: Story, *, edits: str = "", others: Sequence[Section] = (), address: str = ""
) -> str:
    """Return the report of 3 February 2026 that tells a story."""
    content = Content(story=story, edits=edits, others=others, address=address)
    return report_html(content, date(2026, 2, 3))
