"""The scenario in a link, to share and to open."""

from collections.abc import Iterator
from typing import Final
from urllib.parse import urlencode

import streamlit as st

from evaluation.reading import Reading
from evaluation.wording import plural
from sources import group_json, links, plans_of_groups
from sources.errors import SourceError
from ui import downloads, open_groups, scenario, told
from ui.copying import copy_button
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.what_ifs import kept

GROUP: Final = "group"
"""The query parameter that holds a group."""
_NAME: Final = "name"
"""The one that holds its name on screen, where the group itself has none or another."""
_LONGEST_NAME: Final = 200
_EXAMPLE: Final = "example"
_FOLLOWED: Final = "followed_link"
_OWN_PLACE: Final = frozenset(
    {GROUP, open_groups.GROUPS, _NAME, _EXAMPLE, "start", "slide", kept.NAME, *told.CHOICES}
)
"""Query parameters on the origin of a group, which a link with the group itself omits, and what
the visitor stated on any page, which it lists by itself."""


def followed() -> Scenario | None:
    """Return the scenario in the visitor's link; None without one.

    Called once, at the start of a session. ``link_problem`` shows why a link could not be read.
    """
    several = st.query_params.get(open_groups.GROUPS)
    if several is not None:
        return _followed_together(several)
    text = st.query_params.get(GROUP)
    if text is None:
        return None
    try:
        reading = links.decode(text)
    except SourceError as error:
        st.session_state[_FOLLOWED] = str(error)
        return None
    st.session_state[_FOLLOWED] = (reading,)
    name = st.query_params.get(_NAME, reading.group.id)[:_LONGEST_NAME]
    return scenario.opened(name or "A shared group", reading)


def _followed_together(text: str) -> Scenario | None:
    """Open the groups of a link; return the first."""
    try:
        st.session_state[_FOLLOWED] = open_groups.open_plan(plans_of_groups.decode_link(text))
    except SourceError as error:
        st.session_state[_FOLLOWED] = str(error)
    return scenario.shown()


def link_problem(current: Scenario) -> None:
    """Show why the link could not be read, until the visitor opens a group.

    The group or example in it then leaves the address bar, as it no longer matches the screen.
    """
    followed_link = st.session_state.get(_FOLLOWED)
    if isinstance(followed_link, str) and not current.earlier:
        st.error(
            f"The link could not be opened: {verbatim(followed_link)}. This is an example instead."
        )
    elif not (isinstance(followed_link, tuple) and _is_among(current.reading, followed_link)):
        for name in (GROUP, open_groups.GROUPS, _NAME):
            if name in st.query_params:
                del st.query_params[name]
    if not current.origin and _EXAMPLE in st.query_params:
        del st.query_params[_EXAMPLE]


def _is_among(reading: Reading, readings: tuple[Reading, ...]) -> bool:
    return any(each is reading for each in readings)


def link_and_file(current: Scenario) -> None:
    """Show a link with the whole group, or why there is none, and the group as a file."""
    group = current.group
    text = links.encode(current.reading.with_group(group))
    if text is not None:
        copy_button("Copy link", _link(text, current), "copy_link")
        st.caption(
            "The link holds the group as it is on screen, what was measured and what you stated; "
            "nothing is stored."
        )
    else:
        st.markdown(
            f"{plural(group.partition_count, 'partition')} and "
            f"{plural(group.member_count, 'consumer')} are too much for a link of "
            f"{links.MOST_CHARACTERS:,} characters. Send the file instead."
        )
    st.download_button(
        "Group as JSON",
        lambda: group_json.encode(current.reading.with_group(group)),
        file_name=downloads.file_name(group.id, ".json"),
        mime="application/json",
        on_click="ignore",
        help="The group as JSON: open it under Upload, or hand it to assign.py",
    )


def parameters(current: Scenario) -> list[tuple[str, str]]:
    """Return the query of a link to the screen without the slide; [] if the group is too large."""
    text = links.encode(current.reading.with_group(current.group))
    return [] if text is None else [*_query(text, current)]


def _query(text: str, current: Scenario) -> Iterator[tuple[str, str]]:
    """Yield the group, what was stated of it, and the choices."""
    yield GROUP, text
    if current.title != current.group.id:
        yield _NAME, current.title[:_LONGEST_NAME]
    yield from told.values().items()
    if asked := kept.written():
        yield kept.NAME, asked
    for name in st.query_params:
        if name not in _OWN_PLACE:
            yield from ((name, value) for value in st.query_params.get_all(name))


def _link(text: str, current: Scenario) -> str:
    """Return the address of this page with the group and the choices as parameters."""
    address, query = st.context.url, urlencode([*_query(text, current)])
    return f"{address.rstrip('/')}/?{query}" if address else f"?{query}"
