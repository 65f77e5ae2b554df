"""What a field shows by default is nothing that the visitor stated."""

from streamlit.testing.v1 import AppTest

from tests.patience import PATIENCE_S

PAGE = """
import streamlit as st
from ui import told

options = ("load", "lag") if st.checkbox("rates", key="rates") else ("lag", "load")
st.text(f"{told.JUDGE.picked()} {told.JUDGE.chosen(options)}")
told.JUDGE.ask("Judge by", "", options)
"""


def test_a_default_is_not_picked_and_gives_way_to_another_default() -> None:
    page = AppTest.from_string(PAGE, default_timeout=PATIENCE_S).run()

    page.checkbox(key="rates").check().run()

    assert page.text[0].value == "None load"


def test_what_is_picked_stays_whatever_the_default_is() -> None:
    page = AppTest.from_string(PAGE, default_timeout=PATIENCE_S).run()
    page.selectbox(key="judge").set_value("load").run()

    assert page.text[0].value == "load load"
