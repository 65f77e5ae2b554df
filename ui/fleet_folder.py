"""Which tables the Fleet page shows: the sample, a run of the visitor's own, or a folder."""

import os
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitSecretNotFoundError

from sources import fleet_folders
from sources.errors import SourceError
from sources.fleet import Fleet
from sources.fleet_folders import ROOT, SAMPLE, Doors
from sources.fleet_place import place_of
from ui import fleet_cache, fleet_run, linked
from ui.untrusted import verbatim

TABLES: Final = "tables"
"""The key of the widget that chooses the tables, and its name in a link."""
_SAMPLE: Final = "The sample fleet"
OWN_RUN: Final = "Your run"
"""The tables of the last upload."""
_FOLDER: Final = "A folder"
_UPLOAD: Final = "Upload telemetry"


def doors() -> Doors:
    """Return which folders this server lets visitors open."""
    named = os.environ.get(ROOT) or _secret()
    address = st.get_option("server.address")
    return Doors(Path(named) if named else None, fleet_folders.is_loopback(address))


def choose(place: DeltaGenerator) -> Fleet | None:
    """Show where tables can come from; return them, or None after saying what is wrong."""
    own = fleet_run.finished()
    options = [
        *([_SAMPLE] if SAMPLE.is_dir() else []),
        *([OWN_RUN] if own else []),
        _FOLDER,
        _UPLOAD,
    ]
    # Whoever left while it ran finds the tables on coming back, not an empty form.
    if st.session_state.get(TABLES) == _UPLOAD and fleet_run.is_news():
        st.session_state[TABLES] = OWN_RUN
    with place:
        chosen = linked.choice("Tables", options, TABLES, about="Those that the pipeline wrote")
        name = _folder_name(doors()) if chosen == _FOLDER else ""
    if chosen == _UPLOAD:
        fleet_run.run_view()
        return None
    try:
        folder = SAMPLE
        if chosen == _FOLDER:
            if not name.strip():
                _say_what_to_name()
                return None
            folder = fleet_folders.permitted(name, doors())
        elif own and chosen == OWN_RUN:
            folder = own.tables
        return fleet_cache.open_fleet(place_of(folder))
    except SourceError as error:
        st.error(sentence(error), icon=":material/error:")
        return None


def sentence(error: SourceError) -> str:
    """Return the error as a sentence, its names letter by letter."""
    text = str(error)
    return verbatim(f"{text[:1].upper()}{text[1:]}.")


def _folder_name(allowed: Doors) -> str:
    if allowed.root is None:
        return linked.text("Folder", "folder", "/data/fleet", "As given to the pipeline: --output")
    found = fleet_folders.listed(allowed.root)
    if found:
        return linked.choice("Folder", found, "folder", about=f"Below the folder of {ROOT}")
    return linked.text("Folder", "folder", "fleet", f"Below the folder of {ROOT}")


def _say_what_to_name() -> None:
    st.info(
        "Name the folder that was given to the pipeline as `--output`, or choose the sample "
        "fleet. Tables are made by `python -m pipeline run --input telemetry.jsonl --output "
        "FOLDER`.",
        icon=":material/folder_open:",
    )


def _secret() -> str | None:
    try:
        found = st.secrets.get(ROOT)
    except StreamlitSecretNotFoundError:
        return None
    return str(found) if found else None
