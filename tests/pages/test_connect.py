"""Connect: who may connect, to which servers, and that no secret leaves the session."""

import logging
from collections.abc import Iterator

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from sources import group_json
from tests.broker.kafka_node import Cluster
from tests.live.fake_broker import HOST, broker, stranger
from tests.live.on_a_broker import commit, consuming, make_topic
from tests.pages.compare_page import ROOT, button, figures, name, opened, seen, texts
from tests.patience import PATIENCE_S
from tests.reports import report_on
from tests.said import lacks
from ui.connect.policy import VARIABLE

CANARY = "canary-9f3a"
NOWHERE = "127.0.0.1:1"
SHOWN = (
    *("markdown", "caption", "error", "warning", "info", "title", "subheader", "code"),
    *("arrow_data_frame", "download_button", "link_button", "exception"),
)
"""Elements that show text of the page, unlike input fields."""


@pytest.fixture(autouse=True)
def _undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


@pytest.fixture
def public() -> Iterator[None]:
    """A server that listens on every address, Streamlit's default."""
    before = st.get_option("server.address")
    st.config.set_option("server.address", None)
    yield
    st.config.set_option("server.address", before)


def _connecting(servers: str, **fields: str) -> AppTest:
    page = opened(start="Connect")
    page.text_input(key="connect_servers").set_value(servers)
    for field, value in fields.items():
        if field == "properties":
            page.text_area(key="connect_properties").set_value(value)
        elif field == "security":
            page.selectbox(key="connect_security").set_value(value)
        else:
            page.text_input(key=f"connect_{field}").set_value(value)
    return _pressed(page, "List groups")


def _pressed(page: AppTest, label: str) -> AppTest:
    button(page, label).click().run()
    assert not page.exception
    return page


def _read(page: AppTest, group: str) -> AppTest:
    page.text_input(key="connect_filter").set_value(group).run()
    return _pressed(page, "Read the group")


def _ways(page: AppTest) -> list[str]:
    return [page.button(key="paste_way").label, *page.get("menu_button")[0].proto.options]


def _visible(page: AppTest) -> str:
    """Return all text of the page except the content of input fields."""
    return " ".join(repr(each.proto) for kind in SHOWN for each in page.get(kind))


def test_a_laptops_page_offers_to_connect() -> None:
    assert "Connect" in _ways(opened())


def test_a_page_that_others_can_open_does_not(public: None) -> None:  # noqa: ARG001 -- the server
    page = opened(start="Connect")

    assert "Connect" not in _ways(page)
    assert not page.text_input


def test_whoever_deploys_it_can_switch_it_off_and_on(
    public: None,  # noqa: ARG001 -- the server
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "b1:9092")
    on = _ways(opened())
    monkeypatch.setenv(VARIABLE, "off")
    off = _ways(opened())

    assert "Connect" in on
    assert "Connect" not in off


def test_only_listed_servers_are_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "b1.example.com:9092")

    page = _connecting(NOWHERE)

    assert not lacks(seen(page.error[0].value), "127.0.0.1:1")


def test_a_listed_server_cannot_refer_clients_to_another(monkeypatch: pytest.MonkeyPatch) -> None:
    with stranger() as other, broker([other.address]) as (host, port):
        monkeypatch.setenv(VARIABLE, f"{host}:{port}")

        page = _connecting(
            f"{host}:{port}", user="alice", password=CANARY, security="Login without TLS"
        )

    assert not lacks(seen(page.error[0].value), f"{HOST}", f"{other.address[1]}")
    assert other.connections == []


def test_no_property_reaches_into_the_server() -> None:
    page = _connecting(NOWHERE, properties="ssl.ca.location=/etc/passwd")

    assert not lacks(seen(page.error[0].value), "ssl.ca.location")


def test_servers_in_the_properties_are_checked_against_the_list_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "b1.example.com:9092")

    page = _connecting("", properties=f"metadata.broker.list={NOWHERE}")

    assert not lacks(seen(page.error[0].value), "127.0.0.1:1")


def test_a_closed_port_is_reported_and_the_group_on_screen_stays() -> None:
    before = name(opened())

    page = _connecting(NOWHERE)

    assert "Connection refused" in seen(page.error[0].value)
    assert name(page) == before


def test_named_clusters_of_the_secrets_file_are_offered_without_their_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "named")
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)
    page.secrets["kafka"] = {
        "payments": {"bootstrap": {"servers": NOWHERE}, "sasl.password": CANARY}
    }
    page.query_params["start"] = "Connect"
    page.run()
    _pressed(page, "List groups")

    assert page.selectbox(key="connect_cluster").options == ["payments"]
    assert not page.text_input
    assert "Connection refused" in seen(page.error[0].value)
    assert CANARY not in _visible(page)


@pytest.mark.needs("broker")
def test_a_group_is_found_by_the_filters_and_opened_with_its_lags(kafka: Cluster) -> None:
    make_topic(kafka.bootstrap, "page-orders", [10, 20])
    commit(kafka.bootstrap, "page-empty", {("page-orders", 0): 4})
    with consuming(kafka.bootstrap, "page-group", ["page-orders"], {}, {}) as consumers:
        for consumer in consumers:
            places = consumer.assignment()
            for place in places:
                place.offset = 3
            consumer.commit(offsets=places, asynchronous=False)
        page = _connecting(kafka.bootstrap)
        page.selectbox(key="connect_state").set_value("Stable").run()
        shown = page.selectbox(key="connect_group").options
        _read(page, "page-group")

    assert "page-group · Stable · classic" in shown
    assert not any("page-empty" in each for each in shown)
    assert name(page) == "page-group"
    assert figures(page).loc["As it is now", "Busiest"] == 17
    assert not lacks(texts(page), "2 partitions")


@pytest.mark.needs("broker")
def test_a_secret_is_nowhere_but_in_the_session(
    kafka: Cluster, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    make_topic(kafka.bootstrap, "page-secret", [1])
    commit(kafka.bootstrap, "page-secret", {("page-secret", 0): 1})

    page = _connecting(
        kafka.bootstrap,
        user="alice",
        password=CANARY,
        properties=f"sasl.password={CANARY}\nsasl.username=alice\nssl.key.password={CANARY}",
    )
    _read(page, "page-secret")
    page.session_state["share"] = True
    page.run()

    current = page.session_state["scenario"]
    report = _report_of(page)
    said = capfd.readouterr()
    for where, text in {
        "the page": _visible(page),
        "the link": repr(dict(page.query_params)),
        "the export": group_json.encode(current.group).decode(),
        "the account of the reading": repr(current.reading),
        "the report": report,
        "what is kept of the connection": repr(page.session_state["connected"]),
        "the logs": caplog.text + said.out + said.err,
    }.items():
        assert CANARY not in text, where


@pytest.mark.parametrize("field", ["password", "properties"])
def test_a_secret_is_not_in_the_sentence_that_says_what_went_wrong(
    field: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    value = CANARY if field == "password" else f"sasl.password={CANARY}\n{CANARY}\nuser={CANARY}"

    page = _connecting(NOWHERE, user="alice", security="Login over TLS", **{field: value})

    said = capfd.readouterr()
    assert page.error
    assert CANARY not in _visible(page)
    assert CANARY not in repr(dict(page.query_params))
    assert CANARY not in caplog.text + said.out + said.err


def _report_of(page: AppTest) -> str:
    current = page.session_state["scenario"]
    return report_on(current.group, title=current.title)


def test_no_file_of_secrets_is_committed() -> None:
    ignored = (ROOT / ".gitignore").read_text().split()

    assert ".streamlit/secrets.toml" in ignored
