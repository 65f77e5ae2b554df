"""Two pastes a minute apart: every page names one speed, one rate and one source, as does a link.

payments-17 gets 900/s and worker-2, which holds two more partitions of 10/s, reads 600/s of it:
620/s under backlog. 23 x 10 + 900 = 1,130/s arrive.
"""

import re
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from assignors.model import Group
from sources import links
from tests.pages.compare_page import (
    changing,
    columns,
    copied_link,
    opened,
    opened_alone,
    paste,
    seen,
    texts,
)
from tests.said import lacks

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
SPEED = "One consumer reads 620 records/s (measured under backlog)"
ARRIVING = "1,130 records/s arrive, measured over 1 min"
WHO = "worker-2-aa"


def described(minute: int) -> str:
    rows = []
    for partition in range(24):
        arriving, reading, waiting = (900, 600, 40_000) if partition == 17 else (10, 10, 0)
        committed = 50_000 + 60 * minute * reading
        end = 50_000 + waiting + 60 * minute * arriving
        member = partition % 8 + 1
        rows.append(
            f"payments payments {partition} {committed} {end} {end - committed} "
            f"worker-{member}-aa /10.0.0.{member} worker-{member}\n"
        )
    return f"Tue Nov 24 10:0{minute}:00 UTC 2026\n{HEAD}{''.join(rows)}"


def said(page: AppTest) -> str:
    return seen(" ".join([texts(page), *(title.value for title in page.title)]))


def pasted() -> AppTest:
    page = opened(view="Over time", time_by="By strategy")
    paste(page, described(0) + described(1))
    return page


def shared() -> AppTest:
    """Return the page of whoever follows the sender's link."""
    page = pasted()
    page.session_state["present"] = True
    page.run()
    link = copied_link(page)
    group = parse_qs(link.partition("?")[2])["group"][0]
    return opened(view="Over time", time_by="By strategy", group=group)


@pytest.mark.parametrize("read", [pytest.param(pasted, marks=pytest.mark.proof), shared])
def test_every_page_names_one_speed_one_rate_and_one_source(read: Callable[[], AppTest]) -> None:
    page = read()

    compared = said(page)
    page.switch_page("pages/capacity.py").run()
    capacity = said(page)
    page.switch_page("pages/autoscaler.py").run()
    autoscaler = said(page)

    assert SPEED in compared
    assert not lacks(compared, "payments-17 gets", "90 times")
    for text in (capacity, autoscaler):
        assert SPEED in text
        assert ARRIVING in text
        assert not lacks(text, "payments-17 gets", "90 times", "never")
        assert not lacks(text, "900/s", "10/s", f"{WHO}", "600/s")
        assert not lacks(text, "8 consumers", "1 topic", "24 partitions", "58.0 k")
    assert not lacks(capacity, "payments-17 alone", "never", "900 records/s")
    assert not lacks(autoscaler, "payments-17 alone", "900 records/s", "620")
    for text in (compared, capacity, autoscaler):
        speeds = set(re.findall(r"[Oo]ne consumer reads (?:at least )?([\d,.]+)", text))
        assert {speed.rstrip(".,") for speed in speeds} == {"620"}


def test_a_group_whose_rates_are_known_is_judged_by_work_due_whatever_was_open_before() -> None:
    page = changing(opened())
    assert page.selectbox(key="judge").value == "lag"

    paste(page, described(0) + described(1))

    assert page.selectbox(key="judge").value == "work"
    assert "judged by load" in said(page)

    page.selectbox(key="judge").set_value("lag").run()

    assert page.selectbox(key="judge").value == "lag"
    assert "judged by lag" in said(page)


def test_what_the_answer_names_is_drawn() -> None:
    page = opened()
    paste(page, described(0) + described(1))

    page.session_state["would_help"] = True
    page.run()

    assert "Load-sticky" in columns(page)


def test_rebalance_names_the_group_and_its_backlog() -> None:
    page = pasted()

    page.switch_page("pages/rebalance.py").run()

    assert not lacks(said(page), "8 consumers", "1 topic", "24 partitions", "58.0 k")


@pytest.mark.parametrize("name", ["capacity", "autoscaler"])
def test_a_page_that_lacks_the_arrival_rate_names_the_heading_above_its_field(name: str) -> None:
    group = Group.of(["t"], [2], ["a", "b"], owners=[0, 1], lags=[50, 9])

    page = opened_alone(name, group=links.encode(group) or "")

    (under,) = re.findall(r"arrive in all under (.*?),", texts(page))
    assert under in [heading.value for heading in page.subheader]
