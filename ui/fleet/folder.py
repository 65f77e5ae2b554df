"""The tables to show: the sample, the visitor's own run, or a folder."""

import os
from functools import partial
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitSecretNotFoundError

from sources.errors import SourceError
from sources.fleet.location import ROOT, SAMPLE, LocationPolicy, permitted, table_folders
from sources.fleet.runs import edition_of
from sources.fleet.tables import Fleet
from ui import loopback, widgets
from ui.choices.option import OptionChoice
from ui.choices.text import TextChoice
from ui.fleet import cache, upload
from ui.untrusted import verbatim
from ui.workers import run_or_stop

TABLES: Final = "tables"
"""The key of the tables' widget, and its name in a link."""
_SAMPLE: Final = "The sample fleet"
OWN_RUN: Final = "Your run"
"""The tables of the last upload."""
_FOLDER: Final = "A folder"
_UPLOAD: Final = "Upload telemetry"
_FOLDER_KEY: Final = "folder"
"""The key of the folder's widget, and its name in a link."""
_ASKED: Final = "folder_asked_for"
"""The folder that the visitor typed, chose, or opened by a click; a link asks for none."""


def choose(area: DeltaGenerator) -> Fleet | None:
    """Let the visitor choose the tables; return them, or None after an error message."""
    own = upload.finished()
    # A visitor who left during the run returns to its tables, not to an empty form.
    if st.session_state.get(TABLES) == _UPLOAD and upload.is_news():
        st.session_state[TABLES] = OWN_RUN
    options = [_SAMPLE] if SAMPLE.is_dir() else []
    options += [OWN_RUN] if own else []
    with area:
        chosen = OptionChoice(TABLES).pick(
            "Tables", [*options, _FOLDER, _UPLOAD], about="Output of the pipeline"
        )
        policy = _policy()
        name = _folder_name(policy) if chosen == _FOLDER else ""
    if chosen == _UPLOAD:
        upload.show()
        return None
    if chosen == _FOLDER and not name.strip():
        _explain_folders()
        return None
    try:
        if chosen != _FOLDER:
            edition = edition_of(str(own.tables if own and chosen == OWN_RUN else SAMPLE))
            return cache.open_fleet(edition)
        where = permitted(name, policy)
        if policy.root is None and st.session_state.get(_ASKED) != name:
            _offer(name)
            return None
        # Without a root, anybody may have written the log of runs.
        of_folder = edition_of if policy.root is not None else partial(run_or_stop, edition_of)
        return cache.open_fleet(of_folder(where, policy.resolved_root))
    except SourceError as error:
        widgets.refusal(error)
        return None


def _policy() -> LocationPolicy:
    """Return the tables that this server lets visitors open."""
    return LocationPolicy(os.environ.get(ROOT) or _secret(), loopback.serves_this_machine_alone())


def _folder_name(policy: LocationPolicy) -> str:
    if policy.root is None:
        about = "The pipeline's --output: a local folder or file:// address"
        return TextChoice(_FOLDER_KEY).ask("Folder", "/data/fleet", about, _ask)
    about = f"Below the folder that {ROOT} names"
    folders = table_folders(policy.root)
    if folders:
        return OptionChoice(_FOLDER_KEY).pick("Folder", folders, about=about)
    return TextChoice(_FOLDER_KEY).ask("Folder", "fleet", about)


def _ask() -> None:
    st.session_state[_ASKED] = st.session_state[_FOLDER_KEY]


def _offer(name: str) -> None:
    """Offer to open a folder that a link names: its sender must not choose what is opened."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"The link names the folder **{verbatim(name)}**.", width="content")
        st.button("Open this folder", key="open_folder", type="primary", on_click=_ask)


def _explain_folders() -> None:
    st.info(
        "Name the folder that the pipeline wrote to, or choose the sample fleet. "
        "To make tables: `python -m pipeline run --input telemetry.jsonl --output FOLDER`.",
        icon=":material/folder_open:",
    )


def _secret() -> str | None:
    try:
        value = st.secrets.get(ROOT)
    except StreamlitSecretNotFoundError:
        return None
    return str(value) if value else None
