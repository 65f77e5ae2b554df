"""Where a scenario comes from: an example, a paste, an upload; and how it leaves again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sources import group_json, samples
from sources.errors import SourceError
from sources.reading import Reading
from sources.tables import read_tables
from sources.text import read_text
from ui import scenario, share
from ui.scenario import Scenario
from ui.words import plural

_WAYS: Final = ("Example", "Paste", "Upload")
_TABLE_ENDINGS: Final = (".csv", ".tsv", ".zip")
_FOUND: Final = "groups_found"
_IGNORED_SHOWN: Final = 200


def default_scenario() -> Scenario:
    """Return the group or the example that the link names, else the first example."""
    shared = share.followed()
    if shared is not None:
        return shared
    titles = {sample.title: sample for sample in samples.SAMPLES}
    sample = titles.get(st.query_params.get("example", ""), samples.SAMPLES[0])
    return scenario.opened(sample.title, samples.load(sample.id))


def start_bar(current: Scenario) -> DeltaGenerator:
    """Show the ways to begin, and undo, reset and the ways out beside them.

    Returns the place for one more way out, which needs results that come later.
    """
    share.link_problem(current)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        way = st.segmented_control(
            "Start from", _WAYS, default="Example", required=True, key="start", bind="query-params"
        )
        st.space("stretch")
        st.button(
            "Undo",
            icon=":material/undo:",
            on_click=scenario.undo,
            disabled=not current.earlier,
            help="Take the last change back",
        )
        st.button(
            "Reset",
            icon=":material/restart_alt:",
            on_click=scenario.reset,
            disabled=not current.is_edited,
            help="Back to what was opened",
        )
        st.download_button(
            "Download",
            lambda: group_json.encode(current.group),
            file_name=f"{current.group.id or 'group'}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            help="The group as JSON: open it here again, or hand it to assign.py",
        )
        share.share_popover(current)
        last = st.container(width="content")
    if way == "Paste":
        _paste()
    elif way == "Upload":
        _upload()
    else:
        _examples(current)
        return last
    _outcome(current)
    return last


def open_example(sample_id: str) -> None:
    """Make an example the scenario and go to the Compare page; for the other pages."""
    sample = next(sample for sample in samples.SAMPLES if sample.id == sample_id)
    scenario.show(sample.title, samples.load(sample_id))
    st.session_state["example"] = sample.title
    st.switch_page("pages/compare.py")


def _examples(current: Scenario) -> None:
    by_title = {sample.title: sample for sample in samples.SAMPLES}

    def open_chosen() -> None:
        sample = by_title[st.session_state["example"]]
        scenario.show(sample.title, samples.load(sample.id))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        title = st.selectbox(
            "Example",
            list(by_title),
            key="example",
            bind="query-params",
            on_change=open_chosen,
            width=560,
        )
        st.button("Open", on_click=open_chosen, help="Open this example afresh")
    sample = by_title[title]
    if title == current.title:
        st.caption(f"{sample.look_at} *{sample.provenance}*")
    else:
        st.caption("On screen is another group; press Open for this example.")


def _paste() -> None:
    with st.form("paste_form", border=False):
        st.text_area(
            "Output of `kafka-consumer-groups.sh --describe` or another tool",
            key="pasted",
            height=180,
            placeholder=samples.PASTE.read_text(),
            help="Also --all-groups, --members --verbose, Burrow's lag JSON, `rpk group describe`, "
            "Prometheus text, and group JSON. Prompts and noise around the table do no harm.",
        )
        st.form_submit_button("Read it", type="primary", on_click=_read_pasted)


def _upload() -> None:
    st.file_uploader(
        "Group JSON, a text with any of the pastes, or CSV tables",
        type=["json", "jsonl", "txt", "log", "csv", "tsv", "zip", "prom"],
        accept_multiple_files=True,
        key="uploaded",
        on_change=_read_uploaded,
        help="CSV: one flat table (topic, partition, lag, consumer), or topics.csv, consumers.csv, "
        "subscriptions.csv and lags.csv together.",
    )


def _read_pasted() -> None:
    text = st.session_state["pasted"]
    _open_first("Pasted group", lambda: read_text(text))


def _read_uploaded() -> None:
    files = {file.name: file.getvalue() for file in st.session_state["uploaded"]}
    if files:
        _open_first(", ".join(files), lambda: _readings(files))


def _readings(files: Mapping[str, bytes]) -> Sequence[Reading]:
    if all(name.lower().endswith(_TABLE_ENDINGS) for name in files):
        return (read_tables(files),)
    return [reading for data in files.values() for reading in read_text(_decoded(data))]


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", errors="replace")


def _open_first(title: str, read: Callable[[], Sequence[Reading]]) -> None:
    """Show the first group that is read; keep them all, or the sentence why there is none."""
    try:
        found = read()
    except SourceError as error:
        st.session_state[_FOUND] = (title, str(error))
        return
    st.session_state[_FOUND] = (title, found)
    scenario.show(found[0].group.id or title, found[0])


def _outcome(current: Scenario) -> None:
    """Show what came of the last text or files: an error, or groups and how they were read."""
    title, found = st.session_state.get(_FOUND, ("", ()))
    if isinstance(found, str):
        st.error(found, icon=":material/error:")
        return
    if len(found) > 1:
        _choose_group(title, found)
    if any(reading is current.reading for reading in found):
        _reading_report(current.reading)


def _reading_report(reading: Reading) -> None:
    """Show what was made of a text: rows, assumptions, and every line not used."""
    st.caption(
        f"Read {plural(reading.rows, 'row')} as {reading.format}."
        + ("" if reading.ignored else " Every line was used.")
    )
    for note in reading.notes:
        st.caption(f":material/info: {note}")
    if reading.ignored:
        with st.expander(f"{plural(len(reading.ignored), 'line')} not used"):
            shown = reading.ignored[:_IGNORED_SHOWN]
            st.code("\n".join(f"{number:>5}  {text}" for number, text in shown), language=None)
            if len(reading.ignored) > len(shown):
                st.caption(f"… and {len(reading.ignored) - len(shown):,} more")


def _choose_group(title: str, found: Sequence[Reading]) -> None:
    names = [f"{k + 1}. {reading.group.id or title}" for k, reading in enumerate(found)]

    def open_chosen() -> None:
        reading = found[names.index(st.session_state["found_group"])]
        scenario.show(reading.group.id or title, reading)

    st.selectbox(
        f"{plural(len(found), 'group')} found; show",
        names,
        key="found_group",
        on_change=open_chosen,
        width=560,
    )
