"""The scenario in a link: written to share, opened when followed."""

from typing import Final
from urllib.parse import urlencode

import streamlit as st

from evaluation.wording import plural
from sources import group_json, links
from sources.errors import SourceError
from ui import downloads, scenario
from ui.scenario import Scenario
from ui.untrusted import verbatim

GROUP: Final = "group"
"""The name under which a link holds a group."""
_FOLLOWED: Final = "followed_link"
_OWN_PLACE: Final = frozenset({GROUP, "example", "start"})
"""What a link says about where its writer's group came from; the group itself replaces it."""


def followed() -> Scenario | None:
    """Return the scenario of the link by which the visitor came; None if it holds none.

    Asked once, at the start of a session. Why a link could not be read is kept for
    ``link_problem``.
    """
    text = st.query_params.get(GROUP)
    if text is None:
        return None
    try:
        reading = links.decode(text)
    except SourceError as error:
        st.session_state[_FOLLOWED] = str(error)
        return None
    st.session_state[_FOLLOWED] = reading
    return scenario.opened(reading.group.id or "A shared group", reading)


def link_problem(current: Scenario) -> None:
    """Say why the link could not be read, until the visitor opens something.

    The link also leaves the address bar then: it no longer tells what is on screen.
    """
    followed_link = st.session_state.get(_FOLLOWED)
    if isinstance(followed_link, str) and not current.earlier:
        st.error(
            f"The link could not be opened: {verbatim(followed_link)}. This is an example instead."
        )
    elif followed_link is not current.reading and GROUP in st.query_params:
        del st.query_params[GROUP]


def share_popover(current: Scenario) -> None:
    """Show a link that holds the whole group, or the file where a link is too small."""
    popover = st.popover(
        "Share",
        on_change="rerun",
        key="share",
        help="The whole group in a link or a file",
    )
    if not popover.open:
        return
    group = current.group
    with popover:
        text = links.encode(group)
        if text is not None:
            st.caption("The link holds the group as it is on screen; nothing is stored.")
            st.code(_link(text), language=None, wrap_lines=True, height=180)
        else:
            st.markdown(
                f"{plural(group.partition_count, 'partition')} and "
                f"{plural(group.member_count, 'consumer')} are too much for a link of "
                f"{links.MOST_CHARACTERS:,} characters. Send the file instead."
            )
        st.download_button(
            "Download",
            lambda: group_json.encode(group),
            file_name=downloads.file_name(group.id, ".json"),
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            help="The group as JSON: open it under Upload, or hand it to assign.py",
        )


def _link(text: str) -> str:
    """Return the address of this page with the group, and the choices made on it, behind it."""
    address = st.context.url
    choices = [
        (name, value)
        for name in st.query_params
        if name not in _OWN_PLACE
        for value in st.query_params.get_all(name)
    ]
    query = urlencode([(GROUP, text), *choices])
    return f"{address.rstrip('/')}/?{query}" if address else f"?{query}"
