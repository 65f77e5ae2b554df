"""Connect: enter servers and properties, or the address of metrics; list the groups, open one.

Input stays in the visitor's session: no widget here is bound to the URL, and connection properties
are masked wherever they are printed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeVar

import streamlit as st

from charts.labels import short_names
from evaluation.reading import Reading
from evaluation.wording import plural
from live.access import Access
from live.client_config import ClientConfig
from live.model import GroupList, GroupListing
from live.read_options import ReadOptions
from sources import live
from sources.csv.table import decoded
from sources.errors import SourceError
from sources.live_groups import label_of
from sources.metrics import Metrics, list_groups, metrics_at, of_section, read_group
from sources.text import Files
from ui import readings, widgets
from ui.connect import watch
from ui.connect.policy import Policy, named_clusters, named_metrics
from ui.untrusted import verbatim

_Read = TypeVar("_Read")
_CONNECTED: Final = "connected"
_TYPED: Final = "Other servers"
_PLAIN: Final = "None"
_SECURITY: Final = {
    _PLAIN: "PLAINTEXT",
    "TLS": "SSL",
    "Login over TLS": "SASL_SSL",
    "Login without TLS": "SASL_PLAINTEXT",
}
_MECHANISMS: Final = ("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512")
_ANY: Final = "any"
_LONGEST_NAME: Final = 24
"""Characters of a cluster's name in the line."""
_MOST_SHOWN: Final = 1_000
"""The most groups in the list; browsers are slow with more, and a filter is quicker."""


@dataclass(frozen=True)
class _Connected:
    """A cluster, or a server of metrics, that answered, and its groups at that time."""

    name: str
    groups: GroupList
    read: Callable[[str, ReadOptions], Reading]
    """Reads a group by name, with its past where there is one."""
    newest: Callable[[str, ReadOptions], Reading]
    """The same with the newest snapshot alone, to watch it."""


def connect(policy: Policy) -> None:
    """Show the form; once the cluster has answered, one line with its groups in its place."""
    state = st.session_state.get(_CONNECTED)
    if isinstance(state, _Connected):
        _groups(state, policy)
        return
    _form(policy)
    if isinstance(state, str):
        widgets.refusal(state)


def opener(group: str) -> Callable[[], object] | None:
    """Return what reads a group of the connected cluster; None if no such group is listed."""
    state = st.session_state.get(_CONNECTED)
    if not isinstance(state, _Connected) or all(each.id != group for each in state.groups.groups):
        return None

    read = partial(state.read, group)
    return lambda: readings.open_first(group, lambda: Files((_with_progress(read),)))


def _form(policy: Policy) -> None:
    metrics = named_metrics() if policy.has_named else {}
    names = [*(named_clusters() if policy.has_named else ()), *metrics]
    choices = [*names, *([_TYPED] if policy.access is not None else [])]
    name = _TYPED
    if names:
        name = st.selectbox("Cluster", choices, key="connect_cluster", width=360)
    with st.form("connect_form", border=False):
        if name == _TYPED:
            _typed_fields(policy)
        is_submitted = st.form_submit_button("List groups", type="primary", icon=":material/dns:")
    if is_submitted:
        st.session_state[_CONNECTED] = (
            _listed_metrics(name, partial(of_section, metrics[name]))
            if name in metrics
            else _listed(name, policy)
        )
        st.rerun()
    if policy.access is not None:
        _workers(policy.access)
        _metrics(policy.access)


def _workers(access: Access) -> None:
    """Offer to read a Connect cluster, which brokers tell little of, from a worker itself."""
    with (
        st.form("connect_rest_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        url = st.text_input(
            "or a Connect cluster: REST address of a worker",
            key="connect_rest",
            placeholder="http://HOST:8083",
            help="One request, for the status of all connectors; their settings are not read.",
            width=360,
        )
        is_submitted = st.form_submit_button("Read workers")
    if is_submitted:
        readings.open_first("", lambda: Files(live.read_workers(url, None, access)))
        st.rerun()


def _metrics(access: Access) -> None:
    """Offer to read the lag exporters that a Prometheus scrapes, with their past."""
    state = st.session_state
    with (
        st.form("connect_metrics_form", border=False),
        st.container(horizontal=True, vertical_alignment="bottom"),
    ):
        url = st.text_input(
            "or metrics: address of Prometheus",
            key="connect_metrics",
            placeholder="http://HOST:9090",
            help="Offsets of kafka_exporter, kminion, klag and others, with their past. Most tell "
            "no owners, which then are unknown.",
            width=360,
        )
        st.text_input("User", key="connect_metrics_user", autocomplete="off", width=180)
        st.text_input(
            "Password or token",
            key="connect_metrics_secret",
            type="password",
            autocomplete="new-password",
            width=180,
        )
        is_submitted = st.form_submit_button("List groups in Prometheus")
    if is_submitted:
        user, secret = state["connect_metrics_user"], state["connect_metrics_secret"]
        source = partial(metrics_at, url, user.strip(), secret, access)
        state[_CONNECTED] = _listed_metrics(url.strip(), source)
        st.rerun()


def _listed_metrics(name: str, source: Callable[[], Metrics]) -> _Connected | str:
    """Return the server with its groups, or a sentence on why they cannot be listed."""
    try:
        metrics = source()
        groups = _with_progress(partial(list_groups, metrics))
    except SourceError as error:
        return str(error)
    return _Connected(
        name,
        groups,
        partial(read_group, metrics),
        partial(read_group, metrics, is_newest_alone=True),
    )


def _typed_fields(policy: Policy) -> None:
    allowed = policy.access.servers if policy.access is not None else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input(
            "Bootstrap servers",
            key="connect_servers",
            placeholder="HOST:9092, HOST:9092",
            help="May stand in the properties instead."
            + (f" This page may connect to {verbatim(', '.join(allowed))}." if allowed else ""),
            width=360,
        )
        st.selectbox("Security", list(_SECURITY), key="connect_security", width=180)
        st.selectbox("Mechanism", _MECHANISMS, key="connect_mechanism", width=180)
        st.text_input("User", key="connect_user", autocomplete="off", width=180)
        st.text_input(
            "Password",
            key="connect_password",
            type="password",
            autocomplete="new-password",
            width=180,
        )
    with st.expander("Client properties"):
        st.text_area(
            "client.properties",
            key="connect_properties",
            height=140,
            placeholder="security.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\n"
            "sasl.jaas.config=...",
            help="As Kafka's tools take them, or by librdkafka's names; they go before the fields "
            "above. Certificates and keys as ssl.ca.pem, ssl.certificate.pem and ssl.key.pem, "
            "in lines of their own. auto.offset.reset says what lag is where nothing is committed.",
        )
        st.file_uploader("or the file", key="connect_file", type=["properties", "conf", "txt"])
    st.caption(
        "What you type is kept in this session only: not in the link, the report or any export."
    )


def _listed(name: str, policy: Policy) -> _Connected | str:
    """Return the cluster with its groups, or a sentence on why they cannot be listed."""
    try:
        config, access = _config_of(name, policy)
        groups = _with_progress(lambda read_options: live.list_groups(config, read_options, access))
    except SourceError as error:
        return str(error)

    def read(group: str, options: ReadOptions) -> Reading:
        return live.read_group(config, group, options, access, with_times=True)

    return _Connected(config.properties.servers if name == _TYPED else name, groups, read, read)


def _config_of(name: str, policy: Policy) -> tuple[ClientConfig, Access | None]:
    """Return the properties and the restrictions, of which configured clusters have none."""
    if name != _TYPED:
        return live.config_of("", defaults=named_clusters()[name]), None
    state = st.session_state
    file = state.get("connect_file")
    text = state["connect_properties"] if file is None else decoded(file.getvalue())
    fields = {"security.protocol": _SECURITY[state["connect_security"]]}
    if fields["security.protocol"].startswith("SASL"):
        fields |= {
            "sasl.mechanism": state["connect_mechanism"],
            "sasl.username": state["connect_user"],
            "sasl.password": state["connect_password"],
        }
    return live.config_of(text, state["connect_servers"].strip() or None, fields), policy.access


def _groups(state: _Connected, policy: Policy) -> None:
    """Show the cluster and its groups in one line, so that the answer keeps the screen."""
    for error in state.groups.errors:
        st.warning(verbatim(error))
    line = st.container(horizontal=True, vertical_alignment="center", gap="small")
    name = short_names([state.name], _LONGEST_NAME)[0]
    with line, st.popover(verbatim(name), icon=":material/dns:", help="Another cluster"):
        _form(policy)
    if not state.groups.groups:
        st.info(
            f"{verbatim(state.name)} answered, but shows no groups: there are none, or this user "
            "lacks the DESCRIBE permission on them."
        )
        return
    with line:
        picked = _pick(state.groups.groups)
    if picked.hidden:
        st.caption(f"The first {_MOST_SHOWN:,} are listed; filter to see the others.")
    if picked.group is None:
        return
    id_ = picked.group.id
    if picked.is_read:
        read = partial(state.read, id_)
        readings.open_first(id_, lambda: Files((_with_progress(read),)))
        st.rerun()
    if picked.watch_every_s is not None:
        newest = partial(state.newest, id_)
        watch.watch((state.name, id_), lambda: newest(ReadOptions()), picked.watch_every_s)


class _Picked(NamedTuple):
    """What is to be done with which group."""

    group: GroupListing | None
    is_read: bool
    watch_every_s: float | None
    hidden: int
    """Groups that are not listed."""


def _pick(listed: tuple[GroupListing, ...]) -> _Picked:
    """Let the visitor filter the groups, choose one, and read or watch it."""
    with st.popover(
        plural(len(listed), "group"), icon=":material/filter_list:", help="Filter them"
    ):
        groups = _filtered(listed)
    shown = groups[:_MOST_SHOWN]
    chosen = st.selectbox(
        "Group",
        shown,
        format_func=label_of,
        key="connect_group",
        placeholder="None is like that",
        label_visibility="collapsed",
        width=400,
    )
    is_clicked = st.button(
        "Read the group",
        icon=":material/download:",
        disabled=chosen is None,
        help="Who is in it and owns what, racks, offsets and lags, as of now",
    )
    is_watched = st.toggle(
        "Watch",
        key="connect_watch",
        disabled=chosen is None,
        help="A snapshot every few seconds: time lag as it moves, and every rebalance",
    )
    every_s = watch.choose_interval() if is_watched else None
    return _Picked(chosen, is_clicked, every_s, len(groups) - len(shown))


def _filtered(groups: tuple[GroupListing, ...]) -> list[GroupListing]:
    states = sorted({group.state for group in groups})
    protocols = sorted({group.protocol for group in groups})
    text = st.text_input("Name contains", key="connect_filter")
    state = st.selectbox("State", [_ANY, *states], key="connect_state")
    protocol = st.selectbox("Protocol", [_ANY, *protocols], key="connect_protocol")
    return [
        group
        for group in groups
        if text.lower() in group.id.lower()
        and state in (_ANY, group.state)
        and protocol in (_ANY, group.protocol)
    ]


def _with_progress(read: Callable[[ReadOptions], _Read]) -> _Read:
    """Return the result of a reading; show a progress bar, and stop at any click.

    Streamlit ends a run when the script next draws something, so the bar is redrawn every time the
    reading checks for cancellation.
    """
    label, share = "Connecting …", 0.0
    bar = st.progress(share, label)

    def show(what: str, done: int, total: int) -> None:
        nonlocal label, share
        label, share = f"Reading {what}: {done:,} of {total:,}", done / max(total, 1)
        bar.progress(share, label)

    def is_cancelled() -> bool:
        bar.progress(share, label)
        return False

    try:
        return read(ReadOptions(progress=show, is_cancelled=is_cancelled))
    finally:
        bar.empty()
