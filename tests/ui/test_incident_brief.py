"""What is said of causes where there is little room."""

import typing

import pytest

from assignors.model import Group
from evaluation.diagnosis.findings import Finding, hindering
from tests.findings import EVERY, HOT, STOPPED
from ui.incident.brief import aid_of, first_aid, hindrance, hindrance_of, title_of

GROUP = Group.of(["t"], [2], ["c0", "c1"], owners=[0, 1], lags=[5, 5])


def test_the_examples_are_one_of_each_kind() -> None:
    assert [type(each) for each in EVERY] == list(typing.get_args(Finding))


@pytest.mark.parametrize("finding", EVERY, ids=lambda each: type(each).__name__)
def test_every_kind_has_a_title_and_what_to_do(finding: Finding) -> None:
    assert title_of(finding, GROUP).endswith(".")
    assert aid_of(finding, GROUP)
    assert hindrance_of(finding, GROUP)


def test_the_first_cause_that_no_strategy_helps_decides() -> None:
    assert hindering([HOT, STOPPED]) is STOPPED
    assert first_aid([HOT, STOPPED], GROUP) == "restart c1"
    assert hindering([HOT]) is None
    assert hindrance([HOT], GROUP) == ""
