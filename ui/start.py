"""Where a scenario comes from: an example, a text, a cluster; and how it leaves again."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from sources import group_json, samples
from sources.reading import Reading
from sources.tables import read_tables
from sources.text import read_text
from ui import connect, connect_policy, found, scenario, share
from ui.scenario import Scenario

_WAYS: Final = ("Example", "Paste", "Upload")
_CONNECT: Final = "Connect"
_TABLE_ENDINGS: Final = (".csv", ".tsv", ".zip")


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
    policy = connect_policy.policy()
    ways = (*_WAYS, _CONNECT) if policy.is_on else _WAYS
    with st.container(horizontal=True, vertical_alignment="bottom"):
        way = st.segmented_control(
            "Start from", ways, default="Example", required=True, key="start", bind="query-params"
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
    elif way == _CONNECT:
        connect.connect(policy)
    else:
        _examples(current)
        return last
    found.outcome(current)
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
    found.open_first("Pasted group", lambda: read_text(text))


def _read_uploaded() -> None:
    files = {file.name: file.getvalue() for file in st.session_state["uploaded"]}
    if files:
        found.open_first(", ".join(files), lambda: _readings(files))


def _readings(files: Mapping[str, bytes]) -> Sequence[Reading]:
    if all(name.lower().endswith(_TABLE_ENDINGS) for name in files):
        return (read_tables(files),)
    return [reading for data in files.values() for reading in read_text(_decoded(data))]


def _decoded(data: bytes) -> str:
    return data.decode("utf-8-sig", errors="replace")
