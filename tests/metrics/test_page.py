"""Connect to a server of metrics, as a visitor does."""

import time

import pytest
from streamlit.testing.v1 import AppTest

from tests.metrics.stub import prometheus
from tests.metrics.test_groups import table
from tests.pages.compare_page import ROOT, button, name, opened, seen
from tests.patience import PATIENCE_S
from ui.connect.policy import VARIABLE

SECRET = "canary-7c1e"  # noqa: S105 -- of a test


def listed(url: str) -> AppTest:
    """Enter the address and a token, and press the button."""
    page = opened(start="Connect")
    page.text_input(key="connect_metrics").set_value(url)
    page.text_input(key="connect_metrics_secret").set_value(SECRET)
    button(page, "List groups in Prometheus").click().run()
    assert not page.exception
    return page


@pytest.mark.slow
def test_a_group_is_listed_opened_and_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "any")
    now = int(time.time()) // 60 * 60

    with prometheus(table(now)) as url:
        page = listed(url)
        groups = page.selectbox(key="connect_group").options
        button(page, "Read the group").click().run()
        assert name(page) == "g"
        page.toggle(key="connect_watch").set_value(True).run()

    assert not page.exception
    assert len(groups) == 1
    assert groups[0].startswith("g")
    assert any("live" in seen(each.value) for each in page.markdown)
    assert SECRET not in "".join(seen(each.value) for each in (*page.markdown, *page.caption))


def test_a_server_that_is_not_allowed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "prom:9090")

    page = listed("http://127.0.0.1:1")

    assert "may not connect" in seen(page.error[0].value)


@pytest.mark.proof
@pytest.mark.slow
def test_named_servers_of_metrics_are_offered_without_their_secrets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(VARIABLE, "named")
    now = int(time.time()) // 60 * 60

    with prometheus(table(now)) as url:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE_S)
        page.secrets["prometheus"] = {"dev": {"url": url, "bearer_token": SECRET}}
        page.query_params["start"] = "Connect"
        page.run()
        offered = page.selectbox(key="connect_cluster").options
        button(page, "List groups").click().run()

    assert not page.exception
    assert offered == ["dev"]
    assert len(page.selectbox(key="connect_group").options) == 1
