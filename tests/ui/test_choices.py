"""A choice is one object: how long it lasts, what it is by default, within which bounds."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE_S
from ui import told
from ui.choices.choice import Lasts

PAGE = """
import streamlit as st
from ui import told

st.text(f"{told.SPEED.usable()} {told.TOTAL.usable()} {told.RESTARTS.chosen()}")
st.button("Other group", key="other", on_click=told.replace_by, args=({"runs": "range"},))
st.text(" ".join(f"{name}={value}" for name, value in sorted(told.values().items())))
"""
LEAST = """
import streamlit as st
from ui.choices.number import NumberChoice

hours = NumberChoice("hours")
st.text(hours.ask("Hours", "How long", least=0.0))
"""


def page(**link: str) -> AppTest:
    app = AppTest.from_string(PAGE, default_timeout=PATIENCE_S)
    for name, value in link.items():
        app.query_params[name] = value
    return app.run()


@pytest.mark.parametrize(
    ("stated", "read"),
    [("0", "None 0.0"), ("-1", "None None"), ("1e16", "None None"), ("7", "7.0 7.0")],
)
def test_a_number_is_read_within_its_bounds(stated: str, read: str) -> None:
    assert page(throughput=stated, total_rate=stated).text[0].value == f"{read} slow"


@pytest.mark.parametrize(("linked", "asked"), [("-5", "None"), ("7", "7.0"), ("x", "None")])
def test_a_link_fills_a_field_with_no_number_below_its_least(linked: str, asked: str) -> None:
    app = AppTest.from_string(LEAST, default_timeout=PATIENCE_S)
    app.query_params["hours"] = linked

    assert app.run().text[0].value == asked


def test_what_is_stated_of_a_group_leaves_with_it_and_what_is_of_any_group_stays() -> None:
    app = page(throughput="7", restarts="quick", pause="3")

    app.button(key="other").click().run()

    assert app.text[1].value == "pause=3 restarts=quick runs=range"
    assert {*app.query_params} == {"pause", "restarts", "runs"}


def test_names_are_those_of_links_of_earlier_releases() -> None:
    of_any = {name for name, each in told.CHOICES.items() if each.lasts is Lasts.VISITOR}

    assert of_any == {
        *("allowed_min", "pause", "peak", "headroom", "survive", "restarts", "judge", "horizon"),
    }
    assert told.number("anything else").lasts is Lasts.PAGE
