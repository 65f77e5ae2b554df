"""The form that asks for what a dataclass says users state."""

from collections.abc import Mapping

import pytest
from streamlit.testing.v1 import AppTest

from evaluation.autoscaling.replay import Conditions
from evaluation.capacity.draining import Capacity
from evaluation.rebalance.timing import Timing
from evaluation.stated import InvalidNumberError, check_stated, stated_of
from tests.patience import PATIENCE_S
from tests.said import lacks

SCRIPT = """
import streamlit as st
from evaluation.rebalance.timing import Timing
from evaluation.stated import InvalidNumberError
from ui import form, widgets

form.ask(Timing, prefix="time_")
try:
    st.write(repr(form.read(Timing, prefix="time_")))
except InvalidNumberError as error:
    widgets.refusal(error)
"""


def opened(link: Mapping[str, str]) -> AppTest:
    page = AppTest.from_string(SCRIPT, default_timeout=PATIENCE_S)
    page.query_params.update(link)
    return page.run()


def test_every_stated_number_has_a_field_with_label_unit_help_and_its_usual_value() -> None:
    page = opened({})

    assert len(page.number_input) == len(stated_of(Timing)) == 6
    pause = page.number_input(key="pause")
    assert (pause.label, pause.placeholder, pause.value) == ("Rebalance pause (s)", "10", None)
    assert "rejoined" in pause.help


def test_blank_is_the_usual_value_and_what_is_typed_counts() -> None:
    page = opened({"time_interval": "7"})

    page.number_input(key="time_restart").set_value(12.0).run()

    assert page.markdown[0].value == repr(Timing(assignment_interval_s=7.0, restart_s=12.0))


def test_out_of_bounds_is_one_sentence_and_every_field_stays() -> None:
    page = opened({"pause": "-1", "time_restart": "9"})

    assert not lacks(page.error[0].value.replace("\\", ""), "0 s")
    assert page.number_input(key="time_restart").value == 9


def test_the_pause_of_a_rebalance_is_one_fact_for_every_form() -> None:
    pauses = [stated_of(each)["pause_s"] for each in (Timing, Capacity)]

    assert {pause.usual for pause in pauses} == {Timing().pause_s}
    assert all(pause.is_shared for pause in pauses)
    assert len({(pause.label, pause.unit) for pause in pauses}) == 1


def test_names_in_links_are_those_of_the_fields_unless_links_knew_another() -> None:
    links = {name: each.link for name, each in stated_of(Conditions).items()}

    assert links == {"allowed_s": "target", "pod_start_s": "", "commit_s": "", "threads": ""}


@pytest.mark.parametrize("allowed_s", [0.0, float("nan"), 1e18])
def test_the_dataclass_refuses_what_the_form_calls_out_of_bounds(allowed_s: float) -> None:
    with pytest.raises(InvalidNumberError, match="the time allowed must be"):
        Capacity(throughput=1.0, allowed_s=allowed_s)


def test_a_number_that_is_not_stated_is_not_checked() -> None:
    check_stated(Capacity(throughput=1.0, allowed_s=1.0, partition_cap=None))
