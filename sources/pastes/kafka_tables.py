"""Everything ``kafka-consumer-groups`` prints, several tables of one group taken together."""

from typing import Final

from sources.pastes import describe, members, state
from sources.pastes.headers import Kind
from sources.pastes.page import Page
from sources.pastes.rows import Found
from sources.pastes.sections import Section, sections_in
from sources.pastes.topics import read_topics

_THE_MOST_TELLING_FIRST: Final = (
    describe.FORMAT,
    members.VERBOSE_FORMAT,
    members.FORMAT,
    state.FORMAT,
)


def read_kafka_tables(page: Page) -> Found | None:
    """Return what tables of offsets, members and state say, None if there are none.

    Beside them, ``kafka-topics --describe`` and ``kcat -L`` add numbers of partitions.
    """
    found = Found("")
    formats = {_read(page, section, found) for section in sections_in(page)}
    if not found.has_groups:
        return None
    found.format = next(name for name in _THE_MOST_TELLING_FIRST if name in formats)
    topics = read_topics(page)
    found.topics += topics.topics
    found.used |= topics.used
    _note_rebalance(page, found)
    return found


def _read(page: Page, section: Section, found: Found) -> str:
    """Read one table; return the format it has, "" if nothing was found in it."""
    before = len(found.used)
    name = ""
    if section.header.kind == Kind.OFFSETS:
        describe.read_offsets(page, section, found)
        name = describe.FORMAT
    elif section.header.kind == Kind.MEMBERS:
        members.read_members(page, section, found)
        name = members.format_of(section.header)
    elif section.header.kind == Kind.STATE:
        state.read_state(page, section, found)
        name = state.FORMAT
    is_read = len(found.used) > before
    if not any(page.lines[number].strip() for number in section.body):
        found.used.update(section.names)  # the tool prints a header for an empty group too
    return name if is_read else ""


def _note_rebalance(page: Page, found: Found) -> None:
    if any("is rebalancing" in line and "onsumer group '" in line for line in page.lines):
        found.notes.append("the group was rebalancing when it was described: owners may be stale")
