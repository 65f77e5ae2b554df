"""The ways to open a group: an example, counts, a paste, files, a cluster."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from evaluation.reading import Reading
from sources import samples
from sources.counts import read_counts
from sources.text import Files, read_files, read_text
from sources.topologies import with_topology
from ui import (
    browser_clock,
    open_groups,
    readings,
    scenario,
    share,
    strategy_choice,
)
from ui.choices.kept import keep
from ui.connect.policy import policy
from ui.picture import places
from ui.scenario import Scenario
from ui.untrusted import verbatim
from ui.workers import input_read

_WAY: Final = "start"
EDIT: Final = "edit"
"""Whether the tables are shown, in the session and in the link."""
_NEW: Final = "New"
_PASTE: Final = "Paste"
_UPLOAD: Final = "Upload"
_WAYS: Final = ("Example", _NEW, _PASTE, _UPLOAD)
_MENU: Final = "open_menu"
_CONNECT: Final = "Connect"
_EXAMPLE: Final = "example"


def default_scenario() -> Scenario:
    """Return the group or example in the link, else the first example."""
    shared = share.followed()
    if shared is not None:
        return shared
    by_title = {sample.title: sample for sample in samples.SAMPLES}
    sample = by_title.get(st.query_params.get(_EXAMPLE, ""), samples.SAMPLES[0])
    return scenario.opened(sample.title, samples.load(sample.id), sample.id)


def open_example(sample_id: str, strategies: Sequence[str] = ()) -> None:
    """Open an example on the Group page; for buttons of other pages.

    ``strategies`` are compared as long as the example is on screen, instead of the usual ones.
    """
    sample = next(sample for sample in samples.SAMPLES if sample.id == sample_id)
    reading = samples.load(sample_id)
    scenario.show(sample.title, reading, sample_id)
    if strategies:
        strategy_choice.use_for(reading, strategies)
    st.switch_page("pages/compare.py")


def choose_way(current: Scenario) -> str | None:
    """Offer the ways to open a group; return the chosen one, None if none is chosen.

    An example is what one leaves: there, pasting is the one filled button, until a form has one.
    """
    ways = (*_WAYS, _CONNECT) if policy().is_on else _WAYS
    way = st.session_state.setdefault(_WAY, st.query_params.get(_WAY))
    way = way if way in ways else None
    is_example = bool(current.origin)
    st.button(
        "Paste your group" if is_example else "Paste",
        type="primary" if is_example and way is None else "secondary",
        key="paste_way",
        on_click=_toggle,
        args=(_PASTE,),
    )
    others = [each for each in ways if each != _PASTE]
    st.menu_button("Open", others, key=_MENU, on_click=_open_chosen)
    keep(_WAY, [way] if way else [])
    return way


def _open_chosen() -> None:
    _toggle(st.session_state[_MENU])


def _toggle(way: str) -> None:
    st.session_state[_WAY] = None if st.session_state.get(_WAY) == way else way


def paste_one_more() -> None:
    """Open the form that takes another snapshot of the group on screen."""
    st.session_state[_WAY] = _PASTE
    st.rerun()


def is_editing() -> bool:
    """Return whether the tables are shown."""
    shown: bool = st.session_state.setdefault(EDIT, st.query_params.get(EDIT) == "true")
    keep(EDIT, ["true"] if shown else [])
    return shown


def edit(is_shown: bool) -> None:
    """Show or hide the tables; for callbacks."""
    st.session_state[EDIT] = is_shown


def show_way(way: str | None, current: Scenario) -> None:
    """Show the chosen form, and why the last attempt failed."""
    share.link_problem(current)
    readings.unread()
    place = st.empty()  # so that what is below stays what it is
    if way is not None:
        with place.container(key=places.OVER if way == _UPLOAD else None, border=way != _UPLOAD):
            _show_form(way, current)


def _show_form(way: str, current: Scenario) -> None:
    if way == "Example":
        _examples(current)
    elif way == _NEW:
        _new()
        readings.problem()
    elif way == _PASTE:
        _paste()
        readings.problem()
    elif way == _UPLOAD:
        _upload()
        readings.problem()
    elif way == _CONNECT:
        from ui.connect import form  # noqa: PLC0415 -- Kafka's clients take 0.2 s to import

        form.connect(policy())
        readings.problem()


def _examples(current: Scenario) -> None:
    by_title = {sample.title: sample for sample in samples.SAMPLES}
    shown = next((s for s in samples.SAMPLES if s.id == current.origin), None)

    def open_chosen() -> None:
        sample = by_title.get(st.session_state[_EXAMPLE])
        if sample is not None:
            scenario.show(sample.title, samples.load(sample.id), sample.id)

    st.session_state[_EXAMPLE] = shown.title if shown else None
    st.selectbox(
        "Example",
        list(by_title),
        index=None,
        key=_EXAMPLE,
        on_change=open_chosen,
        placeholder="Choose an example",
        label_visibility="collapsed",
        width=560,
    )
    keep(_EXAMPLE, [shown.title] if shown else [])
    if shown:
        st.caption(f"{verbatim(shown.look_at)} *{verbatim(shown.provenance)}*")


def _new() -> None:
    with (
        st.form("new_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom", key=places.FIELDS),
    ):
        st.text_input("Name of the group", key="new_name", placeholder="my-group", width=220)
        st.text_input(
            "Partitions of each topic",
            key="new_topics",
            placeholder="24, 48, 12 or orders 24, payments 48; blank for none",
            width=420,
        )
        st.number_input("Consumers", 0, None, 3, key="new_consumers", width=120)
        st.form_submit_button("Create it", type="primary", on_click=_create)


def _create() -> None:
    name, topics, count = (
        st.session_state[f"new_{part}"] for part in ("name", "topics", "consumers")
    )
    read = partial(read_counts, name, topics, int(count or 0))
    if readings.open_first("New group", lambda: Files(read())):
        st.session_state[_WAY] = None
        st.session_state[EDIT] = True  # there is more to say of it than counts


def _paste() -> None:
    browser_clock.ask()
    with st.form("paste_form", border=False):
        st.text_area(
            "Output of `kafka-consumer-groups.sh --describe` or another tool",
            key=places.PASTED,
            height=180,
            placeholder="Paste here, prompts and noise included",
            help="Also --all-groups, --members --verbose, `rpk group describe`, Confluent's CLI, "
            "JSON of Burrow, kafbat UI and AKHQ, Prometheus text, the log of a consumer that leads "
            "its group, and group JSON. Prompts and noise around the table do no harm.",
        )
        st.form_submit_button("Read it", type="primary", on_click=_read_pasted)


def _upload() -> None:
    st.file_uploader(
        "Group JSON, texts with any of the pastes, or CSV tables",
        accept_multiple_files=True,
        key="uploaded",
        on_change=_read_uploaded,
        help="Files of the pipeline's collector together: the newest snapshot, with its history. "
        "CSV: one flat table (topic, partition, lag, consumer), or topics.csv, consumers.csv, "
        "subscriptions.csv and lags.csv together.",
    )


def _read_pasted() -> None:
    text = st.session_state[places.PASTED]
    is_read = readings.open_first(
        "Pasted group", lambda: Files(_joined(text)), is_text=True, is_pasted=True
    )
    if is_read:
        st.session_state[places.PASTED] = ""
    _close_if(is_read)


def _joined(text: str) -> tuple[Reading, ...]:
    """Return the groups of a text, or the Streams group on screen with its topology."""
    shown = scenario.shown()
    with_it = None if shown is None else with_topology(shown.reading, text)
    return input_read(read_text, text) if with_it is None else (with_it,)


def _read_uploaded() -> None:
    files = {file.name: file.getvalue() for file in st.session_state["uploaded"]}
    if not files:
        return
    is_opened = open_groups.open_files(files)
    if is_opened is None:
        read = partial(input_read, read_files, files)
        is_opened = readings.open_first(", ".join(files), read, is_text=True)
    _close_if(is_opened)


def _close_if(is_read: bool) -> None:
    """Close the form once a group is on screen, so that the answer comes first."""
    if is_read:
        st.session_state[_WAY] = None
